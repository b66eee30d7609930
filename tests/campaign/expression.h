/* Expressions of load= and store= as docs/problem.md describes them: read and evaluated without any code of the
 * generator. A number has a bound of what a correct program may be off. */
#ifndef CAMPAIGN_EXPRESSION_H
#define CAMPAIGN_EXPRESSION_H
#include "case_file.h"
#include "problem.h"

typedef struct measured {
  long double _Complex v;
  long double e; /* how far off it may be; infinite: nothing is known */
} measured;

typedef struct around { /* an element */
  const problem *p;
  const case_file *f;
  int side;
  measured x;
  long long transform;
  const long long *index; /* of the element, by dimension */
} around;

measured expression_value(const step *s, const around *at);
/* Whether an item of load= or store= is one; then its arrays are noted in s. */
bool expression_read(const char *text, size_t length, const problem *p, int side, step *s);
/* Numbers of an array of its. */
long long expression_count(const problem *p, int side, const step *s, const expression_array *a);
#endif
