/* Tables: arrays of literals while they are small; else the text of a function
 * that fills the caller's memory with nothing but libm (templates/init.tmpl). */
#include "generator/emit_parts.h"
#include <string.h>

static bool is_used_table(const fg_emitter *e, int buffer) {
  return e->p->buffer[buffer].space == FG_SPACE_TABLE && e->memory[buffer].used && e->p->buffer[buffer].alias < 0;
}

/* ---- arrays ---------------------------------------------------------------------- */

static double real_at(const fg_emitter *e, const void *content, int64_t i) {
  return e->precision == FG_F32 ? (double)((const float *)content)[i] : ((const double *)content)[i];
}

static void write_literals(const fg_emitter *e, const void *content, int64_t reals, fg_strbuf *out) {
  int per_line = e->precision == FG_F32 ? 8 : 4;
  for (int64_t i = 0; i < reals; i++)
    fg_strbuf_addf(out, "%s%s%s", i % per_line ? " " : "  ", fg_literal(e, real_at(e, content, i)),
                   i % per_line == per_line - 1 || i == reals - 1 ? ",\n" : ",");
}

static const char *what_text(const fg_emitter *e, const fg_table *t) {
  fg_arena *a = e->cx->arena;
  long long order = (long long)t->order, rows = (long long)t->rows, cols = (long long)t->cols;
  const char *sign = t->sign < 0 ? "-" : "";
  switch (t->fill) {
  case FG_FILL_TWIDDLE:
    return fg_arena_printf(a, "exp(%s2 pi i r c / %lld), r = %lld..%lld, c = 0..%lld", sign, order, (long long)t->row0,
                           (long long)t->row0 + rows - 1, cols - 1);
  case FG_FILL_CHIRP: return fg_arena_printf(a, "exp(%s2 pi i c^2 / %lld), c = 0..%lld", sign, order, cols - 1);
  case FG_FILL_BLUESTEIN: break;
  }
  return fg_arena_printf(a, "transform of the conjugated chirp of %lld points, wrapped to %lld, over %lld",
                         (long long)t->n, cols, cols);
}

static int widest(const fg_emitter *e) {
  int lanes = 1;
  for (uint64_t bit = 2; bit <= e->lanes; bit *= 2)
    if (e->lanes & bit) lanes = (int)bit;
  return lanes;
}

fg_status fg_emit_pool_tables(fg_emitter *e) {
  for (int i = 0; i < e->p->ntable; i++) {
    const fg_table *t = &e->p->table[i];
    if (!is_used_table(e, t->buffer)) continue;
    int64_t bytes = fg_buffer_bytes(&e->p->buffer[t->buffer]), reals = bytes / fg_precision_bytes(e->precision);
    void *content = fg_arena_alloc(e->cx->arena, (size_t)bytes);
    fg_status status = fg_table_fill_real(e->cx, e->p, i, content);
    if (status != FG_OK) return status;
    fg_strbuf text;
    fg_strbuf_init(&text, e->cx->arena);
    write_literals(e, content, reals, &text);
    fg_pool_table table = {e->real, what_text(e, t), text.text, reals, e->real_bytes};
    e->memory[t->buffer].name = fg_table_pool_add(e->o->pool, &table);
  }
  return FG_OK;
}

fg_status fg_emit_static_tables(fg_emitter *e, fg_strbuf *out) {
  for (int i = 0; i < e->p->ntable; i++) {
    const fg_table *t = &e->p->table[i];
    const fg_buffer *b = &e->p->buffer[t->buffer];
    if (!is_used_table(e, t->buffer)) continue;
    int64_t bytes = fg_buffer_bytes(b), reals = bytes / fg_precision_bytes(e->precision);
    void *content = fg_arena_alloc(e->cx->arena, (size_t)bytes);
    fg_status status = fg_table_fill_real(e->cx, e->p, i, content);
    if (status != FG_OK) return status;
    const char *aligned = e->lanes ? fg_spell(e, widest(e), e->d->aligned, (fg_marks){0}) : "";
    fg_strbuf_addf(out, "/* %s */\nstatic const %s %s[%lld]%s = {\n", what_text(e, t), e->real,
                   e->memory[t->buffer].name, (long long)reals, aligned);
    write_literals(e, content, reals, out);
    fg_strbuf_add(out, "};\n\n");
  }
  return FG_OK;
}

/* ---- the function that fills ------------------------------------------------------- */

enum { LARGEST_FACTOR = 127 }; /* of a Bluestein length: arrays of 128 in the template */

/* Fours first, then primes; NULL: a factor too large. */
static const char *factor_text(const fg_emitter *e, int64_t n) {
  fg_strbuf s;
  fg_strbuf_init(&s, e->cx->arena);
  while (n % 4 == 0) n /= 4, fg_strbuf_add(&s, s.length ? ", 4" : "4");
  for (int64_t f = 2; f <= LARGEST_FACTOR; f++)
    for (; n % f == 0; n /= f) fg_strbuf_addf(&s, "%s%lld", s.length ? ", " : "", (long long)f);
  return n == 1 ? s.text : NULL;
}

static void set_place(fg_values *row, const fg_buffer *b) {
  fg_values_set(row, "at", "2 * i");
  fg_values_set(row, "im", "1");
  if (b->layout == FG_LAYOUT_SPLIT) {
    fg_values_set(row, "at", "i");
    fg_values_setf(row, "im", "%lld", (long long)b->size);
  } else if (b->layout == FG_LAYOUT_BLOCKED) {
    fg_values_setf(row, "at", "i + i / %d * %d", b->block, b->block);
    fg_values_setf(row, "im", "%d", b->block);
  }
}

static fg_status add_table(fg_emitter *e, fg_values *v, const fg_table *t) {
  fg_values *row = fg_values_add_row(v, "table");
  bool spectrum = t->fill == FG_FILL_BLUESTEIN;
  fg_values_setf(row, "offset", "%lld", (long long)e->memory[t->buffer].offset);
  fg_values_setf(row, "rows", "%lld", (long long)t->rows);
  fg_values_setf(row, "cols", "%lld", (long long)t->cols);
  fg_values_setf(row, "order", "%lldULL", (long long)t->order);
  fg_values_setf(row, "n", "%lld", (long long)t->n);
  fg_values_set(row, "sign", t->sign < 0 ? "-" : "");
  fg_values_set(row, "minus", t->sign < 0 ? "" : "-"); /* of the conjugate */
  fg_values_set(row, "spectrum", spectrum ? "1" : "");
  fg_values_set(row, "roots", spectrum ? "" : "1");
  fg_values_setf(row, "factor", t->fill == FG_FILL_TWIDDLE ? "(r + %lld)" : "c", (long long)t->row0);
  set_place(row, &e->p->buffer[t->buffer]);
  fg_values_setf(row, "work", "%lld", (long long)(e->init_work / (int64_t)sizeof(double)));
  const char *factors = spectrum ? factor_text(e, t->cols) : "";
  if (!factors)
    return fg_diag_set(&e->cx->diag, FG_EUSER,
                       "emit: a table of the transform of %lld points, filled at run time: prime factors up to %d",
                       (long long)t->cols, LARGEST_FACTOR);
  fg_values_set(row, "factors", factors);
  return FG_OK;
}

void fg_table_plan_init(fg_emitter *e) {
  int64_t longest = 0;
  for (int i = 0; i < e->p->ntable; i++) {
    const fg_table *t = &e->p->table[i];
    if (t->fill == FG_FILL_BLUESTEIN && is_used_table(e, t->buffer) && t->cols > longest) longest = t->cols;
  }
  if (!e->table_block) return;
  e->init_work = (e->table_block * e->real_bytes + 63) / 64 * 64;
  e->table_bytes = e->table_block * e->real_bytes;
  if (longest) e->table_bytes = e->init_work + 2 * longest * (int64_t)sizeof(double);
}

fg_status fg_emit_table_init(fg_emitter *e, fg_strbuf *out) {
  fg_values *v = fg_values_create(e->cx);
  bool spectrum = false;
  fg_values_list(v, "table");
  fg_values_set(v, "name", e->name);
  fg_values_set(v, "linkage", e->is_piece ? "static " : "");
  fg_values_set(v, "real", e->real);
  for (int i = 0; i < e->p->ntable; i++) {
    const fg_table *t = &e->p->table[i];
    if (!is_used_table(e, t->buffer)) continue;
    spectrum = spectrum || t->fill == FG_FILL_BLUESTEIN;
    fg_status status = add_table(e, v, t);
    if (status != FG_OK) return status;
  }
  fg_values_set(v, "spectrum", spectrum ? "1" : "");
  return fg_template_expand(e->cx, "init.tmpl", v, out);
}
