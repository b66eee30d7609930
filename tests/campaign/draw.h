/* Random problems: the same for the same seed and number. */
#ifndef CAMPAIGN_DRAW_H
#define CAMPAIGN_DRAW_H
#include <stdint.h>

typedef struct drawn {
  char problem[1024]; /* a line of docs/problem.md; or that, " | " and a plan */
  char values[256];   /* of its parameters, or "-" */
  char door[16], isa[16];
} drawn;

/* door, isa: NULL: by chance; door gpu: one of those that launch kernels; kernel: cuda, by plans with clusters, queues
 * and bulk copies. Bundles get no operations and no halves, which they have no form for. */
void draw_case(uint64_t seed, long long number, const char *door, const char *isa, drawn *d);

/* The sweep: every kind, length up to 130, precision and target that launches kernels, one transform and several,
 * without operations and with some that are drawn. at: 0 .. draw_sweep_count() - 1, in an order by the seed, so
 * that a part is a sample and all of them are everything. */
long long draw_sweep_count(void);
void draw_swept(uint64_t seed, long long at, drawn *d);
#endif
