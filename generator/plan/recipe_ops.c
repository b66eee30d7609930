/* In: a length. Out: the real operations of its codelet, as the generator builds it. Recipes use the same few
 * lengths repeatedly, so each is built once in a process. */
#include "generator/plan/recipe_ops.h"
#include "generator/codelet/codelet.h"
#include <pthread.h>

enum { MOST = 256 };

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int64_t known[MOST + 1];

/* Built in an arena of its own: recipes run in Lua, whose errors would skip another one's way out. */
static int64_t count(int n) {
  volatile int64_t operations = 0;
  fg_context own = {.arena = fg_arena_create()};
  fg_codelet_key key = {.n = n, .sign = -1};
  const fg_codelet *c;
  if (own.arena && !fg_arena_guard(own.arena) && fg_codelet_create(&own, &key, &c) == FG_OK)
    operations = c->count.add + c->count.mul;
  fg_arena_destroy(own.arena);
  return operations;
}

int64_t fg_recipe_ops(int n) {
  if (n == 1) return 0;
  if (n < 1 || n > MOST) return -1;
  pthread_mutex_lock(&lock);
  if (!known[n]) known[n] = count(n);
  int64_t operations = known[n];
  pthread_mutex_unlock(&lock);
  return operations ? operations : -1;
}
