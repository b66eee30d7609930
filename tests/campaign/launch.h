/* Kernels that are launched, for run_launched: on this CPU, or by OpenCL. */
#ifndef CAMPAIGN_LAUNCH_H
#define CAMPAIGN_LAUNCH_H
#include "case_file.h"
#include <stdbool.h>

enum { LAUNCH_PLACES = 32, LAUNCH_ARGUMENTS = 32 };

typedef struct launch_place { /* memory of the device's */
  size_t bytes;
  void *content;      /* what is there before, and after launcher_close */
  const named *array; /* the caller's; NULL: tables and workspaces */
  int shared;         /* of this other place; -1: of none */
} launch_place;

typedef struct launch_argument {
  int place; /* -1: none, but a number: */
  long long value;
} launch_argument;

typedef struct launch {
  const char *kernel;
  size_t blocks, threads, cluster, local_bytes;
  bool persistent;
  int arguments;
  launch_argument argument[LAUNCH_ARGUMENTS];
} launch;

typedef struct launcher launcher;

/* Doors cuda, hip, metal and sycl: code is a shared object with blocks_launch; cl: a source. NULL, and a line on stderr. */
launcher *launcher_open(const char *door, const char *code, launch_place *place, int places);
int launcher_run(launcher *l, const launch *what); /* 0 or -1 */
int launcher_close(launcher *l);                   /* 0, or -1: contents are not returned */
#endif
