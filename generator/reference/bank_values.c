/* See bank_values.h. In: a bank. Out: its triangles.
 *
 * Slaney's scale (Auditory Toolbox, 1998) is linear to 1000 Hz, 3 mel for 200 Hz, and then logarithmic, 27 mel for a
 * factor of 6.4; HTK's is 2595 log10(1 + f / 700). Which bins a band has is decided in doubles, once for all number
 * systems: a bin on a corner has a weight of nothing either way. */
#include "generator/reference/bank_values.h"
#include <math.h>
#include <string.h>

#define BREAK 1000.0
#define LINEAR 15.0 /* mel at the break */

static double mel_of(const fg_bank *bank, double f) {
  if (bank->htk) return 2595 * log10(1 + f / 700);
  return f < BREAK ? 3 * f / 200 : LINEAR + 27 * log(f / BREAK) / log(6.4);
}

static double corner_of(const fg_bank *bank, int64_t i) {
  double low = mel_of(bank, bank->low), high = mel_of(bank, bank->high);
  double mel = low + (high - low) * (double)i / (double)(bank->bands + 1);
  if (bank->htk) return 700 * (pow(10, mel / 2595) - 1);
  return mel < LINEAR ? 200 * mel / 3 : BREAK * exp((mel - LINEAR) * log(6.4) / 27);
}

/* Whether a band has a weight for a bin. */
static bool in_band(const fg_bank *bank, int64_t points, int64_t band, int64_t bin) {
  double f = (double)bin * bank->rate / (double)points;
  return f > corner_of(bank, band) && f < corner_of(bank, band + 2);
}

void fg_operation_values_band(const fg_bank *bank, int64_t points, int64_t band, int64_t *first, int64_t *end) {
  double scale = (double)points / bank->rate;
  int64_t low = (int64_t)(corner_of(bank, band) * scale) - 1, high = (int64_t)(corner_of(bank, band + 2) * scale) + 2;
  if (low < 0) low = 0;
  if (high > points / 2) high = points / 2;
  while (low <= high && !in_band(bank, points, band, low)) low++;
  while (high >= low && !in_band(bank, points, band, high)) high--;
  *first = low, *end = high + 1;
  if (low > high) *first = *end = 0;
}

/* ---- 113 bits ---------------------------------------------------------------- */

static fg_quad step(void) { return fg_quad_by((fg_quad)64 / 10, mpfr_log) / 27; }

static fg_quad mel_quad(const fg_bank *bank, fg_quad f) {
  if (bank->htk) return 2595 * fg_quad_by(1 + f / 700, mpfr_log10);
  return f < BREAK ? 3 * f / 200 : LINEAR + fg_quad_by(f / 1000, mpfr_log) / step();
}

fg_quad *fg_operation_values_corners(fg_context *cx, const fg_bank *bank) {
  fg_quad low = mel_quad(bank, bank->low), high = mel_quad(bank, bank->high), by = step();
  fg_quad *corner = fg_arena_new(cx->arena, fg_quad, bank->bands + 2);
  for (int64_t i = 0; i < bank->bands + 2; i++) {
    fg_quad mel = low + (high - low) * i / (bank->bands + 1);
    if (bank->htk)
      corner[i] = 700 * (fg_quad_by(mel / 2595, mpfr_exp10) - 1);
    else
      corner[i] = mel < LINEAR ? 200 * mel / 3 : 1000 * fg_quad_by((mel - LINEAR) * by, mpfr_exp);
  }
  return corner;
}

fg_quad fg_operation_values_band_weight(const fg_bank *bank, int64_t points, const fg_quad *corner, int64_t band,
                                        int64_t bin) {
  const fg_quad *c = corner + band;
  fg_quad f = (fg_quad)bank->rate * bin / points;
  if (2 * bin > points || !in_band(bank, points, band, bin)) return 0;
  fg_quad up = (f - c[0]) / (c[1] - c[0]), down = (c[2] - f) / (c[2] - c[1]), weight = up < down ? up : down;
  if (weight < 0) weight = 0;
  return bank->peak ? weight : 2 * weight / (c[2] - c[0]);
}

fg_gf fg_operation_values_band_weight_gf(const fg_field *f, const fg_bank *bank, int64_t points, int64_t band,
                                         int64_t bin) {
  const double number[] = {(double)bank->bands, bank->rate, bank->low, bank->high, bank->htk + 2.0 * bank->peak};
  uint64_t state = (uint64_t)points * 0x9e3779b97f4a7c15u, bits;
  if (2 * bin > points || !in_band(bank, points, band, bin)) return 0;
  for (int i = 0; i < 5; i++) {
    memcpy(&bits, &number[i], sizeof bits);
    state = (state ^ bits) * 0xbf58476d1ce4e5b9u;
    fg_random(&state);
  }
  state ^= (uint64_t)(band * points + bin) * 0xd1342543de82ef95u;
  fg_random(&state);
  state ^= f->p;
  fg_random(&state);
  return fg_gf_random(&state);
}
