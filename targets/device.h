/* fg_device: a way to build, run and time emitted sources. A vtable; the table
 * is targets/devices.c. Nothing links a GPU SDK or a compiler: they are found
 * when asked for (dlopen, PATH), and an absent one says why.
 *
 * What passes from the generator to a device is an fg_artifact: text and launch
 * descriptions, no representation of the compiler's own. */
#ifndef FG_DEVICE_H
#define FG_DEVICE_H
#include "targets/machine.h"
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* GIVEN: operands of load and store operations, which callers bring; a device takes them from `content`. */
typedef enum fg_arg_kind { FG_ARG_IN, FG_ARG_OUT, FG_ARG_WORK, FG_ARG_TABLE, FG_ARG_GIVEN } fg_arg_kind;

typedef struct fg_arg_buffer { /* one buffer of the program that a caller must provide */
  const char *name;
  fg_arg_kind kind;
  size_t bytes;        /* with run-time parameters at their upper ends */
  bool split;          /* IN, OUT: two pointers, each of bytes / 2 */
  const void *content; /* TABLE, GIVEN: what it holds (owned by the artifact's arena); NULL: filled by `init` */
} fg_arg_buffer;

enum { FG_MAX_ARGUMENT_SLOTS = 128 };

/* A buffer takes one PLACE among the pointers of a call, a split one two (re,
 * im). An argument is a place, or a run-time parameter (64 bits). */
typedef struct fg_launch_arg {
  bool is_param;
  int index;
} fg_launch_arg;

typedef struct fg_launch { /* one kernel launch, for targets that launch */
  const char *entry;
  int threads;       /* per block */
  int nblock_factor; /* blocks = product of factors */
  struct {
    int64_t n;
    int param;
    int64_t div;
  } block_factor[8]; /* n * (param < 0 ? 1 : ceil(p / div)) */
  size_t local_bytes;
  int cluster;     /* blocks of a cluster: the number of blocks is a multiple; 1: none */
  bool persistent; /* as many blocks as the device holds at once, at most that product: they go through all numbers */
  bool bulk;       /* it copies in bulk between arrays and its shared memory: compute capability 9.0 */
  bool balanced;   /* a cluster's blocks go wherever there is room */
  int carveout;    /* percent of what blocks share with L1 that they may take; 0: the plan does not say */
  int narg;
  fg_launch_arg arg[32];
} fg_launch;

/* Its `carve`; -1 where fewer blocks would be no better: what is copied in bulk passes the cache by, clusters come
 * and blocks stay in given numbers. */
static inline int fg_launch_carveout(const fg_launch *l) {
  bool given = l->bulk || l->persistent || l->cluster > 1 || !l->local_bytes;
  return l->carveout || !given ? l->carveout : -1;
}

/* Blocks of one launch with these values of the run-time parameters. */
int64_t fg_launch_blocks(const fg_launch *l, const int64_t *params);

typedef struct fg_artifact {
  const char *dialect; /* name */
  const char *name;    /* symbol prefix */
  const char *source;  /* one self-standing translation unit */
  size_t source_bytes;
  const struct fg_instructions
      *instructions; /* dialects of instructions (targets/code.h): the same as source, which lists it */
  const char *flags; /* extra compiler flags (ISA) */
  /* C: the source defines
   *   void NAME_entry(void *const *places, const long long *params)
   *   void NAME_init_entry(void *const *places)  when needs_init */
  int64_t longest; /* operations of its longest piece without a branch */
  bool needs_init;
  /*   void NAME_part_entry(places, params, int step, int part, int parts)  when nstep > 0 */
  int nstep;
  size_t part_bytes; /* of scratch, behind what its buffer says, for each part but the first */
  int nbuffer;
  fg_arg_buffer buffer[64];
  int nparam;
  int nlaunch; /* 0 for C */
  fg_launch *launch;
} fg_artifact;

/* Place of buffer i; i = nbuffer: number of places. */
int fg_artifact_slot(const fg_artifact *a, int i);
/* A call wants nothing but an input and an output, each in one place. */
bool fg_artifact_is_direct(const fg_artifact *a);

typedef struct fg_call { /* one execution, or many of the same */
  void *const *place;    /* host pointers; those of WORK and TABLE are ignored (the module has its own).
                          * In place: the places of IN and OUT hold the same pointer. */
  const size_t *bytes;   /* of each place, where less than the artifact says (run-time parameters); NULL: as there */
  const int64_t *params; /* run-time parameters */
} fg_call;

typedef struct fg_samples { /* executions, each measured alone; nanoseconds, the caller's arrays */
  int most;                 /* asked for */
  double seconds;           /* not many more than these; 0: no limit */
  int count;                /* taken */
  double *total;            /* [most]: from the call until the host knows that it is over */
  double *inside;           /* [most]: what the device itself took, by its own clock */
  bool has_inside;          /* false: it has none (CPUs: a call is no launch) */
} fg_samples;

typedef struct fg_device_facts {
  char name[128];           /* "AMD EPYC ...", "pthread-..." */
  char version[128];        /* compiler or driver */
  char flags[128];          /* compiler flags that every build gets */
  char identity[260];       /* as wisdom and caches know it: name, driver, capability; "": by name and version */
  bool is_gpu_like;         /* threads, local memory, barriers; else: lanes and loops */
  int lanes_f32, lanes_f64; /* SIMD width (1: scalar) */
  int registers;            /* vector registers, or per-thread budget */
  size_t local_bytes;       /* of one block; 0: no memory of that kind */
  int max_threads;          /* per block; 1 where there are none */
  int wave;                 /* threads that go in step: 32, 64; 0: not known */
  int cluster;              /* most blocks that share their local memory; 0 or 1: blocks are alone */
  bool queue;               /* blocks may stay, and wait for each other */
  bool has_f16, has_f64;
  bool has_fma;
  size_t cache[3];    /* data caches, bytes; 0: unknown */
  bool effort_fast;   /* whoever asks waits for the compiler: plans of short codelets */
  fg_machine machine; /* what is known of it: the row of its kind, with what it said of itself; no name: nothing */
} fg_device_facts;

/* machine_facts.c: those of a row, as if such a device had been asked. */
void fg_machine_facts(const fg_machine *m, fg_device_facts *facts);

typedef struct fg_module fg_module; /* built and loaded */

typedef struct fg_code { /* machine code, or what a driver makes it of */
  void *bytes;           /* to be freed */
  size_t size;
  const char *form; /* "cubin", "ptx", "binary" */
  char fits[260];   /* the architecture, or the identity of the one device that takes it */
} fg_code;

/* Errors are text: 0 = success, else one line in why[]. */
enum { FG_WHY_SIZE = 512 };

typedef struct fg_device {
  const char *name; /* "cc", "tcc", "opencl" */
  const char *help; /* what runs there, by whom; one line */
  const char *dialect;
  bool has_lanes; /* makes vector code */
  bool on_host;   /* runs on this CPU, in this process */
  /* 0 and facts, or nonzero and the reason of absence in why. */
  int (*probe)(fg_device_facts *facts, char why[FG_WHY_SIZE]);
  int (*build)(const fg_artifact *a, fg_module **out, char why[FG_WHY_SIZE]);
  /* Runs once; copies to and from the device as needed. A module serves one thread at a time. */
  int (*run)(fg_module *m, const fg_call *call, char why[FG_WHY_SIZE]);
  /* Median nanoseconds of one execution on data already at the device: at least
   * five samples, more until `seconds` are over. What the buffers hold later is
   * unspecified (in place: transforms of transforms). */
  int (*time)(fg_module *m, const fg_call *call, double seconds, double *ns, char why[FG_WHY_SIZE]);
  /* Executions one by one, as time() has them; the first, which warms up, is not kept. NULL: cannot. */
  int (*sample)(fg_module *m, const fg_call *call, fg_samples *s, char why[FG_WHY_SIZE]);
  void (*destroy)(fg_module *m); /* NULL allowed */
  /* For builds from now on. cc: "compiler" ("gcc", "clang", a path), "flags" (further ones), "kind" ("gcc 12.2": one
   * of the usual compilers that is like it); opencl: "platform", "device" (number or part of the name); cuda: "device"
   * (number). NULL value: as before any option. Unknown keys
   * fail. */
  int (*option)(const char *key, const char *value, char why[FG_WHY_SIZE]);
  /* What the kernels of a module, built from `a`, take of the device (registers, memory), one line; NULL: it does not
   * say. */
  int (*describe)(const fg_module *m, const fg_artifact *a, char *text, size_t size);
  /* Bytes that a thread keeps in memory for want of registers, the worst kernel's; NULL: it does not say. */
  int (*spilled)(const fg_module *m);
  /* Code of a source for an architecture: "sm_90", "compute_90" for the driver to finish, "native" for the device that
   * would run it. NULL: this device gives none away. */
  int (*compile)(const char *source, const char *arch, fg_code *out, char why[FG_WHY_SIZE]);
  /* Name and version of a compiler that needs no device of the kind; NULL: there is none. */
  int (*compiler)(char *version, size_t size, char why[FG_WHY_SIZE]);
} fg_device;

const fg_device *const *fg_device_table(void);     /* targets/devices.c, NULL-terminated */
const fg_device *fg_device_find(const char *name); /* NULL: none of that name */
#endif
