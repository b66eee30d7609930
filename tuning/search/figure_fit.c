/* See figure_fit.h. Levenberg (1944) and Marquardt (1963) on the logarithms of the figures, so that these stay
 * positive; derivatives by finite differences, since the model computes in integers. Plans that are slow for their
 * problem have less weight, because they are not chosen. */
#include "tuning/search/figure_fit.h"
#include <math.h>
#include <pthread.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

enum { FOLDS = 5, STEPS = 6, MOST_THREADS = 64 };
static const double part_step = 0.12, near_best = 1.3, settled = 1e-4, damping_first = 1e-2, damping_last = 1e4;
/* What few plans say little about stays: a figure that is e times what the machine had counts as much as so many plans
 * whose prediction is e times wrong. */
static const double prior = 0.16;

typedef struct plan { /* of a sample: its program, and what is wanted of it */
  const fg_program *program;
  fg_arena *arena;
  const char *problem, *isa;
  double log_time, weight;
  int group;  /* of its problem and instruction set */
  int sample; /* its number */
} plan;

typedef struct fitting {
  fg_context *cx;
  const fg_figure_fit_options *o;
  plan *plan;
  int count, groups;
  int parameter[FG_FIGURES_MOST], parameters; /* figures that are fitted */
  double *jacobian, *error;                   /* count rows of parameters numbers; count */
  int fold;                                   /* problems of this fold are left out; -1: none */
} fitting;

static bool stopped(const fitting *f) { return f->o->stop && *f->o->stop; }

typedef struct figures {
  int64_t value[FG_FIGURES_MOST];
} figures;

static figures first_figures(const fitting *f) {
  figures x = {{0}};
  memcpy(x.value, f->o->first, sizeof *x.value * (size_t)f->o->figures);
  return x;
}

/* ---- programs --------------------------------------------------------------------- */

static fg_status compile(fitting *f, const fg_figure_sample *s, plan *out, char why[], size_t room) {
  fg_arena *arena = fg_arena_create();
  fg_context own = {.arena = arena};
  if (!arena || fg_arena_guard(arena)) return fg_arena_destroy(arena), FG_ESYS;
  *out = (plan){.arena = arena, .problem = s->problem, .isa = s->isa ? s->isa : "", .log_time = log(s->time)};
  fg_status status = f->o->compile(f->o->self, &own, s, &out->program);
  if (status == FG_OK) return FG_OK;
  snprintf(why, room, "%.255s", own.diag.message);
  return fg_arena_destroy(arena), status;
}

static void number_groups(fitting *f) {
  for (int i = 0; i < f->count; i++) {
    f->plan[i].group = -1;
    for (int k = i - 1; k >= 0 && f->plan[i].group < 0; k--)
      if (!strcmp(f->plan[k].problem, f->plan[i].problem) && !strcmp(f->plan[k].isa, f->plan[i].isa))
        f->plan[i].group = f->plan[k].group;
    if (f->plan[i].group < 0) f->plan[i].group = f->groups++;
  }
}

/* Of the fastest 1, of one that takes twice as long half as much. */
static void weigh(fitting *f) {
  for (int i = 0; i < f->count; i++) {
    double best = f->plan[i].log_time;
    for (int k = 0; k < f->count; k++)
      if (f->plan[k].group == f->plan[i].group) best = fmin(best, f->plan[k].log_time);
    f->plan[i].weight = exp(best - f->plan[i].log_time);
  }
}

static fg_status compile_all(fitting *f, fg_figure_fit *out) {
  f->plan = fg_arena_new(f->cx->arena, plan, f->o->count + 1);
  out->error = fg_arena_new(f->cx->arena, double, f->o->count + 1);
  for (int i = 0; i < f->o->count; i++) {
    if (stopped(f)) return fg_diag_set(&f->cx->diag, FG_ENA, "stopped: nothing is fitted");
    if (f->o->watch) f->o->watch(f->o->context, "plans", i, f->o->count);
    char why[sizeof out->why_left_out] = "out of memory";
    out->error[i] = NAN;
    if (compile(f, &f->o->sample[i], &f->plan[f->count], why, sizeof why) == FG_OK)
      f->plan[f->count++].sample = i;
    else if (!out->left_out++)
      memcpy(out->why_left_out, why, sizeof why);
  }
  int fitted = 0;
  for (int i = 0; i < f->o->figures; i++) fitted += f->o->fitted[i];
  if (f->count < f->o->least)
    return fg_diag_set(&f->cx->diag, FG_EUSER, "%d plans to fit %d figures to%s%s; allowed: from %d on", f->count,
                       fitted, out->left_out ? "; others are left out, the first: " : "", out->why_left_out,
                       f->o->least);
  number_groups(f);
  weigh(f);
  return FG_OK;
}

/* ---- predictions ------------------------------------------------------------------ */

typedef struct share { /* of a thread */
  const fitting *f;
  double *out;
  int first, step;
} share;

static void *predict_share(void *context) {
  const share *s = context;
  for (int i = s->first; i < s->f->count; i += s->step)
    s->out[i] = log((double)s->f->o->cost(s->f->o->self, s->f->plan[i].program));
  return NULL;
}

/* The logarithm of each plan's cost. */
static void predict(const fitting *f, const figures *costs, double *out) {
  pthread_t thread[MOST_THREADS];
  share part[MOST_THREADS];
  bool made[MOST_THREADS];
  f->o->use(f->o->self, costs->value);
  int here = (int)sysconf(_SC_NPROCESSORS_ONLN), threads = here < 1 ? 1 : here > MOST_THREADS ? MOST_THREADS : here;
  for (int t = 0; t < threads; t++) part[t] = (share){f, out, t, threads};
  for (int t = 1; t < threads; t++) made[t] = !pthread_create(&thread[t], NULL, predict_share, &part[t]);
  predict_share(&part[0]);
  for (int t = 1; t < threads; t++)
    if (made[t])
      pthread_join(thread[t], NULL);
    else
      predict_share(&part[t]);
}

static double weight_of(const fitting *f, int i) {
  return f->fold >= 0 && f->plan[i].group % FOLDS == f->fold ? 0 : f->plan[i].weight;
}

/* Of predictions, less their mean over what is fitted to: weighted square, and each error. */
static double errors_of(const fitting *f, double *value) {
  double sum = 0, weights = 0, square = 0;
  for (int i = 0; i < f->count; i++) {
    value[i] -= f->plan[i].log_time;
    sum += weight_of(f, i) * value[i];
    weights += weight_of(f, i);
  }
  for (int i = 0; i < f->count; i++) {
    value[i] -= sum / weights;
    square += weight_of(f, i) * value[i] * value[i];
  }
  return square / weights;
}

/* How far each fitted figure is from what the machine had: its logarithm. */
static double strayed(const fitting *f, const figures *costs, int p) {
  int i = f->parameter[p];
  return log((double)costs->value[i] / (double)f->o->first[i]);
}

/* What a step lessens: the sum of the weighted squares, and of those of what figures strayed. */
static double loss_of(const fitting *f, const figures *costs, double *value) {
  predict(f, costs, value);
  double square = errors_of(f, value), weights = 0;
  for (int i = 0; i < f->count; i++) weights += weight_of(f, i);
  for (int p = 0; p < f->parameters; p++) square += prior * pow(strayed(f, costs, p), 2) / weights;
  return square;
}

/* ---- a step ----------------------------------------------------------------------- */

static int64_t moved(int64_t value, double by) {
  int64_t next = llround((double)value * exp(by));
  return next == value ? value + (by > 0) - (by < 0 && value > 1) : next < 1 ? 1 : next;
}

/* Of each error by the logarithm of each figure. */
static void derive(fitting *f, const figures *costs) {
  double *column = fg_arena_new(f->cx->arena, double, f->count + 1);
  for (int p = 0; p < f->parameters; p++) {
    figures next = *costs;
    int64_t *value = &next.value[f->parameter[p]], before = *value;
    *value = moved(before, part_step);
    double by = log((double)*value / (double)before);
    predict(f, &next, column);
    errors_of(f, column);
    for (int i = 0; i < f->count; i++) f->jacobian[i * f->parameters + p] = (column[i] - f->error[i]) / by;
  }
}

/* Gauss, of a positive definite matrix of n rows with the right side behind each. */
static void solve(double *a, int n, double *x) {
  int wide = n + 1;
  for (int k = 0; k < n; k++)
    for (int i = k + 1; i < n; i++) {
      double part = a[k * wide + k] > 0 ? a[i * wide + k] / a[k * wide + k] : 0;
      for (int j = k; j < wide; j++) a[i * wide + j] -= part * a[k * wide + j];
    }
  for (int k = n - 1; k >= 0; k--) {
    x[k] = a[k * wide + n];
    for (int j = k + 1; j < n; j++) x[k] -= a[k * wide + j] * x[j];
    x[k] = a[k * wide + k] > 0 ? x[k] / a[k * wide + k] : 0;
  }
}

static void find_step(const fitting *f, const figures *costs, double damping, double *step) {
  int n = f->parameters, wide = n + 1;
  double *normal = fg_arena_new(f->cx->arena, double, n *wide);
  memset(normal, 0, (size_t)(n * wide) * sizeof *normal);
  for (int i = 0; i < f->count; i++) {
    const double *row = &f->jacobian[i * n], weight = weight_of(f, i);
    for (int p = 0; p < n && weight > 0; p++) {
      for (int q = 0; q < n; q++) normal[p * wide + q] += weight * row[p] * row[q];
      normal[p * wide + n] -= weight * row[p] * f->error[i];
    }
  }
  for (int p = 0; p < n; p++) normal[p * wide + p] += prior, normal[p * wide + n] -= prior * strayed(f, costs, p);
  double mean = 0;
  for (int p = 0; p < n; p++) mean += normal[p * wide + p] / n;
  for (int p = 0; p < n; p++) normal[p * wide + p] += damping * (normal[p * wide + p] + 0.01 * mean) + 1e-9;
  solve(normal, n, step);
}

static figures stepped(const fitting *f, const figures *costs, const double *step) {
  const double most = log(2); /* at once */
  figures next = *costs;
  for (int p = 0; p < f->parameters; p++) {
    int64_t *value = &next.value[f->parameter[p]];
    int64_t to = llround((double)*value * exp(fmax(-most, fmin(most, step[p]))));
    *value = to < 1 ? 1 : to;
  }
  return next;
}

static fg_status improve(fitting *f, figures *costs) {
  double *step = fg_arena_new(f->cx->arena, double, f->parameters + 1);
  double *value = fg_arena_new(f->cx->arena, double, f->count + 1), damping = damping_first;
  double square = loss_of(f, costs, f->error), before;
  for (int turn = 0; turn < STEPS; turn++) {
    if (stopped(f)) return fg_diag_set(&f->cx->diag, FG_ENA, "stopped: nothing is fitted");
    before = square;
    derive(f, costs);
    while (damping < damping_last) {
      find_step(f, costs, damping, step);
      const figures next = stepped(f, costs, step);
      double there = loss_of(f, &next, value);
      damping *= there < square ? 0.1 : 4;
      if (there >= square) continue;
      *costs = next, square = there;
      memcpy(f->error, value, (size_t)f->count * sizeof *value);
      break;
    }
    if (!(square < before * (1 - settled))) break;
  }
  return FG_OK;
}

/* ---- how good --------------------------------------------------------------------- */

/* Over problems that `fold` names, -1: all of them. value: the error of each plan. */
static fg_figure_errors judge(const fitting *f, const double *value) {
  fg_figure_errors e = {.worst = 1};
  int near = 0, problems = 0;
  for (int i = 0; i < f->count; i++) {
    bool good = f->plan[i].weight * near_best >= 1;
    e.all += value[i] * value[i], e.near += good ? value[i] * value[i] : 0, near += good;
  }
  for (int g = 0; g < f->groups; g++) {
    int least = -1, count = 0;
    for (int i = 0; i < f->count; i++) {
      if (f->plan[i].group != g) continue;
      count++;
      if (least < 0 || value[i] + f->plan[i].log_time < value[least] + f->plan[least].log_time) least = i;
    }
    if (count < 2) continue;
    e.choice -= log(f->plan[least].weight), problems++;
    e.worst = fmax(e.worst, 1 / f->plan[least].weight);
  }
  e.all = sqrt(e.all / f->count), e.near = sqrt(e.near / (near ? near : 1));
  e.choice = exp(e.choice / (problems ? problems : 1));
  return e;
}

static fg_figure_errors judge_costs(fitting *f, const figures *costs) {
  f->fold = -1;
  predict(f, costs, f->error);
  errors_of(f, f->error);
  return judge(f, f->error);
}

/* Each fifth of the problems by figures that were fitted to the others. */
static fg_status judge_apart(fitting *f, const figures *costs, fg_figure_errors *out) {
  double *value = fg_arena_new(f->cx->arena, double, f->count + 1);
  for (int fold = 0; fold < FOLDS; fold++) {
    if (f->o->watch) f->o->watch(f->o->context, "fits", fold + 1, FOLDS + 1);
    figures own = *costs;
    f->fold = fold;
    fg_status status = improve(f, &own);
    if (status != FG_OK) return status;
    for (int i = 0; i < f->count; i++)
      if (f->plan[i].group % FOLDS == fold) value[i] = f->error[i];
  }
  f->fold = -1;
  *out = judge(f, value);
  return FG_OK;
}

static void choose_parameters(fitting *f) {
  for (int i = 0; i < f->o->figures; i++)
    if (f->o->fitted[i] && f->o->first[i] > 0) f->parameter[f->parameters++] = i;
}

static fg_status fit(fitting *f, fg_figure_fit *out) {
  figures first = first_figures(f), found = first;
  out->plans = f->count, out->problems = f->groups;
  choose_parameters(f);
  f->jacobian = fg_arena_new(f->cx->arena, double, f->count * f->parameters + 1);
  f->error = fg_arena_new(f->cx->arena, double, f->count + 1);
  out->before = judge_costs(f, &first);
  if (f->o->watch) f->o->watch(f->o->context, "fits", 0, FOLDS + 1);
  fg_status status = improve(f, &found);
  memcpy(out->value, found.value, sizeof found.value);
  if (status == FG_OK) out->after = judge_costs(f, &found);
  for (int i = 0; status == FG_OK && i < f->count; i++) out->error[f->plan[i].sample] = f->error[i];
  return status == FG_OK ? judge_apart(f, &first, &out->apart) : status;
}

fg_status fg_figure_fit_run(fg_context *cx, const fg_figure_fit_options *options, fg_figure_fit *out) {
  fitting f = {.cx = cx, .o = options, .fold = -1};
  *out = (fg_figure_fit){.plans = 0};
  fg_status status = compile_all(&f, out);
  if (status == FG_OK) status = fit(&f, out);
  for (int i = 0; i < f.count; i++) fg_arena_destroy(f.plan[i].arena);
  return status;
}
