/* libfftw3 by fftgen against the definition, through FFTW's functions alone. */
#include "problem.h"
#include "test_surface.h"
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
/* cmocka wants these first */
#include <cmocka.h>
#include <stdio.h>
#include <string.h>

static const char *text_of(const problem *p) {
  static char text[1024];
  int at = snprintf(text, sizeof text, "kind %d", p->kind[0]);
  for (int i = 0; i < p->rank + p->vectors; i++) {
    const X(iodim64) *d = i < p->rank ? &p->dim[i] : &p->vector[i - p->rank];
    at += snprintf(text + at, sizeof text - (size_t)at, " %s%td:%td:%td", i == p->rank ? "v " : "", d->n, d->is, d->os);
    if (i < p->rank && p->kind[0] >= 0) at += snprintf(text + at, sizeof text - (size_t)at, "/%d", p->kind[i]);
  }
  snprintf(text + at, sizeof text - (size_t)at, "%s%s sign %d flags %u", p->split ? " split" : "",
           p->in_place ? " in place" : "", p->sign, p->flags);
  return text;
}

static void must_hold(const problem *p) {
  const char *why;
  double error = problem_error(p, &why);
  double allowed = problem_allowed(p);
  if (error < 0 || error > allowed) fail_msg("%s: %s, error %.2g of %.2g", text_of(p), why, error, allowed);
}

static const int lengths[] = {1,   2,   3,   4,   5,   6,   7,   8,   9,   10,  11,  12,  13,  14,  15,  16,
                              17,  18,  19,  20,  22,  23,  24,  25,  27,  29,  30,  31,  32,  33,  34,  36,
                              39,  40,  41,  46,  47,  48,  49,  53,  60,  64,  67,  68,  77,  94,  100, 101,
                              121, 125, 127, 128, 134, 143, 169, 179, 200, 227, 256, 289, 299, 391, 529};
enum { LENGTHS = sizeof lengths / sizeof *lengths };

static void every_kind_in_one_dimension(void **state) {
  (void)state;
  for (int kind = C2R; kind <= FFTW_RODFT11; kind++)
    for (int i = 0; i < LENGTHS; i++) {
      if (kind == FFTW_REDFT00 && lengths[i] < 2) continue;
      uint64_t random = 1;
      problem p = {.rank = 1, .sign = i % 2 ? -1 : 1, .flags = FFTW_ESTIMATE};
      p.kind[0] = kind, p.dim[0].n = lengths[i];
      problem_lay_out(&p, &random, false);
      must_hold(&p);
    }
}

/* All that one codelet does: every kind, alone and several, in place, rows, columns and strides. */
static void short_lines(void **state) {
  (void)state;
  uint64_t random = 7;
  for (int kind = C2R; kind <= FFTW_RODFT11; kind++)
    for (int n = 1; n <= 17; n++)
      for (int way = 0; way < 24; way++) {
        problem p = {.rank = 1, .vectors = way % 3, .sign = way % 2 ? -1 : 1, .flags = FFTW_ESTIMATE};
        p.kind[0] = kind, p.dim[0].n = n + (kind == FFTW_REDFT00 && n < 2);
        p.in_place = way / 3 % 2, p.split = kind < 0 && way / 6 % 2;
        for (int i = 0; i < p.vectors; i++) p.vector[i].n = 1 + (ptrdiff_t)draw(&random, i ? 4 : 19);
        problem_lay_out(&p, &random, way >= 12);
        must_hold(&p);
      }
}

static void long_lines(void **state) {
  (void)state;
  static const int many[] = {512, 1000, 1009, 1024, 1155, 1536, 1997, 2048, 2187, 2310, 2809};
  for (int i = 0; i < (int)(sizeof many / sizeof *many); i++)
    for (int sign = -1; sign < 2; sign += 2) {
      uint64_t random = 1;
      problem p = {.rank = 1, .sign = sign, .flags = FFTW_ESTIMATE};
      p.kind[0] = sign < 0 ? R2C : DFT, p.dim[0].n = many[i];
      problem_lay_out(&p, &random, false);
      must_hold(&p);
    }
}

/* Columns of wide arrays, so many that several are taken together, and some are left. */
static void columns(void **state) {
  (void)state;
  static const int rows[] = {2, 3, 5, 8, 12, 16, 18, 33, 36, 40, 48, 51, 72, 96, 125, 176, 243};
  for (int i = 0; i < (int)(sizeof rows / sizeof *rows); i++)
    for (int way = 0; way < 4; way++) {
      problem p = {.rank = 1, .vectors = 1, .sign = way % 2 ? -1 : 1, .in_place = way / 2, .flags = FFTW_ESTIMATE};
      p.kind[0] = DFT, p.dim[0].n = rows[i], p.vector[0].n = 71;
      p.dim[0].is = 75, p.dim[0].os = way / 2 ? 75 : 73;
      p.vector[0].is = p.vector[0].os = 1;
      must_hold(&p);
    }
}

/* Real columns, in pairs: odd numbers of them, rows odd numbers of reals apart, lengths with a codelet and without. */
static void real_columns(void **state) {
  (void)state;
  static const int rows[] = {7, 12, 16, 25, 42, 45, 64, 81, 100, 128, 170, 512};
  for (int i = 0; i < (int)(sizeof rows / sizeof *rows); i++)
    for (int way = 0; way < 8; way++)
      for (int count = 4; count < 80; count += 1 + count / 3) {
        problem p = {.rank = 1, .vectors = 1, .sign = -1, .flags = FFTW_ESTIMATE};
        int reals = count + way / 2, numbers = count + way % 3;
        p.kind[0] = way % 2 ? C2R : R2C, p.dim[0].n = rows[i], p.vector[0].n = count;
        p.vector[0].is = p.vector[0].os = 1;
        p.dim[0].is = way % 2 ? numbers : reals, p.dim[0].os = way % 2 ? reals : numbers;
        must_hold(&p);
      }
}

/* Few columns of long arrays, dense or not; arrays of parts of powers of two, in place, too. */
static void few_columns_and_parts(void **state) {
  (void)state;
  static const int rows[] = {36, 48, 60, 128, 144, 500, 512, 1024};
  for (int i = 0; i < (int)(sizeof rows / sizeof *rows); i++)
    for (int way = 0; way < 8; way++)
      for (int count = 1; count <= 17; count += 1 + (count > 4)) {
        int os = way / 2 % 2 && !(way / 4) ? count + 1 : count;
        problem p = {.rank = 1, .vectors = 1, .sign = way % 2 ? -1 : 1, .in_place = way / 4, .flags = FFTW_ESTIMATE};
        p.kind[0] = DFT, p.dim[0].n = rows[i], p.vector[0].n = count;
        p.dim[0].is = p.dim[0].os = os, p.vector[0].is = p.vector[0].os = 1;
        must_hold(&p);
      }
  for (int n = 64; n <= 2048; n *= 2)
    for (int way = 0; way < 8; way++) {
      problem p = {.rank = 1, .vectors = way / 4, .sign = way % 2 ? -1 : 1, .split = true, .flags = FFTW_ESTIMATE};
      uint64_t random = 1;
      p.kind[0] = DFT, p.dim[0].n = n, p.vector[0].n = 3, p.in_place = way / 2 % 2;
      problem_lay_out(&p, &random, false);
      must_hold(&p);
    }
}

static void drawn_problems(void **state) {
  (void)state;
  uint64_t random = 33;
  for (int i = 0; i < 500; i++) {
    problem p;
    problem_draw(&p, &random);
    must_hold(&p);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(every_kind_in_one_dimension),
      cmocka_unit_test(short_lines),
      cmocka_unit_test(long_lines),
      cmocka_unit_test(columns),
      cmocka_unit_test(real_columns),
      cmocka_unit_test(few_columns_and_parts),
      cmocka_unit_test(drawn_problems),
      cmocka_unit_test(test_basic_is_guru),
      cmocka_unit_test(test_in_place_rows),
      cmocka_unit_test(test_many),
      cmocka_unit_test(test_other_arrays),
      cmocka_unit_test(test_what_cannot_be),
      cmocka_unit_test(test_wisdom),
      cmocka_unit_test(test_text),
      cmocka_unit_test(test_threads_change_nothing),
      cmocka_unit_test(test_planner_in_threads),
      cmocka_unit_test(test_forks_while_threads_plan),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
