/* A call of the text over a field, for text_arrays.c and text_call.c. */
#ifndef FG_PROVE_TEXT_CALL_PARTS_H
#define FG_PROVE_TEXT_CALL_PARTS_H
#include "generator/prove/sparse.h"
#include "generator/prove/text.h"

typedef struct fg_proof_text_array {
  fg_gf *at, *before; /* elements; a copy of them and their guards */
  int64_t count;
  int64_t first, last; /* of those, so many at the ends alone are there; 0: all */
} fg_proof_text_array;

typedef struct fg_proof_text_call {
  fg_context *cx;
  fg_proof_text_array table[FG_MAX_BUFFERS]; /* of code */
  const fg_proof_text *text;
  const int64_t *params;
  fg_text_proof *out;
  const fg_proof_text_functions *run;
  bool first, in_parts;
  int ends;        /* of a batch so many transforms at either end alone; 0: all */
  int64_t guard;   /* elements before and after each array */
  int64_t edge[2]; /* transforms at the ends that arrays have alone; 0: all */
  fg_sparse *sparse;
  int nslot;
  fg_proof_text_array array[2 * FG_MAX_BUFFERS];
  void *slot[2 * FG_MAX_BUFFERS];
  fg_proof_text_array in[2], result[2]; /* two parts when split */
  bool *own[2];                         /* elements of the result */
} fg_proof_text_call;

bool fg_proof_text_fail(fg_proof_text_call *c, const char *what); /* the first one is kept; returns false */
fg_proof_text_array fg_proof_text_new_array(fg_proof_text_call *c, int64_t count, uint64_t *random);
fg_status fg_proof_text_fill_table(fg_proof_text_call *c, int table, fg_proof_text_array *a);
/* The artifact's, as slots, with copies of what must not change; tables that are no slots. */
fg_status fg_proof_text_make_arrays(fg_proof_text_call *c);
fg_status fg_proof_text_make_tables(fg_proof_text_call *c);
/* Where a part of an element is. */
fg_gf *fg_proof_text_part(const fg_buffer *b, const fg_proof_text_array *a, int64_t e, int part);
int64_t fg_proof_text_call_reals(const fg_proof_text_call *c, bool output); /* of the caller's array */
#endif
