/* Stages of a small kernel as one function, with scratch in variables. */
#ifndef FG_LOWER_SCALAR_REPLACEMENT_H
#define FG_LOWER_SCALAR_REPLACEMENT_H
#include "generator/text/emitter.h"

/* Decides what is held; after fg_memory_plan, whose places it may change. */
fg_status fg_forward_plan(fg_emitter *e);

fg_status fg_lower_joined(fg_emitter *e, int kernel, fg_uses *uses); /* records them */
#endif
