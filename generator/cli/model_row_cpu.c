/* See model_row.h. In: a CPU that is here. Out: its row of targets/machine/cpu_costs.def as source. Times are those of
 * plans that are measured now, or were (lines of a file are "PROBLEM|PLAN|NANOSECONDS|ISA"), or what a fitted model
 * says of the candidates. */
#include "generator/base/files.h"
#include "generator/base/strbuf.h"
#include "generator/cli/interrupt.h"
#include "generator/cli/model_row.h"
#include "generator/cli/run.h"
#include "targets/ascii.h"
#include "targets/number.h"
#include "tuning/search/calibrate.h"
#include "tuning/search/candidates.h"
#include "tuning/search/cpu_fit.h"

#include <errno.h>
#include <string.h>

enum { USUAL_MOST = 6 /* plans of a problem */ };

typedef struct source { /* of the samples */
  const fg_cli_row_order *o;
  const fg_device *device;
  const fg_device_facts *facts;
  fg_search_space space;
  fg_cli_row_samples *out;
} source;

static const char *isa_of(const source *s) {
  const char *isa = s->o->choice->isa;
  return isa && strcmp(isa, "native") != 0 ? isa : s->device->has_lanes ? fg_isa_native()->name : "scalar";
}

/* ---- what was measured ------------------------------------------------------------------------ */

static fg_status read_line(fg_context *cx, const source *s, char *line, int number) {
  char *plan = strchr(line, '|'), *time = plan ? strchr(plan + 1, '|') : NULL;
  char *isa = time ? strchr(time + 1, '|') : NULL, *end = time;
  double ns = time ? fg_number_read(time + 1, &end) : 0;
  if (!time && number == 1) return FG_OK;
  if (time && end == time + 1 && number == 1) return FG_OK; /* names of columns */
  bool known = !isa || fg_isa_find(isa + 1);
  if (!time || end == time + 1 || !(ns > 0) || !known)
    return fg_refuse(cx, "%s, line %d: allowed: PROBLEM|PLAN|NANOSECONDS|ISA (fftgen help isas)", s->o->plans, number);
  *plan = *time = 0;
  fg_cli_row_add(cx, s->out, (fg_figure_sample){line, plan + 1, ns, isa ? isa + 1 : isa_of(s)});
  return FG_OK;
}

static fg_status read_plans(fg_context *cx, const source *s) {
  char *text, *save = NULL;
  size_t bytes;
  int number = 0;
  fg_status status = fg_files_read(cx, s->o->plans, &text, &bytes);
  char *line = status == FG_OK ? strtok_r(text, "\r\n", &save) : NULL;
  for (; line && status == FG_OK; line = strtok_r(NULL, "\r\n", &save)) status = read_line(cx, s, line, ++number);
  return status;
}

/* ---- what is measured ------------------------------------------------------------------------- */

/* Lines of the file, or the usual problems. */
static fg_status list_problems(fg_context *cx, const source *s, const char *const **out) {
  char *text, *save = NULL;
  size_t bytes;
  int count = 0;
  *out = fg_calibrate_problems;
  if (!s->o->problems) return FG_OK;
  fg_status status = fg_files_read(cx, s->o->problems, &text, &bytes);
  if (status != FG_OK) return status;
  const char **list = fg_arena_new(cx->arena, const char *, (int64_t)bytes / 2 + 2);
  for (char *line = strtok_r(text, "\r\n", &save); line; line = strtok_r(NULL, "\r\n", &save))
    if (*line != '#') list[count++] = line;
  *out = list;
  return count ? FG_OK : fg_refuse(cx, "%s: no problems; allowed: one a line", s->o->problems);
}

static void watch(void *context, const char *phase, int done, int total, double left, const fg_candidate *best) {
  (void)context, (void)phase, (void)left, (void)best;
  fg_cli_row_show(NULL, "problems", done, total);
}

static fg_status keep_measured(fg_context *cx, const source *s, const fg_calibration *made) {
  FILE *f = s->o->plans ? fopen(s->o->plans, "a") : NULL;
  if (s->o->plans && !f)
    return fg_diag_set(&cx->diag, FG_ESYS, "%s: cannot be written: %s", s->o->plans, strerror(errno));
  for (int i = 0; i < made->nsample; i++) {
    const fg_calibrate_sample *x = &made->sample[i];
    fg_cli_row_add(cx, s->out, (fg_figure_sample){x->problem, x->plan, x->ns, x->isa});
    if (f) fg_number_write(f, "%s|%s|%.5g|%s\n", x->problem, x->plan, x->ns, x->isa);
  }
  if (f && fclose(f)) return fg_diag_set(&cx->diag, FG_ESYS, "%s: cannot be written whole", s->o->plans);
  return FG_OK;
}

static fg_status measure(fg_context *cx, const source *s, const char *const *problem) {
  fg_calibration made;
  const fg_calibrate_options options = {.device = s->device,
                                        .facts = s->facts,
                                        .compiler = s->o->choice->compiler,
                                        .isa = isa_of(s),
                                        .space = &s->space,
                                        .problem = problem,
                                        .most = s->o->most ? s->o->most : USUAL_MOST,
                                        .stop = &fg_cli_interrupted,
                                        .watch = {watch, NULL}};
  fg_cli_interrupt_begin();
  fg_status status = fg_calibrate_run(cx, &options, &made);
  fg_cli_interrupt_end();
  fg_cli_row_clear_line();
  if (status == FG_ENA) return fg_diag_set(&cx->diag, FG_ESYS, "interrupted");
  if (status == FG_ESYS && made.nsample) status = FG_OK; /* too few for a fitted model: not for this one */
  return status == FG_OK ? keep_measured(cx, s, &made) : status;
}

/* ---- what a model says ------------------------------------------------------------------------ */

static fg_status predict_one(fg_context *cx, const source *s, const fg_model *model, const char *problem) {
  fg_compilation *c = fg_arena_new(cx->arena, fg_compilation, 1);
  const fg_request request = {.problem = problem, .target = "c", .isa = isa_of(s)};
  const fg_search_options o = {.device = s->device,
                               .facts = s->facts,
                               .compiler = s->o->choice->compiler,
                               .one_compiler = true,
                               .space = &s->space,
                               .model = model};
  fg_search_result all;
  fg_status status = fg_pipeline_parse(cx, &request, c);
  if (status == FG_OK) status = fg_pipeline_decide(c);
  if (status == FG_OK) status = fg_candidates_list(c, &o, &all);
  for (int i = 0; status == FG_OK && i < all.count; i++) {
    const fg_candidate *k = &all.candidate[i];
    if (k->predicted > 0) fg_cli_row_add(cx, s->out, (fg_figure_sample){problem, k->plan, k->predicted, k->isa});
  }
  return status;
}

static fg_status predict(fg_context *cx, const source *s, const char *const *problem) {
  fg_model model;
  int total = 0, done = 0;
  fg_status status = fg_model_load(cx, s->o->model, (fg_wisdom_warn){fg_cli_warn, NULL}, &model);
  while (problem[total]) total++;
  for (; status == FG_OK && problem[done]; done++) {
    fg_cli_row_show(NULL, "problems", done, total);
    status = predict_one(cx, s, &model, problem[done]);
  }
  fg_cli_row_clear_line();
  if (status == FG_OK && !s->out->count)
    return fg_refuse(cx, "%s: nothing is fitted for this machine, compiler and instruction set: fftgen model fit",
                     s->o->model);
  return status;
}

static fg_status find_samples(fg_context *cx, source *s) {
  const char *const *problem;
  if (s->o->model && s->o->plans)
    return fg_refuse(cx, "model row: --model and --plans exclude each other: times are of one or the other");
  fg_status status = fg_space_load(cx, s->o->space, &s->space);
  if (status != FG_OK) return status;
  if (s->o->plans && !s->o->problems) return read_plans(cx, s);
  status = list_problems(cx, s, &problem);
  if (status == FG_OK) status = s->o->model ? predict(cx, s, problem) : measure(cx, s, problem);
  if (status != FG_OK || !s->o->plans) return status;
  s->out->count = 0; /* the file has them, and earlier ones */
  return read_plans(cx, s);
}

/* ---- the row ---------------------------------------------------------------------------------- */

/* NAME of a file costs_NAME.c; else the machine's row. */
static const char *name_of(fg_context *cx, const source *s) {
  const char *base = s->o->out ? strrchr(s->o->out, '/') : NULL;
  base = base ? base + 1 : s->o->out;
  const char *usual = fg_isa_find(isa_of(s))->machine;
  if (!base || strncmp(base, "costs_", 6) != 0 || !fg_is_alnum(base[6])) return usual;
  char *name = fg_arena_strdup(cx->arena, base + 6), *end = name;
  while (fg_is_word(*end)) end++;
  *end = 0;
  return name;
}

/* The command, as far as the figures depend on it. */
static const char *command_of(fg_context *cx, const source *s) {
  const fg_cli_row_order *o = s->o;
  const struct {
    const char *option, *value;
  } some[] = {{"--isa", o->choice->isa}, {"--compiler", o->choice->compiler}, {"--space", o->space},
              {"--model", o->model},     {"--problems", o->problems},         {"--plans", o->plans}};
  fg_strbuf text = fg_strbuf_new(cx->arena);
  fg_strbuf_add(&text, "fftgen model row");
  for (size_t i = 0; i < sizeof some / sizeof *some; i++)
    if (some[i].value) fg_strbuf_addf(&text, " %s %s", some[i].option, some[i].value);
  if (o->most) fg_strbuf_addf(&text, " --kernels %d", o->most);
  for (char *at = text.text; (at = strstr(at, "*/"));) *at = ' '; /* a comment ends there */
  return text.text;
}

static void add_head(fg_context *cx, fg_strbuf *t, const source *s, const fg_figure_fit *fit, const char *date) {
  fg_strbuf_addf(t, "/* Costs on %s: `%s`,\n * %s, %s, %d plans of %d problems%s.\n", s->facts->name, command_of(cx, s),
                 s->facts->version, date, fit->plans, fit->problems,
                 s->o->model ? ", whose times are the model's" : "");
  fg_strbuf_addf(
      t,
      " * Logarithms of times within %.3f (root mean square), each fifth of the problems by a fit to the\n"
      " * others; the choice takes %.3f times the best plan's time in the mean, %.2f at worst. Figures of the\n"
      " * nearest machine have %.3f, %.3f, %.2f. */\n",
      fit->apart.all, fit->apart.choice, fit->apart.worst, fit->before.all, fit->before.choice, fit->before.worst);
}

static const char *row_text(fg_context *cx, const source *s, const fg_figure_fit *fit) {
  const char *name = name_of(cx, s), *group = "";
  const fg_cpu_cost *table = fg_cpu_fit_table();
  char date[40];
  fg_strbuf t = fg_strbuf_new(cx->arena);
  fg_cli_row_date(date);
  add_head(cx, &t, s, fit, date);
  fg_strbuf_addf(&t, "#include \"targets/machine/costs.h\"\n\nconst fg_cpu_costs fg_machine_costs_%s = {\n", name);
  fg_strbuf_addf(&t, "    .name = \"%s\",\n    .source = \"measured: fftgen model row, %s\",\n", name, date);
  for (int i = 0; table[i].name; i++) {
    if (strcmp(table[i].group, group) != 0) fg_strbuf_addf(&t, "%s    .%s = {\n", i ? "    },\n" : "", table[i].group);
    group = table[i].group;
    fg_strbuf_addf(&t, "        .%s = %lld,\n", table[i].name, (long long)fit->value[i]);
  }
  fg_strbuf_add(&t, "    },\n};\n");
  return t.text;
}

fg_status fg_cli_model_row_cpu(fg_context *cx, const fg_cli_row_order *o, const fg_device *device,
                               const fg_device_facts *facts) {
  fg_cli_row_samples samples = {0};
  source s = {.o = o, .device = device, .facts = facts, .out = &samples};
  fg_status status = find_samples(cx, &s);
  if (status != FG_OK) return status;
  fg_figure_fit fit;
  const fg_cpu_fit_options options = {.facts = facts,
                                      .sample = samples.list,
                                      .count = samples.count,
                                      .stop = &fg_cli_interrupted,
                                      .watch = fg_cli_row_show};
  fg_cli_interrupt_begin();
  status = fg_cpu_fit_run(cx, &options, &fit);
  fg_cli_interrupt_end();
  fg_cli_row_clear_line();
  if (status != FG_OK) return status;
  return fg_cli_row_end(cx, o, &fit, &samples, "figures of the nearest machine", row_text(cx, &s, &fit));
}
