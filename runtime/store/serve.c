/* See serve.h. Texts are compared word by word without parsing: a file may have tens of thousands of lines, and each
 * plan compares all of them. */
#include "runtime/store/serve.h"
#include "targets/ascii.h"
#include <stdlib.h>
#include <string.h>

typedef struct word {
  const char *at;
  size_t length;
} word;

/* What two problems may differ in, and the position of the next of the other words. */
typedef struct reader {
  const char *at;
  bool plus, in_place;
  word batch, scale; /* length 0: none */
} reader;

static bool is(word w, const char *text) { return w.length == strlen(text) && !memcmp(w.at, text, w.length); }

static bool begins(word w, const char *text) { return w.length >= strlen(text) && !memcmp(w.at, text, strlen(text)); }

static word next_word(reader *r) {
  word w = {r->at + strspn(r->at, " "), 0};
  w.length = strcspn(w.at, " ");
  r->at = w.at + w.length;
  return w;
}

/* The next word that both must have; length 0: the end. A second batch is such a word. */
static word next_common(reader *r) {
  for (;;) {
    word w = next_word(r);
    if (is(w, "sign=+1"))
      r->plus = true;
    else if (is(w, "place=in"))
      r->in_place = true;
    else if (begins(w, "batch=") && !r->batch.length)
      r->batch = w;
    else if (begins(w, "scale="))
      r->scale = w;
    else if (!is(w, "sign=-1"))
      return w;
  }
}

static bool same_word(word a, word b) { return a.length == b.length && (!a.length || !memcmp(a.at, b.at, a.length)); }

static bool is_real_pair(word a, word b) { return (is(a, "r2c") && is(b, "c2r")) || (is(a, "c2r") && is(b, "r2c")); }

/* How many transforms that follow each other, none of them one; of a parameter, as many as it allows. 0: strides of
 * their own. */
static double count_of(word w) {
  if (!w.length) return 1;
  double count = 0;
  const char *at = w.at + strlen("batch="), *end = w.at + w.length;
  const char *range = memchr(at, '[', (size_t)(end - at)), *last = range ? strstr(range, "..") : NULL;
  if (range) at = last && last < end ? last + 2 : end;
  const char *digits = at;
  while (at < end && fg_is_digit(*at)) count = 10 * count + (*at++ - '0');
  if (range && at < end && *at == ']') at++;
  return at == end && at != digits ? count : 0;
}

static int halvings(double ratio) {
  int times = 0;
  while (ratio > 1) ratio /= 2, times++;
  return times;
}

static int batch_distance(word known, word asked, bool gpu) {
  if (known.length == asked.length && (!known.length || same_word(known, asked))) return 0;
  double from = count_of(known), to = count_of(asked);
  if (!known.length || !asked.length || from < 1 || to < 1) return -1;
  int times = halvings(from > to ? from / to : to / from);
  bool serves = gpu ? to > from || times <= FG_SERVE_FEWER : times <= FG_SERVE_TIMES;
  return serves ? times * FG_SERVE_BATCH : -1;
}

int fg_serve_problem(const char *known, const char *asked, bool gpu) {
  reader k = {.at = known}, a = {.at = asked};
  word kw = next_common(&k), aw = next_common(&a);
  bool mirror = is_real_pair(kw, aw);
  if (!mirror && !same_word(kw, aw)) return -1;
  while (kw.length || aw.length) {
    kw = next_common(&k), aw = next_common(&a);
    if (!same_word(kw, aw)) return -1;
  }
  int distance = batch_distance(k.batch, a.batch, gpu);
  if (distance < 0) return -1;
  if (mirror) distance += FG_SERVE_MIRROR;
  if (k.plus != a.plus && !mirror) distance += FG_SERVE_SIGN;
  if (k.in_place != a.in_place) distance += FG_SERVE_PLACE;
  if (!same_word(k.scale, a.scale)) distance += FG_SERVE_SCALE;
  return distance;
}

/* "NVIDIA H200, sm_90, driver for CUDA 13.0" without what follows the model. */
static size_t model_length(const char *device) {
  const char *driver = strstr(device, ", driver ");
  return driver ? (size_t)(driver - device) : strlen(device);
}

int fg_serve_device(const char *known, const char *asked) {
  if (!strcmp(known, asked)) return 0;
  size_t length = model_length(known);
  bool drivers = known[length] || asked[model_length(asked)];
  return drivers && length == model_length(asked) && !memcmp(known, asked, length) ? FG_SERVE_DRIVER : -1;
}

static bool is_same_name(const char *a, const char *b, size_t length) {
  for (size_t i = 0; i < length; i++)
    if (fg_to_upper(a[i]) != fg_to_upper(b[i])) return false;
  return true;
}

/* Does the name of a device hold this as a word? Case does not count: "h100" is "NVIDIA H100 80GB HBM3". */
static bool has_word(const char *name, const char *wanted, size_t length) {
  for (const char *at = name; length && strlen(at) >= length; at++)
    if (is_same_name(at, wanted, length) && !fg_is_alnum(at[length]) && (at == name || !fg_is_alnum(at[-1])))
      return true;
  return false;
}

/* Is it the very model of the row, by its driver's name for it or a short one? */
static bool is_model(const char *known, const fg_machine *m) {
  if (m->device) return has_word(known, m->device, strlen(m->device));
  for (const char *at = m->also; *at; at += strspn(at, " ")) {
    size_t length = strcspn(at, " ");
    if (has_word(known, at, length)) return true;
    at += length;
  }
  return false;
}

/* A CPU's fingerprint names no row of the table: its instructions do, and the caller asks for them. */
int fg_serve_machine(const char *known, const fg_machine *asked) {
  if (!fg_machine_is_gpu(asked)) return 0;
  bool alike = asked->code && has_word(known, asked->code, strlen(asked->code));
  if ((alike || asked->device) && is_model(known, asked)) return 0;
  return alike ? FG_SERVE_DRIVER : -1;
}

static int device_distance(const fg_wisdom_entry *e, const fg_serve_key *key) {
  if (key->isa && strcmp(e->isa, key->isa)) return -1;
  if (key->device) return fg_serve_device(e->device, key->device);
  return key->machine ? fg_serve_machine(e->device, key->machine) : 0;
}

fg_served fg_serve_nearer(fg_served a, fg_served b) {
  if (!a.entry || !b.entry) return a.entry ? a : b;
  if (a.distance != b.distance) return a.distance < b.distance ? a : b;
  return fg_wisdom_is_better(b.entry, a.entry) ? b : a;
}

/* Dialects without blocks are C, for CPUs. */
static bool is_for_cpus(const char *target) { return !strcmp(target, "c") || !strcmp(target, "llvm"); }

fg_served fg_serve_find(const fg_wisdom *w, const fg_serve_key *key) {
  fg_served best = {0};
  for (int i = 0; i < w->count; i++) {
    const fg_wisdom_entry *e = &w->line[i].entry;
    if (w->line[i].kind != FG_WISDOM_GOOD || strcmp(e->target, key->target)) continue;
    int device = device_distance(e, key);
    int problem = device < 0 ? -1 : fg_serve_problem(e->problem, key->problem, !is_for_cpus(key->target));
    if (problem < 0) continue;
    fg_served found = fg_serve_nearer(best, (fg_served){e, problem + device, w->line[i].number});
    if (found.entry == e && (!key->fits || key->fits(key->context, &w->line[i], found.distance))) best = found;
  }
  return best;
}

const char *fg_serve_note(fg_arena *a, const fg_served *s) {
  const char *from = s->line ? fg_arena_printf(a, "line %d", s->line) : "shipped";
  bool other_driver = (s->distance & FG_SERVE_DRIVER) != 0, other_problem = (s->distance & ~FG_SERVE_DRIVER) != 0;
  if (!s->distance) return from;
  return fg_arena_printf(a, "%s: measured %s%s%s%s%s", from, other_problem ? "for \"" : "",
                         other_problem ? s->entry->problem : "", other_problem ? "\"" : "",
                         other_problem && other_driver ? ", " : "",
                         other_driver ? "under another driver or on another card" : "");
}
