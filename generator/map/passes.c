/* The passes that assign roles to a program's digits, in order: one row each.
 *
 * In: stages of plain loops from assemble. Out: kernels for the target's device. pipeline/build.c runs the table and
 * the verifier after each pass. */
#include "generator/map/passes.h"
#include "generator/ir/program_machine.h"
#include "generator/map/batch_major.h"
#include "generator/map/block.h"
#include "generator/map/map.h"
#include "generator/map/outer.h"
#include "generator/map/rounds.h"

static void touch(fg_buffer *b, int kernel) {
  if (kernel < b->used.first) b->used.first = (int16_t)kernel;
  if (kernel > b->used.last) b->used.last = (int16_t)kernel;
}

static void touch_access(fg_program *p, const fg_access *a, int kernel) {
  touch(&p->buffer[a->buffer], kernel);
  if (a->index.lookup >= 0) touch(&p->buffer[a->index.lookup], kernel);
}

static fg_status lifetimes(fg_builder *b) {
  fg_program *p = b->program;
  for (int i = 0; i < p->nbuffer; i++) p->buffer[i].used.first = INT16_MAX, p->buffer[i].used.last = -1;
  for (int i = 0; i < p->nkernel; i++)
    for (int s = 0; s < p->kernel[i]->nstage; s++) {
      fg_access *a;
      if (p->kernel[i]->stage[s].factors.matrix) touch(&p->buffer[p->kernel[i]->stage[s].factors.matrix], i);
      for (int n = 0; (a = fg_stage_access(&p->kernel[i]->stage[s], n)); n++) touch_access(p, a, i);
    }
  return FG_OK;
}

static fg_status clear_all_marks(fg_builder *b) {
  for (int i = 0; i < b->program->nkernel; i++) {
    fg_kernel *k = b->program->kernel[i];
    for (int d = 0; d < k->ndigit; d++)
      if (k->digit[d].div < 0) k->digit[d].div = 1;
  }
  return FG_OK;
}

static bool has_threads(const fg_builder *b) { return b->map->threads; }
static bool has_lanes(const fg_builder *b) { return !b->map->threads; }
static bool has_blocks(const fg_builder *b) { return b->map->blocks; }
static bool is_called(const fg_builder *b) { return !b->map->threads && !b->map->blocks; }
static bool may_split(const fg_builder *b) { return !b->map->threads && !b->program->vectors.side_by_side; }

static bool has_rounds(const fg_builder *b) { return fg_map_rounds_of(b) > 1; }

static bool wants_shuffles(const fg_builder *b) {
  const fg_program *p = b->program;
  bool rule = fg_program_machine(p)->shuffles, queued = fg_plan_param_value(p->plan, FG_PARAM_QUEUE);
  return b->map->threads && b->map->shuffles && !queued && fg_plan_option(p->plan, FG_PARAM_SHUFFLES, rule);
}

const fg_map_pass *fg_map_passes(void) {
  static const fg_map_pass passes[] = {
      {"ends of kernels", NULL, fg_map_begin},
      {"order of loops", has_threads, fg_map_order_loops},
      {"blocks and threads", has_threads, fg_map_threads},
      {"batches around stages", has_lanes, fg_map_batches},
      {"vectors", has_lanes, fg_map_lanes},
      {"vectors in blocks", has_blocks, fg_map_chunk},
      {"batch-major order", is_called, fg_map_batch_major},
      {"frames", NULL, fg_map_frames},
      {"numbers of blocks", NULL, fg_map_number_blocks},
      {"shuffles", wants_shuffles, fg_map_shuffle},
      {"exchanges in rounds", has_rounds, fg_map_rounds},
      {"padding", has_threads, fg_map_padding},
      {"loads ahead", has_threads, fg_map_ahead},
      {"blocks at once", has_threads, fg_map_leave_registers},
      {"stores past the caches", has_lanes, fg_map_stream},
      {"queue", NULL, fg_map_queue},
      {"steps of one", NULL, clear_all_marks},
      {"shared loops", is_called, fg_map_share},
      {"lane order", NULL, fg_map_lane_order},
      {"table panels", has_lanes, fg_map_table_panels},
      {"lifetimes of buffers", NULL, lifetimes},
      {"parallel split", may_split, fg_map_parallel_split},
      {0},
  };
  return passes;
}
