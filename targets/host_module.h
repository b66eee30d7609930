/* The common module of devices on the CPU: code in memory and a host (host.h) that calls it. The device loads the
 * code. */
#ifndef FG_HOST_MODULE_H
#define FG_HOST_MODULE_H
#include "targets/device.h"

/* Code in memory: how its symbols are found, and how it is unloaded. */
typedef struct fg_host_code {
  void *code;
  void *(*find)(void *code, const char *symbol); /* NULL: not there */
  void (*release)(void *code);
} fg_host_code;

/* The code is the module's, which releases it, also where there is none: nonzero, the reason in why. */
int fg_host_module_create(const fg_artifact *a, const fg_host_code *code, fg_module **out, char why[FG_WHY_SIZE]);
/* The same of a shared object in a file. */
int fg_host_module_load(const fg_artifact *a, const char *path, fg_module **out, char why[FG_WHY_SIZE]);

/* For tables of devices. */
int fg_host_module_run(fg_module *m, const fg_call *call, char why[FG_WHY_SIZE]);
int fg_host_module_time(fg_module *m, const fg_call *call, double seconds, double *ns, char why[FG_WHY_SIZE]);
int fg_host_module_sample(fg_module *m, const fg_call *call, fg_samples *s, char why[FG_WHY_SIZE]);
void fg_host_module_destroy(fg_module *m); /* NULL allowed */
#endif
