/* See parallel.h. In: a step. Out: the same results, whatever the number of threads.
 *
 * Threads live for one step, so that neither fork nor dlclose ever finds one; a step that is over sooner than threads
 * are started runs without. */
#include "fftw/sweep/parallel.h"
#include <pthread.h>

enum { MOST = 256, LEAST = 1 << 14 /* points of a step that is worth threads */ };

static fg_parallel_loop given;
static void *given_data;

void fg_parallel_use(fg_parallel_loop loop, void *data) {
  given_data = data;
  __atomic_store_n(&given, loop, __ATOMIC_RELEASE);
}

typedef struct job {
  fg_step *step;
  const fg_step_arrays *arrays;
  int64_t first, end;
  bool done;
} job;

static void run(job *j) { j->done = fg_step_run_parts(j->step, j->arrays, j->first, j->end); }

static void *run_job(char *of) {
  run((job *)(void *)of);
  return NULL;
}

typedef struct call { /* of a thread */
  void *(*work)(char *job);
  char *job;
} call;

static void *run_thread(void *of) {
  const call *c = of;
  return c->work(c->job);
}

/* work(jobs + i * bytes) for i < count, at most MOST of them. */
static void run_all(void *(*work)(char *job), char *jobs, size_t bytes, int count) {
  fg_parallel_loop loop = __atomic_load_n(&given, __ATOMIC_ACQUIRE);
  if (loop) {
    loop(work, jobs, bytes, count, given_data);
    return;
  }
  pthread_t thread[MOST];
  call calls[MOST];
  bool started[MOST];
  for (int i = 1; i < count; i++) {
    calls[i] = (call){work, jobs + (size_t)i * bytes};
    started[i] = pthread_create(&thread[i], NULL, run_thread, &calls[i]) == 0;
  }
  work(jobs);
  for (int i = 1; i < count; i++) {
    if (started[i])
      pthread_join(thread[i], NULL);
    else
      work(calls[i].job);
  }
}

static int threads_for(const fg_step *s, int64_t parts, int threads) {
  int64_t points = parts * s->lines * (s->line ? s->line->n : s->dim.n);
  if (points < LEAST || threads < 1) return 1;
  if (threads > MOST) threads = MOST;
  return parts < threads ? (int)parts : threads;
}

bool fg_parallel_step(fg_step *s, const fg_step_arrays *a, int threads) {
  int64_t parts = s->parts;
  int count = threads > 1 ? threads_for(s, parts, threads) : 1;
  if (count == 1) return fg_step_run(s, a);
  job jobs[MOST] = {{0}};
  for (int i = 0; i < count; i++) jobs[i] = (job){s, a, parts * i / count, parts * (i + 1) / count, false};
  run_all(run_job, (char *)jobs, sizeof *jobs, count);
  bool done = true;
  for (int i = 0; i < count; i++) done = done && jobs[i].done;
  return done;
}

typedef struct part {
  void (*work)(void *data, int part);
  void *data;
  int first, end;
} part;

static void *run_part(char *of) {
  const part *p = (const part *)(void *)of;
  for (int i = p->first; i < p->end; i++) p->work(p->data, i);
  return NULL;
}

void fg_parallel_parts(int parts, void (*work)(void *data, int part), void *data) {
  part jobs[MOST];
  int count = parts < MOST ? parts : MOST;
  for (int i = 0; i < count; i++)
    jobs[i] = (part){work, data, (int)((int64_t)parts * i / count), (int)((int64_t)parts * (i + 1) / count)};
  if (count > 0) run_all(run_part, (char *)jobs, sizeof *jobs, count);
}
