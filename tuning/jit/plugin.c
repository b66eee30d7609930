/* libfftgen-jit: the generator behind a few functions. In: a problem. Out: a shared
 * object made by LLVM where libfftgen-llvm is, else by the C compiler found on this
 * machine, or a package of kernels to be launched; always from a program that was
 * proven. */
#include "generator/pipeline.h"
#include "runtime/jit.h"
#include "runtime/version.h"
#include "targets/cc/compile.h"
#include "targets/tcc.h"
#include "tuning/jit/native.h"
#include "tuning/object.h"
#include "tuning/packing.h"
#include <mpfr.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

extern const fg_device fg_device_cc, fg_device_tcc;

typedef enum way { BY_LLVM, BY_COMPILER, BY_TCC } way;

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

/* What the last of all ways makes is slow: it says so, and is not kept. */
static fg_jit_status compile_scalar(job *j, fg_context *cx, fg_compilation *c) {
  fg_device_facts tcc;
  fg_object object;
  char why[FG_WHY_SIZE];
  if (fg_device_tcc.probe(&tcc, why)) return complain(j, FG_JIT_FAILED, why);
  fg_status status = fg_object_create(c, &tcc, NULL, &object);
  if (status != FG_OK) return complain_from(j, cx, status);
  snprintf(j->result->address, sizeof j->result->address, "%s", object.address);
  if (fg_tcc_write(object.artifact.source, j->request->output, why)) return complain(j, FG_JIT_FAILED, why);
  j->result->passing = true;
  return complain(j, FG_JIT_BUILT,
                  "scalar code by tcc, several times slower: neither libfftgen-llvm nor a C compiler is here");
}

/* Running out of memory jumps; the thread must not stay behind. */
static fg_status prove_guarded(fg_context *cx, fg_compilation *c) {
  jmp_buf *recovery = fg_arena_recovery(cx->arena), outer;
  volatile fg_status status = FG_ENOMEM;
  memcpy(&outer, recovery, sizeof outer);
  if (!setjmp(*recovery)) status = fg_pipeline_prove(c);
  memcpy(recovery, &outer, sizeof outer);
  return status;
}

/* An object that is there already was proven when it was made. A new one is made
 * while its program is proven, and seen by nobody before that. */
static fg_jit_status make_native(job *j, fg_context *cx, fg_compilation *c) {
  fg_native native;
  char why[FG_WHY_SIZE] = "";
  fg_status status = fg_native_create(c, &native);
  if (status != FG_OK) return complain_from(j, cx, status);
  snprintf(j->result->address, sizeof j->result->address, "%s", native.address);
  if (j->request->have && j->request->have(j->request->context, native.address)) return j->status = FG_JIT_HAVE;
  fg_native_work *work = fg_native_begin(&native);
  if (!work) return complain(j, FG_JIT_FAILED, "out of memory");
  status = prove_guarded(cx, c);
  int bad = fg_native_finish(work, status == FG_OK ? j->request->output : NULL, why);
  if (status != FG_OK) return complain_from(j, cx, status);
  return bad ? complain(j, FG_JIT_FAILED, why) : (j->status = FG_JIT_BUILT);
}

/* All steps; of instructions the proof comes later. */
static fg_status run_pipeline(fg_context *cx, const fg_request *wanted, bool native, fg_compilation *c) {
  if (!native) return fg_pipeline_compile(cx, wanted, c);
  fg_status status = fg_pipeline_parse(cx, wanted, c);
  if (status == FG_OK) status = fg_pipeline_decide(c);
  return status == FG_OK ? fg_pipeline_emit(c) : status;
}

static fg_jit_status generate(job *j, fg_context *cx, way how) {
  const fg_jit_request *r = j->request;
  bool native = how == BY_LLVM;
  fg_request wanted = {.problem = r->problem,
                       .target = native ? "code" : "c",
                       .isa = how == BY_TCC ? "scalar" : r->isa,
                       .plan = r->plan,
                       .entry = true,
                       .soon = native && !r->plan};
  fg_compilation c;
  if (fg_arena_guard(cx->arena)) return complain(j, FG_JIT_FAILED, "out of memory");
  fg_status status = run_pipeline(cx, &wanted, native, &c);
  if (status != FG_OK) return complain_from(j, cx, status);
  if (c.isa && !fg_isa_runs_here(c.isa)) return complain(j, FG_JIT_REFUSED, "an instruction set that this CPU lacks");
  return native ? make_native(j, cx, &c) : how == BY_TCC ? compile_scalar(j, cx, &c) : compile(j, cx, &c);
}

/* A compiler that wisdom names may be gone; then the usual one is as good. */
static void choose_compiler(const char *command) {
  char why[FG_WHY_SIZE];
  fg_device_facts facts;
  if (fg_device_cc.option("compiler", command, why) || (command && fg_device_cc.probe(&facts, why)))
    (void)fg_device_cc.option("compiler", NULL, why);
}

static void generate_apart(job *j, way how) {
  fg_context cx = {.arena = fg_arena_create()};
  if (cx.arena)
    generate(j, &cx, how);
  else
    complain(j, FG_JIT_FAILED, "out of memory");
  fg_arena_destroy(cx.arena);
}

static bool has_compiler(void) {
  char why[FG_WHY_SIZE];
  fg_device_facts facts;
  return fg_device_cc.probe(&facts, why) == 0;
}

/* A compiler that wisdom or CC names is what somebody wants; else LLVM is faster, but
 * instructions have no functions for parts. */
static bool wants_native(const fg_jit_request *request) {
  const char *named = getenv("CC");
  return !request->parts && !request->command && (!named || !*named) && fg_native_here();
}

static fg_jit_status build(const fg_jit_request *request, fg_jit_result *result) {
  job j = {.request = request, .result = result, .status = FG_JIT_FAILED};
  if (wants_native(request)) generate_apart(&j, BY_LLVM);
  if (j.status == FG_JIT_BUILT || j.status == FG_JIT_HAVE || j.status == FG_JIT_REFUSED) return j.status;
  if (request->command) choose_compiler(request->command);
  bool compiler = has_compiler();
  generate_apart(&j, compiler ? BY_COMPILER : BY_TCC);
  if (request->command) choose_compiler(NULL);
  return j.status;
}

/* ---- for devices that launch ------------------------------------------------- */

/* The device that compiles for a target where none of its kind is; NULL: its driver does that. */
static const fg_device *compiler_for(const char *target) {
  for (const fg_device *const *d = fg_device_table(); *d; d++)
    if (!strcmp((*d)->dialect, target) && (*d)->compiler) return *d;
  return NULL;
}

/* A compilation whose text is out and whose proof is under way; it lies in its own arena. */
typedef struct proof {
  fg_context cx;
  fg_compilation c;
  fg_status status;
  pthread_t thread;
  bool has_thread;
} proof;

static void prove(proof *p) {
  p->status = FG_ENOMEM;
  if (!fg_arena_guard(p->cx.arena)) p->status = fg_pipeline_prove(&p->c);
}

static void *prove_in_thread(void *data) {
  prove(data);
  mpfr_free_cache2(MPFR_FREE_LOCAL_CACHE); /* it keeps constants for each thread */
  return NULL;
}

static void begin_proof(proof *p) {
  p->has_thread = pthread_create(&p->thread, NULL, prove_in_thread, p) == 0;
  if (!p->has_thread) prove(p);
}

static bool take_copy(fg_jit_bytes *out, const void *bytes, size_t size) {
  out->bytes = malloc(size + 1);
  out->size = size;
  if (!out->bytes) return false;
  memcpy(out->bytes, bytes, size);
  ((char *)out->bytes)[size] = 0;
  return true;
}

static fg_jit_status generate_package(job *j, proof *p, const fg_jit_order *o, fg_jit_bytes *out) {
  fg_request wanted = {.problem = o->problem, .target = o->target, .plan = o->plan, .isa = o->isa, .facts = o->facts};
  fg_package package;
  fg_strbuf text;
  char compiler[64] = "", why[FG_WHY_SIZE];
  if (fg_arena_guard(p->cx.arena)) return complain(j, FG_JIT_FAILED, "out of memory");
  const fg_device *d = compiler_for(o->target);
  if (d && d->compiler(compiler, sizeof compiler, why)) return complain(j, FG_JIT_FAILED, why);
  fg_status status = fg_pipeline_parse(&p->cx, &wanted, &p->c);
  if (status == FG_OK) status = fg_pipeline_decide(&p->c);
  if (status == FG_OK) status = fg_pipeline_emit(&p->c);
  if (status == FG_OK) status = fg_packing_create(&p->c, compiler, &package);
  if (status != FG_OK) return complain_from(j, &p->cx, status);
  fg_strbuf_init(&text, p->cx.arena);
  fg_package_write(&p->cx, &package, &text);
  if (!take_copy(out, text.text, text.length)) return complain(j, FG_JIT_FAILED, "out of memory");
  p->c.request.problem = fg_arena_strdup(p->cx.arena, o->problem); /* what the caller gave may go */
  return j->status = FG_JIT_BUILT;
}

static fg_jit_status make_package(const fg_jit_order *order, fg_jit_bytes *out, fg_jit_result *result) {
  job j = {.result = result, .status = FG_JIT_FAILED};
  proof *p = calloc(1, sizeof *p);
  *out = (fg_jit_bytes){.proof = p};
  if (p) p->cx.arena = fg_arena_create();
  if (!p || !p->cx.arena) return complain(&j, FG_JIT_FAILED, "out of memory");
  if (generate_package(&j, p, order, out) == FG_JIT_BUILT) begin_proof(p);
  return j.status;
}

static fg_jit_status proved(fg_jit_bytes *package, fg_jit_result *result) {
  job j = {.result = result};
  proof *p = package->proof;
  if (p->has_thread) pthread_join(p->thread, NULL);
  p->has_thread = false;
  return p->status == FG_OK ? FG_JIT_BUILT : complain_from(&j, &p->cx, p->status);
}

static fg_jit_status compile_source(const fg_jit_source *source, fg_jit_bytes *out, fg_jit_result *result) {
  job j = {.result = result};
  const fg_device *d = compiler_for(source->target);
  char why[FG_WHY_SIZE] = "", version[64];
  fg_code code;
  *out = (fg_jit_bytes){0};
  if (!d) return complain(&j, FG_JIT_FAILED, "no compiler for this target without its driver");
  if (d->compiler(version, sizeof version, why)) return complain(&j, FG_JIT_FAILED, why);
  if (d->compile(source->text, source->arch, &code, why)) return complain(&j, FG_JIT_REFUSED, why);
  *out = (fg_jit_bytes){.bytes = code.bytes, .size = code.size};
  return FG_JIT_BUILT;
}

static void release(fg_jit_bytes *bytes) {
  fg_jit_result ignored;
  proof *p = bytes->proof;
  if (p && p->has_thread) proved(bytes, &ignored);
  if (p) fg_arena_destroy(p->cx.arena);
  free(p);
  free(bytes->bytes);
  *bytes = (fg_jit_bytes){0};
}

const fg_jit *fftgen_jit(void);
__attribute__((visibility("default"))) const fg_jit *fftgen_jit(void) {
  static const fg_jit plugin = {FG_JIT_ABI, fg_version, build, make_package, proved, compile_source, release};
  return &plugin;
}
