/* A line of wisdom about a plan, and its way into a file. */
#ifndef FG_WISDOM_ENTRY_H
#define FG_WISDOM_ENTRY_H
#include "generator/base/arena.h"
#include "runtime/store/wisdom.h"
#include "runtime/store/wisdom_file.h"
#include "runtime/version.h"

static inline fg_wisdom_entry entry_for(const char *device, const char *target, const char *problem, const char *plan,
                                        double ns) {
  return (fg_wisdom_entry){.device = device,
                           .problem = problem,
                           .target = target,
                           .plan = plan,
                           .isa = "",
                           .ns = ns,
                           .compiler = "",
                           .kind = "",
                           .flags = "",
                           .generator = fg_version,
                           .final = true};
}

static inline fg_status entry_add(const char *file, const fg_wisdom_entry *e) {
  fg_context cx = {.arena = fg_arena_create()};
  fg_status status = fg_wisdom_add(&cx, file, e, 1, (fg_wisdom_warn){0});
  fg_arena_destroy(cx.arena);
  return status;
}
#endif
