/* Arguments by which kernels of some languages are told what others ask functions for (targets/forms/arguments.h):
 * which thread and block it is, and where LOCAL memory is. In: parameters and arguments of the text. Out: nothing of
 * these, which the translation has as variables; whether each is there, and whether numbers of arguments are in order.
 */
#include "generator/prove/translate_arguments.h"
#include "generator/prove/translate_contexts.h"
#include "generator/prove/translate_kernels.h"
#include "generator/prove/translate_token.h"
#include <string.h>

static bool takes_text(fg_translator *t, const char *text) {
  fg_translate_skip_space(t);
  size_t length = text ? strlen(text) : 0;
  if (!length || strncmp(t->at, text, length) != 0) return false;
  t->at += length;
  return true;
}

static const fg_arguments_form *form_of(const fg_translator *t) { return t->c->nlaunch ? t->dialect->arguments : NULL; }

bool fg_translate_has_own(const fg_translator *t) { return form_of(t) != NULL; }

/* "%v [[buffer(%i)]]": what follows the name. */
void fg_translate_argument_number(fg_translator *t, bool array, int number) {
  const fg_arguments_form *form = form_of(t);
  if (!form) return;
  const char *tail = strstr(array ? form->array : form->number, "%v") + 2, *at = strstr(tail, "%i");
  if (at) tail = fg_arena_printf(t->cx->arena, "%.*s%d%s", (int)(at - tail), tail, number, at + 2);
  if (*tail && !takes_text(t, tail + (*tail == ' '))) fg_translate_fail(t, "another number of an argument");
}

bool fg_translate_own_parameter(fg_translator *t) {
  const fg_arguments_form *form = form_of(t);
  if (!form) return false;
  if (takes_text(t, form->own) || takes_text(t, form->stage)) return t->told = true;
  const char *real = t->dialect->real[t->p->problem.compute], *at = form->local ? strstr(form->local, "%T") : NULL;
  if (!at ||
      !takes_text(t, fg_arena_printf(t->cx->arena, "%.*s%s%s", (int)(at - form->local), form->local, real, at + 2)))
    return false;
  t->translation->shared = t->contexts ? fg_translate_context_numbers(t) : fg_translate_shared_size(t);
  return true;
}

bool fg_translate_own_argument(fg_translator *t) { return form_of(t) && takes_text(t, form_of(t)->given); }

void fg_translate_own_memory(fg_translator *t) {
  static const char name[] = "local";
  if (!t->dialect->arguments || !t->dialect->arguments->local) return;
  fg_strbuf_addf(&t->out, t->contexts ? "#define %s fg_local\n" : "static fg_real *const %s = fg_shared;\n", name);
  fg_translate_declare(t, name, strlen(name),
                       (fg_translate_type){FG_C_POINTER, FG_C_REAL, fg_precision_bytes(t->p->problem.compute)}, false);
}
