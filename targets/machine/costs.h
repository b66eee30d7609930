/* Costs on measured machines: the figures of the shipped cost model (generator/cost).
 *
 * A machine has costs of its own (fg_machine.costs), or takes those of the measured one with the nearest figures: by
 * the registers of its vectors, by separate add ports, by its L2. */
#ifndef FG_MACHINE_COSTS_H
#define FG_MACHINE_COSTS_H
#include "targets/machine/machine.h"

typedef struct fg_unit_costs { /* of a core, by the registers of its vectors and by its ports */
#define UNIT(name, fitted, meaning) int64_t name;
#include "targets/machine/cpu_costs.def"
} fg_unit_costs;

typedef struct fg_cache_costs {
#define CACHE(name, fitted, meaning) int64_t name;
#include "targets/machine/cpu_costs.def"
} fg_cache_costs;

typedef struct fg_move_costs {
#define MOVE(name, fitted, meaning) int64_t name;
#include "targets/machine/cpu_costs.def"
} fg_move_costs;

typedef struct fg_cpu_costs { /* a row: one CPU that was measured; its figures are int64_t, one behind the other */
  const char *name, *source;
  fg_unit_costs units;
  fg_cache_costs caches;
  fg_move_costs moves;
} fg_cpu_costs;
extern const fg_cpu_costs fg_machine_costs_zen3, fg_machine_costs_xeon, fg_machine_costs_zen4;

/* registers: that hold the vectors in work; INT_MAX: there are none, and compilers keep most values in memory anyhow.
 */
const fg_unit_costs *fg_machine_unit_costs(const fg_machine *m, int registers);
const fg_cache_costs *fg_machine_cache_costs(const fg_machine *m, int64_t l2_bytes);
const fg_move_costs *fg_machine_move_costs(const fg_machine *m); /* NULL: any CPU's */

typedef struct fg_core_costs { /* alike on all three */
  int64_t call;                /* a call */
  int64_t pass;                /* a pass, */
  int64_t again;               /* and once more for each transform of a batch or tile around it */
  int64_t product;             /* a twiddle factor that is a product */
  int64_t move;                /* a vector moved */
  int64_t shuffle;             /* a vector shuffled: fewer units can do it than add */
  int64_t single;              /* one pair of numbers: what loads it beside others waits until all have left */
  int64_t chain;               /* a vector stored and loaded again, and the first operations one after the other */
  int64_t loops;               /* the least that a stage takes which is loops of scalars */
  int64_t unnoticed;           /* arithmetic on narrow vectors behind wide ones that costs no more; */
  int64_t reopened;            /* all that more of it costs */
  int64_t wide_bytes;          /* bytes of vectors that are a line, and close one of three units for arithmetic */
  int64_t least_vector;        /* bytes: compilers make slow code of vectors of two floats */
  int64_t dense;               /* operations a point of codelets that wait until the last point is there */
  int64_t decoded;             /* operations whose instructions the cache of decoded ones holds; */
  int64_t long_code;           /* of each beyond, */
  int64_t very_long_code;      /* and of each beyond L1 for instructions */
  int64_t missed;              /* a load of what was stored just before in other vectors, by a transform in place */
  int64_t turn;                /* each of its passes behind the first */
  int64_t few_iterations;      /* bytes of a transform whose passes are a few iterations each */
  int64_t one_array;           /* bytes of an array whose lines are under way while there is arithmetic, */
  int64_t least_odd;           /* in passes by radices of such odd parts at most */
  int64_t turned_odd;          /* odd parts of rows; of larger ones the shuffles that turn them say enough */
  int64_t skewed_iterations;   /* of a loop whose rows leave among the next operations, at least */
  int64_t long_iteration;      /* statements of a codelet whose rows leave among its own operations, */
  int64_t iteration_most;      /* where both arrays are so many bytes at most */
  int64_t apart_least;  /* bytes of both arrays whose rows, whole pages apart, are fetched before they are stored, */
  int64_t apart_most;   /* and at most */
  int64_t few_lines;    /* rows of such a vector, at most, */
  int64_t row_least;    /* and numbers of a row, at least */
  int64_t most_leaving; /* slots of rows that leave turned and are counted for less */
  int64_t few_passes;   /* passes in place that save all that storing elsewhere would cost */
  int64_t l1_weight;    /* weight of bytes in L1, */
  int64_t crowded_l1_weight; /* somewhat beyond it, */
  int64_t l2_weight;         /* in L2, */
  int64_t far_weight;        /* in L3 of other cores, */
  int64_t memory_weight;     /* and in memory */
  int64_t crowded_l1_bytes;  /* bytes of both arrays that L1 holds for the most part */
  int64_t far_bytes;         /* bytes that L3 holds at most */
  int64_t staying;           /* bytes of an array that passes stay in as if it was in L2 */
  int64_t looked_up;         /* bytes whose pages the first level of the TLB has */
  int64_t set_lines;         /* lines that a set of L1 holds */
  int64_t rows_ahead;        /* rows that hardware fetches ahead, */
  int64_t run_bytes;         /* so many bytes apart: nearer ones are one */
  int64_t half_held;         /* eighths of what sets just hold, of arrays of which half stays, */
  int64_t streamed;          /* and none */
  int64_t long_codelet;      /* operations from which on the next loads do not begin before this iteration ends */
  int64_t near_l3_bytes;     /* bytes of tiles for which L3 is near enough where L2 is small */
  int64_t beside_l2_weight;  /* and their weight */
} fg_core_costs;
extern const fg_core_costs fg_machine_core_costs;
static const fg_core_costs *const core = &fg_machine_core_costs; /* alike on all CPUs that were measured */
#endif
