/* Packages: refused, or whole. What was read refers to nothing outside of it, and is
 * read as the same when it is written again. */
#include "runtime/store/package.h"
#include "tests/fuzz/fuzz.h"
#include <string.h>

static void expect_inside(const char *data, size_t size, const void *bytes, size_t length) {
  const char *at = bytes;
  fuzz_require(at >= data && (size_t)(at - data) < size && size - (size_t)(at - data) > length && !at[length]);
}

static void expect_whole(const fg_package *p, const char *data, size_t size) {
  const fg_artifact *a = &p->artifact;
  int places = 0;
  for (int i = 0; i < a->nbuffer; i++) {
    places += a->buffer[i].split ? 2 : 1;
    if (a->buffer[i].kind == FG_ARG_TABLE) expect_inside(data, size, a->buffer[i].content, a->buffer[i].bytes);
  }
  for (int i = 0; i < p->ncode; i++) expect_inside(data, size, p->code[i].bytes, p->code[i].size);
  for (int i = 0; i < a->nlaunch; i++)
    for (int k = 0; k < a->launch[i].narg; k++) {
      fg_launch_arg arg = a->launch[i].arg[k];
      fuzz_require(arg.index >= 0 && arg.index < (arg.is_param ? a->nparam : places));
    }
}

static fg_strbuf write(fg_context *cx, const fg_package *p) {
  fg_strbuf text = fg_strbuf_new(cx->arena);
  fg_package_write(cx, p, &text);
  return text;
}

static void body(fg_context *cx, const char *data, size_t size) {
  fg_package p, q;
  if (fg_package_read(cx, data, size, &p)) return;
  expect_whole(&p, data, size);
  for (int i = 0; i < p.ncode; i++) fuzz_require(fg_package_find(&p, p.code[i].form, p.code[i].fits));
  fg_strbuf first = write(cx, &p);
  fuzz_require(!fg_package_read(cx, first.text, first.length, &q));
  fg_strbuf second = write(cx, &q);
  fuzz_require(first.length == second.length && !memcmp(first.text, second.text, first.length));
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) { return fuzz_run(body, data, size); }
