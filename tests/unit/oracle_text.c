/* See oracle.h. In: a prime-field text. Out: whether it computes the problem, over
 * the reals.
 *
 * The idea: the text treats its numbers as opaque: it moves them and calls fg_add
 * and its kin. So here its numbers are handles of numbers of 113 bits. Literals
 * are the only values that are taken from the text itself: images of constants, which a
 * list translates; anything else is not a number. */
#include "generator/codelet/codelet.h"
#include "generator/math/constant_value.h"
#include "generator/problem/shape.h"
#include "targets/tcc.h"
#include "tests/unit/oracle.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef unsigned long long handle;
enum { MOST = 1 << 22, GUARD = 256, LITERALS = 4096 };

enum { ZERO = 0 /* as texts write it */, NO_NUMBER = 1 };
static oracle_quad *number; /* by handle */
static handle used;
static struct literal {
  fg_gf image;
  oracle_quad value;
} literal[LITERALS];
static int literals;

static handle keep(oracle_quad x) {
  if (used == MOST) return NO_NUMBER;
  number[used] = x;
  return used++;
}

static oracle_quad value(handle h) {
  if (h < used) return number[h];
  for (int i = 0; i < literals; i++)
    if (literal[i].image == h) return literal[i].value;
  return number[NO_NUMBER];
}

static handle add(handle a, handle b) { return keep(value(a) + value(b)); }
static handle sub(handle a, handle b) { return keep(value(a) - value(b)); }
static handle mul(handle a, handle b) { return keep(value(a) * value(b)); }
static handle neg(handle a) { return keep(-value(a)); }

static const void *address_of(void (*f)(void)) {
  const void *address;
  memcpy(&address, &f, sizeof address);
  return address;
}

static void list_literals(const fg_program *p, const fg_field *field) {
  mpfr_t x;
  mpfr_init2(x, FG_CONST_BITS);
  literals = 0;
  literal[literals++] = (struct literal){field->one, 1}; /* of which signs are made */
  for (int k = 0; k < p->nkernel; k++)
    for (int s = 0; s < p->kernel[k]->nstage; s++) {
      const fg_codelet *c = p->kernel[k]->stage[s].codelet;
      for (int i = 0; c && i < c->nnode && literals < LITERALS; i++) {
        if (c->node[i].op != FG_OP_CONST) continue;
        fg_const_real(c->pool, c->node[i].slot, x);
        literal[literals++] = (struct literal){fg_const_image(c->pool, field, c->node[i].slot), oracle_constant(x)};
      }
    }
  mpfr_clear(x);
}

typedef struct array {
  handle *at, *before;
  int64_t count;
  bool *own, scratch;
} array;

typedef struct run {
  const fg_program *p;
  const fg_artifact *text;
  const int64_t *params;
  int narray;
  array array[2 * FG_MAX_BUFFERS];
  void *slot[2 * FG_MAX_BUFFERS];
  int in, out; /* arrays of the first parts */
  const char *fault;
} run;

static array new_array(int64_t count) {
  array a = {.count = count, .own = calloc((size_t)count + 1, sizeof *a.own)};
  handle *guarded = calloc((size_t)count + 2 * GUARD, sizeof *guarded);
  a.at = guarded + GUARD;
  for (int64_t i = -GUARD; i < count + GUARD; i++) a.at[i] = NO_NUMBER;
  return a;
}

static int64_t span(const run *r, bool output) {
  const fg_problem *q = &r->p->problem;
  int64_t count = 1 + (q->dim[0].n.n - 1) * fg_num_value(output ? q->dim[0].os : q->dim[0].is, r->params);
  for (int i = 0; i < q->batch_rank; i++)
    count += (fg_num_value(q->batch[i].n, r->params) - 1) *
             fg_num_value(output ? q->batch[i].os : q->batch[i].is, r->params);
  return count;
}

static int64_t offset_of(const run *r, int64_t batch, bool output) {
  const fg_problem *q = &r->p->problem;
  int64_t at = 0;
  for (int i = q->batch_rank - 1; i >= 0; i--) {
    int64_t n = fg_num_value(q->batch[i].n, r->params);
    at += batch % n * fg_num_value(output ? q->batch[i].os : q->batch[i].is, r->params);
    batch /= n;
  }
  return at;
}

static handle *part_of(const fg_buffer *b, const array *a, int64_t e, int part) {
  return b->layout == FG_LAYOUT_SPLIT ? &a[part].at[e] : &a[0].at[2 * e + part];
}

static void fill(run *r, array *a, const char *name) {
  for (int t = 0; t < r->p->ntable; t++) {
    const fg_buffer *b = &r->p->buffer[r->p->table[t].buffer];
    if (strcmp(b->name, name)) continue;
    if (fg_table_is_index(&r->p->table[t])) {
      int32_t *index = oracle_indices(&r->p->table[t]);
      memcpy(a->at, index, sizeof *index * (size_t)r->p->table[t].cols);
      free(index);
      continue;
    }
    oracle_quadc *z = oracle_table(&r->p->table[t]);
    for (int64_t i = 0; i < r->p->table[t].rows * r->p->table[t].cols; i++) {
      bool split = b->layout == FG_LAYOUT_SPLIT, doubled = b->layout == FG_LAYOUT_DOUBLED;
      int64_t quarter = b->permuted / 4, in = quarter ? i / quarter % 4 : 0;
      int64_t at = in == 1 ? i + quarter : in == 2 ? i - quarter : i;
      int64_t re = split ? at : 2 * at, im = split ? b->size + at : doubled ? 2 * (b->size + at) : 2 * at + 1;
      a->at[re] = keep(z[i].re);
      a->at[im] = keep(z[i].im);
      if (doubled) a->at[re + 1] = keep(z[i].re), a->at[im + 1] = keep(-z[i].im);
    }
    free(z);
  }
}

static void make_arrays(run *r, uint64_t *random) {
  for (int i = 0; i < r->text->nbuffer; i++) {
    const fg_arg_buffer *b = &r->text->buffer[i];
    bool end = b->kind == FG_ARG_IN || b->kind == FG_ARG_OUT, again = b->kind == FG_ARG_OUT && r->p->problem.in_place;
    int64_t in = span(r, false), out = span(r, true), count = b->kind == FG_ARG_IN ? in : out;
    if (r->p->problem.in_place) count = in > out ? in : out;
    if (b->kind == FG_ARG_IN) r->in = r->narray;
    if (b->kind == FG_ARG_OUT) r->out = again ? r->in : r->narray;
    for (int part = 0; part < (b->split ? 2 : 1); part++) {
      if (again) {
        r->slot[r->narray] = r->array[r->in + part].at;
        r->array[r->narray++] = (array){0};
        continue;
      }
      array a = new_array(!end       ? (int64_t)((b->bytes + sizeof(handle) - 1) / sizeof(handle))
                          : b->split ? count
                                     : 2 * count);
      a.scratch = b->kind == FG_ARG_WORK;
      for (int64_t k = 0; b->kind == FG_ARG_IN && k < a.count; k++)
        a.at[k] = keep((oracle_quad)((double)(fg_random(random) >> 11) * 0x1p-53));
      if (b->kind == FG_ARG_TABLE) fill(r, &a, b->name);
      r->slot[r->narray] = a.at;
      r->array[r->narray++] = a;
    }
  }
  for (int i = 0; i < r->narray; i++) {
    array *a = &r->array[i];
    if (!a->at) continue;
    size_t bytes = sizeof *a->at * (size_t)(a->count + 2 * GUARD);
    a->before = memcpy(malloc(bytes), a->at - GUARD, bytes);
  }
}

static bool near(oracle_quad a, oracle_quad b) {
  oracle_quad d = a - b;
  return d == d && d < 1e-24 && d > -1e-24;
}

static bool check(run *r) {
  const fg_problem *q = &r->p->problem;
  const fg_buffer *in = &r->p->buffer[FG_BUFFER_IN], *out = &r->p->buffer[FG_BUFFER_OUT];
  int64_t n = q->dim[0].n.n, count = fg_problem_batch_count(q, r->params);
  oracle_quadc *x = malloc(sizeof *x * (size_t)n), *y = malloc(sizeof *y * (size_t)n);
  array was[2] = {r->array[r->in], r->array[r->in + 1]};
  bool good = true;
  for (int part = 0; part < 2; part++)
    if (was[part].before) was[part].at = was[part].before + GUARD;
  for (int64_t t = 0; t < count; t++) {
    for (int64_t j = 0; j < n; j++) {
      int64_t e = offset_of(r, t, false) + j * fg_num_value(q->dim[0].is, r->params);
      x[j] = (oracle_quadc){value(*part_of(in, was, e, 0)), value(*part_of(in, was, e, 1))};
    }
    oracle_dft(n, q->sign, x, y);
    for (int64_t k = 0; k < n; k++) {
      int64_t e = offset_of(r, t, true) + k * fg_num_value(q->dim[0].os, r->params);
      for (int part = 0; part < 2; part++) {
        handle *at = part_of(out, &r->array[r->out], e, part);
        good &= near(value(*at), part ? y[k].im : y[k].re);
        array *a = &r->array[r->out + (out->layout == FG_LAYOUT_SPLIT ? part : 0)];
        a->own[at - a->at] = true;
      }
    }
  }
  free(x), free(y);
  if (!good) r->fault = "another result";
  for (int i = 0; i < r->narray && good; i++) {
    const array *a = &r->array[i];
    for (int64_t k = -GUARD; a->at && k < a->count + GUARD; k++)
      if (a->at[k] != a->before[k + GUARD] && !(k >= 0 && k < a->count && (a->scratch || a->own[k]))) good = false;
    if (!good) r->fault = "a store to what is not its own";
  }
  return good;
}

typedef void (*entry_function)(void *const *places, const long long *params);

static bool right_at(const fg_program *p, const fg_artifact *text, const int64_t *params, entry_function entry,
                     uint64_t seed, char why[160]) {
  run r = {.p = p, .text = text, .params = params};
  long long given[FG_MAX_PARAMS];
  for (int i = 0; i < FG_MAX_PARAMS; i++) given[i] = params[i];
  used = NO_NUMBER + 1;
  number[ZERO] = 0;
  number[NO_NUMBER] = (oracle_quad)__builtin_nan("");
  make_arrays(&r, &seed);
  entry(r.slot, given);
  bool good = check(&r);
  if (!good) snprintf(why, 160, "%s", r.fault);
  for (int i = 0; i < r.narray; i++) {
    if (!r.array[i].at) continue;
    free(r.array[i].at - GUARD);
    free(r.array[i].before);
    free(r.array[i].own);
  }
  return good;
}

static bool right_everywhere(const fg_program *p, const fg_artifact *text, entry_function entry, uint64_t seed,
                             char why[160]) {
  const fg_problem *q = &p->problem;
  int64_t base[FG_MAX_PARAMS] = {0}, at[FG_MAX_PARAMS];
  for (int i = 0; i < q->nparam; i++) base[i] = q->param[i].lo + (q->param[i].hi - q->param[i].lo) / 3;
  if (!right_at(p, text, base, entry, seed, why)) return false;
  for (int i = 0; i < q->nparam; i++)
    for (int64_t x = q->param[i].lo; x <= q->param[i].hi && x < q->param[i].lo + 24; x++) {
      memcpy(at, base, sizeof at);
      at[i] = x;
      if (!right_at(p, text, at, entry, seed, why)) return false;
    }
  return true;
}

static void begins(int stage) { (void)stage; }

static int leaves_none_out(int loop, long long at) {
  (void)loop, (void)at;
  return 0;
}

bool oracle_text_right(const fg_program *p, const fg_artifact *text, const fg_field *field, uint64_t seed,
                       char why[160]) {
  const fg_tcc_symbol symbols[] = {{"fg_add", address_of((void (*)(void))add)},
                                   {"fg_sub", address_of((void (*)(void))sub)},
                                   {"fg_mul", address_of((void (*)(void))mul)},
                                   {"fg_neg", address_of((void (*)(void))neg)},
                                   {"fg_begins", address_of((void (*)(void))begins)},
                                   {"fg_leaves_out", address_of((void (*)(void))leaves_none_out)},
                                   {NULL, NULL}};
  fg_tcc_code *code;
  char message[FG_WHY_SIZE], name[256];
  snprintf(why, 160, "does not compile");
  if (fg_tcc_compile(text->source, symbols, &code, message)) return false;
  snprintf(name, sizeof name, "%s_entry", text->name);
  void *address = fg_tcc_find(code, name);
  entry_function entry;
  memcpy(&entry, &address, sizeof entry);
  number = malloc(sizeof *number * MOST);
  list_literals(p, field);
  bool good = address && right_everywhere(p, text, entry, seed, why);
  free(number);
  fg_tcc_free(code);
  return good;
}
