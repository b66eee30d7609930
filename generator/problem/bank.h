/* Banks of filters on a scale of hearing: store=mel(...). */
#ifndef FG_PROBLEM_BANK_H
#define FG_PROBLEM_BANK_H
#include "generator/problem/expression.h"
#include "generator/problem/text.h"

int fg_problem_bank_at(const fg_problem *p); /* the place of mel in store=; -1: none */
/* mel's bank, with the points of a transform; NULL: none. */
const fg_bank *fg_problem_bank(const fg_problem *p);
int64_t fg_problem_bank_bins(const fg_problem *p); /* numbers that it sums, of one transform or frame */
fg_status fg_problem_check_bank(fg_context *cx, const fg_problem *p);
/* "80,16000,0,8000,htk,peak", without brackets. */
fg_status fg_problem_bank_parse(fg_scanner *ps, const char *text, size_t length, fg_bank *out);
void fg_problem_bank_print(fg_strbuf *s, const fg_bank *bank);
#endif
