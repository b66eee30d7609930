/* fftgen help: pages about subcommands and topics. In: a name. Out: its page. The
 * build lets it write man pages and completions, which are made from the same tables:
 * the subcommands (commands.c), their options (argp's tables), the topics (topics.c). */
#include "generator/cli/help.h"
#include "generator/base/files.h"
#include "generator/base/strbuf.h"
#include "generator/cli/completion.h"
#include "generator/cli/options.h"
#include "generator/cli/parse.h"
#include "generator/cli/topics.h"
#include <stdio.h>
#include <string.h>

/* ---- pages ------------------------------------------------------------------------- */

static void add_options(fg_cli_page *p, fg_arena *a, const struct argp *argp) {
  fg_option *row = fg_arena_new(a, fg_option, FG_CLI_OPTIONS);
  int count = fg_cli_options(a, argp, row);
  const char *group = NULL;
  fg_cli_page_head(p, "Options");
  for (int i = 0; i < count; i++) {
    const fg_option *o = &row[i];
    if (o->group != group && o->group) fg_cli_page_head(p, o->group);
    group = o->group;
    const char *letter = o->letter ? fg_arena_printf(a, "-%c, ", o->letter) : "    ";
    fg_cli_page_row(p, fg_arena_printf(a, "%s--%s%s%s", letter, o->name, o->arg ? "=" : "", o->arg ? o->arg : ""),
                    o->help);
  }
}

/* The text behind argp's \v: paragraphs, "Examples:", and lines of code, which are indented. */
static void add_notes(fg_cli_page *p, fg_arena *a, const char *text) {
  while (*text) {
    size_t length = strcspn(text, "\n");
    char *line = fg_arena_printf(a, "%.*s", (int)length, text);
    text += length + (text[length] == '\n');
    if (!strncmp(line, "  ", 2))
      fg_cli_page_code(p, line + 2);
    else if (length && line[length - 1] == ':')
      line[length - 1] = 0, fg_cli_page_head(p, line);
    else if (length)
      fg_cli_page_text(p, line);
  }
}

fg_cli_page *fg_cli_command_page(fg_context *cx, const fg_command *command) {
  fg_cli_page *p = fg_cli_page_create(cx);
  const struct argp *argp = command->argp;
  const char *doc = argp->doc, *notes = strchr(doc, '\v');
  int summary = notes ? (int)(notes - doc) : (int)strlen(doc);
  fg_cli_page_usage(p, fg_arena_printf(cx->arena, "fftgen %s [OPTION...]%s%s", command->name,
                                       *argp->args_doc ? " " : "", argp->args_doc));
  fg_cli_page_text(p, fg_arena_printf(cx->arena, "%.*s", summary, doc));
  if (command->action) fg_cli_page_head(p, "Actions");
  for (int i = 0; command->action && command->action(i); i++)
    fg_cli_page_row(p, command->action(i)->name, command->action(i)->help);
  add_options(p, cx->arena, argp);
  if (notes) add_notes(p, cx->arena, notes + 1);
  return p;
}

fg_cli_page *fg_cli_first_page(fg_context *cx) {
  static const char *const codes[][2] = {{"0", "done"},
                                         {"1", "the system failed: a file, a compiler, a device, memory"},
                                         {"2", "a mistake in the command"},
                                         {"3", "a wrong result, or a pack that is not what was signed"},
                                         {"4", "a mistake of fftgen's own"}};
  fg_cli_page *p = fg_cli_page_create(cx);
  fg_cli_page_usage(p, "fftgen COMMAND [ARGUMENTS]");
  fg_cli_page_text(p, "Generates proven FFT sources that stand alone.");
  fg_cli_page_head(p, "Commands");
  for (int i = 0; fg_cli_commands[i]; i++) fg_cli_page_row(p, fg_cli_commands[i]->name, fg_cli_commands[i]->help);
  fg_cli_page_head(p, "Topics, by fftgen help TOPIC");
  for (const fg_topic *t = fg_cli_topics; t->name; t++) fg_cli_page_row(p, t->name, t->what);
  fg_cli_page_head(p, "Examples");
  fg_cli_page_code(p, "fftgen emit \"c2c f64 n=1024\" --isa avx512 -o out/");
  fg_cli_page_code(p, "fftgen plan \"c2c f32 n=1000\"");
  fg_cli_page_code(p, "fftgen verify \"c2c f32 n=1009 sign=+1\"");
  fg_cli_page_code(p, "fftgen help emit");
  fg_cli_page_head(p, "Exit codes");
  for (size_t i = 0; i < sizeof codes / sizeof *codes; i++) fg_cli_page_row(p, codes[i][0], codes[i][1]);
  return p;
}

/* ---- files -------------------------------------------------------------------------- */

static fg_status write_file(fg_context *cx, const char *root, const char *folder, const char *name, const char *text) {
  fg_file file = {name, text, strlen(text)};
  return fg_files_write(cx, fg_arena_printf(cx->arena, "%s/%s", root, folder), &file, 1);
}

static fg_status write_man(fg_context *cx, const char *root, const fg_cli_page *page, fg_cli_page_title title) {
  char *folder = fg_arena_printf(cx->arena, "man/man%d", title.section);
  char *name = fg_arena_printf(cx->arena, "%s.%d", title.name, title.section);
  return write_file(cx, root, folder, name, fg_cli_page_man(page, &title));
}

static fg_status write_pages(fg_context *cx, const char *root) {
  fg_strbuf all = fg_strbuf_new(cx->arena);
  for (int i = 0; fg_cli_commands[i]; i++)
    if (fg_cli_commands[i]->argp) fg_strbuf_addf(&all, "fftgen-%s(1), ", fg_cli_commands[i]->name);
  for (const fg_topic *t = fg_cli_topics; t->name; t++)
    fg_strbuf_addf(&all, "fftgen-%s(7)%s", t->name, t[1].name ? ", " : "");
  fg_status status =
      write_man(cx, root, fg_cli_first_page(cx),
                (fg_cli_page_title){"fftgen", 1, "generate proven FFT sources that stand alone", all.text});
  for (int i = 0; fg_cli_commands[i] && status == FG_OK; i++) {
    const fg_command *c = fg_cli_commands[i];
    char *name = fg_arena_printf(cx->arena, "fftgen-%s", c->name);
    if (c->argp)
      status = write_man(cx, root, fg_cli_command_page(cx, c), (fg_cli_page_title){name, 1, c->help, "fftgen(1)"});
  }
  for (const fg_topic *t = fg_cli_topics; t->name && status == FG_OK; t++) {
    char *name = fg_arena_printf(cx->arena, "fftgen-%s", t->name);
    status = write_man(cx, root, fg_cli_topic_page(cx, t, true), (fg_cli_page_title){name, 7, t->what, "fftgen(1)"});
  }
  return status;
}

static fg_status write_all(fg_context *cx, const char *root) {
  fg_status status = write_pages(cx, root);
  for (const fg_completion *c = fg_cli_completions; c->folder && status == FG_OK; c++)
    status = write_file(cx, root, c->folder, c->name, c->write(cx));
  return status;
}

/* ---- the subcommand ------------------------------------------------------------------ */

typedef struct order {
  const char *name[2 + FG_CLI_OPTIONS]; /* a subcommand or a topic, then what a topic is asked for */
  int count;
  const char *folder;
} order;

enum { KEY_WRITE = 512 };

static const char *topic_name(int i) { return fg_cli_topics[i].name; }

static bool is_topic(const char *name) { return fg_words_find(name, strlen(name), topic_name) >= 0; }

static error_t parse(int key, char *arg, struct argp_state *state) {
  order *o = state->input;
  switch (key) {
  case KEY_WRITE: return fg_cli_folder(state, arg, &o->folder);
  case ARGP_KEY_ARG:
    if (o->count && strcmp(o->name[0], "parameters"))
      return fg_cli_refuse(state, "'%s': one subcommand or topic is allowed", arg);
    if (o->count == FG_CLI_OPTIONS) return fg_cli_refuse(state, "'%s': too many names", arg);
    o->name[o->count++] = arg;
    return 0;
  case ARGP_KEY_ERROR: fg_cli_blame_option(state); return 0;
  default: return ARGP_ERR_UNKNOWN;
  }
}

static const struct argp_option options[] = {
    {"write", KEY_WRITE, "FOLDER", 0, "write man pages and completions for bash, zsh and fish there", 0},
    {"help", 'h', 0, 0, "this text", 0},
    {0},
};
static const struct argp argp = {
    .options = options,
    .parser = parse,
    .args_doc = "[COMMAND | TOPIC]",
    .doc = "Show the help of a subcommand, or a page about a topic; without either, the first page."
           "\vExamples:\n"
           "  fftgen help\n"
           "  fftgen help emit\n"
           "  fftgen help problem\n"
           "  fftgen help parameters queue swap\n",
};

/* Subcommands, then topics that are none. */
static const char *any_name(int i) {
  int commands = 0;
  while (fg_cli_commands[commands]) commands++;
  if (i < commands) return fg_cli_commands[i]->name;
  return topic_name(i - commands);
}

static fg_status show(fg_context *cx, const order *o) {
  const char *name = o->name[0];
  if (is_topic(name)) return fg_cli_topic_print(cx, name, o->name + 1);
  int i = fg_words_find(name, strlen(name), fg_cli_command_name);
  if (i < 0)
    return fg_refuse(cx, "help %s: no such subcommand or topic%s; fftgen help lists them",
                     fg_words_quote(cx->arena, name, strlen(name)),
                     fg_words_near(cx->arena, name, strlen(name), any_name));
  const fg_command *c = fg_cli_commands[i];
  fputs(fg_cli_page_print(c->argp ? fg_cli_command_page(cx, c) : fg_cli_first_page(cx)), stdout);
  return FG_OK;
}

static fg_status run(fg_context *cx, int argc, char **argv) {
  static order o;
  fg_status status = fg_cli_parse(cx, &argp, argc, argv, &o);
  if (status != FG_OK) return status;
  if (o.folder) return write_all(cx, o.folder);
  if (o.count) return show(cx, &o);
  fputs(fg_cli_page_print(fg_cli_first_page(cx)), stdout);
  return FG_OK;
}

const fg_command fg_cli_help = {"help", "this text, or the help of a subcommand or topic", &argp, run, NULL, false};
