/* Expressions of load= and store= by chance. */
#ifndef CAMPAIGN_DRAW_EXPRESSION_H
#define CAMPAIGN_DRAW_EXPRESSION_H
#include <stdbool.h>
#include <stdint.h>

typedef struct expression_wish {
  int side, rank;
  bool complex, may_be_real, batches;
  uint64_t state;
} expression_wish;

/* Into text, of 200 bytes. Whether the result is real. */
bool draw_expression(expression_wish *wish, char *text);
#endif
