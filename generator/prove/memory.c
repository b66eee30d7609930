/* Memory of the proof's virtual machine.
 *
 * In: a program's buffers and the values of its parameters. Out: cells for their elements (aliases share them),
 * bounds, and counts of bank conflicts and memory segments. The idea: the input is computed from the address, so
 * that arrays of any extent cost only the elements that are accessed. */
#include "generator/prove/memory.h"
#include "generator/ir/banks.h"
#include "generator/ir/program_machine.h"
#include "generator/problem/shape.h"
#include "generator/prove/block_operations.h"
#include "generator/prove/block_sample.h"
#include "generator/prove/pages.h"
#include <string.h>

enum { SPARSE = 2 /* addresses for each element, from which elements alone have places */ };
#define MOST_ELEMENTS (INT64_C(1) << 36)

/* Elements between the lowest and the highest that a call with these parameters has. */
static fg_bounds span(const fg_vm *m, bool output) {
  const fg_problem *q = &m->p->problem;
  fg_bounds s = {0, 1};
  for (int i = 0; i < q->batch_rank + q->rank; i++) {
    const fg_dim *d = fg_problem_axis(q, i);
    int64_t n = fg_problem_axis_length(q, i, output, m->params);
    int64_t span = (n - 1) * fg_num_value(output ? d->os : d->is, m->params);
    s.count += span < 0 ? -span : span;
    s.low += span < 0 ? span : 0;
  }
  return s;
}

static void join(fg_vm *m, int b) {
  const fg_buffer *buffer = &m->p->buffer[b];
  int r = m->memory_of[b];
  const fg_buffer *root = &m->p->buffer[r];
  fg_ram *memory = &m->memory[r];
  memory->is_output |= buffer->space == FG_SPACE_OUTPUT;
  memory->mixed |= buffer->layout != root->layout || buffer->block != root->block ||
                   buffer->permuted != root->permuted || buffer->elem == FG_ELEM_REAL;
  int64_t end = m->bounds[b].low + m->bounds[b].count, old = memory->low + memory->elements;
  if (m->bounds[b].low < memory->low) memory->low = m->bounds[b].low;
  memory->elements = (end > old ? end : old) - memory->low;
  if (buffer->layout == FG_LAYOUT_SPLIT && buffer->elem == FG_ELEM_COMPLEX && end - memory->low > memory->half)
    memory->half = end - memory->low;
}

/* What the owner of the memory does not have, an alias may not use either. */
static bool check_alias(fg_vm *m, int b) {
  const fg_buffer *buffer = &m->p->buffer[b], *root = &m->p->buffer[m->memory_of[b]];
  if (buffer->precision != root->precision || (buffer->elem == FG_ELEM_INDEX) != (root->elem == FG_ELEM_INDEX))
    return fg_prove_stop(m, "buffers %s and %s share memory, but not the type of number", buffer->name, root->name);
  if (fg_buffer_is_distributed(buffer) && (buffer->local.blocks != root->local.blocks || buffer->size > root->size))
    return fg_prove_stop(m, "buffer %s is spread over a cluster and shares memory that is not", buffer->name);
  bool reals = root->elem == FG_ELEM_REAL && root->layout == FG_LAYOUT_INTERLEAVED && buffer->layout == root->layout;
  if ((fg_program_is_constant(m->p, b) || fg_program_is_constant(m->p, m->memory_of[b])) &&
      !(reals && buffer->elem == FG_ELEM_COMPLEX && buffer->space == root->space))
    return fg_prove_stop(m, "table %s shares memory", buffer->name);
  int64_t most = m->bounds[m->memory_of[b]].count * fg_buffer_parts(root) / fg_buffer_parts(buffer);
  if (b != FG_BUFFER_OUT && m->bounds[b].count > most) m->bounds[b].count = most;
  return true;
}

/* A table ends where its rows and columns end. */
static bool table_bounds(fg_vm *m, int b) {
  const fg_buffer *buffer = &m->p->buffer[b];
  if (buffer->table < 0 || buffer->table >= m->p->ntable)
    return fg_prove_stop(m, "table %s is not filled", buffer->name);
  const fg_table *t = &m->p->table[buffer->table];
  bool possible = fg_table_possible(t) && t->rows <= MOST_ELEMENTS / t->cols;
  possible &= fg_table_is_index(t) == (buffer->elem == FG_ELEM_INDEX);
  if (!possible) return fg_prove_stop(m, "table %s: no such rows, columns and order", buffer->name);
  int64_t reals = t->rows * t->cols, count = b == t->buffer ? reals : reals / 2; /* else an alias, two by two */
  if (count < m->bounds[b].count) m->bounds[b].count = count;
  return true;
}

/* Complex numbers, and what shares their memory counts them or their parts, side by side. */
static bool is_divisible(const fg_vm *m, int b) {
  bool good = m->p->buffer[b].elem == FG_ELEM_COMPLEX;
  for (int i = 0; i < m->p->nbuffer && m->memory[b].mixed; i++)
    good &= m->memory_of[i] != b || m->p->buffer[i].layout == FG_LAYOUT_INTERLEAVED;
  return good;
}

/* A part for each block of the largest cluster. */
static bool divide(fg_vm *m, int b, int most) {
  fg_ram *memory = &m->memory[b];
  const fg_buffer *buffer = &m->p->buffer[b];
  if (!is_divisible(m, b))
    return fg_prove_stop(m, "buffer %s: clusters share memory of complex numbers in one layout", buffer->name);
  memory->part = buffer->size;
  memory->elements = memory->half = memory->part * most;
  return true;
}

int fg_ram_ranks(const fg_program *p) {
  int most = 1;
  for (int k = 0; k < p->nkernel; k++)
    if (p->kernel[k]->launch.cluster > most) most = p->kernel[k]->launch.cluster;
  return most;
}

/* In place, elements of both sides have the same numbers. */
static bool strides_differ(const fg_problem *q, const int64_t *params) {
  for (int i = 0; i < q->batch_rank + q->rank; i++) {
    const fg_dim *d = fg_problem_axis(q, i);
    if (fg_num_value(d->is, params) != fg_num_value(d->os, params)) return true;
  }
  return false;
}

/* Views of the caller's array have its elements, in its layout. */
bool fg_ram_packs(const fg_program *p, const int64_t *params, int b) {
  int root = fg_program_root(p, b);
  fg_space space = p->buffer[root].space;
  if (space != FG_SPACE_INPUT && space != FG_SPACE_OUTPUT) return false;
  if (space == FG_SPACE_INPUT && !p->problem.in_place) return false; /* it has no places */
  if (p->problem.in_place && strides_differ(&p->problem, params)) return false;
  for (int i = 0; i < p->nbuffer; i++)
    if (fg_program_root(p, i) == root && !fg_buffer_is_like(&p->buffer[i], &p->buffer[root])) return false;
  fg_strides nest = fg_strides_create(&p->problem, params, true);
  return !nest.backward && fg_strides_apart(&nest) != FG_APART_NOT && nest.span[0] / SPARSE >= nest.elements;
}

/* The caller has two arrays; all else of them are views. */
static bool own_memory(fg_vm *m, int b) {
  fg_space space = m->p->buffer[b].space;
  if ((space == FG_SPACE_INPUT && b != FG_BUFFER_IN) || (space == FG_SPACE_OUTPUT && b != FG_BUFFER_OUT))
    return fg_prove_stop(m, "buffer %s is none of the caller's arrays", m->p->buffer[b].name);
  m->memory[b] = (fg_ram){.root = b, .local = space == FG_SPACE_LOCAL, .is_input = space == FG_SPACE_INPUT};
  if (fg_buffer_is_of_lanes(&m->p->buffer[b])) m->memory[b].each = m->p->buffer[b].local.each;
  return true;
}

bool fg_ram_create(fg_vm *m) {
  for (int side = 0; side < 2; side++) m->nest[side] = fg_strides_create(&m->p->problem, m->params, side);
  int most = fg_ram_ranks(m->p);
  m->received = fg_arena_new(m->cx->arena, int64_t, most);
  for (int b = 0; b < m->p->nbuffer; b++) {
    const fg_buffer *buffer = &m->p->buffer[b];
    bool ends = b == FG_BUFFER_IN || b == FG_BUFFER_OUT;
    m->bounds[b] = ends ? span(m, buffer->space == FG_SPACE_OUTPUT) : (fg_bounds){0, buffer->size};
    if (fg_buffer_is_distributed(buffer)) m->bounds[b].count *= buffer->local.blocks;
    m->memory_of[b] = fg_program_root(m->p, b);
    if (buffer->space == FG_SPACE_TABLE && !table_bounds(m, b)) return false;
    m->memory[b] = (fg_ram){.root = -1};
    bool sparse = fg_ram_packs(m->p, m->params, b) || (m->memory_of[b] == FG_BUFFER_IN && !m->p->problem.in_place);
    if ((!sparse && m->bounds[b].count > MOST_ELEMENTS) || m->bounds[b].count < 0)
      return fg_prove_stop(m, "buffer %s: %lld elements are more than a proof can hold", buffer->name,
                           (long long)m->bounds[b].count);
    if (buffer->elem == FG_ELEM_INDEX && buffer->space != FG_SPACE_TABLE)
      return fg_prove_stop(m, "buffer %s does not hold numbers", buffer->name);
  }
  for (int b = 0; b < m->p->nbuffer; b++)
    if (m->memory_of[b] == b && !own_memory(m, b)) return false;
  for (int b = 0; b < m->p->nbuffer; b++) {
    if (m->memory_of[b] != b && !check_alias(m, b)) return false;
    join(m, b);
  }
  for (int b = 0; b < m->p->nbuffer && most > 1; b++)
    if (m->memory[b].root >= 0 && m->memory[b].local && !divide(m, b, most)) return false;
  for (int b = 0; b < m->p->nbuffer; b++) {
    fg_ram *memory = &m->memory[b];
    if (memory->root < 0 || fg_program_is_constant(m->p, b)) continue;
    if (memory->mixed && memory->low < 0) return fg_prove_stop(m, "layouts share memory under negative strides");
    fg_ram_pages(m, memory);
  }
  return true;
}

/* The order of places is free where all buffers agree; else it is the layout's. */
fg_cell fg_ram_cell(const fg_vm *m, int buffer, int64_t e) {
  const fg_ram *memory = &m->memory[m->memory_of[buffer]];
  const fg_buffer *b = &m->p->buffer[buffer];
  if (memory->packed) {
    int64_t number = fg_strides_number(&m->nest[1], e);
    return b->elem == FG_ELEM_REAL ? (fg_cell){number, number} : (fg_cell){2 * number, 2 * number + 1};
  }
  int64_t i = memory->mixed ? fg_buffer_lane_position(b, e) - memory->low : e - memory->low;
  if (memory->part && fg_buffer_is_distributed(b)) i = i / b->size * memory->part + i % b->size;
  if (memory->part && !fg_buffer_is_distributed(b)) i += m->rank * memory->part * (2 / fg_buffer_parts(b));
  if (memory->mixed && b->layout == FG_LAYOUT_SPLIT) return (fg_cell){i, memory->half + i};
  if (memory->mixed && b->layout == FG_LAYOUT_BLOCKED) {
    int64_t re = i / b->block * 2 * b->block + i % b->block;
    return (fg_cell){re, re + b->block};
  }
  if (b->elem == FG_ELEM_REAL) return (fg_cell){i, i};
  return (fg_cell){2 * i, 2 * i + 1};
}

bool fg_ram_own(const fg_vm *m, bool output, int64_t e) { return fg_strides_number(&m->nest[output], e) >= 0; }

static uint64_t state_of(const fg_vm *m, int system, int64_t place) {
  return m->seed ^ ((uint64_t)place * 0x9e3779b97f4a7c15u + (uint64_t)system * 0xd1342543de82ef95u);
}

/* Inputs are functions of the place. */
fg_gf fg_ram_input_cell_gf(const fg_vm *m, int prime, int64_t place) {
  if (m->sample) {
    bool real = fg_problem_is_real(&m->p->problem, false);
    int64_t element = real ? place : place / 2;
    fg_gfc x = fg_block_operations_input(m, prime, element, fg_tensor_input(m->tensor[prime], element));
    return !real && place % 2 ? x.im : x.re;
  }
  uint64_t state = state_of(m, m->first_prime + prime, place);
  return fg_gf_random(&state);
}

fg_quad fg_ram_input_cell_real(const fg_vm *m, int64_t place) {
  uint64_t state = state_of(m, FG_PRIMES, place);
  return (fg_quad)((double)(int64_t)fg_random(&state) * 0x1p-63);
}

fg_gfc fg_ram_input_gf(const fg_vm *m, int prime, int64_t e) {
  fg_cell at = fg_ram_cell(m, FG_BUFFER_IN, e);
  return (fg_gfc){fg_ram_input_cell_gf(m, prime, at.re), at.im == at.re ? 0 : fg_ram_input_cell_gf(m, prime, at.im)};
}

fg_quadc fg_ram_input_real(const fg_vm *m, int64_t e) {
  fg_cell at = fg_ram_cell(m, FG_BUFFER_IN, e);
  return (fg_quadc){fg_ram_input_cell_real(m, at.re), at.im == at.re ? 0 : fg_ram_input_cell_real(m, at.im)};
}

/* ---- how accesses meet the hardware -------------------------------------------------- */

static void count_segments(fg_vm *m, const fg_buffer *b, const int64_t *at, int count) {
  int64_t seen[2 * FG_WARP], segment = fg_program_segment(m->p);
  int n = 0, bytes = 0;
  for (int i = 0, run; i < count; i += run) { /* neighbours are next to each other, but for layouts in blocks */
    for (run = 1; i + run < count && at[i + run] == at[i] + run && b->layout != FG_LAYOUT_BLOCKED;) run++;
    int64_t first = fg_bank_byte(b, at[i], &bytes);
    for (int64_t s = first / segment; s <= (first + run * bytes - 1) / segment; s++) {
      int j = n;
      while (j > 0 && seen[j - 1] != s) j--;
      if (j == 0 && n < 2 * FG_WARP) seen[n++] = s;
    }
  }
  int times = b->layout == FG_LAYOUT_INTERLEAVED || b->elem == FG_ELEM_REAL ? 1 : 2;
  m->proof->segments += times * n;
  int ideal = (int)((count * bytes + segment - 1) / segment);
  m->proof->segments_ideal += times * (ideal < n ? ideal : n); /* fewer where threads share elements */
}

static bool count_warps(fg_vm *m, const fg_simd_group *b, const fg_moves *x) {
  const fg_buffer *buffer = &m->p->buffer[x->access->buffer];
  for (int s = 0; s < x->slots; s++) {
    int64_t at[FG_WARP];
    int count = 0;
    for (int i = 0; i < b->width; i++)
      if (x->on[s * b->width + i]) at[count++] = x->at[s * b->width + i];
    if (!count) continue;
    if (fg_buffer_is_of_lanes(buffer)) continue;
    if (buffer->space == FG_SPACE_LOCAL)
      m->proof->bank_conflicts += fg_bank_conflicts(buffer, at, count);
    else
      count_segments(m, buffer, at, count);
  }
  return true;
}

/* Distance of the addresses of adjacent lanes that a move declares. */
static bool move_step(fg_move move, int64_t *step) {
  switch (move) {
  case FG_MOVE_CONTIG: *step = 1; return true;
  case FG_MOVE_REVERSE: *step = -1; return true;
  case FG_MOVE_SAME: *step = 0; return true;
  case FG_MOVE_TRANSPOSE: /* any: each lane's slots are neighbours */
  case FG_MOVE_NONE:
  case FG_MOVE_GATHER: break;
  }
  return false;
}

static bool check_move(fg_vm *m, const fg_simd_group *b, const fg_moves *x) {
  int64_t step = 0;
  bool good = true, rows = x->access->move == FG_MOVE_TRANSPOSE;
  if (!rows && !move_step(x->access->move, &step)) return true;
  for (int s = 0; s < x->slots; s++)
    for (int i = 0; i < b->width; i++) {
      int64_t want = rows ? x->at[i] + s : x->at[s * b->width] + i * step;
      good &= x->at[s * b->width + i] == want;
    }
  if (good) return true;
  char where[128];
  fg_prove_where(m, where);
  return fg_prove_fail(m, "%sthe move of an access to %s says other addresses than its index", where,
                       m->p->buffer[x->access->buffer].name);
}

bool fg_ram_count(fg_vm *m, const fg_simd_group *b, const fg_moves *x) {
  if (m->reals || m->seen) return true;
  if (b->lanes) return check_move(m, b, x);
  return m->threads ? count_warps(m, b, x) : true;
}
