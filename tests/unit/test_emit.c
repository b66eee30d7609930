/* Emitted text computes what the program says: random programs are walked here,
 * digit by digit, and their text - prime-field dialect under tcc, C under gcc and
 * clang - must leave the same numbers in the output, untouched places included.
 *
 * Random programs have what real ones have only here and there: clipped loops,
 * lanes, padding, swizzles, moduli, predicates, run-time strides, blocks of
 * interleaving, barriers between loads and stores. */
#include "generator/assemble.h"
#include "generator/emit.h"
#include "generator/emit_lines.h"
#include "generator/emit_parts.h"
#include "generator/pipeline.h"
#include "generator/prove.h"
#include "generator/schedule.h"
#include "random_program.h"
#include "targets/tcc.h"
#include <cmocka.h>
#include <dlfcn.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { PARAM = RANDOM_PROGRAM_PARAM, CANARY = 77 };

typedef union number {
  double d;
  fg_gf g;
} number;

static fg_context cx;
static fg_field field;
static uint64_t random_state; /* of numbers */

static int pick(int n) { return (int)(fg_random(&random_state) % (uint64_t)n); }

/* ---- what it means ----------------------------------------------------------------- */

typedef struct machine {
  const fg_program *p;
  bool exact; /* numbers of the field, else doubles */
  number *memory[FG_MAX_BUFFERS];
  const int32_t *order[FG_MAX_BUFFERS]; /* index tables */
  const fg_kernel *k;
  int64_t value[FG_MAX_DIGITS];
  const number *before; /* of the loads' memory, where a barrier lies between them and the stores */
} machine;

static const int64_t params[] = {PARAM};

static number *numbers(int64_t n) { return fg_arena_new(cx.arena, number, n + 1); }

static void place_of(const fg_buffer *b, int64_t e, int64_t *re, int64_t *im) {
  *re = 2 * e, *im = 2 * e + 1;
  if (b->layout == FG_LAYOUT_SPLIT) *re = e, *im = e + b->size;
  if (b->layout == FG_LAYOUT_BLOCKED) *re = e / b->block * 2 * b->block + e % b->block, *im = *re + b->block;
}

static number operate(const machine *m, const fg_codelet *c, const fg_dnode *d, const number *v, const number *in,
                      const number *tw) {
  const fg_field *f = &field;
  number a = d->a != FG_NO_NODE ? v[d->a] : (number){0}, b = d->b != FG_NO_NODE ? v[d->b] : (number){0},
         x = d->c != FG_NO_NODE ? v[d->c] : (number){0};
  switch (d->op) {
  case FG_OP_IN: return in[d->slot];
  case FG_OP_TW: return tw[d->slot];
  case FG_OP_CONST:
    return m->exact ? (number){.g = fg_const_image(c->pool, f, d->slot)}
                    : (number){.d = fg_const_double(c->pool, d->slot)};
  case FG_OP_NEG: return m->exact ? (number){.g = fg_gf_neg(f, a.g)} : (number){.d = -a.d};
  case FG_OP_ADD: return m->exact ? (number){.g = fg_gf_add(f, a.g, b.g)} : (number){.d = a.d + b.d};
  case FG_OP_SUB: return m->exact ? (number){.g = fg_gf_sub(f, a.g, b.g)} : (number){.d = a.d - b.d};
  case FG_OP_MUL: return m->exact ? (number){.g = fg_gf_mul(f, a.g, b.g)} : (number){.d = a.d * b.d};
  case FG_OP_FMA:
    return m->exact ? (number){.g = fg_gf_add(f, fg_gf_mul(f, a.g, b.g), x.g)} : (number){.d = a.d * b.d + x.d};
  case FG_OP_FMS:
    return m->exact ? (number){.g = fg_gf_sub(f, fg_gf_mul(f, a.g, b.g), x.g)} : (number){.d = a.d * b.d - x.d};
  case FG_OP_FNMA:
    return m->exact ? (number){.g = fg_gf_sub(f, x.g, fg_gf_mul(f, a.g, b.g))} : (number){.d = x.d - a.d * b.d};
  case FG_OP_COUNT: break;
  }
  return (number){0};
}

static void load(machine *m, const fg_access *a, const number *from, number *out) {
  const fg_buffer *b = &m->p->buffer[a->buffer];
  for (int64_t s = 0; s < m->k->digit[a->reg].extent.n; s++) {
    int64_t re, im;
    m->value[a->reg] = s;
    out[2 * s] = out[2 * s + 1] = (number){0};
    if (!fg_preds_hold(a->pred, a->npred, m->value, params)) continue;
    int64_t e = fg_index_value(&a->index, m->value, params, m->order);
    assert_in_range(e, 0, b->size - 1);
    place_of(b, e, &re, &im);
    out[2 * s] = from[re];
    out[2 * s + 1] = from[im];
  }
}

static void store(machine *m, const fg_stage *s, const number *y) {
  const fg_access *a = &s->store;
  const fg_buffer *b = &m->p->buffer[a->buffer];
  for (int64_t r = 0; r < m->k->digit[a->reg].extent.n; r++) {
    int64_t re, im;
    m->value[a->reg] = r;
    if (!fg_preds_hold(a->pred, a->npred, m->value, params)) continue;
    int64_t e = fg_index_value(&a->index, m->value, params, m->order);
    assert_in_range(e, 0, b->size - 1);
    place_of(b, e, &re, &im);
    m->memory[a->buffer][re] = y[2 * r];
    m->memory[a->buffer][im] = y[2 * r + 1];
  }
}

static void run_codelet(machine *m, const fg_stage *s) {
  if (!fg_preds_hold(s->pred, s->npred, m->value, params)) return;
  number in[64], tw[64], y[64];
  load(m, &s->load, m->before ? m->before : m->memory[s->load.buffer], in);
  const fg_codelet *c = s->codelet;
  if (!c) {
    store(m, s, in);
    return;
  }
  if (s->has_twiddle) load(m, &s->twiddle, m->memory[s->twiddle.buffer], tw);
  number *v = numbers(c->nnode);
  for (int i = 0; i < c->nnode; i++) v[i] = operate(m, c, &c->node[i], v, in, tw);
  for (int i = 0; i < c->nout; i++) y[i] = v[c->out[i]];
  store(m, s, y);
}

static void run_loops(machine *m, const fg_stage *s, int depth) {
  if (depth == s->nloop) {
    run_codelet(m, s);
    return;
  }
  const fg_digit *d = &m->k->digit[s->loop[depth]];
  int64_t extent = d->role == FG_ROLE_THREAD ? 1 : fg_digit_extent(d, params);
  for (int64_t i = 0; i < extent; i++) {
    if (d->role != FG_ROLE_THREAD) m->value[s->loop[depth]] = fg_digit_value(d, i, params);
    run_loops(m, s, depth + 1);
  }
}

static void run_stage(machine *m, const fg_stage *s) {
  size_t bytes = sizeof(number) * 2 * (size_t)m->p->buffer[s->load.buffer].size;
  m->before = s->sync_mid ? fg_arena_copy(cx.arena, m->memory[s->load.buffer], bytes) : NULL;
  for (int thread = 0; thread < m->k->threads; thread++) {
    for (int i = 0; i < s->nloop; i++) {
      const fg_digit *d = &m->k->digit[s->loop[i]];
      if (d->role == FG_ROLE_THREAD) m->value[s->loop[i]] = fg_digit_value(d, thread / d->div % d->extent.n, params);
    }
    run_loops(m, s, 0);
  }
}

static void run_blocks(machine *m, int depth) {
  if (depth == m->k->nouter) {
    for (int s = 0; s < m->k->nstage; s++) run_stage(m, &m->k->stage[s]);
    return;
  }
  const fg_digit *d = &m->k->digit[m->k->outer[depth]];
  for (int64_t i = 0; i < fg_digit_extent(d, params); i++) {
    m->value[m->k->outer[depth]] = fg_digit_value(d, i, params);
    run_blocks(m, depth + 1);
  }
}

static number random_number(bool exact) {
  if (exact) return (number){.g = fg_gf_random(&field, &random_state)};
  return (number){.d = (double)(float)((double)(fg_random(&random_state) >> 40) / (1 << 23) - 1)};
}

static void fill_table(machine *m, int table) {
  int buffer = m->p->table[table].buffer;
  const fg_buffer *b = &m->p->buffer[buffer];
  fg_gfc *images = fg_arena_new(cx.arena, fg_gfc, b->size);
  double *values = fg_arena_new(cx.arena, double, 2 * b->size);
  assert_int_equal(fg_table_fill_gf(&cx, m->p, table, &field, images), FG_OK);
  assert_int_equal(fg_table_fill_double(&cx, m->p, table, values), FG_OK);
  for (int64_t e = 0; e < m->p->table[table].rows * m->p->table[table].cols; e++) {
    int64_t re, im;
    place_of(b, e, &re, &im);
    m->memory[buffer][re] = m->exact ? (number){.g = images[e].re} : (number){.d = values[2 * e]};
    m->memory[buffer][im] = m->exact ? (number){.g = images[e].im} : (number){.d = values[2 * e + 1]};
  }
}

static const int32_t *random_order(int64_t n) {
  int32_t *order = fg_arena_new(cx.arena, int32_t, n);
  for (int64_t i = 0; i < n; i++) {
    int64_t j = pick((int)i + 1);
    order[i] = order[j];
    order[j] = (int32_t)i;
  }
  return order;
}

static void start_machine(machine *m, const fg_program *p, bool exact) {
  *m = (machine){.p = p, .exact = exact, .k = p->kernel[0]};
  for (int i = 0; i < p->nbuffer; i++) {
    int64_t reals = 2 * p->buffer[i].size;
    if (p->buffer[i].elem == FG_ELEM_INDEX) {
      m->order[i] = random_order(p->buffer[i].size);
      continue;
    }
    m->memory[i] = numbers(reals);
    bool scratch = p->buffer[i].space == FG_SPACE_LOCAL; /* zeros here and there */
    for (int64_t j = 0; j < reals && i != FG_BUFFER_OUT && !scratch; j++) m->memory[i][j] = random_number(exact);
    for (int64_t j = 0; j < reals && i == FG_BUFFER_OUT; j++)
      m->memory[i][j] = exact ? (number){.g = CANARY} : (number){.d = CANARY};
  }
  for (int i = 0; i < p->ntable; i++) fill_table(m, i);
}

/* ---- the text under tcc -------------------------------------------------------------- */

static unsigned long long gf_add(unsigned long long a, unsigned long long b) { return fg_gf_add(&field, a, b); }
static unsigned long long gf_sub(unsigned long long a, unsigned long long b) { return fg_gf_sub(&field, a, b); }
static unsigned long long gf_mul(unsigned long long a, unsigned long long b) { return fg_gf_mul(&field, a, b); }
static unsigned long long gf_neg(unsigned long long a) { return fg_gf_neg(&field, a); }

typedef void (*entry_fn)(void *const *places, const long long *values);

static int buffer_named(const fg_program *p, const char *name) {
  for (int i = 0; i < p->nbuffer; i++)
    if (!strcmp(p->buffer[i].name, name)) return i;
  return -1; /* the scratch */
}

/* Memory for a call, in the order of the artifact; split arrays take two places. */
static void lay_places(const fg_artifact *a, const machine *m, void **place, uint64_t *out) {
  for (int i = 0, n = 0; i < a->nbuffer; i++) {
    const fg_arg_buffer *b = &a->buffer[i];
    bool is_out = b->kind == FG_ARG_OUT;
    uint64_t *memory = is_out ? out : calloc(1, b->bytes + 64);
    assert_non_null(memory);
    int buffer = buffer_named(m->p, b->name);
    int64_t size = buffer >= 0 ? m->p->buffer[buffer].size : 0;
    if (buffer >= 0 && m->order[buffer])
      memcpy(memory, m->order[buffer], (size_t)size * sizeof(int32_t));
    else
      for (int64_t j = 0; j < 2 * size; j++) memory[j] = m->memory[buffer][j].g;
    place[n++] = memory;
    if (b->split) place[n++] = memory + size;
  }
}

static void free_places(const fg_artifact *a, void **place) {
  for (int i = 0, n = 0; i < a->nbuffer; n += 1 + a->buffer[i].split, i++)
    if (a->buffer[i].kind != FG_ARG_OUT) free(place[n]);
}

static void check_exact(const fg_program *p) {
  machine m;
  start_machine(&m, p, true);
  fg_emit_options options = {.dialect = fg_dialect_find("gf"), .prefix = "k", .entry = true, .field = &field};
  fg_emitted e;
  if (fg_emit(&cx, p, &options, &e) != FG_OK) fail_msg("%s", cx.diag.message);
  typedef unsigned long long (*binary)(unsigned long long, unsigned long long);
  const binary add = gf_add, sub = gf_sub, mul = gf_mul;
  unsigned long long (*const neg)(unsigned long long) = gf_neg;
  fg_tcc_symbol symbols[] = {{"fg_add", NULL}, {"fg_sub", NULL}, {"fg_mul", NULL}, {"fg_neg", NULL}, {0}};
  memcpy(&symbols[0].address, &add, sizeof add);
  memcpy(&symbols[1].address, &sub, sizeof sub);
  memcpy(&symbols[2].address, &mul, sizeof mul);
  memcpy(&symbols[3].address, &neg, sizeof neg);
  fg_tcc_code *code;
  char why[FG_WHY_SIZE];
  if (fg_tcc_compile(e.artifact.source, symbols, &code, why)) fail_msg("%s\n%s", why, e.artifact.source);
  void *symbol = fg_tcc_find(code, "k_entry");
  assert_non_null(symbol);
  entry_fn entry;
  memcpy(&entry, &symbol, sizeof entry);
  void *place[128];
  int64_t reals = 2 * p->buffer[FG_BUFFER_OUT].size;
  uint64_t *out = calloc((size_t)reals + 8, sizeof *out);
  lay_places(&e.artifact, &m, place, out);
  const long long values[] = { PARAM };
  entry(place, values);
  run_blocks(&m, 0);
  for (int64_t i = 0; i < reals; i++)
    if (out[i] != m.memory[FG_BUFFER_OUT][i].g)
      fail_msg("number %lld of %lld differs\n%s\n%s", (long long)i, (long long)reals, fg_program_print(&cx, p),
               e.artifact.source);
  free_places(&e.artifact, place);
  free(out);
  fg_tcc_free(code);
}

static void fresh_arena(void) {
  fg_arena_destroy(cx.arena);
  cx = (fg_context){.arena = fg_arena_create()};
  assert_non_null(cx.arena);
  assert_int_equal(fg_field_create(&cx, 4 * 64 * 3 * 5 * 7, 11, &field), FG_OK);
}

static void check_many_exact(int lanes, int count) {
  for (int i = 0; i < count; i++) {
    fresh_arena();
    random_state = (uint64_t)(1000 * lanes + i);
    check_exact(random_program(&cx, &(random_wish){(uint64_t)(1000 * lanes + i), lanes, FG_F64, true}));
  }
}

static void test_scalar_text_is_exact(void **state) {
  (void)state;
  check_many_exact(1, 400);
}

static void test_vector_text_is_exact(void **state) {
  (void)state;
  for (int lanes = 2; lanes <= 16; lanes *= 2) check_many_exact(lanes, 150);
}

/* Rows of slots: R points side by side, `distance` apart in a batch that is no
 * multiple of the lanes. */
typedef struct rows_wish {
  int points, distance, lanes;
  fg_precision precision;
  const char *form;
  bool stream;
} rows_wish;

static fg_program *rows_program(const rows_wish *wish) {
  fg_problem q;
  fg_plan *plan;
  fg_program *p = NULL;
  fg_mapping map = {.lanes = wish->lanes, .registers = 16, .fma = true};
  bool pairs = !strcmp(wish->form, "pairs");
  const char *text = fg_arena_printf(cx.arena, "c2c %s n=%d batch=%d:%d:%d layout=%s",
                                     fg_precision_name(wish->precision), wish->points, 2 * wish->lanes + 1,
                                     wish->distance, wish->distance, pairs ? "interleaved" : wish->form);
  const char *way =
      fg_arena_printf(cx.arena, "direct(%d; pairs=%d, stream=%d)", wish->points, pairs ? 2 : 1, wish->stream ? 2 : 1);
  if (fg_problem_parse(&cx, text, &q) != FG_OK || fg_plan_parse(&cx, way, &plan) != FG_OK ||
      fg_assemble(&cx, &q, plan, &map, &p) != FG_OK)
    fail_msg("%s: %s", text, cx.diag.message);
  assert_int_equal(p->kernel[0]->stage[0].packed, pairs && wish->lanes >= 4);
  assert_int_equal(p->kernel[0]->stage[0].load.move, FG_MOVE_TRANSPOSE);
  assert_int_equal(p->kernel[0]->stage[0].store.move, FG_MOVE_TRANSPOSE);
  assert_int_equal(p->kernel[0]->stage[0].store.stream, wish->stream);
  return p;
}

static void test_rows_are_exact(void **state) {
  (void)state;
  static const char *const layouts[] = {"interleaved", "split", "split>interleaved", "pairs"};
  static const int points[] = {2, 3, 4, 5, 6, 7, 8, 9, 10, 12, 14, 15, 16, 20, 25};
  for (int lanes = 2; lanes <= 16; lanes *= 2)
    for (size_t i = 0; i < sizeof points / sizeof *points; i++) {
      fresh_arena();
      assert_int_equal(fg_field_create(&cx, 4 * 64 * 9 * 25 * 7, 11, &field), FG_OK);
      fg_precision precision = (i + (size_t)lanes) % 2 ? FG_F32 : FG_F64;
      rows_wish wish[] = {{points[i], points[i], lanes, precision, layouts[i % 4], true},
                          {points[i], points[i] + 1, lanes, precision, layouts[(i + 1) % 4], true},
                          {points[i], points[i] + (int)i % 2, lanes, precision, "pairs", true}};
      for (int j = 0; j < 3; j++) check_exact(rows_program(&wish[j]));
      for (int j = 0; j < 3 && points[i] % 8 == 0; j++) wish[j].stream = false, check_exact(rows_program(&wish[j]));
    }
}

/* Upper halves go to memory as parts of variables, but not past the caches. */
static void test_halves(void **state) {
  (void)state;
  for (int stream = 0; stream < 2; stream++) {
    fresh_arena();
    rows_wish wish = {16, 16, 8, FG_F32, "interleaved", stream};
    fg_emit_options options = {.dialect = fg_dialect_find("c"), .prefix = "k"};
    fg_emitted e;
    assert_int_equal(fg_emit(&cx, rows_program(&wish), &options, &e), FG_OK);
    assert_int_equal(strstr(e.artifact.source, "(const float *)&s") != NULL, !stream);
  }
}

static bool swaps_words(const char *isa, int lanes, fg_precision precision) {
  fresh_arena();
  rows_wish wish = {4, 4, lanes, precision, "pairs", false};
  fg_emit_options options = {.dialect = fg_dialect_find("c"), .isa = fg_isa_find(isa), .prefix = "k"};
  fg_emitted e;
  assert_int_equal(fg_emit(&cx, rows_program(&wish), &options, &e), FG_OK);
  return strstr(e.artifact.source, fg_arena_printf(cx.arena, "(vec%d_words)", lanes)) != NULL;
}

/* The parts of a pair change places as words, where that is not what shuffles do as well. */
static void test_swaps(void **state) {
  (void)state;
  assert_true(swaps_words("avx512", 16, FG_F32));
  assert_true(swaps_words("avx512", 8, FG_F32));
  assert_true(swaps_words("znver4", 16, FG_F32));
  assert_false(swaps_words("avx2", 8, FG_F32));
  assert_true(swaps_words("avx512", 4, FG_F64));
  assert_false(swaps_words("avx512", 8, FG_F64));
}

static const char *text_mapped(const char *isa, const fg_mapping *map, const char *text, const char *plan_text) {
  fresh_arena();
  fg_problem q;
  fg_plan *plan;
  fg_program *p;
  const fg_isa *on = fg_isa_find(isa);
  if (fg_problem_parse(&cx, text, &q) != FG_OK || fg_plan_parse(&cx, plan_text, &plan) != FG_OK ||
      fg_assemble(&cx, &q, plan, map, &p) != FG_OK)
    fail_msg("%s: %s", text, cx.diag.message);
  fg_emit_options options = {.dialect = fg_dialect_find("c"), .isa = on, .prefix = "k"};
  fg_emitted e;
  assert_int_equal(fg_emit(&cx, p, &options, &e), FG_OK);
  return e.artifact.source;
}

static const char *text_for(const char *isa, const char *text, const char *plan_text) {
  const fg_isa *on = fg_isa_find(isa);
  fg_mapping map = {.lanes = on->vector_bytes / (strstr(text, "f64") ? 8 : 4), .registers = on->registers, .fma = true};
  return text_mapped(isa, &map, text, plan_text);
}

static const char *text_of(const char *text, const char *plan_text) { return text_for("avx512", text, plan_text); }

/* Memory stands between stages where the second one's vectors are narrower. */
static void test_fence(void **state) {
  (void)state;
  assert_non_null(strstr(text_of("r2c f64 n=54", "real(6, stockham(3,3))"), "__asm__ volatile(\"\""));
  assert_null(strstr(text_of("c2c f64 n=1024", "stockham(8,8,16)"), "__asm__"));
}

/* Pairs of floats in vectors of four, where no others are about and vectors have 16 bytes at least. */
static void test_padded(void **state) {
  (void)state;
  assert_non_null(strstr(text_for("avx512", "c2c f32 n=31", "direct(31)"), "vec2of4"));
  assert_non_null(strstr(text_for("sse2", "c2c f32 n=5", "direct(5)"), "vec2of4"));
  assert_null(strstr(text_for("neon", "c2c f32 n=5", "direct(5)"), "vec2of4"));
  assert_null(strstr(text_for("avx512", "c2c f64 n=5", "direct(5)"), "vec2of4"));
  assert_null(strstr(text_for("avx512", "c2c f32 n=5 batch=9", "direct(5)"), "vec2of4"));
}

/* By what waits: joined stages on pairs, neither too few operations nor too many vectors. */
static void test_order(void **state) {
  (void)state;
  assert_non_null(strstr(text_of("c2c f32 n=64", "stockham(8,8)"), "sched-pressure"));
  assert_non_null(strstr(text_of("c2c f32 n=128 batch=9", "stockham(16,8)"), "sched-pressure"));
  assert_null(strstr(text_of("c2c f32 n=8", "stockham(4,2)"), "sched-pressure"));
  assert_null(strstr(text_of("c2c f32 n=256", "stockham(16,16; pairs=2)"), "sched-pressure"));
  assert_null(strstr(text_of("c2c f32 n=256", "stockham(16,16; pairs=1)"), "sched-pressure"));
  assert_null(strstr(text_of("c2c f32 n=31", "direct(31)"), "sched-pressure"));
  /* Plans may turn the rule around. */
  assert_null(strstr(text_of("c2c f32 n=64", "stockham(8,8; forms=2)"), "sched-pressure"));
  assert_non_null(strstr(text_of("c2c f32 n=256", "stockham(16,16; pairs=2, forms=2)"), "sched-pressure"));
}

/* Plans may turn around whether rows go to memory by halves. */
static void test_halves_by_plan(void **state) {
  (void)state;
  assert_non_null(strstr(text_of("c2c f64 n=1024", "stockham(8,8,16)"), "(const double *)&s"));
  assert_null(strstr(text_of("c2c f64 n=1024", "stockham(8,8,16; forms=4)"), "(const double *)&s"));
}

static int times_in(const char *source, const char *words) {
  int count = 0;
  for (const char *at = source; (at = strstr(at, words)); at++) count++;
  return count;
}

/* Where there is such an instruction, and products are more than sums, half of the sums of what is turned alternate
 * between - and +. */
static void test_alternating(void **state) {
  (void)state;
  const char *eights = ", 0, 9, 2, 11, 4, 13, 6, 15)", *fours = ", 0, 5, 2, 7)";
  const char *source = text_for("avx2", "c2c f32 n=256", "stockham(16,16; pairs=2)");
  assert_int_equal(times_in(source, eights), 14);
  assert_int_equal(times_in(source, " = J * s") + times_in(source, " - J * s"), 14);
  assert_int_equal(times_in(text_for("avx2", "c2c f64 n=256", "stockham(16,16; pairs=2)"), fours), 14);
  assert_int_equal(times_in(text_for("avx512", "c2c f32 n=128", "stockham(16,8)"), eights), 0);
  assert_int_equal(times_in(text_for("avx2", "c2c f32 n=64", "stockham(8,8)"), eights), 0);
  assert_int_equal(times_in(text_for("avx2", "c2c f32 n=64", "stockham(8,8; forms=8)"), eights), 12);
  /* A pair in four places. Outputs that are less such a sum stay products. */
  assert_int_equal(times_in(text_for("avx2", "c2c f32 n=16", "direct(16; forms=8)"), fours), 7);
  source = text_for("avx2", "c2c f64 n=12", "direct(12; forms=8)");
  assert_int_equal(times_in(source, ", 0, 3)"), 1);
  assert_int_equal(times_in(source, " = -t"), 4);
}

/* Pairs turn once for each pair of outputs where codelets have factors inside, and once for each factor before them;
 * the table has either part of these twice. Rows of vectors that take two turns leave whole from 8 slots on, in the
 * first cache. */
static void test_turns(void **state) {
  (void)state;
  const char *swap = " >> 32)", *half = "(const float *)&s", *twice = "0, 0, 2, 2, 4, 4, 6, 6";
  const char *source = text_for("znver4", "c2c f32 n=2048", "stockham(16,16,8; pairs=2)");
  assert_int_equal(times_in(source, swap), 7 + (15 + 7) + (7 + 3));
  assert_int_equal(times_in(source, twice), 7); /* of the last pass, whose table is large */
  source = text_for("znver4", "c2c f32 n=512", "stockham(8,8,8; pairs=2)");
  assert_int_equal(times_in(source, twice), 0);
  assert_null(strstr(source, half));
  assert_non_null(strstr(text_for("avx512", "c2c f32 n=512", "stockham(8,8,8; pairs=2)"), half));
  assert_non_null(strstr(text_for("znver4", "c2c f32 n=512", "stockham(8,8,8; pairs=2, forms=4)"), half));
  assert_non_null(strstr(text_for("znver4", "c2c f32 n=3072", "stockham(16,12,16; pairs=2)"), half));
  /* Long rows that begin within lines. */
  assert_int_equal(times_in(text_for("znver4", "c2c f64 n=729", "stockham(27,27; pairs=2)"), twice), 26);
  assert_int_equal(times_in(text_for("znver4", "c2c f64 n=81", "stockham(9,9; pairs=2)"), twice), 0);
}

/* Vectors of 32 bytes, 16 registers: numbers are loaded once where they are multiplied, rows are stored whole, and an
 * exchange takes no numbers of two vectors across 16-byte parts. */
static void test_avx2(void **state) {
  (void)state;
  fresh_arena();
  fg_problem q;
  fg_plan *plan;
  fg_program *p;
  fg_mapping map = {.lanes = 4, .registers = 16, .fma = true};
  assert_int_equal(fg_problem_parse(&cx, "c2c f64 n=256", &q), FG_OK);
  assert_int_equal(fg_plan_parse(&cx, "stockham(4,8,8; pairs=1)", &plan), FG_OK);
  assert_int_equal(fg_assemble(&cx, &q, plan, &map, &p), FG_OK);
  fg_emit_options options = {.dialect = fg_dialect_find("c"), .isa = fg_isa_find("avx2"), .prefix = "k"};
  fg_emitted e;
  assert_int_equal(fg_emit(&cx, p, &options, &e), FG_OK);
  const char *source = e.artifact.source, *fence = strstr(source, "__asm__ volatile(\"\"");
  assert_true(fence && fence > strstr(source, "_run_1("));
  assert_null(strstr(source, "(const double *)&s"));
  assert_null(strstr(source, "0, 4, 1, 5"));
  assert_non_null(strstr(source, "0, 1, 4, 5"));
}

static fg_program *program_for(const char *isa_name, const char *text, const char *plan_text) {
  fresh_arena();
  fg_problem q;
  fg_plan *plan;
  fg_program *p;
  assert_int_equal(fg_problem_parse(&cx, text, &q), FG_OK);
  assert_int_equal(fg_plan_parse(&cx, plan_text, &plan), FG_OK);
  const fg_isa *isa = fg_isa_find(isa_name);
  fg_mapping map = {.lanes = isa->vector_bytes / fg_precision_bytes(q.compute),
                    .one_source = !isa->two_sources,
                    .registers = isa->registers,
                    .adders = isa->adders,
                    .second = isa->second,
                    .fma = isa->fma};
  assert_int_equal(fg_assemble(&cx, &q, plan, &map, &p), FG_OK);
  return p;
}

static int woven_buffers(const fg_program *p, bool tables) {
  int n = 0;
  for (int i = 0; i < p->nbuffer; i++) n += p->buffer[i].woven && (p->buffer[i].space == FG_SPACE_TABLE) == tables;
  return n;
}

/* Scratch and tables whose vectors have the order that shuffles within 16-byte parts leave; where some
 * vector begins within another one, or one number moves, all is as it was. The text is proved where it is so. */
static void test_woven(void **state) {
  (void)state;
  static const struct {
    const char *isa, *problem, *plan;
    int scratch, tables;
  } all[] = {
      {"avx2", "c2c f64 n=1024", "stockham(8,8,16)", 1, 2},
      {"avx2", "c2c f32 n=1024 sign=+1", "stockham(8,8,16)", 1, 2},
      {"avx2", "c2c f32 n=1024 place=in", "stockham(8,8,16)", 1, 2},
      {"avx2", "c2c f64 n=720 batch=3", "stockham(8,6,15; pairs=1)", 2, 2},
      {"avx2", "c2c f64 n=480", "stockham(4,10,12; pairs=1)", 1, 2},
      {"avx2", "c2c f32 n=1000", "stockham(8,5,5,5)", 2, 3},
      {"avx2", "c2c f64 n=480", "stockham(12,10,4; pairs=1)", 1, 2},
      {"avx2", "c2c f64 n=480", "stockham(20,24; pairs=1)", 1, 1},
      {"avx2", "c2c f64 n=4096", "four-step(stockham(8,8), stockham(8,8))", 3, 3},
      {"avx2", "c2c f32 n=64x64", "nd(stockham(8,8), stockham(8,8); pairs=1)", 2, 1},
      {"avx2", "c2c f32 n=64x64", "nd(stockham(8,8), stockham(8,8))", 1, 0}, /* rows of pairs */
      {"avx2", "c2c f64 n=1024", "stockham(8,8,16; tables=1)", 1, 2},
      {"avx2", "c2c f64 n=1024", "stockham(8,8,16; forms=32)", 0, 0},
      {"avx2", "c2c f64 n=1024 layout=split", "stockham(8,8,16)", 0, 0},
      {"avx2", "c2c f64 n=1024", "stockham(8,8,16; lanes=2)", 0, 0},
      {"avx2", "c2c f64 n=1024", "stockham(8,8,16; pairs=2)", 0, 0},
      {"avx2", "c2c f64 n=450", "stockham(9,5,10; pairs=1)", 0, 0},
      {"avx2", "r2c f64 n=2048", "real(8, stockham(8,32))", 0, 0},
      {"znver4", "c2c f32 n=1024", "stockham(16,8,8)", 1, 2}, /* some rows of the first pass wrap around */
      {"znver4", "c2c f64 n=1024 place=in", "stockham(8,8,16)", 1, 2},
      {"znver4", "c2c f32 n=4096 sign=+1", "four-step(stockham(16,4), stockham(16,4))", 3, 3},
      {"znver4", "c2c f32 n=1024", "stockham(32,32)", 0, 0}, /* rows of more slots than registers are left for */
      {"znver4", "c2c f32 n=480", "stockham(16,30; pairs=1)", 1, 1},
      {"znver4", "c2c f32 n=480", "stockham(12,40; pairs=1)", 0, 0},
      {"znver5", "c2c f32 n=1024", "stockham(16,8,8)", 1, 2},
      {"avx512", "c2c f32 n=1024", "stockham(16,8,8)", 0, 0},  /* one permutation is as good as another, */
      {"avx512", "c2c f64 n=2048", "stockham(8,16,16)", 1, 2}, /* but beyond the first cache, where rows leave whole */
      {"avx512", "c2c f64 n=1024 batch=3", "stockham(8,8,16)", 0, 0},
  };
  for (size_t i = 0; i < sizeof all / sizeof *all; i++) {
    fg_program *p = program_for(all[i].isa, all[i].problem, all[i].plan);
    int scratch = woven_buffers(p, false), tables = woven_buffers(p, true);
    if (scratch != all[i].scratch || tables != all[i].tables)
      fail_msg("%s: %s, %s: %d buffers, %d tables", all[i].isa, all[i].problem, all[i].plan, scratch, tables);
    fg_text_proof text;
    assert_int_equal(fg_prove_text(&cx, p, fg_isa_find(all[i].isa), 5, &text), FG_OK);
    if (!text.proved) fail_msg("%s: %s, %s: %s", all[i].isa, all[i].problem, all[i].plan, text.failure);
  }
}

static int64_t tiles_of(const fg_kernel *k) {
  for (int d = 0; d < k->ndigit; d++)
    if (k->digit[d].role == FG_ROLE_BLOCK && !strcmp(k->digit[d].name, "t")) return k->digit[d].extent.n;
  return 1;
}

/* Of several dimensions: rows of pairs, where these are better; the number of tiles of columns; whether rows go past
 * the caches: where columns read them much later, and where every vector is whole lines. */
static void test_dimensions(void **state) {
  (void)state;
  static const struct {
    const char *isa, *problem, *plan;
    bool pairs;
    int64_t tiles;
    bool stream;
  } all[] = {
      {"znver4", "c2c f32 n=128x128x128", "nd(stockham(16,8), stockham(16,8), stockham(16,8))", true, 1, false},
      {"znver4", "c2c f64 n=128x128x128", "nd(stockham(16,8), stockham(16,8), stockham(16,8))", true, 1, true},
      {"znver4", "c2c f64 n=100x150x150", "nd(stockham(10,10), stockham(10,15), stockham(10,15))", true, 1, false},
      {"znver4", "c2c f64 n=1024x1024", "nd(stockham(8,8,16), stockham(8,8,16))", false, 32, true},
      {"znver4", "c2c f64 n=1024x1024", "nd(stockham(8,8,16), stockham(8,8,16); stream=1)", false, 32, false},
      {"znver4", "c2c f64 n=512x512", "nd(stockham(8,8,8), stockham(8,8,8))", false, 32, false},
      {"znver4", "c2c f32 n=64x64", "nd(direct(64), direct(64))", false, 1, false}, /* several rows at once */
      {"znver4", "c2c f32 n=64x64 layout=split", "nd(stockham(8,8), stockham(8,8))", false, 4, false},
      {"znver4", "r2c f32 n=64x64", "nd(stockham(8,8), real(8, direct(8)))", false, 2, false},
      {"avx512", "c2c f32 n=64x64", "nd(stockham(8,8), stockham(8,8); pairs=1)", false, 4, false},
      {"avx512", "c2c f64 n=1024x1024", "nd(stockham(8,8,16), stockham(8,8,16))", false, 64, false},
  };
  for (size_t i = 0; i < sizeof all / sizeof *all; i++) {
    fg_program *p = program_for(all[i].isa, all[i].problem, all[i].plan);
    const fg_kernel *rows = p->kernel[0], *columns = p->kernel[1];
    const fg_stage *last = &rows->stage[rows->nstage - 1];
    int64_t tiles = tiles_of(columns);
    if (rows->stage->packed != all[i].pairs || columns->stage->packed || tiles != all[i].tiles ||
        last->store.stream != all[i].stream)
      fail_msg("%s: %s, %s: %d pairs, %d tiles, %d past the caches", all[i].isa, all[i].problem, all[i].plan,
               rows->stage->packed, (int)tiles, last->store.stream);
  }
}

/* What is apart of a program for several threads: its text is the same with and without functions for these. */
static void test_apart_of_parts(void **state) {
  (void)state;
  fg_text_proof text;
  fg_program *p = program_for("avx512", "r2c f64 n=120x144", "nd(stockham(8,15), real(8, direct(18)))");
  assert_true(p->kernel[0]->part && p->nkernel == 3);
  assert_int_equal(fg_prove_text(&cx, p, fg_isa_find("avx512"), 5, &text), FG_OK);
  if (!text.proved) fail_msg("%s", text.failure);
}

static const char *last_pass(const char *text, const char *plan_text, const char *name) {
  fg_emit_options options = {.dialect = fg_dialect_find("c"), .isa = fg_isa_find("avx2"), .prefix = "k"};
  fg_emitted e;
  assert_int_equal(fg_emit(&cx, program_for("avx2", text, plan_text), &options, &e), FG_OK);
  const char *last = strstr(e.artifact.source, name);
  assert_non_null(last);
  return last;
}

/* The last pass has no shuffles across the parts of vectors; before it were two a number. */
static void test_woven_text(void **state) {
  (void)state;
  static const char across[] = "0, 1, 4, 5";
  assert_null(strstr(last_pass("c2c f64 n=1024", "stockham(8,8,16)", "k_run_2("), across));
  assert_non_null(strstr(last_pass("c2c f64 n=1024", "stockham(8,8,16; forms=32)", "k_run_2("), across));
}

/* Sums as fused products by one: where a pass exchanges rows, a quarter of sums and shuffles less three of products;
 * not where products are as many, nor where nothing is fused, nor for CPUs whose units do either. The text is proved.
 */
static void test_balanced(void **state) {
  (void)state;
  static const struct {
    const char *isa, *plan;
    int sums;
  } all[] = {
      {"znver4", "stockham(16,8,8)", 36},       {"znver4", "stockham(16,8,8; forms=64)", 0},
      {"znver4", "stockham(16,8,8; fma=0)", 0}, {"znver4", "stockham(16,8,8; lanes=1)", 0},
      {"avx512", "stockham(16,8,8)", 0},        {"znver5", "stockham(16,8,8)", 0},
  };
  for (size_t i = 0; i < sizeof all / sizeof *all; i++) {
    const char *source = text_for(all[i].isa, "c2c f32 n=1024", all[i].plan);
    assert_int_equal(times_in(source, " one * "), all[i].sums);
    assert_int_equal(times_in(source, "volatile float unknown = 1;"), all[i].sums > 0);
  }
  fg_text_proof text;
  fg_program *p = program_for("znver4", "c2c f64 n=256 batch=3", "stockham(16,16)");
  assert_int_equal(fg_prove_text(&cx, p, fg_isa_find("znver4"), 5, &text), FG_OK);
  if (!text.proved) fail_msg("%s", text.failure);
}

/* In the first pass, exchanges of 16 rows stand before the last operation. */
static bool exchanges_early(const char *text, const char *plan_text) {
  const char *source = strstr(text_of(text, plan_text), "_0("), *end = strstr(source, "\n}\n");
  const char *exchange = strstr(source, "0, 16, 1, 17, 4, 20"), *last = NULL;
  for (const char *t = source; (t = strstr(t, "vec16 t")) && t < end; t++) last = t;
  assert_true(exchange && exchange < end && last);
  return exchange < last;
}

/* Where operations are more than a CPU looks ahead, and all lies in the first cache. */
static void test_early(void **state) {
  (void)state;
  assert_true(exchanges_early("c2c f32 n=1024", "stockham(32,32)"));
  assert_true(exchanges_early("c2c f32 n=800", "stockham(32,25)"));
  assert_false(exchanges_early("c2c f32 n=2048", "stockham(16,8,16)"));
  assert_false(exchanges_early("c2c f32 n=8192", "stockham(32,32,8)"));
  assert_false(exchanges_early("c2c f32 n=1024", "stockham(32,32; forms=1)"));
  assert_true(exchanges_early("c2c f32 n=8192", "stockham(32,32,8; forms=1)"));
}

/* The source for AVX2, without its comments. */
static const char *avx2_text(const char *text, const char *plan_text) {
  fresh_arena();
  fg_request r = {.problem = text, .target = "c", .isa = "avx2", .plan = plan_text, .prefix = "k"};
  fg_compilation c;
  assert_int_equal(fg_pipeline_parse(&cx, &r, &c), FG_OK);
  assert_int_equal(fg_pipeline_decide(&c), FG_OK);
  assert_int_equal(fg_pipeline_emit(&c), FG_OK);
  return strstr(c.emitted.artifact.source, "*/");
}

static int by_text(const void *a, const void *b) {
  const fg_word *x = a, *y = b;
  size_t least = x->length < y->length ? x->length : y->length;
  int order = memcmp(x->text, y->text, least);
  return order ? order : (x->length > y->length) - (x->length < y->length);
}

static fg_word *sorted_lines(const char *text, int count) {
  fg_lines l = fg_lines_of(cx.arena, text);
  fg_word *line = fg_arena_new(cx.arena, fg_word, count + 1);
  for (int i = 0; i < count; i++) line[i] = (fg_word){l.line[i], (size_t)(l.line[i + 1] - l.line[i])};
  qsort(line, (size_t)count, sizeof *line, by_text);
  return line;
}

/* Another order of the same lines; fences, of which there is one a load then, are left out. */
static void check_same_lines(const char *a, const char *b) {
  int n = 0, m = 0, na = fg_line_count(a), nb = fg_line_count(b);
  fg_word *x = sorted_lines(a, na), *y = sorted_lines(b, nb);
  for (; n < na; n++) {
    if (strstr(x[n].text, "__asm__") && strstr(x[n].text, "__asm__") < x[n].text + x[n].length) continue;
    while (m < nb && strstr(y[m].text, "__asm__") && strstr(y[m].text, "__asm__") < y[m].text + y[m].length) m++;
    assert_true(m < nb && !by_text(&x[n], &y[m]));
    m++;
  }
}

/* Loads from where a turn stores stand before its stores. */
static void check_stores_last(const char *source) {
  for (const char *turn = source; (turn = strstr(turn, "const vec4 x")); turn = strstr(turn, "\n  }")) {
    const char *end = strstr(turn, "\n  }"), *store = strstr(turn, "  *(vec4_at *)"), *last = turn;
    assert_true(end && store);
    for (const char *t = turn; (t = strstr(t, " = *(const vec4_at *)(px")) && t < end; t++) last = t;
    assert_true(store > last);
  }
}

/* With 16 registers, statements in another order than the schedule's: the same ones, and what they compute is proven
 * by tests of whole programs. */
static void test_listed(void **state) {
  (void)state;
  static const struct {
    const char *problem, *plan, *as_scheduled;
  } row[] = {
      {"c2c f64 n=1024", "stockham(8,8,16)", "stockham(8,8,16; forms=16)"},
      {"c2c f32 n=256", "stockham(16,16)", "stockham(16,16; forms=16)"},
      {"r2c f64 n=1000", "real(8, stockham(25,5))", "real(8, stockham(25,5); forms=16)"},
      {"c2c f64 n=256 place=in", "stockham(16,16)", "stockham(16,16; forms=16)"},
  };
  for (size_t i = 0; i < sizeof row / sizeof *row; i++) {
    const char *other = avx2_text(row[i].problem, row[i].plan);
    char *kept = strdup(other);
    const char *scheduled = avx2_text(row[i].problem, row[i].as_scheduled);
    assert_string_not_equal(kept, scheduled);
    check_same_lines(kept, scheduled);
    if (i == 0) check_stores_last(strstr(kept, "_run_1(double"));
    free(kept);
  }
}

/* The names of vectors in the order in which they are defined. */
static const char *names_in_order(const char *source) {
  fg_lines l = fg_lines_of(cx.arena, source);
  fg_strbuf s;
  fg_strbuf_init(&s, cx.arena);
  for (int i = 0; i < l.count; i++)
    if (fg_line_begins(&l, i, "const vec")) {
      fg_word word = fg_line_defines(&l, i);
      fg_strbuf_addf(&s, "%.*s ", (int)word.length, word.text);
    }
  return s.text;
}

/* What is proved over a field is in the order in which it is compiled. */
static void test_listed_as_proved(void **state) {
  (void)state;
  static const char *const row[][2] = {{"c2c f64 n=1024", "stockham(8,8,16)"},
                                       {"c2c f32 n=60", "stockham(4,15)"},
                                       {"c2c f32 n=64 batch=4", "stockham(8,8)"},
                                       {"r2c f64 n=1000", "real(8, stockham(25,5))"}};
  for (size_t i = 0; i < sizeof row / sizeof *row; i++) {
    fresh_arena();
    fg_request r = {.problem = row[i][0], .target = "c", .isa = "avx2", .plan = row[i][1], .prefix = "k"};
    fg_compilation c;
    assert_int_equal(fg_pipeline_parse(&cx, &r, &c), FG_OK);
    assert_int_equal(fg_pipeline_decide(&c), FG_OK);
    const fg_program *p = c.chosen.program;
    fg_field field;
    assert_int_equal(fg_field_create(&cx, fg_program_order(p), 1, &field), FG_OK);
    fg_emit_options numbers = {.dialect = fg_dialect_find("c"), .isa = c.isa, .prefix = "k"}, over = numbers;
    over.dialect = fg_dialect_find("gf"), over.field = &field;
    fg_emitted a, b;
    assert_int_equal(fg_emit(&cx, p, &numbers, &a), FG_OK);
    assert_int_equal(fg_emit(&cx, p, &over, &b), FG_OK);
    assert_string_equal(names_in_order(a.artifact.source), names_in_order(b.artifact.source));
  }
}

static bool fetches(const char *text, const char *plan_text) {
  const char *source = text_of(text, plan_text);
  bool read = strstr(source, ", 0, 3);"), written = strstr(source, ", 1, 3);");
  assert_int_equal(read, written);
  return read;
}

/* Lines of the next transform, where a batch is larger than the caches and a transform is not. */
static void test_fetch(void **state) {
  (void)state;
  assert_true(fetches("c2c f32 n=256 batch=1000", "stockham(16,16)"));
  assert_true(fetches("c2c f32 n=512 batch=1000", "stockham(32,16)"));
  assert_true(fetches("r2c f32 n=512 batch=1000", "real(8, stockham(8,8))"));
  assert_true(fetches("c2c f64 n=512 batch=80", "stockham(8,8,8)"));
  assert_false(fetches("c2c f64 n=1024 batch=64", "stockham(8,8,16)")); /* two of them leave no room */
  assert_true(fetches("c2c f64 n=1024 batch=100", "stockham(8,8,16)"));
  assert_false(fetches("c2c f32 n=256 batch=100", "stockham(16,16)"));
  assert_false(fetches("c2c f32 n=256 batch=1000 place=in", "stockham(16,16)"));
  assert_false(fetches("c2c f32 n=8192 batch=1000", "stockham(32,16,16)"));
  assert_false(fetches("c2c f32 n=16 batch=100000", "direct(16)"));
}

/* Of the input alone, two transforms of 1 KiB, or eight of 256 bytes, ahead. */
static void test_fetch_ahead(void **state) {
  (void)state;
  const char *doubles = text_of("c2c f64 n=64 batch=1000", "stockham(8,8)");
  assert_non_null(strstr(doubles, "in + 128 * b + 256;"));
  assert_null(strstr(doubles, ", 1, 3);"));
  const char *floats = text_of("c2c f32 n=32 batch=8000", "stockham(8,4; lanes=4)");
  assert_non_null(strstr(floats, "in + 64 * b + 512;"));
  assert_null(strstr(text_of("c2c f64 n=64 batch=500", "stockham(8,8)"), "__builtin_prefetch("));
}

/* Where the second cache is small: lines that follow each other, whatever lies where the loop is. */
static void expect_sweep(const char *source, const char *pointer, const char *const *lines, int count, int written) {
  const char *at = strstr(source, pointer);
  assert_non_null(at);
  for (int i = 0; i < count; i++) {
    char fetch[64];
    snprintf(fetch, sizeof fetch, "__builtin_prefetch(%s, %d, 3);", lines[i], written);
    const char *next = strstr(at, "__builtin_prefetch(");
    assert_non_null(next);
    assert_memory_equal(next, fetch, strlen(fetch));
    at = next + 1;
  }
}

static const char *text_near_third(const char *text, const char *plan_text) {
  fg_mapping map = {.lanes = 4, .registers = 16, .fma = true, .second = 512 << 10};
  return text_mapped("avx2", &map, text, plan_text);
}

static void test_fetch_sweeps(void **state) {
  (void)state;
  static const char *const out[] = {"po", "po + 8", "po + 16", "po + 24", "po + 32"};
  static const char *const in[] = {"pn", "pn + 8", "pn + 16"};
  const char *loops = text_near_third("c2c f64 n=128 batch=1000", "stockham(16,8)");
  expect_sweep(loops, "po = out + 256 * b + 32 * q;", out, 5, 1);
  expect_sweep(loops, "pn = in + 256 * b + 16 * k + 256;", in, 3, 0);
  const char *rows = text_near_third("c2c f64 n=512x512", "nd(stockham(8,8,8), stockham(8,8,8))");
  expect_sweep(rows, "po = out + 1024 * t + 16 * q;", out, 5, 1);
  expect_sweep(rows, "pn = in + 1024 * t + 16 * k + 1024;", in, 3, 0);
  const char *one = text_near_third("c2c f64 n=64 batch=1000", "stockham(8,8)");
  expect_sweep(one, "pn = in + 128 * b + 160;", in, 3, 0);
  assert_null(strstr(one, ", 1, 3);"));
  assert_null(strstr(text_near_third("c2c f64 n=16 batch=100000", "stockham(8,2)"), "__builtin_prefetch("));
  assert_null(strstr(text_near_third("c2c f64 n=128 batch=100", "stockham(16,8)"), "__builtin_prefetch("));
}

static bool fetches_stores(const char *text, const char *plan_text) {
  const char *fetch = strstr(text_of(text, plan_text), "__builtin_prefetch(");
  assert_true(!fetch || !strncmp(strchr(fetch, ','), ", 1, 3);", 8));
  return fetch;
}

/* What the next turn stores, where its lines are whole pages apart and beyond the first cache. */
static void test_fetch_stores(void **state) {
  (void)state;
  assert_true(fetches_stores("c2c f64 n=8192", "stockham(32,32,8)"));
  assert_true(fetches_stores("c2c f32 n=8192 place=in", "stockham(32,32,8)")); /* else in place: they are there */
  assert_false(fetches_stores("c2c f32 n=8192", "stockham(32,32,8)"));
  assert_false(fetches_stores("c2c f64 n=5120", "stockham(32,20,8)"));   /* no whole pages */
  assert_false(fetches_stores("c2c f64 n=8192", "stockham(16,16,4,8)")); /* the next turn's lines are among them */
  assert_false(fetches_stores("c2c f64 n=2048", "stockham(16,16,8)"));   /* almost all in the first cache */
  assert_false(fetches_stores("c2c f64 n=4096", "stockham(8,8,8,8)"));   /* short turns */
  assert_false(fetches_stores("c2c f32 n=16384", "stockham(32,32,16)")); /* 16 lines of a set */
}

/* Rows whose distances differ from vector to vector: each lane's has a pointer of its own. */
static void test_rows_apart(void **state) {
  (void)state;
  const char *text = text_of("c2c f64 n=1000", "stockham(8,5,25)");
  assert_non_null(strstr(text, "const ptrdiff_t by7 = q + 7;"));
  assert_non_null(strstr(text, "*const py7 = out + 2 * (40 * by7 + -992 * (ptrdiff_t)((unsigned)by7 / 25));"));
  assert_null(strstr(text, "iy0_1"));
}

/* ---- the text under compilers ---------------------------------------------------------- */

static char folder[] = "/tmp/test_emit_XXXXXX";

static void write_file(const char *path, const char *text) {
  FILE *f = fopen(path, "w");
  assert_non_null(f);
  assert_true(fputs(text, f) >= 0);
  assert_int_equal(fclose(f), 0);
}

static void *compile(const char *compiler, const fg_emitted *e) {
  char source[128], object[128], command[512];
  static int number;
  snprintf(source, sizeof source, "%s/k%d.c", folder, ++number);
  snprintf(object, sizeof object, "%s/k%d.so", folder, number);
  write_file(source, e->artifact.source);
  snprintf(command, sizeof command,
           "%s -std=c99 -pedantic -Wall -Wextra -Wmissing-prototypes -Werror -O1 -mavx2 -Wno-psabi -fPIC -shared "
           "-o %s %s -lm",
           compiler, object, source);
  if (system(command)) fail_msg("%s\n%s", command, e->artifact.source);
  void *loaded = dlopen(object, RTLD_NOW);
  if (!loaded) fail_msg("%s", dlerror());
  return loaded;
}

static void to_memory(const fg_program *p, int buffer, const number *from, void *to) {
  for (int64_t i = 0; i < 2 * p->buffer[buffer].size; i++)
    if (p->problem.compute == FG_F32)
      ((float *)to)[i] = (float)from[i].d;
    else
      ((double *)to)[i] = from[i].d;
}

static double number_at(const fg_program *p, const void *memory, int64_t i) {
  return p->problem.compute == FG_F32 ? (double)((const float *)memory)[i] : ((const double *)memory)[i];
}

static void check_compiled(const fg_program *p, const char *compiler) {
  machine m;
  start_machine(&m, p, false);
  fg_emit_options options = {.dialect = fg_dialect_find("c"), .prefix = "k", .entry = true};
  fg_emitted e;
  if (fg_emit(&cx, p, &options, &e) != FG_OK) fail_msg("%s", cx.diag.message);
  void *loaded = compile(compiler, &e), *symbol = dlsym(loaded, "k_entry");
  entry_fn entry;
  memcpy(&entry, &symbol, sizeof entry);
  void *place[8];
  int n = 0;
  int64_t size = fg_precision_bytes(p->problem.compute);
  char *memory[3] = {0};
  for (int i = 0; i < e.artifact.nbuffer; i++) {
    memory[i] = aligned_alloc(64, (e.artifact.buffer[i].bytes + 127) / 64 * 64);
    assert_non_null(memory[i]);
    memset(memory[i], 0, (e.artifact.buffer[i].bytes + 127) / 64 * 64);
    if (i < 2) to_memory(p, i, m.memory[i], memory[i]);
    place[n++] = memory[i];
    if (e.artifact.buffer[i].split) place[n++] = memory[i] + size * p->buffer[i].size;
  }
  const long long values[] = { PARAM };
  entry(place, values);
  run_blocks(&m, 0);
  for (int64_t i = 0; i < 2 * p->buffer[FG_BUFFER_OUT].size; i++) {
    double got = number_at(p, memory[FG_BUFFER_OUT], i), wanted = m.memory[FG_BUFFER_OUT][i].d;
    if (!(fabs(got - wanted) <= (size == 4 ? 2e-5 : 1e-13) * (1 + fabs(wanted))))
      fail_msg("number %lld: %g, wanted %g\n%s", (long long)i, got, wanted, e.artifact.source);
  }
  for (int i = 0; i < 3; i++) free(memory[i]);
  dlclose(loaded);
}

static void check_compiler(const char *compiler) {
  char command[64];
  snprintf(command, sizeof command, "%s --version >/dev/null 2>&1", compiler);
  if (system(command)) {
    print_message("%s is not installed: skipped\n", compiler);
    skip();
  }
  for (int i = 0; i < 20; i++) {
    fresh_arena();
    /* of the CPU's own widths: wider vectors are for the exact text */
    bool single = i % 2;
    random_wish wish = {(uint64_t)(77 * i + 5), i % 4 == 0 ? 1 : single ? 8 : 4, single ? FG_F32 : FG_F64, false};
    check_compiled(random_program(&cx, &wish), compiler);
  }
  for (int i = 0; i < 8; i++) {
    fresh_arena();
    static const int points[] = {3, 5, 6, 7, 12, 15, 8, 16};
    bool single = i % 2;
    rows_wish wish = {
        points[i], points[i] + i / 3, single ? 8 : 4, single ? FG_F32 : FG_F64, i < 4 ? "interleaved" : "pairs", i < 6};
    check_compiled(rows_program(&wish), compiler);
  }
}

static void test_gcc(void **state) {
  (void)state;
  check_compiler("gcc");
}

static void test_clang(void **state) {
  (void)state;
  check_compiler("clang");
}

/* ---- the rest --------------------------------------------------------------------------- */

static void test_text_is_deterministic(void **state) {
  (void)state;
  char *kept[2] = {0};
  for (int i = 0; i < 2; i++) {
    fresh_arena();
    fg_program *p = random_program(&cx, &(random_wish){99, 8, FG_F32, false});
    fg_emit_options options = {.dialect = fg_dialect_find("c"), .prefix = "k", .entry = true};
    fg_emitted e;
    assert_int_equal(fg_emit(&cx, p, &options, &e), FG_OK);
    kept[i] = strdup(e.artifact.source);
  }
  assert_string_equal(kept[0], kept[1]);
  free(kept[0]);
  free(kept[1]);
}

static void test_names(void **state) {
  (void)state;
  fg_problem p;
  assert_int_equal(fg_problem_parse(&cx, "c2c f32 n=1024", &p), FG_OK);
  assert_string_equal(fg_emit_name(&cx, &p), "fft_c2c_f32_n1024_fwd");
  assert_int_equal(fg_problem_parse(&cx, "c2c f64 n=64:3:1 batch=m[1..70]:192:64 sign=+1", &p), FG_OK);
  assert_string_equal(fg_emit_name(&cx, &p), "fft_c2c_f64_n64_3_1_bwd_batchm_1_70");
}

static void test_refuses(void **state) {
  (void)state;
  fresh_arena();
  fg_program *p = random_program(&cx, &(random_wish){4, 1, FG_F64, false});
  fg_emitted e = {.nfile = -5};
  fg_emit_options options = {.dialect = fg_dialect_find("gf"), .prefix = "k"};
  assert_int_equal(fg_emit(&cx, p, &options, &e), FG_EUSER); /* no field */
  fg_diag_clear(&cx.diag);
  p->kernel[0]->stage[0].sync_mid = FG_SCOPE_CLUSTER;
  options.dialect = fg_dialect_find("c");
  assert_int_equal(fg_emit(&cx, p, &options, &e), FG_EUSER);
  assert_non_null(strstr(cx.diag.message, "synchronises blocks at most"));
  assert_int_equal(e.nfile, -5);
}

static int set_up(void **state) {
  (void)state;
  if (!mkdtemp(folder)) return -1;
  fresh_arena();
  return 0;
}

static int tear_down(void **state) {
  (void)state;
  char command[128];
  snprintf(command, sizeof command, "rm -rf %s", folder);
  fg_arena_destroy(cx.arena);
  return system(command);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_names),
      cmocka_unit_test(test_text_is_deterministic),
      cmocka_unit_test(test_refuses),
      cmocka_unit_test(test_scalar_text_is_exact),
      cmocka_unit_test(test_vector_text_is_exact),
      cmocka_unit_test(test_rows_are_exact),
      cmocka_unit_test(test_halves),
      cmocka_unit_test(test_swaps),
      cmocka_unit_test(test_order),
      cmocka_unit_test(test_halves_by_plan),
      cmocka_unit_test(test_alternating),
      cmocka_unit_test(test_turns),
      cmocka_unit_test(test_avx2),
      cmocka_unit_test(test_woven),
      cmocka_unit_test(test_woven_text),
      cmocka_unit_test(test_dimensions),
      cmocka_unit_test(test_apart_of_parts),
      cmocka_unit_test(test_balanced),
      cmocka_unit_test(test_padded),
      cmocka_unit_test(test_early),
      cmocka_unit_test(test_listed),
      cmocka_unit_test(test_listed_as_proved),
      cmocka_unit_test(test_fence),
      cmocka_unit_test(test_fetch),
      cmocka_unit_test(test_fetch_ahead),
      cmocka_unit_test(test_fetch_sweeps),
      cmocka_unit_test(test_fetch_stores),
      cmocka_unit_test(test_rows_apart),
      cmocka_unit_test(test_gcc),
      cmocka_unit_test(test_clang),
  };
  return cmocka_run_group_tests(tests, set_up, tear_down);
}
