/* fftgen wisdom: show, check, explain, compare, merge and prune files of wisdom. In: an action and
 * files (none: the user's own). Out: text, or a new file. */
#include "generator/cli/parse.h"
#include "generator/cli/run.h"
#include "generator/cli/table.h"
#include "runtime/store/fingerprint.h"
#include "runtime/store/serve.h"
#include "runtime/store/store.h"
#include "runtime/store/wisdom_file.h"
#include "runtime/version.h"
#include "targets/number.h"
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

typedef struct order {
  fg_choice choice; /* problem[0] is the action, the others are files */
  const char *output;
} order;

static error_t parse(int key, char *arg, struct argp_state *state) {
  order *o = state->input;
  switch (key) {
  case ARGP_KEY_INIT: state->child_inputs[0] = state->child_inputs[1] = &o->choice; return 0;
  case 'o': o->output = arg; return 0;
  default: return ARGP_ERR_UNKNOWN;
  }
}

static const struct argp_option options[] = {
    {"output", 'o', "FILE", 0, "merge: file to write (standard output)", 0},
    {0},
};
static const struct argp_child children[] = {FG_CLI_GROUP(problem), FG_CLI_GROUP(arch), {0}};
static const struct argp argp = {
    .options = options,
    .parser = parse,
    .args_doc = "ACTION [FILE...]",
    .doc = "Show, check and edit files of wisdom."
           "\vexplain takes a problem before the files. Without FILE the user's own file is read.\n\n"
           "Examples:\n"
           "  fftgen wisdom show\n"
           "  fftgen wisdom merge a.jsonl b.jsonl -o both.jsonl\n",
    .children = children,
};

static fg_status load_all(fg_context *cx, const order *o, fg_wisdom_warn told, fg_wisdom *out) {
  *out = (fg_wisdom){0};
  for (int i = 1; i < o->choice.nproblem; i++) {
    fg_wisdom w;
    fg_status status = fg_wisdom_load(cx, o->choice.problem[i], told, &w);
    if (status != FG_OK) return status;
    fg_wisdom_join(cx, out, &w);
  }
  return FG_OK;
}

enum { MOST_DEVICES = 16 };

/* What wisdom calls the device that this target has here; "": there is none. Devices
 * are asked once. */
static const char *device_here(const char *target) {
  static struct {
    bool asked;
    char identity[sizeof((fg_device_facts *)0)->identity];
  } known[MOST_DEVICES];
  char why[FG_WHY_SIZE];
  fg_device_facts facts;
  for (int i = 0; fg_device_table()[i] && i < MOST_DEVICES; i++) {
    const fg_device *d = fg_device_table()[i];
    if (strcmp(d->name, target)) continue;
    if (!known[i].asked && !fg_cli_probe(d, &facts, why)) {
      if (!facts.identity[0]) return fg_fingerprint_host();
      memcpy(known[i].identity, facts.identity, sizeof known[i].identity);
    }
    known[i].asked = true;
    return known[i].identity;
  }
  return fg_fingerprint_host();
}

static bool is_ours(const fg_wisdom_entry *e) { return !strcmp(e->device, device_here(e->target)); }

static cJSON *entry_json(const fg_wisdom_entry *e) {
  cJSON *json = cJSON_CreateObject();
  cJSON_AddStringToObject(json, "device", e->device);
  cJSON_AddStringToObject(json, "problem", e->problem);
  cJSON_AddStringToObject(json, "target", e->target);
  cJSON_AddStringToObject(json, "plan", e->plan);
  cJSON_AddStringToObject(json, "isa", e->isa);
  cJSON_AddNumberToObject(json, "ns", e->ns);
  if (e->spread >= 0) cJSON_AddNumberToObject(json, "spread", e->spread);
  cJSON_AddNumberToObject(json, "l2", e->l2);
  cJSON_AddStringToObject(json, "compiler", e->compiler);
  if (*e->kind) cJSON_AddStringToObject(json, "compiler_kind", e->kind);
  cJSON_AddStringToObject(json, "generator", e->generator);
  if (*e->date) cJSON_AddStringToObject(json, "date", e->date);
  if (*e->made_by) cJSON_AddStringToObject(json, "made_by", e->made_by);
  cJSON_AddBoolToObject(json, "here", is_ours(e));
  cJSON_AddBoolToObject(json, "final", e->final);
  return json;
}

static fg_status show_json(fg_context *cx, const fg_wisdom *w) {
  cJSON *list = cJSON_CreateArray();
  for (int i = 0; i < w->count; i++)
    if (w->line[i].kind == FG_WISDOM_GOOD) cJSON_AddItemToArray(list, entry_json(&w->line[i].entry));
  return fg_cli_print_json(cx, list);
}

static fg_status show(fg_context *cx, const order *o) {
  static const char *const heads[] = {"problem", "target", "plan", "isa", "ns", "spread", "l2", "machine"};
  fg_wisdom w;
  fg_status status = load_all(cx, o, (fg_wisdom_warn){fg_cli_warn, NULL}, &w);
  if (status != FG_OK) return status;
  if (o->choice.json) return show_json(cx, &w);
  fg_cli_table *t = fg_cli_table_create(cx, 8, heads);
  for (int i = 0; i < w.count; i++) {
    const fg_wisdom_entry *e = &w.line[i].entry;
    if (w.line[i].kind != FG_WISDOM_GOOD) continue;
    fg_cli_cell(t, "%s", e->problem);
    fg_cli_cell(t, "%s", e->target);
    fg_cli_cell(t, "%s", e->plan);
    fg_cli_cell(t, "%s", e->isa);
    fg_cli_cell(t, "%.4g", e->ns);
    if (e->spread >= 0)
      fg_cli_cell(t, "%.1f %%", 100 * e->spread);
    else
      fg_cli_cell(t, "not known");
    fg_cli_cell(t, "%.1e", e->l2);
    fg_cli_cell(t, "%s", is_ours(e) ? "this one" : e->device);
  }
  fg_cli_table_print(t);
  return FG_OK;
}

/* A plan that no longer parses or does not fit its problem is of no use. */
static const char *useless(fg_context *cx, const fg_wisdom_entry *e) {
  fg_context own = {.arena = cx->arena};
  fg_problem p;
  fg_plan *plan;
  if (fg_problem_parse(&own, e->problem, &p) == FG_OK && fg_plan_parse(&own, e->plan, &plan) == FG_OK) return NULL;
  return fg_arena_strdup(cx->arena, own.diag.message);
}

static const char old_command[] = "its command is ignored: compilers come from PATH, FFTGEN_CC or CC";

static fg_status check_file(fg_context *cx, const char *path, fg_wisdom *w) {
  fg_status status = fg_wisdom_load(cx, path, (fg_wisdom_warn){0}, w);
  if (status != FG_OK) return status;
  int good = 0, foreign = 0, old = 0;
  for (int i = 0; i < w->count; i++) {
    const fg_wisdom_line *l = &w->line[i];
    if (l->kind == FG_WISDOM_DAMAGED) printf("%s, line %d: %s\n", path, l->number, l->wrong);
    if (l->kind == FG_WISDOM_NEWER) printf("%s, line %d: of a newer fftgen\n", path, l->number);
    if (l->kind != FG_WISDOM_GOOD) continue;
    const char *why = useless(cx, &l->entry);
    if (why) printf("%s, line %d: %s\n", path, l->number, why);
    if (l->entry.has_command) printf("%s, line %d: %s\n", path, l->number, old_command);
    good++;
    foreign += !is_ours(&l->entry);
    old += strcmp(l->entry.generator, fg_version) != 0;
  }
  printf("%s: %d lines good (%d of other machines, %d of other versions), %d damaged, %d of a newer fftgen\n", path,
         good, foreign, old, w->damaged, w->newer);
  return FG_OK;
}

static fg_status check(fg_context *cx, const order *o) {
  int damaged = 0;
  for (int i = 1; i < o->choice.nproblem; i++) {
    fg_wisdom w;
    fg_status status = check_file(cx, o->choice.problem[i], &w);
    if (status != FG_OK) return status;
    damaged += w.damaged;
  }
  return damaged ? fg_diag_set(&cx->diag, FG_EWRONG, "%d damaged lines", damaged) : FG_OK;
}

/* The one here, or --arch's. */
static void set_machine(const order *o, fg_serve_key *key) {
  key->machine = o->choice.machine;
  if (!key->machine)
    key->device = device_here(key->target);
  else if (!fg_machine_is_gpu(key->machine))
    key->isa = key->machine->isa;
}

static bool is_foreign(const fg_wisdom_entry *e, const fg_serve_key *key) {
  if (key->device) return fg_serve_device(e->device, key->device) < 0;
  return fg_serve_machine(e->device, key->machine) < 0 || (key->isa && strcmp(e->isa, key->isa) != 0) ||
         !fg_machine_takes(key->machine, e->target);
}

/* Everything known about problems, and what the runtime makes of it. */
static fg_status explain(fg_context *cx, const order *o) {
  fg_wisdom w;
  fg_problem p;
  fg_status status = fg_problem_parse(cx, o->choice.problem[1], &p);
  if (status != FG_OK) return status;
  order files = {.choice = {.nproblem = 1}}; /* as the other actions have them: from 1 on */
  for (int i = 2; i < o->choice.nproblem; i++) files.choice.problem[files.choice.nproblem++] = o->choice.problem[i];
  const char *own = fg_wisdom_path(cx->arena);
  if (o->choice.nproblem == 2 && own) files.choice.problem[files.choice.nproblem++] = own;
  if ((status = load_all(cx, &files, (fg_wisdom_warn){fg_cli_warn, NULL}, &w)) != FG_OK) return status;
  const char *text = fg_wisdom_problem(cx, &p);
  int seen = 0;
  for (int i = 0; i < w.count; i++) {
    const fg_wisdom_entry *e = &w.line[i].entry;
    if (w.line[i].kind != FG_WISDOM_GOOD || fg_serve_problem(e->problem, text, true) < 0) continue;
    const char *why = useless(cx, e);
    fg_serve_key key = {.problem = text, .target = e->target};
    set_machine(o, &key);
    fg_served best = fg_serve_find(&w, &key);
    if (!why && is_foreign(e, &key)) why = "another machine";
    if (!why && best.entry == e) why = best.distance ? fg_serve_note(cx->arena, &best) : "taken";
    if (!why && strcmp(e->problem, text)) why = fg_arena_printf(cx->arena, "measured for \"%s\"", e->problem);
    if (!why) why = e->final ? "slower" : "the search was cut short";
    fg_number_write(stdout, "line %d: %s, %.4g ns by %s %s: %s%s\n", w.line[i].number, e->target, e->ns, e->plan,
                    e->isa, why, strcmp(e->generator, fg_version) ? " (measured with another version)" : "");
    seen++;
  }
  if (!seen) printf("nothing about \"%s\"\n", text);
  return FG_OK;
}

static fg_status diff(fg_context *cx, const order *o) {
  fg_wisdom a, b;
  if (o->choice.nproblem != 3) return fg_refuse(cx, "wisdom diff: needs two files");
  fg_status status = fg_wisdom_load(cx, o->choice.problem[1], (fg_wisdom_warn){fg_cli_warn, NULL}, &a);
  if (status == FG_OK) status = fg_wisdom_load(cx, o->choice.problem[2], (fg_wisdom_warn){fg_cli_warn, NULL}, &b);
  if (status != FG_OK) return status;
  fg_wisdom_reduce(cx, &a, false);
  fg_wisdom_reduce(cx, &b, false);
  for (int i = 0; i < a.count; i++) {
    const fg_wisdom_entry *e = &a.line[i].entry, *f = a.line[i].kind == FG_WISDOM_GOOD ? fg_wisdom_best(&b, e) : NULL;
    if (a.line[i].kind != FG_WISDOM_GOOD) continue;
    if (!f)
      fg_number_write(stdout, "- %s, %s: %.4g ns by %s\n", e->problem, e->target, e->ns, e->plan);
    else if (strcmp(e->plan, f->plan) || strcmp(e->isa, f->isa) || e->ns != f->ns)
      fg_number_write(stdout, "! %s, %s: %.4g ns by %s %s; %.4g ns by %s %s\n", e->problem, e->target, e->ns, e->plan,
                      e->isa, f->ns, f->plan, f->isa);
  }
  for (int i = 0; i < b.count; i++) {
    const fg_wisdom_entry *f = &b.line[i].entry;
    if (b.line[i].kind == FG_WISDOM_GOOD && !fg_wisdom_best(&a, f))
      fg_number_write(stdout, "+ %s, %s: %.4g ns by %s\n", f->problem, f->target, f->ns, f->plan);
  }
  return FG_OK;
}

/* Lines of an older fftgen, written anew without it; how many there are. */
static int drop_commands(fg_context *cx, fg_wisdom *w) {
  int commands = 0;
  for (int i = 0; i < w->count; i++) {
    fg_wisdom_line *l = &w->line[i];
    if (l->kind != FG_WISDOM_GOOD || !l->entry.has_command) continue;
    l->text = fg_wisdom_print(cx, &l->entry);
    l->bytes = strcspn(l->text, "\n");
    commands++;
  }
  return commands;
}

/* Only what is wisdom goes on; a file without any was named by mistake. */
static fg_status merge(fg_context *cx, const order *o) {
  fg_wisdom w = {0};
  for (int i = 1; i < o->choice.nproblem; i++) {
    fg_wisdom one;
    fg_status status = fg_wisdom_load_sound(cx, o->choice.problem[i], (fg_wisdom_warn){fg_cli_warn, NULL}, &one);
    if (status != FG_OK) return status;
    fg_wisdom_join(cx, &w, &one);
  }
  int commands = drop_commands(cx, &w);
  fg_wisdom_reduce(cx, &w, true);
  if (commands)
    fg_cli_warn(NULL,
                fg_arena_printf(cx->arena, "%d lines of an older fftgen name a command, which is ignored", commands));
  if (o->output) return fg_wisdom_write(cx, o->output, &w);
  for (int i = 0; i < w.count; i++) printf("%.*s\n", (int)w.line[i].bytes, w.line[i].text);
  return FG_OK;
}

static fg_status prune_locked(fg_context *cx, const char *path) {
  fg_wisdom w;
  fg_status status = fg_wisdom_load(cx, path, (fg_wisdom_warn){0}, &w);
  if (status != FG_OK) return status;
  int before = w.count, kept = 0;
  for (int i = 0; i < w.count; i++) {
    const fg_wisdom_line *l = &w.line[i];
    if (l->kind == FG_WISDOM_NEWER || (l->kind == FG_WISDOM_GOOD && !useless(cx, &l->entry))) w.line[kept++] = *l;
  }
  w.count = kept;
  fg_wisdom_reduce(cx, &w, false);
  if (w.count < before) status = fg_wisdom_write(cx, path, &w);
  if (status == FG_OK) printf("%s: %d of %d lines kept\n", path, w.count, before);
  return status;
}

static fg_status prune(fg_context *cx, const order *o) {
  fg_status status = FG_OK;
  for (int i = 1; i < o->choice.nproblem && status == FG_OK; i++) {
    int lock = fg_store_lock(o->choice.problem[i]);
    status = prune_locked(cx, o->choice.problem[i]);
    fg_store_unlock(lock);
  }
  return status;
}

/* Files that were named; the user's own need not be there yet. */
static fg_status check_files(fg_context *cx, const order *o, int first) {
  for (int i = first; i < o->choice.nproblem; i++)
    if (access(o->choice.problem[i], F_OK) != 0)
      return fg_refuse(cx, "wisdom %s: %s: %s", o->choice.problem[0], o->choice.problem[i], strerror(errno));
  return FG_OK;
}

static const struct {
  fg_cli_word word;
  fg_status (*act)(fg_context *cx, const order *o);
  int files; /* the first argument that is one */
} actions[] = {
    {{"show", "prints one row for each line"}, show, 1},
    {{"check", "lists lines that are damaged (exit code 3), of a newer fftgen, or of another machine"}, check, 1},
    {{"explain", "prints every line about a problem, and which one is taken"}, explain, 2},
    {{"diff", "compares two files: - only in the first, + only in the second, ! different"}, diff, 1},
    {{"merge", "writes several files into one, with the best line of each kind"}, merge, 1},
    {{"prune", "removes damaged lines, and lines that a better one replaces"}, prune, 1},
};
enum { ACTIONS = sizeof actions / sizeof *actions };

static const fg_cli_word *action_at(int i) { return i < ACTIONS ? &actions[i].word : NULL; }
static const char *action_name(int i) { return i < ACTIONS ? actions[i].word.name : NULL; }

static fg_status run(fg_context *cx, int argc, char **argv) {
  static order o = {.choice = {.most_problems = FG_CLI_PROBLEMS}};
  fg_status status = fg_cli_parse(cx, &argp, argc, argv, &o);
  if (status != FG_OK) return status;
  for (size_t i = 0; i < ACTIONS; i++) {
    if (strcmp(o.choice.problem[0], actions[i].word.name)) continue;
    if (o.choice.machine && actions[i].act != explain)
      return fg_refuse(cx, "wisdom %s: --arch: for explain alone", actions[i].word.name);
    if (o.choice.nproblem < actions[i].files)
      return fg_refuse(cx, "wisdom %s: of which problem?", actions[i].word.name);
    if ((status = check_files(cx, &o, actions[i].files)) != FG_OK) return status;
    const char *own = fg_wisdom_path(cx->arena);
    if (o.choice.nproblem == 1 && own) o.choice.problem[o.choice.nproblem++] = own;
    return actions[i].act(cx, &o);
  }
  return fg_cli_no_action(cx, "wisdom", o.choice.problem[0], action_name);
}

const fg_command fg_cli_wisdom = {"wisdom", "show, check, merge and prune files of wisdom", &argp, run, action_at,
                                  false};
