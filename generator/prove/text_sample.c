/* A sample of the emitted text beside the same sample of its program.
 *
 * In: a compiled text that asks at its loops which iterations to leave out, its program, values of parameters. Out:
 * whether both do the same to memory.
 *
 * The idea: that the program is the transform has been proved; what is left to see is that the text does what the
 * program does, and that can be seen in any iterations, whatever is in memory. So memory holds random elements, tables
 * and scratch too; the program's iterations of the sample (sample.h) are done first, here, and say which places they
 * touch and what is there afterwards; the text's run on arrays of which no other places need to exist. What the text
 * counts at its loops is seen in all iterations, those that are left out, too. */
#include "generator/ir/count.h"
#include "generator/ir/table_values.h"
#include "generator/ir/walk.h"
#include "generator/prove/literals.h"
#include "generator/prove/retell.h"
#include "generator/prove/settings.h"
#include "generator/reference/operation_values.h"
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>

enum {
  ONE_PRIME_SAMPLE = 1 << 10, /* elements that a stage moves, about; for what is handed out */
  LONG_SAMPLE = 1 << 14,
  WHOLE_ARRAY = 1 << 13, /* reals of an array that is filled and compared from end to end */
  LINE = 8               /* neighbours of what is touched that are, elsewhere */
};
#define LARGEST_ARRAY (INT64_C(1) << 32) /* reals */

/* ---- memory -------------------------------------------------------------------------------- */

typedef struct spot { /* a real of an array that the program's sample touches */
  int32_t array;
  uint32_t block; /* LOCAL: whose value it is */
  int64_t at;
  int64_t part; /* LOCAL: reals to the same of the next part; 0: all have one */
  fg_gf initial, value;
  bool local;
} spot;

typedef struct stored { /* what the program's sample stores, in its order */
  uint32_t spot;
  fg_gf value;
} stored;

typedef struct section { /* one stage of one block */
  int stage;             /* fg_text_stage_number */
  size_t from;           /* of what is stored */
} section;

typedef struct home { /* where a buffer's root is */
  int array;          /* -1: nowhere */
  int64_t offset, part;
  bool local;
} home;

typedef struct region { /* an array of the text's */
  fg_gf *at;            /* NULL: not mapped */
  int64_t count;        /* reals */
  int shared;           /* in place, of the output: 1 + number of the input's; else 0 */
  bool given;           /* it was there before, filled */
  void *map;
  size_t bytes;
} region;

typedef struct indices { /* a table of numbers of elements */
  int array;
  int64_t from, to; /* reals, there */
  const int32_t *content;
  size_t bytes;
} indices;

typedef struct side {
  fg_context cx;
  const fg_proof_text *text;
  const fg_proof_text_functions *run;
  const int64_t *params;
  fg_text_proof *out;
  fg_sample *sample;
  region array[FG_MAX_ARGUMENT_SLOTS + FG_MAX_BUFFERS];
  int narray, nplace; /* behind those of places: of what is in values, and what is there without the text's caller */
  indices indices[FG_MAX_BUFFERS];
  int nindices;
  int kernel;
  bool ran;
  home home[FG_MAX_BUFFERS];
  spot *spot;
  uint32_t nspot, spots, *slot, slots; /* slots: a power of two; 0 in slot: empty, else 1 + the spot's number */
  uint32_t block;                      /* that LOCAL memory belongs to */
  fg_gf *in, *tw, *root, *work;        /* scratch: an instance's numbers, factors, what these are products of */
  fg_gf **held;                        /* results of SIMD groups that wait for their stores */
  int nheld, width;                    /* numbers of an instance, at most */
  stored *stored;
  size_t nstored, most_stored;
  section *section; /* and one behind the last */
  size_t nsection, sections;
  bool renews[FG_MAX_BUFFERS]; /* per kernel: a loop tells where a block begins */
} side;

static bool fail(side *s, const char *what) {
  char text[96];
  if (!s->out->failure[0])
    snprintf(s->out->failure, sizeof s->out->failure, "text: %s%s", what,
             fg_settings_text(&s->text->p->problem, s->params, text));
  return false;
}

/* What is there before anybody stores. */
static fg_gf background(const side *s, int array, int64_t at) {
  if (s->array[array].given) return s->array[array].at[at];
  uint64_t state =
      s->text->seed + (uint64_t)array * UINT64_C(0x9e3779b97f4a7c15) + (uint64_t)at * UINT64_C(0xd1342543de82ef95);
  return fg_gf_random(s->text->field, &state);
}

static uint32_t slot_of(const side *s, int array, int64_t at) {
  uint64_t key = ((uint64_t)array << 48 ^ (uint64_t)at) * UINT64_C(0x9e3779b97f4a7c15);
  uint32_t i = (uint32_t)(key >> 32) & (s->slots - 1);
  for (; s->slot[i]; i = (i + 1) & (s->slots - 1)) {
    const spot *x = &s->spot[s->slot[i] - 1];
    if (x->array == array && x->at == at) break;
  }
  return i;
}

static const spot *find(const side *s, int array, int64_t at) {
  uint32_t i = s->slot[slot_of(s, array, at)];
  return i ? &s->spot[i - 1] : NULL;
}

static void grow(side *s) {
  uint32_t more = s->spots ? 2 * s->spots : 1 << 12;
  spot *all = fg_arena_raw(s->cx.arena, sizeof *all * more);
  if (s->nspot) memcpy(all, s->spot, sizeof *all * s->nspot);
  s->spot = all, s->spots = more, s->slots = 2 * more;
  s->slot = fg_arena_new(s->cx.arena, uint32_t, s->slots);
  for (uint32_t i = 0; i < s->nspot; i++) s->slot[slot_of(s, s->spot[i].array, s->spot[i].at)] = i + 1;
}

/* NULL: it lies outside. */
static spot *touch(side *s, const home *h, int array, int64_t at) {
  if (at < 0 || at >= s->array[array].count) return NULL;
  if (!find(s, array, at)) {
    if (s->nspot == s->spots) grow(s);
    fg_gf x = background(s, array, at);
    s->spot[s->nspot] = (spot){
        .array = array, .block = s->block, .at = at, .part = h->part, .initial = x, .value = x, .local = h->local};
    s->slot[slot_of(s, array, at)] = ++s->nspot;
  }
  spot *x = &s->spot[s->slot[slot_of(s, array, at)] - 1];
  if (x->local && x->block != s->block) x->block = s->block, x->value = x->initial;
  return x;
}

/* A buffer's element: its parts, of which a real one has one. */
static bool touch_element(side *s, int buffer, int64_t e, spot *part[2]) {
  const fg_program *p = s->text->p;
  const fg_buffer *b = &p->buffer[buffer];
  int root = fg_buffer_root(p, buffer);
  const home *h = &s->home[root];
  int64_t at[2];
  if (h->array < 0) return false;
  bool ends = p->buffer[root].space == FG_SPACE_INPUT || p->buffer[root].space == FG_SPACE_OUTPUT;
  bool two = ends && p->buffer[root].layout == FG_LAYOUT_SPLIT;
  if (two)
    at[0] = at[1] = e;
  else
    fg_buffer_position(b, e, &at[0], &at[1]);
  int parts = fg_buffer_parts(b);
  for (int i = 0; i < parts; i++)
    if (!touch(s, h, h->array + (two ? i : 0), h->offset + at[i])) return false;
  for (int i = 0; i < parts; i++) part[i] = touch(s, h, h->array + (two ? i : 0), h->offset + at[i]);
  if (parts == 1) part[1] = NULL;
  return true;
}

/* What stands there once more. */
static bool touch_twins(side *s, int buffer, int64_t e) {
  const fg_buffer *b = &s->text->p->buffer[buffer];
  const home *h = &s->home[fg_buffer_root(s->text->p, buffer)];
  int64_t re, im;
  if (b->layout != FG_LAYOUT_DOUBLED) return true;
  fg_buffer_position(b, e, &re, &im);
  const int64_t at[2] = {h->offset + re, h->offset + im};
  for (int i = 0; i < 2; i++) {
    spot *twin = touch(s, h, h->array, at[i] + 1);
    if (!twin) return false;
    fg_gf x = find(s, h->array, at[i])->initial;
    twin->initial = twin->value = i ? fg_gf_neg(s->text->field, x) : x;
  }
  return true;
}

static bool load_element(side *s, int buffer, int64_t e, fg_gf *re, fg_gf *im) {
  spot *part[2];
  if (!touch_element(s, buffer, e, part)) return fail(s, "the program leaves its arrays");
  *im = part[1] ? part[1]->value : 0;
  *re = part[0]->value;
  return touch_twins(s, buffer, e) || fail(s, "the program leaves its arrays");
}

/* ---- the program's sample -------------------------------------------------------------------- */

/* Slots of all accesses of a chain, into an instance's numbers. */
static bool load_moves(side *s, const fg_simd_group *b, const fg_moves *x, int first, int i, fg_gf *to) {
  int parts = fg_buffer_parts(&s->text->p->buffer[x->access->buffer]);
  for (int m = 0; m < x->slots; m++) {
    fg_gf *re = &to[first + parts * m], *im = re + parts - 1, y = 0;
    *re = *im = 0;
    if (!x->on[m * b->width + i]) continue;
    if (!load_element(s, x->access->buffer, x->at[m * b->width + i], re, parts == 2 ? im : &y)) return false;
  }
  return true;
}

static fg_any part_of(fg_any x, int part) { return (fg_any){.gf.re = part ? x.gf.im : x.gf.re}; }

static fg_any operate_on(const side *s, const fg_moves *x, const fg_operation *operation, fg_any taken, bool complex,
                         fg_any v) {
  fg_system system = {s->text->field};
  if (!x->operations->two_by_two) return fg_operation_values_apply(&system, operation->row, complex, v, taken);
  int parts = operation->has_operand ? fg_buffer_parts(&s->text->p->buffer[operation->operand.buffer]) : 1;
  fg_any re = fg_operation_values_apply(&system, operation->row, false, part_of(v, 0), part_of(taken, 0));
  fg_any im = fg_operation_values_apply(&system, operation->row, false, part_of(v, 1), part_of(taken, parts == 2));
  return (fg_any){.gf = {re.gf.re, im.gf.re}};
}

/* What the operations make of elements, of `parts` numbers before them; the first is number `first`. */
static bool operate(side *s, const fg_simd_group *b, const fg_moves *x, int parts, int first, int i, fg_gf *number) {
  fg_system system = {s->text->field};
  for (int m = 0; x->operations && m < x->slots; m++) {
    fg_gf *re = &number[parts * (first + m)], *im = re + parts - 1;
    bool complex = parts == 2;
    fg_any v = {.gf = {*re, *im}};
    for (int k = 0; k < x->operations->count; k++) {
      const fg_operation *operation = &x->operations->operation[k];
      int at = m * b->width + i;
      fg_any taken = {.gf = {0, 0}};
      if (operation->row->takes == FG_TAKES_SYMBOL) taken = fg_operation_values_scale(&system, &s->text->p->problem);
      if (x->operand[k] && x->operand_on[k][at] &&
          !load_element(s, operation->operand.buffer, x->operand[k][at], &taken.gf.re, &taken.gf.im))
        return false;
      v = operate_on(s, x, operation, taken, complex, v);
      if (!x->operations->two_by_two) complex = complex && operation->row->im;
    }
    if (parts == 2 && !complex) re = im = &number[first + m];
    *im = v.gf.im;
    *re = v.gf.re;
  }
  return true;
}

static void multiply_roots(const side *s, const fg_stage *stage, int roots) {
  const fg_field *f = s->text->field;
  memcpy(s->root, s->tw, sizeof *s->tw * 2 * (size_t)roots);
  for (int k = 0; k < stage->codelet->ntw / 2; k++) {
    const fg_product *x = &stage->product[k];
    const fg_gf *one = (x->made ? s->tw : s->root) + 2 * x->load;
    const fg_gf *other = x->also ? s->root + 2 * (x->also - 1) : x->factor < 0 ? NULL : s->tw + 2 * x->factor;
    fg_gfc a = {one[0], one[1]}, c = {f->one, 0};
    if (x->twice) a = fg_gfc_add(f, a, a);
    if (other) c = (fg_gfc){other[0], other[1]};
    a = fg_gfc_mul(f, a, c);
    s->tw[2 * k] = a.re, s->tw[2 * k + 1] = a.im;
  }
}

static bool load_factors(side *s, const fg_simd_group *b, const fg_moves *tw, int i) {
  int roots = tw->slots;
  for (const fg_moves *x = tw; x; x = x->rest)
    if (!load_moves(s, b, x, x->first, i, s->tw)) return false;
  if (b->what->has_more) {
    for (const fg_moves *x = &tw[1]; x; x = x->rest)
      if (!load_moves(s, b, x, 2 * tw->slots + x->first, i, s->tw)) return false;
    roots += tw[1].slots;
  }
  if (b->what->product) multiply_roots(s, b->what, roots);
  return true;
}

static int numbers_of(const side *s, const fg_moves *x) {
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
      if (s->has_twiddle) numbers += (int)fg_access_slots(p->kernel[k], &s->twiddle);
      if (s->has_more) numbers += (int)fg_access_slots(p->kernel[k], &s->more);
      if (s->codelet) numbers += s->codelet->nin + s->codelet->nout + s->codelet->ntw;
      if (numbers > most) most = numbers;
    }
  return 2 * most;
}

static fg_gf *held_at(side *s, int hold, int i) {
  if (hold >= s->nheld) {
    int more = 2 * hold + 8;
    fg_gf **held = fg_arena_new(s->cx.arena, fg_gf *, more);
    if (s->nheld) memcpy(held, s->held, sizeof *held * (size_t)s->nheld);
    s->held = held, s->nheld = more;
  }
  if (!s->held[hold]) s->held[hold] = fg_arena_raw(s->cx.arena, sizeof(fg_gf) * (size_t)s->width * FG_WALK_WIDTH);
  return s->held[hold] + (size_t)i * (size_t)s->width;
}

static bool load_instance(side *s, const fg_simd_group *b, const fg_moves *x, const fg_moves *tw, int i) {
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
  side *s = self;
  for (int i = 0; i < b->width; i++)
    if (b->active[i] && !load_instance(s, b, x, tw, i)) return false;
  s->out->iterations += b->width;
  return true;
}

static void note_store(side *s, spot *x, fg_gf value) {
  if (s->nstored == s->most_stored) {
    s->most_stored = 2 * s->most_stored + 4096;
    stored *more = fg_arena_raw(s->cx.arena, sizeof *more * s->most_stored);
    if (s->nstored) memcpy(more, s->stored, sizeof *more * s->nstored);
    s->stored = more;
  }
  x->value = value;
  s->stored[s->nstored++] = (stored){(uint32_t)(x - s->spot), value};
}

static void note_section(side *s, int stage) {
  if (s->nsection == s->sections) {
    s->sections = 2 * s->sections + 64;
    section *more = fg_arena_raw(s->cx.arena, sizeof *more * s->sections);
    if (s->nsection) memcpy(more, s->section, sizeof *more * s->nsection);
    s->section = more;
  }
  s->section[s->nsection++] = (section){stage, s->nstored};
}

static bool store_moves(side *s, const fg_simd_group *b, const fg_moves *y, int i, fg_gf *from) {
  int parts = fg_buffer_parts(&s->text->p->buffer[y->access->buffer]);
  if (!operate(s, b, y, fg_stage_result_parts(s->text->p, b->what), y->first / parts, i, from)) return false;
  for (int m = 0; m < y->slots; m++) {
    spot *part[2];
    if (!y->on[m * b->width + i]) continue;
    if (!touch_element(s, y->access->buffer, y->at[m * b->width + i], part))
      return fail(s, "the program leaves its arrays");
    for (int k = 0; k < parts; k++) note_store(s, part[k], from[y->first + parts * m + k]);
  }
  return true;
}

static bool on_store(void *self, const fg_simd_group *b, const fg_moves *y) {
  side *s = self;
  for (; y; y = y->rest)
    for (int i = 0; i < b->width; i++)
      if (b->active[i] && !store_moves(s, b, y, i, held_at(s, b->hold, i))) return false;
  return true;
}

static bool on_launch(void *self, int kernel, int64_t blocks) {
  side *s = self;
  (void)blocks;
  s->kernel = kernel;
  return true;
}

static bool on_block(void *self, int64_t block) {
  side *s = self;
  (void)block;
  s->block += s->renews[s->kernel];
  return true;
}

/* Stages of a joined kernel are one. */
static bool on_stage(void *self, int kernel, int stage) {
  side *s = self;
  if (stage == 0 || !s->text->map->joined[kernel]) note_section(s, fg_text_stage_number(kernel, stage));
  return true;
}

static void on_sync(void *self, fg_scope scope) { (void)self, (void)scope; }

/* Whether the text has a loop over a kernel's blocks, behind which it stands at a block's begin. */
static bool has_block_loop(const fg_kernel *k) {
  for (int i = 0; i < k->nouter; i++) {
    const fg_digit *d = &k->digit[k->outer[i]];
    if ((d->role == FG_ROLE_BLOCK || d->role == FG_ROLE_HOST) && fg_sample_has_loop(d)) return true;
  }
  return false;
}

static bool walk_program(side *s) {
  const fg_program *p = s->text->p;
  fg_walk_options options = {.params = s->params, .sample = s->sample};
  fg_walker to = {.self = s,
                  .launch = on_launch,
                  .block = on_block,
                  .load = on_load,
                  .store = on_store,
                  .sync = on_sync,
                  .stage = on_stage};
  char why[200] = "";
  for (int k = 0; k < p->nkernel; k++) s->renews[k] = has_block_loop(p->kernel[k]);
  for (int k = 0; k < p->nkernel; k++)
    for (int i = 0; i < p->kernel[k]->nstage; i++)
      s->out->all_iterations += fg_stage_instances(p->kernel[k], &p->kernel[k]->stage[i], s->params);
  if (fg_walk(&s->cx, p, &options, &to, why) != FG_OK) return fail(s, why);
  note_section(s, -1);
  return !s->out->failure[0];
}

/* ---- where things are ------------------------------------------------------------------------ */

static bool add_region(side *s, int64_t reals) {
  s->array[s->narray++] = (region){.count = reals};
  return reals <= LARGEST_ARRAY;
}

/* Arrays of the input or the output; in place both are the same. */
static bool add_ends(side *s, const fg_arg_buffer *b) {
  const fg_problem *q = &s->text->p->problem;
  bool output = b->kind == FG_ARG_OUT, fits = true;
  int64_t in = fg_proof_text_reals(q, s->params, false), out = fg_proof_text_reals(q, s->params, true);
  int64_t reals = q->in_place ? in > out ? in : out : output ? out : in;
  home *h = &s->home[output ? FG_BUFFER_OUT : FG_BUFFER_IN];
  h->array = s->narray;
  for (int part = 0; part < (b->split ? 2 : 1); part++) {
    fits = add_region(s, b->split ? reals / 2 : reals) && fits;
    s->array[s->narray - 1].shared = output && q->in_place ? 1 + part : 0;
  }
  return fits;
}

static int root_named(const fg_program *p, const char *name) {
  for (int i = 0; i < p->nbuffer; i++)
    if (p->buffer[i].alias < 0 && fg_program_is_constant(p, i) && !strcmp(p->buffer[i].name, name)) return i;
  return -1;
}

/* A table is in the last array. */
static void add_table(side *s, int table, int64_t offset) {
  const fg_table *t = &s->text->p->table[table];
  int array = s->narray - 1;
  s->home[t->buffer] = (home){.array = array, .offset = offset};
  if (!fg_table_is_index(t)) return;
  s->indices[s->nindices++] = (indices){.array = array,
                                        .from = offset,
                                        .to = offset + fg_prove_table_reals(&s->text->p->buffer[t->buffer]),
                                        .content = fg_table_indices(&s->cx, t),
                                        .bytes = sizeof(int32_t) * (size_t)t->cols};
}

static bool add_constant(side *s, const char *name, size_t bytes) {
  const fg_program *p = s->text->p;
  int root = root_named(p, name), table = fg_proof_text_table(p, name);
  if (root < 0) return fail(s, "a table that the program does not have");
  s->home[root].array = s->narray;
  bool fits = add_region(s, (int64_t)((bytes + sizeof(fg_gf) - 1) / sizeof(fg_gf)));
  if (table >= 0) add_table(s, table, 0);
  return fits;
}

/* All tables in one array, of a told text. */
static bool add_block(side *s, size_t bytes) {
  int64_t offset[FG_MAX_BUFFERS];
  bool fits = add_region(s, (int64_t)(bytes / sizeof(fg_gf)));
  if (!fg_proof_text_block(s->text, s->array[s->narray - 1].count, offset))
    return fail(s, "a table beyond the memory for tables");
  for (int t = 0; t < s->text->p->ntable; t++)
    if (offset[t] >= 0) add_table(s, t, offset[t]);
  return fits;
}

/* Tables that a told text has itself. */
static bool add_given(side *s) {
  const fg_program *p = s->text->p;
  bool fits = true;
  for (int i = 0; s->text->told && i < s->text->told->ntable; i++) {
    int table = fg_proof_text_table(p, s->text->told->table[i]);
    fits = add_region(s, fg_prove_table_reals(&p->buffer[p->table[table].buffer])) && fits;
    s->array[s->narray - 1].at = s->text->table[i];
    s->array[s->narray - 1].given = true;
    add_table(s, table, 0);
  }
  return fits;
}

static bool add_scratch(side *s, size_t bytes) {
  const fg_text_map *map = s->text->map;
  for (int i = 0; i < s->text->p->nbuffer; i++)
    if (map->scratch[i])
      s->home[i] = (home){.array = s->narray,
                          .offset = map->offset[i],
                          .part = map->part_offset[i],
                          .local = s->text->p->buffer[i].space == FG_SPACE_LOCAL};
  size_t parts = (FG_TEXT_PARTS - 1) * s->text->artifact->part_bytes;
  return add_region(s, (int64_t)((bytes + parts) / sizeof(fg_gf)));
}

/* Scratch that the text holds in values has a home, too, which nobody compares. */
static bool add_held(side *s) {
  const fg_program *p = s->text->p;
  bool fits = true;
  for (int i = 0; i < p->nbuffer; i++) {
    const fg_buffer *b = &p->buffer[i];
    bool scratch = b->space == FG_SPACE_WORK || b->space == FG_SPACE_LOCAL;
    if (b->alias >= 0 || s->home[i].array >= 0 || !scratch) continue;
    s->home[i] = (home){.array = s->narray, .local = true};
    fits = add_region(s, fg_buffer_bytes(b)) && fits;
  }
  return fits;
}

/* False: an array is too large, or something is wrong. */
static bool find_homes(side *s) {
  const fg_artifact *f = s->text->artifact;
  bool fits = true;
  for (int i = 0; i < FG_MAX_BUFFERS; i++) s->home[i] = (home){.array = -1};
  for (int i = 0; i < f->nbuffer; i++) {
    const fg_arg_buffer *b = &f->buffer[i];
    if (b->kind == FG_ARG_IN || b->kind == FG_ARG_OUT)
      fits = add_ends(s, b) && fits;
    else if (b->kind == FG_ARG_WORK)
      fits = add_scratch(s, b->bytes) && fits;
    else if (b->kind == FG_ARG_TABLE && s->text->told)
      fits = add_block(s, b->bytes) && fits;
    else
      fits = add_constant(s, b->name, b->bytes) && fits;
  }
  s->nplace = s->narray;
  fits = add_given(s) && fits;
  return add_held(s) && fits;
}

/* ---- the text's arrays ------------------------------------------------------------------------ */

static bool map_arrays(side *s) {
  for (int i = 0; i < s->nplace; i++) {
    region *r = &s->array[i];
    if (r->shared) {
      r->at = s->array[r->shared - 1].at;
      continue;
    }
    r->bytes = sizeof(fg_gf) * (size_t)(r->count + 2 * FG_TEXT_GUARD);
    r->map = mmap(NULL, r->bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (r->map == MAP_FAILED) return r->map = NULL, false;
    r->at = (fg_gf *)r->map + FG_TEXT_GUARD;
  }
  return true;
}

static void unmap_arrays(side *s) {
  for (int i = 0; i < s->nplace; i++) {
    if (s->array[i].map) munmap(s->array[i].map, s->array[i].bytes);
    s->array[i].map = s->array[i].at = NULL;
  }
}

static void fill_guards(const side *s, region *r) {
  uint64_t random = s->text->seed;
  for (int64_t k = 0; k < FG_TEXT_GUARD; k++) {
    r->at[-1 - k] = fg_random(&random) | FG_TEXT_OUTSIDE;
    r->at[r->count + k] = fg_random(&random) | FG_TEXT_OUTSIDE;
  }
}

static bool is_whole(const region *r) { return r->count <= WHOLE_ARRAY; }

/* The neighbours of what is touched, all of an array that has few. */
static void line_of(const region *r, int64_t at, int64_t *from, int64_t *to) {
  *from = at / LINE * LINE;
  *to = *from + LINE < r->count ? *from + LINE : r->count;
}

static void fill_arrays(const side *s) {
  for (int i = 0; i < s->nplace; i++) {
    region *r = (region *)&s->array[i];
    if (r->shared) continue;
    fill_guards(s, r);
    for (int64_t k = 0; k < r->count && is_whole(r); k++) r->at[k] = background(s, i, k);
  }
  for (uint32_t i = 0; i < s->nspot; i++) {
    const spot *x = &s->spot[i];
    const region *r = &s->array[x->array];
    int64_t from, to;
    if (!r->at || r->given || is_whole(r)) continue;
    line_of(r, x->at, &from, &to);
    for (int64_t k = from; k < to; k++) r->at[k] = background(s, x->array, k);
    for (int64_t p = 1; x->part && p < FG_TEXT_PARTS; p++)
      if (x->at + p * x->part < r->count) r->at[x->at + p * x->part] = background(s, x->array, x->at);
  }
  for (uint32_t i = 0; i < s->nspot; i++) {
    const spot *x = &s->spot[i];
    if (s->array[x->array].at) s->array[x->array].at[x->at] = x->initial;
  }
  for (int i = 0; i < s->nindices; i++) {
    const indices *x = &s->indices[i];
    if (!s->array[x->array].given) memcpy(s->array[x->array].at + x->from, x->content, x->bytes);
  }
}

static void renew(const side *s, uint32_t number) {
  const spot *x = &s->spot[number];
  const region *r = &s->array[x->array];
  if (!x->local || !r->at) return;
  for (int64_t p = 0; p < (x->part ? FG_TEXT_PARTS : 1); p++)
    if (x->at + p * x->part < r->count) r->at[x->at + p * x->part] = x->initial;
}

/* ---- what the text asks ------------------------------------------------------------------------ */

typedef struct counting { /* of one loop */
  const fg_picks *picks;
  int64_t *value; /* that its text counts, where it is walked */
  int64_t first, step, last, before;
  int next;
  bool begins; /* a block begins behind it */
} counting;

typedef struct asker {
  const side *s;
  counting *of[FG_MAX_BUFFERS]; /* per kernel, by digit */
  bool in_parts, wrong, differs;
  size_t section, renewed; /* that comes next; things stored before it that LOCAL memory has forgotten */
  uint64_t *seen;          /* by spot: by which section, + 1 */
} asker;

static _Thread_local asker *asking;

static void count_loop(fg_context *cx, const side *s, int kernel, int digit, counting *x) {
  const fg_kernel *k = s->text->p->kernel[kernel];
  static const fg_digit of_threads = {.step = 1, .last = INT64_MAX, .role = FG_ROLE_THREAD};
  const fg_digit *d = digit < FG_MAX_DIGITS ? &k->digit[digit] : &of_threads;
  x->picks = &s->sample->of[kernel][digit];
  x->first = x->before = fg_sample_value(d, 0, s->params);
  x->last = fg_sample_value(d, x->picks->extent - 1, s->params);
  x->step = d->step > 0 ? d->step : 1;
  if (x->picks->all) return;
  x->value = fg_arena_new(cx->arena, int64_t, x->picks->count);
  for (int i = 0; i < x->picks->count; i++) x->value[i] = fg_sample_value(d, x->picks->at[i], s->params);
}

static asker *new_asker(side *s, bool in_parts) {
  const fg_program *p = s->text->p;
  asker *a = fg_arena_new(s->cx.arena, asker, 1);
  a->s = s, a->in_parts = in_parts;
  a->seen = fg_arena_new(s->cx.arena, uint64_t, s->nspot + 1);
  for (int i = 0; i < p->nkernel; i++) {
    const fg_kernel *k = p->kernel[i];
    a->of[i] = fg_arena_new(s->cx.arena, counting, FG_MAX_DIGITS + 1);
    for (int d = 0; d < k->ndigit; d++) count_loop(&s->cx, s, i, d, &a->of[i][d]);
    count_loop(&s->cx, s, i, FG_MAX_DIGITS, &a->of[i][FG_MAX_DIGITS]);
    for (int j = 0; j < k->nouter; j++) {
      fg_role role = k->digit[k->outer[j]].role;
      a->of[i][k->outer[j]].begins = role == FG_ROLE_BLOCK || role == FG_ROLE_HOST;
    }
  }
  return a;
}

/* A loop counts from its first value by its step to its last, or, where its first iteration is written apart, from
 * the second one; parts of it begin anywhere. */
static void follow(asker *a, counting *x, int64_t at) {
  bool begins = at == x->first || at == x->first + x->step, goes_on = at == x->before + x->step;
  if (at < x->first || at > x->last || (!goes_on && !begins && !a->in_parts)) a->wrong = true;
  if (!goes_on) x->next = 0;
  x->before = at;
}

/* What the section before the next has stored is there: of a place, what it has stored last. */
static void settle(asker *a) {
  const side *s = a->s;
  if (a->in_parts || !a->section || a->section >= s->nsection) return;
  size_t from = s->section[a->section - 1].from;
  for (size_t i = s->section[a->section].from; i > from; i--) {
    const spot *x = &s->spot[s->stored[i - 1].spot];
    const region *r = &s->array[x->array];
    if (a->seen[x - s->spot] == a->section || !r->at) continue;
    a->seen[x - s->spot] = a->section;
    if (r->at[x->at] != s->stored[i - 1].value) a->differs = true;
    s->out->outputs++;
  }
}

void fg_proof_text_begins(int stage) {
  asker *a = asking;
  if (!a || a->in_parts) return;
  settle(a);
  if (a->section >= a->s->nsection || a->s->section[a->section].stage != stage) a->wrong = true;
  a->section++;
}

/* LOCAL memory holds nothing when a block begins: what it held before all of them. */
static void begin_block(asker *a) {
  const side *s = a->s;
  settle(a);
  for (uint32_t i = 0; a->in_parts && i < s->nspot; i++) renew(s, i);
  size_t end = a->in_parts || a->section >= s->nsection ? a->renewed : s->section[a->section].from;
  for (; a->renewed < end; a->renewed++) renew(s, s->stored[a->renewed].spot);
}

int fg_proof_text_leaves_out(int loop, long long at) {
  asker *a = asking;
  if (!a) return 0;
  counting *x = &a->of[loop / (FG_MAX_DIGITS + 1)][loop % (FG_MAX_DIGITS + 1)];
  follow(a, x, at);
  while (!x->picks->all && x->next < x->picks->count && x->value[x->next] < at) x->next++;
  bool walked = x->picks->all || (x->next < x->picks->count && x->value[x->next] == at);
  if (walked && x->begins) begin_block(a);
  return !walked;
}

/* ---- the text's sample ---------------------------------------------------------------------------- */

static void run_text(side *s, bool in_parts) {
  void *place[FG_MAX_ARGUMENT_SLOTS];
  long long params[FG_MAX_PARAMS];
  for (int i = 0; i < s->nplace; i++) place[i] = s->array[i].at;
  for (int i = 0; i < FG_MAX_PARAMS; i++) params[i] = s->params[i];
  asking = new_asker(s, in_parts);
  fg_proof_text_begin(s->text->field);
  if (!in_parts) s->run->whole(place, params);
  for (int step = 0; in_parts && step < s->text->artifact->nstep; step++)
    for (int i = 0; i < FG_TEXT_PARTS; i++)
      s->run->part(place, params, step, (i + 2 + step) % FG_TEXT_PARTS, FG_TEXT_PARTS);
  settle(asking);
  if (asking->differs) fail(s, "it does not do what its program does");
  if (!in_parts && asking->section + 1 != s->nsection) asking->wrong = true;
  if (asking->wrong) fail(s, "loops or stages that are not the program's");
  if (fg_proof_text_strayed()) fail(s, "arithmetic on what lies beyond an array");
  asking = NULL;
  s->out->runs++;
}

/* ---- comparison -------------------------------------------------------------------------------------- */

static bool guards_hold(const side *s, const region *r) {
  uint64_t random = s->text->seed;
  bool hold = true;
  for (int64_t k = 0; k < FG_TEXT_GUARD; k++) {
    hold = hold && r->at[-1 - k] == (fg_random(&random) | FG_TEXT_OUTSIDE);
    hold = hold && r->at[r->count + k] == (fg_random(&random) | FG_TEXT_OUTSIDE);
  }
  return hold;
}

static bool is_index(const side *s, int array, int64_t at) {
  for (int i = 0; i < s->nindices; i++)
    if (s->indices[i].array == array && at >= s->indices[i].from && at < s->indices[i].to) return true;
  return false;
}

/* Where the program's sample touches nothing, the text's has stored nothing. */
static bool untouched_hold(const side *s, int array, int64_t from, int64_t to) {
  for (int64_t k = from; k < to; k++)
    if (s->array[array].at[k] != background(s, array, k) && !find(s, array, k) && !is_index(s, array, k)) return false;
  return true;
}

static bool is_scratch(const side *s, int array) {
  for (int i = 0; i < s->text->p->nbuffer; i++)
    if (s->text->map->scratch[i] && s->home[i].array == array) return true;
  return false;
}

static bool compare_around(side *s) {
  for (int i = 0; i < s->nplace; i++) {
    const region *r = &s->array[i];
    if (r->shared) continue;
    if (!guards_hold(s, r)) return fail(s, "a store beyond an array");
    if (is_whole(r) && !is_scratch(s, i) && !untouched_hold(s, i, 0, r->count))
      return fail(s, "a store to what is not its own");
  }
  for (uint32_t i = 0; i < s->nspot; i++) {
    const spot *x = &s->spot[i];
    const region *r = &s->array[x->array];
    int64_t from, to;
    if (!r->at || r->given || x->local || is_whole(r)) continue;
    line_of(r, x->at, &from, &to);
    if (i && s->spot[i - 1].array == x->array && s->spot[i - 1].at / LINE == x->at / LINE) continue;
    if (!is_scratch(s, x->array) && !untouched_hold(s, x->array, from, to))
      return fail(s, "a store to what is not its own");
  }
  return true;
}

static bool compare(side *s) {
  for (uint32_t i = 0; i < s->nspot; i++) {
    const spot *x = &s->spot[i];
    const region *r = &s->array[x->array];
    if (!r->at || x->local) continue;
    if (r->at[x->at] != x->value) return fail(s, "it does not do what its program does");
  }
  return compare_around(s);
}

/* ---- the whole ------------------------------------------------------------------------------------------ */

static void run_and_compare(side *s, bool in_parts, bool *ran) {
  *ran = map_arrays(s);
  if (*ran) {
    fill_arrays(s);
    run_text(s, in_parts);
    if (!s->out->failure[0]) compare(s);
  }
  unmap_arrays(s);
}

static int64_t elements_of(const fg_proof_text *t) {
  return t->sample ? t->sample : t->one_prime ? ONE_PRIME_SAMPLE : LONG_SAMPLE;
}

static void begin(side *s) {
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
  s->sample = fg_sample_create(
      &s->cx, p,
      &(fg_sample_options){
          .params = s->params, .joined = s->text->map->joined, .seed = s->text->seed, .most = elements_of(s->text)});
  grow(s);
}

static void sample(void *data) {
  side *s = data;
  bool ran;
  begin(s);
  s->ran = find_homes(s) && walk_program(s);
  if (!s->ran || s->out->failure[0]) return;
  run_and_compare(s, false, &s->ran);
  if (s->ran && !s->out->failure[0] && s->text->artifact->nstep) run_and_compare(s, true, &ran);
}

fg_status fg_proof_text_sample(const fg_proof_text *text, const fg_proof_text_functions *run, const int64_t *params,
                               bool *ran, fg_text_proof *out) {
  side s = {.cx = {.arena = fg_arena_create()}, .text = text, .run = run, .params = params, .out = out};
  if (!s.cx.arena) return FG_ENOMEM;
  bool done = fg_arena_run(s.cx.arena, sample, &s);
  asking = NULL;
  unmap_arrays(&s);
  fg_arena_destroy(s.cx.arena);
  *ran = s.ran || out->failure[0];
  return done ? FG_OK : FG_ENOMEM;
}
