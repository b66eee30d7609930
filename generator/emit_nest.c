/* Digits as text: names, loops, and what blocks and threads compute of their
 * number. In: digits of a kernel. Out: names, "for" lines, declarations. */
#include "generator/emit_parts.h"
#include <ctype.h>
#include <stdio.h>
#include <string.h>

/* ---- names ------------------------------------------------------------------- */

static const char *const reserved[] = {"px",    "py", "pw", "bx", "by",   "bw",     "it",  "hold", "thread", "block",
                                       "local", "do", "if", "in", "long", "double", "for", "int",  "float",  "const"};

static bool is_taken(const fg_emitter *e, const fg_kernel *k, const char *name, const char **digit) {
  for (size_t i = 0; i < sizeof reserved / sizeof *reserved; i++)
    if (!strcmp(name, reserved[i])) return true;
  for (int i = 0; i < e->p->nbuffer; i++)
    if (!strcmp(name, e->p->buffer[i].name)) return true;
  for (int d = 0; d < k->ndigit; d++)
    if (digit[d] && !strcmp(name, digit[d])) return true;
  return strchr("xwytsf", name[0]) && isdigit((unsigned char)name[1]); /* values of a stage */
}

static void name_one(const fg_emitter *e, const fg_kernel *k, int d, const char **digit, int64_t *value) {
  const fg_digit *g = &k->digit[d];
  if (fg_num_is(g->extent, 1) && g->start.form == FG_NUM_CONST) {
    digit[d] = NULL;
    value[d] = fg_digit_value(g, 0, NULL);
    return;
  }
  const char *name = g->name;
  if (!*name || is_taken(e, k, name, digit)) name = fg_arena_printf(e->cx->arena, "%s_%d", *name ? name : "d", d);
  digit[d] = name;
}

void fg_name_digits(const fg_emitter *e, const fg_kernel *k, const fg_stage *s, const char **digit, int64_t *value) {
  for (int d = 0; d < k->ndigit; d++) digit[d] = NULL, value[d] = 0;
  for (int i = 0; i < k->nouter; i++) name_one(e, k, k->outer[i], digit, value);
  for (int i = 0; s && i < s->nloop; i++) name_one(e, k, s->loop[i], digit, value);
}

/* ---- loops --------------------------------------------------------------------- */

static void line(fg_nest *n, const char *format, ...) __attribute__((format(printf, 2, 3)));
static void line(fg_nest *n, const char *format, ...) {
  va_list args;
  fg_strbuf_addf(n->out, "%*s", n->indent, "");
  va_start(args, format);
  fg_strbuf_vaddf(n->out, format, args);
  va_end(args);
  fg_strbuf_add(n->out, "\n");
}

static bool is_clipped(const fg_digit *d) {
  return d->last != INT64_MAX && (d->extent.form != FG_NUM_CONST || (d->extent.n - 1) * d->step > d->last);
}

/* "start + (at < last ? at : last)" */
static void declare_clipped(fg_nest *n, const fg_digit *d, const char *name, const char *at) {
  const char *start = fg_num_text(n->e, n->uses, d->start);
  bool zero = fg_num_is(d->start, 0);
  line(n, "const %s %s = %s%s%s < %lld ? %s : %lld%s;", n->e->index, name, zero ? "" : start, zero ? "" : " + (", at,
       (long long)d->last, at, (long long)d->last, zero ? "" : ")");
}

void fg_nest_loop(fg_nest *n, int digit, bool unroll) {
  const fg_digit *d = &n->k->digit[digit];
  const char *name = n->digit[digit];
  if (!name) return;
  fg_arena *a = n->e->cx->arena;
  bool clipped = is_clipped(d) || d->step <= 0;
  const char *counter = clipped ? fg_arena_printf(a, "%s_at", name) : name;
  fg_sum bound;
  fg_sum_init(&bound, n->e, n->uses);
  if (!clipped) fg_sum_add(&bound, d->start, 1, NULL);
  fg_sum_add(&bound, d->extent, d->step > 0 ? d->step : 1, NULL);
  const char *step =
      d->step > 1 ? fg_arena_printf(a, "%s += %lld", counter, (long long)d->step) : fg_arena_printf(a, "++%s", counter);
  if (unroll && n->e->d->unroll) line(n, "%s", n->e->d->unroll);
  line(n, "for (%s %s = %s; %s < %s; %s) {", n->e->index, counter, clipped ? "0" : fg_num_text(n->e, n->uses, d->start),
       counter, fg_sum_text(&bound), step);
  n->indent += 2;
  n->depth++;
  if (!clipped) return;
  if (d->step > 0) {
    declare_clipped(n, d, name, counter);
    return;
  }
  fg_sum value;
  fg_sum_init(&value, n->e, n->uses);
  fg_sum_add(&value, d->start, 1, NULL);
  fg_sum_add(&value, fg_num_const(d->step), 1, counter);
  line(n, "const %s %s = %s;", n->e->index, name, fg_sum_text(&value));
}

void fg_nest_hardware(fg_nest *n, int digit, const char *id, bool whole) {
  const fg_digit *d = &n->k->digit[digit];
  const char *name = n->digit[digit];
  if (!name) return;
  fg_arena *a = n->e->cx->arena;
  const char *counter = d->div > 1 ? fg_arena_printf(a, "%s / %lld", id, (long long)d->div) : id;
  if (!whole) {
    fg_sum extent;
    fg_sum_init(&extent, n->e, n->uses);
    fg_sum_add(&extent, d->extent, 1, NULL);
    const char *text = fg_sum_text(&extent);
    counter = fg_arena_printf(a, fg_sum_is_compound(&extent) ? "%s %% (%s)" : "%s %% %s", counter, text);
  }
  if (d->step != 1) counter = fg_arena_printf(a, "%lld * (%s)", (long long)d->step, counter);
  const char *type = n->e->index;
  if (is_clipped(d)) {
    line(n, "const %s %s_at = %s;", type, name, counter);
    declare_clipped(n, d, name, fg_arena_printf(a, "%s_at", name));
  } else if (fg_num_is(d->start, 0)) {
    line(n, "const %s %s = %s;", type, name, counter);
  } else {
    line(n, "const %s %s = %s + %s;", type, name, fg_num_text(n->e, n->uses, d->start), counter);
  }
}

void fg_nest_close(fg_nest *n) {
  for (; n->depth > 0; n->depth--) {
    n->indent -= 2;
    line(n, "}");
  }
}
