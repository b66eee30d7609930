/* Recipes: Lua files propose plans.
 *
 * In: problem, device facts, recipe files. Out: checked candidate plans. The one idea: all of Lua's work is one
 * protected call that allocates nothing in the arena. The tables that it returns are then written as plan text and
 * parsed, so that a recipe's plan passes the same checks as a user's plan. */
#include "generator/plan/recipe.h"
#include "generator/base/embedded.h"
#include "generator/base/files.h"
#include "generator/base/strbuf.h"
#include "generator/base/text_match.h"
#include "generator/plan/recipe_lua.h"
#include <lauxlib.h>
#include <stdlib.h>
#include <string.h>

enum { MAX_PLANS = 256, MAX_NEST = 16, MAX_PLAN_TEXT = 16 << 10, MAX_FILE = 1 << 20 };

/* ---- which recipes ------------------------------------------------------- */

static fg_status add_recipe(fg_context *cx, fg_recipe_job *j, const char *path, const char *text, size_t bytes) {
  const char *slash = strrchr(path, '/');
  fg_recipe *r = &j->recipe[j->count];
  if (j->count == FG_MAX_RECIPES) return fg_refuse(cx, "recipe %s: one too many; allowed: %d", path, FG_MAX_RECIPES);
  if (bytes > MAX_FILE) return fg_refuse(cx, "recipe %s: %zu bytes; allowed: up to 1 MB", path, bytes);
  *r = (fg_recipe){.text = text, .bytes = bytes};
  r->chunk = fg_arena_printf(cx->arena, "@%s", path);
  char *name = fg_arena_strdup(cx->arena, slash ? slash + 1 : path);
  char *dot = strrchr(name, '.');
  if (dot && dot != name) *dot = 0;
  r->name = name;
  j->count++;
  return FG_OK;
}

static fg_status gather(fg_context *cx, fg_recipe_job *j, const char *const *files, int nfile) {
  for (int i = 0; i < nfile; i++) {
    char *text;
    size_t bytes;
    fg_status st = fg_files_read(cx, files[i], &text, &bytes);
    if (!st) st = add_recipe(cx, j, files[i], text, bytes);
    if (st) return st;
  }
  j->nuser = j->count;
  for (const fg_embedded_file *f = fg_embedded; f->name; f++) {
    const char *dot = strrchr(f->name, '.');
    fg_status st = dot && !strcmp(dot, ".lua") ? add_recipe(cx, j, f->name, f->text, f->bytes) : FG_OK;
    if (st) return st;
  }
  return FG_OK;
}

/* ---- from tables to plans, outside of protected calls: functions of Lua that never raise errors ---- */

static bool clean_name(const char *s) { return s[0] && s[strspn(s, "abcdefghijklmnopqrstuvwxyz0123456789-_")] == 0; }

static const char *write_plan(fg_context *cx, lua_State *L, fg_strbuf *s, int depth);

/* Item i of the plan at the top: a number or a child plan. */
static const char *write_item(fg_context *cx, lua_State *L, fg_strbuf *s, int i, int depth) {
  const char *why = NULL;
  int whole;
  int type = lua_rawgeti(L, -1, i);
  lua_Integer value = lua_tointegerx(L, -1, &whole);
  fg_strbuf_add(s, i > 2 ? "," : "");
  if (type == LUA_TNUMBER && whole)
    fg_strbuf_addf(s, "%lld", (long long)value);
  else if (type == LUA_TTABLE)
    why = write_plan(cx, L, s, depth + 1);
  else
    why = fg_arena_printf(cx->arena, "item %d is %s; allowed: whole numbers and child plans", i,
                          type == LUA_TNUMBER ? "not whole" : lua_typename(L, type));
  lua_pop(L, 1);
  return why;
}

/* Recipes answer for parts of plans as for whole ones: what only whole ones have is left out of parts. */
static bool is_left_out(const char *name, int depth) {
  int id = fg_param_find(name);
  bool whole = id >= 0 ? !fg_param_table()[id].of_parts : fg_param_alias_find(name) != NULL;
  return depth > 1 && whole;
}

/* The value at the top, of a parameter: a whole number or the name of a value. NULL: neither. */
static const char *value_text(fg_context *cx, lua_State *L) {
  int whole;
  lua_Integer value = lua_tointegerx(L, -1, &whole);
  if (lua_type(L, -1) == LUA_TSTRING) return clean_name(lua_tostring(L, -1)) ? lua_tostring(L, -1) : NULL;
  return lua_type(L, -1) == LUA_TNUMBER && whole ? fg_arena_printf(cx->arena, "%lld", (long long)value) : NULL;
}

typedef struct named { /* entry; the name stays in the table. NULL: it has none */
  const char *name;
  size_t length;
  const char *value;
} named;

static int by_name(const void *a, const void *b) {
  const named *x = a, *y = b;
  size_t common = x->length < y->length ? x->length : y->length;
  int sign = common ? memcmp(x->name, y->name, common) : 0;
  return sign ? sign : (x->length > y->length) - (x->length < y->length);
}

/* The entry at the top of the stack; whether it is a parameter and its value. */
static bool read_entry(fg_context *cx, lua_State *L, named *e) {
  *e = (named){.value = value_text(cx, L)};
  if (lua_type(L, -2) == LUA_TSTRING) e->name = lua_tolstring(L, -2, &e->length);
  return e->name && strlen(e->name) == e->length && clean_name(e->name) && e->value;
}

static const char *blame_entry(fg_context *cx, const named *e) {
  if (!e->name)
    return "an entry without a name, or a gap in the list; allowed: { \"step\", numbers and children, key = value }";
  return fg_arena_printf(cx->arena, "entry %s; allowed: parameter = whole number, or the name of a value",
                         fg_words_quote(cx->arena, e->name, e->length));
}

/* The named entries of the plan at the top, in `list`. A table gives them in another order each time: of what is wrong,
 * the first by name is reported. */
static const char *read_params(fg_context *cx, lua_State *L, lua_Integer length, int depth, named list[FG_PARAM_COUNT],
                               int *count) {
  named wrong = {0};
  bool any = false, many = false;
  lua_pushnil(L);
  for (named e; lua_next(L, -2); lua_pop(L, 1)) {
    if (read_entry(cx, L, &e)) {
      many |= *count == FG_PARAM_COUNT;
      if (!many && !is_left_out(e.name, depth)) list[(*count)++] = e;
    } else if (!lua_isinteger(L, -2) || lua_tointeger(L, -2) > length) {
      if (!any || by_name(&e, &wrong) < 0) wrong = e;
      any = true;
    }
  }
  if (any) return blame_entry(cx, &wrong);
  return many ? fg_arena_printf(cx->arena, "too many parameters; allowed: %d", FG_PARAM_COUNT) : NULL;
}

static const char *write_params(fg_context *cx, lua_State *L, fg_strbuf *s, lua_Integer length, int depth) {
  named list[FG_PARAM_COUNT];
  int count = 0;
  const char *why = read_params(cx, L, length, depth, list, &count);
  qsort(list, (size_t)count, sizeof *list, by_name);
  for (int i = 0; i < count && !why; i++) fg_strbuf_addf(s, "%s%s=%s", i ? ", " : "; ", list[i].name, list[i].value);
  return why;
}

/* The plan at the top of the stack as text; otherwise what is wrong with it. */
static const char *write_plan(fg_context *cx, lua_State *L, fg_strbuf *s, int depth) {
  if (lua_type(L, -1) != LUA_TTABLE)
    return fg_arena_printf(cx->arena, "a plan that is a %s; allowed: a table such as { \"direct\", 8 }",
                           luaL_typename(L, -1));
  if (depth > MAX_NEST || !lua_checkstack(L, 8)) return "plans nested too deeply; allowed: 16 levels";
  /* One table may be a child in many places: few of them are a text without end. */
  if (s->length > MAX_PLAN_TEXT) return "a plan of more than 16 KB as text; allowed: fewer children";
  bool named = lua_rawgeti(L, -1, 1) == LUA_TSTRING && clean_name(lua_tostring(L, -1));
  if (named) fg_strbuf_addf(s, "%s(", lua_tostring(L, -1));
  lua_pop(L, 1);
  if (!named) return "a plan without a step; allowed: a table such as { \"stockham\", 16, 8, 8, lanes = 16 }";
  lua_Integer length = (lua_Integer)lua_rawlen(L, -1);
  if (length > FG_PLAN_ARGS + 1) return fg_arena_printf(cx->arena, "too many numbers; allowed: %d", FG_PLAN_ARGS);
  const char *why = NULL;
  for (int i = 2; i <= length && !why; i++) why = write_item(cx, L, s, i, depth);
  if (!why) why = write_params(cx, L, s, length, depth);
  fg_strbuf_add(s, ")");
  return why;
}

const char *fg_recipe_write_plan(fg_context *cx, lua_State *L, fg_strbuf *out) { return write_plan(cx, L, out, 1); }

static fg_status blame(fg_context *cx, const fg_recipe *r, int number, const char *text, const char *why) {
  return fg_refuse(cx, "recipe %s: plan %d%s%s: %s", r->chunk + 1, number, *text ? " " : "", text, why);
}

/* The plan at the top joins the candidates, unless an equal one is there. */
static fg_status add_plan(fg_context *cx, lua_State *L, const fg_recipe *r, int number, const fg_problem *problem,
                          fg_candidates *out) {
  fg_context own = {.arena = cx->arena};
  fg_plan *p;
  fg_strbuf s = fg_strbuf_new(cx->arena);
  const char *why = fg_recipe_write_plan(cx, L, &s);
  if (why) return blame(cx, r, number, "", why);
  if (fg_plan_parse(&own, s.text, &p) || fg_plan_fits(&own, p, problem))
    return blame(cx, r, number, s.text, own.diag.message);
  const char *text = fg_plan_print(cx, p);
  for (int i = 0; i < out->count; i++)
    if (!strcmp(fg_plan_print(cx, out->plan[i]), text)) return FG_OK;
  p->recipe = r->name;
  out->plan[out->count++] = p;
  return FG_OK;
}

/* The table of results is at the top: one array of plans for each recipe. */
static fg_status collect(fg_context *cx, fg_recipe_job *j, fg_candidates *out) {
  lua_State *L = j->box.L;
  *out = (fg_candidates){.plan = fg_arena_new(cx->arena, fg_plan *, j->count * MAX_PLANS)};
  for (int k = 0; k < j->count; k++) {
    const fg_recipe *r = &j->recipe[j->order[k]];
    fg_status st = FG_OK;
    lua_rawgeti(L, -1, j->order[k] + 1);
    int plans = lua_type(L, -1) == LUA_TTABLE ? (int)lua_rawlen(L, -1) : 0;
    if (plans > MAX_PLANS) return fg_refuse(cx, "recipe %s: %d plans; allowed: %d", r->chunk + 1, plans, MAX_PLANS);
    for (int i = 1; i <= plans && !st; i++) {
      lua_rawgeti(L, -1, i);
      st = add_plan(cx, L, r, i, j->problem, out);
      lua_pop(L, 1);
    }
    lua_pop(L, 1);
    if (st) return st;
    if (r->only && plans) break;
  }
  return FG_OK;
}

/* ---- running ------------------------------------------------------------- */

/* The error object at the top as one printable line. */
static fg_status report(fg_context *cx, fg_recipe_job *j, int lua_status) {
  lua_State *L = j->box.L;
  const char *who = j->recipe[j->current].chunk + 1;
  if (lua_status == LUA_ERRMEM && !j->box.full)
    return fg_diag_set(&cx->diag, FG_ENOMEM, "recipe %s: out of memory", who);
  if (lua_status == LUA_ERRMEM) return fg_refuse(cx, "recipe %s: %s", who, fg_sandbox_room(&j->box));
  if (lua_type(L, -1) != LUA_TSTRING)
    return fg_refuse(cx, "recipe %s: error() with a %s; allowed: a text", who, luaL_typename(L, -1));
  char *line = fg_arena_strdup(cx->arena, lua_tostring(L, -1));
  for (char *c = line; *c; c++)
    if (*c < ' ' || *c > '~') *c = *c == '\n' || *c == '\t' ? ' ' : '?';
  const char *hint =
      strstr(line, "(global '") ? "; allowed: the base functions without I/O, math, string, table, utf8, fft" : "";
  bool placed = strchr(line, ':') && (!strncmp(line, who, strlen(who)) || !strncmp(line, "...", 3));
  return fg_refuse(cx, "recipe %s%s%s%s", placed ? "" : who, placed ? "" : ": ", line, hint);
}

static fg_status run(fg_context *cx, fg_recipe_job *j, const char *const *files, int nfile, fg_candidates *out) {
  fg_status st = gather(cx, j, files, nfile);
  if (!st) st = fg_sandbox_open(cx, &j->box);
  if (st) return st;
  lua_pushcfunction(j->box.L, fg_recipe_lua_run);
  lua_pushlightuserdata(j->box.L, j);
  int lua_status = lua_pcall(j->box.L, 1, 1, 0);
  return lua_status ? report(cx, j, lua_status) : collect(cx, j, out);
}

/* Memory that runs out in the arena leaves through the caller's recovery point:
 * the Lua state must be closed on the way. */
fg_status fg_recipe_plans(fg_context *cx, const fg_problem *problem, const fg_device_facts *device,
                          const char *const *files, int nfile, fg_candidates *out) {
  fg_recipe_job *j = fg_arena_new(cx->arena, fg_recipe_job, 1);
  jmp_buf outer;
  j->problem = problem;
  j->device = device;
  memcpy(&outer, fg_arena_recovery(cx->arena), sizeof outer);
  if (fg_arena_guard(cx->arena)) {
    fg_sandbox_close(&j->box);
    memcpy(fg_arena_recovery(cx->arena), &outer, sizeof outer);
    longjmp(outer, 1);
  }
  fg_status st = run(cx, j, files, nfile, out);
  fg_sandbox_close(&j->box);
  memcpy(fg_arena_recovery(cx->arena), &outer, sizeof outer);
  return st;
}
