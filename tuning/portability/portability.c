/* See portability.h. Two rounds for each problem: every backend finds its own best plan, and is compared with other
 * libraries; then every backend runs the best plans of the others. Efficiencies and metrics are computed here from
 * the times. */
#include "tuning/portability/portability.h"
#include "generator/problem/arrays.h"
#include "generator/prove/prove.h"
#include "runtime/version.h"
#include "targets/number.h"
#include "tuning/measure/arrays.h"
#include "tuning/portability/run.h"
#include "tuning/portability/sums.h"
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct study {
  fg_context *cx;
  const fg_port_options *o;
  fg_port_backend backend[FG_PORT_BACKENDS];
  int nway, here;  /* all; those that are here, which are first */
  int steps, step; /* of everything; for the progress */
} study;

typedef struct subject { /* one problem */
  study *s;
  const char *text;
  int64_t points, transforms, bytes, bins;
  fg_port_result *own[FG_PORT_BACKENDS], *foreign[FG_PORT_BACKENDS];
  double best_on[FG_PORT_BACKENDS]; /* nanoseconds: the best known on the way's hardware */
  const char *best_by[FG_PORT_BACKENDS];
} subject;

static void report(study *s, const char *what) {
  const fg_progress *p = &s->cx->progress;
  if (p->report) p->report(p->self, what, (double)s->step / (s->steps ? s->steps : 1));
  s->step++;
}

/* ---- JSON --------------------------------------------------------------------- */

/* To so many digits as it is worth. */
static double rounded(double x, int digits) {
  char text[64];
  fg_number_print(text, sizeof text, "%.*g", digits, x);
  return fg_number_read(text, NULL);
}

static void add(cJSON *to, const char *name, double x) {
  if (isfinite(x))
    cJSON_AddNumberToObject(to, name, rounded(x, 6));
  else
    cJSON_AddNullToObject(to, name);
}

static cJSON *new_row(cJSON *list) {
  cJSON *row = cJSON_CreateObject();
  cJSON_AddItemToArray(list, row);
  return row;
}

static void add_spread(cJSON *to, const char *name, const double *x, int count) {
  fg_port_spread s;
  fg_port_spread_of(x, count, &s);
  cJSON *o = cJSON_AddObjectToObject(to, name);
  add(o, "mean", s.mean);
  add(o, "deviation", s.deviation);
  add(o, "least", s.least);
  add(o, "low", s.low);
  add(o, "median", s.median);
  add(o, "high", s.high);
  add(o, "most", s.most);
}

static void add_all(cJSON *to, const char *name, const double *x, int count) {
  cJSON *list = cJSON_AddArrayToObject(to, name);
  for (int i = 0; i < count; i++) cJSON_AddItemToArray(list, cJSON_CreateNumber(rounded(x[i], 5)));
}

/* What a launch costs: all that an execution takes beyond what the kernels do, taken for
 * the median by the device's clock; without one, for the time in a row of many. */
static void add_launches(cJSON *to, const fg_port_launches *l, double ns) {
  double inside = ns, beyond[FG_PORT_SAMPLES];
  cJSON *o = cJSON_AddObjectToObject(to, "launches");
  cJSON_AddNumberToObject(o, "count", l->count);
  cJSON_AddStringToObject(o, "inside_by", l->has_inside ? "device's clock" : "many in a row");
  if (!l->count) return;
  if (l->has_inside) {
    fg_port_spread s;
    fg_port_spread_of(l->inside, l->count, &s);
    inside = s.median;
    add_spread(o, "inside", l->inside, l->count);
    add_all(o, "all_inside", l->inside, l->count);
  }
  for (int i = 0; i < l->count; i++) beyond[i] = l->total[i] - inside;
  add(o, "inside_ns", inside);
  add_spread(o, "total", l->total, l->count);
  add_spread(o, "overhead", beyond, l->count);
  add_all(o, "all_total", l->total, l->count);
}

/* ---- efficiencies --------------------------------------------------------------- */

static double own_ns(const subject *q, int backend) {
  const fg_port_result *r = q->own[backend];
  return r->why[0] ? 0 : r->plan[r->best].ns;
}

static void find_best(subject *q) {
  const study *s = q->s;
  for (int w = 0; w < s->here; w++)
    for (int v = 0; v < s->here; v++) {
      const fg_port_result *r = q->own[v];
      if (strcmp(s->backend[w].on, s->backend[v].on) || r->why[0]) continue;
      double ns = own_ns(q, v);
      if (!q->best_by[w] || ns < q->best_on[w]) q->best_on[w] = ns, q->best_by[w] = s->backend[v].name;
      for (int i = 0; i < r->nrival; i++)
        if (r->rival[i].ns > 0 && r->rival[i].ns < q->best_on[w])
          q->best_on[w] = r->rival[i].ns, q->best_by[w] = r->rival[i].name;
    }
}

static double architectural(const subject *q, int backend) {
  const fg_port_result *r = q->own[backend];
  double ns = own_ns(q, backend);
  return ns > 0 ? fmax(r->copy_ns, r->roof_ns) / ns : 0;
}

static double application(const subject *q, int backend) {
  double ns = own_ns(q, backend);
  return ns > 0 ? q->best_on[backend] / ns : 0;
}

/* Of the plan without measurements: the shipped model's first. */
static double untuned(const subject *q, int backend) {
  const fg_port_result *r = q->own[backend];
  return r->why[0] || !(r->plan[0].ns > 0) ? 0 : q->best_on[backend] / r->plan[0].ns;
}

/* ---- the metric ------------------------------------------------------------------- */

typedef struct set { /* of ways */
  char name[96];
  int count, backend[FG_PORT_BACKENDS];
} set;

static void add_set(const subject *q, cJSON *list, const set *s) {
  double a[FG_PORT_BACKENDS], p[FG_PORT_BACKENDS], u[FG_PORT_BACKENDS];
  for (int i = 0; i < s->count; i++) {
    a[i] = architectural(q, s->backend[i]);
    p[i] = application(q, s->backend[i]);
    u[i] = untuned(q, s->backend[i]);
  }
  cJSON *row = new_row(list);
  cJSON_AddStringToObject(row, "set", s->name);
  cJSON_AddNumberToObject(row, "backends", s->count);
  add(row, "architectural", fg_port_metric(a, s->count));
  add(row, "application", fg_port_metric(p, s->count));
  add(row, "untuned", fg_port_metric(u, s->count));
}

/* The fastest way of each piece of hardware. */
static void hardware_set(const subject *q, set *out) {
  const study *s = q->s;
  *out = (set){.name = "each hardware by its fastest backend"};
  for (int w = 0; w < s->here; w++) {
    int i = 0;
    while (i < out->count && strcmp(s->backend[out->backend[i]].on, s->backend[w].on)) i++;
    if (i == out->count) out->backend[out->count++] = w;
    double now = own_ns(q, w), kept = own_ns(q, out->backend[i]);
    if (now > 0 && (now < kept || !(kept > 0))) out->backend[i] = w;
  }
}

static void add_portability(const subject *q, cJSON *to) {
  const study *s = q->s;
  cJSON *list = cJSON_AddArrayToObject(to, "portability");
  set all = {.name = "every backend"}, each;
  for (int w = 0; w < s->here; w++) all.backend[all.count++] = w;
  add_set(q, list, &all);
  hardware_set(q, &each);
  add_set(q, list, &each);
  for (int w = 0; w < s->here; w++) {
    set same = {.count = 0};
    bool seen = false;
    snprintf(same.name, sizeof same.name, "the same %s", s->backend[w].language);
    for (int v = 0; v < s->here; v++) {
      if (strcmp(s->backend[v].language, s->backend[w].language)) continue;
      seen = seen || v < w;
      same.backend[same.count++] = v;
    }
    if (!seen && same.count > 1) add_set(q, list, &same);
  }
}

/* ---- plans carried elsewhere --------------------------------------------------------- */

static const fg_port_plan *carried_plan(const subject *q, int on, const char *text) {
  const fg_port_result *r = q->foreign[on];
  for (int i = 0; i < r->nplan && !r->why[0]; i++)
    if (!strcmp(r->plan[i].text, text)) return &r->plan[i];
  return NULL;
}

static const char *best_plan(const subject *q, int backend) {
  return q->own[backend]->plan[q->own[backend]->best].text;
}

static void add_carried(const subject *q, cJSON *to) {
  cJSON *list = cJSON_AddArrayToObject(to, "carried");
  for (int of = 0; of < q->s->here; of++)
    for (int on = 0; on < q->s->here; on++) {
      if (q->own[of]->why[0] || q->own[on]->why[0]) continue;
      const fg_port_plan *own = carried_plan(q, on, best_plan(q, on)), *p = carried_plan(q, on, best_plan(q, of));
      cJSON *row = new_row(list);
      cJSON_AddNumberToObject(row, "of", of);
      cJSON_AddNumberToObject(row, "on", on);
      cJSON_AddStringToObject(row, "plan", best_plan(q, of));
      if (own && p && own->ns > 0 && p->ns > 0) {
        add(row, "ns", p->ns);
        add(row, "own_ns", own->ns);
        add(row, "lost", fg_port_lost(own->ns, p->ns));
      } else {
        cJSON_AddStringToObject(row, "why", p && p->why[0] ? p->why : own ? q->foreign[on]->why : "not measured");
      }
    }
}

/* The same plan in several languages on one piece of hardware. */
static void add_languages(const subject *q, cJSON *to) {
  cJSON *list = cJSON_AddArrayToObject(to, "languages");
  for (int b = 0; b < q->s->here; b++)
    for (int a = 0; a < q->s->here; a++) {
      const fg_port_result *r = q->foreign[b];
      if (a == b || strcmp(q->s->backend[a].on, q->s->backend[b].on)) continue;
      for (int i = 0; i < r->nplan && !r->why[0]; i++) {
        const fg_port_plan *p = carried_plan(q, a, r->plan[i].text);
        if (!p || !(p->ns > 0) || !(r->plan[i].ns > 0)) continue;
        cJSON *row = new_row(list);
        cJSON_AddNumberToObject(row, "a", a);
        cJSON_AddNumberToObject(row, "b", b);
        cJSON_AddStringToObject(row, "plan", p->text);
        add(row, "a_ns", p->ns);
        add(row, "b_ns", r->plan[i].ns);
        add(row, "ratio", p->ns / r->plan[i].ns);
      }
    }
}

/* The one plan that serves all ways best: a build that is portable and not tuned to any. */
static void add_one_plan(const subject *q, cJSON *to) {
  double best = 0;
  const char *plan = NULL;
  for (int of = 0; of < q->s->here; of++) {
    double e[FG_PORT_BACKENDS];
    for (int on = 0; on < q->s->here && !q->own[of]->why[0]; on++) {
      const fg_port_plan *own = q->own[on]->why[0] ? NULL : carried_plan(q, on, best_plan(q, on));
      const fg_port_plan *p = own ? carried_plan(q, on, best_plan(q, of)) : NULL;
      e[on] = p && p->ns > 0 ? own->ns / p->ns : 0;
    }
    double metric = q->own[of]->why[0] ? 0 : fg_port_metric(e, q->s->here);
    if (metric > best) best = metric, plan = best_plan(q, of);
  }
  cJSON *o = cJSON_AddObjectToObject(to, "one_plan");
  if (plan) cJSON_AddStringToObject(o, "plan", plan);
  add(o, "of_own_plans", best);
}

/* ---- outputs --------------------------------------------------------------------------- */

static void add_agreement(const subject *q, cJSON *to) {
  cJSON *list = cJSON_AddArrayToObject(to, "agreement");
  for (int a = 0; a < q->s->here; a++)
    for (int b = 0; b < a; b++)
      for (int input = 0; input < FG_PORT_INPUTS; input++) {
        const fg_port_result *x = q->own[a], *y = q->own[b];
        fg_port_agreement g;
        if (!x->has_output || !y->has_output) continue;
        fg_port_agree(x->output + 2 * input * q->bins, y->output + 2 * input * q->bins, q->bins, &g);
        cJSON *row = new_row(list);
        cJSON_AddNumberToObject(row, "a", a);
        cJSON_AddNumberToObject(row, "b", b);
        cJSON_AddStringToObject(row, "input", fg_port_inputs[input]);
        cJSON_AddNumberToObject(row, "bins", (double)g.bins);
        add(row, "l2", g.l2);
        add(row, "max", g.max);
        add(row, "chi2_ndf", g.ndf > 0 ? g.chi2 / g.ndf : 0);
        add(row, "p", g.p);
      }
}

/* ---- one way on one problem --------------------------------------------------------------- */

static void add_plans(const fg_port_result *r, cJSON *run) {
  cJSON *list = cJSON_AddArrayToObject(run, "candidates");
  for (int i = 0; i < r->nplan; i++) {
    cJSON *row = new_row(list);
    cJSON_AddStringToObject(row, "plan", r->plan[i].text);
    if (r->plan[i].ns > 0) add(row, "ns", r->plan[i].ns);
    if (r->plan[i].why[0]) cJSON_AddStringToObject(row, "why", r->plan[i].why);
  }
}

static void add_rivals(const fg_port_result *r, cJSON *run) {
  cJSON *list = cJSON_AddArrayToObject(run, "libraries");
  for (int i = 0; i < r->nrival; i++) {
    const fg_port_rival *p = &r->rival[i];
    cJSON *row = new_row(list);
    cJSON_AddStringToObject(row, "name", p->name);
    if (p->why[0]) cJSON_AddStringToObject(row, "why", p->why);
    if (!(p->ns > 0)) continue;
    add(row, "ns", p->ns);
    add(row, "l2", p->l2);
    add_launches(row, &p->launches, p->ns);
  }
}

static void add_run(const subject *q, cJSON *list, int backend) {
  const fg_port_result *r = q->own[backend];
  cJSON *run = new_row(list);
  cJSON_AddNumberToObject(run, "backend", backend);
  if (r->why[0]) {
    cJSON_AddStringToObject(run, "why", r->why);
    return;
  }
  const fg_port_plan *p = &r->plan[r->best];
  double n = (double)q->points;
  cJSON_AddStringToObject(run, "plan", p->text);
  add(run, "ns", p->ns);
  add(run, "gflops", 5 * n * log2(n > 1 ? n : 2) * (double)q->transforms / p->ns);
  add(run, "untuned_ns", r->plan[0].ns);
  add(run, "copy_ns", r->copy_ns);
  add(run, "roof_ns", r->roof_ns);
  add(run, "architectural", architectural(q, backend));
  add(run, "application", application(q, backend));
  cJSON_AddStringToObject(run, "best_by", q->best_by[backend]);
  add(run, "best_ns", q->best_on[backend]);
  add(run, "l2", p->l2);
  add(run, "build_seconds", p->build_seconds);
  cJSON_AddNumberToObject(run, "fallbacks", p->fallbacks);
  add_plans(r, run);
  add_rivals(r, run);
  add_launches(run, &r->launches, p->ns);
}

static void judge(subject *q, cJSON *list) {
  cJSON *json = new_row(list), *runs;
  cJSON_AddStringToObject(json, "problem", q->text);
  cJSON_AddNumberToObject(json, "points", (double)q->points);
  cJSON_AddNumberToObject(json, "transforms", (double)q->transforms);
  cJSON_AddNumberToObject(json, "bytes", (double)q->bytes);
  find_best(q);
  runs = cJSON_AddArrayToObject(json, "runs");
  for (int w = 0; w < q->s->here; w++) add_run(q, runs, w);
  add_portability(q, json);
  add_carried(q, json);
  add_one_plan(q, json);
  add_languages(q, json);
  add_agreement(q, json);
}

/* ---- measuring ----------------------------------------------------------------------------- */

static bool stopped(const study *s) { return s->o->stop && *s->o->stop; }

static fg_port_task task_for(const subject *q, int backend) {
  const fg_port_options *o = q->s->o;
  return (fg_port_task){.backend = &q->s->backend[backend],
                        .problem = q->text,
                        .candidates = o->candidates,
                        .seconds = o->seconds,
                        .samples = o->samples,
                        .effort = o->effort,
                        .seed = o->seed};
}

static void add_plan(fg_port_task *t, const char *plan) {
  for (int i = 0; i < t->nplan; i++)
    if (!strcmp(t->plan[i], plan)) return;
  if (t->nplan < FG_PORT_PLANS) t->plan[t->nplan++] = plan;
}

static fg_port_patience patience(const study *s) { return (fg_port_patience){s->o->hang, s->o->stop}; }

static void run_own(subject *q, int backend) {
  fg_port_task t = task_for(q, backend);
  report(q->s, fg_arena_printf(q->s->cx->arena, "%s: %s", q->text, q->s->backend[backend].name));
  fg_port_run(&t, patience(q->s), q->own[backend]);
}

static void run_foreign(subject *q, int backend) {
  fg_port_task t = task_for(q, backend);
  report(q->s, fg_arena_printf(q->s->cx->arena, "%s: others' plans, %s", q->text, q->s->backend[backend].name));
  if (q->own[backend]->why[0]) return;
  add_plan(&t, best_plan(q, backend));
  for (int w = 0; w < q->s->here; w++)
    if (!q->own[w]->why[0]) add_plan(&t, best_plan(q, w));
  fg_port_run(&t, patience(q->s), q->foreign[backend]);
}

/* How large it is, with run-time parameters at their lower ends. */
static fg_status survey(subject *q) {
  fg_problem p;
  fg_geometry g;
  fg_context *cx = q->s->cx;
  int64_t params[FG_MAX_PARAMS];
  fg_status status = fg_problem_parse(cx, q->text, &p);
  if (status == FG_OK) status = fg_problem_supported(cx, &p);
  if (status != FG_OK) return status;
  fg_settings_lowest(&p, NULL, params);
  fg_geometry_create(cx, &p, params, &g);
  int64_t in = (g.real_in ? 1 : 2) * g.count_in * fg_precision_bytes(fg_problem_stored(&p, false));
  int64_t out = (g.real_out ? 1 : 2) * g.count_out * fg_precision_bytes(fg_problem_stored(&p, true));
  q->text = fg_problem_print(cx, &p);
  q->points = g.points, q->transforms = g.transforms, q->bytes = (in + out) * g.transforms;
  q->bins = g.count_out < FG_PORT_BINS ? g.count_out : FG_PORT_BINS;
  return FG_OK;
}

static bool open_results(subject *q) {
  bool ok = true;
  for (int w = 0; w < q->s->here; w++) {
    q->own[w] = fg_port_share(fg_port_result_bytes(q->bins));
    q->foreign[w] = fg_port_share(fg_port_result_bytes(0));
    if (q->own[w]) q->own[w]->bins = q->bins;
    ok = ok && q->own[w] && q->foreign[w];
  }
  return ok;
}

static void close_results(subject *q) {
  for (int w = 0; w < q->s->here; w++) {
    fg_port_unshare(q->own[w], fg_port_result_bytes(q->bins));
    fg_port_unshare(q->foreign[w], fg_port_result_bytes(0));
  }
}

static fg_status study_problem(study *s, int i, cJSON *list) {
  subject q = {.s = s, .text = s->o->problem[i]};
  fg_status status = survey(&q);
  if (status != FG_OK) return status;
  if (open_results(&q)) {
    for (int w = 0; w < s->here && !stopped(s); w++) run_own(&q, w);
    for (int w = 0; w < s->here && !stopped(s); w++) run_foreign(&q, w);
    if (!stopped(s)) judge(&q, list);
  } else {
    status = FG_ENOMEM;
  }
  close_results(&q);
  return status;
}

/* ---- all of it ------------------------------------------------------------------------------ */

static void add_backends(const study *s, cJSON *to) {
  cJSON *list = cJSON_AddArrayToObject(to, "backends");
  for (int i = 0; i < s->nway; i++) {
    const fg_port_backend *w = &s->backend[i];
    cJSON *row = new_row(list);
    cJSON_AddStringToObject(row, "name", w->name);
    cJSON_AddStringToObject(row, "language", w->language);
    cJSON_AddBoolToObject(row, "here", i < s->here);
    if (i >= s->here) {
      cJSON_AddStringToObject(row, "why", w->why);
      continue;
    }
    cJSON_AddStringToObject(row, "on", w->on);
    cJSON_AddStringToObject(row, "hardware", w->facts.name);
    cJSON_AddStringToObject(row, "version", w->facts.version);
  }
}

fg_status fg_port_measure(fg_context *cx, const fg_port_options *o, cJSON **out) {
  char why[FG_WHY_SIZE] = "";
  study s = {.cx = cx, .o = o};
  if (fg_port_backends(o->only, s.backend, &s.nway, why)) return fg_diag_set(&cx->diag, FG_ESYS, "%s", why);
  while (s.here < s.nway && !s.backend[s.here].why[0]) s.here++;
  if (!s.here)
    return fg_diag_set(&cx->diag, FG_EUSER, "no backend is here%s%s", o->only ? " has a name with one of " : "",
                       o->only ? o->only : "");
  s.steps = 2 * s.here * o->nproblem;
  for (int i = 0; i < o->nproblem; i++) { /* before hours of work: is each one a problem? */
    fg_status status = survey(&(subject){.s = &s, .text = o->problem[i]});
    if (status != FG_OK) return status;
  }
  cJSON *json = cJSON_CreateObject();
  cJSON_AddStringToObject(json, "generator", fg_version);
  add_backends(&s, json);
  cJSON *list = cJSON_AddArrayToObject(json, "problems");
  fg_status status = FG_OK;
  for (int i = 0; i < o->nproblem && status == FG_OK && !stopped(&s); i++) status = study_problem(&s, i, list);
  if (cx->progress.report) cx->progress.report(cx->progress.self, "", 1);
  *out = json;
  if (status == FG_OK) return FG_OK;
  cJSON_Delete(json);
  *out = NULL;
  return status;
}
