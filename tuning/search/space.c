/* See space.h. In: rules, a problem, plans. Out: variants as checked plans. expand.lua defines the meaning of rules;
 * here Lua is opened and called, and its tables are read, as recipe.c does for recipes. */
#include "tuning/search/space.h"
#include "generator/base/files.h"
#include "generator/base/strbuf.h"
#include "generator/plan/recipe_lua.h"
#include "targets/cc/kind.h"
#include "tuning/embedded.h"
#include <lauxlib.h>
#include <string.h>

enum { MAX_FILE = 1 << 20, MAX_VARIANTS = 4096, MAX_ISAS = 8, MAX_CANDIDATES = 1000 };

/* The positions on Lua's stack during a session. */
enum { AT_RULES = 1, AT_EXPAND, AT_PROBLEM, AT_DEVICE, AT_PARAMS };

typedef struct session {
  fg_sandbox box;
  const fg_search_space *space;
  const fg_compilation *c; /* NULL: the file alone is checked */
  const fg_space_device *device;
  const char *call; /* function of expand.lua; NULL: none */
} session;

/* ---- what rules are told -------------------------------------------------------- */

/* As a plan has it: a name, or a number. */
static void push_value(lua_State *L, const fg_param_info *info, int64_t value) {
  size_t length = 0;
  const char *name = fg_param_value_name(info, value, &length);
  if (name)
    lua_pushlstring(L, name, length);
  else
    lua_pushinteger(L, value);
}

static void push_param(lua_State *L, const fg_param_info *info) {
  lua_newtable(L);
  lua_pushstring(L, info->name), lua_setfield(L, -2, "name");
  lua_pushinteger(L, info->lo), lua_setfield(L, -2, "lo");
  lua_pushinteger(L, info->hi), lua_setfield(L, -2, "hi");
  push_value(L, info, info->preset), lua_setfield(L, -2, "preset");
  if (!info->values) return;
  lua_newtable(L);
  for (int64_t v = info->lo; v <= info->hi; v++) push_value(L, info, v), lua_rawseti(L, -2, v - info->lo + 1);
  lua_setfield(L, -2, "values");
}

/* By all their names, older ones too. */
static void push_params(lua_State *L) {
  const fg_param_info *info = fg_param_table();
  lua_newtable(L);
  for (int i = 0; i < FG_PARAM_COUNT; i++) push_param(L, &info[i]), lua_setfield(L, -2, info[i].name);
  for (const fg_param_alias *a = fg_param_aliases(); a->old; a++)
    if (!a->bit) push_param(L, &info[a->id]), lua_setfield(L, -2, a->old);
}

static void push_plan(lua_State *L, const fg_plan *p) {
  int at = 1;
  luaL_checkstack(L, 6, "plans");
  lua_newtable(L);
  lua_pushstring(L, fg_step_name(p->step)), lua_rawseti(L, -2, at++);
  for (int i = 0; i < p->narg; i++) lua_pushinteger(L, p->arg[i]), lua_rawseti(L, -2, at++);
  for (int i = 0; i < p->nchild; i++) push_plan(L, p->child[i]), lua_rawseti(L, -2, at++);
  for (int i = 0; i < p->nparam; i++) {
    const fg_param_info *info = &fg_param_table()[p->param[i].id];
    push_value(L, info, p->param[i].value), lua_setfield(L, -2, info->name);
  }
}

static void push_plans(lua_State *L, const fg_compilation *c) {
  lua_newtable(L);
  for (int i = 0; i < c->ncandidate; i++) push_plan(L, c->candidate[i].plan), lua_rawseti(L, -2, i + 1);
}

/* Into the table at the top: narrower vectors, the widest first, that fuse alike. */
static void add_narrower(lua_State *L, const fg_isa *isa) {
  const fg_isa *all = fg_isa_table();
  int count = 0, at = 0;
  while (all[count].name) count++;
  lua_newtable(L);
  for (int i = count - 1; isa && i >= 0; i--)
    if (all[i].vector_bytes && all[i].vector_bytes < isa->vector_bytes && all[i].fma == isa->fma &&
        !strcmp(all[i].cpu, isa->cpu))
      lua_pushstring(L, all[i].name), lua_rawseti(L, -2, ++at);
  lua_setfield(L, -2, "narrower");
}

static void push_device(lua_State *L, const session *s) {
  fg_device_facts facts = s->c->facts;
  memcpy(facts.cache, s->device->cache, sizeof facts.cache);
  fg_recipe_lua_push_device(L, &s->c->problem, &facts);
  lua_pushstring(L, s->c->isa ? s->c->isa->name : ""), lua_setfield(L, -2, "isa");
  add_narrower(L, s->c->isa);
  lua_newtable(L);
  for (int i = 0; s->device->compiler && s->device->compiler[i]; i++)
    lua_pushstring(L, s->device->compiler[i]), lua_rawseti(L, -2, i + 1);
  lua_setfield(L, -2, "compilers");
}

/* ---- inside the protected call ---------------------------------------------------- */

/* Pushes the environment that the chunk ran in. */
static void run_chunk(lua_State *L, const char *text, size_t bytes, const char *name) {
  if (luaL_loadbufferx(L, text, bytes, name, "t")) lua_error(L);
  fg_sandbox_push_environment(L);
  lua_pushvalue(L, -1);
  lua_setupvalue(L, -3, 1);
  lua_insert(L, -2);
  lua_call(L, 0, 0);
}

static const fg_embedded_file *embedded(const char *name) {
  const fg_embedded_file *f = fg_tuning_embedded;
  while (strcmp(f->name, name) != 0) f++;
  return f;
}

static void check_most(lua_State *L, session *s) {
  int whole;
  if (lua_getfield(L, -1, "candidates") != LUA_TNIL) {
    lua_Integer most = lua_tointegerx(L, -1, &whole);
    if (!whole || most < 1 || most > MAX_CANDIDATES)
      luaL_error(L, "'candidates' is no whole number in 1 .. %d", MAX_CANDIDATES);
    ((fg_search_space *)s->space)->most = (int)most;
  }
  lua_pop(L, 1);
}

/* Leaves rules and the environment of expand.lua at their places. */
static void load_rules(lua_State *L, session *s) {
  const fg_embedded_file *f = embedded("expand.lua");
  run_chunk(L, s->space->text, s->space->bytes, lua_pushfstring(L, "@%s", s->space->name));
  check_most(L, s);
  lua_getfield(L, -1, "rules");
  lua_replace(L, AT_RULES);
  lua_settop(L, AT_RULES);
  run_chunk(L, f->text, f->bytes, "@expand.lua");
  lua_getfield(L, AT_EXPAND, "check");
  lua_pushvalue(L, AT_RULES);
  push_params(L);
  lua_call(L, 2, 0);
}

static int run_session(lua_State *L) {
  session *s = lua_touserdata(L, 1);
  load_rules(L, s);
  if (!s->call) return 0;
  fg_recipe_lua_push_problem(L, &s->c->problem);
  push_device(L, s);
  push_params(L);
  lua_getfield(L, AT_EXPAND, s->call);
  lua_pushvalue(L, AT_RULES), lua_pushvalue(L, AT_PROBLEM), lua_pushvalue(L, AT_DEVICE);
  push_plans(L, s->c);
  lua_pushvalue(L, AT_PARAMS);
  lua_call(L, 5, 1);
  return 1;
}

/* ---- around it ------------------------------------------------------------------------ */

static fg_status report(fg_context *cx, const session *s, int lua_status) {
  const char *name = s->space->name;
  if (lua_status == LUA_ERRMEM && !s->box.full)
    return fg_diag_set(&cx->diag, FG_ENOMEM, "space %s: out of memory", name);
  if (lua_status == LUA_ERRMEM) return fg_diag_set(&cx->diag, FG_EUSER, "space %s: %s", name, fg_sandbox_room(&s->box));
  const char *text = lua_type(s->box.L, -1) == LUA_TSTRING ? lua_tostring(s->box.L, -1) : "error() without a text";
  char *line = fg_arena_strdup(cx->arena, text);
  for (char *c = line; *c; c++)
    if (*c < ' ' || *c > '~') *c = *c == '\n' || *c == '\t' ? ' ' : '?';
  bool placed = !strncmp(line, name, strlen(name));
  return fg_diag_set(&cx->diag, FG_EUSER, "space %s%s%s", placed ? "" : name, placed ? "" : ": ", line);
}

typedef fg_status (*reader)(fg_context *cx, session *s, void *out);

static fg_status hold(fg_context *cx, session *s, reader read, void *out) {
  fg_status status = fg_sandbox_open(cx, &s->box);
  if (status != FG_OK) return status;
  lua_pushcfunction(s->box.L, run_session);
  lua_pushlightuserdata(s->box.L, s);
  int lua_status = lua_pcall(s->box.L, 1, read ? 1 : 0, 0);
  if (lua_status) return report(cx, s, lua_status);
  return read ? read(cx, s, out) : FG_OK;
}

/* Memory that runs out in the arena leaves through the caller's recovery point:
 * the Lua state must be closed on the way. */
static fg_status hold_safely(fg_context *cx, session *s, reader read, void *out) {
  session *kept = fg_arena_new(cx->arena, session, 1);
  jmp_buf outer;
  *kept = *s;
  memcpy(&outer, fg_arena_recovery(cx->arena), sizeof outer);
  if (fg_arena_guard(cx->arena)) {
    fg_sandbox_close(&kept->box);
    memcpy(fg_arena_recovery(cx->arena), &outer, sizeof outer);
    longjmp(outer, 1);
  }
  fg_status status = hold(cx, kept, read, out);
  fg_sandbox_close(&kept->box);
  memcpy(fg_arena_recovery(cx->arena), &outer, sizeof outer);
  return status;
}

fg_status fg_space_load(fg_context *cx, const char *path, fg_search_space *out) {
  char *text;
  const fg_embedded_file *own = embedded("space.lua");
  *out = (fg_search_space){.name = own->name, .text = own->text, .bytes = own->bytes, .own = !path};
  if (path) {
    fg_status status = fg_files_read(cx, path, &text, &out->bytes);
    if (status != FG_OK) return status;
    if (out->bytes > MAX_FILE)
      return fg_diag_set(&cx->diag, FG_EUSER, "space %s: %zu bytes; allowed: up to 1 MB", path, out->bytes);
    out->name = path, out->text = text;
  }
  return hold_safely(cx, &(session){.space = out}, NULL, NULL);
}

/* ---- results ----------------------------------------------------------------------------- */

typedef struct names {
  const char **name;
  int count;
} names;

static fg_status read_isas(fg_context *cx, session *s, void *data) {
  names *out = data;
  lua_State *L = s->box.L;
  int count = (int)lua_rawlen(L, -1);
  if (count > MAX_ISAS)
    return fg_diag_set(&cx->diag, FG_EUSER, "space %s: %d instruction sets; allowed: %d", s->space->name, count,
                       MAX_ISAS);
  out->name = fg_arena_new(cx->arena, const char *, count + 1);
  for (int i = 1; i <= count; i++) {
    lua_rawgeti(L, -1, i);
    const char *name = fg_arena_strdup(cx->arena, lua_tostring(L, -1));
    if (!fg_isa_find(name))
      return fg_diag_set(&cx->diag, FG_EUSER, "space %s: isa \"%s\": unknown", s->space->name, name);
    out->name[out->count++] = name;
    lua_pop(L, 1);
  }
  return FG_OK;
}

fg_status fg_space_isas(const fg_compilation *c, const fg_search_space *s, const fg_space_device *d, const char ***name,
                        int *count) {
  names all = {0};
  session asked = {.space = s, .c = c, .device = d, .call = "isas"};
  fg_status status = hold_safely(c->cx, &asked, read_isas, &all);
  *name = all.name, *count = all.count;
  return status;
}

typedef struct variants {
  const fg_compilation *c;
  fg_space_variant *list;
  const char **text; /* of each plan: equal ones are taken once */
  int count;
} variants;

static bool is_new(const variants *v, const char *text, const char *compiler) {
  for (int i = 0; i < v->count; i++) {
    const char *other = v->list[i].compiler;
    if (!strcmp(v->text[i], text) && (other ? compiler && !strcmp(other, compiler) : !compiler)) return false;
  }
  return true;
}

/* The variant at the top. */
static fg_status add_variant(fg_context *cx, session *s, int origin, variants *v) {
  lua_State *L = s->box.L;
  fg_context own = {.arena = cx->arena};
  fg_plan *plan;
  fg_strbuf text = fg_strbuf_new(cx->arena);
  lua_getfield(L, -1, "plan");
  const char *why = fg_recipe_write_plan(cx, L, &text);
  if (!why && (fg_plan_parse(&own, text.text, &plan) || fg_plan_fits(&own, plan, &v->c->problem)))
    why = own.diag.message;
  if (why && s->space->own) return lua_pop(L, 1), FG_OK; /* not this one */
  if (why) return fg_diag_set(&cx->diag, FG_EUSER, "space %s: plan %s: %s", s->space->name, text.text, why);
  lua_getfield(L, -2, "compiler");
  const char *compiler = lua_type(L, -1) == LUA_TSTRING ? fg_arena_strdup(cx->arena, lua_tostring(L, -1)) : NULL;
  lua_pop(L, 2);
  if (compiler && !fg_cc_is_name(compiler))
    return fg_diag_set(&cx->diag, FG_EUSER,
                       "space %s: compiler %s; allowed: gcc, clang, clang-19, cc (--compiler: any)", s->space->name,
                       compiler);
  const char *line = fg_plan_print(cx, plan);
  if (!is_new(v, line, compiler)) return FG_OK;
  plan->recipe = v->c->candidate[origin].plan->recipe;
  v->text[v->count] = line;
  v->list[v->count++] = (fg_space_variant){plan, compiler, origin};
  return FG_OK;
}

static fg_status read_variants(fg_context *cx, session *s, void *data) {
  variants *v = data;
  lua_State *L = s->box.L;
  v->list = fg_arena_new(cx->arena, fg_space_variant, MAX_VARIANTS);
  v->text = fg_arena_new(cx->arena, const char *, MAX_VARIANTS);
  for (int i = 0; i < v->c->ncandidate; i++) {
    lua_rawgeti(L, -1, i + 1);
    int count = (int)lua_rawlen(L, -1);
    if (v->count + count > MAX_VARIANTS)
      return fg_diag_set(&cx->diag, FG_EUSER, "space %s: more than %d variants of all plans", s->space->name,
                         MAX_VARIANTS);
    for (int k = 1; k <= count; k++) {
      lua_rawgeti(L, -1, k);
      fg_status status = add_variant(cx, s, i, v);
      lua_pop(L, 1);
      if (status != FG_OK) return status;
    }
    lua_pop(L, 1);
  }
  return FG_OK;
}

static fg_status ask(const fg_compilation *c, const fg_search_space *s, const fg_space_device *d, const char *call,
                     fg_space_variant **out, int *count) {
  variants v = {.c = c};
  session all = {.space = s, .c = c, .device = d, .call = call};
  fg_status status = hold_safely(c->cx, &all, read_variants, &v);
  *out = v.list, *count = v.count;
  return status;
}

fg_status fg_space_expand(const fg_compilation *c, const fg_search_space *s, const fg_space_device *d,
                          fg_space_variant **out, int *count) {
  return ask(c, s, d, "expand", out, count);
}

fg_status fg_space_around(const fg_compilation *c, const fg_search_space *s, const fg_space_device *d,
                          fg_space_variant **out, int *count) {
  return ask(c, s, d, "around", out, count);
}
