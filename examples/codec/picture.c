/* See picture.h. Levels from 70 dB below the loudest one up, by the viridis scale (van der Walt and Smith 2015). */
#include "picture.h"
#include <cairo.h>
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

enum { WIDTH = 1200, LEFT = 24, TOP = 44, PANEL = 300, GAP = 52, HEIGHT = TOP + 2 * PANEL + GAP + 40, RANGE = 70 };

static uint32_t colour_of(double x) {
  static const uint8_t viridis[][3] = {{68, 1, 84},    {72, 40, 120},  {62, 73, 137},  {49, 104, 142}, {38, 130, 142},
                                       {31, 158, 137}, {53, 183, 121}, {110, 206, 88}, {181, 222, 43}, {253, 231, 37}};
  enum { LAST = sizeof viridis / sizeof *viridis - 1 };
  double at = fmin(fmax(x, 0), 1) * LAST;
  int low = at >= LAST ? LAST - 1 : (int)at;
  uint32_t rgb = 0;
  for (int c = 0; c < 3; c++)
    rgb = rgb << 8 | (uint32_t)lround(viridis[low][c] + (at - low) * (viridis[low + 1][c] - viridis[low][c]));
  return rgb;
}

static double loudest(const picture *p) {
  double most = -INFINITY;
  for (long i = 0; i < (long)p->columns * p->bands; i++) most = fmax(most, p->level[0][i]);
  return most;
}

static void paint_panel(cairo_t *cr, const picture *p, int panel, double ceiling) {
  cairo_surface_t *image = cairo_image_surface_create(CAIRO_FORMAT_RGB24, p->columns, p->bands);
  unsigned char *data = cairo_image_surface_get_data(image);
  int stride = cairo_image_surface_get_stride(image), top = TOP + panel * (PANEL + GAP);
  for (int band = 0; data && band < p->bands; band++)
    for (int column = 0; column < p->columns; column++) {
      double level = p->level[panel][(long)column * p->bands + band];
      uint32_t rgb = colour_of((level - ceiling + RANGE) / RANGE);
      memcpy(data + (long)stride * (p->bands - 1 - band) + 4L * column, &rgb, sizeof rgb);
    }
  cairo_surface_mark_dirty(image);
  cairo_move_to(cr, LEFT, top - 12);
  cairo_show_text(cr, p->title[panel]);
  cairo_save(cr);
  cairo_rectangle(cr, LEFT, top, WIDTH - 2 * LEFT, PANEL);
  cairo_clip(cr);
  cairo_translate(cr, LEFT, top);
  cairo_scale(cr, (double)(WIDTH - 2 * LEFT) / p->columns, (double)PANEL / p->bands);
  cairo_set_source_surface(cr, image, 0, 0);
  cairo_pattern_set_extend(cairo_get_source(cr), CAIRO_EXTEND_PAD);
  cairo_paint(cr);
  cairo_restore(cr);
  cairo_surface_destroy(image);
}

int picture_write_png(const picture *p, const char *path, const char **why) {
  cairo_surface_t *surface = cairo_image_surface_create(CAIRO_FORMAT_RGB24, WIDTH, HEIGHT);
  cairo_t *cr = cairo_create(surface);
  char text[80];
  cairo_set_source_rgb(cr, 1, 1, 1);
  cairo_paint(cr);
  cairo_set_source_rgb(cr, 0.13, 0.13, 0.13);
  cairo_select_font_face(cr, "sans-serif", CAIRO_FONT_SLANT_NORMAL, CAIRO_FONT_WEIGHT_NORMAL);
  cairo_set_font_size(cr, 17);
  for (int panel = 0; panel < 2; panel++) paint_panel(cr, p, panel, loudest(p));
  snprintf(text, sizeof text, "%.2f s; %d mel bands; %d dB from dark to bright", p->seconds, p->bands, RANGE);
  cairo_move_to(cr, LEFT, HEIGHT - 14);
  cairo_show_text(cr, text);
  cairo_status_t status = cairo_status(cr);
  if (status == CAIRO_STATUS_SUCCESS) status = cairo_surface_write_to_png(surface, path);
  cairo_destroy(cr);
  cairo_surface_destroy(surface);
  *why = cairo_status_to_string(status);
  return status == CAIRO_STATUS_SUCCESS ? 0 : -1;
}
