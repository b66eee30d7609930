/* Inside text_sample: the cells that the program's sample accesses and stores, and the memory of both samples. */
#ifndef FG_PROVE_TEXT_SAMPLE_MEMORY_H
#define FG_PROVE_TEXT_SAMPLE_MEMORY_H
#include "generator/ir/sample.h"
#include "generator/prove/text.h"

typedef struct fg_sampled_cell { /* a real of an array that the program's sample touches */
  int32_t array;
  uint32_t block; /* LOCAL: whose value it is */
  int64_t at;
  int64_t part; /* LOCAL: reals to the same of the next part; 0: all have one */
  fg_gf initial, value;
  bool local;
} fg_sampled_cell;

typedef struct fg_sampled_store { /* what the program's sample stores, in its order */
  uint32_t cell;
  fg_gf value;
} fg_sampled_store;

typedef struct fg_sampled_stage { /* one stage of one block */
  int stage;                      /* fg_text_stage_number */
  size_t from;                    /* of what is stored */
} fg_sampled_stage;

typedef struct fg_sampled_location { /* where a buffer's root is */
  int array;                         /* -1: nowhere */
  int64_t offset, part;
  bool local;
} fg_sampled_location;

typedef struct fg_sampled_array { /* an array of the text's */
  fg_gf *at;                      /* NULL: not mapped */
  int64_t count;                  /* reals */
  int shared;                     /* in place, of the output: 1 + number of the input's; else 0 */
  bool given;                     /* it was there before, filled */
  fg_gf rest;                     /* where nothing is touched */
  void *map;
  size_t bytes;
} fg_sampled_array;

typedef struct fg_sampled_indices { /* a table of numbers of elements */
  int array;
  int64_t from, to; /* reals, there */
  const int32_t *content;
  size_t bytes;
} fg_sampled_indices;

typedef struct fg_proof_sample { /* one comparison */
  fg_context cx;
  const fg_proof_text *text;
  const fg_proof_text_functions *run;
  const int64_t *params;
  int64_t guard; /* elements before and after each array */
  fg_text_proof *out;
  fg_sample *sample;
  fg_sampled_array array[FG_MAX_ARGUMENT_SLOTS + FG_MAX_BUFFERS];
  int narray, nargument; /* behind the call's arguments: the text's own tables, and scratch that it holds in values */
  int code_table[FG_MAX_BUFFERS]; /* of instructions: the array of each table; -1: of integers, which they have */
  fg_sampled_indices indices[FG_MAX_BUFFERS];
  int nindices;
  int kernel;
  bool ran;
  fg_sampled_location location[FG_MAX_BUFFERS];
  fg_sampled_cell *cell;
  uint32_t ncell, most_cells, *slot, slots; /* slots: a power of two; 0 in slot: empty, else 1 + the cell's number */
  uint32_t block;                           /* that LOCAL memory belongs to */
  fg_gf *in, *tw, *root, *work;             /* scratch: an instance's numbers, factors, what these are products of */
  fg_gf **held;                             /* results of SIMD groups that wait for their stores */
  int nheld, width;                         /* numbers of an instance, at most */
  fg_sampled_store *stored;
  size_t nstored, most_stored;
  fg_sampled_stage *section; /* and one behind the last */
  size_t nsection, most_sections;
  bool renews[FG_MAX_BUFFERS]; /* per kernel: a loop determines where a block begins */
} fg_proof_sample;

/* Memory of the program's sample. Fault: the first one is kept; false. */
bool fg_proof_sample_fail(fg_proof_sample *s, const char *what);
void fg_proof_sample_grow(fg_proof_sample *s); /* room for cells */
/* The contents before the first store. */
fg_gf fg_proof_sample_background(const fg_proof_sample *s, int array, int64_t at);
/* The cell of an array that is an argument; NULL: it is out of bounds. */
fg_sampled_cell *fg_proof_sample_cell(fg_proof_sample *s, int array, int64_t at);
const fg_sampled_cell *fg_proof_sample_find(const fg_proof_sample *s, int array, int64_t at); /* NULL: not touched */
/* A buffer's element: its parts, of which a real one has one. False: it is out of bounds. */
bool fg_proof_sample_touch(fg_proof_sample *s, int buffer, int64_t e, fg_sampled_cell *part[2]);
bool fg_proof_sample_load(fg_proof_sample *s, int buffer, int64_t e, fg_gf *re, fg_gf *im);
#endif
