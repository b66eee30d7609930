/* In: a program and values of its run-time parameters. Out: every access of
 * every instance of every stage, bundle by bundle. The idea: addresses are
 * affine in digit values, so the part that slots share is computed once per
 * instance and each slot adds a constant. */
#include "generator/walk.h"
#include <stdio.h>
#include <string.h>

typedef struct line { /* an affine function of digit values, parameters put in */
  int64_t offset;
  int nterm;
  int16_t digit[FG_MAX_TERMS];
  int64_t coef[FG_MAX_TERMS];
  int64_t slot_coef; /* of the slot digit */
} line;

typedef struct route route;
struct route { /* an access, compiled */
  const fg_access *access;
  int slots;
  int64_t *slot_value; /* value of the slot digit */
  bool idle;           /* nobody asks for its addresses */
  bool straight;       /* its slots lie so far ahead of the first, always there, before padding */
  int64_t *ahead;
  line at, base, pred[FG_MAX_PREDS];
  int64_t scale;
  const int32_t *table; /* NULL: none */
  int64_t entries;
  int64_t bound[FG_MAX_PREDS];
  line wrap[FG_MAX_RANK];
  int64_t stride[FG_MAX_RANK];
  int64_t *address;
  unsigned char *on;
  fg_moves moves;
  route *rest; /* of the access behind it */
};

typedef struct compiled { /* a stage, compiled */
  const fg_stage *s;
  route load, twiddle, more, store;
  route *loaded[FG_MAX_POINTS], *stored[FG_MAX_POINTS]; /* operands; NULL: none */
  line guard[FG_MAX_PREDS];
  int64_t guard_bound[FG_MAX_PREDS];
  int nloop, ncopy, nthread; /* its digits by role */
  int16_t loop[FG_MAX_LOOPS], copy[FG_MAX_LOOPS], thread[FG_MAX_LOOPS];
  int lane, lanes; /* lane -1: none */
} compiled;

typedef struct walk {
  fg_context *cx;
  const fg_program *p;
  const fg_walk_options *options;
  const fg_walker *to;
  char *why;
  int ik;
  const fg_kernel *k;
  int16_t cut;      /* see fg_walk_cut */
  compiled *stages; /* of k */
  compiled *s;      /* the present one */
  int64_t value[FG_MAX_DIGITS];
  int phase; /* 1: load, 2: store, 3: both at once */
  int hold;
  fg_bundle bundle;
  bool wrong;                           /* why is set */
  const int32_t *table[FG_MAX_BUFFERS]; /* index tables that were filled */
} walk;

/* Addresses wrap instead of overflowing: a bound check will see them. */
static int64_t wrap_add(int64_t a, int64_t b) { return (int64_t)((uint64_t)a + (uint64_t)b); }
static int64_t wrap_mul(int64_t a, int64_t b) { return (int64_t)((uint64_t)a * (uint64_t)b); }

static bool contradiction(walk *w, const char *what, const char *name) {
  snprintf(w->why, 200, "kernel %s: %s%s%s", w->k->name ? w->k->name : "?", what, name ? " " : "", name ? name : "");
  w->wrong = true;
  return false;
}

static line compile_line(const walk *w, const fg_affine *a, int slot) {
  line l = {.offset = fg_num_value(a->offset, w->options->params)};
  for (int t = 0; t < a->nterm; t++) {
    int64_t coef = fg_num_value(a->term[t].coef, w->options->params);
    if (a->term[t].digit == slot) {
      l.slot_coef = wrap_add(l.slot_coef, coef);
    } else {
      l.digit[l.nterm] = a->term[t].digit;
      l.coef[l.nterm++] = coef;
    }
  }
  return l;
}

static int64_t line_value(const line *l, const int64_t *value) {
  int64_t v = l->offset;
  for (int t = 0; t < l->nterm; t++) v = wrap_add(v, wrap_mul(l->coef[t], value[l->digit[t]]));
  return v;
}

static int64_t extent(const walk *w, int digit) { return fg_digit_extent(&w->k->digit[digit], w->options->params); }

static void set_digit(walk *w, int digit, int64_t counter) {
  w->value[digit] = fg_digit_value(&w->k->digit[digit], counter, w->options->params);
}

static bool is_index_table(const fg_program *p, int buffer) {
  if (buffer < 0 || buffer >= p->nbuffer) return false;
  const fg_buffer *b = &p->buffer[buffer];
  return b->elem == FG_ELEM_INDEX && b->space == FG_SPACE_TABLE && b->table >= 0 && b->table < p->ntable;
}

static bool compile_lookup(walk *w, const fg_access *a, route *r) {
  int16_t b = a->index.lookup;
  if (b < 0) return true;
  if (!is_index_table(w->p, b)) return contradiction(w, "an index table without contents", NULL);
  int table = w->p->buffer[b].table;
  if (!w->table[b]) w->table[b] = fg_table_indices(w->cx, &w->p->table[table]);
  if (!w->table[b]) return contradiction(w, "an index table that cannot be filled:", w->p->buffer[b].name);
  r->table = w->table[b];
  r->entries = w->p->table[table].rows * w->p->table[table].cols;
  return true;
}

static bool compile_route(walk *w, const fg_access *a, route *r) {
  *r = (route){.access = a, .slots = 1};
  if (a->buffer < 0 || a->buffer >= w->p->nbuffer) return contradiction(w, "an access without a buffer", NULL);
  if (w->p->buffer[a->buffer].elem == FG_ELEM_INDEX) return contradiction(w, "an access to an index table", NULL);
  if (!compile_lookup(w, a, r)) return false;
  if (a->reg >= 0) {
    int64_t n = extent(w, a->reg);
    if (n < 1 || n > 1 << 16) return contradiction(w, "slots out of range:", w->k->digit[a->reg].name);
    r->slots = (int)n;
  }
  r->slot_value = fg_arena_new(w->cx->arena, int64_t, r->slots);
  for (int m = 0; m < r->slots && a->reg >= 0; m++)
    r->slot_value[m] = fg_digit_value(&w->k->digit[a->reg], m, w->options->params);
  r->at = compile_line(w, &a->index.at, a->reg);
  r->base = compile_line(w, &a->index.base, a->reg);
  r->scale = a->index.scale.n ? fg_num_value(a->index.scale, w->options->params) : 1;
  for (int i = 0; i < a->npred; i++) {
    r->pred[i] = compile_line(w, &a->pred[i].value, a->reg);
    r->bound[i] = fg_num_value(a->pred[i].bound, w->options->params);
  }
  if (a->index.nwrap > FG_MAX_RANK) return contradiction(w, "an address shifted too often", NULL);
  for (int i = 0; i < a->index.nwrap; i++) {
    r->wrap[i] = compile_line(w, &a->index.wrap[i].position, a->reg);
    r->stride[i] = fg_num_value(a->index.wrap[i].stride, w->options->params);
  }
  r->idle = w->options->local && w->p->buffer[a->buffer].space != FG_SPACE_LOCAL;
  r->straight = !fg_index_is_bent(&a->index) && !a->index.xor_mask && !a->index.nwrap && !a->npred;
  r->ahead = fg_arena_new(w->cx->arena, int64_t, r->slots);
  for (int m = 0; m < r->slots; m++) r->ahead[m] = wrap_mul(r->at.slot_coef, r->slot_value[m]);
  size_t room = (size_t)r->slots * FG_WALK_WIDTH;
  r->address = fg_arena_new(w->cx->arena, int64_t, room);
  r->on = fg_arena_alloc(w->cx->arena, room);
  r->moves = (fg_moves){.access = a, .slots = r->slots, .at = r->address, .on = r->on};
  if (!a->rest) return true;
  r->rest = fg_arena_new(w->cx->arena, route, 1);
  if (!compile_route(w, a->rest, r->rest)) return false;
  if (a->rest->buffer != a->buffer) return contradiction(w, "an access that goes on in another buffer", NULL);
  r->moves.rest = &r->rest->moves;
  for (route *behind = r->rest; behind; behind = behind->rest)
    behind->moves.first += fg_buffer_parts(&w->p->buffer[a->buffer]) * r->slots;
  return true;
}

/* What a shift adds to the address, at a position of the array. */
static int64_t shift_of(const fg_wrap *wrap, int64_t position, int64_t stride) {
  return wrap_mul(position < wrap->n - wrap->by ? wrap->by : wrap->by - wrap->n, stride);
}

/* The steps of fg_index_value after the affine ones; what lies outside of a table
 * is outside of every buffer too. */
static int64_t finish_address(const route *r, int64_t v, int64_t base) {
  const fg_index *x = &r->access->index;
  if (x->mod) v = (v % x->mod + x->mod) % x->mod;
  if (r->table && (v < 0 || v >= r->entries)) return INT64_MIN;
  if (r->table) v = r->table[v];
  if (fg_index_is_bent(x)) v = wrap_add(base, wrap_mul(r->scale, v));
  if (x->pad_every) v = wrap_add(v, wrap_mul(v / x->pad_every, x->pad_by));
  if (x->xor_mask) v ^= (v >> x->xor_shift) & x->xor_mask;
  return v;
}

static void aim_straight(walk *w, route *r, int i) {
  const fg_index *x = &r->access->index;
  int64_t first = line_value(&r->at, w->value), width = w->bundle.width;
  unsigned char on = w->bundle.active[i];
  for (int m = 0; m < r->slots; m++) {
    int64_t v = wrap_add(first, r->ahead[m]);
    r->address[m * width + i] = x->pad_every ? wrap_add(v, wrap_mul(v / x->pad_every, x->pad_by)) : v;
    r->on[m * width + i] = on;
  }
}

/* Addresses of instance i, whose digit values are in w->value. */
static void aim_bent(walk *w, route *r, int i) {
  const fg_access *a = r->access;
  int width = w->bundle.width;
  bool plain = !fg_index_is_bent(&a->index) && !a->index.pad_every && !a->index.xor_mask;
  int64_t base = line_value(&r->at, w->value), apart = line_value(&r->base, w->value), pred[FG_MAX_PREDS] = {0};
  for (int j = 0; j < a->npred; j++) pred[j] = line_value(&r->pred[j], w->value);
  int64_t position[FG_MAX_RANK] = {0};
  for (int j = 0; j < a->index.nwrap; j++) position[j] = line_value(&r->wrap[j], w->value);
  for (int m = 0; m < r->slots; m++) {
    int64_t v = wrap_add(base, r->ahead[m]);
    for (int j = 0; j < a->index.nwrap; j++)
      v = wrap_add(v, shift_of(&a->index.wrap[j],
                               wrap_add(position[j], wrap_mul(r->wrap[j].slot_coef, r->slot_value[m])), r->stride[j]));
    unsigned char on = w->bundle.active[i];
    for (int j = 0; j < a->npred; j++)
      on &= wrap_add(pred[j], wrap_mul(r->pred[j].slot_coef, r->slot_value[m])) < r->bound[j];
    int64_t slot_base = wrap_add(apart, wrap_mul(r->base.slot_coef, r->slot_value[m]));
    r->address[m * width + i] = plain ? v : on || !r->table ? finish_address(r, v, slot_base) : 0;
    r->on[m * width + i] = on;
  }
}

static void aim(walk *w, route *r, int i) {
  for (; r && !r->idle; r = r->rest)
    if (r->straight)
      aim_straight(w, r, i);
    else
      aim_bent(w, r, i);
}

static void aim_instance(walk *w, int i, int32_t thread) {
  fg_bundle *b = &w->bundle;
  b->thread[i] = thread;
  b->active[i] = 1;
  compiled *c = w->s;
  for (int j = 0; j < c->s->npred; j++) b->active[i] &= line_value(&c->guard[j], w->value) < c->guard_bound[j];
  for (int j = 0; j < FG_MAX_POINTS; j++) {
    if ((w->phase & 1) && c->loaded[j]) aim(w, c->loaded[j], i);
    if ((w->phase & 2) && c->stored[j]) aim(w, c->stored[j], i);
  }
  if (w->phase & 1) {
    aim(w, &c->load, i);
    if (c->s->has_twiddle) aim(w, &c->twiddle, i);
    if (c->s->has_more) aim(w, &c->more, i);
  }
  if (w->phase & 2) aim(w, &c->store, i);
}

static void set_threads(walk *w, int32_t thread) {
  for (int i = 0; i < w->s->nthread; i++) {
    int digit = w->s->thread[i];
    set_digit(w, digit, thread / w->k->digit[digit].div % extent(w, digit));
  }
}

/* A compiled route's moves, with what becomes of its elements. */
static void add_points(route *r, const fg_points *points, route *const *operand) {
  const route *of[FG_MAX_POINTS];
  memcpy(of, operand, sizeof of);
  for (; r; r = r->rest) {
    r->moves.points = points;
    for (int i = 0; i < FG_MAX_POINTS; i++) {
      r->moves.operand[i] = of[i] ? of[i]->address : NULL;
      r->moves.operand_on[i] = of[i] ? of[i]->on : NULL;
      if (of[i]) of[i] = of[i]->rest;
    }
  }
}

static bool report(walk *w) {
  fg_bundle *b = &w->bundle;
  b->value = w->value;
  b->hold = w->hold;
  fg_moves t[2] = {w->s->twiddle.moves, w->s->more.moves};
  if ((w->phase & 1) && !w->to->load(w->to->self, b, &w->s->load.moves, w->s->s->has_twiddle ? t : NULL)) return false;
  if ((w->phase & 2) && !w->to->store(w->to->self, b, &w->s->store.moves)) return false;
  if (w->phase != 3) w->hold++;
  return true;
}

/* All threads and lanes, at fixed values of the other digits. */
static bool walk_bundles(walk *w) {
  fg_bundle *b = &w->bundle;
  int threads = w->k->threads > 1 ? w->k->threads : 1;
  int lane = w->s->lane;
  b->lanes = lane >= 0;
  for (int t = 0; t < threads;) {
    b->width = b->lanes ? w->s->lanes : threads - t < FG_WARP ? threads - t : FG_WARP;
    for (int i = 0; i < b->width; i++) {
      if (b->lanes) set_digit(w, lane, i);
      if (i == 0 || !b->lanes) set_threads(w, t + (b->lanes ? 0 : i));
      aim_instance(w, i, t + (b->lanes ? 0 : i));
    }
    if (b->lanes) set_digit(w, lane, 0);
    if (!report(w)) return false;
    t += b->lanes ? 1 : b->width;
  }
  return true;
}

static bool walk_copies(walk *w, int depth) {
  if (depth == w->s->ncopy) return walk_bundles(w);
  int64_t n = extent(w, w->s->copy[depth]);
  for (int64_t i = 0; i < n; i++) {
    set_digit(w, w->s->copy[depth], i);
    if (!walk_copies(w, depth + 1)) return false;
  }
  return true;
}

/* The same for all blocks of a cluster, one after the other. */
static bool walk_ranks(walk *w) {
  int16_t rank = fg_kernel_rank(w->k);
  if (rank < 0) return walk_copies(w, 0);
  for (int i = 0; i < w->k->cluster; i++) {
    set_digit(w, rank, i);
    if (w->to->rank) w->to->rank(w->to->self, i);
    if (!walk_copies(w, 0)) return false;
  }
  return true;
}

static bool cross(walk *w, fg_crossing c) { return !w->to->cross || w->to->cross(w->to->self, c); }

/* Between loads and stores. */
static bool pass_middle(walk *w) {
  const fg_stage *s = w->s->s;
  if (s->sync_mid < FG_SCOPE_CLUSTER) {
    w->to->sync(w->to->self, s->sync_mid);
    return true;
  }
  return (s->arrive != FG_POINT_USED || cross(w, FG_CROSSING_ARRIVE)) && cross(w, FG_CROSSING_WAIT);
}

/* Whether only the ends of a digit are to be walked. */
static bool left_out(const walk *w, int digit, int64_t n) {
  int64_t ends = w->options->ends;
  return ends && n > 2 * ends && w->k->digit[digit].batch;
}

/* The next counter after i. */
static int64_t next(const walk *w, int digit, int64_t i, int64_t n) {
  int64_t ends = w->options->ends;
  return left_out(w, digit, n) && i + 1 == ends ? n - ends : i + 1;
}

static bool walk_loops(walk *w, int depth) {
  if (depth < w->s->nloop) {
    int d = w->s->loop[depth];
    int64_t n = extent(w, d);
    for (int64_t i = 0; i < n; i = next(w, d, i, n)) {
      set_digit(w, d, i);
      if (!walk_loops(w, depth + 1)) return false;
    }
    return true;
  }
  w->hold = 0;
  if (w->s->s->sync_mid < FG_SCOPE_BLOCK) {
    w->phase = 3;
    return walk_ranks(w);
  }
  bool early = w->s->s->sync_mid == FG_SCOPE_CLUSTER && w->s->s->arrive != FG_POINT_USED;
  if (early && !cross(w, FG_CROSSING_ARRIVE)) return false;
  w->phase = 1;
  if (!walk_ranks(w) || !pass_middle(w)) return false;
  w->phase = 2;
  w->hold = 0;
  return walk_ranks(w);
}

static bool sort_digits(walk *w, compiled *c) {
  c->lane = -1;
  for (int i = 0; i < c->s->nloop; i++) {
    int16_t d = c->s->loop[i];
    const fg_digit *digit = &w->k->digit[d];
    switch (digit->role) {
    case FG_ROLE_LOOP: c->loop[c->nloop++] = d; break;
    case FG_ROLE_REG: c->copy[c->ncopy++] = d; break;
    case FG_ROLE_THREAD:
      if (digit->div < 1 || digit->div * extent(w, d) > w->k->threads)
        return contradiction(w, "threads do not cover digit", digit->name);
      c->thread[c->nthread++] = d;
      break;
    case FG_ROLE_LANE:
      if (c->lane >= 0 || extent(w, d) < 1 || extent(w, d) > FG_WALK_WIDTH)
        return contradiction(w, "more lanes than a vector has:", digit->name);
      c->lane = d;
      c->lanes = (int)extent(w, d);
      break;
    default: return contradiction(w, "a stage's loop over a digit of the whole kernel:", digit->name);
    }
  }
  if (c->s->lane >= 0 && c->s->lane != c->lane) return contradiction(w, "the lane digit is not among the loops", NULL);
  return true;
}

/* Numbers that an access moves. */
static int numbers_of(const walk *w, const route *r) {
  int numbers = 0;
  for (; r; r = r->rest) numbers += fg_buffer_parts(&w->p->buffer[r->access->buffer]) * r->slots;
  return numbers;
}

static bool check_slots(walk *w, const compiled *c) {
  const fg_stage *s = c->s;
  int in = numbers_of(w, &c->load), parts = fg_buffer_parts(&w->p->buffer[s->store.buffer]);
  int out = numbers_of(w, &c->store) / parts * fg_stage_result_parts(w->p, s);
  if (!s->codelet) return in == out || contradiction(w, "a copy with more loads than stores", NULL);
  if (in != s->codelet->nin || out != s->codelet->nout)
    return contradiction(w, "slots that do not fit the codelet of", s->what);
  int roots = (s->has_twiddle ? numbers_of(w, &c->twiddle) : 0) + (s->has_more ? numbers_of(w, &c->more) : 0);
  for (int f = 0; s->product && f < s->codelet->ntw / 2; f++)
    if (!fg_product_possible(&s->product[f], f, (roots + 1) / 2))
      return contradiction(w, "a twiddle factor of what is not there, in", s->what);
  if (!s->product && roots != s->codelet->ntw)
    return contradiction(w, "twiddle slots that do not fit the codelet of", s->what);
  return true;
}

static bool same_slots(const route *a, const route *b) {
  for (; a && b && a->slots == b->slots; a = a->rest) b = b->rest;
  return !a && !b;
}

/* Routes of operands, whose slots are those of the access that they belong to. */
static bool compile_points(walk *w, const fg_points *points, const route *of, route **out) {
  for (int i = 0; points && i < points->count; i++) {
    if (!points->point[i].has_operand) continue;
    out[i] = fg_arena_new(w->cx->arena, route, 1);
    if (points->count > FG_MAX_POINTS || !compile_route(w, &points->point[i].operand, out[i])) return false;
    if (!same_slots(out[i], of)) return contradiction(w, "an operand with slots of its own", NULL);
  }
  return true;
}

static bool compile_stage(walk *w, int stage) {
  compiled *c = &w->stages[stage];
  *c = (compiled){.s = &w->k->stage[stage]};
  if (!sort_digits(w, c) || !compile_route(w, &c->s->load, &c->load) || !compile_route(w, &c->s->store, &c->store))
    return false;
  if (c->s->has_twiddle && !compile_route(w, &c->s->twiddle, &c->twiddle)) return false;
  if (c->s->has_more && !compile_route(w, &c->s->more, &c->more)) return false;
  if (!check_slots(w, c)) return false;
  if (!compile_points(w, c->s->loaded, &c->load, c->loaded)) return false;
  if (!compile_points(w, c->s->stored, &c->store, c->stored)) return false;
  add_points(&c->load, c->s->loaded, c->loaded);
  add_points(&c->store, c->s->stored, c->stored);
  fg_scope widest = w->k->cluster > 1 ? FG_SCOPE_CLUSTER : FG_SCOPE_BLOCK;
  if (c->s->sync_mid > widest || (c->s->sync_end > widest && stage + 1 < w->k->nstage))
    return contradiction(w, "barriers between blocks are not walked", NULL);
  if (w->k->cluster > 1 && c->nloop)
    for (int j = 0; j < c->nloop; j++) /* a block with fewer turns would leave the others waiting */
      if (c->s->sync_mid == FG_SCOPE_CLUSTER && w->k->digit[c->loop[j]].extent.form != FG_NUM_CONST)
        return contradiction(w, "a barrier of the cluster in a loop of run-time length:", w->k->digit[c->loop[j]].name);
  for (int j = 0; j < c->s->npred; j++) {
    c->guard[j] = compile_line(w, &c->s->pred[j].value, -1);
    c->guard_bound[j] = fg_num_value(c->s->pred[j].bound, w->options->params);
  }
  return true;
}

static bool holds(const walk *w, const fg_pred *pred, int npred) {
  for (int i = 0; i < npred; i++) {
    line l = compile_line(w, &pred[i].value, -1);
    if (line_value(&l, w->value) >= fg_num_value(pred[i].bound, w->options->params)) return false;
  }
  return true;
}

static bool walk_stage(walk *w, int stage) {
  w->s = &w->stages[stage];
  w->bundle.kernel = w->ik;
  w->bundle.stage = stage;
  w->bundle.what = w->s->s;
  return walk_loops(w, 0);
}

static bool walk_end(walk *w) {
  fg_scope end = w->s->s->sync_end;
  if (end == FG_SCOPE_CLUSTER && !cross(w, FG_CROSSING_DATA)) return false;
  if (end >= FG_SCOPE_BLOCK && end != FG_SCOPE_CLUSTER) w->to->sync(w->to->self, end);
  return true;
}

/* With both halves of the cluster's barrier around it, where they stand apart. */
static bool walk_between(walk *w, int stage) {
  const fg_stage *s = &w->k->stage[stage];
  if (s->sync_begin == FG_SCOPE_CLUSTER && !cross(w, FG_CROSSING_WAIT)) return false;
  if (s->sync_begin == FG_SCOPE_BLOCK) w->to->sync(w->to->self, FG_SCOPE_BLOCK);
  return walk_stage(w, stage) && (!s->arrives || cross(w, FG_CROSSING_ARRIVE)) && walk_end(w);
}

static bool walk_stages(walk *w) {
  if (!holds(w, w->k->pred, w->k->npred)) return true;
  if (w->k->arrives && !cross(w, FG_CROSSING_ARRIVE)) return false;
  for (int i = 0; i < w->k->nstage; i++)
    if (!walk_between(w, i)) return false;
  return true;
}

/* ---- bulk copies ------------------------------------------------------------------------- */

static bool bulk(walk *w, fg_bulk b, int64_t block) { return !w->to->bulk || w->to->bulk(w->to->self, b, block); }

/* The first stage, for number `next`; -1: there is none. */
static bool walk_fetch(walk *w, int64_t now, int64_t next) {
  int d = w->k->outer[0];
  if (next < 0) return true;
  set_digit(w, d, next);
  bool good = bulk(w, FG_BULK_FETCH, next) && walk_stage(w, 0) && bulk(w, FG_BULK_FETCHED, now);
  set_digit(w, d, now);
  return good;
}

static bool walk_turn(walk *w, int64_t now, int64_t next) {
  const fg_kernel *k = w->k;
  bool leaves = k->stage[k->nstage - 1].bulk;
  if (!bulk(w, FG_BULK_COME, now)) return false;
  for (int i = 1; i < k->nstage; i++) {
    if (i == k->fetch && !walk_fetch(w, now, next)) return false;
    if (!walk_stage(w, i) || !walk_end(w)) return false;
  }
  if (leaves && (!bulk(w, FG_BULK_LEAVE, now) || !bulk(w, FG_BULK_GONE, now))) return false;
  w->to->sync(w->to->self, FG_SCOPE_BLOCK);
  return k->fetch < k->nstage || walk_fetch(w, now, next);
}

static bool walk_turns(walk *w) {
  int d = w->k->outer[0];
  int64_t n = extent(w, d), after;
  for (int64_t i = 0; i < n; i = after) {
    after = next(w, d, i, n);
    set_digit(w, d, i);
    if (!w->to->block(w->to->self, i) || (i == 0 && !walk_fetch(w, 0, 0))) return false;
    if (!walk_turn(w, i, after < n ? after : -1)) return false;
  }
  return true;
}

/* What the turns above know how to walk. */
static bool check_bulk(walk *w) {
  const fg_kernel *k = w->k;
  bool any = false;
  for (int i = 0; i < k->nstage; i++) {
    any |= k->stage[i].bulk;
    if (k->stage[i].bulk && (k->stage[i].codelet || (i > 0 && i + 1 < k->nstage) || k->nstage < 2))
      return contradiction(w, "a bulk copy that is not at an end:", k->stage[i].what);
  }
  bool first = fg_kernel_fetches(k), alone = k->nouter == 1 && k->cluster < 2 && !k->npred;
  if (any && (!first || !alone || k->persistent == (k->turns > 0) || k->digit[k->outer[0]].role != FG_ROLE_BLOCK))
    return contradiction(w, "bulk copies of blocks that do not go through numbers", NULL);
  return !any || (k->fetch > 1 && k->fetch <= k->nstage) || contradiction(w, "bulk copies that begin nowhere", NULL);
}

/* The outer digits that a block runs through by itself. */
static bool walk_block(walk *w, int depth) {
  const fg_kernel *k = w->k;
  while (depth < k->nouter && k->digit[k->outer[depth]].role != FG_ROLE_LOOP) depth++;
  if (depth == k->nouter) return walk_stages(w);
  int64_t n = extent(w, k->outer[depth]);
  for (int64_t i = 0; i < n; i++) {
    set_digit(w, k->outer[depth], i);
    if (!walk_block(w, depth + 1)) return false;
  }
  return true;
}

static int64_t block_count(const walk *w) {
  int64_t n = 1;
  for (int i = 0; i < w->k->nouter; i++)
    if (w->k->digit[w->k->outer[i]].role == FG_ROLE_BLOCK) n = wrap_mul(n, extent(w, w->k->outer[i]));
  return n;
}

/* Outer digits of one role after the other: hosts go around launches. Numbers of
 * blocks follow the order of the loops. */
static bool walk_outer(walk *w, int depth, fg_role role, int64_t block) {
  const fg_kernel *k = w->k;
  int nouter = fg_kernel_rank(k) < 0 ? k->nouter : k->nouter - 1;
  while (depth < nouter && k->digit[k->outer[depth]].role != role) depth++;
  if (depth == nouter) {
    if (role == FG_ROLE_BLOCK)
      return w->to->block(w->to->self, fg_kernel_rank(k) < 0 ? block : block * k->cluster) && walk_block(w, 0);
    if (!w->to->launch(w->to->self, w->ik, block_count(w))) return false;
    return fg_kernel_fetches(k) ? walk_turns(w) : walk_outer(w, 0, FG_ROLE_BLOCK, 0);
  }
  int d = k->outer[depth];
  int64_t n = extent(w, d), i = 0, end = n;
  if (w->options->shares > 1 && d == w->cut) {
    int64_t parts = fg_digit_parts(&k->digit[d], n), share = w->options->share;
    i = parts * share / w->options->shares;
    if (share + 1 < w->options->shares) end = parts * (share + 1) / w->options->shares;
  }
  for (; i < end; i = next(w, d, i, n)) {
    set_digit(w, d, i);
    if (!walk_outer(w, depth + 1, role, wrap_add(wrap_mul(block, n), i))) return false;
  }
  return true;
}

static bool compile_kernel(walk *w) {
  w->stages = fg_arena_new(w->cx->arena, compiled, w->k->nstage);
  for (int i = 0; i < w->k->nstage; i++)
    if (!compile_stage(w, i)) return false;
  return true;
}

/* Blocks find their digits by division: the divisors must be those of the nest. */
static bool check_blocks(walk *w) {
  const fg_kernel *k = w->k;
  int64_t inner = 1, blocks = 1;
  for (int i = 0; i < k->nouter; i++) {
    fg_role role = k->digit[k->outer[i]].role;
    if (role != FG_ROLE_HOST && role != FG_ROLE_BLOCK && role != FG_ROLE_LOOP)
      return contradiction(w, "an outer digit that is no block's:", k->digit[k->outer[i]].name);
  }
  if (k->cluster > 1 && (fg_kernel_rank(k) < 0 || !fg_num_is(k->digit[fg_kernel_rank(k)].extent, k->cluster) ||
                         k->digit[fg_kernel_rank(k)].role != FG_ROLE_BLOCK))
    return contradiction(w, "no digit that numbers the blocks of a cluster", NULL);
  if (!fg_walk_has_threads(w->p) && !w->p->side_by_side) return true;
  for (int i = k->nouter - 1; i >= 0; i--) {
    const fg_digit *d = &k->digit[k->outer[i]];
    if (d->role != FG_ROLE_BLOCK || d->again) continue;
    if (d->div != inner && extent(w, k->outer[i]) > 1)
      return contradiction(w, "a wrong divisor of block digit", d->name);
    inner = wrap_mul(inner, extent(w, k->outer[i]));
  }
  if (k->turns > 1) inner = (inner + k->turns - 1) / k->turns;
  for (int i = 0; i < k->nblocks; i++) blocks = wrap_mul(blocks, fg_num_value(k->blocks[i], w->options->params));
  if (blocks != inner) return contradiction(w, "not as many blocks as block digits count", NULL);
  return true;
}

/* ---- queues -------------------------------------------------------------------------- */

/* Transforms between the ends of the batch are left out. */
static bool tile_left_out(const walk *w, int64_t tile) {
  int64_t ends = w->options->ends;
  for (int i = 0; i < w->k->nouter; i++) {
    int d = w->k->outer[i];
    int64_t n = extent(w, d), at = tile / w->k->digit[d].div % n;
    if (left_out(w, d, n) && at >= ends && at < n - ends) return true;
  }
  return false;
}

static bool walk_tile(walk *w, int64_t tile) {
  for (int i = 0; i < w->k->nouter; i++) {
    int d = w->k->outer[i];
    set_digit(w, d, tile / w->k->digit[d].div % extent(w, d));
  }
  return walk_block(w, 0);
}

/* One launch of the first two kernels: their tiles in the order of the queue. False: the walk is over. */
static bool walk_queue(walk *w) {
  const fg_queue *q = &w->p->queue;
  int64_t transforms = fg_num_value(q->transforms, w->options->params), items = fg_queue_items(q, transforms);
  compiled *stages[2];
  for (w->ik = 0; w->ik < 2; w->ik++) {
    w->k = w->p->kernel[w->ik];
    if (!check_blocks(w) || !compile_kernel(w)) return false;
    stages[w->ik] = w->stages;
  }
  if (!w->to->launch(w->to->self, 0, items)) return false;
  for (int64_t i = 0; i < items; i++) {
    fg_item item = fg_queue_item(q, transforms, i);
    if (item.kernel < 0) continue;
    w->ik = item.kernel;
    w->k = w->p->kernel[w->ik];
    w->stages = stages[w->ik];
    if (tile_left_out(w, item.tile)) continue;
    if (!w->to->item(w->to->self, i, &item) || !walk_tile(w, item.tile)) return false;
  }
  return !w->to->end || w->to->end(w->to->self);
}

bool fg_walk_has_threads(const fg_program *p) {
  for (int i = 0; i < p->nkernel; i++) {
    if (p->kernel[i]->threads > 1) return true;
    for (int d = 0; d < p->kernel[i]->ndigit; d++)
      if (p->kernel[i]->digit[d].role == FG_ROLE_THREAD) return true;
  }
  return false;
}

/* Blocks of threads are unordered: any digit of theirs will do, of launches without more than blocks. */
int16_t fg_walk_cut(const fg_program *p, const fg_kernel *k) {
  int16_t longest = -1;
  if (k->part || !fg_walk_has_threads(p)) return (int16_t)(k->part - 1);
  if (k->persistent || k->turns || p->queue.ring) return -1;
  for (int i = 0; i < k->nouter; i++) {
    const fg_digit *d = &k->digit[k->outer[i]];
    if (d->role == FG_ROLE_HOST || d->again) return -1;
    bool fits = d->role == FG_ROLE_BLOCK && d->extent.form == FG_NUM_CONST && k->outer[i] != fg_kernel_rank(k);
    if (fits && (longest < 0 || d->extent.n > k->digit[longest].extent.n)) longest = k->outer[i];
  }
  return longest;
}

fg_status fg_walk(fg_context *cx, const fg_program *p, const fg_walk_options *options, const fg_walker *walker,
                  char why[200]) {
  walk *w = fg_arena_new(cx->arena, walk, 1);
  *w = (walk){.cx = cx, .p = p, .options = options, .to = walker, .why = why};
  bool on = !p->queue.ring || walk_queue(w);
  for (w->ik = p->queue.ring ? 2 : 0; on && w->ik < p->nkernel; w->ik++) {
    w->k = p->kernel[w->ik];
    w->cut = fg_walk_cut(p, w->k);
    if (!check_blocks(w) || !check_bulk(w) || !compile_kernel(w) || !walk_outer(w, 0, FG_ROLE_HOST, 0)) break;
    if (w->to->end && !w->to->end(w->to->self)) break;
  }
  return w->wrong ? FG_EWRONG : FG_OK;
}
