/* The definition: every output as the sum over all inputs. In: n complex
 * numbers. Out: their DFT. The best for n = 1 and 2; for other small n it is the simplest reference to compare the
 * others with. */
#include "generator/codelet/algo/rows.h"

enum { LIMIT = 8 };

bool fg_direct_applies(int n) { return n >= 1 && n <= LIMIT; }

void fg_direct_build(fg_dag *d, fg_dft dft, const fg_cedge *in, fg_cedge *out) {
  for (int k = 0; k < dft.n; k++) {
    out[k] = in[0];
    for (int j = 1; j < dft.n; j++)
      out[k] = fg_dag_cadd(d, out[k], fg_dag_mul_root(d, in[j], (int64_t)dft.sign * j * k, dft.n));
  }
}
