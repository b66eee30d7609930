/* See page.h. Numbers become positions here and in plot.c; text and markup are in templates/page.tmpl. */
#include "tuning/report/page.h"
#include "generator/base/strbuf.h"
#include "generator/base/template.h"
#include "tuning/report/json.h"
#include "tuning/report/plot.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { PLOT_WIDTH = 400, PLOT_HEIGHT = 300, GUESS = 360, DOT = 4 };

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

/* A problem without a result of this run: its reason, and what wisdom has. */
static void csv_without(const cJSON *problem, fg_strbuf *out) {
  csv_cell(out, fg_json_text(problem, "problem"), ",");
  csv_cell(out, fg_json_text(problem, "plan"), ",,,");
  csv_cell(out, cJSON_HasObjectItem(problem, "plan") ? "known" : "none", ",");
  csv_number(out, number(problem, "ns"), ",,,,,,,");
  csv_cell(out, fg_json_text(problem, "why"), "\n");
}

static void write_csv(const cJSON *list, fg_strbuf *out) {
  const cJSON *problem, *c;
  fg_strbuf_add(out, "problem,plan,isa,compiler,state,ns,predicted_ns,spread,turns,l2,flops,bytes,why\n");
  cJSON_ArrayForEach(problem, list) {
    if (cJSON_HasObjectItem(problem, "why")) csv_without(problem, out);
    cJSON_ArrayForEach(c, cJSON_GetObjectItem(problem, "candidates")) {
      csv_cell(out, fg_json_text(problem, "problem"), ",");
      csv_cell(out, fg_json_text(c, "plan"), ",");
      csv_cell(out, fg_json_text(c, "isa"), ",");
      csv_cell(out, fg_json_text(c, "compiler"), ",");
      csv_cell(out, fg_json_text(c, "state"), ",");
      csv_number(out, number(c, "ns"), ",");
      csv_number(out, number(c, "predicted_ns"), ",");
      if (cJSON_HasObjectItem(c, "spread"))
        csv_number(out, number(c, "spread"), ",");
      else
        fg_strbuf_add(out, ",");
      csv_number(out, number(c, "turns"), ",");
      csv_number(out, number(c, "l2"), ",");
      csv_number(out, number(c, "flops"), ",");
      csv_number(out, number(c, "bytes"), ",");
      csv_cell(out, fg_json_text(c, "why"), "\n");
    }
  }
}

/* ---- HTML: bars -------------------------------------------------------------- */

/* NULL: none was timed. */
static const cJSON *winner_of(const cJSON *problem) {
  const cJSON *first = cJSON_GetArrayItem(cJSON_GetObjectItem(problem, "candidates"), 0);
  return number(first, "ns") > 0 ? first : NULL;
}

typedef struct entry { /* a bar: a candidate, or another library */
  const cJSON *of;
  double ns;
  bool theirs;
} entry;

static int by_time(const void *a, const void *b) {
  const entry *x = a, *y = b;
  return (x->ns > y->ns) - (x->ns < y->ns);
}

/* Whatever was timed, the fastest first. */
static int collect(fg_context *cx, const cJSON *problem, entry **out) {
  const cJSON *ours = cJSON_GetObjectItem(problem, "candidates"), *c;
  const cJSON *theirs = cJSON_GetObjectItem(problem, "opponents");
  int count = 0, room = cJSON_GetArraySize(ours) + cJSON_GetArraySize(theirs);
  *out = fg_arena_new(cx->arena, entry, room + 1);
  cJSON_ArrayForEach(c, ours) if (number(c, "ns") > 0)(*out)[count++] = (entry){c, number(c, "ns"), false};
  cJSON_ArrayForEach(c, theirs) if (number(c, "ns") > 0)(*out)[count++] = (entry){c, number(c, "ns"), true};
  qsort(*out, (size_t)count, sizeof **out, by_time);
  return count;
}

static const char *duration(fg_context *cx, double ns) {
  if (ns < 1e4) return fg_arena_printf(cx->arena, "%.4g ns", ns);
  if (ns < 1e7) return fg_arena_printf(cx->arena, "%.4g &#181;s", ns * 1e-3);
  return fg_arena_printf(cx->arena, "%.4g ms", ns * 1e-6);
}

/* "avx2 clang": the instruction set, and the compiler where one was chosen. */
static const char *built_by(fg_context *cx, const cJSON *candidate) {
  const char *isa = fg_json_text(candidate, "isa"), *compiler = fg_json_text(candidate, "compiler");
  return fg_page_escaped(cx, fg_arena_printf(cx->arena, "%s%s%s", isa, *isa && *compiler ? " " : "", compiler));
}

static void add_bar(fg_context *cx, fg_template_values *row, const entry *e, double best, double slowest, bool won) {
  fg_template_values *bar = fg_template_add_row(row, "bar");
  double guess = number(e->of, "predicted_ns");
  const char *expected = guess > 0 ? fg_arena_printf(cx->arena, ", predicted %s", duration(cx, guess)) : "";
  fg_template_set(bar, "kind", e->theirs ? "theirs" : won ? "winner" : "ours");
  fg_template_set(bar, "plan", fg_page_escaped(cx, fg_json_text(e->of, e->theirs ? "name" : "plan")));
  fg_template_set(bar, "built", built_by(cx, e->of));
  fg_template_set(bar, "won", won ? "1" : "");
  double width = 100 * e->ns / slowest, half = width * number(e->of, "spread") / 2;
  fg_template_setf(bar, "width", "%.1f", width);
  fg_template_set(bar, "spread", half > 0 ? "1" : "");
  fg_template_setf(bar, "from", "%.1f", fmax(width - half, 0));
  fg_template_setf(bar, "length", "%.1f", fmin(width + half, 100) - fmax(width - half, 0));
  fg_template_set(bar, "time", duration(cx, e->ns));
  if (e->theirs)
    fg_template_setf(bar, "label", "&#215;%.2f", e->ns / best);
  else if (!cJSON_HasObjectItem(e->of, "spread"))
    fg_template_setf(bar, "label", "&#215;%.2f, spread not known%s", e->ns / best, expected);
  else
    fg_template_setf(bar, "label", "&#215;%.2f, spread %.1f&#160;%%%s", e->ns / best, 100 * number(e->of, "spread"),
                     expected);
}

/* What has no bar, and why. */
static void add_rest(fg_context *cx, fg_template_values *row, const cJSON *problem) {
  static const char *const meaning[][2] = {
      {"late", "not ready when time was over"},
      {"same", "the same text as another one"},
      {"unseen", "not looked at: time was over, or the model put it too far behind"}};
  const cJSON *c;
  int count = 0;
  fg_template_list(row, "rest");
  cJSON_ArrayForEach(c, cJSON_GetObjectItem(problem, "candidates")) {
    if (number(c, "ns") > 0) continue;
    fg_template_values *rest = fg_template_add_row(row, "rest");
    const char *state = fg_json_text(c, "state"), *why = fg_json_text(c, "why");
    for (size_t i = 0; !*why && i < sizeof meaning / sizeof *meaning; i++)
      if (!strcmp(state, meaning[i][0])) why = meaning[i][1];
    fg_template_setf(rest, "plan", "%s", fg_page_escaped(cx, fg_json_text(c, "plan")));
    fg_template_set(rest, "built", built_by(cx, c));
    fg_template_set(rest, "why", fg_page_escaped(cx, *why ? why : state));
    count++;
  }
  fg_template_set(row, "unseen",
                  !count ? "" : fg_arena_printf(cx->arena, "%d candidate%s", count, count == 1 ? "" : "s"));
}

static void add_bars(fg_context *cx, fg_template_values *row, const cJSON *problem) {
  entry *e;
  int count = collect(cx, problem, &e);
  double best = number(winner_of(problem), "ns");
  fg_template_list(row, "bar");
  for (int i = 0; i < count && best > 0; i++)
    add_bar(cx, row, &e[i], best, e[count - 1].ns, e[i].of == winner_of(problem));
  add_rest(cx, row, problem);
}

/* Beside the opponents, in words; "" where there are none. */
static const char *standing(fg_context *cx, const cJSON *problem) {
  const cJSON *c;
  const char *text = "";
  double best = number(winner_of(problem), "ns");
  cJSON_ArrayForEach(c, cJSON_GetObjectItem(problem, "opponents")) {
    double ns = number(c, "ns");
    if (!(ns > 0 && best > 0)) continue;
    text = fg_arena_printf(cx->arena, "%s %s takes %.2f times as long.", text,
                           fg_page_escaped(cx, fg_json_text(c, "name")), ns / best);
  }
  return text;
}

/* The fastest candidate beside the winner; NULL: there is none. */
static const cJSON *runner_up(const cJSON *problem) {
  const cJSON *c, *found = NULL;
  cJSON_ArrayForEach(c, cJSON_GetObjectItem(problem, "candidates")) {
    if (c == winner_of(problem) || !(number(c, "ns") > 0)) continue;
    if (!found || number(c, "ns") < number(found, "ns")) found = c;
  }
  return found;
}

/* Why the winner won. A candidate within the spread of it may have been faster by chance. */
static const char *verdict(fg_context *cx, const cJSON *problem) {
  const cJSON *first = winner_of(problem), *second = runner_up(problem);
  if (!second) return "the only candidate that was timed";
  double ns = number(first, "ns"), next = number(second, "ns");
  bool narrow = next - ns < fmax(number(first, "spread") * ns, number(second, "spread") * next);
  const char *by = built_by(cx, second), *plan = fg_page_escaped(cx, fg_json_text(second, "plan"));
  const char *name = fg_arena_printf(cx->arena, "<code>%s</code>%s%s", plan, *by ? " " : "", by);
  if (next < ns) return fg_arena_printf(cx->arena, "no slower than %s within the spread of the two", name);
  return fg_arena_printf(cx->arena, "%.1f %% less time than %s%s", 100 * (1 - ns / next), name,
                         narrow ? ", within the spread of the two" : "");
}

/* ---- the roofline ------------------------------------------------------------ */

typedef struct roofline {
  fg_plot_axis x, y; /* operations a byte; operations a nanosecond */
  fg_plot_labels labels;
} roofline;

static void see_roofline(const cJSON *list, roofline *r) {
  const cJSON *problem, *bytes;
  fg_plot_axis_open(&r->x, PLOT_WIDTH, false);
  fg_plot_axis_open(&r->y, PLOT_HEIGHT, true);
  cJSON_ArrayForEach(problem, list) {
    const cJSON *first = winner_of(problem), *roof = cJSON_GetObjectItem(problem, "roof");
    double flops = number(first, "flops"), moved = number(first, "bytes"), ns = number(first, "ns");
    if (flops > 0 && moved > 0) fg_plot_axis_see(&r->x, flops / moved);
    if (ns > 0) fg_plot_axis_see(&r->y, flops / ns);
    fg_plot_axis_see(&r->y, number(roof, "flops_per_ns"));
    cJSON_ArrayForEach(bytes, cJSON_GetObjectItem(roof, "bytes_per_ns")) {
      double ridge = bytes->valuedouble > 0 ? number(roof, "flops_per_ns") / bytes->valuedouble : 0;
      fg_plot_axis_see(&r->x, ridge);
    }
  }
  fg_plot_axis_close(&r->x);
  fg_plot_axis_close(&r->y);
}

/* A line from..to, with its name near its middle, above a flat one. */
static void add_line(roofline *r, fg_template_values *v, const double from[2], const double to[2], const char *name) {
  fg_template_values *row = fg_template_add_row(v, "roof");
  double x1 = fg_plot_axis_at(&r->x, from[0]), y1 = fg_plot_axis_at(&r->y, from[1]);
  double x2 = fg_plot_axis_at(&r->x, to[0]), y2 = fg_plot_axis_at(&r->y, to[1]), at[2];
  fg_template_setf(row, "x1", "%.1f", x1);
  fg_template_setf(row, "y1", "%.1f", y1);
  fg_template_setf(row, "x2", "%.1f", x2);
  fg_template_setf(row, "y2", "%.1f", y2);
  double above = y1 == y2 ? FG_LABEL_LINE / 2.0 + 2 : 0;
  bool fits = fg_plot_labels_fit(&r->labels, (x1 + x2) / 2, (y1 + y2) / 2 - above, (int)strlen(name), at);
  fg_template_set(row, "name", fits ? name : "");
  fg_template_setf(row, "x", "%.1f", fits ? at[0] : 0);
  fg_template_setf(row, "y", "%.1f", fits ? at[1] : 0);
}

static void add_legend(fg_template_values *v, const char *name, const char *format, double rate) {
  fg_template_values *row = fg_template_add_row(v, "legend");
  fg_template_set(row, "name", name);
  fg_template_setf(row, "label", format, rate);
}

/* The roofs of one precision: a slope for each cache that ends at the flat one;
 * slopes are the same in every precision. */
static void add_roofs(roofline *r, fg_template_values *v, const cJSON *roof, bool slopes) {
  static const char *const level[] = {"L1", "L2", "L3", "memory"};
  const char *precision = fg_json_text(roof, "precision");
  double flops = number(roof, "flops_per_ns"), least = r->x.least, most = r->x.most;
  const cJSON *bytes;
  int l = 0;
  if (flops > 0) {
    add_line(r, v, (double[]){least, flops}, (double[]){most, flops}, precision);
    add_legend(v, precision, "operations in registers: %.4g GFLOP/s", flops);
  }
  cJSON_ArrayForEach(bytes, cJSON_GetObjectItem(roof, "bytes_per_ns")) {
    double rate = bytes->valuedouble, end = flops > 0 ? fmin(flops / rate, most) : most;
    const char *name = l < 4 ? level[l] : "memory";
    l++;
    if (!slopes || !(rate > 0)) continue;
    /* From where the line enters the picture. */
    double start = fmax(least, r->y.least / rate);
    add_line(r, v, (double[]){start, start * rate}, (double[]){end, end * rate}, name);
    add_legend(v, name, "copies %.3g GB/s", rate);
  }
}

static bool has_point(const cJSON *problem) {
  const cJSON *first = winner_of(problem);
  return number(first, "flops") > 0 && number(first, "bytes") > 0 && number(first, "ns") > 0;
}

static void point_at(const roofline *r, const cJSON *problem, double at[2]) {
  const cJSON *first = winner_of(problem);
  double flops = number(first, "flops");
  at[0] = fg_plot_axis_at(&r->x, flops / number(first, "bytes"));
  at[1] = fg_plot_axis_at(&r->y, flops / number(first, "ns"));
}

static void add_point(fg_context *cx, roofline *r, fg_template_values *v, const cJSON *problem, int number_of) {
  const cJSON *first = winner_of(problem);
  double flops = number(first, "flops"), bytes = number(first, "bytes"), ns = number(first, "ns");
  double rate = number(problem, "copy_bytes_per_ns"), at[2], text[2];
  if (!has_point(problem)) return;
  point_at(r, problem, at);
  bool fits = fg_plot_labels_fit(&r->labels, at[0], at[1], number_of < 10 ? 1 : 2, text);
  fg_template_values *row = fg_template_add_row(v, "point");
  fg_template_set(row, "problem", fg_page_escaped(cx, fg_json_text(problem, "problem")));
  fg_template_setf(row, "index", "%d", number_of);
  fg_template_setf(row, "number", "%.0d", fits ? number_of : 0); /* of 0 nothing */
  fg_template_setf(row, "x", "%.1f", at[0]);
  fg_template_setf(row, "y", "%.1f", at[1]);
  fg_template_setf(row, "text_x", "%.1f", fits ? text[0] : 0);
  fg_template_setf(row, "text_y", "%.1f", fits ? text[1] : 0);
  fg_template_setf(row, "top", "%.1f", fg_plot_axis_at(&r->y, rate > 0 ? flops / bytes * rate : flops / ns));
  fg_template_setf(row, "label", "%.3g operations a byte, %.4g GFLOP/s", flops / bytes, flops / ns);
}

/* Dots first: every label keeps off all of them. */
static void add_roofline(fg_context *cx, fg_template_values *v, const cJSON *list) {
  roofline r = {.labels = {.width = PLOT_WIDTH, .height = PLOT_HEIGHT}};
  const cJSON *problem;
  char seen[64] = "";
  int count = 0;
  see_roofline(list, &r);
  fg_template_list(v, "roof");
  fg_template_list(v, "legend");
  fg_template_list(v, "point");
  fg_plot_axis_ticks(&r.x, v, "intensity");
  fg_plot_axis_ticks(&r.y, v, "speed");
  cJSON_ArrayForEach(problem, list) {
    double at[2];
    if (!has_point(problem)) continue;
    point_at(&r, problem, at);
    fg_plot_labels_dot(&r.labels, at[0], at[1], DOT);
  }
  cJSON_ArrayForEach(problem, list) add_point(cx, &r, v, problem, ++count);
  cJSON_ArrayForEach(problem, list) {
    const cJSON *roof = cJSON_GetObjectItem(problem, "roof");
    const char *precision = fg_json_text(roof, "precision");
    if (!*precision || strstr(seen, precision) || strlen(seen) + strlen(precision) >= sizeof seen) continue;
    add_roofs(&r, v, roof, !*seen);
    strcat(seen, precision);
  }
}

/* ---- predicted and measured ---------------------------------------------------- */

/* What the fitted model said against what was measured. Nanoseconds, both. */
static void add_guesses(fg_context *cx, fg_template_values *v, const cJSON *list) {
  fg_plot_axis both;
  const cJSON *problem, *c;
  int count = 0;
  fg_plot_axis_open(&both, GUESS, false);
  fg_template_list(v, "guess");
  for (int draw = 0; draw < 2; draw++) {
    fg_plot_axis up = both;
    up.up = true;
    cJSON_ArrayForEach(problem, list) {
      cJSON_ArrayForEach(c, cJSON_GetObjectItem(problem, "candidates")) {
        double ns = number(c, "ns"), guess = number(c, "predicted_ns");
        if (!(ns > 0 && guess > 0)) continue;
        if (!draw) {
          fg_plot_axis_see(&both, ns), fg_plot_axis_see(&both, guess);
          continue;
        }
        fg_template_values *row = fg_template_add_row(v, "guess");
        fg_template_setf(row, "x", "%.1f", fg_plot_axis_at(&both, ns));
        fg_template_setf(row, "y", "%.1f", fg_plot_axis_at(&up, guess));
        fg_template_set(row, "kind", c == winner_of(problem) ? "won" : "lost");
        fg_template_setf(row, "label", "%s by %s %s %s: predicted %.4g ns, took %.4g ns",
                         fg_page_escaped(cx, fg_json_text(problem, "problem")),
                         fg_page_escaped(cx, fg_json_text(c, "plan")), fg_page_escaped(cx, fg_json_text(c, "isa")),
                         fg_page_escaped(cx, fg_json_text(c, "compiler")), guess, ns);
        count++;
      }
    }
    if (!draw) fg_plot_axis_close(&both);
  }
  double band = fg_plot_axis_at(&both, both.least * 1.15);
  fg_template_setf(v, "size", "%d", GUESS);
  fg_template_setf(v, "band", "%.1f", band);
  fg_template_setf(v, "size_less_band", "%.1f", GUESS - band);
  fg_template_set(v, "guessed", count ? "1" : "");
  fg_template_set(v, "nothing_guessed", count ? "" : "1");
  fg_plot_axis_ticks(&both, v, "took");
  both.up = true;
  fg_plot_axis_ticks(&both, v, "predicted");
}

/* The sentences about a problem. */
static const char *summary(fg_context *cx, const cJSON *problem) {
  const char *plan = fg_page_escaped(cx, fg_json_text(problem, "plan")), *why = fg_json_text(problem, "why");
  const char *takes =
      *plan ? fg_arena_printf(cx->arena, "<code>%s</code> takes %s", plan, duration(cx, number(problem, "ns")))
            : "No plan";
  if (*why) return fg_arena_printf(cx->arena, "%s: %s.", takes, fg_page_escaped(cx, why));
  bool final = cJSON_IsTrue(cJSON_GetObjectItem(problem, "final"));
  return fg_arena_printf(cx->arena, "%s: %s.%s %s The search took %.1f s.", takes, verdict(cx, problem),
                         standing(cx, problem), final ? "" : "The search was cut short.", number(problem, "seconds"));
}

static void add_problem(fg_context *cx, fg_template_values *v, const cJSON *problem, int number_of) {
  fg_template_values *row = fg_template_add_row(v, "problem");
  fg_template_setf(row, "number", "%d", number_of);
  fg_template_set(row, "text", fg_page_escaped(cx, fg_json_text(problem, "problem")));
  fg_template_set(row, "summary", summary(cx, problem));
  add_bars(cx, row, problem);
}

static void add_head(fg_context *cx, fg_template_values *v, const fg_page_head *head) {
  const char *const named[][2] = {{"machine", head->machine},
                                  {"device", head->device},
                                  {"date", head->date},
                                  {"version", head->version},
                                  {"command", head->command}};
  for (size_t i = 0; i < sizeof named / sizeof *named; i++)
    fg_template_set(v, named[i][0], fg_page_escaped(cx, named[i][1]));
}

static fg_status write_html(fg_context *cx, const fg_page_head *head, const cJSON *list, fg_strbuf *out) {
  fg_template_values *v = fg_template_create(cx);
  const cJSON *problem;
  int count = 0;
  add_head(cx, v, head);
  fg_template_list(v, "problem");
  fg_template_setf(v, "width", "%d", PLOT_WIDTH);
  fg_template_setf(v, "height", "%d", PLOT_HEIGHT);
  cJSON_ArrayForEach(problem, list) add_problem(cx, v, problem, ++count);
  add_roofline(cx, v, list);
  add_guesses(cx, v, list);
  return fg_template_expand(cx, "page.tmpl", v, out);
}

fg_status fg_page_create(fg_context *cx, const fg_page_head *head, const cJSON *list, char **out) {
  fg_strbuf page = fg_strbuf_new(cx->arena);
  fg_status status = FG_OK;
  if (head)
    status = write_html(cx, head, list, &page);
  else
    write_csv(list, &page);
  *out = page.text;
  return status;
}
