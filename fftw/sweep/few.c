/* See few.h. The numbers are where one way becomes as fast as the other, as measured on a Xeon with AVX-512. */
#include "fftw/sweep/few.h"

/* Two lines, which codelets of several have half a vector for. */
static bool is_pair(const fg_step *s) { return FG_FFTW_SINGLE && fg_step_inner(s).n == 2; }

bool fg_few_take_alone(const fg_step *s) {
  const fg_line *l = s->line;
  return l->alone && fg_line_type_is_complex(l->type) && !s->shared && !s->split_in && !s->split_out &&
         s->dim.is == 2 && s->dim.os == 2 && l->n > FG_STEP_ALONE && s->vectors == 1 && l->scratch <= FG_STEP_SHORT &&
         (!l->rows || fg_step_inner(s).n < (l->rows_least ? l->rows_least
                                            : is_pair(s)  ? 2
                                                          : FG_STEP_LANES / 2));
}

/* Complex rows that are worth a vector, of which half may be empty. */
static int64_t rows_least(const fg_step *s) {
  int64_t n = s->line->n;
  if (s->shared) return n <= 4 && !(is_pair(s) && s->rows_in) ? FG_STEP_LANES / 2 : 0;
  if (n == 2) return FG_FFTW_SINGLE ? 4 : 2;
  return n <= 8 && !is_pair(s) ? FG_STEP_LANES / 2 : 0;
}

/* Real rows or columns that are worth copies, or transpositions of vectors of which half is empty. */
static int64_t reals_least(const fg_step *s) {
  enum { NUMBERS = 320 }; /* of all rows in place */
  int64_t n = s->line->n;
  if (s->codelet) return FG_STEP_LANES;
  if (s->shared) return n <= 3 ? INT64_MAX : NUMBERS / n;
  return n == 2 ? 40 : 2 * FG_STEP_LANES;
}

/* Lines of reals that are halved: n/2 complex numbers have vectors. */
static bool is_halved_line(const fg_step *s) {
  bool r2c = s->line->type == FG_LINE_R2C;
  return s->line->several && !s->shared && s->dim.is == (r2c ? 1 : 2) && s->dim.os == (r2c ? 2 : 1);
}

bool fg_few_take_each(fg_step *s, bool vectors) {
  enum { REALS = 32, PAIRS = 16 };                          /* lines, beyond which copies are worth while */
  enum { SHORTEST = 8, INSIDE = FG_FFTW_SINGLE ? 16 : 32 }; /* points of reals that are never copied; in place */
  if (!fg_each_find(&s->each, s->line->type, s->line->n, s->dim.is, s->dim.os)) return false;
  s->each.walk.count = fg_step_inner(s).n, s->each.walk.id = fg_step_inner(s).is, s->each.walk.od = fg_step_inner(s).os;
  if (s->line->type >= FG_LINE_R2HC) return true;
  bool complex = fg_line_type_is_complex(s->line->type);
  if (fg_few_take_alone(s) || s->alone_in) return false;
  /* Copies take as long as some lines do; rows are transposed, which does not pay for a second vector that is half
   * empty. */
  if (vectors && fg_step_inner(s).n > 1 && complex) return fg_step_inner(s).n < rows_least(s) && !s->codelet;
  if (vectors && fg_step_inner(s).n > 1) return fg_step_inner(s).n < reals_least(s);
  if (!complex && (s->line->n <= SHORTEST || (s->shared && s->line->n <= INSIDE))) return true;
  if (!complex && is_halved_line(s)) return false;
  int64_t all = 1;
  for (int i = 0; i < s->vectors; i++) all *= s->vector[i].n;
  return all <= (complex ? PAIRS : REALS);
}
