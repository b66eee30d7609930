/* See expression.h. A value is computed while its text is read, once for every element. */
#include "expression.h"
#include "numbers.h"
#include <complex.h>
#include <ctype.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef long double _Complex value;

typedef struct reader {
  const char *at;
  const around *around; /* NULL: arrays are noted alone */
  const problem *p;
  int side;
  const step *s;
  step *noted; /* where arrays are noted */
  long double u;
} reader;

static measured known(const reader *r, long double v) { return (measured){v, r->u * fabsl(v)}; }

/* ---- arrays -------------------------------------------------------------------- */

/* From behind a name to behind its index. */
static void read_index(reader *r, expression_array *a) {
  if (*r->at != '[') return;
  for (r->at++; *r->at != ']' && *r->at; r->at++) {
    if (*r->at == 'b') a->whose = EACH;
    if (*r->at == 'c') a->whose = CHANNEL;
    if (*r->at == 'j' || *r->at == 'k') {
      a->of = isdigit((unsigned char)r->at[1]) ? OF_DIMENSION : OF_ELEMENTS;
      if (a->of == OF_DIMENSION) a->dimension = *++r->at - '0';
    }
  }
  r->at++;
}

static long long each_of(const problem *p, int side, const step *s, const expression_array *a) {
  if (a->of == OF_ONE) return 1;
  if (a->of == OF_DIMENSION) return (s->held ? p->held : p->extent)[side][a->dimension];
  return step_elements(p, side, s);
}

long long expression_count(const problem *p, int side, const step *s, const expression_array *a) {
  return each_of(p, side, s, a) * own_count(p, a->whose) * (a->pairs ? 2 : 1);
}

static long long number_of(const reader *r) {
  long long number = 0;
  for (int d = 0; d < r->p->rank; d++) number = number * r->p->extent[r->side][d] + r->around->index[d];
  return number;
}

static measured read_array(reader *r, const char *name, size_t length) {
  expression_array a = {.pairs = length > 2 && memcmp(name + length - 2, "_c", 2) == 0};
  snprintf(a.name, sizeof a.name, "%s_%.*s", r->side ? "out" : "in", (int)length, name);
  read_index(r, &a);
  if (!r->around) {
    for (int i = 0; i < r->noted->array_count; i++)
      if (strcmp(r->noted->array[i].name, a.name) == 0) return (measured){1, 0};
    if (r->noted->array_count < MOST_OPS) r->noted->array[r->noted->array_count++] = a;
    return (measured){1, 0};
  }
  const void *array = case_array(r->around->f, a.name);
  long long at = step_number(r->p, r->side, r->s, r->around->index);
  if (a.of == OF_DIMENSION && at >= 0)
    at = r->around->index[a.dimension] - (r->s->held ? r->p->first[r->side][a.dimension] : 0);
  if (a.of == OF_ONE) at = 0;
  if (at < 0) return (measured){0, 0};
  long long i = own_number(r->p, a.whose, r->around->transform) * each_of(r->p, r->side, r->s, &a) + at;
  if (!a.pairs) return (measured){number_get(array, r->p->compute, i), 0};
  return (measured){number_get(array, r->p->compute, 2 * i) + number_get(array, r->p->compute, 2 * i + 1) * (value)I,
                    0};
}

/* ---- arithmetic ------------------------------------------------------------------ */

static measured joined(const reader *r, value v, long double e, long double roundings) {
  long double size = cabsl(v);
  if (!isfinite(size) || size > 1e30L || !isfinite(e)) return (measured){0, INFINITY};
  return (measured){v, e + roundings * r->u * size + 1e-36L};
}

static measured add(const reader *r, measured a, measured b, int sign) {
  long double size = cabsl(a.v) + cabsl(b.v);
  return joined(r, a.v + sign * b.v, a.e + b.e + r->u * size, 2);
}

static measured multiply(const reader *r, measured a, measured b) {
  long double x = cabsl(a.v), y = cabsl(b.v);
  return joined(r, a.v * b.v, a.e * y + b.e * x + a.e * b.e + 4 * r->u * x * y, 4);
}

static measured divide(const reader *r, measured a, measured b) {
  long double y = cabsl(b.v);
  if (!(y > 4 * b.e) || y == 0) return (measured){0, INFINITY};
  long double size = cabsl(a.v / b.v);
  return joined(r, a.v / b.v, 1.5L * (a.e + size * b.e) / y + 12 * r->u * size, 4);
}

static measured of_real(const reader *r, const char *name, measured a) {
  long double x = creall(a.v);
  if (!isfinite(a.e)) return a;
  if (strcmp(name, "exp") == 0) {
    if (x > 80) return (measured){0, INFINITY};
    return joined(r, expl(x), expl(x) * (expm1l(a.e) + 4 * r->u * (1 + fabsl(x))), 8);
  }
  if (!(x > 4 * a.e) || x == 0) return (measured){0, INFINITY};
  if (strcmp(name, "sqrt") == 0) return joined(r, sqrtl(x), a.e / sqrtl(x), 4);
  long double base = strcmp(name, "log10") == 0 ? logl(10) : 1;
  return joined(r, logl(x) / base, 1.5L * a.e / x + 4 * r->u, 8);
}

static measured apply(const reader *r, const char *name, measured a, measured b) {
  if (!isfinite(a.e) || !isfinite(b.e)) return (measured){0, INFINITY};
  if (strcmp(name, "re") == 0) return (measured){creall(a.v), a.e};
  if (strcmp(name, "im") == 0) return (measured){cimagl(a.v), a.e};
  if (strcmp(name, "conj") == 0) return (measured){conjl(a.v), a.e};
  if (strcmp(name, "abs") == 0) return joined(r, cabsl(a.v), a.e, 4);
  if (strcmp(name, "complex") == 0) return (measured){creall(a.v) + creall(b.v) * (value)I, a.e + b.e};
  if (strcmp(name, "min") == 0) return (measured){fminl(creall(a.v), creall(b.v)), fmaxl(a.e, b.e)};
  if (strcmp(name, "max") == 0) return (measured){fmaxl(creall(a.v), creall(b.v)), fmaxl(a.e, b.e)};
  return of_real(r, name, a);
}

/* ---- the grammar ------------------------------------------------------------------- */

static measured read_sum(reader *r);

static measured read_name(reader *r) {
  const char *name = r->at;
  while (isalnum((unsigned char)*r->at) || *r->at == '_') r->at++;
  size_t length = (size_t)(r->at - name);
  char word[24];
  snprintf(word, sizeof word, "%.*s", (int)length, name);
  if (*r->at == '(') {
    r->at++;
    measured a = read_sum(r), b = {0, 0};
    if (*r->at == ',') r->at++, b = read_sum(r);
    r->at++;
    return r->around ? apply(r, word, a, b) : a;
  }
  if (strcmp(word, "x") == 0) return r->around ? r->around->x : (measured){1, 0};
  if (strcmp(word, "pi") == 0) return known(r, acosl(-1));
  if (strcmp(word, "n") == 0) return known(r, (long double)problem_points(r->p));
  bool index =
      strchr("jkb", *word) && (length == 1 || (length == 2 && *word != 'b' && isdigit((unsigned char)word[1])));
  if (!index) return read_array(r, name, length);
  if (!r->around) return (measured){1, 0};
  if (*word == 'b') return known(r, (long double)r->around->transform);
  return known(r, (long double)(length == 1 ? number_of(r) : r->around->index[word[1] - '0']));
}

static measured read_factor(reader *r) {
  measured v;
  if (*r->at == '-') {
    r->at++;
    v = read_factor(r);
    return (measured){-v.v, v.e};
  }
  if (*r->at == '(') {
    r->at++;
    v = read_sum(r);
    r->at++;
    return v;
  }
  if (isdigit((unsigned char)*r->at)) return known(r, strtod(r->at, (char **)&r->at));
  return read_name(r);
}

static measured read_product(reader *r) {
  measured v = read_factor(r);
  while (*r->at == '*' || *r->at == '/') {
    bool over = *r->at++ == '/';
    measured b = read_factor(r);
    if (r->around) v = over ? divide(r, v, b) : multiply(r, v, b);
  }
  return v;
}

static measured read_sum(reader *r) {
  measured v = read_product(r);
  while (*r->at == '+' || *r->at == '-') {
    int sign = *r->at++ == '-' ? -1 : 1;
    measured b = read_product(r);
    if (r->around) v = add(r, v, b, sign);
  }
  return v;
}

measured expression_value(const step *s, const around *at) {
  reader r = {.at = s->text, .around = at, .p = at->p, .side = at->side, .s = s, .u = number_unit(at->p->compute)};
  if (!isfinite(at->x.e)) return at->x;
  return read_sum(&r);
}

/* Whether a result is real: what makes it complex are x, arrays of complex numbers and complex(), outside of functions
 * with real values. */
static bool is_complex(const char *text, bool x) {
  static const char *const reals[] = {"abs(", "re(", "im(", "min(", "max(", "log(", "log10(", "exp(", "sqrt("};
  for (const char *c = text; *c; c++) {
    bool begins = c == text || !(isalnum((unsigned char)c[-1]) || c[-1] == '_');
    for (size_t i = 0; begins && i < sizeof reals / sizeof *reals; i++) {
      if (strncmp(c, reals[i], strlen(reals[i])) != 0) continue;
      int depth = 0;
      do depth += (*c == '(') - (*c == ')');
      while (*c++ != ')' || depth > 0);
      return is_complex(c, x);
    }
    if (begins && strncmp(c, "complex(", 8) == 0) return true;
    if (begins && x && *c == 'x' && !isalnum((unsigned char)c[1]) && c[1] != '_') return true;
    if (strncmp(c, "_c", 2) == 0 && !isalnum((unsigned char)c[2]) && c[2] != '_') return true;
  }
  return false;
}

bool expression_read(const char *text, size_t length, const problem *p, int side, step *s) {
  if (length >= sizeof s->text || strcspn(text, "x") >= length) return false;
  snprintf(s->text, sizeof s->text, "%.*s", (int)length, text);
  reader r = {.at = s->text, .p = p, .side = side, .s = s, .noted = s};
  read_sum(&r);
  s->makes_real = side == OUT && !is_complex(s->text, s->pairs);
  return *r.at == 0;
}
