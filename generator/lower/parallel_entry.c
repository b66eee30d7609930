/* Entry points that run a part of one step, so that several threads do a transform together. In: a program whose
 * kernels or stages have digits of parts. Out: the text of NAME_part, the number of steps, and the size of scratch.
 *
 * A step is a kernel whose outer loop is divided, or one stage of another kernel, divided at one of its own loops.
 * There is a barrier between steps; parts of one step may run in any order, as in the proof's race model. If outer
 * loops are divided, each part has its own LOCAL memory. */
#include "generator/lower/parallel_entry.h"
#include "generator/base/template.h"
#include "generator/lower/kernel.h"
#include "generator/lower/memory.h"
#include "generator/lower/parallel.h"
#include "generator/text/emitter.h"
#include "generator/text/spell.h"

static int mention(const fg_emitter *e, const fg_uses *u, const char **item) {
  int n = 0;
  for (int m = 0; m < e->p->nbuffer; m++) n += fg_memory_mention(e, u, m, &item[n]);
  return n;
}

static int add_tail(const fg_emitter *e, const fg_uses *u, bool cut, const char **item, int n) {
  for (int i = 0; i < e->p->problem.nparam; i++)
    if (u->param[i]) item[n++] = fg_spell_param(e, i);
  if (cut) item[n++] = "part", item[n++] = "parts";
  return n;
}

/* What is not cut is done by the first part. */
static void add_call(const fg_emitter *e, fg_template_values *v, bool cut, const char *call, int *number) {
  fg_template_values *row = fg_template_add_row(v, "step");
  fg_template_setf(row, "number", "%d", (*number)++);
  fg_template_set(row, "text", fg_arena_printf(e->cx->arena, cut ? "%s;" : "    if (part == 0)\n%s;", call));
}

static void add_stage_step(const fg_emitter *e, fg_template_values *v, const fg_parallel_step *s, int *number) {
  const char *item[FG_MAX_ITEMS];
  bool cut = fg_parallel_is_stage(e, &e->p->kernel[s->kernel]->stage[s->stage]);
  int n = add_tail(e, s->uses, cut, item, mention(e, s->uses, item));
  add_call(e, v, cut, fg_spell_call(e, fg_lower_stage_symbol(e, s->kernel, s->stage), item, n, cut ? 4 : 6), number);
}

static void add_kernel_step(const fg_emitter *e, fg_template_values *v, const fg_parallel_step *s, int *number) {
  const char *item[FG_MAX_ITEMS];
  bool cut = fg_parallel_is_kernel(e, e->p->kernel[s->kernel]);
  int n = add_tail(e, s->uses, cut, item, mention(e, s->uses, item));
  add_call(e, v, cut, fg_spell_call(e, fg_lower_kernel_symbol(e, s->kernel), item, n, cut ? 4 : 6), number);
}

fg_status fg_lower_parallel_entry(fg_emitter *e, const fg_parallel_text *t, fg_template_values *v, fg_strbuf *out) {
  bool used[FG_MAX_PARAMS] = {false};
  int number = 0;
  fg_template_list(v, "step");
  fg_template_list(v, "unused");
  for (int i = 0; i < e->nstep; i++) {
    const fg_parallel_step *s = &e->step[i];
    if (s->stage < 0)
      add_kernel_step(e, v, s, &number);
    else
      add_stage_step(e, v, s, &number);
    for (int p = 0; p < e->p->problem.nparam; p++) used[p] = used[p] || s->uses->param[p];
  }
  for (int p = 0; p < e->p->problem.nparam; p++)
    if (!used[p]) fg_template_set(fg_template_add_row(v, "unused"), "name", fg_spell_param(e, p));
  fg_template_set(v, "name", e->name);
  fg_template_set(v, "linkage", fg_spell_linkage(e));
  fg_template_set(v, "head", t->head);
  fg_template_set(v, "call", t->call);
  fg_template_set(v, "entry", e->o->entry ? "1" : "");
  fg_template_set(v, "fence", e->streams ? e->d->vector.stream_fence : "");
  return fg_template_expand(e->cx, "part.tmpl", v, out);
}
