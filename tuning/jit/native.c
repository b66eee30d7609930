/* See native.h. In: a compilation to instructions. Out: a file that the runtime loads like that of a compiler. The
 * kernel description is laid out here with the bytes that a compiler would give it; link.c relocates its pointers. */
#include "tuning/jit/native.h"
#include "runtime/include/fftgen/kernel.h"
#include "runtime/load/jit.h"
#include "runtime/store/fingerprint.h"
#include "runtime/store/hash.h"
#include "runtime/store/wisdom.h"
#include "runtime/version.h"
#include "targets/llvm/build.h"
#include "targets/llvm/llvm.h"
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

extern const fg_device fg_device_llvm;

enum { MOST_POINTERS = 10 + sizeof((fg_artifact *)0)->buffer / sizeof(fg_arg_buffer) };

typedef struct layout { /* a description in work */
  unsigned char *bytes;
  size_t size;
  int npointer;
  fg_link_pointer *pointer;
} layout;

/* A pointer at byte `at` to byte `behind` of a symbol. */
static void point(layout *l, size_t at, const char *symbol, size_t behind) {
  l->pointer[l->npointer++] = (fg_link_pointer){at, symbol, behind};
}

static void put_text(layout *l, size_t at, const char *text) {
  size_t length = strlen(text) + 1;
  memcpy(l->bytes + l->size, text, length);
  point(l, at, FG_KERNEL_SYMBOL, l->size);
  l->size += length;
}

static void put_buffers(layout *l, const fg_artifact *a) {
  static const int kinds[] = {[FG_ARG_IN] = FFTGEN_BUFFER_IN,
                              [FG_ARG_OUT] = FFTGEN_BUFFER_OUT,
                              [FG_ARG_WORK] = FFTGEN_BUFFER_WORK,
                              [FG_ARG_TABLE] = FFTGEN_BUFFER_TABLE,
                              [FG_ARG_GIVEN] = FFTGEN_BUFFER_GIVEN};
  size_t first = l->size;
  l->size += (size_t)a->nbuffer * sizeof(fftgen_buffer);
  point(l, offsetof(fftgen_kernel, buffer), FG_KERNEL_SYMBOL, first);
  for (int i = 0; i < a->nbuffer; i++) {
    size_t at = first + (size_t)i * sizeof(fftgen_buffer);
    fftgen_buffer b = {.kind = kinds[a->buffer[i].kind], .split = a->buffer[i].split, .bytes = a->buffer[i].bytes};
    memcpy(l->bytes + at, &b, sizeof b);
    put_text(l, at + offsetof(fftgen_buffer, name), a->buffer[i].name);
  }
}

static size_t room_for(const fg_artifact *a, const char *const *text, size_t count) {
  size_t room = sizeof(fftgen_kernel) + (size_t)a->nbuffer * sizeof(fftgen_buffer);
  for (size_t i = 0; i < count; i++) room += strlen(text[i]) + 1;
  for (int i = 0; i < a->nbuffer; i++) room += strlen(a->buffer[i].name) + 1;
  return room;
}

static void point_to_function(const fg_compilation *c, layout *l, size_t at, const char *suffix) {
  point(l, at, fg_arena_printf(c->cx->arena, "%s_%s", c->emitted.artifact.name, suffix), 0);
}

static void describe(const fg_compilation *c, layout *l) {
  static const size_t at[] = {offsetof(fftgen_kernel, problem), offsetof(fftgen_kernel, plan),
                              offsetof(fftgen_kernel, isa), offsetof(fftgen_kernel, features),
                              offsetof(fftgen_kernel, generator)};
  const fg_artifact *a = &c->emitted.artifact;
  const char *const text[] = {fg_wisdom_problem(c->cx, &c->problem), fg_plan_print(c->cx, c->chosen.plan),
                              c->isa ? c->isa->name : "", c->isa ? c->isa->cpu_feature : "", fg_version};
  enum { TEXTS = sizeof at / sizeof *at };
  fftgen_kernel k = {.abi = FFTGEN_KERNEL_ABI,
                     .nbuffer = a->nbuffer,
                     .nparam = a->nparam,
                     .flops = c->chosen.cost.flops,
                     .bytes = c->chosen.cost.bytes,
                     .steps = a->nstep,
                     .part_bytes = a->part_bytes};
  *l = (layout){.bytes = fg_arena_alloc(c->cx->arena, room_for(a, text, TEXTS)),
                .size = sizeof k,
                .pointer = fg_arena_new(c->cx->arena, fg_link_pointer, MOST_POINTERS)};
  memcpy(l->bytes, &k, sizeof k);
  put_buffers(l, a);
  for (int i = 0; i < TEXTS; i++) put_text(l, at[i], text[i]);
  point_to_function(c, l, offsetof(fftgen_kernel, entry), "entry");
  if (a->nstep) point_to_function(c, l, offsetof(fftgen_kernel, part), "part_entry");
  if (fg_artifact_is_direct(a)) point_to_function(c, l, offsetof(fftgen_kernel, direct), "direct");
}

static void find_address(const fg_native *n, const fg_device_facts *llvm, char address[40]) {
  const fg_artifact *a = n->artifact;
  const char level[] = {(char)('0' + n->level), 0};
  const char *const part[] = {a->source, llvm->version, llvm->flags, a->flags, fg_fingerprint_host(), level};
  fg_hash h = fg_hash_begin();
  for (size_t i = 0; i < sizeof part / sizeof *part; i++) h = fg_hash_add(h, part[i], strlen(part[i]) + 1);
  fg_hash_text(fg_hash_add(h, n->description, n->size), address);
}

fg_status fg_native_create(const fg_compilation *c, fg_native *out) {
  char why[FG_WHY_SIZE];
  fg_device_facts facts;
  layout l;
  if (fg_device_llvm.probe(&facts, why)) return fg_diag_set(&c->cx->diag, FG_ESYS, "%s", why);
  describe(c, &l);
  *out = (fg_native){.artifact = &c->emitted.artifact,
                     .description = l.bytes,
                     .size = l.size,
                     .npointer = l.npointer,
                     .pointer = l.pointer,
                     .level = fg_llvm_level(&c->emitted.artifact, c->request.effort_fast)};
  find_address(out, &facts, out->address);
  return FG_OK;
}

/* ---- machine code ---------------------------------------------------------------------- */

int fg_native_make(const fg_native *n, fg_image *out, char why[FG_WHY_SIZE]) {
  fg_link_part part = {.symbol = FG_KERNEL_SYMBOL,
                       .bytes = n->description,
                       .size = n->size,
                       .is_public = true,
                       .npointer = n->npointer,
                       .pointer = n->pointer};
  return fg_llvm_build(n->artifact, &(fg_llvm_order){1, &part, n->level}, out, why);
}

int fg_native_write(const fg_image *image, const char *path, char why[FG_WHY_SIZE]) {
  FILE *f = fopen(path, "wb");
  bool ok = f && fwrite(image->bytes, 1, image->size, f) == image->size;
  if (f && fclose(f)) ok = false;
  if (!ok) snprintf(why, FG_WHY_SIZE, "cannot write %.300s: %s", path, strerror(errno));
  return !ok;
}
