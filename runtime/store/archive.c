/* See archive.h. Headers are read one after the other. Numbers in them are octal text; a sum over its bytes shows
 * that a block is a header. */
#include "runtime/store/archive.h"
#include "runtime/store/read.h"
#include "runtime/store/store.h"
#include <errno.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { NAME = 100, SIZE_AT = 124, SIZE = 12, SUM_AT = 148, SUM = 8, TYPE_AT = 156, MAGIC_AT = 257 };

bool fg_archive_is(const char *path) {
  struct stat st;
  return stat(path, &st) == 0 && S_ISREG(st.st_mode);
}

static unsigned sum_of(const char block[FG_ARCHIVE_BLOCK]) {
  unsigned sum = 0;
  for (int i = 0; i < FG_ARCHIVE_BLOCK; i++) sum += i >= SUM_AT && i < SUM_AT + SUM ? ' ' : (unsigned char)block[i];
  return sum;
}

static uint64_t octal(const char *text, size_t length) {
  char copy[SIZE + 1] = "";
  memcpy(copy, text, length);
  return strtoull(copy, NULL, 8);
}

static bool is_header(const char block[FG_ARCHIVE_BLOCK]) {
  return !memcmp(block + MAGIC_AT, "ustar", 5) && octal(block + SUM_AT, SUM) == sum_of(block);
}

static bool is_named(const char block[FG_ARCHIVE_BLOCK], const char *name) {
  char own[NAME + 1] = "";
  memcpy(own, block, NAME);
  bool is_file = block[TYPE_AT] == '0' || !block[TYPE_AT];
  return is_file && !strcmp(!strncmp(own, "./", 2) ? own + 2 : own, name);
}

static fg_status damaged(fg_context *cx, const char *path) {
  return fg_diag_set(&cx->diag, FG_ESYS, "%s: neither a folder nor an archive of tar, or a damaged one", path);
}

typedef struct range {
  off_t at;
  uint64_t bytes;
} range;

/* A size is not trusted: it may be no more than what is left of the file. So there is always a way on, and
 * no memory is allocated beyond the file. */
static fg_status look(fg_context *cx, FILE *f, const char *path, const char *name, range *out) {
  char block[FG_ARCHIVE_BLOCK];
  struct stat st;
  if (fstat(fileno(f), &st) != 0) return damaged(cx, path);
  while (fread(block, 1, sizeof block, f) == sizeof block) {
    if (!block[0]) return FG_ENA; /* zeros end it */
    if (!is_header(block)) break;
    *out = (range){ftello(f), octal(block + SIZE_AT, SIZE)};
    if (out->at < 0 || out->at > st.st_size || out->bytes > (uint64_t)(st.st_size - out->at)) break;
    if (is_named(block, name)) return FG_OK;
    uint64_t blocks = (out->bytes + FG_ARCHIVE_BLOCK - 1) / FG_ARCHIVE_BLOCK;
    if (fseeko(f, (off_t)(blocks * FG_ARCHIVE_BLOCK), SEEK_CUR)) break;
  }
  return damaged(cx, path);
}

static fg_status unreadable(fg_context *cx, const char *path) {
  if (cx->diag.message[0]) return FG_ESYS;
  return fg_diag_set(&cx->diag, FG_ESYS, "%s: cannot read: %s", path, strerror(errno));
}

/* A regular file: opening a FIFO would block. */
static FILE *open_archive(fg_context *cx, const char *path) {
  int fd;
  if (fg_store_open(cx, path, &fd) != FG_OK) return NULL;
  FILE *f = fdopen(fd, "r");
  if (!f) close(fd);
  return f;
}

fg_status fg_archive_read(fg_context *cx, const char *path, const char *name, size_t most, char **data, size_t *bytes) {
  range r = {0};
  FILE *f = open_archive(cx, path);
  if (!f) return unreadable(cx, path);
  fg_status status = look(cx, f, path, name, &r);
  fclose(f); /* allocating may jump */
  if (status != FG_OK) return status;
  if (r.bytes > most) return fg_diag_set(&cx->diag, FG_ESYS, "%s: %s in it is too long", path, name);
  *bytes = (size_t)r.bytes;
  *data = fg_arena_alloc(cx->arena, *bytes + 1);
  if (!(f = open_archive(cx, path))) return unreadable(cx, path);
  bool whole = !fseeko(f, r.at, SEEK_SET) && fread(*data, 1, *bytes, f) == *bytes;
  fclose(f);
  (*data)[*bytes] = 0;
  return whole ? FG_OK : damaged(cx, path);
}

void fg_archive_header(char block[FG_ARCHIVE_BLOCK], const char *name, size_t bytes) {
  memset(block, 0, FG_ARCHIVE_BLOCK);
  snprintf(block, NAME, "%s", name);
  memcpy(block + NAME,
         "0000644\0"
         "0000000\0"
         "0000000\0",
         24); /* rights, owner, group */
  snprintf(block + SIZE_AT, SIZE, "%011llo", (unsigned long long)bytes);
  memcpy(block + SIZE_AT + SIZE, "00000000000", SIZE); /* no time: the same bytes every day */
  block[TYPE_AT] = '0';
  memcpy(block + MAGIC_AT,
         "ustar\0"
         "00",
         8);
  snprintf(block + SUM_AT, SUM, "%06o", sum_of(block));
  block[SUM_AT + SUM - 1] = ' ';
}
