/* What was made, by a key of bytes, and by last use: a hash table with a list, from which the longest unused are
 * dropped.
 *
 * An entry is the first member of its user's struct. It has a user for the table and one for each caller; when the
 * last one has left, the code that called fg_recent_leave frees it. Nothing is locked here. */
#ifndef FG_RECENT_H
#define FG_RECENT_H
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct fg_recent_entry fg_recent_entry;
struct fg_recent_entry {
  const void *key; /* lives as long as the entry */
  size_t size;     /* bytes of it */
  uint64_t hash;   /* of fg_recent_hash */
  int64_t bytes;   /* of memory that it holds, which count against the limit */
  int users;
  fg_recent_entry *next;          /* of its bucket, or of those that are gone */
  fg_recent_entry *newer, *older; /* by last use */
};

typedef struct fg_recent_counts {
  int64_t kept, limit, found, made, dropped; /* now, at most; since the start: calls that found one, added, dropped */
  int64_t bytes, most_bytes;                 /* of those that are kept */
} fg_recent_counts;

enum { FG_RECENT_BUCKETS = 1024 };
typedef struct fg_recent {
  fg_recent_entry **bucket; /* FG_RECENT_BUCKETS of NULL at first */
  fg_recent_entry *newest, *oldest;
  fg_recent_counts counts;
} fg_recent;

uint64_t fg_recent_hash(const void *key, size_t size);
/* NULL: it is not there. `like` has a key, its size and hash. */
fg_recent_entry *fg_recent_peek(const fg_recent *t, const fg_recent_entry *like);
fg_recent_entry *fg_recent_find(fg_recent *t, const fg_recent_entry *like); /* with a user more; now the newest */
/* With one user: the table. What is dropped beyond the limits and has no user left is put before *gone, by `next`. */
void fg_recent_add(fg_recent *t, fg_recent_entry *e, fg_recent_entry **gone);
void fg_recent_drop(fg_recent *t, fg_recent_entry *e, fg_recent_entry **gone); /* one that is kept */
void fg_recent_drop_beyond(fg_recent *t, int64_t kept, fg_recent_entry **gone);
bool fg_recent_leave(fg_recent_entry *e); /* true: no user is left */
#endif
