/* Plans for GPUs that are kept, by all that tells calls apart. */
#ifndef FFTGEN_PYTHON_GPU_CACHE_H
#define FFTGEN_PYTHON_GPU_CACHE_H
#include "python/core/gpu_plan.h"

enum { FG_PY_KEY_HEAD = 12, FG_PY_KEY = FG_PY_KEY_HEAD + 5 * FG_PY_AXES };
typedef struct fg_py_gpu_key {
  int words;
  int64_t word[FG_PY_KEY];
} fg_py_gpu_key;
/* False: these arrays cannot be given to one plan: out overlaps x in part, is another library's or on another device.
 */
bool fg_py_gpu_key_of(const fg_py_job *j, const fg_py_gpu_array *x, const fg_py_gpu_array *out, fg_py_gpu_key *k);
fg_py_gpu_plan *fg_py_gpu_cache_find(const fg_py_gpu_key *k); /* a new reference; NULL: none */
bool fg_py_gpu_cache_add(const fg_py_gpu_key *k, fg_py_gpu_plan *p);
void fg_py_gpu_cache_limit(int64_t plans); /* as an engine's */
PyObject *fg_py_gpu_cache_counts(void);
#endif
