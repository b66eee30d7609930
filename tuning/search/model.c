/* See model.h. The fit minimises relative errors, so that transforms of 8 points and of a million count alike. Where
 * measurements say little, it tends to the default constants of features.def: even if no sample accesses main
 * memory, the model has a cost for it. */
#include "tuning/search/model.h"
#include "tuning/search/fit.h"
#include <math.h>
#include <string.h>

enum { CALMING = 8 };
static const double bend = 0.02; /* weight of a usual constant against one sample */
static const double bearable = 0.15;

double fg_model_predict(const fg_model_fit *fit, const fg_features *f) {
  double ns = 0;
  for (int i = 0; i < FG_FEATURE_COUNT; i++) ns += fit->cost[i] * f->count[i];
  return ns;
}

static double error_of(const fg_model_sample *sample, int count, const fg_model_fit *fit) {
  double sum = 0;
  for (int s = 0; s < count; s++) {
    double error = fg_model_predict(fit, &sample[s].features) / sample[s].ns - 1;
    sum += error * error;
  }
  return count ? sqrt(sum / count) : 0;
}

/* A kernel that the others say nothing of, or that something else on the machine
 * disturbed, shall not bend the constants: beyond this error, weights fall
 * (Huber's least squares, reweighted). */
static double trust(double ratio) {
  double error = fabs(log(ratio > 0 ? ratio : 1e-9));
  return error <= bearable ? 1 : sqrt(bearable / error);
}

void fg_model_solve(fg_context *cx, const fg_model_sample *sample, int count, fg_model_fit *fit) {
  enum { COLS = FG_FEATURE_COUNT };
  const fg_feature_info *info = fg_feature_table();
  int rows = count + COLS;
  double *a = fg_arena_new(cx->arena, double, rows *COLS), *b = fg_arena_new(cx->arena, double, rows);
  double *work = fg_arena_new(cx->arena, double, fg_fit_room(rows, COLS));
  for (int s = 0; s < count; s++) {
    for (int i = 0; i < COLS; i++) a[s * COLS + i] = sample[s].weight * sample[s].features.count[i] / sample[s].ns;
    b[s] = sample[s].weight;
  }
  for (int i = 0; i < COLS; i++) {
    a[(count + i) * COLS + i] = bend / info[i].usual;
    b[count + i] = bend;
  }
  fg_fit_solve(a, b, rows, COLS, work, fit->cost);
  for (int turn = 0; turn < CALMING; turn++) {
    for (int s = 0; s < count; s++) {
      double weight = sample[s].weight * trust(fg_model_predict(fit, &sample[s].features) / sample[s].ns);
      for (int i = 0; i < COLS; i++) a[s * COLS + i] = weight * sample[s].features.count[i] / sample[s].ns;
      b[s] = weight;
    }
    fg_fit_solve(a, b, rows, COLS, work, fit->cost);
  }
  fit->samples = count;
  fit->error = error_of(sample, count, fit);
}

const fg_model_fit *fg_model_find(const fg_model *m, const char *target, const char *compiler, const char *isa) {
  for (int i = 0; m && i < m->count; i++) {
    const fg_model_fit *f = &m->fit[i];
    if (!strcmp(f->target, target) && !strcmp(f->compiler, compiler) && !strcmp(f->isa, isa)) return f;
  }
  return NULL;
}
