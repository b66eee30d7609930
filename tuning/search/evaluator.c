/* See evaluator.h. */
#include "tuning/search/evaluator.h"
#include "generator/prove/prove.h"
#include "tuning/measure/arrays.h"
#include <string.h>

struct fg_evaluator {
  fg_context *cx;
  fg_evaluator_options o;
  fg_testbed *bed; /* NULL: the rest */
  const int64_t *params;
  fg_geometry geometry;
  fg_arrays arrays; /* made when they are timed on */
};

fg_status fg_evaluator_create(fg_context *cx, const fg_evaluator_options *o, fg_evaluator **out) {
  char why[FG_WHY_SIZE] = "";
  fg_evaluator *s = fg_arena_new(cx->arena, fg_evaluator, 1);
  int64_t *lowest = fg_arena_new(cx->arena, int64_t, o->problem->nparam + 1);
  *s = (fg_evaluator){.cx = cx, .o = *o, .params = o->params};
  if (!o->params) {
    fg_settings_lowest(o->problem, NULL, lowest);
    s->params = lowest;
  }
  if (o->drawn && fg_testbed_open(o->device, o->drawn, &s->bed, why))
    return fg_diag_set(&cx->diag, FG_ESYS, "%s: %s", o->device->name, why);
  *out = s;
  return FG_OK;
}

/* Each candidate is verified, within the time of a search: fewer transforms are compared than `verify` does. */
static fg_status verify(fg_evaluator *s, fg_module *m, double *l2) {
  enum { COMPARED = 1 << 15 };
  fg_verified v;
  fg_verify_options o = {.params = s->params, .seed = s->o.seed, .compared = COMPARED};
  fg_status status = fg_verify(s->cx, s->o.problem, s->o.device, m, &o, &v);
  if (status != FG_OK) return status;
  *l2 = v.l2;
  return v.ok ? FG_OK : fg_diag_set(&s->cx->diag, FG_EWRONG, "computes wrongly: %s", v.why);
}

fg_status fg_evaluator_check(fg_evaluator *s, fg_module *m, double *l2) {
  char why[FG_WHY_SIZE] = "";
  fg_verdict v;
  if (!s->bed) return verify(s, m, l2);
  if (fg_testbed_check(s->bed, m, &v, why)) return fg_diag_set(&s->cx->diag, FG_ESYS, "%s", why);
  *l2 = v.l2;
  return v.ok ? FG_OK : fg_diag_set(&s->cx->diag, FG_EWRONG, "computes wrongly: %s", v.why);
}

/* In place, transforms of transforms leave the range of numbers: zeros stay. */
static void make_arrays(fg_evaluator *s) {
  fg_geometry_create(s->cx, s->o.problem, s->params, &s->geometry);
  fg_arrays_create(s->cx, s->o.problem, &s->geometry, &s->arrays);
  fg_arrays_fill(&s->arrays, &s->geometry, s->o.seed);
  for (int i = 0; s->arrays.in_place && i < s->arrays.nslot; i++) memset(s->arrays.slot[i], 0, s->arrays.bytes[i]);
}

fg_status fg_evaluator_time(fg_evaluator *s, fg_module *m, double seconds, int turn, double *ns) {
  char why[FG_WHY_SIZE] = "";
  if (!s->bed && !s->arrays.nslot) make_arrays(s);
  fg_call call = {.slot = s->arrays.slot, .bytes = s->arrays.bytes, .params = s->params};
  int bad = s->bed ? fg_testbed_time(s->bed, m, seconds, turn, ns, why) : s->o.device->time(m, &call, seconds, ns, why);
  return bad ? fg_diag_set(&s->cx->diag, FG_ESYS, "timing: %s", why) : FG_OK;
}
