/* Kernels whose blocks copy in bulk while they compute. */
#ifndef FG_LOWER_ASYNC_COPY_H
#define FG_LOWER_ASYNC_COPY_H
#include "generator/text/emitter.h"

typedef struct fg_bulk_frame {
  const fg_emitter *e;
  const fg_kernel *k;
  fg_uses *uses; /* the kernel's: what lines mention is noted there */
} fg_bulk_frame;

/* Whether k's text has bulk copies; elsewhere they are stages like others. */
bool fg_bulk_is_wanted(const fg_emitter *e, const fg_kernel *k);

fg_status fg_bulk_check(const fg_emitter *e, const fg_kernel *k);

/* Whether they use a memory: then it is called NAME_room, and NAME is its part that holds a number's rows. */
bool fg_bulk_uses(const fg_emitter *e, const fg_kernel *k, int memory);

/* Where shared memory begins behind `before` bytes, and what it takes; the mbarrier likewise. */
typedef struct fg_bulk_room {
  int64_t at, bytes;
} fg_bulk_room;

fg_bulk_room fg_bulk_place(const fg_emitter *e, const fg_kernel *k, int memory, int64_t before);
int64_t fg_bulk_mbarrier(const fg_emitter *e, int64_t before);
void fg_bulk_note(const fg_bulk_frame *f); /* what all lines together mention */

/* Lines: before the loop over a block's numbers; the one that opens it; before a stage, of the first one at the start
 * of each iteration; in place of a copy behind the first one; behind a stage. */
const char *fg_bulk_open(const fg_bulk_frame *f, const char *mbarrier);
const char *fg_bulk_loop(const fg_emitter *e, const fg_kernel *k);
const char *fg_bulk_before(const fg_bulk_frame *f, int stage);
const char *fg_bulk_copy(const fg_bulk_frame *f, int stage);
const char *fg_bulk_after(const fg_bulk_frame *f, int stage);
/* How a stage calls memory that two copies use in turn; NULL: as it is called. */
const char *fg_bulk_name(const fg_bulk_frame *f, int memory, int stage);
#endif
