/* A progress line: on a terminal shown after the first second, renewed a few times a second, removed when the work
 * is done; otherwise, for work of minutes, a line for each step. */
#include "generator/cli/progress.h"
#include "targets/number.h"
#include <stdio.h>
#include <time.h>
#include <unistd.h>

#define PATIENCE 1.0 /* seconds of silence */
#define PAUSE 0.2    /* between two lines */

typedef struct line {
  double begun, last;
  bool shown;
} line;

static line the_line; /* as there is one terminal */

static double now(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

void fg_cli_progress_end(void) {
  if (the_line.shown) fputs("\r\033[K", stderr);
  the_line.shown = false;
}

static void report(void *self, const char *what, double part) {
  line *l = self;
  if (part >= 1) {
    fg_cli_progress_end();
    return;
  }
  double at = now();
  if (at - l->begun < PATIENCE || at - l->last < PAUSE) return;
  l->last = at;
  l->shown = true;
  fg_number_write(stderr, "\r\033[K%s %.0f %%", what, 100 * part);
}

static void report_plainly(void *self, const char *what, double part) {
  (void)self;
  if (part < 1) fg_number_write(stderr, "%s, %.0f %%\n", what, 100 * part);
}

void fg_cli_progress_steps(fg_context *cx) {
  fg_cli_progress_begin(cx);
  if (!cx->progress.report) cx->progress = (fg_progress){report_plainly, NULL};
}

/* What failed and was passed over, though another candidate serves. */
static void note(void *self, const char *what) {
  (void)self;
  fg_cli_progress_end();
  fprintf(stderr, "fftgen: %s\n", what);
}

void fg_cli_progress_begin(fg_context *cx) {
  cx->note = (fg_listener){note, NULL};
  if (!isatty(STDERR_FILENO)) return;
  the_line = (line){.begun = now()};
  cx->progress = (fg_progress){report, &the_line};
}
