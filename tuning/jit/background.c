/* See background.h. A proof shares the program and its text, which do not change any more, and has memory of its own.
 */
#include "tuning/jit/background.h"
#include "generator/codelet/library.h"
#include "targets/thread.h"
#include <mpfr.h>
#include <stdlib.h>

/* ---- codelets that were made before -------------------------------------------------------- */

enum { KEPT = 4, MOST_BYTES = 16 << 20 }; /* of a library */

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static fg_library *kept[KEPT]; /* of packages that are done: a changed expression needs the same codelets */

static fg_library *take_library(void) {
  fg_library *taken = NULL;
  pthread_mutex_lock(&lock);
  for (int i = 0; i < KEPT && !taken; i++) taken = kept[i], kept[i] = NULL;
  pthread_mutex_unlock(&lock);
  return taken ? taken : fg_codelet_library_create();
}

static void give_library(fg_library *given) {
  pthread_mutex_lock(&lock);
  for (int i = 0; i < KEPT && given && fg_codelet_library_bytes(given) < MOST_BYTES; i++)
    if (!kept[i]) kept[i] = given, given = NULL;
  pthread_mutex_unlock(&lock);
  fg_codelet_library_destroy(given);
}

/* ---- proofs --------------------------------------------------------------------------------- */

fg_background *fg_background_create(void) {
  fg_background *b = calloc(1, sizeof *b);
  if (!b) return NULL;
  b->made.arena = fg_arena_create();
  b->program.cx.arena = fg_arena_create();
  b->text.cx.arena = fg_arena_create();
  b->made.library = b->library = take_library();
  if (b->library && b->made.arena && b->program.cx.arena && b->text.cx.arena) return b;
  fg_background_destroy(b);
  return NULL;
}

static void prove_program(fg_background_proof *p) {
  p->status = FG_ENOMEM;
  if (!fg_arena_guard(p->cx.arena)) p->status = fg_pipeline_prove(&p->c);
}

static void prove_text(fg_background_proof *p) {
  p->status = FG_ENOMEM;
  if (!fg_arena_guard(p->cx.arena)) p->status = fg_pipeline_prove_emitted(&p->c);
}

static void *program_in_thread(void *data) {
  prove_program(data);
  mpfr_free_cache2(MPFR_FREE_LOCAL_CACHE); /* it keeps constants for each thread */
  return NULL;
}

static void *text_in_thread(void *data) {
  prove_text(data);
  mpfr_free_cache2(MPFR_FREE_LOCAL_CACHE);
  return NULL;
}

static void view(fg_background *b, fg_background_proof *p, const fg_compilation *c) {
  fg_request *r = &p->c.request;
  fg_arena *arena = b->made.arena;
  p->c = *c;
  p->c.cx = &p->cx;
  fg_diag_clear(&p->cx.diag);
  r->problem = fg_arena_strdup(arena, r->problem);
  if (r->plan) r->plan = fg_arena_strdup(arena, r->plan);
  if (r->isa) r->isa = fg_arena_strdup(arena, r->isa);
  if (r->facts) r->facts = fg_arena_copy(arena, r->facts, sizeof *r->facts);
  p->begun = true;
}

void fg_background_prove_program(fg_background *b, const fg_compilation *c) {
  fg_background_proof *p = &b->program;
  view(b, p, c);
  p->has_thread = fg_thread_create(&p->thread, program_in_thread, p) == 0;
  if (!p->has_thread) prove_program(p);
}

void fg_background_prove_text(fg_background *b, const fg_compilation *c) {
  fg_background_proof *p = &b->text;
  view(b, p, c);
  p->has_thread = fg_thread_create(&p->thread, text_in_thread, p) == 0;
  if (!p->has_thread) prove_text(p);
}

static fg_status end(fg_background_proof *p) {
  if (p->has_thread) pthread_join(p->thread, NULL);
  p->has_thread = false;
  return p->begun ? p->status : FG_OK;
}

fg_status fg_background_end(fg_background *b, const fg_context **why) {
  fg_status program = end(&b->program), text = end(&b->text);
  *why = program != FG_OK ? &b->program.cx : &b->text.cx;
  if (program != FG_OK || text != FG_OK) return program != FG_OK ? program : text;
  if (!b->text.begun || b->text.c.assembled == b->assembled) return FG_OK;
  return fg_diag_set(&b->text.cx.diag, FG_EWRONG, "assembly of \"%s\" is not proved", b->text.c.request.problem);
}

void fg_background_destroy(fg_background *b) {
  if (!b) return;
  end(&b->program), end(&b->text);
  fg_arena_destroy(b->made.arena);
  fg_arena_destroy(b->program.cx.arena);
  fg_arena_destroy(b->text.cx.arena);
  if (b->library) give_library(b->library);
  free(b);
}
