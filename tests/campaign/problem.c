/* See problem.h. The grammar is that of docs/problem.md and of nothing else. */
#include "problem.h"
#include "expression.h"
#include <ctype.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char *const kind_names[] = {"c2c",  "r2c",  "c2r",  "conv", "rconv", "dct1",  "dct2", "dct3", "dct4",
                                         "dst1", "dst2", "dst3", "dst4", "mdct",  "imdct", "stft", "istft"};
static const char *const number_names[] = {"f16", "bf16", "f32", "f64", "u8", "i16"};
static const char *const operation_names[] = {"window", "zeropad", "crop", "shift", "mul",
                                              "add",    "conj",    "mag",  "mag2",  "logmag"};
const char *const window_names[WINDOWS] = {"hann", "hamming", "blackman", "blackmanharris", "nuttall", "flattop",
                                           "sine", "vorbis",  "kaiser",   "gaussian",       "tukey",   "chebyshev"};

/* Harris 1978, Nuttall 1981, D'Antona and Ferrero 2006. */
static const long double window_terms[SUMS - 1][5] = {
    {0.5L, 0.5L},
    {0.54L, 0.46L},
    {0.42L, 0.5L, 0.08L},
    {0.35875L, 0.48829L, 0.14128L, 0.01168L},
    {0.3635819L, 0.4891775L, 0.1365995L, 0.0106411L},
    {0.21557895L, 0.41663158L, 0.277263158L, 0.083578947L, 0.006947368L},
};

static long double bessel(long double x) {
  long double sum = 1, term = 1;
  for (int k = 1; k < 500; k++) sum += term *= x * x / 4 / k / k;
  return sum;
}

static long double polynomial(long double n, long double x) {
  if (x > 1) return coshl(n * acoshl(x));
  return x < -1 ? (fmodl(n, 2) ? -1 : 1) * coshl(n * acoshl(-x)) : cosl(n * acosl(x));
}

/* Of n + 1 points, d from the middle: the sum over the polynomial's values. */
static long double chebyshev(long double attenuation, long double d, long long n) {
  long double pi = acosl(-1), beyond = coshl(acoshl(powl(10, attenuation / 20)) / (long double)n), sum = 0;
  for (long long k = 0; k <= n; k++)
    sum += polynomial((long double)n, beyond * cosl(pi * (long double)k / (long double)(n + 1))) *
           cosl(2 * pi * (long double)k * d / (long double)(n + 1));
  return sum;
}

static long double shaped_weight(int window, long double p, long long j, long long n) {
  long double pi = acosl(-1), t = (2 * (long double)j - (long double)n) / (long double)n, edge;
  long double angle = pi * (2 * (long double)j + 1) / (2 * (long double)n);
  switch (window - SUMS) {
  case 0: return sinl(pi / 2 * sinl(angle) * sinl(angle));
  case 1: return bessel(p * sqrtl(1 - t * t)) / bessel(p);
  case 2: return expl(-t * t / (2 * p * p));
  case 3:
    edge = (long double)(j < n - j ? j : n - j);
    return 2 * edge < p * (long double)n ? (1 - cosl(2 * pi * edge / (p * (long double)n))) / 2 : 1;
  default: return chebyshev(p, t * (long double)n / 2, n) / chebyshev(p, n % 2 ? 0.5L : 0, n);
  }
}

long double window_weight(int window, long double parameter, long long j, long long n) {
  long double sum = 0;
  if (n == 1) return 1;
  if (window >= SUMS) return shaped_weight(window, parameter, j, n);
  if (window == SUMS - 1) return sinl(acosl(-1.0L) * (2 * (long double)j + 1) / (2 * (long double)n));
  for (int m = 0; m < 5; m++) {
    long double angle = 2 * acosl(-1.0L) * (long double)(m * j % n) / (long double)n;
    sum += (m % 2 ? -1 : 1) * window_terms[window][m] * cosl(angle);
  }
  return sum;
}

int number_bytes(number type) {
  static const int bytes[] = {2, 2, 4, 8, 1, 2};
  return bytes[type];
}

long long problem_points(const problem *p) {
  long long points = 1;
  for (int d = 0; d < p->rank; d++) points *= p->axes[d].n;
  return points;
}

bool is_lapped(kind kind) { return kind == MDCT || kind == IMDCT; }

bool convolves(kind kind) { return kind == CONV || kind == RCONV; }

problem problem_inside(const problem *p, bool back) {
  problem one = *p;
  if (!convolves(p->kind)) return one;
  one.kind = p->kind == CONV ? C2C : back ? C2R : R2C;
  one.sign = back ? +1 : -1;
  if (p->kind == RCONV) one.extent[back ? IN : OUT][p->rank - 1] = p->axes[p->rank - 1].n / 2 + 1;
  return one;
}

long long spectrum_points(const problem *p) {
  problem back = problem_inside(p, true);
  return side_elements(&back, IN);
}

long long filter_points(const problem *p) {
  long long points = 1;
  for (int d = 0; d < p->rank; d++) points *= p->filter[d];
  return points;
}

static long long count_from(const problem *p, int first) {
  long long batches = 1;
  for (int d = first; d < p->batch_rank; d++) batches *= p->axes[p->rank + d].n;
  return batches;
}

long long batch_count(const problem *p) { return count_from(p, 0); }
long long result_count(const problem *p) { return count_from(p, p->summed); }

long long own_number(const problem *p, spectra whose, long long batch) {
  long long channels = p->batch_rank ? p->axes[p->rank + p->batch_rank - 1].n : 1;
  return whose == EACH ? batch : whose == CHANNEL ? batch % channels : 0;
}

long long own_count(const problem *p, spectra whose) { return own_number(p, whose, batch_count(p) - 1) + 1; }

long long spectrum_first(const problem *p, long long batch) {
  return spectrum_points(p) * own_number(p, p->spectra, batch);
}

long long spectrum_count(const problem *p) {
  return convolves(p->kind) ? spectrum_points(p) * own_count(p, p->spectra) : 0;
}

long long side_elements(const problem *p, int side) {
  long long count = 1;
  for (int d = 0; d < p->rank; d++) count *= p->extent[side][d];
  return count;
}

long long step_elements(const problem *p, int side, const step *s) {
  long long count = 1;
  for (int d = 0; d < p->rank; d++) count *= s->held ? p->held[side][d] : p->extent[side][d];
  return count;
}

long long step_number(const problem *p, int side, const step *s, const long long *index) {
  long long number = 0;
  for (int d = 0; d < p->rank; d++) {
    long long n = s->held ? p->held[side][d] : p->extent[side][d], i = index[d] - (s->held ? p->first[side][d] : 0);
    if (i < 0 || i >= n) return -1;
    number = number * n + i;
  }
  return number;
}

long long array_elements(const problem *p, int side) {
  long long last = 0;
  for (int d = 0; d < p->rank + p->batch_rank; d++) last += (p->held[side][d] - 1) * p->axes[d].stride[side];
  return last + 1;
}

static int index_of(const char *word, size_t length, const char *const *names, int count) {
  for (int i = 0; i < count; i++) {
    if (strlen(names[i]) == length && memcmp(names[i], word, length) == 0) return i;
  }
  return -1;
}

int window_read(const char *text, size_t length, long double *parameter) {
  const char *bracket = memchr(text, '(', length);
  *parameter = bracket ? strtod(bracket + 1, NULL) : 0;
  return index_of(text, bracket ? (size_t)(bracket - text) : length, window_names, WINDOWS);
}

/* A name's value from "rows=3,s=2"; the name is noted in its order. */
static long long parameter_value(problem *p, const char *name, size_t length, const char *values) {
  for (int i = 0; i < p->parameter_count; i++) {
    const parameter *known = &p->parameters[i];
    if (strlen(known->name) == length && memcmp(known->name, name, length) == 0) return known->value;
  }
  for (const char *c = values; *c; c++) {
    if ((c == values || c[-1] == ',') && strncmp(c, name, length) == 0 && c[length] == '=') {
      parameter *fresh = &p->parameters[p->parameter_count++];
      snprintf(fresh->name, sizeof fresh->name, "%.*s", (int)length, name);
      return fresh->value = atoll(c + length + 1);
    }
  }
  return 0;
}

/* NUMBER, NAME[a..b] or NUMBER*NAME[a..b]; 0 where it is none. */
static long long read_amount(problem *p, const char **text, const char *values) {
  const char *c = *text;
  long long factor = 1;
  if (isdigit((unsigned char)*c)) {
    factor = strtoll(c, (char **)&c, 10);
    *text = c;
    if (*c != '*') return factor;
    c++;
  }
  const char *name = c;
  while (isalnum((unsigned char)*c) || *c == '_') c++;
  long long value = parameter_value(p, name, (size_t)(c - name), values);
  if (*c == '[') c = strchr(c, ']') ? strchr(c, ']') + 1 : c;
  *text = c;
  return factor * value;
}

static int read_axes(problem *p, const char *text, const char *values, int first) {
  int count = 0;
  for (;; text++) {
    axis *a = &p->axes[first + count++];
    if (first + count > MOST_AXES || (a->n = read_amount(p, &text, values)) < 1) return -1;
    for (int side = IN; side <= OUT && *text == ':'; side++) {
      text++;
      if ((a->stride[side] = read_amount(p, &text, values)) < (side == IN)) return -1;
    }
    if (*text != 'x') return *text ? -1 : count;
  }
}

/* LENGTH or FIRST:LENGTH of each dimension; first NULL: the former. */
static int read_lengths(int rank, const char *text, long long *first, long long *length) {
  for (int d = 0; d < rank; d++) {
    length[d] = strtoll(text, (char **)&text, 10);
    if (first && *text == ':') {
      first[d] = length[d];
      length[d] = strtoll(text + 1, (char **)&text, 10);
    }
    if (*text++ != (d + 1 < rank ? 'x' : ')')) return -1;
  }
  return 0;
}

/* Up to a comma outside of brackets. */
static size_t item_length(const char *text) {
  int depth = 0;
  size_t i = 0;
  for (; text[i] && (text[i] != ',' || depth); i++)
    depth += (text[i] == '(' || text[i] == '[') - (text[i] == ')' || text[i] == ']');
  return i;
}

static long double mel_of(const bank *b, long double f) {
  if (b->htk) return 2595 * log10l(1 + f / 700);
  return f < 1000 ? f * 3 / 200 : 15 + logl(f / 1000) / (logl(6.4L) / 27);
}

static long double corner_of(const bank *b, long long i) {
  long double low = mel_of(b, b->low), high = mel_of(b, b->high);
  long double mel = low + (high - low) * (long double)i / (long double)(b->bands + 1);
  if (b->htk) return 700 * (powl(10, mel / 2595) - 1);
  return mel < 15 ? mel * 200 / 3 : 1000 * expl((mel - 15) * (logl(6.4L) / 27));
}

long double bank_weight(const bank *b, long long n, long long band, long long k) {
  long double f = (long double)k * b->rate / (long double)n, c[3];
  for (int i = 0; i < 3; i++) c[i] = corner_of(b, band + i);
  long double up = (f - c[0]) / (c[1] - c[0]), down = (c[2] - f) / (c[2] - c[1]), w = fminl(up, down);
  if (2 * k > n || w <= 0) return 0;
  return b->peak ? w : 2 * w / (c[2] - c[0]);
}

/* mel(BANDS,RATE[,LOW,HIGH][,htk][,peak]) */
static void read_bank(problem *p, const char *text, int before) {
  double number[4] = {0};
  int count = sscanf(text, "(%lf,%lf,%lf,%lf", &number[0], &number[1], &number[2], &number[3]);
  const char *end = strchr(text, ')'), *htk = strstr(text, "htk"), *peak = strstr(text, "peak");
  p->bank = (bank){(long long)number[0],
                   number[1],
                   count == 4 ? number[2] : 0,
                   count == 4 ? number[3] : number[1] / 2,
                   htk && htk < end,
                   peak && peak < end,
                   before};
  p->held[OUT][p->rank - 1] = p->bank.bands;
}

/* centre, reflect, norm: of frames. */
static bool read_frames_step(problem *p, const char *text, size_t length, int side) {
  static const char *const names[] = {"centre", "reflect", "norm"};
  int what = index_of(text, length, names, 3);
  signal_frames *f = &p->frames;
  if (what == 2)
    for (int i = 0; i < p->step_count[side]; i++)
      if (p->steps[side][i].what == WINDOW && p->steps[side][i].window >= 0) f->norm = &p->steps[side][i];
  if (what < 0 || what == 2) return what == 2;
  f->reflect = what == 1;
  f->first = f->length / 2;
  f->samples = (p->axes[0].n - 1) * f->hop + (side == OUT ? f->length % 2 : 0);
  if (text[length] == '(') f->samples = strtoll(text + length + 1, NULL, 10);
  return true;
}

/* The operations of a side, after the axes are known. */
static int read_steps(problem *p, const char *text, int side) {
  bool complex = p->complex_element[side], held = false; /* behind crop */
  for (int number_of = 1; *text; number_of++) {
    size_t length = strcspn(text, ",("), whole = item_length(text);
    int type = index_of(text, length, number_names, 6), what = index_of(text, length, operation_names, LOGMAG + 1);
    if (type >= U8) {
      p->stored[side] = (number)type;
    } else if (read_frames_step(p, text, length, side)) {
      ;
    } else if (length == 3 && strncmp(text, "mel", 3) == 0) {
      read_bank(p, text + 3, p->step_count[side]);
    } else if (what < 0 || (what == CONJ && text[length] == '(') || whole > strcspn(text, ",")) {
      step *s = &p->steps[side][p->step_count[side]++];
      *s = (step){.what = EXPRESSION, .window = -1, .given = -1, .pairs = complex, .held = held};
      if (!expression_read(text, whole, p, side, s)) return -1;
      if (s->makes_real) complex = false;
    } else if (what == ZEROPAD || what == CROP) {
      if (read_lengths(p->rank, text + length + 1, p->first[side], p->held[side])) return -1;
      for (int i = 0; side == IN && i < p->step_count[side]; i++) p->steps[side][i].held = true;
      held = side == OUT;
    } else {
      step *s = &p->steps[side][p->step_count[side]++];
      *s = (step){.what = (operation)what, .window = -1, .given = -1, .pairs = complex, .held = held};
      if (text[length] == '(' && what != WINDOW)
        s->whose = text[length + 1] == 'e' ? EACH : text[length + 1] == 'c' ? CHANNEL : SHARED;
      if (text[length] == '(' && what == WINDOW)
        s->window = window_read(text + length + 1, whole - length - 2, &s->parameter);
      if (what == MUL || what == PLUS || (what == WINDOW && s->window < 0)) {
        s->given = p->given_count++;
        snprintf(s->name, sizeof s->name, "%s_%s%d", side ? "out" : "in", operation_names[what], number_of);
      }
      if (what >= MAG) complex = false;
    }
    text += whole + (text[whole] == ',');
  }
  p->complex_array[side] = complex;
  return 0;
}

static void settle_extents(problem *p) {
  p->complex_element[IN] = p->kind == C2C || p->kind == C2R || p->kind == CONV || p->kind == ISTFT;
  p->complex_element[OUT] = p->kind == C2C || p->kind == R2C || p->kind == CONV || p->kind == STFT;
  for (int side = IN; side <= OUT; side++) {
    for (int d = 0; d < p->rank + p->batch_rank; d++) p->extent[side][d] = p->axes[d].n;
    bool half = side == IN ? p->kind == C2R || p->kind == ISTFT : p->kind == R2C || p->kind == STFT;
    if (p->kind == (side == IN ? MDCT : IMDCT)) p->extent[side][p->rank - 1] *= 2;
    if (half) p->extent[side][p->rank - 1] = p->axes[p->rank - 1].n / 2 + 1;
    memcpy(p->held[side], p->extent[side], sizeof p->held[side]);
    for (int d = 0; side == OUT && d < p->summed; d++) p->held[side][p->rank + d] = 1;
  }
}

/* Strides that were left out: from the last dimension outwards, the batch's outermost. */
/* Frames: docs/problem.md, "Frames of a signal". */
static void settle_frames(problem *p) {
  signal_frames *f = &p->frames;
  f->side = -1;
  if (p->rank < 2 || p->kind < MDCT) return;
  f->side = p->kind == IMDCT || p->kind == ISTFT ? OUT : IN;
  f->length = (is_lapped(p->kind) ? 2 : 1) * p->axes[1].n;
  f->hop = p->axes[0].stride[f->side];
  if (!f->hop) f->hop = is_lapped(p->kind) || p->axes[1].n < 4 ? p->axes[1].n : p->axes[1].n / 4;
  f->samples = (p->axes[0].n - 1) * f->hop + f->length;
}

static void hold_signal(problem *p) {
  signal_frames *f = &p->frames;
  if (f->side < 0) return;
  p->held[f->side][0] = 1, p->held[f->side][1] = f->samples;
  p->axes[0].stride[f->side] = 1;
}

static void settle_strides(problem *p) {
  hold_signal(p);
  for (int side = IN; side <= OUT; side++) {
    bool padded = p->in_place && (side == IN ? p->kind == R2C : p->kind == C2R);
    long long extent = 1;
    for (int i = 0; i < p->rank + p->batch_rank; i++) {
      int d = i < p->rank ? p->rank - 1 - i : 2 * p->rank + p->batch_rank - 1 - i;
      long long held = p->held[side][d];
      if (i == 0 && padded) held = 2 * (p->axes[d].n / 2 + 1);
      bool frame = p->kind == MDCT && p->rank == 1 && side == IN && d == p->rank + p->batch_rank - 1 && p->batch_rank;
      bool added = side == OUT && d >= p->rank && d < p->rank + p->summed;
      if (!p->axes[d].stride[side] && !added) p->axes[d].stride[side] = frame ? p->axes[0].n : extent;
      long long end = (held + frame) * p->axes[d].stride[side];
      if (end > extent) extent = end;
    }
  }
}

static void read_layout(problem *p, const char *value) {
  const char *second = strchr(value, '>');
  p->split[IN] = value[0] == 's';
  p->split[OUT] = second ? second[1] == 's' : p->split[IN];
}

static long double read_scale(const problem *p, const char *value) {
  long double points = (long double)(p->kind >= MDCT ? p->axes[p->rank - 1].n : problem_points(p));
  if (strcmp(value, "1/n") == 0) return 1 / points;
  if (strcmp(value, "1/sqrt(n)") == 0) return 1 / sqrtl(points);
  return strtod(value, NULL);
}

/* The value of a key in a copy of the line; NULL: it is not there. */
static const char *value_of(char *const *words, int count, const char *key) {
  for (int i = 2; i < count; i++) {
    if (strncmp(words[i], key, strlen(key)) == 0 && words[i][strlen(key)] == '=') return words[i] + strlen(key) + 1;
  }
  return NULL;
}

static int read_words(problem *p, char *const *words, int count, const char *values, char *error) {
  static const char *const fixed[] = {"sign", "place", "layout", "compute", "scale"};
  const char *v[5], *n = value_of(words, count, "n"), *batch = value_of(words, count, "batch");
  int k = index_of(words[0], strlen(words[0]), kind_names, ISTFT + 1),
      t = index_of(words[1], strlen(words[1]), number_names, 4);
  if (k < 0 || t < 0 || !n) return snprintf(error, 200, "kind, precision or n"), -1;
  for (int i = 0; i < 5; i++) v[i] = value_of(words, count, fixed[i]);
  p->kind = (kind)k, p->precision = p->stored[IN] = p->stored[OUT] = (number)t;
  p->rank = read_axes(p, n, values, 0);
  if (p->rank < 1) return snprintf(error, 200, "n=%s", n), -1;
  p->batch_rank = batch ? read_axes(p, batch, values, p->rank) : 0;
  if (p->batch_rank < 0) return snprintf(error, 200, "batch=%s", batch), -1;
  p->sign = p->kind == C2R || p->kind == ISTFT ? 1 : -1;
  if (v[0]) p->sign = v[0][0] == '+' || v[0][0] == 'b' ? 1 : -1;
  p->in_place = v[1] && strcmp(v[1], "in") == 0;
  if (v[2]) read_layout(p, v[2]);
  p->compute = p->precision == F64 ? F64 : F32;
  if (v[3]) p->compute = strcmp(v[3], "f64") == 0 ? F64 : F32;
  p->scale = v[4] ? read_scale(p, v[4]) : 1;
  const char *filter = value_of(words, count, "filter"), *whose = filter ? filter : value_of(words, count, "spectrum");
  p->conjugated = whose && strstr(whose, "conj");
  if (whose) p->spectra = whose[0] == 'e' ? EACH : strncmp(whose, "ch", 2) == 0 ? CHANNEL : SHARED;
  if (filter) {
    const char *lengths = strchr(filter, '(');
    for (int d = 0; d < p->rank; d++) p->filter[d] = p->axes[d].n;
    if (lengths && read_lengths(p->rank, lengths + 1, NULL, p->filter)) return snprintf(error, 200, "%s", filter), -1;
  }
  const char *sum = value_of(words, count, "sum");
  if (sum) p->summed = p->batch_rank - (sum[0] == 'c');
  settle_extents(p);
  settle_frames(p);
  for (int side = IN; side <= OUT; side++) {
    const char *steps = value_of(words, count, side ? "store" : "load");
    p->complex_array[side] = p->complex_element[side];
    if (steps && read_steps(p, steps, side)) return snprintf(error, 200, "%s", steps), -1;
    if (!p->complex_array[side]) p->split[side] = false;
  }
  settle_strides(p);
  return 0;
}

int problem_read(problem *p, const char *line, const char *values, char *error) {
  char copy[4096], *words[24];
  int count = 0;
  *p = (problem){0};
  snprintf(copy, sizeof copy, "%s", line);
  for (char *c = strtok(copy, " \n"); c && count < 24; c = strtok(NULL, " \n")) words[count++] = c;
  if (count < 3) return snprintf(error, 200, "too short"), -1;
  return read_words(p, words, count, values, error);
}
