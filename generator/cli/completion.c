/* See completion.h. In: the subcommands, their options and topics. Out: scripts for bash, zsh and fish. The one
 * idea: the scripts contain word lists alone; options whose value is a FILE or a FOLDER are completed by the shell. */
#include "generator/cli/completion.h"
#include "generator/base/strbuf.h"
#include "generator/cli/cli.h"
#include "generator/cli/options.h"
#include "generator/cli/topics.h"
#include <string.h>

static bool takes(const fg_option *o, const char *what) { return o->arg && !strcmp(o->arg, what); }
static bool takes_file(const fg_option *o) { return takes(o, "FILE") || takes(o, "FOLDER"); }

/* Whether arguments behind an action are files. */
static bool has_files(const fg_command *c) { return c->argp && strstr(c->argp->args_doc, "FILE"); }

static void add_words(fg_strbuf *s, fg_words_name name) {
  for (int i = 0; name(i); i++) fg_strbuf_addf(s, "%s%s", i ? " " : "", name(i));
}

/* Text inside single quotes, in which some letters have a backslash before them. */
static void add_quoted(fg_strbuf *s, const char *text, const char *special) {
  for (; *text; text++) {
    if (*text == '\'')
      fg_strbuf_add(s, "'\\''");
    else if (strchr(special, *text))
      fg_strbuf_addf(s, "\\%c", *text);
    else
      fg_strbuf_addn(s, text, 1);
  }
}

/* What help takes. */
static void add_topics(fg_strbuf *s) {
  add_words(s, fg_cli_command_name);
  for (const fg_topic *t = fg_cli_topics; t->name; t++) fg_strbuf_addf(s, " %s", t->name);
}

/* ---- bash ---------------------------------------------------------------------------- */

static const char bash_begin[] =
    "# bash completion for fftgen; written by fftgen help --write.\n"
    "_fftgen() {\n"
    "  local command=${COMP_WORDS[1]} word=${COMP_WORDS[COMP_CWORD]} option=${COMP_WORDS[COMP_CWORD - 1]}\n"
    "  local options='' words=''\n"
    "  COMPREPLY=()\n"
    "  if [[ $word == = ]]; then # bash makes three words of --isa=avx2\n"
    "    word=''\n"
    "  elif [[ $option == = ]]; then\n"
    "    option=${COMP_WORDS[COMP_CWORD - 2]}\n"
    "  fi\n"
    "  if ((COMP_CWORD == 1)); then\n";

static void bash_values(fg_strbuf *s, const fg_command *c, const fg_option *o) {
  if (!o->values && !takes_file(o)) return;
  fg_strbuf_addf(s, "  %s\\ --%s", c->name, o->name);
  if (o->letter) fg_strbuf_addf(s, " | %s\\ -%c", c->name, o->letter);
  if (o->values) {
    fg_strbuf_add(s, ") COMPREPLY=($(compgen -W '");
    add_words(s, o->values);
    fg_strbuf_add(s, "' -- \"$word\"))");
  } else {
    fg_strbuf_addf(s, ") compopt -o filenames; COMPREPLY=($(compgen -%c -- \"$word\"))", takes(o, "FILE") ? 'f' : 'd');
  }
  fg_strbuf_add(s, "; return ;;\n");
}

static void bash_options(fg_strbuf *s, const fg_command *c, const fg_option *row, int count) {
  fg_strbuf_addf(s, "  %s)\n    options='", c->name);
  for (int i = 0; i < count; i++) fg_strbuf_addf(s, "%s--%s%s", i ? " " : "", row[i].name, row[i].arg ? "=" : "");
  fg_strbuf_add(s, "'\n");
  if (c->action || c == &fg_cli_help) {
    fg_strbuf_add(s, "    ((COMP_CWORD > 2)) || words='");
    for (int k = 0; c->action && c->action(k); k++) fg_strbuf_addf(s, "%s%s", k ? " " : "", c->action(k)->name);
    if (!c->action) add_topics(s);
    fg_strbuf_add(s, "'\n");
  }
  if (has_files(c)) fg_strbuf_add(s, "    ((COMP_CWORD == 2)) || files=-f\n");
  fg_strbuf_add(s, "    ;;\n");
}

static const char *write_bash(fg_context *cx) {
  fg_option *row = fg_arena_new(cx->arena, fg_option, FG_CLI_OPTIONS);
  fg_strbuf s = fg_strbuf_new(cx->arena);
  fg_strbuf_add(&s, bash_begin);
  fg_strbuf_add(&s, "    COMPREPLY=($(compgen -W '");
  add_words(&s, fg_cli_command_name);
  fg_strbuf_add(
      &s, " --help --version' -- \"$word\"))\n    return\n  fi\n  local files=''\n  case \"$command $option\" in\n");
  for (int i = 0; fg_cli_commands[i]; i++) {
    int count = fg_cli_commands[i]->argp ? fg_cli_options(cx->arena, fg_cli_commands[i]->argp, row) : 0;
    for (int k = 0; k < count; k++) bash_values(&s, fg_cli_commands[i], &row[k]);
  }
  fg_strbuf_add(&s, "  esac\n  case $command in\n");
  for (int i = 0; fg_cli_commands[i]; i++)
    if (fg_cli_commands[i]->argp)
      bash_options(&s, fg_cli_commands[i], row, fg_cli_options(cx->arena, fg_cli_commands[i]->argp, row));
  fg_strbuf_add(&s, "  esac\n"
                    "  if [[ $word == -* ]]; then\n"
                    "    COMPREPLY=($(compgen -W \"$options\" -- \"$word\"))\n"
                    "    [[ ${COMPREPLY[0]-} != *= ]] || compopt -o nospace\n"
                    "  else\n"
                    "    [[ -z $files ]] || compopt -o filenames\n"
                    "    COMPREPLY=($(compgen $files -W \"$words\" -- \"$word\"))\n"
                    "  fi\n"
                    "}\n"
                    "complete -F _fftgen fftgen\n");
  return s.text;
}

/* ---- zsh ------------------------------------------------------------------------------- */

static void zsh_value(fg_strbuf *s, const fg_option *o) {
  fg_strbuf_addf(s, ":%s:", o->arg);
  if (o->values) {
    fg_strbuf_add(s, "(");
    add_words(s, o->values);
    fg_strbuf_add(s, ")");
  } else if (takes_file(o)) {
    fg_strbuf_add(s, takes(o, "FILE") ? "_files" : "_files -/");
  }
}

static void zsh_option(fg_strbuf *s, const fg_option *o) {
  if (o->letter) {
    fg_strbuf_addf(s, " \\\n      '(--%s)-%c[", o->name, o->letter);
    add_quoted(s, o->help, "[]\\:");
    fg_strbuf_add(s, "]");
    if (o->arg) zsh_value(s, o);
    fg_strbuf_add(s, "'");
  }
  fg_strbuf_addf(s, " \\\n      '%s--%s%s[", o->arg ? "*" : "", o->name, o->arg ? "=" : "");
  add_quoted(s, o->help, "[]\\:");
  fg_strbuf_add(s, "]");
  if (o->arg) zsh_value(s, o);
  fg_strbuf_add(s, "'");
}

static void zsh_arguments(fg_strbuf *s, const fg_command *c) {
  if (c->action || c == &fg_cli_help) {
    fg_strbuf_add(s, " \\\n      '1: :(");
    for (int k = 0; c->action && c->action(k); k++) fg_strbuf_addf(s, "%s%s", k ? " " : "", c->action(k)->name);
    if (!c->action) add_topics(s);
    fg_strbuf_add(s, ")'");
  }
  if (has_files(c)) fg_strbuf_add(s, " \\\n      '*:FILE:_files'");
  if (!c->action && c != &fg_cli_help && *c->argp->args_doc) fg_strbuf_add(s, " \\\n      '*:PROBLEM:( )'");
}

static const char *write_zsh(fg_context *cx) {
  fg_option *row = fg_arena_new(cx->arena, fg_option, FG_CLI_OPTIONS);
  fg_strbuf s = fg_strbuf_new(cx->arena);
  fg_strbuf_add(&s, "#compdef fftgen\n"
                    "# zsh completion for fftgen; written by fftgen help --write.\n"
                    "_fftgen() {\n"
                    "  local -a commands\n"
                    "  commands=(");
  for (int i = 0; fg_cli_commands[i]; i++) {
    fg_strbuf_addf(&s, "\n    '%s:", fg_cli_commands[i]->name);
    add_quoted(&s, fg_cli_commands[i]->help, "\\:");
    fg_strbuf_add(&s, "'");
  }
  fg_strbuf_add(&s, ")\n"
                    "  if ((CURRENT == 2)); then\n"
                    "    _describe command commands\n"
                    "    return\n"
                    "  fi\n"
                    "  local command=$words[2]\n"
                    "  shift words\n"
                    "  ((CURRENT--))\n"
                    "  case $command in\n");
  for (int i = 0; fg_cli_commands[i]; i++) {
    const fg_command *c = fg_cli_commands[i];
    if (!c->argp) continue;
    fg_strbuf_addf(&s, "  %s)\n    _arguments", c->name);
    int count = fg_cli_options(cx->arena, c->argp, row);
    for (int k = 0; k < count; k++) zsh_option(&s, &row[k]);
    zsh_arguments(&s, c);
    fg_strbuf_add(&s, "\n    ;;\n");
  }
  fg_strbuf_add(&s, "  esac\n}\n_fftgen \"$@\"\n");
  return s.text;
}

/* ---- fish -------------------------------------------------------------------------------- */

static void fish_option(fg_strbuf *s, const fg_command *c, const fg_option *o) {
  fg_strbuf_addf(s, "complete -c fftgen -n '__fish_seen_subcommand_from %s' -l %s", c->name, o->name);
  if (o->letter) fg_strbuf_addf(s, " -s %c", o->letter);
  if (o->values) {
    fg_strbuf_add(s, " -x -a '");
    add_words(s, o->values);
    fg_strbuf_add(s, "'");
  } else if (takes(o, "FOLDER")) {
    fg_strbuf_add(s, " -x -a '(__fish_complete_directories)'");
  } else if (o->arg) {
    fg_strbuf_add(s, takes(o, "FILE") ? " -r -F" : " -x");
  }
  fg_strbuf_add(s, " -d '");
  for (const char *t = o->help; *t; t++) fg_strbuf_addf(s, *t == '\'' || *t == '\\' ? "\\%c" : "%c", *t);
  fg_strbuf_add(s, "'\n");
}

static void fish_word(fg_strbuf *s, const char *condition, const char *word, const char *help) {
  fg_strbuf_addf(s, "complete -c fftgen -n '%s' -a %s -d '", condition, word);
  for (const char *t = help; *t; t++) fg_strbuf_addf(s, *t == '\'' || *t == '\\' ? "\\%c" : "%c", *t);
  fg_strbuf_add(s, "'\n");
}

static const char *write_fish(fg_context *cx) {
  fg_option *row = fg_arena_new(cx->arena, fg_option, FG_CLI_OPTIONS);
  fg_strbuf s = fg_strbuf_new(cx->arena);
  fg_strbuf_add(&s, "# fish completion for fftgen; written by fftgen help --write.\ncomplete -c fftgen -f\n");
  for (int i = 0; fg_cli_commands[i]; i++) {
    const fg_command *c = fg_cli_commands[i];
    fish_word(&s, "__fish_use_subcommand", c->name, c->help);
    fish_word(&s, "__fish_seen_subcommand_from help", c->name, c->help);
  }
  for (const fg_topic *t = fg_cli_topics; t->name; t++)
    fish_word(&s, "__fish_seen_subcommand_from help", t->name, t->what);
  for (int i = 0; fg_cli_commands[i]; i++) {
    const fg_command *c = fg_cli_commands[i];
    int count = c->argp ? fg_cli_options(cx->arena, c->argp, row) : 0;
    const char *seen = fg_arena_printf(cx->arena, "__fish_seen_subcommand_from %s", c->name);
    for (int k = 0; k < count; k++) fish_option(&s, c, &row[k]);
    for (int k = 0; c->action && c->action(k); k++) fish_word(&s, seen, c->action(k)->name, c->action(k)->help);
    if (has_files(c)) fg_strbuf_addf(&s, "complete -c fftgen -n '%s' -F\n", seen);
  }
  return s.text;
}

const fg_completion fg_cli_completions[] = {
    {"bash-completion/completions", "fftgen", write_bash},
    {"zsh/site-functions", "_fftgen", write_zsh},
    {"fish/vendor_completions.d", "fftgen.fish", write_fish},
    {NULL, NULL, NULL},
};
