/* The comments about an emitted kernel: the head of every file, and the public header. In: program and counts. Out:
 * values for templates, and text. */
#include "generator/print/header.h"
#include "generator/base/template.h"
#include "generator/ir/count.h"
#include "generator/lower/operations.h"
#include "generator/lower/storage.h"
#include "generator/problem/arrays.h"
#include "generator/problem/frames.h"
#include "generator/problem/given.h"
#include "generator/problem/operations_text.h"
#include "generator/problem/shape.h"
#include "generator/text/emitter.h"
#include "generator/text/spell.h"
#include "generator/text/statements.h"
#include <string.h>

/* Text that is valid inside a comment. */
static const char *comment_safe(const fg_emitter *e, const char *text) {
  char *copy = fg_arena_strdup(e->cx->arena, text);
  for (char *c = copy; *c; c++) {
    if (c[0] == '*' && c[1] == '/') c[1] = ' ';
    if (c[0] == '/' && c[1] == '*') c[1] = ' ';
    if ((unsigned char)*c < ' ') *c = ' ';
  }
  return copy;
}

static void fact(const fg_emitter *e, fg_template_values *v, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
static void fact(const fg_emitter *e, fg_template_values *v, const char *format, ...) {
  fg_strbuf s = fg_strbuf_new(e->cx->arena);
  va_list args;
  va_start(args, format);
  fg_strbuf_vaddf(&s, format, args);
  va_end(args);
  for (const char *line = s.text; *line;) {
    size_t length = strcspn(line, "\n");
    fg_template_set(fg_template_add_row(v, "fact"), "text",
                    comment_safe(e, fg_arena_printf(e->cx->arena, "%.*s", (int)length, line)));
    line += length + (line[length] == '\n');
  }
}

/* How to build it, for the architecture of the machine where one was named. */
static const char *note_of(const fg_emitter *e) {
  const char *usual = e->d->note_code, *code = e->o->machine ? e->o->machine->code : NULL, *text = e->d->note, *at;
  if (!usual || !code) return text;
  fg_strbuf s = fg_strbuf_new(e->cx->arena);
  for (; (at = strstr(text, usual)); text = at + strlen(usual))
    fg_strbuf_addf(&s, "%.*s%s", (int)(at - text), text, code);
  fg_strbuf_add(&s, text);
  return s.text;
}

void fg_emit_provenance(const fg_emitter *e, fg_template_values *v) {
  const fg_program *p = e->p;
  fg_program_cost cost;
  fg_program_count(p, &cost);
  fg_template_set(v, "name", e->name);
  fg_template_set(v, "title", comment_safe(e, fg_problem_print(e->cx, &p->problem)));
  fg_template_list(v, "fact");
  if (p->plan) fact(e, v, "Plan: %s", fg_plan_print(e->cx, p->plan));
  if (e->o->command) fact(e, v, "Made by: %s", e->o->command);
  if (e->o->machine) fact(e, v, "Planned for: %s, %s", e->o->machine->name, e->o->machine->title);
  fact(e, v, "Operations a call: %lld additions, %lld multiplications, %lld fused multiply-adds", (long long)cost.add,
       (long long)cost.mul, (long long)cost.fma);
  fact(e, v, "Bytes moved a call: %lld, and %lld to and from scratch that stays in cache", (long long)cost.bytes,
       (long long)cost.local_bytes);
  if (p->problem.nparam) fact(e, v, "(counts for the smallest values of run-time parameters)");
  for (int i = 0; i < p->nfallback; i++) fact(e, v, "Fallback: %s", p->fallback[i]);
  if (e->d->note) fact(e, v, "%s", note_of(e));
  const char *flags = fg_lower_operations_flags(e);
  if (*flags) fact(e, v, "Flags: %s", flags);
}

/* ---- arguments --------------------------------------------------------------- */

static void argument(fg_template_values *v, const char *text) {
  fg_template_set(fg_template_add_row(v, "argument"), "text", text);
}

/* As a factor or a bound: an expression is in parentheses. */
static const char *factor_text(const fg_emitter *e, fg_num x) {
  const char *text = fg_statements_number(e, NULL, x);
  return text[strspn(text, "0123456789")] ? fg_arena_printf(e->cx->arena, "(%s)", text) : text;
}

/* "float"; "unsigned short (f16)" */
static const char *number_text(const fg_emitter *e, int buffer) {
  const fg_buffer *b = &e->p->buffer[buffer];
  const char *type = fg_storage_type(e, b);
  if (!fg_storage_of(e, b) || b->precision == FG_F32) return type;
  return fg_arena_printf(e->cx->arena, "%s (%s)", type, fg_precision_name(b->precision));
}

/* Of rows that share a line of help, each its own formula; the type of numbers in an array is said there. */
static const char *operation_text(const fg_emitter *e, const fg_pointwise *op) {
  if (*op->text) return ""; /* an expression says it itself */
  const fg_operation_row *row = fg_operation_find(op->name);
  if (row->act == FG_ACT_STORED) return "";
  bool shared = !*row->help || (row > fg_operation_table() && !*row[-1].help);
  if (!shared || row->act != FG_ACT_VALUE) return fg_operation_says(e->cx->arena, row);
  return fg_arena_printf(e->cx->arena, "%s%s", row->value,
                         row->takes == FG_TAKES_ARRAY ? ", a of the array below" : "");
}

/* What happens between the array and the transform, in order. */
static void describe_operations(const fg_emitter *e, fg_template_values *v, bool is_input) {
  const fg_problem *q = &e->p->problem;
  const fg_pointwise *op = is_input ? q->load : q->store;
  int count = is_input ? q->nload : q->nstore;
  for (int i = 0; i < count; i++) {
    fg_strbuf s = fg_strbuf_new(e->cx->arena);
    fg_operations_print(&s, &op[i], 1);
    const char *help = operation_text(e, &op[i]);
    argument(v, fg_arena_printf(e->cx->arena, "  %s: %s%s%s", is_input ? "loaded" : "stored", s.text, *help ? ", " : "",
                                help));
  }
}

/* Of the array of an operation. */
static const char *whose_numbers(const fg_emitter *e, int16_t given) {
  static const char *const of[][2] = {
      [FG_SPECTRA_SHARED] = {"one for each element of a transform", "one for each element of a transform in the array"},
      [FG_SPECTRA_CHANNEL] =
          {"those of a transform for each index of the last batch dimension",
           "those of a transform's elements in the array for each index of the last batch dimension"},
      [FG_SPECTRA_EACH] = {"those of each transform, in their order",
                           "those of each transform's elements in the array, in their order"}};
  static const char *const also[] = {[FG_SPECTRA_SHARED] = "",
                                     [FG_SPECTRA_CHANNEL] = " for each index of the last batch dimension",
                                     [FG_SPECTRA_EACH] = " for each transform, in their order"};
  fg_given g;
  if (!fg_given_find(&e->p->problem, given, &g)) return "";
  if (g.of == FG_OPERAND_ELEMENTS) return of[g.whose][g.part != NULL];
  if (g.of == FG_OPERAND_ONE) return fg_arena_printf(e->cx->arena, "one%s", also[g.whose]);
  return fg_arena_printf(e->cx->arena, "one for each index of dimension %d of n%s%s", g.dimension,
                         *also[g.whose] ? ", others" : "", also[g.whose]);
}

static void describe_given(const fg_emitter *e, fg_template_values *v) {
  static const char *const spectra[] = {[FG_SPECTRA_SHARED] =
                                            "by which each transform is multiplied before the way back",
                                        [FG_SPECTRA_CHANNEL] = "a spectrum for each index of the last batch dimension",
                                        [FG_SPECTRA_EACH] = "a spectrum for each transform, in their order"};
  for (int i = 0; i < e->p->nbuffer; i++) {
    const fg_buffer *b = &e->p->buffer[i];
    if (b->space != FG_SPACE_GIVEN || b->alias >= 0 || !e->memory[i].used) continue;
    bool factors = fg_problem_factors(&e->p->problem) != NULL;
    argument(v, fg_arena_printf(e->cx->arena, "%s: %lld %s of %s, %s", e->memory[i].name, (long long)b->size,
                                b->elem == FG_ELEM_COMPLEX ? "complex numbers" : "numbers", e->real,
                                b->given == FG_GIVEN_SPECTRUM ? spectra[e->p->problem.spectra]
                                : factors
                                    ? "each where the element lies that it belongs to; those of points 0 are not read"
                                    : whose_numbers(e, b->given)));
    if (b->given == FG_GIVEN_SPECTRUM && e->p->problem.filter.rank)
      argument(v, fg_arena_printf(e->cx->arena, "  what %s_prepare makes of the filter", e->name));
  }
}

static void describe_array(const fg_emitter *e, fg_template_values *v, int memory, bool is_input) {
  const fg_problem *q = &e->p->problem;
  const fg_memory *m = &e->memory[memory];
  fg_arena *a = e->cx->arena;
  long long size = (long long)(is_input ? fg_problem_extent(q, false, NULL) : fg_problem_extent(q, true, NULL));
  const char *type = number_text(e, is_input ? FG_BUFFER_IN : FG_BUFFER_OUT);
  const char *layout = m->parts ? "real and imaginary parts in two arrays" : "interleaved (re, im)";
  argument(v,
           fg_problem_is_real(q, !is_input)
               ? fg_arena_printf(a, "%s: %lld numbers of %s; the alignment of the type suffices", m->name, size, type)
               : fg_arena_printf(a, "%s%s: %lld complex numbers of %s, %s; the alignment of the type suffices", m->name,
                                 m->parts ? "_re, _im" : "", size, type, layout));
  describe_operations(e, v, is_input);
  for (int i = 0; i < q->rank; i++) {
    fg_num stride = is_input ? q->dim[i].is : q->dim[i].os;
    if (!fg_num_is(stride, 1) && q->rank == 1)
      argument(v, fg_arena_printf(a, "  point j is at j * %s", factor_text(e, stride)));
    if (q->rank > 1)
      argument(v, fg_arena_printf(a, "  index j%d = 0 .. %lld is at j%d * %s", i,
                                  (long long)fg_problem_length(q, i, !is_input) - 1, i, factor_text(e, stride)));
  }
  for (int i = 0; i < q->batch_rank; i++)
    argument(v, fg_arena_printf(a, "  transform b%d, 0 <= b%d < %s, begins at b%d * %s", i, i,
                                factor_text(e, q->batch[i].n), i,
                                factor_text(e, is_input ? q->batch[i].is : q->batch[i].os)));
}

void fg_emit_describe_arguments(const fg_emitter *e, fg_template_values *v) {
  const fg_problem *q = &e->p->problem;
  fg_arena *a = e->cx->arena;
  fg_template_list(v, "argument");
  describe_array(e, v, FG_BUFFER_IN, true);
  if (!q->in_place) {
    describe_array(e, v, FG_BUFFER_OUT, false);
    argument(v, "  in and out do not overlap");
  } else if (fg_problem_is_real(q, false) != fg_problem_is_real(q, true)) {
    argument(v, "after the call, in the same memory:");
    describe_array(e, v, FG_BUFFER_IN, false);
  }
  describe_given(e, v);
  if (e->scratch && !e->is_piece)
    argument(
        v, fg_arena_printf(a, "scratch: %lld bytes, aligned to 64; its contents do not matter before or after the call",
                           (long long)e->scratch * e->real_bytes));
  if (e->table_block && !e->is_piece) argument(v, fg_arena_printf(a, "tables: filled by %s_init", e->name));
  for (int i = 0; i < q->nparam; i++)
    argument(v, fg_arena_printf(a, "%s: %lld .. %lld", fg_spell_param(e, i), (long long)q->param[i].lo,
                                (long long)q->param[i].hi));
}

/* Of frames; docs/problem.md has the same. */
static const char *frames_text(const fg_emitter *e) {
  const fg_problem *q = &e->p->problem;
  const char *line = fg_problem_kind_is_lapped(q->kind) ? fg_problem_kind_name(q->kind)
                     : q->kind == FG_STFT               ? "r2c"
                                                        : "c2r";
  return fg_arena_printf(e->cx->arena, "%s of %lld points, for %lld frames %lld samples apart%s", line,
                         (long long)q->dim[1].n.n, (long long)q->dim[0].n.n, (long long)fg_problem_hop(q),
                         fg_problem_is_signal(q, true) ? ", which are added" : "");
}

/* Of output k; docs/problem.md has the same. */
static const char *formula_of(const fg_emitter *e) {
  static const char *const sums[FG_KIND_COUNT] = {
      [FG_DCT1] = "x[0] + (-1)^k x[n-1] + 2 sum over 0 < j < n-1 of x[j] cos(pi j k / (n-1))",
      [FG_DCT2] = "2 sum over j of x[j] cos(pi (j + 1/2) k / n)",
      [FG_DCT3] = "x[0] + 2 sum over j > 0 of x[j] cos(pi j (k + 1/2) / n)",
      [FG_DCT4] = "2 sum over j of x[j] cos(pi (j + 1/2) (k + 1/2) / n)",
      [FG_DST1] = "2 sum over j of x[j] sin(pi (j + 1) (k + 1) / (n+1))",
      [FG_DST2] = "2 sum over j of x[j] sin(pi (j + 1/2) (k + 1) / n)",
      [FG_DST3] = "(-1)^k x[n-1] + 2 sum over j < n-1 of x[j] sin(pi (j + 1) (k + 1/2) / n)",
      [FG_DST4] = "2 sum over j of x[j] sin(pi (j + 1/2) (k + 1/2) / n)",
      [FG_MDCT] = "2 sum over j < 2n of x[j] cos(pi (j + 1/2 + n/2) (k + 1/2) / n)",
      [FG_IMDCT] = "2 sum over j < n of x[j] cos(pi (j + 1/2) (k + 1/2 + n/2) / n), k < 2n",
  };
  const fg_problem *q = &e->p->problem;
  fg_arena *a = e->cx->arena;
  const char *sign = q->sign < 0 ? "-" : "+";
  long long n = (long long)q->dim[0].n.n;
  if (fg_problem_has_frames(q)) return frames_text(e);
  if (sums[q->kind]) return fg_arena_printf(a, "%s, n = %lld", sums[q->kind], n);
  if (q->rank > 1) {
    fg_strbuf s = fg_strbuf_new(a);
    for (int i = 0; i < q->rank; i++)
      fg_strbuf_addf(&s, "%sj%d k%d / %lld", i ? " + " : "", i, i, (long long)q->dim[i].n.n);
    return fg_arena_printf(a, "sum over j of x[j] exp(%s 2 pi i (%s))", sign, s.text);
  }
  if (q->kind == FG_RCONV)
    return fg_arena_printf(a, "c2r of X[m] %s, m = 0 .. %lld, X the r2c of x, n = %lld",
                           q->conjugated ? "conj spectrum[m]" : "spectrum[m]", n / 2, n);
  if (q->kind == FG_CONV)
    return fg_arena_printf(a,
                           "sum over m of X[m] %s exp(+ 2 pi i m k / %lld), X[m] = sum over j of x[j] exp(- 2 pi "
                           "i j m / %lld)",
                           q->conjugated ? "conj spectrum[m]" : "spectrum[m]", n, n);
  const char *range = q->kind == FG_R2C ? ", k = 0 .. n/2" : q->kind == FG_C2R ? ", x[n-j] = conj x[j]" : "";
  return fg_arena_printf(a, "sum over j of x[j] exp(%s 2 pi i j k / %lld)%s", sign, n, range);
}

static const char *scale_text(const fg_emitter *e) {
  const fg_problem *q = &e->p->problem;
  fg_arena *a = e->cx->arena;
  long long n = (long long)fg_problem_scale_points(q);
  switch (q->scale) {
  case FG_SCALE_NONE: break;
  case FG_SCALE_1_N: return fg_arena_printf(a, ", over %lld", n);
  case FG_SCALE_1_SQRT_N: return fg_arena_printf(a, ", over the square root of %lld", n);
  case FG_SCALE_VALUE: return fg_arena_printf(a, ", times %.17g", q->scale_value);
  }
  return ", not scaled";
}

fg_status fg_emit_header(fg_emitter *e, const fg_header *h, fg_strbuf *out) {
  const fg_problem *q = &e->p->problem;
  fg_template_values *v = fg_template_create(e->cx);
  fg_emit_provenance(e, v);
  fg_emit_describe_arguments(e, v);
  fg_template_setf(v, "guard", "%s_H", e->macro);
  fg_template_set(v, "upper", e->macro);
  fg_template_setf(v, "points", "%lld", (long long)fg_problem_points(q));
  fg_template_setf(v, "scratch_bytes", "%lld", (long long)e->scratch * e->real_bytes);
  fg_template_setf(v, "table_bytes", "%lld", (long long)e->table_bytes);
  fg_template_set(v, "formula", formula_of(e));
  fg_template_set(v, "scaled", scale_text(e));
  fg_template_set(v, "batch", q->batch_rank ? ", for each transform of the batch" : "");
  fg_template_set(v, "signature", h->signature);
  fg_template_set(v, "parts", e->parts ? h->part_signature : "");
  fg_template_setf(v, "steps", "%d", e->nstep);
  fg_template_setf(v, "part_bytes", "%lld", (long long)e->part_scratch * e->real_bytes);
  fg_template_set(v, "init", e->table_block ? "1" : "");
  fg_template_set(v, "entry", e->o->entry ? "1" : "");
  fg_template_set(v, "arguments", h->arguments);
  return fg_template_expand(e->cx, "header.tmpl", v, out);
}
