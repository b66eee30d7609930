/* Features of the CPU that this runs on: one list for instruction sets (isas.c), for kernels that say what
 * they need, and for the fingerprint of a machine (runtime/store/fingerprint.c). */
#ifndef FG_CPU_H
#define FG_CPU_H
#include <stdbool.h>

typedef struct fg_cpu_feature {
  const char *name; /* as __builtin_cpu_supports has it */
  bool here;
  bool implied; /* by the vendor's name, which the fingerprint has: it does not list this one */
} fg_cpu_feature;

/* Ended by one without a name. Asked of the CPU once. */
const fg_cpu_feature *fg_cpu_features(void);
/* Does this CPU have all of these features (separated by commas; "": yes)? */
bool fg_cpu_has(const char *features);
#endif
