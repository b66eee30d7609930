/* Records instructions. In: calls from lower, with handles for values. Out: an fg_instructions, and its listing. The
 * form is static single assignment; loops and conditions are bracketed, since lower has no other control flow. */
#include "generator/base/invariant.h"
#include "generator/base/strbuf.h"
#include "generator/text/recorder_ops.h"
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
  uint32_t mask, nbound;
  binding *bound;         /* by name, open addressing */
  const fg_coder *before; /* of a dry run, which only counts */
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

int32_t fg_coder_value(fg_coder *c, const char *handle) {
  if (!handle) return -1;
  if (handle[0] == '%') return (int32_t)atol(handle + 1);
  if (handle[0] == '-' || (handle[0] >= '0' && handle[0] <= '9')) {
    fg_coder_int(c, strtoll(handle, NULL, 10));
    return c->code.count - 1;
  }
  const binding *b = find(c->bound, c->mask, handle);
  fg_invariant((b->name || c->before) && "a value that was not made");
  return b->value;
}

/* ---- instructions ------------------------------------------------------------------- */

static const char *handle_of(fg_coder *c, int32_t value) { return fg_arena_printf(c->cx->arena, "%%%d", value); }

int32_t fg_coder_list(fg_coder *c, const int32_t *entry, int count) {
  fg_instructions *k = &c->code;
  if (k->nlist + count > c->list_room) {
    c->list_room = 2 * c->list_room + 1024 + count;
    int32_t *list = fg_arena_new(c->cx->arena, int32_t, c->list_room);
    if (k->nlist) memcpy(list, k->list, sizeof *list * (size_t)k->nlist);
    k->list = list;
  }
  memcpy(k->list + k->nlist, entry, sizeof *entry * (size_t)count);
  k->nlist += count;
  return k->nlist - count;
}

const char *fg_coder_add(fg_coder *c, fg_instr i) {
  fg_instructions *k = &c->code;
  if (k->count == c->room) {
    c->room = 2 * c->room + 1024;
    fg_instr *instr = fg_arena_new(c->cx->arena, fg_instr, c->room);
    if (k->count) memcpy(instr, k->instr, sizeof *instr * (size_t)k->count);
    k->instr = instr;
  }
  bool points = i.op == FG_CODE_AT || i.op == FG_CODE_LOAD || i.op == FG_CODE_STORE || i.op == FG_CODE_STREAM ||
                i.op == FG_CODE_LOOKUP || i.op == FG_CODE_FETCH;
  if (points) i.memory = k->instr[i.a].memory;
  int vector = i.lanes > 1 && i.type == FG_CODE_REAL ? i.lanes * k->real_bytes : 0;
  if (vector > k->vector_bytes) k->vector_bytes = vector;
  k->instr[k->count++] = i;
  return i.type == FG_CODE_NONE ? "" : handle_of(c, k->count - 1);
}

const char *fg_coder_index(fg_coder *c, fg_code_op op, const char *a, const char *b) {
  bool truth = op == FG_CODE_LESS || op == FG_CODE_BOTH;
  int32_t x = fg_coder_value(c, a), y = fg_coder_value(c, b);
  return fg_coder_add(
      c, (fg_instr){
             .op = (uint8_t)op, .type = truth ? FG_CODE_TRUTH : FG_CODE_INDEX, .lanes = 1, .a = x, .b = y, .c = -1});
}

const char *fg_coder_int(fg_coder *c, int64_t x) {
  return fg_coder_add(
      c, (fg_instr){.op = FG_CODE_INT, .type = FG_CODE_INDEX, .lanes = 1, .a = -1, .b = -1, .c = -1, .imm.i = x});
}

const char *fg_coder_at(fg_coder *c, const char *pointer, const char *index, int64_t more) {
  bool number = index && (index[0] == '-' || (index[0] >= '0' && index[0] <= '9'));
  if (number) more += strtoll(index, NULL, 10);
  int32_t a = fg_coder_value(c, pointer), b = number ? -1 : fg_coder_value(c, index);
  return fg_coder_add(
      c, (fg_instr){.op = FG_CODE_AT, .type = FG_CODE_POINTER, .lanes = 1, .a = a, .b = b, .c = -1, .imm.i = more});
}

const char *fg_coder_real(fg_coder *c, fg_code_op op, int lanes, const char *const operand[3]) {
  int32_t v[3];
  for (int i = 0; i < 3; i++) v[i] = fg_coder_value(c, operand[i]);
  return fg_coder_add(
      c, (fg_instr){.op = (uint8_t)op, .type = FG_CODE_REAL, .lanes = (uint8_t)lanes, .a = v[0], .b = v[1], .c = v[2]});
}

const char *fg_coder_call(fg_coder *c, fg_called which, int lanes, const char *a, const char *b) {
  int32_t x = fg_coder_value(c, a), y = fg_coder_value(c, b);
  return fg_coder_add(
      c,
      (fg_instr){
          .op = FG_CODE_CALL, .type = FG_CODE_REAL, .lanes = (uint8_t)lanes, .a = x, .b = y, .c = -1, .imm.i = which});
}

void fg_coder_open(fg_coder *c, fg_code_op op, const char *a) {
  int32_t x = fg_coder_value(c, a);
  fg_coder_add(c, (fg_instr){.op = (uint8_t)op, .a = x, .b = -1, .c = -1});
}

void fg_coder_open_step(fg_coder *c) {
  fg_coder_add(c, (fg_instr){.op = FG_CODE_STEP, .a = -1, .b = -1, .c = -1, .imm.i = c->code.nstep++});
}

void fg_coder_close(fg_coder *c) { fg_coder_add(c, (fg_instr){.op = FG_CODE_END, .a = -1, .b = -1, .c = -1}); }

int32_t fg_coder_count(const fg_coder *c) { return c->code.count; }

void fg_coder_rehearse(fg_coder *c) {
  fg_coder *before = fg_arena_new(c->cx->arena, fg_coder, 1);
  *before = *c;
  c->bound = fg_arena_new(c->cx->arena, binding, c->mask + 1);
  memcpy(c->bound, before->bound, sizeof *c->bound * (c->mask + 1));
  c->before = before;
}

/* Rows that grew meanwhile were copied; those of before still hold what they held. */
void fg_coder_forget(fg_coder *c) { *c = *c->before; }

fg_instructions *fg_coder_code(fg_coder *c) { return &c->code; }

/* ---- the listing ----------------------------------------------------------------------- */

static void print_list(fg_strbuf *s, const fg_instructions *code, const fg_instr *i) {
  bool values = i->op == FG_CODE_MAKE;
  fg_strbuf_add(s, " (");
  for (int l = 0; l < i->lanes; l++)
    fg_strbuf_addf(s, "%s%s%d", l ? " " : "", values ? "%" : "", code->list[i->list + l]);
  fg_strbuf_add(s, ")");
}

static void print_constant(fg_strbuf *s, const fg_instructions *code, const fg_instr *i) {
  switch (i->op) {
  case FG_CODE_NUMBER:
    if (code->field)
      fg_strbuf_addf(s, " 0x%llx", (unsigned long long)i->imm.image);
    else
      fg_strbuf_addf(s, " %.17g", i->imm.real);
    return;
  case FG_CODE_INT:
  case FG_CODE_PARAM:
  case FG_CODE_SHARE:
  case FG_CODE_FETCH:
  case FG_CODE_LANE:
  case FG_CODE_STEP:
  case FG_CODE_LOOP: fg_strbuf_addf(s, " %lld", (long long)i->imm.i); return;
  case FG_CODE_AT:
  case FG_CODE_MEMORY:
    if (i->imm.i) fg_strbuf_addf(s, " + %lld", (long long)i->imm.i);
    if (code->stored[i->memory]) fg_strbuf_addf(s, " of %s", fg_precision_name(code->stored[i->memory] - 1));
    if (i->op == FG_CODE_MEMORY && i->list) fg_strbuf_addf(s, " + %d a share", i->list);
    return;
  default: return;
  }
}

static void print_instr(fg_strbuf *s, const fg_instructions *code, int32_t number, int *indent) {
  const fg_instr *i = &code->instr[number];
  if (i->op == FG_CODE_END) *indent -= 2;
  fg_strbuf_addf(s, "%*s", *indent, "");
  if (i->type != FG_CODE_NONE) fg_strbuf_addf(s, "%%%d = ", number);
  fg_strbuf_add(s, fg_code_op_name((fg_code_op)i->op));
  if (i->lanes > 1) fg_strbuf_addf(s, ".%d", i->lanes);
  bool place = i->op == FG_CODE_MEMORY || i->op == FG_CODE_TABLE; /* no value: a place's number */
  const int32_t operand[3] = {i->a, i->b, i->c};
  for (int k = 0; k < 3; k++)
    if (operand[k] >= 0) fg_strbuf_addf(s, place ? " %d" : " %%%d", operand[k]);
  print_constant(s, code, i);
  if (i->op == FG_CODE_MAKE || i->op == FG_CODE_SHUFFLE) print_list(s, code, i);
  fg_strbuf_add(s, "\n");
  if (fg_code_is_bracket((fg_code_op)i->op)) *indent += 2;
}

/* FNV-1a, 64 bits: the listing says what tables hold without printing it. */
static unsigned long long digest(const fg_code_table *t) {
  uint64_t h = UINT64_C(14695981039346656037);
  for (size_t i = 0; t->content && i < t->bytes; i++)
    h = (h ^ ((const unsigned char *)t->content)[i]) * UINT64_C(1099511628211);
  return h;
}

char *fg_coder_print(fg_context *cx, const fg_instructions *code) {
  fg_strbuf s;
  int indent = 0;
  fg_strbuf_init(&s, cx->arena);
  for (int t = 0; t < code->ntable; t++)
    fg_strbuf_addf(&s, "table %d: %s, %zu bytes, digest %016llx\n", t, code->table[t].name, code->table[t].bytes,
                   digest(&code->table[t]));
  for (int32_t i = 0; i < code->count; i++) print_instr(&s, code, i, &indent);
  return s.text;
}
