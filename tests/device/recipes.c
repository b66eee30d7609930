/* Every recipe and kind on one device, a kernel or a few of each: through the whole
 * compiler for the facts of the device, run on random inputs between guards, and
 * compared with a transform in quadruple precision. One process, so that a checker
 * of memory or of races can watch all of them. In: the device's name; a file of
 * lines "PROBLEM | PLAN | VALUE...", the values of run-time parameters; how many
 * inputs (0: one, and its results alone). Exit code 77: the device is not here. */
#include "generator/codelet/library.h"
#include "generator/pipeline/pipeline.h"
#include "tuning/measure/verify.h"
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { LINE_SIZE = 512, MAX_VALUES = 4 };

typedef struct row {
  char *problem, *plan;
  int64_t value[MAX_VALUES];
} row;

static const fg_device *device;
static fg_device_facts facts;
static fg_library *library;
static int inputs;

static char *trimmed(char *s) {
  while (isspace((unsigned char)*s)) s++;
  for (size_t n = strlen(s); n && isspace((unsigned char)s[n - 1]);) s[--n] = 0;
  return s;
}

/* false: nothing on this line. */
static bool read_row(char *line, row *r) {
  line[strcspn(line, "#")] = 0;
  char *plan = strchr(line, '|'), *values = plan ? strchr(plan + 1, '|') : NULL;
  memset(r, 0, sizeof *r);
  if (!values) return false;
  *plan++ = *values++ = 0;
  r->problem = trimmed(line);
  r->plan = trimmed(plan);
  for (int i = 0; i < MAX_VALUES && *(values = trimmed(values)); i++) r->value[i] = strtoll(values, &values, 10);
  return true;
}

static fg_status run_on_device(fg_compilation *c, const row *r, fg_verified *v) {
  char why[FG_WHY_SIZE] = "";
  fg_module *m = NULL;
  fg_verify_options options = {
      .inputs = inputs, .no_properties = !inputs, .seed = 23, .params = c->problem.nparam ? r->value : NULL};
  if (device->build(&c->emitted.artifact, &m, why)) return fg_diag_set(&c->cx->diag, FG_ESYS, "%s", why);
  fg_status status = fg_verify(c->cx, &c->problem, device, m, &options, v);
  device->destroy(m);
  return status;
}

static fg_status check(fg_context *cx, const row *r) {
  fg_request request = {.problem = r->problem,
                        .target = device->dialect,
                        .plan = *r->plan ? r->plan : NULL,
                        .facts = &facts,
                        .entry = true};
  fg_compilation *c = fg_arena_new(cx->arena, fg_compilation, 1);
  fg_verified v = {.ok = false};
  fg_status status = fg_pipeline_compile(cx, &request, c);
  if (status == FG_OK) status = run_on_device(c, r, &v);
  if (status != FG_OK) return status;
  printf("%-8.2g %d kernels  %s  [%s]\n", v.l2, c->chosen.program->nkernel, r->problem,
         fg_plan_print(cx, c->chosen.plan));
  return v.ok ? FG_OK : fg_diag_set(&cx->diag, FG_EWRONG, "%s", v.why);
}

static bool passes(const row *r) {
  fg_context cx = {.arena = fg_arena_create(), .library = library};
  if (!cx.arena) return false;
  fg_status status = fg_arena_guard(cx.arena) ? FG_ENOMEM : check(&cx, r);
  if (status != FG_OK)
    printf("FAIL: %s [%s]: %s\n", r->problem, r->plan, cx.diag.message[0] ? cx.diag.message : fg_status_name(status));
  fg_arena_destroy(cx.arena);
  return status == FG_OK;
}

/* Clusters' kernels are for devices that have them, and queues; bulk copies exist where clusters do. */
static bool fits(const row *r) {
  if (strstr(r->plan, "queue=") && !facts.queue) return false;
  const char *cluster = strstr(r->plan, "cluster=");
  if (strstr(r->plan, "bulk=") && facts.cluster < 2) return false;
  return !cluster || atoi(cluster + strlen("cluster=")) <= facts.cluster;
}

static int run_all(FILE *list) {
  char line[LINE_SIZE], why[FG_WHY_SIZE] = "";
  int count = 0, left_out = 0, bad = 0;
  row r;
  if (device->probe(&facts, why)) return printf("SKIP: %s: %s\n", device->name, why), 77;
  library = fg_codelet_library_create();
  while (fgets(line, sizeof line, list)) {
    if (!read_row(line, &r)) continue;
    if (!fits(&r))
      left_out++;
    else
      count++, bad += !passes(&r);
  }
  fg_codelet_library_destroy(library);
  if (left_out) printf("SKIP: %d problems whose clusters or bulk copies this device has not\n", left_out);
  printf("%d problems on %s, %d failures\n", count, facts.name, bad);
  return bad || !count;
}

int main(int argc, char **argv) {
  FILE *list = argc > 2 ? fopen(argv[2], "r") : NULL;
  device = argc > 1 ? fg_device_find(argv[1]) : NULL;
  if (!list || !device) return fprintf(stderr, "usage: device_recipes DEVICE FILE [INPUTS]\n"), 2;
  inputs = argc > 3 ? atoi(argv[3]) : 2;
  setvbuf(stdout, NULL, _IOLBF, 0);
  int code = run_all(list);
  fclose(list);
  return code;
}
