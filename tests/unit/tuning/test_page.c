/* Reports from results made up. Of a tuning run: order of the bars, the winner's mark,
 * opponents, labels of plots that keep off each other. Of portability: the sentence, the
 * metric first, outputs that agree folded and others not. */
#include "tuning/portability/page.h"
#include "tuning/report/page.h"
#include "tuning/report/plot.h"
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

static const char results[] =
    "[{\"problem\": \"c2c f32 n=64\", \"plan\": \"stockham(8,8)\", \"ns\": 20, \"seconds\": 1, \"final\": true,"
    "  \"candidates\": [{\"plan\": \"stockham(8,8)\", \"state\": \"timed\", \"ns\": 20, \"spread\": 0.1, \"flops\": "
    "900, "
    "\"bytes\": 1000},"
    "                   {\"plan\": \"slow\", \"state\": \"timed\", \"ns\": 90, \"spread\": 0.01},"
    "                   {\"plan\": \"narrow\", \"state\": \"timed\", \"ns\": 19.9, \"spread\": 0.02},"
    "                   {\"plan\": \"broken<>\", \"state\": \"failed\", \"why\": \"it & that\"},"
    "                   {\"plan\": \"never\", \"state\": \"late\"}],"
    "  \"opponents\": [{\"name\": \"FFTW\", \"ns\": 44}, {\"name\": \"cuFFT\", \"why\": \"absent\"}],"
    "  \"roof\": {\"precision\": \"f32\", \"flops_per_ns\": 100, \"bytes_per_ns\": [400, 90, 10, 0]}}]";

static char *page_of(fg_context *cx, bool html) {
  static const fg_page_head head = {
      .machine = "A <machine>", .device = "cc", .date = "2026-01-02", .version = "9.9", .command = "fftgen tune 'x'"};
  cJSON *list = cJSON_Parse(results);
  static char *text; /* compilers take what strstr finds for a part of a local one */
  assert_non_null(list);
  assert_int_equal(fg_page_create(cx, html ? &head : NULL, list, &text), FG_OK);
  cJSON_Delete(list);
  return text;
}

static const char *find(const char *text, const char *what) {
  const char *at = strstr(text, what);
  if (!at) fail_msg("no '%s' in the page", what);
  return at;
}

static void test_head(void **state) {
  (void)state;
  fg_context cx = {.arena = fg_arena_create()};
  const char *page = page_of(&cx, true);
  const char *first = find(page, "<h2>");
  static const char *const facts[] = {"A &#60;machine&#62;", "2026-01-02", "9.9", "fftgen tune 'x'"};
  for (int i = 0; i < 4; i++) assert_true(find(page, facts[i]) < first);
  fg_arena_destroy(cx.arena);
}

/* What was not searched, or in vain, is there with its reason. */
static const char without[] = "[{\"problem\": \"c2c f32 n=8\", \"plan\": \"direct(8)\", \"ns\": 5, \"why\": \"known "
                              "already\", \"candidates\": []},"
                              " {\"problem\": \"c2c f32 n=9\", \"why\": \"no time\", \"candidates\": [{\"plan\": "
                              "\"direct(9)\", \"state\": \"late\"}]}]";

static void test_without_results(void **state) {
  (void)state;
  fg_context cx = {.arena = fg_arena_create()};
  const fg_page_head head = {.machine = "m", .device = "cc", .date = "d", .version = "9.9", .command = "c"};
  cJSON *list = cJSON_Parse(without);
  char *html = NULL, *csv = NULL;
  assert_int_equal(fg_page_create(&cx, &head, list, &html), FG_OK);
  assert_int_equal(fg_page_create(&cx, NULL, list, &csv), FG_OK);
  cJSON_Delete(list);
  find(html, "<code>direct(8)</code> takes 5 ns: known already.");
  find(html, "No plan: no time.");
  find(html, "1 candidate without a time");
  find(csv, "\"c2c f32 n=8\",\"direct(8)\",,,\"known\",5,,,,,,,\"known already\"\n");
  find(csv, "\"c2c f32 n=9\",\"\",,,\"none\",,,,,,,,\"no time\"\n");
  find(csv, "\"direct(9)\",\"\",\"\",\"late\"");
  fg_arena_destroy(cx.arena);
}

static void test_bars(void **state) {
  (void)state;
  fg_context cx = {.arena = fg_arena_create()};
  const char *page = find(page_of(&cx, true), "class=\"row");
  /* The fastest first, other libraries among ours; the winner is what wisdom keeps, whatever chance made faster. */
  const char *narrow = find(page, "narrow"), *won = find(page, "row winner"), *theirs = find(page, "row theirs");
  const char *slow = find(page, ">slow<");
  assert_true(narrow < won && won < theirs && theirs < slow);
  assert_null(strstr(won + 1, "row winner"));
  find(page, "broken&#60;&#62;");
  find(page, "it &#38; that");
  find(page, "2 candidates without a time");
  find(page_of(&cx, true), "<i style=\"left:"); /* the spread, at the end of its bar */
  assert_null(strstr(page, "<code>cuFFT"));
  page = page_of(&cx, true);
  find(page, "FFTW takes 2.20 times as long");
  find(page, "no slower than <code>narrow</code>");
  assert_null(strstr(page, "less time than"));
  fg_arena_destroy(cx.arena);
}

static void test_csv(void **state) {
  (void)state;
  fg_context cx = {.arena = fg_arena_create()};
  const char *csv = page_of(&cx, false);
  find(csv, "\"c2c f32 n=64\",\"slow\"");
  assert_null(strstr(csv, "<html"));
  fg_arena_destroy(cx.arena);
}

/* Many labels at a few places: whatever is placed is in the plot and over nothing. */
static void test_labels(void **state) {
  (void)state;
  fg_plot_labels l = {.width = 400, .height = 300};
  double placed[FG_LABELS][4];
  int count = 0;
  for (int i = 0; i < 40; i++) fg_plot_labels_dot(&l, 100 + i % 4, 50 + i % 3, 4);
  for (int i = 0; i < 60; i++) {
    double at[2], x = i % 5 * 100, y = i % 3 * 150;
    if (!fg_plot_labels_fit(&l, x, y, 1 + i % 6, at)) continue;
    double *b = placed[count++];
    b[0] = at[0], b[2] = at[0] + (1 + i % 6) * FG_LABEL_LETTER, b[3] = at[1] + 3, b[1] = b[3] - FG_LABEL_LINE;
    assert_true(b[0] >= 0 && b[1] >= 0 && b[2] <= l.width && b[3] <= l.height);
    for (int k = 0; k < count - 1; k++)
      assert_false(b[0] < placed[k][2] && placed[k][0] < b[2] && b[1] < placed[k][3] && placed[k][1] < b[3]);
    assert_false(b[0] < 104 && 100 < b[2] && b[1] < 52 && 50 < b[3]);
  }
  assert_true(count > 40);
}

static const char portability[] =
    "{\"generator\": \"9.9\", \"backends\": [{\"name\": \"C\", \"here\": true, \"on\": \"CPU\"}, {\"name\": "
    "\"OpenCL\", "
    "\"here\": "
    "true}, {\"name\": \"CUDA\", \"here\": false, \"why\": \"no driver\"}],"
    " \"problems\": [{\"problem\": \"c2c f32 n=8\","
    "   \"runs\": [{\"backend\": 0, \"plan\": \"direct(8)\", \"ns\": 9, \"architectural\": %s, \"application\": 1}],"
    "   \"portability\": [{\"set\": \"each hardware by its fastest backend\", \"backends\": 2, \"application\": "
    "0.875}],"
    "   \"agreement\": [{\"a\": 0, \"b\": 1, \"input\": \"random\", \"bins\": 8, \"l2\": 1e-7, \"chi2_ndf\": 1e-9, "
    "\"p\": 1},"
    "                   {\"a\": 0, \"b\": 1, \"input\": \"ramp\", \"bins\": 8, \"l2\": 0.5, \"chi2_ndf\": 7, \"p\": "
    "%s}]}]}";

static const char *portability_page(fg_context *cx, const char *architectural, const char *p) {
  char text[4096], *page = NULL;
  snprintf(text, sizeof text, portability, architectural, p);
  cJSON *all = cJSON_Parse(text);
  assert_non_null(all);
  assert_int_equal(fg_port_page_create(cx, all, true, &page), FG_OK);
  cJSON_Delete(all);
  return page;
}

static void test_portability(void **state) {
  (void)state;
  fg_context cx = {.arena = fg_arena_create()};
  const char *page = portability_page(&cx, "0.5", "0.01");
  assert_true(find(page, "at least 0.88 of the fastest") < find(page, "<h2>The metric</h2>"));
  assert_true(find(page, "<h2>The metric</h2>") < find(page, "<h2>Backends</h2>"));
  find(page, "2 backends");
  find(page, "<li>CUDA: no driver</li>");
  find(page, "<strong>Pairs of outputs that do not agree: 1</strong>");
  find(page, "<summary>Pairs of outputs that agree: 1; L2 at most 1e-07");
  assert_true(find(page, "<tr class=\"apart\">") < find(page, "<summary>Pairs of"));
  assert_null(strstr(page, "busy"));
  page = portability_page(&cx, "3.5", "1");
  assert_null(strstr(page, "do not agree"));
  find(page, "<summary>Pairs of outputs that agree: 2");
  find(page, "the machine was busy");
  fg_arena_destroy(cx.arena);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_portability), cmocka_unit_test(test_head), cmocka_unit_test(test_without_results),
      cmocka_unit_test(test_bars),        cmocka_unit_test(test_csv),  cmocka_unit_test(test_labels),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
