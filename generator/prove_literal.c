/* Literals read back. In: the C text of a program, and its prime-field text. Out:
 * whether every constant and every table entry that a compiler will read from the
 * C text is the exact value, rounded.
 *
 * The idea: both dialects declare the same constants in the same order. The
 * field's text says which exact constant each is, by its image; the C text says
 * which number stands for it. Tables are compared with their definition in 113
 * bits; those that the text fills at run time are filled, by tcc, and compared. */
#include "generator/prove_build.h"
#include "targets/tcc.h"
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* In units of the last place: literals are rounded once, and printed so that they
 * come back; tables filled at run time as their text promises. */
#define LITERAL_LIMIT 0.51
#define FILLED_LIMIT 1.2
#define TINY 0x1p-100 /* where 113 bits do not tell a number from 0 */
enum { LARGEST_FILL = 8 << 20 /* bytes of tables that are filled here */ };

typedef struct reader {
  fg_context *cx;
  const fg_text *gf;
  const fg_artifact *c;
  fg_text_proof *out;
  fg_precision precision;
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
  return r->precision == FG_F64 ? strtod(text, end) : (double)strtof(text, end);
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

typedef struct constant { /* "const TYPE NAME = ..." where NAME starts with KP or KN */
  const char *name, *value;
  size_t length;
} constant;

/* The next declaration of a constant after `at`. */
static const char *next_constant(const char *at, constant *out) {
  for (; (at = strstr(at, "const ")); at++) {
    const char *value = strstr(at, " = "), *name = value;
    if (!value || value > at + strcspn(at, "\n;")) continue;
    while (name[-1] != ' ') name--;
    if (name[0] != 'K' || !strchr("PN", name[1]) || name == at) continue;
    *out = (constant){name, value + 3, (size_t)(value - name)};
    return value;
  }
  return NULL;
}

/* The exact constant whose image this is. */
static bool constant_of(const reader *r, fg_gf image, mpfr_t out) {
  const fg_program *p = r->gf->p;
  for (int k = 0; k < p->nkernel; k++)
    for (int s = 0; s < p->kernel[k]->nstage; s++) {
      const fg_codelet *c = p->kernel[k]->stage[s].codelet;
      for (int i = 0; c && i < c->nnode; i++)
        if (c->node[i].op == FG_OP_CONST && fg_const_image(c->pool, r->gf->field, c->node[i].slot) == image) {
          fg_const_real(c->pool, c->node[i].slot, out);
          return true;
        }
    }
  return false;
}

static bool check_constants(reader *r) {
  const char *gf = r->gf->artifact->source, *c = r->c->source;
  constant a, b;
  mpfr_t exact;
  mpfr_init2(exact, FG_CONST_BITS);
  bool good = true;
  while (good && (gf = next_constant(gf, &a))) {
    c = next_constant(c, &b);
    char name[64];
    snprintf(name, sizeof name, "%.*s", (int)a.length, a.name);
    if (!c || b.length != a.length || strncmp(a.name, b.name, a.length)) {
      good = fail(r, "C and field text disagree about constant", name);
      break;
    }
    const char *image = strstr(a.value, "0x");
    const char *number = b.value + strcspn(b.value, "-0123456789");
    if (!image || !constant_of(r, strtoull(image, NULL, 16), exact))
      good = fail(r, "no codelet has the constant", name);
    else
      good = check(r, name, fg_quad_from(exact), read_number(r, number, NULL), LITERAL_LIMIT);
  }
  if (good && next_constant(c, &b)) good = fail(r, "the C text has more constants than the field's", "");
  mpfr_clear(exact);
  return good;
}

/* ---- tables ------------------------------------------------------------------------------ */

/* Where entry i of a table has its parts, in reals. */
static void parts_of(const fg_buffer *b, int64_t i, int64_t *re, int64_t *im) {
  *re = 2 * i, *im = 2 * i + 1;
  if (b->layout == FG_LAYOUT_SPLIT) *re = i, *im = b->size + i;
  if (b->layout == FG_LAYOUT_BLOCKED) *re = i / b->block * 2 * b->block + i % b->block, *im = *re + b->block;
}

static bool check_table(reader *r, int table, const double *number, double limit, double slack) {
  const fg_table *t = &r->gf->p->table[table];
  const fg_buffer *b = &r->gf->p->buffer[t->buffer];
  const fg_quadc *exact = fg_quad_table(r->cx, t);
  for (int64_t i = 0; i < t->rows * t->cols; i++) {
    int64_t re, im;
    parts_of(b, i, &re, &im);
    if (slack > 0) { /* a sum: its error is relative to the table, not to the entry */
      r->out->literals += 2;
      if (fabs((double)(exact[i].re - number[re])) > slack || fabs((double)(exact[i].im - number[im])) > slack)
        return fail(r, "an entry too far from its exact value in", b->name);
    } else if (!check(r, b->name, exact[i].re, number[re], limit) ||
               !check(r, b->name, exact[i].im, number[im], limit)) {
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

static bool table_is_used(const fg_program *p, int buffer) {
  for (int k = 0; k < p->nkernel; k++)
    for (int s = 0; s < p->kernel[k]->nstage; s++) {
      const fg_stage *stage = &p->kernel[k]->stage[s];
      if (stage->load.buffer == buffer || (stage->has_twiddle && stage->twiddle.buffer == buffer)) return true;
    }
  return false;
}

static bool check_static_tables(reader *r) {
  const fg_program *p = r->gf->p;
  for (int t = 0; t < p->ntable; t++) {
    const fg_buffer *b = &p->buffer[p->table[t].buffer];
    int64_t count = 0;
    if (!table_is_used(p, p->table[t].buffer)) continue;
    const double *number = array_of(r, b->name, &count);
    if (!number || count != 2 * b->size) return fail(r, "no array for table", b->name);
    if (!check_table(r, t, number, LITERAL_LIMIT, 0)) return false;
  }
  return true;
}

/* ---- tables filled at run time ------------------------------------------------------------- */

static size_t table_bytes(const fg_artifact *a) {
  for (int i = 0; i < a->nbuffer; i++)
    if (a->buffer[i].kind == FG_ARG_TABLE) return a->buffer[i].bytes;
  return 0;
}

/* Tables follow one another in the text, each after "tables + OFFSET;". */
static bool check_filled(reader *r, const char *text, const void *memory) {
  const fg_program *p = r->gf->p;
  for (int t = 0; t < p->ntable; t++) {
    const fg_buffer *b = &p->buffer[p->table[t].buffer];
    if (!table_is_used(p, p->table[t].buffer)) continue;
    text = strstr(text, "table = (");
    const char *sum = text ? strstr(text, "tables + ") : NULL;
    if (!sum) return fail(r, "no place for table", b->name);
    text = sum;
    int64_t offset = strtoll(sum + 9, NULL, 10), reals = 2 * b->size;
    double *number = fg_arena_new(r->cx->arena, double, reals);
    for (int64_t i = 0; i < reals; i++)
      number[i] =
          r->precision == FG_F64 ? ((const double *)memory)[offset + i] : (double)((const float *)memory)[offset + i];
    bool spectrum = p->table[t].fill == FG_FILL_BLUESTEIN;
    double unit = r->precision == FG_F64 ? 0x1p-53 : 0x1p-24;
    double slack = spectrum ? 16 * unit / sqrt((double)p->table[t].cols) : 0;
    if (!check_table(r, t, number, r->precision == FG_F64 ? FILLED_LIMIT : LITERAL_LIMIT, slack)) return false;
  }
  return true;
}

/* The functions that fill tables stand alone at the end of the text. */
static bool check_filling(reader *r) {
  const char *text = strstr(r->c->source, "#include <math.h>");
  size_t bytes = table_bytes(r->c);
  if (!text || !bytes) return fail(r, "no function that fills tables in", r->c->name);
  if (bytes > LARGEST_FILL) return true;
  fg_tcc_code *code;
  char why[FG_WHY_SIZE];
  if (fg_tcc_compile(text, NULL, &code, why)) return fail(r, "tables:", why);
  void *address = fg_tcc_find(code, fg_arena_printf(r->cx->arena, "%s_init", r->c->name));
  void (*fill)(void *);
  memcpy(&fill, &address, sizeof fill);
  void *memory = fg_arena_alloc(r->cx->arena, bytes + 64);
  if (address) fill(memory);
  bool good = address ? check_filled(r, text, memory) : fail(r, "no function that fills tables in", r->c->name);
  fg_tcc_free(code);
  return good;
}

fg_status fg_text_literals(fg_context *cx, const fg_text *gf, const fg_artifact *c, fg_text_proof *out) {
  reader r = {cx, gf, c, out, gf->p->problem.compute};
  if (check_constants(&r)) {
    if (c->needs_init)
      check_filling(&r);
    else
      check_static_tables(&r);
  }
  return FG_OK;
}
