/* Fuse: network -> codelet nodes, as additions and products or with fused multiply-adds; negations are placed here. */
#ifndef FG_FUSE_H
#define FG_FUSE_H
#include "generator/codelet/network.h"

/* Fills node, nnode, out and pool of c, whose key and slot counts are set. */
void fg_fuse(fg_context *cx, const fg_network *net, fg_codelet *c);
#endif
