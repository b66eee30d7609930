/* Map, load_ahead=on: a block that stays loads ahead into shared memory that its exchanges leave.
 *
 * In: a kernel whose blocks each have one transform. Out: the same with blocks that go from transform to transform; the
 * last slots of the first stage's loads, and of a spectrum's, come from spare memory, which an engine fills meanwhile:
 * with the next input once the spectrum was used, with the spectrum once the input was. The idea: slots of a pass are
 * parts of an array, one behind the other; so what an engine brings is one piece.
 *
 * Little memory is left to L1 then, and tables are the same for all transforms: near_tables.c. */
#include "generator/assemble/memory.h"
#include "generator/base/integer.h"
#include "generator/map/async_copy.h"
#include "generator/map/digits.h"
#include "generator/map/map.h"
#include "generator/map/near_tables.h"
#include <stdio.h>

enum { MOST_PARTS = 2, OF_TABLES = 4 /* parts of spare memory, one of which tables may have */ };

/* ---- parts of arrays ------------------------------------------------------------------- */

typedef struct part { /* what some slots of an access load, of each transform */
  fg_access *of;
  int stage;
  int64_t each;  /* elements of the array for a slot */
  int64_t slots; /* the last ones */
} part;

static fg_status refuse(fg_builder *b, const char *why) {
  return fg_diag_set(&b->cx->diag, FG_ENA, "plan: load_ahead=on wants %s", why);
}

static bool is_straight(const fg_kernel *k, const fg_access *a) {
  const fg_index *x = &a->index;
  const fg_digit *slot = &k->digit[a->reg];
  bool plain = !a->rest && !a->npred && !x->nwrap && !fg_index_is_bent(x) && !x->xor_mask && !x->swap.count;
  return plain && fg_num_is(x->at.offset, 0) && slot->step == 1 && fg_num_is(slot->start, 0);
}

/* Elements of each slot, if all loops go through these and no others; 0: they do not. */
static int64_t elements_of_slot(const fg_kernel *k, const fg_access *a) {
  const fg_affine *at = &a->index.at;
  int64_t most = 0, each = fg_affine_coef(at, a->reg).n;
  if (!is_straight(k, a) || !fg_affine_mentions(at, k->outer[0])) return 0;
  for (int t = 0; t < at->nterm; t++) {
    const fg_digit *d = &k->digit[at->term[t].digit];
    if (at->term[t].coef.form != FG_NUM_CONST || at->term[t].coef.n < 0) return 0;
    if (at->term[t].digit == a->reg || at->term[t].digit == k->outer[0]) continue;
    if (d->extent.form != FG_NUM_CONST || !fg_num_is(d->start, 0)) return 0;
    most += at->term[t].coef.n * fg_digit_value(d, d->extent.n - 1, NULL);
  }
  return most + 1 == each ? each : 0;
}

static bool may_come(const fg_program *p, const fg_access *a) {
  fg_space space = p->buffer[fg_buffer_root(p, a->buffer)].space;
  const fg_buffer *from = &p->buffer[a->buffer];
  bool given = space == FG_SPACE_GIVEN || (space == FG_SPACE_INPUT && !p->problem.in_place);
  return given && (from->elem == FG_ELEM_REAL || from->layout == FG_LAYOUT_INTERLEAVED);
}

static part part_of(const fg_builder *b, int stage, fg_access *a) {
  part x = {.of = a, .stage = stage};
  if (may_come(b->program, a)) x.each = elements_of_slot(b->kernel, a);
  return x;
}

static bool loads_input(const fg_builder *b, int stage) {
  return fg_buffer_root(b->program, b->kernel->stage[stage].load.buffer) == FG_BUFFER_IN;
}

static bool have_one_law(const fg_operations *operations) {
  bool one = true;
  for (int i = 0; operations && i < operations->count; i++)
    one = one && !(operations->operation[i].has_operand && operations->operation[i].operand.rest);
  return one;
}

/* Of the input, which the first stage alone loads, and of a spectrum behind it; how many. */
static int find_parts(const fg_builder *b, part found[MOST_PARTS]) {
  const fg_program *p = b->program;
  fg_kernel *k = b->kernel;
  found[0] = part_of(b, 0, &k->stage[0].load);
  if (!found[0].each || !loads_input(b, 0) || !have_one_law(k->stage[0].operations.loaded)) return 0;
  for (int s = 1; s < k->nstage; s++)
    if (loads_input(b, s)) return 0;
  for (int s = 2; s < k->nstage; s++) {
    if (!k->stage[s].factors.has_more) continue;
    found[1] = part_of(b, s, &k->stage[s].factors.more);
    const fg_buffer *in = &p->buffer[found[0].of->buffer], *given = &p->buffer[found[1].of->buffer];
    bool alike = fg_buffer_is_like(in, given) && in->precision == given->precision;
    return found[1].each && alike ? 2 : 1;
  }
  return 1;
}

static int64_t spare_bytes(const fg_builder *b) {
  int64_t bytes = (int64_t)b->map->local_bytes - FG_MAP_BULK_BYTES;
  for (int i = 0; i < b->program->nbuffer; i++) {
    const fg_buffer *of = &b->program->buffer[i];
    if (fg_map_is_local(b, i) && fg_buffer_is_shared(of) && of->alias < 0) bytes -= fg_buffer_bytes(of);
  }
  return bytes;
}

/* As many slots of each as there is room for. False: not one. */
static bool fill(const fg_builder *b, part *found, int count) {
  for (part *x = found; x < found + count; x++) {
    const fg_buffer *from = &b->program->buffer[x->of->buffer];
    int64_t bytes = x->each * fg_buffer_parts(from) * fg_precision_bytes(from->precision);
    x->slots = fg_smaller(spare_bytes(b) / bytes, b->kernel->digit[x->of->reg].extent.n);
    if (x->slots < 1) return false;
  }
  return true;
}

static bool is_whole(const fg_builder *b, const part *found, int count) {
  bool whole = true;
  for (int i = 0; i < count; i++) whole = whole && found[i].slots == b->kernel->digit[found[i].of->reg].extent.n;
  return whole;
}

static int16_t spare_memory(fg_builder *b, const part *x, int64_t elements) {
  fg_buffer like = b->program->buffer[x->of->buffer];
  snprintf(like.name, sizeof like.name, "ahead");
  like.space = FG_SPACE_LOCAL, like.alias = -1;
  like.size = elements;
  like.local = (fg_buffer_local){.plain = true, .own = true};
  return fg_build_buffer(b->program, &like);
}

/* The copy of what x's last slots load. */
static fg_stage copy_of(fg_builder *b, const part *x, int16_t memory) {
  fg_kernel *k = b->kernel;
  int64_t all = x->slots * x->each, first = k->digit[x->of->reg].extent.n - x->slots;
  fg_stage s = fg_map_copy_elements(b, x->of->buffer, memory, k->launch.threads, all);
  s.what = "copy ahead";
  s.load.index.at.offset = fg_num_const(first * x->each);
  fg_affine_add(&s.load.index.at, k->outer[0], fg_affine_coef(&x->of->index.at, k->outer[0]));
  s.exchange.before = (fg_exchange){FG_SCOPE_BLOCK, FG_TRANSPORT_ENGINE, FG_SIGNAL_COUNT};
  s.exchange.after = fg_exchange_barrier();
  return s;
}

/* Operands of what is loaded have slots as it has. */
static void split_operands(fg_builder *b, fg_operations *operations, int64_t far, int64_t near) {
  fg_kernel *k = b->kernel;
  for (int i = 0; operations && i < operations->count; i++) {
    if (!operations->operation[i].has_operand) continue;
    fg_access *a = &operations->operation[i].operand, *rest = fg_arena_copy(b->cx->arena, a, sizeof *a);
    int16_t before = a->reg;
    a->reg = fg_kernel_new_digit(k, "m", FG_ROLE_REG, fg_num_const(far));
    rest->reg = fg_kernel_new_digit(k, "m", FG_ROLE_REG, fg_num_const(near));
    k->digit[rest->reg].start = fg_num_const(far);
    fg_map_change_access(a, fg_map_rename_terms, before, a->reg);
    fg_map_change_access(rest, fg_map_rename_terms, before, rest->reg);
    a->rest = rest;
  }
}

/* The last slots load from the spare memory, where their parts begin at its first place. */
static void turn(fg_builder *b, const part *x, int16_t memory) {
  fg_kernel *k = b->kernel;
  fg_access *a = x->of, near = *a;
  int64_t far = k->digit[a->reg].extent.n - x->slots;
  near.buffer = memory;
  near.reg = fg_kernel_new_digit(k, "m", FG_ROLE_REG, fg_num_const(x->slots));
  fg_affine_drop(&near.index.at, k->outer[0]);
  fg_map_change_access(&near, fg_map_rename_terms, a->reg, near.reg);
  if (!far) {
    *a = near;
    return;
  }
  int16_t reg = fg_kernel_new_digit(k, "m", FG_ROLE_REG, fg_num_const(far));
  fg_map_change_access(a, fg_map_rename_terms, a->reg, reg);
  a->reg = reg;
  a->rest = fg_arena_copy(b->cx->arena, &near, sizeof near);
  if (x->stage == 0) split_operands(b, k->stage[0].operations.loaded, far, x->slots);
}

/* ---- the whole ------------------------------------------------------------------------- */

static const char *wanted(const fg_builder *b) {
  const fg_kernel *k = b->kernel;
  if (b->map->cluster < 2) return "a target whose blocks have engines that copy";
  bool alone = b->nkernel == 1 && k->launch.cluster < 2 && k->nouter == 1 && !k->npred && k->nstage > 1;
  if (!alone || k->digit[k->outer[0]].role != FG_ROLE_BLOCK || k->digit[k->outer[0]].step != 1)
    return "blocks that hold a transform each";
  return fg_kernel_fetches(k) ? "no other bulk copies" : NULL;
}

/* Copies before the stages that load what they bring, or that it takes the room of. */
static void add_copies(fg_builder *b, const part *found, int count, fg_stage *stages, int n) {
  fg_kernel *k = b->kernel;
  int64_t most = 0;
  for (int i = 0; i < count; i++) most = fg_larger(most, found[i].slots * found[i].each);
  int16_t memory = spare_memory(b, &found[0], most);
  stages[0] = copy_of(b, &found[0], memory);
  for (int s = 0; s < k->nstage; s++) {
    if (s == 1 && count > 1) stages[n++] = copy_of(b, &found[1], memory);
    for (int i = 0; i < count; i++) {
      if (found[i].stage != s) continue;
      turn(b, &found[i], memory);
      k->launch.fetch = n + 1;
      k->stage[s].exchange.after = fg_exchange_barrier();
      if (i) k->stage[s].exchange.before = fg_exchange_engine_wait();
    }
    stages[n++] = k->stage[s];
  }
  k->stage = stages;
  k->nstage = n;
  k->launch.persistent = true;
}

fg_status fg_map_ahead(fg_builder *b) {
  part found[MOST_PARTS];
  if (!fg_plan_param_value(b->program->plan, FG_PARAM_LOAD_AHEAD)) return FG_OK;
  b->kernel = b->kernels[0];
  const char *why = wanted(b);
  int count = why ? 0 : find_parts(b, found), n = 1;
  if (!count) return refuse(b, why ? why : "an input that a first pass loads part by part");
  if (!fill(b, found, count)) return refuse(b, "more spare memory");
  fg_stage *stages = fg_arena_new(b->cx->arena, fg_stage, 2 * b->kernel->nstage + MOST_PARTS);
  n += fg_map_keep_factors(b, &stages[n]);
  if (!is_whole(b, found, count)) n += fg_map_share_tables(b, spare_bytes(b) / OF_TABLES, &stages[n]);
  if (!fill(b, found, count)) return refuse(b, "more spare memory");
  add_copies(b, found, count, stages, n);
  return FG_OK;
}
