/* Functions that the pieces of a bundle call (helpers.c). */
#ifndef FG_BUNDLE_HELPERS_H
#define FG_BUNDLE_HELPERS_H
#include "generator/bundle/parts.h"

/* Whether a piece, or what is before it, says this. */
bool fg_bundler_calls(const fg_bundler *b, const char *what);
fg_status fg_bundler_numbers(const fg_bundler *b, const char **out); /* functions before all levels */
const char *fg_bundler_vector_types(const fg_bundler *b);
const char *fg_bundler_level_helpers(const fg_bundler *b, int level);
/* They are those of the proved source. */
bool fg_bundler_helpers_hold(const fg_bundler *b, int problem, int level);
#endif
