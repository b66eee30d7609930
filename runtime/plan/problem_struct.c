/* In: a problem as a struct. Out: its canonical text, which the rest of the library takes, so that a struct means
 * exactly what its text means. The struct is written as text and parsed. */
#include "generator/base/strbuf.h"
#include "generator/problem/zeros.h"
#include "runtime/plan/orthogonal.h"
#include "runtime/plan/public.h"
#include <stdio.h>
#include <string.h>

typedef struct writer {
  fg_context *cx;
  const fftgen_problem *p;
  fg_strbuf text;
} writer;

static fg_status refuse(const writer *w, const char *what, const char *allowed) {
  return fg_diag_set(&w->cx->diag, FG_EUSER, "fftgen_problem: %s; allowed: %s", what, allowed);
}

/* Negative: FFTGEN_TIMES_PARAM. */
static fg_status add_number(writer *w, long long value) {
  if (value >= 0) return fg_strbuf_addf(&w->text, "%lld", value), FG_OK;
  unsigned long long code = 0ull - (unsigned long long)value, times = code / 16, i = code % 16;
  if (!times) return refuse(w, "a negative number in a dimension", "1 .. 2^62, FFTGEN_PARAM(i)");
  if (i >= (unsigned long long)w->p->nparam) return refuse(w, "a parameter's number in a dimension", "below nparam");
  const fftgen_param *q = &w->p->param[i];
  if (!q->name || !*q->name || strpbrk(q->name, " []*:=")) return refuse(w, "a parameter's name", "an identifier");
  fg_strbuf_addf(&w->text, "%llu*%s[%lld..%lld]", times, q->name, q->lowest, q->highest);
  return FG_OK;
}

static fg_status add_dim(writer *w, const fftgen_dim *d) {
  fg_status status = add_number(w, d->n);
  if (status != FG_OK || (!d->is && !d->os)) return status;
  if (!d->is || !d->os) return refuse(w, "one stride of two in a dimension", "both, or both 0");
  fg_strbuf_add(&w->text, ":");
  status = add_number(w, d->is);
  if (status != FG_OK) return status;
  fg_strbuf_add(&w->text, ":");
  return add_number(w, d->os);
}

static fg_status add_dims(writer *w, const char *word, const fftgen_dim *dim, int rank) {
  if (rank && !dim) return refuse(w, "no dimensions where rank or batch_rank says some", "an array of them");
  fg_strbuf_add(&w->text, word);
  for (int i = 0; i < rank; i++) {
    if (i) fg_strbuf_add(&w->text, "x");
    fg_status status = add_dim(w, &dim[i]);
    if (status != FG_OK) return status;
  }
  return FG_OK;
}

/* Behind the word `key` of further words, and a quote; NULL: there is none. */
static const char *list_of(const char *more, const char *key) {
  const char *at = more;
  while ((at = strstr(at, key)) && at != more && at[-1] != ' ' && at[-1] != '\t') at++;
  if (!at) return NULL;
  at += strlen(key);
  return *at == '"' || *at == '\'' ? at + 1 : at;
}

/* Where a list ends that begins there. */
static const char *end_of(const char *list) {
  return list + (list[-1] == '=' ? strcspn(list, " \t") : strcspn(list, (const char[]){list[-1], 0}));
}

/* Further words, with operations of the struct's own behind what is done while loading, and before what is done while
 * storing. */
static void add_more(writer *w, const fg_orthogonal *own) {
  const char *more = w->p->more ? w->p->more : "", *load = list_of(more, "load="), *store = list_of(more, "store=");
  const char *loaded = load ? end_of(load) : NULL;
  if (*more) fg_strbuf_add(&w->text, " ");
  for (const char *at = more; *at || at == loaded || at == store; at++) {
    if (at == loaded && *own->load) fg_strbuf_addf(&w->text, "%s%s", loaded == load ? "" : ",", own->load);
    if (at == store && *own->store) fg_strbuf_addf(&w->text, "%s%s", own->store, at == end_of(store) ? "" : ",");
    if (!*at) break;
    fg_strbuf_addf(&w->text, "%c", *at);
  }
  if (!load && *own->load) fg_strbuf_addf(&w->text, " load=%s", own->load);
  if (!store && *own->store) fg_strbuf_addf(&w->text, " store=%s", own->store);
}

static fg_status add_words(writer *w) {
  static const char *const layouts[] = {"", " layout=split>interleaved", " layout=interleaved>split", " layout=split"};
  const fftgen_problem *p = w->p;
  if (p->sign < -1 || p->sign > 1) return refuse(w, "sign", "-1, 0, +1");
  if (p->flags & ~(unsigned)(FFTGEN_IN_PLACE | FFTGEN_SPLIT_IN | FFTGEN_SPLIT_OUT | FFTGEN_CALL_SCALE |
                             FFTGEN_CALL_LENGTHS | FFTGEN_ORTHOGONAL))
    return refuse(w, "unknown flags",
                  "FFTGEN_IN_PLACE, FFTGEN_SPLIT_IN, FFTGEN_SPLIT_OUT, FFTGEN_CALL_SCALE, FFTGEN_CALL_LENGTHS, "
                  "FFTGEN_ORTHOGONAL");
  if (p->sign) fg_strbuf_addf(&w->text, " sign=%+d", p->sign);
  if (p->flags & FFTGEN_IN_PLACE) fg_strbuf_add(&w->text, " place=in");
  fg_strbuf_add(&w->text, layouts[p->flags >> 1 & 3]);
  fg_orthogonal own = {.load = ""};
  if (p->flags & FFTGEN_CALL_SCALE) snprintf(own.store, sizeof own.store, "%s", FG_PUBLIC_SCALE);
  if ((p->flags & FFTGEN_ORTHOGONAL) && !fg_orthogonal_of(p, &own))
    return refuse(w, "FFTGEN_ORTHOGONAL of this kind, or of too many dimensions",
                  "cosine and sine transforms of up to 3 dimensions");
  add_more(w, &own);
  return FG_OK;
}

static fg_status write_text(writer *w) {
  const fftgen_problem *p = w->p;
  if ((unsigned)p->kind > FFTGEN_RCONV) return refuse(w, "kind", "FFTGEN_C2C .. FFTGEN_RCONV");
  if ((unsigned)p->precision > FFTGEN_F64) return refuse(w, "precision", "FFTGEN_F16 .. FFTGEN_F64");
  if (p->rank < 1 || p->rank > FG_MAX_RANK || p->batch_rank < 0 || p->batch_rank > FG_MAX_RANK)
    return refuse(w, "rank or batch_rank", "1 .. 7, 0 .. 7");
  if (p->nparam < 0 || p->nparam > FG_MAX_PARAMS || (p->nparam && !p->param))
    return refuse(w, "parameters", "up to 16, in an array");
  fg_strbuf_addf(&w->text, "%s %s", fg_problem_kind_name((fg_kind)p->kind),
                 fg_precision_name((fg_precision)p->precision));
  fg_status status = add_dims(w, " n=", p->dim, p->rank);
  if (status == FG_OK && p->batch_rank) status = add_dims(w, " batch=", p->batch, p->batch_rank);
  return status == FG_OK ? add_words(w) : status;
}

/* The canonical text of a struct, in cx's arena. */
static fg_status text_of(fg_context *cx, const void *from, char **text) {
  const fftgen_problem *given = from;
  fftgen_problem p = {0};
  fg_problem parsed;
  memcpy(&p, given, given->size < sizeof p ? given->size : sizeof p);
  writer w = {.cx = cx, .p = &p};
  w.text = fg_strbuf_new(cx->arena);
  fg_status status = write_text(&w);
  bool overlapping = p.flags & FFTGEN_CALL_LENGTHS;
  if (status == FG_OK)
    status = (overlapping ? fg_problem_parse_overlapping : fg_problem_parse_zeros)(cx, w.text.text, &parsed);
  if (status == FG_OK) *text = fg_problem_print(cx, &parsed);
  return status;
}

/* That of the transform of a convolution's filters. */
static fg_status prepare_of(fg_context *cx, const void *from, char **text) {
  fg_problem conv, prepare;
  fg_status status = fg_problem_parse(cx, from, &conv);
  if (status == FG_OK && !conv.filter.rank)
    return fg_diag_set(&cx->diag, FG_EUSER, "problem: nothing to prepare; allowed: conv and rconv with filter=");
  if (status == FG_OK) status = fg_problem_parse(cx, fg_problem_prepare(cx, &conv), &prepare);
  if (status == FG_OK) *text = fg_problem_print(cx, &prepare);
  return status;
}

typedef fg_status maker(fg_context *cx, const void *from, char **text);

static fg_status guarded(fg_context *cx, maker *make, const void *from, char **text) {
  if (fg_arena_guard(cx->arena)) return FG_ENOMEM;
  return make(cx, from, text);
}

typedef struct room { /* for a text */
  char *text;
  size_t size;
} room;

static fftgen_status write_made(maker *make, const void *from, room to, fftgen_error *error) {
  char *made = NULL;
  fg_context cx = {.arena = fg_arena_create()};
  fftgen_status status = fg_public_status(cx.arena ? guarded(&cx, make, from, &made) : FG_ENOMEM);
  if (status == FFTGEN_OK && (!to.text || strlen(made) >= to.size)) {
    status = FFTGEN_EPROBLEM;
    fg_diag_set(&cx.diag, FG_EUSER, "the text takes %zu bytes, %zu were given", strlen(made) + 1, to.size);
  }
  if (status == FFTGEN_OK) memcpy(to.text, made, strlen(made) + 1);
  fg_public_tell(error, status, status == FFTGEN_OK ? "" : cx.diag.message);
  fg_arena_destroy(cx.arena);
  return status;
}

static fftgen_status write_outside_forks(maker *make, const void *from, room to, fftgen_error *error) {
  bool whole = fg_fork_enter();
  fftgen_status status =
      whole ? write_made(make, from, to, error) : fg_public_tell(error, FFTGEN_ESYSTEM, FG_PUBLIC_FORKED);
  fg_fork_leave();
  return status;
}

fftgen_status fftgen_problem_text(const fftgen_problem *problem, char *text, size_t size, fftgen_error *error) {
  if (!problem || problem->size < sizeof problem->size)
    return fg_public_tell(error, FFTGEN_EPROBLEM, "fftgen_problem: size must be sizeof(fftgen_problem)");
  return write_outside_forks(text_of, problem, (room){text, size}, error);
}

fftgen_status fftgen_prepare_text(const char *problem, char *text, size_t size, fftgen_error *error) {
  if (!problem) return fg_public_tell(error, FFTGEN_EPROBLEM, "no problem given");
  return write_outside_forks(prepare_of, problem, (room){text, size}, error);
}
