/* See image.h. By cairo. */
#include "image.h"
#include <cairo.h>
#include <math.h>
#include <stdint.h>

static uint32_t *row_of(cairo_surface_t *surface, int y) {
  unsigned char *data = cairo_image_surface_get_data(surface);
  return (uint32_t *)(void *)(data + (long)y * cairo_image_surface_get_stride(surface));
}

/* A zone plate, whose rings get finer outwards, over a checkerboard. */
void image_draw(image to) {
  for (int y = 0; y < SIDE; y++)
    for (int x = 0; x < SIDE; x++) {
      double dx = x - SIDE / 2, dy = y - SIDE / 2, r2 = dx * dx + dy * dy;
      double level = r2 < 400 * 400 ? 0.5 + 0.5 * cos(r2 / 500) : (x / 32 + y / 32) % 2 ? 0.85 : 0.15;
      to[y][x] = (unsigned char)lround(255 * level);
    }
}

/* So large that it covers the square, its middle in the middle. */
static cairo_status_t cover(cairo_surface_t *to, cairo_surface_t *photograph) {
  double width = cairo_image_surface_get_width(photograph), height = cairo_image_surface_get_height(photograph);
  double scale = SIDE / fmin(width, height);
  cairo_t *cr = cairo_create(to);
  cairo_translate(cr, (SIDE - scale * width) / 2, (SIDE - scale * height) / 2);
  cairo_scale(cr, scale, scale);
  cairo_set_source_surface(cr, photograph, 0, 0);
  cairo_pattern_set_filter(cairo_get_source(cr), CAIRO_FILTER_GOOD);
  cairo_pattern_set_extend(cairo_get_source(cr), CAIRO_EXTEND_PAD);
  cairo_paint(cr);
  cairo_status_t status = cairo_status(cr);
  cairo_destroy(cr);
  return status;
}

/* Luma of ITU-R BT.601. */
static unsigned char grey(uint32_t pixel) {
  return (unsigned char)lround(0.299 * (pixel >> 16 & 255) + 0.587 * (pixel >> 8 & 255) + 0.114 * (pixel & 255));
}

int image_read_png(image to, const char *path, const char **why) {
  cairo_surface_t *photograph = cairo_image_surface_create_from_png(path);
  cairo_surface_t *surface = cairo_image_surface_create(CAIRO_FORMAT_RGB24, SIDE, SIDE);
  cairo_status_t status = cairo_surface_status(photograph);
  if (status == CAIRO_STATUS_SUCCESS) status = cairo_surface_status(surface);
  if (status == CAIRO_STATUS_SUCCESS) status = cover(surface, photograph);
  cairo_surface_flush(surface);
  for (int y = 0; status == CAIRO_STATUS_SUCCESS && y < SIDE; y++)
    for (int x = 0; x < SIDE; x++) to[y][x] = grey(row_of(surface, y)[x]);
  cairo_surface_destroy(surface);
  cairo_surface_destroy(photograph);
  /* Of what is no picture cairo says that memory ran out. */
  *why = status == CAIRO_STATUS_FILE_NOT_FOUND ? cairo_status_to_string(status) : "no PNG file that can be read";
  return status == CAIRO_STATUS_SUCCESS ? 0 : -1;
}

int image_write_png(image from, const char *path, const char **why) {
  cairo_surface_t *surface = cairo_image_surface_create(CAIRO_FORMAT_RGB24, SIDE, SIDE);
  cairo_status_t status = cairo_surface_status(surface);
  for (int y = 0; status == CAIRO_STATUS_SUCCESS && y < SIDE; y++)
    for (int x = 0; x < SIDE; x++) row_of(surface, y)[x] = from[y][x] * 0x10101u;
  cairo_surface_mark_dirty(surface);
  if (status == CAIRO_STATUS_SUCCESS) status = cairo_surface_write_to_png(surface, path);
  cairo_surface_destroy(surface);
  *why = cairo_status_to_string(status);
  return status == CAIRO_STATUS_SUCCESS ? 0 : -1;
}
