/* Wisdom: which problems there were plans of, at which effort, and whether codelets or a compiled kernel were faster.
 * In: plans that are made, wisdom as text. Out: wisdom as text, and whether FFTW_WISDOM_ONLY has a plan.
 *
 * "(fftw-3.3.10-fftgen fftw_wisdom (PROBLEM EFFORT) ...)", numbers in hexadecimal; EFFORT is 0 .. 3, and 4 more for
 * codelets, 8 for a kernel, where that was measured. The kernels themselves are in libfftgen's cache. What other
 * versions export begins otherwise and is refused, as FFTW refuses it. */
#include "fftw/api/foreign.h"
#include "fftw/api/settings.h"
#include "fftw/base/lock.h"
#include "fftw/line/line.h"
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#if FG_FFTW_SINGLE
#define HEAD "(fftw-3.3.10-fftgen fftwf_wisdom"
#else
#define HEAD "(fftw-3.3.10-fftgen fftw_wisdom"
#endif

typedef struct known {
  uint64_t problem;
  int effort; /* fg_wisdom_effort */
  fg_kernel_choice choice;
} known;

/* Guarded by FG_LOCK_WISDOM. `room`, a power of two, places; a problem is in the first free one from its number on. A
 * place is free where its effort is NOTHING. */
static known *list;
static size_t count, room;
enum { NOTHING = -1 };

/* ---- problems as numbers -------------------------------------------------------- */

static void mix(uint64_t *hash, uint64_t x) { /* FNV-1a, by words */
  *hash = (*hash ^ x) * 0x100000001b3u;
  *hash ^= *hash >> 29;
}

static uint64_t layout(fg_array a) { return !a.im ? 0 : a.im - a.re == 1 ? 1 : 2; }

uint64_t fg_wisdom_problem(const fg_call *c) {
  uint64_t hash = 0xcbf29ce484222325u;
  mix(&hash, (uint64_t)c->rank);
  for (int i = 0; i < c->rank + c->vectors; i++) {
    const X(iodim64) *d = i < c->rank ? &c->dim[i] : &c->vector[i - c->rank];
    mix(&hash, (uint64_t)d->n), mix(&hash, (uint64_t)d->is), mix(&hash, (uint64_t)d->os);
    if (i < c->rank) mix(&hash, c->type ? c->type[i] : i == c->rank - 1 ? c->last : c->all);
  }
  mix(&hash, layout(c->in)), mix(&hash, layout(c->out)), mix(&hash, c->in.re == c->out.re);
  return hash;
}

int fg_wisdom_effort(unsigned flags) {
  return flags & FFTW_EXHAUSTIVE ? 3 : flags & FFTW_PATIENT ? 2 : flags & FFTW_ESTIMATE ? 0 : 1;
}

/* ---- the list --------------------------------------------------------------------- */

static known *place(known *in, size_t size, uint64_t problem) {
  size_t i = (size_t)(problem ^ problem >> 32) & (size - 1);
  while (in[i].effort != NOTHING && in[i].problem != problem) i = (i + 1) & (size - 1);
  return &in[i];
}

static known *find(uint64_t problem) {
  known *k = room ? place(list, room, problem) : NULL;
  return k && k->effort != NOTHING ? k : NULL;
}

/* A place more; false: there is no memory. */
static bool grow(void) {
  if (4 * (count + 1) <= 3 * room) return true;
  size_t more = room ? 2 * room : 64;
  known *grown = malloc(more * sizeof *grown);
  if (!grown) return false;
  for (size_t i = 0; i < more; i++) grown[i].effort = NOTHING;
  for (size_t i = 0; i < room; i++)
    if (list[i].effort != NOTHING) *place(grown, more, list[i].problem) = list[i];
  free(list);
  list = grown, room = more;
  return true;
}

static void add(const known *x) {
  known *k = find(x->problem);
  if (!k) {
    if (!grow()) return;
    *place(list, room, x->problem) = *x;
    count++;
  } else if (x->effort > k->effort || (x->effort == k->effort && x->choice != FG_KERNEL_UNKNOWN)) {
    *k = *x;
  }
}

bool fg_wisdom_knows(uint64_t problem, unsigned flags) {
  fg_lock_take(FG_LOCK_WISDOM);
  const known *k = find(problem);
  bool knows = k && k->effort >= fg_wisdom_effort(flags);
  fg_lock_leave(FG_LOCK_WISDOM);
  return knows;
}

fg_kernel_choice fg_wisdom_choice(uint64_t problem, unsigned flags) {
  fg_lock_take(FG_LOCK_WISDOM);
  const known *k = find(problem);
  fg_kernel_choice choice = k && k->effort >= fg_wisdom_effort(flags) ? k->choice : FG_KERNEL_UNKNOWN;
  fg_lock_leave(FG_LOCK_WISDOM);
  return choice;
}

void fg_wisdom_learn(uint64_t problem, unsigned flags, fg_kernel_choice choice) {
  fg_lock_take(FG_LOCK_WISDOM);
  add(&(known){problem, fg_wisdom_effort(flags), choice});
  fg_lock_leave(FG_LOCK_WISDOM);
}

FG_PUBLIC void X(forget_wisdom)(void) {
  fg_lock_take(FG_LOCK_WISDOM);
  free(list);
  list = NULL, count = room = 0;
  fg_lock_leave(FG_LOCK_WISDOM);
  fg_kernel_forget();
}

FG_PUBLIC void X(cleanup)(void) {
  X(forget_wisdom)();
  fg_line_forget();
  FG_FOREIGN_FIND(next, cleanup); /* of plans that it made */
  if (next) next();
}

/* Of plans that are made from now on. */
static double time_limit = -1;

double fg_settings_time_limit(void) {
  double t;
  __atomic_load(&time_limit, &t, __ATOMIC_RELAXED);
  return t;
}

FG_PUBLIC void X(set_timelimit)(double t) { __atomic_store(&time_limit, &t, __ATOMIC_RELAXED); }

/* ---- as text ------------------------------------------------------------------------ */

static void put_text(X(write_char_func) put, void *data, const char *text) {
  while (*text) put(*text++, data);
}

FG_PUBLIC void X(export_wisdom)(X(write_char_func) put, void *data) {
  put_text(put, data, HEAD);
  fg_lock_take(FG_LOCK_WISDOM);
  for (size_t i = 0; i < room; i++) {
    char line[48];
    if (list[i].effort == NOTHING) continue;
    snprintf(line, sizeof line, "\n  (%llx %x)", (unsigned long long)list[i].problem,
             (unsigned)(list[i].effort + 4 * (int)list[i].choice));
    put_text(put, data, line);
  }
  fg_lock_leave(FG_LOCK_WISDOM);
  put_text(put, data, "\n)\n");
}

static void put_file(char c, void *file) { putc(c, file); }

FG_PUBLIC void X(export_wisdom_to_file)(FILE *file) { X(export_wisdom)(put_file, file); }

FG_PUBLIC int X(export_wisdom_to_filename)(const char *name) {
  FILE *f = fopen(name, "we");
  if (!f) return 0;
  X(export_wisdom_to_file)(f);
  int good = !ferror(f);
  return fclose(f) == 0 && good;
}

typedef struct text {
  char *at; /* NULL: characters are counted */
  size_t length, size;
} text;

static void put_in(char c, void *to) {
  text *t = to;
  if (t->at && t->length < t->size) t->at[t->length] = c;
  t->length++;
}

FG_PUBLIC char *X(export_wisdom_to_string)(void) {
  for (size_t size = 0;;) { /* longer, where another thread plans */
    text t = {.at = size ? malloc(size + 1) : NULL, .size = size};
    if (size && !t.at) return NULL;
    X(export_wisdom)(put_in, &t);
    if (t.at && t.length <= size) {
      t.at[t.length] = 0;
      return t.at;
    }
    free(t.at);
    size = t.length;
  }
}

typedef struct reader {
  X(read_char_func) get;
  void *data;
  int c; /* the next one */
} reader;

static int next(reader *r) { return r->c = r->get(r->data); }

static void skip_blanks(reader *r) {
  while (r->c == ' ' || r->c == '\n' || r->c == '\t' || r->c == '\r') next(r);
}

static bool take(reader *r, const char *text) {
  skip_blanks(r);
  for (; *text; text++, next(r))
    if (r->c != *text) return false;
  return true;
}

static bool take_number(reader *r, uint64_t *x) {
  static const char digits[] = "0123456789abcdef";
  int n = 0;
  skip_blanks(r);
  for (const char *d; r->c > 0 && (d = strchr(digits, r->c)); next(r), n++) *x = *x << 4 | (uint64_t)(d - digits);
  return n > 0 && n <= 16;
}

/* All of it or nothing: what is read first is kept apart. */
FG_PUBLIC int X(import_wisdom)(X(read_char_func) get, void *data) {
  reader r = {get, data, 0};
  known *read = NULL;
  size_t n = 0, size = 0;
  next(&r);
  bool ours = take(&r, HEAD), good = ours;
  while (good && (skip_blanks(&r), r.c == '(')) {
    uint64_t problem = 0, effort = 0;
    good = take(&r, "(") && take_number(&r, &problem) && take_number(&r, &effort) && take(&r, ")") && effort <= 11;
    if (good && n == size) {
      known *grown = realloc(read, (size = size ? 2 * size : 64) * sizeof *read);
      good = grown != NULL;
      if (grown) read = grown;
    }
    if (good) read[n++] = (known){problem, (int)(effort & 3), (fg_kernel_choice)(effort >> 2)};
  }
  good = good && r.c == ')';
  fg_lock_take(FG_LOCK_WISDOM);
  for (size_t i = 0; i < n && good; i++) add(&read[i]);
  fg_lock_leave(FG_LOCK_WISDOM);
  free(read);
  if (!good)
    fg_plan_say("no wisdom", ours ? "it is cut or changed, or there is no memory"
                                  : "another library's, precision's or version's; FFTW's own is not read");
  return good;
}

static int get_file(void *file) { return getc(file); }

static int get_text(void *of) {
  const char **at = of;
  return **at ? (unsigned char)*(*at)++ : EOF;
}

FG_PUBLIC int X(import_wisdom_from_file)(FILE *file) { return X(import_wisdom)(get_file, file); }

FG_PUBLIC int X(import_wisdom_from_string)(const char *text) { return X(import_wisdom)(get_text, &text); }

FG_PUBLIC int X(import_wisdom_from_filename)(const char *name) {
  FILE *f = fopen(name, "re");
  if (!f) return fg_plan_say("no wisdom", strerror(errno)), 0;
  int good = X(import_wisdom_from_file)(f);
  fclose(f);
  return good;
}

/* The system has none that is ours. */
FG_PUBLIC int X(import_system_wisdom)(void) { return 0; }
