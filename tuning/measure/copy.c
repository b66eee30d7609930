/* See copy.h. On the CPU it is the C library's memcpy, which uses non-temporal stores; on other devices a kernel of
 * one line. */
#include "tuning/measure/copy.h"
#include "targets/dialect.h"
#include "targets/team.h"
#include "targets/timing.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct copy {
  void *to, *from;
  size_t bytes;
} copy;

/* Whole cache lines for each of the team. */
static void copy_part(void *context, int part, int parts) {
  const copy *c = context;
  size_t lines = c->bytes / 64, from = lines * (size_t)part / (size_t)parts * 64;
  size_t end = part + 1 == parts ? c->bytes : lines * (size_t)(part + 1) / (size_t)parts * 64;
  memcpy((char *)c->to + from, (const char *)c->from + from, end - from);
}

enum { WORTH_A_TEAM = 128 << 10 }; /* bytes: less is sooner copied by one */

static int repeat_memcpy(void *context, int64_t repeat) {
  const copy *c = context;
  for (int64_t i = 0; i < repeat; i++) {
    if (fg_team_threads() > 1 && c->bytes >= WORTH_A_TEAM)
      fg_team_run(copy_part, context);
    else
      memcpy(c->to, c->from, c->bytes);
    __asm__ volatile("" ::"r"(c->to) : "memory"); /* each copy is needed */
  }
  return 0;
}

static int copy_on_host(const fg_device *d, const copy *c, double seconds, double *ns, char why[FG_WHY_SIZE]) {
  (void)d, (void)why;
  return fg_timing_measure(repeat_memcpy, (void *)(uintptr_t)c, seconds, ns);
}

static const char opencl_text[] = "__kernel void copy(__global const float4 *in, __global float4 *out, long count) {\n"
                                  "  long i = get_global_id(0);\n"
                                  "  if (i < count) out[i] = in[i];\n"
                                  "}\n";

static const char cuda_text[] =
    "extern \"C\" __global__ void copy(const double2 *in, double2 *out, long long count) {\n"
    "  long long i = (long long)blockIdx.x * 64 + threadIdx.x;\n"
    "  if (i < count) out[i] = in[i];\n"
    "}\n";

static int copy_by_kernel(const fg_device *d, const copy *c, double seconds, double *ns, char why[FG_WHY_SIZE]) {
  const fg_dialect *dialect = fg_dialect_find(d->dialect);
  char text[8192];
  snprintf(text, sizeof text, "%s%s", dialect->preamble ? dialect->preamble : "",
           strcmp(d->dialect, "opencl") ? cuda_text : opencl_text);
  size_t bytes = (c->bytes + 15) / 16 * 16; /* 16 a thread; the arrays have room */
  fg_launch launch = {.entry = "copy",
                      .threads = 64,
                      .nblock_factor = 1,
                      .block_factor = {{1, 0, 64}},
                      .narg = 3,
                      .arg = {{false, 0}, {false, 1}, {true, 0}}};
  fg_artifact a = {.dialect = d->dialect,
                   .name = "copy",
                   .source = text,
                   .source_bytes = strlen(text),
                   .flags = "",
                   .nbuffer = 2,
                   .buffer = {{.name = "in", .kind = FG_ARG_IN, .bytes = bytes},
                              {.name = "out", .kind = FG_ARG_OUT, .bytes = bytes}},
                   .nparam = 1,
                   .nlaunch = 1,
                   .launch = &launch};
  fg_module *m = NULL;
  int64_t count = (int64_t)(bytes / 16);
  int bad = d->build(&a, &m, why);
  if (!bad) bad = d->time(m, &(fg_call){.slot = (void *[]){c->from, c->to}, .params = &count}, seconds, ns, why);
  d->destroy(m);
  return bad;
}

static const struct row {
  const char *dialect;
  int (*measure)(const fg_device *d, const copy *c, double seconds, double *ns, char why[FG_WHY_SIZE]);
} table[] = {{"opencl", copy_by_kernel}, {"cuda", copy_by_kernel}, {"hip", copy_by_kernel}};

int fg_copy_measure(const fg_device *d, size_t bytes, double seconds, double *ns, char why[FG_WHY_SIZE]) {
  size_t whole = (bytes + 63) / 64 * 64;
  copy c = {aligned_alloc(64, whole), aligned_alloc(64, whole), bytes};
  int bad = !c.to || !c.from;
  if (bad) {
    snprintf(why, FG_WHY_SIZE, "no memory for copying %zu bytes", bytes);
  } else {
    memset(c.from, 1, whole); /* touched: pages of zeros would be shared */
    memset(c.to, 2, whole);
    bad = 1;
    snprintf(why, FG_WHY_SIZE, "nothing is known about copying on %s", d->name);
    if (d->on_host) bad = copy_on_host(d, &c, seconds, ns, why);
    for (size_t i = 0; bad && i < sizeof table / sizeof *table; i++)
      if (!strcmp(table[i].dialect, d->dialect)) bad = table[i].measure(d, &c, seconds, ns, why);
  }
  free(c.to);
  free(c.from);
  return bad;
}
