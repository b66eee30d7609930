/* The kinds of codelets: what each computes, and its slots.
 *
 * Nothing is scaled; the cosine and sine transforms are FFTW's, with their factors
 * of 2. With w = exp(sign 2 pi i / n), k the output's number, sums over all j:
 *
 *   c2c         n complex -> n complex     X_k = sum x_j w^(j k)
 *   r2c         n real -> n/2+1 complex    X_k = sum x_j w^(j k); the others would be X_(n-k) = conj X_k
 *   c2r         n/2+1 complex -> n real    X_k = sum x_j w^(j k), with x_(n-j) = conj x_j for the others
 *   r2c-odd     n real -> (n+1)/2 complex  X_k = sum x_j w^(j (k + 1/2)); X_(n-1-k) would be conj X_k
 *   c2r-odd     (n+1)/2 complex -> n real  X_k = sum x_j w^((j + 1/2) k), with x_(n-1-j) = conj x_j
 *   r2c-column  n complex -> n complex     c2c, then the conjugates of X_k for k >= (n+1)/2
 *   r2c-middle  n complex -> n+1 complex   c2c's results up to X_((n-1)/2), then the conjugates from that one on
 *   c2r-column  n complex -> n complex     the conjugates of x_j for j >= (n+1)/2, then c2c
 *   r2c-pair    n complex -> n complex     n even: elements j and n/2 + j are a_j = Y_2j[k] + i Y_(2j+1)[k] and
 *                                          b_j = Y_2j[-k] + i Y_(2j+1)[-k]; then Y_0[k] and 2 Y_j[k], j > 0,
 *                                          through r2c-column
 *   c2r-pair    n complex -> n complex     c2r-column to Y_j[k], then a_j = Y_2j + i Y_(2j+1) as element j,
 *                                          b_j = conj Y_2j + i conj Y_(2j+1) as element n/2 + j
 *   even        n/2+1 real -> n/2+1 real   X_k = sum x_j cos(2 pi j k / n)
 *   odd         (n-1)/2 real -> as many    X_k = sum x_j sin(2 pi (j + 1) (k + 1) / n), whatever the sign
 *   negate      n real -> n real           X_k = -x_k
 *   copy        n complex -> n complex     X_k = x_k
 *   join        n real -> n/2 complex      n even: X_k = x_2k + i x_(2k+1)
 *   r2c-two     2n real -> n complex       X_k = sum (x_j + i x_(n+j)) w^(j k)
 *   c2r-two     n complex -> 2n real       c2c's Y: X_k = re Y_k, X_(n+k) = im Y_k
 *   part        n complex -> n complex     n even: elements 2j and 2j + 1 are Z[k] and Z[-k], Z the c2c of x + i y, x
 *                                          and y real; then theirs at k
 *   fold        2n real -> n real, n even  X_q = - x_(n/2+q) - x_(3n/2+q), X_(n/2+q) = x_q - x_(n+q), q < n/2
 *   unfold      n real -> 2n real, n even  the transposed matrix
 *   sum         n real -> 1 real           their sum
 *   convolve    n complex -> n complex     Y = c2c of x, Y_k times factor k, c2c of these with the other sign
 *   rader       n+1 complex -> n+1 complex the same, and the last input x' with it: the last output is x' + Y_0
 *               before its factor, and x' is added to Y_0 after it
 *   convolve-real n real -> n real         convolve by factors k = 0 .. n/2; the others are their conjugates, and where
 *                                          that is the same one the imaginary part does not count
 *   convolve-odd  n real -> n real         n even: r2c-odd, times factors k = 0 .. n/2 - 1, c2r-odd with the other sign
 *   convolve-pair n complex -> n complex   n even: r2c-pair, times factors k, c2r-pair with the other sign; with
 *                                          twiddles, which are halved, these are doubled where they are conjugates
 *   convolve-two n complex -> n complex    n even: convolve, by the conjugates of factors k >= n/2
 *   convolve-first n complex -> n complex  n even: convolve by factors k = 0 .. n/2; the others are their conjugates,
 *                                          and of those two that have none the imaginary part does not count
 *   products    n complex -> 1 complex     sum of x_k times factor k
 *   accumulate  n+1 complex -> 1 complex   x_0, and the sum of x_(k+1) times factor k
 *   total       n complex -> 1 complex     their sum
 *   dct1        n >= 2 real -> n real      X_k = x_0 + (-1)^k x_(n-1) + 2 sum x_j cos(pi j k / (n-1)), 0 < j < n-1
 *   dct2        n real -> n real           X_k = 2 sum x_j cos(pi (j + 1/2) k / n)
 *   dct3                                   X_k = x_0 + 2 sum x_j cos(pi j (k + 1/2) / n), j > 0
 *   dct4                                   X_k = 2 sum x_j cos(pi (j + 1/2) (k + 1/2) / n)
 *   dst1                                   X_k = 2 sum x_j sin(pi (j + 1) (k + 1) / (n+1))
 *   dst2                                   X_k = 2 sum x_j sin(pi (j + 1/2) (k + 1) / n)
 *   dst3                                   X_k = (-1)^k x_(n-1) + 2 sum x_j sin(pi (j + 1) (k + 1/2) / n), j < n-1
 *   dst4                                   X_k = 2 sum x_j sin(pi (j + 1/2) (k + 1/2) / n)
 *
 * Imaginary parts that symmetry makes zero (elements 0 and n/2 of r2c and c2r, the
 * last of the odd kinds when n is odd) are the constant 0 as outputs and are not
 * read as inputs. A twiddle comes after an output and before an input: there they
 * become and may be any number, and the input's product loses its imaginary part.
 *
 * A real transform of n m numbers with radix n: let Y_j be the transforms of length
 * m of the inputs j, j + n, j + 2n, ... Each column Y_j[k], 0 < k < m/2, goes
 * through r2c-column with twiddles exp(sign 2 pi i j k / (n m)) on its inputs:
 * output q is element k + m q when q < (n+1)/2, else n m - (k + m q). Column 0 goes
 * through r2c, column m/2 through r2c-odd. Backward it is the same the other way
 * round: c2r, c2r-odd, and c2r-column with twiddles on its outputs. The other order
 * begins with r2c and twiddles on its outputs, or ends with c2r and twiddles on its
 * inputs; its columns are complex transforms.
 *
 * The factors of convolve and rader are inside. With twiddles on the inputs these are first, and what the second
 * transform gives is multiplied by the conjugates: a last pass over columns, and the first of a transform back.
 *
 * For even n the columns go in pairs: a_j[t] = x_(2j) + i x_(2j+1) of the numbers t are
 * n/2 complex transforms of length m, and r2c-pair takes their columns k and m - k
 * together. Its twiddle factors come after the separation, and the factor 1/2 that
 * this wants is in them. */
#ifndef FG_CODELET_KIND_H
#define FG_CODELET_KIND_H
#include <stdbool.h>

typedef enum fg_codelet_kind {
  FG_CODELET_C2C, /* 0: what a key asks for that says nothing */
  FG_CODELET_R2C,
  FG_CODELET_C2R,
  FG_CODELET_R2C_ODD,
  FG_CODELET_C2R_ODD,
  FG_CODELET_R2C_COLUMN,
  FG_CODELET_R2C_MIDDLE,
  FG_CODELET_C2R_COLUMN,
  FG_CODELET_R2C_PAIR,
  FG_CODELET_C2R_PAIR,
  FG_CODELET_EVEN,
  FG_CODELET_ODD,
  FG_CODELET_NEGATE,
  FG_CODELET_COPY,
  FG_CODELET_JOIN,
  FG_CODELET_R2C_TWO,
  FG_CODELET_C2R_TWO,
  FG_CODELET_PART,
  FG_CODELET_FOLD,
  FG_CODELET_UNFOLD,
  FG_CODELET_SUM,
  FG_CODELET_TOTAL,
  FG_CODELET_DCT1,
  FG_CODELET_DCT2,
  FG_CODELET_DCT3,
  FG_CODELET_DCT4,
  FG_CODELET_DST1,
  FG_CODELET_DST2,
  FG_CODELET_DST3,
  FG_CODELET_DST4,
  FG_CODELET_CONVOLVE, /* from here on factors are inside */
  FG_CODELET_RADER,
  FG_CODELET_CONVOLVE_REAL,
  FG_CODELET_CONVOLVE_ODD,
  FG_CODELET_CONVOLVE_PAIR,
  FG_CODELET_CONVOLVE_TWO,
  FG_CODELET_CONVOLVE_FIRST,
  FG_CODELET_PRODUCTS,
  FG_CODELET_ACCUMULATE,
  FG_CODELET_KINDS
} fg_codelet_kind;

/* One side of a codelet. Element k of a complex side has its real part in slot 2k
 * and its imaginary part in 2k+1; element k of a real side is slot k. */
typedef struct fg_codelet_side {
  int elements;
  bool real;
  bool twiddles; /* factors may multiply here */
} fg_codelet_side;

fg_codelet_side fg_codelet_input(fg_codelet_kind kind, int n);
fg_codelet_side fg_codelet_output(fg_codelet_kind kind, int n);
int fg_codelet_slots(fg_codelet_side side);
int fg_codelet_least(fg_codelet_kind kind);          /* the least n */
bool fg_codelet_even(fg_codelet_kind kind);          /* n must be even */
bool fg_codelet_convolves(fg_codelet_kind kind);     /* factors are inside, after those of its twiddles */
int fg_codelet_factors(fg_codelet_kind kind, int n); /* so many */
const char *fg_codelet_kind_name(fg_codelet_kind kind);
bool fg_codelet_kind_find(const char *name, fg_codelet_kind *out); /* false: no such kind */
#endif
