/* List scheduling of an iteration's statements. */
#ifndef FG_OPT_LIST_SCHEDULE_H
#define FG_OPT_LIST_SCHEDULE_H
#include "generator/text/recorder.h"

typedef struct fg_list_machine {
  int registers;    /* of vectors; up to 64 */
  bool stores_last; /* no store before the last load: they may access the same memory */
} fg_list_machine;

/* Puts the statements from a position on, which are an iteration's, into another order. False: it leaves them. */
bool fg_list_schedule(fg_coder *c, int32_t from, const fg_list_machine *m);
#endif
