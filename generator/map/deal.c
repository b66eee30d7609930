/* Maps the loops of a stage to threads. In: a stage, how many threads there are. Out: digits of threads, and conditions
 * where the last iteration of a loop that was cut is not whole. */
#include "generator/map/deal.h"
#include "generator/map/digits.h"
#include <string.h>

void fg_map_guard(fg_stage *s, const fg_affine *value, fg_num bound) {
  s->pred[s->npred++] = (fg_pred){.value = *value, .bound = bound};
}

/* How many of `extent` values are mapped to at most `left` threads: no iteration more than needed, and none half empty
 * if that can be. */
static int64_t part_of(int64_t extent, int64_t left) {
  int64_t iterations = (extent + left - 1) / left;
  return extent % iterations ? (extent + iterations - 1) / iterations : extent / iterations;
}

int64_t fg_map_iterations(int64_t extent, int64_t left) {
  int64_t part = left < 2 ? 1 : extent > left ? part_of(extent, left) : extent;
  return (extent + part - 1) / part;
}

/* Digit d is cut at `low`: value = low part + high part. */
static int16_t split_digit(fg_kernel *k, fg_stage *s, int16_t d, int64_t low) {
  int64_t extent = k->digit[d].extent.n;
  fg_digit high = k->digit[d];
  size_t length = strlen(high.name);
  if (length + 1 < sizeof high.name) memcpy(high.name + length, "h", 2);
  high.step = low;
  high.extent = fg_num_const((extent + low - 1) / low);
  k->digit[d].extent = fg_num_const(low);
  int16_t h = fg_kernel_add_digit(k, &high);
  fg_map_split_terms(s, d, h);
  fg_affine value = {.offset = fg_num_const(0)};
  fg_affine_add(&value, d, fg_num_const(1));
  fg_affine_add(&value, h, fg_num_const(1));
  if (extent % low) fg_map_guard(s, &value, fg_num_const(extent));
  return h;
}

int64_t fg_map_deal(fg_kernel *k, fg_stage *s, int64_t limit, fg_role rest) {
  int64_t used = 1;
  for (int i = s->nloop - 1; i >= 0; i--) {
    int16_t d = s->loop[i];
    int64_t left = limit / used;
    if (k->digit[d].extent.form != FG_NUM_CONST || left < 2) {
      k->digit[d].role = rest;
      continue;
    }
    if (k->digit[d].extent.n > left) {
      int16_t high = split_digit(k, s, d, part_of(k->digit[d].extent.n, left));
      k->digit[high].role = rest;
      memmove(&s->loop[i + 1], &s->loop[i], sizeof s->loop[0] * (size_t)(s->nloop - i));
      s->nloop++;
      s->loop[i] = high;
    }
    k->digit[d].role = FG_ROLE_THREAD;
    k->digit[d].div = used;
    used *= k->digit[d].extent.n;
  }
  return used;
}

bool fg_map_iterate(fg_kernel *k, fg_stage *s, int64_t threads) {
  if (s->nloop < 1) return false;
  int16_t d = s->loop[s->nloop - 1];
  if (k->digit[d].extent.form != FG_NUM_CONST || k->digit[d].extent.n <= threads) return false;
  int16_t iteration = split_digit(k, s, d, part_of(k->digit[d].extent.n, threads));
  memmove(&s->loop[1], &s->loop[0], sizeof s->loop[0] * (size_t)s->nloop);
  s->nloop++;
  s->loop[0] = iteration;
  return true;
}

fg_deal fg_map_try_deal(const fg_kernel *k, const fg_stage *s, int64_t limit) {
  fg_deal deal = {1, 1};
  for (int i = s->nloop - 1; i >= 0; i--) {
    fg_num extent = k->digit[s->loop[i]].extent;
    int64_t left = limit / deal.used, part = extent.n;
    if (extent.form != FG_NUM_CONST || fg_map_is_batch(k, s->loop[i])) continue;
    if (left < 2) part = 1;
    if (part > left) part = part_of(extent.n, left);
    deal.used *= part;
    deal.iterations *= (extent.n + part - 1) / part;
  }
  return deal;
}
