/* A libfftgen-jit whose packages look good and are then found to be wrong: what the
 * runtime must not run, nor keep. */
#include "runtime/load/jit.h"
#include "runtime/version.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char text[] =
    "{\"fftgen_package\":1,\"target\":\"cuda\",\"problem\":\"c2c f32 n=16\",\"plan\":\"wrong\",\"generator\":\"\","
    "\"compiler\":\"\",\"name\":\"k\",\"flags\":\"\",\"params\":0,\"flops\":1,\"bytes\":1}\n"
    "{\"buffer\":\"in\",\"kind\":\"in\",\"split\":false,\"bytes\":128}\n"
    "{\"buffer\":\"out\",\"kind\":\"out\",\"split\":false,\"bytes\":128}\n"
    "{\"launch\":\"k\",\"threads\":1,\"local_bytes\":0,\"blocks\":\"\",\"arguments\":\"b0 b1\"}\n"
    "{\"code\":\"source\",\"for\":\"\",\"bytes\":1}\n\n";

static fg_jit_status build(const fg_jit_request *request, fg_jit_result *result) {
  (void)request;
  snprintf(result->message, sizeof result->message, "not this one");
  return FG_JIT_REFUSED;
}

static char second; /* marks a package that was proved before */

static fg_jit_status package(const fg_jit_order *order, fg_jit_bytes *out, fg_jit_result *result) {
  size_t head = sizeof text - 1, at = (head + 63) / 64 * 64;
  (void)result;
  *out = (fg_jit_bytes){calloc(1, at + 2), at + 2, order->sure ? &second : NULL};
  memcpy(out->bytes, text, head);
  ((char *)out->bytes)[at] = 'x';
  return FG_JIT_BUILT;
}

static fg_jit_status proved(fg_jit_bytes *of, fg_jit_result *result) {
  const char *proves = getenv("FAKE_JIT_PROVES");
  if (proves && (strcmp(proves, "all") == 0 || of->proof == &second)) return FG_JIT_BUILT;
  snprintf(result->message, sizeof result->message, "it computes something else");
  return FG_JIT_REFUSED;
}

static fg_jit_status compile(const fg_jit_source *source, fg_jit_bytes *out, fg_jit_result *result) {
  (void)source, (void)result;
  *out = (fg_jit_bytes){calloc(1, 64), 64, NULL};
  memcpy(out->bytes, "\177ELF wrong", 10);
  return FG_JIT_BUILT;
}

static void release(fg_jit_bytes *bytes) { free(bytes->bytes); }

const fg_jit *fftgen_jit(void);
__attribute__((visibility("default"))) const fg_jit *fftgen_jit(void) {
  static fg_jit plugin = {FG_JIT_ABI, NULL, build, package, proved, compile, release, NULL};
  plugin.version = fg_version;
  return &plugin;
}
