/* See fuzz.h. */
#include "tests/fuzz/fuzz.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void fuzz_fail(const char *file, int line, const char *what) {
  fprintf(stderr, "%s:%d: this does not hold: %s\n", file, line, what);
  abort();
}

int fuzz_run(fuzz_body *body, const uint8_t *data, size_t size) {
  setenv("FG_ARENA_MALLOC", "1", 1);
  fg_context cx = {.arena = fg_arena_create()};
  if (!cx.arena) return 0;
  if (!fg_arena_guard(cx.arena)) body(&cx, size ? (const char *)data : "", size);
  fg_arena_destroy(cx.arena);
  return 0;
}

char *fuzz_text(fg_context *cx, const char *data, size_t size) {
  char *text = fg_arena_alloc(cx->arena, size + 1);
  if (size) memcpy(text, data, size);
  return text;
}

unsigned fuzz_choice(const char *data, size_t size) {
  unsigned sum = 0;
  for (size_t i = 0; i < size; i++) sum += (unsigned char)data[i];
  return sum;
}

static char folder[64];

static void remove_folder(void) {
  char command[sizeof folder + 16];
  snprintf(command, sizeof command, "rm -rf %s", folder);
  if (system(command) != 0) fprintf(stderr, "%s cannot be removed\n", folder);
}

const char *fuzz_folder(void) {
  if (folder[0]) return folder;
  strcpy(folder, "/tmp/fftgen-fuzz-XXXXXX");
  fuzz_require(mkdtemp(folder));
  atexit(remove_folder);
  return folder;
}

void fuzz_write(const char *path, const char *data, size_t size) {
  FILE *f = fopen(path, "wb");
  fuzz_require(f);
  fuzz_require(fwrite(data, 1, size, f) == size);
  fuzz_require(fclose(f) == 0);
}
