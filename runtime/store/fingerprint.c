/* In: the CPU that runs this. Out: its fingerprint. It has no names, clocks or number of processors, so that
 * machines of one kind share their wisdom. */
#include "runtime/store/fingerprint.h"
#include "targets/cpu.h"
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/utsname.h>
#include <unistd.h>
#if defined(__x86_64__) || defined(__i386__)
#include <cpuid.h>
#endif

static pthread_once_t once = PTHREAD_ONCE_INIT;
static char fingerprint[FG_FINGERPRINT_SIZE];

#if defined(__x86_64__) || defined(__i386__)
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
  describe(cpu, sizeof cpu);
  for (const fg_cpu_feature *f = fg_cpu_features(); f->name; f++)
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
