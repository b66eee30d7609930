/* See page.h. Numbers become positions here and in page_plot.c, text and markup are
 * in templates/page.tmpl. */
#include "tuning/report/page.h"
#include "generator/base/strbuf.h"
#include "generator/base/template.h"
#include "tuning/report/json.h"
#include "tuning/report/plot.h"
#include <math.h>
#include <string.h>

enum { BAR = 420, PLOT_WIDTH = 560, PLOT_HEIGHT = 360, GUESS = 420 };

static double number(const cJSON *json, const char *name) { return fg_json_number(json, name, 0); }

/* ---- CSV ------------------------------------------------------------------- */

static void csv_cell(fg_strbuf *out, const char *value, const char *end) {
  fg_strbuf_add(out, "\"");
  for (; *value; value++) fg_strbuf_addf(out, *value == '"' ? "\"\"" : "%c", *value);
  fg_strbuf_addf(out, "\"%s", end);
}

static void csv_number(fg_strbuf *out, double value, const char *end) {
  if (value != 0) fg_strbuf_addf(out, "%.6g", value);
  fg_strbuf_add(out, end);
}

static void write_csv(const cJSON *list, fg_strbuf *out) {
  const cJSON *problem, *c;
  fg_strbuf_add(out, "problem,plan,isa,compiler,state,ns,predicted_ns,spread,rungs,l2,flops,bytes,why\n");
  cJSON_ArrayForEach(problem, list) {
    cJSON_ArrayForEach(c, cJSON_GetObjectItem(problem, "candidates")) {
      csv_cell(out, fg_json_text(problem, "problem"), ",");
      csv_cell(out, fg_json_text(c, "plan"), ",");
      csv_cell(out, fg_json_text(c, "isa"), ",");
      csv_cell(out, fg_json_text(c, "compiler"), ",");
      csv_cell(out, fg_json_text(c, "state"), ",");
      csv_number(out, number(c, "ns"), ",");
      csv_number(out, number(c, "predicted_ns"), ",");
      csv_number(out, number(c, "spread"), ",");
      csv_number(out, number(c, "rungs"), ",");
      csv_number(out, number(c, "l2"), ",");
      csv_number(out, number(c, "flops"), ",");
      csv_number(out, number(c, "bytes"), ",");
      csv_cell(out, fg_json_text(c, "why"), "\n");
    }
  }
}

/* ---- HTML ------------------------------------------------------------------ */

static void add_bars(fg_context *cx, fg_values *row, const cJSON *problem) {
  const cJSON *all = cJSON_GetObjectItem(problem, "candidates"), *c;
  double slowest = 0;
  cJSON_ArrayForEach(c, all) slowest = fmax(slowest, number(c, "ns"));
  fg_values_list(row, "bar");
  cJSON_ArrayForEach(c, all) {
    double ns = number(c, "ns");
    if (!strcmp(fg_json_text(c, "state"), "unseen")) continue;
    fg_values *bar = fg_values_add_row(row, "bar");
    fg_values_set(bar, "plan", fg_page_escaped(cx, fg_json_text(c, "plan")));
    fg_values_setf(bar, "built", "%s %s", fg_page_escaped(cx, fg_json_text(c, "isa")),
                   fg_page_escaped(cx, fg_json_text(c, "compiler")));
    fg_values_setf(bar, "width", "%.1f", slowest > 0 ? BAR * ns / slowest : 0);
    double guess = number(c, "predicted_ns");
    const char *expected = guess > 0 ? fg_arena_printf(cx->arena, ", predicted %.4g ns", guess) : "";
    if (ns > 0)
      fg_values_setf(bar, "label", "%.5g ns, spread %.1f %%%s", ns, 100 * number(c, "spread"), expected);
    else
      fg_values_setf(bar, "label", "%s: %s", fg_json_text(c, "state"), fg_page_escaped(cx, fg_json_text(c, "why")));
  }
}

/* Why the first one won. */
static const char *verdict(fg_context *cx, const cJSON *problem) {
  const cJSON *all = cJSON_GetObjectItem(problem, "candidates"), *first = cJSON_GetArrayItem(all, 0);
  const cJSON *second = cJSON_GetArrayItem(all, 1);
  double ns = number(first, "ns"), next = number(second, "ns");
  if (!(next > 0)) return "the only one that was timed";
  bool narrow = next - ns < fmax(number(first, "spread") * ns, number(second, "spread") * next);
  return fg_arena_printf(cx->arena, "%.1f %% less time than %s%s", 100 * (1 - ns / next),
                         fg_page_escaped(cx, fg_json_text(second, "plan")),
                         narrow ? "; within the spread of the two, so either would do" : "");
}

/* ---- the roofline ------------------------------------------------------------ */

typedef struct roofline {
  fg_axis x, y; /* operations a byte; operations a nanosecond */
} roofline;

static const cJSON *winner_of(const cJSON *problem) {
  return cJSON_GetArrayItem(cJSON_GetObjectItem(problem, "candidates"), 0);
}

static void see_roofline(const cJSON *list, roofline *r) {
  const cJSON *problem, *bytes;
  fg_axis_open(&r->x, PLOT_WIDTH, false);
  fg_axis_open(&r->y, PLOT_HEIGHT, true);
  cJSON_ArrayForEach(problem, list) {
    const cJSON *first = winner_of(problem), *roof = cJSON_GetObjectItem(problem, "roof");
    double flops = number(first, "flops"), moved = number(first, "bytes"), ns = number(first, "ns");
    if (flops > 0 && moved > 0) fg_axis_see(&r->x, flops / moved);
    if (ns > 0) fg_axis_see(&r->y, flops / ns);
    fg_axis_see(&r->y, number(roof, "flops_per_ns"));
    cJSON_ArrayForEach(bytes, cJSON_GetObjectItem(roof, "bytes_per_ns")) {
      double ridge = bytes->valuedouble > 0 ? number(roof, "flops_per_ns") / bytes->valuedouble : 0;
      fg_axis_see(&r->x, ridge);
    }
  }
  fg_axis_close(&r->x);
  fg_axis_close(&r->y);
}

/* A flat one is labelled where it begins, a slope below its ridge, one line of text
 * further down than the slope before it. */
static fg_values *add_line(const roofline *r, fg_values *v, const double from[2], const double to[2], int slope) {
  fg_values *row = fg_values_add_row(v, "roof");
  double x1 = fg_axis_at(&r->x, from[0]), y1 = fg_axis_at(&r->y, from[1]);
  double x2 = fg_axis_at(&r->x, to[0]), y2 = fg_axis_at(&r->y, to[1]);
  fg_values_setf(row, "x1", "%.1f", x1);
  fg_values_setf(row, "y1", "%.1f", y1);
  fg_values_setf(row, "x2", "%.1f", x2);
  fg_values_setf(row, "y2", "%.1f", y2);
  fg_values_setf(row, "x", "%.1f", slope ? x2 + 8 : x1 + 6);
  fg_values_setf(row, "y", "%.1f", slope ? y2 + 2 + 14 * slope : y1 - 5);
  return row;
}

/* The roofs of one precision: a slope for each cache that ends at the flat one;
 * slopes are the same in every precision. */
static void add_roofs(const roofline *r, fg_values *v, const cJSON *roof, bool slopes) {
  static const char *const level[] = {"first cache", "second cache", "third cache", "memory"};
  const char *precision = fg_json_text(roof, "precision");
  double flops = number(roof, "flops_per_ns"), least = r->x.least, most = r->x.most;
  const cJSON *bytes;
  int l = 0;
  if (flops > 0)
    fg_values_setf(add_line(r, v, (double[]){least, flops}, (double[]){most, flops}, 0), "label",
                   "%s in registers: %.4g GFLOP/s", precision, flops);
  cJSON_ArrayForEach(bytes, cJSON_GetObjectItem(roof, "bytes_per_ns")) {
    double rate = bytes->valuedouble, end = flops > 0 ? fmin(flops / rate, most) : most;
    const char *name = l < 4 ? level[l] : "memory";
    l++;
    if (!slopes || !(rate > 0)) continue;
    /* From where the line enters the picture. */
    double start = fmax(least, r->y.least / rate);
    fg_values_setf(add_line(r, v, (double[]){start, start * rate}, (double[]){end, end * rate}, l), "label",
                   "%s: copies %.3g GB/s", name, rate);
  }
}

static void add_point(fg_context *cx, const roofline *r, fg_values *v, const cJSON *problem, int number_of) {
  const cJSON *first = winner_of(problem);
  double flops = number(first, "flops"), bytes = number(first, "bytes"), ns = number(first, "ns");
  double rate = number(problem, "copy_bytes_per_ns");
  if (!(flops > 0 && bytes > 0 && ns > 0)) return;
  fg_values *row = fg_values_add_row(v, "point");
  fg_values_set(row, "problem", fg_page_escaped(cx, fg_json_text(problem, "problem")));
  fg_values_setf(row, "number", "%d", number_of);
  fg_values_setf(row, "x", "%.1f", fg_axis_at(&r->x, flops / bytes));
  fg_values_setf(row, "y", "%.1f", fg_axis_at(&r->y, flops / ns));
  fg_values_setf(row, "top", "%.1f", fg_axis_at(&r->y, rate > 0 ? flops / bytes * rate : flops / ns));
  fg_values_setf(row, "label", "%.3g operations a byte, %.4g GFLOP/s", flops / bytes, flops / ns);
}

static void add_roofline(fg_context *cx, fg_values *v, const cJSON *list) {
  roofline r;
  const cJSON *problem;
  char seen[64] = "";
  int count = 0;
  see_roofline(list, &r);
  fg_values_list(v, "roof");
  fg_values_list(v, "point");
  fg_axis_ticks(&r.x, v, "intensity");
  fg_axis_ticks(&r.y, v, "speed");
  cJSON_ArrayForEach(problem, list) {
    const cJSON *roof = cJSON_GetObjectItem(problem, "roof");
    const char *precision = fg_json_text(roof, "precision");
    if (*precision && !strstr(seen, precision) && strlen(seen) + strlen(precision) < sizeof seen) {
      add_roofs(&r, v, roof, !*seen);
      strcat(seen, precision);
    }
    add_point(cx, &r, v, problem, ++count);
  }
}

/* ---- predicted and measured ---------------------------------------------------- */

/* What the fitted model said against what was measured. Nanoseconds, both. */
static void add_guesses(fg_context *cx, fg_values *v, const cJSON *list) {
  fg_axis both;
  const cJSON *problem, *c;
  int count = 0;
  fg_axis_open(&both, GUESS, false);
  fg_values_list(v, "guess");
  for (int draw = 0; draw < 2; draw++) {
    fg_axis up = both;
    up.up = true;
    cJSON_ArrayForEach(problem, list) {
      cJSON_ArrayForEach(c, cJSON_GetObjectItem(problem, "candidates")) {
        double ns = number(c, "ns"), guess = number(c, "predicted_ns");
        if (!(ns > 0 && guess > 0)) continue;
        if (!draw) {
          fg_axis_see(&both, ns), fg_axis_see(&both, guess);
          continue;
        }
        fg_values *row = fg_values_add_row(v, "guess");
        fg_values_setf(row, "x", "%.1f", fg_axis_at(&both, ns));
        fg_values_setf(row, "y", "%.1f", fg_axis_at(&up, guess));
        fg_values_set(row, "kind", c == winner_of(problem) ? "won" : "lost");
        fg_values_setf(row, "label", "%s by %s %s %s: predicted %.4g ns, took %.4g ns",
                       fg_page_escaped(cx, fg_json_text(problem, "problem")),
                       fg_page_escaped(cx, fg_json_text(c, "plan")), fg_page_escaped(cx, fg_json_text(c, "isa")),
                       fg_page_escaped(cx, fg_json_text(c, "compiler")), guess, ns);
        count++;
      }
    }
    if (!draw) fg_axis_close(&both);
  }
  double band = fg_axis_at(&both, both.least * 1.15);
  fg_values_setf(v, "size", "%d", GUESS);
  fg_values_setf(v, "band", "%.1f", band);
  fg_values_setf(v, "size_less_band", "%.1f", GUESS - band);
  fg_values_set(v, "guessed", count ? "1" : "");
  fg_values_set(v, "nothing_guessed", count ? "" : "1");
  fg_axis_ticks(&both, v, "took");
  both.up = true;
  fg_axis_ticks(&both, v, "predicted");
}

static void add_problem(fg_context *cx, fg_values *v, const cJSON *problem, int number_of) {
  fg_values *row = fg_values_add_row(v, "problem");
  fg_values_setf(row, "number", "%d", number_of);
  fg_values_set(row, "text", fg_page_escaped(cx, fg_json_text(problem, "problem")));
  fg_values_set(row, "plan", fg_page_escaped(cx, fg_json_text(problem, "plan")));
  fg_values_setf(row, "ns", "%.5g", number(problem, "ns"));
  fg_values_setf(row, "seconds", "%.1f", number(problem, "seconds"));
  fg_values_set(row, "verdict", verdict(cx, problem));
  fg_values_set(row, "cut", cJSON_IsTrue(cJSON_GetObjectItem(problem, "final")) ? "" : "The search was cut short.");
  add_bars(cx, row, problem);
}

fg_status fg_page_create(fg_context *cx, const cJSON *list, bool html, char **out) {
  fg_strbuf page;
  const cJSON *problem;
  int count = 0;
  fg_strbuf_init(&page, cx->arena);
  fg_status status = FG_OK;
  if (html) {
    fg_values *v = fg_values_create(cx);
    fg_values_list(v, "problem");
    fg_values_setf(v, "width", "%d", PLOT_WIDTH);
    fg_values_setf(v, "height", "%d", PLOT_HEIGHT);
    cJSON_ArrayForEach(problem, list) add_problem(cx, v, problem, ++count);
    add_roofline(cx, v, list);
    add_guesses(cx, v, list);
    status = fg_template_expand(cx, "page.tmpl", v, &page);
  } else {
    write_csv(list, &page);
  }
  *out = page.text;
  return status;
}
