/* Libraries on the GPU of the device "cuda": arrays there, calls and the GPU's own clock, the same for all of them. A
 * library is the functions below, in a file of its own. */
#ifndef FG_ON_CUDA_H
#define FG_ON_CUDA_H
#include "targets/cuda/driver_api.h"
#include "tuning/baselines/baselines.h"

typedef struct fg_rival_cuda_plan {
  fg_rival_shape shape;
  int sign;
  bool in_place;
  fg_cu_stream_ref stream;
  void *in, *out; /* on the GPU */
  void *own;      /* the library's; NULL: it made no plan */
} fg_rival_cuda_plan;

/* In the context that is current. Functions return a status, 0 or an error of the library. */
typedef struct fg_rival_cuda_library {
  const char *name;
  const char *(*absent)(void);                                    /* loads it once; why it is not here, or NULL */
  const char *(*refused)(const fg_rival_shape *s, bool in_place); /* why it is not asked for that, or NULL */
  int (*plan)(fg_rival_cuda_plan *x);
  int (*launch)(const fg_rival_cuda_plan *x);
  void (*drop)(fg_rival_cuda_plan *x);
} fg_rival_cuda_library;

int fg_rival_cuda_create(const fg_rival_cuda_library *library, const fg_problem *p, const int64_t *params,
                         fg_module **out, char why[FG_WHY_SIZE]);
extern const fg_device fg_rival_cuda; /* run, time, sample, destroy */

#endif
