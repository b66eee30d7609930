/* A kernel for tests of products of matrices: transforms of 8 points, eight at a time, as a product of a real matrix of
 * 16 by 16, whose blocks of 2 by 2 are complex factors, with their 16 by 8 real inputs. */
#ifndef FG_MATRIX_KERNEL_H
#define FG_MATRIX_KERNEL_H
#include "generator/text/matrix.h"
#include "generator/text/recorder_ops.h"
#include "generator/text/recorder_statements.h"
#include <math.h>

enum { MATRIX_POINTS = 8, MATRIX_REALS = 16, MATRIX_TOGETHER = 8 };

typedef struct matrix_kernel {
  const fg_emitter *e; /* its recorder is new */
  fg_matrix shape;
  fg_matrix_shape layout; /* by which addresses are made: the shape's, or a wrong one */
  int groups;             /* of eight transforms */
  bool divided;           /* some lanes alone reach the products */
} matrix_kernel;

static inline const char *matrix_number(fg_coder *c, double x) {
  fg_instr i = {.op = FG_CODE_NUMBER, .type = FG_CODE_REAL, .lanes = 1, .a = -1, .b = -1, .c = -1, .imm.real = x};
  return fg_coder_add(c, i);
}

/* cos(2 pi e / 8), e = 0 .. 7. */
static inline const char *matrix_cosine(fg_coder *c, const char *e) {
  static const double value[] = {1,  0.70710678118654752440,  0, -0.70710678118654752440,
                                 -1, -0.70710678118654752440, 0, 0.70710678118654752440};
  const char *x = matrix_number(c, value[7]);
  for (int i = 6; i >= 0; i--) {
    int32_t less = fg_coder_value(c, fg_coder_index(c, FG_CODE_LESS, e, fg_coder_int(c, i + 1)));
    int32_t yes = fg_coder_value(c, matrix_number(c, value[i])), no = fg_coder_value(c, x);
    x = fg_coder_add(c,
                     (fg_instr){.op = FG_CODE_SELECT, .type = FG_CODE_REAL, .lanes = 1, .a = less, .b = yes, .c = no});
  }
  return x;
}

/* Element (m, k) of the matrix. */
static inline const char *matrix_factor(fg_coder *c, const char *m, const char *k) {
  const char *two = fg_coder_int(c, 2), *q = fg_coder_index(c, FG_CODE_MOD, m, two);
  const char *p = fg_coder_index(c, FG_CODE_MOD, k, two);
  const char *e =
      fg_coder_index(c, FG_CODE_MUL, fg_coder_index(c, FG_CODE_DIV, m, two), fg_coder_index(c, FG_CODE_DIV, k, two));
  e = fg_coder_index(c, FG_CODE_ADD, e, fg_coder_index(c, FG_CODE_MUL, q, two));
  e = fg_coder_index(c, FG_CODE_ADD, e, fg_coder_index(c, FG_CODE_MUL, p, fg_coder_int(c, 6)));
  return matrix_cosine(c, fg_coder_index(c, FG_CODE_MOD, e, fg_coder_int(c, MATRIX_POINTS)));
}

static inline const char *matrix_at(const matrix_kernel *k, fg_matrix_operand of, char axis, int element, int more) {
  fg_coder *c = k->e->coder;
  const char *index = fg_coder_matrix_index(c, &k->layout, of, axis, "lane", element);
  return more ? fg_coder_index(c, FG_CODE_ADD, index, fg_coder_int(c, more)) : index;
}

/* The address of real number `real` of transform n. */
static inline int32_t matrix_address(const matrix_kernel *k, const char *array, const char *n, const char *real) {
  fg_coder *c = k->e->coder;
  const char *group = fg_coder_index(c, FG_CODE_MUL, "group", fg_coder_int(c, MATRIX_TOGETHER * MATRIX_REALS));
  const char *index = fg_coder_index(c, FG_CODE_MUL, n, fg_coder_int(c, MATRIX_REALS));
  index = fg_coder_index(c, FG_CODE_ADD, group, fg_coder_index(c, FG_CODE_ADD, index, real));
  return fg_coder_value(c, fg_coder_at(c, array, index, 0));
}

static inline const char *matrix_name(const matrix_kernel *k, fg_matrix_operand of, const char *name, const char *x) {
  const char *type = fg_spell_fragment_type(k->e, &k->layout, of);
  type = type ? fg_arena_printf(k->e->cx->arena, "const %s", type) : NULL;
  return fg_coder_name(k->e->coder, type, name, x), name;
}

static inline const char *matrix_load(const matrix_kernel *k, fg_matrix_operand of, int m, int at) {
  fg_coder *c = k->e->coder;
  const char *x[UINT8_MAX];
  int count = fg_matrix_elements(&k->layout, of);
  for (int e = 0; e < count; e++) {
    const char *along = of == FG_MATRIX_C ? NULL : matrix_at(k, of, 'k', e, at);
    if (of == FG_MATRIX_A) x[e] = matrix_factor(c, matrix_at(k, of, 'm', e, m), along);
    if (of == FG_MATRIX_C) x[e] = matrix_number(c, 0);
    if (of != FG_MATRIX_B) continue;
    int32_t from = matrix_address(k, "in", matrix_at(k, of, 'n', e, 0), along);
    x[e] =
        fg_coder_add(c, (fg_instr){.op = FG_CODE_LOAD, .type = FG_CODE_REAL, .lanes = 1, .a = from, .b = -1, .c = -1});
  }
  const char *name = fg_arena_printf(k->e->cx->arena, "%c_%d_%d", "abc"[of], m, at);
  return matrix_name(k, of, name, fg_coder_fragment(c, x, count));
}

static inline void matrix_store(const matrix_kernel *k, const char *sums, int m) {
  fg_coder *c = k->e->coder;
  for (int e = 0; e < fg_matrix_elements(&k->layout, FG_MATRIX_C); e++) {
    const char *n = matrix_at(k, FG_MATRIX_C, 'n', e, 0), *real = matrix_at(k, FG_MATRIX_C, 'm', e, m);
    int32_t to = matrix_address(k, "out", n, real), x = fg_coder_value(c, fg_coder_part(c, sums, e));
    fg_coder_add(c, (fg_instr){.op = FG_CODE_STORE, .lanes = 1, .a = to, .b = x, .c = -1});
  }
}

static inline void matrix_rows(const matrix_kernel *k, int m) {
  const char *sums = matrix_load(k, FG_MATRIX_C, m, 0);
  const char *type = fg_spell_fragment_type(k->e, &k->layout, FG_MATRIX_C);
  for (int at = 0; at < MATRIX_REALS; at += k->layout.k) {
    const char *a = matrix_load(k, FG_MATRIX_A, m, at), *b = matrix_load(k, FG_MATRIX_B, m, at);
    const char *name = fg_arena_printf(k->e->cx->arena, "sum_%d_%d", m, at);
    fg_coder_matrix_product(k->e->coder, k->shape, type, name, (fg_matrix_factors){a, b, sums});
    sums = name;
  }
  matrix_store(k, sums, m);
}

/* Records it; "in" and "out" are bound, or words. */
static inline void matrix_record(const matrix_kernel *k) {
  fg_coder *c = k->e->coder;
  fg_coder_name(c, "const int", "lane", fg_coder_thread(c));
  int32_t first = fg_coder_value(c, "0"), end = fg_coder_value(c, fg_coder_int(c, k->groups));
  if (k->divided) end = fg_coder_value(c, "lane");
  fg_instr loop = {.op = FG_CODE_LOOP, .type = FG_CODE_INDEX, .lanes = 1, .a = first, .b = end, .c = -1, .imm.i = 1};
  loop.name = "group", loop.type_words = "int";
  fg_coder_bind(c, "group", fg_coder_add(c, loop));
  for (int m = 0; m < MATRIX_REALS; m += k->layout.m) matrix_rows(k, m);
  fg_coder_close(c);
}
#endif
