/* Loads and stores of one stage's values. */
#ifndef FG_LOWER_MOVE_H
#define FG_LOWER_MOVE_H
#include "generator/lower/writer.h"

void fg_move_load_all(fg_writer *w, fg_access_plan *p);            /* moves that need all slots at once */
void fg_move_load_slot(fg_writer *w, fg_access_plan *p, int slot); /* once */
void fg_move_store_slot(fg_writer *w, int element);                /* counted through a place and what is behind it */
void fg_move_store_all(fg_writer *w);

/* The order of lanes in the stage's vectors: any will do where all accesses can
 * follow; the one whose exchanges are cheapest. After all places are made. */
void fg_move_choose_lane_order(fg_writer *w);

const char *fg_move_loaded_name(const fg_writer *w, const fg_access_plan *p,
                                int number); /* "x3r"; real, or of pairs "x3" */

const char *fg_move_come(const fg_writer *w, int slot); /* of words that were loaded before, this iteration's */

/* The natural order of lanes (label[b]: lane bit that bit b of a position is), or
 * that which deinterleaving by instructions within 16 bytes leaves. */
void fg_move_lane_order(const fg_writer *w, bool natural, int *label);
#endif
