/* Manifests of kernels and programs that launch them say what was proved: a planted mistake is refused. */
#include "generator/print/host_program.h"
#include "generator/prove/launching.h"
#include "tests/unit/compiled.h"
#include "tests/unit/launched.h"

/* What is said of the file with this ending, with `from` changed. */
static const char *said(const fg_compilation *c, const char *ending, const char *from, const char *to) {
  fg_emitted changed = c->emitted;
  char failure[256];
  fg_file *file = (fg_file *)fg_prove_file_of(&changed, ending);
  if (!file) fail_msg("%s: no file %s", c->request.problem, ending);
  file->text = text_with(context.arena, file->text, from, 1, to);
  bool host = !strncmp(ending, "_host.", 6);
  bool good = (host ? fg_prove_host_rows : fg_prove_manifest)(&context, c->chosen.program, &changed, failure);
  assert_true(good == !failure[0]);
  return fg_arena_strdup(context.arena, failure);
}

typedef struct mistake {
  const char *from, *to, *says;
} mistake;

static void must_be_found(const fg_compilation *c, const char *ending, const mistake *m) {
  const char *failure = said(c, ending, m->from, m->to);
  if (!strstr(failure, m->says))
    fail_msg("%s: '%s' for '%s' in %s: \"%s\" does not say \"%s\"", c->dialect->name, m->to, m->from, ending, failure,
             m->says);
}

#define ALL_FOUND(c, ending, list)                                                                                     \
  for (size_t i_ = 0; i_ < sizeof(list) / sizeof *(list); i_++) must_be_found(c, ending, &(list)[i_])

static void manifests_are_read(void **state) {
  (void)state;
  static const mistake mistakes[] = {
      {"\"threads\": 8", "\"threads\": 4", "threads"},
      {"{\"times\": 2}", "{\"times\": 3}", "blocks"},
      {"\"times\": 1, \"parameter\": \"count\"", "\"times\": 1", "blocks"},
      {", {\"times\": 1, \"parameter\": \"count\"}", "", "blocks"},
      {"\"local_bytes\": 400", "\"local_bytes\": 392", "memory"},
      {"\"cluster\": 2,", "", "attribute"},
      {"\"cluster\": 2,", "\"cluster\": 2, \"persistent\": true,", "attribute"},
      {"{\"slot\": 0}, {\"slot\": 1}", "{\"slot\": 1}, {\"slot\": 0}", "arguments"},
      {"{\"slot\": 4}", "{\"parameter\": 4}", "arguments"},
      {", {\"slot\": 4}", "", "arguments"},
      {"\"k_block\"", "\"k_blocks\"", "kernel"},
      {"\"bytes\": 33554432", "\"bytes\": 33554424", "size of array in"},
      {"\"kind\": \"in\"", "\"kind\": \"out\"", "array"},
      {"{\"name\": \"in\", \"kind\": \"in\", \"bytes\": 33554432},", "", "slots"},
      {"\"highest\": 65536", "\"highest\": 65537", "parameter"},
      {"\"rows\": 2, \"cols\": 8", "\"rows\": 8, \"cols\": 2", "table"},
      {"\"sign\": -1", "\"sign\": 1", "table"},
      {"\"order\": 64", "\"order\": 32", "table"},
      {"{\"slot\": 3, \"fill\"", "{\"slot\": 2, \"fill\"", "table"},
      {"\"fill\": \"doubling\"", "\"fill\": \"twiddle\"", "table"},
      {"\"layout\": \"interleaved\"", "\"layout\": \"split\"", "table"},
      {"\"shift\": 0", "\"shift\": 0, \"fold\": 4", "table"},
      {"\"source\": \"k.cu\"", "\"source\": \"k2.cu\"", "source"},
      {"c2c f32 n=64 ", "c2c f32 n=65 ", "problem"},
      {"\"threads\": 8", "\"threads\": 8, \"threads\": 4", "twice"},
      {"\"threads\": 8,", "\"threads\": 8", "no JSON"},
  };
  fg_compilation c;
  compiled_for("cuda", "c2c f32 n=64 batch=count[1..65536]", "four-step(stockham(4,2), stockham(4,2); cluster=2)", &c);
  assert_string_equal(said(&c, ".json", "\"threads\": 8", "\"threads\": 8"), "");
  ALL_FOUND(&c, ".json", mistakes);
}

/* The proof of a text has the memory of its largest launch: each must suffice for its own kernels. */
static void launches_suffice(void **state) {
  (void)state;
  fg_compilation c;
  char failure[256];
  compiled_for("cuda", "c2c f32 n=64 batch=count[1..65536]", "four-step(stockham(4,2), stockham(4,2); cluster=2)", &c);
  fg_launch *l = &c.emitted.artifact.launch[0];
  size_t had = l->local_bytes;
  l->local_bytes = 8;
  assert_false(fg_prove_manifest(&context, c.chosen.program, &c.emitted, failure));
  assert_non_null(strstr(failure, "too little memory"));
  l->local_bytes = had, l->threads *= 2;
  assert_false(fg_prove_manifest(&context, c.chosen.program, &c.emitted, failure));
  assert_non_null(strstr(failure, "number of threads"));
}

static void workspaces_are_read(void **state) {
  (void)state;
  const fg_dialect *d;
  for (int t = 0; (d = launched_dialect(t)); t++) {
    fg_compilation c;
    bool calls = launched_is(d, "opencl");
    compiled_for(d->name, "c2c f32 n=64 batch=3 layout=split place=in", "four-step(stockham(4,2), stockham(4,2))", &c);
    const mistake work[] = {{"\"kind\": \"work\", \"bytes\": 1536", "\"kind\": \"work\", \"bytes\": 1528", "work"},
                            {"\"data_re\"", "\"data_im\"", "data_re"}};
    const mistake rows[] = {{calls ? "{WORK, 1536" : "{WORK, 0, 1536", calls ? "{WORK, 768" : "{WORK, 0, 768", "work"},
                            {calls ? "{IN, 768, 768" : "{IN, 1, 768", calls ? "{IN, 768, 0" : "{IN, 0, 768", "data"}};
    ALL_FOUND(&c, ".json", work);
    ALL_FOUND(&c, fg_emit_host_ending(d), rows);
    fresh();
  }
}

static void host_rows_are_read(void **state) {
  (void)state;
  static const mistake driver[] = {
      {"k_block\", 8, 2, 400", "k_block\", 4, 2, 400", "launch"},
      {"k_block\", 8, 2, 400", "k_block\", 8, 1, 400", "launch"},
      {"k_block\", 8, 2, 400", "k_block\", 8, 2, 392", "launch"},
      {"5, {0, 1, 2, 3, 4}", "5, {1, 0, 2, 3, 4}", "launch"},
      {"5, {0, 1, 2, 3, 4}", "4, {0, 1, 2, 3, 4}", "launch"},
      {"5, {0, 1, 2, 3, 4}", "5, {0, 1, 2, 3, -1}", "launch"},
      {"{\"k_block\"", "{\"k_blocks\"", "launch"},
      {"2 * (size_t)parameters[0]", "(size_t)parameters[0]", "blocks"},
      {"2 * (size_t)parameters[0]", "2 * (size_t)((parameters[0] + 1) / 2)", "blocks"},
      {"2 * (size_t)parameters[0]", "2 * (size_t)parameters[1]", "blocks"},
      {"2 * (size_t)parameters[0]", "2 * n", "blocks"},
      {"  {IN, 0, 33554432, 0}, /* in */\n", "", "slot"},
      {"{OUT, 0, 33554432", "{IN, 0, 33554432", "slot"},
      {"{OUT, 0, 33554432", "{OUT, 0, 33554430", "slot"},
  };
  fg_compilation c;
  compiled_for("cuda", "c2c f32 n=64 batch=count[1..65536]", "four-step(stockham(4,2), stockham(4,2); cluster=2)", &c);
  assert_string_equal(said(&c, "_host.c", "/* in */", "/* in */"), "");
  ALL_FOUND(&c, "_host.c", driver);
}

static void calls_of_opencl_are_read(void **state) {
  (void)state;
  static const mistake calls[] = {
      {"\"k_block\", (size_t)((parameters[0] + 15) / 16), 64", "\"k_block\", (size_t)(parameters[0] / 16), 64",
       "blocks"},
      {" / 16), 64, (const", " / 16), 32, (const", "launch"},
      {"{0, 1, 2, -1}, 4)", "{1, 0, 2, -1}, 4)", "launch"},
      {"{0, 1, 2, -1}, 4)", "{0, 1, 2, -1}, 3)", "launch"},
      {"{0, 1, 2, -1}, 4);",
       "{0, 1, 2, -1}, 4);\n  launch(d, memory, \"k_block\", 1, 64, (const int[]){0, 1, 2, -1}, 4);", "launches"},
  };
  fg_compilation c;
  compiled_for("opencl", "c2c f32 n=16 batch=count[1..1000]", "stockham(4,4; group=16)", &c);
  assert_string_equal(said(&c, "_host.c", "launch(d, memory, ", "launch(d, memory, "), "");
  ALL_FOUND(&c, "_host.c", calls);
}

/* What is right passes: kernels of every kind of launch, table and parameter. */
static void right_ones_pass(void **state) {
  (void)state;
  static const char *const problems[][2] = {
      {"c2c f32 n=101", NULL},
      {"c2c f64 n=1009", NULL},
      {"c2c f32 n=2039 batch=count[1..9]", NULL},
      {"c2c f32 n=77 batch=a[1..9]:77:77xb[2..5]:1000:1000", NULL},
      {"c2c f32 n=256 batch=count[1..64]", "four-step(stockham(4,4), stockham(4,4); queue=8)"},
      {"r2c f32 n=4096 load=u8,window(hann) store=mag", NULL},
      {"c2r f64 n=360x24 place=in", NULL},
      {"dct4 f32 n=60 batch=7", NULL},
      {"conv f32 n=64 batch=5", NULL},
      {"c2c f16 n=1024", NULL},
      {"c2c f32 n=65536 layout=split", NULL},
      {"c2c f32 n=96x80x60", NULL},
  };
  const fg_dialect *d;
  for (int t = 0; (d = launched_dialect(t)); t++)
    for (size_t i = 0; i < sizeof problems / sizeof *problems; i++) {
      fg_compilation c;
      if (problems[i][1] && !launched_is(d, "cuda")) continue; /* plans of CUDA's */
      if (!launched_takes(d, problems[i][0])) continue;
      compiled_for(d->name, problems[i][0], problems[i][1], &c);
      assert_string_equal(said(&c, ".json", "{", "{"), "");
      fresh();
    }
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test_setup_teardown(manifests_are_read, setup, teardown),
                                     cmocka_unit_test_setup_teardown(launches_suffice, setup, teardown),
                                     cmocka_unit_test_setup_teardown(workspaces_are_read, setup, teardown),
                                     cmocka_unit_test_setup_teardown(host_rows_are_read, setup, teardown),
                                     cmocka_unit_test_setup_teardown(calls_of_opencl_are_read, setup, teardown),
                                     cmocka_unit_test_setup_teardown(right_ones_pass, setup, teardown)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
