/* A plug-in for GPU benchmarks without a generator in it: emitted kernels, compiled beforehand (gpu_bundle.sh), with
 * their emitted launchers. In: kernels.def, lines KERNEL(name, "dims", batch, precision, kind); dims as in 256x256,
 * batch 0: any, the others as in gpu.h. */
#include "tuning/contender/gpu.h"
#include <cuda.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define KERNEL(name, dims, batch, precision, kind)                                                                     \
  extern const char name##_image[];                                                                                    \
  void *name##_create(const void *image, CUresult *status);                                                            \
  CUresult name##_enqueue(const void *, const CUdeviceptr *, const CUdeviceptr *, const long long *, CUstream);        \
  void name##_destroy(void *);
#include "kernels.def"
#undef KERNEL

static const struct kernel {
  const char *name, *dims;
  long long batch;
  int precision, kind;
  const char *image;
  void *(*create)(const void *, CUresult *);
  CUresult (*enqueue)(const void *, const CUdeviceptr *, const CUdeviceptr *, const long long *, CUstream);
  void (*destroy)(void *);
} kernels[] = {
#define KERNEL(name, dims, batch, precision, kind)                                                                     \
  {#name, dims, batch, precision, kind, name##_image, name##_create, name##_enqueue, name##_destroy},
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

static const struct kernel *find(const char *dims, long long batch, int precision, int kind) {
  for (size_t i = 0; i < sizeof kernels / sizeof *kernels; i++) {
    const struct kernel *k = &kernels[i];
    if (!strcmp(k->dims, dims) && (!k->batch || k->batch == batch) && k->precision == precision && k->kind == kind)
      return k;
  }
  return NULL;
}

void *fftc_plan(int rank, const long long *n, long long batch, int precision, int kind, int in_place) {
  CUresult status = CUDA_SUCCESS;
  char dims[96] = "";
  for (int i = 0, used = 0; i < rank && used < (int)sizeof dims; i++)
    used += snprintf(dims + used, sizeof dims - (size_t)used, "%s%lld", i ? "x" : "", n[i]);
  const struct kernel *k = in_place ? NULL : find(dims, batch, precision, kind);
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
