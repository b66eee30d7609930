/* In: an artifact and a way to find its symbols in memory. Out: calls of its
 * entry with workspace and tables in their slots. */
#include "targets/host.h"
#include "targets/pages.h"
#include "targets/team.h"
#include "targets/timing.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

typedef void (*entry_fn)(void *const *slots, const long long *params);
typedef void (*part_fn)(void *const *slots, const long long *params, int step, int part, int parts);
typedef void (*init_fn)(void *const *slots);

enum { MAX_PARAMS = 64 };

struct fg_host {
  entry_fn entry;
  part_fn part; /* of a step; NULL: the caller does all alone */
  int nstep, parts, step;
  int nslot, nparam;
  void *own[FG_MAX_ARGUMENT_SLOTS]; /* allocated here; NULL: the caller's input or output */
  bool given[FG_MAX_ARGUMENT_SLOTS];
  void *slot[FG_MAX_ARGUMENT_SLOTS];
  long long param[MAX_PARAMS];
};

static void *find_symbol(const fg_artifact *a, const char *suffix, void *(*find)(void *, const char *), void *code,
                         char why[FG_WHY_SIZE]) {
  char symbol[256];
  snprintf(symbol, sizeof symbol, "%s_%s", a->name, suffix);
  void *address = find(code, symbol);
  if (!address) snprintf(why, FG_WHY_SIZE, "the compiled source does not define %s", symbol);
  return address;
}

static void repeat(void *to, const fg_arg_buffer *b) {
  for (size_t done = 0, run = fg_arg_buffer_run(b); done < b->bytes; done += run)
    memcpy((char *)to + done, b->content, run < b->bytes - done ? run : b->bytes - done);
}

static int allocate(fg_host *h, const fg_artifact *a, char why[FG_WHY_SIZE]) {
  for (int i = 0; i < a->nbuffer; i++) {
    const fg_arg_buffer *b = &a->buffer[i];
    int at = fg_artifact_slot(a, i);
    if (b->kind == FG_ARG_IN || b->kind == FG_ARG_OUT) continue;
    size_t further = b->kind == FG_ARG_WORK ? (size_t)(h->parts - 1) * a->part_bytes : 0;
    size_t bytes = ((b->bytes + further) / FG_HOST_ALIGN + 1) * FG_HOST_ALIGN;
    h->given[at] = b->kind == FG_ARG_GIVEN;
    h->slot[at] = h->own[at] = fg_pages_allocate(bytes, FG_HOST_ALIGN); /* as libfftgen does */
    if (!h->slot[at]) {
      snprintf(why, FG_WHY_SIZE, "no memory for buffer %s (%zu bytes)", b->name, b->bytes);
      return 1;
    }
    if (b->content)
      repeat(h->slot[at], b);
    else if (b->kind == FG_ARG_TABLE)
      memset(h->slot[at], 0xff, b->bytes); /* NaNs until init fills it */
  }
  return 0;
}

/* Parts, where the program has them and there is a team. */
static int find_parts(fg_host *h, const fg_artifact *a, void *(*find)(void *, const char *), void *code,
                      char why[FG_WHY_SIZE]) {
  h->parts = 1;
  if (!a->nstep || fg_team_threads() < 2) return 0;
  void *part = find_symbol(a, "part_entry", find, code, why);
  if (!part) return 1;
  memcpy(&h->part, &part, sizeof part);
  h->nstep = a->nstep, h->parts = fg_team_threads();
  return 0;
}

int fg_host_create(const fg_artifact *a, void *(*find)(void *, const char *), void *code, fg_host **out,
                   char why[FG_WHY_SIZE]) {
  int nslot = fg_artifact_slot(a, a->nbuffer);
  if (nslot > FG_MAX_ARGUMENT_SLOTS || a->nparam > MAX_PARAMS) {
    snprintf(why, FG_WHY_SIZE, "%d buffers and %d parameters; at most %d and %d", nslot, a->nparam,
             FG_MAX_ARGUMENT_SLOTS, MAX_PARAMS);
    return 1;
  }
  fg_host *h = calloc(1, sizeof *h);
  if (!h) {
    snprintf(why, FG_WHY_SIZE, "out of memory");
    return 1;
  }
  h->nslot = nslot, h->nparam = a->nparam;
  void *entry = find_symbol(a, "entry", find, code, why);
  if (!entry || find_parts(h, a, find, code, why) || allocate(h, a, why)) goto fail;
  memcpy(&h->entry, &entry, sizeof entry);
  if (a->needs_init) {
    init_fn init;
    void *address = find_symbol(a, "init_entry", find, code, why);
    if (!address) goto fail;
    memcpy(&init, &address, sizeof address);
    init(h->slot);
  }
  *out = h;
  return 0;
fail:
  fg_host_destroy(h);
  return 1;
}

static void set_call(fg_host *h, const fg_call *call) {
  for (int i = 0, given = 0; i < h->nslot; i++) {
    if (!h->own[i]) h->slot[i] = call->slot[i];
    if (h->given[i]) h->slot[i] = call->given ? call->given[given++] : h->own[i];
  }
  for (int i = 0; i < h->nparam; i++) h->param[i] = call->params[i];
}

static int check_call(const fg_host *h, const fg_call *call, char why[FG_WHY_SIZE]) {
  if (h->nparam && !call->params) return snprintf(why, FG_WHY_SIZE, "no values for the run-time parameters"), 1;
  for (int i = 0; i < h->nslot; i++)
    if (!h->own[i] && !call->slot[i]) return snprintf(why, FG_WHY_SIZE, "no memory given for argument slot %d", i), 1;
  return 0;
}

static void run_part(void *context, int part, int parts) {
  const fg_host *h = context;
  h->part(h->slot, h->param, h->step, part, parts);
}

static void execute(fg_host *h) {
  if (!h->part)
    h->entry(h->slot, h->param);
  else
    for (h->step = 0; h->step < h->nstep; h->step++) fg_team_run(run_part, h);
}

int fg_host_run(fg_host *h, const fg_call *call, char why[FG_WHY_SIZE]) {
  if (check_call(h, call, why)) return 1;
  set_call(h, call);
  execute(h);
  return 0;
}

static int repeat_entry(void *context, int64_t repeat) {
  for (int64_t i = 0; i < repeat; i++) execute(context);
  return 0;
}

int fg_host_time(fg_host *h, const fg_call *call, double seconds, double *ns, char why[FG_WHY_SIZE]) {
  if (check_call(h, call, why)) return 1;
  set_call(h, call);
  return fg_timing_measure(repeat_entry, h, seconds, ns);
}

int fg_host_sample(fg_host *h, const fg_call *call, fg_samples *s, char why[FG_WHY_SIZE]) {
  if (check_call(h, call, why)) return 1;
  set_call(h, call);
  s->has_inside = false;
  return fg_timing_each(repeat_entry, h, s->seconds, s->most, s->total, &s->count);
}

void fg_host_destroy(fg_host *h) {
  if (!h) return;
  for (int i = 0; i < h->nslot; i++) free(h->own[i]);
  free(h);
}

void fg_host_facts(fg_device_facts *facts) {
  char line[512];
  FILE *f = fopen("/proc/cpuinfo", "r");
  snprintf(facts->name, sizeof facts->name, "unknown CPU");
  while (f && fgets(line, sizeof line, f)) {
    char *colon = strchr(line, ':');
    if (!colon || strncmp(line, "model name", 10)) continue;
    line[strcspn(line, "\n")] = 0;
    snprintf(facts->name, sizeof facts->name, "%.120s", colon + 1 + strspn(colon + 1, " "));
    break;
  }
  if (f) fclose(f);
  static const int level[3] = {_SC_LEVEL1_DCACHE_SIZE, _SC_LEVEL2_CACHE_SIZE, _SC_LEVEL3_CACHE_SIZE};
  for (int i = 0; i < 3; i++) {
    long bytes = sysconf(level[i]);
    facts->cache[i] = bytes > 0 ? (size_t)bytes : 0;
  }
  facts->max_threads = 1;
  facts->has_f64 = true;
}

void fg_host_machine(const char *row, fg_device_facts *facts) {
  static const char *const level[3] = {"l1_bytes", "l2_bytes", "l3_bytes"};
  facts->machine = *fg_machine_find(row);
  for (int i = 0; i < 3; i++) fg_machine_set(&facts->machine, level[i], (int64_t)facts->cache[i], "sysconf");
}

void fg_host_first_error(const char *text, char why[FG_WHY_SIZE], const char *what) {
  const char *line = text, *best = NULL;
  for (; line && *line && !best; line = strchr(line, '\n'), line = line ? line + 1 : NULL) {
    const char *end = strchr(line, '\n'), *hit = strstr(line, "rror");
    if (hit && (!end || hit < end)) best = line;
  }
  if (!best) best = text + strspn(text, "\n ");
  int length = (int)strcspn(best, "\n");
  snprintf(why, FG_WHY_SIZE, "%s: %.*s", what, length > 400 ? 400 : length, best);
}
