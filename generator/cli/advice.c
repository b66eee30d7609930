/* See advice.h. In: a problem and its machine. Out: the plan of the most similar line (runtime/store/serve.h).
 *
 * A file is read once, because lists of problems use it often. */
#include "generator/cli/advice.h"
#include "generator/cli/parse.h"
#include "runtime/store/fingerprint.h"
#include "runtime/store/shipped.h"
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

enum { KEY_WISDOM = 768, KEY_NO_WISDOM };

static error_t parse(int key, char *arg, struct argp_state *state) {
  fg_choice *c = state->input;
  switch (key) {
  case KEY_WISDOM: c->wisdom = arg; break;
  case KEY_NO_WISDOM: c->no_wisdom = true; break;
  default: return ARGP_ERR_UNKNOWN;
  }
  return c->wisdom && c->no_wisdom ? fg_cli_refuse(state, "--no-wisdom: not with --wisdom") : 0;
}

static const struct argp_option options[] = {
    {"wisdom", KEY_WISDOM, "FILE", 0, "measured plans (the user's own)", 0},
    {"no-wisdom", KEY_NO_WISDOM, 0, 0, "plans by the model alone", 0},
    {0},
};

const struct argp fg_cli_wisdom_argp = {.options = options, .parser = parse};

typedef struct library { /* the file that was read; memory of its own lasts as long as the process */
  bool read;
  fg_arena *arena;
  const char *path; /* NULL: no home */
  fg_wisdom lines;
  bool *told; /* lines that were said to be of no use */
} library;

static fg_status read_lines(fg_context *cx, const fg_choice *c, library *l) {
  fg_context own = {.arena = fg_arena_create()};
  l->arena = own.arena;
  if (!own.arena || fg_arena_guard(own.arena)) return FG_ENOMEM;
  l->read = true;
  if (c->wisdom && access(c->wisdom, F_OK) != 0) return fg_refuse(cx, "--wisdom %s: %s", c->wisdom, strerror(errno));
  l->path = c->wisdom ? fg_arena_strdup(own.arena, c->wisdom) : fg_wisdom_path(own.arena);
  if (!l->path || fg_wisdom_load(&own, l->path, (fg_wisdom_warn){fg_cli_warn, NULL}, &l->lines) == FG_OK) {
    l->told = fg_arena_new(own.arena, bool, l->lines.count + 1);
    return FG_OK;
  }
  l->lines = (fg_wisdom){0};
  return c->wisdom ? fg_refuse(cx, "--wisdom: %s", own.diag.message) : FG_OK;
}

const char *fg_cli_device_key(fg_context *cx, bool on_host, const fg_device_facts *facts) {
  if (on_host) return fg_fingerprint_host();
  if (facts->identity[0]) return facts->identity;
  return fg_arena_printf(cx->arena, "%s, %s", facts->name, facts->version);
}

/* The machine that lines must be about. False: none in particular, and no line is used. */
static bool set_device(fg_context *cx, const fg_cli_advisor *a, fg_serve_key *key) {
  key->machine = a->choice->machine;
  if (key->machine && fg_machine_is_gpu(key->machine)) return true;
  bool on_host = !strcmp(a->target, "c") || !strcmp(a->target, "llvm");
  if (key->machine) {
    if (!key->isa) key->isa = key->machine->isa;
    return on_host;
  }
  const fg_isa *isa = key->isa ? fg_isa_find(key->isa) : NULL;
  bool foreign = isa && *isa->cpu && strcmp(isa->cpu, fg_isa_cpu_here()) != 0; /* its instructions name it */
  if (a->any_device || (on_host && foreign)) return true;
  if (!on_host && !a->facts) return false;
  key->device = fg_cli_device_key(cx, on_host, a->facts);
  return true;
}

typedef struct fitting {
  fg_context *cx;
  const fg_problem *problem;
  library *file;
} fitting;

/* A plan that is none of the line's own problem is a mistake in the file, which is said once; that a plan permits no
 * other place or direction is none. */
static bool fits(void *context, const fg_wisdom_line *line, int distance) {
  const fitting *f = context;
  fg_context own = {.arena = f->cx->arena};
  fg_plan *plan;
  fg_status status = fg_plan_parse(&own, line->entry.plan, &plan);
  if (status == FG_OK) status = fg_plan_fits(&own, plan, f->problem);
  bool *told = &f->file->told[line - f->file->lines.line];
  if (status != FG_OK && distance < FG_SERVE_PLACE && !*told) {
    fg_cli_warn(
        NULL, fg_arena_printf(f->cx->arena, "%s, line %d: %s; ignored", f->file->path, line->number, own.diag.message));
    *told = true;
  }
  return status == FG_OK;
}

fg_status fg_cli_advise(fg_context *cx, const fg_cli_advisor *a, const char *problem, fg_cli_advice *out) {
  static library file;
  fg_problem p;
  *out = (fg_cli_advice){0};
  if (a->choice->no_wisdom) return FG_OK;
  fg_status status = file.read ? FG_OK : read_lines(cx, a->choice, &file);
  if (status == FG_OK) status = fg_problem_parse(cx, problem, &p);
  if (status != FG_OK) return status;
  fitting fitting = {cx, &p, &file};
  fg_serve_key key = {
      .problem = fg_wisdom_problem(cx, &p), .target = a->target, .isa = a->isa, .fits = fits, .context = &fitting};
  if (!set_device(cx, a, &key)) return FG_OK;
  fg_served s = fg_serve_find(&file.lines, &key);
  const char *where = s.entry ? fg_arena_printf(cx->arena, "%s, ", file.path) : "";
  if (!s.entry && !a->isa) s = fg_serve_shipped(cx, &key);
  if (!s.entry) return FG_OK;
  *out = (fg_cli_advice){.plan = s.entry->plan,
                         .isa = *s.entry->isa ? s.entry->isa : NULL,
                         .from = fg_arena_printf(cx->arena, "%s%s", where, fg_serve_note(cx->arena, &s))};
  return FG_OK;
}

/* "native" is whatever was the fastest here. */
static bool takes_any_isa(const fg_request *r) { return !r->isa || !strcmp(r->isa, "native"); }

static bool runs(const fg_cli_advisor *a, const char *isa) {
  const fg_isa *i = isa ? fg_isa_find(isa) : NULL;
  return !isa || (i && (a->choice->machine || fg_isa_runs_here(i)));
}

fg_status fg_cli_advise_request(fg_context *cx, const fg_cli_advisor *a, int i, fg_request *request) {
  fg_cli_advisor asked = *a;
  fg_cli_advice advice;
  if (request->plan || request->nrecipe) return FG_OK; /* a given plan or recipe decides */
  if (!takes_any_isa(request)) asked.isa = request->isa;
  fg_status status = fg_cli_advise(cx, &asked, a->choice->problem[i], &advice);
  if (status != FG_OK || !advice.plan || !runs(a, advice.isa)) return status;
  request->advised = advice.plan;
  if (advice.isa) request->isa = advice.isa;
  if (!a->choice->json) fprintf(stderr, "fftgen: plan %s: wisdom, %s\n", advice.plan, advice.from);
  return FG_OK;
}

fg_status fg_cli_decide(fg_context *cx, const fg_choice *choice, fg_compilation *c) {
  fg_request request = fg_cli_request(choice, 0);
  fg_cli_advisor advisor = {.choice = choice, .target = fg_cli_target(choice)};
  fg_status status = fg_cli_advise_request(cx, &advisor, 0, &request);
  if (status == FG_OK) status = fg_pipeline_parse(cx, &request, c);
  return status == FG_OK ? fg_pipeline_decide(c) : status;
}
