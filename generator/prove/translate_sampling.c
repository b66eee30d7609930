/* Where the translated text asks which iterations to skip. In: functions, loops and calls in the order of the text.
 * Out: the questions that the field's dialect has at the same positions.
 *
 * The idea: a stage's function is known by its name, and its loops by their counters, which have the names of
 * digits. So the delivered text itself is sampled. */
#include "generator/lower/loops.h"
#include "generator/prove/translate_contexts.h"
#include "generator/prove/translate_token.h"
#include <stdio.h>
#include <string.h>

static const char inner[] = "_device"; /* the kernel's own, for kernels of others */

/* Which stage's function a word is: -1: the kernel's own. False: no kernel's. */
static bool stage_of(const fg_translator *t, const char *word, size_t length, int *kernel, int *stage) {
  for (*kernel = 0; *kernel < t->p->nkernel; ++*kernel) {
    const fg_kernel *k = t->p->kernel[*kernel];
    for (*stage = -1; *stage < k->nstage; ++*stage) {
      char name[256], number[16] = "";
      if (*stage >= 0) snprintf(number, sizeof number, "_%d", *stage);
      snprintf(name, sizeof name, "%s_%s%s", t->c->name, k->name, number);
      size_t own = strlen(name);
      if (own > length || strncmp(name, word, own) != 0) continue;
      bool is_inner = *stage < 0 && length == own + strlen(inner) && !strncmp(word + own, inner, length - own);
      if (own == length || is_inner) return true;
    }
  }
  return false;
}

static void name_digits(fg_translator *t, int stage) {
  fg_emitter names = {.cx = t->cx, .p = t->p};
  const fg_kernel *k = t->p->kernel[t->kernel];
  fg_nest_name_digits(&names, k, stage < 0 ? NULL : &k->stage[stage], t->digit, t->value);
}

void fg_translate_enter_function(fg_translator *t, const char *word, size_t length) {
  t->asks = t->map && stage_of(t, word, length, &t->kernel, &t->stage);
  if (!t->asks) return;
  t->next = 0;
  if (t->stage >= 0 && t->map->joined[t->kernel]) t->asks = false; /* its loops are written out */
  if (t->asks) name_digits(t, t->stage);
}

/* A digit whose loop does not count it itself has a counter of its own. */
static bool counts(const fg_translator *t, int digit, const char *word, size_t length) {
  const fg_digit *d = &t->p->kernel[t->kernel]->digit[digit];
  const char *name = t->digit[digit], *tail = fg_digit_is_clipped(d) ? "_at" : "";
  size_t own = name ? strlen(name) : 0;
  return name && length == own + strlen(tail) && !strncmp(word, name, own) && !strncmp(word + own, tail, strlen(tail));
}

static int digit_of(const fg_translator *t, const char *word, size_t length) {
  for (int d = 0; d < t->p->kernel[t->kernel]->ndigit; d++)
    if (counts(t, d, word, length)) return d;
  return -1;
}

bool fg_translate_is_stage(fg_translator *t, const char *word, size_t length) {
  return stage_of(t, word, length, &t->kernel, &t->stage) && t->stage >= 0;
}

/* In a kernel's own function the next stages may share a loop, whose counter may have the name of one before. */
void fg_translate_loop_sample(fg_translator *t, const char *word, size_t length) {
  if (!t->asks) return;
  if (t->stage < 0 && t->next < t->p->kernel[t->kernel]->nstage) name_digits(t, t->next);
  int digit = digit_of(t, word, length);
  if (digit < 0) {
    fg_translate_fail(t, "a loop over none of its digits");
    return;
  }
  fg_strbuf_addf(&t->out, "if (fg_leaves_out(%d, %.*s)) continue;\n", fg_text_loop_number(t->kernel, digit),
                 (int)length, word);
}

/* Where all threads of a block wait for each other in the program, they do in the text. */
static void must_have_waited(fg_translator *t, const fg_kernel *k, int stage) {
  bool waits = stage > 0 && (fg_exchange_waits(&k->stage[stage - 1].exchange.after) ||
                             fg_exchange_waits(&k->stage[stage].exchange.before));
  if (waits && k->launch.threads > 1 && !t->waited) fg_translate_fail(t, "no barrier before a stage");
  t->waited = false;
}

void fg_translate_stage_call(fg_translator *t) {
  int kernel, stage;
  bool launched = t->c->nlaunch && !t->threads, asks = t->asks && t->stage < 0;
  size_t length = launched || asks ? fg_translate_word(t) : 0;
  if (!length || !stage_of(t, t->at, length, &kernel, &stage) || stage < 0) return;
  if (t->contexts) {
    fg_translate_context_stage_call(t, kernel);
    return;
  }
  if (launched) must_have_waited(t, t->p->kernel[kernel], stage);
  if (!asks || kernel != t->kernel) return;
  t->next = stage + 1;
  fg_strbuf_addf(&t->out, "fg_begins(%d), ", fg_text_stage_number(kernel, stage));
}
