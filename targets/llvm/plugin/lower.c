/* Instructions to LLVM IR. In: an fg_instructions. Out: one function in a module, and
 * those that call it in other words; as straight as the code is: every instruction becomes what LLVM has for it, loops
 * become blocks that test at their ends. LLVM's passes over IR are not run: on
 * code that is in single assignment and scheduled there is nothing for them.
 *
 * What a C compiler reads from `restrict` is said by alias scopes: one for each
 * memory, and accesses to one do not touch the others. */
#include "targets/llvm/plugin/lower.h"
#include "targets/llvm/plugin/functions.h"
#include "targets/storage.h"
#include <llvm-c/Core.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_OPEN = 256, MOST_MEMORY = FG_CODE_MEMORIES };

enum { PLACES, PARAMS, STEP, PART, PARTS, PART_ARGUMENTS }; /* of NAME_part_entry; those of NAME_entry are first */

typedef struct bracket {
  fg_code_op op;
  int32_t number;
  LLVMBasicBlockRef body, behind;
} bracket;

typedef struct lowering {
  const fg_lowering *l;
  const fg_llvm_job *job;
  const fg_instructions *code;
  LLVMContextRef cx;
  LLVMBuilderRef b;
  LLVMValueRef function, zero; /* zero: a number to be read in place of others */
  LLVMTypeRef real, float_type, i8, i16, i32, i64, pointer;
  LLVMValueRef *value;
  int depth;
  bracket open[MOST_OPEN];
  LLVMValueRef own[MOST_MEMORY], others[MOST_MEMORY]; /* scopes, as metadata */
  unsigned scope_kind, noalias_kind, nontemporal_kind;
  LLVMValueRef nontemporal;
  bool crowded;
} lowering;

static LLVMTypeRef many(LLVMTypeRef type, int lanes) {
  return lanes > 1 ? LLVMVectorType(type, (unsigned)lanes) : type;
}

static LLVMTypeRef type_of(const lowering *w, int lanes) { return many(w->real, lanes); }

static LLVMValueRef integer(const lowering *w, int64_t x) { return LLVMConstInt(w->i64, (unsigned long long)x, true); }

static LLVMValueRef lane_number(const lowering *w, int lane) {
  return LLVMConstInt(w->i32, (unsigned long long)lane, false);
}

static LLVMTypeRef variable_type(const lowering *w, const fg_instr *i) {
  return i->type == FG_CODE_POINTER ? w->pointer : type_of(w, i->lanes);
}

static LLVMValueRef operand(const lowering *w, int32_t number) {
  const fg_instr *i = number < 0 ? NULL : &w->code->instr[number];
  if (!i || i->op != FG_CODE_VARIABLE) return i ? w->value[number] : NULL;
  return LLVMBuildLoad2(w->b, variable_type(w, i), w->value[number], "");
}

/* Of the function's own, wherever the instruction is: mem2reg makes values of them. */
static LLVMValueRef make_variable(const lowering *w, const fg_instr *i) {
  LLVMBuilderRef b = LLVMCreateBuilderInContext(w->cx);
  LLVMBasicBlockRef entry = LLVMGetEntryBasicBlock(w->function);
  LLVMPositionBuilder(b, entry, LLVMGetFirstInstruction(entry));
  LLVMValueRef variable = LLVMBuildAlloca(b, variable_type(w, i), "");
  LLVMDisposeBuilder(b);
  return variable;
}

static LLVMMetadataRef text_node(const lowering *w, const char *text) {
  return LLVMMDStringInContext2(w->cx, text, strlen(text));
}

static void make_scopes(lowering *w) {
  bool used[MOST_MEMORY] = {false};
  LLVMMetadataRef scope[MOST_MEMORY], list[MOST_MEMORY];
  LLVMMetadataRef name = text_node(w, "memories"), domain = LLVMMDNodeInContext2(w->cx, &name, 1);
  for (int32_t i = 0; i < w->code->count; i++)
    if (w->code->instr[i].op == FG_CODE_MEMORY || w->code->instr[i].op == FG_CODE_TABLE)
      used[w->code->instr[i].memory] = true;
  for (int m = 0; m < MOST_MEMORY; m++) {
    char text[16];
    snprintf(text, sizeof text, "m%d", m);
    LLVMMetadataRef part[2] = {used[m] ? text_node(w, text) : NULL, domain};
    if (used[m]) scope[m] = LLVMMDNodeInContext2(w->cx, part, 2);
  }
  for (int m = 0; m < MOST_MEMORY; m++) {
    size_t n = 0;
    for (int k = 0; used[m] && k < MOST_MEMORY; k++)
      if (used[k] && k != m) list[n++] = scope[k];
    if (!used[m]) continue;
    w->own[m] = LLVMMetadataAsValue(w->cx, LLVMMDNodeInContext2(w->cx, &scope[m], 1));
    w->others[m] = n ? LLVMMetadataAsValue(w->cx, LLVMMDNodeInContext2(w->cx, list, n)) : NULL;
  }
  w->scope_kind = LLVMGetMDKindIDInContext(w->cx, "alias.scope", 11);
  w->noalias_kind = LLVMGetMDKindIDInContext(w->cx, "noalias", 7);
  w->nontemporal_kind = LLVMGetMDKindIDInContext(w->cx, "nontemporal", 11);
  LLVMMetadataRef one = LLVMValueAsMetadata(lane_number(w, 1));
  w->nontemporal = LLVMMetadataAsValue(w->cx, LLVMMDNodeInContext2(w->cx, &one, 1));
}

static LLVMValueRef scoped(const lowering *w, LLVMValueRef access, const fg_instr *i, unsigned align) {
  LLVMSetAlignment(access, align);
  if (w->own[i->memory]) LLVMSetMetadata(access, w->scope_kind, w->own[i->memory]);
  if (w->others[i->memory]) LLVMSetMetadata(access, w->noalias_kind, w->others[i->memory]);
  return access;
}

static LLVMValueRef lower_index(const lowering *w, const fg_instr *i) {
  LLVMValueRef a = operand(w, i->a), b = operand(w, i->b);
  switch (i->op) {
  case FG_CODE_INT: return integer(w, i->imm.i);
  case FG_CODE_PARAM: {
    LLVMValueRef at = integer(w, i->imm.i);
    LLVMValueRef from = LLVMBuildGEP2(w->b, w->i64, LLVMGetParam(w->function, PARAMS), &at, 1, "");
    return LLVMBuildLoad2(w->b, w->i64, from, "");
  }
  case FG_CODE_SHARE: return LLVMBuildSExt(w->b, LLVMGetParam(w->function, i->imm.i ? PARTS : PART), w->i64, "");
  case FG_CODE_ADD: return LLVMBuildNSWAdd(w->b, a, b, "");
  case FG_CODE_SUB: return LLVMBuildNSWSub(w->b, a, b, "");
  case FG_CODE_MUL: return LLVMBuildNSWMul(w->b, a, b, "");
  case FG_CODE_DIV: return LLVMBuildSDiv(w->b, a, b, "");
  case FG_CODE_MOD: return LLVMBuildSRem(w->b, a, b, "");
  case FG_CODE_SHR: return LLVMBuildAShr(w->b, a, b, "");
  case FG_CODE_AND: return LLVMBuildAnd(w->b, a, b, "");
  case FG_CODE_XOR: return LLVMBuildXor(w->b, a, b, "");
  case FG_CODE_LESS: return LLVMBuildICmp(w->b, LLVMIntSLT, a, b, "");
  case FG_CODE_BOTH: return LLVMBuildAnd(w->b, a, b, "");
  default: return NULL;
  }
}

/* Of the numbers of a memory: -1 where they are those that are computed with. */
static int stored_as(const lowering *w, const fg_instr *i) { return w->code->stored[i->memory] - 1; }

static LLVMTypeRef number_type(const lowering *w, int stored) {
  switch (stored) {
  case FG_STORED_F16: return LLVMHalfTypeInContext(w->cx);
  case FG_STORED_F32: return w->float_type;
  case FG_STORED_U8: return w->i8;
  case FG_STORED_BF16:
  case FG_STORED_I16: return w->i16;
  default: return w->real;
  }
}

static unsigned number_bytes(const lowering *w, int stored) {
  return stored < 0 ? (unsigned)w->code->real_bytes : stored == FG_STORED_F32 ? 4 : stored == FG_STORED_U8 ? 1 : 2;
}

/* pointer is i's; distance in numbers */
static LLVMValueRef behind(const lowering *w, const fg_instr *i, LLVMValueRef pointer, LLVMValueRef distance) {
  return LLVMBuildGEP2(w->b, number_type(w, stored_as(w, i)), pointer, &distance, 1, "");
}

static LLVMValueRef load_place(const lowering *w, int64_t place) {
  LLVMValueRef at = integer(w, place);
  LLVMValueRef slot = LLVMBuildGEP2(w->b, w->pointer, LLVMGetParam(w->function, PLACES), &at, 1, "");
  return LLVMBuildLoad2(w->b, w->pointer, slot, "");
}

static LLVMValueRef place_pointer(const lowering *w, const fg_instr *i) {
  if (w->job->direct) return LLVMGetParam(w->function, (unsigned)i->a);
  LLVMValueRef pointer = load_place(w, i->a);
  if (i->list) {
    LLVMValueRef part = LLVMBuildSExt(w->b, LLVMGetParam(w->function, PART), w->i64, "");
    pointer = behind(w, i, pointer, LLVMBuildNSWMul(w->b, part, integer(w, i->list), ""));
  }
  return i->imm.i ? behind(w, i, pointer, integer(w, i->imm.i)) : pointer;
}

/* An external symbol that is defined in the same object once that is linked. */
static LLVMValueRef table_pointer(const lowering *w, const fg_instr *i) {
  char name[256];
  snprintf(name, sizeof name, FG_LLVM_TABLE_NAME, w->job->name, i->a);
  LLVMValueRef table = LLVMGetNamedGlobal(w->l->module, name);
  if (table) return table;
  table = LLVMAddGlobal(w->l->module, w->real, name);
  LLVMSetVisibility(table, LLVMHiddenVisibility);
  LLVMSetGlobalConstant(table, true);
  LLVMSetAlignment(table, 64);
  return table;
}

static LLVMValueRef lower_pointer(const lowering *w, const fg_instr *i) {
  if (i->op == FG_CODE_MEMORY) return place_pointer(w, i);
  if (i->op == FG_CODE_TABLE) return table_pointer(w, i);
  LLVMValueRef pointer = operand(w, i->a);
  if (i->b >= 0) pointer = behind(w, i, pointer, operand(w, i->b));
  return i->imm.i ? behind(w, i, pointer, integer(w, i->imm.i)) : pointer;
}

static LLVMValueRef bits_splat(const lowering *w, unsigned long long bits, int lanes) {
  LLVMValueRef one = LLVMConstInt(w->i32, bits, false), all[256];
  if (lanes == 1) return one;
  for (int l = 0; l < lanes; l++) all[l] = one;
  return LLVMConstVector(all, (unsigned)lanes);
}

static LLVMValueRef widened(const lowering *w, LLVMValueRef x, int stored, int lanes) {
  LLVMTypeRef real = type_of(w, lanes), single = many(w->float_type, lanes), bits = many(w->i32, lanes);
  switch (stored) {
  case FG_STORED_BF16:
    x = LLVMBuildShl(w->b, LLVMBuildZExt(w->b, x, bits, ""), bits_splat(w, 16, lanes), "");
    x = LLVMBuildBitCast(w->b, x, single, "");
    break;
  case FG_STORED_F16: x = LLVMBuildFPExt(w->b, x, single, ""); break;
  case FG_STORED_F32: break;
  case FG_STORED_U8: return LLVMBuildSIToFP(w->b, LLVMBuildZExt(w->b, x, bits, ""), real, "");
  case FG_STORED_I16: return LLVMBuildSIToFP(w->b, LLVMBuildSExt(w->b, x, bits, ""), real, "");
  default: return x;
  }
  return w->code->real_bytes == 8 ? LLVMBuildFPExt(w->b, x, real, "") : x;
}

/* Rounded to nearest even; what is no number stays one. */
static LLVMValueRef brief(const lowering *w, LLVMValueRef x, int lanes) {
  LLVMValueRef u = LLVMBuildBitCast(w->b, x, many(w->i32, lanes), "");
  LLVMValueRef size = LLVMBuildAnd(w->b, u, bits_splat(w, 0x7fffffff, lanes), "");
  LLVMValueRef wrong = LLVMBuildICmp(w->b, LLVMIntUGT, size, bits_splat(w, 0x7f800000, lanes), "");
  LLVMValueRef odd =
      LLVMBuildAnd(w->b, LLVMBuildLShr(w->b, u, bits_splat(w, 16, lanes), ""), bits_splat(w, 1, lanes), "");
  LLVMValueRef up = LLVMBuildAdd(w->b, LLVMBuildAdd(w->b, u, bits_splat(w, 0x7fff, lanes), ""), odd, "");
  LLVMValueRef all = LLVMBuildSelect(w->b, wrong, LLVMBuildOr(w->b, u, bits_splat(w, 0x400000, lanes), ""), up, "");
  return LLVMBuildLShr(w->b, all, bits_splat(w, 16, lanes), "");
}

/* To the nearest whole number that there is: 1.5 * 2^23 more, its last bits are that number's. */
static LLVMValueRef whole(const lowering *w, LLVMValueRef x, int stored, int lanes) {
  LLVMTypeRef single = many(w->float_type, lanes);
  LLVMValueRef ends[3];
  for (int k = 0; k < 3; k++) {
    double end = k == 2 ? 12582912.0 : stored == FG_STORED_U8 ? (k ? 255.0 : 0.0) : (k ? 32767.0 : -32768.0);
    LLVMValueRef all[256], one = LLVMConstReal(w->float_type, end);
    for (int l = 0; l < lanes; l++) all[l] = one;
    ends[k] = lanes > 1 ? LLVMConstVector(all, (unsigned)lanes) : LLVMConstReal(single, end);
  }
  LLVMValueRef above = LLVMBuildFCmp(w->b, LLVMRealOGT, x, ends[0], "");
  LLVMValueRef below = LLVMBuildFCmp(w->b, LLVMRealOLT, x, ends[1], "");
  x = LLVMBuildSelect(w->b, above, LLVMBuildSelect(w->b, below, x, ends[1], ""), ends[0], "");
  return LLVMBuildBitCast(w->b, LLVMBuildFAdd(w->b, x, ends[2], ""), many(w->i32, lanes), "");
}

static LLVMValueRef narrowed(const lowering *w, LLVMValueRef x, int stored, int lanes) {
  LLVMTypeRef type = many(number_type(w, stored), lanes);
  if (stored < 0) return x;
  if (w->code->real_bytes == 8) x = LLVMBuildFPTrunc(w->b, x, many(w->float_type, lanes), "");
  if (stored == FG_STORED_F32) return x;
  if (stored == FG_STORED_F16) return LLVMBuildFPTrunc(w->b, x, type, "");
  return LLVMBuildTrunc(w->b, stored == FG_STORED_BF16 ? brief(w, x, lanes) : whole(w, x, stored, lanes), type, "");
}

/* Numbers of a table at a place that is known, as a constant: what is computed of it alone is then computed now.
 * NULL: they are not. */
static LLVMValueRef known_numbers(const lowering *w, const fg_instr *i) {
  const fg_instr *at = &w->code->instr[i->a];
  int64_t first = 0;
  for (; at->op == FG_CODE_AT && at->b < 0; at = &w->code->instr[at->a]) first += at->imm.i;
  if (i->b >= 0 || at->op != FG_CODE_TABLE) return NULL;
  const fg_code_table *t = &w->code->table[at->a];
  int64_t size = w->code->real_bytes;
  if (!t->content || first < 0 || (first + i->lanes) * size > (int64_t)t->bytes) return NULL;
  LLVMValueRef one[256];
  for (int l = 0; l < i->lanes; l++) {
    const void *number = (const char *)t->content + (first + l) * size;
    one[l] = LLVMConstReal(w->real, size == 4 ? (double)*(const float *)number : *(const double *)number);
  }
  return i->lanes > 1 ? LLVMConstVector(one, i->lanes) : one[0];
}

static LLVMValueRef lower_load(lowering *w, const fg_instr *i) {
  LLVMValueRef from = operand(w, i->a), known = known_numbers(w, i);
  if (known) return known;
  if (i->b >= 0) from = LLVMBuildSelect(w->b, operand(w, i->b), from, w->zero, "");
  int stored = stored_as(w, i);
  LLVMValueRef load = LLVMBuildLoad2(w->b, many(number_type(w, stored), i->lanes), from, "");
  if (i->b >= 0)
    LLVMSetAlignment(load, number_bytes(w, stored));
  else
    scoped(w, load, i, number_bytes(w, stored));
  return widened(w, load, stored, i->lanes);
}

static LLVMValueRef lower_lookup(lowering *w, const fg_instr *i) {
  LLVMValueRef at = operand(w, i->b);
  LLVMValueRef from = LLVMBuildGEP2(w->b, w->i32, operand(w, i->a), &at, 1, "");
  return LLVMBuildSExt(w->b, scoped(w, LLVMBuildLoad2(w->b, w->i32, from, ""), i, 4), w->i64, "");
}

static void lower_store(const lowering *w, const fg_instr *i) {
  int stored = stored_as(w, i);
  LLVMValueRef value = narrowed(w, operand(w, i->b), stored, i->lanes);
  scoped(w, LLVMBuildStore(w->b, value, operand(w, i->a)), i, number_bytes(w, stored));
}

static LLVMBasicBlockRef new_block(const lowering *w) { return LLVMAppendBasicBlockInContext(w->cx, w->function, ""); }

/* Past the caches where the address is a multiple of the vector's bytes. */
static void lower_stream(lowering *w, const fg_instr *i) {
  unsigned bytes = (unsigned)(i->lanes * w->code->real_bytes);
  LLVMValueRef to = operand(w, i->a), value = operand(w, i->b);
  LLVMValueRef rest = LLVMBuildAnd(w->b, LLVMBuildPtrToInt(w->b, to, w->i64, ""), integer(w, bytes - 1), "");
  LLVMBasicBlockRef past = new_block(w), usual = new_block(w), next = new_block(w);
  LLVMBuildCondBr(w->b, LLVMBuildICmp(w->b, LLVMIntEQ, rest, integer(w, 0), ""), past, usual);
  LLVMPositionBuilderAtEnd(w->b, past);
  LLVMSetMetadata(scoped(w, LLVMBuildStore(w->b, value, to), i, bytes), w->nontemporal_kind, w->nontemporal);
  LLVMBuildBr(w->b, next);
  LLVMPositionBuilderAtEnd(w->b, usual);
  scoped(w, LLVMBuildStore(w->b, value, to), i, (unsigned)w->code->real_bytes);
  LLVMBuildBr(w->b, next);
  LLVMPositionBuilderAtEnd(w->b, next);
}

static LLVMValueRef call_intrinsic(const lowering *w, const char *name, LLVMTypeRef type, LLVMValueRef *argument,
                                   unsigned count) {
  unsigned id = LLVMLookupIntrinsicID(name, strlen(name));
  LLVMValueRef f = LLVMGetIntrinsicDeclaration(w->l->module, id, type ? &type : NULL, type ? 1 : 0);
  return LLVMBuildCall2(w->b, LLVMGlobalGetValueType(f), f, argument, count, "");
}

/* For all caches, as compilers have it. */
static void lower_fetch(const lowering *w, const fg_instr *i) {
  enum { SECOND = 2, NEAREST = 3, DATA = 1 };
  LLVMValueRef argument[] = {operand(w, i->a), lane_number(w, i->imm.i == FG_FETCH_STORE),
                             lane_number(w, i->imm.i == FG_FETCH_LATER ? SECOND : NEAREST), lane_number(w, DATA)};
  call_intrinsic(w, "llvm.prefetch", w->pointer, argument, 4);
}

static LLVMValueRef splat_constant(const lowering *w, double x, int lanes) {
  LLVMValueRef one = LLVMConstReal(w->real, x), all[256];
  if (lanes == 1) return one;
  for (int l = 0; l < lanes; l++) all[l] = one;
  return LLVMConstVector(all, (unsigned)lanes);
}

static LLVMValueRef shuffle(const lowering *w, LLVMValueRef a, LLVMValueRef b, const int32_t *index, int lanes) {
  LLVMValueRef mask[256];
  for (int l = 0; l < lanes; l++) mask[l] = lane_number(w, index ? index[l] : 0);
  return LLVMBuildShuffleVector(w->b, a, b ? b : LLVMGetPoison(LLVMTypeOf(a)), LLVMConstVector(mask, (unsigned)lanes),
                                "");
}

static bool swaps_neighbours(const fg_instr *i, const int32_t *list) {
  for (int l = 0; l < i->lanes; l++)
    if (list[l] != (l ^ 1)) return false;
  return i->a == i->b || i->b < 0;
}

/* Two floats turn as one word: shifts have more units than shuffles of wide vectors. */
static LLVMValueRef turned(const lowering *w, const fg_instr *i) {
  LLVMTypeRef words = many(w->i64, i->lanes / 2);
  LLVMValueRef x = LLVMBuildBitCast(w->b, operand(w, i->a), words, ""), half[128];
  for (int l = 0; l < i->lanes / 2; l++) half[l] = integer(w, 32);
  LLVMValueRef by = i->lanes > 2 ? LLVMConstVector(half, i->lanes / 2) : half[0];
  LLVMValueRef argument[] = {x, x, by};
  return LLVMBuildBitCast(w->b, call_intrinsic(w, "llvm.fshl", words, argument, 3), type_of(w, i->lanes), "");
}

/* LLVM looks for fewer shuffles behind every chain of them, which takes it longer than
 * all else together and finds nothing; it does not look through a fence, and a fence
 * is no instruction. */
static LLVMValueRef shuffle_alone(const lowering *w, const fg_instr *i) {
  bool words = w->code->words && w->code->real_bytes == 4 && i->lanes > 2;
  if (words && swaps_neighbours(i, w->code->list + i->list)) return turned(w, i);
  LLVMValueRef v = shuffle(w, operand(w, i->a), operand(w, i->b), w->code->list + i->list, i->lanes);
  if (LLVMIsConstant(v) || i->lanes < w->code->instr[i->a].lanes) return v; /* halves are stored without one */
  return call_intrinsic(w, "llvm.arithmetic.fence", LLVMTypeOf(v), &v, 1);
}

static LLVMValueRef splat(const lowering *w, LLVMValueRef real, int lanes) {
  LLVMValueRef one = LLVMBuildInsertElement(w->b, LLVMGetPoison(type_of(w, lanes)), real, lane_number(w, 0), "");
  return shuffle(w, one, NULL, NULL, lanes);
}

static LLVMValueRef make(const lowering *w, const fg_instr *i) {
  LLVMValueRef v = LLVMGetPoison(type_of(w, i->lanes));
  const int32_t *list = w->code->list + i->list;
  for (int l = 0; l < i->lanes; l++) v = LLVMBuildInsertElement(w->b, v, operand(w, list[l]), lane_number(w, l), "");
  return v;
}

static LLVMValueRef fused(const lowering *w, const fg_instr *i) {
  LLVMValueRef a = operand(w, i->a), b = operand(w, i->b), c = operand(w, i->c);
  if (!w->l->fma) {
    LLVMValueRef product = LLVMBuildFMul(w->b, a, b, "");
    if (i->op == FG_CODE_FUSED_ADD) return LLVMBuildFAdd(w->b, product, c, "");
    if (i->op == FG_CODE_FUSED_SUB) return LLVMBuildFSub(w->b, product, c, "");
    return LLVMBuildFSub(w->b, c, product, "");
  }
  if (i->op == FG_CODE_FUSED_SUB) c = LLVMBuildFNeg(w->b, c, "");
  if (i->op == FG_CODE_FUSED_NEGADD) a = LLVMBuildFNeg(w->b, a, "");
  LLVMValueRef argument[] = {a, b, c};
  return call_intrinsic(w, "llvm.fma", type_of(w, i->lanes), argument, 3);
}

/* Functions that are instructions; or see functions.h. */
static LLVMValueRef lower_call(lowering *w, const fg_instr *i) {
  LLVMValueRef operands[] = {operand(w, i->a), i->b >= 0 ? operand(w, i->b) : NULL};
  LLVMTypeRef type = type_of(w, i->lanes);
  const fg_llvm_numbers n = {w->cx, w->l->module, w->b, i->lanes, w->code->real_bytes == 8, w->l->fma};
  switch (i->imm.i) {
  case FG_CALL_SQRT: return call_intrinsic(w, "llvm.sqrt", type, operands, 1);
  case FG_CALL_ABS: return call_intrinsic(w, "llvm.fabs", type, operands, 1);
  case FG_CALL_MIN: return call_intrinsic(w, "llvm.minnum", type, operands, 2);
  case FG_CALL_MAX: return call_intrinsic(w, "llvm.maxnum", type, operands, 2);
  case FG_CALL_DIVIDE: return LLVMBuildFDiv(w->b, operands[0], operands[1], "");
  default: return fg_llvm_function(&n, (fg_called)i->imm.i, operands[0]);
  }
}

static LLVMValueRef lower_number(lowering *w, const fg_instr *i) {
  LLVMValueRef a = operand(w, i->a), b = operand(w, i->b);
  switch (i->op) {
  case FG_CODE_LOAD: return lower_load(w, i);
  case FG_CODE_NUMBER: return splat_constant(w, i->imm.real, i->lanes);
  case FG_CODE_NEGATE: return LLVMBuildFNeg(w->b, a, "");
  case FG_CODE_CALL: return lower_call(w, i);
  case FG_CODE_SUM: return LLVMBuildFAdd(w->b, a, b, "");
  case FG_CODE_DIFFERENCE: return LLVMBuildFSub(w->b, a, b, "");
  case FG_CODE_PRODUCT: return LLVMBuildFMul(w->b, a, b, "");
  case FG_CODE_FUSED_ADD:
  case FG_CODE_FUSED_SUB:
  case FG_CODE_FUSED_NEGADD: return fused(w, i);
  case FG_CODE_SPLAT: return splat(w, a, i->lanes);
  case FG_CODE_MAKE: return make(w, i);
  case FG_CODE_LANE: return LLVMBuildExtractElement(w->b, a, lane_number(w, (int)i->imm.i), "");
  case FG_CODE_SHUFFLE: return shuffle_alone(w, i);
  case FG_CODE_SELECT: return LLVMBuildSelect(w->b, a, b, operand(w, i->c), "");
  default: return NULL;
  }
}

static void open_loop(lowering *w, bracket *k) {
  const fg_instr *i = &w->code->instr[k->number];
  LLVMValueRef start = operand(w, i->a), bound = operand(w, i->b);
  LLVMBasicBlockRef before = LLVMGetInsertBlock(w->b);
  k->body = new_block(w), k->behind = new_block(w);
  LLVMBuildCondBr(w->b, LLVMBuildICmp(w->b, LLVMIntSLT, start, bound, ""), k->body, k->behind);
  LLVMPositionBuilderAtEnd(w->b, k->body);
  w->value[k->number] = LLVMBuildPhi(w->b, w->i64, "");
  LLVMAddIncoming(w->value[k->number], &start, &before, 1);
}

static void close_loop(lowering *w, const bracket *k) {
  const fg_instr *i = &w->code->instr[k->number];
  LLVMValueRef next = LLVMBuildNSWAdd(w->b, w->value[k->number], integer(w, i->imm.i), "");
  LLVMBasicBlockRef last = LLVMGetInsertBlock(w->b);
  LLVMAddIncoming(w->value[k->number], &next, &last, 1);
  LLVMBuildCondBr(w->b, LLVMBuildICmp(w->b, LLVMIntSLT, next, operand(w, i->b), ""), k->body, k->behind);
  LLVMPositionBuilderAtEnd(w->b, k->behind);
}

static bool is_condition(const bracket *k) { return k->op == FG_CODE_IF || k->op == FG_CODE_STEP; }

static void open_bracket(lowering *w, int32_t number) {
  const fg_instr *i = &w->code->instr[number];
  bracket *k = &w->open[w->depth++];
  *k = (bracket){.op = (fg_code_op)i->op, .number = number};
  if (i->op == FG_CODE_LOOP) open_loop(w, k);
  if (!is_condition(k)) return;
  LLVMValueRef holds = i->op == FG_CODE_IF ? operand(w, i->a)
                                           : LLVMBuildICmp(w->b, LLVMIntEQ, LLVMGetParam(w->function, STEP),
                                                           lane_number(w, (int)i->imm.i), "");
  k->body = new_block(w), k->behind = new_block(w);
  LLVMBuildCondBr(w->b, holds, k->body, k->behind);
  LLVMPositionBuilderAtEnd(w->b, k->body);
}

static void close_bracket(lowering *w) {
  const bracket *k = &w->open[--w->depth];
  if (k->op == FG_CODE_LOOP) close_loop(w, k);
  if (!is_condition(k)) return;
  LLVMBuildBr(w->b, k->behind);
  LLVMPositionBuilderAtEnd(w->b, k->behind);
}

static void lower_instr(lowering *w, int32_t number) {
  const fg_instr *i = &w->code->instr[number];
  switch (i->op) {
  case FG_CODE_LOOP:
  case FG_CODE_IF:
  case FG_CODE_STEP:
  case FG_CODE_PART: open_bracket(w, number); return;
  case FG_CODE_END: close_bracket(w); return;
  case FG_CODE_VARIABLE: w->value[number] = make_variable(w, i); return;
  case FG_CODE_ASSIGN: LLVMBuildStore(w->b, operand(w, i->b), w->value[i->a]); return;
  case FG_CODE_STORE: lower_store(w, i); return;
  case FG_CODE_STREAM: lower_stream(w, i); return;
  case FG_CODE_FETCH: lower_fetch(w, i); return;
  case FG_CODE_FENCE: call_intrinsic(w, "llvm.x86.sse.sfence", NULL, NULL, 0); return;
  case FG_CODE_LOOKUP: w->value[number] = lower_lookup(w, i); return;
  case FG_CODE_SELECT: w->value[number] = lower_number(w, i); return;
  default: break;
  }
  w->value[number] = i->type == FG_CODE_POINTER ? lower_pointer(w, i)
                     : i->type == FG_CODE_REAL  ? lower_number(w, i)
                                                : lower_index(w, i);
}

void fg_llvm_add_attribute(LLVMValueRef function, const char *word) {
  LLVMContextRef cx = LLVMGetTypeContext(LLVMTypeOf(function));
  LLVMAttributeRef a = LLVMCreateEnumAttribute(cx, LLVMGetEnumAttributeKindForName(word, strlen(word)), 0);
  LLVMAddAttributeAtIndex(function, (LLVMAttributeIndex)LLVMAttributeFunctionIndex, a);
}

static void add_text_attribute(const lowering *w, const char *key, const char *value) {
  LLVMAttributeRef a = LLVMCreateStringAttribute(w->cx, key, (unsigned)strlen(key), value, (unsigned)strlen(value));
  LLVMAddAttributeAtIndex(w->function, (LLVMAttributeIndex)LLVMAttributeFunctionIndex, a);
}

static void add_attributes(const lowering *w) {
  char bytes[16];
  fg_llvm_add_attribute(w->function, "nounwind");
  add_text_attribute(w, "target-features", w->l->features);
  add_text_attribute(w, "tune-cpu", w->l->cpu);
  snprintf(bytes, sizeof bytes, "%d", 8 * (w->code->vector_bytes > 32 ? w->code->vector_bytes : 32));
  add_text_attribute(w, "prefer-vector-width", bytes);
  add_text_attribute(w, "min-legal-vector-width", bytes);
  if (w->crowded) add_text_attribute(w, "frame-pointer", "all");
}

/* The one that holds the code, or another. */
static void add_function(lowering *w, const char *suffix, const LLVMTypeRef *parameter, unsigned count) {
  char name[256];
  LLVMTypeRef none = LLVMVoidTypeInContext(w->cx);
  snprintf(name, sizeof name, "%s_%s", w->job->name, suffix);
  w->function = LLVMAddFunction(w->l->module, name, LLVMFunctionType(none, (LLVMTypeRef *)parameter, count, false));
  add_attributes(w);
  LLVMPositionBuilderAtEnd(w->b, new_block(w));
}

static void begin(lowering *w) {
  w->real = w->code->real_bytes == 4 ? LLVMFloatTypeInContext(w->cx) : LLVMDoubleTypeInContext(w->cx);
  w->float_type = LLVMFloatTypeInContext(w->cx);
  w->i8 = LLVMInt8TypeInContext(w->cx), w->i16 = LLVMInt16TypeInContext(w->cx);
  w->i32 = LLVMInt32TypeInContext(w->cx), w->i64 = LLVMInt64TypeInContext(w->cx);
  w->pointer = LLVMPointerTypeInContext(w->cx, 0);
  const LLVMTypeRef parameter[PART_ARGUMENTS] = {w->pointer, w->pointer, w->i32, w->i32, w->i32};
  bool parts = w->code->nstep > 0;
  add_function(w, parts ? "part_entry" : w->job->direct ? "direct" : "entry", parameter, parts ? PART_ARGUMENTS : 2);
  w->zero = LLVMAddGlobal(w->l->module, w->i64, "zero");
  LLVMSetInitializer(w->zero, integer(w, 0));
  LLVMSetLinkage(w->zero, LLVMInternalLinkage);
  LLVMSetGlobalConstant(w->zero, true);
  make_scopes(w);
}

static void call_code(const lowering *w, LLVMValueRef code, LLVMValueRef *argument, unsigned count) {
  LLVMValueRef call = LLVMBuildCall2(w->b, LLVMGlobalGetValueType(code), code, argument, count, "");
  LLVMSetTailCall(call, true);
}

/* Where that is not the function with the code: one part does all steps, or the places are an input and an output. */
static void add_entry(lowering *w) {
  LLVMValueRef code = w->function;
  const LLVMTypeRef parameter[] = {w->pointer, w->pointer};
  if (!w->code->nstep && !w->job->direct) return;
  add_function(w, "entry", parameter, 2);
  for (int step = 0; step < w->code->nstep; step++) {
    LLVMValueRef argument[PART_ARGUMENTS] = {LLVMGetParam(w->function, PLACES), LLVMGetParam(w->function, PARAMS),
                                             lane_number(w, step), lane_number(w, 0), lane_number(w, 1)};
    call_code(w, code, argument, PART_ARGUMENTS);
  }
  if (w->job->direct) call_code(w, code, (LLVMValueRef[]){load_place(w, 0), load_place(w, 1)}, 2);
  LLVMBuildRetVoid(w->b);
}

int fg_llvm_lower(const fg_lowering *l, const fg_llvm_job *job, char why[FG_WHY_SIZE]) {
  lowering *w = calloc(1, sizeof *w);
  LLVMValueRef *value = calloc((size_t)job->code->count + 1, sizeof *value);
  if (!w || !value) {
    free(w);
    free(value);
    return snprintf(why, FG_WHY_SIZE, "out of memory"), 1;
  }
  *w = (lowering){.l = l,
                  .job = job,
                  .code = job->code,
                  .cx = l->context,
                  .value = value,
                  .crowded = fg_llvm_is_crowded(job->code)};
  w->b = LLVMCreateBuilderInContext(w->cx);
  begin(w);
  int status = 0;
  for (int32_t n = 0; n < w->code->count && !status; n++) {
    if (w->depth == MOST_OPEN) status = snprintf(why, FG_WHY_SIZE, "more than %d open brackets", MOST_OPEN);
    if (!status) lower_instr(w, n);
  }
  LLVMBuildRetVoid(w->b);
  add_entry(w);
  LLVMDisposeBuilder(w->b);
  free(value);
  free(w);
  return status;
}
