/* fg_device: builds, runs and times emitted sources. A vtable; the table is targets/devices.c. Nothing links a GPU
 * SDK or a compiler: they are loaded on demand (dlopen, PATH), and a device that is absent says why. */
#ifndef FG_DEVICE_H
#define FG_DEVICE_H
#include "targets/artifact.h"
#include "targets/machine/machine.h"

typedef struct fg_resident_memory { /* of a device, for arrays that stay there while many modules work on them */
  int (*take)(size_t bytes, void **out, char why[]);
  int (*put)(void *to, const void *from, size_t bytes, char why[]);   /* from the host */
  int (*fetch)(void *to, const void *from, size_t bytes, char why[]); /* to the host */
  void (*release)(void *memory);
} fg_resident_memory;

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
  char arch[16];            /* as `compile` takes it: "sm_90"; "": it has none */
  bool is_gpu_like;         /* threads, local memory, barriers; else: lanes and loops */
  int lanes_f32, lanes_f64; /* SIMD width (1: scalar) */
  int registers;            /* vector registers, or per-thread budget */
  size_t local_bytes;       /* of one block; 0: no memory of that kind */
  int max_threads;          /* per block; 1 where there are none */
  int wave;                 /* threads in lockstep: 32, 64; 0: not known */
  int cluster;              /* most blocks that share their local memory; 0 or 1: blocks are alone */
  bool queue;               /* blocks may stay, and wait for each other */
  bool has_f16, has_f64;
  bool has_fma;
  size_t cache[3];    /* data caches, bytes; 0: unknown */
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
  int spilled;      /* bytes that a thread keeps in memory for want of registers, the worst kernel's */
} fg_code;

/* Errors are text: 0 = success, else one line in why[]. */
enum { FG_WHY_SIZE = 512 };

typedef struct fg_device {
  const char *name; /* "cc", "tcc", "opencl" */
  const char *help; /* what runs there and what runs it; one line */
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
  /* As build, of code that `compile` made of the artifact's source for "native"; the source is not looked at. NULL:
   * cannot. */
  int (*load)(const fg_artifact *a, const fg_code *code, fg_module **out, char why[FG_WHY_SIZE]);
  const fg_resident_memory *memory; /* NULL: arrays are the host's, and are copied to and fro */
  /* Name and version of a compiler that needs no device of the kind; NULL: there is none. */
  int (*compiler)(char *version, size_t size, char why[FG_WHY_SIZE]);
} fg_device;

const fg_device *const *fg_device_table(void);     /* targets/devices.c, NULL-terminated */
const fg_device *fg_device_find(const char *name); /* NULL: none of that name */
#endif
