/* Tables: arrays of literals if they are small; else the text of a function that fills the caller's memory with libm
 * alone (templates/init.tmpl). */
#include "generator/print/tables.h"
#include "generator/base/integer.h"
#include "generator/base/invariant.h"
#include "generator/base/template.h"
#include "generator/ir/table_values.h"
#include "generator/reference/window_values.h"
#include "generator/text/emitter.h"
#include "generator/text/spell.h"
#include "generator/text/table_pool.h"
#include <math.h>

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
    fg_strbuf_addf(out, "%s%s%s", i % per_line ? " " : "  ", fg_spell_literal(e, real_at(e, content, i)),
                   i % per_line == per_line - 1 || i == reals - 1 ? ",\n" : ",");
}

static void write_indices(const int32_t *index, int64_t count, fg_strbuf *out) {
  for (int64_t i = 0; i < count; i++)
    fg_strbuf_addf(out, "%s%d%s", i % 16 ? " " : "  ", (int)index[i], i % 16 == 15 || i == count - 1 ? ",\n" : ",");
}

/* Its order, in words. */
static const char *across_text(const fg_emitter *e, const fg_table *t) {
  fg_strbuf s = fg_strbuf_new(e->cx->arena);
  for (int i = 0; i < fg_table_axes(t); i++)
    fg_strbuf_addf(&s, "%s%d", i ? " by " : ", by residues modulo ", t->coprime[i]);
  if (t->coprime[0]) return s.text;
  return t->across ? fg_arena_printf(e->cx->arena, ", as a matrix of rows of %lld, turned", (long long)t->across) : "";
}

static const char *panel_text(const fg_emitter *e, const fg_table *t) {
  return t->panel ? fg_arena_printf(e->cx->arena, ", %lld c at a time", (long long)t->panel) : "";
}

static const char *what_text(const fg_emitter *e, const fg_table *t) {
  fg_arena *a = e->cx->arena;
  long long order = (long long)t->order, rows = (long long)t->rows, cols = (long long)t->cols;
  const char *sign = t->sign < 0 ? "-" : "";
  switch (t->fill) {
  case FG_FILL_TWIDDLE: {
    const char *scale = t->shift ? fg_arena_printf(a, "%g ", ldexp(1, t->shift)) : "", *step = "";
    if (t->col_step > 1) step = fg_arena_printf(a, " in steps of %lld", (long long)t->col_step);
    return fg_arena_printf(a, "%sexp(%s2 pi i r c / %lld), r = %lld..%lld, c = %lld..%lld%s%s", scale, sign, order,
                           (long long)t->row0, (long long)t->row0 + rows - 1, (long long)t->col0,
                           (long long)fg_table_column(t, cols - 1), step, panel_text(e, t));
  }
  case FG_FILL_DOUBLING:
    return fg_arena_printf(a, "exp(%s2 pi i 2^r c / %lld), r = 0..%lld, c = 0..%lld", sign, order, rows - 1, cols - 1);
  case FG_FILL_STEPS:
    return fg_arena_printf(a, "of w = exp(%s2 pi i c / %lld), c = 0..%lld, factors at each step by two of %lld points",
                           sign, order, cols - 1, 2 * rows);
  case FG_FILL_CHIRP: return fg_arena_printf(a, "exp(%s2 pi i c^2 / %lld), c = 0..%lld", sign, order, cols - 1);
  case FG_FILL_POWERS:
  case FG_FILL_RADER:
    return fg_arena_printf(a, "transform of exp(%s2 pi i / %lld) to the powers of its generator, wrapped to %lld%s",
                           sign, (long long)t->n, cols, across_text(e, t));
  case FG_FILL_RADER_SUM: return fg_arena_printf(a, "1, and the sum of those powers over %lld", order);
  case FG_FILL_POWER:
    return fg_arena_printf(a, "powers of a generator modulo %lld%s", (long long)t->n, t->sign < 0 ? ", inverse" : "");
  case FG_FILL_LOGARITHM:
    return fg_arena_printf(a, "where %s modulo %lld lie: logarithms%s", t->sign > 0 ? "inputs" : "results",
                           (long long)t->n, across_text(e, t));
  case FG_FILL_BAND: return fg_arena_printf(a, "first bins of %lld bands", cols);
  case FG_FILL_WINDOW:
    if (t->window.row->form == FG_WINDOW_BANK)
      return fg_arena_printf(a, "weights of %lld bands, %lld numbers each", (long long)t->window.bank.bands,
                             (long long)t->window.slots);
    if (t->window.row->form == FG_WINDOW_NUMBERS) return fg_arena_printf(a, "the numbers c = 0..%lld", cols - 1);
    if (t->window.hop)
      return fg_arena_printf(a, "1 over the sum of %lld squared windows %s, %lld apart, c = 0..%lld",
                             (long long)t->window.frames, fg_window_text(a, t->window), (long long)t->window.hop,
                             cols - 1);
    return fg_arena_printf(a, "window %s of %lld points, c = 0..%lld", fg_window_text(a, t->window), (long long)t->n,
                           cols - 1);
  case FG_FILL_BLUESTEIN: break;
  }
  return fg_arena_printf(a, "transform of the conjugated chirp of %lld points, wrapped to %lld, over %lld%s",
                         (long long)t->n, cols, cols, across_text(e, t));
}

/* One table as its array wants it: type, number and text of the entries. */
static fg_status table_text(fg_emitter *e, int table, fg_pool_table *out) {
  const fg_table *t = &e->p->table[table];
  const fg_buffer *b = &e->p->buffer[t->buffer];
  int64_t bytes = fg_buffer_bytes(b);
  void *content = fg_arena_alloc(e->cx->arena, (size_t)bytes);
  fg_status status = fg_table_fill_real(e->cx, e->p, table, content);
  if (status != FG_OK) return status;
  bool index = fg_table_is_index(t);
  int one = index ? (int)sizeof(int32_t) : fg_precision_bytes(e->precision);
  fg_strbuf text = fg_strbuf_new(e->cx->arena);
  *out = (fg_pool_table){.real = index ? e->d->lookup_type : e->real,
                         .what = what_text(e, t),
                         .reals = bytes / one,
                         .real_bytes = index ? one : e->real_bytes};
  if (index)
    write_indices(content, out->reals, &text);
  else
    write_literals(e, content, out->reals, &text);
  out->literals = text.text;
  return FG_OK;
}

static int widest(const fg_emitter *e) {
  int lanes = 1;
  for (uint64_t bit = 2; bit <= e->lanes; bit *= 2)
    if (e->lanes & bit) lanes = (int)bit;
  return lanes;
}

static void write_table(const fg_emitter *e, const fg_table *t, const fg_pool_table *table, fg_strbuf *out) {
  const char *aligned = e->lanes && !fg_table_is_index(t) ? fg_spell(e, widest(e), e->d->aligned, (fg_marks){0}) : "";
  fg_strbuf_addf(out, "/* %s */\nstatic const %s %s[%lld]%s = {\n%s", table->what, table->real,
                 e->memory[t->buffer].name, (long long)table->reals, aligned, table->literals);
  fg_strbuf_add(out, "};\n\n");
}

fg_status fg_emit_static_tables(fg_emitter *e, fg_strbuf *out) {
  for (int i = 0; i < e->p->ntable; i++) {
    const fg_table *t = &e->p->table[i];
    if (!is_used_table(e, t->buffer)) continue;
    fg_pool_table table;
    fg_status status = table_text(e, i, &table);
    if (status != FG_OK) return status;
    if (out)
      write_table(e, t, &table, out);
    else
      e->memory[t->buffer].name = fg_table_pool_add(e->o->pool, &table);
  }
  return FG_OK;
}

/* ---- the function that fills ------------------------------------------------------- */

enum { LARGEST_FACTOR = 1021 }; /* of the length of a sum */

/* Fours first, then primes; NULL: a factor too large. */
static const char *factor_text(const fg_emitter *e, int64_t n) {
  fg_strbuf s = fg_strbuf_new(e->cx->arena);
  while (n % 4 == 0) n /= 4, fg_strbuf_add(&s, s.length ? ", 4" : "4");
  for (int64_t f = 2; f <= LARGEST_FACTOR; f++)
    for (; n % f == 0; n /= f) fg_strbuf_addf(&s, "%s%lld", s.length ? ", " : "", (long long)f);
  return n == 1 ? s.text : NULL;
}

/* The last index of factor_text. */
static int64_t largest_factor(int64_t n) {
  int64_t largest = 1;
  while (n % 4 == 0) n /= 4;
  for (int64_t f = 2; n > 1 && f <= LARGEST_FACTOR; f++)
    for (; n % f == 0; n /= f)
      if (f > largest) largest = f;
  return largest;
}

/* The place of number `k` in an array of coprime dimensions. */
static const char *place_text(const fg_emitter *e, const fg_table *t, const char *k) {
  fg_strbuf s = fg_strbuf_new(e->cx->arena);
  int64_t each = fg_table_is_sum(t) ? t->cols : t->order;
  for (int i = 0; i < fg_table_axes(t); i++) {
    each /= t->coprime[i];
    fg_strbuf_addf(&s, "%s%s * %lld %% %d * %lld", i ? " + " : "", k, (long long)fg_table_multiplier(t, i),
                   t->coprime[i], (long long)each);
  }
  return s.text;
}

/* The place of entry `i` in a table that may be permuted (fg_buffer_lane_position). */
static const char *permuted_text(const fg_emitter *e, const fg_buffer *b, const char *i) {
  int half = fg_buffer_lane_half(b), top = b->permuted / 2;
  if (!b->permuted) return i;
  return fg_arena_printf(e->cx->arena, "(%s - (%s & %d) + (%s & %d) * 2 + (%s >> %d & %d))", i, i, b->permuted - half,
                         i, top - half, i, fg_log2(top / half), half);
}

/* The element of entry (r, c). */
static const char *element_text(const fg_emitter *e, const fg_table *t) {
  long long panel = (long long)t->panel, rows = (long long)t->rows, cols = (long long)t->cols;
  if (!panel) return fg_arena_printf(e->cx->arena, "r * %lld + c", cols);
  return fg_arena_printf(e->cx->arena, "(c / %lld * %lld + r) * %lld + c %% %lld", panel, rows, panel, panel);
}

/* Of element i; a transposed matrix is one of interleaved numbers. */
static void set_place(const fg_emitter *e, fg_template_values *row, const fg_table *t, const fg_buffer *b) {
  long long across = (long long)t->across;
  fg_template_set(row, "at", "2 * i");
  fg_template_set(row, "im", "1");
  fg_template_set(row, "doubled", "");
  if (t->coprime[0]) {
    fg_invariant(b->layout == FG_LAYOUT_INTERLEAVED);
    fg_template_setf(row, "at", "2 * (%s)", place_text(e, t, "i"));
  } else if (across) {
    fg_invariant(b->layout == FG_LAYOUT_INTERLEAVED);
    fg_template_setf(row, "at", "2 * (i %% %lld * %lld + i / %lld)", across, (long long)t->cols / across, across);
  } else if (b->layout == FG_LAYOUT_SPLIT) {
    fg_template_set(row, "at", permuted_text(e, b, "i"));
    fg_template_setf(row, "im", "%lld", (long long)b->size);
  } else if (b->layout == FG_LAYOUT_BLOCKED) {
    fg_template_setf(row, "at", "%s + i / %d * %d", permuted_text(e, b, "i"), b->block, b->block);
    fg_template_setf(row, "im", "%d", b->block);
  } else if (b->layout == FG_LAYOUT_DOUBLED) {
    fg_template_setf(row, "im", "%lld", (long long)(2 * b->size));
    fg_template_set(row, "doubled", "1");
  }
}

static fg_status add_factors(fg_emitter *e, fg_template_values *row, const fg_table *t) {
  int64_t length = fg_table_is_sum(t) ? t->cols : 1;
  const char *factors = factor_text(e, length);
  fg_template_set(row, "factors", factors ? factors : "");
  if (factors) return FG_OK;
  return fg_refuse(e->cx, "emit: a table of the transform of %lld points, filled at run time: prime factors up to %d",
                   (long long)length, LARGEST_FACTOR);
}

static const char *weights_text(const fg_emitter *e, const fg_window_row *window) {
  fg_strbuf s = fg_strbuf_new(e->cx->arena);
  for (int m = 0; m < FG_WINDOW_TERMS && window->c[m]; m++)
    fg_strbuf_addf(&s, "%s%s%lld.%09lld", m ? ", " : "", fg_window_sign(window, m) < 0 ? "-" : "",
                   (long long)window->c[m] / 1000000000, (long long)window->c[m] % 1000000000);
  return s.text;
}

/* Windows that are no sums, as numbers: their formulas take more than libm. */
static const char *literal_weights(const fg_emitter *e, const fg_table *t) {
  fg_strbuf s = fg_strbuf_new(e->cx->arena);
  const fg_quad *weight = fg_operation_values_weights(e->cx, t->window, t->n);
  for (int64_t c = 0; c < t->cols; c++)
    fg_strbuf_addf(&s, "%s%.17g", c % 4 ? ", " : c ? ",\n      " : "", (double)weight[c]);
  return s.text;
}

static void add_bands(const fg_emitter *e, fg_template_values *row, const fg_table *t) {
  fg_strbuf entries = fg_strbuf_new(e->cx->arena);
  if (t->fill == FG_FILL_BAND) write_indices(fg_table_indices(e->cx, t), t->cols, &entries);
  fg_template_set(row, "entries", entries.text);
}

/* Of factors at each step by two: what column `c` becomes in row `r`, and what multiplies that (program.h). */
static void add_steps(const fg_emitter *e, fg_template_values *row, const fg_table *t) {
  fg_strbuf shift = fg_strbuf_new(e->cx->arena);
  fg_strbuf factor = fg_strbuf_new(e->cx->arena);
  fg_strbuf_addf(&shift, "(c + (r < 1 ? 0");
  fg_strbuf_addf(&factor, "(r < 1 ? %lld", (long long)t->rows);
  for (int64_t top = 1; top < t->rows; top *= 2) {
    fg_strbuf_addf(&shift, " : r < %lld ? r - %lld", (long long)(2 * top), (long long)top);
    fg_strbuf_addf(&factor, " : r < %lld ? %lld", (long long)(2 * top), (long long)(t->rows / (2 * top)));
  }
  fg_template_setf(row, "column", "%s : 0) * %lld)", shift.text, (long long)(t->order / (2 * t->rows)));
  fg_template_setf(row, "factor", "%s : 0)", factor.text);
}

static fg_status add_table(fg_emitter *e, fg_template_values *v, const fg_table *t) {
  fg_template_values *row = fg_template_add_row(v, "table");
  bool sum = fg_table_is_sum(t), index = fg_table_is_index(t), pair = t->fill == FG_FILL_RADER_SUM;
  bool padded = pair && t->order != t->n - 1;
  fg_template_setf(row, "offset", "%lld", (long long)e->memory[t->buffer].offset);
  fg_template_setf(row, "rows", "%lld", (long long)t->rows);
  fg_template_setf(row, "cols", "%lld", (long long)t->cols);
  fg_template_setf(row, "order", "%lld", (long long)t->order);
  fg_template_setf(row, "n", "%lld", (long long)t->n);
  fg_template_set(row, "sign", t->sign < 0 ? "-" : "");
  fg_template_set(row, "minus", t->sign < 0 ? "" : "-"); /* of the conjugate */
  fg_template_set(row, "spectrum", sum ? "1" : "");
  fg_template_set(row, "chirp", t->fill == FG_FILL_BLUESTEIN ? "1" : "");
  fg_template_set(row, "powers", sum && t->fill != FG_FILL_BLUESTEIN ? "1" : "");
  fg_template_set(row, "one", t->fill == FG_FILL_RADER ? "1" : "");
  fg_template_set(row, "pair", pair ? "1" : "");
  fg_template_set(row, "ones", padded ? "2.0" : "1.0");
  fg_template_set(row, "twice", padded ? "1.0" : "0.0");
  bool window = t->fill == FG_FILL_WINDOW;
  bool counts = window && t->window.row->form == FG_WINDOW_NUMBERS;
  fg_template_set(row, "window", window && fg_window_has_terms(t->window) ? weights_text(e, t->window.row) : "");
  fg_template_set(row, "counts", counts ? "1" : "");
  bool shaped = window && !counts && !fg_window_has_terms(t->window);
  fg_template_set(row, "weights", shaped ? literal_weights(e, t) : "");
  fg_template_set(row, "cosines", window && !shaped && t->window.row->form == FG_WINDOW_COSINES ? "1" : "");
  fg_template_set(row, "sines", window && !shaped && t->window.row->form == FG_WINDOW_SINES ? "1" : "");
  fg_template_set(row, "roots", sum || index || pair || window ? "" : "1");
  fg_template_set(row, "index", index ? "1" : "");
  fg_template_set(row, "numbers", index ? "" : "1");
  fg_template_set(row, "real", index ? e->d->lookup_type : e->real);
  const char *exponent =
      t->sign > 0 ? "c"
                  : fg_arena_printf(e->cx->arena, "((%lld - c) %% %lld)", (long long)t->n - 1, (long long)t->n - 1);
  fg_template_set(row, "entry", t->coprime[0] ? place_text(e, t, exponent) : exponent);
  add_bands(e, row, t);
  fg_template_set(row, "power", t->fill == FG_FILL_POWER ? "1" : "");
  fg_template_set(row, "logarithm", t->fill == FG_FILL_LOGARITHM ? "1" : "");
  fg_template_setf(row, "generator", "%lld",
                   (long long)(index || (sum && t->fill != FG_FILL_BLUESTEIN) ? fg_table_generator(t) : 0));
  fg_template_set(row, "column", "c");
  if (t->col0 || t->col_step)
    fg_template_setf(row, "column", "(%lld * c + %lld)", (long long)(t->col_step ? t->col_step : 1),
                     (long long)t->col0);
  if (t->fold)
    fg_template_setf(row, "column", "(c > %lld ? %lld - c : c)", (long long)t->fold, (long long)(3 * t->fold));
  const char *scale = t->shift ? fg_arena_printf(e->cx->arena, "(%.17g * ", ldexp(1, t->shift)) : "",
             *end = t->shift ? ")" : "";
  fg_template_setf(row, "re", "%sre%s", scale, end);
  fg_template_setf(row, "imag", "%s%sim%s", scale, t->sign < 0 ? "-" : "", end);
  fg_template_setf(row, "factor",
                   t->fill == FG_FILL_TWIDDLE    ? "(r + %lld)"
                   : t->fill == FG_FILL_DOUBLING ? "(1ULL << r)"
                                                 : "c",
                   (long long)t->row0);
  if (t->fill == FG_FILL_STEPS) add_steps(e, row, t);
  fg_template_set(row, "element", element_text(e, t));
  set_place(e, row, t, &e->p->buffer[t->buffer]);
  fg_template_setf(row, "work", "%lld", (long long)(e->init_work / (int64_t)sizeof(double)));
  return add_factors(e, row, t);
}

void fg_emit_plan_table_init(fg_emitter *e) {
  int64_t longest = 0;
  for (int i = 0; i < e->p->ntable; i++) {
    const fg_table *t = &e->p->table[i];
    if (fg_table_is_sum(t) && is_used_table(e, t->buffer) && t->cols > longest) longest = t->cols;
  }
  if (!e->table_block) return;
  e->init_work = (e->table_block * e->real_bytes + 63) / 64 * 64;
  e->table_bytes = e->table_block * e->real_bytes;
  if (longest) e->table_bytes = e->init_work + 2 * longest * (int64_t)sizeof(double);
}

fg_status fg_emit_table_init(fg_emitter *e, fg_strbuf *out) {
  fg_template_values *v = fg_template_create(e->cx);
  bool spectrum = false, roots = false;
  int64_t largest = 4; /* four points at a time there always are */
  fg_template_list(v, "table");
  fg_template_set(v, "name", e->name);
  fg_template_set(v, "linkage", fg_spell_linkage(e));
  fg_template_set(v, "qualifier", e->is_piece ? "static " : "");
  fg_template_set(v, "real", e->real);
  for (int i = 0; i < e->p->ntable; i++) {
    const fg_table *t = &e->p->table[i];
    if (!is_used_table(e, t->buffer)) continue;
    spectrum = spectrum || fg_table_is_sum(t);
    if (fg_table_is_sum(t) && largest_factor(t->cols) > largest) largest = largest_factor(t->cols);
    roots = roots || !(fg_table_is_index(t) || (t->fill == FG_FILL_WINDOW && !fg_window_has_terms(t->window)));
    fg_status status = add_table(e, v, t);
    if (status != FG_OK) return status;
  }
  bool exact = spectrum && e->precision == FG_F64; /* floats need no more than double */
  fg_template_set(v, "spectrum", spectrum ? "1" : "");
  fg_template_set(v, "exact", exact ? "1" : "");
  fg_template_set(v, "rough", spectrum && !exact ? "1" : "");
  fg_template_set(v, "wide", exact ? fg_arena_printf(e->cx->arena, "%s_wide", e->name) : "double");
  fg_template_set(v, "roots", roots ? "1" : "");
  fg_template_setf(v, "largest", "%lld", (long long)largest);
  return fg_template_expand(e->cx, "init.tmpl", v, out);
}
