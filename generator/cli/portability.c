/* See portability.h. In: the results of tuning/portability/portability.h, as JSON. Out: tables on the terminal, CSV,
 * or a page, with published figures. */
#include "generator/cli/portability.h"
#include "generator/cli/interrupt.h"
#include "generator/cli/parse.h"
#include "generator/cli/progress.h"
#include "generator/cli/table.h"
#include "runtime/store/store.h"
#include "targets/number.h"
#include "tuning/portability/page.h"
#include "tuning/portability/portability.h"
#include "tuning/portability/published.h"
#include "tuning/portability/run.h"
#include "tuning/report/json.h"
#include "tuning/report/report.h"
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { KEY_PORTABILITY = 640, KEY_ONLY, KEY_CANDIDATES, KEY_SAMPLES, KEY_HANG, KEY_CSV, KEY_REPORT };
enum { USUAL_CANDIDATES = 4 };

/* Single transforms, where launches decide, and a megabyte or two, where memory does. */
static const char *const usual_problems[] = {"c2c f32 n=64",
                                             "c2c f32 n=256",
                                             "c2c f32 n=1024",
                                             "c2c f32 n=2048",
                                             "c2c f32 n=64 batch=2048",
                                             "c2c f32 n=1024 batch=128",
                                             "c2c f64 n=1000 batch=64",
                                             "c2c f32 n=65536"};

/* ---- options ------------------------------------------------------------------- */

static error_t read_number(const char *name, const char *arg, int64_t most, int *out, const struct argp_state *state) {
  int64_t value;
  if (!fg_cli_number(arg, 1, most, &value)) return fg_cli_refuse(state, "%s '%s': 1 .. %d", name, arg, (int)most);
  *out = (int)value;
  return 0;
}

static bool ends_with(const char *name, const char *end) {
  size_t n = strlen(name), m = strlen(end);
  return n > m && !strcmp(name + n - m, end);
}

static error_t add_report(fg_cli_portability *p, const char *name, const struct argp_state *state) {
  if (!ends_with(name, ".html") && !ends_with(name, ".csv") && !ends_with(name, ".json"))
    return fg_cli_refuse(state, "--report '%s': a name that ends in .html, .csv or .json", name);
  if (p->reports == FG_CLI_REPORTS) return fg_cli_refuse(state, "--report: at most %d", FG_CLI_REPORTS);
  p->report[p->reports++] = name;
  return 0;
}

static error_t check(fg_cli_portability *p, const struct argp_state *state) {
  const fg_choice *c = p->choice;
  if (!p->wanted) return p->further ? fg_cli_refuse(state, "one of these options needs --portability") : 0;
  if (p->csv && c->json)
    return fg_cli_refuse(state, "--csv and --json: one of them (--report takes a page or CSV beside)");
  if (c->target || c->isa || c->plan || c->nrecipe || c->device || c->compiler)
    return fg_cli_refuse(state, "--portability takes every backend and their own plans; --only chooses among backends");
  return 0;
}

static error_t parse(int key, char *arg, struct argp_state *state) {
  fg_cli_portability *p = state->input;
  p->further = p->further || (key >= KEY_ONLY && key <= KEY_REPORT);
  switch (key) {
  case KEY_PORTABILITY: p->wanted = p->choice->may_be_empty = true; return 0;
  case KEY_ONLY: p->only = arg; return 0;
  case KEY_CANDIDATES: return read_number("--candidates", arg, FG_PORT_MOST_CANDIDATES, &p->candidates, state);
  case KEY_SAMPLES: return read_number("--samples", arg, FG_PORT_SAMPLES, &p->samples, state);
  case KEY_HANG:
    p->hang = fg_number_read(arg, NULL);
    return p->hang > 0 ? 0 : fg_cli_refuse(state, "--hang '%s': seconds, above 0", arg);
  case KEY_CSV: p->csv = true; return 0;
  case KEY_REPORT: return add_report(p, arg, state);
  case ARGP_KEY_END: return check(p, state);
  default: return ARGP_ERR_UNKNOWN;
  }
}

static const struct argp_option options[] = {
    {0, 0, 0, 0, "Performance portability", 1},
    {"portability", KEY_PORTABILITY, 0, 0, "compare all backends that are present", 1},
    {"only", KEY_ONLY, "WORDS", 0, "only backends whose names contain one of A,B,...", 1},
    {"candidates", KEY_CANDIDATES, "NUMBER", 0, "plans that each backend compares (4)", 1},
    {"samples", KEY_SAMPLES, "NUMBER", 0, "executions timed one by one (1000)", 1},
    {"hang", KEY_HANG, "SECONDS", 0, "most seconds for a backend and a problem (600)", 1},
    {"csv", KEY_CSV, 0, 0, "print CSV", 1},
    {"report", KEY_REPORT, "FILE", 0, "write a report: .html, .csv or .json (repeatable)", 1},
    {0},
};
const struct argp fg_cli_portability_argp = {.options = options, .parser = parse};

/* ---- reading ---------------------------------------------------------------------- */

static double number(const cJSON *json, const char *name) { return fg_json_number(json, name, NAN); }

static void print_published(fg_context *cx, fg_port_question question) {
  for (const fg_port_published *p = fg_port_published_table; p->whose; p++)
    if (p->question == question)
      fputs(fg_report_wrapped(cx, fg_arena_printf(cx->arena, "published: %s (%s): %s", p->whose, p->on, p->figure)),
            stdout);
}

static void number_cell(fg_cli_table *t, const char *format, double x) {
  if (isfinite(x))
    fg_cli_cell(t, format, x);
  else
    fg_cli_cell(t, "-");
}

static void time_cell(fg_cli_table *t, double ns) { number_cell(t, "%.4g", ns * 1e-3); }

/* ---- tables ------------------------------------------------------------------------- */

static void print_backends(fg_context *cx, const cJSON *all) {
  static const char *const heads[] = {"", "backend", "on", "what it is, or why it is absent"};
  fg_cli_table *t = fg_cli_table_create(cx, 4, heads);
  const cJSON *w;
  int i = 0;
  cJSON_ArrayForEach(w, fg_json_list(all, "backends")) {
    bool here = cJSON_IsTrue(fg_json_list(w, "here"));
    if (here)
      fg_cli_cell(t, "%d", ++i);
    else
      fg_cli_cell(t, "-");
    fg_cli_cell(t, "%s", fg_json_text(w, "name"));
    fg_cli_cell(t, "%s", here ? fg_json_text(w, "on") : "absent");
    fg_cli_cell(t, "%s%s%s", here ? fg_json_text(w, "hardware") : fg_json_text(w, "why"), here ? ", " : "",
                fg_json_text(w, "version"));
  }
  fg_cli_table_print_narrow(t);
}

static const char *backend_name(const cJSON *all, int backend) {
  return fg_json_text(cJSON_GetArrayItem(fg_json_list(all, "backends"), backend), "name");
}

static void add_run(fg_cli_table *t, const cJSON *all, const cJSON *run) {
  fg_cli_cell(t, "%s", backend_name(all, (int)number(run, "backend")));
  if (*fg_json_text(run, "why")) {
    fg_cli_cell(t, "%s", fg_json_text(run, "why"));
    for (int i = 0; i < 6; i++) fg_cli_cell(t, "-");
    return;
  }
  fg_cli_cell(t, "%s", fg_json_text(run, "plan"));
  time_cell(t, number(run, "ns"));
  number_cell(t, "%.2f", number(run, "architectural"));
  fg_cli_cell(t, "%s", fg_json_text(run, "best_by"));
  number_cell(t, "%.2f", number(run, "application"));
  number_cell(t, "%.2f", number(run, "best_ns") / number(run, "untuned_ns"));
  number_cell(t, "%.3g", number(run, "l2"));
}

static void print_runs(fg_context *cx, const cJSON *all, const cJSON *problem) {
  static const char *const heads[] = {"backend",       "plan",  "us",      "of the limit",
                                      "fastest there", "of it", "untuned", "error"};
  fg_cli_table *t = fg_cli_table_create(cx, 8, heads);
  const cJSON *run, *library;
  cJSON_ArrayForEach(run, fg_json_list(problem, "runs")) {
    add_run(t, all, run);
    cJSON_ArrayForEach(library, fg_json_list(run, "libraries")) {
      fg_cli_cell(t, "  beside %s", fg_json_text(library, "name"));
      fg_cli_cell(t, "%s", *fg_json_text(library, "why") ? fg_json_text(library, "why") : "-");
      time_cell(t, number(library, "ns"));
      for (int i = 0; i < 2; i++) fg_cli_cell(t, "-");
      number_cell(t, "%.2f", number(run, "best_ns") / number(library, "ns"));
      fg_cli_cell(t, "-");
      number_cell(t, "%.3g", number(library, "l2"));
    }
  }
  fg_cli_table_print_narrow(t);
}

static void print_metric(fg_context *cx, const cJSON *all) {
  static const char *const heads[] = {"problem", "over", "backends", "architectural", "application", "untuned"};
  fg_cli_table *t = fg_cli_table_create(cx, 6, heads);
  const cJSON *problem, *set;
  cJSON_ArrayForEach(problem, fg_json_list(all, "problems"))
      cJSON_ArrayForEach(set, fg_json_list(problem, "portability")) {
    fg_cli_cell(t, "%s", fg_json_text(problem, "problem"));
    fg_cli_cell(t, "%s", fg_json_text(set, "set"));
    number_cell(t, "%.0f", number(set, "backends"));
    number_cell(t, "%.3f", number(set, "architectural"));
    number_cell(t, "%.3f", number(set, "application"));
    number_cell(t, "%.3f", number(set, "untuned"));
  }
  puts("\nPerformance portability: harmonic means of efficiencies\n"
       "(of the device's limit; of the fastest known there)");
  fg_cli_table_print_narrow(t);
}

static void add_launch(fg_cli_table *t, const char *problem, const char *name, const cJSON *of) {
  const cJSON *l = fg_json_list(of, "launches"), *total = fg_json_list(l, "total"), *over = fg_json_list(l, "overhead");
  if (!(number(l, "count") > 0)) return;
  fg_cli_cell(t, "%s", problem);
  fg_cli_cell(t, "%s", name);
  number_cell(t, "%.0f", number(l, "count"));
  fg_cli_cell(t, "%.4g%s", number(l, "inside_ns") * 1e-3,
              strcmp(fg_json_text(l, "inside_by"), "device's clock") ? " *" : "");
  time_cell(t, number(total, "mean"));
  time_cell(t, number(total, "least"));
  static const char *const quantile[] = {"mean", "least", "median", "high", "most"};
  for (int i = 0; i < 5; i++) time_cell(t, number(over, quantile[i]));
}

static void print_launches(fg_context *cx, const cJSON *all) {
  static const char *const heads[] = {"problem",      "backend", "runs",   "kernels", "all, mean", "least",
                                      "launch, mean", "least",   "median", "99 %",    "most"};
  fg_cli_table *t = fg_cli_table_create(cx, 11, heads);
  const cJSON *problem, *run, *library;
  cJSON_ArrayForEach(problem, fg_json_list(all, "problems")) cJSON_ArrayForEach(run, fg_json_list(problem, "runs")) {
    const char *name = backend_name(all, (int)number(run, "backend"));
    add_launch(t, fg_json_text(problem, "problem"), name, run);
    cJSON_ArrayForEach(library, fg_json_list(run, "libraries"))
        add_launch(t, fg_json_text(problem, "problem"),
                   fg_arena_printf(cx->arena, "  %s beside it", fg_json_text(library, "name")), library);
  }
  puts("\nKernels and launches, us (*: no clock of the device's own; many in a row instead)");
  fg_cli_table_print_narrow(t);
  print_published(cx, FG_PORT_LAUNCHES);
  print_published(cx, FG_PORT_KERNELS);
}

static void print_carried(fg_context *cx, const cJSON *all, const cJSON *problem) {
  int here = cJSON_GetArraySize(fg_json_list(problem, "runs"));
  const char *heads[FG_PORT_BACKENDS + 1] = {"plan of, on"};
  for (int i = 0; i < here; i++) heads[i + 1] = fg_arena_printf(cx->arena, "%d", i + 1);
  fg_cli_table *t = fg_cli_table_create(cx, here + 1, heads);
  for (int of = 0; of < here; of++) {
    fg_cli_cell(t, "%d %s", of + 1, backend_name(all, of));
    for (int on = 0; on < here; on++) {
      const cJSON *c, *found = NULL;
      cJSON_ArrayForEach(c, fg_json_list(problem, "carried")) if (number(c, "of") == of && number(c, "on") == on)
          found = c;
      number_cell(t, "%.0f", found ? 100 * number(found, "lost") : NAN);
    }
  }
  printf("\nSpeed lost by another's plan, %%: %s\n", fg_json_text(problem, "problem"));
  fg_cli_table_print_narrow(t);
  const cJSON *one = fg_json_list(problem, "one_plan");
  if (*fg_json_text(one, "plan"))
    fg_number_write(stdout, "one plan for all, %.3f of their own plans' speed (harmonic mean):\n%s",
                    number(one, "of_own_plans"), fg_report_wrapped(cx, fg_json_text(one, "plan")));
}

typedef struct pair { /* of ways on the same hardware */
  int a, b, count;
  double log_sum, least, most;
} pair;

/* The ratios of one pair over all problems and plans. */
static pair gather(const cJSON *all, int a, int b) {
  pair p = {.a = a, .b = b, .least = INFINITY};
  const cJSON *problem, *row;
  cJSON_ArrayForEach(problem, fg_json_list(all, "problems"))
      cJSON_ArrayForEach(row, fg_json_list(problem, "languages")) {
    double ratio = number(row, "ratio");
    if (number(row, "a") != a || number(row, "b") != b || !(ratio > 0)) continue;
    p.count++;
    p.log_sum += log(ratio);
    p.least = fmin(p.least, ratio);
    p.most = fmax(p.most, ratio);
  }
  return p;
}

/* One language beside another on the same hardware. */
static void print_languages(fg_context *cx, const cJSON *all) {
  static const char *const heads[] = {"time of", "over that of", "plans", "mean ratio", "least", "most"};
  fg_cli_table *t = fg_cli_table_create(cx, 6, heads);
  int backends = cJSON_GetArraySize(fg_json_list(all, "backends")), pairs = 0;
  for (int b = 0; b < backends; b++)
    for (int a = b + 1; a < backends; a++) {
      pair p = gather(all, a, b);
      if (!p.count) continue;
      pairs++;
      fg_cli_cell(t, "%s", backend_name(all, a));
      fg_cli_cell(t, "%s", backend_name(all, b));
      fg_cli_cell(t, "%d", p.count);
      number_cell(t, "%.3f", exp(p.log_sum / p.count));
      number_cell(t, "%.3f", p.least);
      number_cell(t, "%.3f", p.most);
    }
  if (!pairs) return;
  puts("\nThe same plans in several languages on the same hardware (each one: --csv)");
  fg_cli_table_print_narrow(t);
}

/* The pair that agrees least, by each input. */
static void print_agreement(fg_context *cx, const cJSON *all) {
  static const char *const heads[] = {"problem", "input", "pairs", "L2", "max", "chi2/ndf", "p", "that agree least"};
  fg_cli_table *t = fg_cli_table_create(cx, 8, heads);
  const cJSON *problem, *g;
  cJSON_ArrayForEach(problem, fg_json_list(all, "problems")) for (int input = 0; input < FG_PORT_INPUTS; input++) {
    const cJSON *worst = NULL;
    int pairs = 0;
    cJSON_ArrayForEach(g, fg_json_list(problem, "agreement")) {
      if (strcmp(fg_json_text(g, "input"), fg_port_inputs[input])) continue;
      pairs++;
      if (!worst || number(g, "l2") > number(worst, "l2")) worst = g;
    }
    if (!worst) continue;
    fg_cli_cell(t, "%s", fg_json_text(problem, "problem"));
    fg_cli_cell(t, "%s", fg_port_inputs[input]);
    fg_cli_cell(t, "%d", pairs);
    number_cell(t, "%.3g", number(worst, "l2"));
    number_cell(t, "%.3g", number(worst, "max"));
    number_cell(t, "%.3g", number(worst, "chi2_ndf"));
    number_cell(t, "%.3g", number(worst, "p"));
    fg_cli_cell(t, "%s; %s", backend_name(all, (int)number(worst, "a")), backend_name(all, (int)number(worst, "b")));
  }
  puts("\nAgreement of outputs between backends");
  fg_cli_table_print_narrow(t);
  print_published(cx, FG_PORT_AGREEMENT);
}

static void print_tables(fg_context *cx, const cJSON *all) {
  const cJSON *problem;
  print_backends(cx, all);
  cJSON_ArrayForEach(problem, fg_json_list(all, "problems")) {
    fg_number_write(stdout, "\n%s: %.0f points, %.0f transform%s, %.4g KiB in and out\n",
                    fg_json_text(problem, "problem"), number(problem, "points"), number(problem, "transforms"),
                    number(problem, "transforms") > 1 ? "s" : "", number(problem, "bytes") / 1024);
    print_runs(cx, all, problem);
  }
  print_metric(cx, all);
  print_launches(cx, all);
  cJSON_ArrayForEach(problem, fg_json_list(all, "problems")) print_carried(cx, all, problem);
  print_published(cx, FG_PORT_CARRIED);
  print_languages(cx, all);
  print_agreement(cx, all);
}

/* ---- all of it ------------------------------------------------------------------------ */

static fg_status write_report(fg_context *cx, const char *name, const cJSON *all) {
  char *text = NULL;
  bool json = ends_with(name, ".json");
  fg_status status = FG_OK;
  if (json)
    text = fg_json_print(all);
  else
    status = fg_port_page_create(cx, all, ends_with(name, ".html"), &text);
  if (status == FG_OK && !text) status = FG_ENOMEM;
  if (status == FG_OK) status = fg_store_replace(cx, name, text, strlen(text));
  if (json) cJSON_free(text);
  return status;
}

static fg_status write_out(fg_context *cx, const fg_cli_portability *p, const cJSON *all) {
  char *text = NULL;
  fg_status status = FG_OK;
  for (int i = 0; i < p->reports && status == FG_OK; i++) status = write_report(cx, p->report[i], all);
  if (status != FG_OK || p->choice->json) return status;
  if (!p->csv) return print_tables(cx, all), FG_OK;
  status = fg_port_page_create(cx, all, false, &text);
  if (status == FG_OK) fputs(text, stdout);
  return status;
}

fg_status fg_cli_portability_run(fg_context *cx, const fg_cli_portability *p, const fg_bench_options *bench) {
  enum { USUAL = sizeof usual_problems / sizeof *usual_problems, PATIENCE = 600 };
  const fg_choice *c = p->choice;
  fg_port_options o = {.problem = c->nproblem ? c->problem : usual_problems,
                       .nproblem = c->nproblem ? c->nproblem : USUAL,
                       .only = p->only,
                       .candidates = p->candidates ? p->candidates : USUAL_CANDIDATES,
                       .seconds = bench->seconds > 0 ? bench->seconds : 0.2,
                       .samples = p->samples ? p->samples : FG_PORT_SAMPLES,
                       .hang = p->hang > 0 ? p->hang : PATIENCE,
                       .effort = bench->effort,
                       .seed = c->seed,
                       .stop = &fg_cli_interrupted};
  cJSON *all;
  fg_cli_progress_steps(cx);
  fg_cli_interrupt_begin();
  fg_status status = fg_port_measure(cx, &o, &all);
  fg_cli_interrupt_end();
  if (status != FG_OK) return status;
  status = write_out(cx, p, all);
  if (status == FG_OK && c->json)
    status = fg_cli_print_json(cx, all);
  else
    cJSON_Delete(all);
  if (status != FG_OK || !fg_cli_interrupted) return status;
  return fg_diag_set(&cx->diag, FG_ESYS, "interrupted; what was found is written");
}
