/* The bundle dsp of tests/bundle.sh against the definition.
 * usage: check [INSTRUCTION SET THAT IS EXPECTED] */
#include "dsp.h"
#include <math.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static double uniform(unsigned long long *state) {
  *state = *state * 6364136223846793005ULL + 1442695040888963407ULL;
  return (double)(*state >> 11) / 4503599627370496.0 - 1.0;
}

/* The transform of n points at x, at output k, against y. */
static void add_error(const double *x, const double *y, int n, int sign, int k, double *error, double *size) {
  double re = 0, im = 0;
  for (int j = 0; j < n; j++) {
    const double angle = sign * 6.283185307179586476925 * (double)((long long)j * k % n) / n;
    re += x[2 * j] * cos(angle) - x[2 * j + 1] * sin(angle);
    im += x[2 * j] * sin(angle) + x[2 * j + 1] * cos(angle);
  }
  *error += (y[2 * k] - re) * (y[2 * k] - re) + (y[2 * k + 1] - im) * (y[2 * k + 1] - im);
  *size += re * re + im * im;
}

static int bad;
static void check(const char *name, const double *x, const double *y, int n, int batch, int sign, double allowed) {
  double error = 0, size = 0;
  for (int b = 0; b < batch; b++)
    for (int k = 0; k<n; k += n> 1000 ? 997 : 1) add_error(x + 2 * n * b, y + 2 * n * b, n, sign, k, &error, &size);
  if (sqrt(error / size) < allowed) return;
  printf("%s: relative error %g\n", name, sqrt(error / size));
  bad = 1;
}

enum { MOST = 65536 };
typedef struct memory {
  _Alignas(64) char scratch[4 << 20];
  double x[2 * MOST], y[2 * MOST];
  float in[2 * MOST], out[2 * MOST];
} memory;

#define SINGLE(name, n, batch, sign)                                                                                   \
  do {                                                                                                                 \
    name(m->in, m->out, (void *)m->scratch);                                                                           \
    for (int i = 0; i < 2 * n * batch; i++) m->y[i] = m->out[i];                                                       \
    check(#name, m->x, m->y, n, batch, sign, 1e-6);                                                                    \
  } while (0)

static void *all(void *data) {
  memory *m = data;
  unsigned long long state = 1;
  for (int i = 0; i < 2 * MOST; i++) m->x[i] = m->in[i] = (float)uniform(&state);
  SINGLE(dsp_c2c_f32_n256_fwd, 256, 1, -1);
  SINGLE(dsp_c2c_f32_n256_bwd, 256, 1, +1);
  SINGLE(dsp_c2c_f32_n256_fwd_batch4, 256, 4, -1);
#if DSP_C2C_F32_N31_FWD_SCRATCH_BYTES
  SINGLE(dsp_c2c_f32_n31_fwd, 31, 1, -1);
#else
  dsp_c2c_f32_n31_fwd(m->in, m->out);
  for (int i = 0; i < 62; i++) m->y[i] = m->out[i];
  check("n=31", m->x, m->y, 31, 1, -1, 1e-6);
#endif
#if DSP_C2C_F64_N60_FWD_SCRATCH_BYTES > 0
  dsp_c2c_f64_n60_fwd(m->x, m->y, (void *)m->scratch);
#else
  dsp_c2c_f64_n60_fwd(m->x, m->y);
#endif
  check("n=60", m->x, m->y, 60, 1, -1, 1e-15);
  void *tables = aligned_alloc(64, (DSP_C2C_F64_N10007_FWD_TABLE_BYTES + 63) / 64 * 64);
  dsp_c2c_f64_n10007_fwd_init(tables);
  dsp_c2c_f64_n10007_fwd(m->x, m->y, (void *)m->scratch, tables);
  check("n=10007", m->x, m->y, 10007, 1, -1, 2e-12); /* the check itself is not better */
  free(tables);
  return NULL;
}

int main(int argc, char **argv) {
  static memory m[2];
  pthread_t thread;
  _Static_assert(DSP_C2C_F64_N10007_FWD_SCRATCH_BYTES <= sizeof m->scratch, "scratch");
  if (argc > 1 && strcmp(dsp_isa(), argv[1]) != 0) {
    printf("runs %s, not %s\n", dsp_isa(), argv[1]);
    return 1;
  }
  if (pthread_create(&thread, NULL, all, &m[0]) != 0) return 2;
  all(&m[1]);
  pthread_join(thread, NULL);
  return bad;
}
