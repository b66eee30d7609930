/* Execution, on the arrays of the plan or on others at the same distances from each other, at any alignment. */
#include "fftw/api/foreign.h"

/* A run fails where memory does; then, as everywhere in FFTW, nothing can be said. */
static void run(X(plan) p, fg_array in, fg_array out) {
  if (p->kernel)
    fg_kernel_run(p->kernel, in, out);
  else
    fg_transform_run(p->transform, in, out);
}

/* Another library's plans have a function of their own: that of ours saves no registers for them. */
#define EXECUTE(name, from, to, PARAMETERS, ...)                                                                       \
  static __attribute__((noinline, cold)) void name##_foreign PARAMETERS { FG_FOREIGN_FORWARD(p, name, __VA_ARGS__); }  \
  FG_PUBLIC void X(name) PARAMETERS {                                                                                  \
    if (fg_plan_is_ours(p))                                                                                            \
      run(p, from, to);                                                                                                \
    else                                                                                                               \
      name##_foreign(__VA_ARGS__);                                                                                     \
  }

EXECUTE(execute, p->in, p->out, (X(plan) p), p)
EXECUTE(execute_dft, fg_array_pairs(in), fg_array_pairs(out), (X(plan) p, fg_api_complex *in, fg_api_complex *out), p,
        in, out)
EXECUTE(execute_split_dft, fg_array_split(ri, ii), fg_array_split(ro, io),
        (X(plan) p, fg_real *ri, fg_real *ii, fg_real *ro, fg_real *io), p, ri, ii, ro, io)
EXECUTE(execute_dft_r2c, fg_array_reals(in), fg_array_pairs(out), (X(plan) p, fg_real *in, fg_api_complex *out), p, in,
        out)
EXECUTE(execute_dft_c2r, fg_array_pairs(in), fg_array_reals(out), (X(plan) p, fg_api_complex *in, fg_real *out), p, in,
        out)
EXECUTE(execute_split_dft_r2c, fg_array_reals(in), fg_array_split(ro, io),
        (X(plan) p, fg_real *in, fg_real *ro, fg_real *io), p, in, ro, io)
EXECUTE(execute_split_dft_c2r, fg_array_split(ri, ii), fg_array_reals(out),
        (X(plan) p, fg_real *ri, fg_real *ii, fg_real *out), p, ri, ii, out)
EXECUTE(execute_r2r, fg_array_reals(in), fg_array_reals(out), (X(plan) p, fg_real *in, fg_real *out), p, in, out)
