/* The shipped model's moves of vectors. In: how the vectors of an access move. Out: instructions, and their cost in
 * the unit of cost.c. */
#include "generator/cost/moves.h"
#include "generator/base/integer.h"
#include "generator/cost/cost_parts.h"
#include "generator/ir/program_machine.h"

/* What the odd part of a row takes, a vector. */
static void count_iteration(int odd, int lanes, fg_move_count *m) {
  if (odd <= 1) return;
  m->shuffles += 2;
  m->selects += 2 * fg_log2(fg_smaller(odd, lanes));
}

/* A vector of numbers through an exchange of rows end to end (lower/transpose.c). */
static void count_line(int numbers, int lanes, fg_move_count *m) {
  int odd = fg_odd_part(numbers);
  m->moves++;
  count_iteration(odd, lanes, m);
  m->shuffles += fg_log2(fg_smaller(numbers / odd, lanes));
}

/* The same for rows apart, in groups of a power of two slots, and a slot's share. */
static void count_rows(const fg_move_form *f, int parts, fg_move_count *m) {
  int group = 1;
  while (2 * group <= f->slots && 2 * group <= f->lanes) group *= 2;
  int64_t wide = fg_smaller(group * parts, f->lanes), pieces = f->lanes / wide, groups = (f->slots + group - 1) / group;
  m->moves = pieces * groups * group;
  m->shuffles = (fg_log2(wide) + pieces - 1) * groups * group;
  m->shared_by = f->slots;
}

/* The same where rows have an odd part: groups of any size. */
static void count_odd_rows(const fg_move_form *f, int parts, fg_move_count *m) {
  int group = f->lanes;
  m->shared_by = f->slots;
  for (int left = f->slots; left > 0; group /= 2)
    for (; left >= group; left -= group) {
      int64_t wide = fg_smaller(group * parts, f->lanes), pieces = f->lanes / wide;
      *(pieces == 1 ? &m->moves : group == 1 && f->packed ? &m->single : &m->narrow) += pieces * group;
      m->shuffles += (fg_log2(wide) + pieces - 1) * group;
    }
}

static void count_transposed(const fg_move_form *f, int parts, fg_move_count *m) {
  if (!fg_takes_lines(f->slots, f->rows_from))
    count_odd_rows(f, parts, m);
  else if (f->end_to_end || f->packed)
    count_line(f->slots * parts, f->lanes, m);
  else
    count_rows(f, parts, m);
}

/* One interleaved complex vector. */
static void count_pairs(const fg_move_form *f, fg_move_count *m) {
  switch (f->move) {
  case FG_MOVE_TRANSPOSE: count_transposed(f, 1, m); break;
  case FG_MOVE_GATHER: m->moves = m->shuffles = f->lanes; break;
  default: m->moves = 1;
  }
}

fg_move_count fg_cost_move_counts(const fg_move_form *f) {
  fg_move_count m = {.shared_by = 1, .times = 2, .halves = 1};
  if (f->packed && (f->layout == FG_LAYOUT_INTERLEAVED || f->layout == FG_LAYOUT_DOUBLED)) {
    m.times = f->layout == FG_LAYOUT_DOUBLED ? 2 : 1;
    count_pairs(f, &m);
    return m;
  }
  if (f->packed && f->move == FG_MOVE_TRANSPOSE) { /* pairs that leave as parts */
    m.times = 1;
    count_line(2 * f->slots, 2 * f->lanes, &m);
    return m;
  }
  if (f->elem == FG_ELEM_REAL) { /* one part of a split one */
    fg_move_form part = *f;
    part.elem = FG_ELEM_COMPLEX;
    part.layout = FG_LAYOUT_SPLIT;
    m = fg_cost_move_counts(&part);
    m.halves *= 2;
    return m;
  }
  int parts = f->layout == FG_LAYOUT_SPLIT ? 1 : 2;
  switch (f->move) {
  case FG_MOVE_CONTIG:
    m.moves = 1;
    m.selects = parts - 1; /* to part the numbers */
    break;
  case FG_MOVE_REVERSE:
    m.moves = m.shuffles = 1;
    m.selects = parts - 1;
    break;
  case FG_MOVE_TRANSPOSE: count_transposed(f, parts, &m); break;
  case FG_MOVE_GATHER:
    m.moves = (parts == 1 ? 3 : 2) * f->lanes;
    m.times = 1;
    break;
  case FG_MOVE_SAME:
  case FG_MOVE_NONE: m.moves = 1; break;
  }
  return m;
}

int64_t fg_cost_of_move(const fg_move_form *f) {
  fg_move_count m = fg_cost_move_counts(f);
  const fg_move_costs *r = fg_machine_move_costs(f->machine);
  int64_t moves = core->move * m.moves + r->narrow * m.narrow + core->single * m.single;
  int64_t cost = m.times * ((moves + r->shuffle * m.shuffles + r->select * m.selects) / m.shared_by) / m.halves;
  return f->move == FG_MOVE_GATHER ? cost * r->one_by_one / 16 : cost;
}

static int slots_of(const fg_kernel *k, const fg_stage *s, const fg_access *a) {
  return s->codelet ? (int)k->digit[a->reg].extent.n : 1;
}

fg_move_form fg_cost_move_form(const fg_program *p, const fg_kernel *k, const fg_stage *s, const fg_access *a,
                               bool load) {
  const fg_buffer *b = &p->buffer[a->buffer];
  int slots = slots_of(k, s, a), lanes = fg_stage_lanes(k, s);
  bool end_to_end = fg_num_is(fg_affine_coef(&a->index.at, s->vectors.lane), slots);
  int rows_from = fg_program_rows_from(p, b, load, lanes);
  return (fg_move_form){
      a->move, b->layout, slots, lanes, end_to_end, s->vectors.packed, b->elem, rows_from, fg_program_machine(p)};
}

int64_t fg_cost_moves(const fg_program *p, const fg_kernel *k, const fg_stage *s, const fg_access *a) {
  int64_t cost = 0;
  bool load = a != &s->store;
  for (; a; a = a->rest) {
    fg_move_form f = fg_cost_move_form(p, k, s, a, load);
    cost += slots_of(k, s, a) * fg_cost_of_move(&f);
  }
  return cost;
}

static int64_t shuffles_of(const fg_program *p, const fg_kernel *k, const fg_stage *s, const fg_access *a) {
  int64_t all = 0;
  bool load = a != &s->store;
  for (; a; a = a->rest) {
    fg_move_form f = fg_cost_move_form(p, k, s, a, load);
    fg_move_count m = fg_cost_move_counts(&f);
    all += slots_of(k, s, a) * m.times * (m.shuffles + m.selects) / m.shared_by / m.halves;
  }
  return all;
}

int64_t fg_cost_shuffles(const fg_program *p, const fg_kernel *k, const fg_stage *s) {
  int64_t all = shuffles_of(p, k, s, &s->load) + shuffles_of(p, k, s, &s->store);
  if (s->factors.has_twiddle) all += shuffles_of(p, k, s, &s->factors.twiddle);
  return s->factors.has_more ? all + shuffles_of(p, k, s, &s->factors.more) : all;
}
