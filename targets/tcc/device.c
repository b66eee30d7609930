/* The device "tcc": libtcc in memory. Scalar and slow, but there at once and
 * without a compiler on the machine: for checking, and for those who have none. */
#include "targets/host.h"
#include "targets/tcc.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct fg_module {
  fg_tcc_code *code;
  fg_host *host;
};

static int probe(fg_device_facts *facts, char why[FG_WHY_SIZE]) {
  fg_tcc_code *code;
  int (*version)(void);
  if (fg_tcc_compile("int version(void) { return __TINYC__; }", NULL, &code, why)) return 1;
  void *address = fg_tcc_find(code, "version");
  memcpy(&version, &address, sizeof address);
  int v = version();
  fg_tcc_free(code);
  *facts = (fg_device_facts){0};
  fg_host_facts(facts);
  snprintf(facts->version, sizeof facts->version, "libtcc %d.%d.%d", v / 1000, v / 100 % 10, v % 100);
  facts->lanes_f32 = facts->lanes_f64 = 1;
  facts->registers = 16;
  return 0;
}

static void destroy(fg_module *m) {
  if (!m) return;
  fg_host_destroy(m->host);
  fg_tcc_free(m->code);
  free(m);
}

static void *find_symbol(void *code, const char *symbol) { return fg_tcc_find(code, symbol); }

static int build(const fg_artifact *a, fg_module **out, char why[FG_WHY_SIZE]) {
  fg_module *m = calloc(1, sizeof *m);
  if (!m) return snprintf(why, FG_WHY_SIZE, "out of memory"), 1;
  if (fg_tcc_compile(a->source, NULL, &m->code, why) || fg_host_create(a, find_symbol, m->code, &m->host, why)) {
    destroy(m);
    return 1;
  }
  *out = m;
  return 0;
}

static int run(fg_module *m, const fg_call *call, char why[FG_WHY_SIZE]) { return fg_host_run(m->host, call, why); }

static int time_module(fg_module *m, const fg_call *call, double seconds, double *ns, char why[FG_WHY_SIZE]) {
  return fg_host_time(m->host, call, seconds, ns, why);
}

static int sample(fg_module *m, const fg_call *call, fg_samples *s, char why[FG_WHY_SIZE]) {
  return fg_host_sample(m->host, call, s, why);
}

static int option(const char *key, const char *value, char why[FG_WHY_SIZE]) {
  (void)value;
  return snprintf(why, FG_WHY_SIZE, "tcc: unknown option %.64s (it has none)", key), 1;
}

const fg_device fg_device_tcc = {
    .name = "tcc",
    .dialect = "c",
    .has_lanes = false,
    .on_host = true,
    .probe = probe,
    .build = build,
    .run = run,
    .time = time_module,
    .sample = sample,
    .destroy = destroy,
    .option = option,
};
