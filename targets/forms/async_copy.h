/* Spellings of bulk copies, in persistent blocks. */
#ifndef FG_TARGETS_FORMS_ASYNC_COPY_H
#define FG_TARGETS_FORMS_ASYNC_COPY_H

/* Persistent blocks; an engine copies between arrays and their shared memory. In its texts: %v an array, %p
 * shared memory, align_bytes larger than the copy, %a the number of a tile, %b reals of a tile, %c reals in all,
 * %i the type of addresses. */
typedef struct fg_bulk_form {
  const char *preamble, *copies;  /* functions that the texts below call, in two parts */
  const char *blocks, *given;     /* parameter: how many blocks there are; what a kernel gives for it */
  const char *mbarrier;           /* declaration, at %p: the barrier that counts bytes of loads */
  const char *open, *close;       /* statements at the kernel's start and end */
  const char *one, *some, *all;   /* declarations, which tiles a block takes: one; %b; those of all %a */
  const char *loop;               /* line that opens a loop over some or all of them */
  const char *loop_of_two;        /* the same of two copies in turn, whose phases are 0 and 1 */
  const char *first, *next;       /* the first tile, the next one */
  const char *if_first, *if_next; /* "if (there is one) " */
  const char *iteration;          /* the tile */
  const char *fetch;              /* statement: begins to copy tile %a of %v to %p */
  const char *ask_function, *ask; /* statement: asks L2 for %b reals at %v; the function that it calls */
  const char *phase, *wait;       /* its phase; statement: waits for the copy of phase %i */
  const char *place;              /* expression: where tile %a begins in %v */
  const char *destination;        /* expression: where in %p begins what begins at %v, loaded or stored */
  const char *zero;    /* declaration of an offset 0 that compilers do not know: loads of tables stay in the loop */
  const char *fence;   /* statement before a barrier, after which the engine may use memory */
  const char *store;   /* statement: begins to copy tile %a of %v from %p */
  const char *drained; /* statement: waits until stores have read shared memory */
  int align_bytes, mbarrier_bytes; /* memory that it uses begins at such multiples; what the mbarrier takes */
} fg_bulk_form;
#endif
