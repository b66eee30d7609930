/* Wisdom that comes with fftgen: what its authors measured, runtime/wisdom/NAME.jsonl
 * inside the library. It answers where the user's own has nothing. */
#ifndef FG_SHIPPED_H
#define FG_SHIPPED_H
#include "runtime/wisdom.h"

typedef struct fg_shipped_file {
  const char *name; /* without folder; NULL ends the table */
  const char *text; /* terminated */
  size_t bytes;
} fg_shipped_file;

extern const fg_shipped_file fg_shipped[];

/* For this device, problem and target (fields of key); NULL: nothing. A line's device is
 * a model: any driver will do. One about a batch is about all batches of such transforms,
 * one behind the other, and about both signs. */
const fg_wisdom_entry *fg_wisdom_shipped(fg_context *cx, const fg_wisdom_entry *key);
#endif
