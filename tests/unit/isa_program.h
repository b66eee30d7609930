/* What tests of C text share, beside the fixture: programs and texts of a problem and a plan for an
 * instruction set, proofs of texts. */
#ifndef FG_ISA_PROGRAM_H
#define FG_ISA_PROGRAM_H
#include "generator/print/emit.h"
#include "tests/unit/text_proof.h"

/* As the pipeline maps it. */
static inline fg_program *program_for(const char *isa_name, const char *problem, const char *plan) {
  const fg_isa *isa = fg_isa_find(isa_name);
  fg_mapping map = {.lanes = isa->vector_bytes / (strstr(problem, "f64") ? 8 : 4),
                    .one_source = !isa->two_sources,
                    .registers = isa->registers,
                    .machine = fg_machine_find(isa->machine),
                    .fma = isa->fma};
  return assembled_for(problem, plan, &map);
}

/* isa_name: NULL, none. */
static inline const char *text_of_program(const fg_program *p, const char *isa_name) {
  fg_emit_options options = {
      .dialect = fg_dialect_find("c"), .isa = isa_name ? fg_isa_find(isa_name) : NULL, .prefix = "k"};
  fg_program on = *p; /* for the machine of these instructions, whatever it was assembled for */
  if (options.isa) on.machine = fg_machine_find(options.isa->machine);
  fg_emitted e;
  if (fg_emit(&context, &on, &options, &e) != FG_OK) fail_msg("%s", context.diag.message);
  return e.artifact.source;
}

static inline const char *text_for(const char *isa, const char *problem, const char *plan) {
  return text_of_program(program_for(isa, problem, plan), isa);
}

static inline const char *avx512_text(const char *problem, const char *plan) {
  return text_for("avx512", problem, plan);
}

static inline void text_must_hold(const fg_program *p, const char *isa) {
  text_proof_both(p, fg_isa_find(isa), 5, isa);
}

static inline int occurrences(const char *text, const char *what) {
  int n = 0;
  for (const char *at = text; (at = strstr(at, what)); at++) n++;
  return n;
}
#endif
