/* Map: rows of an array, one behind the other, in loops of several dimensions.
 *
 * In: a kernel of one codelet, which has rows of the last dimension. Out: one loop over all rows of a transform. They
 * are a batch then, and go through shared memory as a batch of one dimension does (staging.c). A thread that stores a
 * row of eleven points by itself writes a quarter of a sector at a time, and L2 takes as long for that as for a whole
 * one. */
#include "generator/map/block.h"
#include "generator/map/digits.h"
#include "generator/map/staging.h"
#include "targets/machine/simt.h"

static bool is_plain(const fg_program *p, const fg_kernel *k, const fg_access *a) {
  const fg_buffer *of = &p->buffer[a->buffer];
  const fg_index *x = &a->index;
  const fg_digit *slot = &k->digit[a->reg];
  bool straight = x->lookup < 0 && !x->nwrap && !fg_index_is_bent(x) && !x->xor_mask && !x->swap.count;
  bool whole = slot->step == 1 && fg_num_is(slot->start, 0) && fg_num_is(fg_affine_coef(&x->at, a->reg), 1);
  return straight && whole && !a->rest && !a->npred && fg_num_is(x->at.offset, 0) && of->elem == FG_ELEM_COMPLEX &&
         of->layout == FG_LAYOUT_INTERLEAVED;
}

static bool counts_from_zero(const fg_digit *d) {
  return d->extent.form == FG_NUM_CONST && d->step == 1 && fg_num_is(d->start, 0);
}

/* The loop by which an access moves so many elements; -1: there is none. */
static int16_t loop_of(const fg_stage *s, const fg_access *a, int64_t elements) {
  for (int l = 0; l < s->nloop; l++)
    if (fg_num_is(fg_affine_coef(&a->index.at, s->loop[l]), elements)) return s->loop[l];
  return -1;
}

static int loops_of_batch(const fg_kernel *k, const fg_stage *s) {
  int loops = 0;
  for (int l = 0; l < s->nloop; l++) loops += k->digit[s->loop[l]].batch;
  return loops;
}

/* How many rows a transform has, if each begins where another ends; 0: they do not. */
static int64_t rows_of(const fg_kernel *k, const fg_stage *s) {
  int64_t n = k->digit[s->load.reg].extent.n, end = n;
  if (k->digit[s->store.reg].extent.n != n) return 0;
  for (int l = loops_of_batch(k, s); l < s->nloop; l++) {
    int16_t d = loop_of(s, &s->load, end);
    if (d < 0 || d != loop_of(s, &s->store, end) || k->digit[d].batch || !counts_from_zero(&k->digit[d])) return 0;
    end *= k->digit[d].extent.n;
  }
  return end / n;
}

static bool is_codelet_alone(const fg_builder *b, const fg_stage *s) {
  bool alone = b->kernel->nstage == 1 && b->kernel->launch.cluster < 2 && !fg_map_joined(b) && !s->few;
  bool several = b->nkernel > 1 && s->nloop > loops_of_batch(b->kernel, s);
  return alone && several && s->codelet && !s->npred && !s->factors.has_twiddle && !s->factors.has_more &&
         !s->factors.matrix && !s->operations.loaded && !s->operations.stored;
}

/* Behind the batch's own axes. */
static int axis_for_rows(const fg_kernel *k, const fg_stage *s) {
  int axis = 0;
  for (int l = 0; l < s->nloop; l++)
    if (fg_map_is_batch(k, s->loop[l]) && fg_map_batch_axis(k, s->loop[l]) >= axis)
      axis = fg_map_batch_axis(k, s->loop[l]) + 1;
  return axis;
}

int64_t fg_map_join_rows(fg_builder *b) {
  fg_kernel *k = b->kernel;
  fg_stage *s = &k->stage[0];
  bool apart = is_codelet_alone(b, s) && is_plain(b->program, k, &s->load) && is_plain(b->program, k, &s->store);
  int64_t rows = apart ? rows_of(k, s) : 0, n = k->digit[s->load.reg].extent.n;
  if (rows < FG_WARP || axis_for_rows(k, s) >= FG_MAX_AXES) return 0;
  int16_t row = fg_kernel_new_digit(k, "r", FG_ROLE_LOOP, fg_num_const(rows));
  k->digit[row].div = -(axis_for_rows(k, s) + 1);
  for (int l = 0; l < s->nloop; l++) {
    if (k->digit[s->loop[l]].batch) continue;
    fg_affine_drop(&s->load.index.at, s->loop[l]);
    fg_affine_drop(&s->store.index.at, s->loop[l]);
    fg_map_drop_loop(s, l--);
  }
  fg_affine_add(&s->load.index.at, row, fg_num_const(n));
  fg_affine_add(&s->store.index.at, row, fg_num_const(n));
  s->loop[s->nloop++] = row;
  return rows;
}
