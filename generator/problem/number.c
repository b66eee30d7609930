/* Numbers that may depend on run-time parameters; names and sizes of kinds and precisions. */
#include "generator/problem/number.h"
#include "generator/problem/problem.h"
#include <stddef.h>

fg_num fg_num_const(int64_t n) { return (fg_num){n, FG_NUM_CONST, 0, 1}; }

int64_t fg_num_value(fg_num x, const int64_t *params) {
  switch (x.form) {
  case FG_NUM_CONST: return x.n;
  case FG_NUM_PARAM: return x.n * params[x.param];
  case FG_NUM_QUOT: return x.n * (params[x.param] / x.div);
  case FG_NUM_REM: return x.n * (params[x.param] % x.div);
  case FG_NUM_FLOOR: return x.n * (params[x.param] - params[x.param] % x.div);
  case FG_NUM_CEIL: return x.n * ((params[x.param] + x.div - 1) / x.div);
  }
  return 0;
}

bool fg_num_is(fg_num x, int64_t value) { return x.form == FG_NUM_CONST && x.n == value; }

fg_num fg_num_scaled(fg_num x, int64_t factor) {
  x.n *= factor;
  return x;
}

static const char *kind_at(int i) {
  static const char *const name[] = {"c2c",  "r2c",  "c2r",  "dct1",  "dct2", "dct3",  "dct4", "dst1",  "dst2",
                                     "dst3", "dst4", "conv", "rconv", "mdct", "imdct", "stft", "istft", NULL};
  _Static_assert(sizeof name / sizeof *name == FG_KIND_COUNT + 1, "one name for each kind");
  return name[i];
}

static const char *precision_at(int i) {
  static const char *const name[] = {"f16", "bf16", "f32", "f64", "u8", "i16", NULL};
  _Static_assert(sizeof name / sizeof *name == FG_STORAGE_COUNT + 1, "one name for each type");
  return name[i];
}

const char *fg_problem_kind_name(fg_kind k) { return kind_at((int)k); }
const char *fg_precision_name(fg_precision p) { return precision_at((int)p); }

int fg_precision_bytes(fg_precision p) {
  static const int bytes[FG_STORAGE_COUNT] = {2, 2, 4, 8, 1, 2};
  return bytes[p];
}
