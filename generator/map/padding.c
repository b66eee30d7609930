/* Padding of shared memory. In: a kernel of blocks and threads. Out: the same with the padding that has the fewest
 * bank conflicts.
 *
 * The idea: count instead of reason. One block is walked, and its accesses are recorded. Warps mostly repeat the
 * accesses of other warps at an offset, so each pattern is counted once for a padding. A candidate must be clearly
 * better than a simpler one, because padding costs address arithmetic. First one padding for all memory is chosen;
 * then, if each stage reads what the previous one stored, one for each exchange, so that in the banks the next run of
 * threads begins where one ends. */
#include "generator/assemble/pitch.h"
#include "generator/ir/banks.h"
#include "generator/ir/program_machine.h"
#include "generator/ir/walk.h"
#include "generator/map/async_copy.h"
#include "generator/map/block.h"
#include "generator/map/digits.h"
#include "targets/machine/limits.h"
#include <string.h>

enum {
  MOST_ELEMENTS = 1 << 17,
  MOST_TRIES = 12,
  CHUNK = 512,
  LOOK_BACK = 8,
  MEMO = 512,
};

typedef struct padding { /* `by` complex numbers more after every so many; 0: none */
  int64_t every, by;
} padding;

typedef struct pattern { /* elements that a warp touches at once, from the first of them */
  const fg_buffer *buffer;
  bool even;       /* the same further on, where its padding is the same, has the same conflicts */
  int64_t numbers; /* of one element in a padding: 2 for parts of complex numbers; 0: no padding */
  int exchange;    /* number of the stage that reads what is stored there */
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
  int64_t cycles;                    /* without conflicts */
  padding *pad;                      /* of each exchange: a stage's load, and the store of the one before */
} recorder;

static bool on_block(void *self, int64_t block) {
  (void)block;
  return ((recorder *)self)->blocks++ == 0; /* the first one is like all others */
}

/* What other blocks store to stays as it is. */
static bool can_be_padded(const fg_builder *b, int buffer) {
  const fg_buffer *x = &b->program->buffer[buffer];
  return fg_map_is_local(b, buffer) && !fg_buffer_is_distributed(x) && !x->local.plain;
}

/* Paddings are counted in complex numbers. */
static int64_t numbers_of(const fg_buffer *b) { return 2 / fg_buffer_parts(b); }

static bool is_same(const pattern *a, const pattern *b) {
  return a->buffer == b->buffer && a->exchange == b->exchange && a->count == b->count &&
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

static void record(recorder *r, const fg_simd_group *b, const fg_moves *x, int exchange) {
  const fg_buffer *buffer = &r->b->program->buffer[x->access->buffer];
  int bytes;
  if (x->rest) record(r, b, x->rest, exchange);
  if (!fg_buffer_is_shared(buffer)) return;
  (void)fg_bank_byte(buffer, 0, &bytes);
  pattern p = {.buffer = buffer, .even = bytes >= FG_BANK_BYTES && buffer->layout != FG_LAYOUT_BLOCKED};
  p.numbers = can_be_padded(r->b, x->access->buffer) ? numbers_of(buffer) : 0;
  p.exchange = exchange;
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
    r->cycles += (p.count * bytes + FG_BANK_ROW - 1) / FG_BANK_ROW;
  }
}

static bool on_load(void *self, const fg_simd_group *b, const fg_moves *x, const fg_moves *twiddle) {
  (void)twiddle;
  record(self, b, x, b->stage);
  return true;
}

static bool on_store(void *self, const fg_simd_group *b, const fg_moves *y) {
  record(self, b, y, b->stage + 1);
  return true;
}

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
  fg_walker walker = {.self = r, .block = on_block, .load = on_load, .store = on_store};
  char why[200];
  return fg_walk(b->cx, &alone, &options, &walker, why) == FG_OK;
}

static int64_t padded(const pattern *p, int64_t at, const padding *pad) {
  return p->numbers && pad->by ? at + at / (p->numbers * pad->every) * (p->numbers * pad->by) : at;
}

static int64_t conflicts(const touch *t, const padding *pad) {
  const pattern *p = t->of;
  int64_t at[FG_WARP];
  for (int i = 0; i < p->count; i++) at[i] = padded(p, t->first + p->apart[i], pad);
  return fg_bank_conflicts(p->buffer, at, p->count);
}

/* What is counted already, by the distance from where a padding begins. */
typedef struct memo {
  const pattern *of[MEMO];
  int64_t from[MEMO], extra[MEMO];
} memo;

static int64_t conflicts_once(memo *m, const touch *t, const padding *pad) {
  int64_t length = pad->by ? t->of->numbers * pad->every : 0, from = length ? t->first % length : 0;
  if (!t->of->even) return conflicts(t, pad);
  uint64_t place = ((uint64_t)from + (unsigned)t->of->number * 5u) % MEMO;
  if (m->of[place] != t->of || m->from[place] != from) {
    m->of[place] = t->of;
    m->from[place] = from;
    m->extra[place] = conflicts(t, pad);
  }
  return m->extra[place];
}

/* Cycles lost by one block with these paddings. Endless from `most` on and, with `inside`, where memory would have to
 * grow. */
static int64_t count_conflicts(const recorder *r, bool inside, int64_t most) {
  int64_t extra = 0;
  memo seen;
  memset(seen.of, 0, sizeof seen.of);
  for (const chunk *c = r->first; c; c = c->next)
    for (int i = 0; i < c->count; i++) {
      const touch *t = &c->touch[i];
      const padding *pad = &r->pad[t->of->exchange];
      int64_t last = padded(t->of, t->first + t->of->farthest, pad);
      extra += conflicts_once(&seen, t, pad);
      if (extra >= most || (inside && !fg_buffer_is_distributed(t->of->buffer) && last >= t->of->buffer->size))
        return INT64_MAX;
    }
  return extra;
}

static void pad_access(const fg_builder *b, fg_access *a, const padding *pad) {
  int64_t numbers = numbers_of(&b->program->buffer[a->buffer]);
  for (bool can = can_be_padded(b, a->buffer); a && can; a = a->rest) {
    a->index.pad_every = pad->by ? numbers * pad->every : 0;
    a->index.pad_by = numbers * pad->by;
  }
}

static void pad_all(const recorder *r, fg_kernel *k) {
  for (int i = 0; i < k->nstage; i++) {
    pad_access(r->b, &k->stage[i].load, &r->pad[i]);
    pad_access(r->b, &k->stage[i].store, &r->pad[i + 1]);
  }
}

/* The same for all exchanges. */
static void set_padding(recorder *r, const fg_kernel *k, padding pad) {
  for (int i = 0; i <= k->nstage; i++) r->pad[i] = pad;
}

/* What so many numbers grow by. */
static int64_t growth(const recorder *r, const fg_kernel *k, int64_t size) {
  int64_t most = 0;
  for (int i = 0; i <= k->nstage; i++) {
    int64_t more = r->pad[i].by ? size / r->pad[i].every * r->pad[i].by : 0;
    if (more > most) most = more;
  }
  return most;
}

/* Not memory of its own that is an array. */
static bool grows(const fg_buffer *b) { return !b->local.own || !b->local.plain; }

static void grow_buffers(const recorder *r, const fg_kernel *k) {
  fg_program *p = r->b->program;
  for (int i = 0; i < p->nbuffer; i++)
    if (fg_map_is_local(r->b, i) && grows(&p->buffer[i]))
      p->buffer[i].size += growth(r, k, p->buffer[i].size / numbers_of(&p->buffer[i])) * numbers_of(&p->buffer[i]);
}

static int64_t local_bytes(const recorder *r, const fg_kernel *k) {
  const fg_program *p = r->b->program;
  int64_t bytes = fg_kernel_fetches(r->b->kernel) ? FG_MAP_BULK_BYTES : 0;
  for (int i = 0; i < p->nbuffer; i++)
    if (fg_map_is_local(r->b, i) && p->buffer[i].alias < 0)
      bytes +=
          fg_buffer_bytes(&p->buffer[i]) + (grows(&p->buffer[i]) ? growth(r, k, fg_buffer_bytes(&p->buffer[i])) : 0);
  return bytes;
}

/* The stride of threads in that memory: transforms are stored one after the other. */
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

/* A transform of its own for each block, where each stage's load is of what the one before stored, and of nothing else.
 * (Short ones side by side gain nothing: f32 1000 on an H200 .99 of copy, with padding .98.) */
static bool is_chain(const fg_builder *b, const fg_kernel *k, int64_t elements) {
  const fg_problem *q = &b->program->problem;
  if (elements >= 2 * q->dim[q->rank - 1].n.n) return false;
  for (int i = 0; i < k->nstage; i++) {
    const fg_access *in = &k->stage[i].load, *out = &k->stage[i].store;
    if (in->rest || out->rest || k->stage[i].warp_role) return false;
    if (i > 0 && (!fg_map_is_local(b, in->buffer) || in->buffer != k->stage[i - 1].store.buffer)) return false;
    if (fg_map_is_local(b, in->buffer) && fg_buffer_parts(&b->program->buffer[in->buffer]) != 2) return false;
  }
  return true;
}

/* The thread digit of least coefficient beyond `above`; -1: none. */
static int next_digit(const fg_kernel *k, const fg_index *x, int64_t above) {
  int found = -1;
  for (int t = 0; t < x->at.nterm; t++) {
    const fg_term *term = &x->at.term[t];
    bool thread = k->digit[term->digit].role == FG_ROLE_THREAD && term->coef.form == FG_NUM_CONST;
    if (thread && term->coef.n > above && (found < 0 || term->coef.n < x->at.term[found].coef.n)) found = t;
  }
  return found;
}

/* L1 gets what blocks leave, in steps; which of them, where as many blocks are there as without padding
 * (f32 3125 on an H200 by five blocks of 25 KiB .96 of copy, of 27 KiB .92, f64 5000 .83 and .77). */
static int share_of(const fg_machine *m, const fg_kernel *k, int64_t before, int64_t bytes) {
  int64_t kept = m->shared_kept_bytes, each = before + kept > 0 ? before + kept : 1;
  int64_t room = m->shared_bytes / each, most = m->threads / k->launch.threads;
  int64_t blocks = k->launch.resident ? k->launch.resident : room < most ? room : most;
  int share = 0;
  while (fg_machine_shared_steps[share] && fg_machine_shared_steps[share] * 1024 < blocks * (bytes + kept)) share++;
  return share;
}

/* Cycles for the addresses of a stage, one for each iteration of its loops. */
static int64_t bending(const fg_kernel *k, const fg_stage *s) {
  int64_t iterations = 1;
  for (int i = 0; i < s->nloop; i++) {
    const fg_digit *d = &k->digit[s->loop[i]];
    if ((d->role == FG_ROLE_LOOP || d->role == FG_ROLE_REG) && d->extent.form == FG_NUM_CONST)
      iterations *= d->extent.n;
  }
  return iterations * ((k->launch.threads + FG_WARP - 1) / FG_WARP) * limit->bent_address;
}

/* Conflicts left, of at most `least`, with another padding of one exchange; else that is as it was. */
static int64_t try_padding(recorder *r, const fg_kernel *k, int exchange, padding pad, int64_t least) {
  const fg_machine *m = fg_program_machine(r->b->program);
  padding was = r->pad[exchange];
  bool fixed = k->launch.cluster > 1;
  int64_t before = local_bytes(r, k), save = bending(k, &k->stage[exchange - 1]) + bending(k, &k->stage[exchange]);
  r->pad[exchange] = pad;
  int64_t bytes = fixed ? before : local_bytes(r, k), all = r->cycles + least;
  if (share_of(m, k, before, bytes) != share_of(m, k, before, before) && save < all / limit->padding_cache_part)
    save = all / limit->padding_cache_part;
  if (save < least / 8) save = least / 8;
  int64_t lost = bytes > (int64_t)r->b->map->local_bytes ? INT64_MAX : count_conflicts(r, fixed, least - save);
  if (lost < INT64_MAX) return lost;
  r->pad[exchange] = was;
  return least;
}

/* What a stage stores where it loaded it, without a wait between them, is padded alike on both sides. */
static bool stays_in_place(const fg_builder *b, const fg_stage *s) {
  const fg_program *p = b->program;
  return !fg_exchange_waits(&s->exchange.between) && fg_map_is_local(b, s->load.buffer) && fg_stage_is_in_place(p, s);
}

/* Runs of one length: the next one begins where one ends, by banks. */
static int64_t pad_runs(recorder *r, const fg_kernel *k, int exchange, int64_t row, int64_t least) {
  const fg_stage *from = &k->stage[exchange - 1], *to = &k->stage[exchange];
  const fg_index *x = &from->store.index;
  int run = fg_index_is_bent(x) || stays_in_place(r->b, from) || stays_in_place(r->b, to) ? -1 : next_digit(k, x, 0);
  for (int next; run >= 0 && least > 0; run = next) {
    next = next_digit(k, x, x->at.term[run].coef.n);
    const fg_digit *d = &k->digit[x->at.term[run].digit];
    if (next < 0 || d->extent.form != FG_NUM_CONST) break;
    int64_t every = x->at.term[next].coef.n, end = d->extent.n * d->step * x->at.term[run].coef.n;
    padding pad = {every, ((end - every) % row + row) % row};
    if (pad.by) least = try_padding(r, k, exchange, pad, least);
  }
  return least;
}

static void pad_kernel(fg_builder *b, fg_kernel *k) {
  fg_program *p = b->program;
  bool fixed = k->launch.cluster > 1; /* each block's part has its place among the others' */
  int64_t row = fg_build_bank_row(b), elements = 0;
  for (int i = 0; i < p->nbuffer; i++)
    if (fg_map_is_local(b, i) && p->buffer[i].alias < 0) elements += p->buffer[i].size;
  if (!elements || elements > MOST_ELEMENTS) return;
  int64_t tries[MOST_TRIES] = {row, row / 2, 2 * row, 4 * row, p->problem.dim[p->problem.rank - 1].n.n};
  /* Within clusters the addresses that this makes cost more than its banks: r2c f64 2^17 an eighth. */
  int count = fixed ? 5 : add_rows(b, k, tries, 5);
  recorder r = {.b = b, .pad = fg_arena_new(b->cx->arena, padding, k->nstage + 1)};
  pad_all(&r, k);
  if (!record_block(&r)) return;
  padding best = {0, 0};
  int64_t least = count_conflicts(&r, false, INT64_MAX);
  for (int i = 0; i < count && least > 0; i++) {
    if (tries[i] < 2) continue;
    set_padding(&r, k, (padding){tries[i], 1});
    if (local_bytes(&r, k) > (int64_t)b->map->local_bytes) continue;
    int64_t lost = count_conflicts(&r, fixed, least - least / 8);
    if (lost < INT64_MAX) least = lost, best = r.pad[0];
  }
  set_padding(&r, k, best);
  for (int i = 1; i < k->nstage && is_chain(b, k, elements); i++) least = pad_runs(&r, k, i, row, least);
  pad_all(&r, k);
  if (!fixed) grow_buffers(&r, k);
  k->launch.lost = fixed ? 0 : least;
}

/* Kernels that hold whole transforms in a block are the builder's; those of a stage each are copies. */
fg_status fg_map_padding(fg_builder *b) {
  for (int i = 0; i < b->nkernel; i++)
    for (int k = 0; k < b->program->nkernel; k++)
      if (b->program->kernel[k] == b->kernels[i]) pad_kernel(b, b->kernel = b->kernels[i]);
  return FG_OK;
}
