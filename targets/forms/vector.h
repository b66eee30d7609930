/* Spellings of vectors: loads, stores, shuffles and declarations. */
#ifndef FG_TARGETS_FORMS_VECTOR_H
#define FG_TARGETS_FORMS_VECTOR_H
#include "targets/forms/spell.h"
#include <stdbool.h>

/* Vectors that can be stored past the caches: a row for each width. */
typedef struct fg_stream_row {
  const char *real; /* type of the numbers; NULL ends the table */
  int lanes;
  const char *store; /* of v at p, which is aligned */
} fg_stream_row;

/* Vectors whose neighbours change places as parts of words: a row for each width. */
typedef struct fg_swap_row {
  const char *real; /* type of the numbers; NULL ends the table */
  int lanes;
  const char *word; /* type of the words */
  const char *swap; /* of the variable %a; %W: vectors of words */
} fg_swap_row;

/* Two numbers in a vector of four, the upper ones zero. */
typedef struct fg_padded_form {
  const char *real;                           /* type of the numbers */
  const char *preamble, *load, *store, *swap; /* as the dialect's vector_preamble, vload, vstore; of the variable %a */
  const char *alternate;                      /* %a less %b, %a and %b alternately; both are variables */
} fg_padded_form;

typedef struct fg_vector_form {
  bool possible;        /* else lanes run as loops of scalars */
  const char *macros;   /* where vectors occur, once: as macros; NULL: none */
  const char *preamble; /* per number of lanes */
  const char *op[FG_SPELL_COUNT];
  const char *load, *store;     /* expression; statement with %v */
  const char *set1;             /* all lanes %v */
  const char *unknown;          /* declares %v, a real number that is %i, which compilers do not know; NULL: none can */
  const char *make;             /* lanes from the list %i */
  const char *shuffle;          /* of %a and %b by the list %i */
  const fg_swap_row *swap;      /* of an ISA that has `words`; NULL: shuffles do it */
  const char *swap_type;        /* per row that is used: declaration of %W; %a: its word */
  const fg_padded_form *padded; /* where two numbers are narrower than any vector; NULL: none */
  const char *lane;             /* lane %i of %v */
  const char *join;             /* %a, then %b, both of half as many lanes; %i: numbers of all lanes */
  const fg_stream_row *stream;  /* NULL: no such stores */
  const char *stream_preamble;  /* per row that is used: a function that stream_store calls; %a: its store */
  const char *stream_store;     /* as store; an address that is not aligned is stored to as usual */
  const char *stream_fence;     /* statement after the last */
  const char *part;             /* of the wider %a, the lanes in the list %i: neighbours */
  const char *piece; /* the same of a variable %a, %v: the first lane's number; stores of upper halves take no
                      * shuffle then. NULL: halves are not stored one by one */
  const char *call[FG_CALL_COUNT];
  const char *call_preamble[FG_CALL_COUNT][2]; /* per number of lanes; doubles have the second one, if there is one */
} fg_vector_form;
#endif
