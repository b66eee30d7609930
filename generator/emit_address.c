/* Addresses and predicates as text. In: an access of a stage. Out: expressions
 * for the numbers that it touches.
 *
 * The idea: base pointer + constants. An address is a base (what the digits
 * contribute) plus an offset of slot and lane. Where padding or blocks bend the
 * address line, base and offset still add up if no carry runs from one into the
 * other: residues of the base are bounded from the digits' steps. Everything
 * else gets an index variable of its own per element. */
#include "generator/emit_parts.h"
#include "generator/gcd.h"
#include <assert.h>
#include <string.h>

/* ---- what is known of digits ------------------------------------------------- */

static bool is_const(fg_num x) { return x.form == FG_NUM_CONST; }

static int64_t fixed_value(const fg_digit *d, int64_t counter) { return fg_digit_value(d, counter, NULL); }

/* Largest value of a digit; INT64_MAX: not known. */
static int64_t largest_value(const fg_digit *d) {
  if (!is_const(d->extent) || !is_const(d->start)) return INT64_MAX;
  return fixed_value(d, d->extent.n - 1);
}

/* Greatest number that divides every value of a digit; 0: all are zero. */
static int64_t grain_of(const fg_digit *d) {
  if (!is_const(d->start)) return 1;
  if (is_const(d->extent) && d->extent.n == 1) return fg_gcd(fixed_value(d, 0), 0);
  int64_t g = fg_gcd(d->start.n, d->step);
  bool clipped = d->last != INT64_MAX && (!is_const(d->extent) || (d->extent.n - 1) * d->step > d->last);
  return clipped ? fg_gcd(g, d->last) : g;
}

static bool is_inner(const fg_place *p, const fg_writer *w, int digit) {
  return digit == p->a->reg || (w->lanes > 1 && digit == w->stage->lane);
}

/* Bounds base % every, for the base without slot and lane; -1: may be negative
 * or is not known at all. */
static int64_t residue_bound(const fg_writer *w, const fg_place *p, int64_t every) {
  const fg_affine *at = &p->a->index.at;
  if (!is_const(at->offset) || at->offset.n < 0) return -1;
  int64_t grain = fg_gcd(every, at->offset.n), sum = at->offset.n % every;
  for (int t = 0; t < at->nterm; t++) {
    const fg_term *term = &at->term[t];
    const fg_digit *d = &w->k->digit[term->digit];
    if (is_inner(p, w, term->digit)) continue;
    if (!is_const(term->coef) || term->coef.n < 0 || !is_const(d->start) || d->start.n < 0 || d->step < 0) return -1;
    int64_t g = fg_gcd(every, term->coef.n * grain_of(d)), most = largest_value(d);
    grain = fg_gcd(grain, g);
    if (g == every) continue;
    sum = most == INT64_MAX || sum >= every ? every : sum + term->coef.n * most;
  }
  return sum < every - grain ? sum : every - grain;
}

/* ---- slot and lane ------------------------------------------------------------- */

static fg_num coef_of(const fg_affine *a, int digit) {
  for (int t = 0; t < a->nterm; t++)
    if (a->term[t].digit == digit) return a->term[t].coef;
  return fg_num_const(0);
}

static int64_t inner_value(const fg_writer *w, int digit, int counter) {
  const fg_digit *d = &w->k->digit[digit];
  assert(is_const(d->start));
  return fixed_value(d, counter);
}

bool fg_place_offset(const fg_writer *w, const fg_place *p, int slot, int lane, int64_t *out) {
  fg_num s = coef_of(&p->a->index.at, p->a->reg);
  *out = 0;
  if (!is_const(s)) return false;
  *out = s.n * inner_value(w, p->a->reg, slot);
  if (w->lanes == 1) return true;
  fg_num l = coef_of(&p->a->index.at, w->stage->lane);
  *out += l.n * inner_value(w, w->stage->lane, lane);
  return is_const(l);
}

/* Padding, then blocks: how the address line is bent. */
static int64_t bend(const fg_place *p, int64_t e) {
  if (p->a->index.pad_every) e += e / p->a->index.pad_every * p->a->index.pad_by;
  if (p->b->layout == FG_LAYOUT_BLOCKED) e += e / p->b->block * p->b->block;
  return e;
}

static int64_t bend_every(const fg_place *p) {
  if (p->a->index.pad_every) return p->a->index.pad_every;
  return p->b->layout == FG_LAYOUT_BLOCKED ? p->b->block : 0;
}

/* Base and every offset may be bent apart from each other. */
static bool separates(const fg_writer *w, const fg_place *p) {
  const fg_index *x = &p->a->index;
  if (x->nwrap || fg_index_is_bent(x) || x->xor_mask) return false;
  int64_t every = bend_every(p);
  if (!every) return true;
  if (x->pad_every && p->b->layout == FG_LAYOUT_BLOCKED) return false;
  int64_t residue = residue_bound(w, p, every);
  for (int s = 0; s < p->slots; s++)
    for (int l = 0; l < w->lanes; l++) {
      int64_t offset;
      if (residue < 0 || !fg_place_offset(w, p, s, l, &offset) || offset < 0) return false;
      if (residue + offset % every >= every) return false;
    }
  return true;
}

/* ---- how vectors move ------------------------------------------------------------ */

/* step: 1, or -1 where the last lane comes first. */
static bool lanes_adjacent(const fg_writer *w, const fg_place *p, int step) {
  for (int s = 0; s < p->slots; s++) {
    int64_t first, offset;
    if (!fg_place_offset(w, p, s, 0, &first)) {
      /* run-time distance of slots: lanes matter alone, on a straight line */
      fg_num l = coef_of(&p->a->index.at, w->stage->lane);
      return !bend_every(p) && fg_num_is(l, step) && w->k->digit[w->stage->lane].step == 1;
    }
    for (int l = 1; l < w->lanes; l++)
      if (!fg_place_offset(w, p, s, l, &offset) || bend(p, offset) != bend(p, first) + step * l) return false;
  }
  return true;
}

static bool power_of_two(int x) { return x > 0 && (x & (x - 1)) == 0; }

/* Lanes' rows of slots lie end to end. */
static bool is_line(const fg_writer *w, const fg_place *p) {
  int64_t first, offset;
  if (p->slots > 64 || !fg_place_offset(w, p, 0, 0, &first)) return false;
  for (int l = 0; l < w->lanes; l++)
    for (int s = 0; s < p->slots; s++) {
      int e = l * p->slots + s;
      if (!fg_place_offset(w, p, s, l, &offset) || offset != first + e) return false;
      if (bend(p, offset) != bend(p, first + e / w->lanes * w->lanes) + e % w->lanes) return false;
    }
  return true;
}

/* Every lane's slots are neighbours, within blocks where there are such; the distance
 * of lanes may come at run time. */
static bool has_rows(const fg_writer *w, const fg_place *p) {
  bool blocks = p->b->layout == FG_LAYOUT_BLOCKED && p->b->block == w->lanes && p->slots > w->lanes;
  int together = blocks ? w->lanes : p->slots;
  if (p->slots % together) return false;
  if (!w->e->d->vjoin || p->slots > 64 || !fg_num_is(coef_of(&p->a->index.at, p->a->reg), 1)) return false;
  if (w->k->digit[p->a->reg].step != 1) return false;
  for (int l = 0; l < w->lanes && bend_every(p); l++)
    for (int s = 0; s < p->slots; s++) {
      int64_t first, offset;
      int start = s / together * together;
      if (!fg_place_offset(w, p, start, l, &first) || !fg_place_offset(w, p, s, l, &offset)) return false;
      if (bend(p, offset) != bend(p, first) + s - start) return false;
    }
  return true;
}

/* The move that the access claims, when its address bears it out. */
static fg_move checked_move(const fg_writer *w, fg_place *p) {
  if (w->lanes == 1) return FG_MOVE_NONE;
  if (!p->direct || p->npred || !power_of_two(w->lanes) || !fg_place_vectors(w->e, p->b)) return FG_MOVE_GATHER;
  if (p->a->move == FG_MOVE_TRANSPOSE && p->slots > 1) {
    p->apart = !is_line(w, p);
    if (!p->apart || has_rows(w, p)) return FG_MOVE_TRANSPOSE;
  }
  p->apart = false;
  if (!p->is_store && fg_num_is(coef_of(&p->a->index.at, w->stage->lane), 0)) return FG_MOVE_SAME;
  if (lanes_adjacent(w, p, 1)) return FG_MOVE_CONTIG;
  if (lanes_adjacent(w, p, -1)) return FG_MOVE_REVERSE;
  p->apart = p->b->layout == FG_LAYOUT_INTERLEAVED && p->parts == 2 && w->e->d->vjoin;
  return FG_MOVE_GATHER;
}

bool fg_affine_mentions(const fg_affine *a, int digit) {
  for (int t = 0; t < a->nterm; t++)
    if (a->term[t].digit == digit) return true;
  return false;
}

static void take_preds(fg_writer *w, fg_place *p) {
  for (int i = 0; i < p->a->npred; i++) p->pred[p->npred++] = p->a->pred[i];
  for (int i = 0; w->lanes > 1 && i < w->stage->npred; i++)
    if (fg_affine_mentions(&w->stage->pred[i].value, w->stage->lane)) p->pred[p->npred++] = w->stage->pred[i];
}

fg_status fg_place_init(fg_writer *w, fg_place *p, const fg_access *a, char tag) {
  int slots = (int)w->k->digit[a->reg].extent.n;
  const fg_emitter *e = w->e;
  const fg_buffer *b = &e->p->buffer[a->buffer];
  bool is_store = tag == 'y' || tag == 'z';
  if (b->spread > 1 && !is_store) a = fg_cluster_own(w, a);
  if (!a) return fg_diag_set(&w->e->cx->diag, FG_EUSER, "emit: a load from another block of the cluster");
  *p = (fg_place){.a = a, .b = b, .tag = tag, .is_store = is_store, .slots = slots, .scale = 1};
  p->parts = fg_buffer_parts(b);
  p->memory = fg_memory_root(e->p, a->buffer);
  if (b->layout == FG_LAYOUT_INTERLEAVED && p->parts == 2) p->scale = 2, p->im_add = 1;
  if (b->layout == FG_LAYOUT_BLOCKED) p->im_add = b->block;
  take_preds(w, p);
  p->direct = separates(w, p);
  p->move = checked_move(w, p);
  p->pair = w->lanes == 1 && p->parts == 2 && b->layout == FG_LAYOUT_INTERLEAVED && fg_place_pairs(e, b);
  fg_arena *arena = e->cx->arena;
  p->declared = fg_arena_new(arena, bool, slots * w->lanes + 1);
  p->ok_declared = fg_arena_new(arena, bool, slots * w->lanes + 1);
  p->needed = fg_arena_new(arena, bool, p->parts *slots + 1);
  p->loaded = fg_arena_new(arena, bool, slots + 1);
  if (!a->rest) return FG_OK;
  p->rest = fg_arena_new(arena, fg_place, 1);
  fg_status status = fg_place_init(w, p->rest, a->rest, p->is_store ? 'z' : 'u');
  p->rest->first = p->parts * slots;
  return status;
}

int fg_place_numbers(const fg_place *p) {
  int numbers = 0;
  for (; p; p = p->rest) numbers += p->parts * p->slots;
  return numbers;
}

fg_place *fg_place_of(fg_place *p, int *number) {
  for (; p->rest && *number >= p->parts * p->slots; p = p->rest) *number -= p->parts * p->slots;
  return p;
}

bool fg_place_has_rows(const fg_place *p) {
  for (; p; p = p->rest)
    if (p->move == FG_MOVE_TRANSPOSE) return true;
  return false;
}

/* ---- text -------------------------------------------------------------------------- */

/* Adds coef * digit for every term; digits slot_digit and the lane count with the
 * given counters, and not at all where those are negative. */
static void add_affine(fg_writer *w, fg_sum *s, const fg_affine *a, int64_t factor, int slot_digit, int slot,
                       int lane) {
  fg_sum_add(s, a->offset, factor, NULL);
  for (int t = 0; t < a->nterm; t++) {
    int d = a->term[t].digit;
    bool is_slot = d == slot_digit, is_lane = w->lanes > 1 && d == w->stage->lane;
    if (is_slot || is_lane) {
      int counter = is_slot ? slot : lane;
      if (counter >= 0) fg_sum_add(s, a->term[t].coef, factor * inner_value(w, d, counter), NULL);
    } else if (!w->digit[d]) {
      fg_sum_add(s, a->term[t].coef, factor * w->digit_value[d], NULL);
    } else {
      w->uses.digit[d] = w->uses.digit[d] || a->term[t].coef.n * factor != 0;
      fg_sum_add(s, a->term[t].coef, factor, w->digit[d]);
    }
  }
}

static const char *affine_text(fg_writer *w, const fg_affine *a, int64_t factor, int slot_digit, int slot, int lane) {
  fg_sum s;
  fg_sum_init(&s, w->e, &w->uses);
  add_affine(w, &s, a, factor, slot_digit, slot, lane);
  return fg_sum_text(&s);
}

static const char *memory_name(fg_writer *w, const fg_place *p, int part) {
  w->uses.memory[p->memory] = true;
  if (p->is_store) w->uses.stored[p->memory] = true;
  const fg_memory *m = &w->e->memory[p->memory];
  fg_arena *a = w->e->cx->arena;
  if (m->parts) return fg_arena_printf(a, "%s_%s", m->name, part ? "im" : "re");
  if (w->e->coder && part && p->b->layout == FG_LAYOUT_SPLIT)
    return fg_coder_at(w->e->coder, m->name, NULL, p->b->size);
  if (part && p->b->layout == FG_LAYOUT_SPLIT) return fg_arena_printf(a, "%s + %lld", m->name, (long long)p->b->size);
  return m->name;
}

static bool two_pointers(const fg_place *p) { return p->b->layout == FG_LAYOUT_SPLIT; }

static const char *pointer_name(fg_writer *w, const fg_place *p, int part) {
  if (!two_pointers(p)) return fg_arena_printf(w->e->cx->arena, "p%c", p->tag);
  return fg_arena_printf(w->e->cx->arena, "p%c_%s", p->tag, part ? "im" : "re");
}

static void declare_pointer(fg_writer *w, fg_place *p, int part, const char *base) {
  const fg_emitter *e = w->e;
  if (e->coder) {
    const char *at = fg_coder_at(e->coder, memory_name(w, p, part), base, 0);
    fg_coder_bind(e->coder, pointer_name(w, p, part), at);
    return;
  }
  const char *space = e->p->buffer[p->memory].space == FG_SPACE_LOCAL ? e->d->local_space : e->d->global_space;
  const char *add = base[0] == '0' && !base[1] ? "" : fg_arena_printf(e->cx->arena, " + %s", base);
  fg_write_line(w, "%s%s%s *const %s = %s%s;", space, p->is_store ? "" : "const ", fg_number_type(e, p->b),
                pointer_name(w, p, part), memory_name(w, p, part), add);
}

/* scale * (plain + by * (plain / every)) */
static const char *bent_base(fg_coder *c, const fg_place *p, const char *plain, int64_t every, int64_t by) {
  const char *times = fg_coder_index(c, FG_CODE_DIV, plain, fg_coder_int(c, every));
  const char *sum = fg_coder_index(c, FG_CODE_ADD, plain, fg_coder_index(c, FG_CODE_MUL, times, fg_coder_int(c, by)));
  return p->scale == 1 ? sum : fg_coder_index(c, FG_CODE_MUL, sum, fg_coder_int(c, p->scale));
}

/* Small where all digits of the address are. */
static const char *base_type(const fg_writer *w, const fg_place *p) {
  const fg_affine *at = &p->a->index.at;
  const char *small = w->e->d->small_index_type;
  if (!small || at->offset.form != FG_NUM_CONST) return w->e->index;
  for (int t = 0; t < at->nterm; t++)
    if (at->term[t].coef.form != FG_NUM_CONST || fg_digit_type(w->e, w->k, at->term[t].digit) != small)
      return w->e->index;
  return small;
}

/* Where all residues of the base vanish, bending multiplies; else it divides. */
static const char *base_text(fg_writer *w, fg_place *p) {
  int64_t every = bend_every(p);
  const char *flat = affine_text(w, &p->a->index.at, p->scale, p->a->reg, -1, -1);
  if (!every || (flat[0] == '0' && !flat[1])) return flat;
  if (residue_bound(w, p, every) == 0) {
    int64_t by = bend(p, every); /* what `every` elements become */
    fg_affine divided = p->a->index.at;
    bool whole = divided.offset.n % every == 0;
    divided.offset.n /= every;
    for (int t = 0; t < divided.nterm; t++) {
      if (is_inner(p, w, divided.term[t].digit)) continue;
      whole = whole && divided.term[t].coef.n % every == 0;
      divided.term[t].coef.n /= every;
    }
    if (whole) return affine_text(w, &divided, by * p->scale, p->a->reg, -1, -1);
  }
  const char *plain = affine_text(w, &p->a->index.at, 1, p->a->reg, -1, -1);
  int64_t by = bend(p, every) - every;
  if (w->e->coder) return bent_base(w->e->coder, p, plain, every, by);
  fg_write_line(w, "const %s b%c = %s;", base_type(w, p), p->tag, plain);
  return fg_arena_printf(w->e->cx->arena, "%s(b%c + %lld * (b%c / %lld))", p->scale == 2 ? "2 * " : "", p->tag,
                         (long long)by, p->tag, (long long)every);
}

void fg_place_open(fg_writer *w, fg_place *p) {
  if (p->open || !p->direct || fg_place_is_held(w, p)) return;
  p->open = true;
  const char *base = base_text(w, p);
  declare_pointer(w, p, 0, base);
  if (two_pointers(p)) declare_pointer(w, p, 1, base);
}

/* Distance of an element from the base pointer, in numbers; constants first where
 * all is known. */
static void add_distance(fg_writer *w, fg_sum *s, const fg_place *p, int slot, int lane, int64_t elements) {
  int64_t offset;
  if (fg_place_offset(w, p, slot, lane, &offset)) {
    s->constant += p->scale * bend(p, offset + elements);
    return;
  }
  s->constant += p->scale * elements;
  fg_sum_add(s, coef_of(&p->a->index.at, p->a->reg), p->scale * inner_value(w, p->a->reg, slot), NULL);
  if (w->lanes > 1)
    fg_sum_add(s, coef_of(&p->a->index.at, w->stage->lane), p->scale * inner_value(w, w->stage->lane, lane), NULL);
}

static const char *pointer_behind(fg_writer *w, const char *pointer, const fg_sum *distance) {
  return fg_coder_at(w->e->coder, pointer, distance->value, distance->constant);
}

const char *fg_place_pointer(fg_writer *w, fg_place *p, const fg_spot *spot) {
  fg_place_open(w, p);
  fg_sum s;
  fg_sum_init(&s, w->e, &w->uses);
  add_distance(w, &s, p, spot->slot, spot->lane, spot->elements);
  if (spot->part) s.constant += p->im_add;
  const char *pointer = pointer_name(w, p, spot->part);
  if (w->e->coder) return pointer_behind(w, pointer, &s);
  if (!s.text.length && !s.constant) return pointer;
  return fg_arena_printf(w->e->cx->arena, "%s + %s", pointer, fg_sum_text(&s));
}

bool fg_place_number(const fg_writer *w, const fg_place *p, const fg_spot *spot, int64_t *out) {
  const fg_affine *at = &p->a->index.at;
  int64_t offset, base = at->offset.n;
  if (!p->direct || !is_const(at->offset) || !fg_place_offset(w, p, spot->slot, spot->lane, &offset)) return false;
  for (int t = 0; t < at->nterm; t++) {
    int d = at->term[t].digit;
    if (is_inner(p, w, d)) continue;
    if (!is_const(at->term[t].coef) || w->digit[d]) return false;
    base += at->term[t].coef.n * w->digit_value[d];
  }
  *out = p->scale * (bend(p, base) + bend(p, offset + spot->elements));
  if (spot->part) *out += two_pointers(p) ? p->b->size : p->im_add;
  return true;
}

static bool may_be_negative(const fg_writer *w, const fg_place *p, int slot, int lane) {
  const fg_affine *at = &p->a->index.at;
  int64_t least;
  if (!fg_place_offset(w, p, slot, lane, &least) || !is_const(at->offset)) return true;
  least += at->offset.n;
  for (int t = 0; t < at->nterm; t++) {
    const fg_digit *d = &w->k->digit[at->term[t].digit];
    int64_t coef = at->term[t].coef.n, most = largest_value(d);
    if (is_inner(p, w, at->term[t].digit)) continue;
    if (!is_const(at->term[t].coef) || !is_const(d->start) || d->start.n < 0 || d->step < 0) return true;
    if (coef < 0 && most == INT64_MAX) return true;
    least += coef * (coef < 0 ? most : d->start.n);
  }
  return least < 0;
}

/* name op= by */
static void record_step(fg_writer *w, const char *name, fg_code_op op, int64_t by) {
  fg_coder *c = w->e->coder;
  fg_coder_bind(c, name, fg_coder_index(c, op, name, fg_coder_int(c, by)));
}

/* name += name / every * by */
static void record_gap(fg_writer *w, const char *name, int64_t every, int64_t by) {
  fg_coder *c = w->e->coder;
  const char *times = fg_coder_index(c, FG_CODE_DIV, name, fg_coder_int(c, every));
  const char *gap = fg_coder_index(c, FG_CODE_MUL, times, fg_coder_int(c, by));
  fg_coder_bind(c, name, fg_coder_index(c, FG_CODE_ADD, name, gap));
}

/* Where the condition fails, entry 0: the table ends where the predicate does. */
static void record_lookup(fg_writer *w, const char *name, const char *ok, int table) {
  fg_coder *c = w->e->coder;
  if (ok) {
    const char *value = fg_coder_add(c, (fg_instr){.op = FG_CODE_SELECT,
                                                   .type = FG_CODE_INDEX,
                                                   .lanes = 1,
                                                   .a = fg_coder_value(c, ok),
                                                   .b = fg_coder_value(c, name),
                                                   .c = fg_coder_value(c, "0")});
    fg_coder_bind(c, name, value);
  }
  fg_coder_bind(c, name, fg_coder_index(c, FG_CODE_LOOKUP, w->e->memory[table].name, name));
}

static void scale_variable(fg_writer *w, const fg_place *p, int slot, int lane, const char *name);

/* bend_variable, as instructions. */
static void record_bend(fg_writer *w, fg_place *p, int slot, int lane, const char *name) {
  const fg_index *x = &p->a->index;
  fg_coder *c = w->e->coder;
  if (x->mod) record_step(w, name, FG_CODE_MOD, x->mod);
  if (x->mod && may_be_negative(w, p, slot, lane)) {
    record_step(w, name, FG_CODE_ADD, x->mod);
    record_step(w, name, FG_CODE_MOD, x->mod);
  }
  if (x->lookup >= 0) {
    int table = fg_memory_root(w->e->p, x->lookup);
    w->uses.memory[table] = true;
    record_lookup(w, name, fg_place_condition(w, p, slot, lane), table);
  }
  if (fg_index_is_bent(x)) scale_variable(w, p, slot, lane, name);
  if (x->pad_every) record_gap(w, name, x->pad_every, x->pad_by);
  if (x->xor_mask) {
    const char *high = fg_coder_index(c, FG_CODE_SHR, name, fg_coder_int(c, x->xor_shift));
    const char *bits = fg_coder_index(c, FG_CODE_AND, high, fg_coder_int(c, x->xor_mask));
    fg_coder_bind(c, name, fg_coder_index(c, FG_CODE_XOR, name, bits));
  }
  if (p->b->layout == FG_LAYOUT_BLOCKED) record_gap(w, name, p->b->block, p->b->block);
  if (p->scale > 1) record_step(w, name, FG_CODE_MUL, p->scale);
}

/* base + scale * value */
static void scale_variable(fg_writer *w, const fg_place *p, int slot, int lane, const char *name) {
  const fg_index *x = &p->a->index;
  fg_sum s;
  fg_sum_init(&s, w->e, &w->uses);
  fg_sum_add(&s, x->scale.n ? x->scale : fg_num_const(1), 1, name);
  add_affine(w, &s, &x->base, 1, p->a->reg, slot, lane);
  const char *text = fg_sum_text(&s);
  if (strcmp(text, name) != 0) fg_value_assign(w, name, text);
}

static void bend_variable(fg_writer *w, fg_place *p, int slot, int lane, const char *name) {
  const fg_index *x = &p->a->index;
  long long mod = (long long)x->mod;
  if (w->e->coder) {
    record_bend(w, p, slot, lane, name);
    return;
  }
  const char *ok = fg_place_condition(w, p, slot, lane);
  bool negative = may_be_negative(w, p, slot, lane);
  if (mod && negative)
    fg_write_line(w, "%s = (%s %% %lld + %lld) %% %lld;", name, name, mod, mod, mod);
  else if (mod)
    fg_write_line(w, "%s %%= %lld;", name, mod);
  if (x->lookup >= 0) {
    int table = fg_memory_root(w->e->p, x->lookup);
    const char *entry = fg_arena_printf(w->e->cx->arena, "%s[%s]", w->e->memory[table].name, name);
    w->uses.memory[table] = true;
    if (ok)
      fg_write_line(w, "%s = %s ? %s : 0;", name, ok, entry); /* the table ends where the predicate does */
    else
      fg_write_line(w, "%s = %s;", name, entry);
  }
  if (fg_index_is_bent(x)) scale_variable(w, p, slot, lane, name);
  if (x->pad_every)
    fg_write_line(w, "%s += %s / %lld * %lld;", name, name, (long long)x->pad_every, (long long)x->pad_by);
  if (x->xor_mask)
    fg_write_line(w, "%s ^= (%s >> %lld) & %lld;", name, name, (long long)x->xor_shift, (long long)x->xor_mask);
  if (p->b->layout == FG_LAYOUT_BLOCKED) fg_write_line(w, "%s += %s / %d * %d;", name, name, p->b->block, p->b->block);
  if (p->scale > 1) fg_write_line(w, "%s *= %d;", name, p->scale);
}

/* The shift of an array at an element of it. */
static void wrap_variable(fg_writer *w, const fg_place *p, const char *name, const fg_wrap *x, int slot, int lane) {
  fg_arena *a = w->e->cx->arena;
  fg_coder *c = w->e->coder;
  const char *position = affine_text(w, &x->position, 1, p->a->reg, slot, lane);
  const char *stride = fg_num_text(w->e, &w->uses, x->stride);
  if (!c) {
    const char *times = fg_num_is(x->stride, 1) ? "" : fg_arena_printf(a, " * (%s)", stride);
    long long up = (long long)x->by, down = (long long)(x->n - x->by);
    fg_write_line(w, "%s += %s < %lld ? %lld%s : -%lld%s;", name, position, down, up, times, down, times);
    return;
  }
  const char *sum = fg_coder_index(c, FG_CODE_ADD, position, fg_coder_int(c, x->by));
  const char *rounds = fg_coder_index(c, FG_CODE_DIV, sum, fg_coder_int(c, x->n)); /* 0 or 1 */
  const char *back = fg_coder_index(c, FG_CODE_MUL, rounds, fg_coder_int(c, x->n));
  const char *steps = fg_coder_index(c, FG_CODE_SUB, fg_coder_int(c, x->by), back);
  fg_coder_bind(c, name, fg_coder_index(c, FG_CODE_ADD, name, fg_coder_index(c, FG_CODE_MUL, steps, stride)));
}

static const char *index_variable(fg_writer *w, fg_place *p, int slot, int lane) {
  fg_arena *a = w->e->cx->arena;
  const char *name =
      w->lanes > 1 ? fg_arena_printf(a, "i%c%d_%d", p->tag, slot, lane) : fg_arena_printf(a, "i%c%d", p->tag, slot);
  bool *declared = &p->declared[slot * w->lanes + lane];
  if (*declared) return name;
  *declared = true;
  fg_place_condition(w, p, slot, lane); /* declared before its use */
  const char *flat = affine_text(w, &p->a->index.at, 1, p->a->reg, slot, lane);
  if (w->e->coder)
    fg_coder_bind(w->e->coder, name, flat);
  else
    fg_write_line(w, "%s %s = %s;", w->e->index, name, flat);
  for (int i = 0; i < p->a->index.nwrap; i++) wrap_variable(w, p, name, &p->a->index.wrap[i], slot, lane);
  bend_variable(w, p, slot, lane, name);
  return name;
}

const char *fg_place_index(fg_writer *w, fg_place *p, int slot) {
  const char *name = fg_arena_printf(w->e->cx->arena, "n%c%d", p->tag, slot);
  fg_write_line(w, "const %s %s = %s;", w->e->index, name, affine_text(w, &p->a->index.at, 1, p->a->reg, slot, 0));
  return name;
}

const char *fg_place_residue(fg_writer *w, fg_place *p, int slot) {
  const char *name = fg_arena_printf(w->e->cx->arena, "n%c%d", p->tag, slot);
  const char *flat = affine_text(w, &p->a->index.at, 1, p->a->reg, slot, 0);
  long long mod = (long long)p->a->index.mod;
  const char *form =
      may_be_negative(w, p, slot, 0) ? "const %s %s = ((%s) %% %lld + %lld) %% %lld;" : "const %s %s = (%s) %% %lld;";
  fg_write_line(w, form, base_type(w, p), name, flat, mod, mod, mod);
  return name;
}

const char *fg_place_behind(fg_writer *w, const fg_place *p, int slot) {
  return affine_text(w, &p->a->index.base, p->scale, p->a->reg, slot, 0);
}

static const char *direct_element(fg_writer *w, fg_place *p, int slot, int lane, int part) {
  fg_place_open(w, p);
  fg_sum s;
  fg_sum_init(&s, w->e, &w->uses);
  add_distance(w, &s, p, slot, lane, 0);
  if (part) s.constant += p->im_add;
  if (w->e->coder) return pointer_behind(w, pointer_name(w, p, part), &s);
  return fg_arena_printf(w->e->cx->arena, "%s[%s]", pointer_name(w, p, part), fg_sum_text(&s));
}

const char *fg_place_element(fg_writer *w, fg_place *p, int slot, int lane, int part) {
  fg_forward_spoil(w, p);
  if (p->direct) return direct_element(w, p, slot, lane, part);
  fg_arena *a = w->e->cx->arena;
  const char *index = index_variable(w, p, slot, lane), *memory = memory_name(w, p, part);
  if (w->e->coder) return fg_coder_at(w->e->coder, memory, index, part && !two_pointers(p) ? p->im_add : 0);
  if (two_pointers(p))
    return fg_arena_printf(a, w->e->memory[p->memory].parts || !part ? "%s[%s]" : "(%s)[%s]", memory, index);
  return part ? fg_arena_printf(a, "%s[%s + %d]", memory, index, p->im_add)
              : fg_arena_printf(a, "%s[%s]", memory, index);
}

const char *fg_place_pair(fg_writer *w, fg_place *p, int slot, int lane) {
  fg_forward_spoil(w, p);
  if (p->direct) return fg_place_pointer(w, p, &(fg_spot){.slot = slot, .lane = lane});
  return fg_arena_printf(w->e->cx->arena, "%s + %s", memory_name(w, p, 0), index_variable(w, p, slot, lane));
}

/* ---- predicates --------------------------------------------------------------------- */

/* NULL: always; "0": never. */
const char *fg_pred_text(fg_writer *w, const fg_pred *pred, int npred, int slot_digit, int slot, int lane) {
  fg_strbuf s;
  const char *both = NULL; /* as instructions */
  fg_strbuf_init(&s, w->e->cx->arena);
  for (int i = 0; i < npred; i++) {
    fg_sum value, bound;
    fg_sum_init(&value, w->e, &w->uses);
    fg_sum_init(&bound, w->e, &w->uses);
    add_affine(w, &value, &pred[i].value, 1, slot_digit, slot, lane);
    fg_sum_add(&bound, pred[i].bound, 1, NULL);
    if (fg_sum_is_constant(&value) && fg_sum_is_constant(&bound)) {
      if (value.constant < bound.constant) continue;
      return "0";
    }
    if (w->e->coder) {
      fg_coder *c = w->e->coder;
      const char *less = fg_coder_index(c, FG_CODE_LESS, fg_sum_text(&value), fg_sum_text(&bound));
      both = both ? fg_coder_index(c, FG_CODE_BOTH, both, less) : less;
      continue;
    }
    fg_strbuf_addf(&s, "%s%s < %s", s.length ? " && " : "", fg_sum_text(&value), fg_sum_text(&bound));
  }
  return s.length ? s.text : both;
}

static bool preds_mention(const fg_place *p, int digit) {
  for (int i = 0; i < p->npred; i++)
    if (fg_affine_mentions(&p->pred[i].value, digit)) return true;
  return false;
}

const char *fg_place_condition(fg_writer *w, fg_place *p, int slot, int lane) {
  if (!p->npred) return NULL;
  if (!preds_mention(p, p->a->reg)) slot = 0;
  if (w->lanes == 1 || !preds_mention(p, w->stage->lane)) lane = 0;
  const char *text = fg_pred_text(w, p->pred, p->npred, p->a->reg, slot, lane);
  if (!text || (text[0] == '0' && !text[1])) return text;
  fg_arena *a = w->e->cx->arena;
  const char *name =
      w->lanes > 1 ? fg_arena_printf(a, "ok_%c%d_%d", p->tag, slot, lane) : fg_arena_printf(a, "ok_%c%d", p->tag, slot);
  bool *declared = &p->ok_declared[slot * w->lanes + lane];
  if (!*declared) fg_value_name(w, "int", name, text);
  *declared = true;
  return name;
}
