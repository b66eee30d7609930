/* Exchanges through less memory than they have numbers, where the plan says so (rounds.c). */
#ifndef FG_MAP_ROUNDS_H
#define FG_MAP_ROUNDS_H
#include "generator/assemble/builder.h"

int fg_map_rounds_of(const fg_builder *b); /* 1: all numbers at once */
fg_status fg_map_rounds(fg_builder *b);
#endif
