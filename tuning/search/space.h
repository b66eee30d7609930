/* The search space as data: space.lua, or a user's file in its place, lists the values of parameters to try. It runs
 * in the recipes' sandbox. */
#ifndef FG_SPACE_H
#define FG_SPACE_H
#include "generator/pipeline/pipeline.h"

typedef struct fg_search_space {
  const char *name; /* for messages */
  const char *text;
  size_t bytes;
  bool own; /* the one inside the program */
  int most; /* its `candidates`: how many to look at; 0: it does not say */
} fg_search_space;

typedef struct fg_space_variant {
  const fg_plan *plan;
  const char *compiler; /* NULL: the usual one */
  int origin;           /* index of the plan that it was made from */
} fg_space_variant;

typedef struct fg_space_device { /* what rules are told beside what recipes are */
  const char *const *compiler;   /* others that are here, NULL-terminated; NULL: none */
  size_t cache[3];               /* data caches, bytes; 0: unknown */
} fg_space_device;

/* The file, or the one inside the program (path NULL), checked. FG_EUSER naming
 * file, rule and what is allowed. */
fg_status fg_space_load(fg_context *cx, const char *path, fg_search_space *out);
/* Instruction sets that are to be looked at beside c's. */
fg_status fg_space_isas(const fg_compilation *c, const fg_search_space *s, const fg_space_device *d, const char ***name,
                        int *count);
/* Variants of c's candidates, each plan's first; equal ones once. */
fg_status fg_space_expand(const fg_compilation *c, const fg_search_space *s, const fg_space_device *d,
                          fg_space_variant **out, int *count);
/* What the rules for plans that were found fast make of c's candidates, one change at a time; the plans
 * themselves may be among them. */
fg_status fg_space_around(const fg_compilation *c, const fg_search_space *s, const fg_space_device *d,
                          fg_space_variant **out, int *count);
#endif
