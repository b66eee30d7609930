/* Statements of a language of the C family. In: instructions in their order, a dialect. Out: text, one statement a
 * line.
 *
 * A value that has a name is called by it. Others are spelled where they are used, with brackets by precedence. */
#include "generator/text/statements.h"
#include "generator/base/invariant.h"
#include "generator/text/recorder_order.h"
#include "generator/text/spell.h"
#include <string.h>

typedef enum strength { /* how an operation binds its operands */
                        ANY,
                        CHOICE,
                        BOTH,
                        COMPARISON,
                        BITS, /* of any kind: always in brackets beside each other */
                        SUM,
                        PRODUCT,
                        NAME
} strength;

static const fg_instr *instr_of(const fg_emitter *e, int32_t value) { return &fg_coder_code(e->coder)->instr[value]; }

static fg_arena *arena(const fg_emitter *e) { return e->cx->arena; }

static const char *spelled(const fg_emitter *e, int32_t value, strength around);

static const char *bracketed(const fg_emitter *e, strength own, strength around, const char *text) {
  return own < around ? fg_arena_printf(arena(e), "(%s)", text) : text;
}

/* Of a dialect's spelling: whether an operator is outside of all brackets. */
static strength strength_of_words(const char *words) {
  int depth = 0;
  for (; *words; words++) {
    depth += (*words == '(' || *words == '[') - (*words == ')' || *words == ']');
    if (*words == ' ' && !depth) return CHOICE;
  }
  return NAME;
}

/* ---- indices ---------------------------------------------------------------------------- */

static bool is_integer(const fg_instr *i) { return i->op == FG_CODE_INT; }

/* Most are numbers of lanes. */
static const char *integer_text(const fg_emitter *e, int64_t x) {
  char two[] = {(char)('0' + x / 10 % 10), (char)('0' + x % 10), 0};
  if (x >= 0 && x < 100) return fg_arena_copy(arena(e), x < 10 ? two + 1 : two, x < 10 ? 2 : 3);
  return fg_arena_printf(arena(e), "%lld", (long long)x);
}

static const char *infix(const fg_emitter *e, const fg_instr *i, const char *sign, strength left, strength right) {
  return fg_arena_printf(arena(e), "%s %s %s", spelled(e, i->a, left), sign, spelled(e, i->b, right));
}

/* Constants first. */
static const char *product_text(const fg_emitter *e, const fg_instr *i) {
  const fg_instr *a = instr_of(e, i->a);
  bool quotient = !a->name && (a->op == FG_CODE_DIV || a->op == FG_CODE_MOD || a->op == FG_CODE_SHORT_DIV);
  const char *factor = spelled(e, i->a, quotient ? NAME : PRODUCT);
  const fg_instr *by = instr_of(e, i->b);
  if (is_integer(by) && by->imm.i == -1) return fg_arena_printf(arena(e), "-%s", factor);
  if (is_integer(by)) return fg_arena_printf(arena(e), "%lld * %s", (long long)by->imm.i, factor);
  return fg_arena_printf(arena(e), "%s * %s", factor, spelled(e, i->b, NAME));
}

/* a + -3 * b is a - 3 * b. */
static const char *sum_text(const fg_emitter *e, const fg_instr *i) {
  const char *a = spelled(e, i->a, SUM), *b = spelled(e, i->b, SUM);
  return b[0] == '-' ? fg_arena_printf(arena(e), "%s - %s", a, b + 1) : fg_arena_printf(arena(e), "%s + %s", a, b);
}

static const char *short_quotient(const fg_emitter *e, const fg_instr *i) {
  return fg_arena_printf(arena(e), "(%s)((unsigned)%s / %s)", i->type_words, spelled(e, i->a, NAME),
                         spelled(e, i->b, NAME));
}

/* ---- memory ----------------------------------------------------------------------------- */

/* "k + 3", of what a pointer is moved by; NULL: it stays. */
static const char *distance_text(const fg_emitter *e, const fg_instr *at) {
  long long more = (long long)at->imm.i;
  if (at->b < 0) return more ? fg_arena_printf(arena(e), "%lld", more) : NULL;
  const char *index = spelled(e, at->b, SUM);
  return !more ? index : fg_arena_printf(arena(e), "%s %c %lld", index, more < 0 ? '-' : '+', more < 0 ? -more : more);
}

/* A sum of which a part alone may lead before an array: some of its terms are negative. */
static bool goes_back(const char *sum) {
  int depth = 0;
  bool minus = false;
  for (const char *c = sum; *c; c++) {
    depth += (*c == '(') - (*c == ')');
    minus = minus || (!depth && *c == '-');
  }
  return minus && strchr(sum, ' ');
}

static const char *pointer_text(const fg_emitter *e, const fg_instr *at) {
  const char *distance = distance_text(e, at), *pointer = spelled(e, at->a, SUM);
  if (!distance) return pointer;
  return fg_arena_printf(arena(e), goes_back(distance) ? "%s + (%s)" : "%s + %s", pointer, distance);
}

/* The number that a pointer leads to. */
static const char *element_text(const fg_emitter *e, int32_t pointer) {
  const fg_instr *at = instr_of(e, pointer);
  fg_invariant(at->op == FG_CODE_AT && !at->name);
  const char *distance = distance_text(e, at);
  return fg_arena_printf(arena(e), "%s[%s]", spelled(e, at->a, NAME), distance ? distance : "0");
}

/* How the dialect converts what memory has; NULL: it has what is computed with. */
static const fg_storage_row *row_of(const fg_emitter *e, const fg_instr *i) {
  const fg_storage_row *row = i->stored ? e->d->storage : NULL;
  while (row && row->stored != i->stored - 1) row++;
  return row;
}

static const char *zero_pair(const fg_emitter *e) {
  return fg_spell(e, 1, e->d->pair_make, (fg_marks){.a = "0", .b = "0"});
}

static const char *pair_at(const fg_emitter *e, const fg_instr *i) {
  return fg_spell(e, 1, e->d->pair_at, (fg_marks){.p = spelled(e, i->a, ANY), .space = i->type_words});
}

static const char *load_pair(const fg_emitter *e, const fg_instr *i) {
  const fg_storage_row *row = row_of(e, i);
  fg_marks marks = {.p = spelled(e, i->a, ANY), .space = i->type_words};
  if (row) return fg_spell(e, 1, i->type == FG_CODE_WORD ? row->two_load : row->pair_load, marks);
  switch (i->imm.i) {
  case FG_WAY_AHEAD: return fg_spell(e, 1, e->d->pair_ahead, marks);
  case FG_WAY_ONCE: return fg_spell(e, 1, e->d->queue->pair_once, marks);
  case FG_WAY_FRESH: return fg_spell(e, 1, e->d->queue->pair_fresh, marks);
  default: return pair_at(e, i);
  }
}

static const char *guarded_text(const fg_emitter *e, const fg_instr *i) {
  fg_marks marks = {.p = spelled(e, i->a, ANY), .a = spelled(e, i->b, BOTH)};
  return fg_spell(e, 1, i->type == FG_CODE_PAIR ? e->d->pair_where : e->d->number_where, marks);
}

static const char *load_text(const fg_emitter *e, const fg_instr *i) {
  const fg_storage_row *row = row_of(e, i);
  bool pair = i->type != FG_CODE_REAL;
  if (i->imm.i == FG_WAY_GUARDED) return guarded_text(e, i);
  if (i->lanes > 1 && !pair)
    return fg_spell(e, i->lanes,
                    row         ? row->vload
                    : e->padded ? e->padded->load
                                : e->d->vector.load,
                    (fg_marks){.p = spelled(e, i->a, ANY)});
  const char *element = pair ? load_pair(e, i) : element_text(e, i->a);
  if (row && !pair) element = fg_spell(e, 1, row->load, (fg_marks){.v = element, .space = i->type_words});
  if (i->b < 0) return element;
  return fg_arena_printf(arena(e), "%s ? %s : %s", spelled(e, i->b, BOTH), element,
                         i->type == FG_CODE_PAIR ? zero_pair(e) : "0");
}

static const char *entry_text(const fg_emitter *e, const fg_instr *i) {
  const char *entry = fg_arena_printf(arena(e), "%s[%s]", spelled(e, i->a, NAME), spelled(e, i->b, ANY));
  return i->c < 0 ? entry : fg_arena_printf(arena(e), "%s ? %s : 0", spelled(e, i->c, BOTH), entry);
}

static const char *store_pair(const fg_emitter *e, const fg_instr *i, const char *value) {
  const fg_storage_row *row = row_of(e, i);
  bool word = instr_of(e, i->b)->type == FG_CODE_WORD;
  fg_marks marks = {.p = spelled(e, i->a, ANY), .v = value, .space = i->type_words};
  if (row) return fg_spell(e, 1, word ? row->two_store : row->pair_store, marks);
  if (i->imm.i == FG_WAY_PLAIN) return fg_arena_printf(arena(e), "%s = %s;", pair_at(e, i), value);
  const char *form = i->imm.i == FG_WAY_EVICT_LAST ? e->d->queue->pair_evict_last : e->d->queue->pair_evict_first;
  return fg_spell(e, 1, form, marks);
}

static const char *store_text(const fg_emitter *e, const fg_instr *i) {
  const char *value = spelled(e, i->b, ANY);
  const fg_storage_row *row = row_of(e, i);
  fg_code_type type = (fg_code_type)instr_of(e, i->b)->type;
  if (type == FG_CODE_PAIR || type == FG_CODE_WORD) return store_pair(e, i, value);
  if (i->lanes == 1 && row)
    return fg_spell(e, 1, row->store, (fg_marks){.v = element_text(e, i->a), .a = value, .space = i->type_words});
  if (i->lanes == 1) return fg_arena_printf(arena(e), "%s = %s;", element_text(e, i->a), value);
  bool stream = i->op == FG_CODE_STREAM;
  const char *form = row         ? row->vstore
                     : e->padded ? e->padded->store
                     : stream    ? e->d->vector.stream_store
                                 : e->d->vector.store;
  return fg_spell(e, i->lanes, form, (fg_marks){.p = spelled(e, i->a, ANY), .v = value});
}

static const char *fetch_text(const fg_emitter *e, const fg_instr *i) {
  static const char *const word[] = {[FG_FETCH_LOAD] = "0, 3", [FG_FETCH_STORE] = "1, 3", [FG_FETCH_LATER] = "0, 2"};
  return fg_spell(e, 1, e->d->fetch, (fg_marks){.p = spelled(e, i->a, ANY), .i = word[i->imm.i]});
}

/* "hold[4 * it + 2]" */
static const char *place_text(const fg_emitter *e, const fg_instr *i) {
  const char *array = spelled(e, i->a, NAME), *more = integer_text(e, i->imm.i);
  return i->b < 0 ? fg_arena_printf(arena(e), "%s[%s]", array, more)
                  : fg_arena_printf(arena(e), "%s[%s + %s]", array, spelled(e, i->b, SUM), more);
}

/* The pair in a word of an array, which is where memory's words are read. */
static const char *unpack_text(const fg_emitter *e, const fg_instr *i) {
  const fg_instr *word = instr_of(e, i->a);
  const fg_storage_row *row = row_of(e, word);
  const char *index = spelled(e, word->b, SUM), *array = spelled(e, word->a, SUM);
  const char *at =
      fg_arena_printf(arena(e), "(const %s *)(%s + %s + %lld)", row->type, array, index, (long long)word->imm.i);
  return fg_spell(e, 1, row->pair_load, (fg_marks){.p = at, .space = i->type_words});
}

/* ---- numbers ---------------------------------------------------------------------------- */

static const char *number_text(const fg_emitter *e, const fg_instr *i) {
  const char *text = e->d->field_literals ? fg_arena_printf(arena(e), "0x%llxULL", (unsigned long long)i->imm.image)
                                          : fg_spell_literal(e, i->imm.real);
  return i->lanes > 1 ? fg_spell(e, i->lanes, e->d->vector.set1, (fg_marks){.v = text}) : text;
}

static const char *arithmetic_text(const fg_emitter *e, const fg_instr *i) {
  static const fg_op of[] = {
      [FG_CODE_NEGATE] = FG_OP_NEG,       [FG_CODE_SUM] = FG_OP_ADD,       [FG_CODE_DIFFERENCE] = FG_OP_SUB,
      [FG_CODE_PRODUCT] = FG_OP_MUL,      [FG_CODE_FUSED_ADD] = FG_OP_FMA, [FG_CODE_FUSED_SUB] = FG_OP_FMS,
      [FG_CODE_FUSED_NEGADD] = FG_OP_FNMA};
  fg_marks m = {.a = spelled(e, i->a, ANY)};
  if (i->b >= 0) m.b = spelled(e, i->b, ANY);
  if (i->c >= 0) m.c = spelled(e, i->c, ANY);
  const char *const *form = i->lanes > 1 ? e->d->vector.op : i->imm.i ? e->d->twice : e->d->op;
  return fg_spell(e, i->lanes, form[of[i->op]], m);
}

static const char *call_text(const fg_emitter *e, const fg_instr *i) {
  fg_marks m = {.a = spelled(e, i->a, ANY), .b = i->b < 0 ? NULL : spelled(e, i->b, ANY)};
  return fg_spell(e, i->lanes, (i->lanes > 1 ? e->d->vector.call : e->d->call)[i->imm.i], m);
}

/* "a, b, c": values, or numbers of lanes. */
static const char *list_text(const fg_emitter *e, const fg_instr *i, bool values) {
  const int32_t *list = fg_coder_code(e->coder)->list + i->list;
  fg_strbuf s = fg_strbuf_new(arena(e));
  for (int l = 0; l < i->lanes; l++) {
    fg_strbuf_add(&s, l ? ", " : "");
    fg_strbuf_add(&s, values ? spelled(e, list[l], ANY) : integer_text(e, list[l]));
  }
  return s.text;
}

/* Neighbours change places. */
static const char *swap_form(const fg_emitter *e, const fg_instr *i) {
  const int32_t *list = fg_coder_code(e->coder)->list + i->list;
  if (i->imm.i != FG_SHUFFLE_ANY || i->a != i->b) return NULL;
  for (int l = 0; l < i->lanes; l++)
    if (list[l] != (l ^ 1)) return NULL;
  if (e->padded) return e->padded->swap;
  const fg_swap_row *row = fg_spell_swap_row(e, i->lanes);
  return row ? row->swap : NULL;
}

static const char *shuffle_text(const fg_emitter *e, const fg_instr *i) {
  const fg_vector_form *v = &e->d->vector;
  const char *const form[] = {v->shuffle, v->join, v->part, v->piece, v->shuffle}, *swap = swap_form(e, i);
  const int32_t *list = fg_coder_code(e->coder)->list + i->list;
  if (i->imm.i == FG_SHUFFLE_ALTERNATE && e->padded) {
    const fg_instr *less = instr_of(e, i->a);
    return fg_spell(e, i->lanes, e->padded->alternate,
                    (fg_marks){.a = spelled(e, less->a, ANY), .b = spelled(e, less->b, ANY)});
  }
  fg_marks m = {.a = spelled(e, i->a, ANY), .b = spelled(e, i->b, ANY)};
  if (swap) return fg_spell(e, i->lanes, swap, m);
  m.v = integer_text(e, list[0]), m.i = list_text(e, i, false);
  return fg_spell(e, i->lanes, form[i->imm.i], m);
}

static const char *make_text(const fg_emitter *e, const fg_instr *i) {
  const int32_t *list = fg_coder_code(e->coder)->list + i->list;
  bool fragment = i->type == FG_CODE_FRAGMENT;
  if (i->type == FG_CODE_PAIR || i->type == FG_CODE_WORD)
    return fg_spell(e, 1, i->type == FG_CODE_PAIR ? e->d->pair_make : row_of(e, i)->two_make,
                    (fg_marks){.a = spelled(e, list[0], ANY), .b = spelled(e, list[1], ANY)});
  return fg_spell(e, i->lanes, fragment ? e->d->matrix->make : e->d->vector.make,
                  (fg_marks){.i = list_text(e, i, true)});
}

static const char *part_text(const fg_emitter *e, const fg_instr *i) {
  fg_code_type type = (fg_code_type)instr_of(e, i->a)->type;
  const char *form = type == FG_CODE_FRAGMENT ? e->d->matrix->element
                     : type == FG_CODE_PAIR   ? e->d->pair_part[i->imm.i]
                                              : e->d->vector.lane;
  return fg_spell(e, i->list, form, (fg_marks){.v = spelled(e, i->a, ANY), .i = integer_text(e, i->imm.i)});
}

static const char *number_operation(const fg_emitter *e, const fg_instr *i) {
  switch (i->op) {
  case FG_CODE_NUMBER: return number_text(e, i);
  case FG_CODE_CALL: return call_text(e, i);
  case FG_CODE_SPLAT: return fg_spell(e, i->lanes, e->d->vector.set1, (fg_marks){.v = spelled(e, i->a, ANY)});
  case FG_CODE_MAKE: return make_text(e, i);
  case FG_CODE_ELEMENT: return place_text(e, i);
  case FG_CODE_LANE: return part_text(e, i);
  case FG_CODE_UNPACK: return unpack_text(e, i);
  case FG_CODE_FROM_LANE:
    return fg_arena_printf(arena(e), "fftgen_from_lane(%s, %lld)", spelled(e, i->a, ANY), (long long)i->imm.i);
  case FG_CODE_MATRIX_PRODUCT:
    return fg_spell(e, i->lanes, e->d->matrix->product,
                    (fg_marks){.a = spelled(e, i->a, ANY),
                               .b = spelled(e, i->b, ANY),
                               .c = spelled(e, i->c, ANY),
                               .v = fg_matrix_find((fg_matrix)i->imm.i)->name});
  case FG_CODE_SHUFFLE: return shuffle_text(e, i);
  default: return arithmetic_text(e, i);
  }
}

/* ---- expressions ------------------------------------------------------------------------ */

static const char *spelled(const fg_emitter *e, int32_t value, strength around) {
  const fg_instr *i = instr_of(e, value);
  if (i->name) return i->name;
  switch (i->op) {
  case FG_CODE_INT: return bracketed(e, i->imm.i < 0 ? SUM : NAME, around, integer_text(e, i->imm.i));
  case FG_CODE_THREAD: return e->d->thread_id;
  case FG_CODE_ADD: return bracketed(e, SUM, around, sum_text(e, i));
  case FG_CODE_SUB: return bracketed(e, SUM, around, infix(e, i, "-", SUM, PRODUCT));
  case FG_CODE_MUL: return bracketed(e, PRODUCT, around, product_text(e, i));
  case FG_CODE_DIV: return bracketed(e, PRODUCT, around, infix(e, i, "/", PRODUCT, NAME));
  case FG_CODE_MOD: return bracketed(e, PRODUCT, around, infix(e, i, "%", PRODUCT, NAME));
  case FG_CODE_SHR: return bracketed(e, BITS, around, infix(e, i, ">>", NAME, NAME));
  case FG_CODE_AND: return bracketed(e, BITS, around, infix(e, i, "&", NAME, NAME));
  case FG_CODE_XOR: return bracketed(e, BITS, around, infix(e, i, "^", NAME, NAME));
  case FG_CODE_SHORT_DIV: return short_quotient(e, i);
  case FG_CODE_LESS: return bracketed(e, COMPARISON, around, infix(e, i, "<", SUM, SUM));
  case FG_CODE_BOTH: return bracketed(e, BOTH, around, infix(e, i, "&&", BOTH, COMPARISON));
  case FG_CODE_SELECT:
    return bracketed(e, CHOICE, around,
                     fg_arena_printf(arena(e), "%s ? %s : %s", spelled(e, i->a, BOTH), spelled(e, i->b, BOTH),
                                     spelled(e, i->c, BOTH)));
  case FG_CODE_PEER:
    return fg_spell(e, 1, e->d->cluster->map, (fg_marks){.p = spelled(e, i->a, ANY), .i = spelled(e, i->b, ANY)});
  case FG_CODE_IS_OWN: return fg_spell(e, 1, e->d->cluster->is_own, (fg_marks){.i = spelled(e, i->a, ANY)});
  case FG_CODE_LOOKUP: return bracketed(e, i->c < 0 ? NAME : CHOICE, around, entry_text(e, i));
  case FG_CODE_AT: return bracketed(e, SUM, around, pointer_text(e, i));
  case FG_CODE_LOAD: {
    const char *text = load_text(e, i);
    return bracketed(e, strength_of_words(text), around, text);
  }
  default: return number_operation(e, i);
  }
}

const char *fg_statements_number(const fg_emitter *e, fg_uses *uses, fg_num x) {
  fg_emitter own = *e;
  own.coder = fg_coder_create(e->cx, e->real_bytes, false);
  return spelled(&own, fg_coder_value(own.coder, fg_spell_num(&own, uses, x)), ANY);
}

/* ---- statements --------------------------------------------------------------------------- */

/* "x += 3" where a variable becomes itself and something. */
static const char *assignment(const fg_emitter *e, const fg_instr *i) {
  static const char *const sign[] = {
      [FG_CODE_ADD] = "+=", [FG_CODE_MUL] = "*=", [FG_CODE_MOD] = "%=", [FG_CODE_XOR] = "^="};
  const fg_instr *x = instr_of(e, i->a);
  bool known = !x->name && x->op < sizeof sign / sizeof *sign && sign[x->op];
  const char *before = known ? instr_of(e, x->a)->name : NULL;
  if (!before || strcmp(before, i->name) != 0)
    return fg_arena_printf(arena(e), "%s = %s;", i->name, spelled(e, i->a, ANY));
  return fg_arena_printf(arena(e), "%s %s %s;", i->name, sign[x->op], spelled(e, x->b, ANY));
}

/* "++x" where a variable counts. */
static const char *assigned_text(const fg_emitter *e, const fg_instr *i) {
  const fg_instr *x = instr_of(e, i->b);
  const char *name = instr_of(e, i->a)->name;
  bool counts = !x->name && x->op == FG_CODE_ADD && x->a == i->a && is_integer(instr_of(e, x->b));
  if (counts && instr_of(e, x->b)->imm.i == 1) return fg_arena_printf(arena(e), "++%s;", name);
  return fg_arena_printf(arena(e), "%s = %s;", name, spelled(e, i->b, ANY));
}

/* The line before it that has it unrolled, too. */
static const char *loop_text(const fg_emitter *e, const fg_instr *i, int indent) {
  const char *unroll = i->list ? fg_arena_printf(arena(e), "%s\n%*s", e->d->unroll, indent, "") : "";
  const char *step = i->imm.i > 1 ? fg_arena_printf(arena(e), "%s += %lld", i->name, (long long)i->imm.i)
                                  : fg_arena_printf(arena(e), "++%s", i->name);
  return fg_arena_printf(arena(e), "%sfor (%s %s = %s; %s < %s; %s) {", unroll, i->type_words, i->name,
                         spelled(e, i->a, ANY), i->name, spelled(e, i->b, COMPARISON), step);
}

static const char *mbarrier_text(const fg_emitter *e, const fg_instr *i, const char *form) {
  return fg_spell(e, 1, form, (fg_marks){.p = spelled(e, i->a, ANY), .i = integer_text(e, i->imm.i)});
}

static const char *loaded_text(const fg_emitter *e, const fg_instr *i) {
  const fg_cluster_form *form = e->d->cluster;
  const int32_t *list = fg_coder_code(e->coder)->list + i->list;
  fg_strbuf s = fg_strbuf_new(arena(e));
  for (int l = 0; l < fg_code_listed(i); l++)
    fg_strbuf_addf(&s, "%s%s", l ? " ^ " : "", fg_spell(e, 1, form->bits, (fg_marks){.v = spelled(e, list[l], ANY)}));
  fg_marks marks = {.v = s.text, .p = i->a < 0 ? NULL : spelled(e, i->a, ANY)};
  return fg_spell(e, 1, i->imm.i % 2 ? form->fence_loads : form->wait_loads, marks);
}

static const char *send_text(const fg_emitter *e, const fg_instr *i) {
  const int32_t *list = &fg_coder_code(e->coder)->list[i->list];
  fg_marks marks = {.p = spelled(e, i->a, ANY), .i = spelled(e, list[0], ANY), .c = spelled(e, list[1], ANY)};
  if (i->imm.i) {
    marks.v = spelled(e, i->b, ANY);
    return fg_spell(e, 1, row_of(e, instr_of(e, i->b))->send, marks);
  }
  marks.a = spelled(e, i->b, ANY), marks.b = spelled(e, i->c, ANY);
  return fg_spell(e, 1, e->d->cluster->send, marks);
}

static const char *statement_text(const fg_emitter *e, const fg_instr *i, int indent) {
  switch (i->op) {
  case FG_CODE_NAME: return fg_arena_printf(arena(e), "%s %s = %s;", i->type_words, i->name, spelled(e, i->a, ANY));
  case FG_CODE_SET: return assignment(e, i);
  case FG_CODE_VARIABLE:
    if (i->a >= 0) return fg_arena_printf(arena(e), "%s %s = %s;", i->type_words, i->name, spelled(e, i->a, ANY));
    return fg_arena_printf(arena(e), "%s%s%s;", i->type_words, strchr(i->type_words, '*') ? "" : " ", i->name);
  case FG_CODE_ASSIGN: return assigned_text(e, i);
  case FG_CODE_ARRAY:
    return fg_arena_printf(arena(e), "%s %s[%lld]%s;", i->type_words, i->name, (long long)i->imm.i,
                           i->list ? " = {}" : "");
  case FG_CODE_PUT: return fg_arena_printf(arena(e), "%s = %s;", place_text(e, i), spelled(e, i->c, ANY));
  case FG_CODE_STORE:
  case FG_CODE_STREAM: return store_text(e, i);
  case FG_CODE_FETCH: return fetch_text(e, i);
  case FG_CODE_LOOP: return loop_text(e, i, indent);
  case FG_CODE_IF: return fg_arena_printf(arena(e), "if (%s) {", spelled(e, i->a, ANY));
  case FG_CODE_END: return "}";
  case FG_CODE_MBARRIER_INIT: return mbarrier_text(e, i, e->d->cluster->open);
  case FG_CODE_MBARRIER_EXPECT: return mbarrier_text(e, i, e->d->cluster->expect);
  case FG_CODE_MBARRIER_WAIT: return mbarrier_text(e, i, e->d->cluster->wait);
  case FG_CODE_LOADED: return loaded_text(e, i);
  case FG_CODE_SEND: return send_text(e, i);
  case FG_CODE_DROP: return fg_arena_printf(arena(e), "(void)%s;", spelled(e, i->a, ANY));
  case FG_CODE_KEEP: return i->imm.i == FG_KEEP_MEMORY ? e->d->stage_fence : fg_spell(e, 1, e->d->fence, (fg_marks){0});
  case FG_CODE_ASK:
    return fg_spell(e, 1, e->d->iteration, (fg_marks){.i = integer_text(e, i->imm.i), .v = spelled(e, i->a, ANY)});
  case FG_CODE_ONE: return fg_spell(e, 1, e->d->vector.unknown, (fg_marks){.v = i->name, .i = "1"});
  case FG_CODE_BARRIER: return e->d->barrier_block;
  case FG_CODE_CLUSTER_ARRIVE: return e->d->cluster->arrive;
  case FG_CODE_CLUSTER_WAIT: return e->d->cluster->cluster_wait;
  default: fg_invariant(i->op == FG_CODE_BLOCK); return i->name;
  }
}

/* Variables of one type that have no values yet: as many as a line holds. */
static int32_t declared_together(const fg_emitter *e, int32_t from, int32_t to, int indent, fg_strbuf *out) {
  enum { MOST = 16 };
  const int32_t *order = fg_coder_order(e->coder);
  const fg_instr *first = instr_of(e, order[from]);
  int32_t at = from + 1;
  fg_strbuf_addf(out, "%*s%s %s", indent, "", first->type_words, first->name);
  for (; at < to && at < from + MOST; at++) {
    const fg_instr *i = instr_of(e, order[at]);
    if (i->op != FG_CODE_VARIABLE || i->a >= 0 || strcmp(i->type_words, first->type_words) != 0) break;
    fg_strbuf_addf(out, ", %s", i->name);
  }
  fg_strbuf_add(out, ";\n");
  return at;
}

int fg_statements_write(const fg_emitter *e, int32_t from, int32_t to, int indent, fg_strbuf *out) {
  const int32_t *order = fg_coder_order(e->coder);
  for (int32_t at = from; at < to; at++) {
    const fg_instr *i = instr_of(e, order[at]);
    if (!fg_code_is_statement((fg_code_op)i->op)) continue;
    if (i->op == FG_CODE_VARIABLE && i->type == FG_CODE_REAL && i->a < 0) {
      at = declared_together(e, at, to, indent, out) - 1;
      continue;
    }
    if (i->op == FG_CODE_END) indent -= 2;
    fg_strbuf_addf(out, "%*s%s\n", indent, "", statement_text(e, i, indent));
    if (fg_code_is_bracket((fg_code_op)i->op)) indent += 2;
  }
  return indent;
}

void fg_statements_begin(fg_emitter *e) { e->coder = fg_coder_create(e->cx, e->real_bytes, false); }

void fg_statements_end(fg_emitter *e, const char *function, int indent, fg_strbuf *out) {
  *out = fg_strbuf_new(e->cx->arena);
  if (e->o->listing) {
    fg_strbuf_addf(e->o->listing, "%s\n", function);
    fg_coder_list_order(e->coder, e->o->listing);
  }
  fg_statements_write(e, 0, fg_coder_position(e->coder), indent, out);
  e->coder = NULL;
}
