/* The public functions about the user's wisdom. In: a file, or a problem. Out: the user's file, or another one,
 * replaced atomically. */
#include "runtime/plan/public.h"
#include "runtime/store/fingerprint.h"
#include "runtime/store/wisdom.h"
#include "runtime/store/wisdom_file.h"

typedef struct order {
  const char *file, *problem;
  const fftgen_options *options;
} order;

typedef fg_status job(fg_context *cx, const order *o, const char *own, fg_wisdom_warn warn);

static fg_status import(fg_context *cx, const order *o, const char *own, fg_wisdom_warn warn) {
  fg_wisdom w;
  fg_status status = fg_wisdom_load_sound(cx, o->file, warn, &w);
  return status == FG_OK ? fg_wisdom_merge(cx, own, &w, warn) : status;
}

static fg_status export(fg_context *cx, const order *o, const char *own, fg_wisdom_warn warn) {
  fg_wisdom w;
  fg_status status = fg_wisdom_load(cx, own, warn, &w);
  if (status != FG_OK) return status;
  fg_wisdom_reduce(cx, &w, true);
  return fg_wisdom_write(cx, o->file, &w);
}

static fg_status forget(fg_context *cx, const order *o, const char *own, fg_wisdom_warn warn) {
  fg_wisdom_entry key = {.device = fg_fingerprint_host()};
  fg_problem p;
  if (o->problem) {
    fg_status status = fg_problem_parse(cx, o->problem, &p);
    if (status != FG_OK) return status;
    key.problem = fg_wisdom_problem(cx, &p);
  }
  return fg_wisdom_forget(cx, own, &key, warn);
}

static fg_status guarded(fg_context *cx, job *work, const order *o) {
  if (fg_arena_guard(cx->arena)) return FG_ENOMEM;
  const char *own = o->options->wisdom ? o->options->wisdom : fg_wisdom_path(cx->arena);
  if (!own) return fg_diag_set(&cx->diag, FG_EUSER, "no home folder for wisdom; say where in options.wisdom");
  return work(cx, o, own, (fg_wisdom_warn){o->options->warning, o->options->warning_context});
}

static fftgen_status call(job *work, order *o, fftgen_error *error) {
  fftgen_options whole;
  const char *wrong = fg_public_options(o->options, &whole);
  if (wrong) return fg_public_tell(error, FFTGEN_EPROBLEM, wrong);
  o->options = &whole;
  fg_context cx = {.arena = fg_arena_create()};
  sigset_t before;
  fg_public_begin_files(&before);
  fftgen_status status = fg_public_status(cx.arena ? guarded(&cx, work, o) : FG_ENOMEM);
  fg_public_end_files(&before);
  fg_public_tell(error, status, status == FFTGEN_OK ? "" : cx.diag.message);
  fg_arena_destroy(cx.arena);
  return status;
}

fftgen_status fftgen_wisdom_import(const char *file, const fftgen_options *options, fftgen_error *error) {
  if (!file) return fg_public_tell(error, FFTGEN_EPROBLEM, "no file given");
  return call(import, &(order){.file = file, .options = options}, error);
}

fftgen_status fftgen_wisdom_export(const char *file, const fftgen_options *options, fftgen_error *error) {
  if (!file) return fg_public_tell(error, FFTGEN_EPROBLEM, "no file given");
  return call(export, &(order){.file = file, .options = options}, error);
}

fftgen_status fftgen_wisdom_forget(const char *problem, const fftgen_options *options, fftgen_error *error) {
  return call(forget, &(order){.problem = problem, .options = options}, error);
}
