/* What adapters to emitted functions call, and the table of them. */
#ifndef CAMPAIGN_RUN_EMITTED_H
#define CAMPAIGN_RUN_EMITTED_H
#include <stddef.h>

typedef struct emitted_case {
  int number;
  void (*call)(void); /* NULL: the end */
} emitted_case;

extern const emitted_case emitted_cases[];
void *emitted_array(const char *name);
ptrdiff_t emitted_parameter(const char *name);
void *emitted_memory(size_t bytes); /* aligned to 64 */
#endif
