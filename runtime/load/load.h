/* Finds the kernel of a problem: linked in, in a pack, cached, or generated just in time. The order is the same for
 * every target; a loader loads the file. */
#ifndef FG_LOAD_H
#define FG_LOAD_H
#include "generator/base/strbuf.h"
#include "runtime/include/fftgen/fftgen.h"
#include "runtime/load/jit.h"
#include "runtime/store/wisdom.h"

typedef struct fg_loader fg_loader;
struct fg_loader {
  const char *target, *device; /* as wisdom names them: "c", "x86_64 ..." */
  const char *also;            /* another target whose plans can be built, too; NULL: none */
  const char *suffix;          /* of its files in the cache */
  const char *compiler;        /* that the user names; "": none */
  const char *plan;            /* of what was loaded; NULL: nothing yet */
  const char *remark;          /* of open: what was unusual; NULL: nothing */
  /* Each returns NULL, or why not; texts last as long as cx's arena. */
  const char *(*linked)(fg_loader *l, const char *problem,
                        const char *plan);                         /* plan NULL: any; the kernel in the
                                                                    * program, loaded. NULL: there are none */
  const char *(*refuse)(const fg_loader *l, const char *features); /* of a line of a pack */
  const char *(*open)(fg_loader *l, fg_context *cx, const char *problem, const char *path); /* loads a file */
  /* Writes a file for open at request->output, or learns that it has it already. */
  fg_jit_status (*make)(fg_loader *l, const fg_jit *jit, const fg_jit_request *request, fg_jit_result *result);
};

typedef struct fg_load_request {
  const char *problem;           /* canonical text */
  const char *like;              /* another problem whose plans suit this one; NULL: none */
  const fftgen_options *options; /* whole, with every default filled in as zero */
  fg_wisdom_warn warn;
} fg_load_request;

typedef struct fg_loaded { /* texts in the context's arena */
  const char *origin;
  fg_strbuf reasons; /* why not from the places before */
  double ns;         /* that wisdom expects of this plan; 0: not known */
  bool measured;     /* wisdom has a line about it, or a problem with the same work, by this version */
  bool final;        /* and its search was complete */
} fg_loaded;

/* FG_ENA: there is none and none can be made; out->reasons has all reasons. */
fg_status fg_load_kernel(fg_context *cx, fg_loader *loader, const fg_load_request *request, fg_loaded *out);
#endif
