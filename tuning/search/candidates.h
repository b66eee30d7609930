/* Candidates: the recipes' plans times the search space, ordered by predicted time. */
#ifndef FG_CANDIDATES_H
#define FG_CANDIDATES_H
#include "tuning/search/search.h"

/* c: through fg_pipeline_decide. Fills out->candidate and out->count with all of
 * them, those that a user's recipe proposes before the others:
 *
 * What the fitted model has constants for is first, fastest first. Without any,
 * that is what the usual compiler makes for the widest instruction set, cheapest by
 * the shipped model first. The others - who knows? - take every fourth place. */
fg_status fg_candidates_list(const fg_compilation *c, const fg_search_options *options, fg_search_result *out);
/* What is taken without a search, as the space may say it in other words; out->plan NULL: it cannot be built. */
fg_status fg_candidates_usual(const fg_compilation *c, const fg_search_options *options, fg_candidate *out);
/* The plan that wisdom has for the problem; out->plan NULL: none, or it cannot be built any more. */
fg_status fg_candidates_known(const fg_compilation *c, const fg_search_options *options, fg_candidate *out);
/* Appends to io, up to `most` of all, what the space says is worth a try around `best`, one of io's, but what is there
 * already. io->candidate has room for them. */
fg_status fg_candidates_around(const fg_compilation *c, const fg_search_options *options, const fg_candidate *best,
                               int most, fg_search_result *io);
/* The one that the fitted model takes for the fastest; NULL: nothing is fitted. */
const fg_candidate *fg_candidates_estimate(const fg_search_result *r);
#endif
