/* Candidates: what the search looks at, in the order in which it does. */
#ifndef FG_CANDIDATES_H
#define FG_CANDIDATES_H
#include "tuning/search.h"

/* c: through fg_pipeline_decide. At most `most` of them into out. */
void fg_candidates_list(const fg_compilation *c, const fg_search_options *options, int most, fg_search_result *out);
#endif
