/* See package.h. Writing and reading are in one file. What is read is checked against everything that later code
 * relies on: indices, sizes, alignment. */
#include "runtime/store/package.h"
#include "runtime/store/line.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { ALIGN = 64, MOST_LAUNCHES = 256, MOST_PLACES = 128 };
#define MOST_BYTES (INT64_C(1) << 50) /* numbers up to there are exact in JSON */

static const char *const kinds[] = {
    [FG_ARG_IN] = "in",       [FG_ARG_OUT] = "out",     [FG_ARG_WORK] = "work",
    [FG_ARG_TABLE] = "table", [FG_ARG_GIVEN] = "given",
};
enum { KINDS = sizeof kinds / sizeof *kinds };

/* ---- writing ---------------------------------------------------------------- */

static const char *quote(fg_context *cx, const char *text) { return fg_line_quote(cx->arena, text ? text : ""); }

static void write_launch(fg_context *cx, const fg_launch *l, fg_strbuf *out) {
  fg_strbuf_addf(out, "{\"launch\":%s,\"threads\":%d,\"local_bytes\":%zu,", quote(cx, l->entry), l->threads,
                 l->local_bytes);
  fg_strbuf_addf(out, "\"cluster\":%d,%s\"carve\":%d,%s%s\"blocks\":\"", l->cluster > 1 ? l->cluster : 1,
                 l->balanced ? "\"balanced\":true," : "", l->carveout, l->persistent ? "\"persistent\":true," : "",
                 l->bulk ? "\"bulk\":true," : "");
  for (int i = 0; i < l->nblock_factor; i++)
    fg_strbuf_addf(out, "%s%lld,%d,%lld", i ? " " : "", (long long)l->block_factor[i].n, l->block_factor[i].param,
                   (long long)l->block_factor[i].div);
  fg_strbuf_add(out, "\",\"arguments\":\"");
  for (int i = 0; i < l->narg; i++)
    fg_strbuf_addf(out, "%s%c%d", i ? " " : "", l->arg[i].is_param ? 'p' : 'b', l->arg[i].index);
  fg_strbuf_add(out, "\"}\n");
}

static void write_head(fg_context *cx, const fg_package *p, fg_strbuf *out) {
  const fg_artifact *a = &p->artifact;
  fg_strbuf_addf(out, "{\"fftgen_package\":%d,\"target\":%s,\"problem\":%s,\"plan\":%s,", FG_PACKAGE_SCHEMA,
                 quote(cx, a->dialect), quote(cx, p->problem), quote(cx, p->plan));
  fg_strbuf_addf(out, "\"generator\":%s,\"compiler\":%s,", quote(cx, p->generator), quote(cx, p->compiler));
  fg_strbuf_addf(out, "\"name\":%s,\"flags\":%s,\"params\":%d,\"flops\":%lld,\"bytes\":%lld}\n", quote(cx, a->name),
                 quote(cx, a->flags), a->nparam, (long long)p->flops, (long long)p->bytes);
  for (int i = 0; i < a->nbuffer; i++) {
    const fg_arg_buffer *b = &a->buffer[i];
    fg_strbuf_addf(out, "{\"buffer\":%s,\"kind\":\"%s\",\"split\":%s,\"bytes\":%zu}\n", quote(cx, b->name),
                   kinds[b->kind], b->split ? "true" : "false", b->bytes);
  }
  for (int i = 0; i < a->nlaunch; i++) write_launch(cx, &a->launch[i], out);
  for (int i = 0; i < p->ncode; i++)
    fg_strbuf_addf(out, "{\"code\":%s,\"for\":%s,\"bytes\":%zu}\n", quote(cx, p->code[i].form),
                   quote(cx, p->code[i].fits), p->code[i].size);
  fg_strbuf_add(out, "\n");
}

/* A zero behind every piece: texts end there. */
static void write_bytes(fg_strbuf *out, const void *bytes, size_t size) {
  static const char zeros[ALIGN] = "";
  if (out->length % ALIGN) fg_strbuf_addn(out, zeros, ALIGN - out->length % ALIGN);
  if (size) fg_strbuf_addn(out, bytes, size);
  fg_strbuf_addn(out, zeros, 1);
}

void fg_package_write(fg_context *cx, const fg_package *p, fg_strbuf *out) {
  write_head(cx, p, out);
  for (int i = 0; i < p->artifact.nbuffer; i++) {
    const fg_arg_buffer *b = &p->artifact.buffer[i];
    if (b->kind == FG_ARG_TABLE) write_bytes(out, b->content, b->bytes);
  }
  for (int i = 0; i < p->ncode; i++) write_bytes(out, p->code[i].bytes, p->code[i].size);
}

/* ---- reading ---------------------------------------------------------------- */

typedef struct reader {
  fg_context *cx;
  const char *start, *at, *end;
  fg_package *out;
  const char *wrong; /* the first thing that is */
  int place;         /* places so far */
} reader;

static void refuse(reader *r, const char *what) {
  if (!r->wrong) r->wrong = what;
}

/* A whole number of a field that may be missing, within 0 .. most. */
static int64_t number_or(reader *r, const fg_line *l, const char *name, int64_t most, double otherwise) {
  double x = fg_line_number(l, name, otherwise);
  if (!(x >= 0 && x <= (double)most) || x != (double)(int64_t)x) return refuse(r, "not a number"), 0;
  return (int64_t)x;
}

static int64_t number(reader *r, const fg_line *l, const char *name, int64_t most) {
  return number_or(r, l, name, most, -1);
}

static const char *text(reader *r, const fg_line *l, const char *name) {
  const char *t = fg_line_text(l, name);
  return t ? t : (refuse(r, "a text is missing"), "");
}

static void read_head(reader *r, const fg_line *l) {
  fg_package *p = r->out;
  if (fg_line_number(l, "fftgen_package", 0) != FG_PACKAGE_SCHEMA) {
    refuse(r, "not a package of this version");
    return;
  }
  p->problem = text(r, l, "problem");
  p->plan = text(r, l, "plan");
  p->generator = text(r, l, "generator");
  p->compiler = text(r, l, "compiler");
  p->flops = number(r, l, "flops", MOST_BYTES);
  p->bytes = number(r, l, "bytes", MOST_BYTES);
  p->artifact.dialect = text(r, l, "target");
  p->artifact.name = text(r, l, "name");
  p->artifact.flags = text(r, l, "flags");
  if (*p->artifact.flags) refuse(r, "compiler flags, which a package may not have");
  p->artifact.nparam = (int)number(r, l, "params", FG_MAX_PARAMS);
  p->artifact.launch = fg_arena_new(r->cx->arena, fg_launch, MOST_LAUNCHES);
}

static void read_buffer(reader *r, const fg_line *l) {
  fg_artifact *a = &r->out->artifact;
  if (a->nbuffer == (int)(sizeof a->buffer / sizeof *a->buffer) || a->nlaunch) {
    refuse(r, "too many buffers, or one behind the launches");
    return;
  }
  fg_arg_buffer *b = &a->buffer[a->nbuffer++];
  const char *kind = text(r, l, "kind");
  const fg_line_field *split = fg_line_find(l, "split", FG_LINE_TRUTH);
  int k = 0;
  while (k < KINDS && strcmp(kinds[k], kind)) k++;
  if (k == KINDS) refuse(r, "a buffer of unknown kind");
  *b = (fg_arg_buffer){.name = text(r, l, "buffer"), .kind = k == KINDS ? FG_ARG_IN : (fg_arg_kind)k};
  b->bytes = (size_t)number(r, l, "bytes", MOST_BYTES);
  b->split = split && split->number != 0;
  r->place += b->split ? 2 : 1;
  if (r->place > MOST_PLACES) refuse(r, "too many arrays");
  if (b->split && (b->kind == FG_ARG_TABLE || b->kind == FG_ARG_WORK)) refuse(r, "a split table or workspace");
}

static void read_factors(reader *r, fg_launch *l, const char *at) {
  enum { MOST = sizeof l->block_factor / sizeof *l->block_factor };
  while (*at && !r->wrong) {
    long long n, param, div;
    int used = 0;
    if (l->nblock_factor == MOST || sscanf(at, "%lld,%lld,%lld%n", &n, &param, &div, &used) != 3 || n < 1 || div < 0 ||
        n > MOST_BYTES || param < -1 || param >= r->out->artifact.nparam) {
      refuse(r, "not a number of blocks");
      return;
    }
    l->block_factor[l->nblock_factor].n = n;
    l->block_factor[l->nblock_factor].param = (int)param;
    l->block_factor[l->nblock_factor++].div = div;
    at += used;
    if (*at == ' ') at++;
  }
}

static void read_arguments(reader *r, fg_launch *l, const char *at) {
  enum { MOST = sizeof l->arg / sizeof *l->arg };
  while (*at && !r->wrong) {
    char *end;
    bool is_param = *at == 'p';
    long index = strtol(at + 1, &end, 10);
    int limit = is_param ? r->out->artifact.nparam : r->place;
    if (l->narg == MOST || (*at != 'b' && *at != 'p') || end == at + 1 || index < 0 || index >= limit) {
      refuse(r, "not an argument");
      return;
    }
    l->arg[l->narg++] = (fg_launch_arg){is_param, (int)index};
    at = end;
    if (*at == ' ') at++;
  }
}

static bool truth(const fg_line *line, const char *name) {
  const fg_line_field *field = fg_line_find(line, name, FG_LINE_TRUTH);
  return field && field->number != 0;
}

static void read_launch(reader *r, const fg_line *line) {
  fg_artifact *a = &r->out->artifact;
  if (a->nlaunch == MOST_LAUNCHES) {
    refuse(r, "too many launches");
    return;
  }
  fg_launch *l = &a->launch[a->nlaunch++];
  l->entry = text(r, line, "launch");
  l->threads = (int)number(r, line, "threads", 1 << 16);
  l->local_bytes = (size_t)number(r, line, "local_bytes", 1 << 28);
  l->cluster = (int)number_or(r, line, "cluster", 1 << 10, 1);
  l->balanced = truth(line, "balanced");
  l->persistent = truth(line, "persistent");
  l->bulk = truth(line, "bulk");
  l->carveout = (int)number_or(r, line, "carve", 100, 0);
  if (!l->threads) refuse(r, "a launch without threads");
  read_factors(r, l, text(r, line, "blocks"));
  read_arguments(r, l, text(r, line, "arguments"));
}

static void read_code(reader *r, const fg_line *l) {
  fg_package_code code = {.form = text(r, l, "code"), .fits = text(r, l, "for")};
  code.size = (size_t)number(r, l, "bytes", MOST_BYTES);
  if (!fg_package_add(r->out, &code)) refuse(r, "too many forms of its code");
}

static const struct line_kind {
  const char *first; /* name of its first field */
  void (*read)(reader *r, const fg_line *l);
} line_kinds[] = {{"buffer", read_buffer}, {"launch", read_launch}, {"code", read_code}};
enum { LINE_KINDS = sizeof line_kinds / sizeof *line_kinds };

static void read_line(reader *r, const char *end) {
  fg_line *l = fg_arena_new(r->cx->arena, fg_line, 1);
  if (fg_line_read(r->cx->arena, r->at, (size_t)(end - r->at), l) || !l->count) {
    refuse(r, "a damaged line");
  } else if (!r->out->problem) {
    read_head(r, l);
  } else {
    int i = 0;
    while (i < LINE_KINDS && strcmp(line_kinds[i].first, l->field[0].name)) i++;
    if (i == LINE_KINDS)
      refuse(r, "an unknown line");
    else
      line_kinds[i].read(r, l);
  }
  r->at = end + 1;
}

/* The offset of the next piece; the end moves behind it. */
static const void *take_bytes(reader *r, size_t size) {
  size_t offset = ((size_t)(r->at - r->start) + ALIGN - 1) / ALIGN * ALIGN, all = (size_t)(r->end - r->start);
  if (offset > all || all - offset <= size || r->start[offset + size]) return refuse(r, "it is cut off"), NULL;
  r->at = r->start + offset + size + 1;
  return r->start + offset;
}

static void check_whole(reader *r) {
  const fg_artifact *a = &r->out->artifact;
  int in = 0, out = 0;
  for (int i = 0; i < a->nbuffer; i++) in += a->buffer[i].kind == FG_ARG_IN, out += a->buffer[i].kind == FG_ARG_OUT;
  if (in != 1 || out != 1 || !a->nlaunch || !r->out->ncode) refuse(r, "input, output, launches or code are missing");
  if (r->at != r->end) refuse(r, "bytes behind its end");
}

const char *fg_package_read(fg_context *cx, const char *bytes, size_t size, fg_package *out) {
  reader r = {.cx = cx, .start = bytes, .at = bytes, .end = bytes + size, .out = out};
  *out = (fg_package){0};
  while (!r.wrong && r.at < r.end && *r.at != '\n') {
    const char *end = memchr(r.at, '\n', (size_t)(r.end - r.at));
    if (!end) return "it is cut off";
    read_line(&r, end);
  }
  if (!r.wrong && (r.at == r.end || !out->problem)) return "it is cut off";
  r.at++;
  for (int i = 0; i < out->artifact.nbuffer && !r.wrong; i++)
    if (out->artifact.buffer[i].kind == FG_ARG_TABLE)
      out->artifact.buffer[i].content = take_bytes(&r, out->artifact.buffer[i].bytes);
  for (int i = 0; i < out->ncode && !r.wrong; i++) out->code[i].bytes = take_bytes(&r, out->code[i].size);
  if (!r.wrong) check_whole(&r);
  return r.wrong;
}

const fg_package_code *fg_package_find(const fg_package *p, const char *form, const char *fits) {
  for (int i = 0; i < p->ncode; i++)
    if (!strcmp(p->code[i].form, form) && !strcmp(p->code[i].fits, fits)) return &p->code[i];
  return NULL;
}

bool fg_package_add(fg_package *p, const fg_package_code *code) {
  if (p->ncode == FG_PACKAGE_CODES) return false;
  p->code[p->ncode++] = *code;
  return true;
}
