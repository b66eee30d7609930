/* The fitted cost model: nanoseconds as a sum over what is counted in a program
 * (features.def), with constants from kernels that were measured on this machine.
 *
 * One set of constants for each compiler and instruction set, one line of JSON in
 * a file beside wisdom:
 *
 *   {"fftgen_model":1,"device":"x86_64 ...","target":"c","compiler":"gcc ...",
 *    "isa":"avx512","generator":"0.2.0+...","samples":60,"error":0.07,
 *    "call":12.3,"kernel":0,...,"check":"0123456789abcdef"}
 *
 * Lines that are damaged, newer or of another machine are skipped with a warning,
 * and stay when the file is written. */
#ifndef FG_MODEL_H
#define FG_MODEL_H
#include "runtime/store/wisdom.h"
#include "tuning/search/features.h"

enum { FG_MODEL_SCHEMA = 1 };

typedef struct fg_model_fit {
  const char *device;            /* fg_fingerprint_host */
  const char *target;            /* "c" (device cc), "tcc" */
  const char *compiler;          /* first line of its --version */
  const char *isa;               /* row of targets/isas.c */
  const char *generator;         /* fg_version when it was fitted */
  int samples;                   /* kernels that were measured */
  double error;                  /* root mean square of the relative errors on them */
  double cost[FG_FEATURE_COUNT]; /* nanoseconds each */
} fg_model_fit;

typedef struct fg_model { /* of this machine */
  int count;
  const fg_model_fit *fit;
} fg_model;

typedef struct fg_model_sample {
  fg_features features;
  double ns;
  double weight; /* 1: as good as any of its problem; slower kernels matter less */
} fg_model_sample;

/* Constants, samples and error of *fit from what was measured; its texts are the
 * caller's. */
void fg_model_solve(fg_context *cx, const fg_model_sample *sample, int count, fg_model_fit *fit);
double fg_model_predict(const fg_model_fit *fit, const fg_features *f); /* nanoseconds */
/* NULL: nothing is fitted for these. */
const fg_model_fit *fg_model_find(const fg_model *m, const char *target, const char *compiler, const char *isa);

/* $FFTGEN_MODEL, or the user's file beside wisdom; NULL without a home. */
const char *fg_model_path(fg_arena *a);
/* A file that is not there has no lines. FG_ESYS when it cannot be read. */
fg_status fg_model_load(fg_context *cx, const char *path, fg_wisdom_warn warn, fg_model *out);
/* Puts lines in place of those of the same machine, target, compiler and
 * instruction set: under the file's lock, by renaming a new one. */
fg_status fg_model_save(fg_context *cx, const char *path, const fg_model_fit *fit, int count);
char *fg_model_print(fg_context *cx, const fg_model_fit *fit); /* the line, with its newline */
#endif
