/* libfftgen-llvm: see targets/llvm/llvm.h. In: instructions. Out: an ELF object in
 * memory. */
#include "targets/llvm/plugin/lower.h"
#include "targets/llvm/plugin/passes.h"
#include <llvm-c/Analysis.h>
#include <llvm-c/Core.h>
#include <llvm-c/Support.h>
#include <llvm-c/Target.h>
#include <llvm-c/TargetMachine.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static fg_llvm plugin;
static LLVMTargetRef target;
static char *triple;

/* "-mavx2 -mfma -mtune=x" as "+avx2,+fma". */
static void features_of(const char *flags, char *out, size_t size) {
  size_t length = 0;
  *out = 0;
  for (const char *at = flags ? flags : ""; (at = strstr(at, "-m")); at++) {
    size_t word = strcspn(at, " ");
    if (memchr(at, '=', word) || length + word + 2 >= size) continue;
    length += (size_t)snprintf(out + length, size - length, "%s+%.*s", length ? "," : "", (int)word - 2, at + 2);
  }
}

static LLVMTargetMachineRef make_machine(const char *features, int level) {
  static const LLVMCodeGenOptLevel levels[] = {LLVMCodeGenLevelNone, LLVMCodeGenLevelLess, LLVMCodeGenLevelDefault,
                                               LLVMCodeGenLevelAggressive};
  return LLVMCreateTargetMachine(target, triple, "x86-64", features, levels[level < 0 || level > 3 ? 2 : level],
                                 LLVMRelocPIC, LLVMCodeModelSmall);
}

static pthread_mutex_t order_lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t order_is_left = PTHREAD_COND_INITIALIZER;
static int order_users;
static bool order_is_by_heights;

/* Instructions are in an order in which few values live at once; LLVM's own order for the machine takes time to
 * find and more registers. Where registers are left it is its list scheduler's, by heights. The switches are the
 * library's: who else uses it in this process gets them back, and who wants them otherwise waits. */
static bool change_order(bool begin, bool heights) {
  const char *const word[] = {"libfftgen-llvm", begin ? "-enable-misched=false" : "-enable-misched=true",
                              begin && heights ? "-pre-RA-sched=list-burr" : "-pre-RA-sched=default"};
  pthread_mutex_lock(&order_lock);
  while (begin && order_users && order_is_by_heights != heights) pthread_cond_wait(&order_is_left, &order_lock);
  if (begin ? order_users++ == 0 : --order_users == 0) LLVMParseCommandLineOptions(3, word, "");
  if (begin) order_is_by_heights = heights;
  if (!order_users) pthread_cond_broadcast(&order_is_left);
  pthread_mutex_unlock(&order_lock);
  return heights;
}

/* LLVM's verifier leaves a message even where it has nothing to say. */
static bool is_wrong(LLVMModuleRef module, char why[FG_WHY_SIZE]) {
  char *message = NULL;
  bool wrong = LLVMVerifyModule(module, LLVMReturnStatusAction, &message);
  if (wrong) snprintf(why, FG_WHY_SIZE, "LLVM: %.400s", message);
  LLVMDisposeMessage(message);
  return wrong;
}

/* Some innermost loop stores numbers one by one, where there are vectors: copies in a new order, zeros. */
static bool has_scalar_loop(const fg_instructions *code) {
  bool inside = false, scalar = false;
  for (int32_t n = 0; n < code->count && code->vector_bytes; n++) {
    const fg_instr *i = &code->instr[n];
    if (i->op == FG_CODE_LOOP) inside = true, scalar = false;
    if (inside && (i->op == FG_CODE_STORE || i->op == FG_CODE_STREAM)) scalar = i->lanes == 1;
    if (i->op == FG_CODE_END && inside && scalar) return true;
    if (i->op == FG_CODE_END) inside = false;
  }
  return false;
}

static bool has_variables(const fg_instructions *code) {
  for (int32_t n = 0; n < code->count; n++)
    if (code->instr[n].op == FG_CODE_VARIABLE) return true;
  return false;
}

/* The attribute keeps LLVM from making vectors of stores that are close to each other, which costs shuffles, and from
 * the passes here. */
static int run_passes(LLVMModuleRef module, LLVMTargetMachineRef machine, const fg_llvm_job *job,
                      char why[FG_WHY_SIZE]) {
  bool variables = has_variables(job->code), loops = job->level > 0 && has_scalar_loop(job->code);
  int status = variables || loops ? fg_llvm_run_passes(module, machine, variables, loops, why) : 0;
  for (LLVMValueRef f = LLVMGetFirstFunction(module); f; f = LLVMGetNextFunction(f))
    if (!LLVMIsDeclaration(f)) fg_llvm_add_attribute(f, "noimplicitfloat");
  return status;
}

static int emit(LLVMModuleRef module, LLVMTargetMachineRef machine, const fg_llvm_job *job, fg_llvm_object *out,
                char why[FG_WHY_SIZE]) {
  char *message = NULL;
  LLVMMemoryBufferRef buffer;
  LLVMTargetDataRef layout = LLVMCreateTargetDataLayout(machine);
  LLVMSetModuleDataLayout(module, layout);
  LLVMDisposeTargetData(layout);
  LLVMSetTarget(module, triple);
  if (secure_getenv("FFTGEN_LLVM_CHECK") && is_wrong(module, why)) return 1;
  if (run_passes(module, machine, job, why)) return 1;
  if (LLVMTargetMachineEmitToMemoryBuffer(machine, module, LLVMObjectFile, &message, &buffer)) {
    snprintf(why, FG_WHY_SIZE, "LLVM: %.400s", message ? message : "no object");
    LLVMDisposeMessage(message);
    return 1;
  }
  *out = (fg_llvm_object){LLVMGetBufferStart(buffer), LLVMGetBufferSize(buffer), buffer};
  return 0;
}

static int compile(const fg_llvm_job *job, fg_llvm_object *out, char why[FG_WHY_SIZE]) {
  char features[256];
  if (job->code->field) return snprintf(why, FG_WHY_SIZE, "code over a prime field is interpreted"), 1;
  features_of(job->flags, features, sizeof features);
  fg_lowering l = {.context = LLVMContextCreate(),
                   .features = features,
                   .cpu = plugin.cpu,
                   .fma = job->contract && strstr(features, "+fma") != NULL};
  l.module = LLVMModuleCreateWithNameInContext(job->name, l.context);
  LLVMTargetMachineRef machine = make_machine(features, job->level);
  int status = machine ? fg_llvm_lower(&l, job, why) : snprintf(why, FG_WHY_SIZE, "LLVM has no such machine");
  bool heights = change_order(true, fg_llvm_is_roomy(job->code));
  if (!status) status = emit(l.module, machine, job, out, why);
  change_order(false, heights);
  if (machine) LLVMDisposeTargetMachine(machine);
  LLVMDisposeModule(l.module);
  LLVMContextDispose(l.context);
  return status;
}

static void release(fg_llvm_object *object) {
  if (object->owner) LLVMDisposeMemoryBuffer((LLVMMemoryBufferRef)object->owner);
  *object = (fg_llvm_object){0};
}

const fg_llvm *fftgen_llvm(void);
__attribute__((visibility("default"))) const fg_llvm *fftgen_llvm(void) {
  static char version[64];
  unsigned major, minor, patch;
  char *message = NULL;
  if (plugin.abi) return &plugin;
  LLVMInitializeX86TargetInfo();
  LLVMInitializeX86Target();
  LLVMInitializeX86TargetMC();
  LLVMInitializeX86AsmPrinter();
  triple = LLVMGetDefaultTargetTriple();
  if (LLVMGetTargetFromTriple(triple, &target, &message)) return NULL;
  LLVMGetVersion(&major, &minor, &patch);
  snprintf(version, sizeof version, "LLVM %u.%u.%u", major, minor, patch);
  plugin = (fg_llvm){FG_LLVM_ABI, version, LLVMGetHostCPUName(), compile, release};
  return &plugin;
}
