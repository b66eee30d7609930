/* Inside the proof: the machine that a program runs on. Its memory holds numbers
 * of several systems side by side (two prime fields, or 113-bit reals), and for
 * every place what has happened to it. */
#ifndef FG_PROVE_BUILD_H
#define FG_PROVE_BUILD_H
#include "generator/ir/walk.h"
#include "generator/math/quad.h"
#include "generator/print/emit.h"
#include "generator/prove/prove.h"
#include "targets/device.h"
#include <pthread.h>
#include <string.h>

enum { FG_PRIMES = 2, FG_PAGE = 256 /* reals */, FG_FAILURES = 64 /* problems counted before giving up */ };
#define FG_NOBODY UINT32_MAX /* no enumerators: those are ints */
#define FG_MANY (UINT32_MAX - 1)
#define FG_ENGINE (UINT32_MAX - 2) /* that of bulk copies, among threads */

enum fg_cell_flag {
  FG_CELL_KNOWN = 1, /* holds a value */
  FG_CELL_OWN = 2,   /* belongs to an element of the result */
  FG_CELL_TAKEN = 4, /* somebody has stored there */
};

typedef union fg_touch { /* who used a place in one epoch, or launch */
  struct {
    uint32_t writer, reader;
  };
  uint64_t both; /* all bits: nobody */
} fg_touch;

/* The notes about a page's places. Old ones are of no use: an epoch takes what the one
 * before it has left, and where it writes, cleans it group by group. */
enum { FG_GROUP = 16 };
typedef struct fg_notes fg_notes;
struct fg_notes {
  fg_notes *next, **owner;            /* owner: where a list has them */
  uint32_t epoch[FG_PAGE / FG_GROUP]; /* of threads: when each group was cleaned */
  fg_touch at[];
};

typedef struct fg_book { /* all notes of one kind */
  fg_notes *used, *idle;
} fg_book;

typedef struct fg_cluster_use { /* what the blocks of a cluster did to a place; 0: nothing */
  uint32_t used;                /* arrivals of the cluster's barrier before the last access, + 1 */
  uint32_t sent;                /* waits for data before the last store by the way of the cluster, + 1 */
} fg_cluster_use;

/* Places are reals. Pages come into being when touched. */
typedef struct fg_page fg_page;
struct fg_page {
  fg_page *next;           /* of those that nobody needs any more */
  uint32_t block;          /* LOCAL: the block whose values these are */
  fg_gf *value[FG_PRIMES]; /* NULL in a walk with reals */
  fg_quad *real;           /* NULL in a walk with primes */
  fg_cluster_use *cluster; /* LOCAL: NULL where blocks are alone */
  unsigned char flag[];
};

/* What all threads of a walk take their pages and notes of launches from. */
typedef struct fg_pool {
  pthread_mutex_t lock;
  fg_page *page;  /* idle ones, of FG_PAGE places */
  fg_book launch; /* notes */
} fg_pool;

typedef enum fg_flight { /* of a bulk copy that uses shared memory */
                         FG_FLIGHT_NONE,
                         FG_FLIGHT_COMES,   /* it is stored to */
                         FG_FLIGHT_LEAVES,  /* it is loaded from */
                         FG_FLIGHT_DRAINED, /* the same, but one thread knows that this is over */
} fg_flight;

typedef struct fg_ram { /* buffers that share places by aliases */
  int root;             /* the buffer that owns the places; -1: not a root */
  bool local, is_input, is_output;
  bool mixed;             /* its buffers differ in layout or elements: places follow the layouts */
  int64_t low;            /* element of place 0 */
  int64_t elements, half; /* half: where imaginary parts begin, SPLIT among mixed */
  fg_flight flight;
  int64_t part; /* LOCAL in clusters: elements of each block, one after the other; else 0 */
  size_t npage;
  int places; /* of a page */
  fg_page **page;
  bool given;    /* nobody may store there: its values are functions of the place, and no page has them */
  bool plain;    /* place of element e: 2 (e - low), and the next one */
  bool packed;   /* places are of the caller's elements alone, by their numbers */
  bool dense;    /* every element is one of the result */
  bool written;  /* by the present launch */
  fg_page *near; /* the page used last; NULL: none */
  int64_t near_number;
  fg_notes **thread, **others; /* by page: per thread, per block; NULL where nobody can conflict */
  fg_notes *near_thread;       /* the near page's */
  fg_touch *near_others;       /* the same */
  uint32_t near_epoch;         /* when it was used */
} fg_ram;

typedef struct fg_bounds { /* elements low .. low + count - 1 may be used */
  int64_t low, count;
} fg_bounds;

typedef struct fg_strides { /* strides of a side's elements, the largest first; those of one element alone are left out
                             */
  int count;
  int64_t stride[2 * FG_MAX_RANK], length[2 * FG_MAX_RANK];
  int64_t weight[2 * FG_MAX_RANK];   /* of a digit, in its element's number */
  int64_t span[2 * FG_MAX_RANK + 1]; /* what this stride and the smaller ones span */
  int64_t common, inverse;           /* of the last two strides a and b: g, and 1 / (a/g) modulo b/g */
  int64_t elements;
  bool backward; /* some stride is not positive: nothing is known */
} fg_strides;

typedef enum fg_apart { /* whether elements lie apart, each at a place of its own */
                        FG_APART,
                        FG_APART_NOT,
                        FG_APART_UNKNOWN, /* strides alone do not decide it */
} fg_apart;

typedef struct fg_tape { /* a codelet with its constants evaluated */
  const fg_codelet *codelet;
  bool *reads;                       /* per input slot: some operation wants it */
  const fg_gf **constant[FG_PRIMES]; /* per node: FG_WALK_WIDTH copies; NULL: no constant */
  const fg_quad **real;
  int *place, places; /* of results, in rows of work; -1: it has none */
  const fg_gf **row;  /* scratch */
  const fg_quad **real_row;
  fg_gf *work;
  fg_quad *real_work; /* NULL: not needed yet */
  struct fg_block_tape *block;
} fg_tape;

typedef struct fg_pool_images { /* of a pool's constants, in each field: walks share codelets, and nothing else */
  const fg_const_pool *pool;
  fg_gf *image[FG_PRIMES];
} fg_pool_images;

typedef struct fg_once_table { /* what the present SIMD group has stored to: a table of elements by their products */
  int shift;                   /* 64 - log2 of its length */
  int64_t *element;
  uint32_t *simd_group; /* that put it there */
} fg_once_table;

typedef struct fg_held { /* results of a SIMD group that waits for its stores */
  size_t room;           /* complex numbers */
  fg_gf *re[FG_PRIMES];  /* rows of slots: re, im, re, im, ... each of width numbers */
  fg_quad *real;
  unsigned char unknown[FG_WALK_WIDTH];
} fg_held;

typedef struct fg_block_sample fg_block_sample; /* block_sample.h */

typedef struct fg_vm {
  fg_context *cx; /* of this walk alone */
  const fg_program *p;
  fg_proof *proof;
  const int64_t *params;
  uint64_t seed;
  fg_progress progress;
  int64_t expected;          /* addresses of the whole walk, for progress */
  int iteration, iterations; /* of the fields, of those that come one after the other */
  int primes;                /* 0 in a walk with reals */
  int first_prime;           /* number of the first of them, of those of the proof */
  bool reals, threads;
  bool seen;                           /* another walk looks for races, and counts */
  const fg_block_sample *sample;       /* the blocks to walk; NULL: all */
  struct fg_tensor *tensor[FG_PRIMES]; /* with a sample: inputs and results */
  bool partial, nested;                /* a walk of ends; elements of the result are known by their strides */
  fg_field field[FG_PRIMES];
  struct fg_sums *sums[FG_PRIMES]; /* of results; NULL: this kind of transform has none */
  fg_gfc *line;                    /* scratch: a row of elements */
  fg_strides nest[2];              /* of the input, of the output */
  fg_bounds bounds[FG_MAX_BUFFERS];
  int memory_of[FG_MAX_BUFFERS]; /* index of the root buffer */
  fg_ram memory[FG_MAX_BUFFERS];
  const fg_gfc *table[FG_MAX_BUFFERS][FG_PRIMES]; /* by buffer */
  const fg_quadc *real_table[FG_MAX_BUFFERS];
  int ntape, nheld, nimages;
  fg_tape **tape;
  fg_pool_images *images;
  fg_held **held;
  fg_once_table once;
  fg_pool *pool;
  fg_book notes;                                          /* of threads */
  int64_t most_notes;                                     /* about a page */
  fg_page *spare;                                         /* idle; NULL: none */
  fg_gf *in[FG_PRIMES], *tw[FG_PRIMES], *root[FG_PRIMES]; /* root: what factors are products of */
  fg_quad *real_in, *real_tw, *real_root;
  size_t in_room, tw_room;
  int kernel, stage;            /* for messages */
  const struct fg_share *share; /* NULL: all of the walk */
  struct fg_shares *shares;     /* NULL: walked by one thread */
  int team;                     /* threads that there are for this walk */
  int64_t blocks;               /* of the present launch */
  bool parts;                   /* some stage may be cut: its parts are actors */
  uint32_t launch, block, epoch, simd_group, block_serial;
  uint32_t first_block;                  /* of the cluster */
  int ranks, rank;                       /* blocks of the present kernel's clusters; the present one's number in it */
  uint32_t begun, arrivals, waits, data; /* of the cluster's barrier: before the kernel; now; waited for; of data */
  fg_group group;                        /* of a queue: the present item's */
  int64_t transforms;                    /* that the present launch's queue goes through; 0: there is none */
  int64_t sent, *received;               /* elements by the way of the cluster since the last wait; per rank */
  int failures;                          /* problems met; FG_FAILURES end the walk */
  bool incomplete;                       /* a walk of ends met something not walked */
} fg_vm;

/* Notes a problem; the first one's text is kept. Returns false when the walk must end. */
bool fg_prove_fail(fg_vm *m, const char *format, ...) __attribute__((format(printf, 2, 3)));
/* The same for a problem after which nothing can go on: returns false. */
bool fg_prove_stop(fg_vm *m, const char *format, ...) __attribute__((format(printf, 2, 3)));
/* "kernel run, stage 2 (radix 8): " into text. */
void fg_prove_where(const fg_vm *m, char text[128]);

/* ---- settings.c ------------------------------------------------------------ */
typedef struct fg_settings { /* values of the run-time parameters: a middling setting, the upper ends, others */
  int count;
  int64_t (*value)[FG_MAX_PARAMS];
  bool cut; /* some parameter's upper end was too large to hold */
} fg_settings;
fg_settings *fg_settings_create(fg_context *cx, const fg_program *p);
/* Each output stride exceeds what the smaller ones span: no two results are one. */
bool fg_settings_nested(const fg_problem *q, const int64_t *params);
char *fg_settings_text(const fg_problem *q, const int64_t *params, char text[96]); /* " at count=5" */

/* ---- prove.c --------------------------------------------------------------------- */
/* A field with the roots of unity that a program needs. FG_EUSER, about its length: there is none. */
fg_status fg_prove_field(fg_context *cx, const fg_program *p, uint64_t seed, fg_field *out);
/* NULL, or the property of q that no walk knows: it must not be called proved. */
const char *fg_prove_not_walked(const fg_problem *q);
/* fg_prove, with values by sample (block_sample.h) where all batches have so many elements or more. */
fg_status fg_prove_from(fg_context *cx, const fg_program *p, uint64_t seed, int64_t sampled_from, fg_proof *out);

/* ---- attempt.c -------------------------------------------------------------- */
typedef enum fg_outcome {
  FG_OUTCOME_DONE,
  FG_OUTCOME_NO_CALL,    /* results of two transforms share elements */
  FG_OUTCOME_INCOMPLETE, /* the ends alone do not make whole transforms */
  FG_OUTCOME_WRONG,
  FG_OUTCOME_AGAIN, /* several threads have found something: one is to say it */
} fg_outcome;

typedef struct fg_attempt { /* one walk */
  const fg_program *p;
  const fg_field *field;
  uint64_t seed;
  int first, fields; /* of `field`, those to walk over */
  int others;        /* walks that may go on at the same time, this one among them */
  const int64_t *params;
  int64_t ends;                  /* of the batch; 0: all of it */
  const fg_block_sample *sample; /* of blocks whose values are walked; NULL: all of them */
  bool reals;                    /* in 113 bits in place of the fields */
  bool seen;                     /* another walk looks for races, and counts */
  bool alone;                    /* other threads are busy with other fields */
  bool in_iteration;             /* fields come one after the other */
  bool by_one;                   /* several threads have found something */
  /* what comes of it: */
  int64_t compared; /* transforms */
  double value_error;
  fg_outcome outcome;
} fg_attempt;
/* FG_EUSER: there is not enough memory; the message says how much it takes. */
fg_status fg_attempt_walk(fg_context *cx, fg_attempt *a, fg_proof *proof);
int fg_attempt_threads(int most); /* processors, at most so many */

/* ---- memory_need.c ------------------------------------------------------------------ */
/* Bytes that a walk takes, over so many fields at once; bytes that there are. */
double fg_prove_memory_of_walk(const fg_program *p, const int64_t *params, int64_t ends, int primes);
double fg_prove_memory_free(void);

/* ---- compare.c ------------------------------------------------------------- */
enum { FG_BATCH_ENDS = 4 }; /* transforms at each end of a batch, of those that are not walked in full */
/* Marks the elements of the result as such. False: two of them are one, so that this
 * setting is no call that anybody could make. */
bool fg_compare_own(fg_vm *m);
/* Whether all results of a transform were stored. */
bool fg_compare_known(const fg_vm *m, int64_t batch);
/* Compares what is known; a transform known in part is wrong when the walk was whole. */
fg_status fg_compare_all(fg_vm *m, int64_t *compared);
/* Relative distance of transform 0 from the definition, all in 113 bits: L2, or by sums. */
double fg_compare_real(fg_vm *m);

/* ---- element_numbers.c ---------------------------------------------------------------- */
fg_strides fg_strides_create(const fg_problem *q, const int64_t *params, bool output);
fg_apart fg_strides_apart(const fg_strides *x);
/* The number of the element at address e, of nest->elements; -1: there is none. Where elements
 * are apart every element has a number of its own. */
int64_t fg_strides_number(const fg_strides *x, int64_t e);

/* ---- memory.c -------------------------------------------------------------- */
/* Bounds of all buffers at m->params; memories of aliased buffers. False: failed. */
bool fg_ram_create(fg_vm *m);
int fg_ram_ranks(const fg_program *p); /* blocks of the largest cluster */
/* Place numbers of element e (inside its bounds) of a buffer. */
typedef struct fg_cell {
  int64_t re, im; /* the same of an element that is real */
} fg_cell;
fg_cell fg_ram_cell(const fg_vm *m, int buffer, int64_t e); /* re < 0: no element of the caller's (packed) */
/* Whether the caller's array that owns buffer b's memory is kept by its elements' numbers. */
bool fg_ram_packs(const fg_program *p, const int64_t *params, int b);
/* Whether an element belongs to the output (or input), where strides are nested. */
bool fg_ram_own(const fg_vm *m, bool output, int64_t e);
/* What a place of the input holds, in one field / as a real; an element of the input. */
fg_gf fg_ram_input_cell_gf(const fg_vm *m, int prime, int64_t place);
fg_quad fg_ram_input_cell_real(const fg_vm *m, int64_t place);
fg_gfc fg_ram_input_gf(const fg_vm *m, int prime, int64_t e);
fg_quadc fg_ram_input_real(const fg_vm *m, int64_t e);
/* Counts conflicts of banks and segments of one access; checks that its move says
 * what its addresses do. False: the walk must end. */
bool fg_ram_count(fg_vm *m, const fg_simd_group *b, const fg_moves *moves);

/* ---- pages.c ---------------------------------------------------------------- */
/* Room for the pages of a memory whose buffers are known. */
void fg_ram_pages(fg_vm *m, fg_ram *memory);
fg_page *fg_ram_turn_to(fg_vm *m, fg_ram *memory, int64_t place);
static inline fg_page *fg_ram_page(fg_vm *m, fg_ram *memory, int64_t place) {
  bool same = memory->near_number == place / FG_PAGE && memory->near_epoch == m->epoch;
  return same && memory->near ? memory->near : fg_ram_turn_to(m, memory, place);
}
/* All notes of a book are of no more use. */
void fg_ram_forget(fg_book *b);
/* A launch of these kernels begins: nobody stores to other memory than theirs. */
void fg_ram_launch(fg_vm *m, int first, int kernels);
/* Kernels up to this one are over: memory that no later one loads from is of no more use. */
void fg_ram_release(fg_vm *m, int kernel);

/* ---- duplicates.c ---------------------------------------------------------------- */
void fg_prove_once_room(fg_vm *m, int64_t elements); /* for a SIMD group that stores to so many */
/* False: the present SIMD group has stored to this element of its buffer before. */
static inline bool fg_once(fg_vm *m, int64_t e) {
  const fg_once_table *t = &m->once;
  uint32_t mask = (uint32_t)((UINT64_C(1) << (64 - t->shift)) - 1),
           i = (uint32_t)((uint64_t)e * 0x9e3779b97f4a7c15u >> t->shift);
  for (; t->simd_group[i] == m->simd_group; i = (i + 1) & mask)
    if (t->element[i] == e) return false;
  t->simd_group[i] = m->simd_group;
  t->element[i] = e;
  return true;
}

/* ---- races.c ---------------------------------------------------------------- */
/* True when this access conflicts with an earlier one of another actor. Asked again, it
 * says so again. */
static inline bool fg_touch_conflicts(fg_touch *t, uint32_t actor, bool store) {
  bool conflict = t->writer != FG_NOBODY && t->writer != actor;
  if (store) {
    conflict |= t->reader != FG_NOBODY && t->reader != actor;
    t->writer = t->writer == FG_NOBODY || t->writer == actor ? actor : FG_MANY;
  } else {
    t->reader = t->reader == FG_NOBODY || t->reader == actor ? actor : FG_MANY;
  }
  return conflict;
}
/* persistent.c: the same for the items of a queue: conflicts are with those that nobody waited for. */
bool fg_prove_queue_meets(const fg_vm *m, fg_touch *t, bool store);
/* Of threads, in the present epoch. */
static inline fg_touch *fg_touch_by_thread(const fg_vm *m, fg_notes *n, int64_t at) {
  int64_t group = at / FG_GROUP;
  if (n->epoch[group] != m->epoch) {
    memset(n->at + group * FG_GROUP, 0xff, sizeof(fg_touch) * FG_GROUP);
    n->epoch[group] = m->epoch;
  }
  return &n->at[at];
}
/* shares.c: the same for blocks, where several threads ask. */
bool fg_shares_meet(const fg_vm *m, fg_touch *t, bool store);
/* The same for blocks of a launch, or items. */
static inline bool fg_block_conflicts(const fg_vm *m, fg_touch *t, bool store) {
  if (m->share) return fg_shares_meet(m, t, store);
  return m->transforms ? fg_prove_queue_meets(m, t, store) : fg_touch_conflicts(t, m->block, store);
}
/* A queue is what it promises to be, for the walk's parameters. False: it is not. */
bool fg_prove_queue_begin(fg_vm *m);
/* Elements of a workspace that goes round lie in the place of the item's transform. False: one does not. */
bool fg_prove_queue_round(fg_vm *m, const fg_simd_group *b, const fg_moves *x);
/* Where both parts of an element are neighbours they have one touch. */
static inline int64_t fg_touch_number(const fg_ram *memory, int64_t place) {
  return memory->mixed ? place % FG_PAGE : place % FG_PAGE / 2;
}
/* Notes a load or store of one place, of the page turned to last; counts conflicts. False: the walk must end. */
bool fg_race_touch(fg_vm *m, const fg_ram *memory, int64_t place, uint32_t thread, bool store);
/* The same for places of shared memory that others of its cluster may store to. */
bool fg_race_join(fg_vm *m, const fg_ram *memory, fg_page *page, int64_t place, bool store, bool by_cluster);
/* What a bulk copy does, for number `block`. False: the walk must end. */
bool fg_race_bulk(fg_vm *m, fg_bulk b, int64_t block);
void fg_race_sync(fg_vm *m); /* a barrier of the block's threads */
/* A step of the cluster's barrier. False: the walk must end. */
bool fg_race_cross(fg_vm *m, fg_crossing c);

/* ---- values.c --------------------------------------------------------------- */
fg_status fg_prove_value_tables(fg_vm *m);
/* An element of a table that they did not fill: m->table has none of it. */
fg_gfc fg_prove_value_element(const fg_vm *m, int buffer, int prime, int64_t e);
static inline fg_gfc fg_value_constant(const fg_vm *m, int buffer, int prime, int64_t e) {
  return m->table[buffer][prime] ? m->table[buffer][prime][e] : fg_prove_value_element(m, buffer, prime, e);
}
/* Per input slot: whether the codelet reads it. Others may hold anything, or nothing. */
const bool *fg_prove_value_reads(fg_vm *m, const fg_codelet *c);
/* The codelet's results for width instances; in, tw, out: rows of m->in's kind. */
void fg_prove_value_run(fg_vm *m, const fg_codelet *c, int width, fg_held *out);
void fg_prove_value_rooms(fg_vm *m, size_t in, size_t tw);
fg_held *fg_prove_value_held(fg_vm *m, int number, size_t complexes);

/* ---- block_values.c --------------------------------------------------------------- */
struct fg_block_tape *fg_prove_block_tape_create(fg_context *cx, const fg_tape *t);
/* False: not possible so. */
bool fg_prove_block_run(const fg_vm *m, const fg_tape *t, int width, fg_quad *out);

/* ---- shares.c -------------------------------------------------------------- */
/* Whether several threads can walk this program, each some of the blocks of a kernel. */
bool fg_shares_possible(const fg_program *p);
/* They make m's memory, which has bounds already; then they walk. False: something was
 * wrong, or could not be decided so; then nothing is known, and m is of no more use. */
bool fg_shares_create(fg_vm *m, int threads);
bool fg_shares_run(fg_vm *m);
void fg_shares_release(fg_vm *m); /* what they made of m's memory */

/* ---- runs.c--------------------------------------------------------------- */
typedef struct fg_strided { /* elements whose addresses and rows go in steps */
  int count;
  const int64_t *at;
  const unsigned char *on;
  int64_t step;             /* between elements, in `at` and `on` */
  int64_t re, row_step, im; /* in rows: the first, between elements, between an element's parts */
  const uint32_t *actor;    /* who moves them */
  int actor_step;
} fg_strided;
/* How many of them, from the front, are done; addresses of those are counted. */
int fg_strided_load(fg_vm *m, int buffer, const fg_strided *r, bool twiddle);
int fg_strided_store(fg_vm *m, int buffer, const fg_strided *r, const fg_held *h);

/* ---- run.c ---------------------------------------------------------------- */
/* Runs the program once. Failures are in m->proof and m->failures. */
fg_status fg_vm_run(fg_vm *m, int64_t ends);
/* Share number `share` of `shares` of it, and `meet` after each kernel. */
typedef struct fg_share {
  int share, shares;
  bool (*meet)(void *shares, fg_vm *m);
  void *context;
} fg_share;

/* ---- text.c ---------------------------------------------------------------- */
typedef struct fg_proof_text { /* one emitted text over one field */
  const fg_program *p;
  const fg_artifact *artifact;
  const fg_field *field;
  uint64_t seed;
  bool one_prime;               /* one prime, for what is handed out: little more than a sample is run */
  int64_t sample;               /* > 0: samples alone, of so many elements a stage */
  const fg_text_map *map;       /* NULL: the text asks for no sample */
  const struct fg_retold *told; /* the artifact's source is a text in numbers, told over the field; NULL: it is not */
  fg_gf *const *table;          /* memory of told->table: random elements, until a call is run whole */
} fg_proof_text;

typedef struct fg_proof_text_functions { /* of the compiled text; all NULL: the artifact's instructions are run */
  void (*whole)(void *const *places, const long long *params);
  void (*part)(void *const *places, const long long *params, int step, int part, int parts);
} fg_proof_text_functions;

enum {
  FG_TEXT_GUARD = 64, /* elements before and after each array */
  FG_TEXT_PARTS = 3   /* of a transform that several threads do */
};
#define FG_TEXT_OUTSIDE (UINT64_C(1) << 63) /* in what lies around arrays: no element of a field is as large */
/* Compiles and runs the text; its first fault goes to out->failure. */
fg_status fg_proof_text_run(fg_context *cx, const fg_proof_text *text, fg_text_proof *out);
/* Reals of an array of the caller's, from its first element to the last. */
int64_t fg_proof_text_reals(const fg_problem *q, const int64_t *params, bool output);
int fg_proof_text_table(const fg_program *p, const char *name); /* number; -1: none has this name */
/* Where tables are in the one block, of so many reals, that the told text takes: each after "tables + OFFSET;" of the
 * text that fills them, in order; -1: it is not used. False: they do not fit. */
bool fg_proof_text_block(const fg_proof_text *text, int64_t reals, int64_t offset[FG_MAX_BUFFERS]);
/* Before and after a run: the field; whether it has used what lies outside of arrays. */
void fg_proof_text_begin(const fg_field *f);
bool fg_proof_text_strayed(void);

/* ---- text_sample.c -------------------------------------------------------------- */
/* One call of the text, and one in parts where it has such, each a sample of its iterations beside the program's. False
 * in *ran: there is no room for its arrays. */
fg_status fg_proof_text_sample(const fg_proof_text *text, const fg_proof_text_functions *run, const int64_t *params,
                               bool *ran, fg_text_proof *out);
void fg_proof_text_begins(int stage); /* what the text says before its stages, and asks at its loops */
int fg_proof_text_leaves_out(int loop, long long at);

/* ---- entries.c ------------------------------------------------------------- */
typedef struct fg_entry_reader { /* both parts of element i of a table that somebody has filled */
  void *self;
  void (*read)(void *self, int64_t i, double part[2]);
} fg_entry_reader;
bool fg_entries_are_few(const fg_table *t); /* all are compared exactly */
/* Roots of unity: all, to some bits less than they have; behind i, the next one to be compared exactly. */
bool fg_entries_near(const fg_table *t, fg_precision precision, const fg_entry_reader *number);
int64_t fg_entries_next(const fg_table *t, int64_t i, uint64_t *random);
/* Sums: some of them, off by `slack` at most, and all of them at once. */
bool fg_entries_spectrum(fg_context *cx, const fg_table *t, const fg_entry_reader *number, double slack,
                         uint64_t *random);

/* ---- literals.c ------------------------------------------------------------- */
/* Reads constants and tables of the C text back; c, gf: the same program through
 * both dialects, the latter over field. */
fg_status fg_proof_text_literals(fg_context *cx, const fg_proof_text *gf, const fg_artifact *c, fg_text_proof *out);
/* The tables alone. */
fg_status fg_proof_text_tables(fg_context *cx, const fg_proof_text *gf, const fg_artifact *c, fg_text_proof *out);
bool fg_prove_table_is_used(const fg_program *p, int buffer); /* by a stage */
int64_t fg_prove_table_reals(const fg_buffer *b);             /* elements of the field that its memory takes */
/* The same of instructions: numbers against the field's instructions one by one. */
fg_status fg_prove_code_literals(fg_context *cx, const fg_proof_text *gf, const fg_artifact *code, fg_text_proof *out);
#endif
