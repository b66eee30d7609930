/* Spellings of languages whose kernels are told by arguments what others ask functions for: the numbers of their thread
 * and block; and of those whose kernels' arguments are numbered. */
#ifndef FG_TARGETS_FORMS_ARGUMENTS_H
#define FG_TARGETS_FORMS_ARGUMENTS_H

/* In its texts: %v what is declared, %i its number among a kernel's arguments. */
typedef struct fg_arguments_form {
  const char *array;  /* a kernel's parameter that is an array: "%v [[buffer(%i)]]" */
  const char *number; /* one that is a run-time parameter, of type %b */
  const char *local;  /* one behind them: "%T *local", LOCAL memory, of which dialect.local_array takes its part; NULL:
                       * kernels declare it */
  const char *own;    /* the last ones: thread and block */
  const char *stage;  /* the last one of stages' functions: what dialect.thread_id and barriers mention */
  const char *given;  /* what kernels give for it */
  int most;           /* arguments of a kernel, at most; 0: any number */
} fg_arguments_form;
#endif
