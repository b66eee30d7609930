/* Recipes: the built-in ones serve every length; the user's run in a sandbox. */
#include "generator/codelet/codelet.h"
#include "generator/plan/recipe.h"
#include "tests/unit/pace.h"
#include <cmocka.h>

#include "tests/unit/refusal.h"
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static char folder[] = "/tmp/fg_recipe_XXXXXX";
static char user_file[64];

static const fg_device_facts cpu = {.name = "test", .lanes_f32 = 16, .lanes_f64 = 8, .registers = 32, .has_fma = true};
static const fg_device_facts gpu = {.name = "test",
                                    .is_gpu_like = true,
                                    .lanes_f32 = 1,
                                    .lanes_f64 = 1,
                                    .registers = 128,
                                    .local_bytes = 49152,
                                    .max_threads = 1024};

static int group_setup(void **state) {
  (void)state;
  if (!mkdtemp(folder)) return -1;
  snprintf(user_file, sizeof user_file, "%s/mine.lua", folder);
  return 0;
}

static int group_teardown(void **state) {
  (void)state;
  unlink(user_file);
  return rmdir(folder);
}

static fg_status ask(const char *problem, const fg_device_facts *facts, const char *file, fg_candidates *out) {
  fg_problem p;
  const char *files[] = {file};
  fg_diag_clear(&context.diag);
  if (fg_problem_parse(&context, problem, &p)) fail_msg("%s", context.diag.message);
  return fg_recipe_plans(&context, &p, facts, files, file != NULL, out);
}

static void write_user_file(const char *text) {
  FILE *f = fopen(user_file, "w");
  assert_non_null(f);
  fputs(text, f);
  fclose(f);
}

static fg_status ask_user(const char *problem, const char *text, fg_candidates *out) {
  write_user_file(text);
  return ask(problem, &cpu, user_file, out);
}

static const char *plan_text(const fg_candidates *c, int i) { return fg_plan_print(&context, c->plan[i]); }

static bool has_step(const fg_candidates *c, fg_step step) {
  for (int i = 0; i < c->count; i++)
    if (c->plan[i]->step == step) return true;
  return false;
}

/* What is left after trial division is one prime, or two large ones. */
static int64_t largest_prime(int64_t n) {
  int64_t largest = 1;
  for (int64_t p = 2; p * p <= n && p < 1 << 16; p++)
    for (; n % p == 0; n /= p) largest = p;
  return n > 1 ? n : largest;
}

static bool offers(const char *problem, const fg_device_facts *facts, const char *text) {
  fg_candidates c;
  if (ask(problem, facts, NULL, &c)) fail_msg("%s: %s", problem, context.diag.message);
  for (int i = 0; i < c.count; i++)
    if (!strcmp(plan_text(&c, i), text)) return true;
  return false;
}

/* Short transforms on vectors of 64 bytes: half of them as well. */
static void test_half_vectors(void **state) {
  (void)state;
  const fg_device_facts narrow = {.name = "test", .lanes_f32 = 8, .lanes_f64 = 4, .registers = 16, .has_fma = true};
  assert_true(offers("c2c f32 n=60", &cpu, "stockham(4,15; lanes=8)"));
  assert_true(offers("c2c f64 n=32", &cpu, "stockham(8,4; lanes=4)"));
  assert_true(offers("c2c f32 n=60", &cpu, "stockham(4,15)"));
  assert_false(offers("c2c f32 n=256", &cpu, "stockham(16,16; lanes=8)"));
  assert_false(offers("c2c f32 n=60", &narrow, "stockham(4,15; lanes=4)"));
}

/* A first radix that fills vectors of pairs is offered first, too. */
static void test_first_of_pairs(void **state) {
  (void)state;
  assert_true(offers("c2c f32 n=256", &cpu, "stockham(8,32)"));
  assert_true(offers("c2c f64 n=300", &cpu, "stockham(4,15,5)"));
  assert_false(offers("c2c f64 n=75", &cpu, "stockham(5,15)"));
}

/* At least one plan, all of them right, none twice, each step where it belongs. */
/* On GPUs a prime that crowds a thread is shared out to four. */
static bool is_shared_out(const char *precision, int64_t n, const fg_device_facts *facts) {
  int64_t words = precision[1] == '6' ? 4 : 2;
  bool fits = facts->is_gpu_like && n > 2 && n <= fg_codelet_limit() && words * n / 4 + 60 <= facts->registers;
  return fits && largest_prime(n) == n && words * n > (words == 4 ? 180 : 160);
}

/* There a thread's registers hold it, or those of four do: nothing else is offered. */
static bool is_held(const char *precision, int64_t n, const fg_device_facts *facts) {
  int64_t words = precision[1] == '6' ? 4 : 2;
  bool fits = facts->is_gpu_like && n > 2 && n <= fg_codelet_limit() && words * n + 10 <= facts->registers;
  fits = fits || is_shared_out(precision, n, facts);
  return fits && largest_prime(n) == n && largest_prime(n - 1) <= 41;
}

/* Longer ones on GPUs: along the dimensions of an array, or by passes of a block. */
static void check_arrays(const fg_candidates *c, bool prime) {
  for (int i = 0; i < c->count; i++) {
    if (c->plan[i]->step != FG_RADER) continue;
    assert_true(prime);
    fg_step inside = c->plan[i]->child[0]->step;
    assert_true(inside == FG_PRIME_FACTOR || inside == FG_STOCKHAM || inside == FG_DIRECT);
  }
}

static void check_length(const char *precision, int64_t n, const fg_device_facts *facts) {
  fg_candidates c;
  fg_arena_destroy(context.arena);
  setup(NULL);
  const char *text = fg_arena_printf(context.arena, "c2c %s n=%lld", precision, (long long)n);
  if (ask(text, facts, NULL, &c)) fail_msg("%s: %s", text, context.diag.message);
  if (c.count < 1 || c.count > 96) fail_msg("%s: %d plans", text, c.count);
  for (int i = 0; i < c.count; i++) {
    if (fg_plan_check(&context, c.plan[i], n)) fail_msg("%s: %s", text, context.diag.message);
    assert_non_null(c.plan[i]->recipe);
    assert_string_equal(c.plan[i]->recipe, fg_step_name(c.plan[i]->step));
    for (int j = 0; j < i; j++) assert_string_not_equal(plan_text(&c, i), plan_text(&c, j));
  }
  int64_t straight = facts->is_gpu_like ? 56 : 64; /* what one codelet holds */
  bool shared = is_shared_out(precision, n, facts), alone = n <= fg_codelet_limit() && largest_prime(n) == n;
  assert_int_equal(has_step(&c, FG_DIRECT), !shared && (n <= straight || alone));
  assert_int_equal(has_step(&c, FG_DENSE), shared);
  bool held = is_held(precision, n, facts);
  int64_t reached = largest_prime(n) == n ? 19 : facts->is_gpu_like ? 31 : 43; /* primes of radices */
  assert_int_equal(has_step(&c, FG_BLUESTEIN), !held && largest_prime(n) > reached);
  bool prime = n >= 37 && n < INT64_C(1) << 31 && largest_prime(n) == n;
  if (facts->is_gpu_like && n >= 256)
    check_arrays(&c, prime);
  else
    assert_int_equal(has_step(&c, FG_RADER), !held && prime);
  if (largest_prime(n) <= reached && n > 64) assert_true(has_step(&c, FG_STOCKHAM));
}

static void test_every_length(void **state) {
  (void)state;
  for (int n = 1, number = 0; n <= 5000; n += n < 300 ? 1 : 11, number++)
    if (!is_left_out(number, 10)) check_length("f32", n, &cpu);
}

static void test_every_length_gpu(void **state) {
  (void)state;
  for (int n = 1, number = 0; n <= 5000; n += n < 150 ? 1 : 17, number++)
    if (!is_left_out(number, 10)) check_length("f64", n, &gpu);
}

/* One less than these is a product of short lengths without a common factor. */
static void test_arrays(void **state) {
  (void)state;
  static const int lengths[] = {421, 631, 1009, 2311, 2521};
  fg_candidates c;
  for (size_t i = 0; i < sizeof lengths / sizeof *lengths; i++) {
    const char *text = fg_arena_printf(context.arena, "c2c f64 n=%d", lengths[i]);
    assert_int_equal(ask(text, &gpu, NULL, &c), FG_OK);
    assert_true(has_step(&c, FG_RADER));
  }
}

static void test_large_lengths(void **state) {
  (void)state;
  static const int64_t lengths[] = {1 << 20,
                                    1 << 22,
                                    INT64_C(1) << 40,
                                    INT64_C(1) << 61,
                                    1000000,
                                    1000003,
                                    65537,
                                    2 * 1000003,
                                    64 * 10007,
                                    10007 * 10009,
                                    INT64_C(1000000007) * 1009,
                                    INT64_C(897612484786617600),
                                    (INT64_C(1) << 61) - 1,
                                    INT64_C(2305843009213693951) * 1,
                                    (INT64_C(1) << 40) * 67,
                                    INT64_C(4052555153018976267),
                                    5764801,
                                    1771561,
                                    3 * 37 * 41 * 43,
                                    61 * 61 * 61,
                                    67 * 67};
  for (size_t i = 0; i < sizeof lengths / sizeof *lengths; i++) check_length("f64", lengths[i], &cpu);
}

static void test_preferences(void **state) {
  (void)state;
  fg_candidates c;
  assert_int_equal(ask("c2c f32 n=8", &cpu, NULL, &c), FG_OK);
  assert_string_equal(plan_text(&c, 0), "direct(8)");
  assert_int_equal(ask("c2c f32 n=1024", &cpu, NULL, &c), FG_OK);
  bool found = false;
  for (int i = 0; i < c.count; i++) {
    found = found || !strcmp(plan_text(&c, i), "stockham(16,8,8)");
    if (c.plan[i]->step == FG_STOCKHAM) assert_true(c.plan[i]->arg[0] >= 16);
  }
  assert_true(found);
  /* a thread's registers hold a radix */
  for (int f64 = 0; f64 < 2; f64++) {
    assert_int_equal(ask(f64 ? "c2c f64 n=1024" : "c2c f32 n=1024", &gpu, NULL, &c), FG_OK);
    for (int i = 0; i < c.count; i++)
      for (int k = 0; k < c.plan[i]->narg; k++) assert_true(c.plan[i]->arg[k] <= (f64 ? 16 : 32));
  }
  assert_int_equal(ask("c2c f64 n=2018", &cpu, NULL, &c), FG_OK); /* 2 * 1009 */
  assert_true(has_step(&c, FG_COOLEY_TUKEY) && has_step(&c, FG_BLUESTEIN));
}

static void test_same_every_time(void **state) {
  (void)state;
  static const char *const problems[] = {"c2c f32 n=5040", "c2c f64 n=2018", "c2c f32 n=30030"};
  for (size_t k = 0; k < sizeof problems / sizeof *problems; k++) {
    fg_candidates a, b;
    assert_int_equal(ask(problems[k], &cpu, NULL, &a), FG_OK);
    for (int round = 0; round < 5; round++) {
      assert_int_equal(ask(problems[k], &cpu, NULL, &b), FG_OK);
      assert_int_equal(a.count, b.count);
      for (int i = 0; i < a.count; i++) assert_string_equal(plan_text(&a, i), plan_text(&b, i));
    }
  }
}

static void test_other_kinds(void **state) {
  (void)state;
  fg_candidates c;
  assert_int_equal(ask("r2c f32 n=8", &cpu, NULL, &c), FG_OK);
  assert_int_equal(c.count, 1);
  assert_string_equal(plan_text(&c, 0), "direct(8)");
  assert_int_equal(ask("c2c f32 n=8x1009x64", &cpu, NULL, &c), FG_OK);
  assert_true(c.count > 3);
  for (int i = 0; i < c.count; i++) assert_int_equal(strncmp(plan_text(&c, i), "nd(", 3), 0);
}

static void test_not_served(void **state) {
  (void)state;
  fg_candidates c;
  assert_int_equal(ask("c2c f32 n=4611686018427387847", &cpu, NULL, &c), FG_OK); /* a prime: L would pass 2^62 */
  assert_int_equal(c.count, 0);
}

/* ---- recipes of users ---------------------------------------------------- */

static void test_ten_lines(void **state) {
  (void)state;
  fg_candidates c;
  fg_status st = ask_user("c2c f32 n=4096",
                          "-- 4096 and its like: radix 16 all the way\n"
                          "function applies(problem, device)\n"
                          "  local n = problem.points\n"
                          "  while n % 16 == 0 do n = n // 16 end\n"
                          "  return problem.kind == 'c2c' and n == 1 and problem.points > 1\n"
                          "end\n"
                          "function plans(problem, device)\n"
                          "  local plan, n = { 'stockham', lanes = device.lanes }, problem.points\n"
                          "  while n > 1 do table.insert(plan, 16); n = n // 16 end\n"
                          "  return { plan }\n"
                          "end\n",
                          &c);
  if (st) fail_msg("%s", context.diag.message);
  assert_string_equal(plan_text(&c, 0), "stockham(16,16,16; lanes=16)");
  assert_string_equal(c.plan[0]->recipe, "mine");
  assert_true(c.count > 1); /* the built-in ones follow */
  assert_int_equal(ask("c2c f32 n=4097", &cpu, user_file, &c), FG_OK);
  assert_string_not_equal(c.plan[0]->recipe, "mine");
}

/* What a recipe that is to be the only one has is all there is, but for lengths that it leaves alone. */
static void test_only(void **state) {
  (void)state;
  static const char recipe[] = "only = true function applies(problem) return problem.points % 2 == 0 end\n"
                               "function plans(problem) return { { 'stockham', 2, problem.points // 2 } } end\n";
  fg_candidates c;
  assert_int_equal(ask_user("c2c f32 n=24", recipe, &c), FG_OK);
  assert_int_equal(c.count, 1);
  assert_string_equal(plan_text(&c, 0), "stockham(2,12)");
  assert_int_equal(ask_user("c2c f32 n=45", recipe, &c), FG_OK);
  assert_true(c.count > 1);
}

/* User recipes serve fft.plans too, and see what the header of recipe.h says. */
static void test_facts(void **state) {
  (void)state;
  fg_candidates c;
  fg_status st = ask_user(
      "c2c f64 n=1009:2:1 batch=4xcount[1..7] sign=+1 layout=split",
      "function applies(p, d)\n"
      "  if p.child then return p.points == 2048 end\n"
      "  assert(p.kind == 'c2c' and p.rank == 1 and #p.n == 1 and p.n[1] == 1009 and p.points == 1009)\n"
      "  assert(p.precision == 'f64' and p.compute == 'f64' and p.sign == 1)\n"
      "  assert(p.batch == 28 and p.batch_rank == 2 and p.batch_varies and not p.in_place)\n"
      "  assert(p.split_in and p.split_out and not p.unit_in and p.unit_out)\n"
      "  assert(d.lanes == 8 and d.registers == 32 and not d.gpu and d.fma and d.codelet_limit >= 32)\n"
      "  assert(#fft.factor(720) == 7 and fft.factor(720)[7] == 5 and #fft.factor(1) == 0)\n"
      "  assert(fft.factor(1 << 62)[62] == 2 and fft.factor((1 << 61) - 1)[1] == (1 << 61) - 1)\n"
      "  assert(fft.good_size(2017, 2) == 2048 and fft.good_size(2017, 5) == 2025 and fft.good_size(2017, 7) "
      "== 2016 + 9)\n"
      "  assert(fft.holders(97) == nil and fft.holders(1 << 61) == nil)\n"
      "  local lag, ring = fft.ring(256, 256, 2)\n"
      "  assert(lag == 358 and ring == 2 and fft.ring(256, 256, 2, 600) == 600)\n"
      "  assert(fft.ring(256, 128, 2) == nil and fft.ring(96, 96, 2) == nil and fft.ring(0, 0, 2) == nil)\n"
      "  assert(fft.ring(1 << 62, 1 << 62, 2) == 1 << 62)\n"
      "  local r = fft.radices(24, 8)\n"
      "  assert(#r == 4 and table.concat(r[1], ' ') == '8 3' and table.concat(r[4], ' ') == '4 3 2')\n"
      "  assert(#fft.radices(1 << 40, 128) == 0 and #fft.radices(97, 96) == 0 and #fft.radices(128, 128) == 8)\n"
      "  assert(fft.good_size(1, 2) == 1 and fft.good_size(1 << 62, 13) == 1 << 62)\n"
      "  local keys = {}\n"
      "  for k in pairs({ z = 1, a = 2, m = 3, 10, 20 }) do table.insert(keys, tostring(k)) end\n"
      "  assert(table.concat(keys, ' ') == '1 2 a m z')\n"
      "  assert(tostring({}) == 'table' and ('x'):rep(3) == 'xxx' and string.format('%d', 3) == '3')\n"
      "  assert(string.format('%%p %5.1f%%', 2) == '%p   2.0%')\n"
      "  local list = { 'b', 'B', 'ab', 'a', '', 'a\\0b', 'a\\0a' }\n"
      "  table.sort(list)\n"
      "  assert(table.concat(list, ' ') == ' B a a\\0a a\\0b ab b')\n"
      "  for n = 0, 70 do\n"
      "    local t, x = {}, n\n"
      "    for i = 1, n do x = x * 1103515245 + 12345 & 0x7fffffff t[i] = { key = x % 7, at = i } end\n"
      "    table.sort(t, function(a, b) return a.key < b.key end)\n"
      "    for i = 2, n do\n"
      "      local a, b = t[i - 1], t[i]\n"
      "      assert(#t == n and (a.key < b.key or (a.key == b.key and a.at < b.at)))\n"
      "    end\n"
      "  end\n"
      "  return false\n"
      "end\n"
      "function plans() return { { 'stockham', 32, 8, 8, tables = 1 } } end\n",
      &c);
  if (st) fail_msg("%s", context.diag.message);
  bool nested = false;
  for (int i = 0; i < c.count; i++) nested = nested || !strcmp(plan_text(&c, i), "bluestein(2048, stockham(32,8,8))");
  assert_true(nested);
}

#define FUNCTIONS "function applies() return true end function plans(problem) "

/* Recipe, and words that the message must contain. */
static const char *const bad[][3] = {
    {"function applies() return true end\nfunction plans()\n  while true do end\nend", "mine.lua:3:", "50 million"},
    {"function applies() return true end\nwhile true do end", "mine.lua:2:", "50 million"},
    {FUNCTIONS "\nreturn plans(problem) end", "mine.lua", "50 million"},
    {FUNCTIONS "\nlocal function f() return 1 + f() end return f() end", "mine.lua", "allowed: 64 MB"},
    {FUNCTIONS "\nerror('no luck') end", "mine.lua:2: no luck", "recipe"},
    {FUNCTIONS "error({ 1 }) end", "mine.lua", "error() with a table; allowed: a text"},
    {FUNCTIONS "error('a\\nb\\1', 0) end", "a b?", "recipe"},
    {FUNCTIONS "local s = 'x' for i = 1, 40 do s = s .. s end end", "mine.lua", "allowed: 64 KB"},
    {FUNCTIONS "local t = {} for i = 1, 1 << 40 do t[i] = { i } end end", "mine.lua", "allowed: 64 MB"},
    {FUNCTIONS "return ('x'):rep(1 << 20):rep(1 << 20) end", "a text that is too long", "allowed: 64 KB"},
    {FUNCTIONS "return ('x'):rep(1 << 10):rep(1 << 10) end", "a text that is too long", "allowed: 64 KB"},
    {FUNCTIONS "local a, t = ('\\0'):rep(60000), {} for i = 1, 200000 do t[i] = a end\ntable.sort(t) end",
     "mine.lua:2:", "50 million"},
    {FUNCTIONS "local t = {} for i = 1, 1 << 20 do t[i] = i end\ntable.sort(t, function() return true end) end",
     "mine.lua:2:", "50 million"},
    {FUNCTIONS "table.sort({ 1, {}, 2 }) end", "mine.lua", "attempt to compare"},
    {FUNCTIONS "return (''):rep(1 << 60) end", "mine.lua:1:", "1048576"},
    {FUNCTIONS "local t = {} for i = 1, 1 << 20 do t[i] = i end\nwhile true do table.insert(t, 1, 0) end end",
     "mine.lua:2:", "50 million"},
    /* few instructions that take long */
    {FUNCTIONS "\nlocal function f(...) return f(1, ...) end f() end", "mine.lua:2:", "50 million"},
    {FUNCTIONS "\nwhile true do (''):rep(1 << 20) end end", "mine.lua:2:", "50 million"},
    {FUNCTIONS "\nwhile true do string.format('%99.99f', 1e308) end end", "mine.lua:2:", "50 million"},
    {FUNCTIONS "\n os.execute('true') end", "mine.lua:2:", "global 'os'"},
    {FUNCTIONS "\n io.open('/etc/passwd') end", "global 'io'", "allowed: the base functions without I/O"},
    {FUNCTIONS "require('os') end", "global 'require'", "fft"},
    {FUNCTIONS "load('x = 1')() end", "global 'load'", "fft"},
    {FUNCTIONS "dofile('/dev/zero') end", "global 'dofile'", "fft"},
    {FUNCTIONS "pcall(error) end", "global 'pcall'", "fft"},
    {FUNCTIONS "setmetatable({}, {}) end", "global 'setmetatable'", "fft"},
    {FUNCTIONS "getmetatable('').__index.rep = nil end", "global 'getmetatable'", "fft"},
    {FUNCTIONS "collectgarbage() end", "global 'collectgarbage'", "fft"},
    {FUNCTIONS "print(1) end", "global 'print'", "fft"},
    {FUNCTIONS "debug.getregistry() end", "global 'debug'", "fft"},
    {FUNCTIONS "coroutine.wrap(print)() end", "global 'coroutine'", "fft"},
    {FUNCTIONS "return math.random(3) end", "field 'random'", "mine.lua:1:"},
    {FUNCTIONS "return string.dump(plans) end", "field 'dump'", "mine.lua:1:"},
    {FUNCTIONS "return ('a'):dump() end", "method 'dump'", "mine.lua:1:"},
    {FUNCTIONS "return ('a'):find('a') end", "method 'find'", "mine.lua:1:"},
    {FUNCTIONS "return string.format('%p', 'a') end", "no %p", "mine.lua:1:"},
    {FUNCTIONS "return string.format('%20p', 'a') end", "no %p", "mine.lua:1:"},
    {FUNCTIONS "return string.format('%%%-+ #0.3p', 1, 'a') end", "no %p", "mine.lua:1:"},
    {FUNCTIONS "return string.format('a\\0%p', 'a') end", "no %p", "mine.lua:1:"},
    {FUNCTIONS "return string.format('%s', {}) end", "numbers, strings, booleans", "mine.lua:1:"},
    {FUNCTIONS "return fft.factor(0) end", "1 .. 2^62", "mine.lua:1:"},
    {FUNCTIONS "return fft.factor(1.5) end", "no integer representation", "mine.lua:1:"},
    {FUNCTIONS "return fft.good_size(8, 17) end", "2 .. 13", "mine.lua:1:"},
    {FUNCTIONS "error('a~b\\tc\\1') end", "a~b c?", "mine.lua:1:"},
    {FUNCTIONS "return fft.ring(8, 8, 1 << 60) end", "0 .. 1024", "mine.lua:1:"},
    {FUNCTIONS "return fft.radices(8, 129) end", "2 .. 128", "mine.lua:1:"},
    {FUNCTIONS "return fft.plans(-1) end", "1 .. 2^62", "mine.lua:1:"},
    {"function applies() return true end\nfunction plans( return 1 end", "mine.lua:2:", "near"},
    {"\x1bLua", "mine.lua", "binary"},
    {"x = 1", "'applies' is a nil", "functions applies(problem, device) and plans(problem, device)"},
    {"function applies() return true end plans = 3", "'plans' is a number", "functions"},
    {"only = 1 function applies() end", "'only' is a number", "true, false"},
    {"priority = 'high' function applies() end", "'priority' is a string", "a whole number"},
    {FUNCTIONS "return 'direct(8)' end", "plans() returned a string", "an array of plans"},
    {FUNCTIONS "return end", "plans() returned a nil", "an array of plans"},
    {FUNCTIONS "return { 8 } end", "plan 1: a plan that is a number", "{ \"direct\", 8 }"},
    {FUNCTIONS "return { 'direct', 8 } end", "plan 1: a plan that is a string", "allowed"},
    {FUNCTIONS "return { { 8 } } end", "plan 1: a plan without a step", "stockham"},
    {FUNCTIONS "return { { 'Direct(8', 8 } } end", "a plan without a step", "stockham"},
    {FUNCTIONS "return { { 'direct', 8 }, { 'stokham', 8 } } end", "plan 2 stokham(8)", "did you mean 'stockham'"},
    {FUNCTIONS "local p = { 'direct', 2 } for i = 1, 15 do local q = { 'nd' } for k = 2, 41 do q[k] = p end p = q end "
               "return { p } end",
     "a plan of more than 16 KB", "fewer children"},
    {FUNCTIONS "local p = { 'direct', 8 } for i = 1, 1000 do p['k' .. i] = i end return { p } end", "plan 1",
     "too many parameters"},
    {FUNCTIONS "return { { 'direct', 8, z = {}, b = {}, y = 1, c = true, ['b\\0a'] = 1 } } end", "plan 1: entry 'b'",
     "whole number"},
    {FUNCTIONS "return { { 'direct', 8, z = 1, b = 2, y = 3, a = 4 } } end", "direct(8; a=4, b=2, y=3, z=1)",
     "unknown"},
    {FUNCTIONS "return { { 'direct', 9 } } end", "plan 1 direct(9)", "not a plan of 8 points"},
    {FUNCTIONS "return { { 'direct', 8.5 } } end", "item 2 is not whole", "whole numbers and child plans"},
    {FUNCTIONS "return { { 'direct', true } } end", "item 2 is boolean", "whole numbers"},
    {FUNCTIONS "return { { 'direct', -8 } } end", "direct(-8)", "no number in range"},
    {FUNCTIONS "return { { 'stockham', 4, 2, lane = 3 } } end", "unknown parameter 'lane'", "did you mean 'lanes'"},
    {FUNCTIONS "return { { 'stockham', 4, 2, lanes = 99 } } end", "no number in range", "0 .. 64"},
    {FUNCTIONS "return { { 'stockham', 4, 2, lanes = 'a;b' } } end", "entry 'lanes'", "whole number"},
    {FUNCTIONS "return { { 'stockham', 4, 2, ['a;b'] = 1 } } end", "entry 'a;b'", "whole number"},
    {FUNCTIONS "return { { 'stockham', 4, 2, [9] = 1 } } end", "a gap in the list", "allowed"},
    {FUNCTIONS "local p = { 'cooley-tukey', 2 } p[3] = p return { p } end", "nested too deeply", "16"},
    {FUNCTIONS "local p = { 'stockham' } for i = 1, 50 do p[i + 1] = 2 end return { p } end", "too many numbers", "40"},
    {FUNCTIONS "local a = {} for i = 1, 300 do a[i] = { 'direct', 8 } end return a end", "300 plans", "256"},
};

static void test_bad(void **state) {
  (void)state;
  for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
    fg_candidates c;
    expect_refusal(bad[i][0], ask_user("c2c f32 n=8", bad[i][0], &c), bad[i][1], bad[i][2]);
  }
}

static void test_files(void **state) {
  (void)state;
  fg_candidates c;
  unlink(user_file);
  assert_int_equal(ask("c2c f32 n=8", &cpu, user_file, &c), FG_EUSER);
  assert_non_null(strstr(context.diag.message, "mine.lua"));
  assert_int_equal(ask("c2c f32 n=8", &cpu, folder, &c), FG_EUSER);
}

/* What one recipe does to its tables, no other one sees. */
static void test_isolation(void **state) {
  (void)state;
  fg_candidates a, b;
  assert_int_equal(ask("c2c f32 n=360", &cpu, NULL, &a), FG_OK);
  assert_int_equal(ask_user("c2c f32 n=360",
                            "for k in pairs(table) do table[k] = nil end\n"
                            "math.min = nil fft.factor = nil ipairs = nil string.rep = nil\n"
                            "function applies() return false end\nfunction plans() end\n",
                            &b),
                   FG_OK);
  assert_int_equal(a.count, b.count);
}

/* Every allocation in the arena fails once: no crash, no leak. */
static void test_out_of_memory(void **state) {
  (void)state;
  volatile int failures = 0;
  write_user_file(FUNCTIONS "return { { 'stockham', 4, 2 } } end");
  for (volatile long n = 1; n < 400; n++) {
    teardown(NULL);
    setup(NULL);
    fg_candidates c;
    fg_arena_fail_at(context.arena, n);
    if (fg_arena_guard(context.arena)) {
      failures++;
      continue;
    }
    if (ask("c2c f32 n=8", &cpu, user_file, &c) == FG_OK && c.count) break;
  }
  assert_true(failures > 10);
}

static void test_fuzz(void **state) {
  (void)state;
  static const char good[] =
      FUNCTIONS "return { { 'stockham', 4, 2, lanes = 8 }, { 'cooley-tukey', 2, fft.plans(4)[1] } } end";
  seed = 3;
  for (int i = 0; i < 1000; i++) {
    char text[sizeof good];
    fg_candidates c;
    memcpy(text, good, sizeof good);
    for (int k = 1 + (int)draw(2); k > 0; k--)
      text[draw(sizeof good - 1)] = (char)(draw(3) ? 32 + draw(95) : 1 + draw(255));
    fg_status st = ask_user("c2c f32 n=8", text, &c);
    assert_true(st == FG_OK || (st == FG_EUSER && context.diag.message[0]));
    if (i % 50 == 0) fresh();
  }
}

/* Lengths of many divisors with a prime that passes do not reach ask recipes most often: their steps are enough. */
static void test_many_divisors(void **state) {
  static const char *const problems[] = {"c2c f64 n=2097900", "c2c f32 n=4144140",  "c2c f64 n=10360350",
                                         "r2c f32 n=4195800", "c2c f64 n=33820920", "dct2 f32 n=12432420"};
  fg_device_facts large = {.name = "test"};
  fg_candidates list;
  (void)state;
  if (fg_arena_guard(context.arena)) fail();
  fg_machine_facts(fg_machine_find("sm_90"), &large);
  for (size_t i = 0; i < sizeof problems / sizeof *problems; i++)
    for (int k = 0; k < 3; k++) {
      if (ask(problems[i], k == 0 ? &cpu : k == 1 ? &gpu : &large, NULL, &list) != FG_OK)
        fail_msg("%s: %s", problems[i], context.diag.message);
      assert_true(list.count > 0);
    }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test_setup_teardown(test_half_vectors, setup, teardown),
      cmocka_unit_test_setup_teardown(test_first_of_pairs, setup, teardown),
      cmocka_unit_test_setup_teardown(test_every_length, setup, teardown),
      cmocka_unit_test_setup_teardown(test_every_length_gpu, setup, teardown),
      cmocka_unit_test_setup_teardown(test_arrays, setup, teardown),
      cmocka_unit_test_setup_teardown(test_large_lengths, setup, teardown),
      cmocka_unit_test_setup_teardown(test_preferences, setup, teardown),
      cmocka_unit_test_setup_teardown(test_same_every_time, setup, teardown),
      cmocka_unit_test_setup_teardown(test_not_served, setup, teardown),
      cmocka_unit_test_setup_teardown(test_other_kinds, setup, teardown),
      cmocka_unit_test_setup_teardown(test_ten_lines, setup, teardown),
      cmocka_unit_test_setup_teardown(test_only, setup, teardown),
      cmocka_unit_test_setup_teardown(test_many_divisors, setup, teardown),
      cmocka_unit_test_setup_teardown(test_facts, setup, teardown),
      cmocka_unit_test_setup_teardown(test_bad, setup, teardown),
      cmocka_unit_test_setup_teardown(test_files, setup, teardown),
      cmocka_unit_test_setup_teardown(test_isolation, setup, teardown),
      cmocka_unit_test_setup_teardown(test_out_of_memory, setup, teardown),
      cmocka_unit_test_setup_teardown(test_fuzz, setup, teardown),
  };
  return cmocka_run_group_tests_name("recipe", tests, group_setup, group_teardown);
}
