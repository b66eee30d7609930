/* Records instructions. In: calls from lower, with handles for values. Out: instructions and their order. The form is
 * static single assignment; loops and conditions are bracketed, since lower has no other control flow.
 *
 * Instructions have numbers for good, and their order is a list beside them, which passes change (statements.c prints
 * it for languages). A program is settled at its end: names are gone, and numbers rise in that order. */
#include "generator/base/invariant.h"
#include "generator/text/recorder_ops.h"
#include "generator/text/recorder_order.h"
#include "generator/text/recorder_statements.h"
#include "generator/text/recorder_variables.h"
#include <stdlib.h>
#include <string.h>

typedef struct binding {
  const char *name; /* NULL: free */
  int32_t value;
} binding;

struct fg_coder {
  fg_context *cx;
  fg_instructions code;
  int32_t room, list_room;
  int32_t norder, order_room, *order; /* numbers of instructions */
  uint32_t mask, nbound;
  binding *bound; /* by name, open addressing */
  bool rehearses;
};

fg_coder *fg_coder_create(fg_context *cx, int real_bytes, bool field) {
  fg_coder *c = fg_arena_new(cx->arena, fg_coder, 1);
  c->cx = cx;
  c->code.real_bytes = real_bytes;
  c->code.field = field;
  c->mask = 1023;
  c->bound = fg_arena_new(cx->arena, binding, c->mask + 1);
  return c;
}

/* ---- names ------------------------------------------------------------------------ */

static uint32_t hash_of(const char *name) {
  uint32_t h = 2166136261u;
  for (; *name; name++) h = (h ^ (unsigned char)*name) * 16777619u;
  return h;
}

static binding *find(binding *bound, uint32_t mask, const char *name) {
  uint32_t at = hash_of(name) & mask;
  while (bound[at].name && strcmp(bound[at].name, name) != 0) at = (at + 1) & mask;
  return &bound[at];
}

static void grow(fg_coder *c) {
  uint32_t mask = 2 * c->mask + 1;
  binding *bound = fg_arena_new(c->cx->arena, binding, mask + 1);
  for (uint32_t i = 0; i <= c->mask; i++)
    if (c->bound[i].name) *find(bound, mask, c->bound[i].name) = c->bound[i];
  c->bound = bound;
  c->mask = mask;
}

void fg_coder_bind(fg_coder *c, const char *name, const char *handle) {
  int32_t value = fg_coder_value(c, handle);
  binding *b = find(c->bound, c->mask, name);
  if (!b->name && ++c->nbound > c->mask / 2) {
    grow(c);
    b = find(c->bound, c->mask, name);
  }
  *b = (binding){name, value};
}

/* Whether it is a decimal number. */
static bool is_integer(const char *handle, int64_t *out) {
  char *end;
  if (!handle || (handle[0] != '-' && (handle[0] < '0' || handle[0] > '9'))) return false;
  *out = strtoll(handle, &end, 10);
  return !*end;
}

int32_t fg_coder_value(fg_coder *c, const char *handle) {
  int64_t integer;
  if (!handle) return -1;
  if (handle[0] == FG_HANDLE_BEGIN) {
    int32_t value = 0;
    for (const char *at = handle + 1; *at != FG_HANDLE_END; at++) value = 10 * value + (*at - '0');
    return value;
  }
  if (is_integer(handle, &integer)) {
    fg_coder_int(c, integer);
    return c->code.count - 1;
  }
  const binding *b = find(c->bound, c->mask, handle);
  fg_invariant((b->name || c->rehearses) && "a value that was not made");
  return b->value;
}

/* ---- instructions ------------------------------------------------------------------- */

const char *fg_coder_handle(fg_coder *c, int32_t value) {
  char mark[16], *at = mark + sizeof mark;
  *--at = 0, *--at = FG_HANDLE_END;
  do *--at = (char)('0' + value % 10);
  while (value /= 10);
  *--at = FG_HANDLE_BEGIN;
  return fg_arena_copy(c->cx->arena, at, (size_t)(mark + sizeof mark - at));
}

static bool carries_memory(fg_code_op op) {
  return op == FG_CODE_AT || op == FG_CODE_LOAD || op == FG_CODE_STORE || op == FG_CODE_STREAM ||
         op == FG_CODE_LOOKUP || op == FG_CODE_FETCH || op == FG_CODE_NAME || op == FG_CODE_SET;
}

static void make_room(fg_coder *c) {
  fg_instructions *k = &c->code;
  if (k->count < c->room) return;
  c->room = 2 * c->room + 1024;
  k->instr = fg_arena_more(c->cx->arena, k->instr, k->count, c->room);
}

int32_t fg_coder_list(fg_coder *c, const int32_t *entry, int count) {
  fg_instructions *k = &c->code;
  if (k->nlist + count > c->list_room) {
    c->list_room = 2 * c->list_room + 1024 + count;
    k->list = fg_arena_more(c->cx->arena, k->list, k->nlist, c->list_room);
  }
  memcpy(k->list + k->nlist, entry, sizeof *entry * (size_t)count);
  k->nlist += count;
  return k->nlist - count;
}

int32_t fg_coder_make(fg_coder *c, fg_instr i) {
  fg_instructions *k = &c->code;
  make_room(c);
  if (carries_memory((fg_code_op)i.op) && i.a >= 0) i.memory = k->instr[i.a].memory;
  int vector = i.lanes > 1 && i.type == FG_CODE_REAL ? i.lanes * k->real_bytes : 0;
  if (vector > k->vector_bytes) k->vector_bytes = vector;
  k->instr[k->count] = i;
  return k->count++;
}

const char *fg_coder_add(fg_coder *c, fg_instr i) {
  int32_t number = fg_coder_make(c, i);
  fg_coder_put(c, number);
  return i.type == FG_CODE_NONE ? "" : fg_coder_handle(c, number);
}

const char *fg_coder_add_of(fg_coder *c, fg_instr i, const char *x, const char *y, const char *z) {
  i.a = fg_coder_value(c, x), i.b = fg_coder_value(c, y), i.c = fg_coder_value(c, z);
  return fg_coder_add(c, i);
}

fg_arena *fg_coder_arena(const fg_coder *c) { return c->cx->arena; }

/* ---- statements ----------------------------------------------------------------------- */

void fg_coder_act(fg_coder *c, fg_code_op op, int64_t imm) {
  fg_instr i = fg_coder_instr(op, FG_CODE_NONE, 0);
  i.imm.i = imm;
  fg_coder_add(c, i);
}

void fg_coder_block(fg_coder *c, const char *words) {
  fg_instr i = fg_coder_instr(FG_CODE_BLOCK, FG_CODE_NONE, 0);
  i.name = words;
  fg_coder_add(c, i);
}

static void record_name(fg_coder *c, fg_code_op op, const char *type, const char *name, const char *handle) {
  int32_t value = fg_coder_value(c, handle);
  const fg_instr *of = value < 0 ? &(fg_instr){0} : &c->code.instr[value];
  fg_instr i = fg_coder_instr(op, (fg_code_type)of->type, of->lanes);
  i.a = value, i.name = name, i.type_words = type;
  fg_coder_bind(c, name, fg_coder_add(c, i));
}

void fg_coder_name(fg_coder *c, const char *type, const char *name, const char *handle) {
  record_name(c, FG_CODE_NAME, type, name, handle);
}

void fg_coder_set(fg_coder *c, const char *name, const char *handle) {
  record_name(c, FG_CODE_SET, NULL, name, handle);
}

/* ---- what changes --------------------------------------------------------------------- */

static void declare(fg_coder *c, fg_instr i, const char *type, const char *name) {
  i.name = name, i.type_words = type;
  fg_coder_bind(c, name, fg_coder_add(c, i));
}

void fg_coder_variable(fg_coder *c, const char *type, const char *name, const char *first) {
  fg_instr i = fg_coder_instr(FG_CODE_VARIABLE, FG_CODE_INDEX, 1);
  i.a = fg_coder_value(c, first);
  declare(c, i, type, name);
}

void fg_coder_vector(fg_coder *c, const char *type, int lanes, const char *name) {
  declare(c, fg_coder_instr(FG_CODE_VARIABLE, FG_CODE_REAL, lanes), type, name);
}

const char *fg_coder_one(fg_coder *c, const char *name) {
  declare(c, fg_coder_instr(FG_CODE_ONE, FG_CODE_REAL, 1), NULL, name);
  return name;
}

void fg_coder_assign(fg_coder *c, const char *name, const char *value) {
  fg_coder_add_of(c, fg_coder_instr(FG_CODE_ASSIGN, FG_CODE_NONE, 0), name, value, NULL);
}

void fg_coder_array(fg_coder *c, const char *type, int lanes, const char *name, int64_t count) {
  fg_instr i = fg_coder_instr(FG_CODE_ARRAY, FG_CODE_POINTER, lanes);
  i.imm.i = count;
  declare(c, i, type, name);
}

void fg_coder_words(fg_coder *c, const fg_storage_row *row, const char *name, int64_t count) {
  fg_instr i = fg_coder_instr(FG_CODE_ARRAY, FG_CODE_POINTER, 1);
  i.imm.i = count, i.stored = (uint8_t)(row->stored + 1);
  declare(c, i, row->two, name);
}

void fg_coder_begin_with_zeros(fg_coder *c, const char *array) { c->code.instr[fg_coder_value(c, array)].list = 1; }

const char *fg_coder_element(fg_coder *c, const char *array, const char *index, int64_t more) {
  int32_t a = fg_coder_value(c, array), b = fg_coder_value(c, index);
  fg_instr i = {.op = FG_CODE_ELEMENT, .type = FG_CODE_REAL, .a = a, .b = b, .c = -1, .imm.i = more};
  i.lanes = c->code.instr[a].lanes, i.stored = c->code.instr[a].stored;
  if (i.stored) i.type = FG_CODE_WORD;
  return fg_coder_add(c, i);
}

void fg_coder_put_element(fg_coder *c, const char *element, const char *value) {
  fg_instr i = c->code.instr[fg_coder_value(c, element)];
  i.op = FG_CODE_PUT, i.type = FG_CODE_NONE, i.c = fg_coder_value(c, value);
  fg_coder_add(c, i);
}

/* ---- pairs ---------------------------------------------------------------------------- */

const char *fg_coder_pair(fg_coder *c, const char *re, const char *im, const fg_storage_row *word) {
  int32_t part[] = {fg_coder_value(c, re), fg_coder_value(c, im)};
  fg_instr i = fg_coder_instr(FG_CODE_MAKE, FG_CODE_PAIR, 2);
  if (word) i.type = FG_CODE_WORD, i.stored = (uint8_t)(word->stored + 1);
  i.list = fg_coder_list(c, part, 2);
  return fg_coder_add(c, i);
}

const char *fg_coder_part(fg_coder *c, const char *pair, int part) {
  fg_instr i = fg_coder_instr(FG_CODE_LANE, FG_CODE_REAL, 1);
  i.imm.i = part;
  return fg_coder_add_of(c, i, pair, NULL, NULL);
}

/* ---- order ---------------------------------------------------------------------------- */

int32_t fg_coder_position(const fg_coder *c) { return c->norder; }

const int32_t *fg_coder_order(const fg_coder *c) { return c->order; }

bool fg_coder_is_statement(const fg_coder *c, int32_t number) {
  return fg_code_is_statement((fg_code_op)c->code.instr[number].op);
}

void fg_coder_move_end(fg_coder *c, int32_t from, int32_t to) {
  int32_t moved = c->norder - from;
  int32_t *end = fg_arena_new(c->cx->arena, int32_t, moved + 1);
  memcpy(end, &c->order[from], sizeof *end * (size_t)moved);
  memmove(&c->order[to + moved], &c->order[to], sizeof *end * (size_t)(from - to));
  memcpy(&c->order[to], end, sizeof *end * (size_t)moved);
}

int32_t *fg_coder_take(fg_coder *c, int32_t from, int32_t *count) {
  *count = c->norder - from;
  c->norder = from;
  return fg_arena_more(c->cx->arena, c->order + from, *count, *count + 1);
}

void fg_coder_put(fg_coder *c, int32_t number) {
  if (c->norder == c->order_room) {
    c->order_room = 2 * c->order_room + 1024;
    c->order = fg_arena_more(c->cx->arena, c->order, c->norder, c->order_room);
  }
  c->order[c->norder++] = number;
}

/* ---- shorthands ----------------------------------------------------------------------- */

const char *fg_coder_index(fg_coder *c, fg_code_op op, const char *a, const char *b) {
  bool truth = op == FG_CODE_LESS || op == FG_CODE_BOTH;
  return fg_coder_add_of(c, fg_coder_instr(op, truth ? FG_CODE_TRUTH : FG_CODE_INDEX, 1), a, b, NULL);
}

const char *fg_coder_argument(fg_coder *c, fg_code_type type, const char *name) {
  fg_instr i = fg_coder_instr(FG_CODE_ARGUMENT, type, 1);
  i.name = name;
  if (!find(c->bound, c->mask, name)->name) fg_coder_bind(c, name, fg_coder_handle(c, fg_coder_make(c, i)));
  return name;
}

const char *fg_coder_int(fg_coder *c, int64_t x) {
  fg_instr i = fg_coder_instr(FG_CODE_INT, FG_CODE_INDEX, 1);
  i.imm.i = x;
  return fg_coder_add(c, i);
}

const char *fg_coder_choice(fg_coder *c, const char *truth, const char *a, const char *b) {
  return fg_coder_add_of(c, fg_coder_instr(FG_CODE_SELECT, FG_CODE_INDEX, 1), truth, a, b);
}

const char *fg_coder_short_quotient(fg_coder *c, const char *type, const char *a, const char *b) {
  fg_instr i = fg_coder_instr(FG_CODE_SHORT_DIV, FG_CODE_INDEX, 1);
  i.type_words = type;
  return fg_coder_add_of(c, i, a, b, NULL);
}

const char *fg_coder_entry(fg_coder *c, const char *table, const char *index, const char *truth) {
  return fg_coder_add_of(c, fg_coder_instr(FG_CODE_LOOKUP, FG_CODE_INDEX, 1), table, index, truth);
}

const char *fg_coder_at(fg_coder *c, const char *pointer, const char *index, int64_t more) {
  int64_t distance;
  bool number = is_integer(index, &distance);
  fg_instr i = fg_coder_instr(FG_CODE_AT, FG_CODE_POINTER, 1);
  i.imm.i = number ? more + distance : more;
  return fg_coder_add_of(c, i, pointer, number ? NULL : index, NULL);
}

const char *fg_coder_real(fg_coder *c, fg_code_op op, int lanes, const char *const operand[3]) {
  return fg_coder_add_of(c, fg_coder_instr(op, FG_CODE_REAL, lanes), operand[0], operand[1], operand[2]);
}

const char *fg_coder_call(fg_coder *c, fg_called which, int lanes, const char *a, const char *b) {
  fg_instr i = fg_coder_instr(FG_CODE_CALL, FG_CODE_REAL, lanes);
  i.imm.i = which;
  return fg_coder_add_of(c, i, a, b, NULL);
}

void fg_coder_open(fg_coder *c, fg_code_op op, const char *a) {
  fg_coder_add_of(c, fg_coder_instr(op, FG_CODE_NONE, 0), a, NULL, NULL);
}

void fg_coder_open_step(fg_coder *c) { fg_coder_act(c, FG_CODE_STEP, c->code.nstep++); }

void fg_coder_close(fg_coder *c) { fg_coder_act(c, FG_CODE_END, 0); }

fg_coder *fg_coder_rehearse(fg_context *cx, int real_bytes) {
  fg_coder *c = fg_coder_create(cx, real_bytes, false);
  c->rehearses = true;
  return c;
}

bool fg_coder_is_rehearsal(const fg_coder *c) { return c->rehearses; }

fg_instructions *fg_coder_code(fg_coder *c) { return &c->code; }

/* ---- settling --------------------------------------------------------------------------- */

/* What an operand is called by now; names stand for what they name. */
static int32_t settled(const int32_t *now, int32_t operand) { return operand < 0 ? operand : now[operand]; }

enum { FG_MOST_OPEN = 256 };

/* Whether it is a name or says something to languages alone; of variables what nothing is assigned to. */
static bool says_nothing(const fg_instr *i, bool assigned) {
  bool named = i->op == FG_CODE_NAME || i->op == FG_CODE_SET || i->op == FG_CODE_DROP;
  return named || (i->op == FG_CODE_VARIABLE && i->a < 0 && !assigned);
}

static bool *find_assigned(const fg_coder *c) {
  bool *assigned = fg_arena_new(c->cx->arena, bool, c->code.count + 1);
  for (int32_t at = 0; at < c->norder; at++) {
    const fg_instr *i = &c->code.instr[c->order[at]];
    if (i->op == FG_CODE_ASSIGN) assigned[i->a] = true;
  }
  return assigned;
}

void fg_coder_settle(fg_coder *c) {
  fg_instructions *k = &c->code;
  int32_t *now = fg_arena_new(c->cx->arena, int32_t, k->count + 1), count = 0;
  bool block[FG_MOST_OPEN]; /* brackets that a program does not have */
  int depth = 0;
  const bool *assigned = find_assigned(c);
  fg_instr *instr = fg_arena_new(c->cx->arena, fg_instr, 3 * c->norder + 1);
  for (int32_t at = 0; at < c->norder; at++) {
    fg_instr i = k->instr[c->order[at]];
    if (says_nothing(&i, assigned[c->order[at]])) {
      now[c->order[at]] = settled(now, i.a);
      continue;
    }
    if (fg_code_is_bracket((fg_code_op)i.op)) block[depth++] = i.op == FG_CODE_BLOCK;
    if (i.op == FG_CODE_BLOCK || (i.op == FG_CODE_END && block[--depth])) continue;
    bool place = i.op == FG_CODE_MEMORY || i.op == FG_CODE_TABLE;
    if (!place) i.a = settled(now, i.a), i.b = settled(now, i.b), i.c = settled(now, i.c);
    for (int l = 0; l < fg_code_listed(&i); l++) k->list[i.list + l] = now[k->list[i.list + l]];
    if (i.op == FG_CODE_SHORT_DIV) i.op = FG_CODE_DIV;
    if (i.op == FG_CODE_INT && i.type == FG_CODE_REAL) i.op = FG_CODE_NUMBER;
    i.name = i.type_words = NULL, i.stored = 0; /* its memory says it */
    if (i.op == FG_CODE_LOOKUP && i.c >= 0) {   /* entry 0 where the truth fails */
      fg_instr select = fg_coder_instr(FG_CODE_SELECT, FG_CODE_INDEX, 1);
      select.a = i.c, select.b = i.b, select.c = count;
      instr[count++] = fg_coder_instr(FG_CODE_INT, FG_CODE_INDEX, 1);
      instr[count] = select;
      i.b = count++, i.c = -1;
    }
    now[c->order[at]] = count;
    instr[count++] = i;
  }
  k->instr = instr, k->count = count;
}
