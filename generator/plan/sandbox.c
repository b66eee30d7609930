/* The sandbox: what Lua may do and for how long.
 *
 * In: nothing. Out: a lua_State whose environments hold no way to files,
 * processes, clocks, random numbers, addresses or bytecode. Limits: a hook counts
 * instructions, the allocator counts bytes and charges for them, library functions
 * charge for the lengths they walk; the time is that of all recipes together. The one idea: leave out what cannot be
 * bounded or is not the same in every run. So there is no pcall (it could swallow the limits), no setmetatable
 * (finalizers run without hooks), no pattern matching (it can backtrack for ever inside one call), and pairs goes
 * through sorted keys. Texts are short, so that no instruction and no comparison takes long; sorting is a merge of our
 * own (sandbox_sort.c), whose comparisons count as steps. */
#include "generator/plan/sandbox_parts.h"
#include "targets/number.h"
#include <assert.h>
#include <lauxlib.h>
#include <lualib.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { HOOK_EVERY = 1000, BYTES_A_STEP = 32, REPEAT_MAX = 1 << 20, TEXT_ROOM = 64 /* what Lua keeps with a text */ };
/* What takes as long as so many instructions: an argument of a library call, a conversion of string.format. And from
 * how many arguments on those of `...` count, how many of them make a step, the fewest instructions of a call. */
enum { ARGUMENT_STEPS = 4, FORMAT_STEPS = 250, FEW_ARGUMENTS = 64, ARGUMENTS_A_STEP = 8, LEAST_CALL = 4 };

/* ---- limits -------------------------------------------------------------- */

static void *allocate(void *ud, void *old, size_t old_bytes, size_t bytes) {
  fg_sandbox *s = ud;
  if (!old && old_bytes == LUA_TSTRING && bytes > TEXT_ROOM + ((size_t)FG_SANDBOX_TEXT_KILOBYTES << 10)) {
    s->full = s->long_text = true;
    return NULL;
  }
  if (!old) old_bytes = 0; /* then it is the kind of object */
  if (bytes == 0) {
    free(old);
    s->bytes -= old_bytes;
    return NULL;
  }
  if (bytes > old_bytes) s->steps += (int64_t)((bytes - old_bytes) / BYTES_A_STEP); /* one operator may make 64 KB */
  if (bytes > old_bytes && s->bytes + (bytes - old_bytes) > (size_t)FG_SANDBOX_MEGABYTES << 20) {
    s->full = true;
    return NULL;
  }
  void *p = realloc(old, bytes);
  if (p) s->bytes += bytes - old_bytes;
  return p;
}

const char *fg_sandbox_room(const fg_sandbox *s) {
  return s->long_text ? "a text that is too long; allowed: 64 KB" : "too much memory; allowed: 64 MB";
}
static_assert(FG_SANDBOX_TEXT_KILOBYTES == 64 && FG_SANDBOX_MEGABYTES == 64, "as the messages say");

static fg_sandbox *sandbox_of(lua_State *L) {
  void *ud;
  lua_getallocf(L, &ud);
  return ud;
}

/* Of this thread: what others do meanwhile is not the recipe's. */
static int64_t milliseconds(void) {
  struct timespec t = {0};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
  return t.tv_sec * INT64_C(1000) + t.tv_nsec / 1000000;
}

static const char *exceeded(fg_sandbox *s) {
  if (s->steps > s->most) return "no end after 50 million steps; allowed: 50 million";
  s->looked = s->steps;
  if (milliseconds() - s->began > FG_SANDBOX_SECONDS * INT64_C(1000))
    return "no end after 30 seconds; allowed: 30 seconds of processor time";
  return NULL;
}

void fg_sandbox_charge(lua_State *L, int64_t steps) {
  fg_sandbox *s = sandbox_of(L);
  s->steps += steps;
  const char *why = s->steps - s->looked < HOOK_EVERY ? NULL : exceeded(s);
  if (why) luaL_error(L, "%s", why);
}

/* Functions of `...` copy their arguments at each call: steps for as many calls as fit between two hooks. */
static int64_t steps_of_arguments(lua_State *L, lua_Debug *ar) {
  int64_t count = FEW_ARGUMENTS;
  lua_getinfo(L, "u", ar);
  if (!ar->isvararg) return 0;
  while (lua_getlocal(L, ar, -(int)count)) {
    lua_pop(L, 1);
    count *= 2;
  }
  return count == FEW_ARGUMENTS ? 0 : count * HOOK_EVERY / (LEAST_CALL * ARGUMENTS_A_STEP);
}

static void hook(lua_State *L, lua_Debug *ar) {
  fg_sandbox *s = sandbox_of(L);
  s->steps += HOOK_EVERY + steps_of_arguments(L, ar);
  const char *why = exceeded(s);
  if (!why) return;
  lua_getinfo(L, "Sl", ar);
  lua_pushfstring(L, "%s:%d: %s", ar->short_src, ar->currentline, why);
  lua_error(L);
}

/* The wrapped function with its arguments, after charging for their lengths. */
static int charged(lua_State *L) {
  fg_sandbox *s = sandbox_of(L);
  int n = lua_gettop(L);
  s->steps += (int64_t)n * ARGUMENT_STEPS;
  for (int i = 1; i <= n; i++)
    if (lua_type(L, i) == LUA_TTABLE || lua_type(L, i) == LUA_TSTRING) s->steps += (int64_t)(lua_rawlen(L, i) / 8);
  const char *why = exceeded(s); /* the time at each call: one may fill all of the memory */
  if (why) return luaL_error(L, "%s", why);
  lua_pushvalue(L, lua_upvalueindex(1));
  lua_insert(L, 1);
  lua_call(L, n, LUA_MULTRET);
  return lua_gettop(L);
}

/* ---- replacements -------------------------------------------------------- */

/* string.rep: an empty string can be repeated for ever without any memory. */
static int repeat(lua_State *L) {
  lua_Integer count = luaL_checkinteger(L, 2);
  luaL_argcheck(L, count <= REPEAT_MAX, 2, "at most 1048576 repetitions");
  if (count > 0) fg_sandbox_charge(L, count);
  return charged(L);
}

/* tostring, without the addresses of tables and functions. */
static int to_text(lua_State *L) {
  int type = lua_type(L, 1);
  luaL_checkany(L, 1);
  if (type == LUA_TNIL || type == LUA_TBOOLEAN || type == LUA_TNUMBER || type == LUA_TSTRING)
    luaL_tolstring(L, 1, NULL);
  else
    lua_pushstring(L, lua_typename(L, type));
  return 1;
}

/* Whether a conversion of it is %p, with flags, width and precision or without. */
static bool tells_address(const char *form, size_t length) {
  const char *end = form + length;
  for (const char *at = form; at < end; at++) {
    if (*at != '%') continue;
    at += 1 + strspn(at + 1, "-+ #0123456789.");
    if (*at == 'p') return true;
  }
  return false;
}

/* string.format, likewise. */
static int format(lua_State *L) {
  size_t length;
  const char *form = luaL_checklstring(L, 1, &length);
  luaL_argcheck(L, !tells_address(form, length), 1, "no %p");
  for (int i = 2; i <= lua_gettop(L); i++) {
    int type = lua_type(L, i);
    luaL_argcheck(L, type == LUA_TNUMBER || type == LUA_TSTRING || type == LUA_TBOOLEAN || type == LUA_TNIL, i,
                  "numbers, strings, booleans only");
  }
  fg_sandbox_charge(L, (int64_t)lua_gettop(L) * FORMAT_STEPS);
  return charged(L);
}

/* Iterator of pairs: upvalues are the table, its sorted keys, the position. */
static int next_pair(lua_State *L) {
  lua_Integer i = lua_tointeger(L, lua_upvalueindex(3)) + 1;
  lua_pushinteger(L, i);
  lua_replace(L, lua_upvalueindex(3));
  if (lua_rawgeti(L, lua_upvalueindex(2), i) == LUA_TNIL) return 1;
  lua_pushvalue(L, -1);
  lua_rawget(L, lua_upvalueindex(1));
  return 2;
}

static int sorted_pairs(lua_State *L) {
  lua_Integer n = 0;
  luaL_checktype(L, 1, LUA_TTABLE);
  lua_settop(L, 1);
  lua_newtable(L);
  for (lua_pushnil(L); lua_next(L, 1); lua_pop(L, 1)) {
    int type = lua_type(L, -2);
    if (type != LUA_TNUMBER && type != LUA_TSTRING) return luaL_error(L, "pairs: keys must be numbers or strings");
    lua_pushvalue(L, -2);
    lua_rawseti(L, 2, ++n);
  }
  fg_sandbox_charge(L, n);
  lua_pushcfunction(L, fg_sandbox_sort_keys);
  lua_pushvalue(L, 2);
  lua_call(L, 1, 0);
  lua_pushinteger(L, 0);
  lua_pushcclosure(L, next_pair, 3);
  return 1;
}

/* ---- environments -------------------------------------------------------- */

/* The function lib.name (at index `lib`), counted against the limits. */
static void push_charged(lua_State *L, int lib, const char *name, lua_CFunction wrapper) {
  lua_getfield(L, lib, name);
  lua_pushcclosure(L, wrapper, 1);
}

/* Sets environment[lib][names...] from the library at the top, which goes. */
static void add_library(lua_State *L, int environment, const char *lib, const char *const *names) {
  int from = lua_gettop(L);
  lua_newtable(L);
  for (; *names; names++) {
    push_charged(L, from, *names, charged);
    lua_setfield(L, -2, *names);
  }
  lua_setfield(L, environment, lib);
  lua_settop(L, from - 1);
}

/* math as it is, without random numbers. */
static void add_math(lua_State *L, int environment) {
  luaL_requiref(L, "math", luaopen_math, 0);
  lua_newtable(L);
  for (lua_pushnil(L); lua_next(L, -3);) {
    lua_pushvalue(L, -2);
    lua_insert(L, -2);
    lua_rawset(L, -4);
  }
  lua_pushnil(L);
  lua_setfield(L, -2, "random");
  lua_pushnil(L);
  lua_setfield(L, -2, "randomseed");
  lua_setfield(L, environment, "math");
  lua_pop(L, 1);
}

static void add_base(lua_State *L, int environment) {
  static const char *const names[] = {"assert", "error", "ipairs", "select", "type", NULL};
  luaL_requiref(L, "_G", luaopen_base, 0);
  for (const char *const *name = names; *name; name++) {
    lua_getfield(L, -1, *name);
    lua_setfield(L, environment, *name);
  }
  push_charged(L, -1, "tonumber", charged); /* it reads all of a text */
  lua_setfield(L, environment, "tonumber");
  lua_pop(L, 1);
  lua_pushcfunction(L, to_text);
  lua_setfield(L, environment, "tostring");
}

/* Methods of strings look into a table of their own, out of everybody's reach. */
static void set_string_methods(lua_State *L, int environment) {
  lua_pushliteral(L, "");
  if (!lua_getmetatable(L, -1)) lua_newtable(L);
  lua_newtable(L);
  lua_getfield(L, environment, "string");
  for (lua_pushnil(L); lua_next(L, -2);) {
    lua_pushvalue(L, -2);
    lua_insert(L, -2);
    lua_rawset(L, -5);
  }
  lua_pop(L, 1);
  lua_setfield(L, -2, "__index");
  lua_setmetatable(L, -2);
  lua_pop(L, 1);
}

void fg_sandbox_push_environment(lua_State *L) {
  static const char *const string_names[] = {"byte", "char", "len", "lower", "reverse", "sub", "upper", NULL};
  static const char *const table_names[] = {"concat", "insert", "pack", "remove", "unpack", NULL};
  static const char *const utf8_names[] = {"char", "codepoint", "len", "offset", NULL};
  luaL_checkstack(L, 20, "environment");
  lua_newtable(L);
  int environment = lua_gettop(L);
  add_base(L, environment);
  add_math(L, environment);
  luaL_requiref(L, "utf8", luaopen_utf8, 0);
  add_library(L, environment, "utf8", utf8_names);
  luaL_requiref(L, "table", luaopen_table, 0);
  add_library(L, environment, "table", table_names);
  lua_getfield(L, environment, "table");
  lua_pushcfunction(L, fg_sandbox_sort);
  lua_setfield(L, -2, "sort");
  lua_pushcfunction(L, sorted_pairs);
  lua_setfield(L, environment, "pairs");
  lua_settop(L, environment);
  luaL_requiref(L, "string", luaopen_string, 0);
  push_charged(L, -1, "rep", repeat);
  push_charged(L, -2, "format", format);
  lua_pushvalue(L, -3);
  add_library(L, environment, "string", string_names);
  lua_getfield(L, environment, "string");
  lua_insert(L, -3);
  lua_setfield(L, -3, "format");
  lua_setfield(L, -2, "rep");
  lua_settop(L, environment);
  set_string_methods(L, environment);
}

fg_status fg_sandbox_open(fg_context *cx, fg_sandbox *s) {
  *s = (fg_sandbox){.most = FG_SANDBOX_MILLION_STEPS * INT64_C(1000000)};
  s->L = lua_newstate(allocate, s);
  if (!s->L) return fg_diag_set(&cx->diag, FG_ENOMEM, "recipes: no memory for Lua");
  s->before = fg_number_enter();
  lua_sethook(s->L, hook, LUA_MASKCOUNT, HOOK_EVERY);
  fg_sandbox_reset(s);
  s->began = milliseconds();
  return FG_OK;
}

void fg_sandbox_close(fg_sandbox *s) {
  if (!s->L) return;
  lua_close(s->L);
  fg_number_leave(s->before);
  s->L = NULL;
}

void fg_sandbox_reset(fg_sandbox *s) { s->steps = s->looked = 0; }
