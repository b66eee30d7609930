/* A problem as docs/problem.md describes it, read without any code of the generator. In: a line and
 * values of its run-time parameters. Out: extents, strides and operations of both sides. */
#ifndef CAMPAIGN_PROBLEM_H
#define CAMPAIGN_PROBLEM_H
#include <stdbool.h>
#include <stddef.h>

enum { MOST_AXES = 9, MOST_OPS = 8, MOST_PARAMETERS = 8, IN = 0, OUT = 1 };

typedef enum kind {
  C2C,
  R2C,
  C2R,
  CONV,
  RCONV,
  DCT1,
  DCT2,
  DCT3,
  DCT4,
  DST1,
  DST2,
  DST3,
  DST4,
  MDCT,
  IMDCT,
  STFT,
  ISTFT
} kind;
typedef enum spectra { SHARED, CHANNEL, EACH } spectra; /* transforms that have numbers of their own */
typedef enum number { F16, BF16, F32, F64, U8, I16 } number;
typedef enum operation { WINDOW, ZEROPAD, CROP, SHIFT, MUL, PLUS, CONJ, MAG, MAG2, LOGMAG, EXPRESSION } operation;

typedef struct axis {
  long long n;         /* length; of a batch: the value at run time */
  long long stride[2]; /* of input and output, in elements; 0: left out */
} axis;

typedef struct expression_array { /* of the caller's */
  char name[24];
  bool pairs;
  enum { OF_ONE, OF_ELEMENTS, OF_DIMENSION } of;
  int dimension;
  spectra whose;
} expression_array;

typedef struct step { /* one operation of load= or store= */
  operation what;
  int window;            /* row of the windows; -1: the caller's numbers */
  long double parameter; /* of that */
  int given;             /* number of the caller's array among all of them; -1: none */
  char name[24];         /* of that array: in_mul1 */
  bool pairs;            /* its numbers, and the element that it meets */
  spectra whose;         /* of that array */
  bool held;             /* its arrays have numbers for the elements of the problem's array alone */
  char text[200];        /* EXPRESSION: that, its arrays, and whether its result is real */
  expression_array array[MOST_OPS];
  int array_count;
  bool makes_real;
} step;

typedef struct parameter {
  char name[32];
  long long value;
} parameter;

typedef struct bank { /* mel: triangles of frequencies */
  long long bands;    /* 0: none */
  long double rate, low, high;
  bool htk, peak;
  int step; /* of the side's steps, so many are before it */
} bank;

typedef struct signal_frames { /* the first axis counts frames of a signal, on one side */
  int side;                    /* that side; -1: there are none */
  long long hop, length;       /* samples of a frame */
  long long first, samples;    /* the array's first sample, from that of the first frame; how many it has */
  bool reflect;
  const struct step *norm; /* the window whose squares the sums are over; NULL: none */
} signal_frames;

typedef struct problem {
  kind kind;
  signal_frames frames;
  bank bank;
  spectra spectra;
  bool conjugated;             /* the spectrum */
  int summed;                  /* dimensions of the batch, the first ones, over which results are added */
  long long filter[MOST_AXES]; /* samples of a filter, by dimension; 0: the spectrum itself is there */
  number precision, compute;
  int sign;
  bool in_place, split[2];
  long double scale;
  int rank, batch_rank; /* axes: those of n, then those of batch */
  axis axes[MOST_AXES];
  step steps[2][MOST_OPS];
  int step_count[2], given_count;
  number stored[2];               /* type of the array's numbers */
  bool complex_element[2];        /* of the transform */
  bool complex_array[2];          /* of memory: mag makes it real */
  long long extent[2][MOST_AXES]; /* elements of the transform: half of them on the half side */
  long long held[2][MOST_AXES];   /* elements of the array: fewer with zeropad and crop */
  long long first[2][MOST_AXES];  /* the element of the transform that is the array's first */
  parameter parameters[MOST_PARAMETERS];
  int parameter_count;
  bool narrow; /* halves may pass between threads as halves (docs/problem.md) */
} problem;

/* 0, or -1 with a sentence in error (of 200 bytes). values: "rows=3,s=2", or "-". */
int problem_read(problem *p, const char *line, const char *values, char *error);
long long problem_points(const problem *p);                         /* of one transform */
long long side_elements(const problem *p, int side);                /* of the transform's side, without the batch */
long long step_elements(const problem *p, int side, const step *s); /* that its arrays have numbers for */
/* The number of an element among these; -1: it is in the zeros, or cropped. */
long long step_number(const problem *p, int side, const step *s, const long long *index);
long long array_elements(const problem *p, int side); /* that the side's memory spans */
int number_bytes(number type);
bool convolves(kind kind);
bool is_lapped(kind kind);                           /* mdct, imdct */
problem problem_inside(const problem *p, bool back); /* of a convolution: one of its two transforms; else p itself */
long long own_number(const problem *p, spectra whose, long long batch); /* of numbers that some have to themselves */
long long own_count(const problem *p, spectra whose);
long long result_count(const problem *p); /* transforms of the batch that have results of their own */
long long batch_count(const problem *p);
long long spectrum_points(const problem *p);                 /* of one spectrum */
long long filter_points(const problem *p);                   /* samples of one filter; 0: none */
long long spectrum_count(const problem *p);                  /* numbers of all spectra; 0: not conv */
long long spectrum_first(const problem *p, long long batch); /* of a transform's own: its first number */

/* Weight of bin k of a transform of n points in a band. */
long double bank_weight(const bank *b, long long n, long long band, long long k);

enum { SUMS = 7, WINDOWS = 12 };
extern const char *const window_names[WINDOWS];
long double window_weight(int window, long double parameter, long long j, long long n);
/* The row of "kaiser(8.6)", and its parameter; -1: none. */
int window_read(const char *text, size_t length, long double *parameter);
#endif
