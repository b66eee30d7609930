/* Codelets by themselves: right ones of all kinds that are checked so hold, with any factors; of random faults in
 * them all are found that change a result. */
#include "generator/prove/codelets_alone.h"
#include "tests/unit/codelets.h"
#include "tests/unit/mutate.h"
#include "tests/unit/pace.h"
#include <stdio.h>

enum { FAULTS = 6, LARGEST = 32 };

static const fg_twiddle TWIDDLES[] = {FG_TW_NONE, FG_TW_IN, FG_TW_OUT, FG_TW_IN_ALL, FG_TW_OUT_ALL, FG_TW_STEPS};

static bool takes(fg_codelet_kind kind, int n, fg_twiddle t) {
  if (t == FG_TW_STEPS) return kind == FG_CODELET_C2C && n >= 4 && (n & (n - 1)) == 0;
  if (fg_codelet_convolves(kind) && t > FG_TW_IN) return false;
  bool before = t == FG_TW_IN || t == FG_TW_IN_ALL;
  return t == FG_TW_NONE || (before ? fg_codelet_input(kind, n) : fg_codelet_output(kind, n)).twiddles;
}

/* A program of nothing but a codelet. */
typedef struct single {
  fg_program p;
  fg_kernel kernel, *at;
  fg_stage stage;
} single;

static fg_program *program_of(fg_context *cx, const fg_codelet *c) {
  single *s = fg_arena_new(cx->arena, single, 1);
  s->stage.codelet = c;
  s->kernel.stage = &s->stage;
  s->kernel.nstage = 1;
  s->at = &s->kernel;
  s->p.kernel = &s->at;
  s->p.nkernel = 1;
  return &s->p;
}

static const fg_codelet *codelet_of(const fg_program *p) { return p->kernel[0]->stage[0].codelet; }

static bool is_found_right(fg_context *cx, const fg_program *p, const fg_field *f) {
  char failure[200];
  return fg_prove_codelets_alone(cx, p, f, 3, failure);
}

static fg_gf *values_of(fg_context *cx, const fg_codelet *c, const fg_field *f) {
  fg_gf *in = fg_arena_new(cx->arena, fg_gf, c->nin), *tw = fg_arena_new(cx->arena, fg_gf, c->ntw + 1);
  fg_gf *out = fg_arena_new(cx->arena, fg_gf, c->nout);
  uint64_t random = 17;
  for (int i = 0; i < c->nin; i++) in[i] = fg_gf_random(&random);
  for (int i = 0; i < c->ntw; i++) tw[i] = fg_gf_random(&random);
  fg_codelet_eval_gf(c, f, in, tw, out, fg_arena_new(cx->arena, fg_gf, c->nnode));
  return out;
}

/* Faults whose constants are in no field of the codelet's order are left out. */
static int check_faults(fg_context *cx, const fg_program *p, const fg_field *f, uint64_t *random) {
  const fg_codelet *c = codelet_of(p);
  size_t size = sizeof(fg_gf) * (size_t)c->nout;
  int found = 0;
  for (int i = 0; i < FAULTS; i++) {
    char what[160] = "";
    const fg_program *mutant = mutate_program(cx, p, MUTATE_DAG, random, what);
    if (!mutant || f->order % fg_codelet_order(codelet_of(mutant))) continue;
    bool same = !memcmp(values_of(cx, c, f), values_of(cx, codelet_of(mutant), f), size);
    if (is_found_right(cx, mutant, f) != same)
      fail_msg("%s n=%d twiddle=%d: %s: %s", fg_codelet_kind_name(c->key.kind), c->key.n, (int)c->key.twiddle, what,
               same ? "found wrong" : "not found");
    found += !same;
  }
  return found;
}

static int check(fg_codelet_key key, uint64_t *random) {
  fg_context cx = begin();
  fg_field f;
  const fg_codelet *c = create(&cx, key);
  const fg_program *p = program_of(&cx, c);
  assert_int_equal(fg_field_create(&cx, 720720 * fg_codelet_order(c), fg_random(random), &f), FG_OK);
  if (!fg_prove_codelets_known(p)) fail_msg("%s n=%d is not known", fg_codelet_kind_name(key.kind), key.n);
  if (!is_found_right(&cx, p, &f))
    fail_msg("%s n=%d sign=%d twiddle=%d: found wrong", fg_codelet_kind_name(key.kind), key.n, key.sign,
             (int)key.twiddle);
  int found = check_faults(&cx, p, &f, random);
  fg_arena_destroy(cx.arena);
  return found;
}

static bool is_checked(fg_codelet_kind kind) {
  bool two = kind == FG_CODELET_R2C_TWO || kind == FG_CODELET_C2R_TWO;
  return kind <= FG_CODELET_C2R_PAIR || two ||
         (kind >= FG_CODELET_CONVOLVE && kind <= FG_CODELET_CONVOLVE_FIRST && kind != FG_CODELET_RADER);
}

static void faults_are_found(void **state) {
  (void)state;
  uint64_t random = 5 + (uint64_t)drawn_day();
  int found = 0, number = 0;
  for (int kind = 0; kind < FG_CODELET_KINDS; kind++)
    for (int n = fg_codelet_least((fg_codelet_kind)kind); n <= LARGEST; n += n < 16 ? 1 : 4)
      for (int i = 0; i < 6 && is_checked((fg_codelet_kind)kind); i++) {
        fg_codelet_key key = {.n = n, .sign = (n + i) % 2 ? 1 : -1, .twiddle = TWIDDLES[i]};
        key.kind = (fg_codelet_kind)kind;
        key.form = (fg_fma_form)(n / 2 % 2);
        if ((n % 2 && fg_codelet_even(key.kind)) || !takes(key.kind, n, key.twiddle)) continue;
        if (!is_left_out(number++, 5)) found += check(key, &random);
      }
  printf("  %d faults in %d codelets\n", found, number);
  assert_true(found > 3 * number / 5);
}

/* Fewer inputs, fewer results. */
static void parts_of_transforms_are_checked(void **state) {
  (void)state;
  uint64_t random = 5;
  assert_true(check((fg_codelet_key){.n = 12, .sign = -1, .inputs = 5, .twiddle = FG_TW_OUT}, &random) > 0);
  assert_true(check((fg_codelet_key){.n = 12, .sign = 1, .outputs = 7, .twiddle = FG_TW_IN}, &random) > 0);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(faults_are_found),
                                     cmocka_unit_test(parts_of_transforms_are_checked)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
