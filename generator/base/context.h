/* The context of every function of one compilation: the arena, and the diagnostic. */
#ifndef FG_CONTEXT_H
#define FG_CONTEXT_H
#include "generator/base/arena.h"
#include "generator/base/diag.h"
#include <stdbool.h>

struct fg_library;

/* Told now and then about long work: part of it that is done, 0 .. 1; 1: it is over. */
typedef struct fg_progress {
  void (*report)(void *self, const char *what, double part); /* NULL: no progress is reported */
  void *self;
} fg_progress;

/* Told of what went wrong and was passed over. */
typedef struct fg_listener {
  void (*report)(void *self, const char *what); /* NULL: no progress is reported */
  void *self;
} fg_listener;

typedef struct fg_context {
  fg_arena *arena;            /* everything made lives here */
  fg_diag diag;               /* the first failure */
  struct fg_library *library; /* codelets made so far; NULL: none yet */
  fg_progress progress;
  fg_listener note;
  size_t memory;    /* bytes that a proof may take; 0: what is free */
  bool effort_fast; /* the caller waits: a good plan soon is better than the best one late */
} fg_context;

/* A user's mistake: says what, where, and what is allowed; returns FG_EUSER. */
fg_status fg_refuse(fg_context *cx, const char *format, ...) __attribute__((format(printf, 2, 3)));
#endif
