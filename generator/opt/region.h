/* Statements of a stage that is being recorded, and what each needs of the others. */
#ifndef FG_OPT_REGION_H
#define FG_OPT_REGION_H
#include "generator/text/recorder.h"

/* What computes a value; of an expression that has several operations, the last of these. */
typedef enum fg_unit {
  FG_UNIT_NONE,
  FG_UNIT_SUM,
  FG_UNIT_PRODUCT,
  FG_UNIT_FUSED,
  FG_UNIT_EXCHANGE,
  FG_UNIT_LOAD
} fg_unit;

typedef struct fg_statement {
  int32_t number; /* of its instruction */
  fg_code_op op;
  fg_unit unit;
  bool vector;            /* names a vector */
  bool reads;             /* memory */
  int noperand, *operand; /* statements of the region whose values it uses, rising, each once */
  int nother, *other;     /* instructions before the region that are called by a name, the same */
} fg_statement;

typedef struct fg_region {
  fg_coder *c;
  int32_t from; /* position; the region ends where the recorder is */
  int count;
  fg_statement *s;
} fg_region;

fg_region fg_region_of(fg_coder *c, int32_t from);

/* Instructions of statements in a new order, each with what it alone computes before it. Statements that are missing
 * are gone; a number that is new in it has nothing before it. */
void fg_region_order(const fg_region *r, const int32_t *number, int count);

/* A statement again, or an expression, with other values in place of some: map[number], -1: the same. Not placed. */
int32_t fg_region_copy(fg_coder *c, int32_t number, const int32_t *map);
/* What it needs that has no name, then itself, behind what is placed already. */
void fg_region_place(fg_coder *c, int32_t number);
#endif
