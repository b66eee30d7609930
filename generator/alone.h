/* Alone: a program whose blocks work side by side in clusters, for targets where
 * nothing does. */
#ifndef FG_ALONE_H
#define FG_ALONE_H
#include "generator/program.h"

/* The same transform without clusters: the blocks of one become turns of each stage,
 * their memories parts of one. p itself where there are no clusters. */
const fg_program *fg_program_alone(fg_context *cx, const fg_program *p);
#endif
