/* See text_extent.h. In: a problem, values of its parameters. Out: how many elements a side spans; whether that is a
 * valid call. */
#include "generator/prove/text_extent.h"
#include "generator/problem/shape.h"
#include "generator/prove/element_numbers.h"

int64_t fg_proof_text_span(const fg_problem *q, const int64_t *params, bool output) {
  int64_t count = 1;
  for (int i = 0; i < q->batch_rank + q->rank; i++) {
    const fg_dim *d = i < q->batch_rank ? &q->batch[i] : &q->dim[i - q->batch_rank];
    int64_t n = i < q->batch_rank ? fg_num_value(d->n, params) : fg_problem_length(q, i - q->batch_rank, output);
    count += (n - 1) * fg_num_value(output ? d->os : d->is, params);
  }
  return count;
}

bool fg_proof_text_is_call(fg_context *cx, const fg_problem *q, const int64_t *params) {
  int64_t n = fg_problem_elements(q, true), count = fg_problem_batch_count(q, params);
  fg_strides results = fg_strides_create(q, params, true);
  if (fg_strides_apart(&results) == FG_APART) return true;
  bool *seen = fg_arena_new(cx->arena, bool, fg_proof_text_span(q, params, true));
  for (int64_t t = 0; t < count; t++)
    for (int64_t k = 0; k < n; k++) {
      bool *e = &seen[fg_problem_batch_at(q, true, t, params) + fg_problem_element_at(q, true, k, params)];
      if (*e) return false;
      *e = true;
    }
  return true;
}
