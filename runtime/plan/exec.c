/* Plans for CPUs: a kernel that load.c found, its tables, and scratch for several executions at once. A plan does not
 * change but for the flags of its scratch. */
#define FFTGEN_NO_INLINE
#include "runtime/plan/exec.h"
#include "generator/problem/arrays.h"
#include "generator/problem/given.h"
#include "generator/problem/shape.h"
#include "generator/problem/spectrum.h"
#include "generator/problem/zeros.h"
#include "runtime/include/fftgen/shared.h"
#include "runtime/plan/effort.h"
#include "runtime/plan/exec_plan.h"
#include "runtime/plan/full.h"
#include "runtime/plan/halves.h"
#include "runtime/plan/staged.h"
#include "runtime/store/fingerprint.h"
#include "runtime/store/registry.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { MOST_SLOTS = 1024 };

/* ---- memory ---------------------------------------------------------------- */

static void *take(fftgen_plan *p, size_t bytes) {
  return p->allocator.allocate(p->allocator.context, bytes ? bytes : 1, FG_EXEC_ALIGN);
}

static size_t rounded(uint64_t bytes) { return (size_t)((bytes + FG_EXEC_ALIGN - 1) / FG_EXEC_ALIGN * FG_EXEC_ALIGN); }

/* ---- creating -------------------------------------------------------------- */

/* Which place is what; tables get their memory. */
static fg_status lay_out(fg_context *cx, fftgen_plan *p) {
  const fftgen_kernel *k = p->host.kernel;
  int place = 0;
  for (int i = 0; i < k->nbuffer; i++) {
    const fftgen_buffer *b = &k->buffer[i];
    if (place + 2 > FG_EXEC_PLACES) return fg_diag_set(&cx->diag, FG_ESYS, "the kernel has too many buffers");
    if (b->kind == FFTGEN_BUFFER_IN) p->in = place, p->split_in = b->split, p->in_bytes = (size_t)b->bytes;
    if (b->kind == FFTGEN_BUFFER_OUT) p->out = place, p->split_out = b->split, p->out_bytes = (size_t)b->bytes;
    if (b->kind == FFTGEN_BUFFER_GIVEN) p->given_at[place] = ++p->ngiven;
    if (b->kind == FFTGEN_BUFFER_WORK) {
      p->work_at[place] = p->scratch + 1;
      p->scratch += rounded(b->bytes + (uint64_t)(p->parts - 1) * k->part_bytes);
    }
    if (b->kind == FFTGEN_BUFFER_TABLE) {
      p->table[place] = take(p, b->bytes);
      if (!p->table[place]) return FG_ENOMEM;
      p->tables += (size_t)b->bytes;
    }
    place += b->split ? 2 : 1;
  }
  p->nplace = place;
  if (k->nparam > FG_EXEC_PARAMS) return fg_diag_set(&cx->diag, FG_ESYS, "the kernel has too many parameters");
  if (k->init) k->init(p->table);
  return FG_OK;
}

fg_status fg_exec_make_slots(fftgen_plan *p, int count) {
  if (count <= 0) count = (int)sysconf(_SC_NPROCESSORS_ONLN);
  count = count < 1 ? 1 : count > MOST_SLOTS ? MOST_SLOTS : count;
  p->slot = take(p, (size_t)count * sizeof *p->slot);
  if (!p->slot) return FG_ENOMEM;
  for (; p->nslot < count; p->nslot++) {
    atomic_init(&p->slot[p->nslot].busy, false);
    p->slot[p->nslot].memory = take(p, p->scratch);
    if (!p->slot[p->nslot].memory) return FG_ENOMEM;
  }
  return FG_OK;
}

/* Calls with nothing but an input and an output, of few places, cut into no parts:
 * all that can be said about them is said once. */
static void prepare_plain(fftgen_plan *p) {
  const fftgen_kernel *k = p->host.kernel;
  p->in_place = p->problem.in_place;
  bool plain = p->nplace <= FG_EXEC_FEW && !k->nparam && !p->ngiven && !p->split_in && !p->split_out;
  if (!plain || p->cut.parts > 1 || p->parts > 1 || p->scratch > FG_EXEC_STACK) return;
  memcpy(p->fixed, p->table, sizeof p->fixed);
  for (int i = 0; i < p->nplace; i++) p->works |= p->work_at[i] != 0;
  p->entry = k->entry;
  *(p->in_place ? &p->inside : &p->direct) = k->direct;
}

static int element_bytes(const fg_problem *p, bool output, bool split) {
  return fg_precision_bytes(fg_problem_stored(p, output)) * (fg_problem_is_real(p, output) || split ? 1 : 2);
}

int fg_exec_threads(const fftgen_options *o) {
  if (!o->parallel_for) return 1;
  return o->threads > 0 ? o->threads : (int)sysconf(_SC_NPROCESSORS_ONLN);
}

/* Large enough for its steps to be cut where there are fewer transforms than
 * threads: from there on kernels have functions for that. */
#define LARGE_BYTES (INT64_C(256) << 10)

static bool is_large(const fg_problem *q) {
  int64_t elements = fg_problem_extent(q, false, NULL) + fg_problem_extent(q, true, NULL);
  return elements * 2 * fg_precision_bytes(q->storage) >= LARGE_BYTES;
}

/* Bytes of the caller's arrays from one index of the outermost batch dimension to the next: where transforms have
 * factors, spectra or operands of their own. */
static void given_steps(const fg_problem *q, fg_num *steps) {
  int64_t bytes = fg_precision_bytes(q->compute), numbers;
  fg_spectra whose;
  for (int i = 0; i < FG_EXEC_GIVEN; i++) steps[i] = fg_num_const(0);
  if (fg_problem_factors(q)) steps[0] = fg_num_scaled(q->batch[0].is, 2 * bytes);
  for (int i = 0; !fg_problem_factors(q) && i < FG_EXEC_GIVEN && fg_problem_given(q, i, &whose, &numbers); i++) {
    bool own = whose == FG_SPECTRA_EACH || (whose == FG_SPECTRA_CHANNEL && q->batch_rank == 1);
    if (own) steps[i] = fg_num_const(fg_problem_own_count(q, whose, NULL) / q->batch[0].n.n * numbers * bytes);
  }
}

/* With threads, the kernel takes the length of the outermost batch dimension as
 * a parameter, and each part is a call of its own. */
static void cut_batch(fg_problem *q, fftgen_plan *p, const fftgen_options *o) {
  int threads = fg_exec_threads(o);
  p->cut.parts = 1;
  if (threads < 2 || !q->batch_rank || q->summed || q->nparam == FG_MAX_PARAMS) return;
  if (fg_given_numbers_transforms(q)) return; /* each part would begin with transform 0 */
  fg_dim *d = &q->batch[0];
  if (d->n.form != FG_NUM_CONST || d->n.n < 2 || (d->n.n < threads && is_large(q))) return;
  p->cut = (fg_exec_cut){.parts = d->n.n < threads ? (int)d->n.n : threads,
                         .count = d->n.n,
                         .is = d->is,
                         .os = d->os,
                         .in_bytes = element_bytes(q, false, q->split_in),
                         .out_bytes = element_bytes(q, true, q->split_out)};
  given_steps(q, p->cut.given);
  fg_param *part = &q->param[q->nparam];
  *part = (fg_param){.name = "part_of_batch", .lo = 1, .hi = d->n.n};
  d->n = (fg_num){.n = 1, .form = FG_NUM_PARAM, .param = (int16_t)q->nparam++};
}

/* The kernel's problem in canonical text; the position of the cut's parameter in it. */
static fg_status kernel_problem(fg_context *cx, fftgen_plan *p, const fftgen_options *o, const char **text) {
  fg_problem q = p->problem;
  fg_problem_fill_zeros(&q);
  cut_batch(&q, p, o);
  *text = fg_wisdom_problem(cx, &q);
  if (p->cut.parts == 1) return FG_OK;
  fg_status status = fg_problem_parse(cx, *text, &q);
  for (int i = 0; i < q.nparam; i++)
    if (!strcmp(q.param[i].name, "part_of_batch")) p->cut.param = i;
  return status;
}

/* Which of the caller's arrays is the factor of a call (FFTGEN_CALL_SCALE). */
static void find_scale(fftgen_plan *p) {
  fg_given g;
  for (int i = 0; fg_given_at(&p->problem, i, &g); i++)
    if (g.output && g.of == FG_OPERAND_ONE && g.whose == FG_SPECTRA_SHARED && !strcmp(g.name, FG_PUBLIC_FACTOR))
      p->scale_at = i + 1;
}

/* Of a batch that has no transforms: no kernel is looked for. */
static fg_status create_empty(fg_context *cx, fftgen_plan *p) {
  static const fftgen_kernel nothing = {.abi = FFTGEN_KERNEL_ABI, .problem = "", .plan = "", .isa = ""};
  p->host.kernel = &nothing;
  p->text = fg_problem_print(cx, &p->problem);
  p->loaded = (fg_loaded){.origin = "none", .reasons = fg_strbuf_new(cx->arena)};
  p->cut.parts = p->parts = 1;
  return FG_OK;
}

static fg_status create(fg_context *cx, const char *text, const fftgen_options *o, fftgen_plan *p) {
  fg_load_request request = {.options = o, .warn = {o->warning, o->warning_context}};
  if (fg_arena_guard(cx->arena)) return FG_ENOMEM;
  fg_status status = fg_problem_parse_zeros(cx, text, &p->problem);
  if (status != FG_OK) return status;
  find_scale(p);
  fg_problem filled = p->problem;
  fg_problem_fill_zeros(&filled);
  for (int i = 0; i < filled.batch_rank; i++)
    if (fg_num_is(p->problem.batch[i].n, 0)) return create_empty(cx, p);
  p->text = fg_wisdom_problem(cx, &filled);
  p->parallel_for = o->parallel_for;
  p->parallel_context = o->parallel_context;
  request.like = p->text;
  status = kernel_problem(cx, p, o, &request.problem);
  if (status != FG_OK) return status;
  fg_load_host_begin(&p->host);
  status = fg_load_kernel(cx, &p->host.loader, &request, &p->loaded);
  if (status == FG_ENA)
    fg_diag_set(&cx->diag, FG_ENA, "no kernel for \"%s\": %s", request.problem, p->loaded.reasons.text);
  p->parts = status == FG_OK && p->cut.parts == 1 && p->host.kernel->steps ? fg_exec_threads(o) : 1;
  if (status == FG_OK) status = lay_out(cx, p);
  if (status == FG_OK) status = p->scratch > FG_EXEC_STACK ? fg_exec_make_slots(p, o->concurrency) : FG_OK;
  if (status == FG_OK) prepare_plain(p);
  return status;
}

fftgen_plan *fg_exec_begin(const fftgen_options *o) {
  fftgen_allocator a = fg_public_allocator(o);
  fftgen_plan *p = a.allocate(a.context, sizeof *p, FG_EXEC_ALIGN);
  if (!p) return NULL;
  memset(p, 0, sizeof *p);
  p->allocator = a;
  return p;
}

static void destroy(fftgen_plan *p) {
  fftgen_allocator a = p->allocator;
  if (p->staged) fg_staged_destroy(p);
  if (p->halves) fg_halves_destroy(p);
  for (int i = 0; i < p->nslot; i++) a.release(a.context, p->slot[i].memory);
  if (p->slot) a.release(a.context, p->slot);
  for (int i = 0; i < FG_EXEC_PLACES; i++)
    if (p->table[i]) a.release(a.context, p->table[i]);
  fg_load_host_end(&p->host);
  fg_arena_destroy(p->arena);
  a.release(a.context, p);
}

fftgen_status fg_exec_make(const char *problem, const fftgen_options *o, fftgen_plan **plan, fftgen_error *error) {
  fftgen_plan *p = fg_exec_begin(o);
  if (!p) return fg_public_tell(error, FFTGEN_ENOMEM, "");
  fg_context cx = {.arena = p->arena = fg_arena_create()};
  sigset_t before;
  fg_public_begin_files(&before);
  fftgen_status status = fg_public_status(cx.arena ? create(&cx, problem, o, p) : FG_ENOMEM);
  fg_public_end_files(&before);
  fg_public_tell(error, status, status == FFTGEN_OK ? "" : cx.diag.message);
  if (status == FFTGEN_OK)
    *plan = p;
  else
    destroy(p);
  return status;
}

fftgen_status fftgen_plan_create(const char *problem, const fftgen_options *options, fftgen_plan **plan,
                                 fftgen_error *error) {
  fftgen_options o;
  if (!plan) return fg_public_tell(error, FFTGEN_EPROBLEM, "no pointer for the plan");
  *plan = NULL;
  if (!problem) return fg_public_tell(error, FFTGEN_EPROBLEM, "no problem given");
  const char *wrong = fg_public_options(options, &o);
  if (wrong) return fg_public_tell(error, FFTGEN_EPROBLEM, wrong);
  bool whole = fg_fork_enter();
  fftgen_status status =
      whole ? fg_effort_make(problem, &o, plan, error) : fg_public_tell(error, FFTGEN_ESYSTEM, FG_PUBLIC_FORKED);
  fg_fork_leave();
  return status;
}

fftgen_status fftgen_plan_create_from(const fftgen_problem *problem, const fftgen_options *options, fftgen_plan **plan,
                                      fftgen_error *error) {
  char text[FFTGEN_TEXT_SIZE];
  if (plan) *plan = NULL;
  if (plan && fg_full_has(problem)) return fg_full_create(problem, options, plan, error);
  if (plan && fg_staged_has(problem)) return fg_staged_create(problem, options, plan, error);
  fftgen_status status = fftgen_problem_text(problem, text, sizeof text, error);
  return status == FFTGEN_OK ? fftgen_plan_create(text, options, plan, error) : status;
}

void fftgen_plan_destroy(fftgen_plan *p) {
  if (p && p->kept) {
    fftgen_plan_release(p);
    return;
  }
  if (p && fg_fork_enter()) destroy(p);
  if (p) fg_fork_leave();
}

/* ---- for who measures -------------------------------------------------------- */

const fg_loaded *fg_exec_loaded(const fftgen_plan *p) { return &p->loaded; }

void fg_exec_measured(fftgen_plan *p, double ns) { p->loaded.ns = ns; }

void fg_exec_remark(fftgen_plan *p, const char *place, const char *what) {
  fg_strbuf *r = &p->loaded.reasons;
  if (fg_arena_guard(p->arena)) return;
  fg_strbuf_addf(r, "%s%s: %s", r->length ? "; " : "", place, what);
}

void fg_exec_keep(fftgen_plan *p, void *entry) { p->kept = entry; }

void *fg_exec_kept(const fftgen_plan *p) { return p->kept; }

void fg_exec_destroy(fftgen_plan *p) { destroy(p); }

int64_t fg_exec_bytes(const fftgen_plan *p) {
  int64_t own = (int64_t)(p->tables + (size_t)p->nslot * p->scratch);
  return own + (p->staged ? fg_staged_bytes(p) : p->halves ? fg_halves_bytes(p) : 0);
}

bool fg_exec_runs_alone(const fftgen_plan *p) { return !p->problem.nparam && p->ngiven == (p->scale_at > 0); }

fftgen_arrays fg_exec_arrays(const fftgen_plan *p, void *in, void *out) {
  char *i = in, *o = p->problem.in_place ? in : out;
  return (fftgen_arrays){.in = i,
                         .in_im = p->split_in ? i + p->in_bytes / 2 : NULL,
                         .out = p->problem.in_place ? NULL : o,
                         .out_im = p->split_out ? o + p->out_bytes / 2 : NULL};
}

/* ---- asking ---------------------------------------------------------------- */

fftgen_status fftgen_plan_info(const fftgen_plan *p, fftgen_info *info) {
  if (!p || !info || info->size < sizeof info->size) return FFTGEN_EPROBLEM;
  if (p->staged) return fg_staged_info(p, info);
  if (p->halves) return fg_halves_info(p, info);
  const fftgen_kernel *k = p->host.kernel;
  fftgen_info all = {.problem = p->text,
                     .plan = k->plan,
                     .isa = k->isa,
                     .origin = p->loaded.origin,
                     .reasons = p->loaded.reasons.text,
                     .in_bytes = p->in_bytes,
                     .out_bytes = p->out_bytes,
                     .scratch = p->scratch,
                     .tables = p->tables,
                     .flops = k->flops,
                     .bytes = k->bytes,
                     .ns = p->loaded.ns,
                     .parts = p->cut.parts > 1 ? p->cut.parts : p->parts};
  all.size = info->size < sizeof all ? info->size : sizeof all;
  memcpy(info, &all, all.size);
  return FFTGEN_OK;
}

fftgen_status fftgen_register(const fftgen_kernel *const *table) {
  if (!table) return FFTGEN_EPROBLEM;
  bool whole = fg_fork_enter(), added = whole && fg_registry_add(table);
  fg_fork_leave();
  return added ? FFTGEN_OK : whole ? FFTGEN_ENOMEM : FFTGEN_ESYSTEM;
}

int fftgen_version(void) { return FFTGEN_VERSION; }

const char *fftgen_fingerprint(void) { return fg_fingerprint_host(); }
