/* See features.h. In: a program. Out: how often each feature occurs in one call.
 *
 * Vectors, not elements, are counted: a loop of 16 lanes costs what one of 4 does. Bytes are counted for the cache
 * that holds the working set between two accesses to the same data (for scratch and tables, the loops inside of the
 * kernel's outermost ones; for arrays, the whole call, which is repeated); near the size of a cache they are divided
 * between two levels. */
#include "tuning/search/features.h"
#include "generator/codelet/library.h"
#include "generator/cost/moves.h"
#include "generator/ir/program_machine.h"
#include "generator/problem/shape.h"
#include "targets/machine/limits.h"
#include <math.h>
#include <string.h>

enum { LEVELS = 4, MUCH_SPILLED = 64 };

const fg_feature_info *fg_feature_table(void) {
#define FEATURE(NAME, text, usual, meaning) {text, usual, meaning},
  static const fg_feature_info table[] = {
#include "tuning/search/features.def"
  };
#undef FEATURE
  return table;
}

typedef struct counter {
  fg_context *cx;
  const fg_program *p;
  const fg_feature_machine *machine;
  const int64_t *params;
  const fg_kernel *k;
  bool joined;       /* k's stages are one function, its scratch is values */
  double rounds;     /* iterations of k's outermost loops */
  double set, inner; /* working sets: bytes of the whole call; of one round */
  fg_features *out;
} counter;

static void add(counter *c, fg_feature f, double count) { c->out->count[f] += count; }

/* ---- working sets ------------------------------------------------------------ */

static double rounds_of(const counter *c, const fg_kernel *k) {
  double rounds = 1;
  for (int i = 0; i < k->nouter; i++) rounds *= (double)fg_digit_extent(&k->digit[k->outer[i]], c->params);
  return rounds;
}

/* Of arrays with run-time strides the parameter's share is not seen: upper ends. */
static double array_bytes(const counter *c, int buffer) {
  const fg_buffer *b = &c->p->buffer[buffer];
  const fg_problem *q = &c->p->problem;
  double bytes = (double)fg_buffer_bytes(b);
  if (b->space != FG_SPACE_INPUT && b->space != FG_SPACE_OUTPUT) return bytes;
  double most = (double)fg_problem_points(q) * (double)fg_problem_batch_count(q, c->params) * fg_buffer_parts(b) *
                fg_precision_bytes(b->precision);
  return fmin(bytes, most);
}

static double element_bytes(const counter *c, const fg_access *a) {
  const fg_buffer *b = &c->p->buffer[a->buffer];
  return fg_buffer_parts(b) * fg_precision_bytes(b->precision);
}

static bool is_inner(const fg_buffer *b) { return b->space == FG_SPACE_LOCAL || b->space == FG_SPACE_TABLE; }

static double whole_set(const counter *c) {
  double bytes = 0;
  for (int i = 0; i < c->p->nbuffer; i++)
    if (c->p->buffer[i].alias < 0) bytes += array_bytes(c, i);
  return bytes;
}

static double stage_instances(const counter *c, const fg_stage *s) {
  return (double)fg_stage_instances(c->k, s, c->params);
}

static void add_access_set(const counter *c, const fg_stage *s, const fg_access *a, bool *seen, double *bytes) {
  const fg_buffer *b = &c->p->buffer[a->buffer];
  if (is_inner(b) && !seen[a->buffer]) *bytes += fg_buffer_bytes(b);
  if (!is_inner(b))
    *bytes += stage_instances(c, s) / c->rounds * (double)c->k->digit[a->reg].extent.n * element_bytes(c, a);
  seen[a->buffer] = true;
}

static double inner_set(const counter *c) {
  bool seen[FG_MAX_BUFFERS] = {false};
  double bytes = 0;
  for (int i = 0; i < c->k->nstage; i++) {
    const fg_stage *s = &c->k->stage[i];
    add_access_set(c, s, &s->load, seen, &bytes);
    add_access_set(c, s, &s->store, seen, &bytes);
    if (s->factors.has_twiddle) add_access_set(c, s, &s->factors.twiddle, seen, &bytes);
    if (s->factors.has_more) add_access_set(c, s, &s->factors.more, seen, &bytes);
  }
  return fmin(bytes, c->set);
}

/* share[l]: the part of a working set's touches that level l serves. */
static void share_levels(const counter *c, double set, double share[LEVELS]) {
  double left = 1;
  for (int l = 0; l < LEVELS - 1; l++) {
    double size = (double)c->machine->cache[l];
    double held = size > 0 ? fmin(fmax((1.25 * size - set) / (0.5 * size), 0), 1) : 0;
    share[l] = left * held;
    left -= share[l];
  }
  share[LEVELS - 1] = left;
}

static void add_bytes(counter *c, const fg_access *a, double bytes, bool stores) {
  static const fg_feature at[2][LEVELS] = {{FG_FEATURE_COUNT, FG_FEATURE_LOAD2, FG_FEATURE_LOAD3, FG_FEATURE_LOADM},
                                           {FG_FEATURE_COUNT, FG_FEATURE_STORE2, FG_FEATURE_STORE3, FG_FEATURE_STOREM}};
  double share[LEVELS];
  if (stores && a->stream) {
    add(c, FG_FEATURE_STREAM, bytes);
    return;
  }
  share_levels(c, is_inner(&c->p->buffer[a->buffer]) ? c->inner : c->set, share);
  for (int l = 1; l < LEVELS; l++) add(c, at[stores][l], bytes * share[l]);
}

/* ---- instructions ------------------------------------------------------------ */

typedef struct work { /* of one vector of a stage */
  double add, fma, shuffle, load, store, single, spill, crowd, refit;
} work;

static void count_moves(const counter *c, const fg_stage *s, const fg_access *a, work *w) {
  const fg_buffer *b = &c->p->buffer[a->buffer];
  fg_move_form f = fg_cost_move_form(c->p, c->k, s, a, a != &s->store);
  fg_move_count m = fg_cost_move_counts(&f);
  double each = (double)f.slots * (double)m.times / (double)m.shared_by / (double)m.halves;
  double *moves = a == &s->store ? &w->store : &w->load;
  if (a->move == FG_MOVE_GATHER) moves = &w->single;
  if (!(c->joined && b->space == FG_SPACE_LOCAL)) *moves += each * (double)(m.moves + m.narrow + m.single);
  w->shuffle += each * (double)(m.shuffles + m.selects);
}

static int depth_of(fg_context *cx, const fg_codelet *c) {
  int *depth = fg_arena_new(cx->arena, int, c->nnode + 1), most = 0;
  for (int i = 0; i < c->nnode; i++) {
    const fg_dnode *n = &c->node[i];
    const fg_node from[] = {n->a, n->b, n->c};
    int count = fg_op_operands(n->op);
    for (int k = 0; k < count; k++)
      if (depth[from[k]] + 1 > depth[i]) depth[i] = depth[from[k]] + 1;
    if (depth[i] > most) most = depth[i];
  }
  return most;
}

static void count_arithmetic(const counter *c, const fg_stage *s, work *w) {
  const fg_codelet *k = s->codelet;
  const fg_schedule *schedule = fg_codelet_library_schedule(c->cx, k);
  double pairs = s->vectors.packed ? 2 : 1;
  double spills = (c->machine->registers > 16 ? schedule->spills32 : schedule->spills16) / pairs;
  w->add += (k->count.add + k->count.neg) / pairs;
  w->fma += (k->count.mul + k->count.fma) / pairs + 4 * fg_stage_products(s);
  w->spill += spills;
  w->crowd += fmax(spills - MUCH_SPILLED, 0);
  if (!s->vectors.packed) return;
  w->fma += k->ntw; /* a product of pairs is two */
  int loads = k->nin / 4;
  w->shuffle += loads + k->ntw;
}

/* Lines of rows of 2^a numbers are stored as wide as they are loaded (lower/transpose.c). */
static bool is_stored_wide(const fg_kernel *k, const fg_stage *s) {
  int64_t slots = fg_access_slots(k, &s->store);
  return s->store.move == FG_MOVE_TRANSPOSE && (slots & (slots - 1)) == 0;
}

/* A load waits until a narrower store that it covers has left for the cache. */
static bool is_refit(const counter *c, const fg_stage *s) {
  if (c->joined || s == c->k->stage || c->p->buffer[s->load.buffer].space != FG_SPACE_LOCAL) return false;
  int before = fg_stage_lanes(c->k, s - 1), lanes = fg_stage_lanes(c->k, s);
  return (before < lanes && !is_stored_wide(c->k, s - 1)) || fmod(stage_instances(c, s) / c->rounds, lanes) != 0;
}

/* ---- stages -------------------------------------------------------------------- */

static bool aliases(const counter *c, const fg_access *a) {
  int64_t slots = c->k->digit[a->reg].extent.n;
  fg_num distance = fg_affine_coef(&a->index.at, a->reg);
  if (slots <= limit->l1_set_lines || distance.form != FG_NUM_CONST || a->index.pad_every) return false;
  return distance.n * (int64_t)element_bytes(c, a) % fg_program_page(c->p) == 0 && distance.n;
}

static double roots_bytes(const counter *c, const fg_access *a) {
  return (double)c->k->digit[a->reg].extent.n * (double)element_bytes(c, a);
}

static void count_stage(counter *c, const fg_stage *s) {
  double instances = stage_instances(c, s), lanes = fg_stage_lanes(c->k, s);
  double loads = (double)c->k->digit[s->load.reg].extent.n, stores = (double)c->k->digit[s->store.reg].extent.n;
  double vectors = c->rounds * ceil(instances / c->rounds / lanes);
  work w = {0};
  count_moves(c, s, &s->load, &w);
  count_moves(c, s, &s->store, &w);
  if (s->factors.has_twiddle) count_moves(c, s, &s->factors.twiddle, &w);
  if (s->factors.has_more) count_moves(c, s, &s->factors.more, &w);
  if (s->codelet) {
    count_arithmetic(c, s, &w);
    add(c, FG_FEATURE_DEPTH, c->rounds * depth_of(c->cx, s->codelet));
  }
  w.refit = is_refit(c, s) * loads;
  add(c, FG_FEATURE_WAIT, c->rounds * is_refit(c, s));
  add(c, FG_FEATURE_START, c->joined && s != c->k->stage ? 0 : c->rounds);
  add(c, FG_FEATURE_TURN, vectors);
  add(c, FG_FEATURE_ADD, vectors * w.add);
  add(c, FG_FEATURE_FMA, vectors * w.fma);
  add(c, FG_FEATURE_SHUFFLE, vectors * w.shuffle);
  add(c, FG_FEATURE_LOAD, vectors * w.load);
  add(c, FG_FEATURE_STORE, vectors * w.store);
  add(c, FG_FEATURE_SINGLE, vectors * w.single);
  add(c, FG_FEATURE_SPILL, vectors * w.spill);
  add(c, FG_FEATURE_CROWD, vectors * w.crowd);
  add(c, FG_FEATURE_REFIT, vectors * w.refit);
  double arithmetic = (w.add + w.fma + w.shuffle) / 2;
  double most = fmax(fmax(arithmetic, w.shuffle), fmax(w.store + w.spill, (w.load + w.spill) / 2));
  add(c, FG_FEATURE_BOUND, vectors * most);
  add(c, FG_FEATURE_ALIAS, vectors * (aliases(c, &s->load) * loads + aliases(c, &s->store) * stores));
  add_bytes(c, &s->load, instances * loads * element_bytes(c, &s->load), false);
  add_bytes(c, &s->store, instances * stores * element_bytes(c, &s->store), true);
  if (s->factors.has_twiddle) add_bytes(c, &s->factors.twiddle, instances * roots_bytes(c, &s->factors.twiddle), false);
  if (s->factors.has_more) add_bytes(c, &s->factors.more, instances * roots_bytes(c, &s->factors.more), false);
}

/* Arithmetic and exchanges of a joined kernel as they are written, in place of
 * what was counted of its stages. Other dialects of CPUs write the same. */
static void count_written(counter *c, const fg_compilation *compiled) {
  static const fg_feature written[] = {FG_FEATURE_ADD, FG_FEATURE_FMA, FG_FEATURE_SHUFFLE, FG_FEATURE_LOAD,
                                       FG_FEATURE_STORE};
  fg_context own = {.arena = fg_arena_create(), .library = c->cx->library};
  fg_emit_options options = {.dialect = fg_dialect_find("c"), .isa = compiled->isa};
  fg_emitted text;
  fg_features f;
  if (!own.arena || fg_arena_guard(own.arena)) {
    fg_arena_destroy(own.arena);
    longjmp(*fg_arena_recovery(c->cx->arena), 1);
  }
  if (fg_emit(&own, c->p, &options, &text) == FG_OK && fg_features_count_text(text.artifact.source, &f)) {
    double *count = c->out->count;
    for (size_t i = 0; i < sizeof written / sizeof *written; i++) count[written[i]] = c->rounds * f.count[written[i]];
    double arithmetic = count[FG_FEATURE_ADD] + count[FG_FEATURE_FMA] + count[FG_FEATURE_SHUFFLE];
    count[FG_FEATURE_BOUND] = fmax(fmax(arithmetic / 2, count[FG_FEATURE_SHUFFLE]), count[FG_FEATURE_STORE]);
  }
  fg_arena_destroy(own.arena);
}

void fg_features_count(const fg_compilation *compiled, const fg_program *p, const fg_feature_machine *m,
                       const int64_t *params, fg_features *out) {
  int64_t lowest[FG_MAX_PARAMS];
  for (int i = 0; i < p->problem.nparam; i++) lowest[i] = p->problem.param[i].lo;
  counter c = {.cx = compiled->cx, .p = p, .machine = m, .params = params ? params : lowest, .out = out};
  *out = (fg_features){{0}};
  c.set = whole_set(&c);
  add(&c, FG_FEATURE_CALL, 1);
  add(&c, FG_FEATURE_KERNEL, p->nkernel - 1);
  for (int i = 0; i < p->nkernel; i++) {
    c.k = p->kernel[i];
    c.rounds = rounds_of(&c, c.k);
    c.joined = fg_kernel_is_joined(c.k);
    c.inner = c.rounds > 1 ? inner_set(&c) : c.set;
    for (int s = 0; s < c.k->nstage; s++) count_stage(&c, &c.k->stage[s]);
  }
  if (p->nkernel == 1 && c.joined) count_written(&c, compiled);
}
