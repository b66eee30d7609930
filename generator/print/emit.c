/* Emit: writes the source files of a program. In: program, dialect, names. Out: the files, and the artifact that
 * devices build.
 *
 * C: one self-contained translation unit, whose public function calls the kernels in order; and its header. Launched
 * dialects: one file of kernels, a manifest with their launches, and a program that launches them. */
#include "generator/print/emit.h"
#include "generator/base/template.h"
#include "generator/base/text_match.h"
#include "generator/lower/async_copy.h"
#include "generator/lower/instructions.h"
#include "generator/lower/kernel.h"
#include "generator/lower/memory.h"
#include "generator/lower/operations.h"
#include "generator/lower/parallel.h"
#include "generator/lower/parallel_entry.h"
#include "generator/lower/persistent.h"
#include "generator/lower/products.h"
#include "generator/lower/scalar_replacement.h"
#include "generator/lower/shuffle.h"
#include "generator/lower/stage.h"
#include "generator/lower/storage.h"
#include "generator/print/assembly.h"
#include "generator/print/header.h"
#include "generator/print/host_program.h"
#include "generator/print/tables.h"
#include "generator/problem/frames.h"
#include "generator/text/emitter.h"
#include "generator/text/spell.h"
#include "targets/ascii.h"
#include <string.h>

/* ---- names --------------------------------------------------------------------- */

enum { MOST_LETTERS = 120, KEPT_LETTERS = 100 }; /* of a name: linkers and file systems take 255 */

/* The problem's canonical text as an identifier; the sign as a word. Of a long one the first letters, and a number made
 * of all (FNV-1a). */
char *fg_emit_name(fg_context *cx, const fg_problem *p) {
  fg_strbuf s = fg_strbuf_new(cx->arena);
  fg_strbuf_add(&s, "fft");
  const char *text = fg_problem_print(cx, p);
  while (*text) {
    size_t length = strcspn(text, " ");
    bool is_sign = !strncmp(text, "sign=", 5);
    if (!is_sign) fg_strbuf_add(&s, "_");
    for (size_t i = 0; i < length && !is_sign; i++) {
      if (fg_is_alnum(text[i]))
        fg_strbuf_addn(&s, &text[i], 1);
      else if (text[i] != '=' && s.text[s.length - 1] != '_')
        fg_strbuf_add(&s, "_");
    }
    if (s.text[s.length - 1] == '_') fg_strbuf_cut(&s, s.length - 1);
    if (!strncmp(text, "n=", 2) && !fg_problem_kind_convolves(p->kind))
      fg_strbuf_add(&s, p->sign < 0 ? "_fwd" : "_bwd");
    text += length;
    text += strspn(text, " ");
  }
  if (s.length <= MOST_LETTERS) return s.text;
  uint32_t hash = 2166136261u;
  for (const char *c = fg_problem_print(cx, p); *c; c++) hash = (hash ^ (unsigned char)*c) * 16777619u;
  fg_strbuf_cut(&s, s.text[KEPT_LETTERS - 1] == '_' ? KEPT_LETTERS - 1 : KEPT_LETTERS);
  fg_strbuf_addf(&s, "_%08x", (unsigned)hash);
  return s.text;
}

/* ---- the public function ------------------------------------------------------------- */

static bool is_table(const fg_emitter *e, int memory) { return e->p->buffer[memory].space == FG_SPACE_TABLE; }

static bool is_scratch(const fg_emitter *e, int memory) {
  fg_space s = e->p->buffer[memory].space;
  return s == FG_SPACE_WORK || s == FG_SPACE_LOCAL;
}

/* Pointers into the scratch and the block of tables. */
static void add_pointers(fg_assembly *a, bool part, fg_template_values *v) {
  const fg_emitter *e = a->e;
  fg_template_list(v, "pointer");
  for (int m = 0; m < e->p->nbuffer; m++) {
    bool table = is_table(e, m) && e->table_block;
    if (!a->all.memory[m] || (!table && !is_scratch(e, m))) continue;
    long long offset = (long long)e->memory[m].offset;
    bool index = e->p->buffer[m].elem == FG_ELEM_INDEX;
    const char *from = table ? fg_arena_printf(e->cx->arena, "(const %s *)tables", e->real) : "scratch";
    const char *at = offset ? fg_arena_printf(e->cx->arena, "%s + %lld", from, offset) : from;
    if (part && fg_parallel_owns(e, m) && e->part_scratch)
      at = fg_arena_printf(e->cx->arena, "%s + (%s)part * %lld", at, e->d->index_type, (long long)e->part_scratch);
    if (index) at = fg_arena_printf(e->cx->arena, "(const %s *)(%s)", e->d->lookup_type, at);
    fg_template_setf(fg_template_add_row(v, "pointer"), "text", "%s%s *const %s = %s;", table ? "const " : "",
                     index ? e->d->lookup_type : e->real, e->memory[m].name, at);
  }
}

static bool param_is_used(const fg_assembly *a, int param) {
  for (int k = 0; k < a->e->p->nkernel; k++)
    if (a->uses[k].param[param]) return true;
  return false;
}

static void add_calls(fg_assembly *a, fg_template_values *v) {
  const fg_emitter *e = a->e;
  for (int i = 0; i < e->p->problem.nparam; i++)
    if (!param_is_used(a, i))
      fg_template_setf(fg_template_add_row(v, "call"), "text", "  (void)%s;", fg_spell_param(e, i));
  for (int k = 0; k < e->p->nkernel; k++) {
    const char *item[FG_MAX_ITEMS];
    int n = 0;
    for (int m = 0; m < e->p->nbuffer; m++) n += fg_memory_mention(e, &a->uses[k], m, &item[n]);
    for (int i = 0; i < e->p->problem.nparam; i++)
      if (a->uses[k].param[i]) item[n++] = fg_spell_param(e, i);
    if (fg_parallel_is_kernel(e, e->p->kernel[k])) item[n++] = "0", item[n++] = "1";
    fg_template_setf(fg_template_add_row(v, "call"), "text", "%s;",
                     fg_spell_call(e, fg_lower_kernel_symbol(e, k), item, n, 2));
  }
  if (e->streams) fg_template_setf(fg_template_add_row(v, "call"), "text", "  %s", e->d->vector.stream_fence);
}

/* As other languages read it: without restrict. */
static const char *plain(const fg_assembly *a, const char *from) {
  const char *word = a->e->restrict_word, *hit = *word ? strstr(from, word) : NULL;
  return hit ? fg_arena_printf(a->e->cx->arena, "%.*s%s", (int)(hit - from), from, hit + strlen(word)) : from;
}

static const char *signature(const fg_assembly *a, bool is_plain) {
  const char *qualifier = a->e->is_piece ? a->e->d->function_qualifier : "void", *item[FG_MAX_ITEMS];
  const char *head = fg_arena_printf(a->e->cx->arena, "%s %s", qualifier, a->e->name);
  for (int i = 0; i < a->arguments.n; i++)
    item[i] = is_plain ? plain(a, a->arguments.declared[i]) : a->arguments.declared[i];
  return fg_spell_call(a->e, head, item, a->arguments.n, 0);
}

static const char *part_signature(const fg_assembly *a, bool is_plain) {
  const char *item[FG_MAX_ITEMS + 3];
  int n = a->arguments.n;
  for (int i = 0; i < n; i++) item[i] = is_plain ? plain(a, a->arguments.declared[i]) : a->arguments.declared[i];
  item[n++] = "int step", item[n++] = "int part", item[n++] = "int parts";
  return fg_spell_call(a->e, fg_arena_printf(a->e->cx->arena, "void %s_part", a->e->name), item, n, 0);
}

static fg_status write_public(fg_assembly *a, fg_strbuf *out) {
  fg_template_values *v = fg_template_create(a->e->cx);
  fg_template_set(v, "head", signature(a, false));
  fg_template_set(v, "linkage", fg_spell_linkage(a->e));
  add_pointers(a, false, v);
  add_calls(a, v);
  return fg_template_expand(a->e->cx, "public.tmpl", v, out);
}

static fg_status write_entry(fg_assembly *a, fg_strbuf *out) {
  const fg_emitter *e = a->e;
  fg_template_values *v = fg_template_create(e->cx);
  fg_template_set(v, "name", e->name);
  fg_template_set(v, "call", fg_spell_call(e, e->name, a->arguments.given, a->arguments.n, 2));
  fg_template_set(v, "linkage", fg_spell_linkage(e));
  fg_template_set(v, "init", "");
  if (e->table_block) fg_template_setf(v, "init", "%d", a->table_place);
  return fg_template_expand(e->cx, "entry.tmpl", v, out);
}

static fg_status write_parts_entry(fg_assembly *a, fg_strbuf *out) {
  const fg_emitter *e = a->e;
  const char *item[FG_MAX_ITEMS + 3];
  int n = a->arguments.n;
  memcpy(item, a->arguments.given, sizeof *item * (size_t)n);
  item[n++] = "step", item[n++] = "part", item[n++] = "parts";
  const char *name = fg_arena_printf(e->cx->arena, "%s_part", e->name);
  fg_parallel_text text = {part_signature(a, false), fg_spell_call(e, name, item, n, 2)};
  fg_template_values *v = fg_template_create(e->cx);
  add_pointers(a, true, v);
  return fg_lower_parallel_entry(a->e, &text, v, out);
}

/* ---- the files ---------------------------------------------------------------------------- */

static bool is_deterministic(const fg_emitter *e) {
  return e->p->plan && fg_plan_param_value(e->p->plan, FG_PARAM_DETERMINISTIC);
}

/* Code that gains by being ordered by what waits: operations enough to have something to wait for, and few enough
 * vectors of pairs between stages that registers are left for it, fewer than there are. From measurements. */
enum { LEAST_ORDERED = 40, MOST_HELD = 16 };

static bool wants_order(const fg_emitter *e) {
  int64_t operations = 0, most = e->o->isa && e->o->isa->registers <= MOST_HELD ? e->o->isa->registers - 1 : MOST_HELD;
  for (int i = 0; i < e->p->nkernel; i++) {
    const fg_kernel *k = e->p->kernel[i];
    if (!e->forwards[i]) return false;
    for (int j = 0; j < k->nstage; j++) {
      const fg_codelet *c = k->stage[j].codelet;
      int64_t iterations = fg_stage_iterations(k, &k->stage[j]);
      if (!k->stage[j].vectors.packed || !c || iterations * c->nin / 2 > most) return false;
      operations += iterations * (c->count.add + c->count.mul + c->count.fma) / 2;
    }
  }
  return operations >= LEAST_ORDERED;
}

static bool is_ordered(const fg_emitter *e) {
  return e->d->order_preamble && fg_plan_option(e->p->plan, FG_PARAM_COMPILER_SCHEDULE, wants_order(e));
}

static bool loads_ahead(const fg_emitter *e) {
  return e->p->plan && fg_plan_param_value(e->p->plan, FG_PARAM_LOAD_AHEAD);
}

static const char *preamble(const fg_emitter *e) {
  const char *more = e->d->preamble_by_real[e->precision], *clusters = "", *bulk = "", *lanes = "";
  for (int k = 0; k < e->p->nkernel; k++) {
    if (e->p->kernel[k]->launch.cluster > 1)
      clusters = fg_arena_printf(e->cx->arena, "%s%s", e->d->cluster->preamble, e->d->cluster->sends);
    if (fg_shuffle_is_in(e->p->kernel[k]) && e->d->lane) lanes = e->d->lane->preamble;
    if (fg_bulk_is_wanted(e, e->p->kernel[k]))
      bulk = fg_arena_printf(e->cx->arena, "%s%s%s", e->d->bulk->preamble, e->d->bulk->copies,
                             loads_ahead(e) ? e->d->bulk->ask_function : "");
  }
  const char *exact = is_deterministic(e) ? e->d->exact_preamble : "",
             *ahead = fg_storage_reads_ahead(e) ? e->d->ahead_preamble : "",
             *where = e->guarded ? e->d->where_preamble[e->precision] : "",
             *order = is_ordered(e) ? e->d->order_preamble : "", *queue = e->p->queue.ring ? e->d->queue->preamble : "";
  const char *macros = fg_spell_macros(e->cx, e->d, e->macro, e->d->macros),
             *fence = e->fences ? fg_spell_macros(e->cx, e->d, e->macro, e->d->fence_macros) : "",
             *apart = e->apart ? e->d->apart_preamble : "";
  return fg_arena_printf(e->cx->arena, "%s%s%s%s%s%s%s%s%s%s%s%s%s%s%s", e->d->preamble, macros, fence,
                         more ? more : "", clusters, lanes, fg_lower_products_preamble(e), bulk, queue, ahead, where,
                         exact, order, apart, fg_lower_operations_preamble(e));
}

static const char *vector_types(const fg_emitter *e) {
  fg_strbuf s = fg_strbuf_new(e->cx->arena);
  for (int lanes = 2; lanes <= 64; lanes *= 2)
    if (e->lanes & (uint64_t)lanes)
      fg_strbuf_add(&s, fg_spell(e, lanes, e->padded ? e->padded->preamble : e->d->vector.preamble, (fg_marks){0}));
  for (int lanes = 2; lanes <= 64; lanes *= 2)
    if (e->swaps & (uint64_t)lanes)
      fg_strbuf_add(&s, fg_spell(e, lanes, e->d->vector.swap_type, (fg_marks){.a = fg_spell_swap_row(e, lanes)->word}));
  fg_strbuf_add(&s, fg_lower_operations_vectors(e));
  for (int lanes = 2; lanes <= 64; lanes *= 2)
    if (e->streams & (uint64_t)lanes)
      fg_strbuf_add(
          &s, fg_spell(e, lanes, e->d->vector.stream_preamble, (fg_marks){.a = fg_spell_stream_row(e, lanes)->store}));
  const char *macros = s.length && !e->is_piece ? fg_spell_macros(e->cx, e->d, e->macro, e->d->vector.macros) : "";
  return fg_arena_printf(e->cx->arena, "%s%s", macros, s.text);
}

/* A part of the file under its name in source.tmpl; without its last newline,
 * which the template has. */
static void set_part(fg_template_values *v, const char *name, fg_strbuf *s) {
  if (s->length && s->text[s->length - 1] == '\n') fg_strbuf_cut(s, s->length - 1);
  fg_template_set(v, name, s->text);
  fg_strbuf_cut(s, 0);
}

/* Arrays of the caller's besides input and output, or other numbers than a transform makes. */
static bool has_operations(const fg_emitter *e) {
  const fg_problem *q = &e->p->problem;
  return q->nload || q->nstore || fg_problem_kind_convolves(q->kind) || fg_problem_has_frames(q);
}

static bool knows_no_reference(const fg_emitter *e) {
  return has_operations(e) || e->p->problem.storage != e->p->problem.compute;
}

static fg_status write_source(fg_assembly *a, fg_strbuf *out) {
  fg_emitter *e = a->e;
  fg_template_values *v = fg_template_create(e->cx);
  fg_strbuf s = fg_strbuf_new(e->cx->arena);
  fg_emit_provenance(e, v);
  fg_template_set(v, "preamble", preamble(e));
  fg_template_set(v, "vectors", vector_types(e));
  fg_status status = e->static_tables ? fg_emit_static_tables(e, &s) : FG_OK;
  if (status != FG_OK) return status;
  set_part(v, "tables", &s);
  fg_template_set(v, "kernels", a->kernels.text);
  if (!e->launched && (status = write_public(a, &s)) != FG_OK) return status;
  set_part(v, "public", &s);
  if (e->table_block && (status = fg_emit_table_init(e, &s)) != FG_OK) return status;
  set_part(v, "init", &s);
  if (e->o->entry && !e->launched && (status = write_entry(a, &s)) != FG_OK) return status;
  set_part(v, "entry", &s);
  if (e->parts && (status = write_parts_entry(a, &s)) != FG_OK) return status;
  set_part(v, "parts", &s);
  if (e->o->self_test && knows_no_reference(e))
    return fg_refuse(
        e->cx, "emit: a self-test knows neither load and store operations nor numbers in memory that are not those "
               "computed with; allowed: fftgen verify");
  if (e->o->self_test && !e->launched && (status = fg_emit_self_test(e, &s)) != FG_OK) return status;
  set_part(v, "selftest", &s);
  return fg_template_expand(e->cx, "source.tmpl", v, out);
}

/* Beside sources that are launched: named after their extension, so that several
 * targets of one problem live in one folder. */
static const char *beside_ending(const fg_emitter *e, const char *ending) {
  return fg_arena_printf(e->cx->arena, "_%s%s", e->d->extension + 1, ending);
}

static void add_file(fg_emitter *e, fg_emitted *out, const char *extension, const fg_strbuf *text) {
  out->file[out->nfile++] =
      (fg_file){fg_arena_printf(e->cx->arena, "%s%s", e->name, extension), text->text, text->length};
}

static fg_status write_kernels(fg_assembly *a) {
  fg_emitter *e = a->e;
  a->kernels = fg_strbuf_new(e->cx->arena);
  fg_status begun = fg_lower_queue_items(e, &a->kernels);
  if (begun != FG_OK) return begun;
  for (int k = 0; k < e->p->nkernel; k++) {
    if (k) fg_strbuf_add(&a->kernels, "\n");
    fg_status status = fg_lower_kernel(e, k, &a->kernels, &a->uses[k]);
    if (status != FG_OK) return status;
    fg_lower_add_uses(&a->all, &a->uses[k]);
    if (k + 1 != fg_queue_joined(&e->p->queue)) continue;
    a->queued = a->all; /* of the queue's kernels */
    status = fg_lower_queue(e, &(fg_queue_text){&a->queued, e->queued}, &a->kernels);
    if (status != FG_OK) return status;
  }
  return FG_OK;
}

static fg_status write_second_file(fg_assembly *a, fg_emitted *out) {
  fg_emitter *e = a->e;
  fg_strbuf text = fg_strbuf_new(e->cx->arena);
  fg_status status =
      e->launched ? fg_emit_manifest(e, a->artifact, &text)
                  : fg_emit_header(e, &(fg_header){signature(a, true), part_signature(a, true), a->slots.text}, &text);
  if (status == FG_OK) add_file(e, out, e->launched ? beside_ending(e, ".json") : ".h", &text);
  return status;
}

static fg_status write_host(fg_assembly *a, fg_emitted *out) {
  fg_strbuf text = fg_strbuf_new(a->e->cx->arena);
  fg_status status = fg_emit_host(a->e, a->artifact, !has_operations(a->e), &text);
  if (status == FG_OK) add_file(a->e, out, beside_ending(a->e, fg_emit_host_ending(a->e->d)), &text);
  return status;
}

/* Addresses count numbers; as many again are left for those beyond the last block's end. */
static bool small_addresses(const fg_program *p) {
  for (int i = 0; i < p->nbuffer; i++) {
    const fg_buffer *b = &p->buffer[i];
    int64_t most = b->elem == FG_ELEM_COMPLEX ? INT64_C(1) << 29 : INT64_C(1) << 30;
    if (b->size >= most) return false;
  }
  return true;
}

static bool wants_parts(const fg_emitter *e) {
  bool wanted = e->o->entry || (e->p->plan && fg_plan_param_value(e->p->plan, FG_PARAM_PARALLEL_SPLIT) == 2);
  return wanted && !e->is_piece && fg_parallel_is_possible(e);
}

/* Where all vectors are single pairs, that are loaded, computed with, turned and stored. */
static const fg_padded_form *padded_form(const fg_emitter *e) {
  const fg_padded_form *form = e->d->vector.padded;
  bool narrow = form && e->o->isa && 2 * e->real_bytes < e->o->isa->least_bytes && !strcmp(form->real, e->real);
  for (int i = 0; i < e->p->nkernel && narrow; i++)
    for (int j = 0; j < e->p->kernel[i]->nstage; j++) {
      const fg_stage *s = &e->p->kernel[i]->stage[j];
      narrow = narrow && s->vectors.packed && s->codelet && s->vectors.lane < 0 && !s->factors.has_twiddle;
    }
  return narrow ? form : NULL;
}

static void name_things(fg_emitter *e) {
  e->name = e->o->prefix ? e->o->prefix : fg_emit_name(e->cx, &e->p->problem);
  e->macro = e->o->macro ? e->o->macro : fg_words_upper(e->cx->arena, e->name);
  e->restrict_word = fg_spell(e, 1, e->d->restrict_word, (fg_marks){0});
  e->stage_restrict_word = fg_spell(e, 1, e->d->stage_restrict_word, (fg_marks){0});
}

static fg_status start(fg_emitter *e) {
  e->precision = e->p->problem.compute;
  e->real = e->precision < 4 ? e->d->real[e->precision] : NULL;
  if (!e->real)
    return fg_refuse(e->cx, "emit: precision %s: the dialect %s does not compute in it",
                     fg_precision_name(e->precision), e->d->name);
  if (e->d->field_literals && !e->o->field)
    return fg_refuse(e->cx, "emit: the dialect %s is for the proof: it wants a field", e->d->name);
  if (is_deterministic(e) && (!e->d->exact_preamble || e->is_piece))
    return fg_refuse(e->cx,
                     "emit: a deterministic plan for %s, which contracts products and sums; allowed: dialects whose "
                     "compilers can be told not to, no bundles",
                     e->is_piece ? "a bundle" : e->d->name);
  if (e->p->nkernel > FG_MAX_BUFFERS)
    return fg_refuse(e->cx, "emit: %d kernels, at most %d", e->p->nkernel, (int)FG_MAX_BUFFERS);
  e->real_bytes = e->d->field_literals ? 8 : fg_precision_bytes(e->precision);
  e->padded = padded_form(e);
  e->launched = e->d->block_id != NULL;
  name_things(e);
  bool small = e->d->small_index_type && small_addresses(e->p);
  e->index = small ? e->d->small_index_type : e->d->index_type;
  e->parts = wants_parts(e);
  fg_status status = fg_memory_plan(e);
  if (status == FG_OK) status = fg_forward_plan(e);
  return status == FG_OK && e->is_piece && e->static_tables ? fg_emit_static_tables(e, NULL) : status;
}

/* Everything that both a file and a piece need: kernels and arguments. */
static fg_status write_parts(fg_assembly *a, fg_status (*kernels)(fg_assembly *)) {
  a->slots = fg_strbuf_new(a->e->cx->arena);
  fg_status status = start(a->e);
  if (status == FG_OK) status = kernels(a);
  if (status != FG_OK) return status;
  fg_emit_plan_table_init(a->e);
  return fg_assembly_arguments(a);
}

/* Lines of fg_emit_describe_arguments, without a template for a file. */
static fg_status describe_piece(fg_assembly *a, fg_piece *out) {
  fg_template_values *v = fg_template_create(a->e->cx);
  fg_strbuf s = fg_strbuf_new(a->e->cx->arena);
  fg_emit_describe_arguments(a->e, v);
  fg_status status = fg_template_expand_text(a->e->cx, "about", "@each argument\n${argument.text}\n@end\n", v, &s);
  for (char *line = s.text; status == FG_OK && *line && out->nabout < 40;) {
    char *end = line + strcspn(line, "\n");
    out->about[out->nabout++] = line;
    line = *end ? end + 1 : end;
    *end = 0;
  }
  return status;
}

fg_status fg_emit_piece(fg_context *cx, const fg_program *p, const fg_emit_options *options, fg_piece *out) {
  fg_emitter *e = fg_arena_new(cx->arena, fg_emitter, 1);
  *e = (fg_emitter){.cx = cx, .p = p, .o = options, .d = options->dialect, .is_piece = true};
  fg_assembly *a = fg_arena_new(cx->arena, fg_assembly, 1);
  a->e = e;
  a->artifact = fg_arena_new(cx->arena, fg_artifact, 1);
  fg_status status = write_parts(a, write_kernels);
  if (status != FG_OK) return status;
  fg_strbuf_add(&a->kernels, "\n");
  if ((status = write_public(a, &a->kernels)) != FG_OK) return status;
  if (e->table_block) {
    fg_strbuf_add(&a->kernels, "\n");
    if ((status = fg_emit_table_init(e, &a->kernels)) != FG_OK) return status;
  }
  *out = (fg_piece){.name = e->name,
                    .body = a->kernels.text,
                    .narg = a->arguments.n,
                    .real = e->real,
                    .scratch_bytes = e->scratch * e->real_bytes,
                    .table_bytes = e->table_bytes,
                    .lanes = e->lanes,
                    .fences = e->fences,
                    .apart = e->apart,
                    .vector_types = vector_types(e),
                    .helpers = fg_lower_operations_preamble(e)};
  for (int i = 0; i < out->narg; i++) out->arg[i] = (fg_piece_arg){a->arguments.kind[i], a->arguments.declared[i]};
  return describe_piece(a, out);
}

/* Operations of the longest piece of code without a branch. */
static int64_t longest_piece(const fg_program *p) {
  int64_t most = 0;
  for (int k = 0; k < p->nkernel; k++)
    for (int s = 0; s < p->kernel[k]->nstage; s++) {
      const fg_codelet *c = p->kernel[k]->stage[s].codelet;
      int64_t operations = c ? c->count.add + c->count.mul + c->count.fma : 0;
      if (operations > most) most = operations;
    }
  return most;
}

static void fill_map(const fg_emitter *e, fg_text_map *map) {
  *map = (fg_text_map){0};
  for (int k = 0; k < e->p->nkernel; k++) map->joined[k] = e->forwards[k] != NULL;
  for (int m = 0; m < e->p->nbuffer; m++) {
    map->scratch[m] = fg_memory_in_scratch(e, m);
    map->offset[m] = e->memory[m].offset;
    map->part_offset[m] = fg_parallel_owns(e, m) ? e->part_scratch : 0;
  }
}

static fg_status emit_text(fg_assembly *a, fg_emitted *made) {
  fg_emitter *e = a->e;
  fg_strbuf source = fg_strbuf_new(e->cx->arena);
  fg_status status = write_parts(a, write_kernels);
  if (status == FG_OK && e->launched) status = fg_assembly_launches(a);
  if (status == FG_OK) status = write_source(a, &source);
  if (status != FG_OK) return status;
  add_file(e, made, e->d->extension, &source);
  status = write_second_file(a, made);
  bool host = e->launched && e->d->host && (e->d->host_is_library || !has_operations(e));
  return status == FG_OK && host ? write_host(a, made) : status;
}

static fg_status record_kernels(fg_assembly *a) { return fg_instructions_kernels(a->e); }

static fg_status emit_instructions(fg_assembly *a, fg_emitted *made) {
  fg_strbuf listing = fg_strbuf_new(a->e->cx->arena);
  fg_status status = write_parts(a, record_kernels);
  if (status == FG_OK) status = fg_instructions_finish(a->e, a->artifact, &listing);
  if (status == FG_OK) add_file(a->e, made, a->e->d->extension, &listing);
  return status;
}

fg_status fg_emit(fg_context *cx, const fg_program *p, const fg_emit_options *options, fg_emitted *out) {
  fg_emitter *e = fg_arena_new(cx->arena, fg_emitter, 1);
  *e = (fg_emitter){.cx = cx, .p = p, .o = options, .d = options->dialect};
  fg_emitted *made = fg_arena_new(cx->arena, fg_emitted, 1);
  fg_assembly *a = fg_arena_new(cx->arena, fg_assembly, 1);
  a->e = e;
  a->artifact = &made->artifact;
  fg_status status = (e->d->is_code ? emit_instructions : emit_text)(a, made);
  if (status != FG_OK) return status;
  made->artifact.dialect = e->d->name;
  made->artifact.name = e->name;
  made->artifact.source = made->file[0].text;
  made->artifact.source_bytes = made->file[0].bytes;
  made->artifact.flags = fg_lower_operations_flags(e);
  made->artifact.longest = longest_piece(p);
  made->artifact.needs_init = e->table_block > 0;
  made->artifact.nstep = e->nstep;
  made->artifact.part_bytes = (size_t)(e->part_scratch * e->real_bytes);
  if (options->map) fill_map(e, options->map);
  *out = *made;
  return FG_OK;
}
