/* Prove: interpret the program over a prime field on random inputs and compare
 * every output with a DFT computed there by other means. Also: races per
 * synchronisation epoch, bounds of every address, bank conflicts, segments. */
#ifndef FG_PROVE_H
#define FG_PROVE_H
#include "generator/program.h"

typedef struct fg_proof {
  bool proved;
  char walked[256];  /* what was walked: "n=1024 batch=3 of 16, 2 primes, 5120 addresses" */
  char failure[256]; /* first failure in words; "" when proved */
  int primes;
  int64_t addresses; /* loads and stores walked */
  int64_t races;     /* pairs of accesses in one epoch that conflict */
  int64_t out_of_bounds;
  int64_t bank_conflicts; /* extra cycles over all LOCAL accesses of a warp of 32, 32 banks of 4 bytes */
  int64_t segments;       /* 128-byte segments touched by warps' global accesses */
  int64_t segments_ideal; /* least possible for the bytes moved */
  double value_error;     /* relative L2 error of the evaluation with constants' real values in double */
} fg_proof;

/* FG_OK with out->proved true or false; a status only when it could not be
 * decided (memory, no field of that order). Run-time parameters are walked at
 * several values of their ranges; batches beyond a limit by their ends (named in
 * `walked`). seed varies inputs and primes. */
fg_status fg_prove(fg_context *cx, const fg_program *p, uint64_t seed, fg_proof *out);
#endif
