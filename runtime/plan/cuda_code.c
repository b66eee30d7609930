/* See cuda_code.h. */
#include "runtime/plan/cuda_code.h"
#include "runtime/load/plugin.h"
#include <stdlib.h>
#include <string.h>

/* 90 of "sm_90"; 0: none, or one with a letter. */
static int capability(const char *arch) {
  const char *digits = arch + strcspn(arch, "0123456789");
  char *end;
  long n = strtol(digits, &end, 10);
  return *digits && !*end && n > 0 && n < 10000 ? (int)n : 0;
}

static bool machine_code_runs(const char *made, const char *arch) {
  int from = capability(made), to = capability(arch);
  return !strcmp(made, arch) || (from && from <= to && from / 10 == to / 10);
}

static bool can_be_finished(const char *made, const char *arch) {
  return capability(made) && capability(made) <= capability(arch);
}

bool fg_cuda_code_serves(const char *made, const char *arch) {
  if (!*made) return true;
  if (!strncmp(made, "compute_", 8)) return can_be_finished(made, arch);
  return !strncmp(made, "sm_", 3) && machine_code_runs(made, arch);
}

static bool runs(const fg_package_code *c, const char *arch) {
  if (!strcmp(c->form, "cubin")) return machine_code_runs(c->fits, arch);
  return !strcmp(c->form, "ptx") && can_be_finished(c->fits, arch);
}

/* Machine code before what the driver would have to finish; the latest of each. */
static bool is_better(const fg_package_code *a, const fg_package_code *b) {
  int machine = !strcmp(a->form, "cubin") - !strcmp(b->form, "cubin");
  return machine ? machine > 0 : capability(a->fits) > capability(b->fits);
}

const char *fg_cuda_code_translate(fg_context *cx, const fg_package_code *source, const char *arch,
                                   fg_package_code *out) {
  fg_jit_bytes made = {0};
  fg_jit_result result = {.address = ""};
  const char *why = NULL;
  const fg_jit *jit = fg_plugin_find(cx, &why);
  if (!jit) return why;
  fg_jit_source text = {"cuda", source->bytes, arch};
  if (jit->compile(&text, &made, &result) != FG_JIT_BUILT) return fg_arena_strdup(cx->arena, result.message);
  *out = (fg_package_code){"cubin", fg_arena_strdup(cx->arena, arch), NULL, made.size};
  out->bytes = fg_arena_copy(cx->arena, made.bytes, made.size);
  jit->release(&made);
  return NULL;
}

const char *fg_cuda_code_find(fg_context *cx, const fg_package *p, const char *arch, const fg_package_code **out) {
  const fg_package_code *best = NULL, *source = fg_package_find(p, "source", "");
  for (int i = 0; i < p->ncode; i++)
    if (runs(&p->code[i], arch) && (!best || is_better(&p->code[i], best))) best = &p->code[i];
  *out = best;
  if (best) return NULL;
  if (!source) return "no code in it for this GPU";
  fg_package_code *made = fg_arena_new(cx->arena, fg_package_code, 1);
  const char *why = fg_cuda_code_translate(cx, source, arch, made);
  *out = made;
  return why ? fg_arena_printf(cx->arena, "only a source in it, and it cannot be compiled here: %s", why) : NULL;
}
