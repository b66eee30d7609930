/* Plots of a report as positions: axes with decades, lines, dots. The markup is in
 * templates/page.tmpl. */
#ifndef FG_PAGE_PLOT_H
#define FG_PAGE_PLOT_H
#include "generator/base/template.h"

typedef struct fg_plot_axis { /* logarithmic */
  double least, most;         /* whole decades once it is closed */
  int pixels;
  bool up; /* larger is higher: positions count from the top */
} fg_plot_axis;

void fg_plot_axis_open(fg_plot_axis *a, int pixels, bool up);
void fg_plot_axis_see(fg_plot_axis *a, double value); /* values that are not above 0 are not seen */
void fg_plot_axis_close(fg_plot_axis *a);
double fg_plot_axis_at(const fg_plot_axis *a, double value); /* pixels; clipped at the ends */

enum { FG_LABELS = 128, FG_LABEL_LETTER = 8, FG_LABEL_LINE = 14 };
typedef struct fg_plot_box {
  double left, top, right, bottom;
} fg_plot_box;
typedef struct fg_plot_labels { /* of one plot: none overlaps another, or a dot */
  double width, height;         /* of the plot, in which all of them stay */
  int count;
  fg_plot_box box[FG_LABELS];
} fg_plot_labels;
/* Something of this radius is at x, y: labels keep off. */
void fg_plot_labels_dot(fg_plot_labels *l, double x, double y, double radius);
/* The position of a text of so many letters that belongs to x, y: the left end of its base line, as near as there is
 * room. False where there is none; it is left out then. */
bool fg_plot_labels_fit(fg_plot_labels *l, double x, double y, int letters, double at[2]);

/* Text between tags or in quotes, in cx's arena. */
const char *fg_page_escaped(fg_context *cx, const char *value);
/* A row of `list` for each decade: "at", "label". */
void fg_plot_axis_ticks(const fg_plot_axis *a, fg_template_values *v, const char *list);
#endif
