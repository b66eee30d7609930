/* VkFFT on the GPU of the device "cuda". VkFFT is a header; pyvkfft, a package for Python, brings it as a library with
 * functions of C, which $FFTGEN_VKFFT names. They are those of pyvkfft 2025.1. */
#include "targets/env.h"
#include "targets/library.h"
#include "tuning/baselines/on_cuda.h"
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

enum { DIMENSIONS = 8, AS_IT_LIKES = -1 };

static struct api {
  unsigned (*dimensions)(void);
  void *(*configure)(const long *n, size_t rank, void *in, void *out, void *stream, int scaled, size_t bytes, int real,
                     int cosine, int sine, int keep_order, int register_boost, int table, int keep_text, size_t batch,
                     const long *skipped, int coalesced, int banks, int threads, int bandwidth_boost, int boost_others,
                     int boost_four_step, int warp, const long *grouped, int callbacks);
  void *(*create)(const void *configuration, int *status, size_t *scratch, long *bluestein, long *kernels);
  int (*forward)(void *app, void *in, void *out);
  int (*backward)(void *app, void *in, void *out);
  void (*destroy)(void *app);
  void (*release)(void *configuration);
} api;

static const fg_symbol symbols[] = {
    {"vkfft_max_fft_dimensions", offsetof(struct api, dimensions)},
    {"make_config", offsetof(struct api, configure)},
    {"init_app", offsetof(struct api, create)},
    {"fft", offsetof(struct api, forward)},
    {"ifft", offsetof(struct api, backward)},
    {"free_app", offsetof(struct api, destroy)},
    {"free_config", offsetof(struct api, release)},
};

typedef struct own {
  void *configuration, *app;
} own;

static pthread_once_t once = PTHREAD_ONCE_INIT;
static char problem[FG_WHY_SIZE];

static void load(void) {
  const char *name = fg_env("FFTGEN_VKFFT");
  if (!name || !*name) {
    snprintf(problem, sizeof problem, "no VkFFT: $FFTGEN_VKFFT names pyvkfft's library for CUDA");
    return;
  }
  void *library = fg_library_open(&name, 1);
  if (!library) snprintf(problem, sizeof problem, "$FFTGEN_VKFFT: %.300s does not load", name);
  const char *missing = library ? fg_library_find(library, symbols, sizeof symbols / sizeof *symbols, &api) : NULL;
  if (missing) snprintf(problem, sizeof problem, "$FFTGEN_VKFFT: %.300s lacks %s", name, missing);
  if (!*problem && api.dimensions() > DIMENSIONS)
    snprintf(problem, sizeof problem, "$FFTGEN_VKFFT: %u dimensions; allowed: %d", api.dimensions(), DIMENSIONS);
}

static const char *absent(void) {
  pthread_once(&once, load);
  return *problem ? problem : NULL;
}

static const char *refused(const fg_rival_shape *s, bool in_place) {
  if (s->kind == FG_C2R) return "asked for c2c and r2c only";
  return in_place && s->kind == FG_R2C ? "asked for reals out of place only" : NULL;
}

static void *configuration_of(const fg_rival_cuda_plan *x) {
  const fg_rival_shape *s = &x->shape;
  long n[DIMENSIONS], skipped[DIMENSIONS] = {0}, grouped[DIMENSIONS];
  for (int i = 0; i < DIMENSIONS; i++) {
    n[i] = i < s->rank ? (long)s->n[s->rank - 1 - i] : 1; /* the fastest first */
    grouped[i] = AS_IT_LIKES;
  }
  enum { ANY = AS_IT_LIKES };
  return api.configure(n, (size_t)s->rank, x->in, x->in_place ? NULL : x->out, x->stream, 0,
                       s->is_double ? sizeof(double) : sizeof(float), s->kind == FG_R2C, 0, 0, ANY, ANY, ANY, ANY,
                       (size_t)s->batch, skipped, ANY, ANY, ANY, ANY, ANY, ANY, ANY, grouped, ANY);
}

static void drop(fg_rival_cuda_plan *x) {
  own *mine = x->own;
  if (mine->app) api.destroy(mine->app);
  if (mine->configuration) api.release(mine->configuration);
  free(mine);
}

static int plan(fg_rival_cuda_plan *x) {
  long bluestein[DIMENSIONS], kernels[DIMENSIONS];
  size_t scratch;
  int status = 1;
  own *mine = x->own = calloc(1, sizeof *mine);
  if (!mine) return status;
  mine->configuration = configuration_of(x);
  if (mine->configuration) mine->app = api.create(mine->configuration, &status, &scratch, bluestein, kernels);
  return mine->app ? 0 : status ? status : 1;
}

static int launch(const fg_rival_cuda_plan *x) {
  const own *mine = x->own;
  bool forward = x->shape.kind == FG_R2C || x->sign < 0;
  return (forward ? api.forward : api.backward)(mine->app, x->in, x->out);
}

static const fg_rival_cuda_library vkfft = {"VkFFT", absent, refused, plan, launch, drop};

static int create(const fg_problem *p, const int64_t *params, fg_effort effort, fg_module **out,
                  char why[FG_WHY_SIZE]) {
  (void)effort;
  return fg_rival_cuda_create(&vkfft, p, params, out, why);
}

const fg_rival fg_rival_vkfft = {"VkFFT", "cuda", create, &fg_rival_cuda};
