/* A program that uses libfftw3 while it is loaded and unloaded. usage: lives MODE [LIBRARY] */
#include "fftw/include/fftw3.h"
#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/auxv.h>
#include <sys/wait.h>
#include <unistd.h>

/* Planning functions of a library that may be closed. */
static fftw_plan (*plan_1d)(int, fftw_complex *, fftw_complex *, int, unsigned) = fftw_plan_dft_1d;
static char *(*text_of)(fftw_plan) = fftw_sprint_plan;
static void (*destroy)(fftw_plan) = fftw_destroy_plan;
static void (*execute)(fftw_plan) = fftw_execute;
static fftw_complex x[1 << 13], y[1 << 13];

static int is_kernel(fftw_plan p) {
  char *text = text_of(p);
  int is = !strncmp(text, "(kernel ", 8);
  free(text);
  return is;
}

static int mapped(const char *name) {
  char line[4096];
  int found = 0;
  FILE *maps = fopen("/proc/self/maps", "r");
  while (maps && fgets(line, sizeof line, maps)) found |= strstr(line, name) != NULL;
  if (maps) fclose(maps);
  return found;
}

static int plan(int n, unsigned flags) {
  fftw_plan p = plan_1d(n, x, y, FFTW_FORWARD, flags);
  if (!p) exit(3);
  execute(p);
  int is = is_kernel(p);
  destroy(p);
  return is;
}

/* Kernels take their time, and are there at last; a plan of before stays what it was. */
static int upgrade(void) {
  int kernels = 0;
  fftw_plan first = plan_1d(4096, x, y, FFTW_FORWARD, FFTW_ESTIMATE);
  for (int i = 0; i < 600 && !kernels; i++, usleep(50000)) /* half a minute: one of them is faster */
    for (int n = 1024; n <= 8192; n += 1024) kernels += plan(n, FFTW_ESTIMATE);
  execute(first);
  int stays = !is_kernel(first);
  destroy(first);
  return kernels && stays ? 0 : 1;
}

static int leave(void) {
  for (int n = 100; n < 150; n++) plan(n, FFTW_ESTIMATE);
  return 0; /* at once */
}

static int fork_meanwhile(void) {
  for (int n = 100; n < 110; n++) plan(n, FFTW_ESTIMATE);
  for (int i = 0; i < 5; i++) {
    int status = 1;
    pid_t child = fork();
    if (child == 0) {
      alarm(30);
      for (int n = 100; n < 120; n++) plan(n, FFTW_ESTIMATE);
      exit(0);
    }
    if (waitpid(child, &status, 0) < 0 || status) return 1;
  }
  return 0;
}

static void *symbol(void *library, const char *name) {
  void *at = dlsym(library, name);
  if (!at) exit(4);
  return at;
}

static int unload(const char *path) {
  for (int i = 0; i < 3; i++) {
    void *library = dlopen(path, RTLD_NOW | RTLD_LOCAL), *at;
    if (!library) return 2;
    at = symbol(library, "fftw_plan_dft_1d"), memcpy(&plan_1d, &at, sizeof at);
    at = symbol(library, "fftw_sprint_plan"), memcpy(&text_of, &at, sizeof at);
    at = symbol(library, "fftw_destroy_plan"), memcpy(&destroy, &at, sizeof at);
    at = symbol(library, "fftw_execute"), memcpy(&execute, &at, sizeof at);
    for (int n = 100; n < 104; n++) plan(n, i == 2 ? FFTW_MEASURE : FFTW_ESTIMATE);
    dlclose(library);
  }
  return 0;
}

/* Which parts of libfftgen are there after each flag. */
static int parts(void) {
  plan(1000, FFTW_ESTIMATE);
  printf("%d%d", mapped("libfftgen.so"), mapped("libfftgen-jit.so"));
  plan(1000, FFTW_MEASURE);
  printf(" %d%d %d\n", mapped("libfftgen.so"), mapped("libfftgen-jit.so"), getauxval(AT_SECURE) != 0);
  return 0;
}

int main(int argc, char **argv) {
  const char *mode = argc > 1 ? argv[1] : "";
  if (!strcmp(mode, "upgrade")) return upgrade();
  if (!strcmp(mode, "leave")) return leave();
  if (!strcmp(mode, "fork")) return fork_meanwhile();
  if (!strcmp(mode, "unload") && argc == 3) return unload(argv[2]);
  return strcmp(mode, "parts") ? 2 : parts();
}
