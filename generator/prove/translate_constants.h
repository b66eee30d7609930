/* Inside translate: which of a program's constants a number of its text is. */
#ifndef FG_PROVE_TRANSLATE_CONSTANTS_H
#define FG_PROVE_TRANSLATE_CONSTANTS_H
#include "generator/prove/translate_parts.h"

void fg_translate_hint_constant(fg_translator *t, const char *word,
                                size_t length); /* before the value of what has this name */
void fg_translate_constants(fg_translator *t);  /* collects them */
bool fg_translate_is_rounded(const fg_translator *t, fg_quad exact, double x); /* exact > 0: to x */
bool fg_translate_image(fg_translator *t, double x, fg_gf *out); /* x >= 0; false: nothing of the program is as large */
/* The same where nothing says whether it is the problem's factor (translate_instructions.c). */
bool fg_translate_constant_image(fg_translator *t, double x, fg_gf *out);
#endif
