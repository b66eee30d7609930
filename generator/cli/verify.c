/* fftgen verify: does the program compute its transform? In: a problem. Out: the proof's verdict and its extent;
 * then the errors of the program on a device, against a transform of higher precision. */
#include "tuning/measure/verify.h"
#include "generator/cli/advice.h"
#include "generator/cli/parse.h"
#include "generator/cli/run.h"
#include "generator/cli/sets.h"
#include "generator/cli/table.h"
#include "generator/problem/shape.h"
#include "targets/number.h"
#include "tuning/report/report.h"
#include <stdio.h>

typedef struct order {
  fg_choice choice;
  fg_cli_sets sets;
  int64_t inputs; /* 0: chosen by the problem's size */
} order;

enum { KEY_INPUTS = 512, MOST_INPUTS = 10000, USUAL_INPUTS = 20, POINTS_PER_RUN = 1 << 20 };

static error_t parse(int key, char *arg, struct argp_state *state) {
  order *o = state->input;
  switch (key) {
  case ARGP_KEY_INIT:
    for (int i = 0; i < 5; i++) state->child_inputs[i] = &o->choice;
    state->child_inputs[5] = &o->sets;
    return 0;
  case KEY_INPUTS:
    if (!fg_cli_number(arg, 1, MOST_INPUTS, &o->inputs))
      return fg_cli_refuse(state, "--inputs '%s': 1 .. %d", arg, MOST_INPUTS);
    return 0;
  default: return ARGP_ERR_UNKNOWN;
  }
}

static const struct argp_option options[] = {
    {"inputs", KEY_INPUTS, "NUMBER", 0, "random inputs (20, fewer for large problems)", 0},
    {0},
};
static const struct argp_child children[] = {FG_CLI_GROUP(kernel),
                                             FG_CLI_GROUP(device),
                                             FG_CLI_GROUP(problem),
                                             FG_CLI_GROUP(arch),
                                             FG_CLI_GROUP(wisdom),
                                             FG_CLI_GROUP(sets),
                                             {0}};
static const struct argp argp = {
    .options = options,
    .parser = parse,
    .args_doc = "PROBLEM",
    .doc =
        "Prove a program and its emitted text over prime fields, then build it, run it and measure its error."
        "\vl2 and max are relative errors against FFTW in quadruple precision. kernels lists registers and, on CPUs, "
        "the spills in the compiler's assembly. Exit code 3: the proof failed, or an error is too large.\n\n"
        "Examples:\n"
        "  fftgen verify \"c2c f32 n=1009\"\n"
        "  fftgen verify \"c2c f64 n=64 batch=7\" --device tcc --json\n"
        "  fftgen verify \"c2c f32 n=1024\" --device opencl\n",
    .children = children,
};

static int usual_inputs(const fg_problem *p, const int64_t *params) {
  int64_t points = fg_problem_points(p), fit = POINTS_PER_RUN / points / fg_problem_batch_count(p, params);
  return fit < 1 ? 1 : fit > USUAL_INPUTS ? USUAL_INPUTS : (int)fit;
}

enum { KERNELS_SIZE = 2048 }; /* text about them */

static fg_status run_on(fg_compilation *c, const order *o, const fg_device *d, fg_verified *out, char *kernels) {
  char why[FG_WHY_SIZE] = "";
  fg_module *module = NULL;
  const int64_t *params = o->sets.any ? o->sets.value : NULL;
  if (d->build(&c->emitted.artifact, &module, why) != 0)
    return fg_diag_set(&c->cx->diag, FG_ESYS, "device %s: %s", d->name, why);
  fg_verify_options verify = {.params = params,
                              .inputs = o->inputs ? (int)o->inputs : usual_inputs(&c->problem, params),
                              .seed = o->choice.seed};
  fg_status status = fg_verify(c->cx, &c->problem, d, module, &verify, out);
  *kernels = 0;
  if (d->describe) d->describe(module, &c->emitted.artifact, kernels, KERNELS_SIZE);
  d->destroy(module);
  if (status == FG_ENA) return fg_refuse(c->cx, "problem \"%s\": no reference computes it", c->request.problem);
  return status;
}

static void print_proofs(const fg_compilation *c) {
  printf("problem   %s\n", fg_problem_print(c->cx, &c->problem));
  printf("plan      %s\n", fg_plan_print(c->cx, c->chosen.plan));
  printf("proved    %s: %s\n", c->proof.proved ? "yes" : "no", c->proof.walked);
  printf("text      %s: %s\n", c->text.proved ? "yes" : "no", c->text.walked);
}

static void print_text(const fg_compilation *c, const fg_device *d, const fg_device_facts *facts, const fg_verified *v,
                       const char *kernels) {
  print_proofs(c);
  printf("device    %s, %s%s%s\n", d->name, facts->name, c->isa ? ", " : "", c->isa ? c->isa->name : "");
  if (*kernels) printf("kernels   %s\n", kernels);
  fg_number_write(stdout, "l2        %.3g over %lld transforms (allowed: %.3g)\n", v->l2, (long long)v->compared,
                  v->bound_l2);
  fg_number_write(stdout, "max       %.3g (allowed: %.3g)\n", v->max, v->bound_max);
  printf("checks    ");
  if (c->problem.kind == FG_C2C)
    fg_number_write(stdout, "impulse %.2g, time shift %.2g, frequency shift %.2g, ", v->impulse, v->time_shift,
                    v->frequency_shift);
  fg_number_write(stdout, "linearity %.2g\n", v->linearity);
  for (int i = 0; i < c->chosen.program->nfallback; i++) printf("falls back: %s\n", c->chosen.program->fallback[i]);
}

/* --arch names a machine that is not here: what needs none is done. not_run: why nothing was run. */
static fg_status prove_alone(fg_context *cx, const order *o, const char *not_run) {
  fg_compilation c;
  fg_status status = fg_cli_decide(cx, &o->choice, &c);
  if (status == FG_OK) status = fg_pipeline_produce(&c);
  if (status == FG_OK) status = fg_pipeline_prove_text(&c);
  if (status != FG_OK) return status;
  if (o->choice.json) {
    cJSON *json = cJSON_CreateObject();
    cJSON_AddBoolToObject(json, "proved", c.proof.proved);
    cJSON_AddStringToObject(json, "walked", c.proof.walked);
    cJSON_AddBoolToObject(json, "text_proved", c.text.proved);
    cJSON_AddStringToObject(json, "text_walked", c.text.walked);
    cJSON_AddStringToObject(json, "not_run", not_run);
    return fg_cli_print_json(cx, json);
  }
  print_proofs(&c);
  printf("device    nothing was run: %s\n", not_run);
  return FG_OK;
}

static fg_status verify_here(fg_context *cx, order *o, bool *compiled) {
  const fg_device *device = NULL;
  fg_device_facts facts;
  fg_compilation c;
  fg_verified verified = {.ok = false};
  char kernels[KERNELS_SIZE] = "";
  fg_status status = fg_cli_device(cx, &o->choice, &device, &facts);
  if (status == FG_OK) status = fg_cli_compile(cx, &o->choice, 0, device, &facts, &c);
  *compiled = status == FG_OK;
  if (status == FG_OK) status = fg_pipeline_prove_text(&c);
  if (status == FG_OK) status = fg_cli_fill_sets(cx, &c.problem, &o->sets);
  if (status == FG_OK) status = run_on(&c, o, device, &verified, kernels);
  if (status != FG_OK) return status;
  if (o->choice.json)
    status = fg_cli_print_json(cx, fg_report_verify(&verified, &c.proof, &c.text));
  else
    print_text(&c, device, &facts, &verified, kernels);
  if (verified.ok) return status;
  return fg_diag_set(&cx->diag, FG_EWRONG, "problem \"%s\": %s", c.request.problem, verified.why);
}

static fg_status run(fg_context *cx, int argc, char **argv) {
  order o = {.choice = {.most_problems = 1}};
  bool compiled = false;
  fg_status status = fg_cli_parse(cx, &argp, argc, argv, &o);
  if (status != FG_OK) return status;
  fg_context own = *cx;
  status = verify_here(&own, &o, &compiled);
  if (status == FG_EUSER && !compiled && o.choice.machine) return prove_alone(cx, &o, own.diag.message);
  cx->diag = own.diag;
  return status;
}

const fg_command fg_cli_verify = {"verify", "prove a program, run it, measure its error", &argp, run, NULL, false};
