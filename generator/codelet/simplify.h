/* Simplify: network -> network that computes the same with fewer operations. */
#ifndef FG_SIMPLIFY_H
#define FG_SIMPLIFY_H
#include "generator/codelet/network.h"

/* The result is in a graph of its own. */
fg_network fg_simplify(const fg_network *net);
#endif
