/* fg_exchange: how data moves between the loops of a kernel, and what orders it.
 *
 * A stage has four of them:
 *
 *   before    its loads: what they wait for, or what brings their data
 *   between   its loads and its stores: all who exchange have loaded before anyone stores to the same memory
 *   after     its stores: what those wait for who load them
 *   offer     behind it: says to others that memory may be stored to from here on
 *
 * COPY ENGINES: `before` of a copy by one is {BLOCK, ENGINE, COUNT}: its data is waited for before the next number's
 * stages if the copy is a kernel's first stage, else by the stage whose `before` is {BLOCK, ENGINE, WAIT}.
 *
 * CLUSTERS: blocks that run at once and store to each other's shared memory. A stage that stores to a buffer
 * distributed over the cluster has `between` {CLUSTER, REMOTE, BARRIER}, a split barrier: each block arrives as soon as
 * its loads are complete, after which its memory may be stored to, and waits for the others' arrival before it stores;
 * and `after` {CLUSTER, REMOTE, COUNT}: the wait for all bytes that the blocks store to this one's part. If its blocks
 * have not used that part for some time, or never, the halves of the barrier are separate: {CLUSTER, REMOTE, ARRIVE} is
 * the offer of a stage, or the kernel's before all stages, and {CLUSTER, REMOTE, WAIT} is `before` in place of
 * `between`.
 *
 * Waiting for stored data does not order a block's threads: {BLOCK, MEMORY, BARRIER} before the next stage does. Such
 * stores are asynchronous: nothing but that wait orders them.
 *
 * A buffer has one as well, if it is more than its block's: {CLUSTER, REMOTE, COUNT} where it is distributed over a
 * cluster, {DEVICE, RING, COUNT} where it is a queue's ring buffer (persistent_queue.h).
 *
 * LANES of a warp hold numbers in registers, a buffer of {LANE, SHUFFLE, NONE}: each thread of the block has
 * `local.each` elements of it, and stores and loads its own. A stage with {LANE, SHUFFLE, NONE} before it copies from
 * such a buffer to another one: it loads elements of any lane of its warp (map/shuffle.c).
 *
 * A target without threads runs THREAD digits as loops and needs no barriers. */
#ifndef FG_IR_EXCHANGE_H
#define FG_IR_EXCHANGE_H
#include <stdbool.h>

/* Those who exchange, from few to many. */
typedef enum fg_scope {
  FG_SCOPE_NONE,
  FG_SCOPE_REGISTER,
  FG_SCOPE_LANE,
  FG_SCOPE_BLOCK,
  FG_SCOPE_CLUSTER,
  FG_SCOPE_DEVICE,
  FG_SCOPE_RANK, /* of several devices: nothing carries it yet */
  FG_SCOPE_COUNT
} fg_scope;

/* What carries the data. */
typedef enum fg_transport {
  FG_TRANSPORT_MEMORY,  /* loads and stores of memory that all of them see */
  FG_TRANSPORT_REMOTE,  /* stores to the shared memory of other blocks of the cluster */
  FG_TRANSPORT_ENGINE,  /* a copy engine, while threads compute (kernel.h) */
  FG_TRANSPORT_RING,    /* a ring buffer between tiles of a queue */
  FG_TRANSPORT_SHUFFLE, /* registers of the lanes of a warp */
  FG_TRANSPORT_COUNT
} fg_transport;

/* What says that data is there, or that there is room for it. */
typedef enum fg_signal {
  FG_SIGNAL_NONE,    /* the order of instructions */
  FG_SIGNAL_BARRIER, /* all arrive, then all go on; between blocks: where all loaded values were operands */
  FG_SIGNAL_ISSUED,  /* the same where loads are issued: they may be on their way, a race if the memory is stored to */
  FG_SIGNAL_ARRIVE,  /* the first half of a split barrier */
  FG_SIGNAL_WAIT,    /* the second one */
  FG_SIGNAL_COUNT,   /* of bytes, or of tiles, that have come */
  FG_SIGNAL_KINDS
} fg_signal;

typedef struct fg_exchange {
  fg_scope scope;
  fg_transport transport;
  fg_signal signal;
} fg_exchange;

typedef enum fg_exchange_point {
  FG_EXCHANGE_BEFORE,
  FG_EXCHANGE_BETWEEN,
  FG_EXCHANGE_AFTER,
  FG_EXCHANGE_OFFER,
  FG_EXCHANGE_BUFFER,
  FG_EXCHANGE_POINTS
} fg_exchange_point;

typedef struct fg_exchanges {
  fg_exchange before, between, after, offer;
} fg_exchanges;

/* NULL, or what is wrong with an exchange there. */
const char *fg_exchange_wrong(fg_exchange x, fg_exchange_point point);

static inline fg_exchange fg_exchange_none(void) { return (fg_exchange){FG_SCOPE_NONE, 0, 0}; }
/* Of the threads of a block. */
static inline fg_exchange fg_exchange_barrier(void) {
  return (fg_exchange){FG_SCOPE_BLOCK, FG_TRANSPORT_MEMORY, FG_SIGNAL_BARRIER};
}
static inline fg_exchange fg_exchange_cluster(fg_signal signal) {
  return (fg_exchange){FG_SCOPE_CLUSTER, FG_TRANSPORT_REMOTE, signal};
}
static inline bool fg_exchange_is_barrier(const fg_exchange *x) {
  return x->scope == FG_SCOPE_BLOCK && x->transport == FG_TRANSPORT_MEMORY;
}
static inline bool fg_exchange_crosses(const fg_exchange *x) { return x->scope == FG_SCOPE_CLUSTER; }
static inline fg_exchange fg_exchange_shuffle(void) {
  return (fg_exchange){FG_SCOPE_LANE, FG_TRANSPORT_SHUFFLE, FG_SIGNAL_NONE};
}
/* For what an engine brings whose copy is an earlier stage. */
static inline fg_exchange fg_exchange_engine_wait(void) {
  return (fg_exchange){FG_SCOPE_BLOCK, FG_TRANSPORT_ENGINE, FG_SIGNAL_WAIT};
}
static inline bool fg_exchange_is_engine_wait(const fg_exchange *x) {
  return x->transport == FG_TRANSPORT_ENGINE && x->signal == FG_SIGNAL_WAIT;
}
static inline bool fg_exchange_is_shuffle(const fg_exchange *x) { return x->transport == FG_TRANSPORT_SHUFFLE; }
/* Whether threads wait there for other threads of their block, or for more than those. */
static inline bool fg_exchange_waits(const fg_exchange *x) {
  return x->scope >= FG_SCOPE_BLOCK && x->transport != FG_TRANSPORT_ENGINE;
}
#endif
