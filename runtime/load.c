/* See load.h. The order: registry, pack, cache, just in time. Every place that has
 * nothing leaves its reason, so that "no kernel" is never all that a user reads. */
#include "runtime/load.h"
#include "runtime/cache.h"
#include "runtime/fingerprint.h"
#include "runtime/jit.h"
#include "runtime/pack.h"
#include "runtime/registry.h"
#include "runtime/version.h"
#include <dlfcn.h>
#include <errno.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

typedef struct search {
  fg_context *cx;
  const fg_load_request *request;
  fg_loaded *out;
  const fg_wisdom_entry *known; /* what wisdom recommends; NULL: nothing */
  const char *plan;             /* asked for or known; NULL: whatever the model likes */
  fg_cache cache;
  bool has_cache;
} search;

static void reason(search *s, const char *place, const char *why) {
  fg_strbuf *r = &s->out->reasons;
  fg_strbuf_addf(r, "%s%s: %s", r->length ? "; " : "", place, why);
}

static void warn(const search *s, const char *message) {
  if (s->request->warn.call) s->request->warn.call(s->request->warn.context, message);
}

static bool left_out(const search *s, unsigned flag) { return (s->request->options->flags & flag) != 0; }

/* ---- wisdom ---------------------------------------------------------------- */

/* NULL, or why there is none. */
static const char *read_wisdom(search *s) {
  const fftgen_options *o = s->request->options;
  const char *path = o->wisdom ? o->wisdom : fg_wisdom_path(s->cx->arena);
  if (!path) return "no file (no home folder)";
  fg_wisdom w;
  fg_context own = {.arena = s->cx->arena};
  if (fg_wisdom_load(&own, path, s->request->warn, &w) != FG_OK) {
    warn(s, own.diag.message);
    return fg_arena_strdup(s->cx->arena, own.diag.message);
  }
  fg_wisdom_entry key = {.device = fg_fingerprint_host(), .problem = s->request->problem, .target = "c"};
  s->known = fg_wisdom_best(&w, &key);
  key.problem = s->request->like;
  if (!s->known && key.problem) s->known = fg_wisdom_best(&w, &key);
  if (!s->known) return "nothing about this problem on this machine (fftgen tune)";
  return strcmp(s->known->generator, fg_version) ? "measured with another version of fftgen" : NULL;
}

static void ask_wisdom(search *s) {
  s->plan = s->request->options->plan;
  if (left_out(s, FFTGEN_NO_WISDOM)) return;
  const char *why = read_wisdom(s);
  if (why) reason(s, "wisdom", why);
  if (s->known && !s->plan) s->plan = s->known->plan;
}

/* ---- shared objects -------------------------------------------------------- */

static const char *open_object(search *s, const char *path) {
  void *library = dlopen(path, RTLD_NOW | RTLD_LOCAL);
  if (!library) return fg_arena_strdup(s->cx->arena, dlerror());
  const fftgen_kernel *k = dlsym(library, FG_KERNEL_SYMBOL);
  const char *refusal = k ? fg_registry_refuse(k) : "no kernel inside";
  if (!refusal && strcmp(k->problem, s->request->problem)) refusal = "a kernel for another problem";
  if (refusal) {
    dlclose(library);
    return refusal;
  }
  s->out->kernel = k;
  s->out->library = library;
  return NULL;
}

/* Everything that decides which kernel a request means, as text. */
static const char *cache_key(const search *s) {
  const char *compiler = getenv("CC"), *isa = s->known && s->plan == s->known->plan ? s->known->isa : "";
  const char *command = s->known && s->plan == s->known->plan ? s->known->command : "";
  return fg_arena_printf(s->cx->arena, "%s\n%s\n%s\n%s\n%s\n%s\n%s\n%d", s->request->problem, s->plan ? s->plan : "",
                         isa, *command || !compiler ? command : compiler, fg_fingerprint_host(), fg_version, "c",
                         FFTGEN_KERNEL_ABI);
}

static bool from_cache(search *s) {
  const char *path;
  s->has_cache = fg_cache_open(s->cx, s->request->options->cache, &s->cache) == FG_OK;
  if (s->cache.why && !s->cache.writable) warn(s, s->cache.why);
  if (!s->has_cache) return reason(s, "cache", s->cache.why), false;
  if (fg_cache_find(s->cx, &s->cache, cache_key(s), &path) != FG_OK)
    return reason(s, "cache", "nothing for this request"), false;
  const char *refusal = open_object(s, path);
  if (refusal) return reason(s, "cache", refusal), false;
  return true;
}

/* ---- just in time ---------------------------------------------------------- */

static pthread_mutex_t jit_lock = PTHREAD_MUTEX_INITIALIZER;
static const fg_jit *jit; /* once found, it stays */

/* libfftgen-jit beside the code that this function is in. */
static const char *beside(fg_arena *a) {
  Dl_info here;
  int status = dladdr(&jit_lock, &here);
  const char *slash = status && here.dli_fname ? strrchr(here.dli_fname, '/') : NULL;
  return slash ? fg_arena_printf(a, "%.*s/libfftgen-jit.so", (int)(slash - here.dli_fname), here.dli_fname) : NULL;
}

static void *open_jit(search *s) {
  const char *named = getenv("FFTGEN_JIT"), *near = beside(s->cx->arena);
  if (named) {
    void *library = *named ? dlopen(named, RTLD_NOW | RTLD_LOCAL) : NULL;
    if (!library) reason(s, "jit", *named ? dlerror() : "FFTGEN_JIT is empty");
    return library;
  }
  void *library = near && access(near, R_OK) == 0 ? dlopen(near, RTLD_NOW | RTLD_LOCAL) : NULL;
  if (!library) library = dlopen("libfftgen-jit.so", RTLD_NOW | RTLD_LOCAL);
  if (!library) reason(s, "jit", dlerror());
  return library;
}

/* With the lock held. */
static const fg_jit *find_jit(search *s) {
  if (jit) return jit;
  void *library = open_jit(s);
  if (!library) return NULL;
  fg_jit_entry *entry = NULL;
  void *symbol = dlsym(library, FG_JIT_SYMBOL);
  memcpy(&entry, &symbol, sizeof entry);
  const fg_jit *found = entry ? entry() : NULL;
  if (found && found->abi == FG_JIT_ABI && !strcmp(found->version, fg_version)) return jit = found;
  reason(s, "jit", found ? "of another version than this library" : "not the library that it should be");
  dlclose(library);
  return NULL;
}

static bool have_object(void *context, const char *address) {
  search *s = context;
  const char *path;
  return s->has_cache && fg_cache_find_address(s->cx, &s->cache, address, &path) == FG_OK;
}

typedef struct workplace { /* where the new object is written */
  const char *output;
  char folder[4096]; /* of our own, to be removed; "": the cache's */
} workplace;

static fg_status find_workplace(search *s, workplace *w) {
  w->folder[0] = 0;
  if (s->has_cache && s->cache.writable) {
    w->output = fg_cache_temporary(s->cx, &s->cache);
    return FG_OK;
  }
  const char *tmp = getenv("TMPDIR");
  if (!tmp || !*tmp) tmp = "/tmp";
  int length = snprintf(w->folder, sizeof w->folder, "%s/fftgen-XXXXXX", tmp);
  if (length < (int)sizeof w->folder && mkdtemp(w->folder)) {
    w->output = fg_arena_printf(s->cx->arena, "%s/kernel.so", w->folder);
    return FG_OK;
  }
  w->folder[0] = 0;
  return fg_diag_set(&s->cx->diag, FG_ESYS, "%s: cannot make a folder for a kernel: %s", tmp, strerror(errno));
}

static void leave_workplace(const workplace *w) {
  unlink(w->output);
  if (*w->folder) rmdir(w->folder);
}

/* Into the cache if that is possible, then into memory; else straight from where
 * it was written. */
static const char *take_object(search *s, const workplace *w, const char *key, const fg_jit_result *r, bool built) {
  fg_cache_item item = {key, r->address, built ? w->output : NULL};
  const char *path = w->output;
  if (s->has_cache && s->cache.writable) {
    fg_context own = {.arena = s->cx->arena};
    if (fg_cache_put(&own, &s->cache, &item, &path) != FG_OK) warn(s, own.diag.message);
  } else if (!built && fg_cache_find_address(s->cx, &s->cache, r->address, &path) != FG_OK) {
    return "the cached object is gone";
  }
  return open_object(s, path);
}

static bool build(search *s, const fg_jit *j, const char *plan) {
  workplace w;
  fg_jit_result result = {.address = ""};
  if (find_workplace(s, &w) != FG_OK) return reason(s, "jit", s->cx->diag.message), false;
  bool known = s->known && plan == s->known->plan;
  fg_jit_request request = {.problem = s->request->problem,
                            .plan = plan,
                            .isa = known && *s->known->isa ? s->known->isa : NULL,
                            .command = known && *s->known->command ? s->known->command : NULL,
                            .output = w.output,
                            .have = have_object,
                            .context = s};
  fg_jit_status status = j->build(&request, &result);
  bool done = status == FG_JIT_BUILT || status == FG_JIT_HAVE;
  const char *refusal = done ? take_object(s, &w, cache_key(s), &result, status == FG_JIT_BUILT) : result.message;
  leave_workplace(&w);
  if (refusal) reason(s, "jit", refusal);
  return !refusal;
}

/* A plan out of wisdom that no longer works must not stand in the way. */
static bool build_now(search *s) {
  const fg_jit *j = find_jit(s);
  bool done = j && build(s, j, s->plan);
  if (done || !j || !s->known || s->plan != s->known->plan) return done;
  warn(s, "the plan that wisdom knows cannot be built here; another one is taken");
  s->plan = NULL;
  s->known = NULL;
  return build(s, j, NULL);
}

/* Running out of memory jumps; the lock must not stay behind. */
static bool from_jit(search *s) {
  jmp_buf *recovery = fg_arena_recovery(s->cx->arena), outer;
  volatile bool done = false, full = false;
  memcpy(&outer, recovery, sizeof outer);
  pthread_mutex_lock(&jit_lock);
  if (setjmp(*recovery))
    full = true;
  else
    done = build_now(s);
  pthread_mutex_unlock(&jit_lock);
  memcpy(recovery, &outer, sizeof outer);
  if (full) longjmp(*recovery, 1);
  return done;
}

/* ---- packs ----------------------------------------------------------------- */

static bool from_pack(search *s) {
  const char *path, *why = NULL, *folder = s->request->options->pack;
  fg_pack_key key = {s->request->problem, s->plan};
  fg_status status = s->plan ? fg_pack_find(s->cx, folder, &key, &path, &why) : FG_ENA;
  key.plan = NULL;
  if (status != FG_OK && !s->request->options->plan) status = fg_pack_find(s->cx, folder, &key, &path, &why);
  if (status == FG_OK) why = open_object(s, path);
  if (why && (status != FG_OK || !s->out->library)) reason(s, "pack", why);
  return s->out->library != NULL;
}

/* ---- all of them ----------------------------------------------------------- */

static bool from_registry(search *s) {
  const char *why;
  const fftgen_kernel *k = s->plan ? fg_registry_find(s->request->problem, s->plan, &why) : NULL;
  /* Wisdom is advice: a linked kernel with another plan serves, too. */
  if (!k && !s->request->options->plan) k = fg_registry_find(s->request->problem, NULL, &why);
  if (!k) return reason(s, "linked", why), false;
  s->out->kernel = k;
  return true;
}

fg_status fg_load_kernel(fg_context *cx, const fg_load_request *request, fg_loaded *out) {
  search s = {.cx = cx, .request = request, .out = out};
  *out = (fg_loaded){0};
  fg_strbuf_init(&out->reasons, cx->arena);
  ask_wisdom(&s);
  if (left_out(&s, FFTGEN_NO_LINKED))
    reason(&s, "linked", "left out");
  else if (from_registry(&s))
    out->origin = "linked";
  if (!out->origin && left_out(&s, FFTGEN_NO_PACK))
    reason(&s, "pack", "left out");
  else if (!out->origin && from_pack(&s))
    out->origin = "pack";
  if (!out->origin && left_out(&s, FFTGEN_NO_CACHE))
    reason(&s, "cache", "left out");
  else if (!out->origin && from_cache(&s))
    out->origin = "cache";
  if (!out->origin && left_out(&s, FFTGEN_NO_JIT))
    reason(&s, "jit", "left out");
  else if (!out->origin && from_jit(&s))
    out->origin = "jit";
  if (!out->origin) return FG_ENA;
  if (s.known && !strcmp(s.known->plan, out->kernel->plan)) out->ns = s.known->ns;
  return FG_OK;
}

void fg_load_release(fg_loaded *l) {
  if (l->library) dlclose(l->library);
  *l = (fg_loaded){0};
}
