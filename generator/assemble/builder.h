/* fg_builder: a program while the steps of its plan add stages.
 *
 * Stages are first LOGICAL: every index is a loop. map/ then assigns the roles. */
#ifndef FG_ASSEMBLE_BUILDER_H
#define FG_ASSEMBLE_BUILDER_H
#include "generator/assemble/assemble.h"
#include "generator/assemble/view.h"

enum { FG_MAX_LOGICAL = 16 };

/* How the kernel in hand takes transforms that are added one after the other (steps/summed_turns.c). */
typedef struct fg_summing {
  unsigned turns, parts; /* axes, by bits: the turns of a part; parts */
  int64_t each;          /* 0: no axis is divided; else turns of the divided one in a part */
  fg_num whole;          /* the extent that it had */
  int split, inside;     /* that axis, which counts parts; the one of turns inside of a part */
  int axes;              /* that there were */
  bool own_parts;        /* blocks take a part each */
} fg_summing;

struct fg_builder {
  fg_context *cx;
  const fg_mapping *map;
  fg_program *program;
  bool fused;  /* a convolution works in place in shared memory (assemble/steps/fused_convolution.c) ... */
  bool apart;  /* ... and none may: what does not fit a block is a kernel for each stage */
  bool alone;  /* CPU: one kernel of one stage, whose batch is among its loops */
  bool packed; /* CPU: vectors of the kernel in hand hold both parts of their numbers, its memory is interleaved */
  int nkernel;
  fg_kernel *kernels[FG_MAX_LOGICAL];   /* in logical form */
  fg_kernel *kernel;                    /* the one in hand */
  int16_t first_buffer[FG_MAX_LOGICAL]; /* LOCAL buffers from here on are the kernel's own */
  int stage_capacity;
  int naxis; /* axes in scope */
  fg_axis axis[FG_MAX_AXES];
  int dimension;       /* of n, along which transforms are taken now */
  int beside;          /* another one, whose lines in hand begin with this element: */
  int64_t begin;       /* 0: with the first, in all dimensions */
  int64_t neighbours;  /* of the batch, that are lanes (neighbours.c); 1: none. Their groups, or */
  int neighbours_axis; /* neighbours one by one, are the axis of this number; -1: there are none */
  unsigned joined;     /* kernels, by bits, that count them with other lines */
  fg_summing turns;
  int64_t queue_threads; /* of the kernels that a queue is to join; 0: no matter */
  int64_t sector;        /* results in a sector of memory, where tiles of a queue's second kernel are to begin with one;
                          * 0: all tiles begin alike */
  int work_count;        /* for names */
  fg_status trouble;     /* with operations on elements: reported at the end */
};

/* An index more around what follows; it ends where naxis is put back. */
void fg_build_axis(fg_builder *b, const char *name, int64_t extent, fg_axis_kind kind);
/* Elements side by side: of neighbouring transforms. */
static inline int64_t fg_build_neighbouring(const fg_builder *b) {
  int64_t side = 1;
  for (int i = 0; i < b->naxis; i++)
    if (b->axis[i].kind == FG_AXIS_LANES) side *= b->axis[i].extent.n;
  return side;
}
/* The largest divisor of n up to `most`, a multiple of `unit` if there is one. */
int64_t fg_build_divisor(int64_t n, int64_t most, int64_t unit);
/* Of the transforms inside of a step: inner axes have names by their numbers. */
void fg_build_inner_axis(fg_builder *b, int64_t extent);
/* The same for tiles of n elements, the last of which overlaps its neighbour where they do not
 * divide n; and by how many elements a tile's number moves addresses. */
void fg_build_tiles(fg_builder *b, int64_t n, int64_t tile);
int64_t fg_build_tile_step(int64_t n, int64_t tile);
/* The digit that counts along an axis in a stage that was just built; -1: it has one value. */
int16_t fg_build_axis_digit(const fg_builder *b, const fg_stage *stage, int axis);
/* An access, and those behind it, only of those of n members whose number, of `members` in a group, is below n. */
void fg_build_keep_member(fg_access *a, int16_t group, int16_t member, int64_t members, int64_t n);
/* The last two axes count tiles and their members, of n in all; the last tile has fewer where `tile` does not divide n.
 * The kernel's stages from `first` on load from buffer `in` and store to `out` only where the member's number is below
 * n. */
void fg_build_keep_inside(fg_builder *b, int first, int16_t in, int16_t out, int64_t n, int64_t tile);
/* What follows belongs to a kernel of its own. */
void fg_build_kernel(fg_builder *b);
/* Whether transforms of n points by `plan`, the program's or one of its rows, are to be in interleaved complex vectors.
 */
bool fg_build_wants_interleaved(const fg_builder *b, const fg_plan *plan, int64_t n);
/* Of passes on parts, the first one, which finds pairs and leaves rows. */
bool fg_build_wants_first_interleaved(const fg_builder *b);
/* assemble.c: the logical stages of a checked plan, in b->kernels. `apart`: convolutions get memory of their own. */
fg_status fg_assemble(fg_context *cx, const fg_problem *problem, const fg_plan *plan, const fg_mapping *map, bool apart,
                      fg_builder *b);
#endif
