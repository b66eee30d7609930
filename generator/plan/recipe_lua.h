/* The Lua side of recipes: recipe.c, recipe_lua.c, and other code that lets Lua decide
 * about plans (tuning/search/space.c). */
#ifndef FG_RECIPE_LUA_H
#define FG_RECIPE_LUA_H
#include "generator/base/strbuf.h"
#include "generator/plan/sandbox.h"
#include "generator/problem/problem.h"
#include "targets/device.h"

enum { FG_MAX_RECIPES = 64 };

typedef struct fg_recipe {
  const char *name;  /* "stockham" */
  const char *chunk; /* '@' and the path: what Lua calls it in messages */
  const char *text;
  size_t bytes;
  lua_Integer priority; /* its global `priority`: lower is asked first; 0 when it has none */
  bool only;            /* its global `only`: where it has plans, no recipe behind it is asked for its own */
} fg_recipe;

typedef struct fg_recipe_job {
  fg_sandbox box;
  const fg_problem *problem;
  const fg_device_facts *device;
  int count, nuser; /* recipes; the first nuser are the user's */
  fg_recipe recipe[FG_MAX_RECIPES];
  int order[FG_MAX_RECIPES]; /* in which they are asked */
  int current;               /* the one that runs, for messages */
  int depth;                 /* of fft.plans within fft.plans */
} fg_recipe_job;

/* A function for Lua: takes a fg_recipe_job as light userdata, loads and asks
 * every recipe, returns a table with one array of plans for each recipe that
 * applies, by recipe number from 1. */
int fg_recipe_lua_run(lua_State *L);
/* Push the table that recipes get. Inside protected calls: they raise Lua errors. */
void fg_recipe_lua_push_problem(lua_State *L, const fg_problem *p);
void fg_recipe_lua_push_device(lua_State *L, const fg_problem *p, const fg_device_facts *d);
/* recipe.c: the plan table at the top of the stack as text; NULL, or what is wrong with it. */
const char *fg_recipe_write_plan(fg_context *cx, lua_State *L, fg_strbuf *out);
#endif
