/* Primes by their sums, n^2 / 2 products: complex lines, r2c and c2r. What is short enough is sooner over than a
 * convolution, and twice as accurate.
 *
 * With h = (n - 1) / 2, a[j] = x[j] + x[n-j] and b[j] = x[j] - x[n-j] the sums are P[k] = sum of a[j] cos(2 pi j k / n)
 * and Q[k] = sum of b[j] sin(2 pi j k / n), 0 < j, k <= h: X[k] = x[0] + P[k] - i Q[k], X[n-k] = x[0] + P[k] + i Q[k].
 * Vectors are along k. Sums of a few j each are added, so that roundoff grows slower than along all of them. */
#include "fftw/base/clones.h"
#include "fftw/base/vector.h"
#include "fftw/line/method.h"

FG_VECTOR(vector, 32);
enum {
  LANES = sizeof(vector) / sizeof(fg_real),
  TOGETHER = 2,  /* vectors of a sum */
  LONGEST = 173, /* points; beyond, a convolution is sooner over */
  BLOCK = TOGETHER * LANES,
  PITCH = (LONGEST / 2 + BLOCK) / BLOCK * BLOCK,
  RUN = 16 /* terms that are added before they join the others */
};

static bool is_prime(int64_t n) {
  for (int64_t p = 2; p * p <= n; p++)
    if (n % p == 0) return false;
  return n > 2;
}

static bool applies(fg_line_type type, int64_t n) { return type <= FG_LINE_C2R && n <= LONGEST && is_prime(n); }

/* Numbers of a row of the table: whole blocks. */
static int64_t row_of(int64_t n) { return (n / 2 + BLOCK - 1) / BLOCK * BLOCK; }

/* table[0] of the forward line, which others use, in the order in which it is read: for each block of k a row of
 * cosines and one of sines for each j. */
static bool create(fg_line *l) {
  int64_t n = l->n, h = n / 2, row = row_of(n);
  bool complex = fg_line_type_is_complex(l->type);
  double sums = (double)(h * h) * (complex ? 4 : 2);
  if (l->type != FG_LINE_FORWARD && !fg_line_stand_on(l, 0, FG_LINE_FORWARD, n, 0)) return false;
  l->flops.fma += sums, l->flops.add += (double)h * (complex ? 12 : 6);
  if (l->type != FG_LINE_FORWARD) return true;
  if (!fg_line_add_table(l, 0, h * row)) return false;
  fg_roots *roots = fg_roots_create(n);
  for (int64_t j = 1; j <= h && roots; j++)
    for (int64_t k = 1; k <= row; k++) {
      fg_complex w = fg_roots_value(roots, j * k % n, FG_BACKWARD);
      fg_real *at = (fg_real *)l->table[0] + ((k - 1) / BLOCK * h + j - 1) * 2 * BLOCK + (k - 1) % BLOCK;
      at[0] = w.re, at[BLOCK] = w.im;
    }
  fg_roots_destroy(roots);
  return roots != NULL;
}

typedef struct sums { /* of one real, or of real and imaginary parts */
  fg_real a[2][PITCH], b[2][PITCH], p[2][PITCH], q[2][PITCH];
} sums;

static inline __attribute__((always_inline)) void add_up(const fg_real *table, sums *s, int64_t n, int planes) {
  int64_t h = n / 2, row = row_of(n);
  for (int64_t k = 0; k < row; k += BLOCK) {
    vector total[2][2][TOGETHER] = {{{{0}}}};
    for (int64_t first = 0; first < h; first += RUN) {
      vector sum[2][2][TOGETHER] = {{{{0}}}};
      int64_t end = first + RUN < h ? first + RUN : h;
      for (int64_t j = first; j < end; j++, table += 2 * BLOCK) WRITTEN_OUT for (int t = 0; t < TOGETHER; t++) {
          vector c = *(const vector *)(table + t * LANES), d = *(const vector *)(table + BLOCK + t * LANES);
          WRITTEN_OUT for (int i = 0; i < planes; i++) sum[i][0][t] += c * s->a[i][j], sum[i][1][t] += d * s->b[i][j];
        }
      WRITTEN_OUT for (int t = 0; t < TOGETHER; t++) WRITTEN_OUT for (int i = 0; i < planes; i++) total[i][0][t] +=
          sum[i][0][t],
          total[i][1][t] += sum[i][1][t];
    }
    WRITTEN_OUT for (int t = 0; t < TOGETHER; t++) WRITTEN_OUT for (int i = 0; i < planes; i++) {
      *(vector *)(s->p[i] + k + t * LANES) = total[i][0][t];
      *(vector *)(s->q[i] + k + t * LANES) = total[i][1][t];
    }
  }
}

CLONES static void add_up_reals(const fg_real *table, sums *s, int64_t n) { add_up(table, s, n, 1); }

CLONES static void add_up_pairs(const fg_real *table, sums *s, int64_t n) { add_up(table, s, n, 2); }

static void run_complex(const fg_line *l, const fg_real *table, const fg_complex *x, fg_complex *y) {
  int64_t n = l->n, h = n / 2;
  sums s;
  fg_complex first = x[0], all = first;
  for (int64_t j = 1; j <= h; j++) {
    fg_complex u = x[j], v = x[n - j];
    s.a[0][j - 1] = u.re + v.re, s.a[1][j - 1] = u.im + v.im;
    s.b[0][j - 1] = u.re - v.re, s.b[1][j - 1] = u.im - v.im;
    all.re += s.a[0][j - 1], all.im += s.a[1][j - 1];
  }
  add_up_pairs(table, &s, n);
  y[0] = all;
  bool back = l->type == FG_LINE_BACKWARD;
  for (int64_t k = 1; k <= h; k++) {
    fg_complex p = {first.re + s.p[0][k - 1], first.im + s.p[1][k - 1]}, q = {s.q[0][k - 1], s.q[1][k - 1]};
    y[back ? n - k : k] = (fg_complex){p.re + q.im, p.im - q.re};
    y[back ? k : n - k] = (fg_complex){p.re - q.im, p.im + q.re};
  }
}

static void run_r2c(const fg_line *l, const fg_real *table, const fg_real *x, fg_complex *y) {
  int64_t n = l->n, h = n / 2;
  sums s;
  fg_real first = x[0], all = first;
  for (int64_t j = 1; j <= h; j++) {
    s.a[0][j - 1] = x[j] + x[n - j], s.b[0][j - 1] = x[j] - x[n - j];
    all += s.a[0][j - 1];
  }
  add_up_reals(table, &s, n);
  y[0] = (fg_complex){all, 0};
  for (int64_t k = 1; k <= h; k++) y[k] = (fg_complex){first + s.p[0][k - 1], -s.q[0][k - 1]};
}

static void run_c2r(const fg_line *l, const fg_real *table, const fg_complex *x, fg_real *y) {
  int64_t n = l->n, h = n / 2;
  sums s;
  fg_real first = x[0].re, all = 0;
  for (int64_t j = 1; j <= h; j++) {
    s.a[0][j - 1] = 2 * x[j].re, s.b[0][j - 1] = 2 * x[j].im;
    all += s.a[0][j - 1];
  }
  add_up_reals(table, &s, n);
  y[0] = first + all;
  for (int64_t k = 1; k <= h; k++) {
    fg_real p = first + s.p[0][k - 1], q = s.q[0][k - 1];
    y[k] = p - q, y[n - k] = p + q;
  }
}

static void run(const fg_line *l, const fg_real *in, fg_real *out, fg_real *work) {
  (void)work;
  const fg_real *table = (const fg_real *)(l->part[0] ? l->part[0] : l)->table[0];
  switch (l->type) {
  case FG_LINE_R2C: run_r2c(l, table, in, (fg_complex *)out); break;
  case FG_LINE_C2R: run_c2r(l, table, (const fg_complex *)in, out); break;
  default: run_complex(l, table, (const fg_complex *)in, (fg_complex *)out); break;
  }
}

const fg_line_method fg_line_dense = {"dense", applies, create, NULL, run};
