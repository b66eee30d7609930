/* The common part of plans for devices: a problem, a loader of packages, the loaded routine. A backend (cuda_plan.c,
 * opencl_plan.c) makes a module of code. */
#ifndef FG_DEVICE_PLAN_H
#define FG_DEVICE_PLAN_H
#include "runtime/load/load.h"
#include "runtime/plan/public.h"
#include "runtime/plan/routine.h"

typedef struct fg_device_plan fg_device_plan;

/* Texts last as long as cx's arena; NULL: done. */
typedef struct fg_backend {
  const char *target;
  size_t align; /* of tables and workspaces */
  /* Whether this device can use a package for these (a pack's line). */
  const char *(*refuse)(const fg_device_plan *p, const char *features);
  /* Code of a source for this device. */
  const char *(*translate)(fg_device_plan *p, fg_context *cx, const fg_package *from, fg_package_code *out);
  /* A module, kernels and tables of it; nothing is left when it fails. p->routine is there. */
  const char *(*take)(fg_device_plan *p, fg_context *cx, const fg_package *from);
} fg_backend;

struct fg_device_plan { /* the first member of a backend's plan */
  fg_loader loader;
  const fg_backend *backend;
  fg_device_facts facts;
  fftgen_allocator allocator;
  fg_arena *arena;         /* texts and launches */
  fg_problem problem;      /* a parameter that may be 0 begins there */
  bool empty;              /* the batch has no transforms */
  const char *text, *arch; /* arch: what the code is for, as info.isa says */
  fg_loaded loaded;
  fg_routine routine;
};

/* A plan of `size` bytes, zeroed, with its arena; NULL and *status when that
 * fails. */
typedef struct fg_device_order {
  const char *problem;
  const fftgen_options *options; /* the caller's, or NULL */
  const fg_backend *backend;
  size_t size;
} fg_device_order;
fg_device_plan *fg_device_plan_begin(const fg_device_order *order, fftgen_error *error, fftgen_status *status);
/* p->facts are there: finds the kernels and takes them. */
fftgen_status fg_device_plan_find(fg_device_plan *p, const fg_device_order *order, fftgen_error *error);
void fg_device_plan_end(fg_device_plan *p);                 /* frees it; the backend has released its part before */
void *fg_device_plan_take(fg_device_plan *p, size_t bytes); /* of the plan's allocator; NULL: none left */
void fg_device_plan_give(fg_device_plan *p, void *memory);

/* What an execution was called with, whatever arrays are to a backend: 0 is none. */
typedef struct fg_device_arrays {
  uintptr_t in, in_im, out, out_im;
  bool given; /* all that load= and store= take are there */
  const long long *params;
} fg_device_arrays;
const char *fg_device_plan_wrong(const fg_device_plan *p, const fg_device_arrays *a); /* NULL: nothing is */
/* Nothing is to be done with these parameters, which are in their ranges. */
bool fg_device_plan_is_empty(const fg_device_plan *p, const long long *params);
/* Bytes of the arrays of one side, both parts where it is split, that a call with these parameters has. In place the
 * input is as long as the longer side. */
size_t fg_device_plan_bytes(const fg_device_plan *p, bool output, const long long *params);
/* The same of array number `given` of the caller's, which has `most` bytes with all parameters at their upper ends. */
size_t fg_device_plan_given_bytes(const fg_device_plan *p, size_t given, size_t most, const long long *params);

fftgen_status fg_device_plan_info(const fg_device_plan *p, fftgen_info *info);
#endif
