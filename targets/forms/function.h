/* Spellings of a kernel's code as a function, and of its launch. */
#ifndef FG_TARGETS_FORMS_FUNCTION_H
#define FG_TARGETS_FORMS_FUNCTION_H

/* A kernel's code as a function that other kernels can call, with the number of
 * the block and its LOCAL memory as arguments. */
typedef struct fg_function_form {
  const char *suffix;                    /* of its name */
  const char *qualifier;                 /* "static __device__ void" */
  const char *block;                     /* parameter: number of the block; dialect.block_id names it */
  const char *local;                     /* parameter: LOCAL memory; dialect.local_array takes its part */
  const char *given_block, *given_local; /* what a kernel gives for them */
  const char *declare_local;             /* in a kernel: LOCAL memory whose size the launch says */
} fg_function_form;

/* What a launcher's template calls NAME, in this API's words. */
typedef struct fg_host_word {
  const char *name, *text; /* NULL name: the end */
} fg_host_word;
#endif
