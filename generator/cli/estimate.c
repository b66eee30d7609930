/* See estimate.h. */
#include "generator/cli/estimate.h"
#include <stdio.h>
#include <stdlib.h>

enum { KEY_SPACE = 1024, KEY_MODEL };

static error_t parse(int key, char *arg, struct argp_state *state) {
  fg_cli_yardstick *m = state->input;
  switch (key) {
  case KEY_SPACE: m->space_file = arg; return 0;
  case KEY_MODEL: m->model_file = arg; return 0;
  default: return ARGP_ERR_UNKNOWN;
  }
}

static const struct argp_option options[] = {
    {"space", KEY_SPACE, "FILE", 0, "what to try beside the recipes' plans", 0},
    {"model", KEY_MODEL, "FILE", 0, "the fitted model ($FFTGEN_MODEL; see fftgen model)", 0},
    {0},
};
const struct argp fg_cli_model_argp = {.options = options, .parser = parse};

fg_status fg_cli_model_load(fg_context *cx, fg_cli_yardstick *m) {
  const char *path = m->model_file ? m->model_file : fg_model_path(cx->arena);
  fg_status status = fg_space_load(cx, m->space_file, &m->space);
  if (status != FG_OK || !path) return status; /* no home: nothing is fitted */
  return fg_model_load(cx, path, (fg_wisdom_warn){fg_cli_warn, NULL}, &m->model);
}

static int by_prediction(const void *a, const void *b) {
  const fg_candidate *x = a, *y = b;
  return (x->predicted > y->predicted) - (x->predicted < y->predicted);
}

fg_status fg_cli_estimate(const fg_compilation *c, const fg_search_options *search, fg_search_result *out) {
  fg_search_result all;
  fg_status status = fg_candidates_list(c, search, &all);
  if (status != FG_OK) return status;
  *out = (fg_search_result){.candidate = all.candidate};
  for (int i = 0; i < all.count; i++)
    if (all.candidate[i].predicted > 0) out->candidate[out->count++] = all.candidate[i];
  if (!out->count)
    return fg_refuse(c->cx, "no model is fitted here for device %s, %s: fftgen model fit", search->device->name,
                     search->facts->version);
  qsort(out->candidate, (size_t)out->count, sizeof *out->candidate, by_prediction);
  return FG_OK;
}
