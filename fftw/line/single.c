/* One codelet, or for one point a copy: complex lines, r2c and c2r. */
#include "fftw/codelet/codelet.h"
#include "fftw/line/method.h"
#include "fftw/line/turned.h"
#include <string.h>

static bool is_back(fg_line_type type) { return type == FG_LINE_BACKWARD || type == FG_LINE_C2R; }

static bool applies(fg_line_type type, int64_t n) {
  const fg_codelets *c = fg_codelets_find(n);
  return n == 1                          ? type <= FG_LINE_C2R
         : fg_line_type_is_complex(type) ? c != NULL
                                         : type <= FG_LINE_C2R && c && c->real[0];
}

static void copy_pair(const fg_real *in, fg_real *out, fg_real *scratch) {
  (void)scratch;
  out[0] = in[0], out[1] = in[1];
}

static void real_to_pair(const fg_real *in, fg_real *out, fg_real *scratch) {
  (void)scratch;
  out[0] = in[0], out[1] = 0;
}

static void pair_to_real(const fg_real *in, fg_real *out, fg_real *scratch) {
  (void)scratch;
  out[0] = in[0];
}

static size_t inputs(const fg_line *l) {
  return (size_t)fg_line_elements(l->type, l->n, false) * (l->type == FG_LINE_R2C ? 1 : 2);
}

static bool create(fg_line *l) {
  bool complex = fg_line_type_is_complex(l->type);
  l->over = inputs(l) + FG_LINE_ALIGN / sizeof(fg_real);
  if (l->n == 1) {
    l->alone = complex ? copy_pair : l->type == FG_LINE_R2C ? real_to_pair : pair_to_real;
    return true;
  }
  const fg_codelets *c = fg_codelets_find(l->n);
  l->alone = (complex ? c->alone : c->real)[is_back(l->type)];
  fg_flops_add(&l->flops, &(fg_flops){.add = c->add, .fma = c->fma}, complex ? 1 : 0.5);
  l->rows = (complex ? c->rows : c->real_rows)[is_back(l->type)];
  if (complex && !l->rows && (l->rows = fg_turned_rows(l->n, fg_line_direction(l->type))))
    l->rows_least = FG_TURNED_LEAST;
  l->scratch = c->scratch;
  l->work = c->scratch ? (c->scratch + FG_LINE_ALIGN) / sizeof(fg_real) : 0;
  return true;
}

static void run(const fg_line *l, const fg_real *in, fg_real *out, fg_real *work) {
  fg_real *scratch = fg_line_aligned(work), *copy = scratch + l->scratch / sizeof(fg_real);
  if (in == out) memcpy(copy, in, sizeof *copy * inputs(l)); /* a copy of results would wait for them */
  l->alone(in == out ? copy : in, out, scratch);
}

const fg_line_method fg_line_single = {"codelet", applies, create, NULL, run};
