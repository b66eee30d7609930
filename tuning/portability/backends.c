/* See backends.h. */
#include "tuning/portability/backends.h"
#include "targets/number.h"
#include "targets/team.h"
#include "targets/timing.h"
#include "tuning/portability/hip_on_cuda.h"
#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

/* ---- children ---------------------------------------------------------------- */

void *fg_port_share(size_t bytes) {
  void *memory = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  return memory == MAP_FAILED ? NULL : memory;
}

void fg_port_unshare(void *memory, size_t bytes) {
  if (memory) munmap(memory, bytes);
}

static void be_child(void (*job)(void *context), void *context) {
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  if (getppid() == 1) _exit(1); /* the parent was faster */
  int nowhere = open("/dev/null", O_WRONLY);
  if (nowhere >= 0) dup2(nowhere, STDERR_FILENO); /* drivers talk */
  if (nowhere >= 0) dup2(nowhere, STDOUT_FILENO);
  job(context);
  _exit(0);
}

static pid_t await(pid_t child, int *status, double until, const volatile int *stop) {
  pid_t got;
  while ((got = waitpid(child, status, WNOHANG)) == 0 || (got < 0 && errno == EINTR)) {
    if (fg_timing_now() >= until || (stop && *stop)) return 0;
    nanosleep(&(struct timespec){0, 5000000}, NULL);
  }
  return got;
}

/* Asked first: it takes its compiler and its files along. */
static void end_child(pid_t child) {
  enum { GRACE = 2 }; /* seconds */
  int status;
  kill(child, SIGTERM);
  if (await(child, &status, fg_timing_now() + GRACE, NULL)) return;
  kill(child, SIGKILL);
  while (waitpid(child, &status, 0) < 0 && errno == EINTR) {}
}

int fg_port_in_child(void (*job)(void *context), void *context, fg_port_patience patience, char why[FG_WHY_SIZE]) {
  double until = patience.seconds > 0 ? fg_timing_now() + patience.seconds : INFINITY;
  int status = 0;
  fflush(NULL);
  pid_t child = fork();
  if (child < 0) return snprintf(why, FG_WHY_SIZE, "no process: %s", strerror(errno)), 1;
  if (child == 0) be_child(job, context);
  pid_t got = await(child, &status, until, patience.stop);
  if (got == 0) {
    end_child(child);
    bool late = fg_timing_now() >= until;
    return late ? fg_number_print(why, FG_WHY_SIZE, "not ready after %.0f s", patience.seconds)
                : snprintf(why, FG_WHY_SIZE, "stopped"),
           1;
  }
  if (WIFSIGNALED(status)) snprintf(why, FG_WHY_SIZE, "ended the process: %s", strsignal(WTERMSIG(status)));
  bool gave_up = WIFEXITED(status) && WEXITSTATUS(status);
  if (gave_up) snprintf(why, FG_WHY_SIZE, "ended the process with exit code %d", WEXITSTATUS(status));
  return got < 0 || gave_up || WIFSIGNALED(status);
}

/* ---- the table ------------------------------------------------------------------ */

/* OpenCL devices are many: a row finds them. */
static const struct row {
  const char *device, *language, *name;
  int threads; /* of the CPU that it runs on by itself; 0: none */
} rows[] = {
    {"cc", "C", "C on 1 thread", 1},
    {"cc", "C", "C on 2 threads", 2},
    {"llvm", "machine code", "LLVM on 1 thread", 1},
    {"llvm", "machine code", "LLVM on 2 threads", 2},
    {"tcc", "C", "tcc on 1 thread", 1},
    {"opencl", "OpenCL", "OpenCL", 1},
    {"opencl", "OpenCL", "OpenCL", 2},
    {"cuda", "CUDA", "CUDA", 0},
    {"hip-on-cuda", "HIP", "HIP's text by CUDA", 0},
    {"hip", "HIP", "HIP", 0},
};
enum { ROWS = sizeof rows / sizeof *rows, MOST_PLATFORMS = 8 };

static const fg_device *find(const char *name) {
  return strcmp(name, fg_port_device_hip_on_cuda.name) ? fg_device_find(name) : &fg_port_device_hip_on_cuda;
}

static void set_hardware(fg_port_backend *w) {
  if (w->threads)
    snprintf(w->on, sizeof w->on, "CPU, %d thread%s", w->threads, w->threads > 1 ? "s" : "");
  else
    memcpy(w->on, w->facts.name, sizeof w->facts.name); /* the shorter of the two, its end included */
}

/* ---- choosing ------------------------------------------------------------------- */

static int choose_opencl(const fg_port_backend *w, char why[FG_WHY_SIZE]) {
  char number[16];
  if (w->platform < 0) return 0;
  snprintf(number, sizeof number, "%d", w->platform);
  if (w->device->option("platform", number, why)) return 1;
  snprintf(number, sizeof number, "%d", w->number);
  return w->device->option("device", number, why);
}

int fg_port_backend_enter(const fg_port_backend *w, char why[FG_WHY_SIZE]) {
  char number[16];
  fg_device_facts facts;
  snprintf(number, sizeof number, "%d", w->threads);
  if (w->threads) setenv("POCL_MAX_PTHREAD_COUNT", number, 1); /* read once, when PoCL starts */
  if (w->threads && fg_team_resize(w->threads)) return snprintf(why, FG_WHY_SIZE, "no %d threads", w->threads), 1;
  return choose_opencl(w, why) || w->device->probe(&facts, why);
}

/* ---- listing -------------------------------------------------------------------- */

typedef struct listing {
  int count;
  fg_port_backend backend[FG_PORT_BACKENDS];
  const struct row *row;
} listing;

static fg_port_backend *add(listing *l, const struct row *r) {
  if (l->count == FG_PORT_BACKENDS) return NULL;
  fg_port_backend *w = &l->backend[l->count++];
  *w = (fg_port_backend){.language = r->language, .device = find(r->device), .threads = r->threads, .platform = -1};
  snprintf(w->name, sizeof w->name, "%s", r->name);
  return w;
}

static void probe_plain(listing *l) {
  fg_port_backend *w = add(l, l->row);
  if (w && w->device->probe(&w->facts, w->why) && !w->why[0]) strcpy(w->why, "no reason given");
  if (w) set_hardware(w);
}

/* The number tells several apart. */
static void name_opencl(fg_port_backend *w, int number) {
  char which[32] = "", where[32] = "the GPU";
  if (number > 1) snprintf(which, sizeof which, " %d", number);
  if (w->threads) snprintf(where, sizeof where, "%d thread%s", w->threads, w->threads > 1 ? "s" : "");
  snprintf(w->name, sizeof w->name, "OpenCL%s on %s", which, where);
}

/* Every device of every platform: CPUs once for each number of threads, others once. */
static void probe_opencl(listing *l) {
  char why[FG_WHY_SIZE] = "";
  int found = 0, further = 0;
  for (int platform = 0; platform < MOST_PLATFORMS; platform++)
    for (int number = 0;; number++) {
      fg_port_backend w = {
          .language = l->row->language, .device = find(l->row->device), .platform = platform, .number = number};
      if (choose_opencl(&w, why) || w.device->probe(&w.facts, why)) break;
      found++;
      if (!w.facts.is_gpu_like) w.threads = l->row->threads;
      if (w.facts.is_gpu_like && l->row->threads > 1) continue;
      fg_port_backend *kept = add(l, l->row);
      if (!kept) return;
      set_hardware(&w);
      name_opencl(&w, ++further);
      *kept = w;
    }
  if (found || l->row->threads > 1) return;
  fg_port_backend *w = add(l, l->row);
  if (w) snprintf(w->why, sizeof w->why, "%s", why);
}

static void probe_row(void *context) {
  listing *l = context;
  if (strcmp(l->row->device, "opencl"))
    probe_plain(l);
  else
    probe_opencl(l);
}

static bool is_wanted(const char *name, const char *wanted) {
  char words[256], *save = NULL;
  if (!wanted) return true;
  snprintf(words, sizeof words, "%s", wanted);
  for (char *w = strtok_r(words, ",", &save); w; w = strtok_r(NULL, ",", &save))
    if (strcasestr(name, w)) return true;
  return false;
}

/* A row whose driver ends the process is absent for that. */
static void list_row(listing *l, const struct row *r) {
  char why[FG_WHY_SIZE] = "";
  int before = l->count;
  l->row = r;
  if (!fg_port_in_child(probe_row, l, (fg_port_patience){.seconds = 60}, why)) return;
  l->count = before;
  fg_port_backend *w = add(l, r);
  if (w) snprintf(w->why, sizeof w->why, "%s", why);
}

int fg_port_backends(const char *wanted, fg_port_backend backend[FG_PORT_BACKENDS], int *count, char why[FG_WHY_SIZE]) {
  listing *l = fg_port_share(sizeof *l);
  if (!l) return snprintf(why, FG_WHY_SIZE, "out of memory"), 1;
  for (int r = 0; r < ROWS; r++) list_row(l, &rows[r]);
  *count = 0;
  for (int absent = 0; absent < 2; absent++)
    for (int i = 0; i < l->count; i++)
      if (!!l->backend[i].why[0] == absent && is_wanted(l->backend[i].name, wanted))
        backend[(*count)++] = l->backend[i];
  fg_port_unshare(l, sizeof *l);
  return 0;
}
