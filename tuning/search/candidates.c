/* See candidates.h. Every variant is assembled, which takes a fraction of a millisecond, and costed; nothing is
 * built. */
#include "tuning/search/candidates.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_COMPILERS = 4, VARIANT_EVERY = 4 };

typedef struct tool {
  const char *name; /* NULL: the usual one */
  char version[sizeof((fg_device_facts *)0)->version];
} tool;

typedef struct lister {
  const fg_compilation *c;
  const fg_search_options *o;
  fg_space_device device;
  const char *compiler[MOST_COMPILERS + 1];
  tool tool[MOST_COMPILERS + 1]; /* the usual one first */
  int ntool;
  fg_candidate *list; /* NULL: counting */
  int count;
} lister;

static const char *const usual_compilers[] = {"clang", "clang-19", "gcc"};
enum { NUSUAL = sizeof usual_compilers / sizeof *usual_compilers };

/* Their versions, asked once; NULL: not here. */
static const char *version_of(const fg_search_options *o, int compiler) {
  static fg_device_facts facts[NUSUAL];
  static enum { UNASKED, HERE, ABSENT } state[NUSUAL];
  char why[FG_WHY_SIZE];
  if (state[compiler] == UNASKED) {
    bool absent =
        o->device->option("compiler", usual_compilers[compiler], why) || o->device->probe(&facts[compiler], why);
    state[compiler] = absent ? ABSENT : HERE;
    (void)o->device->option("compiler", NULL, why);
  }
  return state[compiler] == HERE ? facts[compiler].version : NULL;
}

/* Other compilers than the one that would be taken anyway. */
static void find_compilers(lister *l) {
  const fg_search_options *o = l->o;
  l->tool[0].name = o->compiler;
  memcpy(l->tool[0].version, o->facts->version, sizeof l->tool[0].version);
  l->ntool = 1;
  if (o->one_compiler || o->compiler || strcmp(o->device->name, "cc") != 0 || !o->device->option) return;
  for (int i = 0; i < NUSUAL; i++) {
    const char *version = version_of(o, i);
    bool known = !version;
    for (int t = 0; t < l->ntool && !known; t++) known = !strcmp(l->tool[t].version, version);
    if (known) continue;
    tool *t = &l->tool[l->ntool];
    t->name = l->compiler[l->ntool - 1] = usual_compilers[i];
    snprintf(t->version, sizeof t->version, "%s", version);
    l->ntool++;
  }
}

static const tool *tool_of(const lister *l, const char *name) {
  if (name == l->tool[0].name) return &l->tool[0];
  for (int t = 0; name && t < l->ntool; t++)
    if (l->tool[t].name && !strcmp(l->tool[t].name, name)) return &l->tool[t];
  return NULL;
}

static const char *target_of(const fg_search_options *o) {
  return strcmp(o->device->name, "cc") ? o->device->name : "c";
}

/* What the fitted model says. */
static void predict(const lister *l, const fg_compilation *c, const fg_built *b, fg_candidate *k) {
  const tool *t = tool_of(l, k->compiler);
  fg_feature_machine machine = {.registers = c->isa ? c->isa->registers : 16};
  if (l->o->facts->is_gpu_like || !c->isa) return;
  memcpy(machine.cache, l->o->facts->cache, sizeof machine.cache);
  fg_features_count(c, b->program, &machine, l->o->params, &k->features);
  const fg_model_fit *fit = t ? fg_model_find(l->o->model, target_of(l->o), t->version, c->isa->name) : NULL;
  if (fit) k->predicted = fg_model_predict(fit, &k->features);
}

/* The author of a recipe sees the results of all its plans. Recipes are named after their files. */
static bool is_users(const fg_compilation *c, const char *recipe) {
  for (int i = 0; recipe && i < c->request.nrecipe; i++) {
    const char *slash = strrchr(c->request.recipe[i], '/'), *name = slash ? slash + 1 : c->request.recipe[i];
    size_t length = strlen(recipe);
    if (!strncmp(name, recipe, length) && (!name[length] || name[length] == '.')) return true;
  }
  return false;
}

static bool is_listed(const lister *l, const fg_compilation *c, const char *plan) {
  for (int i = 0; i < l->count; i++)
    if (!strcmp(l->list[i].plan, plan) && c->isa && !strcmp(l->list[i].isa, c->isa->name)) return true;
  return false;
}

/* What cannot be built for this device is told with its reason; what does not apply is no candidate. */
static fg_status refuse(lister *l, const fg_compilation *c, const fg_space_variant *v, const char *plan,
                        fg_status status) {
  fg_diag *d = &c->cx->diag;
  if (d->message[0] && c->ncandidate) {
    fg_candidate *k = &l->list[l->count++];
    *k = (fg_candidate){.plan = plan, .recipe = v->plan->recipe, .isa = c->isa ? c->isa->name : NULL, .started = true};
    k->compiler = v->compiler ? v->compiler : l->o->compiler;
    k->work = (fg_work){.state = FG_WORK_LOST, .pid = -1, .fd = -1};
    snprintf(k->work.why, sizeof k->work.why, "refused: %.480s", d->message);
  }
  if (status == FG_EINTERNAL)
    fg_pipeline_pass_over(c);
  else
    fg_diag_clear(d);
  return FG_OK;
}

static fg_status add(lister *l, const fg_compilation *c, const fg_space_variant *v) {
  fg_built b;
  const char *plan = fg_plan_print(c->cx, v->plan);
  if (!v->compiler && is_users(c, v->plan->recipe) && is_listed(l, c, plan)) return FG_OK;
  fg_status status = fg_pipeline_build(c, v->plan, &b);
  if (status == FG_ENA || status == FG_EINTERNAL || status == FG_EUSER) return refuse(l, c, v, plan, status);
  if (status != FG_OK) return status;
  if (b.slow_to_compile && c->ncandidate && !c->candidate[0].slow_to_compile) return FG_OK; /* others are not */
  fg_candidate *k = &l->list[l->count++];
  k->plan = plan;
  k->recipe = v->plan->recipe;
  k->flops = b.cost.flops;
  k->bytes = b.cost.bytes;
  k->cost = b.cost.cost;
  k->isa = c->isa ? c->isa->name : NULL;
  k->compiler = v->compiler ? v->compiler : l->o->compiler;
  predict(l, c, &b, k);
  return FG_OK;
}

/* What the user's recipes propose, as it is; the space varies it, too. */
static fg_status add_users(lister *l, const fg_compilation *c) {
  fg_status status = FG_OK;
  for (int i = 0; i < c->ncandidate && status == FG_OK; i++) {
    fg_space_variant as_it_is = {.plan = c->candidate[i].plan, .origin = i};
    if (!is_users(c, c->candidate[i].plan->recipe)) continue;
    int before = l->count;
    status = add(l, c, &as_it_is);
    for (; before < l->count; before++) l->list[before].users = true;
  }
  return status;
}

/* All variants for the instruction set that c is compiled for. Who asks for one
 * plan gets that. */
static fg_status add_all(lister *l, const fg_compilation *c) {
  fg_space_variant *variant, asked = {.plan = c->candidate[0].plan};
  int count;
  if (c->request.plan) {
    l->list = fg_arena_new(c->cx->arena, fg_candidate, 1);
    return add(l, c, &asked);
  }
  fg_status status = fg_space_expand(c, l->o->space, &l->device, &variant, &count);
  if (status != FG_OK) return status;
  fg_candidate *more = fg_arena_new(c->cx->arena, fg_candidate, l->count + c->ncandidate + count + 1);
  if (l->count) memcpy(more, l->list, (size_t)l->count * sizeof *more);
  l->list = more;
  if (c == l->c) status = add_users(l, c);
  for (int i = 0; i < count && status == FG_OK; i++) status = add(l, c, &variant[i]);
  return status;
}

/* The same problem for other instruction sets; one that has no plans adds none. */
static fg_status add_isas(lister *l) {
  const char **isa;
  int count;
  const char *asked = l->c->request.isa;
  if (!l->c->isa || l->c->request.plan || (asked && strcmp(asked, "native") != 0)) return FG_OK;
  fg_status status = fg_space_isas(l->c, l->o->space, &l->device, &isa, &count);
  for (int i = 0; i < count && status == FG_OK; i++) {
    fg_compilation other;
    fg_request request = l->c->request;
    request.isa = isa[i];
    status = fg_pipeline_parse(l->c->cx, &request, &other);
    if (status == FG_OK) status = fg_pipeline_decide(&other);
    if (status == FG_OK) status = add_all(l, &other);
  }
  return status;
}

/* ---- order ------------------------------------------------------------------------ */

typedef struct ranked {
  fg_candidate *k;
  int group; /* 0: a user's; 1: with a yardstick; 2: without */
  int order;
} ranked;

static int by_worth(const void *a, const void *b) {
  const ranked *x = a, *y = b;
  if (x->group != y->group) return x->group - y->group;
  if (x->k->started != y->k->started) return x->k->started - y->k->started; /* refused already */
  if (x->k->predicted != y->k->predicted) return x->k->predicted < y->k->predicted ? -1 : 1;
  if (x->k->cost != y->k->cost) return x->k->cost < y->k->cost ? -1 : 1;
  return x->order - y->order;
}

static int group_of(const lister *l, const fg_candidate *k, bool fitted) {
  if (k->users) return 0;
  if (fitted) return k->predicted > 0 ? 1 : 2;
  bool usual = !k->isa || !l->c->isa || !strcmp(k->isa, l->c->isa->name);
  return usual && k->compiler == l->o->compiler ? 1 : 2;
}

static void rank(lister *l, fg_search_result *out) {
  ranked *all = fg_arena_new(l->c->cx->arena, ranked, l->count + 1);
  bool fitted = false;
  int first[4] = {0}, from, others;
  for (int i = 0; i < l->count; i++) fitted = fitted || l->list[i].predicted > 0;
  for (int i = 0; i < l->count; i++) all[i] = (ranked){&l->list[i], group_of(l, &l->list[i], fitted), i};
  qsort(all, (size_t)l->count, sizeof *all, by_worth);
  for (int i = 0; i < l->count; i++) first[all[i].group + 1] = i + 1;
  for (int g = 1; g < 4; g++) first[g] = first[g] > first[g - 1] ? first[g] : first[g - 1];
  out->candidate = fg_arena_new(l->c->cx->arena, fg_candidate, l->count + 1);
  for (int i = 0; i < l->count; i++) all[i].k->group = all[i].group;
  for (from = 0; from < first[1]; from++) out->candidate[out->count++] = *all[from].k;
  for (others = first[2]; from < first[2] || others < l->count;) {
    bool turn = out->count % VARIANT_EVERY == VARIANT_EVERY - 1 || from == first[2];
    out->candidate[out->count++] = *all[turn && others < l->count ? others++ : from++].k;
  }
}

static lister *make_lister(const fg_compilation *c, const fg_search_options *options) {
  lister *l = fg_arena_new(c->cx->arena, lister, 1);
  l->c = c, l->o = options;
  find_compilers(l);
  l->device.compiler = l->compiler;
  memcpy(l->device.cache, options->facts->cache, sizeof l->device.cache);
  return l;
}

fg_status fg_candidates_list(const fg_compilation *c, const fg_search_options *options, fg_search_result *out) {
  lister *l = make_lister(c, options);
  *out = (fg_search_result){0};
  fg_status status = add_all(l, c);
  if (status == FG_OK) status = add_isas(l);
  if (status == FG_OK) rank(l, out);
  return status;
}

fg_status fg_candidates_usual(const fg_compilation *c, const fg_search_options *options, fg_candidate *out) {
  lister *l = make_lister(c, options);
  fg_space_variant as_it_is = {.plan = c->candidate[0].plan};
  l->list = out;
  *out = (fg_candidate){0};
  return add(l, c, &as_it_is);
}

fg_status fg_candidates_known(const fg_compilation *c, const fg_search_options *options, fg_candidate *out) {
  fg_context quiet = {.arena = c->cx->arena};
  fg_compilation one;
  fg_request request = c->request;
  *out = (fg_candidate){0};
  if (!options->known) return FG_OK;
  request.plan = options->known;
  if (options->known_isa) request.isa = options->known_isa;
  fg_status status = fg_pipeline_parse(&quiet, &request, &one);
  if (status == FG_OK) status = fg_pipeline_decide(&one);
  if (status == FG_OK) status = fg_candidates_usual(&one, options, out);
  if (status != FG_OK || out->started) *out = (fg_candidate){0}; /* refused: of another version */
  return status == FG_ENOMEM ? status : FG_OK;
}

/* ---- around one that was found fast ----------------------------------------------- */

static bool is_among(const fg_search_result *r, const fg_candidate *k) {
  for (int i = 0; i < r->count; i++) {
    const fg_candidate *other = &r->candidate[i];
    bool same = !strcmp(other->plan, k->plan) && (!k->isa || !strcmp(other->isa, k->isa));
    if (same && (k->compiler ? other->compiler && !strcmp(other->compiler, k->compiler) : !other->compiler))
      return true;
  }
  return false;
}

fg_status fg_candidates_around(const fg_compilation *c, const fg_search_options *options, const fg_candidate *best,
                               int most, fg_search_result *io) {
  lister *l = make_lister(c, options);
  fg_compilation one;
  fg_space_variant *variant;
  fg_request request = c->request;
  int count = 0;
  request.plan = best->plan, request.isa = best->isa;
  fg_status status = fg_pipeline_parse(c->cx, &request, &one);
  if (status == FG_OK) status = fg_pipeline_decide(&one);
  if (status == FG_OK) status = fg_space_around(&one, options->space, &l->device, &variant, &count);
  if (status == FG_OK) l->list = fg_arena_new(c->cx->arena, fg_candidate, count + 1);
  for (int i = 0; i < count && status == FG_OK && io->count < most; i++) {
    int before = l->count;
    if (!variant[i].compiler) variant[i].compiler = best->compiler;
    status = add(l, &one, &variant[i]);
    if (l->count == before || is_among(io, &l->list[before])) continue;
    l->list[before].recipe = best->recipe;
    l->list[before].steps = best->steps + 1;
    l->list[before].base = best;
    io->candidate[io->count++] = l->list[before];
  }
  return status;
}

const fg_candidate *fg_candidates_estimate(const fg_search_result *r) {
  const fg_candidate *best = NULL;
  for (int i = 0; i < r->count; i++) {
    const fg_candidate *k = &r->candidate[i];
    if (k->predicted > 0 && (!best || k->predicted < best->predicted)) best = k;
  }
  return best;
}
