/* Addresses and predicates as text. In: an access of a stage. Out: expressions
 * for the numbers that it touches.
 *
 * The idea: base pointer + constants. An address is a base (what the digits
 * contribute) plus an offset of slot and lane. Where padding or blocks bend the
 * address line, base and offset still add up if no carry runs from one into the
 * other: residues of the base are bounded from the digits' steps. Everything
 * else gets an index variable of its own per element. */
#include "generator/emit_parts.h"
#include <assert.h>

/* ---- what is known of digits ------------------------------------------------- */

static int64_t gcd(int64_t a, int64_t b) {
  while (b) {
    int64_t r = a % b;
    a = b;
    b = r;
  }
  return a < 0 ? -a : a;
}

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
  if (is_const(d->extent) && d->extent.n == 1) return gcd(fixed_value(d, 0), 0);
  int64_t g = gcd(d->start.n, d->step);
  bool clipped = d->last != INT64_MAX && (!is_const(d->extent) || (d->extent.n - 1) * d->step > d->last);
  return clipped ? gcd(g, d->last) : g;
}

static bool is_inner(const fg_place *p, const fg_writer *w, int digit) {
  return digit == p->a->reg || (w->lanes > 1 && digit == w->stage->lane);
}

/* Bounds base % every, for the base without slot and lane; -1: may be negative
 * or is not known at all. */
static int64_t residue_bound(const fg_writer *w, const fg_place *p, int64_t every) {
  const fg_affine *at = &p->a->index.at;
  if (!is_const(at->offset) || at->offset.n < 0) return -1;
  int64_t grain = gcd(every, at->offset.n), sum = at->offset.n % every;
  for (int t = 0; t < at->nterm; t++) {
    const fg_term *term = &at->term[t];
    const fg_digit *d = &w->k->digit[term->digit];
    if (is_inner(p, w, term->digit)) continue;
    if (!is_const(term->coef) || term->coef.n < 0 || !is_const(d->start) || d->start.n < 0 || d->step < 0) return -1;
    int64_t g = gcd(every, term->coef.n * grain_of(d)), most = largest_value(d);
    grain = gcd(grain, g);
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
  if (x->mod || x->lookup >= 0 || x->xor_mask) return false;
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

static bool lanes_adjacent(const fg_writer *w, const fg_place *p) {
  for (int s = 0; s < p->slots; s++) {
    int64_t first, offset;
    if (!fg_place_offset(w, p, s, 0, &first)) {
      /* run-time distance of slots: lanes matter alone, on a straight line */
      fg_num l = coef_of(&p->a->index.at, w->stage->lane);
      return !bend_every(p) && fg_num_is(l, 1) && w->k->digit[w->stage->lane].step == 1;
    }
    for (int l = 1; l < w->lanes; l++)
      if (!fg_place_offset(w, p, s, l, &offset) || bend(p, offset) != bend(p, first) + l) return false;
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

/* Every lane's slots are neighbours; the distance of lanes may come at run time. */
static bool has_rows(const fg_writer *w, const fg_place *p) {
  if (!w->e->d->vjoin || p->slots > 64 || !fg_num_is(coef_of(&p->a->index.at, p->a->reg), 1)) return false;
  if (w->k->digit[p->a->reg].step != 1) return false;
  for (int l = 0; l < w->lanes && bend_every(p); l++)
    for (int s = 0; s < p->slots; s++) {
      int64_t first, offset;
      if (!fg_place_offset(w, p, 0, l, &first) || !fg_place_offset(w, p, s, l, &offset)) return false;
      if (bend(p, offset) != bend(p, first) + s) return false;
    }
  return true;
}

/* The move that the access claims, when its address bears it out. */
static fg_move checked_move(const fg_writer *w, fg_place *p) {
  if (w->lanes == 1) return FG_MOVE_NONE;
  if (!p->direct || p->npred || !power_of_two(w->lanes)) return FG_MOVE_GATHER;
  if (p->a->move == FG_MOVE_TRANSPOSE && p->slots > 1) {
    p->apart = !is_line(w, p);
    if (!p->apart || has_rows(w, p)) return FG_MOVE_TRANSPOSE;
  }
  p->apart = false;
  if (!p->is_store && fg_num_is(coef_of(&p->a->index.at, w->stage->lane), 0)) return FG_MOVE_SAME;
  if (lanes_adjacent(w, p)) return FG_MOVE_CONTIG;
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
  *p = (fg_place){.a = a, .b = b, .tag = tag, .is_store = tag == 'y', .slots = slots, .scale = 1};
  p->parts = fg_buffer_parts(b);
  p->memory = fg_memory_root(e->p, a->buffer);
  if (b->layout == FG_LAYOUT_INTERLEAVED && p->parts == 2) p->scale = 2, p->im_add = 1;
  if (b->layout == FG_LAYOUT_BLOCKED) p->im_add = b->block;
  take_preds(w, p);
  p->direct = separates(w, p);
  p->move = checked_move(w, p);
  p->pair = w->lanes == 1 && p->parts == 2 && b->layout == FG_LAYOUT_INTERLEAVED && e->d->pair[e->precision];
  fg_arena *arena = e->cx->arena;
  p->declared = fg_arena_new(arena, bool, slots * w->lanes + 1);
  p->ok_declared = fg_arena_new(arena, bool, slots * w->lanes + 1);
  p->needed = fg_arena_new(arena, bool, p->parts *slots + 1);
  p->loaded = fg_arena_new(arena, bool, slots + 1);
  return FG_OK;
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
  const char *space = e->p->buffer[p->memory].space == FG_SPACE_LOCAL ? e->d->local_space : e->d->global_space;
  const char *add = base[0] == '0' && !base[1] ? "" : fg_arena_printf(e->cx->arena, " + %s", base);
  fg_write_line(w, "%s%s%s *const %s = %s%s;", space, p->is_store ? "" : "const ", e->real, pointer_name(w, p, part),
                memory_name(w, p, part), add);
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
  fg_write_line(w, "const %s b%c = %s;", w->e->index, p->tag, affine_text(w, &p->a->index.at, 1, p->a->reg, -1, -1));
  int64_t by = bend(p, every) - every;
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

const char *fg_place_pointer(fg_writer *w, fg_place *p, const fg_spot *spot) {
  fg_place_open(w, p);
  fg_sum s;
  fg_sum_init(&s, w->e, &w->uses);
  add_distance(w, &s, p, spot->slot, spot->lane, spot->elements);
  if (spot->part) s.constant += p->im_add;
  const char *pointer = pointer_name(w, p, spot->part);
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
  int64_t offset;
  if (!fg_place_offset(w, p, slot, lane, &offset) || offset < 0) return true;
  if (!is_const(at->offset) || at->offset.n < 0) return true;
  for (int t = 0; t < at->nterm; t++) {
    const fg_digit *d = &w->k->digit[at->term[t].digit];
    if (is_inner(p, w, at->term[t].digit)) continue;
    if (!is_const(at->term[t].coef) || at->term[t].coef.n < 0) return true;
    if (!is_const(d->start) || d->start.n < 0 || d->step < 0) return true;
  }
  return false;
}

static void bend_variable(fg_writer *w, const fg_place *p, const char *name, const char *ok, bool negative) {
  const fg_index *x = &p->a->index;
  long long mod = (long long)x->mod;
  if (mod && negative)
    fg_write_line(w, "%s = (%s %% %lld + %lld) %% %lld;", name, name, mod, mod, mod);
  else if (mod)
    fg_write_line(w, "%s %%= %lld;", name, mod);
  if (x->pad_every)
    fg_write_line(w, "%s += %s / %lld * %lld;", name, name, (long long)x->pad_every, (long long)x->pad_by);
  if (x->xor_mask)
    fg_write_line(w, "%s ^= (%s >> %lld) & %lld;", name, name, (long long)x->xor_shift, (long long)x->xor_mask);
  if (x->lookup >= 0) {
    int table = fg_memory_root(w->e->p, x->lookup);
    const char *entry = fg_arena_printf(w->e->cx->arena, "%s[%s]", w->e->memory[table].name, name);
    w->uses.memory[table] = true;
    if (ok)
      fg_write_line(w, "%s = %s ? %s : 0;", name, ok, entry); /* the table ends where the predicate does */
    else
      fg_write_line(w, "%s = %s;", name, entry);
  }
  if (p->b->layout == FG_LAYOUT_BLOCKED) fg_write_line(w, "%s += %s / %d * %d;", name, name, p->b->block, p->b->block);
  if (p->scale > 1) fg_write_line(w, "%s *= %d;", name, p->scale);
}

static const char *index_variable(fg_writer *w, fg_place *p, int slot, int lane) {
  fg_arena *a = w->e->cx->arena;
  const char *name =
      w->lanes > 1 ? fg_arena_printf(a, "i%c%d_%d", p->tag, slot, lane) : fg_arena_printf(a, "i%c%d", p->tag, slot);
  bool *declared = &p->declared[slot * w->lanes + lane];
  if (*declared) return name;
  *declared = true;
  const char *ok = fg_place_condition(w, p, slot, lane);
  fg_write_line(w, "%s %s = %s;", w->e->index, name, affine_text(w, &p->a->index.at, 1, p->a->reg, slot, lane));
  bend_variable(w, p, name, ok, may_be_negative(w, p, slot, lane));
  return name;
}

static const char *direct_element(fg_writer *w, fg_place *p, int slot, int lane, int part) {
  fg_place_open(w, p);
  fg_sum s;
  fg_sum_init(&s, w->e, &w->uses);
  add_distance(w, &s, p, slot, lane, 0);
  if (part) s.constant += p->im_add;
  return fg_arena_printf(w->e->cx->arena, "%s[%s]", pointer_name(w, p, part), fg_sum_text(&s));
}

const char *fg_place_element(fg_writer *w, fg_place *p, int slot, int lane, int part) {
  fg_forward_spoil(w, p);
  if (p->direct) return direct_element(w, p, slot, lane, part);
  fg_arena *a = w->e->cx->arena;
  const char *index = index_variable(w, p, slot, lane), *memory = memory_name(w, p, part);
  if (two_pointers(p))
    return fg_arena_printf(a, w->e->memory[p->memory].parts || !part ? "%s[%s]" : "(%s)[%s]", memory, index);
  return part ? fg_arena_printf(a, "%s[%s + %d]", memory, index, p->im_add)
              : fg_arena_printf(a, "%s[%s]", memory, index);
}

const char *fg_place_pair(fg_writer *w, fg_place *p, int slot, int lane) {
  fg_arena *a = w->e->cx->arena;
  const fg_dialect *d = w->e->d;
  const char *space = w->e->p->buffer[p->memory].space == FG_SPACE_LOCAL ? d->local_space : d->global_space;
  fg_forward_spoil(w, p);
  const char *at = p->direct ? fg_place_pointer(w, p, &(fg_spot){.slot = slot, .lane = lane})
                             : fg_arena_printf(a, "%s + %s", memory_name(w, p, 0), index_variable(w, p, slot, lane));
  return fg_spell(w->e, 1, d->pair_at,
                  (fg_marks){.p = at, .space = p->is_store ? space : fg_arena_printf(a, "%sconst ", space)});
}

/* ---- predicates --------------------------------------------------------------------- */

/* NULL: always; "0": never. */
const char *fg_pred_text(fg_writer *w, const fg_pred *pred, int npred, int slot_digit, int slot, int lane) {
  fg_strbuf s;
  fg_strbuf_init(&s, w->e->cx->arena);
  for (int i = 0; i < npred; i++) {
    fg_sum value, bound;
    fg_sum_init(&value, w->e, &w->uses);
    fg_sum_init(&bound, w->e, &w->uses);
    add_affine(w, &value, &pred[i].value, 1, slot_digit, slot, lane);
    fg_sum_add(&bound, pred[i].bound, 1, NULL);
    if (!value.text.length && !bound.text.length) {
      if (value.constant < bound.constant) continue;
      return "0";
    }
    fg_strbuf_addf(&s, "%s%s < %s", s.length ? " && " : "", fg_sum_text(&value), fg_sum_text(&bound));
  }
  return s.length ? s.text : NULL;
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
  if (!*declared) fg_write_line(w, "const int %s = %s;", name, text);
  *declared = true;
  return name;
}
