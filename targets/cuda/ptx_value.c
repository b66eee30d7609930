/* Values, and the instructions that make them.
 *
 * An integer is a register and a constant: sums of constants cost nothing, and end in the offset of an access.
 * Bounds are known from the number of threads on, so that divisions by constants are of
 * what is not negative: shifts, or products with a reciprocal. What was computed once, in a block that is still
 * open, is not computed again. Reals are left as products until a sum takes them: then they are fused. */
#include "targets/cuda/ptx_value.h"
#include "targets/cuda/ptx_arithmetic.h"
#include "targets/cuda/ptx_frame.h"
#include "targets/cuda/ptx_memory.h"
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { P, H, R, Q, F, D };

static int class_of(uint8_t type) {
  switch (type) {
  case PTX_TRUTH: return P;
  case PTX_SHORT: return H;
  case PTX_BYTE:
  case PTX_SIGNED:
  case PTX_INT: return R;
  case PTX_DOUBLE: return D;
  case PTX_FLOAT: return F;
  default: return Q;
  }
}

static bool is_integer(const fg_ptx_value *x) { return x->type == PTX_INT || x->type == PTX_WIDE; }
static bool is_real(const fg_ptx_value *x) { return x->type == PTX_FLOAT || x->type == PTX_DOUBLE; }

int fg_ptx_register(fg_ptx *g, int class) { return g->next[class]++; }

fg_ptx_value fg_ptx_int(int64_t x) {
  return (fg_ptx_value){.type = PTX_INT, .reg = -1, .index = -1, .add = x, .low = x, .high = x};
}

fg_ptx_value fg_ptx_real(uint8_t type, double x) {
  return (fg_ptx_value){.type = type, .reg = -1, .index = -1, .a = {-1, x}, .b = {-1, x}};
}

bool fg_ptx_known(const fg_ptx_value *x) { return is_integer(x) && x->reg < 0; }

/* ---- integers ------------------------------------------------------------------ */

static void bound(fg_ptx_value *x, int64_t low, int64_t high) {
  int64_t least = x->type == PTX_INT ? INT32_MIN : INT64_MIN / 4, most = x->type == PTX_INT ? INT32_MAX : INT64_MAX / 4;
  x->low = low < least ? least : low; /* nothing overflows */
  x->high = high > most ? most : high;
}

/* The register of an operation; the one that it was done in before. c: 0 where there is none. */
int fg_ptx_done(fg_ptx *g, const char *op, uint8_t type, fg_ptx_memo m) {
  snprintf(m.op, sizeof m.op, "%s", op);
  for (int i = g->nmemo - 1; i >= 0; i--) {
    const fg_ptx_memo *k = &g->memo[i];
    if (k->a == m.a && k->b == m.b && k->c == m.c && !strcmp(k->op, m.op)) return k->reg;
  }
  m.reg = fg_ptx_register(g, class_of(type));
  g->memo = fg_ptx_grow(g, g->memo, g->nmemo, &g->room_memo, sizeof *g->memo);
  g->memo[g->nmemo++] = m;
  return -1 - m.reg; /* new: to be written */
}

/* a op b, two registers; or a op the number b. */
static int compute(fg_ptx *g, const char *op, uint8_t type, int a, bool number, int64_t b) {
  int reg = fg_ptx_done(g, op, type, (fg_ptx_memo){.a = a, .b = b, .c = number});
  char class = type == PTX_INT ? 'r' : 'q';
  if (reg >= 0) return reg;
  reg = -1 - reg;
  bool shift = !strncmp(op, "sh", 2);
  if (number || shift)
    fg_ptx_write(g, "%s %c%d, %c%d, %lld;", op, class, reg, class, a, (long long)b);
  else
    fg_ptx_write(g, "%s %c%d, %c%d, %c%lld;", op, class, reg, class, a, class, (long long)b);
  return reg;
}

static const char *suffixed(char text[16], const char *op, uint8_t type) {
  snprintf(text, 16, "%s%s", op, type == PTX_INT ? "32" : "64");
  return text;
}

fg_ptx_value fg_ptx_settle(fg_ptx *g, fg_ptx_value a) {
  char op[16];
  if (is_integer(&a) && a.reg < 0) {
    int reg = fg_ptx_done(g, a.type == PTX_INT ? "mov.b32" : "mov.b64", a.type, (fg_ptx_memo){.a = -1, .b = a.add});
    if (reg < 0) {
      reg = -1 - reg;
      fg_ptx_write(g, "mov.b%d %c%d, %lld;", a.type == PTX_INT ? 32 : 64, a.type == PTX_INT ? 'r' : 'q', reg,
                   (long long)a.add);
    }
    a.reg = reg, a.add = 0;
  } else if (is_integer(&a) && a.add) {
    a.reg = compute(g, suffixed(op, "add.s", a.type), a.type, a.reg, true, a.add);
    a.add = 0;
  } else if (is_real(&a)) {
    bool f64 = a.type == PTX_DOUBLE;
    char x[32], y[32];
    if (!a.product && a.a.reg >= 0) return a;
    fg_ptx_value to = {.type = a.type, .reg = -1, .index = -1, .a = {fg_ptx_register(g, f64 ? D : F), 0}};
    fg_ptx_operand_text(x, a.type, a.a);
    if (a.product) {
      if (a.minus && a.b.reg < 0) a.b.number = -a.b.number, a.minus = false;
      fg_ptx_write(g, "mul.f%d %c%d, %s, %s;", f64 ? 64 : 32, f64 ? 'd' : 'f', to.a.reg, x,
                   fg_ptx_operand_text(y, a.type, a.b));
      if (a.minus) return fg_ptx_negative(g, to);
    } else {
      fg_ptx_write(g, "mov.f%d %c%d, %s;", f64 ? 64 : 32, f64 ? 'd' : 'f', to.a.reg, x);
    }
    return to;
  } else if (a.type == PTX_POINTER && a.index >= 0) {
    int size = fg_ptx_size(a.target);
    if (a.shared) {
      int bytes = compute(g, "mul.lo.s32", PTX_INT, a.index, true, size);
      a.reg = compute(g, "add.s32", PTX_INT, a.reg, false, bytes);
    } else {
      int reg = fg_ptx_done(g, "mad.wide", PTX_WIDE, (fg_ptx_memo){.a = a.index, .b = size, .c = a.reg});
      if (reg < 0) fg_ptx_write(g, "mad.wide.s32 q%d, r%d, %d, q%d;", -1 - reg, a.index, size, a.reg);
      a.reg = reg < 0 ? -1 - reg : reg;
    }
    a.index = -1;
  }
  return a;
}

static fg_ptx_value sum(fg_ptx *g, fg_ptx_value a, fg_ptx_value b) {
  char op[16];
  fg_ptx_value r = a.reg < 0 ? b : a;
  r.add = a.add + b.add;
  r.half = 0;
  if (a.reg >= 0 && b.reg >= 0) r.reg = compute(g, suffixed(op, "add.s", a.type), a.type, a.reg, false, b.reg);
  bound(&r, a.low + b.low, a.high + b.high);
  return r;
}

/* a b, within what bounds may be. */
static int64_t bounded(int64_t a, int64_t b) {
  int64_t product;
  if (__builtin_mul_overflow(a, b, &product)) return (a < 0) == (b < 0) ? INT64_MAX / 4 : INT64_MIN / 4;
  return product;
}

static fg_ptx_value times(fg_ptx *g, fg_ptx_value a, fg_ptx_value b) {
  char op[16];
  if (a.reg < 0) {
    fg_ptx_value c = a;
    a = b, b = c;
  }
  fg_ptx_value r = a;
  r.half = 0;
  if (b.reg >= 0) {
    fg_ptx_value x = fg_ptx_settle(g, a), y = fg_ptx_settle(g, b);
    r.reg = compute(g, suffixed(op, "mul.lo.s", a.type), a.type, x.reg, false, y.reg);
    r.add = 0;
    int64_t all[4] = {bounded(a.low, b.low), bounded(a.low, b.high), bounded(a.high, b.low), bounded(a.high, b.high)};
    int64_t low = all[0], high = all[0];
    for (int i = 1; i < 4; i++) low = all[i] < low ? all[i] : low, high = all[i] > high ? all[i] : high;
    bound(&r, low, high);
    return r;
  }
  int64_t c = b.add;
  if (!c) return (fg_ptx_value){.type = a.type, .reg = -1, .index = -1};
  r.add = a.add * c;
  if (a.reg >= 0 && c != 1) {
    bool shift = c > 1 && (c & (c - 1)) == 0;
    r.reg = shift ? compute(g, a.type == PTX_INT ? "shl.b32" : "shl.b64", a.type, a.reg, true,
                            __builtin_ctzll((unsigned long long)c))
                  : compute(g, suffixed(op, "mul.lo.s", a.type), a.type, a.reg, true, c);
  }
  bound(&r, bounded(c > 0 ? a.low : a.high, c), bounded(c > 0 ? a.high : a.low, c));
  return r;
}

/* a / c of 0 <= a < 2^31, by a product with the reciprocal: exact where its error stays below 1 / c. */
static int quotient(fg_ptx *g, int a, int64_t high, int64_t c) {
  for (int k = 1; k < 32; k++) { /* one product of 32 bits, and a shift */
    int64_t m = ((INT64_C(1) << k) + c - 1) / c;
    if (high * m > UINT32_MAX) break;
    if ((m * c - (INT64_C(1) << k)) * (high + 1) >= INT64_C(1) << k) continue;
    return compute(g, "shr.u32", PTX_INT, compute(g, "mul.lo.s32", PTX_INT, a, true, m), true, k);
  }
  for (int k = 0; k < 31; k++) { /* the upper half of 64 bits */
    int64_t two = INT64_C(1) << (32 + k), m = (two + c - 1) / c;
    if (m > UINT32_MAX) break;
    if ((m * c - two) * (high + 1) >= two) continue;
    int product = compute(g, "mul.hi.u32", PTX_INT, a, true, m);
    return k ? compute(g, "shr.u32", PTX_INT, product, true, k) : product;
  }
  fg_ptx_refuse(g, "a division");
}

static fg_ptx_value divided(fg_ptx *g, fg_ptx_value a, fg_ptx_value b, bool rest) {
  if (!fg_ptx_known(&b) || b.add < 1 || a.type != PTX_INT) fg_ptx_refuse(g, "a division");
  int64_t c = b.add;
  if (fg_ptx_known(&a)) return fg_ptx_int(rest ? a.add % c : a.add / c);
  if (a.low < 0) fg_ptx_refuse(g, "a division of negative numbers");
  if (a.high < c) return rest ? a : fg_ptx_int(0);
  if (c == 1) return rest ? fg_ptx_int(0) : a;
  bool power = (c & (c - 1)) == 0;
  fg_ptx_value r = fg_ptx_settle(g, a), q = r;
  q.half = 0;
  if (rest && power) {
    q.reg = compute(g, "and.b32", PTX_INT, r.reg, true, c - 1);
    bound(&q, 0, c - 1);
    return q;
  }
  q.reg = power ? compute(g, "shr.u32", PTX_INT, r.reg, true, __builtin_ctzll((unsigned long long)c))
                : quotient(g, r.reg, r.high, c);
  bound(&q, r.low / c, r.high / c);
  if (!rest) return q;
  r = sum(g, r, times(g, q, fg_ptx_int(-c)));
  bound(&r, 0, c - 1);
  return r;
}

/* Two halves as a word: what packs them takes no more than one instruction. */
static fg_ptx_value both_halves(fg_ptx *g, fg_ptx_value a, fg_ptx_value b) {
  fg_ptx_value r = {.type = PTX_INT, .reg = fg_ptx_register(g, R), .index = -1, .low = INT32_MIN, .high = INT32_MAX};
  fg_ptx_write(g, "mov.b32 r%d, {h%d, h%d};", r.reg, a.half - 1, b.half - 1);
  return r;
}

static fg_ptx_value bits(fg_ptx *g, char op, fg_ptx_value a, fg_ptx_value b) {
  const char *name = op == '^'   ? "xor.b32"
                     : op == '|' ? "or.b32"
                     : op == '&' ? "and.b32"
                     : op == '<' ? "shl.b32"
                                 : "shr.u32";
  if (a.type != PTX_INT || b.type != PTX_INT) fg_ptx_refuse(g, "bits of 64");
  bool shift = op == '<' || op == '>';
  if (fg_ptx_known(&a) && !shift) {
    fg_ptx_value c = a;
    a = b, b = c;
  }
  if (shift && !fg_ptx_known(&b)) fg_ptx_refuse(g, "a shift");
  if (op == '|' && a.half > 0 && b.half > 0 && !a.upper && b.upper) return both_halves(g, a, b);
  bool by_half = shift && b.add == 16;
  a = fg_ptx_settle(g, a);
  if (!fg_ptx_known(&b)) b = fg_ptx_settle(g, b);
  a.upper = op == '<' && by_half;
  a.half = a.upper && a.half > 0 ? a.half : op == '>' && by_half ? -1 - a.reg : 0;
  a.reg = compute(g, name, PTX_INT, a.reg, b.reg < 0, b.reg < 0 ? b.add : b.reg);
  bound(&a, INT32_MIN, INT32_MAX);
  return a;
}

static fg_ptx_value integer_operation(fg_ptx *g, char op, fg_ptx_value a, fg_ptx_value b) {
  if (a.type != b.type) a = fg_ptx_convert(g, a, PTX_WIDE), b = fg_ptx_convert(g, b, PTX_WIDE);
  switch (op) {
  case '+': return sum(g, a, b);
  case '-': return sum(g, a, times(g, b, fg_ptx_convert(g, fg_ptx_int(-1), b.type)));
  case '*': return times(g, a, b);
  case '/': return divided(g, a, b, false);
  case '%': return divided(g, a, b, true);
  default: return bits(g, op, a, b);
  }
}

/* ---- truths ---------------------------------------------------------------------- */

static fg_ptx_value known_truth(bool yes) {
  return (fg_ptx_value){.type = PTX_TRUTH, .reg = -1, .index = -1, .add = yes};
}

fg_ptx_value fg_ptx_less(fg_ptx *g, fg_ptx_value a, fg_ptx_value b) {
  if (!is_integer(&a) || !is_integer(&b)) fg_ptx_refuse(g, "a comparison");
  if (a.high < b.low) return known_truth(true);
  if (a.low >= b.high) return known_truth(false);
  if (a.type != b.type) a = fg_ptx_convert(g, a, PTX_WIDE), b = fg_ptx_convert(g, b, PTX_WIDE);
  bool wide = a.type == PTX_WIDE;
  if (fg_ptx_known(&b)) b.add -= a.add, a.add = 0; /* a + 3 < 5 */
  if (!fg_ptx_known(&b)) a = fg_ptx_settle(g, a), b = fg_ptx_settle(g, b);
  if (a.reg < 0) a = fg_ptx_settle(g, a);
  fg_ptx_memo m = {.a = a.reg, .b = b.reg < 0 ? b.add : b.reg, .c = b.reg < 0};
  int reg = fg_ptx_done(g, wide ? "lt.s64" : "lt.s32", PTX_TRUTH, m);
  char class = wide ? 'q' : 'r';
  if (reg < 0) {
    reg = -1 - reg;
    if (b.reg < 0)
      fg_ptx_write(g, "setp.lt.s%d p%d, %c%d, %lld;", wide ? 64 : 32, reg, class, a.reg, (long long)b.add);
    else
      fg_ptx_write(g, "setp.lt.s%d p%d, %c%d, %c%d;", wide ? 64 : 32, reg, class, a.reg, class, b.reg);
  }
  return (fg_ptx_value){.type = PTX_TRUTH, .reg = reg, .index = -1};
}

fg_ptx_value fg_ptx_both(fg_ptx *g, fg_ptx_value a, fg_ptx_value b) {
  a = fg_ptx_truth(g, a), b = fg_ptx_truth(g, b);
  if (a.reg < 0) return a.add ? b : a;
  if (b.reg < 0) return b.add ? a : b;
  int reg = fg_ptx_done(g, "both", PTX_TRUTH, (fg_ptx_memo){.a = a.reg, .b = b.reg});
  if (reg < 0) fg_ptx_write(g, "and.pred p%d, p%d, p%d;", -1 - reg, a.reg, b.reg);
  a.reg = reg < 0 ? -1 - reg : reg;
  return a;
}

fg_ptx_value fg_ptx_truth(fg_ptx *g, fg_ptx_value a) {
  if (a.type == PTX_TRUTH) return a;
  if (a.type != PTX_INT) fg_ptx_refuse(g, "a condition");
  if (fg_ptx_known(&a)) return known_truth(a.add != 0);
  a = fg_ptx_settle(g, a);
  int reg = fg_ptx_done(g, "ne.s32", PTX_TRUTH, (fg_ptx_memo){.a = a.reg});
  if (reg < 0) fg_ptx_write(g, "setp.ne.s32 p%d, r%d, 0;", -1 - reg, a.reg);
  return (fg_ptx_value){.type = PTX_TRUTH, .reg = reg < 0 ? -1 - reg : reg, .index = -1};
}

/* ---- reals ------------------------------------------------------------------------- */

const char *fg_ptx_operand_text(char text[32], uint8_t type, fg_ptx_operand a) {
  bool f64 = type == PTX_DOUBLE || type == PTX_DOUBLE2;
  float single = (float)a.number;
  uint64_t wide;
  uint32_t narrow;
  memcpy(&wide, &a.number, sizeof wide);
  memcpy(&narrow, &single, sizeof narrow);
  if (a.reg >= 0)
    snprintf(text, 32, "%c%d", f64 ? 'd' : 'f', a.reg);
  else if (f64)
    snprintf(text, 32, "0d%016llX", (unsigned long long)wide);
  else
    snprintf(text, 32, "0f%08X", (unsigned)narrow);
  return text;
}

static fg_ptx_value new_real(fg_ptx *g, uint8_t type) {
  return (fg_ptx_value){.type = type, .reg = -1, .index = -1, .a = {fg_ptx_register(g, type == PTX_DOUBLE ? D : F), 0}};
}

fg_ptx_value fg_ptx_negative(fg_ptx *g, fg_ptx_value a) {
  char x[32];
  if (is_integer(&a)) return times(g, a, fg_ptx_convert(g, fg_ptx_int(-1), a.type));
  if (!is_real(&a)) fg_ptx_refuse(g, "a sign");
  if (a.product) return a.minus = !a.minus, a;
  if (a.a.reg < 0) return a.a.number = -a.a.number, a;
  fg_ptx_value r = new_real(g, a.type);
  bool f64 = a.type == PTX_DOUBLE;
  fg_ptx_write(g, "neg.f%d %c%d, %s;", f64 ? 64 : 32, f64 ? 'd' : 'f', r.a.reg, fg_ptx_operand_text(x, a.type, a.a));
  return r;
}

static fg_ptx_operand minus(fg_ptx *g, uint8_t type, fg_ptx_operand a) {
  fg_ptx_value x = fg_ptx_real(type, a.number);
  x.a = a;
  return fg_ptx_negative(g, x).a;
}

/* x[0] x[1] + x[2] */
fg_ptx_value fg_ptx_fused(fg_ptx *g, const fg_ptx_value x[3]) {
  char a[32], b[32], c[32];
  uint8_t type = x[0].type;
  bool f64 = type == PTX_DOUBLE;
  fg_ptx_value r = new_real(g, type);
  fg_ptx_write(g, "fma.rn.f%d %c%d, %s, %s, %s;", f64 ? 64 : 32, f64 ? 'd' : 'f', r.a.reg,
               fg_ptx_operand_text(a, type, x[0].a), fg_ptx_operand_text(b, type, x[1].a),
               fg_ptx_operand_text(c, type, x[2].a));
  return r;
}

/* A line of several instructions: r for its %0, x for its %1. */
static void put_line(fg_ptx *g, const char *line, fg_ptx_value r, fg_ptx_value x) {
  char of[2][32];
  fg_ptx_operand_text(of[0], r.type, r.a), fg_ptx_operand_text(of[1], x.type, x.a);
  fg_ptx_put(g, "      \"");
  for (const char *at = line, *next; *at; at = next) {
    next = at + strcspn(at, "%");
    fg_ptx_put_text(g, at, (size_t)(next - at));
    if (*next) fg_ptx_put(g, "%s", of[next[1] - '0']), next += 2;
  }
  fg_ptx_put(g, "\\n\"\n");
}

fg_ptx_value fg_ptx_operated(fg_ptx *g, const char *op, const fg_ptx_value *x, int operands) {
  char a[32], b[32] = "";
  uint8_t type = x[0].type;
  fg_ptx_value given[2];
  for (int i = 0; i < operands; i++) given[i] = x[i].product ? fg_ptx_settle(g, x[i]) : x[i];
  fg_ptx_value r = new_real(g, type);
  if (*op == '{') return put_line(g, op, r, given[0]), r;
  if (operands == 2) fg_ptx_operand_text(b, type, given[1].a);
  fg_ptx_write(g, "%s %c%d, %s%s%s;", op, type == PTX_DOUBLE ? 'd' : 'f', r.a.reg,
               fg_ptx_operand_text(a, type, given[0].a), operands == 2 ? ", " : "", b);
  return r;
}

static fg_ptx_value fuse(fg_ptx *g, fg_ptx_value product, fg_ptx_value c, bool minus_c) {
  fg_ptx_value x[3] = {product, product, fg_ptx_settle(g, c)};
  if (!c.product && c.a.reg < 0) x[2] = c;
  x[1].a = product.b;
  if (product.minus && product.b.reg < 0)
    x[1].a = minus(g, product.type, product.b);
  else if (product.minus)
    x[0].a = minus(g, product.type, product.a);
  if (minus_c) x[2].a = minus(g, c.type, x[2].a);
  return fg_ptx_fused(g, x);
}

/* Of two, whose inverse is one, too. */
static bool is_power(double x) {
  int power;
  return x > 0 && frexp(x, &power) == 0.5 && power > -100 && power < 100;
}

static fg_ptx_value real(fg_ptx *g, char op, fg_ptx_value a, fg_ptx_value b) {
  char x[32], y[32];
  uint8_t type = a.type;
  if (op == '*') {
    if (a.product) a = fg_ptx_settle(g, a);
    if (b.product) b = fg_ptx_settle(g, b);
    a.product = true;
    a.b = b.a;
    return a;
  }
  if (op == '/' && !b.product && b.a.reg < 0 && is_power(b.a.number)) {
    fg_ptx_value inverse = fg_ptx_real(type, 1 / b.a.number);
    return fg_ptx_operated(g, type == PTX_DOUBLE ? "mul.rn.f64" : "mul.rn.f32", (fg_ptx_value[]){a, inverse}, 2);
  }
  if (op == '/') return fg_ptx_operated(g, type == PTX_DOUBLE ? "div.rn.f64" : "div.rn.f32", (fg_ptx_value[]){a, b}, 2);
  if (op != '+' && op != '-') fg_ptx_refuse(g, "an operation");
  if (a.product) return fuse(g, a, b, op == '-');
  if (b.product) return b.minus ^= op == '-', fuse(g, b, a, false);
  fg_ptx_value r = new_real(g, type);
  bool f64 = type == PTX_DOUBLE;
  fg_ptx_write(g, "%s.f%d %c%d, %s, %s;", op == '+' ? "add" : "sub", f64 ? 64 : 32, f64 ? 'd' : 'f', r.a.reg,
               fg_ptx_operand_text(x, type, a.a), fg_ptx_operand_text(y, type, b.a));
  return r;
}

fg_ptx_value fg_ptx_arithmetic(fg_ptx *g, char op, fg_ptx_value a, fg_ptx_value b) {
  if (is_real(&a) && is_real(&b) && a.type == b.type) return real(g, op, a, b);
  if (is_integer(&a) && is_integer(&b)) return integer_operation(g, op, a, b);
  if (b.type == PTX_POINTER && op == '+' && is_integer(&a)) return fg_ptx_arithmetic(g, op, b, a);
  if (a.type != PTX_POINTER || !is_integer(&b) || (op != '+' && op != '-')) fg_ptx_refuse(g, "an operation");
  int size = fg_ptx_size(a.target);
  if (op == '-') b = fg_ptx_negative(g, b);
  a.add += size * b.add;
  if (b.reg < 0) return a;
  if (b.type == PTX_WIDE) {
    if (a.shared) fg_ptx_refuse(g, "a long way in shared memory");
    int bytes = compute(g, "mul.lo.s64", PTX_WIDE, b.reg, true, size);
    a.reg = compute(g, "add.s64", PTX_WIDE, a.reg, false, bytes);
  } else {
    a.index = a.index < 0 ? b.reg : compute(g, "add.s32", PTX_INT, a.index, false, b.reg);
  }
  return a;
}

static fg_ptx_value of_half(fg_ptx *g, fg_ptx_value a, uint8_t type) {
  fg_ptx_value r = {.type = type, .index = -1, .reg = fg_ptx_register(g, class_of(type)), .high = 65535};
  if (type == PTX_INT) {
    r.half = 1 + a.reg;
    fg_ptx_write(g, "cvt.u32.u16 r%d, h%d;", r.reg, a.reg);
  } else if (a.half < 0) {
    fg_ptx_write(g, "{ .reg .b16 low; mov.b32 {low, h%d}, r%d; }", r.reg, -1 - a.half);
  } else {
    a = fg_ptx_settle(g, a);
    fg_ptx_write(g, "{ .reg .b16 high; mov.b32 {h%d, high}, r%d; }", r.reg, a.reg);
  }
  return r;
}

/* Integers that were loaded become reals; reals of one length those of the other. */
static fg_ptx_value to_real(fg_ptx *g, fg_ptx_value a, uint8_t type) {
  fg_ptx_value r = new_real(g, type);
  const char *to = type == PTX_DOUBLE ? "f64" : "f32";
  char name = type == PTX_DOUBLE ? 'd' : 'f', x[32];
  if (!a.product && a.type != PTX_INT && a.a.reg < 0) fg_ptx_refuse(g, "a conversion");
  a = fg_ptx_settle(g, a);
  if (a.type == PTX_INT)
    fg_ptx_write(g, "cvt.rn.%s.%s %c%d, r%d;", to, a.low >= 0 ? "u32" : "s32", name, r.a.reg, a.reg);
  else
    fg_ptx_write(g, type == PTX_DOUBLE ? "cvt.f64.f32 d%d, %s;" : "cvt.rn.f32.f64 f%d, %s;", r.a.reg,
                 fg_ptx_operand_text(x, a.type, a.a));
  return r;
}

fg_ptx_value fg_ptx_convert(fg_ptx *g, fg_ptx_value a, uint8_t type) {
  if (a.type == type) return a;
  if (is_integer(&a) && fg_ptx_known(&a) && (type == PTX_FLOAT || type == PTX_DOUBLE))
    return fg_ptx_real(type, (double)a.add);
  if (is_real(&a) && !a.product && a.a.reg < 0 && (type == PTX_FLOAT || type == PTX_DOUBLE))
    return fg_ptx_real(type, type == PTX_FLOAT ? (double)(float)a.a.number : a.a.number);
  if ((a.type == PTX_INT || is_real(&a)) && (type == PTX_FLOAT || type == PTX_DOUBLE)) return to_real(g, a, type);
  if (a.type == PTX_INT && (type == PTX_BYTE || type == PTX_SIGNED)) { /* to be stored */
    a = fg_ptx_settle(g, a);
    a.type = type;
    return a;
  }
  if (a.type == PTX_INT && type == PTX_WIDE) {
    a.type = type;
    if (a.reg < 0) return a;
    const char *op = a.low - a.add >= 0 ? "cvt.u64.u32" : "cvt.s64.s32"; /* unsigned ones may have 32 bits */
    int reg = fg_ptx_done(g, op, PTX_WIDE, (fg_ptx_memo){.a = a.reg});
    if (reg < 0) fg_ptx_write(g, "%s q%d, r%d;", op, -1 - reg, a.reg);
    a.reg = reg < 0 ? -1 - reg : reg;
    return a;
  }
  if (a.type == PTX_WIDE && type == PTX_INT && a.low >= INT32_MIN && a.high <= INT32_MAX) {
    fg_ptx_value r = a;
    r.type = type;
    if (a.reg < 0) return r;
    r.reg = fg_ptx_register(g, R);
    fg_ptx_write(g, "cvt.u32.u64 r%d, q%d;", r.reg, a.reg);
    return r;
  }
  if ((a.type == PTX_INT && type == PTX_SHORT) || (a.type == PTX_SHORT && type == PTX_INT)) return of_half(g, a, type);
  fg_ptx_refuse(g, "a conversion");
}
