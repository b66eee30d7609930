/* Inside libfftgen-llvm. */
#ifndef FG_LLVM_LOWER_H
#define FG_LLVM_LOWER_H
#include "targets/llvm/llvm.h"

struct LLVMOpaqueValue;

typedef struct fg_lowering {
  struct LLVMOpaqueContext *context; /* LLVMContextRef: files that include this may lack LLVM's headers */
  struct LLVMOpaqueModule *module;
  const char *features; /* "+avx2,+fma" */
  const char *cpu;      /* to tune for */
  bool fma;             /* the ISA has fused instructions, and they are wanted */
} fg_lowering;

/* Adds the functions of the job (llvm.h) to the module. Nonzero with the reason in why. */
int fg_llvm_lower(const fg_lowering *l, const fg_llvm_job *job, char why[FG_WHY_SIZE]);
void fg_llvm_add_attribute(struct LLVMOpaqueValue *function, const char *word);
/* pressure.c: where vectors have to leave their registers. */
bool fg_llvm_is_crowded(const fg_instructions *code);
bool fg_llvm_is_roomy(const fg_instructions *code); /* vectors leave registers free, in one block */
#endif
