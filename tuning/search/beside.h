/* A fixed reference that is timed beside a host's candidates: FFTW's plan by ESTIMATE. The ratio of its time to its
 * first time measures disturbances of the machine, and the candidates' times are corrected by it. */
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
