/* Inside assemble: what the steps of a plan use to lay down stages.
 *
 * Stages are first LOGICAL: every index is a loop. map.c then gives the roles. */
#ifndef FG_ASSEMBLE_BUILD_H
#define FG_ASSEMBLE_BUILD_H
#include "generator/assemble/assemble.h"

enum { FG_MAX_AXES = 14, FG_MAX_LOGICAL = 16 };

/* An index around the transform in hand. */
typedef enum fg_axis_kind {
  FG_AXIS_BATCH, /* of the problem: the kernel's outer digit where it has several stages */
  FG_AXIS_TILE,  /* number of a tile: always the kernel's outer digit */
  FG_AXIS_RANK,  /* number of a block in its cluster: the kernel's innermost outer digit */
  FG_AXIS_INNER, /* number of a sub-transform inside: a loop of every stage */
  FG_AXIS_LANES, /* likewise, and neighbours lie side by side in scratch */
} fg_axis_kind;

typedef struct fg_axis {
  char name[8];
  fg_num extent;
  fg_axis_kind kind;
  int dimension; /* of n, along which it counts; BATCH: none */
  int64_t step;  /* 0: 1; its values, so far apart up to */
  int64_t last;  /* this one */
} fg_axis;

/* n numbers somewhere: element e lies at offset + e * stride + sum axis * coef;
 * with a modulus or an index table, where that says instead of e: of
 * e * step + sum axis * key. With runs, elements lie together `run` by
 * `run`: only steps of 1 within a run and of whole runs can be taken. With a fold there are
 * 2 fold elements, counted as with a modulus but from 0 on: of the upper half, element
 * 2 fold - f lies `far` behind element f, and element fold behind element 0. */
typedef struct fg_view {
  int16_t buffer;
  int16_t lookup; /* 0: none; buffers 0 and 1 are arrays */
  int64_t mod;    /* 0: none */
  int64_t step;   /* 0: 1 */
  int64_t run;    /* 0: no runs */
  int64_t apart;  /* from one run to the next, in strides */
  int64_t fold;   /* 0: none */
  int64_t far;    /* in elements of the buffer */
  bool begins;    /* with a fold: element f lies in place f + b, modulo fold, where tiles begin b places earlier */
  int64_t key[FG_MAX_AXES];
  fg_num offset, stride;
  fg_num coef[FG_MAX_AXES]; /* per axis in scope */
  bool ends;                /* the problem's input or output: its load or store operations happen here */
} fg_view;

typedef struct fg_builder {
  fg_context *cx;
  const fg_mapping *map;
  fg_program *program;
  bool fused;  /* a convolution works in place in shared memory (assemble/steps/fused_convolution.c) ... */
  bool apart;  /* ... and none may: what does not fit a block is a kernel for each stage */
  bool packed; /* CPU: vectors of the kernel in hand hold both parts of their numbers, its memory is interleaved */
  int nkernel;
  fg_kernel *kernels[FG_MAX_LOGICAL];   /* in logical form */
  fg_kernel *kernel;                    /* the one in hand */
  int16_t first_buffer[FG_MAX_LOGICAL]; /* LOCAL buffers from here on are the kernel's own */
  int stage_capacity;
  int naxis; /* axes in scope */
  fg_axis axis[FG_MAX_AXES];
  int dimension;         /* of n, along which transforms go now */
  int beside;            /* another one, whose lines in hand begin with this element: */
  int64_t begin;         /* 0: with the first, in all dimensions */
  int64_t queue_threads; /* of both kernels that a queue is to join; 0: no matter */
  int64_t sector;        /* results in a sector of memory, where tiles of a queue's second kernel are to begin with one;
                          * 0: all tiles begin alike */
  int work_count;        /* for names */
  fg_status trouble;     /* with operations on elements: told at the end */
} fg_builder;

/* Element e of transform number k: times w^(e k), w a root of unity of this order. Of a
 * transform of every step-th element, from element `part` on, the same with step e + part. */
typedef struct fg_twiddle_exponents {
  int64_t order, count;      /* k = 0 .. count-1 */
  int64_t first;             /* k where all axes begin */
  fg_num coef[FG_MAX_AXES];  /* k, by the axes in scope */
  int64_t step;              /* 1: of all elements */
  int64_t part[FG_MAX_AXES]; /* 0 .. step-1, likewise */
  bool folded;               /* k counts transforms as a view with a fold of count/2 has them */
} fg_twiddle_exponents;

/* A transform to lay down. */
typedef struct fg_task {
  fg_kind kind;
  int64_t n;
  int sign;
  fg_view in, out;
  bool pairs;     /* r2c, c2r: the view of the reals is one of complex numbers */
  bool frequency; /* a pass runs the other way round: its factors come last, it reads what it would write */
  const struct fg_side *upper; /* NULL, or where a last pass puts the conjugates of its upper outputs (r2c-column) */
  const int64_t *later;        /* NULL, or the radices of the passes behind this one: see fg_build_pass */
  int nlater;
  int64_t inputs;  /* of a convolution's first pass: elements from here on are zero; 0: none */
  int64_t outputs; /* of its last one: elements from here on are not wanted; 0: all are */
  bool skewed;     /* of passes back: neighbouring transforms' scratch begins in different banks */
  const struct fg_twiddle_exponents
      *exponents;          /* NULL, or what input elements are multiplied by first, by roots of unity */
  bool powers;             /* of a stockham task: turns are part of the factors of each pass */
  const fg_view *multiply; /* NULL, or table: input element e is multiplied by its element e first */
} fg_task;

fg_status fg_build_plan(fg_builder *b, const fg_plan *plan, const fg_task *task);

/* ---- for the steps -------------------------------------------------------- */
/* A new LOCAL buffer of n elements for each value of the inner axes in scope. */
fg_view fg_build_scratch(fg_builder *b, int64_t n);
/* The same, in blocks: a vector of real parts, one of imaginary parts. */
fg_view fg_build_blocks(fg_builder *b, int64_t n);
/* The same, its numbers interleaved whatever vectors like. */
fg_view fg_build_interleaved(fg_builder *b, int64_t n);
/* A new LOCAL buffer for the kernel in hand, of which each of `blocks` blocks of a
 * cluster holds n elements; those of lanes side by side. */
fg_view fg_build_exchange(fg_builder *b, int64_t n, int blocks);
fg_view fg_build_real_scratch(fg_builder *b, int64_t n); /* of reals */
/* Whole blocks of the output belong to each transform that is stored there, so that what is on its way may lie
 * there in blocks. */
/* `last`: length of the pass that goes through the output's memory in place. */
bool fg_build_output_has_blocks(const fg_builder *b, const fg_view *out, int64_t last);
/* Memory of the output, for passes that are over before anything final is written
 * there: less to keep in cache. False, *v untouched: that cannot be. */
bool fg_build_output_scratch(fg_builder *b, int64_t n, fg_view *v);
/* From row to row of n elements. On CPUs long rows begin with whole vectors, and rows whose distance is a
 * multiple of a large power of two, which would share a few sets of the cache, get a cache line more. */
int64_t fg_build_padded(const fg_builder *b, int64_t n);
fg_precision fg_build_kept(const fg_builder *b); /* of numbers in shared memory */
/* Complex numbers in the banks of shared memory, side by side. */
int64_t fg_build_bank_row(const fg_builder *b);
/* From row to row of n elements in shared memory, where threads that stand along
 * rows of the padded memory then meet different banks. */
int64_t fg_build_bank_pitch(const fg_builder *b, int64_t n);
/* A new WORK buffer of n elements for each transform of the batch. */
fg_view fg_build_workspace(fg_builder *b, int64_t n);
fg_view fg_build_real_workspace(fg_builder *b, int64_t n); /* of reals */
/* A table, shared with an equal one that is there already. */
fg_view fg_build_table(fg_builder *b, const fg_table *wanted);
int16_t fg_build_buffer(fg_program *p, const fg_buffer *wanted); /* its number */
bool fg_build_is_outer(const fg_axis *axis); /* a digit of the kernel, where it has several stages */
/* An index more around what follows; it ends where naxis is put back. */
void fg_build_axis(fg_builder *b, const char *name, int64_t extent, fg_axis_kind kind);
/* The same for tiles of n elements, the last of which overlaps its neighbour where they do not
 * divide n; and by how many elements a tile's number moves addresses. */
void fg_build_tiles(fg_builder *b, int64_t n, int64_t tile);
int64_t fg_build_tile_step(int64_t n, int64_t tile);
/* The digit that counts along an axis in a stage that was just built; -1: it has one value. */
int16_t fg_build_axis_digit(const fg_builder *b, const fg_stage *stage, int axis);
/* Whether a target's clusters have so many blocks, each of which gets as much of both. */
fg_status fg_build_check_cluster(const fg_builder *b, int blocks, int64_t n1, int64_t n2);
/* What follows belongs to a kernel of its own. */
void fg_build_kernel(fg_builder *b);
/* Whether transforms of n points by `plan`, the program's or one of its rows, are to be in interleaved complex vectors.
 */
bool fg_build_wants_interleaved(const fg_builder *b, const fg_plan *plan, int64_t n);
/* Of passes on parts, the first one, which finds pairs and leaves rows. */
bool fg_build_wants_first_interleaved(const fg_builder *b);
/* A new stage with one digit per axis in scope, then one per entry of `loop`. */
typedef struct fg_loop {
  const char *name;
  int64_t extent;
  int64_t load, store, twiddle; /* element coefs */
} fg_loop;
typedef struct fg_side { /* of the slots behind the first ones, in the same view */
  int slots;
  int64_t first, slot; /* the element of slot 0 and counters 0; coef of the slot number */
  int64_t loop[3];     /* coefs */
  int axis;            /* 0: none, else 1 + the first of the axes that move them down instead of up */
} fg_side;
typedef struct fg_stage_form {
  const char *what;
  const fg_codelet *codelet;
  const fg_view *in, *out;
  int nloop;
  fg_loop loop[3];      /* outermost first; extent 1 is dropped */
  int slots;            /* elements of the codelet's input */
  int out_slots;        /* of its output; 0: as many */
  int64_t load, store;  /* element coefs of the slot number */
  const fg_view *table; /* NULL: no twiddles */
  int table_slots;
  int64_t table_coef;  /* of the twiddle slot's number */
  const fg_view *more; /* NULL, or where further elements come from */
  int more_slots;
  int64_t more_coef;
  bool more_steps; /* loops step them as they do the table's; else they pass by them */
  const fg_product *product;
  const fg_side *load_rest, *store_rest; /* NULL: none */
  bool few;                              /* a handful of numbers: no vectors wanted */
  bool alone;                            /* nothing repeats but what is around: no vectors, no complaint */
} fg_stage_form;
/* The transposed stage: what was loaded is stored, and the other way round. */
void fg_build_transposed_stage(fg_stage_form *form);
/* The view from its element number `elements` on. */
fg_view fg_build_shifted(const fg_view *v, int64_t elements);
/* Neighbouring pairs of reals as complex numbers. False: they do not lie so. */
bool fg_build_complex_view(fg_builder *b, const fg_view *reals, fg_view *out);
/* The real (part 0) or imaginary parts of complex numbers; the latter of scratch only. */
fg_view fg_build_parts_view(fg_builder *b, const fg_view *v, int part);
/* Elements from .. to - 1 become 0. */
void fg_build_zeros(fg_builder *b, const fg_view *view, int64_t from, int64_t to);
/* A codelet of n points by the plan's form. */
fg_status fg_build_key(fg_builder *b, fg_codelet_key key, int64_t n, const fg_codelet **out);
/* Whether a pass's factors are to be products of few; between: of the parts of four-step. */
bool fg_build_wants_products(const fg_builder *b, bool between);
/* w^1 .. w^(r-1) of w, w^2, w^4, ..., or a, a w .. a w^(r-1) with a before them: each is
 * one product, none of more than log2 r in a row. */
const fg_product *fg_build_products(fg_builder *b, int64_t r, bool all);
int fg_build_doublings(int64_t r); /* how many of w, w^2, w^4, ... */
/* w .. w^(r-1), w of two factors that come with their doublings, one table's behind the other's. `halved`: each of
 * these is half of it, as the first table's are. */
const fg_product *fg_build_products_of_both(fg_builder *b, int64_t r, bool halved);
/* ---- twiddle.c ---------------------------------------------------- */
typedef struct fg_factors { /* where a pass's come from */
  fg_view table, more;
  int slots, more_slots;
  int64_t coef, more_coef, step, each; /* step: of a pass's q, in table; each: of its k */
  const fg_product *product;
} fg_factors;
bool fg_build_wants_steps(const fg_builder *b, const fg_task *t, int64_t r); /* inside a codelet of r points */
/* Of a stockham task with turns: they are powers in the passes of all these radices. */
bool fg_build_exponents_are_powers(const fg_builder *b, const fg_task *t, const fg_plan *plan);
/* Of a pass after `done` points. */
fg_factors fg_build_inner_factors(fg_builder *b, const fg_task *t, int64_t r, int64_t done);
fg_factors fg_build_step_factors(fg_builder *b, const fg_task *t, int64_t r, int64_t done); /* for FG_TW_STEPS */
/* Of a first pass, or a codelet alone: those of the task's turns. */
fg_factors fg_build_exponent_factors(fg_builder *b, const fg_task *t, int64_t r);
/* The same for each element of the input, as a table. */
fg_view fg_build_exponent_table(fg_builder *b, const fg_task *t);
void fg_build_set_factors(fg_stage_form *form, const fg_factors *f);
/* Of pairs of columns k and m - k in real radix r, k = first .. first + count - 1. */
typedef struct fg_column_pairs {
  bool backward; /* c2r */
  int sign;
  int64_t r, m, first, count;
} fg_column_pairs;
fg_factors fg_build_pair_factors(fg_builder *b, const fg_column_pairs *p, bool between);

/* One Stockham pass of radix r after `done` points; see assemble/steps/stockham.c. */
fg_status fg_build_pass(fg_builder *b, const fg_task *t, int64_t r, int64_t done);
fg_stage *fg_build_stage(fg_builder *b, const fg_stage_form *form);
fg_status fg_build_codelet(fg_builder *b, int64_t n, int sign, fg_twiddle twiddle, const fg_codelet **out);
fg_codelet_kind fg_build_codelet_kind(fg_kind kind); /* of a whole transform */
fg_status fg_build_real_codelet(fg_builder *b, fg_kind kind, int64_t n, int sign, const fg_codelet **out);

/* assemble/steps/fused_convolution.c: convolutions whose transforms meet in one stage. */
bool fg_build_can_fuse(fg_builder *b, const fg_plan *plan, const fg_task *task);
/* The same of CPUs, from memory to memory; elements of whole rows, behind n of them zeros; their convolution, of which
 * as many are wanted, in their place. */
bool fg_build_has_fused_rows(const fg_plan *plan); /* on CPUs; whether here, fg_build_can_fuse_rows says */
bool fg_build_can_fuse_rows(const fg_builder *b, const fg_plan *plan);
int64_t fg_build_rows_for(const fg_plan *plan, int64_t n);
fg_status fg_build_fused_rows(fg_builder *b, const fg_plan *plan, const fg_view *ends, int64_t elements,
                              const fg_view *spectrum);
fg_status fg_build_fused_rader(fg_builder *b, const fg_plan *plan, const fg_task *task);
fg_status fg_build_fused_bluestein(fg_builder *b, const fg_plan *plan, const fg_task *task);
/* Rows in other memory: each turned, convolved and turned back. */
typedef struct fg_convolved_rows {
  const fg_plan *passes;
  fg_view row, back;                     /* where numbers come from and go to */
  fg_view spectrum;                      /* the table that they are with */
  const fg_twiddle_exponents *exponents; /* of their elements */
  const fg_view *point_in;               /* NULL, or Rader's first point */
  const fg_view *point_out;              /* where element 0 of the results goes */
  int axis;                              /* these two count them: tiles, and the rows of one */
  int64_t together;
} fg_convolved_rows;
fg_status fg_build_convolved(fg_builder *b, const fg_convolved_rows *rows);

/* assemble/steps/coprime_rader.c: Rader's, along the dimensions of an array. */
bool fg_build_is_coprime(const fg_plan *plan);
fg_status fg_build_coprime_rader(fg_builder *b, const fg_plan *plan, const fg_task *task);

/* assemble/steps/split_convolution.c: the same of lengths that no block holds, by columns and rows. */
bool fg_build_can_split(const fg_builder *b, const fg_plan *plan, const fg_task *task);
fg_status fg_build_split_convolution(fg_builder *b, const fg_plan *plan, const fg_task *task);

/* n elements move. */
void fg_build_copy(fg_builder *b, const char *what, const fg_view *in, const fg_view *out, int64_t n);
/* Each of n elements times its element of a table. */
fg_status fg_build_pointwise(fg_builder *b, const fg_view *in, const fg_view *out, const fg_view *table, int64_t n);

/* assemble/steps/real_parts.c: a codelet for the real parts and for the imaginary ones. */
fg_status fg_build_dense(fg_builder *b, const fg_plan *plan, const fg_task *task);

/* assemble/steps/real.c: transforms of reals. */
fg_status fg_build_real(fg_builder *b, const fg_plan *plan, const fg_task *task);
fg_status fg_build_real_stockham(fg_builder *b, const fg_plan *plan, const fg_task *task);
/* assemble/steps/real_four_step.c, assemble/steps/real_rows.c, assemble/steps/real_tiles.c: the same as a matrix. */
fg_status fg_build_real_four_step(fg_builder *b, const fg_plan *plan, const fg_task *task);
fg_status fg_build_real_rows(fg_builder *b, const fg_plan *plan, const fg_task *task);
fg_status fg_build_real_tiles(fg_builder *b, const fg_plan *plan, const fg_task *task);
/* assemble/steps/trig.c: cosine and sine transforms. */
fg_status fg_build_trig(fg_builder *b, const fg_plan *plan, const fg_task *task);
/* operations.c: load and store operations, on the stages at the problem's ends. */
fg_status fg_build_operations(fg_builder *b, fg_stage *stage, const fg_stage_form *form);
/* At the end: where conditions keep accesses inside their arrays, they keep operands inside theirs. */
void fg_build_guard_operations(fg_builder *b);
/* Whether the operations on real elements go with moving them two by two. */
bool fg_build_operations_allow_pairs(const fg_builder *b, bool output);

fg_status fg_build_stockham(fg_builder *b, const fg_plan *plan, const fg_task *task);
/* The same passes the other way round: factors come last. */
fg_status fg_build_passes_back(fg_builder *b, const fg_plan *plan, const fg_task *task);

/* assemble/steps/convolution.c, assemble/steps/prime_factor.c, assemble/steps/four_step.c, assemble/steps/nd.c: steps
 * of plans. */
fg_status fg_build_bluestein(fg_builder *b, const fg_plan *plan, const fg_task *task);
fg_status fg_build_rader(fg_builder *b, const fg_plan *plan, const fg_task *task);
fg_status fg_build_prime_factor(fg_builder *b, const fg_plan *plan, const fg_task *task);
fg_status fg_build_four_step(fg_builder *b, const fg_plan *plan, const fg_task *task);
fg_status fg_build_nd(fg_builder *b, const fg_plan *plan, const fg_task *task);

/* assemble.c: the logical stages of a checked plan, in b->kernels. `apart`: convolutions get memory of their own. */
fg_status fg_assemble(fg_context *cx, const fg_problem *problem, const fg_plan *plan, const fg_mapping *map, bool apart,
                      fg_builder *b);
#endif
