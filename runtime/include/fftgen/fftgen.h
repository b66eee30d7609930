/* libfftgen: plan, execute, destroy. A plan looks for a kernel in this order: those linked into the program, those in a
 * pack, those in this user's cache; if libfftgen-jit is installed, it generates one. Wisdom (files of `fftgen tune`)
 * says which plan is the fastest on this machine.
 *
 * Sign, scale, strides and order of the output are those of the problem's text, for example
 * "c2c f32 n=1024 batch=16 sign=+1" (docs/problem.md). Any thread may call every function; several threads may execute
 * a plan at once. */
#ifndef FFTGEN_H
#define FFTGEN_H
#include "kernel.h"
#include "problem.h"

#ifdef __cplusplus
extern "C" {
#endif

#define FFTGEN_VERSION 200 /* 10000 * major + 100 * minor + patch; everything else reads it here */
#if defined(__GNUC__)
#define FFTGEN_API __attribute__((visibility("default")))
#else
#define FFTGEN_API
#endif

typedef enum fftgen_status {
  FFTGEN_OK = 0,
  FFTGEN_EPROBLEM = -1,  /* the problem or an argument is not valid */
  FFTGEN_ENOKERNEL = -2, /* no kernel for it, and none can be made here: the message says why */
  FFTGEN_ESYSTEM = -3,   /* files, processes, loading */
  FFTGEN_ENOMEM = -4,
  FFTGEN_EBUSY = -5 /* devices: all workspaces of the plan belong to other streams */
} fftgen_status;

typedef struct fftgen_error { /* every function takes NULL in its place */
  fftgen_status status;
  char message[1024]; /* one line */
} fftgen_error;

typedef struct fftgen_plan fftgen_plan; /* never changes once created */

typedef struct fftgen_allocator {                                   /* of plans, their tables and scratch */
  void *(*allocate)(void *context, size_t bytes, size_t alignment); /* NULL: none left */
  void (*release)(void *context, void *memory);
  void *context;
} fftgen_allocator;

/* Runs work(data, 0) ... work(data, parts - 1), in any order and on any threads,
 * and returns when all of them are done. */
typedef void (*fftgen_work)(void *data, int part);
typedef void (*fftgen_parallel_for)(void *context, int parts, fftgen_work work, void *data);
typedef void (*fftgen_warning)(void *context, const char *message);

enum { FFTGEN_NO_LINKED = 1, FFTGEN_NO_CACHE = 2, FFTGEN_NO_JIT = 4, FFTGEN_NO_WISDOM = 8, FFTGEN_NO_PACK = 16 };

/* How a plan is chosen if wisdom has no line about the problem: by the model; by timing the model's best few in this
 * process, within seconds; by timing more of them. Wisdom keeps the result, so that a problem is measured once. */
typedef enum fftgen_effort { FFTGEN_ESTIMATE = 0, FFTGEN_MEASURE = 1, FFTGEN_PATIENT = 2 } fftgen_effort;

typedef struct fftgen_options {      /* zero in a field: the default */
  size_t size;                       /* sizeof(fftgen_options) */
  unsigned flags;                    /* FFTGEN_NO_...: sources of kernels to ignore */
  const fftgen_allocator *allocator; /* default: malloc */
  const char *wisdom;                /* file; default: $FFTGEN_WISDOM, ~/.local/share/fftgen/wisdom.jsonl */
  const char *cache;                 /* folder; default: $FFTGEN_CACHE, ~/.cache/fftgen */
  const char *plan;                  /* text; default: wisdom's, else the cheapest by the shipped model */
  int concurrency;                   /* executions at once with the plan's scratch; default: one a CPU */
  fftgen_warning warning;            /* damaged wisdom, caches that cannot be written; default: silence */
  void *warning_context;
  fftgen_parallel_for parallel_for; /* default: the calling thread alone */
  void *parallel_context;
  int threads;      /* parts of an execution, with parallel_for; default: one a CPU */
  const char *pack; /* folder or archive (.tar) of `fftgen pack`; default: $FFTGEN_PACK */
  const char *arch; /* machine that plans are made for (`fftgen devices --arch`), in place of the one that runs them and
                     * of wisdom about it; default: none */
  fftgen_effort effort; /* default: FFTGEN_ESTIMATE. Plans for devices are measured by `fftgen tune` alone */
  double time_limit;    /* seconds of planning; the first plan is made in any case. Default: 1 after it, patient 20 */
} fftgen_options;

/* options, error: may be NULL. *plan is NULL unless FFTGEN_OK. */
FFTGEN_API fftgen_status fftgen_plan_create(const char *problem, const fftgen_options *options, fftgen_plan **plan,
                                            fftgen_error *error);
/* The same from a struct; and the struct's text, for functions that take texts: FFTGEN_TEXT_SIZE bytes suffice. */
enum { FFTGEN_TEXT_SIZE = 4096 };
FFTGEN_API fftgen_status fftgen_plan_create_from(const fftgen_problem *problem, const fftgen_options *options,
                                                 fftgen_plan **plan, fftgen_error *error);
FFTGEN_API fftgen_status fftgen_problem_text(const fftgen_problem *problem, char *text, size_t size,
                                             fftgen_error *error);
/* Of conv and rconv with filter=: the problem of the transform, executed once, of the filters to their spectra. */
FFTGEN_API fftgen_status fftgen_prepare_text(const char *problem, char *text, size_t size, fftgen_error *error);
FFTGEN_API void fftgen_plan_destroy(fftgen_plan *plan); /* NULL allowed; no execution may be running */

typedef struct fftgen_arrays {
  const void *in, *in_im;   /* in_im: imaginary parts, where the input is split */
  void *out, *out_im;       /* in place: the pointers of the input, or NULL */
  const long long *params;  /* run-time parameters, in the order of the problem's text */
  void *scratch;            /* info.scratch bytes, aligned to 64, for this call alone; NULL: the plan's
                             * (always so if a batch is divided into parts) */
  const void *const *given; /* conv's spectrum; then arrays of load= and store=, in the order of the text */
} fftgen_arrays;

/* They allocate nothing and take no lock. More executions at once than `concurrency` wait for each other's scratch,
 * unless they have their own. */
FFTGEN_API fftgen_status fftgen_execute(const fftgen_plan *plan, const void *in, void *out);
FFTGEN_API fftgen_status fftgen_execute_arrays(const fftgen_plan *plan, const fftgen_arrays *arrays);

/* A transform of two points takes less time than a call of a library that calls a kernel. So fftgen_execute is an
 * inline function: it calls the kernel if that takes two arrays alone, and else the library, which checks the
 * arguments. */
FFTGEN_API fftgen_status fftgen_execute_called(const fftgen_plan *plan, const void *in, void *out);
#if defined(__GNUC__) && !defined(FFTGEN_NO_INLINE)
typedef struct fftgen_front { /* every plan begins so */
  void (*direct)(const void *in, void *out);
} fftgen_front;
extern __inline__ __attribute__((__gnu_inline__)) fftgen_status fftgen_execute(const fftgen_plan *plan, const void *in,
                                                                               void *out) {
  const fftgen_front *front = (const fftgen_front *)(const void *)plan;
  if (!plan || !front->direct || !in || !out || in == out) return fftgen_execute_called(plan, in, out);
  front->direct(in, out);
  return FFTGEN_OK;
}
#endif

typedef struct fftgen_info { /* texts live as long as the plan */
  size_t size;               /* sizeof(fftgen_info), set by the caller */
  const char *problem, *plan, *isa;
  const char *origin;                          /* "linked", "pack", "cache" or "jit" */
  const char *reasons;                         /* why earlier sources had no kernel; and what wisdom said */
  size_t in_bytes, out_bytes, scratch, tables; /* arrays: of both parts together */
  int64_t flops, bytes;                        /* of one call */
  double ns;                                   /* time of one call, measured now or by wisdom; 0: not known */
  int parts;                                   /* of a batch, or of each step of a transform */
} fftgen_info;
FFTGEN_API fftgen_status fftgen_plan_info(const fftgen_plan *plan, fftgen_info *info);

/* Kernels linked into the program: a table of pointers ended by NULL, which must stay valid. A table may be registered
 * twice. */
FFTGEN_API fftgen_status fftgen_register(const fftgen_kernel *const *table);

/* The user's wisdom (options.wisdom, else as for plans). Import adds the lines of a file, the better one of two about
 * the same fact. Export writes all lines to a file, which is replaced. Forget removes all lines about a problem on this
 * machine, for NULL all about this machine; lines of other machines stay. */
FFTGEN_API fftgen_status fftgen_wisdom_import(const char *file, const fftgen_options *options, fftgen_error *error);
FFTGEN_API fftgen_status fftgen_wisdom_export(const char *file, const fftgen_options *options, fftgen_error *error);
FFTGEN_API fftgen_status fftgen_wisdom_forget(const char *problem, const fftgen_options *options, fftgen_error *error);
FFTGEN_API int fftgen_version(void); /* FFTGEN_VERSION of the library */
FFTGEN_API const char *fftgen_status_text(fftgen_status status);
FFTGEN_API const char *fftgen_fingerprint(void); /* this machine's name in wisdom */
#ifdef __cplusplus
}
#endif
#endif
