/* load= and store= of problems: parse, print, check, and what follows for arrays.
 *
 * In: words such as "u8,window(hann),zeropad(600)". Out: fg_pointwise, one for
 * each operation, in order; and the sizes and types of numbers that the arrays
 * have because of them. Which operations there are is said by operations.def alone. */
#include "generator/problem/operations_text.h"
#include "generator/base/text_match.h"
#include "generator/problem/arrays.h"
#include "generator/problem/bank.h"
#include "generator/problem/expression_text.h"
#include "generator/problem/frames.h"
#include "generator/problem/given.h"
#include "generator/problem/operations.h"
#include "generator/problem/shape.h"
#include "targets/number.h"
#include <string.h>

/* ---- text ---------------------------------------------------------------- */

static const char *name_of(int index, enum fg_operation_sides side) {
  for (const fg_operation_row *r = fg_operation_table(); r->name; r++)
    if ((r->sides & side) && index-- == 0) return r->name;
  return NULL;
}

static const char *load_at(int i) { return name_of(i, FG_SIDES_LOADS); }
static const char *store_at(int i) { return name_of(i, FG_SIDES_STORES); }
static const char *window_at(int i) { return fg_window_table()[i].name; }

/* "(8.6)" behind a window's name, and nothing else. */
static fg_status parse_parameter(fg_scanner *ps, fg_pointwise *op, const fg_window_row *row, const char *text,
                                 size_t length) {
  fg_arena *a = ps->cx->arena;
  bool has = row->parameter && *row->parameter;
  const char *allowed = has ? fg_arena_printf(a, "%s(%s), %s from %g to %g", row->name, row->parameter, row->parameter,
                                              row->lowest, row->highest)
                            : row->name;
  char number[32] = "", *end = number;
  bool inside = length > 2 && length - 2 < sizeof number && *text == '(' && text[length - 1] == ')';
  if (!length && !has) return FG_OK;
  if (inside) memcpy(number, text + 1, length - 2);
  op->parameter = inside && strspn(number, "0123456789.eE+-") == length - 2 ? fg_number_read(number, &end) : -1;
  if (has && inside && end > number && !*end && op->parameter >= row->lowest && op->parameter <= row->highest)
    return FG_OK;
  return fg_scanner_fail(ps, text, allowed, "%s",
                         has ? fg_arena_printf(a, "the window %s with %s", row->name,
                                               length ? fg_words_quote(a, text, length) : "no parameter")
                             : fg_arena_printf(a, "the window %s has no parameter", row->name));
}

static fg_status parse_window(fg_scanner *ps, fg_pointwise *op, const char *text, size_t length) {
  fg_arena *a = ps->cx->arena;
  const char *bracket = memchr(text, '(', length);
  size_t name = bracket ? (size_t)(bracket - text) : length;
  int i = fg_words_find(text, name, window_at);
  if (i < 0)
    return fg_scanner_fail(ps, text, fg_words_join(a, window_at), "unknown window %s%s", fg_words_quote(a, text, name),
                           fg_scanner_hint(ps, FG_SCAN_WINDOW, text, name, window_at));
  memcpy(op->window, window_at(i), strlen(window_at(i)) + 1);
  return parse_parameter(ps, op, &fg_window_table()[i], text + name, length - name);
}

static const char *whose_at(int i) {
  static const char *const words[] = {"shared", "channel", "each", NULL};
  return words[i];
}

static fg_status parse_whose(fg_scanner *ps, fg_pointwise *op, const char *text, size_t length) {
  fg_arena *a = ps->cx->arena;
  int i = fg_words_find(text, length, whose_at);
  if (i < 0)
    return fg_scanner_fail(ps, text, fg_words_join(a, whose_at), "%s does not say whose numbers they are%s",
                           fg_words_quote(a, text, length), fg_words_near(a, text, length, whose_at));
  op->whose = (fg_spectra)i;
  return FG_OK;
}

/* The text in brackets behind the name. */
static fg_status parse_argument(fg_scanner *ps, const fg_operation_row *row, fg_pointwise *op) {
  const char *start = ps->at;
  bool given = fg_scanner_skip(ps, "(");
  if (row->takes == FG_TAKES_BANK && !given) return fg_problem_bank_parse(ps, start, 0, &op->bank);
  if (!given) return row->takes == FG_TAKES_LENGTHS ? fg_scanner_part(ps, start, 0, row->name, &op->kept) : FG_OK;
  const char *text = ps->at;
  for (int depth = 0; ps->at < ps->end && (*ps->at != ')' || depth); ps->at++)
    depth += (*ps->at == '(') - (*ps->at == ')');
  size_t length = (size_t)(ps->at - text);
  if (!fg_scanner_skip(ps, ")")) return fg_scanner_fail(ps, start, "NAME or NAME(...)", "no closing bracket");
  if (row->takes == FG_TAKES_WINDOW) return parse_window(ps, op, text, length);
  if (row->takes == FG_TAKES_LENGTHS || row->takes == FG_TAKES_SAMPLES)
    return fg_scanner_part(ps, text, length, row->name, &op->kept);
  if (row->takes == FG_TAKES_BANK) return fg_problem_bank_parse(ps, text, length, &op->bank);
  if (row->takes == FG_TAKES_ARRAY && row->act == FG_ACT_VALUE) return parse_whose(ps, op, text, length);
  return fg_scanner_fail(ps, start, row->name, "%s takes nothing in brackets", row->name);
}

static fg_status parse_named(fg_scanner *ps, fg_words_name allowed, fg_pointwise *new, size_t item) {
  fg_arena *a = ps->cx->arena;
  const char *start = ps->at, *bracket = memchr(start, '(', item);
  size_t length = bracket ? (size_t)(bracket - start) : item;
  int i = fg_words_find(start, length, allowed);
  if (i < 0) {
    const char *what = fg_arena_printf(a, "unknown operation %s%s", fg_words_quote(a, start, length),
                                       fg_scanner_hint(ps, FG_SCAN_OPERATION, start, length, allowed));
    return fg_scanner_fail(ps, start, fg_arena_printf(a, "%s, or an expression of x", fg_words_join(a, allowed)), "%s",
                           what);
  }
  memcpy(new->name, allowed(i), length + 1);
  ps->at += length;
  return parse_argument(ps, fg_operation_find(new->name), new);
}

static fg_status parse_list(fg_scanner *ps, bool output) {
  int *count = output ? &ps->p->nstore : &ps->p->nload;
  do {
    while (ps->at < ps->end && (*ps->at == ' ' || *ps->at == '\t')) ps->at++;
    const char *start = ps->at;
    size_t item = fg_expression_item(start, ps->end), length = item;
    while (length && (start[length - 1] == ' ' || start[length - 1] == '\t')) length--;
    if (*count == FG_MAX_POINTWISE) return fg_scanner_fail(ps, start, "up to 8", "too many operations");
    int position = (*count)++;
    fg_pointwise *new = output ? &ps->p->store[position] : &ps->p->load[position];
    fg_status st = fg_expression_is(start, length) ? fg_expression_parse(ps, output, position, start, length)
                                                   : parse_named(ps, output ? store_at : load_at, new, length);
    if (st) return st;
    if (fg_expression_is(start, length) || ps->at == start + length) ps->at = start + item;
  } while (fg_scanner_skip(ps, ","));
  return FG_OK;
}

/* In quotes there may be blanks. */
static fg_status parse_points(fg_scanner *ps, bool output) {
  const char *start = ps->at, *end = ps->end;
  bool quoted = start < end && (*start == '"' || *start == '\'');
  if (!quoted) return parse_list(ps, output);
  if (end - start < 2 || end[-1] != *start)
    return fg_scanner_fail(ps, start, "KEY=\"...\"", "no closing quote, or something behind it");
  ps->at++, ps->end--;
  fg_status st = parse_list(ps, output);
  bool whole = ps->at == ps->end;
  ps->end = end;
  if (whole) ps->at = end;
  return st;
}

fg_status fg_operations_parse_load(fg_scanner *ps) { return parse_points(ps, false); }
fg_status fg_operations_parse_store(fg_scanner *ps) { return parse_points(ps, true); }

void fg_operations_print(fg_strbuf *s, const fg_pointwise *op, int count) {
  for (int i = 0; i < count; i++) {
    fg_strbuf_addf(s, "%s%s", i ? "," : "", *op[i].text ? op[i].text : op[i].name);
    if (op[i].window[0])
      fg_strbuf_addf(
          s, "(%s)",
          fg_window_text(s->arena, (fg_window){.row = fg_window_find(op[i].window), .parameter = op[i].parameter}));
    if (op[i].whose != FG_SPECTRA_SHARED) fg_strbuf_addf(s, "(%s)", whose_at((int)op[i].whose));
    fg_scanner_print_part(s, &op[i].kept);
    if (op[i].bank.bands) fg_problem_bank_print(s, &op[i].bank);
  }
}

/* ---- what follows for arrays --------------------------------------------- */

static const fg_pointwise *find(const fg_pointwise *op, int count, enum fg_operation_act act) {
  for (int i = 0; i < count; i++) {
    const fg_operation_row *row = fg_operation_find(op[i].name);
    if (row && row->act == act) return &op[i];
  }
  return NULL;
}

const fg_part *fg_problem_part(const fg_problem *p, bool output) {
  const fg_pointwise *op = output ? find(p->store, p->nstore, FG_ACT_CROP) : find(p->load, p->nload, FG_ACT_PAD);
  return op ? &op->kept : NULL;
}

const fg_pointwise *fg_problem_factors(const fg_problem *p) { return find(p->load, p->nload, FG_ACT_FACTORS); }

bool fg_problem_correlates(const fg_problem *p) { return p->conjugated && fg_problem_kind_is_complex(p->kind); }

bool fg_problem_acts_on_parts(const fg_problem *p) {
  return p->nstore || p->nload > (fg_problem_factors(p) ? 1 : 0) || fg_problem_correlates(p);
}

bool fg_problem_shifts(const fg_problem *p, bool output) {
  return output ? find(p->store, p->nstore, FG_ACT_SHIFT) : find(p->load, p->nload, FG_ACT_SHIFT);
}

bool fg_problem_has_operations(const fg_problem *p) {
  return p->nload || p->nstore || p->scale != FG_SCALE_NONE || fg_problem_correlates(p);
}

fg_precision fg_problem_stored(const fg_problem *p, bool output) {
  const fg_pointwise *op = output ? find(p->store, p->nstore, FG_ACT_STORED) : find(p->load, p->nload, FG_ACT_STORED);
  for (int i = FG_PRECISION_COUNT; op && i < FG_STORAGE_COUNT; i++)
    if (!strcmp(fg_precision_name((fg_precision)i), op->name)) return (fg_precision)i;
  return p->storage;
}

bool fg_problem_stores_real(const fg_problem *p) {
  for (int i = 0; i < p->nstore; i++) {
    const fg_operation_row *row = fg_operation_find(p->store[i].name);
    if (row && row->act == FG_ACT_VALUE && (row->makes_real || p->store[i].makes_real)) return true;
  }
  return false;
}

/* ---- checks -------------------------------------------------------------- */

enum { MOST_CUTS = 6 /* of arrays: beginnings and ends of dimensions */ };

/* An array begins anywhere among a transform's elements; its addresses do so, too. */
static fg_status check_cuts(fg_context *cx, const fg_problem *p, const fg_pointwise *op, bool output) {
  const fg_part *kept = &op->kept;
  int cuts = 0;
  bool later = false, varies = false;
  for (int d = 0; d < p->rank; d++) {
    cuts += (kept->first[d] > 0) + (kept->first[d] + kept->length[d] < fg_problem_span(p, d, output));
    later = later || kept->first[d];
    varies = varies || (output ? p->dim[d].os : p->dim[d].is).form != FG_NUM_CONST;
  }
  if (!output && !later) return FG_OK;
  if (p->in_place)
    return fg_problem_bad(cx, "place=out", output ? "crop with place=in" : "zeropad before an array with place=in");
  if (later && varies)
    return fg_problem_bad(cx, output ? "crop from the first element on, or known strides of n" : "known strides of n",
                          "%s %s the first element, with a stride that is known only at run time", op->name,
                          output ? "behind" : "before");
  if (cuts > MOST_CUTS) return fg_problem_bad(cx, "up to 6 cuts", "%s that cuts %d ends of dimensions", op->name, cuts);
  return FG_OK;
}

static fg_status check_part(fg_context *cx, const fg_problem *p, const fg_pointwise *op, bool output) {
  const fg_part *kept = &op->kept;
  if (kept->rank != p->rank)
    return fg_problem_bad(cx, "one length for each dimension of n", "%s with %d lengths for %d dimensions", op->name,
                          kept->rank, p->rank);
  for (int d = 0; d < p->rank; d++) {
    int64_t most = fg_problem_span(p, d, output);
    if (kept->length[d] < 1 || kept->first[d] < 0 || kept->first[d] > most || kept->length[d] > most - kept->first[d])
      return fg_problem_bad(cx, "1 up to as many as there are without it", "%s: %lld of %lld elements", op->name,
                            (long long)kept->length[d], (long long)(most - kept->first[d]));
  }
  if (fg_problem_shifts(p, output)) return fg_problem_bad(cx, "one of both", "%s together with shift", op->name);
  return check_cuts(cx, p, op, output);
}

static fg_status check_window(fg_context *cx, const fg_problem *p, const fg_pointwise *op, bool output) {
  const fg_window_row *row = memchr(op->window, 0, sizeof op->window) ? fg_window_find(op->window) : NULL;
  if (!row) return fg_problem_bad(cx, "windows.def", "a window without a row");
  bool has = row->parameter && *row->parameter;
  if (has && !(op->parameter >= row->lowest && op->parameter <= row->highest))
    return fg_problem_bad(cx, "that of windows.def", "window(%s) with %s out of its range", row->name, row->parameter);
  for (int d = 0; d < p->rank && !fg_window_is_sum(row); d++) {
    int64_t n = fg_problem_window_points(p, d, output);
    const char *what = fg_arena_printf(cx->arena, "window(%s) of %lld points", row->name, (long long)n);
    if (n > FG_LONGEST_SHAPED)
      return fg_problem_bad(cx, "up to 65536; windows that are sums of cosines, or window, the caller's numbers", "%s",
                            what);
    if (row->form == FG_WINDOW_DPSS && n > 1 && 2 * op->parameter >= (double)(n + 1))
      return fg_problem_bad(cx, "NW below (n + 1) / 2", "%s", what);
  }
  return FG_OK;
}

static fg_status check_side(fg_context *cx, const fg_problem *p, bool output) {
  const fg_pointwise *op = output ? p->store : p->load;
  int count = output ? p->nstore : p->nload, seen[FG_ACT_BANK + 1] = {0};
  for (int i = 0; i < count; i++) {
    const fg_operation_row *row = fg_operation_find(op[i].name);
    fg_status window = op[i].window[0] ? check_window(cx, p, &op[i], output) : FG_OK;
    if (window != FG_OK) return window;
    if (row->act != FG_ACT_VALUE && seen[row->act]++)
      return fg_problem_bad(cx, "one", "%s twice, or two types of numbers", row->name);
    if (row->act == FG_ACT_STORED && i != (output ? count - 1 : 0))
      return fg_problem_bad(
          cx, output ? "the type of numbers as the last operation" : "the type of numbers as the first operation",
          "%s=%s not next to the array", output ? "store" : "load", row->name);
    if (row->act == FG_ACT_FACTORS && (p->kind != FG_C2C || p->rank > 1 || count > 1))
      return fg_problem_bad(cx, "load=twiddle alone, of c2c in one dimension",
                            "%s of %s, of several dimensions, or beside other operations", row->name,
                            fg_problem_kind_name(p->kind));
    bool half = p->kind == FG_R2C ? output : p->kind == FG_C2R && !output;
    if (row->act == FG_ACT_SHIFT && half)
      return fg_problem_bad(cx, "shift where all n elements are there", "shift of the half spectrum of %s",
                            fg_problem_kind_name(p->kind));
    if (row->act == FG_ACT_PAD || row->act == FG_ACT_CROP) {
      fg_status st = check_part(cx, p, &op[i], output);
      if (st) return st;
    }
  }
  return FG_OK;
}

/* Zeros are loaded first, whatever the list's order is: operations before them have to leave them as they are. */
static fg_status check_zeros(fg_context *cx, const fg_problem *p) {
  int last = p->nload - 1;
  fg_expression value;
  while (last > 0 && fg_operation_find(p->load[last].name)->act != FG_ACT_PAD &&
         fg_operation_find(p->load[last].name)->act != FG_ACT_CENTRE)
    last--;
  for (int i = 0; i < last; i++) {
    if (fg_operation_find(p->load[i].name)->act != FG_ACT_VALUE) continue;
    fg_expression_of(p, false, i, fg_given_is_complex(p, false, i), &value);
    if (fg_expression_keeps_zero(&value)) continue;
    return fg_problem_bad(cx, "zeros first, which it changes, too; before them operations that leave zeros as they are",
                          "load: %s before the zeros of %s", *p->load[i].text ? p->load[i].text : p->load[i].name,
                          p->load[last].name);
  }
  return FG_OK;
}

fg_status fg_operations_check(fg_context *cx, const fg_problem *p) {
  fg_status st = check_side(cx, p, false);
  if (!st) st = check_zeros(cx, p);
  if (!st) st = check_side(cx, p, true);
  if (st || !p->in_place) return st;
  if (fg_problem_stores_real(p) && p->kind == FG_C2C)
    return fg_problem_bad(cx, "place=out", "place=in with real results of complex inputs");
  if (fg_problem_stored(p, false) != fg_problem_stored(p, true))
    return fg_problem_bad(cx, "the same on both sides, or place=out", "place=in with different types of numbers");
  return FG_OK;
}
