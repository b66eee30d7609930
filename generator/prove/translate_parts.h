/* Inside translate: declarations that its files share. */
#ifndef FG_PROVE_TRANSLATE_PARTS_H
#define FG_PROVE_TRANSLATE_PARTS_H
#include "generator/base/strbuf.h"
#include "generator/math/quad.h"
#include "generator/prove/translate.h"

typedef enum fg_translate_kind {
  FG_C_VOID,
  FG_C_INDEX,  /* whole numbers; lanes: bytes; to: the same where they have no sign */
  FG_C_REAL,   /* numbers of any type in memory: elements of the field; lanes: bytes there, 0: unknown */
  FG_C_PAIR,   /* two numbers of 16 bits in one word */
  FG_C_VECTOR, /* of `lanes` numbers */
  FG_C_WORDS,  /* a vector's bits as words */
  FG_C_HALVES, /* a padded vector as two words, the upper one 0 */
  FG_C_POINTER /* to `to`; to pointers: to those to anything */
} fg_translate_kind;

typedef struct fg_translate_type {
  fg_translate_kind kind, to;
  int lanes; /* of `to` where it is a pointer */
} fg_translate_type;

typedef struct fg_translate_value {
  fg_translate_type type;
  const char *text;
  bool known; /* a whole number */
  int64_t number;
  const char *count; /* an array of so many elements; NULL: none, or it is not known */
} fg_translate_value;

typedef struct fg_translate_name {
  const char *text;
  size_t length;
  fg_translate_type type;
  bool is_type;      /* of a typedef */
  const char *each;  /* it is an array, of which this element is meant; NULL: it is not */
  const char *count; /* elements of an array that the text declares; NULL: it is none */
} fg_translate_name;

typedef struct fg_translate_constant {
  fg_quad exact;
  double size; /* by which they are sorted */
  fg_gf image;
} fg_translate_constant;

typedef struct fg_translate_list { /* of a shuffle */
  const int *at;
  int count, number;
  const struct fg_translate_list *next;
} fg_translate_list;

typedef struct fg_translator {
  fg_context *cx;
  const fg_program *p;
  const fg_program *launched; /* with its clusters and queues */
  const fg_artifact *c;
  const fg_dialect *dialect;
  const fg_field *field;
  const char *at, *end; /* what is left of the text */
  const char *spaced;   /* from here on nothing is to be skipped */
  const char *failure;
  fg_strbuf out, hoisted;  /* hoisted: to the begin of a function */
  uint64_t lanes;          /* sum of the widths that occur */
  fg_translate_name *name; /* a table */
  size_t mask, names;
  fg_translate_constant *constant;
  int nconstant;
  const fg_translate_list *list; /* all of them, the last one first */
  const char *name_at;           /* that was declared last */
  size_t name_length;
  bool contexts;                       /* each thread is a context of its own */
  bool has_entry;                      /* the text has the entries itself */
  int depth;                           /* of brackets in a function */
  int threads;                         /* of the block whose threads' loop is open; 0: none is */
  const char *wait, *function_end;     /* the next barrier of this function; NULL: none */
  bool told;                           /* this function has an argument that says which thread it is */
  bool waited;                         /* since the last call of a stage */
  struct fg_translate_word_uses *uses; /* of its words */
  bool is_scale;                       /* what is read now is the problem's factor */
  const char *like; /* the field's text, behind the constant that was read last; NULL: there is none */
  bool hinted;      /* what is read now is the constant with the image `hint`, if it is as near */
  fg_gf hint;
  const fg_text_map *map;
  bool asks;                        /* loops of this function do */
  int kernel, stage, next;          /* whose function it is; the stage behind the one that was called last */
  const char *digit[FG_MAX_DIGITS]; /* names of its loops */
  int64_t value[FG_MAX_DIGITS];
  fg_translation *translation;
} fg_translator;

bool fg_translate_matches(const fg_translator *t, const char *sign); /* whether it is the next token */
void fg_translate_enter_function(fg_translator *t, const char *word,
                                 size_t length);                               /* a function of this name begins */
bool fg_translate_is_stage(fg_translator *t, const char *word, size_t length); /* then it is in t->kernel, t->stage */
void fg_translate_loop_sample(fg_translator *t, const char *word,
                              size_t length);   /* behind the head of a loop, with its counter */
void fg_translate_stage_call(fg_translator *t); /* before a call */
fg_translate_value fg_translate_expression(fg_translator *t);
fg_translate_value fg_translate_list_item(fg_translator *t); /* an expression without commas */
fg_translate_value fg_translate_unary(fg_translator *t);     /* one without operators between values */
const char *fg_translate_convert(fg_translator *t, fg_translate_value x, fg_translate_type type);
#endif
