/* The kind and version of a compiler, "gcc 12.2". Files may contain it; the machine's own configuration decides
 * which program of that kind is run. */
#ifndef FG_CC_KIND_H
#define FG_CC_KIND_H
#include <stdbool.h>

/* All compilers that are ever started unasked, by their names in PATH, in the order in which they are tried; NULL
 * ends them. No file adds to them. */
extern const char *const fg_cc_names[];
bool fg_cc_is_name(const char *text);

enum { FG_CC_KIND = 32 };
typedef enum fg_cc_likeness { FG_CC_OTHER, FG_CC_SAME_KIND, FG_CC_SAME_VERSION } fg_cc_likeness;

/* From the first line that `--version` prints: "gcc 12.2"; "" when that is neither gcc nor clang. */
void fg_cc_kind(const char *version, char kind[FG_CC_KIND]);
/* A kind that is known, with or without a version, and nothing else; NULL is none. */
bool fg_cc_is_kind(const char *text);
/* How similar two of them are; versions count up to their first point. */
fg_cc_likeness fg_cc_alike(const char *a, const char *b);
#endif
