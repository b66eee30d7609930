/* A lock for FFTW's planner, which in all its precisions allows one thread at a time. */
#ifndef FG_PLANNER_LOCK_H
#define FG_PLANNER_LOCK_H
#include <pthread.h>

extern pthread_mutex_t fg_planner_lock; /* defined in baselines/fftw.c */
#endif
