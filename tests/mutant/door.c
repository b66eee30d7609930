/* The program `fftgen` with a fault: a candidate that fails its proof has no other to give way to, so that what becomes
 * of the mutant is seen; and seams between emission and proof: the whole text, its header, instructions. */
#include "generator/prove/translate_kernels.h"
#include "tests/mutant/fault.h"
#include "tests/mutant/wrap.h"
#include "tests/unit/mutate.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

bool __wrap_fg_pipeline_give_way(fg_compilation *c, fg_status status) {
  (void)c, (void)status;
  return false;
}

/* Of plans: where LLVM fails, no C compiler is tried. */
fg_status __wrap_fg_object_create(const fg_compilation *c, const fg_device_facts *cc, const char *symbol,
                                  fg_object *out) {
  if (!getenv("FFTGEN_MUTANT")) return __real_fg_object_create(c, cc, symbol, out);
  return fg_diag_set(&c->cx->diag, FG_EUSER, "a mutant has one way");
}

/* A statement left out, or before the one in front of it. */
static char *other_lines(fg_context *cx, const char *text, size_t from, uint64_t *random, char what[160]) {
  size_t length = strlen(text), at;
  for (int tries = 0; tries < 200; tries++) {
    for (at = from + fg_random(random) % (length - from); at > from && text[at - 1] != '\n';) at--;
    const char *line = text + at, *second = strchr(line, '\n'), *end = second ? strchr(second + 1, '\n') : NULL;
    if (!end || second == line || second[-1] != ';' || end[-1] != ';') continue;
    int first = (int)(second + 1 - line), next = (int)(end - second);
    snprintf(what, 160, "%s:%.*s", next % 2 ? "left out" : "later", first - 1, line);
    if (next % 2) return fg_arena_printf(cx->arena, "%.*s%s", (int)at, text, second + 1);
    return fg_arena_printf(cx->arena, "%.*s%.*s%.*s%s", (int)at, text, next, second + 1, first, line, end + 1);
  }
  return NULL;
}

/* One token of a file, from `begin` on. */
static void change_file(fg_context *cx, fg_file *file, const char *begin) {
  const char *text = file->text, *from = strstr(text, begin);
  uint64_t random = (uint64_t)fault_choice(0, INT64_MAX);
  char what[160];
  char *to = from ? mutate_text(cx, text, (size_t)(from - text), &random, what) : NULL;
  if (!to) return;
  fault_say("%s", what);
  file->text = to;
  file->bytes = strlen(to);
}

static void change(fg_context *cx, fg_emitted *made) {
  const char *text = made->file[0].text;
  const char *kernels = strstr(text, fg_arena_printf(cx->arena, "static void %s", made->artifact.name));
  if (made->artifact.nlaunch) kernels = fg_translate_first_kernel(&made->artifact);
  uint64_t random = (uint64_t)fault_choice(0, INT64_MAX);
  char what[160];
  size_t from = kernels ? (size_t)(kernels - text) : 0;
  char *to = (fault_choice(1, 3) ? mutate_text : other_lines)(cx, text, from, &random, what);
  if (!kernels || !to) return;
  fault_say("%s", what);
  made->file[0].text = made->artifact.source = to;
  made->file[0].bytes = made->artifact.source_bytes = strlen(to);
}

fg_status __wrap_fg_emit(fg_context *cx, const fg_program *p, const fg_emit_options *options, fg_emitted *out) {
  fg_status status = __real_fg_emit(cx, p, options, out);
  bool c = !strcmp(options->dialect->name, "c"), proof = options->dialect->field_literals;
  bool kernels = status == FG_OK && out->artifact.nlaunch, code = status == FG_OK && out->artifact.instructions;
  if (status == FG_OK && (c || kernels) && !proof && fault_is_here(SEAM_TEXT, false, fault_key("text")))
    change(cx, out);
  if (code && !proof && fault_is_here(SEAM_INSTRUCTION, false, fault_key("instruction")))
    fault_in_instructions(cx, &out->artifact);
  if (status == FG_OK && c && fault_is_here(SEAM_HEADER, false, fault_key("header")))
    change_file(cx, &out->file[1], "#define");
  if (kernels && !proof && fault_is_here(SEAM_MANIFEST, false, fault_key("manifest")))
    change_file(cx, &out->file[1], "\"parameters\"");
  return status;
}

/* Of a bundle: what the bundle has, and not the source that is proved. */
fg_status __wrap_fg_emit_piece(fg_context *cx, const fg_program *p, const fg_emit_options *options, fg_piece *out) {
  fg_status status = __real_fg_emit_piece(cx, p, options, out);
  if (status != FG_OK || !fault_is_here(SEAM_TEXT, false, fault_key("piece"))) return status;
  uint64_t random = (uint64_t)fault_choice(0, INT64_MAX);
  char what[160];
  char *to = (fault_choice(1, 3) ? mutate_text : other_lines)(cx, out->body, 0, &random, what);
  if (!to) return status;
  fault_say("%s", what);
  out->body = to;
  return status;
}

/* Of a bundle: the text behind its pieces. */
fg_status __wrap_fg_bundler_source(const fg_bundler *b, fg_file *out, int64_t *table_bytes) {
  fg_status status = __real_fg_bundler_source(b, out, table_bytes);
  if (status == FG_OK && fault_is_here(SEAM_DISPATCH, false, fault_key("dispatch")))
    change_file(b->cx, out, b->r->nisa > 1 ? "/* What this CPU has" : "\nextern \"C\"\n");
  return status;
}

/* For the judge of the judge. */
static bool is_unproved(void) { return getenv("FFTGEN_MUTANT_UNPROVED") != NULL; }

fg_status __wrap_fg_prove(fg_context *cx, const fg_program *p, uint64_t seed, fg_proof *out) {
  if (!is_unproved()) return __real_fg_prove(cx, p, seed, out);
  *out = (fg_proof){.proved = true};
  return FG_OK;
}

fg_status __wrap_fg_prove_text(fg_context *cx, const fg_program *p, const fg_isa *isa, const fg_text_options *o,
                               fg_text_proof *out) {
  if (!is_unproved()) return __real_fg_prove_text(cx, p, isa, o, out);
  *out = (fg_text_proof){.proved = true};
  return FG_OK;
}
