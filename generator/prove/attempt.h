/* fg_attempt: one walk of the program, and the memory that it needs. */
#ifndef FG_PROVE_ATTEMPT_H
#define FG_PROVE_ATTEMPT_H
#include "generator/prove/vm.h"

typedef enum fg_outcome {
  FG_OUTCOME_DONE,
  FG_OUTCOME_NO_CALL,    /* results of two transforms share elements */
  FG_OUTCOME_INCOMPLETE, /* the ends alone do not make whole transforms */
  FG_OUTCOME_WRONG,
  FG_OUTCOME_AGAIN, /* several threads have found something: one is to say it */
} fg_outcome;

typedef struct fg_attempt { /* one walk */
  const fg_program *p;
  const fg_field *field;
  uint64_t seed;
  int first, fields; /* of `field`, those to walk over */
  int others;        /* walks that may run at the same time, this one among them */
  const int64_t *params;
  int64_t ends;                  /* of the batch; 0: all of it */
  const fg_block_sample *sample; /* of blocks whose values are walked; NULL: all of them */
  bool reals;                    /* in 113 bits in place of the fields */
  bool seen;                     /* another walk looks for races, and counts */
  bool alone;                    /* other threads are busy with other fields */
  bool in_iteration;             /* fields are run one after the other */
  bool by_one;                   /* several threads have found something */
  /* results: */
  int64_t compared; /* transforms */
  double value_error;
  fg_outcome outcome;
} fg_attempt;

/* FG_EUSER: there is not enough memory; the message says how much it takes. */
fg_status fg_attempt_walk(fg_context *cx, fg_attempt *a, fg_proof *proof);
int fg_attempt_threads(int most); /* processors, at most so many */
/* Bytes that a walk takes, over so many fields at once; bytes that there are. */
double fg_prove_memory_of_walk(const fg_program *p, const int64_t *params, int64_t ends, int primes);
double fg_prove_memory_free(void);
#endif
