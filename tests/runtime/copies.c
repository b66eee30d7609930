/* A program with two copies of libfftgen, as when a library of its own brings one: each makes plans, keeps them, and
 * gets its own kernels, out of the cache, too.
 * usage: copies LIBRARY COPY LENGTH [cached]; 0, or it has said what went wrong. cached: all come out of the cache. */
#include <dlfcn.h>
#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The header's functions are those of one library. */
#define FFTGEN_NO_INLINE
#include <fftgen/fftgen.h>

enum { ROUNDS = 8 };

typedef struct copy {
  fftgen_status (*create)(const char *, const fftgen_options *, fftgen_plan **, fftgen_error *);
  fftgen_status (*execute)(const fftgen_plan *, const void *, void *);
  fftgen_status (*info)(const fftgen_plan *, fftgen_info *);
  void (*destroy)(fftgen_plan *);
  fftgen_plan *plan[ROUNDS];
} copy;

static bool find(void *library, const char *name, void *function) {
  void *symbol = dlsym(library, name);
  memcpy(function, &symbol, sizeof symbol);
  return symbol != NULL;
}

static bool load(copy *c, const char *path) {
  void *library = dlopen(path, RTLD_NOW | RTLD_LOCAL);
  return library && find(library, "fftgen_plan_create", &c->create) && find(library, "fftgen_execute", &c->execute) &&
         find(library, "fftgen_plan_info", &c->info) && find(library, "fftgen_plan_destroy", &c->destroy);
}

/* An impulse at 1 is one turn. */
static bool use(const copy *c, int i, int n) {
  float *in = calloc((size_t)n * 2, sizeof *in), *out = calloc((size_t)n * 4, sizeof *out);
  bool right = in && out;
  if (right) in[2] = 1;
  right = right && c->execute(c->plan[i], in, out) == FFTGEN_OK;
  for (int k = 0; k < n && right; k++)
    right = fabs(out[2 * k] - cos(2 * M_PI * k / n)) < 1e-4 && fabs(out[2 * k + 1] + sin(2 * M_PI * k / n)) < 1e-4;
  if (!right) printf("c2c f32 n=%d: wrong\n", n);
  free(in), free(out);
  return right;
}

int main(int argc, char **argv) {
  copy both[2] = {0};
  int cached = 0;
  if (argc < 4 || !load(&both[0], argv[1]) || !load(&both[1], argv[2])) return printf("%s\n", dlerror()), 1;
  int n = atoi(argv[3]);
  for (int i = 0; i < 2 * ROUNDS; i++) {
    char problem[64];
    fftgen_error error;
    copy *c = &both[i % 2];
    snprintf(problem, sizeof problem, "c2c f32 n=%d", n + i);
    if (c->create(problem, NULL, &c->plan[i / 2], &error) != FFTGEN_OK) return printf("%s\n", error.message), 1;
    fftgen_info info = {.size = sizeof info};
    cached += c->info(c->plan[i / 2], &info) == FFTGEN_OK && !strcmp(info.origin, "cache");
  }
  if (argc > 4 && cached < 2 * ROUNDS) return printf("%d of %d kernels out of the cache\n", cached, 2 * ROUNDS), 1;
  for (int i = 0; i < 2 * ROUNDS; i++)
    if (!use(&both[i % 2], i / 2, n + i)) return 1;
  for (int i = 0; i < 2 * ROUNDS; i++) both[i % 2].destroy(both[i % 2].plan[i / 2]);
  return 0;
}
