/* Plans for GPUs that are kept. In: all that tells calls apart, as words. Out: a plan. The table is the engine's
 * (generator/base/recent.h); Python's lock guards it. */
#include "python/core/gpu_cache.h"
#include "generator/base/recent.h"
#include <stdlib.h>
#include <string.h>

enum { PLANS = 1024 };

typedef struct entry {
  fg_recent_entry entry; /* first; its one user is the table: Python counts those of the plan */
  fg_py_gpu_plan *plan;
  int64_t word[];
} entry;

/* most_bytes: of tables on GPUs */
static fg_recent_entry *bucket[FG_RECENT_BUCKETS];
static fg_recent table = {.bucket = bucket, .counts = {.limit = PLANS, .most_bytes = (int64_t)256 << 20}};

/* ---- keys ------------------------------------------------------------------------------------ */

static void bounds(const fg_py_gpu_array *a, intptr_t *first, intptr_t *end) {
  static const int bytes[FG_PY_NUMBERS] = {2, 4, 8, 2, 4, 8, 16, 4};
  *first = (intptr_t)a->at, *end = *first + bytes[a->type];
  for (int i = 0; i < a->dimensions; i++) {
    npy_intp span = a->shape[i] > 0 ? (a->shape[i] - 1) * a->stride[i] * bytes[a->type] : 0;
    *(span < 0 ? first : end) += span;
  }
}

static bool overlap(const fg_py_gpu_array *a, const fg_py_gpu_array *b) {
  intptr_t a_first, a_end, b_first, b_end;
  bounds(a, &a_first, &a_end), bounds(b, &b_first, &b_end);
  return a_first < b_end && b_first < a_end;
}

static bool same(const fg_py_gpu_array *a, const fg_py_gpu_array *b) {
  size_t bytes = sizeof *a->shape * (size_t)a->dimensions;
  return a->at == b->at && a->type == b->type && a->dimensions == b->dimensions && !memcmp(a->shape, b->shape, bytes) &&
         !memcmp(a->stride, b->stride, bytes);
}

static void add(fg_py_gpu_key *k, const npy_intp *sizes, int count) {
  for (int i = 0; i < count; i++) k->word[k->words++] = sizes[i];
}

bool fg_py_gpu_key_of(const fg_py_job *j, const fg_py_gpu_array *x, const fg_py_gpu_array *out, fg_py_gpu_key *k) {
  bool in_place = out && same(x, out);
  if (out && (out->library != x->library || out->device != x->device || out->dimensions != x->dimensions)) return false;
  if (out && !in_place && overlap(x, out)) return false;
  const int64_t head[FG_PY_KEY_HEAD] = {2 * (int64_t)j->row->family + j->row->inverse, /* fft, fft2 and fftn alike */
                                        (intptr_t)x->library,
                                        x->type,
                                        x->device,
                                        x->dimensions,
                                        j->rank,
                                        j->norm,
                                        fg_py_is_trigonometric(j->row) ? j->type : 0,
                                        fg_py_is_trigonometric(j->row) ? j->orthogonalize : 0,
                                        in_place,
                                        out ? (int64_t)out->type : -1,
                                        0};
  memcpy(k->word, head, sizeof head);
  k->words = FG_PY_KEY_HEAD;
  for (int i = 0; i < j->rank; i++) k->word[k->words++] = (int64_t)j->axis[i] << 48 ^ j->n[i];
  add(k, x->shape, x->dimensions), add(k, x->stride, x->dimensions);
  if (out && !in_place) add(k, out->shape, x->dimensions), add(k, out->stride, x->dimensions);
  return true;
}

static fg_recent_entry key(const fg_py_gpu_key *k) {
  size_t size = sizeof *k->word * (size_t)k->words;
  return (fg_recent_entry){.key = k->word, .size = size, .hash = fg_recent_hash(k->word, size)};
}

/* ---- the table ------------------------------------------------------------------------------- */

fg_py_gpu_plan *fg_py_gpu_cache_find(const fg_py_gpu_key *k) {
  fg_recent_entry like = key(k);
  entry *e = (entry *)fg_recent_find(&table, &like);
  if (!e) return NULL;
  fg_recent_leave(&e->entry);
  Py_INCREF(e->plan);
  return e->plan;
}

static void forget_all(fg_recent_entry *gone) {
  for (fg_recent_entry *next; gone; gone = next) {
    fg_py_gpu_plan *plan = ((entry *)gone)->plan;
    next = gone->next;
    free(gone);
    Py_DECREF(plan); /* may let other threads run */
  }
}

/* A plan of the same key is replaced. */
bool fg_py_gpu_cache_add(const fg_py_gpu_key *k, fg_py_gpu_plan *p) {
  fg_recent_entry like = key(k), *before = fg_recent_peek(&table, &like), *gone = NULL;
  entry *e = malloc(sizeof *e + like.size);
  if (!e) return PyErr_NoMemory() != NULL;
  e->plan = p, e->entry = like, e->entry.key = e->word, e->entry.bytes = (int64_t)fg_py_gpu_plan_bytes(p);
  memcpy(e->word, k->word, like.size);
  Py_INCREF(p);
  if (before) fg_recent_drop(&table, before, &gone);
  fg_recent_add(&table, &e->entry, &gone);
  forget_all(gone);
  return true;
}

void fg_py_gpu_cache_limit(int64_t plans) {
  fg_recent_entry *gone = NULL;
  if (plans > 0) table.counts.limit = plans;
  fg_recent_drop_beyond(&table, plans, &gone);
  forget_all(gone);
}

PyObject *fg_py_gpu_cache_counts(void) {
  const fg_recent_counts *c = &table.counts;
  return Py_BuildValue("{sLsLsLsLsLsL}", "plans", (long long)c->kept, "limit", (long long)c->limit, "found",
                       (long long)c->found, "made", (long long)c->made, "dropped", (long long)c->dropped, "bytes",
                       (long long)c->bytes);
}
