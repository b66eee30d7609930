/* See plot.h. */
#include "tuning/report/plot.h"
#include <math.h>

void fg_plot_axis_open(fg_plot_axis *a, int pixels, bool up) { *a = (fg_plot_axis){.pixels = pixels, .up = up}; }

void fg_plot_axis_see(fg_plot_axis *a, double value) {
  if (!(value > 0) || !isfinite(value)) return;
  if (!(a->least > 0) || value < a->least) a->least = value;
  if (value > a->most) a->most = value;
}

void fg_plot_axis_close(fg_plot_axis *a) {
  if (!(a->least > 0)) a->least = a->most = 1;
  a->least = pow(10, floor(log10(a->least)));
  a->most = pow(10, ceil(log10(a->most)));
  if (a->most <= a->least) a->most = 10 * a->least;
}

double fg_plot_axis_at(const fg_plot_axis *a, double value) {
  double at = log10(fmax(value, a->least) / a->least) / log10(a->most / a->least);
  at = fmin(at, 1);
  return a->pixels * (a->up ? 1 - at : at);
}

void fg_plot_axis_ticks(const fg_plot_axis *a, fg_template_values *v, const char *list) {
  fg_template_list(v, list);
  int decades = (int)lround(log10(a->most / a->least));
  for (int i = 0; i <= decades; i++) {
    double value = a->least * pow(10, i);
    fg_template_values *row = fg_template_add_row(v, list);
    fg_template_setf(row, "at", "%.1f", fg_plot_axis_at(a, value));
    fg_template_setf(row, "label", "%g", value);
  }
}

static void keep(fg_plot_labels *l, fg_plot_box box) {
  if (l->count < FG_LABELS) l->box[l->count++] = box;
}

static bool is_free(const fg_plot_labels *l, const fg_plot_box *b) {
  if (b->left < 0 || b->top < 0 || b->right > l->width || b->bottom > l->height) return false;
  for (int i = 0; i < l->count; i++) {
    const fg_plot_box *o = &l->box[i];
    if (b->left < o->right && o->left < b->right && b->top < o->bottom && o->top < b->bottom) return false;
  }
  return true;
}

void fg_plot_labels_dot(fg_plot_labels *l, double x, double y, double radius) {
  keep(l, (fg_plot_box){x - radius, y - radius, x + radius, y + radius});
}

bool fg_plot_labels_fit(fg_plot_labels *l, double x, double y, int letters, double at[2]) {
  enum { RINGS = 12, STEP = 7, GAP = 6 };
  static const double side[][2] = {{1, 0}, {-1, 0}, {1, -1}, {1, 1}, {-1, -1}, {-1, 1}, {0, -1}, {0, 1}};
  double width = letters * FG_LABEL_LETTER;
  for (int ring = 0; ring < RINGS; ring++) {
    for (size_t i = 0; i < sizeof side / sizeof *side; i++) {
      double far = GAP + STEP * ring, cx = x + side[i][0] * (far + width / 2);
      double cy = y + side[i][1] * (far + FG_LABEL_LINE / 2.0);
      fg_plot_box b = {cx - width / 2, cy - FG_LABEL_LINE / 2.0, cx + width / 2, cy + FG_LABEL_LINE / 2.0};
      if (!is_free(l, &b)) continue;
      keep(l, b);
      at[0] = b.left;
      at[1] = b.bottom - 3;
      return true;
    }
  }
  return false;
}

const char *fg_page_escaped(fg_context *cx, const char *value) {
  fg_strbuf s = fg_strbuf_new(cx->arena);
  for (; *value; value++) {
    if (*value == '<' || *value == '>' || *value == '&' || *value == '"')
      fg_strbuf_addf(&s, "&#%d;", *value);
    else
      fg_strbuf_addn(&s, value, 1);
  }
  return s.text;
}
