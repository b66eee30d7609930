/* fftgen devices: the compilers and devices for emitted sources. Out: one line for each, with the reason if it is
 * absent; the instruction sets and whether this CPU has them. */
#include "generator/cli/parse.h"
#include "generator/cli/run.h"
#include "generator/cli/table.h"
#include <stdio.h>
#include <string.h>

typedef struct order {
  fg_choice choice;
  bool machines;             /* list those that --arch takes, */
  const fg_machine *machine; /* or the figures of one */
} order;

enum { KEY_ARCH = 512 };

static error_t parse(int key, char *arg, struct argp_state *state) {
  order *o = state->input;
  switch (key) {
  case ARGP_KEY_INIT: state->child_inputs[0] = &o->choice; return 0;
  case KEY_ARCH:
    o->machines = true;
    if (!arg) return 0;
    o->machine = fg_cli_machine(state, arg);
    return o->machine ? 0 : EINVAL;
  default: return ARGP_ERR_UNKNOWN;
  }
}

static const struct argp_option options[] = {
    {"arch", KEY_ARCH, "NAME", OPTION_ARG_OPTIONAL,
     "list the machines that --arch of other commands takes; --arch=NAME: the figures of one, and their sources", 0},
    {0},
};
static const struct argp_child children[] = {FG_CLI_GROUP(problem), {0}};
static const struct argp argp = {
    .options = options,
    .parser = parse,
    .args_doc = "",
    .doc = "List compilers, devices and instruction sets, and why one is absent."
           "\vExamples:\n"
           "  fftgen devices --arch\n"
           "  fftgen devices --arch=sm_90\n",
    .children = children,
};

/* One way to run: a device, for cc with one compiler. */
typedef struct backend {
  const fg_device *device;
  const char *compiler; /* NULL: the device has no choice of compilers */
  int platform, number; /* one of several that a driver's loader knows; -1: no choice */
  fg_device_facts facts;
  char why[FG_WHY_SIZE]; /* of its absence; "" when it is here */
} backend;

/* 0: chosen, or there is nothing to choose. */
static int choose(const backend *w, char why[FG_WHY_SIZE]) {
  char text[16];
  if (w->compiler && w->device->option) return w->device->option("compiler", w->compiler, why);
  if (w->platform < 0) return 0;
  snprintf(text, sizeof text, "%d", w->platform);
  if (w->device->option("platform", text, why)) return 1;
  snprintf(text, sizeof text, "%d", w->number);
  return w->device->option("device", text, why);
}

static void probe(backend *w) {
  memset(&w->facts, 0, sizeof w->facts);
  w->why[0] = 0;
  bool absent = choose(w, w->why) != 0;
  if (!absent) absent = fg_cli_probe(w->device, &w->facts, w->why) != 0;
  if (absent && !w->why[0]) strcpy(w->why, "no reason given");
  if (!absent) w->why[0] = 0;
}

static void add_backend(const backend *w, fg_cli_table *table, cJSON *list) {
  bool here = !w->why[0];
  fg_cli_cell(table, "%s", w->device->name);
  fg_cli_cell(table, "%s", w->compiler ? w->compiler : "");
  fg_cli_cell(table, "%s", w->device->dialect);
  fg_cli_cell(table, "%s", here ? "here" : "absent");
  if (here)
    fg_cli_cell(table, "%s%s%s", w->facts.name, w->facts.version[0] ? ", " : "", w->facts.version);
  else
    fg_cli_cell(table, "%s", w->why);
  cJSON *json = cJSON_CreateObject();
  cJSON_AddStringToObject(json, "device", w->device->name);
  if (w->compiler) cJSON_AddStringToObject(json, "compiler", w->compiler);
  cJSON_AddStringToObject(json, "target", w->device->dialect);
  cJSON_AddBoolToObject(json, "here", here);
  cJSON_AddStringToObject(json, here ? "name" : "why", here ? w->facts.name : w->why);
  if (here) {
    cJSON_AddStringToObject(json, "version", w->facts.version);
    cJSON_AddNumberToObject(json, "lanes_f32", w->facts.lanes_f32);
    cJSON_AddNumberToObject(json, "lanes_f64", w->facts.lanes_f64);
    if (w->platform >= 0) {
      cJSON_AddNumberToObject(json, "platform", w->platform);
      cJSON_AddNumberToObject(json, "number", w->number);
    }
    cJSON_AddNumberToObject(json, "wave", w->facts.wave);
    cJSON_AddNumberToObject(json, "local_bytes", (double)w->facts.local_bytes);
    cJSON_AddNumberToObject(json, "max_threads", w->facts.max_threads);
    cJSON_AddNumberToObject(json, "cluster", w->facts.cluster > 1 ? w->facts.cluster : 1);
  }
  cJSON_AddItemToArray(list, json);
}

/* Every device of every platform; where there is none, why. */
static void add_platforms(backend w, fg_cli_table *table, cJSON *list) {
  enum { MOST = 16 };
  int found = 0;
  for (w.platform = 0; w.platform < MOST; w.platform++)
    for (w.number = 0;; w.number++) {
      probe(&w);
      if (w.why[0]) break;
      add_backend(&w, table, list);
      found++;
    }
  (void)w.device->option("platform", NULL, w.why);
  (void)w.device->option("device", NULL, w.why);
  w.platform = w.number = -1;
  if (!found) probe(&w), add_backend(&w, table, list);
}

static void add_devices(fg_cli_table *table, cJSON *list) {
  static const char *const compilers[] = {"gcc", "clang"};
  for (const fg_device *const *d = fg_device_table(); *d; d++) {
    backend w = {.device = *d, .platform = -1};
    if (!strcmp(w.device->name, "opencl")) {
      add_platforms(w, table, list);
      continue;
    }
    for (int i = 0; i < 2; i++) {
      bool choice = !strcmp(w.device->name, "cc");
      if (choice) w.compiler = compilers[i];
      probe(&w);
      add_backend(&w, table, list);
      if (!choice) break;
    }
  }
}

/* Languages that no device here is for. */
static void add_languages(fg_cli_table *table, cJSON *list) {
  for (const fg_dialect *const *d = fg_dialect_table(); *d; d++) {
    if (!fg_dialect_is_offered(*d) || fg_cli_has_device((*d)->name)) continue;
    fg_cli_cell(table, "-");
    fg_cli_cell(table, "%s", "");
    fg_cli_cell(table, "%s", (*d)->name);
    fg_cli_cell(table, "emit only");
    fg_cli_cell(table, "its text is proved; no device of fftgen runs it");
    cJSON_AddItemToArray(list, cJSON_CreateString((*d)->name));
  }
}

static void add_isas(fg_cli_table *table, cJSON *list) {
  for (const fg_isa *isa = fg_isa_table(); isa->name; isa++) {
    bool here = fg_isa_runs_here(isa);
    fg_cli_cell(table, "%s", isa->name);
    fg_cli_cell(table, "%s", here ? "runs here" : "emit only: this CPU lacks it");
    fg_cli_cell(table, "%d", isa->vector_bytes);
    fg_cli_cell(table, "%s", isa->flags);
    cJSON *json = cJSON_CreateObject();
    cJSON_AddStringToObject(json, "isa", isa->name);
    cJSON_AddBoolToObject(json, "here", here);
    cJSON_AddNumberToObject(json, "vector_bytes", isa->vector_bytes);
    cJSON_AddStringToObject(json, "flags", isa->flags);
    cJSON_AddItemToArray(list, json);
  }
}

/* ---- --arch -------------------------------------------------------------------- */

static cJSON *machine_json(const fg_machine *m, const char *targets) {
  cJSON *json = cJSON_CreateObject(), *figures;
  cJSON_AddStringToObject(json, "arch", m->name);
  cJSON_AddStringToObject(json, "also", m->also);
  cJSON_AddStringToObject(json, "title", m->title);
  cJSON_AddStringToObject(json, "targets", targets);
  if (m->isa) cJSON_AddStringToObject(json, "isa", m->isa);
  if (m->code) cJSON_AddStringToObject(json, "code", m->code);
  figures = cJSON_AddObjectToObject(json, "figures");
  for (const fg_figure *f = fg_machine_figures(); f->name; f++) {
    if (!fg_figure_value(m, f)) continue;
    cJSON *figure = cJSON_AddObjectToObject(figures, f->name);
    cJSON_AddNumberToObject(figure, "value", (double)fg_figure_value(m, f));
    cJSON_AddStringToObject(figure, "unit", f->unit);
    cJSON_AddStringToObject(figure, "source", fg_figure_source(m, f));
  }
  return json;
}

static fg_status list_machines(fg_context *cx, bool as_json) {
  static const char *const heads[] = {"arch", "also", "targets", "isa", "what it is"};
  fg_cli_table *table = fg_cli_table_create(cx, 5, heads);
  cJSON *json = cJSON_CreateArray();
  for (const fg_machine *const *row = fg_machine_table(); *row; row++) {
    const fg_machine *m = *row;
    char targets[FG_DIALECT_LIST];
    fg_dialect_list(m, targets);
    fg_cli_cell(table, "%s", m->name);
    fg_cli_cell(table, "%s", m->also);
    fg_cli_cell(table, "%s", targets);
    fg_cli_cell(table, "%s", m->isa ? m->isa : "");
    fg_cli_cell(table, "%s", m->title);
    cJSON_AddItemToArray(json, machine_json(m, targets));
  }
  if (as_json) return fg_cli_print_json(cx, json);
  cJSON_Delete(json);
  fg_cli_table_print(table);
  return FG_OK;
}

static fg_status print_machine(fg_context *cx, const fg_machine *m, bool as_json) {
  static const char *const heads[] = {"figure", "value", "unit", "what it is", "source"};
  char targets[FG_DIALECT_LIST];
  if (as_json) return fg_cli_print_json(cx, machine_json(m, fg_dialect_list(m, targets)));
  fg_cli_table *table = fg_cli_table_create(cx, 5, heads);
  printf("%s: %s\n\n", m->name, m->title);
  for (const fg_figure *f = fg_machine_figures(); f->name; f++) {
    if (!fg_figure_value(m, f)) continue;
    fg_cli_cell(table, "%s", f->name);
    fg_cli_cell(table, "%lld", (long long)fg_figure_value(m, f));
    fg_cli_cell(table, "%s", f->unit);
    fg_cli_cell(table, "%s", f->meaning);
    fg_cli_cell(table, "%s", fg_figure_source(m, f));
  }
  fg_cli_table_print(table);
  return FG_OK;
}

static fg_status run(fg_context *cx, int argc, char **argv) {
  order o = {.choice = {.most_problems = 0}};
  fg_status status = fg_cli_parse(cx, &argp, argc, argv, &o);
  if (status != FG_OK) return status;
  if (o.machine) return print_machine(cx, o.machine, o.choice.json);
  if (o.machines) return list_machines(cx, o.choice.json);
  static const char *const device_heads[] = {"device", "compiler", "target", "state",
                                             "what it is, or why it is absent"};
  static const char *const isa_heads[] = {"isa", "state", "vector bytes", "compiler flags"};
  fg_cli_table *devices = fg_cli_table_create(cx, 5, device_heads), *isas = fg_cli_table_create(cx, 4, isa_heads);
  cJSON *json = cJSON_CreateObject();
  add_devices(devices, cJSON_AddArrayToObject(json, "devices"));
  add_languages(devices, cJSON_AddArrayToObject(json, "emit_only"));
  add_isas(isas, cJSON_AddArrayToObject(json, "isas"));
  if (o.choice.json) return fg_cli_print_json(cx, json);
  cJSON_Delete(json);
  fg_cli_table_print(devices);
  putchar('\n');
  fg_cli_table_print(isas);
  return FG_OK;
}

const fg_command fg_cli_devices = {"devices", "list compilers and devices, and why one is absent", &argp, run, NULL,
                                   false};
