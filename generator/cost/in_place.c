/* Short transforms in place, in the shipped model: a call works on what the call before stored, or its caller. In: a
 * program. Out: the cost of waiting for that, in the unit of cost.c.
 *
 * A processor hands a vector that waits to be stored to a load of it, or of a part. Where two of them have parts of
 * what is loaded, or where such a vector is two halves, the load waits until all is in L1. Calls of other arrays
 * overlap, so that they hide it. */
#include "generator/cost/cost_parts.h"
#include "generator/ir/program_machine.h"
#include "generator/problem/shape.h"

/* Vectors of an access: a loop of iterations over slots. */
typedef struct vectors_of {
  int64_t slots, apart, from, iterations, step, last, width;
} vectors_of;

static bool find_vectors(const fg_kernel *k, const fg_stage *s, const fg_access *a, vectors_of *v) {
  const fg_index *x = &a->index;
  fg_num apart = fg_affine_coef(&x->at, a->reg);
  bool plain = a->move == FG_MOVE_CONTIG && !a->rest && !x->mod && x->lookup < 0 && !x->pad_every;
  if (!plain || apart.form != FG_NUM_CONST || x->at.offset.form != FG_NUM_CONST) return false;
  *v = (vectors_of){k->digit[a->reg].extent.n, apart.n, x->at.offset.n, 1, 0, INT64_MAX, fg_stage_lanes(k, s)};
  for (int i = 0; i < s->nloop; i++) {
    const fg_digit *loop = &k->digit[s->loop[i]];
    if (loop->role == FG_ROLE_LANE) continue;
    v->from += fg_affine_coef(&x->at, s->loop[i]).n * loop->start.n;
    if (fg_num_is(loop->extent, 1)) continue;
    if (v->step || loop->extent.form != FG_NUM_CONST || !fg_num_is(fg_affine_coef(&x->at, s->loop[i]), 1)) return false;
    v->iterations = loop->extent.n, v->step = loop->step, v->last = loop->last;
  }
  return true;
}

static int64_t begin_of(const vectors_of *v, int64_t i, int64_t m) {
  return v->from + m * v->apart + (i * v->step < v->last ? i * v->step : v->last);
}

/* -1: no vector has a part of what begins at `at`; else whether the last one that has has all of it. */
static int has_stored(const vectors_of *v, int64_t at, int64_t width) {
  for (int64_t i = v->iterations - 1; i >= 0; i--)
    for (int64_t m = 0; m < v->slots; m++) {
      int64_t begin = begin_of(v, i, m);
      if (begin < at + width && at < begin + v->width) return begin <= at && at + width <= begin + v->width;
    }
  return -1;
}

static bool misses_stores(const fg_kernel *k, const fg_stage *s) {
  const fg_stage *last = &k->stage[k->nstage - 1], *before = fg_stage_is_rest(k, last) ? last - 1 : last;
  vectors_of loads, stores[2];
  if (!find_vectors(k, s, &s->load, &loads) || !find_vectors(k, last, &last->store, &stores[0]) ||
      !find_vectors(k, before, &before->store, &stores[1]))
    return false;
  for (int64_t i = 0; i < loads.iterations; i++)
    for (int64_t m = 0; m < loads.slots; m++) {
      int64_t at = begin_of(&loads, i, m);
      int found = has_stored(&stores[0], at, loads.width);
      if (!(found < 0 ? has_stored(&stores[1], at, loads.width) : found)) return true;
    }
  return false;
}

static bool misses(const fg_kernel *k) {
  bool rest = k->nstage > 1 && fg_stage_is_rest(k, k->stage + 1);
  return misses_stores(k, k->stage) || (rest && misses_stores(k, k->stage + 1));
}

/* Its vectors are two halves. */
static bool is_halved(const fg_program *p, const fg_kernel *k, const fg_stage *s) {
  int bytes = fg_stage_lanes(k, s) * fg_precision_bytes(p->problem.compute) * (s->vectors.packed && s->codelet ? 2 : 1);
  return fg_program_machine(p)->double_pumped && bytes >= core->wide_bytes;
}

int64_t fg_cost_in_place(const fg_program *p) {
  const fg_kernel *k = p->kernel[0];
  bool one = p->nkernel == 1 && !k->nouter && p->problem.in_place && fg_problem_kind_is_complex(p->problem.kind);
  if (!one || fg_buffer_bytes(&p->buffer[FG_BUFFER_OUT]) > core->few_iterations) return 0;
  return (misses(k) || is_halved(p, k, k->stage) ? core->missed : 0) + core->turn * (k->nstage - 1);
}
