/* Codelets by themselves. In: a program whose walk has few nonzero inputs. Out: whether its codelets are the
 * transforms of their kinds.
 *
 * The idea: if most inputs are zero, some slots of a codelet may hold nothing else, and faults in their use would
 * not be found. So each codelet runs once on nonzero numbers, and is compared with the DFT of its length, whose
 * factors are applied before or after it. This is done for the kinds c2c, r2c and c2r without factors, their columns
 * and middles, and convolve; other kinds are checked by the walk alone. */
#include "generator/prove/codelets_alone.h"
#include <stdio.h>

typedef struct alone { /* one codelet over a field */
  fg_context *cx;
  const fg_field *f;
  const fg_codelet *c;
  fg_gf *in, *tw, *got, *work;
  fg_gfc *x, *y; /* of the DFT, by its definition */
} alone;

static bool has_factor(const fg_codelet_key *key, bool before, int k) {
  if (key->twiddle == FG_TW_IN || key->twiddle == FG_TW_OUT) return k && (key->twiddle == FG_TW_IN) == before;
  return key->twiddle == (before ? FG_TW_IN_ALL : FG_TW_OUT_ALL);
}

static fg_gfc times_factor(const alone *a, bool before, int k, fg_gfc x) {
  const fg_codelet_key *key = &a->c->key;
  if (!has_factor(key, before, k)) return x;
  int slot = 2 * (key->twiddle == FG_TW_IN || key->twiddle == FG_TW_OUT ? k - 1 : k);
  return fg_gfc_mul(a->f, x, (fg_gfc){a->tw[slot], a->tw[slot + 1]});
}

static bool is_one_of(fg_codelet_kind kind, const fg_codelet_kind *of, int count) {
  for (int i = 0; i < count; i++)
    if (kind == of[i]) return true;
  return false;
}

static bool is_plain(const fg_codelet *c) {
  static const fg_codelet_kind any[] = {FG_CODELET_C2C, FG_CODELET_R2C_COLUMN, FG_CODELET_R2C_MIDDLE,
                                        FG_CODELET_C2R_COLUMN, FG_CODELET_C2R_PAIR};
  static const fg_codelet_kind bare[] = {FG_CODELET_R2C, FG_CODELET_C2R, FG_CODELET_C2R_ODD};
  const fg_codelet_key *key = &c->key;
  bool kind = is_one_of(key->kind, any, 5) || (is_one_of(key->kind, bare, 3) && key->twiddle == FG_TW_NONE) ||
              (key->kind == FG_CODELET_CONVOLVE && (key->twiddle == FG_TW_NONE || key->twiddle == FG_TW_IN));
  return kind && !key->inputs && !key->outputs && key->twiddle != FG_TW_STEPS;
}

static bool has_real_results(const fg_codelet_key *key) {
  return key->kind == FG_CODELET_C2R || key->kind == FG_CODELET_C2R_ODD;
}

static fg_gfc conjugate(const alone *a, fg_gfc x) { return (fg_gfc){x.re, fg_gf_neg(a->f, x.im)}; }

/* Element k of the DFT's inputs; of half of them, the others are conjugates. */
static fg_gfc input_at(const alone *a, int k) {
  const fg_codelet_key *key = &a->c->key;
  int n = key->n, mirror = key->kind == FG_CODELET_C2R_ODD ? n - 1 - k : (n - k) % n;
  if (key->kind == FG_CODELET_R2C) return (fg_gfc){a->in[k], 0};
  if (has_real_results(key) && mirror == k) return (fg_gfc){a->in[2 * k], 0};
  if (has_real_results(key) && mirror < k) return conjugate(a, input_at(a, mirror));
  fg_gfc x = {a->in[2 * k], a->in[2 * k + 1]};
  bool column = key->kind == FG_CODELET_C2R_COLUMN || key->kind == FG_CODELET_C2R_PAIR;
  return column && k >= (n + 1) / 2 ? conjugate(a, x) : x;
}

/* Result k. */
static fg_gfc result_at(const alone *a, int k) {
  const fg_codelet_key *key = &a->c->key;
  fg_gfc y = times_factor(a, false, k, a->y[k]);
  if (key->kind == FG_CODELET_C2R_ODD) y = fg_gfc_mul(a->f, y, fg_gf_root(a->f, key->sign * k, 2 * key->n));
  if (key->kind == FG_CODELET_CONVOLVE && k && key->twiddle == FG_TW_IN)
    y = fg_gfc_mul(a->f, y, conjugate(a, (fg_gfc){a->tw[2 * k - 2], a->tw[2 * k - 1]}));
  return y;
}

/* Element k of the results: of a pair two of them, of both columns. */
static fg_gfc element_at(const alone *a, int k) {
  const fg_codelet_key *key = &a->c->key;
  bool half = key->kind == FG_CODELET_R2C_COLUMN || key->kind == FG_CODELET_R2C_MIDDLE;
  if (key->kind == FG_CODELET_C2R_PAIR) {
    bool other = k >= key->n / 2;
    int first = 2 * k - (other ? key->n : 0);
    fg_gfc x = result_at(a, first), y = result_at(a, first + 1);
    if (other) x = conjugate(a, x), y = conjugate(a, y);
    return (fg_gfc){fg_gf_sub(a->f, x.re, y.im), fg_gf_add(a->f, x.im, y.re)};
  }
  if (!half || k < (key->n + 1) / 2) return result_at(a, k);
  return conjugate(a, result_at(a, key->kind == FG_CODELET_R2C_MIDDLE ? k - 1 : k));
}

static bool agrees(const alone *a) {
  const fg_codelet_key *key = &a->c->key;
  for (int k = 0; k < a->c->nout && has_real_results(key); k++)
    if (a->got[k] != result_at(a, k).re) return false;
  for (int k = 0; k < a->c->nout / 2 && !has_real_results(key); k++) {
    fg_gfc y = element_at(a, k);
    if (a->got[2 * k] != y.re || a->got[2 * k + 1] != y.im) return false;
  }
  return true;
}

/* Times the factors inside, and back. */
static fg_status go_back(alone *a) {
  const fg_codelet_key *key = &a->c->key;
  const fg_gf *factor = a->tw + (key->twiddle == FG_TW_IN ? 2 * key->n - 2 : 0);
  for (int k = 0; k < key->n; k++) a->x[k] = fg_gfc_mul(a->f, a->y[k], (fg_gfc){factor[2 * k], factor[2 * k + 1]});
  return fg_field_dft(a->cx, a->f, key->n, -key->sign, a->x, a->y);
}

static fg_status run_alone(alone *a, uint64_t *random, bool *right) {
  const fg_codelet_key *key = &a->c->key;
  for (int i = 0; i < a->c->nin; i++) a->in[i] = 1 + fg_random_below(a->f->p - 1, random);
  for (int i = 0; i < a->c->ntw; i++) a->tw[i] = 1 + fg_random_below(a->f->p - 1, random);
  for (int k = 0; k < key->n; k++) a->x[k] = times_factor(a, true, k, input_at(a, k));
  fg_status status = fg_field_dft(a->cx, a->f, key->n, key->sign, a->x, a->y);
  if (status == FG_OK && key->kind == FG_CODELET_CONVOLVE) status = go_back(a);
  if (status != FG_OK) return status;
  fg_codelet_eval_gf(a->c, a->f, a->in, a->tw, a->got, a->work);
  *right = agrees(a);
  return FG_OK;
}

static bool is_right(fg_context *cx, const fg_field *f, const fg_codelet *c, uint64_t *random) {
  fg_arena *m = cx->arena;
  bool right = true;
  if (!is_plain(c) || f->order % fg_field_dft_order(c->key.n) || f->order % (2 * (uint64_t)c->key.n)) return true;
  alone a = {.cx = cx, .f = f, .c = c, .in = fg_arena_new(m, fg_gf, c->nin), .tw = fg_arena_new(m, fg_gf, c->ntw + 1)};
  a.got = fg_arena_new(m, fg_gf, c->nout);
  a.work = fg_arena_new(m, fg_gf, c->nnode);
  a.x = fg_arena_new(m, fg_gfc, 2 * c->key.n);
  a.y = a.x + c->key.n;
  return run_alone(&a, random, &right) != FG_OK || right;
}

bool fg_prove_codelets_known(const fg_program *p) {
  for (int k = 0; k < p->nkernel; k++)
    for (int s = 0; s < p->kernel[k]->nstage; s++)
      if (p->kernel[k]->stage[s].codelet && !is_plain(p->kernel[k]->stage[s].codelet)) return false;
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
