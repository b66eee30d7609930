/* Testbed: a problem's arrays on a device, on which modules are checked and timed one after the other.
 *
 * If the device has memory of its own (fg_resident_memory), inputs are made and outputs checked there, and only a
 * few sums are copied back. After a run on poisoned outputs every number of every transform is compared with its
 * reference (drawn.h). Counts and sums of words show exactly that nothing else was written: not around the arrays,
 * not between their strides, not the input. */
#ifndef FG_TESTBED_H
#define FG_TESTBED_H
#include "targets/device.h"
#include "tuning/measure/drawn.h"

typedef struct fg_testbed fg_testbed;

typedef struct fg_verdict {
  bool ok;
  char why[FG_WHY_SIZE]; /* "" when ok */
  double l2;             /* relative error, root mean square over the transforms */
  double max;            /* largest error of a number over the root mean square of its transform's */
} fg_verdict;

/* d and drawn stay in use. 0, or nonzero and why: the device has no room. */
int fg_testbed_open(const fg_device *d, const fg_drawn *drawn, fg_testbed **out, char why[FG_WHY_SIZE]);
/* Runs m once. Nonzero and why: it does not run. */
int fg_testbed_check(fg_testbed *b, fg_module *m, fg_verdict *out, char why[FG_WHY_SIZE]);
/* As fg_device's time; the arrays hold the drawn inputs, in place zeros. turn: the round; each has the
 * arrays at another offset of a page, on hosts. */
int fg_testbed_time(fg_testbed *b, fg_module *m, double seconds, int turn, double *ns, char why[FG_WHY_SIZE]);
/* Nanoseconds for copying as much as the module reads and writes, from the input's arrays to the output's; only where
 * the device keeps memory. */
int fg_testbed_copy(fg_testbed *b, double seconds, double *ns, char why[FG_WHY_SIZE]);
void fg_testbed_close(fg_testbed *b); /* NULL allowed */
#endif
