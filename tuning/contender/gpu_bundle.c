/* A plug-in for GPU benchmarks without a generator in it: emitted kernels, made
 * into machine code beforehand (gpu_bundle.sh), with their emitted launchers. In:
 * kernels.def, lines KERNEL(name, double, points, batch, forward); batch 0: any. */
#include "tuning/contender/gpu.h"
#include <cuda.h>
#include <stdio.h>
#include <stdlib.h>

#define KERNEL(name, is_double, points, batch, forward)                                                                \
  extern const char name##_image[];                                                                                    \
  void *name##_create(const void *image, CUresult *status);                                                            \
  CUresult name##_enqueue(const void *, const CUdeviceptr *, const CUdeviceptr *, const long long *, CUstream);        \
  void name##_destroy(void *);
#include "kernels.def"
#undef KERNEL

static const struct kernel {
  const char *name;
  int is_double, forward;
  long long points, batch;
  const char *image;
  void *(*create)(const void *, CUresult *);
  CUresult (*enqueue)(const void *, const CUdeviceptr *, const CUdeviceptr *, const long long *, CUstream);
  void (*destroy)(void *);
} kernels[] = {
#define KERNEL(name, is_double, points, batch, forward)                                                                \
  {#name, is_double, forward, points, batch, name##_image, name##_create, name##_enqueue, name##_destroy},
#include "kernels.def"
#undef KERNEL
};

typedef struct bundle_plan {
  const struct kernel *kernel;
  void *plan;
  long long batch;
} bundle_plan;

int fftc_abi(void) { return FFTC_ABI; }

const char *fftc_name(void) { return BUNDLE_NAME; }

static const struct kernel *find(long long points, long long batch, int is_double, int forward) {
  for (size_t i = 0; i < sizeof kernels / sizeof *kernels; i++) {
    const struct kernel *k = &kernels[i];
    if (k->points == points && (!k->batch || k->batch == batch) && k->is_double == is_double && k->forward == forward)
      return k;
  }
  return NULL;
}

void *fftc_plan(int rank, const long long *n, long long batch, int precision, int kind, int in_place) {
  CUresult status = CUDA_SUCCESS;
  if (rank != 1 || in_place || (precision != FFTC_SINGLE && precision != FFTC_DOUBLE) || kind > FFTC_BACKWARD)
    return NULL;
  const struct kernel *k = find(n[0], batch, precision == FFTC_DOUBLE, kind == FFTC_FORWARD);
  bundle_plan *p = k ? calloc(1, sizeof *p) : NULL;
  if (!p) return NULL;
  p->kernel = k, p->batch = batch;
  p->plan = k->create(k->image, &status);
  if (p->plan) return p;
  fprintf(stderr, "%s: %s: CUDA error %d\n", fftc_name(), k->name, (int)status);
  free(p);
  return NULL;
}

int fftc_execute(void *plan, void *in, void *out, void *aux, void *stream) {
  const bundle_plan *p = plan;
  const CUdeviceptr from = (CUdeviceptr)in, to = (CUdeviceptr)out;
  (void)aux;
  return p->kernel->enqueue(p->plan, &from, &to, &p->batch, stream) != CUDA_SUCCESS;
}

void fftc_destroy(void *plan) {
  bundle_plan *p = plan;
  if (!p) return;
  p->kernel->destroy(p->plan);
  free(p);
}
