/* Executes assembly over a prime field. In: instructions, the memory of a sample. Out: what a block stores there.
 *
 * The idea: each thread runs until a barrier, and all must reach the same one. Reads of registers and shared memory
 * that nothing was stored to give numbers that are no elements of the field: computing with them is a fault. */
#include "generator/prove/assembly_run_parts.h"
#include "generator/reference/operation_values.h"
#include <string.h>

enum { MOST_LINES = 1 << 26 };

bool fg_proof_asm_fail(fg_proof_asm_run *r, const char *what) { return fg_proof_sample_fail(r->s, what); }

/* ---- instructions ------------------------------------------------------------------------------- */

static uint64_t given(const fg_proof_asm_run *r, int64_t operand) {
  int argument = r->k->given[operand];
  if (argument < 0) return FG_ASM_SHARED;
  const fg_launch_arg *a = &r->l->arg[argument];
  if (a->is_param) return (uint64_t)r->s->params[a->index];
  const fg_sampled_array *array = &r->s->array[a->index];
  return (uint64_t)(array->shared ? array->shared : a->index + 1) << FG_ASM_ARRAYS_APART;
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

fg_gf *fg_proof_asm_real(const fg_proof_asm_run *r, const fg_proof_asm_operand *x) {
  return x->kind == 'f' ? &r->now->f[x->reg] : &r->now->d[x->reg];
}

fg_gf fg_proof_asm_value(const fg_proof_asm_run *r, const fg_proof_asm_operand *x) {
  return x->kind == 'f' || x->kind == 'd' ? *fg_proof_asm_real(r, x) : x->image;
}

static bool compute(fg_proof_asm_run *r, const fg_proof_asm_line *line) {
  const fg_field *f = r->s->text->field;
  fg_gf x[3] = {0, 0, 0}, *to = fg_proof_asm_real(r, &line->x[0]);
  for (int i = 1; i < line->noperand; i++) {
    x[i - 1] = fg_proof_asm_value(r, &line->x[i]);
    if (x[i - 1] & FG_ASM_UNDEFINED && line->op != FG_ASM_MOVE_REAL)
      return fg_proof_asm_fail(r, "assembly: a number that is not defined");
  }
  switch (line->op) {
  case FG_ASM_NEGATE_REAL: *to = fg_gf_neg(f, x[0]); break;
  case FG_ASM_ADD_REAL: *to = fg_gf_add(f, x[0], x[1]); break;
  case FG_ASM_SUBTRACT_REAL: *to = fg_gf_sub(f, x[0], x[1]); break;
  case FG_ASM_MULTIPLY_REAL: *to = fg_gf_mul(f, x[0], x[1]); break;
  case FG_ASM_CALL: *to = fg_operation_values_call(f, line->call, x[0], x[1]); break;
  case FG_ASM_DIVIDE: *to = fg_operation_values_call(f, FG_CALL_DIVIDE, x[0], x[1]); break;
  case FG_ASM_FUSED: *to = fg_gf_add(f, fg_gf_mul(f, x[0], x[1]), x[2]); break;
  default: *to = x[0];
  }
  return true;
}

/* Whole numbers and truths. */
static bool count(fg_proof_asm_run *r, const fg_proof_asm_line *line) {
  const fg_proof_asm_operand *x = line->x;
  fg_proof_asm_thread *t = r->now;
  bool good = true;
  if (t->word && fg_proof_asm_moves_bits(r, line, &good)) return good;
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
  return true;
}

static bool move(fg_proof_asm_run *r, const fg_proof_asm_line *line) {
  bool stores = line->op == FG_ASM_STORE || line->op == FG_ASM_STORE_SHARED;
  const fg_proof_asm_operand *m = &line->x[stores ? 0 : line->operands];
  int first = stores, n = 0, each = line->moved == FG_ASM_WORD ? 2 : 1;
  fg_precision type = FG_STORAGE_COUNT;
  fg_gf x[2] = {0, 0};
  if (line->moved == FG_ASM_WORD && !stores && m->kind == 'm' && fg_proof_asm_is_index(r, m)) {
    if (r->now->word) r->now->word[line->x[0].reg].form = FG_ASM_PLAIN;
    return fg_proof_asm_load_index(r, m, &r->now->r[line->x[0].reg]);
  }
  for (int i = 0; stores && i < line->operands; i++)
    if (!(n = fg_proof_asm_numbers(r, line, first + i, &type, &x[i]))) return false;
  if (!fg_proof_asm_access_memory(r, line, each * line->operands, &type, x)) return false;
  for (int i = 0; !stores && i < line->operands; i++) fg_proof_asm_put_numbers(r, line, i, type, &x[i]);
  return true;
}

static bool execute(fg_proof_asm_run *r, const fg_proof_asm_line *line) {
  switch (line->op) {
  case FG_ASM_BARRIER:
    r->now->waits = true;
    return line->x[0].number == 0 || fg_proof_asm_fail(r, "assembly: another barrier");
  case FG_ASM_BRANCH: r->now->at = (int)line->x[0].number; return true;
  case FG_ASM_NOTHING: return true;
  case FG_ASM_MOVE_REAL:
  case FG_ASM_NEGATE_REAL:
  case FG_ASM_ADD_REAL:
  case FG_ASM_SUBTRACT_REAL:
  case FG_ASM_MULTIPLY_REAL:
  case FG_ASM_OTHER_LENGTH:
  case FG_ASM_CALL:
  case FG_ASM_DIVIDE:
  case FG_ASM_FUSED: return compute(r, line);
  case FG_ASM_NO_BITS:
  case FG_ASM_FROM_U8:
  case FG_ASM_FROM_I16:
  case FG_ASM_FROM_F16:
  case FG_ASM_FROM_BF16:
  case FG_ASM_TO_U8:
  case FG_ASM_TO_I16:
  case FG_ASM_TO_F16:
  case FG_ASM_TO_BF16:
  case FG_ASM_WORD_OF:
  case FG_ASM_PACK:
  case FG_ASM_LOWER_OF:
  case FG_ASM_UPPER_OF: return fg_proof_asm_convert(r, line);
  case FG_ASM_LOAD:
  case FG_ASM_LOAD_CONSTANT:
  case FG_ASM_STORE:
  case FG_ASM_LOAD_SHARED:
  case FG_ASM_STORE_SHARED: return move(r, line);
  default: return count(r, line);
  }
}

/* ---- blocks ---------------------------------------------------------------------------------------- */

/* To the next barrier, or to the end. */
static bool go_on(fg_proof_asm_run *r) {
  fg_proof_asm_thread *t = r->now;
  t->waits = false;
  while (t->at < r->k->nline && !t->waits) {
    const fg_proof_asm_line *line = &r->k->line[t->at++];
    if (++r->lines > MOST_LINES) return fg_proof_asm_fail(r, "assembly: too many instructions");
    if (line->when >= 0 && !t->p[line->when] != line->unless) continue;
    if (!execute(r, line)) return false;
  }
  t->ended = !t->waits;
  return true;
}

static void begin_block(fg_proof_asm_run *r) {
  const int *n = r->k->registers;
  for (int i = 0; i < r->threads; i++) {
    fg_proof_asm_thread *t = &r->thread[i];
    t->at = 0, t->ended = t->waits = false;
    memset(t->p, 0, (size_t)n[0]);
    for (int k = 0; k < n[1]; k++) t->r[k] = 0x5a5a5a5a;
    for (int k = 0; k < n[2]; k++) t->q[k] = 0x5a5a5a5a5a5a5a5a;
    for (int k = 0; k < n[3]; k++) t->f[k] = FG_ASM_UNDEFINED | (uint64_t)k;
    if (t->word) memset(t->word, 0, sizeof *t->word * (size_t)n[1]), memset(t->half, 0, sizeof *t->half * (size_t)n[5]);
    for (int k = 0; k < n[4]; k++) t->d[k] = FG_ASM_UNDEFINED | (uint64_t)k;
  }
  fg_proof_asm_begin_memory(r);
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
        return fg_proof_asm_fail(r, "assembly: a barrier that not all threads reach");
  }
  for (int i = 0; i < r->s->nargument; i++)
    if (r->constant[i] && r->stored[i]) return fg_proof_asm_fail(r, "assembly: a store to what is loaded as constant");
  return true;
}

static void make_thread(fg_proof_asm_run *r, fg_proof_asm_thread *t) {
  fg_arena *arena = r->s->cx.arena;
  const int *n = r->k->registers;
  t->p = fg_arena_new(arena, uint8_t, n[0] + 1);
  t->r = fg_arena_new(arena, uint32_t, n[1] + 1);
  t->q = fg_arena_new(arena, uint64_t, n[2] + 1);
  t->f = fg_arena_new(arena, fg_gf, n[3] + 1);
  t->d = fg_arena_new(arena, fg_gf, n[4] + 1);
  if (!r->k->converts) return;
  t->word = fg_arena_new(arena, fg_proof_asm_bits, n[1] + 1);
  t->half = fg_arena_new(arena, fg_proof_asm_bits, n[5] + 1);
}

fg_proof_asm_run *fg_proof_asm_begin(fg_proof_sample *s, const fg_proof_asm *a, int launch) {
  fg_arena *arena = s->cx.arena;
  fg_proof_asm_run *r = fg_arena_new(arena, fg_proof_asm_run, 1);
  r->s = s, r->a = a, r->launch = launch;
  r->k = &a->kernel[launch], r->l = &a->c->launch[launch];
  r->threads = r->l->threads;
  fg_proof_asm_open_memory(r);
  r->thread = fg_arena_new(arena, fg_proof_asm_thread, r->threads);
  for (int i = 0; i < r->threads; i++) make_thread(r, &r->thread[i]);
  return r;
}
