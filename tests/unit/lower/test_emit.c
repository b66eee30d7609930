/* Emitted text computes what the program says: random programs are walked here,
 * digit by digit, and their text - prime-field dialect under tcc, C under gcc and
 * clang - must leave the same numbers in the output, untouched slots included.
 *
 * Random programs have what real ones have only here and there: clipped loops,
 * lanes, padding, swizzles, moduli, predicates, run-time strides, blocks of
 * interleaving, barriers between loads and stores. */
#include "generator/assemble/assemble.h"
#include "generator/codelet/schedule.h"
#include "generator/ir/table_values.h"
#include "generator/math/constant_value.h"
#include "generator/pipeline/pipeline.h"
#include "generator/print/emit.h"
#include "generator/prove/prove.h"
#include "generator/prove/table_values.h"
#include "targets/tcc.h"
#include "tests/unit/folder.h"
#include "tests/unit/random_program.h"
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
  const number *before; /* of the loads' memory, where a barrier is between them and the stores */
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
  if (s->factors.has_twiddle) load(m, &s->factors.twiddle, m->memory[s->factors.twiddle.buffer], tw);
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
  m->before = s->exchange.between.scope ? fg_arena_copy(cx.arena, m->memory[s->load.buffer], bytes) : NULL;
  for (int thread = 0; thread < m->k->launch.threads; thread++) {
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
  if (exact) return (number){.g = fg_gf_random(&random_state)};
  return (number){.d = (double)(float)((double)(fg_random(&random_state) >> 40) / (1 << 23) - 1)};
}

static void fill_table(machine *m, int table) {
  int buffer = m->p->table[table].buffer;
  const fg_buffer *b = &m->p->buffer[buffer];
  fg_gfc *images = fg_arena_new(cx.arena, fg_gfc, b->size);
  assert_int_equal(fg_table_fill_gf(&cx, m->p, table, &field, images), FG_OK);
  fg_quadc *values = fg_table_values_quad(&cx, &m->p->table[table]);
  for (int64_t e = 0; e < m->p->table[table].rows * m->p->table[table].cols; e++) {
    int64_t re, im;
    place_of(b, e, &re, &im);
    m->memory[buffer][re] = m->exact ? (number){.g = images[e].re} : (number){.d = (double)values[e].re};
    m->memory[buffer][im] = m->exact ? (number){.g = images[e].im} : (number){.d = (double)values[e].im};
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

typedef void (*entry_fn)(void *const *slots, const long long *values);

static int buffer_named(const fg_program *p, const char *name) {
  for (int i = 0; i < p->nbuffer; i++)
    if (!strcmp(p->buffer[i].name, name)) return i;
  return -1; /* the scratch */
}

/* Memory for a call, in the order of the artifact; split arrays take two places. */
static void lay_places(const fg_artifact *a, const machine *m, void **slot, uint64_t *out) {
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
    slot[n++] = memory;
    if (b->split) slot[n++] = memory + size;
  }
}

static void free_places(const fg_artifact *a, void **slot) {
  for (int i = 0, n = 0; i < a->nbuffer; n += 1 + a->buffer[i].split, i++)
    if (a->buffer[i].kind != FG_ARG_OUT) free(slot[n]);
}

static void check_exact_on(const fg_program *p, const char *isa) {
  machine m;
  start_machine(&m, p, true);
  fg_emit_options options = {
      .dialect = fg_dialect_find("gf"), .isa = fg_isa_find(isa), .prefix = "k", .entry = true, .field = &field};
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
  void *slot[128];
  int64_t reals = 2 * p->buffer[FG_BUFFER_OUT].size;
  uint64_t *out = calloc((size_t)reals + 8, sizeof *out);
  lay_places(&e.artifact, &m, slot, out);
  const long long values[] = { PARAM };
  entry(slot, values);
  run_blocks(&m, 0);
  for (int64_t i = 0; i < reals; i++)
    if (out[i] != m.memory[FG_BUFFER_OUT][i].g)
      fail_msg("number %lld of %lld differs\n%s\n%s", (long long)i, (long long)reals, fg_program_print(&cx, p),
               e.artifact.source);
  free_places(&e.artifact, slot);
  free(out);
  fg_tcc_free(code);
}

static void check_exact(const fg_program *p) { check_exact_on(p, "none"); }

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
    const fg_program *p = random_program(&cx, &(random_wish){(uint64_t)(1000 * lanes + i), lanes, FG_F64, true});
    check_exact(p);
    random_state = (uint64_t)(1000 * lanes + i);
    if (lanes > 1) check_exact_on(p, i % 2 ? "znver4" : "avx2");
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
      for (int j = 0; j < 3; j++) check_exact(rows_program(&cx, &wish[j]));
      for (int j = 0; j < 3 && points[i] % 8 == 0; j++)
        wish[j].stream = false, check_exact(rows_program(&cx, &wish[j]));
    }
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
  void *slot[8];
  int n = 0;
  int64_t size = fg_precision_bytes(p->problem.compute);
  char *memory[3] = {0};
  for (int i = 0; i < e.artifact.nbuffer; i++) {
    memory[i] = aligned_alloc(64, (e.artifact.buffer[i].bytes + 127) / 64 * 64);
    assert_non_null(memory[i]);
    memset(memory[i], 0, (e.artifact.buffer[i].bytes + 127) / 64 * 64);
    if (i < 2) to_memory(p, i, m.memory[i], memory[i]);
    slot[n++] = memory[i];
    if (e.artifact.buffer[i].split) slot[n++] = memory[i] + size * p->buffer[i].size;
  }
  const long long values[] = { PARAM };
  entry(slot, values);
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
    check_compiled(rows_program(&cx, &wish), compiler);
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
  static const char *const long_ones[2] = {"0.25", "0.26"}; /* which differ behind what a name keeps of them */
  char *name[2], text[400];
  for (int i = 0; i < 2; i++) {
    snprintf(text, sizeof text, "r2c f32 n=64 load=%s store=%s,%s,abs(x)*%s", "x*x/(1+x)+sqrt(x)*0.123456789",
             "abs(x)*abs(x)/(1+abs(x))+sqrt(abs(x))*0.123456789", "x*x/(1+x)+sqrt(x)*0.123456789", long_ones[i]);
    assert_int_equal(fg_problem_parse(&cx, text, &p), FG_OK);
    name[i] = fg_emit_name(&cx, &p);
    assert_true(strlen(name[i]) < 120 && !strncmp(name[i], "fft_r2c_f32_n64_fwd_loadx", 25));
  }
  assert_string_not_equal(name[0], name[1]);
}

static void test_refuses(void **state) {
  (void)state;
  fresh_arena();
  fg_program *p = random_program(&cx, &(random_wish){4, 1, FG_F64, false});
  fg_emitted e = {.nfile = -5};
  fg_emit_options options = {.dialect = fg_dialect_find("gf"), .prefix = "k"};
  assert_int_equal(fg_emit(&cx, p, &options, &e), FG_EUSER); /* no field */
  fg_diag_clear(&cx.diag);
  p->kernel[0]->stage[0].exchange.between = fg_exchange_cluster(FG_SIGNAL_BARRIER);
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
  fg_arena_destroy(cx.arena);
  return folder_remove(folder);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_names),
      cmocka_unit_test(test_text_is_deterministic),
      cmocka_unit_test(test_refuses),
      cmocka_unit_test(test_scalar_text_is_exact),
      cmocka_unit_test(test_vector_text_is_exact),
      cmocka_unit_test(test_rows_are_exact),
      cmocka_unit_test(test_gcc),
      cmocka_unit_test(test_clang),
  };
  return cmocka_run_group_tests(tests, set_up, tear_down);
}
