/* The table of the kinds of codelets; what they compute is in the header, how in
 * algo/real.c and algo/trigonometric.c. */
#include "generator/codelet/kind.h"
#include <string.h>

typedef enum extent {
  ALL,
  HALF,
  ODD_HALF,
  LESS_HALF,
  ONE_MORE,
  TWICE,
  ONE
} extent; /* n, n/2 + 1, (n+1)/2, (n-1)/2, n+1, 2n, 1 */

typedef struct side {
  extent extent;
  bool real, twiddles;
} side;

#define COMPLEX(extent, twiddles)                                                                                      \
  { extent, false, twiddles }
#define REALS(extent)                                                                                                  \
  { extent, true, false }
#define REAL REALS(ALL)
static const struct {
  const char *name;
  side in, out;
  int least;
  bool even;
} kinds[FG_CODELET_KINDS] = {
    [FG_CODELET_C2C] = {"c2c", COMPLEX(ALL, true), COMPLEX(ALL, true), 1, false},
    [FG_CODELET_R2C] = {"r2c", REAL, COMPLEX(HALF, true), 1, false},
    [FG_CODELET_C2R] = {"c2r", COMPLEX(HALF, true), REAL, 1, false},
    [FG_CODELET_R2C_ODD] = {"r2c-odd", REAL, COMPLEX(ODD_HALF, true), 1, false},
    [FG_CODELET_C2R_ODD] = {"c2r-odd", COMPLEX(ODD_HALF, true), REAL, 1, false},
    [FG_CODELET_R2C_COLUMN] = {"r2c-column", COMPLEX(ALL, true), COMPLEX(ALL, false), 1, false},
    [FG_CODELET_R2C_MIDDLE] = {"r2c-middle", COMPLEX(ALL, true), COMPLEX(ONE_MORE, false), 1, false},
    [FG_CODELET_C2R_COLUMN] = {"c2r-column", COMPLEX(ALL, false), COMPLEX(ALL, true), 1, false},
    [FG_CODELET_R2C_PAIR] = {"r2c-pair", COMPLEX(ALL, true), COMPLEX(ALL, false), 2, true},
    [FG_CODELET_C2R_PAIR] = {"c2r-pair", COMPLEX(ALL, false), COMPLEX(ALL, true), 2, true},
    [FG_CODELET_EVEN] = {"even", REALS(HALF), REALS(HALF), 1, false},
    [FG_CODELET_ODD] = {"odd", REALS(LESS_HALF), REALS(LESS_HALF), 3, false},
    [FG_CODELET_NEGATE] = {"negate", REAL, REAL, 1, false},
    [FG_CODELET_COPY] = {"copy", COMPLEX(ALL, false), COMPLEX(ALL, false), 1, false},
    [FG_CODELET_JOIN] = {"join", REAL, COMPLEX(ODD_HALF, false), 2, true},
    [FG_CODELET_R2C_TWO] = {"r2c-two", REALS(TWICE), COMPLEX(ALL, false), 1, false},
    [FG_CODELET_C2R_TWO] = {"c2r-two", COMPLEX(ALL, false), REALS(TWICE), 1, false},
    [FG_CODELET_PART] = {"part", COMPLEX(ALL, false), COMPLEX(ALL, false), 2, true},
    [FG_CODELET_FOLD] = {"fold", REALS(TWICE), REAL, 2, true},
    [FG_CODELET_UNFOLD] = {"unfold", REAL, REALS(TWICE), 2, true},
    [FG_CODELET_SUM] = {"sum", REAL, REALS(ONE), 1, false},
    [FG_CODELET_TOTAL] = {"total", COMPLEX(ALL, false), COMPLEX(ONE, false), 1, false},
    [FG_CODELET_DCT1] = {"dct1", REAL, REAL, 2, false},
    [FG_CODELET_DCT2] = {"dct2", REAL, REAL, 1, false},
    [FG_CODELET_DCT3] = {"dct3", REAL, REAL, 1, false},
    [FG_CODELET_DCT4] = {"dct4", REAL, REAL, 1, false},
    [FG_CODELET_DST1] = {"dst1", REAL, REAL, 1, false},
    [FG_CODELET_DST2] = {"dst2", REAL, REAL, 1, false},
    [FG_CODELET_DST3] = {"dst3", REAL, REAL, 1, false},
    [FG_CODELET_DST4] = {"dst4", REAL, REAL, 1, false},
    [FG_CODELET_CONVOLVE] = {"convolve", COMPLEX(ALL, true), COMPLEX(ALL, false), 1, false},
    [FG_CODELET_RADER] = {"rader", COMPLEX(ONE_MORE, true), COMPLEX(ONE_MORE, false), 1, false},
    [FG_CODELET_CONVOLVE_REAL] = {"convolve-real", REAL, REAL, 1, false},
    [FG_CODELET_CONVOLVE_ODD] = {"convolve-odd", REAL, REAL, 2, true},
    [FG_CODELET_CONVOLVE_PAIR] = {"convolve-pair", COMPLEX(ALL, true), COMPLEX(ALL, false), 2, true},
    [FG_CODELET_CONVOLVE_TWO] = {"convolve-two", COMPLEX(ALL, true), COMPLEX(ALL, false), 2, true},
    [FG_CODELET_CONVOLVE_FIRST] = {"convolve-first", COMPLEX(ALL, false), COMPLEX(ALL, false), 2, true},
    [FG_CODELET_PRODUCTS] = {"products", COMPLEX(ALL, false), COMPLEX(ONE, false), 1, false},
    [FG_CODELET_ACCUMULATE] = {"accumulate", COMPLEX(ONE_MORE, false), COMPLEX(ONE, false), 1, false},
};

static fg_codelet_side side_of(const side *s, int n) {
  const int elements_of[] = {
      [ALL] = n,       [HALF] = n / 2 + 1, [ODD_HALF] = (n + 1) / 2, [LESS_HALF] = (n - 1) / 2, [ONE_MORE] = n + 1,
      [TWICE] = 2 * n, [ONE] = 1};
  int elements = elements_of[s->extent];
  return (fg_codelet_side){elements, s->real, s->twiddles};
}

fg_codelet_side fg_codelet_input(fg_codelet_kind kind, int n) { return side_of(&kinds[kind].in, n); }
fg_codelet_side fg_codelet_output(fg_codelet_kind kind, int n) { return side_of(&kinds[kind].out, n); }
int fg_codelet_slots(fg_codelet_side side) { return side.real ? side.elements : 2 * side.elements; }
int fg_codelet_least(fg_codelet_kind kind) { return kinds[kind].least; }
bool fg_codelet_even(fg_codelet_kind kind) { return kinds[kind].even; }
bool fg_codelet_convolves(fg_codelet_kind kind) { return kind >= FG_CODELET_CONVOLVE; }
int fg_codelet_factors(fg_codelet_kind kind, int n) {
  if (!fg_codelet_convolves(kind)) return 0;
  bool half = kind == FG_CODELET_CONVOLVE_REAL || kind == FG_CODELET_CONVOLVE_FIRST;
  return half ? n / 2 + 1 : kind == FG_CODELET_CONVOLVE_ODD ? n / 2 : n;
}
const char *fg_codelet_kind_name(fg_codelet_kind kind) { return kinds[kind].name; }

bool fg_codelet_kind_find(const char *name, fg_codelet_kind *out) {
  for (int k = 0; k < FG_CODELET_KINDS; k++)
    if (!strcmp(kinds[k].name, name)) {
      *out = (fg_codelet_kind)k;
      return true;
    }
  return false;
}
