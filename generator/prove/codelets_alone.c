/* Codelets by themselves. In: a program whose walk has few nonzero inputs. Out: whether its codelets are the
 * transforms of their kinds.
 *
 * The idea: if most inputs are zero, some slots of a codelet may hold nothing else, and faults in their use would
 * not be found. So each codelet runs once on nonzero numbers, and is compared with its kind's definition (kind.h): a
 * DFT, what symmetry makes of its inputs and results, factors before, inside and after. This is done for all kinds
 * that transforms of complex numbers and of reals consist of, and convolutions; other kinds are checked by the walk
 * alone. */
#include "generator/prove/codelets_alone.h"
#include <stdio.h>
#include <string.h>

typedef struct alone { /* one codelet over a field */
  fg_context *cx;
  const fg_field *f;
  const fg_codelet *c;
  fg_gf *in, *tw, *got, *work;
  fg_gfc *factor; /* of its twiddles, by element */
  fg_gfc *x, *y;  /* elements of inputs, of results */
} alone;

enum { LARGEST = 128 /* prime of n: the DFT then needs no other roots than its own */ };

/* Kinds without factors inside that are checked; of convolutions, which transform is there and which one back. */
typedef struct form {
  bool known, inside;
  fg_codelet_kind there, back;
} form;

static form form_of(fg_codelet_kind kind) {
  switch (kind) {
  case FG_CODELET_CONVOLVE:
  case FG_CODELET_CONVOLVE_TWO:
  case FG_CODELET_CONVOLVE_FIRST: return (form){true, true, FG_CODELET_C2C, FG_CODELET_C2C};
  case FG_CODELET_CONVOLVE_REAL: return (form){true, true, FG_CODELET_R2C, FG_CODELET_C2R};
  case FG_CODELET_CONVOLVE_ODD: return (form){true, true, FG_CODELET_R2C_ODD, FG_CODELET_C2R_ODD};
  case FG_CODELET_CONVOLVE_PAIR: return (form){true, true, FG_CODELET_R2C_PAIR, FG_CODELET_C2R_PAIR};
  case FG_CODELET_R2C_TWO:
  case FG_CODELET_C2R_TWO: return (form){true, false, kind, kind};
  default: return (form){kind <= FG_CODELET_C2R_PAIR, false, kind, kind};
  }
}

static bool is_known(const fg_codelet *c) {
  form of = form_of(c->key.kind);
  int n = c->key.n;
  for (int p = 2; p <= LARGEST; p++)
    while (n % p == 0) n /= p;
  bool plain = c->key.twiddle == FG_TW_NONE || c->key.twiddle == FG_TW_IN;
  return n == 1 && of.known && (!of.inside || plain);
}

static fg_gfc conjugate(const alone *a, fg_gfc x) { return (fg_gfc){x.re, fg_gf_neg(a->f, x.im)}; }

static void multiply(const alone *a, fg_gfc *x, fg_gfc by) { *x = fg_gfc_mul(a->f, *x, by); }

/* ---- factors --------------------------------------------------------------------------------- */

static void put(alone *a, int slot, fg_gfc x) {
  a->tw[2 * slot] = x.re;
  a->tw[2 * slot + 1] = x.im;
}

/* Element k by power k of one number; slots as algo/steps.c has them. */
static void draw_steps(alone *a, fg_gfc w) {
  const fg_codelet_key *key = &a->c->key;
  int n = key->n;
  a->factor[0] = (fg_gfc){a->f->one, 0};
  for (int k = 1; k < n; k++) a->factor[k] = fg_gfc_mul(a->f, a->factor[k - 1], w);
  put(a, 0, a->factor[n / 2]);
  for (int p = 1; 4 * p <= n; p *= 2)
    for (int j = 0; j < p; j++)
      put(a, p + j, fg_gfc_mul(a->f, a->factor[n / (4 * p)], fg_gf_root(a->f, key->sign * j, 4 * (uint64_t)p)));
}

/* Returns the slot of the first factor inside. */
static int draw_factors(alone *a, int elements, uint64_t *random) {
  const fg_codelet_key *key = &a->c->key;
  bool all = key->twiddle == FG_TW_IN_ALL || key->twiddle == FG_TW_OUT_ALL;
  int slot = 0;
  for (int i = 0; i < a->c->ntw; i++) a->tw[i] = 1 + fg_random_below(a->f->p - 1, random);
  if (key->twiddle == FG_TW_STEPS) draw_steps(a, (fg_gfc){a->tw[0], a->tw[1]});
  if (key->twiddle == FG_TW_STEPS || key->twiddle == FG_TW_NONE) return 0;
  for (int k = 0; k < elements; k++) {
    a->factor[k] = (fg_gfc){a->f->one, 0};
    if (!k && !all) continue;
    a->factor[k] = (fg_gfc){a->tw[2 * slot], a->tw[2 * slot + 1]};
    slot++;
  }
  return slot;
}

static bool is_before(fg_twiddle twiddle) {
  return twiddle == FG_TW_IN || twiddle == FG_TW_IN_ALL || twiddle == FG_TW_STEPS;
}

/* ---- transforms ------------------------------------------------------------------------------- */

/* Of pairs, the columns that they have been made of; column 0 is not twice itself. */
static void separate(alone *a) {
  int half = a->c->key.n / 2;
  fg_gf half_of_one = fg_gf_inv(a->f, fg_gf_from(a->f, 2));
  memcpy(a->y, a->x, sizeof *a->x * (size_t)(2 * half));
  for (int j = 0; j < half; j++) {
    fg_gfc one = a->y[j], other = conjugate(a, a->y[half + j]);
    fg_gfc d = {fg_gf_sub(a->f, one.re, other.re), fg_gf_sub(a->f, one.im, other.im)};
    a->x[2 * j] = fg_gfc_add(a->f, one, other);
    a->x[2 * j + 1] = (fg_gfc){d.im, fg_gf_neg(a->f, d.re)};
  }
  multiply(a, &a->x[0], (fg_gfc){half_of_one, 0});
}

static void merge(alone *a) {
  int half = a->c->key.n / 2;
  memcpy(a->x, a->y, sizeof *a->x * (size_t)(2 * half));
  for (int j = 0; j < half; j++) {
    fg_gfc even = a->x[2 * j], odd = a->x[2 * j + 1];
    a->y[j] = (fg_gfc){fg_gf_sub(a->f, even.re, odd.im), fg_gf_add(a->f, even.im, odd.re)};
    a->y[half + j] = (fg_gfc){fg_gf_add(a->f, even.re, odd.im), fg_gf_sub(a->f, odd.re, even.im)};
  }
}

/* Elements from k on, of which `last` - k is the conjugate of k: what is its own has no imaginary part. */
static void mirror(alone *a, int first, int last) {
  for (int k = first; 2 * k <= last; k++) {
    if (2 * k == last)
      a->x[k].im = 0;
    else
      a->x[last - k] = conjugate(a, a->x[k]);
  }
}

/* In x, all inputs of the DFT. */
static void spread(alone *a, fg_codelet_kind kind, int sign) {
  int n = a->c->key.n;
  switch (kind) {
  case FG_CODELET_R2C_ODD:
    for (int k = 0; k < n; k++) multiply(a, &a->x[k], fg_gf_root(a->f, sign * k, 2 * (uint64_t)n));
    break;
  case FG_CODELET_C2R:
    a->x[0].im = 0;
    mirror(a, 1, n);
    break;
  case FG_CODELET_C2R_ODD: mirror(a, 0, n - 1); break;
  case FG_CODELET_C2R_COLUMN:
  case FG_CODELET_C2R_PAIR:
    for (int k = (n + 1) / 2; k < n; k++) a->x[k] = conjugate(a, a->x[k]);
    break;
  default: break;
  }
}

/* In y, the kind's results. */
static void gather(alone *a, fg_codelet_kind kind, int sign) {
  int n = a->c->key.n;
  switch (kind) {
  case FG_CODELET_C2R_ODD:
    for (int k = 0; k < n; k++) multiply(a, &a->y[k], fg_gf_root(a->f, sign * k, 2 * (uint64_t)n));
    break;
  case FG_CODELET_R2C_COLUMN:
  case FG_CODELET_R2C_PAIR:
    for (int k = (n + 1) / 2; k < n; k++) a->y[k] = conjugate(a, a->y[k]);
    break;
  case FG_CODELET_R2C_MIDDLE:
    for (int k = n; k >= (n + 1) / 2; k--) a->y[k] = conjugate(a, a->y[k - 1]);
    break;
  default: break;
  }
}

/* x to y. */
static fg_status transform(alone *a, fg_codelet_kind kind, int sign) {
  spread(a, kind, sign);
  fg_status status = fg_field_dft(a->cx, a->f, a->c->key.n, sign, a->x, a->y);
  if (status == FG_OK) gather(a, kind, sign);
  return status;
}

/* ---- convolutions ------------------------------------------------------------------------------ */

/* Result k by its factor, or the conjugate of one. */
static fg_gfc product(const alone *a, const fg_gf *inside, int k) {
  const fg_codelet_key *key = &a->c->key;
  int n = key->n;
  bool first = key->kind == FG_CODELET_CONVOLVE_FIRST, two = key->kind == FG_CODELET_CONVOLVE_TWO;
  int of = first && 2 * k > n ? n - k : k;
  fg_gfc factor = {inside[2 * of], inside[2 * of + 1]};
  if (first && (k == 0 || 2 * k == n)) factor.im = 0;
  if ((first && 2 * k > n) || (two && 2 * k >= n)) factor = conjugate(a, factor);
  return fg_gfc_mul(a->f, a->y[k], factor);
}

/* From results y by the factors inside, and back. */
static fg_status go_back(alone *a, form of, const fg_gf *inside) {
  const fg_codelet_key *key = &a->c->key;
  for (int k = 0; k < fg_codelet_output(of.there, key->n).elements; k++) a->x[k] = product(a, inside, k);
  fg_status status = transform(a, of.back, -key->sign);
  for (int k = 1; k < key->n && key->twiddle == FG_TW_IN; k++) {
    multiply(a, &a->y[k], conjugate(a, a->factor[k]));
    if (of.back == FG_CODELET_C2R_PAIR) a->y[k] = fg_gfc_add(a->f, a->y[k], a->y[k]); /* they are halved */
  }
  return status;
}

/* ---- a codelet ----------------------------------------------------------------------------------- */

/* Parts of n numbers: side by side, one kind after the other, or the real ones alone. */
static int slot_of(const alone *a, fg_codelet_kind two, fg_codelet_side side, int k, int part) {
  return a->c->key.kind == two ? k + part * a->c->key.n : side.real ? k : 2 * k + part;
}

static void load(alone *a, fg_codelet_side side) {
  bool two = a->c->key.kind == FG_CODELET_R2C_TWO;
  for (int k = 0; slot_of(a, FG_CODELET_R2C_TWO, side, k, 1) < a->c->nin; k++) {
    a->x[k].re = a->in[slot_of(a, FG_CODELET_R2C_TWO, side, k, 0)];
    a->x[k].im = side.real && !two ? 0 : a->in[slot_of(a, FG_CODELET_R2C_TWO, side, k, 1)];
  }
}

static bool agrees(const alone *a, fg_codelet_side side) {
  bool two = a->c->key.kind == FG_CODELET_C2R_TWO;
  for (int k = 0; slot_of(a, FG_CODELET_C2R_TWO, side, k, 1) < a->c->nout; k++) {
    if (a->got[slot_of(a, FG_CODELET_C2R_TWO, side, k, 0)] != a->y[k].re) return false;
    if ((two || !side.real) && a->got[slot_of(a, FG_CODELET_C2R_TWO, side, k, 1)] != a->y[k].im) return false;
  }
  return true;
}

static fg_status run_alone(alone *a, uint64_t *random, bool *right) {
  const fg_codelet_key *key = &a->c->key;
  fg_codelet_side from = fg_codelet_input(key->kind, key->n), to = fg_codelet_output(key->kind, key->n);
  form of = form_of(key->kind);
  bool before = is_before(key->twiddle);
  for (int i = 0; i < a->c->nin; i++) a->in[i] = 1 + fg_random_below(a->f->p - 1, random);
  int first = draw_factors(a, before ? from.elements : to.elements, random);
  load(a, from);
  if (of.there == FG_CODELET_R2C_PAIR) separate(a);
  for (int k = 0; k < from.elements && before; k++) multiply(a, &a->x[k], a->factor[k]);
  fg_status status = transform(a, of.there, key->sign);
  if (status == FG_OK && of.inside) status = go_back(a, of, a->tw + 2 * (ptrdiff_t)first);
  for (int k = 0; k < to.elements && key->twiddle && !before; k++) multiply(a, &a->y[k], a->factor[k]);
  if (of.back == FG_CODELET_C2R_PAIR) merge(a);
  if (status != FG_OK) return status;
  fg_codelet_eval_gf(a->c, a->f, a->in, a->tw, a->got, a->work);
  *right = agrees(a, to);
  return FG_OK;
}

static bool is_right(fg_context *cx, const fg_field *f, const fg_codelet *c, uint64_t *random) {
  fg_arena *m = cx->arena;
  bool right = false;
  if (!is_known(c)) return true;
  alone a = {.cx = cx, .f = f, .c = c, .in = fg_arena_new(m, fg_gf, c->nin), .tw = fg_arena_new(m, fg_gf, c->ntw + 1)};
  a.got = fg_arena_new(m, fg_gf, c->nout);
  a.work = fg_arena_new(m, fg_gf, c->nnode);
  a.x = fg_arena_new(m, fg_gfc, 6 * (c->key.n + 1));
  a.y = a.x + 2 * (c->key.n + 1);
  a.factor = a.y + 2 * (c->key.n + 1);
  return run_alone(&a, random, &right) == FG_OK && right;
}

bool fg_prove_codelets_known(const fg_program *p) {
  for (int k = 0; k < p->nkernel; k++)
    for (int s = 0; s < p->kernel[k]->nstage; s++)
      if (p->kernel[k]->stage[s].codelet && !is_known(p->kernel[k]->stage[s].codelet)) return false;
  return true;
}

bool fg_prove_codelets_alone(fg_context *cx, const fg_program *p, const fg_field *f, uint64_t seed, char failure[200]) {
  uint64_t random = seed ^ 0x616c6f6e65;
  for (int k = 0; k < p->nkernel; k++)
    for (int s = 0; s < p->kernel[k]->nstage; s++) {
      const fg_codelet *c = p->kernel[k]->stage[s].codelet;
      if (!c || fg_program_had_codelet(p, k, s) || is_right(cx, f, c, &random)) continue;
      snprintf(failure, 200, "kernel %.24s, stage %d: its codelet is not the DFT of %d points", p->kernel[k]->name, s,
               c->key.n);
      return false;
    }
  return true;
}
