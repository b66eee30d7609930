/* Lines by type and length: made once, found again. In: a type, a length. Out: a line that its users share.
 *
 * The methods are asked in the order of the table; the first that applies makes the line. Lines without users stay,
 * with their tables, until they are forgotten or there are too many. */
#include "fftw/base/lock.h"
#include "fftw/base/memory.h"
#include "fftw/line/method.h"
#include <string.h>

static const fg_line_method *const methods[] = {
    &fg_line_single,    &fg_line_dense,     &fg_line_cooley_tukey, &fg_line_two_factors, &fg_line_rader,
    &fg_line_bluestein, &fg_line_even_real, &fg_line_real_factors, &fg_line_odd_real,    &fg_line_halfcomplex,
    &fg_line_dct2,      &fg_line_dct1,      &fg_line_even_dct4,    &fg_line_odd_dct4,    &fg_line_across,
    &fg_line_few,       &fg_line_parts,     &fg_line_whole,
};

enum { METHODS = sizeof methods / sizeof *methods, BUCKETS = 256, KEPT = 512 };

/* Guarded by FG_LOCK_LINES. */
static fg_line *bucket[BUCKETS];
static int idle; /* lines without users */

static fg_line **bucket_of(fg_line_type type, int64_t n) {
  return &bucket[(uint64_t)(n * FG_LINE_TYPES + (int64_t)type) % BUCKETS];
}

static void release(fg_line *l);

static void destroy(fg_line *l) {
  if (l->method->destroy) l->method->destroy(l);
  for (int i = 0; i < l->npass; i++) fg_twiddles_release(l->pass[i].factors);
  for (int i = 0; i < FG_LINE_SUBLINES; i++)
    if (l->part[i]) release(l->part[i]);
  for (int i = 0; i < FG_LINE_TABLES; i++) fg_memory_free(l->table[i]);
  fg_memory_free(l->index);
  fg_memory_free(l);
}

/* The lines of a bucket that have no users. */
static void empty(fg_line **at) {
  fg_line **first = at;
  while (*at) {
    fg_line *l = *at;
    if (l->users) {
      at = &l->next;
      continue;
    }
    *at = l->next;
    idle--;
    destroy(l); /* whose parts may be without users now, and in this list */
    at = first;
  }
}

/* A bucket after another, until no more than `left` are without users: a plan pays for few of those before it. */
static void forget(int left) {
  static int next;
  for (; idle > left; next = (next + 1) % BUCKETS) empty(&bucket[next]);
}

static void release(fg_line *l) {
  if (--l->users == 0) idle++;
}

static fg_line *create(fg_line_type type, int64_t n) {
  fg_line *l = fg_memory_get(sizeof *l);
  if (!l) return NULL;
  *l = (fg_line){.type = type, .n = n};
  for (int i = 0; i < METHODS && !l->method; i++)
    if (methods[i]->applies(type, n)) l->method = methods[i];
  if (l->method && l->method->create(l)) return l;
  if (l->method)
    destroy(l);
  else
    fg_memory_free(l);
  return NULL;
}

/* With the lock: lines are made of lines. */
static fg_line *get(fg_line_type type, int64_t n) {
  fg_line *l;
  for (l = *bucket_of(type, n); l; l = l->next)
    if (l->type == type && l->n == n) break;
  if (l) {
    if (l->users++ == 0) idle--;
    return l;
  }
  if (!(l = create(type, n))) return NULL;
  fg_line **in = bucket_of(type, n);
  l->next = *in, *in = l;
  l->users = 1;
  return l;
}

bool fg_line_stand_on(fg_line *l, int part, fg_line_type type, int64_t n, double times) {
  if (!(l->part[part] = get(type, n))) return false;
  fg_flops_add(&l->flops, &l->part[part]->flops, times);
  return true;
}

bool fg_line_add_table(fg_line *l, int table, int64_t count) {
  return (l->table[table] = fg_memory_get(sizeof(fg_complex) * (size_t)count)) != NULL;
}

fg_line *fg_line_get(fg_line_type type, int64_t n) {
  fg_lock_take(FG_LOCK_LINES);
  fg_line *l = get(type, n);
  fg_lock_leave(FG_LOCK_LINES);
  return l;
}

void fg_line_release(fg_line *l) {
  if (!l) return;
  fg_lock_take(FG_LOCK_LINES);
  release(l);
  if (idle > KEPT) forget(KEPT - KEPT / 16);
  fg_lock_leave(FG_LOCK_LINES);
}

void fg_line_forget(void) {
  fg_lock_take(FG_LOCK_LINES);
  forget(0);
  fg_lock_leave(FG_LOCK_LINES);
}

void fg_line_run(const fg_line *l, const fg_real *in, fg_real *out, fg_real *work) {
  if (l->alone && in != out)
    l->alone(in, out, fg_line_aligned(work));
  else
    l->method->run(l, in, out, work);
}

void fg_line_run_rows(const fg_line *l, const fg_real *in, fg_real *out, fg_real *work, int64_t count, ptrdiff_t id,
                      ptrdiff_t od) {
  if (l->several && count > 1) {
    l->several(l, in, out, work, count, id, od);
    return;
  }
  int unit_in = l->type == FG_LINE_R2C ? 1 : 2, unit_out = l->type == FG_LINE_C2R ? 1 : 2;
  if (l->rows && in != out && count > 1 && id % unit_in == 0 && od % unit_out == 0)
    l->rows(in, out, count, unit_in == 2 ? id / 2 : id, unit_out == 2 ? od / 2 : od);
  else
    for (int64_t i = 0; i < count; i++) fg_line_run(l, in + i * id, out + i * od, work);
}

int64_t fg_line_elements(fg_line_type type, int64_t n, bool output) {
  return type == (output ? FG_LINE_R2C : FG_LINE_C2R) ? n / 2 + 1 : n;
}
