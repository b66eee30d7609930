/* Seat: the place in a process where modules of one problem are checked and timed on a device: on a testbed if the
 * problem has random inputs (drawn.h), else by fg_verify and on arrays of the host. */
#ifndef FG_SEAT_H
#define FG_SEAT_H
#include "tuning/measure/testbed.h"
#include "tuning/measure/verify.h"

typedef struct fg_seat fg_seat;

typedef struct fg_seat_order { /* what it is for */
  const fg_device *device;
  const fg_problem *problem;
  const int64_t *params; /* of the problem; NULL: none */
  uint64_t seed;
  const fg_drawn *drawn; /* NULL: there are none */
} fg_seat_order;

/* In cx's arena. FG_ESYS: the device has no room. */
fg_status fg_seat_create(fg_context *cx, const fg_seat_order *o, fg_seat **out);
/* FG_OK and the error; FG_EWRONG: it computes wrongly; FG_ESYS: it does not run. */
fg_status fg_seat_check(fg_seat *s, fg_module *m, double *l2);
/* Nanoseconds of one execution; turn: which timing of the module it is. */
fg_status fg_seat_time(fg_seat *s, fg_module *m, double seconds, int turn, double *ns);
#endif
