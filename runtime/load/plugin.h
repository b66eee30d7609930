/* Loads libfftgen-jit, once. */
#ifndef FG_PLUGIN_H
#define FG_PLUGIN_H
#include "generator/base/context.h"
#include "runtime/load/jit.h"

/* NULL and the reason, in cx's arena. Once found, it stays loaded. */
const fg_jit *fg_plugin_find(fg_context *cx, const char **why);
#endif
