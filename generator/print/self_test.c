/* The manifest with the launches of kernels (JSON), and the main() that tests an emitted file. */
#include "generator/base/template.h"
#include "generator/ir/count.h"
#include "generator/print/header.h"
#include "generator/problem/shape.h"
#include "generator/reference/operation_values.h"
#include "generator/text/emitter.h"
#include "generator/text/spell.h"
#include <string.h>

/* ---- manifest ------------------------------------------------------------------- */

static const char *json_text(const fg_emitter *e, const char *text) {
  fg_strbuf s = fg_strbuf_new(e->cx->arena);
  for (const char *c = text; *c; c++) {
    if (*c == '"' || *c == '\\')
      fg_strbuf_addf(&s, "\\%c", *c);
    else if ((unsigned char)*c < ' ')
      fg_strbuf_addf(&s, "\\u%04x", (unsigned char)*c);
    else
      fg_strbuf_addn(&s, c, 1);
  }
  return s.text;
}

static void set_comma(fg_template_values *row, int i, int n) { fg_template_set(row, "comma", i < n - 1 ? "," : ""); }

static void add_place_row(fg_template_values *v, const fg_arg_buffer *b, const char *suffix, bool last) {
  static const char *const kinds[] = {"in", "out", "work", "table", "given"};
  fg_template_values *row = fg_template_add_row(v, "slot");
  fg_template_setf(row, "name", "%s%s", b->name, suffix);
  fg_template_set(row, "kind", kinds[b->kind]);
  fg_template_setf(row, "bytes", "%zu", b->split ? b->bytes / 2 : b->bytes);
  fg_template_set(row, "comma", last ? "" : ",");
}

static void add_slots(fg_template_values *v, const fg_artifact *a) {
  fg_template_list(v, "slot");
  for (int i = 0; i < a->nbuffer; i++) {
    bool last = i == a->nbuffer - 1, split = a->buffer[i].split;
    add_place_row(v, &a->buffer[i], split ? "_re" : "", last && !split);
    if (split) add_place_row(v, &a->buffer[i], "_im", last);
  }
}

static int table_slot(const fg_emitter *e, const fg_artifact *a, int buffer) {
  for (int i = 0; i < a->nbuffer; i++)
    if (!strcmp(a->buffer[i].name, e->memory[buffer].name)) return fg_artifact_slot(a, i);
  return -1;
}

static const char *coprime_text(const fg_emitter *e, const fg_table *t) {
  fg_strbuf s = fg_strbuf_new(e->cx->arena);
  for (int i = 0; i < fg_table_axes(t); i++) fg_strbuf_addf(&s, "%s%d", i ? ", " : ", \"coprime\": [", t->coprime[i]);
  if (t->coprime[0]) fg_strbuf_add(&s, "]");
  return s.text;
}

static const char *window_text(const fg_emitter *e, fg_window w) {
  const char *name = fg_arena_printf(e->cx->arena, ", \"window\": \"%s\"", w.row->name);
  bool has = w.row->parameter && *w.row->parameter;
  if (w.row->form == FG_WINDOW_BANK)
    return fg_arena_printf(
        e->cx->arena,
        "%s, \"bands\": %lld, \"rate\": %.17g, \"low\": %.17g, \"high\": %.17g, \"htk\": %d, \"peak\": %d, "
        "\"points\": %lld, \"slots\": %lld",
        name, (long long)w.bank.bands, w.bank.rate, w.bank.low, w.bank.high, w.bank.htk, w.bank.peak,
        (long long)w.points, (long long)w.slots);
  if (w.hop)
    name = fg_arena_printf(e->cx->arena, "%s, \"hop\": %lld, \"frames\": %lld", name, (long long)w.hop,
                           (long long)w.frames);
  return has ? fg_arena_printf(e->cx->arena, "%s, \"parameter\": %.17g", name, w.parameter) : name;
}

static void add_table_rows(const fg_emitter *e, fg_template_values *v, const fg_artifact *a) {
  static const char *const fills[] = {
      [FG_FILL_TWIDDLE] = "twiddle",     [FG_FILL_DOUBLING] = "doubling", [FG_FILL_CHIRP] = "chirp",
      [FG_FILL_BLUESTEIN] = "bluestein", [FG_FILL_RADER] = "rader",       [FG_FILL_RADER_SUM] = "rader_sum",
      [FG_FILL_POWERS] = "powers",       [FG_FILL_POWER] = "power",       [FG_FILL_LOGARITHM] = "logarithm",
      [FG_FILL_WINDOW] = "window",       [FG_FILL_STEPS] = "steps",       [FG_FILL_BAND] = "band"};
  static const char *const layouts[] = {"interleaved", "split", "blocked", "doubled"};
  fg_template_list(v, "table");
  fg_template_values *before = NULL;
  for (int i = 0; i < e->p->ntable; i++) {
    const fg_table *t = &e->p->table[i];
    int slot = table_slot(e, a, t->buffer);
    if (slot < 0) continue;
    if (before) fg_template_set(before, "comma", ",");
    fg_template_values *row = before = fg_template_add_row(v, "table");
    fg_template_setf(row, "slot", "%d", slot);
    fg_template_set(row, "fill", fills[t->fill]);
    fg_template_setf(row, "sign", "%d", t->sign);
    fg_template_setf(row, "rows", "%lld", (long long)t->rows);
    fg_template_setf(row, "cols", "%lld", (long long)t->cols);
    fg_template_setf(row, "row0", "%lld", (long long)t->row0);
    fg_template_setf(row, "col0", "%lld", (long long)t->col0);
    fg_template_setf(row, "col_step", "%lld", (long long)(t->col_step ? t->col_step : 1));
    fg_template_setf(row, "shift", "%d", t->shift);
    fg_template_setf(row, "order", "%lld", (long long)t->order);
    fg_template_set(row, "across", "");
    if (t->across) fg_template_setf(row, "across", ", \"across\": %lld", (long long)t->across);
    fg_template_set(row, "coprime", coprime_text(e, t));
    fg_template_setf(row, "n", "%lld", (long long)t->n);
    bool numbers = e->p->buffer[t->buffer].elem == FG_ELEM_COMPLEX;
    fg_template_set(row, "layout", numbers ? layouts[e->p->buffer[t->buffer].layout] : "real");
    fg_template_set(row, "window",
                    t->fill == FG_FILL_WINDOW || t->fill == FG_FILL_BAND ? window_text(e, t->window) : "");
    fg_template_set(row, "fold", t->fold ? fg_arena_printf(e->cx->arena, ", \"fold\": %lld", (long long)t->fold) : "");
    fg_template_set(row, "comma", "");
  }
}

static void add_launch_row(const fg_emitter *e, fg_template_values *v, const fg_launch *l, bool is_last) {
  const fg_problem *q = &e->p->problem;
  fg_strbuf s = fg_strbuf_new(e->cx->arena);
  fg_template_values *row = fg_template_add_row(v, "launch");
  fg_template_set(row, "kernel", l->entry);
  fg_template_setf(row, "threads", "%d", l->threads);
  fg_template_set(row, "cluster", l->cluster > 1 ? fg_arena_printf(e->cx->arena, "%d", l->cluster) : "");
  fg_template_set(row, "persistent", l->persistent ? "true" : "");
  fg_template_set(row, "balanced", l->balanced ? "true" : "");
  fg_template_set(row, "carveout", l->carveout ? fg_arena_printf(e->cx->arena, "%d", l->carveout) : "");
  fg_template_setf(row, "local", "%zu", l->local_bytes);
  for (int i = 0; i < l->nblock_factor; i++) {
    int param = l->block_factor[i].param;
    fg_strbuf_addf(&s, "%s{\"times\": %lld", i ? ", " : "", (long long)l->block_factor[i].n);
    if (param >= 0) fg_strbuf_addf(&s, ", \"parameter\": \"%s\"", q->param[param].name);
    if (l->block_factor[i].div > 1)
      fg_strbuf_addf(&s, ", \"divided_by\": %lld, \"rounded\": \"up\"", (long long)l->block_factor[i].div);
    fg_strbuf_add(&s, "}");
  }
  fg_template_set(row, "blocks", s.text);
  fg_strbuf_cut(&s, 0);
  for (int i = 0; i < l->narg; i++)
    fg_strbuf_addf(&s, "%s{\"%s\": %d}", i ? ", " : "", l->arg[i].is_param ? "parameter" : "slot", l->arg[i].index);
  fg_template_set(row, "arguments", s.text);
  fg_template_set(row, "comma", is_last ? "" : ",");
}

/* Bytes that a call moves, counted from the kernels. */
static void add_moved(const fg_emitter *e, fg_template_values *v) {
  fg_program_cost cost;
  fg_program_count(e->p, &cost);
  fg_template_setf(v, "moved_arrays", "%lld", (long long)(cost.bytes - cost.table_moves));
  fg_template_setf(v, "moved_tables", "%lld", (long long)cost.table_moves);
  fg_template_setf(v, "moved_local", "%lld", (long long)cost.local_bytes);
}

fg_status fg_emit_manifest(fg_emitter *e, const fg_artifact *a, fg_strbuf *out) {
  const fg_problem *q = &e->p->problem;
  fg_template_values *v = fg_template_create(e->cx);
  fg_template_set(v, "name", e->name);
  fg_template_set(v, "problem", json_text(e, fg_problem_print(e->cx, q)));
  fg_template_set(v, "plan", e->p->plan ? json_text(e, fg_plan_print(e->cx, e->p->plan)) : "");
  fg_template_set(v, "command", e->o->command ? json_text(e, e->o->command) : "");
  fg_template_set(v, "dialect", e->d->name);
  fg_template_setf(v, "source", "%s%s", e->name, e->d->extension);
  fg_template_set(v, "precision", fg_precision_name(e->precision));
  add_moved(e, v);
  fg_template_list(v, "param");
  for (int i = 0; i < q->nparam; i++) {
    fg_template_values *row = fg_template_add_row(v, "param");
    fg_template_set(row, "name", q->param[i].name);
    fg_template_setf(row, "lo", "%lld", (long long)q->param[i].lo);
    fg_template_setf(row, "hi", "%lld", (long long)q->param[i].hi);
    set_comma(row, i, q->nparam);
  }
  add_slots(v, a);
  add_table_rows(e, v, a);
  fg_template_list(v, "launch");
  for (int i = 0; i < a->nlaunch; i++) add_launch_row(e, v, &a->launch[i], i == a->nlaunch - 1);
  return fg_template_expand(e->cx, "manifest.tmpl", v, out);
}

/* ---- self-test --------------------------------------------------------------------- */

int64_t fg_emit_sample_param(const fg_emitter *e, int param) {
  const fg_param *p = &e->p->problem.param[param];
  return p->lo + (p->hi - p->lo < 8 ? p->hi - p->lo : 4);
}

static long long sample(const fg_emitter *e, fg_num x) {
  int64_t value[FG_MAX_PARAMS];
  for (int i = 0; i < e->p->problem.nparam; i++) value[i] = fg_emit_sample_param(e, i);
  return (long long)fg_num_value(x, value);
}

static bool is_plain(const fg_problem *q) { return q->kind == FG_C2C && q->rank == 1; }

static void set_layout(const fg_emitter *e, fg_template_values *v, const char *side, bool split, int64_t size) {
  fg_arena *a = e->cx->arena;
  const fg_problem *q = &e->p->problem;
  if (!is_plain(q)) {
    bool real = fg_problem_is_real(q, side[0] == 'o');
    const char *im =
        split ? fg_arena_printf(a, "%s[at + %lld]", side, (long long)size) : fg_arena_printf(a, "%s[2 * at + 1]", side);
    fg_template_set(v, fg_arena_printf(a, "%s_re", side), split || real ? "at" : "2 * at");
    fg_template_set(v, fg_arena_printf(a, "%s_im", side), real ? "0" : im);
    return;
  }
  fg_template_set(v, fg_arena_printf(a, "%s_re", side), split ? "at" : "2 * at");
  fg_template_set(v, fg_arena_printf(a, "%s_im", side),
                  split ? fg_arena_printf(a, "at + %lld", (long long)size) : "2 * at + 1");
}

/* The term of input j in output k of a kind: its angle is turn / period of a circle. */
typedef struct term {
  const char *iteration, *period, *add;
} term;

static const term *term_of(fg_kind kind) {
  static const term terms[FG_KIND_COUNT] = {
      [FG_C2C] = {"j * k", "n", "re += x * c - y * s, im += x * s + y * c;"},
      [FG_R2C] = {"j * k", "n", "re += x * c, im += x * s;"},
      [FG_C2R] = {"j * k", "n", "re += (j == 0 || 2 * j == n ? 1 : 2) * (x * c - y * s);"},
      [FG_DCT1] = {"j * k", "2 * (n - 1)", "re += (j == 0 || j == n - 1 ? 1 : 2) * x * c;"},
      [FG_DCT2] = {"(2 * j + 1) * k", "4 * n", "re += 2 * x * c;"},
      [FG_DCT3] = {"j * (2 * k + 1)", "4 * n", "re += (j == 0 ? 1 : 2) * x * c;"},
      [FG_DCT4] = {"(2 * j + 1) * (2 * k + 1)", "8 * n", "re += 2 * x * c;"},
      [FG_DST1] = {"(j + 1) * (k + 1)", "2 * (n + 1)", "re += 2 * x * s;"},
      [FG_DST2] = {"(2 * j + 1) * (k + 1)", "4 * n", "re += 2 * x * s;"},
      [FG_DST3] = {"(j + 1) * (2 * k + 1)", "4 * n", "re += (j == n - 1 ? 1 : 2) * x * s;"},
      [FG_DST4] = {"(2 * j + 1) * (2 * k + 1)", "8 * n", "re += 2 * x * s;"},
      [FG_MDCT] = {"(2 * j + 1 + n) * (2 * k + 1)", "8 * n", "re += 2 * x * c;"},
      [FG_IMDCT] = {"(2 * j + 1) * (2 * k + 1 + n)", "8 * n", "re += 2 * x * c;"},
  };
  return &terms[kind];
}

static void add_item(fg_strbuf *s, long long x) { fg_strbuf_addf(s, "%s%lld", s->length ? ", " : "", x); }

/* What compare_any.tmpl wants to know more. */
static void set_kind(const fg_emitter *e, fg_template_values *v) {
  static const char *const list[] = {"lengths", "in_lengths", "out_lengths", "in_strides", "out_strides"};
  const fg_problem *q = &e->p->problem;
  const term *t = term_of(q->kind);
  for (int l = 0; l < 5; l++) {
    fg_strbuf s = fg_strbuf_new(e->cx->arena);
    for (int d = 0; d < q->rank; d++) {
      const fg_dim *dim = &q->dim[d];
      long long item[] = {(long long)dim->n.n, (long long)fg_problem_length(q, d, false),
                          (long long)fg_problem_length(q, d, true), sample(e, dim->is), sample(e, dim->os)};
      add_item(&s, item[l]);
    }
    fg_template_set(v, list[l], s.text);
  }
  fg_template_setf(v, "rank", "%d", q->rank);
  fg_template_setf(v, "in_points", "%lld", (long long)fg_problem_elements(q, false));
  fg_template_setf(v, "out_points", "%lld", (long long)fg_problem_elements(q, true));
  fg_template_set(v, "revolution", t->iteration);
  fg_template_set(v, "period", t->period);
  fg_template_set(v, "add", t->add);
  bool exponential = q->kind == FG_C2C || q->kind == FG_R2C || q->kind == FG_C2R;
  fg_template_set(v, "sign", exponential && q->sign < 0 ? "-" : "");
}

/* The function that compares, and the declarations of arrays that its callers need. */
fg_status fg_emit_compare(const fg_emitter *e, fg_template_values *v) {
  const fg_problem *q = &e->p->problem;
  int64_t in_size = fg_problem_extent(q, false, NULL), out_size = fg_problem_extent(q, true, NULL);
  if (q->in_place && !is_plain(q)) in_size = out_size = in_size > out_size ? in_size : out_size;
  fg_strbuf text = fg_strbuf_new(e->cx->arena);
  fg_strbuf in_steps = fg_strbuf_new(e->cx->arena);
  fg_strbuf out_steps = fg_strbuf_new(e->cx->arena);
  for (int i = 0; i < q->batch_rank; i++) {
    fg_strbuf_addf(&text, "%lld, ", sample(e, q->batch[i].n));
    fg_strbuf_addf(&in_steps, "%lld, ", sample(e, q->batch[i].is));
    fg_strbuf_addf(&out_steps, "%lld, ", sample(e, q->batch[i].os));
  }
  fg_template_set(v, "counts", text.text);
  fg_template_set(v, "in_steps", in_steps.text);
  fg_template_set(v, "out_steps", out_steps.text);
  fg_strbuf_cut(&text, 0);
  fg_template_setf(v, "dims", "%d", q->batch_rank);
  fg_template_setf(v, "points", "%lld", (long long)fg_problem_points(q));
  fg_template_setf(v, "in_size", "%lld", (long long)in_size);
  fg_template_setf(v, "out_size", "%lld", (long long)out_size);
  fg_template_setf(v, "in_stride", "%lld", sample(e, q->dim[0].is));
  fg_template_setf(v, "out_stride", "%lld", sample(e, q->dim[0].os));
  fg_template_set(v, "sign", q->sign < 0 ? "-" : "");
  fg_system reals = {.field = NULL};
  double scale = (double)fg_operation_values_scale(&reals, q).quad.re;
  fg_template_set(v, "scale", "");
  if (q->scale != FG_SCALE_NONE) fg_template_setf(v, "scale", "%.17gL", scale);
  fg_template_set(v, "tolerance", e->precision == FG_F64 ? "1e-14" : "1e-5");
  fg_template_set(v, "name", e->name);
  fg_template_set(v, "real", e->real);
  set_layout(e, v, "in", q->split_in, in_size);
  set_layout(e, v, "out", q->split_out, out_size);
  if (!is_plain(q)) set_kind(e, v);
  const char *frame = is_plain(q) ? "compare.tmpl" : "compare_any.tmpl";
  fg_status status = fg_template_expand(e->cx, frame, v, &text);
  if (text.length) fg_strbuf_cut(&text, text.length - 1); /* the line's end is where it is put */
  fg_template_set(v, "compare", text.text);
  return status;
}

static const char *self_test_call(const fg_emitter *e) {
  const fg_problem *q = &e->p->problem;
  const char *item[FG_MAX_PARAMS + 8];
  int n = 0;
  item[n++] = "in";
  if (q->split_in) item[n++] = "in + in_size";
  if (!q->in_place) item[n++] = "out";
  if (!q->in_place && q->split_out) item[n++] = "out + out_size";
  if (e->scratch) item[n++] = fg_arena_printf(e->cx->arena, "(%s *)(void *)scratch", e->real);
  if (e->table_block) item[n++] = "tables";
  for (int i = 0; i < q->nparam; i++)
    item[n++] = fg_arena_printf(e->cx->arena, "%lld", (long long)fg_emit_sample_param(e, i));
  return fg_spell_call(e, e->name, item, n, 2);
}

fg_status fg_emit_self_test(fg_emitter *e, fg_strbuf *out) {
  fg_template_values *v = fg_template_create(e->cx);
  fg_status status = fg_emit_compare(e, v);
  if (status != FG_OK) return status;
  fg_template_setf(v, "scratch_bytes", "%lld", (long long)e->scratch * e->real_bytes);
  fg_template_setf(v, "table_bytes", "%lld", (long long)e->table_bytes);
  fg_template_set(v, "init", e->table_block ? "1" : "");
  fg_template_set(v, "in_place", e->p->problem.in_place ? "1" : "");
  fg_template_set(v, "call", self_test_call(e));
  return fg_template_expand(e->cx, "selftest.tmpl", v, out);
}
