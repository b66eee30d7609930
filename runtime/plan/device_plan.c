/* See device_plan.h. */
#include "runtime/plan/device_plan.h"
#include "generator/problem/arrays.h"
#include "generator/problem/shape.h"
#include "generator/problem/spectrum.h"
#include "generator/problem/zeros.h"
#include "runtime/store/hash.h"
#include "runtime/store/read.h"
#include "runtime/store/store.h"
#include <stdio.h>
#include <string.h>

enum { MOST_PACKAGE = 1 << 30 };

/* ---- files ------------------------------------------------------------------ */

/* What the device cannot run, in words; NULL: nothing. */
static const char *beyond(const fg_device_plan *p, fg_context *cx, const fg_package *g) {
  for (int i = 0; i < g->artifact.nlaunch; i++) {
    const fg_launch *l = &g->artifact.launch[i];
    if (l->threads > p->facts.max_threads)
      return fg_arena_printf(cx->arena, "it needs %d threads per block; this device allows %d", l->threads,
                             p->facts.max_threads);
    if (l->local_bytes > p->facts.local_bytes)
      return fg_arena_printf(cx->arena, "it needs %zu bytes of local memory per block; this device has %zu",
                             l->local_bytes, p->facts.local_bytes);
    if (l->cluster > 1 && l->cluster > p->facts.cluster)
      return fg_arena_printf(cx->arena, "it needs clusters of %d blocks; this device has %d", l->cluster,
                             p->facts.cluster);
    if (l->bulk && p->facts.cluster < 2) /* both need compute capability 9.0 */
      return "it needs bulk copies; this device has none";
  }
  return NULL;
}

static const char *open_package(fg_device_plan *p, fg_context *cx, const char *problem, const char *path) {
  char *bytes;
  size_t size;
  fg_package g;
  fg_status status = fg_store_read(cx, path, MOST_PACKAGE, &bytes, &size);
  if (status != FG_OK) return status == FG_ENA ? "its file is missing" : fg_arena_strdup(cx->arena, cx->diag.message);
  const char *wrong = fg_package_read(cx, bytes, size, &g);
  if (wrong) return wrong;
  if (strcmp(g.problem, problem) || strcmp(g.artifact.dialect, p->backend->target))
    return "kernels for another problem or target";
  if (g.artifact.nparam != p->problem.nparam) return "kernels of other run-time parameters";
  if ((wrong = beyond(p, cx, &g))) return wrong;
  fg_routine_create(p->arena, &g, p->backend->align, &p->routine);
  wrong = p->backend->take(p, cx, &g);
  if (!wrong) p->loader.plan = p->routine.plan;
  return wrong;
}

/* In an arena of its own: a package may be large, and little of it is kept. */
static const char *open_guarded(fg_device_plan *p, fg_context *own, const char *problem, const char *path) {
  if (fg_arena_guard(own->arena)) return "out of memory";
  return open_package(p, own, problem, path);
}

static const char *open_file(fg_loader *l, fg_context *cx, const char *problem, const char *path) {
  fg_device_plan *p = (fg_device_plan *)l;
  fg_context own = {.arena = fg_arena_create()};
  if (!own.arena) return "out of memory";
  char copy[FG_JIT_MESSAGE] = "";
  const char *why = open_guarded(p, &own, problem, path);
  if (why) snprintf(copy, sizeof copy, "%s", why);
  fg_arena_destroy(own.arena);
  return why ? fg_arena_strdup(cx->arena, copy) : NULL;
}

static const char *refuse(const fg_loader *l, const char *features) {
  const fg_device_plan *p = (const fg_device_plan *)l;
  return p->backend->refuse(p, features);
}

/* ---- making ------------------------------------------------------------------ */

typedef struct making {
  fg_device_plan *p;
  fg_context *cx;
  const fg_jit_request *request;
  fg_jit_result *result;
  const fg_jit *jit;
  fg_jit_bytes made;
  bool sure, wrong; /* proved before it is translated; what was translated was wrong */
} making;

static fg_jit_status complain(const making *m, fg_jit_status status, const char *why) {
  if (!m->result->message[0]) snprintf(m->result->message, sizeof m->result->message, "%s", why);
  return status;
}

/* Of text, device with its driver, compiler and flags. */
static void find_address(const making *m, const fg_package *g, char address[40]) {
  const char *const part[] = {g->code[0].bytes, m->p->facts.identity, g->compiler, g->artifact.flags, g->plan};
  fg_hash h = fg_hash_begin();
  for (size_t i = 0; i < sizeof part / sizeof *part; i++) h = fg_hash_add(h, part[i], strlen(part[i]) + 1);
  fg_hash_text(h, address);
}

/* The same with code for this device alone, as a file. */
static fg_jit_status write_translated(making *m, fg_package *g) {
  fg_package_code code = {.fits = ""};
  const char *why = m->p->backend->translate(m->p, m->cx, g, &code); /* while it is proved */
  fg_jit_status status = m->jit->proved(&m->made, m->result);
  m->wrong = status == FG_JIT_REFUSED;
  if (status != FG_JIT_BUILT) return status;
  if (why) return complain(m, FG_JIT_REFUSED, why);
  g->ncode = 0;
  fg_package_add(g, &code);
  fg_strbuf text = fg_strbuf_new(m->cx->arena);
  fg_package_write(m->cx, g, &text);
  if (fg_store_write(m->cx, m->request->output, text.text, text.length) == FG_OK) return FG_JIT_BUILT;
  return complain(m, FG_JIT_UNWRITTEN, m->cx->diag.message);
}

static fg_jit_status make_package(making *m) {
  fg_package g;
  fg_jit_order order = {.problem = m->request->problem,
                        .target = m->p->backend->target,
                        .plan = m->request->plan,
                        .isa = m->request->isa,
                        .arch = m->request->arch,
                        .facts = &m->p->facts,
                        .sure = m->sure};
  fg_jit_status status = m->jit->package(&order, &m->made, m->result);
  if (status != FG_JIT_BUILT) return status;
  const char *wrong = fg_package_read(m->cx, m->made.bytes, m->made.size, &g);
  if (wrong) return complain(m, FG_JIT_FAILED, wrong);
  find_address(m, &g, m->result->address);
  if (m->request->have && m->request->have(m->request->context, m->result->address)) return FG_JIT_HAVE;
  return write_translated(m, &g);
}

/* After a program that computes wrongly the next candidate is tried, unless the caller gave the plan. */
static fg_jit_status make_guarded(making *m) {
  if (fg_arena_guard(m->cx->arena)) return complain(m, FG_JIT_FAILED, "out of memory");
  fg_jit_status status = make_package(m);
  if (!m->wrong || m->request->plan) return status;
  m->jit->release(&m->made);
  *m->result = (fg_jit_result){.address = ""};
  m->sure = true;
  return make_package(m);
}

static fg_jit_status make(fg_loader *l, const fg_jit *jit, const fg_jit_request *request, fg_jit_result *result) {
  fg_context own = {.arena = fg_arena_create()};
  making m = {.p = (fg_device_plan *)l, .cx = &own, .request = request, .result = result, .jit = jit};
  if (!own.arena) return complain(&m, FG_JIT_FAILED, "out of memory");
  fg_jit_status status = make_guarded(&m);
  jit->release(&m.made);
  fg_arena_destroy(own.arena);
  return status;
}

/* ---- plans ------------------------------------------------------------------- */

static void end(fg_device_plan *p) {
  fftgen_allocator a = p->allocator;
  fg_arena_destroy(p->arena);
  a.release(a.context, p);
}

static fg_device_plan *begin(const fg_device_order *order, fftgen_error *error, fftgen_status *status) {
  fftgen_options o;
  fg_device_plan *p = NULL;
  const char *wrong = fg_public_options(order->options, &o);
  *status = FFTGEN_EPROBLEM;
  if (!order->problem) {
    fg_public_tell(error, *status, "no problem given");
  } else if (wrong) {
    fg_public_tell(error, *status, wrong);
  } else {
    fftgen_allocator a = fg_public_allocator(&o);
    p = a.allocate(a.context, order->size, FG_PUBLIC_ALIGN);
    if (p) memset(p, 0, order->size);
    if (p) p->allocator = a, p->arena = fg_arena_create(), p->backend = order->backend;
    if (p && p->arena) return p;
    *status = fg_public_tell(error, FFTGEN_ENOMEM, "");
    if (p) end(p);
  }
  return NULL;
}

fg_device_plan *fg_device_plan_begin(const fg_device_order *order, fftgen_error *error, fftgen_status *status) {
  bool whole = fg_fork_enter();
  fg_device_plan *p = whole ? begin(order, error, status) : NULL;
  if (!whole) *status = fg_public_tell(error, FFTGEN_ESYSTEM, FG_PUBLIC_FORKED);
  fg_fork_leave();
  return p;
}

void fg_device_plan_end(fg_device_plan *p) {
  if (p && fg_fork_enter()) end(p);
  if (p) fg_fork_leave();
}

void *fg_device_plan_take(fg_device_plan *p, size_t bytes) {
  void *memory = p->allocator.allocate(p->allocator.context, bytes ? bytes : 1, FG_PUBLIC_ALIGN);
  if (memory) memset(memory, 0, bytes);
  return memory;
}

void fg_device_plan_give(fg_device_plan *p, void *memory) {
  if (memory) p->allocator.release(p->allocator.context, memory);
}

/* The problem of the kernels, with one transform where there are none; and what the caller may say of it. */
static fg_status read_problem(fg_context *cx, fg_device_plan *p, const char *text) {
  fg_problem asked, filled;
  fg_status status = fg_problem_parse_zeros(cx, text, &asked);
  if (status != FG_OK) return status;
  filled = asked;
  fg_problem_fill_zeros(&filled);
  for (int i = 0; i < asked.batch_rank; i++) p->empty = p->empty || fg_num_is(asked.batch[i].n, 0);
  p->text = fg_wisdom_problem(cx, &filled);
  status = fg_problem_parse(cx, p->text, &p->problem);
  for (int i = 0; status == FG_OK && i < p->problem.nparam; i++) p->problem.param[i].lo = asked.param[i].lo;
  return status;
}

static fg_status find(fg_context *cx, fg_device_plan *p, const char *text, const fftgen_options *o) {
  fg_load_request request = {.options = o, .warn = {o->warning, o->warning_context}};
  if (fg_arena_guard(cx->arena)) return FG_ENOMEM;
  fg_status status = read_problem(cx, p, text);
  if (status != FG_OK) return status;
  request.problem = p->text;
  if (status == FG_OK) status = fg_load_kernel(cx, &p->loader, &request, &p->loaded);
  if (status == FG_ENA)
    fg_diag_set(&cx->diag, FG_ENA, "no kernel for \"%s\": %s", request.problem, p->loaded.reasons.text);
  return status;
}

fftgen_status fg_device_plan_find(fg_device_plan *p, const fg_device_order *order, fftgen_error *error) {
  fftgen_options o;
  fg_context cx = {.arena = p->arena};
  fg_public_options(order->options, &o);
  p->loader = (fg_loader){.target = p->backend->target,
                          .device = p->facts.identity,
                          .suffix = ".fgk",
                          .compiler = "",
                          .refuse = refuse,
                          .open = open_file,
                          .make = make};
  sigset_t before;
  bool whole = fg_fork_enter();
  fg_public_begin_files(&before);
  fftgen_status status = whole ? fg_public_status(find(&cx, p, order->problem, &o)) : FFTGEN_ESYSTEM;
  fg_public_end_files(&before);
  fg_fork_leave();
  if (!whole) fg_diag_set(&cx.diag, FG_ESYS, FG_PUBLIC_FORKED);
  return fg_public_tell(error, status, status == FFTGEN_OK ? "" : cx.diag.message);
}

const char *fg_device_plan_wrong(const fg_device_plan *p, const fg_device_arrays *a) {
  const fg_routine *r = &p->routine;
  bool in_place = p->problem.in_place;
  if (!a->in || (r->split_in && !a->in_im)) return "no input";
  if (in_place ? (a->out && a->out != a->in) : (!a->out || (r->split_out && !a->out_im)))
    return in_place ? "the problem is in place: no other output" : "no output";
  if (!in_place && a->out == a->in) return "the problem is out of place: another output than the input";
  if (!fg_public_params_fit(&p->problem, a->params)) return "run-time parameters: missing, or not in their ranges";
  return a->given ? NULL : "an array that load=, store= or conv takes is missing";
}

bool fg_device_plan_is_empty(const fg_device_plan *p, const long long *params) {
  if (!fg_public_params_fit(&p->problem, params)) return false;
  return p->empty || fg_public_is_empty(&p->problem, params);
}

static size_t side_bytes(const fg_device_plan *p, bool output, const int64_t *params) {
  const fg_problem *q = &p->problem;
  int64_t all = output ? fg_problem_extent(q, true, NULL) : fg_problem_extent(q, false, NULL);
  size_t bytes = output ? p->routine.out_bytes : p->routine.in_bytes;
  return bytes / (size_t)all * (size_t)fg_problem_extent(q, output, params);
}

size_t fg_device_plan_bytes(const fg_device_plan *p, bool output, const long long *params) {
  int64_t value[FG_MAX_PARAMS] = {0};
  for (int i = 0; i < p->problem.nparam; i++) value[i] = params[i];
  size_t bytes = side_bytes(p, output, value), other = side_bytes(p, !output, value);
  return p->problem.in_place && !output && other > bytes ? other : bytes;
}

/* Of factors, which are the only ones, or of numbers of the caller's that transforms have in common or of their own. */
size_t fg_device_plan_given_bytes(const fg_device_plan *p, size_t given, size_t most, const long long *params) {
  const fg_problem *q = &p->problem;
  fg_spectra whose;
  int64_t value[FG_MAX_PARAMS] = {0}, numbers;
  for (int i = 0; i < q->nparam; i++) value[i] = params[i];
  if (fg_problem_factors(q))
    return most / (size_t)fg_problem_extent(q, false, NULL) * (size_t)fg_problem_extent(q, false, value);
  if (!fg_problem_given(q, (int)given, &whose, &numbers)) return most;
  return most / (size_t)fg_problem_own_count(q, whose, NULL) * (size_t)fg_problem_own_count(q, whose, value);
}

fftgen_status fg_device_plan_info(const fg_device_plan *p, fftgen_info *info) {
  if (!p || !info || info->size < sizeof info->size) return FFTGEN_EPROBLEM;
  const fg_routine *r = &p->routine;
  fftgen_info all = {.problem = p->text,
                     .plan = r->plan,
                     .isa = p->arch ? p->arch : "",
                     .origin = p->loaded.origin,
                     .reasons = p->loaded.reasons.text,
                     .in_bytes = r->in_bytes,
                     .out_bytes = r->out_bytes,
                     .scratch = r->workspace,
                     .tables = r->tables,
                     .flops = r->flops,
                     .bytes = r->bytes,
                     .ns = p->loaded.ns,
                     .parts = 1};
  all.size = info->size < sizeof all ? info->size : sizeof all;
  memcpy(info, &all, all.size);
  return FFTGEN_OK;
}
