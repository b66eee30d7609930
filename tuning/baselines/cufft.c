/* cuFFT on the GPU of the device "cuda", without its headers: its functions are loaded from libcufft on demand. */
#include "targets/library.h"
#include "tuning/baselines/on_cuda.h"
#include <pthread.h>
#include <stdio.h>

/* Numbers of the library's interface. */
enum { SUCCESS = 0, R2C = 0x2a, C2R = 0x2c, C2C = 0x29, D2Z = 0x6a, Z2D = 0x6c, Z2Z = 0x69 };
typedef int plan_ref;

/* clang-format off */
#define FUNCTIONS(F)                                                                           \
  F(create, cufftCreate, (plan_ref *plan))                                                     \
  F(make, cufftMakePlanMany64,                                                                 \
    (plan_ref plan, int rank, long long *n, long long *in, long long is, long long id,         \
     long long *out, long long os, long long od, int type, long long batch, size_t *scratch))  \
  F(set_stream, cufftSetStream, (plan_ref plan, fg_cu_stream_ref stream))                      \
  F(c2c, cufftExecC2C, (plan_ref plan, void *in, void *out, int sign))                         \
  F(z2z, cufftExecZ2Z, (plan_ref plan, void *in, void *out, int sign))                         \
  F(r2c, cufftExecR2C, (plan_ref plan, void *in, void *out))                                   \
  F(d2z, cufftExecD2Z, (plan_ref plan, void *in, void *out))                                   \
  F(c2r, cufftExecC2R, (plan_ref plan, void *in, void *out))                                   \
  F(z2d, cufftExecZ2D, (plan_ref plan, void *in, void *out))                                   \
  F(destroy, cufftDestroy, (plan_ref plan))
/* clang-format on */

static struct api { FUNCTIONS(FG_API_FIELD) } api;

static const fg_symbol symbols[] = {FUNCTIONS(FG_API_SYMBOL)};

static pthread_once_t once = PTHREAD_ONCE_INIT;
static char problem[FG_WHY_SIZE];

static void load(void) {
  static const char *const names[] = {"libcufft.so.12", "libcufft.so.11", "libcufft.so",
                                      "/usr/local/cuda/lib64/libcufft.so"};
  void *library = fg_library_open(names, sizeof names / sizeof *names);
  if (!library) snprintf(problem, sizeof problem, "no cuFFT on this machine (libcufft.so)");
  const char *missing = library ? fg_library_find(library, symbols, sizeof symbols / sizeof *symbols, &api) : NULL;
  if (missing) snprintf(problem, sizeof problem, "libcufft lacks %s", missing);
}

static const char *absent(void) {
  pthread_once(&once, load);
  return *problem ? problem : NULL;
}

static const char *refused(const fg_rival_shape *s, bool in_place) {
  return in_place && s->kind != FG_C2C ? "asked for reals out of place only" : NULL;
}

static int type_of(const fg_rival_shape *s) {
  if (s->kind == FG_C2C) return s->is_double ? Z2Z : C2C;
  if (s->kind == FG_R2C) return s->is_double ? D2Z : R2C;
  return s->is_double ? Z2D : C2R;
}

/* Its plan is a number, one more of which is kept, since NULL is none. */
static plan_ref number_of(const fg_rival_cuda_plan *x) { return (plan_ref)((intptr_t)x->own - 1); }

static int plan(fg_rival_cuda_plan *x) {
  const fg_rival_shape *s = &x->shape;
  long long n[3];
  size_t scratch;
  plan_ref made;
  for (int i = 0; i < s->rank; i++) n[i] = s->n[i];
  int status = api.create(&made);
  if (status != SUCCESS) return status;
  x->own = (void *)((intptr_t)made + 1);
  /* without embedding lengths: one behind the other */
  status = api.make(made, s->rank, n, NULL, 1, 0, NULL, 1, 0, type_of(s), s->batch, &scratch);
  return status == SUCCESS ? api.set_stream(made, x->stream) : status;
}

static int launch(const fg_rival_cuda_plan *x) {
  bool twice = x->shape.is_double;
  plan_ref it = number_of(x);
  if (x->shape.kind == FG_C2C) return (twice ? api.z2z : api.c2c)(it, x->in, x->out, x->sign);
  if (x->shape.kind == FG_R2C) return (twice ? api.d2z : api.r2c)(it, x->in, x->out);
  return (twice ? api.z2d : api.c2r)(it, x->in, x->out);
}

static void drop(fg_rival_cuda_plan *x) { api.destroy(number_of(x)); }

static const fg_rival_cuda_library cufft = {"cuFFT", absent, refused, plan, launch, drop};

static int create(const fg_problem *p, const int64_t *params, fg_effort effort, fg_module **out,
                  char why[FG_WHY_SIZE]) {
  (void)effort;
  return fg_rival_cuda_create(&cufft, p, params, out, why);
}

const fg_rival fg_rival_cufft = {"cuFFT", "cuda", create, &fg_rival_cuda};
