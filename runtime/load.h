/* Finds the kernel of a problem: linked in, in a pack, cached, or generated now. */
#ifndef FG_LOAD_H
#define FG_LOAD_H
#include "generator/strbuf.h"
#include "runtime/include/fftgen/fftgen.h"
#include "runtime/wisdom.h"

typedef struct fg_load_request {
  const char *problem;           /* canonical text */
  const char *like;              /* another problem whose plans suit this one; NULL: none */
  const fftgen_options *options; /* whole, with every default filled in as zero */
  fg_wisdom_warn warn;
} fg_load_request;

typedef struct fg_loaded { /* texts in the context's arena, but for the kernel's */
  const fftgen_kernel *kernel;
  void *library; /* of dlopen; NULL: linked in */
  const char *origin;
  fg_strbuf reasons; /* why not from the places before */
  double ns;         /* that wisdom expects of this plan; 0: not known */
} fg_loaded;

/* FG_ENA: there is none and none can be made; out->reasons tells all. */
fg_status fg_load_kernel(fg_context *cx, const fg_load_request *request, fg_loaded *out);
void fg_load_release(fg_loaded *l);
#endif
