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
#include "tuning/jit/native.h"
#include "tuning/search/object.h"
#include "tuning/search/packing.h"
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
  bool faulty; /* what was refused failed a proof, or an invariant: that is said though another way serves */
} job;

static fg_jit_status complain(job *j, fg_jit_status status, const char *message) {
  snprintf(j->result->message, sizeof j->result->message, "%s", message);
  return j->status = status;
}

/* A recipe's or a user's plan that does not fit is refused; what the system
 * lacks has failed. */
static fg_jit_status complain_from(job *j, const fg_context *cx, fg_status status) {
  const char *message = cx->diag.message[0] ? cx->diag.message : fg_status_name(status);
  j->faulty = status == FG_EWRONG || status == FG_EINTERNAL;
  bool refused = status == FG_EUSER || j->faulty;
  return complain(j, refused ? FG_JIT_REFUSED : FG_JIT_FAILED, message);
}

/* The object that a device's compiler is to make, and its address. FG_JIT_BUILT: it is there. */
static fg_jit_status describe_object(job *j, fg_context *cx, fg_compilation *c, const fg_device *d, fg_object *out) {
  fg_device_facts facts;
  char why[FG_WHY_SIZE];
  if (d->probe(&facts, why)) return complain(j, FG_JIT_FAILED, why);
  fg_status status = fg_object_create(c, &facts, NULL, out);
  if (status != FG_OK) return complain_from(j, cx, status);
  snprintf(j->result->address, sizeof j->result->address, "%s", out->address);
  return FG_JIT_BUILT;
}

static fg_jit_status compile(job *j, fg_context *cx, fg_compilation *c) {
  fg_object object;
  char why[FG_WHY_SIZE];
  fg_jit_status status = describe_object(j, cx, c, &fg_device_cc, &object);
  if (status != FG_JIT_BUILT) return status;
  if (j->request->have && j->request->have(j->request->context, object.address)) return j->status = FG_JIT_HAVE;
  int bad = fg_cc_compile(&object.artifact, j->request->output, why);
  if (bad) return complain(j, bad == FG_CC_UNWRITTEN ? FG_JIT_UNWRITTEN : FG_JIT_FAILED, why);
  return j->status = FG_JIT_BUILT;
}

/* The last of all ways. */
static fg_jit_status compile_scalar(job *j, fg_context *cx, fg_compilation *c) {
  fg_object object;
  char why[FG_WHY_SIZE];
  fg_jit_status status = describe_object(j, cx, c, &fg_device_tcc, &object);
  if (status != FG_JIT_BUILT) return status;
  if (fg_tcc_write(object.artifact.source, j->request->output, why)) return complain(j, FG_JIT_UNWRITTEN, why);
  return j->status = FG_JIT_BUILT;
}

/* ---- a proof under way ------------------------------------------------------ */

/* Programs are proven in a thread of its own while their text or code is made: it
 * shares the program, which does not change any more, and has memory of its own. */
typedef struct proof {
  fg_context made;  /* memory of the program, and of what is made of it */
  fg_context cx;    /* the proof's */
  fg_compilation c; /* the proof's view of it */
  fg_status status;
  pthread_t thread;
  bool begun, has_thread;
} proof;

static proof *proof_create(void) {
  proof *p = calloc(1, sizeof *p);
  if (!p) return NULL;
  p->made.arena = fg_arena_create();
  p->cx.arena = fg_arena_create();
  if (p->made.arena && p->cx.arena) return p;
  fg_arena_destroy(p->made.arena);
  fg_arena_destroy(p->cx.arena);
  free(p);
  return NULL;
}

static void prove(proof *p) {
  p->status = FG_ENOMEM;
  if (!fg_arena_guard(p->cx.arena)) p->status = fg_pipeline_prove(&p->c);
}

static void *prove_in_thread(void *data) {
  prove(data);
  mpfr_free_cache2(MPFR_FREE_LOCAL_CACHE); /* it keeps constants for each thread */
  return NULL;
}

/* c: through fg_pipeline_decide. The request may be freed before the proof ends. */
static void begin_proof(proof *p, const fg_compilation *c) {
  p->c = *c;
  p->c.cx = &p->cx;
  fg_diag_clear(&p->cx.diag);
  p->c.request.problem = fg_arena_strdup(p->made.arena, c->request.problem);
  p->begun = true;
  p->has_thread = fg_thread_create(&p->thread, prove_in_thread, p) == 0;
  if (!p->has_thread) prove(p);
}

/* Waits. */
static fg_status end_proof(proof *p) {
  if (p->has_thread) pthread_join(p->thread, NULL);
  p->has_thread = false;
  return p->begun ? p->status : FG_OK;
}

static void proof_destroy(proof *p) {
  if (!p) return;
  end_proof(p);
  fg_arena_destroy(p->made.arena);
  fg_arena_destroy(p->cx.arena);
  free(p);
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
static fg_status make_proved(proof *p, fg_compilation *c, making *made) {
  pthread_t thread;
  bool apart = fg_thread_create(&thread, make_in_thread, made) == 0;
  if (!apart) make_in_thread(made);
  fg_status text = prove_emitted(c);
  if (apart) pthread_join(thread, NULL);
  fg_status status = end_proof(p);
  if (status != FG_OK) fg_diag_clear(&c->cx->diag), fg_diag_set(&c->cx->diag, status, "%s", p->cx.diag.message);
  return status != FG_OK ? status : text;
}

/* An object that is there already was proven when it was made. A new one is made
 * while its program and its instructions are proven, and not used before that. */
static fg_jit_status make_native(job *j, proof *p, fg_compilation *c, fg_status *proved) {
  fg_native native;
  making made = {.native = &native};
  fg_status status = fg_native_create(c, &native);
  if (status != FG_OK) return complain_from(j, &p->made, status);
  snprintf(j->result->address, sizeof j->result->address, "%s", native.address);
  if (j->request->have && j->request->have(j->request->context, native.address)) return j->status = FG_JIT_HAVE;
  *proved = make_proved(p, c, &made);
  bool written = !made.bad && *proved == FG_OK && !fg_native_write(&made.image, j->request->output, made.why);
  free(made.image.bytes);
  if (*proved != FG_OK) return complain_from(j, &p->made, *proved);
  if (written) return j->status = FG_JIT_BUILT;
  return complain(j, made.bad ? FG_JIT_FAILED : FG_JIT_UNWRITTEN, made.why);
}

/* After a candidate that fails its proof the next one is tried. */
static fg_jit_status generate_native(job *j, proof *p, fg_compilation *c) {
  fg_status status = fg_pipeline_decide(c), proved;
  if (status != FG_OK) return complain_from(j, &p->made, status);
  do {
    proved = FG_OK;
    begin_proof(p, c);
    status = fg_pipeline_emit(c);
    if (status == FG_OK)
      make_native(j, p, c, &proved);
    else
      complain_from(j, &p->made, status);
    end_proof(p);
  } while (fg_pipeline_give_way(c, status != FG_OK ? status : proved));
  return j->status;
}

static fg_jit_status generate(job *j, proof *p, way how) {
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
  if (fg_arena_guard(p->made.arena)) return complain(j, FG_JIT_FAILED, "out of memory");
  fg_status status = fg_pipeline_parse(&p->made, &wanted, &c);
  if (status != FG_OK) return complain_from(j, &p->made, status);
  if (c.isa && !fg_isa_runs_here(c.isa)) return complain(j, FG_JIT_REFUSED, "an instruction set that this CPU lacks");
  if (native) return generate_native(j, p, &c);
  if ((status = fg_pipeline_decide(&c)) == FG_OK) status = fg_pipeline_produce(&c);
  if (status != FG_OK) return complain_from(j, &p->made, status);
  return how == BY_TCC ? compile_scalar(j, &p->made, &c) : compile(j, &p->made, &c);
}

/* Of what kind the compiler should be, if it can; NULL: no matter. False: there is no such kind. */
static bool choose_kind(const char *kind) {
  char why[FG_WHY_SIZE];
  return fg_device_cc.option("kind", kind, why) == 0;
}

static void generate_apart(job *j, way how) {
  proof *p = proof_create();
  if (p)
    generate(j, p, how);
  else
    complain(j, FG_JIT_FAILED, "out of memory");
  proof_destroy(p);
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
static bool gives_way(const job *j, way how) {
  return j->status == FG_JIT_FAILED || (j->status == FG_JIT_REFUSED && how == BY_LLVM);
}

/* Made by another way than the one that was wanted. What is slower, or not by the compiler that CC names, is not
 * kept: that may come. */
static void report_fallback(job *j, way how, const char *why) {
  static const char *const said[] = {[BY_LLVM] = "made by LLVM",
                                     [BY_COMPILER] = "made by a C compiler",
                                     [BY_TCC] = "scalar code by tcc, several times slower"};
  char message[FG_JIT_MESSAGE];
  snprintf(message, sizeof message, "%s: %.800s", said[how], why);
  j->result->passing = how != BY_COMPILER;
  complain(j, j->status, message);
}

/* One way after the other, the wanted one first; why: from the first that is not here, has failed or was proved wrong.
 */
static void try_ways(job *j, const way order[3]) {
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
  if (*first) complain(j, j->status, first);
}

static void build(job *j) {
  static const way native_first[] = {BY_LLVM, BY_COMPILER, BY_TCC}, compiler_first[] = {BY_COMPILER, BY_LLVM, BY_TCC};
  bool kind = j->request->kind && choose_kind(j->request->kind);
  try_ways(j, wants_native(kind) ? native_first : compiler_first);
  if (kind) choose_kind(NULL);
}

/* ---- in threads of our own ---------------------------------------------------- */

/* A thread that asks for a plan may have only 128 KiB of stack, and signals that interrupt waiting for a compiler. */
static void *build_in_thread(void *data) {
  job *j = data;
  build(j);
  mpfr_free_cache2(MPFR_FREE_LOCAL_CACHE);
  return NULL;
}

static fg_jit_status build_apart(const fg_jit_request *request, fg_jit_result *result) {
  job j = {.request = request, .result = result, .status = FG_JIT_FAILED};
  fg_thread_call(build_in_thread, &j);
  return j.status;
}

/* ---- plans to choose from ------------------------------------------------------ */

typedef struct listing {
  job j;
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
  if (status != FG_OK) complain_from(&l->j, &cx, status);
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

/* ---- for devices that launch ------------------------------------------------- */

/* The device that compiles for a target where none of its kind is; NULL: its driver does that. */
static const fg_device *compiler_for(const char *target) {
  for (const fg_device *const *d = fg_device_table(); *d; d++)
    if (!strcmp((*d)->dialect, target) && (*d)->compiler) return *d;
  return NULL;
}

static bool take_copy(fg_jit_bytes *out, const void *bytes, size_t size) {
  out->bytes = malloc(size + 1);
  out->size = size;
  if (!out->bytes) return false;
  memcpy(out->bytes, bytes, size);
  ((char *)out->bytes)[size] = 0;
  return true;
}

/* The proof continues in the background. A candidate that fails before that is replaced by the next. */
static fg_status emit_package(proof *p, fg_compilation *c) {
  fg_status status;
  do {
    begin_proof(p, c);
    status = fg_pipeline_emit(c);
    if (status == FG_OK) status = fg_pipeline_prove_emitted(c);
    if (status != FG_OK) end_proof(p);
  } while (fg_pipeline_give_way(c, status));
  return status;
}

static fg_jit_status generate_package(job *j, proof *p, const fg_jit_order *o, fg_jit_bytes *out) {
  fg_request wanted = {.problem = o->problem,
                       .target = o->target,
                       .plan = o->plan,
                       .isa = o->isa,
                       .machine = o->arch ? fg_machine_find(o->arch) : NULL,
                       .facts = o->facts,
                       .assembly = true,
                       .shortest_build = !o->plan};
  fg_compilation c;
  fg_package package;
  char compiler[64] = "", why[FG_WHY_SIZE];
  if (fg_arena_guard(p->made.arena)) return complain(j, FG_JIT_FAILED, "out of memory");
  const fg_device *d = compiler_for(o->target);
  if (d && d->compiler(compiler, sizeof compiler, why)) return complain(j, FG_JIT_FAILED, why);
  fg_status status = fg_pipeline_parse(&p->made, &wanted, &c);
  if (status == FG_OK) status = fg_pipeline_decide(&c);
  if (status == FG_OK) status = o->sure ? fg_pipeline_produce(&c) : emit_package(p, &c);
  if (status == FG_OK) status = fg_packing_create(&c, compiler, &package);
  fg_strbuf text = fg_strbuf_new(p->made.arena);
  if (status == FG_OK) status = fg_packing_write(&p->made, &package, &text);
  if (status != FG_OK) return complain_from(j, &p->made, status);
  if (!take_copy(out, text.text, text.length)) return complain(j, FG_JIT_FAILED, "out of memory");
  return j->status = FG_JIT_BUILT;
}

typedef struct errand { /* of a thread that makes or compiles a package */
  job j;
  const fg_jit_order *order;
  const fg_jit_source *source;
  fg_jit_bytes *out;
} errand;

static void *make_package(void *data) {
  errand *e = data;
  proof *p = proof_create();
  *e->out = (fg_jit_bytes){.proof = p};
  if (p)
    generate_package(&e->j, p, e->order, e->out);
  else
    complain(&e->j, FG_JIT_FAILED, "out of memory");
  mpfr_free_cache2(MPFR_FREE_LOCAL_CACHE);
  return NULL;
}

static fg_jit_status package_apart(const fg_jit_order *order, fg_jit_bytes *out, fg_jit_result *result) {
  errand e = {.j = {.result = result, .status = FG_JIT_FAILED}, .order = order, .out = out};
  fg_thread_call(make_package, &e);
  return e.j.status;
}

static fg_jit_status proved(fg_jit_bytes *package, fg_jit_result *result) {
  job j = {.result = result};
  proof *p = package->proof;
  fg_status status = end_proof(p);
  return status == FG_OK ? FG_JIT_BUILT : complain_from(&j, &p->cx, status);
}

static fg_jit_status compile_source(job *j, const fg_jit_source *source, fg_jit_bytes *out) {
  const fg_device *d = compiler_for(source->target);
  char why[FG_WHY_SIZE] = "", version[64];
  fg_code code;
  *out = (fg_jit_bytes){0};
  if (!d) return complain(j, FG_JIT_FAILED, "no compiler for this target without its driver");
  if (d->compiler(version, sizeof version, why)) return complain(j, FG_JIT_FAILED, why);
  if (d->compile(source->text, source->arch, &code, why)) return complain(j, FG_JIT_REFUSED, why);
  *out = (fg_jit_bytes){.bytes = code.bytes, .size = code.size};
  return j->status = FG_JIT_BUILT;
}

static void *compile_in_thread(void *data) {
  errand *e = data;
  compile_source(&e->j, e->source, e->out);
  return NULL;
}

static fg_jit_status compile_apart(const fg_jit_source *source, fg_jit_bytes *out, fg_jit_result *result) {
  errand e = {.j = {.result = result, .status = FG_JIT_FAILED}, .source = source, .out = out};
  fg_thread_call(compile_in_thread, &e);
  return e.j.status;
}

static void release(fg_jit_bytes *bytes) {
  proof_destroy(bytes->proof);
  free(bytes->bytes);
  *bytes = (fg_jit_bytes){0};
}

const fg_jit *fftgen_jit(void);
__attribute__((visibility("default"))) const fg_jit *fftgen_jit(void) {
  static const fg_jit plugin = {FG_JIT_ABI, fg_version,    build_apart, package_apart,
                                proved,     compile_apart, release,     plans_apart};
  return &plugin;
}
