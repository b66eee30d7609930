/* Numbers of the text. In: a program's exact constants, a number as a compiler reads it. Out: the field element of the
 * constant that rounds to it, or of a whole number.
 *
 * If several constants round to one number, the text of the field's dialect has the right one at the same position. */
#include "generator/prove/translate_constants.h"
#include "generator/math/constant_value.h"
#include "generator/prove/literals.h"
#include "generator/reference/operation_values.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

#define NEARLY (1 - 0x1p-20) /* what is rounded to a float is less off */

static void add_constant(fg_translator *t, fg_quad exact, fg_gf image) {
  for (int i = 0; i < t->nconstant; i++)
    if (t->constant[i].image == image) return;
  if (t->nconstant % 64 == 0) t->constant = fg_arena_more(t->cx->arena, t->constant, t->nconstant, t->nconstant + 64);
  t->constant[t->nconstant++] = (fg_translate_constant){exact, fabs((double)exact), image};
}

static void add_codelet(fg_translator *t, const fg_codelet *c) {
  mpfr_t exact;
  mpfr_init2(exact, FG_CONST_BITS);
  for (int i = 0; i < c->nnode; i++) {
    if (c->node[i].op != FG_OP_CONST) continue;
    fg_const_real(c->pool, c->node[i].slot, exact);
    fg_gf image = fg_const_image(c->pool, t->field, c->node[i].slot);
    add_constant(t, fg_quad_from(exact), image);
    add_constant(t, 2 * fg_quad_from(exact), fg_gf_add(t->field, image, image));
  }
  mpfr_clear(exact);
}

static void add_numbers(fg_translator *t, const fg_operations *o) {
  for (int k = 0; o && k < o->count; k++)
    for (int i = 0; i < o->operation[k].value->count; i++) {
      const fg_expression_term *x = &o->operation[k].value->term[i];
      if (fg_expression_is_constant(x)) add_constant(t, x->number, fg_operation_values_number(t->field, x->number));
    }
}

static int by_size(const void *a, const void *b) {
  const fg_translate_constant *x = a, *y = b;
  if (x->size != y->size) return x->size < y->size ? -1 : 1;
  return (x->image > y->image) - (x->image < y->image);
}

void fg_translate_constants(fg_translator *t) {
  for (int k = 0; k < t->p->nkernel; k++)
    for (int s = 0; s < t->p->kernel[k]->nstage; s++) {
      const fg_stage *stage = &t->p->kernel[k]->stage[s];
      if (stage->codelet) add_codelet(t, stage->codelet);
      add_numbers(t, stage->operations.loaded);
      add_numbers(t, stage->operations.stored);
    }
  if (t->nconstant) qsort(t->constant, (size_t)t->nconstant, sizeof *t->constant, by_size);
}

/* The first that is hardly smaller than x. */
static int first_near(const fg_translator *t, double x) {
  int low = 0, high = t->nconstant;
  while (low < high) {
    int middle = (low + high) / 2;
    if (t->constant[middle].size < x * NEARLY)
      low = middle + 1;
    else
      high = middle;
  }
  return low;
}

/* Within half a unit of the last place, nearly. */
bool fg_translate_is_rounded(const fg_translator *t, fg_quad exact, double x) {
  int bits = t->p->problem.compute == FG_F64 ? 53 : 24;
  fg_quad d = exact < (fg_quad)x ? (fg_quad)x - exact : exact - (fg_quad)x;
  return exact > 0 && ldexp((double)d, bits - 1 - ilogb((double)exact)) <= 0.51;
}

/* A number in the text has no sign. */
static fg_gf image_of(const fg_translator *t, const fg_translate_constant *c) {
  return c->exact < 0 ? fg_gf_neg(t->field, c->image) : c->image;
}

void fg_translate_hint_constant(fg_translator *t, const char *word, size_t length) {
  fg_named_constant of;
  const char *next = t->like ? fg_prove_next_constant(t->like, &of) : NULL;
  if (!next || of.length != length || strncmp(of.name, word, length) != 0) return;
  const char *image = of.value + strcspn(of.value, ";x");
  if (*image != 'x') return;
  t->hint = strtoull(image + 1, NULL, 16);
  if (word[1] == 'N') t->hint = fg_gf_neg(t->field, t->hint); /* what is read has no sign */
  t->hinted = true;
  t->like = next;
}

bool fg_translate_image(fg_translator *t, double x, fg_gf *out) {
  if (x == floor(x) && fabs(x) < 0x1p31) return *out = fg_gf_from(t->field, (int64_t)x), true;
  const fg_translate_constant *found = NULL;
  bool two = false, meant = false;
  for (int i = first_near(t, x); i < t->nconstant && t->constant[i].size * NEARLY <= x; i++) {
    const fg_translate_constant *c = &t->constant[i];
    if (!fg_translate_is_rounded(t, c->exact < 0 ? -c->exact : c->exact, x)) continue;
    two = two || (found && image_of(t, found) != image_of(t, c));
    meant = meant || (t->hinted && image_of(t, c) == t->hint);
    if (!found || (t->hinted && image_of(t, c) == t->hint)) found = c;
  }
  if (!found) return false;
  t->translation->is_ambiguous = t->translation->is_ambiguous || (two && !meant);
  t->translation->literals++;
  return *out = image_of(t, found), true;
}
