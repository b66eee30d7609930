/* A cache somebody wrote into: the input's first line is the file in index/ that
 * answers a request, the rest is the object that is named 0a. What is found has the
 * sum that was noted; a new object takes the place of whatever was there. */
#include "runtime/store/cache.h"
#include "runtime/store/hash.h"
#include "tests/fuzz/fuzz.h"
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static const char key[] = "c2c f32 n=4";

static void write_own(const char *path, const char *data, size_t size) {
  fuzz_write(path, data, size);
  fuzz_require(chmod(path, 0600) == 0);
}

static void expect_object(int fd, const char *data, size_t size) {
  struct stat st;
  char *bytes = malloc(size + 1);
  fuzz_require(bytes && fstat(fd, &st) == 0 && (size_t)st.st_size == size);
  fuzz_require(pread(fd, bytes, size + 1, 0) == (ssize_t)size);
  fuzz_require(!memcmp(bytes, data, size));
  free(bytes);
}

static void put(fg_context *cx, const fg_cache *c) {
  static const char object[] = "a new object";
  fg_cache_object found;
  const char *made = fg_cache_temporary(cx, c), *place;
  write_own(made, object, sizeof object);
  fg_cache_item item = {.key = key, .address = "0b", .made = made};
  fuzz_require(fg_cache_put(cx, c, &item, &place) == FG_OK);
  fuzz_require(fg_cache_find(cx, c, key, &found) == FG_OK);
  expect_object(found.fd, object, sizeof object);
  fg_cache_close(&found);
}

static void body(fg_context *cx, const char *data, size_t size) {
  fg_cache c = {.suffix = ".so"};
  fg_cache_object found;
  char name[FG_HASH_TEXT];
  const char *end = size ? memchr(data, '\n', size) : NULL;
  size_t line = end ? (size_t)(end - data) + 1 : size;
  fuzz_require(fg_cache_open(cx, fuzz_folder(), &c) == FG_OK && c.writable);
  fg_hash_text(fg_hash_add(fg_hash_begin(), key, strlen(key)), name);
  write_own(fg_arena_printf(cx->arena, "%s/index/%s", c.folder, name), data, line);
  write_own(fg_arena_printf(cx->arena, "%s/objects/0a.so", c.folder), data + line, size - line);
  if (fg_cache_find(cx, &c, key, &found) == FG_OK) {
    expect_object(found.fd, data + line, size - line);
    fg_cache_close(&found);
  }
  fuzz_require(found.fd < 0);
  put(cx, &c);
  fg_cache_trim(cx, &c, 1);
  fuzz_require(fg_cache_find(cx, &c, key, &found) == FG_ENA);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) { return fuzz_run(body, data, size); }
