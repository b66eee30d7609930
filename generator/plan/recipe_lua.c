/* Inside the protected call: loads recipes, calls them, implements fft.*.
 *
 * In: a fg_recipe_job. Out: plan tables on the Lua stack. Every recipe has its own environment, so none can change
 * that of another. Code here may not allocate in the arena, because its jump on failure would skip Lua's. */
#include "generator/plan/recipe_lua.h"
#include "generator/codelet/codelet.h"
#include "generator/math/field.h"
#include "generator/plan/param.h"
#include "generator/plan/recipe_ops.h"
#include "generator/problem/frames.h"
#include "generator/problem/shape.h"
#include "generator/problem/spectrum.h"
#include <lauxlib.h>
#include <string.h>

enum { MAX_DEPTH = 4, FACTOR_STEPS = 100000, SIZE_STEPS = 4 };
#define LONGEST (INT64_C(1) << 62)

/* ---- what recipes are told ----------------------------------------------- */

static void set_integer(lua_State *L, const char *key, int64_t value) {
  lua_pushinteger(L, value);
  lua_setfield(L, -2, key);
}

static void set_boolean(lua_State *L, const char *key, bool value) {
  lua_pushboolean(L, value);
  lua_setfield(L, -2, key);
}

static void set_string(lua_State *L, const char *key, const char *value) {
  lua_pushstring(L, value);
  lua_setfield(L, -2, key);
}

/* What is the same for a problem and for the transforms inside of its plans. */
static void push_common(lua_State *L, const fg_problem *p) {
  lua_newtable(L);
  set_string(L, "precision", fg_precision_name(p->storage));
  set_string(L, "compute", fg_precision_name(p->compute));
  set_integer(L, "sign", p->sign);
}

/* Transforms along one dimension of the batch, of known length, that have a spectrum in common; 1: none have. */
static int64_t sharing(const fg_problem *p) {
  if (p->summed) return 1;
  bool shared = p->spectra == FG_SPECTRA_SHARED, channel = p->spectra == FG_SPECTRA_CHANNEL;
  int others = shared ? p->batch_rank : channel ? p->batch_rank - 1 : 0;
  for (int i = others - 1; i >= 0; i--)
    if (p->batch[i].n.form == FG_NUM_CONST && p->batch[i].n.n > 1) return p->batch[i].n.n;
  return 1;
}

void fg_recipe_lua_push_problem(lua_State *L, const fg_problem *p) {
  const fg_dim *last = &p->dim[p->rank - 1];
  bool varies = false;
  push_common(L, p);
  lua_newtable(L);
  for (int i = 0; i < p->rank; i++) {
    lua_pushinteger(L, p->dim[i].n.n);
    lua_rawseti(L, -2, i + 1);
  }
  lua_setfield(L, -2, "n");
  lua_newtable(L);
  for (int i = 0; i < p->rank; i++) {
    lua_pushstring(L, fg_problem_kind_name(fg_problem_line_kind(p, i)));
    lua_rawseti(L, -2, i + 1);
  }
  lua_setfield(L, -2, "line_kind");
  for (int i = 0; i < p->batch_rank; i++) varies = varies || p->batch[i].n.form != FG_NUM_CONST;
  set_string(L, "kind", fg_problem_kind_name(p->kind));
  set_integer(L, "rank", p->rank);
  set_integer(L, "points", fg_problem_points(p));
  set_integer(L, "batch", fg_problem_batch_count(p, NULL));
  set_integer(L, "batch_rank", p->batch_rank);
  set_boolean(L, "batch_varies", varies);
  set_integer(L, "sharing", sharing(p));
  set_boolean(L, "frames", fg_problem_has_frames(p));
  set_boolean(L, "summed", p->summed > 0);
  set_boolean(L, "scaled", p->scale != FG_SCALE_NONE);
  set_boolean(L, "in_place", p->in_place);
  set_boolean(L, "split_in", p->split_in);
  set_boolean(L, "split_out", p->split_out);
  set_boolean(L, "unit_in", fg_num_is(last->is, 1));
  set_boolean(L, "unit_out", fg_num_is(last->os, 1));
  set_boolean(L, "child", false);
  set_boolean(L, "alone", false);
}

/* Transforms beside each other, in kernels of their own: the batch's, or all lines along a dimension of each. */
static int64_t lines_of(const fg_problem *p, int along) {
  int64_t lines = fg_problem_batch_count(p, NULL);
  for (int i = 0; along && i < p->rank; i++)
    if (i + 1 != along) lines *= fg_problem_spectrum_length(p, i);
  return lines;
}

/* A transform of n points inside of a plan; alone: of the same batch, in kernels of its own; along: 0, or of the lines
 * along this dimension. */
static void push_child_problem(lua_State *L, const fg_problem *p, const char *kind, int64_t n, bool alone, int along) {
  const fg_dim *line = along ? &p->dim[along - 1] : NULL;
  push_common(L, p);
  lua_newtable(L);
  lua_pushinteger(L, n);
  lua_rawseti(L, -2, 1);
  lua_setfield(L, -2, "n");
  set_string(L, "kind", kind);
  set_integer(L, "rank", 1);
  set_integer(L, "points", n);
  set_integer(L, "batch", alone ? lines_of(p, along) : 1);
  set_integer(L, "batch_rank", alone ? p->batch_rank : 0);
  set_boolean(L, "batch_varies", false);
  set_integer(L, "sharing", 1);
  set_boolean(L, "frames", false);
  set_boolean(L, "summed", p->summed > 0);
  set_boolean(L, "scaled", false);
  set_boolean(L, "in_place", false);
  set_boolean(L, "split_in", false);
  set_boolean(L, "split_out", false);
  set_boolean(L, "unit_in", !line || fg_num_is(line->is, 1));
  set_boolean(L, "unit_out", !line || fg_num_is(line->os, 1));
  set_boolean(L, "child", !alone);
  set_boolean(L, "alone", alone);
  if (along) set_integer(L, "along", along);
}

void fg_recipe_lua_push_device(lua_State *L, const fg_problem *p, const fg_device_facts *d) {
  lua_newtable(L);
  set_string(L, "name", d->name);
  set_boolean(L, "gpu", d->is_gpu_like);
  set_integer(L, "lanes", p->compute == FG_F64 ? d->lanes_f64 : d->lanes_f32);
  set_integer(L, "registers", d->registers);
  set_integer(L, "local_bytes", (int64_t)d->local_bytes);
  set_integer(L, "max_threads", d->max_threads);
  set_integer(L, "wave", d->wave);
  set_integer(L, "cluster", d->cluster > 1 ? d->cluster : 1);
  set_boolean(L, "queue", d->queue);
  set_boolean(L, "fma", d->has_fma);
  set_boolean(L, "small_l2", !d->is_gpu_like && fg_is_small_l2((int64_t)d->cache[1]));
  set_integer(L, "codelet_limit", fg_codelet_limit());
  set_integer(L, "matrix_limit", d->machine.matrix ? fg_codelet_matrix_limit() : 0);
  lua_newtable(L);
  for (int i = 0; i < 3; i++) {
    lua_pushinteger(L, (lua_Integer)d->cache[i]);
    lua_rawseti(L, -2, i + 1);
  }
  lua_setfield(L, -2, "cache");
}

/* fft.machine: the figures of the machine, by name. */
static void push_machine(lua_State *L, const fg_device_facts *d) {
  const fg_machine *m = d->machine.name ? &d->machine : fg_machine_find(d->is_gpu_like ? "gpu" : "cpu");
  lua_newtable(L);
  set_string(L, "name", m->name);
  for (const fg_figure *f = fg_machine_figures(); f->name; f++) set_integer(L, f->name, fg_figure_value(m, f));
}

/* ---- asking -------------------------------------------------------------- */

static fg_recipe_job *job_of(lua_State *L) {
  lua_getfield(L, LUA_REGISTRYINDEX, "fg.job");
  fg_recipe_job *j = lua_touserdata(L, -1);
  lua_pop(L, 1);
  return j;
}

/* Calls environment.name(problem, device) of the current recipe: one result. */
static void call(lua_State *L, fg_recipe_job *j, int environment, const char *name, int problem) {
  if (lua_getfield(L, environment, name) != LUA_TFUNCTION)
    luaL_error(L, "%s: '%s' is a %s; allowed: functions applies(problem, device) and plans(problem, device)",
               j->recipe[j->current].chunk + 1, name, luaL_typename(L, -1));
  lua_pushvalue(L, problem);
  fg_recipe_lua_push_device(L, j->problem, j->device);
  lua_call(L, 2, 1);
}

/* Pushes the array of plans of recipe i for the problem table, or nil. */
static void ask(lua_State *L, fg_recipe_job *j, int i, int problem) {
  int before = j->current;
  j->current = i;
  luaL_checkstack(L, 10, "recipes");
  lua_getfield(L, LUA_REGISTRYINDEX, "fg.environments");
  lua_rawgeti(L, -1, i + 1);
  int environment = lua_gettop(L);
  call(L, j, environment, "applies", problem);
  bool applies = lua_toboolean(L, -1);
  lua_settop(L, environment);
  if (applies) {
    call(L, j, environment, "plans", problem);
    if (!lua_istable(L, -1))
      luaL_error(L, "%s: plans() returned a %s; allowed: an array of plans", j->recipe[i].chunk + 1,
                 luaL_typename(L, -1));
  } else {
    lua_pushnil(L);
  }
  lua_replace(L, environment - 1);
  lua_settop(L, environment - 1);
  j->current = before;
}

/* ---- fft.* --------------------------------------------------------------- */

static int64_t check_length(lua_State *L, int arg) {
  lua_Integer n = luaL_checkinteger(L, arg);
  luaL_argcheck(L, n >= 1 && n <= LONGEST, arg, "allowed: 1 .. 2^62");
  return n;
}

static int lua_factor(lua_State *L) {
  uint64_t n = (uint64_t)check_length(L, 1), prime[63] = {2};
  job_of(L)->box.steps += n >> 40 ? FACTOR_STEPS : 1;
  int count = n == LONGEST ? 1 + fg_integer_factor(n / 2, prime + 1) : fg_integer_factor(n, prime);
  lua_createtable(L, count, 0);
  for (int i = 0; i < count; i++) {
    lua_pushinteger(L, (lua_Integer)prime[i]);
    lua_rawseti(L, -2, i + 1);
  }
  return 1;
}

/* The smallest of n and more among product * powers of 2 and of odd[0 .. count-1]. How many were looked at. */
static int64_t search_size(int64_t n, const int *odd, int count, int64_t product, int64_t *best) {
  int64_t seen = 0;
  if (count == 0) {
    while (product < n && product <= LONGEST / 2) product *= 2;
    if (product >= n && product < *best) *best = product;
    return 1;
  }
  for (int p = odd[count - 1];; product *= p) {
    seen += search_size(n, odd, count - 1, product, best);
    if (product >= n || product > LONGEST / p) return seen;
  }
}

/* fft.good_size(n, p): the smallest m >= n without prime factors above p. */
static int lua_good_size(lua_State *L) {
  static const int odd[] = {3, 5, 7, 11, 13};
  int64_t n = check_length(L, 1), best = INT64_MAX;
  lua_Integer max_prime = luaL_checkinteger(L, 2);
  int count = 0;
  luaL_argcheck(L, max_prime >= 2 && max_prime <= 13, 2, "allowed: 2 .. 13");
  while (count < 5 && odd[count] <= max_prime) count++;
  job_of(L)->box.steps += SIZE_STEPS * search_size(n, odd, count, 1, &best); /* 2^62 always serves */
  lua_pushinteger(L, best);
  return 1;
}

enum { MOST_PASSES = 3, MOST_RADIX = 128 };

/* Appends to the table at the top the lists that begin with radix[0 .. count-1]. */
static void push_radices(lua_State *L, int64_t rest, int64_t most, int64_t *radix, int count) {
  if (rest == 1) {
    lua_createtable(L, count, 0);
    for (int i = 0; i < count; i++) {
      lua_pushinteger(L, radix[i]);
      lua_rawseti(L, -2, i + 1);
    }
    lua_rawseti(L, -2, (lua_Integer)lua_rawlen(L, -2) + 1);
    return;
  }
  for (int64_t r = most < rest ? most : rest; r >= 2 && count < MOST_PASSES; r--) {
    job_of(L)->box.steps++;
    if (rest % r) continue;
    radix[count] = r;
    push_radices(L, rest / r, r, radix, count + 1);
  }
}

/* fft.radices(n, most): lists of at most three radices of product n, each at most the one
 * before it and none above `most`; those with the largest ones first. */
static int lua_radices(lua_State *L) {
  int64_t n = check_length(L, 1), radix[MOST_PASSES];
  lua_Integer most = luaL_checkinteger(L, 2);
  luaL_argcheck(L, most >= 2 && most <= MOST_RADIX, 2, "allowed: 2 .. 128");
  lua_newtable(L);
  push_radices(L, n, most, radix, 0);
  return 1;
}

/* How many threads of a GPU hold a transform of n points in registers, n prime: 1, or 4 where it is too large for one;
 * 0: none. In words of 32 bits. */
static int holders(const fg_recipe_job *j, int64_t n) {
  enum { SHARES = 4, CROWDED = 160, CROWDED_F64 = 180, BESIDE_ALL = 10, BESIDE_SHARE = 60 };
  const fg_device_facts *d = j->device;
  bool wide = j->problem->compute == FG_F64;
  bool possible = d->is_gpu_like && n > 2 && n <= fg_codelet_limit() && fg_integer_is_prime((uint64_t)n);
  int64_t words = possible ? (wide ? 4 : 2) * n : 0;
  bool crowded = words > (wide ? CROWDED_F64 : CROWDED);
  if (possible && crowded && words + SHARES * BESIDE_SHARE <= SHARES * d->registers) return SHARES;
  return possible && words + BESIDE_ALL <= d->registers;
}

/* fft.holders(n): the same; nil: they do not. */
static int lua_holders(lua_State *L) {
  int64_t n = check_length(L, 1);
  int count = holders(job_of(L), n);
  if (count)
    lua_pushinteger(L, count);
  else
    lua_pushnil(L);
  return 1;
}

/* fft.held(n): whether registers hold all of a transform of n points, n prime, whose codelet is
 * convolutions of few points; rows pass shared memory once, and on an H200 nothing came near it. */
static int lua_held(lua_State *L) {
  enum { MOST_PRIME = 41 }; /* of n-1 */
  int64_t n = check_length(L, 1);
  uint64_t prime[63];
  int count = holders(job_of(L), n) ? fg_integer_factor((uint64_t)n - 1, prime) : 0;
  lua_pushboolean(L, count && prime[count - 1] <= MOST_PRIME);
  return 1;
}

/* fft.ring(tiles, others, resident, least): lag and queue of a queue whose tiles change places (swap); nil where they
 * cannot, which wants as many tiles of both kernels, a power of two. resident: blocks at once on a multiprocessor;
 * least: of the lag, a transform's tiles when it is not said. What is on its way from one kernel to the other is the
 * lag, and the ring has room for little more. */
static int lua_ring(lua_State *L) {
  enum { MOST_RESIDENT = 1024 };
  enum { AHEAD = 115 }; /* tiles for each block of a multiprocessor, beyond half a transform's, as measured */
  lua_Integer tiles = luaL_checkinteger(L, 1), others = luaL_checkinteger(L, 2), resident = luaL_checkinteger(L, 3);
  luaL_argcheck(L, resident >= 0 && resident <= MOST_RESIDENT, 3, "allowed: 0 .. 1024");
  lua_Integer least = luaL_optinteger(L, 4, tiles), lag = tiles / 2 + AHEAD * resident;
  if (tiles < 1 || tiles != others || (tiles & (tiles - 1))) return lua_pushnil(L), 1;
  if (lag < least) lag = least;
  lua_pushinteger(L, lag);
  lua_pushinteger(L, lag / tiles + 1);
  return 2;
}

/* fft.blocks(n): n as the number of blocks that `resident` takes: whole, at least 1, and no more than it allows. */
static int lua_blocks(lua_State *L) {
  const fg_param_info *info = &fg_param_table()[FG_PARAM_RESIDENT];
  lua_Number n = luaL_checknumber(L, 1);
  lua_pushinteger(L, n >= (lua_Number)info->hi ? info->hi : n >= 1 ? (lua_Integer)n : 1);
  return 1;
}

/* fft.ops(n): real operations of the codelet of n points, without factors, nothing fused; nil: codelets are shorter. */
static int lua_ops(lua_State *L) {
  enum { STEPS = 100 };
  int64_t n = check_length(L, 1), operations = n <= fg_codelet_limit() ? fg_recipe_ops((int)n) : 0;
  if (operations < 0) luaL_error(L, "fft.ops(%d): no memory for its codelet", (int)n);
  job_of(L)->box.steps += STEPS;
  if (n <= fg_codelet_limit())
    lua_pushinteger(L, operations);
  else
    lua_pushnil(L);
  return 1;
}

/* fft.limit(name): a size from which on plans take another form, fitted on machines (targets/machine/limits.def). */
static int lua_limit(lua_State *L) {
  static const struct {
    const char *name;
    int64_t value;
  } limits[] = {
#define LIMIT(name, value, meaning) {#name, value},
#include "targets/machine/limits.def"
#include "targets/machine/plan_limits.def"
#undef LIMIT
  };
  const char *name = luaL_checkstring(L, 1);
  for (size_t i = 0; i < sizeof limits / sizeof *limits; i++)
    if (!strcmp(name, limits[i].name)) {
      lua_pushinteger(L, limits[i].value);
      return 1;
    }
  return luaL_error(L, "fft.limit: no limit '%s'; targets/machine/plan_limits.def has them", name);
}

/* Appends the array at the top to the one below it and drops it. */
static void append(lua_State *L) {
  lua_Integer count = (lua_Integer)lua_rawlen(L, -2), more = (lua_Integer)lua_rawlen(L, -1);
  for (lua_Integer i = 1; i <= more; i++) {
    lua_rawgeti(L, -1, i);
    lua_rawseti(L, -3, count + i);
  }
  lua_pop(L, 1);
}

/* Pushes the memo of plans at this depth: deeper ones know fewer nested plans. */
static void push_memo(lua_State *L, int depth) {
  lua_getfield(L, LUA_REGISTRYINDEX, "fg.memo");
  if (lua_rawgeti(L, -1, depth) == LUA_TNIL) {
    lua_newtable(L);
    lua_copy(L, -1, -2);
    lua_rawseti(L, -3, depth);
  }
  lua_remove(L, -2);
}

/* The kind of that name, in memory that outlives the stack. */
static const char *check_kind(lua_State *L, int arg) {
  const char *name = luaL_optstring(L, arg, fg_problem_kind_name(FG_C2C));
  for (int k = 0; k < FG_KIND_COUNT; k++)
    if (!strcmp(name, fg_problem_kind_name((fg_kind)k))) return fg_problem_kind_name((fg_kind)k);
  luaL_argerror(L, arg, "no kind of transform");
  return NULL;
}

/* Pushes the memo's key of a kind and length. */
static void push_key(lua_State *L, const char *kind, int64_t n, bool alone, int along) {
  lua_pushfstring(L, alone ? "%s %I alone %d" : "%s %I", kind, (LUAI_UACINT)n, along);
}

/* fft.plans(n, kind, alone, along): plans of all recipes for a transform of n points, best first;
 * kind: c2c when it is not said; alone: for kernels of its own, not inside of other passes; along: of all lines along
 * this dimension. */
static int lua_plans(lua_State *L) {
  fg_recipe_job *j = job_of(L);
  int64_t n = check_length(L, 1);
  const char *kind = check_kind(L, 2);
  bool alone = lua_toboolean(L, 3);
  int along = (int)luaL_optinteger(L, 4, 0);
  if (along < 0 || along > j->problem->rank) return luaL_argerror(L, 4, "no dimension");
  lua_settop(L, 0);
  luaL_checkstack(L, 20, "fft.plans");
  push_memo(L, j->depth);
  push_key(L, kind, n, alone, along);
  if (lua_rawget(L, 1) == LUA_TTABLE) return 1;
  lua_settop(L, 1);
  lua_newtable(L);
  if (j->depth == MAX_DEPTH) return 1;
  push_child_problem(L, j->problem, kind, n, alone, along);
  j->depth++;
  for (int k = 0; k < j->count; k++) {
    lua_pushvalue(L, 2);
    ask(L, j, j->order[k], 3);
    if (lua_isnil(L, -1))
      lua_pop(L, 1);
    else
      append(L);
    lua_settop(L, 3);
  }
  j->depth--;
  lua_settop(L, 2);
  push_key(L, kind, n, alone, along);
  lua_pushvalue(L, 2);
  lua_rawset(L, 1);
  return 1;
}

/* ---- loading ------------------------------------------------------------- */

static void load(lua_State *L, fg_recipe_job *j, int i) {
  static const luaL_Reg fft[] = {{"factor", lua_factor},
                                 {"good_size", lua_good_size},
                                 {"radices", lua_radices},
                                 {"holders", lua_holders},
                                 {"held", lua_held},
                                 {"ops", lua_ops},
                                 {"ring", lua_ring},
                                 {"plans", lua_plans},
                                 {"blocks", lua_blocks},
                                 {"limit", lua_limit},
                                 {NULL, NULL}};
  fg_recipe *r = &j->recipe[i];
  j->current = i;
  if (luaL_loadbufferx(L, r->text, r->bytes, r->chunk, "t")) lua_error(L);
  fg_sandbox_push_environment(L);
  luaL_newlib(L, fft);
  push_machine(L, j->device);
  lua_setfield(L, -2, "machine");
  lua_setfield(L, -2, "fft");
  lua_pushvalue(L, -1);
  lua_setupvalue(L, -3, 1);
  lua_insert(L, -2);
  lua_call(L, 0, 0);
  if (lua_getfield(L, -1, "priority") != LUA_TNIL && !lua_isinteger(L, -1))
    luaL_error(L, "%s: 'priority' is a %s; allowed: a whole number", r->chunk + 1, luaL_typename(L, -1));
  r->priority = lua_tointeger(L, -1);
  lua_pop(L, 1);
  if (lua_getfield(L, -1, "only") != LUA_TNIL && !lua_isboolean(L, -1))
    luaL_error(L, "%s: 'only' is a %s; allowed: true, false", r->chunk + 1, luaL_typename(L, -1));
  r->only = lua_toboolean(L, -1);
  lua_pop(L, 1);
  lua_getfield(L, LUA_REGISTRYINDEX, "fg.environments");
  lua_insert(L, -2);
  lua_rawseti(L, -2, i + 1);
  lua_pop(L, 1);
}

/* The user's first; then by priority, equal ones as they came. */
static void sort(fg_recipe_job *j) {
  for (int i = 0; i < j->count; i++) {
    int at = i;
    for (; at > 0; at--) {
      int other = j->order[at - 1];
      bool same_owner = (other < j->nuser) == (i < j->nuser);
      if (!same_owner || j->recipe[other].priority <= j->recipe[i].priority) break;
      j->order[at] = other;
    }
    j->order[at] = i;
  }
}

static void set_registry_table(lua_State *L, const char *key) {
  lua_newtable(L);
  lua_setfield(L, LUA_REGISTRYINDEX, key);
}

int fg_recipe_lua_run(lua_State *L) {
  fg_recipe_job *j = lua_touserdata(L, 1);
  lua_pushvalue(L, 1);
  lua_setfield(L, LUA_REGISTRYINDEX, "fg.job");
  set_registry_table(L, "fg.environments");
  set_registry_table(L, "fg.memo");
  for (int i = 0; i < j->count; i++) {
    fg_sandbox_reset(&j->box);
    load(L, j, i);
  }
  sort(j);
  lua_newtable(L);
  fg_recipe_lua_push_problem(L, j->problem);
  int results = lua_gettop(L) - 1;
  for (int k = 0; k < j->count; k++) {
    fg_sandbox_reset(&j->box);
    ask(L, j, j->order[k], results + 1);
    lua_rawseti(L, results, j->order[k] + 1);
  }
  lua_settop(L, results);
  return 1;
}
