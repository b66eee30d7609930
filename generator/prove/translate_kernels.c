/* Launched kernels, translated to a field. In: their text, by functions and statements. Out: C in which one thread
 * does the work of all threads of a block, block after block.
 *
 * Samples leave out blocks and threads: translate_sampling.c has the questions of a thread's loops; blocks are loops
 * over the digits that number them.
 *
 * The idea: barriers are in kernels, between calls of stages, and in stages' functions, never inside of braces. The
 * text between two of them becomes a loop over threads; a variable that is live across a barrier becomes an array
 * with an element for each thread. So one thread's stores are seen by another behind a barrier, and before it in an
 * undefined order. */
#include "generator/prove/translate_kernels.h"
#include "generator/ir/sample.h"
#include "generator/prove/translate_contexts.h"
#include "generator/prove/translate_token.h"
#include "targets/ascii.h"
#include <stdio.h>
#include <string.h>

/* Whether a line has the name of a function whose prefix is ours. */
static bool names_ours(const char *line, const char *prefix) {
  const char *end = line + strcspn(line, "\n");
  size_t length = strlen(prefix);
  for (const char *at = line; (at = strstr(at, prefix)) && at < end; at += length)
    if (at > line && at[-1] == ' ' && (at[length] == '_' || at[length] == '(')) return true;
  return false;
}

/* The text before the first function is the language's. */
const char *fg_translate_first_kernel(const fg_artifact *c) {
  for (const char *line = c->source; *line; line += strcspn(line, "\n"), line += *line == '\n') {
    bool begins = !strncmp(line, "static ", 7) || !strncmp(line, "__kernel ", 9) || !strncmp(line, "extern ", 7);
    if (begins && names_ours(line, c->name)) return line;
  }
  return c->source + strlen(c->source);
}

bool fg_translate_is_possible(const fg_program *p, const fg_artifact *c) {
  return !c->nlaunch || p->nkernel == c->nlaunch || fg_translate_needs_contexts(p, c);
}

/* "typedef float8 vec8;": OpenCL's vectors, which are declared before the kernels. */
static void vector_types(fg_translator *t) {
  const char *at = t->c->source, *end = fg_translate_first_kernel(t->c);
  for (char real[8], name[32]; (at = strstr(at, "typedef ")) && at < end; at++) {
    int lanes = 0;
    if (sscanf(at, "typedef %7[a-z]%d %31[a-z0-9_];", real, &lanes, name) != 3 || lanes < 2) continue;
    const char *kept = fg_arena_strdup(t->cx->arena, name);
    fg_translate_declare(t, kept, strlen(kept), (fg_translate_type){.kind = FG_C_VECTOR, .lanes = lanes}, true);
  }
}

static void vector_type(fg_translator *t, const char *name, int lanes) {
  fg_translate_declare(t, name, strlen(name), (fg_translate_type){.kind = FG_C_VECTOR, .lanes = lanes}, true);
}

/* Numbers in memory of the dialect's own types, and pairs of these. */
static void stored_types(fg_translator *t) {
  for (const fg_storage_row *r = t->dialect->storage; r && r->type; r++) {
    if (strchr(r->type, ' ')) continue; /* C's, which are known */
    fg_translate_type type = {.kind = FG_C_REAL, .lanes = fg_precision_bytes((fg_precision)r->stored)};
    fg_translate_declare(t, r->type, strlen(r->type), type, true);
    vector_type(t, fg_arena_printf(t->cx->arena, "%s2", r->type), 2);
  }
}

void fg_translate_launched_types(fg_translator *t) {
  vector_types(t);
  stored_types(t);
  for (int i = 0; i < 4; i++)
    if (t->dialect->pair[i]) vector_type(t, t->dialect->pair[i], 2);
  for (int i = 1; t->dialect->matrix && i <= 8; i *= 2)
    vector_type(t, fg_arena_printf(t->cx->arena, "fftgen_fragment%d", i), i);
  static const char *const two[] = {"float2", "double2"}, *const four[] = {"float4", "double4"};
  for (int i = 0; i < 2; i++) vector_type(t, two[i], 2), vector_type(t, four[i], 4);
}

/* ---- what threads keep across barriers --------------------------------------------------------- */

enum { WORDS = 1 << 12 };

struct fg_translate_word_uses { /* of a function: its words, and where each occurs last */
  struct {
    const char *last;
    size_t length;
  } word[WORDS];
};

static int slot_of(const struct fg_translate_word_uses *u, const char *word, size_t length) {
  size_t at = 5381;
  for (size_t i = 0; i < length; i++) at = at * 33 + (unsigned char)word[i];
  for (int tries = 0; tries < WORDS; tries++, at++) {
    const char *there = u->word[at % WORDS].last;
    if (!there || (u->word[at % WORDS].length == length && !memcmp(there, word, length))) return (int)(at % WORDS);
  }
  return -1;
}

/* False: there are too many. */
static bool note_words(struct fg_translate_word_uses *u, const char *from, const char *to) {
  int words = 0;
  memset(u, 0, sizeof *u);
  for (const char *at = from, *end; at < to; at = end) {
    for (end = at + 1; fg_is_word(*at) && end < to && fg_is_word(*end);) end++;
    if (!fg_is_word(*at) || fg_is_digit(*at)) continue;
    int slot = slot_of(u, at, (size_t)(end - at));
    words += !u->word[slot].last;
    u->word[slot].last = at, u->word[slot].length = (size_t)(end - at);
    if (words > WORDS / 2) return false;
  }
  return true;
}

static const char *next_wait(const fg_translator *t) {
  const char *wait = strstr(t->at, t->dialect->barrier_block);
  return wait && wait < t->function_end ? wait : NULL;
}

bool fg_translate_is_live_across(const fg_translator *t, const char *word, size_t length) {
  if (!t->wait || t->depth != 1 || !t->threads) return false;
  int slot = t->uses ? slot_of(t->uses, word, length) : -1;
  return slot < 0 || (t->uses->word[slot].last && t->uses->word[slot].last > t->wait);
}

/* ---- threads ------------------------------------------------------------------------------------- */

static void open_threads(fg_translator *t) {
  const fg_kernel *k = t->p->kernel[t->kernel];
  fg_strbuf_addf(&t->out, "{ for (fg_number fg_thread = 0; fg_thread < %d; ++fg_thread) {\n", t->threads);
  if (t->map && fg_stage_has_threads(k, &k->stage[t->stage]))
    fg_strbuf_addf(&t->out, "if (fg_leaves_out(%d, fg_thread)) continue;\n",
                   fg_text_loop_number(t->kernel, FG_MAX_DIGITS));
}

void fg_translate_open_threads(fg_translator *t) {
  const char *end = strstr(t->at, "\n}");
  t->function_end = end ? end : t->end;
  t->threads = t->p->kernel[t->kernel]->launch.threads;
  t->wait = next_wait(t);
  if (t->wait && !t->uses) t->uses = fg_arena_alloc(t->cx->arena, sizeof *t->uses);
  if (t->wait && !note_words(t->uses, t->at, t->function_end)) t->uses = NULL; /* then all are kept */
  open_threads(t);
}

void fg_translate_close_threads(fg_translator *t) {
  fg_strbuf_add(&t->out, "}}\n");
  t->threads = 0;
}

/* In a kernel's own function, outside of all threads, it is only seen that it is there. */
void fg_translate_barrier(fg_translator *t) {
  t->waited = true;
  if (t->contexts) {
    fg_strbuf_add(&t->out, "fg_wait_for_block();\n");
    return;
  }
  if (!t->threads) return;
  if (t->depth > 1) fg_translate_fail(t, "a barrier inside of brackets");
  fg_strbuf_add(&t->out, "}}\n");
  open_threads(t);
  t->wait = next_wait(t);
}

/* ---- memory that a block's threads share --------------------------------------------------------- */

static void note_local(fg_translator *t, const char *word, size_t length, int64_t at) {
  for (int i = 0; i < t->p->nbuffer; i++) {
    const fg_buffer *b = &t->p->buffer[i];
    bool named = b->space == FG_SPACE_LOCAL && strlen(b->name) == length && !strncmp(b->name, word, length);
    if (named && b->alias < 0) t->translation->local[i] = at;
  }
}

void fg_translate_shared_array(fg_translator *t, const char *word, size_t length, int64_t numbers) {
  note_local(t, word, length, t->translation->shared);
  fg_strbuf_addf(&t->out, " = %s + %lld", t->contexts ? "fg_local" : "fg_shared", (long long)t->translation->shared);
  t->translation->shared += numbers + numbers % 2;
}

/* Shorter numbers are elements of the field, too: so many take the room of one that is computed with. */
int64_t fg_translate_shortest(const fg_program *p) {
  int64_t most = 1;
  for (int i = 0; i < p->nbuffer; i++) {
    int64_t n = fg_precision_bytes(p->problem.compute) / fg_precision_bytes(p->buffer[i].precision);
    if (p->buffer[i].space == FG_SPACE_LOCAL && n > most) most = n;
  }
  return most;
}

int64_t fg_translate_shared_size(const fg_translator *t) {
  size_t most = 0;
  for (int i = 0; i < t->c->nlaunch; i++)
    if (t->c->launch[i].local_bytes > most) most = t->c->launch[i].local_bytes;
  return ((int64_t)(most / sizeof(float)) + 1) * fg_translate_shortest(t->p);
}

const char *fg_translate_shared_offset(fg_translator *t, const char *word, size_t length, const char *value) {
  long long at;
  const char *sum = strstr(value, "(local + ");
  if (!sum || sscanf(sum, "(local + %lld)", &at) != 1) return value;
  at *= fg_translate_shortest(t->p);
  note_local(t, word, length, at);
  return fg_arena_printf(t->cx->arena, "(local + %lld)", at);
}

/* ---- launches -------------------------------------------------------------------------------------- */

const char *fg_translate_number(fg_translator *t, fg_num x) {
  long long n = x.n, div = x.div;
  if (x.form == FG_NUM_CONST) return fg_arena_printf(t->cx->arena, "%lldLL", n);
  if (x.form == FG_NUM_PARAM) return fg_arena_printf(t->cx->arena, "(%lldLL * params[%d])", n, x.param);
  if (x.form != FG_NUM_CEIL) fg_translate_fail(t, "blocks by another quotient than one that is rounded up");
  return fg_arena_printf(t->cx->arena, "(%lldLL * ((params[%d] + %lldLL) / %lldLL))", n, x.param, div - 1, div);
}

/* What a launch says: n * (param < 0 ? 1 : ceil(p / div)) of each factor. */
void fg_translate_blocks(fg_translator *t, const fg_launch *l) {
  fg_strbuf_add(&t->out, "1");
  for (int i = 0; i < l->nblock_factor; i++) {
    fg_num x = {.form = l->block_factor[i].param < 0 ? FG_NUM_CONST : FG_NUM_CEIL,
                .n = l->block_factor[i].n,
                .param = (int16_t)l->block_factor[i].param,
                .div = l->block_factor[i].div};
    fg_strbuf_addf(&t->out, " * %s", fg_translate_number(t, x));
  }
}

/* A loop over a digit that numbers blocks; in samples what the program counts is asked for. */
static void open_blocks(fg_translator *t, int kernel, int digit) {
  const fg_digit *d = &t->p->kernel[kernel]->digit[digit];
  bool counted = fg_digit_is_clipped(d);
  fg_strbuf_addf(&t->out, "for (long long fg_c%d = 0; fg_c%d < %s; ++fg_c%d) {\n", digit, digit,
                 fg_translate_number(t, d->extent), digit);
  if (!t->map || !fg_sample_has_loop(d)) return;
  fg_strbuf_addf(&t->out, "if (fg_leaves_out(%d, %s + fg_c%d * %lldLL)) continue;\n",
                 fg_text_loop_number(kernel, digit), counted ? "0" : fg_translate_number(t, d->start), digit,
                 (long long)d->step);
}

/* As many blocks as the launch says are as many as the program has; an operand outside of all arrays reports another
 * number.
 */
static void launch(fg_translator *t, int kernel, const fg_launch *l) {
  const fg_kernel *k = t->p->kernel[kernel];
  fg_strbuf *s = &t->out;
  fg_strbuf_add(s, "if (");
  fg_translate_blocks(t, l);
  fg_strbuf_add(s, " != 1");
  for (int i = 0; i < k->nouter; i++)
    if (fg_digit_is_of_blocks(&k->digit[k->outer[i]]))
      fg_strbuf_addf(s, " * %s", fg_translate_number(t, k->digit[k->outer[i]].extent));
  fg_strbuf_add(s, ") fg_neg(1ULL << 63);\n");
  for (int i = 0; i < k->nouter; i++)
    if (fg_digit_is_of_blocks(&k->digit[k->outer[i]])) open_blocks(t, kernel, k->outer[i]);
  fg_strbuf_add(s, "fg_block = 0");
  for (int i = 0; i < k->nouter; i++)
    if (fg_digit_is_of_blocks(&k->digit[k->outer[i]]))
      fg_strbuf_addf(s, " + fg_c%d * %lldLL", k->outer[i], (long long)k->digit[k->outer[i]].div);
  fg_strbuf_addf(s, ";\n%s(", l->entry);
  for (int a = 0; a < l->narg; a++)
    fg_strbuf_addf(s, "%s%s[%d]", a ? ", " : "", l->arg[a].is_param ? "params" : "slot", l->arg[a].index);
  fg_strbuf_add(s, ");\n");
  for (int i = 0; i < k->nouter; i++)
    if (fg_digit_is_of_blocks(&k->digit[k->outer[i]])) fg_strbuf_add(s, "}\n");
}

void fg_translate_launches(fg_translator *t) {
  fg_strbuf_addf(&t->out, "void %s_entry(void *const *slot, const long long *params) {\n", t->c->name);
  for (int i = 0; i < t->c->nlaunch; i++) launch(t, i, &t->c->launch[i]);
  fg_strbuf_add(&t->out, "}\n");
}
