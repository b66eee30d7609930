/* A recording as a codec leaves it: lapped transforms, of which a part is kept, and back.
 *
 *   codec RECORDING RESULT.wav PICTURE.png [PERCENT]
 *
 * In: a recording (any format of libsndfile; one of 48 kHz has the picture's frequencies right). Out: what is left of
 * it when all but the largest PERCENT (5) of its coefficients become zero; a picture of both, in bands of frequencies.
 * Frames of 2048 samples overlap by half; forward, backward and the bands are codec_fft.c, which the build generates:
 * no frame is copied or added here. */
#include "codec_fft.h"
#include "picture.h"
#include <math.h>
#include <sndfile.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { N = FORWARD_POINTS, BLOCK = BACKWARD_POINTS / N - 1 /* frames that a call makes complete */ };
enum { WINDOW = BANDS_POINTS, HOP = 256, BANDS = 96 };

typedef struct sound {
  float *sample; /* first channel, from N samples of silence on, with as many behind it */
  long count;    /* all of these: a multiple of N */
  long length;
  int rate;
} sound;

static float *floats(long count) {
  float *x = calloc((size_t)count, sizeof *x);
  if (!x) fprintf(stderr, "codec: out of memory\n"), exit(1);
  return x;
}

static void *aligned(size_t bytes) {
  void *x = aligned_alloc(64, (bytes + 127) / 64 * 64);
  if (!x) fprintf(stderr, "codec: out of memory\n"), exit(1);
  return x;
}

static int read_sound(const char *path, sound *out) {
  SF_INFO info = {0};
  SNDFILE *file = sf_open(path, SFM_READ, &info);
  if (!file) return fprintf(stderr, "codec: %s: %s\n", path, sf_strerror(NULL)), -1;
  float *all = floats((long)info.frames * info.channels + 1);
  long length = (long)sf_readf_float(file, all, info.frames);
  sf_close(file);
  *out = (sound){.count = (length / N + 3) * N, .length = length, .rate = info.samplerate};
  out->sample = floats(out->count);
  for (long i = 0; i < length; i++) out->sample[N + i] = all[i * info.channels];
  free(all);
  return length >= WINDOW ? 0 : (fprintf(stderr, "codec: %s: shorter than %d samples\n", path, WINDOW), -1);
}

static int write_sound(const char *path, const sound *s, const float *sample) {
  SF_INFO info = {.samplerate = s->rate, .channels = 1, .format = SF_FORMAT_WAV | SF_FORMAT_PCM_16};
  SNDFILE *file = sf_open(path, SFM_WRITE, &info);
  if (!file) return fprintf(stderr, "codec: %s: %s\n", path, sf_strerror(NULL)), -1;
  sf_count_t written = sf_writef_float(file, sample + N, s->length);
  int failed = sf_close(file) != 0 || written != s->length;
  return failed ? fprintf(stderr, "codec: %s: cannot be written\n", path), -1 : 0;
}

/* N coefficients for each frame; frame f has samples f N to f N + 2 N - 1. */
static float *analyse(const sound *s, long frames) {
  float *coefficient = floats(frames * N), *scratch = aligned(FORWARD_SCRATCH_BYTES);
  forward(s->sample, coefficient, scratch, frames);
  free(scratch);
  return coefficient;
}

/* The samples that two frames have; BLOCK N of them in a call, whose first and last N only one frame has. */
static float *synthesise(const float *coefficient, long frames, long count) {
  enum { IN = (BLOCK + 1) * N, OUT = (BLOCK + 2) * N };
  float *sample = floats(count), *in = floats(IN), *out = floats(OUT), *scratch = aligned(BACKWARD_SCRATCH_BYTES);
  for (long f = 0; f + 1 < frames; f += BLOCK) {
    long here = frames - f < BLOCK + 1 ? frames - f : BLOCK + 1;
    memset(in, 0, sizeof *in * IN);
    memcpy(in, coefficient + f * N, sizeof *in * (size_t)(here * N));
    backward(in, out, scratch);
    memcpy(sample + (f + 1) * N, out + N, sizeof *out * (size_t)((here - 1) * N));
  }
  free(in), free(out), free(scratch);
  return sample;
}

static int falling(const void *a, const void *b) {
  float x = *(const float *)a, y = *(const float *)b;
  return (x < y) - (x > y);
}

/* All but the largest of them become zero. */
static void keep_largest(float *x, long count, double percent) {
  float *size = floats(count);
  long kept = (long)ceil(percent / 100 * (double)count);
  for (long i = 0; i < count; i++) size[i] = fabsf(x[i]);
  qsort(size, (size_t)count, sizeof *size, falling);
  float least = kept < count ? size[kept] : -1;
  for (long i = 0; i < count; i++) x[i] = fabsf(x[i]) > least ? x[i] : 0;
  free(size);
}

/* Signal to error, in decibels. */
static double quality(const sound *s, const float *other) {
  double signal = 0, error = 0;
  for (long i = N; i < N + s->length; i++) {
    double off = (double)s->sample[i] - other[i];
    signal += (double)s->sample[i] * s->sample[i], error += off * off;
  }
  return 10 * log10(signal / (error + 1e-30));
}

static float *levels(const float *sample, long columns) {
  float *level = floats(columns * BANDS), *scratch = aligned(BANDS_SCRATCH_BYTES);
  bands(sample + N, level, scratch, columns);
  free(scratch);
  return level;
}

static int draw(const char *path, const sound *s, const float *result, const char *what) {
  long columns = (s->length - WINDOW) / HOP + 1;
  float *before = levels(s->sample, columns), *after = levels(result, columns);
  picture p = {{"the recording", what}, {before, after}, (int)columns, BANDS, (double)columns * HOP / s->rate};
  const char *why;
  int failed = picture_write_png(&p, path, &why);
  if (failed) fprintf(stderr, "codec: %s: %s\n", path, why);
  free(before), free(after);
  return failed;
}

int main(int argc, char **argv) {
  sound s;
  double percent = argc > 4 ? strtod(argv[4], NULL) : 5;
  if (argc < 4 || argc > 5 || !(percent > 0 && percent <= 100))
    return fprintf(stderr, "usage: codec RECORDING RESULT.wav PICTURE.png [PERCENT]\n"), 2;
  if (read_sound(argv[1], &s) != 0) return 1;
  long frames = s.count / N - 1;
  float *coefficient = analyse(&s, frames), *whole = synthesise(coefficient, frames, s.count);
  double exact = quality(&s, whole);
  keep_largest(coefficient, frames * N, percent);
  float *result = synthesise(coefficient, frames, s.count);
  char what[80];
  snprintf(what, sizeof what, "%g %% of its coefficients: %.1f dB", percent, quality(&s, result));
  printf("%s: %ld frames of %d samples (%s); all coefficients: %.0f dB; %s\n", argv[1], frames, 2 * N, codec_fft_isa(),
         exact, what);
  int failed = write_sound(argv[2], &s, result) || draw(argv[3], &s, result, what);
  free(coefficient), free(whole), free(result), free(s.sample);
  if (exact > 120) return failed ? 1 : 0; /* float's rounding: some 140 dB */
  return fprintf(stderr, "codec: the recording is not what it was\n"), 1;
}
