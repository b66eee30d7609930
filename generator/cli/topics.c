/* See topics.h. In: the tables of what a topic is about. Out: its page. Names come
 * from the tables; a test looks for every name of theirs on these pages. */
#include "generator/cli/topics.h"
#include "generator/base/strbuf.h"
#include "generator/base/text_match.h"
#include "generator/plan/plan.h"
#include "generator/problem/operations.h"
#include "targets/device.h"
#include "targets/dialect.h"
#include <stdio.h>
#include <string.h>

/* ---- problem ------------------------------------------------------------------------ */

static const char *precision_at(int i) { return i < FG_PRECISION_COUNT ? fg_precision_name((fg_precision)i) : NULL; }
static const char *window_at(int i) { return fg_window_table()[i].name; }

static void add_points(fg_cli_page *p, fg_arena *a) {
  for (const fg_operation_row *r = fg_operation_table(); r->name; r++) {
    const char *side = r->sides == FG_SIDES_BOTH ? "" : r->sides == FG_SIDES_LOADS ? "load: " : "store: ";
    if (r->sides != FG_SIDES_NEITHER) fg_cli_page_row(p, r->name, fg_arena_printf(a, "%s%s", side, r->help));
  }
}

static void write_problem(fg_context *cx, fg_cli_page *p, bool is_long) {
  fg_arena *a = cx->arena;
  fg_cli_page_usage(p, "\"KIND PRECISION n=... [KEY=VALUE]...\", one argument, in quotes");
  fg_cli_page_head(p, "Kinds");
  fg_cli_page_row(p, "c2c, r2c, c2r", "complex; real to half of a spectrum; and back");
  fg_cli_page_row(p, "dct1, dct2, dct3, dct4", "cosine transforms, with FFTW's factors");
  fg_cli_page_row(p, "dst1, dst2, dst3, dst4", "sine transforms");
  fg_cli_page_row(p, "conv", "convolution: understood but not built yet");
  fg_cli_page_head(p, "Precisions");
  fg_cli_page_row(p, fg_words_join(a, precision_at), "of the numbers in memory");
  fg_cli_page_head(p, "Keys");
  fg_cli_page_row(p, "n=N[:IS:OS]", "the length, with strides; 64x64 for two dimensions");
  fg_cli_page_row(p, "batch=N[:IS:OS]", "how many, and how far apart; name[1..100]: said at run time");
  fg_cli_page_row(p, "sign=-1, +1", "of the exponent; also forward, backward");
  fg_cli_page_row(p, "place=out, in", "whether the output overwrites the input");
  fg_cli_page_row(p, "layout=interleaved, split", "complex numbers as pairs, or as two arrays; also in>out");
  fg_cli_page_row(p, "compute=PRECISION", "of the arithmetic, of tables and scratch");
  fg_cli_page_row(p, "scale=1/n, 1/sqrt(n), NUMBER", "factor of the result");
  fg_cli_page_row(p, "load=A,B,... store=A,B,...", "done while loading and storing, in this order:");
  add_points(p, a);
  fg_cli_page_row(p, "windows", fg_words_join(a, window_at));
  if (is_long)
    fg_cli_page_text(
        p, "Without sign= and scale=, forward and then backward gives n times the input. docs/problem.md has the "
           "definition of every kind.");
  fg_cli_page_head(p, "Examples");
  fg_cli_page_code(p, "\"c2c f32 n=1024 batch=16 sign=+1\"");
  fg_cli_page_code(p, "\"c2c f32 n=64:64:64 batch=64:1:1\"                 columns of a 64 x 64 matrix");
  fg_cli_page_code(p, "\"r2c f32 n=256 load=u8,window(hann) store=mag2\"   bytes in, power spectrum out");
}

/* ---- plan ---------------------------------------------------------------------------- */

static void write_plan(fg_context *cx, fg_cli_page *p, bool is_long) {
  (void)cx;
  fg_cli_page_text(
      p, "A plan says how a problem is computed: a tree of steps, each with numbers, inner plans, and parameters "
         "behind a semicolon. fftgen plan PROBLEM lists candidates, --plan takes one, recipes write them. "
         "(fftgen plan --help tells of the subcommand.)");
  fg_cli_page_head(p, "Steps");
  for (int s = 0; s < FG_STEP_COUNT; s++) fg_cli_page_row(p, fg_step_form((fg_step)s), fg_step_help((fg_step)s));
  if (is_long)
    fg_cli_page_text(
        p, "Parameters stand behind the whole plan; some of them also inside of it, for that part: fftgen help "
           "parameters.");
  fg_cli_page_head(p, "Examples");
  fg_cli_page_code(p, "fftgen plan \"c2c f32 n=1024\"");
  fg_cli_page_code(p, "fftgen plan \"c2c f32 n=1024\" --plan \"stockham(16,8,8; lanes=8)\"");
  fg_cli_page_code(p, "fftgen emit \"c2c f32 n=1009\" --plan \"rader(1009, stockham(16,9,7))\"");
}

/* ---- parameters ------------------------------------------------------------------------ */

/* Behind a sign, "0 = this" or "off = this": the meaning of one value. */
static bool begins_values(const char *at) {
  at += strspn(at, ":;, ");
  size_t length = strspn(at, "0123456789abcdefghijklmnopqrstuvwxyz_");
  return length && !strncmp(at + length, " = ", 3);
}

/* What a parameter is about, in `most` characters: without what its values mean, but for
 * the first of them where nothing else is said behind "GPU, clusters: ". */
static const char *summary(fg_arena *a, const char *help, size_t most) {
  const char *colon = strstr(help, ": ");
  bool is_marked = *help >= 'A' && *help <= 'Z' && colon; /* "GPU: " */
  size_t end = is_marked ? (size_t)(colon - help) + 1 : 1;
  while (help[end] && help[end] != ';' && !(strchr(":,", help[end]) && begins_values(help + end))) end++;
  if (end <= most) return fg_arena_printf(a, "%.*s", (int)end, help);
  for (end = most - 4; end && help[end] != ' ';) end--;
  return fg_arena_printf(a, "%.*s ...", (int)end, help);
}

static const char *parameter_term(fg_arena *a, const fg_param_info *q) {
  if (!q->values) return fg_arena_printf(a, "%s=%lld..%lld", q->name, (long long)q->lo, (long long)q->hi);
  fg_strbuf s;
  fg_strbuf_init(&s, a);
  for (int64_t v = q->lo; v <= q->hi; v++) {
    fg_strbuf_addf(&s, "%s%s", v > q->lo ? "|" : q->name, v > q->lo ? "" : "=");
    fg_param_value_print(&s, q, v);
  }
  return s.text;
}

static void add_parameter(fg_cli_page *p, fg_arena *a, const fg_param_info *q) {
  fg_strbuf s;
  fg_strbuf_init(&s, a);
  fg_strbuf_addf(&s, "%s. Preset: ", q->help);
  fg_param_value_print(&s, q, q->preset);
  fg_strbuf_addf(&s, ".%s%s", q->is_option ? " Other: where auto says on, off, and the other way round." : "",
                 q->of_parts ? " Plans inside of others have it, too." : "");
  fg_cli_page_row(p, parameter_term(a, q), s.text);
}

static void write_parameters(fg_context *cx, fg_cli_page *p, bool is_long) {
  const fg_param_info *q = fg_param_table();
  fg_cli_page_text(p, "Parameters stand behind the semicolon of a plan: \"stockham(16,8,8; lanes=8)\".");
  fg_cli_page_head(p, "Parameters");
  for (int i = 0; i < FG_PARAM_COUNT; i++)
    if (is_long)
      add_parameter(p, cx->arena, &q[i]);
    else
      fg_cli_page_row(p, q[i].name, summary(cx->arena, q[i].help, 51));
  if (!is_long) fg_cli_page_text(p, "In full: fftgen help parameters NAME...");
}

static const char *param_name(int i) { return i < FG_PARAM_COUNT ? fg_param_table()[i].name : NULL; }

static fg_status print_parameters(fg_context *cx, const char *const *names) {
  fg_cli_page *p = fg_cli_page_create(cx);
  for (; *names; names++) {
    int i = fg_param_find(*names);
    const fg_param_alias *older = i < 0 ? fg_param_alias_find(*names) : NULL;
    for (const fg_param_alias *row = older; row && row->old; row++)
      if (!strcmp(row->old, *names)) add_parameter(p, cx->arena, &fg_param_table()[row->id]);
    if (older) continue;
    if (i < 0)
      return fg_diag_set(&cx->diag, FG_EUSER, "help parameters %s: unknown%s; allowed: %s",
                         fg_words_quote(cx->arena, *names, strlen(*names)),
                         fg_words_near(cx->arena, *names, strlen(*names), param_name),
                         fg_words_join(cx->arena, param_name));
    add_parameter(p, cx->arena, &fg_param_table()[i]);
  }
  fputs(fg_cli_page_print(p), stdout);
  return FG_OK;
}

/* ---- devices, machines ------------------------------------------------------------------ */

static void write_devices(fg_context *cx, fg_cli_page *p, bool is_long) {
  fg_cli_page_text(
      p, "A device is a way to build and run what is emitted: verify, bench and tune take --device NAME. fftgen "
         "devices says which are here, and why one is not.");
  fg_cli_page_head(p, "Devices");
  for (const fg_device *const *d = fg_device_table(); *d; d++) {
    const fg_dialect *language = fg_dialect_find((*d)->dialect);
    const char *target = language && fg_dialect_is_offered(language) ? language->name : NULL;
    const char *more = target ? fg_arena_printf(cx->arena, "; --target %s", target) : "";
    fg_cli_page_row(p, (*d)->name, fg_arena_printf(cx->arena, "%s%s", (*d)->help, more));
  }
  if (is_long)
    fg_cli_page_text(p, "Emitting for a device wants none: emit writes sources for every target on every machine.");
  fg_cli_page_head(p, "Examples");
  fg_cli_page_code(p, "fftgen devices");
  fg_cli_page_code(p, "fftgen verify \"c2c f32 n=1024\" --device opencl");
  fg_cli_page_code(p, "fftgen bench \"c2c f32 n=1024\" --device cc --compiler clang");
}

static void add_machines(fg_cli_page *p, fg_arena *a, bool is_long) {
  fg_cli_page_head(p, "Machines, by --arch");
  for (const fg_machine *const *row = fg_machine_table(); *row; row++) {
    const fg_machine *m = *row;
    const char *also = is_long && *m->also ? fg_arena_printf(a, "; also called %s", m->also) : "";
    const char *targets = is_long ? fg_arena_printf(a, "; targets: %s", m->target) : "";
    fg_cli_page_row(p, m->name, fg_arena_printf(a, "%s%s%s", m->title, also, targets));
  }
}

static void add_isas(fg_cli_page *p, fg_arena *a, bool is_long) {
  fg_cli_page_head(p, "Instruction sets, by --isa");
  for (const fg_isa *isa = fg_isa_table(); isa->name; isa++) {
    const char *vectors =
        isa->vector_bytes ? fg_arena_printf(a, "vectors of %d bytes", isa->vector_bytes) : "no vectors";
    fg_cli_page_row(p, isa->name,
                    fg_arena_printf(a, "%s, %s%s%s", *isa->cpu ? isa->cpu : "any CPU", vectors,
                                    is_long && *isa->flags ? "; flags " : "", is_long ? isa->flags : ""));
  }
  fg_cli_page_row(p, "native", "the widest that this CPU has (the default)");
}

/* What plans are made for, here or not. */
static void write_machines(fg_context *cx, fg_cli_page *p, bool is_long) {
  fg_cli_page_text(
      p, "A machine is what plans are chosen for. It need not be here: emit and plan take any of them. fftgen devices "
         "--arch=NAME says what is known of one.");
  add_machines(p, cx->arena, is_long);
  add_isas(p, cx->arena, is_long);
  fg_cli_page_head(p, "Examples");
  fg_cli_page_code(p, "fftgen emit \"c2c f32 n=32768 batch=1000\" --arch sm_90");
  fg_cli_page_code(p, "fftgen emit \"c2c f32 n=1024\" --isa neon");
}

/* ---- the table ----------------------------------------------------------------------------- */

const fg_topic fg_cli_topics[] = {
    {"problem", "how a transform is written: kind, precision, length, keys", write_problem},
    {"plan", "how a way to compute it is written: steps and radices", write_plan},
    {"parameters", "what plans can be tuned by; help parameters NAME: in full", write_parameters},
    {"devices", "where programs are built and run", write_devices},
    {"machines", "what plans are made for: --arch, instruction sets", write_machines},
    {NULL, NULL, NULL},
};

fg_cli_page *fg_cli_topic_page(fg_context *cx, const fg_topic *topic, bool is_long) {
  fg_cli_page *p = fg_cli_page_create(cx);
  topic->write(cx, p, is_long);
  return p;
}

fg_status fg_cli_topic_print(fg_context *cx, const char *topic, const char *const *names) {
  if (*names) return print_parameters(cx, names);
  const fg_topic *t = fg_cli_topics;
  while (strcmp(t->name, topic)) t++;
  fputs(fg_cli_page_print(fg_cli_topic_page(cx, t, false)), stdout);
  return FG_OK;
}
