/* The table of devices, one row each. Of devices that can do the same, the first is preferred. */
#include "targets/device.h"
#include <string.h>

extern const fg_device fg_device_cc, fg_device_tcc, fg_device_llvm, fg_device_opencl, fg_device_cuda, fg_device_hip;

static const fg_device *const table[] = {
    &fg_device_cc, &fg_device_tcc, &fg_device_llvm, &fg_device_opencl, &fg_device_cuda, &fg_device_hip, NULL};

const fg_device *const *fg_device_table(void) { return table; }

const fg_device *fg_device_find(const char *name) {
  for (int i = 0; table[i]; i++)
    if (!strcmp(table[i]->name, name)) return table[i];
  return NULL;
}
