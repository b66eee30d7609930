/* Packages: what is written is read back; cut off at any byte, or with any byte
 * changed, they are refused or still obey every limit that later code relies on. */
#include "generator/pipeline/pipeline.h"
#include "runtime/store/package.h"
#include "tuning/search/packing.h"
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static fg_package compile(fg_context *cx, const char *problem, const char *target) {
  fg_request request = {.problem = problem, .target = target};
  fg_compilation *c = fg_arena_new(cx->arena, fg_compilation, 1);
  fg_package p;
  if (fg_pipeline_compile(cx, &request, c) != FG_OK) fail_msg("%s", cx->diag.message);
  assert_int_equal(fg_packing_create(c, "a compiler", &p), FG_OK);
  return p;
}

static fg_strbuf write(fg_context *cx, const fg_package *p) {
  fg_strbuf text = fg_strbuf_new(cx->arena);
  fg_package_write(cx, p, &text);
  return text;
}

static void expect_same(const fg_package *a, const fg_package *b) {
  const fg_artifact *x = &a->artifact, *y = &b->artifact;
  assert_string_equal(a->problem, b->problem);
  assert_string_equal(a->plan, b->plan);
  assert_string_equal(a->generator, b->generator);
  assert_string_equal(a->compiler, b->compiler);
  assert_true(a->flops == b->flops && a->bytes == b->bytes);
  assert_string_equal(x->dialect, y->dialect);
  assert_string_equal(x->name, y->name);
  assert_true(x->nbuffer == y->nbuffer && x->nparam == y->nparam && x->nlaunch == y->nlaunch);
  for (int i = 0; i < x->nbuffer; i++) {
    const fg_arg_buffer *s = &x->buffer[i], *t = &y->buffer[i];
    assert_string_equal(s->name, t->name);
    assert_true(s->kind == t->kind && s->bytes == t->bytes && s->split == t->split);
    if (s->kind == FG_ARG_TABLE) assert_memory_equal(s->content, t->content, s->bytes);
  }
  for (int i = 0; i < x->nlaunch; i++) {
    const fg_launch *s = &x->launch[i], *t = &y->launch[i];
    assert_string_equal(s->entry, t->entry);
    assert_true(s->threads == t->threads && (s->cluster > 1 ? s->cluster : 1) == t->cluster &&
                s->persistent == t->persistent && s->bulk == t->bulk && s->balanced == t->balanced &&
                s->carveout == t->carveout && s->local_bytes == t->local_bytes && s->narg == t->narg);
    assert_int_equal(s->nblock_factor, t->nblock_factor);
    for (int k = 0; k < s->narg; k++)
      assert_true(s->arg[k].is_param == t->arg[k].is_param && s->arg[k].index == t->arg[k].index);
    for (int k = 0; k < s->nblock_factor; k++)
      assert_true(s->block_factor[k].n == t->block_factor[k].n &&
                  s->block_factor[k].param == t->block_factor[k].param &&
                  s->block_factor[k].div == t->block_factor[k].div);
  }
  assert_int_equal(a->ncode, b->ncode);
  for (int i = 0; i < a->ncode; i++) {
    assert_string_equal(a->code[i].form, b->code[i].form);
    assert_string_equal(a->code[i].fits, b->code[i].fits);
    assert_int_equal(a->code[i].size, b->code[i].size);
    assert_memory_equal(a->code[i].bytes, b->code[i].bytes, a->code[i].size);
    assert_int_equal(((const char *)b->code[i].bytes)[b->code[i].size], 0);
  }
}

/* A package is data: what its reader compiles, it compiles with no flag of the package's. */
static void test_flags_are_refused(void **state) {
  (void)state;
  fg_context cx = {.arena = fg_arena_create()};
  fg_package p = compile(&cx, "c2c f32 n=16", "opencl"), q;
  assert_string_equal(p.artifact.flags, "");
  p.artifact.flags = "-I /tmp";
  fg_strbuf text = write(&cx, &p);
  const char *why = fg_package_read(&cx, text.text, text.length, &q);
  assert_non_null(why);
  assert_non_null(strstr(why, "flags"));
  fg_arena_destroy(cx.arena);
}

static const char *const problems[] = {"c2c f32 n=64", "c2c f32 n=256 batch=count[1..1000]:4*pitch[128..4096]:256",
                                       "c2c f64 n=1009 batch=3 layout=split", "c2c f32 n=65536 place=in"};

static void read_back(void **state) {
  (void)state;
  static const char *const targets[] = {"opencl", "cuda"};
  for (size_t i = 0; i < sizeof problems / sizeof *problems; i++)
    for (int t = 0; t < 2; t++) {
      fg_context cx = {.arena = fg_arena_create()};
      fg_package p = compile(&cx, problems[i], targets[t]), q;
      if (t)
        p.artifact.launch[0].cluster = 16, p.artifact.launch[0].persistent = p.artifact.launch[0].bulk = true,
        p.artifact.launch[0].balanced = true, p.artifact.launch[0].carveout = 57;
      fg_package_add(&p, &(fg_package_code){"cubin", "sm_90", "\0\1\2", 3});
      fg_package_add(&p, &(fg_package_code){"binary", "a \"device\"\\", "", 0});
      fg_strbuf text = write(&cx, &p);
      const char *wrong = fg_package_read(&cx, text.text, text.length, &q);
      if (wrong) fail_msg("%s for %s: %s", problems[i], targets[t], wrong);
      expect_same(&p, &q);
      assert_non_null(fg_package_find(&q, "cubin", "sm_90"));
      assert_null(fg_package_find(&q, "cubin", "sm_80"));
      fg_arena_destroy(cx.arena);
    }
}

/* Of what is read again, each member that a launch or an array has. */
static void differences_are_seen(void **state) {
  (void)state;
  fg_context cx = {.arena = fg_arena_create()};
  fg_package p = compile(&cx, problems[1], "cuda"), q;
  fg_strbuf text = fg_strbuf_new(cx.arena);
  assert_int_equal(fg_packing_write(&cx, &p, &text), FG_OK);
  assert_null(fg_package_read(&cx, text.text, text.length, &q));
  assert_true(fg_packing_is_same(&p, &q));
  fg_launch *l = &q.artifact.launch[0];
  int *const members[] = {&l->threads,
                          &l->cluster,
                          &l->carveout,
                          &l->narg,
                          &l->nblock_factor,
                          &l->arg[0].index,
                          &l->block_factor[0].param,
                          &q.artifact.nbuffer,
                          &q.artifact.nparam,
                          &q.artifact.nlaunch};
  for (size_t i = 0; i < sizeof members / sizeof *members; i++) {
    *members[i] += 2;
    if (fg_packing_is_same(&p, &q)) fail_msg("member %zu: another number is not seen", i);
    *members[i] -= 2;
  }
  bool *const truths[] = {&l->persistent, &l->bulk, &l->balanced, &l->arg[0].is_param, &q.artifact.buffer[0].split};
  for (size_t i = 0; i < sizeof truths / sizeof *truths; i++) {
    *truths[i] = !*truths[i];
    if (fg_packing_is_same(&p, &q)) fail_msg("truth %zu: another one is not seen", i);
    *truths[i] = !*truths[i];
  }
  l->local_bytes -= 8;
  assert_false(fg_packing_is_same(&p, &q));
  l->local_bytes += 8, q.artifact.buffer[1].bytes -= 8;
  assert_false(fg_packing_is_same(&p, &q));
  q.artifact.buffer[1].bytes += 8, q.problem = "c2c f32 n=65";
  assert_false(fg_packing_is_same(&p, &q));
  fg_arena_destroy(cx.arena);
}

static void cut_off(void **state) {
  (void)state;
  fg_context cx = {.arena = fg_arena_create()};
  fg_package p = compile(&cx, problems[0], "opencl"), q;
  p.code[0].size = 100;
  fg_strbuf text = write(&cx, &p);
  for (size_t length = 0; length < text.length; length++) {
    fg_context own = {.arena = fg_arena_create()};
    char *bytes = malloc(length + 1); /* of this size, so that reading beyond is seen */
    memcpy(bytes, text.text, length);
    bytes = realloc(bytes, length ? length : 1);
    if (!fg_package_read(&own, bytes, length, &q)) fail_msg("%zu of %zu bytes are taken for all", length, text.length);
    free(bytes);
    fg_arena_destroy(own.arena);
  }
  fg_arena_destroy(cx.arena);
}

/* What is taken nevertheless stays within its bounds. */
static void expect_sound(const fg_package *p, const char *bytes, size_t size) {
  int places = 0;
  for (int i = 0; i < p->artifact.nbuffer; i++) {
    const fg_arg_buffer *b = &p->artifact.buffer[i];
    places += b->split ? 2 : 1;
    const char *at = b->content;
    if (b->kind == FG_ARG_TABLE) assert_true(at >= bytes && b->bytes < size && at + b->bytes < bytes + size);
  }
  for (int i = 0; i < p->artifact.nlaunch; i++)
    for (int k = 0; k < p->artifact.launch[i].narg; k++) {
      fg_launch_arg arg = p->artifact.launch[i].arg[k];
      assert_true(arg.index >= 0 && arg.index < (arg.is_param ? p->artifact.nparam : places));
    }
  for (int i = 0; i < p->ncode; i++) {
    const char *at = p->code[i].bytes;
    assert_true(at >= bytes && p->code[i].size < size && at + p->code[i].size < bytes + size);
  }
}

static void changed(void **state) {
  (void)state;
  fg_context cx = {.arena = fg_arena_create()};
  fg_package p = compile(&cx, problems[1], "cuda"), q;
  p.code[0].size = 50;
  fg_strbuf text = write(&cx, &p);
  const char *end = strstr(text.text, "\n\n");
  size_t head = (size_t)(end - text.text) + 2;
  uint64_t random = 1;
  char *bytes = malloc(text.length);
  int taken = 0, refused = 0;
  for (int i = 0; i < 20000; i++) {
    static const char likely[] = "0123456789-,\"{}:bp\n ";
    fg_context own = {.arena = fg_arena_create()};
    memcpy(bytes, text.text, text.length);
    for (int k = 0; k <= i % 3; k++) {
      random = random * 6364136223846793005u + 1442695040888963407u;
      char byte = i % 2 ? likely[random >> 40 & 15] : (char)(random >> 40);
      bytes[(random >> 24) % head] = byte;
    }
    if (fg_package_read(&own, bytes, text.length, &q))
      refused++;
    else
      taken++, expect_sound(&q, bytes, text.length);
    fg_arena_destroy(own.arena);
  }
  assert_true(refused > 2000 && taken > 200); /* both branches were taken */
  free(bytes);
  fg_arena_destroy(cx.arena);
}

static void targets_that_do_not_launch(void **state) {
  (void)state;
  fg_context cx = {.arena = fg_arena_create()};
  fg_request request = {.problem = problems[0], .target = "c", .isa = "scalar"};
  fg_compilation c;
  fg_package p;
  assert_int_equal(fg_pipeline_compile(&cx, &request, &c), FG_OK);
  assert_int_equal(fg_packing_create(&c, NULL, &p), FG_EUSER);
  fg_arena_destroy(cx.arena);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(test_flags_are_refused),
                                     cmocka_unit_test(read_back),
                                     cmocka_unit_test(differences_are_seen),
                                     cmocka_unit_test(cut_off),
                                     cmocka_unit_test(changed),
                                     cmocka_unit_test(targets_that_do_not_launch)};
  return cmocka_run_group_tests_name("package", tests, NULL, NULL);
}
