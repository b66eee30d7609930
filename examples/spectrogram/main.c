/* Spectrogram: what an emitted transform looks like inside somebody's program.
 *
 *   spectrogram RECORDING PICTURE.png
 *
 * In: a recording (any format of libsndfile). Out: its short-time spectrum as a
 * picture. The transform is spectrum_fft.c, which is shipped; it was made by
 *
 *   fftgen emit "r2c f32 n=1024" --isa scalar --plan 'real(16, stockham(8,8))' --prefix spectrum_fft -o FOLDER
 */
#include "plot.h"
#include "spectrum_fft.h"
#include <math.h>
#include <sndfile.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { POINTS = SPECTRUM_FFT_POINTS };
enum { HOP = 64 };                   /* samples between neighbouring columns */
static const double highest = 12000; /* hertz shown; speech has little above */
static const double range = 90;      /* decibels between floor and ceiling */

typedef struct recording {
  float *sample; /* mono */
  long count;
  int rate; /* samples per second */
} recording;

/* Reads all frames and averages their channels. */
static int read_recording(const char *path, recording *out) {
  SF_INFO info = {0};
  SNDFILE *file = sf_open(path, SFM_READ, &info);
  if (!file) return fprintf(stderr, "spectrogram: %s: %s\n", path, sf_strerror(NULL)), -1;
  float *all = calloc((size_t)info.frames * (size_t)info.channels + 1, sizeof *all);
  float *mono = calloc((size_t)info.frames + 1, sizeof *mono);
  sf_count_t frames = all && mono ? sf_readf_float(file, all, info.frames) : 0;
  sf_close(file);
  for (sf_count_t i = 0; i < frames; i++)
    for (int c = 0; c < info.channels; c++) mono[i] += all[i * info.channels + c] / (float)info.channels;
  free(all);
  *out = (recording){mono, (long)frames, info.samplerate};
  if (frames >= POINTS) return 0;
  free(mono);
  return fprintf(stderr, "spectrogram: %s: shorter than one window of %d samples\n", path, POINTS), -1;
}

/* One column: window, transform, decibels against a full-scale sine. */
static void analyse(const float *sample, const float *window, float *level, int rows) {
  static float in[POINTS], out[POINTS + 2];
  static _Alignas(64) float scratch[SPECTRUM_FFT_SCRATCH_BYTES / sizeof(float) + 1];
  for (int i = 0; i < POINTS; i++) in[i] = sample[i] * window[i];
  spectrum_fft(in, out, scratch);
  const double full_scale = POINTS / 4.0; /* half the window's sum */
  for (int k = 0; k < rows; k++) {
    double magnitude = hypot(out[2 * k], out[2 * k + 1]) / full_scale;
    level[k] = (float)(20 * log10(magnitude + 1e-12));
  }
}

/* Levels of all columns, level[column * rows + row]; NULL: out of memory. */
static float *analyse_all(const recording *r, int columns, int rows) {
  float window[POINTS];
  const double pi = acos(-1);
  for (int i = 0; i < POINTS; i++) window[i] = (float)(0.5 - 0.5 * cos(2 * pi * i / POINTS));
  float *level = malloc((size_t)columns * (size_t)rows * sizeof *level);
  for (int c = 0; level && c < columns; c++) analyse(r->sample + (long)c * HOP, window, level + (long)c * rows, rows);
  return level;
}

static int draw(const recording *r, const char *name, const char *path) {
  int columns = (int)((r->count - POINTS) / HOP) + 1;
  double bin = (double)r->rate / POINTS;
  int rows = (int)fmin(POINTS / 2.0, ceil(highest / bin));
  float *level = analyse_all(r, columns, rows);
  if (!level) return fprintf(stderr, "spectrogram: out of memory\n"), -1;
  double loudest = -INFINITY;
  for (long i = 0; i < (long)columns * rows; i++) loudest = fmax(loudest, level[i]);
  double ceiling = 10 * ceil(loudest / 10);
  char subtitle[256];
  snprintf(subtitle, sizeof subtitle,
           "%d Hz, Hann window of %d samples every %d; transform of %d points emitted by fftgen", r->rate, POINTS, HOP,
           POINTS);
  plot p = {
      .title = name,
      .subtitle = subtitle,
      .level = level,
      .columns = columns,
      .rows = rows,
      .seconds = (double)columns * HOP / r->rate,
      .hertz = rows * bin,
      .floor = ceiling - range,
      .ceiling = ceiling,
  };
  const char *why;
  int failed = plot_write_png(&p, path, &why);
  if (failed) fprintf(stderr, "spectrogram: %s: %s\n", path, why);
  if (!failed) printf("%s: %d transforms of %d points -> %s\n", name, columns, POINTS, path);
  free(level);
  return failed;
}

int main(int argc, char **argv) {
  if (argc != 3) {
    fprintf(stderr, "usage: spectrogram RECORDING PICTURE.png\n");
    return 2;
  }
  recording r;
  if (read_recording(argv[1], &r) != 0) return 1;
  const char *slash = strrchr(argv[1], '/');
  int failed = draw(&r, slash ? slash + 1 : argv[1], argv[2]);
  free(r.sample);
  return failed ? 1 : 0;
}
