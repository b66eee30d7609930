/* Pages of the proof's memory: for every cell its numbers in several systems, flags and records of accesses. */
#ifndef FG_PROVE_PAGE_H
#define FG_PROVE_PAGE_H
#include "generator/ir/walk.h"
#include "generator/math/quad.h"
#include <pthread.h>

enum { FG_PRIMES = 2, FG_PAGE = 256 /* reals */, FG_FAILURES = 64 /* problems counted before giving up */ };
#define FG_NOBODY UINT32_MAX /* no enumerators: those are ints */
#define FG_MANY (UINT32_MAX - 1)
#define FG_ENGINE (UINT32_MAX - 2) /* that of bulk copies, among threads */

enum fg_cell_flag {
  FG_CELL_KNOWN = 1, /* holds a value */
  FG_CELL_OWN = 2,   /* belongs to an element of the result */
  FG_CELL_TAKEN = 4, /* it was stored to */
};

typedef union fg_touch { /* who used a place in one epoch, or launch */
  struct {
    uint32_t writer, reader;
  };
  uint64_t both; /* all bits: no thread */
} fg_touch;

/* The notes about a page's places. Old ones are of no use: an epoch takes what the one
 * before it has left, and where it writes, cleans it group by group. */
enum { FG_GROUP = 16 };

typedef struct fg_notes fg_notes;

struct fg_notes {
  fg_notes *next, **owner;            /* owner: where a list has them */
  uint32_t epoch[FG_PAGE / FG_GROUP]; /* of threads: when each group was cleaned */
  fg_touch at[];
};

typedef struct fg_book { /* all notes of one kind */
  fg_notes *used, *idle;
} fg_book;

typedef struct fg_cluster_use { /* what the blocks of a cluster did to a place; 0: nothing */
  uint32_t used;                /* arrivals of the cluster's barrier before the last access, + 1 */
  uint32_t sent;                /* waits for data before the last store by the way of the cluster, + 1 */
} fg_cluster_use;

/* Places are reals. Pages are made when touched. */
typedef struct fg_page fg_page;

struct fg_page {
  fg_page *next;           /* in the list of free pages */
  uint32_t block;          /* LOCAL: the block whose values these are */
  fg_gf *value[FG_PRIMES]; /* NULL in a walk with reals */
  fg_quad *real;           /* NULL in a walk with primes */
  fg_cluster_use *cluster; /* LOCAL: NULL where blocks are alone */
  unsigned char flag[];
};

/* What all threads of a walk take their pages and notes of launches from. */
typedef struct fg_pool {
  pthread_mutex_t lock;
  fg_page *page;  /* idle ones, of FG_PAGE places */
  fg_book launch; /* notes */
} fg_pool;
#endif
