/* libfftgen-jit: the generator behind a few functions. In: a problem. Out: a shared object by LLVM if libfftgen-llvm
 * is present, else by the C compiler of this machine; or a package of kernels to launch. The program is always
 * proven. */
#include "generator/pipeline/pipeline.h"
#include "runtime/load/jit.h"
#include "runtime/version.h"
#include "targets/cc/compile.h"
#include "targets/env.h"
#include "targets/llvm/build.h"
#include "targets/llvm/llvm.h"
#include "targets/tcc.h"
#include "targets/thread.h"
#include "tuning/jit/background.h"
#include "tuning/jit/job.h"
#include "tuning/jit/native.h"
#include "tuning/jit/package.h"
#include "tuning/search/object.h"
#include <mpfr.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

extern const fg_device fg_device_cc, fg_device_tcc;

typedef enum way { BY_LLVM, BY_COMPILER, BY_TCC } way;

/* The object that a device's compiler is to make, and its address. FG_JIT_BUILT: it is there. */
static fg_jit_status describe_object(fg_job *j, fg_context *cx, fg_compilation *c, const fg_device *d, fg_object *out) {
  fg_device_facts facts;
  char why[FG_WHY_SIZE];
  if (d->probe(&facts, why)) return fg_job_complain(j, FG_JIT_FAILED, why);
  fg_status status = fg_object_create(c, &facts, NULL, out);
  if (status != FG_OK) return fg_job_complain_from(j, cx, status);
  snprintf(j->result->address, sizeof j->result->address, "%s", out->address);
  return FG_JIT_BUILT;
}

static fg_jit_status compile(fg_job *j, fg_context *cx, fg_compilation *c) {
  fg_object object;
  char why[FG_WHY_SIZE];
  fg_jit_status status = describe_object(j, cx, c, &fg_device_cc, &object);
  if (status != FG_JIT_BUILT) return status;
  if (j->request->have && j->request->have(j->request->context, object.address)) return j->status = FG_JIT_HAVE;
  int bad = fg_cc_compile(&object.artifact, j->request->output, why);
  if (bad) return fg_job_complain(j, bad == FG_CC_UNWRITTEN ? FG_JIT_UNWRITTEN : FG_JIT_FAILED, why);
  return j->status = FG_JIT_BUILT;
}

/* The last of all ways. */
static fg_jit_status compile_scalar(fg_job *j, fg_context *cx, fg_compilation *c) {
  fg_object object;
  char why[FG_WHY_SIZE];
  fg_jit_status status = describe_object(j, cx, c, &fg_device_tcc, &object);
  if (status != FG_JIT_BUILT) return status;
  if (fg_tcc_write(object.artifact.source, j->request->output, why)) return fg_job_complain(j, FG_JIT_UNWRITTEN, why);
  return j->status = FG_JIT_BUILT;
}

/* ---- shared objects ---------------------------------------------------------- */

/* LLVM keeps much for each thread that it has worked in: it works in one that ends. */
typedef struct making {
  const fg_native *native;
  fg_image image;
  int bad;
  char why[FG_WHY_SIZE];
} making;

static void *make_in_thread(void *data) {
  making *m = data;
  m->bad = fg_native_make(m->native, &m->image, m->why);
  return NULL;
}

typedef struct emitted {
  fg_compilation *c;
  fg_status status;
} emitted;

static void prove_it(void *data) {
  emitted *e = data;
  e->status = fg_pipeline_prove_emitted(e->c);
}

/* Memory that runs out is an end of the proof, not of what others work on meanwhile. */
static fg_status prove_emitted(fg_compilation *c) {
  emitted e = {.c = c};
  return fg_arena_run(c->cx->arena, prove_it, &e) ? e.status : FG_ENOMEM;
}

/* LLVM's work, then the verdict on the program and on the instructions. */
static fg_status make_proved(fg_background *p, fg_compilation *c, making *made) {
  pthread_t thread;
  bool apart = fg_thread_create(&thread, make_in_thread, made) == 0;
  if (!apart) make_in_thread(made);
  fg_status text = prove_emitted(c);
  if (apart) pthread_join(thread, NULL);
  const fg_context *why;
  fg_status status = fg_background_end(p, &why);
  if (status != FG_OK) fg_diag_clear(&c->cx->diag), fg_diag_set(&c->cx->diag, status, "%s", why->diag.message);
  return status != FG_OK ? status : text;
}

/* An object that is there already was proven when it was made. A new one is made
 * while its program and its instructions are proven, and not used before that. */
static fg_jit_status make_native(fg_job *j, fg_background *p, fg_compilation *c, fg_status *proved) {
  fg_native native;
  making made = {.native = &native};
  fg_status status = fg_native_create(c, &native);
  if (status != FG_OK) return fg_job_complain_from(j, &p->made, status);
  snprintf(j->result->address, sizeof j->result->address, "%s", native.address);
  if (j->request->have && j->request->have(j->request->context, native.address)) return j->status = FG_JIT_HAVE;
  *proved = make_proved(p, c, &made);
  bool written = !made.bad && *proved == FG_OK && !fg_native_write(&made.image, j->request->output, made.why);
  free(made.image.bytes);
  if (*proved != FG_OK) return fg_job_complain_from(j, &p->made, *proved);
  if (written) return j->status = FG_JIT_BUILT;
  return fg_job_complain(j, made.bad ? FG_JIT_FAILED : FG_JIT_UNWRITTEN, made.why);
}

/* After a candidate that fails its proof the next one is tried. */
static fg_jit_status generate_native(fg_job *j, fg_background *p, fg_compilation *c) {
  fg_status status = fg_pipeline_decide(c), proved;
  const fg_context *why;
  if (status != FG_OK) return fg_job_complain_from(j, &p->made, status);
  do {
    proved = FG_OK;
    fg_background_prove_program(p, c);
    status = fg_pipeline_emit(c);
    if (status == FG_OK)
      make_native(j, p, c, &proved);
    else
      fg_job_complain_from(j, &p->made, status);
    fg_background_end(p, &why);
  } while (fg_pipeline_give_way(c, status != FG_OK ? status : proved));
  return j->status;
}

static fg_jit_status generate(fg_job *j, fg_background *p, way how) {
  const fg_jit_request *r = j->request;
  bool native = how == BY_LLVM;
  fg_request wanted = {.problem = r->problem,
                       .target = native ? "code" : "c",
                       .isa = how == BY_TCC ? "scalar" : r->isa,
                       .plan = r->plan,
                       .machine = r->arch ? fg_machine_find(r->arch) : NULL,
                       .entry = true,
                       .effort_fast = native && !r->plan};
  fg_compilation c;
  if (fg_arena_guard(p->made.arena)) return fg_job_complain(j, FG_JIT_FAILED, "out of memory");
  fg_status status = fg_pipeline_parse(&p->made, &wanted, &c);
  if (status != FG_OK) return fg_job_complain_from(j, &p->made, status);
  if (c.isa && !fg_isa_runs_here(c.isa))
    return fg_job_complain(j, FG_JIT_REFUSED, "an instruction set that this CPU lacks");
  if (native) return generate_native(j, p, &c);
  if ((status = fg_pipeline_decide(&c)) == FG_OK) status = fg_pipeline_produce(&c);
  if (status != FG_OK) return fg_job_complain_from(j, &p->made, status);
  return how == BY_TCC ? compile_scalar(j, &p->made, &c) : compile(j, &p->made, &c);
}

/* Of what kind the compiler should be, if it can; NULL: no matter. False: there is no such kind. */
static bool choose_kind(const char *kind) {
  char why[FG_WHY_SIZE];
  return fg_device_cc.option("kind", kind, why) == 0;
}

static void generate_apart(fg_job *j, way how) {
  fg_background *p = fg_background_create();
  if (p)
    generate(j, p, how);
  else
    fg_job_complain(j, FG_JIT_FAILED, "out of memory");
  fg_background_destroy(p);
}

static bool is_here(way how, char why[FG_WHY_SIZE]) {
  fg_device_facts facts;
  return how == BY_TCC || (how == BY_LLVM ? fg_llvm_load(why) != NULL : fg_device_cc.probe(&facts, why) == 0);
}

/* A compiler that the user names, or whose kind is better by wisdom, is used; else LLVM, which compiles faster.
 */
static bool wants_native(bool kind) {
  char why[FG_WHY_SIZE];
  return !fg_env_compiler() && !(kind && is_here(BY_COMPILER, why)) && is_here(BY_LLVM, why);
}

/* What instructions have no form for, C has. */
static bool gives_way(const fg_job *j, way how) {
  return j->status == FG_JIT_FAILED || (j->status == FG_JIT_REFUSED && how == BY_LLVM);
}

/* Made by another way than the one that was wanted. What is slower, or not by the compiler that CC names, is not
 * kept: that may come. */
static void report_fallback(fg_job *j, way how, const char *why) {
  static const char *const said[] = {[BY_LLVM] = "made by LLVM",
                                     [BY_COMPILER] = "made by a C compiler",
                                     [BY_TCC] = "scalar code by tcc, several times slower"};
  char message[FG_JIT_MESSAGE];
  snprintf(message, sizeof message, "%s: %.800s", said[how], why);
  j->result->passing = how != BY_COMPILER;
  fg_job_complain(j, j->status, message);
}

/* One way after the other, the wanted one first; why: from the first that is not here, has failed or was proved wrong.
 */
static void try_ways(fg_job *j, const way order[3]) {
  char first[FG_JIT_MESSAGE] = "", why[FG_WHY_SIZE] = "";
  for (int i = 0; i < 3; i++) {
    if (!is_here(order[i], why)) {
      if (i == 0) snprintf(first, sizeof first, "%s", why);
      continue;
    }
    *j->result = (fg_jit_result){.address = ""};
    j->faulty = false;
    generate_apart(j, order[i]);
    bool done = j->status == FG_JIT_BUILT || j->status == FG_JIT_HAVE;
    if (done && *first) report_fallback(j, order[i], first);
    if (!gives_way(j, order[i])) return;
    if (!*first && (j->status == FG_JIT_FAILED || j->faulty)) snprintf(first, sizeof first, "%s", j->result->message);
  }
  if (*first) fg_job_complain(j, j->status, first);
}

static void build(fg_job *j) {
  static const way native_first[] = {BY_LLVM, BY_COMPILER, BY_TCC}, compiler_first[] = {BY_COMPILER, BY_LLVM, BY_TCC};
  bool kind = j->request->kind && choose_kind(j->request->kind);
  try_ways(j, wants_native(kind) ? native_first : compiler_first);
  if (kind) choose_kind(NULL);
}

/* ---- in threads of our own ---------------------------------------------------- */

/* A thread that asks for a plan may have only 128 KiB of stack, and signals that interrupt waiting for a compiler. */
static void *build_in_thread(void *data) {
  fg_job *j = data;
  build(j);
  mpfr_free_cache2(MPFR_FREE_LOCAL_CACHE);
  return NULL;
}

static fg_jit_status build_apart(const fg_jit_request *request, fg_jit_result *result) {
  fg_job j = {.request = request, .result = result, .status = FG_JIT_FAILED};
  fg_thread_call(build_in_thread, &j);
  return j.status;
}

/* ---- plans to choose from ------------------------------------------------------ */

typedef struct listing {
  fg_job j;
  int most;
  void (*take)(void *context, const char *plan);
  void *context;
} listing;

static fg_status list(fg_context *cx, const listing *l) {
  fg_compilation c;
  fg_request wanted = {.problem = l->j.request->problem, .target = "c", .isa = l->j.request->isa, .entry = true};
  if (fg_arena_guard(cx->arena)) return FG_ENOMEM;
  fg_status status = fg_pipeline_parse(cx, &wanted, &c);
  if (status == FG_OK) status = fg_pipeline_decide(&c);
  for (int i = 0; status == FG_OK && i < c.ncandidate && i < l->most; i++)
    l->take(l->context, fg_plan_print(cx, c.candidate[i].plan));
  return status;
}

static void *list_in_thread(void *data) {
  listing *l = data;
  fg_context cx = {.arena = fg_arena_create()};
  fg_status status = cx.arena ? list(&cx, l) : FG_ENOMEM;
  l->j.status = FG_JIT_BUILT;
  if (status != FG_OK) fg_job_complain_from(&l->j, &cx, status);
  fg_arena_destroy(cx.arena);
  mpfr_free_cache2(MPFR_FREE_LOCAL_CACHE);
  return NULL;
}

static fg_jit_status plans_apart(const fg_jit_request *request, int most, void (*take)(void *context, const char *plan),
                                 void *context, fg_jit_result *result) {
  *result = (fg_jit_result){.address = ""};
  listing l = {{.request = request, .result = result, .status = FG_JIT_FAILED}, most, take, context};
  fg_thread_call(list_in_thread, &l);
  return l.j.status;
}

const fg_jit *fftgen_jit(void);
__attribute__((visibility("default"))) const fg_jit *fftgen_jit(void) {
  static const fg_jit plugin = {FG_JIT_ABI,    fg_version,     build_apart,    fg_jit_package,
                                fg_jit_proved, fg_jit_compile, fg_jit_release, plans_apart};
  return &plugin;
}
