/* Lua without the system: a state with limits on steps and memory, and tables of
 * harmless functions for recipes to run in. */
#ifndef FG_SANDBOX_H
#define FG_SANDBOX_H
#include "generator/base/context.h"
#include <locale.h>
#include <lua.h>
#include <stdint.h>

enum {
  FG_SANDBOX_MEGABYTES = 64,
  FG_SANDBOX_TEXT_KILOBYTES = 64,
  FG_SANDBOX_MILLION_STEPS = 50,
  FG_SANDBOX_SECONDS = 30
};

typedef struct fg_sandbox {
  lua_State *L;
  size_t bytes;    /* in use */
  bool full;       /* a limit of memory was met */
  bool long_text;  /* ... by one text */
  int64_t steps;   /* since the last reset: VM instructions and work of library calls */
  int64_t most;    /* of them, which are allowed: FG_SANDBOX_MILLION_STEPS million; tests set fewer */
  int64_t looked;  /* steps when the time was looked at */
  int64_t began;   /* processor time of the thread when it was opened, in milliseconds */
  locale_t before; /* of this thread: Lua prints and reads numbers in the "C" locale */
} fg_sandbox;

/* s stays where it is until fg_sandbox_close, in the same thread. */
fg_status fg_sandbox_open(fg_context *cx, fg_sandbox *s);
void fg_sandbox_close(fg_sandbox *s); /* after a failed open, too */
/* Gives a new budget of steps. */
void fg_sandbox_reset(fg_sandbox *s);
/* What was too much and what is allowed, where `full`. */
const char *fg_sandbox_room(const fg_sandbox *s);
/* Pushes a new table of the functions that a recipe may use: base functions,
 * math, string, table, utf8. Raises Lua errors: call it protected. */
void fg_sandbox_push_environment(lua_State *L);
#endif
