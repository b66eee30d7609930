/* See plan.h. In: what a planning function was asked for. Out: a plan, or why there is none.
 *
 * Any number of threads may plan at once: what plans share is guarded where it is made (line/table.c). */
#include "fftw/api/plan.h"
#include "fftw/api/foreign.h"
#include "fftw/api/settings.h"
#include "targets/env.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void fg_plan_say(const char *what, const char *why) {
  const char *verbose = fg_env("FFTGEN_FFTW_VERBOSE");
  if (verbose && !strcmp(verbose, "1")) fprintf(stderr, "fftgen: fftw: %s: %s\n", what, why);
}

X(plan) fg_plan_refuse(const char *why) {
  fg_plan_say("no plan", why);
  return NULL;
}

enum { MOST_RANK = 1 << 10 };
static const ptrdiff_t most = PTRDIFF_MAX / 64; /* numbers of an array */

/* Adds what a dimension spans; false: it is too long. */
static bool spans(ptrdiff_t n, ptrdiff_t stride, int unit, ptrdiff_t *sum) {
  ptrdiff_t step = stride < 0 ? -stride : stride;
  if (stride < -most || step > most / unit || (n > 1 && step * unit > (most - *sum) / (n - 1))) return false;
  if (n > 1) *sum += step * unit * (n - 1);
  return true;
}

static const char *wrong_dimension(const X(iodim64) * d, fg_line_type type) {
  if (d->n < 1) return "a length below 1";
  if (d->n > INT32_MAX) return "a length over 2^31 - 1";
  if (type == FG_LINE_REDFT00 && d->n < 2) return "REDFT00 of fewer than 2 points";
  return NULL;
}

static fg_line_type type_of(const fg_call *c, int d) {
  return c->type ? c->type[d] : d == c->rank - 1 ? c->last : c->all;
}

static const char *wrong(const fg_call *c) {
  ptrdiff_t in = 0, out = 0;
  if (c->rank < 0 || c->vectors < 0 || c->rank > MOST_RANK || c->vectors > MOST_RANK)
    return "a rank below 0 or over 1024";
  for (int i = 0; i < c->rank + c->vectors; i++) {
    const X(iodim64) *d = i < c->rank ? &c->dim[i] : &c->vector[i - c->rank];
    const char *why = i < c->rank ? wrong_dimension(d, type_of(c, i))
                      : d->n < 0  ? "a number of transforms below 0"
                                  : NULL;
    if (why) return why;
    if (!spans(d->n, d->is, c->unit_in, &in) || !spans(d->n, d->os, c->unit_out, &out))
      return "an array longer than memory";
  }
  return NULL;
}

static fg_dim scaled(const fg_call *c, const X(iodim64) * d) {
  return (fg_dim){d->n, d->is * c->unit_in, d->os * c->unit_out};
}

/* The plan's transform, and a kernel in its place where the flags ask for one and it is faster. */
static void fill(X(plan) p, const fg_call *c, const fg_request *r, uint64_t problem) {
  p->transform = fg_transform_create(r);
  if (!p->transform) return;
  fg_kernel_order o = {.request = r,
                       .transform = p->transform,
                       .effort = (fg_kernel_effort)fg_wisdom_effort(c->flags),
                       .seconds = fg_settings_time_limit(),
                       .known = fg_wisdom_choice(problem, c->flags)};
  fg_kernel_choice found = o.known;
  const char *upgrade = fg_env("FFTGEN_FFTW_UPGRADE");
  if (o.effort != FG_KERNEL_ESTIMATE || o.known == FG_KERNEL_COMPILED)
    p->kernel = fg_kernel_get(&o, &found);
  else if (upgrade && !strcmp(upgrade, "1"))
    p->kernel = fg_kernel_later(&o);
  fg_wisdom_learn(problem, c->flags, found);
}

static X(plan) plan_of(const fg_call *c, uint64_t problem) {
  int all = c->rank + c->vectors;
  fg_dim *dim = malloc(sizeof *dim * (size_t)(all + 1));
  fg_line_type *type = malloc(sizeof *type * (size_t)(c->rank + 1));
  X(plan) p = malloc(sizeof *p);
  if (p) *p = (struct X(plan_s)){.magic = FG_PLAN_MAGIC, .in = c->in, .out = c->out};
  if (p && dim && type) {
    for (int i = 0; i < all; i++) dim[i] = scaled(c, i < c->rank ? &c->dim[i] : &c->vector[i - c->rank]);
    for (int i = 0; i < c->rank; i++) type[i] = type_of(c, i);
    fg_request r = {.rank = c->rank,
                    .vectors = c->vectors,
                    .dim = dim,
                    .type = type,
                    .vector = dim + c->rank,
                    .complex_in = c->complex_in,
                    .complex_out = c->complex_out,
                    .in = c->in,
                    .out = c->out,
                    .preserve = c->flags & FFTW_PRESERVE_INPUT,
                    .threads = fg_settings_threads()};
    fill(p, c, &r, problem);
  }
  free(dim), free(type);
  if (p && p->transform) return p;
  free(p);
  return NULL;
}

X(plan) fg_plan_make(const fg_call *c) {
  const char *why = wrong(c);
  if (why) return fg_plan_refuse(why);
  uint64_t problem = fg_wisdom_problem(c);
  if (c->flags & FFTW_WISDOM_ONLY && !fg_wisdom_knows(problem, c->flags))
    return fg_plan_refuse("FFTW_WISDOM_ONLY, and no wisdom of this problem");
  X(plan) p = plan_of(c, problem);
  return p ? p : fg_plan_refuse("there is no memory");
}

FG_PUBLIC void X(destroy_plan)(X(plan) p) {
  if (!p) return;
  FG_FOREIGN_FORWARD(p, destroy_plan, p);
  fg_transform_destroy(p->transform);
  fg_kernel_release(p->kernel);
  free(p);
}
