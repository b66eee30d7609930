/* The delivered C text, translated to a prime field: the same statements in the same order, with fg_add and others
 * in place of floating point, and structs in place of vectors. */
#ifndef FG_PROVE_TRANSLATE_H
#define FG_PROVE_TRANSLATE_H
#include "generator/text/options.h"
#include "targets/code.h"

typedef struct fg_translation {
  const char *source;  /* defines what an artifact's source does, NAME_entry too */
  const char *failure; /* what is not translated, in words; NULL: all is */
  int ntable;          /* arrays of the text that hold tables; the translated text only declares them */
  const char *table[FG_MAX_BUFFERS];
  const char *filling; /* what of the text is not translated: the functions that fill tables */
  int64_t literals;    /* constants that were read */
  bool is_ambiguous;   /* one of them is as near to another of the program's, and nothing says which it is */
  bool contexts;       /* its threads are contexts of their own (contexts.h) */
  int64_t shared;      /* of kernels that are launched: numbers in memory that a block's threads share, fg_shared[], */
  int shared_bytes;    /* of the shortest of these in the text, */
  int64_t local[FG_MAX_BUFFERS]; /* and where each buffer of such memory begins there; -1: it is not used */
} fg_translation;

typedef struct fg_translate_request { /* what is translated, and over which field */
  const fg_program *p;
  const fg_artifact *c;
  const fg_field *field;
  const fg_text_map *map;  /* loops ask which iterations they are to leave out, as those of the field's dialect; NULL:
                            * they do all */
  const fg_artifact *like; /* the same program through the field's dialect, whose constants are in the same order: says
                            * which one a number is where two are as near; NULL: unknown */
  const fg_program *launched; /* with its clusters and queues */
} fg_translate_request;

/* Whether its blocks communicate, or have barriers in loops: then it is run as a whole or not at all. */
bool fg_translate_needs_contexts(const fg_program *p, const fg_artifact *c);
/* Whether it can be translated: kernels that are launched may have words that are unknown. */
bool fg_translate_is_possible(const fg_program *p, const fg_artifact *c);

typedef struct fg_sections { /* of an artifact's source, from where they begin */
  const char *filling;       /* functions that fill tables; none where this is `entries` */
  const char *entries;       /* uniform entries, which follow those */
  const char *end;           /* what is not translated: a self-test */
} fg_sections;
void fg_translate_sections(fg_context *cx, const fg_artifact *c, fg_sections *out);

fg_status fg_translate(fg_context *cx, const fg_translate_request *of, fg_translation *out);
/* The same of an artifact of instructions: `out` says what fails, the list is new. */
fg_status fg_translate_instructions(fg_context *cx, const fg_translate_request *of, fg_translation *out,
                                    const fg_instructions **list);
#endif
