/* Codelets by themselves. In: a program whose walk has few nonzero inputs. Out: whether its codelets are the
 * transforms of their kinds.
 *
 * The idea: if most inputs are zero, some slots of a codelet may hold nothing else, and faults in their use would
 * not be found. So each codelet runs once on nonzero numbers, and is compared with the DFT of its length, whose
 * factors are applied before or after it. This is done for the kinds c2c, r2c without factors, r2c-column and
 * r2c-middle; other kinds are checked by the walk alone. */
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

static bool is_plain(const fg_codelet *c) {
  const fg_codelet_key *key = &c->key;
  bool kind = key->kind == FG_CODELET_C2C || key->kind == FG_CODELET_R2C_COLUMN || key->kind == FG_CODELET_R2C_MIDDLE ||
              (key->kind == FG_CODELET_R2C && key->twiddle == FG_TW_NONE);
  return kind && !key->inputs && !key->outputs && key->twiddle != FG_TW_STEPS;
}

static bool agrees(const alone *a) {
  const fg_codelet_key *key = &a->c->key;
  for (int k = 0; k < a->c->nout / 2; k++) {
    bool upper = key->kind != FG_CODELET_C2C && k >= (key->n + 1) / 2, twice = key->kind == FG_CODELET_R2C_MIDDLE;
    int result = upper && twice ? k - 1 : k;
    fg_gfc y = times_factor(a, false, result, a->y[result]);
    if (upper && (twice || key->kind == FG_CODELET_R2C_COLUMN)) y.im = fg_gf_neg(a->f, y.im);
    if (a->got[2 * k] != y.re || a->got[2 * k + 1] != y.im) return false;
  }
  return true;
}

static fg_status run_alone(alone *a, uint64_t *random, bool *right) {
  const fg_codelet_key *key = &a->c->key;
  bool real = key->kind == FG_CODELET_R2C;
  for (int i = 0; i < a->c->nin; i++) a->in[i] = 1 + fg_random_below(a->f->p - 1, random);
  for (int i = 0; i < a->c->ntw; i++) a->tw[i] = 1 + fg_random_below(a->f->p - 1, random);
  for (int k = 0; k < key->n; k++) {
    fg_gfc x = real ? (fg_gfc){a->in[k], 0} : (fg_gfc){a->in[2 * k], a->in[2 * k + 1]};
    a->x[k] = times_factor(a, true, k, x);
  }
  fg_status status = fg_field_dft(a->cx, a->f, key->n, key->sign, a->x, a->y);
  if (status != FG_OK) return status;
  fg_codelet_eval_gf(a->c, a->f, a->in, a->tw, a->got, a->work);
  *right = agrees(a);
  return FG_OK;
}

static bool is_right(fg_context *cx, const fg_field *f, const fg_codelet *c, uint64_t *random) {
  fg_arena *m = cx->arena;
  bool right = true;
  if (!is_plain(c) || f->order % fg_field_dft_order(c->key.n)) return true;
  alone a = {.cx = cx, .f = f, .c = c, .in = fg_arena_new(m, fg_gf, c->nin), .tw = fg_arena_new(m, fg_gf, c->ntw + 1)};
  a.got = fg_arena_new(m, fg_gf, c->nout);
  a.work = fg_arena_new(m, fg_gf, c->nnode);
  a.x = fg_arena_new(m, fg_gfc, 2 * c->key.n);
  a.y = a.x + c->key.n;
  return run_alone(&a, random, &right) != FG_OK || right;
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
