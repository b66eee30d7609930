/* A spectrogram as a picture: colours, axes, labels. */
#ifndef PLOT_H
#define PLOT_H

typedef struct plot {
  const char *title, *subtitle;
  const float *level; /* decibels, level[column * rows + row]; row 0 is the lowest frequency */
  int columns, rows;
  double seconds, hertz; /* at the right and at the upper edge */
  double floor, ceiling; /* decibels of the darkest and of the brightest colour */
} plot;

/* Writes a PNG. 0, or -1 with a reason in *why. */
int plot_write_png(const plot *p, const char *path, const char **why);
#endif
