/* See draw.h. What is drawn keeps to docs/problem.md: what a page refuses is not drawn, and so a refusal is
 * a failure. Lengths are short, as the definition is summed directly; strides are by a random order of the axes
 * in memory, with gaps. */
#include "draw.h"
#include "draw_expression.h"
#include "numbers.h"
#include "problem.h"
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

typedef struct drawing {
  uint64_t state;
  drawn *d;
  kind kind;
  number precision;
  bool in_place, plain, real, small, by_hand, single; /* single: without doubles */
  int rank, batch_rank, named;
  long long n[MOST_AXES], first[2][MOST_AXES], held[2][MOST_AXES], stride[2][MOST_AXES];
  char count[MOST_AXES][40];     /* of a batch, as text */
  char amount[2][MOST_AXES][48]; /* strides as text */
  bool padded, mag, frames;
  char steps[2][600];
  long long hop;
} drawing;

static long long below(drawing *w, long long n) { return random_below(&w->state, n); }
static bool chance(drawing *w, int percent) { return below(w, 100) < percent; }

static void append(char *to, size_t size, const char *format, ...) {
  size_t used = strlen(to);
  va_list list;
  va_start(list, format);
  vsnprintf(to + used, size - used, format, list);
  va_end(list);
}

#define ADD(to, ...) append(to, sizeof(to), __VA_ARGS__)

/* ---- lengths -------------------------------------------------------------------- */

static long long length(drawing *w) {
  static const long long smooth[] = {64,  96,  100, 120, 128, 144, 160, 180,  240,
                                     256, 264, 300, 360, 512, 600, 720, 1000, 1024};
  if (w->rank > 1) return 1 + below(w, w->rank == 2 ? 40 : w->rank == 3 ? 14 : 8);
  long long which = below(w, w->real || w->small ? 70 : 100);
  if (which < 40) return 1 + below(w, 32);
  if (which < 75) return 1 + below(w, w->real ? 70 : 140);
  if (which < 94) return smooth[below(w, sizeof smooth / sizeof *smooth)];
  return 1 + below(w, 1100);
}

static bool is_frame_kind(kind kind) { return kind >= MDCT; }
static bool adds_frames(kind kind) { return kind == IMDCT || kind == ISTFT; }
static bool has_half(kind kind, int side) {
  return side == IN ? kind == C2R || kind == ISTFT : kind == R2C || kind == STFT;
}
static bool is_complex(kind kind, int side) { return kind == C2C || kind == CONV || has_half(kind, side); }

/* Transforms that sums have parts of: of short convolutions. */
static bool may_be_many(const drawing *w) {
  long long points = 1;
  for (int d = 0; d < w->rank; d++) points *= w->n[d];
  return convolves(w->kind) && points <= 48;
}

static void draw_lengths(drawing *w) {
  int which = (int)below(w, 100);
  w->rank = which < 60 ? 1 : which < 82 ? 2 : which < 94 ? 3 : 4;
  if (is_frame_kind(w->kind)) w->rank = is_lapped(w->kind) && chance(w, 50) ? 1 : 2;
  w->frames = is_frame_kind(w->kind) && w->rank == 2;
  for (int d = 0; d < w->rank; d++) {
    w->n[d] = length(w);
    if (w->kind == DCT1 && w->n[d] < 2) w->n[d] = 2;
    if (w->frames && d == 0)
      w->n[d] = 1 + below(w, 9);
    else if (is_lapped(w->kind))
      w->n[d] += w->n[d] % 2;
  }
  which = (int)below(w, 100);
  w->batch_rank = which < 45 ? 0 : which < 88 ? 1 : 2;
  for (int d = w->rank; d < w->rank + w->batch_rank; d++) {
    w->n[d] = 1 + below(w, chance(w, 30) ? 20 : 6);
    if (d == w->rank && may_be_many(w) && chance(w, 30)) w->n[d] += 60 + below(w, 300);
    ADD(w->count[d], "%lld", w->n[d]);
  }
  if (w->batch_rank && chance(w, 25)) { /* as many as the caller says */
    int d = w->rank;
    long long most = w->n[d];
    long long now = 1 + below(w, most);
    snprintf(w->count[d], sizeof w->count[d], "count[1..%lld]", most);
    ADD(w->d->values, "%scount=%lld", w->named++ ? "," : "", now);
  }
}

/* Frames, and the distance between them on either side. */
static void draw_hop(drawing *w) {
  int side = adds_frames(w->kind) ? OUT : IN;
  long long frame = (is_lapped(w->kind) ? 2 : 1) * w->n[1], least = (frame + 63) / 64;
  long long row = is_lapped(w->kind) ? w->n[1] : w->n[1] / 2 + 1;
  w->hop = 1 + below(w, side == OUT ? frame : frame + 3);
  if (w->hop < least) w->hop = least;
  snprintf(w->amount[side][0], sizeof w->amount[side][0], "%lld", w->hop);
  snprintf(w->amount[!side][0], sizeof w->amount[!side][0], "%lld", row + (chance(w, 25) ? below(w, 4) : 0));
}

/* ---- operations ----------------------------------------------------------------- */

static void add_step(drawing *w, int side, const char *text) {
  ADD(w->steps[side], "%s%s", w->steps[side][0] ? "," : "", text);
}

/* With an array, of all transforms or of some. */
static void add_given(drawing *w, int side, const char *name) {
  char text[40];
  long long whose = below(w, 4);
  snprintf(text, sizeof text, "%s%s", name, whose == 0 ? "(channel)" : whose == 1 ? "(each)" : "");
  add_step(w, side, text);
}

static void draw_expression_step(drawing *w, int side) {
  expression_wish wish = {
      .side = side, .rank = w->rank, .batches = w->batch_rank > 0, .may_be_real = side == OUT && !w->in_place};
  char text[200];
  wish.complex = is_complex(w->kind, side);
  wish.complex = wish.complex && !(side == OUT && w->mag);
  wish.state = random_bits(&w->state);
  bool real = draw_expression(&wish, text);
  add_step(w, side, text);
  w->mag |= side == OUT && real && wish.complex;
}

static void draw_window(drawing *w, int side) {
  static const char *const parameters[] = {"", "(8.6)", "(0.4)", "(0.3)", "(60)"}; /* behind those that are sums */
  int window = (int)below(w, WINDOWS);
  char text[40];
  snprintf(text, sizeof text, "window(%s%s)", window_names[window], window < SUMS ? "" : parameters[window - SUMS]);
  add_step(w, side, text);
}

enum { KEEPS_ZERO = 4 /* of the steps below, before zeros */ };

static void draw_step(drawing *w, int side, int kinds, bool *shifted) {
  bool half = has_half(w->kind, side);
  switch (below(w, side == OUT ? kinds + 2 : kinds)) {
  case 0: add_step(w, side, "window"); break;
  case 1: draw_window(w, side); break;
  case 2: add_given(w, side, "mul"); break;
  case 3: add_step(w, side, "conj"); break;
  case 4: add_given(w, side, "add"); break;
  case 5:
    if (!half && !*shifted) add_step(w, side, "shift");
    *shifted |= !half;
    break;
  case 6:
  case 7:
  case 8: draw_expression_step(w, side); break;
  default:
    if (!w->in_place) add_step(w, side, (const char *[]){"mag", "mag2", "logmag"}[below(w, 3)]);
    w->mag |= !w->in_place;
    break;
  }
}

/* zeropad or crop: what the array has of a transform's elements. */
static void draw_part(drawing *w, int side) {
  char text[200];
  int cuts = 0;
  bool begins = side == OUT || chance(w, 40);
  snprintf(text, sizeof text, "%s(", side == OUT ? "crop" : "zeropad");
  for (int d = 0; d < w->rank; d++) {
    long long all = w->held[side][d], *first = &w->first[side][d];
    *first = begins && cuts < 5 && chance(w, 60) ? below(w, all) : 0;
    w->held[side][d] = !begins || cuts < 5 ? 1 + below(w, all - *first) : all;
    cuts += (*first > 0) + (*first + w->held[side][d] < all);
    ADD(text, "%s", d ? "x" : "");
    if (*first) ADD(text, "%lld:", *first);
    ADD(text, "%lld", w->held[side][d]);
  }
  ADD(text, ")");
  add_step(w, side, text);
}

/* Where frames are in a signal, and norm; true: no other operations beside it. */
static bool draw_signal(drawing *w, int side) {
  long long frame = (is_lapped(w->kind) ? 2 : 1) * w->n[1], between = (w->n[0] - 1) * w->hop;
  long long length = between + 1 + below(w, w->hop), behind = between + frame - 1 - frame / 2;
  char text[60];
  if (side != (adds_frames(w->kind) ? OUT : IN)) return false;
  bool norm = side == OUT && chance(w, 40);
  if (norm) add_step(w, side, chance(w, 50) ? "window(hamming),norm" : "window(kaiser(4)),norm");
  if (chance(w, 50)) return norm;
  bool reflect = side == IN && frame / 2 < length && behind <= 2 * (length - 1) && chance(w, 60);
  if (side == OUT) length = 1 + below(w, between + frame - frame / 2);
  bool said = reflect || between < 1 || chance(w, 50);
  snprintf(text, sizeof text, said ? "%s(%lld)" : "%s", reflect ? "reflect" : "centre", length);
  add_step(w, side, text);
  return norm;
}

/* Magnitudes, and bands of them. */
static bool draw_bank(drawing *w) {
  long long bins = w->n[w->rank - 1] / 2 + 1, bands = 1 + below(w, w->frames && bins < 40 ? bins : 40);
  char text[100];
  bool lines = w->kind == STFT || (w->kind == R2C && w->rank == 1);
  if (!lines || w->in_place || !chance(w, 30)) return false;
  snprintf(text, sizeof text, "mag2,mel(%lld,16000%s%s%s)%s", bands, chance(w, 40) ? ",100,7000" : "",
           chance(w, 50) ? ",htk" : "", chance(w, 50) ? ",peak" : "", chance(w, 40) ? ",log(0.01+x)" : "");
  add_step(w, OUT, chance(w, 50) ? text : text + 5); /* of the magnitude, or its square */
  if (w->steps[OUT][0] == 'm' && w->steps[OUT][1] == 'e')
    snprintf(w->steps[OUT], sizeof w->steps[OUT], "mag,%s", text + 5);
  w->held[OUT][w->rank - 1] = bands;
  w->mag = true;
  return true;
}

static void draw_steps(drawing *w) {
  const char *whole = chance(w, 50) ? "u8" : "i16";
  bool both = chance(w, 8);
  for (int side = IN; side <= OUT; side++) {
    bool shifted = false, stored = w->in_place ? both : chance(w, 10);
    if (stored && side == IN) add_step(w, side, whole);
    int count = (int)below(w, 3);
    bool banked = side == OUT && draw_bank(w);
    if (banked) count = 0;
    bool part = !w->in_place && !w->frames && !banked && chance(w, side == OUT ? 20 : 15), last = part && chance(w, 50);
    if (part && !last) draw_part(w, side);
    shifted = part || w->frames; /* not with shift */
    if (w->frames && draw_signal(w, side)) count = 0;
    for (int i = 0; i < count; i++) {
      bool refused = true;
      draw_step(w, side, last && side == IN ? KEEPS_ZERO : 9, part || w->frames ? &refused : &shifted);
    }
    if (last) draw_part(w, side);
    if (stored && side == OUT) add_step(w, side, whole);
  }
}

/* ---- strides -------------------------------------------------------------------- */

static void settle_held(drawing *w) {
  for (int side = IN; side <= OUT; side++) {
    memcpy(w->held[side], w->n, sizeof w->n);
    if (has_half(w->kind, side)) w->held[side][w->rank - 1] = w->n[w->rank - 1] / 2 + 1;
    if (w->kind == (side == IN ? MDCT : IMDCT)) w->held[side][w->rank - 1] = 2 * w->n[w->rank - 1];
  }
}

static void shuffle(drawing *w, int *order, int count) {
  for (int i = 0; i < count; i++) order[i] = i;
  for (int i = count - 1; i > 0; i--) {
    int j = (int)below(w, i + 1), other = order[i];
    order[i] = order[j];
    order[j] = other;
  }
}

/* A side's strides by a random order of axes; innermost or outermost perhaps at run time. */
static void draw_side(drawing *w, int side) {
  int order[MOST_AXES], axes = w->rank + w->batch_rank;
  long long extent = 1;
  bool later = false;
  for (int d = 0; d < w->rank; d++) later = later || w->first[side][d];
  shuffle(w, order, axes);
  for (int i = 0; i < axes; i++) {
    int d = order[i];
    char *text = w->amount[side][d];
    long long stride = extent + (chance(w, 25) ? below(w, 5) : 0);
    bool fixed = later && d < w->rank; /* the array begins behind the first element */
    if (!fixed && i + 1 == axes && chance(w, 12)) {
      long long factor = 1 + below(w, 3), least = (stride + factor - 1) / factor, now = least + below(w, 4);
      snprintf(text, sizeof w->amount[side][d], factor > 1 ? "%lld*%s[%lld..%lld]" : "%.0lld%s[%lld..%lld]",
               factor > 1 ? factor : 0, side ? "po" : "pi", least, least + 3);
      ADD(w->d->values, "%s%s=%lld", w->named++ ? "," : "", side ? "po" : "pi", now);
    } else if (!fixed && i == 0 && axes > 1 && chance(w, 8)) {
      snprintf(text, sizeof w->amount[side][d], "%s[1..4]", side ? "so" : "si");
      ADD(w->d->values, "%s%s=%lld", w->named++ ? "," : "", side ? "so" : "si", 1 + below(w, 4));
      stride = 4;
    } else {
      snprintf(text, sizeof w->amount[side][d], "%lld", stride);
    }
    extent = stride * (w->held[side][d] - 1) + extent;
  }
}

/* Transforms that read the same elements: the distance between them is a hop, shorter than they are. */
static void draw_frames(drawing *w) {
  for (int d = 0; d < 2; d++)
    snprintf(w->amount[IN][d], sizeof w->amount[IN][d], "%lld", d ? 1 + below(w, w->n[0]) : 1);
  draw_side(w, OUT);
}

static void draw_strides(drawing *w) {
  if (w->frames || !chance(w, 30)) return;
  bool half = w->kind == R2C || w->kind == C2R;
  if (!w->in_place && w->rank == 1 && w->batch_rank == 1 && chance(w, 30)) {
    draw_frames(w);
    return;
  }
  if (w->in_place && half) return; /* the default: FFTW's padded layout */
  draw_side(w, IN);
  if (w->in_place)
    memcpy(w->amount[OUT], w->amount[IN], sizeof w->amount[IN]);
  else
    draw_side(w, OUT);
}

/* ---- the line ------------------------------------------------------------------- */

static void print_axes(drawing *w, const char *key, int first, int count) {
  for (int d = first; d < first + count; d++) {
    ADD(w->d->problem, "%s", d == first ? key : "x");
    if (d < w->rank)
      ADD(w->d->problem, "%lld", w->n[d]);
    else
      ADD(w->d->problem, "%s", w->count[d]);
    if (w->amount[IN][d][0]) ADD(w->d->problem, ":%s:%s", w->amount[IN][d], w->amount[OUT][d]);
  }
}

static void draw_layout(drawing *w) {
  bool pair = w->kind == C2C || w->kind == CONV;
  bool sides[2] = {is_complex(w->kind, IN), is_complex(w->kind, OUT) && !w->mag};
  if (!chance(w, 25) || (!sides[IN] && !sides[OUT])) return;
  if (w->in_place && !pair) return;
  if (!w->in_place && pair && sides[OUT] && chance(w, 50)) {
    ADD(w->d->problem, chance(w, 50) ? " layout=interleaved>split" : " layout=split>interleaved");
    return;
  }
  ADD(w->d->problem, " layout=split");
}

/* Whose spectrum; by doors that call a function for it, or plan twice, perhaps made of a filter. */
static void draw_spectrum(drawing *w) {
  static const char *const whose[] = {"shared", "channel", "each"};
  static const char *const doors[] = {"gcc", "clang", "llvm", "cc", "tcc", "pack"};
  bool filter = false;
  for (int i = 0; i < 6; i++) filter = filter || strcmp(w->d->door, doors[i]) == 0;
  filter = filter && chance(w, 40);
  ADD(w->d->problem, " %s=%s", filter ? "filter" : "spectrum", whose[below(w, 3)]);
  bool shorter = filter && chance(w, 60);
  for (int d = 0; d < w->rank && shorter; d++) ADD(w->d->problem, "%s%lld", d ? "x" : "(", 1 + below(w, w->n[d]));
  if (shorter) ADD(w->d->problem, ")");
  if (chance(w, 50)) ADD(w->d->problem, ",conj");
}

/* Results that are added, by store= the same for all of them. */
static void draw_sum(drawing *w) {
  const char *store = w->steps[OUT];
  bool strides = w->amount[IN][0][0];
  bool own = strchr(store, 'x') || strchr(store, '[') || strstr(store, "each") || strstr(store, "channel");
  if (w->in_place || strides || !w->batch_rank || own || !chance(w, 40)) return;
  ADD(w->d->problem, " sum=%s", w->batch_rank > 1 && chance(w, 70) ? "channel" : "shared");
}

static void draw_rest(drawing *w) {
  static const char *const scales[] = {"1/n", "1/sqrt(n)", "0.5", "1e-3", "-2.25"};
  bool whole = strstr(w->steps[OUT], "u8") || strstr(w->steps[OUT], "i16");
  if (!w->real && !convolves(w->kind) && chance(w, 40)) ADD(w->d->problem, chance(w, 50) ? " sign=+1" : " sign=-1");
  if (w->in_place) ADD(w->d->problem, " place=in");
  draw_layout(w);
  if (w->precision != F64 && !w->plain && !w->single && chance(w, 5)) ADD(w->d->problem, " compute=f64");
  if (chance(w, whole ? 80 : 20)) ADD(w->d->problem, " scale=%s", scales[below(w, whole ? 2 : 5)]);
  if (convolves(w->kind)) draw_spectrum(w), draw_sum(w);
  if (w->steps[IN][0]) ADD(w->d->problem, " load=%s", w->steps[IN]);
  if (w->steps[OUT][0]) ADD(w->d->problem, " store=%s", w->steps[OUT]);
}

static void print_problem(drawing *w) {
  static const char *const kinds[] = {"c2c",  "r2c",  "c2r",  "conv", "rconv", "dct1",  "dct2", "dct3", "dct4",
                                      "dst1", "dst2", "dst3", "dst4", "mdct",  "imdct", "stft", "istft"};
  static const char *const numbers[] = {"f16", "bf16", "f32", "f64"};
  ADD(w->d->problem, "%s %s", kinds[w->kind], numbers[w->precision]);
  print_axes(w, " n=", 0, w->rank);
  print_axes(w, " batch=", w->rank, w->batch_rank);
  draw_rest(w);
}

static void draw_problem(drawing *w) {
  long long which = below(w, 100);
  w->kind = which < 39 || (w->plain && which < 45) ? C2C
            : which < 45                           ? CONV
            : which < 49 && !w->plain              ? RCONV
            : which < 58                           ? R2C
            : which < 71                           ? C2R
            : which < 80                           ? (kind)(MDCT + below(w, 4))
                                                   : (kind)(DCT1 + below(w, 8));
  w->real = w->kind >= DCT1;
  which = below(w, 100);
  w->precision = which < 45 || (w->plain && which < 50) ? F32 : which < 90 || w->plain ? F64 : which < 95 ? F16 : BF16;
  if (w->precision == F64 && w->single) w->precision = F32;
  w->in_place = chance(w, 20) && !is_frame_kind(w->kind);
  draw_lengths(w);
  if (w->frames) draw_hop(w);
  settle_held(w);
  if (chance(w, 45)) draw_steps(w);
  draw_strides(w);
  print_problem(w);
}

/* ---- kinds of kernels ------------------------------------------------------------- */

/* What recipes choose for long transforms alone: blocks that store to each other, wait for each other, stay, or whose
 * copies an engine makes. */
static void draw_kernel(drawing *w) {
  static const char *const kinds[][3] = {
      {"c2c", "64", "four-step(stockham(4,2), stockham(4,2); cluster=2)"},
      {"c2c", "256", "four-step(stockham(4,4), stockham(4,4); cluster=4, deferred_store=on)"},
      {"c2c", "1024", "four-step(four-step(stockham(4,2), direct(4); cluster=2), stockham(8,4); l2_prefetch=on)"},
      {"c2c", "29", "bluestein(64, four-step(stockham(4,2), stockham(4,2); cluster=2); separate_buffers=on)"},
      {"c2c", "16x16", "nd(stockham(4,4), stockham(4,4); cluster=2)"},
      {"c2c", "64", "four-step(stockham(4,2), stockham(4,2); tile=8, rows=8, queue=3)"},
      {"c2c", "256", "four-step(stockham(4,4), stockham(4,4); tile=8, rows=8, queue=2, swap=on)"},
      {"c2c", "1024",
       "four-step(stockham(8,4), stockham(8,4); tile=16, rows=16, queue=2, swap=discard, deferred_wait=next)"},
      {"c2c", "64", "four-step(stockham(4,2), stockham(4,2); tile=8, rows=8, queue=3, frequency=on, products=on)"},
      {"c2c", "256", "four-step(stockham(4,4), stockham(4,4); tile=16, rows=16, queue=5, evict_last=on)"},
      {"c2c", "16x16", "nd(stockham(4,4), stockham(4,4); tile=8, rows=8, threads=64, queue=3)"},
      {"r2c", "64", "real(2, four-step(stockham(4,2), direct(4); cluster=2))"},
      {"c2r", "64", "real(2, four-step(stockham(4,2), direct(4); cluster=2))"},
      {"r2c", "512", "real(4, four-step(stockham(4,2), direct(16); tile=8, rows=8); threads=64, queue=2)"},
      {"r2c", "225", "four-step(direct(15), stockham(5,3); tile=5, rows=3)"},
      {"r2c", "90", "four-step(direct(3), stockham(5,6))"},
      {"c2r", "270", "four-step(stockham(3,3), stockham(5,6); rows=2)"},
      {"c2c", "5x64", "nd(direct(5), four-step(stockham(4,2), direct(8)))"},
      {"c2c", "96:21:21x7:3:3", "nd(four-step(direct(8), direct(12); uneven=on, rows=5), direct(7))"},
      {"c2c", "48x60", "nd(four-step(direct(6), direct(8)), four-step(direct(6), stockham(5,2)); tile=8)"},
      {"c2c", "5x64", "nd(direct(5), four-step(stockham(4,2), direct(8); tile=4, rows=4); inside=2)"},
      {"c2c", "64x3x5", "nd(four-step(direct(8), direct(8)), direct(3), direct(5); inside=3)"},
      {"c2r", "64x12", "nd(four-step(stockham(4,2), stockham(4,2)), direct(12); inside=2)"},
      {"r2c", "3x128", "nd(direct(3), four-step(direct(8), stockham(4,4)); uneven=on)"},
      {"c2r", "64x20", "nd(four-step(direct(8), direct(8)), real(4, direct(5)))"},
      {"c2c", "64", "stockham(8,8; group=2, bulk=both, persistent=4)"},
      {"c2c", "49", "stockham(7,7; group=3, bulk=separate, persistent=0)"},
      {"c2c", "125", "stockham(25,5; group=2, bulk=shared, persistent=3)"},
      {"r2c", "128", "real(2, stockham(8,8); group=2, bulk=both, persistent=2)"},
      {"c2c", "512", "stockham(8,8,8; group=1, load_ahead=on)"},
      {"conv", "343 spectrum=each", "convolve(stockham(7,7,7); group=1, load_ahead=on)"},
      {"c2c", "512", "stockham(8,16,4; steps=inner)"},
      {"c2c", "53", "dense(53; threads=4)"},
  };
  const char *const *kind = kinds[below(w, sizeof kinds / sizeof *kinds)];
  long long most = 2 + below(w, 20);
  ADD(w->d->problem, "%s %s n=%s", kind[0], chance(w, 70) ? "f32" : "f64", kind[1]);
  if (chance(w, 50)) {
    ADD(w->d->problem, " batch=count[1..%lld]", most);
    snprintf(w->d->values, sizeof w->d->values, "count=%lld", 1 + below(w, most));
  } else {
    ADD(w->d->problem, " batch=%lld", most);
  }
  if (chance(w, 30) && strcmp(kind[0], "conv") != 0) ADD(w->d->problem, " sign=%s", chance(w, 50) ? "+1" : "-1");
  ADD(w->d->problem, " | %s", kind[2]);
}

/* ---- doors ------------------------------------------------------------------------- */

enum { LAUNCHED = 5 };
static const char *const launched[LAUNCHED] = {"cuda", "hip", "opencl", "metal", "sycl"};

static bool lacks_doubles(const char *door) { return strcmp(door, "metal") == 0; }

static void draw_door(drawing *w, const char *door, const char *isa) {
  static const struct {
    const char *name;
    int percent;
  } doors[] = {{"gcc", 38}, {"clang", 11}, {"bundle", 8}, {"embedded", 5}, {"llvm", 14},
               {"cc", 3},   {"tcc", 5},    {"pack", 3},   {"opencl", 2},   {"cuda", 4},
               {"hip", 3},  {"cl", 1},     {"metal", 1},  {"sycl", 1},     {"kernel", 1}};
  static const char *const isas[] = {"scalar", "sse2", "avx2", "avx512", "znver4", "neon"};
  long long which = below(w, 100), isa_drawn = below(w, 6);
  int i = 0;
  while (which >= doors[i].percent) which -= doors[i++].percent;
  if (!door) door = doors[i].name;
  if (strcmp(door, "gpu") == 0) door = launched[below(w, LAUNCHED)];
  w->by_hand = strcmp(door, "kernel") == 0;
  if (w->by_hand) door = "cuda";
  bool emits = strcmp(door, "gcc") == 0 || strcmp(door, "clang") == 0;
  snprintf(w->d->door, sizeof w->d->door, "%s", door);
  snprintf(w->d->isa, sizeof w->d->isa, "%s", !emits ? "-" : isa ? isa : isas[isa_drawn]);
  if (strcmp(w->d->isa, "neon") == 0) snprintf(w->d->door, sizeof w->d->door, "gcc");
  w->plain = strcmp(door, "bundle") == 0 || strcmp(door, "embedded") == 0;
  w->single = lacks_doubles(door);
  w->small = strcmp(door, "opencl") == 0 || strcmp(door, "cl") == 0;
}

void draw_case(uint64_t seed, long long number, const char *door, const char *isa, drawn *d) {
  drawing w = {.state = random_start(seed, number), .d = d};
  *d = (drawn){0};
  draw_door(&w, door, isa);
  if (w.by_hand)
    draw_kernel(&w);
  else
    draw_problem(&w);
  if (!d->values[0]) strcpy(d->values, "-");
}

/* ---- the sweep -------------------------------------------------------------------- */

enum {
  KINDS = IMDCT + 1,
  SWEPT_LENGTHS = 130,
  PRECISIONS = F64 + 1,
  SWEPT = KINDS * SWEPT_LENGTHS * PRECISIONS * LAUNCHED * 4
};

long long draw_sweep_count(void) { return SWEPT; }

/* The next digit of a number in mixed radix. */
static int digit(long long *number, int radix) {
  int d = (int)(*number % radix);
  *number /= radix;
  return d;
}

/* A bijection of 18 bits by the seed, again until it is a number of the sweep: so it is a bijection of these. */
static long long scrambled(uint64_t seed, long long number) {
  enum { BITS = 18 };
  const uint64_t mask = (1 << BITS) - 1;
  _Static_assert(SWEPT < 1 << BITS, "the sweep has more cases than the bijection");
  uint64_t state = random_start(seed, 0), x = (uint64_t)number, odd[2], add;
  for (int i = 0; i < 2; i++) odd[i] = random_bits(&state) | 1;
  add = random_bits(&state);
  do {
    for (int i = 0; i < 2; i++) {
      x = (x * odd[i] + add) & mask;
      x ^= x >> 9;
    }
  } while (x >= SWEPT);
  return (long long)x;
}

void draw_swept(uint64_t seed, long long at, drawn *d) {
  long long left = scrambled(seed, at);
  drawing w = {.state = random_start(seed, at), .d = d, .rank = 1};
  *d = (drawn){.values = "-", .isa = "-"};
  strcpy(d->door, launched[digit(&left, LAUNCHED)]);
  w.batch_rank = digit(&left, 2);
  bool operations = digit(&left, 2) == 1;
  w.precision = (number)digit(&left, PRECISIONS);
  w.single = lacks_doubles(d->door);
  if (w.precision == F64 && w.single) w.precision = F32;
  w.kind = (kind)digit(&left, KINDS);
  w.n[0] = 1 + digit(&left, SWEPT_LENGTHS);
  w.real = w.kind >= DCT1;
  if (w.kind == DCT1 && w.n[0] == 1) w.n[0] = 2;
  if (is_lapped(w.kind)) w.n[0] += w.n[0] % 2;
  if (w.batch_rank) {
    w.n[1] = 2 + below(&w, 30);
    ADD(w.count[1], "%lld", w.n[1]);
  }
  settle_held(&w);
  while (operations && !w.steps[IN][0] && !w.steps[OUT][0]) draw_steps(&w);
  print_problem(&w);
}
