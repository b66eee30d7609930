/* Parts of a step side by side. */
#ifndef FG_FFTW_SWEEP_PARALLEL_H
#define FG_FFTW_SWEEP_PARALLEL_H
#include "fftw/sweep/step.h"

/* FFTW's form of a parallel loop: calls work(jobs + i * bytes) for i < count, and returns when all are over. */
typedef void (*fg_parallel_loop)(void *(*work)(char *job), char *jobs, size_t bytes, int count, void *data);

void fg_parallel_use(fg_parallel_loop loop, void *data); /* NULL: threads of our own */
/* By up to `threads` threads where there is enough to do. False: there is no memory. */
bool fg_parallel_step(fg_step *s, const fg_step_arrays *a, int threads);
/* work(data, 0) .. work(data, parts - 1), side by side; returns when all are over. */
void fg_parallel_parts(int parts, void (*work)(void *data, int part), void *data);
#endif
