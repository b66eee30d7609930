/* Grey pictures of 1024 x 1024 bytes: from a PNG file of any size, or drawn; to PNG files. */
#ifndef IMAGE_H
#define IMAGE_H

enum { SIDE = 1024 };
typedef unsigned char image[SIDE][SIDE];

void image_draw(image to);
/* The middle of a picture, scaled. 0, or -1 with *why. */
int image_read_png(image to, const char *path, const char **why);
int image_write_png(image from, const char *path, const char **why);

#endif
