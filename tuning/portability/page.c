/* See page.h. C code computes positions; text and markup are in templates/portability.tmpl. */
#include "tuning/portability/page.h"
#include "generator/base/strbuf.h"
#include "generator/base/template.h"
#include "targets/number.h"
#include "tuning/portability/published.h"
#include "tuning/report/json.h"
#include "tuning/report/plot.h"
#include <math.h>
#include <stdio.h>
#include <string.h>

enum { BAR = 200, STRIP_WIDTH = 400, STRIP = 56, BINS = 80 };

static double number(const cJSON *json, const char *name) { return fg_json_number(json, name, NAN); }

static const char *backend_name(const cJSON *all, const cJSON *of, const char *field) {
  int backend = (int)number(of, field);
  return fg_json_text(cJSON_GetArrayItem(fg_json_list(all, "backends"), backend), "name");
}

/* ---- CSV ------------------------------------------------------------------------ */

typedef struct csv {
  fg_strbuf *out;
  const char *table, *problem;
} csv;

static void csv_cell(fg_strbuf *out, const char *value) {
  fg_strbuf_add(out, "\"");
  for (; *value; value++) fg_strbuf_addf(out, *value == '"' ? "\"\"" : "%c", *value);
  fg_strbuf_add(out, "\",");
}

static void csv_row(const csv *c, const char *backend, const char *other, const char *quantity, double value) {
  if (!isfinite(value)) return;
  csv_cell(c->out, c->table);
  csv_cell(c->out, c->problem);
  csv_cell(c->out, backend);
  csv_cell(c->out, other);
  csv_cell(c->out, quantity);
  fg_strbuf_addf(c->out, "%.6g\n", value);
}

/* Every number of an object, by its name. */
static void csv_numbers(const csv *c, const char *backend, const char *other, const cJSON *of, const char *before) {
  const cJSON *item;
  char name[64];
  cJSON_ArrayForEach(item, of) {
    if (!cJSON_IsNumber(item)) continue;
    snprintf(name, sizeof name, "%s%s", before, item->string);
    csv_row(c, backend, other, name, item->valuedouble);
  }
}

static void csv_launches(fg_strbuf *out, const char *problem, const char *backend, const char *other, const cJSON *of) {
  static const char *const spread[] = {"inside", "total", "overhead"};
  csv c = {out, "launches", problem};
  const cJSON *l = fg_json_list(of, "launches");
  csv_numbers(&c, backend, other, l, "");
  for (int i = 0; i < 3; i++) {
    char before[32];
    snprintf(before, sizeof before, "%s_", spread[i]);
    csv_numbers(&c, backend, other, fg_json_list(l, spread[i]), before);
  }
}

static void csv_runs(fg_strbuf *out, const cJSON *all, const cJSON *problem) {
  const cJSON *run, *other;
  const char *p = fg_json_text(problem, "problem");
  cJSON_ArrayForEach(run, fg_json_list(problem, "runs")) {
    const char *backend = backend_name(all, run, "backend");
    csv_numbers(&(csv){out, "runs", p}, backend, fg_json_text(run, "plan"), run, "");
    csv_launches(out, p, backend, "", run);
    cJSON_ArrayForEach(other, fg_json_list(run, "candidates"))
        csv_row(&(csv){out, "candidates", p}, backend, fg_json_text(other, "plan"), "ns", number(other, "ns"));
    cJSON_ArrayForEach(other, fg_json_list(run, "libraries")) {
      csv_numbers(&(csv){out, "libraries", p}, backend, fg_json_text(other, "name"), other, "");
      csv_launches(out, p, backend, fg_json_text(other, "name"), other);
    }
  }
}

static void write_csv(const cJSON *all, fg_strbuf *out) {
  const cJSON *problem, *row;
  fg_strbuf_add(out, "table,problem,backend,other,quantity,value\n");
  cJSON_ArrayForEach(problem, fg_json_list(all, "problems")) {
    const char *p = fg_json_text(problem, "problem");
    csv_runs(out, all, problem);
    cJSON_ArrayForEach(row, fg_json_list(problem, "portability"))
        csv_numbers(&(csv){out, "portability", p}, fg_json_text(row, "set"), "", row, "");
    cJSON_ArrayForEach(row, fg_json_list(problem, "carried"))
        csv_row(&(csv){out, "carried", p}, backend_name(all, row, "of"), backend_name(all, row, "on"), "lost",
                number(row, "lost"));
    cJSON_ArrayForEach(row, fg_json_list(problem, "languages"))
        csv_row(&(csv){out, "languages", p}, backend_name(all, row, "a"), backend_name(all, row, "b"),
                fg_json_text(row, "plan"), number(row, "ratio"));
    cJSON_ArrayForEach(row, fg_json_list(problem, "agreement")) {
      csv c = {out, "agreement", p};
      const char *a = backend_name(all, row, "a"), *b = backend_name(all, row, "b");
      static const char *const quantity[] = {"bins", "l2", "max", "chi2_ndf", "p"};
      for (int i = 0; i < 5; i++) {
        char name[96];
        snprintf(name, sizeof name, "%s, %s", quantity[i], fg_json_text(row, "input"));
        csv_row(&c, a, b, name, number(row, quantity[i]));
      }
    }
  }
}

/* ---- HTML: efficiencies ------------------------------------------------------------ */

static void set_number(fg_template_values *v, const char *name, const char *format, double x) {
  char shown[64];
  fg_number_print(shown, sizeof shown, format, x);
  fg_template_set(v, name, isfinite(x) ? shown : "-");
}

static void set_bar(fg_template_values *v, const char *name, double part) {
  fg_template_setf(v, name, "%.1f", isfinite(part) ? BAR * fmax(0, fmin(part, 1)) : 0);
}

static void add_backends(fg_context *cx, fg_template_values *v, const cJSON *all) {
  const cJSON *w;
  int number_of = 0, absent = 0;
  fg_template_list(v, "backend");
  fg_template_list(v, "absent");
  cJSON_ArrayForEach(w, fg_json_list(all, "backends")) {
    bool here = cJSON_IsTrue(fg_json_list(w, "here"));
    fg_template_values *row = fg_template_add_row(v, here ? "backend" : "absent");
    if (here)
      number_of++;
    else
      absent++;
    fg_template_setf(row, "number", "%d", number_of);
    fg_template_set(row, "name", fg_page_escaped(cx, fg_json_text(w, "name")));
    fg_template_set(row, "on", fg_page_escaped(cx, fg_json_text(w, "on")));
    fg_template_setf(row, "what", "%s%s%s",
                     fg_page_escaped(cx, here ? fg_json_text(w, "hardware") : fg_json_text(w, "why")), here ? ", " : "",
                     fg_page_escaped(cx, fg_json_text(w, "version")));
  }
  fg_template_setf(v, "absences", "%.0d", absent); /* of 0 nothing */
}

/* ---- HTML: the summary ---------------------------------------------------------------- */

typedef struct summary {
  double least; /* application efficiency of each hardware by its fastest way: the least of all problems */
  double most;  /* architectural efficiency of any run */
  int problems, hardware, backends;
} summary;

static summary sum_up(const cJSON *all) {
  summary s = {.least = NAN};
  const cJSON *problem, *set, *run, *w;
  cJSON_ArrayForEach(w, fg_json_list(all, "backends")) s.backends += cJSON_IsTrue(fg_json_list(w, "here"));
  cJSON_ArrayForEach(problem, fg_json_list(all, "problems")) {
    s.problems++;
    cJSON_ArrayForEach(run, fg_json_list(problem, "runs")) s.most = fmax(s.most, number(run, "architectural"));
    cJSON_ArrayForEach(set, fg_json_list(problem, "portability")) {
      if (strcmp(fg_json_text(set, "set"), "each hardware by its fastest backend")) continue;
      double x = number(set, "application"), count = number(set, "backends");
      if (isfinite(x) && !(x >= s.least)) s.least = x;
      if (count > s.hardware) s.hardware = (int)count;
    }
  }
  return s;
}

static void add_summary(fg_template_values *v, const cJSON *all) {
  summary s = sum_up(all);
  fg_template_setf(v, "problems", "%d problem%s", s.problems, s.problems == 1 ? "" : "s");
  fg_template_setf(v, "hardware", "%d piece%s of hardware", s.hardware, s.hardware == 1 ? "" : "s");
  fg_template_setf(v, "backends", "%d backend%s", s.backends, s.backends == 1 ? "" : "s");
  fg_template_set(v, "generator", fg_json_text(all, "generator"));
  set_number(v, "least", "%.2f", s.least);
  fg_template_set(v, "busy", s.most > 1.2 ? "1" : ""); /* a limit cannot be passed by so much */
}

static void add_run(fg_context *cx, fg_template_values *to, const cJSON *all, const cJSON *run) {
  fg_template_values *row = fg_template_add_row(to, "run");
  bool ran = !*fg_json_text(run, "why");
  double limit = number(run, "architectural"), known = number(run, "application");
  fg_template_set(row, "name", fg_page_escaped(cx, backend_name(all, run, "backend")));
  fg_template_set(row, "plan", fg_page_escaped(cx, ran ? fg_json_text(run, "plan") : fg_json_text(run, "why")));
  set_number(row, "us", "%.4g", number(run, "ns") * 1e-3);
  set_number(row, "limit", "%.2f", limit);
  set_number(row, "known", "%.2f", known);
  set_bar(row, "limit_width", limit);
  set_bar(row, "known_width", known);
  fg_template_set(row, "best_by", fg_page_escaped(cx, fg_json_text(run, "best_by")));
  set_number(row, "untuned", "%.2f", number(run, "best_ns") / number(run, "untuned_ns"));
  set_number(row, "error", "%.3g", number(run, "l2"));
}

static void add_efficiencies(fg_context *cx, fg_template_values *v, const cJSON *all) {
  const cJSON *problem, *run, *set;
  fg_template_list(v, "problem");
  fg_template_list(v, "metric");
  cJSON_ArrayForEach(problem, fg_json_list(all, "problems")) {
    fg_template_values *row = fg_template_add_row(v, "problem");
    fg_template_set(row, "text", fg_page_escaped(cx, fg_json_text(problem, "problem")));
    fg_template_list(row, "run");
    cJSON_ArrayForEach(run, fg_json_list(problem, "runs")) add_run(cx, row, all, run);
    cJSON_ArrayForEach(set, fg_json_list(problem, "portability")) {
      row = fg_template_add_row(v, "metric");
      fg_template_set(row, "problem", fg_page_escaped(cx, fg_json_text(problem, "problem")));
      fg_template_set(row, "set", fg_page_escaped(cx, fg_json_text(set, "set")));
      set_number(row, "backends", "%.0f", number(set, "backends"));
      set_number(row, "limit", "%.3f", number(set, "architectural"));
      set_number(row, "known", "%.3f", number(set, "application"));
      set_number(row, "untuned", "%.3f", number(set, "untuned"));
      set_bar(row, "limit_width", number(set, "architectural"));
      set_bar(row, "known_width", number(set, "application"));
    }
  }
}

/* ---- HTML: distributions ----------------------------------------------------------- */

/* Microseconds in so many equal parts of a logarithmic axis. */
static void add_bars(fg_template_values *strip, const fg_plot_axis *axis, const cJSON *samples, const char *kind) {
  int count[BINS] = {0}, most = 1;
  const cJSON *item;
  cJSON_ArrayForEach(item, samples) {
    int bin = (int)(fg_plot_axis_at(axis, item->valuedouble * 1e-3) * BINS / axis->pixels);
    bin = bin < 0 ? 0 : bin >= BINS ? BINS - 1 : bin;
    if (++count[bin] > most) most = count[bin];
  }
  double width = (double)axis->pixels / BINS;
  for (int i = 0; i < BINS; i++) {
    if (!count[i]) continue;
    fg_template_values *bar = fg_template_add_row(strip, "bar");
    /* Of few, too, something is to be seen: outliers are not hidden. */
    double height = fmax(2, STRIP * (double)count[i] / most);
    fg_template_set(bar, "kind", kind);
    fg_template_setf(bar, "x", "%.1f", i * width);
    fg_template_setf(bar, "y", "%.1f", STRIP - height);
    fg_template_setf(bar, "width", "%.1f", width - 1);
    fg_template_setf(bar, "height", "%.1f", height);
  }
}

static void see_samples(fg_plot_axis *axis, const cJSON *samples) {
  const cJSON *item;
  cJSON_ArrayForEach(item, samples) fg_plot_axis_see(axis, item->valuedouble * 1e-3);
}

static void add_marks(fg_context *cx, fg_template_values *strip, const fg_plot_axis *axis) {
  fg_template_list(strip, "mark");
  for (const fg_port_published *p = fg_port_published_table; p->whose; p++) {
    if (p->question != FG_PORT_LAUNCHES || !(p->us > 0)) continue;
    fg_template_values *mark = fg_template_add_row(strip, "mark");
    fg_template_setf(mark, "at", "%.1f", fg_plot_axis_at(axis, p->us));
    fg_template_setf(mark, "label", "%s, %s: %s", fg_page_escaped(cx, p->whose), fg_page_escaped(cx, p->on),
                     fg_page_escaped(cx, p->figure));
  }
}

static void add_strip(fg_context *cx, fg_template_values *to, const fg_plot_axis *axis, const char *name,
                      const cJSON *of) {
  static const char *const quantile[] = {"mean", "least", "median", "high", "most"};
  const cJSON *l = fg_json_list(of, "launches");
  if (!(number(l, "count") > 0)) return;
  fg_template_values *strip = fg_template_add_row(to, "strip");
  fg_template_set(strip, "name", fg_page_escaped(cx, name));
  for (int i = 0; i < 5; i++)
    set_number(strip, quantile[i], "%.4g", number(fg_json_list(l, "overhead"), quantile[i]) * 1e-3);
  fg_plot_axis_ticks(axis, strip, "tick");
  fg_template_list(strip, "bar");
  add_bars(strip, axis, fg_json_list(l, "all_inside"), "inside");
  add_bars(strip, axis, fg_json_list(l, "all_total"), "total");
  add_marks(cx, strip, axis);
}

static void add_distribution(fg_context *cx, fg_template_values *v, const cJSON *all, const cJSON *problem) {
  fg_plot_axis axis;
  const cJSON *run, *library;
  fg_plot_axis_open(&axis, STRIP_WIDTH, false);
  for (const fg_port_published *p = fg_port_published_table; p->whose; p++) fg_plot_axis_see(&axis, p->us);
  cJSON_ArrayForEach(run, fg_json_list(problem, "runs")) {
    see_samples(&axis, fg_json_list(fg_json_list(run, "launches"), "all_total"));
    see_samples(&axis, fg_json_list(fg_json_list(run, "launches"), "all_inside"));
    cJSON_ArrayForEach(library, fg_json_list(run, "libraries"))
        see_samples(&axis, fg_json_list(fg_json_list(library, "launches"), "all_total"));
  }
  fg_plot_axis_close(&axis);
  fg_template_values *row = fg_template_add_row(v, "distribution");
  fg_template_set(row, "problem", fg_page_escaped(cx, fg_json_text(problem, "problem")));
  fg_template_list(row, "strip");
  cJSON_ArrayForEach(run, fg_json_list(problem, "runs")) {
    const char *name = backend_name(all, run, "backend");
    add_strip(cx, row, &axis, name, run);
    cJSON_ArrayForEach(library, fg_json_list(run, "libraries")) add_strip(
        cx, row, &axis, fg_arena_printf(cx->arena, "%s beside %s", fg_json_text(library, "name"), name), library);
  }
}

/* ---- HTML: plans carried, outputs ------------------------------------------------------ */

static const cJSON *carried(const cJSON *problem, int of, int on) {
  const cJSON *c;
  cJSON_ArrayForEach(c, fg_json_list(problem, "carried")) if (number(c, "of") == of && number(c, "on") == on) return c;
  return NULL;
}

static void add_cell(fg_context *cx, fg_template_values *row, const cJSON *c) {
  fg_template_values *cell = fg_template_add_row(row, "cell");
  double lost = c ? number(c, "lost") : NAN;
  set_number(cell, "lost", "%.0f", 100 * lost);
  fg_template_setf(cell, "shade", "%.2f", isfinite(lost) ? fmax(0, fmin(lost, 1)) : 0);
  fg_template_set(
      cell, "why",
      fg_page_escaped(cx, c ? *fg_json_text(c, "why") ? fg_json_text(c, "why") : fg_json_text(c, "plan") : ""));
}

static void add_matrix(fg_context *cx, fg_template_values *v, const cJSON *all, const cJSON *problem) {
  int here = cJSON_GetArraySize(fg_json_list(problem, "runs"));
  fg_template_values *matrix = fg_template_add_row(v, "matrix");
  const cJSON *one = fg_json_list(problem, "one_plan");
  fg_template_set(matrix, "problem", fg_page_escaped(cx, fg_json_text(problem, "problem")));
  fg_template_list(matrix, "head");
  fg_template_list(matrix, "row");
  for (int on = 0; on < here; on++) fg_template_setf(fg_template_add_row(matrix, "head"), "number", "%d", on + 1);
  for (int of = 0; of < here; of++) {
    fg_template_values *row = fg_template_add_row(matrix, "row");
    fg_template_setf(row, "name", "%d %s", of + 1,
                     fg_page_escaped(cx, fg_json_text(cJSON_GetArrayItem(fg_json_list(all, "backends"), of), "name")));
    fg_template_list(row, "cell");
    for (int on = 0; on < here; on++) add_cell(cx, row, carried(problem, of, on));
  }
  if (*fg_json_text(one, "plan"))
    fg_template_setf(matrix, "one",
                     "One plan for all: <code>%s</code>, %.3f of the speed of their own plans (harmonic mean).",
                     fg_page_escaped(cx, fg_json_text(one, "plan")), number(one, "of_own_plans"));
  else
    fg_template_set(matrix, "one", "No plan runs everywhere.");
}

/* Two outputs agree where chance alone would differ by more nearly always. */
static bool agrees(const cJSON *g) { return number(g, "p") >= 0.95; }

static void add_pair(fg_context *cx, fg_template_values *v, const char *list, const cJSON *all, const cJSON *problem,
                     const cJSON *g) {
  fg_template_values *row = fg_template_add_row(v, list);
  fg_template_set(row, "problem", fg_page_escaped(cx, fg_json_text(problem, "problem")));
  fg_template_set(row, "input", fg_page_escaped(cx, fg_json_text(g, "input")));
  fg_template_setf(row, "backends", "%s; %s", fg_page_escaped(cx, backend_name(all, g, "a")),
                   fg_page_escaped(cx, backend_name(all, g, "b")));
  set_number(row, "bins", "%.0f", number(g, "bins"));
  set_number(row, "l2", "%.3g", number(g, "l2"));
  set_number(row, "max", "%.3g", number(g, "max"));
  set_number(row, "chi2", "%.3g", number(g, "chi2_ndf"));
  set_number(row, "p", "%.3g", number(g, "p"));
}

/* Pairs that agree are counted, and folded away; the others are shown. */
static void add_agreement(fg_context *cx, fg_template_values *v, const cJSON *all) {
  const cJSON *problem, *g;
  int agreed = 0, apart = 0;
  double l2 = 0, chi2 = 0;
  fg_template_list(v, "pair");
  fg_template_list(v, "apart");
  cJSON_ArrayForEach(problem, fg_json_list(all, "problems")) {
    cJSON_ArrayForEach(g, fg_json_list(problem, "agreement")) {
      bool same = agrees(g);
      add_pair(cx, v, same ? "pair" : "apart", all, problem, g);
      if (!same) {
        apart++;
        continue;
      }
      agreed++;
      l2 = fmax(l2, number(g, "l2"));
      chi2 = fmax(chi2, number(g, "chi2_ndf"));
    }
  }
  fg_template_setf(v, "agreed", "%.0d", agreed); /* of 0 nothing */
  fg_template_setf(v, "disagreed", "%.0d", apart);
  set_number(v, "most_l2", "%.2g", l2);
  set_number(v, "most_chi2", "%.2g", chi2);
}

static void add_published(fg_context *cx, fg_template_values *v, const char *name, fg_port_question question) {
  fg_template_list(v, name);
  for (const fg_port_published *p = fg_port_published_table; p->whose; p++)
    if (p->question == question)
      fg_template_setf(fg_template_add_row(v, name), "text", "%s (%s): %s", fg_page_escaped(cx, p->whose),
                       fg_page_escaped(cx, p->on), fg_page_escaped(cx, p->figure));
}

static fg_status write_page(fg_context *cx, const cJSON *all, fg_strbuf *out) {
  const cJSON *problem;
  fg_template_values *v = fg_template_create(cx);
  static const char *const lists[] = {"distribution", "matrix"};
  for (int i = 0; i < 2; i++) fg_template_list(v, lists[i]);
  add_summary(v, all);
  add_backends(cx, v, all);
  add_efficiencies(cx, v, all);
  cJSON_ArrayForEach(problem, fg_json_list(all, "problems")) {
    add_distribution(cx, v, all, problem);
    add_matrix(cx, v, all, problem);
  }
  add_agreement(cx, v, all);
  add_published(cx, v, "kernels", FG_PORT_KERNELS);
  add_published(cx, v, "launches", FG_PORT_LAUNCHES);
  add_published(cx, v, "carried", FG_PORT_CARRIED);
  add_published(cx, v, "agreement", FG_PORT_AGREEMENT);
  return fg_template_expand(cx, "portability.tmpl", v, out);
}

fg_status fg_port_page_create(fg_context *cx, const cJSON *all, bool html, char **out) {
  fg_status status = FG_OK;
  fg_strbuf page = fg_strbuf_new(cx->arena);
  if (html)
    status = write_page(cx, all, &page);
  else
    write_csv(all, &page);
  *out = page.text;
  return status;
}
