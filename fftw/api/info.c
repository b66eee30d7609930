/* What a plan is: operation counts, cost, text; and what the library is. */
#include "fftw/api/foreign.h"
#include <stdio.h>
#include <stdlib.h>

FG_PUBLIC void X(flops)(X(plan) p, double *add, double *mul, double *fmas) {
  FG_FOREIGN_FORWARD(p, flops, p, add, mul, fmas);
  fg_flops f = fg_transform_flops(p->transform);
  *add = f.add, *mul = f.mul, *fmas = f.fma;
}

/* Of codelets, which a compiled kernel does not exceed by much: operations, a fused one counting as two. */
FG_PUBLIC double X(estimate_cost)(X(plan) p) {
  FG_FOREIGN_RETURN(p, 0, estimate_cost, p);
  fg_flops f = fg_transform_flops(p->transform);
  return f.add + f.mul + 2 * f.fma;
}

FG_PUBLIC double X(cost)(X(plan) p) {
  FG_FOREIGN_RETURN(p, 0, cost, p);
  return X(estimate_cost)(p);
}

static void print(X(plan) p, void (*put)(void *to, char c), void *to) {
  if (p->kernel)
    fg_kernel_print(p->kernel, put, to);
  else
    fg_transform_print(p->transform, put, to);
}

static void put_file(void *file, char c) { putc(c, file); }

FG_PUBLIC void X(fprint_plan)(X(plan) p, FILE *file) {
  FG_FOREIGN_FORWARD(p, fprint_plan, p, file);
  print(p, put_file, file);
}

FG_PUBLIC void X(print_plan)(X(plan) p) { X(fprint_plan)(p, stdout); }

typedef struct text {
  char *at; /* NULL: characters are counted */
  size_t length;
} text;

static void put_text(void *to, char c) {
  text *t = to;
  if (t->at) t->at[t->length] = c;
  t->length++;
}

FG_PUBLIC char *X(sprint_plan)(X(plan) p) {
  FG_FOREIGN_RETURN(p, NULL, sprint_plan, p);
  text t = {0};
  print(p, put_text, &t);
  t = (text){.at = malloc(t.length + 1)};
  if (!t.at) return NULL;
  print(p, put_text, &t);
  t.at[t.length] = 0;
  return t.at;
}

FG_PUBLIC int X(alignment_of)(fg_real *p) { return (int)((uintptr_t)p % 64); }

FG_PUBLIC void *X(malloc)(size_t n) { return fg_memory_get(n); }

FG_PUBLIC fg_real *X(alloc_real)(size_t n) {
  return n > SIZE_MAX / sizeof(fg_real) ? NULL : fg_memory_get(n * sizeof(fg_real));
}

FG_PUBLIC fg_api_complex *X(alloc_complex)(size_t n) {
  return n > SIZE_MAX / sizeof(fg_complex) ? NULL : fg_memory_get(n * sizeof(fg_complex));
}

FG_PUBLIC void X(free)(void *p) { fg_memory_free(p); }

#if FG_FFTW_SINGLE
#define NAME "fftwf"
#else
#define NAME "fftw"
#endif
FG_PUBLIC const char X(version)[] = NAME "-3.3.10-fftgen";
FG_PUBLIC const char X(cc)[] = "fftgen";
FG_PUBLIC const char X(codelet_optim)[] = "";
