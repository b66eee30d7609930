/* fg_machine: the figures of a machine, one const row each (targets/machine/), each figure with its source beside
 * it.
 *
 * A present device has a row filled from its own report (fg_machine_of_device, fg_device_facts); --arch NAME takes a
 * row if there is no such device. */
#ifndef FG_MACHINE_H
#define FG_MACHINE_H
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct fg_machine_sources { /* of figures: a document, or a measurement */
#define FIGURE(name, unit, meaning) const char *name;
#include "targets/machine/machine.def"
#undef FIGURE
} fg_machine_sources;

typedef struct fg_machine {
  const char *name;   /* that --arch takes: "zen4", "sm_90" */
  const char *also;   /* other names of it, spaces between them; "": none */
  const char *title;  /* the product whose figures these are */
  const char *target; /* dialects that may be planned for it, spaces between them; the first where none is said */
  const char *isa;    /* CPUs: the row of targets/isas.c that uses all of it; NULL: GPUs */
  const char *code;   /* GPUs: its architecture for compilers, "sm_90"; NULL: none */
  const char *device; /* part of the name by which drivers know it, where several rows have one architecture; NULL */
#define FIGURE(name, unit, meaning) int64_t name;
#include "targets/machine/machine.def"
#undef FIGURE
  fg_machine_sources source;
  const struct fg_cpu_costs *costs; /* CPUs: what work costs there; NULL: as on the nearest one that was measured */
} fg_machine;

/* In rows: a figure, and where it is from. */
#ifdef FG_MACHINE_BARE /* the shared libfftgen, which prints none */
#define FG_IS(figure, value, where) .figure = (value)
#else
#define FG_IS(figure, value, where) .figure = (value), .source.figure = (where)
#endif

/* All rows, by name; ended by NULL. */
const fg_machine *const *fg_machine_table(void);
/* By its name or one of the others. NULL: there is none. */
const fg_machine *fg_machine_find(const char *name);
/* The row of a GPU of this architecture, and of several the one that its driver calls so. NULL: there is none. */
const fg_machine *fg_machine_of_device(const char *code, const char *device);
static inline bool fg_machine_is_gpu(const fg_machine *m) { return !m->isa; }
/* Is it one of the words of a list with spaces between them? */
bool fg_machine_lists(const char *list, const char *word);
/* Does its row name this dialect? */
bool fg_machine_takes(const fg_machine *m, const char *target);

enum { FG_LARGE_L2 = 2 << 20 }; /* bytes, from which on passes need not care for L3 */

/* An L2 that leaves large arrays to L3, which is near. */
static inline bool fg_is_small_l2(int64_t bytes) { return bytes < FG_LARGE_L2; }

typedef struct fg_figure { /* one of the figures: what it is, and its places in a row */
  const char *name, *unit, *meaning;
  size_t value, source; /* offsets of an int64_t and a const char * in fg_machine */
} fg_figure;
const fg_figure *fg_machine_figures(void); /* ended by one without a name */
int64_t fg_figure_value(const fg_machine *m, const fg_figure *f);
const char *fg_figure_source(const fg_machine *m, const fg_figure *f); /* NULL: it is 0 */
/* What a device says of itself, in place of its row's; a value of 0 or less says nothing. */
void fg_machine_set(fg_machine *m, const char *figure, int64_t value, const char *source);
#endif
