/* Spellings for numbers in memory of another type than the arithmetic. */
#ifndef FG_TARGETS_FORMS_STORAGE_H
#define FG_TARGETS_FORMS_STORAGE_H

/* Numbers of an array that are of another type than those computed with: how they
 * are read and written. Conversion to narrower types rounds to nearest even, and
 * to the nearest whole number that there is. */
typedef struct fg_storage_row {
  int stored;              /* fg_precision: f16, bf16, f32, u8, i16 */
  const char *type;        /* in memory; NULL ends the table */
  const char *preamble[2]; /* functions that loads, stores call; NULL: none */
  const char *rounds;      /* NULL, or what stores on machines that have an instruction for it */
  const char *load;        /* the number at the lvalue %v, of space %S */
  const char *store;       /* statement: %a to the lvalue %v */
  const char *pair_load,
      *pair_store; /* at the pointer %p of space %S: a pair %P; statement with %v. NULL: part by part */
  const char *two, *two_load, *two_make, *two_store; /* a pair in one word, as it is in memory: type; at %p; of %a and
                                                      * %b; statement: the pair %v to %p. NULL: no such word */
  const char *send; /* statement: the pair %v to place %p of another block, whose mbarrier is %i; NULL: none */
  const char *vtypes, *vpreamble[2]; /* per number of lanes: types of both; functions of loads, stores */
  const char *vload, *vstore;        /* as the dialect's; NULL: lane by lane */
} fg_storage_row;
#endif
