/* See functions.h. In: numbers, or vectors of them. Out: IR without calls and branches, so that lanes stay together.
 *
 * Logarithms: x = 2^e m, m from sqrt 1/2 to sqrt 2, f = m - 1. In double precision s = f / (2 + f), log m = 2 artanh s,
 * of which f - f^2/2 is taken exactly; in single precision, without a division, log m = f + f^2 Q(f), Q the best
 * polynomial of its degree. Powers: x = n log 2 + r, and the series of e^r (J.-M. Muller, Elementary Functions,
 * chapters 3, 4 and 11). Series by their own coefficients: s is below .172, r below .347. Numbers that are seen to be
 * above 0, as 1e-3 + |x|, take less: decibels are what logarithms are wanted for most. */
#include "targets/llvm/plugin/functions.h"
#include <llvm-c/Core.h>
#include <math.h>
#include <string.h>

typedef LLVMValueRef value;

enum { MOST_LANES = 256 };

typedef struct format {
  int bits, mantissa, bias, log_terms, exp_terms;
  double log2_high, log2_low, log10_high,
      log10_low;           /* of log 2 and log10 2; the high ones times an exponent are exact */
  double least, scaled_by; /* the least number that is not subnormal; what makes such of subnormal ones: a power */
  double overflow, underflow, rounder;
} format;

static const format formats[2] = {
    {32, 23, 127, 5, 7, 0x1.62e4p-1, 0x1.7f7d1cf79abcap-20, 0x1.344p-2, 0x1.3509f79fef312p-18, 0x1p-126, 25, 89, -105,
     0x1.8p23},
    {64, 52, 1023, 10, 13, 0x1.62e42fefa2p-1, 0x1.9ef35793c7673p-41, 0x1.34413509f6p-2, 0x1.9fef311f12b36p-42,
     0x1p-1022, 54, 710, -746, 0x1.8p52},
};

static const format *format_of(const fg_llvm_numbers *n) { return &formats[n->is_double]; }

static LLVMTypeRef many(const fg_llvm_numbers *n, LLVMTypeRef one) {
  return n->lanes > 1 ? LLVMVectorType(one, (unsigned)n->lanes) : one;
}

static LLVMTypeRef real_type(const fg_llvm_numbers *n) {
  return many(n, n->is_double ? LLVMDoubleTypeInContext(n->context) : LLVMFloatTypeInContext(n->context));
}

static LLVMTypeRef word_type(const fg_llvm_numbers *n) {
  return many(n, LLVMIntTypeInContext(n->context, (unsigned)format_of(n)->bits));
}

static LLVMTypeRef index_type(const fg_llvm_numbers *n) { return many(n, LLVMInt32TypeInContext(n->context)); }

static value splat(const fg_llvm_numbers *n, value one) {
  value all[MOST_LANES];
  for (int l = 0; l < n->lanes; l++) all[l] = one;
  return n->lanes > 1 ? LLVMConstVector(all, (unsigned)n->lanes) : one;
}

static value real(const fg_llvm_numbers *n, double x) {
  return splat(
      n, LLVMConstReal(n->is_double ? LLVMDoubleTypeInContext(n->context) : LLVMFloatTypeInContext(n->context), x));
}

static value whole(const fg_llvm_numbers *n, LLVMTypeRef type, int64_t x) {
  LLVMTypeRef one = n->lanes > 1 ? LLVMGetElementType(type) : type;
  return splat(n, LLVMConstInt(one, (unsigned long long)x, true));
}

static value add(const fg_llvm_numbers *n, value a, value b) { return LLVMBuildFAdd(n->builder, a, b, ""); }
static value sub(const fg_llvm_numbers *n, value a, value b) { return LLVMBuildFSub(n->builder, a, b, ""); }
static value mul(const fg_llvm_numbers *n, value a, value b) { return LLVMBuildFMul(n->builder, a, b, ""); }

static value mul_add(const fg_llvm_numbers *n, value a, value b, value c) {
  static const char name[] = "llvm.fma";
  if (!n->fma) return add(n, mul(n, a, b), c);
  LLVMTypeRef type = real_type(n);
  value f = LLVMGetIntrinsicDeclaration(n->module, LLVMLookupIntrinsicID(name, strlen(name)), &type, 1);
  return LLVMBuildCall2(n->builder, LLVMGlobalGetValueType(f), f, (value[]){a, b, c}, 3, "");
}

static value choose(const fg_llvm_numbers *n, LLVMRealPredicate holds, value a, double b, value yes, value no) {
  return LLVMBuildSelect(n->builder, LLVMBuildFCmp(n->builder, holds, a, real(n, b), ""), yes, no, "");
}

static value bits_of(const fg_llvm_numbers *n, value x) { return LLVMBuildBitCast(n->builder, x, word_type(n), ""); }
static value number_of(const fg_llvm_numbers *n, value x) { return LLVMBuildBitCast(n->builder, x, real_type(n), ""); }

/* Words of 64 bits become their last 32, which vectors convert and shift. */
static value shortened(const fg_llvm_numbers *n, value x) {
  return n->is_double ? LLVMBuildTrunc(n->builder, x, index_type(n), "") : x;
}

/* ---- logarithms ------------------------------------------------------------------------------- */

/* x, a number above 0, as 2^e m: m - 1, and e in *e. */
static value split(const fg_llvm_numbers *n, value x, bool normal, value *e) {
  const format *f = format_of(n);
  LLVMTypeRef words = word_type(n);
  value less = NULL;
  if (!normal) {
    value large = mul(n, x, real(n, ldexp(1, (int)f->scaled_by)));
    less = choose(n, LLVMRealOLT, x, f->least, real(n, f->scaled_by), real(n, 0));
    x = choose(n, LLVMRealOLT, x, f->least, large, x);
  }
  value above = LLVMBuildSub(n->builder, bits_of(n, x), whole(n, words, n->is_double ? 0x3fe6a09e667f3bcd : 0x3f3504f3),
                             ""); /* sqrt 1/2, rounded up */
  value power = LLVMBuildAShr(n->builder, above, whole(n, words, f->mantissa), "");
  *e = LLVMBuildSIToFP(n->builder, shortened(n, power), real_type(n), "");
  if (less) *e = sub(n, *e, less);
  value scale = LLVMBuildAnd(n->builder, above, whole(n, words, -((int64_t)1 << f->mantissa)), "");
  return sub(n, number_of(n, LLVMBuildSub(n->builder, bits_of(n, x), scale, "")), real(n, 1));
}

/* log m, of which f = m - 1, in two parts: f, and the rest with the sign changed. */
static value rest_of_log(const fg_llvm_numbers *n, value f) {
  value s = LLVMBuildFDiv(n->builder, f, add(n, f, real(n, 2)), "");
  value z = mul(n, s, s), half_square = mul(n, mul(n, f, f), real(n, .5));
  int k = format_of(n)->log_terms;
  value series = real(n, 2. / (2 * k + 1));
  while (--k > 0) series = mul_add(n, series, z, real(n, 2. / (2 * k + 1)));
  return sub(n, half_square, mul(n, s, mul_add(n, series, z, half_square)));
}

/* (log(1 + f) - f) / f^2 from sqrt 1/2 - 1 to sqrt 2 - 1, so that the logarithm's relative error is the least (Remez's
 * exchange): 2^-27.9. */
static const double short_log[] = {-0.499999883469, 0.333333256932,  -0.250015829146, 0.200019738087,  -0.166090835829,
                                   0.141818282794,  -0.132429831291, 0.129044116078,  -0.0762176191231};

/* By pairs of terms, and pairs of pairs (Estrin's scheme): the chain of sums is half as long as Horner's. */
static value short_series(const fg_llvm_numbers *n, value f, value square) {
  value p[4], fourth = mul(n, square, square);
  for (int i = 0; i < 4; i++) p[i] = mul_add(n, real(n, short_log[2 * i + 1]), f, real(n, short_log[2 * i]));
  p[3] = mul_add(n, real(n, short_log[8]), square, p[3]);
  return mul_add(n, mul_add(n, p[3], square, p[2]), fourth, mul_add(n, p[1], square, p[0]));
}

static value log_of(const fg_llvm_numbers *n, value f) {
  if (n->is_double) return sub(n, f, rest_of_log(n, f));
  value square = mul(n, f, f);
  return mul_add(n, square, short_series(n, f, square), f);
}

/* What no finite number above 0 has. */
static value at_edges(const fg_llvm_numbers *n, value x, bool normal, value log) {
  value inside = choose(n, LLVMRealOLT, x, (double)INFINITY, log, x); /* what is no number stays one */
  if (normal) return inside;
  value edge = choose(n, LLVMRealOEQ, x, 0, real(n, -(double)INFINITY), real(n, (double)NAN));
  return choose(n, LLVMRealOLE, x, 0, edge, inside);
}

/* ---- numbers that are seen to be above 0 ---- */

static bool is_above(value x, double least) {
  LLVMTypeRef type = LLVMTypeOf(x);
  unsigned count = LLVMGetTypeKind(type) == LLVMVectorTypeKind ? LLVMGetVectorSize(type) : 0;
  if (!LLVMIsConstant(x)) return false;
  for (unsigned l = 0; l < count || (l == 0 && count == 0); l++) {
    value one = count ? LLVMGetAggregateElement(x, l) : x;
    LLVMBool rounded;
    if (!one || !LLVMIsAConstantFP(one) || !(LLVMConstRealGetDouble(one, &rounded) >= least)) return false;
  }
  return true;
}

/* A call of what LLVM has of this name. */
static bool calls(value x, const char *name) {
  size_t length;
  if (!LLVMIsACallInst(x)) return false;
  const char *called = LLVMGetValueName2(LLVMGetCalledValue(x), &length);
  return called && length >= strlen(name) && !strncmp(called, name, strlen(name));
}

/* At least 0, or no number. */
static bool is_not_negative(value x, int depth) {
  if (is_above(x, 0) || calls(x, "llvm.sqrt") || calls(x, "llvm.fabs")) return true;
  if (depth == 0) return false;
  if (calls(x, "llvm.fma"))
    return LLVMGetOperand(x, 0) == LLVMGetOperand(x, 1) && is_not_negative(LLVMGetOperand(x, 2), depth - 1);
  if (!LLVMIsAInstruction(x)) return false;
  LLVMOpcode op = LLVMGetInstructionOpcode(x);
  if (op == LLVMFMul && LLVMGetOperand(x, 0) == LLVMGetOperand(x, 1)) return true;
  return op == LLVMFAdd && is_not_negative(LLVMGetOperand(x, 0), depth - 1) &&
         is_not_negative(LLVMGetOperand(x, 1), depth - 1);
}

/* At least the least number that is not subnormal, or no number. */
static bool is_normal(const fg_llvm_numbers *n, value x) {
  bool sum = LLVMIsAInstruction(x) && LLVMGetInstructionOpcode(x) == LLVMFAdd, larger = calls(x, "llvm.maxnum");
  for (unsigned i = 0; i < 2 && (sum || larger); i++)
    if (is_above(LLVMGetOperand(x, i), format_of(n)->least) && (larger || is_not_negative(LLVMGetOperand(x, 1 - i), 3)))
      return true;
  return false;
}

static value function_log(const fg_llvm_numbers *n, value x) {
  const format *f = format_of(n);
  bool normal = is_normal(n, x);
  value e, m = split(n, x, normal, &e), log;
  if (n->is_double) {
    value rest = sub(n, sub(n, rest_of_log(n, m), mul(n, e, real(n, f->log2_low))), m);
    log = sub(n, mul(n, e, real(n, f->log2_high)), rest);
  } else {
    log = mul_add(n, e, real(n, f->log2_high), mul_add(n, e, real(n, f->log2_low), log_of(n, m)));
  }
  return at_edges(n, x, normal, log);
}

static value function_log10(const fg_llvm_numbers *n, value x) {
  const format *f = format_of(n);
  bool normal = is_normal(n, x);
  value e, m = split(n, x, normal, &e), log = log_of(n, m);
  value low = mul_add(n, log, real(n, 0.43429448190325182765), mul(n, e, real(n, f->log10_low)));
  return at_edges(n, x, normal, mul_add(n, e, real(n, f->log10_high), low));
}

/* ---- powers of e ------------------------------------------------------------------------------ */

/* x times 2^k, k a vector of short words; in two steps, since 2^k itself may be no number. */
static value scaled(const fg_llvm_numbers *n, value x, value k) {
  const format *f = format_of(n);
  value half = LLVMBuildAShr(n->builder, k, whole(n, index_type(n), 1), "");
  value power[2] = {half, LLVMBuildSub(n->builder, k, half, "")};
  for (int i = 0; i < 2; i++) {
    value biased = LLVMBuildAdd(n->builder, power[i], whole(n, index_type(n), f->bias), "");
    if (n->is_double) biased = LLVMBuildZExt(n->builder, biased, word_type(n), "");
    x = mul(n, x, number_of(n, LLVMBuildShl(n->builder, biased, whole(n, word_type(n), f->mantissa), "")));
  }
  return x;
}

static value function_exp(const fg_llvm_numbers *n, value x) {
  const format *f = format_of(n);
  value within = choose(n, LLVMRealOGT, x, f->overflow, real(n, f->overflow), x);
  within = choose(n, LLVMRealOLT, within, f->underflow, real(n, f->underflow), within);
  value moved =
      mul_add(n, within, real(n, 1.44269504088896340736), real(n, f->rounder)); /* its last bits are the power */
  value power = sub(n, moved, real(n, f->rounder));
  value r = sub(n, within, mul(n, power, real(n, f->log2_high)));
  r = sub(n, r, mul(n, power, real(n, f->log2_low)));
  double factorial = tgamma(f->exp_terms + 1.);
  value series = real(n, 1 / factorial);
  for (int k = f->exp_terms; k > 2; k--) series = mul_add(n, series, r, real(n, 1 / (factorial /= k)));
  value y = add(n, mul_add(n, mul(n, r, r), series, r), real(n, 1));
  value least = LLVMBuildSub(n->builder, bits_of(n, moved), bits_of(n, real(n, f->rounder)), "");
  return scaled(n, y, shortened(n, least));
}

value fg_llvm_function(const fg_llvm_numbers *n, fg_called which, value x) {
  switch (which) {
  case FG_CALL_LOG: return function_log(n, x);
  case FG_CALL_LOG10: return function_log10(n, x);
  case FG_CALL_EXP: return function_exp(n, x);
  default: return NULL;
  }
}
