/* What was found of a problem; shared by the foreground and the background. */
#ifndef FG_FFTW_KERNEL_FOUND_H
#define FG_FFTW_KERNEL_FOUND_H
#include "fftw/kernel/kernel.h"
#include "fftw/kernel/problem.h"

/* Longer problems are the codelets': what a kernel of theirs takes to be proved and compiled is no longer little. */
enum { FG_KERNEL_MOST_POINTS = 1 << 24 };

struct fg_kernel {
  fftgen_plan *plan; /* NULL: codelets are better */
  int threads;
  fg_kernel_effort effort;
  int users;
  fg_kernel *next; /* of its bucket */
  char text[];
};

/* With a user more; NULL: nothing, or of a lower effort. */
fg_kernel *fg_kernel_found(const char *text, int threads, fg_kernel_effort effort);
/* Makes, compares, keeps; with a user more. NULL: there is no memory. */
fg_kernel *fg_kernel_find_out(const fg_kernel_library *l, const char *text, const fg_kernel_order *o);
/* The same kernel, or NULL, and a user less, where it says that codelets are better. */
fg_kernel *fg_kernel_or_codelets(fg_kernel *k);
#endif
