/* Stores past the caches. In: stages with their vectors. Out: marks of stores that would push out of the caches what is
 * read again, or whose lines need not be loaded before. */
#include "generator/ir/program_machine.h"
#include "generator/map/map.h"
#include "generator/problem/shape.h"
#include "targets/machine/limits.h"

/* Stores past the caches, but not where the same lines were just read. Unasked to
 * outputs that are written once and never read: a line need
 * not be loaded before it is written. That pays where L2 is large and L3 slow, from the size on where L2 does not hold
 * all arrays together: nothing is left of the output when it is written again. Where L2 is small L3 is near,
 * and all is faster that it holds (on Zen 3 such a pass takes up to twice as long). To others
 * only where the largest caches cannot keep them: between 8 and 32 MiB they cost a sixth to a
 * third where a cache is larger, from 64 MiB on they gain as much; workspaces between kernels gain from 32 MiB on where
 * an L3 of that size is all there is (measured with 1 MiB of L2). Short transforms of a batch leave L3's share of one
 * process sooner: with neighbours there, lines of the output that are loaded first take up to three times as long. */
#define ONCE_STREAMED (INT64_C(2) << 20)
#define ONCE_STREAMED_NEAR (INT64_C(32) << 20)
#define SHORT_STREAMED (INT64_C(10) << 20)
#define ALWAYS_STREAMED (INT64_C(64) << 20)
#define ROWS_STREAMED (INT64_C(8) << 20)
#define PLANES_STREAMED (INT64_C(24) << 20)
#define STREAMED_SCRATCH (INT64_C(32) << 20)

static int sections(const fg_builder *b) { return fg_program_sections(b->program); }

static bool is_loaded(const fg_builder *b, int16_t buffer) {
  for (int i = 0; i < b->nkernel; i++)
    for (int s = 0; s < b->kernels[i]->nstage; s++)
      if (fg_buffer_root(b->program, b->kernels[i]->stage[s].load.buffer) == buffer) return true;
  return false;
}

/* Every vector of it would straddle two cache lines, even where the array begins at a line. */
static bool starts_within(const fg_builder *b, const fg_stage *s, const fg_access *a) {
  const fg_num *first = &a->index.at.offset;
  int64_t line = fg_program_line(b->program) /
                 (fg_buffer_bytes(&b->program->buffer[a->buffer]) / b->program->buffer[a->buffer].size);
  int64_t down = a->move == FG_MOVE_REVERSE ? fg_stage_lanes(b->kernel, s) - 1 : 0;
  return first->form == FG_NUM_CONST && line > 0 && (first->n - down) % line != 0;
}

/* Every vector that is stored is whole lines. */
static bool stores_lines(const fg_builder *b, const fg_stage *s) {
  const fg_buffer *to = &b->program->buffer[s->store.buffer];
  const fg_affine *at = &s->store.index.at;
  int64_t element = fg_buffer_bytes(to) / to->size;
  bool whole =
      s->store.move == FG_MOVE_CONTIG && fg_stage_lanes(b->kernel, s) * element % fg_program_line(b->program) == 0;
  for (int i = 0; i < at->nterm && whole; i++) {
    const fg_num *coef = &at->term[i].coef;
    int64_t step = b->kernel->digit[at->term[i].digit].step;
    whole = coef->form == FG_NUM_CONST &&
            (at->term[i].digit == s->vectors.lane || coef->n * step * element % fg_program_line(b->program) == 0);
  }
  return whole && !fg_stage_is_clipped(b->kernel, s);
}

/* Rows of several dimensions on the way to the output, which columns read when all of them are through: where both
 * arrays are most of what L3 holds (measured with 1 MiB of L2). */
static bool streams_rows(const fg_builder *b, const fg_stage *s, int64_t bytes) {
  const fg_program *p = b->program;
  bool rows = p->problem.rank > 1 && sections(b) > 1 && b->kernel == b->kernels[0] && !s->vectors.section;
  int64_t least = sections(b) > 2 ? PLANES_STREAMED : ROWS_STREAMED;
  if (!fg_program_machine(p)->separate_fadd || !rows || bytes < least) return false;
  return p->buffer[s->store.buffer].space == FG_SPACE_OUTPUT && stores_lines(b, s);
}

/* Rows of an iteration, each of them whole lines, end to end. */
static bool stores_rows(const fg_builder *b, const fg_stage *s) {
  const fg_buffer *to = &b->program->buffer[s->store.buffer];
  const fg_affine *at = &s->store.index.at;
  int64_t slots = fg_access_slots(b->kernel, &s->store), element = fg_buffer_bytes(to) / to->size;
  bool whole = s->store.move == FG_MOVE_TRANSPOSE && slots * element % fg_program_line(b->program) == 0;
  return whole && fg_num_is(fg_affine_coef(at, s->store.reg), 1) &&
         fg_num_is(fg_affine_coef(at, s->vectors.lane), slots);
}

/* Short transforms of a batch, several in a pass or not, whose results leave line after line, and which no prefetch
 * brings meanwhile (lower/prefetch.c). */
static bool ends_in_lines(const fg_builder *b, const fg_stage *s) {
  const fg_kernel *k = b->kernel;
  int64_t one = fg_problem_points(&b->program->problem) * 2 * fg_precision_bytes(b->program->problem.compute);
  bool grouped = sections(b) == 1 && fg_plan_param_value(b->program->plan, FG_PARAM_ROWS) > 1;
  bool brief = k->nstage == 1 || grouped || (fg_kernel_is_joined(k) && one < limit->swept_least);
  return brief && (stores_lines(b, s) || stores_rows(b, s));
}

/* A batch of convolutions, which load a spectrum beside the input: bringing lines of the output as well costs more than
 * it saves. */
static bool convolves_in_lines(const fg_builder *b, const fg_stage *s) {
  bool batch = b->nkernel == 1 && b->kernel->nouter && fg_problem_kind_convolves(b->program->problem.kind);
  return batch && (stores_lines(b, s) || stores_rows(b, s));
}

/* All arrays that a call visits but tiles. */
static int64_t bytes_of_all(const fg_builder *b) {
  const fg_program *p = b->program;
  int64_t bytes = 0;
  for (int i = 0; i < p->nbuffer; i++) {
    const fg_buffer *a = &p->buffer[i];
    bool far = a->space == FG_SPACE_INPUT || a->space == FG_SPACE_OUTPUT || a->space == FG_SPACE_WORK;
    if (far && a->alias < 0) bytes += fg_buffer_bytes(a);
  }
  return bytes;
}

/* An output that is written once, and whose lines are not there. */
static bool is_written_once(const fg_builder *b, const fg_stage *s) {
  const fg_program *p = b->program;
  const fg_buffer *to = &p->buffer[s->store.buffer];
  if (to->space != FG_SPACE_OUTPUT || is_loaded(b, fg_buffer_root(p, s->store.buffer))) return false;
  bool near = fg_small_l2(p), separate = fg_program_machine(p)->separate_fadd;
  bool lines = separate && (ends_in_lines(b, s) || convolves_in_lines(b, s));
  if (lines && bytes_of_all(b) >= SHORT_STREAMED) return true;
  if (near) return sections(b) > 1 && fg_buffer_bytes(to) >= ONCE_STREAMED_NEAR;
  if (separate) return sections(b) > 1 && fg_buffer_bytes(to) >= ONCE_STREAMED;
  return (sections(b) > 1 || ends_in_lines(b, s)) && bytes_of_all(b) > fg_l2_bytes(p);
}

static bool wants_stream(const fg_builder *b, const fg_stage *s) {
  const fg_program *p = b->program;
  const fg_buffer *to = &p->buffer[s->store.buffer];
  int64_t wanted = fg_plan_param_value(p->plan, FG_PARAM_STREAM), bytes = fg_buffer_bytes(to);
  if (wanted == 1 || fg_stage_is_in_place(p, s) || s->vectors.lane < 0 || s->store.move == FG_MOVE_GATHER) return false;
  if (wanted == 2) return to->space == FG_SPACE_OUTPUT || bytes >= STREAMED_SCRATCH;
  bool between = fg_program_machine(p)->separate_fadd && to->space == FG_SPACE_WORK && bytes >= STREAMED_SCRATCH;
  return is_written_once(b, s) || between || bytes >= ALWAYS_STREAMED || streams_rows(b, s, bytes);
}

static void stream(const fg_builder *b, fg_stage *s) {
  bool wanted = wants_stream(b, s);
  for (fg_access *a = &s->store; a && wanted; a = a->rest) a->stream = !starts_within(b, s, a);
}

fg_status fg_map_stream(fg_builder *b) {
  for (int i = 0; i < b->nkernel; i++) {
    b->kernel = b->kernels[i];
    for (int s = 0; s < b->kernel->nstage; s++) stream(b, &b->kernel->stage[s]);
  }
  return FG_OK;
}
