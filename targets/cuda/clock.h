/* A stream and the GPU's own clock: launches by any caller are timed the same way. */
#ifndef FG_CUDA_CLOCK_H
#define FG_CUDA_CLOCK_H
#include "targets/cuda/driver_api.h"

typedef struct fg_cuda_clock {
  const fg_cu_api *cu;
  fg_cu_stream_ref stream;
  fg_cu_event_ref begin, end;
} fg_cuda_clock;

typedef struct fg_cuda_work { /* one execution, launched on the clock's stream */
  int (*launch)(void *context, char why[FG_WHY_SIZE]);
  void *context;
} fg_cuda_work;

/* In the context that is current, as all of these. */
int fg_cuda_clock_create(fg_cuda_clock *c, const fg_cu_api *cu, char why[FG_WHY_SIZE]);
void fg_cuda_clock_destroy(fg_cuda_clock *c);
/* As fg_device's time and sample; data is on the GPU already. */
int fg_cuda_clock_time(const fg_cuda_clock *c, const fg_cuda_work *w, double seconds, double *ns,
                       char why[FG_WHY_SIZE]);
int fg_cuda_clock_sample(const fg_cuda_clock *c, const fg_cuda_work *w, fg_samples *s, char why[FG_WHY_SIZE]);

#endif
