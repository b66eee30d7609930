/* fftgen model: the cost model that is fitted on this machine. In: an action. Out: constants in a file beside
 * wisdom, from kernels measured here; the contents of that file; or the quality of the model's choices. */
#include "generator/cli/interrupt.h"
#include "generator/cli/model_row.h"
#include "generator/cli/parse.h"
#include "generator/cli/run.h"
#include "generator/cli/table.h"
#include "targets/number.h"
#include "tuning/search/calibrate.h"
#include "tuning/search/score.h"
#include <math.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

typedef struct order {
  fg_choice choice; /* problem[0] is the action; those of a score follow */
  const char *model, *space, *plans, *problems, *out;
  int64_t most, seconds;
} order;

enum { KEY_MODEL = 512, KEY_SPACE, KEY_MOST, KEY_SECONDS, KEY_PLANS, KEY_PROBLEMS };

static error_t parse(int key, char *arg, struct argp_state *state) {
  order *o = state->input;
  switch (key) {
  case ARGP_KEY_INIT:
    for (int i = 0; i < 4; i++) state->child_inputs[i] = &o->choice;
    return 0;
  case KEY_MODEL: o->model = arg; return 0;
  case KEY_SPACE: o->space = arg; return 0;
  case KEY_PLANS: o->plans = arg; return 0;
  case KEY_PROBLEMS: o->problems = arg; return 0;
  case 'o': o->out = arg; return 0;
  case KEY_MOST:
    if (!fg_cli_number(arg, 1, 100, &o->most)) return fg_cli_refuse(state, "--kernels '%s': 1 .. 100", arg);
    return 0;
  case KEY_SECONDS:
    if (!fg_cli_number(arg, 1, 3600, &o->seconds)) return fg_cli_refuse(state, "--seconds '%s': 1 .. 3600", arg);
    return 0;
  default: return ARGP_ERR_UNKNOWN;
  }
}

static const struct argp_option options[] = {
    {"model", KEY_MODEL, "FILE", 0, "file of the model ($FFTGEN_MODEL, the user's own)", 0},
    {"space", KEY_SPACE, "FILE", 0, "use this search space", 0},
    {"kernels", KEY_MOST, "NUMBER", 0, "fit, row: kernels of each problem and ISA (3, 6)", 0},
    {"seconds", KEY_SECONDS, "NUMBER", 0, "score: time to tune each problem (by its size)", 0},
    {"plans", KEY_PLANS, "FILE", 0,
     "row: measured plans, PROBLEM|PLAN|PART OF A COPY, or NANOSECONDS|ISA; --problems adds to them", 0},
    {"problems", KEY_PROBLEMS, "FILE", 0, "row: problems to measure on the device", 0},
    {"output", 'o', "FILE", 0, "row: file to write (standard output)", 0},
    {0},
};
static const struct argp_child children[] = {
    FG_CLI_GROUP(kernel), FG_CLI_GROUP(device), FG_CLI_GROUP(problem), FG_CLI_GROUP(arch), {0}};
static const struct argp argp = {
    .options = options,
    .parser = parse,
    .args_doc = "ACTION [PROBLEM...]",
    .doc = "Fit the cost model on this machine, and inspect it."
           "\vscore takes problems; without any it uses a list that fit does not use.\n\n"
           "Examples:\n"
           "  fftgen model fit\n"
           "  fftgen model show\n"
           "  fftgen model row -o costs_NAME.c\n"
           "  fftgen model row --arch sm_90 --plans plans.txt\n"
           "  fftgen model row --device cuda --problems problems.txt --plans plans.txt\n",
    .children = children,
};

static void show_progress(void *context, const char *phase, int done, int total, double left,
                          const fg_candidate *best) {
  enum { WIDTH = 24 };
  const order *o = context;
  (void)phase, (void)best;
  if (o->choice.json || !isatty(STDERR_FILENO)) return;
  fg_number_write(stderr, "\r\033[K[%.*s%*s] %d/%d problems  %.0f s left", WIDTH * done / total,
                  "########################", WIDTH - WIDTH * done / total, "", done, total, ceil(left));
}

/* ---- fit ----------------------------------------------------------------------- */

static cJSON *sample_json(const fg_calibrate_sample *s) {
  cJSON *json = cJSON_CreateObject();
  cJSON_AddStringToObject(json, "problem", s->problem);
  cJSON_AddStringToObject(json, "plan", s->plan);
  cJSON_AddStringToObject(json, "isa", s->isa);
  cJSON_AddNumberToObject(json, "ns", s->ns);
  for (int i = 0; i < FG_FEATURE_COUNT; i++)
    cJSON_AddNumberToObject(json, fg_feature_table()[i].name, s->features.count[i]);
  return json;
}

static fg_status print_fit(fg_context *cx, const order *o, const fg_calibration *c) {
  if (o->choice.json) {
    cJSON *json = cJSON_CreateArray();
    for (int i = 0; i < c->nsample; i++) cJSON_AddItemToArray(json, sample_json(&c->sample[i]));
    return fg_cli_print_json(cx, json);
  }
  for (int i = 0; i < c->nfit; i++)
    fg_number_write(stdout, "%s, %s: %d kernels, predicted within %.1f %% (root mean square)\n", c->fit[i].compiler,
                    c->fit[i].isa, c->fit[i].samples, 100 * c->fit[i].error);
  if (c->nfailed) printf("left out: %d kernels that did not build, verify or run\n", c->nfailed);
  return FG_OK;
}

static fg_status calibrate(fg_context *cx, const order *o, const fg_device *device, const fg_device_facts *facts,
                           fg_calibration *out) {
  fg_search_space space;
  fg_status status = fg_space_load(cx, o->space, &space);
  if (status != FG_OK) return status;
  fg_calibrate_options options = {.device = device,
                                  .facts = facts,
                                  .compiler = o->choice.compiler,
                                  .isa = o->choice.isa,
                                  .space = &space,
                                  .most = (int)o->most,
                                  .stop = &fg_cli_interrupted,
                                  .watch = {show_progress, (void *)(uintptr_t)o}};
  fg_cli_interrupt_begin();
  status = fg_calibrate_run(cx, &options, out);
  fg_cli_interrupt_end();
  if (!o->choice.json && isatty(STDERR_FILENO)) fputs("\r\033[K", stderr);
  return status == FG_ENA ? FG_ESYS : status;
}

static fg_status fit(fg_context *cx, const order *o, const char *path) {
  const fg_device *device;
  fg_device_facts facts;
  fg_calibration made;
  fg_status status = fg_cli_device(cx, &o->choice, &device, &facts);
  if (status != FG_OK) return status;
  if (facts.is_gpu_like)
    return fg_refuse(cx,
                     "device %s: the fitted model counts lanes and loops; allowed: devices of "
                     "target c; fftgen model row fits the shipped model of a GPU",
                     device->name);
  status = calibrate(cx, o, device, &facts, &made);
  if (status == FG_OK) status = fg_model_save(cx, path, made.fit, made.nfit);
  return status == FG_OK ? print_fit(cx, o, &made) : status;
}

/* ---- show ---------------------------------------------------------------------- */

static fg_status show(fg_context *cx, const order *o, const char *path) {
  enum { MOST = 12 };
  fg_model m;
  const fg_feature_info *info = fg_feature_table();
  fg_status status = fg_model_load(cx, path, (fg_wisdom_warn){fg_cli_warn, NULL}, &m);
  if (status != FG_OK) return status;
  if (o->choice.json) {
    for (int i = 0; i < m.count; i++) fputs(fg_model_print(cx, &m.fit[i]), stdout);
    return FG_OK;
  }
  if (!m.count) return fg_refuse(cx, "%s: nothing is fitted on this machine: fftgen model fit", path);
  int count = m.count < MOST ? m.count : MOST;
  const char *heads[MOST + 2] = {"nanoseconds for each"};
  for (int i = 0; i < count; i++) heads[i + 1] = m.fit[i].isa;
  heads[count + 1] = "of";
  fg_cli_table *t = fg_cli_table_create(cx, count + 2, heads);
  for (int f = 0; f < FG_FEATURE_COUNT; f++) {
    fg_cli_cell(t, "%s", info[f].name);
    for (int i = 0; i < count; i++) fg_cli_cell(t, "%.4g", m.fit[i].cost[f]);
    fg_cli_cell(t, "%s", info[f].meaning);
  }
  fg_cli_table_print(t);
  for (int i = 0; i < count; i++)
    fg_number_write(stdout, "%s, %s: %d kernels, within %.1f %%\n", m.fit[i].isa, m.fit[i].compiler, m.fit[i].samples,
                    100 * m.fit[i].error);
  return FG_OK;
}

/* ---- score --------------------------------------------------------------------- */

static const char *name_choice(fg_context *cx, const fg_candidate *k) {
  return fg_arena_printf(cx->arena, "%s %s%s%s", k->plan, k->isa, k->compiler ? " " : "",
                         k->compiler ? k->compiler : "");
}

static cJSON *score_json(const fg_score *s) {
  cJSON *json = cJSON_CreateObject();
  cJSON_AddStringToObject(json, "problem", s->problem);
  cJSON_AddStringToObject(json, "estimated", s->estimated.plan);
  cJSON_AddStringToObject(json, "estimated_isa", s->estimated.isa);
  cJSON_AddStringToObject(json, "tuned", s->tuned.plan);
  cJSON_AddStringToObject(json, "tuned_isa", s->tuned.isa);
  cJSON_AddNumberToObject(json, "predicted_ns", s->estimated.predicted);
  cJSON_AddNumberToObject(json, "estimated_ns", s->estimated.ns);
  cJSON_AddNumberToObject(json, "tuned_ns", s->tuned.ns);
  cJSON_AddNumberToObject(json, "ratio", s->ratio);
  if (s->peer_ratio > 0) cJSON_AddNumberToObject(json, "fftw_ratio", s->peer_ratio);
  return json;
}

static void print_score(fg_context *cx, const fg_score *s) {
  const char *chosen = name_choice(cx, &s->estimated), *found = name_choice(cx, &s->tuned);
  fg_number_write(stdout, "%-24s %.3f  %10.5g ns by %s", s->problem, s->ratio, s->estimated.ns, chosen);
  if (strcmp(chosen, found) != 0) fg_number_write(stdout, ", tuned %.5g ns by %s", s->tuned.ns, found);
  if (s->peer_ratio > 0) fg_number_write(stdout, "; FFTW %.3f (%.5g ns)", s->peer_ratio, s->peer_measure);
  putchar('\n');
  fflush(stdout);
}

typedef struct scoring {
  const order *o;
  const fg_device *device;
  const fg_device_facts *facts;
  fg_search_space space;
  fg_model model;
  const char *problem;
  cJSON *list;
  double own, peer; /* sums of logarithms */
  int count, peers;
} scoring;

static fg_status score_one(fg_context *cx, void *data) {
  scoring *g = data;
  fg_score s;
  fg_request request = {.problem = g->problem, .target = "c", .isa = g->o->choice.isa};
  fg_search_options search = {.device = g->device,
                              .facts = g->facts,
                              .compiler = g->o->choice.compiler,
                              .space = &g->space,
                              .model = &g->model,
                              .seconds = (double)g->o->seconds,
                              .stop = &fg_cli_interrupted};
  if (!request.isa) request.isa = g->device->has_lanes ? "native" : "scalar";
  fg_status status = fg_score_run(cx, &request, &search, &s);
  if (status != FG_OK) return status;
  g->own += log(s.ratio), g->count++;
  if (s.peer_ratio > 0) g->peer += log(s.peer_ratio), g->peers++;
  if (g->o->choice.json)
    cJSON_AddItemToArray(g->list, score_json(&s));
  else
    print_score(cx, &s);
  return FG_OK;
}

static fg_status score_all(fg_context *cx, scoring *g) {
  const fg_choice *c = &g->o->choice;
  fg_status worst = FG_OK;
  for (int i = 0; !fg_cli_interrupted; i++) {
    bool given = c->nproblem > 1;
    g->problem = given ? (i + 1 < c->nproblem ? c->problem[i + 1] : NULL) : fg_score_problems[i];
    if (!g->problem) break;
    fg_context own = {.arena = cx->arena};
    fg_status status = fg_cli_in_own_arena(&own, score_one, g);
    if (status == FG_EUSER) return fg_diag_set(&cx->diag, status, "%s", own.diag.message);
    if (status != FG_OK && !fg_cli_interrupted) {
      fprintf(stderr, "fftgen: warning: %s\n", own.diag.message);
      worst = FG_ESYS;
    }
  }
  if (fg_cli_interrupted) return fg_diag_set(&cx->diag, FG_ESYS, "interrupted");
  return worst == FG_OK ? FG_OK : fg_diag_set(&cx->diag, worst, "not every problem could be scored");
}

static fg_status score(fg_context *cx, const order *o, const char *path) {
  scoring *g = fg_arena_new(cx->arena, scoring, 1);
  fg_device_facts facts;
  g->o = o, g->facts = &facts;
  fg_status status = fg_cli_device(cx, &o->choice, &g->device, &facts);
  if (status == FG_OK) status = fg_space_load(cx, o->space, &g->space);
  if (status == FG_OK) status = fg_model_load(cx, path, (fg_wisdom_warn){fg_cli_warn, NULL}, &g->model);
  if (status != FG_OK) return status;
  fg_cli_interrupt_begin();
  g->list = cJSON_CreateArray();
  status = score_all(cx, g);
  fg_cli_interrupt_end();
  double own = g->count ? exp(g->own / g->count) : 0, peer = g->peers ? exp(g->peer / g->peers) : 0;
  if (!o->choice.json) {
    cJSON_Delete(g->list);
    if (g->count)
      fg_number_write(stdout, "geometric mean of estimated over tuned: %.3f on %d problems; FFTW's: %.3f on %d\n", own,
                      g->count, peer, g->peers);
    return status;
  }
  cJSON *json = cJSON_CreateObject();
  cJSON_AddNumberToObject(json, "ratio", own);
  cJSON_AddNumberToObject(json, "fftw_ratio", peer);
  cJSON_AddItemToObject(json, "problems", g->list);
  fg_status printed = fg_cli_print_json(cx, json);
  return status != FG_OK ? status : printed;
}

/* ---- row ----------------------------------------------------------------------- */

static fg_status row(fg_context *cx, const order *o, const char *path) {
  (void)path;
  return fg_cli_model_row(cx, &(fg_cli_row_order){.choice = &o->choice,
                                                  .plans = o->plans,
                                                  .problems = o->problems,
                                                  .model = o->model,
                                                  .space = o->space,
                                                  .most = (int)o->most,
                                                  .out = o->out});
}

static const struct action {
  fg_cli_word word;
  fg_status (*run)(fg_context *cx, const order *o, const char *path);
} actions[] = {
    {{"fit", "measures some kernels and stores the constants that fit"}, fit},
    {{"row", "fits the shipped model's figures of a CPU or GPU; prints source"}, row},
    {{"show", "prints the constants, in nanoseconds"}, show},
    {{"score", "compares the model's choices with those of tuning, and FFTW's ESTIMATE with MEASURE"}, score},
};
enum { ACTIONS = sizeof actions / sizeof *actions };

static const fg_cli_word *action_at(int i) { return i < ACTIONS ? &actions[i].word : NULL; }
static const char *action_name(int i) { return i < ACTIONS ? actions[i].word.name : NULL; }

static fg_status run(fg_context *cx, int argc, char **argv) {
  static order o;
  o.choice.most_problems = FG_CLI_PROBLEMS;
  fg_status status = fg_cli_parse(cx, &argp, argc, argv, &o);
  if (status != FG_OK) return status;
  const char *path = o.model ? o.model : fg_model_path(cx->arena);
  if (!path) return fg_refuse(cx, "no home folder for the model; say where with --model FILE");
  if (o.choice.nproblem > 1 && strcmp(o.choice.problem[0], "score") != 0)
    return fg_refuse(cx, "model %s: takes no problems; score does", o.choice.problem[0]);
  for (size_t i = 0; i < ACTIONS; i++)
    if (!strcmp(o.choice.problem[0], actions[i].word.name)) return actions[i].run(cx, &o, path);
  return fg_cli_no_action(cx, "model", o.choice.problem[0], action_name);
}

const fg_command fg_cli_model = {"model", "fit the cost model on this machine, inspect it", &argp, run, action_at,
                                 false};
