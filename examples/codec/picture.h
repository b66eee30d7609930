/* Two spectrograms in bands of frequencies, one above the other. */
#ifndef PICTURE_H
#define PICTURE_H

typedef struct picture {
  const char *title[2];
  const float *level[2]; /* decibels, level[column * bands + band]; band 0 is the lowest */
  int columns, bands;
  double seconds;
} picture;

/* Writes a PNG. 0, or -1 with a reason in *why. */
int picture_write_png(const picture *p, const char *path, const char **why);
#endif
