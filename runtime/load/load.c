/* See load.h. The order: registry, pack, cache, just in time. Every source without a kernel leaves its reason, so
 * that an error names them all. */
#include "runtime/load/load.h"
#include "runtime/load/output_location.h"
#include "runtime/load/plugin.h"
#include "runtime/store/cache.h"
#include "runtime/store/consult.h"
#include "runtime/store/pack.h"
#include "runtime/store/shipped.h"
#include "runtime/version.h"
#include "targets/machine/machine.h"
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct search {
  fg_context *cx;
  fg_loader *loader;
  const fg_load_request *request;
  fg_loaded *out;
  fg_served served;             /* what wisdom recommends */
  const fg_wisdom_entry *known; /* its entry, while it can be had; NULL: nothing */
  const char *plan;             /* asked for or known; NULL: the choice of the cost model */
  fg_cache cache;
  bool has_cache;
  fg_output_location at; /* where a kernel is being written */
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

/* Of the loader's targets the nearer one; of equally near ones what this version measured, then the faster. */
static fg_served best_known(const search *s, const fg_wisdom *w, const char *problem) {
  fg_serve_key key = {.device = s->loader->device, .problem = problem, .target = s->loader->target};
  fg_served best = fg_serve_find(w, &key), other = {0};
  key.target = s->loader->also;
  if (key.target) other = fg_serve_find(w, &key);
  if (!best.entry || !other.entry || best.distance != other.distance) return fg_serve_nearer(best, other);
  bool old = strcmp(best.entry->generator, fg_version) != 0,
       other_old = strcmp(other.entry->generator, fg_version) != 0;
  return (old == other_old ? other.entry->ns < best.entry->ns : old) ? other : best;
}

/* What was found, as long as the plan is made; the file's lines may be freed before. */
static const fg_wisdom_entry *copy_entry(fg_arena *a, const fg_wisdom_entry *e) {
  fg_wisdom_entry *copy = fg_arena_copy(a, e, sizeof *e);
  const char **const texts[] = {&copy->device,    &copy->problem,  &copy->target, &copy->plan,
                                &copy->isa,       &copy->compiler, &copy->kind,   &copy->flags,
                                &copy->generator, &copy->date,     &copy->made_by};
  for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) *texts[i] = fg_arena_strdup(a, *texts[i]);
  return copy;
}

static void look_up(void *data, const fg_wisdom *w) {
  search *s = data;
  fg_served known = best_known(s, w, s->request->problem);
  if (!known.entry && s->request->like) known = best_known(s, w, s->request->like);
  if (known.entry) known.entry = copy_entry(s->cx->arena, known.entry);
  s->served = known;
}

/* The user's own. NULL, or why there is none. */
static const char *read_wisdom(search *s) {
  const fftgen_options *o = s->request->options;
  const char *path = o->wisdom ? o->wisdom : fg_wisdom_path(s->cx->arena);
  if (!path) return "no file (no home folder)";
  fg_context own = {.arena = s->cx->arena};
  fg_status status = fg_consult(&own, path, s->request->warn, look_up, s);
  if (status == FG_ENOMEM) longjmp(*fg_arena_recovery(s->cx->arena), 1);
  if (status != FG_OK) {
    warn(s, own.diag.message);
    return fg_arena_strdup(s->cx->arena, own.diag.message);
  }
  if (!s->served.entry) return "nothing about this problem on this machine (fftgen tune)";
  bool old = strcmp(s->served.entry->generator, fg_version) != 0;
  return fg_arena_printf(s->cx->arena, "%s%s", fg_serve_note(s->cx->arena, &s->served),
                         old ? ", with another version of fftgen" : "");
}

static fg_served shipped_for(const search *s) {
  fg_serve_key key = {.device = s->loader->device, .problem = s->request->problem, .target = s->loader->target};
  return fg_serve_shipped(s->cx, &key);
}

static void ask_wisdom(search *s) {
  s->plan = s->request->options->plan;
  if (left_out(s, FFTGEN_NO_WISDOM) || s->request->options->arch) return; /* which is about the machine that is here */
  const char *why = read_wisdom(s);
  if (!s->served.entry && (s->served = shipped_for(s)).entry)
    why = fg_arena_printf(s->cx->arena, "no line of your own; %s", fg_serve_note(s->cx->arena, &s->served));
  s->known = s->served.entry;
  if (why) reason(s, "wisdom", why);
  if (s->known && !s->plan) s->plan = s->known->plan;
}

/* ---- the cache ------------------------------------------------------------- */

static const char *open_file(search *s, const char *path) {
  s->loader->remark = NULL;
  const char *why = s->loader->open(s->loader, s->cx, s->request->problem, path);
  if (why || !s->loader->remark) return why;
  warn(s, s->loader->remark);
  reason(s, "loader", s->loader->remark);
  return NULL;
}

/* What was checked, under its name of the moment. Running out of memory jumps; the descriptor must not stay behind. */
static const char *open_checked(search *s, fg_cache_object *object) {
  jmp_buf *recovery = fg_arena_recovery(s->cx->arena), outer;
  const char *volatile why = NULL;
  volatile bool full = false;
  memcpy(&outer, recovery, sizeof outer);
  if (setjmp(*recovery))
    full = true;
  else if ((why = open_file(s, object->name)))
    why = fg_arena_printf(s->cx->arena, "%s: %s", object->path, why);
  fg_cache_close(object);
  memcpy(recovery, &outer, sizeof outer);
  if (full) longjmp(*recovery, 1);
  return why;
}

/* Everything that decides which kernel a request means, as text. */
static const char *cache_key(const search *s) {
  bool known = s->known && s->plan == s->known->plan;
  const char *isa = known ? s->known->isa : "", *kind = known ? s->known->kind : "", *arch = s->request->options->arch;
  return fg_arena_printf(s->cx->arena, "%s\n%s\n%s\n%s\n%s\n%s\n%s\n%s\n%d%s%s", s->request->problem,
                         s->plan ? s->plan : "", isa, kind, s->loader->compiler, s->loader->device, fg_version,
                         s->loader->target, FFTGEN_KERNEL_ABI, arch ? "\n" : "",
                         arch ? fg_machine_find(arch)->name : "");
}

static bool from_cache(search *s) {
  fg_cache_object object;
  s->cache.suffix = s->loader->suffix;
  s->has_cache = fg_cache_open(s->cx, s->request->options->cache, &s->cache) == FG_OK;
  if (s->cache.why && !s->cache.writable) warn(s, s->cache.why);
  if (!s->has_cache) return reason(s, "cache", s->cache.why), false;
  if (fg_cache_find(s->cx, &s->cache, cache_key(s), &object) != FG_OK) {
    if (object.why) warn(s, object.why);
    return reason(s, "cache", object.why ? object.why : "nothing for this request"), false;
  }
  const char *refusal = open_checked(s, &object);
  if (refusal) return reason(s, "cache", refusal), false;
  return true;
}

/* ---- just in time ---------------------------------------------------------- */

static pthread_mutex_t jit_lock = PTHREAD_MUTEX_INITIALIZER;

/* Called in a thread of the generator's, while the one that asked waits: running out of memory must not jump there. */
static bool have_object(void *context, const char *address) {
  search *s = context;
  jmp_buf *recovery = fg_arena_recovery(s->cx->arena), outer;
  fg_cache_object object;
  volatile bool have = false;
  memcpy(&outer, recovery, sizeof outer);
  if (!setjmp(*recovery)) have = s->has_cache && fg_cache_find_address(s->cx, &s->cache, address, &object) == FG_OK;
  memcpy(recovery, &outer, sizeof outer);
  if (have) fg_cache_close(&object);
  return have;
}

/* Where new kernels can be written: one place, or the next. */
static bool next_output_location(search *s) {
  const fg_cache *cache = s->has_cache && s->cache.writable ? &s->cache : NULL;
  return fg_output_location_next(s->cx, cache, s->loader->suffix, &s->at);
}

/* Full, or removed: the next location is used. */
static void pass_over(search *s, const char *place, const char *why) {
  const char *message = s->at.in_memory ? "files in memory cannot be written, either"
                                        : fg_arena_printf(s->cx->arena, "%s; written elsewhere", why);
  warn(s, message);
  reason(s, place, message);
}

/* Into the cache if that is possible, then into memory; else straight from where
 * it was written. */
static const char *take_object(search *s, const char *key, const fg_jit_result *r, bool built) {
  fg_cache_item item = {key, r->address, built ? s->at.output : NULL};
  const char *path = s->at.output;
  fg_cache_object object = {.fd = -1};
  if (s->has_cache && s->cache.writable && !r->passing && (s->at.in_cache || !built)) {
    fg_context own = {.arena = s->cx->arena};
    if (fg_cache_put(&own, &s->cache, &item, &path) != FG_OK) warn(s, own.diag.message);
  }
  if (built) return open_file(s, path);
  if (fg_cache_find_address(s->cx, &s->cache, r->address, &object) != FG_OK) return "the cached object is gone";
  return open_checked(s, &object);
}

static fg_jit_status make_object(search *s, const fg_jit *j, const char *plan, fg_jit_result *result) {
  bool known = s->known && plan == s->known->plan;
  fg_jit_request request = {.problem = s->request->problem,
                            .plan = plan,
                            .isa = known && *s->known->isa ? s->known->isa : NULL,
                            .kind = known && *s->known->kind ? s->known->kind : NULL,
                            .arch = s->request->options->arch,
                            .have = have_object,
                            .context = s};
  fg_jit_status status = FG_JIT_UNWRITTEN;
  snprintf(result->message, sizeof result->message, "no folder and no memory to write a kernel to");
  while (status == FG_JIT_UNWRITTEN && next_output_location(s)) {
    *result = (fg_jit_result){.address = ""};
    request.output = s->at.output;
    status = s->loader->make(s->loader, j, &request, result);
    if (status == FG_JIT_UNWRITTEN) pass_over(s, "jit", result->message);
  }
  return status;
}

static bool build(search *s, const fg_jit *j, const char *plan) {
  fg_jit_result result;
  s->at = (fg_output_location){0};
  fg_jit_status status = make_object(s, j, plan, &result);
  bool done = status == FG_JIT_BUILT || status == FG_JIT_HAVE;
  const char *refusal = done ? take_object(s, cache_key(s), &result, status == FG_JIT_BUILT) : result.message;
  fg_output_location_release(&s->at);
  if (done && *result.message) warn(s, result.message);
  if (refusal || *result.message) reason(s, "jit", refusal ? refusal : result.message);
  return !refusal;
}

/* A plan out of wisdom that no longer works, or is none for a problem that its line was not measured for, must not
 * stand in the way: what the model chooses may be in the cache already. */
static bool choose_another(search *s, const fg_jit *j) {
  if (s->served.distance)
    reason(s, "wisdom", "its plan does not fit this problem; another one is taken");
  else
    warn(s, "the plan that wisdom knows cannot be built here; another one is taken");
  s->plan = NULL;
  s->known = NULL;
  if (left_out(s, FFTGEN_NO_CACHE) || !from_cache(s)) return build(s, j, NULL);
  s->out->origin = "cache";
  return true;
}

static bool build_now(search *s) {
  const char *why = "";
  const fg_jit *j = fg_plugin_find(s->cx, &why);
  if (!j) reason(s, "jit", why);
  bool done = j && build(s, j, s->plan);
  if (done || !j || !s->known || s->plan != s->known->plan) return done;
  return choose_another(s, j);
}

/* Running out of memory jumps; the lock must not stay behind. */
static bool from_jit(search *s) {
  jmp_buf *recovery = fg_arena_recovery(s->cx->arena), outer;
  volatile bool done = false, full = false;
  memcpy(&outer, recovery, sizeof outer);
  pthread_mutex_lock(&jit_lock);
  if (setjmp(*recovery)) {
    full = true;
    fg_output_location_release(&s->at);
  } else {
    done = build_now(s);
  }
  pthread_mutex_unlock(&jit_lock);
  memcpy(recovery, &outer, sizeof outer);
  if (full) longjmp(*recovery, 1);
  return done;
}

/* ---- packs ----------------------------------------------------------------- */

static const char *refuse_features(const void *context, const char *features) {
  const fg_loader *l = context;
  return l->refuse(l, features);
}

/* A file of an archive is written out for as long as loading takes. */
static const char *open_packed(search *s, const fg_pack_file *file) {
  const char *why = "no folder and no memory to write a kernel to";
  if (file->path) {
    fg_cache_object object = {.fd = file->fd, .path = file->path};
    if (fg_store_name_open(file->fd, object.name)) return open_checked(s, &object);
    fg_cache_close(&object);
    return "without /proc a file cannot be loaded through its checked descriptor; an archive can";
  }
  fg_context own = {.arena = s->cx->arena};
  for (s->at = (fg_output_location){0}; next_output_location(s);) {
    if (fg_store_write(&own, s->at.output, file->data, file->bytes) == FG_OK) {
      why = open_file(s, s->at.output);
      break;
    }
    pass_over(s, "pack", own.diag.message);
  }
  fg_output_location_release(&s->at);
  return why;
}

static bool from_pack(search *s) {
  fg_pack_file file;
  const char *why = NULL, *pack = s->request->options->pack;
  fg_pack_key key = {s->loader->target, s->request->problem, s->plan, refuse_features, s->loader};
  fg_status status = s->plan ? fg_pack_find(s->cx, pack, &key, &file, &why) : FG_ENA;
  key.plan = NULL;
  if (status != FG_OK && !s->request->options->plan) status = fg_pack_find(s->cx, pack, &key, &file, &why);
  if (status == FG_OK) why = open_packed(s, &file);
  if (status == FG_OK && !why) return true;
  reason(s, "pack", why ? why : "no kernel with this plan");
  return false;
}

/* ---- all of them ----------------------------------------------------------- */

static bool from_registry(search *s) {
  fg_loader *l = s->loader;
  const char *why = s->plan ? l->linked(l, s->request->problem, s->plan) : "";
  /* Wisdom is advice: a linked kernel with another plan serves, too. */
  if (why && !s->request->options->plan) why = l->linked(l, s->request->problem, NULL);
  if (why) reason(s, "linked", why);
  return !why;
}

typedef struct place {
  const char *name;
  unsigned left_out_by;
  bool (*from)(search *s);
} place;

static const place places[] = {{"linked", FFTGEN_NO_LINKED, from_registry},
                               {"pack", FFTGEN_NO_PACK, from_pack},
                               {"cache", FFTGEN_NO_CACHE, from_cache},
                               {"jit", FFTGEN_NO_JIT, from_jit}};

fg_status fg_load_kernel(fg_context *cx, fg_loader *loader, const fg_load_request *request, fg_loaded *out) {
  search s = {.cx = cx, .loader = loader, .request = request, .out = out};
  *out = (fg_loaded){0};
  out->reasons = fg_strbuf_new(cx->arena);
  ask_wisdom(&s);
  for (size_t i = 0; i < sizeof places / sizeof *places && !out->origin; i++) {
    if (places[i].from == from_registry && !loader->linked) continue;
    if (left_out(&s, places[i].left_out_by))
      reason(&s, places[i].name, "left out");
    else if (places[i].from(&s) && !out->origin)
      out->origin = places[i].name;
  }
  if (!out->origin) return FG_ENA;
  bool same = s.known && fg_serve_same_work(s.served.distance);
  out->measured = same && !strcmp(s.known->generator, fg_version);
  out->final = out->measured && s.known->final;
  if (same && !strcmp(s.known->plan, loader->plan)) out->ns = s.known->ns;
  return FG_OK;
}
