/* A plug-in of a program that has libfftgen in it: the library is loaded by dlopen and
 * unloaded by dlclose, again and again, and what it leaves behind does not grow.
 * usage: unload LIBRARY LENGTH; 0, or it has said what went wrong. */
#include <dlfcn.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The header's functions are those of the library that is there at the moment. */
#define FFTGEN_NO_INLINE
#include <fftgen/fftgen.h>

enum { ROUNDS = 40, FIRST = 5 /* by then everything is loaded that stays */, MOST_MAPPINGS = 20, MOST_KIB = 64 << 10 };

typedef struct state {
  int mappings;
  long kib;
} state;

static state now(void) {
  state s = {0, 0};
  char line[512], rights[8];
  FILE *f = fopen("/proc/self/maps", "r");
  unsigned long from, to;
  while (f && fgets(line, sizeof line, f)) { /* what malloc has only reserved does not count */
    if (sscanf(line, "%lx-%lx %7s", &from, &to, rights) != 3 || !strncmp(rights, "---", 3)) continue;
    s.mappings++;
    s.kib += (long)((to - from) >> 10);
  }
  if (f) fclose(f);
  return s;
}

static bool find(void *library, const char *name, void *function) {
  void *symbol = dlsym(library, name);
  memcpy(function, &symbol, sizeof symbol);
  return symbol != NULL;
}

/* The transform of an impulse is flat. */
static bool use(void *library, int n) {
  fftgen_status (*create)(const char *, const fftgen_options *, fftgen_plan **, fftgen_error *);
  fftgen_status (*execute)(const fftgen_plan *, const void *, void *);
  void (*destroy)(fftgen_plan *);
  if (!find(library, "fftgen_plan_create", &create) || !find(library, "fftgen_execute", &execute) ||
      !find(library, "fftgen_plan_destroy", &destroy))
    return printf("%s\n", dlerror()), false;
  char problem[64];
  fftgen_plan *plan;
  fftgen_error error;
  snprintf(problem, sizeof problem, "c2c f32 n=%d", n);
  if (create(problem, NULL, &plan, &error) != FFTGEN_OK) return printf("%s: %s\n", problem, error.message), false;
  float *in = calloc((size_t)n * 2, sizeof *in), *out = calloc((size_t)n * 2, sizeof *out);
  bool right = in && out;
  if (right) in[0] = 1;
  right = right && execute(plan, in, out) == FFTGEN_OK;
  for (int i = 0; i < n && right; i++) right = out[2 * i] > 0.999f && out[2 * i] < 1.001f;
  if (!right) printf("%s: wrong\n", problem);
  free(in);
  free(out);
  destroy(plan);
  return right;
}

int main(int argc, char **argv) {
  state first = {0, 0}, last;
  for (int i = 0; argc > 2 && i < ROUNDS; i++) {
    void *library = dlopen(argv[1], RTLD_NOW | RTLD_LOCAL);
    if (!library) return printf("%s\n", dlerror()), 1;
    bool good = use(library, atoi(argv[2]) + i) && use(library, atoi(argv[2])); /* made now; out of the cache */
    dlclose(library);
    if (!good) return 1;
    if (i + 1 == FIRST) first = now();
  }
  last = now();
  printf("%d mappings more, %ld KiB more\n", last.mappings - first.mappings, last.kib - first.kib);
  void *still = dlopen(argc > 1 ? argv[1] : "", RTLD_NOW | RTLD_NOLOAD);
  if (still) return printf("the library is still there\n"), 1;
  return argc < 3 || last.mappings > first.mappings + MOST_MAPPINGS || last.kib > first.kib + MOST_KIB;
}
