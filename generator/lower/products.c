/* A stage whose codelet warps compute by products of matrices. In: a stage in place in shared memory, and the table of
 * exp(2 pi i j k / n). Out: its statements.
 *
 * The transform of s_j = x_j + x_(n-j) is a sum of cosines, that of d_j = x_j - x_(n-j) one of sines; real and
 * imaginary parts of eight transforms are two matrices of eight columns. A warp holds s and d of its transforms in
 * fragments, brings fragments of cosines and sines for sixteen rows k at a time, and has with C = sum cos s and
 * S = sum sin d the results k and n - k, C + i S and C - i S, in one lane. The k of a product are in any order that its
 * factors share: each lane's four are neighbours. All numbers of a warp's transforms are loaded before its first
 * product, which all lanes wait for: so it stores where it has loaded. */
#include "generator/lower/products.h"
#include "generator/base/integer.h"
#include "generator/lower/access.h"
#include "generator/lower/element_moves.h"
#include "generator/lower/memory.h"
#include "generator/lower/value.h"
#include "generator/text/matrix.h"
#include "generator/text/recorder_ops.h"
#include "generator/text/recorder_statements.h"
#include "generator/text/spell.h"
#include "targets/machine/simt.h"

enum {
  ROWS = 16,
  COLUMNS = 8,     /* transforms that a product takes */
  MOST_HALVES = 2, /* such columns that one fragment of factors serves */
  OWN = 4,         /* numbers k of a lane in a product: q, q + 4, q + 8, q + 12 of sixteen, q its number among four */
  MOST_STEPS = 8,
};

static const fg_matrix shape = FG_MATRIX_M16N8K16_F16;

typedef struct stage {
  fg_writer *w;
  fg_coder *c;
  int64_t n, side, pitch; /* points; rows and columns of the table; from a transform to the next */
  int64_t apart;          /* transforms from a column to the next */
  int steps, halves;      /* products along k; columns of eight transforms at once */
  fg_access_plan table;
  const char *factor[2][MOST_HALVES][2][MOST_STEPS]; /* fragments of sums or differences, half, part, step */
  int named;
} stage;

bool fg_lower_is_product(const fg_emitter *e, const fg_stage *s) { return s->factors.matrix && e->d->matrix; }

const char *fg_lower_products_preamble(const fg_emitter *e) {
  fg_strbuf s = fg_strbuf_new(e->cx->arena);
  bool any = false;
  for (int k = 0; k < e->p->nkernel; k++) any = any || fg_kernel_has_matrix(e->p->kernel[k]);
  if (any && e->d->matrix) fg_spell_matrix_preamble(e, shape, &s);
  return s.text;
}

/* ---- names and addresses -------------------------------------------------------------- */

static const char *index_of(const stage *x, fg_code_op op, const char *a, int64_t b) {
  return fg_coder_index(x->c, op, a, fg_coder_int(x->c, b));
}

static const char *times(const stage *x, const char *a, int64_t by) { return index_of(x, FG_CODE_MUL, a, by); }
static const char *plus(const stage *x, const char *a, const char *b) {
  return fg_coder_index(x->c, FG_CODE_ADD, a, b);
}

static const char *name_index(stage *x, const char *name, const char *value) {
  fg_coder_name(x->c, "const int", name, value);
  return name;
}

static const char *name_number(stage *x, const char *value) {
  const char *name = fg_arena_printf(x->w->arena, "t%d", x->named++);
  fg_value_name(x->w, x->w->type, name, value);
  return name;
}

static const char *array_of(stage *x, const fg_access_plan *p) {
  x->w->uses.memory[p->memory] = true;
  x->w->uses.stored[p->memory] = x->w->uses.stored[p->memory] || p->is_store;
  return fg_memory_pointer(x->w->e, p->memory, 0);
}

/* The pair of element base + more. */
static const char *pair_at(stage *x, const fg_access_plan *p, const char *base, int64_t more) {
  return fg_coder_at(x->c, array_of(x, p), times(x, base, 2), 2 * more);
}

static const char *below(const stage *x, const char *number, int64_t bound) {
  return index_of(x, FG_CODE_LESS, number, bound);
}

/* ---- sums and differences ------------------------------------------------------------- */

/* Whether j = at + q is in first .. last; NULL: always. */
static const char *is_inside(stage *x, int64_t at, int64_t first, int64_t last) {
  const char *above = NULL;
  if (at < first) above = fg_coder_index(x->c, FG_CODE_LESS, fg_coder_int(x->c, first - at - 1), "q");
  const char *under = at + OWN - 1 <= last ? NULL : below(x, "q", last - at + 1);
  if (above && under) return fg_coder_index(x->c, FG_CODE_BOTH, above, under);
  return above ? above : under;
}

static const char *number(stage *x, fg_code_op op, const char *a, const char *b) {
  return name_number(x, fg_coder_real(x->c, op, 1, (const char *const[]){a, b, NULL}));
}

/* Of input j = at + q and its partner n - j: sums and differences of both parts. */
static void load_two(stage *x, int half, int64_t at, const char *out[2][2]) {
  if (at > x->n / 2) { /* of no lane */
    for (int i = 0; i < 4; i++) out[i / 2][i % 2] = fg_value_zero(x->w);
    return;
  }
  const char *from = fg_arena_printf(x->w->arena, "from%d", half), *to = fg_arena_printf(x->w->arena, "to%d", half);
  const char *name[2] = {fg_arena_printf(x->w->arena, "x%d", x->named), fg_arena_printf(x->w->arena, "u%d", x->named)};
  x->named++;
  fg_access_plan *p = &x->w->load;
  const char *low = fg_storage_read_pair(x->w, p, pair_at(x, p, from, at), is_inside(x, at, 0, x->n / 2));
  fg_value_name(x->w, fg_spell(x->w->e, 1, "%P", (fg_marks){0}), name[0], low);
  const char *high = fg_storage_read_pair(x->w, p, pair_at(x, p, to, -at), is_inside(x, at, 1, (x->n - 1) / 2));
  fg_value_name(x->w, fg_spell(x->w->e, 1, "%P", (fg_marks){0}), name[1], high);
  for (int part = 0; part < 2; part++) {
    const char *a = fg_coder_part(x->c, name[0], part), *b = fg_coder_part(x->c, name[1], part);
    out[0][part] = number(x, FG_CODE_SUM, a, b);
    out[1][part] = number(x, FG_CODE_DIFFERENCE, a, b);
  }
}

static const char *name_fragment(stage *x, fg_matrix_operand of, const char *value) {
  const char *type = fg_spell_fragment_type(x->w->e, fg_matrix_find(shape), of);
  const char *name = fg_arena_printf(x->w->arena, "%c%d", "abc"[of], x -> named++);
  fg_coder_name(x->c, fg_arena_printf(x->w->arena, "const %s", type), name, value);
  return name;
}

static void load_factors(stage *x, int half, int step) {
  const char *value[2][2][OWN];
  for (int e = 0; e < OWN; e++) {
    const char *two[2][2];
    load_two(x, half, ROWS * step + OWN * e, two);
    for (int i = 0; i < 4; i++) value[i / 2][i % 2][e] = two[i / 2][i % 2];
  }
  for (int i = 0; i < 4; i++)
    x->factor[i / 2][half][i % 2][step] =
        name_fragment(x, FG_MATRIX_B, fg_coder_fragment(x->c, value[i / 2][i % 2], OWN));
}

/* ---- products -------------------------------------------------------------------------- */

/* Cosines and sines of rows k = row + lane / 4 and eight on, columns 16 step + q, + 4, ... */
static void load_roots(stage *x, int step, const char *out[2]) {
  const char *value[2][2 * OWN];
  for (int e = 0; e < 2 * OWN; e++) {
    int64_t row = e >> 1 & 1 ? ROWS / 2 : 0, panel = OWN * step + (e & 1) + 2 * (e >> 2);
    const char *pair = fg_arena_printf(x->w->arena, "w%d", x->named++);
    const char *at = pair_at(x, &x->table, "root", OWN * (x->side * panel + row));
    fg_value_name(x->w, fg_spell(x->w->e, 1, "%P", (fg_marks){0}), pair,
                  fg_storage_read_pair(x->w, &x->table, at, NULL));
    for (int part = 0; part < 2; part++) value[part][e] = fg_coder_part(x->c, pair, part);
  }
  for (int part = 0; part < 2; part++)
    out[part] = name_fragment(x, FG_MATRIX_A, fg_coder_fragment(x->c, value[part], 2 * OWN));
}

static const char *zeros(stage *x) {
  const char *zero[OWN];
  for (int e = 0; e < OWN; e++) zero[e] = fg_value_zero(x->w);
  return fg_coder_fragment(x->c, zero, OWN);
}

static void multiply(stage *x, const char *root, const char *factor, const char **sums) {
  const char *type = fg_spell_fragment_type(x->w->e, fg_matrix_find(shape), FG_MATRIX_C);
  const char *name = fg_arena_printf(x->w->arena, "c%d", x->named++);
  fg_coder_matrix_product(x->c, shape, fg_arena_printf(x->w->arena, "const %s", type), name,
                          (fg_matrix_factors){root, factor, *sums});
  *sums = name;
}

/* ---- results --------------------------------------------------------------------------- */

static void store_pair(stage *x, const char *at, const char *truth, const char *const part[2]) {
  fg_coder_open(x->c, FG_CODE_IF, truth);
  fg_storage_write_pair(x->w, &x->w->store, at, fg_coder_pair(x->c, part[0], part[1], NULL));
  fg_coder_close(x->c);
}

/* Results k and n - k of element e of the sums: k = row + lane / 4, or eight on. */
static void store_two(stage *x, int half, int e, const char *sums[2][2]) {
  const char *part[2][2], *value[2][2]; /* of cosines, sines */
  for (int of = 0; of < 2; of++)
    for (int p = 0; p < 2; p++) part[of][p] = fg_coder_part(x->c, sums[of][p], e);
  bool forward = x->w->codelet->key.sign < 0;
  for (int up = 0; up < 2; up++) {
    bool minus = forward != (up == 0); /* C - i S forward, at k */
    value[up][0] = number(x, minus ? FG_CODE_DIFFERENCE : FG_CODE_SUM, part[0][0], part[1][1]);
    value[up][1] = number(x, minus ? FG_CODE_SUM : FG_CODE_DIFFERENCE, part[0][1], part[1][0]);
  }
  int64_t more = e >> 1 ? ROWS / 2 : 0;
  const char *base = fg_arena_printf(x->w->arena, "out%d_%d", half, e & 1);
  fg_access_plan *p = &x->w->store;
  store_pair(x, pair_at(x, p, plus(x, base, "k"), more), below(x, "k", x->n / 2 + 1 - more), value[0]);
  const char *down = fg_coder_index(x->c, FG_CODE_SUB, base, "k"), *truth = below(x, "k", (x->n - 1) / 2 + 1 - more);
  if (!more) truth = fg_coder_index(x->c, FG_CODE_BOTH, fg_coder_index(x->c, FG_CODE_LESS, "0", "k"), truth);
  store_pair(x, pair_at(x, p, down, x->n - more), truth, value[1]);
}

static const char *open_loop(stage *x, const char *name, int64_t end, int64_t step) {
  fg_instr loop = fg_coder_instr(FG_CODE_LOOP, FG_CODE_INDEX, 1);
  loop.a = fg_coder_value(x->c, "0"), loop.b = fg_coder_value(x->c, fg_coder_int(x->c, end)), loop.imm.i = step;
  loop.name = name, loop.type_words = "int";
  fg_coder_bind(x->c, name, fg_coder_add(x->c, loop));
  return name;
}

/* All results, sixteen rows k at a time. */
static void multiply_all(stage *x) {
  const char *sums[MOST_HALVES][2][2];
  open_loop(x, "row", x->side, ROWS);
  name_index(x, "k", plus(x, "row", "eighth"));
  name_index(x, "root", plus(x, times(x, "k", OWN), "q"));
  for (int i = 0; i < 4 * x->halves; i++) sums[i / 4][i / 2 % 2][i % 2] = zeros(x);
  for (int step = 0; step < x->steps; step++) {
    const char *root[2];
    load_roots(x, step, root);
    for (int i = 0; i < 4 * x->halves; i++)
      multiply(x, root[i / 2 % 2], x->factor[i / 2 % 2][i / 4][i % 2][step], &sums[i / 4][i / 2 % 2][i % 2]);
  }
  for (int half = 0; half < x->halves; half++)
    for (int e = 0; e < OWN; e++) store_two(x, half, e, sums[half]);
  fg_coder_close(x->c);
}

/* Transforms of the warp, so many at a time: columns are `apart` transforms from each other, and so in other banks. */
static void write_columns(stage *x) {
  for (int half = 0; half < x->halves; half++) {
    const char *column = plus(x, times(x, "eighth", x->apart), fg_coder_int(x->c, half));
    const char *own = times(x, plus(x, "first", column), x->pitch);
    name_index(x, fg_arena_printf(x->w->arena, "from%d", half), plus(x, own, "q"));
    const char *partner = fg_coder_index(x->c, FG_CODE_SUB, plus(x, own, fg_coder_int(x->c, x->n)), "q");
    name_index(x, fg_arena_printf(x->w->arena, "to%d", half), partner);
    for (int e = 0; e < 2; e++) {
      const char *at = plus(x, plus(x, "first", times(x, "q", 2 * x->apart)), fg_coder_int(x->c, x->apart * e + half));
      name_index(x, fg_arena_printf(x->w->arena, "out%d_%d", half, e), times(x, at, x->pitch));
    }
    for (int step = 0; step < x->steps; step++) load_factors(x, half, step);
  }
  multiply_all(x);
}

/* The warp's first transform of those at once: warps share each group of 32. */
static void write_warp(stage *x, int64_t group, int64_t each) {
  fg_coder *c = x->c;
  int64_t together = fg_smaller(group, FG_WARP), warps = together / each;
  x->apart = together / COLUMNS;
  name_index(x, "lane", index_of(x, FG_CODE_MOD, fg_coder_thread(c), FG_WARP));
  name_index(x, "warp", index_of(x, FG_CODE_DIV, fg_coder_thread(c), FG_WARP));
  name_index(x, "eighth", index_of(x, FG_CODE_DIV, "lane", OWN));
  name_index(x, "q", index_of(x, FG_CODE_MOD, "lane", OWN));
  open_loop(x, "past", each / COLUMNS, x->halves);
  const char *among = times(x, index_of(x, FG_CODE_MOD, "warp", warps), each / COLUMNS);
  const char *whole = times(x, index_of(x, FG_CODE_DIV, "warp", warps), together);
  name_index(x, "first", plus(x, plus(x, whole, among), "past"));
  write_columns(x);
  fg_coder_close(c);
}

fg_status fg_lower_products(fg_writer *w) {
  const fg_stage *s = w->stage;
  const fg_table *t = &w->e->p->table[w->e->p->buffer[s->factors.matrix].table];
  stage *x = fg_arena_new(w->arena, stage, 1);
  *x = (stage){.w = w, .c = w->e->coder, .n = w->codelet->key.n, .side = t->rows, .steps = (int)(t->cols / ROWS)};
  fg_access roots = {.buffer = s->factors.matrix, .index = {.lookup = -1}, .reg = s->load.reg};
  fg_status status = fg_access_plan_init(w, &x->table, fg_arena_copy(w->arena, &roots, sizeof roots), 'w');
  if (status != FG_OK) return status;
  for (int i = 0; i < s->nloop; i++)
    if (fg_affine_mentions(&s->load.index.at, s->loop[i])) x->pitch = fg_affine_coef(&s->load.index.at, s->loop[i]).n;
  int64_t group = w->e->p->buffer[s->load.buffer].size / x->n, each = group * FG_WARP / w->k->launch.threads;
  x->halves = each > COLUMNS ? MOST_HALVES : 1;
  write_warp(x, group, each);
  return FG_OK;
}
