/* Templates: text with holes in, text out. In: the lines of a template and the
 * values; out: the lines with names replaced and blocks repeated or left out.
 *
 * A name is looked up from the innermost "@each" outwards: "list.field" is a
 * field of the present row of that list, a plain name a value of the root. */
#include "generator/base/template.h"
#include "generator/base/embedded.h"
#include <string.h>

enum { NAME_SIZE = 64 };

typedef struct value {
  struct value *next;
  const char *name, *text;
} value;

typedef struct list {
  struct list *next;
  const char *name;
  fg_template_values *first, *last; /* rows */
} list;

struct fg_template_values {
  fg_context *cx;
  value *value;
  list *list;
  fg_template_values *next; /* row */
};

fg_template_values *fg_template_create(fg_context *cx) {
  fg_template_values *v = fg_arena_new(cx->arena, fg_template_values, 1);
  v->cx = cx;
  return v;
}

static value *find_value(const fg_template_values *v, const char *name) {
  for (value *i = v->value; i; i = i->next)
    if (!strcmp(i->name, name)) return i;
  return NULL;
}

void fg_template_set(fg_template_values *v, const char *name, const char *text) {
  value *i = find_value(v, name);
  if (!i) {
    i = fg_arena_new(v->cx->arena, value, 1);
    i->name = fg_arena_strdup(v->cx->arena, name);
    i->next = v->value;
    v->value = i;
  }
  i->text = fg_arena_strdup(v->cx->arena, text);
}

void fg_template_setf(fg_template_values *v, const char *name, const char *format, ...) {
  fg_strbuf s = fg_strbuf_new(v->cx->arena);
  va_list args;
  va_start(args, format);
  fg_strbuf_vaddf(&s, format, args);
  va_end(args);
  fg_template_set(v, name, s.text);
}

static list *find_list(const fg_template_values *v, const char *name) {
  for (list *i = v->list; i; i = i->next)
    if (!strcmp(i->name, name)) return i;
  return NULL;
}

static list *make_list(fg_template_values *v, const char *name) {
  list *l = find_list(v, name);
  if (l) return l;
  l = fg_arena_new(v->cx->arena, list, 1);
  l->name = fg_arena_strdup(v->cx->arena, name);
  l->next = v->list;
  return v->list = l;
}

void fg_template_list(fg_template_values *v, const char *list) { make_list(v, list); }

fg_template_values *fg_template_add_row(fg_template_values *v, const char *list) {
  struct list *l = make_list(v, list);
  fg_template_values *row = fg_template_create(v->cx);
  if (l->last)
    l->last->next = row;
  else
    l->first = row;
  return l->last = row;
}

/* ---- expansion ------------------------------------------------------------- */

typedef struct scope { /* one "@each" around the present line */
  const struct scope *outer;
  const char *list; /* NULL: the root */
  const fg_template_values *row;
} scope;

typedef struct line {
  const char *text;
  size_t length;
} line;

typedef struct expansion {
  fg_context *cx;
  const char *name; /* of the template */
  const line *line;
  int nline;
  fg_strbuf *out;
} expansion;

static fg_status fail(const expansion *x, int at, const char *what, const char *name) {
  return fg_diag_set(&x->cx->diag, FG_ESYS, "template %s, line %d: %s%s%s", x->name, at + 1, what, name ? " " : "",
                     name ? name : "");
}

/* The values that `name` belongs to; *field: its last part. */
static const fg_template_values *home_of(const scope *s, const char *name, const char **field) {
  const char *dot = strchr(name, '.');
  *field = dot ? dot + 1 : name;
  for (; s; s = s->outer) {
    if (!dot && !s->list) return s->row;
    if (dot && s->list && strlen(s->list) == (size_t)(dot - name) && !strncmp(s->list, name, (size_t)(dot - name)))
      return s->row;
  }
  return NULL;
}

static const char *look_up(const scope *s, const char *name) {
  const char *field;
  const fg_template_values *home = home_of(s, name, &field);
  const value *v = home ? find_value(home, field) : NULL;
  return v ? v->text : NULL;
}

static bool take_name(char name[NAME_SIZE], const char *text, size_t length) {
  while (length && text[length - 1] == ' ') length--;
  if (!length || length >= NAME_SIZE) return false;
  memcpy(name, text, length);
  name[length] = 0;
  return true;
}

static fg_status expand_line(const expansion *x, int at, const scope *s) {
  const char *text = x->line[at].text, *end = text + x->line[at].length;
  while (text < end) {
    const char *mark = text;
    while (mark + 1 < end && !(mark[0] == '$' && mark[1] == '{')) mark++;
    if (mark + 1 >= end) mark = end;
    fg_strbuf_addn(x->out, text, (size_t)(mark - text));
    if (mark == end) break;
    const char *close = memchr(mark, '}', (size_t)(end - mark));
    char name[NAME_SIZE];
    if (!close || !take_name(name, mark + 2, (size_t)(close - mark - 2))) return fail(x, at, "bad ${...}", NULL);
    const char *value = look_up(s, name);
    if (!value) return fail(x, at, "unknown name", name);
    fg_strbuf_add(x->out, value);
    text = close + 1;
  }
  fg_strbuf_add(x->out, "\n");
  return FG_OK;
}

static bool starts(const line *l, const char *word) {
  size_t length = strlen(word);
  return l->length >= length && !memcmp(l->text, word, length);
}

/* The line of the "@end" that belongs to the block that opens at `at`; -1: none. */
static int find_end(const expansion *x, int at) {
  int depth = 0;
  for (int i = at; i < x->nline; i++) {
    if (starts(&x->line[i], "@each ") || starts(&x->line[i], "@if ")) depth++;
    if (starts(&x->line[i], "@end") && --depth == 0) return i;
  }
  return -1;
}

static fg_status expand_lines(const expansion *x, int from, int to, const scope *s);

static fg_status expand_each(const expansion *x, int at, int end, const scope *s, const char *name) {
  const char *field;
  const fg_template_values *home = home_of(s, name, &field);
  const list *l = home ? find_list(home, field) : NULL;
  if (!l) return fail(x, at, "unknown list", name);
  for (const fg_template_values *row = l->first; row; row = row->next) {
    scope inner = {.outer = s, .list = field, .row = row};
    fg_status status = expand_lines(x, at + 1, end, &inner);
    if (status != FG_OK) return status;
  }
  return FG_OK;
}

static fg_status expand_block(const expansion *x, int at, int end, const scope *s) {
  bool each = starts(&x->line[at], "@each ");
  size_t skip = strlen(each ? "@each " : "@if ");
  char name[NAME_SIZE];
  if (!take_name(name, x->line[at].text + skip, x->line[at].length - skip)) return fail(x, at, "no name", NULL);
  if (each) return expand_each(x, at, end, s, name);
  const char *value = look_up(s, name);
  if (!value) return fail(x, at, "unknown name", name);
  return *value ? expand_lines(x, at + 1, end, s) : FG_OK;
}

static fg_status expand_lines(const expansion *x, int from, int to, const scope *s) {
  for (int i = from; i < to; i++) {
    fg_status status;
    if (starts(&x->line[i], "@each ") || starts(&x->line[i], "@if ")) {
      int end = find_end(x, i);
      if (end < 0) return fail(x, i, "block without @end", NULL);
      status = expand_block(x, i, end, s);
      i = end;
    } else if (starts(&x->line[i], "@")) {
      return fail(x, i, "unknown directive", NULL);
    } else {
      status = expand_line(x, i, s);
    }
    if (status != FG_OK) return status;
  }
  return FG_OK;
}

static int split_lines(const char *text, line *out) {
  int count = 0;
  while (*text) {
    size_t length = strcspn(text, "\n");
    if (out) out[count] = (line){text, length};
    count++;
    text += length + (text[length] == '\n');
  }
  return count;
}

fg_status fg_template_expand_text(fg_context *cx, const char *template_name, const char *text,
                                  const fg_template_values *v, fg_strbuf *out) {
  expansion x = {.cx = cx, .name = template_name, .nline = split_lines(text, NULL), .out = out};
  line *lines = fg_arena_new(cx->arena, line, x.nline + 1);
  split_lines(text, lines);
  x.line = lines;
  scope root = {.row = v};
  return expand_lines(&x, 0, x.nline, &root);
}

fg_status fg_template_expand(fg_context *cx, const char *template_name, const fg_template_values *v, fg_strbuf *out) {
  for (const fg_embedded_file *f = fg_embedded; f->name; f++)
    if (!strcmp(f->name, template_name)) return fg_template_expand_text(cx, template_name, f->text, v, out);
  return fg_diag_set(&cx->diag, FG_ESYS, "template %s: not compiled into this program", template_name);
}
