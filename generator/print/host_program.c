/* The program that launches kernels: an example for users of emitted kernels, and a test of them by their own API.
 * In: the artifact. Out: C text by the dialect's template, with tables filled as NAME_init would, the launches in
 * order, and the comparison of the self-test. */
#include "generator/print/host_program.h"
#include "generator/base/template.h"
#include "generator/lower/shuffle.h"
#include "generator/print/header.h"
#include "generator/print/tables.h"
#include "generator/text/emitter.h"
#include "generator/text/spell.h"
#include "targets/storage.h"
#include <string.h>

enum { ALIGN = 64 };

/* Tables in one block, as where the caller gives one: a copy of the emitter that
 * knows their slots. */
static fg_emitter *with_table_block(const fg_emitter *e) {
  fg_emitter *copy = fg_arena_copy(e->cx->arena, e, sizeof *e);
  for (int i = 0; i < e->p->nbuffer; i++) {
    const fg_buffer *b = &e->p->buffer[i];
    int64_t line = ALIGN / e->real_bytes;
    if (b->space != FG_SPACE_TABLE || !e->memory[i].used || b->alias >= 0) continue;
    copy->memory[i].offset = (copy->table_block + line - 1) / line * line;
    copy->table_block = copy->memory[i].offset + (fg_buffer_bytes(b) + e->real_bytes - 1) / e->real_bytes;
  }
  fg_emit_plan_table_init(copy);
  return copy;
}

static fg_status set_init(fg_emitter *e, fg_template_values *v) {
  fg_strbuf text = fg_strbuf_new(e->cx->arena);
  fg_status status = e->table_block ? fg_emit_table_init(e, &text) : FG_OK;
  if (text.length) fg_strbuf_cut(&text, text.length - 1);
  fg_template_set(v, "init", text.text);
  fg_template_setf(v, "table_bytes", "%lld", (long long)e->table_bytes);
  return status;
}

/* ---- argument slots -------------------------------------------------------------------- */

static int64_t table_offset(const fg_emitter *e, const char *name) {
  for (int i = 0; i < e->p->nbuffer; i++)
    if (e->p->buffer[i].space == FG_SPACE_TABLE && e->memory[i].name && !strcmp(e->memory[i].name, name))
      return e->memory[i].offset * e->real_bytes;
  return 0;
}

/* Arrays that operations take, and spectra, are inputs behind the input. */
static void add_slot(const fg_emitter *e, fg_template_values *v, const fg_arg_buffer *b, int slot, int part) {
  static const char *const kinds[] = {"IN", "OUT", "WORK", "TABLE", "IN"};
  static const char *const suffixes[] = {"_re", "_im"};
  size_t bytes = b->split ? b->bytes / 2 : b->bytes;
  bool shared = b->kind == FG_ARG_OUT && e->p->problem.in_place;
  int64_t offset = b->kind == FG_ARG_TABLE ? table_offset(e, b->name) : b->split ? part * (int64_t)bytes : 0;
  fg_template_values *row = fg_template_add_row(v, "slot");
  fg_template_setf(row, "name", "%s%s", b->name, b->split ? suffixes[part] : "");
  fg_template_set(row, "kind", kinds[b->kind]);
  fg_template_setf(row, "bytes", "%zu", bytes);
  fg_template_setf(row, "offset", "%lld", (long long)offset);
  fg_template_setf(row, "part", "%d", part);
  fg_template_setf(row, "memory", "%d", shared ? part : slot); /* in place: the input is buffer 0 */
}

static void add_slots(const fg_emitter *e, fg_template_values *v, const fg_artifact *a) {
  int given = e->p->problem.split_in ? 2 : 1;
  fg_template_list(v, "slot");
  fg_template_list(v, "given");
  for (int i = 0, slot = 0; i < a->nbuffer; i++) {
    const fg_arg_buffer *b = &a->buffer[i];
    if (b->kind == FG_ARG_GIVEN) {
      fg_template_values *row = fg_template_add_row(v, "given");
      fg_template_set(row, "name", b->name);
      fg_template_setf(row, "at", "%d", given);
      fg_template_setf(row, "bytes", "%zu", b->bytes);
    }
    add_slot(e, v, b, slot++, b->kind == FG_ARG_GIVEN ? given++ : 0);
    if (b->split) add_slot(e, v, b, slot++, 1);
  }
}

/* A launcher has one way to call all its kernels. */
static const char *lanes_text(const fg_emitter *e) {
  bool any = false;
  for (int i = 0; i < e->p->nkernel; i++) any = any || fg_shuffle_is_in(e->p->kernel[i]);
  return any && e->d->lane && e->d->lane->launched ? e->d->lane->launched : "";
}

static void add_params(const fg_emitter *e, fg_template_values *v) {
  const fg_problem *q = &e->p->problem;
  fg_template_list(v, "param");
  fg_template_set(v, "params", q->nparam ? "1" : "");
  fg_template_set(v, "lanes", lanes_text(e));
  for (int i = 0; i < q->nparam; i++) {
    fg_template_values *row = fg_template_add_row(v, "param");
    fg_template_set(row, "name", q->param[i].name);
    fg_template_setf(row, "lo", "%lld", (long long)q->param[i].lo);
    fg_template_setf(row, "hi", "%lld", (long long)q->param[i].hi);
    fg_template_setf(row, "value", "%lld", (long long)fg_emit_sample_param(e, i));
  }
}

/* ---- launches ---------------------------------------------------------------------- */

static void add_factor(fg_strbuf *s, int64_t n, int param, int64_t div) {
  if (s->length) fg_strbuf_add(s, " * ");
  if (param < 0) {
    fg_strbuf_addf(s, "%lld", (long long)n);
    return;
  }
  if (n != 1) fg_strbuf_addf(s, "%lld * ", (long long)n);
  if (div > 1)
    fg_strbuf_addf(s, "(size_t)((parameters[%d] + %lld) / %lld)", param, (long long)div - 1, (long long)div);
  else
    fg_strbuf_addf(s, "(size_t)parameters[%d]", param);
}

/* Blocks' memory and L1 are one memory, which the launcher may divide. */
static bool shares(const fg_emitter *e) {
  for (const fg_host_word *w = e->d->host_word; w && w->name; w++)
    if (!strcmp(w->name, "set_carveout")) return *w->text;
  return false;
}

static void add_launch(const fg_emitter *e, fg_template_values *v, const fg_launch *l, bool some_stay) {
  fg_strbuf s = fg_strbuf_new(e->cx->arena);
  fg_template_values *row = fg_template_add_row(v, "launch");
  fg_template_set(row, "kernel", l->entry);
  fg_template_setf(row, "threads", "%d", l->threads);
  fg_template_setf(row, "cluster", "%d", l->cluster);
  fg_template_set(row, "carveout", shares(e) ? fg_arena_printf(e->cx->arena, ", %d", fg_launch_carveout(l)) : "");
  if (some_stay) fg_template_setf(row, "persistent", ", %d", l->persistent);
  if (!some_stay) fg_template_set(row, "persistent", "");
  fg_template_setf(row, "local", "%zu", l->local_bytes);
  fg_template_setf(row, "count", "%d", l->narg);
  for (int i = 0; i < l->nblock_factor; i++)
    add_factor(&s, l->block_factor[i].n, l->block_factor[i].param, l->block_factor[i].div);
  fg_template_set(row, "blocks", s.length ? s.text : "1");
  fg_strbuf_cut(&s, 0);
  for (int i = 0; i < l->narg; i++)
    fg_strbuf_addf(&s, "%s%d", i ? ", " : "", l->arg[i].is_param ? -1 - l->arg[i].index : l->arg[i].index);
  fg_template_set(row, "arguments", s.text);
}

/* ---- numbers in memory that are not those computed with ----------------------------- */

static const fg_storage_row *row_of(const fg_emitter *e) {
  const fg_problem *q = &e->p->problem;
  for (const fg_storage_row *r = fg_dialect_storage_c; q->storage != q->compute && r->type; r++)
    if (r->stored == (int)q->storage) return r;
  return NULL;
}

static const char *function_text(const fg_emitter *e, const char *text) {
  if (!text) return "";
  fg_strbuf s = fg_strbuf_new(e->cx->arena);
  fg_strbuf_add(&s, fg_spell(e, 1, text, (fg_marks){0}));
  fg_strbuf_cut(&s, s.length - 1); /* the line's end is the template's */
  return s.text;
}

static fg_status set_numbers(const fg_emitter *e, fg_template_values *v) {
  const fg_storage_row *r = row_of(e);
  fg_template_set(v, "numbers", "");
  fg_template_set(v, "plain", r ? "" : "1");
  fg_template_set(v, "stored", r ? r->type : e->real);
  fg_template_set(v, "stored_in", r ? "stored_in" : "in");
  fg_template_set(v, "stored_out", r ? "stored_out" : "out");
  if (!r) return FG_OK;
  bool brief = e->p->problem.storage == FG_BF16;
  fg_template_set(v, "tolerance", e->p->problem.storage == FG_F16 ? "1e-3" : brief ? "1e-2" : "1e-6");
  fg_template_set(v, "what", fg_precision_name(e->p->problem.storage));
  fg_template_set(v, "from", function_text(e, r->preamble[0]));
  fg_template_set(v, "to", function_text(e, r->preamble[1]));
  fg_template_set(v, "get", fg_spell(e, 1, r->load, (fg_marks){.v = "memory[i]"}));
  fg_template_set(v, "put", fg_spell(e, 1, r->store, (fg_marks){.v = "memory[i]", .a = "number[i]"}));
  fg_strbuf text = fg_strbuf_new(e->cx->arena);
  fg_status status = fg_template_expand(e->cx, "numbers.tmpl", v, &text);
  if (text.length) fg_strbuf_cut(&text, text.length - 1);
  fg_template_set(v, "numbers", text.text);
  return status;
}

const char *fg_emit_host_ending(const fg_dialect *d) { return d->host_ending ? d->host_ending : "_host.c"; }

fg_status fg_emit_host(const fg_emitter *e, const fg_artifact *a, bool tested, fg_strbuf *out) {
  fg_emitter *tables = with_table_block(e);
  fg_template_values *v = fg_template_create(e->cx);
  fg_emit_provenance(e, v);
  fg_template_set(v, "name", e->name);
  fg_template_set(v, "real", e->real);
  fg_template_set(v, "tested", tested ? "1" : "");
  fg_status status = tested ? fg_emit_compare(e, v) : FG_OK;
  if (status == FG_OK && tested) status = set_numbers(e, v);
  if (status == FG_OK) status = set_init(tables, v);
  if (status != FG_OK) return status;
  add_slots(tables, v, a);
  add_params(e, v);
  fg_template_set(v, "extension", e->d->extension);
  fg_template_set(v, "ending", e->d->extension + 1);
  fg_template_set(v, "result", e->p->problem.in_place ? "from" : "to");
  bool some_stay = false, balanced = false;
  for (int i = 0; i < a->nlaunch; i++) some_stay |= a->launch[i].persistent, balanced |= a->launch[i].balanced;
  for (const fg_host_word *w = e->d->host_word; w && w->name; w++)
    fg_template_set(v, w->name, balanced || strcmp(w->name, "cluster_scheduling") != 0 ? w->text : "");
  fg_template_list(v, "launch");
  fg_template_set(v, "persist", some_stay ? "1" : "");
  for (int i = 0; i < a->nlaunch; i++) add_launch(e, v, &a->launch[i], some_stay);
  return fg_template_expand(e->cx, e->d->host, v, out);
}
