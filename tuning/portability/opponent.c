/* See opponent.h. The child writes the results of each library to shared memory, so that a library which ends the
 * process loses no other result. */
#include "tuning/portability/opponent.h"
#include "generator/math/field.h"
#include "targets/timing.h"
#include "tuning/baselines/baselines.h"
#include "tuning/measure/arrays.h"
#include "tuning/measure/numbers.h"
#include <stdio.h>
#include <string.h>

typedef struct comparison {
  const fg_request *request;
  const fg_device *device;
  double seconds;
  int count;
  fg_opponent of[FG_OPPONENTS];
} comparison;

/* A run of random numbers, again and again: times do not depend on more, and gigabytes of new ones take seconds. */
static void fill(fg_arrays *a, int slot) {
  enum { RUN = 1 << 18 };
  size_t size = (size_t)fg_precision_bytes(a->type_in), all = a->bytes[slot], done = RUN * size;
  uint64_t seed = 1 + (uint64_t)slot;
  double low, high;
  fg_numbers_range(a->type_in, &low, &high);
  if (done > all) done = all;
  for (size_t i = 0; i < done / size; i++)
    fg_numbers_put(a->type_in, a->slot[slot], (int64_t)i,
                   low + (high - low) * (0.5 + (double)(int64_t)fg_random(&seed) * 0x1p-64));
  for (size_t more; done && done < all; done += more) {
    more = done < all - done ? done : all - done;
    memcpy((char *)a->slot[slot] + done, a->slot[slot], more);
  }
}

/* Zeros in place: transforms of transforms would leave the range of numbers. */
static void make_call(fg_context *cx, const fg_problem *p, const int64_t *params, fg_arrays *a, fg_call *call) {
  fg_geometry g;
  fg_geometry_create(cx, p, params, &g);
  fg_arrays_create(cx, p, &g, a);
  for (int i = 0; i < (a->split_in ? 2 : 1); i++) fill(a, i);
  for (int i = 0; a->in_place && i < a->nslot; i++) memset(a->slot[i], 0, a->bytes[i]);
  *call = (fg_call){.slot = a->slot, .bytes = a->bytes, .params = params};
}

static void time_one(const comparison *k, const fg_rival *r, const fg_problem *p, const fg_call *call,
                     fg_opponent *out) {
  fg_module *module;
  double ns;
  snprintf(out->name, sizeof out->name, "%s", r->name);
  out->why[0] = 0;
  if (r->create(p, call->params, FG_EFFORT_MEASURE, &module, out->why)) return;
  if (!r->as_device->time(module, call, k->seconds, &ns, out->why)) out->ns = ns;
  r->as_device->destroy(module);
}

static void run(void *context) {
  comparison *k = context;
  fg_context cx = {.arena = fg_arena_create()};
  fg_compilation c;
  fg_arrays arrays;
  fg_call call;
  if (!cx.arena || fg_arena_guard(cx.arena) || fg_pipeline_parse(&cx, k->request, &c) != FG_OK) return;
  int64_t *params = fg_arena_new(cx.arena, int64_t, c.problem.nparam + 1);
  for (int i = 0; i < c.problem.nparam; i++) params[i] = c.problem.param[i].lo;
  make_call(&cx, &c.problem, params, &arrays, &call);
  const fg_rival *r;
  for (int i = 0; i < FG_OPPONENTS && (r = fg_rival_of(k->device, i)); i++) {
    k->count = i + 1;
    time_one(k, r, &c.problem, &call, &k->of[i]);
  }
}

static int leave_out(const fg_device *d, fg_opponent out[FG_OPPONENTS]) {
  const fg_rival *r;
  int count = 0;
  for (; count < FG_OPPONENTS && (r = fg_rival_of(d, count)); count++) {
    out[count] = (fg_opponent){.why = "left out: other libraries take a third of --budget at most"};
    snprintf(out[count].name, sizeof out[count].name, "%s", r->name);
  }
  return count;
}

static int measure(comparison *k, fg_port_patience patience, fg_opponent out[FG_OPPONENTS]) {
  char why[FG_WHY_SIZE];
  int failed = fg_port_in_child(run, k, patience, why), count = k->count; /* what was timed was timed */
  if (failed && count && !(k->of[count - 1].ns > 0)) memcpy(k->of[count - 1].why, why, sizeof k->of[count - 1].why);
  memcpy(out, k->of, (size_t)count * sizeof *out);
  return count;
}

int fg_opponents_measure(const fg_request *request, const fg_device *d, double seconds, fg_port_patience patience,
                         fg_opponents_time *time, fg_opponent out[FG_OPPONENTS]) {
  enum { PART = 3 };
  double begun = fg_timing_now();
  if (time->budget > 0 && PART * time->spent > begun - time->start) return leave_out(d, out);
  comparison *k = fg_port_share(sizeof *k);
  if (!k) return 0;
  *k = (comparison){.request = request, .device = d, .seconds = seconds};
  int count = measure(k, patience, out);
  fg_port_unshare(k, sizeof *k);
  time->spent += fg_timing_now() - begun;
  return count;
}
