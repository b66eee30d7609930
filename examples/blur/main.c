/* A photograph beside itself, blurred.
 *
 *   blur [-s SIGMA] -o OUTPUT.png [PHOTOGRAPH.png]
 *
 * In: a PNG file of any size; its middle is scaled to 512 x 384 pixels. Without one: a
 * test chart. Out: OUTPUT.png, the picture and the same under a Gaussian of SIGMA
 * pixels (6) side by side; and how far the blur is from its definition, the weighted
 * sum over all pixels, with edges that continue at the other side.
 *
 * Two dimensions are rows and then columns, each a batch of transforms with its
 * own strides, in place. Two colours share one complex transform: weights are
 * real and symmetric, so the parts do not mix. */
#include "blur_fft.h"
#include "picture.h"
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

static _Alignas(64) float plane[HEIGHT][WIDTH][2];
static _Alignas(64) float scratch[1 << 20];

/* Transfer of a Gaussian at frequency k of n. */
static double transfer(int k, int n, double sigma) {
  const double pi = acos(-1), f = (double)(k <= n / 2 ? k : k - n) / n;
  return exp(-2 * pi * pi * sigma * sigma * f * f);
}

static void blur_plane(double sigma) {
  forward_rows(&plane[0][0][0], scratch);
  forward_columns(&plane[0][0][0], scratch);
  for (int y = 0; y < HEIGHT; y++)
    for (int x = 0; x < WIDTH; x++) {
      float factor = (float)(transfer(x, WIDTH, sigma) * transfer(y, HEIGHT, sigma) / (WIDTH * HEIGHT));
      plane[y][x][0] *= factor;
      plane[y][x][1] *= factor;
    }
  backward_columns(&plane[0][0][0], scratch);
  backward_rows(&plane[0][0][0], scratch);
}

/* Two colours at a time; the last alone. */
static void blur(const picture *in, picture *out, double sigma) {
  for (int c = 0; c < 3; c += 2) {
    for (int y = 0; y < HEIGHT; y++)
      for (int x = 0; x < WIDTH; x++) {
        plane[y][x][0] = in->colour[c][y][x];
        plane[y][x][1] = c < 2 ? in->colour[c + 1][y][x] : 0;
      }
    blur_plane(sigma);
    for (int y = 0; y < HEIGHT; y++)
      for (int x = 0; x < WIDTH; x++) {
        out->colour[c][y][x] = plane[y][x][0];
        if (c < 2) out->colour[c + 1][y][x] = plane[y][x][1];
      }
  }
}

/* Weights of all distances, around the edge as often as they matter; their sum is 1. */
static void weigh(double *weight, int n, double sigma) {
  double sum = 0;
  for (int i = 0; i < n; i++) {
    weight[i] = 0;
    for (int turn = -2; turn <= 2; turn++) weight[i] += exp(-pow(i + (double)turn * n, 2) / (2 * sigma * sigma));
    sum += weight[i];
  }
  for (int i = 0; i < n; i++) weight[i] /= sum;
}

/* The largest difference from the definition, for some pixels. */
static double error_of(const picture *in, const picture *out, double sigma) {
  double across[WIDTH], down[HEIGHT], worst = 0;
  weigh(across, WIDTH, sigma);
  weigh(down, HEIGHT, sigma);
  for (int i = 0; i < WIDTH * HEIGHT; i += 97 * 41)
    for (int c = 0; c < 3; c++) {
      int px = i % WIDTH, py = i / WIDTH;
      double sum = 0;
      for (int y = 0; y < HEIGHT; y++)
        for (int x = 0; x < WIDTH; x++) sum += down[abs(py - y)] * across[abs(px - x)] * in->colour[c][y][x];
      worst = fmax(worst, fabs(sum - out->colour[c][py][px]));
    }
  return worst;
}

static int usage(void) {
  fprintf(stderr, "usage: blur [-s SIGMA] -o OUTPUT.png [PHOTOGRAPH.png]\n"
                  "  -o  the picture that is written\n"
                  "  -s  of the Gaussian, in pixels, from 1 to 100 (6)\n"
                  "Without a photograph a test chart is blurred.\n");
  return 2;
}

int main(int argc, char **argv) {
  static picture in, out;
  const char *why, *output = NULL, *photograph = NULL;
  double sigma = 6;
  for (int option; (option = getopt(argc, argv, "o:s:")) != -1;) {
    if (option == 'o') output = optarg;
    if (option == 's') sigma = atof(optarg);
    if (option == '?') return usage();
  }
  if (optind < argc) photograph = argv[optind++];
  if (optind < argc || !output || !(sigma >= 1 && sigma <= 100)) return usage();
  if (!photograph)
    picture_draw(&in);
  else if (picture_read_png(&in, photograph, &why) != 0)
    return fprintf(stderr, "blur: %s: %s\n", photograph, why), 1;
  blur(&in, &out, sigma);
  double error = error_of(&in, &out, sigma);
  if (picture_write_png(&in, &out, output, &why) != 0) return fprintf(stderr, "blur: %s: %s\n", output, why), 1;
  printf("%s: %s, blurred by %g pixels with %s: largest error %.3g of full scale\n", output,
         photograph ? photograph : "a test chart", sigma, blur_fft_isa(), error);
  return !(error < 1e-5);
}
