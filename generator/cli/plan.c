/* fftgen plan: how a problem could be computed. In: a problem. Out: the candidate
 * plans, cheapest by the shipped model first, with what each of them costs. */
#include "generator/cli/cli.h"

static error_t parse(int key, char *arg, struct argp_state *state) {
  (void)arg;
  if (key != ARGP_KEY_INIT) return ARGP_ERR_UNKNOWN;
  state->child_inputs[0] = state->child_inputs[1] = state->input;
  return 0;
}

static const struct argp_child children[] = {
    {&fg_cli_kernel_argp, 0, NULL, 0}, {&fg_cli_problem_argp, 0, NULL, 0}, {0}};
static const struct argp argp = {
    .parser = parse,
    .args_doc = "PROBLEM",
    .doc = "List candidate plans with their cost, cheapest first."
           "\vcost is the shipped model's estimate; flops counts additions, multiplications and both halves of fused "
           "operations; moved is bytes between registers and memory; passes is how often the data is walked.\n\n"
           "Examples:\n"
           "  fftgen plan \"c2c f32 n=1000\"\n"
           "  fftgen plan \"c2c f64 n=8\" --recipe mine.lua --json\n",
    .children = children,
};

/* As bench has it: how many, and the first. */
static const char *name_fallbacks(fg_context *cx, const fg_program *p) {
  return p->nfallback ? fg_arena_printf(cx->arena, "%d: %s", p->nfallback, p->fallback[0]) : "no";
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
    fg_cli_cell(table, "%s", b->plan->recipe ? b->plan->recipe : "--plan");
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
    cJSON_AddStringToObject(row, "recipe", b->plan->recipe ? b->plan->recipe : "");
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

static fg_status run(fg_context *cx, int argc, char **argv) {
  fg_choice choice = {.most_problems = 1};
  fg_compilation c;
  fg_status status = fg_cli_parse(cx, &argp, argc, argv, &choice);
  if (status != FG_OK) return status;
  fg_request request = fg_cli_request(&choice, 0);
  status = fg_pipeline_parse(cx, &request, &c);
  if (status == FG_OK) status = fg_pipeline_decide(&c);
  if (status != FG_OK) return status;
  if (choice.json) return fg_cli_print_json(cx, to_json(&c));
  static const char *const heads[] = {"cost",   "flops",  "moved", "passes",    "scratch",
                                      "tables", "recipe", "plan",  "falls back"};
  fg_cli_table *table = fg_cli_table_create(cx, 9, heads);
  add_rows(&c, table);
  fg_cli_table_print(table);
  return FG_OK;
}

const fg_command fg_cli_plan = {"plan", "list candidate plans with their cost", &argp, run};
