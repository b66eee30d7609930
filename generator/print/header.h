/* The comments about an emitted kernel, the manifest and the self-test. */
#ifndef FG_PRINT_HEADER_H
#define FG_PRINT_HEADER_H
#include "generator/base/template.h"
#include "generator/text/emitter.h"

/* name, title and the facts of the head of every file. */
void fg_emit_provenance(const fg_emitter *e, fg_template_values *v);

/* Sets the list "argument": what the arrays and parameters of a call are. */
void fg_emit_describe_arguments(const fg_emitter *e, fg_template_values *v);

typedef struct fg_header {
  const char *signature, *part_signature; /* of the public functions */
  const char *arguments;                  /* for people: "in, out, scratch" */
} fg_header;

fg_status fg_emit_header(fg_emitter *e, const fg_header *h, fg_strbuf *out);
fg_status fg_emit_manifest(fg_emitter *e, const fg_artifact *a, fg_strbuf *out);
fg_status fg_emit_self_test(fg_emitter *e, fg_strbuf *out);

/* Value of a run-time parameter where a test needs one. */
int64_t fg_emit_sample_param(const fg_emitter *e, int param);

/* Sets "compare": functions that make random numbers and compare with the
 * definition, and the sizes, layouts and names that they use. */
fg_status fg_emit_compare(const fg_emitter *e, fg_template_values *v);
#endif
