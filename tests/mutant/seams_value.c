/* Seams where operations and exchanges become text (lower/value.c, lower/shuffle_network.c, lower/move.c), by the
 * linker's
 * --wrap. In: what a caller wants. Out: the same, or with the fault that fault.h speaks of. */
#include "generator/lower/shuffle_network.h"
#include "generator/lower/writer.h"
#include "generator/text/recorder_ops.h"
#include "generator/text/spell.h"
#include "tests/mutant/fault.h"
#include "tests/mutant/wrap.h"
#include <string.h>

static bool in_proof(const fg_writer *w) { return w->e->d->field_literals; }

/* Both are asked, and so counted. */
static bool fault_is_either(const fg_writer *w, seam s, uint64_t rule, uint64_t here) {
  bool by_rule = fault_is_here(s, in_proof(w), rule), by_place = fault_is_here(s, in_proof(w), here);
  return by_rule || by_place;
}

/* ---- operations ---------------------------------------------------------------------------- */

static const char *changed_op(fg_writer *w, fg_op op, int lanes, const fg_marks *m) {
  static const fg_op two[] = {FG_OP_ADD, FG_OP_SUB, FG_OP_MUL}, three[] = {FG_OP_FMA, FG_OP_FMS, FG_OP_FNMA};
  fg_marks to = *m;
  int operands = op == FG_OP_NEG ? 1 : op >= FG_OP_FMA ? 3 : 2;
  fault_say("%s of %s, %s, %s", fg_op_name(op), m->a, m->b ? m->b : "-", m->c ? m->c : "-");
  if (operands == 1) return m->a;
  switch (fault_choice(0, 5)) {
  case 0: to.a = m->b, to.b = m->a; break;
  case 1:
    if (operands == 3) to.b = m->c, to.c = m->b;
    if (operands == 2) to.b = m->a;
    break;
  case 2: to.a = m->b; break;
  default: op = (operands == 2 ? two : three)[fault_choice(1, 3)]; break;
  }
  return __real_fg_value_op(w, op, lanes, &to);
}

const char *__wrap_fg_value_op(fg_writer *w, fg_op op, int lanes, const fg_marks *m) {
  if (w->e->d->is_code) return __real_fg_value_op(w, op, lanes, m);
  uint64_t rule = fault_key_number(fault_key_number(fault_key("op"), op), lanes);
  uint64_t here = fault_key_value(fault_key_value(rule, m->a), op == FG_OP_NEG ? NULL : m->b);
  if (fault_is_here(SEAM_OP, in_proof(w), fault_key_value(here, op >= FG_OP_FMA ? m->c : NULL)))
    return changed_op(w, op, lanes, m);
  return __real_fg_value_op(w, op, lanes, m);
}

const char *__wrap_fg_value_number(fg_writer *w, double value, fg_gf image, int lanes) {
  uint64_t key = fault_key_number(fault_key("number"), (int64_t)(value * 0x1p50));
  if (!w->e->d->is_code && fault_is_here(SEAM_NUMBER, in_proof(w), key)) {
    static const double by[] = {-1, 1 + 0x1p-18, 2, 0.5};
    double factor = by[fault_choice(0, 4)];
    fault_say("%.17g times %.17g", value, factor);
    return __real_fg_value_number(w, value * factor, image, lanes);
  }
  return __real_fg_value_number(w, value, image, lanes);
}

/* ---- vectors --------------------------------------------------------------------------------- */

const char *__wrap_fg_value_make(fg_writer *w, int lanes, const char *const *item) {
  const char *changed[FG_MAX_LANES];
  uint64_t key = fault_key("make");
  for (int l = 0; l < lanes; l++) key = fault_key_value(key, item[l]);
  if (w->e->d->is_code || !fault_is_here(SEAM_MAKE, in_proof(w), key)) return __real_fg_value_make(w, lanes, item);
  memcpy(changed, item, sizeof *item * (size_t)lanes);
  int64_t i = fault_choice(0, lanes), j = fault_choice(1, lanes);
  changed[i] = item[j];
  if (fault_choice(2, 2)) changed[j] = item[i];
  fault_say("lane %d of %d is %s", (int)i, lanes, item[j]);
  return __real_fg_value_make(w, lanes, changed);
}

const char *__wrap_fg_value_lane(fg_writer *w, int lanes, const char *vector, int lane) {
  uint64_t rule = fault_key_number(fault_key_number(fault_key("lane"), lanes), lane);
  bool here = !w->e->d->is_code && fault_is_either(w, SEAM_LANE, rule, fault_key_value(rule, vector));
  if (here) fault_say("lane %d of %s becomes another", lane, vector);
  return __real_fg_value_lane(w, lanes, vector, here ? (lane + 1 + (int)fault_choice(0, lanes - 1)) % lanes : lane);
}

const char *__wrap_fg_value_shuffle(fg_writer *w, int lanes, const char *a, const char *b, const int *index) {
  int changed[2 * FG_MAX_LANES];
  uint64_t rule = fault_key_number(fault_key("shuffle"), lanes);
  for (int l = 0; l < lanes; l++) rule = fault_key_number(rule, index[l]);
  uint64_t here = fault_key_value(fault_key_value(rule, a), b);
  if (w->e->d->is_code || !fault_is_either(w, SEAM_SHUFFLE, rule, here))
    return __real_fg_value_shuffle(w, lanes, a, b, index);
  memcpy(changed, index, sizeof *index * (size_t)lanes);
  int64_t i = fault_choice(0, lanes), j = fault_choice(1, lanes);
  fault_say("%s, %s: lanes %d and %d of %d", a, b, (int)i, (int)j, lanes);
  switch (fault_choice(2, 3)) {
  case 0: changed[i] = index[j], changed[j] = index[i]; break;
  case 1: changed[i] = (int)fault_choice(3, strcmp(a, b) ? 2 * lanes : lanes); break;
  default: return __real_fg_value_shuffle(w, lanes, b, a, index);
  }
  return __real_fg_value_shuffle(w, lanes, a, b, changed);
}

const char *__wrap_fg_value_swap(fg_writer *w, int lanes, const char *a) {
  uint64_t rule = fault_key_number(fault_key("swap"), lanes);
  if (w->e->d->is_code || !fault_is_either(w, SEAM_SWAP, rule, fault_key_value(rule, a)))
    return __real_fg_value_swap(w, lanes, a);
  fault_say("neighbours of %s stay", a);
  return a;
}

const char *__wrap_fg_value_alternate(fg_writer *w, int lanes, const char *a, const char *b) {
  uint64_t rule = fault_key_number(fault_key("alternate"), lanes);
  uint64_t here = fault_key_value(fault_key_value(rule, a), b);
  if (w->e->d->is_code || !fault_is_either(w, SEAM_SWAP, rule, here)) return __real_fg_value_alternate(w, lanes, a, b);
  fault_say("%s and %s in turns change places", a, b);
  return __real_fg_value_alternate(w, lanes, b, a);
}

const char *__wrap_fg_value_join(fg_writer *w, int lanes, const char *low, const char *high) {
  uint64_t rule = fault_key_number(fault_key("join"), lanes);
  uint64_t here = fault_key_value(fault_key_value(rule, low), high);
  if (w->e->d->is_code || !fault_is_either(w, SEAM_PART, rule, here)) return __real_fg_value_join(w, lanes, low, high);
  fault_say("%s joined before %s", high, low);
  return __real_fg_value_join(w, lanes, high, fault_choice(0, 2) ? low : high);
}

/* The other half, or one lane on. */
static bool other_part(fg_writer *w, const char *what, int lanes, const char *wide, int *first) {
  uint64_t rule = fault_key_number(fault_key_number(fault_key(what), lanes), *first);
  if (w->e->d->is_code || !fault_is_either(w, SEAM_PART, rule, fault_key_value(rule, wide))) return false;
  int was = *first;
  *first = fault_choice(0, 2) && *first ? *first - 1 : *first ? 0 : lanes;
  fault_say("%s of %s from %d, not %d", what, wide, *first, was);
  return true;
}

const char *__wrap_fg_value_part(fg_writer *w, int lanes, const char *wide, int first) {
  other_part(w, "part", lanes, wide, &first);
  return __real_fg_value_part(w, lanes, wide, first);
}

const char *__wrap_fg_value_piece(fg_writer *w, int lanes, const char *wide, int first) {
  other_part(w, "piece", lanes, wide, &first);
  return __real_fg_value_piece(w, lanes, wide, first);
}

/* ---- networks and the order of lanes ------------------------------------------------------------ */

static uint64_t key_of_net(const fg_net *net) {
  uint64_t key = fault_key_number(fault_key_number(fault_key("net"), net->lane_bits), net->reg_bits);
  for (int i = 0; i < net->nstep; i++) {
    key = fault_key_number(fault_key_number(key, net->step[i].reg_bit), net->step[i].leaving);
    for (int b = 0; b < net->lane_bits; b++) key = fault_key_number(key, net->step[i].source[b]);
  }
  return key;
}

void __wrap_fg_net_plan(fg_net *net, const fg_net_size *size, const int *start, const int *target) {
  __real_fg_net_plan(net, size, start, target);
  if (!net->nstep || !fault_is_here(SEAM_NET, false, key_of_net(net))) return;
  fg_net_step *s = &net->step[fault_choice(0, net->nstep)];
  int64_t i = fault_choice(1, net->lane_bits), j = fault_choice(2, net->lane_bits);
  int was = s->source[i];
  fault_say("%d steps, lane bits %d and %d", net->nstep, (int)i, (int)j);
  switch (fault_choice(3, 3)) {
  case 0: s->source[i] = s->source[j], s->source[j] = was; break;
  case 1: s->leaving = (int)fault_choice(4, net->lane_bits); break;
  default:
    if (net->reg_bits) s->reg_bit = (int)fault_choice(4, net->reg_bits);
    break;
  }
}

void __wrap_fg_move_choose_lane_order(fg_writer *w) {
  __real_fg_move_choose_lane_order(w);
  int bits = 0;
  while (1 << bits < w->lanes) bits++;
  uint64_t key = fault_key_text(fault_key_number(fault_key("order"), w->lanes), w->stage->what);
  for (int b = 0; b < bits; b++) key = fault_key_number(key, w->lane_label[b]);
  if (bits < 2 || w->e->d->is_code || !fault_is_here(SEAM_LABEL, in_proof(w), key)) return;
  int64_t i = fault_choice(0, bits), j = (i + 1 + fault_choice(1, bits - 1)) % bits;
  int was = w->lane_label[i];
  fault_say("%s: lane bits %d and %d", w->stage->what, (int)i, (int)j);
  w->lane_label[i] = w->lane_label[j];
  w->lane_label[j] = was;
}

void __wrap_fg_move_lane_order(const fg_writer *w, bool natural, int *label) {
  __real_fg_move_lane_order(w, natural, label);
  int bits = 0;
  while (1 << bits < w->lanes) bits++;
  uint64_t key = fault_key_number(fault_key_number(fault_key("natural"), w->lanes), natural);
  if (bits < 2 || w->e->d->is_code || !fault_is_here(SEAM_LABEL, in_proof(w), key)) return;
  int64_t i = fault_choice(0, bits), j = (i + 1 + fault_choice(1, bits - 1)) % bits;
  int was = label[i];
  fault_say("natural %d, lane bits %d and %d", natural, (int)i, (int)j);
  label[i] = label[j];
  label[j] = was;
}

/* ---- loads, stores, names --------------------------------------------------------------------------- */

void __wrap_fg_value_store(fg_writer *w, int lanes, bool stream, const char *pointer, const char *value) {
  static _Thread_local char last[256];
  uint64_t key = fault_key_value(fault_key_text(fault_key_number(fault_key("store"), lanes), pointer), value);
  bool here = !w->e->d->is_code && fault_is_here(SEAM_STORE, in_proof(w), key);
  if (here) fault_say("%s at %s left out, or another one there", value, pointer);
  if (here && (fault_choice(0, 2) || strlen(last) == 0)) return;
  __real_fg_value_store(w, lanes, stream, pointer, here ? last : value);
  if (strlen(value) < sizeof last) strcpy(last, value);
}

void __wrap_fg_value_put(fg_writer *w, const char *element, const char *value) {
  uint64_t key = fault_key_value(fault_key_text(fault_key("put"), element), value);
  if (!w->e->d->is_code && fault_is_here(SEAM_STORE, in_proof(w), key))
    fault_say("%s left out at %s", value, element);
  else
    __real_fg_value_put(w, element, value);
}

const char *__wrap_fg_value_load(fg_writer *w, int lanes, const char *pointer) {
  uint64_t key = fault_key_text(fault_key_number(fault_key("load"), lanes), pointer);
  if (w->e->d->is_code || !fault_is_here(SEAM_LOAD, in_proof(w), key)) return __real_fg_value_load(w, lanes, pointer);
  static const int by[] = {1, -1, 2, -4};
  int add = by[fault_choice(0, 4)];
  fault_say("from %s, %d on", pointer, add);
  return __real_fg_value_load(w, lanes, fg_coder_at(w->e->coder, pointer, NULL, add));
}

const char *__wrap_fg_value_at(fg_writer *w, const char *element) {
  uint64_t key = fault_key_text(fault_key("at"), element);
  if (w->e->d->is_code || !fault_is_here(SEAM_LOAD, in_proof(w), key)) return __real_fg_value_at(w, element);
  fault_say("0 for %s", element);
  return "0";
}

const char *__wrap_fg_value_at_if(fg_writer *w, const char *condition, const char *element) {
  uint64_t key = fault_key_text(fault_key_text(fault_key("at_if"), condition), element);
  if (w->e->d->is_code || !fault_is_here(SEAM_CONDITION, in_proof(w), key))
    return __real_fg_value_at_if(w, condition, element);
  fault_say("%s always", element);
  return __real_fg_value_at(w, element);
}

const char *fault_not(fg_writer *w, const char *truth) {
  fg_coder *c = w->e->coder;
  return fg_coder_index(c, FG_CODE_LESS, fg_coder_choice(c, truth, "1", "0"), "1");
}

void __wrap_fg_value_if(fg_writer *w, const char *condition) {
  uint64_t key = fault_key_text(fault_key("if"), condition);
  if (!w->e->d->is_code && fault_is_here(SEAM_CONDITION, in_proof(w), key)) {
    fault_say("for %s", condition);
    condition = fault_choice(0, 2) ? "1" : fault_not(w, condition);
  }
  __real_fg_value_if(w, condition);
}

const char *__wrap_fg_move_loaded_name(const fg_writer *w, const fg_access_plan *p, int number) {
  uint64_t key = fault_key_number(fault_key_number(fault_key("name"), p->tag), number);
  key = fault_key_text(key, w->stage->what);
  if (w->e->d->is_code || !fault_is_here(SEAM_NAME, in_proof(w), key)) return __real_fg_move_loaded_name(w, p, number);
  int most = p->parts * p->slots, to = number ^ (fault_choice(0, 2) ? 1 : 2);
  if (to >= most) to = number ? number - 1 : number;
  fault_say("%s: %c number %d for %d", w->stage->what, p->tag, to, number);
  return __real_fg_move_loaded_name(w, p, to);
}

/* ---- rows ------------------------------------------------------------------------------------------- */

static fg_run changed_run(const fg_writer *w, const fg_access_plan *p, const fg_run *r, const char *what) {
  fg_run to = *r;
  uint64_t key = fault_key_number(fault_key_number(fault_key(what), r->first), r->slots);
  key = fault_key_text(fault_key_number(fault_key_number(key, r->part), p->tag), w->stage->what);
  if (w->e->d->is_code || !fault_is_here(SEAM_RUN, in_proof(w), key)) return to;
  if (r->parts == 1 && p->parts == 2 && fault_choice(0, 2))
    to.part = !r->part;
  else if (r->first + r->slots < p->slots)
    to.first++;
  else if (r->first)
    to.first--;
  fault_say("%s %s: from slot %d, part %d", w->stage->what, what, to.first, to.part);
  return to;
}

void __wrap_fg_run_load(fg_writer *w, fg_access_plan *p, const fg_run *r) {
  fg_run to = changed_run(w, p, r, "loads");
  __real_fg_run_load(w, p, &to);
}

void __wrap_fg_run_store(fg_writer *w, fg_access_plan *p, const fg_run *r) {
  fg_run to = changed_run(w, p, r, "stores");
  __real_fg_run_store(w, p, &to);
}

const char *__wrap_fg_run_reversed(fg_writer *w, const char *value, const char *called) {
  uint64_t key = fault_key_number(fault_key("reversed"), w->lanes);
  if (w->e->d->is_code || called[0] || !fault_is_here(SEAM_SWAP, in_proof(w), key))
    return __real_fg_run_reversed(w, value, called);
  fault_say("%s not reversed", value);
  return value;
}
