/* In: the emitted source. Out: the same with the runtime's description behind it. The text of the public header
 * declares the struct, so that it has one definition. */
#include "tuning/search/object.h"
#include "generator/base/embedded.h"
#include "generator/base/template.h"
#include "runtime/load/jit.h"
#include "runtime/store/fingerprint.h"
#include "runtime/store/hash.h"
#include "runtime/store/wisdom.h"
#include "runtime/version.h"
#include <string.h>

static const char *public_header(void) {
  for (const fg_embedded_file *f = fg_embedded; f->name; f++)
    if (!strcmp(f->name, "kernel.h")) return f->text;
  return "";
}

static void set_buffers(fg_template_values *v, const fg_artifact *a) {
  static const char *const kinds[] = {
      [FG_ARG_IN] = "FFTGEN_BUFFER_IN",       [FG_ARG_OUT] = "FFTGEN_BUFFER_OUT",
      [FG_ARG_WORK] = "FFTGEN_BUFFER_WORK",   [FG_ARG_TABLE] = "FFTGEN_BUFFER_TABLE",
      [FG_ARG_GIVEN] = "FFTGEN_BUFFER_GIVEN",
  };
  for (int i = 0; i < a->nbuffer; i++) {
    fg_template_values *row = fg_template_add_row(v, "buffer");
    fg_template_set(row, "kind", kinds[a->buffer[i].kind]);
    fg_template_set(row, "split", a->buffer[i].split ? "1" : "0");
    fg_template_setf(row, "bytes", "%zu", a->buffer[i].bytes);
    fg_template_set(row, "name", a->buffer[i].name);
  }
}

/* Arguments of a function that takes an input and an output and nothing else; "": it
 * is another one. */
static const char *direct_arguments(const fg_compilation *c) {
  const fg_artifact *a = &c->emitted.artifact;
  if (!fg_artifact_is_direct(a)) return "";
  return c->problem.in_place ? "(void *)(uintptr_t)in" : "in, out";
}

static fg_status describe(const fg_compilation *c, const char *symbol, fg_strbuf *out) {
  const fg_artifact *a = &c->emitted.artifact;
  fg_template_values *v = fg_template_create(c->cx);
  fg_template_set(v, "description", public_header());
  fg_template_set(v, "symbol", symbol ? symbol : FG_KERNEL_SYMBOL);
  fg_template_set(v, "name", a->name);
  fg_template_setf(v, "buffers", "%d", a->nbuffer);
  fg_template_setf(v, "params", "%d", a->nparam);
  fg_template_set(v, "problem", fg_wisdom_problem(c->cx, &c->problem));
  fg_template_set(v, "plan", fg_plan_print(c->cx, c->chosen.plan));
  fg_template_set(v, "isa", c->isa ? c->isa->name : "");
  fg_template_set(v, "features", c->isa ? c->isa->cpu_feature : "");
  fg_template_set(v, "generator", fg_version);
  fg_template_setf(v, "flops", "%lld", (long long)c->chosen.cost.flops);
  fg_template_setf(v, "bytes", "%lld", (long long)c->chosen.cost.bytes);
  fg_template_set(v, "init", a->needs_init ? "1" : "");
  fg_template_set(v, "noinit", a->needs_init ? "" : "1");
  fg_template_set(v, "parts", a->nstep ? "1" : "");
  fg_template_set(v, "noparts", a->nstep ? "" : "1");
  fg_template_set(v, "direct", direct_arguments(c));
  fg_template_set(v, "nodirect", fg_artifact_is_direct(a) ? "" : "1");
  fg_template_setf(v, "steps", "%d", a->nstep);
  fg_template_setf(v, "part_bytes", "%zu", a->part_bytes);
  set_buffers(v, a);
  return fg_template_expand(c->cx, "object.tmpl", v, out);
}

static void find_address(const fg_artifact *a, const fg_device_facts *cc, char address[40]) {
  const char *const part[] = {a->source, cc->version, cc->flags, a->flags ? a->flags : "", fg_fingerprint_host()};
  fg_hash h = fg_hash_begin();
  for (size_t i = 0; i < sizeof part / sizeof *part; i++) h = fg_hash_add(h, part[i], strlen(part[i]) + 1);
  fg_hash_text(h, address);
}

fg_status fg_object_create(const fg_compilation *c, const fg_device_facts *cc, const char *symbol, fg_object *out) {
  const fg_artifact *a = &c->emitted.artifact;
  fg_strbuf unit = fg_strbuf_new(c->cx->arena);
  for (int i = 0; i < a->nbuffer; i++)
    if (a->buffer[i].kind == FG_ARG_TABLE && a->buffer[i].content)
      return fg_diag_set(&c->cx->diag, FG_ESYS, "table %s: C sources fill their tables themselves", a->buffer[i].name);
  fg_strbuf_addn(&unit, a->source, a->source_bytes);
  fg_status status = describe(c, symbol, &unit);
  if (status != FG_OK) return status;
  out->artifact = *a;
  out->artifact.source = unit.text;
  out->artifact.source_bytes = unit.length;
  out->address[0] = 0;
  if (cc) find_address(&out->artifact, cc, out->address);
  return FG_OK;
}

fg_status fg_object_table(fg_context *cx, const char *name, const char *const *symbol, int count, char **out) {
  fg_template_values *v = fg_template_create(cx);
  fg_strbuf text = fg_strbuf_new(cx->arena);
  fg_template_set(v, "command", "Made by fftgen pack --sources.");
  fg_template_set(v, "description", public_header());
  fg_template_set(v, "name", name);
  fg_template_list(v, "kernel");
  for (int i = 0; i < count; i++) fg_template_set(fg_template_add_row(v, "kernel"), "symbol", symbol[i]);
  fg_status status = fg_template_expand(cx, "table.tmpl", v, &text);
  *out = text.text;
  return status;
}
