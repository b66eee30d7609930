/* Packs: folders of compiled kernels to be shipped beside a program, or archives of
 * tar with what would be in the folder. A pack is shared objects and packages
 * (package.h), and pack.jsonl, one line for each of them:
 *
 *   {"fftgen":1,"problem":"c2c f32 n=1024","plan":"stockham(16,8,8)","isa":"avx2",
 *    "features":"avx2,fma","file":"0123...ef.so","sum":"..."}
 *   {"fftgen":1,"target":"cuda","problem":"c2c f32 n=1024","plan":"stockham(32,32)",
 *    "features":"sm_90","file":"0123...ef.fgk","sum":"..."}
 *   {"fftgen_pack":1,"check":"..."}
 *
 * The last line has the hash of all before it: an index of which a byte was changed, or that was cut off, is none.
 * Packs are made by `fftgen pack`, are only read here, and move freely. */
#ifndef FG_PACK_H
#define FG_PACK_H
#include "generator/base/strbuf.h"
#include "generator/problem/problem.h"

#define FG_PACK_INDEX "pack.jsonl"

/* Adds the last line to an index that is whole. */
void fg_pack_seal(fg_strbuf *index);

/* pack NULL: $FFTGEN_PACK. The last line whose target, problem (and plan, unless
 * NULL) are these and whose features the machine has: packs are written from
 * narrow to wide. FG_ENA with *why when there is none. */
typedef struct fg_pack_key {
  const char *target;  /* "c" is that of lines without one */
  const char *problem; /* canonical text */
  const char *plan;    /* NULL: any */
  /* NULL: it has those features; else why it may not be taken. */
  const char *(*refuse)(const void *context, const char *features);
  const void *context;
} fg_pack_key;
typedef struct fg_pack_file {
  const char *path; /* in a folder; NULL: it is in an archive, and these are its bytes */
  int fd;           /* of path, checked; to be closed by the caller. -1: in an archive */
  const char *data;
  size_t bytes;
} fg_pack_file;
fg_status fg_pack_find(fg_context *cx, const char *pack, const fg_pack_key *key, fg_pack_file *out, const char **why);
#endif
