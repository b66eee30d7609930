/* The engine's table, both precisions in one program: results times factors, in every form that a step has; plans that
 * are found again, and dropped. */
#include "fftw/engine/engine.h"
#include <setjmp.h>
#include <stdarg.h>
/* after these */
#include <cmocka.h>
#include <math.h>
#include <string.h>

enum { MOST = 1 << 15 };
static const fg_engine *const engines[] = {&fg_engine_f64, &fg_engine_f32};
static char in[MOST * 16], plain[MOST * 16], scaled[MOST * 16];

static double number(const fg_engine *e, const char *at, int64_t i) {
  return e->real == 4 ? (double)((const float *)(const void *)at)[i] : ((const double *)(const void *)at)[i];
}

static void fill(const fg_engine *e, char *at, int64_t count) {
  for (int64_t i = 0; i < count; i++) {
    double x = sin(0.3 + (double)i * 1.7 + (double)(i * i % 13));
    if (e->real == 4)
      ((float *)(void *)at)[i] = (float)x;
    else
      ((double *)(void *)at)[i] = x;
  }
}

/* Pairs of results, the second parts times -2: all that a call writes, and nothing between. */
static void check(const fg_engine *e, const fg_engine_problem *p, bool pairs) {
  fill(e, in, MOST);
  memset(plain, 0, sizeof plain), memset(scaled, 0, sizeof scaled);
  if (p->in_place) memcpy(plain, in, sizeof in), memcpy(scaled, in, sizeof in);
  fg_engine_plan *plan = e->get(p), *again = e->get(p);
  assert_non_null(plan);
  assert_ptr_equal(plan, again);
  assert_true(e->run(plan, p->in_place ? plain : in, plain, 1, 1));
  assert_true(e->run(again, p->in_place ? scaled : in, scaled, 2, pairs ? -2 : 2));
  bool some = false;
  for (int64_t i = 0; i < MOST; i++) {
    double x = number(e, plain, i), y = number(e, scaled, i), by = pairs && i % 2 ? -2 : 2;
    if (p->in_place && x == number(e, in, i) && y == x) continue; /* not an element of the transform */
    assert_true(fabs(y - by * x) <= 1e-5 * (e->real == 4 ? 1 : 1e-9) * (1 + fabs(x)));
    some = some || x != 0;
  }
  assert_true(some);
  e->release(plan), e->release(again);
}

static void test_factors(void **state) {
  (void)state;
  static const int64_t lengths[] = {1, 2, 8, 13, 60, 64, 97, 134, 1000, 1024};
  for (int k = 0; k < 2; k++)
    for (size_t i = 0; i < sizeof lengths / sizeof *lengths; i++)
      for (int form = 0; form < 6; form++) {
        int64_t n = lengths[i], rows = form % 2 ? 7 : 1, apart = form < 4 ? 2 : 2 * rows;
        fg_engine_problem p = {.kind = FG_ENGINE_FORWARD, .rank = 1, .vectors = rows > 1, .threads = 1};
        p.in_place = form == 2 || form == 3;
        p.dim[0] = (fg_engine_dim){n, apart, apart};
        p.dim[1] = (fg_engine_dim){rows, form < 4 ? 2 * n : 2, form < 4 ? 2 * n : 2};
        if (n * rows * 2 > MOST) continue;
        check(engines[k], &p, true);
        p.in_place = false, p.threads = 2;
        check(engines[k], &p, true);
        p.kind = FG_ENGINE_R2C, p.dim[0].is = 1, p.dim[1].is = n;
        p.dim[0].os = 2, p.dim[1].os = 2 * (n / 2 + 1);
        check(engines[k], &p, true);
        p.kind = FG_ENGINE_DST2, p.dim[0].os = 1, p.dim[1].os = n;
        check(engines[k], &p, false);
      }
}

static void test_dimensions(void **state) {
  (void)state;
  for (int k = 0; k < 2; k++) {
    fg_engine_problem p = {.kind = FG_ENGINE_BACKWARD, .rank = 2, .vectors = 2, .threads = 1};
    p.dim[0] = (fg_engine_dim){12, 20, 20}, p.dim[1] = (fg_engine_dim){10, 2, 2};
    p.dim[2] = (fg_engine_dim){5, 240, 240}, p.dim[3] = (fg_engine_dim){3, 1200, 1200};
    check(engines[k], &p, true);
    p.dim[2].is = 0; /* one input for all */
    check(engines[k], &p, true);
    p.kind = FG_ENGINE_C2R, p.dim[1].n = 18;
    p.dim[0].os = 18, p.dim[1].os = 1, p.dim[2].os = 216, p.dim[3].os = 1080;
    check(engines[k], &p, false);
  }
}

static void put(const fg_engine *e, char *at, int64_t i, double x) {
  if (e->real == 4)
    ((float *)(void *)at)[i] = (float)x;
  else
    ((double *)(void *)at)[i] = x;
}

/* The whole spectrum of reals is that of complex numbers without imaginary parts; conjugates where the factors say so.
 */
static void check_whole(const fg_engine *e, const fg_engine_problem *p) {
  static char pairs[MOST * 16];
  fg_engine_problem complex = *p;
  complex.kind = FG_ENGINE_FORWARD;
  fill(e, in, MOST);
  memset(pairs, 0, sizeof pairs), memset(plain, 0, sizeof plain), memset(scaled, 0, sizeof scaled);
  for (int64_t i = 0; 2 * i < MOST; i++) put(e, pairs, 2 * i, number(e, in, i));
  for (int i = 0; i < p->rank + p->vectors; i++) complex.dim[i].is *= 2;
  fg_engine_plan *whole = e->get(p), *as_pairs = e->get(&complex);
  assert_non_null(whole), assert_non_null(as_pairs);
  assert_true(e->run(as_pairs, pairs, plain, 3, -3));
  assert_true(e->run(whole, in, scaled, 3, -3));
  for (int64_t i = 0; i < MOST; i++)
    assert_true(fabs(number(e, scaled, i) - number(e, plain, i)) <= (e->real == 4 ? 3e-4 : 1e-12) * 50);
  assert_true(e->run(as_pairs, pairs, plain, 1, 1));
  assert_true(e->run(whole, in, scaled, 1, 1));
  for (int64_t i = 0; i < MOST; i++)
    assert_true(fabs(number(e, scaled, i) - number(e, plain, i)) <= (e->real == 4 ? 1e-4 : 1e-12) * 50);
  e->release(whole), e->release(as_pairs);
}

static void test_whole(void **state) {
  (void)state;
  static const int64_t lengths[] = {1,  2,  3,  5,  7,  8,  9,  12,  13,  15,  16,  17,   18,   34,
                                    36, 38, 42, 60, 63, 64, 97, 130, 134, 136, 150, 1000, 1001, 1024};
  for (int k = 0; k < 2; k++)
    for (size_t i = 0; i < sizeof lengths / sizeof *lengths; i++)
      for (int64_t rows = 1; rows <= 9; rows++) {
        int64_t n = lengths[i];
        if (n * rows * 2 > MOST) continue;
        fg_engine_problem p = {.kind = FG_ENGINE_WHOLE, .rank = 1, .vectors = 1, .threads = 1};
        p.dim[0] = (fg_engine_dim){n, 1, 2}, p.dim[1] = (fg_engine_dim){rows, n, 2 * n};
        check_whole(engines[k], &p);
        p.dim[0] = (fg_engine_dim){n, rows, 2 * rows}, p.dim[1] = (fg_engine_dim){rows, 1, 2};
        check_whole(engines[k], &p);
        if (n * (rows + 1) * 2 > MOST) continue;
        p.dim[0] = (fg_engine_dim){n, 1, 2}, p.dim[1] = (fg_engine_dim){rows, n + 1, 2 * n + 2};
        check_whole(engines[k], &p);
        p.rank = 2, p.vectors = 0;
        p.dim[0] = (fg_engine_dim){rows, n, 2 * n}, p.dim[1] = (fg_engine_dim){n, 1, 2};
        check_whole(engines[k], &p);
        p.dim[0] = (fg_engine_dim){rows, 1, 2}, p.dim[1] = (fg_engine_dim){n, rows, 2 * rows};
        check_whole(engines[k], &p);
      }
}

/* Elements k and n - k are conjugates to the last bit, wherever an array begins in a line of the cache. */
static void test_conjugates(void **state) {
  (void)state;
  for (int k = 0; k < 2; k++)
    for (int64_t n = 58; n <= 600; n += n < 300 ? 2 : 50)
      for (int64_t shift = 0; shift < 8; shift++) {
        const fg_engine *e = engines[k];
        int64_t rows = 1 + n % 3;
        fg_engine_problem p = {.kind = FG_ENGINE_WHOLE, .rank = 1, .vectors = 1, .threads = 1};
        p.dim[0] = (fg_engine_dim){n, 1, 2}, p.dim[1] = (fg_engine_dim){rows, n, 2 * n};
        fill(e, in, MOST);
        memset(plain, 0, sizeof plain);
        fg_engine_plan *plan = e->get(&p);
        const char *out = plain + 2 * e->real * (size_t)shift;
        assert_true(e->run(plan, in, plain + 2 * e->real * (size_t)shift, 1, 1));
        for (int64_t i = 0; i < rows * n; i++) {
          int64_t mirrored = i / n * n + (n - i % n) % n;
          assert_true(number(e, out, 2 * i) == number(e, out, 2 * mirrored));
          assert_true(number(e, out, 2 * i + 1) == -number(e, out, 2 * mirrored + 1));
        }
        for (int i = 0; i < 16; i++) assert_true(number(e, out, 2 * rows * n + i) == 0);
        e->release(plan);
      }
}

static void append(void *to, char c) {
  char *text = to;
  size_t length = strlen(text);
  if (length < 255) text[length] = c, text[length + 1] = 0;
}

/* 64 reals in one piece are halved however few lines there are: a codelet of scalars takes twice as long. */
static void test_few_reals(void **state) {
  (void)state;
  for (int k = 0; k < 2; k++)
    for (int kind = FG_ENGINE_R2C; kind <= FG_ENGINE_C2R; kind++)
      for (int64_t rows = 1; rows <= 32; rows *= 2) {
        int is = kind == FG_ENGINE_R2C ? 1 : 2, os = 3 - is;
        fg_engine_problem p = {.kind = kind, .rank = 1, .vectors = 1, .threads = 1};
        p.dim[0] = (fg_engine_dim){64, is, os}, p.dim[1] = (fg_engine_dim){rows, 66, 66};
        char text[256] = "";
        fg_engine_plan *plan = engines[k]->get(&p);
        engines[k]->print(plan, append, text);
        assert_non_null(strstr(text, "real-even-64"));
        assert_null(strstr(text, "each"));
        check(engines[k], &p, false);
        engines[k]->release(plan);
      }
}

static void test_kept(void **state) {
  (void)state;
  const fg_engine *e = &fg_engine_f64;
  fg_engine_counts before, after;
  e->limit(4);
  e->count(&before);
  for (int64_t n = 1; n < 20; n++) {
    fg_engine_problem p = {.kind = FG_ENGINE_FORWARD, .rank = 1, .threads = 1};
    p.dim[0] = (fg_engine_dim){n, 2, 2};
    assert_false(e->knows(&p));
    e->release(e->get(&p));
    assert_true(e->knows(&p));
    e->release(e->get(&p));
  }
  e->count(&after);
  assert_int_equal(after.plans, 4);
  assert_int_equal(after.made - before.made, 19);
  assert_int_equal(after.found - before.found, 19);
  e->limit(0);
  e->count(&after);
  assert_int_equal(after.plans, 0);
  assert_int_equal(after.limit, 4);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(test_factors),   cmocka_unit_test(test_dimensions),
                                     cmocka_unit_test(test_whole),     cmocka_unit_test(test_conjugates),
                                     cmocka_unit_test(test_few_reals), cmocka_unit_test(test_kept)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
