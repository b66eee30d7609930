/* Memory: aligned for any vector; numbers of a plan's that one execution at a time uses. */
#ifndef FG_FFTW_BASE_MEMORY_H
#define FG_FFTW_BASE_MEMORY_H
#include "fftw/base/real.h"

void *fg_memory_get(size_t bytes); /* aligned to 64; NULL: there is none */
void fg_memory_free(void *memory); /* NULL does nothing */

/* Memory that executions borrow: the one of the last time, or new where several run at once. */
typedef struct fg_loan {
  size_t bytes;
  void *kept;
} fg_loan;

void *fg_loan_take(fg_loan *l); /* NULL: there is no memory, or bytes is 0 */
void fg_loan_return(fg_loan *l, void *memory);
void fg_loan_close(fg_loan *l);
#endif
