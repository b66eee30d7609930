/* Inside emit: what its files share.
 *
 *   emit.c          the files and the artifact
 *   emit_argument.c what the public function takes, and the artifact's places
 *   emit_launch.c   grids, memory and arguments of kernels that are launched
 *   emit_memory.c   names of buffers, scratch, who holds the tables
 *   emit_kernel.c   kernel frames: outer digits and calls of stages
 *   emit_stage.c    one stage: loops, operations in the order of the schedule
 *   emit_nest.c     digits: names, loops, numbers of blocks and threads
 *   emit_points.c   load and store operations, numbers of other types in memory
 *   emit_move.c     loads and stores of one stage's values
 *   emit_cluster.c  stores between the blocks of a cluster
 *   emit_queue.c    two kernels as one, whose blocks stay
 *   emit_pack.c     codelets over vectors of pairs
 *   emit_fetch.c    what the next transform of large batches needs, or the next turn, is brought near
 *   emit_fetch_tile.c  rows of tiles, and the next tile
 *   emit_forward.c  small kernels: stages as one function, scratch in values
 *   emit_run.c      runs: rows of several slots' numbers, as vectors
 *   emit_early.c    exchanges and stores of rows among the operations before them
 *   emit_balance.c  sums as products by one, where units for products wait
 *   emit_skew.c     loops whose turns leave while the next one computes
 *   emit_order.c    a turn's statements by what waits for what
 *   emit_lines.c    lines of text: what they define and mention
 *   emit_shuffle.c  exchanges between lanes and registers
 *   emit_place.c    accesses: how their numbers move, how addresses come apart
 *   emit_address.c  addresses and predicates as text
 *   emit_value.c    operations on values, as text or as instructions
 *   emit_text.c     numbers, sums, spellings
 *   emit_code.c     the frame where a program becomes instructions
 *   emit_table.c    tables as arrays, and the functions that fill large ones
 *   emit_header.c   the public header
 *   emit_part.c     entry points for parts of a step, for several threads
 *   emit_extra.c    the manifest of launches, the self-test
 *   emit_host.c     the program that launches kernels and compares
 */
#ifndef FG_EMIT_PARTS_H
#define FG_EMIT_PARTS_H
#include "generator/code.h"
#include "generator/emit.h"
#include "generator/schedule.h"
#include "generator/strbuf.h"
#include "generator/template.h"

/* Memory of a buffer that is nobody's alias, as emitted. */
typedef struct fg_memory {
  const char *name; /* "in"; in two parts: "in_re", "in_im" */
  bool parts;       /* two pointers */
  bool written;     /* by some stage */
  bool used;        /* by some stage */
  int64_t offset;   /* WORK, LOCAL: in the scratch; tables of one block: in that; reals */
} fg_memory;

/* What a piece of text mentions: its parameters. */
typedef struct fg_uses {
  bool memory[FG_MAX_BUFFERS], stored[FG_MAX_BUFFERS];
  bool digit[FG_MAX_DIGITS];
  bool param[FG_MAX_PARAMS];
} fg_uses;

/* What runs between two waits of all parts: a kernel, or a stage of one. */
typedef struct fg_part_step {
  int kernel, stage; /* -1: the kernel as a whole */
  const fg_uses *uses;
} fg_part_step;

typedef struct fg_emitter {
  fg_context *cx;
  const fg_program *p;
  const fg_emit_options *o;
  const fg_dialect *d;
  const char *name;  /* prefix of every symbol */
  const char *macro; /* of every macro */
  const char *real;  /* type */
  int real_bytes;   /* of the dialect's type */
  fg_precision precision;
  const char *index; /* type of addresses */
  bool launched;     /* kernels run in blocks of threads */
  const char *restrict_word, *stage_restrict_word; /* the dialect's, spelled */
  fg_memory memory[FG_MAX_BUFFERS];
  bool is_piece;                /* of a file with others: everything is static */
  bool static_tables;           /* tables are arrays in the source */
  int64_t scratch;              /* reals */
  int64_t table_block;          /* reals of the caller's table memory; 0: none */
  int64_t table_bytes;          /* of that memory, with what filling it needs */
  int64_t init_work;            /* where in it filling works: bytes */
  const fg_padded_form *padded; /* of all its vectors, which are of two numbers; NULL: they are as wide as they say */
  uint64_t lanes;               /* sum of the widths that occur, powers of two */
  uint64_t streams;             /* of those that are stored past the caches */
  uint64_t swaps;               /* of those whose neighbours change places in words */
  struct fg_forward **forwards; /* per kernel; NULL: its stages are functions */
  struct fg_forward *forward;   /* of the kernel in work */
  bool held[FG_MAX_BUFFERS];    /* buffers that are values */
  fg_coder *coder;              /* NULL: text */
  const char *unrecorded;       /* text that somebody wrote where instructions are recorded; NULL: none */
  const char *queued[2];        /* calls of both kernels' functions, for a tile of the queue */
  bool parts;                   /* parts of steps have entry points */
  int nstep;
  fg_part_step *step;
  int64_t part_scratch;   /* reals more, for each part but the first */
  unsigned calls;         /* functions that occur: bits by fg_called */
  uint64_t call_lanes;    /* sum of the widths in which they do */
  uint64_t stored[2][16]; /* the same for rows of the dialect's storage table: loads, stores */
} fg_emitter;

static inline bool fg_form_is(const fg_emitter *e, fg_form form, bool rule) {
  return rule != (e->p->plan && fg_plan_param_value(e->p->plan, FG_PARAM_FORMS) & form);
}

/* ---- emit_text.c ----------------------------------------------------------- */
typedef struct fg_marks {
  const char *a, *b, *c, *p, *v, *i, *space;
} fg_marks;
/* A spelling with its marks filled in; lanes for the vector's types, or %N. */
const char *fg_spell(const fg_emitter *e, int lanes, const char *format, fg_marks marks);
/* Lines before the declaration of a function that is not static; "": none. */
const char *fg_emit_linkage(const fg_emitter *e);
const char *fg_vector_type(const fg_emitter *e, int lanes); /* real type when lanes == 1 */

typedef struct fg_sum { /* "2048 * b + 2 * k + 6" */
  const fg_emitter *e;
  fg_uses *uses; /* what it mentions is noted here; NULL: nowhere */
  fg_strbuf text;
  int64_t constant;
  const char *value; /* where there is no text: of all but the constant */
} fg_sum;
void fg_sum_init(fg_sum *s, const fg_emitter *e, fg_uses *uses);
void fg_sum_add(fg_sum *s, fg_num coef, int64_t factor, const char *variable); /* NULL: 1 */
const char *fg_sum_text(fg_sum *s);
bool fg_sum_is_constant(const fg_sum *s);
/* More than one term, or a product: wants brackets in a product. */
bool fg_sum_is_compound(const fg_sum *s);
const char *fg_num_text(const fg_emitter *e, fg_uses *uses, fg_num x);
const char *fg_param_name(const fg_emitter *e, int param);
/* A literal of the dialect's real type. */
const char *fg_literal(const fg_emitter *e, double value);
/* "name(a, b, c)" over several lines where it is long. */
const char *fg_join_call(const fg_emitter *e, const char *head, const char *const *item, int nitem, int indent);

/* Text whose lines all end in one: behind the first, and how many there are. */
const char *fg_line_end(const char *text);
int fg_line_count(const char *text);

/* ---- emit_memory.c --------------------------------------------------------- */
fg_status fg_memory_plan(fg_emitter *e);
/* Bytes of a LOCAL array, to where the next one's pairs of numbers may begin: they are loaded as one. */
int64_t fg_local_bytes(const fg_emitter *e, int memory);
/* Declarations of pointer parameters, and the arguments that go with them: for
 * everything used. Each returns how many it added at item[]. */
enum { FG_MAX_ITEMS = 2 * FG_MAX_BUFFERS + FG_MAX_PARAMS + FG_MAX_DIGITS };
int fg_memory_declare(const fg_emitter *e, const fg_uses *u, int memory, const char *restrict_word, const char **item);
int fg_memory_mention(const fg_emitter *e, const fg_uses *u, int memory, const char **item);
bool fg_memory_is_parameter(const fg_emitter *e, int memory); /* not an array of the source */

enum { FG_NET_BITS = 8, FG_NET_STEPS = 8 }; /* emit_shuffle.c */
enum { FG_MAX_LANES = 64 };

/* ---- emit_queue.c ---------------------------------------------------------- */
enum {
  FG_QUEUE_FIRST = 32,   /* counters before those of transforms: the first numbers items, on a line of its own */
  FG_QUEUE_THREADS = 256 /* of the one block that clears them */
};
#define FG_QUEUE_READY (INT64_C(1) << 31) /* beside an item's number: what it waits for is done */
#define FG_QUEUE_ZERO "zero"
bool fg_queue_has(const fg_emitter *e, const fg_kernel *k); /* it is one of the two that a queue joins */
/* How pairs come from and go to a memory in such a kernel; NULL: as usual. */
const char *fg_queue_read(const fg_emitter *e, const fg_kernel *k, int memory);
const char *fg_queue_write(const fg_emitter *e, const fg_kernel *k, int memory);
/* What kernels' functions wait for, say and take themselves: arguments as they have them or are given them, how
 * many; lines before and behind the barrier of a stage, NULL: none. */
int fg_queue_arguments(const fg_emitter *e, int kernel, bool given, const char **item);
const char *fg_queue_arrive(const fg_emitter *e, int kernel, int stage);
const char *fg_queue_free(fg_emitter *e, int kernel, int stage);
const char *fg_queue_next(const fg_emitter *e, int kernel, int stage);
fg_status fg_emit_queue_items(fg_emitter *e, fg_strbuf *out); /* functions that kernels call */
int64_t fg_queue_bytes(const fg_emitter *e);                  /* of its counters; 0: there is no queue */
/* Both launches: what prepares the queue, and the kernel around the functions of both; call: theirs. */
typedef struct fg_queue_text {
  const fg_uses *uses; /* of both kernels */
  const char *call[2];
} fg_queue_text;
fg_status fg_emit_queue(fg_emitter *e, const fg_queue_text *t, fg_strbuf *out);
const char *fg_queue_symbol(const fg_emitter *e, bool prepares);

/* ---- emit_stage.c ---------------------------------------------------------- */
typedef struct fg_place fg_place;
struct fg_place { /* an access, as text */
  const fg_access *a;
  const fg_buffer *b;
  int memory; /* its root */
  char tag;   /* x loads, w twiddles, y stores, u and z what goes on behind x and y: in names */
  bool is_store;
  int slots;            /* elements of one instance */
  int parts;            /* numbers of an element: 2 complex, 1 real */
  int scale;            /* reals from an element to the next, in one pointer */
  int im_add;           /* from a real part to its imaginary part, in one pointer */
  bool direct;          /* base pointer plus constants (or run-time strides) */
  bool by_lane;         /* a base pointer for each lane's row, where padding parts rows as it likes */
  bool pair;            /* both parts move at once */
  bool open, base_open; /* pointer, base index are declared */
  fg_move move;         /* how it is done here */
  bool apart;           /* TRANSPOSE: rows are not end to end; GATHER: lanes' pairs move at once */
  int npred;            /* the access's, and the stage's where they depend on lanes */
  fg_pred pred[2 * FG_MAX_PREDS];
  bool *declared;    /* [slots * lanes]: index variables */
  bool *ok_declared; /* [slots * lanes]: conditions */
  bool *needed;      /* [parts * slots]: loads that somebody uses */
  bool *loaded;      /* [slots] */
  int first;         /* number of the codelet's that its first slot begins with */
  int64_t whole;     /* stores to a cluster: blocks before the one that the pointer's offset lies in */
  fg_place *rest;    /* of the access behind it; NULL: none */
};

typedef struct fg_run { /* numbers that are exchanged together */
  int first, slots;     /* elements; first: of an element that is moved alone */
  int parts;            /* numbers of an element in the run: 2 interleaved, else 1 */
  int part;             /* parts = 1: which */
  bool apart;           /* the rows of lanes are not end to end; slots: a power of two */
} fg_run;

typedef struct fg_point_side {      /* operations on loaded elements, or on results */
  const fg_points *points;          /* NULL: none */
  int parts, slots;                 /* of elements before them */
  fg_place *operand[FG_MAX_POINTS]; /* NULL: none */
  const char **memo;                /* values, by operation, slot and part */
} fg_point_side;

/* What computes a value, for its order among others; the last: what an expression is that has any of it. */
typedef enum fg_unit {
  FG_UNIT_NONE,
  FG_UNIT_SUM,
  FG_UNIT_PRODUCT,
  FG_UNIT_FUSED,
  FG_UNIT_EXCHANGE,
  FG_UNIT_LOAD
} fg_unit;
typedef struct fg_named {
  const char *name;
  fg_unit unit;
} fg_named;

typedef struct fg_even_choice { /* `take` of every `of` things that come one after the other */
  int64_t of, take, left;
} fg_even_choice;

typedef struct fg_writer { /* one stage */
  fg_emitter *e;
  const fg_kernel *k;
  const fg_stage *stage;
  const fg_codelet *codelet; /* NULL: a copy */
  const fg_schedule *schedule;
  fg_strbuf *out;
  int indent;
  int lanes;
  int width;                   /* numbers of a vector: lanes, or twice as many where it holds pairs; 1: scalar */
  struct fg_pack *pack;        /* NULL: a vector holds one part of its lanes' numbers */
  int lane_label[FG_NET_BITS]; /* lane bit that bit i of a vector's positions is */
  const char *type;            /* of values */
  fg_uses uses;
  const char *digit[FG_MAX_DIGITS];   /* names; NULL: constants */
  int64_t digit_value[FG_MAX_DIGITS]; /* of the constant ones */
  fg_place load, store, twiddle, more;
  fg_place *fetch[3]; /* what is brought near beside loads, beside stores, beside those behind; NULL: nothing */
  fg_fetch_how fetch_how[3];
  int fetch_lines[3]; /* of an array from end to end, so many a turn; 0: what lies at the place that is moved */
  int fetch_rows[3];  /* of so many lines each, and elements from one to the next; 0: there is one */
  int64_t fetch_pitch[3];
  int fetch_count[3];   /* vectors of lines that they share */
  int fetch_most[3];    /* lines of a turn, at most; 0: all of them */
  int fetched[3];       /* of those, so far */
  fg_strbuf fetches;    /* lines that do it, not written yet */
  size_t fetch_from;    /* of the text: they go among what is written from here on */
  const char **factor;  /* [2 * factors]: names of those that are products */
  const char **doubled; /* likewise: of twice those */
  const char **node;    /* names of the codelet's values */
  const char **result;  /* [nout] of the codelet */
  int results;          /* numbers of them */
  const char **value;   /* [parts * slots] what is stored */
  fg_point_side before, after;
  bool hold;                      /* values pass a barrier in an array, */
  const fg_storage_row *hold_row; /* NULL, or two by two in words, as memory will have them */
  const fg_storage_row *come_row; /* NULL, or all turns' numbers come from far first, as such words, in an array */
  int64_t hold_turns;             /* of the loops around: rows of these arrays; -1: not known */
  fg_even_choice sums;            /* of a turn, written as products by one */
  int nvalue, nshuffle;           /* for names */
  fg_unit unit;                   /* of the expression that has no name yet */
  fg_named *named;                /* the turn's vectors, in the order of their lines */
  int nnamed, most_named;
  uint64_t peers;        /* blocks of the cluster whose addresses are declared */
  uint64_t peers_behind; /* the same of the stores' second law */
} fg_writer;

void fg_write_line(fg_writer *w, const char *format, ...) __attribute__((format(printf, 2, 3)));
fg_status fg_emit_stage(fg_emitter *e, const fg_kernel *k, int stage, const char *function, fg_strbuf *out,
                        fg_uses *uses);
/* The same with the loops at given counters, as the inside of a block; adds to uses. */
typedef struct fg_turn {
  const fg_kernel *k;
  int stage;
  const int64_t *counter; /* of the stage's loops, in order */
} fg_turn;
fg_status fg_emit_turn(fg_emitter *e, const fg_turn *turn, fg_strbuf *out, fg_uses *uses);
/* Comment and "static void name(...) {" */
typedef struct fg_function {
  const fg_kernel *k;
  const fg_stage *stage; /* NULL: of several */
  const char *name;
  bool part; /* takes part and parts */
} fg_function;
/* Digits that are loops around a stage's function: of the kernel, and those that it shares. Their number. */
int fg_function_digits(const fg_kernel *k, const fg_stage *s, int16_t digit[2 * FG_MAX_LOOPS]);
void fg_emit_function_head(const fg_emitter *e, const fg_function *f, const char *what, const fg_uses *uses,
                           fg_strbuf *out);
/* Digit names that clash with nothing: of the outer digits, then of a stage's. */
void fg_name_digits(const fg_emitter *e, const fg_kernel *k, const fg_stage *s, const char **digit, int64_t *value);
/* Type of a digit: the small one where nothing that it is part of grows large. */
const char *fg_digit_type(const fg_emitter *e, const fg_kernel *k, int digit);
/* Opens "for" lines for digits that are loops; declares those of blocks and threads. */
/* A loop over a digit, as text. */
typedef struct fg_text_loop {
  int digit;
  size_t at; /* of the text: where it begins */
  const char *counter, *end;
  int64_t first, step, turns; /* turns: 0: not known */
} fg_text_loop;

typedef struct fg_nest {
  const fg_emitter *e;
  const fg_kernel *k;
  const char *const *digit;
  fg_uses *uses;
  fg_strbuf *out;
  int indent;
  int depth;      /* open brackets */
  int part_digit; /* its loop runs from part to part + 1 of parts; -1: none */
  int nloop;      /* of these brackets, from outside, that are loops over digits, as text: */
  fg_text_loop loop[FG_MAX_DIGITS];
} fg_nest;
void fg_nest_loop(fg_nest *n, int digit, bool unroll);
void fg_nest_threads(fg_nest *n, int threads);                            /* a loop named "thread" */
void fg_nest_hardware(fg_nest *n, int digit, const char *id, bool whole); /* whole: no other digit lies above it */
void fg_nest_open(fg_nest *n, const char *text);                          /* a line that ends in a bracket */
/* Of loops over digits, if nothing else is open; 0: not known. */
int64_t fg_nest_turns(const fg_nest *n);
/* Instead of all brackets, whose text is cut away: one with the first turn's digits; loops of all others. */
void fg_nest_first_turn(fg_nest *n);
void fg_nest_other_turns(fg_nest *n);
void fg_nest_close(fg_nest *n);

/* ---- emit_bulk.c ----------------------------------------------------------- */
typedef struct fg_bulk_frame {
  const fg_emitter *e;
  const fg_kernel *k;
  fg_uses *uses; /* the kernel's: what lines mention is noted there */
} fg_bulk_frame;
/* Whether k's text has bulk copies; elsewhere they are stages like others. */
bool fg_bulk_is_wanted(const fg_emitter *e, const fg_kernel *k);
fg_status fg_bulk_check(const fg_emitter *e, const fg_kernel *k);
/* Whether they use a memory: then it is called NAME_room, and NAME is its part that holds a number's rows. */
bool fg_bulk_uses(const fg_emitter *e, const fg_kernel *k, int memory);
/* Where a block's memory begins behind `before` bytes, and what it takes; the door likewise. */
typedef struct fg_bulk_room {
  int64_t at, bytes;
} fg_bulk_room;
fg_bulk_room fg_bulk_place(const fg_emitter *e, const fg_kernel *k, int memory, int64_t before);
int64_t fg_bulk_door(const fg_emitter *e, int64_t before);
void fg_bulk_note(const fg_bulk_frame *f); /* what all lines together mention */
/* Lines: before the loop over a block's numbers, at the start of each turn, behind a stage, and in place of the last.
 */
const char *fg_bulk_open(const fg_bulk_frame *f, const char *door);
const char *fg_bulk_begin(const fg_bulk_frame *f);
const char *fg_bulk_after(const fg_bulk_frame *f, int stage);
const char *fg_bulk_leave(const fg_bulk_frame *f);

/* ---- emit_place.c ---------------------------------------------------------- */
fg_status fg_place_init(fg_writer *w, fg_place *p, const fg_access *a, char tag);
/* Numbers of a place and of what is behind it. */
int fg_place_numbers(const fg_place *p);
/* The one among them that has number *number of the codelet, which becomes its own. */
fg_place *fg_place_of(fg_place *p, int *number);
/* Some of them has rows of slots: all move at once. */
bool fg_place_has_rows(const fg_place *p);
/* Element offset of (slot, lane) from the base, where it is constant. */
bool fg_place_offset(const fg_writer *w, const fg_place *p, int slot, int lane, int64_t *out);
bool fg_affine_mentions(const fg_affine *a, int digit);
int64_t fg_inner_value(const fg_writer *w, int digit, int counter);
bool fg_place_is_inner(const fg_place *p, const fg_writer *w, int digit); /* slot or lane */
/* Padding, then blocks: how the address line is bent, and after how many elements; 0: it is straight. */
int64_t fg_place_bend(const fg_place *p, int64_t element);
int64_t fg_place_bend_every(const fg_place *p);
bool fg_place_bends_twice(const fg_place *p); /* padding, then blocks */
/* Bounds base % every, for the base without slot and lane; -1: may be negative or is not known at all. */
int64_t fg_place_residue_bound(const fg_writer *w, const fg_place *p, int64_t every);
/* The largest value of its address before it is bent. False: not known. */
bool fg_place_most(const fg_writer *w, const fg_place *p, int64_t *out);
bool fg_place_may_be_negative(const fg_writer *w, const fg_place *p, int slot, int lane);

/* ---- emit_address.c -------------------------------------------------------- */
/* Declares the base pointer of a direct place, once. */
void fg_place_open(fg_writer *w, fg_place *p);
/* Text of the real (part 0) or imaginary (1) number of element (slot, lane):
 * "px[6]"; declares what it needs. */
const char *fg_place_element(fg_writer *w, fg_place *p, int slot, int lane, int part);
/* Name of a variable that holds the number of element `slot` (scalar). */
const char *fg_place_index(fg_writer *w, fg_place *p, int slot);
/* Of an address that is reduced: what comes of that, and what is added to its rows, in
 * numbers. */
const char *fg_place_residue(fg_writer *w, fg_place *p, int slot);
const char *fg_place_behind(fg_writer *w, const fg_place *p, int slot);
/* The element (slot, lane) of a place that moves pairs: "*(const float2 *)(px + 6)". */
const char *fg_place_pair(fg_writer *w, fg_place *p, int slot, int lane);
typedef struct fg_spot { /* a real number of a direct place */
  int slot, lane;
  int64_t elements; /* that it lies behind (slot, lane) */
  int part;
} fg_spot;
const char *fg_place_pointer(fg_writer *w, fg_place *p, const fg_spot *spot); /* "px + 6" */
/* Which number of its buffer that is; false: not known before the call. */
bool fg_place_number(const fg_writer *w, const fg_place *p, const fg_spot *spot, int64_t *out);
/* The condition of (slot, lane): NULL always, "0" never, or a name. */
const char *fg_place_condition(fg_writer *w, fg_place *p, int slot, int lane);
const char *fg_pred_text(fg_writer *w, const fg_pred *pred, int npred, int slot_digit, int slot, int lane);

/* ---- emit_value.c ---------------------------------------------------------- */
/* Handles are expressions, or values of the emitter's coder (code.h). */
void fg_value_name(fg_writer *w, const char *type, const char *name, const char *value); /* from now on */
void fg_value_assign(fg_writer *w, const char *name, const char *value);                 /* declared before */
void fg_value_drop(fg_writer *w, const char *value);                                     /* nobody uses it */
void fg_value_if(fg_writer *w, const char *condition);
void fg_value_end(fg_writer *w);
const char *fg_value_op(fg_writer *w, fg_op op, int lanes, const fg_marks *operands); /* a, b, c */
const char *fg_value_number(fg_writer *w, double value, fg_gf image, int lanes);
const char *fg_value_zero(fg_writer *w);
const char *fg_value_splat(fg_writer *w, int lanes, const char *real);
const char *fg_value_make(fg_writer *w, int lanes, const char *const *item);
const char *fg_value_lane(fg_writer *w, int lanes, const char *vector, int lane);
const char *fg_value_shuffle(fg_writer *w, int lanes, const char *a, const char *b, const int *index);
const char *fg_value_swap(fg_writer *w, int lanes, const char *a); /* neighbours of the variable a exchanged */
const char *fg_value_alternate(fg_writer *w, int lanes, const char *a, const char *b); /* a - b, a + b, ... */
const char *fg_value_join(fg_writer *w, int lanes, const char *low, const char *high);
const char *fg_value_part(fg_writer *w, int lanes, const char *wide, int first);
const char *fg_value_piece(fg_writer *w, int lanes, const char *wide, int first); /* to be stored */
const char *fg_value_at(fg_writer *w, const char *element); /* what fg_place_element names, read */
const char *fg_value_at_if(fg_writer *w, const char *condition, const char *element); /* or 0 */
void fg_value_put(fg_writer *w, const char *element, const char *value);              /* the same, written */
const char *fg_value_load(fg_writer *w, int lanes, const char *pointer);
void fg_value_store(fg_writer *w, int lanes, bool stream, const char *pointer, const char *value);
void fg_value_fetch(fg_writer *w, const char *pointer, fg_fetch_how how); /* dialects with `fetch` */

/* ---- emit_part.c ----------------------------------------------------------- */
/* Whether kernels, or stages of one, may be shared out among threads. A text without functions for that, too, holds
 * what one with them does: the text that is proved has them. */
bool fg_part_is_possible(const fg_emitter *e);
bool fg_part_is_kernel(const fg_emitter *e, const fg_kernel *k); /* is cut at an outer loop */
bool fg_part_is_stage(const fg_emitter *e, const fg_stage *s);   /* is cut at a loop of its own */
bool fg_part_owns(const fg_emitter *e, int memory);              /* each part has this memory for itself */
int fg_part_steps(const fg_emitter *e);
typedef struct fg_part_text {
  const char *head; /* "void NAME_part(...)" */
  const char *call; /* of it, arguments from arrays */
} fg_part_text;
/* v has the list of pointers. */
fg_status fg_emit_part(fg_emitter *e, const fg_part_text *t, fg_values *v, fg_strbuf *out);

/* ---- emit_move.c ----------------------------------------------------------- */
void fg_load_all(fg_writer *w, fg_place *p);            /* moves that need all slots at once */
void fg_load_slot(fg_writer *w, fg_place *p, int slot); /* once */
void fg_store_slot(fg_writer *w, int element);          /* counted through a place and what is behind it */
void fg_store_all(fg_writer *w);
/* The order of lanes in the stage's vectors: any will do where all accesses can
 * follow; the one whose exchanges are cheapest. After all places are made. */
void fg_choose_lane_order(fg_writer *w);
const char *fg_loaded_name(const fg_writer *w, const fg_place *p, int number); /* "x3r"; real, or of pairs "x3" */
/* The natural order of lanes (label[b]: lane bit that bit b of a position is), or
 * that which deinterleaving by instructions within 16 bytes leaves. */
void fg_lane_order(const fg_writer *w, bool natural, int *label);

/* A vector with the last lane first; called so if that is not "". */
const char *fg_reversed(fg_writer *w, const char *value, const char *called); /* emit_run.c */

/* ---- emit_cluster.c -------------------------------------------------------- */
/* The dialect can do what the kernel's clusters want. */
fg_status fg_cluster_check(const fg_emitter *e, const fg_kernel *k);
/* Where what the cluster stores to a block is counted: behind the buffer that is
 * spread over it; NULL: the kernel has none. */
const char *fg_cluster_door(const fg_emitter *e, const fg_kernel *k);
/* Statements: at the kernel's start; behind the stage that ends an exchange, and before the next one (NULL: there is
 * none). NULL: no clusters. */
const char *fg_cluster_begin(const fg_emitter *e, const fg_kernel *k);
void fg_cluster_wait(const fg_emitter *e, const fg_kernel *k, int stage, const char **wait, const char **next);
/* An access to this block's own part: the block's number is not in the address. */
const fg_access *fg_cluster_own(const fg_writer *w, const fg_access *a);
bool fg_cluster_sends(const fg_writer *w, const fg_place *p); /* its stores go to blocks of the cluster */
void fg_cluster_send(fg_writer *w, fg_place *p, int slot);
/* Loads everything of this turn, and holds back what follows until it is there; arrives
 * at the cluster's barrier where there is one turn only. */
void fg_cluster_use(fg_writer *w);
bool fg_cluster_arrives_inside(const fg_writer *w);
/* Waits for the others' arrival; late: once what this stage computes is there. */
void fg_cluster_cross(fg_writer *w);

/* ---- emit_points.c --------------------------------------------------------- */
fg_status fg_points_prepare(fg_writer *w);             /* after places and pack */
void fg_points_note_needed(fg_writer *w);              /* after w->load.needed is known */
void fg_points_declare(fg_writer *w);                  /* what stands before the loops */
const char *fg_point_loaded(fg_writer *w, int number); /* input `number` of the codelet; loads what it needs */
void fg_points_finish(fg_writer *w, int slot);         /* w->value of the slot from w->result */
/* Numbers as memory has them. NULL: as they are computed with. */
const fg_storage_row *fg_storage_of(const fg_emitter *e, const fg_buffer *b);
const fg_storage_row *fg_place_row(const fg_writer *w, const fg_place *p); /* the same, whose functions are written */
const char *fg_number_type(const fg_emitter *e, const fg_buffer *b);
int fg_number_bytes(const fg_emitter *e, const fg_buffer *b);
const char *fg_place_read(fg_writer *w, fg_place *p, const char *element, const char *condition); /* NULL: always */
void fg_place_write(fg_writer *w, fg_place *p, const char *element, const char *value);
bool fg_place_pairs(const fg_emitter *e, const fg_buffer *b); /* pairs move at once */
bool fg_reads_ahead(const fg_emitter *e);                     /* pairs of the input bring their neighbours with them */
const fg_storage_row *fg_hold_row(const fg_writer *w);        /* what values may be held as; NULL: as they are */
const fg_storage_row *fg_come_row(const fg_writer *w); /* what all turns' loads may wait as; NULL: each loads its own */
const char *fg_pair_read(fg_writer *w, fg_place *p, const char *pointer);
void fg_pair_write(fg_writer *w, fg_place *p, const char *pointer, const char *value);
bool fg_place_vectors(const fg_emitter *e, const fg_buffer *b); /* they move as vectors */
const char *fg_vector_read(fg_writer *w, fg_place *p, const char *pointer, int lanes);
void fg_vector_write(fg_writer *w, fg_place *p, const char *pointer, int lanes, const char *value);
const char *
fg_points_flags(const fg_emitter *e); /* compiler flags: the instruction set's, and what follows from this */
/* Text before everything, and behind the vectors' types. */
const char *fg_points_preamble(const fg_emitter *e);
const char *fg_points_vectors(const fg_emitter *e);

/* ---- emit_pack.c ----------------------------------------------------------- */
typedef struct fg_pack fg_pack;
/* NULL: the stage does not ask for pairs, or cannot have them. After its places. */
fg_pack *fg_pack_create(fg_writer *w);
void fg_pack_write(fg_writer *w);                  /* the inside of the loops; w->value[slot] are pairs */
void fg_declare_constant(fg_writer *w, fg_node n); /* once; emit_stage.c */

/* How vectors of so many numbers are stored past the caches; NULL: not at all. */
const fg_stream_row *fg_stream_row_of(const fg_emitter *e, int lanes); /* emit_text.c */
/* How their neighbours change places; NULL: by a shuffle. */
const fg_swap_row *fg_swap_row_of(const fg_emitter *e, int lanes);

/* ---- emit_forward.c -------------------------------------------------------- */
typedef struct fg_forward fg_forward;
/* Vectors to and from memory, or the values that stand for it. The name of a join;
 * an expression for a part. */
const char *fg_vector_load(fg_writer *w, fg_place *p, const fg_spot *spot, int lanes);
void fg_vector_store(fg_writer *w, fg_place *p, const fg_spot *spot, int lanes, const char *value);
const char *fg_vector_join(fg_writer *w, int lanes, const char *low, const char *high, const char *called);
const char *fg_vector_part(fg_writer *w, int lanes, const char *wide, int first);
bool fg_place_is_tracked(const fg_writer *w, const fg_place *p); /* may be held */
bool fg_place_is_held(const fg_writer *w, const fg_place *p);
void fg_forward_spoil(const fg_writer *w, const fg_place *p); /* this buffer must be memory */
/* Decides what is held; after fg_memory_plan, whose places it may change. */
fg_status fg_forward_plan(fg_emitter *e);
fg_status fg_emit_joined(fg_emitter *e, int kernel, const char *function, fg_strbuf *out, fg_uses *uses);

/* ---- emit_run.c ------------------------------------------------------------ */
/* Vectors of pairs whose rows leave as parts: vectors of real and of imaginary ones in turns. */
static inline bool fg_leaves_as_parts(const fg_writer *w, const fg_place *p) {
  return w->pack && p->is_store && p->b->layout != FG_LAYOUT_INTERLEAVED;
}
/* Loads what is needed and not loaded; stores the writer's values. */
void fg_run_load(fg_writer *w, fg_place *p, const fg_run *r);
void fg_run_store(fg_writer *w, fg_place *p, const fg_run *r);
int fg_run_cost(const fg_writer *w, const fg_place *p, const fg_run *r,
                bool to_memory); /* as far as the order of lanes decides it */
/* Groups of slots that cover all, for rows apart; at most `slots` of them.
 * Groups of one number (slots * parts = 1) are no runs: they move lane by lane. */
int fg_run_cover(const fg_writer *w, const fg_place *p, int parts, fg_run *group);

/* What the stage loads and stores of one transform. */
int64_t fg_stage_bytes(const fg_writer *w);

/* ---- emit_early.c ---------------------------------------------------------- */
bool fg_early_is_wanted(const fg_writer *w); /* after the places */
/* Offsets in the text: where operations begin, where the last load has been, where stores begin. */
void fg_early_merge(fg_writer *w, size_t operations, size_t loaded, size_t stores);

/* ---- emit_balance.c -------------------------------------------------------- */
void fg_balance_begin(fg_writer *w); /* before the loops: declares what sums as products want */
/* How the next sum is written; m: its operands, as the operation that is told has them. */
fg_op fg_balance_sum(fg_writer *w, fg_op op, fg_marks *m);

/* ---- emit_order.c ---------------------------------------------------------- */
/* Writes the lines from an offset of the text on, a turn's, in another order, where that is wanted. */
void fg_order_turn(fg_writer *w, size_t from);

/* ---- emit_skew.c ----------------------------------------------------------- */
/* The turn's lines from here on, and the loops around it, which are written anew where that is worth it. */
void fg_skew_loops(fg_writer *w, fg_nest *n, size_t from);

/* ---- emit_fetch.c ---------------------------------------------------------- */
void fg_fetch_prepare(fg_writer *w); /* after the places */
fg_place *fg_fetch_place(fg_writer *w, const fg_place *p, int64_t step, char tag);
int64_t fg_fetch_step(const fg_writer *w, const fg_access *a, int digit);
bool fg_fetch_is_last(const fg_writer *w);
bool fg_fetch_tile(fg_writer *w); /* emit_fetch_tile.c; false: it fetches none */
void fg_fetch_open(fg_writer *w); /* base pointers; a turn's statements follow */
/* Brings near what lies at this spot of the other array, where that is wanted. */
void fg_fetch(fg_writer *w, const fg_place *p, const fg_spot *spot, int lanes);
void fg_fetch_spread(fg_writer *w); /* the turn's statements are written */

/* ---- emit_shuffle.c -------------------------------------------------------- */
typedef struct fg_net_step {
  int reg_bit;             /* pairs of registers differ in this bit */
  int source[FG_NET_BITS]; /* per lane bit: old lane bit, or -1: which of the pair */
  int leaving;             /* old lane bit that becomes the register bit */
} fg_net_step;
typedef enum fg_mirror { FG_MIRROR_NONE, FG_MIRROR_IN, FG_MIRROR_OUT } fg_mirror;
typedef struct fg_net { /* moves index bits between lane and register numbers */
  int lane_bits, reg_bits, nstep;
  int cost; /* of a pair of registers, over all steps */
  fg_net_step step[FG_NET_STEPS];
  int label[FG_NET_BITS]; /* per register bit, at the end */
  fg_mirror mirror;       /* what comes in, or goes out, has its last lane first; there are steps then */
} fg_net;
typedef struct fg_net_size {
  int real_bytes, lane_bits, reg_bits;
  bool one_source; /* permutations across 16-byte parts take numbers of one vector only */
  bool reads;      /* those of two keep stores waiting */
} fg_net_size;
/* start: labels of lane bits, then of register bits; target: of lane bits. */
void fg_net_plan(fg_net *net, const fg_net_size *size, const int *start, const int *target);
/* name[reg] in and out. wanted[reg]: what the result shall be called; "": any
 * name; NULL: not wanted, gets no text. */
void fg_net_write(fg_writer *w, const fg_net *net, const char **name, const char *const *wanted);

/* ---- emit_kernel.c --------------------------------------------------------- */
/* Stages and frame of a kernel; uses: memory and parameters that it takes. */
fg_status fg_emit_kernel(fg_emitter *e, int kernel, fg_strbuf *out, fg_uses *uses);
const char *fg_stage_symbol(const fg_emitter *e, int kernel, int stage);
const char *fg_kernel_symbol(const fg_emitter *e, int kernel);

/* ---- emit_code.c ----------------------------------------------------------- */
void fg_code_begin(fg_emitter *e); /* makes the coder; after fg_memory_plan */
fg_status fg_code_kernels(fg_emitter *e);
/* After the artifact has its places: their pointers, tables' contents, the listing. */
fg_status fg_code_finish(fg_emitter *e, fg_artifact *a, fg_strbuf *listing);

/* ---- emit_table.c ---------------------------------------------------------- */
fg_status fg_emit_static_tables(fg_emitter *e, fg_strbuf *out);
/* The name that a table has in the pool; put there when no equal one is. */
typedef struct fg_pool_table {
  const char *real, *what, *literals;
  int64_t reals;
  int real_bytes;
} fg_pool_table;
const char *fg_table_pool_add(fg_table_pool *pool, const fg_pool_table *table);
fg_status fg_emit_pool_tables(fg_emitter *e); /* before kernels: names them */
void fg_table_plan_init(fg_emitter *e);       /* sizes of the caller's table memory */
fg_status fg_emit_table_init(fg_emitter *e, fg_strbuf *out);

/* ---- emit_header.c --------------------------------------------------------- */
/* name, title and the facts of the head of every file. */
/* Operations of the longest piece of code without a branch. */
int64_t fg_emit_longest(const fg_program *p);
/* Whether the widest vectors of the machine, which are these, pass units half as wide; and change neighbours as words. */
bool fg_is_double_pumped(const fg_emitter *e);
bool fg_swaps_words(const fg_emitter *e);
void fg_emit_provenance(const fg_emitter *e, fg_values *v);
/* Sets the list "argument": what the arrays and parameters of a call are. */
void fg_emit_describe_arguments(const fg_emitter *e, fg_values *v);
typedef struct fg_header {
  const char *signature, *part_signature; /* of the public functions */
  const char *places;                     /* for people: "in, out, scratch" */
} fg_header;
fg_status fg_emit_header(fg_emitter *e, const fg_header *h, fg_strbuf *out);
fg_status fg_emit_manifest(fg_emitter *e, const fg_artifact *a, fg_strbuf *out);
fg_status fg_emit_self_test(fg_emitter *e, fg_strbuf *out);
/* Value of a run-time parameter where a test needs one. */
int64_t fg_emit_sample_param(const fg_emitter *e, int param);
/* Sets "compare": functions that make random numbers and compare with the
 * definition, and the sizes, layouts and names that they use. */
fg_status fg_emit_compare(const fg_emitter *e, fg_values *v);

/* ---- emit_host.c ----------------------------------------------------------- */
fg_status fg_emit_host(const fg_emitter *e, const fg_artifact *a, fg_strbuf *out);
#endif
