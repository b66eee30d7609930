/* Plans of another library: of FFTW itself, where it is in the program, too. */
#ifndef FG_FFTW_API_FOREIGN_H
#define FG_FFTW_API_FOREIGN_H
#include "fftw/api/plan.h"

/* Of the library behind this one in the loader's order; NULL: there is none. */
void *fg_foreign_function(const char *name, void **found);
#define FG_FOREIGN_NONE "a plan of another library's, which is not to be found"

#define FG_FOREIGN_TEXT_OF(name) #name
#define FG_FOREIGN_TEXT(name) FG_FOREIGN_TEXT_OF(name)
/* `next` becomes the function of this name of that library. */
#define FG_FOREIGN_FIND(next, name)                                                                                    \
  static void *next##_found;                                                                                           \
  __typeof__(X(name)) *next;                                                                                           \
  *(void **)&next = fg_foreign_function(FG_FOREIGN_TEXT(X(name)), &next##_found)
/* Where the plan is not ours, the call is the next library's, and the function that contains this returns. */
#define FG_FOREIGN_FORWARD(plan, name, ...)                                                                            \
  do                                                                                                                   \
    if (!fg_plan_is_ours(plan)) {                                                                                      \
      FG_FOREIGN_FIND(next, name);                                                                                     \
      if (next)                                                                                                        \
        next(__VA_ARGS__);                                                                                             \
      else                                                                                                             \
        fg_plan_refuse(FG_FOREIGN_NONE);                                                                               \
      return;                                                                                                          \
    }                                                                                                                  \
  while (0)
/* The same of functions with a result. */
#define FG_FOREIGN_RETURN(plan, otherwise, name, ...)                                                                  \
  do                                                                                                                   \
    if (!fg_plan_is_ours(plan)) {                                                                                      \
      FG_FOREIGN_FIND(next, name);                                                                                     \
      if (!next) fg_plan_refuse(FG_FOREIGN_NONE);                                                                      \
      return next ? next(__VA_ARGS__) : (otherwise);                                                                   \
    }                                                                                                                  \
  while (0)
#endif
