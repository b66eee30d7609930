/* A low-pass filter for recordings, and a check of it.
 *
 *   fir RECORDING RESULT.wav [HERTZ]
 *
 * In: a recording (any format of libsndfile). Out: what is below HERTZ (1000) of
 * its first channel, by overlap-save with transforms that fftgen emitted; and how
 * far that is from the convolution by its definition. */
#include "filter.h"
#include "fir_fft.h"
#include <math.h>
#include <sndfile.h>
#include <stdio.h>
#include <stdlib.h>

enum { TAPS = 385 };

typedef struct recording {
  float *sample; /* first channel */
  long count;
  int rate; /* samples per second */
} recording;

static int read_recording(const char *path, recording *out) {
  SF_INFO info = {0};
  SNDFILE *file = sf_open(path, SFM_READ, &info);
  if (!file) return fprintf(stderr, "fir: %s: %s\n", path, sf_strerror(NULL)), -1;
  float *all = calloc((size_t)info.frames * (size_t)info.channels + 1, sizeof *all);
  long frames = all ? (long)sf_readf_float(file, all, info.frames) : 0;
  sf_close(file);
  for (long i = 0; i < frames; i++) all[i] = all[i * info.channels];
  *out = (recording){all, frames, info.samplerate};
  if (frames) return 0;
  free(all);
  return fprintf(stderr, "fir: %s: no samples\n", path), -1;
}

static int write_recording(const char *path, const recording *r) {
  SF_INFO info = {.samplerate = r->rate, .channels = 1, .format = SF_FORMAT_WAV | SF_FORMAT_FLOAT};
  SNDFILE *file = sf_open(path, SFM_WRITE, &info);
  if (!file) return fprintf(stderr, "fir: %s: %s\n", path, sf_strerror(NULL)), -1;
  sf_count_t written = sf_writef_float(file, r->sample, r->count);
  int failed = sf_close(file) != 0 || written != r->count;
  return failed ? fprintf(stderr, "fir: %s: cannot be written\n", path), -1 : 0;
}

/* A sinc under a Blackman window, of gain 1 at 0 Hz. */
static void design_low_pass(float *response, double cutoff) {
  const double pi = acos(-1);
  double value[TAPS], sum = 0;
  for (int j = 0; j < TAPS; j++) {
    double t = j - (TAPS - 1) / 2.0, phase = 2 * pi * j / (TAPS - 1);
    double window = 0.42 - 0.5 * cos(phase) + 0.08 * cos(2 * phase);
    value[j] = window * (t == 0 ? 2 * cutoff : sin(2 * pi * cutoff * t) / (pi * t));
    sum += value[j];
  }
  for (int j = 0; j < TAPS; j++) response[j] = (float)(value[j] / sum);
}

/* Of the result against the sum that defines it, relative. */
static double error_of(const float *response, const recording *in, const recording *out) {
  double error = 0, size = 0;
  for (long i = 0; i < in->count; i++) {
    double sum = 0;
    for (int j = 0; j < TAPS && j <= i; j++) sum += (double)response[j] * in->sample[i - j];
    error += (out->sample[i] - sum) * (out->sample[i] - sum);
    size += sum * sum;
  }
  return sqrt(error / (size + 1e-300));
}

static double power_of(const recording *r) {
  double sum = 0;
  for (long i = 0; i < r->count; i++) sum += (double)r->sample[i] * r->sample[i];
  return sum / (double)r->count;
}

int main(int argc, char **argv) {
  double hertz = argc == 4 ? atof(argv[3]) : 1000;
  recording in, out;
  float response[TAPS];
  if (argc < 3 || argc > 4) return fprintf(stderr, "usage: fir RECORDING RESULT.wav [HERTZ]\n"), 2;
  if (read_recording(argv[1], &in) != 0) return 1;
  if (!(hertz > 0 && hertz < in.rate / 2.0)) return fprintf(stderr, "fir: %s: no frequency of it\n", argv[3]), 2;
  out = (recording){calloc((size_t)in.count, sizeof *out.sample), in.count, in.rate};
  if (!out.sample) return 1;
  design_low_pass(response, hertz / in.rate);
  filter_apply(response, TAPS, in.sample, in.count, out.sample);
  double error = error_of(response, &in, &out);
  printf("%ld samples by %s: relative error %.3g, %.1f %% of the power is below %g Hz\n", in.count, fir_fft_isa(),
         error, 100 * power_of(&out) / power_of(&in), hertz);
  int failed = write_recording(argv[2], &out) != 0 || !(error < 1e-6);
  free(in.sample);
  free(out.sample);
  return failed;
}
