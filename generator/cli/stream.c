/* A stream by the command line. In: its text, instruction sets. Out: its two files in a folder. */
#include "generator/cli/stream.h"
#include "generator/base/files.h"
#include "generator/base/strbuf.h"
#include "generator/cli/bundle.h"
#include "generator/cli/table.h"
#include <stdio.h>
#include <string.h>

static const char *command_text(fg_context *cx, const fg_cli_stream *o, const fg_stream_request *r) {
  fg_strbuf s = fg_strbuf_new(cx->arena);
  fg_strbuf_add(&s, "fftgen emit --stream");
  for (int i = 0; i < r->nisa; i++) fg_strbuf_addf(&s, "%s%s", i ? "," : " --isa ", r->isa[i]->name);
  if (o->choice->machine) fg_strbuf_addf(&s, " --arch %s", o->choice->machine->name);
  fg_strbuf_addf(&s, " %s=\"%s\"", o->name, fg_stream_print(cx, &r->stream));
  return s.text;
}

fg_status fg_cli_stream_request(fg_context *cx, const fg_cli_stream *o, fg_stream_request *out) {
  fg_cli_bundle like = {.choice = o->choice, .name = o->name, .folder = o->folder};
  fg_bundle_request levels = {.name = o->name};
  *out = (fg_stream_request){.name = o->name, .machine = o->choice->machine};
  fg_status status = fg_stream_parse(cx, o->choice->problem[0], &out->stream);
  if (status == FG_OK) status = fg_cli_bundle_isas(cx, &like, &levels);
  if (status != FG_OK) return status;
  out->nisa = levels.nisa;
  for (int i = 0; i < levels.nisa; i++) out->isa[i] = levels.isa[i];
  return FG_OK;
}

static fg_status report(fg_context *cx, const fg_cli_stream *o, const fg_stream *s, const fg_file *file) {
  size_t length = strlen(o->folder);
  const char *slash = length && o->folder[length - 1] == '/' ? "" : "/";
  if (!o->choice->json) {
    for (int i = 0; i < 2; i++) printf("%s%s%s\n", o->folder, slash, file[i].name);
    return FG_OK;
  }
  cJSON *json = cJSON_CreateObject();
  cJSON_AddStringToObject(json, "name", o->name);
  cJSON_AddStringToObject(json, "stream", fg_stream_print(cx, s));
  cJSON_AddNumberToObject(json, "latency", (double)fg_stream_latency(s));
  cJSON *files = cJSON_AddArrayToObject(json, "files");
  for (int i = 0; i < 2; i++)
    cJSON_AddItemToArray(files,
                         cJSON_CreateString(fg_arena_printf(cx->arena, "%s%s%s", o->folder, slash, file[i].name)));
  return fg_cli_print_json(cx, json);
}

fg_status fg_cli_stream_emit(fg_context *cx, const fg_cli_stream *o) {
  fg_stream_request r;
  fg_file file[2];
  fg_status status = fg_cli_stream_request(cx, o, &r);
  if (status == FG_OK) status = fg_stream_choose(cx, &r);
  if (status != FG_OK) return status;
  r.command = command_text(cx, o, &r);
  status = fg_stream_create(cx, &r, file);
  if (status == FG_OK) status = fg_files_write(cx, o->folder, file, 2);
  return status == FG_OK ? report(cx, o, &r.stream, file) : status;
}
