/* fg_artifact: the generator's output for a device: text and launch descriptions, without the compiler's own
 * representations. */
#ifndef FG_TARGETS_ARTIFACT_H
#define FG_TARGETS_ARTIFACT_H
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* GIVEN: operands of load and store operations, which callers bring; a device takes them from `content`. */
typedef enum fg_arg_kind { FG_ARG_IN, FG_ARG_OUT, FG_ARG_WORK, FG_ARG_TABLE, FG_ARG_GIVEN } fg_arg_kind;

typedef struct fg_arg_buffer { /* one buffer of the program that a caller must provide */
  const char *name;
  fg_arg_kind kind;
  size_t bytes;        /* with run-time parameters at their upper ends */
  bool split;          /* IN, OUT: two pointers, each of bytes / 2 */
  const void *content; /* TABLE, GIVEN: what it holds (owned by the artifact's arena); NULL: filled by `init` */
  size_t repeat;       /* bytes of content, which are repeated up to `bytes`; 0: it is whole */
} fg_arg_buffer;

/* Bytes of content that there are. */
static inline size_t fg_arg_buffer_run(const fg_arg_buffer *b) {
  return b->repeat && b->repeat < b->bytes ? b->repeat : b->bytes;
}

enum { FG_MAX_ARGUMENT_SLOTS = 128 };

/* A buffer takes one PLACE among the pointers of a call, a split one two (re,
 * im). An argument is a slot, or a run-time parameter (64 bits). */
typedef struct fg_launch_arg {
  bool is_param;
  int index;
} fg_launch_arg;

typedef struct fg_launch { /* one kernel launch, for targets that launch */
  const char *entry;
  int threads;       /* per block */
  int nblock_factor; /* blocks = product of factors */
  struct {
    int64_t n;
    int param;
    int64_t div;
  } block_factor[8]; /* n * (param < 0 ? 1 : ceil(p / div)) */
  size_t local_bytes;
  int cluster;     /* blocks of a cluster: the number of blocks is a multiple; 1: none */
  bool persistent; /* as many blocks as the device holds at once, at most that product: they iterate over all numbers */
  bool bulk;       /* it copies in bulk between arrays and its shared memory: compute capability 9.0 */
  bool registers;  /* threads keep numbers in theirs from stage to stage */
  bool balanced;   /* a cluster's blocks are scheduled to any free multiprocessors */
  int carveout;    /* percent of what blocks share with L1 that they may take; 0: the plan does not say */
  int narg;
  fg_launch_arg arg[32];
} fg_launch;

/* Its `carve`; -1 where fewer blocks would be no better: what is copied in bulk passes the cache by, clusters come
 * and blocks stay in given numbers. */
static inline int fg_launch_carveout(const fg_launch *l) {
  bool given = l->bulk || l->persistent || l->cluster > 1 || !l->local_bytes;
  return l->carveout || !given ? l->carveout : -1;
}

/* Blocks of one launch with these values of the run-time parameters. */
int64_t fg_launch_blocks(const fg_launch *l, const int64_t *params);

typedef struct fg_artifact {
  const char *dialect; /* name */
  const char *name;    /* symbol prefix */
  const char *source;  /* one self-standing translation unit */
  size_t source_bytes;
  const struct fg_instructions
      *instructions; /* dialects of instructions (targets/code.h): the same as source, which lists it */
  const char *flags; /* extra compiler flags (ISA) */
  /* C: the source defines
   *   void NAME_entry(void *const *slots, const long long *params)
   *   void NAME_init_entry(void *const *slots)  when needs_init */
  int64_t longest; /* operations of its longest piece without a branch */
  bool needs_init;
  /*   void NAME_part_entry(slots, params, int step, int part, int parts)  when nstep > 0 */
  int nstep;
  size_t part_bytes; /* of scratch, behind what its buffer says, for each part but the first */
  int nbuffer;
  fg_arg_buffer buffer[64];
  int nparam;
  int nlaunch; /* 0 for C */
  fg_launch *launch;
} fg_artifact;

/* Place of buffer i; i = nbuffer: number of slots. */
int fg_artifact_slot(const fg_artifact *a, int i);
/* A call wants nothing but an input and an output, each in one slot. */
bool fg_artifact_is_direct(const fg_artifact *a);

typedef struct fg_call { /* one execution, or many of the same */
  void *const *slot;     /* host pointers; those of WORK and TABLE are ignored (the module has its own).
                          * In place: the slots of IN and OUT hold the same pointer. */
  const size_t *bytes;   /* of each slot, where less than the artifact says (run-time parameters); NULL: as there */
  const int64_t *params; /* run-time parameters */
  void *const *given;    /* other operands than the artifact's for its GIVEN buffers, in their order, where the slots
                          * are, too; NULL: those */
  bool resident;         /* slots are memory of the device's own (fg_resident_memory): nothing is copied */
} fg_call;
#endif
