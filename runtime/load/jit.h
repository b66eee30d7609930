/* The functions of libfftgen-jit: the generator, and compilers that need no device. The runtime loads it by dlopen;
 * its only symbol is FG_JIT_SYMBOL, a function of type fg_jit_entry. */
#ifndef FG_JIT_H
#define FG_JIT_H
#include "targets/device.h"
#include <stdbool.h>

#define FG_JIT_SYMBOL "fftgen_jit"
#define FG_KERNEL_SYMBOL "fftgen_kernel_here" /* of every shared object that holds one kernel */
enum { FG_JIT_ABI = 10, FG_JIT_MESSAGE = 1024 };

typedef struct fg_jit_request {
  const char *problem;
  const char *plan;   /* NULL: the cheapest by the shipped model */
  const char *isa;    /* NULL: the widest of this CPU */
  const char *kind;   /* and version of the C compiler wanted: "gcc 12.2"; NULL: whatever is best */
  const char *arch;   /* row of the table of machines that is planned for; NULL: this machine's */
  const char *output; /* shared object to be written */
  /* Is the object of this address there already? Then nothing is compiled. */
  bool (*have)(void *context, const char *address);
  void *context;
} fg_jit_request;

typedef enum fg_jit_status {
  FG_JIT_BUILT,     /* output is there */
  FG_JIT_HAVE,      /* `have` said yes */
  FG_JIT_REFUSED,   /* not this problem or plan: the message says why */
  FG_JIT_FAILED,    /* no compiler, no memory, a broken file system */
  FG_JIT_UNWRITTEN, /* output cannot be written: a full disk, for example. Another output may do */
} fg_jit_status;

typedef struct fg_jit_result {
  char address[40];             /* of source, compiler, flags and CPU */
  char message[FG_JIT_MESSAGE]; /* not BUILT, not HAVE: why; else a remark, as what was done without, or nothing */
  bool passing;                 /* BUILT without the better means, which may be there later: not to be kept */
} fg_jit_result;

/* For devices that launch kernels. */
typedef struct fg_jit_order {
  const char *problem, *target;
  const char *plan;             /* NULL: the cheapest by the shipped model */
  const char *isa;              /* width of vectors, where the device has any; NULL: the device's */
  const char *arch;             /* row of the table of machines that is planned for; NULL: the device */
  const fg_device_facts *facts; /* of the device */
  bool sure;                    /* proved before it is returned: a plan that fails is replaced by the next */
} fg_jit_order;

typedef struct fg_jit_bytes { /* release with fg_jit.release */
  void *bytes;
  size_t size;
  void *proof; /* of a package, under way; NULL: none */
} fg_jit_bytes;

typedef struct fg_jit_source {
  const char *target;
  const char *text;
  const char *arch; /* "sm_90" */
} fg_jit_source;

typedef struct fg_jit {
  int abi;             /* FG_JIT_ABI */
  const char *version; /* fg_version of the generator */
  fg_jit_status (*build)(const fg_jit_request *request, fg_jit_result *result);
  /* A package (package.h) with the source as its only code. Its proof runs in a thread of its own, so that it can
   * be compiled meanwhile, unless the order says `sure`. */
  fg_jit_status (*package)(const fg_jit_order *order, fg_jit_bytes *out, fg_jit_result *result);
  /* Waits for the proof: BUILT, or why not. Nothing of a package may be run or kept before. */
  fg_jit_status (*proved)(fg_jit_bytes *package, fg_jit_result *result);
  /* Machine code. REFUSED: the source is wrong; FAILED: there is no compiler for this target. */
  fg_jit_status (*compile)(const fg_jit_source *source, fg_jit_bytes *out, fg_jit_result *result);
  void (*release)(fg_jit_bytes *bytes);
  /* Plans of the problem on this CPU, the best by the shipped model first, at most so many: take gets their texts. */
  fg_jit_status (*plans)(const fg_jit_request *request, int most, void (*take)(void *context, const char *plan),
                         void *context, fg_jit_result *result);
} fg_jit;

typedef const fg_jit *fg_jit_entry(void);
#endif
