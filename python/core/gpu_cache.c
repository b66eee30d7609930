/* Plans for GPUs that are kept. In: all that tells calls apart, as words. Out: a plan. The table is like the engine's
 * (fftw/engine): a list by the last use, the longest unused plan is dropped. Python's lock guards it. */
#include "python/core/gpu_cache.h"
#include <stdlib.h>
#include <string.h>

enum { BUCKETS = 1024, PLANS = 1024 };
static const int64_t MOST_BYTES = (int64_t)256 << 20; /* of tables on GPUs */

typedef struct entry {
  fg_py_gpu_plan *plan;
  int64_t bytes;
  uint64_t hash;
  struct entry *next, *newer, *older; /* of its bucket; by last use */
  int words;
  int64_t word[];
} entry;

static entry *bucket[BUCKETS], *newest, *oldest;
static struct { int64_t plans, limit, found, made, dropped, bytes; } counts = {.limit = PLANS};

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

static uint64_t hash_of(const fg_py_gpu_key *k) {
  uint64_t hash = 0;
  for (int i = 0; i < k->words; i++) {
    hash = (hash ^ (uint64_t)k->word[i]) * 0x9e3779b97f4a7c15u;
    hash ^= hash >> 29;
  }
  return hash;
}

/* ---- the table ------------------------------------------------------------------------------- */

static void unlink_use(entry *e) {
  *(e->newer ? &e->newer->older : &newest) = e->older;
  *(e->older ? &e->older->newer : &oldest) = e->newer;
}

static void link_newest(entry *e) {
  e->newer = NULL, e->older = newest;
  *(newest ? &newest->newer : &oldest) = e;
  newest = e;
}

static entry *find(const fg_py_gpu_key *k, uint64_t hash) {
  size_t bytes = sizeof *k->word * (size_t)k->words;
  entry *e = bucket[hash % BUCKETS];
  while (e && (e->hash != hash || e->words != k->words || memcmp(e->word, k->word, bytes) != 0)) e = e->next;
  return e;
}

fg_py_gpu_plan *fg_py_gpu_cache_find(const fg_py_gpu_key *k) {
  entry *e = find(k, hash_of(k));
  if (!e) return NULL;
  counts.found++;
  if (e != newest) unlink_use(e), link_newest(e);
  Py_INCREF(e->plan);
  return e->plan;
}

static void drop(entry *e) {
  entry **at = &bucket[e->hash % BUCKETS];
  while (*at != e) at = &(*at)->next;
  *at = e->next;
  unlink_use(e);
  counts.plans--, counts.dropped++, counts.bytes -= e->bytes;
  fg_py_gpu_plan *plan = e->plan;
  free(e);
  Py_DECREF(plan); /* may let other threads run */
}

static void drop_beyond(int64_t plans, int64_t bytes) {
  while (oldest && (counts.plans > plans || counts.bytes > bytes)) drop(oldest);
}

/* A plan of the same key is replaced. */
bool fg_py_gpu_cache_add(const fg_py_gpu_key *k, fg_py_gpu_plan *p) {
  size_t bytes = sizeof *k->word * (size_t)k->words;
  entry *e = malloc(sizeof *e + bytes), *before = find(k, hash_of(k));
  if (!e) return PyErr_NoMemory() != NULL;
  e->plan = p, e->hash = hash_of(k), e->words = k->words, e->bytes = (int64_t)fg_py_gpu_plan_bytes(p);
  memcpy(e->word, k->word, bytes);
  Py_INCREF(p);
  if (before) drop(before);
  e->next = bucket[e->hash % BUCKETS], bucket[e->hash % BUCKETS] = e;
  link_newest(e);
  counts.plans++, counts.made++, counts.bytes += e->bytes;
  drop_beyond(counts.limit, MOST_BYTES);
  return true;
}

void fg_py_gpu_cache_limit(int64_t plans) {
  if (plans > 0) counts.limit = plans;
  drop_beyond(plans, MOST_BYTES);
}

PyObject *fg_py_gpu_cache_counts(void) {
  return Py_BuildValue("{sLsLsLsLsLsL}", "plans", (long long)counts.plans, "limit", (long long)counts.limit, "found",
                       (long long)counts.found, "made", (long long)counts.made, "dropped", (long long)counts.dropped,
                       "bytes", (long long)counts.bytes);
}
