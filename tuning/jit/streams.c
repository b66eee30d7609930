/* libtcc, by which the proof runs emitted text, is a static library compiled for programs: it accesses three
 * variables of libc in a way that shared objects may not. The linker's --wrap redirects these to the variables here.
 * environ moves with every setenv, so no code of fftgen may use it by this name. */
#include <stdio.h>
#include <unistd.h>

#define HIDDEN __attribute__((visibility("hidden")))

extern FILE *__real_stdout, *__real_stderr;
extern char **__real_environ;

HIDDEN FILE *__wrap_stdout, *__wrap_stderr;
HIDDEN char **__wrap_environ;

__attribute__((constructor)) static void begin(void) {
  __wrap_stdout = __real_stdout;
  __wrap_stderr = __real_stderr;
  __wrap_environ = __real_environ;
}
