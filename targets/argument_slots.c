/* Argument slots of a module on a device. */
#include "targets/argument_slots.h"
#include <stdio.h>

enum { MAX_PARAMS = 64 };

bool fg_argument_slots_callers(const fg_argument_slots *p, int at) {
  return p->kind[at] == FG_ARG_IN || p->kind[at] == FG_ARG_OUT;
}

/* ---- building ------------------------------------------------------------------ */

int fg_argument_slots_create(fg_argument_slots *p, const fg_artifact *a, const fg_device_memory *memory, void *on,
                             char why[FG_WHY_SIZE]) {
  int count = fg_artifact_slot(a, a->nbuffer);
  *p = (fg_argument_slots){.memory = memory, .on = on};
  if (a->needs_init)
    return snprintf(why, FG_WHY_SIZE, "%s: tables come with their content, not by init", a->dialect), 1;
  if (count > FG_MAX_ARGUMENT_SLOTS || a->nparam > MAX_PARAMS || a->nlaunch < 1)
    return snprintf(why, FG_WHY_SIZE, "%d buffers, %d parameters, %d launches; allowed: up to %d, up to %d, 1 or more",
                    count, a->nparam, a->nlaunch, FG_MAX_ARGUMENT_SLOTS, MAX_PARAMS),
           1;
  p->count = count, p->nparam = a->nparam;
  return 0;
}

static int take(fg_argument_slots *p, int at, char why[FG_WHY_SIZE]) {
  int bad = p->memory->take(p->on, &p->own[at], p->bytes[at] ? p->bytes[at] : 1, why);
  if (bad) p->own[at] = 0;
  return bad;
}

static int fill(fg_argument_slots *p, int at, const void *from, size_t bytes, char why[FG_WHY_SIZE]) {
  return bytes ? p->memory->fill(p->on, p->used[at], 0, from, bytes, why) : 0;
}

/* What a buffer holds, again and again where it is shorter. */
static int fill_content(fg_argument_slots *p, int at, const fg_arg_buffer *b, char why[FG_WHY_SIZE]) {
  size_t run = fg_arg_buffer_run(b);
  for (size_t done = 0; done < p->bytes[at]; done += run) {
    size_t rest = p->bytes[at] - done;
    if (p->memory->fill(p->on, p->used[at], done, b->content, rest < run ? rest : run, why)) return 1;
  }
  return 0;
}

static int make_place(fg_argument_slots *p, int at, const fg_arg_buffer *b, char why[FG_WHY_SIZE]) {
  p->kind[at] = b->kind;
  p->bytes[at] = b->split ? b->bytes / 2 : b->bytes;
  if (fg_argument_slots_callers(p, at)) return 0; /* when called: in place shares */
  if (b->kind == FG_ARG_TABLE && !b->content) return snprintf(why, FG_WHY_SIZE, "table %s has no content", b->name), 1;
  if (take(p, at, why)) return 1;
  p->used[at] = p->own[at];
  return b->content ? fill_content(p, at, b, why) : 0;
}

int fg_argument_slots_make(fg_argument_slots *p, const fg_artifact *a, char why[FG_WHY_SIZE]) {
  for (int i = 0; i < a->nbuffer; i++)
    for (int at = fg_artifact_slot(a, i); at < fg_artifact_slot(a, i + 1); at++)
      if (make_place(p, at, &a->buffer[i], why)) return 1;
  return 0;
}

void fg_argument_slots_free(fg_argument_slots *p) {
  for (int at = 0; at < p->count; at++)
    if (p->own[at]) p->memory->release(p->on, p->own[at]);
}

int fg_argument_slots_check(const fg_argument_slots *p, const fg_launch *l, char why[FG_WHY_SIZE]) {
  for (int k = 0; k < l->narg; k++) {
    int limit = l->arg[k].is_param ? p->nparam : p->count;
    if (l->arg[k].index >= 0 && l->arg[k].index < limit) continue;
    snprintf(why, FG_WHY_SIZE, "%s: argument %d names buffer or parameter %d of %d", l->entry, k, l->arg[k].index,
             limit);
    return 1;
  }
  return 0;
}

/* ---- calling ------------------------------------------------------------------- */

static size_t call_bytes(const fg_argument_slots *p, const fg_call *call, int at) {
  return call->bytes ? call->bytes[at] : p->bytes[at];
}

/* The earlier slot with the same host memory, else itself. */
static int shared_place(const fg_argument_slots *p, const fg_call *call, int at) {
  for (int i = 0; i < at; i++)
    if (fg_argument_slots_callers(p, i) && call->slot[i] == call->slot[at]) return i;
  return at;
}

static int upload_place(fg_argument_slots *p, const fg_call *call, int at, char why[FG_WHY_SIZE]) {
  if (!call->slot[at]) return snprintf(why, FG_WHY_SIZE, "no memory given for argument slot %d", at), 1;
  size_t bytes = call_bytes(p, call, at);
  int same = shared_place(p, call, at);
  if (bytes > p->bytes[same])
    return snprintf(why, FG_WHY_SIZE, "argument slot %d: %zu bytes, the kernel was made for %zu", at, bytes,
                    p->bytes[same]),
           1;
  if (same == at && !p->own[at] && take(p, at, why)) return 1;
  p->used[at] = p->own[same];
  return same == at ? fill(p, at, call->slot[at], bytes, why) : 0;
}

/* Arrays on the device are used where they are. */
static int use_place(fg_argument_slots *p, const fg_call *call, int at, char why[FG_WHY_SIZE]) {
  if (!call->slot[at]) return snprintf(why, FG_WHY_SIZE, "no memory given for argument slot %d", at), 1;
  p->used[at] = (uintptr_t)call->slot[at];
  return 0;
}

/* Outputs are copied in as well: they may be written in part only. */
int fg_argument_slots_upload(fg_argument_slots *p, const fg_call *call, char why[FG_WHY_SIZE]) {
  if (p->nparam && !call->params) return snprintf(why, FG_WHY_SIZE, "no values for the run-time parameters"), 1;
  for (int at = 0, given = 0; at < p->count; at++) {
    if (p->kind[at] == FG_ARG_GIVEN) p->used[at] = call->given ? (uintptr_t)call->given[given++] : p->own[at];
    if (fg_argument_slots_callers(p, at) && (call->resident ? use_place : upload_place)(p, call, at, why)) return 1;
  }
  return 0;
}

int fg_argument_slots_download(const fg_argument_slots *p, const fg_call *call, char why[FG_WHY_SIZE]) {
  for (int at = 0; at < p->count && !call->resident; at++) {
    size_t bytes = call_bytes(p, call, at);
    if (p->kind[at] != FG_ARG_OUT || !bytes) continue;
    if (p->memory->fetch(p->on, call->slot[at], p->used[at], bytes, why)) return 1;
  }
  return 0;
}
