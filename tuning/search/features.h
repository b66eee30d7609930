/* Features: the counts of a program that the fitted model uses. They are counted, never measured: the same program
 * gives the same numbers on machines with the same caches. */
#ifndef FG_FEATURES_H
#define FG_FEATURES_H
#include "generator/pipeline/pipeline.h"
#include <stddef.h>

#define FEATURE(NAME, text, usual, meaning) FG_FEATURE_##NAME,
typedef enum fg_feature {
#include "tuning/search/features.def"
  FG_FEATURE_COUNT
} fg_feature;
#undef FEATURE

typedef struct fg_feature_info {
  const char *name;
  double usual; /* nanoseconds */
  const char *meaning;
} fg_feature_info;
const fg_feature_info *fg_feature_table(void); /* FG_FEATURE_COUNT rows */

typedef struct fg_features {
  double count[FG_FEATURE_COUNT];
} fg_features;

typedef struct fg_feature_machine { /* what counting needs to know */
  size_t cache[3];                  /* data caches, bytes; 0: there is none */
  int registers;                    /* of vectors */
} fg_feature_machine;

/* Of one call of p, one of c's, with these run-time parameters (NULL: lower ends).
 * Targets with lanes and loops only: blocks and threads are not counted. */
void fg_features_count(const fg_compilation *c, const fg_program *p, const fg_feature_machine *m, const int64_t *params,
                       fg_features *out);
/* features_text.c: instructions of one run of the function that holds all stages;
 * the others are 0. false: the text has no such function. */
bool fg_features_count_text(const char *source, fg_features *out);
#endif
