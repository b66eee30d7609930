/* See kernel.h. In: an order. Out: a kernel, or that codelets are better.
 *
 * What was found is a list by text and threads; a higher effort's findings take the place of a lower one's. Nothing is
 * locked while kernels are made and timed: two threads with one problem do it twice, and the first one's stays. */
#include "fftw/kernel/kernel.h"
#include "fftw/base/lock.h"
#include "fftw/kernel/comparison.h"
#include "fftw/kernel/found.h"
#include "fftw/sweep/parallel.h"
#include <stdlib.h>
#include <string.h>

/* Seconds that one kernel takes to be made, and more than that for the first one; for each point of a transform, that
 * MEASURE gives to further candidates; that EXHAUSTIVE gives to them. */
static const double MAKING = 0.05, A_POINT = 3e-6, EXHAUSTIVE = 60;
/* Of arrays a plan of libfftgen's has memory for as many executions at once as there are processors, within this. */
static const int64_t WORKSPACES = (int64_t)64 << 20;

/* Shorter transforms are a codelet, as are many of them side by side, up to so many points: compiling takes 20 ms and
 * saves nanoseconds, or a microsecond. */
enum { LEAST_POINTS = 17, LEAST_TOGETHER = 1 << 14, BUCKETS = 64 };
/* Guarded by FG_LOCK_KERNELS. */
static fg_kernel *bucket[BUCKETS];

static fg_kernel **bucket_of(const char *text) {
  uint64_t hash = 0xcbf29ce484222325u;
  for (; *text; text++) hash = (hash ^ (unsigned char)*text) * 0x100000001b3u;
  return &bucket[(hash ^ hash >> 32) % BUCKETS];
}

static fg_kernel **find(const char *text, int threads) {
  fg_kernel **at = bucket_of(text);
  while (*at && (strcmp((*at)->text, text) || (*at)->threads != threads)) at = &(*at)->next;
  return at;
}

/* ---- the life of what was found ---------------------------------------------------- */

static void destroy(fg_kernel *k) {
  const fg_kernel_library *l = fg_kernel_library_get();
  if (k->plan) l->destroy(k->plan);
  free(k);
}

/* With the lock. True: no user is left. */
static bool leave(fg_kernel *k) { return --k->users == 0; }

void fg_kernel_release(fg_kernel *k) {
  if (!k) return;
  fg_lock_take(FG_LOCK_KERNELS);
  bool last = leave(k);
  fg_lock_leave(FG_LOCK_KERNELS);
  if (last) destroy(k);
}

/* The list is a user of each of its kernels. */
void fg_kernel_forget(void) {
  fg_kernel *gone = NULL;
  fg_lock_take(FG_LOCK_KERNELS);
  for (int i = 0; i < BUCKETS; i++)
    for (fg_kernel *k; (k = bucket[i]);) {
      bucket[i] = k->next;
      if (leave(k)) k->next = gone, gone = k;
    }
  fg_lock_leave(FG_LOCK_KERNELS);
  for (fg_kernel *next; gone; gone = next) next = gone->next, destroy(gone);
}

/* ---- making --------------------------------------------------------------------------- */

static void run_parts(void *context, int parts, fftgen_work work, void *data) {
  (void)context;
  fg_parallel_parts(parts, work, data);
}

static fftgen_options options_for(const fg_kernel_order *o, double points) {
  fftgen_options f = {.size = sizeof f};
  int64_t bytes = (int64_t)(points * sizeof(fg_complex));
  if (bytes > WORKSPACES / 256) f.concurrency = bytes < WORKSPACES ? (int)(WORKSPACES / bytes) : 1;
  if (o->request->threads > 1) f.parallel_for = run_parts, f.threads = o->request->threads;
  switch (o->effort) {
  case FG_KERNEL_ESTIMATE: f.flags = FFTGEN_NO_JIT; break;
  case FG_KERNEL_MEASURE:
    f.time_limit = (double)fg_kernel_points(o->request, false) * A_POINT;
    f.effort = f.time_limit > MAKING ? FFTGEN_MEASURE : FFTGEN_ESTIMATE;
    if (f.time_limit > 1) f.time_limit = 1;
    break;
  case FG_KERNEL_PATIENT: f.effort = FFTGEN_PATIENT; break;
  case FG_KERNEL_EXHAUSTIVE: f.effort = FFTGEN_PATIENT, f.time_limit = EXHAUSTIVE; break;
  }
  if (o->seconds >= 0 && f.effort != FFTGEN_ESTIMATE && (f.time_limit <= 0 || f.time_limit > o->seconds))
    f.time_limit = o->seconds;
  return f;
}

static fg_kernel *new_kernel(const char *text, const fg_kernel_order *o) {
  size_t length = strlen(text) + 1;
  fg_kernel *k = malloc(sizeof *k + length);
  if (!k) return NULL;
  *k = (fg_kernel){.threads = o->request->threads, .effort = o->effort, .users = 1};
  memcpy(k->text, text, length);
  return k;
}

/* A kernel without a plan says that codelets are better. */
static fg_kernel *make(const fg_kernel_library *l, const char *text, const fg_kernel_order *o) {
  fg_kernel *k = new_kernel(text, o);
  double points = (double)fg_kernel_points(o->request, true);
  bool is_short = fg_kernel_points(o->request, false) < LEAST_POINTS && points < LEAST_TOGETHER;
  bool little = o->effort == FG_KERNEL_MEASURE && o->known != FG_KERNEL_COMPILED && is_short;
  if (!k || little || points > (double)FG_KERNEL_MOST_POINTS) return k;
  fftgen_options f = options_for(o, points);
  if (o->known == FG_KERNEL_CODELETS || l->create(text, &f, &k->plan, NULL) != FFTGEN_OK) k->plan = NULL;
  if (k->plan && o->known == FG_KERNEL_UNKNOWN && !fg_kernel_is_faster(l, k->plan, o->transform, o->request)) {
    l->destroy(k->plan);
    k->plan = NULL;
  }
  return k;
}

/* The list's own, or the new one, which it takes; a user more. */
static fg_kernel *keep(fg_kernel *k) {
  fg_kernel *gone = NULL;
  fg_lock_take(FG_LOCK_KERNELS);
  fg_kernel **at = find(k->text, k->threads);
  if (*at && (*at)->effort >= k->effort) {
    gone = k, k = *at;
  } else {
    if (*at) {
      gone = *at, *at = gone->next;
      if (!leave(gone)) gone = NULL;
    }
    fg_kernel **in = bucket_of(k->text);
    k->next = *in, *in = k;
  }
  k->users++;
  fg_lock_leave(FG_LOCK_KERNELS);
  if (gone) destroy(gone);
  return k;
}

/* ---- asking ------------------------------------------------------------------------------ */

fg_kernel *fg_kernel_found(const char *text, int threads, fg_kernel_effort effort) {
  fg_lock_take(FG_LOCK_KERNELS);
  fg_kernel *k = *find(text, threads);
  if (k && k->effort < effort) k = NULL;
  if (k) k->users++;
  fg_lock_leave(FG_LOCK_KERNELS);
  return k;
}

fg_kernel *fg_kernel_find_out(const fg_kernel_library *l, const char *text, const fg_kernel_order *o) {
  fg_kernel *k = make(l, text, o);
  return k ? keep(k) : NULL;
}

fg_kernel *fg_kernel_or_codelets(fg_kernel *k) {
  if (!k || k->plan) return k;
  fg_kernel_release(k);
  return NULL;
}

fg_kernel *fg_kernel_get(const fg_kernel_order *o, fg_kernel_choice *found) {
  char text[FFTGEN_TEXT_SIZE];
  const fg_kernel_library *l = fg_kernel_library_get();
  *found = FG_KERNEL_UNKNOWN;
  if (!l || !fg_kernel_text(l, o->request, text)) return NULL;
  fg_kernel *k = fg_kernel_found(text, o->request->threads, o->effort);
  bool time = o->effort != FG_KERNEL_ESTIMATE && (o->seconds < 0 || o->seconds >= MAKING);
  if (!k && (time || o->known == FG_KERNEL_COMPILED)) k = fg_kernel_find_out(l, text, o);
  if (k) *found = k->plan ? FG_KERNEL_COMPILED : FG_KERNEL_CODELETS;
  return fg_kernel_or_codelets(k);
}

/* ---- use ----------------------------------------------------------------------------------- */

void fg_kernel_run(const fg_kernel *k, fg_array in, fg_array out) {
  fg_kernel_execute(fg_kernel_library_get(), k->plan, in, out);
}

void fg_kernel_print(const fg_kernel *k, void (*put)(void *to, char c), void *to) {
  fftgen_info info = {.size = sizeof info};
  if (fg_kernel_library_get()->info(k->plan, &info) != FFTGEN_OK) return;
  const char *const part[] = {"(kernel \"", info.problem, "\" \"", info.plan, "\" ", info.isa, ")"};
  for (size_t i = 0; i < sizeof part / sizeof *part; i++)
    for (const char *c = part[i]; *c; c++) put(to, *c);
}
