/* Which code of a package a GPU runs. "sm_90": machine code for compute capability 9.0, which higher minor numbers
 * of the same major one run as well. PTX for one GPU serves every later one. A name with a letter ("sm_90a") serves
 * only that architecture. */
#ifndef FG_CUDA_CODE_H
#define FG_CUDA_CODE_H
#include "runtime/store/package.h"

/* Does a package that has code for `made` ("sm_80", "compute_80"; "": a source) serve `arch`? */
bool fg_cuda_code_serves(const char *made, const char *arch);
/* NULL, or why there is none. A source is compiled by libfftgen-jit, if it is there. */
const char *fg_cuda_code_find(fg_context *cx, const fg_package *p, const char *arch, const fg_package_code **out);
/* Machine code of a source, in cx's arena. NULL, or why not. */
const char *fg_cuda_code_translate(fg_context *cx, const fg_package_code *source, const char *arch,
                                   fg_package_code *out);
#endif
