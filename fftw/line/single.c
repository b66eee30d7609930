/* One codelet, or for one point a copy.
 *
 * Rows fill vectors with neighbours. A long row that is alone has none: it goes by a leaf pass and a twiddle pass,
 * whose columns fill them. */
#include "fftw/line/method.h"
#include <string.h>

enum { LONG = FG_FFTW_SINGLE ? 32 : 1 << 10 }; /* points: doubles fill half a vector each */

static bool applies(fg_line_type type, int64_t n) {
  return fg_line_type_is_complex(type) && (n == 1 || fg_codelets_find(n));
}

/* The largest factor that is not over the root of n. */
static int64_t factor(int64_t n) {
  int64_t r = 1;
  for (int64_t f = 2; f * f <= n; f++)
    if (n % f == 0) r = f;
  return r;
}

static bool create(fg_line *l) {
  static const fg_codelets copy; /* n = 1 has no codelet: its functions are not called */
  l->codelets = l->n == 1 ? &copy : fg_codelets_find(l->n);
  l->flops = (fg_flops){.add = l->codelets->add, .fma = l->codelets->fma};
  int64_t r = l->n < LONG ? 1 : factor(l->n);
  if (r == 1 || !fg_codelets_find(r) || !fg_codelets_find(l->n / r)) return true;
  fg_pass *p = &l->pass[l->npass++];
  *p = (fg_pass){.codelets = fg_codelets_find(r), .columns = l->n / r};
  p->factors = fg_twiddles_get(r, l->n / r, 1, fg_line_direction(l->type));
  return p->factors != NULL;
}

static void run(const fg_line *l, const fg_real *in, fg_real *out, fg_real *work) {
  (void)work;
  fg_direction direction = fg_line_direction(l->type);
  if (l->n == 1) {
    memcpy(out, in, sizeof(fg_complex));
  } else if (l->npass) {
    const fg_pass *p = &l->pass[0];
    fg_codelets_find(p->columns)->leaf[direction](in, out, p->codelets->n, p->codelets->n, p->columns);
    p->codelets->twiddle[direction](out, p->factors->number, p->columns, p->columns);
  } else {
    l->codelets->rows[direction](in, out, 1, l->n, l->n);
  }
}

const fg_line_method fg_line_single = {"codelet", applies, create, NULL, run};
