/* Full spectra of reals by complex kernels (halves.h): against those of complex numbers, and what must not be touched.
 */
#include "runtime/include/fftgen/shared.h"
#include "tests/unit/folder.h"
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static char folder[] = "/tmp/fftgen-full-XXXXXX", cache[64], wisdom[64];
static fftgen_error error;

enum { NUMBERS = 1 << 16 };
static double in[NUMBERS], pairs[2 * NUMBERS], out[2 * NUMBERS], whole[2 * NUMBERS], again[2 * NUMBERS];

typedef struct layout {
  fftgen_dim dim, batch[2];
  int batch_rank, sign;
  unsigned flags;
} layout;

static const layout layouts[] = {
    {.dim = {64, 1, 1}},
    {.dim = {64, 1, 1}, .batch = {{50, 64, 64}}, .batch_rank = 1},
    {.dim = {96, 1, 1}, .batch = {{257, 96, 97}}, .batch_rank = 1}, /* prime: blocks share rows */
    {.dim = {98, 1, 1}, .batch = {{67, 102, 98}}, .batch_rank = 1, .sign = 1},
    {.dim = {64, 1, 1}, .batch = {{3, 9100, 9200}, {127, 64, 65}}, .batch_rank = 2, .flags = FFTGEN_CALL_SCALE},
    {.dim = {256, 1, 1}, .batch = {{2, 256, 256}, {8, 512, 512}}, .batch_rank = 2},
    {.dim = {1000, 1, 1}, .batch = {{5, 1000, 1000}}, .batch_rank = 1},
    {.dim = {2048, 1, 1}, .batch = {{3, 2049, 2048}}, .batch_rank = 1}, /* an odd stride */
    {.dim = {8192, 1, 1}, .sign = 1},
    {.dim = {8, 1, 1}, .batch = {{1000, 8, 8}}, .batch_rank = 1},
    {.dim = {2, 1, 1}, .batch = {{1009, 3, 4}}, .batch_rank = 1, .sign = 1},
    {.dim = {63, 1, 1}, .batch = {{331, 63, 63}}, .batch_rank = 1, .flags = FFTGEN_CALL_SCALE},
    {.dim = {15, 1, 1}, .batch = {{7, 160, 170}, {10, 16, 17}}, .batch_rank = 2},
    {.dim = {65, 1, 1}, .batch = {{9, 65, 65}}, .batch_rank = 1}, /* odd: r2c */
};

static double number(const double *at, bool wide, int64_t i) {
  return wide ? at[i] : ((const float *)(const void *)at)[i];
}

static void set(double *at, bool wide, int64_t i, double x) {
  if (wide)
    at[i] = x;
  else
    ((float *)(void *)at)[i] = (float)x;
}

static void backwards(void *context, int parts, fftgen_work work, void *data) {
  *(int *)context = parts;
  for (int i = parts; i-- > 0;) work(data, i);
}

static fftgen_plan *get(const layout *l, fftgen_kind kind, bool wide, fftgen_options *o) {
  fftgen_problem p = {.size = sizeof p,
                      .kind = kind,
                      .precision = wide ? FFTGEN_F64 : FFTGEN_F32,
                      .rank = 1,
                      .dim = &l->dim,
                      .batch_rank = l->batch_rank,
                      .batch = l->batch,
                      .sign = l->sign ? l->sign : -1,
                      .flags = kind == FFTGEN_R2C ? l->flags | FFTGEN_FULL_SPECTRUM : 0};
  fftgen_plan *plan;
  if (fftgen_plan_get(&p, o, &plan, &error) != FFTGEN_OK) fail_msg("%s", error.message);
  return plan;
}

static void check(const layout *l, bool wide, int threads) {
  int parts = 0;
  fftgen_options o = {.size = sizeof o, .cache = cache, .wisdom = wisdom}, many = o;
  many.parallel_for = backwards, many.parallel_context = &parts, many.threads = threads;
  fftgen_plan *plan = get(l, FFTGEN_R2C, wide, threads ? &many : &o), *complex = get(l, FFTGEN_C2C, wide, &o);
  fftgen_call call = {.size = sizeof call, .scale = l->flags ? -3 : 1};
  for (int64_t i = 0; i < NUMBERS; i++) {
    double x = floor(100 * sin((double)i));
    set(in, wide, i, x), set(pairs, wide, 2 * i, x), set(pairs, wide, 2 * i + 1, 0);
    for (int k = 0; k < 2; k++) set(out, wide, 2 * i + k, 77), set(whole, wide, 2 * i + k, 77 / call.scale);
  }
  if (fftgen_execute_call(plan, &(fftgen_arrays){.in = in, .out = out}, &call, &error) != FFTGEN_OK)
    fail_msg("%s", error.message);
  assert_int_equal(fftgen_execute(complex, pairs, whole), FFTGEN_OK);
  for (int64_t i = 0; i < 2 * NUMBERS; i++) {
    double x = number(out, wide, i), y = call.scale * number(whole, wide, i);
    if (fabs(x - y) > (wide ? 1e-9 : 3e-2 + 2e-5 * (double)l->dim.n))
      fail_msg("n=%lld number %lld: %g in place of %g", l->dim.n, (long long)i, x, y);
  }
  assert_true(parts <= threads && (parts > 1 || !threads || !l->batch_rank));
  fftgen_info info = {.size = sizeof info};
  assert_int_equal(fftgen_plan_info(plan, &info), FFTGEN_OK);
  memcpy(again, out, sizeof again), memset(out, 0, sizeof out);
  char *scratch = aligned_alloc(64, (info.scratch + 127) / 64 * 64);
  call.threads = 1;
  fftgen_arrays with_scratch = {.in = in, .out = out, .scratch = scratch};
  assert_int_equal(fftgen_execute_call(plan, &with_scratch, &call, &error), FFTGEN_OK);
  for (int64_t i = 0; i < 2 * NUMBERS; i++)
    assert_true(number(out, wide, i) == number(again, wide, i) || number(again, wide, i) == 77);
  free(scratch);
  fftgen_plan_release(plan), fftgen_plan_release(complex);
}

static void full_spectra(void **state) {
  (void)state;
  for (size_t i = 0; i < sizeof layouts / sizeof *layouts; i++)
    for (int threads = 0; threads < 6; threads += 5)
      check(&layouts[i], false, threads), check(&layouts[i], true, threads);
}

static int set_up(void **state) {
  (void)state;
  return folder_make_for_plans(folder, FFTGEN_JIT_FILE, cache, wisdom);
}

static int tear_down(void **state) {
  (void)state;
  fftgen_plans_limit(0, 0);
  return folder_remove(folder);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(full_spectra)};
  return cmocka_run_group_tests_name("full", tests, set_up, tear_down);
}
