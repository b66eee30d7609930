/* Calls of the text over a field. In: a compiled text, or instructions. Out: whether its outputs are the problem's.
 *
 * The idea: arrays of random elements are between guards; memory that is no result must be unchanged. Calls are run
 * as a whole if that takes little time, else in samples (text_sample.c). */
#include "generator/base/integer.h"
#include "generator/ir/count.h"
#include "generator/ir/table_values.h"
#include "generator/ir/walk.h"
#include "generator/problem/shape.h"
#include "generator/prove/contexts.h"
#include "generator/prove/element_numbers.h"
#include "generator/prove/guard.h"
#include "generator/prove/literals.h"
#include "generator/prove/run_instructions.h"
#include "generator/prove/settings.h"
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
#define CODE_RUN (INT64_C(1) << 16)       /* of instructions over one prime: of longer calls the ends of the batch */
#define ENDS_OPERATIONS (INT64_C(1) << 26) /* of the transforms at the ends of a batch, */
#define ENDS_THREADS (INT64_C(1) << 20)    /* of all blocks, */
#define ENDS_REALS (INT64_C(1) << 23)      /* of either side */
#define LITTLE (INT64_C(1) << 20)          /* operations */
#define ONE_PRIME_PARTS (INT64_C(1) << 14) /* of instructions in parts */
#define LARGEST_ARRAY (INT64_C(1) << 23)   /* reals */

/* ---- arrays ------------------------------------------------------------------------------ */

typedef struct array {
  fg_gf *at, *before; /* elements; a copy of them and their guards */
  int64_t count;
} array;

typedef struct call {
  fg_context *cx;
  array table[FG_MAX_BUFFERS]; /* of code */
  const fg_proof_text *text;
  const int64_t *params;
  fg_text_proof *out;
  const fg_proof_text_functions *run;
  bool first, in_parts;
  int ends;      /* of a batch so many transforms at either end alone; 0: all */
  int64_t guard; /* elements before and after each array */
  int nslot;
  array array[2 * FG_MAX_BUFFERS];
  void *slot[2 * FG_MAX_BUFFERS];
  array in[2], result[2]; /* two parts when split */
  bool *own[2];           /* elements of the result */
} call;

static bool fail(call *c, const char *what) {
  char text[96];
  if (!c->out->failure[0])
    snprintf(c->out->failure, sizeof c->out->failure, "text: %s%s", what,
             fg_settings_text(&c->text->p->problem, c->params, text));
  return false;
}

/* Random elements. */
static array new_array(call *c, int64_t count, uint64_t *random) {
  fg_gf *x = fg_arena_raw(c->cx->arena, (size_t)(count + 2 * c->guard) * sizeof *x);
  array a = {.at = x + c->guard, .count = count};
  fg_guard_fill(a.at, count, c->guard);
  for (int64_t i = 0; i < count; i++) a.at[i] = fg_gf_random(random);
  return a;
}

/* Of scratch nothing. */
static void keep(call *c, array *a, bool scratch) {
  if (!scratch) a->before = fg_arena_copy(c->cx->arena, a->at, sizeof *a->at * (size_t)a->count);
}

static int64_t span(const call *c, bool output) { return fg_problem_extent(&c->text->p->problem, output, c->params); }

int64_t fg_proof_text_reals(const fg_problem *q, const int64_t *params, bool output) {
  return (fg_problem_is_real(q, output) ? 1 : 2) * fg_problem_extent(q, output, params);
}

/* Reals of a buffer's element: one array when interleaved, two when split. */
static fg_gf *part_of(const fg_buffer *b, const array *a, int64_t e, int part) {
  if (b->elem == FG_ELEM_REAL) return &a[0].at[e];
  return b->layout == FG_LAYOUT_SPLIT ? &a[part].at[e] : &a[0].at[2 * e + part];
}

static fg_status fill_table(call *c, int table, array *a) {
  const fg_table *t = &c->text->p->table[table];
  const fg_buffer *b = &c->text->p->buffer[t->buffer];
  if (fg_table_is_index(t)) {
    memcpy(a->at, fg_table_indices(c->cx, t), sizeof(int32_t) * (size_t)t->cols);
    return FG_OK;
  }
  fg_gfc *content = fg_arena_new(c->cx->arena, fg_gfc, t->rows * t->cols);
  fg_status status = fg_table_fill_gf(c->cx, c->text->p, table, c->text->field, content);
  for (int64_t i = 0; status == FG_OK && i < t->rows * t->cols; i++) {
    int64_t re, im;
    fg_buffer_position(b, i, &re, &im);
    if (b->layout == FG_LAYOUT_DOUBLED) {
      a->at[re + 1] = content[i].re;
      a->at[im + 1] = fg_gf_neg(c->text->field, content[i].im);
    }
    a->at[im] = content[i].im;
    a->at[re] = content[i].re;
  }
  return status;
}

int fg_proof_text_table(const fg_program *p, const char *name) {
  for (int t = 0; t < p->ntable; t++)
    if (!strcmp(p->buffer[p->table[t].buffer].name, name)) return t;
  return -1;
}

bool fg_proof_text_block(const fg_proof_text *text, int64_t reals, int64_t offset[FG_MAX_BUFFERS]) {
  const fg_program *p = text->p;
  const char *at = text->translation->filling;
  for (int t = 0; t < p->ntable; t++) {
    offset[t] = -1;
    if (!fg_prove_table_is_used(p, p->table[t].buffer)) continue;
    at = strstr(at, "table = (");
    const char *sum = at ? strstr(at, "tables + ") : NULL;
    if (!sum) return false;
    at = sum;
    offset[t] = strtoll(sum + 9, NULL, 10);
    if (offset[t] < 0 || offset[t] + fg_prove_table_reals(&p->buffer[p->table[t].buffer]) > reals) return false;
  }
  return true;
}

static fg_status fill_block(call *c, array *a) {
  const fg_program *p = c->text->p;
  int64_t offset[FG_MAX_BUFFERS];
  fg_status status = FG_OK;
  if (!fg_proof_text_block(c->text, a->count, offset)) return fail(c, "a table beyond the memory for tables"), FG_OK;
  for (int t = 0; t < p->ntable && status == FG_OK; t++) {
    if (offset[t] < 0) continue;
    array part = {.at = a->at + offset[t], .count = fg_prove_table_reals(&p->buffer[p->table[t].buffer])};
    status = fill_table(c, t, &part);
  }
  return status;
}

static void fill_given(call *c, const char *name, array *a) {
  const fg_program *p = c->text->p;
  fg_system system = {.field = c->text->field};
  for (int i = 0; i < p->nbuffer; i++) {
    const fg_buffer *b = &p->buffer[i];
    if (b->space != FG_SPACE_GIVEN || b->alias >= 0 || strcmp(b->name, name) != 0) continue;
    int parts = fg_buffer_parts(b);
    for (int64_t e = 0; e < b->size; e++) {
      fg_gfc x = fg_operation_values_given(&system, b->given, e, parts == 2).gf;
      a->at[parts * e + parts - 1] = x.im;
      a->at[parts * e] = x.re;
    }
  }
}

static int64_t reals_of(const call *c, bool output) {
  return fg_proof_text_reals(&c->text->p->problem, c->params, output);
}

/* Arrays of the input or the output; in place both are the same. */
static void make_ends(call *c, const fg_arg_buffer *b, uint64_t *random) {
  bool output = b->kind == FG_ARG_OUT, in_place = c->text->p->problem.in_place;
  array *ends = output ? c->result : c->in;
  int64_t reals = in_place ? fg_larger(reals_of(c, false), reals_of(c, true)) : reals_of(c, output);
  for (int part = 0; part < (b->split ? 2 : 1); part++) {
    ends[part] = output && in_place ? c->in[part] : new_array(c, b->split ? reals / 2 : reals, random);
    c->array[c->nslot] = ends[part];
    c->slot[c->nslot++] = ends[part].at;
  }
}

static fg_status make_arrays(call *c) {
  const fg_artifact *f = c->text->artifact;
  uint64_t random = c->text->seed;
  for (int i = 0; i < f->nbuffer; i++) {
    const fg_arg_buffer *b = &f->buffer[i];
    if (b->kind == FG_ARG_IN || b->kind == FG_ARG_OUT) {
      make_ends(c, b, &random);
      continue;
    }
    size_t bytes = b->bytes + (b->kind == FG_ARG_WORK && c->in_parts ? (PARTS - 1) * f->part_bytes : 0);
    array a = new_array(c, (int64_t)((bytes + sizeof(fg_gf) - 1) / sizeof(fg_gf)), &random);
    if (b->kind == FG_ARG_GIVEN) fill_given(c, b->name, &a);
    bool block = b->kind == FG_ARG_TABLE && c->text->translation && !f->nlaunch;
    int table = b->kind == FG_ARG_TABLE ? fg_proof_text_table(c->text->p, b->name) : -1;
    fg_status status = block ? fill_block(c, &a) : table >= 0 ? fill_table(c, table, &a) : FG_OK;
    if (status != FG_OK) return status;
    if (b->kind == FG_ARG_TABLE && table < 0 && !block) fail(c, "a table that the program does not have");
    c->array[c->nslot] = a;
    c->slot[c->nslot++] = a.at;
  }
  for (int i = 0, slot = 0; i < f->nbuffer; i++)
    for (int part = 0; part < (f->buffer[i].split ? 2 : 1); part++)
      keep(c, &c->array[slot++], f->buffer[i].kind == FG_ARG_WORK);
  return FG_OK;
}

static fg_status fill_translated_tables(call *c) {
  const fg_program *p = c->text->p;
  fg_status status = FG_OK;
  for (int i = 0; c->text->translation && i < c->text->translation->ntable && status == FG_OK; i++) {
    int table = fg_proof_text_table(p, c->text->translation->table[i]);
    array a = {.at = c->text->table[i], .count = fg_prove_table_reals(&p->buffer[p->table[table].buffer])};
    status = fill_table(c, table, &a);
  }
  return status;
}

static fg_status make_tables(call *c) {
  const fg_instructions *code = c->text->artifact->instructions;
  uint64_t random = c->text->seed;
  fg_status made = fill_translated_tables(c);
  if (made != FG_OK) return made;
  for (int i = 0; code && i < code->ntable; i++) {
    if (code->table[i].content) continue; /* of integers */
    c->table[i] = new_array(c, (int64_t)(code->table[i].bytes / sizeof(fg_gf)), &random);
    int table = fg_proof_text_table(c->text->p, code->table[i].name);
    if (table < 0) return fail(c, "a table that the program does not have"), FG_OK;
    fg_status status = fill_table(c, table, &c->table[i]);
    if (status != FG_OK) return status;
  }
  return FG_OK;
}

static void interpret(call *c, const fg_prove_code_share *share) {
  const fg_instructions *code = c->text->artifact->instructions;
  fg_gf **slot = fg_arena_new(c->cx->arena, fg_gf *, c->nslot + code->ntable + 1);
  int64_t *count = fg_arena_new(c->cx->arena, int64_t, c->nslot + code->ntable + 1);
  for (int i = 0; i < c->nslot + code->ntable; i++) {
    const array *a = i < c->nslot ? &c->array[i] : &c->table[i - c->nslot];
    slot[i] = a->at, count[i] = a->count;
  }
  fg_prove_code_memory m = {.slot = slot,
                            .count = count,
                            .nslot = c->nslot,
                            .table = slot + c->nslot,
                            .table_count = count + c->nslot,
                            .params = c->params};
  char why[128];
  if (!fg_prove_code_run(c->cx, code, c->text->field, &m, share, why)) fail(c, why);
}

/* ---- comparison --------------------------------------------------------------------------- */

/* The input as it was before the call. */
static fg_status expected(call *c, int64_t batch, fg_gfc *y) {
  const fg_problem *q = &c->text->p->problem;
  const fg_buffer *b = &c->text->p->buffer[FG_BUFFER_IN];
  int64_t n = fg_problem_elements(q, false), from = fg_problem_batch_at(q, false, batch, c->params);
  bool real = fg_problem_is_real(q, false);
  fg_gfc *x = fg_arena_new(c->cx->arena, fg_gfc, n);
  array was[2];
  for (int part = 0; part < 2; part++) {
    was[part] = c->array[part]; /* the input's slots are first */
    was[part].at = was[part].before;
  }
  for (int64_t j = 0; j < n; j++) {
    int64_t e = from + fg_problem_element_at(q, false, j, c->params);
    x[j] = (fg_gfc){*part_of(b, was, e, 0), real ? 0 : *part_of(b, was, e, 1)};
  }
  fg_operation_values_factors(&(fg_system){.field = c->text->field}, q, batch, c->params, x);
  return fg_definition_gf(c->cx, q, c->text->field, (fg_which){batch, c->params}, x, y);
}

/* Which of the result's arrays holds this element, and at which index. */
static void mark(call *c, const fg_gf *at) {
  for (int part = 0; part < 2; part++)
    if (c->own[part] && at >= c->result[part].at && at < c->result[part].at + c->result[part].count)
      c->own[part][at - c->result[part].at] = true;
}

/* The places of a transform's results may change, and in place those of its input. */
static void mark_side(call *c, bool output, int64_t batch) {
  const fg_problem *q = &c->text->p->problem;
  const fg_buffer *b = &c->text->p->buffer[output ? FG_BUFFER_OUT : FG_BUFFER_IN];
  int64_t n = fg_problem_elements(q, output), from = fg_problem_batch_at(q, output, batch, c->params);
  for (int64_t k = 0; k < n; k++) {
    int64_t at = from + fg_problem_element_at(q, output, k, c->params);
    for (int part = 0; part < 2; part++) mark(c, part_of(b, c->result, at, part));
  }
}

/* Elements [from, from + count) of a row: inputs as they were before the call, results as they are. */
static void read_row(call *c, bool output, int64_t at, int64_t count, fg_gfc *x) {
  const fg_problem *q = &c->text->p->problem;
  const fg_buffer *b = &c->text->p->buffer[output ? FG_BUFFER_OUT : FG_BUFFER_IN];
  const fg_dim *d = &q->dim[q->rank - 1];
  int64_t step = fg_num_value(output ? d->os : d->is, c->params);
  bool real = fg_problem_is_real(q, output);
  array side[2];
  for (int part = 0; part < 2; part++) {
    side[part] = output ? c->result[part] : c->array[part]; /* the input's slots are first */
    if (!output) side[part].at = side[part].before;
  }
  for (int64_t i = 0; i < count; i++, at += step)
    x[i] = (fg_gfc){*part_of(b, side, at, 0), real ? 0 : *part_of(b, side, at, 1)};
}

static void sum_side(call *c, bool output, int64_t batch, fg_sums *s, fg_gfc *x) {
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
static bool agrees(call *c, int64_t batch, fg_sums *s, fg_gfc *x) {
  fg_sums_begin(s);
  for (int output = 0; output < 2; output++) sum_side(c, output, batch, s, x);
  return fg_sums_agree(s);
}

static fg_status compare_each(call *c, int64_t batch, fg_gfc *y) {
  const fg_problem *q = &c->text->p->problem;
  const fg_buffer *b = &c->text->p->buffer[FG_BUFFER_OUT];
  int64_t n = fg_problem_elements(q, true), at = fg_problem_batch_at(q, true, batch, c->params);
  fg_status status = expected(c, batch, y);
  for (int64_t k = 0; k < n && status == FG_OK; k++) {
    int64_t e = at + fg_problem_element_at(q, true, k, c->params);
    bool good = *part_of(b, c->result, e, 0) == y[k].re;
    if (!fg_problem_is_real(q, true)) good = good && *part_of(b, c->result, e, 1) == y[k].im;
    if (!good) return fail(c, "an output that is not the DFT's"), FG_OK;
  }
  return status;
}

/* By sums where there are such; one by one where there are none, or a sum is wrong. */
static fg_status compare(call *c) {
  const fg_problem *q = &c->text->p->problem;
  int64_t count = fg_problem_batch_count(q, c->params);
  uint64_t random = c->text->seed ^ 0x73756d73;
  fg_arena *arena = c->cx->arena;
  fg_sums *s = fg_sums_possible(q) ? fg_sums_create(c->cx, q, c->text->field, &random) : NULL;
  fg_gfc *part = fg_arena_new(arena, fg_gfc, FG_SUMS_PART), *y = NULL;
  for (int i = 0; i < 2; i++)
    if (c->result[i].count) c->own[i] = fg_arena_new(arena, bool, c->result[i].count);
  for (int64_t t = 0; t < count; t++) {
    if (q->in_place) mark_side(c, false, t);
    mark_side(c, true, t);
    if (c->ends && t >= c->ends && t < count - c->ends) continue;
    c->out->outputs += (fg_problem_is_real(q, true) ? 1 : 2) * fg_problem_elements(q, true);
    if (!s || !agrees(c, t, s, part)) {
      if (!y) y = fg_arena_new(arena, fg_gfc, fg_problem_elements(q, true));
      fg_status status = compare_each(c, t, y);
      if (status != FG_OK || c->out->failure[0]) return status;
      if (s) return fail(c, "outputs that are not the DFT's"), FG_OK;
    }
  }
  return FG_OK;
}

/* Guards and everything that is no result are as they were; scratch may change. */
static void check_rest(call *c) {
  const fg_artifact *f = c->text->artifact;
  for (int i = 0, slot = 0; i < f->nbuffer; i++)
    for (int part = 0; part < (f->buffer[i].split ? 2 : 1); part++, slot++) {
      const array *a = &c->array[slot];
      const bool *own = NULL;
      for (int r = 0; r < 2; r++)
        if (c->result[r].at == a->at) own = c->own[r];
      if (!fg_guard_holds(a->at, a->count, c->guard)) fail(c, "a store beyond an array");
      for (int64_t k = 0; k < a->count && f->buffer[i].kind != FG_ARG_WORK; k++)
        if (!(own && own[k]) && a->at[k] != a->before[k]) {
          fail(c, "a store to what is not its own");
          return;
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
static int64_t operations_of(const call *c) {
  int64_t sum = 0;
  for (int k = 0; k < c->text->p->nkernel; k++) sum += fg_kernel_operations(c->text->p->kernel[k], c->params);
  return sum;
}

/* Instructions have no samples. */
static int64_t longest_run(const call *c) {
  bool code = c->text->artifact->instructions;
  if (c->text->translation && c->text->artifact->nlaunch) return operations_of(c) <= LITTLE ? LAUNCHED_RUN : 0;
  if (c->text->translation && may_sample(c->text) && c->first && operations_of(c) <= LITTLE) return TRANSLATED_RUN;
  if (!code && !may_sample(c->text)) return c->first ? LONGEST_RUN : NEXT_RUN;
  if (c->text->one_prime && !code) return ONE_PRIME_RUN;
  return c->first ? LONGEST_RUN : c->text->one_prime ? ONE_PRIME_PARTS : NEXT_RUN;
}

/* Of kernels that run in contexts the ends of a batch, where that takes little: how often threads wait is in proportion
 * to their number. */
static bool affords_ends(const call *c) {
  const fg_artifact *f = c->text->artifact;
  int64_t count = fg_problem_batch_count(&c->text->p->problem, c->params), threads = 0;
  for (int i = 0; i < f->nlaunch; i++) threads += fg_launch_blocks(&f->launch[i], c->params) * f->launch[i].threads;
  int64_t operations = operations_of(c) / count * (count < 2 * c->ends ? count : 2 * c->ends);
  return c->first && operations <= ENDS_OPERATIONS && threads <= ENDS_THREADS && reals_of(c, false) <= ENDS_REALS &&
         reals_of(c, true) <= ENDS_REALS;
}

static bool affordable(const call *c) {
  int64_t most = c->ends ? INT64_MAX : longest_run(c);
  const fg_problem *q = &c->text->p->problem;
  int64_t count = fg_problem_batch_count(q, c->params);
  for (int i = 0; i < c->text->artifact->nbuffer; i++) {
    const fg_arg_buffer *b = &c->text->artifact->buffer[i];
    if ((b->kind == FG_ARG_WORK || b->kind == FG_ARG_TABLE) && b->bytes / sizeof(fg_gf) > LARGEST_ARRAY) return false;
  }
  if (c->ends && !affords_ends(c)) return false;
  return count <= most && count * fg_problem_points(q) <= most && span(c, false) <= LARGEST_ARRAY &&
         span(c, true) <= LARGEST_ARRAY;
}

/* In an unusual order. */
static void run_parts(call *c, const long long *params) {
  for (int step = 0; step < c->text->artifact->nstep; step++)
    for (int i = 0; i < PARTS; i++) {
      fg_prove_code_share s = {.step = step, .share = (i + 2 + step) % PARTS, .shares = PARTS};
      if (c->run->whole)
        c->run->part(c->slot, params, s.step, s.share, s.shares);
      else
        interpret(c, &s);
    }
}

static fg_status run_call(call *c, bool *ran) {
  *ran = affordable(c) && fg_proof_text_is_call(c->cx, &c->text->p->problem, c->params);
  if (!*ran) return FG_OK;
  fg_status status = make_arrays(c);
  if (status == FG_OK) status = make_tables(c);
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
  if (blocks) fail(c, blocks);
  if (c->text->contexts && fg_contexts_lack_room(c->text->contexts)) return *ran = false, FG_OK;
  c->out->runs++;
  if (fg_proof_text_strayed()) fail(c, "arithmetic on a number beyond an array");
  status = compare(c);
  if (status == FG_OK && !c->out->failure[0]) check_rest(c);
  return status;
}

/* Each call has an arena of its own. */
static fg_status guarded_call(const call *like, bool *ran) {
  fg_context cx = {.arena = fg_arena_create()};
  if (!cx.arena) return FG_ENOMEM;
  if (fg_arena_guard(cx.arena)) {
    fg_arena_destroy(cx.arena);
    return FG_ENOMEM;
  }
  call *c = fg_arena_new(cx.arena, call, 1);
  *c = *like;
  c->cx = &cx;
  fg_status status = run_call(c, ran);
  fg_arena_destroy(cx.arena);
  return status;
}

/* Of long calls of instructions the first and last transforms, if outermost loops count transforms: if they do not, the
 * results are wrong, and tell nothing. */
static fg_status run_code_ends(const call *like, bool *ran) {
  const fg_problem *q = &like->text->p->problem;
  int64_t count = fg_problem_batch_count(q, like->params);
  bool is_long = count > CODE_RUN || count * fg_problem_points(q) > CODE_RUN;
  if (!like->text->artifact->instructions || !like->text->one_prime || !is_long || count < CODE_MANY) return FG_OK;
  fg_text_proof kept = *like->out;
  call ends = *like;
  ends.ends = CODE_ENDS;
  fg_status status = guarded_call(&ends, ran);
  if (like->out->failure[0]) *like->out = kept, *ran = false;
  return status;
}

/* As a whole where that takes little time, else a sample. */
static fg_status run_setting(const call *like, bool *ran) {
  if (like->text->assembly) return fg_proof_asm_call(like->text, like->run, like->params, ran, like->out);
  call next = *like;
  bool in_parts = true;
  *ran = false;
  fg_status status = run_code_ends(like, ran);
  if (status == FG_OK && !*ran && !like->text->sample) status = guarded_call(like, ran);
  int64_t ends = LAUNCHED_RUN / 2 / fg_problem_points(&like->text->p->problem);
  next.ends = ends > 1 ? (int)ends : 1;
  if (status == FG_OK && !*ran && like->text->contexts) status = guarded_call(&next, ran);
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
    call like = {.text = text, .params = s->value[i], .out = out, .run = run, .first = !runs};
    like.guard = fg_guard_size(text->p, s->value[i]);
    fg_status status = run_setting(&like, &ran);
    if (status != FG_OK) return status;
    runs += ran, out->left += !ran;
  }
  return runs ? FG_OK : FG_ENA;
}

fg_status fg_proof_text_given(fg_context *cx, fg_proof_text *text, fg_tcc_symbol *symbol, fg_text_proof *out) {
  call c = {.cx = cx, .text = text, .out = out, .guard = FG_GUARD_SHARED};
  uint64_t random = text->seed;
  fg_gf **memory = fg_arena_new(cx->arena, fg_gf *, FG_MAX_BUFFERS);
  for (int i = 0; i < text->translation->ntable; i++) {
    int table = fg_proof_text_table(text->p, text->translation->table[i]);
    if (table < 0) return fail(&c, "a table that the program does not have"), FG_OK;
    array a = new_array(&c, fg_prove_table_reals(&text->p->buffer[text->p->table[table].buffer]), &random);
    fg_status status = fg_table_is_index(&text->p->table[table]) ? fill_table(&c, table, &a) : FG_OK;
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
    text->shared = new_array(&c, text->translation->shared, &random).at;
    symbol[text->translation->ntable] = (fg_tcc_symbol){"fg_shared", text->shared};
  }
  return FG_OK;
}
