/* Calls of the text over a field. In: a compiled text, or instructions. Out: whether its outputs are the problem's.
 *
 * The idea: arrays of random elements are between guards; memory that is no result must be unchanged. Calls are run
 * as a whole if that takes little time, else in samples (text_sample.c). */
#include "generator/base/integer.h"
#include "generator/ir/count.h"
#include "generator/ir/table_values.h"
#include "generator/ir/walk.h"
#include "generator/problem/shape.h"
#include "generator/problem/spectrum.h"
#include "generator/prove/contexts.h"
#include "generator/prove/element_numbers.h"
#include "generator/prove/guard.h"
#include "generator/prove/literals.h"
#include "generator/prove/run_instructions.h"
#include "generator/prove/settings.h"
#include "generator/prove/text_call_parts.h"
#include "generator/prove/text_extent.h"
#include "generator/prove/translate.h"
#include "generator/reference/checksum.h"
#include "generator/reference/definition.h"
#include "generator/reference/operation_values.h"
#include "targets/tcc.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { PARTS = FG_TEXT_PARTS, CODE_ENDS = 4, CODE_MANY = 32 };
#define LONGEST_RUN (INT64_C(1) << 20)    /* points of the first call, all transforms; of longer ones samples are run */
#define NEXT_RUN (INT64_C(1) << 16)       /* of those with other parameters, and in parts */
#define ONE_PRIME_RUN (INT64_C(1) << 11)  /* of both, over one prime */
#define TRANSLATED_RUN (INT64_C(1) << 15) /* of C that is read itself, if its first call takes little */
#define LAUNCHED_RUN (INT64_C(1) << 13)   /* of kernels that are read themselves */
#define CODE_RUN (int64_t) FG_TEXT_CODE_RUN /* of instructions over one prime: of longer calls the ends of the batch   \
                                             */
#define ENDS_OPERATIONS (INT64_C(1) << 26)  /* of the transforms at the ends of a batch, */
#define ENDS_THREADS (INT64_C(1) << 20)     /* of all blocks, */
#define ENDS_REALS (INT64_C(1) << 23)       /* of either side */
#define LITTLE (INT64_C(1) << 20)           /* operations */
#define ONE_PRIME_PARTS (INT64_C(1) << 14)  /* of instructions in parts */
#define LARGEST_ARRAY (INT64_C(1) << 23)    /* reals */

static int64_t span(const fg_proof_text_call *c, bool output) {
  return fg_problem_extent(&c->text->p->problem, output, c->params);
}

static void interpret(fg_proof_text_call *c, const fg_prove_code_share *share) {
  const fg_instructions *code = c->text->artifact->instructions;
  fg_gf **slot = fg_arena_new(c->cx->arena, fg_gf *, c->nslot + code->ntable + 1);
  int64_t *count = fg_arena_new(c->cx->arena, int64_t, c->nslot + code->ntable + 1);
  for (int i = 0; i < c->nslot + code->ntable; i++) {
    const fg_proof_text_array *a = i < c->nslot ? &c->array[i] : &c->table[i - c->nslot];
    slot[i] = a->at, count[i] = a->count;
  }
  fg_prove_code_memory m = {.slot = slot,
                            .count = count,
                            .nslot = c->nslot,
                            .table = slot + c->nslot,
                            .table_count = count + c->nslot,
                            .params = c->params};
  char why[128];
  if (!fg_prove_code_run(c->cx, code, c->text->field, &m, share, why)) fg_proof_text_fail(c, why);
}

/* ---- comparison --------------------------------------------------------------------------- */

/* The input as it was before the call. */
static fg_status expected(fg_proof_text_call *c, int64_t batch, fg_gfc *y) {
  const fg_problem *q = &c->text->p->problem;
  const fg_buffer *b = &c->text->p->buffer[FG_BUFFER_IN];
  int64_t n = fg_problem_elements(q, false), summands = fg_problem_summands(q, c->params);
  bool real = fg_problem_is_real(q, false);
  fg_gfc *x = fg_arena_new(c->cx->arena, fg_gfc, n * summands);
  fg_proof_text_array was[2];
  for (int part = 0; part < 2; part++) {
    was[part] = c->array[part]; /* the input's slots are first */
    was[part].at = was[part].before;
  }
  for (int64_t i = 0; i < n * summands; i++) {
    int64_t number = batch + i / n * fg_problem_result_count(q, c->params);
    int64_t e = fg_problem_batch_at(q, false, number, c->params) + fg_problem_element_at(q, false, i % n, c->params);
    x[i] = (fg_gfc){*fg_proof_text_part(b, was, e, 0), real ? 0 : *fg_proof_text_part(b, was, e, 1)};
  }
  fg_operation_values_factors(&(fg_system){.field = c->text->field}, q, batch, c->params, x);
  return fg_definition_gf(c->cx, q, c->text->field, (fg_which){batch, c->params}, x, y);
}

/* Which of the result's arrays holds this element, and at which index. */
static void mark(fg_proof_text_call *c, const fg_gf *at) {
  for (int part = 0; part < 2; part++)
    if (c->own[part] && at >= c->result[part].at && at < c->result[part].at + c->result[part].count)
      c->own[part][at - c->result[part].at] = true;
}

/* The places of a transform's results may change, and in place those of its input. */
static void mark_side(fg_proof_text_call *c, bool output, int64_t batch) {
  const fg_problem *q = &c->text->p->problem;
  const fg_buffer *b = &c->text->p->buffer[output ? FG_BUFFER_OUT : FG_BUFFER_IN];
  int64_t n = fg_problem_elements(q, output), from = fg_problem_batch_at(q, output, batch, c->params);
  for (int64_t k = 0; k < n; k++) {
    int64_t at = from + fg_problem_element_at(q, output, k, c->params);
    for (int part = 0; part < 2; part++) mark(c, fg_proof_text_part(b, c->result, at, part));
  }
}

/* Elements [from, from + count) of a row: inputs as they were before the call, results as they are. */
static void read_row(fg_proof_text_call *c, bool output, int64_t at, int64_t count, fg_gfc *x) {
  const fg_problem *q = &c->text->p->problem;
  const fg_buffer *b = &c->text->p->buffer[output ? FG_BUFFER_OUT : FG_BUFFER_IN];
  const fg_dim *d = &q->dim[q->rank - 1];
  int64_t step = fg_num_value(output ? d->os : d->is, c->params);
  bool real = fg_problem_is_real(q, output);
  fg_proof_text_array side[2];
  for (int part = 0; part < 2; part++) {
    side[part] = output ? c->result[part] : c->array[part]; /* the input's slots are first */
    if (!output) side[part].at = side[part].before;
  }
  for (int64_t i = 0; i < count; i++, at += step)
    x[i] = (fg_gfc){*fg_proof_text_part(b, side, at, 0), real ? 0 : *fg_proof_text_part(b, side, at, 1)};
}

static void sum_side(fg_proof_text_call *c, bool output, int64_t batch, fg_sums *s, fg_gfc *x) {
  const fg_problem *q = &c->text->p->problem;
  int64_t n = fg_problem_length(q, q->rank - 1, output), rows = fg_problem_elements(q, output) / n;
  for (int64_t row = 0; row < rows; row++)
    for (int64_t from = 0; from < n; from += FG_SUMS_PART) {
      int64_t count = n - from < FG_SUMS_PART ? n - from : FG_SUMS_PART;
      int64_t at = fg_problem_element_at(q, output, row * n + from, c->params);
      read_row(c, output, fg_problem_batch_at(q, output, batch, c->params) + at, count, x);
      (output ? fg_sums_result : fg_sums_input)(s, row, from, count, x);
    }
}

/* Their weighted sum says that all results of a transform are right. */
static bool agrees(fg_proof_text_call *c, int64_t batch, fg_sums *s, fg_gfc *x) {
  fg_sums_begin(s);
  for (int output = 0; output < 2; output++) sum_side(c, output, batch, s, x);
  return fg_sums_agree(s);
}

static fg_status compare_each(fg_proof_text_call *c, int64_t batch, fg_gfc *y) {
  const fg_problem *q = &c->text->p->problem;
  const fg_buffer *b = &c->text->p->buffer[FG_BUFFER_OUT];
  int64_t n = fg_problem_elements(q, true), at = fg_problem_batch_at(q, true, batch, c->params);
  fg_status status = expected(c, batch, y);
  for (int64_t k = 0; k < n && status == FG_OK; k++) {
    int64_t e = at + fg_problem_element_at(q, true, k, c->params);
    bool good = *fg_proof_text_part(b, c->result, e, 0) == y[k].re;
    if (!fg_problem_is_real(q, true)) good = good && *fg_proof_text_part(b, c->result, e, 1) == y[k].im;
    if (!good) return fg_proof_text_fail(c, "an output that is not the DFT's"), FG_OK;
  }
  return status;
}

/* One for each number. */
static bool *new_marks(fg_proof_text_call *c, const fg_proof_text_array *a) {
  bool *marks = a->first ? fg_sparse_zeros(c->sparse, (size_t)a->count) : NULL;
  return marks ? marks : fg_arena_new(c->cx->arena, bool, a->count);
}

/* By sums where there are such; one by one where there are none, or a sum is wrong. */
static fg_status compare(fg_proof_text_call *c) {
  const fg_problem *q = &c->text->p->problem;
  int64_t count = fg_problem_result_count(q, c->params);
  uint64_t random = c->text->seed ^ 0x73756d73;
  fg_arena *arena = c->cx->arena;
  fg_sums *s = fg_sums_possible(q) ? fg_sums_create(c->cx, q, c->text->field, &random) : NULL;
  fg_gfc *part = fg_arena_new(arena, fg_gfc, FG_SUMS_PART), *y = NULL;
  for (int i = 0; i < 2; i++)
    if (c->result[i].count) c->own[i] = new_marks(c, &c->result[i]);
  for (int64_t t = 0; t < count; t++) {
    if (c->edge[0] && t == c->edge[0]) t = count - c->edge[1];
    if (q->in_place) mark_side(c, false, t);
    mark_side(c, true, t);
    if (c->ends && !c->edge[0] && t >= c->ends && t < count - c->ends) continue;
    c->out->outputs += (fg_problem_is_real(q, true) ? 1 : 2) * fg_problem_elements(q, true);
    if (!s || !agrees(c, t, s, part)) {
      if (!y) y = fg_arena_new(arena, fg_gfc, fg_problem_elements(q, true));
      fg_status status = compare_each(c, t, y);
      if (status != FG_OK || c->out->failure[0]) return status;
      if (s) return fg_proof_text_fail(c, "outputs that are not the DFT's"), FG_OK;
    }
  }
  return FG_OK;
}

/* Guards and everything that is no result are as they were; scratch may change. */
static void check_rest(fg_proof_text_call *c) {
  const fg_artifact *f = c->text->artifact;
  for (int i = 0, slot = 0; i < f->nbuffer; i++)
    for (int part = 0; part < (f->buffer[i].split ? 2 : 1); part++, slot++) {
      const fg_proof_text_array *a = &c->array[slot];
      const bool *own = NULL;
      for (int r = 0; r < 2; r++)
        if (c->result[r].at == a->at) own = c->own[r];
      if (!fg_guard_holds(a->at, a->count, c->guard)) fg_proof_text_fail(c, "a store beyond an array");
      size_t between = (size_t)(a->count - a->first - a->last) * sizeof *a->at;
      if (a->first && !fg_sparse_is_untouched(a->at + a->first, between))
        fg_proof_text_fail(c, "an access between the ends of the batch");
      for (int64_t k = 0; k < a->count && f->buffer[i].kind != FG_ARG_WORK; k++) {
        if (a->first && k == a->first) k = a->count - a->last;
        if (!(own && own[k]) && a->at[k] != a->before[k]) {
          fg_proof_text_fail(c, "a store to what is not its own");
          return;
        }
      }
    }
}

/* ---- one call ------------------------------------------------------------------------------ */

/* Two parameters may count one loop of a launched text's form over a field, whose samples are not told apart. */
static bool may_sample(const fg_proof_text *text) {
  const fg_problem *q = &text->p->problem;
  int counts = 0;
  for (int i = 0; i < q->batch_rank; i++) counts += q->batch[i].n.form == FG_NUM_PARAM;
  return text->map && (counts < 2 || text->translation || !fg_walk_has_threads(text->p));
}

/* Of a call: of codelets and moves. */
static int64_t operations_of(const fg_proof_text_call *c) {
  int64_t sum = 0;
  for (int k = 0; k < c->text->p->nkernel; k++) sum += fg_kernel_operations(c->text->p->kernel[k], c->params);
  return sum;
}

/* Instructions have samples where one transform is long, and nothing is run whole. */
static int64_t longest_run(const fg_proof_text_call *c) {
  bool code = c->text->artifact->instructions;
  if (code && may_sample(c->text)) return 0;
  if (c->text->translation && c->text->artifact->nlaunch) return operations_of(c) <= LITTLE ? LAUNCHED_RUN : 0;
  if (c->text->translation && may_sample(c->text) && c->first && operations_of(c) <= LITTLE) return TRANSLATED_RUN;
  if (!code && !may_sample(c->text)) return c->first ? LONGEST_RUN : NEXT_RUN;
  if (c->text->one_prime && !code) return ONE_PRIME_RUN;
  return c->first ? LONGEST_RUN : c->text->one_prime ? ONE_PRIME_PARTS : NEXT_RUN;
}

/* Products of matrices are in the delivered text alone: of a long batch the blocks at its ends are run, whatever the
 * arrays' size. */
static bool has_products(const fg_proof_text_call *c) {
  const fg_program *p = c->text->launched;
  return c->text->contexts && p->nkernel == 1 && c->text->artifact->nlaunch == 1 && fg_kernel_has_matrix(p->kernel[0]);
}

static bool runs_edges(const fg_proof_text_call *c) { return c->ends && has_products(c); }

/* Transforms of the blocks at both ends, where others are between. */
static void find_edges(fg_proof_text_call *c) {
  const fg_kernel *k = c->text->launched->kernel[0];
  int64_t count = fg_problem_batch_count(&c->text->p->problem, c->params), group = k->digit[k->outer[0]].step;
  int64_t blocks = fg_launch_blocks(&c->text->artifact->launch[0], c->params);
  if (blocks <= 2 * c->ends) return;
  c->edge[0] = c->ends * group, c->edge[1] = count - (blocks - c->ends) * group;
}

/* Of kernels that run in contexts the ends of a batch, where that takes little: how often threads wait is in proportion
 * to their number. */
static bool affords_ends(const fg_proof_text_call *c) {
  const fg_artifact *f = c->text->artifact;
  int64_t count = fg_problem_batch_count(&c->text->p->problem, c->params), threads = 0;
  for (int i = 0; i < f->nlaunch; i++) threads += fg_launch_blocks(&f->launch[i], c->params) * f->launch[i].threads;
  int64_t operations = operations_of(c) / count * (count < 2 * c->ends ? count : 2 * c->ends);
  if (runs_edges(c)) return operations <= ENDS_OPERATIONS;
  return c->first && operations <= ENDS_OPERATIONS && threads <= ENDS_THREADS &&
         fg_proof_text_call_reals(c, false) <= ENDS_REALS && fg_proof_text_call_reals(c, true) <= ENDS_REALS;
}

static bool affordable(const fg_proof_text_call *c) {
  int64_t most = c->ends ? INT64_MAX : longest_run(c);
  const fg_problem *q = &c->text->p->problem;
  int64_t count = fg_problem_batch_count(q, c->params);
  for (int i = 0; i < c->text->artifact->nbuffer; i++) {
    const fg_arg_buffer *b = &c->text->artifact->buffer[i];
    if ((b->kind == FG_ARG_WORK || b->kind == FG_ARG_TABLE) && b->bytes / sizeof(fg_gf) > LARGEST_ARRAY) return false;
  }
  if (c->ends && (q->summed || !affords_ends(c))) return false; /* of sums the ends are not those of the arrays */
  if (runs_edges(c)) return true;
  return count <= most && count * fg_problem_points(q) <= most && span(c, false) <= LARGEST_ARRAY &&
         span(c, true) <= LARGEST_ARRAY;
}

/* In an unusual order. */
static void run_parts(fg_proof_text_call *c, const long long *params) {
  for (int step = 0; step < c->text->artifact->nstep; step++)
    for (int i = 0; i < PARTS; i++) {
      fg_prove_code_share s = {.step = step, .share = (i + 2 + step) % PARTS, .shares = PARTS};
      if (c->run->whole)
        c->run->part(c->slot, params, s.step, s.share, s.shares);
      else
        interpret(c, &s);
    }
}

static fg_status run_call(fg_proof_text_call *c, bool *ran) {
  *ran = affordable(c) && fg_proof_text_is_call(c->cx, &c->text->p->problem, c->params);
  if (!*ran) return FG_OK;
  if (runs_edges(c)) find_edges(c);
  fg_status status = fg_proof_text_make_arrays(c);
  for (int i = 0; i < c->nslot; i++)
    if (c->array[i].first && !c->array[i].before) return *ran = false, FG_OK;
  if (status == FG_OK) status = fg_proof_text_make_tables(c);
  if (status != FG_OK || c->out->failure[0]) return status;
  long long params[FG_MAX_PARAMS];
  for (int i = 0; i < FG_MAX_PARAMS; i++) params[i] = c->params[i];
  fg_proof_text_begin(c->text->field);
  if (c->text->contexts) fg_contexts_at_ends(c->text->contexts, c->ends);
  if (c->in_parts)
    run_parts(c, params);
  else if (!c->run->whole)
    interpret(c, &(fg_prove_code_share){.step = -1, .shares = 1, .ends = c->ends});
  else
    c->run->whole(c->slot, params);
  const char *blocks = c->text->contexts ? fg_contexts_failure(c->text->contexts) : NULL;
  if (blocks) fg_proof_text_fail(c, blocks);
  if (c->text->contexts && fg_contexts_lack_room(c->text->contexts)) return *ran = false, FG_OK;
  c->out->runs++;
  if (fg_proof_text_strayed()) fg_proof_text_fail(c, "arithmetic on a number beyond an array");
  status = compare(c);
  if (status == FG_OK && !c->out->failure[0]) check_rest(c);
  return status;
}

/* Each call has an arena of its own. */
static fg_status guarded_call(const fg_proof_text_call *like, bool *ran) {
  fg_context cx = {.arena = fg_arena_create()};
  fg_sparse *sparse = cx.arena ? calloc(1, sizeof *sparse) : NULL;
  fg_status status = FG_ENOMEM;
  if (sparse && !fg_arena_guard(cx.arena)) {
    fg_proof_text_call *c = fg_arena_new(cx.arena, fg_proof_text_call, 1);
    *c = *like;
    c->cx = &cx, c->sparse = sparse;
    status = run_call(c, ran);
  }
  if (sparse) fg_sparse_free(sparse);
  free(sparse);
  fg_arena_destroy(cx.arena);
  return status;
}

/* Of long calls of instructions the first and last transforms, if outermost loops count transforms: if they do not, the
 * results are wrong, and tell nothing. */
static fg_status run_code_ends(const fg_proof_text_call *like, bool *ran) {
  const fg_problem *q = &like->text->p->problem;
  int64_t count = fg_problem_batch_count(q, like->params);
  bool is_long = count > CODE_RUN || count * fg_problem_points(q) > CODE_RUN;
  if (!like->text->artifact->instructions || !like->text->one_prime || !is_long || count < CODE_MANY) return FG_OK;
  fg_text_proof kept = *like->out;
  fg_proof_text_call ends = *like;
  ends.ends = CODE_ENDS;
  fg_status status = guarded_call(&ends, ran);
  if (like->out->failure[0]) *like->out = kept, *ran = false;
  return status;
}

/* As a whole where that takes little time, else a sample. */
static fg_status run_setting(const fg_proof_text_call *like, bool *ran) {
  if (like->text->assembly) return fg_proof_asm_call(like->text, like->run, like->params, ran, like->out);
  fg_proof_text_call next = *like;
  bool in_parts = true, whole = !like->text->by_samples;
  *ran = false;
  fg_status status = whole ? run_code_ends(like, ran) : FG_OK;
  if (status == FG_OK && whole && !*ran && !like->text->sample) status = guarded_call(like, ran);
  int64_t ends = LAUNCHED_RUN / 2 / fg_problem_points(&like->text->p->problem);
  next.ends = ends > 1 && !has_products(like) ? (int)ends : 1;
  if (status == FG_OK && whole && !*ran && like->text->contexts) status = guarded_call(&next, ran);
  next.ends = 0;
  next.in_parts = true, next.first = false;
  if (status == FG_OK && *ran && like->text->artifact->nstep && !like->out->failure[0])
    status = guarded_call(&next, &in_parts);
  fg_strides results = fg_strides_create(&like->text->p->problem, like->params, true);
  bool all = *ran && in_parts, apart = fg_strides_apart(&results) == FG_APART;
  if (status != FG_OK || all || !apart || !may_sample(like->text) || like->out->failure[0]) return status;
  bool sampled;
  status = fg_proof_text_sample(like->text, like->run, like->params, &sampled, like->out);
  *ran = *ran || sampled;
  return status;
}

fg_status fg_proof_text_settings(fg_context *cx, const fg_proof_text *text, const fg_proof_text_functions *run,
                                 fg_text_proof *out) {
  const fg_settings *s = fg_settings_create(cx, text->p);
  int64_t runs = 0;
  for (int i = 0; i < s->count && !out->failure[0]; i++) {
    bool ran;
    fg_proof_text_call like = {.text = text, .params = s->value[i], .out = out, .run = run, .first = !runs};
    like.guard = fg_guard_size(text->p, s->value[i]);
    fg_status status = run_setting(&like, &ran);
    if (status != FG_OK) return status;
    runs += ran, out->left += !ran;
  }
  return runs ? FG_OK : FG_ENA;
}

fg_status fg_proof_text_given(fg_context *cx, fg_proof_text *text, fg_tcc_symbol *symbol, fg_text_proof *out) {
  fg_proof_text_call c = {.cx = cx, .text = text, .out = out, .guard = FG_GUARD_SHARED};
  uint64_t random = text->seed;
  fg_gf **memory = fg_arena_new(cx->arena, fg_gf *, FG_MAX_BUFFERS);
  for (int i = 0; i < text->translation->ntable; i++) {
    int table = fg_proof_text_table(text->p, text->translation->table[i]);
    if (table < 0) return fg_proof_text_fail(&c, "a table that the program does not have"), FG_OK;
    fg_proof_text_array a =
        fg_proof_text_new_array(&c, fg_prove_table_reals(&text->p->buffer[text->p->table[table].buffer]), &random);
    fg_status status = fg_table_is_index(&text->p->table[table]) ? fg_proof_text_fill_table(&c, table, &a) : FG_OK;
    if (status != FG_OK) return status;
    memory[i] = a.at;
    symbol[i] = (fg_tcc_symbol){text->translation->table[i], a.at};
  }
  text->table = memory;
  if (text->translation->contexts) {
    int real = fg_precision_bytes(text->p->problem.compute);
    fg_contexts_options o = {real, text->translation->shared_bytes, text->translation->shared, text->artifact->longest,
                             text->field};
    text->contexts = fg_contexts_create(cx, &o);
    fg_contexts_symbols(text->contexts, &symbol[text->translation->ntable]);
  } else if (text->artifact->nlaunch) {
    text->shared = fg_proof_text_new_array(&c, text->translation->shared, &random).at;
    symbol[text->translation->ntable] = (fg_tcc_symbol){"fg_shared", text->shared};
  }
  return FG_OK;
}
