/* Chooses a device and compiles for it. In: a fg_choice. Out: a present device, and a compilation for an instruction
 * set that it has. Only this file refuses what cannot run on this machine; it can still be emitted. */
#include "generator/cli/run.h"
#include "generator/base/strbuf.h"
#include "generator/cli/advice.h"
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

/* Probing in a child first: what a driver does to a process on an error - some abort it - must not happen to this one.
 */
static bool survives_probe(const fg_device *d, char why[FG_WHY_SIZE]) {
  fflush(NULL);
  pid_t child = fork();
  if (child < 0) return true; /* then the hard way */
  if (child == 0) {
    fg_device_facts facts;
    int nowhere = open("/dev/null", O_WRONLY);
    if (nowhere >= 0) dup2(nowhere, STDERR_FILENO);
    d->probe(&facts, why);
    _exit(0);
  }
  int status = 0;
  while (waitpid(child, &status, 0) < 0 && errno == EINTR) {}
  if (!WIFSIGNALED(status)) return true;
  snprintf(why, FG_WHY_SIZE, "its driver ends the process that asks for it (%s)", strsignal(WTERMSIG(status)));
  return false;
}

int fg_cli_probe(const fg_device *d, fg_device_facts *facts, char why[FG_WHY_SIZE]) {
  return survives_probe(d, why) ? d->probe(facts, why) : -1;
}

/* Is this one usable? Its compiler is chosen first, for cc. */
static bool is_here(const fg_device *d, const fg_choice *choice, fg_device_facts *facts, char why[FG_WHY_SIZE]) {
  why[0] = 0;
  if (choice->compiler && d->option && d->option("compiler", choice->compiler, why) != 0) return false;
  return fg_cli_probe(d, facts, why) == 0;
}

bool fg_cli_has_device(const char *target) {
  for (const fg_device *const *d = fg_device_table(); *d; d++)
    if (!strcmp((*d)->dialect, target)) return true;
  return false;
}

static const char *device_names(fg_context *cx) {
  fg_strbuf names = fg_strbuf_new(cx->arena);
  for (const fg_device *const *d = fg_device_table(); *d; d++)
    fg_strbuf_addf(&names, "%s%s", names.length ? ", " : "", (*d)->name);
  return names.text;
}

static const char *device_name(int i) { return fg_device_table()[i] ? fg_device_table()[i]->name : NULL; }

static fg_status named_device(fg_context *cx, const fg_choice *choice, const fg_device **out, fg_device_facts *facts) {
  char why[FG_WHY_SIZE];
  const fg_device *d = fg_device_find(choice->device);
  const fg_dialect *language = fg_dialect_find(choice->device);
  if (!d && language && fg_dialect_is_offered(language) && !fg_cli_has_device(language->name))
    return fg_refuse(cx, "device '%s': a target that no device of fftgen runs, for emit alone; allowed: %s",
                     choice->device, device_names(cx));
  if (!d)
    return fg_refuse(cx, "device '%s': unknown%s; allowed: %s", choice->device,
                     !strcmp(choice->device, "gpu")
                         ? " (did you mean one of opencl, cuda, hip?)"
                         : fg_words_near(cx->arena, choice->device, strlen(choice->device), device_name),
                     device_names(cx));
  if (choice->target && strcmp(choice->target, d->dialect) != 0)
    return fg_refuse(cx, "device '%s': takes target %s, not '%s'", d->name, d->dialect, choice->target);
  if (choice->compiler && strcmp(d->name, "cc") != 0)
    return fg_refuse(cx, "--compiler '%s': only device cc has a choice, not %s", choice->compiler, d->name);
  if (!is_here(d, choice, facts, why)) return fg_refuse(cx, "device '%s': not here: %s", d->name, why);
  *out = d;
  return FG_OK;
}

static fg_status first_device(fg_context *cx, const fg_choice *choice, const fg_device **out, fg_device_facts *facts) {
  const char *target = fg_cli_target(choice);
  char why[FG_WHY_SIZE];
  fg_strbuf reasons = fg_strbuf_new(cx->arena);
  for (const fg_device *const *d = fg_device_table(); *d; d++) {
    if (strcmp((*d)->dialect, target) != 0) continue;
    /* A compiler option excludes backends that need no compiler. */
    if (choice->compiler && strcmp((*d)->name, "cc") != 0) continue;
    if (is_here(*d, choice, facts, why)) {
      *out = *d;
      return FG_OK;
    }
    fg_strbuf_addf(&reasons, "; %s: %s", (*d)->name, why);
  }
  return fg_refuse(cx, "target '%s': nothing here runs it%s", target,
                   reasons.length ? reasons.text : "; fftgen devices lists what there is");
}

fg_status fg_cli_device(fg_context *cx, const fg_choice *choice, const fg_device **out, fg_device_facts *facts) {
  memset(facts, 0, sizeof *facts);
  return choice->device ? named_device(cx, choice, out, facts) : first_device(cx, choice, out, facts);
}

/* An instruction set that this device, and this CPU, can run. */
static fg_status check_isa(fg_context *cx, const fg_isa *isa, const fg_device *d) {
  if (!isa) return FG_OK;
  if (isa->vector_bytes && !d->has_lanes)
    return fg_refuse(cx, "isa '%s': device %s compiles no vectors; allowed: scalar", isa->name, d->name);
  if (fg_isa_runs_here(isa)) return FG_OK;
  return fg_refuse(cx, "isa '%s': this CPU lacks %s; allowed here: up to %s (emit takes them all)", isa->name,
                   isa->cpu_feature, fg_isa_native()->name);
}

fg_status fg_cli_compile(fg_context *cx, const fg_choice *choice, int i, const fg_device *d,
                         const fg_device_facts *facts, fg_compilation *out) {
  fg_request request = fg_cli_request(choice, i);
  request.target = d->dialect;
  request.entry = true;
  request.assembly = true;
  if (!request.isa) request.isa = d->has_lanes ? "native" : "scalar";
  if (facts->local_bytes) request.facts = facts; /* kernels are launched: its limits */
  fg_cli_advisor advisor = {.choice = choice, .facts = facts, .target = strcmp(d->name, "cc") ? d->name : "c"};
  fg_status status = fg_cli_advise_request(cx, &advisor, i, &request);
  if (status == FG_OK) status = fg_pipeline_parse(cx, &request, out);
  if (status == FG_OK) status = check_isa(cx, out->isa, d);
  if (status == FG_OK) status = fg_pipeline_decide(out);
  return status == FG_OK ? fg_pipeline_produce(out) : status;
}

fg_status fg_cli_in_own_arena(fg_context *cx, fg_status (*job)(fg_context *cx, void *data), void *data) {
  fg_context own = {.arena = fg_arena_create()};
  if (!own.arena) return FG_ENOMEM;
  fg_status status = fg_arena_guard(own.arena) ? FG_ENOMEM : job(&own, data);
  if (status != FG_OK && own.diag.message[0]) fg_diag_set(&cx->diag, status, "%s", own.diag.message);
  fg_arena_destroy(own.arena);
  return status;
}
