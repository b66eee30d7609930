/* The function around stages if a program becomes instructions. In: a planned emitter. Out: an fg_instructions beside
 * the artifact, with argument slots, tables as data, and each stage within its kernel's loops. */
#include "generator/lower/instructions.h"
#include "generator/ir/table_values.h"
#include "generator/lower/loops.h"
#include "generator/lower/parallel.h"
#include "generator/lower/scalar_replacement.h"
#include "generator/lower/stage.h"
#include "generator/lower/storage.h"
#include "generator/text/emitter.h"
#include "generator/text/recorder_ops.h"
#include "generator/text/recorder_order.h"
#include "generator/text/recorder_statements.h"
#include "generator/text/spell.h"
#include <string.h>

static bool has_table(const fg_emitter *e, int memory) { return e->p->buffer[memory].space == FG_SPACE_TABLE; }

/* Pointers and parameters are made once, ahead of everything; where the pointers
 * lead is known at the end. a: memory, imm: part. */
static void record_memory(fg_emitter *e, int memory) {
  const fg_memory *m = &e->memory[memory];
  for (int part = 0; part < (m->parts ? 2 : 1); part++) {
    const char *name = m->name;
    if (m->parts) name = fg_arena_printf(e->cx->arena, "%s_%s", name, part ? "im" : "re");
    fg_instr i = fg_coder_instr(has_table(e, memory) ? FG_CODE_TABLE : FG_CODE_MEMORY, FG_CODE_POINTER, 1);
    i.memory = (uint8_t)(2 * memory + part), i.a = memory, i.imm.i = part;
    fg_coder_bind(e->coder, name, fg_coder_add(e->coder, i));
  }
}

static void record_given(fg_emitter *e, fg_code_op op, int which, const char *name) {
  fg_instr i = fg_coder_instr(op, FG_CODE_INDEX, 1);
  i.imm.i = which;
  fg_coder_bind(e->coder, name, fg_coder_add(e->coder, i));
}

static void begin(fg_emitter *e) {
  e->coder = fg_coder_create(e->cx, e->real_bytes, e->d->field_literals);
  fg_coder_code(e->coder)->words = fg_spell_swaps_words(e);
  for (int m = 0; m < e->p->nbuffer; m++)
    if (e->memory[m].used && e->p->buffer[m].alias < 0) record_memory(e, m);
  for (int i = 0; i < e->p->problem.nparam; i++) record_given(e, FG_CODE_PARAM, i, fg_spell_param(e, i));
  if (!e->parts) return;
  record_given(e, FG_CODE_SHARE, 0, "part");
  record_given(e, FG_CODE_SHARE, 1, "parts");
}

/* ---- kernels -------------------------------------------------------------------------- */

/* A step, where there are any; what is not cut is done by the first part. */
static void open_step(fg_emitter *e, bool cut) {
  if (!e->parts) return;
  e->nstep++;
  fg_coder_open_step(e->coder);
  if (!cut) fg_coder_open(e->coder, FG_CODE_IF, fg_coder_index(e->coder, FG_CODE_LESS, "part", "1"));
}

static void close_step(fg_emitter *e, bool cut) {
  if (!e->parts) return;
  if (!cut) fg_coder_close(e->coder);
  fg_coder_close(e->coder);
}

/* For the proof, which may leave iterations out. */
static void name_stage(fg_emitter *e, int kernel, int s) {
  if (e->o->map && e->d->stage) fg_coder_act(e->coder, FG_CODE_STAGE, fg_text_stage_number(kernel, s));
}

static fg_status record_stage(fg_emitter *e, int kernel, int s, bool joined) {
  const fg_kernel *k = e->p->kernel[kernel];
  bool cut = fg_parallel_is_stage(e, &k->stage[s]);
  fg_uses uses;
  name_stage(e, kernel, s);
  if (!k->nouter) open_step(e, cut);
  fg_coder_open(e->coder, FG_CODE_PART, NULL);
  fg_status status = joined ? fg_lower_joined(e, kernel, &uses) : fg_lower_stage(e, k, s, &uses);
  if (status != FG_OK) return status;
  fg_coder_close(e->coder);
  if (!k->nouter) close_step(e, cut);
  return FG_OK;
}

/* Inside the loops that some of them share. */
static fg_status record_stages(fg_emitter *e, int kernel) {
  const fg_kernel *k = e->p->kernel[kernel];
  if (e->forwards[kernel]) return record_stage(e, kernel, 0, true);
  const char *digit[FG_MAX_DIGITS];
  int64_t value[FG_MAX_DIGITS];
  fg_uses uses = {0};
  for (int s = 0, end; s < k->nstage; s = end) {
    end = fg_kernel_group_end(k, s);
    int shared = fg_stage_shared(k, &k->stage[s]);
    fg_nest n = {.e = e, .k = k, .digit = digit, .uses = &uses, .part_digit = -1};
    if (shared) fg_nest_name_digits(e, k, &k->stage[s], digit, value);
    for (int i = 0; i < shared; i++) fg_nest_loop(&n, k->stage[s].loop[i], false);
    for (int i = s; i < end; i++) {
      fg_status status = record_stage(e, kernel, i, false);
      if (status != FG_OK) return status;
    }
    fg_nest_close(&n);
  }
  return FG_OK;
}

static fg_status record_kernel(fg_emitter *e, int kernel) {
  const fg_kernel *k = e->p->kernel[kernel];
  const char *digit[FG_MAX_DIGITS];
  int64_t value[FG_MAX_DIGITS];
  fg_uses uses = {0};
  bool cut = fg_parallel_is_kernel(e, k);
  fg_nest_name_digits(e, k, NULL, digit, value);
  fg_nest n = {.e = e, .k = k, .digit = digit, .uses = &uses, .part_digit = cut ? k->vectors.part - 1 : -1};
  if (k->nouter) open_step(e, cut);
  for (int i = 0; i < k->nouter; i++) fg_nest_loop(&n, k->outer[i], false);
  fg_status status = record_stages(e, kernel);
  fg_nest_close(&n);
  if (k->nouter) close_step(e, cut);
  return status;
}

fg_status fg_instructions_kernels(fg_emitter *e) {
  begin(e);
  for (int k = 0; k < e->p->nkernel; k++) {
    fg_status status = record_kernel(e, k);
    if (status != FG_OK) return status;
  }
  if (e->streams) fg_coder_act(e->coder, FG_CODE_FENCE, 0);
  return FG_OK;
}

/* ---- what pointers lead to ---------------------------------------------------------------- */

static fg_status add_table(fg_emitter *e, fg_instructions *code, int memory) {
  const fg_buffer *b = &e->p->buffer[memory];
  fg_code_table *t = &code->table[code->ntable++];
  *t = (fg_code_table){.name = e->memory[memory].name, .bytes = (size_t)fg_buffer_bytes(b)};
  if (b->table < 0) return fg_refuse(e->cx, "emit: buffer %s: a table that says not what it holds", b->name);
  if (code->field && b->elem != FG_ELEM_INDEX) { /* filled by the caller */
    t->bytes = t->bytes / (size_t)fg_precision_bytes(e->precision) * sizeof(fg_gf);
    return FG_OK;
  }
  void *content = fg_arena_alloc(e->cx->arena, t->bytes);
  t->content = content;
  return fg_table_fill_real(e->cx, e->p, b->table, content);
}

/* Halves need instructions that not every CPU has. */
static fg_status settle_numbers(const fg_emitter *e, int memory, uint8_t *stored) {
  const fg_storage_row *row = fg_storage_of(e, &e->p->buffer[memory]);
  if (!row) return FG_OK;
  *stored = (uint8_t)(row->stored + 1);
  if (row->stored != FG_F16 || (e->o->isa && e->o->isa->half_flags)) return FG_OK;
  return fg_refuse(e->cx, "emit: buffer %s: numbers of f16; instructions convert them where the CPU does",
                   e->p->buffer[memory].name);
}

static fg_status settle(fg_emitter *e, fg_instr *i, const fg_artifact *a, fg_instructions *code) {
  int memory = i->a;
  if (i->op == FG_CODE_TABLE) {
    i->a = code->ntable;
    i->imm.i = 0;
    return add_table(e, code, memory);
  }
  fg_space space = e->p->buffer[memory].space;
  const char *name = space == FG_SPACE_WORK || space == FG_SPACE_LOCAL ? "scratch" : e->memory[memory].name;
  for (int b = 0; b < a->nbuffer; b++)
    if (!strcmp(a->buffer[b].name, name)) i->a = fg_artifact_slot(a, b) + (int)i->imm.i;
  i->imm.i = name == e->memory[memory].name ? 0 : e->memory[memory].offset;
  fg_status status = settle_numbers(e, memory, &code->stored[i->memory]);
  if (status != FG_OK) return status;
  if (fg_parallel_owns(e, memory)) i->list = (int32_t)e->part_scratch;
  if (e->part_scratch > INT32_MAX)
    return fg_refuse(e->cx, "emit: %s: more than 2^31 numbers for each part", e->p->buffer[memory].name);
  return FG_OK;
}

fg_status fg_instructions_finish(fg_emitter *e, fg_artifact *a, fg_strbuf *listing) {
  fg_coder_settle(e->coder);
  fg_instructions *code = fg_coder_code(e->coder);
  code->table = fg_arena_new(e->cx->arena, fg_code_table, FG_MAX_BUFFERS);
  for (int32_t i = 0; i < code->count; i++) {
    fg_instr *x = &code->instr[i];
    if (x->op == FG_CODE_ARRAY)
      return fg_refuse(e->cx, "emit: values that pass a barrier in an array; the dialect %s has none", e->d->name);
    if (x->op != FG_CODE_MEMORY && x->op != FG_CODE_TABLE) continue;
    fg_status status = settle(e, x, a, code);
    if (status != FG_OK) return status;
  }
  a->instructions = code;
  fg_strbuf_add(listing, fg_coder_print(e->cx, code));
  return FG_OK;
}
