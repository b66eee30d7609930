/* The file of fitted models: lines to constants and back. In: lines that are not trusted. Out: those of this
 * machine; and files that lose no line. */
#include "generator/base/strbuf.h"
#include "runtime/store/fingerprint.h"
#include "runtime/store/hash.h"
#include "runtime/store/line.h"
#include "runtime/store/read.h"
#include "runtime/store/store.h"
#include "targets/number.h"
#include "tuning/search/model.h"
#include <math.h>
#include <stdio.h>
#include <string.h>

enum { MOST_BYTES = 1 << 24, CHECK_DIGITS = 16 };

typedef enum kind { GOOD, FOREIGN, NEWER, DAMAGED, BLANK } kind;

typedef struct line {
  kind kind;
  const char *text, *wrong;
  size_t bytes;
  fg_model_fit fit;
} line;

typedef struct lines {
  line *line;
  int count;
} lines;

const char *fg_model_path(fg_arena *a) {
  return fg_store_find(a, &(fg_store_place){"FFTGEN_MODEL", "XDG_DATA_HOME", ".local/share", "model.jsonl"});
}

static void check_of(const char *text, size_t bytes, char out[FG_HASH_TEXT]) {
  fg_hash_text(fg_hash_add(fg_hash_begin(), text, bytes), out);
  out[CHECK_DIGITS] = 0;
}

static const char *wrong_check(const fg_line *fields, const char *text) {
  const fg_line_field *check = fg_line_find(fields, "check", FG_LINE_TEXT);
  char expected[FG_HASH_TEXT];
  if (!check || check != &fields->field[fields->count - 1]) return "no check at its end";
  check_of(text, check->at, expected);
  return strcmp(check->text, expected) ? "its check is wrong" : NULL;
}

static const char *read_fit(const fg_line *fields, fg_model_fit *fit) {
  const fg_feature_info *info = fg_feature_table();
  fit->device = fg_line_text(fields, "device");
  fit->target = fg_line_text(fields, "target");
  fit->compiler = fg_line_text(fields, "compiler");
  fit->isa = fg_line_text(fields, "isa");
  fit->generator = fg_line_text(fields, "generator");
  if (!fit->device || !fit->target || !fit->compiler || !fit->isa || !fit->generator)
    return "no device, target, compiler, isa or generator";
  fit->samples = (int)fg_line_number(fields, "samples", 0);
  fit->error = fg_line_number(fields, "error", 0);
  for (int i = 0; i < FG_FEATURE_COUNT; i++) {
    fit->cost[i] = fg_line_number(fields, info[i].name, -1);
    if (!(fit->cost[i] >= 0)) return "a constant is missing or below 0: fit again";
  }
  return NULL;
}

static void read_line(fg_context *cx, line *l) {
  fg_line *fields = fg_arena_new(cx->arena, fg_line, 1);
  l->kind = l->bytes ? DAMAGED : BLANK;
  if (!l->bytes) return;
  l->wrong = memchr(l->text, 0, l->bytes) ? "a byte 0" : fg_line_read(cx->arena, l->text, l->bytes, fields);
  if (l->wrong) return;
  double schema = fg_line_number(fields, "fftgen_model", 0);
  if (schema > FG_MODEL_SCHEMA && schema == floor(schema)) {
    l->kind = NEWER;
    l->wrong = "of a newer fftgen";
    return;
  }
  l->wrong = schema == FG_MODEL_SCHEMA ? wrong_check(fields, l->text) : "no schema number";
  if (!l->wrong) l->wrong = read_fit(fields, &l->fit);
  if (l->wrong) return;
  l->kind = strcmp(l->fit.device, fg_fingerprint_host()) ? FOREIGN : GOOD;
  if (l->kind == FOREIGN) l->wrong = "fitted on another machine";
}

static void split(fg_context *cx, const char *text, size_t bytes, lines *out) {
  int room = 1;
  for (size_t i = 0; i < bytes; i++) room += text[i] == '\n';
  *out = (lines){.line = fg_arena_new(cx->arena, line, room)};
  for (const char *at = text, *end = text + bytes, *stop; at < end; at = stop + 1) {
    line *l = &out->line[out->count];
    stop = memchr(at, '\n', (size_t)(end - at));
    if (!stop) stop = end;
    *l = (line){.text = at, .bytes = (size_t)(stop - at)};
    read_line(cx, l);
    out->count++;
  }
}

static fg_status read_lines(fg_context *cx, const char *path, lines *out) {
  char *text;
  size_t bytes;
  *out = (lines){0};
  fg_status status = fg_store_read(cx, path, MOST_BYTES, &text, &bytes);
  if (status == FG_ENA) return FG_OK;
  if (status == FG_OK) split(cx, text, bytes, out);
  return status;
}

fg_status fg_model_load(fg_context *cx, const char *path, fg_wisdom_warn warn, fg_model *out) {
  lines all;
  fg_status status = read_lines(cx, path, &all);
  *out = (fg_model){0};
  if (status != FG_OK) return status;
  fg_model_fit *fit = fg_arena_new(cx->arena, fg_model_fit, all.count + 1);
  out->fit = fit;
  for (int i = 0; i < all.count; i++) {
    const line *l = &all.line[i];
    if (l->kind == GOOD) fit[out->count++] = l->fit;
    if (l->wrong && warn.call)
      warn.call(warn.context, fg_arena_printf(cx->arena, "%s, line %d: %s; skipped", path, i + 1, l->wrong));
  }
  return FG_OK;
}

/* ---- writing -------------------------------------------------------------------- */

/* With a point, whatever the locale says. */
static void add_number(fg_strbuf *s, const char *name, double value) {
  char text[64];
  fg_number_print(text, sizeof text, "%.9g", value);
  for (char *at = text; *at; at++)
    if (!strchr("0123456789+-e", *at)) *at = '.';
  fg_strbuf_addf(s, "\"%s\":%s,", name, text);
}

char *fg_model_print(fg_context *cx, const fg_model_fit *fit) {
  const char *const texts[][2] = {{"device", fit->device},
                                  {"target", fit->target},
                                  {"compiler", fit->compiler},
                                  {"isa", fit->isa},
                                  {"generator", fit->generator}};
  char check[FG_HASH_TEXT];
  fg_strbuf s = fg_strbuf_new(cx->arena);
  fg_strbuf_addf(&s, "{\"fftgen_model\":%d,", FG_MODEL_SCHEMA);
  for (size_t i = 0; i < sizeof texts / sizeof *texts; i++)
    fg_strbuf_addf(&s, "\"%s\":%s,", texts[i][0], fg_line_quote(cx->arena, texts[i][1]));
  add_number(&s, "samples", fit->samples);
  add_number(&s, "error", fit->error);
  for (int i = 0; i < FG_FEATURE_COUNT; i++) add_number(&s, fg_feature_table()[i].name, fit->cost[i]);
  check_of(s.text, s.length, check);
  fg_strbuf_addf(&s, "\"check\":\"%s\"}\n", check);
  return s.text;
}

static bool same(const fg_model_fit *a, const fg_model_fit *b) {
  return !strcmp(a->device, b->device) && !strcmp(a->target, b->target) && !strcmp(a->compiler, b->compiler) &&
         !strcmp(a->isa, b->isa);
}

/* Blank and replaced lines are removed, everything else is unchanged. */
static bool stays(const line *l, const fg_model_fit *fit, int count) {
  for (int i = 0; i < count; i++)
    if ((l->kind == GOOD || l->kind == FOREIGN) && same(&l->fit, &fit[i])) return false;
  return l->kind != BLANK;
}

typedef struct addition {
  const char *path;
  const fg_model_fit *fit;
  int count;
} addition;

/* With the lock held: a jump out of here would leave it locked. */
static fg_status save_locked(fg_context *cx, const addition *a) {
  lines old;
  if (fg_arena_guard(cx->arena)) return FG_ENOMEM;
  fg_status status = read_lines(cx, a->path, &old);
  if (status != FG_OK) return status;
  fg_strbuf text = fg_strbuf_new(cx->arena);
  for (int i = 0; i < old.count; i++) {
    if (!stays(&old.line[i], a->fit, a->count)) continue;
    fg_strbuf_addn(&text, old.line[i].text, old.line[i].bytes);
    fg_strbuf_add(&text, "\n");
  }
  for (int i = 0; i < a->count; i++) fg_strbuf_add(&text, fg_model_print(cx, &a->fit[i]));
  return fg_store_replace(cx, a->path, text.text, text.length);
}

fg_status fg_model_save(fg_context *cx, const char *path, const fg_model_fit *fit, int count) {
  fg_context own = {.arena = fg_arena_create()};
  fg_status status = FG_OK;
  if (!own.arena) return FG_ENOMEM;
  const char *slash = strrchr(path, '/');
  if (fg_arena_guard(own.arena)) status = FG_ENOMEM;
  if (status == FG_OK && slash && slash != path)
    status = fg_store_make_folder(&own, fg_arena_printf(own.arena, "%.*s", (int)(slash - path), path));
  if (status == FG_OK) {
    int lock = fg_store_lock(path);
    status = save_locked(&own, &(addition){path, fit, count});
    fg_store_unlock(lock);
  }
  if (status != FG_OK && own.diag.message[0]) fg_diag_set(&cx->diag, status, "%s", own.diag.message);
  fg_arena_destroy(own.arena);
  return status;
}
