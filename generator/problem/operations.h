/* Load and store operations: the tables of them, and what an element becomes in
 * the number systems of the proof. The text is lower/operations.c's. */
#ifndef FG_PROBLEM_OPERATIONS_H
#define FG_PROBLEM_OPERATIONS_H
#include "generator/problem/problem.h"

enum fg_operation_sides { FG_SIDES_NEITHER = 0, FG_SIDES_LOADS = 1, FG_SIDES_STORES = 2, FG_SIDES_BOTH = 3 };
enum fg_operation_act {
  FG_ACT_VALUE,
  FG_ACT_STORED,
  FG_ACT_FACTORS,
  FG_ACT_PAD,
  FG_ACT_CROP,
  FG_ACT_SHIFT,
  FG_ACT_CENTRE,
  FG_ACT_REFLECT,
  FG_ACT_NORM,
  FG_ACT_BANK
};
enum fg_operation_takes {
  FG_TAKES_NOTHING,
  FG_TAKES_WINDOW,
  FG_TAKES_ARRAY,
  FG_TAKES_LENGTHS,
  FG_TAKES_SAMPLES,
  FG_TAKES_BANK,
  FG_TAKES_SYMBOL,
  FG_TAKES_EXPRESSION
};

typedef struct fg_operation_row { /* operations.def has the meanings */
  const char *name;
  enum fg_operation_sides sides;
  enum fg_operation_act act;
  enum fg_operation_takes takes;
  bool makes_real;
  const char *value; /* an expression of x, and of a, what it takes */
  const char *help;
} fg_operation_row;

typedef enum fg_window_form {
  FG_WINDOW_COSINES, /* sums of windows.def */
  FG_WINDOW_SINES,
  FG_WINDOW_NUMBERS, /* weight j is j: an index, as a number of expressions */
  FG_WINDOW_VORBIS,  /* formulas of reference/window_values.c */
  FG_WINDOW_KAISER,
  FG_WINDOW_GAUSSIAN,
  FG_WINDOW_TUKEY,
  FG_WINDOW_CHEBYSHEV,
  FG_WINDOW_DPSS,
  FG_WINDOW_BANK, /* weight c: of slot c % slots of band c / slots (reference/bank_values.c) */
} fg_window_form;

enum { FG_WINDOW_TERMS = 5 };
typedef struct fg_window_row {
  const char *name;
  fg_window_form form;
  int64_t c[FG_WINDOW_TERMS]; /* sums: in units of 10^-9 */
  const char *parameter;      /* "beta"; "", NULL: none */
  double lowest, highest;
} fg_window_row;

typedef struct fg_window { /* a row, with its parameter */
  const fg_window_row *row;
  double parameter;
  int64_t hop, frames; /* 0, or 1 over the sum of the squares of so many of these windows, hop apart */
  fg_bank bank;        /* BANK, of transforms of so many points */
  int64_t points, slots;
} fg_window;

enum { FG_LONGEST_SHAPED = 65536 /* points of windows that are no sums */ };
static inline bool fg_window_is_sum(const fg_window_row *w) {
  return w->form == FG_WINDOW_COSINES || w->form == FG_WINDOW_SINES;
}
/* The same of weights as they are. */
static inline bool fg_window_has_terms(fg_window w) { return !w.hop && fg_window_is_sum(w.row); }

/* Term m of weight j of n: the real part of this root of unity of order n, of sines the imaginary one of order 4 n. */
static inline int64_t fg_window_order(const fg_window_row *w, int64_t n) {
  return w->form == FG_WINDOW_SINES ? 4 * n : n;
}
static inline int64_t fg_window_exponent(const fg_window_row *w, int m, int64_t j, int64_t n) {
  return (w->form == FG_WINDOW_SINES ? (2 * m + 1) * (2 * j + 1) : m * j) % fg_window_order(w, n); /* j < 2^48 */
}
/* Its sign before the coefficient. */
static inline int fg_window_sign(const fg_window_row *w, int m) { return w->form != FG_WINDOW_SINES && m % 2 ? -1 : 1; }

const fg_operation_row *fg_operation_table(void);            /* ended by a row without a name */
const fg_window_row *fg_window_table(void);                  /* likewise */
/* What a row does: its own part of the help that it shares with others. */
const char *fg_operation_says(fg_arena *a, const fg_operation_row *row);
const fg_operation_row *fg_operation_find(const char *name); /* NULL: none */
const fg_window_row *fg_window_find(const char *name);
const fg_window_row *fg_window_numbers(void);         /* not in the table */
const fg_window_row *fg_window_bank(void);            /* the same */
const char *fg_window_text(fg_arena *a, fg_window w); /* "kaiser(8.6)", as it is read */
#endif
