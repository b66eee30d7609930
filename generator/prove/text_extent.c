/* See text_extent.h. In: a problem, values of its parameters. Out: whether that is a valid call. */
#include "generator/prove/text_extent.h"
#include "generator/problem/shape.h"
#include "generator/problem/spectrum.h"
#include "generator/prove/element_numbers.h"

bool fg_proof_text_is_call(fg_context *cx, const fg_problem *q, const int64_t *params) {
  int64_t n = fg_problem_elements(q, true), count = fg_problem_result_count(q, params);
  fg_strides results = fg_strides_create(q, params, true);
  if (fg_strides_apart(&results) == FG_APART) return true;
  bool *seen = fg_arena_new(cx->arena, bool, fg_problem_extent(q, true, params));
  for (int64_t t = 0; t < count; t++)
    for (int64_t k = 0; k < n; k++) {
      bool *e = &seen[fg_problem_batch_at(q, true, t, params) + fg_problem_element_at(q, true, k, params)];
      if (*e) return false;
      *e = true;
    }
  return true;
}
