/* Beside: a fixed reference that is timed beside a host's candidates, FFTW's plan by estimate. What it takes more than
 * at first is what the machine does meanwhile, and is taken out of their times. */
#ifndef FG_BESIDE_H
#define FG_BESIDE_H
#include "generator/pipeline/pipeline.h"

typedef struct fg_beside fg_beside;

/* In c's arena; NULL: FFTW has no plan for it. */
fg_beside *fg_beside_create(const fg_compilation *c, const int64_t *params);
/* How much slower the machine is now than at first; 1 without a reference. */
double fg_beside_slower(fg_beside *b, double seconds);
void fg_beside_destroy(fg_beside *b); /* NULL allowed */
#endif
