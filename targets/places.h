/* The places of a module whose kernels are launched: its arrays in a device's memory.
 *
 * Tables and workspace are made with the module; the caller's arrays when it calls, as
 * large as the artifact says, so that they serve every later call. How memory is taken
 * and copied is the device's affair. */
#ifndef FG_PLACES_H
#define FG_PLACES_H
#include "targets/device.h"

/* Memory on a device, as its own interface names it; `on` is the device's. */
typedef struct fg_memory {
  int (*take)(void *on, uintptr_t *out, size_t bytes, char why[FG_WHY_SIZE]);
  int (*fill)(void *on, uintptr_t to, const void *from, size_t bytes, char why[FG_WHY_SIZE]);
  int (*fetch)(void *on, void *to, uintptr_t from, size_t bytes, char why[FG_WHY_SIZE]);
  void (*release)(void *on, uintptr_t memory);
} fg_memory;

typedef struct fg_places {
  const fg_memory *memory;
  void *on;
  int count, nparam;
  fg_arg_kind kind[FG_MAX_PLACES];
  size_t bytes[FG_MAX_PLACES];
  uintptr_t own[FG_MAX_PLACES];  /* taken; 0: shares (in place) or not yet */
  uintptr_t used[FG_MAX_PLACES]; /* what a kernel gets */
} fg_places;

/* Takes nothing yet; refuses an artifact that is none to launch. */
int fg_places_create(fg_places *p, const fg_artifact *a, const fg_memory *memory, void *on, char why[FG_WHY_SIZE]);
/* Tables with their content, and workspace. */
int fg_places_make(fg_places *p, const fg_artifact *a, char why[FG_WHY_SIZE]);
void fg_places_free(fg_places *p); /* what was taken */

/* The arguments of a launch are among the places and parameters. */
int fg_places_check(const fg_places *p, const fg_launch *l, char why[FG_WHY_SIZE]);
/* From the caller's arrays to the device's, and the outputs back. */
int fg_places_upload(fg_places *p, const fg_call *call, char why[FG_WHY_SIZE]);
int fg_places_download(const fg_places *p, const fg_call *call, char why[FG_WHY_SIZE]);
bool fg_places_callers(const fg_places *p, int at); /* input or output */
#endif
