/* Map: the lane order of vectors that stages pass to each other.
 *
 * In: mapped kernels of loops and lanes. Out: buffers whose vectors are permuted, and tables to match.
 *
 * The idea: the caller's arrays are interleaved. Shuffles within the 16-byte parts of a vector separate real and
 * imaginary parts, but leave the quarters of its lanes in the order 0, 2, 1, 3 (of four such parts, its eighths in
 * the order 0, 4, 1, 5, 2, 6, 3, 7); from that order such shuffles alone interleave them again. The natural order
 * costs one more step each time if no instruction takes numbers of two vectors in any order, and a slower shuffle if
 * one does. Stages work with any order, as long as all vectors that they move as contiguous have the same one. So
 * stages and the scratch that they share are all permuted or all natural. Rows that are transposed between registers
 * and lanes may have any order on either side, at no cost. Tables of factors are permuted for the stages that need
 * it. */
#include "generator/assemble/memory.h"
#include "generator/ir/program_machine.h"
#include "generator/map/map.h"
#include "generator/problem/shape.h"
#include "targets/machine/limits.h"
#include <stdio.h>

typedef struct lane_ordering {
  fg_program *p;
  int lanes;
  int nbuffer;   /* nodes are buffers, then stages: */
  int *group;    /* another one of this one's group; itself: the first of them */
  bool *natural; /* of the first: some of them wants that order */
  bool *gains;   /* of the first: interleaved numbers are loaded or stored */
  int16_t *twin; /* of a table: itself or another one, permuted; -1: none yet */
} lane_ordering;

static int first_of(const lane_ordering *w, int node) {
  while (w->group[node] != node) node = w->group[node];
  return node;
}

static void tie(lane_ordering *w, int a, int b) {
  a = first_of(w, a), b = first_of(w, b);
  w->group[b] = a;
  w->natural[a] |= w->natural[b];
  w->gains[a] |= w->gains[b];
}

static void want_natural(lane_ordering *w, int node) { w->natural[first_of(w, node)] = true; }

static bool is_permuted(const lane_ordering *w, int node) {
  int first = first_of(w, node);
  return w->gains[first] && !w->natural[first];
}

static bool is_scratch(const fg_buffer *b) { return b->space == FG_SPACE_WORK || b->space == FG_SPACE_LOCAL; }

/* A table of whole vectors without another view. */
static bool is_plain_table(const lane_ordering *w, int buffer) {
  const fg_buffer *b = &w->p->buffer[buffer];
  for (int i = 0; i < w->nbuffer; i++)
    if (w->p->buffer[i].alias == buffer) return false;
  return b->space == FG_SPACE_TABLE && b->alias < 0 && b->size % w->lanes == 0;
}

static bool moves_neighbours(const fg_access *a) { return a->move == FG_MOVE_CONTIG || a->move == FG_MOVE_REVERSE; }

/* Lanes that an address brings to neighbours only where the emitter looks closely: halves that change places. */
static bool may_move_neighbours(const fg_access *a) {
  return moves_neighbours(a) || (a->move == FG_MOVE_GATHER && a->index.nwrap);
}

/* Nothing but whole vectors of one part, in a buffer that might be permuted. */
static bool moves_vectors(const lane_ordering *w, const fg_kernel *k, const fg_stage *s, const fg_access *a) {
  const fg_buffer *b = &w->p->buffer[a->buffer];
  bool parts = b->layout == FG_LAYOUT_SPLIT || (b->layout == FG_LAYOUT_BLOCKED && b->block == w->lanes);
  bool possible = is_scratch(b) || (is_plain_table(w, a->buffer) && !a->rest);
  return possible && parts && b->elem == FG_ELEM_COMPLEX && fg_access_is_whole(k, s, a, w->lanes);
}

typedef void act_on(lane_ordering *w, const fg_kernel *k, const fg_stage *s, int node, fg_access *a);

/* Calls act for each access of each stage. */
static void for_all(lane_ordering *w, act_on *act) {
  int node = w->nbuffer;
  fg_access *a;
  for (int i = 0; i < w->p->nkernel; i++)
    for (int j = 0; j < w->p->kernel[i]->nstage; j++, node++)
      for (int n = 0; (a = fg_stage_access(&w->p->kernel[i]->stage[j], n)); n++)
        act(w, w->p->kernel[i], &w->p->kernel[i]->stage[j], node, a);
}

/* Permuted rows leave whole, a step of exchanges more than by halves: not where registers are short already. */
enum { MOST_ROW = 16 };

static bool is_long_row(const lane_ordering *w, const fg_kernel *k, const fg_access *a) {
  return !w->p->vectors.one_source && a->move == FG_MOVE_TRANSPOSE && k->digit[a->reg].extent.n > MOST_ROW;
}

static void look_at(lane_ordering *w, const fg_kernel *k, const fg_stage *s, int node, fg_access *a) {
  const fg_buffer *b = &w->p->buffer[a->buffer];
  bool pairs = b->layout == FG_LAYOUT_INTERLEAVED && b->elem == FG_ELEM_COMPLEX, whole = moves_vectors(w, k, s, a);
  if (is_scratch(b) && (!whole || is_long_row(w, k, a))) want_natural(w, a->buffer);
  if (!may_move_neighbours(a)) return;
  if (is_scratch(b) && whole) tie(w, node, a->buffer);
  if (pairs) w->gains[first_of(w, node)] = true;
  if (!pairs && !whole) want_natural(w, node);
}

/* ---- tables -------------------------------------------------------------------------- */

static bool takes_permuted(const lane_ordering *w, const fg_kernel *k, const fg_stage *s, int node,
                           const fg_access *a) {
  bool table = w->p->buffer[a->buffer].space == FG_SPACE_TABLE && a->move == FG_MOVE_CONTIG;
  return table && is_permuted(w, node) && moves_vectors(w, k, s, a);
}

static void look_at_table(lane_ordering *w, const fg_kernel *k, const fg_stage *s, int node, fg_access *a) {
  if (!takes_permuted(w, k, s, node, a)) w->natural[a->buffer] = true; /* tables have no partner */
}

static int16_t copy_of_table(fg_program *p, int16_t buffer) {
  fg_buffer copy = p->buffer[buffer];
  snprintf(copy.name, sizeof copy.name, "tw%u", (unsigned)p->ntable % FG_MAX_BUFFERS);
  copy.table = (int16_t)p->ntable++;
  p->table[copy.table] = p->table[p->buffer[buffer].table];
  return p->table[copy.table].buffer = fg_build_buffer(p, &copy);
}

static void take_table(lane_ordering *w, const fg_kernel *k, const fg_stage *s, int node, fg_access *a) {
  if (!takes_permuted(w, k, s, node, a)) return;
  int16_t *twin = &w->twin[a->buffer];
  if (*twin < 0) *twin = w->natural[a->buffer] ? copy_of_table(w->p, a->buffer) : a->buffer;
  w->p->buffer[*twin].permuted = w->lanes;
  a->buffer = *twin;
}

/* ---- all of it ------------------------------------------------------------------------- */

static lane_ordering begin(fg_builder *b) {
  fg_program *p = b->program;
  int nodes = p->nbuffer;
  for (int i = 0; i < p->nkernel; i++) nodes += p->kernel[i]->nstage;
  lane_ordering w = {.p = p,
                     .lanes = b->map->lanes,
                     .nbuffer = p->nbuffer,
                     .group = fg_arena_new(b->cx->arena, int, nodes),
                     .natural = fg_arena_new(b->cx->arena, bool, nodes),
                     .gains = fg_arena_new(b->cx->arena, bool, nodes),
                     .twin = fg_arena_new(b->cx->arena, int16_t, p->nbuffer)};
  for (int i = 0; i < nodes; i++) w.group[i] = i;
  for (int i = 0; i < p->nbuffer; i++) w.twin[i] = -1;
  return w;
}

/* Views of one memory have one order. */
static void tie_views(lane_ordering *w) {
  int seen[FG_MAX_BUFFERS];
  for (int i = 0; i < w->nbuffer; i++) seen[i] = -1;
  for (int i = 0; i < w->nbuffer; i++) {
    int root = fg_buffer_root(w->p, i);
    if (!is_scratch(&w->p->buffer[i])) continue;
    if (seen[root] >= 0) tie(w, seen[root], i);
    seen[root] = i;
  }
}

/* Where nothing takes numbers of two vectors in any order, or what does is slower than shuffles within parts. Elsewhere
 * beyond L1, where rows leave whole anyway. */
static bool is_worth_it(const fg_mapping *m, const fg_program *p, int bytes) {
  if (m->one_source) return bytes == limit->lane_order_two;
  const fg_problem *q = &p->problem;
  bool far = q->rank == 1 && 4 * fg_precision_bytes(q->compute) * fg_problem_points(q) >= limit->lane_order_from;
  return bytes == limit->lane_order_four && (fg_program_machine(p)->separate_fadd || far);
}

static bool is_wanted(const fg_mapping *m, const fg_program *p) {
  int bytes = m->lanes * fg_precision_bytes(p->problem.compute);
  if (bytes != limit->lane_order_two && bytes != limit->lane_order_four)
    return false; /* no parts of 16 bytes to permute between */
  return fg_plan_option(p->plan, FG_PARAM_LANE_ORDER, is_worth_it(m, p, bytes));
}

fg_status fg_map_lane_order(fg_builder *b) {
  fg_program *p = b->program;
  if (!is_wanted(b->map, p)) return FG_OK;
  if (p->nbuffer + p->ntable > FG_MAX_BUFFERS) return FG_OK; /* tables may want copies */
  lane_ordering w = begin(b);
  tie_views(&w);
  for_all(&w, look_at);
  for_all(&w, look_at_table);
  for_all(&w, take_table);
  for (int i = 0; i < w.nbuffer; i++)
    if (is_scratch(&p->buffer[i]) && is_permuted(&w, i)) p->buffer[i].permuted = w.lanes;
  return FG_OK;
}
