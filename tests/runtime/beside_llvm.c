/* A program that compiles by LLVM itself, before, between and after plans, and ends
 * its LLVM while plans live. usage: beside_llvm LENGTH; 0, or it has said what went wrong. */
#include "inside.h"
#include <llvm-c/Core.h>
#include <llvm-c/LLJIT.h>
#include <llvm-c/Target.h>
#include <string.h>

static bool complain(LLVMErrorRef error, const char *what) {
  char *message = error ? LLVMGetErrorMessage(error) : NULL;
  printf("%s: %s\n", what, message ? message : "failed");
  if (message) LLVMDisposeErrorMessage(message);
  return false;
}

/* int sum(int a, int b) of `extra` more. */
static LLVMOrcThreadSafeModuleRef make_sum(int extra) {
  LLVMOrcThreadSafeContextRef safe = LLVMOrcCreateNewThreadSafeContext();
  LLVMContextRef context = LLVMOrcThreadSafeContextGetContext(safe);
  LLVMModuleRef module = LLVMModuleCreateWithNameInContext("host", context);
  LLVMTypeRef number = LLVMInt32TypeInContext(context), two[] = {number, number};
  LLVMValueRef sum = LLVMAddFunction(module, "sum", LLVMFunctionType(number, two, 2, 0));
  LLVMBuilderRef b = LLVMCreateBuilderInContext(context);
  LLVMPositionBuilderAtEnd(b, LLVMAppendBasicBlockInContext(context, sum, ""));
  LLVMValueRef both = LLVMBuildAdd(b, LLVMGetParam(sum, 0), LLVMGetParam(sum, 1), "");
  LLVMBuildRet(b, LLVMBuildAdd(b, both, LLVMConstInt(number, (unsigned)extra, 0), ""));
  LLVMDisposeBuilder(b);
  LLVMOrcThreadSafeModuleRef all = LLVMOrcCreateNewThreadSafeModule(module, safe);
  LLVMOrcDisposeThreadSafeContext(safe);
  return all;
}

static bool calls_right(LLVMOrcLLJITRef jit, int extra) {
  LLVMOrcExecutorAddress address;
  int (*sum)(int, int);
  LLVMErrorRef error = LLVMOrcLLJITAddLLVMIRModule(jit, LLVMOrcLLJITGetMainJITDylib(jit), make_sum(extra));
  if (!error) error = LLVMOrcLLJITLookup(jit, &address, "sum");
  if (error) return complain(error, "LLJIT");
  memcpy(&sum, &address, sizeof sum);
  return sum(2, 3) == 5 + extra || complain(NULL, "the program's own sum");
}

static bool compile_and_plan(int n, int extra) {
  LLVMOrcLLJITRef before, after;
  LLVMErrorRef error = LLVMOrcCreateLLJIT(&before, NULL);
  if (error) return complain(error, "LLJIT");
  bool good = calls_right(before, extra) && inside_try(n, NULL);
  error = LLVMOrcCreateLLJIT(&after, NULL);
  if (error) return complain(error, "LLJIT");
  good = good && calls_right(after, extra + 1) && inside_try(n + 1, NULL);
  error = LLVMOrcDisposeLLJIT(before);
  good = good && !error && inside_try(n + 2, NULL);
  error = LLVMOrcDisposeLLJIT(after);
  return good && !error && inside_try(n + 3, NULL);
}

int main(int argc, char **argv) {
  int n = argc > 1 ? atoi(argv[1]) : 0;
  fftgen_plan *kept;
  bool good = n > 0 && inside_try(n, NULL); /* the library's LLVM is the first */
  if (fftgen_plan_create("c2c f32 n=360", NULL, &kept, NULL) != FFTGEN_OK) return 1;
  LLVMInitializeNativeTarget();
  LLVMInitializeNativeAsmPrinter();
  for (int i = 0; i < 2; i++) good = good && compile_and_plan(n + 1 + 4 * i, i);
  good = good && inside_is_right(kept, 360);
  LLVMShutdown();
  good = good && inside_is_right(kept, 360) && inside_try(n + 9, NULL);
  fftgen_plan_destroy(kept);
  return !good;
}
