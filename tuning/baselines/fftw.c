/* See fftw.h. The plan is made by FFTW's guru interface for arrays of its own with the alignment of the later ones.
 * A backward transform on split arrays is a forward one with real and imaginary parts exchanged. */
#include "tuning/baselines/fftw.h"
#include "targets/timing.h"
#include "tuning/measure/arrays.h"
#include "tuning/measure/planner_lock.h"
#include <fftw3.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

pthread_mutex_t fg_planner_lock = PTHREAD_MUTEX_INITIALIZER;

struct fg_module {
  fftw_plan f64;
  fftwf_plan f32;
  fg_kind kind;
  bool split, split_out, swap;
};

typedef struct planning {
  int rank, batch_rank, sign;
  fftw_r2r_kind kind[FG_MAX_RANK]; /* of cosine and sine transforms */
  unsigned flags;
  fftw_iodim64 dim[FG_MAX_RANK], batch[FG_MAX_RANK];
  void *in, *out;           /* scratch, interleaved or split (re, then im) */
  size_t half_in, half_out; /* bytes from re to im when split */
} planning;

static void set_dims(const fg_dim *from, int rank, const int64_t *params, int64_t unit, fftw_iodim64 *to) {
  for (int i = 0; i < rank; i++) {
    to[i].n = fg_num_value(from[i].n, params);
    to[i].is = fg_num_value(from[i].is, params) * unit;
    to[i].os = fg_num_value(from[i].os, params) * unit;
  }
}

static int64_t span(const planning *g, bool output) {
  int64_t extent = 1;
  for (int i = 0; i < g->rank; i++) extent += (g->dim[i].n - 1) * (output ? g->dim[i].os : g->dim[i].is);
  for (int i = 0; i < g->batch_rank; i++) extent += (g->batch[i].n - 1) * (output ? g->batch[i].os : g->batch[i].is);
  return extent;
}

static void plan_f64(const planning *g, fg_module *m) {
  double *ri = g->in, *ro = g->out;
  double *ii = (double *)((char *)g->in + g->half_in), *io = (double *)((char *)g->out + g->half_out);
  if (m->kind == FG_R2C)
    m->f64 = fftw_plan_guru64_dft_r2c(g->rank, g->dim, g->batch_rank, g->batch, ri, g->out, g->flags);
  else if (m->kind == FG_C2R)
    m->f64 = fftw_plan_guru64_dft_c2r(g->rank, g->dim, g->batch_rank, g->batch, g->in, ro, g->flags);
  else if (m->kind != FG_C2C)
    m->f64 = fftw_plan_guru64_r2r(g->rank, g->dim, g->batch_rank, g->batch, ri, ro, g->kind, g->flags);
  else if (!m->split)
    m->f64 = fftw_plan_guru64_dft(g->rank, g->dim, g->batch_rank, g->batch, g->in, g->out, g->sign, g->flags);
  else
    m->f64 = fftw_plan_guru64_split_dft(g->rank, g->dim, g->batch_rank, g->batch, m->swap ? ii : ri, m->swap ? ri : ii,
                                        m->swap ? io : ro, m->swap ? ro : io, g->flags);
}

static void plan_f32(const planning *g, fg_module *m) {
  float *ri = g->in, *ro = g->out;
  float *ii = (float *)((char *)g->in + g->half_in), *io = (float *)((char *)g->out + g->half_out);
  if (m->kind == FG_R2C)
    m->f32 = fftwf_plan_guru64_dft_r2c(g->rank, g->dim, g->batch_rank, g->batch, ri, g->out, g->flags);
  else if (m->kind == FG_C2R)
    m->f32 = fftwf_plan_guru64_dft_c2r(g->rank, g->dim, g->batch_rank, g->batch, g->in, ro, g->flags);
  else if (m->kind != FG_C2C)
    m->f32 = fftwf_plan_guru64_r2r(g->rank, g->dim, g->batch_rank, g->batch, ri, ro, g->kind, g->flags);
  else if (!m->split)
    m->f32 = fftwf_plan_guru64_dft(g->rank, g->dim, g->batch_rank, g->batch, g->in, g->out, g->sign, g->flags);
  else
    m->f32 = fftwf_plan_guru64_split_dft(g->rank, g->dim, g->batch_rank, g->batch, m->swap ? ii : ri, m->swap ? ri : ii,
                                         m->swap ? io : ro, m->swap ? ro : io, g->flags);
}

static void destroy(fg_module *m) {
  if (!m) return;
  pthread_mutex_lock(&fg_planner_lock);
  if (m->f64) fftw_destroy_plan(m->f64);
  if (m->f32) fftwf_destroy_plan(m->f32);
  pthread_mutex_unlock(&fg_planner_lock);
  free(m);
}

/* As fg_arrays has them: the distance from real to imaginary parts is part of a
 * plan. */
static void scratch(const fg_problem *p, planning *g) {
  int64_t in = span(g, false), out = span(g, true);
  if (p->in_place) in = out = in > out ? in : out;
  size_t real = (size_t)fg_precision_bytes(p->storage);
  g->half_in = fg_arrays_separation((size_t)in * real);
  g->half_out = fg_arrays_separation((size_t)out * real);
  g->in = aligned_alloc(64, 2 * g->half_in);
  g->out = p->in_place ? g->in : aligned_alloc(64, 2 * g->half_out);
}

static fftw_r2r_kind r2r_kind(fg_kind kind) {
  static const fftw_r2r_kind of[FG_KIND_COUNT] = {
      [FG_DCT1] = FFTW_REDFT00, [FG_DCT2] = FFTW_REDFT10, [FG_DCT3] = FFTW_REDFT01, [FG_DCT4] = FFTW_REDFT11,
      [FG_DST1] = FFTW_RODFT00, [FG_DST2] = FFTW_RODFT10, [FG_DST3] = FFTW_RODFT01, [FG_DST4] = FFTW_RODFT11};
  return of[kind];
}

static const char *refused(const fg_problem *p) {
  if ((p->storage != FG_F32 && p->storage != FG_F64) || p->compute != p->storage) return "FFTW has f32 and f64 only";
  if (strstr(fftw_version, "fftgen") || strstr(fftwf_version, "fftgen"))
    return "libfftw3 is fftgen's own here, not FFTW";
  if (fg_problem_kind_convolves(p->kind)) return "FFTW has no convolution";
  if (fg_problem_kind_is_lapped(p->kind) || fg_problem_kind_of_frame(p->kind) != p->kind) return "FFTW has no frames";
  if (p->nload || p->nstore) return "FFTW has no operations of loads and stores";
  if (p->kind == FG_C2C) return p->split_in != p->split_out ? "FFTW has no transform between layouts" : NULL;
  if (p->split_in || p->split_out) return "FFTW is asked for interleaved real transforms only";
  bool backward = p->kind == FG_R2C ? p->sign > 0 : p->kind == FG_C2R && p->sign < 0;
  return backward ? "FFTW has r2c forward and c2r backward only" : NULL;
}

int fg_peer_create(const fg_problem *p, const int64_t *params, fg_effort effort, fg_module **out,
                   char why[FG_WHY_SIZE]) {
  static const unsigned flags[] = {FFTW_ESTIMATE, FFTW_MEASURE, FFTW_PATIENT};
  const char *refusal = refused(p);
  if (refusal) return snprintf(why, FG_WHY_SIZE, "%s", refusal), 1;
  planning g = {.rank = p->rank, .batch_rank = p->batch_rank, .sign = p->sign, .flags = flags[effort]};
  for (int i = 0; i < p->rank; i++) g.kind[i] = r2r_kind(p->kind);
  if (!p->in_place) g.flags |= FFTW_PRESERVE_INPUT;
  set_dims(p->dim, p->rank, params, 1, g.dim);
  set_dims(p->batch, p->batch_rank, params, 1, g.batch);
  scratch(p, &g);
  fg_module *m = calloc(1, sizeof *m);
  if (g.in && g.out && m) {
    memset(g.in, 0, 2 * g.half_in);
    memset(g.out, 0, 2 * g.half_out);
    m->kind = p->kind;
    m->split = p->split_in, m->swap = p->split_in && p->sign > 0;
    pthread_mutex_lock(&fg_planner_lock);
    if (p->storage == FG_F64)
      plan_f64(&g, m);
    else
      plan_f32(&g, m);
    pthread_mutex_unlock(&fg_planner_lock);
  }
  if (!p->in_place) free(g.out);
  free(g.in);
  if (!m || (!m->f64 && !m->f32)) {
    free(m);
    return snprintf(why, FG_WHY_SIZE, "FFTW has no plan for this (or no memory)"), 1;
  }
  *out = m;
  return 0;
}

static void execute_real(const fg_module *m, void *in, void *out) {
  if (m->kind == FG_R2C && m->f64)
    fftw_execute_dft_r2c(m->f64, in, out);
  else if (m->kind == FG_R2C)
    fftwf_execute_dft_r2c(m->f32, in, out);
  else if (m->kind == FG_C2R && m->f64)
    fftw_execute_dft_c2r(m->f64, in, out);
  else if (m->kind == FG_C2R)
    fftwf_execute_dft_c2r(m->f32, in, out);
  else if (m->f64)
    fftw_execute_r2r(m->f64, in, out);
  else
    fftwf_execute_r2r(m->f32, in, out);
}

static void execute(const fg_module *m, void *const *slot) {
  if (m->kind != FG_C2C) {
    execute_real(m, slot[0], slot[1]);
    return;
  }
  if (!m->split) {
    if (m->f64)
      fftw_execute_dft(m->f64, slot[0], slot[1]);
    else
      fftwf_execute_dft(m->f32, slot[0], slot[1]);
    return;
  }
  int re = m->swap ? 1 : 0, im = 1 - re;
  if (m->f64)
    fftw_execute_split_dft(m->f64, slot[re], slot[im], slot[2 + re], slot[2 + im]);
  else
    fftwf_execute_split_dft(m->f32, slot[re], slot[im], slot[2 + re], slot[2 + im]);
}

static int run(fg_module *m, const fg_call *call, char why[FG_WHY_SIZE]) {
  (void)why;
  execute(m, call->slot);
  return 0;
}

typedef struct repetition {
  const fg_module *m;
  const fg_call *call;
} repetition;

static int repeat_execute(void *context, int64_t repeat) {
  const repetition *r = context;
  for (int64_t i = 0; i < repeat; i++) execute(r->m, r->call->slot);
  return 0;
}

static int time_module(fg_module *m, const fg_call *call, double seconds, double *ns, char why[FG_WHY_SIZE]) {
  (void)why;
  return fg_timing_measure(repeat_execute, &(repetition){m, call}, seconds, ns);
}

static int sample(fg_module *m, const fg_call *call, fg_samples *s, char why[FG_WHY_SIZE]) {
  (void)why;
  s->has_inside = false;
  return fg_timing_each(repeat_execute, &(repetition){m, call}, s->seconds, s->most, s->total, &s->count);
}

const fg_device fg_peer_device = {
    .name = "fftw", .run = run, .time = time_module, .sample = sample, .destroy = destroy};
