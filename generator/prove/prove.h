/* Prove: interpret the program over a prime field on random inputs and compare
 * every output with a DFT computed there by other means. Also: races per
 * synchronisation epoch, bounds of every address, bank conflicts, segments. */
#ifndef FG_PROVE_H
#define FG_PROVE_H
#include "generator/ir/program.h"
#include "targets/device.h"

typedef struct fg_proof {
  bool proved;
  char walked[256];  /* what was walked: "batch 3 of 16, 2 primes, 5120 addresses" */
  char failure[256]; /* first failure in words; "" when proved */
  int primes;
  int64_t addresses;       /* loads and stores walked */
  int64_t races;           /* accesses that conflict with another one of the same epoch */
  int64_t out_of_bounds;   /* addresses outside their buffer */
  int64_t uninitialised;   /* reads of what was never written */
  int64_t block_conflicts; /* accesses that conflict with one of another block; 0: blocks may run in any order */
  int64_t bank_conflicts;  /* extra cycles over all LOCAL accesses of a warp of 32, 32 banks of 4 bytes */
  int64_t segments;        /* 128-byte segments touched by warps' global accesses */
  int64_t segments_ideal;  /* least possible for the bytes moved */
  double value_error;      /* relative L2 error with the constants' real values, 113 bits; -1: not evaluated */
} fg_proof;

/* FG_OK with out->proved true or false; a status only when it could not be
 * decided (memory, no field of that order). Run-time parameters are walked at
 * several values of their ranges; batches beyond a limit by their ends (named in
 * `walked`). seed varies inputs and primes.
 *
 * What a program means where kernel.h leaves a choice: lanes load all before any
 * stores; threads of a block are ordered by barriers alone; blocks of a program
 * with threads are not ordered at all, those of one without run one after the
 * other; LOCAL memory holds nothing when a block begins. */
/* Whether there are fields with the roots of unity that a program needs: FG_OK, or FG_EUSER. */
fg_status fg_prove_possible(fg_context *cx, const fg_program *p, uint64_t seed);
fg_status fg_prove(fg_context *cx, const fg_program *p, uint64_t seed, fg_proof *out);

/* The emitter's text under the proof: text.c's result is compiled and run over
 * a prime field, and its numbers are read back. */
typedef struct fg_text_proof {
  bool proved;
  char walked[256];
  char failure[256];
  int64_t runs;           /* calls of the compiled text */
  int64_t read;           /* of these, of the delivered text itself */
  int64_t left;           /* settings of parameters of which nothing was run */
  int64_t outputs;        /* numbers compared */
  int64_t iterations;     /* of the stages' codelets that samples walked, */
  int64_t all_iterations; /* of so many; 0: no sample was walked */
  int64_t literals;       /* constants and table entries read back from the text */
  double literal_ulp;     /* largest distance of one from its exact value, in units of the last place */
} fg_text_proof;

enum { FG_TEXT_PRIMES = 2 };

typedef struct fg_text_options {
  uint64_t seed;
  int primes;                    /* 1 .. FG_TEXT_PRIMES */
  const fg_artifact *emitted;    /* text in C, which is proved itself (translate.h), or instructions, whose numbers are
                                  * read    back; NULL: emitted for that */
  const struct fg_text_map *map; /* of `emitted`; NULL: no samples are run of it */
  int64_t sample;                /* > 0: of all calls samples alone, of about so many elements a stage */
  const char *assembly;          /* of `emitted`: blocks of both are compared, and nothing else (assembly.h); NULL */
} fg_text_options;

/* FG_ENA when the program has no form in the prime-field dialect. isa: as for
 * fg_emit. */
fg_status fg_prove_text(fg_context *cx, const fg_program *p, const fg_isa *isa, const fg_text_options *o,
                        fg_text_proof *out);
/* Whether a C source's header says what the source is. */
struct fg_emitted;
bool fg_prove_header_agrees(fg_context *cx, const fg_problem *q, const struct fg_emitted *e, char failure[256]);
/* Whether the program that launches kernels, where there is one beside their source, fills tables with what they hold.
 */
fg_status fg_prove_host(fg_context *cx, const fg_program *p, const struct fg_emitted *e, fg_text_proof *out);
/* The same for programs as instructions (targets/code.h), interpreted. */
fg_status fg_prove_code(fg_context *cx, const fg_program *p, const fg_isa *isa, const fg_text_options *o,
                        fg_text_proof *out);
/* The lowest values of a problem's run-time parameters at which no two results are one: strides are raised where lower
 * ends would make them overlap. fixed[i]: at[i] stays as it is; NULL: all are chosen. False: results overlap all the
 * same. */
bool fg_settings_lowest(const fg_problem *p, const bool *fixed, int64_t *at);

#endif
