/* See mutate.h. In: a right program. Out: the same with one fault, chosen by a
 * random number: each function here makes one kind of fault somewhere, or says
 * that there was nothing to change. */
#include "tests/unit/mutate.h"
#include "generator/math/constant_value.h"
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct knife {
  fg_context *cx;
  fg_program *p;
  uint64_t *random;
  char *what;
} knife;

static int64_t pick(knife *m, int64_t n) { return (int64_t)(fg_random(m->random) % (uint64_t)n); }
static int64_t sign(knife *m) { return pick(m, 2) ? 1 : -1; }

__attribute__((format(printf, 2, 3))) static bool say(knife *m, const char *format, ...) {
  va_list args;
  va_start(args, format);
  vsnprintf(m->what, 160, format, args);
  va_end(args);
  return true;
}

fg_program *mutate_copy(fg_context *cx, const fg_program *p) {
  fg_program *q = fg_arena_copy(cx->arena, p, sizeof *p);
  q->kernel = fg_arena_new(cx->arena, fg_kernel *, p->nkernel);
  for (int i = 0; i < p->nkernel; i++) {
    q->kernel[i] = fg_arena_copy(cx->arena, p->kernel[i], sizeof *p->kernel[i]);
    q->kernel[i]->stage =
        fg_arena_copy(cx->arena, p->kernel[i]->stage, sizeof(fg_stage) * (size_t)p->kernel[i]->nstage);
  }
  return q;
}

static fg_kernel *any_kernel(knife *m) { return m->p->kernel[pick(m, m->p->nkernel)]; }
static fg_stage *any_stage(knife *m, fg_kernel *k) { return &k->stage[pick(m, k->nstage)]; }

/* ---- codelets --------------------------------------------------------------------------- */

static fg_codelet *own_codelet(knife *m, fg_stage *s) {
  fg_codelet *c = fg_arena_copy(m->cx->arena, s->codelet, sizeof *c);
  c->node = fg_arena_copy(m->cx->arena, c->node, sizeof *c->node * (size_t)c->nnode);
  c->out = fg_arena_copy(m->cx->arena, c->out, sizeof *c->out * (size_t)c->nout);
  s->codelet = c;
  return c;
}

static fg_node *operand(fg_dnode *d, int which) { return which == 0 ? &d->a : which == 1 ? &d->b : &d->c; }

static bool change_op(knife *m, fg_codelet *c, int node) {
  fg_dnode *d = &c->node[node];
  fg_op was = d->op, two[] = {FG_OP_ADD, FG_OP_SUB, FG_OP_MUL}, three[] = {FG_OP_FMA, FG_OP_FMS, FG_OP_FNMA};
  int n = fg_op_operands(was);
  if (n < 2) return false;
  d->op = (n == 2 ? two : three)[pick(m, 3)];
  return d->op != was && say(m, "node %d: %s for %s", node, fg_op_name(d->op), fg_op_name(was));
}

static bool swap_operands(knife *m, fg_codelet *c, int node) {
  fg_dnode *d = &c->node[node];
  int n = fg_op_operands(d->op);
  if (n < 2) return false;
  int i = (int)pick(m, n), j = (i + 1) % n;
  fg_node t = *operand(d, i);
  *operand(d, i) = *operand(d, j);
  *operand(d, j) = t;
  return *operand(d, i) != *operand(d, j) && say(m, "node %d: operands %d and %d changed places", node, i, j);
}

static bool replace_operand(knife *m, fg_codelet *c, int node) {
  fg_dnode *d = &c->node[node];
  int n = fg_op_operands(d->op);
  if (n < 1 || node < 1) return false;
  fg_node *to = operand(d, (int)pick(m, n)), was = *to;
  *to = (fg_node)pick(m, node);
  return *to != was && say(m, "node %d: operand %u for %u", node, *to, was);
}

static bool bypass(knife *m, fg_codelet *c, int node) {
  if (fg_op_operands(c->node[node].op) < 1) return false;
  fg_node instead = c->node[node].a;
  for (int i = node + 1; i < c->nnode; i++)
    for (int k = 0; k < fg_op_operands(c->node[i].op); k++)
      if (*operand(&c->node[i], k) == (fg_node)node) *operand(&c->node[i], k) = instead;
  for (int s = 0; s < c->nout; s++)
    if (c->out[s] == (fg_node)node) c->out[s] = instead;
  return say(m, "node %d left out", node);
}

static bool change_leaf(knife *m, fg_codelet *c, int node) {
  fg_dnode *d = &c->node[node];
  uint32_t was = d->slot;
  int64_t count = d->op == FG_OP_IN ? c->nin : d->op == FG_OP_TW ? c->ntw : fg_const_count(c->pool);
  if (fg_op_operands(d->op)) return false;
  if (d->op == FG_OP_CONST && pick(m, 2))
    d->slot = fg_const_neg(c->pool, was);
  else if (d->op == FG_OP_CONST && pick(m, 2))
    d->slot = fg_const_cos(c->pool, 1 + pick(m, 7), 5 + pick(m, 12));
  else
    d->slot = (uint32_t)pick(m, count);
  return d->slot != was && say(m, "node %d: %s %u for %u", node, fg_op_name(d->op), d->slot, was);
}

static bool change_outputs(knife *m, fg_codelet *c, int node) {
  int i = (int)pick(m, c->nout), j = (int)pick(m, c->nout);
  fg_node was = c->out[i];
  if (pick(m, 2)) {
    c->out[i] = (fg_node)node;
    return c->out[i] != was && say(m, "output %d is node %d", i, node);
  }
  c->out[i] = c->out[j];
  c->out[j] = was;
  return i != j && say(m, "outputs %d and %d changed places", i, j);
}

static bool mutate_dag(knife *m) {
  static bool (*const fault[])(knife *, fg_codelet *, int) = {change_op, change_op,   swap_operands, replace_operand,
                                                              bypass,    change_leaf, change_leaf,   change_outputs};
  fg_stage *s = any_stage(m, any_kernel(m));
  if (!s->codelet) return false;
  fg_codelet *c = own_codelet(m, s);
  return fault[pick(m, sizeof fault / sizeof *fault)](m, c, (int)pick(m, c->nnode));
}

/* ---- tables ------------------------------------------------------------------------------- */

static bool mutate_table(knife *m) {
  if (!m->p->ntable) return false;
  int which = (int)pick(m, m->p->ntable);
  fg_table *t = &m->p->table[which];
  switch (pick(m, 8)) {
  case 0: t->sign = -t->sign; return say(m, "table %d: sign", which);
  case 1: t->row0 += sign(m) * (1 + pick(m, 3)); return say(m, "table %d: row0 %lld", which, (long long)t->row0);
  case 2:
    t->order += sign(m) * (1 + pick(m, 3));
    return t->order > 0 && say(m, "table %d: order %lld", which, (long long)t->order);
  case 3: t->order *= 2; return say(m, "table %d: order %lld", which, (long long)t->order);
  case 4: t->cols += sign(m); return say(m, "table %d: cols %lld", which, (long long)t->cols);
  case 5: t->rows += sign(m); return say(m, "table %d: rows %lld", which, (long long)t->rows);
  case 6:
    if (!t->panel) return false;
    t->panel = pick(m, 2) ? 2 * t->panel : t->panel / 2;
    return say(m, "table %d: panels of %lld", which, (long long)t->panel);
  default: t->n += sign(m); return say(m, "table %d: n %lld", which, (long long)t->n);
  }
}

/* ---- addresses ---------------------------------------------------------------------------- */

/* An access's continuation belongs to the program that was copied, too. */
static fg_access *own_rest(knife *m, fg_access *a) {
  fg_access *rest = fg_arena_copy(m->cx->arena, a->rest, sizeof *rest);
  a->rest = rest;
  return rest;
}

static fg_access *any_access(knife *m, fg_stage *s, const char **name) {
  int which = (int)pick(m, s->factors.has_twiddle ? 3 : 2);
  *name = which == 0 ? "load" : which == 1 ? "store" : "twiddle";
  fg_access *a = which == 0 ? &s->load : which == 1 ? &s->store : &s->factors.twiddle;
  while (a->rest && pick(m, 2)) a = own_rest(m, a);
  return a;
}

static int16_t digit_in_scope(knife *m, const fg_kernel *k, const fg_stage *s, const fg_access *a) {
  int64_t i = pick(m, s->nloop + k->nouter + 1);
  if (i < s->nloop) return s->loop[i];
  return i < s->nloop + k->nouter ? k->outer[i - s->nloop] : a ? a->reg : s->load.reg;
}

static bool change_num(knife *m, fg_num *x) {
  int64_t was = x->n;
  switch (pick(m, 5)) {
  case 0: x->n++; break;
  case 1: x->n--; break;
  case 2: x->n *= 2; break;
  case 3: x->n = -x->n; break;
  default: x->n = 0; break;
  }
  return x->n != was;
}

static bool change_terms(knife *m, const fg_kernel *k, const fg_stage *s, fg_access *a, const char *name) {
  fg_affine *f = &a->index.at;
  if (!f->nterm) return false;
  int i = (int)pick(m, f->nterm), j = (int)pick(m, f->nterm);
  fg_num was = f->term[i].coef;
  int16_t digit = f->term[i].digit;
  switch (pick(m, 4)) {
  case 0:
    f->term[i].coef = f->term[j].coef;
    f->term[j].coef = was;
    return i != j && say(m, "%s of %s: coefficients %d and %d changed places", name, s->what, i, j);
  case 1:
    f->term[i].digit = digit_in_scope(m, k, s, a);
    return f->term[i].digit != digit && say(m, "%s of %s: term %d by another digit", name, s->what, i);
  default:
    return change_num(m, &f->term[i].coef) && say(m, "%s of %s: coefficient %d %lld for %lld", name, s->what, i,
                                                  (long long)f->term[i].coef.n, (long long)was.n);
  }
}

/* What a modulus or a table leaves alone. */
static bool change_bent(knife *m, fg_index *x) {
  if (pick(m, 2)) return change_num(m, x->base.nterm && pick(m, 2) ? &x->base.term[0].coef : &x->base.offset);
  int64_t was = x->scale.n ? x->scale.n : 1;
  x->scale = fg_num_const(1 + pick(m, 3));
  return x->scale.n != was;
}

static bool change_lookup(knife *m, fg_stage *s, fg_index *x, const char *name) {
  int16_t was = x->lookup;
  bool some = false;
  for (int t = 0; t < m->p->ntable; t++) some |= fg_table_is_index(&m->p->table[t]);
  if (!some) return false;
  x->lookup = (int16_t)(pick(m, m->p->nbuffer + 1) - 1);
  return x->lookup != was &&
         say(m, "%s of %s: places by %s", name, s->what, x->lookup < 0 ? "no table" : m->p->buffer[x->lookup].name);
}

static bool change_index(knife *m, fg_stage *s, fg_access *a, const char *name) {
  fg_index *x = &a->index;
  switch (pick(m, 5)) {
  case 0: {
    int64_t was = x->mod;
    x->mod = was && pick(m, 2) ? 0 : 1 + pick(m, was ? 2 * was : m->p->buffer[a->buffer].size + 4);
    return x->mod != was && say(m, "%s of %s: modulo %lld for %lld", name, s->what, (long long)x->mod, (long long)was);
  }
  case 1: {
    int64_t every = x->pad_every, by = x->pad_by;
    x->pad_every = pick(m, 3) ? 1 << pick(m, 5) : 0, x->pad_by = pick(m, 3);
    return (x->pad_every != every || x->pad_by != by) && say(m, "%s of %s: padding", name, s->what);
  }
  case 2: {
    int64_t mask = x->xor_mask, shift = x->xor_shift;
    x->xor_mask = pick(m, 8), x->xor_shift = pick(m, 5);
    return (x->xor_mask != mask || x->xor_shift != shift) && say(m, "%s of %s: swizzle", name, s->what);
  }
  case 3: return change_lookup(m, s, x, name);
  default:
    if (fg_index_is_bent(x) && pick(m, 3)) return change_bent(m, x) && say(m, "%s of %s: scale, base", name, s->what);
    x->at.offset.n += sign(m) * (1 + pick(m, 4));
    return say(m, "%s of %s: offset", name, s->what);
  }
}

static bool change_digit(knife *m, fg_kernel *k, fg_stage *s) {
  fg_digit *d = &k->digit[digit_in_scope(m, k, s, NULL)];
  int64_t was = d->last;
  switch (pick(m, 6)) {
  case 0: d->extent.n += sign(m); return say(m, "extent of digit %s", d->name);
  case 1: d->step += sign(m); return say(m, "step of digit %s", d->name);
  case 2: d->step *= 2; return say(m, "double step of digit %s", d->name);
  case 3: d->start.n += sign(m); return d->start.form == FG_NUM_CONST && say(m, "start of digit %s", d->name);
  case 4:
    d->last = was == INT64_MAX ? pick(m, 9) : pick(m, 2) ? INT64_MAX : was + sign(m);
    return d->last != was && say(m, "last of digit %s", d->name);
  default: d->div += sign(m); return d->div > 0 && say(m, "divisor of digit %s", d->name);
  }
}

static bool change_preds(knife *m, fg_stage *s) {
  fg_pred *list[] = {s->load.pred, s->store.pred, s->pred};
  int *count[] = {&s->load.npred, &s->store.npred, &s->npred};
  int which = (int)pick(m, 3);
  if (!*count[which]) return false;
  fg_pred *x = &list[which][pick(m, *count[which])];
  switch (pick(m, 3)) {
  case 0: x->bound.n += sign(m); return say(m, "bound of a predicate of %s", s->what);
  case 1: x->value.offset.n += sign(m); return say(m, "offset of a predicate of %s", s->what);
  default: --*count[which]; return say(m, "a predicate of %s left out", s->what);
  }
}

static bool mutate_address(knife *m) {
  fg_kernel *k = any_kernel(m);
  fg_stage *s = any_stage(m, k);
  const char *name;
  fg_access *a = any_access(m, s, &name);
  switch (pick(m, 8)) {
  case 0:
  case 1:
  case 2: return change_terms(m, k, s, a, name);
  case 3:
  case 4: return change_index(m, s, a, name);
  case 5:
  case 6: return change_digit(m, k, s);
  default: return change_preds(m, s);
  }
}

/* ---- barriers ------------------------------------------------------------------------------- */

static bool mutate_barrier(knife *m) {
  fg_kernel *k = any_kernel(m);
  fg_stage *s = any_stage(m, k);
  fg_scope narrow = (fg_scope)pick(m, FG_SCOPE_BLOCK);
  if (fg_exchange_waits(&s->exchange.between) && pick(m, 2)) {
    s->exchange.between.scope = narrow;
    return say(m, "barrier in the middle of %s left out", s->what);
  }
  if (k->launch.threads < 2 || !fg_exchange_waits(&s->exchange.after)) return false;
  s->exchange.after.scope = narrow;
  return say(m, "barrier after %s left out", s->what);
}

/* ---- shapes ---------------------------------------------------------------------------------- */

static bool change_stages(knife *m, fg_kernel *k) {
  int i = (int)pick(m, k->nstage), j = (int)pick(m, k->nstage);
  fg_stage s = k->stage[i];
  switch (pick(m, 3)) {
  case 0:
    memmove(&k->stage[i], &k->stage[i + 1], sizeof s * (size_t)(k->nstage - i - 1));
    k->nstage--;
    return k->nstage > 0 && say(m, "stage %s left out", s.what);
  case 1:
    k->stage[i] = k->stage[j];
    k->stage[j] = s;
    return i != j && say(m, "stages %s and %s changed places", s.what, k->stage[i].what);
  default: {
    fg_stage *twice = fg_arena_new(m->cx->arena, fg_stage, k->nstage + 1);
    memcpy(twice, k->stage, sizeof s * (size_t)(i + 1));
    memcpy(twice + i + 1, k->stage + i, sizeof s * (size_t)(k->nstage - i));
    k->stage = twice;
    k->nstage++;
    return say(m, "stage %s twice", s.what);
  }
  }
}

/* Loops that enclose a stage and the one before it, or that no longer do. */
static bool change_shared(knife *m, fg_kernel *k) {
  fg_stage *s = any_stage(m, k);
  int16_t was = s->vectors.shared;
  s->vectors.shared = (int16_t)pick(m, s->nloop + 1);
  return s->vectors.shared != was && say(m, "%s shares %d loops", s->what, s->vectors.shared);
}

static bool change_buffer(knife *m, fg_stage *s) {
  const char *name;
  fg_access *a = any_access(m, s, &name);
  int16_t was = a->buffer;
  a->buffer = (int16_t)pick(m, m->p->nbuffer);
  bool table = m->p->buffer[a->buffer].space == FG_SPACE_TABLE && m->p->buffer[a->buffer].table < 0;
  return a->buffer != was && !table &&
         say(m, "%s of %s: buffer %s for %s", name, s->what, m->p->buffer[a->buffer].name, m->p->buffer[was].name);
}

static bool change_alias(knife *m) {
  fg_program *p = m->p;
  int i = (int)pick(m, p->nbuffer), j = (int)pick(m, p->nbuffer);
  fg_buffer *b = &p->buffer[i];
  bool scratch = (b->space == FG_SPACE_LOCAL || b->space == FG_SPACE_WORK) && p->buffer[j].space == b->space;
  if (b->alias >= 0) {
    b->alias = -1;
    return say(m, "buffer %s has memory of its own", b->name);
  }
  if (!scratch || i == j || p->buffer[j].alias >= 0) return false;
  b->alias = (int16_t)j;
  return say(m, "buffers %s and %s share memory", b->name, p->buffer[j].name);
}

static bool change_counts(knife *m, fg_kernel *k) {
  fg_buffer *b = &m->p->buffer[pick(m, m->p->nbuffer)];
  switch (pick(m, 4)) {
  case 0: k->launch.threads += (int)sign(m); return k->launch.threads > 0 && say(m, "%d threads", k->launch.threads);
  case 1:
    if (!k->launch.nblocks) return false;
    k->launch.blocks[pick(m, k->launch.nblocks)].n += sign(m);
    return k->launch.threads > 1 && say(m, "number of blocks");
  case 2: b->size -= 1 + pick(m, 3); return b->space > FG_SPACE_OUTPUT && say(m, "size of %s", b->name);
  default:
    if (b->space != FG_SPACE_LOCAL && b->space != FG_SPACE_WORK) return false;
    b->space = b->space == FG_SPACE_LOCAL ? FG_SPACE_WORK : FG_SPACE_LOCAL;
    return say(m, "space of %s", b->name);
  }
}

static bool change_kernels(knife *m) {
  fg_program *p = m->p;
  int i = (int)pick(m, p->nkernel), j = (int)pick(m, p->nkernel);
  fg_kernel *k = p->kernel[i];
  if (p->nkernel < 2) return false;
  p->kernel[i] = p->kernel[j];
  p->kernel[j] = k;
  return i != j && say(m, "kernels %d and %d changed places", i, j);
}

static bool mutate_shape(knife *m) {
  fg_kernel *k = any_kernel(m);
  switch (pick(m, 8)) {
  case 0:
  case 1: return change_stages(m, k);
  case 2:
  case 3: return change_buffer(m, any_stage(m, k));
  case 4: return change_alias(m);
  case 5: return change_kernels(m);
  case 6: return change_shared(m, k);
  default: return change_counts(m, k);
  }
}

/* ---- the table ---------------------------------------------------------------------------------- */

static const struct row {
  const char *name;
  bool (*make)(knife *);
} rows[MUTATION_COUNT] = {
    [MUTATE_DAG] = {"codelets", mutate_dag},          [MUTATE_TABLE] = {"tables", mutate_table},
    [MUTATE_ADDRESS] = {"addresses", mutate_address}, [MUTATE_BARRIER] = {"barriers", mutate_barrier},
    [MUTATE_SHAPE] = {"shapes", mutate_shape},
};

const char *mutation_name(mutation kind) { return rows[kind].name; }

fg_program *mutate_program(fg_context *cx, const fg_program *p, mutation kind, uint64_t *random, char what[160]) {
  for (int tries = 0; tries < 40; tries++) {
    knife m = {cx, mutate_copy(cx, p), random, what};
    if (rows[kind].make(&m)) return m.p;
  }
  return NULL;
}

/* ---- text ----------------------------------------------------------------------------------------- */

typedef struct token {
  size_t at, length;
} token;

/* The next token at or after `at` that a fault can change; comments are skipped. */
static bool next_token(const char *text, size_t at, token *t) {
  for (; text[at]; at++) {
    if (text[at] == '/' && text[at + 1] == '*') {
      const char *end = strstr(text + at, "*/");
      if (!end) return false;
      at = (size_t)(end - text) + 1;
    } else if (isalpha((unsigned char)text[at]) || text[at] == '_') {
      size_t n = strspn(text + at, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ_0123456789");
      *t = (token){at, n};
      return true;
    } else if (isdigit((unsigned char)text[at])) {
      *t = (token){at, strspn(text + at, "0123456789abcdefxABCDEFXULul")};
      return true;
    } else if (strchr("+-*<", text[at]) && text[at + 1] == ' ') {
      *t = (token){at, 1};
      return true;
    }
  }
  return false;
}

/* Another name of the same kind that occurs in the text: t12 for t7. */
static char *other_name(fg_context *cx, const char *text, size_t from, uint64_t *random, token t) {
  size_t stem = t.length;
  while (stem && isdigit((unsigned char)text[t.at + stem - 1])) stem--;
  int count = 0;
  char *chosen = NULL;
  token o;
  for (size_t at = from; next_token(text, at, &o); at = o.at + o.length) {
    if (o.length <= stem || strncmp(text + o.at, text + t.at, stem) || !isdigit((unsigned char)text[o.at + stem]))
      continue;
    if (fg_random(random) % (uint64_t)++count == 0)
      chosen = fg_arena_printf(cx->arena, "%.*s", (int)o.length, text + o.at);
  }
  return chosen;
}

static char *changed_name(fg_context *cx, const char *text, size_t from, uint64_t *random, token t) {
  static const char *const instead[][2] = {{"add", "sub"},  {"sub", "add"},  {"mul", "add"}, {"fma", "fms"},
                                           {"fms", "fnma"}, {"fnma", "fma"}, {"neg", NULL}};
  char *name = fg_arena_printf(cx->arena, "%.*s", (int)t.length, text + t.at), *op = strrchr(name, '_');
  for (size_t i = 0; op && i < sizeof instead / sizeof *instead; i++)
    if (!strcmp(op + 1, instead[i][0]) && instead[i][1])
      return fg_arena_printf(cx->arena, "%.*s%s", (int)(op + 1 - name), name, instead[i][1]);
  return isdigit((unsigned char)name[t.length - 1]) ? other_name(cx, text, from, random, t) : NULL;
}

static char *changed_number(fg_context *cx, const char *text, uint64_t *random, token t) {
  long long x = strtoll(text + t.at, NULL, 0);
  if (t.length > 10) return NULL; /* an element of the field */
  return fg_arena_printf(cx->arena, "%lld", fg_random(random) % 2 || !x ? x + 1 : x - 1);
}

char *mutate_text(fg_context *cx, const char *text, size_t from, uint64_t *random, char what[160]) {
  size_t length = strlen(text);
  for (int tries = 0; tries < 200; tries++) {
    token t;
    if (!next_token(text, from + fg_random(random) % (length - from), &t)) continue;
    if (t.at && (isalnum((unsigned char)text[t.at - 1]) || text[t.at - 1] == '_')) continue; /* the middle of one */
    char c = text[t.at], *instead = NULL;
    if (isdigit((unsigned char)c))
      instead = changed_number(cx, text, random, t);
    else if (isalpha((unsigned char)c) || c == '_')
      instead = changed_name(cx, text, from, random, t);
    else
      instead = fg_arena_strdup(cx->arena, c == '+' ? "-" : c == '-' ? "+" : c == '*' ? "+" : "<=");
    if (!instead || (strlen(instead) == t.length && !strncmp(instead, text + t.at, t.length))) continue;
    size_t line = t.at, end = t.at;
    while (line > 0 && text[line - 1] != '\n') line--;
    while (text[end] && text[end] != '\n') end++;
    if (memmem(text + line, end - line, "fg_leaves_out", 13) || memmem(text + line, end - line, "fg_begins", 9))
      continue; /* the proof's own */
    snprintf(what, 160, "%s for %.*s in: %.*s", instead, (int)t.length, text + t.at,
             (int)(end - line < 100 ? end - line : 100), text + line);
    return fg_arena_printf(cx->arena, "%.*s%s%s", (int)t.at, text, instead, text + t.at + t.length);
  }
  return NULL;
}
