/* Inside translate: arguments that tell kernels which thread and block it is (translate_arguments.c). */
#ifndef FG_PROVE_TRANSLATE_ARGUMENTS_H
#define FG_PROVE_TRANSLATE_ARGUMENTS_H
#include "generator/prove/translate_parts.h"

bool fg_translate_has_own(const fg_translator *t); /* whether functions have such arguments */
/* Whether the next parameter is such a one: it is passed over; the same of an argument of a call. */
bool fg_translate_own_parameter(fg_translator *t);
bool fg_translate_own_argument(fg_translator *t);
void fg_translate_own_memory(fg_translator *t); /* before all functions */
void fg_translate_argument_number(fg_translator *t, bool array,
                                  int number); /* behind the name of a kernel's parameter */
#endif
