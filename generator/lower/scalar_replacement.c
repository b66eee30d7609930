/* Stages of a small kernel as one function, with scratch in variables (scalar replacement). In: a kernel whose stages
 * have few iterations. Out: their unrolled text. A LOCAL buffer that one stage writes and the next reads as the same
 * vectors becomes variables (an exchange of scope REGISTER).
 *
 * The idea: write the text twice. The first time every vector stored to such a buffer is recorded with its address,
 * and every load looks for its numbers among them: as one vector, as a part of one, or as a join of several. If a
 * load finds none, the buffer stays in memory. The second time the other buffers have names instead of addresses. */
#include "generator/lower/scalar_replacement.h"
#include "generator/lower/forward_state.h"
#include "generator/lower/memory.h"
#include "generator/lower/parallel.h"
#include "generator/lower/stage.h"
#include "generator/lower/writer.h"
#include "generator/text/emitter.h"
#include "generator/text/recorder_statements.h"
#include "generator/text/recorder_variables.h"
#include "generator/text/spell.h"

/* ---- which kernels, which buffers ----------------------------------------------------- */

static bool is_wanted(const fg_emitter *e, const fg_kernel *k) {
  return !(e->launched && k->launch.threads > 1) && e->d->vector.join && fg_kernel_is_joined(k);
}

/* LOCAL memory that this kernel alone uses, under one name. */
static bool is_private(const fg_emitter *e, const fg_kernel *k, int buffer) {
  const fg_buffer *b = &e->p->buffer[buffer];
  if (b->space != FG_SPACE_LOCAL || b->used.first != b->used.last || e->p->kernel[b->used.first] != k) return false;
  for (int i = 0; i < e->p->nbuffer; i++)
    if (i != buffer && e->p->buffer[i].space == FG_SPACE_LOCAL &&
        fg_buffer_root(e->p, i) == fg_buffer_root(e->p, buffer))
      return false;
  return true;
}

/* Those that are loaded, by the first time. */
static void declare_pieces(const fg_emitter *e, const fg_forward *f) {
  for (int lanes = 2; lanes <= FG_MAX_LANES; lanes *= 2)
    for (int i = 0; i < f->npiece; i++)
      if (f->loaded[i] && f->piece[i].lanes == lanes && e->held[f->piece[i].buffer])
        fg_coder_vector(e->coder, fg_spell_vector_type(e, lanes), lanes, fg_arena_printf(e->cx->arena, "f%d", i));
}

/* Every iteration of a stage in a block of its own. */
static fg_status write_iterations(fg_emitter *e, const fg_kernel *k, int stage, fg_uses *uses) {
  const fg_stage *s = &k->stage[stage];
  int64_t counter[FG_MAX_LOOPS] = {0}, iterations = fg_stage_iterations(k, s);
  for (int64_t iteration = 0; iteration < iterations; iteration++) {
    int64_t rest = iteration;
    for (int i = s->nloop - 1; i >= 0; i--) {
      if (s->loop[i] == s->vectors.lane) continue;
      counter[i] = rest % k->digit[s->loop[i]].extent.n;
      rest /= k->digit[s->loop[i]].extent.n;
    }
    fg_coder_block(e->coder, fg_arena_printf(e->cx->arena, "{ /* %s */", s->what ? s->what : "copy"));
    fg_status status = fg_lower_iteration(e, &(fg_iteration){k, stage, counter}, uses);
    if (status != FG_OK) return status;
    fg_coder_close(e->coder);
  }
  return FG_OK;
}

static fg_status write_stages(fg_emitter *e, const fg_kernel *k, fg_forward *f, fg_uses *uses) {
  if (f->decided) declare_pieces(e, f);
  f->npiece = 0;
  e->forward = f;
  for (int b = 0; b < e->p->nbuffer; b++) f->tracked[b] = is_private(e, k, b);
  fg_status status = FG_OK;
  for (int i = 0; i < k->nstage && status == FG_OK; i++) status = write_iterations(e, k, i, uses);
  e->forward = NULL;
  return status;
}

/* True: something of this kernel is held. */
static bool choose_held(fg_emitter *e, const fg_forward *f) {
  bool any = false;
  for (int i = 0; i < f->npiece; i++) {
    int buffer = f->piece[i].buffer;
    e->held[buffer] = !f->spoilt[buffer];
    any = any || e->held[buffer];
  }
  return any;
}

fg_status fg_forward_plan(fg_emitter *e) {
  e->forwards = fg_arena_new(e->cx->arena, fg_forward *, e->p->nkernel);
  bool any = false, shared = fg_parallel_is_possible(e);
  for (int i = 0; i < e->p->nkernel; i++) {
    const fg_kernel *k = e->p->kernel[i];
    if (!is_wanted(e, k) || (shared && !k->nouter)) continue;
    fg_forward *f = fg_arena_new(e->cx->arena, fg_forward, 1);
    fg_coder *before = e->coder;
    e->coder = fg_coder_rehearse(e->cx, e->real_bytes);
    fg_status status = write_stages(e, k, f, &(fg_uses){0});
    e->coder = before;
    if (status != FG_OK) return status;
    if (!choose_held(e, f)) continue;
    e->forwards[i] = f;
    any = true;
  }
  return any ? fg_memory_plan(e) : FG_OK;
}

fg_status fg_lower_joined(fg_emitter *e, int kernel, fg_uses *uses) {
  *uses = (fg_uses){0};
  e->forwards[kernel]->decided = true;
  return write_stages(e, e->p->kernel[kernel], e->forwards[kernel], uses);
}
