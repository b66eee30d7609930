/* Problems by chance, by a seed: the same for the same seed and number. */
#ifndef CAMPAIGN_DRAW_H
#define CAMPAIGN_DRAW_H
#include <stdint.h>

typedef struct drawn {
  char problem[1024], values[256]; /* a line of docs/problem.md; values of its parameters, or "-" */
  char door[16], isa[16];
} drawn;

/* door, isa: NULL: by chance. plain: without operations and halves, which bundles have no form for. */
void draw_case(uint64_t seed, long long number, const char *door, const char *isa, drawn *d);
#endif
