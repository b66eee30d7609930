/* Timing: how often to repeat, which number to keep. In: a function
 * that executes something `repeat` times; out: the first tenth of
 * samples that are each long against the clock's resolution. */
#ifndef FG_TIMING_H
#define FG_TIMING_H
#include <stdint.h>

typedef int (*fg_timed)(void *context, int64_t repeat); /* nonzero: failed */

double fg_timing_now(void); /* seconds, monotonic */
/* Seconds that processors worked for this thread, for all of this process. */
double fg_timing_thread(void);
double fg_timing_process(void);
/* Warms up, chooses a repeat count, takes at least five samples and more until
 * `seconds` are over. Nonzero: what `run` returned. */
int fg_timing_measure(fg_timed run, void *context, double seconds, double *ns);
/* One by one, after one that is not kept: ns[0 .. *count], at most `most`, none begun after `seconds` (0: no limit). */
int fg_timing_each(fg_timed run, void *context, double seconds, int most, double *ns, int *count);
/* The middle of n values, which are sorted then. */
double fg_timing_median(double *x, int n);
#endif
