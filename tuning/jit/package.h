/* Functions of runtime/load/jit.h for devices that launch kernels. */
#ifndef FG_JIT_PACKAGE_H
#define FG_JIT_PACKAGE_H
#include "runtime/load/jit.h"

fg_jit_status fg_jit_package(const fg_jit_order *order, fg_jit_bytes *out, fg_jit_result *result);
fg_jit_status fg_jit_proved(fg_jit_bytes *package, fg_jit_result *result);
fg_jit_status fg_jit_compile(const fg_jit_source *source, fg_jit_bytes *out, fg_jit_result *result);
void fg_jit_release(fg_jit_bytes *bytes);
#endif
