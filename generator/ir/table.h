/* fg_table: a constant table by its definition, which determines its entries (table_values.h). */
#ifndef FG_IR_TABLE_H
#define FG_IR_TABLE_H
#include "generator/problem/operations.h"

enum { FG_MAX_COPRIME = 4 };

/* What a table holds. Entry (r, c) of rows x cols is element r * cols + c, or, in panels, that of fg_table_element. */
typedef enum fg_fill {
  FG_FILL_TWIDDLE,  /* 2^shift exp(sign 2 pi i (r + row0) (c col_step + col0) / order) */
  FG_FILL_DOUBLING, /* exp(sign 2 pi i 2^r c / order) */
  FG_FILL_STEPS, /* of w = exp(sign 2 pi i c / order) those that a codelet of 2 rows points has inside (algo/steps.c),
                  * exp(sign 2 pi i (c + (r - p) order / (2 rows)) rows / (2 p) / order), p the power of two at or
                  * below r; row 0: w^rows */
  FG_FILL_CHIRP, /* exp(sign pi i c^2 / (order / 2)): c^2 mod order over order; rows = 1 */
  FG_FILL_BLUESTEIN, /* DFT (forward, of cols points) of the conjugated chirp, wrapped, divided by cols; `n` points */
  /* For a prime n with the least generator g: */
  FG_FILL_POWERS,    /* DFT (forward, of cols points) of exp(sign 2 pi i g^-j / n), -(n-1) < j < n-1, wrapped, divided
                      * by cols */
  FG_FILL_RADER,     /* the same, but entry 0 is 1 */
  FG_FILL_RADER_SUM, /* two entries: 1, and entry 0 of FG_FILL_POWERS with `order` columns: -1/order
                      * where order = n-1, else -(2 + exp(sign 2 pi i / n))/order */
  FG_FILL_POWER,     /* numbers of elements: g^c modulo n, c = 0 .. n-2; sign -1: g^-c */
  FG_FILL_LOGARITHM, /* numbers of elements: e with g^-e = c modulo n, c = 1 .. n-1; sign 1: g^e; entry 0 is `order` */
  FG_FILL_WINDOW,    /* real: weight c of `window`, n points */
  FG_FILL_BAND,      /* numbers of elements: the first one of band c of a bank, `window` */
} fg_fill;

typedef struct fg_table {
  int16_t buffer;
  fg_fill fill;
  int sign;
  int64_t rows, cols, row0;
  int64_t col0, col_step;      /* TWIDDLE; a col_step of 0 is 1 */
  int64_t fold;                /* TWIDDLE, DOUBLING: 0, or columns beyond it count down, from 2 fold - 1 on */
  int shift;                   /* TWIDDLE, CHIRP: all times 2^shift */
  bool doubled;                /* its layout: FG_LAYOUT_DOUBLED */
  int64_t panel;               /* 0, or so many columns, which divide all of them, are stored together, row after row */
  int64_t across;              /* sums: 0, or entry c is that of c % (cols / across) * across + c / (cols / across) */
  int coprime[FG_MAX_COPRIME]; /* sums: 0, or the entries are an array of so many dimensions, without a common factor,
                                * whose product is cols; LOGARITHM: they are places in one: see fg_table_multiplier */
  int64_t order;               /* of the root of unity; RADER_SUM, LOGARITHM: length of the convolution */
  int64_t n;                   /* BLUESTEIN, RADER..., WINDOW: length of the transform that is served */
  fg_window window;
} fg_table;

/* The second factor of a TWIDDLE's exponent. */
int64_t fg_table_column(const fg_table *t, int64_t c);
/* Whether the entries are numbers of elements: they are the same in all of them. */
bool fg_table_is_index(const fg_table *t);
/* Sums of roots of unity: a transform of cols points, in each number system. */
bool fg_table_is_sum(const fg_table *t);
/* The entry of the k-th of a sum's results, or of logarithm k in what they number. */
int64_t fg_table_position(const fg_table *t, int64_t k);
/* The element that holds entry (r, c), and the entry, as r * cols + c, that an element holds. */
int64_t fg_table_element(const fg_table *t, int64_t r, int64_t c);
int64_t fg_table_entry(const fg_table *t, int64_t element);
/* With coprime dimensions: that at k times this modulo coprime[axis] along an axis. */
int64_t fg_table_multiplier(const fg_table *t, int axis);
int fg_table_axes(const fg_table *t); /* how many of them there are */
/* Order of the roots of unity that the entries are, or are sums of. */
int64_t fg_table_root_order(const fg_table *t);
/* rows, cols, order and n that make sense together. */
bool fg_table_possible(const fg_table *t);
/* What the powers of an index table, or of a spectrum, are powers of: that, or its inverse. */
int64_t fg_table_generator(const fg_table *t);
/* Entries that are roots of unity, times a power of two: each is known alone. */
bool fg_table_has_roots(const fg_table *t);
#endif
