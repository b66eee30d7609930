/* The argument slots of a module whose kernels are launched: its arrays in a device's memory.
 *
 * Tables and workspace are allocated with the module; the caller's arrays at the first call, as large as the
 * artifact says, so that they serve every later call. The device allocates and copies memory. */
#ifndef FG_ARGUMENT_SLOTS_H
#define FG_ARGUMENT_SLOTS_H
#include "targets/device.h"

/* Memory on a device, as its own interface names it; `on` is the device's. */
typedef struct fg_device_memory {
  int (*take)(void *on, uintptr_t *out, size_t bytes, char why[FG_WHY_SIZE]);
  int (*fill)(void *on, uintptr_t to, size_t at, const void *from, size_t bytes, char why[FG_WHY_SIZE]);
  int (*fetch)(void *on, void *to, uintptr_t from, size_t bytes, char why[FG_WHY_SIZE]);
  void (*release)(void *on, uintptr_t memory);
} fg_device_memory;

typedef struct fg_argument_slots {
  const fg_device_memory *memory;
  void *on;
  int count, nparam;
  fg_arg_kind kind[FG_MAX_ARGUMENT_SLOTS];
  size_t bytes[FG_MAX_ARGUMENT_SLOTS];
  uintptr_t own[FG_MAX_ARGUMENT_SLOTS];  /* taken; 0: shares (in place) or not yet */
  uintptr_t used[FG_MAX_ARGUMENT_SLOTS]; /* what a kernel gets */
} fg_argument_slots;

/* Takes nothing yet; refuses an artifact that is none to launch. */
int fg_argument_slots_create(fg_argument_slots *p, const fg_artifact *a, const fg_device_memory *memory, void *on,
                             char why[FG_WHY_SIZE]);
/* Tables with their content, and workspace. */
int fg_argument_slots_make(fg_argument_slots *p, const fg_artifact *a, char why[FG_WHY_SIZE]);
void fg_argument_slots_free(fg_argument_slots *p); /* what was taken */

/* The arguments of a launch are among the slots and parameters. */
int fg_argument_slots_check(const fg_argument_slots *p, const fg_launch *l, char why[FG_WHY_SIZE]);
/* From the caller's arrays to the device's, and the outputs back. */
int fg_argument_slots_upload(fg_argument_slots *p, const fg_call *call, char why[FG_WHY_SIZE]);
int fg_argument_slots_download(const fg_argument_slots *p, const fg_call *call, char why[FG_WHY_SIZE]);
bool fg_argument_slots_callers(const fg_argument_slots *p, int at); /* input or output */
#endif
