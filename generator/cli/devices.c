/* fftgen devices: what emitted sources can be built and run with here. Out: one
 * line per compiler or device, an absent one with the reason; the instruction
 * sets and whether this CPU has them. */
#include "generator/cli/run.h"
#include "targets/device.h"
#include "targets/dialect.h"
#include <stdio.h>
#include <string.h>

static error_t parse(int key, char *arg, struct argp_state *state) {
  (void)arg;
  if (key != ARGP_KEY_INIT) return ARGP_ERR_UNKNOWN;
  state->child_inputs[0] = state->input;
  return 0;
}

static const struct argp_child children[] = {{&fg_cli_problem_argp, 0, NULL, 0}, {0}};
static const struct argp argp = {
    .parser = parse,
    .args_doc = "",
    .doc = "Compilers, devices and instruction sets, and why an absent one is absent.",
    .children = children,
};

/* One way to run: a device, for cc with one compiler. */
typedef struct way {
  const fg_device *device;
  const char *compiler; /* NULL: the device has no choice of compilers */
  int platform, number; /* one of several that a driver's loader knows; -1: no choice */
  fg_device_facts facts;
  char why[FG_WHY_SIZE]; /* of its absence; "" when it is here */
} way;

/* 0: chosen, or there is nothing to choose. */
static int choose(const way *w, char why[FG_WHY_SIZE]) {
  char text[16];
  if (w->compiler && w->device->option) return w->device->option("compiler", w->compiler, why);
  if (w->platform < 0) return 0;
  snprintf(text, sizeof text, "%d", w->platform);
  if (w->device->option("platform", text, why)) return 1;
  snprintf(text, sizeof text, "%d", w->number);
  return w->device->option("device", text, why);
}

static void probe(way *w) {
  memset(&w->facts, 0, sizeof w->facts);
  w->why[0] = 0;
  bool absent = choose(w, w->why) != 0;
  if (!absent) absent = fg_cli_probe(w->device, &w->facts, w->why) != 0;
  if (absent && !w->why[0]) strcpy(w->why, "no reason given");
  if (!absent) w->why[0] = 0;
}

static void add_way(const way *w, fg_cli_table *table, cJSON *list) {
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
static void add_platforms(way w, fg_cli_table *table, cJSON *list) {
  enum { MOST = 16 };
  int found = 0;
  for (w.platform = 0; w.platform < MOST; w.platform++)
    for (w.number = 0;; w.number++) {
      probe(&w);
      if (w.why[0]) break;
      add_way(&w, table, list);
      found++;
    }
  (void)w.device->option("platform", NULL, w.why);
  (void)w.device->option("device", NULL, w.why);
  w.platform = w.number = -1;
  if (!found) probe(&w), add_way(&w, table, list);
}

static void add_devices(fg_cli_table *table, cJSON *list) {
  static const char *const compilers[] = {"gcc", "clang"};
  for (const fg_device *const *d = fg_device_table(); *d; d++) {
    way w = {.device = *d, .platform = -1};
    if (!strcmp(w.device->name, "opencl")) {
      add_platforms(w, table, list);
      continue;
    }
    for (int i = 0; i < 2; i++) {
      bool choice = !strcmp(w.device->name, "cc");
      if (choice) w.compiler = compilers[i];
      probe(&w);
      add_way(&w, table, list);
      if (!choice) break;
    }
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

static fg_status run(fg_context *cx, int argc, char **argv) {
  fg_choice choice = {.most_problems = 0};
  fg_status status = fg_cli_parse(cx, &argp, argc, argv, &choice);
  if (status != FG_OK) return status;
  static const char *const device_heads[] = {"device", "compiler", "target", "state",
                                             "what it is, or why it is absent"};
  static const char *const isa_heads[] = {"isa", "state", "vector bytes", "compiler flags"};
  fg_cli_table *devices = fg_cli_table_create(cx, 5, device_heads), *isas = fg_cli_table_create(cx, 4, isa_heads);
  cJSON *json = cJSON_CreateObject();
  add_devices(devices, cJSON_AddArrayToObject(json, "devices"));
  add_isas(isas, cJSON_AddArrayToObject(json, "isas"));
  if (choice.json) return fg_cli_print_json(cx, json);
  cJSON_Delete(json);
  fg_cli_table_print(devices);
  putchar('\n');
  fg_cli_table_print(isas);
  return FG_OK;
}

const fg_command fg_cli_devices = {"devices", "list compilers and devices, and why one is absent", &argp, run, NULL};
