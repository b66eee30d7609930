/* See engine.h. In: a problem. Out: a plan that later calls with the same problem find (generator/base/recent.h).
 *
 * Plans are made without the lock: of two threads with one problem the first one's stays. */
#include "fftw/engine/engine.h"
#include "fftw/base/lock.h"
#include "fftw/kernel/kernel.h"
#include "fftw/kernel/library.h"
#include "fftw/sweep/parallel.h"
#include "fftw/sweep/transform.h"
#include "generator/base/recent.h"
#include <stdlib.h>
#include <string.h>

enum { PLANS = 1024, MEASURE = 1000, PATIENT = 20000 /* milliseconds at most */ };

struct fg_engine_plan {
  fg_recent_entry entry; /* first */
  fg_transform *transform;
  fg_kernel *kernel;         /* runs in its place; NULL: there is none */
  fg_engine_problem problem; /* the bytes that count */
};

/* Guarded by FG_LOCK_PLANS. most_bytes: that kept plans may hold for their next execution. */
static fg_recent_entry *bucket[FG_RECENT_BUCKETS];
static fg_recent table = {.bucket = bucket, .counts = {.limit = PLANS, .most_bytes = (int64_t)256 << 20}};

static size_t key_of(const fg_engine_problem *p) {
  return offsetof(fg_engine_problem, dim) + sizeof *p->dim * (size_t)(p->rank + p->vectors);
}

static fg_recent_entry key(const fg_engine_problem *of) {
  size_t size = key_of(of);
  return (fg_recent_entry){.key = of, .size = size, .hash = fg_recent_hash(of, size)};
}

/* ---- making --------------------------------------------------------------------------- */

typedef struct kind_row {
  fg_line_type all, last;
  bool complex_in, complex_out;
} kind_row;

#define REAL(type)                                                                                                     \
  { type, type, false, false }
static const kind_row kinds[FG_ENGINE_KINDS] = {
    [FG_ENGINE_FORWARD] = {FG_LINE_FORWARD, FG_LINE_FORWARD, true, true},
    [FG_ENGINE_BACKWARD] = {FG_LINE_BACKWARD, FG_LINE_BACKWARD, true, true},
    [FG_ENGINE_R2C] = {FG_LINE_FORWARD, FG_LINE_R2C, false, true},
    [FG_ENGINE_C2R] = {FG_LINE_BACKWARD, FG_LINE_C2R, true, false},
    [FG_ENGINE_DCT1] = REAL(FG_LINE_REDFT00),
    [FG_ENGINE_DCT2] = REAL(FG_LINE_REDFT10),
    [FG_ENGINE_DCT3] = REAL(FG_LINE_REDFT01),
    [FG_ENGINE_DCT4] = REAL(FG_LINE_REDFT11),
    [FG_ENGINE_DST1] = REAL(FG_LINE_RODFT00),
    [FG_ENGINE_DST2] = REAL(FG_LINE_RODFT10),
    [FG_ENGINE_DST3] = REAL(FG_LINE_RODFT01),
    [FG_ENGINE_DST4] = REAL(FG_LINE_RODFT11),
    [FG_ENGINE_WHOLE] = {FG_LINE_FORWARD, FG_LINE_WHOLE, false, true},
};

static fg_array array(const void *at, bool complex) {
  fg_real *re = (fg_real *)(uintptr_t)at;
  return (fg_array){re, complex ? re + 1 : NULL};
}

/* Addresses of the codelets' arrays in a request: nothing is read or written there. */
static fg_real places[2];

static void plan_of(fg_engine_plan *p, const fg_engine_problem *of) {
  const kind_row *kind = &kinds[of->kind];
  fg_dim dim[FG_ENGINE_DIMS];
  fg_line_type type[FG_ENGINE_DIMS];
  for (int i = 0; i < of->rank + of->vectors; i++) {
    dim[i] = (fg_dim){of->dim[i].n, of->dim[i].is, of->dim[i].os};
    type[i] = i == of->rank - 1 ? kind->last : kind->all;
  }
  fg_request r = {.rank = of->rank,
                  .vectors = of->vectors,
                  .dim = dim,
                  .type = type,
                  .vector = dim + of->rank,
                  .complex_in = kind->complex_in,
                  .complex_out = kind->complex_out,
                  .in = array(places, kind->complex_in),
                  .out = array(of->in_place ? places : places + 1, kind->complex_out),
                  .preserve = !of->in_place,
                  .threads = of->threads};
  p->transform = fg_transform_create(&r);
  if (!p->transform) return;
  p->entry.bytes = (int64_t)fg_transform_bytes(p->transform);
  if (of->search <= 0) return;
  fg_kernel_choice found;
  fg_kernel_effort effort = of->search > PATIENT   ? FG_KERNEL_EXHAUSTIVE
                            : of->search > MEASURE ? FG_KERNEL_PATIENT
                                                   : FG_KERNEL_MEASURE;
  fg_kernel_order o = {.request = &r, .transform = p->transform, .effort = effort, .seconds = of->search / 1e3};
  p->kernel = fg_kernel_get(&o, &found);
}

static fg_engine_plan *make(const fg_recent_entry *like) {
  fg_engine_plan *p = malloc(offsetof(fg_engine_plan, problem) + like->size);
  if (!p) return NULL;
  memset(p, 0, offsetof(fg_engine_plan, problem));
  memcpy(&p->problem, like->key, like->size);
  p->entry = *like, p->entry.key = &p->problem, p->entry.users = 1;
  plan_of(p, like->key);
  if (p->transform) return p;
  free(p);
  return NULL;
}

static void destroy(fg_engine_plan *p) {
  fg_kernel_release(p->kernel);
  fg_transform_destroy(p->transform);
  free(p);
}

static void destroy_all(fg_recent_entry *gone) {
  for (fg_recent_entry *next; gone; gone = next) next = gone->next, destroy((fg_engine_plan *)gone);
}

/* ---- the table ------------------------------------------------------------------------ */

static fg_engine_plan *get(const fg_engine_problem *of) {
  fg_recent_entry like = key(of), *gone = NULL;
  fg_lock_take(FG_LOCK_PLANS);
  fg_engine_plan *p = (fg_engine_plan *)fg_recent_find(&table, &like);
  fg_lock_leave(FG_LOCK_PLANS);
  if (p) return p;
  fg_engine_plan *own = make(&like);
  if (!own) return NULL;
  fg_lock_take(FG_LOCK_PLANS);
  p = (fg_engine_plan *)fg_recent_find(&table, &like);
  if (p)
    own->entry.next = NULL, gone = &own->entry;
  else
    p = own, fg_recent_add(&table, &own->entry, &gone);
  fg_lock_leave(FG_LOCK_PLANS);
  destroy_all(gone);
  return p;
}

static bool knows(const fg_engine_problem *of) {
  fg_recent_entry like = key(of);
  fg_lock_take(FG_LOCK_PLANS);
  bool found = fg_recent_peek(&table, &like) != NULL;
  fg_lock_leave(FG_LOCK_PLANS);
  return found;
}

static void release(fg_engine_plan *p) {
  fg_lock_take(FG_LOCK_PLANS);
  bool last = fg_recent_leave(&p->entry);
  fg_lock_leave(FG_LOCK_PLANS);
  if (last) destroy(p);
}

static bool run(fg_engine_plan *p, const void *from, void *to, double re, double im) {
  const kind_row *kind = &kinds[p->problem.kind];
  fg_array in = array(from, kind->complex_in), out = array(to, kind->complex_out);
  fg_factors by = {(fg_real)re, (fg_real)im};
  bool as_they_are = re == 1 && im == 1;
  if (p->kernel) {
    fg_kernel_run(p->kernel, in, out);
    if (!as_they_are) fg_transform_scale(p->transform, out, &by);
    return true;
  }
  return fg_transform_run_scaled(p->transform, in, out, as_they_are ? NULL : &by);
}

static void print(const fg_engine_plan *p, void (*put)(void *to, char c), void *to) {
  if (p->kernel)
    fg_kernel_print(p->kernel, put, to);
  else
    fg_transform_print(p->transform, put, to);
}

static bool is_compiled(const fg_engine_plan *p) { return p->kernel != NULL; }

static size_t bytes(const fg_engine_plan *p) { return (size_t)p->entry.bytes; }

static void count(fg_engine_counts *c) {
  fg_lock_take(FG_LOCK_PLANS);
  const fg_recent_counts *t = &table.counts;
  *c = (fg_engine_counts){t->kept, t->limit, t->found, t->made, t->dropped, t->bytes};
  fg_lock_leave(FG_LOCK_PLANS);
}

static void limit(int64_t plans) {
  fg_recent_entry *gone = NULL;
  fg_lock_take(FG_LOCK_PLANS);
  if (plans > 0) table.counts.limit = plans;
  fg_recent_drop_beyond(&table, plans, &gone);
  fg_lock_leave(FG_LOCK_PLANS);
  destroy_all(gone);
  if (plans > 0) return;
  fg_kernel_forget();
  fg_line_forget();
}

#if FG_FFTW_SINGLE
#define ENGINE fg_engine_f32
#define PRECISION "f32"
#else
#define ENGINE fg_engine_f64
#define PRECISION "f64"
#endif
const fg_engine ENGINE = {PRECISION,
                          sizeof(fg_real),
                          get,
                          knows,
                          release,
                          run,
                          print,
                          is_compiled,
                          bytes,
                          count,
                          limit,
                          fg_kernel_library_find,
                          fg_parallel_parts};
