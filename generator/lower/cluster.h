/* Stores between the blocks of a cluster. */
#ifndef FG_LOWER_CLUSTER_H
#define FG_LOWER_CLUSTER_H
#include "generator/lower/writer.h"
#include "generator/text/emitter.h"

/* The dialect can do what the kernel's clusters want. */
fg_status fg_cluster_check(const fg_emitter *e, const fg_kernel *k);

/* Record what is done at the kernel's start, and behind the stage that ends an exchange. */
void fg_cluster_begin(const fg_emitter *e, const fg_kernel *k);
void fg_cluster_wait(const fg_emitter *e, const fg_kernel *k, int stage);

void fg_cluster_send(fg_writer *w, fg_access_plan *p, int slot);

/* Loads everything of this iteration, and holds back what follows until it is there; arrives
 * at the cluster's barrier where there is one iteration only. */
void fg_cluster_use(fg_writer *w);

/* Waits for the others' arrival; late: once what this stage computes is there. */
void fg_cluster_cross(fg_writer *w);
#endif
