/* A photograph, its spectrum, and the photograph through a filter.
 *
 *   photo [-c CUTOFF] -o NAME [PHOTOGRAPH.png]
 *
 * In: a PNG file of any size; its middle is scaled to 1024 x 1024 grey bytes. Without one: a test chart. Out:
 * NAME-grey.png; NAME-spectrum.png, the logarithm of the filtered spectrum's magnitude, frequency 0 in the middle;
 * NAME-filtered.png. The filter is a low-pass one of Butterworth's, second order, which halves the power at CUTOFF
 * periods in the picture's width (80).
 *
 * Two calls do it. photo_spectrum loads bytes, transforms, multiplies, takes the logarithm and stores bytes;
 * photo_filter loads bytes, transforms, multiplies, transforms back and stores bytes. */
#include "image.h"
#include "photo_fft.h"
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

enum { HALF = SIDE / 2 + 1, CALLS = 20 };
static image grey, filtered, shifted;
static unsigned char levels[SIDE][HALF];
static float gain[SIDE][HALF], spectrum[SIDE][HALF][2];
static _Alignas(64) float scratch[2 << 20];

static void make_filter(double cutoff) {
  for (int i = 0; i < SIDE; i++)
    for (int k = 0; k < HALF; k++) {
      int y = i <= SIDE / 2 ? i : i - SIDE;
      double r2 = ((double)y * y + (double)k * k) / (cutoff * cutoff);
      gain[i][k] = spectrum[i][k][0] = (float)(1 / sqrt(1 + r2 * r2));
    }
}

/* All columns of the half, and their mirror images, with frequency 0 in the middle. */
static void shift(void) {
  for (int i = 0; i < SIDE; i++)
    for (int k = 0; k < SIDE; k++) {
      int y = (i + SIDE / 2) % SIDE, x = (k + SIDE / 2) % SIDE;
      shifted[i][k] = x < HALF ? levels[y][x] : levels[(SIDE - y) % SIDE][SIDE - x];
    }
}

static double now(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

/* Microseconds of both calls, the least of several. */
static double run(void) {
  double least = 1e9;
  for (int i = 0; i < CALLS; i++) {
    double start = now();
    photo_spectrum(&grey[0][0], &levels[0][0], &gain[0][0], scratch);
    photo_filter(&grey[0][0], &filtered[0][0], &spectrum[0][0][0], scratch);
    least = fmin(least, 1e6 * (now() - start));
  }
  return least;
}

static double mean(image of) {
  double sum = 0;
  for (int i = 0; i < SIDE * SIDE; i++) sum += of[i / SIDE][i % SIDE];
  return sum / (SIDE * SIDE);
}

static int save(image from, const char *name, const char *what) {
  char path[4096];
  const char *why = "the name is too long";
  if (snprintf(path, sizeof path, "%s-%s.png", name, what) < (int)sizeof path && image_write_png(from, path, &why) == 0)
    return 0;
  fprintf(stderr, "photo: %s-%s.png: %s\n", name, what, why);
  return -1;
}

static int usage(void) {
  fprintf(stderr, "usage: photo [-c CUTOFF] -o NAME [PHOTOGRAPH.png]\n"
                  "  -o  of the pictures that are written: NAME-grey.png, NAME-spectrum.png, NAME-filtered.png\n"
                  "  -c  of the filter, in periods a width, from 1 to 1000 (80)\n"
                  "Without a photograph a test chart is filtered.\n");
  return 2;
}

int main(int argc, char **argv) {
  const char *why, *name = NULL, *photograph = NULL;
  double cutoff = 80;
  for (int option; (option = getopt(argc, argv, "o:c:")) != -1;) {
    if (option == 'o') name = optarg;
    if (option == 'c') cutoff = atof(optarg);
    if (option == '?') return usage();
  }
  if (optind < argc) photograph = argv[optind++];
  if (optind < argc || !name || !(cutoff >= 1 && cutoff <= 1000)) return usage();
  if (sizeof scratch < PHOTO_SPECTRUM_SCRATCH_BYTES || sizeof scratch < PHOTO_FILTER_SCRATCH_BYTES) return 1;
  if (!photograph)
    image_draw(grey);
  else if (image_read_png(grey, photograph, &why) != 0)
    return fprintf(stderr, "photo: %s: %s\n", photograph, why), 1;
  make_filter(cutoff);
  double us = run();
  shift();
  if (save(grey, name, "grey") || save(shifted, name, "spectrum") || save(filtered, name, "filtered")) return 1;
  printf("%s: %s by %s: spectrum and filter in %.0f us; mean level %.1f before and %.1f after\n", name,
         photograph ? photograph : "a test chart", photo_fft_isa(), us, mean(grey), mean(filtered));
  return 0;
}
