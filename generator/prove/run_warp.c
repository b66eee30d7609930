/* The lanes of a warp, interpreted together. In: a machine for each lane, of one list. Out: what their memory holds.
 *
 * The idea: each lane does an instruction before any does the next one, up to brackets without
 * anything that lanes do together, which each lane does as a whole. A product gathers its factors from all lanes by the
 * digits of its shape, and deals out its sums by these. Lanes that part before it are a fault. */
#include "generator/prove/run_parts.h"
#include "targets/forms/matrix.h"

enum { SIDE = 16 };

typedef struct matrix {
  fg_gf at[SIDE][SIDE];
} matrix;

/* The axes of rows and columns. */
static const char axes[FG_MATRIX_OPERANDS][3] = {"mk", "kn", "mn"};

/* Where element `e` of a lane is. */
static fg_gf *place(matrix *x, const fg_matrix_shape *s, fg_matrix_operand of, int lane, int e) {
  return &x->at[fg_matrix_index(s, of, axes[of][0], lane, e)][fg_matrix_index(s, of, axes[of][1], lane, e)];
}

static void gather(matrix *x, const fg_code_machine lane[], const fg_matrix_shape *s, fg_matrix_operand of,
                   int32_t number) {
  for (int l = 0; l < FG_MATRIX_LANES; l++)
    for (int e = 0; e < fg_matrix_elements(s, of); e++) *place(x, s, of, l, e) = lane[l].at[number].x[e];
}

/* Each lane's fragment has as many elements as the shape says. */
static bool is_fragment(const fg_instructions *code, const fg_matrix_shape *s, fg_matrix_operand of, int32_t number) {
  if (number < 0 || number >= code->count) return false;
  const fg_instr *i = &code->instr[number];
  return i->type == FG_CODE_FRAGMENT && i->lanes == fg_matrix_elements(s, of);
}

static bool multiply(const fg_code_machine lane[], int32_t number) {
  const fg_instr *i = lane[0].at[number].i;
  if (i->imm.i < 0 || i->imm.i >= FG_MATRIX_COUNT) return fg_prove_code_fail(lane, &lane->at[number], "no such shape");
  const fg_matrix_shape *s = fg_matrix_find((fg_matrix)i->imm.i);
  const int32_t operand[] = {i->a, i->b, i->c};
  matrix x[FG_MATRIX_OPERANDS];
  for (int of = 0; of < FG_MATRIX_OPERANDS; of++) {
    if (!is_fragment(lane->code, s, (fg_matrix_operand)of, operand[of]))
      return fg_prove_code_fail(lane, &lane->at[number], "an operand that is no such fragment");
    gather(&x[of], lane, s, (fg_matrix_operand)of, operand[of]);
  }
  const fg_field *f = lane->f;
  for (int m = 0; m < s->m; m++)
    for (int n = 0; n < s->n; n++)
      for (int k = 0; k < s->k; k++)
        x[2].at[m][n] = fg_gf_add(f, x[2].at[m][n], fg_gf_mul(f, x[0].at[m][k], x[1].at[k][n]));
  for (int l = 0; l < FG_MATRIX_LANES; l++)
    for (int e = 0; e < i->lanes; e++) lane[l].at[number].x[e] = *place(&x[2], s, FG_MATRIX_C, l, e);
  return true;
}

static bool give(const fg_code_machine lane[], int32_t number) {
  const fg_instr *i = lane[0].at[number].i;
  if (i->a < 0 || i->a >= lane->code->count || i->imm.i < 1 || i->imm.i >= FG_MATRIX_LANES)
    return fg_prove_code_fail(lane, &lane->at[number], "a lane that is not there");
  for (int l = 0; l < FG_MATRIX_LANES; l++) *lane[l].at[number].x = *lane[l ^ (int)i->imm.i].at[i->a].x;
  return true;
}

static bool together(const fg_code_machine lane[], int32_t number) {
  return lane->at[number].i->op == FG_CODE_FROM_LANE ? give(lane, number) : multiply(lane, number);
}

static bool agree(const fg_code_machine lane[], int32_t value) {
  for (int l = 1; value >= 0 && l < FG_MATRIX_LANES; l++)
    if (*lane[l].at[value].x != *lane[0].at[value].x) return false;
  return true;
}

static bool enter(const fg_code_machine lane[], int32_t number) {
  const fg_instr *i = lane[0].at[number].i;
  int32_t first = number + 1, end = lane[0].at[number].end;
  bool loop = i->op == FG_CODE_LOOP;
  if ((loop || i->op == FG_CODE_IF) && (!agree(lane, i->a) || !agree(lane, i->b)))
    return fg_prove_code_fail(lane, &lane->at[number], "lanes part before what they do together");
  if (!loop) return (i->op == FG_CODE_IF && !*lane[0].at[i->a].x) || fg_prove_code_warp(lane, first, end);
  if (i->imm.i <= 0) return fg_prove_code_fail(lane, &lane->at[number], "a step that does not rise");
  for (int64_t x = (int64_t)*lane[0].at[i->a].x; x < (int64_t)*lane[0].at[i->b].x; x += i->imm.i) {
    for (int l = 0; l < FG_MATRIX_LANES; l++) *lane[l].at[number].x = (uint64_t)x;
    if (!fg_prove_code_warp(lane, first, end)) return false;
  }
  return true;
}

static bool each(const fg_code_machine lane[], int32_t number) {
  for (int l = 0; l < FG_MATRIX_LANES; l++)
    if (!lane[l].at[number].run(&lane[l], &lane[l].at[number])) return false;
  return true;
}

bool fg_prove_code_warp(const fg_code_machine lane[], int32_t from, int32_t to) {
  for (int32_t n = from; n < to; n++) {
    const fg_code_decoded *d = &lane[0].at[n];
    bool common = fg_prove_code_is_common(d->i);
    if (!(common ? together(lane, n) : d->together ? enter(lane, n) : each(lane, n))) return false;
    if (d->end) n = d->end;
  }
  return true;
}
