/* A library that test_load.c opens as a plugin and as a kernel: a plugin of another version, a kernel of two points.
 * DAMAGED: a plugin of another interface, a kernel without buffers. */
#include "runtime/include/fftgen/kernel.h"
#include "runtime/load/jit.h"

#ifdef DAMAGED
enum { ABI = FG_JIT_ABI + 1, BUFFERS = 0 };
#else
enum { ABI = FG_JIT_ABI, BUFFERS = 2 };
#endif

fg_jit_entry fftgen_jit;
const fg_jit *fftgen_jit(void) {
  static const fg_jit jit = {.abi = ABI, .version = "of long ago"};
  return &jit;
}

static void transform(void *const *places, const long long *params) {
  const float *in = places[0];
  float *out = places[1];
  (void)params;
  for (int i = 0; i < 2; i++) out[i] = in[i] + in[2 + i], out[2 + i] = in[i] - in[2 + i];
}

static const fftgen_buffer buffers[] = {{FFTGEN_BUFFER_IN, 0, 16, "in"}, {FFTGEN_BUFFER_OUT, 0, 16, "out"}};
extern const fftgen_kernel fftgen_kernel_here;
const fftgen_kernel fftgen_kernel_here = {.abi = FFTGEN_KERNEL_ABI,
                                          .nbuffer = BUFFERS,
                                          .problem = "c2c f32 n=2",
                                          .plan = "direct(2)",
                                          .isa = "",
                                          .features = "",
                                          .generator = "",
                                          .buffer = buffers,
                                          .entry = transform};
