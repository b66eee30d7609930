/* Literals read back. In: the C text of a program, and its prime-field text. Out: whether every constant and every
 * table entry that a compiler reads from the C text is the exact value, rounded.
 *
 * The idea: both dialects declare the same constants in the same order. The field's text identifies each exact
 * constant by its field element; the C text has its number. Tables are compared with their definition in 113 bits;
 * tcc runs the functions that fill tables at run time, and their entries are compared. */
#include "generator/prove/literals.h"
#include "generator/ir/table_values.h"
#include "generator/math/constant_value.h"
#include "generator/prove/entries.h"
#include "generator/prove/table_values.h"
#include "generator/prove/translate.h"
#include "generator/reference/operation_values.h"
#include "targets/number.h"
#include "targets/tcc.h"
#include <float.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* In units of the last place: literals are rounded once, and printed so that they
 * come back; tables filled at run time as exactly as their text states. */
#define LITERAL_LIMIT 0.51
#define FILLED_LIMIT 1.2
#define SPECTRUM_LIMIT 16     /* of an entry's mean size: what passes in double leave, */
#define SPECTRUM_LIMIT_WIDE 8 /* and in long double of 64 bits */
#define TINY 0x1p-100         /* where 113 bits do not tell a number from 0 */

typedef struct reader {
  fg_context *cx;
  const fg_proof_text *gf;
  const fg_artifact *c;
  fg_text_proof *out;
  fg_precision precision;
  bool short_of_memory;
} reader;

static bool fail(reader *r, const char *what, const char *name) {
  if (!r->out->failure[0]) snprintf(r->out->failure, sizeof r->out->failure, "text: %s %.100s", what, name);
  return false;
}

/* Distance in units of the last place of the exact value. */
static double distance(const reader *r, fg_quad exact, double read) {
  if (exact == 0) return read == 0 ? 0 : INFINITY;
  int bits = r->precision == FG_F64 ? 53 : 24;
  fg_quad d = exact - (fg_quad)read;
  if (d < 0) d = -d;
  return ldexp((double)d, bits - 1 - ilogb((double)exact));
}

static double read_number(const reader *r, const char *text, char **end) {
  return r->precision == FG_F64 ? fg_number_read(text, end) : (double)fg_number_read_float(text, end);
}

static bool check(reader *r, const char *name, fg_quad exact, double read, double limit) {
  double d = distance(r, exact, read), size = fabs((double)exact);
  r->out->literals++;
  if (size < TINY && fabs(read) < TINY) return true;
  if (d > r->out->literal_ulp) r->out->literal_ulp = d;
  if (d <= limit) return true;
  return fail(r, "not the exact value, rounded, in", name);
}

/* ---- constants -------------------------------------------------------------------------- */

const char *fg_prove_next_constant(const char *at, fg_named_constant *out) {
  for (; (at = strstr(at, "const ")); at++) {
    const char *value = strstr(at, " = "), *name = value;
    if (!value || value > at + strcspn(at, "\n;")) continue;
    while (name[-1] != ' ') name--;
    if (name[0] != 'K' || !strchr("PN", name[1]) || name == at) continue;
    *out = (fg_named_constant){name, value + 3, (size_t)(value - name)};
    return value;
  }
  return NULL;
}

static bool number_of(const reader *r, const fg_operations *o, fg_gf image, fg_quad *out) {
  for (int k = 0; o && k < o->count; k++)
    for (int i = 0; i < o->operation[k].value->count; i++) {
      const fg_expression_term *t = &o->operation[k].value->term[i];
      if (t->op == FG_TERM_NUMBER && fg_operation_values_number(r->gf->field, t->number) == image)
        return *out = t->number, true;
    }
  return false;
}

/* The exact constant whose image this is. */
static bool constant_of(const reader *r, fg_gf image, fg_quad *out) {
  const fg_program *p = r->gf->p;
  fg_system field = {.field = r->gf->field}, reals = {.field = NULL};
  *out = fg_operation_values_scale(&reals, &p->problem).quad.re;
  if (fg_operation_values_scale(&field, &p->problem).gf.re == image) return true;
  for (int k = 0; k < p->nkernel; k++)
    for (int s = 0; s < p->kernel[k]->nstage; s++) {
      const fg_codelet *c = p->kernel[k]->stage[s].codelet;
      for (int i = 0; c && i < c->nnode; i++)
        if (c->node[i].op == FG_OP_CONST && fg_const_image(c->pool, r->gf->field, c->node[i].slot) == image) {
          mpfr_t exact;
          mpfr_init2(exact, FG_CONST_BITS);
          fg_const_real(c->pool, c->node[i].slot, exact);
          *out = fg_quad_from(exact);
          mpfr_clear(exact);
          return true;
        }
      const fg_stage *stage = &p->kernel[k]->stage[s];
      if (number_of(r, stage->operations.loaded, image, out) || number_of(r, stage->operations.stored, image, out))
        return true;
    }
  return false;
}

static bool check_constants(reader *r) {
  const char *gf = r->gf->artifact->source, *c = r->c->source;
  fg_named_constant a, b;
  fg_quad exact = 0;
  bool good = true;
  while (good && (gf = fg_prove_next_constant(gf, &a))) {
    c = fg_prove_next_constant(c, &b);
    char name[64];
    snprintf(name, sizeof name, "%.*s", (int)a.length, a.name);
    if (!c || b.length != a.length || strncmp(a.name, b.name, a.length)) {
      good = fail(r, "C and field text disagree about constant", name);
      break;
    }
    const char *image = strstr(a.value, "0x");
    const char *type = b.value[0] == '(' ? strchr(b.value, ')') : NULL; /* "(float4)(0.5f)" */
    const char *number = (type ? type : b.value) + strcspn(type ? type : b.value, "-0123456789");
    if (!image || !constant_of(r, strtoull(image, NULL, 16), &exact))
      good = fail(r, "no codelet has the constant", name);
    else
      good = check(r, name, exact, read_number(r, number, NULL), LITERAL_LIMIT);
  }
  if (good && fg_prove_next_constant(c, &b)) good = fail(r, "the C text has more constants than the field's", "");
  return good;
}

/* ---- tables ------------------------------------------------------------------------------ */

int64_t fg_prove_table_reals(const fg_buffer *b) {
  if (b->elem == FG_ELEM_INDEX) return (fg_buffer_bytes(b) + (int)sizeof(fg_gf) - 1) / (int)sizeof(fg_gf);
  return fg_buffer_bytes(b) / fg_precision_bytes(b->precision);
}

static int64_t numbers_of(const fg_buffer *b) {
  return fg_buffer_bytes(b) / (b->elem == FG_ELEM_INDEX ? (int)sizeof(int32_t) : fg_precision_bytes(b->precision));
}

/* The same values once more. */
static bool is_doubled(const fg_buffer *b, const double *number, int64_t re, int64_t im) {
  return b->layout != FG_LAYOUT_DOUBLED || (number[re + 1] == number[re] && number[im + 1] == -number[im]);
}

typedef struct elements { /* of a table, as numbers */
  const fg_buffer *b;
  const double *number;
} elements;

static void read_element(void *self, int64_t i, double part[2]) {
  const elements *x = self;
  int64_t re, im;
  fg_buffer_position(x->b, i, &re, &im);
  part[0] = x->number[re], part[1] = x->number[im];
}

/* All elements of a large table nearly, a sample of them exactly. */
static bool check_sample(reader *r, const fg_table *t, const double *number, double limit, double slack) {
  const fg_buffer *b = &r->gf->p->buffer[t->buffer];
  elements x = {b, number};
  fg_entry_reader from = {&x, read_element};
  uint64_t random = r->gf->seed;
  int64_t count = t->rows * t->cols;
  r->out->literals += 2 * count;
  for (int64_t i = 0; i < count && b->layout == FG_LAYOUT_DOUBLED; i++) {
    int64_t re, im;
    fg_buffer_position(b, i, &re, &im);
    if (!is_doubled(b, number, re, im)) return fail(r, "an entry that is not there twice in", b->name);
  }
  double unit = r->precision == FG_F64 ? 0x1p-53 : 0x1p-24, rounded = 4 * unit / sqrt((double)t->cols);
  if (fg_table_is_sum(t))
    return fg_entries_spectrum(r->cx, t, &from, slack > 0 ? slack : rounded, &random) ||
           fail(r, "an entry too far from its exact value in", b->name);
  if (!fg_entries_near(r->cx, t, r->precision, &from)) return fail(r, "not the exact value, rounded, in", b->name);
  for (int64_t i = 0; i < count; i = fg_entries_next(t, i, &random)) {
    fg_quadc exact = fg_table_values_element(t, i);
    double part[2];
    read_element(&x, i, part);
    r->out->literals -= 2; /* counted with all */
    if (!check(r, b->name, exact.re, part[0], limit) || !check(r, b->name, exact.im, part[1], limit)) return false;
  }
  return true;
}

static bool check_table(reader *r, int table, const double *number, double limit, double slack) {
  const fg_table *t = &r->gf->p->table[table];
  const fg_buffer *b = &r->gf->p->buffer[t->buffer];
  if (r->gf->one_prime && !fg_entries_are_few(t)) return check_sample(r, t, number, limit, slack);
  const fg_quadc *exact = fg_table_values_quad(r->cx, t);
  for (int64_t i = 0; i < t->rows * t->cols; i++) {
    int64_t re, im;
    fg_quad imaginary = b->elem == FG_ELEM_REAL ? exact[i].re : exact[i].im;
    fg_buffer_position(b, i, &re, &im);
    if (!is_doubled(b, number, re, im)) return fail(r, "an entry that is not there twice in", b->name);
    if (slack > 0) { /* a sum: its error is relative to the table, not to the entry */
      r->out->literals += 2;
      if (fabs((double)(exact[i].re - number[re])) > slack || fabs((double)(imaginary - number[im])) > slack)
        return fail(r, "an entry too far from its exact value in", b->name);
    } else if (!check(r, b->name, exact[i].re, number[re], limit) || !check(r, b->name, imaginary, number[im], limit)) {
      return false;
    }
  }
  return true;
}

/* The numbers of "NAME[COUNT] ... = { ... }". NULL: no such array. */
static double *array_of(reader *r, const char *name, int64_t *count) {
  const char *head = fg_arena_printf(r->cx->arena, " %s[", name), *at = r->c->source;
  while ((at = strstr(at, head))) {
    char *end;
    at += strlen(head);
    long long declared = strtoll(at, &end, 10);
    const char *brace = end + strcspn(end, "{;");
    if (*end != ']' || *brace != '{' || declared < 1) continue;
    double *number = fg_arena_new(r->cx->arena, double, declared);
    at = brace + 1;
    for (*count = 0; *count < declared; ++*count) {
      at += strspn(at, " \n,");
      double x = read_number(r, at, &end);
      if (end == at) break;
      number[*count] = x;
      at = end + (*end == 'f');
    }
    at += strspn(at, " \n,");
    return *at == '}' && *count == declared ? number : NULL;
  }
  return NULL;
}

/* Index tables are whole numbers: in the text, or in memory that it fills. */
static bool check_indices(reader *r, int table, const double *number) {
  const fg_table *t = &r->gf->p->table[table];
  const int32_t *exact = fg_table_indices(r->cx, t);
  for (int64_t i = 0; i < t->cols; i++, r->out->literals++)
    if (number[i] != exact[i]) return fail(r, "a wrong number of an element in", r->gf->p->buffer[t->buffer].name);
  return true;
}

bool fg_prove_table_is_used(const fg_program *p, int buffer) {
  for (int k = 0; k < p->nkernel; k++)
    for (int s = 0; s < p->kernel[k]->nstage; s++) {
      const fg_stage *stage = &p->kernel[k]->stage[s];
      const fg_access *a;
      for (int n = 0; (a = fg_stage_access((fg_stage *)stage, n)); n++)
        if (a->buffer == buffer || p->buffer[a->buffer].alias == buffer || a->index.lookup == buffer) return true;
    }
  return false;
}

/* The bytes in memory, as numbers. */
static double *content_of(reader *r, const fg_buffer *b, const void *content) {
  bool index = b->elem == FG_ELEM_INDEX;
  int64_t count = numbers_of(b);
  double *number = fg_arena_raw(r->cx->arena, sizeof *number * (size_t)count);
  for (int64_t k = 0; k < count; k++)
    number[k] = index                    ? ((const int32_t *)content)[k]
                : r->precision == FG_F64 ? ((const double *)content)[k]
                                         : (double)((const float *)content)[k];
  return number;
}

static const fg_arg_buffer *given_table(const fg_artifact *a, const char *name) {
  for (int i = 0; i < a->nbuffer; i++)
    if (a->buffer[i].kind == FG_ARG_TABLE && !strcmp(a->buffer[i].name, name)) return &a->buffer[i];
  return NULL;
}

/* Tables that are delivered beside a launched source; large ones, which it may leave to the launcher, as long C
 * texts leave them to their own functions, are not made here. */
static bool check_given_tables(reader *r) {
  const fg_program *p = r->gf->p;
  for (int t = 0; t < p->ntable; t++) {
    const fg_buffer *b = &p->buffer[p->table[t].buffer];
    if (!fg_prove_table_is_used(p, p->table[t].buffer)) continue;
    const fg_arg_buffer *given = given_table(r->c, b->name);
    if (given && !given->content && given->bytes > FG_LARGEST_FILL) continue;
    if (!given || !given->content) return fail(r, "no content of table", b->name);
    const double *number = content_of(r, b, given->content);
    bool index = fg_table_is_index(&p->table[t]);
    if (index ? !check_indices(r, t, number) : !check_table(r, t, number, LITERAL_LIMIT, 0)) return false;
  }
  return true;
}

static bool check_static_tables(reader *r) {
  const fg_program *p = r->gf->p;
  for (int t = 0; t < p->ntable; t++) {
    const fg_buffer *b = &p->buffer[p->table[t].buffer];
    int64_t count = 0;
    if (!fg_prove_table_is_used(p, p->table[t].buffer)) continue;
    const double *number = array_of(r, b->name, &count);
    bool index = fg_table_is_index(&p->table[t]);
    if (!number || count != numbers_of(b)) return fail(r, "no array for table", b->name);
    if (index ? check_indices(r, t, number) : check_table(r, t, number, LITERAL_LIMIT, 0)) continue;
    return false;
  }
  return true;
}

/* ---- tables filled at run time ------------------------------------------------------------- */

static size_t table_bytes(const fg_artifact *a) {
  for (int i = 0; i < a->nbuffer; i++)
    if (a->buffer[i].kind == FG_ARG_TABLE) return a->buffer[i].bytes;
  return 0;
}

/* Roots as exact as the text states; a sum of two numbers, divided, loses a little more. */
static double filled_limit(const reader *r, int table) {
  if (r->gf->p->table[table].fill == FG_FILL_RADER_SUM) return 2 * FILLED_LIMIT;
  return r->precision == FG_F64 ? FILLED_LIMIT : LITERAL_LIMIT;
}

static double spectrum_limit(const reader *r) {
  return r->precision == FG_F64 && LDBL_MANT_DIG == 64 ? SPECTRUM_LIMIT_WIDE : SPECTRUM_LIMIT;
}

/* Tables follow one another in the text, each after "tables + OFFSET;". */
static bool check_filled(reader *r, const char *text, const void *memory) {
  const fg_program *p = r->gf->p;
  for (int t = 0; t < p->ntable; t++) {
    const fg_buffer *b = &p->buffer[p->table[t].buffer];
    if (!fg_prove_table_is_used(p, p->table[t].buffer)) continue;
    text = strstr(text, "table = (");
    const char *sum = text ? strstr(text, "tables + ") : NULL;
    if (!sum) return fail(r, "no place for table", b->name);
    text = sum;
    int64_t offset = strtoll(sum + 9, NULL, 10);
    const double *number = content_of(r, b, (const char *)memory + offset * fg_precision_bytes(r->precision));
    if (fg_table_is_index(&p->table[t])) {
      if (!check_indices(r, t, number)) return false;
      continue;
    }
    double unit = r->precision == FG_F64 ? 0x1p-53 : 0x1p-24, limit = filled_limit(r, t);
    double slack = fg_table_is_sum(&p->table[t]) ? spectrum_limit(r) * unit / sqrt((double)p->table[t].cols) : 0;
    if (p->table[t].fill == FG_FILL_WINDOW && fg_window_has_terms(p->table[t].window)) slack = 4 * unit; /* a sum */
    if (!check_table(r, t, number, limit, slack)) return false;
  }
  return true;
}

enum { OUTSIDE = 0xa5 }; /* bytes behind the memory for tables */

typedef struct filling {
  reader *r;
  const char *text;
  size_t bytes; /* of all tables */
  fg_tcc_code *code;
  bool good;
} filling;

static void fill_and_check(void *data) {
  filling *f = data;
  reader *r = f->r;
  void *address = fg_tcc_find(f->code, fg_arena_printf(r->cx->arena, "%s_init", r->c->name));
  void (*fill)(void *);
  memcpy(&fill, &address, sizeof fill);
  size_t beyond = f->bytes + 4096;
  unsigned char *memory = fg_arena_alloc(r->cx->arena, f->bytes + beyond);
  memset(memory + f->bytes, OUTSIDE, beyond);
  if (address) fill(memory);
  f->good = address ? check_filled(r, f->text, memory) : fail(r, "no function that fills tables in", r->c->name);
  for (size_t i = 0; i < beyond && f->good; i++)
    if (memory[f->bytes + i] != OUTSIDE) f->good = fail(r, "a store beyond the memory for tables by", r->c->name);
}

/* The functions that fill tables, and nothing else. */
static bool fill(reader *r, const char *text, size_t bytes) {
  filling f = {.r = r, .text = text, .bytes = bytes};
  char why[FG_WHY_SIZE];
  if (fg_tcc_compile(text, NULL, &f.code, why)) return fail(r, "tables:", why);
  bool done = fg_arena_run(r->cx->arena, fill_and_check, &f);
  fg_tcc_free(f.code);
  r->short_of_memory = !done;
  return done && f.good;
}

static bool check_filling(reader *r) {
  fg_sections sections;
  fg_translate_sections(r->cx, r->c, &sections);
  size_t bytes = table_bytes(r->c);
  if (sections.filling == sections.entries || !bytes) return fail(r, "no function that fills tables in", r->c->name);
  if (bytes > FG_LARGEST_FILL) return true;
  const char *text =
      fg_arena_printf(r->cx->arena, "%.*s", (int)(sections.entries - sections.filling), sections.filling);
  return fill(r, text, bytes);
}

/* ---- instructions ---------------------------------------------------------------------------- */

static bool same_shape(const fg_instr *a, const fg_instr *b, const fg_instructions *x, const fg_instructions *y) {
  if (a->op != b->op || a->type != b->type || a->lanes != b->lanes || a->memory != b->memory) return false;
  if (a->a != b->a || a->b != b->b || a->c != b->c) return false;
  if (a->op == FG_CODE_MAKE || a->op == FG_CODE_SHUFFLE)
    return !memcmp(x->list + a->list, y->list + b->list, sizeof *x->list * a->lanes);
  return a->op == FG_CODE_NUMBER || a->op == FG_CODE_MEMORY || a->imm.i == b->imm.i;
}

static bool check_number(reader *r, fg_gf image, double read) {
  fg_quad exact;
  if (image == 0 || image == r->gf->field->one) return read == (image ? 1 : 0) || fail(r, "not 0 or 1:", "a constant");
  if (!constant_of(r, image, &exact)) return fail(r, "no codelet has", "a constant");
  return check(r, "a constant", exact, read, LITERAL_LIMIT);
}

/* MEMORY differs where scratch is: field elements are wider than floats. */
static bool check_instructions(reader *r, const fg_instructions *gf, const fg_instructions *code) {
  bool good = gf->count == code->count || fail(r, "field and numbers differ in", "the count of instructions");
  for (int32_t i = 0; good && i < code->count; i++) {
    good = same_shape(&gf->instr[i], &code->instr[i], gf, code) ||
           fail(r, "field and numbers differ in", "an instruction");
    if (good && code->instr[i].op == FG_CODE_NUMBER)
      good = check_number(r, gf->instr[i].imm.image, code->instr[i].imm.real);
  }
  return good;
}

static bool check_data(reader *r, const fg_code_table *t) {
  const fg_program *p = r->gf->p;
  for (int i = 0; i < p->ntable; i++) {
    const fg_buffer *b = &p->buffer[p->table[i].buffer];
    if (strcmp(b->name, t->name) != 0) continue;
    bool index = fg_table_is_index(&p->table[i]);
    const double *number = content_of(r, b, t->content);
    return index ? check_indices(r, i, number) : check_table(r, i, number, LITERAL_LIMIT, 0);
  }
  return fail(r, "no definition of table", t->name);
}

static void check_all_data(reader *r, const fg_instructions *code) {
  for (int t = 0; t < code->ntable; t++)
    if (!check_data(r, &code->table[t])) return;
}

/* ---- all ------------------------------------------------------------------------------------- */

fg_status fg_proof_text_literals(fg_context *cx, const fg_proof_text *gf, const fg_artifact *c, fg_text_proof *out) {
  reader r = {cx, gf, c, out, gf->p->problem.compute, false};
  return check_constants(&r) ? fg_proof_text_tables(cx, gf, c, out) : FG_OK;
}

fg_status fg_proof_text_tables(fg_context *cx, const fg_proof_text *gf, const fg_artifact *c, fg_text_proof *out) {
  reader r = {cx, gf, c, out, gf->p->problem.compute, false};
  if (c->instructions)
    check_all_data(&r, c->instructions);
  else if (c->nlaunch)
    check_given_tables(&r);
  else if (c->needs_init)
    check_filling(&r);
  else
    check_static_tables(&r);
  return r.short_of_memory ? FG_ENOMEM : FG_OK;
}

fg_status fg_proof_text_filling(fg_context *cx, const fg_proof_text *gf, const fg_artifact *c, const char *text,
                                size_t bytes, fg_text_proof *out) {
  reader r = {cx, gf, c, out, gf->p->problem.compute, false};
  fill(&r, text, bytes);
  return r.short_of_memory ? FG_ENOMEM : FG_OK;
}

fg_status fg_prove_code_literals(fg_context *cx, const fg_proof_text *gf, const fg_artifact *code, fg_text_proof *out) {
  reader r = {cx, gf, code, out, gf->p->problem.compute, false};
  bool good = check_instructions(&r, gf->artifact->instructions, code->instructions);
  return good ? fg_proof_text_tables(cx, gf, code, out) : FG_OK;
}
