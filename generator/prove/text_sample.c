/* A sample of the emitted text, compared with the same sample of its program.
 *
 * In: a compiled text whose loops ask which iterations to skip, its program, values of parameters. Out: whether both
 * do the same to memory.
 *
 * The idea: the program is proved to be the transform, so the text must only do what the program does, which any
 * iterations show on any memory. So memory holds random elements, tables and scratch too. The program's iterations
 * of the sample (sample.h) run first, and give the elements that they access and the values afterwards. The text's
 * iterations run on arrays in which only these elements exist. */
#include "generator/prove/guard.h"
#include "generator/prove/text_sample_parts.h"

enum {
  ONE_PRIME_SAMPLE = 1 << 10, /* elements that a stage moves, about; for delivered text */
  LONG_SAMPLE = 1 << 14
};

static void run_and_compare(fg_proof_sample *s, bool in_parts, bool *ran) {
  *ran = fg_proof_sample_map(s);
  if (*ran) {
    fg_proof_sample_fill(s);
    fg_proof_sample_run(s, in_parts);
    if (!s->out->failure[0]) fg_proof_sample_compare(s);
  }
  fg_proof_sample_unmap(s);
}

static int64_t elements_of(const fg_proof_text *t) {
  return t->sample ? t->sample : t->one_prime ? ONE_PRIME_SAMPLE : LONG_SAMPLE;
}

static void begin(fg_proof_sample *s) {
  s->sample = fg_sample_create(
      &s->cx, s->text->p,
      &(fg_sample_options){
          .params = s->params, .joined = s->text->map->joined, .seed = s->text->seed, .most = elements_of(s->text)});
  fg_proof_sample_grow(s);
}

static void sample(void *data) {
  fg_proof_sample *s = data;
  bool ran;
  begin(s);
  s->ran = fg_proof_sample_locate(s) && fg_proof_sample_walk(s);
  if (!s->ran || s->out->failure[0]) return;
  run_and_compare(s, false, &s->ran);
  if (s->ran && !s->out->failure[0] && s->text->artifact->nstep) run_and_compare(s, true, &ran);
}

fg_status fg_proof_text_sample(const fg_proof_text *text, const fg_proof_text_functions *run, const int64_t *params,
                               bool *ran, fg_text_proof *out) {
  fg_proof_sample s = {.cx = {.arena = fg_arena_create()}, .text = text, .run = run, .params = params, .out = out};
  if (!s.cx.arena) return FG_ENOMEM;
  if (!text->artifact->instructions) s.guard = fg_guard_size(text->p, params); /* their addresses are all checked */
  bool done = fg_arena_run(s.cx.arena, sample, &s);
  fg_proof_sample_end();
  fg_proof_sample_unmap(&s);
  fg_arena_destroy(s.cx.arena);
  *ran = s.ran || out->failure[0];
  return done ? FG_OK : FG_ENOMEM;
}
