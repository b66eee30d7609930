/* See packing.h. What is written is read again by the reader that libfftgen has, and compared. */
#include "tuning/search/packing.h"
#include "runtime/store/wisdom.h"
#include "runtime/version.h"
#include <string.h>

fg_status fg_packing_create(const fg_compilation *c, const char *compiler, fg_package *out) {
  fg_context *cx = c->cx;
  const fg_artifact *a = &c->emitted.artifact;
  for (int i = 0; i < a->nbuffer; i++)
    if (a->buffer[i].kind == FG_ARG_TABLE && !a->buffer[i].content)
      return fg_diag_set(&cx->diag, FG_ESYS, "table %s: a package holds what is in it", a->buffer[i].name);
  if (!a->nlaunch)
    return fg_diag_set(&cx->diag, FG_EUSER, "target '%s': its kernels are called, not launched: they take no package",
                       a->dialect);
  *out = (fg_package){.problem = fg_wisdom_problem(cx, &c->problem),
                      .plan = fg_plan_print(cx, c->chosen.plan),
                      .generator = fg_version,
                      .compiler = compiler ? compiler : "",
                      .flops = c->chosen.cost.flops,
                      .bytes = c->chosen.cost.bytes,
                      .artifact = *a};
  fg_package_add(out, &(fg_package_code){"source", "", a->source, a->source_bytes});
  return FG_OK;
}

/* ---- read again --------------------------------------------------------------------------------- */

static bool is_text(const char *a, const char *b) { return !strcmp(a ? a : "", b ? b : ""); }

static bool is_buffer(const fg_arg_buffer *a, const fg_arg_buffer *b) {
  bool same = is_text(a->name, b->name) && a->kind == b->kind && a->bytes == b->bytes && a->split == b->split;
  return same && (a->kind != FG_ARG_TABLE || !memcmp(a->content, b->content, a->bytes));
}

static int64_t divisor(const fg_launch *l, int i) { return l->block_factor[i].div > 1 ? l->block_factor[i].div : 1; }

static bool is_launch(const fg_launch *a, const fg_launch *b) {
  bool same = is_text(a->entry, b->entry) && a->threads == b->threads && a->local_bytes == b->local_bytes &&
              (a->cluster > 1 ? a->cluster : 1) == (b->cluster > 1 ? b->cluster : 1) && a->bulk == b->bulk &&
              a->persistent == b->persistent && a->balanced == b->balanced && a->carveout == b->carveout &&
              a->nblock_factor == b->nblock_factor && a->narg == b->narg;
  for (int i = 0; same && i < a->nblock_factor; i++)
    same = a->block_factor[i].n == b->block_factor[i].n && a->block_factor[i].param == b->block_factor[i].param &&
           divisor(a, i) == divisor(b, i);
  for (int i = 0; same && i < a->narg; i++)
    same = a->arg[i].is_param == b->arg[i].is_param && a->arg[i].index == b->arg[i].index;
  return same;
}

bool fg_packing_is_same(const fg_package *a, const fg_package *b) {
  const fg_artifact *x = &a->artifact, *y = &b->artifact;
  bool same = is_text(a->problem, b->problem) && is_text(a->plan, b->plan) && is_text(a->compiler, b->compiler) &&
              is_text(a->generator, b->generator) && a->flops == b->flops && a->bytes == b->bytes &&
              is_text(x->dialect, y->dialect) && is_text(x->name, y->name) && x->nparam == y->nparam &&
              x->nbuffer == y->nbuffer && x->nlaunch == y->nlaunch && a->ncode == b->ncode;
  for (int i = 0; same && i < x->nbuffer; i++) same = is_buffer(&x->buffer[i], &y->buffer[i]);
  for (int i = 0; same && i < x->nlaunch; i++) same = is_launch(&x->launch[i], &y->launch[i]);
  return same;
}

static bool is_code(const fg_package_code *a, const fg_package_code *b) {
  return is_text(a->form, b->form) && is_text(a->fits, b->fits) && a->size == b->size &&
         !memcmp(a->bytes, b->bytes, a->size);
}

fg_status fg_packing_write(fg_context *cx, const fg_package *p, fg_strbuf *out) {
  fg_package again;
  size_t from = out->length;
  fg_package_write(cx, p, out);
  const char *wrong = fg_package_read(cx, out->text + from, out->length - from, &again);
  if (!wrong && !fg_packing_is_same(p, &again)) wrong = "a launch, an array or a name differs";
  for (int i = 0; !wrong && i < p->ncode; i++)
    if (!is_code(&p->code[i], &again.code[i])) wrong = "code differs";
  if (!wrong) return FG_OK;
  return fg_diag_set(&cx->diag, FG_EINTERNAL, "internal error: package: %s; problem \"%s\", plan %s, target %s", wrong,
                     p->problem, p->plan, p->artifact.dialect);
}
