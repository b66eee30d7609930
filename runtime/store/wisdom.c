/* Wisdom. In: lines that are not trusted. Out: checked entries, and files that lose no line.
 *
 * Lines are kept unchanged, also those of a newer schema or of another machine. Only a better line of the same kind
 * replaces one. */
#include "runtime/store/wisdom.h"
#include "generator/base/strbuf.h"
#include "generator/problem/spectrum.h"
#include "runtime/store/hash.h"
#include "runtime/store/line.h"
#include "runtime/store/read.h"
#include "runtime/store/store.h"
#include <math.h>
#include <stdio.h>
#include <string.h>

enum { MOST_BYTES = 1 << 28, CHECK_DIGITS = 16 };

static void warn_about(fg_context *cx, fg_wisdom_warn warn, const char *name, int number, const char *what) {
  if (warn.call) warn.call(warn.context, fg_arena_printf(cx->arena, "%s, line %d: %s; skipped", name, number, what));
}

/* The hash of a line up to its "check", in half of its digits. */
static void check_of(const char *text, size_t bytes, char out[CHECK_DIGITS + 1]) {
  char whole[FG_HASH_TEXT];
  fg_hash_text(fg_hash_add(fg_hash_begin(), text, bytes), whole);
  memcpy(out, whole, CHECK_DIGITS);
  out[CHECK_DIGITS] = 0;
}

static const char *wrong_check(const fg_line *fields, const char *text) {
  const fg_line_field *check = fg_line_find(fields, "check", FG_LINE_TEXT);
  char expected[CHECK_DIGITS + 1];
  if (!check) return NULL; /* written by hand */
  if (check != &fields->field[fields->count - 1]) return "text after its check";
  check_of(text, check->at, expected);
  return strcmp(check->text, expected) ? "its check is wrong" : NULL;
}

static const char *read_entry(const fg_line *fields, fg_wisdom_entry *e) {
  const struct {
    const char *name;
    const char **to;
    bool needed;
  } texts[] = {
      {"device", &e->device, true},       {"problem", &e->problem, true},  {"target", &e->target, true},
      {"plan", &e->plan, true},           {"isa", &e->isa, false},         {"compiler", &e->compiler, false},
      {"compiler_kind", &e->kind, false}, {"flags", &e->flags, false},     {"generator", &e->generator, false},
      {"date", &e->date, false},          {"made_by", &e->made_by, false},
  };
  for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
    *texts[i].to = fg_line_text(fields, texts[i].name);
    if (!*texts[i].to && texts[i].needed) return "no device, problem, target or plan";
    if (!*texts[i].to) *texts[i].to = "";
  }
  e->ns = fg_line_number(fields, "ns", 0);
  e->spread = fg_line_number(fields, "spread", -1);
  e->l2 = fg_line_number(fields, "l2", 0);
  e->has_command = fg_line_text(fields, "command") != NULL;
  const fg_line_field *final = fg_line_find(fields, "final", FG_LINE_TRUTH);
  e->final = !final || final->number != 0;
  if (!(e->ns > 0)) return "no time above 0";
  if ((e->spread < 0 && fg_line_find(fields, "spread", FG_LINE_NUMBER)) || e->l2 < 0)
    return "a negative spread or error";
  return NULL;
}

static void read_line(fg_context *cx, fg_wisdom_line *l) {
  fg_line fields;
  size_t blank = 0;
  while (blank < l->bytes && strchr(" \t\r", l->text[blank]) && l->text[blank]) blank++;
  if (blank == l->bytes) {
    l->kind = FG_WISDOM_BLANK;
    return;
  }
  l->kind = FG_WISDOM_DAMAGED;
  l->wrong = memchr(l->text, 0, l->bytes) ? "a byte 0" : fg_line_read(cx->arena, l->text, l->bytes, &fields);
  if (l->wrong) return;
  double schema = fg_line_number(&fields, "fftgen", 0);
  if (schema > FG_WISDOM_SCHEMA && schema == floor(schema)) {
    l->kind = FG_WISDOM_NEWER;
    return;
  }
  l->wrong = schema == FG_WISDOM_SCHEMA ? wrong_check(&fields, l->text) : "no schema number";
  if (!l->wrong) l->wrong = read_entry(&fields, &l->entry);
  if (!l->wrong) l->kind = FG_WISDOM_GOOD;
}

static const char head[] = "{\"fftgen\"";

/* The offset of the next line's head inside a line: its own newline was lost, as when a file that was cut off got
 * another one behind it. No line has a head inside, whose quotes would be escaped: each byte is read once. */
static const char *glued(const fg_wisdom_line *l) {
  return l->bytes ? memmem(l->text + 1, l->bytes - 1, head, sizeof head - 1) : NULL;
}

void fg_wisdom_tell(fg_context *cx, fg_wisdom_warn warn, const char *name, const fg_wisdom *w) {
  for (int i = 0; i < w->count && w->damaged + w->newer; i++) {
    const fg_wisdom_line *l = &w->line[i];
    if (l->kind == FG_WISDOM_DAMAGED) warn_about(cx, warn, name, l->number, l->wrong);
    if (l->kind == FG_WISDOM_NEWER) warn_about(cx, warn, name, l->number, "of a newer fftgen");
  }
}

static int count_lines(const char *text, size_t bytes) {
  const char *end = text + bytes;
  int count = 1;
  for (const char *at = text; (at = memchr(at, '\n', (size_t)(end - at))); at++) count++;
  for (const char *at = text; (at = memmem(at, (size_t)(end - at), head, sizeof head - 1)); at++) count++;
  return count;
}

void fg_wisdom_parse(fg_context *cx, const char *name, const char *text, size_t bytes, fg_wisdom_warn warn,
                     fg_wisdom *out) {
  *out = (fg_wisdom){.line = fg_arena_new(cx->arena, fg_wisdom_line, count_lines(text, bytes))};
  int number = 1;
  const char *stop = NULL; /* of the line that `at` is in */
  for (const char *at = text, *end = text + bytes, *next; at < end; at = next) {
    if (!stop || stop < at) stop = memchr(at, '\n', (size_t)(end - at));
    if (!stop) stop = end;
    fg_wisdom_line *l = &out->line[out->count];
    *l = (fg_wisdom_line){.text = at, .bytes = (size_t)(stop - at), .number = number};
    next = stop < end ? stop + 1 : end;
    if (l->bytes && l->text[l->bytes - 1] == '\r') l->bytes--;
    const char *inside = glued(l);
    if (inside) {
      next = inside;
      l->bytes = (size_t)(inside - at);
    }
    read_line(cx, l);
    number += !inside;
    if (l->kind == FG_WISDOM_BLANK) continue;
    out->count++;
    out->damaged += l->kind == FG_WISDOM_DAMAGED;
    out->newer += l->kind == FG_WISDOM_NEWER;
  }
  fg_wisdom_tell(cx, warn, name, out);
}

fg_status fg_wisdom_load(fg_context *cx, const char *path, fg_wisdom_warn warn, fg_wisdom *out) {
  char *text = fg_arena_strdup(cx->arena, "");
  size_t bytes = 0;
  fg_status status = fg_store_read(cx, path, MOST_BYTES, &text, &bytes);
  if (status != FG_OK && status != FG_ENA) return status;
  fg_wisdom_parse(cx, path, text, bytes, warn, out);
  return FG_OK;
}

char *fg_wisdom_problem(fg_context *cx, const fg_problem *p) {
  fg_problem q = *p;
  q.batch_rank = 0;
  for (int i = 0; i < p->batch_rank; i++) {
    bool channels = fg_problem_has_own(p, FG_SPECTRA_CHANNEL) && i == p->batch_rank - 1;
    if (channels || !fg_num_is(p->batch[i].n, 1)) q.batch[q.batch_rank++] = p->batch[i];
  }
  /* Removing a parameter with its dimension would change the caller's list, and sum= counts dimensions. */
  return fg_problem_print(cx, p->nparam || p->summed ? p : &q);
}

const char *fg_wisdom_path(fg_arena *a) {
  static const fg_store_place place = {"FFTGEN_WISDOM", "XDG_DATA_HOME", ".local/share", "wisdom.jsonl"};
  return fg_store_find(a, &place);
}

/* Decimal digits whatever the locale says: a comma becomes a point. */
static const char *number_text(fg_context *cx, double value, int digits) {
  char *text = fg_arena_printf(cx->arena, "%.*g", digits, value);
  for (char *at = text; *at; at++)
    if (!strchr("0123456789+-e", *at)) *at = '.';
  return text;
}

char *fg_wisdom_print(fg_context *cx, const fg_wisdom_entry *e) {
  const char *const texts[][2] = {
      {"device", e->device},      {"problem", e->problem}, {"target", e->target},
      {"plan", e->plan},          {"isa", e->isa},         {"compiler", e->compiler},
      {"compiler_kind", e->kind}, {"flags", e->flags},     {"generator", e->generator},
      {"date", e->date},          {"made_by", e->made_by},
  };
  char *line = fg_arena_printf(cx->arena, "{\"fftgen\":%d", FG_WISDOM_SCHEMA), check[CHECK_DIGITS + 1];
  for (size_t i = 0; i < sizeof texts / sizeof *texts; i++)
    if (texts[i][1] && (i < 4 || *texts[i][1]))
      line = fg_arena_printf(cx->arena, "%s,\"%s\":%s", line, texts[i][0], fg_line_quote(cx->arena, texts[i][1]));
  line = fg_arena_printf(cx->arena, "%s,\"ns\":%s", line, number_text(cx, e->ns, 9));
  if (e->spread >= 0) line = fg_arena_printf(cx->arena, "%s,\"spread\":%s", line, number_text(cx, e->spread, 4));
  line = fg_arena_printf(cx->arena, "%s,\"l2\":%s,\"final\":%s,", line, number_text(cx, e->l2, 4),
                         e->final ? "true" : "false");
  check_of(line, strlen(line), check);
  return fg_arena_printf(cx->arena, "%s\"check\":\"%s\"}\n", line, check);
}

static bool same_problem(const fg_wisdom_entry *a, const fg_wisdom_entry *b) {
  return !strcmp(a->problem, b->problem) && !strcmp(a->device, b->device) && !strcmp(a->target, b->target);
}

static bool same_tools(const fg_wisdom_entry *a, const fg_wisdom_entry *b) {
  return !strcmp(a->generator, b->generator) && !strcmp(a->compiler, b->compiler);
}

/* An end of a search is worth more than a stop on its way. */
bool fg_wisdom_is_better(const fg_wisdom_entry *a, const fg_wisdom_entry *b) {
  return a->final != b->final ? a->final : a->ns < b->ns;
}

static uint64_t hash_of(const fg_wisdom_entry *e, bool careful) {
  const char *const texts[] = {e->problem, e->device, e->target, e->generator, e->compiler};
  fg_hash h = fg_hash_begin();
  for (int i = 0; i < (careful ? 5 : 3); i++) h = fg_hash_add(h, texts[i], strlen(texts[i]) + 1);
  return h.lo;
}

/* A table of lines of w, by their hashes: the slot of the line equal to this one, or the free slot for it. */
typedef struct places {
  const fg_wisdom *w;
  int *line, mask; /* -1: free */
  bool careful;
} places;

static int *place_of(const places *p, const fg_wisdom_entry *e) {
  for (uint64_t at = hash_of(e, p->careful);; at++) {
    int *line = &p->line[at & (uint64_t)p->mask];
    if (*line < 0) return line;
    const fg_wisdom_entry *other = &p->w->line[*line].entry;
    if (same_problem(other, e) && (!p->careful || same_tools(other, e))) return line;
  }
}

void fg_wisdom_reduce(fg_context *cx, fg_wisdom *w, bool careful) {
  places p = {.w = w, .mask = 1, .careful = careful};
  int kept = 0;
  while (p.mask < 2 * w->count) p.mask = 2 * p.mask + 1;
  p.line = fg_arena_new(cx->arena, int, (int64_t)p.mask + 1);
  for (int i = 0; i <= p.mask; i++) p.line[i] = -1;
  for (int i = 0; i < w->count; i++) {
    fg_wisdom_line *l = &w->line[i];
    int none = -1, *rival = l->kind == FG_WISDOM_GOOD ? place_of(&p, &l->entry) : &none;
    if (*rival < 0) {
      *rival = kept;
      w->line[kept++] = *l;
    } else if (fg_wisdom_is_better(&l->entry, &w->line[*rival].entry)) {
      w->line[*rival] = *l;
    }
  }
  w->count = kept;
}

fg_status fg_wisdom_load_sound(fg_context *cx, const char *path, fg_wisdom_warn warn, fg_wisdom *out) {
  int kept = 0, good = 0;
  fg_status status = fg_wisdom_load(cx, path, (fg_wisdom_warn){0}, out);
  if (status != FG_OK) return status;
  for (int i = 0; i < out->count; i++) good += out->line[i].kind == FG_WISDOM_GOOD;
  if (!good) return fg_diag_set(&cx->diag, FG_EUSER, "%s: no such file, or no line of wisdom in it", path);
  fg_wisdom_tell(cx, warn, path, out);
  for (int i = 0; i < out->count; i++)
    if (out->line[i].kind != FG_WISDOM_DAMAGED) out->line[kept++] = out->line[i];
  out->count = kept, out->damaged = 0;
  return FG_OK;
}

void fg_wisdom_join(fg_context *cx, fg_wisdom *w, const fg_wisdom *more) {
  fg_wisdom_line *all = fg_arena_new(cx->arena, fg_wisdom_line, w->count + more->count + 1);
  if (w->count) memcpy(all, w->line, (size_t)w->count * sizeof *all);
  if (more->count) memcpy(all + w->count, more->line, (size_t)more->count * sizeof *all);
  w->line = all;
  w->count += more->count;
  w->damaged += more->damaged;
  w->newer += more->newer;
}

const fg_wisdom_entry *fg_wisdom_best(const fg_wisdom *w, const fg_wisdom_entry *key) {
  const fg_wisdom_entry *best = NULL;
  for (int i = 0; i < w->count; i++) {
    const fg_wisdom_line *l = &w->line[i];
    if (l->kind != FG_WISDOM_GOOD || !same_problem(&l->entry, key)) continue;
    if (!best || fg_wisdom_is_better(&l->entry, best)) best = &l->entry;
  }
  return best;
}
