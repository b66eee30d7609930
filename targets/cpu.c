/* See cpu.h. */
#include "targets/cpu.h"
#include <pthread.h>
#include <string.h>

enum { FEATURES = 32 };

static pthread_once_t once = PTHREAD_ONCE_INIT;
static fg_cpu_feature features[FEATURES];

#if defined(__x86_64__) || defined(__i386__)
/* Those that matter to generated code; a feature counts when the system saves
 * its registers, too. */
static void find_features(void) {
  __builtin_cpu_init();
#define HAS(name, implied)                                                                                             \
  { name, __builtin_cpu_supports(name) != 0, implied }
  const fg_cpu_feature found[] = {
      HAS("sse2", false),     HAS("sse4.2", false),     HAS("avx", false),      HAS("avx2", false),
      HAS("fma", false),      HAS("avx512f", false),    HAS("avx512dq", false), HAS("avx512bw", false),
      HAS("avx512vl", false), HAS("avx512vbmi", false), HAS("sse4a", true),     HAS("avx512vp2intersect", true),
  };
#undef HAS
  memcpy(features, found, sizeof found);
}
#else
static void find_features(void) {
#ifdef __aarch64__
  features[0] = (fg_cpu_feature){"neon", true, false}; /* every one has it */
#endif
}
#endif

const fg_cpu_feature *fg_cpu_features(void) {
  pthread_once(&once, find_features);
  return features;
}

static bool has_one(const char *name, size_t length) {
  for (const fg_cpu_feature *f = fg_cpu_features(); f->name; f++)
    if (strlen(f->name) == length && !memcmp(f->name, name, length)) return f->here;
  return false;
}

bool fg_cpu_has(const char *wanted) {
  while (*wanted) {
    size_t length = strcspn(wanted, ",");
    if (!has_one(wanted, length)) return false;
    wanted += length + (wanted[length] == ',');
  }
  return true;
}
