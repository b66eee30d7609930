/* The arena: a list of chunks that grow; see arena.h. */
#include "generator/arena.h"
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { ALIGN = 16, FIRST_CHUNK = 64 << 10, LARGEST_CHUNK = 16 << 20 };

typedef struct chunk chunk;
struct chunk {
  chunk *next;
  size_t size, used; /* bytes after this header */
};
enum { HEADER = (sizeof(chunk) + ALIGN - 1) / ALIGN * ALIGN };

struct fg_arena {
  chunk *top;
  size_t total;     /* bytes asked for */
  size_t next_size; /* of the next chunk */
  long fail_at;     /* counts down to the planted failure; 0 = none */
  int separate;     /* one malloc for each allocation */
  jmp_buf recovery;
};

fg_arena *fg_arena_create(void) {
  fg_arena *a = calloc(1, sizeof *a);
  if (!a) return NULL;
  a->next_size = FIRST_CHUNK;
  a->separate = getenv("FG_ARENA_MALLOC") != NULL;
  return a;
}

void fg_arena_destroy(fg_arena *a) {
  if (!a) return;
  for (chunk *c = a->top, *next; c; c = next) {
    next = c->next;
    free(c);
  }
  free(a);
}

jmp_buf *fg_arena_recovery(fg_arena *a) { return &a->recovery; }

static chunk *push_chunk(fg_arena *a, size_t size) {
  chunk *c = malloc(HEADER + size);
  if (!c) longjmp(a->recovery, 1);
  c->next = a->top;
  c->size = size;
  c->used = 0;
  return a->top = c;
}

void *fg_arena_alloc(fg_arena *a, size_t bytes) {
  if (a->fail_at && --a->fail_at == 0) longjmp(a->recovery, 1);
  if (bytes > SIZE_MAX / 2) longjmp(a->recovery, 1);
  size_t size = a->separate ? bytes : (bytes + ALIGN - 1) / ALIGN * ALIGN;
  chunk *c = a->top;
  if (a->separate) {
    c = push_chunk(a, size);
  } else if (!c || c->size - c->used < size) {
    c = push_chunk(a, size > a->next_size ? size : a->next_size);
    if (a->next_size < LARGEST_CHUNK) a->next_size *= 2;
  }
  void *p = (char *)c + HEADER + c->used;
  c->used += size;
  a->total += bytes;
  return memset(p, 0, bytes);
}

void *fg_arena_copy(fg_arena *a, const void *src, size_t bytes) {
  void *p = fg_arena_alloc(a, bytes);
  if (bytes) memcpy(p, src, bytes);
  return p;
}

char *fg_arena_strdup(fg_arena *a, const char *s) { return fg_arena_copy(a, s, strlen(s) + 1); }

char *fg_arena_printf(fg_arena *a, const char *format, ...) {
  va_list args;
  va_start(args, format);
  int length = vsnprintf(NULL, 0, format, args);
  va_end(args);
  char *s = fg_arena_alloc(a, (size_t)length + 1);
  va_start(args, format);
  vsnprintf(s, (size_t)length + 1, format, args);
  va_end(args);
  return s;
}

size_t fg_arena_used(const fg_arena *a) { return a->total; }
void fg_arena_fail_at(fg_arena *a, long n) { a->fail_at = n; }
