/* Seams where addresses, loops, lines and numbers become text, by the linker's --wrap. In: what a caller wants. Out:
 * the same, or with the fault that fault.h speaks of. */
#include "generator/lower/address.h"
#include "generator/lower/writer.h"
#include "generator/opt/region.h"
#include "generator/text/emitter.h"
#include "generator/text/spell.h"
#include "generator/text/sum.h"
#include "tests/mutant/fault.h"
#include "tests/mutant/wrap.h"
#include <stdio.h>
#include <string.h>

static bool in_proof(const fg_emitter *e) { return e->d->field_literals; }

/* ---- elements ------------------------------------------------------------------------------ */

/* Another slot, lane or part of the same place. */
static bool other_spot(const fg_writer *w, const fg_access_plan *p, seam s, fg_component *at) {
  uint64_t key = fault_key_number(fault_key_number(fault_key("spot"), p->tag), at->slot);
  key = fault_key_text(fault_key_number(fault_key_number(key, at->lane), at->part), w->stage->what);
  key = fault_key_number(key, at->elements);
  if (w->e->d->is_code || !fault_is_here(s, in_proof(w->e), key)) return false;
  switch (fault_choice(0, 4)) {
  case 0:
    if (p->parts == 2) at->part = !at->part;
    break;
  case 1:
    if (w->lanes > 1) at->lane ^= 1 << fault_choice(1, w->lanes > 3 ? 2 : 1);
    break;
  case 2: at->elements += fault_choice(1, 2) ? 1 : -1; break;
  default: at->slot = at->slot + 1 < p->slots ? at->slot + 1 : at->slot ? at->slot - 1 : 0; break;
  }
  fault_say("%s: %c slot %d, lane %d, part %d, %lld on", w->stage->what, p->tag, at->slot, at->lane, at->part,
            (long long)at->elements);
  return true;
}

const char *__wrap_fg_access_plan_element(fg_writer *w, fg_access_plan *p, int slot, int lane, int part) {
  fg_component at = {.slot = slot, .lane = lane, .part = part};
  other_spot(w, p, SEAM_ELEMENT, &at);
  return __real_fg_access_plan_element(w, p, at.slot, at.lane, at.part);
}

const char *__wrap_fg_access_plan_pair(fg_writer *w, fg_access_plan *p, int slot, int lane) {
  fg_component at = {.slot = slot, .lane = lane};
  other_spot(w, p, SEAM_ELEMENT, &at);
  return __real_fg_access_plan_pair(w, p, at.slot, at.lane);
}

const char *__wrap_fg_access_plan_pointer(fg_writer *w, fg_access_plan *p, const fg_component *spot) {
  fg_component at = *spot;
  other_spot(w, p, SEAM_POINTER, &at);
  return __real_fg_access_plan_pointer(w, p, &at);
}

const char *__wrap_fg_access_plan_index(fg_writer *w, fg_access_plan *p, int slot) {
  fg_component at = {.slot = slot};
  other_spot(w, p, SEAM_ELEMENT, &at);
  return __real_fg_access_plan_index(w, p, at.slot);
}

/* ---- sums ------------------------------------------------------------------------------------- */

void __wrap_fg_sum_add(fg_sum *s, fg_num coef, int64_t factor, const char *variable) {
  uint64_t key = fault_key_number(fault_key_number(fault_key("term"), coef.n), coef.form);
  key = fault_key_text(fault_key_number(key, factor), variable);
  if (!s->e->d->is_code && (coef.n && factor) && fault_is_here(SEAM_TERM, in_proof(s->e), key)) {
    fault_say("%lld * %lld * %s%s", (long long)coef.n, (long long)factor, variable ? variable : "1",
              coef.form == FG_NUM_CONST ? "" : ", at run time");
    switch (fault_choice(0, 5)) {
    case 0: coef.n++; break;
    case 1: coef.n--; break;
    case 2: coef.n = -coef.n; break;
    case 3: coef.n *= 2; break;
    default: return;
    }
  }
  __real_fg_sum_add(s, coef, factor, variable);
}

const char *__wrap_fg_sum_text(fg_sum *s) {
  uint64_t key = fault_key_number(fault_key_text(fault_key("sum"), s->value), s->constant);
  if (!s->e->d->is_code && fault_is_here(SEAM_CONSTANT, in_proof(s->e), key)) {
    static const int by[] = {1, -1, 2, -2, 8, -8};
    int add = by[fault_choice(0, 6)];
    fault_say("%s + %lld and %d", s->value ? s->value : "0", (long long)s->constant, add);
    s->constant += add;
    const char *text = __real_fg_sum_text(s);
    s->constant -= add;
    return text;
  }
  return __real_fg_sum_text(s);
}

const char *__wrap_fg_spell_num(const fg_emitter *e, fg_uses *uses, fg_num x) {
  uint64_t key = fault_key_number(fault_key_number(fault_key("num"), x.n), x.form);
  if (!e->d->is_code && fault_is_here(SEAM_BOUND, in_proof(e), key)) {
    fault_say("%lld%s", (long long)x.n, x.form == FG_NUM_CONST ? "" : ", at run time");
    x.n += fault_choice(0, 2) ? 1 : -1;
  }
  return __real_fg_spell_num(e, uses, x);
}

/* ---- conditions ---------------------------------------------------------------------------------- */

const char *__wrap_fg_access_plan_condition(fg_writer *w, fg_access_plan *p, int slot, int lane) {
  const char *ok = __real_fg_access_plan_condition(w, p, slot, lane);
  uint64_t key = fault_key_text(fault_key_number(fault_key_number(fault_key("ok"), slot), lane), ok);
  key = fault_key_number(key, p->tag);
  if (!ok || w->e->d->is_code || !fault_is_here(SEAM_CONDITION, in_proof(w->e), key)) return ok;
  fault_say("%s of slot %d, lane %d", ok, slot, lane);
  return fault_choice(0, 2) ? NULL : "0";
}

const char *__wrap_fg_access_plan_pred(fg_writer *w, const fg_pred *pred, int npred, int slot_digit, int slot,
                                       int lane) {
  const char *text = __real_fg_access_plan_pred(w, pred, npred, slot_digit, slot, lane);
  uint64_t key = fault_key_text(fault_key("pred"), text);
  if (!text || w->e->d->is_code || !fault_is_here(SEAM_CONDITION, in_proof(w->e), key)) return text;
  fault_say("%s", text);
  return fault_choice(0, 2) ? "1" : fault_not(w, text);
}

/* ---- statements ------------------------------------------------------------------------------------- */

void __wrap_fg_storage_write_pair(fg_writer *w, fg_access_plan *p, const char *pointer, const char *value) {
  uint64_t key = fault_key_value(fault_key_text(fault_key("pair"), pointer), value);
  if (!w->e->d->is_code && fault_is_here(SEAM_LINE, in_proof(w->e), fault_key_text(key, w->stage->what))) {
    fault_say("a pair left out or twice");
    if (fault_choice(0, 3)) return;
    __real_fg_storage_write_pair(w, p, pointer, value);
  }
  __real_fg_storage_write_pair(w, p, pointer, value);
}

static uint64_t key_of_statement(const fg_instr *i) {
  uint64_t key = fault_key_number(fault_key("statement"), i->op);
  return i->name ? fault_key_text(key, i->name) : fault_key_number(key, i->a);
}

static bool is_frame(const fg_statement *s) { return s->op == FG_CODE_END || fg_code_is_bracket(s->op); }

/* Two statements that follow each other change places. */
bool __wrap_fg_reorder_list(fg_writer *w, int32_t from) {
  bool listed = __real_fg_reorder_list(w, from);
  if (w->e->d->is_code) return listed;
  fg_region r = fg_region_of(w->e->coder, from);
  int32_t *number = fg_arena_new(w->e->cx->arena, int32_t, r.count + 1);
  bool any = false;
  for (int i = 0; i < r.count; i++) number[i] = r.s[i].number;
  for (int i = 0; i + 1 < r.count; i++) {
    const fg_instr *all = fg_coder_code(w->e->coder)->instr;
    uint64_t first = key_of_statement(&all[number[i]]), second = key_of_statement(&all[number[i + 1]]);
    if (is_frame(&r.s[i]) || is_frame(&r.s[i + 1])) continue;
    if (!fault_is_here(SEAM_ORDER, in_proof(w->e), fault_key_number(first, (int64_t)second))) continue;
    fault_say("statement %d of %d before %d", i + 1, r.count, i);
    int32_t was = number[i];
    number[i] = number[i + 1], number[i + 1] = was;
    any = true;
  }
  if (any) fg_region_order(&r, number, r.count);
  return any || listed;
}

/* ---- memory and arguments ------------------------------------------------------------------------------ */

fg_status __wrap_fg_memory_plan(fg_emitter *e) {
  fg_status status = __real_fg_memory_plan(e);
  for (int i = 0; status == FG_OK && !e->d->is_code && i < e->p->nbuffer; i++) {
    fg_memory *m = &e->memory[i];
    if (!m->used) continue;
    if (m->offset && fault_is_here(SEAM_MEMORY, in_proof(e), fault_key_number(fault_key("offset"), i))) {
      int64_t by = fault_choice(0, 2) ? 1 + fault_choice(1, 8) : m->offset;
      fault_say("%s %lld numbers before its place", m->name, (long long)by);
      m->offset -= by;
    }
    if (e->scratch && !i && fault_is_here(SEAM_MEMORY, in_proof(e), fault_key("scratch"))) {
      fault_say("scratch of %lld numbers is smaller", (long long)e->scratch);
      e->scratch -= 1 + fault_choice(0, e->scratch < 64 ? 4 : 64);
    }
  }
  return status;
}

int __wrap_fg_memory_mention(const fg_emitter *e, const fg_uses *u, int memory, const char **item) {
  int count = __real_fg_memory_mention(e, u, memory, item);
  uint64_t key = fault_key_text(fault_key("mention"), count ? item[0] : "");
  if (!count || e->d->is_code || !fault_is_here(SEAM_ARGUMENT, in_proof(e), key)) return count;
  fault_say("%s", item[0]);
  if (count > 1 && fault_choice(0, 2)) {
    const char *was = item[0];
    item[0] = item[1], item[1] = was;
  } else {
    item[0] = fg_arena_printf(e->cx->arena, "%s + 1", item[0]);
  }
  return count;
}

/* ---- numbers ---------------------------------------------------------------------------------------------- */

const char *__wrap_fg_spell_literal(const fg_emitter *e, double value) {
  uint64_t key = fault_key_number(fault_key("literal"), (int64_t)(value * 0x1p50));
  if (!e->d->is_code && fault_is_here(SEAM_LITERAL, in_proof(e), key)) {
    static const double by[] = {-1, 1 + 0x1p-20, 0, 1 - 0x1p-12};
    double factor = by[fault_choice(0, 4)];
    fault_say("%.17g times %.17g", value, factor);
    value *= factor;
  }
  return __real_fg_spell_literal(e, value);
}

const char *__wrap_fg_storage_read(fg_writer *w, fg_access_plan *p, const char *element, const char *condition) {
  uint64_t key = fault_key_text(fault_key_text(fault_key("read"), element), condition);
  if (w->e->d->is_code || !fault_is_here(SEAM_POINT, in_proof(w->e), key))
    return __real_fg_storage_read(w, p, element, condition);
  fault_say("%s read", element);
  if (condition && fault_choice(0, 2)) return __real_fg_storage_read(w, p, element, NULL);
  fg_marks m = {.a = __real_fg_storage_read(w, p, element, condition)};
  return __real_fg_value_op(w, FG_OP_NEG, 1, &m);
}

void __wrap_fg_storage_write(fg_writer *w, fg_access_plan *p, const char *element, const char *value) {
  uint64_t key = fault_key_value(fault_key_text(fault_key("write"), element), value);
  if (!w->e->d->is_code && fault_is_here(SEAM_POINT, in_proof(w->e), key)) {
    fault_say("%s written", element);
    value = __real_fg_value_op(w, FG_OP_NEG, 1, &(fg_marks){.a = value});
  }
  __real_fg_storage_write(w, p, element, value);
}
