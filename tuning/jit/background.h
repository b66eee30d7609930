/* Proofs under way: of a program, and of its text, each in a thread of its own while code is made of them. */
#ifndef FG_JIT_BACKGROUND_H
#define FG_JIT_BACKGROUND_H
#include "generator/pipeline/pipeline.h"
#include <pthread.h>

typedef struct fg_background_proof { /* of a compilation that does not change any more */
  fg_context cx;                     /* memory of its own */
  fg_compilation c;                  /* its view */
  fg_status status;
  pthread_t thread;
  bool begun, has_thread;
} fg_background_proof;

typedef struct fg_background {
  fg_context made; /* memory of the program, and of what is made of it */
  fg_background_proof program, text;
  struct fg_library *library; /* of its codelets, which are there for the next one */
  bool assembled;             /* what is handed out is assembly: the proof of the text must come to the same */
} fg_background;

fg_background *fg_background_create(void);    /* NULL: out of memory */
void fg_background_destroy(fg_background *b); /* waits; NULL allowed */
/* c: through fg_pipeline_decide. The request may be freed before the proof ends. */
void fg_background_prove_program(fg_background *b, const fg_compilation *c);
/* c: through fg_pipeline_emit. */
void fg_background_prove_text(fg_background *b, const fg_compilation *c);
/* Waits for those that have begun. Not FG_OK: *why has the message of the first that failed. */
fg_status fg_background_end(fg_background *b, const fg_context **why);
#endif
