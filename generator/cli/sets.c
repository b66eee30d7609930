/* See sets.h. */
#include "generator/cli/sets.h"
#include "generator/cli/parse.h"
#include "generator/prove/prove.h"
#include <string.h>

enum { KEY_SET = 700 };

static error_t parse(int key, char *arg, struct argp_state *state) {
  fg_cli_sets *sets = state->input;
  if (key != KEY_SET) return ARGP_ERR_UNKNOWN;
  if (sets->count == FG_CLI_SETS) return fg_cli_refuse(state, "--set: at most %d", FG_CLI_SETS);
  sets->text[sets->count++] = arg;
  return 0;
}

static const struct argp_option options[] = {
    {"set", KEY_SET, "NAME=VALUE", 0, "value of a run-time parameter (lowest that is valid)", 0}, {0}};
const struct argp fg_cli_sets_argp = {.options = options, .parser = parse};

static int find_param(const fg_problem *p, const char *text, size_t length) {
  for (int i = 0; i < p->nparam; i++)
    if (strlen(p->param[i].name) == length && strncmp(p->param[i].name, text, length) == 0) return i;
  return -1;
}

fg_status fg_cli_fill_sets(fg_context *cx, const fg_problem *p, fg_cli_sets *sets) {
  sets->any = p->nparam > 0;
  bool fixed[FG_MAX_PARAMS] = {false};
  for (int s = 0; s < sets->count; s++) {
    const char *text = sets->text[s];
    size_t length = strcspn(text, "=");
    int i = find_param(p, text, length);
    if (i < 0) return fg_refuse(cx, "--set '%s': the problem has no run-time parameter of that name", text);
    const fg_param *q = &p->param[i];
    if (!text[length] || !fg_cli_number(text + length + 1, q->lo, q->hi, &sets->value[i]))
      return fg_refuse(cx, "--set '%s': allowed: %s=%lld .. %lld", text, q->name, (long long)q->lo, (long long)q->hi);
    fixed[i] = true;
  }
  if (fg_settings_lowest(p, fixed, sets->value)) return FG_OK;
  return fg_refuse(cx, "--set: two results would be one element; allowed: larger strides");
}
