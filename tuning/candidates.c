/* See candidates.h. In: plans, cheapest by the shipped model first. Out: those
 * plans - what a user's recipe proposes before all others - and after every few of them one of the best again with
 * another compiler or with narrower vectors, which on some processors are the faster ones. */
#include "tuning/candidates.h"
#include <stdio.h>
#include <string.h>

enum { MOST_VARIANTS = 8, VARIANT_EVERY = 3, PLANS_VARIED = 2 };

typedef struct variant {
  const char *isa, *compiler;
  int plan; /* rank by the model */
} variant;

/* Another compiler than the one that would be taken anyway. */
static const char *other_compiler(const fg_search_options *o) {
  char why[FG_WHY_SIZE];
  fg_device_facts facts;
  const char *other = NULL;
  if (o->compiler || strcmp(o->device->name, "cc") != 0 || !o->device->option) return NULL;
  static const char *const names[] = {"clang", "clang-19", "gcc"};
  for (size_t i = 0; i < sizeof names / sizeof *names && !other; i++) {
    if (o->device->option("compiler", names[i], why) || o->device->probe(&facts, why)) continue;
    if (strcmp(facts.version, o->facts->version) != 0) other = names[i];
  }
  (void)o->device->option("compiler", NULL, why);
  return other;
}

static const char *narrower_isa(const fg_compilation *c) {
  const fg_isa *narrower = NULL;
  if (!c->isa || !c->isa->vector_bytes || (c->request.isa && strcmp(c->request.isa, "native") != 0)) return NULL;
  for (const fg_isa *i = fg_isa_table(); i->name && i->vector_bytes < c->isa->vector_bytes; i++)
    if (i->vector_bytes) narrower = i;
  return narrower && narrower->fma == c->isa->fma ? narrower->name : NULL;
}

static int list_variants(const fg_compilation *c, const fg_search_options *o, variant *out) {
  const char *isa = narrower_isa(c), *compiler = other_compiler(o);
  int n = 0;
  for (int p = 0; p < PLANS_VARIED && p < c->ncandidate; p++) {
    if (compiler) out[n++] = (variant){NULL, compiler, p};
    if (isa) out[n++] = (variant){isa, NULL, p};
  }
  return n;
}

/* Whoever wrote a recipe wants to see what becomes of it. */
static bool is_users(const fg_compilation *c, int plan) {
  const char *recipe = c->candidate[plan].plan->recipe;
  for (int i = 0; i < c->request.nrecipe; i++)
    if (recipe && !strcmp(recipe, c->request.recipe[i])) return true;
  return false;
}

/* Ranks in the order of the search. */
static int *order_plans(const fg_compilation *c) {
  int *order = fg_arena_new(c->cx->arena, int, c->ncandidate + 1), n = 0;
  for (int pass = 0; pass < 2; pass++)
    for (int p = 0; p < c->ncandidate; p++)
      if (is_users(c, p) == (pass == 0)) order[n++] = p;
  return order;
}

static void add(const fg_compilation *c, const fg_search_options *o, const variant *v, fg_search_result *out) {
  fg_candidate *k = &out->candidate[out->count++];
  k->plan = fg_plan_print(c->cx, c->candidate[v->plan].plan);
  k->flops = c->candidate[v->plan].cost.flops;
  k->bytes = c->candidate[v->plan].cost.bytes;
  k->isa = v->isa ? v->isa : c->isa ? c->isa->name : NULL;
  k->compiler = v->compiler ? v->compiler : o->compiler;
}

void fg_candidates_list(const fg_compilation *c, const fg_search_options *options, int most, fg_search_result *out) {
  variant others[MOST_VARIANTS];
  int nother = list_variants(c, options, others), taken = 0, *order = order_plans(c);
  out->candidate = fg_arena_new(c->cx->arena, fg_candidate, c->ncandidate + nother + 1);
  for (int p = 0; p < c->ncandidate && out->count < most; p++) {
    add(c, options, &(variant){.plan = order[p]}, out);
    bool turn = (p + 1) % VARIANT_EVERY == 0 || p == c->ncandidate - 1;
    if (turn && taken < nother && out->count < most) add(c, options, &others[taken++], out);
  }
  while (taken < nother && out->count < most) add(c, options, &others[taken++], out);
}
