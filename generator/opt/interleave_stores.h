/* Transposes and stores rows among the operations before them. */
#ifndef FG_OPT_INTERLEAVE_STORES_H
#define FG_OPT_INTERLEAVE_STORES_H
#include "generator/text/recorder.h"

/* Positions: where operations begin, where the last load has been, where stores begin. */
void fg_interleave_stores(fg_coder *c, int32_t operations, int32_t loaded, int32_t stores);
#endif
