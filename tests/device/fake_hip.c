/* A HIP runtime that only keeps accounts: memory is the host's, a launch copies
 * its first argument's memory to its second's and notes the grid. In its place
 * libamdhip64.so.5 is looked for by a path that the test sets. FAKE_HIP_FAIL=n:
 * the n-th call fails. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int calls, alive;

static int fails(void) {
  const char *n = getenv("FAKE_HIP_FAIL");
  return ++calls == (n ? atoi(n) : 0) ? 2 : 0;
}

int hipGetDeviceCount(int *count) { return *count = 1, fails(); }
int hipSetDevice(int number) { return number != 0; }
int hipGetDeviceProperties(char *p, int number) {
  strcpy(p, "A GPU of nobody's");
  strcpy(p + 700, getenv("FAKE_HIP_ARCH") ? getenv("FAKE_HIP_ARCH") : "gfx90a:sramecc+:xnack-");
  return number || fails();
}
int hipRuntimeGetVersion(int *version) { return *version = 50221153, 0; }
int hipModuleLoadData(void **module, const void *image) {
  if (memcmp(image, "\177ELF", 4) != 0) return 3;
  return *module = &calls, alive++, fails();
}
int hipModuleUnload(void *module) { return module != &calls || alive-- == 0; }
int hipModuleGetFunction(void **function, void *module, const char *name) {
  return *function = module, !strstr(name, "fft") || fails();
}
int hipMalloc(void **memory, size_t bytes) {
  if (fails()) return 2;
  return *memory = malloc(bytes), alive++, 0;
}
int hipFree(void *memory) { return free(memory), alive--, 0; }
int hipMemcpyHtoD(void *to, const void *from, size_t bytes) { return memcpy(to, from, bytes), fails(); }
int hipMemcpyDtoH(void *to, void *from, size_t bytes) { return memcpy(to, from, bytes), fails(); }
int hipDeviceSynchronize(void) { return fails(); }
int hipEventCreate(void **event) { return *event = &calls, alive++, fails(); }
int hipEventRecord(void *event, void *stream) { return event != &calls || stream || fails(); }
int hipEventSynchronize(void *event) { return event != &calls || fails(); }
int hipEventElapsedTime(float *milliseconds, void *from, void *to) {
  return *milliseconds = 0.5f, from != &calls || to != &calls || fails();
}
int hipEventDestroy(void *event) { return event != &calls || alive-- == 0; }
int hipModuleLaunchKernel(void *f, unsigned bx, unsigned by, unsigned bz, unsigned tx, unsigned ty, unsigned tz,
                          unsigned local_bytes, void *stream, void **argument, void **extra) {
  if (f != &calls || !bx || by != 1 || bz != 1 || !tx || ty != 1 || tz != 1 || local_bytes > 65536 || stream || extra)
    return 9;
  memcpy(*(void **)argument[1], *(void **)argument[0], 64);
  return fails();
}

__attribute__((destructor)) static void account(void) {
  if (getenv("FAKE_HIP_ACCOUNT")) fprintf(stderr, "fake HIP: %d calls, %d alive\n", calls, alive);
}
