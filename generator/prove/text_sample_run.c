/* The sample of the text: its loops ask which iterations to skip, and it reports the beginning of each stage.
 *
 * In: the sample of the program. Out: one run of the text. The loop counters are checked in all iterations,
 * including those that are skipped; the stores of a stage are compared when the next one begins. */
#include "generator/prove/run_instructions.h"
#include "generator/prove/text_sample_parts.h"

typedef struct counting { /* of one loop */
  const fg_picks *picks;
  int64_t *value; /* that its text counts, where it is walked */
  int64_t first, step, last, before;
  int next;
  bool begins; /* a block begins behind it */
} counting;

typedef struct tracker {
  const fg_proof_sample *s;
  counting *of[FG_MAX_BUFFERS]; /* per kernel, by digit */
  bool in_parts, wrong, differs;
  size_t section, renewed; /* the next one; things stored before it that LOCAL memory has forgotten */
  uint64_t *seen;          /* by cell: by which section, + 1 */
} tracker;

static _Thread_local tracker *tracked;

static void count_loop(fg_context *cx, const fg_proof_sample *s, int kernel, int digit, counting *x) {
  const fg_kernel *k = s->text->p->kernel[kernel];
  static const fg_digit of_threads = {.step = 1, .last = INT64_MAX, .role = FG_ROLE_THREAD};
  const fg_digit *d = digit < FG_MAX_DIGITS ? &k->digit[digit] : &of_threads;
  x->picks = &s->sample->of[kernel][digit];
  x->first = x->before = fg_sample_value(d, 0, s->params);
  x->last = fg_sample_value(d, x->picks->extent - 1, s->params);
  x->step = d->step;
  if (x->picks->all) return;
  x->value = fg_arena_new(cx->arena, int64_t, x->picks->count);
  for (int i = 0; i < x->picks->count; i++) x->value[i] = fg_sample_value(d, x->picks->at[i], s->params);
}

static tracker *new_tracker(fg_proof_sample *s, bool in_parts) {
  const fg_program *p = s->text->p;
  tracker *a = fg_arena_new(s->cx.arena, tracker, 1);
  a->s = s, a->in_parts = in_parts;
  a->seen = fg_arena_new(s->cx.arena, uint64_t, s->ncell + 1);
  for (int i = 0; i < p->nkernel; i++) {
    const fg_kernel *k = p->kernel[i];
    a->of[i] = fg_arena_new(s->cx.arena, counting, FG_MAX_DIGITS + 1);
    for (int d = 0; d < k->ndigit; d++) count_loop(&s->cx, s, i, d, &a->of[i][d]);
    count_loop(&s->cx, s, i, FG_MAX_DIGITS, &a->of[i][FG_MAX_DIGITS]);
    for (int j = 0; j < k->nouter; j++) {
      fg_role role = k->digit[k->outer[j]].role;
      a->of[i][k->outer[j]].begins = role == FG_ROLE_BLOCK || role == FG_ROLE_RING || role == FG_ROLE_HOST;
    }
  }
  return a;
}

/* A loop counts from its first value by its step to its last, or, where its first iteration is written apart, from
 * the second one; parts of it begin anywhere. */
static void follow(tracker *a, counting *x, int64_t at) {
  bool begins = at == x->first || at == x->first + x->step, goes_on = at == x->before + x->step;
  if (at < x->first || at > x->last || (!goes_on && !begins && !a->in_parts)) a->wrong = true;
  if (!goes_on) x->next = 0;
  x->before = at;
}

/* What the section before the next one has stored is there: of a cell, what it has stored last. */
static void compare_section(tracker *a) {
  const fg_proof_sample *s = a->s;
  if (a->in_parts || !a->section || a->section >= s->nsection) return;
  size_t from = s->section[a->section - 1].from;
  for (size_t i = s->section[a->section].from; i > from; i--) {
    const fg_sampled_cell *x = &s->cell[s->stored[i - 1].cell];
    const fg_sampled_array *r = &s->array[x->array];
    if (a->seen[x - s->cell] == a->section || !r->at) continue;
    a->seen[x - s->cell] = a->section;
    if (r->at[x->at] != s->stored[i - 1].value) a->differs = true;
    s->out->outputs++;
  }
}

void fg_proof_text_begins(int stage) {
  tracker *a = tracked;
  if (!a || a->in_parts) return;
  compare_section(a);
  if (a->section >= a->s->nsection || a->s->section[a->section].stage != stage) a->wrong = true;
  a->section++;
}

/* LOCAL memory holds nothing when a block begins: what it held before all of them. */
static void begin_block(tracker *a) {
  const fg_proof_sample *s = a->s;
  compare_section(a);
  for (uint32_t i = 0; a->in_parts && i < s->ncell; i++) fg_proof_sample_renew(s, i);
  size_t end = a->in_parts || a->section >= s->nsection ? a->renewed : s->section[a->section].from;
  for (; a->renewed < end; a->renewed++) fg_proof_sample_renew(s, s->stored[a->renewed].cell);
}

int fg_proof_text_leaves_out(int loop, long long at) {
  tracker *a = tracked;
  if (!a) return 0;
  counting *x = &a->of[loop / (FG_MAX_DIGITS + 1)][loop % (FG_MAX_DIGITS + 1)];
  follow(a, x, at);
  while (!x->picks->all && x->next < x->picks->count && x->value[x->next] < at) x->next++;
  bool walked = x->picks->all || (x->next < x->picks->count && x->value[x->next] == at);
  if (walked && x->begins) begin_block(a);
  return !walked;
}

/* By the text's functions, or its instructions. */
static void run_share(fg_proof_sample *s, const fg_prove_code_share *share) {
  const fg_instructions *code = s->text->artifact->instructions;
  void *argument[FG_MAX_ARGUMENT_SLOTS];
  fg_gf *at[FG_MAX_ARGUMENT_SLOTS + FG_MAX_BUFFERS];
  int64_t count[FG_MAX_ARGUMENT_SLOTS + FG_MAX_BUFFERS];
  long long params[FG_MAX_PARAMS];
  char why[128];
  for (int i = 0; i < FG_MAX_PARAMS; i++) params[i] = s->params[i];
  for (int i = 0; i < s->nargument; i++) argument[i] = at[i] = s->array[i].at, count[i] = s->array[i].count;
  for (int i = 0; code && i < code->ntable; i++) {
    const fg_sampled_array *a = s->code_table[i] < 0 ? NULL : &s->array[s->code_table[i]];
    at[s->nargument + i] = a ? a->at : NULL, count[s->nargument + i] = a ? a->count : 0;
  }
  fg_prove_code_memory m = {at, count, s->nargument, at + s->nargument, count + s->nargument, s->params};
  if (code) {
    if (!fg_prove_code_run(&s->cx, code, s->text->field, &m, share, why)) fg_proof_sample_fail(s, why);
  } else if (share->step < 0) {
    s->run->whole(argument, params);
  } else {
    s->run->part(argument, params, share->step, share->share, share->shares);
  }
}

void fg_proof_sample_run(fg_proof_sample *s, bool in_parts) {
  tracked = new_tracker(s, in_parts);
  fg_proof_text_begin(s->text->field);
  if (!in_parts) run_share(s, &(fg_prove_code_share){.step = -1, .shares = 1});
  for (int step = 0; in_parts && step < s->text->artifact->nstep; step++)
    for (int i = 0; i < FG_TEXT_PARTS; i++)
      run_share(s, &(fg_prove_code_share){step, (i + 2 + step) % FG_TEXT_PARTS, FG_TEXT_PARTS, 0});
  compare_section(tracked);
  if (tracked->differs) fg_proof_sample_fail(s, "it does not do what its program does");
  if (!in_parts && tracked->section + 1 != s->nsection) tracked->wrong = true;
  if (tracked->wrong) fg_proof_sample_fail(s, "loops or stages that are not the program's");
  if (fg_proof_text_strayed()) fg_proof_sample_fail(s, "arithmetic on a number beyond an array");
  tracked = NULL;
  s->out->runs++;
}

void fg_proof_sample_end(void) { tracked = NULL; }
