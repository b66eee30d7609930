/* Proves the text that is delivered: the last steps of the pipeline, with libtcc.
 *
 * In: a compilation after fg_pipeline_decide. Out: the text of a candidate whose program and whose text compute the
 * problem. The idea: both proofs run at the same time, and a candidate that fails either is replaced by the next. */
#include "generator/base/invariant.h"
#include "generator/pipeline/assembled.h"
#include "generator/prove/assembly.h"
#include "generator/prove/launching.h"
#include "targets/thread.h"
#include "targets/timing.h"
#include <math.h>
#include <mpfr.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- the text ------------------------------------------------------------------------- */

typedef struct text_job {
  fg_compilation *c;
  fg_text_options options;
} text_job;

static fg_status run_text(fg_context *cx, void *data) {
  const text_job *j = data;
  fg_compilation *c = j->c;
  fg_status (*prove)(fg_context *, const fg_program *, const fg_isa *, const fg_text_options *, fg_text_proof *) =
      c->emitted.artifact.instructions ? fg_prove_code : fg_prove_text;
  return prove(cx, c->chosen.program, c->isa, &j->options, &c->text);
}

static fg_status wrong_text(fg_compilation *c) {
  return fg_diag_set(&c->cx->diag, FG_EWRONG, "emitted text of \"%s\" by %s: %s", c->request.problem,
                     fg_plan_print(c->cx, c->chosen.plan), c->text.failure);
}

static fg_status check_header(fg_compilation *c) {
  bool good = fg_prove_header_agrees(c->cx, &c->problem, &c->emitted, c->text.failure);
  return good ? FG_OK : wrong_text(c);
}

static fg_status prove_text(fg_compilation *c, int primes, const fg_artifact *emitted) {
  text_job j = {.c = c, .options = {.seed = FG_PROOF_SEED, .primes = primes, .emitted = emitted, .map = &c->map}};
  double begin = fg_timing_thread();
  fg_status status = fg_invariant_run(c->cx, run_text, &j);
  c->times.text += fg_timing_thread() - begin;
  if (status == FG_ENA) {
    snprintf(c->text.walked, sizeof c->text.walked, "not run: no room for its arrays, or no form over a prime field");
    return FG_OK;
  }
  if (status == FG_EINTERNAL) return fg_pipeline_report(c, status);
  if (status != FG_OK || c->text.proved) return status;
  return wrong_text(c);
}

fg_status fg_pipeline_prove_text(fg_compilation *c) { return prove_text(c, FG_TEXT_PRIMES, NULL); }

/* Manifest and rows of the host program are printed from what was proved: another number is our own mistake. */
static fg_status check_launching(fg_compilation *c) {
  const fg_program *p = c->chosen.program;
  char *why = c->text.failure;
  bool good = fg_prove_manifest(c->cx, p, &c->emitted, why) && fg_prove_host_rows(c->cx, p, &c->emitted, why);
  if (good) return FG_OK;
  c->text.proved = false;
  return fg_pipeline_report(c, fg_diag_set(&c->cx->diag, FG_EINTERNAL, "internal error: %s", why));
}

static fg_status check_host(fg_compilation *c) {
  fg_status status = fg_prove_host(c->cx, c->chosen.program, &c->emitted, &c->text);
  if (status != FG_OK) return status;
  return c->text.failure[0] ? wrong_text(c) : check_launching(c);
}

/* ---- few transforms --------------------------------------------------------------------- */

enum { FEW_TRANSFORMS = 3, BEYOND_RING = 2 };

static bool waits_for_others(const fg_program *p) {
  bool waits = p->queue.ring > 0;
  for (int k = 0; k < p->nkernel; k++) waits = waits || p->kernel[k]->launch.cluster > 1;
  return waits;
}

/* The problem with as few transforms as use all of the ring again. False: it has no more, or their number is a
 * parameter. */
static bool shorten(const fg_compilation *c, fg_problem *few) {
  int ring = c->chosen.program->queue.ring, least = ring ? ring + BEYOND_RING : FEW_TRANSFORMS;
  *few = c->problem;
  if (few->nparam || few->batch_rank != 1 || few->batch[0].n.n <= least) return false;
  few->batch[0].n.n = least;
  return true;
}

/* Blocks that wait for each other, of calls that are too long to be run as they are delivered: the same plan's text for
 * few transforms. So what is around the stages is run, too. */
static fg_status prove_few(fg_compilation *c) {
  fg_problem few;
  if (!c->emitted.artifact.nlaunch || c->text.read || !waits_for_others(c->chosen.program) || !shorten(c, &few))
    return FG_OK;
  fg_context quiet = {.arena = c->cx->arena, .memory = c->cx->memory};
  fg_compilation s;
  fg_request request = c->request;
  request.problem = fg_problem_print(c->cx, &few);
  request.plan = fg_plan_print(c->cx, c->chosen.plan);
  request.nrecipe = 0;
  fg_status status = fg_pipeline_parse(&quiet, &request, &s);
  if (status == FG_OK) status = fg_pipeline_decide(&s);
  if (status == FG_OK) status = fg_pipeline_emit(&s);
  if (status == FG_ENA || status == FG_EUSER) return FG_OK; /* the plan is none of so few */
  if (status == FG_OK) {
    status = prove_text(&s, 1, &s.emitted.artifact);
    c->times.text += s.times.text + s.times.emit;
  }
  if (status == FG_OK) return c->text.read = s.text.read, status;
  return fg_diag_set(&c->cx->diag, status, "%s", quiet.diag.message);
}

/* ---- assembly --------------------------------------------------------------------------- */

static const char kernel_head[] = "extern \"C\" __global__", kernel_end[] = "\n}\n",
                  unused_functions[] = "#pragma nv_diag_suppress 177 /* functions that kernels of users call */\n";

static fg_status cannot(fg_compilation *c, bool wanted, const char *why) {
  if (!wanted) return FG_OK;
  return fg_refuse(c->cx, "plan: assembly=on: these kernels cannot be assembly: %s", why);
}

/* The text with each kernel in place of the one that it was made of: the rest is for kernels of users' own. False:
 * the text does not have one of them. */
static bool put_in_place(const char *text, const char *assembly, fg_strbuf *out) {
  for (const char *kernel = assembly; (kernel = strstr(kernel, kernel_head)); kernel++) {
    size_t head = strcspn(kernel, "{");
    const char *end = strstr(kernel, kernel_end), *was = text;
    while (*was && strncmp(was, kernel, head + 1) != 0) was++;
    const char *behind = strstr(was, kernel_end);
    if (!end || !behind) return false;
    fg_strbuf_addn(out, text, (size_t)(was - text));
    fg_strbuf_addn(out, kernel, (size_t)(end - kernel) + strlen(kernel_end));
    text = behind + strlen(kernel_end);
  }
  fg_strbuf_add(out, text);
  return true;
}

/* What is compiled at once is the comment at the begin and the assembly alone. */
static fg_status deliver(fg_compilation *c, const char *assembly) {
  fg_artifact *a = &c->emitted.artifact;
  const char *head = strstr(a->source, "*/\n");
  fg_strbuf text = fg_strbuf_new(c->cx->arena);
  head = head ? head + 3 : a->source;
  fg_strbuf_addn(&text, a->source, (size_t)(head - a->source));
  fg_strbuf_add(&text, c->request.assembly ? assembly : unused_functions);
  if (!c->request.assembly && !put_in_place(head, assembly, &text))
    return fg_diag_set(&c->cx->diag, FG_EINTERNAL, "internal error: assembly of a kernel that the text does not have");
  c->assembled = true;
  a->source = text.text, a->source_bytes = text.length;
  c->emitted.file[0].text = a->source, c->emitted.file[0].bytes = a->source_bytes;
  return FG_OK;
}

typedef struct assembling {
  fg_compilation *c;
  const char *text;
  fg_text_proof proof;
} assembling;

static fg_status prove_assembly(fg_context *cx, void *data) {
  assembling *a = data;
  fg_text_options o = {.seed = FG_PROOF_SEED, .primes = 1, .emitted = &a->c->emitted.artifact, .map = &a->c->map};
  return fg_prove_assembly(cx, a->c->chosen.program, a->text, &o, &a->proof);
}

/* Whether bodies of kernels may be assembly. */
static bool may_assemble(const fg_compilation *c) {
  int64_t how = fg_plan_param_value(c->chosen.plan, FG_PARAM_ASSEMBLY);
  return c->emitted.artifact.nlaunch &&
         (how == FG_OPTION_ON || (how != FG_OPTION_OFF && c->request.assembly && c->dialect->assemble));
}

/* Where that is wanted and proved to do what the text does. A plan that is advice may come from a problem whose kernels
 * can be. */
static fg_status assemble(fg_compilation *c) {
  bool on = fg_plan_param_value(c->chosen.plan, FG_PARAM_ASSEMBLY) == FG_OPTION_ON, wanted = on && c->request.plan;
  char why[FG_WHY_SIZE] = "the language has none";
  if (!may_assemble(c)) return FG_OK;
  double begin = fg_timing_thread();
  char *text = c->dialect->assemble ? c->dialect->assemble(c->emitted.artifact.source, why) : NULL;
  if (!text) return cannot(c, wanted, why);
  assembling a = {.c = c, .text = fg_arena_strdup(c->cx->arena, text)};
  free(text);
  fg_status status = fg_invariant_run(c->cx, prove_assembly, &a);
  c->times.text += fg_timing_thread() - begin;
  if (status == FG_OK && a.proof.proved) return deliver(c, a.text);
  if (status == FG_ENA) return cannot(c, wanted, "nothing of them can be run");
  if (status == FG_EINTERNAL) return fg_pipeline_report(c, status);
  return status == FG_OK ? cannot(c, wanted, a.proof.failure) : status;
}

fg_status fg_pipeline_assemble(fg_compilation *c) {
  char why[FG_WHY_SIZE];
  bool reads =
      may_assemble(c) && c->dialect->assemble && fg_prove_assembly_is_possible(c->chosen.program, &c->emitted.artifact);
  char *text = reads ? c->dialect->assemble(c->emitted.artifact.source, why) : NULL;
  if (!text) return FG_OK;
  const char *kept = fg_arena_strdup(c->cx->arena, text);
  free(text);
  return deliver(c, kept);
}

/* C, and text of kernels that are launched, is proved as it is delivered; instructions where they have the entries, of
 * parts too, that their form over a field has. */
fg_status fg_pipeline_prove_emitted(fg_compilation *c) {
  bool is_c = c->dialect == fg_dialect_find("c");
  bool same = is_c || c->emitted.artifact.nlaunch || (c->emitted.artifact.instructions && c->request.entry);
  fg_status status = prove_text(c, 1, same ? &c->emitted.artifact : NULL);
  if (status == FG_OK) status = prove_few(c);
  if (status == FG_OK && c->emitted.nfile >= 2) status = is_c ? check_header(c) : check_host(c);
  return status == FG_OK ? assemble(c) : status;
}

/* ---- both proofs ------------------------------------------------------------------------ */

typedef struct proving {
  fg_context cx;
  fg_compilation c; /* a view of its own */
  fg_status status;
  double ended;
} proving;

static void *prove_program(void *data) {
  proving *p = data;
  p->status = FG_ENOMEM;
  if (!fg_arena_guard(p->cx.arena)) p->status = fg_pipeline_prove(&p->c);
  p->ended = fg_timing_now();
  return NULL;
}

static void *prove_in_thread(void *data) {
  prove_program(data);
  mpfr_free_cache2(MPFR_FREE_LOCAL_CACHE); /* it keeps constants for each thread */
  return NULL;
}

/* The text's failure is reported only where the program has none. */
static fg_status join(fg_compilation *c, const proving *p, fg_status text) {
  c->proof = p->c.proof;
  if (p->status == FG_OK) return text;
  fg_diag_clear(&c->cx->diag);
  return p->cx.diag.message[0] ? fg_diag_set(&c->cx->diag, p->status, "%s", p->cx.diag.message) : p->status;
}

typedef struct making {
  fg_compilation *c;
  fg_status status;
  double emitted, ended;
} making;

static void emit_and_prove(void *data) {
  making *m = data;
  m->status = fg_pipeline_emit(m->c);
  m->emitted = fg_timing_now();
  if (m->status == FG_OK) m->status = fg_pipeline_prove_emitted(m->c);
  m->ended = fg_timing_now();
}

/* The other thread ends first, whatever happens here: its work is in the caller's frame. */
static fg_status emit_and_prove_beside(fg_compilation *c, const proving *p, bool apart, pthread_t thread) {
  making m = {.c = c};
  bool done = fg_arena_run(c->cx->arena, emit_and_prove, &m);
  if (apart) pthread_join(thread, NULL);
  c->times.added += fmax(0, m.ended - fmax(m.emitted, p->ended));
  return done ? m.status : FG_ENOMEM;
}

static fg_status make(fg_compilation *c) {
  proving p = {.c = *c, .cx = {.arena = fg_arena_create(), .progress = c->cx->progress, .memory = c->cx->memory}};
  pthread_t thread = 0;
  if (!p.cx.arena) return FG_ENOMEM;
  p.c.cx = &p.cx;
  bool apart = fg_thread_create(&thread, prove_in_thread, &p) == 0;
  if (!apart) prove_program(&p);
  fg_status status = join(c, &p, emit_and_prove_beside(c, &p, apart, thread));
  fg_arena_destroy(p.cx.arena);
  return status;
}

fg_status fg_pipeline_produce(fg_compilation *c) {
  fg_status status;
  do status = make(c);
  while (fg_pipeline_give_way(c, status));
  return status;
}

fg_status fg_pipeline_compile(fg_context *cx, const fg_request *request, fg_compilation *c) {
  fg_status status = fg_pipeline_parse(cx, request, c);
  if (status == FG_OK) status = fg_pipeline_decide(c);
  return status == FG_OK ? fg_pipeline_produce(c) : status;
}
