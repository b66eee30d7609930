/* The sample of the program: runs its iterations over the field and records the stores.
 *
 * In: a program, the iterations of a sample. Out: cells, stores in order, and where those of each stage begin. */
#include "generator/ir/count.h"
#include "generator/ir/walk.h"
#include "generator/prove/text_sample_parts.h"
#include "generator/reference/operation_values.h"
#include <string.h>

/* Slots of all accesses of a chain, into an instance's numbers. */
static bool load_moves(fg_proof_sample *s, const fg_simd_group *b, const fg_moves *x, int first, int i, fg_gf *to) {
  int parts = fg_buffer_parts(&s->text->p->buffer[x->access->buffer]);
  for (int m = 0; m < x->slots; m++) {
    fg_gf *re = &to[first + parts * m], *im = re + parts - 1, y = 0;
    *re = *im = 0;
    if (!x->on[m * b->width + i]) continue;
    if (!fg_proof_sample_load(s, x->access->buffer, x->at[m * b->width + i], re, parts == 2 ? im : &y)) return false;
  }
  return true;
}

static fg_any part_of(fg_any x, int part) { return (fg_any){.gf.re = part ? x.gf.im : x.gf.re}; }

static fg_any operate_on(const fg_proof_sample *s, const fg_moves *x, const fg_expression *value, const fg_any *taken,
                         const int *parts, fg_any v) {
  fg_system system = {.field = s->text->field};
  fg_any own[FG_MAX_OPERANDS], both[2];
  if (!x->operations->two_by_two) return fg_operation_values_apply(&system, value, v, taken);
  for (int part = 0; part < 2; part++) {
    for (int o = 0; o < value->noperand; o++) own[o] = part_of(taken[o], part && parts[o] == 2);
    both[part] = fg_operation_values_apply(&system, value, part_of(v, part), own);
  }
  return (fg_any){.gf = {both[0].gf.re, both[1].gf.re}};
}

/* What operation k brings for the element at `at`. */
static bool bring(fg_proof_sample *s, const fg_moves *x, int k, int at, fg_any *taken, int *parts) {
  const fg_operation *operation = &x->operations->operation[k];
  fg_system system = {.field = s->text->field};
  *taken = (fg_any){.gf = {0, 0}};
  *parts = operation->has_operand ? fg_buffer_parts(&s->text->p->buffer[operation->operand.buffer]) : 1;
  if (operation->row->takes == FG_TAKES_SYMBOL) *taken = fg_operation_values_scale(&system, &s->text->p->problem);
  return !x->operand[k] || !x->operand_on[k][at] ||
         fg_proof_sample_load(s, operation->operand.buffer, x->operand[k][at], &taken->gf.re, &taken->gf.im);
}

/* What the operations make of elements, of `parts` numbers before them; the first is number `first`. */
static bool operate(fg_proof_sample *s, const fg_simd_group *b, const fg_moves *x, int parts, int first, int i,
                    fg_gf *number) {
  for (int m = 0; x->operations && m < x->slots; m++) {
    fg_gf *re = &number[parts * (first + m)], *im = re + parts - 1;
    const fg_operation *list = x->operations->operation;
    bool complex = parts == 2;
    fg_any v = {.gf = {*re, *im}}, taken[FG_MAX_OPERANDS];
    for (int k = 0; k < x->operations->count; k++) {
      int of[FG_MAX_OPERANDS];
      for (int o = 0; o < list[k].value->noperand; o++)
        if (!bring(s, x, fg_operation_bringing(list, k, o), m * b->width + i, &taken[o], &of[o])) return false;
      v = operate_on(s, x, list[k].value, taken, of, v);
      if (!x->operations->two_by_two) complex = complex && list[k].value->result[1] >= 0;
    }
    if (parts == 2 && !complex) re = im = &number[first + m];
    *im = v.gf.im;
    *re = v.gf.re;
  }
  return true;
}

static void multiply_roots(const fg_proof_sample *s, const fg_stage *stage, int roots) {
  const fg_field *f = s->text->field;
  memcpy(s->root, s->tw, sizeof *s->tw * 2 * (size_t)roots);
  for (int k = 0; k < stage->codelet->ntw / 2; k++) {
    const fg_product *x = &stage->factors.product[k];
    const fg_gf *one = (x->made ? s->tw : s->root) + 2 * x->load;
    const fg_gf *other = x->also ? s->root + 2 * (x->also - 1) : x->factor < 0 ? NULL : s->tw + 2 * x->factor;
    fg_gfc a = {one[0], one[1]}, c = {f->one, 0};
    if (x->twice) a = fg_gfc_add(f, a, a);
    if (other) c = (fg_gfc){other[0], other[1]};
    a = fg_gfc_mul(f, a, c);
    s->tw[2 * k] = a.re, s->tw[2 * k + 1] = a.im;
  }
}

static bool load_factors(fg_proof_sample *s, const fg_simd_group *b, const fg_moves *tw, int i) {
  int roots = tw->slots;
  for (const fg_moves *x = tw; x; x = x->rest)
    if (!load_moves(s, b, x, x->first, i, s->tw)) return false;
  if (b->what->factors.has_more) {
    for (const fg_moves *x = &tw[1]; x; roots += x->slots, x = x->rest)
      if (!load_moves(s, b, x, 2 * tw->slots + x->first, i, s->tw)) return false;
  }
  if (b->what->factors.product) multiply_roots(s, b->what, roots);
  return true;
}

static int numbers_of(const fg_proof_sample *s, const fg_moves *x) {
  int numbers = 0;
  for (; x; x = x->rest) numbers += fg_buffer_parts(&s->text->p->buffer[x->access->buffer]) * x->slots;
  return numbers;
}

/* Numbers of an instance that passes from loads to stores. */
static int width_of(const fg_program *p) {
  int most = 2;
  for (int k = 0; k < p->nkernel; k++)
    for (int i = 0; i < p->kernel[k]->nstage; i++) {
      const fg_stage *s = &p->kernel[k]->stage[i];
      int numbers = (int)(fg_access_slots(p->kernel[k], &s->load) + fg_access_slots(p->kernel[k], &s->store));
      if (s->factors.has_twiddle) numbers += (int)fg_access_slots(p->kernel[k], &s->factors.twiddle);
      if (s->factors.has_more) numbers += (int)fg_access_slots(p->kernel[k], &s->factors.more);
      if (s->codelet) numbers += s->codelet->nin + s->codelet->nout + s->codelet->ntw;
      if (numbers > most) most = numbers;
    }
  return 2 * most;
}

static fg_gf *held_at(fg_proof_sample *s, int hold, int i) {
  if (hold >= s->nheld) {
    int more = 2 * hold + 8;
    fg_gf **held = fg_arena_new(s->cx.arena, fg_gf *, more);
    if (s->nheld) memcpy(held, s->held, sizeof *held * (size_t)s->nheld);
    s->held = held, s->nheld = more;
  }
  if (!s->held[hold]) s->held[hold] = fg_arena_raw(s->cx.arena, sizeof(fg_gf) * (size_t)s->width * FG_WALK_WIDTH);
  return s->held[hold] + (size_t)i * (size_t)s->width;
}

static bool load_instance(fg_proof_sample *s, const fg_simd_group *b, const fg_moves *x, const fg_moves *tw, int i) {
  const fg_codelet *c = b->what->codelet;
  int parts = fg_buffer_parts(&s->text->p->buffer[x->access->buffer]);
  for (const fg_moves *y = x; y; y = y->rest)
    if (!load_moves(s, b, y, y->first, i, s->in)) return false;
  if (tw && !load_factors(s, b, tw, i)) return false;
  for (const fg_moves *y = x; y; y = y->rest)
    if (!operate(s, b, y, parts, y->first / parts, i, s->in)) return false;
  fg_gf *out = held_at(s, b->hold, i);
  if (c)
    fg_codelet_eval_gf(c, s->text->field, s->in, s->tw, out, s->work);
  else
    memcpy(out, s->in, sizeof *out * (size_t)numbers_of(s, x));
  return true;
}

static bool on_load(void *self, const fg_simd_group *b, const fg_moves *x, const fg_moves *tw) {
  fg_proof_sample *s = self;
  for (int i = 0; i < b->width; i++)
    if (b->active[i] && !load_instance(s, b, x, tw, i)) return false;
  s->out->iterations += b->width;
  return true;
}

static void note_store(fg_proof_sample *s, fg_sampled_cell *x, fg_gf value) {
  if (s->nstored == s->most_stored) {
    s->most_stored = 2 * s->most_stored + 4096;
    s->stored = fg_arena_more(s->cx.arena, s->stored, s->nstored, s->most_stored);
  }
  x->value = value;
  s->stored[s->nstored++] = (fg_sampled_store){(uint32_t)(x - s->cell), value};
}

static void note_section(fg_proof_sample *s, int stage) {
  if (s->nsection == s->most_sections) {
    s->most_sections = 2 * s->most_sections + 64;
    s->section = fg_arena_more(s->cx.arena, s->section, s->nsection, s->most_sections);
  }
  s->section[s->nsection++] = (fg_sampled_stage){stage, s->nstored};
}

static bool store_moves(fg_proof_sample *s, const fg_simd_group *b, const fg_moves *y, int i, fg_gf *from) {
  int parts = fg_buffer_parts(&s->text->p->buffer[y->access->buffer]);
  if (!operate(s, b, y, fg_stage_result_parts(s->text->p, b->what), y->first / parts, i, from)) return false;
  for (int m = 0; m < y->slots; m++) {
    fg_sampled_cell *part[2];
    if (!y->on[m * b->width + i]) continue;
    if (!fg_proof_sample_touch(s, y->access->buffer, y->at[m * b->width + i], part))
      return fg_proof_sample_fail(s, "the program leaves its arrays");
    for (int k = 0; k < parts; k++) note_store(s, part[k], from[y->first + parts * m + k]);
  }
  return true;
}

static bool on_store(void *self, const fg_simd_group *b, const fg_moves *y) {
  fg_proof_sample *s = self;
  for (; y; y = y->rest)
    for (int i = 0; i < b->width; i++)
      if (b->active[i] && !store_moves(s, b, y, i, held_at(s, b->hold, i))) return false;
  return true;
}

static bool on_launch(void *self, int kernel, int64_t blocks) {
  fg_proof_sample *s = self;
  (void)blocks;
  s->kernel = kernel;
  return true;
}

static bool on_block(void *self, int64_t block) {
  fg_proof_sample *s = self;
  (void)block;
  s->block += s->renews[s->kernel];
  return true;
}

/* Stages of a joined kernel are one. */
static bool on_stage(void *self, int kernel, int stage) {
  fg_proof_sample *s = self;
  if (stage == 0 || !s->text->map->joined[kernel]) note_section(s, fg_text_stage_number(kernel, stage));
  return true;
}

/* Whether the text has a loop over a kernel's blocks, after which it is at a block's begin. */
static bool has_block_loop(const fg_kernel *k) {
  for (int i = 0; i < k->nouter; i++) {
    const fg_digit *d = &k->digit[k->outer[i]];
    if ((fg_digit_is_of_blocks(d) || d->role == FG_ROLE_HOST) && fg_sample_has_loop(d)) return true;
  }
  return false;
}

static void allocate_numbers(fg_proof_sample *s) {
  const fg_program *p = s->text->p;
  int nodes = 1;
  for (int k = 0; k < p->nkernel; k++)
    for (int i = 0; i < p->kernel[k]->nstage; i++) {
      const fg_codelet *c = p->kernel[k]->stage[i].codelet;
      if (c && c->nnode > nodes) nodes = c->nnode;
    }
  s->width = width_of(p);
  s->in = fg_arena_new(s->cx.arena, fg_gf, s->width);
  s->tw = fg_arena_new(s->cx.arena, fg_gf, s->width);
  s->root = fg_arena_new(s->cx.arena, fg_gf, s->width);
  s->work = fg_arena_new(s->cx.arena, fg_gf, nodes);
}

bool fg_proof_sample_walk(fg_proof_sample *s) {
  const fg_program *p = s->text->p;
  fg_walk_options options = {.params = s->params, .sample = s->sample};
  fg_walker to = {
      .self = s, .launch = on_launch, .block = on_block, .load = on_load, .store = on_store, .stage = on_stage};
  char why[200] = "";
  allocate_numbers(s);
  for (int k = 0; k < p->nkernel; k++) s->renews[k] = has_block_loop(p->kernel[k]);
  for (int k = 0; k < p->nkernel; k++)
    for (int i = 0; i < p->kernel[k]->nstage; i++)
      s->out->all_iterations += fg_stage_instances(p->kernel[k], &p->kernel[k]->stage[i], s->params);
  if (fg_walk(&s->cx, p, &options, &to, why) != FG_OK) return fg_proof_sample_fail(s, why);
  note_section(s, -1);
  return !s->out->failure[0];
}
