/* See gpu_parts.h. In: an access of shared memory. Out: its elements whose addresses are computed one by one.
 *
 * Padding bends addresses. Where no offset of an element carries the base into the next piece, bent offsets are
 * constants of the instructions; else each address is divided. */
#include "generator/base/integer.h"
#include "generator/cost/gpu_parts.h"

/* Greatest residue of the base, whose digits are all but the register's; -1: not known. */
static int64_t residue_of(const fg_kernel *k, const fg_access *a) {
  const fg_affine *at = &a->index.at;
  int64_t every = a->index.pad_every;
  if (at->offset.form != FG_NUM_CONST || at->offset.n < 0) return -1;
  int64_t grain = fg_gcd(every, at->offset.n), most = at->offset.n % every;
  for (int t = 0; t < at->nterm; t++) {
    const fg_digit *d = &k->digit[at->term[t].digit];
    if (at->term[t].digit == a->reg) continue;
    if (at->term[t].coef.form != FG_NUM_CONST || d->extent.form != FG_NUM_CONST) return -1;
    int64_t by = at->term[t].coef.n * d->step;
    if (by < 0) return -1;
    if (by % every == 0) continue;
    grain = fg_gcd(grain, by);
    most = most < every ? most + by * (d->extent.n - 1) : most;
  }
  return fg_smaller(most, every - grain);
}

int64_t fg_cost_gpu_bent(const fg_gpu_view *x, const fg_access *a) {
  int64_t every = a->index.pad_every, slots = fg_access_slots(x->k, a);
  if (!every) return 0;
  fg_num apart = fg_affine_coef(&a->index.at, a->reg);
  int64_t residue = residue_of(x->k, a);
  if (apart.form != FG_NUM_CONST || residue < 0 || fg_index_is_bent(&a->index)) return slots;
  const fg_digit *reg = &x->k->digit[a->reg];
  for (int64_t s = 0; s < reg->extent.n; s++)
    if (residue + apart.n * reg->step * s % every >= every) return slots;
  return 0;
}
