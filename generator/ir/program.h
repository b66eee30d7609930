/* fg_program: ordered kernels, the buffers they touch, the tables they need.
 *
 * Buffers are numbered; the first ones are always the input (0) and the output
 * (1; in place: output.alias = 0). */
#ifndef FG_PROGRAM_H
#define FG_PROGRAM_H
#include "generator/ir/kernel.h"
#include "generator/ir/persistent_queue.h"
#include "generator/math/field.h"
#include "generator/plan/plan.h"
#include "generator/problem/problem.h"
#include "targets/dialect.h"
#include "targets/machine.h"

enum { FG_MAX_BUFFERS = 64, FG_MAX_FALLBACKS = 8, FG_MAX_COPRIME = 4 };
enum { FG_BUFFER_IN = 0, FG_BUFFER_OUT = 1 };

typedef enum fg_space {
  FG_SPACE_INPUT,
  FG_SPACE_OUTPUT,
  FG_SPACE_WORK,  /* workspace in global memory, all blocks share it */
  FG_SPACE_LOCAL, /* shared memory (CPU: scratch that stays in cache) */
  FG_SPACE_TABLE, /* constant */
  FG_SPACE_GIVEN, /* constant, brought by the caller: operands of load and store operations */
} fg_space;

typedef enum fg_elem { FG_ELEM_COMPLEX, FG_ELEM_REAL, FG_ELEM_INDEX /* int32 */ } fg_elem;

typedef enum fg_layout {
  FG_LAYOUT_INTERLEAVED, /* re im re im ... */
  FG_LAYOUT_SPLIT,       /* all re, then all im at +size (input, output: two pointers) */
  FG_LAYOUT_BLOCKED,     /* `block` re, then `block` im, ... */
  FG_LAYOUT_DOUBLED,     /* factors of pairs: re re of each, then im -im of each */
} fg_layout;

typedef struct fg_buffer {
  char name[16]; /* "in", "out", "work0", "tw1": as in emitted text */
  fg_space space;
  fg_elem elem;
  fg_layout layout;
  int block;    /* BLOCKED */
  int permuted; /* 0, or so many neighbours at a time lie in an order that vectors want: each 16 bytes have as many of
                 * the first half of them as of the second */
  fg_precision precision;
  int64_t size;        /* elements (with run-time parameters at their upper ends) */
  int spread;          /* LOCAL: 0, or the blocks of the cluster, each of which holds `size` elements: element e is
                        * in block e / size */
  bool round;          /* WORK: goes round in a queue's ring, see queue.h */
  bool plain, own;     /* LOCAL: elements without padding, as in an array; shares its memory with no exchange */
  int16_t alias;       /* -1, or the buffer whose memory this one uses */
  int16_t first, last; /* first and last kernel that touches it */
  int16_t table;       /* TABLE: index into fg_program.table, else -1 */
  int16_t given;       /* GIVEN: fg_given_number of the operation */
} fg_buffer;

/* What a table holds. Entry (r, c) of rows x cols is element r * cols + c, or, in panels, that of fg_table_element. */
typedef enum fg_fill {
  FG_FILL_TWIDDLE,  /* 2^shift exp(sign 2 pi i (r + row0) (c col_step + col0) / order) */
  FG_FILL_DOUBLING, /* exp(sign 2 pi i 2^r c / order) */
  FG_FILL_STEPS, /* of w = exp(sign 2 pi i c / order) those that a codelet of 2 rows points has inside (algo/steps.c),
                  * exp(sign 2 pi i (c + (r - p) order / (2 rows)) rows / (2 p) / order), p the power of two at or
                  * below r; row 0: w^rows */
  FG_FILL_CHIRP, /* exp(sign pi i c^2 / (order / 2)): c^2 mod order over order; rows = 1 */
  FG_FILL_BLUESTEIN, /* DFT (forward, of cols points) of the conjugated chirp, wrapped, divided by cols; `n` points */
  /* For a prime n with the least generator g: */
  FG_FILL_POWERS,    /* DFT (forward, of cols points) of exp(sign 2 pi i g^-j / n), -(n-1) < j < n-1, wrapped, divided
                      * by cols */
  FG_FILL_RADER,     /* the same, but entry 0 is 1 */
  FG_FILL_RADER_SUM, /* two entries: 1, and entry 0 of FG_FILL_POWERS with `order` columns: -1/order
                      * where order = n-1, else -(2 + exp(sign 2 pi i / n))/order */
  FG_FILL_POWER,     /* numbers of elements: g^c modulo n, c = 0 .. n-2; sign -1: g^-c */
  FG_FILL_LOGARITHM, /* numbers of elements: e with g^-e = c modulo n, c = 1 .. n-1; sign 1: g^e; entry 0 is `order` */
  FG_FILL_WINDOW,    /* real: weight c of `window`, n points */
} fg_fill;

typedef struct fg_table {
  int16_t buffer;
  fg_fill fill;
  int sign;
  int64_t rows, cols, row0;
  int64_t col0, col_step;      /* TWIDDLE; a col_step of 0 is 1 */
  int64_t fold;                /* TWIDDLE, DOUBLING: 0, or columns beyond it count down, from 2 fold - 1 on */
  int shift;                   /* TWIDDLE, CHIRP: all times 2^shift */
  bool doubled;                /* its layout: FG_LAYOUT_DOUBLED */
  int64_t panel;               /* 0, or so many columns, which divide all of them, lie together, row behind row */
  int64_t across;              /* sums: 0, or entry c is that of c % (cols / across) * across + c / (cols / across) */
  int coprime[FG_MAX_COPRIME]; /* sums: 0, or the entries are an array of so many dimensions, without a common factor,
                                * whose product is cols; LOGARITHM: they are places in one: see fg_table_multiplier */
  int64_t order;               /* of the root of unity; RADER_SUM, LOGARITHM: length of the convolution */
  int64_t n;                   /* BLUESTEIN, RADER..., WINDOW: length of the transform that is served */
  const fg_window_row *window;
} fg_table;

typedef struct fg_program {
  fg_problem problem;
  const fg_plan *plan;
  int nbuffer, ntable, nkernel;
  fg_buffer buffer[FG_MAX_BUFFERS];
  fg_table table[FG_MAX_BUFFERS];
  fg_kernel **kernel;        /* in order of execution */
  fg_queue queue;            /* of the first two kernels' blocks; ring 0: kernels are launched one after the other */
  int lanes;                 /* elements of the widest vector; 1: scalar */
  int registers;             /* that hold vectors */
  bool one_source;           /* permutations across 16-byte parts of vectors take numbers of one only */
  const fg_machine *machine; /* that it is planned for; NULL: any (fg_program_machine) */
  bool side_by_side;         /* blocks run at the same time even where they have one thread */
  int nfallback;
  const char *fallback[FG_MAX_FALLBACKS]; /* every slow way taken, in words */
} fg_program;

/* The machine that it is planned for: never NULL. */
const fg_machine *fg_program_machine(const fg_program *p);
/* Bytes that a warp's accesses are counted by; where its row has none, as any GPU's. */
int64_t fg_program_segment(const fg_program *p);
/* Bytes of a CPU's L2; where nobody says, as many as any CPU's row has. */
int64_t fg_program_machine_l2(const fg_machine *m);
static inline int64_t fg_l2_bytes(const fg_program *p) { return fg_program_machine_l2(fg_program_machine(p)); }

static inline bool fg_small_l2(const fg_program *p) { return fg_is_small_l2(fg_l2_bytes(p)); }

typedef struct fg_program_cost { /* counted from the kernels, for one call with parameters at their lower ends */
  int64_t add, mul, fma;         /* real operations (all lanes) */
  int64_t flops;                 /* add + mul + 2 fma */
  int64_t bytes;                 /* moved between registers and buffers that are not LOCAL, tables included */
  int64_t table_moves;           /* those of tables alone */
  int64_t local_bytes;           /* moved to and from LOCAL buffers */
  int64_t scratch_bytes;         /* WORK + LOCAL memory of a CPU call */
  int64_t local_size;            /* LOCAL memory of one block */
  int64_t table_bytes;
  int64_t passes; /* stages */
  int64_t cost;   /* the shipped model's estimate: smaller is better (cost.c) */
} fg_program_cost;
/* The second factor of a TWIDDLE's exponent. */
int64_t fg_table_column(const fg_table *t, int64_t c);
void fg_program_count(const fg_program *p, fg_program_cost *out);
/* cost.c: the shipped model, from a program and its counts. */
int64_t fg_cost_estimate(const fg_program *p, const fg_program_cost *counts);
int64_t fg_cost_threads(const fg_program *p); /* its half for blocks and threads */
/* Blocks of k at once on a multiprocessor, where memory has room for few; 0: for more. */
int fg_cost_few_blocks(const fg_program *p, const fg_kernel *k);
/* Rows of so many slots, end to end, pass through vectors as one line; or, having an odd part, row by row, where their
 * even part is `from` at least. Permutations of one vector's numbers alone would take three times the operations for a
 * line (lower/transpose.c): from 1. Those of two: from half a line of the cache, since shorter steps leave more vectors
 * across two of them; and vectors that were just stored are waited for where others, which begin with rows, have parts
 * of two of them: whole vectors, then. */
static inline bool fg_takes_lines(int slots, int from) {
  int even = slots & -slots;
  return even == slots || even < from;
}
int fg_program_rows_from(const fg_program *p, const fg_buffer *b, bool load, int lanes);

/* cost/moves.c: what moving vectors takes in that model, in sixteenths of an instruction per
 * vector of complex numbers. */
typedef struct fg_move_form {
  fg_move move;
  fg_layout layout;
  int slots, lanes;
  bool end_to_end; /* TRANSPOSE: lanes are `slots` apart */
  bool packed;     /* interleaved complex vectors: twice as many numbers as lanes */
  fg_elem elem;
  int rows_from;      /* slots: fg_program_rows_from */
  bool separate_fadd; /* a CPU's additions have ports of their own */
} fg_move_form;
/* How a stage's access moves. */
fg_move_form fg_cost_move_form(const fg_program *p, const fg_kernel *k, const fg_stage *s, const fg_access *a,
                               bool load);
int64_t fg_cost_of_move(const fg_move_form *f);
/* The instructions behind that price: times * (...) / shared_by / halves of each. */
typedef struct fg_move_count {
  int64_t moves, narrow, single; /* from or to memory: of vectors, of parts of them, of one pair each */
  int64_t shuffles, selects;     /* across lanes; within lanes */
  int64_t shared_by, times, halves;
} fg_move_count;
fg_move_count fg_cost_move_counts(const fg_move_form *f);
/* All shuffles of an iteration, vectors of one part of numbers. */
int64_t fg_cost_shuffles(const fg_program *p, const fg_kernel *k, const fg_stage *s);
/* How often a stage's codelet runs in one call, lanes counted one by one. */
int64_t fg_stage_instances(const fg_kernel *k, const fg_stage *s, const int64_t *params);

bool fg_program_is_constant(const fg_program *p, int buffer); /* a table, or numbers that the caller brings */
int64_t fg_buffer_bytes(const fg_buffer *b);
/* The first kernel of several fetches the next rows while it computes some, few at a time: where L2 is
 * small and both arrays are so large that they do not come from the third in time. */
bool fg_program_fetches_rows(const fg_program *p);
int64_t fg_buffer_lane_position(const fg_buffer *b, int64_t e); /* of element e among the others */
int fg_buffer_lane_half(const fg_buffer *b);                    /* neighbours that stay together */
/* Where in a buffer the parts of its element e are, in reals; a real element has one. */
void fg_buffer_position(const fg_buffer *b, int64_t e, int64_t *re, int64_t *im);
int16_t fg_buffer_root(const fg_program *p, int buffer);           /* whose memory it is: itself where it is no alias */
int fg_stage_result_parts(const fg_program *p, const fg_stage *s); /* numbers of a result before its operations */
bool fg_stage_sends(const fg_program *p, const fg_stage *s);       /* to blocks of its cluster */
int fg_buffer_parts(const fg_buffer *b);                           /* numbers of an element: 2 complex, 1 real */
/* M of the proof: lowest common multiple of the orders of everything in p, of
 * 8 n per dimension, and of what the reference transform needs, unless there is no room
 * for that and weighted sums can do without. 0: too large. */
uint64_t fg_program_order(const fg_program *p);
/* Checks buffer numbers, digit roles, slot counts against codelets... */
bool fg_program_valid(const fg_program *p, const char **why);
char *fg_program_print(fg_context *cx, const fg_program *p); /* --dump=kernel */

/* ---- tables.c: the same definition in three number systems -------------- */
/* Whether the entries are numbers of elements: they are the same in all of them. */
bool fg_table_is_index(const fg_table *t);
/* Sums of roots of unity: a transform of cols points, in each number system. */
bool fg_table_is_sum(const fg_table *t);
/* Where the k-th of a sum's results stands among the entries, or logarithm k in what they number. */
int64_t fg_table_position(const fg_table *t, int64_t k);
/* The element that holds entry (r, c), and the entry, as r * cols + c, that an element holds. */
int64_t fg_table_element(const fg_table *t, int64_t r, int64_t c);
int64_t fg_table_entry(const fg_table *t, int64_t element);
/* With coprime dimensions: that at k times this modulo coprime[axis] along an axis. */
int64_t fg_table_multiplier(const fg_table *t, int axis);
int fg_table_axes(const fg_table *t); /* how many of them there are */
/* Order of the roots of unity that the entries are, or are sums of. */
int64_t fg_table_root_order(const fg_table *t);
/* rows, cols, order and n that make sense together. */
bool fg_table_possible(const fg_table *t);
/* The least generator modulo n; 0: n is no prime below 2^31. */
int64_t fg_table_least_generator(int64_t n);
/* What the powers of an index table, or of a spectrum, are powers of: that, or its inverse. */
int64_t fg_table_generator(const fg_table *t);
/* Entries of an index table, in cx's arena; NULL: not possible. */
int32_t *fg_table_indices(fg_context *cx, const fg_table *t);
/* What follows is for tables of numbers. Images in a field, natural order: out[rows * cols]. */
fg_status fg_table_fill_gf(fg_context *cx, const fg_program *p, int table, const fg_field *f, fg_gfc *out);
/* Entries that are roots of unity, times a power of two: each is known alone. */
bool fg_table_has_roots(const fg_table *t);
fg_gfc fg_table_element_gf(const fg_table *t, const fg_field *f, int64_t element);
/* Numbers rounded once from a value of more than 100 bits, in the buffer's
 * layout and precision (f32 -> float, f64 -> double): out has fg_buffer_bytes.
 * Index tables: int32_t. */
fg_status fg_table_fill_real(fg_context *cx, const fg_program *p, int table, void *out);
/* Natural order, interleaved doubles, whatever the buffer is: for comparisons. */
fg_status fg_table_fill_double(fg_context *cx, const fg_program *p, int table, double *re_im);
#endif
