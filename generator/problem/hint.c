/* Hints for words of problems that are nearly right.
 *
 * In: a word that the table of its place does not have. Out: " (did you mean ...?)",
 * or "". The one idea: words that people bring from other programs are in a table,
 * since "hanning" is nearer to "hamming" than to "hann" by its letters; the letters
 * decide about all others. */
#include "generator/base/text_match.h"
#include "generator/problem/text.h"
#include <string.h>

static const struct {
  fg_scanner_slot place;
  const char *theirs; /* several, separated by blanks */
  const char *ours;
} words[] = {
    {FG_SCAN_KIND, "fft dft FFT DFT", "'c2c'"},
    {FG_SCAN_KIND, "ifft idft IFFT", "'c2c', with sign=+1"},
    {FG_SCAN_KIND, "rfft rdft", "'r2c'"},
    {FG_SCAN_KIND, "irfft irdft", "'c2r'"},
    {FG_SCAN_KIND, "dct DCT", "'dct2'"},
    {FG_SCAN_KIND, "idct IDCT", "'dct3'"},
    {FG_SCAN_KIND, "dst DST", "'dst2'"},
    {FG_SCAN_KIND, "idst IDST", "'dst3'"},
    {FG_SCAN_KIND, "complex", "'c2c'"},
    {FG_SCAN_KIND, "real", "'r2c'"},
    {FG_SCAN_KIND, "r2r", "'dct2' or another cosine or sine transform"},
    {FG_SCAN_PRECISION, "float single float32 fp32 real32 complex64", "'f32'"},
    {FG_SCAN_PRECISION, "double float64 fp64 real64 complex128", "'f64'"},
    {FG_SCAN_PRECISION, "half float16 fp16", "'f16'"},
    {FG_SCAN_PRECISION, "f128 fp128 float128 quad long longdouble", "'f64', the widest"},
    {FG_SCAN_PRECISION, "bfloat bfloat16", "'bf16'"},
    {FG_SCAN_KEY, "N size length len points", "'n'"},
    {FG_SCAN_KEY, "howmany count batches", "'batch'"},
    {FG_SCAN_KEY, "direction dir", "'sign'"},
    {FG_SCAN_KEY, "inplace in-place in_place", "'place=in'"},
    {FG_SCAN_KEY, "norm normalize normalization", "'scale'"},
    {FG_SCAN_KEY, "window win", "'load=window(NAME)'"},
    {FG_SCAN_KEY, "x X by", "dimensions without blanks, as in 'n=64x64'"},
    {FG_SCAN_KEY, "split planar", "'layout=split'"},
    {FG_SCAN_KEY, "stride strides", "'n=N:IN_STRIDE:OUT_STRIDE'"},
    {FG_SCAN_KEY, "inverse backward", "'sign=+1'"},
    {FG_SCAN_KEY, "forward", "'sign=-1'"},
    {FG_SCAN_PLACE, "inplace in-place in_place inside yes true 1", "'in'"},
    {FG_SCAN_PLACE, "outofplace out-of-place out_of_place no false 0", "'out'"},
    {FG_SCAN_SIGN, "1 inverse inv ifft i", "'+1'"},
    {FG_SCAN_SIGN, "fft", "'-1'"},
    {FG_SCAN_WINDOW, "hanning Hanning hanningwindow", "'hann'"},
    {FG_SCAN_WINDOW, "blackman-harris blackman_harris", "'blackmanharris'"},
    {FG_SCAN_WINDOW, "flat-top flat_top", "'flattop'"},
    {FG_SCAN_OPERATION, "fftshift ifftshift", "'shift'"},
    {FG_SCAN_OPERATION, "hann hanning hamming blackman", "'window(NAME)'"},
    {FG_SCAN_OPERATION, "abs magnitude", "'mag'"},
    {FG_SCAN_OPERATION, "power abs2 magsq", "'mag2'"},
    {FG_SCAN_OPERATION, "db dB log logmag2", "'logmag'"},
    {FG_SCAN_OPERATION, "pad zeropadding", "'zeropad(LENGTH)'"},
};

/* "1024", "64x64": lengths without their key. */
static bool is_lengths(const char *text, size_t length) {
  for (size_t i = 0; i < length; i++)
    if (!strchr("0123456789:x", text[i])) return false;
  return length && *text >= '0' && *text <= '9';
}

const char *fg_scanner_hint(fg_scanner *ps, fg_scanner_slot place, const char *text, size_t length,
                            fg_words_name name) {
  fg_arena *a = ps->cx->arena;
  for (size_t i = 0; i < sizeof words / sizeof *words; i++)
    if (words[i].place == place && fg_words_has(words[i].theirs, text, length))
      return fg_arena_printf(a, " (did you mean %s?)", words[i].ours);
  bool key = place == FG_SCAN_KEY;
  if ((key || place == FG_SCAN_KIND) && is_lengths(text, length) && length < 40)
    return fg_arena_printf(a, " (did you mean '%sn=%.*s'?)", key ? "" : "c2c f32 ", (int)length, text);
  return fg_words_near(a, text, length, name);
}
