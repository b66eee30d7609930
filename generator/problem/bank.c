/* See bank.h. In: the text of mel. Out: a bank, and which numbers it is of.
 *
 * The idea: a transform's real results are summed by triangles of frequencies, whose corners are evenly spaced on a
 * scale of hearing; so one transform, or frame, has `bands` numbers in memory. Conventions are those of
 * librosa.filters.mel; htk and peak together are those of torchaudio. */
#include "generator/problem/bank.h"
#include "generator/base/text_match.h"
#include "generator/problem/operations.h"
#include "generator/problem/shape.h"
#include "targets/number.h"
#include <math.h>
#include <string.h>

enum { MOST_BANDS = 4096, MOST_POINTS = 1 << 20 };

int fg_problem_bank_at(const fg_problem *p) {
  for (int i = 0; i < p->nstore; i++) {
    const fg_operation_row *row = fg_operation_find(p->store[i].name);
    if (row && row->act == FG_ACT_BANK) return i;
  }
  return -1;
}

const fg_bank *fg_problem_bank(const fg_problem *p) {
  int at = fg_problem_bank_at(p);
  return at < 0 ? NULL : &p->store[at].bank;
}

int64_t fg_problem_bank_bins(const fg_problem *p) { return fg_problem_span(p, p->rank - 1, true); }

/* ---- text ------------------------------------------------------------------ */

static bool read_number(const char *text, size_t length, double *out) {
  char number[40] = "", *end;
  if (!length || length >= sizeof number) return false;
  memcpy(number, text, length);
  if (strspn(number, "0123456789.eE+-") != length) return false;
  *out = fg_number_read(number, &end);
  return !*end && isfinite(*out);
}

fg_status fg_problem_bank_parse(fg_scanner *ps, const char *text, size_t length, fg_bank *out) {
  const char *allowed = "mel(BANDS,RATE), mel(BANDS,RATE,LOW,HIGH), and htk, peak behind these", *end = text + length;
  double number[4] = {0};
  int count = 0;
  bool known = true;
  *out = (fg_bank){.bands = 0};
  for (const char *at = text; at < end && known;) {
    const char *comma = memchr(at, ',', (size_t)(end - at));
    size_t item = (size_t)((comma ? comma : end) - at);
    bool htk = item == 3 && !memcmp(at, "htk", 3), peak = item == 4 && !memcmp(at, "peak", 4);
    if (htk || peak)
      known = count == 2 || count == 4, out->htk = out->htk || htk, out->peak = out->peak || peak;
    else
      known = count < 4 && !out->htk && !out->peak && read_number(at, item, &number[count]), count++;
    at += item + (comma != NULL);
    known = known && (!comma || at < end);
  }
  if (!known || (count != 2 && count != 4) || number[0] != floor(number[0]) || number[0] < 1 || number[0] > MOST_BANDS)
    return fg_scanner_fail(ps, text, allowed, "%s is no bank of filters", fg_words_quote(ps->cx->arena, text, length));
  out->bands = (int64_t)number[0], out->rate = number[1], out->low = number[2];
  out->high = count == 4 ? number[3] : number[1] / 2;
  return FG_OK;
}

static void print_number(fg_strbuf *s, double x) {
  size_t start = s->length;
  if (x < 1e15 && x == floor(x)) {
    fg_strbuf_addf(s, "%lld", (long long)x);
    return;
  }
  for (int digits = 1; digits <= 17; digits++) {
    fg_strbuf_cut(s, start);
    fg_strbuf_addf(s, "%.*g", digits, x);
    if (fg_number_read(s->text + start, NULL) == x) return;
  }
}

void fg_problem_bank_print(fg_strbuf *s, const fg_bank *bank) {
  fg_strbuf_addf(s, "(%lld,", (long long)bank->bands);
  print_number(s, bank->rate);
  if (bank->low != 0 || bank->high != bank->rate / 2) {
    fg_strbuf_add(s, ",");
    print_number(s, bank->low);
    fg_strbuf_add(s, ",");
    print_number(s, bank->high);
  }
  fg_strbuf_addf(s, "%s%s)", bank->htk ? ",htk" : "", bank->peak ? ",peak" : "");
}

/* ---- checks ---------------------------------------------------------------- */

/* Behind mel only the number itself is known. */
static fg_status check_behind(fg_context *cx, const fg_problem *p, int at) {
  for (int i = at + 1; i < p->nstore; i++) {
    const fg_operation_row *row = fg_operation_find(p->store[i].name);
    fg_expression e;
    if (row->act == FG_ACT_STORED) continue;
    if (row->act == FG_ACT_VALUE && !p->store[i].window[0]) {
      fg_expression_of(p, true, i, false, &e);
      if (!e.noperand) continue;
    }
    return fg_problem_bad(cx, "expressions of x alone, u8, i16", "%s behind mel",
                          *p->store[i].text ? p->store[i].text : row->name);
  }
  return FG_OK;
}

fg_status fg_problem_check_bank(fg_context *cx, const fg_problem *p) {
  int at = fg_problem_bank_at(p);
  if (at < 0) return FG_OK;
  const fg_bank *bank = &p->store[at].bank;
  bool lines = p->kind == FG_STFT || (p->kind == FG_R2C && p->rank == 1), real = false;
  for (int i = 0; i < at; i++) real = real || fg_operation_find(p->store[i].name)->makes_real || p->store[i].makes_real;
  for (int i = 0; i < p->nstore; i++) {
    enum fg_operation_act act = fg_operation_find(p->store[i].name)->act;
    lines = lines && act != FG_ACT_CROP && act != FG_ACT_SHIFT;
  }
  if (!lines || p->in_place || p->dim[p->rank - 1].n.n > MOST_POINTS)
    return fg_problem_bad(cx, "mel of r2c in one dimension and of stft, up to 2^20 points, place=out",
                          "mel of other transforms, in place, or with crop or shift");
  if (!real)
    return fg_problem_bad(cx, "mag, mag2 or an expression that makes them real before it", "mel of complex numbers");
  if (!(bank->rate > 0 && bank->low >= 0 && bank->low < bank->high && bank->high <= bank->rate / 2 &&
        bank->rate < 1e12))
    return fg_problem_bad(cx, "0 <= LOW < HIGH <= RATE / 2", "mel: frequencies out of order");
  return check_behind(cx, p, at);
}
