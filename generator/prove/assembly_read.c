/* Reads kernels whose bodies are assembly. In: their text. Out: their instructions.
 *
 * The idea: a table of the instructions that are known, by their words and the kinds of their operands
 * (assembly.def). Everything else is refused; so is any text around the assembly but the heads of kernels, which are
 * those of the text that it was made of, word by word. */
#include "generator/prove/assembly_parts.h"
#include "generator/prove/translate_constants.h"
#include "generator/prove/translate_token.h"
#include "generator/reference/operation_values.h"
#include "targets/ascii.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

#define ROW(op, words, kinds) {FG_ASM_##op, words, kinds, false, FG_CALL_COUNT},
#define LINE(op, line, kinds) {FG_ASM_##op, line, kinds, true, FG_CALL_COUNT},
#define CALL(name, words, kinds) {FG_ASM_CALL, words, kinds, false, FG_CALL_##name},
#define CALL_LINE(name, line, kinds) {FG_ASM_CALL, line, kinds, true, FG_CALL_##name},
static const struct row {
  fg_proof_asm_op op;
  const char *words, *kinds;
  bool whole; /* the words are a whole line */
  fg_called call;
} rows[] = {
#include "generator/prove/assembly.def"
};
#undef ROW
#undef LINE
#undef CALL
#undef CALL_LINE
enum { ROWS = sizeof rows / sizeof *rows, MOST_LABELS = 1 << 20 };

typedef struct reader {
  fg_translator *t;
  fg_proof_asm_kernel *k;
  const char *at; /* within the assembly, as the text has it */
  int *label;     /* line of each; -1: none yet */
  int labels;
} reader;

static const char registers[] = "prqfdh", *const classes[] = {"pred", "b32", "b64", "f32", "f64", "b16"};

static bool refuse(fg_translator *t, const char *what, const char *at) {
  if (!t->failure) t->failure = fg_arena_printf(t->cx->arena, "assembly: %s: %.40s", what, at);
  return false;
}

/* ---- operands ----------------------------------------------------------------------------- */

static int64_t number(reader *r) {
  char *end;
  int64_t n = strtoll(r->at, &end, 10);
  r->at = end;
  return n;
}

static bool read_real(reader *r, fg_proof_asm_operand *x) {
  x->kind = r->at[1] == 'd' ? 'y' : 'x';
  int digits = x->kind == 'y' ? 16 : 8;
  char text[17] = "";
  for (int i = 0; i < digits && r->at[2 + i]; i++) text[i] = r->at[2 + i];
  r->at += 2 + strlen(text);
  uint64_t wide = strtoull(text, NULL, 16);
  uint32_t narrow = (uint32_t)wide;
  float single;
  double value;
  memcpy(&single, &narrow, sizeof single);
  memcpy(&value, &wide, sizeof value);
  if (x->kind == 'x') value = (double)single;
  x->real = value;
  const char *failure = r->t->failure, *at = r->t->at;
  x->foreign = !isfinite(value) || !fg_translate_constant_image(r->t, fabs(value), &x->image);
  if (x->foreign) r->t->failure = failure, r->t->at = at; /* it may be a divisor */
  if (value < 0) x->image = fg_gf_neg(r->t->field, x->image);
  return true;
}

static bool read_register(reader *r, fg_proof_asm_operand *x) {
  const char *class = strchr(registers, *r->at);
  x->kind = *r->at++;
  x->reg = (int32_t)number(r);
  return (x->reg >= 0 && x->reg < r->k->registers[class - registers]) || refuse(r->t, "a register", r->at);
}

static bool read_memory(reader *r, fg_proof_asm_operand *x) {
  r->at++;
  if ((*r->at != 'q' && *r->at != 'r') || !read_register(r, x)) return refuse(r->t, "an address", r->at);
  x->kind = x->kind == 'q' ? 'm' : 'l';
  if (*r->at == '+') { /* before a negative number, too: ptxas reads no other form */
    r->at++;
    x->number = number(r);
  }
  return *r->at++ == ']' || refuse(r->t, "an address", r->at);
}

static bool read_special(reader *r, fg_proof_asm_operand *x) {
  static const char *const words[] = {"%%tid.x", "%%ctaid.x"};
  for (int i = 0; i < 2; i++)
    if (!strncmp(r->at, words[i], strlen(words[i]))) {
      x->kind = "tc"[i];
      r->at += strlen(words[i]);
      return true;
    }
  r->at++;
  if (!fg_is_digit(*r->at)) return refuse(r->t, "a special register", r->at);
  x->kind = 'a', x->number = number(r);
  return true;
}

static bool read_operand(reader *r, fg_proof_asm_operand *x) {
  *x = (fg_proof_asm_operand){.reg = -1};
  if (*r->at == '[') return read_memory(r, x);
  if (*r->at == '%') return read_special(r, x);
  if (*r->at == '0' && (r->at[1] == 'f' || r->at[1] == 'd')) return read_real(r, x);
  if (*r->at == 'L') {
    x->kind = 'L', r->at++, x->number = number(r);
    return (x->number >= 0 && x->number < r->labels) || refuse(r->t, "a label", r->at);
  }
  if (*r->at && strchr(registers, *r->at)) return read_register(r, x);
  if (!fg_is_digit(*r->at) && *r->at != '-') return refuse(r->t, "an operand", r->at);
  x->kind = 'n', x->number = number(r);
  return true;
}

/* ---- lines ---------------------------------------------------------------------------------- */

static bool is_of(char kind, char wanted) {
  switch (wanted) {
  case 'i': return kind == 'r' || kind == 'n';
  case 'j': return kind == 'q' || kind == 'n';
  case 'u': return kind == 'f' || kind == 'x';
  case 'v': return kind == 'd' || kind == 'y';
  case 's': return kind == 't' || kind == 'c' || kind == 'a';
  default: return kind == wanted;
  }
}

static bool is_form(const struct row *row, const char *words, size_t length, const fg_proof_asm_line *line) {
  if (row->whole || strlen(row->words) != length || strncmp(row->words, words, length) != 0) return false;
  if (line->noperand != (int)strlen(row->kinds)) return false;
  for (int i = 0; i < line->noperand; i++)
    if (!is_of(line->x[i].kind, row->kinds[i])) return false;
  return true;
}

/* Between words, operands and at the end of a line: a space, a comma, brackets of pairs. */
static void skip(reader *r) { r->at += strspn(r->at, " ,{}"); }

static fg_proof_asm_line *new_line(reader *r) {
  fg_proof_asm_kernel *k = r->k;
  if (k->nline == k->room) {
    k->room = 2 * k->room + 256;
    k->line = fg_arena_more(r->t->cx->arena, k->line, k->nline, k->room);
  }
  k->line[k->nline] = (fg_proof_asm_line){.when = -1};
  return &k->line[k->nline++];
}

static bool read_condition(reader *r, fg_proof_asm_line *line) {
  if (*r->at != '@') return true;
  r->at++;
  line->unless = *r->at == '!';
  r->at += line->unless;
  fg_proof_asm_operand x;
  if (!read_operand(r, &x) || x.kind != 'p') return refuse(r->t, "a condition", r->at);
  line->when = x.reg;
  skip(r);
  return true;
}

/* What an access moves: the end of its words. */
static fg_proof_asm_moved moved_by(const struct row *row) {
  static const struct {
    const char *end;
    fg_proof_asm_moved moved;
  } all[] = {{"f32", FG_ASM_F32}, {"f64", FG_ASM_F64},  {"u8", FG_ASM_U8},
             {"s16", FG_ASM_I16}, {"u16", FG_ASM_HALF}, {"u32", FG_ASM_WORD}};
  bool access = !strncmp(row->words, "ld.", 3) || !strncmp(row->words, "st.", 3);
  size_t length = strlen(row->words);
  if (access && !strcmp(row->kinds, "mr") && !strcmp(row->words + length - 3, "u16")) return FG_ASM_I16;
  for (size_t i = 0; access && i < sizeof all / sizeof *all; i++)
    if (!strcmp(row->words + length - strlen(all[i].end), all[i].end)) return all[i].moved;
  return FG_ASM_NOTHING_MOVED;
}

/* Whether it computes with reals of the other length. */
static bool is_of_other_length(const reader *r, const fg_proof_asm_line *line) {
  char other = r->t->p->problem.compute == FG_F64 ? 'f' : 'd';
  bool any = false;
  for (int i = 0; i < line->noperand; i++) any = any || line->x[i].kind == other;
  return any && !line->moved && line->op != FG_ASM_OTHER_LENGTH && line->op != FG_ASM_MOVE_REAL &&
         !(line->op >= FG_ASM_FROM_U8 && line->op <= FG_ASM_TO_BF16);
}

/* A product with a power of two is a quotient: the other numbers are those that codelets have. */
static bool has_numbers(reader *r, fg_proof_asm_line *line, const char *begin) {
  for (int i = 0; i < line->noperand; i++) {
    fg_proof_asm_operand *x = &line->x[i];
    if (x->kind != 'x' && x->kind != 'y') continue;
    int power;
    bool divides = line->op == FG_ASM_DIVIDE && i == 2 && x->real > 0 && frexp(x->real, &power) == 0.5;
    if (divides)
      x->image = fg_operation_values_number(r->t->field, 1 / x->real);
    else if (x->foreign || line->op == FG_ASM_DIVIDE)
      return refuse(r->t, "a number that no codelet has", begin);
  }
  return true;
}

static bool take_row(reader *r, const struct row *row, fg_proof_asm_line *line) {
  line->op = row->op, line->call = row->call, line->moved = moved_by(row);
  line->operands = line->noperand - 1;
  for (int i = 0; i < line->noperand; i++) r->k->converts = r->k->converts || line->x[i].kind == 'h';
  r->k->converts = r->k->converts || line->moved == FG_ASM_U8 || line->moved == FG_ASM_I16;
  if (is_of_other_length(r, line)) return refuse(r->t, "numbers of another length", row->words);
  return has_numbers(r, line, row->words);
}

/* Behind a line of the text's own assembly that is this row's; NULL: it is another one. */
static const char *behind_whole(reader *r, const struct row *row, fg_proof_asm_line *line) {
  const char *from = r->at, *end = NULL;
  fg_proof_asm_operand x;
  unsigned seen = 0; /* operands: one may occur several times */
  line->noperand = (int)strlen(row->kinds);
  for (const char *w = row->words; *w; w++) {
    if (*w != '%') {
      if (*r->at++ != *w) return r->at = from, NULL;
      continue;
    }
    int i = *++w - '0';
    if (!read_operand(r, &x) || !is_of(x.kind, row->kinds[i])) return r->at = from, NULL;
    if (seen >> i & 1 && (x.kind != line->x[i].kind || x.reg != line->x[i].reg || x.real != line->x[i].real))
      return r->at = from, NULL;
    line->x[i] = x, seen |= 1U << i;
  }
  end = r->at, r->at = from;
  return end;
}

static bool read_whole(reader *r, fg_proof_asm_line *line, const char *begin) {
  for (int i = 0; i < ROWS; i++) {
    const char *end = rows[i].whole ? behind_whole(r, &rows[i], line) : NULL;
    if (!end) continue;
    r->at = end;
    return take_row(r, &rows[i], line);
  }
  return refuse(r->t, "a line that is not known", begin);
}

static bool read_instruction(reader *r) {
  fg_proof_asm_line *line = new_line(r);
  const char *begin = r->at;
  if (!read_condition(r, line)) return false;
  if (*r->at == '{') return read_whole(r, line, begin);
  const char *words = r->at;
  size_t length = strcspn(r->at, " ;\\\"");
  r->at += length;
  if (!strncmp(words, ".pragma", length)) r->at += strcspn(r->at, ";");
  for (skip(r); *r->at != ';'; skip(r)) {
    if (line->noperand == FG_ASM_OPERANDS) return refuse(r->t, "operands", begin);
    if (!read_operand(r, &line->x[line->noperand++])) return false;
  }
  for (int i = 0; i < ROWS; i++)
    if (is_form(&rows[i], words, length, line)) return r->at++, take_row(r, &rows[i], line);
  return refuse(r->t, "an instruction that is not known", begin);
}

static bool read_label(reader *r) {
  const char *begin = r->at++;
  int64_t n = number(r);
  if (*r->at++ != ':' || n < 0 || n >= r->labels || r->label[n] >= 0) return refuse(r->t, "a label", begin);
  r->label[n] = r->k->nline;
  return true;
}

/* ".reg .f32 f<12>;" */
static bool read_declaration(reader *r) {
  for (int c = 0; c < FG_ASM_CLASSES; c++) {
    const char *head = fg_arena_printf(r->t->cx->arena, ".reg .%s %c<", classes[c], registers[c]);
    if (strncmp(r->at, head, strlen(head)) != 0) continue;
    r->at += strlen(head);
    r->k->registers[c] = (int)number(r);
    return !strncmp(r->at, ">;", 2) ? (r->at += 2, true) : refuse(r->t, "a declaration", r->at);
  }
  return refuse(r->t, "a declaration", r->at);
}

/* ---- kernels --------------------------------------------------------------------------------- */

/* The next string of the text, behind its quotation mark; it ends with "\n". */
static bool open_string(reader *r) {
  fg_translator *t = r->t;
  if (!fg_translate_peek(t, "\"")) return false;
  r->at = t->at + 1;
  return true;
}

static bool close_string(reader *r) {
  if (strncmp(r->at, "\\n\"", 3) != 0) return refuse(r->t, "the end of a line", r->at);
  r->t->at = r->at + 3;
  return true;
}

static bool read_body(reader *r) {
  while (open_string(r) && *r->at != '}') {
    bool good = *r->at == 'L' ? read_label(r) : !strncmp(r->at, ".reg", 4) ? read_declaration(r) : read_instruction(r);
    if (!good || !close_string(r)) return false;
  }
  for (int i = 0; i < r->k->nline; i++) {
    fg_proof_asm_line *line = &r->k->line[i];
    if (line->op != FG_ASM_BRANCH) continue;
    line->x[0].number = r->label[line->x[0].number];
    if (line->x[0].number < 0) return refuse(r->t, "a label that is nowhere", "bra");
  }
  fg_translate_expect(r->t, "\"}\"");
  return !r->t->failure;
}

/* The number of a parameter of the kernel's head. */
static int parameter_named(const char *head, const char *end, const char *word, size_t length) {
  int n = 0;
  for (const char *at = head; at < end; at++) {
    if (*at != ',' && *at != ')') continue;
    if ((size_t)(at - head) > length && !strncmp(at - length, word, length) && !fg_is_alnum(at[-(long)length - 1]) &&
        at[-(long)length - 1] != '_')
      return n;
    n++;
  }
  return -1;
}

static bool read_given(reader *r, const char *head, const char *end) {
  static const char shared[] = "(unsigned)__cvta_generic_to_shared(fftgen_local)";
  fg_translator *t = r->t;
  fg_translate_expect(t, "::");
  do {
    bool wide = fg_translate_accept(t, "\"l\"");
    if (!wide) fg_translate_expect(t, "\"r\"");
    fg_translate_expect(t, "(");
    fg_translate_skip_space(t);
    if (r->k->ngiven == FG_ASM_MOST_GIVEN) return refuse(t, "operands", t->at);
    int *to = &r->k->given[r->k->ngiven++];
    bool is_shared = !strncmp(t->at, shared, strlen(shared));
    size_t length = is_shared ? strlen(shared) : fg_translate_word(t);
    *to = is_shared ? -1 : parameter_named(head, end, t->at, length);
    if ((!is_shared && *to < 0) || (is_shared && wide)) return refuse(t, "an operand", t->at);
    t->at += length;
    fg_translate_expect(t, ")");
  } while (!t->failure && fg_translate_accept(t, ","));
  fg_translate_expect(t, ":"), fg_translate_expect(t, "\"memory\""), fg_translate_expect(t, ")");
  fg_translate_expect(t, ";"), fg_translate_expect(t, "}");
  return !t->failure;
}

/* The head of the kernel, up to its bracket, which the text that was proved has, too; its parameters. */
static const char *read_head(fg_translator *t, const fg_artifact *c, const char *entry) {
  const char *head = t->at, *end = strchr(head, '{');
  if (!end) return refuse(t, "no kernel", head), NULL;
  size_t length = (size_t)(end - head);
  const char *text = fg_arena_printf(t->cx->arena, "%.*s", (int)length, head);
  const char *named = strstr(text, fg_arena_printf(t->cx->arena, " %s(", entry));
  const char *original = strstr(c->source, text);
  if (!named || !original || original[length] != '{') return refuse(t, "another kernel", head), NULL;
  t->at = end + 1;
  return head + (named - text) + strlen(entry) + 2;
}

/* One more than the largest number of a label, up to the assembly's end. */
static int labels_of(const char *text) {
  const char *end = strstr(text, "\"}\"");
  int most = 0;
  for (const char *at = text; end && at < end; at++)
    if (*at == 'L' && fg_is_digit(at[1]) && atoi(at + 1) >= most && atoi(at + 1) < MOST_LABELS) most = atoi(at + 1) + 1;
  return most;
}

static bool read_kernel(fg_translator *t, const fg_artifact *c, const char *entry, fg_proof_asm_kernel *k) {
  fg_translate_skip_space(t);
  const char *head = read_head(t, c, entry), *end = t->at;
  if (!head) return false;
  reader r = {.t = t, .k = k, .labels = labels_of(t->at)};
  r.label = fg_arena_raw(t->cx->arena, sizeof *r.label * (size_t)r.labels);
  for (int i = 0; i < r.labels; i++) r.label[i] = -1;
  static const char begin[] = "extern __shared__ double2 fftgen_local[];\n  asm volatile(\"{\\n\"";
  fg_translate_skip_space(t);
  if (strncmp(t->at, begin, strlen(begin)) != 0) return refuse(t, "no body", t->at);
  t->at += strlen(begin);
  return read_body(&r) && read_given(&r, head, end);
}

bool fg_proof_asm_read(fg_translator *t, const char *text, fg_proof_asm *out) {
  out->c = t->c;
  out->kernel = fg_arena_new(t->cx->arena, fg_proof_asm_kernel, t->c->nlaunch + 1);
  t->at = text, t->end = text + strlen(text), t->spaced = NULL;
  for (int i = 0; i < t->c->nlaunch; i++)
    if (!read_kernel(t, t->c, t->c->launch[i].entry, &out->kernel[i])) return false;
  fg_translate_skip_space(t);
  return t->at == t->end || refuse(t, "more text", t->at);
}
