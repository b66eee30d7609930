/* One codelet, or for one point a copy. */
#include "fftw/line/method.h"
#include <string.h>

static bool applies(fg_line_type type, int64_t n) {
  return fg_line_type_is_complex(type) && (n == 1 || fg_codelets_find(n));
}

static bool create(fg_line *l) {
  static const fg_codelets copy; /* n = 1 has no codelet: its functions are not called */
  l->codelets = l->n == 1 ? &copy : fg_codelets_find(l->n);
  l->flops = (fg_flops){.add = l->codelets->add, .fma = l->codelets->fma};
  return true;
}

static void run(const fg_line *l, const fg_real *in, fg_real *out, fg_real *work) {
  (void)work;
  if (l->n == 1)
    memcpy(out, in, sizeof(fg_complex));
  else
    l->codelets->rows[fg_line_direction(l->type)](in, out, 1, l->n, l->n);
}

const fg_line_method fg_line_single = {"codelet", applies, create, NULL, run};
