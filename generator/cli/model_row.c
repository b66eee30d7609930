/* See model_row.h. Lines of a file of plans are "PROBLEM|PLAN|PART OF A COPY'S SPEED"; a problem without a batch
 * stands for as many transforms as have a GiB of input. Where plans are measured, each is in the file at once: a fit
 * reads earlier ones with them. */
#include "generator/cli/model_row.h"
#include "generator/base/files.h"
#include "generator/base/strbuf.h"
#include "generator/cli/interrupt.h"
#include "generator/cli/run.h"
#include "generator/cli/table.h"
#include "generator/problem/shape.h"
#include "runtime/store/store.h"
#include "targets/dialect.h"
#include "targets/number.h"
#include "targets/timing.h"
#include "tuning/search/gpu_fit.h"
#include "tuning/search/search.h"
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

enum { GIB = 1 << 30, CANDIDATES = 8 /* of each problem */, LOG_EVERY = 5 /* seconds */ };

typedef fg_cli_row_samples samples;

void fg_cli_row_add(fg_context *cx, samples *s, fg_figure_sample one) {
  if (s->count == s->room) {
    s->room = 2 * s->room + 64;
    s->list = fg_arena_more(cx->arena, s->list, s->count, s->room);
  }
  s->list[s->count++] = one;
}

void fg_cli_row_show(void *context, const char *phase, int done, int total) {
  static double last;
  double now = fg_timing_now();
  (void)context;
  if (isatty(STDERR_FILENO)) fprintf(stderr, "\r\033[K%s: %d of %d", phase, done, total);
  if (!last) last = now;
  if (isatty(STDERR_FILENO) || now - last < LOG_EVERY) return;
  fprintf(stderr, "fftgen: %s: %d of %d\n", phase, done, total);
  last = now;
}

void fg_cli_row_clear_line(void) {
  if (isatty(STDERR_FILENO)) fputs("\r\033[K", stderr);
}

/* ---- what was measured ------------------------------------------------------------ */

/* Bytes that an execution reads and writes; the problem with its batch. */
static fg_status bytes_of(fg_context *cx, const char **problem, double *bytes) {
  fg_problem p;
  fg_status status = fg_problem_parse(cx, *problem, &p);
  if (status != FG_OK) return status;
  double in = (double)(fg_problem_elements(&p, false) * (p.kind == FG_R2C ? 1 : 2) * fg_precision_bytes(p.storage));
  double out = (double)(fg_problem_elements(&p, true) * (p.kind == FG_C2R ? 1 : 2) * fg_precision_bytes(p.storage));
  double batch = (double)fg_problem_batch_count(&p, NULL);
  if (!p.batch_rank) {
    batch = in < GIB ? (double)(int64_t)(GIB / in) : 1;
    *problem = fg_arena_printf(cx->arena, "%s batch=%lld", *problem, (long long)batch);
  }
  *bytes = (in + out) * batch;
  return FG_OK;
}

static fg_status read_plans(fg_context *cx, const char *path, samples *out) {
  char *text, *save = NULL;
  size_t bytes;
  int number = 0;
  fg_status status = fg_files_read(cx, path, &text, &bytes);
  char *line = status == FG_OK ? strtok_r(text, "\r\n", &save) : NULL;
  for (; line && status == FG_OK; line = strtok_r(NULL, "\r\n", &save)) {
    char *plan = strchr(line, '|'), *part = plan ? strchr(plan + 1, '|') : NULL, *end = part ? part + 1 : line;
    double moved, speed = part ? fg_number_read(part + 1, &end) : 0;
    number++;
    if (part && end == part + 1 && number == 1) continue; /* names of columns */
    if (!part || end == part + 1 || !(speed > 0))
      return fg_refuse(cx, "%s, line %d: allowed: PROBLEM|PLAN|PART OF A COPY'S SPEED", path, number);
    *plan = *part = 0;
    const char *problem = line;
    if ((status = bytes_of(cx, &problem, &moved)) == FG_OK)
      fg_cli_row_add(cx, out, (fg_figure_sample){problem, plan + 1, moved / speed, NULL});
  }
  return status;
}

/* ---- what is measured ------------------------------------------------------------- */

typedef struct measuring {
  const fg_cli_row_order *o;
  const fg_device *device;
  const fg_device_facts *facts;
  const fg_machine *machine;
  fg_search_space space;
  samples *out;
  FILE *file;     /* where plans are kept; NULL: nowhere */
  fg_arena *kept; /* what outlives a problem */
} measuring;

/* Its time, and its part of the speed that the memory has by the machine's row. */
static void keep(measuring *m, const char *problem, const fg_candidate *k) {
  fg_context cx = {.arena = m->kept};
  const char *named = fg_arena_strdup(m->kept, problem);
  double moved, speed = (double)(m->machine->memory_gbs ? m->machine->memory_gbs : 1);
  if (bytes_of(&cx, &named, &moved) != FG_OK) return;
  fg_cli_row_add(&cx, m->out, (fg_figure_sample){named, fg_arena_strdup(m->kept, k->plan), k->ns * speed, NULL});
  if (!m->file) return;
  fg_number_write(m->file, "%s|%s|%.4f\n", named, k->plan, moved / (k->ns * speed));
  fflush(m->file);
}

static fg_status measure_one(fg_context *cx, const char *problem, measuring *m) {
  fg_request r = {.problem = problem, .target = m->device->dialect, .facts = m->facts};
  fg_compilation *c = fg_arena_new(cx->arena, fg_compilation, 1);
  fg_search_result found = {0};
  fg_search_options search = {.space = &m->space,
                              .device = m->device,
                              .facts = m->facts,
                              .most = CANDIDATES,
                              .seed = m->o->choice->seed,
                              .stop = &fg_cli_interrupted};
  fg_status status = fg_pipeline_parse(cx, &r, c);
  if (status == FG_OK) status = fg_pipeline_decide(c);
  if (status == FG_OK) status = fg_search_run(c, &search, &found);
  for (int i = 0; i < found.count; i++) /* also of a search that was cut short */
    if (found.candidate[i].ns > 0) keep(m, problem, &found.candidate[i]);
  return status;
}

typedef struct turn {
  measuring *m;
  const char *problem;
} turn;

static fg_status take_turn(fg_context *cx, void *data) {
  turn *t = data;
  return measure_one(cx, t->problem, t->m);
}

/* The recipes' plans alone, as the model sorts them: moves around the fastest are all alike. */
static fg_status plain_space(fg_context *cx, fg_search_space *out) {
  fg_status status = fg_space_load(cx, NULL, out);
  out->own = false;
  return status;
}

static fg_status measure_all(fg_context *cx, measuring *m) {
  char *text, *save = NULL;
  size_t bytes;
  int total = 0, done = 0;
  fg_status status = plain_space(cx, &m->space);
  if (status == FG_OK) status = fg_files_read(cx, m->o->problems, &text, &bytes);
  for (size_t i = 0; status == FG_OK && i < bytes; i++) total += text[i] == '\n';
  fg_cli_interrupt_begin();
  char *line = status == FG_OK ? strtok_r(text, "\r\n", &save) : NULL;
  for (; line && !fg_cli_interrupted; line = strtok_r(NULL, "\r\n", &save), done++) {
    fg_context own = {.arena = cx->arena};
    turn t = {m, line};
    fg_cli_row_show(NULL, "problems", done, total);
    if (*line == '#' || fg_cli_in_own_arena(&own, take_turn, &t) == FG_OK) continue;
    fg_cli_row_clear_line();
    fprintf(stderr, "fftgen: warning: %s\n", own.diag.message);
  }
  fg_cli_interrupt_end();
  return status;
}

static fg_status measure(fg_context *cx, const fg_device *device, const fg_device_facts *facts, measuring *m) {
  m->device = device, m->facts = facts, m->kept = cx->arena;
  if (m->o->plans && !(m->file = fopen(m->o->plans, "a")))
    return fg_diag_set(&cx->diag, FG_ESYS, "%s: cannot be written: %s", m->o->plans, strerror(errno));
  fg_status status = measure_all(cx, m);
  if (m->file && fclose(m->file) && status == FG_OK)
    status = fg_diag_set(&cx->diag, FG_ESYS, "%s: cannot be written whole: %s", m->o->plans, strerror(errno));
  return status;
}

/* ---- the row ---------------------------------------------------------------------- */

static void print_errors(FILE *f, const char *what, const fg_figure_errors *e) {
  fg_number_write(f, "%-44s %.3f  %.3f  %.3f  %.2f\n", what, e->all, e->near, e->choice, e->worst);
}

/* The figures that the machine had, of which `name` is printed, and the new ones. */
static void print_fit(FILE *f, const fg_figure_fit *fit, const char *name) {
  fprintf(f, "%d plans of %d problems; %d left out%s%s\n", fit->plans, fit->problems, fit->left_out,
          fit->left_out ? ", the first: " : "", fit->left_out ? fit->why_left_out : "");
  fprintf(f, "%-44s %-6s %-6s %-6s %s\n", "", "error", "near", "choice", "worst");
  print_errors(f, name, &fit->before);
  print_errors(f, "new figures", &fit->after);
  print_errors(f, "each fifth by a fit to the others", &fit->apart);
}

static fg_status print_json(fg_context *cx, const fg_figure_fit *fit, const samples *s) {
  cJSON *list = cJSON_CreateArray();
  for (int i = 0; i < s->count; i++) {
    cJSON *json = cJSON_CreateObject();
    cJSON_AddStringToObject(json, "problem", s->list[i].problem);
    cJSON_AddStringToObject(json, "plan", s->list[i].plan);
    cJSON_AddNumberToObject(json, "time", s->list[i].time);
    if (!isnan(fit->error[i])) cJSON_AddNumberToObject(json, "predicted", s->list[i].time * exp(fit->error[i]));
    cJSON_AddItemToArray(list, json);
  }
  return fg_cli_print_json(cx, list);
}

void fg_cli_row_date(char date[40]) {
  time_t now = time(NULL);
  struct tm utc;
  gmtime_r(&now, &utc);
  snprintf(date, 40, "%d-%02d-%02d", utc.tm_year + 1900, utc.tm_mon + 1, utc.tm_mday);
}

fg_status fg_cli_row_end(fg_context *cx, const fg_cli_row_order *o, const fg_figure_fit *fit, const samples *s,
                         const char *first, const char *text) {
  fg_status status = FG_OK;
  print_fit(o->out && !o->choice->json ? stdout : stderr, fit, first);
  if (o->out) status = fg_store_replace(cx, o->out, text, strlen(text));
  if (status == FG_OK && o->choice->json) return print_json(cx, fit, s);
  if (!o->out) fputs(text, stdout);
  return status;
}

static char *row_text(fg_context *cx, const fg_gpu_costs *costs, const fg_figure_fit *fit, const char *name) {
  char date[40];
  fg_cli_row_date(date);
  fg_strbuf s = fg_strbuf_new(cx->arena);
  fg_strbuf_addf(&s,
                 "/* What blocks and threads cost on machine %s: `fftgen model row`, %s, %d plans of %d problems. */\n",
                 name, date, fit->plans, fit->problems);
  fg_strbuf_addf(&s, "#include \"targets/machine/gpu_costs.h\"\n\nconst fg_gpu_costs fg_machine_costs_%s = {\n", name);
  for (const fg_gpu_cost *k = fg_machine_gpu_cost_table(); k->name; k++) {
    int64_t value;
    memcpy(&value, (const char *)costs + k->value, sizeof value);
    fg_strbuf_addf(&s, "    .%s = %lld,\n", k->name, (long long)value);
  }
  fg_strbuf_add(&s, "};\n");
  return s.text;
}

/* The machine: as asked for, or the device's own. */
static fg_status choose_machine(fg_context *cx, const fg_cli_row_order *o, const fg_device *device,
                                const fg_device_facts *facts, const fg_machine **out) {
  *out = o->choice->machine;
  if (!*out && device) *out = fg_machine_of_device(facts->arch, facts->name);
  if (*out && fg_machine_is_gpu(*out)) return FG_OK;
  return fg_refuse(cx,
                   "model row --arch %s: a CPU's figures are fitted where it is; allowed: a GPU's name, or no --arch",
                   *out ? (*out)->name : "");
}

static fg_status find_samples(fg_context *cx, const fg_cli_row_order *o, const fg_device *device,
                              const fg_device_facts *facts, const fg_machine *m, samples *out) {
  fg_status status = FG_OK;
  if (!o->plans && !o->problems)
    return fg_refuse(cx, "model row: nothing to fit to; give plans that were measured (--plans FILE) or "
                         "problems to measure here (--problems FILE)");
  measuring measured = {.o = o, .machine = m, .out = out};
  if (o->problems) status = measure(cx, device, facts, &measured);
  if (status != FG_OK || !o->plans) return status;
  out->count = 0; /* the file has them, and earlier ones */
  return read_plans(cx, o->plans, out);
}

static fg_status row_of_gpu(fg_context *cx, const fg_cli_row_order *o, const fg_device *device,
                            const fg_device_facts *facts) {
  samples s = {0};
  const fg_machine *m = NULL;
  fg_status status = choose_machine(cx, o, device, facts, &m);
  if (status == FG_OK) status = find_samples(cx, o, device, facts, m, &s);
  if (status != FG_OK) return status;
  const char *target = o->choice->target ? fg_cli_target(o->choice)
                       : device          ? device->dialect
                                         : fg_dialect_of_machine(m)->name;
  fg_figure_fit fit;
  fg_gpu_costs costs;
  const fg_gpu_fit_options options = {.machine = m,
                                      .target = target,
                                      .sample = s.list,
                                      .count = s.count,
                                      .stop = &fg_cli_interrupted,
                                      .watch = fg_cli_row_show};
  fg_cli_interrupt_begin();
  status = fg_gpu_fit_run(cx, &options, &costs, &fit);
  fg_cli_interrupt_end();
  fg_cli_row_clear_line();
  if (status != FG_OK) return status;
  return fg_cli_row_end(cx, o, &fit, &s, fg_arena_printf(cx->arena, "figures of %s as they are", m->name),
                        row_text(cx, &costs, &fit, m->name));
}

/* Of a GPU that is named, or here; else of this CPU. */
fg_status fg_cli_model_row(fg_context *cx, const fg_cli_row_order *o) {
  const fg_device *device = NULL;
  fg_device_facts facts;
  fg_status status = FG_OK;
  bool measures = o->problems || !o->choice->machine;
  if (measures) status = fg_cli_device_apart(cx, o->choice, &device, &facts);
  if (status != FG_OK) return status;
  if (o->choice->machine || facts.is_gpu_like) return row_of_gpu(cx, o, device, &facts);
  return fg_cli_model_row_cpu(cx, o, device, &facts);
}
