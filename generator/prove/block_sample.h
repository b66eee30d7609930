/* Inside the proof: programs so large that values are walked for a sample of their blocks.
 *
 * What blocks load from and store to arrays that they share is known of all of them: a block's addresses are those of
 * block 0, shifted by a sum of its digits (footprints.c; a program where they are anything else is walked in full).
 * Which blocks carry the inputs that are not zero to the outputs that are looked at follows from that
 * (block_sample.c); these are walked, and the outputs compared with a transform in closed form (tensor.c). */
#ifndef FG_PROVE_SAMPLE_H
#define FG_PROVE_SAMPLE_H
#include "generator/prove/build.h"

/* ---- footprints.c ---------------------------------------------------------------- */
typedef struct fg_span { /* elements that follow each other */
  int64_t first, count;
} fg_span;

typedef struct fg_footprint { /* what each block of a kernel loads from, or stores to, one array */
  int memory;                 /* the buffer that owns it; of a table: its buffer */
  bool store, table;
  int64_t coef[FG_MAX_LOOPS]; /* of the values of the kernel's block digits: a block's base */
  int64_t low, high;          /* the least and the greatest element, counted from the base */
  int64_t nspan;
  fg_span *span; /* counted from the base, in rising order, apart from each other; tables have none */
} fg_footprint;

typedef struct fg_footprints { /* of one kernel */
  int64_t blocks;              /* clusters, or tiles of a queue */
  int ndigit;                  /* outer digits that number them, outermost first */
  int16_t digit[FG_MAX_LOOPS];
  int64_t div[FG_MAX_LOOPS], extent[FG_MAX_LOOPS]; /* counter = block / div % extent */
  int npart;
  fg_footprint *part;
  int64_t addresses; /* that one block moves */
} fg_footprints;

/* Of all kernels. NULL: blocks differ in more than their bases; or nothing of that kind is known. */
fg_footprints *fg_footprints_create(fg_context *cx, const fg_program *p, const int64_t *params);
int64_t fg_footprints_base(const fg_program *p, int kernel, const fg_footprints *parts, const fg_footprint *part,
                           int64_t block, const int64_t *params);

/* ---- bits.c ----------------------------------------------------------------- */
typedef struct fg_bits { /* one for each element of an array */
  int64_t count;
  uint64_t *word;
} fg_bits;
fg_bits fg_bits_create(fg_arena *a, int64_t count); /* none is set */
bool fg_bits_any(const fg_bits *b, int64_t first, int64_t count);
bool fg_bits_all(const fg_bits *b, int64_t first, int64_t count);
void fg_bits_put(fg_bits *b, int64_t first, int64_t count, bool value);
static inline bool fg_bits_get(const fg_bits *b, int64_t i) { return b->word[i / 64] >> (i % 64) & 1; }

/* ---- tensor.c --------------------------------------------------------------- */
enum { FG_TENSOR_AXES = 2 * FG_MAX_RANK + 1, FG_TENSOR_FEW = 24 /* chosen indices of an axis, at most */ };

/* Inputs that are products of one number for each axis, most of which are zero along some of them. Axes
 * are the batch's dimensions, then the transform's; a transform of one dimension may be cut in two,
 * n = n1 split + n2, of which the second is an axis of its own. */
typedef struct fg_tensor_form {
  int axes, batch_axes;
  int64_t split;                   /* 0: no dimension is cut */
  int64_t length[FG_TENSOR_AXES];  /* of inputs */
  int64_t results[FG_TENSOR_AXES]; /* of the dimension; of a cut one: of both its axes together, with the first */
  int few[FG_TENSOR_AXES];         /* indices that are not zero; 0: all are not */
  int64_t index[FG_TENSOR_AXES][FG_TENSOR_FEW];
} fg_tensor_form;

typedef struct fg_tensor fg_tensor; /* the same over one field, with its transform */
/* NULL: the field has no root of unity that this needs. */
fg_tensor *fg_tensor_create(fg_context *cx, const fg_problem *q, const fg_tensor_form *form, const fg_field *f,
                            uint64_t seed);
fg_gfc fg_tensor_input(const fg_tensor *t, int64_t element);
fg_gfc fg_tensor_result(const fg_tensor *t, int64_t element);

/* ---- block_sample.c --------------------------------------------------------------- */
struct fg_block_sample {
  const fg_program *p;
  const int64_t *params;
  fg_footprints *parts;    /* by kernel */
  fg_tensor_form form;     /* of the inputs */
  fg_bits *kept;           /* by kernel: blocks whose values are walked */
  fg_bits wanted;          /* outputs that are compared */
  int64_t blocks, walked;  /* of all kernels; of them kept */
  int64_t addresses;       /* of those kept */
  int64_t dense;           /* of those, in blocks that are walked whole, one behind the other */
  int64_t inputs, outputs; /* that are not zero; that are compared */
  int races, out_of_bounds, uninitialised;
  char failure[200]; /* what is wrong with the addresses; "": nothing */
};

/* NULL: nothing would be gained, or the program is none that can be proved so. */
fg_block_sample *fg_block_sample_create(fg_context *cx, const fg_program *p, const int64_t *params, uint64_t seed);
bool fg_block_sample_keeps(const void *sample, int kernel, int64_t block);
/* After a kernel: what blocks that were left out have stored is zero. */
void fg_block_sample_forget(fg_vm *m, int kernel);
/* The outputs that are wanted against those of the definition. */
void fg_block_sample_compare(fg_vm *m);
double fg_block_sample_room(const fg_block_sample *s); /* bytes that its walk takes */
#endif
