/* Pictures of three colours, 0..1, and PNG files of them. */
#ifndef PICTURE_H
#define PICTURE_H

enum { WIDTH = 512, HEIGHT = 384 };

typedef struct picture {
  float colour[3][HEIGHT][WIDTH]; /* red, green, blue */
} picture;

/* Rings that get finer, a checkerboard, bars and a few letters: something to blur. */
void picture_draw(picture *p);
/* The middle of a PNG file, as large as possible, scaled to the picture's size. 0, or -1 with a reason in *why. */
int picture_read_png(picture *p, const char *path, const char **why);
/* Both side by side. 0, or -1 with a reason in *why. */
int picture_write_png(const picture *left, const picture *right, const char *path, const char **why);
#endif
