/* See hip_on_cuda.h. NVRTC has all of HIP's words built in, as hiprtc has: emitted text in the form for the latter
 * needs no header. */
#include "tuning/portability/hip_on_cuda.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char prelude[] = "#define __HIPCC_RTC__ 1\n";

static const fg_device *cuda(void) { return fg_device_find("cuda"); }

static char *with_prelude(const char *source, char why[FG_WHY_SIZE]) {
  size_t size = sizeof prelude + strlen(source);
  char *text = malloc(size);
  if (!text) return snprintf(why, FG_WHY_SIZE, "out of memory"), NULL;
  snprintf(text, size, "%s%s", prelude, source);
  return text;
}

/* Clusters are CUDA's own. */
static int probe(fg_device_facts *facts, char why[FG_WHY_SIZE]) {
  if (cuda()->probe(facts, why)) return 1;
  facts->cluster = 1;
  return 0;
}

static int build(const fg_artifact *a, fg_module **out, char why[FG_WHY_SIZE]) {
  fg_artifact b = *a;
  char *text = with_prelude(a->source, why);
  if (!text) return 1;
  b.source = text;
  b.source_bytes = strlen(text);
  int bad = cuda()->build(&b, out, why);
  free(text);
  return bad;
}

static int run(fg_module *m, const fg_call *call, char why[FG_WHY_SIZE]) { return cuda()->run(m, call, why); }

static int time_module(fg_module *m, const fg_call *call, double seconds, double *ns, char why[FG_WHY_SIZE]) {
  return cuda()->time(m, call, seconds, ns, why);
}

static int sample(fg_module *m, const fg_call *call, fg_samples *s, char why[FG_WHY_SIZE]) {
  return cuda()->sample(m, call, s, why);
}

static void destroy(fg_module *m) { cuda()->destroy(m); }

static int compile(const char *source, const char *arch, fg_code *out, char why[FG_WHY_SIZE]) {
  char *text = with_prelude(source, why);
  int bad = !text || cuda()->compile(text, arch, out, why);
  free(text);
  return bad;
}

const fg_device fg_port_device_hip_on_cuda = {
    .name = "hip-on-cuda",
    .dialect = "hip",
    .probe = probe,
    .build = build,
    .run = run,
    .time = time_module,
    .sample = sample,
    .destroy = destroy,
    .compile = compile,
};
