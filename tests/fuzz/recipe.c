/* A recipe of anybody's, asked about one of a few problems: it ends within its steps,
 * and its answer is plans, or refused with a reason. */
#include "generator/plan/plan.h"
#include "generator/plan/recipe_lua.h"
#include "tests/fuzz/fuzz.h"
#include <lauxlib.h>
#include <string.h>

enum { MOST_STEPS = 200000, MOST_PLANS = 256 };

static const fg_device_facts cpu = {.name = "test", .lanes_f32 = 8, .lanes_f64 = 4, .registers = 16, .has_fma = true};

/* The plan at the top of the stack. */
static void take_plan(fg_context *cx, const fg_recipe_job *j) {
  fg_plan *p;
  fg_strbuf text = fg_strbuf_new(cx->arena);
  const char *why = fg_recipe_write_plan(cx, j->box.L, &text);
  if (why) {
    fuzz_require(why[0]);
  } else if (fg_plan_parse(cx, text.text, &p) == FG_OK) {
    (void)fg_plan_fits(cx, p, j->problem);
  }
}

static void take_answer(fg_context *cx, const fg_recipe_job *j) {
  lua_State *L = j->box.L;
  lua_rawgeti(L, -1, 1);
  lua_Integer count = lua_type(L, -1) == LUA_TTABLE ? (lua_Integer)lua_rawlen(L, -1) : 0;
  for (lua_Integer i = 1; i <= count && i <= MOST_PLANS; i++) {
    lua_rawgeti(L, -1, i);
    take_plan(cx, j);
    lua_pop(L, 1);
  }
}

static void body(fg_context *cx, const char *data, size_t size) {
  static const char *const problems[] = {"c2c f32 n=60", "r2c f64 n=32 batch=3", "dct2 f32 n=16", "c2c f32 n=8x12"};
  fg_problem p;
  fg_recipe_job *j = fg_arena_new(cx->arena, fg_recipe_job, 1);
  fuzz_require(fg_problem_parse(cx, problems[fuzz_choice(data, size) % 4], &p) == FG_OK);
  j->problem = &p;
  j->device = &cpu;
  j->count = j->nuser = 1;
  j->recipe[0] = (fg_recipe){.name = "mine", .chunk = "@mine.lua", .text = data, .bytes = size};
  if (fg_sandbox_open(cx, &j->box) != FG_OK) return;
  j->box.most = MOST_STEPS;
  lua_pushcfunction(j->box.L, fg_recipe_lua_run);
  lua_pushlightuserdata(j->box.L, j);
  int status = lua_pcall(j->box.L, 1, 1, 0);
  if (status == LUA_OK) take_answer(cx, j);
  if (status == LUA_ERRMEM) fuzz_require(j->box.full);
  fuzz_require(j->box.bytes <= (size_t)FG_SANDBOX_MEGABYTES << 20);
  fg_sandbox_close(&j->box);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) { return fuzz_run(body, data, size); }
