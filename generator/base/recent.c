/* See recent.h. */
#include "generator/base/recent.h"
#include <string.h>

/* Words first, then the bytes that are left, as a word. */
uint64_t fg_recent_hash(const void *key, size_t size) {
  uint64_t hash = size, word;
  for (size_t i = 0; i < size; i += sizeof word) {
    word = 0;
    memcpy(&word, (const char *)key + i, size - i < sizeof word ? size - i : sizeof word);
    hash = (hash ^ word) * 0x9e3779b97f4a7c15u;
    hash ^= hash >> 29;
  }
  return hash;
}

static void unlink_use(fg_recent *t, fg_recent_entry *e) {
  *(e->newer ? &e->newer->older : &t->newest) = e->older;
  *(e->older ? &e->older->newer : &t->oldest) = e->newer;
}

static void link_newest(fg_recent *t, fg_recent_entry *e) {
  e->newer = NULL, e->older = t->newest;
  *(t->newest ? &t->newest->newer : &t->oldest) = e;
  t->newest = e;
}

fg_recent_entry *fg_recent_peek(const fg_recent *t, const fg_recent_entry *like) {
  fg_recent_entry *e = t->bucket[like->hash % FG_RECENT_BUCKETS];
  while (e && (e->hash != like->hash || e->size != like->size || memcmp(e->key, like->key, e->size))) e = e->next;
  return e;
}

fg_recent_entry *fg_recent_find(fg_recent *t, const fg_recent_entry *like) {
  fg_recent_entry *e = fg_recent_peek(t, like);
  if (!e) return NULL;
  e->users++, t->counts.found++;
  if (e != t->newest) unlink_use(t, e), link_newest(t, e);
  return e;
}

void fg_recent_drop(fg_recent *t, fg_recent_entry *e, fg_recent_entry **gone) {
  fg_recent_entry **at = &t->bucket[e->hash % FG_RECENT_BUCKETS];
  while (*at != e) at = &(*at)->next;
  *at = e->next;
  unlink_use(t, e);
  t->counts.kept--, t->counts.dropped++, t->counts.bytes -= e->bytes;
  if (fg_recent_leave(e)) e->next = *gone, *gone = e;
}

void fg_recent_drop_beyond(fg_recent *t, int64_t kept, fg_recent_entry **gone) {
  while (t->oldest && (t->counts.kept > kept || t->counts.bytes > t->counts.most_bytes))
    fg_recent_drop(t, t->oldest, gone);
}

void fg_recent_add(fg_recent *t, fg_recent_entry *e, fg_recent_entry **gone) {
  fg_recent_entry **bucket = &t->bucket[e->hash % FG_RECENT_BUCKETS];
  e->users++;
  e->next = *bucket, *bucket = e;
  link_newest(t, e);
  t->counts.kept++, t->counts.made++, t->counts.bytes += e->bytes;
  fg_recent_drop_beyond(t, t->counts.limit, gone);
}

bool fg_recent_leave(fg_recent_entry *e) { return --e->users == 0; }
