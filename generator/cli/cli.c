/* Options, errors and output of the subcommands. In: argv. Out: a fg_choice, or one error message; tables and JSON
 * on standard output.
 *
 * argp parses and documents the options; its own messages are off, because a user's mistake gets exactly one line
 * here. */
#include "generator/base/strbuf.h"
#include "generator/cli/options.h"
#include "generator/cli/parse.h"
#include "generator/cli/table.h"
#include "targets/ascii.h"
#include "targets/number.h"
#include "tuning/report/json.h"
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The context of the parse under way: argp's parsers get only their own input. */
static fg_context *parsing;

error_t fg_cli_refuse(const struct argp_state *state, const char *format, ...) {
  char message[512];
  va_list args;
  va_start(args, format);
  fg_number_vprint(message, sizeof message, format, args);
  va_end(args);
  fg_diag_set(&parsing->diag, FG_EUSER, "%s: %s", state->name + strlen("fftgen "), message);
  return EINVAL;
}

error_t fg_cli_refuse_word(const struct argp_state *state, const char *option, const char *word, fg_words_name name) {
  fg_arena *a = parsing->arena;
  return fg_cli_refuse(state, "%s %s: unknown%s; allowed: %s", option, fg_words_quote(a, word, strlen(word)),
                       fg_words_near(a, word, strlen(word), name), fg_words_join(a, name));
}

error_t fg_cli_folder(const struct argp_state *state, const char *arg, const char **folder) {
  if (!*arg) return fg_cli_refuse(state, "--output '': the name of a folder; . is this one");
  if (!strcmp(arg, "-"))
    return fg_cli_refuse(state, "--output '-': the name of a folder, ./- for one of that name; emit --dump=source "
                                "writes text to standard output");
  *folder = arg;
  return 0;
}

bool fg_cli_number(const char *text, int64_t lo, int64_t hi, int64_t *out) {
  if (*text < '0' || *text > '9') return false;
  char *end;
  errno = 0;
  long long value = strtoll(text, &end, 10);
  if (errno || *end || value < lo || value > hi) return false;
  *out = value;
  return true;
}

static const char *kind_at(int i) { return i < FG_KIND_COUNT ? fg_problem_kind_name((fg_kind)i) : NULL; }

/* A word of a problem that the shell cut into words. */
static bool is_bare(const char *word) { return word && *word != '-' && !strpbrk(word, " \t"); }

/* A kind as a word of its own, and more words: a problem without its quotes. */
static fg_status check_quotes(fg_context *cx, int argc, char **argv) {
  for (int i = 1; i + 1 < argc; i++) {
    if (fg_words_find(argv[i], strlen(argv[i]), kind_at) < 0 || !is_bare(argv[i + 1])) continue;
    fg_strbuf problem = fg_strbuf_new(cx->arena);
    for (int k = i; k < argc && is_bare(argv[k]); k++) fg_strbuf_addf(&problem, "%s%s", k > i ? " " : "", argv[k]);
    const char *quoted = fg_words_quote(cx->arena, problem.text, problem.length);
    return fg_refuse(cx, "%s: a problem is one argument; quote it: %s", argv[0] + strlen("fftgen "), quoted);
  }
  return FG_OK;
}

fg_status fg_cli_parse(fg_context *cx, const struct argp *argp, int argc, char **argv, void *input) {
  parsing = cx;
  if (check_quotes(cx, argc, argv) != FG_OK) return FG_EUSER;
  error_t error = argp_parse(argp, argc, argv, ARGP_NO_ERRS | ARGP_NO_HELP, NULL, input);
  if (!error) return FG_OK;
  return error == ENOMEM ? FG_ENOMEM : fg_refuse(cx, "bad arguments; %s --help", argv[0]);
}

/* Other mistakes have their message already. */
void fg_cli_blame_option(const struct argp_state *state) {
  const char *option = state->next > 0 && state->next <= state->argc ? state->argv[state->next - 1] : "";
  fg_cli_refuse(state, "'%s': %s; %s --help lists them", option,
                fg_cli_option_fault(parsing->arena, state->root_argp, option), state->name);
}

enum { KEY_JSON = 256, KEY_TARGET, KEY_ISA, KEY_PLAN, KEY_RECIPE, KEY_DEVICE, KEY_COMPILER, KEY_SEED, KEY_ARCH };

/* The name before a problem, and = ; a kind never has one. */
static error_t take_name(struct argp_state *state, char **arg, const char **name) {
  size_t length = 0, word = strcspn(*arg, "= ");
  *name = NULL;
  if ((*arg)[word] != '=') return 0;
  while (fg_is_alnum((*arg)[length]) || (*arg)[length] == '_') length++;
  if (!length || fg_is_digit(**arg) || length != word)
    return fg_cli_refuse(state, "'%.*s': a function's name has letters, digits and _, no digit first", (int)word, *arg);
  *name = fg_arena_printf(parsing->arena, "%.*s", (int)length, *arg);
  *arg += length + 1;
  return 0;
}

static error_t parse_problem(int key, char *arg, struct argp_state *state) {
  fg_choice *c = state->input;
  error_t status;
  switch (key) {
  case KEY_JSON: c->json = true; return 0;
  case ARGP_KEY_ARG:
    if (!c->most_problems) return fg_cli_refuse(state, "'%s': takes no arguments but options", arg);
    if (c->nproblem >= c->most_problems)
      return fg_cli_refuse(state, "'%s': only %d argument%s allowed (quote a problem: \"c2c f64 n=8\")", arg,
                           c->most_problems, c->most_problems == 1 ? " is" : "s are");
    if (c->may_name && (status = take_name(state, &arg, &c->name[c->nproblem]))) return status;
    c->problem[c->nproblem++] = arg;
    return 0;
  case ARGP_KEY_END:
    if (c->most_problems && !c->nproblem && !c->may_be_empty)
      return fg_cli_refuse(state, "no %.*s given; %s --help says more", (int)strcspn(state->root_argp->args_doc, " ."),
                           state->root_argp->args_doc, state->name);
    return 0;
  case ARGP_KEY_ERROR: fg_cli_blame_option(state); return 0;
  default: return ARGP_ERR_UNKNOWN;
  }
}

static error_t parse_kernel(int key, char *arg, struct argp_state *state) {
  fg_choice *c = state->input;
  switch (key) {
  case KEY_TARGET: c->target = arg; return 0;
  case KEY_ISA: c->isa = arg; return 0;
  case KEY_PLAN: c->plan = arg; return 0;
  case KEY_RECIPE:
    if (c->nrecipe == FG_CLI_RECIPES) return fg_cli_refuse(state, "--recipe: at most %d files", FG_CLI_RECIPES);
    c->recipe[c->nrecipe++] = arg;
    return 0;
  default: return ARGP_ERR_UNKNOWN;
  }
}

static error_t parse_device(int key, char *arg, struct argp_state *state) {
  fg_choice *c = state->input;
  int64_t seed;
  switch (key) {
  case KEY_DEVICE: c->device = arg; return 0;
  case KEY_COMPILER: c->compiler = arg; return 0;
  case KEY_SEED:
    if (!fg_cli_number(arg, 0, INT64_MAX, &seed)) return fg_cli_refuse(state, "--seed '%s': a number from 0", arg);
    c->seed = (uint64_t)seed;
    return 0;
  default: return ARGP_ERR_UNKNOWN;
  }
}

static const char *machine_name(int i) { return fg_machine_table()[i] ? fg_machine_table()[i]->name : NULL; }

const fg_machine *fg_cli_machine(const struct argp_state *state, const char *name) {
  const fg_machine *found = fg_machine_find(name);
  if (found) return found;
  fg_strbuf names = fg_strbuf_new(parsing->arena);
  for (const fg_machine *const *m = fg_machine_table(); *m; m++)
    fg_strbuf_addf(&names, "%s%s", names.length ? ", " : "", (*m)->name);
  fg_cli_refuse(state, "--arch '%s': unknown%s; allowed: %s", name,
                fg_words_near(parsing->arena, name, strlen(name), machine_name), names.text);
  return NULL;
}

static error_t parse_arch(int key, char *arg, struct argp_state *state) {
  fg_choice *c = state->input;
  if (key != KEY_ARCH) return ARGP_ERR_UNKNOWN;
  c->machine = fg_cli_machine(state, arg);
  return c->machine ? 0 : EINVAL;
}

const char *fg_cli_target(const fg_choice *c) {
  if (c->target || !c->machine) return c->target ? c->target : "c";
  return fg_dialect_of_machine(c->machine)->name;
}

static const struct argp_option problem_options[] = {
    {"json", KEY_JSON, 0, 0, "print JSON", 0},
    {"help", 'h', 0, 0, "this text", 0}, /* answered in main.c */
    {0},
};

static const struct argp_option kernel_options[] = {
    {"target", KEY_TARGET, "NAME", 0, "language of the sources: %s (c)", 0},
    {"isa", KEY_ISA, "NAME", 0, "instruction set of C (native); help isas", 0},
    {"plan", KEY_PLAN, "TEXT", 0, "this plan, not the best candidate; help plan", 0},
    {"recipe", KEY_RECIPE, "FILE", 0, "ask this Lua recipe first (repeatable)", 0},
    {0},
};

static const struct argp_option device_options[] = {
    {"device", KEY_DEVICE, "NAME", 0, "where to run: %s", 0},
    {"compiler", KEY_COMPILER, "NAME", 0, "compiler of device cc: gcc, clang or a path", 0},
    {"seed", KEY_SEED, "NUMBER", 0, "seed of the random inputs and primes", 0},
    {0},
};

static const struct argp_option arch_options[] = {
    {"arch", KEY_ARCH, "NAME", 0, "plan for this machine, here or not; help machines", 0},
    {0},
};

const struct argp fg_cli_arch_argp = {.options = arch_options, .parser = parse_arch};
const struct argp fg_cli_problem_argp = {.options = problem_options, .parser = parse_problem};
const struct argp fg_cli_kernel_argp = {.options = kernel_options, .parser = parse_kernel};
const struct argp fg_cli_device_argp = {.options = device_options, .parser = parse_device};

fg_request fg_cli_request(const fg_choice *c, int i) {
  return (fg_request){.problem = c->problem[i],
                      .target = c->target,
                      .isa = c->isa,
                      .plan = c->plan,
                      .machine = c->machine,
                      .recipe = c->recipe,
                      .nrecipe = c->nrecipe};
}

fg_status fg_cli_print_json(fg_context *cx, cJSON *json) {
  char *text = json ? fg_json_print(json) : NULL;
  cJSON_Delete(json);
  if (!text) return fg_diag_set(&cx->diag, FG_ENOMEM, "out of memory");
  puts(text);
  cJSON_free(text);
  return FG_OK;
}

fg_status fg_cli_no_action(fg_context *cx, const char *command, const char *word, fg_words_name actions) {
  fg_arena *a = cx->arena;
  return fg_refuse(cx, "%s %s: no such action%s; allowed: %s", command, fg_words_quote(a, word, strlen(word)),
                   fg_words_near(a, word, strlen(word), actions), fg_words_join(a, actions));
}

enum { MOST_COLUMNS = 16 };

typedef struct row row;
struct row {
  char *cell[MOST_COLUMNS];
  bool number[MOST_COLUMNS];
  row *next;
};

struct fg_cli_table {
  fg_context *cx;
  int columns, filled; /* cells of the last row */
  int width[MOST_COLUMNS];
  row *first, *last;
};

static void add_cell(fg_cli_table *t, char *text, bool number) {
  if (!t->last || t->filled == t->columns) {
    row *r = fg_arena_new(t->cx->arena, row, 1);
    *(t->last ? &t->last->next : &t->first) = r;
    t->last = r;
    t->filled = 0;
  }
  int c = t->filled++;
  t->last->cell[c] = text;
  t->last->number[c] = number;
  int width = (int)strlen(text);
  if (width > t->width[c]) t->width[c] = width;
}

fg_cli_table *fg_cli_table_create(fg_context *cx, int columns, const char *const *heads) {
  fg_cli_table *t = fg_arena_new(cx->arena, fg_cli_table, 1);
  t->cx = cx;
  t->columns = columns < MOST_COLUMNS ? columns : MOST_COLUMNS;
  for (int c = 0; c < t->columns; c++) add_cell(t, fg_arena_strdup(cx->arena, heads[c]), false);
  return t;
}

void fg_cli_cell(fg_cli_table *t, const char *format, ...) {
  char text[1024];
  va_list args;
  va_start(args, format);
  fg_number_vprint(text, sizeof text, format, args);
  va_end(args);
  add_cell(t, fg_arena_strdup(t->cx->arena, text), text[0] >= '0' && text[0] <= '9' && !strchr(text, ':'));
}

/* How much of a text goes into a line of this width. */
static int break_of(const char *text, int width) {
  int n = (int)strlen(text), end = width;
  if (n <= width) return n;
  while (end && text[end - 1] != ',' && text[end - 1] != ' ') end--;
  return end ? end : width;
}

/* One line of a row, whose cells move on to what is left of them. */
static bool print_line(const fg_cli_table *t, const row *like, row *r) {
  fg_strbuf line = fg_strbuf_new(t->cx->arena);
  bool more = false;
  for (int c = 0; c < t->columns && r->cell[c]; c++) {
    int n = break_of(r->cell[c], t->width[c]), left = t->width[c] - n;
    fg_strbuf_addf(&line, "%s%*s%.*s%*s", c ? "  " : "", like->number[c] ? left : 0, "", n, r->cell[c],
                   like->number[c] ? 0 : left, "");
    r->cell[c] += n;
    more |= *r->cell[c] != 0;
  }
  while (line.length && line.text[line.length - 1] == ' ') fg_strbuf_cut(&line, line.length - 1);
  puts(line.text);
  return more;
}

void fg_cli_table_print(const fg_cli_table *t) {
  for (const row *r = t->first; r; r = r->next) {
    row left = *r;
    /* A head is aligned as the first number of its column is. */
    while (print_line(t, r == t->first && r->next ? r->next : r, &left)) continue;
  }
}

void fg_cli_table_print_narrow(const fg_cli_table *t) {
  enum { MOST = 100, LEAST = 8 };
  fg_cli_table narrow = *t;
  for (;;) {
    int whole = 2 * (t->columns - 1), widest = 0;
    for (int c = 0; c < t->columns; c++) {
      whole += narrow.width[c];
      if (narrow.width[c] > narrow.width[widest]) widest = c;
    }
    if (whole <= MOST || narrow.width[widest] <= LEAST) break;
    narrow.width[widest]--;
  }
  fg_cli_table_print(&narrow);
}

void fg_cli_warn(void *context, const char *message) {
  (void)context;
  fprintf(stderr, "fftgen: warning: %s\n", message);
}
