/* fftgen bench: how fast? In: problems. Out: one row or object for each, proven and verified first, timed beside
 * FFTW. Every problem has its own arena, so that a long list needs no more memory than its largest problem. */
#include "tuning/report/bench.h"
#include "generator/cli/advice.h"
#include "generator/cli/parse.h"
#include "generator/cli/portability.h"
#include "generator/cli/run.h"
#include "generator/cli/sets.h"
#include "generator/cli/table.h"
#include "targets/number.h"
#include "tuning/report/report.h"
#include <math.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

typedef struct order {
  fg_choice choice;
  fg_cli_sets sets;
  fg_bench_options bench;
  fg_cli_portability portability;
} order;

enum { KEY_SECONDS = 512, KEY_ROUNDS, KEY_EFFORT, KEY_NO_PEER };

const char *fg_cli_effort(int i) {
  static const char *const names[] = {"estimate", "measure", "patient", NULL};
  return names[i];
}

static error_t parse_effort(order *o, const char *arg, const struct argp_state *state) {
  int i = fg_words_find(arg, strlen(arg), fg_cli_effort);
  if (i < 0) return fg_cli_refuse_word(state, "--effort", arg, fg_cli_effort);
  o->bench.effort = (fg_effort)i;
  return 0;
}

static error_t parse_seconds(order *o, const char *arg, const struct argp_state *state) {
  char *end;
  o->bench.seconds = fg_number_read(arg, &end);
  if (end != arg && !*end && o->bench.seconds > 0 && o->bench.seconds <= 3600) return 0;
  return fg_cli_refuse(state, "--seconds '%s' is no time; allowed: above 0, up to 3600", arg);
}

static error_t parse(int key, char *arg, struct argp_state *state) {
  order *o = state->input;
  int64_t rounds;
  switch (key) {
  case ARGP_KEY_INIT:
    for (int i = 0; i < 4; i++) state->child_inputs[i] = &o->choice;
    state->child_inputs[4] = &o->portability;
    state->child_inputs[5] = &o->sets;
    state->child_inputs[6] = &o->choice;
    o->portability.choice = &o->choice;
    return 0;
  case KEY_SECONDS: return parse_seconds(o, arg, state);
  case KEY_ROUNDS:
    if (!fg_cli_number(arg, 1, 1000, &rounds)) return fg_cli_refuse(state, "--rounds '%s': 1 .. 1000", arg);
    o->bench.rounds = (int)rounds;
    return 0;
  case KEY_EFFORT: return parse_effort(o, arg, state);
  case KEY_NO_PEER: o->bench.no_peer = true; return 0;
  default: return ARGP_ERR_UNKNOWN;
  }
}

static const struct argp_option options[] = {
    {"seconds", KEY_SECONDS, "NUMBER", 0, "seconds of timing for each side (0.2)", 0},
    {"rounds", KEY_ROUNDS, "NUMBER", 0, "rounds in which the two sides alternate (5)", 0},
    {"effort", KEY_EFFORT, "NAME", 0, "effort of FFTW's planner: %s (measure)", 0},
    {"no-peer", KEY_NO_PEER, 0, 0, "leave FFTW out", 0},
    {0},
};
static const struct argp_child children[] = {
    FG_CLI_GROUP(kernel),      FG_CLI_GROUP(device), FG_CLI_GROUP(problem), FG_CLI_GROUP(arch),
    FG_CLI_GROUP(portability), FG_CLI_GROUP(sets),   FG_CLI_GROUP(wisdom),  {0}};
static const struct argp argp = {
    .options = options,
    .parser = parse,
    .args_doc = "PROBLEM...",
    .doc = "Prove, build, verify and time programs beside FFTW."
           "\vA ratio above 1 is faster than FFTW. Only programs that are proven and verified are timed.\n\n"
           "Examples:\n"
           "  fftgen bench \"c2c f32 n=1024\" \"c2c f64 n=1000 batch=16\"\n"
           "  fftgen bench \"c2c f32 n=4096\" --compiler clang --effort patient --json\n"
           "  fftgen bench --portability --report portability.html\n",
    .children = children,
};

/* One problem's run, and the place of its result. */
typedef struct job {
  order *o;
  int problem;
  const fg_device *device;
  const fg_device_facts *facts;
  cJSON *list;                 /* outlives the problem's arena */
  int rows, failed;            /* problems with a result, without */
  int falling_back, with_peer; /* problems that take a slow way; that FFTW computed too */
  double log_ratio;            /* sum of the latters' */
} job;

/* Rows appear as they are done. */
static void print_row(fg_context *cx, const job *j, const fg_bench *b) {
  if (j->o->choice.json) return;
  if (isatty(STDERR_FILENO)) fputs("\r\033[K", stderr);
  if (!j->rows) {
    fputs(fg_report_title(cx, b), stdout);
    fputs(fg_report_head(), stdout);
  }
  fputs(fg_report_row(cx, b), stdout);
  fflush(stdout);
}

static cJSON *to_json(const fg_compilation *c, const fg_bench *b) {
  cJSON *json = fg_report_bench(b);
  cJSON_AddBoolToObject(json, "proved", c->proof.proved);
  cJSON_AddStringToObject(json, "walked", c->proof.walked);
  return json;
}

static fg_status bench_one(fg_context *cx, void *data) {
  job *j = data;
  fg_compilation c;
  fg_bench result;
  fg_status status = fg_cli_compile(cx, &j->o->choice, j->problem, j->device, j->facts, &c);
  if (status == FG_OK) status = fg_cli_fill_sets(cx, &c.problem, &j->o->sets);
  if (status != FG_OK) return status;
  fg_bench_options options = j->o->bench;
  options.params = j->o->sets.any ? j->o->sets.value : NULL;
  options.seed = j->o->choice.seed;
  status = fg_bench_run(&c, j->device, &options, &result);
  if (status != FG_OK) return status;
  print_row(cx, j, &result);
  cJSON_AddItemToArray(j->list, to_json(&c, &result));
  j->rows++;
  j->falling_back += result.nfallback > 0;
  j->with_peer += result.has_peer;
  if (result.has_peer) j->log_ratio += log(result.ratio);
  return FG_OK;
}

static void print_summary(const job *j) {
  if (j->rows < 2) return;
  printf("\n%d problems, all proven and verified; %d fall back to something slow\n", j->rows, j->falling_back);
  if (j->with_peer)
    fg_number_write(stdout, "%.2f times FFTW's speed (geometric mean)\n", exp(j->log_ratio / j->with_peer));
}

static void show_progress(const order *o, int i) {
  if (!isatty(STDERR_FILENO)) return;
  if (i < o->choice.nproblem)
    fprintf(stderr, "\r\033[K[%d/%d] %s", i + 1, o->choice.nproblem, o->choice.problem[i]);
  else
    fputs("\r\033[K", stderr);
}

/* A mistake in a text is found before anything is measured. */
static fg_status read_all(fg_context *cx, const order *o) {
  fg_context own = {.arena = cx->arena};
  fg_problem p;
  for (int i = 0; i < o->choice.nproblem; i++) {
    const char *text = o->choice.problem[i];
    fg_status status = fg_problem_parse(&own, text, &p);
    if (status == FG_OK) continue;
    if (o->choice.nproblem == 1) return fg_diag_set(&cx->diag, status, "%s", own.diag.message);
    return fg_diag_set(&cx->diag, status, "'%s': %s", text, own.diag.message);
  }
  return FG_OK;
}

/* The others are measured nevertheless. */
static void note_failure(const fg_context *cx, job *j) {
  const char *problem = j->o->choice.problem[j->problem];
  cJSON *json = cJSON_CreateObject();
  cJSON_AddStringToObject(json, "problem", problem);
  cJSON_AddStringToObject(json, "why", cx->diag.message);
  cJSON_AddItemToArray(j->list, json);
  if (j->o->choice.nproblem > 1) fprintf(stderr, "fftgen: warning: '%s': %s\n", problem, cx->diag.message);
  j->failed++;
}

static fg_status bench_all(fg_context *cx, order *o, cJSON *list) {
  fg_device_facts facts;
  job j = {.o = o, .facts = &facts, .list = list};
  fg_status worst = FG_OK, status = read_all(cx, o);
  if (status == FG_OK) status = fg_cli_device(cx, &o->choice, &j.device, &facts);
  if (status != FG_OK) return status;
  for (j.problem = 0; j.problem < o->choice.nproblem; j.problem++) {
    show_progress(o, j.problem);
    fg_context own = {.arena = cx->arena};
    status = fg_cli_in_own_arena(&own, bench_one, &j);
    if (status == FG_OK) continue;
    show_progress(o, o->choice.nproblem);
    note_failure(&own, &j);
    if (worst == FG_OK) worst = status;
    if (o->choice.nproblem == 1) fg_diag_set(&cx->diag, status, "%s", own.diag.message);
  }
  show_progress(o, o->choice.nproblem);
  if (!o->choice.json) print_summary(&j);
  return j.failed && o->choice.nproblem > 1
             ? fg_diag_set(&cx->diag, worst, "%d of %d problems failed", j.failed, o->choice.nproblem)
             : worst;
}

static fg_status run(fg_context *cx, int argc, char **argv) {
  order o = {.choice = {.most_problems = FG_CLI_PROBLEMS}, .bench = {.effort = FG_EFFORT_MEASURE}};
  fg_status status = fg_cli_parse(cx, &argp, argc, argv, &o);
  if (status != FG_OK) return status;
  if (o.portability.wanted && o.choice.machine)
    return fg_refuse(cx, "bench: --arch: not with --portability, which plans for what is here");
  if (o.portability.wanted) return fg_cli_portability_run(cx, &o.portability, &o.bench);
  cJSON *list = cJSON_CreateArray();
  status = bench_all(cx, &o, list);
  if (!o.choice.json || !cJSON_GetArraySize(list)) {
    cJSON_Delete(list);
    return status;
  }
  fg_status printed = fg_cli_print_json(cx, list);
  return status != FG_OK ? status : printed;
}

const fg_command fg_cli_bench = {"bench", "verify and time programs beside FFTW", &argp, run, NULL, false};
