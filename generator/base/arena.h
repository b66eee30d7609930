/* One arena per compilation: everything that a compilation makes lives until
 * the arena is destroyed; passes free nothing.
 *
 * fg_arena_alloc never returns NULL. When memory runs out it jumps to the
 * recovery point that fg_arena_guard set up, as Lua does:
 *
 *     if (fg_arena_guard(a)) { ...out of memory: give up, destroy a... }
 *
 * With FG_ARENA_MALLOC in the environment each allocation is a malloc of its
 * own, so that sanitizers see its bounds. */
#ifndef FG_ARENA_H
#define FG_ARENA_H
#include <setjmp.h>
#include <stdbool.h>
#include <stddef.h>

typedef struct fg_arena fg_arena;

fg_arena *fg_arena_create(void); /* NULL: out of memory */
void fg_arena_destroy(fg_arena *a);
/* The recovery point; set it before the first allocation. */
jmp_buf *fg_arena_recovery(fg_arena *a);
#define fg_arena_guard(a) setjmp(*fg_arena_recovery(a))

/* step(data) under a recovery point of its own: false when memory ran out, so that the caller releases what is
 * not the arena's. The recovery point is then the one of before. */
bool fg_arena_run(fg_arena *a, void (*step)(void *data), void *data);

void *fg_arena_alloc(fg_arena *a, size_t bytes); /* zeroed, aligned to 16 bytes */
void *fg_arena_raw(fg_arena *a, size_t bytes);   /* the same, holding anything */
void *fg_arena_copy(fg_arena *a, const void *src, size_t bytes);
char *fg_arena_strdup(fg_arena *a, const char *s);
char *fg_arena_printf(fg_arena *a, const char *format, ...) __attribute__((format(printf, 2, 3)));
#define fg_arena_new(a, type, count) ((type *)fg_arena_alloc((a), sizeof(type) * (size_t)(count)))
/* The first `used` bytes of old ones, then zeros. */
void *fg_arena_grow(fg_arena *a, const void *old, size_t used, size_t bytes);
/* A list's `count` entries, with room for so many. */
#define fg_arena_more(a, list, count, room)                                                                            \
  fg_arena_grow((a), (list), sizeof *(list) * (size_t)(count), sizeof *(list) * (size_t)(room))
size_t fg_arena_used(const fg_arena *a); /* bytes asked for so far */
/* Tests: the n-th allocation from now on (1 = the next) fails; 0 = never. */
void fg_arena_fail_at(fg_arena *a, long n);
#endif
