/* Sums of vectors as fused products by one, if the add ports have more to do than the multiply ports.
 *
 * In: an iteration of a stage, for a CPU with separate add ports whose vectors occupy them for two cycles. Out: which
 * of its sums are written so.
 *
 * The idea: Zen 4 has two ports for products, fused ones included, and two for sums; shuffles take one of the former
 * and both of the latter. A pass that transposes rows has mostly sums and shuffles, so that a multiply port is idle.
 * A fused product by one is the same sum, with the same rounding. So many sums become products that both kinds of
 * ports have equal work, spread evenly over the iteration. Operations that read three registers delay stores, so both
 * together may not take longer than the iteration does anyway (docs/lab/cpu-vectors.md).
 *
 * Compilers fold a one that they know; it is read from memory that they cannot analyse. */
#include "generator/lower/port_balance.h"
#include "generator/base/integer.h"
#include "generator/cost/moves.h"
#include "generator/lower/value.h"
#include "generator/lower/vector_value.h"
#include "generator/lower/writer.h"
#include "generator/text/emitter.h"
#include "generator/text/recorder_variables.h"
#include "generator/text/spell.h"
#include "targets/machine/limits.h"

typedef struct load { /* of units, in an iteration */
  int64_t sums, products, fused, shuffles, stores;
} load;

static load load_of(const fg_writer *w) {
  const fg_op_count *c = &w->codelet->count;
  int made = 2 * fg_stage_products(w->stage); /* of factors that are products: so many products, as many fused ones */
  return (load){.sums = c->add + c->neg,
                .products = c->mul + c->fma + 2 * made,
                .fused = c->fma + made,
                .shuffles = fg_cost_shuffles(w->e->p, w->k, w->stage),
                .stores = w->codelet->nout};
}

/* Sums and shuffles have three units of four, sums alone two. */
static int64_t wanted(const load *l) {
  int64_t all = l->sums + l->shuffles + l->products, iteration = limit->pumped_operation * all;
  int64_t more = fg_larger((l->sums + l->shuffles - 3 * l->products) / 4, l->sums - all / 2);
  int64_t room =
      (iteration - limit->pumped_third_read * l->fused - limit->pumped_store * l->stores) / limit->pumped_third_read;
  return fg_larger(0, fg_smaller(fg_smaller(more, room), l->sums));
}

/* Consecutive iterations whose rows are stored; where rows are loaded, operations wait for their shuffles and take a
 * clock longer each. Not of pairs, which have products by one already: what turns a number by i (5 to 15 % slower so).
 */
static bool may_balance(const fg_writer *w) {
  bool vectors = fg_spell_is_double_pumped(w->e) && w->width > 1 && w->codelet && !w->pack && !w->hold;
  bool leave = w->store.move == FG_MOVE_TRANSPOSE && w->store.slots <= limit->balanced_slots;
  return vectors && leave && w->e->d->vector.unknown && w->codelet->key.form == FG_FORM_FMA;
}

void fg_port_balance_begin(fg_writer *w) {
  w->sums = (fg_even_choice){0};
  if (!may_balance(w)) return;
  load l = load_of(w);
  int64_t fused = wanted(&l);
  if (!fused || !fg_plan_option(w->e->p->plan, FG_PARAM_PORT_BALANCE, true)) return;
  const char *one;
  if (w->e->d->field_literals) {
    one = fg_value_number(w, 1, w->e->o->field->one, w->width);
  } else {
    one = fg_value_splat(w, w->width, fg_coder_one(w->e->coder, "unknown"));
  }
  fg_value_name(w, w->type, "one", one);
  w->sums = (fg_even_choice){.of = l.sums, .take = fused};
}

/* Every of / take -th. */
static bool takes_next(fg_even_choice *c) {
  c->left += c->take;
  if (c->left < c->of) return false;
  c->left -= c->of;
  return true;
}

fg_op fg_port_balance_sum(fg_writer *w, fg_op op, fg_marks *m) {
  if ((op != FG_OP_ADD && op != FG_OP_SUB) || !w->sums.take || !takes_next(&w->sums)) return op;
  *m = (fg_marks){.a = "one", .b = m->b, .c = m->a};
  return op == FG_OP_ADD ? FG_OP_FMA : FG_OP_FNMA;
}
