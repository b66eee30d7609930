/* Plans that are shared. In: a struct and options. Out: a plan that later calls with the same ones find.
 *
 * The key has all that two calls may differ in, as bytes: the struct's lists and texts, not their addresses. Plans are
 * made without the lock: of two threads with one problem the first one's stays. */
#include "generator/base/recent.h"
#include "runtime/include/fftgen/shared.h"
#include "runtime/plan/exec.h"
#include "runtime/plan/public.h"
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_KEY = 4096, PLANS = 1024 };

typedef struct kept {
  fg_recent_entry entry; /* first */
  fftgen_plan *plan;
  char key[];
} kept;

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER; /* of the table; free where a fork happens (fork.h) */
static fg_recent_entry *bucket[FG_RECENT_BUCKETS];
static fg_recent table = {.bucket = bucket, .counts = {.limit = PLANS, .most_bytes = INT64_C(1) << 30}};

/* ---- keys ---------------------------------------------------------------------------- */

typedef struct key {
  size_t size;
  bool whole; /* it has room for all */
  char bytes[MOST_KEY];
} key;

static void __attribute__((noinline)) add(key *k, const void *bytes, size_t size) {
  k->whole = k->whole && size <= sizeof k->bytes - k->size;
  if (!k->whole || !size) return;
  memcpy(k->bytes + k->size, bytes, size);
  k->size += size;
}

static void __attribute__((noinline)) add_text(key *k, const char *text) {
  add(k, text ? text : "", text ? strlen(text) + 1 : 1);
}

/* False: the struct is not one that has a key; making a plan of it says why. */
static bool add_problem(key *k, const fftgen_problem *given) {
  fftgen_problem p = {0};
  memcpy(&p, given, given->size < sizeof p ? given->size : sizeof p);
  const int head[] = {(int)p.kind, (int)p.precision, p.rank, p.batch_rank, p.nparam, p.sign, (int)p.flags};
  if (p.rank < 1 || p.rank > FG_MAX_RANK || !p.dim || p.batch_rank < 0 || p.batch_rank > FG_MAX_RANK) return false;
  if ((p.batch_rank && !p.batch) || p.nparam < 0 || p.nparam > FG_MAX_PARAMS || (p.nparam && !p.param)) return false;
  add(k, head, sizeof head);
  add(k, p.dim, (size_t)p.rank * sizeof *p.dim);
  add(k, p.batch, (size_t)p.batch_rank * sizeof *p.batch);
  for (int i = 0; i < p.nparam; i++) {
    const long long range[] = {p.param[i].lowest, p.param[i].highest};
    add(k, range, sizeof range);
    add_text(k, p.param[i].name);
  }
  add_text(k, p.more);
  return true;
}

/* All but whom warnings are told. Allocators and callbacks are who they are. */
static void add_options(key *k, const fftgen_options *o) {
  const char *const text[] = {o->wisdom, o->cache, o->plan, o->pack, o->arch};
  const int number[] = {(int)o->flags, o->concurrency, o->threads, (int)o->effort};
  add(k, number, sizeof number);
  add(k, &o->time_limit, sizeof o->time_limit);
  add(k, &o->allocator, sizeof o->allocator);
  add(k, &o->parallel_for, sizeof o->parallel_for);
  add(k, &o->parallel_context, sizeof o->parallel_context);
  for (size_t i = 0; i < sizeof text / sizeof *text; i++) {
    add(k, text[i] ? "1" : "0", 1);
    add_text(k, text[i]);
  }
}

static bool find_key(const fftgen_problem *p, const fftgen_options *options, key *k) {
  fftgen_options o;
  k->size = 0, k->whole = true;
  if (!p || p->size < sizeof p->size || fg_public_options(options, &o)) return false;
  if (!add_problem(k, p)) return false;
  if (options) add_options(k, &o);
  return k->whole;
}

/* ---- the table: between fg_fork_enter and fg_fork_leave --------------------------------- */

static fftgen_plan *find(const fg_recent_entry *like) {
  pthread_mutex_lock(&lock);
  kept *e = (kept *)fg_recent_find(&table, like);
  pthread_mutex_unlock(&lock);
  return e ? e->plan : NULL;
}

/* One of which no one else knows, as a list. */
static fg_recent_entry *alone(fg_recent_entry *e) { return e->next = NULL, e; }

static void destroy_all(fg_recent_entry *gone) {
  for (fg_recent_entry *next; gone; gone = next) {
    next = gone->next;
    fg_exec_destroy(((kept *)gone)->plan);
    free(gone);
  }
}

/* The plan that is there by now, where another thread was first. */
static fftgen_plan *keep(const fg_recent_entry *like, fftgen_plan *plan) {
  kept *own = malloc(sizeof *own + like->size);
  fg_recent_entry *gone = NULL;
  if (!own) return plan; /* it is the caller's alone */
  own->entry = *like, own->plan = plan;
  own->entry.key = memcpy(own->key, like->key, like->size);
  own->entry.bytes = fg_exec_bytes(plan), own->entry.users = 1;
  fg_exec_keep(plan, own);
  pthread_mutex_lock(&lock);
  kept *e = (kept *)fg_recent_find(&table, like);
  if (e)
    gone = alone(&own->entry);
  else
    e = own, fg_recent_add(&table, &own->entry, &gone);
  pthread_mutex_unlock(&lock);
  destroy_all(gone);
  return e->plan;
}

static fftgen_plan *find_outside_forks(const fg_recent_entry *like) {
  fftgen_plan *plan = fg_fork_enter() ? find(like) : NULL;
  fg_fork_leave();
  return plan;
}

fftgen_status fftgen_plan_get(const fftgen_problem *problem, const fftgen_options *options, fftgen_plan **plan,
                              fftgen_error *error) {
  key k;
  if (!plan) return fg_public_tell(error, FFTGEN_EPROBLEM, "no pointer for the plan");
  if (!find_key(problem, options, &k)) return fftgen_plan_create_from(problem, options, plan, error);
  fg_recent_entry like = {.key = k.bytes, .size = k.size, .hash = fg_recent_hash(k.bytes, k.size)};
  *plan = find_outside_forks(&like);
  if (*plan) return fg_public_tell(error, FFTGEN_OK, "");
  fftgen_status status = fftgen_plan_create_from(problem, options, plan, error);
  if (status != FFTGEN_OK) return status;
  if (fg_fork_enter()) *plan = keep(&like, *plan);
  fg_fork_leave();
  return FFTGEN_OK;
}

void fftgen_plan_release(fftgen_plan *plan) {
  kept *e = plan ? fg_exec_kept(plan) : NULL;
  if (!e) {
    fftgen_plan_destroy(plan);
    return;
  }
  if (fg_fork_enter()) {
    pthread_mutex_lock(&lock);
    bool last = fg_recent_leave(&e->entry);
    pthread_mutex_unlock(&lock);
    if (last) destroy_all(alone(&e->entry));
  }
  fg_fork_leave();
}

void fftgen_plans_limit(int64_t plans, int64_t bytes) {
  fg_recent_entry *gone = NULL;
  if (fg_fork_enter()) {
    pthread_mutex_lock(&lock);
    table.counts.limit = plans > 0 ? plans : 0, table.counts.most_bytes = bytes > 0 ? bytes : 0;
    fg_recent_drop_beyond(&table, table.counts.limit, &gone);
    pthread_mutex_unlock(&lock);
    destroy_all(gone);
  }
  fg_fork_leave();
}

fftgen_status fftgen_plans_count(fftgen_plans *plans) {
  if (!plans || plans->size < sizeof plans->size) return FFTGEN_EPROBLEM;
  fftgen_status status = FFTGEN_ESYSTEM;
  if (fg_fork_enter()) {
    pthread_mutex_lock(&lock);
    const fg_recent_counts *t = &table.counts;
    fftgen_plans all = {sizeof all, t->kept, t->bytes, t->found, t->made, t->dropped};
    pthread_mutex_unlock(&lock);
    all.size = plans->size < sizeof all ? plans->size : sizeof all;
    memcpy(plans, &all, all.size);
    status = FFTGEN_OK;
  }
  fg_fork_leave();
  return status;
}
