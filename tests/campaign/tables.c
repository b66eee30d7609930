/* See tables.h; docs/formats.md says what the words mean. Sums are made term by term. */
#include "tables.h"
#include "problem.h"
#include <math.h>
#include <string.h>

typedef struct entry {
  long double re, im;
} entry;

typedef struct table {
  const cJSON *row;
  const char *fill, *layout;
  long long rows, cols, order, n, shift;
  int sign;
  bool wide;
  void *to;
  size_t bytes;
} table;

static long long number_of(const cJSON *row, const char *name, long long other) {
  const cJSON *x = cJSON_GetObjectItemCaseSensitive(row, name);
  return cJSON_IsNumber(x) ? (long long)x->valuedouble : other;
}

static bool is(const table *t, const char *fill) { return strcmp(t->fill, fill) == 0; }

/* exp(sign 2 pi i e / order) */
static entry root(int sign, unsigned long long e, unsigned long long order) {
  long double angle = 6.283185307179586476925286766559L * (long double)(e % order) / (long double)order;
  return (entry){cosl(angle), (long double)sign * sinl(angle)};
}

__extension__ typedef unsigned __int128 wide;

static unsigned long long product(unsigned long long a, unsigned long long b, unsigned long long n) {
  return (unsigned long long)((wide)a * b % n);
}

static long long power(long long base, long long e, long long n) {
  long long x = 1;
  for (; e;
       e /= 2, base = (long long)product((unsigned long long)base, (unsigned long long)base, (unsigned long long)n))
    if (e % 2) x = (long long)product((unsigned long long)x, (unsigned long long)base, (unsigned long long)n);
  return x;
}

/* The least number whose powers modulo the prime n are all but 0. */
static long long generator(long long n) {
  for (long long g = 2; g < n; g++) {
    long long left = n - 1;
    bool good = true;
    for (long long p = 2; left > 1 && good; p++) {
      if (left % p) continue;
      good = power(g, (n - 1) / p, n) != 1;
      while (left % p == 0) left /= p;
    }
    if (good) return g;
  }
  return 1;
}

/* ---- the place of an entry ------------------------------------------------------- */

static void put_number(const table *t, long long at, long double x) {
  size_t size = t->wide ? sizeof(double) : sizeof(float);
  if (at < 0 || ((size_t)at + 1) * size > t->bytes) return;
  if (t->wide)
    ((double *)t->to)[at] = (double)x;
  else
    ((float *)t->to)[at] = (float)x;
}

static void put(const table *t, long long i, entry x) {
  long long count = t->rows * t->cols;
  long double times = powl(2, (long double)t->shift);
  x.re *= times, x.im *= times;
  if (strcmp(t->layout, "real") == 0) {
    put_number(t, i, x.re);
  } else if (strcmp(t->layout, "split") == 0) {
    put_number(t, i, x.re), put_number(t, count + i, x.im);
  } else if (strcmp(t->layout, "doubled") == 0) { /* re, re; behind all of them im, -im */
    put_number(t, 2 * i, x.re), put_number(t, 2 * i + 1, x.re);
    put_number(t, 2 * (count + i), x.im), put_number(t, 2 * (count + i) + 1, -x.im);
  } else {
    put_number(t, 2 * i, x.re), put_number(t, 2 * i + 1, x.im);
  }
}

/* Result k of a transform of several dimensions, or of rows and columns. */
static long long place_of(const table *t, long long k, bool logarithms) {
  const cJSON *coprime = cJSON_GetObjectItemCaseSensitive(t->row, "coprime"), *axis;
  long long across = number_of(t->row, "across", 0), place = 0;
  if (across) return k % across * (t->cols / across) + k / across;
  if (!coprime) return k;
  cJSON_ArrayForEach(axis, coprime) {
    long long n = (long long)axis->valuedouble, x = 1;
    while (logarithms && t->order / n % n * x % n != 1 % n) x++;
    place = place * n + k % n * (x % n) % n;
  }
  return place;
}

/* ---- roots of unity ----------------------------------------------------------------- */

static unsigned long long exponent(const table *t, long long r, long long c) {
  unsigned long long order = (unsigned long long)t->order;
  long long fold = number_of(t->row, "fold", 0), col0 = number_of(t->row, "col0", 0);
  long long column = fold && c > fold ? 3 * fold - c : col0 + c * number_of(t->row, "col_step", 1);
  unsigned long long x = (unsigned long long)column % order;
  if (is(t, "doubling")) return product(x, (unsigned long long)power(2, r, t->order), order);
  if (is(t, "chirp")) return product(x, x, order);
  return product(x, (unsigned long long)(r + number_of(t->row, "row0", 0)) % order, order);
}

/* Of w = exp(sign 2 pi i c / order) the powers that a codelet of 2 rows points has inside. */
static unsigned long long inside(const table *t, long long r, long long c) {
  unsigned long long order = (unsigned long long)t->order, rows = (unsigned long long)t->rows, p = 1;
  if (r == 0) return product((unsigned long long)c, rows, order);
  while (2 * p <= (unsigned long long)r) p *= 2;
  return product((unsigned long long)c + ((unsigned long long)r - p) * (order / (2 * rows)), rows / (2 * p), order);
}

static void fill_roots(const table *t) {
  for (long long r = 0; r < t->rows; r++)
    for (long long c = 0; c < t->cols; c++) {
      unsigned long long e = is(t, "steps") ? inside(t, r, c) : exponent(t, r, c);
      put(t, r * t->cols + c, root(t->sign, e, (unsigned long long)t->order));
    }
}

/* ---- spectra --------------------------------------------------------------------------- */

/* Number j of what is convolved with, wrapped; 0 where there is none. */
static entry pulse(const table *t, long long j, const long long *logarithm) {
  bool chirp = is(t, "bluestein");
  long long behind = t->cols - j, most = chirp ? t->n : t->n - 1, m = t->n - 1;
  if (chirp) {
    long long c = j < most ? j : behind;
    if (c >= most) return (entry){0, 0};
    return root(-t->sign, product((unsigned long long)c, (unsigned long long)c, 2 * (unsigned long long)t->n),
                2 * (unsigned long long)t->n);
  }
  if (j >= most && (behind >= most || t->cols == m)) return (entry){0, 0};
  long long e = j < most ? (m - j) % m : behind % m; /* g^-j; j below 0 is behind the end */
  return root(t->sign, (unsigned long long)logarithm[e], (unsigned long long)t->n);
}

enum { MOST_TERMS = 1 << 14 };

/* What is summed, and one turn of the circle: each once. */
static int fill_sums(const table *t) {
  static long long powers[MOST_TERMS];
  static entry pulses[MOST_TERMS], turn[MOST_TERMS];
  if (t->cols > MOST_TERMS || t->n > MOST_TERMS) return -1;
  long long g = is(t, "bluestein") ? 1 : generator(t->n), x = 1;
  for (long long c = 0; c + 1 < t->n; c++, x = x * g % t->n) powers[c] = x;
  for (long long j = 0; j < t->cols; j++) {
    pulses[j] = pulse(t, j, powers);
    turn[j] = root(-1, (unsigned long long)j, (unsigned long long)t->cols);
  }
  for (long long k = 0; k < t->cols; k++) {
    entry sum = {0, 0};
    for (long long j = 0, at = 0; j < t->cols; j++, at = at + k < t->cols ? at + k : at + k - t->cols) {
      entry a = pulses[j], w = turn[at];
      sum.re += a.re * w.re - a.im * w.im, sum.im += a.re * w.im + a.im * w.re;
    }
    sum.re /= (long double)t->cols, sum.im /= (long double)t->cols;
    if (is(t, "rader") && k == 0) sum = (entry){1, 0};
    put(t, place_of(t, k, false), sum);
  }
  return 0;
}

/* 1, and what the sum of all inputs is multiplied by. */
static void fill_rader_sum(const table *t) {
  entry w = root(t->sign, 1, (unsigned long long)t->n), sum = {-1, 0};
  if (t->order != t->n - 1) sum = (entry){-2 - w.re, -w.im};
  put(t, 0, (entry){1, 0});
  put(t, 1, (entry){sum.re / (long double)t->order, sum.im / (long double)t->order});
}

/* ---- whole numbers, windows ------------------------------------------------------------------ */

static int fill_indices(const table *t) {
  long long g = generator(t->n), m = t->n - 1, x = 1;
  int *to = t->to;
  if ((size_t)t->cols * sizeof(int) > t->bytes) return -1;
  if (is(t, "power") && t->sign < 0) g = power(g, t->n - 2, t->n);
  if (is(t, "logarithm")) to[0] = (int)t->order;
  for (long long c = 0; c < m; c++, x = x * g % t->n)
    if (is(t, "power"))
      to[c] = (int)x;
    else
      to[x] = (int)place_of(t, t->sign > 0 ? c : (m - c) % m, true);
  return 0;
}

static bank bank_of(const table *t) {
  const cJSON *rate = cJSON_GetObjectItemCaseSensitive(t->row, "rate"),
              *low = cJSON_GetObjectItemCaseSensitive(t->row, "low"),
              *high = cJSON_GetObjectItemCaseSensitive(t->row, "high");
  return (bank){.bands = number_of(t->row, "bands", 0),
                .rate = rate ? rate->valuedouble : 0,
                .low = low ? low->valuedouble : 0,
                .high = high ? high->valuedouble : 0,
                .htk = number_of(t->row, "htk", 0),
                .peak = number_of(t->row, "peak", 0)};
}

/* A band's first bin, or an earlier one from which there are as many as it has slots. */
static long long band_start(const table *t, const bank *b, long long band) {
  long long n = number_of(t->row, "points", 0), last = n / 2 + 1 - number_of(t->row, "slots", 0), k = 0;
  while (2 * k <= n && bank_weight(b, n, band, k) == 0) k++;
  if (2 * k > n) k = 0;
  return k < last ? k : last > 0 ? last : 0;
}

/* The first bins of bands, or the weights of all of their slots. */
static int fill_bank(const table *t, bool first) {
  bank b = bank_of(t);
  long long slots = number_of(t->row, "slots", 1), n = number_of(t->row, "points", 0);
  if (first && (size_t)t->cols * sizeof(int) > t->bytes) return -1;
  for (long long c = 0; c < t->cols; c++) {
    long long band = first ? c : c / slots, start = band_start(t, &b, band);
    if (first)
      ((int *)t->to)[c] = (int)start;
    else
      put(t, c, (entry){bank_weight(&b, n, band, start + c % slots), 0});
  }
  return 0;
}

static int fill_window(const table *t) {
  const cJSON *name = cJSON_GetObjectItemCaseSensitive(t->row, "window");
  const cJSON *of = cJSON_GetObjectItemCaseSensitive(t->row, "parameter");
  long double parameter = of ? of->valuedouble : 0;
  int window = 0;
  if (name && strcmp(name->valuestring, "numbers") == 0) {
    for (long long c = 0; c < t->cols; c++) put(t, c, (entry){(long double)c, 0});
    return 0;
  }
  if (name && strcmp(name->valuestring, "mel") == 0) return fill_bank(t, false);
  while (name && window < WINDOWS && strcmp(window_names[window], name->valuestring) != 0) window++;
  if (!name || window == WINDOWS) return -1;
  long long hop = number_of(t->row, "hop", 0), frames = number_of(t->row, "frames", 1), n = t->n - (frames - 1) * hop;
  for (long long c = 0; c < t->cols; c++) {
    long double squares = 0;
    for (long long f = 0; hop && f < frames; f++) {
      long long j = c - f * hop;
      long double w = j < 0 || j >= n ? 0 : window_weight(window, parameter, j, n);
      squares += w * w;
    }
    put(t, c, (entry){!hop ? window_weight(window, parameter, c, n) : squares > 1e-11L ? 1 / squares : 0, 0});
  }
  return 0;
}

int table_fill(const cJSON *row, bool wide, void *to, size_t bytes) {
  const cJSON *fill = cJSON_GetObjectItemCaseSensitive(row, "fill");
  const cJSON *layout = cJSON_GetObjectItemCaseSensitive(row, "layout");
  table t = {.row = row,
             .rows = number_of(row, "rows", 1),
             .cols = number_of(row, "cols", 0),
             .order = number_of(row, "order", 1),
             .n = number_of(row, "n", 0),
             .shift = number_of(row, "shift", 0),
             .sign = (int)number_of(row, "sign", 1),
             .wide = wide,
             .to = to,
             .bytes = bytes};
  if (!cJSON_IsString(fill) || !cJSON_IsString(layout) || strcmp(layout->valuestring, "blocked") == 0) return -1;
  t.fill = fill->valuestring, t.layout = layout->valuestring;
  if (is(&t, "power") || is(&t, "logarithm")) return fill_indices(&t);
  if (is(&t, "band")) return fill_bank(&t, true);
  if (is(&t, "bluestein") || is(&t, "powers") || is(&t, "rader")) return fill_sums(&t);
  if (is(&t, "window")) return fill_window(&t);
  if (is(&t, "rader_sum"))
    fill_rader_sum(&t);
  else
    fill_roots(&t);
  return 0;
}
