/* See beside.h. */
#include "tuning/search/beside.h"
#include "generator/prove/prove.h"
#include "tuning/baselines/fftw.h"
#include "tuning/measure/arrays.h"
#include <string.h>

struct fg_beside {
  fg_module *module;
  fg_call call;
  double base; /* its first time; 0: there is none */
};

fg_beside *fg_beside_create(const fg_compilation *c, const int64_t *params) {
  fg_context *cx = c->cx;
  const fg_problem *p = &c->problem;
  char why[FG_WHY_SIZE];
  fg_beside *b = fg_arena_new(cx->arena, fg_beside, 1);
  int64_t *values = fg_arena_new(cx->arena, int64_t, p->nparam + 1);
  fg_settings_lowest(p, NULL, values);
  for (int i = 0; i < p->nparam && params; i++) values[i] = params[i];
  *b = (fg_beside){0};
  if (fg_peer_create(p, values, FG_EFFORT_ESTIMATE, &b->module, why)) return NULL;
  fg_geometry *g = fg_arena_new(cx->arena, fg_geometry, 1);
  fg_arrays *a = fg_arena_new(cx->arena, fg_arrays, 1);
  fg_geometry_create(cx, p, values, g);
  fg_arrays_create(cx, p, g, a);
  for (int i = 0; i < a->nslot; i++) memset(a->slot[i], 0, a->bytes[i]);
  b->call = (fg_call){.slot = a->slot, .bytes = a->bytes, .params = values};
  return b;
}

double fg_beside_slower(fg_beside *b, double seconds) {
  char why[FG_WHY_SIZE];
  double ns;
  if (!b || fg_peer_device.time(b->module, &b->call, seconds, &ns, why)) return 1;
  if (!(b->base > 0)) b->base = ns;
  return ns / b->base;
}

void fg_beside_destroy(fg_beside *b) {
  if (b) fg_peer_device.destroy(b->module);
}
