/* See plugin/passes.h. LLVMRunPasses looks passes up by their names, and so needs each that LLVM has: a third of what
 * the plugin would be. Here are the two, and the analyses that they ask for. */
#include "targets/llvm/plugin/passes.h"
#include <llvm-c/TargetMachine.h>
#include <llvm/Analysis/AliasAnalysis.h>
#include <llvm/Analysis/AssumptionCache.h>
#include <llvm/Analysis/BasicAliasAnalysis.h>
#include <llvm/Analysis/BlockFrequencyInfo.h>
#include <llvm/Analysis/BranchProbabilityInfo.h>
#include <llvm/Analysis/DemandedBits.h>
#include <llvm/Analysis/LoopAccessAnalysis.h>
#include <llvm/Analysis/LoopInfo.h>
#include <llvm/Analysis/OptimizationRemarkEmitter.h>
#include <llvm/Analysis/PostDominators.h>
#include <llvm/Analysis/ProfileSummaryInfo.h>
#include <llvm/Analysis/ScalarEvolution.h>
#include <llvm/Analysis/ScopedNoAliasAA.h>
#include <llvm/Analysis/TargetLibraryInfo.h>
#include <llvm/Analysis/TargetTransformInfo.h>
#include <llvm/IR/Dominators.h>
#include <llvm/IR/Module.h>
#include <llvm/IR/PassInstrumentation.h>
#include <llvm/IR/PassManager.h>
#include <llvm/Target/TargetMachine.h>
#include <llvm/Transforms/Utils/Mem2Reg.h>
#include <llvm/Transforms/Vectorize/LoopVectorize.h>

using namespace llvm;

/* What the vectorizer asks for. */
static void add_analyses(FunctionAnalysisManager &fam, TargetMachine &machine) {
  fam.registerPass([] {
    AAManager aa;
    aa.registerFunctionAnalysis<BasicAA>();
    aa.registerFunctionAnalysis<ScopedNoAliasAA>();
    return aa;
  });
  fam.registerPass([] { return BasicAA(); });
  fam.registerPass([] { return ScopedNoAliasAA(); });
  fam.registerPass([] { return AssumptionAnalysis(); });
  fam.registerPass([] { return BlockFrequencyAnalysis(); });
  fam.registerPass([] { return BranchProbabilityAnalysis(); });
  fam.registerPass([] { return DemandedBitsAnalysis(); });
  fam.registerPass([] { return DominatorTreeAnalysis(); });
  fam.registerPass([] { return PostDominatorTreeAnalysis(); });
  fam.registerPass([] { return LoopAccessAnalysis(); });
  fam.registerPass([] { return LoopAnalysis(); });
  fam.registerPass([] { return OptimizationRemarkEmitterAnalysis(); });
  fam.registerPass([] { return PassInstrumentationAnalysis(); });
  fam.registerPass([] { return ScalarEvolutionAnalysis(); });
  fam.registerPass([] { return ShouldRunExtraVectorPasses(); });
  fam.registerPass([] { return TargetLibraryAnalysis(); });
  fam.registerPass([&] { return machine.getTargetIRAnalysis(); });
}

int fg_llvm_run_passes(LLVMModuleRef module, LLVMTargetMachineRef machine, bool variables, bool loops, char *) {
  FunctionAnalysisManager fam; /* outlives those of modules, which hold it */
  ModuleAnalysisManager mam;
  mam.registerPass([] { return PassInstrumentationAnalysis(); });
  mam.registerPass([] { return ProfileSummaryAnalysis(); });
  mam.registerPass([&] { return FunctionAnalysisManagerModuleProxy(fam); });
  fam.registerPass([&] { return ModuleAnalysisManagerFunctionProxy(mam); });
  add_analyses(fam, *reinterpret_cast<TargetMachine *>(machine));
  FunctionPassManager passes;
  if (variables) passes.addPass(PromotePass());
  if (loops) passes.addPass(LoopVectorizePass());
  ModulePassManager all;
  all.addPass(createModuleToFunctionPassAdaptor(std::move(passes)));
  all.run(*unwrap(module), mam);
  return 0;
}
