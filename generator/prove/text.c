/* The proof of the emitted text. In: a program. Out: whether the text that is emitted for it computes its problem.
 *
 * The idea: the prime-field dialect writes the same text with fg_add and others in place of floating point. tcc
 * compiles it against functions of this room, it runs on random elements, and its outputs must be those of the
 * reference transform (text_call.c). The literals of the floating-point text are read back separately (literals.c).
 * Delivered C is itself parsed and translated to a field, in place of the dialect's text (translate.c). Programs that
 * become instructions are interpreted instead (run_instructions.c), which also checks every address. */
#include "generator/ir/serialize.h"
#include "generator/ir/walk.h"
#include "generator/print/emit.h"
#include "generator/problem/shape.h"
#include "generator/prove/assembly_parts.h"
#include "generator/prove/contexts.h"
#include "generator/prove/guard.h"
#include "generator/prove/literals.h"
#include "generator/prove/prove_parts.h"
#include "generator/prove/translate.h"
#include "generator/reference/definition.h"
#include "generator/reference/operation_values.h"
#include "targets/tcc.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- what the text calls --------------------------------------------------------------- */

#define OUTSIDE FG_TEXT_OUTSIDE

static _Thread_local const fg_field *current;
static _Thread_local uint64_t seen; /* bits of all operands: a factor of zero hides no read from outside */

static unsigned long long add(unsigned long long a, unsigned long long b) {
  return seen |= a | b, fg_gf_add(current, a, b);
}
static unsigned long long sub(unsigned long long a, unsigned long long b) {
  return seen |= a | b, fg_gf_sub(current, a, b);
}
static unsigned long long mul(unsigned long long a, unsigned long long b) {
  return seen |= a | b, fg_gf_mul(current, a, b);
}
static unsigned long long neg(unsigned long long a) { return seen |= a, fg_gf_neg(current, a); }
/* Functions of operations, with one operand and two. */
#define CALL_1(NAME)                                                                                                   \
  static unsigned long long call_##NAME(unsigned long long a) {                                                        \
    return seen |= a, fg_operation_values_call(current, FG_CALL_##NAME, a, 0);                                         \
  }
#define CALL_2(NAME)                                                                                                   \
  static unsigned long long call_##NAME(unsigned long long a, unsigned long long b) {                                  \
    return seen |= a | b, fg_operation_values_call(current, FG_CALL_##NAME, a, b);                                     \
  }
#define CALL(NAME, name, operands, meaning) CALL_##operands(NAME)
#include "targets/forms/calls.def"
#undef CALL

void fg_proof_text_begin(const fg_field *f) { current = f, seen = 0; }
bool fg_proof_text_strayed(void) { return seen & OUTSIDE; }

enum { OPERATIONS = 6 + FG_CALL_COUNT, MORE_SYMBOLS = FG_MAX_BUFFERS + FG_CONTEXT_SYMBOLS + 2 };

/* table: further symbols; NULL: none. */
static int compile(const fg_artifact *a, const fg_tcc_symbol *table, fg_tcc_code **code, char why[FG_WHY_SIZE]) {
  fg_tcc_symbol symbols[OPERATIONS + MORE_SYMBOLS] = {
      {"fg_add", fg_tcc_address((void (*)(void))add)},
      {"fg_sub", fg_tcc_address((void (*)(void))sub)},
      {"fg_mul", fg_tcc_address((void (*)(void))mul)},
      {"fg_neg", fg_tcc_address((void (*)(void))neg)},
#define CALL(NAME, name, operands, meaning) {"fg_" name, fg_tcc_address((void (*)(void))call_##NAME)},
#include "targets/forms/calls.def"
#undef CALL
      {"fg_begins", fg_tcc_address((void (*)(void))fg_proof_text_begins)},
      {"fg_leaves_out", fg_tcc_address((void (*)(void))fg_proof_text_leaves_out)}};
  for (int i = 0; table && table[i].name; i++) symbols[OPERATIONS + i] = table[i];
  return fg_tcc_compile(a->source, symbols, code, why);
}

typedef struct running {
  fg_context *cx;
  const fg_proof_text *text;
  fg_tcc_code *code;
  fg_text_proof *out;
  fg_status status;
} running;

static void run_code(void *data) {
  running *r = data;
  fg_proof_text_functions run = {NULL, NULL, NULL};
  char name[256];
  void *block = r->text->assembly ? fg_tcc_find(r->code, "fg_run_block") : NULL;
  memcpy(&run.block, &block, sizeof run.block);
  snprintf(name, sizeof name, "%s_part_entry", r->text->artifact->name);
  void *part = fg_tcc_find(r->code, name);
  memcpy(&run.part, &part, sizeof run.part);
  snprintf(name, sizeof name, "%s_entry", r->text->artifact->name);
  void *address = fg_tcc_find(r->code, name);
  memcpy(&run.whole, &address, sizeof run.whole);
  if (address && !part == !r->text->artifact->nstep)
    r->status = fg_proof_text_settings(r->cx, r->text, &run, r->out);
  else
    snprintf(r->out->failure, sizeof r->out->failure, "text: no function %.200s", name);
}

fg_status fg_proof_text_run(fg_context *cx, const fg_proof_text *of, fg_text_proof *out) {
  fg_proof_text own = *of, *text = &own;
  running r = {.cx = cx, .text = text, .out = out};
  char why[FG_WHY_SIZE] = "";
  fg_tcc_symbol table[MORE_SYMBOLS] = {{NULL, NULL}};
  if (text->artifact->instructions)
    return fg_proof_text_settings(cx, text, &(fg_proof_text_functions){NULL, NULL, NULL}, out);
  fg_status status = text->translation ? fg_proof_text_given(cx, text, table, out) : FG_OK;
  if (status != FG_OK || out->failure[0]) return status;
  if (compile(text->artifact, table, &r.code, why)) {
    fg_contexts_end(text->contexts);
    if (strstr(why, "memory")) return fg_diag_set(&cx->diag, FG_ESYS, "tcc, for the proof of the text: %s", why);
    snprintf(out->failure, sizeof out->failure, "text: does not compile: %.200s", why);
    return FG_OK;
  }
  bool done = fg_arena_run(cx->arena, run_code, &r);
  bool within = !text->shared || fg_guard_holds(text->shared, text->translation->shared, FG_GUARD_SHARED);
  if (!within && !out->failure[0])
    snprintf(out->failure, sizeof out->failure, "text: a store beyond a block's shared memory");
  fg_contexts_end(text->contexts);
  fg_tcc_free(r.code);
  return done ? r.status : FG_ENOMEM;
}

/* ---- the whole ------------------------------------------------------------------------------ */

static fg_status emit_as(fg_context *cx, const fg_program *p, const char *dialect, const fg_isa *isa,
                         const fg_field *field, fg_text_map *map, fg_artifact *out) {
  fg_emit_options options = {.dialect = fg_dialect_find(dialect), .isa = isa, .field = field, .map = map};
  fg_emitted emitted;
  if (!options.dialect) return FG_ENA;
  options.entry = field || options.dialect->is_code; /* instructions are compared one by one */
  fg_status status = fg_emit(cx, p, &options, &emitted);
  if (status == FG_OK) *out = emitted.artifact;
  return status;
}

typedef struct form { /* what is proved: the dialect over a field, and that of numbers */
  const char *field, *numbers;
  const fg_isa *isa;
  const fg_text_options *o;
} form;

/* Numbers of a workspace in the room of one that is computed with, if they are shorter. */
static size_t shorter(const fg_program *p, const fg_arg_buffer *b) {
  int most = 1, real = fg_precision_bytes(p->problem.compute);
  for (int k = 0; b->kind == FG_ARG_WORK && k < p->nbuffer; k++) {
    const fg_buffer *own = &p->buffer[fg_buffer_root(p, k)];
    int n = real / fg_precision_bytes(p->buffer[k].precision);
    if (own->space == FG_SPACE_WORK && !strcmp(own->name, b->name) && n > most) most = n;
  }
  return (size_t)most;
}

/* Memory of a text in numbers, as memory of elements of the field. */
static void widen(const fg_program *p, fg_artifact *a) {
  size_t real = (size_t)fg_precision_bytes(p->problem.compute), wide = sizeof(fg_gf);
  a->part_bytes = a->part_bytes / real * wide;
  for (int i = 0; i < a->nbuffer; i++) {
    fg_arg_buffer *b = &a->buffer[i];
    if (b->kind == FG_ARG_WORK || b->kind == FG_ARG_TABLE)
      b->bytes = (b->bytes + real - 1) / real * wide * shorter(p, b);
    for (int k = 0; b->kind == FG_ARG_GIVEN && k < p->nbuffer; k++)
      if (p->buffer[k].space == FG_SPACE_GIVEN && p->buffer[k].alias < 0 && !strcmp(p->buffer[k].name, b->name))
        b->bytes = (size_t)p->buffer[k].size * (size_t)fg_buffer_parts(&p->buffer[k]) * wide;
  }
}

/* The text, or the instructions, over the field. */
static fg_status translate(fg_context *cx, fg_proof_text *text, const fg_artifact *like, fg_artifact *translated,
                           fg_translation *translation) {
  fg_translate_request of = {text->p, translated, text->field, text->map, like, text->launched};
  fg_status status = translated->instructions
                         ? fg_translate_instructions(cx, &of, translation, &translated->instructions)
                         : fg_translate(cx, &of, translation);
  if (!translated->instructions) translated->source = translation->source, text->translation = translation;
  widen(text->p, translated);
  text->artifact = translated;
  return status;
}

/* Whether the text that was read has run whole for some settings alone: the field's form has samples of the others. */
static bool leaves_some(const fg_program *p, const fg_text_options *o, const fg_text_proof *out) {
  return out->left && !out->failure[0] && fg_translate_needs_contexts(p, o->emitted);
}

/* Whether one transform is so long that of instructions samples are run. */
static bool is_long(const fg_program *p, const fg_text_options *o) {
  return (o->sample || fg_problem_points(&p->problem) > FG_TEXT_CODE_RUN) && !p->problem.summed;
}

/* The delivered text itself. FG_ENA: a number of it may be either of two of the program's, and `like`, the same
 * through the field's dialect, is needed, which is NULL yet. */
static fg_status prove_translation(fg_context *cx, const fg_proof_text *of, const fg_artifact *like,
                                   const fg_text_options *o, bool first, fg_text_proof *out) {
  fg_text_proof before = *out;
  const fg_artifact *emitted = o->emitted;
  fg_artifact translated = *emitted;
  fg_translation translation;
  fg_proof_text text = *of;
  bool contexts = fg_translate_needs_contexts(of->p, emitted); /* these run whole alone */
  bool marked = emitted->instructions && is_long(of->p, o);
  text.map = contexts || (emitted->instructions && !marked) ? NULL : o->map;
  fg_status status = translate(cx, &text, like, &translated, &translation);
  if (status != FG_OK) return status;
  if (translation.failure)
    return snprintf(out->failure, sizeof out->failure, "text: %.200s", translation.failure), FG_OK;
  out->literals += translation.literals;
  status = fg_proof_text_run(cx, &text, out);
  out->read = out->runs;
  if (status == FG_OK && out->failure[0] && translation.is_ambiguous && !like) return *out = before, FG_ENA;
  if (status != FG_OK || out->failure[0] || !first || leaves_some(of->p, o, out)) return status;
  return fg_proof_text_tables(cx, &text, emitted, out);
}

/* Delivered C and instructions are read themselves. */
static bool is_translated(const fg_program *p, const fg_text_options *o) {
  return o->emitted && fg_translate_is_possible(p, o->emitted);
}

/* Blocks of the text beside its assembly. */
static fg_status prove_assembly(fg_context *cx, const fg_proof_text *of, const fg_text_options *o, fg_text_proof *out) {
  fg_proof_asm assembly;
  fg_artifact translated = *o->emitted;
  fg_translation translation;
  fg_proof_text text = *of;
  text.artifact = o->emitted, text.map = o->map;
  bool read = fg_proof_asm_open(cx, &text, o->assembly, &translation, &assembly);
  fg_status status = read ? translate(cx, &text, NULL, &translated, &translation) : FG_OK;
  if (status != FG_OK) return status;
  if (translation.failure)
    return snprintf(out->failure, sizeof out->failure, "text: %.200s", translation.failure), FG_OK;
  translated.source = fg_arena_printf(cx->arena, "%s%s", translated.source, fg_proof_asm_blocks(cx, o->emitted));
  text.assembly = &assembly;
  return fg_proof_text_run(cx, &text, out);
}

static fg_status prove_over(fg_context *cx, const fg_program *p, const form *form, const fg_proof_text *of, bool first,
                            fg_text_proof *out) {
  fg_artifact gf, numbers;
  fg_proof_text text = *of;
  if (form->o->assembly) return prove_assembly(cx, of, form->o, out);
  bool translated = is_translated(p, form->o);
  if (translated && form->o->emitted->instructions && is_long(p, form->o)) {
    fg_text_map *marks = fg_arena_new(cx->arena, fg_text_map, 1);
    fg_status made = emit_as(cx, p, form->field, form->isa, text.field, marks, &gf);
    return made == FG_OK ? prove_translation(cx, of, &gf, form->o, first, out) : made;
  }
  fg_status status = translated ? prove_translation(cx, of, NULL, form->o, first, out) : FG_ENA;
  if (status != FG_ENA && !(status == FG_OK && translated && leaves_some(p, form->o, out))) return status;
  bool ambiguous = translated && status == FG_ENA && !out->left;
  fg_text_map *map = strcmp(form->numbers, "code") != 0 ? fg_arena_new(cx->arena, fg_text_map, 1) : NULL;
  status = emit_as(cx, p, form->field, form->isa, text.field, map, &gf); /* of instructions without marks */
  if (status != FG_OK) return status;
  if (ambiguous) status = prove_translation(cx, of, &gf, form->o, first, out);
  if (ambiguous && !(status == FG_OK && leaves_some(p, form->o, out))) return status;
  text.artifact = &gf;
  text.map = map;
  status = fg_proof_text_run(cx, &text, out);
  if (status == FG_ENA && out->read) status = FG_OK;
  if (status != FG_OK || out->failure[0] || !first) return status;
  if (form->o->emitted)
    numbers = *form->o->emitted;
  else
    status = emit_as(cx, p, form->numbers, form->isa, NULL, NULL, &numbers);
  if (status != FG_OK) return status;
  return gf.instructions ? fg_prove_code_literals(cx, &text, &numbers, out)
                         : fg_proof_text_literals(cx, &text, &numbers, out);
}

static fg_status prove_form(fg_context *cx, const fg_program *launched, const form *form, fg_text_proof *out) {
  *out = (fg_text_proof){0};
  const fg_program *p = fg_serialize_blocks(cx, launched); /* the text runs in one thread */
  uint64_t order = fg_program_order(p), state = ~form->o->seed;
  if (fg_prove_not_walked(&p->problem)) return FG_ENA;
  bool sampled = order && fg_integer_lcm(order, fg_definition_order(&p->problem)) != order;
  for (int i = 0; i < form->o->primes && !out->failure[0]; i++) {
    fg_field field;
    fg_status status = fg_prove_field(cx, p, fg_random(&state), &field);
    fg_proof_text text = {.p = p,
                          .launched = launched,
                          .field = &field,
                          .seed = fg_random(&state),
                          .one_prime = form->o->primes == 1,
                          .by_samples = sampled,
                          .sample = form->o->sample};
    if (status == FG_OK) status = prove_over(cx, p, form, &text, i == 0, out);
    if (status != FG_OK) return status;
  }
  out->proved = !out->failure[0];
  return FG_OK;
}

static void say_walked(const char *what, int primes, fg_text_proof *out) {
  char sampled[96] = "";
  if (out->all_iterations)
    snprintf(sampled, sizeof sampled, " of samples (%lld of %lld iterations)", (long long)out->iterations,
             (long long)out->all_iterations);
  snprintf(out->walked, sizeof out->walked, "%s of %d prime%s, %lld runs%s, %lld outputs, %lld literals", what, primes,
           primes == 1 ? "" : "s", (long long)out->runs, sampled, (long long)out->outputs, (long long)out->literals);
}

fg_status fg_prove_text(fg_context *cx, const fg_program *p, const fg_isa *isa, const fg_text_options *o,
                        fg_text_proof *out) {
  fg_status status = prove_form(cx, p, &(form){"gf", "c", isa, o}, out);
  if (status == FG_OK) say_walked("text", o->primes, out);
  return status;
}

fg_status fg_prove_code(fg_context *cx, const fg_program *p, const fg_isa *isa, const fg_text_options *o,
                        fg_text_proof *out) {
  fg_status status = prove_form(cx, p, &(form){"code-gf", "code", isa, o}, out);
  if (status == FG_OK) say_walked("instructions", o->primes, out);
  return status;
}
