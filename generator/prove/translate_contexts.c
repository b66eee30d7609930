/* Kernels whose blocks communicate, or with barriers in loops, translated to a field: clusters, queues, bulk copies.
 * In: their text. Out: C in which a function does the work of one thread, for contexts.c.
 *
 * The idea: the text keeps its structure. Thread and block numbers are variables, and the language's barriers,
 * accesses to other blocks' memory, counters and copies become calls; a row says which, and with which arguments. */
#include "generator/prove/translate_contexts.h"
#include "generator/prove/translate_token.h"
#include "targets/forms/matrix.h"
#include "targets/machine/simt.h"
#include <string.h>

/* A second dimension of the batch, counted at run time, is a loop around all stages. */
static bool loops_around(const fg_kernel *k) {
  for (int i = 0; i < k->nouter; i++)
    if (k->digit[k->outer[i]].role == FG_ROLE_HOST) return true;
  return false;
}

bool fg_translate_needs_contexts(const fg_program *p, const fg_artifact *c) {
  bool needs = false;
  for (int i = 0; i < c->nlaunch; i++)
    needs = needs || c->launch[i].cluster > 1 || c->launch[i].persistent || c->launch[i].bulk || c->launch[i].registers;
  for (int i = 0; i < p->nkernel && c->nlaunch; i++) needs = needs || loops_around(p->kernel[i]);
  return needs;
}

int64_t fg_translate_context_numbers(const fg_translator *t) {
  size_t most = 0, real = (size_t)fg_precision_bytes(t->p->problem.compute);
  for (int i = 0; i < t->c->nlaunch; i++)
    if (t->c->launch[i].local_bytes > most) most = t->c->launch[i].local_bytes;
  return (int64_t)((most + real - 1) / real) * fg_translate_shortest(t->p);
}

/* ---- calls ----------------------------------------------------------------------------------- */

static const struct {
  const char *name, *function;
  const char *takes; /* i: a whole number; p: a pointer; x: a number; w: a pair in a word */
  char gives;        /* i; x; p: what its first argument is; v: nothing */
} words[] = {
    {"fftgen_from_lane", "fg_from_lane", "xi", 'x'},
    {"fftgen_cluster_arrive", "fg_cluster_arrive", "", 'v'},
    {"fftgen_cluster_wait", "fg_cluster_wait", "", 'v'},
    {"fftgen_map_shared", "fg_map_shared", "pi", 'i'},
    {"fftgen_is_own", "fg_is_own", "i", 'i'},
    {"fftgen_send", "fg_send_pair", "ixxii", 'v'},
    {"fftgen_send", "fg_send_word", "iwii", 'v'}, /* by its second argument */
    {"fftgen_mbarrier_init", "fg_mbarrier_init", "pi", 'v'},
    {"fftgen_mbarrier_expect", "fg_mbarrier_expect", "pi", 'v'},
    {"fftgen_mbarrier_wait", "fg_mbarrier_wait", "pi", 'v'},
    {"fftgen_counter_wait", "fg_counter_wait", "pi", 'v'},
    {"fftgen_counter_reached", "fg_counter_reached", "pi", 'i'},
    {"fftgen_counter_add", "fg_counter_add", "p", 'v'},
    {"atomicAdd", "fg_counter_take", "pi", 'i'},
    {"fftgen_opaque_zero", "fg_opaque_zero", "", 'i'},
    {"fftgen_async_fence", "fg_async_fence", "", 'v'},
    {"fftgen_bulk_init", "fg_bulk_init", "p", 'v'},
    {"fftgen_bulk_invalidate", "fg_bulk_invalidate", "p", 'v'},
    {"fftgen_bulk_destination", "fg_bulk_destination", "pp", 'p'},
    {"fftgen_bulk_load", "fg_bulk_load", "ppiiip", 'v'},
    {"fftgen_ask_l2", "fg_ask_l2", "pi", 'v'},
    {"fftgen_bulk_wait", "fg_bulk_wait", "pi", 'v'},
    {"fftgen_bulk_store", "fg_bulk_store", "ppiii", 'v'},
    {"fftgen_bulk_drain", "fg_bulk_drain", "", 'v'},
};
enum { ROWS = sizeof words / sizeof *words };

static fg_translate_type type_of(char letter, fg_translate_type first) {
  switch (letter) {
  case 'i': return (fg_translate_type){.kind = FG_C_INDEX, .lanes = 8};
  case 'x': return (fg_translate_type){.kind = FG_C_REAL};
  case 'w': return (fg_translate_type){.kind = FG_C_PAIR, .lanes = 2};
  case 'p': return first;
  default: return (fg_translate_type){.kind = FG_C_VOID};
  }
}

/* A pair's numbers are two arguments. */
static void add_argument(fg_translator *t, fg_strbuf *s, fg_translate_value x, char letter) {
  const char *text =
      fg_translate_convert(t, x, type_of(letter, (fg_translate_type){.kind = FG_C_POINTER, .to = FG_C_VOID}));
  if (s->length) fg_strbuf_add(s, ", ");
  fg_strbuf_addf(s, letter == 'w' ? "%s.v[0], %s.v[1]" : "%s", text, text);
}

/* "fftgen_mma_SHAPE(a, b, c)", of fragments. */
static bool multiplies(fg_translator *t, const char *word, size_t length, fg_translate_value *out) {
  static const char begin[] = "fftgen_mma_";
  const char *name = word + strlen(begin), *text[FG_MATRIX_OPERANDS];
  int shape = 0, lanes = 0;
  if (length <= strlen(begin) || strncmp(word, begin, strlen(begin)) != 0) return false;
  length -= strlen(begin);
  while (shape < FG_MATRIX_COUNT && (strlen(fg_matrix_find((fg_matrix)shape)->name) != length ||
                                     strncmp(fg_matrix_find((fg_matrix)shape)->name, name, length) != 0))
    shape++;
  if (shape == FG_MATRIX_COUNT) return false;
  fg_translate_expect(t, "(");
  for (int of = 0; of < FG_MATRIX_OPERANDS; of++) {
    if (of) fg_translate_expect(t, ",");
    fg_translate_value x = fg_translate_list_item(t);
    lanes = fg_matrix_elements(fg_matrix_find((fg_matrix)shape), (fg_matrix_operand)of);
    if (x.type.kind != FG_C_VECTOR || x.type.lanes != lanes) fg_translate_fail(t, "a fragment of another shape");
    text[of] = x.text;
  }
  fg_translate_expect(t, ")");
  out->type = (fg_translate_type){.kind = FG_C_VECTOR, .lanes = lanes};
  out->text = fg_arena_printf(t->cx->arena, "(*(%s *)fg_matrix_product(%d, %s.v, %s.v, %s.v))",
                              fg_translate_type_text(t, out->type), shape, text[0], text[1], text[2]);
  return true;
}

bool fg_translate_context_call(fg_translator *t, const char *word, size_t length, fg_translate_value *out) {
  fg_translate_type first = {.kind = FG_C_VOID};
  int row = 0;
  *out = (fg_translate_value){.text = ""};
  if (multiplies(t, word, length, out)) return true;
  while (row < ROWS && (strlen(words[row].name) != length || strncmp(words[row].name, word, length) != 0)) row++;
  if (row == ROWS) return false;
  fg_strbuf s = fg_strbuf_new(t->cx->arena);
  fg_translate_expect(t, "(");
  for (int i = 0; words[row].takes[i]; i++) {
    if (i) fg_translate_expect(t, ",");
    fg_translate_value x = fg_translate_list_item(t);
    if (!i) first = x.type;
    row += words[row].takes[i] == 'x' && x.type.kind == FG_C_PAIR;
    add_argument(t, &s, x, words[row].takes[i]);
  }
  fg_translate_expect(t, ")");
  *out = (fg_translate_value){.type = type_of(words[row].gives, first),
                              .text = fg_arena_printf(t->cx->arena, "%s(%s)", words[row].function, s.text)};
  return true;
}

/* ---- statements --------------------------------------------------------------------------------- */

/* Waits for loads, which are complete here. */
static bool orders_loads(fg_translator *t) {
  if (!fg_translate_accept(t, "fftgen_wait_loads") && !fg_translate_accept(t, "fftgen_fence_loads")) return false;
  fg_translate_expect(t, "(");
  fg_translate_skip_brackets(t, '(', ')');
  return true;
}

/* What says something to the device: that a line has no value any more; or to the compiler alone. */
static bool says_in_assembly(fg_translator *t) {
  static const char drops[] = "\"discard.global.L2 [%0], 128;\" ::\"l\"", nothing[] = "\"\" : \"+l\"";
  if (!fg_translate_accept(t, "asm")) return false;
  fg_translate_expect(t, "volatile");
  fg_translate_expect(t, "(");
  if (!strncmp(t->at, drops, strlen(drops))) {
    t->at += strlen(drops);
    fg_translate_expect(t, "(");
    fg_translate_value line = fg_translate_expression(t);
    fg_translate_expect(t, ")");
    bool numbers = line.type.kind == FG_C_POINTER && line.type.to == FG_C_REAL && line.type.lanes;
    if (!numbers) fg_translate_fail(t, "no pointer to numbers");
    fg_strbuf_addf(&t->out, "fg_discard(%s, %d);\n", line.text, numbers ? FG_DROP_BYTES / line.type.lanes : 0);
  } else if (strncmp(t->at, nothing, strlen(nothing)) != 0) {
    fg_translate_fail(t, "assembly that is not known");
  }
  fg_translate_skip_brackets(t, '(', ')');
  return true;
}

static bool leaves(fg_translator *t) {
  if (fg_translate_accept(t, "continue")) return fg_strbuf_add(&t->out, "continue;\n"), true;
  if (!fg_translate_accept(t, "return")) return false;
  fg_strbuf_add(&t->out, "return");
  if (!fg_translate_peek(t, ";")) fg_strbuf_addf(&t->out, " %s", fg_translate_expression(t).text);
  fg_strbuf_add(&t->out, ";\n");
  return true;
}

/* "__shared__ unsigned next": one for each block. */
static bool shares_a_number(fg_translator *t) {
  fg_translate_type type;
  if (!fg_translate_peek(t, "__shared__")) return false;
  if (!fg_translate_accept_type(t, &type) || type.kind != FG_C_INDEX) fg_translate_fail(t, "no whole number");
  fg_translate_skip_space(t);
  const char *word = t->at;
  size_t length = fg_translate_word(t);
  t->at += length;
  fg_strbuf_addf(&t->out, "static %s %.*s[64];\n", fg_translate_type_text(t, type), (int)length, word);
  fg_translate_declare(t, word, length, type, false);
  fg_translate_lookup(t, word, length)->each = "fg_slot";
  return true;
}

bool fg_translate_context_statement(fg_translator *t) {
  if (!orders_loads(t) && !says_in_assembly(t) && !leaves(t) && !shares_a_number(t)) return false;
  fg_translate_expect(t, ";");
  return true;
}

/* ---- the ends of a batch -------------------------------------------------------------------------- */

/* Blocks or tiles of transforms between both ends: fg_ends > 0 leaves them out. */
static void inner_transforms(fg_translator *t, int kernel) {
  const fg_kernel *k = t->launched->kernel[kernel];
  fg_strbuf *s = &t->out;
  fg_strbuf_addf(s, "static int fg_out_%d(long long number) {\n  const long long *params = fg_params;\n", kernel);
  fg_strbuf_add(s, "  long long at, n;\n  if (!fg_ends) return 0;\n");
  for (int i = 0; i < k->nouter; i++) {
    const fg_digit *d = &k->digit[k->outer[i]];
    if (d->role != FG_ROLE_BLOCK || !d->batch) continue;
    fg_strbuf_addf(s, "  n = %s, at = number / %lldLL %% n;\n", fg_translate_number(t, d->extent),
                   (long long)(d->div > 0 ? d->div : 1));
    fg_strbuf_add(s, "  if (n > 2 * fg_ends && at >= fg_ends && at < n - fg_ends) return 1;\n");
  }
  fg_strbuf_add(s, "  return 0;\n}\n");
}

void fg_translate_context_preamble(fg_translator *t) {
  fg_strbuf_add(&t->out, "static void *const *fg_slots;\nstatic const long long *fg_params;\n");
  for (int i = 0; i < t->launched->nkernel; i++) inner_transforms(t, i);
}

/* Blocks that iterate over numbers of blocks or tiles leave out the stages of some; others are not launched. */
static const char *number_of(const fg_translator *t, int kernel) {
  if (kernel < fg_queue_joined(&t->launched->queue)) return "block";
  return fg_kernel_fetches(t->launched->kernel[kernel]) ? t->dialect->bulk->iteration : NULL;
}

void fg_translate_context_stage_call(fg_translator *t, int kernel) {
  const char *number = number_of(t, kernel);
  bool counts = number && fg_translate_lookup(t, number, strlen(number)); /* else it is before the loop */
  if (counts) fg_strbuf_addf(&t->out, "if (!fg_out_%d(%s)) ", kernel, number);
}

/* ---- launches ---------------------------------------------------------------------------------------- */

/* What a thread of launch number i does. */
static void kernel(fg_translator *t, int i, const fg_launch *l) {
  fg_strbuf_addf(&t->out, "static void fg_kernel_%d(void) {\n  %s(", i, l->entry);
  for (int a = 0; a < l->narg; a++)
    fg_strbuf_addf(&t->out, "%s%s[%d]", a ? ", " : "", l->arg[a].is_param ? "fg_params" : "fg_slots", l->arg[a].index);
  fg_strbuf_add(&t->out, ");\n}\n");
}

void fg_translate_context_launches(fg_translator *t) {
  for (int i = 0; i < t->c->nlaunch; i++) kernel(t, i, &t->c->launch[i]);
  fg_strbuf_addf(&t->out, "void %s_entry(void *const *slot, const long long *params) {\n", t->c->name);
  fg_strbuf_add(&t->out, "  fg_slots = slot, fg_params = params;\n");
  for (int i = 0; i < t->c->nlaunch; i++) {
    const fg_launch *l = &t->c->launch[i];
    bool some = !number_of(t, i) && !(t->launched->queue.ring && i < 2);
    fg_strbuf_addf(&t->out, "  fg_launch(fg_kernel_%d, ", i);
    fg_strbuf_add(&t->out, some ? fg_arena_printf(t->cx->arena, "fg_out_%d, ", i) : "0, ");
    fg_translate_blocks(t, l);
    fg_strbuf_addf(&t->out, ", %d, %d, %d);\n", l->threads, l->cluster, l->persistent);
  }
  fg_strbuf_add(&t->out, "}\n");
}
