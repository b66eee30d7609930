/* A job as the engine runs it: once, or again on other arrays with the layout of the first ones. */
#ifndef FFTGEN_PYTHON_WORK_H
#define FFTGEN_PYTHON_WORK_H
#include "fftw/engine/engine.h"
#include "python/core/core.h"

typedef struct fg_py_work {
  const fg_py_job *job;
  PyArrayObject *out; /* a reference of the work's own */
  const fg_engine *engine;
  fg_engine_plan *plan; /* NULL: looked up by the problem */
  double factor;
  bool before, behind; /* an orthogonal transform scales inputs, results */
  int last;            /* axis of the last dimension; below 0: there is nothing to do */
  fg_engine_problem problem;
} fg_py_work;

/* The job stays as long as the work. False: with an exception, and no reference. */
bool fg_py_prepare(fg_py_work *w, const fg_py_job *j);
/* The same on other arrays; out: NULL, or the array of results. A new reference; NULL with an exception. */
PyObject *fg_py_rerun(const fg_py_work *w, PyArrayObject *x, PyArrayObject *out);
/* Whether the plan is there, or may be made: false with an exception (cold.h). */
bool fg_py_may_get(const fg_py_work *w);
/* Whether two arrays are one where a plan is in place, and share nothing where it is not. */
bool fg_py_lie_alike(PyArrayObject *x, PyArrayObject *out, bool in_place);

/* plan.c */
PyObject *fg_py_plan(PyObject *module, PyObject *args);
int fg_py_plan_ready(PyObject *module); /* makes the type; below 0 with an exception */
/* module.c: run's and plan's arguments. NULL, with an exception; or j. */
fg_py_job *fg_py_read_job(PyObject *args, fg_py_job *j);
#endif
