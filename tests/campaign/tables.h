/* Tables of constants by what a manifest says of them: of this campaign's own, in long double. */
#ifndef CAMPAIGN_TABLES_H
#define CAMPAIGN_TABLES_H
#include <cjson/cJSON.h>
#include <stdbool.h>

/* row: one of the manifest's "tables". wide: numbers are doubles, else floats. 0, or -1: it has a word that is not
 * known, or more entries than the slot has bytes. */
int table_fill(const cJSON *row, bool wide, void *to, size_t bytes);
#endif
