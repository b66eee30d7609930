/* See consult.h. A file is identified by its status. File times are coarse (4 ms, 2 s on FAT), so a file that
 * changed shortly before it was read is read again (as git does with its index, "racy git"). Files are replaced by
 * renaming, so another inode shows a change, too. */
#include "runtime/store/consult.h"
#include "runtime/store/read.h"
#include "runtime/store/store.h"
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

enum { FILES = 4, GRAIN_SECONDS = 2, MOST_BYTES = 1 << 28 };

typedef struct known {
  fg_arena *arena; /* NULL: no file yet */
  char *path;      /* as it was named */
  struct stat as;  /* when it was read */
  bool settled;    /* then it had not changed for long enough */
  fg_wisdom wisdom;
} known;

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static known files[FILES];
static int next_to_go;

static void forget(known *k) {
  fg_arena_destroy(k->arena);
  free(k->path);
  *k = (known){0};
}

static void __attribute__((destructor)) forget_all(void) {
  for (int i = 0; i < FILES; i++) forget(&files[i]);
}

static bool is_same_time(struct timespec a, struct timespec b) {
  return a.tv_sec == b.tv_sec && a.tv_nsec == b.tv_nsec;
}

static bool is_current(const known *k) {
  struct stat now;
  return k->settled && stat(k->path, &now) == 0 && now.st_ino == k->as.st_ino && now.st_dev == k->as.st_dev &&
         now.st_size == k->as.st_size && is_same_time(now.st_mtim, k->as.st_mtim) &&
         is_same_time(now.st_ctim, k->as.st_ctim);
}

static known *find(const char *path) {
  for (int i = 0; i < FILES; i++)
    if (files[i].arena && !strcmp(files[i].path, path)) return &files[i];
  return NULL;
}

typedef struct reading {
  fg_context cx; /* with the arena of what is read */
  known *file;
  int fd; /* -1: not open */
  fg_status status;
} reading;

/* What is said of the file is asked before it is read: what changes meanwhile is noticed the next time. */
static void read_file(void *data) {
  reading *r = data;
  known *k = r->file;
  char *text;
  size_t bytes;
  r->status = fg_store_open(&r->cx, k->path, &r->fd);
  if (r->status != FG_OK) return;
  time_t now = time(NULL);
  k->settled = fstat(r->fd, &k->as) == 0 && k->as.st_ctim.tv_sec + GRAIN_SECONDS < now;
  r->status = fg_store_read_open(&r->cx, r->fd, k->path, MOST_BYTES, &text, &bytes);
  if (r->status == FG_OK) fg_wisdom_parse(&r->cx, k->path, text, bytes, (fg_wisdom_warn){0}, &k->wisdom);
}

/* In an arena of its own, in place of what was known of that path, or of the oldest path. */
static fg_status learn(fg_context *cx, const char *path, known **out) {
  known *place = find(path), fresh = {.arena = fg_arena_create(), .path = strdup(path)};
  reading r = {.cx = {.arena = fresh.arena}, .file = &fresh, .fd = -1, .status = FG_ENOMEM};
  if (fresh.arena && fresh.path && !fg_arena_run(fresh.arena, read_file, &r)) r.status = FG_ENOMEM;
  if (r.fd >= 0) close(r.fd);
  if (place) forget(place);
  if (r.status != FG_OK) {
    forget(&fresh);
  } else {
    if (!place) place = &files[next_to_go], next_to_go = (next_to_go + 1) % FILES, forget(place);
    *place = fresh;
  }
  if (r.cx.diag.message[0]) fg_diag_set(&cx->diag, r.status, "%s", r.cx.diag.message);
  *out = place;
  return r.status;
}

typedef struct question {
  fg_context *cx;
  const char *path;
  fg_wisdom_warn warn;
  const fg_wisdom *wisdom;
  fg_consult_question *ask;
  void *data;
} question;

static void answer(void *data) {
  const question *q = data;
  fg_wisdom_tell(q->cx, q->warn, q->path, q->wisdom);
  q->ask(q->data, q->wisdom);
}

/* With the lock held. */
static fg_status consult(question *q) {
  static const fg_wisdom nothing;
  known *k = find(q->path);
  fg_status status = k && is_current(k) ? FG_OK : learn(q->cx, q->path, &k);
  if (status != FG_OK && status != FG_ENA) return status;
  q->wisdom = status == FG_OK ? &k->wisdom : &nothing;
  return fg_arena_run(q->cx->arena, answer, q) ? FG_OK : FG_ENOMEM;
}

fg_status fg_consult(fg_context *cx, const char *path, fg_wisdom_warn warn, fg_consult_question *ask, void *data) {
  question q = {.cx = cx, .path = path, .warn = warn, .ask = ask, .data = data};
  pthread_mutex_lock(&lock);
  fg_status status = consult(&q);
  pthread_mutex_unlock(&lock);
  return status;
}
