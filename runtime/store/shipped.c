/* See shipped.h. In: a problem's canonical text. Out: the line that suits it. All lines
 * are unpacked, one at a time; few are parsed: those that have the text that is looked
 * for. */
#include "runtime/store/shipped.h"
#include "targets/ascii.h"
#include <string.h>

/* Models whose plans suit another one of the same chip, where that has none of its own
 * (docs/lab/cost-model.md). */
static const struct kin {
  const char *model, *plans_of;
} kin[] = {
    {"NVIDIA H100 80GB HBM3, sm_90", "NVIDIA H200, sm_90"},
};

/* "NVIDIA H200, sm_90" is the model of "NVIDIA H200, sm_90, driver for ...". */
static bool is_model_of(const char *model, const char *device) {
  size_t length = strlen(model);
  return !strncmp(model, device, length) && (device[length] == ',' || !device[length]);
}

/* A number, or a parameter with its range: a batch without strides of its own. */
static bool is_count(const char *at) {
  if (fg_is_digit(*at)) return at[strspn(at, "0123456789")] == 0;
  const char *range = strchr(at, '[');
  return range && !strpbrk(at, " :(") && strchr(range, ']') && !strchr(range, ']')[1];
}

/* What lines about such a problem begin with, after "problem":". NULL: strides, or
 * whatever else no line is about. */
static const char *beginning_of(fg_arena *a, const char *problem) {
  static const char forward[] = " sign=+1", batch[] = " batch=";
  char *text = fg_arena_strdup(a, problem), *sign = strstr(text, forward);
  if (sign && !sign[sizeof forward - 1]) *sign = 0;
  char *count = strstr(text, batch);
  if (!count) return fg_arena_printf(a, "\"problem\":\"%s\"", text);
  count += sizeof batch - 1;
  if (!is_count(count)) return NULL;
  *count = 0;
  return fg_arena_printf(a, "\"problem\":\"%s", text);
}

static const fg_wisdom_entry *entry_of(fg_context *cx, const char *line, size_t bytes, const fg_wisdom_entry *key) {
  fg_wisdom w;
  fg_wisdom_parse(cx, "shipped wisdom", line, bytes, (fg_wisdom_warn){0}, &w);
  if (w.count != 1 || w.line[0].kind != FG_WISDOM_GOOD) return NULL;
  const fg_wisdom_entry *e = &w.line[0].entry;
  bool fits = is_model_of(e->device, key->device) && !strcmp(e->target, key->target);
  return fits && is_count(strstr(e->problem, " batch=") ? strstr(e->problem, " batch=") + 7 : "1") ? e : NULL;
}

void fg_shipped_read_key(fg_shipped_key *key) {
  const char *at = fg_shipped_words;
  *key = (fg_shipped_key){0};
  for (int code = 1; *at; code++, at++) {
    key->word[code] = at;
    at += key->length[code] = strcspn(at, "\n");
  }
}

const char *fg_shipped_unpack(const fg_shipped_key *key, const char *at, fg_strbuf *line) {
  while (*at && *at != '\n') {
    const char *start = at;
    while ((unsigned char)*at >= 32) at++;
    fg_strbuf_addn(line, start, (size_t)(at - start));
    if (!*at || *at == '\n') break;
    fg_strbuf_addn(line, key->word[(int)*at], key->length[(int)*at]);
    at++;
  }
  return *at && at[1] ? at + 1 : NULL;
}

static const fg_wisdom_entry *look_up(fg_context *cx, const fg_wisdom_entry *key, const char *wanted) {
  fg_shipped_key words;
  fg_strbuf line;
  fg_shipped_read_key(&words);
  fg_strbuf_init(&line, cx->arena);
  for (const fg_shipped_file *f = fg_shipped; f->name; f++)
    for (const char *at = f->text; at; fg_strbuf_cut(&line, 0)) {
      at = fg_shipped_unpack(&words, at, &line);
      const fg_wisdom_entry *e = strstr(line.text, wanted) ? entry_of(cx, line.text, line.length, key) : NULL;
      if (e) return e;
    }
  return NULL;
}

const fg_wisdom_entry *fg_wisdom_shipped(fg_context *cx, const fg_wisdom_entry *key) {
  const char *wanted = beginning_of(cx->arena, key->problem);
  const fg_wisdom_entry *found = wanted ? look_up(cx, key, wanted) : NULL;
  for (size_t i = 0; wanted && !found && i < sizeof kin / sizeof *kin; i++) {
    fg_wisdom_entry other = *key;
    other.device = kin[i].plans_of;
    if (is_model_of(kin[i].model, key->device)) found = look_up(cx, &other, wanted);
  }
  return found;
}
