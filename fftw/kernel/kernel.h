/* Kernels that libfftgen makes of one problem each, in place of a transform by codelets where they are faster.
 *
 * What was found is kept by problem until it is forgotten, and shared by all plans. Whatever libfftgen cannot do costs
 * speed alone: there is no kernel then. */
#ifndef FG_FFTW_KERNEL_H
#define FG_FFTW_KERNEL_H
#include "fftw/sweep/transform.h"

typedef enum fg_kernel_effort {                     /* in the order of FFTW's flags */
                                FG_KERNEL_ESTIMATE, /* one that is kept, or in libfftgen's cache; nothing is compiled or
                                                       measured */
                                FG_KERNEL_MEASURE,  /* the model's best, of long problems a few of them, against the
                                                       codelets */
                                FG_KERNEL_PATIENT,  /* 32 of them, where wisdom has nothing final */
                                FG_KERNEL_EXHAUSTIVE /* the same, with no limit but the caller's */
} fg_kernel_effort;

typedef enum fg_kernel_choice { FG_KERNEL_UNKNOWN, FG_KERNEL_CODELETS, FG_KERNEL_COMPILED } fg_kernel_choice;

typedef struct fg_kernel_order {
  const fg_request *request;
  fg_transform *transform; /* by codelets, of this request */
  fg_kernel_effort effort;
  double seconds;         /* that may pass; below 0: as many as it takes */
  fg_kernel_choice known; /* by wisdom: then nothing is compared */
} fg_kernel_order;

typedef struct fg_kernel fg_kernel;

/* NULL: codelets are faster, or there is no kernel. `found`: what is known now. */
fg_kernel *fg_kernel_get(const fg_kernel_order *o, fg_kernel_choice *found);
void fg_kernel_release(fg_kernel *k); /* NULL does nothing */
void fg_kernel_forget(void);          /* frees what is kept without users */

/* Any number of threads may run one, on arrays at the same distances from each other as those of the request. */
void fg_kernel_run(const fg_kernel *k, fg_array in, fg_array out);
void fg_kernel_print(const fg_kernel *k, void (*put)(void *to, char c), void *to);

/* As fg_kernel_get by MEASURE, but a thread of its own does it, and this call has what is there by now. The order's
 * transform is not used. */
fg_kernel *fg_kernel_later(const fg_kernel_order *o);
#endif
