/* The shipped cost model: integers only, so that a plan is chosen alike on every
 * machine when nothing was measured. Unit: sixteenths of a vector instruction of
 * one lane-full, roughly.
 *
 * Two pipes work side by side, arithmetic and moves; the slower one counts, a
 * quarter of the faster one on top. Every pass costs a fixed amount; bytes beyond
 * a level of a typical cache hierarchy count more. */
#include "generator/program.h"

enum { CALL = 16 * 10, PASS = 16 * 6 };

static int64_t max64(int64_t a, int64_t b) { return a > b ? a : b; }
static int64_t min64(int64_t a, int64_t b) { return a < b ? a : b; }

static int64_t elements_of(const fg_program *p, const fg_kernel *k, const fg_stage *s) {
  int64_t params[FG_MAX_PARAMS];
  for (int i = 0; i < p->problem.nparam; i++) params[i] = p->problem.param[i].lo;
  return fg_stage_instances(k, s, params);
}

/* Instructions that one vector's worth of one access takes, in sixteenths. */
static int64_t move_price(const fg_program *p, const fg_access *a, int lanes) {
  int64_t plain = p->buffer[a->buffer].layout == FG_LAYOUT_SPLIT ? 2 : 4;
  switch (a->move) {
  case FG_MOVE_CONTIG: return 16 * plain;
  case FG_MOVE_SAME: return 16 * 2;
  case FG_MOVE_TRANSPOSE: return 16 * (plain + 8);
  case FG_MOVE_GATHER: return 16 * 3 * lanes;
  case FG_MOVE_NONE: break;
  }
  return 16 * 2;
}

/* A codelet with more values than registers spills: each value costs more. */
static int64_t arithmetic_price(const fg_codelet *c) {
  int64_t ops = c->count.add + c->count.mul + c->count.fma + c->count.neg;
  int64_t slots = c->nin / 2;
  int64_t spills = slots > 16 ? 4 * (slots - 16) : 0;
  return 16 * (ops + spills);
}

/* Bytes of everything that a call touches decide which cache it lives in. */
static int64_t byte_weight(int64_t footprint) {
  if (footprint <= 40 << 10) return 1;
  if (footprint <= 1 << 20) return 2;
  if (footprint <= 32 << 20) return 5;
  return 14;
}

static int64_t stage_price(const fg_program *p, const fg_kernel *k, const fg_stage *s) {
  int lanes = fg_stage_lanes(k, s);
  int64_t vectors = max64(1, elements_of(p, k, s) / lanes);
  int64_t slots = s->codelet ? s->codelet->nin / 2 : 1;
  int64_t moves = slots * (move_price(p, &s->load, lanes) + move_price(p, &s->store, lanes));
  if (s->has_twiddle) moves += s->codelet->ntw / 2 * move_price(p, &s->twiddle, lanes);
  int64_t arithmetic = s->codelet ? arithmetic_price(s->codelet) : 0;
  int64_t both = max64(moves, arithmetic) + min64(moves, arithmetic) / 4;
  return PASS + vectors * both / 2;
}

int64_t fg_cost_estimate(const fg_program *p, const fg_program_cost *counts) {
  int64_t cost = CALL * p->nkernel;
  for (int i = 0; i < p->nkernel; i++)
    for (int s = 0; s < p->kernel[i]->nstage; s++) cost += stage_price(p, p->kernel[i], &p->kernel[i]->stage[s]);
  int64_t footprint = counts->scratch_bytes + counts->table_bytes;
  footprint += fg_buffer_bytes(&p->buffer[FG_BUFFER_IN]) + fg_buffer_bytes(&p->buffer[FG_BUFFER_OUT]);
  return cost + (counts->bytes + counts->local_bytes) / 8 * byte_weight(footprint);
}
