/* The arena: a list of chunks of growing size; see arena.h.
 *
 * A compilation makes and destroys many arenas, most of them small: some memory is kept for the next one, which need
 * not ask the system and finds it in the caches. */
#include "generator/base/arena.h"
#include "generator/base/invariant.h"
#include "targets/env.h"
#include "targets/number.h"
#include <pthread.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { ALIGN = 16, FIRST_CHUNK = 64 << 10, LARGEST_CHUNK = 16 << 20 };
#ifdef __SANITIZE_ADDRESS__
enum { MOST_KEPT = 0 }; /* what is destroyed is to be out of bounds */
#else
enum { MOST_KEPT = 32 << 20 }; /* bytes */
#endif

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
  void *run; /* of invariants, where the recovery point was set */
};

fg_arena *fg_arena_create(void) {
  fg_arena *a = fg_number_ready() ? calloc(1, sizeof *a) : NULL; /* code that prints has an arena */
  if (!a) return NULL;
  a->next_size = FIRST_CHUNK;
  a->separate = fg_env("FG_ARENA_MALLOC") != NULL;
  return a;
}

static struct {
  pthread_mutex_t lock;
  chunk *top;
  size_t size;
} kept = {.lock = PTHREAD_MUTEX_INITIALIZER};

/* False: there is enough. */
static bool keep(chunk *c) {
  pthread_mutex_lock(&kept.lock);
  bool wanted = c->size >= FIRST_CHUNK && kept.size + c->size <= MOST_KEPT;
  if (wanted) {
    c->next = kept.top;
    kept.top = c;
    kept.size += c->size;
  }
  pthread_mutex_unlock(&kept.lock);
  return wanted;
}

/* The least that is as large, and not far larger. NULL: there is none. */
static chunk *take(size_t size) {
  chunk **best = NULL, *found = NULL;
  pthread_mutex_lock(&kept.lock);
  for (chunk **c = &kept.top; *c; c = &(*c)->next)
    if ((*c)->size >= size && (*c)->size / 4 <= size && (!best || (*c)->size < (*best)->size)) best = c;
  if (best) {
    found = *best;
    *best = found->next;
    kept.size -= found->size;
  }
  pthread_mutex_unlock(&kept.lock);
  return found;
}

/* After all that give chunks back when the library is unloaded. */
static void __attribute__((destructor(1000))) release(void) {
  for (chunk *c = kept.top, *next; c; c = next) {
    next = c->next;
    free(c);
  }
  kept.top = NULL;
}

void fg_arena_destroy(fg_arena *a) {
  if (!a) return;
  for (chunk *c = a->top, *next; c; c = next) {
    next = c->next;
    if (a->separate || !keep(c)) free(c);
  }
  free(a);
}

jmp_buf *fg_arena_recovery(fg_arena *a) {
  a->run = fg_invariant_innermost();
  return &a->recovery;
}

static _Noreturn void recover(fg_arena *a) {
  fg_invariant_return_to(a->run);
  longjmp(a->recovery, 1);
}

bool fg_arena_run(fg_arena *a, void (*step)(void *data), void *data) {
  jmp_buf outer;
  void *run = a->run;
  memcpy(&outer, &a->recovery, sizeof outer);
  volatile bool done = false;
  if (!fg_arena_guard(a)) {
    step(data);
    done = true;
  }
  memcpy(&a->recovery, &outer, sizeof outer);
  a->run = run;
  return done;
}

static chunk *push_chunk(fg_arena *a, size_t size) {
  chunk *c = a->separate ? NULL : take(size);
  if (!c && (c = malloc(HEADER + size))) c->size = size;
  if (!c) recover(a);
  c->next = a->top;
  c->used = 0;
  return a->top = c;
}

void *fg_arena_raw(fg_arena *a, size_t bytes) {
  if (a->fail_at && --a->fail_at == 0) recover(a);
  if (bytes > SIZE_MAX / 2) recover(a);
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
  return p;
}

void *fg_arena_alloc(fg_arena *a, size_t bytes) { return memset(fg_arena_raw(a, bytes), 0, bytes); }

void *fg_arena_copy(fg_arena *a, const void *src, size_t bytes) {
  void *p = fg_arena_raw(a, bytes);
  if (bytes) memcpy(p, src, bytes);
  return p;
}

void *fg_arena_grow(fg_arena *a, const void *old, size_t used, size_t bytes) {
  char *p = fg_arena_raw(a, bytes);
  if (used) memcpy(p, old, used);
  memset(p + used, 0, bytes - used);
  return p;
}

char *fg_arena_strdup(fg_arena *a, const char *s) { return fg_arena_copy(a, s, strlen(s) + 1); }

char *fg_arena_printf(fg_arena *a, const char *format, ...) {
  char brief[256];
  va_list args;
  va_start(args, format);
  int length = fg_number_vprint(brief, sizeof brief, format, args);
  va_end(args);
  if ((size_t)length < sizeof brief) return fg_arena_copy(a, brief, (size_t)length + 1);
  char *s = fg_arena_raw(a, (size_t)length + 1);
  va_start(args, format);
  fg_number_vprint(s, (size_t)length + 1, format, args);
  va_end(args);
  return s;
}

size_t fg_arena_used(const fg_arena *a) { return a->total; }
void fg_arena_fail_at(fg_arena *a, long n) { a->fail_at = n; }
