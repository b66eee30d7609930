/* Inside retell: declarations that its files share. */
#ifndef FG_RETELL_PARTS_H
#define FG_RETELL_PARTS_H
#include "generator/base/strbuf.h"
#include "generator/math/quad.h"
#include "generator/prove/retell.h"

typedef enum fg_retell_kind {
  FG_TELL_VOID,
  FG_TELL_INDEX,  /* whole numbers; lanes: bytes; to: the same where they have no sign */
  FG_TELL_REAL,   /* numbers of any type in memory: elements of the field; lanes: bytes there, 0: unknown */
  FG_TELL_PAIR,   /* two numbers of 16 bits in one word */
  FG_TELL_VECTOR, /* of `lanes` numbers */
  FG_TELL_WORDS,  /* a vector's bits as words */
  FG_TELL_HALVES, /* a padded vector as two words, the upper one 0 */
  FG_TELL_POINTER /* to `to`; to pointers: to those to anything */
} fg_retell_kind;

typedef struct fg_retell_type {
  fg_retell_kind kind, to;
  int lanes; /* of `to` where it is a pointer */
} fg_retell_type;

typedef struct fg_retell_value {
  fg_retell_type type;
  const char *text;
  bool known; /* a whole number */
  int64_t number;
} fg_retell_value;

typedef struct fg_retell_name {
  const char *text;
  size_t length;
  fg_retell_type type;
  bool is_type;     /* of a typedef */
  const char *each; /* it is an array, of which this element is meant; NULL: it is not */
} fg_retell_name;

typedef struct fg_retell_constant {
  fg_quad exact;
  double size; /* by which they are sorted */
  fg_gf image;
} fg_retell_constant;

typedef struct fg_teller {
  fg_context *cx;
  const fg_program *p;
  const fg_program *launched; /* with its clusters and queues */
  const fg_artifact *c;
  const fg_dialect *dialect;
  const fg_field *field;
  const char *at, *end; /* what is left of the text */
  const char *spaced;   /* from here on nothing is to be skipped */
  const char *failure;
  fg_strbuf out, hoisted; /* hoisted: to the begin of a function */
  uint64_t lanes;         /* sum of the widths that occur */
  fg_retell_name *name;   /* a table */
  size_t mask, names;
  fg_retell_constant *constant;
  int nconstant;
  const char *name_at; /* that was declared last */
  size_t name_length;
  bool contexts;                   /* each thread is a context of its own */
  bool has_entry;                  /* the text has the entries itself */
  int depth;                       /* of brackets in a function */
  int threads;                     /* of the block whose threads' loop is open; 0: none is */
  const char *wait, *function_end; /* the barrier that comes next in this function; NULL: none */
  bool waited;                     /* since the last call of a stage */
  struct fg_retell_uses *uses;     /* of its words */
  bool is_scale;                   /* what is read now is the problem's factor */
  const char *like;                /* the field's text, behind the constant that was read last; NULL: there is none */
  bool hinted;                     /* what is read now is the constant with the image `hint`, if it is as near */
  fg_gf hint;
  const fg_text_map *map;
  bool asks;                        /* loops of this function do */
  int kernel, stage, next;          /* whose function it is; the stage behind the one that was called last */
  const char *digit[FG_MAX_DIGITS]; /* names of its loops */
  int64_t value[FG_MAX_DIGITS];
  fg_retold *told;
} fg_teller;

bool fg_retell_reads(const fg_teller *t, const char *sign);             /* whether it stands here */
void fg_retell_enters(fg_teller *t, const char *word, size_t length);   /* a function of this name begins */
bool fg_retell_is_stage(fg_teller *t, const char *word, size_t length); /* then it is in t->kernel, t->stage */
void fg_retell_asks(fg_teller *t, const char *word, size_t length); /* behind the head of a loop, with its counter */
void fg_retell_calls(fg_teller *t);                                 /* before a call */
fg_retell_value fg_retell_expression(fg_teller *t);
fg_retell_value fg_retell_list_item(fg_teller *t); /* an expression without commas */
fg_retell_value fg_retell_unary(fg_teller *t);     /* one without operators between values */
const char *fg_retell_as(fg_teller *t, fg_retell_value x, fg_retell_type type);
#endif
