/* The state of a stage while it is recorded: its accesses and values. */
#ifndef FG_LOWER_WRITER_H
#define FG_LOWER_WRITER_H
#include "generator/codelet/schedule.h"
#include "generator/text/emitter.h"

enum { FG_NET_BITS = 8, FG_NET_STEPS = 8 }; /* shuffle_network.c */
enum { FG_MAX_LANES = 64 };
typedef struct fg_access_plan fg_access_plan;

struct fg_access_plan { /* an access */
  const fg_access *a;
  const fg_buffer *b;
  int memory; /* its root */
  char tag;   /* x loads, w twiddles, y stores, u and z continuations of x and y: in names */
  bool is_store;
  int slots;    /* elements of one instance */
  int parts;    /* numbers of an element: 2 complex, 1 real */
  int scale;    /* reals from an element to the next, in one pointer */
  int im_add;   /* from a real part to its imaginary part, in one pointer */
  bool direct;  /* base pointer plus constants (or run-time strides) */
  bool by_lane; /* a base pointer for each lane's row, where padding may separate any rows */
  bool pair;    /* both parts move at once */
  bool open;    /* its pointer is declared */
  fg_move move; /* how it is done here */
  bool apart;   /* TRANSPOSE: rows are not end to end; GATHER: lanes' pairs move at once */
  int npred;    /* the access's, and the stage's where they depend on lanes, or on loops with `together` */
  fg_pred pred[2 * FG_MAX_PREDS];
  bool *declared;       /* [slots * lanes]: index variables */
  bool *ok_declared;    /* [slots * lanes]: conditions */
  bool *needed;         /* [parts * slots]: loads that are used */
  bool *loaded;         /* [slots] */
  int first;            /* number of the codelet's that its first slot begins with */
  int64_t whole;        /* stores to a cluster: blocks before the one that the pointer's offset is in */
  fg_access_plan *rest; /* of the access behind it; NULL: none */
};

typedef struct fg_run { /* numbers that are exchanged together */
  int first, slots;     /* elements; first: of an element that is moved alone */
  int parts;            /* numbers of an element in the run: 2 interleaved, else 1 */
  int part;             /* parts = 1: which */
  bool apart;           /* the rows of lanes are not end to end; slots: a power of two */
} fg_run;

typedef struct fg_operation_side {            /* operations on loaded elements, or on results */
  const fg_operations *operations;            /* NULL: none */
  int parts, slots;                           /* of elements before them */
  int needs;                                  /* bits: parts of these that any operation needs; of results */
  fg_access_plan *operand[FG_MAX_OPERATIONS]; /* NULL: none */
  const char **memo;                          /* values, by operation, slot and part */
  const char ***term;                         /* terms' values, by the same and their number */
} fg_operation_side;

typedef struct fg_even_choice { /* `take` of every `of` things in a row */
  int64_t of, take, left;
} fg_even_choice;

typedef struct fg_writer { /* one stage */
  fg_emitter *e;
  fg_arena *arena;
  const fg_kernel *k;
  const fg_stage *stage;
  fg_section section;        /* that it is in */
  const fg_codelet *codelet; /* NULL: a copy */
  const fg_schedule *schedule;
  int lanes;
  int width;                       /* numbers of a vector: lanes, or twice as many where it holds pairs; 1: scalar */
  struct fg_complex_vectors *pack; /* NULL: a vector holds one part of its lanes' numbers */
  int lane_label[FG_NET_BITS];     /* lane bit that bit i of a vector's positions is */
  const char *type;                /* of values */
  fg_uses uses;
  const char *digit[FG_MAX_DIGITS];   /* names; NULL: constants */
  int64_t digit_value[FG_MAX_DIGITS]; /* of the constant ones */
  fg_access_plan load, store, twiddle, more;
  fg_access_plan *fetch[3]; /* what is brought near beside loads, beside stores, beside those behind; NULL: nothing */
  fg_prefetch_how fetch_how[3];
  int fetch_lines[3]; /* of an array from end to end, so many an iteration; 0: the elements at the address that is moved
                       */
  int fetch_rows[3];  /* of so many lines each, and elements from one to the next; 0: there is one */
  int64_t fetch_pitch[3];
  int fetch_count[3];    /* vectors of lines that they share */
  bool fetches_spectrum; /* of the three the last two are the factors of the caller's, in place of what is stored */
  int fetch_most[3];     /* lines of an iteration, at most; 0: all of them */
  int fetched[3];        /* of those, so far */
  int32_t *fetches;      /* instructions that do it, put aside */
  int nfetch, most_fetch;
  int32_t begun;        /* the position where the stage begins */
  int32_t fetch_from;   /* the position from which on they are put among the statements */
  int32_t pointers_end; /* the last statement of the iteration's base pointers; -1: they do not vary */
  const char **factor;  /* [2 * factors]: names of those that are products */
  const char **doubled; /* likewise: of twice those */
  const char **node;    /* names of the codelet's values */
  const char **result;  /* [nout] of the codelet */
  int results;          /* numbers of them */
  const char **value;   /* [parts * slots] what is stored */
  fg_operation_side before, after;
  double *number; /* of expressions, that are no whole ones */
  int nnumber;
  bool hold;                      /* values pass a barrier in an array, */
  const fg_storage_row *hold_row; /* NULL, or two by two in words, as memory will have them */
  const fg_storage_row *come_row; /* NULL, or all iterations' numbers are loaded first, as such words, into an array */
  const fg_storage_row *word_row; /* NULL, or a copy's numbers pass two by two in words, as memory has them */
  bool together;                  /* loads of all iterations are issued together: no branch around any of them */
  int64_t hold_iterations;        /* of the loops around: rows of these arrays; -1: not known */
  fg_even_choice sums;            /* of an iteration, written as products by one */
  int nvalue, nshuffle;           /* for names */
  uint64_t peers;                 /* blocks of the cluster whose addresses are declared */
  uint64_t peers_behind;          /* the same of the stores' second law */
} fg_writer;

typedef struct fg_complex_vectors fg_complex_vectors;
typedef struct fg_forward fg_forward;
#endif
