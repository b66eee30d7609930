/* See shipped.h. In: a problem's canonical text. Out: the line for it. All lines are unpacked, one at a time; only
 * lines that contain the text are parsed. */
#include "runtime/store/shipped.h"
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

/* The text of the line's problem; NULL: it has none. No problem holds a quote. */
static const char *problem_of(fg_strbuf *copy, const char *line) {
  static const char name[] = "\"problem\":\"";
  const char *at = strstr(line, name), *end = at ? strchr(at + sizeof name - 1, '"') : NULL;
  if (!end) return NULL;
  at += sizeof name - 1;
  fg_strbuf_cut(copy, 0);
  fg_strbuf_addn(copy, at, (size_t)(end - at));
  return copy->text;
}

static const fg_wisdom_entry *entry_of(fg_context *cx, const char *line, size_t bytes, const fg_serve_key *key) {
  fg_wisdom w;
  fg_wisdom_parse(cx, "shipped wisdom", line, bytes, (fg_wisdom_warn){0}, &w);
  if (w.count != 1 || w.line[0].kind != FG_WISDOM_GOOD) return NULL;
  const fg_wisdom_entry *e = &w.line[0].entry;
  bool fits = key->device    ? is_model_of(e->device, key->device)
              : key->machine ? fg_serve_machine(e->device, key->machine) >= 0
                             : true; /* any */
  return fits && !strcmp(e->target, key->target) ? e : NULL;
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

/* Lines that are farther than what was found are not parsed. */
static fg_served look_up(fg_context *cx, const fg_serve_key *key) {
  fg_served best = {0};
  fg_shipped_key words;
  fg_shipped_read_key(&words);
  fg_strbuf line = fg_strbuf_new(cx->arena);
  fg_strbuf copy = fg_strbuf_new(cx->arena);
  for (const fg_shipped_file *f = fg_shipped; f->name; f++)
    for (const char *at = f->text; at; fg_strbuf_cut(&line, 0)) {
      at = fg_shipped_unpack(&words, at, &line);
      const char *problem = problem_of(&copy, line.text);
      int distance = problem ? fg_serve_problem(problem, key->problem, true) : -1;
      if (distance < 0 || (best.entry && distance >= best.distance)) continue;
      const fg_wisdom_entry *e = entry_of(cx, line.text, line.length, key);
      if (e) best = (fg_served){.entry = e, .distance = distance};
    }
  return best;
}

fg_served fg_serve_shipped(fg_context *cx, const fg_serve_key *key) {
  fg_served found = look_up(cx, key);
  for (size_t i = 0; key->device && !found.entry && i < sizeof kin / sizeof *kin; i++) {
    fg_serve_key other = *key;
    other.device = kin[i].plans_of;
    if (is_model_of(kin[i].model, key->device)) found = look_up(cx, &other);
  }
  return found;
}
