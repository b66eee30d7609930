/* Codelets. In: a key (kind, length, sign, twiddles, form). Out: a straight-line program over reals. It is built by
 * algo/, simplified and fused; then checked, counted, evaluated and printed. */
#include "generator/codelet/codelet.h"
#include "generator/base/invariant.h"
#include "generator/base/strbuf.h"
#include "generator/base/text_match.h"
#include "generator/codelet/algo/kind.h"
#include "generator/codelet/algo/steps.h"
#include "generator/codelet/fuse.h"
#include "generator/codelet/noise.h"
#include "generator/codelet/simplify.h"
#include "generator/math/constant_value.h"
#include <inttypes.h>
#include <math.h>

enum { LIMIT = 128, MATRIX_LIMIT = 255 };

/* ---- operations --------------------------------------------------------- */

static const struct {
  const char *name, *meaning;
} OPS[] = {
#define OP(NAME, operands, meaning) {#NAME, meaning},
#include "targets/forms/ops.def"
#undef OP
};

const char *fg_op_name(fg_op op) { return OPS[op].name; }
int fg_codelet_limit(void) { return LIMIT; }
int fg_codelet_matrix_limit(void) { return MATRIX_LIMIT; }

/* ---- construction ------------------------------------------------------- */

static bool all_elements(fg_twiddle t) { return t == FG_TW_IN_ALL || t == FG_TW_OUT_ALL; }

/* The side where the key wants twiddle factors. */
static fg_codelet_side twiddle_side(const fg_codelet_key *key) {
  bool inputs = key->twiddle == FG_TW_IN || key->twiddle == FG_TW_IN_ALL;
  return inputs ? fg_codelet_input(key->kind, key->n) : fg_codelet_output(key->kind, key->n);
}

static int twiddle_slots(const fg_codelet_key *key) {
  int factors = fg_codelet_factors(key->kind, key->n);
  if (factors) return 2 * (key->twiddle == FG_TW_NONE ? factors : factors + key->n - 1);
  if (key->twiddle == FG_TW_NONE) return 0;
  if (key->twiddle == FG_TW_STEPS) return key->n;
  int elements = twiddle_side(key).elements;
  return 2 * (all_elements(key->twiddle) ? elements : elements - 1);
}

static void multiply_twiddles(fg_dag *d, const fg_codelet_key *key, fg_edge *x) {
  int first = all_elements(key->twiddle) ? 0 : 1;
  for (int k = first; k < twiddle_side(key).elements; k++) {
    fg_cedge y = fg_dag_mul_twiddle(d, (fg_cedge){x[2 * k], x[2 * k + 1]}, (uint32_t)(2 * (k - first)));
    x[2 * k] = y.re;
    x[2 * k + 1] = y.im;
  }
}

/* A complex transform with its factors at each step. */
static void build_steps(fg_dag *d, const fg_codelet_key *key, const fg_edge *in, fg_edge *out) {
  fg_cedge *x = fg_arena_new(d->cx->arena, fg_cedge, key->n), *y = fg_arena_new(d->cx->arena, fg_cedge, key->n);
  for (int k = 0; k < key->n; k++) x[k] = (fg_cedge){in[2 * k], in[2 * k + 1]};
  fg_steps_build(d, (fg_dft){key->n, key->sign}, x, y);
  for (int k = 0; k < key->n; k++) out[2 * k] = y[k].re, out[2 * k + 1] = y[k].im;
}

static int input_slots(const fg_codelet_key *key) {
  return key->inputs ? 2 * key->inputs : fg_codelet_slots(fg_codelet_input(key->kind, key->n));
}

static int output_slots(const fg_codelet_key *key) {
  return key->outputs ? 2 * key->outputs : fg_codelet_slots(fg_codelet_output(key->kind, key->n));
}

typedef struct candidate { /* one way to build what a key asks for */
  const fg_algo *row;
  int variant;        /* see fg_kind_task */
  int accuracy;       /* as fg_dag's */
  fg_fma_form target; /* the form in which operations are counted while simplifying */
} candidate;

static fg_network build(fg_context *cx, const fg_codelet_key *key, const candidate *how) {
  int period = fg_codelet_kind_period(key->kind, key->n);
  fg_dag *d = fg_dag_create(cx, fg_const_pool_create(cx), fg_algo_order(period), how->target);
  d->accuracy = how->accuracy;
  fg_network net = {.dag = d, .nin = input_slots(key), .nout = output_slots(key)};
  int slots = fg_codelet_slots(fg_codelet_input(key->kind, key->n));
  fg_edge *in = fg_arena_new(cx->arena, fg_edge, slots);
  net.out = fg_arena_new(cx->arena, fg_edge, fg_codelet_slots(fg_codelet_output(key->kind, key->n)));
  for (int i = 0; i < slots; i++) in[i] = i < net.nin ? fg_dag_input(d, (uint32_t)i) : FG_ZERO;
  bool inside = fg_codelet_convolves(key->kind);
  fg_kind_task task = {key->kind, key->n, key->sign, how->row, how->variant, inside && key->twiddle != FG_TW_NONE};
  if (key->twiddle == FG_TW_STEPS) {
    build_steps(d, key, in, net.out);
    return fg_simplify(&net);
  }
  fg_codelet_kind_separate(d, &task, in);
  if (!inside && (key->twiddle == FG_TW_IN || key->twiddle == FG_TW_IN_ALL)) multiply_twiddles(d, key, in);
  fg_codelet_kind_build(d, &task, in, net.out);
  if (key->twiddle == FG_TW_OUT || key->twiddle == FG_TW_OUT_ALL) multiply_twiddles(d, key, net.out);
  fg_codelet_kind_merge(d, &task, net.out);
  return fg_simplify(&net);
}

static fg_op_count count_operations(const fg_codelet *c) {
  fg_op_count count = {0, 0, 0, 0};
  for (int i = 0; i < c->nnode; i++) switch (c->node[i].op) {
    case FG_OP_ADD:
    case FG_OP_SUB: count.add++; break;
    case FG_OP_MUL: count.mul++; break;
    case FG_OP_NEG: count.neg++; break;
    case FG_OP_FMA:
    case FG_OP_FMS:
    case FG_OP_FNMA: count.fma++; break;
    default: break;
    }
  return count;
}

static const fg_codelet *create(fg_context *cx, const fg_codelet_key *key, const candidate *how) {
  fg_network net = build(cx, key, how);
  fg_codelet *c = fg_arena_new(cx->arena, fg_codelet, 1);
  *c = (fg_codelet){
      .key = *key, .algo = key->twiddle == FG_TW_STEPS ? "steps" : how->row->name, .nin = net.nin, .nout = net.nout};
  c->ntw = twiddle_slots(key);
  fg_fuse(cx, &net, c);
  c->count = count_operations(c);
  fg_invariant(fg_codelet_valid(c, NULL));
  return c;
}

enum { MOST_CANDIDATES = 64 };

typedef struct entry {
  candidate how;
  fg_op_count count;
  double noise; /* its root; 0: not computed */
} entry;

typedef struct selection {
  const fg_codelet_key *key;
  int count;
  entry entry[MOST_CANDIDATES];
} selection;

static int operations(const fg_op_count *c) { return c->add + c->mul + c->fma + c->neg; }

/* Fewer operations; among equals fewer additions in the add-mul form: those cannot
 * be avoided by a compiler that fuses. */
static bool cheaper(const fg_op_count *a, const fg_op_count *b) {
  int x = operations(a), y = operations(b);
  return x != y ? x < y : a->add < b->add;
}

/* In the fused form it may also be better to simplify as if nothing were fused. */
static void enter(selection *c, candidate how) {
  for (how.accuracy = c->key->accurate; how.accuracy <= 2 * c->key->accurate; how.accuracy++)
    for (int target = (int)c->key->form; target >= 0 && c->count < MOST_CANDIDATES; target--) {
      how.target = (fg_fma_form)target;
      c->entry[c->count++].how = how;
    }
}

/* In an arena of its own: what is not taken leaves nothing behind. */
static void judge(fg_context *cx, const fg_codelet_key *key, entry *e) {
  fg_context own = {.arena = fg_arena_create()};
  if (!own.arena || fg_arena_guard(own.arena)) {
    fg_arena_destroy(own.arena);
    longjmp(*fg_arena_recovery(cx->arena), 1);
  }
  const fg_codelet *c = create(&own, key, &e->how);
  e->count = c->count;
  e->noise = key->accurate ? sqrt(fg_codelet_noise(&own, c)) : 0;
  fg_arena_destroy(own.arena);
}

/* The cheapest; where accuracy is asked for, among those that round a tenth more than
 * the one that rounds least. */
static const fg_codelet *winner(fg_context *cx, selection *c) {
  double least = INFINITY;
  const entry *found = &c->entry[0];
  for (int i = 0; i < c->count && c->count > 1; i++) {
    judge(cx, c->key, &c->entry[i]);
    least = fmin(least, c->entry[i].noise);
  }
  for (const entry *e = c->entry; e < c->entry + c->count; e++) {
    bool out = found->noise > 1.1 * least;
    if (e->noise <= 1.1 * least && (out || cheaper(&e->count, &found->count))) found = e;
  }
  return create(cx, c->key, &found->how);
}

/* A complex transform has one candidate. What is cut out of a longer one has as
 * many as there are rows for that - for prime periods the best row alone, unless the
 * other rounds less - times the ways of its kind. */
static const fg_codelet *create_best(fg_context *cx, const fg_codelet_key *key, const fg_algo *best) {
  int period = fg_codelet_kind_period(key->kind, key->n);
  selection all = {.key = key};
  bool complex = !fg_codelet_input(key->kind, key->n).real && !fg_codelet_output(key->kind, key->n).real;
  bool all_rows = !key->algo && (key->accurate || !fg_algo_is_prime(period));
  if (complex) return create(cx, key, &(candidate){best, 0, key->accurate, key->form});
  for (int variant = 0; variant < fg_codelet_kind_variants(key->kind); variant++)
    enter(&all, (candidate){.row = best, .variant = variant});
  for (const fg_algo *row = fg_algo_table; row->name && all_rows; row++)
    for (int variant = 0; variant < fg_codelet_kind_variants(key->kind); variant++)
      if (row->applies(period) && row != best) enter(&all, (candidate){.row = row, .variant = variant});
  return winner(cx, &all);
}

static const char *algo_at(int i) { return fg_algo_table[i].name; }

static const fg_algo *choose(fg_context *cx, const fg_codelet_key *key, fg_status *status) {
  const char *kind = fg_codelet_kind_name(key->kind);
  int least = fg_codelet_least(key->kind);
  int most = key->matrix ? MATRIX_LIMIT : LIMIT;
  if (key->n < least || key->n > most) {
    *status = fg_refuse(cx, "%s codelet of %d points: %d to %d are offered", kind, key->n, least, most);
    return NULL;
  }
  if (fg_codelet_even(key->kind) && key->n % 2) {
    *status = fg_refuse(cx, "%s codelet of %d points: even lengths are offered", kind, key->n);
    return NULL;
  }
  bool inside = fg_codelet_convolves(key->kind) && key->twiddle != FG_TW_IN;
  if (key->twiddle != FG_TW_NONE && (inside || !twiddle_side(key).twiddles)) {
    *status = fg_refuse(cx, "%s codelet of %d points: no twiddle factors on this side", kind, key->n);
    return NULL;
  }
  if (key->twiddle == FG_TW_STEPS && (key->kind != FG_CODELET_C2C || !fg_steps_applies(key->n))) {
    *status = fg_refuse(cx, "%s codelet of %d points: factors at each step want a power of two", kind, key->n);
    return NULL;
  }
  int period = fg_codelet_kind_period(key->kind, key->n);
  const fg_algo *algo = key->algo ? fg_algo_find(key->algo) : fg_algo_best(period, key->form, key->accurate);
  if (algo && algo->applies(period)) return algo;
  if (algo || !key->algo)
    *status = fg_refuse(cx, "%s codelet of %d points: algorithm '%s' does not apply", kind, key->n,
                        key->algo ? key->algo : "any");
  else
    *status = fg_refuse(cx, "algorithm '%s' does not exist; allowed: %s", key->algo, fg_words_join(cx->arena, algo_at));
  return NULL;
}

fg_status fg_codelet_create(fg_context *cx, const fg_codelet_key *key, const fg_codelet **out) {
  fg_status status = FG_OK;
  const fg_algo *algo = choose(cx, key, &status);
  if (!algo) return status;
  fg_invariant(key->sign == 1 || key->sign == -1);
  *out = create_best(cx, key, algo);
  return FG_OK;
}

/* ---- questions ---------------------------------------------------------- */

uint64_t fg_codelet_order(const fg_codelet *c) {
  uint64_t order = 4 * (uint64_t)fg_codelet_kind_period(c->key.kind, c->key.n);
  for (int i = 0; i < c->nnode; i++)
    if (c->node[i].op == FG_OP_CONST) order = fg_integer_lcm(order, fg_const_order(c->pool, c->node[i].slot));
  return order;
}

static bool fails(const char **why, const char *reason) {
  if (why) *why = reason;
  return false;
}

static bool is_factor(const fg_dnode *x) { return x->op == FG_OP_CONST || x->op == FG_OP_TW; }

static uint32_t slots_of(const fg_codelet *c, fg_op op) {
  if (op == FG_OP_IN) return (uint32_t)c->nin;
  return (uint32_t)(op == FG_OP_TW ? c->ntw : fg_const_count(c->pool));
}

/* Products have the factor first and a linear operand second; nothing else has
 * a factor for an operand. */
static bool operands_valid(const fg_codelet *c, fg_node at, const char **why) {
  const fg_dnode *x = &c->node[at];
  fg_node operand[] = {x->a, x->b, x->c};
  bool product = x->op == FG_OP_MUL || x->op == FG_OP_FMA || x->op == FG_OP_FMS || x->op == FG_OP_FNMA;
  for (int i = 0; i < 3; i++) {
    if (i >= fg_op_operands(x->op)) {
      if (operand[i] != FG_NO_NODE) return fails(why, "an operand too many");
      continue;
    }
    if (operand[i] >= at) return fails(why, "an operand that does not come before its user");
    if (is_factor(&c->node[operand[i]]) != (product && i == 0)) return fails(why, "a product that is not linear");
  }
  return true;
}

static bool equal_nodes(const fg_dnode *x, const fg_dnode *y) {
  return x->op == y->op && x->slot == y->slot && x->a == y->a && x->b == y->b && x->c == y->c;
}

/* An equal node is between the node's last operand and the node. */
static bool has_twin(const fg_codelet *c, fg_node at) {
  const fg_dnode *x = &c->node[at];
  fg_node operand[] = {x->a, x->b, x->c}, first = 0;
  for (int i = 0; i < fg_op_operands(x->op); i++)
    if (operand[i] >= first) first = operand[i] + 1;
  for (fg_node i = first; i < at; i++)
    if (equal_nodes(x, &c->node[i])) return true;
  return false;
}

static bool node_valid(const fg_codelet *c, fg_node at, const char **why) {
  const fg_dnode *x = &c->node[at];
  if ((unsigned)x->op >= FG_OP_COUNT) return fails(why, "an unknown operation");
  if (fg_op_operands(x->op) == 0 && x->slot >= slots_of(c, x->op)) return fails(why, "a slot out of range");
  if (!operands_valid(c, at, why)) return false;
  return has_twin(c, at) ? fails(why, "two equal nodes") : true;
}

/* A constant may be an output by itself only as 0. */
static bool output_valid(const fg_codelet *c, fg_node at) {
  if (at >= (fg_node)c->nnode) return false;
  const fg_dnode *x = &c->node[at];
  return x->op == FG_OP_CONST ? fg_const_sign(c->pool, x->slot) == 0 : x->op != FG_OP_TW;
}

bool fg_codelet_valid(const fg_codelet *c, const char **why) {
  for (int i = 0; i < c->nnode; i++)
    if (!node_valid(c, (fg_node)i, why)) return false;
  for (int i = 0; i < c->nout; i++)
    if (!output_valid(c, c->out[i])) return fails(why, "an output that is no node");
  fg_op_count count = count_operations(c);
  if (count.add != c->count.add || count.mul != c->count.mul || count.fma != c->count.fma || count.neg != c->count.neg)
    return fails(why, "operation counts that do not match");
  return true;
}

void fg_codelet_eval_gf(const fg_codelet *c, const fg_field *f, const fg_gf *in, const fg_gf *tw, fg_gf *out,
                        fg_gf *work) {
  for (int i = 0; i < c->nnode; i++) {
    const fg_dnode *x = &c->node[i];
    int n = fg_op_operands(x->op);
    fg_gf a = n > 0 ? work[x->a] : 0, b = n > 1 ? work[x->b] : 0, addend = n > 2 ? work[x->c] : 0;
    switch (x->op) {
    case FG_OP_IN: work[i] = in[x->slot]; break;
    case FG_OP_TW: work[i] = tw[x->slot]; break;
    case FG_OP_CONST: work[i] = fg_const_image(c->pool, f, x->slot); break;
    case FG_OP_NEG: work[i] = fg_gf_neg(f, a); break;
    case FG_OP_ADD: work[i] = fg_gf_add(f, a, b); break;
    case FG_OP_SUB: work[i] = fg_gf_sub(f, a, b); break;
    case FG_OP_MUL: work[i] = fg_gf_mul(f, a, b); break;
    case FG_OP_FMA: work[i] = fg_gf_add(f, fg_gf_mul(f, a, b), addend); break;
    case FG_OP_FMS: work[i] = fg_gf_sub(f, fg_gf_mul(f, a, b), addend); break;
    case FG_OP_FNMA: work[i] = fg_gf_sub(f, addend, fg_gf_mul(f, a, b)); break;
    case FG_OP_COUNT: fg_invariant(false); break;
    }
  }
  for (int i = 0; i < c->nout; i++) out[i] = work[c->out[i]];
}

/* ---- printing ----------------------------------------------------------- */

static void print_node(fg_context *cx, const fg_codelet *c, int i, fg_strbuf *s) {
  const fg_dnode *x = &c->node[i];
  fg_strbuf_addf(s, "v%d = %s", i, fg_op_name(x->op));
  if (x->op == FG_OP_IN || x->op == FG_OP_TW) fg_strbuf_addf(s, " %" PRIu32, x->slot);
  if (x->op == FG_OP_CONST)
    fg_strbuf_addf(s, " %s = %.17g", fg_const_print(cx, c->pool, x->slot), fg_const_double(c->pool, x->slot));
  fg_node operand[] = {x->a, x->b, x->c};
  for (int k = 0; k < fg_op_operands(x->op); k++) fg_strbuf_addf(s, " v%" PRIu32, operand[k]);
  fg_strbuf_add(s, "\n");
}

char *fg_codelet_print(fg_context *cx, const fg_codelet *c) {
  static const char *const twiddle[] = {
      [FG_TW_NONE] = "none",     [FG_TW_IN] = "in",           [FG_TW_OUT] = "out",
      [FG_TW_IN_ALL] = "in-all", [FG_TW_OUT_ALL] = "out-all", [FG_TW_STEPS] = "steps"};
  fg_strbuf s = fg_strbuf_new(cx->arena);
  fg_strbuf_add(&s, "codelet");
  if (c->key.kind != FG_CODELET_C2C) fg_strbuf_addf(&s, " kind=%s", fg_codelet_kind_name(c->key.kind));
  fg_strbuf_addf(&s, " n=%d sign=%+d twiddle=%s form=%s algo=%s add=%d mul=%d fma=%d neg=%d\n", c->key.n, c->key.sign,
                 twiddle[c->key.twiddle], c->key.form == FG_FORM_FMA ? "fma" : "add-mul", c->algo, c->count.add,
                 c->count.mul, c->count.fma, c->count.neg);
  for (int i = 0; i < c->nnode; i++) print_node(cx, c, i, &s);
  for (int i = 0; i < c->nout; i++) fg_strbuf_addf(&s, "out %d = v%" PRIu32 "\n", i, c->out[i]);
  return s.text;
}
