/* Declarations that the files of bundle share: bundle.c chooses, text.c writes, both by variant.c. */
#ifndef FG_BUNDLE_PARTS_H
#define FG_BUNDLE_PARTS_H
#include "generator/bundle/bundle.h"

typedef struct fg_variant { /* a problem for an instruction set */
  fg_compilation c;
  fg_piece piece;
  int64_t *bytes; /* per candidate: code and tables, estimated; only when code is bounded */
  int chosen;     /* candidate */
  bool proved;    /* the chosen one */
} fg_variant;

typedef struct fg_bundler {
  fg_context *cx;
  const fg_bundle_request *r;
  int nlevel;                  /* of r->isa, from the first */
  const char **symbol;         /* per problem */
  int nasked, *filtered;       /* problems of the user's; behind them, whose filters one prepares */
  fg_variant *variant;         /* [problem * r->nisa + level] */
  fg_table_pool *pool, *apart; /* tables of levels that choose at run time; of one that is apart */
} fg_bundler;

fg_variant *fg_bundler_variant(const fg_bundler *b, int problem, int level);
/* A level that other CPUs have than the levels before it: it shares nothing with them. */
bool fg_bundler_stands_apart(const fg_bundler *b, int level);
fg_table_pool *fg_bundler_pool(const fg_bundler *b, int level);
/* "DSP_AVX2": the macro that stands for an instruction set's attributes. */
const char *fg_bundler_attribute(const fg_bundler *b, int level);

/* ---- text.c: variants' pieces are there ------------------------------- */
fg_status fg_bundler_source(const fg_bundler *b, fg_file *out, int64_t *table_bytes);
fg_status fg_bundler_header(const fg_bundler *b, const fg_bundle *made, fg_file *out);

/* ---- size.c ------------------------------------------------------------ */
/* Code of a piece, bytes: what gcc and clang make of it at -O2, rounded up. */
int64_t fg_bundler_estimate(const fg_bundler *b, const fg_piece *piece);
/* Chooses levels and candidates whose estimates stay within `most`; the smallest of
 * all where that cannot be reached. */
fg_status fg_bundler_fit(fg_bundler *b, int64_t most, bool *reached);
/* A piece of one candidate, with a pool of its own. */
fg_status fg_bundler_emit(fg_bundler *b, int problem, int level, fg_table_pool *pool, fg_piece *out);
#endif
