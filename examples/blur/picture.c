/* Pictures from a file or a test chart, and PNG by cairo. In: a file, or nothing. Out: a picture; a file. */
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

static void get(cairo_surface_t *surface, picture *p) {
  cairo_surface_flush(surface);
  for (int c = 0; c < 3; c++)
    for (int y = 0; y < HEIGHT; y++)
      for (int x = 0; x < WIDTH; x++) p->colour[c][y][x] = (float)(row_of(surface, y)[x] >> (16 - 8 * c) & 255) / 255;
}

void picture_draw(picture *p) {
  for (int c = 0; c < 3; c++)
    for (int y = 0; y < HEIGHT; y++)
      for (int x = 0; x < WIDTH; x++) p->colour[c][y][x] = (float)chart(x, y, c);
  cairo_surface_t *surface = cairo_image_surface_create(CAIRO_FORMAT_RGB24, WIDTH, HEIGHT);
  if (cairo_surface_status(surface) == CAIRO_STATUS_SUCCESS) {
    put(surface, 0, p);
    draw_letters(surface);
    get(surface, p);
  }
  cairo_surface_destroy(surface);
}

/* So large that it covers the picture, its middle in the middle. */
static cairo_status_t cover(cairo_surface_t *to, cairo_surface_t *photograph) {
  double width = cairo_image_surface_get_width(photograph), height = cairo_image_surface_get_height(photograph);
  double scale = fmax(WIDTH / width, HEIGHT / height);
  cairo_t *cr = cairo_create(to);
  cairo_translate(cr, (WIDTH - scale * width) / 2, (HEIGHT - scale * height) / 2);
  cairo_scale(cr, scale, scale);
  cairo_set_source_surface(cr, photograph, 0, 0);
  cairo_pattern_set_filter(cairo_get_source(cr), CAIRO_FILTER_GOOD);
  cairo_pattern_set_extend(cairo_get_source(cr), CAIRO_EXTEND_PAD);
  cairo_paint(cr);
  cairo_status_t status = cairo_status(cr);
  cairo_destroy(cr);
  return status;
}

int picture_read_png(picture *p, const char *path, const char **why) {
  cairo_surface_t *photograph = cairo_image_surface_create_from_png(path);
  cairo_surface_t *surface = cairo_image_surface_create(CAIRO_FORMAT_RGB24, WIDTH, HEIGHT);
  cairo_status_t status = cairo_surface_status(photograph);
  if (status == CAIRO_STATUS_SUCCESS) status = cairo_surface_status(surface);
  if (status == CAIRO_STATUS_SUCCESS) status = cover(surface, photograph);
  if (status == CAIRO_STATUS_SUCCESS) get(surface, p);
  cairo_surface_destroy(surface);
  cairo_surface_destroy(photograph);
  /* Of what is no picture cairo says that memory ran out. */
  *why = status == CAIRO_STATUS_FILE_NOT_FOUND ? cairo_status_to_string(status) : "no PNG file that can be read";
  return status == CAIRO_STATUS_SUCCESS ? 0 : -1;
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
