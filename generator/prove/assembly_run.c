/* Executes assembly over a prime field. In: instructions, the memory of a sample. Out: what a block stores there.
 *
 * The idea: each thread runs until a barrier, and all must reach the same one. A record of who loaded and stored a
 * number last, and between which barriers, finds every race, whatever the order of threads. Reads of registers and
 * shared memory that nothing was stored to give numbers that are no elements of the field: computing with them is a
 * fault. */
#include "generator/prove/assembly_parts.h"
#include <string.h>

#define UNDEFINED FG_TEXT_OUTSIDE
#define ARRAYS_APART 40           /* bits of an address within an array */
#define SHARED UINT32_C(0x100000) /* where shared memory begins */

enum { MOST_LINES = 1 << 26, ANYBODY = -1 };

typedef struct access { /* of a number, by whom: the last one, or several */
  int64_t block;
  int32_t phase, thread; /* ANYBODY: several */
} access;

typedef struct record {
  int launch;
  access loaded, stored;
} record;

typedef struct thread {
  int at; /* line */
  bool waits, ended;
  uint8_t *p;
  uint32_t *r;
  uint64_t *q;
  fg_gf *f, *d;
} thread;

struct fg_proof_asm_run {
  fg_proof_sample *s;
  const fg_proof_asm *a;
  const fg_proof_asm_kernel *k;
  const fg_launch *l;
  int launch, threads, real; /* real: bytes of a number in memory */
  thread *thread;
  thread *now;
  int64_t block, lines;
  int32_t phase;
  record *record, *shared_record; /* of cells; of shared memory */
  uint32_t records;
  fg_gf *shared;
  int64_t nshared;
  bool *constant, *stored; /* per array: loaded from as constant memory; stored to */
};

static bool fail(fg_proof_asm_run *r, const char *what) { return fg_proof_sample_fail(r->s, what); }

/* ---- who accessed a number -------------------------------------------------------------------- */

static bool conflicts(const fg_proof_asm_run *r, const access *a) {
  if (a->block == INT64_MIN) return false;
  bool same_block = a->block == r->block;
  return !same_block || (a->phase == r->phase && a->thread != (int32_t)(r->now - r->thread));
}

static void note(const fg_proof_asm_run *r, access *a) {
  int32_t me = (int32_t)(r->now - r->thread);
  bool none = a->block == INT64_MIN, same = a->block == r->block && a->phase == r->phase;
  bool several = !none && (a->block != r->block || (same && a->thread != me));
  *a = (access){several && a->block != r->block ? ANYBODY : r->block, r->phase, several ? ANYBODY : me};
}

static bool accessed(fg_proof_asm_run *r, record *x, bool stores) {
  if (x->launch != r->launch + 1) {
    *x = (record){.launch = r->launch + 1, .loaded = {INT64_MIN, 0, 0}, .stored = {INT64_MIN, 0, 0}};
  }
  if (conflicts(r, &x->stored) || (stores && conflicts(r, &x->loaded))) return fail(r, "assembly: a race");
  note(r, stores ? &x->stored : &x->loaded);
  return true;
}

/* ---- memory ------------------------------------------------------------------------------------ */

/* The array and the bytes from its begin, of which an access of so many begins at a multiple. */
static bool locate(fg_proof_asm_run *r, uint64_t address, int bytes, int *array, int64_t *at) {
  *array = (int)(address >> ARRAYS_APART) - 1;
  *at = (int64_t)(address & ((UINT64_C(1) << ARRAYS_APART) - 1));
  if (*array < 0 || *array >= r->s->nargument) return fail(r, "assembly: an address outside of all arrays");
  if (*at % bytes) return fail(r, "assembly: a misaligned address");
  return true;
}

static record *record_of(fg_proof_asm_run *r, uint32_t cell) {
  if (cell >= r->records) {
    uint32_t more = 2 * cell + 4096;
    r->record = fg_arena_more(r->s->cx.arena, r->record, r->records, more), r->records = more;
  }
  return &r->record[cell];
}

static bool global(fg_proof_asm_run *r, const fg_proof_asm_line *line, const fg_proof_asm_operand *m, fg_gf x[2]) {
  bool stores = line->op == FG_ASM_STORE;
  int array;
  int64_t at;
  uint64_t address = r->now->q[m->reg] + (uint64_t)m->number;
  if (!locate(r, address, r->real * line->numbers, &array, &at)) return false;
  r->constant[array] = r->constant[array] || line->op == FG_ASM_LOAD_CONSTANT;
  r->stored[array] = r->stored[array] || stores;
  for (int i = 0; i < line->numbers; i++) {
    fg_sampled_cell *cell = fg_proof_sample_cell(r->s, array, at / r->real + i);
    if (!cell) return fail(r, "assembly: an access beyond an array");
    if (!accessed(r, record_of(r, (uint32_t)(cell - r->s->cell)), stores)) return false;
    if (stores)
      cell->value = x[i];
    else
      x[i] = cell->value;
  }
  return true;
}

static bool shared(fg_proof_asm_run *r, const fg_proof_asm_line *line, const fg_proof_asm_operand *m, fg_gf x[2]) {
  bool stores = line->op == FG_ASM_STORE_SHARED;
  uint32_t address = r->now->r[m->reg] + (uint32_t)m->number - SHARED;
  if (address % (uint32_t)(r->real * line->numbers)) return fail(r, "assembly: a misaligned address");
  int64_t at = address / (uint32_t)r->real;
  if (at + line->numbers > r->nshared) return fail(r, "assembly: an access beyond shared memory");
  for (int i = 0; i < line->numbers; i++) {
    if (!accessed(r, &r->shared_record[at + i], stores)) return false;
    if (stores)
      r->shared[at + i] = x[i];
    else
      x[i] = r->shared[at + i];
  }
  return true;
}

/* An entry of a table of numbers of elements. */
static bool load_index(fg_proof_asm_run *r, const fg_proof_asm_operand *m, uint32_t *out) {
  int array;
  int64_t at;
  if (!locate(r, r->now->q[m->reg] + (uint64_t)m->number, (int)sizeof(int32_t), &array, &at)) return false;
  for (int i = 0; i < r->s->nindices; i++) {
    const fg_sampled_indices *x = &r->s->indices[i];
    if (x->array != array || x->from) continue;
    if ((size_t)at + sizeof(int32_t) > x->bytes) break;
    *out = (uint32_t)x->content[at / (int64_t)sizeof(int32_t)];
    return true;
  }
  return fail(r, "assembly: a number of an element that no table has");
}

/* ---- instructions ------------------------------------------------------------------------------- */

static uint64_t given(const fg_proof_asm_run *r, int64_t operand) {
  int argument = r->k->given[operand];
  if (argument < 0) return SHARED;
  const fg_launch_arg *a = &r->l->arg[argument];
  if (a->is_param) return (uint64_t)r->s->params[a->index];
  const fg_sampled_array *array = &r->s->array[a->index];
  return (uint64_t)(array->shared ? array->shared : a->index + 1) << ARRAYS_APART;
}

static uint64_t whole(const fg_proof_asm_run *r, const fg_proof_asm_operand *x) {
  switch (x->kind) {
  case 'r': return r->now->r[x->reg];
  case 'q': return r->now->q[x->reg];
  case 't': return (uint64_t)(r->now - r->thread);
  case 'c': return (uint64_t)r->block;
  case 'a': return given(r, x->number);
  default: return (uint64_t)x->number;
  }
}

static fg_gf *place(const fg_proof_asm_run *r, const fg_proof_asm_operand *x) {
  return x->kind == 'f' ? &r->now->f[x->reg] : &r->now->d[x->reg];
}

static fg_gf real(const fg_proof_asm_run *r, const fg_proof_asm_operand *x) {
  return x->kind == 'f' || x->kind == 'd' ? *place(r, x) : x->image;
}

static bool compute(fg_proof_asm_run *r, const fg_proof_asm_line *line) {
  const fg_field *f = r->s->text->field;
  fg_gf x[3] = {0, 0, 0}, *to = place(r, &line->x[0]);
  for (int i = 1; i < line->noperand; i++) {
    x[i - 1] = real(r, &line->x[i]);
    if (x[i - 1] & UNDEFINED && line->op != FG_ASM_MOVE_REAL) return fail(r, "assembly: a number that is not defined");
  }
  switch (line->op) {
  case FG_ASM_NEGATE_REAL: *to = fg_gf_neg(f, x[0]); break;
  case FG_ASM_ADD_REAL: *to = fg_gf_add(f, x[0], x[1]); break;
  case FG_ASM_SUBTRACT_REAL: *to = fg_gf_sub(f, x[0], x[1]); break;
  case FG_ASM_MULTIPLY_REAL: *to = fg_gf_mul(f, x[0], x[1]); break;
  case FG_ASM_FUSED: *to = fg_gf_add(f, fg_gf_mul(f, x[0], x[1]), x[2]); break;
  default: *to = x[0];
  }
  return true;
}

/* Whole numbers and truths. */
static void count(fg_proof_asm_run *r, const fg_proof_asm_line *line) {
  const fg_proof_asm_operand *x = line->x;
  thread *t = r->now;
  uint64_t a = line->noperand > 1 ? whole(r, &x[1]) : 0, b = line->noperand > 2 ? whole(r, &x[2]) : 0;
  uint32_t u = (uint32_t)a, v = (uint32_t)b;
  switch (line->op) {
  case FG_ASM_MOVE:
  case FG_ASM_NARROW: t->r[x->reg] = u; break;
  case FG_ASM_MOVE_WIDE: t->q[x->reg] = a; break;
  case FG_ASM_ADD: t->r[x->reg] = u + v; break;
  case FG_ASM_MULTIPLY: t->r[x->reg] = u * v; break;
  case FG_ASM_MULTIPLY_HIGH: t->r[x->reg] = (uint32_t)((uint64_t)u * v >> 32); break;
  case FG_ASM_SHIFT_LEFT: t->r[x->reg] = v < 32 ? u << v : 0; break;
  case FG_ASM_SHIFT_RIGHT: t->r[x->reg] = v < 32 ? u >> v : 0; break;
  case FG_ASM_AND: t->r[x->reg] = u & v; break;
  case FG_ASM_OR: t->r[x->reg] = u | v; break;
  case FG_ASM_XOR: t->r[x->reg] = u ^ v; break;
  case FG_ASM_ADD_WIDE: t->q[x->reg] = a + b; break;
  case FG_ASM_MULTIPLY_WIDE: t->q[x->reg] = a * b; break;
  case FG_ASM_SHIFT_WIDE: t->q[x->reg] = b < 64 ? a << b : 0; break;
  case FG_ASM_MULTIPLY_ADD: t->q[x->reg] = (uint64_t)((int64_t)(int32_t)u * (int32_t)v) + whole(r, &x[3]); break;
  case FG_ASM_WIDEN_UNSIGNED: t->q[x->reg] = u; break;
  case FG_ASM_WIDEN_SIGNED: t->q[x->reg] = (uint64_t)(int64_t)(int32_t)u; break;
  case FG_ASM_LESS: t->p[x->reg] = (int32_t)u < (int32_t)v; break;
  case FG_ASM_LESS_WIDE: t->p[x->reg] = (int64_t)a < (int64_t)b; break;
  case FG_ASM_NOT_EQUAL: t->p[x->reg] = u != v; break;
  default: t->p[x->reg] = t->p[x[1].reg] && t->p[x[2].reg];
  }
}

static bool move(fg_proof_asm_run *r, const fg_proof_asm_line *line) {
  bool stores = line->op == FG_ASM_STORE || line->op == FG_ASM_STORE_SHARED;
  bool far = line->op != FG_ASM_STORE_SHARED && line->op != FG_ASM_LOAD_SHARED;
  const fg_proof_asm_operand *numbers = stores ? &line->x[1] : line->x, *m = stores ? line->x : &line->x[line->numbers];
  fg_gf x[2] = {0, 0};
  for (int i = 0; stores && i < line->numbers; i++) {
    x[i] = real(r, &numbers[i]);
    if (x[i] & UNDEFINED) return fail(r, "assembly: a number that is not defined");
  }
  if (!(far ? global : shared)(r, line, m, x)) return false;
  for (int i = 0; !stores && i < line->numbers; i++) *place(r, &numbers[i]) = x[i];
  return true;
}

static bool execute(fg_proof_asm_run *r, const fg_proof_asm_line *line) {
  switch (line->op) {
  case FG_ASM_BARRIER: r->now->waits = true; return line->x[0].number == 0 || fail(r, "assembly: another barrier");
  case FG_ASM_BRANCH: r->now->at = (int)line->x[0].number; return true;
  case FG_ASM_NOTHING: return true;
  case FG_ASM_LOAD_INDEX: return load_index(r, &line->x[1], &r->now->r[line->x[0].reg]);
  case FG_ASM_MOVE_REAL:
  case FG_ASM_NEGATE_REAL:
  case FG_ASM_ADD_REAL:
  case FG_ASM_SUBTRACT_REAL:
  case FG_ASM_MULTIPLY_REAL:
  case FG_ASM_FUSED: return compute(r, line);
  case FG_ASM_LOAD:
  case FG_ASM_LOAD_CONSTANT:
  case FG_ASM_STORE:
  case FG_ASM_LOAD_SHARED:
  case FG_ASM_STORE_SHARED: return move(r, line);
  default: count(r, line); return true;
  }
}

/* ---- blocks ---------------------------------------------------------------------------------------- */

/* To the next barrier, or to the end. */
static bool go_on(fg_proof_asm_run *r) {
  thread *t = r->now;
  t->waits = false;
  while (t->at < r->k->nline && !t->waits) {
    const fg_proof_asm_line *line = &r->k->line[t->at++];
    if (++r->lines > MOST_LINES) return fail(r, "assembly: too many instructions");
    if (line->when >= 0 && !t->p[line->when] != line->unless) continue;
    if (!execute(r, line)) return false;
  }
  t->ended = !t->waits;
  return true;
}

static void begin_block(fg_proof_asm_run *r) {
  const int *n = r->k->registers;
  for (int i = 0; i < r->threads; i++) {
    thread *t = &r->thread[i];
    t->at = 0, t->ended = t->waits = false;
    memset(t->p, 0, (size_t)n[0]);
    for (int k = 0; k < n[1]; k++) t->r[k] = 0x5a5a5a5a;
    for (int k = 0; k < n[2]; k++) t->q[k] = 0x5a5a5a5a5a5a5a5a;
    for (int k = 0; k < n[3]; k++) t->f[k] = UNDEFINED | (uint64_t)k;
    for (int k = 0; k < n[4]; k++) t->d[k] = UNDEFINED | (uint64_t)k;
  }
  for (int64_t i = 0; i < r->nshared; i++) r->shared[i] = UNDEFINED | (uint64_t)i;
  memset(r->shared_record, 0, sizeof *r->shared_record * (size_t)r->nshared);
  r->phase = 0;
}

bool fg_proof_asm_block(fg_proof_asm_run *r, int64_t block) {
  r->block = block;
  begin_block(r);
  for (bool down = block & 1; !r->thread[0].ended; down = !down, r->phase++) {
    for (int i = 0; i < r->threads; i++) {
      r->now = &r->thread[down ? r->threads - 1 - i : i];
      if (!go_on(r)) return false;
    }
    for (int i = 1; i < r->threads; i++)
      if (r->thread[i].at != r->thread[0].at || r->thread[i].ended != r->thread[0].ended)
        return fail(r, "assembly: a barrier that not all threads reach");
  }
  for (int i = 0; i < r->s->nargument; i++)
    if (r->constant[i] && r->stored[i]) return fail(r, "assembly: a store to what is loaded as constant");
  return true;
}

static void make_thread(fg_proof_asm_run *r, thread *t) {
  fg_arena *arena = r->s->cx.arena;
  const int *n = r->k->registers;
  t->p = fg_arena_new(arena, uint8_t, n[0] + 1);
  t->r = fg_arena_new(arena, uint32_t, n[1] + 1);
  t->q = fg_arena_new(arena, uint64_t, n[2] + 1);
  t->f = fg_arena_new(arena, fg_gf, n[3] + 1);
  t->d = fg_arena_new(arena, fg_gf, n[4] + 1);
}

fg_proof_asm_run *fg_proof_asm_begin(fg_proof_sample *s, const fg_proof_asm *a, int launch) {
  fg_arena *arena = s->cx.arena;
  fg_proof_asm_run *r = fg_arena_new(arena, fg_proof_asm_run, 1);
  r->s = s, r->a = a, r->launch = launch;
  r->k = &a->kernel[launch], r->l = &a->c->launch[launch];
  r->threads = r->l->threads, r->real = fg_precision_bytes(s->text->p->problem.compute);
  r->nshared = (int64_t)r->l->local_bytes / r->real;
  r->shared = fg_arena_new(arena, fg_gf, r->nshared + 1);
  r->shared_record = fg_arena_new(arena, record, r->nshared + 1);
  r->constant = fg_arena_new(arena, bool, s->nargument + 1);
  r->stored = fg_arena_new(arena, bool, s->nargument + 1);
  r->thread = fg_arena_new(arena, thread, r->threads);
  for (int i = 0; i < r->threads; i++) make_thread(r, &r->thread[i]);
  return r;
}
