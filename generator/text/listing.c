/* The listing of instructions, one a line. In: an fg_instructions, or what is recorded in its order. Out: text; equal
 * code gives equal text. */
#include "generator/base/strbuf.h"
#include "generator/text/recorder.h"
#include "generator/text/recorder_order.h"

static void print_list(fg_strbuf *s, const fg_instructions *code, const fg_instr *i) {
  int values = fg_code_listed(i), count = values ? values : i->lanes;
  fg_strbuf_add(s, " (");
  for (int l = 0; l < count; l++) fg_strbuf_addf(s, "%s%s%d", l ? " " : "", values ? "%" : "", code->list[i->list + l]);
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
  case FG_CODE_FROM_LANE:
  case FG_CODE_ARRAY:
  case FG_CODE_ELEMENT:
  case FG_CODE_PUT:
  case FG_CODE_MBARRIER_INIT:
  case FG_CODE_MBARRIER_EXPECT:
  case FG_CODE_MBARRIER_WAIT:
  case FG_CODE_SEND:
  case FG_CODE_LOADED:
  case FG_CODE_MATRIX_PRODUCT:
  case FG_CODE_STEP:
  case FG_CODE_KEEP:
  case FG_CODE_ASK:
  case FG_CODE_STAGE:
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

/* What a language calls it. */
static void print_name(fg_strbuf *s, const fg_instr *i) {
  if (i->name) fg_strbuf_addf(s, " \"%s\"", i->name);
  if (i->name && i->type_words) fg_strbuf_addf(s, " of %s", i->type_words);
}

/* How, and as what, a number is in memory. */
static void print_way(fg_strbuf *s, const fg_instr *i) {
  static const char *const way[] = {[FG_WAY_GUARDED] = "guarded",
                                    [FG_WAY_AHEAD] = "ahead",
                                    [FG_WAY_ONCE] = "once",
                                    [FG_WAY_FRESH] = "fresh",
                                    [FG_WAY_EVICT_FIRST] = "evict-first",
                                    [FG_WAY_EVICT_LAST] = "evict-last"};
  bool moves = i->op == FG_CODE_LOAD || i->op == FG_CODE_STORE;
  if (moves && i->imm.i) fg_strbuf_addf(s, " %s", way[i->imm.i]);
  if (i->stored) fg_strbuf_addf(s, " of %s", fg_precision_name(i->stored - 1));
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
  for (int k = 0; k < 3; k++) {
    const fg_instr *of = place || operand[k] < 0 ? NULL : &code->instr[operand[k]];
    if (of && of->op == FG_CODE_ARGUMENT)
      fg_strbuf_addf(s, " \"%s\"", of->name);
    else if (operand[k] >= 0)
      fg_strbuf_addf(s, place ? " %d" : " %%%d", operand[k]);
  }
  print_constant(s, code, i);
  print_name(s, i);
  print_way(s, i);
  if (fg_code_listed(i) || i->op == FG_CODE_SHUFFLE) print_list(s, code, i);
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
  int indent = 0;
  fg_strbuf s = fg_strbuf_new(cx->arena);
  for (int t = 0; t < code->ntable; t++)
    fg_strbuf_addf(&s, "table %d: %s, %zu bytes, digest %016llx\n", t, code->table[t].name, code->table[t].bytes,
                   digest(&code->table[t]));
  for (int32_t i = 0; i < code->count; i++) print_instr(&s, code, i, &indent);
  return s.text;
}

void fg_coder_list_order(const fg_coder *c, fg_strbuf *out) {
  int indent = 2;
  const fg_instructions *code = fg_coder_code((fg_coder *)c);
  for (int32_t at = 0; at < fg_coder_position(c); at++) print_instr(out, code, fg_coder_order(c)[at], &indent);
}
