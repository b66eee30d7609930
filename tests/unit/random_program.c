/* Programs at random: stages over random digits, with everything that an address
 * or a stage can have. In: a seed. Out: a program whose stores never meet, so
 * that one walk of it tells what any text of it must compute. */
#include "random_program.h"
#include "generator/pipeline/build.h"
#include <assert.h>
#include <stdio.h>
#include <string.h>

enum { PARAM = RANDOM_PROGRAM_PARAM };

static uint64_t random_state;
static fg_context *cx;

static int pick(int n) { return (int)(fg_random(&random_state) % (uint64_t)n); }
static bool chance(int percent) { return pick(100) < percent; }

typedef struct draft {
  fg_program *p;
  fg_kernel *k;
  int lanes;
  bool threads; /* THREAD digits and barriers */
  bool lookups; /* index tables */
  bool plain;   /* straight addresses, no predicates */
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

static int16_t random_loop(draft *t, const char *name, bool fixed) {
  fg_digit d = named(name, FG_ROLE_LOOP, 1 + pick(4));
  d.start = fg_num_const(pick(3));
  d.step = 1 + pick(3);
  if (chance(30) && d.extent.n > 1) d.last = (d.extent.n - 1) * d.step - pick((int)d.step);
  if (!fixed && chance(15)) d.extent = (fg_num){1, FG_NUM_PARAM, 0, 0};
  return add_digit(t->k, d);
}

static int64_t most(const draft *t, int16_t digit) {
  int64_t params[] = { PARAM };
  const fg_digit *d = &t->k->digit[digit];
  return fg_digit_value(d, fg_digit_extent(d, params) - 1, params);
}

/* Elements that the address reaches, given its largest plain value. */
static int64_t reach(const draft *t, const fg_index *x, int64_t largest) {
  int64_t params[] = { PARAM };
  if (x->mod) largest = x->mod - 1;
  if (fg_index_is_bent(x)) {
    if (x->scale.n) largest *= fg_num_value(x->scale, params);
    largest += fg_num_value(x->base.offset, params);
    for (int i = 0; i < x->base.nterm; i++)
      largest += fg_num_value(x->base.term[i].coef, params) * most(t, x->base.term[i].digit);
  }
  if (x->pad_every) largest += largest / x->pad_every * x->pad_by;
  if (x->xor_mask) largest |= 3;
  return largest + 1;
}

static void random_bend(const draft *t, fg_index *x, int64_t largest, int slots) {
  if (t->plain) return;
  if (chance(15)) x->mod = largest + 1 + pick(5);
  if (chance(25)) x->pad_every = slots << pick(4), x->pad_by = 1 + pick(3);
  if (chance(10)) x->xor_shift = 2, x->xor_mask = 3 /* within groups of 4 */;
}

static void put_first(int16_t *digit, int n, int16_t wanted) {
  int i = 0;
  while (i < n && digit[i] != wanted) i++;
  if (i == n) return;
  memmove(digit + 1, digit, sizeof *digit * (size_t)i);
  digit[0] = wanted;
}

/* Digits in a random order, each beyond the reach of those before: no two values
 * share an element. The lane counts with its partner. */
static fg_index one_to_one(draft *t, const fg_stage *s, int16_t reg, int16_t partner) {
  const fg_kernel *k = t->k;
  int16_t digit[FG_MAX_LOOPS * 2 + 1];
  int n = 0;
  for (int i = 0; i < k->nouter; i++) digit[n++] = k->outer[i];
  for (int i = 0; i < s->nloop; i++)
    if (s->loop[i] != s->vectors.lane || partner < 0) digit[n++] = s->loop[i];
  digit[n++] = reg;
  for (int i = n - 1; i > 0; i--) {
    int j = pick(i + 1);
    int16_t swap = digit[i];
    digit[i] = digit[j], digit[j] = swap;
  }
  if (t->lanes > 1 && chance(70)) put_first(digit, n, partner >= 0 ? partner : s->vectors.lane); /* neighbours */
  if (t->lanes > 1 && chance(40)) put_first(digit, n, reg);                                      /* or transposed */
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
      fg_affine_add(&x.at, s->vectors.lane, coef);
      range += most(t, s->vectors.lane);
    }
    sum += stride * range;
    stride *= range + 1;
  }
  random_bend(t, &x, sum, (int)k->digit[reg].extent.n);
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
  random_bend(t, &x, largest_plain(t, &x) / (1 + pick(2)), (int)k->digit[reg].extent.n);
  return x;
}

/* Sends the address through a table that permutes it; what is bent is stored elsewhere,
 * and for loads anywhere. */
static void random_lookup(draft *t, const fg_stage *s, fg_index *x, bool is_store) {
  if (t->lookups && !t->plain && chance(10)) {
    fg_buffer b = {.space = FG_SPACE_TABLE, .elem = FG_ELEM_INDEX, .precision = FG_F64, .alias = -1, .table = -1};
    snprintf(b.name, sizeof b.name, "order%d", t->p->nbuffer);
    b.size = x->mod ? x->mod : largest_plain(t, x) + 1;
    x->lookup = (int16_t)t->p->nbuffer;
    t->p->buffer[t->p->nbuffer++] = b;
  }
  if (!fg_index_is_bent(x)) return;
  if (chance(50)) x->scale = chance(30) ? (fg_num){1 + pick(2), FG_NUM_PARAM, 0, 0} : fg_num_const(1 + pick(3));
  x->base.offset = chance(20) ? (fg_num){1, FG_NUM_PARAM, 0, 0} : fg_num_const(pick(4));
  for (int i = 0; i < s->nloop && !is_store; i++) fg_affine_add(&x->base, s->loop[i], fg_num_const(pick(3)));
}

static void random_preds(draft *t, const fg_stage *s, fg_access *a) {
  if (t->plain || !chance(20)) return;
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
  int64_t size = reach(t, &a->index, largest_plain(t, &a->index));
  if (size > b->size) b->size = size;
  if (b->layout == FG_LAYOUT_BLOCKED) b->size = (b->size + b->block - 1) / b->block * b->block;
}

static fg_access random_access(draft *t, fg_stage *s, int16_t buffer, int slots, int16_t partner, bool is_store) {
  fg_access a = {.buffer = buffer, .reg = add_digit(t->k, named("m", FG_ROLE_REG, slots))};
  a.index = is_store || chance(50) ? one_to_one(t, s, a.reg, partner) : any_address(t, s, a.reg);
  a.move = (fg_move)(1 + pick(4));
  random_lookup(t, s, &a.index, is_store);
  random_preds(t, s, &a);
  grow(t, &a);
  return a;
}

static void random_twiddles(draft *t, fg_stage *s, int slots) {
  fg_table table = {.fill = FG_FILL_TWIDDLE, .sign = -1, .rows = slots, .cols = 16, .row0 = 1, .order = 64};
  char name[8];
  snprintf(name, sizeof name, "tw%d", t->p->ntable);
  table.buffer = add_buffer(t, name, FG_SPACE_TABLE);
  t->p->buffer[table.buffer].size = table.rows * table.cols;
  t->p->buffer[table.buffer].table = (int16_t)t->p->ntable;
  t->p->table[t->p->ntable++] = table;
  s->factors.has_twiddle = true;
  fg_access *a = &s->factors.twiddle;
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
    if (d->extent.form != FG_NUM_CONST || div * d->extent.n > t->k->launch.threads || s->loop[i] == s->vectors.lane)
      continue;
    d->role = FG_ROLE_THREAD;
    d->div = div;
    div *= d->extent.n;
  }
  if (div == t->k->launch.threads) return;
  int16_t g = add_digit(t->k, named(FG_GUARD_DIGIT, FG_ROLE_THREAD, t->k->launch.threads));
  s->loop[s->nloop++] = g;
  s->pred[s->npred] = (fg_pred){.value.offset = fg_num_const(0), .bound = fg_num_const(div)};
  fg_affine_add(&s->pred[s->npred++].value, g, fg_num_const(1));
}

static void random_codelet(fg_stage *s, int *slots) {
  static const int radix[] = {1, 2, 3, 4, 5, 8};
  fg_codelet_key key = {.n = radix[pick(6)], .sign = chance(50) ? 1 : -1, .form = (fg_fma_form)pick(2)};
  key.twiddle = chance(50) ? FG_TW_NONE : key.n == 1 ? FG_TW_IN_ALL : FG_TW_IN;
  *slots = key.n;
  fg_status status = fg_codelet_create(cx, &key, &s->codelet);
  assert(status == FG_OK);
  (void)status;
}

static void random_stage(draft *t, fg_stage *s, int16_t from, int16_t to) {
  static const char *const names[] = {"q", "k", "j"};
  *s = (fg_stage){.what = "random", .vectors.lane = -1};
  int slots = 1 << pick(3), loops = pick(3);
  if (chance(85)) random_codelet(s, &slots);
  for (int i = 0; i < loops; i++) s->loop[s->nloop++] = random_loop(t, names[i], from == to);
  int16_t partner = -1;
  if (t->lanes > 1) {
    if (loops && chance(80)) {
      partner = s->loop[loops - 1];
      fg_digit *d = &t->k->digit[partner];
      d->step = t->lanes, d->last = INT64_MAX, d->start = fg_num_const(0);
      if (chance(40) && d->extent.form == FG_NUM_CONST && d->extent.n > 1) d->last = (d->extent.n - 1) * d->step - 1;
    }
    s->vectors.lane = add_digit(t->k, named("l", FG_ROLE_LANE, t->lanes));
    s->loop[s->nloop++] = s->vectors.lane;
  }
  if (s->codelet && s->codelet->ntw) random_twiddles(t, s, s->codelet->ntw / 2);
  s->load = random_access(t, s, from, slots, partner, false);
  s->store = random_access(t, s, to, slots, partner, true);
  if (s->codelet && !t->plain && chance(30)) { /* a guard on the whole */
    s->pred[s->npred] = (fg_pred){.value.offset = fg_num_const(0), .bound = fg_num_const(1 + pick(6))};
    for (int i = 0; i < s->nloop; i++) fg_affine_add(&s->pred[s->npred].value, s->loop[i], fg_num_const(pick(2)));
    s->npred++;
  }
  s->vectors.packed = s->vectors.lane >= 0 && chance(50);
  if (from == to) s->exchange.between = fg_exchange_barrier(); /* an exchange in one memory */
  if (!t->threads) return;
  bool fixed = true;
  for (int i = 0; i < s->nloop; i++) fixed = fixed && t->k->digit[s->loop[i]].extent.form == FG_NUM_CONST;
  if (fixed && chance(50)) s->exchange.between = fg_exchange_barrier();
  random_threads(t, s);
}

static void random_blocks(draft *t) {
  fg_kernel *k = t->k;
  for (int i = pick(3); i > 0; i--) {
    fg_digit d = named(i == 1 ? "b" : "c", FG_ROLE_BLOCK, 1 + pick(3));
    if (chance(20)) d.extent = (fg_num){1, FG_NUM_PARAM, 0, 0};
    k->launch.blocks[k->launch.nblocks++] = d.extent;
    k->outer[k->nouter++] = add_digit(k, d);
  }
}

static void start(fg_program *p, const random_wish *wish) {
  char text[64];
  snprintf(text, sizeof text, "c2c %s n=4 batch=p[%d..%d]", wish->precision == FG_F32 ? "f32" : "f64", PARAM, PARAM);
  fg_plan *plan = NULL;
  fg_status status = fg_problem_parse(cx, text, &p->problem);
  if (status == FG_OK) status = fg_plan_parse(cx, "direct(4)", &plan);
  assert(status == FG_OK);
  p->plan = plan;
  p->vectors.lanes = wish->lanes;
}

fg_program *random_program(fg_context *context, const random_wish *wish) {
  cx = context;
  random_state = wish->seed;
  fg_program *p = fg_arena_new(cx->arena, fg_program, 1);
  fg_kernel *k = fg_arena_new(cx->arena, fg_kernel, 1);
  start(p, wish);
  p->kernel = fg_arena_new(cx->arena, fg_kernel *, 1);
  p->kernel[p->nkernel++] = k;
  *k = (fg_kernel){.name = "run", .shape = FG_SHAPE_BLOCK, .launch.threads = 1, .launch.cluster = 1};
  draft t = {.p = p, .k = k, .lanes = wish->lanes, .lookups = wish->lookups};
  t.plain = chance(40);
  t.threads = wish->lanes == 1 && chance(50);
  if (t.threads) k->launch.threads = 1 + pick(12);
  random_blocks(&t);
  int16_t in = add_buffer(&t, "in", FG_SPACE_INPUT), out = add_buffer(&t, "out", FG_SPACE_OUTPUT), work = -1;
  k->nstage = 1 + pick(3);
  k->stage = fg_arena_new(cx->arena, fg_stage, 3);
  if (k->nstage > 1) work = add_buffer(&t, "work0", FG_SPACE_LOCAL);
  for (int i = 0; i < k->nstage; i++) {
    bool last = i == k->nstage - 1;
    random_stage(&t, &k->stage[i], i ? work : in, last ? out : work);
    k->stage[i].exchange.after = last ? fg_exchange_none() : fg_exchange_barrier();
  }
  p->problem.split_in = p->buffer[in].layout == FG_LAYOUT_SPLIT;
  p->problem.split_out = p->buffer[out].layout == FG_LAYOUT_SPLIT;
  return p;
}

fg_program *rows_program(fg_context *c, const rows_wish *wish) {
  fg_problem q;
  fg_plan *plan;
  fg_program *p = NULL;
  fg_mapping map = {.lanes = wish->lanes, .registers = 16, .fma = true};
  bool pairs = !strcmp(wish->form, "pairs");
  const char *text = fg_arena_printf(c->arena, "c2c %s n=%d batch=%d:%d:%d layout=%s",
                                     fg_precision_name(wish->precision), wish->points, 2 * wish->lanes + 1,
                                     wish->distance, wish->distance, pairs ? "interleaved" : wish->form);
  const char *way =
      fg_arena_printf(c->arena, "direct(%d; pairs=%d, stream=%d)", wish->points, pairs ? 2 : 1, wish->stream ? 2 : 1);
  if (fg_problem_parse(c, text, &q) != FG_OK || fg_plan_parse(c, way, &plan) != FG_OK ||
      fg_pipeline_program(c, &q, plan, &map, &p) != FG_OK)
    return NULL;
  assert(p->kernel[0]->stage[0].vectors.packed == (pairs && wish->lanes >= 4));
  assert(p->kernel[0]->stage[0].load.move == FG_MOVE_TRANSPOSE);
  assert(p->kernel[0]->stage[0].store.move == FG_MOVE_TRANSPOSE);
  assert(p->kernel[0]->stage[0].store.stream == wish->stream);
  return p;
}
