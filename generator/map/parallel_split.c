/* Loops of a CPU's program that threads may divide. In: mapped kernels. Out: digits of parts.
 *
 * A kernel with outer loops (transforms of a batch, tiles) is divided at the longest of them; any other stage by
 * stage, each at its longest loop that has no partial last vector. The proof checks that parts do not touch each
 * other's elements. */
#include "generator/map/map.h"

#define LEAST_BYTES (INT64_C(256) << 10)

static int64_t most_parts(const fg_program *p, const fg_digit *d) {
  return fg_digit_parts(d, d->extent.form == FG_NUM_CONST ? d->extent.n : p->problem.param[d->extent.param].hi);
}

static bool is_plain(const fg_digit *d) {
  bool tiles = d->role == FG_ROLE_BLOCK && d->extent.form == FG_NUM_CONST;
  return d->start.form == FG_NUM_CONST && (tiles || !fg_digit_is_clipped(d));
}

/* The longest loop of a list, the outermost of equals: 1 + digit; 0: none of two iterations. */
static int16_t longest(const fg_program *p, const fg_kernel *k, const int16_t *digit, int count, fg_role role) {
  int16_t best = 0;
  int64_t most = 1;
  for (int i = 0; i < count; i++) {
    const fg_digit *d = &k->digit[digit[i]];
    int64_t extent = most_parts(p, d);
    if (d->role != role || !is_plain(d) || extent <= most) continue;
    best = (int16_t)(digit[i] + 1);
    most = extent;
  }
  return best;
}

static int64_t data_bytes(const fg_program *p) {
  return fg_buffer_bytes(&p->buffer[FG_BUFFER_IN]) + fg_buffer_bytes(&p->buffer[FG_BUFFER_OUT]);
}

fg_status fg_map_parallel_split(fg_builder *b) {
  fg_program *p = b->program;
  int64_t wanted = fg_plan_param_value(p->plan, FG_PARAM_PARALLEL_SPLIT);
  if (wanted == 1 || (wanted == 0 && data_bytes(p) < LEAST_BYTES)) return FG_OK;
  for (int i = 0; i < p->nkernel; i++) {
    fg_kernel *k = p->kernel[i];
    k->vectors.part = longest(p, k, k->outer, k->nouter, FG_ROLE_BLOCK);
    if (k->nouter) continue;
    for (int s = 0; s < k->nstage; s++)
      k->stage[s].vectors.part = longest(p, k, k->stage[s].loop, k->stage[s].nloop, FG_ROLE_LOOP);
  }
  return FG_OK;
}
