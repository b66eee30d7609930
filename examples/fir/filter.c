/* Overlap-save (Stockham 1966; Oppenheim and Schafer, section 8.7). In: signal and
 * response. Out: their convolution.
 *
 * Of a circular convolution of n points the first taps - 1 are wrong, since they
 * wrapped around; the others are kept. Two blocks share one complex
 * transform: as the response is real, what was the real part stays the real part. */
#include "filter.h"
#include "fir_fft.h"
#include <string.h>

enum { N = FORWARD_POINTS };
enum {
  FORWARD = FORWARD_SCRATCH_BYTES,
  BACKWARD = BACKWARD_SCRATCH_BYTES,
  SCRATCH = FORWARD > BACKWARD ? FORWARD : BACKWARD
};

typedef struct spectrum {
  float value[2 * N];
} spectrum;

typedef struct workshop {
  _Alignas(64) float scratch[SCRATCH / sizeof(float)];
  float time[2 * N];
  spectrum signal, response;
} workshop;

static float sample_at(const float *in, long count, long i) { return i >= 0 && i < count ? in[i] : 0; }

/* Block a in the real parts, block b in the imaginary parts. */
static void filter_two(workshop *w, const float *in, long count, long a, long b) {
  for (int i = 0; i < N; i++) {
    w->time[2 * i] = sample_at(in, count, a + i);
    w->time[2 * i + 1] = sample_at(in, count, b + i);
  }
  forward(w->time, w->signal.value, w->scratch);
  for (int k = 0; k < N; k++) {
    float re = w->signal.value[2 * k], im = w->signal.value[2 * k + 1];
    float c = w->response.value[2 * k], s = w->response.value[2 * k + 1];
    w->signal.value[2 * k] = re * c - im * s;
    w->signal.value[2 * k + 1] = re * s + im * c;
  }
  backward(w->signal.value, w->time, w->scratch);
}

static void keep(const workshop *w, int part, int taps, long at, long count, float *out) {
  for (int i = taps - 1; i < N; i++)
    if (at + i < count) out[at + i] = w->time[2 * i + part];
}

void filter_apply(const float *response, int taps, const float *in, long count, float *out) {
  static _Thread_local workshop w;
  const int step = N - (taps - 1);
  memset(w.time, 0, sizeof w.time);
  for (int j = 0; j < taps; j++) w.time[2 * j] = response[j] / N; /* transforms are not scaled */
  forward(w.time, w.response.value, w.scratch);
  for (long at = -(taps - 1); at + taps - 1 < count; at += 2L * step) {
    filter_two(&w, in, count, at, at + step);
    keep(&w, 0, taps, at, count, out);
    keep(&w, 1, taps, at + step, count, out);
  }
}
