/* Expressions of load= and store=: what an element becomes, as a list of real operations.
 *
 * Operations with names have their expressions in operations.def; users write others: "x*gain[k]+0.5". Both become the
 * same list, which the text, the proof and the costs read. */
#ifndef FG_PROBLEM_EXPRESSION_H
#define FG_PROBLEM_EXPRESSION_H
#include "generator/problem/operations.h"
#include "targets/forms/spell.h"

/* Functions that dialects spell are those behind NUMBER, but for the four that codelets have, too. */
typedef enum fg_expression_op {
  FG_TERM_ELEMENT, /* part `part` of the element */
  FG_TERM_OPERAND, /* part `part` of operand a */
  FG_TERM_NUMBER,  /* `number` */
  FG_TERM_NEG,
  FG_TERM_ADD,
  FG_TERM_SUB,
  FG_TERM_MUL,
  FG_TERM_CALL, /* function `call` of a, and of b where it takes two */
} fg_expression_op;

typedef struct fg_expression_term {
  fg_expression_op op;
  fg_called call;
  int part;
  int a, b; /* earlier terms */
  double number;
} fg_expression_term;

/* What an operand's numbers belong to. */
typedef enum fg_operand_of {
  FG_OPERAND_ONE,       /* a[]: nothing: one number */
  FG_OPERAND_ELEMENTS,  /* a[k] */
  FG_OPERAND_DIMENSION, /* a[k1] */
} fg_operand_of;

typedef struct fg_expression_operand {
  char name[FG_NAME_SIZE]; /* of the caller's array; "": an index as a number */
  bool complex;
  fg_operand_of of;
  int dimension;    /* DIMENSION */
  fg_spectra whose; /* a[b,k]: EACH */
} fg_expression_operand;

enum {
  FG_MAX_EXPRESSION_TERMS = 96,
  FG_MAX_OPERANDS = 8,
  FG_MOST_NUMBERED = 1 << 20 /* transforms, where b is a number */
};

typedef struct fg_expression {
  int count;
  fg_expression_term term[FG_MAX_EXPRESSION_TERMS];
  int result[2]; /* terms; [1] -1: the result is real */
  int noperand;
  fg_expression_operand operand[FG_MAX_OPERANDS];
} fg_expression;

/* What is wrong, where, and what is allowed there. */
typedef struct fg_expression_fault {
  const char *at, *what, *allowed;
} fg_expression_fault;

typedef struct fg_expression_scope {
  fg_arena *arena;      /* of messages */
  bool output;          /* store=, whose indices are k, k0, ...; of load= j, j0, ... */
  bool complex;         /* x is */
  bool must_be_complex; /* a real result is one without imaginary part */
  int rank;
  const fg_problem *p; /* lengths of dimensions */
} fg_expression_scope;

fg_expression_scope fg_expression_scope_of(fg_arena *a, const fg_problem *p, bool output, bool complex);
/* FG_EUSER with a fault. */
fg_status fg_expression_read(const fg_expression_scope *scope, const char *text, size_t length, fg_expression *out,
                             fg_expression_fault *fault);
/* Of an operation with a name: x as said; what it takes is operand 0. */
void fg_expression_of_row(const fg_operation_row *row, bool complex, fg_expression *out);
/* Of operation `number` of a side, whose elements are complex or not before it. */
void fg_expression_of(const fg_problem *p, bool output, int number, bool complex, fg_expression *out);
/* Whether the result is zero where the element is, whatever finite numbers the operands are. */
bool fg_expression_keeps_zero(const fg_expression *e);
/* Parts of the element (bits) that parts `wanted` of the result need; and those of operands, added to `operand`. */
int fg_expression_needs(const fg_expression *e, int wanted, int *operand);
/* A number that no codelet has, nor every text: no whole one. */
bool fg_expression_is_constant(const fg_expression_term *t);
int fg_expression_operands(const fg_expression_term *t);
/* Whether a name in front of a bracket is a function's; or x, an index or a constant. */
bool fg_expression_has_function(const char *name, size_t length);
bool fg_expression_has_name(const char *name, size_t length);
#endif
