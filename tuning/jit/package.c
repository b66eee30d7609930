/* Packages of kernels for devices that launch them, and their machine code. In: an order. Out: a package with the
 * source as its only code, proved in the background; the code of a source. */
#include "tuning/jit/package.h"
#include "generator/pipeline/assembled.h"
#include "targets/thread.h"
#include "tuning/jit/background.h"
#include "tuning/jit/job.h"
#include "tuning/search/packing.h"
#include <mpfr.h>
#include <stdlib.h>
#include <string.h>

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

/* The proofs continue in the background, of the program and of the text, which is compiled meanwhile. */
static fg_status emit_package(fg_background *b, fg_compilation *c) {
  const fg_context *why;
  fg_background_prove_program(b, c);
  fg_status status = fg_pipeline_emit(c);
  if (status == FG_OK) fg_background_prove_text(b, c);
  if (status == FG_OK) status = fg_pipeline_assemble(c);
  b->assembled = c->assembled;
  if (status != FG_OK) fg_background_end(b, &why);
  return status;
}

static fg_jit_status generate_package(fg_job *j, fg_background *p, const fg_jit_order *o, fg_jit_bytes *out) {
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
  if (fg_arena_guard(p->made.arena)) return fg_job_complain(j, FG_JIT_FAILED, "out of memory");
  const fg_device *d = compiler_for(o->target);
  if (d && d->compiler(compiler, sizeof compiler, why)) return fg_job_complain(j, FG_JIT_FAILED, why);
  fg_status status = fg_pipeline_parse(&p->made, &wanted, &c);
  if (status == FG_OK) status = fg_pipeline_decide(&c);
  if (status == FG_OK) status = o->sure ? fg_pipeline_produce(&c) : emit_package(p, &c);
  if (status == FG_OK) status = fg_packing_create(&c, compiler, &package);
  fg_strbuf text = fg_strbuf_new(p->made.arena);
  if (status == FG_OK) status = fg_packing_write(&p->made, &package, &text);
  if (status != FG_OK) return fg_job_complain_from(j, &p->made, status);
  if (!take_copy(out, text.text, text.length)) return fg_job_complain(j, FG_JIT_FAILED, "out of memory");
  return j->status = FG_JIT_BUILT;
}

typedef struct errand { /* of a thread that makes or compiles a package */
  fg_job j;
  const fg_jit_order *order;
  const fg_jit_source *source;
  fg_jit_bytes *out;
} errand;

static void *make_package(void *data) {
  errand *e = data;
  fg_background *p = fg_background_create();
  *e->out = (fg_jit_bytes){.proof = p};
  if (p)
    generate_package(&e->j, p, e->order, e->out);
  else
    fg_job_complain(&e->j, FG_JIT_FAILED, "out of memory");
  mpfr_free_cache2(MPFR_FREE_LOCAL_CACHE);
  return NULL;
}

fg_jit_status fg_jit_package(const fg_jit_order *order, fg_jit_bytes *out, fg_jit_result *result) {
  errand e = {.j = {.result = result, .status = FG_JIT_FAILED}, .order = order, .out = out};
  fg_thread_call(make_package, &e);
  return e.j.status;
}

fg_jit_status fg_jit_proved(fg_jit_bytes *package, fg_jit_result *result) {
  fg_job j = {.result = result};
  const fg_context *why;
  fg_status status = fg_background_end(package->proof, &why);
  return status == FG_OK ? FG_JIT_BUILT : fg_job_complain_from(&j, why, status);
}

static fg_jit_status compile_source(fg_job *j, const fg_jit_source *source, fg_jit_bytes *out) {
  const fg_device *d = compiler_for(source->target);
  char why[FG_WHY_SIZE] = "", version[64];
  fg_code code;
  *out = (fg_jit_bytes){0};
  if (!d) return fg_job_complain(j, FG_JIT_FAILED, "no compiler for this target without its driver");
  if (d->compiler(version, sizeof version, why)) return fg_job_complain(j, FG_JIT_FAILED, why);
  if (d->compile(source->text, source->arch, &code, why)) return fg_job_complain(j, FG_JIT_REFUSED, why);
  *out = (fg_jit_bytes){.bytes = code.bytes, .size = code.size};
  return j->status = FG_JIT_BUILT;
}

static void *compile_in_thread(void *data) {
  errand *e = data;
  compile_source(&e->j, e->source, e->out);
  return NULL;
}

fg_jit_status fg_jit_compile(const fg_jit_source *source, fg_jit_bytes *out, fg_jit_result *result) {
  errand e = {.j = {.result = result, .status = FG_JIT_FAILED}, .source = source, .out = out};
  fg_thread_call(compile_in_thread, &e);
  return e.j.status;
}

void fg_jit_release(fg_jit_bytes *bytes) {
  fg_background_destroy(bytes->proof);
  free(bytes->bytes);
  *bytes = (fg_jit_bytes){0};
}
