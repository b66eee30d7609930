/* See worker.h. Both sides talk through a socket that keeps messages whole. The
 * child dies with its parent, ignores Ctrl-C (the parent decides), and leaves
 * without the parent's exit handlers. */
#include "tuning/search/worker.h"
#include "generator/prove/prove.h"
#include "runtime/store/hash.h"
#include "targets/cc/process.h"
#include "targets/timing.h"
#include "tuning/measure/arrays.h"
#include "tuning/measure/verify.h"
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum { MOST_SPILLED = 64 }; /* bytes a thread: more is no candidate, whatever its time */

typedef enum kind { SAYS_READY, SAYS_TIME, SAYS_SAME, SAYS_FAILED } kind;

typedef struct message {
  kind kind;
  double value; /* READY: the error; TIME: nanoseconds */
  char text[FG_WHY_SIZE];
} message;

/* ---- the child ------------------------------------------------------------- */

typedef struct child {
  const fg_worker_task *task;
  int fd;
  fg_context cx;
  fg_compilation c;
  fg_module *module;
  fg_geometry geometry;
  fg_arrays arrays;
  void *place[sizeof((fg_arrays *)0)->place / sizeof(void *)]; /* of the arrays, in the present timing */
  const int64_t *params;
} child;

static void say(const child *k, kind kind, double value, const char *text) {
  message m = {.kind = kind, .value = value};
  snprintf(m.text, sizeof m.text, "%s", text);
  (void)!send(k->fd, &m, sizeof m, MSG_NOSIGNAL); /* nobody listens: we are about to end */
}

static fg_status fail(child *k, const char *what, const char *why) {
  return fg_diag_set(&k->cx.diag, FG_ESYS, "%s: %s", what, why);
}

static fg_status generate(child *k) {
  const fg_worker_task *t = k->task;
  fg_request r = {.problem = t->problem, .target = t->device->dialect, .isa = t->isa, .plan = t->plan, .entry = true};
  if (t->facts->local_bytes) r.facts = t->facts;
  return fg_pipeline_compile(&k->cx, &r, &k->c);
}

/* Many parameters of plans change nothing in many of them: the first with a text leaves a file, the others
 * find it there. Comments at the top say the plan. */
static bool is_same(const child *k) {
  const fg_worker_task *t = k->task;
  const char *source = k->c.emitted.artifact.source, *text = strstr(source, "*/");
  char name[FG_HASH_TEXT];
  if (!t->temp || !text) return false;
  fg_hash h = fg_hash_add(fg_hash_begin(), text, strlen(text));
  if (t->isa) h = fg_hash_add(h, t->isa, strlen(t->isa));
  if (t->compiler) h = fg_hash_add(h, t->compiler, strlen(t->compiler));
  fg_hash_text(h, name);
  int fd = open(fg_arena_printf(k->cx.arena, "%s/%s", t->temp, name), O_CREAT | O_EXCL | O_WRONLY | O_CLOEXEC, 0600);
  if (fd >= 0) close(fd);
  return fd < 0 && errno == EEXIST && t->once;
}

static const int64_t *choose_params(child *k) {
  const fg_problem *p = &k->c.problem;
  if (k->task->params || !p->nparam) return k->task->params;
  int64_t *value = fg_arena_new(k->cx.arena, int64_t, p->nparam);
  fg_settings_lowest(p, NULL, value);
  return value;
}

static fg_status verify(child *k) {
  fg_verified v;
  fg_verify_options o = {.params = k->params, .seed = k->task->seed};
  fg_status status = fg_verify(&k->cx, &k->c.problem, k->task->device, k->module, &o, &v);
  if (status != FG_OK) return status;
  if (!v.ok) return fg_diag_set(&k->cx.diag, FG_EWRONG, "computes wrongly: %s", v.why);
  say(k, SAYS_READY, v.l2, "");
  return FG_OK;
}

static void make_arrays(child *k) {
  fg_geometry_create(&k->cx, &k->c.problem, k->params, &k->geometry);
  fg_arrays_create(&k->cx, &k->c.problem, &k->geometry, &k->arrays);
  fg_arrays_fill(&k->arrays, &k->geometry, k->task->seed);
  /* In place, transforms of transforms leave the range of numbers: zeros stay. */
  for (int i = 0; k->arrays.in_place && i < k->arrays.nplace; i++) memset(k->arrays.place[i], 0, k->arrays.bytes[i]);
}

static fg_status prepare(child *k) {
  char why[FG_WHY_SIZE] = "";
  const fg_device *d = k->task->device;
  fg_device_facts facts;
  if (k->task->compiler && d->option && d->option("compiler", k->task->compiler, why)) return fail(k, d->name, why);
  if (d->probe(&facts, why)) return fail(k, d->name, why);
  fg_status status = generate(k);
  if (status != FG_OK) return status;
  if (is_same(k)) {
    say(k, SAYS_SAME, 0, "");
    _exit(0);
  }
  k->params = choose_params(k);
  if (d->build(&k->c.emitted.artifact, &k->module, why)) return fail(k, "build", why);
  int spilled = d->spilled ? d->spilled(k->module) : 0;
  if (spilled > MOST_SPILLED)
    return fg_diag_set(&k->cx.diag, FG_ENA, "left out untimed: it spills %d bytes a thread (up to %d are)", spilled,
                       MOST_SPILLED);
  return verify(k);
}

/* What lies at the same offset of pages takes a tenth more here and there: each timing finds the arrays
 * elsewhere, inside of the memory that guards them. */
static fg_call call_at(child *k, int turn) {
  enum { STEP = 128, STEPS = 16, EACH = 7 };
  _Static_assert(STEP * STEPS <= FG_ARRAYS_GUARD, "inside of the guards");
  const fg_arrays *a = &k->arrays;
  int distinct = a->in_place ? a->nplace / 2 : a->nplace;
  for (int i = 0; i < a->nplace; i++) {
    int shift = k->task->device->on_host ? turn * (EACH + i % distinct) % STEPS * STEP : 0;
    k->place[i] = (char *)a->place[i] + shift;
  }
  return (fg_call){.place = k->place, .bytes = a->bytes, .params = k->params};
}

static fg_status serve(child *k) {
  double seconds, ns;
  char why[FG_WHY_SIZE] = "";
  for (int turn = 0; recv(k->fd, &seconds, sizeof seconds, 0) == sizeof seconds; turn++) {
    if (!k->arrays.nplace) make_arrays(k);
    fg_call call = call_at(k, turn);
    if (k->task->device->time(k->module, &call, seconds, &ns, why)) return fail(k, "timing", why);
    say(k, SAYS_TIME, ns, "");
  }
  return FG_OK;
}

static void limit(const fg_worker_task *t) {
  struct rlimit none = {0, 0}, cpu = {(rlim_t)t->prepare_seconds + 600, (rlim_t)t->prepare_seconds + 660};
  setrlimit(RLIMIT_CORE, &none);
  setrlimit(RLIMIT_CPU, &cpu); /* whoever hangs while nobody watches ends, too */
}

/* Asked to end: the compiler that runs for us ends, too. */
static void on_end(int signal_number) {
  (void)signal_number;
  fg_process_stop_running();
  _exit(1);
}

static void be_child(const fg_worker_task *task, int fd) {
  static child k;
  static const int crashes[] = {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT};
  for (size_t i = 0; i < sizeof crashes / sizeof *crashes; i++) signal(crashes[i], SIG_DFL); /* whoever watches them */
  signal(SIGINT, SIG_IGN);
  signal(SIGTERM, on_end);
  if (task->temp) setenv("TMPDIR", task->temp, 1);
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  if (getppid() == 1) _exit(1); /* the parent was faster */
  limit(task);
  k = (child){.task = task, .fd = fd, .cx = {.arena = fg_arena_create()}};
  fg_status status = FG_ENOMEM;
  if (k.cx.arena && !fg_arena_guard(k.cx.arena)) {
    status = prepare(&k);
    if (status == FG_OK) status = serve(&k);
  } else {
    status = FG_ENOMEM;
  }
  if (status != FG_OK) say(&k, SAYS_FAILED, 0, k.cx.diag.message[0] ? k.cx.diag.message : fg_status_name(status));
  _exit(status != FG_OK);
}

/* ---- the parent ------------------------------------------------------------ */

static void enter(fg_worker *w, fg_worker_state state) {
  w->state = state;
  w->since = fg_timing_now();
}

static void lose(fg_worker *w, const char *why) {
  if (!w->why[0]) snprintf(w->why, sizeof w->why, "%s", why);
  enter(w, FG_WORKER_LOST);
}

int fg_worker_start(fg_worker *w, const fg_worker_task *task) {
  int ends[2];
  *w = (fg_worker){.pid = -1, .fd = -1};
  if (socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, ends)) {
    lose(w, strerror(errno));
    return 1;
  }
  fflush(NULL);
  int pid = fork();
  if (pid == 0) {
    close(ends[0]);
    be_child(task, ends[1]);
  }
  close(ends[1]);
  if (pid < 0) {
    lose(w, strerror(errno));
    close(ends[0]);
    return 1;
  }
  w->pid = pid;
  w->fd = ends[0];
  enter(w, FG_WORKER_PREPARING);
  return 0;
}

void fg_worker_time(fg_worker *w, double seconds) {
  if (send(w->fd, &seconds, sizeof seconds, MSG_NOSIGNAL) == sizeof seconds)
    enter(w, FG_WORKER_TIMING);
  else
    fg_worker_stop(w, "ended on its own");
}

/* The process has ended: how? */
static void bury(fg_worker *w) {
  int status = 0;
  char why[64] = "ended on its own";
  while (waitpid(w->pid, &status, 0) < 0 && errno == EINTR) continue;
  if (WIFSIGNALED(status))
    snprintf(why, sizeof why, "crashed: %s%s", strsignal(WTERMSIG(status)),
             w->state == FG_WORKER_TIMING ? ", while it was timed" : "");
  close(w->fd);
  w->pid = w->fd = -1;
  lose(w, why);
}

void fg_worker_hear(fg_worker *w) {
  message m;
  ssize_t got = recv(w->fd, &m, sizeof m, 0);
  if (got < 0 && errno == EINTR) return;
  if (got != sizeof m) {
    bury(w);
  } else if (m.kind == SAYS_FAILED) {
    fg_worker_stop(w, m.text);
  } else if (m.kind == SAYS_SAME) {
    w->same = true;
    fg_worker_stop(w, "the same text as another's");
  } else {
    *(m.kind == SAYS_READY ? &w->l2 : &w->ns) = m.value;
    enter(w, FG_WORKER_READY);
  }
}

bool fg_worker_await(fg_worker *w, double deadline, const volatile int *stop) {
  while (w->state == FG_WORKER_PREPARING || w->state == FG_WORKER_TIMING) {
    double left = deadline - fg_timing_now();
    if ((stop && *stop) || left <= 0) return false;
    struct pollfd wait = {w->fd, POLLIN, 0};
    if (poll(&wait, 1, left > 0.1 ? 100 : (int)(left * 1000) + 1) > 0) fg_worker_hear(w);
  }
  return true;
}

/* Politely first: it may have a compiler running. */
static void end_process(int pid) {
  enum { MILLISECONDS = 200 };
  kill(pid, SIGTERM);
  for (int i = 0; i < MILLISECONDS; i++) {
    if (waitpid(pid, NULL, WNOHANG) == pid) return;
    nanosleep(&(struct timespec){0, 1000000}, NULL);
  }
  kill(pid, SIGKILL);
  while (waitpid(pid, NULL, 0) < 0 && errno == EINTR) continue;
}

void fg_worker_stop(fg_worker *w, const char *why) {
  if (w->pid >= 0) {
    end_process(w->pid);
    close(w->fd);
    w->pid = w->fd = -1;
  }
  if (w->state != FG_WORKER_LOST) lose(w, why);
}
