/* See twiddles.h. In: rows and columns. Out: a table that its users share. */
#include "fftw/line/twiddles.h"
#include "fftw/base/lock.h"
#include "fftw/base/memory.h"
#include "fftw/line/roots.h"

enum { BUCKETS = 64, SOME = 1024 /* roots of a row at a time */ };
/* Guarded by FG_LOCK_TWIDDLES. */
static fg_twiddles *bucket[BUCKETS];

static fg_twiddles **bucket_of(const fg_twiddles *t) {
  return &bucket[(uint64_t)(t->rows * 31 + t->columns * 7 + t->panel + 3 * t->times + (int)t->direction) % BUCKETS];
}

static void put(fg_twiddles *t, int64_t j, int64_t b, fg_complex x) {
  fg_complex *to = (fg_complex *)t->number + ((b / t->panel * t->rows + j) * t->panel + b % t->panel) * t->times;
  for (int64_t i = 0; i < t->times; i++) to[i] = x;
}

static void put_row(fg_twiddles *t, int64_t j, const fg_roots *roots) {
  if (t->panel == t->columns && t->times == 1) { /* neighbours are */
    fg_roots_run(roots, 0, j, t->columns, t->direction, (fg_complex *)t->number + j * t->columns);
    return;
  }
  fg_complex some[SOME];
  for (int64_t b = 0; b < t->columns; b += SOME) {
    int64_t count = t->columns - b < SOME ? t->columns - b : SOME;
    fg_roots_run(roots, j * b, j, count, t->direction, some);
    for (int64_t i = 0; i < count; i++) put(t, j, b + i, some[i]);
  }
}

static fg_twiddles *make(const fg_twiddles *like) {
  int64_t rows = like->rows, columns = like->columns;
  fg_twiddles *t = fg_memory_get(sizeof *t);
  fg_real *number = fg_memory_get(sizeof(fg_complex) * (size_t)(rows * columns * like->times));
  fg_roots *roots = fg_roots_create(rows * columns);
  if (!t || !number || !roots) {
    fg_memory_free(t), fg_memory_free(number), fg_roots_destroy(roots);
    return NULL;
  }
  *t = *like;
  t->number = number;
  for (int64_t b = 0; b < columns; b++) put(t, 0, b, (fg_complex){1, 0});
  for (int64_t j = 1; j < rows; j++) put_row(t, j, roots);
  fg_roots_destroy(roots);
  return t;
}

static const fg_twiddles *get(const fg_twiddles *like) {
  fg_twiddles **in = bucket_of(like), *t;
  fg_lock_take(FG_LOCK_TWIDDLES);
  for (t = *in; t; t = t->next)
    if (t->rows == like->rows && t->columns == like->columns && t->panel == like->panel && t->times == like->times &&
        t->direction == like->direction)
      break;
  if (!t && (t = make(like))) t->next = *in, *in = t;
  if (t) t->users++;
  fg_lock_leave(FG_LOCK_TWIDDLES);
  return t;
}

const fg_twiddles *fg_twiddles_get(int64_t rows, int64_t columns, int64_t panel, fg_direction direction) {
  return get(&(fg_twiddles){.rows = rows, .columns = columns, .panel = panel, .times = 1, .direction = direction});
}

const fg_twiddles *fg_twiddles_get_for(int64_t times, int64_t rows, int64_t columns, fg_direction direction) {
  return get(
      &(fg_twiddles){.rows = rows, .columns = columns, .panel = columns, .times = times, .direction = direction});
}

void fg_twiddles_release(const fg_twiddles *t) {
  if (!t) return;
  fg_lock_take(FG_LOCK_TWIDDLES);
  fg_twiddles **at = bucket_of(t);
  while (*at != t) at = &(*at)->next;
  fg_twiddles *found = *at;
  if (--found->users == 0) {
    *at = found->next;
    fg_memory_free(found->number);
    fg_memory_free(found);
  }
  fg_lock_leave(FG_LOCK_TWIDDLES);
}
