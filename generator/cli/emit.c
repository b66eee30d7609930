/* fftgen emit: the whole compiler. In: a problem and options. Out: source files
 * in a folder, or the text of one stage on standard output. */
#include "generator/base/files.h"
#include "generator/cli/advice.h"
#include "generator/cli/bundle.h"
#include "generator/cli/dump.h"
#include "generator/cli/parse.h"
#include "generator/cli/stream.h"
#include "generator/cli/table.h"
#include <stdio.h>
#include <string.h>

typedef struct order {
  fg_choice choice;
  const char *folder, *prefix;
  const fg_cli_dump *dump;
  const char *bundle, *measure;
  int64_t most_code;
  bool self_test, embedded, work, stream, verbose;
} order;

enum {
  KEY_PREFIX = 512,
  KEY_SELF_TEST,
  KEY_BUNDLE,
  KEY_EMBEDDED,
  KEY_WORK,
  KEY_MAX_CODE,
  KEY_MEASURE,
  KEY_STREAM,
  KEY_VERBOSE
};

static error_t parse(int key, char *arg, struct argp_state *state) {
  order *o = state->input;
  switch (key) {
  case ARGP_KEY_INIT:
    state->child_inputs[0] = state->child_inputs[1] = &o->choice;
    state->child_inputs[2] = &o->dump;
    state->child_inputs[3] = state->child_inputs[4] = &o->choice;
    return 0;
  case 'o': return fg_cli_folder(state, arg, &o->folder);
  case KEY_PREFIX: o->prefix = arg; return 0;
  case KEY_SELF_TEST: o->self_test = true; return 0;
  case KEY_BUNDLE: o->bundle = arg; return 0;
  case KEY_EMBEDDED: o->embedded = true; return 0;
  case KEY_WORK: o->work = true; return 0;
  case KEY_STREAM: o->stream = true; return 0;
  case KEY_VERBOSE: o->verbose = true; return 0;
  case KEY_MEASURE: o->measure = arg; return 0;
  case KEY_MAX_CODE:
    if (fg_cli_number(arg, 1, INT64_C(1) << 40, &o->most_code)) return 0;
    return fg_cli_refuse(state, "--max-code '%s': a number of bytes", arg);
  default: return ARGP_ERR_UNKNOWN;
  }
}

static const struct argp_option options[] = {
    {"output", 'o', "FOLDER", 0, "folder of the files; made when it is not there (.)", 0},
    {"prefix", KEY_PREFIX, "NAME", 0, "name of the files and the start of every symbol", 0},
    {"self-test", KEY_SELF_TEST, 0, 0, "add a main() that checks against the definition", 0},
    {"bundle", KEY_BUNDLE, "NAME", 0,
     "several problems in NAME.c, for several --isa: the CPU's widest runs (scalar,avx2,avx512)", 0},
    {"embedded", KEY_EMBEDDED, 0, 0, "a bundle for a small machine: scalar, no libm", 0},
    {"work", KEY_WORK, 0, 0, "a bundle's functions take one work in place of scratch and tables, whatever the plan", 0},
    {"max-code", KEY_MAX_CODE, "BYTES", 0, "limit a bundle's code and tables to so many bytes", 0},
    {"stream", KEY_STREAM, 0, 0, "a filter for samples as they come; help streams", 0},
    {"verbose", KEY_VERBOSE, 0, 0, "say on standard error what the proofs walked", 0},
    {"measure", KEY_MEASURE, "COMMAND", 0, "measure a bundle's size with this compiler", 0},
    {0},
};
static const struct argp_child children[] = {FG_CLI_GROUP(kernel), FG_CLI_GROUP(problem), FG_CLI_GROUP(dump),
                                             FG_CLI_GROUP(arch),   FG_CLI_GROUP(wisdom),  {0}};
static const struct argp argp = {
    .options = options,
    .parser = parse,
    .args_doc = "PROBLEM...",
    .doc = "Write the sources of a transform. They are proven first, stand alone, and appear whole or not at all."
           "\vA problem is one argument (fftgen help problem); NAME=\"...\" names its function.\n\n"
           "Examples:\n"
           "  fftgen emit \"c2c f64 n=1024\" --target c --isa avx512 -o out/\n"
           "  fftgen emit \"c2c f32 n=4096\" --target opencl -o out/\n"
           "  fftgen emit \"c2c f32 n=32768 batch=1000\" --arch sm_90 -o out/\n"
           "  fftgen emit \"c2c f64 n=8\" --dump=dag\n"
           "  fftgen emit --bundle dsp to=\"c2c f32 n=256\" back=\"c2c f32 n=256 sign=+1\"\n"
           "  fftgen emit --stream room=\"rconv f32 taps=96000 latency=64\" -o out/\n"
           "  fftgen emit --bundle mcu --embedded \"c2c f32 n=64\" --max-code 8000 -o out/\n",
    .children = children,
};

/* A C identifier: it becomes the name of files and functions. */
static fg_status check_name(fg_context *cx, const char *option, const char *name) {
  static const char letters[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ_", digits[] = "0123456789";
  bool good = *name && strlen(name) <= 64 && strchr(letters, *name);
  for (const char *s = name; good && *s; s++) good = strchr(letters, *s) || strchr(digits, *s);
  if (good) return FG_OK;
  return fg_refuse(cx, "emit: --%s '%s': letters, digits and _, no digit first, at most 64", option, name);
}

static fg_status refuse_with(fg_context *cx, const char *option, const char *why) {
  return fg_refuse(cx, "emit: %s: %s", option, why);
}

/* Bundles: what only they take, and what they do not take. */
static fg_status check_bundle(fg_context *cx, const order *o) {
  if (!o->bundle) {
    const char *only = o->embedded    ? "--embedded"
                       : o->work      ? "--work"
                       : o->most_code ? "--max-code"
                       : o->measure   ? "--measure"
                                      : NULL;
    if (only) return refuse_with(cx, only, "for bundles; give --bundle NAME, too");
    if (o->choice.nproblem > 1)
      return refuse_with(cx, o->choice.problem[1], "only 1 argument is allowed; more with --bundle NAME");
    if (o->choice.isa && strchr(o->choice.isa, ','))
      return refuse_with(cx, "--isa", "one instruction set; several with --bundle NAME");
    return FG_OK;
  }
  const char *not = o->prefix        ? "--prefix"
                    : o->dump        ? "--dump"
                    : o->self_test   ? "--self-test"
                    : o->choice.plan ? "--plan"
                                     : NULL;
  if (not ) return refuse_with(cx, not, "not with --bundle");
  if (o->choice.target && strcmp(o->choice.target, "c") != 0) return refuse_with(cx, "--target", "bundles are C");
  return check_name(cx, "bundle", o->bundle);
}

/* What streams do not take. */
static fg_status check_stream(fg_context *cx, const order *o) {
  const char *not = o->bundle           ? "--bundle"
                    : o->dump           ? "--dump"
                    : o->self_test      ? "--self-test"
                    : o->choice.plan    ? "--plan"
                    : o->embedded       ? "--embedded"
                    : o->work           ? "--work"
                    : o->most_code      ? "--max-code"
                    : o->measure        ? "--measure"
                    : o->choice.nrecipe ? "--recipe"
                                        : NULL;
  if (not ) return refuse_with(cx, not, "not with --stream");
  if (o->choice.nproblem > 1) return refuse_with(cx, o->choice.problem[1], "only 1 stream is allowed");
  if (o->choice.target && strcmp(o->choice.target, "c") != 0) return refuse_with(cx, "--target", "streams are C");
  return FG_OK;
}

static fg_status run_bundle(fg_context *cx, order *o) {
  fg_cli_bundle bundle = {.choice = &o->choice,
                          .name = o->bundle,
                          .folder = o->folder,
                          .measure = o->measure,
                          .most_code = o->most_code,
                          .embedded = o->embedded,
                          .work = o->work};
  return fg_cli_bundle_emit(cx, &bundle);
}

static fg_status report(fg_compilation *c, const order *o, const char *folder) {
  const fg_emitted *e = &c->emitted;
  size_t length = strlen(folder);
  const char *slash = length && folder[length - 1] == '/' ? "" : "/";
  if (!o->choice.json) {
    for (int i = 0; i < e->nfile; i++) printf("%s%s%s\n", folder, slash, e->file[i].name);
    return FG_OK;
  }
  cJSON *json = cJSON_CreateObject();
  cJSON_AddStringToObject(json, "problem", fg_problem_print(c->cx, &c->problem));
  cJSON_AddStringToObject(json, "plan", fg_plan_print(c->cx, c->chosen.plan));
  cJSON_AddStringToObject(json, "name", e->artifact.name);
  cJSON_AddStringToObject(json, "flags", e->artifact.flags ? e->artifact.flags : "");
  cJSON_AddBoolToObject(json, "proved", c->proof.proved);
  cJSON_AddStringToObject(json, "walked", c->proof.walked);
  cJSON_AddBoolToObject(json, "text_proved", c->text.proved);
  cJSON_AddStringToObject(json, "text_walked", c->text.walked);
  cJSON *files = cJSON_AddArrayToObject(json, "files");
  for (int i = 0; i < e->nfile; i++)
    cJSON_AddItemToArray(files,
                         cJSON_CreateString(fg_arena_printf(c->cx->arena, "%s%s%s", folder, slash, e->file[i].name)));
  return fg_cli_print_json(c->cx, json);
}

/* A slow candidate of a recipe is replaced by the next; a plan given by the user is taken as it is. */
static void warn_of_slow(const fg_compilation *c) {
  if (c->request.plan && c->chosen.slow_to_compile)
    fprintf(stderr, "fftgen: plan %s: compilers may take minutes and gigabytes for so long a codelet of vectors\n",
            fg_plan_print(c->cx, c->chosen.plan));
}

/* A manifest, which is written beside the proof, gets what that walked: a line behind the one of the command. */
static void add_walked(fg_compilation *c) {
  static const char before[] = "  \"dialect\": ";
  for (int i = 0; i < c->emitted.nfile; i++) {
    fg_file *f = &c->emitted.file[i];
    size_t length = strlen(f->name);
    const char *at = length > 5 && !strcmp(f->name + length - 5, ".json") ? strstr(f->text, before) : NULL;
    if (!at) continue;
    f->text = fg_arena_printf(c->cx->arena, "%.*s  \"proved\": \"%s\",\n%s", (int)(at - f->text), f->text,
                              c->proof.walked, at);
    f->bytes = strlen(f->text);
  }
}

static void say_walked(const fg_compilation *c) {
  fprintf(stderr, "fftgen: proved: %s; text: %s%s\n", c->proof.walked,
          c->text.proved ? "" : "not proved: ", c->text.walked);
}

static fg_status write(fg_compilation *c, const order *o) {
  fg_status status = fg_cli_source(c);
  if (status == FG_OK) add_walked(c);
  if (status == FG_OK && o->verbose) say_walked(c);
  if (status == FG_OK) status = fg_files_write(c->cx, o->folder, c->emitted.file, c->emitted.nfile);
  if (status == FG_OK) status = report(c, o, o->folder);
  if (status == FG_OK) warn_of_slow(c);
  return status;
}

/* filter=: beside the convolution the transform that makes its spectra, NAME_prepare(filter, spectrum). */
static fg_status write_prepare(const fg_compilation *conv, const order *o) {
  fg_request request = conv->request;
  fg_compilation c;
  request.problem = fg_problem_prepare(conv->cx, &conv->problem);
  request.plan = NULL;
  request.prefix = fg_arena_printf(conv->cx->arena, "%s_prepare", conv->emitted.artifact.name);
  fg_status status = fg_pipeline_parse(conv->cx, &request, &c);
  if (status == FG_OK) status = fg_pipeline_decide(&c);
  return status == FG_OK ? write(&c, o) : status;
}

static fg_status run(fg_context *cx, int argc, char **argv) {
  order o = {.choice = {.most_problems = FG_CLI_PROBLEMS, .may_name = true}, .folder = "."};
  fg_compilation c;
  fg_status status = fg_cli_parse(cx, &argp, argc, argv, &o);
  if (status == FG_OK && !o.bundle && !o.prefix) o.prefix = o.choice.name[0];
  if (status == FG_OK && o.prefix) status = check_name(cx, "prefix", o.prefix);
  if (status == FG_OK) status = o.stream ? check_stream(cx, &o) : check_bundle(cx, &o);
  if (status != FG_OK) return status;
  if (o.bundle) return run_bundle(cx, &o);
  if (o.stream) return fg_cli_stream_emit(cx, &(fg_cli_stream){&o.choice, o.prefix ? o.prefix : "stream", o.folder});
  fg_request request = fg_cli_request(&o.choice, 0);
  request.prefix = o.prefix;
  request.self_test = o.self_test;
  request.sources_alone = true;
  fg_cli_advisor advisor = {.choice = &o.choice, .target = fg_cli_target(&o.choice)};
  status = fg_cli_advise_request(cx, &advisor, 0, &request);
  if (status == FG_OK) status = fg_pipeline_parse(cx, &request, &c);
  if (status == FG_OK) status = fg_pipeline_decide(&c);
  if (status != FG_OK) return status;
  if (o.dump) return o.dump->print(&c);
  status = write(&c, &o);
  return status == FG_OK && c.problem.filter.rank ? write_prepare(&c, &o) : status;
}

const fg_command fg_cli_emit = {"emit", "write the sources of a transform", &argp, run, NULL, false};
