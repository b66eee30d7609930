/* fftgen tune --stream: which blocks are fast on this machine? In: a stream's text. Out: the choices that the cost
 * model finds best, compiled and timed, and the best one's text, which emit takes. */
#include "generator/base/strbuf.h"
#include "generator/base/template.h"
#include "generator/cli/stream.h"
#include "generator/cli/table.h"
#include "targets/cc/process.h"
#include "targets/folder.h"
#include "targets/number.h"
#include <math.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

enum { MOST = 8, SECONDS = 120, MESSAGE = 2048, LEAST_CALL = 16, MOST_CALLS = 1 << 16, ROUNDS = 9 };

typedef struct timed {
  const fg_stream *stream;
  double mean, worst; /* nanoseconds of a call */
  double score;
} timed;

/* What drivers ask for: as many samples as may wait; without a bound a block. */
static int64_t call_of(const fg_stream *asked, const fg_stream *s) {
  if (asked->latency < 0) return s->level[0].block;
  return asked->latency + 1 < LEAST_CALL ? LEAST_CALL : asked->latency + 1;
}

static fg_status write_bench(fg_context *cx, const fg_stream_request *r, int64_t call, fg_file *out) {
  const fg_stream *s = &r->stream;
  fg_template_values *v = fg_template_create(cx);
  fg_strbuf text = fg_strbuf_new(cx->arena);
  int64_t period = 4 * s->level[s->nlevel - 1].block, calls = period / call + 64;
  long long z = s->is_complex ? 2 : 1;
  fg_template_set(v, "name", r->name);
  fg_template_set(v, "upper", fg_words_upper(cx->arena, r->name));
  fg_template_set(v, "real", s->precision == FG_F64 ? "double" : "float");
  fg_template_setf(v, "call", "%lld", (long long)call);
  fg_template_setf(v, "calls", "%lld", (long long)(calls < MOST_CALLS ? calls : MOST_CALLS));
  fg_template_setf(v, "rounds", "%d", ROUNDS);
  fg_template_setf(v, "numbers", "%lld", z * s->channels);
  fg_template_setf(v, "tap_numbers", "%lld", z * (long long)s->taps * (s->own_filters ? s->channels : 1));
  fg_template_setf(v, "channels", "%d", s->channels);
  fg_template_set(v, "planar", s->planar ? "1" : "");
  fg_template_set(v, "frames", s->planar ? "" : "1");
  fg_status status = fg_template_expand(cx, "stream_bench.tmpl", v, &text);
  *out = (fg_file){"bench.c", text.text, text.length};
  return status;
}

static fg_status run_child(fg_context *cx, char **argv, const char *folder, char text[MESSAGE]) {
  text[0] = 0;
  int code =
      fg_process_run(&(fg_process){.argv = argv, .temp = folder, .seconds = SECONDS, .text = text, .size = MESSAGE});
  if (code == 0) return FG_OK;
  text[strcspn(text, "\n")] = 0;
  return fg_diag_set(&cx->diag, FG_ESYS, "tune: %s: %s", argv[0],
                     code == FG_PROCESS_NOT_STARTED ? "it cannot be started"
                     : code == FG_PROCESS_TIMEOUT   ? "it takes more than two minutes"
                     : *text                        ? text
                                                    : "it failed");
}

static char *path_in(fg_context *cx, const char *folder, const char *name) {
  return fg_arena_printf(cx->arena, "%s/%s", folder, name);
}

static fg_status build_and_run(fg_context *cx, const char *compiler, const char *folder, const fg_stream_request *r,
                               timed *out) {
  char text[MESSAGE], level[] = "-O2", into[] = "-o";
  char *bench = path_in(cx, folder, "bench");
  char *compile[] = {fg_arena_strdup(cx->arena, compiler),
                     level,
                     path_in(cx, folder, "bench.c"),
                     path_in(cx, folder, fg_arena_printf(cx->arena, "%s.c", r->name)),
                     into,
                     bench,
                     NULL};
  char *execute[] = {bench, NULL}, *end;
  fg_status status = run_child(cx, compile, folder, text);
  if (status == FG_OK) status = run_child(cx, execute, folder, text);
  if (status != FG_OK) return status;
  out->mean = fg_number_read(text, &end) / 1e3;
  out->worst = fg_number_read(end, NULL) / 1e3;
  return FG_OK;
}

static fg_status time_one(fg_context *cx, const fg_cli_stream *o, fg_stream_request *r, const fg_stream *asked,
                          timed *t) {
  fg_file file[3];
  char folder[1024];
  r->stream = *t->stream;
  int64_t call = call_of(asked, t->stream);
  fg_status status = fg_stream_create(cx, r, file);
  if (status == FG_OK) status = write_bench(cx, r, call, &file[2]);
  if (status != FG_OK) return status;
  if (!fg_folder_make(folder, sizeof folder))
    return fg_diag_set(&cx->diag, FG_ESYS, "tune: %s: no folder can be made", fg_folder_root());
  status = fg_files_write(cx, folder, file, 3);
  if (status == FG_OK) status = build_and_run(cx, o->choice->compiler ? o->choice->compiler : "gcc", folder, r, t);
  for (int i = 0; i < 3; i++) unlink(path_in(cx, folder, file[i].name));
  unlink(path_in(cx, folder, "bench"));
  rmdir(folder);
  t->score = asked->latency < 0 ? t->mean / (double)call : t->mean + t->worst / FG_STREAM_EVEN;
  return status;
}

static fg_status report(fg_context *cx, const fg_cli_stream *o, const timed *t, int count, int best) {
  static const char *const heads[] = {"mean ns", "worst ns", "stream"};
  const char *text = fg_stream_print(cx, t[best].stream);
  if (o->choice->json) {
    cJSON *json = cJSON_CreateObject(), *all = cJSON_AddArrayToObject(json, "candidates");
    cJSON_AddStringToObject(json, "stream", text);
    for (int i = 0; i < count; i++) {
      cJSON *row = cJSON_CreateObject();
      cJSON_AddStringToObject(row, "stream", fg_stream_print(cx, t[i].stream));
      cJSON_AddNumberToObject(row, "mean_ns", round(t[i].mean));
      cJSON_AddNumberToObject(row, "worst_ns", round(t[i].worst));
      cJSON_AddItemToArray(all, row);
    }
    return fg_cli_print_json(cx, json);
  }
  fg_cli_table *table = fg_cli_table_create(cx, 3, heads);
  for (int i = 0; i < count; i++) {
    fg_cli_cell(table, "%.0f", t[i].mean);
    fg_cli_cell(table, "%.0f", t[i].worst);
    fg_cli_cell(table, "%s%s", fg_stream_print(cx, t[i].stream), i == best ? "  <- the best" : "");
  }
  fg_cli_table_print(table);
  return FG_OK;
}

/* The first and the widest that runs here: the others need not be compiled. */
static void keep_widest(fg_stream_request *r) {
  int widest = 0;
  for (int i = 0; i < r->nisa; i++)
    if (fg_isa_runs_here(r->isa[i])) widest = i;
  r->isa[1] = r->isa[widest];
  r->nisa = widest ? 2 : 1;
}

fg_status fg_cli_stream_tune(fg_context *cx, const fg_cli_stream *o) {
  fg_stream_request r;
  fg_stream *candidate = fg_arena_new(cx->arena, fg_stream, MOST);
  timed t[MOST] = {{0}};
  int count = 0, best = 0;
  fg_status status = fg_cli_stream_request(cx, o, &r);
  if (status == FG_OK) keep_widest(&r);
  if (status == FG_OK) status = fg_stream_candidates(cx, &r, MOST, candidate, &count);
  const fg_stream asked = r.stream;
  for (int i = 0; status == FG_OK && i < count; i++) {
    t[i].stream = &candidate[i];
    status = time_one(cx, o, &r, &asked, &t[i]);
    if (status == FG_OK && t[i].score < t[best].score) best = i;
  }
  return status == FG_OK ? report(cx, o, t, count, best) : status;
}
