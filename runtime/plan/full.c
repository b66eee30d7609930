/* See full.h. In: a struct of r2c whose output has as many elements as its input. Out: the plan of the half, with rows
 * of the whole length, that fills the rest. */
#include "runtime/plan/full.h"
#include "runtime/plan/exec_plan.h"
#include "runtime/plan/halves.h"
#include "runtime/plan/mirror.h"
#include "runtime/plan/staged.h"
#include <stddef.h>
#include <string.h>

_Static_assert(2 * FG_MAX_RANK <= FG_MIRROR_AXES, "a problem has an axis more");

bool fg_full_has(const fftgen_problem *p) {
  bool flags = p && p->size >= offsetof(fftgen_problem, flags) + sizeof p->flags;
  return flags && (p->flags & FFTGEN_FULL_SPECTRUM);
}

typedef struct spans { /* of the axes further in, in elements */
  long long in, out;
  bool known; /* no length or stride of them is a parameter */
} spans;

static long long magnitude(long long x) { return x >= 0 ? x : x < -INT64_MAX ? INT64_MAX : -x; }

/* Strides that are both 0: of rows that are as long on both sides. False: they are not known. */
static bool fill_strides(const fftgen_problem *p, fftgen_dim *d, int count, spans *s) {
  for (int i = count - 1; i >= 0; i--) {
    long long in, out, n = d[i].n > 1 ? d[i].n : 1;
    bool usual = !d[i].is && !d[i].os;
    if (usual && !s->known) return false;
    if (usual) d[i].is = s->in, d[i].os = s->out;
    s->known = s->known && d[i].n >= 0 && (!p->nparam || (d[i].is >= 0 && d[i].os >= 0));
    s->known = s->known && !__builtin_mul_overflow(n, magnitude(d[i].is), &in);
    s->known = s->known && !__builtin_mul_overflow(n, magnitude(d[i].os), &out);
    if (!s->known) continue;
    s->in = in > s->in ? in : s->in, s->out = out > s->out ? out : s->out;
  }
  return true;
}

/* Whether outputs of n elements share some, where all strides are numbers: as those of c2c. */
static fftgen_status check_outputs(const fftgen_problem *full, fftgen_error *error) {
  char text[FFTGEN_TEXT_SIZE];
  fftgen_dim dim[FG_MAX_RANK], batch[FG_MAX_RANK];
  fftgen_problem p = *full;
  if (p.nparam) return FFTGEN_OK;
  for (int i = 0; i < p.rank; i++) dim[i] = full->dim[i], dim[i].is = dim[i].os = magnitude(dim[i].os);
  for (int i = 0; i < p.batch_rank; i++) batch[i] = full->batch[i], batch[i].is = batch[i].os = magnitude(batch[i].os);
  p.kind = FFTGEN_C2C, p.dim = dim, p.batch = batch, p.flags = 0, p.more = NULL;
  return fftgen_problem_text(&p, text, sizeof text, error);
}

static const char *wrong_struct(const fftgen_problem *p) {
  if (p->kind != FFTGEN_R2C) return "FFTGEN_FULL_SPECTRUM: of FFTGEN_R2C";
  if (p->flags & (FFTGEN_IN_PLACE | FFTGEN_SPLIT_OUT | FFTGEN_CALL_LENGTHS))
    return "FFTGEN_FULL_SPECTRUM: without FFTGEN_IN_PLACE, FFTGEN_SPLIT_OUT and FFTGEN_CALL_LENGTHS";
  if (p->rank < 1 || p->rank > FG_MAX_RANK || p->batch_rank < 0 || p->batch_rank > FG_MAX_RANK || !p->dim ||
      (p->batch_rank && !p->batch))
    return "fftgen_problem: rank or batch_rank; allowed: 1 .. 7, 0 .. 7, with lists";
  return NULL;
}

static const char *wrong_plan(const fftgen_plan *p) {
  const fg_problem *q = &p->problem;
  bool operations = q->nstore > (p->scale_at > 0);
  if (operations || q->in_place || q->split_out)
    return "FFTGEN_FULL_SPECTRUM: without store=, place= and layout= of outputs";
  return NULL;
}

fftgen_status fg_full_create(const fftgen_problem *given, const fftgen_options *options, fftgen_plan **plan,
                             fftgen_error *error) {
  fftgen_problem p = {0};
  fftgen_dim dim[FG_MAX_RANK], batch[FG_MAX_RANK];
  spans s = {1, 1, true};
  memcpy(&p, given, given->size < sizeof p ? given->size : sizeof p);
  const char *wrong = wrong_struct(&p);
  if (wrong) return fg_public_tell(error, FFTGEN_EPROBLEM, wrong);
  memcpy(dim, p.dim, (size_t)p.rank * sizeof *dim);
  if (p.batch_rank) memcpy(batch, p.batch, (size_t)p.batch_rank * sizeof *batch);
  if (!fill_strides(&p, dim, p.rank, &s) || !fill_strides(&p, batch, p.batch_rank, &s))
    return fg_public_tell(error, FFTGEN_EPROBLEM, "fftgen_problem: strides behind parameters; allowed: numbers");
  p.size = sizeof p, p.dim = dim, p.batch = batch, p.flags &= ~(unsigned)FFTGEN_FULL_SPECTRUM;
  fftgen_status status = check_outputs(&p, error);
  if (status == FFTGEN_OK && fg_halves_has(&p, options)) return fg_halves_create(&p, options, plan, error);
  if (status == FFTGEN_OK) status = fftgen_plan_create_from(&p, options, plan, error);
  if (status != FFTGEN_OK) return status;
  if ((wrong = wrong_plan(*plan))) {
    fftgen_plan_destroy(*plan);
    *plan = NULL;
    return fg_public_tell(error, FFTGEN_EPROBLEM, wrong);
  }
  (*plan)->full = true;
  (*plan)->direct = NULL, (*plan)->entry = NULL;
  return FFTGEN_OK;
}

void fg_full_fill(const fftgen_plan *p, const fftgen_arrays *a) {
  const fg_problem *q = &p->problem;
  int64_t bytes = fg_precision_bytes(q->storage);
  fg_mirror m; /* most of its axes are not touched */
  m.count = q->batch_rank + q->rank, m.bytes = (int)bytes;
  for (int i = 0; i < m.count; i++) {
    bool batch = i < q->batch_rank;
    const fg_dim *d = batch ? &q->batch[i] : &q->dim[i - q->batch_rank];
    int sign = p->staged ? fg_staged_sign(p, true, i) : 1;
    m.axis[i].n = fg_num_value(d->n, (const int64_t *)a->params);
    m.axis[i].stride = sign * fg_num_value(d->os, (const int64_t *)a->params) * 2 * bytes;
    m.axis[i].mirrored = !batch, m.axis[i].last = i == m.count - 1;
  }
  fg_mirror_fill(&m, a->out);
}
