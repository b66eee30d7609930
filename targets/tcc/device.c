/* The device "tcc": libtcc in memory. Scalar and slow, but there at once and
 * without a compiler on the machine: for checking, and for those who have none. */
#include "targets/host.h"
#include "targets/host_module.h"
#include "targets/tcc.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

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
  fg_host_machine("cpu", facts);
  return 0;
}

static void *find_symbol(void *code, const char *symbol) { return fg_tcc_find(code, symbol); }

static void release(void *code) { fg_tcc_free(code); }

static int build(const fg_artifact *a, fg_module **out, char why[FG_WHY_SIZE]) {
  fg_tcc_code *code;
  if (fg_tcc_compile(a->source, NULL, &code, why)) return 1;
  return fg_host_module_create(a, &(fg_host_code){code, find_symbol, release}, out, why);
}

static int option(const char *key, const char *value, char why[FG_WHY_SIZE]) {
  (void)value;
  return snprintf(why, FG_WHY_SIZE, "tcc: unknown option %.64s (it has none)", key), 1;
}

const fg_device fg_device_tcc = {
    .name = "tcc",
    .help = "C in memory by libtcc: scalar and slow, wants no compiler",
    .dialect = "c",
    .has_lanes = false,
    .on_host = true,
    .probe = probe,
    .build = build,
    .run = fg_host_module_run,
    .time = fg_host_module_time,
    .sample = fg_host_module_sample,
    .destroy = fg_host_module_destroy,
    .option = option,
};
