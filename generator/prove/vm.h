/* fg_vm: the proof's virtual machine. It computes in several number systems side by side (two prime fields, or reals
 * of 113 bits). */
#ifndef FG_PROVE_VM_H
#define FG_PROVE_VM_H
#include "generator/prove/element_numbers.h"
#include "generator/prove/prove.h"
#include "generator/prove/ram.h"
#include "generator/prove/tape.h"

typedef struct fg_once_table { /* what the present SIMD group has stored to: a table of elements by their products */
  int shift;                   /* 64 - log2 of its length */
  int64_t *element;
  uint32_t *simd_group; /* that put it there */
} fg_once_table;

typedef struct fg_block_sample fg_block_sample; /* block_sample.h */

typedef struct fg_vm {
  fg_context *cx; /* of this walk alone */
  const fg_program *p;
  fg_proof *proof;
  const int64_t *params;
  uint64_t seed;
  fg_progress progress;
  int64_t expected;          /* addresses of the whole walk, for progress */
  int iteration, iterations; /* the field that runs now, and how many run one after the other */
  int primes;                /* 0 in a walk with reals */
  int first_prime;           /* number of the first of them, of those of the proof */
  bool reals, threads;
  bool seen;                           /* another walk looks for races, and counts */
  const fg_block_sample *sample;       /* the blocks to walk; NULL: all */
  struct fg_tensor *tensor[FG_PRIMES]; /* with a sample: inputs and results */
  /* with a sample: operations on single elements; NULL: there are none */
  const struct fg_operation_elements *loaded[FG_PRIMES], *stored[FG_PRIMES];
  struct fg_bits *replaced; /* with a sample, in place: elements that are inputs no more; else NULL */
  bool partial, nested;     /* a walk of ends; elements of the result are known by their strides */
  fg_field field[FG_PRIMES];
  struct fg_sums *sums[FG_PRIMES]; /* of results; NULL: this kind of transform has none */
  fg_gfc *line;                    /* scratch: a row of elements */
  fg_strides nest[2];              /* of the input, of the output */
  fg_bounds bounds[FG_MAX_BUFFERS];
  int memory_of[FG_MAX_BUFFERS]; /* index of the root buffer */
  fg_ram memory[FG_MAX_BUFFERS];
  const fg_gfc *table[FG_MAX_BUFFERS][FG_PRIMES]; /* by buffer */
  const fg_quadc *real_table[FG_MAX_BUFFERS];
  int ntape, nheld, nimages;
  fg_tape **tape;
  fg_pool_images *images;
  fg_held **held;
  fg_once_table once;
  fg_pool *pool;
  fg_book notes;                                          /* of threads */
  int64_t most_notes;                                     /* about a page */
  fg_page *spare;                                         /* idle; NULL: none */
  fg_gf *in[FG_PRIMES], *tw[FG_PRIMES], *root[FG_PRIMES]; /* root: what factors are products of */
  fg_quad *real_in, *real_tw, *real_root;
  size_t in_room, tw_room;
  int kernel, stage;            /* for messages */
  const struct fg_share *share; /* NULL: all of the walk */
  struct fg_shares *shares;     /* NULL: walked by one thread */
  int team;                     /* threads that there are for this walk */
  int64_t blocks;               /* of the present launch */
  bool parts;                   /* some stage may be cut: its parts are actors */
  uint32_t launch, block, epoch, simd_group, block_serial;
  uint32_t first_block;                  /* of the cluster */
  int ranks, rank;                       /* blocks of the present kernel's clusters; the present one's number in it */
  uint32_t begun, arrivals, waits, data; /* of the cluster's barrier: before the kernel; now; waited for; of data */
  fg_group group;                        /* of a queue: the present item's */
  int64_t transforms;                    /* of the present launch's queue; 0: there is none */
  int64_t sent, *received;               /* elements by the way of the cluster since the last wait; per rank */
  int failures;                          /* problems met; FG_FAILURES end the walk */
  bool incomplete;                       /* a walk of ends met something not walked */
} fg_vm;

/* Notes a problem; the first one's text is kept. Returns false when the walk must end. */
bool fg_prove_fail(fg_vm *m, const char *format, ...) __attribute__((format(printf, 2, 3)));
/* The same for a fault after which the run must end: returns false. */
bool fg_prove_stop(fg_vm *m, const char *format, ...) __attribute__((format(printf, 2, 3)));
/* "kernel run, stage 2 (radix 8): " into text. */
void fg_prove_where(const fg_vm *m, char text[128]);
/* Whether a buffer has element e; counts it and says so where it has not. */
bool fg_prove_in_bounds(fg_vm *m, int buffer, int64_t e, bool store);
/* Runs the program once. Failures are in m->proof and m->failures. */
fg_status fg_vm_run(fg_vm *m, int64_t ends);

/* Share number `share` of `shares` of it, and `meet` after each kernel. */
typedef struct fg_share {
  int share, shares;
  bool (*meet)(void *shares, fg_vm *m);
  void *context;
} fg_share;
#endif
