/* Arguments of the public function, and the artifact's argument slots for them. */
#include "generator/ir/table_values.h"
#include "generator/lower/memory.h"
#include "generator/lower/persistent.h"
#include "generator/lower/storage.h"
#include "generator/print/assembly.h"
#include "generator/print/emit.h"
#include "generator/reference/operation_values.h"
#include "generator/text/emitter.h"
#include "generator/text/spell.h"

/* A buffer of the artifact; returns its first slot. */
static int add_buffer(fg_assembly *a, const fg_arg_buffer *b) {
  fg_artifact *f = a->artifact;
  int slot = fg_artifact_slot(f, f->nbuffer);
  f->buffer[f->nbuffer++] = *b;
  fg_strbuf_addf(&a->slots, b->split ? "%s%s_re, %s_im" : "%s%s", a->slots.length ? ", " : "", b->name, b->name);
  return slot;
}

static void add_argument(fg_assembly *a, fg_piece_arg_kind kind, const char *declared, int slot) {
  fg_arguments *l = &a->arguments;
  l->declared[l->n] = declared;
  l->kind[l->n] = kind;
  l->given[l->n++] = fg_arena_printf(a->e->cx->arena, "arguments[%d]", slot);
}

static void add_array(fg_assembly *a, int buffer, fg_arg_kind kind) {
  const fg_emitter *e = a->e;
  const fg_buffer *b = &e->p->buffer[buffer];
  int root = fg_buffer_root(e->p, buffer);
  const fg_memory *m = &e->memory[root];
  bool own = root == buffer;
  int slot = add_buffer(a, &(fg_arg_buffer){.name = own ? m->name : b->name,
                                            .kind = kind,
                                            .bytes = (size_t)(fg_buffer_bytes(b) / fg_precision_bytes(b->precision)) *
                                                     (size_t)fg_storage_bytes(e, b),
                                            .split = b->layout == FG_LAYOUT_SPLIT});
  if (!own) return; /* in place: the input's argument serves */
  fg_uses u = a->all;
  u.memory[root] = true;
  const char *item[2];
  int n = fg_memory_declare(e, &u, root, e->restrict_word, item);
  for (int i = 0; i < n; i++) add_argument(a, FG_PIECE_ARRAY, item[i], slot + i);
}

/* The numbers of a caller's array in the proofs, as its precision has them. */
static void fill_given(const fg_buffer *b, int64_t count, void *content) {
  fg_system reals = {.field = NULL};
  int parts = fg_buffer_parts(b);
  for (int64_t i = 0; i < count; i++) {
    fg_quadc x = fg_operation_values_given(&reals, b->given, i, parts == 2).quad;
    for (int part = 0; part < parts; part++) {
      double value = (double)(part ? x.im : x.re);
      if (b->precision == FG_F64)
        ((double *)content)[parts * i + part] = value;
      else
        ((float *)content)[parts * i + part] = (float)value;
    }
  }
}

/* Arrays that load and store operations take from the caller. Their contents here are an example with which the host
 * program checks the kernel. */
static fg_status add_given(fg_assembly *a) {
  fg_emitter *e = a->e;
  for (int m = 0; m < e->p->nbuffer; m++) {
    const fg_buffer *b = &e->p->buffer[m];
    if (b->space != FG_SPACE_GIVEN || b->alias >= 0 || !e->memory[m].used) continue;
    size_t bytes = (size_t)fg_buffer_bytes(b) / (size_t)fg_precision_bytes(b->precision) * (size_t)e->real_bytes;
    int64_t count = b->size < FG_GIVEN_PERIOD ? b->size : FG_GIVEN_PERIOD;
    size_t run = bytes / (size_t)b->size * (size_t)count;
    void *content = e->d->field_literals ? NULL : fg_arena_alloc(e->cx->arena, run);
    if (content) fill_given(b, count, content);
    fg_arg_buffer given = {
        .name = e->memory[m].name, .kind = FG_ARG_GIVEN, .bytes = bytes, .content = content, .repeat = run};
    int slot = add_buffer(a, &given);
    const char *item[2];
    fg_uses u = a->all;
    u.memory[m] = true;
    if (fg_memory_declare(e, &u, m, e->restrict_word, item)) add_argument(a, FG_PIECE_ARRAY, item[0], slot);
  }
  return FG_OK;
}

static fg_status add_tables(fg_assembly *a) {
  fg_emitter *e = a->e;
  if (e->table_block) {
    a->table_place =
        add_buffer(a, &(fg_arg_buffer){.name = "tables", .kind = FG_ARG_TABLE, .bytes = (size_t)e->table_bytes});
    add_argument(a, FG_PIECE_TABLES, fg_arena_printf(e->cx->arena, "const void *%stables", e->restrict_word),
                 a->table_place);
    return FG_OK;
  }
  if (e->d->tables != FG_TABLES_EACH) return FG_OK;
  for (int m = 0; m < e->p->nbuffer; m++) {
    const fg_buffer *b = &e->p->buffer[m];
    if (b->space != FG_SPACE_TABLE || !e->memory[m].used || b->alias >= 0) continue;
    bool is_index = b->elem == FG_ELEM_INDEX;
    fg_arg_buffer arg = {.name = e->memory[m].name, .kind = FG_ARG_TABLE, .bytes = (size_t)fg_buffer_bytes(b)};
    if (!is_index) arg.bytes = arg.bytes / (size_t)fg_precision_bytes(e->precision) * (size_t)e->real_bytes;
    bool left_out = e->o->sources_alone && arg.bytes > FG_LARGEST_FILL;
    if (b->table >= 0 && !e->d->field_literals && !left_out) {
      void *content = fg_arena_alloc(e->cx->arena, arg.bytes);
      fg_status status = fg_table_fill_real(e->cx, e->p, b->table, content);
      if (status != FG_OK) return status;
      arg.content = content;
    }
    int slot = add_buffer(a, &arg);
    const char *item[2];
    if (fg_memory_declare(e, &a->all, m, e->restrict_word, item)) add_argument(a, FG_PIECE_ARRAY, item[0], slot);
  }
  return FG_OK;
}

fg_status fg_assembly_arguments(fg_assembly *a) {
  fg_emitter *e = a->e;
  fg_arena *arena = e->cx->arena;
  add_array(a, FG_BUFFER_IN, FG_ARG_IN);
  add_array(a, FG_BUFFER_OUT, FG_ARG_OUT);
  fg_status status = add_given(a);
  if (status != FG_OK) return status;
  if (e->scratch && !e->launched) {
    int slot = add_buffer(
        a,
        &(fg_arg_buffer){.name = "scratch", .kind = FG_ARG_WORK, .bytes = (size_t)e->scratch * (size_t)e->real_bytes});
    add_argument(a, FG_PIECE_SCRATCH, fg_arena_printf(arena, "%s *%sscratch", e->real, e->restrict_word), slot);
  }
  for (int m = 0; e->launched && m < e->p->nbuffer; m++)
    if (e->p->buffer[m].space == FG_SPACE_WORK && e->memory[m].used && e->p->buffer[m].alias < 0)
      add_buffer(a, &(fg_arg_buffer){.name = e->memory[m].name,
                                     .kind = FG_ARG_WORK,
                                     .bytes = (size_t)fg_buffer_bytes(&e->p->buffer[m])});
  if (e->p->queue.ring)
    add_buffer(a,
               &(fg_arg_buffer){.name = FG_QUEUE_PLACE, .kind = FG_ARG_WORK, .bytes = (size_t)fg_persistent_bytes(e)});
  status = add_tables(a);
  for (int i = 0; i < e->p->problem.nparam; i++) {
    fg_arguments *l = &a->arguments;
    l->kind[l->n] = FG_PIECE_PARAM;
    l->declared[l->n] = fg_arena_printf(arena, "%s %s", e->d->index_type, fg_spell_param(e, i));
    l->given[l->n++] = fg_arena_printf(arena, "(%s)params[%d]", e->d->index_type, i);
  }
  a->artifact->nparam = e->p->problem.nparam;
  return status;
}
