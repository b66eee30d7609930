/* The frame where a program becomes instructions instead of text. */
#ifndef FG_LOWER_INSTRUCTIONS_H
#define FG_LOWER_INSTRUCTIONS_H
#include "generator/text/emitter.h"

fg_status fg_instructions_kernels(fg_emitter *e);

/* After the artifact has its places: their pointers, tables' contents, the listing. */
fg_status fg_instructions_finish(fg_emitter *e, fg_artifact *a, fg_strbuf *listing);
#endif
