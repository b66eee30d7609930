/* Delivered instructions, translated to a field. In: instructions with numbers. Out: the same list, with a field
 * element for each number, and with the marks by which iterations are left out.
 *
 * The idea: a number becomes the field element of the constant that rounds to it, or of an integer, as in a text.
 * The rest of an instruction has no number and is unchanged. If two constants round to a number, the list of the
 * field's dialect has the right one at the same position. It has marks, too, where the program's loops and stages
 * begin: the delivered list gets them at the same positions. */
#include "generator/prove/text.h"
#include "generator/prove/translate_constants.h"
#include "generator/prove/translate_token.h"
#include "generator/reference/operation_values.h"
#include <math.h>

/* What has been said of a number before. */
static bool is_scale(const fg_translator *t, double x) {
  fg_system reals = {.field = NULL};
  fg_quad exact = fg_operation_values_scale(&reals, &t->p->problem).quad.re;
  return t->p->problem.scale != FG_SCALE_NONE && fg_translate_is_rounded(t, exact < 0 ? -exact : exact, fabs(x));
}

bool fg_translate_constant_image(fg_translator *t, double x, fg_gf *out) {
  fg_gf image = 0, factor = 0;
  bool scale = is_scale(t, x);
  if (scale) {
    fg_system field = {.field = t->field}, reals = {.field = NULL};
    factor = fg_operation_values_scale(&field, &t->p->problem).gf.re;
    if (fg_operation_values_scale(&reals, &t->p->problem).quad.re < 0) factor = fg_gf_neg(t->field, factor);
  }
  if (scale && t->hinted && factor == t->hint) return *out = factor, true;
  bool constant = fg_translate_image(t, x, &image);
  if (!scale && !constant) return fg_translate_fail(t, "a number that no codelet has");
  if (scale && constant && factor != image) t->translation->is_ambiguous = t->translation->is_ambiguous || !t->hinted;
  return *out = constant && (t->hinted || !scale) ? image : factor, true;
}

static void translate_number(fg_translator *t, fg_instr *x, const fg_instr *like) {
  bool negative = x->imm.real < 0;
  t->hinted = like && like->op == FG_CODE_NUMBER;
  if (t->hinted) t->hint = negative ? fg_gf_neg(t->field, like->imm.image) : like->imm.image;
  fg_gf image = 0;
  fg_translate_constant_image(t, fabs(x->imm.real), &image);
  x->imm.image = negative ? fg_gf_neg(t->field, image) : image;
}

static bool is_mark(const fg_instr *i) { return i->op == FG_CODE_ASK || i->op == FG_CODE_STAGE; }

/* The field's list without its marks. NULL: it has another length. */
static const fg_instr **unmarked(fg_context *cx, const fg_instructions *like, int32_t count) {
  const fg_instr **at = fg_arena_new(cx->arena, const fg_instr *, like->count + 1);
  int32_t found = 0;
  for (int32_t i = 0; i < like->count; i++)
    if (!is_mark(&like->instr[i])) at[found++] = &like->instr[i];
  return found == count ? at : NULL;
}

static int32_t moved(const int32_t *place, int32_t count, int32_t value) {
  return value >= 0 && value < count ? place[value] : value;
}

/* Behind marks numbers are others. MEMORY and TABLE have numbers of arrays. */
static void move_operands(fg_instructions *code, int32_t count, const int32_t *place) {
  for (int32_t i = 0; i < code->count; i++) {
    fg_instr *x = &code->instr[i];
    if (is_mark(x) || x->op == FG_CODE_MEMORY || x->op == FG_CODE_TABLE) continue;
    x->a = moved(place, count, x->a), x->b = moved(place, count, x->b), x->c = moved(place, count, x->c);
    for (int k = 0; k < fg_code_listed(x); k++) code->list[x->list + k] = moved(place, count, code->list[x->list + k]);
  }
}

/* The marks of the field's list, which is as long without them. */
static void mark(fg_context *cx, fg_instructions *code, const fg_instructions *like) {
  int32_t count = code->count, from = 0, *place = fg_arena_new(cx->arena, int32_t, count + 1);
  fg_instr *instr = fg_arena_new(cx->arena, fg_instr, like->count + 1);
  for (int32_t i = 0; i < like->count; i++) {
    if (!is_mark(&like->instr[i])) place[from] = i;
    instr[i] = is_mark(&like->instr[i]) ? like->instr[i] : code->instr[from++];
  }
  if (code->nlist) code->list = fg_arena_copy(cx->arena, code->list, sizeof *code->list * (size_t)code->nlist);
  code->instr = instr, code->count = like->count;
  move_operands(code, count, place);
}

static void widen_tables(fg_translator *t, fg_instructions *code) {
  fg_code_table *table = fg_arena_copy(t->cx->arena, code->table, sizeof *table * (size_t)(code->ntable + 1));
  for (int i = 0; i < code->ntable; i++) {
    int number = fg_proof_text_table(t->p, table[i].name);
    if (number >= 0 && fg_table_is_index(&t->p->table[number])) continue;
    table[i].bytes = table[i].bytes / (size_t)code->real_bytes * sizeof(fg_gf);
    table[i].content = NULL;
  }
  code->table = table;
}

fg_status fg_translate_instructions(fg_context *cx, const fg_translate_request *of, fg_translation *out,
                                    const fg_instructions **list) {
  fg_translator t = {.cx = cx, .p = of->p, .c = of->c, .field = of->field, .at = "", .end = "", .translation = out};
  const fg_instructions *numbers = of->c->instructions, *like = of->like ? of->like->instructions : NULL;
  const fg_instr **twin = like ? unmarked(cx, like, numbers->count) : NULL;
  fg_instructions *code = fg_arena_copy(cx->arena, numbers, sizeof *code);
  *out = (fg_translation){0};
  fg_translate_constants(&t);
  code->instr = fg_arena_copy(cx->arena, code->instr, sizeof *code->instr * (size_t)code->count);
  for (int32_t i = 0; i < code->count; i++) {
    fg_instr *x = &code->instr[i];
    if (x->op == FG_CODE_NUMBER) translate_number(&t, x, twin ? twin[i] : NULL);
  }
  if (like && !twin && of->map) fg_translate_fail(&t, "field and numbers differ in the count of instructions");
  if (twin) mark(cx, code, like);
  widen_tables(&t, code);
  code->field = true;
  code->real_bytes = sizeof(fg_gf);
  out->failure = t.failure;
  *list = code;
  return FG_OK;
}
