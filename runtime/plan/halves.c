/* See halves.h. In: a struct of r2c whose output has n elements a row. Out: a plan of a complex kernel, and loops.
 *
 * A block of rows is transformed into scratch as rows of n/2 complex numbers, neighbouring reals, and unfolded from
 * there (Sorensen and others, "Real-valued fast Fourier transform algorithms", 1987). Short rows, and those of odd n,
 * are transformed by r2c to where they are wanted, and their mirror images follow while they are in cache. The last
 * block has as many rows as all others, of which it may compute some again, in the part of the block before. */
#define FFTGEN_NO_INLINE
#include "runtime/plan/halves.h"
#include "generator/problem/zeros.h"
#include "runtime/plan/exec.h"
#include "runtime/plan/exec_plan.h"
#include "runtime/plan/mirror.h"
#include <math.h>
#include <stddef.h>
#include <string.h>

enum {
  SHORT = 64,            /* points, below which rows are not halved */
  LONG = 1 << 13,        /* points */
  BLOCK_BYTES = 1 << 13, /* of a block's scratch, about */
  MOST_ROWS = 256
};

struct fg_halves {
  fftgen_plan *inner;
  void *factor;                   /* NULL: of r2c */
  int64_t n, rows, count, blocks; /* rows of a block, and of the innermost batch dimension; blocks of that */
};

/* ---- which structs -------------------------------------------------------------------- */

static bool has_plain_options(const fftgen_options *o) {
  bool plan = o && o->size >= offsetof(fftgen_options, plan) + sizeof o->plan && o->plan;
  return !plan;
}

static bool is_plain(const fftgen_problem *p) {
  bool precision = p->precision == FFTGEN_F32 || p->precision == FFTGEN_F64;
  return precision && p->rank == 1 && !p->nparam && !p->more && !(p->flags & ~(unsigned)FFTGEN_CALL_SCALE);
}

bool fg_halves_has(const fftgen_problem *p, const fftgen_options *options) {
  if (!is_plain(p) || !has_plain_options(options)) return false;
  const fftgen_dim *d = p->dim;
  if (d->n < 2 || d->n > LONG || d->is != 1 || d->os != 1) return false;
  for (int i = 0; i < p->batch_rank; i++)
    if (p->batch[i].n < 1 || p->batch[i].is < 1 || p->batch[i].os < 1) return false;
  return true;
}

static bool is_halved(const fftgen_problem *p) {
  bool even = p->dim->n % 2 == 0;
  for (int i = 0; i < p->batch_rank; i++) even = even && p->batch[i].is % 2 == 0;
  return even && p->dim->n >= SHORT;
}

/* ---- making ----------------------------------------------------------------------------- */

static int64_t least_of(int64_t a, int64_t b) { return a < b ? a : b; }

/* A divisor of the count if one is near; `each`: the rows of one thread. */
static int64_t rows_of(int64_t count, int64_t bytes, int64_t each) {
  int64_t most = least_of(least_of(BLOCK_BYTES / bytes, MOST_ROWS), each), divisor;
  if (most < 1) most = 1;
  if (count <= most) return count;
  for (divisor = most; 2 * divisor > most; divisor--)
    if (count % divisor == 0) return divisor;
  return most;
}

static int real_bytes(const fftgen_plan *p) { return p->problem.storage == FG_F64 ? 8 : 4; }

/* i exp(sign 2 pi i k / n) / 2, k <= n / 4. */
static bool make_factors(fftgen_plan *p, int sign) {
  fg_halves *s = p->halves;
  const long double turn = 2 * 3.14159265358979323846264338327950288L;
  int64_t numbers = s->n / 4 + 1;
  float *single = p->allocator.allocate(p->allocator.context, (size_t)(2 * numbers * real_bytes(p)), FG_EXEC_ALIGN);
  double *wide = (double *)(void *)single;
  s->factor = single;
  for (int64_t k = 0; s->factor && k < numbers; k++) {
    long double angle = turn * (long double)k / (long double)s->n, re = -sign * sinl(angle) / 2, im = cosl(angle) / 2;
    if (real_bytes(p) == 8)
      wide[2 * k] = (double)re, wide[2 * k + 1] = (double)im;
    else
      single[2 * k] = (float)re, single[2 * k + 1] = (float)im;
  }
  return s->factor;
}

static fftgen_status make_inner(const fftgen_problem *given, const fftgen_options *options, fftgen_plan *p,
                                fftgen_error *error) {
  fg_halves *s = p->halves;
  fftgen_options o;
  fftgen_problem c = *given;
  bool halved = is_halved(given);
  const fftgen_dim *b = given->batch_rank ? &given->batch[given->batch_rank - 1] : NULL;
  int64_t all = 1, length = halved ? given->dim->n / 2 : given->dim->n;
  for (int i = 0; i < given->batch_rank; i++) all *= given->batch[i].n;
  fg_public_options(options, &o);
  o.size = sizeof o;
  s->n = given->dim->n, s->count = b ? b->n : 1;
  fftgen_dim dim = {length, 1, 1};
  p->parts = all <= 1 ? 1 : fg_exec_threads(&o);
  p->parallel_for = o.parallel_for, p->parallel_context = o.parallel_context;
  s->rows = rows_of(s->count, 2 * length * real_bytes(p), (all + p->parts - 1) / p->parts);
  s->blocks = (s->count + s->rows - 1) / s->rows;
  if (all > 1) o.parallel_for = NULL;
  fftgen_dim batch = {s->rows, b ? b->is : 0, b ? b->os : 0};
  if (halved) c.kind = FFTGEN_C2C, batch.is /= 2, batch.os = length;
  c.dim = &dim, c.batch = &batch, c.batch_rank = s->rows > 1;
  fftgen_status status = fftgen_plan_create_from(&c, &o, &s->inner, error);
  if (status != FFTGEN_OK) return status;
  p->scratch = halved ? (size_t)(2 * s->rows * length * real_bytes(p)) : 0;
  p->ngiven = s->inner->ngiven, p->scale_at = s->inner->scale_at, p->cut.parts = 1;
  bool made = (!halved || make_factors(p, given->sign > 0 ? 1 : -1)) && fg_exec_make_slots(p, o.concurrency) == FG_OK;
  return made ? FFTGEN_OK : fg_public_tell(error, FFTGEN_ENOMEM, "");
}

static fftgen_status fill(const fftgen_problem *given, const fftgen_options *options, fftgen_plan *p,
                          fftgen_error *error) {
  char text[FFTGEN_TEXT_SIZE];
  fg_context cx = {.arena = p->arena};
  fftgen_status status = fftgen_problem_text(given, text, sizeof text, error);
  if (status != FFTGEN_OK) return status;
  if (fg_arena_guard(p->arena)) return fg_public_tell(error, FFTGEN_ENOMEM, "");
  p->text = fg_arena_strdup(p->arena, text);
  status = fg_public_status(fg_problem_parse_overlapping(&cx, text, &p->problem)); /* outputs are checked as n a row */
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
  p->halves = p->allocator.allocate(p->allocator.context, sizeof *p->halves, FG_EXEC_ALIGN);
  if (p->halves) memset(p->halves, 0, sizeof *p->halves);
  fftgen_status status =
      p->halves && p->arena ? fill(given, options, p, error) : fg_public_tell(error, FFTGEN_ENOMEM, "");
  if (status == FFTGEN_OK)
    *plan = p;
  else
    fg_exec_destroy(p);
  return status;
}

fftgen_status fg_halves_create(const fftgen_problem *given, const fftgen_options *options, fftgen_plan **plan,
                               fftgen_error *error) {
  bool whole = fg_fork_enter();
  fftgen_status status =
      whole ? create(given, options, plan, error) : fg_public_tell(error, FFTGEN_ESYSTEM, FG_PUBLIC_FORKED);
  fg_fork_leave();
  return status;
}

void fg_halves_destroy(fftgen_plan *p) {
  if (p->halves->inner) fg_exec_destroy(p->halves->inner);
  if (p->halves->factor) p->allocator.release(p->allocator.context, p->halves->factor);
  p->allocator.release(p->allocator.context, p->halves);
}

int64_t fg_halves_bytes(const fftgen_plan *p) {
  return fg_exec_bytes(p->halves->inner) + (p->halves->factor ? (p->halves->n / 4 + 1) * 2 * real_bytes(p) : 0);
}

fftgen_status fg_halves_info(const fftgen_plan *p, fftgen_info *info) {
  fftgen_info all = {.size = sizeof all};
  fftgen_plan_info(p->halves->inner, &all);
  all.scratch = p->scratch;
  if (p->parts > 1) all.parts = p->parts;
  all.size = info->size < sizeof all ? info->size : sizeof all;
  memcpy(info, &all, all.size);
  return FFTGEN_OK;
}

/* ---- executing ------------------------------------------------------------------------------ */

typedef struct order { /* a call */
  const fftgen_plan *plan;
  const char *in;
  char *out;
  double scale;
  int64_t blocks;
  int parts;
} order;

static void transform(const order *o, const void *in, void *out) {
  const fftgen_plan *inner = o->plan->halves->inner;
  if (o->plan->scale_at) {
    fftgen_call c = {.size = sizeof c, .scale = o->scale};
    fftgen_execute_call(inner, &(fftgen_arrays){.in = in, .out = out}, &c, NULL);
  } else {
    fftgen_execute(inner, in, out);
  }
}

static void unfold_f32(const fg_halves *s, const float *z, float *x) {
  x[0] = z[0] + z[1], x[1] = 0;
  x[s->n] = z[0] - z[1], x[s->n + 1] = 0;
  fg_unfold_f32(z, s->factor, x, s->n / 2);
}

static void unfold_f64(const fg_halves *s, const double *z, double *x) {
  x[0] = z[0] + z[1], x[1] = 0;
  x[s->n] = z[0] - z[1], x[s->n + 1] = 0;
  fg_unfold_f64(z, s->factor, x, s->n / 2);
}

/* Rows, whose outputs are `os` bytes apart. */
static void run_rows(const order *o, const char *in, char *out, int64_t os, char *z) {
  const fg_halves *s = o->plan->halves;
  int real = real_bytes(o->plan);
  transform(o, in, s->factor ? z : out);
  if (!s->factor) fg_mirror_rows(out, s->n, s->rows, os, real);
  for (int64_t i = 0; s->factor && i < s->rows; i++, z += s->n * real, out += os)
    if (real == 8)
      unfold_f64(s, (const void *)z, (void *)out);
    else
      unfold_f32(s, (const void *)z, (void *)out);
}

static void run_block(const order *o, int64_t number, char *memory) {
  const fg_problem *q = &o->plan->problem;
  const fg_halves *s = o->plan->halves;
  int64_t first = number % s->blocks * s->rows, in = 0, out = 0, real = real_bytes(o->plan);
  if (first > s->count - s->rows) first = s->count - s->rows;
  number /= s->blocks;
  for (int i = q->batch_rank - 1; i >= 0; i--) {
    bool last = i == q->batch_rank - 1;
    int64_t index = last ? first : number % q->batch[i].n.n;
    if (!last) number /= q->batch[i].n.n;
    in += index * q->batch[i].is.n, out += index * q->batch[i].os.n;
  }
  int64_t os = q->batch_rank ? 2 * q->batch[q->batch_rank - 1].os.n * real : 0;
  run_rows(o, o->in + in * real, o->out + 2 * out * real, os, memory);
}

/* First block of a part. Blocks that share rows are not divided. */
static int64_t first_of(const order *o, int part) {
  const fg_halves *s = o->plan->halves;
  int64_t first = o->blocks * part / o->parts;
  return s->count % s->rows && first % s->blocks == s->blocks - 1 ? first - 1 : first;
}

static void run_part(void *data, int part) {
  const order *o = data;
  fg_exec_slot *slot = fg_exec_claim(o->plan);
  for (int64_t i = first_of(o, part); i < first_of(o, part + 1); i++) run_block(o, i, slot->memory);
  atomic_store_explicit(&slot->busy, false, memory_order_release);
}

void fg_halves_execute(const fftgen_plan *p, const fftgen_arrays *a, double scale, int parts) {
  order o = {.plan = p, .in = a->in, .out = a->out, .scale = scale, .blocks = p->halves->blocks};
  for (int i = 0; i < p->problem.batch_rank - 1; i++) o.blocks *= p->problem.batch[i].n.n;
  o.parts = parts < o.blocks ? parts : (int)o.blocks;
  if (o.parts > 1)
    p->parallel_for(p->parallel_context, o.parts, run_part, &o);
  else if (a->scratch)
    for (int64_t i = 0; i < o.blocks; i++) run_block(&o, i, a->scratch);
  else
    run_part(&o, 0);
}
