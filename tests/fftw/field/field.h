/* The field of a run, and its roots of unity. */
#ifndef FG_FFTW_FIELD_H
#define FG_FFTW_FIELD_H
#include "fftw/base/real.h"

/* A random prime p = 1 (mod order of all roots that are asked for so far). False: none has so few bits. */
bool fg_field_draw(uint64_t *random);
/* exp(2 pi i k / n), any k, as cosine and sine. Where this field has no root of order n it is zero, and another field
 * has to be drawn. */
fg_complex fg_field_root(int64_t k, int64_t n);
bool fg_field_lacks(void);  /* whether it was so since this field was drawn */
void fg_field_forget(void); /* orders that were asked for */
uint64_t fg_field_random(uint64_t *state);
#endif
