/* A plain Fourier transform of -DREAL numbers, for comparison. */
#ifndef REFERENCE_H
#define REFERENCE_H
typedef REAL real;
typedef struct pair {
  real re, im;
} pair;
typedef struct plan plan;

plan *reference_create(int n); /* prime factors up to 2048 */
void reference_execute(const plan *p, const pair *in, pair *out);
void reference_destroy(plan *p);
#endif
