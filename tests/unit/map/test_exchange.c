/* Exchanges: which scopes, transports and signals fit together where, and that the verifier reads all of a program's.
 */
#include "generator/ir/exchange.h"
#include "tests/unit/offers.h"
#include "tests/unit/text_proof.h"

static const fg_mapping clusters = OF_THREADS(.local_bytes = 64 << 10, .cluster = 16);

/* Of all combinations these are possible: points as bits, from `before` to the buffer's. */
static void combinations(void **state) {
  (void)state;
  int possible = 0;
  for (int scope = 0; scope < FG_SCOPE_COUNT; scope++)
    for (int transport = 0; transport < FG_TRANSPORT_COUNT; transport++)
      for (int signal = 0; signal < FG_SIGNAL_KINDS; signal++)
        for (int point = 0; point < FG_EXCHANGE_POINTS; point++) {
          fg_exchange x = {(fg_scope)scope, (fg_transport)transport, (fg_signal)signal};
          const char *why = fg_exchange_wrong(x, (fg_exchange_point)point);
          if (scope == FG_SCOPE_RANK) assert_non_null(why ? strstr(why, "no transport for it yet") : NULL);
          possible += !why;
        }
  assert_int_equal(possible, 5 + 2 + 2 + 3 + 1 + 1 + 1 + 2 + 1 + 1 + 2 + 1);
}

static void must_be_refused(const fg_program *p, const char *wanted) {
  const char *why = "";
  if (fg_program_valid(p, &why)) fail_msg("accepted, where this was expected: %s", wanted);
  if (!strstr(why, wanted)) fail_msg("'%s' instead of '%s'", why, wanted);
}

static void the_verifier_reads_them(void **state) {
  (void)state;
  const char *why = "";
  fg_program *p = assembled_for("c2c f32 n=1024",
                                "four-step(stockham(8,4), stockham(8,4); cluster=4, separate_buffers=on)", &clusters);
  fg_kernel *k = p->kernel[0];
  int sends = 0;
  while (!fg_stage_sends(p, &k->stage[sends])) sends++;
  fg_stage *s = &k->stage[sends];
  fg_exchange *const of[] = {&s->exchange.before,
                             &s->exchange.between,
                             &s->exchange.after,
                             &s->exchange.offer,
                             &p->buffer[s->store.buffer].exchange,
                             &p->buffer[s->load.buffer].exchange,
                             &k->launch.offer};
  assert_true(fg_program_valid(p, &why));
  for (size_t i = 0; i < sizeof of / sizeof *of; i++) {
    fg_exchange was = *of[i];
    of[i]->scope = FG_SCOPE_RANK;
    must_be_refused(p, "an exchange between ranks: there is no transport for it yet");
    *of[i] = (fg_exchange){FG_SCOPE_LANE, FG_TRANSPORT_REMOTE, FG_SIGNAL_BARRIER};
    must_be_refused(p, "do not fit together");
    *of[i] =
        i ? (fg_exchange){FG_SCOPE_BLOCK, FG_TRANSPORT_ENGINE, FG_SIGNAL_COUNT} : fg_exchange_cluster(FG_SIGNAL_ARRIVE);
    must_be_refused(p, "a place where it has no meaning");
    *of[i] = was;
  }
  assert_true(fg_program_valid(p, &why));
  k->launch.cluster = 1;
  must_be_refused(p, "a cluster's exchange without a cluster");
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(combinations), cmocka_unit_test(the_verifier_reads_them)};
  return cmocka_run_group_tests(tests, setup_guarded, teardown);
}
