/* libfftgen in a program that is not alone in the world: its threads have small
 * stacks, it forks, signals interrupt it, many threads want plans. usage:
 * inside MODE NUMBER [MOST]: NUMBER is the size of the stack in KiB, or the length of
 * the first plan; MOST: so many plans at most, where compilers are slow. 0, or it has
 * said what went wrong. */
#define _GNU_SOURCE
#include "inside.h"
#include <pthread.h>
#include <signal.h>
#include <string.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <unistd.h>

static int most = 100;

/* ---- plan N: what it takes, and what is said of it ------------------------------ */

static int warnings;

static void print_warning(void *context, const char *message) {
  (void)context;
  warnings++;
  printf("warning: %s\n", message);
}

static bool plan(int n) {
  fftgen_options o = {.size = sizeof o, .warning = print_warning};
  fftgen_info info = {.size = sizeof info};
  fftgen_error error;
  fftgen_plan *p;
  char problem[64];
  snprintf(problem, sizeof problem, "c2c f32 n=%d", n);
  if (fftgen_plan_create(problem, &o, &p, &error) != FFTGEN_OK) return printf("%s\n", error.message), false;
  fftgen_plan_info(p, &info);
  bool right = inside_is_right(p, n);
  printf("%s %s %s: %s\n", right ? "right" : "wrong", info.origin, info.isa, info.reasons);
  fftgen_plan_destroy(p);
  return right;
}

/* ---- stack: threads of 128 KiB -------------------------------------------------- */

/* Of other kinds only that they are made and run; the arrays are theirs to overrun. */
static bool runs(const char *problem) {
  fftgen_plan *p;
  fftgen_error error;
  fftgen_info info = {.size = sizeof info};
  if (fftgen_plan_create(problem, NULL, &p, &error) != FFTGEN_OK)
    return printf("%s: %s\n", problem, error.message), false;
  fftgen_plan_info(p, &info);
  void *in = calloc(1, info.in_bytes), *out = calloc(1, info.out_bytes);
  bool done = in && out && fftgen_execute(p, in, out) == FFTGEN_OK;
  free(in);
  free(out);
  fftgen_plan_destroy(p);
  return done;
}

static void *use_little_stack(void *data) {
  bool *good = data;
  static const int sizes[] = {8, 1000, 1009, 4096};
  static const char *const others[] = {"r2c f64 n=1024", "dct2 f32 n=308", "c2c f32 n=30x28", "c2c f64 n=4096 batch=2"};
  *good = true;
  for (size_t i = 0; i < sizeof sizes / sizeof *sizes && (int)i < most; i++) *good &= inside_try(sizes[i], NULL);
  for (size_t i = 0; i < sizeof others / sizeof *others && (int)i + 4 < most; i++) *good &= runs(others[i]);
  return NULL;
}

static bool stack(int kib) {
  pthread_attr_t attr;
  pthread_t thread;
  bool good = false;
  pthread_attr_init(&attr);
  if (pthread_attr_setstacksize(&attr, (size_t)kib << 10)) return printf("no stack of %d KiB\n", kib), false;
  if (pthread_create(&thread, &attr, use_little_stack, &good)) return false;
  pthread_join(thread, NULL);
  return good;
}

/* ---- fork: plans of before and of after, in both processes -------------------------- */

static bool both(const fftgen_plan *before, int fresh) {
  return inside_is_right(before, 240) && inside_try(fresh, NULL) && inside_is_right(before, 240);
}

static bool forks(int fresh) {
  fftgen_plan *before;
  int status;
  if (fftgen_plan_create("c2c f32 n=240", NULL, &before, NULL) != FFTGEN_OK) return false;
  for (int i = 0; i < 3; i++) {
    fflush(stdout);
    pid_t child = fork();
    if (child == 0) {
      bool good = both(before, fresh + i); /* made here first */
      fftgen_plan_destroy(before);
      fflush(stdout);
      _exit(!good);
    }
    bool good = both(before, fresh + 10 + i);
    if (child < 0 || waitpid(child, &status, 0) != child || status || !good)
      return printf("round %d: child %d, parent %d\n", i, status, good), false;
  }
  fftgen_plan_destroy(before);
  return true;
}

/* ---- fork beside threads that make plans ---------------------------------------------------- */

static volatile sig_atomic_t stop;

static void *make_plans(void *data) {
  for (int n = *(int *)data; !stop; n++)
    if (!inside_try(n, NULL)) return NULL;
  return data;
}

/* Plans of other lengths than before, in a child that has a minute. */
static bool child_makes(int number) {
  int status;
  fflush(stdout);
  pid_t child = fork();
  if (child == 0) {
    alarm(60);
    bool good = inside_try(number, NULL) && inside_try(number + 1, NULL);
    fflush(stdout);
    _exit(!good);
  }
  if (child > 0 && waitpid(child, &status, 0) == child && !status) return true;
  return printf("n=%d: the child ended with %x\n", number, child > 0 ? (unsigned)status : 0), false;
}

static bool busy(int fresh) {
  enum { MAKERS = 2, FORKS = 8 };
  pthread_t thread[MAKERS];
  int first[MAKERS];
  bool good = true;
  for (int i = 0; i < MAKERS; i++) {
    first[i] = fresh + 1000 * (i + 1);
    if (pthread_create(&thread[i], NULL, make_plans, &first[i])) return false;
  }
  for (int i = 0; i < FORKS && i < most && good; i++) good = child_makes(fresh + 2 * i);
  stop = 1;
  for (int i = 0; i < MAKERS; i++) {
    void *made;
    pthread_join(thread[i], &made);
    good &= made != NULL;
  }
  return good;
}

/* ---- fork while a compiler does not end: NUMBER is a file's descriptor that ends it ---------------- */

static void *make_one(void *data) { return inside_try(64, NULL) ? data : NULL; }

/* In the child: a status that says why, at once; what was made before still runs. */
static bool is_told(const fftgen_plan *made_before) {
  fftgen_plan *p = NULL;
  fftgen_error error;
  alarm(60);
  bool told = fftgen_plan_create("c2c f32 n=65", NULL, &p, &error) == FFTGEN_ESYSTEM && !p;
  printf("%s\n", error.message);
  return told && strstr(error.message, "forked") && inside_is_right(made_before, 48);
}

static bool stuck(int end_of_compiler) {
  fftgen_plan *before;
  pthread_t thread;
  void *made;
  int status = -1;
  const char *compiler = getenv("SLOW"); /* waits for the other end of a FIFO */
  if (!compiler || fftgen_plan_create("c2c f32 n=48", NULL, &before, NULL) != FFTGEN_OK) return false;
  setenv("CC", compiler, 1);
  if (pthread_create(&thread, NULL, make_one, &most)) return false;
  while (access("compiling", F_OK)) usleep(10000);
  fflush(stdout);
  pid_t child = fork();
  if (child == 0) {
    bool good = is_told(before);
    fflush(stdout);
    _exit(!good);
  }
  bool good = child > 0 && waitpid(child, &status, 0) == child && !status;
  good &= write(end_of_compiler, "go\n", 3) == 3;
  pthread_join(thread, &made);
  fftgen_plan_destroy(before);
  return good && made;
}

/* ---- threads: the same plans and others at once ----------------------------------------- */

enum { THREADS = 8, PLANS = 5 };

typedef struct member {
  pthread_t thread;
  int number, fresh;
  bool good;
} member;

static void *want_plans(void *data) {
  member *m = data;
  m->good = true;
  for (int i = 0; i < PLANS && i < most; i++) /* one that all want, one of its own */
    m->good &= inside_try(m->fresh + i, NULL) && inside_try(m->fresh + PLANS + m->number * 3 + i % 3, NULL);
  return NULL;
}

static bool threads(int fresh) {
  member crowd[THREADS];
  bool good = true;
  for (int i = 0; i < THREADS; i++) {
    crowd[i] = (member){.number = i, .fresh = fresh};
    if (pthread_create(&crowd[i].thread, NULL, want_plans, &crowd[i])) return false;
  }
  for (int i = 0; i < THREADS; i++) {
    pthread_join(crowd[i].thread, NULL);
    good &= crowd[i].good;
  }
  return good;
}

/* ---- signals: a timer that interrupts whatever waits; children that nobody waits for --- */

static volatile sig_atomic_t alarms;
static void count_alarm(int number) {
  (void)number;
  alarms++;
}

static bool signals(int fresh) {
  struct sigaction interrupt = {.sa_handler = count_alarm}; /* no SA_RESTART */
  struct itimerval often = {{0, 300}, {0, 300}}, never = {{0, 0}, {0, 0}};
  bool good = true;
  sigaction(SIGALRM, &interrupt, NULL);
  setitimer(ITIMER_REAL, &often, NULL);
  for (int i = 0; i < 4 && i < most; i++) good &= inside_try(fresh + i, NULL);
  for (int i = 0; i < 1000 && alarms < 10; i++) good &= inside_try(fresh, NULL); /* out of the cache */
  setitimer(ITIMER_REAL, &never, NULL);
  if (alarms < 10) return printf("only %d alarms\n", (int)alarms), false;
  signal(SIGCHLD, SIG_IGN);
  warnings = 0;
  good &= plan(fresh + 4) && !warnings; /* by the compiler that was asked for, and by no other way */
  signal(SIGCHLD, SIG_DFL);
  sigset_t all, before;
  sigfillset(&all);
  sigprocmask(SIG_SETMASK, &all, &before);
  good &= inside_try(fresh + 5, NULL);
  sigprocmask(SIG_SETMASK, &before, NULL);
  return good;
}

/* ---- all -------------------------------------------------------------------------- */

static const struct mode {
  const char *name;
  bool (*run)(int number);
} modes[] = {{"plan", plan},   {"stack", stack},     {"fork", forks},     {"busy", busy},
             {"stuck", stuck}, {"threads", threads}, {"signals", signals}};

int main(int argc, char **argv) {
  if (argc > 3) most = atoi(argv[3]);
  for (size_t i = 0; argc > 2 && i < sizeof modes / sizeof *modes; i++)
    if (!strcmp(argv[1], modes[i].name)) return !modes[i].run(atoi(argv[2]));
  printf("usage: inside MODE NUMBER [MOST]\n");
  return 2;
}
