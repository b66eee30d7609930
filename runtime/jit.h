/* What libfftgen-jit offers to the runtime: the generator and a compiler behind
 * one function. It is found with dlopen; its only symbol is FG_JIT_SYMBOL, a
 * function of type fg_jit_entry. */
#ifndef FG_JIT_H
#define FG_JIT_H
#include <stdbool.h>

#define FG_JIT_SYMBOL "fftgen_jit"
#define FG_KERNEL_SYMBOL "fftgen_kernel_here" /* of every shared object that holds one kernel */
enum { FG_JIT_ABI = 1, FG_JIT_MESSAGE = 1024 };

typedef struct fg_jit_request {
  const char *problem;
  const char *plan;    /* NULL: the cheapest by the shipped model */
  const char *isa;     /* NULL: the widest of this CPU */
  const char *command; /* the compiler; NULL: the best found */
  const char *output;  /* shared object to be written */
  /* Is the object of this address there already? Then nothing is compiled. */
  bool (*have)(void *context, const char *address);
  void *context;
} fg_jit_request;

typedef enum fg_jit_status {
  FG_JIT_BUILT,   /* output is there */
  FG_JIT_HAVE,    /* `have` said yes */
  FG_JIT_REFUSED, /* not this problem or plan: the message says why */
  FG_JIT_FAILED,  /* no compiler, no memory, a broken file system */
} fg_jit_status;

typedef struct fg_jit_result {
  char address[40];             /* of source, compiler, flags and CPU */
  char message[FG_JIT_MESSAGE]; /* not BUILT, not HAVE */
} fg_jit_result;

typedef struct fg_jit {
  int abi;             /* FG_JIT_ABI */
  const char *version; /* fg_version of the generator */
  fg_jit_status (*build)(const fg_jit_request *request, fg_jit_result *result);
} fg_jit;

typedef const fg_jit *fg_jit_entry(void);
#endif
