/* The compiler, step by step:
 *
 *   parse     text -> fg_problem                             problem.c
 *   decide    problem + device facts -> candidate plans      recipe.c, recipes/
 *   build     plan leaf -> codelet: DAG, simplified          algo/, simplify.c      (inside assemble)
 *   assemble  plan + codelets -> fg_program                  assemble.c, map/passes.c
 *   choose    the cheapest by the shipped model              cost.c              (of those that can be proved, and
 *                                                                                that compilers get through)
 *   prove     program -> yes or no, over prime fields        prove.c
 *   schedule  DAG -> order of operations                     schedule.c             (inside emit)
 *   emit      program -> source text                         emit.c, template.c, targets/
 *   prove     the text itself, over prime fields             text.c, prove/text.c
 */
#include "generator/pipeline/pipeline.h"
#include "generator/base/invariant.h"
#include "generator/base/strbuf.h"
#include "generator/base/text_match.h"
#include "generator/cost/cost.h"
#include "generator/ir/envelope.h"
#include "generator/ir/program_machine.h"
#include "generator/pipeline/build.h"
#include "generator/print/names.h"
#include "generator/problem/shape.h"
#include "targets/timing.h"
#include <stdlib.h>
#include <string.h>

/* What a target without a probed device offers. */
static fg_device_facts usual_facts(const fg_compilation *c) {
  fg_device_facts f = {.lanes_f32 = 1, .lanes_f64 = 1, .registers = 16, .has_f64 = true};
  if (c->dialect->block_id) {
    fg_machine_facts(fg_machine_find(c->dialect->machine), &f);
    f.is_gpu_like = !c->isa;
  }
  return f;
}

/* What the named machine offers, as far as the target can use it. */
static fg_device_facts named_facts(const fg_compilation *c) {
  fg_device_facts f;
  fg_machine_facts(c->request.machine, &f);
  if (!c->dialect->cluster) f.cluster = 1;
  f.queue = f.queue && c->dialect->queue;
  if (!c->dialect->block_id || f.local_bytes) return f;
  const fg_machine *usual =
      fg_machine_find(c->dialect->machine); /* a CPU's row does not know what OpenCL makes of it */
  f.local_bytes = (size_t)usual->shared_block_bytes;
  f.max_threads = (int)usual->block_threads;
  return f;
}

static fg_device_facts facts_of(const fg_compilation *c) {
  if (c->request.machine) return named_facts(c);
  fg_device_facts f = c->request.facts ? *c->request.facts : usual_facts(c);
  if (c->isa) f.machine = *fg_machine_find(c->isa->machine); /* of a CPU, which its OpenCL does not describe */
  if (!f.machine.name) f.machine = *fg_machine_find(c->dialect->machine);
  return f;
}

static void map_from_facts(fg_compilation *c) {
  const fg_device_facts *f = &c->facts;
  fg_mapping *m = &c->mapping;
  m->threads = c->dialect->block_id && !c->isa;
  m->blocks = c->dialect->block_id && c->isa;
  m->lanes = 1;
  m->registers = f->registers;
  m->max_threads = f->max_threads;
  m->local_bytes = f->local_bytes;
  m->queue = c->dialect->queue != NULL;
  m->shuffles = c->dialect->lane != NULL;
  m->matrix = c->dialect->matrix && f->machine.matrix;
  m->cluster = c->dialect->cluster ? c->dialect->cluster->most : 1;
  m->fma = f->has_fma;
  m->machine = fg_arena_copy(c->cx->arena, &f->machine, sizeof f->machine);
  if (c->request.machine) m->cluster = f->cluster > 1 ? f->cluster : 1, m->queue = f->queue;
  if (!c->isa) return;
  m->registers = c->isa->registers;
  m->fma = c->isa->fma;
  if (c->isa->vector_bytes && c->dialect->vector.possible)
    m->lanes = c->isa->vector_bytes / fg_precision_bytes(c->problem.compute);
  m->one_source = !c->isa->two_sources;
}

/* The widest vectors of this CPU on which the device is fast; NULL: it has threads. */
static const fg_isa *isa_of_device(const fg_compilation *c) {
  const fg_device_facts *f = c->request.facts;
  const fg_isa *best = NULL;
  if (c->request.machine) return c->request.machine->isa ? fg_isa_find(c->request.machine->isa) : NULL;
  if (!f || f->is_gpu_like || !c->dialect->vector.possible) return NULL;
  for (const fg_isa *i = fg_isa_table(); i->name; i++)
    if (i->vector_bytes && fg_isa_runs_here(i) && i->vector_bytes <= 4 * f->lanes_f32) best = i;
  return best;
}

static const char *isa_name(int i) { return fg_isa_table()[i].name; }

static const char *target_hint(fg_arena *a, const char *name) {
  if (strcmp(name, "gpu") != 0) return fg_words_near(a, name, strlen(name), fg_dialect_offered);
  fg_strbuf names; /* those with threads */
  names = fg_strbuf_new(a);
  for (const fg_dialect *const *d = fg_dialect_table(); *d; d++)
    if (fg_dialect_is_offered(*d) && (*d)->block_id)
      fg_strbuf_addf(&names, "%s%s", names.length ? ", " : "", (*d)->name);
  return fg_arena_printf(a, " (did you mean one of %s?)", names.text);
}

/* Kernels that are launched have threads, or blocks of one thread with vectors. */
static fg_status choose_isa(fg_compilation *c) {
  const char *name = c->request.isa;
  if (c->dialect->block_id) {
    if (!name || !strcmp(name, "native")) return c->isa = isa_of_device(c), FG_OK;
    if (!strcmp(name, "scalar")) return FG_OK;
    if (c->dialect->vector.possible && (c->isa = fg_isa_find(name))) return FG_OK;
    return fg_refuse(c->cx, "isa '%s': target %s has threads, no instruction sets to choose from", name,
                     c->dialect->name);
  }
  if (c->request.machine && (!name || !strcmp(name, "native"))) name = c->request.machine->isa;
  c->isa = name && strcmp(name, "native") ? fg_isa_find(name) : fg_isa_native();
  if (c->isa) return FG_OK;
  fg_strbuf names = fg_strbuf_new(c->cx->arena);
  for (const fg_isa *i = fg_isa_table(); i->name; i++) fg_strbuf_addf(&names, ", %s", i->name);
  return fg_refuse(c->cx, "isa %s: unknown%s; allowed: native%s", fg_words_quote(c->cx->arena, name, strlen(name)),
                   fg_words_near(c->cx->arena, name, strlen(name), isa_name), names.text);
}

static fg_status choose_dialect(fg_compilation *c) {
  const fg_machine *m = c->request.machine;
  const char *name = c->request.target ? c->request.target : m ? fg_dialect_of_machine(m)->name : "c";
  c->dialect = fg_dialect_find(name);
  if (c->dialect && !c->dialect->field_literals) return FG_OK; /* those are for the proof alone */
  fg_strbuf names = fg_strbuf_new(c->cx->arena);
  for (const fg_dialect *const *d = fg_dialect_table(); *d; d++)
    if (fg_dialect_is_offered(*d)) fg_strbuf_addf(&names, "%s%s", names.length ? ", " : "", (*d)->name);
  return fg_refuse(c->cx, "target %s: unknown%s; allowed: %s", fg_words_quote(c->cx->arena, name, strlen(name)),
                   target_hint(c->cx->arena, name), names.text);
}

static fg_status check_precision(const fg_compilation *c) {
  fg_precision p = c->problem.compute;
  if (c->dialect->real[p]) return FG_OK;
  fg_strbuf has = fg_strbuf_new(c->cx->arena);
  for (int i = 0; i < FG_PRECISION_COUNT; i++)
    if (c->dialect->real[i]) fg_strbuf_addf(&has, "%s%s", has.length ? ", " : "", fg_precision_name((fg_precision)i));
  return fg_refuse(c->cx, "target %s: its language has no %s; allowed: arithmetic in %s, or another target",
                   c->dialect->name, fg_precision_name(p), has.text);
}

/* A machine that is named: the target is for it, and it has the instructions. */
static fg_status check_machine(const fg_compilation *c) {
  const fg_machine *m = c->request.machine;
  if (!m) return FG_OK;
  char targets[FG_DIALECT_LIST];
  if (!fg_dialect_takes(c->dialect, m))
    return fg_refuse(c->cx, "arch \"%s\": not for target %s; allowed: %s", m->name, c->dialect->name,
                     fg_dialect_list(m, targets));
  if (fg_machine_is_gpu(m) && !m->f64 && c->problem.compute == FG_F64)
    return fg_refuse(c->cx, "arch \"%s\": computes no f64; allowed: arithmetic in f32", m->name);
  if (!c->isa || !*c->isa->cpu) return FG_OK;
  const fg_isa *own = m->isa ? fg_isa_find(m->isa) : NULL;
  if (own && !strcmp(own->cpu, c->isa->cpu) && c->isa->vector_bytes <= own->vector_bytes) return FG_OK;
  return fg_refuse(c->cx, "arch \"%s\": has no instructions %s%s%s", m->name, c->isa->name, own ? "; it has " : "",
                   own ? own->name : "");
}

/* What is emitted has these names as they are. */
static fg_status check_names(const fg_compilation *c) {
  const char *words = c->dialect->reserved;
  for (int i = 0; words && i < c->problem.nparam; i++) {
    const char *name = c->problem.param[i].name;
    if (fg_words_has(words, name, strlen(name)))
      return fg_refuse(c->cx, "run-time parameter '%s': target %s: the language keeps this name for itself", name,
                       c->dialect->name);
  }
  return c->request.prefix ? fg_names_check(c->cx, c->dialect, "prefix", c->request.prefix) : FG_OK;
}

/* From so many points on, of all transforms, the proof takes as long as a compiler does: little is won by short
 * codelets. */
enum { LONG_POINTS = 1 << 11 };

static bool is_long(const fg_problem *p) {
  int64_t points = fg_problem_points(p);
  return points >= LONG_POINTS || fg_problem_batch_count(p, NULL) >= LONG_POINTS / points;
}

fg_status fg_pipeline_parse(fg_context *cx, const fg_request *request, fg_compilation *c) {
  *c = (fg_compilation){.cx = cx, .request = *request};
  fg_status status = fg_problem_parse(cx, request->problem, &c->problem);
  c->request.effort_fast = request->effort_fast && status == FG_OK && !is_long(&c->problem);
  cx->effort_fast = c->request.effort_fast;
  if (status == FG_OK) status = fg_problem_supported(cx, &c->problem);
  if (status == FG_OK) status = fg_table_covers(cx, &c->problem);
  if (status == FG_OK) status = choose_dialect(c);
  if (status == FG_OK) status = check_precision(c);
  if (status == FG_OK) status = check_names(c);
  if (status == FG_OK) status = choose_isa(c);
  if (status == FG_OK) status = check_machine(c);
  if (status != FG_OK) return status;
  c->facts = facts_of(c);
  if (c->dialect->block_id && !c->isa && !fg_machine_is_gpu(&c->facts.machine)) /* a CPU that has threads to do */
    c->facts.machine = *fg_machine_find(c->dialect->machine);
  map_from_facts(c);
  if (c->dialect->block_id) c->facts.is_gpu_like = !c->isa;
  if (c->isa) {
    c->facts.lanes_f32 = c->isa->vector_bytes ? c->isa->vector_bytes / 4 : 1;
    c->facts.lanes_f64 = c->isa->vector_bytes ? c->isa->vector_bytes / 8 : 1;
    c->facts.registers = c->isa->registers;
    c->facts.cache[1] = (size_t)fg_program_machine_l2(c->mapping.machine);
  }
  return FG_OK;
}

/* Numbers that an access moves one by one for vectors of the stage's lanes. */
static int64_t collected(const fg_kernel *k, const fg_stage *s, const fg_access *a, int slots) {
  int lanes = fg_stage_lanes(k, s);
  return a->move == FG_MOVE_GATHER ? (int64_t)lanes * slots : 0;
}

/* Of a stage, about: operations and what vectors load and store one by one. Vectors of pairs have one where others have
 * two; a number that is converted takes three. */
static int64_t statements(const fg_program *p, const fg_kernel *k, const fg_stage *s) {
  const fg_codelet *c = s->codelet;
  bool narrow = p->problem.storage != p->problem.compute;
  int64_t moved = collected(k, s, &s->load, c->nin) + collected(k, s, &s->store, c->nout);
  int64_t written = fg_cost_arithmetic(c) / 16 + (narrow ? 3 : 1) * moved;
  return s->vectors.packed ? written / 2 : written;
}

/* Does a compiler need long for it? The slowest of gcc 12 for x86 and AArch64 and of clang 14, from -O1 to -O3, takes
 * for a stage of vectors at most about 3e-7 s times the square of its statements: 3 s for 3300, 5 s for 4400, 7 s for
 * 8700, and of halves 31 s for 10800 and 18 s and 1 GiB for 16900. Scalars take a third: 3 s for 8300, and no codelet
 * has more. */
static bool is_slow_to_compile(const fg_program *p) {
  const int64_t most = 8800;
  for (int i = 0; i < p->nkernel; i++)
    for (int n = 0; n < p->kernel[i]->nstage; n++) {
      const fg_kernel *k = p->kernel[i];
      const fg_stage *s = &k->stage[n];
      if (s->codelet && fg_stage_lanes(k, s) > 1 && statements(p, k, s) > most) return true;
    }
  return false;
}

/* Those that take a compiler too long are moved to the end. */
static int by_cost(const void *a, const void *b) {
  const fg_built *x = a, *y = b;
  if (x->slow_to_compile != y->slow_to_compile) return x->slow_to_compile ? 1 : -1;
  if (x->cost.cost != y->cost.cost) return x->cost.cost < y->cost.cost ? -1 : 1;
  return x->order - y->order;
}

/* A mistake of our own names the problem and the plan that bring it about. */
static fg_status report(const fg_compilation *c, const fg_plan *plan, fg_status status) {
  fg_context *cx = c->cx;
  if (status != FG_EINTERNAL) return status;
  const char *what = fg_arena_strdup(cx->arena, cx->diag.message);
  fg_diag_clear(&cx->diag);
  return fg_diag_set(&cx->diag, status, "%s; problem \"%s\", plan %s, target %s%s%s", what, c->request.problem,
                     fg_plan_print(cx, plan), c->dialect->name, c->isa ? ", isa " : "", c->isa ? c->isa->name : "");
}

fg_status fg_pipeline_report(fg_compilation *c, fg_status status) { return report(c, c->chosen.plan, status); }

typedef struct building {
  const fg_compilation *c;
  const fg_plan *plan;
  fg_built *out;
} building;

static fg_status build(fg_context *cx, void *data) {
  const building *b = data;
  fg_status status = fg_pipeline_program(cx, &b->c->problem, b->plan, &b->c->mapping, &b->out->program);
  if (status != FG_OK) return status;
  b->out->plan = b->plan;
  b->out->order = b->c->ncandidate;
  fg_program_count(b->out->program, &b->out->cost);
  b->out->cost.cost = fg_cost_estimate(b->out->program, &b->out->cost);
  b->out->slow_to_compile = !b->c->dialect->block_id && is_slow_to_compile(b->out->program);
  return FG_OK;
}

fg_status fg_pipeline_build(const fg_compilation *c, const fg_plan *plan, fg_built *out) {
  building b = {c, plan, out};
  return report(c, plan, fg_invariant_run(c->cx, build, &b));
}

/* Instructions that are written out, about: a compiler's time is in proportion to them. Collecting
 * a number takes LLVM as long as six of them. */
static int64_t code_of(const fg_program *p) {
  enum { COLLECTING = 6 };
  int64_t code = 0;
  for (int i = 0; i < p->nkernel; i++)
    for (int n = 0; n < p->kernel[i]->nstage; n++) {
      const fg_kernel *k = p->kernel[i];
      const fg_stage *s = &k->stage[n];
      const fg_codelet *c = s->codelet;
      if (!c) continue;
      code += c->nnode + c->nnode / 4 + 2 * (c->nin + c->nout + c->ntw);
      code += COLLECTING * (collected(k, s, &s->load, c->nin) + collected(k, s, &s->store, c->nout));
    }
  return code;
}

/* The plan of least cost whose code is short enough to be compiled soon (docs/lab/latency.md); where none is, the plan
 * with the least code. */
static const fg_built *choose_fast(const fg_compilation *c) {
  enum { MOST_CODE = 3500 };
  const fg_built *least = &c->candidate[0];
  for (int i = 0; i < c->ncandidate; i++) {
    if (code_of(c->candidate[i].program) <= MOST_CODE) return &c->candidate[i];
    if (code_of(c->candidate[i].program) < code_of(least->program)) least = &c->candidate[i];
  }
  return least;
}

/* Of candidates that cost up to `most` the one with the least code; `best` is one of them. */
static const fg_built *least_code(const fg_compilation *c, const fg_built *best, int64_t most) {
  for (int i = 0; i < c->ncandidate && c->candidate[i].cost.cost <= most; i++)
    if (c->candidate[i].slow_to_compile <= best->slow_to_compile &&
        code_of(c->candidate[i].program) < code_of(best->program))
      best = &c->candidate[i];
  return best;
}

/* A sixteenth is what the model of blocks and threads cannot tell apart. */
static const fg_built *choose_shortest_build(const fg_compilation *c) {
  const fg_built *best = &c->candidate[0];
  return least_code(c, best, best->cost.cost + best->cost.cost / 16);
}

static void choose(fg_compilation *c) {
  c->chosen = c->request.effort_fast      ? *choose_fast(c)
              : c->request.shortest_build ? *choose_shortest_build(c)
                                          : c->candidate[0];
}

static fg_status add_candidate(fg_compilation *c, const fg_plan *plan) {
  fg_status status = fg_pipeline_build(c, plan, &c->candidate[c->ncandidate]);
  c->ncandidate += status == FG_OK;
  return status;
}

/* The last candidate: one without roots in any field is replaced by others. */
static bool can_be_proved(const fg_compilation *c, fg_context *quiet) {
  return fg_prove_possible(quiet, c->candidate[c->ncandidate - 1].program, FG_PROOF_SEED) == FG_OK;
}

/* A wrong plan of a user's recipe is an error; after one of ours the next is tried. */
static bool gives_way(const fg_compilation *c, fg_status status) {
  return status == FG_EINTERNAL || (status == FG_EUSER && !c->request.nrecipe);
}

static fg_status candidates_of_recipes(fg_compilation *c) {
  fg_candidates plans;
  fg_status status = fg_recipe_plans(c->cx, &c->problem, &c->facts, c->request.recipe, c->request.nrecipe, &plans);
  if (status != FG_OK) return status;
  c->candidate = fg_arena_new(c->cx->arena, fg_built, plans.count + 1);
  fg_context quiet = {.arena = c->cx->arena};
  for (int i = 0; i < plans.count; i++) {
    status = add_candidate(c, plans.plan[i]);
    if (gives_way(c, status)) fg_pipeline_pass_over(c);
    if (status != FG_OK && status != FG_ENA && !gives_way(c, status)) return status;
    if (status == FG_OK) c->ncandidate -= !can_be_proved(c, &quiet);
  }
  if (!c->ncandidate && quiet.diag.message[0])
    return fg_refuse(c->cx, "problem \"%s\": %s", c->request.problem, quiet.diag.message);
  return FG_OK;
}

static void note(const fg_compilation *c, const char *text) {
  if (c->cx->note.report) c->cx->note.report(c->cx->note.self, text);
  fg_diag_clear(&c->cx->diag);
}

/* A plan from wisdom is tried first, whatever it costs; one that is none for this problem is passed over. */
static fg_status put_advised_first(fg_compilation *c) {
  fg_plan *plan;
  fg_status status = fg_plan_parse(c->cx, c->request.advised, &plan);
  if (status == FG_OK) status = fg_plan_fits(c->cx, plan, &c->problem);
  if (status == FG_OK) status = add_candidate(c, plan);
  if (status == FG_ENOMEM || status == FG_ESYS) return status;
  if (status == FG_EUSER || status == FG_ENA) {
    const char *why = c->cx->diag.message[0] ? c->cx->diag.message : "not for this target";
    note(c, fg_arena_printf(c->cx->arena, "plan %s: %s; what wisdom has is ignored", c->request.advised, why));
    return FG_OK;
  }
  if (status != FG_OK) return fg_pipeline_pass_over(c), FG_OK;
  fg_built first = c->candidate[c->ncandidate - 1];
  memmove(&c->candidate[1], &c->candidate[0], sizeof first * (size_t)(c->ncandidate - 1));
  c->candidate[0] = c->chosen = first;
  return FG_OK;
}

static fg_status decide(fg_compilation *c) {
  fg_status status;
  if (c->request.plan) {
    fg_plan *plan;
    if ((status = fg_plan_parse(c->cx, c->request.plan, &plan)) != FG_OK) return status;
    c->candidate = fg_arena_new(c->cx->arena, fg_built, 1);
    status = add_candidate(c, plan);
    if (status == FG_ENA && c->cx->diag.message[0]) return FG_EUSER;
    if (status == FG_ENA) return fg_refuse(c->cx, "plan \"%s\": not possible for this target", c->request.plan);
  } else {
    status = candidates_of_recipes(c);
  }
  if (status != FG_OK) return status;
  if (!c->ncandidate) return fg_refuse(c->cx, "problem \"%s\": no recipe has a plan for it", c->request.problem);
  qsort(c->candidate, (size_t)c->ncandidate, sizeof *c->candidate, by_cost);
  choose(c);
  return c->request.advised && !c->request.plan ? put_advised_first(c) : FG_OK;
}

fg_status fg_pipeline_decide(fg_compilation *c) {
  double begin = fg_timing_thread();
  fg_status status = decide(c);
  c->times.decide += fg_timing_thread() - begin;
  return status;
}

/* Reports the failure to the listener and continues. */
void fg_pipeline_pass_over(const fg_compilation *c) {
  note(c, fg_arena_printf(c->cx->arena, "%s; the next candidate is taken, please report this", c->cx->diag.message));
}

bool fg_pipeline_give_way(fg_compilation *c, fg_status status) {
  if ((status != FG_EWRONG && status != FG_EINTERNAL) || c->request.plan || c->ncandidate < 2) return false;
  int failed = 0;
  while (failed < c->ncandidate && c->candidate[failed].program != c->chosen.program) failed++;
  if (failed == c->ncandidate) return false;
  memmove(&c->candidate[failed], &c->candidate[failed + 1], sizeof *c->candidate * (size_t)(--c->ncandidate - failed));
  fg_pipeline_pass_over(c);
  choose(c);
  return true;
}

static fg_status prove(fg_context *cx, void *data) {
  fg_compilation *c = data;
  return fg_prove(cx, c->chosen.program, FG_PROOF_SEED, &c->proof);
}

fg_status fg_pipeline_prove(fg_compilation *c) {
  fg_status status = fg_pipeline_report(c, fg_invariant_run(c->cx, prove, c));
  if (status != FG_OK || c->proof.proved) return status;
  return fg_diag_set(&c->cx->diag, FG_EWRONG, "proof of \"%s\" by %s: %s", c->request.problem,
                     fg_plan_print(c->cx, c->chosen.plan), c->proof.failure);
}

static fg_status emit(fg_context *cx, void *data) {
  fg_compilation *c = data;
  fg_emit_options options = {.dialect = c->dialect,
                             .isa = c->isa,
                             .prefix = c->request.prefix,
                             .listing = c->request.listing,
                             .machine = c->request.machine,
                             .command = c->request.provenance ? c->request.provenance(c) : c->request.command,
                             .entry = c->request.entry,
                             .self_test = c->request.self_test,
                             .map = &c->map,
                             .static_tables = c->request.static_tables,
                             .sources_alone = c->request.sources_alone};
  return fg_emit(cx, c->chosen.program, &options, &c->emitted);
}

fg_status fg_pipeline_emit(fg_compilation *c) {
  double begin = fg_timing_thread();
  fg_status status = fg_pipeline_report(c, fg_invariant_run(c->cx, emit, c));
  c->times.emit += fg_timing_thread() - begin;
  return status;
}
