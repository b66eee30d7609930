/* See problem.h. In: a problem. Out: whether its plan stores the transform of random elements of a random field, and
 * stores nothing else. Results of one complex dimension that is long are compared by a sum with random weights. */
#include "problem.h"
#include "definition.h"
#include <string.h>
#include <vector>

enum { LONG = 600 /* points, beyond which a sum stands for the results */ };

static int axes(const problem *p) { return p->rank + p->vectors; }

static int64_t elements(const problem *p, int axis, bool output) {
  return axis < p->rank ? fg_line_elements(p->type[axis], p->axis[axis].n, output) : p->axis[axis].n;
}

static bool is_complex(const problem *p, bool output) { return output ? p->complex_out : p->complex_in; }

static int unit(const problem *p, bool output) { return is_complex(p, output) && !p->split ? 2 : 1; }

static int64_t all_elements(const problem *p, bool output) {
  int64_t all = 1;
  for (int i = 0; i < axes(p); i++) all *= elements(p, i, output);
  return all;
}

void problem_lay_out(problem *p, const int *order_in, const int *order_out, int room) {
  for (int o = 0; o < 2; o++) {
    ptrdiff_t step = unit(p, o);
    for (int i = axes(p) - 1; i >= 0; i--) {
      int at = (o ? order_out : order_in)[i];
      *(o ? &p->axis[at].os : &p->axis[at].is) = step;
      step *= elements(p, at, o) + room;
    }
  }
}

/* Of r2c and c2r in place, rows have the room of the complex side. */
static void share_rows(problem *p) {
  int last = p->rank - 1;
  ptrdiff_t row = 2 * (p->axis[last].n / 2 + 1);
  p->axis[last].is = p->complex_in ? 2 : 1, p->axis[last].os = p->complex_out ? 2 : 1;
  for (int i = last - 1 < 0 ? axes(p) - 1 : last - 1, done = 1; done < axes(p); done++) {
    p->axis[i].is = p->axis[i].os = row;
    row *= p->axis[i].n;
    i = i == 0 ? axes(p) - 1 : i - 1;
  }
}

/* Where element number e of a side is, in its array. */
static ptrdiff_t place(const problem *p, bool output, int64_t e) {
  ptrdiff_t at = 0;
  for (int i = axes(p) - 1; i >= 0; i--) {
    int64_t n = elements(p, i, output);
    at += e % n * (output ? p->axis[i].os : p->axis[i].is);
    e /= n;
  }
  return at;
}

/* Of each element, from the first number on: negative strides begin behind it. */
static ptrdiff_t before(const problem *p, bool output) {
  ptrdiff_t least = 0;
  for (int i = 0; i < axes(p); i++) {
    ptrdiff_t far = (output ? p->axis[i].os : p->axis[i].is) * (elements(p, i, output) - 1);
    if (far < 0) least -= far;
  }
  return least;
}

static ptrdiff_t span(const problem *p, bool output) {
  ptrdiff_t far = 0;
  for (int i = 0; i < axes(p); i++) {
    ptrdiff_t by = (output ? p->axis[i].os : p->axis[i].is) * (elements(p, i, output) - 1);
    far += by < 0 ? -by : by;
  }
  return far + unit(p, output);
}

typedef std::vector<fg_complex> tensor;
enum { MARGIN = 16 };

struct memory {
  std::vector<fg_real> number;
  fg_array at;
};

static void fill(std::vector<fg_real> *x, uint64_t *random) {
  for (fg_real &a : *x) a.v = (fg_field_word)(fg_field_random(random) % fg_field_prime);
}

static void get_memory(const problem *p, memory *side, uint64_t *random) {
  ptrdiff_t most = 0, least = 0;
  for (int o = 0; o < 2; o++) {
    if (span(p, o) > most) most = span(p, o);
    if (before(p, o) > least) least = before(p, o);
  }
  for (int o = 0; o < 2; o++) {
    side[o].number.resize(2 * (most + least + 2 * MARGIN));
    fill(&side[o].number, random);
    fg_real *re = side[o].number.data() + least + MARGIN;
    side[o].at = fg_array{re, is_complex(p, o) ? p->split ? re + most + least + MARGIN : re + 1 : NULL};
  }
  if (!p->in_place) return;
  side[1].at.re = side[0].at.re;
  side[1].at.im = !p->complex_out ? NULL : p->split ? side[0].at.re + most + least + MARGIN : side[0].at.re + 1;
}

/* ---- the definition -------------------------------------------------------------------- */

/* Dimension d of all vectors; axes before it in `from`'s shape. */
static tensor apply(const problem *p, int d, const tensor &x, std::vector<int64_t> *shape) {
  int64_t n = (*shape)[d], to = elements(p, d, true), inner = 1, outer = 1;
  for (int i = 0; i < axes(p); i++) *(i < d ? &outer : i > d ? &inner : &n) *= i == d ? 1 : (*shape)[i];
  tensor y(outer * to * inner), line(p->axis[d].n), results(p->axis[d].n + 1);
  for (int64_t o = 0; o < outer; o++)
    for (int64_t i = 0; i < inner; i++) {
      for (int64_t j = 0; j < n; j++) line[j] = x[(o * n + j) * inner + i];
      definition_apply(p->type[d], p->axis[d].n, line.data(), results.data());
      for (int64_t k = 0; k < to; k++) y[(o * to + k) * inner + i] = results[k];
    }
  (*shape)[d] = to;
  return y;
}

static tensor expected(const problem *p, tensor x) {
  std::vector<int64_t> shape(axes(p));
  for (int i = 0; i < axes(p); i++) shape[i] = elements(p, i, false);
  bool back = p->rank && p->type[p->rank - 1] == FG_LINE_C2R;
  for (int d = 0; d < p->rank; d++) {
    int at = back ? d : p->rank - 1 - d;
    x = apply(p, at, x, &shape);
  }
  return x;
}

static bool is_long(const problem *p) {
  return p->rank == 1 && p->axis[0].n > LONG && (p->type[0] == FG_LINE_FORWARD || p->type[0] == FG_LINE_BACKWARD);
}

/* Each line's results by their sum. */
static bool sums_agree(const problem *p, const tensor &x, const tensor &y, uint64_t *random) {
  int64_t n = p->axis[0].n, lines = (int64_t)x.size() / n;
  for (int64_t l = 0; l < lines; l++) {
    std::vector<fg_real> weight(2);
    fill(&weight, random);
    fg_complex c = {weight[0], weight[1]}, power = {1, 0}, sum = {0, 0};
    tensor line(n);
    for (int64_t j = 0; j < n; j++) line[j] = x[j * lines + l];
    for (int64_t k = 0; k < n; k++) {
      fg_complex term = definition_times(power, y[k * lines + l]);
      sum = fg_complex{sum.re + term.re, sum.im + term.im};
      power = definition_times(power, c);
    }
    fg_complex right = definition_sum(p->type[0], n, line.data(), c);
    if (sum.re != right.re || sum.im != right.im) return false;
  }
  return true;
}

/* ---- a run ------------------------------------------------------------------------------- */

static tensor read_all(const problem *p, bool output, fg_array from) {
  tensor x(all_elements(p, output));
  for (int64_t e = 0; e < (int64_t)x.size(); e++) {
    ptrdiff_t at = place(p, output, e);
    x[e] = fg_complex{from.re[at], is_complex(p, output) ? from.im[at] : fg_real(0)};
  }
  return x;
}

/* Numbers of an array that a side's elements are. */
static void mark(const problem *p, bool output, fg_array of, const memory *m, std::vector<bool> *own) {
  for (int64_t e = 0; e < all_elements(p, output); e++) {
    ptrdiff_t at = place(p, output, e);
    (*own)[of.re + at - m->number.data()] = true;
    if (of.im) (*own)[of.im + at - m->number.data()] = true;
  }
}

/* Nothing but results is stored, or inputs that a plan may overwrite. */
static bool rest_is_kept(const problem *p, const memory *side, const std::vector<fg_real> *old) {
  for (int o = 0; o < 2; o++) {
    std::vector<bool> own(side[o].number.size());
    bool loses = p->in_place || (p->rank > 1 && p->type[p->rank - 1] == FG_LINE_C2R && !p->preserve);
    if (o || p->in_place) mark(p, true, side[1].at, &side[p->in_place ? 0 : o], &own);
    if (!o && loses) mark(p, false, side[0].at, &side[0], &own);
    if (o && p->in_place) own.assign(own.size(), false);
    for (size_t i = 0; i < own.size(); i++)
      if (!own[i] && side[o].number[i] != old[o][i]) return false;
  }
  return true;
}

static bool agree(const problem *p, const tensor &x, tensor y, const fg_factors *by, uint64_t *random) {
  if (p->scaled)
    for (fg_complex &a : y) a = fg_complex{a.re / by->re, a.im / by->im};
  if (is_long(p)) return sums_agree(p, x, y, random);
  tensor right = expected(p, x);
  for (size_t k = 0; k < y.size(); k++)
    if (y[k].re != right[k].re || (p->complex_out && y[k].im != right[k].im)) return false;
  return true;
}

typedef struct text {
  char *at;
  size_t left;
} text;

static void put(void *to, char c) {
  text *t = (text *)to;
  if (t->left > 1) *t->at++ = c, *t->at = 0, t->left--;
}

static problem_verdict attempt(const problem *p, uint64_t *random, char *plan, size_t size) {
  memory side[2];
  get_memory(p, side, random);
  fg_request r = {};
  r.rank = p->rank, r.vectors = p->vectors, r.dim = p->axis, r.type = p->type, r.vector = p->axis + p->rank;
  r.complex_in = p->complex_in, r.complex_out = p->complex_out, r.in = side[0].at, r.out = side[1].at;
  r.preserve = p->preserve, r.threads = 1;
  fg_transform *t = fg_transform_create(&r);
  if (!t) return PROBLEM_WRONG;
  text to = {plan, size};
  *plan = 0, fg_transform_print(t, put, &to);
  tensor x = read_all(p, false, side[0].at);
  std::vector<fg_real> old[2] = {side[0].number, side[1].number};
  fg_factors by = {3, p->rank == 1 && p->complex_out ? fg_real(-5) : fg_real(3)};
  bool done = true;
  if (p->scaled)
    done = fg_transform_run_scaled(t, side[0].at, side[1].at, &by);
  else
    fg_transform_run(t, side[0].at, side[1].at);
  bool right = done && agree(p, x, read_all(p, true, side[1].at), &by, random) && rest_is_kept(p, side, old);
  fg_transform_destroy(t);
  return right ? PROBLEM_RIGHT : PROBLEM_WRONG;
}

/* Roots that a field lacks become known by a run; tables that were made without them are forgotten. */
problem_verdict problem_prove(const problem *given, uint64_t *random, char *plan, size_t size) {
  problem p = *given;
  if (p.in_place && p.complex_in != p.complex_out) share_rows(&p);
  problem_verdict verdict;
  fg_field_forget();
  do {
    fg_line_forget();
    if (!fg_field_draw(random)) return PROBLEM_NO_FIELD;
    verdict = attempt(&p, random, plan, size);
  } while (fg_field_lacks());
  return verdict;
}

void problem_print(const problem *p, FILE *to) {
  fprintf(to, "type %d:", p->rank ? (int)p->type[p->rank - 1] : -1);
  for (int i = 0; i < axes(p); i++)
    fprintf(to, " %s%lld:%td:%td", i < p->rank ? "" : "v", (long long)p->axis[i].n, p->axis[i].is, p->axis[i].os);
  fprintf(to, "%s%s%s%s", p->split ? " split" : "", p->in_place ? " in place" : "", p->preserve ? " preserve" : "",
          p->scaled ? " scaled" : "");
}
