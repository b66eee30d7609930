/* Exchanges of a cluster's blocks (cluster.c). */
#ifndef FG_MAP_CLUSTER_H
#define FG_MAP_CLUSTER_H
#include "generator/assemble/builder.h"

bool fg_map_has_separate_buffers(const fg_builder *b); /* what blocks of a cluster send has memory of its own */
void fg_map_cross_cluster(fg_builder *b);
#endif
