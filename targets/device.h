/* fg_device: a way to build, run and time emitted sources. A vtable; the table
 * is targets/devices.c. Nothing links a GPU SDK or a compiler: they are found
 * when asked for (dlopen, PATH), and an absent one says why.
 *
 * What passes from the generator to a device is an fg_artifact: text and launch
 * descriptions, no representation of the compiler's own. */
#ifndef FG_DEVICE_H
#define FG_DEVICE_H
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef enum fg_arg_kind { FG_ARG_IN, FG_ARG_OUT, FG_ARG_WORK, FG_ARG_TABLE } fg_arg_kind;

typedef struct fg_arg_buffer {  /* one buffer of the program that a caller must provide */
  const char *name;
  fg_arg_kind kind;
  size_t bytes;                 /* with run-time parameters at their upper ends */
  bool split;                   /* IN, OUT: two pointers, each of bytes / 2 */
  const void *content;          /* TABLE: what it holds (owned by the artifact's arena); NULL: filled by `init` */
} fg_arg_buffer;

typedef struct fg_launch_arg { bool is_param; int index; } fg_launch_arg; /* buffer or run-time parameter */

typedef struct fg_launch {      /* one kernel launch, for targets that launch */
  const char *entry;
  int threads;                  /* per block */
  int nblock_factor;            /* blocks = product of factors */
  struct { int64_t n; int param; int64_t div; } block_factor[8]; /* n * (param < 0 ? 1 : ceil(p / div)) */
  size_t local_bytes;
  int narg;
  fg_launch_arg arg[32];
} fg_launch;

typedef struct fg_artifact {
  const char *dialect;          /* name */
  const char *name;             /* symbol prefix */
  const char *source;           /* one self-standing translation unit */
  size_t source_bytes;
  const char *flags;            /* extra compiler flags (ISA) */
  /* C: the source defines
   *   void NAME_entry(void *const *buffers, const long long *params)
   * buffers in the order of `buffer` (split ones take two places: re, im).
   *   void NAME_init_entry(void *const *buffers)  when needs_init */
  bool needs_init;
  int nbuffer;
  fg_arg_buffer buffer[64];
  int nparam;
  int nlaunch;                  /* 0 for C */
  fg_launch *launch;
} fg_artifact;

typedef struct fg_device_facts {
  char name[128];               /* "AMD EPYC ...", "pthread-..." */
  char version[128];            /* compiler or driver */
  bool is_gpu_like;             /* threads, local memory, barriers; else: lanes and loops */
  int lanes_f32, lanes_f64;     /* SIMD width (1: scalar) */
  int registers;                /* vector registers, or per-thread budget */
  size_t local_bytes;           /* of one block */
  int max_threads;              /* per block */
  bool has_f16, has_f64;
  bool has_fma;
  size_t cache[3];              /* data caches, bytes; 0: unknown */
} fg_device_facts;

typedef struct fg_module fg_module; /* built and loaded */

/* Errors are text: 0 = success, else a static or device-owned line in why[]. */
enum { FG_WHY_SIZE = 512 };

typedef struct fg_device {
  const char *name;             /* "cc", "tcc", "opencl" */
  const char *dialect;
  bool has_lanes;               /* compiles vector extensions */
  /* 0 and facts, or nonzero and the reason of absence in why. */
  int (*probe)(fg_device_facts *facts, char why[FG_WHY_SIZE]);
  int (*build)(const fg_artifact *a, fg_module **out, char why[FG_WHY_SIZE]);
  /* Runs once. buffers: host pointers in the artifact's order (IN, OUT only need
   * be given; WORK and TABLE are the module's own and ignored). Copies as needed. */
  int (*run)(fg_module *m, void *const *buffers, const int64_t *params, char why[FG_WHY_SIZE]);
  /* Median nanoseconds of one execution on data already at the device. */
  int (*time)(fg_module *m, void *const *buffers, const int64_t *params, double seconds, double *ns,
              char why[FG_WHY_SIZE]);
  void (*destroy)(fg_module *m); /* NULL allowed */
  /* cc: the compiler to use ("gcc", "clang", a path); NULL: the best found. */
  int (*option)(const char *key, const char *value, char why[FG_WHY_SIZE]);
} fg_device;

const fg_device *const *fg_device_table(void); /* targets/devices.c, NULL-terminated */
const fg_device *fg_device_find(const char *name);
#endif
