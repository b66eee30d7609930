/* See staged.h. In: a struct whose strides may be anything. Out: a plan of a dense kernel, and of copies around it.
 *
 * The kernel knows nothing of the caller's strides, counts and lengths, so that one kernel serves all of them. A block
 * of transforms is copied into scratch, with zeros where the caller's arrays end, transformed there, and copied back.
 * What a struct says is checked as a problem with the strides' magnitudes, 1 in place of 0. */
#define FFTGEN_NO_INLINE
#include "runtime/plan/staged.h"
#include "generator/problem/arrays.h"
#include "generator/problem/given.h"
#include "generator/problem/shape.h"
#include "generator/problem/zeros.h"
#include "runtime/plan/exec.h"
#include "runtime/plan/exec_plan.h"
#include "runtime/plan/layout.h"
#include <string.h>

enum { SHORT_POINTS = 64, BLOCK = 8 /* transforms that short at once: vectors have one of each */ };

struct fg_staged {
  fftgen_plan *inner;
  int block;
  int sign[2][2 * FG_MAX_RANK]; /* of strides, input and output: batch dimensions, then n's */
};

typedef struct copies { /* of a problem, with lists that may be changed */
  fftgen_problem p;
  fftgen_dim dim[FG_MAX_RANK], batch[FG_MAX_RANK];
  fftgen_param param[FG_MAX_PARAMS];
} copies;

/* ---- which structs -------------------------------------------------------------------- */

static bool is_listed(const fftgen_problem *p) {
  return p->rank >= 1 && p->rank <= FG_MAX_RANK && p->dim && p->batch_rank >= 0 && p->batch_rank <= FG_MAX_RANK &&
         (!p->batch_rank || p->batch) && p->nparam >= 0 && p->nparam <= FG_MAX_PARAMS && (!p->nparam || p->param);
}

static void copy_struct(const fftgen_problem *from, fftgen_problem *to) {
  *to = (fftgen_problem){.size = sizeof *to};
  memcpy(to, from, from->size < sizeof *to ? from->size : sizeof *to);
  to->size = sizeof *to;
}

static void copy_lists(const fftgen_problem *from, copies *c) {
  c->p = *from;
  memcpy(c->dim, from->dim, (size_t)from->rank * sizeof *c->dim);
  if (from->batch_rank) memcpy(c->batch, from->batch, (size_t)from->batch_rank * sizeof *c->batch);
  if (from->nparam) memcpy(c->param, from->param, (size_t)from->nparam * sizeof *c->param);
  c->p.dim = c->dim, c->p.batch = c->batch, c->p.param = c->param;
}

/* With parameters a negative number stands for one of them. */
static bool is_odd(const fftgen_problem *p, const fftgen_dim *d) {
  return (!p->nparam && (d->is < 0 || d->os < 0)) || (d->is == 0 && d->os != 0);
}

/* Is parameter i the length of a batch dimension? */
static bool is_count(const fftgen_problem *p, int i) {
  for (int k = 0; k < p->batch_rank; k++) {
    unsigned long long code = p->batch[k].n < 0 ? 0ull - (unsigned long long)p->batch[k].n : 0;
    if (code >= 16 && code % 16 == (unsigned long long)i) return true;
  }
  return false;
}

/* Values that a kernel's strides do not have. */
static bool is_odd_param(const fftgen_problem *p, int i) {
  return p->param[i].lowest < 0 || (p->param[i].lowest == 0 && !is_count(p, i));
}

bool fg_staged_has(const fftgen_problem *given) {
  fftgen_problem p;
  if (!given || given->size < sizeof given->size) return false;
  copy_struct(given, &p);
  if (!is_listed(&p)) return false;
  bool odd = p.flags & FFTGEN_CALL_LENGTHS;
  for (int i = 0; i < p.rank; i++) odd = odd || is_odd(&p, &p.dim[i]);
  for (int i = 0; i < p.batch_rank; i++) odd = odd || is_odd(&p, &p.batch[i]);
  for (int i = 0; i < p.nparam; i++) odd = odd || is_odd_param(&p, i);
  return odd;
}

/* ---- making ----------------------------------------------------------------------------- */

static int take_sign(const fftgen_problem *p, long long *stride) {
  if (*stride == 0) return *stride = 1, 0;
  if (p->nparam || *stride > 0) return 1;
  *stride = *stride < -INT64_MAX ? INT64_MAX : -*stride;
  return -1;
}

static void take_signs(const fftgen_problem *p, fftgen_dim *d, int count, int *in, int *out) {
  for (int i = 0; i < count; i++) {
    in[i] = out[i] = 1;
    if (!is_odd(p, &d[i])) continue; /* both 0 are the usual strides */
    in[i] = take_sign(p, &d[i].is);
    if (d[i].os) out[i] = take_sign(p, &d[i].os);
  }
}

/* The same with positive strides, for its text. */
static void make_positive(const fftgen_problem *from, copies *c, fg_staged *s) {
  copy_lists(from, c);
  take_signs(from, c->batch, from->batch_rank, s->sign[0], s->sign[1]);
  take_signs(from, c->dim, from->rank, s->sign[0] + from->batch_rank, s->sign[1] + from->batch_rank);
  for (int i = 0; i < from->nparam; i++) {
    fftgen_param *q = &c->param[i];
    long long low = q->lowest < -INT64_MAX ? INT64_MAX : -q->lowest;
    if (!is_odd_param(from, i)) continue;
    q->highest = q->highest > low ? q->highest : low > 0 ? low : 1;
    q->lowest = 1;
  }
}

/* Out of place, dense, without parameters. */
static void make_dense(const fftgen_problem *from, int block, copies *c) {
  copy_lists(from, c);
  for (int i = 0; i < from->rank; i++) c->dim[i].is = c->dim[i].os = 0;
  c->batch[0] = (fftgen_dim){.n = block};
  c->p.batch_rank = block != 1, c->p.nparam = 0;
  c->p.flags &= ~(unsigned)(FFTGEN_CALL_LENGTHS | FFTGEN_IN_PLACE);
}

static fg_status refuse(fg_context *cx, const char *what, const char *allowed) {
  return fg_diag_set(&cx->diag, FG_EUSER,
                     "fftgen_problem: %s with strides that are negative or 0, or FFTGEN_CALL_LENGTHS; allowed: %s",
                     what, allowed);
}

/* In place every transform's results are where its inputs were. */
static fg_status check(fg_context *cx, const fftgen_problem *given, const fg_problem *p) {
  fg_given g;
  for (int i = 0; fg_given_at(p, i, &g); i++)
    if (g.whose != FG_SPECTRA_SHARED) return refuse(cx, "arrays that transforms have to themselves", "(shared)");
  for (int i = 0; i < given->nparam; i++)
    if (given->param[i].lowest < 0 && is_count(given, i)) return refuse(cx, "a count below 0", "0 and more");
  if (fg_problem_factors(p) || fg_given_numbers_transforms(p))
    return refuse(cx, "operations that depend on the transform's number", "others");
  if (p->in_place != !!(given->flags & FFTGEN_IN_PLACE))
    return refuse(cx, "place= among more words", "FFTGEN_IN_PLACE");
  if (!p->in_place) return FG_OK;
  bool same = fg_problem_is_real(p, false) == fg_problem_is_real(p, true);
  for (int i = 0; i < given->rank; i++) same = same && given->dim[i].is == given->dim[i].os;
  for (int i = 0; i < given->batch_rank; i++) same = same && given->batch[i].is == given->batch[i].os;
  return same ? FG_OK : refuse(cx, "place=in with unlike sides", "equal strides, and elements, of input and output");
}

static fg_status read_problem(fg_context *cx, const fftgen_problem *given, const char *text, fftgen_plan *p) {
  if (fg_arena_guard(cx->arena)) return FG_ENOMEM;
  p->text = fg_arena_strdup(cx->arena, text);
  fg_status status = fg_problem_parse_overlapping(cx, text, &p->problem); /* what the text was made of is checked */
  if (status == FG_OK) status = check(cx, given, &p->problem);
  for (int i = 0; status == FG_OK && i < p->problem.nparam; i++)
    for (int j = 0; j < given->nparam; j++)
      if (given->param[j].name && !strcmp(given->param[j].name, p->problem.param[i].name))
        p->problem.param[i].lo = given->param[j].lowest, p->problem.param[i].hi = given->param[j].highest;
  return status;
}

static int64_t transforms(const fg_problem *p) {
  int64_t count = 1;
  for (int i = 0; i < p->batch_rank; i++) {
    if (p->batch[i].n.form != FG_NUM_CONST) return INT64_MAX;
    count *= p->batch[i].n.n;
  }
  return count;
}

static size_t whole(size_t bytes) { return (bytes + FG_EXEC_ALIGN - 1) / FG_EXEC_ALIGN * FG_EXEC_ALIGN; }

/* The inner plan has threads where there is one transform alone. */
static fftgen_status make_inner(const fftgen_problem *given, const fftgen_options *options, fftgen_plan *p,
                                fftgen_error *error) {
  fg_staged *s = p->staged;
  fftgen_options o;
  copies dense;
  fg_public_options(options, &o);
  o.size = sizeof o;
  int64_t count = transforms(&p->problem);
  s->block = count == 0 ? 0 : fg_problem_points(&p->problem) <= SHORT_POINTS && count > 1 ? BLOCK : 1;
  p->parts = count <= 1 ? 1 : fg_exec_threads(&o);
  p->parallel_for = o.parallel_for, p->parallel_context = o.parallel_context;
  if (count > 1) o.parallel_for = NULL;
  make_dense(given, s->block, &dense);
  fftgen_status status = fftgen_plan_create_from(&dense.p, &o, &s->inner, error);
  if (status != FFTGEN_OK) return status;
  const fftgen_plan *inner = s->inner;
  p->scratch = whole(inner->in_bytes) + whole(inner->out_bytes);
  p->split_in = p->problem.split_in, p->split_out = p->problem.split_out;
  p->ngiven = inner->ngiven, p->scale_at = inner->scale_at;
  p->cut.parts = 1;
  if (fg_exec_make_slots(p, o.concurrency) != FG_OK) return fg_public_tell(error, FFTGEN_ENOMEM, "");
  for (int i = 0; i < p->nslot; i++) memset(p->slot[i].memory, 0, p->scratch); /* behind few transforms are zeros */
  return FFTGEN_OK;
}

static fftgen_status fill(const fftgen_problem *given, const fftgen_options *options, fftgen_plan *p,
                          fftgen_error *error) {
  char text[FFTGEN_TEXT_SIZE];
  copies positive;
  fg_context cx = {.arena = p->arena};
  make_positive(given, &positive, p->staged);
  fftgen_status status = fftgen_problem_text(&positive.p, text, sizeof text, error);
  if (status != FFTGEN_OK) return status;
  status = fg_public_status(read_problem(&cx, given, text, p));
  if (status != FFTGEN_OK) return fg_public_tell(error, status, cx.diag.message);
  return make_inner(given, options, p, error);
}

static fftgen_status create(const fftgen_problem *given, const fftgen_options *options, fftgen_plan **plan,
                            fftgen_error *error) {
  fftgen_options o;
  const char *wrong = fg_public_options(options, &o);
  if (wrong) return fg_public_tell(error, FFTGEN_EPROBLEM, wrong);
  fftgen_plan *p = fg_exec_begin(&o);
  if (!p) return fg_public_tell(error, FFTGEN_ENOMEM, "");
  p->arena = fg_arena_create();
  p->staged = p->allocator.allocate(p->allocator.context, sizeof *p->staged, FG_EXEC_ALIGN);
  fftgen_status status = FFTGEN_ENOMEM;
  if (p->staged) memset(p->staged, 0, sizeof *p->staged);
  if (p->staged && p->arena)
    status = fill(given, options, p, error);
  else
    fg_public_tell(error, status, "");
  if (status == FFTGEN_OK)
    *plan = p;
  else
    fg_exec_destroy(p);
  return status;
}

fftgen_status fg_staged_create(const fftgen_problem *given, const fftgen_options *options, fftgen_plan **plan,
                               fftgen_error *error) {
  fftgen_problem p;
  copy_struct(given, &p);
  fftgen_status status =
      fg_fork_enter() ? create(&p, options, plan, error) : fg_public_tell(error, FFTGEN_ESYSTEM, FG_PUBLIC_FORKED);
  fg_fork_leave();
  return status;
}

void fg_staged_destroy(fftgen_plan *p) {
  if (p->staged->inner) fg_exec_destroy(p->staged->inner);
  p->allocator.release(p->allocator.context, p->staged);
}

int fg_staged_sign(const fftgen_plan *p, bool output, int axis) { return p->staged->sign[output][axis]; }

int64_t fg_staged_bytes(const fftgen_plan *p) { return fg_exec_bytes(p->staged->inner); }

/* ---- executing ------------------------------------------------------------------------------ */

typedef struct order { /* a call, with numbers in place of parameters */
  const fftgen_plan *plan;
  const fftgen_arrays *arrays;
  const fftgen_call *call;
  fg_layout in, out;
  int64_t count[FG_MAX_RANK], is[FG_MAX_RANK], os[FG_MAX_RANK]; /* of the batch */
  int64_t blocks, total;
  int parts;
} order;

static int64_t value(fg_num x, int sign, const fftgen_arrays *a) {
  return sign * fg_num_value(x, (const int64_t *)a->params);
}

static fg_layout layout_of(const order *o, bool output, const long long *present) {
  const fg_problem *p = &o->plan->problem, *dense = &o->plan->staged->inner->problem;
  bool split = output ? p->split_out : p->split_in;
  fg_layout l = {.rank = p->rank};
  l.bytes = fg_precision_bytes(fg_problem_stored(p, output)) * (fg_problem_is_real(p, output) || split ? 1 : 2);
  for (int i = 0; i < p->rank; i++) {
    int sign = o->plan->staged->sign[output][p->batch_rank + i];
    l.n[i] = fg_problem_length(p, i, output);
    l.present[i] = present ? present[i] : l.n[i];
    l.stride[i] = value(output ? p->dim[i].os : p->dim[i].is, sign, o->arrays);
    l.dense[i] = output ? dense->dim[i].os.n : dense->dim[i].is.n;
  }
  return l;
}

static void find_batch(order *o) {
  const fg_problem *p = &o->plan->problem;
  const fg_staged *s = o->plan->staged;
  o->total = 1;
  for (int i = 0; i < p->batch_rank; i++) {
    o->count[i] = value(p->batch[i].n, 1, o->arrays), o->total *= o->count[i];
    o->is[i] = value(p->batch[i].is, s->sign[0][i], o->arrays);
    o->os[i] = value(p->batch[i].os, s->sign[1][i], o->arrays);
  }
  o->blocks = (o->total + s->block - 1) / s->block;
}

/* Bytes to a transform in the caller's array. */
static int64_t at(const order *o, bool output, int64_t number) {
  int64_t elements = 0;
  for (int i = o->plan->problem.batch_rank - 1; i >= 0; i--) {
    elements += number % o->count[i] * (output ? o->os : o->is)[i];
    number /= o->count[i];
  }
  return elements * (output ? o->out : o->in).bytes;
}

static int64_t dense_at(const order *o, bool output, int64_t number) {
  const fg_problem *dense = &o->plan->staged->inner->problem;
  if (!dense->batch_rank) return 0;
  return number * (output ? dense->batch[0].os.n * o->out.bytes : dense->batch[0].is.n * o->in.bytes);
}

static void bring(const order *o, int64_t first, int64_t count, const fftgen_arrays *dense) {
  const fftgen_arrays *a = o->arrays;
  for (int64_t i = 0; i < count; i++) {
    int64_t from = at(o, false, first + i), to = dense_at(o, false, i);
    fg_layout_gather(&o->in, (const char *)a->in + from, (char *)(uintptr_t)dense->in + to);
    if (dense->in_im) fg_layout_gather(&o->in, (const char *)a->in_im + from, (char *)(uintptr_t)dense->in_im + to);
  }
}

static void take_back(const order *o, int64_t first, int64_t count, const fftgen_arrays *dense) {
  const fftgen_arrays *a = o->arrays;
  bool in_place = o->plan->problem.in_place;
  char *out = in_place ? (char *)(uintptr_t)a->in : a->out;
  char *out_im = in_place ? (char *)(uintptr_t)a->in_im : a->out_im;
  for (int64_t i = 0; i < count; i++) {
    int64_t from = dense_at(o, true, i), to = at(o, true, first + i);
    fg_layout_scatter(&o->out, (const char *)dense->out + from, out + to);
    if (dense->out_im) fg_layout_scatter(&o->out, (const char *)dense->out_im + from, out_im + to);
  }
}

/* Blocks of one part, in one piece of scratch. Behind the last transform of a block are those of the block before. */
static void run_blocks(const order *o, int64_t from, int64_t to, char *memory) {
  const fg_staged *s = o->plan->staged;
  fftgen_arrays dense = fg_exec_arrays(s->inner, memory, memory + whole(s->inner->in_bytes));
  dense.given = o->arrays->given;
  for (int64_t b = from; b < to; b++) {
    int64_t first = b * s->block, left = o->total - first, count = left < s->block ? left : s->block;
    bring(o, first, count, &dense);
    fftgen_call c = {.size = sizeof c, .scale = o->call->scale, .threads = o->call->threads};
    fftgen_execute_call(s->inner, &dense, &c, NULL);
    take_back(o, first, count, &dense);
  }
}

static void run_part(void *data, int part) {
  const order *o = data;
  int64_t each = o->blocks / o->parts, more = o->blocks % o->parts;
  int64_t from = each * part + (part < more ? part : more);
  fg_exec_slot *slot = fg_exec_claim(o->plan);
  run_blocks(o, from, from + each + (part < more), slot->memory);
  atomic_store_explicit(&slot->busy, false, memory_order_release);
}

void fg_staged_execute(const fftgen_plan *p, const fftgen_arrays *a, const fftgen_call *c, int parts) {
  order o = {.plan = p, .arrays = a, .call = c};
  o.in = layout_of(&o, false, c->in_lengths), o.out = layout_of(&o, true, c->out_lengths);
  find_batch(&o);
  o.parts = parts < o.blocks ? parts : (int)o.blocks;
  if (o.parts > 1)
    p->parallel_for(p->parallel_context, o.parts, run_part, &o);
  else if (a->scratch)
    run_blocks(&o, 0, o.blocks, a->scratch);
  else
    run_part(&o, 0);
}

static bool fit(const fftgen_plan *p, bool output, const long long *lengths) {
  for (int i = 0; lengths && i < p->problem.rank; i++)
    if (lengths[i] < 0 || lengths[i] > fg_problem_length(&p->problem, i, output)) return false;
  return true;
}

const char *fg_staged_wrong(const fftgen_plan *p, const fftgen_call *c) {
  if (!fit(p, false, c->in_lengths)) return "fftgen_call.in_lengths: 0 up to the input's elements along each dimension";
  if (!fit(p, true, c->out_lengths))
    return "fftgen_call.out_lengths: 0 up to the output's elements along each dimension";
  return NULL;
}

fftgen_status fg_staged_info(const fftgen_plan *p, fftgen_info *info) {
  fftgen_info all = {.size = sizeof all};
  fftgen_plan_info(p->staged->inner, &all);
  all.scratch = p->scratch;
  if (p->parts > 1) all.parts = p->parts;
  all.size = info->size < sizeof all ? info->size : sizeof all;
  memcpy(info, &all, all.size);
  return FFTGEN_OK;
}
