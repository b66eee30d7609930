/* Chooses a stream's blocks. In: a stream whose text leaves them open. Out: its
 * levels.
 *
 * Without a bound on the latency it is one kernel of the length that takes
 * least for each sample, or blocks of one length. With a bound, lengths of
 * blocks double from the bound on, and every list of such lengths is estimated:
 * the least number of pieces of each that leaves the next one a whole block's
 * time to be computed in (Gardner 1995; Garcia 2002, "Optimal filter partition
 * for efficient convolution with short input/output delay"). Of the cheapest,
 * the one is taken whose mean work in a tick, and a part of the most work in
 * one, is least. */
#include "generator/stream/parts.h"
#include <math.h>
#include <string.h>

enum {
  LONGEST = 1 << 17, /* transform that is looked at */
  LEAST_BLOCK = 16,
  KEPT = 24,  /* choices that are scheduled */
  SPARE = 10, /* without a bound: a tenth more for shorter blocks */
  DOUBLINGS = 12
};

typedef struct estimate { /* of a problem */
  const char *problem;
  double cost;
  struct estimate *next;
} estimate;

typedef struct chooser {
  fg_context *cx;
  const fg_stream_request *r;
  const fg_isa *isa;
  size_t cache[3]; /* bytes of L1, L2, L3 */
  estimate *known;
  int count;
  fg_stream kept[KEPT];
  double cost[KEPT]; /* for each sample, rising */
  fg_status status;
} chooser;

/* Instruction sets of CPUs that have no others behind them do not decide. */
static const fg_isa *deciding_isa(const fg_stream_request *r) {
  int last = r->nisa - 1;
  while (last > 0 && strcmp(r->isa[last]->cpu, "x86-64") != 0) last--;
  return r->isa[last];
}

static double estimate_of(chooser *c, const char *problem) {
  for (estimate *e = c->known; e; e = e->next)
    if (!strcmp(e->problem, problem)) return e->cost;
  estimate *e = fg_arena_new(c->cx->arena, estimate, 1);
  fg_context own = {.arena = c->cx->arena, .library = c->cx->library};
  fg_compilation *made = fg_arena_new(c->cx->arena, fg_compilation, 1);
  fg_request request = {.problem = problem, .target = "c", .isa = c->isa->name, .machine = c->r->machine};
  *e = (estimate){.problem = problem, .cost = (double)NAN, .next = c->known};
  c->known = e;
  if (fg_pipeline_parse(&own, &request, made) == FG_OK && fg_pipeline_decide(made) == FG_OK) {
    e->cost = (double)made->chosen.cost.cost;
    for (int i = 0; i < 3; i++) c->cache[i] = made->facts.cache[i];
  }
  c->cx->library = own.library;
  return e->cost;
}

static double lanes_of(const chooser *c, const fg_stream *s) {
  int bytes = c->isa->vector_bytes;
  return bytes ? (double)bytes / fg_precision_bytes(s->precision) : 1;
}

/* Bytes of spectra that each period reads, of the filter and of the samples. */
static double spectra_bytes(const fg_stream *s) {
  double bytes = 0;
  for (int i = 0; i < s->nlevel; i++)
    bytes += (double)(s->level[i].parts * fg_stream_bins(s, &s->level[i]) * 2 * fg_precision_bytes(s->precision)) *
             (s->channels + (s->own_filters ? s->channels : 1));
  return bytes;
}

/* In the unit of the cost model, in which an operation of a vector is 16: four
 * fused products and four loads, which are slower from L2 and L3. */
static double bin_cost(const chooser *c, const fg_stream *s) {
  double bytes = spectra_bytes(s), vector = 64;
  if (bytes > (double)c->cache[0] / 2) vector = 160;
  if (bytes > (double)c->cache[1] / 2) vector = 256;
  return vector / lanes_of(c, s);
}

static void fill_costs(chooser *c, const fg_stream *s, fg_stream_costs *out) {
  *out = (fg_stream_costs){.bin = bin_cost(c, s), .tap = 16 * (s->is_complex ? 4 : 1) / lanes_of(c, s)};
  for (int i = 0; i < s->nlevel; i++) {
    const fg_stream_level *l = &s->level[i];
    if (l->fused) {
      out->fused[i] = estimate_of(c, fg_stream_problem(c->cx, s, l, FG_STREAM_FUSED));
      continue;
    }
    out->forward[i] = estimate_of(c, fg_stream_problem(c->cx, s, l, FG_STREAM_FORWARD));
    out->backward[i] = estimate_of(c, fg_stream_problem(c->cx, s, l, FG_STREAM_BACKWARD));
  }
}

/* Of a sample of all channels. */
static double cost_of(const fg_stream *s, const fg_stream_costs *costs) {
  double sum = costs->tap * (double)s->head;
  for (int i = 0; i < s->nlevel; i++) {
    const fg_stream_level *l = &s->level[i];
    double block =
        l->fused ? costs->fused[i]
                 : costs->forward[i] + costs->backward[i] + costs->bin * (double)(l->parts * fg_stream_bins(s, l));
    sum += block / (double)l->block;
  }
  return sum * s->channels;
}

/* Among the cheaper ones before entry `at`. */
static void place(chooser *c, int at, const fg_stream *s, double cost) {
  for (; at > 0 && c->cost[at - 1] > cost; at--) c->cost[at] = c->cost[at - 1], c->kept[at] = c->kept[at - 1];
  c->cost[at] = cost;
  c->kept[at] = *s;
}

/* One choice more, if its kernels can be built. */
static void keep(chooser *c, fg_stream s) {
  const char *why;
  fg_stream_costs costs;
  if (!fg_stream_lay_out(c->cx, &s, &why)) return;
  fill_costs(c, &s, &costs);
  double cost = cost_of(&s, &costs);
  if (isnan(cost)) return;
  int at = c->count < KEPT ? c->count++ : KEPT - 1;
  if (at == KEPT - 1 && c->count == KEPT && c->cost[at] > 0 && c->cost[at] <= cost) return;
  place(c, at, &s, cost);
}

/* ---- no bound ------------------------------------------------------------------------- */

static void try_one_kernel(chooser *c, const fg_stream *s) {
  for (int64_t n = 32; n <= LONGEST; n *= 2)
    for (int64_t odd = 4; odd <= 6; odd += 2) { /* n and 3/2 n */
      int64_t points = n * odd / 4, block = points - s->taps + 1;
      bool sensible = 8 * block >= s->taps && (block <= 8 * s->taps || points <= 4096);
      fg_stream one = *s;
      one.block = block;
      if (block > 0 && sensible) keep(c, one);
    }
}

static void try_uniform(chooser *c, const fg_stream *s) {
  for (int64_t block = 256; 2 * block <= LONGEST && block < s->taps; block *= 2) {
    fg_stream one = *s;
    one.nlevel = 1;
    one.level[0] = (fg_stream_level){.block = block};
    keep(c, one);
  }
}

/* ---- a bound
 * ---------------------------------------------------------------------------------
 */

/* Lists of lengths as bits: bit i is first * 2^i. False: taps end before the
 * last one. */
static bool set_lengths(fg_stream *s, int64_t first, unsigned bits, bool head) {
  int64_t tap = head ? first : 0;
  s->nlevel = 0;
  for (int i = 0; i < DOUBLINGS; i++) {
    if (!(bits >> i & 1)) continue;
    int64_t block = first << i, wanted = 2 * block - (head ? first : 2 * first);
    if (s->nlevel) {
      fg_stream_level *l = &s->level[s->nlevel - 1];
      l->parts = wanted > tap ? (wanted - tap + l->block - 1) / l->block : 1;
      tap += l->parts * l->block;
    }
    if (tap >= s->taps || s->nlevel == FG_STREAM_LEVELS || 2 * block > LONGEST) return false;
    s->level[s->nlevel++] = (fg_stream_level){.block = block};
  }
  return true;
}

static void try_lengths(chooser *c, const fg_stream *s, int64_t first, bool head) {
  if (first > s->latency + 1 && !head) return;
  for (unsigned bits = 1; bits < 1u << DOUBLINGS; bits += 2) {
    fg_stream one = *s;
    if (set_lengths(&one, first, bits, head)) keep(c, one);
  }
}

static void try_bounded(chooser *c, const fg_stream *s) {
  int64_t two = LEAST_BLOCK;
  if (s->latency + 1 < LEAST_BLOCK) {
    fg_stream one = *s;
    one.block = s->latency + 1;
    for (int64_t first = LEAST_BLOCK; first <= 64; first *= 2) try_lengths(c, s, first, true);
    if (s->taps <= LEAST_BLOCK) keep(c, one); /* too short for taps that are applied directly and blocks */
    return;
  }
  while (2 * two <= s->latency + 1) two *= 2;
  try_lengths(c, s, two, false);
  if (two >= 2 * LEAST_BLOCK) try_lengths(c, s, two / 2 * 3, false);
}

/* ---- the choice
 * ----------------------------------------------------------------------------------
 */

static fg_status look(fg_context *cx, const fg_stream_request *r, chooser *c) {
  const fg_stream *s = &r->stream;
  *c = (chooser){.cx = cx, .r = r, .isa = deciding_isa(r)};
  if (s->nlevel || s->block) {
    keep(c, *s);
  } else if (s->latency >= 0) {
    try_bounded(c, s);
  } else {
    try_one_kernel(c, s);
    try_uniform(c, s);
  }
  if (c->count) return FG_OK;
  return fg_refuse(cx,
                   "stream: no blocks for %s; allowed: another latency=, "
                   "block= or partition=",
                   fg_stream_print(cx, s));
}

fg_status fg_stream_costs_of(fg_context *cx, const fg_stream_request *r, const fg_stream *s, fg_stream_costs *out) {
  chooser *c = fg_arena_new(cx->arena, chooser, 1);
  *c = (chooser){.cx = cx, .r = r, .isa = deciding_isa(r)};
  fill_costs(c, s, out);
  return FG_OK;
}

/* Without a bound on the latency: the shortest block that costs at most a tenth more than the cheapest comes first. */
static void prefer_short(chooser *c) {
  int best = 0;
  for (int i = 1; i < c->count && c->cost[i] * SPARE <= c->cost[0] * (SPARE + 1); i++)
    if (c->kept[i].level[0].block < c->kept[best].level[0].block) best = i;
  fg_stream first = c->kept[best];
  for (; best > 0; best--) c->kept[best] = c->kept[best - 1];
  c->kept[0] = first;
}

/* With a bound: by the mean work in a tick and a part of the most in one, as
 * tune judges times. */
static fg_status rank(chooser *c) {
  if (c->r->stream.latency < 0) prefer_short(c);
  for (int i = 0; c->r->stream.latency >= 0 && i < c->count; i++) {
    fg_stream s = c->kept[i];
    fg_stream_costs costs;
    fg_stream_schedule schedule;
    fill_costs(c, &s, &costs);
    fg_status status = fg_stream_plan_work(c->cx, &s, &costs, &schedule);
    if (status != FG_OK) return status;
    double cost = (schedule.mean + schedule.worst / FG_STREAM_EVEN) / (double)s.level[0].block;
    place(c, i, &s, cost);
  }
  return FG_OK;
}

fg_status fg_stream_candidates(fg_context *cx, const fg_stream_request *r, int most, fg_stream *out, int *count) {
  chooser *c = fg_arena_new(cx->arena, chooser, 1);
  fg_status status = look(cx, r, c);
  if (status == FG_OK) status = rank(c);
  *count = c->count < most ? c->count : most;
  for (int i = 0; status == FG_OK && i < *count; i++) out[i] = c->kept[i];
  return status;
}

fg_status fg_stream_choose(fg_context *cx, fg_stream_request *r) {
  fg_stream best;
  int count = 0;
  fg_status status = fg_stream_candidates(cx, r, 1, &best, &count);
  if (status == FG_OK) r->stream = best;
  return status;
}
