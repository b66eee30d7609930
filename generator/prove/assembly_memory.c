/* Memory of assembly that is executed over a field. In: accesses. Out: their numbers, or the first fault.
 *
 * The idea: a record of who loaded and stored a number last, and between which barriers, finds every race, whatever the
 * order of threads. An array has numbers of one type; shared memory keeps what was stored there, and gives it back as
 * that alone. */
#include "generator/prove/assembly_run_parts.h"
#include <string.h>

enum { ANYBODY = -1 };

/* ---- who accessed a number -------------------------------------------------------------------- */

static bool conflicts(const fg_proof_asm_run *r, const fg_proof_asm_access *a) {
  if (a->block == INT64_MIN) return false;
  bool same_block = a->block == r->block;
  return !same_block || (a->phase == r->phase && a->thread != (int32_t)(r->now - r->thread));
}

static void note(const fg_proof_asm_run *r, fg_proof_asm_access *a) {
  int32_t me = (int32_t)(r->now - r->thread);
  bool none = a->block == INT64_MIN, same = a->block == r->block && a->phase == r->phase;
  bool several = !none && (a->block != r->block || (same && a->thread != me));
  *a = (fg_proof_asm_access){several && a->block != r->block ? ANYBODY : r->block, r->phase, several ? ANYBODY : me};
}

static bool accessed(fg_proof_asm_run *r, fg_proof_asm_record *x, bool stores) {
  if (x->launch != r->launch + 1)
    *x = (fg_proof_asm_record){.launch = r->launch + 1, .loaded = {INT64_MIN, 0, 0}, .stored = {INT64_MIN, 0, 0}};
  if (conflicts(r, &x->stored) || (stores && conflicts(r, &x->loaded))) return fg_proof_asm_fail(r, "assembly: a race");
  note(r, stores ? &x->stored : &x->loaded);
  return true;
}

/* ---- types ---------------------------------------------------------------------------------------- */

/* Whether an access moves numbers of this type. */
static bool is_moved(fg_proof_asm_moved moved, fg_precision type) {
  switch (moved) {
  case FG_ASM_F32: return type == FG_F32;
  case FG_ASM_F64: return type == FG_F64;
  case FG_ASM_U8: return type == FG_U8;
  case FG_ASM_I16: return type == FG_I16;
  case FG_ASM_HALF:
  case FG_ASM_WORD: return type == FG_F16 || type == FG_BF16;
  default: return false;
  }
}

static bool has_type(fg_proof_asm_run *r, fg_proof_asm_moved moved, fg_precision type, fg_precision stored) {
  bool same = stored == type || stored == FG_STORAGE_COUNT;
  return (same && is_moved(moved, type)) || fg_proof_asm_fail(r, "assembly: a number of another type");
}

/* ---- arrays ---------------------------------------------------------------------------------------- */

static void find_array(const fg_proof_asm_run *r, const fg_proof_asm_operand *m, int *array, int64_t *at) {
  uint64_t address = r->now->q[m->reg] + (uint64_t)m->number;
  *array = (int)(address >> FG_ASM_ARRAYS_APART) - 1;
  *at = (int64_t)(address & ((UINT64_C(1) << FG_ASM_ARRAYS_APART) - 1));
}

/* The array and the bytes from its begin. */
static bool locate(fg_proof_asm_run *r, const fg_proof_asm_operand *m, int *array, int64_t *at) {
  find_array(r, m, array, at);
  bool inside = *array >= 0 && *array < r->s->nargument;
  return inside || fg_proof_asm_fail(r, "assembly: an address outside of all arrays");
}

static fg_proof_asm_record *record_of(fg_proof_asm_run *r, uint32_t cell) {
  if (cell >= r->records) {
    uint32_t more = 2 * cell + 4096;
    r->record = fg_arena_more(r->s->cx.arena, r->record, r->records, more), r->records = more;
  }
  return &r->record[cell];
}

static bool global(fg_proof_asm_run *r, const fg_proof_asm_line *line, int n, fg_precision *type, fg_gf x[2]) {
  bool stores = line->op == FG_ASM_STORE;
  int array;
  int64_t at;
  if (!locate(r, &line->x[stores ? 0 : line->operands], &array, &at)) return false;
  if (!has_type(r, line->moved, r->type[array], stores ? *type : FG_STORAGE_COUNT)) return false;
  *type = r->type[array];
  int64_t bytes = fg_precision_bytes(*type);
  if (at % (bytes * n)) return fg_proof_asm_fail(r, "assembly: a misaligned address");
  r->constant[array] = r->constant[array] || line->op == FG_ASM_LOAD_CONSTANT;
  r->stored[array] = r->stored[array] || stores;
  for (int i = 0; i < n; i++) {
    fg_sampled_cell *cell = fg_proof_sample_cell(r->s, array, at / bytes + i);
    if (!cell) return fg_proof_asm_fail(r, "assembly: an access beyond an array");
    if (!accessed(r, record_of(r, (uint32_t)(cell - r->s->cell)), stores)) return false;
    if (stores)
      cell->value = x[i];
    else
      x[i] = cell->value;
  }
  return true;
}

static const fg_sampled_indices *indices_of(const fg_proof_asm_run *r, int array) {
  for (int i = 0; i < r->s->nindices; i++)
    if (r->s->indices[i].array == array && !r->s->indices[i].from) return &r->s->indices[i];
  return NULL;
}

bool fg_proof_asm_is_index(const fg_proof_asm_run *r, const fg_proof_asm_operand *m) {
  int array;
  int64_t at;
  find_array(r, m, &array, &at);
  return indices_of(r, array);
}

/* An entry of a table of numbers of elements. */
bool fg_proof_asm_load_index(fg_proof_asm_run *r, const fg_proof_asm_operand *m, uint32_t *out) {
  int array;
  int64_t at;
  find_array(r, m, &array, &at);
  const fg_sampled_indices *x = indices_of(r, array);
  if (at % (int64_t)sizeof(int32_t)) return fg_proof_asm_fail(r, "assembly: a misaligned address");
  if (!x || (size_t)at + sizeof(int32_t) > x->bytes)
    return fg_proof_asm_fail(r, "assembly: a number of an element that no table has");
  *out = (uint32_t)x->content[at / (int64_t)sizeof(int32_t)];
  return true;
}

/* ---- shared memory ------------------------------------------------------------------------------------ */

/* One number of `parts` units. */
static bool shared_number(fg_proof_asm_run *r, int64_t at, int parts, fg_precision type, fg_gf *load,
                          const fg_gf *store) {
  for (int k = 0; k < parts; k++) {
    fg_proof_asm_shared *c = &r->shared[at + k];
    if (!accessed(r, &r->shared_record[at + k], store)) return false;
    if (store)
      *c = (fg_proof_asm_shared){*store, (uint8_t)type, (uint8_t)k};
    else
      *load = c->type == type && c->part == k ? c->value : FG_ASM_UNDEFINED;
    if (!store && *load & FG_ASM_UNDEFINED) return true;
  }
  return true;
}

static bool shared(fg_proof_asm_run *r, const fg_proof_asm_line *line, int n, fg_precision *type, fg_gf x[2]) {
  bool stores = line->op == FG_ASM_STORE_SHARED;
  const fg_proof_asm_operand *m = &line->x[stores ? 0 : line->operands];
  if (r->now->word && r->now->word[m->reg].form) return fg_proof_asm_fail(r, "assembly: an address of a number's bits");
  uint32_t address = r->now->r[m->reg] + (uint32_t)m->number - FG_ASM_SHARED;
  int64_t at = address / (uint32_t)r->unit;
  bool words = line->moved == FG_ASM_HALF || line->moved == FG_ASM_WORD;
  if (!stores && !words) *type = line->moved == FG_ASM_F64 ? FG_F64 : FG_F32;
  if (*type == FG_STORAGE_COUNT) *type = r->short_type;
  if (!is_moved(line->moved, *type)) return fg_proof_asm_fail(r, "assembly: a number of another type");
  int bytes = fg_precision_bytes(*type), parts = bytes / r->unit;
  if (!parts || address % (uint32_t)(bytes * n)) return fg_proof_asm_fail(r, "assembly: a misaligned address");
  if (at + (int64_t)n * parts > r->nshared) return fg_proof_asm_fail(r, "assembly: an access beyond shared memory");
  for (int i = 0; i < n; i++)
    if (!shared_number(r, at + (int64_t)i * parts, parts, *type, &x[i], stores ? &x[i] : NULL)) return false;
  return true;
}

bool fg_proof_asm_access_memory(fg_proof_asm_run *r, const fg_proof_asm_line *line, int n, fg_precision *type,
                                fg_gf x[2]) {
  bool far = line->op != FG_ASM_STORE_SHARED && line->op != FG_ASM_LOAD_SHARED;
  return (far ? global : shared)(r, line, n, type, x);
}

void fg_proof_asm_begin_memory(fg_proof_asm_run *r) {
  for (int64_t i = 0; i < r->nshared; i++)
    r->shared[i] = (fg_proof_asm_shared){.value = FG_ASM_UNDEFINED | (uint64_t)i, .type = FG_STORAGE_COUNT};
  memset(r->shared_record, 0, sizeof *r->shared_record * (size_t)r->nshared);
}

/* ---- types of arrays ---------------------------------------------------------------------------------- */

static void set_type(fg_proof_asm_run *r, int array, fg_precision type, bool *known) {
  if (array < 0 || array >= r->s->nargument) return;
  r->type[array] = known[array] && r->type[array] != type ? FG_STORAGE_COUNT : type;
  known[array] = true;
}

static void find_types(fg_proof_asm_run *r) {
  const fg_program *p = r->s->text->p;
  fg_arena *arena = r->s->cx.arena;
  bool *known = fg_arena_new(arena, bool, r->s->nargument + 1);
  r->type = fg_arena_new(arena, fg_precision, r->s->nargument + 1);
  for (int i = 0; i < r->s->nargument; i++) r->type[i] = FG_STORAGE_COUNT;
  for (int i = 0; i < p->nbuffer; i++) {
    bool ends = p->buffer[i].space == FG_SPACE_INPUT || p->buffer[i].space == FG_SPACE_OUTPUT;
    if (p->buffer[i].alias >= 0) continue;
    set_type(r, r->s->location[i].array, p->buffer[i].precision, known);
    if (ends && p->buffer[i].layout == FG_LAYOUT_SPLIT)
      set_type(r, r->s->location[i].array + 1, p->buffer[i].precision, known);
  }
  for (int i = 0; i < r->s->nindices; i++)
    if (r->s->indices[i].array < r->s->nargument) r->type[r->s->indices[i].array] = FG_STORAGE_COUNT;
}

/* The shortest numbers that threads share. */
static fg_precision shortest(const fg_proof_asm_run *r) {
  const fg_program *p = r->s->text->p;
  fg_precision least = p->problem.compute;
  for (int i = 0; i < p->nbuffer; i++)
    if (p->buffer[i].space == FG_SPACE_LOCAL && fg_precision_bytes(p->buffer[i].precision) < fg_precision_bytes(least))
      least = p->buffer[i].precision;
  return least;
}

void fg_proof_asm_open_memory(fg_proof_asm_run *r) {
  fg_arena *arena = r->s->cx.arena;
  find_types(r);
  r->short_type = shortest(r);
  r->unit = fg_precision_bytes(r->short_type);
  r->nshared = (int64_t)r->l->local_bytes / r->unit;
  r->shared = fg_arena_new(arena, fg_proof_asm_shared, r->nshared + 1);
  r->shared_record = fg_arena_new(arena, fg_proof_asm_record, r->nshared + 1);
  r->constant = fg_arena_new(arena, bool, r->s->nargument + 1);
  r->stored = fg_arena_new(arena, bool, r->s->nargument + 1);
}
