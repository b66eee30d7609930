/* See page.h. Numbers become positions here, text and markup are in
 * templates/page.tmpl. */
#include "tuning/page.h"
#include "generator/strbuf.h"
#include "generator/template.h"
#include <math.h>
#include <string.h>

enum { BAR = 420, PLOT_WIDTH = 560, PLOT_HEIGHT = 320, DECADES_X = 3, DECADES_Y = 4 };

static double number(const cJSON *json, const char *name) {
  const cJSON *item = cJSON_GetObjectItem(json, name);
  return cJSON_IsNumber(item) ? item->valuedouble : 0;
}

static const char *text(const cJSON *json, const char *name) {
  const char *value = cJSON_GetStringValue(cJSON_GetObjectItem(json, name));
  return value ? value : "";
}

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
  fg_strbuf_add(out, "problem,plan,isa,compiler,state,ns,spread,rungs,l2,flops,bytes,why\n");
  cJSON_ArrayForEach(problem, list) {
    cJSON_ArrayForEach(c, cJSON_GetObjectItem(problem, "candidates")) {
      csv_cell(out, text(problem, "problem"), ",");
      csv_cell(out, text(c, "plan"), ",");
      csv_cell(out, text(c, "isa"), ",");
      csv_cell(out, text(c, "compiler"), ",");
      csv_cell(out, text(c, "state"), ",");
      csv_number(out, number(c, "ns"), ",");
      csv_number(out, number(c, "spread"), ",");
      csv_number(out, number(c, "rungs"), ",");
      csv_number(out, number(c, "l2"), ",");
      csv_number(out, number(c, "flops"), ",");
      csv_number(out, number(c, "bytes"), ",");
      csv_cell(out, text(c, "why"), "\n");
    }
  }
}

/* ---- HTML ------------------------------------------------------------------ */

static const char *escaped(fg_context *cx, const char *value) {
  fg_strbuf s;
  fg_strbuf_init(&s, cx->arena);
  for (; *value; value++) {
    if (*value == '<' || *value == '>' || *value == '&' || *value == '"')
      fg_strbuf_addf(&s, "&#%d;", *value);
    else
      fg_strbuf_addn(&s, value, 1);
  }
  return s.text;
}

static void add_bars(fg_context *cx, fg_values *row, const cJSON *problem) {
  const cJSON *all = cJSON_GetObjectItem(problem, "candidates"), *c;
  double slowest = 0;
  cJSON_ArrayForEach(c, all) slowest = fmax(slowest, number(c, "ns"));
  fg_values_list(row, "bar");
  cJSON_ArrayForEach(c, all) {
    double ns = number(c, "ns");
    if (!strcmp(text(c, "state"), "unseen")) continue;
    fg_values *bar = fg_values_add_row(row, "bar");
    fg_values_set(bar, "plan", escaped(cx, text(c, "plan")));
    fg_values_setf(bar, "built", "%s %s", escaped(cx, text(c, "isa")), escaped(cx, text(c, "compiler")));
    fg_values_setf(bar, "width", "%.1f", slowest > 0 ? BAR * ns / slowest : 0);
    if (ns > 0)
      fg_values_setf(bar, "label", "%.5g ns, spread %.1f %%", ns, 100 * number(c, "spread"));
    else
      fg_values_setf(bar, "label", "%s: %s", text(c, "state"), escaped(cx, text(c, "why")));
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
                         escaped(cx, text(second, "plan")),
                         narrow ? "; within the spread of the two, so either would do" : "");
}

/* Intensity 0.1 .. 100 operations a byte, 0.1 .. 1000 GFLOP/s, both logarithmic. */
static double at_x(double intensity) { return PLOT_WIDTH * fmin(fmax((log10(intensity) + 1) / DECADES_X, 0), 1); }
static double at_y(double gflops) { return PLOT_HEIGHT * (1 - fmin(fmax((log10(gflops) + 1) / DECADES_Y, 0), 1)); }

/* A point of the roofline: what was reached, and what copying the same bytes would allow. */
static void add_point(fg_context *cx, fg_values *v, const cJSON *problem) {
  const cJSON *first = cJSON_GetArrayItem(cJSON_GetObjectItem(problem, "candidates"), 0);
  double flops = number(first, "flops"), bytes = number(first, "bytes"), ns = number(first, "ns");
  double bandwidth = number(problem, "copy_bytes_per_ns");
  if (!(flops > 0 && bytes > 0 && ns > 0)) return;
  fg_values *row = fg_values_add_row(v, "point");
  fg_values_set(row, "problem", escaped(cx, text(problem, "problem")));
  fg_values_setf(row, "x", "%.1f", at_x(flops / bytes));
  fg_values_setf(row, "y", "%.1f", at_y(flops / ns));
  fg_values_setf(row, "roof", "%.1f", bandwidth > 0 ? at_y(flops / bytes * bandwidth) : 0);
  fg_values_setf(row, "label", "%.3g operations a byte, %.4g GFLOP/s", flops / bytes, flops / ns);
}

static void add_problem(fg_context *cx, fg_values *v, const cJSON *problem) {
  fg_values *row = fg_values_add_row(v, "problem");
  fg_values_set(row, "text", escaped(cx, text(problem, "problem")));
  fg_values_set(row, "plan", escaped(cx, text(problem, "plan")));
  fg_values_setf(row, "ns", "%.5g", number(problem, "ns"));
  fg_values_setf(row, "seconds", "%.1f", number(problem, "seconds"));
  fg_values_set(row, "verdict", verdict(cx, problem));
  fg_values_set(row, "cut", cJSON_IsTrue(cJSON_GetObjectItem(problem, "final")) ? "" : "The search was cut short.");
  add_bars(cx, row, problem);
  add_point(cx, v, problem);
}

fg_status fg_page_create(fg_context *cx, const cJSON *list, bool html, char **out) {
  fg_strbuf page;
  const cJSON *problem;
  fg_strbuf_init(&page, cx->arena);
  fg_status status = FG_OK;
  if (html) {
    fg_values *v = fg_values_create(cx);
    fg_values_list(v, "problem");
    fg_values_list(v, "point");
    fg_values_setf(v, "width", "%d", PLOT_WIDTH);
    fg_values_setf(v, "height", "%d", PLOT_HEIGHT);
    cJSON_ArrayForEach(problem, list) add_problem(cx, v, problem);
    status = fg_template_expand(cx, "page.tmpl", v, &page);
  } else {
    write_csv(list, &page);
  }
  *out = page.text;
  return status;
}
