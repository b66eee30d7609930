/* Logarithms and powers of e as LLVM IR: what a library is called for elsewhere. */
#ifndef FG_LLVM_FUNCTIONS_H
#define FG_LLVM_FUNCTIONS_H
#include "targets/dialect.h"
#include "targets/llvm/plugin/lower.h"
#include <stdbool.h>

struct LLVMOpaqueBuilder;

typedef struct fg_llvm_numbers { /* that a function is of */
  struct LLVMOpaqueContext *context;
  struct LLVMOpaqueModule *module;
  struct LLVMOpaqueBuilder *builder;
  int lanes;
  bool is_double, fma;
} fg_llvm_numbers;

/* log, log10, exp within 2 units in the last place, for all numbers, infinities and what is none. */
struct LLVMOpaqueValue *fg_llvm_function(const fg_llvm_numbers *n, fg_called which, struct LLVMOpaqueValue *x);
#endif
