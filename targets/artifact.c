/* The argument slots of an artifact's buffers, and the blocks of its launches. A separate file: a user of one device
 * need not link them all. */
#include "targets/device.h"

int fg_artifact_slot(const fg_artifact *a, int i) {
  int slot = 0;
  for (int k = 0; k < i; k++) slot += a->buffer[k].split ? 2 : 1;
  return slot;
}

int64_t fg_launch_blocks(const fg_launch *l, const int64_t *params) {
  int64_t blocks = 1;
  for (int i = 0; i < l->nblock_factor; i++) {
    int64_t div = l->block_factor[i].div > 0 ? l->block_factor[i].div : 1, p = l->block_factor[i].param;
    blocks *= l->block_factor[i].n * (p < 0 ? 1 : (params[p] + div - 1) / div);
  }
  return blocks;
}

bool fg_artifact_is_direct(const fg_artifact *a) {
  for (int i = 0; i < a->nbuffer; i++)
    if (a->buffer[i].split || (a->buffer[i].kind != FG_ARG_IN && a->buffer[i].kind != FG_ARG_OUT)) return false;
  return !a->nparam && !a->needs_init && !a->nstep;
}
