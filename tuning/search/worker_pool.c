/* See worker_pool.h. */
#include "tuning/search/worker_pool.h"
#include "targets/timing.h"
#include <errno.h>
#include <math.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum { MOST_PROCESSES = 128, OPEN_SECONDS = 60 };

struct fg_worker_pool {
  fg_context *cx;
  fg_worker_task common;
  bool loads; /* one runner for all; else builders stay */
  struct {
    int pid, fd;
    bool open;
    double until;
  } runner;
  struct {
    int pid, fd;
    fg_proof_state state;
    char why[FG_WHY_SIZE];
  } prover;
  fg_work *process[MOST_PROCESSES]; /* works with a process of their own */
  int nprocess;
  fg_work *asked; /* NULL: none */
  double limit;   /* of what is asked, from when the runner is open on */
  char failure[FG_WHY_SIZE];
};

/* ---- states ---------------------------------------------------------------------------- */

static double worked(int pid) {
  clockid_t clock;
  struct timespec t;
  if (pid < 0 || clock_getcpuclockid(pid, &clock) || clock_gettime(clock, &t)) return 0;
  return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static void enter(fg_work *w, fg_work_state state, double seconds) {
  w->state = state;
  w->worked = worked(w->pid);
  w->since = fg_timing_now();
  w->until = w->since + seconds;
}

static void forget_process(fg_worker_pool *c, fg_work *w) {
  if (w->pid >= 0) close(w->fd);
  w->pid = w->fd = -1;
  for (int i = 0; i < c->nprocess; i++)
    if (c->process[i] == w) {
      c->process[i] = c->process[--c->nprocess];
      break;
    }
}

static void lose(fg_worker_pool *c, fg_work *w, const char *why) {
  if (w->pid >= 0) fg_worker_end(w->pid);
  forget_process(c, w);
  if (c->asked == w) c->asked = NULL;
  if (!w->why[0]) snprintf(w->why, sizeof w->why, "%s", why);
  enter(w, FG_WORK_LOST, INFINITY);
}

/* How a process ended that did not say why. */
static const char *end_of(int status, const fg_work *w, char text[128]) {
  const char *when = w->state == FG_WORK_TIMING     ? ", while it was timed"
                     : w->state == FG_WORK_CHECKING ? ", while it was checked"
                                                    : "";
  if (WIFSIGNALED(status))
    snprintf(text, 128, "crashed: %s%s", strsignal(WTERMSIG(status)), when);
  else
    snprintf(text, 128, "ended on its own%s", when);
  return text;
}

static int reap(int pid) {
  int status = 0;
  while (waitpid(pid, &status, 0) < 0 && errno == EINTR) continue;
  return status;
}

/* ---- the runner -------------------------------------------------------------------------- */

static bool start_runner(fg_worker_pool *c) {
  if (c->runner.pid >= 0) return true;
  c->runner.open = false;
  c->runner.until = fg_timing_now() + OPEN_SECONDS;
  c->runner.pid = fg_worker_start(FG_RUNNER, &c->common, &c->runner.fd);
  if (c->runner.pid < 0) snprintf(c->failure, sizeof c->failure, "no process could be started: %s", strerror(errno));
  return c->runner.pid >= 0;
}

/* There are no more replies. The candidate with an open request has failed, unless the runner never became ready. */
static void lose_runner(fg_worker_pool *c, const char *why, bool kill_it) {
  char text[128];
  fg_work *w = c->asked;
  int status = kill_it ? fg_worker_end(c->runner.pid) : reap(c->runner.pid);
  close(c->runner.fd);
  c->runner.pid = c->runner.fd = -1;
  if (!c->runner.open && !c->failure[0])
    snprintf(c->failure, sizeof c->failure, "%.400s", why ? why : end_of(status, &(fg_work){0}, text));
  if (w) lose(c, w, why ? why : end_of(status, w, text));
}

static void hear_runner(fg_worker_pool *c) {
  fg_reply_message m;
  ssize_t got = recv(c->runner.fd, &m, sizeof m, 0);
  if (got < 0 && errno == EINTR) return;
  if (got != sizeof m) {
    lose_runner(c, NULL, false);
  } else if (m.what == FG_REPLY_OPEN) {
    c->runner.open = true;
    if (c->asked) enter(c->asked, c->asked->state, c->limit);
  } else if (m.what == FG_REPLY_FAILED && !c->runner.open) {
    snprintf(c->failure, sizeof c->failure, "%s", m.text);
    lose_runner(c, m.text, true);
  } else if (c->asked && c->asked->slot == m.slot) {
    fg_work *w = c->asked;
    c->asked = NULL;
    if (m.what == FG_REPLY_FAILED) {
      lose(c, w, m.text);
      if (m.value > 0) lose_runner(c, m.text, true);
      return;
    }
    *(m.what == FG_REPLY_CHECKED ? &w->l2 : &w->ns) = m.value;
    w->turns += m.what == FG_REPLY_TIMED;
    enter(w, FG_WORK_READY, INFINITY);
  }
}

/* ---- builders ------------------------------------------------------------------------------ */

static const char *module_path(const fg_worker_pool *c, int slot) {
  return c->loads ? fg_arena_printf(c->cx->arena, "%s/module%d", c->common.temp, slot) : NULL;
}

void fg_worker_pool_build(fg_worker_pool *c, fg_work *w, int slot, const fg_build *b, double seconds) {
  fg_worker_task task = c->common;
  task.plan = b->plan, task.isa = b->isa, task.compiler = b->compiler, task.once = b->once;
  task.module_file = module_path(c, slot);
  *w = (fg_work){.slot = slot, .pid = -1, .fd = -1};
  if (c->nprocess < MOST_PROCESSES) w->pid = fg_worker_start(FG_BUILDER, &task, &w->fd);
  if (w->pid < 0) {
    lose(c, w, "no process could be started");
    return;
  }
  c->process[c->nprocess++] = w;
  enter(w, FG_WORK_BUILDING, seconds);
}

static void hear_work(fg_worker_pool *c, fg_work *w) {
  fg_reply_message m;
  char text[128];
  ssize_t got = recv(w->fd, &m, sizeof m, 0);
  if (got < 0 && errno == EINTR) return;
  if (got != sizeof m) {
    int status = reap(w->pid);
    const char *why = end_of(status, w, text);
    forget_process(c, w);
    lose(c, w, why);
    return;
  }
  if (c->asked == w) c->asked = NULL;
  if (m.what == FG_REPLY_FAILED || m.what == FG_REPLY_SAME) {
    w->same = m.what == FG_REPLY_SAME;
    lose(c, w, m.text);
    return;
  }
  if (m.what == FG_REPLY_BUILT) w->assembled = m.value > 0;
  if (m.what == FG_REPLY_CHECKED) w->l2 = m.value;
  if (m.what == FG_REPLY_TIMED) w->ns = m.value, w->turns++;
  enter(w, m.what == FG_REPLY_BUILT ? FG_WORK_BUILT : FG_WORK_READY, INFINITY);
  if (c->loads) fg_worker_end(w->pid), forget_process(c, w); /* its module file is written */
}

/* ---- asking ---------------------------------------------------------------------------------- */

static void ask(fg_worker_pool *c, fg_work *w, const fg_request_message *m, double limit) {
  if (c->loads && !start_runner(c)) return;
  int fd = c->loads ? c->runner.fd : w->fd;
  c->asked = w;
  c->limit = limit;
  enter(w, m->what == FG_REQUEST_CHECK ? FG_WORK_CHECKING : FG_WORK_TIMING,
        c->loads && !c->runner.open ? INFINITY : limit);
  if (send(fd, m, sizeof *m, MSG_NOSIGNAL) == sizeof *m || c->loads) return; /* a runner's end is heard of */
  lose(c, w, "ended on its own");
}

static fg_request_message message(const fg_worker_pool *c, const fg_work *w, fg_request_kind what) {
  fg_request_message m = {.what = what, .slot = c->loads ? w->slot : 0, .turn = w->turns};
  if (c->loads) snprintf(m.module_file, sizeof m.module_file, "%s", module_path(c, w->slot));
  return m;
}

void fg_worker_pool_check(fg_worker_pool *c, fg_work *w, double limit) {
  fg_request_message m = message(c, w, FG_REQUEST_CHECK);
  ask(c, w, &m, limit);
}

void fg_worker_pool_time(fg_worker_pool *c, fg_work *w, double seconds, double limit) {
  fg_request_message m = message(c, w, FG_REQUEST_TIME);
  m.seconds = seconds;
  ask(c, w, &m, limit);
}

bool fg_worker_pool_is_busy(const fg_worker_pool *c) { return c->asked != NULL; }

/* ---- proofs ------------------------------------------------------------------------------------ */

static void end_prover(fg_worker_pool *c) {
  if (c->prover.pid < 0) return;
  fg_worker_end(c->prover.pid);
  close(c->prover.fd);
  c->prover.pid = c->prover.fd = -1;
}

void fg_worker_pool_prove(fg_worker_pool *c, const fg_build *b) {
  fg_worker_task task = c->common;
  end_prover(c);
  task.plan = b->plan, task.isa = b->isa;
  c->prover.pid = fg_worker_start(FG_PROVER, &task, &c->prover.fd);
  c->prover.state = c->prover.pid < 0 ? FG_PROOF_NONE : FG_PROOF_RUNS;
}

static void hear_prover(fg_worker_pool *c) {
  fg_reply_message m = {.text = "the proof ended on its own"};
  ssize_t got = recv(c->prover.fd, &m, sizeof m, 0);
  if (got < 0 && errno == EINTR) return;
  c->prover.state = got == sizeof m && m.what == FG_REPLY_PROVED ? FG_PROOF_YES : FG_PROOF_NO;
  snprintf(c->prover.why, sizeof c->prover.why, "%s", m.text);
  end_prover(c);
}

fg_proof_state fg_worker_pool_proof(const fg_worker_pool *c, const char **why) {
  if (why) *why = c->prover.why;
  return c->prover.state;
}

/* ---- the guard ---------------------------------------------------------------------------------- */

static void hear_all(fg_worker_pool *c, double seconds) {
  struct pollfd wait[MOST_PROCESSES + 2];
  fg_work *who[MOST_PROCESSES];
  int n = 0;
  for (; n < c->nprocess; n++) who[n] = c->process[n], wait[n] = (struct pollfd){who[n]->fd, POLLIN, 0};
  int works = n, runner = -1, prover = -1;
  if (c->runner.pid >= 0) runner = n, wait[n++] = (struct pollfd){c->runner.fd, POLLIN, 0};
  if (c->prover.pid >= 0) prover = n, wait[n++] = (struct pollfd){c->prover.fd, POLLIN, 0};
  if (poll(wait, (nfds_t)n, (int)ceil(1e3 * fmax(seconds, 0))) <= 0) return;
  for (int i = 0; i < works; i++)
    if (wait[i].revents) hear_work(c, who[i]);
  if (runner >= 0 && wait[runner].revents) hear_runner(c);
  if (prover >= 0 && wait[prover].revents) hear_prover(c);
}

/* On a busy machine it may have had no processor yet: that is no hanging, for a while. */
static bool only_waits(const fg_work *w, double now) {
  enum { PATIENCE = 5 };
  double limit = w->until - w->since;
  return w->state != FG_WORK_BUILDING && worked(w->pid) - w->worked < limit / 2 && now < w->since + PATIENCE * limit;
}

static void end_late(fg_worker_pool *c) {
  double now = fg_timing_now();
  for (int i = c->nprocess - 1; i >= 0; i--) {
    fg_work *w = c->process[i];
    if (now <= w->until || (!c->common.impatient && only_waits(w, now))) continue;
    w->dropped = w->state == FG_WORK_BUILDING;
    lose(c, w,
         w->state == FG_WORK_BUILDING ? "not built in time"
         : w->state == FG_WORK_TIMING ? "hangs while it is timed"
                                      : "hangs while it is checked");
  }
  if (c->runner.pid < 0) return;
  if (!c->runner.open && now > c->runner.until)
    lose_runner(c, "the device does not open", true);
  else if (c->asked && now > c->asked->until)
    lose_runner(c, c->asked->state == FG_WORK_TIMING ? "hangs while it is timed" : "hangs while it is checked", true);
}

void fg_worker_pool_wait(fg_worker_pool *c, double seconds) {
  double now = fg_timing_now(), until = INFINITY;
  for (int i = 0; i < c->nprocess; i++) until = fmin(until, c->process[i]->until);
  if (c->asked) until = fmin(until, c->asked->until);
  hear_all(c, fmin(seconds, fmax(until - now, 0.02)));
  end_late(c);
}

bool fg_worker_pool_await(fg_worker_pool *c, const fg_work *w, double deadline, const volatile int *stop) {
  while (w->state == FG_WORK_BUILDING || w->state == FG_WORK_CHECKING || w->state == FG_WORK_TIMING) {
    double left = deadline - fg_timing_now();
    if ((stop && *stop) || left <= 0) return false;
    fg_worker_pool_wait(c, fmin(left, 0.1));
  }
  return true;
}

void fg_worker_pool_drop(fg_worker_pool *c, fg_work *w, const char *why) {
  if (w->state == FG_WORK_LOST || w->state == FG_WORK_UNSEEN) return;
  w->dropped = !*why;
  if (c->loads && c->asked == w) {
    lose_runner(c, why, true); /* it is at work on it */
    return;
  }
  fg_request_message m = message(c, w, FG_REQUEST_DROP);
  if (c->loads && c->runner.pid >= 0) (void)!send(c->runner.fd, &m, sizeof m, MSG_NOSIGNAL);
  lose(c, w, why);
}

const char *fg_worker_pool_failure(const fg_worker_pool *c) { return c->failure[0] ? c->failure : NULL; }

fg_worker_pool *fg_worker_pool_create(fg_context *cx, const fg_worker_task *common) {
  fg_worker_pool *c = fg_arena_new(cx->arena, fg_worker_pool, 1);
  *c = (fg_worker_pool){.cx = cx, .common = *common, .runner = {.pid = -1, .fd = -1}, .prover = {.pid = -1, .fd = -1}};
  const fg_device *d = common->device;
  c->loads = d->load && d->compile && !d->on_host && common->temp;
  if (c->loads) start_runner(c);
  return c;
}

/* All are told first, so that they end side by side. */
void fg_worker_pool_destroy(fg_worker_pool *c) {
  for (int i = 0; i < c->nprocess; i++) kill(c->process[i]->pid, SIGTERM);
  if (c->runner.pid >= 0) kill(c->runner.pid, SIGTERM);
  end_prover(c);
  while (c->nprocess) fg_worker_pool_drop(c, c->process[0], "");
  if (c->runner.pid < 0) return;
  fg_worker_end(c->runner.pid);
  close(c->runner.fd);
  c->runner.pid = c->runner.fd = -1;
}
