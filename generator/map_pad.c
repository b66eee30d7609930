/* Padding of a block's memory. In: a kernel of blocks and threads. Out: the same
 * with the padding that loses the fewest cycles to bank conflicts.
 *
 * The idea: count instead of reason. One block is walked for every candidate; a
 * candidate must beat a simpler one clearly, because padding costs addresses. */
#include "generator/banks.h"
#include "generator/map.h"
#include "generator/walk.h"

enum { MOST_ELEMENTS = 1 << 17, MOST_TRIES = 12 };

typedef struct counter {
  const fg_program *p;
  int64_t extra, blocks, most; /* of extra: beyond that nobody wants to know */
  bool beyond;                 /* an element lies behind its buffer */
} counter;

static bool on_launch(void *self, int kernel, int64_t blocks) {
  (void)self, (void)kernel, (void)blocks;
  return true;
}

static bool on_block(void *self, int64_t block) {
  (void)block;
  return ((counter *)self)->blocks++ == 0; /* the first one is like all others */
}

static void count(counter *c, const fg_bundle *b, const fg_moves *x) {
  const fg_buffer *buffer = &c->p->buffer[x->access->buffer];
  if (x->rest) count(c, b, x->rest);
  if (buffer->space != FG_SPACE_LOCAL) return;
  for (int s = 0; s < x->slots; s++) {
    int64_t at[FG_WARP];
    int n = 0;
    for (int i = 0; i < b->width; i++)
      if (x->on[s * b->width + i]) at[n++] = x->at[s * b->width + i];
    for (int i = 0; i < n && buffer->spread < 2; i++) c->beyond |= at[i] >= buffer->size;
    if (n) c->extra += fg_bank_conflicts(buffer, at, n);
  }
}

static bool on_load(void *self, const fg_bundle *b, const fg_moves *x, const fg_moves *twiddle) {
  (void)twiddle;
  counter *c = self;
  count(c, b, x);
  return c->extra < c->most;
}

static bool on_store(void *self, const fg_bundle *b, const fg_moves *y) {
  counter *c = self;
  count(c, b, y);
  return c->extra < c->most;
}

static void on_sync(void *self, fg_scope scope) { (void)self, (void)scope; }

/* Cycles lost by one block; parameters where all of a block's threads have work. Endless
 * from `most` on and, with `inside`, where memory would have to grow. */
static int64_t conflicts(fg_builder *b, bool inside, int64_t most) {
  int64_t params[FG_MAX_PARAMS] = {0};
  const fg_problem *q = &b->program->problem;
  for (int i = 0; i < q->nparam; i++) params[i] = q->param[i].hi < 1024 ? q->param[i].hi : 1024;
  fg_program alone = *b->program; /* with the kernel in hand only */
  alone.kernel = &b->kernel;
  alone.nkernel = 1;
  counter c = {.p = &alone, .most = most};
  fg_walker walker = {
      .self = &c, .launch = on_launch, .block = on_block, .load = on_load, .store = on_store, .sync = on_sync};
  char why[200];
  fg_status status = fg_walk(b->cx, &alone, &(fg_walk_options){.params = params}, &walker, why);
  return status == FG_OK && c.extra < most && !(inside && c.beyond) ? c.extra : INT64_MAX;
}

/* `every` and `by` count complex numbers; parts of them come in twos. What other blocks
 * store to stays as it is. */
static void pad_access(const fg_builder *b, fg_access *a, int64_t every, int64_t by) {
  int64_t numbers = 2 / fg_buffer_parts(&b->program->buffer[a->buffer]);
  const fg_buffer *buffer = &b->program->buffer[a->buffer];
  for (; a && fg_map_is_local(b, a->buffer) && buffer->spread < 2 && !buffer->plain; a = a->rest) {
    a->index.pad_every = by ? numbers * every : 0;
    a->index.pad_by = numbers * by;
  }
}

static void pad_all(fg_builder *b, fg_kernel *k, int64_t every, int64_t by) {
  for (int i = 0; i < k->nstage; i++) {
    pad_access(b, &k->stage[i].load, every, by);
    pad_access(b, &k->stage[i].store, every, by);
  }
}

static void grow_buffers(fg_builder *b, int64_t every, int64_t by) {
  fg_program *p = b->program;
  for (int i = 0; i < p->nbuffer && by; i++)
    if (fg_map_is_local(b, i) && !p->buffer[i].own) {
      int64_t numbers = 2 / fg_buffer_parts(&p->buffer[i]);
      p->buffer[i].size += p->buffer[i].size / (numbers * every) * (numbers * by);
    }
}

static int64_t local_bytes(const fg_builder *b, int64_t every, int64_t by) {
  const fg_program *p = b->program;
  int64_t bytes = fg_kernel_fetches(b->kernel) ? FG_MAP_BULK_BYTES : 0;
  for (int i = 0; i < p->nbuffer; i++)
    if (fg_map_is_local(b, i) && p->buffer[i].alias < 0)
      bytes +=
          fg_buffer_bytes(&p->buffer[i]) + (by && !p->buffer[i].own ? fg_buffer_bytes(&p->buffer[i]) / every * by : 0);
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
  int64_t every = 0, by = 0, least = conflicts(b, false, INT64_MAX);
  /* Within clusters the addresses that this makes cost more than its banks: r2c f64 2^17 an eighth. */
  int count = fixed ? 5 : add_rows(b, k, tries, 5);
  for (int i = 0; i < count && least > 0 && least < INT64_MAX; i++) {
    if (tries[i] < 2 || local_bytes(b, tries[i], 1) > (int64_t)b->map->local_bytes) continue;
    pad_all(b, k, tries[i], 1);
    int64_t lost = conflicts(b, fixed, least - least / 8);
    if (lost == INT64_MAX) continue;
    least = lost, every = tries[i], by = 1;
  }
  pad_all(b, k, every, by);
  if (!fixed) grow_buffers(b, every, by);
  k->lost = least < INT64_MAX && !fixed ? least : 0;
}
