/* Passes over IR. In: a module. Out: the same module, its variables as values, its loops of scalars by vectors. Nonzero
 * with the reason in why. passes.c names them to LLVM; where LLVM is linked into the plugin, ../cut/passes.cpp makes
 * them. */
#ifndef FG_LLVM_PASSES_H
#define FG_LLVM_PASSES_H
#include "targets/llvm/llvm.h"

struct LLVMOpaqueModule;
struct LLVMOpaqueTargetMachine;

#ifdef __cplusplus
extern "C" {
#endif
int fg_llvm_run_passes(struct LLVMOpaqueModule *module, struct LLVMOpaqueTargetMachine *machine, bool variables,
                       bool loops, char why[FG_WHY_SIZE]);
#ifdef __cplusplus
}
#endif
#endif
