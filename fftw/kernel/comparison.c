/* See comparison.h. In: a plan of libfftgen's, a transform by codelets. Out: which one is faster, by the least of some
 * samples of each, taken in turn: what else the machine does only adds.
 *
 * Both run on memory of zeros: no caller's array is touched, no result leaves the range of numbers. */
#include "fftw/kernel/comparison.h"
#include "fftw/base/memory.h"
#include <string.h>
#include <time.h>

enum { ROUNDS = 7 };
static const double SAMPLE = 2e-4, MOST = 0.02;   /* seconds of a sample; after which no round begins */
static const size_t MOST_BYTES = (size_t)1 << 30; /* of memory to try it on */

typedef struct comparison {
  const fg_kernel_library *l;
  const fftgen_plan *plan;
  fg_transform *t;
  fg_array in, out;
  clockid_t clock;
} comparison;

static bool is_split(fg_array a) { return a.im && a.im != a.re + 1; }

/* Short transforms are over before a function of the library's has looked at its arguments: where a kernel wants two
 * arrays and nothing else, it is called from here, as fftgen_execute does where it is compiled into its caller. */
void fg_kernel_execute(const fg_kernel_library *l, const fftgen_plan *plan, fg_array in, fg_array out) {
  const fftgen_front *front = (const fftgen_front *)(const void *)plan;
  if (is_split(in) || is_split(out))
    l->execute(plan, &(fftgen_arrays){.in = in.re, .in_im = in.im, .out = out.re, .out_im = out.im});
  else if (front->direct && in.re != out.re)
    front->direct(in.re, out.re);
  else
    l->execute_two(plan, in.re, out.re);
}

static double now(const comparison *c) {
  struct timespec t;
  clock_gettime(c->clock, &t);
  return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static double run(const comparison *c, bool kernel, int64_t count) {
  double start = now(c);
  for (int64_t i = 0; i < count; i++)
    if (kernel)
      fg_kernel_execute(c->l, c->plan, c->in, c->out);
    else
      fg_transform_run(c->t, c->in, c->out);
  return now(c) - start;
}

static bool compare(const comparison *c) {
  double least[2], stop = now(c) + MOST;
  int64_t count[2] = {1, 1};
  for (int k = 0; k < 2; k++) {
    run(c, k, 1); /* fetches code and tables */
    for (double s; (s = run(c, k, count[k])) < SAMPLE;) count[k] *= s > SAMPLE / 2 ? 2 : s > SAMPLE / 8 ? 4 : 8;
    least[k] = 1e9;
  }
  for (int i = 0; i < ROUNDS && (i < 1 || now(c) < stop); i++)
    for (int k = 0; k < 2; k++) {
      double s = run(c, k, count[k]) / (double)count[k];
      if (s < least[k]) least[k] = s;
    }
  return least[1] < least[0];
}

/* Parts of complex numbers have the request's layout. */
static fg_array array_at(fg_array like, char *memory, size_t bytes) {
  fg_array a = {(fg_real *)(void *)memory, NULL};
  if (like.im) a.im = like.im - like.re == 1 ? a.re + 1 : (fg_real *)(void *)(memory + bytes / 2);
  return a;
}

bool fg_kernel_is_faster(const fg_kernel_library *l, const fftgen_plan *plan, fg_transform *t, const fg_request *r) {
  enum { ALIGN = 128 };
  fftgen_info info = {.size = sizeof info};
  if (l->info(plan, &info) != FFTGEN_OK || info.in_bytes > MOST_BYTES || info.out_bytes > MOST_BYTES) return false;
  bool in_place = r->in.re == r->out.re;
  size_t in = (info.in_bytes + ALIGN - 1) / ALIGN * ALIGN, out = (info.out_bytes + ALIGN - 1) / ALIGN * ALIGN;
  if (in_place) in = out = in > out ? in : out;
  char *memory = in + out > MOST_BYTES ? NULL : fg_memory_get(in + (in_place ? 0 : out));
  if (!memory) return false;
  memset(memory, 0, in + (in_place ? 0 : out));
  comparison c = {l,
                  plan,
                  t,
                  array_at(r->in, memory, in),
                  array_at(r->out, memory + (in_place ? 0 : in), out),
                  r->threads > 1 ? CLOCK_MONOTONIC : CLOCK_THREAD_CPUTIME_ID};
  bool faster = compare(&c);
  fg_memory_free(memory);
  return faster;
}
