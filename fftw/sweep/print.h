/* A step as text (print.c). */
#ifndef FG_FFTW_SWEEP_PRINT_H
#define FG_FFTW_SWEEP_PRINT_H
#include "fftw/sweep/step.h"

void fg_step_print(const fg_step *s, void (*put)(void *to, char c), void *to);
#endif
