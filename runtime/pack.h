/* Packs: folders of compiled kernels to be shipped beside a program. A pack is
 * shared objects and pack.jsonl, one line for each of them:
 *
 *   {"fftgen":1,"problem":"c2c f32 n=1024","plan":"stockham(16,8,8)","isa":"avx2",
 *    "features":"avx2,fma","file":"0123...ef.so","sum":"..."}
 *
 * They are made by `fftgen pack`, are only read here, and move freely. */
#ifndef FG_PACK_H
#define FG_PACK_H
#include "generator/problem.h"

#define FG_PACK_INDEX "pack.jsonl"

/* folder NULL: $FFTGEN_PACK. The last line whose problem (and plan, unless NULL)
 * fits and whose features this CPU has: packs are written from narrow to wide.
 * FG_ENA with *why when there is none. */
typedef struct fg_pack_key {
  const char *problem; /* canonical text */
  const char *plan;    /* NULL: any */
} fg_pack_key;
fg_status fg_pack_find(fg_context *cx, const char *folder, const fg_pack_key *key, const char **path, const char **why);
#endif
