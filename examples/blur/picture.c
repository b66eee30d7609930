/* A test chart, and PNG by cairo. In: nothing. Out: a picture; a file. */
#include "picture.h"
#include <cairo.h>
#include <math.h>
#include <stdint.h>

/* The chart without letters: a zone plate, whose rings get finer outwards, over a
 * checkerboard; coloured bars at the left edge. */
static double chart(int x, int y, int c) {
  const double dx = x - 300, dy = y - 192, r2 = dx * dx + dy * dy;
  if (x < 48) return (y / 48 + 1) >> c & 1;
  if (r2 < 150 * 150) return 0.5 + 0.5 * cos(r2 / (c == 2 ? 160 : 120));
  return (x / 16 + y / 16) % 2 ? 0.85 : c == 2 ? 0.35 : 0.15;
}

static void draw_letters(cairo_surface_t *surface) {
  cairo_t *cr = cairo_create(surface);
  cairo_select_font_face(cr, "sans-serif", CAIRO_FONT_SLANT_NORMAL, CAIRO_FONT_WEIGHT_BOLD);
  cairo_set_font_size(cr, 56);
  cairo_set_source_rgb(cr, 0.75, 0.1, 0.1);
  cairo_move_to(cr, 206, 212);
  cairo_show_text(cr, "fftgen");
  cairo_destroy(cr);
}

static uint32_t *row_of(cairo_surface_t *surface, int y) {
  unsigned char *data = cairo_image_surface_get_data(surface);
  return (uint32_t *)(void *)(data + (long)y * cairo_image_surface_get_stride(surface));
}

static uint32_t level(double value) { return (uint32_t)lround(255 * fmin(fmax(value, 0), 1)); }

/* The part of the surface from `left`. */
static void put(cairo_surface_t *surface, int left, const picture *p) {
  for (int y = 0; y < HEIGHT; y++)
    for (int x = 0; x < WIDTH; x++)
      row_of(surface, y)[left + x] =
          level(p->colour[0][y][x]) << 16 | level(p->colour[1][y][x]) << 8 | level(p->colour[2][y][x]);
  cairo_surface_mark_dirty(surface);
}

void picture_draw(picture *p) {
  for (int c = 0; c < 3; c++)
    for (int y = 0; y < HEIGHT; y++)
      for (int x = 0; x < WIDTH; x++) p->colour[c][y][x] = (float)chart(x, y, c);
  cairo_surface_t *surface = cairo_image_surface_create(CAIRO_FORMAT_RGB24, WIDTH, HEIGHT);
  if (cairo_surface_status(surface) == CAIRO_STATUS_SUCCESS) {
    put(surface, 0, p);
    draw_letters(surface);
    cairo_surface_flush(surface);
    for (int c = 0; c < 3; c++)
      for (int y = 0; y < HEIGHT; y++)
        for (int x = 0; x < WIDTH; x++) p->colour[c][y][x] = (float)(row_of(surface, y)[x] >> (16 - 8 * c) & 255) / 255;
  }
  cairo_surface_destroy(surface);
}

int picture_write_png(const picture *left, const picture *right, const char *path, const char **why) {
  cairo_surface_t *surface = cairo_image_surface_create(CAIRO_FORMAT_RGB24, 2 * WIDTH, HEIGHT);
  cairo_status_t status = cairo_surface_status(surface);
  if (status == CAIRO_STATUS_SUCCESS) {
    put(surface, 0, left);
    put(surface, WIDTH, right);
    status = cairo_surface_write_to_png(surface, path);
  }
  cairo_surface_destroy(surface);
  *why = cairo_status_to_string(status);
  return status == CAIRO_STATUS_SUCCESS ? 0 : -1;
}
