/* The table of codelets: radices.def, with the names that cmake/fftw.cmake gives to what it generates. */
#include "fftw/codelet/codelet.h"

#ifdef FG_FFTW_CODELETS_FORWARD /* not where this file is read alone */
#include FG_FFTW_CODELETS_BACKWARD
#include FG_FFTW_CODELETS_FORWARD
#include FG_FFTW_CODELETS_ALONE
#endif
#pragma GCC diagnostic error "-Wincompatible-pointer-types" /* a codelet that takes something else */

/* Of a form that is alone, some lengths take scratch and some do not. */
typedef void (*without)(const fg_real *in, fg_real *out);

static inline void call_without(without codelet, const fg_real *in, fg_real *out, fg_real *scratch) {
  (void)scratch;
  codelet(in, out);
}

static inline void call_with(fg_codelet_alone codelet, const fg_real *in, fg_real *out, fg_real *scratch) {
  codelet(in, out, scratch);
}

#define CALL(name)                                                                                                     \
  static void call_##name(const fg_real *in, fg_real *out, fg_real *scratch) {                                         \
    _Generic(&name, without : call_without, fg_codelet_alone : call_with)(&name, in, out, scratch);                    \
  }
#define CALLS(form, n) CALL(form##n##_forward) CALL(form##n##_backward)
#define SHORT(n, adds, fmas) CALLS(alone, n) CALLS(real, n)
#define RADIX(n, adds, fmas) CALLS(alone, n) CALLS(real, n)
#define LONG(n, adds, fmas) CALLS(alone, n)
#define WHOLE(n, adds, fmas) CALLS(alone, n) CALLS(real, n)
#define COMPLEX(n, adds, fmas) CALLS(alone, n)
#include "fftw/codelet/radices.def"
#undef SHORT
#undef RADIX
#undef LONG
#undef WHOLE
#undef COMPLEX

#define LARGER(a, b) ((a) > (b) ? (a) : (b))
#define BYTES(form, n) LARGER(form##n##_FORWARD_SCRATCH_BYTES, form##n##_BACKWARD_SCRATCH_BYTES)
#define PAIR(form, n)                                                                                                  \
  { form##n##_forward, form##n##_backward }
#define BOTH(form, n) .form = PAIR(form, n)
#define ALONE(n, adds, fmas) n, adds, fmas, .alone = PAIR(call_alone, n)
#define REAL(n) .real = PAIR(call_real, n), .scratch = LARGER(BYTES(ALONE, n), BYTES(REAL, n))
#define PASSES(n) BOTH(columns, n), BOTH(leaf, n), BOTH(twiddle, n)
#define SHORT(n, adds, fmas) {ALONE(n, adds, fmas), REAL(n), PASSES(n), BOTH(rows, n)},
#define RADIX(n, adds, fmas) {ALONE(n, adds, fmas), REAL(n), PASSES(n)},
#define LONG(n, adds, fmas) {ALONE(n, adds, fmas), .scratch = BYTES(ALONE, n), BOTH(columns, n), BOTH(leaf, n)},
#define WHOLE(n, adds, fmas) {ALONE(n, adds, fmas), REAL(n)},
#define COMPLEX(n, adds, fmas) {ALONE(n, adds, fmas), .scratch = BYTES(ALONE, n)},
static const fg_codelets table[] = {
#include "fftw/codelet/radices.def"
    {0}};

const fg_codelets *fg_codelets_table(void) { return table; }

const fg_codelets *fg_codelets_find(int64_t n) {
  for (const fg_codelets *c = table; c->n; c++)
    if (c->n == n) return c;
  return NULL;
}
