/* What libfftgen-llvm offers: instructions (targets/code.h) as a relocatable ELF
 * object, made by LLVM inside this process. It is found with dlopen, so that
 * nothing else links LLVM; its only symbol is FG_LLVM_SYMBOL, a function of type
 * fg_llvm_entry.
 *
 * The object defines   void NAME_entry(void *const *slots, const long long *params)
 * where the code has steps   void NAME_part_entry(slots, params, int step, int part, int parts)
 * where it is asked for   void NAME_direct(const void *in, void *out)
 * and wants FG_LLVM_TABLE_NAME symbols, one for each table of the code. */
#ifndef FG_LLVM_H
#define FG_LLVM_H
#include "targets/code.h"
#include "targets/device.h"

#define FG_LLVM_SYMBOL "fftgen_llvm"
#define FG_LLVM_TABLE_NAME "%s_table%d" /* name, number of the table */
enum { FG_LLVM_ABI = 3 };

typedef struct fg_llvm_job {
  const fg_instructions *code;
  const char *name;  /* prefix of symbols */
  const char *flags; /* a C compiler's, of an ISA: "-mavx2 -mfma" */
  bool contract;     /* fused instructions are rounded once, where the ISA has them */
  int level;         /* of code generation: 0 .. 3 */
  bool direct;       /* the code has no arguments but an input and an output, and no parameters */
} fg_llvm_job;

typedef struct fg_llvm_object {
  const void *bytes;
  size_t size;
  void *owner; /* for release */
} fg_llvm_object;

typedef struct fg_llvm {
  int abi;
  const char *version; /* "LLVM 19.1.7" */
  const char *cpu;     /* that code is tuned for */
  int (*compile)(const fg_llvm_job *job, fg_llvm_object *out, char why[FG_WHY_SIZE]);
  void (*release)(fg_llvm_object *object);
} fg_llvm;

typedef const fg_llvm *fg_llvm_entry(void);

/* targets/llvm/load.c: the plugin, once loaded it stays. NULL with the reason in why. */
const fg_llvm *fg_llvm_load(char why[FG_WHY_SIZE]);
#endif
