/* Spellings of queues: persistent blocks that wait for each other. */
#ifndef FG_TARGETS_FORMS_PERSISTENT_H
#define FG_TARGETS_FORMS_PERSISTENT_H

/* Blocks that stay and wait for each other's counters, unsigned numbers in memory. */
typedef struct fg_queue_form {
  const char *preamble;   /* functions that the texts below call */
  const char *qualifier;  /* of a kernel of one block that prepares the queue; %N threads */
  const char *counter;    /* type of a counter */
  const char *null;       /* a pointer to none */
  const char *declare;    /* statement: the variable %v, which a block shares */
  const char *inner;      /* before the type of a function that kernels call */
  const char *take;       /* expression: counter %p before it became one more */
  const char *ready;      /* expression: whether counter %p is %i already; what was stored before is there then */
  const char *wait;       /* statement: until counter %p is %i; what was stored before is there then */
  const char *done;       /* statement: one more in counter %p, after all that the block stored */
  const char *opaque;     /* statement: declares %v, which is 0, and no compiler knows */
  const char *thread;     /* expression: the thread's number, which compilers read again wherever it is mentioned */
  const char *pair_once;  /* expression: the pair at %p of memory that is only read, and now only; NULL: as usual */
  const char *pair_fresh; /* the same of memory that other blocks store to meanwhile */
  const char *pair_evict_first; /* statement: pair %v to pointer %p, which is not read soon */
  const char *pair_evict_last;  /* statement: the same, which other blocks read soon */
  const char *discard; /* statement: the line of memory at pointer %p has no value any more, and need not be kept */
} fg_queue_form;
#endif
