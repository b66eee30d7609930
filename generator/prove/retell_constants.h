/* Inside retell: which of a program's constants a number of its text is. */
#ifndef FG_RETELL_CONSTANTS_H
#define FG_RETELL_CONSTANTS_H
#include "generator/prove/retell_parts.h"

void fg_retell_hints(fg_teller *t, const char *word, size_t length);    /* before the value of what has this name */
void fg_retell_constants(fg_teller *t);                                 /* collects them */
bool fg_retell_is_rounded(const fg_teller *t, fg_quad exact, double x); /* exact > 0: to x */
bool fg_retell_image(fg_teller *t, double x, fg_gf *out); /* x >= 0; false: nothing of the program is as large */
#endif
