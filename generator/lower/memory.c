/* The location of buffers in emitted text. In: the program's buffers. Out: a name for each memory, offsets in the
 * caller's scratch, and whether tables are arrays of the source. */
#include "generator/lower/memory.h"
#include "generator/ir/program_machine.h"
#include "generator/lower/parallel.h"
#include "generator/lower/storage.h"
#include "generator/text/emitter.h"
#include "generator/text/recorder_ops.h"
#include "targets/machine/limits.h"
#include <stdio.h>
#include <string.h>

static fg_status unsupported(fg_emitter *e, const fg_buffer *b, const char *what) {
  return fg_refuse(e->cx, "emit: buffer %s: %s; the dialect %s has no form for that", b->name, what, e->d->name);
}

static fg_status check_buffer(fg_emitter *e, const fg_buffer *b, const fg_buffer *root) {
  if (b->elem == FG_ELEM_INDEX && b->space == FG_SPACE_TABLE &&
      (b->table >= 0 || e->d->tables == FG_TABLES_EACH || e->d->tables == FG_TABLES_DATA))
    return FG_OK;
  if (b->elem == FG_ELEM_INDEX) return unsupported(e, b, "elements that are not numbers");
  if (b->precision != e->precision && !fg_storage_of(e, b) && !e->d->field_literals)
    return unsupported(e, b, fg_arena_printf(e->cx->arena, "numbers of %s", fg_precision_name(b->precision)));
  bool parts = root->layout == FG_LAYOUT_SPLIT && (root->space == FG_SPACE_INPUT || root->space == FG_SPACE_OUTPUT);
  if (parts && b->layout != FG_LAYOUT_SPLIT) return unsupported(e, b, "interleaved in memory that is split");
  return FG_OK;
}

static void note(fg_emitter *e, int buffer, bool written) {
  fg_memory *m = &e->memory[fg_buffer_root(e->p, buffer)];
  m->used = true;
  m->written = m->written || written;
}

static void note_stage(fg_emitter *e, const fg_stage *s) {
  const fg_access *a;
  for (int n = 0; (a = fg_stage_access((fg_stage *)s, n)); n++) {
    note(e, a->buffer, a == &s->store);
    if (a->index.lookup >= 0) note(e, a->index.lookup, false);
  }
  if (s->factors.matrix && e->d->matrix) note(e, s->factors.matrix, false);
}

static int64_t reals_of(const fg_emitter *e, const fg_buffer *b) {
  int64_t one = fg_precision_bytes(fg_storage_of(e, b) ? e->precision : b->precision);
  return (fg_buffer_bytes(b) + one - 1) / one;
}

int64_t fg_memory_local_bytes(const fg_emitter *e, int memory) {
  int64_t pair = 2 * fg_precision_bytes(e->precision);
  return (fg_buffer_bytes(&e->p->buffer[memory]) + pair - 1) / pair * pair;
}

static int64_t align_up(const fg_emitter *e, int64_t reals) {
  int64_t line = fg_program_line(e->p) / e->real_bytes;
  return (reals + line - 1) / line * line;
}

static void place_scratch(fg_emitter *e, int i) {
  fg_memory *m = &e->memory[i];
  int64_t skew = e->scratch ? limit->skew_lines * fg_program_line(e->p) / e->real_bytes : 0;
  m->offset = align_up(e, e->scratch) + skew;
  e->scratch = m->offset + reals_of(e, &e->p->buffer[i]);
}

static void choose_table_home(fg_emitter *e) {
  int64_t bytes = 0;
  for (int i = 0; i < e->p->nbuffer; i++)
    if (e->p->buffer[i].space == FG_SPACE_TABLE) bytes += fg_buffer_bytes(&e->p->buffer[i]);
  bool wanted = !e->p->plan || fg_plan_param_value(e->p->plan, FG_PARAM_TABLES) == 0;
  e->static_tables = e->d->tables == FG_TABLES_STATIC && wanted && bytes <= limit->static_tables;
  if (e->o->static_tables || e->d->tables == FG_TABLES_DATA) e->static_tables = true;
}

static const char *name_of(const fg_emitter *e, int i) {
  const fg_buffer *b = &e->p->buffer[i];
  if (i == FG_BUFFER_IN && e->p->problem.in_place) return "data";
  for (int j = 0; j < i; j++)
    if (!strcmp(e->p->buffer[j].name, b->name)) return fg_arena_printf(e->cx->arena, "%s_%d", b->name, i);
  return b->name;
}

bool fg_memory_in_scratch(const fg_emitter *e, int i) {
  const fg_buffer *b = &e->p->buffer[i];
  bool in_kernel = b->space == FG_SPACE_LOCAL && e->d->local_array;
  return b->alias < 0 && e->memory[i].used && !e->held[i] && !in_kernel &&
         (b->space == FG_SPACE_WORK || b->space == FG_SPACE_LOCAL);
}

/* What all parts share first; what each has for itself once more for every other. */
static void place_all_scratch(fg_emitter *e) {
  for (int own = 0; own < 2; own++) {
    int64_t shared = align_up(e, e->scratch);
    for (int i = 0; i < e->p->nbuffer; i++)
      if (fg_memory_in_scratch(e, i) && fg_parallel_owns(e, i) == own) place_scratch(e, i);
    if (own && e->scratch > shared)
      e->part_scratch = align_up(e, e->scratch - shared) + limit->skew_lines * fg_program_line(e->p) / e->real_bytes;
  }
}

fg_status fg_memory_plan(fg_emitter *e) {
  const fg_program *p = e->p;
  e->scratch = e->table_block = e->part_scratch = 0;
  for (int k = 0; k < p->nkernel; k++)
    for (int s = 0; s < p->kernel[k]->nstage; s++) note_stage(e, &p->kernel[k]->stage[s]);
  choose_table_home(e);
  for (int i = 0; i < p->nbuffer; i++) {
    const fg_buffer *b = &p->buffer[i], *root = &p->buffer[fg_buffer_root(p, i)];
    fg_status status = check_buffer(e, b, root);
    if (status != FG_OK) return status;
    if (b->alias >= 0) continue;
    fg_memory *m = &e->memory[i];
    m->name = name_of(e, i);
    m->parts = b->layout == FG_LAYOUT_SPLIT && (b->space == FG_SPACE_INPUT || b->space == FG_SPACE_OUTPUT);
    if (m->used && b->space == FG_SPACE_TABLE && !e->static_tables && e->d->tables == FG_TABLES_STATIC) {
      m->offset = align_up(e, e->table_block);
      e->table_block = m->offset + reals_of(e, b);
    }
  }
  place_all_scratch(e);
  return FG_OK;
}

/* ---- as parameters ---------------------------------------------------------------- */

/* Not an array of the source. */
static bool is_parameter(const fg_emitter *e, int memory) {
  return !(e->p->buffer[memory].space == FG_SPACE_TABLE && e->static_tables);
}

const char *fg_memory_pointer(const fg_emitter *e, int memory, int part) {
  const fg_memory *m = &e->memory[memory];
  const char *name = m->parts ? fg_arena_printf(e->cx->arena, "%s_%s", m->name, part ? "im" : "re") : m->name;
  return fg_coder_argument(e->coder, FG_CODE_POINTER, name);
}

const char *fg_memory_space(const fg_emitter *e, int memory) {
  const fg_buffer *b = &e->p->buffer[memory];
  if (fg_buffer_is_of_lanes(b)) return e->d->lane->space;
  return b->space == FG_SPACE_LOCAL ? e->d->local_space : e->d->global_space;
}

static const char *declare_one(const fg_emitter *e, const fg_uses *u, int memory, const char *restrict_word,
                               const char *suffix) {
  const fg_buffer *b = &e->p->buffer[memory];
  const char *space = fg_memory_space(e, memory), *type = fg_storage_type(e, b);
  return fg_arena_printf(e->cx->arena, "%s%s%s *%s%s%s", space, u->stored[memory] ? "" : "const ", type, restrict_word,
                         e->memory[memory].name, suffix);
}

int fg_memory_declare(const fg_emitter *e, const fg_uses *u, int memory, const char *restrict_word, const char **item) {
  if (!u->memory[memory] || !is_parameter(e, memory)) return 0;
  if (!e->memory[memory].parts) {
    item[0] = declare_one(e, u, memory, restrict_word, "");
    return 1;
  }
  item[0] = declare_one(e, u, memory, restrict_word, "_re");
  item[1] = declare_one(e, u, memory, restrict_word, "_im");
  return 2;
}

int fg_memory_mention(const fg_emitter *e, const fg_uses *u, int memory, const char **item) {
  if (!u->memory[memory] || !is_parameter(e, memory)) return 0;
  const char *name = e->memory[memory].name;
  if (!e->memory[memory].parts) {
    item[0] = name;
    return 1;
  }
  item[0] = fg_arena_printf(e->cx->arena, "%s_re", name);
  item[1] = fg_arena_printf(e->cx->arena, "%s_im", name);
  return 2;
}
