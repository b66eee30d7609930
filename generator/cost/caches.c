/* The cost of bytes in the shipped model, by the caches that hold them: the bytes of all that a call accesses, of
 * all that a kernel accesses repeatedly, and of lines that move more than once because of conflict misses. In: a
 * program, its counts, the size of its data. Out: a cost, in the unit of cost.c. */
#include "generator/base/integer.h"
#include "generator/cost/cost_parts.h"
#include "generator/ir/program_machine.h"
#include "generator/problem/shape.h"
#include <stdlib.h>

enum { SPECTRUM_ROWS = 8, LINES_UNDER_WAY = 8 };

static const fg_cache_costs *caches_of(const fg_program *p) {
  return fg_machine_cache_costs(fg_program_machine(p), fg_l2_bytes(p));
}

/* Bytes of everything that a call touches decide which cache it lives in. What little a plan keeps beside arrays that
 * just fill L2's part changes nothing. */
static int64_t byte_weight(const fg_program *p, int64_t footprint) {
  int64_t spared = footprint / 16;
  if (footprint <= caches_of(p)->first) return core->l1_weight;
  if (footprint <= core->crowded_l1_bytes) return core->crowded_l1_weight;
  if (footprint - spared <= fg_l2_bytes(p) / caches_of(p)->part) return core->l2_weight;
  if (footprint <= caches_of(p)->third_most) return caches_of(p)->third;
  if (footprint <= core->far_bytes) return core->far_weight;
  return core->memory_weight;
}

typedef struct near {
  int64_t bytes;           /* moved to and from its own memory, and from tables */
  int64_t set;             /* size of its own memory */
  int64_t passed, between; /* the same of memory that sections leave to each other (kernel.h) */
} near;

/* Another section's stages use it, too. */
static bool is_passed_on(const fg_program *p, const fg_kernel *k, const fg_section *x, int buffer) {
  int root = fg_buffer_root(p, buffer);
  for (const fg_stage *s = k->stage; s < k->stage + k->nstage; s++)
    if ((s < x->first || s >= x->end) && fg_stage_uses(p, s, root)) return p->buffer[root].space == FG_SPACE_LOCAL;
  return false;
}

typedef struct visit { /* of a section of a kernel */
  const fg_program *p;
  const fg_kernel *k;
  fg_section section;
  bool seen[FG_MAX_BUFFERS];
} visit;

static void add_near(const visit *v, const fg_access *a, int64_t elements, near *n) {
  const fg_buffer *b = &v->p->buffer[a->buffer];
  int64_t bytes = elements * (b->size ? fg_buffer_bytes(b) / b->size : 0);
  bool ours = b->space == FG_SPACE_LOCAL || b->space == FG_SPACE_TABLE;
  if (ours) *(is_passed_on(v->p, v->k, &v->section, a->buffer) ? &n->passed : &n->bytes) += bytes;
}

static void add_set(visit *v, const fg_access *a, bool stored, near *n) {
  const fg_buffer *b = &v->p->buffer[a->buffer];
  if (b->space != FG_SPACE_LOCAL || b->alias >= 0 || v->seen[a->buffer]) return;
  bool passed = is_passed_on(v->p, v->k, &v->section, a->buffer);
  if (passed) n->between += fg_buffer_bytes(b);
  if (stored && !passed) n->set += fg_buffer_bytes(b);
  v->seen[a->buffer] = passed || stored;
}

static near near_of(const fg_program *p, const fg_kernel *k, const fg_section *x) {
  near n = {0};
  visit v = {p, k, *x, {false}};
  for (const fg_stage *s = v.section.first; s < v.section.end; s++) {
    int64_t count = fg_cost_elements(p, k, s);
    add_near(&v, &s->load, count * fg_access_slots(k, &s->load), &n);
    add_near(&v, &s->store, count * fg_access_slots(k, &s->store), &n);
    if (s->factors.has_twiddle)
      add_near(&v, &s->factors.twiddle, count * k->digit[s->factors.twiddle.reg].extent.n, &n);
    if (s->factors.has_more) add_near(&v, &s->factors.more, count * k->digit[s->factors.more.reg].extent.n, &n);
    add_set(&v, &s->load, false, &n);
    add_set(&v, &s->store, true, &n);
  }
  return n;
}

/* From one of an iteration's rows to the next one. */
static int64_t bytes_apart(const fg_access *a, int64_t bytes) {
  fg_num apart = fg_affine_coef(&a->index.at, a->reg);
  return apart.form == FG_NUM_CONST ? apart.n * bytes : 0;
}

static bool rows_crowd(const fg_program *p, int64_t rows, int64_t apart, int64_t associativity) {
  return apart && rows * fg_gcd(apart, fg_program_page(p)) > associativity * fg_program_page(p);
}

/* More of an iteration's rows than a set holds, `ways`, map to the same sets. */
static bool crowds_sets(const fg_program *p, const fg_kernel *k, const fg_access *a, int64_t bytes,
                        int64_t associativity) {
  return rows_crowd(p, k->digit[a->reg].extent.n, bytes_apart(a, bytes), associativity);
}

/* The same of rows that meet those of a convolution's spectrum. */
static bool meets_spectrum(const fg_program *p, const fg_kernel *k, const fg_stage *s, const fg_access *a,
                           int64_t bytes, int64_t associativity) {
  const fg_access *more = &s->factors.more;
  const fg_buffer *b = s->factors.has_more ? &p->buffer[more->buffer] : NULL;
  if (!b || b->space != FG_SPACE_GIVEN || !b->size) return false;
  int64_t apart = bytes_apart(a, bytes), other = bytes_apart(more, fg_buffer_bytes(b) / b->size);
  int64_t rows = k->digit[a->reg].extent.n + k->digit[more->reg].extent.n;
  return rows_crowd(p, rows, apart && other ? fg_gcd(apart, other) : 0, associativity);
}

/* Whether passes in place save all that storing elsewhere would cost: few of them, where both arrays and as large a
 * workspace, which other plans have, are more pages than the first level of the TLB has. */
static bool saves_all(const fg_program *p, const fg_kernel *k) {
  int64_t bytes = fg_buffer_bytes(&p->buffer[FG_BUFFER_IN]) + fg_buffer_bytes(&p->buffer[FG_BUFFER_OUT]);
  return !p->problem.in_place && k->nstage <= core->few_passes && bytes > core->looked_up;
}

static int64_t crowd_eighths(const fg_cache_costs *r, int64_t bytes, bool jam) {
  if (jam) return 8 * r->jam;
  if (bytes <= r->crowd_most) return 8 * r->crowd;
  return bytes / 2 <= r->crowd_most ? core->half_held : core->streamed;
}

static bool is_of_reals(const fg_program *p) { return p->problem.kind == FG_R2C || p->problem.kind == FG_C2R; }

/* Bytes more than those that move: parts far apart have conflict misses, and hold
 * two streams in place of one; so do rows far apart, in complex passes behind the first, and beyond half of L2 in
 * those of reals. What is written where it was read is there already. */
static int64_t detours(const fg_program *p, const fg_kernel *k, bool half) {
  int64_t bytes = 0;
  int64_t apart = fg_cost_separate(p);
  int64_t associativity = caches_of(p)->associativity;
  bool known = fg_problem_kind_is_complex(p->problem.kind) || (half && caches_of(p)->reals && is_of_reals(p));
  bool all = saves_all(p, k);
  for (int i = 0; i < k->nstage; i++) {
    const fg_stage *s = &k->stage[i];
    const fg_access *side[] = {&s->load, &s->store};
    int64_t moved[2];
    for (int j = 0; j < 2; j++) {
      const fg_buffer *b = &p->buffer[side[j]->buffer];
      moved[j] = b->size ? fg_cost_elements(p, k, s) * fg_access_slots(k, side[j]) * (fg_buffer_bytes(b) / b->size) : 0;
      if (b->space == FG_SPACE_LOCAL && b->layout == FG_LAYOUT_SPLIT) bytes += moved[j] / 4 * apart;
      bool crowd = known && b->size &&
                   crowds_sets(p, k, side[j], fg_buffer_bytes(b) / b->size, i ? associativity : core->set_lines);
      bool jam = crowd && (crowds_sets(p, k, side[j], fg_buffer_bytes(b) / b->size, core->set_lines) ||
                           meets_spectrum(p, k, s, side[j], fg_buffer_bytes(b) / b->size, core->set_lines));
      if (crowd && i) bytes += moved[j] / 8 * crowd_eighths(caches_of(p), fg_buffer_bytes(b), jam);
      if (crowd && !i && !j) bytes += moved[j] / 8 * caches_of(p)->scattered;
    }
    if (i && fg_stage_is_in_place(p, s)) bytes -= all ? moved[1] : moved[1] / 2;
  }
  return bytes;
}

static int64_t waited_for(const fg_program *p, const fg_kernel *k, const fg_stage *s, const fg_access *a) {
  const fg_buffer *b = &p->buffer[a->buffer];
  if (!s->codelet || fg_cost_arithmetic(s->codelet) <= 16 * core->long_codelet) return 0;
  if (b->space != FG_SPACE_INPUT && b->space != FG_SPACE_OUTPUT) return 0;
  return fg_cost_elements(p, k, s) * fg_access_slots(k, a) * (b->size ? fg_buffer_bytes(b) / b->size : 0);
}

/* Bytes of spectra, one for each transform, that stages of pairs load as factors: both are waited for at once, but for
 * lines that are under way. */
static int64_t waited_for_spectra(const fg_program *p, const fg_kernel *k) {
  int64_t bytes = 0, params[FG_MAX_PARAMS];
  for (int i = 0; i < p->problem.nparam; i++) params[i] = p->problem.param[i].lo;
  for (const fg_stage *s = k->stage; s < k->stage + k->nstage; s++) {
    const fg_access *a = &s->factors.twiddle;
    const fg_buffer *b = s->vectors.packed && s->factors.has_twiddle ? &p->buffer[a->buffer] : NULL;
    if (!b || b->space != FG_SPACE_GIVEN || !b->size || !fg_affine_mentions(&a->index.at, k->outer[0])) continue;
    bytes += fg_cost_elements(p, k, s) * fg_access_slots(k, a) * (fg_buffer_bytes(b) / b->size);
  }
  int64_t under_way = fg_problem_batch_count(&p->problem, params) * LINES_UNDER_WAY * fg_program_line(p);
  return 2 * fg_larger(bytes - under_way, 0);
}

/* Bytes of transforms that follow each other, in L1 each: where long codelets
 * load them, or where stages are one function store them, memory has pauses. */
static int64_t pauses(const fg_program *p, const fg_kernel *k, const near *n) {
  if (!k->nouter || k->nstage < 2 || fg_program_sections(p) > 1 || byte_weight(p, 2 * n->set) > core->l1_weight)
    return 0;
  const fg_stage *last = &k->stage[k->nstage - 1];
  return waited_for_spectra(p, k) + waited_for(p, k, k->stage, &k->stage->load) +
         (fg_cost_stays_in_values(p, k) ? waited_for(p, k, last, &last->store) : 0);
}

/* Several transforms of a batch at once: in an iteration of the loops around all passes, or in vectors. */
static bool takes_several(const fg_program *p) {
  const fg_kernel *k = p->kernel[0];
  int64_t params[FG_MAX_PARAMS], groups = 1;
  for (int i = 0; i < p->problem.nparam; i++) params[i] = p->problem.param[i].lo;
  for (int i = 0; i < k->nouter; i++) groups *= fg_digit_extent(&k->digit[k->outer[i]], params);
  return p->nkernel == 1 && p->problem.rank == 1 && 2 * groups <= fg_problem_batch_count(&p->problem, params);
}

/* Bytes of groups of transforms, side by side or pass after pass (recipes/batch.lua): a group is loaded and stored
 * while there is little arithmetic, so that memory is not behind it. There are fewer groups than transforms. Of reals,
 * where L3 keeps neither array, nothing fetches the output of several, whose rows are no whole lines. */
static int64_t grouped(const fg_program *p, const fg_program_cost *counts, int64_t far) {
  const fg_kernel *k = p->kernel[0];
  if (!takes_several(p)) return 0;
  int64_t all = far >= core->far_weight && is_of_reals(p) ? counts->bytes * caches_of(p)->together : 0;
  return all + (k->nouter && k->nstage > 1 ? counts->bytes / 8 * caches_of(p)->groups : 0);
}

/* Bytes of reals in tiles of rows in pairs, which are read and stored in both directions, a short part of each. */
static int64_t paired(const fg_program *p, const fg_program_cost *counts) {
  bool tiles = fg_program_sections(p) > 1 && p->kernel[0]->nouter && is_of_reals(p) && p->problem.rank <= 1;
  return tiles ? counts->bytes * caches_of(p)->paired : 0;
}

/* Tiles of columns whose parts of rows are many lines long are loaded and stored in runs: where L2
 * is small, L3 is near enough for what such tiles keep beyond it. */
static int64_t set_weight(const fg_program *p, const near *n) {
  int64_t weight = byte_weight(p, 2 * n->set);
  bool runs = p->problem.rank > 1 && p->vectors.lanes > 1 && fg_small_l2(p) && 2 * n->set <= core->near_l3_bytes;
  return runs ? fg_smaller(weight, core->beside_l2_weight) : weight;
}

/* Bytes more of lines of a tile that share a set: they are not fetched ahead, the less the more they are. */
static int64_t crowded(const fg_program *p, const fg_kernel *k, const fg_stage *s, const fg_access *a) {
  const fg_buffer *b = &p->buffer[a->buffer];
  if (b->space == FG_SPACE_LOCAL || !b->size) return 0;
  int64_t slots = fg_access_slots(k, a), each = fg_buffer_bytes(b) / b->size, beside = slots / core->set_lines - 1;
  if (beside < 1 || !crowds_sets(p, k, a, each, core->set_lines)) return 0;
  int64_t more = p->problem.rank > 1 ? caches_of(p)->columns : caches_of(p)->gathered;
  return fg_cost_elements(p, k, s) * slots * each / 16 * more * beside;
}

/* A kernel of four-step: it gathers columns, passes over them, and scatters rows. */
static bool is_of_columns(const fg_program *p, const fg_kernel *k) {
  return fg_program_sections(p) > 1 && k->nouter && fg_problem_kind_is_complex(p->problem.kind) && p->problem.rank <= 1;
}

/* The same of four-step's kernels and those of several dimensions. With 512 KiB of L2 columns of the latter
 * come in tiles wide enough that it shows in none of their radices, with 1 MiB it does (docs/lab/cpu-memory.md). */
static int64_t gathers(const fg_program *p, const fg_kernel *k, const fg_section *x) {
  bool dimensions = p->problem.rank > 1 && x->nouter;
  if (x->end - x->first < 2 || (!is_of_columns(p, k) && !dimensions)) return 0;
  return crowded(p, k, x->first, &x->first->load) + crowded(p, k, x->end - 1, &x->end[-1].store);
}

/* Of a convolution of reals: rows of the spectrum, in two directions, that a pass reads at once are more than hardware
 * fetches ahead. Beyond all caches memory is behind either way. */
static int64_t strewn(const fg_program *p, const fg_kernel *k) {
  int64_t cost = 0;
  for (const fg_stage *s = k->stage; s < k->stage + k->nstage; s++) {
    const fg_buffer *b = s->factors.has_more ? &p->buffer[s->factors.more.buffer] : NULL;
    if (!b || b->space != FG_SPACE_GIVEN || !b->size || fg_buffer_bytes(b) <= fg_l2_bytes(p)) continue;
    int64_t rows = 0;
    for (const fg_access *a = &s->factors.more; a; a = a->rest)
      if (a->buffer == s->factors.more.buffer) rows += k->digit[a->reg].extent.n;
    int64_t bytes = fg_cost_elements(p, k, s) * rows * (fg_buffer_bytes(b) / b->size);
    cost += bytes / 8 * fg_larger(rows - SPECTRUM_ROWS, 0) * caches_of(p)->streams;
  }
  return p->problem.kind == FG_RCONV ? cost : 0;
}

/* Of one transform: rows that an iteration of a pass reads and writes at once in what L2 does not hold are more than
 * hardware fetches ahead. */
static int64_t scattered(const fg_program *p, const fg_kernel *k) {
  int64_t cost = 0, params[FG_MAX_PARAMS];
  const fg_access *a;
  for (const fg_stage *s = k->stage; s < k->stage + k->nstage; s++) {
    int64_t rows = 0, bytes = 0;
    for (int i = 0; (a = fg_stage_access((fg_stage *)s, i)); i++) {
      const fg_buffer *b = &p->buffer[a->buffer];
      int64_t slots = k->digit[a->reg].extent.n, each = b->size ? fg_buffer_bytes(b) / b->size : 0;
      if (fg_buffer_bytes(b) <= fg_l2_bytes(p)) continue;
      bytes += fg_cost_elements(p, k, s) * slots * each;
      rows += llabs(bytes_apart(a, each)) < core->run_bytes ? 1 : slots;
    }
    cost += bytes / 32 * fg_larger(rows - core->rows_ahead, 0) * caches_of(p)->scattered_rows;
  }
  for (int i = 0; i < p->problem.nparam; i++) params[i] = p->problem.param[i].lo;
  bool one = p->problem.rank <= 1 && fg_problem_batch_count(&p->problem, params) == 1;
  return one && !fg_problem_kind_convolves(p->problem.kind) ? cost : 0;
}

/* Tiles of rows that are transformed forward and back at once wait for half as much. */
static int64_t tiles_weight(const fg_program *p, int64_t footprint) {
  bool twice = fg_problem_kind_convolves(p->problem.kind);
  int64_t close = twice ? caches_of(p)->close / 2 : caches_of(p)->close;
  return footprint <= fg_l2_bytes(p) / 4 * 3 ? close : caches_of(p)->tiles;
}

/* What the sections of a kernel with loops around them need not bring from afar. */
static int64_t kept_near(const fg_program *p, const fg_kernel *k, int64_t far) {
  int64_t kept = 0;
  for (const fg_stage *s = k->stage; s < k->stage + k->nstage;) {
    fg_section x = fg_kernel_section(k, s);
    near n = near_of(p, k, &x);
    kept += n.bytes / 32 * (far - fg_smaller(far, set_weight(p, &n)));
    kept += n.passed / 32 * (far - fg_smaller(far, byte_weight(p, 2 * n.between)));
    kept -= gathers(p, k, &x) / 32 * far;
    s = x.end;
  }
  return kept;
}

/* Kernels that work tile after tile, or transform after transform: what they keep
 * meanwhile stays near, however large everything is. */
int64_t fg_cost_bytes(const fg_program *p, const fg_program_cost *counts, int64_t footprint) {
  int64_t far = byte_weight(p, footprint), cost = (counts->bytes + counts->local_bytes) / 32 * far;
  if (is_of_columns(p, p->kernel[0])) cost += counts->bytes / 32 * tiles_weight(p, footprint);
  bool beyond = far >= caches_of(p)->third, half = footprint > fg_l2_bytes(p) / 2;
  if (beyond) cost += grouped(p, counts, far) / 32 * far;
  if (half) cost += paired(p, counts) / 32 * far;
  for (int i = 0; i < p->nkernel; i++) {
    const fg_kernel *k = p->kernel[i];
    fg_section first = fg_kernel_section(k, k->stage);
    near n = near_of(p, k, &first);
    if (beyond) cost += pauses(p, k, &n) / 32 * far;
    if (fg_cost_stays_in_values(p, k)) {
      cost -= n.bytes / 32 * far;
      continue;
    }
    if (far < core->memory_weight) cost += strewn(p, k);
    if (k->nouter) {
      cost -= kept_near(p, k, far);
      continue;
    }
    int64_t within = fg_cost_stays_within(p, k);
    int64_t level =
        within <= core->staying ? fg_smaller(byte_weight(p, within), core->l2_weight) : byte_weight(p, within);
    int64_t again = level < caches_of(p)->third ? fg_smaller(far, level) : far;
    cost -= n.bytes / 32 * (far - again);
    cost += far > core->l1_weight ? detours(p, k, half) / 32 * again : 0;
    if (beyond) cost += scattered(p, k);
  }
  return cost;
}
