/* See report.h. In: results. Out: JSON, cells of text. Numbers are rounded to significant digits: times to four,
 * errors to three. */
#include "tuning/report/report.h"
#include "generator/base/strbuf.h"
#include "targets/number.h"
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void add_rounded(cJSON *to, const char *name, double x, int digits) {
  char text[64];
  fg_number_print(text, sizeof text, "%.*g", digits, x);
  if (isfinite(x))
    cJSON_AddRawToObject(to, name, text);
  else
    cJSON_AddNullToObject(to, name);
}

static void add_errors(cJSON *o, const fg_verified *v) {
  add_rounded(o, "l2", v->l2, 4);
  add_rounded(o, "l2_worst", v->l2_worst, 4);
  add_rounded(o, "max", v->max, 4);
}

cJSON *fg_report_verify(const fg_verified *v, const fg_proof *proof, const fg_text_proof *text) {
  cJSON *o = cJSON_CreateObject();
  if (proof) {
    cJSON_AddBoolToObject(o, "proved", proof->proved);
    cJSON_AddStringToObject(o, "walked", proof->walked);
    if (*proof->failure) cJSON_AddStringToObject(o, "failure", proof->failure);
  }
  if (text) {
    cJSON_AddBoolToObject(o, "text_proved", text->proved);
    cJSON_AddStringToObject(o, "text_walked", text->walked);
  }
  cJSON_AddBoolToObject(o, "ok", v->ok);
  if (*v->why) cJSON_AddStringToObject(o, "why", v->why);
  add_errors(o, v);
  add_rounded(o, "impulse", v->impulse, 4);
  add_rounded(o, "linearity", v->linearity, 4);
  add_rounded(o, "time_shift", v->time_shift, 4);
  add_rounded(o, "frequency_shift", v->frequency_shift, 4);
  add_rounded(o, "bound_l2", v->bound_l2, 4);
  add_rounded(o, "bound_max", v->bound_max, 4);
  cJSON_AddNumberToObject(o, "compared", (double)v->compared);
  cJSON_AddNumberToObject(o, "transforms", (double)v->transforms);
  return o;
}

cJSON *fg_report_bench(const fg_bench *b) {
  cJSON *o = cJSON_CreateObject();
  cJSON_AddStringToObject(o, "problem", b->problem);
  cJSON_AddStringToObject(o, "plan", b->plan);
  cJSON_AddStringToObject(o, "device", b->device);
  if (*b->isa) cJSON_AddStringToObject(o, "isa", b->isa);
  cJSON_AddStringToObject(o, "hardware", b->facts.name);
  cJSON_AddStringToObject(o, "compiler", b->facts.version);
  cJSON_AddStringToObject(o, "flags", b->facts.flags);
  add_rounded(o, "ns", b->ns, 5);
  add_rounded(o, "ns_spread", b->ns_spread, 3);
  add_rounded(o, "gflops", b->gflops, 4);
  add_rounded(o, "build_seconds", b->build_seconds, 3);
  add_errors(o, &b->verified);
  if (b->has_peer) {
    add_rounded(o, "fftw_ns", b->peer_ns, 5);
    add_rounded(o, "fftw_gflops", b->peer_gflops, 4);
    add_rounded(o, "fftw_l2", b->peer_l2, 4);
    add_rounded(o, "ratio", b->ratio, 4);
  }
  cJSON_AddNumberToObject(o, "bytes", (double)b->bytes);
  add_rounded(o, "copy_ns", b->copy_ns, 5);
  add_rounded(o, "copy_fraction", b->copy_fraction, 3);
  cJSON *slow = cJSON_AddArrayToObject(o, "fallbacks");
  for (int i = 0; i < b->nfallback; i++) cJSON_AddItemToArray(slow, cJSON_CreateString(b->fallback[i]));
  return o;
}

static const char *duration(fg_arena *a, double ns) {
  if (ns < 1e4) return fg_arena_printf(a, "%.4g ns", ns);
  if (ns < 1e7) return fg_arena_printf(a, "%.4g us", ns * 1e-3);
  return fg_arena_printf(a, "%.4g ms", ns * 1e-6);
}

enum { PROBLEM_WIDTH = 26, NUMBERS_WIDTH = 44, INDENT = 4 };

const char *fg_report_head(void) {
  return "problem                          time  GFLOP/s  x FFTW    error   copy  plan\n";
}

/* Broken after commas and spaces; what has no such place stays whole. */
static void add_broken(fg_strbuf *s, const char *text, int indent) {
  for (; *text; indent = INDENT) {
    size_t n = strlen(text), end = n, most = (size_t)(FG_REPORT_WIDTH - indent);
    if (n > most)
      for (end = most; end && text[end - 1] != ',' && text[end - 1] != ' ';) end--;
    if (!end) end = n;
    size_t shown = end;
    while (shown && text[shown - 1] == ' ') shown--;
    fg_strbuf_addf(s, "%*s%.*s\n", indent, "", (int)shown, text);
    text += end;
  }
}

static void add_wrapped(fg_strbuf *s, const char *text) { add_broken(s, text, INDENT); }

const char *fg_report_wrapped(fg_context *cx, const char *text) {
  fg_strbuf s = fg_strbuf_new(cx->arena);
  add_broken(&s, text, 0);
  return s.text;
}

const char *fg_report_title(fg_context *cx, const fg_bench *b) {
  const char *comma = *b->facts.version ? ", " : "";
  return fg_report_wrapped(cx,
                           fg_arena_printf(cx->arena, "%s: %s%s%s", b->device, b->facts.name, comma, b->facts.version));
}

const char *fg_report_row(fg_context *cx, const fg_bench *b) {
  fg_strbuf s;
  fg_arena *a = cx->arena;
  const char *plan = fg_arena_printf(a, "%s%s%s", b->plan, *b->isa ? " " : "", b->isa);
  const char *ratio = b->has_peer ? fg_arena_printf(a, "%.2f", b->ratio) : "-";
  bool long_problem = strlen(b->problem) > PROBLEM_WIDTH;
  bool long_plan = PROBLEM_WIDTH + 1 + NUMBERS_WIDTH + 2 + strlen(plan) > FG_REPORT_WIDTH;
  s = fg_strbuf_new(a);
  if (long_problem) fg_strbuf_addf(&s, "%s\n", b->problem);
  fg_strbuf_addf(&s, "%-*s %10s %8s %7s %8s %6s", PROBLEM_WIDTH, long_problem ? "" : b->problem, duration(a, b->ns),
                 fg_arena_printf(a, "%.1f", b->gflops), ratio, fg_arena_printf(a, "%.2g", b->verified.l2),
                 fg_arena_printf(a, "%.2f", b->copy_fraction));
  fg_strbuf_addf(&s, long_plan ? "\n" : "  %s\n", plan);
  if (long_plan) add_wrapped(&s, plan);
  if (b->nfallback) add_wrapped(&s, fg_arena_printf(a, "falls back, %d: %s", b->nfallback, b->fallback[0]));
  return s.text;
}
