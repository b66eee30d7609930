/* table.sort for the sandbox.
 *
 * In: a list, and a function that tells whether one element belongs before another (left out: `<`). Out: the list in
 * order. The one idea: a merge sort from the bottom up takes n log2 n comparisons at most, whatever the function says,
 * keeps equal elements in their order, and draws nothing by the clock, as Lua's own does where it has bad luck with
 * its pivots. Each comparison is charged for, texts by their length, and texts compare by their bytes, not as the
 * locale has it. (Knuth, The Art of Computer Programming 3, 5.2.4, Algorithm L does it with links.) */
#include "generator/plan/sandbox_parts.h"
#include <lauxlib.h>
#include <string.h>

enum { LIST = 1, BEFORE = 2, OTHER = 3, MOST_ELEMENTS = 1 << 22 };

typedef bool (*order)(lua_State *L); /* of the two elements at the top, which stay: whether the upper comes first */

static bool text_before(lua_State *L, int a, int b) {
  size_t m, n;
  const char *s = lua_tolstring(L, a, &m), *t = lua_tolstring(L, b, &n);
  size_t common = m < n ? m : n;
  int sign = memcmp(s, t, common);
  fg_sandbox_charge(L, (int64_t)(common / 8));
  return sign ? sign < 0 : m < n;
}

static bool less(lua_State *L) {
  fg_sandbox_charge(L, 1);
  if (lua_type(L, -1) == LUA_TSTRING && lua_type(L, -2) == LUA_TSTRING) return text_before(L, -1, -2);
  return lua_compare(L, -1, -2, LUA_OPLT);
}

static bool key_less(lua_State *L) {
  bool upper = lua_type(L, -1) == LUA_TSTRING, lower = lua_type(L, -2) == LUA_TSTRING;
  return upper == lower ? less(L) : lower;
}

static bool as_told(lua_State *L) {
  fg_sandbox_charge(L, 1);
  lua_pushvalue(L, BEFORE);
  lua_pushvalue(L, -2);
  lua_pushvalue(L, -4);
  lua_call(L, 2, 1);
  bool before = lua_toboolean(L, -1);
  lua_pop(L, 1);
  return before;
}

/* Runs first .. middle-1 and middle .. end-1 of one table become one run of another. */
static void merge(lua_State *L, const int table[2], lua_Integer first, lua_Integer middle, lua_Integer end,
                  order before) {
  lua_Integer lower = first, upper = middle;
  for (lua_Integer to = first; to < end; to++) {
    bool takes_upper = lower == middle;
    if (lower < middle && upper < end) {
      lua_rawgeti(L, table[0], lower);
      lua_rawgeti(L, table[0], upper);
      takes_upper = before(L);
      lua_pop(L, 2);
    }
    lua_rawgeti(L, table[0], takes_upper ? upper++ : lower++);
    lua_rawseti(L, table[1], to);
  }
}

static void sort(lua_State *L, order before) {
  lua_Integer n = (lua_Integer)lua_rawlen(L, LIST), end = n + 1;
  int table[2] = {LIST, OTHER};
  luaL_argcheck(L, n < MOST_ELEMENTS, LIST, "too many elements");
  lua_newtable(L);
  for (lua_Integer run = 1; run < n; run *= 2) {
    for (lua_Integer i = 1; i < end; i += 2 * run) {
      lua_Integer middle = i + run < end ? i + run : end, next = middle + run < end ? middle + run : end;
      merge(L, table, i, middle, next, before);
    }
    table[0] = table[1];
    table[1] = LIST + OTHER - table[0];
    fg_sandbox_charge(L, n);
  }
  for (lua_Integer i = 1; i < end && table[0] != LIST; i++) {
    lua_rawgeti(L, OTHER, i);
    lua_rawseti(L, LIST, i);
  }
}

int fg_sandbox_sort(lua_State *L) {
  bool told = !lua_isnoneornil(L, BEFORE);
  luaL_checktype(L, LIST, LUA_TTABLE);
  if (told) luaL_checktype(L, BEFORE, LUA_TFUNCTION);
  lua_settop(L, BEFORE);
  luaL_checkstack(L, 10, "sort");
  sort(L, told ? as_told : less);
  return 0;
}

int fg_sandbox_sort_keys(lua_State *L) {
  lua_settop(L, BEFORE);
  sort(L, key_less);
  return 0;
}
