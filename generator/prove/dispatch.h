/* The code of a bundle that chooses between pieces, run. */
#ifndef FG_PROVE_DISPATCH_H
#define FG_PROVE_DISPATCH_H
#include "generator/print/emit.h"
#include "targets/isa.h"

typedef struct fg_dispatch {
  const char *name; /* of the bundle */
  const char *source, *header;
  int nproblem, nlevel;
  const char *const *symbol;    /* of a problem's public function */
  const int64_t *points;        /* of each problem */
  const fg_isa *const *isa;     /* of a level */
  const fg_piece *const *piece; /* [problem * nlevel + level], bodies as the source has them */
  const char *const *helpers;   /* of a level: functions of vectors, as the source has them; "", NULL: none */
  int nhere;                    /* so many levels are chosen at run time; the next one is another kind of CPU's */
  bool work;                    /* one work in place of scratch and tables */
} fg_dispatch;

/* Whether each public function calls the piece of its own problem for whatever CPU it runs on, with its arguments in
 * place, and the header's numbers suffice for all pieces. FG_OK, with what is wrong in failure, or "". */
fg_status fg_prove_dispatch(fg_context *cx, const fg_dispatch *d, char failure[256]);
#endif
