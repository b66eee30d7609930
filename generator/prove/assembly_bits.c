/* Numbers of other types in assembly that is executed over a field. In: instructions that convert, pack and unpack.
 * Out: the numbers.
 *
 * The idea: over the field a conversion changes nothing, so a register keeps which number of which type its bits are,
 * and where they are in it. Only what belongs to this type makes a real of them, or stores them; arithmetic on them is
 * a fault. */
#include "generator/prove/assembly_run_parts.h"

static bool is_half(fg_precision type) { return type == FG_F16 || type == FG_BF16 || type == FG_STORAGE_COUNT; }

static const fg_proof_asm_bits no_bits = {FG_ASM_ONE, FG_STORAGE_COUNT, {0, 0}};

/* Of a register r or h; a whole number 0 is bits of any type. */
static fg_proof_asm_bits bits_of(const fg_proof_asm_run *r, const fg_proof_asm_operand *x) {
  const fg_proof_asm_thread *t = r->now;
  if (x->kind == 'h') return t->half[x->reg];
  return t->word[x->reg].form || t->r[x->reg] ? t->word[x->reg] : no_bits;
}

static void set_bits(const fg_proof_asm_run *r, const fg_proof_asm_operand *x, fg_proof_asm_bits bits) {
  *(x->kind == 'h' ? &r->now->half[x->reg] : &r->now->word[x->reg]) = bits;
}

/* ---- conversions --------------------------------------------------------------------------------- */

static bool from(fg_proof_asm_run *r, const fg_proof_asm_line *line, fg_precision type) {
  fg_proof_asm_bits b = bits_of(r, &line->x[1]);
  bool good = b.form == FG_ASM_ONE && (b.type == type || b.type == FG_STORAGE_COUNT);
  if (!good) return fg_proof_asm_fail(r, "assembly: a conversion of something else");
  *fg_proof_asm_real(r, &line->x[0]) = b.x[0];
  return true;
}

static bool to(fg_proof_asm_run *r, const fg_proof_asm_line *line, fg_precision type) {
  fg_gf x = fg_proof_asm_value(r, &line->x[1]);
  if (x & FG_ASM_UNDEFINED) return fg_proof_asm_fail(r, "assembly: a number that is not defined");
  set_bits(r, &line->x[0], (fg_proof_asm_bits){FG_ASM_ONE, type, {x, 0}});
  return true;
}

static bool take_half(fg_proof_asm_run *r, const fg_proof_asm_line *line, bool upper) {
  fg_proof_asm_bits b = bits_of(r, &line->x[1]);
  bool one = b.form == FG_ASM_ONE && (!upper || b.type == FG_STORAGE_COUNT), raised = b.form == FG_ASM_RAISED && upper;
  if (!is_half(b.type) || !(b.form == FG_ASM_TWO || one || raised))
    return fg_proof_asm_fail(r, "assembly: a half of something else");
  int i = b.form == FG_ASM_TWO && upper;
  set_bits(r, &line->x[0], (fg_proof_asm_bits){FG_ASM_ONE, b.type, {b.x[i], 0}});
  return true;
}

static bool join(fg_proof_asm_run *r, const fg_proof_asm_operand *out, fg_proof_asm_bits low, fg_proof_asm_bits high) {
  bool same = low.type == high.type || low.type == FG_STORAGE_COUNT || high.type == FG_STORAGE_COUNT;
  if (!same || !is_half(low.type) || !is_half(high.type)) return fg_proof_asm_fail(r, "assembly: a pair of others");
  fg_precision type = low.type == FG_STORAGE_COUNT ? high.type : low.type;
  set_bits(r, out, (fg_proof_asm_bits){FG_ASM_TWO, type, {low.x[0], high.x[0]}});
  return true;
}

static bool pack(fg_proof_asm_run *r, const fg_proof_asm_line *line) {
  fg_proof_asm_bits low = bits_of(r, &line->x[1]), high = bits_of(r, &line->x[2]);
  if (low.form != FG_ASM_ONE || high.form != FG_ASM_ONE)
    return fg_proof_asm_fail(r, "assembly: a number that is not defined");
  return join(r, &line->x[0], low, high);
}

bool fg_proof_asm_convert(fg_proof_asm_run *r, const fg_proof_asm_line *line) {
  switch (line->op) {
  case FG_ASM_FROM_U8: return from(r, line, FG_U8);
  case FG_ASM_FROM_I16: return from(r, line, FG_I16);
  case FG_ASM_FROM_F16: return from(r, line, FG_F16);
  case FG_ASM_FROM_BF16: return from(r, line, FG_BF16);
  case FG_ASM_TO_U8: return to(r, line, FG_U8);
  case FG_ASM_TO_I16: return to(r, line, FG_I16);
  case FG_ASM_TO_F16: return to(r, line, FG_F16);
  case FG_ASM_TO_BF16: return to(r, line, FG_BF16);
  case FG_ASM_LOWER_OF: return take_half(r, line, false);
  case FG_ASM_UPPER_OF: return take_half(r, line, true);
  case FG_ASM_PACK: return pack(r, line);
  case FG_ASM_NO_BITS:
    if (line->x[1].number) return fg_proof_asm_fail(r, "assembly: bits of a number that is not 0");
    return set_bits(r, &line->x[0], no_bits), true;
  default: /* 16 bits as a word */
    if (!r->now->half[line->x[1].reg].form) return fg_proof_asm_fail(r, "assembly: a number that is not defined");
    set_bits(r, &line->x[0], r->now->half[line->x[1].reg]);
    return true;
  }
}

/* ---- bits that are moved in a word --------------------------------------------------------------------- */

static bool is_bits(const fg_proof_asm_run *r, const fg_proof_asm_operand *x) {
  return x->kind == 'r' && r->now->word[x->reg].form;
}

static bool shift(fg_proof_asm_run *r, const fg_proof_asm_line *line) {
  fg_proof_asm_bits b = r->now->word[line->x[1].reg];
  bool left = line->op == FG_ASM_SHIFT_LEFT, fits = left ? b.form == FG_ASM_ONE : b.form != FG_ASM_ONE;
  if (line->x[2].number != 16 || !fits || !is_half(b.type))
    return fg_proof_asm_fail(r, "assembly: arithmetic on a number's bits");
  int i = b.form == FG_ASM_TWO;
  set_bits(r, &line->x[0], (fg_proof_asm_bits){left ? FG_ASM_RAISED : FG_ASM_ONE, b.type, {b.x[i], 0}});
  return true;
}

static bool unite(fg_proof_asm_run *r, const fg_proof_asm_line *line) {
  fg_proof_asm_bits a = bits_of(r, &line->x[1]), b = bits_of(r, &line->x[2]);
  if (a.form == FG_ASM_ONE && b.form == FG_ASM_RAISED) return join(r, &line->x[0], a, b);
  if (b.form == FG_ASM_ONE && a.form == FG_ASM_RAISED) return join(r, &line->x[0], b, a);
  return fg_proof_asm_fail(r, "assembly: arithmetic on a number's bits");
}

bool fg_proof_asm_moves_bits(fg_proof_asm_run *r, const fg_proof_asm_line *line, bool *good) {
  bool any = false;
  for (int i = 1; i < line->noperand; i++) any = any || is_bits(r, &line->x[i]);
  if (!any && line->x[0].kind == 'r') r->now->word[line->x[0].reg].form = FG_ASM_PLAIN;
  *good = true;
  if (!any) return false;
  if (line->op == FG_ASM_SHIFT_LEFT || line->op == FG_ASM_SHIFT_RIGHT)
    *good = shift(r, line);
  else if (line->op == FG_ASM_OR && line->x[2].kind == 'r')
    *good = unite(r, line);
  else
    *good = fg_proof_asm_fail(r, "assembly: arithmetic on a number's bits");
  return true;
}

/* ---- what loads and stores move -------------------------------------------------------------------------- */

int fg_proof_asm_numbers(fg_proof_asm_run *r, const fg_proof_asm_line *line, int operand, fg_precision *type,
                         fg_gf x[2]) {
  const fg_proof_asm_operand *from = &line->x[operand];
  if (from->kind != 'r' && from->kind != 'h') {
    x[0] = fg_proof_asm_value(r, from);
    *type = line->moved == FG_ASM_F64 ? FG_F64 : FG_F32;
    if (x[0] & FG_ASM_UNDEFINED) return fg_proof_asm_fail(r, "assembly: a number that is not defined"), 0;
    return 1;
  }
  fg_proof_asm_bits b = bits_of(r, from);
  bool two = line->moved == FG_ASM_WORD, zeros = two && b.type == FG_STORAGE_COUNT;
  if (!zeros && b.form != (two ? FG_ASM_TWO : FG_ASM_ONE))
    return fg_proof_asm_fail(r, "assembly: a store of something else"), 0;
  *type = b.type, x[0] = b.x[0], x[1] = b.x[1];
  return two ? 2 : 1;
}

void fg_proof_asm_put_numbers(fg_proof_asm_run *r, const fg_proof_asm_line *line, int operand, fg_precision type,
                              const fg_gf x[2]) {
  const fg_proof_asm_operand *to = &line->x[operand];
  if (to->kind == 'r' || to->kind == 'h')
    set_bits(r, to, (fg_proof_asm_bits){line->moved == FG_ASM_WORD ? FG_ASM_TWO : FG_ASM_ONE, type, {x[0], x[1]}});
  else
    *fg_proof_asm_real(r, to) = x[0];
}
