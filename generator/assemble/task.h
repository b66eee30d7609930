/* fg_task: a transform to add, and the steps before and behind it. */
#ifndef FG_ASSEMBLE_TASK_H
#define FG_ASSEMBLE_TASK_H
#include "generator/assemble/builder.h"
#include "generator/assemble/stage_form.h"

/* Element e of transform number k: times w^(e k), w a root of unity of this order. Of a
 * transform of every step-th element, from element `part` on, the same with step e + part. */
typedef struct fg_twiddle_exponents {
  int64_t order, count;      /* k = 0 .. count-1 */
  int64_t first;             /* k where all axes begin */
  fg_num coef[FG_MAX_AXES];  /* k, by the axes in scope */
  int64_t step;              /* 1: of all elements */
  int64_t part[FG_MAX_AXES]; /* 0 .. step-1, likewise */
  bool folded;               /* k counts transforms as a view with a fold of count/2 has them */
} fg_twiddle_exponents;

/* A transform to assemble. */
typedef struct fg_task {
  fg_kind kind;
  int64_t n;
  int sign;
  fg_view in, out;
  const fg_view *at;           /* r2c, c2r: NULL, or scratch for n/2 + 1 numbers, which has the half spectrum */
  bool pairs;                  /* r2c, c2r: the view of the reals is one of complex numbers */
  bool frequency;              /* decimation in frequency: a pass's factors are last, it reads what it would write */
  const struct fg_side *upper; /* NULL, or where a last pass puts the conjugates of its upper outputs (r2c-column) */
  const int64_t *later;        /* NULL, or the radices of the passes behind this one: see fg_build_pass */
  int nlater;
  int64_t inputs;  /* of a convolution's first pass: elements from here on are zero; 0: none */
  int64_t outputs; /* of its last one: elements from here on are not wanted; 0: all are */
  bool skewed;     /* of passes back: neighbouring transforms' scratch begins in different banks */
  const struct fg_twiddle_exponents
      *exponents;          /* NULL, or what input elements are multiplied by first, by roots of unity */
  bool powers;             /* of a stockham task: turns are part of the factors of each pass */
  const fg_view *factors;  /* NULL, or table: the same of all elements but the first; one codelet's work alone */
  const fg_view *multiply; /* NULL, or table: input element e is multiplied by its element e first */
} fg_task;

fg_status fg_build_plan(fg_builder *b, const fg_plan *plan, const fg_task *task);
/* In place, all of it is read before anything is written. */
void fg_build_wait_inside(fg_stage *s);
/* The stages from `first` on share a pass: none touches what another stores. */
void fg_build_wait_once(const fg_builder *b, int first);
#endif
