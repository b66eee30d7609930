/* See cache.h. An index file is one line of JSON: the whole request (hashes may collide), the object's name, size
 * and hash. A truncated shared object must not reach the dynamic loader, which would crash. */
#include "runtime/store/cache.h"
#include "runtime/store/hash.h"
#include "runtime/store/line.h"
#include "targets/env.h"
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

enum { MOST_OBJECT = 1 << 28, MOST_INDEX = 1 << 16, USUAL_MIB = 256, BLOCK = 4096, LEFT_OVER = 3600 /* seconds */ };

/* Only a folder that no one else can write to may hold code that is run. */
static const char *distrust(fg_context *cx, const char *folder) {
  struct stat st;
  if (stat(folder, &st) != 0) return fg_arena_printf(cx->arena, "%s: %s", folder, strerror(errno));
  if (!S_ISDIR(st.st_mode)) return fg_arena_printf(cx->arena, "%s: not a folder", folder);
  const char *doubt = fg_store_distrust(&st);
  return doubt ? fg_arena_printf(cx->arena, "%s: %s", folder, doubt) : NULL;
}

fg_status fg_cache_open(fg_context *cx, const char *folder, fg_cache *out) {
  static const fg_store_place place = {"FFTGEN_CACHE", "XDG_CACHE_HOME", ".cache", ""};
  *out = (fg_cache){.folder = folder && *folder ? folder : fg_store_find(cx->arena, &place), .suffix = out->suffix};
  if (!out->folder) {
    out->why = fg_env_secure() ? "a set-user-id program has none" : "neither FFTGEN_CACHE nor a home folder is set";
    return FG_ENA;
  }
  if (access("/proc/self/fd", X_OK) != 0) {
    out->why = "without /proc an object cannot be loaded through its checked descriptor";
    return FG_ENA;
  }
  fg_context own = {.arena = cx->arena};
  fg_status status = fg_store_make_folder(&own, fg_arena_printf(cx->arena, "%s/objects", out->folder));
  if (status == FG_OK) status = fg_store_make_folder(&own, fg_arena_printf(cx->arena, "%s/index", out->folder));
  if (status != FG_OK) out->why = fg_arena_strdup(cx->arena, own.diag.message);
  const char *objects = fg_arena_printf(cx->arena, "%s/objects", out->folder);
  const char *doubt = distrust(cx, out->folder);
  if (!doubt) doubt = distrust(cx, objects);
  if (!doubt) doubt = distrust(cx, fg_arena_printf(cx->arena, "%s/index", out->folder));
  if (doubt) {
    out->why = doubt;
    return FG_ENA;
  }
  if (status == FG_OK && access(objects, W_OK) != 0)
    out->why = fg_arena_printf(cx->arena, "%s: %s", objects, strerror(errno));
  out->writable = !out->why;
  return FG_OK;
}

static const char *index_path(fg_context *cx, const fg_cache *c, const char *key) {
  char name[FG_HASH_TEXT];
  fg_hash_text(fg_hash_add(fg_hash_begin(), key, strlen(key)), name);
  return fg_arena_printf(cx->arena, "%s/index/%s", c->folder, name);
}

static const char *object_path(fg_context *cx, const fg_cache *c, const char *address) {
  return fg_arena_printf(cx->arena, "%s/objects/%s%s", c->folder, address, c->suffix);
}

/* On a read-only home nothing happens. */
static void touch(const char *path) { (void)utimensat(AT_FDCWD, path, NULL, AT_SYMLINK_NOFOLLOW); }

static bool is_name(const char *text) { return *text && !text[strspn(text, "0123456789abcdef")]; }

static fg_status damaged(fg_context *cx, const char *path) {
  return fg_diag_set(&cx->diag, FG_ESYS, "%s: damaged", path);
}

/* The name of the object that answers key, and the sum that it must have. */
static fg_status look_up(fg_context *cx, const char *index, const char *key, const char **name, const char **wanted) {
  char *text;
  size_t bytes;
  fg_line fields;
  int fd;
  fg_status status = fg_store_open_own(cx, index, &fd);
  if (status != FG_OK) return status;
  status = fg_store_read_open(cx, fd, index, MOST_INDEX, &text, &bytes);
  close(fd);
  if (status != FG_OK) return status;
  while (bytes && text[bytes - 1] == '\n') bytes--;
  if (fg_line_read(cx->arena, text, bytes, &fields)) return damaged(cx, index);
  const char *whole_key = fg_line_text(&fields, "key");
  *name = fg_line_text(&fields, "object");
  *wanted = fg_line_text(&fields, "sum");
  if (!whole_key || !*name || !is_name(*name) || !*wanted) return damaged(cx, index);
  return strcmp(whole_key, key) ? FG_ENA : FG_OK; /* hashes of keys collide */
}

/* Nothing is allocated while the object is open. */
static fg_status find(fg_context *cx, const fg_cache *c, const char *key, fg_cache_object *out) {
  const char *index = index_path(cx, c, key), *name = NULL, *wanted = NULL;
  char sum[FG_HASH_TEXT];
  fg_status status = look_up(cx, index, key, &name, &wanted);
  if (status != FG_OK) return status;
  out->path = object_path(cx, c, name);
  status = fg_store_open_own(cx, out->path, &out->fd);
  if (status != FG_OK) return status;
  status = fg_store_sum_open(cx, out->fd, out->path, MOST_OBJECT, sum);
  if (status == FG_OK && strcmp(sum, wanted)) status = damaged(cx, out->path);
  if (status == FG_OK && !fg_store_name_open(out->fd, out->name)) status = FG_ENA;
  if (status != FG_OK) return fg_cache_close(out), status;
  (void)futimens(out->fd, NULL); /* used now: the last to be removed */
  touch(index);
  return FG_OK;
}

/* Whatever is wrong with a cache, it only means that there is nothing in it. */
fg_status fg_cache_find(fg_context *cx, const fg_cache *c, const char *key, fg_cache_object *out) {
  fg_context own = {.arena = cx->arena};
  *out = (fg_cache_object){.fd = -1};
  fg_status status = find(&own, c, key, out);
  if (status != FG_OK && own.diag.message[0]) out->why = fg_arena_strdup(cx->arena, own.diag.message);
  return status == FG_OK ? FG_OK : FG_ENA;
}

void fg_cache_close(fg_cache_object *object) {
  if (object->fd >= 0) close(object->fd);
  object->fd = -1;
}

static const char *address_key(fg_context *cx, const char *address) {
  return fg_arena_printf(cx->arena, "address %s", address);
}

fg_status fg_cache_find_address(fg_context *cx, const fg_cache *c, const char *address, fg_cache_object *out) {
  return fg_cache_find(cx, c, address_key(cx, address), out);
}

const char *fg_cache_temporary(fg_context *cx, const fg_cache *c) {
  static atomic_uint count;
  return fg_arena_printf(cx->arena, "%s/objects/new-%ld-%u%s", c->folder, (long)getpid(),
                         atomic_fetch_add(&count, 1) + 1, c->suffix);
}

static fg_status note(fg_context *cx, const fg_cache *c, const char *key, const char *address, const char *sum) {
  const char *text = fg_arena_printf(cx->arena, "{\"key\":%s,\"object\":\"%s\",\"sum\":\"%s\"}\n",
                                     fg_line_quote(cx->arena, key), address, sum);
  const char *index = index_path(cx, c, key);
  fg_context own = {.arena = cx->arena};
  int old;
  fg_status status = fg_store_open_own(&own, index, &old);
  if (status == FG_OK)
    close(old);
  else if (status != FG_ENA)
    unlink(index); /* a new one would have its rights, or be written where its link leads */
  return fg_store_replace(cx, index, text, strlen(text));
}

/* Compilers give what they write the rights that the umask leaves. */
static bool take_rights(const char *path) {
  struct stat st;
  return stat(path, &st) == 0 && (!(st.st_mode & 022) || chmod(path, st.st_mode & 0755) == 0);
}

fg_status fg_cache_put(fg_context *cx, const fg_cache *c, const fg_cache_item *item, const char **object) {
  char sum[FG_HASH_TEXT];
  const char *path = object_path(cx, c, item->address);
  fg_status status = fg_store_sum(cx, item->made ? item->made : path, MOST_OBJECT, sum);
  if (status == FG_ENA)
    return fg_diag_set(&cx->diag, FG_ESYS, "%s: the file has disappeared", item->made ? item->made : path);
  if (status != FG_OK) return status;
  if (item->made && (!take_rights(item->made) || rename(item->made, path) != 0))
    return fg_diag_set(&cx->diag, FG_ESYS, "%s: %s", path, strerror(errno));
  *object = path;
  status = note(cx, c, address_key(cx, item->address), item->address, sum);
  if (status == FG_OK) status = note(cx, c, item->key, item->address, sum);
  fg_cache_trim(cx, c, 0);
  return status;
}

/* ---- bounds ---------------------------------------------------------------- */

typedef struct entry {
  const char *path;
  int64_t bytes;
  struct timespec used;
} entry;

typedef struct listing {
  entry *entry;
  int count, room;
  int64_t bytes;
} listing;

/* New objects whose makers have ended: no compiler is given so long. */
static bool is_left_over(const char *name, const struct stat *st) {
  return !strncmp(name, "new-", 4) && time(NULL) - st->st_mtim.tv_sec > LEFT_OVER;
}

static void list_folder(fg_context *cx, const char *folder, listing *all) {
  DIR *d = opendir(folder);
  for (struct dirent *e; d && (e = readdir(d));) {
    struct stat st;
    const char *path = fg_arena_printf(cx->arena, "%s/%s", folder, e->d_name);
    if (lstat(path, &st) != 0 || !S_ISREG(st.st_mode)) continue;
    if (is_left_over(e->d_name, &st) && unlink(path) == 0) continue;
    if (all->count == all->room) {
      entry *more = fg_arena_new(cx->arena, entry, 2 * all->room + 64);
      if (all->count) memcpy(more, all->entry, (size_t)all->count * sizeof *more);
      all->entry = more;
      all->room = 2 * all->room + 64;
    }
    int64_t bytes = (st.st_size + BLOCK - 1) / BLOCK * BLOCK;
    all->entry[all->count++] = (entry){path, bytes, st.st_mtim};
    all->bytes += bytes;
  }
  if (d) closedir(d);
}

static int by_use(const void *a, const void *b) {
  const struct timespec *x = &((const entry *)a)->used, *y = &((const entry *)b)->used;
  if (x->tv_sec != y->tv_sec) return x->tv_sec < y->tv_sec ? -1 : 1;
  return (x->tv_nsec > y->tv_nsec) - (x->tv_nsec < y->tv_nsec);
}

static int64_t usual_limit(void) {
  const char *text = fg_env("FFTGEN_CACHE_MIB");
  long mib = text ? strtol(text, NULL, 10) : 0;
  return (int64_t)(mib > 0 && mib < 1 << 24 ? mib : USUAL_MIB) << 20;
}

void fg_cache_trim(fg_context *cx, const fg_cache *c, int64_t most) {
  listing all = {0};
  list_folder(cx, fg_arena_printf(cx->arena, "%s/objects", c->folder), &all);
  list_folder(cx, fg_arena_printf(cx->arena, "%s/index", c->folder), &all);
  if (!most) most = usual_limit();
  if (all.bytes <= most) return;
  qsort(all.entry, (size_t)all.count, sizeof *all.entry, by_use);
  /* To three quarters, so that the next kernel does not start this again. An object that a process has loaded stays
   * mapped there. */
  for (int i = 0; i < all.count && all.bytes > most / 4 * 3; i++)
    if (unlink(all.entry[i].path) == 0) all.bytes -= all.entry[i].bytes;
}
