/* How a language spells copies by an engine, in blocks that stay. */
#ifndef FG_TARGETS_FORMS_ASYNC_COPY_H
#define FG_TARGETS_FORMS_ASYNC_COPY_H

/* Blocks that stay, and whose engine copies between arrays and their memory. In its texts: %v an array, %p
 * memory of the block's, with room for align_bytes more than is copied, %a a block's number, %b how many reals
 * belong to one, %c reals in all, %i the type of addresses. */
typedef struct fg_bulk_form {
  const char *preamble;            /* functions that the texts below call */
  const char *blocks, *given;      /* parameter: how many blocks there are; what a kernel gives for it */
  const char *mbarrier;            /* declaration, at %p: what is counted there that comes */
  const char *open, *close;        /* statements at the kernel's start and end */
  const char *one, *some, *all;    /* declarations: the block's numbers: its own; %b of them; those of all, %a */
  const char *loop;                /* line that opens a loop over some or all of them */
  const char *first, *next;        /* the first number, the next one */
  const char *if_first, *if_next;  /* "if (there is one) " */
  const char *iteration;           /* the present number */
  const char *fetch;               /* statement: what belongs to number %a of %v begins to come into %p */
  const char *wait;                /* statement: until that is there */
  const char *destination;         /* expression: where in %p it is; likewise of what leaves */
  const char *here;                /* declaration of an offset 0 to tables: compilers keep their loads in the loop */
  const char *fence;               /* statement before a barrier, after which the engine may use memory */
  const char *leave;               /* statement: what belongs to number %a of %v begins to leave %p */
  const char *drained;             /* statement: until all that leaves has been read */
  int align_bytes, mbarrier_bytes; /* memory that it uses begins at such multiples; what the mbarrier takes */
} fg_bulk_form;
#endif
