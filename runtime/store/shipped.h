/* Wisdom that is shipped with fftgen: runtime/wisdom/NAME.jsonl, inside the library. It is used if the user's own has
 * no line. */
#ifndef FG_SHIPPED_H
#define FG_SHIPPED_H
#include "generator/base/strbuf.h"
#include "runtime/store/serve.h"

typedef struct fg_shipped_file {
  const char *name; /* without folder; NULL ends the table */
  const char *text; /* packed by runtime/shipped.cmake, terminated */
} fg_shipped_file;

extern const fg_shipped_file fg_shipped[];
extern const char *const fg_shipped_words; /* each with a newline behind it */

/* What bytes below 32 stand for. */
typedef struct fg_shipped_key {
  const char *word[32];
  size_t length[32];
} fg_shipped_key;

void fg_shipped_read_key(fg_shipped_key *key);
/* Appends the line that is packed at `at`, without its end. Returns where the next one
 * begins; NULL: that was the last. */
const char *fg_shipped_unpack(const fg_shipped_key *key, const char *at, fg_strbuf *line);

/* The nearest shipped line for the key's device or machine, problem and target. A line's device is a model: any driver
 * will do. */
fg_served fg_serve_shipped(fg_context *cx, const fg_serve_key *key);
#endif
