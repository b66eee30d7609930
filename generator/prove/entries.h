/* Compares the entries of filled tables with their definition. */
#ifndef FG_PROVE_ENTRIES_H
#define FG_PROVE_ENTRIES_H
#include "generator/ir/program.h"

typedef struct fg_entry_reader { /* both parts of element i of a filled table */
  void *self;
  void (*read)(void *self, int64_t i, double part[2]);
} fg_entry_reader;

bool fg_entries_are_few(const fg_table *t); /* all are compared exactly */
/* Roots of unity: all, to some bits less than they have; behind i, the next one to be compared exactly. */
bool fg_entries_near(fg_context *cx, const fg_table *t, fg_precision precision, const fg_entry_reader *number);
int64_t fg_entries_next(const fg_table *t, int64_t i, uint64_t *random);
/* Sums: some of them, off by `slack` at most, and all of them at once. */
bool fg_entries_spectrum(fg_context *cx, const fg_table *t, const fg_entry_reader *number, double slack,
                         uint64_t *random);
#endif
