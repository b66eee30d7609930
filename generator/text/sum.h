/* Sums of products of variables: addresses. */
#ifndef FG_TEXT_SUM_H
#define FG_TEXT_SUM_H
#include "generator/text/emitter.h"

typedef struct fg_sum { /* "2048 * b + 2 * k + 6" */
  const fg_emitter *e;
  fg_uses *uses; /* what it mentions is noted here; NULL: nowhere */
  int64_t constant;
  const char *value; /* handle of all but the constant; NULL: nothing */
} fg_sum;

void fg_sum_add(fg_sum *s, fg_num coef, int64_t factor, const char *variable); /* NULL: 1 */
const char *fg_sum_text(fg_sum *s);
bool fg_sum_is_constant(const fg_sum *s);
#endif
