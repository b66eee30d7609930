/* fftgen ops: operation counts of codelets. In: a length or a range of lengths. Out: counts of the add-mul and of
 * the fused form, from the graphs themselves. */
#include "generator/cli/parse.h"
#include "generator/cli/table.h"
#include "generator/codelet/codelet.h"
#include <stdio.h>
#include <string.h>

typedef struct order {
  fg_choice choice;
  const char *algo;
  fg_codelet_kind kind;
} order;

enum { KEY_KIND = 512, KEY_ALGO };

static const char *kind_at(int i) { return i < FG_CODELET_KINDS ? fg_codelet_kind_name((fg_codelet_kind)i) : NULL; }

static error_t parse(int key, char *arg, struct argp_state *state) {
  order *o = state->input;
  switch (key) {
  case ARGP_KEY_INIT: state->child_inputs[0] = &o->choice; return 0;
  case KEY_ALGO: o->algo = arg; return 0;
  case KEY_KIND:
    if (fg_codelet_kind_find(arg, &o->kind)) return 0;
    return fg_cli_refuse_word(state, "--kind", arg, kind_at);
  default: return ARGP_ERR_UNKNOWN;
  }
}

static const struct argp_option options[] = {
    {"kind", KEY_KIND, "KIND", 0, "kind of transform: %s (c2c)", 0},
    {"algo", KEY_ALGO, "NAME", 0, "force this algorithm at the top level", 0},
    {0},
};
static const struct argp_child children[] = {FG_CLI_GROUP(problem), {0}};
static const struct argp argp = {
    .options = options,
    .parser = parse,
    .args_doc = "N | A..B",
    .doc = "Count the real operations of the straight-line codelet of N points, without twiddle factors."
           "\vadd and mul count the form without fused operations; fma_add, fma_mul and fma count the fused form.\n\n"
           "Examples:\n"
           "  fftgen ops 16 --json\n"
           "  fftgen ops 2..64\n"
           "  fftgen ops 8 --kind dct2\n",
    .children = children,
};

/* "16" or "2..64" */
static fg_status parse_range(fg_context *cx, const char *text, int least, int *first, int *last) {
  char low[32];
  const char *dots = strstr(text, "..");
  int64_t a = 0, b = 0;
  size_t length = dots ? (size_t)(dots - text) : strlen(text);
  bool good = length < sizeof low;
  if (good) {
    memcpy(low, text, length);
    low[length] = 0;
    good = fg_cli_number(low, least, fg_codelet_limit(), &a);
    good = good && (dots ? fg_cli_number(dots + 2, a, fg_codelet_limit(), &b) : (b = a, true));
  }
  if (!good)
    return fg_refuse(cx, "ops: '%s' is no length; allowed: N or A..B with A <= B, from %d to %d", text, least,
                     fg_codelet_limit());
  *first = (int)a;
  *last = (int)b;
  return FG_OK;
}

static fg_status create_both(fg_context *cx, int n, const order *o, const fg_codelet *out[2]) {
  bool backward = o->kind == FG_CODELET_C2R || o->kind == FG_CODELET_C2R_ODD || o->kind == FG_CODELET_C2R_COLUMN;
  for (int form = 0; form < 2; form++) {
    fg_codelet_key key = {.n = n, .sign = backward ? 1 : -1, .form = (fg_fma_form)form, .algo = o->algo};
    key.kind = o->kind;
    fg_status status = fg_codelet_create(cx, &key, &out[form]);
    if (status != FG_OK) return status;
  }
  return FG_OK;
}

static cJSON *count_json(int n, const order *o, const fg_codelet *const both[2]) {
  const fg_op_count *plain = &both[0]->count, *fused = &both[1]->count;
  cJSON *json = cJSON_CreateObject();
  cJSON_AddNumberToObject(json, "n", n);
  cJSON_AddStringToObject(json, "kind", fg_codelet_kind_name(o->kind));
  cJSON_AddNumberToObject(json, "add", plain->add);
  cJSON_AddNumberToObject(json, "mul", plain->mul);
  cJSON_AddNumberToObject(json, "neg", plain->neg);
  cJSON_AddNumberToObject(json, "fma_add", fused->add);
  cJSON_AddNumberToObject(json, "fma_mul", fused->mul);
  cJSON_AddNumberToObject(json, "fma", fused->fma);
  cJSON_AddStringToObject(json, "algorithm", both[0]->algo);
  return json;
}

static fg_status run(fg_context *cx, int argc, char **argv) {
  order o = {.choice = {.most_problems = 1}, .kind = FG_CODELET_C2C};
  int first = 1, last = 0;
  fg_status status = fg_cli_parse(cx, &argp, argc, argv, &o);
  if (status == FG_OK) status = parse_range(cx, o.choice.problem[0], fg_codelet_least(o.kind), &first, &last);
  if (status != FG_OK) return status;
  static const char *const heads[] = {"n", "add", "mul", "neg", "fma_add", "fma_mul", "fma", "algorithm"};
  fg_cli_table *table = fg_cli_table_create(cx, 8, heads);
  cJSON *list = cJSON_CreateArray();
  for (int n = first; n <= last; n++) {
    const fg_codelet *both[2];
    status = create_both(cx, n, &o, both);
    if (status == FG_ENA && first < last) continue; /* a forced algorithm that does not take this n */
    if (status != FG_OK) return status;
    const fg_op_count *plain = &both[0]->count, *fused = &both[1]->count;
    const int numbers[] = {n, plain->add, plain->mul, plain->neg, fused->add, fused->mul, fused->fma};
    for (int c = 0; c < 7; c++) fg_cli_cell(table, "%d", numbers[c]);
    fg_cli_cell(table, "%s", both[0]->algo);
    if (o.choice.json) cJSON_AddItemToArray(list, count_json(n, &o, both));
  }
  if (o.choice.json) {
    if (first < last) return fg_cli_print_json(cx, list);
    return fg_cli_print_json(cx, cJSON_DetachItemFromArray(list, 0));
  }
  cJSON_Delete(list);
  fg_cli_table_print(table);
  return FG_OK;
}

const fg_command fg_cli_ops = {"ops", "count the operations of codelets", &argp, run, NULL, false};
