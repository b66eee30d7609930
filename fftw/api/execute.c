/* Execution, on the arrays of the plan or on others at the same distances from each other, at any alignment. */
#include "fftw/api/foreign.h"

/* A run fails where memory does; then, as everywhere in FFTW, nothing can be said. */
static void run(X(plan) p, fg_array in, fg_array out) {
  if (p->kernel)
    fg_kernel_run(p->kernel, in, out);
  else
    fg_transform_run(p->transform, in, out);
}

FG_PUBLIC void X(execute)(X(plan) p) {
  FG_FOREIGN_FORWARD(p, execute, p);
  run(p, p->in, p->out);
}

FG_PUBLIC void X(execute_dft)(X(plan) p, fg_api_complex *in, fg_api_complex *out) {
  FG_FOREIGN_FORWARD(p, execute_dft, p, in, out);
  run(p, fg_array_pairs(in), fg_array_pairs(out));
}

FG_PUBLIC void X(execute_split_dft)(X(plan) p, fg_real *ri, fg_real *ii, fg_real *ro, fg_real *io) {
  FG_FOREIGN_FORWARD(p, execute_split_dft, p, ri, ii, ro, io);
  run(p, fg_array_split(ri, ii), fg_array_split(ro, io));
}

FG_PUBLIC void X(execute_dft_r2c)(X(plan) p, fg_real *in, fg_api_complex *out) {
  FG_FOREIGN_FORWARD(p, execute_dft_r2c, p, in, out);
  run(p, fg_array_reals(in), fg_array_pairs(out));
}

FG_PUBLIC void X(execute_dft_c2r)(X(plan) p, fg_api_complex *in, fg_real *out) {
  FG_FOREIGN_FORWARD(p, execute_dft_c2r, p, in, out);
  run(p, fg_array_pairs(in), fg_array_reals(out));
}

FG_PUBLIC void X(execute_split_dft_r2c)(X(plan) p, fg_real *in, fg_real *ro, fg_real *io) {
  FG_FOREIGN_FORWARD(p, execute_split_dft_r2c, p, in, ro, io);
  run(p, fg_array_reals(in), fg_array_split(ro, io));
}

FG_PUBLIC void X(execute_split_dft_c2r)(X(plan) p, fg_real *ri, fg_real *ii, fg_real *out) {
  FG_FOREIGN_FORWARD(p, execute_split_dft_c2r, p, ri, ii, out);
  run(p, fg_array_split(ri, ii), fg_array_reals(out));
}

FG_PUBLIC void X(execute_r2r)(X(plan) p, fg_real *in, fg_real *out) {
  FG_FOREIGN_FORWARD(p, execute_r2r, p, in, out);
  run(p, fg_array_reals(in), fg_array_reals(out));
}
