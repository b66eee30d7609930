/* Small pieces of text: spellings with their placeholders filled in, numbers, sums, literals, argument lists. In:
 * values; out: strings in the arena. */
#include "generator/text/spell.h"
#include "generator/ir/program_machine.h"
#include "generator/text/emitter.h"
#include "generator/text/recorder_ops.h"
#include "generator/text/sum.h"
#include "targets/number.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static bool has_widest(const fg_emitter *e, const fg_machine *m) {
  return e->o->isa && e->o->isa->vector_bytes && e->o->isa->vector_bytes == m->vector_bytes;
}

bool fg_spell_is_double_pumped(const fg_emitter *e) {
  const fg_machine *m = fg_program_machine(e->p);
  return has_widest(e, m) && m->double_pumped;
}

bool fg_spell_swaps_words(const fg_emitter *e) {
  const fg_machine *m = fg_program_machine(e->p);
  return has_widest(e, m) && m->word_swaps;
}

/* ---- spellings --------------------------------------------------------------- */

const char *fg_spell_vector_type(const fg_emitter *e, int lanes) {
  if (lanes == 1) return e->real;
  const char *tag = e->is_piece ? fg_arena_printf(e->cx->arena, "_%s", fg_precision_name(e->precision)) : "";
  return fg_arena_printf(e->cx->arena, e->padded ? "vec%dof4%s" : "vec%d%s", lanes, tag);
}

static const char *mark_text(const fg_emitter *e, int lanes, char mark, const fg_marks *m) {
  fg_arena *a = e->cx->arena;
  switch (mark) {
  case 'a': return m->a;
  case 'b': return m->b;
  case 'c': return m->c;
  case 'p': return m->p;
  case 'v': return m->v;
  case 'i': return m->i;
  case 'T': return e->real;
  case 'V': return fg_spell_vector_type(e, lanes);
  case 'U': return fg_arena_printf(a, "%s_at", fg_spell_vector_type(e, lanes));
  case 'W': return fg_arena_printf(a, "%s_words", fg_spell_vector_type(e, lanes));
  case 'F': return e->d->literal_suffix[e->precision];
  case 'N': return fg_arena_printf(a, "%d", lanes);
  case 'B': return fg_arena_printf(a, "%d", lanes * e->real_bytes);
  case 'R': return fg_arena_printf(a, "%d", e->real_bytes);
  case 'h': return fg_arena_printf(a, "%x", (unsigned)atoi(m->i));
  case 'P': return e->d->pair[e->precision];
  case 'Q': return e->macro;
  case 'S': return m->space;
  default: return NULL;
  }
}

const char *fg_spell(const fg_emitter *e, int lanes, const char *format, fg_marks marks) {
  fg_strbuf s = fg_strbuf_new(e->cx->arena);
  for (const char *at = format; *at;) {
    size_t plain = strcspn(at, "%");
    fg_strbuf_addn(&s, at, plain);
    at += plain;
    if (!*at) break;
    const char *text = mark_text(e, lanes, at[1], &marks);
    if (text)
      fg_strbuf_add(&s, text), at += 2;
    else
      fg_strbuf_addn(&s, at++, 1);
  }
  return s.text;
}

const char *fg_spell_linkage(const fg_emitter *e) { return e->is_piece || !e->d->linkage ? "" : e->d->linkage; }

const char *fg_spell_macros(fg_context *cx, const fg_dialect *d, const char *macro, const char *text) {
  const fg_emitter e = {.cx = cx, .d = d, .macro = macro};
  return text ? fg_spell(&e, 1, text, (fg_marks){0}) : "";
}

const fg_stream_row *fg_spell_stream_row(const fg_emitter *e, int lanes) {
  if (e->o->isa && !e->o->isa->stream) return NULL;
  for (const fg_stream_row *r = e->d->vector.stream; r && r->real; r++)
    if (r->lanes == lanes && !strcmp(r->real, e->real)) return r;
  return NULL;
}

const fg_swap_row *fg_spell_swap_row(const fg_emitter *e, int lanes) {
  if (!fg_spell_swaps_words(e)) return NULL;
  for (const fg_swap_row *r = e->d->vector.swap; r && r->real; r++)
    if (r->lanes == lanes && !strcmp(r->real, e->real)) return r;
  return NULL;
}

/* ---- sums --------------------------------------------------------------------- */

const char *fg_spell_param(const fg_emitter *e, int param) {
  return fg_arena_printf(e->cx->arena, "p_%s", e->p->problem.param[param].name);
}

/* The run-time factor of a number; NULL: 1. */
static const char *factor_value(const fg_emitter *e, fg_uses *uses, fg_num x) {
  fg_coder *c = e->coder;
  if (x.form == FG_NUM_CONST) return NULL;
  const char *p = fg_coder_argument(c, FG_CODE_INDEX, fg_spell_param(e, x.param)), *div = fg_coder_int(c, x.div);
  if (uses) uses->param[x.param] = true;
  switch (x.form) {
  case FG_NUM_QUOT: return fg_coder_index(c, FG_CODE_DIV, p, div);
  case FG_NUM_REM: return fg_coder_index(c, FG_CODE_MOD, p, div);
  case FG_NUM_FLOOR: return fg_coder_index(c, FG_CODE_SUB, p, fg_coder_index(c, FG_CODE_MOD, p, div));
  case FG_NUM_CEIL:
    return fg_coder_index(c, FG_CODE_DIV, fg_coder_index(c, FG_CODE_ADD, p, fg_coder_int(c, x.div - 1)), div);
  case FG_NUM_CONST:
  case FG_NUM_PARAM: break;
  }
  return p;
}

void fg_sum_add(fg_sum *s, fg_num coef, int64_t factor, const char *variable) {
  fg_coder *c = s->e->coder;
  int64_t n = coef.n * factor;
  if (n == 0) return;
  if (coef.form == FG_NUM_CONST && !variable) {
    s->constant += n;
    return;
  }
  const char *term = factor_value(s->e, s->uses, coef);
  if (term && variable)
    term = fg_coder_index(c, FG_CODE_MUL, term, variable);
  else if (!term)
    term = variable;
  if (n != 1) term = fg_coder_index(c, FG_CODE_MUL, term, fg_coder_int(c, n));
  s->value = s->value ? fg_coder_index(c, FG_CODE_ADD, s->value, term) : term;
}

const char *fg_sum_text(fg_sum *s) {
  if (!s->value) return fg_arena_printf(s->e->cx->arena, "%lld", (long long)s->constant);
  return s->constant ? fg_coder_index(s->e->coder, FG_CODE_ADD, s->value, fg_coder_int(s->e->coder, s->constant))
                     : s->value;
}

bool fg_sum_is_constant(const fg_sum *s) { return !s->value; }

const char *fg_spell_num(const fg_emitter *e, fg_uses *uses, fg_num x) {
  fg_sum s = {.e = e, .uses = uses};
  fg_sum_add(&s, x, 1, NULL);
  return fg_sum_text(&s);
}

/* ---- literals and lists --------------------------------------------------------- */

const char *fg_spell_literal(const fg_emitter *e, double value) {
  char digits[40];
  fg_number_print(digits, sizeof digits, "%.*g", e->precision == FG_F64 ? 17 : 9, value);
  const char *point = strpbrk(digits, ".en") ? "" : ".0";
  return fg_arena_printf(e->cx->arena, "%s%s%s", digits, point, e->d->literal_suffix[e->precision]);
}

enum { LINE_WIDTH = 118 };

const char *fg_spell_call(const fg_emitter *e, const char *head, const char *const *item, int nitem, int indent) {
  fg_strbuf s = fg_strbuf_new(e->cx->arena);
  fg_strbuf_addf(&s, "%*s%s(", indent, "", head);
  size_t column = s.length;
  for (int i = 0; i < nitem; i++) {
    size_t width = strlen(item[i]) + 2;
    if (i && column + width > LINE_WIDTH) {
      fg_strbuf_addf(&s, ",\n%*s", indent + 4, "");
      column = (size_t)indent + 4;
    } else if (i) {
      fg_strbuf_add(&s, ", ");
    }
    fg_strbuf_add(&s, item[i]);
    column += width;
  }
  fg_strbuf_add(&s, ")");
  return s.text;
}
