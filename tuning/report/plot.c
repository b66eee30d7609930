/* See page_plot.h. */
#include "tuning/report/plot.h"
#include <math.h>

void fg_axis_open(fg_axis *a, int pixels, bool up) { *a = (fg_axis){.pixels = pixels, .up = up}; }

void fg_axis_see(fg_axis *a, double value) {
  if (!(value > 0) || !isfinite(value)) return;
  if (!(a->least > 0) || value < a->least) a->least = value;
  if (value > a->most) a->most = value;
}

void fg_axis_close(fg_axis *a) {
  if (!(a->least > 0)) a->least = a->most = 1;
  a->least = pow(10, floor(log10(a->least)));
  a->most = pow(10, ceil(log10(a->most)));
  if (a->most <= a->least) a->most = 10 * a->least;
}

double fg_axis_at(const fg_axis *a, double value) {
  double at = log10(fmax(value, a->least) / a->least) / log10(a->most / a->least);
  at = fmin(at, 1);
  return a->pixels * (a->up ? 1 - at : at);
}

void fg_axis_ticks(const fg_axis *a, fg_values *v, const char *list) {
  fg_values_list(v, list);
  int decades = (int)lround(log10(a->most / a->least));
  for (int i = 0; i <= decades; i++) {
    double value = a->least * pow(10, i);
    fg_values *row = fg_values_add_row(v, list);
    fg_values_setf(row, "at", "%.1f", fg_axis_at(a, value));
    fg_values_setf(row, "label", "%g", value);
  }
}

const char *fg_page_escaped(fg_context *cx, const char *value) {
  fg_strbuf s;
  fg_strbuf_init(&s, cx->arena);
  for (; *value; value++) {
    if (*value == '<' || *value == '>' || *value == '&' || *value == '"')
      fg_strbuf_addf(&s, "&#%d;", *value);
    else
      fg_strbuf_addn(&s, value, 1);
  }
  return s.text;
}
