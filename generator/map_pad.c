/* Padding of a block's memory. In: a kernel of blocks and threads. Out: the same
 * with the padding that loses the fewest cycles to bank conflicts.
 *
 * The idea: count instead of reason. One block is walked, and its accesses are kept:
 * warps mostly do the same some distance further on, and what a padding makes of that is
 * counted once. A candidate must beat a simpler one clearly, because padding costs
 * addresses. */
#include "generator/banks.h"
#include "generator/map.h"
#include "generator/walk.h"
#include <string.h>

enum { MOST_ELEMENTS = 1 << 17, MOST_TRIES = 12, CHUNK = 512, LOOK_BACK = 8, MEMO = 512 };

typedef struct pattern { /* elements that a warp touches at once, from the first of them */
  const fg_buffer *buffer;
  bool even;       /* the same further on, where its padding is the same, has the same conflicts */
  int64_t numbers; /* that go together in a padding: 2 for parts of complex numbers; 0: no padding */
  int number, count;
  int64_t apart[FG_WARP], farthest;
} pattern;

typedef struct touch {
  const pattern *of;
  int64_t first;
} touch;

typedef struct chunk {
  struct chunk *next;
  int count;
  touch touch[CHUNK];
} chunk;

typedef struct recorder {
  const fg_builder *b;
  int64_t blocks;
  chunk *first, *last;
  int npattern;
  const pattern *pattern[LOOK_BACK]; /* the latest, by number modulo LOOK_BACK */
} recorder;

static bool on_launch(void *self, int kernel, int64_t blocks) {
  (void)self, (void)kernel, (void)blocks;
  return true;
}

static bool on_block(void *self, int64_t block) {
  (void)block;
  return ((recorder *)self)->blocks++ == 0; /* the first one is like all others */
}

/* What other blocks store to stays as it is. */
static bool can_be_padded(const fg_builder *b, int buffer) {
  const fg_buffer *x = &b->program->buffer[buffer];
  return fg_map_is_local(b, buffer) && x->spread < 2 && !x->plain;
}

/* Paddings are counted in complex numbers. */
static int64_t numbers_of(const fg_buffer *b) { return 2 / fg_buffer_parts(b); }

static bool is_same(const pattern *a, const pattern *b) {
  return a->buffer == b->buffer && a->count == b->count &&
         !memcmp(a->apart, b->apart, (size_t)a->count * sizeof *a->apart);
}

static const pattern *keep_pattern(recorder *r, pattern *p) {
  for (int i = 0; i < LOOK_BACK && i < r->npattern; i++)
    if (is_same(r->pattern[i], p)) return r->pattern[i];
  p->number = r->npattern;
  return r->pattern[r->npattern++ % LOOK_BACK] = fg_arena_copy(r->b->cx->arena, p, sizeof *p);
}

static void keep(recorder *r, pattern *p, int64_t first) {
  if (!r->last || r->last->count == CHUNK) {
    chunk *more = fg_arena_raw(r->b->cx->arena, sizeof *more);
    more->next = NULL, more->count = 0;
    *(r->last ? &r->last->next : &r->first) = more;
    r->last = more;
  }
  r->last->touch[r->last->count++] = (touch){keep_pattern(r, p), first};
}

static void record(recorder *r, const fg_bundle *b, const fg_moves *x) {
  const fg_buffer *buffer = &r->b->program->buffer[x->access->buffer];
  int bytes;
  if (x->rest) record(r, b, x->rest);
  if (buffer->space != FG_SPACE_LOCAL) return;
  (void)fg_bank_byte(buffer, 0, &bytes);
  pattern p = {.buffer = buffer, .even = bytes >= FG_BANK_BYTES && buffer->layout != FG_LAYOUT_BLOCKED};
  p.numbers = can_be_padded(r->b, x->access->buffer) ? numbers_of(buffer) : 0;
  for (int s = 0; s < x->slots; s++) {
    const int64_t *at = x->at + s * b->width;
    const unsigned char *on = x->on + s * b->width;
    int64_t first = 0;
    p.count = 0, p.farthest = 0;
    for (int i = 0; i < b->width; i++) {
      if (!on[i]) continue;
      if (!p.count) first = at[i];
      if (at[i] - first > p.farthest) p.farthest = at[i] - first;
      p.apart[p.count++] = at[i] - first;
    }
    if (p.count) keep(r, &p, first);
  }
}

static bool on_load(void *self, const fg_bundle *b, const fg_moves *x, const fg_moves *twiddle) {
  (void)twiddle;
  record(self, b, x);
  return true;
}

static bool on_store(void *self, const fg_bundle *b, const fg_moves *y) {
  record(self, b, y);
  return true;
}

static void on_sync(void *self, fg_scope scope) { (void)self, (void)scope; }

/* Parameters where all of a block's threads have work. False: the kernel contradicts itself. */
static bool record_block(recorder *r) {
  int64_t params[FG_MAX_PARAMS] = {0};
  const fg_builder *b = r->b;
  const fg_problem *q = &b->program->problem;
  for (int i = 0; i < q->nparam; i++) params[i] = q->param[i].hi < 1024 ? q->param[i].hi : 1024;
  fg_program alone = *b->program; /* with the kernel in hand only */
  fg_kernel *kernel = b->kernel;
  alone.kernel = &kernel;
  alone.nkernel = 1;
  fg_walk_options options = {.params = params, .local = true};
  fg_walker walker = {
      .self = r, .launch = on_launch, .block = on_block, .load = on_load, .store = on_store, .sync = on_sync};
  char why[200];
  return fg_walk(b->cx, &alone, &options, &walker, why) == FG_OK;
}

static int64_t padded(const pattern *p, int64_t at, int64_t every) {
  return p->numbers && every ? at + at / (p->numbers * every) * p->numbers : at;
}

static int64_t conflicts(const touch *t, int64_t every) {
  const pattern *p = t->of;
  int64_t at[FG_WARP];
  for (int i = 0; i < p->count; i++) at[i] = padded(p, t->first + p->apart[i], every);
  return fg_bank_conflicts(p->buffer, at, p->count);
}

/* What is counted already, by the distance from where a padding begins. */
typedef struct memo {
  const pattern *of[MEMO];
  int64_t from[MEMO], extra[MEMO];
} memo;

static int64_t conflicts_once(memo *m, const touch *t, int64_t every) {
  int64_t length = t->of->numbers * every, from = length ? t->first % length : 0;
  if (!t->of->even) return conflicts(t, every);
  uint64_t place = ((uint64_t)from + (unsigned)t->of->number * 5u) % MEMO;
  if (m->of[place] != t->of || m->from[place] != from) {
    m->of[place] = t->of;
    m->from[place] = from;
    m->extra[place] = conflicts(t, every);
  }
  return m->extra[place];
}

/* Cycles lost by one block with room for one more complex number behind so many; 0: without.
 * Endless from `most` on and, with `inside`, where memory would have to grow. */
static int64_t count_conflicts(const recorder *r, int64_t every, bool inside, int64_t most) {
  int64_t extra = 0;
  memo seen;
  memset(seen.of, 0, sizeof seen.of);
  for (const chunk *c = r->first; c; c = c->next)
    for (int i = 0; i < c->count; i++) {
      const touch *t = &c->touch[i];
      int64_t last = padded(t->of, t->first + t->of->farthest, every);
      extra += conflicts_once(&seen, t, every);
      if (extra >= most || (inside && t->of->buffer->spread < 2 && last >= t->of->buffer->size)) return INT64_MAX;
    }
  return extra;
}

static void pad_access(const fg_builder *b, fg_access *a, int64_t every) {
  int64_t numbers = numbers_of(&b->program->buffer[a->buffer]);
  for (bool padded = can_be_padded(b, a->buffer); a && padded; a = a->rest) {
    a->index.pad_every = numbers * every;
    a->index.pad_by = every ? numbers : 0;
  }
}

static void pad_all(fg_builder *b, fg_kernel *k, int64_t every) {
  for (int i = 0; i < k->nstage; i++) {
    pad_access(b, &k->stage[i].load, every);
    pad_access(b, &k->stage[i].store, every);
  }
}

static void grow_buffers(fg_builder *b, int64_t every) {
  fg_program *p = b->program;
  for (int i = 0; i < p->nbuffer && every; i++)
    if (fg_map_is_local(b, i) && !p->buffer[i].own) {
      int64_t numbers = numbers_of(&p->buffer[i]);
      p->buffer[i].size += p->buffer[i].size / (numbers * every) * numbers;
    }
}

static int64_t local_bytes(const fg_builder *b, int64_t every) {
  const fg_program *p = b->program;
  int64_t bytes = fg_kernel_fetches(b->kernel) ? FG_MAP_BULK_BYTES : 0;
  for (int i = 0; i < p->nbuffer; i++)
    if (fg_map_is_local(b, i) && p->buffer[i].alias < 0)
      bytes += fg_buffer_bytes(&p->buffer[i]) + (p->buffer[i].own ? 0 : fg_buffer_bytes(&p->buffer[i]) / every);
  return bytes;
}

/* What threads stand apart in that memory: transforms side by side, one behind the other. */
static int add_rows(const fg_builder *b, const fg_kernel *k, int64_t tries[MOST_TRIES], int count) {
  for (int s = 0; s < k->nstage; s++) {
    const fg_index *x = &k->stage[s].store.index;
    if (!fg_map_is_local(b, k->stage[s].store.buffer) || fg_index_is_bent(x)) continue;
    for (int t = 0; t < x->at.nterm; t++) {
      int64_t apart = x->at.term[t].coef.n;
      bool known = k->digit[x->at.term[t].digit].role != FG_ROLE_THREAD || x->at.term[t].coef.form != FG_NUM_CONST;
      for (int i = 0; i < count; i++) known |= tries[i] == apart;
      if (!known && apart > tries[0] && count < MOST_TRIES) tries[count++] = apart;
    }
  }
  return count;
}

void fg_map_pad(fg_builder *b, fg_kernel *k) {
  fg_program *p = b->program;
  bool fixed = k->cluster > 1; /* each block's part has its place among the others' */
  int64_t row = FG_BANK_ROW / (2 * fg_precision_bytes(p->problem.compute)), elements = 0;
  for (int i = 0; i < p->nbuffer; i++)
    if (fg_map_is_local(b, i) && p->buffer[i].alias < 0) elements += p->buffer[i].size;
  if (!elements || elements > MOST_ELEMENTS) return;
  int64_t tries[MOST_TRIES] = {row, row / 2, 2 * row, 4 * row, p->problem.dim[p->problem.rank - 1].n.n};
  /* Within clusters the addresses that this makes cost more than its banks: r2c f64 2^17 an eighth. */
  int count = fixed ? 5 : add_rows(b, k, tries, 5);
  recorder r = {.b = b};
  pad_all(b, k, 0);
  if (!record_block(&r)) return;
  int64_t every = 0, least = count_conflicts(&r, 0, false, INT64_MAX);
  for (int i = 0; i < count && least > 0; i++) {
    if (tries[i] < 2 || local_bytes(b, tries[i]) > (int64_t)b->map->local_bytes) continue;
    int64_t lost = count_conflicts(&r, tries[i], fixed, least - least / 8);
    if (lost < INT64_MAX) least = lost, every = tries[i];
  }
  pad_all(b, k, every);
  if (!fixed) grow_buffers(b, every);
  k->lost = fixed ? 0 : least;
}
