/* See hiprtc.h. The child loads the library, compiles, and writes its answer to a
 * pipe: a byte (0: machine code follows, 1: a complaint), then the bytes. What
 * ends the child ends nothing else, and what it prints is not ours. */
#include "targets/hip/hiprtc.h"
#include "targets/host.h"
#include "targets/library.h"
#include "targets/timing.h"
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

enum { BUILD_SECONDS = 120, MOST_BYTES = 256 << 20 };

typedef struct hiprtc_program *program_ref;

/* name here, symbol, parameters; all return 0 or an error's number */
/* clang-format off */
#define FUNCTIONS(F)                                                                                \
  F(version, hiprtcVersion, (int *major, int *minor))                                               \
  F(create, hiprtcCreateProgram,                                                                    \
    (program_ref *program, const char *source, const char *name, int headers, const char **text,    \
     const char **include))                                                                         \
  F(compile, hiprtcCompileProgram, (program_ref program, int options, const char **option))         \
  F(log_size, hiprtcGetProgramLogSize, (program_ref program, size_t *size))                         \
  F(log, hiprtcGetProgramLog, (program_ref program, char *log))                                     \
  F(code_size, hiprtcGetCodeSize, (program_ref program, size_t *size))                              \
  F(code, hiprtcGetCode, (program_ref program, char *code))
/* clang-format on */

typedef struct api {
  FUNCTIONS(FG_API_FIELD)
} api;

static const fg_symbol symbols[] = {FUNCTIONS(FG_API_SYMBOL)};

static int load(api *a, char why[FG_WHY_SIZE]) {
  static const char *const names[] = {"libhiprtc.so",     "libhiprtc.so.7", "libhiprtc.so.6",
                                      "libamdhip64.so.5", "libhiprtc.so.5", "libamdhip64.so"};
  for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
    void *library = fg_library_open(&names[i], 1);
    if (library && !fg_library_find(library, symbols, sizeof symbols / sizeof *symbols, a)) return 0;
  }
  return snprintf(why, FG_WHY_SIZE, "no HIP compiler library on this machine (libhiprtc.so)"), 1;
}

/* ---- the child's work: text in why, or bytes in out ------------------------------- */

typedef struct work {
  const char *source, *arch; /* source NULL: the version is asked for */
  char *bytes;
  size_t size;
} work;

static int child_compile(work *w, char why[FG_WHY_SIZE]) {
  api a;
  char target[64];
  program_ref program = NULL;
  if (load(&a, why)) return 1;
  if (!w->source) {
    int major = 0, minor = 0;
    a.version(&major, &minor);
    w->bytes = calloc(1, 64);
    w->size = w->bytes ? (size_t)snprintf(w->bytes, 64, "hiprtc %d.%d", major, minor) : 0;
    return 0;
  }
  snprintf(target, sizeof target, "--offload-arch=%.32s", w->arch);
  const char *option[] = {target, "-O3", "-ffp-contract=fast"};
  if (a.create(&program, w->source, "fftgen.hip", 0, NULL, NULL) != 0)
    return snprintf(why, FG_WHY_SIZE, "hiprtc: the program could not be created"), 1;
  if (a.compile(program, sizeof option / sizeof *option, option) != 0) {
    size_t size = 0;
    char *log = a.log_size(program, &size) == 0 ? calloc(size + 1, 1) : NULL;
    if (log) a.log(program, log);
    fg_host_first_error(log && *log ? log : "no log", why, "hiprtc");
    return 1;
  }
  if (a.code_size(program, &w->size) != 0 || !(w->bytes = calloc(w->size + 1, 1)) || a.code(program, w->bytes) != 0)
    return snprintf(why, FG_WHY_SIZE, "hiprtc: the machine code could not be fetched"), 1;
  return 0;
}

static void write_all(int fd, const char *bytes, size_t size) {
  while (size) {
    ssize_t done = write(fd, bytes, size);
    if (done < 0 && errno == EINTR) continue;
    if (done <= 0) _exit(2);
    bytes += done;
    size -= (size_t)done;
  }
}

static void child(work w, int fd) {
  char why[FG_WHY_SIZE] = "";
  int null = open("/dev/null", O_RDWR);
  if (null >= 0) dup2(null, 0), dup2(null, 1), dup2(null, 2);
  char bad = (char)child_compile(&w, why);
  write_all(fd, &bad, 1);
  if (bad)
    write_all(fd, why, strlen(why));
  else
    write_all(fd, w.bytes, w.size);
  _exit(0); /* without the library's exit handlers */
}

/* ---- the parent's -------------------------------------------------------------------- */

/* All of the child's answer; NULL: no memory, or too long. */
static char *collect(int fd, double deadline, size_t *length, bool *late) {
  size_t room = 1 << 16;
  char *text = malloc(room);
  *length = 0;
  while (text) {
    struct pollfd wait = {fd, POLLIN, 0};
    if (fg_timing_now() > deadline) return *late = true, text;
    int ready = poll(&wait, 1, 200);
    if (ready == 0 || (ready < 0 && errno == EINTR)) continue;
    ssize_t got = read(fd, text + *length, room - 1 - *length);
    if (got < 0 && errno == EINTR) continue;
    if (got <= 0) break;
    *length += (size_t)got;
    if (*length < room - 1) continue;
    char *more = room < MOST_BYTES ? realloc(text, room *= 2) : NULL;
    if (!more) free(text);
    text = more;
  }
  if (text) text[*length] = 0;
  return text;
}

static int in_child(const work *w, char **answer, size_t *length, char why[FG_WHY_SIZE]) {
  int ends[2];
  bool late = false;
  if (pipe2(ends, O_CLOEXEC)) return snprintf(why, FG_WHY_SIZE, "hiprtc: no pipe"), 1;
  pid_t pid = fork();
  if (pid == 0) {
    close(ends[0]);
    child(*w, ends[1]);
  }
  close(ends[1]);
  *answer = pid > 0 ? collect(ends[0], fg_timing_now() + BUILD_SECONDS, length, &late) : NULL;
  close(ends[0]);
  if (pid < 0) return snprintf(why, FG_WHY_SIZE, "hiprtc: no child process"), 1;
  if (late) kill(pid, SIGKILL);
  int status = 0;
  while (waitpid(pid, &status, 0) < 0 && errno == EINTR) {}
  if (late)
    snprintf(why, FG_WHY_SIZE, "hiprtc took more than %d s and was stopped", BUILD_SECONDS);
  else if (WIFSIGNALED(status) || !*answer || !*length)
    snprintf(why, FG_WHY_SIZE, "hiprtc aborted%s%s", w->arch ? ": it does not know " : "", w->arch ? w->arch : "");
  else if (**answer)
    snprintf(why, FG_WHY_SIZE, "%s", *answer + 1);
  else
    return 0;
  free(*answer);
  return 1;
}

int fg_hiprtc_here(char *version, size_t size, char why[FG_WHY_SIZE]) {
  char *answer;
  size_t length;
  if (in_child(&(work){0}, &answer, &length, why)) return 1;
  snprintf(version, size, "%s", answer + 1);
  free(answer);
  return 0;
}

int fg_hiprtc_compile(const char *source, const char *arch, fg_hip_code *out, char why[FG_WHY_SIZE]) {
  char *answer;
  size_t length;
  if (in_child(&(work){.source = source, .arch = arch}, &answer, &length, why)) return 1;
  memmove(answer, answer + 1, length - 1);
  out->bytes = answer;
  out->size = length - 1;
  return 0;
}
