/* Fits the cost model of lanes and loops (targets/machine/cpu_costs.def) to plans that were measured on a CPU. */
#ifndef FG_CPU_FIT_H
#define FG_CPU_FIT_H
#include "targets/device.h"
#include "targets/machine/costs.h"
#include "tuning/search/figure_fit.h"

typedef struct fg_cpu_fit_options {
  const fg_device_facts *facts;   /* of the CPU */
  const fg_figure_sample *sample; /* each with its instruction set; times in nanoseconds */
  int count;
  const volatile int *stop; /* set by Ctrl-C; NULL: never */
  void (*watch)(void *context, const char *phase, int done, int total);
  void *context;
} fg_cpu_fit_options;

typedef struct fg_cpu_cost { /* one of the figures */
  const char *group, *name, *meaning;
  bool fitted;
} fg_cpu_cost;
/* As they are in fg_cpu_costs, one behind the other; ended by one without a name. */
const fg_cpu_cost *fg_cpu_fit_table(void);

/* From the costs of the measured machine that is nearest. FG_EUSER: too few plans; FG_ENA: stopped. */
fg_status fg_cpu_fit_run(fg_context *cx, const fg_cpu_fit_options *options, fg_figure_fit *out);
#endif
