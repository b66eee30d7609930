/* The caller's arrays of a problem. In: operations. Out: each array once, in the order of operations and, in an
 * expression, of names. */
#include "generator/problem/given.h"
#include "generator/problem/arrays.h"
#include "generator/problem/shape.h"
#include "generator/problem/spectrum.h"
#include <string.h>

static int count_of(const fg_problem *p, bool output) { return output ? p->nstore : p->nload; }
static const fg_pointwise *side_of(const fg_problem *p, bool output) { return output ? p->store : p->load; }

bool fg_given_is_complex(const fg_problem *p, bool output, int position) {
  bool complex = !fg_problem_kind_is_real(p->kind, output);
  for (int i = 0; i < position; i++) {
    const fg_pointwise *op = &side_of(p, output)[i];
    const fg_operation_row *row = fg_operation_find(op->name);
    if (row->act == FG_ACT_VALUE) complex = complex && !row->makes_real && !op->makes_real;
  }
  return complex;
}

/* Between the array and the zeros of zeropad, or what crop leaves, there are no others. */
static const fg_part *part_at(const fg_problem *p, bool output, int position) {
  const fg_pointwise *op = side_of(p, output);
  int from = output ? 0 : position + 1, to = output ? position : p->nload;
  for (int i = from; i < to; i++) {
    const fg_operation_row *row = fg_operation_find(op[i].name);
    if (row->act == (output ? FG_ACT_CROP : FG_ACT_PAD)) return &op[i].kept;
  }
  return NULL;
}

int64_t fg_given_length(const fg_problem *p, const fg_given *g, int dimension) {
  return g->part ? g->part->length[dimension] : fg_problem_span(p, dimension, g->output);
}

static int64_t elements_of(const fg_problem *p, const fg_given *g) {
  int64_t points = 1;
  if (g->of == FG_OPERAND_ONE) return 1;
  if (g->of == FG_OPERAND_DIMENSION) return fg_given_length(p, g, g->dimension);
  for (int d = 0; d < p->rank; d++) points *= fg_given_length(p, g, d);
  return points;
}

/* The number of an array that a side's expressions name: its first place among them. */
static int16_t number_of(const fg_problem *p, bool output, int position, const char *name) {
  fg_expression e;
  for (int i = 0; i <= position; i++) {
    if (fg_operation_find(side_of(p, output)[i].name)->takes != FG_TAKES_EXPRESSION) continue;
    fg_expression_of(p, output, i, fg_given_is_complex(p, output, i), &e);
    for (int o = 0; o < e.noperand; o++)
      if (!strcmp(e.operand[o].name, name))
        return (int16_t)(FG_GIVEN_SPECTRUM + 1 + fg_given_number(output, i) * FG_MAX_OPERANDS + o);
  }
  return -1;
}

void fg_given_of(const fg_problem *p, bool output, int position, const fg_expression *e, int operand, fg_given *out) {
  const fg_pointwise *op = &side_of(p, output)[position];
  const fg_operation_row *row = fg_operation_find(op->name);
  const fg_expression_operand *o = &e->operand[operand];
  bool own = row->takes == FG_TAKES_EXPRESSION;
  *out = (fg_given){.output = output,
                    .complex = o->complex,
                    .operation = row->name,
                    .position = position,
                    .of = own ? o->of : FG_OPERAND_ELEMENTS,
                    .dimension = o->dimension,
                    .whose = own ? o->whose : op->whose,
                    .part = part_at(p, output, position)};
  if (own) memcpy(out->name, o->name, sizeof out->name);
  out->number = own ? number_of(p, output, position, o->name) : fg_given_number(output, position);
  out->each = elements_of(p, out);
}

/* Whether an operation takes arrays of the caller's. */
static bool takes_arrays(const fg_pointwise *op) {
  const fg_operation_row *row = fg_operation_find(op->name);
  bool array = row->takes == FG_TAKES_ARRAY || row->takes == FG_TAKES_WINDOW || row->takes == FG_TAKES_EXPRESSION;
  return row->act == FG_ACT_VALUE && !op->window[0] && array;
}

static int16_t first_number(const fg_given *g, int operand) {
  if (!*g->name) return g->number;
  return (int16_t)(FG_GIVEN_SPECTRUM + 1 + fg_given_number(g->output, g->position) * FG_MAX_OPERANDS + operand);
}

/* The arrays of an operation that no operation before it has; false: this is not among them. */
static bool at_operation(const fg_problem *p, bool output, int position, int *index, fg_given *out) {
  fg_expression e;
  if (!takes_arrays(&side_of(p, output)[position])) return false;
  bool own = fg_operation_find(side_of(p, output)[position].name)->takes == FG_TAKES_EXPRESSION;
  fg_expression_of(p, output, position, fg_given_is_complex(p, output, position), &e);
  for (int o = 0; o < e.noperand; o++) {
    if (own && !*e.operand[o].name) continue; /* an index */
    fg_given_of(p, output, position, &e, o, out);
    if (out->number == first_number(out, o) && (*index)-- == 0) return true;
  }
  return false;
}

bool fg_given_at(const fg_problem *p, int index, fg_given *out) {
  if (fg_problem_kind_convolves(p->kind) && index-- == 0) {
    *out = (fg_given){
        .number = FG_GIVEN_SPECTRUM, .complex = true, .whose = p->spectra, .each = fg_problem_spectrum_points(p)};
    return true;
  }
  for (int output = 0; output < 2; output++)
    for (int i = 0; i < count_of(p, output); i++)
      if (at_operation(p, output, i, &index, out)) return true;
  return false;
}

bool fg_given_find(const fg_problem *p, int16_t number, fg_given *out) {
  for (int i = 0; fg_given_at(p, i, out); i++)
    if (out->number == number && out->operation) return true;
  return false;
}

int64_t fg_given_extent(const fg_problem *p, const fg_given *g, const int64_t *params) {
  return g->each * fg_problem_own_count(p, g->whose, params);
}

bool fg_problem_given(const fg_problem *p, int given, fg_spectra *whose, int64_t *numbers) {
  fg_given g;
  if (!fg_given_at(p, given, &g)) return false;
  *whose = g.whose, *numbers = (g.complex ? 2 : 1) * g.each;
  return true;
}

static bool numbers_side(const fg_problem *p, bool output) {
  fg_expression e;
  for (int i = 0; i < count_of(p, output); i++) {
    if (fg_operation_find(side_of(p, output)[i].name)->takes != FG_TAKES_EXPRESSION) continue;
    fg_expression_of(p, output, i, fg_given_is_complex(p, output, i), &e);
    for (int o = 0; o < e.noperand; o++)
      if (!*e.operand[o].name && e.operand[o].of == FG_OPERAND_ONE) return true;
  }
  return false;
}

bool fg_given_numbers_transforms(const fg_problem *p) { return numbers_side(p, false) || numbers_side(p, true); }
bool fg_given_numbers_results(const fg_problem *p) { return numbers_side(p, true); }
