/* See roof.h. Operations: independent chains of fused (or else separate) products and sums, as many as hide their
 * latency, in a kernel of a few lines for the device. Bytes: copies between arrays that together take half of a
 * cache. */
#include "tuning/measure/roof.h"
#include "targets/dialect.h"
#include "targets/team.h"
#include "targets/timing.h"
#include "tuning/measure/copy.h"
#include <stdatomic.h>
#include <stdio.h>
#include <string.h>

enum { CHAINS = 12, TURNS = 4000, LARGEST = 64 << 20 };
static const double seconds = 0.04;

static void write_kernel(char *text, size_t size, const char *type, int lanes) {
  size_t used = 0;
  used += (size_t)snprintf(text, size,
                           "typedef %s vec __attribute__((vector_size(%d * sizeof(%s))));\n"
                           "void roof_entry(void *const *slots, const long long *params) {\n"
                           "  %s *const y = slots[1];\n  (void)params;\n"
                           "  vec a = y[0] - (vec){0}, b = y[1] - (vec){0};\n",
                           type, lanes, type, type);
  for (int i = 0; i < CHAINS; i++) used += (size_t)snprintf(text + used, size - used, "  vec c%d = a + %d;\n", i, i);
  used += (size_t)snprintf(text + used, size - used, "  for (int i = 0; i < %d; i++) {\n", TURNS);
  for (int i = 0; i < CHAINS; i++) used += (size_t)snprintf(text + used, size - used, "    c%d = c%d * a + b;\n", i, i);
  used += (size_t)snprintf(text + used, size - used, "  }\n  y[0] = 0");
  for (int i = 0; i < CHAINS; i++) used += (size_t)snprintf(text + used, size - used, " + c%d[0]", i);
  snprintf(text + used, size - used, ";\n}\n");
}

/* Each of the team on a module of its own: one serves one thread at a time. */
typedef struct chorus {
  const fg_device *device;
  fg_module *module[FG_TEAM_MOST];
  int count;
  atomic_bool failed;
} chorus;

static void sing(void *context, int part, int parts) {
  chorus *c = context;
  double numbers[16] = {0};
  char why[FG_WHY_SIZE];
  (void)parts;
  fg_call call = {.slot = (void *[]){numbers, numbers}};
  if (c->device->run(c->module[part], &call, why)) atomic_store(&c->failed, true);
}

static int repeat_chorus(void *context, int64_t repeat) {
  chorus *c = context;
  for (int64_t i = 0; i < repeat; i++) fg_team_run(sing, c);
  return atomic_load(&c->failed);
}

/* Operations a nanosecond of all of them; 0: they cannot be had. */
static double measure_chorus(const fg_device *d, const fg_artifact *a, double operations) {
  char why[FG_WHY_SIZE];
  double ns = 0;
  chorus c = {.device = d};
  int bad = 0;
  while (!bad && c.count < fg_team_threads()) {
    bad = d->build(a, &c.module[c.count], why);
    c.count += !bad;
  }
  if (!bad) bad = fg_timing_measure(repeat_chorus, &c, seconds, &ns);
  int count = c.count;
  while (c.count > 0) d->destroy(c.module[--c.count]);
  return bad || !(ns > 0) ? 0 : operations * count / ns;
}

static double measure_flops(const fg_device *d, const char *isa_name, fg_precision precision) {
  static char text[8192];
  const fg_isa *isa = isa_name ? fg_isa_find(isa_name) : NULL;
  int bytes = precision == FG_F64 ? 8 : 4, lanes = isa && isa->vector_bytes ? isa->vector_bytes / bytes : 1;
  size_t room = 16 * sizeof(double);
  if (strcmp(d->dialect, "c") != 0) return 0;
  write_kernel(text, sizeof text, bytes == 8 ? "double" : "float", lanes);
  fg_artifact a = {
      .dialect = d->dialect,
      .name = "roof",
      .source = text,
      .source_bytes = strlen(text),
      .flags = isa ? isa->flags : "",
      .nbuffer = 2,
      .buffer = {{.name = "in", .kind = FG_ARG_IN, .bytes = room}, {.name = "out", .kind = FG_ARG_OUT, .bytes = room}}};
  return measure_chorus(d, &a, 2.0 * CHAINS * TURNS * lanes);
}

void fg_roof_measure(const fg_device *d, const fg_device_facts *facts, const char *isa, fg_precision precision,
                     fg_roof *out) {
  char why[FG_WHY_SIZE];
  *out = (fg_roof){0};
  if (facts->is_gpu_like || strcmp(d->dialect, "c") != 0) return;
  out->flops = measure_flops(d, isa, precision);
  for (int l = 0; l < FG_ROOF_LEVELS; l++) {
    size_t bytes = l < 3 ? facts->cache[l] / 4 : 2 * facts->cache[2];
    double ns;
    if (bytes > LARGEST && l == 3) continue; /* a cache larger than what is worth copying */
    if (bytes > LARGEST) bytes = LARGEST;
    if (bytes && !fg_copy_measure(d, bytes, seconds, &ns, why)) out->bytes[l] = 2 * (double)bytes / ns;
  }
}
