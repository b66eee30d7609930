/* See process.h. The child leads a process group of its own, so that a compiler
 * driver's children end with it. */
#include "targets/cc/process.h"
#include "targets/env.h"
#include "targets/timing.h"
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

/* By the name that libfftgen-jit's linking leaves alone (tuning/jit/streams.c). */
extern char **__environ;

/* What posix_spawnp searches where there is no PATH. gcc then finds itself, but not its own parts. */
static char usual_path[] = "PATH=/bin:/usr/bin";

/* Our environment with LC_ALL and TMPDIR replaced, and a PATH: one block, freed by the caller. */
static char **child_environment(const char *temp) {
  size_t n = 0, room = 64 + (temp ? strlen(temp) : 0);
  while (__environ && __environ[n]) n++;
  char **env = malloc((n + 4) * sizeof *env + room);
  if (!env) return NULL;
  char *text = (char *)(env + n + 4);
  size_t k = 0;
  for (size_t i = 0; i < n; i++) {
    if (!strncmp(__environ[i], "LC_ALL=", 7) || (temp && !strncmp(__environ[i], "TMPDIR=", 7))) continue;
    env[k++] = __environ[i];
  }
  if (!fg_env("PATH")) env[k++] = usual_path;
  env[k++] = text;
  text += sprintf(text, "LC_ALL=C") + 1;
  if (temp) {
    env[k++] = text;
    sprintf(text, "TMPDIR=%s", temp);
  }
  env[k] = NULL;
  return env;
}

/* A compiler and its children wait for one another and can be stopped, whatever signals are to the program. */
static void use_usual_signals(posix_spawnattr_t *attr) {
  sigset_t none, usual;
  sigemptyset(&none);
  sigemptyset(&usual);
  sigaddset(&usual, SIGCHLD);
  sigaddset(&usual, SIGPIPE);
  posix_spawnattr_setsigmask(attr, &none);
  posix_spawnattr_setsigdefault(attr, &usual);
}

static int spawn(const fg_process *p, const int pipe_end[2], pid_t *pid) {
  posix_spawn_file_actions_t actions;
  posix_spawnattr_t attr;
  char **env = child_environment(p->temp);
  if (!env) return ENOMEM;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0);
  posix_spawn_file_actions_adddup2(&actions, pipe_end[1], 1);
  posix_spawn_file_actions_adddup2(&actions, pipe_end[1], 2);
  posix_spawnattr_init(&attr);
  posix_spawnattr_setflags(&attr, POSIX_SPAWN_SETPGROUP | POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF);
  posix_spawnattr_setpgroup(&attr, 0);
  use_usual_signals(&attr);
  int status = posix_spawnp(pid, p->argv[0], &actions, &attr, p->argv, env);
  posix_spawnattr_destroy(&attr);
  posix_spawn_file_actions_destroy(&actions);
  free(env);
  return status;
}

/* Reads until the child's end of the pipe is closed. 0, or 1 when time is over. */
static int collect(const fg_process *p, int fd, double deadline) {
  size_t length = 0;
  char chunk[4096];
  for (;;) {
    double left = deadline - fg_timing_now();
    if (left <= 0) return 1;
    struct pollfd wait = {fd, POLLIN, 0};
    int ready = poll(&wait, 1, left > 1 ? 1000 : (int)(left * 1000) + 1);
    if (ready < 0 && errno != EINTR) return 0;
    if (ready <= 0) continue;
    ssize_t got = read(fd, chunk, sizeof chunk);
    if (got < 0 && errno == EINTR) continue;
    if (got <= 0) return 0;
    size_t room = p->size ? p->size - 1 - length : 0, take = (size_t)got < room ? (size_t)got : room;
    memcpy(p->text + length, chunk, take); /* what does not fit is read and dropped */
    length += take;
    if (p->size) p->text[length] = 0;
  }
}

/* Its status. A child that has closed its output may still run: not for long. Where the program ignores SIGCHLD or
 * waits for every child, there is no status: it has ended, and its output shows the result. */
static int reap(pid_t pid, double deadline, int late) {
  int status;
  for (;;) {
    pid_t done = waitpid(pid, &status, late ? 0 : WNOHANG);
    if (done == pid) break;
    if (done < 0 && errno == ECHILD) return late ? FG_PROCESS_TIMEOUT : 0;
    if (done < 0 && errno != EINTR) return FG_PROCESS_KILLED;
    if (done == 0 && fg_timing_now() > deadline) {
      late = 1;
      kill(-pid, SIGKILL);
    } else if (done == 0) {
      nanosleep(&(struct timespec){0, 200000}, NULL);
    }
  }
  if (late) return FG_PROCESS_TIMEOUT;
  return WIFEXITED(status) ? WEXITSTATUS(status) : FG_PROCESS_KILLED;
}

static volatile pid_t running; /* 0: none; the last one, where there are several threads */

bool fg_process_stop_running(void) { return running > 0 && kill(-running, SIGKILL) == 0; }

int fg_process_run(const fg_process *p) {
  int ends[2];
  pid_t pid;
  double deadline = fg_timing_now() + p->seconds;
  if (p->size) p->text[0] = 0;
  if (fg_env_secure()) return FG_PROCESS_NOT_STARTED; /* PATH is its caller's */
  if (pipe2(ends, O_CLOEXEC)) return FG_PROCESS_NOT_STARTED;
  int status = spawn(p, ends, &pid);
  close(ends[1]);
  if (status) {
    close(ends[0]);
    return FG_PROCESS_NOT_STARTED;
  }
  running = pid;
  int late = collect(p, ends[0], deadline);
  close(ends[0]);
  if (late) kill(-pid, SIGKILL);
  status = reap(pid, deadline, late);
  running = 0;
  return status;
}
