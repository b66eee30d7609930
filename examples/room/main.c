/* A recording as it sounds in a room, in blocks of 64 samples, as an audio driver asks for them.
 *
 *   room RECORDING RESULT.wav [RESPONSE]
 *
 * In: a recording (any format of libsndfile); the first 2 s of a room's impulse response, or noise that fades. Out: the
 * recording in the room; the processor time of a block, in the mean and at worst, beside that of a filter that
 * transforms all of the response for each block; and how far the result is from the convolution by its definition. */
#include "plain.h"
#include "reverb.h"
#include <math.h>
#include <sndfile.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

enum { BLOCK = 64, TAPS = REVERB_TAPS, ROUNDS = 7 };

typedef struct sound {
  float *sample; /* first channel */
  long count;
  int rate; /* samples per second */
} sound;

static int read_sound(const char *path, sound *out) {
  SF_INFO info = {0};
  SNDFILE *file = sf_open(path, SFM_READ, &info);
  if (!file) return fprintf(stderr, "room: %s: %s\n", path, sf_strerror(NULL)), -1;
  float *all = calloc((size_t)info.frames * (size_t)info.channels + 1, sizeof *all);
  long frames = all ? (long)sf_readf_float(file, all, info.frames) : 0;
  sf_close(file);
  for (long i = 0; i < frames; i++) all[i] = all[i * info.channels];
  *out = (sound){all, frames, info.samplerate};
  if (frames) return 0;
  free(all);
  return fprintf(stderr, "room: %s: no samples\n", path), -1;
}

static int write_sound(const char *path, const sound *s) {
  SF_INFO info = {.samplerate = s->rate, .channels = 1, .format = SF_FORMAT_WAV | SF_FORMAT_FLOAT};
  SNDFILE *file = sf_open(path, SFM_WRITE, &info);
  if (!file) return fprintf(stderr, "room: %s: %s\n", path, sf_strerror(NULL)), -1;
  sf_count_t written = sf_writef_float(file, s->sample, s->count);
  int failed = sf_close(file) != 0 || written != s->count;
  return failed ? fprintf(stderr, "room: %s: cannot be written\n", path), -1 : 0;
}

/* The sound itself, then noise that has faded by 60 dB after 1.5 s; or the beginning of a measured response. */
static int make_response(const char *path, float *response) {
  sound measured;
  unsigned noise = 1;
  if (path) {
    if (read_sound(path, &measured) != 0) return -1;
    for (int i = 0; i < TAPS; i++) response[i] = i < measured.count ? measured.sample[i] : 0;
    free(measured.sample);
    return 0;
  }
  for (int i = 0; i < TAPS; i++) {
    noise = noise * 1664525u + 1013904223u;
    response[i] = (float)(0.02 * ((double)noise / 2147483648.0 - 1) * pow(10, -3 * i / 72000.0));
  }
  response[0] = 1;
  return 0;
}

static double processor_time(void) { /* microseconds */
  struct timespec t;
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
  return 1e6 * (double)t.tv_sec + 1e-3 * (double)t.tv_nsec;
}

/* Two filters of one interface. */
typedef struct filter {
  void *state;
  void (*reset)(void *state);
  void (*push)(void *state, const float *in, size_t n, float *out);
} filter;

static void reset_reverb(void *s) { reverb_reset(s); }
static void push_reverb(void *s, const float *in, size_t n, float *out) { reverb_push(s, in, n, out); }
static void reset_plain(void *s) { plain_reset(s); }
static void push_plain(void *s, const float *in, size_t n, float *out) { plain_push(s, in, n, out); }

/* The least time of each call over some rounds: other programs disturb some of them. */
static void run(const filter *f, int rounds, const float *in, long count, float *out, double *call) {
  for (int round = 0; round < rounds; round++) {
    f->reset(f->state);
    for (long at = 0; at < count; at += BLOCK) {
      double begin = processor_time();
      f->push(f->state, in + at, BLOCK, out + at);
      double time = processor_time() - begin;
      if (round == 0 || time < call[at / BLOCK]) call[at / BLOCK] = time;
    }
  }
}

static void summarize(const double *call, long calls, double *mean, double *worst) {
  *mean = *worst = 0;
  for (long i = 0; i < calls; i++) {
    *mean += call[i] / (double)calls;
    *worst = fmax(*worst, call[i]);
  }
}

/* Of the result against the sum that defines it at every 53rd sample, relative. */
static double error_of(const float *response, const float *in, const float *out, long count) {
  double error = 0, size = 0;
  for (long i = 0; i + REVERB_LATENCY < count; i += 53) {
    double sum = 0;
    for (long j = 0; j < TAPS && j <= i; j++) sum += (double)response[j] * in[i - j];
    error += (out[i + REVERB_LATENCY] - sum) * (out[i + REVERB_LATENCY] - sum);
    size += sum * sum;
  }
  return sqrt(error / (size + 1e-300));
}

static float *new_numbers(long count) {
  float *numbers = calloc((size_t)count, sizeof *numbers);
  if (!numbers) fprintf(stderr, "room: no memory\n"), exit(1);
  return numbers;
}

int main(int argc, char **argv) {
  sound in;
  double mean, worst, plain_mean, plain_worst;
  if (argc < 3 || argc > 4) return fprintf(stderr, "usage: room RECORDING RESULT.wav [RESPONSE]\n"), 2;
  float *response = new_numbers(TAPS);
  if (read_sound(argv[1], &in) != 0 || make_response(argc == 4 ? argv[3] : NULL, response) != 0) return 1;
  long count = (in.count + TAPS + BLOCK - 1) / BLOCK * BLOCK, calls = count / BLOCK;
  float *signal = new_numbers(count), *out = new_numbers(count), *same = new_numbers(count);
  double *call = calloc((size_t)calls, sizeof *call);
  filter reverb = {malloc(REVERB_BYTES), reset_reverb, push_reverb},
         plain = {malloc(PLAIN_BYTES), reset_plain, push_plain};
  if (!reverb.state || !plain.state || !call) return fprintf(stderr, "room: no memory\n"), 1;
  void *memory[] = {reverb.state, plain.state};
  for (long i = 0; i < in.count; i++) signal[i] = in.sample[i];
  reverb.state = reverb_init(memory[0]);
  plain.state = plain_init(memory[1]);
  reverb_filter(reverb.state, response);
  plain_filter(plain.state, response);
  run(&reverb, ROUNDS, signal, count, out, call);
  summarize(call, calls, &mean, &worst);
  run(&plain, 1, signal, count, same, call);
  summarize(call, calls, &plain_mean, &plain_worst);
  double error = error_of(response, signal, out, count);
  printf("%ld samples by %s, %d late: relative error %.3g\n", count, reverb_isa(), REVERB_LATENCY, error);
  printf("a block of %d: %.2f us, at worst %.2f us; all of the response each time: %.1f us, %.0f times as much\n",
         BLOCK, mean, worst, plain_mean, plain_mean / mean);
  int failed = write_sound(argv[2], &(sound){out, count, in.rate}) != 0 || !(error < 1e-6) || !(plain_mean > 3 * mean);
  free(in.sample), free(response), free(signal), free(out), free(same), free(call), free(memory[0]), free(memory[1]);
  return failed;
}
