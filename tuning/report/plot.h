/* Plots of a report as positions: axes with decades, lines, dots. The markup is in
 * templates/page.tmpl. */
#ifndef FG_PAGE_PLOT_H
#define FG_PAGE_PLOT_H
#include "generator/base/template.h"

typedef struct fg_axis { /* logarithmic */
  double least, most;    /* whole decades once it is closed */
  int pixels;
  bool up; /* larger is higher: positions count from the top */
} fg_axis;

void fg_axis_open(fg_axis *a, int pixels, bool up);
void fg_axis_see(fg_axis *a, double value); /* values that are not above 0 are not seen */
void fg_axis_close(fg_axis *a);
double fg_axis_at(const fg_axis *a, double value); /* pixels; clipped at the ends */
/* Text between tags or in quotes, in cx's arena. */
const char *fg_page_escaped(fg_context *cx, const char *value);
/* A row of `list` for each decade: "at", "label". */
void fg_axis_ticks(const fg_axis *a, fg_values *v, const char *list);
#endif
