/* How a language spells clusters: blocks that store into each other's memory. */
#ifndef FG_TARGETS_FORMS_CLUSTER_H
#define FG_TARGETS_FORMS_CLUSTER_H

/* Blocks that store into each other's memory. In its texts: %v names, %p pointers
 * into this block's part, %i the number of a block, %a and %b numbers. */
typedef struct fg_cluster_form {
  int most;              /* blocks of a cluster */
  const char *attribute; /* of a kernel with clusters of %i blocks */
  const char *preamble;  /* functions that the texts below call */
  const char *open;      /* statement at the kernel's start: the mbarrier behind %p lets %i bytes in */
  const char *again;     /* statement behind a wait: that mbarrier lets %i bytes more in */
  const char *peer;      /* expression of type `address`: what %p is in block %i */
  const char *address;
  const char *bits; /* expression of an unsigned number: bits of the number %v; joined by ^ for `use` */
  const char *use;  /* statement: holds back what follows until %v is known */
  const char
      *settle; /* the same, and compilers move nothing across it; %p: the mbarrier, behind which a word is spare */
  const char *arrive; /* statement: this block's memory may be stored to */
  const char *cross;  /* statement: waits until all others' may */
  const char *send;   /* statement: the numbers %a and %b go to the address %p; %i: the address of the mbarrier there */
  const char *wait;   /* statement: until all is there that the mbarrier behind %p lets in; %i: 0 and 1 in turns */
  int mbarrier_bytes; /* of memory, behind what is stored to */
} fg_cluster_form;
#endif
