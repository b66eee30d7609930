/* What a kernel is given and what it left, in one file: named arrays and named run-time parameters.
 * The programs that call kernels know nothing else of a problem. */
#ifndef CAMPAIGN_CASE_FILE_H
#define CAMPAIGN_CASE_FILE_H
#include <stdbool.h>
#include <stddef.h>

enum { MOST_ARRAYS = 24 };

typedef struct named {
  char name[32];    /* in, in_re, in_im, data, out, in_mul1 ...; of parameters: without p_ */
  long long amount; /* bytes of an array, value of a parameter */
  void *content;    /* of an array */
} named;

typedef struct case_file {
  int array_count, parameter_count;
  named arrays[MOST_ARRAYS], parameters[MOST_ARRAYS];
} case_file;

/* 0 or -1. Arrays that are read end where a page without access begins: one number too far is a signal. */
int case_read(case_file *f, const char *path);
int case_write(const case_file *f, const char *path);
void case_free(case_file *f);
void *case_array(const case_file *f, const char *name); /* NULL: none of that name */
long long case_parameter(const case_file *f, const char *name);
bool case_is_operand(const char *name); /* an array of the caller's besides input and output: spectrum, in_mul1 */
void *guarded(size_t bytes);            /* memory that ends so */
/* Of a process that runs a case: it ends after 60 s of processor time, as of a loaded machine, or 600 s; whether it
 * did. */
void case_limit(void);
bool case_hung(int status); /* as waitpid has it */
#endif
