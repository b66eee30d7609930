/* A pack in one archive: its headers, its index, and the file that the index names.
 * Sums of headers and the check of the index are made right first, as no chance does; where a sum or the check begins
 * with x, it stays. */
#include "runtime/store/pack.h"
#include "runtime/store/archive.h"
#include "runtime/store/package.h"
#include "tests/fuzz/fuzz.h"
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { SIZE_AT = 124, SUM_AT = 148, SUM = 8, MAGIC_AT = 257, MEMORY_PER_BYTE = 512, MEMORY = 1 << 20 };

static void mend_sums(char *bytes, size_t size) {
  for (; size >= FG_ARCHIVE_BLOCK; bytes += FG_ARCHIVE_BLOCK, size -= FG_ARCHIVE_BLOCK) {
    if (memcmp(bytes + MAGIC_AT, "ustar", 5) || bytes[SUM_AT] == 'x') continue;
    unsigned sum = 0;
    memset(bytes + SUM_AT, ' ', SUM);
    for (int i = 0; i < FG_ARCHIVE_BLOCK; i++) sum += (unsigned char)bytes[i];
    snprintf(bytes + SUM_AT, SUM, "%06o", sum);
  }
}

/* The last line of an index that is so long as one with a check. */
static void mend_check(fg_context *cx, char *index, size_t bytes) {
  static const char head[] = "{\"fftgen_pack\":1,\"check\":\"";
  fg_strbuf text = fg_strbuf_new(cx->arena);
  fg_pack_seal(&text);
  size_t seal = text.length, rest = bytes - seal;
  if (bytes < seal || memcmp(index + rest, head, sizeof head - 1) || index[rest + sizeof head - 1] == 'x') return;
  fg_strbuf_cut(&text, 0);
  fg_strbuf_addn(&text, index, rest);
  fg_pack_seal(&text);
  memcpy(index + rest, text.text + rest, seal);
}

static void mend_checks(fg_context *cx, char *bytes, size_t size) {
  for (size_t at = 0; at + FG_ARCHIVE_BLOCK <= size; at += FG_ARCHIVE_BLOCK) {
    size_t left = size - at - FG_ARCHIVE_BLOCK, length = strtoull(bytes + at + SIZE_AT, NULL, 8);
    if (!memcmp(bytes + at + MAGIC_AT, "ustar", 5))
      mend_check(cx, bytes + at + FG_ARCHIVE_BLOCK, length < left ? length : left);
  }
}

static const char *refuse(const void *context, const char *features) {
  (void)context;
  return strcmp(features, "none") ? NULL : "features that nobody has";
}

static void find(fg_context *cx, const char *path, const char *target) {
  fg_pack_key key = {.target = target, .problem = "c2c f32 n=4", .refuse = refuse};
  fg_pack_file file;
  fg_package p;
  const char *why;
  fg_status status = fg_pack_find(cx, path, &key, &file, &why);
  fuzz_require((status == FG_OK) == (file.data != NULL && file.fd < 0 && !file.path) || (status == FG_ENA && why));
  if (status == FG_OK) (void)fg_package_read(cx, file.data, file.bytes, &p);
}

static void body(fg_context *cx, const char *data, size_t size) {
  const char *path = fg_arena_printf(cx->arena, "%s/pack.tar", fuzz_folder());
  char *bytes = fuzz_text(cx, data, size);
  mend_checks(cx, bytes, size);
  mend_sums(bytes, size);
  fuzz_write(path, bytes, size);
  find(cx, path, "c");
  find(cx, path, "cuda");
  fuzz_require(fg_arena_used(cx->arena) < MEMORY_PER_BYTE * size + MEMORY);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) { return fuzz_run(body, data, size); }
