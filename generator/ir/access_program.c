/* In: an access of a stage, values of run-time parameters. Out: a route, and from digit
 * values the addresses of one instance's slots. The idea: addresses are affine in digit
 * values, so the part that slots share is computed once per instance and each slot adds
 * a constant. */
#include "generator/ir/access_program.h"
#include "generator/ir/table_values.h"
#include <stdio.h>
#include <string.h>

bool fg_site_contradiction(fg_site *s, const char *what, const char *name) {
  snprintf(s->why, 200, "kernel %s: %s%s%s", s->k->name ? s->k->name : "?", what, name ? " " : "", name ? name : "");
  s->wrong = true;
  return false;
}

/* ---- compiling --------------------------------------------------------------------- */

fg_linear fg_linear_compile(const fg_site *s, const fg_affine *a, int slot) {
  fg_linear l = {.offset = fg_num_value(a->offset, s->params)};
  for (int t = 0; t < a->nterm; t++) {
    int64_t coef = fg_num_value(a->term[t].coef, s->params);
    if (a->term[t].digit == slot) {
      l.slot_coef = fg_wrap_add(l.slot_coef, coef);
    } else {
      l.digit[l.nterm] = a->term[t].digit;
      l.coef[l.nterm++] = coef;
    }
  }
  return l;
}

int64_t fg_linear_value(const fg_linear *l, const int64_t *value) {
  int64_t v = l->offset;
  for (int t = 0; t < l->nterm; t++) v = fg_wrap_add(v, fg_wrap_mul(l->coef[t], value[l->digit[t]]));
  return v;
}

static bool is_index_table(const fg_program *p, int buffer) {
  if (buffer < 0 || buffer >= p->nbuffer) return false;
  const fg_buffer *b = &p->buffer[buffer];
  return b->elem == FG_ELEM_INDEX && b->space == FG_SPACE_TABLE && b->table >= 0 && b->table < p->ntable;
}

static bool compile_lookup(fg_site *s, const fg_access *a, fg_route *r) {
  int16_t b = a->index.lookup;
  if (b < 0) return true;
  if (!is_index_table(s->p, b)) return fg_site_contradiction(s, "an index table without contents", NULL);
  int table = s->p->buffer[b].table;
  if (!s->table[b]) s->table[b] = fg_table_indices(s->cx, &s->p->table[table]);
  if (!s->table[b]) return fg_site_contradiction(s, "an index table that cannot be filled:", s->p->buffer[b].name);
  r->table = s->table[b];
  r->entries = s->p->table[table].rows * s->p->table[table].cols;
  return true;
}

/* Everything that is affine in digits. */
static void compile_lines(const fg_site *s, const fg_access *a, fg_route *r) {
  r->at = fg_linear_compile(s, &a->index.at, a->reg);
  r->base = fg_linear_compile(s, &a->index.base, a->reg);
  r->scale = a->index.scale.n ? fg_num_value(a->index.scale, s->params) : 1;
  for (int i = 0; i < a->npred; i++) {
    r->pred[i] = fg_linear_compile(s, &a->pred[i].value, a->reg);
    r->bound[i] = fg_num_value(a->pred[i].bound, s->params);
  }
  for (int i = 0; i < a->index.nwrap; i++) {
    r->wrap[i] = fg_linear_compile(s, &a->index.wrap[i].position, a->reg);
    r->stride[i] = fg_num_value(a->index.wrap[i].stride, s->params);
  }
}

static bool compile_slots(fg_site *s, const fg_access *a, fg_route *r) {
  if (a->reg >= 0) {
    int64_t n = fg_site_extent(s, a->reg);
    if (n < 1 || n > 1 << 16) return fg_site_contradiction(s, "slots out of range:", s->k->digit[a->reg].name);
    r->slots = (int)n;
  }
  r->slot_value = fg_arena_new(s->cx->arena, int64_t, r->slots);
  for (int m = 0; m < r->slots && a->reg >= 0; m++)
    r->slot_value[m] = fg_digit_value(&s->k->digit[a->reg], m, s->params);
  return true;
}

static bool compile_rest(fg_site *s, const fg_access *a, fg_route *r) {
  if (!a->rest) return true;
  r->rest = fg_arena_new(s->cx->arena, fg_route, 1);
  if (!fg_route_compile(s, a->rest, r->rest)) return false;
  if (!fg_program_goes_on(s->p, a)) return fg_site_contradiction(s, "an access that goes on in another buffer", NULL);
  r->moves.rest = &r->rest->moves;
  for (fg_route *behind = r->rest; behind; behind = behind->rest)
    behind->moves.first += fg_buffer_parts(&s->p->buffer[a->buffer]) * r->slots;
  return true;
}

bool fg_route_compile(fg_site *s, const fg_access *a, fg_route *r) {
  *r = (fg_route){.access = a, .slots = 1};
  if (a->buffer < 0 || a->buffer >= s->p->nbuffer) return fg_site_contradiction(s, "an access without a buffer", NULL);
  if (s->p->buffer[a->buffer].elem == FG_ELEM_INDEX)
    return fg_site_contradiction(s, "an access to an index table", NULL);
  if (!compile_lookup(s, a, r) || !compile_slots(s, a, r)) return false;
  if (a->index.nwrap > FG_MAX_RANK) return fg_site_contradiction(s, "an address shifted too often", NULL);
  compile_lines(s, a, r);
  r->idle = s->local && s->p->buffer[a->buffer].space != FG_SPACE_LOCAL;
  r->straight =
      !fg_index_is_bent(&a->index) && !a->index.xor_mask && !a->index.nwrap && !a->npred && !a->index.swap.count;
  r->ahead = fg_arena_new(s->cx->arena, int64_t, r->slots);
  for (int m = 0; m < r->slots; m++) r->ahead[m] = fg_wrap_mul(r->at.slot_coef, r->slot_value[m]);
  size_t room = (size_t)r->slots * FG_WALK_WIDTH;
  r->address = fg_arena_new(s->cx->arena, int64_t, room);
  r->on = fg_arena_alloc(s->cx->arena, room);
  r->moves = (fg_moves){.access = a, .slots = r->slots, .at = r->address, .on = r->on};
  return compile_rest(s, a, r);
}

int fg_route_numbers(const fg_program *p, const fg_route *r) {
  int numbers = 0;
  for (; r; r = r->rest) numbers += fg_buffer_parts(&p->buffer[r->access->buffer]) * r->slots;
  return numbers;
}

static bool same_slots(const fg_route *a, const fg_route *b) {
  for (; a && b && a->slots == b->slots; a = a->rest) b = b->rest;
  return !a && !b;
}

bool fg_route_compile_operations(fg_site *s, const fg_operations *operations, const fg_route *of, fg_route **out) {
  for (int i = 0; operations && i < operations->count; i++) {
    if (!operations->operation[i].has_operand) continue;
    out[i] = fg_arena_new(s->cx->arena, fg_route, 1);
    if (operations->count > FG_MAX_OPERATIONS || !fg_route_compile(s, &operations->operation[i].operand, out[i]))
      return false;
    if (!same_slots(out[i], of)) return fg_site_contradiction(s, "an operand with slots of its own", NULL);
  }
  return true;
}

void fg_route_add_operations(fg_route *r, const fg_operations *operations, fg_route *const *operand) {
  const fg_route *of[FG_MAX_OPERATIONS];
  memcpy(of, operand, sizeof of);
  for (; r; r = r->rest) {
    r->moves.operations = operations;
    for (int i = 0; i < FG_MAX_OPERATIONS; i++) {
      r->moves.operand[i] = of[i] ? of[i]->address : NULL;
      r->moves.operand_on[i] = of[i] ? of[i]->on : NULL;
      if (of[i]) of[i] = of[i]->rest;
    }
  }
}

/* ---- aiming ------------------------------------------------------------------------ */

/* What a wrap adds to the address, at a position of the array. */
static int64_t shift_of(const fg_wrap *wrap, int64_t position, int64_t stride) {
  int law = position >= wrap->split;
  return fg_wrap_mul(fg_wrap_add(wrap->add[law], fg_wrap_mul(wrap->times[law], position)), stride);
}

/* The steps of fg_index_value after the affine ones; what lies outside of a table
 * is outside of every buffer too. */
static int64_t finish_address(const fg_route *r, const fg_instance *n, int64_t v, int64_t base) {
  const fg_index *x = &r->access->index;
  if (x->mod) v = (v % x->mod + x->mod) % x->mod;
  if (r->table && (v < 0 || v >= r->entries)) return INT64_MIN;
  if (r->table) v = r->table[v];
  if (fg_index_is_bent(x)) v = fg_wrap_add(base, fg_wrap_mul(r->scale, v));
  if (x->pad_every) v = fg_wrap_add(v, fg_wrap_mul(v / x->pad_every, x->pad_by));
  if (x->xor_mask) v ^= (v >> x->xor_shift) & x->xor_mask;
  return x->swap.count && n->value[x->swap.phase] ? fg_digit_swap_value(&x->swap, v) : v;
}

static void target_straight(fg_route *r, const fg_instance *n) {
  const fg_index *x = &r->access->index;
  int64_t first = fg_linear_value(&r->at, n->value), width = n->width;
  unsigned char on = n->active;
  for (int m = 0; m < r->slots; m++) {
    int64_t v = fg_wrap_add(first, r->ahead[m]);
    r->address[m * width + n->number] = x->pad_every ? fg_wrap_add(v, fg_wrap_mul(v / x->pad_every, x->pad_by)) : v;
    r->on[m * width + n->number] = on;
  }
}

static void target_bent(fg_route *r, const fg_instance *n) {
  const fg_access *a = r->access;
  int width = n->width;
  bool plain = !fg_index_is_bent(&a->index) && !a->index.pad_every && !a->index.xor_mask && !a->index.swap.count;
  int64_t base = fg_linear_value(&r->at, n->value), apart = fg_linear_value(&r->base, n->value),
          pred[FG_MAX_PREDS] = {0};
  for (int j = 0; j < a->npred; j++) pred[j] = fg_linear_value(&r->pred[j], n->value);
  int64_t position[FG_MAX_RANK] = {0};
  for (int j = 0; j < a->index.nwrap; j++) position[j] = fg_linear_value(&r->wrap[j], n->value);
  for (int m = 0; m < r->slots; m++) {
    int64_t v = fg_wrap_add(base, r->ahead[m]);
    for (int j = 0; j < a->index.nwrap; j++)
      v = fg_wrap_add(v, shift_of(&a->index.wrap[j],
                                  fg_wrap_add(position[j], fg_wrap_mul(r->wrap[j].slot_coef, r->slot_value[m])),
                                  r->stride[j]));
    unsigned char on = n->active;
    for (int j = 0; j < a->npred; j++)
      on &= fg_pred_value(&a->pred[j], fg_wrap_add(pred[j], fg_wrap_mul(r->pred[j].slot_coef, r->slot_value[m]))) <
            r->bound[j];
    int64_t slot_base = fg_wrap_add(apart, fg_wrap_mul(r->base.slot_coef, r->slot_value[m]));
    r->address[m * width + n->number] = plain ? v : on || !r->table ? finish_address(r, n, v, slot_base) : 0;
    r->on[m * width + n->number] = on;
  }
}

void fg_route_target(fg_route *r, const fg_instance *n) {
  for (; r && !r->idle; r = r->rest)
    if (r->straight)
      target_straight(r, n);
    else
      target_bent(r, n);
}
