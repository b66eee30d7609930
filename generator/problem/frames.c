/* Frames of a signal. In: a problem whose first dimension counts frames. Out: the signal's length, and where frames are
 * in it.
 *
 * The idea: a signal with its frames is one transform, of F x n numbers on one side. The other side is an array of one
 * row, so that no two elements of it are the same number in memory, however much frames overlap. Conventions are those
 * of torch.stft and librosa: frame k begins at sample k hop, or with centre at k hop - n/2. */
#include "generator/problem/frames.h"
#include "generator/problem/operations.h"
#include "generator/problem/shape.h"

#define FAR (INT64_C(1) << 62) /* no array is as long */

enum { MOST_OVERLAP = 64 /* frames that a sample of the output is the sum of */ };

static bool is_synthesis(fg_kind kind) { return kind == FG_ISTFT || kind == FG_IMDCT; }

bool fg_problem_has_frames(const fg_problem *p) {
  bool short_time = p->kind == FG_STFT || p->kind == FG_ISTFT;
  return p->rank == 2 && (short_time || fg_problem_kind_is_lapped(p->kind));
}

bool fg_problem_is_signal(const fg_problem *p, bool output) {
  return fg_problem_has_frames(p) && output == is_synthesis(p->kind);
}

int64_t fg_problem_hop(const fg_problem *p) { return is_synthesis(p->kind) ? p->dim[0].os.n : p->dim[0].is.n; }

int64_t fg_problem_frame(const fg_problem *p) {
  int64_t n = p->dim[p->rank - 1].n.n;
  return fg_problem_kind_is_lapped(p->kind) ? 2 * n : n;
}

static const fg_pointwise *find(const fg_problem *p, enum fg_operation_act act) {
  bool output = is_synthesis(p->kind);
  const fg_pointwise *op = output ? p->store : p->load;
  int count = output ? p->nstore : p->nload;
  for (int i = 0; i < count && fg_problem_has_frames(p); i++) {
    const fg_operation_row *row = fg_operation_find(op[i].name);
    if (row && row->act == act) return &op[i];
  }
  return NULL;
}

bool fg_problem_reflects(const fg_problem *p) { return find(p, FG_ACT_REFLECT); }

const fg_pointwise *fg_problem_centred(const fg_problem *p) {
  const fg_pointwise *op = find(p, FG_ACT_CENTRE);
  return op ? op : find(p, FG_ACT_REFLECT);
}

int64_t fg_problem_signal_first(const fg_problem *p) { return fg_problem_centred(p) ? fg_problem_frame(p) / 2 : 0; }

int64_t fg_problem_signal_length(const fg_problem *p) {
  int64_t between, frame = fg_problem_frame(p);
  if (__builtin_mul_overflow(p->dim[0].n.n - 1, fg_problem_hop(p), &between) || between > FAR) between = FAR;
  const fg_pointwise *op = fg_problem_centred(p);
  if (op && op->kept.rank) return op->kept.length[0];
  return op ? between + frame % 2 * is_synthesis(p->kind) : between + frame;
}

const fg_pointwise *fg_problem_norm_window(const fg_problem *p) {
  const fg_pointwise *norm = find(p, FG_ACT_NORM);
  for (int i = 0; norm && i < p->nstore; i++)
    if (p->store[i].window[0]) return &p->store[i];
  return NULL;
}

int64_t fg_problem_window_points(const fg_problem *p, int dimension, bool output) {
  if (fg_problem_has_frames(p) && dimension == 0) return 1;
  return fg_problem_kind_is_lapped(p->kind) ? fg_problem_span(p, dimension, output) : p->dim[dimension].n.n;
}

int64_t fg_problem_scale_points(const fg_problem *p) {
  return fg_problem_has_frames(p) ? p->dim[p->rank - 1].n.n : fg_problem_points(p);
}

/* ---- checks ---------------------------------------------------------------- */

static fg_status check_norm(fg_context *cx, const fg_problem *p) {
  int windows = 0;
  for (int i = 0; i < p->nstore; i++) windows += p->store[i].window[0] != 0;
  if (!find(p, FG_ACT_NORM)) return FG_OK;
  if (!is_synthesis(p->kind) || windows != 1)
    return fg_problem_bad(cx, "store=window(hann),norm of istft and imdct with frames",
                          "norm without one window(NAME) before it");
  return FG_OK;
}

/* The reflection of a sample is a sample. */
static fg_status check_reflection(fg_context *cx, const fg_problem *p) {
  int64_t first = fg_problem_signal_first(p), length = fg_problem_signal_length(p);
  int64_t last = (p->dim[0].n.n - 1) * fg_problem_hop(p) + fg_problem_frame(p) - 1 - first;
  if (!fg_problem_reflects(p) || (first < length && last <= 2 * (length - 1))) return FG_OK;
  return fg_problem_bad(cx, "less than the signal's length on either side",
                        "reflect: frames up to %lld before and %lld behind a signal of %lld samples", (long long)first,
                        (long long)(last - length + 1), (long long)length);
}

static fg_status check_centre(fg_context *cx, const fg_problem *p) {
  const fg_pointwise *op = fg_problem_centred(p);
  int64_t most = (p->dim[0].n.n - 1) * fg_problem_hop(p) + fg_problem_frame(p) - fg_problem_signal_first(p);
  if (!op) return FG_OK;
  if (find(p, FG_ACT_CENTRE) && find(p, FG_ACT_REFLECT))
    return fg_problem_bad(cx, "one of both", "centre together with reflect");
  if (op->kept.rank > 1 || fg_problem_signal_length(p) < 1)
    return fg_problem_bad(cx, "centre(SAMPLES), reflect(SAMPLES)", "centre: no length of the signal");
  if (is_synthesis(p->kind) && fg_problem_signal_length(p) > most)
    return fg_problem_bad(cx, "samples that frames reach", "centre: %lld samples, of which frames reach %lld",
                          (long long)op->kept.length[0], (long long)most);
  return check_reflection(cx, p);
}

static bool fits_sides(const fg_problem *p) {
  bool output = is_synthesis(p->kind);
  for (int i = 0; i < 2; i++)
    for (int k = 0; k < (i ? p->nstore : p->nload); k++) {
      const fg_operation_row *row = fg_operation_find(i ? p->store[k].name : p->load[k].name);
      bool centres = row->act == FG_ACT_CENTRE || row->act == FG_ACT_REFLECT;
      if (centres && (!fg_problem_has_frames(p) || (bool)i != output)) return false;
    }
  return true;
}

static bool has_parts(const fg_problem *p) {
  for (int i = 0; i < 2; i++)
    for (int k = 0; k < (i ? p->nstore : p->nload); k++) {
      const fg_operation_row *row = fg_operation_find(i ? p->store[k].name : p->load[k].name);
      if (row->act == FG_ACT_PAD || row->act == FG_ACT_CROP || row->act == FG_ACT_SHIFT) return true;
    }
  return false;
}

static fg_status check_signal(fg_context *cx, const fg_problem *p) {
  const fg_dim *f = &p->dim[0], *d = &p->dim[1];
  fg_num hop = is_synthesis(p->kind) ? f->os : f->is, step = is_synthesis(p->kind) ? d->os : d->is;
  if (hop.form != FG_NUM_CONST || !fg_num_is(step, 1))
    return fg_problem_bad(cx, "n=FRAMES:IS:OSxN with the hop as a number, N:1:OS or N:IS:1",
                          "a hop that is known only at run time, or samples of a signal that are no neighbours");
  if (is_synthesis(p->kind) &&
      (fg_problem_hop(p) > fg_problem_frame(p) || fg_problem_hop(p) * MOST_OVERLAP < fg_problem_frame(p)))
    return fg_problem_bad(cx, "1/64 of a frame up to all of it", "a hop of %lld samples, of frames of %lld",
                          (long long)fg_problem_hop(p), (long long)fg_problem_frame(p));
  if (has_parts(p))
    return fg_problem_bad(cx, "centre, reflect; frames without these", "zeropad, crop or shift of frames");
  return FG_OK;
}

fg_status fg_problem_check_frames(fg_context *cx, const fg_problem *p) {
  bool frames = fg_problem_has_frames(p), short_time = p->kind == FG_STFT || p->kind == FG_ISTFT;
  bool lapped = fg_problem_kind_is_lapped(p->kind);
  const char *kind = fg_problem_kind_name(p->kind);
  if (!fits_sides(p))
    return fg_problem_bad(cx,
                          "load= of stft, store= of istft, and the same of "
                          "mdct and imdct of n=FRAMESxN",
                          "centre or reflect where no frames of a signal are");
  if (short_time || lapped) {
    if (p->rank > 2 || (p->rank < 2 && !lapped))
      return fg_problem_bad(cx, lapped ? "n=N, n=FRAMESxN" : "n=FRAMESxN", "%s of %d dimensions", kind, p->rank);
    if (lapped && p->dim[p->rank - 1].n.n % 2)
      return fg_problem_bad(cx, "even lengths", "%s of an odd number of points", kind);
    if (p->in_place) return fg_problem_bad(cx, "place=out", "place=in of %s", kind);
  }
  fg_status status = frames ? check_signal(cx, p) : FG_OK;
  if (status == FG_OK) status = check_centre(cx, p);
  return status == FG_OK ? check_norm(cx, p) : status;
}
