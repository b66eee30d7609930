/* Emitted text computes what the program says: random programs are walked here,
 * digit by digit, and their text - prime-field dialect under tcc, C under gcc and
 * clang - must leave the same numbers in the output, untouched places included.
 *
 * Random programs have what real ones have only here and there: clipped loops,
 * lanes, padding, swizzles, moduli, predicates, run-time strides, blocks of
 * interleaving, barriers between loads and stores. */
#include "generator/emit.h"
#include "generator/schedule.h"
#include "targets/tcc.h"
#include <cmocka.h>
#include <dlfcn.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { PARAM = 3, CANARY = 77 };

typedef union number {
  double d;
  fg_gf g;
} number;

static fg_context cx;
static fg_field field;
static uint64_t random_state;

static int pick(int n) { return (int)(fg_random(&random_state) % (uint64_t)n); }
static bool chance(int percent) { return pick(100) < percent; }

/* ---- random programs ------------------------------------------------------------ */

typedef struct draft {
  fg_program *p;
  fg_kernel *k;
  int lanes;
  bool threads; /* THREAD digits and barriers */
  bool lookups; /* index tables */
} draft;

static int16_t add_digit(fg_kernel *k, fg_digit d) {
  if (!d.step) d.step = 1;
  if (!d.last) d.last = INT64_MAX;
  if (!d.div) d.div = 1;
  k->digit[k->ndigit] = d;
  return (int16_t)k->ndigit++;
}

static fg_digit named(const char *name, fg_role role, int64_t extent) {
  fg_digit d = {.role = role, .extent = fg_num_const(extent), .start = fg_num_const(0)};
  snprintf(d.name, sizeof d.name, "%s", name);
  return d;
}

static int16_t random_loop(draft *t, const char *name) {
  fg_digit d = named(name, FG_ROLE_LOOP, 1 + pick(4));
  d.start = fg_num_const(pick(3));
  d.step = 1 + pick(3);
  if (chance(30) && d.extent.n > 1) d.last = (d.extent.n - 1) * d.step - pick((int)d.step);
  if (chance(15)) d.extent = (fg_num){1, FG_NUM_PARAM, 0, 0};
  return add_digit(t->k, d);
}

static int64_t most(const draft *t, int16_t digit) {
  int64_t params[] = { PARAM };
  const fg_digit *d = &t->k->digit[digit];
  return fg_digit_value(d, fg_digit_extent(d, params) - 1, params);
}

/* Elements that the address reaches, given its largest plain value. */
static int64_t reach(const fg_index *x, int64_t largest) {
  if (x->mod) largest = x->mod - 1;
  if (x->pad_every) largest += largest / x->pad_every * x->pad_by;
  if (x->xor_mask) largest |= 3;
  return largest + 1;
}

static void random_bend(fg_index *x, int64_t largest, int slots) {
  if (chance(15)) x->mod = largest + 1 + pick(5);
  if (chance(25)) x->pad_every = slots << pick(4), x->pad_by = 1 + pick(3);
  if (chance(10)) x->xor_shift = 2, x->xor_mask = 3 /* within groups of 4 */;
}

/* Digits in a random order, each beyond the reach of those before: no two values
 * share an element. The lane counts with its partner. */
static fg_index one_to_one(draft *t, const fg_stage *s, int16_t reg, int16_t partner) {
  const fg_kernel *k = t->k;
  int16_t digit[FG_MAX_LOOPS * 2 + 1];
  int n = 0;
  for (int i = 0; i < k->nouter; i++) digit[n++] = k->outer[i];
  for (int i = 0; i < s->nloop; i++)
    if (s->loop[i] != s->lane || partner < 0) digit[n++] = s->loop[i];
  digit[n++] = reg;
  for (int i = n - 1; i > 0; i--) {
    int j = pick(i + 1);
    int16_t swap = digit[i];
    digit[i] = digit[j], digit[j] = swap;
  }
  fg_index x = {.lookup = -1, .at.offset = fg_num_const(pick(3))};
  int64_t stride = 1, sum = x.at.offset.n;
  for (int i = 0; i < n; i++) {
    int64_t range = most(t, digit[i]);
    fg_num coef = fg_num_const(stride);
    if (stride % PARAM == 0 && chance(20)) coef = (fg_num) {
        stride / PARAM
        , FG_NUM_PARAM, 0, 0
      };
    fg_affine_add(&x.at, digit[i], coef);
    if (digit[i] == partner) {
      fg_affine_add(&x.at, s->lane, coef);
      range += most(t, s->lane);
    }
    sum += stride * range;
    stride *= range + 1;
  }
  random_bend(&x, sum, (int)k->digit[reg].extent.n);
  if (x.mod && x.mod <= sum) x.mod = sum + 1;
  return x;
}

static int64_t largest_plain(const draft *t, const fg_index *x) {
  int64_t params[] = { PARAM }, sum = fg_num_value(x->at.offset, params);
  for (int i = 0; i < x->at.nterm; i++) sum += fg_num_value(x->at.term[i].coef, params) * most(t, x->at.term[i].digit);
  return sum;
}

static fg_index any_address(draft *t, const fg_stage *s, int16_t reg) {
  const fg_kernel *k = t->k;
  fg_index x = {.lookup = -1, .at.offset = fg_num_const(pick(4))};
  for (int i = 0; i < k->nouter; i++) fg_affine_add(&x.at, k->outer[i], fg_num_const(pick(5)));
  for (int i = 0; i < s->nloop; i++) fg_affine_add(&x.at, s->loop[i], fg_num_const(pick(5)));
  fg_affine_add(&x.at, reg, chance(20) ? (fg_num){1 + pick(2), FG_NUM_PARAM, 0, 0} : fg_num_const(1 + pick(4)));
  random_bend(&x, largest_plain(t, &x) / (1 + pick(2)), (int)k->digit[reg].extent.n);
  return x;
}

/* Sends the address through a table that permutes it. */
static void random_lookup(draft *t, fg_index *x) {
  if (!t->lookups || !chance(10)) return;
  fg_buffer b = {.space = FG_SPACE_TABLE, .elem = FG_ELEM_INDEX, .precision = FG_F64, .alias = -1, .table = -1};
  snprintf(b.name, sizeof b.name, "order%d", t->p->nbuffer);
  b.size = reach(x, largest_plain(t, x));
  x->lookup = (int16_t)t->p->nbuffer;
  t->p->buffer[t->p->nbuffer++] = b;
}

static void random_preds(draft *t, const fg_stage *s, fg_access *a) {
  if (!chance(20)) return;
  fg_pred *p = &a->pred[a->npred++];
  *p = (fg_pred){.value.offset = fg_num_const(0), .bound = fg_num_const(1 + pick(8))};
  if (chance(30)) p->bound = (fg_num){1 + pick(3), FG_NUM_PARAM, 0, 0};
  fg_affine_add(&p->value, a->reg, fg_num_const(pick(3)));
  for (int i = 0; i < s->nloop; i++) fg_affine_add(&p->value, s->loop[i], fg_num_const(pick(2)));
  for (int i = 0; i < t->k->nouter; i++) fg_affine_add(&p->value, t->k->outer[i], fg_num_const(pick(2)));
}

static int16_t add_buffer(draft *t, const char *name, fg_space space) {
  fg_buffer b = {.space = space, .elem = FG_ELEM_COMPLEX, .precision = t->p->problem.compute, .alias = -1, .table = -1};
  snprintf(b.name, sizeof b.name, "%s", name);
  b.layout = (fg_layout)pick(space == FG_SPACE_INPUT || space == FG_SPACE_OUTPUT ? 2 : 3);
  b.block = 1 << (1 + pick(4));
  t->p->buffer[t->p->nbuffer] = b;
  return (int16_t)t->p->nbuffer++;
}

/* Buffers grow to what addresses reach. */
static void grow(draft *t, const fg_access *a) {
  fg_buffer *b = &t->p->buffer[a->buffer];
  int64_t size = reach(&a->index, largest_plain(t, &a->index));
  if (size > b->size) b->size = size;
  if (b->layout == FG_LAYOUT_BLOCKED) b->size = (b->size + b->block - 1) / b->block * b->block;
}

static fg_access random_access(draft *t, fg_stage *s, int16_t buffer, int slots, int16_t partner, bool is_store) {
  fg_access a = {.buffer = buffer, .reg = add_digit(t->k, named("m", FG_ROLE_REG, slots))};
  a.index = is_store || chance(50) ? one_to_one(t, s, a.reg, partner) : any_address(t, s, a.reg);
  a.move = (fg_move)(1 + pick(4));
  random_lookup(t, &a.index);
  random_preds(t, s, &a);
  grow(t, &a);
  return a;
}

static void random_twiddles(draft *t, fg_stage *s, int slots) {
  fg_table table = {.fill = FG_FILL_TWIDDLE, .sign = -1, .rows = slots, .cols = 16, .row0 = 1, .order = 64};
  table.buffer = add_buffer(t, t->p->ntable ? "tw1" : "tw0", FG_SPACE_TABLE);
  t->p->buffer[table.buffer].size = table.rows * table.cols;
  t->p->buffer[table.buffer].table = (int16_t)t->p->ntable;
  t->p->table[t->p->ntable++] = table;
  s->has_twiddle = true;
  fg_access *a = &s->twiddle;
  *a = (fg_access){.buffer = table.buffer, .reg = add_digit(t->k, named("r", FG_ROLE_REG, slots)), .index.lookup = -1};
  a->index.at.offset = fg_num_const(0);
  fg_affine_add(&a->index.at, a->reg, fg_num_const(16));
  if (s->nloop) fg_affine_add(&a->index.at, s->loop[s->nloop - 1], fg_num_const(1));
  if (s->nloop > 1) fg_affine_add(&a->index.at, s->loop[s->nloop - 2], fg_num_const(chance(50)));
  a->index.mod = chance(80) && largest_plain(t, &a->index) < table.rows * 16 ? 0 : table.rows * 16;
  a->move = (fg_move)(1 + pick(4));
}

static void random_threads(draft *t, fg_stage *s) {
  int64_t div = 1;
  for (int i = s->nloop - 1; i >= 0; i--) {
    fg_digit *d = &t->k->digit[s->loop[i]];
    if (d->extent.form != FG_NUM_CONST || div * d->extent.n > t->k->threads || s->loop[i] == s->lane) continue;
    d->role = FG_ROLE_THREAD;
    d->div = div;
    div *= d->extent.n;
  }
  if (div == t->k->threads) return;
  int16_t g = add_digit(t->k, named(FG_GUARD_DIGIT, FG_ROLE_THREAD, t->k->threads));
  s->loop[s->nloop++] = g;
  s->pred[s->npred] = (fg_pred){.value.offset = fg_num_const(0), .bound = fg_num_const(div)};
  fg_affine_add(&s->pred[s->npred++].value, g, fg_num_const(1));
}

static void random_codelet(fg_stage *s, int *slots) {
  static const int radix[] = {1, 2, 3, 4, 5, 8};
  fg_codelet_key key = {.n = radix[pick(6)], .sign = chance(50) ? 1 : -1, .form = (fg_fma_form)pick(2)};
  key.twiddle = chance(50) ? FG_TW_NONE : key.n == 1 ? FG_TW_IN_ALL : FG_TW_IN;
  *slots = key.n;
  assert_int_equal(fg_codelet_create(&cx, &key, &s->codelet), FG_OK);
}

static void random_stage(draft *t, fg_stage *s, int16_t from, int16_t to) {
  static const char *const names[] = {"q", "k", "j"};
  *s = (fg_stage){.what = "random", .lane = -1};
  int slots = 1 << pick(3), loops = pick(3);
  if (chance(85)) random_codelet(s, &slots);
  for (int i = 0; i < loops; i++) s->loop[s->nloop++] = random_loop(t, names[i]);
  int16_t partner = -1;
  if (t->lanes > 1) {
    if (loops && chance(80)) {
      partner = s->loop[loops - 1];
      fg_digit *d = &t->k->digit[partner];
      d->step = t->lanes, d->last = INT64_MAX, d->start = fg_num_const(0);
      if (chance(40) && d->extent.form == FG_NUM_CONST && d->extent.n > 1) d->last = (d->extent.n - 1) * d->step - 1;
    }
    s->lane = add_digit(t->k, named("l", FG_ROLE_LANE, t->lanes));
    s->loop[s->nloop++] = s->lane;
  }
  if (s->codelet && s->codelet->ntw) random_twiddles(t, s, s->codelet->ntw / 2);
  s->load = random_access(t, s, from, slots, partner, false);
  s->store = random_access(t, s, to, slots, partner, true);
  if (s->codelet && chance(30)) { /* a guard on the whole */
    s->pred[s->npred] = (fg_pred){.value.offset = fg_num_const(0), .bound = fg_num_const(1 + pick(6))};
    for (int i = 0; i < s->nloop; i++) fg_affine_add(&s->pred[s->npred].value, s->loop[i], fg_num_const(pick(2)));
    s->npred++;
  }
  if (!t->threads) return;
  bool fixed = true;
  for (int i = 0; i < s->nloop; i++) fixed = fixed && t->k->digit[s->loop[i]].extent.form == FG_NUM_CONST;
  if (fixed && chance(50)) s->sync_mid = FG_SCOPE_BLOCK;
  random_threads(t, s);
}

static fg_program *random_program(int lanes, fg_precision precision, bool lookups) {
  fg_program *p = fg_arena_new(cx.arena, fg_program, 1);
  fg_kernel *k = fg_arena_new(cx.arena, fg_kernel, 1);
  char text[64];
  snprintf(text, sizeof text, "c2c %s n=4 batch=p[%d..%d]", precision == FG_F32 ? "f32" : "f64", PARAM, PARAM);
  assert_int_equal(fg_problem_parse(&cx, text, &p->problem), FG_OK);
  fg_plan *plan;
  assert_int_equal(fg_plan_parse(&cx, "direct(4)", &plan), FG_OK);
  p->plan = plan;
  p->kernel = fg_arena_new(cx.arena, fg_kernel *, 1);
  p->kernel[p->nkernel++] = k;
  p->lanes = lanes;
  *k = (fg_kernel){.name = "run", .shape = FG_SHAPE_BLOCK, .threads = 1, .cluster = 1};
  draft t = {.p = p, .k = k, .lanes = lanes, .threads = lanes == 1 && chance(50), .lookups = lookups};
  if (t.threads) k->threads = 1 + pick(12);
  for (int i = pick(3); i > 0; i--) {
    fg_digit d = named(i == 1 ? "b" : "c", FG_ROLE_BLOCK, 1 + pick(3));
    if (chance(20)) d.extent = (fg_num){1, FG_NUM_PARAM, 0, 0};
    k->blocks[k->nblocks++] = d.extent;
    k->outer[k->nouter++] = add_digit(k, d);
  }
  int16_t in = add_buffer(&t, "in", FG_SPACE_INPUT), out = add_buffer(&t, "out", FG_SPACE_OUTPUT), work = -1;
  k->nstage = 1 + pick(2);
  k->stage = fg_arena_new(cx.arena, fg_stage, 2);
  if (k->nstage > 1) work = add_buffer(&t, "work0", FG_SPACE_LOCAL);
  random_stage(&t, &k->stage[0], in, k->nstage > 1 ? work : out);
  k->stage[0].sync_end = FG_SCOPE_BLOCK;
  if (k->nstage > 1) random_stage(&t, &k->stage[1], work, out);
  p->problem.split_in = p->buffer[in].layout == FG_LAYOUT_SPLIT;
  p->problem.split_out = p->buffer[out].layout == FG_LAYOUT_SPLIT;
  return p;
}

/* ---- what it means ----------------------------------------------------------------- */

typedef struct machine {
  const fg_program *p;
  bool exact; /* numbers of the field, else doubles */
  number *memory[FG_MAX_BUFFERS];
  const int32_t *order[FG_MAX_BUFFERS]; /* index tables */
  const fg_kernel *k;
  int64_t value[FG_MAX_DIGITS];
  int nheld; /* results that wait for a barrier */
  struct {
    int64_t at;
    number re, im;
  } * held;
} machine;

static const int64_t params[] = {PARAM};

static number *numbers(int64_t n) { return fg_arena_new(cx.arena, number, n + 1); }

static void place_of(const fg_buffer *b, int64_t e, int64_t *re, int64_t *im) {
  *re = 2 * e, *im = 2 * e + 1;
  if (b->layout == FG_LAYOUT_SPLIT) *re = e, *im = e + b->size;
  if (b->layout == FG_LAYOUT_BLOCKED) *re = e / b->block * 2 * b->block + e % b->block, *im = *re + b->block;
}

static number operate(const machine *m, const fg_codelet *c, const fg_dnode *d, const number *v, const number *in,
                      const number *tw) {
  const fg_field *f = &field;
  number a = d->a != FG_NO_NODE ? v[d->a] : (number){0}, b = d->b != FG_NO_NODE ? v[d->b] : (number){0},
         x = d->c != FG_NO_NODE ? v[d->c] : (number){0};
  switch (d->op) {
  case FG_OP_IN: return in[d->slot];
  case FG_OP_TW: return tw[d->slot];
  case FG_OP_CONST:
    return m->exact ? (number){.g = fg_const_image(c->pool, f, d->slot)}
                    : (number){.d = fg_const_double(c->pool, d->slot)};
  case FG_OP_NEG: return m->exact ? (number){.g = fg_gf_neg(f, a.g)} : (number){.d = -a.d};
  case FG_OP_ADD: return m->exact ? (number){.g = fg_gf_add(f, a.g, b.g)} : (number){.d = a.d + b.d};
  case FG_OP_SUB: return m->exact ? (number){.g = fg_gf_sub(f, a.g, b.g)} : (number){.d = a.d - b.d};
  case FG_OP_MUL: return m->exact ? (number){.g = fg_gf_mul(f, a.g, b.g)} : (number){.d = a.d * b.d};
  case FG_OP_FMA:
    return m->exact ? (number){.g = fg_gf_add(f, fg_gf_mul(f, a.g, b.g), x.g)} : (number){.d = a.d * b.d + x.d};
  case FG_OP_FMS:
    return m->exact ? (number){.g = fg_gf_sub(f, fg_gf_mul(f, a.g, b.g), x.g)} : (number){.d = a.d * b.d - x.d};
  case FG_OP_FNMA:
    return m->exact ? (number){.g = fg_gf_sub(f, x.g, fg_gf_mul(f, a.g, b.g))} : (number){.d = x.d - a.d * b.d};
  case FG_OP_COUNT: break;
  }
  return (number){0};
}

static void load(machine *m, const fg_access *a, number *out) {
  const fg_buffer *b = &m->p->buffer[a->buffer];
  for (int64_t s = 0; s < m->k->digit[a->reg].extent.n; s++) {
    int64_t re, im;
    m->value[a->reg] = s;
    out[2 * s] = out[2 * s + 1] = (number){0};
    if (!fg_preds_hold(a->pred, a->npred, m->value, params)) continue;
    int64_t e = fg_index_value(&a->index, m->value, params, m->order);
    assert_in_range(e, 0, b->size - 1);
    place_of(b, e, &re, &im);
    out[2 * s] = m->memory[a->buffer][re];
    out[2 * s + 1] = m->memory[a->buffer][im];
  }
}

static void store(machine *m, const fg_stage *s, const number *y) {
  const fg_access *a = &s->store;
  const fg_buffer *b = &m->p->buffer[a->buffer];
  for (int64_t r = 0; r < m->k->digit[a->reg].extent.n; r++) {
    int64_t re, im;
    m->value[a->reg] = r;
    if (!fg_preds_hold(a->pred, a->npred, m->value, params)) continue;
    int64_t e = fg_index_value(&a->index, m->value, params, m->order);
    assert_in_range(e, 0, b->size - 1);
    place_of(b, e, &re, &im);
    m->memory[a->buffer][re] = y[2 * r];
    m->memory[a->buffer][im] = y[2 * r + 1];
  }
}

static void run_codelet(machine *m, const fg_stage *s) {
  if (!fg_preds_hold(s->pred, s->npred, m->value, params)) return;
  number in[64], tw[64], y[64];
  load(m, &s->load, in);
  const fg_codelet *c = s->codelet;
  if (!c) {
    store(m, s, in);
    return;
  }
  if (s->has_twiddle) load(m, &s->twiddle, tw);
  number *v = numbers(c->nnode);
  for (int i = 0; i < c->nnode; i++) v[i] = operate(m, c, &c->node[i], v, in, tw);
  for (int i = 0; i < c->nout; i++) y[i] = v[c->out[i]];
  store(m, s, y);
}

static void run_loops(machine *m, const fg_stage *s, int depth) {
  if (depth == s->nloop) {
    run_codelet(m, s);
    return;
  }
  const fg_digit *d = &m->k->digit[s->loop[depth]];
  int64_t extent = d->role == FG_ROLE_THREAD ? 1 : fg_digit_extent(d, params);
  for (int64_t i = 0; i < extent; i++) {
    if (d->role != FG_ROLE_THREAD) m->value[s->loop[depth]] = fg_digit_value(d, i, params);
    run_loops(m, s, depth + 1);
  }
}

static void run_stage(machine *m, const fg_stage *s) {
  for (int thread = 0; thread < m->k->threads; thread++) {
    for (int i = 0; i < s->nloop; i++) {
      const fg_digit *d = &m->k->digit[s->loop[i]];
      if (d->role == FG_ROLE_THREAD) m->value[s->loop[i]] = fg_digit_value(d, thread / d->div % d->extent.n, params);
    }
    run_loops(m, s, 0);
  }
}

static void run_blocks(machine *m, int depth) {
  if (depth == m->k->nouter) {
    for (int s = 0; s < m->k->nstage; s++) run_stage(m, &m->k->stage[s]);
    return;
  }
  const fg_digit *d = &m->k->digit[m->k->outer[depth]];
  for (int64_t i = 0; i < fg_digit_extent(d, params); i++) {
    m->value[m->k->outer[depth]] = fg_digit_value(d, i, params);
    run_blocks(m, depth + 1);
  }
}

static number random_number(bool exact) {
  if (exact) return (number){.g = fg_gf_random(&field, &random_state)};
  return (number){.d = (double)(float)((double)(fg_random(&random_state) >> 40) / (1 << 23) - 1)};
}

static void fill_table(machine *m, int table) {
  int buffer = m->p->table[table].buffer;
  const fg_buffer *b = &m->p->buffer[buffer];
  fg_gfc *images = fg_arena_new(cx.arena, fg_gfc, b->size);
  double *values = fg_arena_new(cx.arena, double, 2 * b->size);
  assert_int_equal(fg_table_fill_gf(&cx, m->p, table, &field, images), FG_OK);
  assert_int_equal(fg_table_fill_double(&cx, m->p, table, values), FG_OK);
  for (int64_t e = 0; e < m->p->table[table].rows * m->p->table[table].cols; e++) {
    int64_t re, im;
    place_of(b, e, &re, &im);
    m->memory[buffer][re] = m->exact ? (number){.g = images[e].re} : (number){.d = values[2 * e]};
    m->memory[buffer][im] = m->exact ? (number){.g = images[e].im} : (number){.d = values[2 * e + 1]};
  }
}

static const int32_t *random_order(int64_t n) {
  int32_t *order = fg_arena_new(cx.arena, int32_t, n);
  for (int64_t i = 0; i < n; i++) {
    int64_t j = pick((int)i + 1);
    order[i] = order[j];
    order[j] = (int32_t)i;
  }
  return order;
}

static void start_machine(machine *m, const fg_program *p, bool exact) {
  *m = (machine){.p = p, .exact = exact, .k = p->kernel[0]};
  for (int i = 0; i < p->nbuffer; i++) {
    int64_t reals = 2 * p->buffer[i].size;
    if (p->buffer[i].elem == FG_ELEM_INDEX) {
      m->order[i] = random_order(p->buffer[i].size);
      continue;
    }
    m->memory[i] = numbers(reals);
    bool scratch = p->buffer[i].space == FG_SPACE_LOCAL; /* zeros here and there */
    for (int64_t j = 0; j < reals && i != FG_BUFFER_OUT && !scratch; j++) m->memory[i][j] = random_number(exact);
    for (int64_t j = 0; j < reals && i == FG_BUFFER_OUT; j++)
      m->memory[i][j] = exact ? (number){.g = CANARY} : (number){.d = CANARY};
  }
  for (int i = 0; i < p->ntable; i++) fill_table(m, i);
}

/* ---- the text under tcc -------------------------------------------------------------- */

static unsigned long long gf_add(unsigned long long a, unsigned long long b) { return fg_gf_add(&field, a, b); }
static unsigned long long gf_sub(unsigned long long a, unsigned long long b) { return fg_gf_sub(&field, a, b); }
static unsigned long long gf_mul(unsigned long long a, unsigned long long b) { return fg_gf_mul(&field, a, b); }
static unsigned long long gf_neg(unsigned long long a) { return fg_gf_neg(&field, a); }

typedef void (*entry_fn)(void *const *places, const long long *values);

static int buffer_named(const fg_program *p, const char *name) {
  for (int i = 0; i < p->nbuffer; i++)
    if (!strcmp(p->buffer[i].name, name)) return i;
  return -1; /* the scratch */
}

/* Memory for a call, in the order of the artifact; split arrays take two places. */
static void lay_places(const fg_artifact *a, const machine *m, void **place, uint64_t *out) {
  for (int i = 0, n = 0; i < a->nbuffer; i++) {
    const fg_arg_buffer *b = &a->buffer[i];
    bool is_out = b->kind == FG_ARG_OUT;
    uint64_t *memory = is_out ? out : calloc(1, b->bytes + 64);
    assert_non_null(memory);
    int buffer = buffer_named(m->p, b->name);
    int64_t size = buffer >= 0 ? m->p->buffer[buffer].size : 0;
    if (buffer >= 0 && m->order[buffer])
      memcpy(memory, m->order[buffer], (size_t)size * sizeof(int32_t));
    else
      for (int64_t j = 0; j < 2 * size; j++) memory[j] = m->memory[buffer][j].g;
    place[n++] = memory;
    if (b->split) place[n++] = memory + size;
  }
}

static void free_places(const fg_artifact *a, void **place) {
  for (int i = 0, n = 0; i < a->nbuffer; n += 1 + a->buffer[i].split, i++)
    if (a->buffer[i].kind != FG_ARG_OUT) free(place[n]);
}

static void check_exact(const fg_program *p) {
  machine m;
  start_machine(&m, p, true);
  fg_emit_options options = {.dialect = fg_dialect_find("gf"), .prefix = "k", .entry = true, .field = &field};
  fg_emitted e;
  if (fg_emit(&cx, p, &options, &e) != FG_OK) fail_msg("%s", cx.diag.message);
  typedef unsigned long long (*binary)(unsigned long long, unsigned long long);
  const binary add = gf_add, sub = gf_sub, mul = gf_mul;
  unsigned long long (*const neg)(unsigned long long) = gf_neg;
  fg_tcc_symbol symbols[] = {{"fg_add", NULL}, {"fg_sub", NULL}, {"fg_mul", NULL}, {"fg_neg", NULL}, {0}};
  memcpy(&symbols[0].address, &add, sizeof add);
  memcpy(&symbols[1].address, &sub, sizeof sub);
  memcpy(&symbols[2].address, &mul, sizeof mul);
  memcpy(&symbols[3].address, &neg, sizeof neg);
  fg_tcc_code *code;
  char why[FG_WHY_SIZE];
  if (fg_tcc_compile(e.artifact.source, symbols, &code, why)) fail_msg("%s\n%s", why, e.artifact.source);
  void *symbol = fg_tcc_find(code, "k_entry");
  assert_non_null(symbol);
  entry_fn entry;
  memcpy(&entry, &symbol, sizeof entry);
  void *place[128];
  int64_t reals = 2 * p->buffer[FG_BUFFER_OUT].size;
  uint64_t *out = calloc((size_t)reals + 8, sizeof *out);
  lay_places(&e.artifact, &m, place, out);
  const long long values[] = { PARAM };
  entry(place, values);
  run_blocks(&m, 0);
  for (int64_t i = 0; i < reals; i++)
    if (out[i] != m.memory[FG_BUFFER_OUT][i].g)
      fail_msg("number %lld of %lld differs\n%s\n%s", (long long)i, (long long)reals, fg_program_print(&cx, p),
               e.artifact.source);
  free_places(&e.artifact, place);
  free(out);
  fg_tcc_free(code);
}

static void fresh_arena(void) {
  fg_arena_destroy(cx.arena);
  cx = (fg_context){.arena = fg_arena_create()};
  assert_non_null(cx.arena);
  assert_int_equal(fg_field_create(&cx, 4 * 64 * 3 * 5 * 7, 11, &field), FG_OK);
}

static void check_many_exact(int lanes, int count) {
  for (int i = 0; i < count; i++) {
    fresh_arena();
    random_state = (uint64_t)(1000 * lanes + i);
    check_exact(random_program(lanes, FG_F64, true));
  }
}

static void test_scalar_text_is_exact(void **state) {
  (void)state;
  check_many_exact(1, 400);
}

static void test_vector_text_is_exact(void **state) {
  (void)state;
  for (int lanes = 2; lanes <= 16; lanes *= 2) check_many_exact(lanes, 150);
}

/* ---- the text under compilers ---------------------------------------------------------- */

static char folder[] = "/tmp/test_emit_XXXXXX";

static void write_file(const char *path, const char *text) {
  FILE *f = fopen(path, "w");
  assert_non_null(f);
  assert_true(fputs(text, f) >= 0);
  assert_int_equal(fclose(f), 0);
}

static void *compile(const char *compiler, const fg_emitted *e) {
  char source[128], object[128], command[512];
  static int number;
  snprintf(source, sizeof source, "%s/k%d.c", folder, ++number);
  snprintf(object, sizeof object, "%s/k%d.so", folder, number);
  write_file(source, e->artifact.source);
  snprintf(command, sizeof command,
           "%s -std=c99 -pedantic -Wall -Wextra -Wmissing-prototypes -Werror -O1 -mavx2 -Wno-psabi -fPIC -shared "
           "-o %s %s -lm",
           compiler, object, source);
  if (system(command)) fail_msg("%s\n%s", command, e->artifact.source);
  void *loaded = dlopen(object, RTLD_NOW);
  if (!loaded) fail_msg("%s", dlerror());
  return loaded;
}

static void to_memory(const fg_program *p, int buffer, const number *from, void *to) {
  for (int64_t i = 0; i < 2 * p->buffer[buffer].size; i++)
    if (p->problem.compute == FG_F32)
      ((float *)to)[i] = (float)from[i].d;
    else
      ((double *)to)[i] = from[i].d;
}

static double number_at(const fg_program *p, const void *memory, int64_t i) {
  return p->problem.compute == FG_F32 ? (double)((const float *)memory)[i] : ((const double *)memory)[i];
}

static void check_compiled(const fg_program *p, const char *compiler) {
  machine m;
  start_machine(&m, p, false);
  fg_emit_options options = {.dialect = fg_dialect_find("c"), .prefix = "k", .entry = true};
  fg_emitted e;
  if (fg_emit(&cx, p, &options, &e) != FG_OK) fail_msg("%s", cx.diag.message);
  void *loaded = compile(compiler, &e), *symbol = dlsym(loaded, "k_entry");
  entry_fn entry;
  memcpy(&entry, &symbol, sizeof entry);
  void *place[8];
  int n = 0;
  int64_t size = fg_precision_bytes(p->problem.compute);
  char *memory[3] = {0};
  for (int i = 0; i < e.artifact.nbuffer; i++) {
    memory[i] = aligned_alloc(64, (e.artifact.buffer[i].bytes + 127) / 64 * 64);
    assert_non_null(memory[i]);
    memset(memory[i], 0, (e.artifact.buffer[i].bytes + 127) / 64 * 64);
    if (i < 2) to_memory(p, i, m.memory[i], memory[i]);
    place[n++] = memory[i];
    if (e.artifact.buffer[i].split) place[n++] = memory[i] + size * p->buffer[i].size;
  }
  const long long values[] = { PARAM };
  entry(place, values);
  run_blocks(&m, 0);
  for (int64_t i = 0; i < 2 * p->buffer[FG_BUFFER_OUT].size; i++) {
    double got = number_at(p, memory[FG_BUFFER_OUT], i), wanted = m.memory[FG_BUFFER_OUT][i].d;
    if (!(fabs(got - wanted) <= (size == 4 ? 2e-5 : 1e-13) * (1 + fabs(wanted))))
      fail_msg("number %lld: %g, wanted %g\n%s", (long long)i, got, wanted, e.artifact.source);
  }
  for (int i = 0; i < 3; i++) free(memory[i]);
  dlclose(loaded);
}

static void check_compiler(const char *compiler) {
  char command[64];
  snprintf(command, sizeof command, "%s --version >/dev/null 2>&1", compiler);
  if (system(command)) {
    print_message("%s is not installed: skipped\n", compiler);
    skip();
  }
  for (int i = 0; i < 20; i++) {
    fresh_arena();
    random_state = (uint64_t)(77 * i + 5);
    /* of the CPU's own widths: wider vectors are for the exact text */
    bool single = i % 2;
    check_compiled(random_program(i % 4 == 0 ? 1 : single ? 8 : 4, single ? FG_F32 : FG_F64, false), compiler);
  }
}

static void test_gcc(void **state) {
  (void)state;
  check_compiler("gcc");
}

static void test_clang(void **state) {
  (void)state;
  check_compiler("clang");
}

/* ---- the rest --------------------------------------------------------------------------- */

static void test_text_is_deterministic(void **state) {
  (void)state;
  char *kept[2] = {0};
  for (int i = 0; i < 2; i++) {
    fresh_arena();
    random_state = 99;
    fg_program *p = random_program(8, FG_F32, false);
    fg_emit_options options = {.dialect = fg_dialect_find("c"), .prefix = "k", .entry = true};
    fg_emitted e;
    assert_int_equal(fg_emit(&cx, p, &options, &e), FG_OK);
    kept[i] = strdup(e.artifact.source);
  }
  assert_string_equal(kept[0], kept[1]);
  free(kept[0]);
  free(kept[1]);
}

static void test_names(void **state) {
  (void)state;
  fg_problem p;
  assert_int_equal(fg_problem_parse(&cx, "c2c f32 n=1024", &p), FG_OK);
  assert_string_equal(fg_emit_name(&cx, &p), "fft_c2c_f32_n1024_fwd");
  assert_int_equal(fg_problem_parse(&cx, "c2c f64 n=64:3:1 batch=m[1..70]:192:64 sign=+1", &p), FG_OK);
  assert_string_equal(fg_emit_name(&cx, &p), "fft_c2c_f64_n64_3_1_bwd_batchm_1_70");
}

static void test_refuses(void **state) {
  (void)state;
  fresh_arena();
  random_state = 4;
  fg_program *p = random_program(1, FG_F64, false);
  fg_emitted e = {.nfile = -5};
  fg_emit_options options = {.dialect = fg_dialect_find("gf"), .prefix = "k"};
  assert_int_equal(fg_emit(&cx, p, &options, &e), FG_EUSER); /* no field */
  fg_diag_clear(&cx.diag);
  p->kernel[0]->stage[0].sync_mid = FG_SCOPE_CLUSTER;
  options.dialect = fg_dialect_find("c");
  assert_int_equal(fg_emit(&cx, p, &options, &e), FG_EUSER);
  assert_non_null(strstr(cx.diag.message, "synchronises blocks at most"));
  assert_int_equal(e.nfile, -5);
}

static int set_up(void **state) {
  (void)state;
  if (!mkdtemp(folder)) return -1;
  fresh_arena();
  return 0;
}

static int tear_down(void **state) {
  (void)state;
  char command[128];
  snprintf(command, sizeof command, "rm -rf %s", folder);
  fg_arena_destroy(cx.arena);
  return system(command);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_names),
      cmocka_unit_test(test_text_is_deterministic),
      cmocka_unit_test(test_refuses),
      cmocka_unit_test(test_scalar_text_is_exact),
      cmocka_unit_test(test_vector_text_is_exact),
      cmocka_unit_test(test_gcc),
      cmocka_unit_test(test_clang),
  };
  return cmocka_run_group_tests(tests, set_up, tear_down);
}
