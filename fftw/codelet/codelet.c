/* The table of codelets: radices.def, with the names that cmake/fftw.cmake gives to what it generates. */
#include "fftw/codelet/codelet.h"

#ifdef FG_FFTW_CODELETS_FORWARD /* not where this file is read alone */
#include FG_FFTW_CODELETS_BACKWARD
#include FG_FFTW_CODELETS_FORWARD
#endif
#pragma GCC diagnostic error "-Wincompatible-pointer-types" /* a codelet that takes something else */

#define BOTH(form, n) .form = {form##n##_forward, form##n##_backward}
#define ALL(n, adds, fmas) n, adds, fmas, BOTH(rows, n), BOTH(columns, n), BOTH(leaf, n)
#define LONG(n, adds, fmas) {ALL(n, adds, fmas)},
#define RADIX(n, adds, fmas) {ALL(n, adds, fmas), BOTH(twiddle, n)},
static const fg_codelets table[] = {
#include "fftw/codelet/radices.def"
    {0}};

const fg_codelets *fg_codelets_table(void) { return table; }

const fg_codelets *fg_codelets_find(int64_t n) {
  for (const fg_codelets *c = table; c->n; c++)
    if (c->n == n) return c;
  return NULL;
}
