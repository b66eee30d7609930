/* The library of codelets: a list, searched from the front; see library.h. */
#include "generator/codelet/library.h"
#include <stdlib.h>
#include <string.h>

typedef struct entry entry;
struct entry {
  entry *next;
  const fg_codelet *codelet;
  const fg_schedule *schedule[2]; /* of a caller who does not wait, and of one who does; NULL: not asked for yet */
};

struct fg_library {
  fg_context cx;
  bool owns_arena;
  entry *first;
};

fg_library *fg_codelet_library_create(void) {
  fg_library *library = calloc(1, sizeof *library);
  if (!library) return NULL;
  library->cx.arena = fg_arena_create();
  library->owns_arena = true;
  if (library->cx.arena) return library;
  free(library);
  return NULL;
}

void fg_codelet_library_destroy(fg_library *library) {
  if (!library || !library->owns_arena) return;
  fg_arena_destroy(library->cx.arena);
  free(library);
}

size_t fg_codelet_library_bytes(const fg_library *library) { return fg_arena_used(library->cx.arena); }

/* The library of cx, ready to allocate: when memory runs out in the library's
 * own arena, cx's recovery point is jumped to. */
static fg_library *library_of(fg_context *cx) {
  if (!cx->library) {
    cx->library = fg_arena_new(cx->arena, fg_library, 1);
    cx->library->cx.arena = cx->arena;
  }
  fg_library *library = cx->library;
  if (library->owns_arena) memcpy(fg_arena_recovery(library->cx.arena), fg_arena_recovery(cx->arena), sizeof(jmp_buf));
  return library;
}

static bool same_name(const char *a, const char *b) { return a && b ? strcmp(a, b) == 0 : a == b; }

static bool same_key(const fg_codelet_key *a, const fg_codelet_key *b) {
  return a->n == b->n && a->sign == b->sign && a->twiddle == b->twiddle && a->form == b->form &&
         a->accurate == b->accurate && a->kind == b->kind && a->inputs == b->inputs && a->matrix == b->matrix &&
         a->outputs == b->outputs && same_name(a->algo, b->algo);
}

fg_status fg_codelet_library_codelet(fg_context *cx, const fg_codelet_key *key, const fg_codelet **out) {
  fg_library *library = library_of(cx);
  for (entry *e = library->first; e; e = e->next)
    if (same_key(&e->codelet->key, key)) {
      *out = e->codelet;
      return FG_OK;
    }
  const fg_codelet *made;
  fg_status status = fg_codelet_create(&library->cx, key, &made);
  if (status != FG_OK) {
    fg_diag_set(&cx->diag, status, "%s", library->cx.diag.message);
    fg_diag_clear(&library->cx.diag);
    return status;
  }
  entry *e = fg_arena_new(library->cx.arena, entry, 1);
  e->codelet = *out = made;
  e->next = library->first;
  library->first = e;
  return FG_OK;
}

const fg_schedule *fg_codelet_library_schedule(fg_context *cx, const fg_codelet *codelet) {
  fg_library *library = library_of(cx);
  for (entry *e = library->first; e; e = e->next)
    if (e->codelet == codelet) {
      library->cx.effort_fast = cx->effort_fast;
      const fg_schedule **schedule = &e->schedule[cx->effort_fast];
      if (!*schedule) *schedule = fg_schedule_create(&library->cx, codelet);
      return *schedule;
    }
  return fg_schedule_create(cx, codelet); /* made outside the library */
}
