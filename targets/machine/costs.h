/* Costs on measured machines: the figures of the shipped cost model (generator/cost).
 *
 * A machine takes the costs of the measured one with the nearest figures: by the registers of its vectors, by
 * separate add ports, by its L2. Units are those of cost.c, sixteenths of an instruction, unless another is named. */
#ifndef FG_MACHINE_COSTS_H
#define FG_MACHINE_COSTS_H
#include "targets/machine/machine.h"

typedef struct fg_unit_costs { /* of a core, by the registers of its vectors and by its ports */
  int64_t third_read;          /* an operation that reads three registers, in vectors as wide as a line, in consecutive
                                * iterations: stores of such vectors need the same port */
  int64_t fused;               /* what a fused operation costs more than another */
  int64_t leaving;             /* sixteenths of passes whose rows leave turned, up to 16 slots */
  int64_t skewed;              /* the same where they leave among the next iteration's operations */
  int64_t skewed_pairs;        /* likewise of pairs: of what is beside operations */
  int64_t spill;               /* of codelets of vectors of one part, by the number of points beyond 8 */
  int64_t some, many;          /* spills of codelets, by the number of points beyond 16, and beyond 32 */
  int64_t many_pairs;          /* the same of pairs, beyond 32 */
  int64_t many_one, dense_one; /* the same where such a vector is one number, of dense codelets */
  int64_t few_pairs, some_pairs; /* beyond 8, and beyond 16 */
  int64_t few_busy;              /* beyond 8, of those as wide as a line, in consecutive iterations */
  int64_t dense, rader; /* sixteenths of dense codelets where a vector is one number, of Rader's convolutions */
  int64_t turned_pair;  /* whose parts change places */
  int64_t kept;         /* a result of pairs that waits for all others, since they are turned together */
  int64_t all_pairs;    /* sixteenths of what stages of pairs take besides; */
  int64_t parting;      /* more of them where rows leave as parts */
  int64_t long_pairs;   /* times what long code costs, of codelets of pairs */
  int64_t near;         /* operations whose instructions L1 for them holds */
  int64_t halves;       /* more of pairs that are loaded and stored in rows: moves of halves have one unit alone */
  int64_t apart;        /* quarters of bytes that parts far apart are read and written beside their own */
  int64_t wide_rows;    /* thirty-seconds more of passes that end in rows longer than a vector has lanes */
  int64_t permuted;     /* what it saves a vector of numbers, parts side by side, that others are permuted */
  int64_t busy;         /* quarters of the cost of shuffles of wide pairs, in consecutive iterations */
  int64_t wait;         /* for what was stored as parts of the vector that is loaded */
  int64_t across;       /* a vector of a whole line that begins within one: two lines, loaded and stored */
  int64_t start;        /* of a pass, for each transform of a batch or tile, whose first loads wait */
  int64_t narrow;       /* sixteenths of stages where no vector is as wide as a line */
  bool closes;          /* wide vectors close one of three units for arithmetic */
} fg_unit_costs;

typedef struct fg_cache_costs {
  int64_t first;         /* bytes that are as near as can be: L1, and more where that hides what it lacks */
  int64_t third;         /* weight of bytes in L3 */
  int64_t part;          /* of L2 that arrays have: one of so many */
  int64_t third_most;    /* bytes that it holds of what neighbours leave of it */
  int64_t associativity; /* lines that a set of L1 holds beside others */
  int64_t crowd;         /* how many times the bytes of rows count that are more, */
  int64_t crowd_most;    /* of arrays of so many bytes: L1 would hold them otherwise */
  int64_t jam;           /* the same of rows that no set holds, of any */
  int64_t tiles;         /* weight of what four-step's kernels move, besides: lines of columns are fetched late; */
  int64_t close;         /* the same where three quarters of L2 hold all: passes there wait for little */
  int64_t gathered;  /* sixteenths more of a tile's lines that share a set, for each EIGHT_WAYS of them but the first */
  int64_t columns;   /* the same of several dimensions */
  int64_t groups;    /* eighths of what groups of transforms load and store that are more, beyond L2 */
  int64_t together;  /* times more that what several transforms of reals at once move counts, beyond L3 */
  int64_t scattered; /* eighths of what a first pass loads that are more where its rows share sets */
  int64_t streams; /* eighths more of a spectrum's bytes beyond L2 for each row more than 8 that a pass reads at once */
  int64_t scattered_rows; /* of 32 bytes that a pass moves beyond L2, for each row more at once than hardware fetches */
  int64_t paired;         /* times more that what tiles of reals move counts, whose rows are read in both directions */
  bool reals;             /* rows of reals that share sets count as complex ones do */
} fg_cache_costs;

typedef struct fg_move_costs {
  int64_t shuffle;
  int64_t select;     /* units for additions do it */
  int64_t narrow;     /* a part of a vector */
  int64_t one_by_one; /* sixteenths of what its moves say */
} fg_move_costs;

typedef struct fg_cpu_costs { /* a row: one CPU that was measured */
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
const fg_move_costs *fg_machine_move_costs(bool separate_fadd);

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
