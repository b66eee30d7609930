/* Plot. In: levels in decibels. Out: a PNG with a frame, ticks and a colour bar,
 * drawn by cairo. The colours are the steps of the viridis scale (van der Walt
 * and Smith 2015), whose lightness rises evenly. */
#include "plot.h"
#include <cairo.h>
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

enum { WIDTH = 1280, HEIGHT = 720, LEFT = 92, TOP = 84, RIGHT = 118, BOTTOM = 74 };
enum { FRAME_WIDTH = WIDTH - LEFT - RIGHT, FRAME_HEIGHT = HEIGHT - TOP - BOTTOM };

static const uint8_t viridis[][3] = {
    {68, 1, 84},    {72, 40, 120},  {62, 73, 137},  {49, 104, 142}, {38, 130, 142},
    {31, 158, 137}, {53, 183, 121}, {110, 206, 88}, {181, 222, 43}, {253, 231, 37},
};
enum { STEPS = sizeof viridis / sizeof *viridis };

/* The colour of x in 0..1, as cairo's RGB24. */
static uint32_t color_of(double x) {
  double at = fmin(fmax(x, 0), 1) * (STEPS - 1);
  int low = at >= STEPS - 1 ? STEPS - 2 : (int)at;
  uint32_t rgb = 0;
  for (int c = 0; c < 3; c++)
    rgb = rgb << 8 | (uint32_t)lround(viridis[low][c] + (at - low) * (viridis[low + 1][c] - viridis[low][c]));
  return rgb;
}

/* An image of one pixel per level, scaled into a rectangle. pixel(x, y) counts
 * rows from the bottom. */
static void paint_levels(cairo_t *cr, const plot *p) {
  cairo_surface_t *image = cairo_image_surface_create(CAIRO_FORMAT_RGB24, p->columns, p->rows);
  unsigned char *data = cairo_image_surface_get_data(image);
  int stride = cairo_image_surface_get_stride(image);
  for (int row = 0; data && row < p->rows; row++)
    for (int column = 0; column < p->columns; column++) {
      double level = p->level[(long)column * p->rows + row];
      uint32_t rgb = color_of((level - p->floor) / (p->ceiling - p->floor));
      memcpy(data + (long)stride * (p->rows - 1 - row) + 4L * column, &rgb, sizeof rgb);
    }
  cairo_surface_mark_dirty(image);
  cairo_save(cr);
  cairo_rectangle(cr, LEFT, TOP, FRAME_WIDTH, FRAME_HEIGHT);
  cairo_clip(cr);
  cairo_translate(cr, LEFT, TOP);
  cairo_scale(cr, (double)FRAME_WIDTH / p->columns, (double)FRAME_HEIGHT / p->rows);
  cairo_set_source_surface(cr, image, 0, 0);
  cairo_pattern_set_filter(cairo_get_source(cr), CAIRO_FILTER_GOOD);
  cairo_pattern_set_extend(cairo_get_source(cr), CAIRO_EXTEND_PAD);
  cairo_paint(cr);
  cairo_restore(cr);
  cairo_surface_destroy(image);
}

static void paint_bar(cairo_t *cr, double left, double width) {
  cairo_pattern_t *ramp = cairo_pattern_create_linear(0, TOP + FRAME_HEIGHT, 0, TOP);
  for (int i = 0; i < STEPS; i++)
    cairo_pattern_add_color_stop_rgb(ramp, (double)i / (STEPS - 1), viridis[i][0] / 255.0, viridis[i][1] / 255.0,
                                     viridis[i][2] / 255.0);
  cairo_rectangle(cr, left, TOP, width, FRAME_HEIGHT);
  cairo_set_source(cr, ramp);
  cairo_fill(cr);
  cairo_pattern_destroy(ramp);
}

/* Text whose box is put at (x, y) by (ax, ay): 0 = its left or top edge there,
 * 1 = its right or bottom edge. */
static void put_text(cairo_t *cr, const char *text, double x, double y, double ax, double ay) {
  cairo_text_extents_t box;
  cairo_text_extents(cr, text, &box);
  cairo_move_to(cr, x - ax * box.x_advance, y - ay * box.height - box.y_bearing);
  cairo_show_text(cr, text);
}

static void put_line(cairo_t *cr, double x0, double y0, double x1, double y1) {
  cairo_move_to(cr, x0, y0);
  cairo_line_to(cr, x1, y1);
  cairo_stroke(cr);
}

/* The largest of 1, 2, 5 x 10^k that gives at least five steps. */
static double tick_step(double range) {
  double decade = pow(10, floor(log10(range / 5)));
  double ratio = range / 5 / decade;
  return decade * (ratio >= 5 ? 5 : ratio >= 2 ? 2 : 1);
}

static void draw_time_axis(cairo_t *cr, const plot *p) {
  double step = tick_step(p->seconds);
  char text[32];
  for (int i = 0; i * step <= p->seconds * (1 + 1e-9); i++) {
    double x = LEFT + i * step / p->seconds * FRAME_WIDTH, y = TOP + FRAME_HEIGHT;
    put_line(cr, x, y, x, y + 6);
    snprintf(text, sizeof text, "%.*f", step < 0.1 ? 2 : step < 1 ? 1 : 0, i * step);
    put_text(cr, text, x, y + 12, 0.5, 0);
  }
  put_text(cr, "time in seconds", LEFT + FRAME_WIDTH / 2.0, HEIGHT - 18, 0.5, 1);
}

static void draw_frequency_axis(cairo_t *cr, const plot *p) {
  double step = tick_step(p->hertz);
  char text[32];
  for (int i = 0; i * step <= p->hertz * (1 + 1e-9); i++) {
    double y = TOP + FRAME_HEIGHT * (1 - i * step / p->hertz);
    put_line(cr, LEFT - 6, y, LEFT, y);
    snprintf(text, sizeof text, "%.*f", step < 1000 ? 1 : 0, i * step / 1000);
    put_text(cr, text, LEFT - 12, y, 1, 0.5);
  }
  cairo_save(cr);
  cairo_translate(cr, 24, TOP + FRAME_HEIGHT / 2.0);
  cairo_rotate(cr, -acos(-1) / 2);
  put_text(cr, "frequency in kHz", 0, 0, 0.5, 0);
  cairo_restore(cr);
}

static void draw_level_axis(cairo_t *cr, const plot *p, double left, double width) {
  char text[32];
  for (int i = 0; p->floor + 20 * i <= p->ceiling; i++) {
    double level = p->floor + 20 * i;
    double y = TOP + FRAME_HEIGHT * (1 - (level - p->floor) / (p->ceiling - p->floor));
    put_line(cr, left + width, y, left + width + 6, y);
    snprintf(text, sizeof text, "%.0f", level);
    put_text(cr, text, left + width + 11, y, 0, 0.5);
  }
  put_text(cr, "dB", left + width / 2, TOP - 12, 0.5, 1);
}

static void draw(cairo_t *cr, const plot *p) {
  double bar = WIDTH - RIGHT + 24, bar_width = 22;
  cairo_set_source_rgb(cr, 1, 1, 1);
  cairo_paint(cr);
  paint_levels(cr, p);
  paint_bar(cr, bar, bar_width);
  cairo_set_source_rgb(cr, 0.13, 0.13, 0.13);
  cairo_set_line_width(cr, 1);
  cairo_rectangle(cr, LEFT - 0.5, TOP - 0.5, FRAME_WIDTH + 1, FRAME_HEIGHT + 1);
  cairo_rectangle(cr, bar - 0.5, TOP - 0.5, bar_width + 1, FRAME_HEIGHT + 1);
  cairo_stroke(cr);
  cairo_select_font_face(cr, "sans-serif", CAIRO_FONT_SLANT_NORMAL, CAIRO_FONT_WEIGHT_NORMAL);
  cairo_set_font_size(cr, 15);
  draw_time_axis(cr, p);
  draw_frequency_axis(cr, p);
  draw_level_axis(cr, p, bar, bar_width);
  put_text(cr, p->subtitle, LEFT, TOP - 14, 0, 1);
  cairo_select_font_face(cr, "sans-serif", CAIRO_FONT_SLANT_NORMAL, CAIRO_FONT_WEIGHT_BOLD);
  cairo_set_font_size(cr, 20);
  put_text(cr, p->title, LEFT, TOP - 40, 0, 1);
}

int plot_write_png(const plot *p, const char *path, const char **why) {
  cairo_surface_t *surface = cairo_image_surface_create(CAIRO_FORMAT_RGB24, WIDTH, HEIGHT);
  cairo_t *cr = cairo_create(surface);
  draw(cr, p);
  cairo_status_t status = cairo_status(cr);
  if (status == CAIRO_STATUS_SUCCESS) status = cairo_surface_write_to_png(surface, path);
  cairo_destroy(cr);
  cairo_surface_destroy(surface);
  *why = cairo_status_to_string(status);
  return status == CAIRO_STATUS_SUCCESS ? 0 : -1;
}
