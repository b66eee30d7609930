/* A file of wisdom: no line is lost or doubled; an entry that is read is one that
 * can be written, and is then read as the same; joining and reducing keep the best. */
#include "runtime/store/wisdom.h"
#include "tests/fuzz/fuzz.h"
#include <string.h>

enum { MEMORY_PER_BYTE = 512, MEMORY = 1 << 14 };

static void expect_same(const fg_wisdom_entry *a, const fg_wisdom_entry *b) {
  fuzz_require(!strcmp(a->device, b->device) && !strcmp(a->problem, b->problem) && !strcmp(a->target, b->target));
  fuzz_require(!strcmp(a->plan, b->plan) && !strcmp(a->isa, b->isa) && !strcmp(a->compiler, b->compiler));
  fuzz_require(!strcmp(a->kind, b->kind) && !strcmp(a->flags, b->flags) && !strcmp(a->generator, b->generator));
  fuzz_require(a->final == b->final && a->ns > 0 && b->ns > 0);
}

static void write_again(fg_context *cx, const fg_wisdom_entry *e) {
  fg_wisdom w;
  const char *line = fg_wisdom_print(cx, e);
  fg_wisdom_parse(cx, "again", line, strlen(line), (fg_wisdom_warn){0}, &w);
  fuzz_require(w.count == 1 && w.line[0].kind == FG_WISDOM_GOOD);
  expect_same(e, &w.line[0].entry);
}

static void count_warning(void *context, const char *message) {
  fuzz_require(message[0]);
  ++*(int *)context;
}

static void body(fg_context *cx, const char *data, size_t size) {
  fg_wisdom w, more;
  int warnings = 0, damaged = 0, newer = 0;
  fg_wisdom_parse(cx, "input", data, size, (fg_wisdom_warn){count_warning, &warnings}, &w);
  fuzz_require(fg_arena_used(cx->arena) < MEMORY_PER_BYTE * size + MEMORY);
  for (int i = 0; i < w.count; i++) {
    const fg_wisdom_line *l = &w.line[i];
    fuzz_require(l->text >= data && l->text + l->bytes <= data + size);
    fuzz_require(!i || l->text >= w.line[i - 1].text + w.line[i - 1].bytes);
    damaged += l->kind == FG_WISDOM_DAMAGED;
    newer += l->kind == FG_WISDOM_NEWER;
    if (l->kind == FG_WISDOM_GOOD) write_again(cx, &l->entry);
  }
  fuzz_require(damaged == w.damaged && newer == w.newer && warnings == damaged + newer);
  fg_wisdom_parse(cx, "input", data, size, (fg_wisdom_warn){0}, &more);
  fg_wisdom_join(cx, &w, &more);
  fuzz_require(w.count == 2 * more.count);
  fg_wisdom_reduce(cx, &w, fuzz_choice(data, size) % 2);
  for (int i = 0; i < more.count; i++)
    if (more.line[i].kind == FG_WISDOM_GOOD) fuzz_require(fg_wisdom_best(&w, &more.line[i].entry));
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) { return fuzz_run(body, data, size); }
