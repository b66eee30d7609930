/* Shared by the files that make up the sandbox. */
#ifndef FG_SANDBOX_PARTS_H
#define FG_SANDBOX_PARTS_H
#include "generator/plan/sandbox.h"

/* Counts steps of work inside of a library call; raises an error where a limit is met. */
void fg_sandbox_charge(lua_State *L, int64_t steps);
int fg_sandbox_sort(lua_State *L);      /* table.sort(list, before) */
int fg_sandbox_sort_keys(lua_State *L); /* the same for a list of numbers and strings: numbers first */
#endif
