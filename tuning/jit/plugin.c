/* libfftgen-jit: the generator behind one function. In: a problem. Out: a shared
 * object, from a program that was proven. Compiled by the C compiler found on
 * this machine. */
#include "generator/pipeline.h"
#include "runtime/jit.h"
#include "runtime/version.h"
#include "targets/cc/compile.h"
#include "tuning/object.h"
#include <stdio.h>
#include <string.h>

extern const fg_device fg_device_cc;

typedef struct job {
  const fg_jit_request *request;
  fg_jit_result *result;
  fg_jit_status status;
} job;

static fg_jit_status complain(job *j, fg_jit_status status, const char *message) {
  snprintf(j->result->message, sizeof j->result->message, "%s", message);
  return j->status = status;
}

/* A recipe's or a user's plan that does not fit is refused; what the system
 * lacks has failed. */
static fg_jit_status complain_from(job *j, const fg_context *cx, fg_status status) {
  const char *message = cx->diag.message[0] ? cx->diag.message : fg_status_name(status);
  return complain(j, status == FG_EUSER || status == FG_EWRONG ? FG_JIT_REFUSED : FG_JIT_FAILED, message);
}

static fg_jit_status compile(job *j, fg_context *cx, fg_compilation *c) {
  fg_device_facts cc;
  fg_object object;
  char why[FG_WHY_SIZE];
  if (fg_device_cc.probe(&cc, why)) return complain(j, FG_JIT_FAILED, why);
  fg_status status = fg_object_create(c, &cc, NULL, &object);
  if (status != FG_OK) return complain_from(j, cx, status);
  snprintf(j->result->address, sizeof j->result->address, "%s", object.address);
  if (j->request->have && j->request->have(j->request->context, object.address)) return j->status = FG_JIT_HAVE;
  if (fg_cc_compile(&object.artifact, j->request->output, why)) return complain(j, FG_JIT_FAILED, why);
  return j->status = FG_JIT_BUILT;
}

static fg_jit_status generate(job *j, fg_context *cx) {
  const fg_jit_request *r = j->request;
  fg_request wanted = {.problem = r->problem, .target = "c", .isa = r->isa, .plan = r->plan, .entry = true};
  fg_compilation c;
  if (fg_arena_guard(cx->arena)) return complain(j, FG_JIT_FAILED, "out of memory");
  fg_status status = fg_pipeline_compile(cx, &wanted, &c);
  if (status != FG_OK) return complain_from(j, cx, status);
  if (c.isa && !fg_isa_runs_here(c.isa)) return complain(j, FG_JIT_REFUSED, "an instruction set that this CPU lacks");
  return compile(j, cx, &c);
}

/* A compiler that wisdom names may be gone; then the usual one is as good. */
static void choose_compiler(const char *command) {
  char why[FG_WHY_SIZE];
  fg_device_facts facts;
  if (fg_device_cc.option("compiler", command, why) || (command && fg_device_cc.probe(&facts, why)))
    (void)fg_device_cc.option("compiler", NULL, why);
}

static fg_jit_status build(const fg_jit_request *request, fg_jit_result *result) {
  job j = {.request = request, .result = result, .status = FG_JIT_FAILED};
  fg_context cx = {.arena = fg_arena_create()};
  if (!cx.arena) return complain(&j, FG_JIT_FAILED, "out of memory");
  if (request->command) choose_compiler(request->command);
  generate(&j, &cx);
  if (request->command) choose_compiler(NULL);
  fg_arena_destroy(cx.arena);
  return j.status;
}

const fg_jit *fftgen_jit(void);
__attribute__((visibility("default"))) const fg_jit *fftgen_jit(void) {
  static const fg_jit plugin = {FG_JIT_ABI, fg_version, build};
  return &plugin;
}
