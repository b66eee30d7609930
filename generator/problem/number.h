/* A number that is known now, or when a kernel is called: a constant, or a function of one run-time parameter. */
#ifndef FG_PROBLEM_NUMBER_H
#define FG_PROBLEM_NUMBER_H
#include <stdbool.h>
#include <stdint.h>

/* A number known now, or at run time: n * f(parameter). The forms with div serve
 * vector loops over a run-time count: p / div full vectors, p % div left over. */
typedef enum fg_num_form {
  FG_NUM_CONST, /* n */
  FG_NUM_PARAM, /* n * p */
  FG_NUM_QUOT,  /* n * (p / div) */
  FG_NUM_REM,   /* n * (p % div) */
  FG_NUM_FLOOR, /* n * (p - p % div) */
  FG_NUM_CEIL,  /* n * ((p + div - 1) / div) */
} fg_num_form;

typedef struct fg_num {
  int64_t n;
  fg_num_form form;
  int16_t param; /* index into fg_problem.param; unused for FG_NUM_CONST */
  int64_t div;   /* for QUOT, REM, FLOOR, CEIL */
} fg_num;

fg_num fg_num_const(int64_t n);
int64_t fg_num_value(fg_num x, const int64_t *params);
bool fg_num_is(fg_num x, int64_t value);              /* a constant with this value */
static inline bool fg_num_equal(fg_num a, fg_num b) { /* whatever the parameters are */
  return a.n == b.n && a.form == b.form && (a.form == FG_NUM_CONST || a.param == b.param);
}
fg_num fg_num_scaled(fg_num x, int64_t factor);
#endif
