/* Kernels that are told their thread, their block and their LOCAL memory by arguments: each must be there, and numbers
 * of arguments in order. Of every language that has such arguments. */
#include "tests/unit/compiled.h"
#include "tests/unit/launched.h"

static const char problem[] = "c2c f32 n=64 batch=count[1..9]", plan[] = "stockham(8,8)";

static void must_be_found(const fg_compilation *c, const char *from, int number, const char *to) {
  const char *source = c->emitted.artifact.source;
  if (!strstr(source, from)) fail_msg("%s: no '%s'", c->dialect->name, from);
  const char *changed = text_with(context.arena, source, from, number, to);
  if (!failure_with(c, changed)[0]) fail_msg("%s: '%s' for '%s' is not found", c->dialect->name, to, from);
}

/* "%v [[buffer(%i)]]" of argument i, from its name on. */
static const char *numbered(const char *form, const char *name, int i) {
  const char *tail = strstr(form, "%v") + 2, *at = strstr(tail, "%i");
  return fg_arena_printf(context.arena, "%s%.*s%d%s", name, (int)(at - tail), tail, i, at + 2);
}

static void numbers_of_arguments_are_read(void **state) {
  (void)state;
  const fg_dialect *d;
  for (int t = 0; (d = launched_dialect(t)); t++) {
    fg_compilation c;
    if (!d->arguments || !strstr(d->arguments->array, "%i")) continue;
    compiled_for(d->name, problem, plan, &c);
    must_be_found(&c, numbered(d->arguments->array, "in", 0), 1, numbered(d->arguments->array, "in", 1));
    must_be_found(&c, numbered(d->arguments->array, "tw0", 2), 1, "tw0");
    must_be_found(&c, numbered(d->arguments->number, "p_count", 3), 1, numbered(d->arguments->number, "p_count", 4));
    fresh();
  }
}

static int count_of(const fg_compilation *c, const char *text) {
  int count = 0;
  for (const char *at = c->emitted.artifact.source; (at = strstr(at, text)); at++) count++;
  return count;
}

static void own_arguments_are_needed(void **state) {
  (void)state;
  const fg_dialect *d;
  for (int t = 0; (d = launched_dialect(t)); t++) {
    fg_compilation c;
    if (!d->arguments) continue;
    compiled_for(d->name, problem, plan, &c);
    const char *given = fg_arena_printf(context.arena, ", %s)", d->arguments->given);
    must_be_found(&c, fg_arena_printf(context.arena, ", %s", d->arguments->stage), 1, "");
    must_be_found(&c, given, 1, ")");
    must_be_found(&c, given, 2, ")");
    must_be_found(&c, d->arguments->own, count_of(&c, d->arguments->own), "const int other");
    fresh();
  }
}

/* Arrays of a block that begin elsewhere, or are of another type or size. */
static void memory_of_blocks_is_read(void **state) {
  (void)state;
  const fg_dialect *d;
  for (int t = 0; (d = launched_dialect(t)); t++) {
    fg_compilation c;
    if (!d->arguments) continue;
    compiled_for(d->name, "c2c f32 n=1024", "stockham(16,8,8)", &c);
    if (d->arguments->local)
      must_be_found(&c, "local + 0", 1, "local - 2");
    else
      must_be_found(&c, "work0[", 1, "work0[8 + -");
    must_be_found(&c, d->barrier_block, 1, "");
    must_be_found(&c, d->barrier_block, 2, "");
    fresh();
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test_setup_teardown(numbers_of_arguments_are_read, setup, teardown),
      cmocka_unit_test_setup_teardown(own_arguments_are_needed, setup, teardown),
      cmocka_unit_test_setup_teardown(memory_of_blocks_is_read, setup, teardown),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
