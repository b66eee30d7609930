/* See worker.h. Children leave without the parent's exit handlers. */
#include "tuning/search/worker.h"
#include "runtime/store/hash.h"
#include "targets/cc/process.h"
#include "tuning/search/evaluator.h"
#include "tuning/search/module_file.h"
#include <errno.h>
#include <fcntl.h>
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

enum { MOST_SPILLED = 1024 /* bytes a thread: with more a kernel is slower than any other */, SLOTS = 1024 };

typedef struct child {
  const fg_worker_task *task;
  int fd;
  fg_context cx;
  fg_compilation c;
  fg_problem problem;
  fg_evaluator *evaluator;
  const fg_drawn *drawn;
  fg_module *module[SLOTS]; /* by candidate; a builder has its own alone */
} child;

static void reply(const child *k, fg_reply_kind what, int slot, double value, const char *text) {
  fg_reply_message m = {.what = what, .slot = slot, .value = value};
  snprintf(m.text, sizeof m.text, "%.500s", text);
  (void)!send(k->fd, &m, sizeof m, MSG_NOSIGNAL); /* the parent has ended: this process is about to end, too */
}

static fg_status fail(child *k, const char *what, const char *why) {
  return fg_diag_set(&k->cx.diag, FG_ESYS, "%s: %s", what, why);
}

/* ---- building ------------------------------------------------------------------------ */

static fg_status decide(child *k) {
  const fg_worker_task *t = k->task;
  fg_request r = {.problem = t->problem, .target = t->device->dialect, .isa = t->isa, .plan = t->plan, .entry = true};
  r.assembly = true;
  if (t->facts->local_bytes) r.facts = t->facts;
  fg_status status = fg_pipeline_parse(&k->cx, &r, &k->c);
  return status == FG_OK ? fg_pipeline_decide(&k->c) : status;
}

/* Whether bodies of kernels will be assembly, as far as it is known before the proof. */
static bool may_assemble(const child *k) {
  char why[FG_WHY_SIZE], *text = NULL;
  bool off = fg_plan_param_value(k->c.chosen.plan, FG_PARAM_ASSEMBLY) == FG_OPTION_OFF;
  if (!off && k->c.dialect->assemble) text = k->c.dialect->assemble(k->c.emitted.artifact.source, why);
  free(text);
  return text != NULL;
}

/* Many parameters of plans change nothing in many of them: the first with a text leaves a file, the others
 * find it there. Comments at the top say the plan. */
static bool is_same(const child *k) {
  const fg_worker_task *t = k->task;
  const char *source = k->c.emitted.artifact.source, *text = strstr(source, "*/");
  char name[FG_HASH_TEXT];
  if (!t->temp || !text) return false;
  fg_hash h = fg_hash_add(fg_hash_begin(), text, strlen(text));
  if (may_assemble(k)) h = fg_hash_add(h, "assembly", strlen("assembly"));
  if (t->isa) h = fg_hash_add(h, t->isa, strlen(t->isa));
  if (t->compiler) h = fg_hash_add(h, t->compiler, strlen(t->compiler));
  fg_hash_text(h, name);
  int fd = open(fg_arena_printf(k->cx.arena, "%s/%s", t->temp, name), O_CREAT | O_EXCL | O_WRONLY | O_CLOEXEC, 0600);
  if (fd >= 0) close(fd);
  return fd < 0 && errno == EEXIST && t->once;
}

static fg_status refuse_spills(child *k, int spilled) {
  if (spilled <= MOST_SPILLED) return FG_OK;
  return fg_diag_set(&k->cx.diag, FG_ENA, "left out untimed: it spills %d bytes a thread (up to %d are)", spilled,
                     MOST_SPILLED);
}

/* Compiled without the device. */
static fg_status write_module_file(child *k) {
  const fg_worker_task *t = k->task;
  fg_code code;
  char why[FG_WHY_SIZE] = "";
  const char *arch = t->facts->arch[0] ? t->facts->arch : "native";
  if (t->device->compile(k->c.emitted.artifact.source, arch, &code, why)) return fail(k, "build", why);
  fg_status status = refuse_spills(k, code.spilled);
  if (status == FG_OK && fg_module_file_write(t->module_file, &k->c.emitted.artifact, &code, why))
    status = fail(k, "build", why);
  free(code.bytes);
  return status;
}

static fg_status build_module(child *k) {
  const fg_device *d = k->task->device;
  char why[FG_WHY_SIZE] = "";
  fg_device_facts facts;
  if (d->probe(&facts, why)) return fail(k, d->name, why);
  if (d->build(&k->c.emitted.artifact, &k->module[0], why)) return fail(k, "build", why);
  return refuse_spills(k, d->spilled ? d->spilled(k->module[0]) : 0);
}

static fg_status build(child *k) {
  char why[FG_WHY_SIZE] = "";
  const fg_device *d = k->task->device;
  if (k->task->compiler && d->option && d->option("compiler", k->task->compiler, why)) return fail(k, d->name, why);
  fg_status status = decide(k);
  if (status == FG_OK) status = fg_pipeline_emit(&k->c);
  if (status != FG_OK) return status;
  if (is_same(k)) {
    reply(k, FG_REPLY_SAME, 0, 0, "the same text as another's");
    _exit(0);
  }
  status = fg_pipeline_prove_emitted(&k->c); /* nothing runs whose text is not proved */
  if (status == FG_OK) status = k->task->module_file ? write_module_file(k) : build_module(k);
  if (status == FG_OK) reply(k, FG_REPLY_BUILT, 0, k->c.assembled, "");
  return status;
}

/* ---- checking and timing ----------------------------------------------------------------- */

static fg_status open_evaluator(child *k, const fg_problem *p) {
  const fg_worker_task *t = k->task;
  if (k->evaluator) return FG_OK;
  const fg_evaluator_options o = {
      .device = t->device, .problem = p, .params = t->params, .seed = t->seed, .drawn = t->drawn ? t->drawn : k->drawn};
  return fg_evaluator_create(&k->cx, &o, &k->evaluator);
}

/* In a runner: from its file, unless it is loaded already. */
static fg_status load(child *k, const fg_request_message *m) {
  char why[FG_WHY_SIZE] = "";
  fg_artifact a;
  fg_code code;
  if (k->module[m->slot]) return FG_OK;
  if (fg_module_file_read(k->cx.arena, m->module_file, &a, &code, why)) return fail(k, "loading", why);
  return k->task->device->load(&a, &code, &k->module[m->slot], why) ? fail(k, "loading", why) : FG_OK;
}

static void drop(child *k, int slot) {
  if (k->module[slot]) k->task->device->destroy(k->module[slot]);
  k->module[slot] = NULL;
}

static fg_status handle(child *k, const fg_request_message *m, fg_reply_kind *what, double *value) {
  fg_status status = FG_OK;
  *what = m->what == FG_REQUEST_CHECK ? FG_REPLY_CHECKED : FG_REPLY_TIMED;
  if (!k->task->plan) status = load(k, m);
  if (status == FG_OK && m->what == FG_REQUEST_CHECK)
    return fg_evaluator_check(k->evaluator, k->module[m->slot], value);
  return status == FG_OK ? fg_evaluator_time(k->evaluator, k->module[m->slot], m->seconds, m->turn, value) : status;
}

/* A device that failed once may be lost for this process: then it ends, and the pool starts another. */
static bool is_lost(const fg_device *d) {
  char why[FG_WHY_SIZE];
  void *memory = NULL;
  int number = 1;
  bool lost = d->memory &&
              (d->memory->take(sizeof number, &memory, why) || d->memory->put(memory, &number, sizeof number, why));
  if (memory) d->memory->release(memory);
  return lost;
}

/* Until there are no more requests. A failure costs only its candidate. */
static void serve(child *k) {
  fg_request_message m;
  fg_reply_kind what;
  double value = 0;
  while (recv(k->fd, &m, sizeof m, 0) == sizeof m) {
    if (m.slot < 0 || m.slot >= SLOTS) continue;
    if (m.what == FG_REQUEST_DROP) {
      drop(k, m.slot);
      continue;
    }
    fg_diag_clear(&k->cx.diag);
    fg_status status = handle(k, &m, &what, &value);
    if (status == FG_OK) {
      reply(k, what, m.slot, value, "");
      continue;
    }
    bool lost = status == FG_ESYS && is_lost(k->task->device);
    reply(k, FG_REPLY_FAILED, m.slot, lost, k->cx.diag.message);
    if (lost) _exit(1);
    drop(k, m.slot);
  }
}

/* ---- kinds of processes ---------------------------------------------------------------------- */

static fg_status be_builder(child *k) {
  fg_status status = build(k);
  if (status != FG_OK || k->task->module_file) return status;
  status = open_evaluator(k, &k->c.problem);
  if (status == FG_OK) serve(k);
  return status;
}

static fg_status be_runner(child *k) {
  const fg_worker_task *t = k->task;
  fg_status status = fg_problem_parse(&k->cx, t->problem, &k->problem);
  if (status != FG_OK) return status;
  status = fg_drawn_create(&k->cx, &k->problem, t->params, t->seed, &k->drawn);
  if (status == FG_ENA) k->drawn = NULL, fg_diag_clear(&k->cx.diag), status = FG_OK;
  if (status == FG_OK) status = open_evaluator(k, &k->problem);
  if (status != FG_OK) return status;
  reply(k, FG_REPLY_OPEN, 0, 0, "");
  serve(k);
  return FG_OK;
}

static fg_status be_prover(child *k) {
  fg_status status = decide(k);
  if (status == FG_OK) status = fg_pipeline_produce(&k->c);
  if (status == FG_OK) reply(k, FG_REPLY_PROVED, 0, 0, "");
  return status;
}

/* Asked to end: the compiler that runs for us ends, too. */
static void on_end(int signal_number) {
  (void)signal_number;
  fg_process_stop_running();
  _exit(1);
}

static void settle(const fg_worker_task *task) {
  enum { CPU_SECONDS = 3600 }; /* a process that hangs without its parent ends, too */
  static const int crashes[] = {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT};
  struct rlimit none = {0, 0}, cpu = {CPU_SECONDS, CPU_SECONDS + 60};
  for (size_t i = 0; i < sizeof crashes / sizeof *crashes; i++)
    signal(crashes[i], SIG_DFL); /* the parent sees the signal */
  signal(SIGINT, SIG_IGN);
  signal(SIGTERM, on_end);
  if (task->temp) setenv("TMPDIR", task->temp, 1);
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  if (getppid() == 1) _exit(1); /* the parent was faster */
  setrlimit(RLIMIT_CORE, &none);
  setrlimit(RLIMIT_CPU, &cpu);
}

static void be_child(fg_worker_kind kind, const fg_worker_task *task, int fd) {
  static fg_status (*const be[])(child *) = {be_builder, be_runner, be_prover};
  static child k;
  settle(task);
  k = (child){.task = task, .fd = fd, .cx = {.arena = fg_arena_create()}};
  fg_status status = FG_ENOMEM;
  if (k.cx.arena && !fg_arena_guard(k.cx.arena))
    status = be[kind](&k);
  else
    status = FG_ENOMEM;
  if (status != FG_OK)
    reply(&k, FG_REPLY_FAILED, 0, 0, k.cx.diag.message[0] ? k.cx.diag.message : fg_status_name(status));
  _exit(status != FG_OK);
}

/* ---- the parent ------------------------------------------------------------------------------- */

int fg_worker_start(fg_worker_kind kind, const fg_worker_task *task, int *fd) {
  int ends[2];
  if (socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, ends)) return -1;
  fflush(NULL);
  int pid = fork();
  if (pid == 0) {
    close(ends[0]);
    be_child(kind, task, ends[1]);
  }
  close(ends[1]);
  if (pid < 0) close(ends[0]);
  *fd = pid < 0 ? -1 : ends[0];
  return pid;
}

int fg_worker_end(int pid) {
  enum { MILLISECONDS = 200 };
  int status = 0;
  kill(pid, SIGTERM);
  for (int i = 0; i < MILLISECONDS; i++) {
    if (waitpid(pid, &status, WNOHANG) == pid) return status;
    nanosleep(&(struct timespec){0, 1000000}, NULL);
  }
  kill(pid, SIGKILL);
  while (waitpid(pid, &status, 0) < 0 && errno == EINTR) continue;
  return status;
}
