/* Codelets. In: a key (points, sign, twiddles, form). Out: a straight-line
 * program over reals. Builds with algo/, has it simplified and fused; checks,
 * counts, evaluates and prints what came out. */
#include "generator/codelet.h"
#include "generator/algo/algo.h"
#include "generator/fuse.h"
#include "generator/simplify.h"
#include "generator/strbuf.h"
#include <assert.h>
#include <inttypes.h>

enum { LIMIT = 128 };

/* ---- operations --------------------------------------------------------- */

static const struct {
  const char *name, *meaning;
  int operands;
} OPS[] = {
#define OP(NAME, operands, meaning) {#NAME, meaning, operands},
#include "targets/ops.def"
#undef OP
};

int fg_op_operands(fg_op op) { return OPS[op].operands; }
const char *fg_op_name(fg_op op) { return OPS[op].name; }
int fg_codelet_limit(void) { return LIMIT; }

/* ---- construction ------------------------------------------------------- */

static bool all_elements(fg_twiddle t) { return t == FG_TW_IN_ALL || t == FG_TW_OUT_ALL; }
static bool on_inputs(fg_twiddle t) { return t == FG_TW_IN || t == FG_TW_IN_ALL; }
static bool on_outputs(fg_twiddle t) { return t == FG_TW_OUT || t == FG_TW_OUT_ALL; }

static int twiddle_slots(const fg_codelet_key *key) {
  if (key->twiddle == FG_TW_NONE) return 0;
  return 2 * (all_elements(key->twiddle) ? key->n : key->n - 1);
}

static void multiply_twiddles(fg_dag *d, const fg_codelet_key *key, fg_cedge *x) {
  int first = all_elements(key->twiddle) ? 0 : 1;
  for (int k = first; k < key->n; k++) x[k] = fg_dag_mul_twiddle(d, x[k], (uint32_t)(2 * (k - first)));
}

static fg_network build(fg_context *cx, const fg_codelet_key *key, const fg_algo *algo) {
  int n = key->n;
  fg_dag *d = fg_dag_create(cx, fg_const_pool_create(cx), fg_algo_order(n), key->form);
  d->accurate = key->accurate;
  fg_cedge *x = fg_arena_new(cx->arena, fg_cedge, n), *y = fg_arena_new(cx->arena, fg_cedge, n);
  for (int k = 0; k < n; k++) {
    fg_edge re = fg_dag_input(d, (uint32_t)(2 * k));
    x[k] = (fg_cedge){re, fg_dag_input(d, (uint32_t)(2 * k + 1))};
  }
  if (on_inputs(key->twiddle)) multiply_twiddles(d, key, x);
  algo->build(d, (fg_dft){n, key->sign}, x, y);
  if (on_outputs(key->twiddle)) multiply_twiddles(d, key, y);
  fg_network net = {d, 2 * n, 2 * n, fg_arena_new(cx->arena, fg_edge, 2 * n)};
  for (int k = 0; k < n; k++) {
    net.out[2 * k] = y[k].re;
    net.out[2 * k + 1] = y[k].im;
  }
  return net;
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

static const fg_algo *choose(fg_context *cx, const fg_codelet_key *key, fg_status *status) {
  if (key->n < 1 || key->n > LIMIT) {
    *status = fg_diag_set(&cx->diag, FG_EUSER, "codelet of %d points: 1 to %d are offered", key->n, LIMIT);
    return NULL;
  }
  const fg_algo *algo = key->algo ? fg_algo_find(key->algo) : fg_algo_best(key->n, key->form, key->accurate);
  if (algo && algo->applies(key->n)) return algo;
  *status = fg_diag_set(&cx->diag, FG_EUSER, "codelet of %d points: algorithm '%s' %s", key->n,
                        key->algo ? key->algo : "any", algo ? "does not apply" : "does not exist");
  return NULL;
}

fg_status fg_codelet_create(fg_context *cx, const fg_codelet_key *key, const fg_codelet **out) {
  fg_status status = FG_OK;
  const fg_algo *algo = choose(cx, key, &status);
  if (!algo) return status;
  assert(key->sign == 1 || key->sign == -1);
  fg_network net = build(cx, key, algo);
  net = fg_simplify(&net);
  fg_codelet *c = fg_arena_new(cx->arena, fg_codelet, 1);
  *c = (fg_codelet){.key = *key, .algo = algo->name, .nin = 2 * key->n, .nout = 2 * key->n};
  c->ntw = twiddle_slots(key);
  fg_fuse(cx, &net, c);
  c->count = count_operations(c);
  assert(fg_codelet_valid(c, NULL));
  *out = c;
  return FG_OK;
}

/* ---- questions ---------------------------------------------------------- */

uint64_t fg_codelet_order(const fg_codelet *c) {
  uint64_t order = 4 * (uint64_t)c->key.n;
  for (int i = 0; i < c->nnode; i++)
    if (c->node[i].op == FG_OP_CONST) order = fg_lcm(order, fg_const_order(c->pool, c->node[i].slot));
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

/* A twin of the node lies between its last operand and the node. */
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
    case FG_OP_COUNT: assert(false); break;
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
  static const char *const twiddle[] = {[FG_TW_NONE] = "none",
                                        [FG_TW_IN] = "in",
                                        [FG_TW_OUT] = "out",
                                        [FG_TW_IN_ALL] = "in-all",
                                        [FG_TW_OUT_ALL] = "out-all"};
  fg_strbuf s;
  fg_strbuf_init(&s, cx->arena);
  fg_strbuf_addf(&s, "codelet n=%d sign=%+d twiddle=%s form=%s algo=%s add=%d mul=%d fma=%d neg=%d\n", c->key.n,
                 c->key.sign, twiddle[c->key.twiddle], c->key.form == FG_FORM_FMA ? "fma" : "add-mul", c->algo,
                 c->count.add, c->count.mul, c->count.fma, c->count.neg);
  for (int i = 0; i < c->nnode; i++) print_node(cx, c, i, &s);
  for (int i = 0; i < c->nout; i++) fg_strbuf_addf(&s, "out %d = v%" PRIu32 "\n", i, c->out[i]);
  return s.text;
}
