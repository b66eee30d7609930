/* The program `fftgen` with a fault: a candidate that fails its proof has no other to give way to, so that what becomes
 * of the mutant is seen. The rest is the door as it is. */
#include "tests/mutant/wrap.h"

bool __wrap_fg_pipeline_give_way(fg_compilation *c, fg_status status) {
  (void)c, (void)status;
  return false;
}

fg_status __wrap_fg_emit(fg_context *cx, const fg_program *p, const fg_emit_options *options, fg_emitted *out) {
  return __real_fg_emit(cx, p, options, out);
}
