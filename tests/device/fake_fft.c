/* cuFFT and VkFFT without a GPU: those of their functions that fftgen calls, for tests. Sums by the definition, of
 * arrays of the host (fake_cuda.c); a plan's arguments are checked as far as they are used. fake_fft_fail_at(n): the
 * n-th call from now on fails. fake_fft_alive(): what was made and not destroyed. */
#include <complex.h>
#include <math.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdlib.h>

enum { MOST = 4, DIMENSIONS = 8, FAILED = 5, R2C = 0x2a, C2R = 0x2c, C2C = 0x29, DOUBLES = 0x40 };

typedef struct plan {
  int rank, type, batch;
  long n[3];
  bool used, is_double;
} plan;
static plan plans[MOST];
static int calls, fail_at, alive;

void fake_fft_fail_at(int n);
void fake_fft_fail_at(int n) { fail_at = n, calls = 0; }
int fake_fft_alive(void);
int fake_fft_alive(void) { return alive; }

static bool fails(void) { return ++calls == fail_at; }

static double get(const void *x, long i, bool is_double) {
  return is_double ? ((const double *)x)[i] : (double)((const float *)x)[i];
}
static void put(void *x, long i, bool is_double, double v) {
  if (is_double)
    ((double *)x)[i] = v;
  else
    ((float *)x)[i] = (float)v;
}

static long points_of(const plan *p) {
  long all = 1;
  for (int i = 0; i < p->rank; i++) all *= p->n[i];
  return all;
}

/* Of the phases of all dimensions at point a and frequency b. */
static double turns(const plan *p, long a, long b) {
  double sum = 0;
  for (int i = p->rank - 1; i >= 0; i--) {
    sum += (double)(a % p->n[i] * (b % p->n[i]) % p->n[i]) / (double)p->n[i];
    a /= p->n[i], b /= p->n[i];
  }
  return sum;
}

/* Place of point a where the last dimension has its half only; -1: it is not stored. */
static long place(const plan *p, long a, bool half) {
  long last = p->n[p->rank - 1], stored = last / 2 + 1;
  if (!half) return a;
  return a % last < stored ? a / last * stored + a % last : -1;
}

/* Point a of transform t; of halves the rest mirrored (one dimension). */
static double complex input(const plan *p, const void *in, long t, long a) {
  long points = points_of(p), stored = p->type == C2R ? points / 2 + 1 : points;
  bool mirrored = a >= stored;
  long i = t * stored + (mirrored ? points - a : a);
  if (p->type == R2C) return get(in, i, p->is_double);
  double complex v = get(in, 2 * i, p->is_double) + I * get(in, 2 * i + 1, p->is_double);
  return mirrored ? conj(v) : v;
}

static void output(const plan *p, void *out, long t, long b, double complex v) {
  long points = points_of(p), last = p->n[p->rank - 1], half = points / last * (last / 2 + 1);
  long at = place(p, b, p->type == R2C), to = t * (p->type == R2C ? half : points) + at;
  if (at < 0) return;
  if (p->type == C2R) {
    put(out, to, p->is_double, creal(v));
    return;
  }
  put(out, 2 * to, p->is_double, creal(v));
  put(out, 2 * to + 1, p->is_double, cimag(v));
}

static void transform(const plan *p, const void *in, void *out, int sign) {
  long points = points_of(p);
  double complex *y = malloc(sizeof *y * (size_t)points);
  for (int t = 0; y && t < p->batch; t++) {
    for (long b = 0; b < points; b++) {
      y[b] = 0;
      for (long a = 0; a < points; a++) y[b] += input(p, in, t, a) * cexp(sign * 2 * M_PI * I * turns(p, a, b));
    }
    for (long b = 0; b < points; b++) output(p, out, t, b, y[b]);
  }
  free(y);
}

/* ---- cuFFT: a plan is a number ---------------------------------------------------------- */

int cufftCreate(int *out);
int cufftCreate(int *out) {
  if (fails()) return FAILED;
  for (int i = 0; i < MOST; i++)
    if (!plans[i].used) return plans[i].used = true, *out = i, alive++, 0;
  return FAILED;
}

int cufftMakePlanMany64(int of, int rank, long long *n, long long *in, long long is, long long id, long long *out,
                        long long os, long long od, int type, long long batch, size_t *scratch);
int cufftMakePlanMany64(int of, int rank, long long *n, long long *in, long long is, long long id, long long *out,
                        long long os, long long od, int type, long long batch, size_t *scratch) {
  (void)is, (void)id, (void)os, (void)od;
  if (fails() || in || out || (rank > 1 && (type & ~DOUBLES) == C2R)) return FAILED;
  plan *p = &plans[of];
  *p = (plan){.rank = rank, .type = type & ~DOUBLES, .batch = (int)batch, .used = true, .is_double = type & DOUBLES};
  for (int i = 0; i < rank; i++) p->n[i] = (long)n[i];
  return *scratch = 0, 0;
}

int cufftSetStream(int of, void *stream);
int cufftSetStream(int of, void *stream) { return fails() || !plans[of].used || !stream ? FAILED : 0; }

static int execute(int of, int type, bool is_double, const void *in, void *out, int sign) {
  const plan *p = &plans[of];
  if (fails() || !p->used || p->type != type || p->is_double != is_double) return FAILED;
  return transform(p, in, out, sign), 0;
}

#define COMPLEX(name, is_double)                                                                                       \
  int name(int of, void *in, void *out, int sign);                                                                     \
  int name(int of, void *in, void *out, int sign) { return execute(of, C2C, is_double, in, out, sign); }
#define REAL(name, type, sign, is_double)                                                                              \
  int name(int of, void *in, void *out);                                                                               \
  int name(int of, void *in, void *out) { return execute(of, type, is_double, in, out, sign); }
COMPLEX(cufftExecC2C, false)
COMPLEX(cufftExecZ2Z, true)
REAL(cufftExecR2C, R2C, -1, false)
REAL(cufftExecD2Z, R2C, -1, true)
REAL(cufftExecC2R, C2R, 1, false)
REAL(cufftExecZ2D, C2R, 1, true)

int cufftDestroy(int of);
int cufftDestroy(int of) { return plans[of].used = false, alive--, 0; }

/* ---- VkFFT, as pyvkfft has it ------------------------------------------------------------ */

unsigned vkfft_max_fft_dimensions(void);
unsigned vkfft_max_fft_dimensions(void) { return DIMENSIONS; }

void *make_config(const long *n, size_t rank, void *in, void *out, void *stream, int scaled, size_t bytes, int real,
                  int cosine, int sine, int keep_order, int register_boost, int table, int keep_text, size_t batch,
                  const long *skipped, int coalesced, int banks, int threads, int bandwidth_boost, int boost_others,
                  int boost_four_step, int warp, const long *grouped, int callbacks);
void *make_config(const long *n, size_t rank, void *in, void *out, void *stream, int scaled, size_t bytes, int real,
                  int cosine, int sine, int keep_order, int register_boost, int table, int keep_text, size_t batch,
                  const long *skipped, int coalesced, int banks, int threads, int bandwidth_boost, int boost_others,
                  int boost_four_step, int warp, const long *grouped, int callbacks) {
  (void)out, (void)register_boost, (void)table, (void)keep_text, (void)coalesced, (void)banks, (void)threads;
  (void)bandwidth_boost, (void)boost_others, (void)boost_four_step, (void)warp, (void)callbacks, (void)keep_order;
  plan *p = fails() || !in || !stream || scaled || cosine || sine ? NULL : calloc(1, sizeof *p);
  if (!p) return NULL;
  *p = (plan){.rank = (int)rank, .type = real ? R2C : C2C, .batch = (int)batch, .is_double = bytes == sizeof(double)};
  for (int i = 0; i < (int)rank; i++) p->n[i] = n[rank - 1 - (size_t)i];
  for (int i = 0; i < DIMENSIONS; i++) p->used |= skipped[i] || grouped[i] >= 0 || (i >= (int)rank && n[i] != 1);
  return alive++, p;
}

void *init_app(const void *configuration, int *status, size_t *scratch, long *bluestein, long *kernels);
void *init_app(const void *configuration, int *status, size_t *scratch, long *bluestein, long *kernels) {
  const plan *c = configuration;
  plan *p = fails() || c->used ? NULL : malloc(sizeof *p);
  *status = p ? 0 : FAILED;
  if (!p) return NULL;
  *p = *c, *scratch = 0;
  for (int i = 0; i < DIMENSIONS; i++) bluestein[i] = 0, kernels[i] = 1;
  return alive++, p;
}

int fft(void *app, void *in, void *out);
int fft(void *app, void *in, void *out) { return fails() ? FAILED : (transform(app, in, out, -1), 0); }
int ifft(void *app, void *in, void *out);
int ifft(void *app, void *in, void *out) { return fails() ? FAILED : (transform(app, in, out, 1), 0); }
void free_app(void *app);
void free_app(void *app) { alive--, free(app); }
void free_config(void *configuration);
void free_config(void *configuration) { alive--, free(configuration); }
