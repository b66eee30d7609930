/* See passes.h. LLVMRunPasses looks names up among all passes that LLVM has. */
#include "targets/llvm/plugin/passes.h"
#include <llvm-c/Core.h>
#include <llvm-c/Transforms/PassBuilder.h>
#include <stdio.h>

int fg_llvm_run_passes(LLVMModuleRef module, LLVMTargetMachineRef machine, bool variables, bool loops,
                       char why[FG_WHY_SIZE]) {
  const char *passes = !loops      ? "function(mem2reg)"
                       : variables ? "function(mem2reg,loop-vectorize)"
                                   : "function(loop-vectorize)";
  LLVMPassBuilderOptionsRef options = LLVMCreatePassBuilderOptions();
  LLVMErrorRef error = LLVMRunPasses(module, passes, machine, options);
  LLVMDisposePassBuilderOptions(options);
  if (!error) return 0;
  char *message = LLVMGetErrorMessage(error);
  snprintf(why, FG_WHY_SIZE, "LLVM: %.400s", message);
  LLVMDisposeErrorMessage(message);
  return 1;
}
