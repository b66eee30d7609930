/* Kernels that a thread in the background makes. In: orders of problems that nothing is known of. Out: what
 * fg_kernel_get will find.
 *
 * One thread works for as long as there are orders. It cannot end while it uses LLVM, so that this library stays when
 * it is closed, once there was one, and the end of the program waits for the order at hand. A child of fork has neither
 * the thread nor its orders. */
#include "fftw/base/lock.h"
#include "fftw/kernel/found.h"
#include "targets/env.h"
#include <dlfcn.h>
#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_ORDERS = 256 };

typedef struct job {
  struct job *next;
  fg_request request; /* its lists are behind it */
  char text[FFTGEN_TEXT_SIZE];
} job;

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER; /* of what follows */
static pthread_cond_t ended = PTHREAD_COND_INITIALIZER;
static job *first;
static int count;     /* of orders */
static bool running;  /* there is the thread */
static bool closing;  /* the program ends */
static const job *at; /* the order at hand */

/* ---- orders ---------------------------------------------------------------------------- */

static job *new_job(const fg_request *r, const char *text) {
  size_t rank = (size_t)r->rank, dims = rank + (size_t)r->vectors;
  job *j = malloc(sizeof *j + dims * sizeof(fg_dim) + rank * sizeof(fg_line_type));
  if (!j) return NULL;
  fg_dim *dim = (fg_dim *)(void *)(j + 1);
  fg_line_type *type = (fg_line_type *)(void *)(dim + dims);
  *j = (job){.request = *r};
  memcpy(dim, r->dim, rank * sizeof *dim);
  memcpy(dim + rank, r->vector, (size_t)r->vectors * sizeof *dim);
  memcpy(type, r->type, rank * sizeof *type);
  j->request.dim = dim, j->request.vector = dim + rank, j->request.type = type;
  memcpy(j->text, text, strlen(text) + 1);
  return j;
}

/* Only distances between the arrays' addresses count; nothing is there any more. */
static void work_on(job *j) {
  const fg_kernel_library *l = fg_kernel_library_get();
  fg_transform *t = fg_transform_create(&j->request);
  fg_kernel_order o = {.request = &j->request, .transform = t, .effort = FG_KERNEL_MEASURE, .seconds = -1};
  if (t) fg_kernel_release(fg_kernel_find_out(l, j->text, &o));
  fg_transform_destroy(t);
}

static void *work(void *unused) {
  (void)unused;
  pthread_mutex_lock(&lock);
  while (first && !closing) {
    job *j = first;
    first = j->next, count--, at = j;
    pthread_mutex_unlock(&lock);
    work_on(j);
    pthread_mutex_lock(&lock);
    at = NULL;
    free(j);
  }
  running = false;
  pthread_cond_broadcast(&ended);
  pthread_mutex_unlock(&lock);
  return NULL;
}

/* ---- the thread --------------------------------------------------------------------------- */

static void wait_for_end(void) {
  pthread_mutex_lock(&lock);
  closing = true;
  while (running) pthread_cond_wait(&ended, &lock);
  pthread_mutex_unlock(&lock);
}

static void before_fork(void) { pthread_mutex_lock(&lock); }

static void in_parent(void) { pthread_mutex_unlock(&lock); }

static void in_child(void) {
  for (job *next; first; first = next) next = first->next, free(first);
  running = false, count = 0, at = NULL;
  pthread_cond_init(&ended, NULL);
  pthread_mutex_unlock(&lock);
}

/* LLVM is loaded before the end of the program is ordered: what it has to end is ended after that. */
static void prepare(void) {
  const fg_kernel_library *l = fg_kernel_library_get();
  fftgen_options f = {.size = sizeof f, .flags = FFTGEN_NO_CACHE | FFTGEN_NO_WISDOM};
  fftgen_plan *p = NULL;
  Dl_info here;
  if (dladdr(&lock, &here) && here.dli_fname) dlopen(here.dli_fname, RTLD_NOW | RTLD_NOLOAD | RTLD_NODELETE);
  if (l->create("c2c f32 n=2", &f, &p, NULL) == FFTGEN_OK) l->destroy(p);
  pthread_atfork(before_fork, in_parent, in_child);
  atexit(wait_for_end);
}

static void start(void) {
  pthread_t thread;
  pthread_attr_t attributes;
  sigset_t all, before;
  sigfillset(&all);
  if (pthread_attr_init(&attributes)) return;
  pthread_attr_setdetachstate(&attributes, PTHREAD_CREATE_DETACHED);
  pthread_sigmask(SIG_SETMASK, &all, &before);
  running = pthread_create(&thread, &attributes, work, NULL) == 0;
  pthread_sigmask(SIG_SETMASK, &before, NULL);
  pthread_attr_destroy(&attributes);
}

static bool is_ordered(const char *text, int threads) {
  if (at && !strcmp(at->text, text) && at->request.threads == threads) return true;
  for (const job *j = first; j; j = j->next)
    if (!strcmp(j->text, text) && j->request.threads == threads) return true;
  return false;
}

static void order(const fg_request *r, const char *text) {
  static pthread_once_t once = PTHREAD_ONCE_INIT;
  pthread_once(&once, prepare);
  pthread_mutex_lock(&lock);
  job *j = count < MOST_ORDERS && !closing && !is_ordered(text, r->threads) ? new_job(r, text) : NULL;
  if (j) {
    job **end = &first;
    while (*end) end = &(*end)->next;
    *end = j, count++;
    if (!running) start();
  }
  pthread_mutex_unlock(&lock);
}

fg_kernel *fg_kernel_later(const fg_kernel_order *o) {
  char text[FFTGEN_TEXT_SIZE];
  const fg_kernel_library *l = fg_kernel_library_get();
  if (!l || !fg_kernel_text(l, o->request, text)) return NULL;
  fg_kernel *k = fg_kernel_found(text, o->request->threads, FG_KERNEL_MEASURE);
  if (!k) order(o->request, text);
  return fg_kernel_or_codelets(k);
}
