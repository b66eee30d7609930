/* Bundles: several problems, each for several instruction sets, as one source
 * file and one header. */
#ifndef FG_BUNDLE_H
#define FG_BUNDLE_H
#include "generator/pipeline/pipeline.h"

enum { FG_BUNDLE_ISAS = 8 };

typedef struct fg_bundle_size { /* bytes */
  int64_t flash;                /* code and constants */
  int64_t data, bss;            /* static memory: with and without initial values */
  const char *how;              /* what found that out; NULL: estimated, and data and bss are 0 by construction */
  const char *stack; /* lines "place:function<tab>bytes<tab>kind", as -fstack-usage writes; NULL: not known */
} fg_bundle_size;

typedef struct fg_bundle_request {
  const char *name; /* of the files, and the start of every symbol */
  const char *const *problem;
  const char *const *function; /* name of each; NULL, or one that is: NAME and the problem */
  int nproblem;
  const fg_isa *isa[FG_BUNDLE_ISAS]; /* narrow to wide; the first runs everywhere */
  int nisa;
  const fg_machine *machine; /* that all of it is planned for; NULL: none is named */
  const char *const *recipe;
  int nrecipe;
  bool embedded;     /* one level, static tables, nothing of libm */
  bool work;         /* functions take one work in place of scratch and tables, all of them */
  bool inside;       /* functions are static: more is written behind them */
  int64_t most_code; /* bytes of code and tables; 0: any */
  const char *command;
  /* The plan that is tried first for a problem and an instruction set, where it is one; NULL: none. */
  const char *(*advise)(fg_context *cx, void *data, int problem, const fg_isa *isa);
  void *advise_data;
  /* Builds the source and measures its sizes; NULL: they are estimated. */
  fg_status (*measure)(fg_context *cx, void *data, const fg_file *source, fg_bundle_size *out);
  void *measure_data;
} fg_bundle_request;

typedef struct fg_bundle {
  fg_file file[2]; /* NAME.c, NAME.h */
  int nlevel;      /* instruction sets that are left */
  fg_bundle_size size;
  int64_t table_bytes; /* of static tables, in size.flash */
} fg_bundle;

fg_status fg_bundle_create(fg_context *cx, const fg_bundle_request *request, fg_bundle *out);
#endif
