/* Inside contexts: threads, their waits, and mbarriers. */
#ifndef FG_PROVE_CONTEXTS_PARTS_H
#define FG_PROVE_CONTEXTS_PARTS_H
#include "generator/prove/contexts.h"
#include "generator/prove/guard.h"
#include "generator/prove/text.h"
#include "targets/forms/matrix.h"
#include <setjmp.h>

enum { FG_CONTEXT_MBARRIERS = 64, FG_CONTEXT_BLOCKS = 16, FG_CONTEXT_COPIERS = 32, FG_CONTEXT_ADDRESS = 16 };

typedef enum fg_waits {
  FG_WAITS_NOT,
  FG_WAITS_BLOCK,
  FG_WAITS_CLUSTER,
  FG_WAITS_MBARRIER,
  FG_WAITS_WARP,
  FG_WAITS_POLLING
} fg_waits;

typedef struct fg_mbarrier { /* bytes that are copied, and threads that arrive; a phase ends when none is missing */
  const fg_gf *at;           /* NULL: unused */
  int64_t missing;           /* bytes; below 0: they were copied before they were expected */
  int threads, arrived;      /* of each phase; in this one */
  int64_t phases, received;  /* that have ended, and after which the block has what others sent to it */
  const fg_gf *from;         /* a bulk copy on its way; NULL: none is */
  fg_gf *to;
  int64_t count, zeros; /* numbers of it, and zeros behind them */
} fg_mbarrier;

typedef struct fg_context_thread {
  sigjmp_buf at;
  int thread, slot; /* its block among those that run at the same time */
  bool made, ended, arrived;
  fg_waits waits;
  int64_t until;         /* what it waits for has happened as often */
  const fg_mbarrier *on; /* that it waits for */
  int64_t crossed;       /* barriers of the cluster that it has arrived at */
  int64_t gifts;         /* numbers that it has given to other lanes of its warp */
  fg_gf given[2];        /* the last two of them, */
  int given_to[2]; /* and the bits by which their lanes' numbers differ; of a product of matrices -1 - its shape */
  fg_gf fragment[2][FG_MATRIX_OPERANDS][8], sum[8]; /* what it gave to the last two products; what it got */
  void *fake;                                       /* what the address sanitizer keeps of its stack */
} fg_context_thread;

typedef struct fg_context_block {
  int arrived, alive;  /* threads */
  int64_t barriers;    /* that all have arrived at */
  int64_t taken;       /* what it has taken from a queue last */
  int fenced;          /* threads that have ordered their stores before a copy's, since then */
  bool ordered;        /* all had, at the last of these barriers */
  const fg_gf *leaves; /* a bulk copy that is not complete; NULL: none */
  fg_gf *sent;         /* its destination */
  int64_t leaving;     /* numbers */
} fg_context_block;

struct fg_contexts {
  fg_contexts_options o;
  const char *failure;
  sigjmp_buf home;
  const void *home_bottom; /* its stack, */
  size_t home_size;
  void *home_fake;
  fg_context_thread *all, *now;
  char *stacks;
  size_t stack, mapped; /* bytes of a stack with its guard page, and of all */
  fg_gf *shared;        /* of all blocks that run, between guards */
  fg_gf *coming;        /* what other blocks have sent there, which arrives when it is waited for */
  size_t shared_bytes;  /* of both, mapped */
  int64_t pitch;        /* numbers from a block's to the next one's */
  void (*kernel)(void);
  int threads, together, cluster;
  bool lacks_room;
  int ends;                 /* of batches; 0: all transforms */
  bool stay;                /* each block iterates over all numbers */
  int suspended;            /* the block that is not resumed now, of those that stay; -1: all do */
  int64_t crossings, steps; /* arrivals at the cluster's barrier; whatever has happened */
  fg_context_block block[FG_CONTEXT_BLOCKS];
  fg_mbarrier mbarrier[FG_CONTEXT_MBARRIERS];
  unsigned thread_number, block_number, blocks; /* what the translated text reads, as its language counts */
  int slot;
  fg_gf *local;
  int placed; /* 1 + the shape whose elements are in these places, rows and columns; 0: none */
  unsigned char place[FG_MATRIX_OPERANDS][FG_MATRIX_LANES][8][2];
  const fg_context_thread *product_of; /* first lane of the warp whose product this is, */
  int64_t product_number;              /* and which of its gifts */
  fg_gf product[16][16];
};

fg_contexts *fg_contexts_running(void);
void fg_contexts_fail(const char *what);                                     /* the first one counts; does not return */
void fg_contexts_give_way(void);                                             /* to other threads */
void fg_contexts_wait(fg_waits what, int64_t until, const fg_mbarrier *on);  /* returns when the condition holds */
bool fg_contexts_has_warp(const fg_contexts *m, const fg_context_thread *t); /* what FG_WAITS_WARP waits for */
/* A block has ended: what it must have waited for. NULL: nothing. */
const char *fg_contexts_left(const fg_contexts *m);
int fg_contexts_words(fg_tcc_symbol *symbol); /* functions that the text calls; how many */
#endif
