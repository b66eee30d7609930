/* Any stage of the compiler as text. In: a compilation with its plan chosen. Out:
 * that stage, on standard output. */
#include "generator/cli/dump.h"
#include "generator/base/strbuf.h"
#include "generator/cli/parse.h"
#include "generator/codelet/schedule.h"
#include "generator/cost/cost.h"
#include "generator/ir/program_machine.h"
#include <stdio.h>
#include <string.h>

/* The command that gives the same bytes again, wherever it is run: with the plan
 * and the instruction set that were chosen, without folders and recipe files. */
static const char *provenance(const fg_compilation *c) {
  fg_strbuf s = fg_strbuf_new(c->cx->arena);
  fg_strbuf_addf(&s, "fftgen emit \"%s\" --target %s", fg_problem_print(c->cx, &c->problem), c->dialect->name);
  if (c->request.machine) fg_strbuf_addf(&s, " --arch %s", c->request.machine->name);
  if (c->isa) fg_strbuf_addf(&s, " --isa %s", c->isa->name);
  fg_strbuf_addf(&s, " --plan '%s'", fg_plan_print(c->cx, c->chosen.plan));
  if (c->request.prefix) fg_strbuf_addf(&s, " --prefix %s", c->request.prefix);
  if (c->request.self_test) fg_strbuf_add(&s, " --self-test");
  return s.text;
}

fg_status fg_cli_source(fg_compilation *c) {
  c->request.provenance = provenance;
  return fg_pipeline_produce(c);
}

static void dump_codelets(fg_compilation *c, bool schedule) {
  const fg_program *p = c->chosen.program;
  for (int k = 0; k < p->nkernel; k++)
    for (int s = 0; s < p->kernel[k]->nstage; s++) {
      const fg_codelet *codelet = p->kernel[k]->stage[s].codelet;
      if (!codelet || fg_program_had_codelet(p, k, s)) continue;
      if (schedule)
        fputs(fg_schedule_print(c->cx, codelet, fg_schedule_create(c->cx, codelet)), stdout);
      else
        fputs(fg_codelet_print(c->cx, codelet), stdout);
    }
}

static fg_status dump_plan(fg_compilation *c) {
  puts(fg_plan_print(c->cx, c->chosen.plan));
  return FG_OK;
}

static fg_status dump_dag(fg_compilation *c) {
  dump_codelets(c, false);
  return FG_OK;
}

static fg_status dump_schedule(fg_compilation *c) {
  dump_codelets(c, true);
  return FG_OK;
}

static fg_status dump_kernel(fg_compilation *c) {
  fputs(fg_program_print(c->cx, c->chosen.program), stdout);
  return FG_OK;
}

static fg_status dump_source(fg_compilation *c) {
  fg_status status = fg_cli_source(c);
  if (status == FG_OK) fputs(c->emitted.file[0].text, stdout);
  return status;
}

/* Of languages what is recorded of each function, of the target "code" the program. */
static fg_status dump_lir(fg_compilation *c) {
  fg_strbuf listing = fg_strbuf_new(c->cx->arena);
  c->request.listing = &listing;
  fg_status status = fg_pipeline_emit(c);
  if (status == FG_OK) fputs(c->emitted.artifact.instructions ? c->emitted.file[0].text : listing.text, stdout);
  return status;
}

static fg_status dump_cost(fg_compilation *c) {
  const fg_program *p = c->chosen.program;
  const fg_machine *m = fg_program_machine(p);
  if (!m->multiprocessors)
    return fg_refuse(c->cx, "--dump=cost: of GPU kernels alone; allowed: --target cuda, hip, opencl");
  if (!m->clock_mhz)
    return fg_refuse(c->cx, "--dump=cost: no clock is known of %s; allowed: --arch=NAME, help machines",
                     m->name ? m->name : "this machine");
  static const char *const columns[] = {"memory", "shared",    "remote",    "instr.", "waiting",
                                        "all ns", "registers", "there are", "blocks"};
  enum { FIGURES = sizeof columns / sizeof *columns };
  printf("%-10s", "kernel");
  for (int i = 0; i < FIGURES; i++) printf(" %9s", columns[i]);
  for (int i = 0; i < p->nkernel; i++) {
    fg_kernel_times t = fg_cost_kernel_times(p, i);
    const int64_t figures[] = {t.memory, t.local, t.remote, t.work, t.wait, t.all, t.wanted, t.allowed, t.blocks};
    printf("\n%-10s", p->kernel[i]->name);
    for (int c = 0; c < FIGURES; c++) printf(" %9lld", (long long)figures[c]);
  }
  puts("");
  return FG_OK;
}

static const fg_cli_dump dumps[] = {
    {"plan", dump_plan}, {"dag", dump_dag},       {"schedule", dump_schedule}, {"kernel", dump_kernel},
    {"lir", dump_lir},   {"source", dump_source}, {"cost", dump_cost},
};
enum { DUMPS = sizeof dumps / sizeof *dumps };

const char *fg_cli_dump_stage(int i) { return i < DUMPS ? dumps[i].stage : NULL; }

enum { KEY_DUMP = 768 };

static error_t parse(int key, char *arg, struct argp_state *state) {
  const fg_cli_dump **dump = state->input;
  if (key != KEY_DUMP) return ARGP_ERR_UNKNOWN;
  for (int i = 0; i < DUMPS; i++)
    if (strcmp(dumps[i].stage, arg) == 0) return *dump = &dumps[i], 0;
  return fg_cli_refuse_word(state, "--dump", arg, fg_cli_dump_stage);
}

static const struct argp_option options[] = {{"dump", KEY_DUMP, "STAGE", 0, "print one stage instead: %s", 0}, {0}};
const struct argp fg_cli_dump_argp = {.options = options, .parser = parse};
