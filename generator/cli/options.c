/* See options.h. In: argp's tables. Out: rows. One table here has the allowed values of options, which it reads from
 * their definitions. */
#include "generator/cli/options.h"
#include "generator/cli/dump.h"
#include <string.h>

/* ---- values ------------------------------------------------------------------------ */

/* After the last row: native. */
static const char *isa_at(int index) {
  const fg_isa *isa = fg_isa_table();
  for (; isa->name; isa++)
    if (index-- == 0) return isa->name;
  return index == 0 ? "native" : NULL;
}

static const char *device_at(int index) {
  const fg_device *d = fg_device_table()[index];
  return d ? d->name : NULL;
}

static const char *compiler_at(int index) {
  static const char *const names[] = {"gcc", "clang", NULL};
  return names[index];
}

static const char *codelet_kind_at(int index) {
  return index < FG_CODELET_KINDS ? fg_codelet_kind_name((fg_codelet_kind)index) : NULL;
}

static const struct {
  const char *option;
  fg_words_name name;
} values[] = {
    {"target", fg_dialect_offered}, {"isa", isa_at},           {"device", device_at},     {"compiler", compiler_at},
    {"dump", fg_cli_dump_stage},    {"effort", fg_cli_effort}, {"kind", codelet_kind_at},
};

static fg_words_name values_of(const char *option) {
  for (size_t i = 0; i < sizeof values / sizeof *values; i++)
    if (!strcmp(values[i].option, option)) return values[i].name;
  return NULL;
}

/* ---- rows -------------------------------------------------------------------------- */

typedef struct list {
  fg_arena *arena;
  fg_option *row;
  int count;
} list;

static void add(list *l, const struct argp_option *o, const char *group) {
  fg_words_name names = values_of(o->name);
  const char *help = names && strstr(o->doc, "%s") ? fg_words_join(l->arena, names) : NULL;
  if (l->count == FG_CLI_OPTIONS) return;
  if (help) {
    int before = (int)(strstr(o->doc, "%s") - o->doc);
    help = fg_arena_printf(l->arena, "%.*s%s%s", before, o->doc, help, o->doc + before + 2);
  }
  l->row[l->count++] = (fg_option){.name = o->name,
                                   .letter = (char)(o->key > ' ' && o->key <= '~' ? o->key : 0),
                                   .arg = o->arg,
                                   .help = help ? help : o->doc,
                                   .group = group,
                                   .values = names};
}

/* Told of elsewhere, or only understood in order to be refused with a reason. */
static bool is_unlisted(const struct argp_option *o) { return !strcmp(o->name, "help") || (o->flags & OPTION_HIDDEN); }

static bool ends(const struct argp_option *o) { return !o->name && !o->doc && !o->key && !o->group; }

/* Those of a group, which has a heading, or those of none. */
static void collect(list *l, const struct argp *argp, bool grouped) {
  const char *group = NULL;
  for (const struct argp_option *o = argp->options; o && !ends(o); o++) {
    if (!o->name) group = o->doc;
    if (o->name && !is_unlisted(o) && grouped == (group != NULL)) add(l, o, group);
  }
  for (const struct argp_child *c = argp->children; c && c->argp; c++) collect(l, c->argp, grouped);
}

int fg_cli_options(fg_arena *a, const struct argp *argp, fg_option out[FG_CLI_OPTIONS]) {
  static const struct argp_option help = {"help", 'h', 0, 0, "this text", 0};
  list l = {a, out, 0};
  collect(&l, argp, false);
  add(&l, &help, NULL);
  collect(&l, argp, true);
  return l.count;
}

/* ---- faults ------------------------------------------------------------------------- */

static const char **named; /* with their dashes; fg_words_name has no context */
static int nnamed;
static const char *name_at(int i) { return i < nnamed ? named[i] : NULL; }

const char *fg_cli_option_fault(fg_arena *a, const struct argp *argp, const char *word) {
  fg_option *row = fg_arena_new(a, fg_option, FG_CLI_OPTIONS);
  named = fg_arena_new(a, const char *, FG_CLI_OPTIONS);
  nnamed = fg_cli_options(a, argp, row);
  for (int i = 0; i < nnamed; i++) named[i] = fg_arena_printf(a, "--%s", row[i].name);
  size_t length = strcspn(word, "=");
  int found = fg_words_find(word, length, name_at);
  for (int i = 0; word[0] == '-' && i < nnamed; i++)
    if (row[i].letter && row[i].letter == word[1]) found = i;
  if (found < 0) return fg_arena_printf(a, "unknown option%s", fg_words_near(a, word, length, name_at));
  return row[found].arg ? fg_arena_printf(a, "its value is missing, %s", row[found].arg) : "takes no value";
}
