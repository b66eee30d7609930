/* fftgen tune: which plan is fast on this machine? In: problems. Out: one line of wisdom for each, written at once,
 * so that nothing is lost if the run ends later. Problems that wisdom knows are not measured again. */
#include "generator/cli/advice.h"
#include "generator/cli/estimate.h"
#include "generator/cli/interrupt.h"
#include "generator/cli/parse.h"
#include "generator/cli/sets.h"
#include "generator/cli/stream.h"
#include "generator/cli/table.h"
#include "generator/cli/tune_list.h"
#include "generator/cli/tune_report.h"
#include "generator/problem/shape.h"
#include "runtime/store/wisdom.h"
#include "runtime/store/wisdom_file.h"
#include "runtime/version.h"
#include "targets/cc/kind.h"
#include "targets/number.h"
#include "targets/timing.h"
#include "tuning/measure/copy.h"
#include "tuning/measure/roof.h"
#include "tuning/portability/opponent.h"
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { LONG_SHARES = 8 }; /* of the budget, for a problem of which no plan is timed */
typedef struct order {
  fg_choice choice;
  fg_cli_sets sets;
  const char *list;   /* file of problems */
  const char *wisdom; /* NULL: the user's */
  const char *report; /* file; NULL: none */
  double budget;      /* seconds for all; 0: what each problem is worth */
  double hang;
  int most;
  bool again, estimate, stream;
  fg_cli_yardstick model;
} order;

enum {
  KEY_FILE = 512,
  KEY_BUDGET,
  KEY_WISDOM,
  KEY_NO_WISDOM,
  KEY_AGAIN,
  KEY_MOST,
  KEY_HANG,
  KEY_JSON,
  KEY_REPORT,
  KEY_ESTIMATE,
  KEY_STREAM,
  KEY_ARCH
};

/* ---- options --------------------------------------------------------------- */

/* "60", "60s", "5m", "1h" */
static bool read_seconds(const char *text, double *out) {
  char *end;
  double value = fg_number_read(text, &end);
  double unit = !strcmp(end, "m") ? 60 : !strcmp(end, "h") ? 3600 : !*end || !strcmp(end, "s") ? 1 : 0;
  if (end == text || !unit || !(value * unit >= 0.1) || value * unit > 1e6) return false;
  *out = value * unit;
  return true;
}

static error_t add_problem(order *o, const char *text, const struct argp_state *state) {
  if (o->choice.nproblem == FG_CLI_PROBLEMS)
    return fg_cli_refuse(state, "at most %d problems as arguments (--file takes any number)", FG_CLI_PROBLEMS);
  o->choice.problem[o->choice.nproblem++] = text;
  return 0;
}

static error_t parse(int key, char *arg, struct argp_state *state) {
  order *o = state->input;
  int64_t most;
  switch (key) {
  case ARGP_KEY_INIT:
    for (int i = 0; i < 2; i++) state->child_inputs[i] = &o->choice;
    state->child_inputs[2] = &o->model;
    state->child_inputs[3] = &o->sets;
    return 0;
  case ARGP_KEY_ARG: return add_problem(o, arg, state);
  case ARGP_KEY_END:
    if (o->choice.nproblem || o->list) return 0;
    return fg_cli_refuse(state, "nothing to tune; give problems, or a list of them with --file");
  case KEY_FILE: o->list = arg; return 0;
  case KEY_WISDOM: o->wisdom = arg; return 0;
  case KEY_NO_WISDOM: o->choice.no_wisdom = true; return 0;
  case KEY_AGAIN: o->again = true; return 0;
  case KEY_STREAM: o->stream = true; return 0;
  case KEY_ESTIMATE: o->estimate = true; return 0;
  case KEY_JSON: o->choice.json = true; return 0;
  case KEY_REPORT:
    if (!fg_cli_tune_report_name(arg))
      return fg_cli_refuse(state, "--report '%s': a name that ends in .csv or .html", arg);
    o->report = arg;
    return 0;
  case KEY_BUDGET:
    if (!read_seconds(arg, &o->budget)) return fg_cli_refuse(state, "--budget '%s': from 0.1s, as 60s, 5m or 1h", arg);
    return 0;
  case KEY_ARCH:
    return fg_cli_refuse(state, "--arch '%s': candidates are measured on this machine; plan and emit take --arch NAME",
                         arg);
  case KEY_HANG:
    if (!read_seconds(arg, &o->hang)) return fg_cli_refuse(state, "--hang '%s': from 0.1s, as 30s or 2m", arg);
    return 0;
  case KEY_MOST:
    if (!fg_cli_number(arg, 1, 1000, &most)) return fg_cli_refuse(state, "--candidates '%s': 1 .. 1000", arg);
    o->most = (int)most;
    return 0;
  default: return ARGP_ERR_UNKNOWN;
  }
}

static const struct argp_option options[] = {
    {"file", KEY_FILE, "FILE", 0, "problems, one a line; # begins a comment", 0},
    {"budget", KEY_BUDGET, "TIME", 0, "time for all problems: 60s, 5m (some 4 s each)", 0},
    {"wisdom", KEY_WISDOM, "FILE", 0, "file to write ($FFTGEN_WISDOM, the user's own)", 0},
    {"again", KEY_AGAIN, 0, 0, "also measure problems that wisdom knows", 0},
    {"no-wisdom", KEY_NO_WISDOM, 0, 0, "do not try the plans that wisdom has", 0},
    {"estimate", KEY_ESTIMATE, 0, 0, "measure and write nothing: the fitted model's choice", 0},
    {"stream", KEY_STREAM, 0, 0, "measure blocks of a stream; nothing is written (fftgen help streams)", 0},
    {"candidates", KEY_MOST, "NUMBER", 0, "most candidates (default: by the search space)", 0},
    {"hang", KEY_HANG, "TIME", 0, "give up a candidate after this time", 0},
    {"report", KEY_REPORT, "FILE", 0, "write all candidates to a .csv or .html file", 0},
    {"json", KEY_JSON, 0, 0, "print JSON: every candidate and its outcome", 0},
    {"help", 'h', 0, 0, "this text", 0},
    {"arch", KEY_ARCH, "NAME", OPTION_HIDDEN, "refused", 0},
    {0},
};
static const struct argp_child children[] = {
    FG_CLI_GROUP(kernel), FG_CLI_GROUP(device), FG_CLI_GROUP(model), FG_CLI_GROUP(sets), {0}};
static const struct argp argp = {
    .options = options,
    .parser = parse,
    .args_doc = "PROBLEM...",
    .doc = "Measure candidates on this machine and write the best into wisdom."
           "\vCandidates are proven and verified before they are timed, each in a process of its own. Ctrl-C keeps "
           "what was found; a second run continues where the first one stopped.\n\n"
           "Examples:\n"
           "  fftgen tune \"c2c f32 n=1024\"\n"
           "  fftgen tune --file problems.txt --budget 5m --wisdom here.jsonl\n"
           "  fftgen tune \"c2c f32 n=1024\" --space mine.lua\n"
           "  fftgen tune \"c2c f32 n=1000\" --estimate\n"
           "  fftgen tune --stream \"rconv f32 taps=96000 latency=64\"\n",
    .children = children,
};

/* ---- one problem ----------------------------------------------------------- */

typedef struct job {
  const order *o;
  const char *problem; /* text */
  int number, total;
  const fg_device *device;
  const fg_device_facts *facts;
  const char *wisdom;
  const char *command; /* the command line */
  double begun;        /* the problem's time */
  fg_opponents_time theirs;
  double seconds, most_seconds; /* 0: what it is worth; where no plan is timed by then */
  cJSON *list;
  double copy_rate;       /* bytes read and written a nanosecond */
  fg_precision precision; /* that the problem is computed in */
  const char *isa;        /* the widest that is looked at; NULL: none to choose */
  fg_roof roof[FG_PRECISION_COUNT];
  bool roof_known[FG_PRECISION_COUNT];
  fg_opponent opponent[FG_OPPONENTS];
  int nopponent;
  bool write_failed;
  double reported, saved_at;    /* when progress was shown, when a line was saved */
  const char *saved;            /* the plan of that line */
  const fg_wisdom_entry *entry; /* what each line of the problem has */
} job;

static bool on_terminal(const job *j) { return !j->o->choice.json && isatty(STDERR_FILENO); }

static void write_wisdom(fg_context *cx, job *j, const fg_wisdom_entry *entry);
static void fill_entry(fg_context *cx, const job *j, const fg_candidate *best, fg_wisdom_entry *entry);

/* What has been found is saved while others are looked at, as not final: each second at most. */
static void save_early(job *j, const fg_candidate *best) {
  double now = fg_timing_now();
  if (!best || best->plan == j->saved || now - j->saved_at < 1) return;
  fg_context cx = {.arena = fg_arena_create()};
  if (cx.arena && !fg_arena_guard(cx.arena)) {
    fg_wisdom_entry entry = *j->entry;
    fill_entry(&cx, j, best, &entry);
    entry.final = false;
    fg_context quiet = {.arena = cx.arena};
    fg_wisdom_add(&quiet, j->wisdom, &entry, 1, (fg_wisdom_warn){0}); /* the final one complains */
  }
  fg_arena_destroy(cx.arena);
  j->saved = best->plan;
  j->saved_at = now;
}

/* On a terminal a line that is renewed, in logs a line each second. */
static void show(void *context, const char *phase, int done, int total, double left, const fg_candidate *best) {
  enum { WIDTH = 24 };
  job *j = context;
  double now = fg_timing_now();
  save_early(j, best);
  if (!on_terminal(j) && now - j->reported < 0.9) return;
  j->reported = now;
  int full = total ? WIDTH * done / total : 0;
  if (on_terminal(j))
    fg_number_write(stderr, "\r\033[K[%d/%d] %.40s  %-5s [%.*s%*s] %d/%d  %.0f s left", j->number, j->total, j->problem,
                    phase, full, "########################", WIDTH - full, "", done, total, ceil(left));
  else if (best)
    fg_number_write(stderr, "[%d/%d] %s: %s, %d of %d, %.4g ns by %s, %.0f s left\n", j->number, j->total, j->problem,
                    phase, done, total, best->ns, best->plan, ceil(left));
  else
    fg_number_write(stderr, "[%d/%d] %s: %s, %d of %d, %.0f s left\n", j->number, j->total, j->problem, phase, done,
                    total, ceil(left));
}

static const char *target_key(const fg_device *d) { return strcmp(d->name, "cc") ? d->name : "c"; }

/* The line that makes a search needless; NULL: none. */
static const fg_wisdom_entry *known_line(fg_context *cx, const job *j, const fg_wisdom_entry *key) {
  fg_wisdom w;
  if (j->o->again || fg_wisdom_load(cx, j->wisdom, (fg_wisdom_warn){0}, &w) != FG_OK) return NULL;
  for (int i = 0; i < w.count; i++) {
    const fg_wisdom_entry *e = &w.line[i].entry;
    if (w.line[i].kind == FG_WISDOM_GOOD && e->final && !strcmp(e->problem, key->problem) &&
        !strcmp(e->device, key->device) && !strcmp(e->target, key->target) && !strcmp(e->generator, fg_version))
      return e;
  }
  return NULL;
}

/* The compiler that a candidate was built with, as facts. */
static void compiler_of(const job *j, const fg_candidate *k, fg_device_facts *facts) {
  char why[FG_WHY_SIZE];
  *facts = *j->facts;
  if (!k->compiler || !j->device->option) return;
  (void)j->device->option("compiler", k->compiler, why);
  (void)j->device->probe(facts, why);
  (void)j->device->option("compiler", j->o->choice.compiler, why);
}

static void write_wisdom(fg_context *cx, job *j, const fg_wisdom_entry *entry) {
  fg_context own = {.arena = cx->arena};
  if (fg_wisdom_add(&own, j->wisdom, entry, 1, (fg_wisdom_warn){fg_cli_warn, NULL}) == FG_OK) return;
  /* The measurement is not lost: the user can store the line. */
  j->write_failed = true;
  fprintf(stderr, "fftgen: warning: %s; this is what was to be written:\n", own.diag.message);
  fputs(fg_wisdom_print(cx, entry), j->o->choice.json ? stderr : stdout);
}

static const char *state_of(const fg_candidate *k) {
  if (k->failed) return "failed";
  if (k->ns > 0) return "timed";
  return k->work.same ? "same" : k->started ? "late" : "unseen";
}

static void add_spread(cJSON *json, double spread) {
  if (spread >= 0) cJSON_AddNumberToObject(json, "spread", spread);
}

static cJSON *candidate_json(const fg_candidate *k) {
  cJSON *json = cJSON_CreateObject();
  cJSON_AddStringToObject(json, "plan", k->plan);
  if (k->isa) cJSON_AddStringToObject(json, "isa", k->isa);
  if (k->compiler) cJSON_AddStringToObject(json, "compiler", k->compiler);
  cJSON_AddStringToObject(json, "state", state_of(k));
  if (k->ns > 0) {
    cJSON_AddNumberToObject(json, "ns", k->ns);
    add_spread(json, k->spread);
    cJSON_AddNumberToObject(json, "turns", k->entrant.count);
    cJSON_AddNumberToObject(json, "l2", k->work.l2);
  }
  if (k->predicted > 0) cJSON_AddNumberToObject(json, "predicted_ns", k->predicted);
  cJSON_AddNumberToObject(json, "flops", (double)k->flops);
  cJSON_AddNumberToObject(json, "bytes", (double)k->bytes);
  if (k->why) cJSON_AddStringToObject(json, "why", k->why);
  return json;
}

/* The rate at which this machine copies arrays of the problem's size; 0: not
 * known. Devices with drivers are not asked here: these belong into other processes. */
static double copy_rate(const job *j, const fg_compilation *c) {
  enum { LEAST = 1 << 12 };
  char why[FG_WHY_SIZE];
  double ns;
  int64_t bytes = fg_problem_extent(&c->problem, false, NULL) * 2 * fg_precision_bytes(c->problem.storage);
  if (bytes < LEAST) bytes = LEAST;
  if (!j->o->report || !j->device->on_host || fg_copy_measure(j->device, (size_t)bytes, 0.05, &ns, why)) return 0;
  return 2 * (double)bytes / ns;
}

/* What other libraries take, for the report. FFTW's planner has a minute. */
static int opponents(job *j, const fg_request *request) {
  fg_port_patience patience = {.seconds = 60, .stop = &fg_cli_interrupted};
  return fg_opponents_measure(request, j->device, 0.2, patience, &j->theirs, j->opponent);
}

/* What this machine can do at best in the problem's precision; measured once. */
static cJSON *roof_json(job *j) {
  fg_roof *roof = &j->roof[j->precision];
  if (!j->roof_known[j->precision]) fg_roof_measure(j->device, j->facts, j->isa, j->precision, roof);
  j->roof_known[j->precision] = true;
  cJSON *json = cJSON_CreateObject();
  cJSON_AddStringToObject(json, "precision", fg_precision_name(j->precision));
  cJSON_AddNumberToObject(json, "flops_per_ns", roof->flops);
  cJSON_AddItemToObject(json, "bytes_per_ns", cJSON_CreateDoubleArray(roof->bytes, FG_ROOF_LEVELS));
  return json;
}

static const double wide_spread = 0.05; /* more is said */

static void add_json(job *j, const fg_search_result *r, const fg_wisdom_entry *e) {
  cJSON *json = cJSON_CreateObject(), *all = cJSON_AddArrayToObject(json, "candidates");
  cJSON_AddStringToObject(json, "problem", e->problem);
  cJSON_AddStringToObject(json, "plan", e->plan);
  cJSON_AddNumberToObject(json, "ns", e->ns);
  add_spread(json, e->spread);
  cJSON_AddNumberToObject(json, "seconds", r->seconds);
  cJSON_AddBoolToObject(json, "final", r->final);
  cJSON_AddBoolToObject(json, "proved", r->proved);
  cJSON_AddNumberToObject(json, "timed_transforms", (double)r->timed_transforms);
  cJSON_AddBoolToObject(json, "wide_spread", e->spread > wide_spread);
  if (j->copy_rate > 0) cJSON_AddNumberToObject(json, "copy_bytes_per_ns", j->copy_rate);
  if (j->o->report) cJSON_AddItemToObject(json, "roof", roof_json(j));
  for (int i = 0; i < r->count; i++) cJSON_AddItemToArray(all, candidate_json(&r->candidate[i]));
  cJSON *theirs = j->o->report ? cJSON_AddArrayToObject(json, "opponents") : NULL;
  for (int i = 0; theirs && i < j->nopponent; i++) {
    cJSON *o = cJSON_CreateObject();
    cJSON_AddStringToObject(o, "name", j->opponent[i].name);
    if (j->opponent[i].ns > 0)
      cJSON_AddNumberToObject(o, "ns", j->opponent[i].ns);
    else
      cJSON_AddStringToObject(o, "why", j->opponent[i].why);
    cJSON_AddItemToArray(theirs, o);
  }
  cJSON_AddItemToArray(j->list, json);
}

/* What has no result of this run: known, failed, not begun. r: its candidates; NULL: none was looked at. */
static cJSON *add_without(job *j, const char *problem, const char *why, const fg_search_result *r) {
  cJSON *json = cJSON_CreateObject(), *all = cJSON_AddArrayToObject(json, "candidates");
  cJSON_AddStringToObject(json, "problem", problem);
  cJSON_AddStringToObject(json, "why", why);
  for (int i = 0; r && i < r->count; i++) cJSON_AddItemToArray(all, candidate_json(&r->candidate[i]));
  cJSON_AddItemToArray(j->list, json);
  return json;
}

static void add_known(job *j, const fg_wisdom_entry *e) {
  cJSON *json = add_without(j, e->problem, "known already", NULL);
  cJSON_AddStringToObject(json, "plan", e->plan);
  cJSON_AddNumberToObject(json, "ns", e->ns);
  add_spread(json, e->spread);
}

/* A candidate that was never run has no line: there are many of these, which is expected. */
static void print_failures(const fg_search_result *r) {
  int spills = 0, refused = 0;
  for (int i = 0; i < r->count; i++) {
    const fg_candidate *k = &r->candidate[i];
    if (!k->failed) continue;
    bool spilled = strstr(k->why, "it spills") != NULL, never = !strncmp(k->why, "refused: ", 9);
    spills += spilled, refused += never;
    if (!spilled && !never) printf("      left out: %s: %s\n", k->plan, k->why);
  }
  if (spills + refused)
    printf("      left out: %d that spill registers, %d refused (--json: each with its reason)\n", spills, refused);
}

static void print_result(const job *j, const fg_search_result *r, const fg_wisdom_entry *e) {
  int timed = 0;
  for (int i = 0; i < r->count; i++) timed += r->candidate[i].ns > 0;
  if (on_terminal(j)) fputs("\r\033[K", stderr);
  char spread[32] = "not known";
  if (e->spread >= 0) fg_number_print(spread, sizeof spread, "%.1f %%", 100 * e->spread);
  fg_number_write(stdout, "[%d/%d] %s: %.4g ns by %s%s%s%s%s, spread %s, best of %d, %.1f s%s\n", j->number, j->total,
                  e->problem, e->ns, e->plan, *e->isa ? " " : "", e->isa, *e->kind ? " " : "", e->kind, spread, timed,
                  r->seconds, r->final ? "" : ", cut short");
  if (e->spread > wide_spread)
    printf("      a wide spread%s: the machine is busy, or its clock moves\n",
           r->calmed ? ", measured again and still there" : "");
  if (r->timed_transforms < r->transforms)
    printf("      timed on %lld of %lld transforms\n", (long long)r->timed_transforms, (long long)r->transforms);
  if (!r->proved) printf("      the proof was not over in time; emit makes it again\n");
  print_failures(r);
  fflush(stdout);
}

static void fill_entry(fg_context *cx, const job *j, const fg_candidate *best, fg_wisdom_entry *entry) {
  fg_device_facts facts;
  char kind[FG_CC_KIND] = "";
  compiler_of(j, best, &facts);
  if (best->compiler) fg_cc_kind(facts.version, kind);
  entry->plan = best->plan;
  entry->isa = best->isa ? best->isa : "";
  entry->ns = best->ns;
  entry->spread = best->spread;
  entry->l2 = best->work.l2;
  entry->compiler = fg_arena_strdup(cx->arena, facts.version);
  entry->kind = fg_arena_strdup(cx->arena, kind);
  entry->flags = fg_arena_strdup(cx->arena, facts.flags);
  entry->generator = fg_version;
  entry->date = fg_cli_tune_date(cx);
  entry->made_by = j->command;
}

static fg_status record(fg_context *cx, job *j, const fg_search_result *r, fg_wisdom_entry *entry) {
  fill_entry(cx, j, &r->candidate[0], entry);
  entry->final = r->final;
  write_wisdom(cx, j, entry);
  add_json(j, r, entry);
  if (!j->o->choice.json) print_result(j, r, entry);
  return FG_OK;
}

/* What the model says, in the place of a search. */
static fg_status estimate(const fg_compilation *c, job *j, const fg_search_options *search) {
  fg_search_result r;
  fg_status status = fg_cli_estimate(c, search, &r);
  if (status != FG_OK) return status;
  const fg_candidate *best = &r.candidate[0];
  const char *problem = fg_wisdom_problem(c->cx, &c->problem);
  if (!j->o->choice.json) {
    fg_number_write(stdout, "[%d/%d] %s: about %.4g ns by %s %s%s%s, best of %d, estimated\n", j->number, j->total,
                    problem, best->predicted, best->plan, best->isa, best->compiler ? " " : "",
                    best->compiler ? best->compiler : "", r.count);
    return FG_OK;
  }
  cJSON *json = cJSON_CreateObject(), *all = cJSON_AddArrayToObject(json, "candidates");
  cJSON_AddStringToObject(json, "problem", problem);
  cJSON_AddStringToObject(json, "plan", best->plan);
  cJSON_AddNumberToObject(json, "predicted_ns", best->predicted);
  for (int i = 0; i < r.count; i++) cJSON_AddItemToArray(all, candidate_json(&r.candidate[i]));
  cJSON_AddItemToArray(j->list, json);
  return FG_OK;
}

/* The plan that wisdom has for the problem, the file's own or the shipped one, is a candidate. */
static void find_known(fg_context *cx, const job *j, const char *isa, fg_search_options *search) {
  fg_choice choice = j->o->choice;
  fg_cli_advisor a = {.choice = &choice, .facts = j->facts, .target = target_key(j->device)};
  fg_cli_advice advice;
  fg_context own = {.arena = cx->arena};
  choice.wisdom = j->wisdom && !access(j->wisdom, R_OK) ? j->wisdom : NULL;
  if (isa && strcmp(isa, "native") != 0) a.isa = isa;
  if (choice.plan || fg_cli_advise(&own, &a, j->problem, &advice) != FG_OK) return;
  search->known = advice.plan;
  search->known_isa = advice.isa;
}

static fg_status tune_one(fg_context *cx, void *data) {
  job *j = data;
  const order *o = j->o;
  fg_choice choice = o->choice;
  choice.problem[0] = j->problem;
  fg_request request = fg_cli_request(&choice, 0);
  request.target = j->device->dialect;
  if (!request.isa) request.isa = j->device->has_lanes ? "native" : "scalar";
  if (j->facts->local_bytes) request.facts = j->facts;
  fg_compilation c;
  fg_cli_sets sets = o->sets;
  fg_status status = fg_pipeline_parse(cx, &request, &c);
  if (status == FG_OK) status = fg_cli_fill_sets(cx, &c.problem, &sets);
  if (status != FG_OK) return status;
  fg_wisdom_entry entry = {.device = fg_cli_device_key(cx, j->device->on_host, j->facts),
                           .target = target_key(j->device)};
  entry.problem = fg_wisdom_problem(cx, &c.problem);
  const fg_wisdom_entry *known = o->estimate ? NULL : known_line(cx, j, &entry);
  if (known) {
    add_known(j, known);
    if (!o->choice.json) printf("[%d/%d] %s: known already\n", j->number, j->total, entry.problem);
    return FG_OK;
  }
  if ((status = fg_pipeline_decide(&c)) != FG_OK) return status;
  fg_search_options search = {.space = &o->model.space,
                              .model = &o->model.model,
                              .device = j->device,
                              .facts = j->facts,
                              .compiler = o->choice.compiler,
                              .params = sets.any ? sets.value : NULL,
                              .begun = o->budget > 0 ? j->begun : 0,
                              .seconds = j->seconds,
                              .most_seconds = j->most_seconds,
                              .most = o->most,
                              .hang = o->hang,
                              .seed = o->choice.seed,
                              .stop = &fg_cli_interrupted,
                              .watch = {show, j}};
  fg_search_result result;
  find_known(cx, j, c.isa ? request.isa : NULL, &search);
  j->entry = &entry, j->saved = NULL, j->reported = fg_timing_now();
  if (o->estimate) return estimate(&c, j, &search);
  status = fg_search_run(&c, &search, &result);
  if (on_terminal(j)) fputs("\r\033[K", stderr);
  if (status != FG_OK) {
    add_without(j, entry.problem, cx->diag.message, &result);
    return status;
  }
  j->copy_rate = copy_rate(j, &c);
  j->nopponent = j->o->report ? opponents(j, &request) : 0;
  j->precision = c.problem.compute;
  j->isa = c.isa ? c.isa->name : NULL;
  return record(cx, j, &result, &entry);
}

/* ---- all of them ----------------------------------------------------------- */

/* A problem with no result is in the report, with the reason. */
static void explain_missing(job *j, const char *problem, int before, const char *why) {
  if (cJSON_GetArraySize(j->list) == before) add_without(j, problem, why, NULL);
}

/* A problem that fails is reported; the others are tuned. */
static fg_status tune_all(fg_context *cx, const order *o, const fg_cli_tune_problems *p, job *j) {
  j->theirs = (fg_opponents_time){.start = j->begun, .budget = o->budget}; /* the device was looked for, too */
  int done = 0, failed = 0;
  fg_status worst = FG_OK;
  for (int i = 0; i < p->count; i++) {
    if (i) j->begun = fg_timing_now();
    double left = o->budget - (j->begun - j->theirs.start);
    int before = cJSON_GetArraySize(j->list);
    const char *late = fg_cli_interrupted ? "interrupted before it was begun" : "the time was over before it was begun";
    if (fg_cli_interrupted || (o->budget > 0 && left < 0.05)) {
      explain_missing(j, p->text[i], before, late);
      continue;
    }
    j->problem = p->text[i];
    j->number = i + 1;
    j->seconds = o->budget > 0 ? left / (p->count - i) : 0;
    j->most_seconds = fmin(LONG_SHARES * j->seconds, left / 2);
    fg_context own = {.arena = cx->arena};
    fg_status status = fg_cli_in_own_arena(&own, tune_one, j);
    done += status == FG_OK;
    if (status == FG_OK) continue;
    explain_missing(j, p->text[i], before, own.diag.message);
    if (fg_cli_interrupted) continue;
    failed++;
    if (p->count == 1) return fg_diag_set(&cx->diag, status == FG_ENA ? FG_ESYS : status, "%s", own.diag.message);
    fprintf(stderr, "fftgen: warning: %s\n", own.diag.message);
    if (worst == FG_OK) worst = status;
  }
  if (fg_cli_interrupted) return fg_diag_set(&cx->diag, FG_ESYS, "interrupted; what was found is kept");
  if (done < p->count)
    return fg_diag_set(&cx->diag, worst == FG_OK || worst == FG_ENA ? FG_ESYS : worst,
                       "%d of %d problems tuned (%d failed)", done, p->count, failed);
  return j->write_failed ? fg_diag_set(&cx->diag, FG_ESYS, "wisdom could not be written") : FG_OK;
}

/* One stream, by the compiler that was asked for. */
static fg_status tune_stream(fg_context *cx, order *o) {
  const char *not = o->list          ? "--file"
                    : o->report      ? "--report"
                    : o->estimate    ? "--estimate"
                    : o->choice.plan ? "--plan"
                                     : NULL;
  if (o->choice.target && strcmp(o->choice.target, "c") != 0) not = "--target";
  if (not ) return fg_refuse(cx, "tune: %s: not with --stream", not );
  if (o->choice.nproblem > 1) return fg_refuse(cx, "tune: '%s': only 1 stream is allowed", o->choice.problem[1]);
  return fg_cli_stream_tune(cx, &(fg_cli_stream){&o->choice, "stream", "."});
}

static fg_status run(fg_context *cx, int argc, char **argv) {
  static order o;
  double begun = fg_timing_now();
  fg_device_facts facts;
  fg_cli_tune_problems p;
  const char *command = fg_cli_tune_command(cx, argc, argv);
  fg_status status = fg_cli_parse(cx, &argp, argc, argv, &o);
  if (status == FG_OK && o.stream) return tune_stream(cx, &o);
  if (status == FG_OK) status = fg_cli_tune_list(cx, &o.choice, o.list, &p);
  job j = {.o = &o,
           .facts = &facts,
           .total = status == FG_OK ? p.count : 0,
           .wisdom = o.wisdom,
           .command = command,
           .begun = begun};
  if (status == FG_OK) status = fg_cli_device_apart(cx, &o.choice, &j.device, &facts);
  if (status != FG_OK) return status;
  if ((status = fg_cli_model_load(cx, &o.model)) != FG_OK) return status;
  if (!j.wisdom) j.wisdom = fg_wisdom_path(cx->arena);
  if (!j.wisdom) return fg_refuse(cx, "no home folder for wisdom; say where with --wisdom FILE");
  fg_cli_interrupt_begin();
  j.list = cJSON_CreateArray();
  status = tune_all(cx, &o, &p, &j);
  fg_cli_interrupt_end();
  fg_status reported = o.report ? fg_cli_tune_report(cx, o.report, j.list, j.device, j.facts, command) : FG_OK;
  if (status == FG_OK) status = reported;
  if (!o.choice.json) {
    cJSON_Delete(j.list);
    return status;
  }
  fg_status printed = fg_cli_print_json(cx, j.list);
  return status != FG_OK ? status : printed;
}

const fg_command fg_cli_tune = {"tune", "measure candidates, remember the best in wisdom", &argp, run, NULL, false};
