/* fftgen plan: the candidate plans of a problem. In: a problem. Out: its plans, cheapest by the shipped model first,
 * with their costs. */
#include "generator/cli/advice.h"
#include "generator/cli/dump.h"
#include "generator/cli/estimate.h"
#include "generator/cli/parse.h"
#include "generator/cli/table.h"

typedef struct order {
  fg_choice choice;
  fg_cli_yardstick model;
  const fg_cli_dump *dump;
  bool estimate;
} order;

enum { KEY_ESTIMATE = 512 };

static error_t parse(int key, char *arg, struct argp_state *state) {
  order *o = state->input;
  (void)arg;
  switch (key) {
  case ARGP_KEY_INIT:
    state->child_inputs[0] = state->child_inputs[1] = state->child_inputs[2] = &o->choice;
    state->child_inputs[3] = &o->model;
    state->child_inputs[4] = &o->dump;
    state->child_inputs[5] = state->child_inputs[6] = &o->choice;
    return 0;
  case KEY_ESTIMATE: o->estimate = true; return 0;
  default: return ARGP_ERR_UNKNOWN;
  }
}

static const struct argp_option options[] = {
    {"estimate", KEY_ESTIMATE, 0, 0, "nanoseconds by the model fitted on this machine", 0},
    {0},
};
static const struct argp_child children[] = {
    FG_CLI_GROUP(kernel), FG_CLI_GROUP(device), FG_CLI_GROUP(problem), FG_CLI_GROUP(model),
    FG_CLI_GROUP(dump),   FG_CLI_GROUP(arch),   FG_CLI_GROUP(wisdom),  {0}};
static const struct argp argp = {
    .options = options,
    .parser = parse,
    .args_doc = "PROBLEM",
    .doc = "List candidate plans with their cost, cheapest first."
           "\vcost is the shipped model's estimate; flops counts additions, multiplications and both halves of fused "
           "operations; moved is bytes between registers and memory; passes is how often the data is walked.\n\n"
           "Examples:\n"
           "  fftgen plan \"c2c f32 n=1000\"\n"
           "  fftgen plan \"c2c f64 n=8\" --recipe mine.lua --json\n"
           "  fftgen plan \"c2c f32 n=1000\" --estimate\n"
           "  fftgen plan \"c2c f32 n=32768 batch=1000\" --arch sm_90\n",
    .children = children,
};

/* As bench has it: how many, and the first. */
static const char *name_fallbacks(fg_context *cx, const fg_program *p) {
  return p->nfallback ? fg_arena_printf(cx->arena, "%d: %s", p->nfallback, p->fallback[0]) : "no";
}

/* Which recipe a plan is from; wisdom, or --plan. */
static const char *name_source(const fg_compilation *c, const fg_built *b) {
  return b->plan->recipe ? b->plan->recipe : c->request.plan ? "--plan" : "wisdom";
}

static void add_rows(const fg_compilation *c, fg_cli_table *table) {
  for (int i = 0; i < c->ncandidate; i++) {
    const fg_built *b = &c->candidate[i];
    fg_cli_cell(table, "%lld", (long long)b->cost.cost);
    fg_cli_cell(table, "%lld", (long long)b->cost.flops);
    fg_cli_cell(table, "%lld", (long long)b->cost.bytes);
    fg_cli_cell(table, "%lld", (long long)b->cost.passes);
    fg_cli_cell(table, "%lld", (long long)b->cost.scratch_bytes);
    fg_cli_cell(table, "%lld", (long long)b->cost.table_bytes);
    fg_cli_cell(table, "%s", name_source(c, b));
    fg_cli_cell(table, "%s", fg_plan_print(c->cx, b->plan));
    fg_cli_cell(table, "%s", name_fallbacks(c->cx, b->program));
  }
}

static cJSON *to_json(const fg_compilation *c) {
  cJSON *json = cJSON_CreateObject();
  cJSON_AddStringToObject(json, "problem", fg_problem_print(c->cx, &c->problem));
  cJSON *plans = cJSON_AddArrayToObject(json, "plans");
  for (int i = 0; i < c->ncandidate; i++) {
    const fg_built *b = &c->candidate[i];
    cJSON *row = cJSON_CreateObject();
    cJSON_AddStringToObject(row, "plan", fg_plan_print(c->cx, b->plan));
    cJSON_AddStringToObject(row, "recipe", name_source(c, b));
    cJSON_AddNumberToObject(row, "cost", (double)b->cost.cost);
    cJSON_AddNumberToObject(row, "add", (double)b->cost.add);
    cJSON_AddNumberToObject(row, "mul", (double)b->cost.mul);
    cJSON_AddNumberToObject(row, "fma", (double)b->cost.fma);
    cJSON_AddNumberToObject(row, "flops", (double)b->cost.flops);
    cJSON_AddNumberToObject(row, "bytes", (double)b->cost.bytes);
    cJSON_AddNumberToObject(row, "passes", (double)b->cost.passes);
    cJSON_AddNumberToObject(row, "scratch_bytes", (double)b->cost.scratch_bytes);
    cJSON_AddNumberToObject(row, "table_bytes", (double)b->cost.table_bytes);
    cJSON *fallbacks = cJSON_AddArrayToObject(row, "fallbacks");
    for (int k = 0; k < b->program->nfallback; k++)
      cJSON_AddItemToArray(fallbacks, cJSON_CreateString(b->program->fallback[k]));
    cJSON_AddItemToArray(plans, row);
  }
  return json;
}

static fg_status print_plans(fg_context *cx, const order *o) {
  fg_compilation c;
  fg_status status = fg_cli_decide(cx, &o->choice, &c);
  if (status != FG_OK) return status;
  if (o->dump) return o->dump->print(&c);
  if (o->choice.json) return fg_cli_print_json(cx, to_json(&c));
  static const char *const heads[] = {"cost",   "flops",  "moved", "passes",    "scratch",
                                      "tables", "recipe", "plan",  "falls back"};
  fg_cli_table *table = fg_cli_table_create(cx, 9, heads);
  add_rows(&c, table);
  fg_cli_table_print(table);
  return FG_OK;
}

/* ---- --estimate ---------------------------------------------------------------- */

static cJSON *estimates_json(const fg_compilation *c, const fg_search_result *r) {
  cJSON *json = cJSON_CreateObject();
  cJSON_AddStringToObject(json, "problem", fg_problem_print(c->cx, &c->problem));
  cJSON *plans = cJSON_AddArrayToObject(json, "plans");
  for (int i = 0; i < r->count; i++) {
    const fg_candidate *k = &r->candidate[i];
    cJSON *row = cJSON_CreateObject();
    cJSON_AddStringToObject(row, "plan", k->plan);
    cJSON_AddStringToObject(row, "isa", k->isa);
    cJSON_AddStringToObject(row, "compiler", k->compiler ? k->compiler : "");
    cJSON_AddStringToObject(row, "recipe", k->recipe ? k->recipe : "");
    cJSON_AddNumberToObject(row, "predicted_ns", k->predicted);
    cJSON_AddNumberToObject(row, "cost", (double)k->cost);
    cJSON_AddNumberToObject(row, "flops", (double)k->flops);
    cJSON_AddNumberToObject(row, "bytes", (double)k->bytes);
    cJSON_AddItemToArray(plans, row);
  }
  return json;
}

static fg_status print_estimates(fg_context *cx, order *o) {
  const fg_device *device;
  fg_device_facts facts;
  fg_compilation c;
  fg_search_result r;
  fg_status status = fg_cli_device(cx, &o->choice, &device, &facts);
  if (status == FG_OK) status = fg_cli_model_load(cx, &o->model);
  if (status != FG_OK) return status;
  fg_request request = fg_cli_request(&o->choice, 0);
  fg_search_options search = {.device = device,
                              .facts = &facts,
                              .compiler = o->choice.compiler,
                              .space = &o->model.space,
                              .model = &o->model.model};
  request.target = device->dialect;
  if (!request.isa) request.isa = device->has_lanes ? "native" : "scalar";
  if (facts.is_gpu_like) request.facts = &facts;
  status = fg_pipeline_parse(cx, &request, &c);
  if (status == FG_OK) status = fg_pipeline_decide(&c);
  if (status == FG_OK) status = fg_cli_estimate(&c, &search, &r);
  if (status != FG_OK) return status;
  if (o->choice.json) return fg_cli_print_json(cx, estimates_json(&c, &r));
  static const char *const heads[] = {"ns", "isa", "compiler", "flops", "moved", "recipe", "plan"};
  fg_cli_table *t = fg_cli_table_create(cx, 7, heads);
  for (int i = 0; i < r.count; i++) {
    const fg_candidate *k = &r.candidate[i];
    fg_cli_cell(t, "%.4g", k->predicted);
    fg_cli_cell(t, "%s", k->isa);
    fg_cli_cell(t, "%s", k->compiler ? k->compiler : "usual");
    fg_cli_cell(t, "%lld", (long long)k->flops);
    fg_cli_cell(t, "%lld", (long long)k->bytes);
    fg_cli_cell(t, "%s", k->recipe ? k->recipe : "--plan");
    fg_cli_cell(t, "%s", k->plan);
  }
  fg_cli_table_print(t);
  return FG_OK;
}

static fg_status run(fg_context *cx, int argc, char **argv) {
  static order o;
  o.choice.most_problems = 1;
  fg_status status = fg_cli_parse(cx, &argp, argc, argv, &o);
  if (status != FG_OK) return status;
  if (o.dump && o.estimate)
    return fg_refuse(cx, "plan: --dump: not with --estimate, which orders other candidates, too");
  if (o.estimate && o.choice.machine)
    return fg_refuse(cx, "plan: --arch: not with --estimate, whose model is of the device that is here");
  return o.estimate ? print_estimates(cx, &o) : print_plans(cx, &o);
}

const fg_command fg_cli_plan = {"plan", "list candidate plans with their cost", &argp, run, NULL, false};
