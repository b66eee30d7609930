/* The loader of kernels for the CPU: linked in, or shared objects. */
#ifndef FG_LOAD_HOST_H
#define FG_LOAD_HOST_H
#include "runtime/load/load.h"

typedef struct fg_host_loader {
  fg_loader loader;
  const fftgen_kernel *kernel; /* once it is loaded */
  void *library;               /* of dlopen; NULL: linked in */
} fg_host_loader;

void fg_load_host_begin(fg_host_loader *l);
void fg_load_host_end(fg_host_loader *l); /* unloads the kernel */
#endif
