/* In: the CPU that runs this. Out: its fingerprint. Names, clocks and the number
 * of processors stay out: machines of one kind shall share their wisdom. */
#include "runtime/fingerprint.h"
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/utsname.h>
#include <unistd.h>
#if defined(__x86_64__) || defined(__i386__)
#include <cpuid.h>
#endif

typedef struct feature {
  const char *name;
  bool here;
  bool implied; /* by the vendor's name, which the fingerprint has */
} feature;

enum { FEATURES = 32 };

static pthread_once_t once = PTHREAD_ONCE_INIT;
static feature features[FEATURES]; /* ended by one without a name */
static char fingerprint[FG_FINGERPRINT_SIZE];

#if defined(__x86_64__) || defined(__i386__)
/* Those that matter to generated code; a feature counts when the system saves
 * its registers, too. */
static void find_features(void) {
  __builtin_cpu_init();
#define HAS(name, implied)                                                                                             \
  { name, __builtin_cpu_supports(name) != 0, implied }
  const feature found[] = {
      HAS("sse2", false),     HAS("sse4.2", false),     HAS("avx", false),      HAS("avx2", false),
      HAS("fma", false),      HAS("avx512f", false),    HAS("avx512dq", false), HAS("avx512bw", false),
      HAS("avx512vl", false), HAS("avx512vbmi", false), HAS("sse4a", true),
  };
#undef HAS
  memcpy(features, found, sizeof found);
}

static void describe(char *text, size_t size) {
  unsigned a = 0, b = 0, c = 0, d = 0;
  char vendor[13] = "unknown";
  if (__get_cpuid(0, &a, &b, &c, &d)) {
    memcpy(vendor, &b, 4), memcpy(vendor + 4, &d, 4), memcpy(vendor + 8, &c, 4);
    vendor[12] = 0;
  }
  unsigned family = 0, model = 0;
  if (__get_cpuid(1, &a, &b, &c, &d)) {
    family = a >> 8 & 15, model = a >> 4 & 15;
    if (family == 6 || family == 15) model |= a >> 12 & 0xf0;
    if (family == 15) family += a >> 20 & 255;
  }
  snprintf(text, size, "%s %u.%u", vendor, family, model);
}
#else
static void find_features(void) {
#ifdef __aarch64__
  features[0] = (feature){"neon", true}; /* every one has it */
#endif
}

/* "CPU implementer", "CPU part" and "Features" name an ARM core in /proc/cpuinfo. */
static void describe(char *text, size_t size) {
  char line[512], kind[32] = "", part[32] = "";
  FILE *f = fopen("/proc/cpuinfo", "re");
  while (f && fgets(line, sizeof line, f)) {
    line[strcspn(line, "\n")] = 0;
    char *colon = strchr(line, ':');
    if (!colon || !colon[1]) continue;
    if (!strncmp(line, "CPU implementer", 15)) snprintf(kind, sizeof kind, "%.31s", colon + 2);
    if (!strncmp(line, "CPU part", 8)) snprintf(part, sizeof part, "%.31s", colon + 2);
  }
  if (f) fclose(f);
  snprintf(text, size, "%s.%s", *kind ? kind : "unknown", *part ? part : "unknown");
}
#endif

static void add_size(char *text, size_t size, long bytes) {
  size_t used = strlen(text);
  if (bytes < 0) bytes = 0;
  bool mega = bytes >= 1 << 20 && bytes % (1 << 20) == 0;
  snprintf(text + used, size - used, "%s%ld%s", used ? "," : "", mega ? bytes >> 20 : bytes >> 10, mega ? "M" : "K");
}

static void make(void) {
  struct utsname system;
  char cpu[64], list[96] = "", caches[48] = "";
  static const int level[] = {_SC_LEVEL1_DCACHE_SIZE, _SC_LEVEL2_CACHE_SIZE, _SC_LEVEL3_CACHE_SIZE};
  find_features();
  describe(cpu, sizeof cpu);
  for (const feature *f = features; f->name; f++)
    if (f->here && !f->implied)
      snprintf(list + strlen(list), sizeof list - strlen(list), "%s%s", *list ? "," : "", f->name);
  for (int i = 0; i < 3; i++) add_size(caches, sizeof caches, sysconf(level[i]));
  if (uname(&system) != 0) strcpy(system.machine, "unknown");
  snprintf(fingerprint, sizeof fingerprint, "%.31s %s %s %s", system.machine, cpu, *list ? list : "-", caches);
}

const char *fg_fingerprint_host(void) {
  pthread_once(&once, make);
  return fingerprint;
}

static bool has_one(const char *name, size_t length) {
  for (const feature *f = features; f->name; f++)
    if (strlen(f->name) == length && !memcmp(f->name, name, length)) return f->here;
  return false;
}

bool fg_fingerprint_has(const char *wanted) {
  pthread_once(&once, make);
  while (*wanted) {
    size_t length = strcspn(wanted, ",");
    if (!has_one(wanted, length)) return false;
    wanted += length + (wanted[length] == ',');
  }
  return true;
}
