/* Kinds of transforms, and types of numbers: their names in a problem's text and what they take. */
#ifndef FG_PROBLEM_TYPES_H
#define FG_PROBLEM_TYPES_H
#include <stdbool.h>

typedef enum fg_kind {
  FG_C2C,
  FG_R2C,
  FG_C2R,
  FG_DCT1,
  FG_DCT2,
  FG_DCT3,
  FG_DCT4,
  FG_DST1,
  FG_DST2,
  FG_DST3,
  FG_DST4,
  FG_CONV,  /* cyclic convolution: there, times a spectrum, and back */
  FG_RCONV, /* the same of reals: r2c, times half of a spectrum, c2r */
  FG_MDCT,  /* lapped: 2n reals, folded to n, their dct4 */
  FG_IMDCT, /* dct4, unfolded to 2n reals */
  FG_STFT,  /* r2c of frames of a signal (frames.h) */
  FG_ISTFT, /* c2r of frames, which are added */
  FG_KIND_COUNT
} fg_kind;

/* Types of numbers. Those before FG_PRECISION_COUNT may be named in a problem's text
 * as its precision; the others are of arrays alone (load=, store=). */
typedef enum fg_precision {
  FG_F16,
  FG_BF16,
  FG_F32,
  FG_F64,
  FG_PRECISION_COUNT,
  FG_U8 = FG_PRECISION_COUNT,
  FG_I16,
  FG_STORAGE_COUNT
} fg_precision;

bool fg_problem_kind_convolves(fg_kind kind);
fg_kind fg_problem_kind_inside(fg_kind kind, bool back); /* of a convolution's transforms; of other kinds the kind */
fg_kind fg_problem_kind_of_frame(fg_kind kind);          /* of stft and istft: r2c, c2r; of others the kind */
bool fg_problem_kind_is_lapped(fg_kind kind);            /* mdct, imdct */
bool fg_problem_kind_is_complex(fg_kind kind);           /* n complex numbers on both sides */
bool fg_problem_kind_is_real(fg_kind kind, bool output); /* the transform's own side, before store operations */
const char *fg_problem_kind_name(fg_kind k);             /* "c2c", "dct2", ... */
const char *fg_precision_name(fg_precision p);           /* "f16", "bf16", "f32", "f64"; "u8", "i16" */
int fg_precision_bytes(fg_precision p);
#endif
