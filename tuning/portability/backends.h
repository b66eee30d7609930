/* Backends: everything present that runs a transform - a language, a device and a number of threads - and why others
 * are absent. */
#ifndef FG_PORT_BACKENDS_H
#define FG_PORT_BACKENDS_H
#include "targets/device.h"

enum { FG_PORT_BACKENDS = 24 };

typedef struct fg_port_backend {
  char name[80];        /* "C on 2 threads"; no two have the same */
  char on[160];         /* the piece of hardware: "CPU, 2 threads", "NVIDIA H200" */
  const char *language; /* "C", "OpenCL", ... */
  const fg_device *device;
  int threads;          /* of the CPU; 0: it is no CPU */
  int platform, number; /* OpenCL: which; -1: no choice */
  fg_device_facts facts;
  char why[FG_WHY_SIZE]; /* it is absent; "": it is here */
} fg_port_backend;

/* All, those that are here first. Asked in a child process: none of their drivers is started in this one. wanted: words
 * separated by commas, one of which a name must have; NULL: all. Nonzero: the child failed. */
int fg_port_backends(const char *wanted, fg_port_backend backend[FG_PORT_BACKENDS], int *count, char why[FG_WHY_SIZE]);
/* In the process that is going to use it, before anything else: threads, device. */
int fg_port_backend_enter(const fg_port_backend *w, char why[FG_WHY_SIZE]);

typedef struct fg_port_patience {
  double seconds;           /* 0: no limit */
  const volatile int *stop; /* NULL: it is not stopped */
} fg_port_patience;

/* Runs job(context) in a child that nothing outlives, and waits. What the job writes into memory of
 * fg_port_share is seen here. Nonzero, with the reason, when it crashed, took too long or was stopped. */
int fg_port_in_child(void (*job)(void *context), void *context, fg_port_patience patience, char why[FG_WHY_SIZE]);
void *fg_port_share(size_t bytes); /* zeros; NULL: no memory */
void fg_port_unshare(void *memory, size_t bytes);
#endif
