/* See topics.h. In: the tables that a topic is about. Out: its page. Names are read from the tables; a test checks that
 * all of them are on these pages. */
#include "generator/cli/topics.h"
#include "generator/base/strbuf.h"
#include "generator/base/text_match.h"
#include "generator/cli/run.h"
#include "generator/problem/operations.h"
#include "targets/device.h"
#include "targets/dialect.h"
#include <stdio.h>
#include <string.h>

/* ---- problem ------------------------------------------------------------------------ */

static const char *precision_at(int i) { return i < FG_PRECISION_COUNT ? fg_precision_name((fg_precision)i) : NULL; }
/* "kaiser(beta)" */
static const char *windows_text(fg_arena *a) {
  fg_strbuf s = fg_strbuf_new(a);
  for (const fg_window_row *w = fg_window_table(); w->name; w++) {
    bool has = w->parameter && *w->parameter;
    fg_strbuf_addf(&s, "%s%s%s%s%s", s.length ? ", " : "", w->name, has ? "(" : "", has ? w->parameter : "",
                   has ? ")" : "");
  }
  return s.text;
}

static void add_points(fg_cli_page *p, fg_arena *a) {
  const char *names = "";
  for (const fg_operation_row *r = fg_operation_table(); r->name; r++) {
    const char *side = r->sides == FG_SIDES_BOTH ? "" : r->sides == FG_SIDES_LOADS ? "load: " : "store: ";
    names = fg_arena_printf(a, "%s%s%s", names, *names ? ", " : "", r->name);
    if (!*r->help) continue;
    if (r->sides != FG_SIDES_NEITHER) fg_cli_page_row(p, names, fg_arena_printf(a, "%s%s", side, r->help));
    names = "";
  }
}

static void write_problem(fg_context *cx, fg_cli_page *p, bool is_long) {
  fg_arena *a = cx->arena;
  fg_cli_page_usage(p, "\"KIND PRECISION n=... [KEY=VALUE]...\", one argument, in quotes");
  fg_cli_page_head(p, "Kinds and precisions");
  fg_cli_page_row(p, "c2c, r2c, c2r", "complex; real to half of a spectrum; and back");
  fg_cli_page_row(p, "dct1, dct2, dct3, dct4", "cosine transforms, with FFTW's factors");
  fg_cli_page_row(p, "dst1, dst2, dst3, dst4", "sine transforms");
  fg_cli_page_row(p, "mdct, imdct", "lapped cosine transforms: 2n samples, n coefficients");
  fg_cli_page_row(p, "stft, istft", "of frames of a signal: n=FRAMES:HOP:OSxN");
  fg_cli_page_row(p, "conv, rconv", "there, times a spectrum, and back; of reals");
  fg_cli_page_row(p, fg_words_join(a, precision_at), "types of the numbers in memory");
  fg_cli_page_head(p, "Keys");
  fg_cli_page_row(p, "n=N[:IS:OS]", "the length, with strides; 64x64: two dimensions");
  fg_cli_page_row(p, "batch=N[:IS:OS]", "how many, with strides; N=name[1..100]: at run time");
  fg_cli_page_row(p, "sign=-1, +1", "sign of the exponent; also forward, backward");
  fg_cli_page_row(p, "place=out, in", "whether the output overwrites the input");
  fg_cli_page_row(p, "layout=LAYOUT", "interleaved, split; interleaved>split and back");
  fg_cli_page_row(p, "compute=PRECISION", "precision of arithmetic, tables and scratch");
  fg_cli_page_row(p, "scale=FACTOR", "1/n, 1/sqrt(n) or a number: factor of the result");
  fg_cli_page_row(p, "spectrum=, filter=", "conv: shared, channel, each; conj: its conjugates");
  fg_cli_page_row(p, "linear=, sum=", "conv: full, same, valid(L,M); sums: shared, channel");
  fg_cli_page_row(p, "load=A,B,...", "operations on each element while loading, in order");
  fg_cli_page_row(p, "store=A,B,...", "the same while storing:");
  add_points(p, a);
  fg_cli_page_row(p, "windows", windows_text(a));
  fg_cli_page_row(p, "expressions", "of the element: store=x*gain[k]+0.5, load=x-mean[b]");
  if (is_long)
    fg_cli_page_text(
        p, "An expression has + - * /, numbers, x, indices (k, k0 of store=; j, j0 of load=), b, n, pi, the caller's "
           "arrays (g[k], g[k1], g[b,k], g[c,k], g[b], or g, one number; names that end in _c: complex numbers) and "
           "sqrt log log10 exp abs min max re im conj complex. In quotes it may have blanks.");
  if (is_long)
    fg_cli_page_text(
        p, "Without sign= and scale=, forward and then backward gives n times the input. docs/problem.md has the "
           "definition of every kind.");
  fg_cli_page_head(p, "Examples");
  fg_cli_page_code(p, "\"r2c f32 n=256 load=u8,window(hann) store=mag2\"   bytes in, power spectrum out");
}

/* ---- plan ---------------------------------------------------------------------------- */

static void write_plan(fg_context *cx, fg_cli_page *p, bool is_long) {
  (void)cx;
  fg_cli_page_text(
      p, "A plan says how a problem is computed: a tree of steps, each with numbers, inner plans, and parameters "
         "behind a semicolon. fftgen plan PROBLEM lists candidates; --plan takes one. fftgen plan --help describes the "
         "subcommand.");
  fg_cli_page_head(p, "Steps");
  for (int s = 0; s < FG_STEP_COUNT; s++) fg_cli_page_row(p, fg_step_form((fg_step)s), fg_step_help((fg_step)s));
  if (is_long)
    fg_cli_page_text(
        p, "Parameters belong to the whole plan; some of them also to an inner plan: fftgen help parameters.");
  fg_cli_page_head(p, "Examples");
  fg_cli_page_code(p, "fftgen plan \"c2c f32 n=1024\"");
  fg_cli_page_code(p, "fftgen plan \"c2c f32 n=1024\" --plan \"stockham(16,8,8; lanes=8)\"");
  fg_cli_page_code(p, "fftgen emit \"c2c f32 n=1009\" --plan \"rader(1009, stockham(16,9,7))\"");
}

/* ---- parameters ------------------------------------------------------------------------ */

/* The help up to its first semicolon: what a parameter is about, without its values. */
static const char *summary(fg_arena *a, const char *help) {
  return fg_arena_printf(a, "%.*s", (int)strcspn(help, ";"), help);
}

/* Parameters that share a row of the short page, by how their help begins; options are the last group. */
static const struct {
  const char *begins, *title;
} groups[] = {{"GPU, clusters:", "with cluster"},   {"CUDA, clusters:", "with cluster"},
              {"CUDA, queue:", "with queue"},       {"CUDA, memory:", "for memory (CUDA)"},
              {"CPU, memory:", "for memory (CPU)"}, {NULL, "auto, on, off (CPU)"}};
enum { GROUPS = sizeof groups / sizeof *groups };

static const char *group_of(const fg_param_info *q) {
  if (q->is_option) return groups[GROUPS - 1].title;
  for (int g = 0; groups[g].begins; g++)
    if (!strncmp(q->help, groups[g].begins, strlen(groups[g].begins))) return groups[g].title;
  return NULL;
}

static const char *parameter_term(fg_arena *a, const fg_param_info *q) {
  if (!q->values) return fg_arena_printf(a, "%s=%lld..%lld", q->name, (long long)q->lo, (long long)q->hi);
  fg_strbuf s = fg_strbuf_new(a);
  for (int64_t v = q->lo; v <= q->hi; v++) {
    fg_strbuf_addf(&s, "%s%s", v > q->lo ? "|" : q->name, v > q->lo ? "" : "=");
    fg_param_value_print(&s, q, v);
  }
  return s.text;
}

static void add_parameter(fg_cli_page *p, fg_arena *a, const fg_param_info *q) {
  fg_strbuf s = fg_strbuf_new(a);
  fg_strbuf_addf(&s, "%s. Default: ", q->help);
  fg_param_value_print(&s, q, q->preset);
  fg_strbuf_addf(&s, ".%s%s", q->is_option ? " other = off where auto says on, and on where it says off." : "",
                 q->of_parts ? " Inner plans may have it, too." : "");
  fg_cli_page_row(p, parameter_term(a, q), s.text);
}

static void add_groups(fg_cli_page *p, fg_arena *a) {
  const fg_param_info *q = fg_param_table();
  for (int g = 0; g < GROUPS; g++) {
    if (g && !strcmp(groups[g].title, groups[g - 1].title)) continue;
    fg_strbuf names = fg_strbuf_new(a);
    for (int i = 0; i < FG_PARAM_COUNT; i++) {
      const char *group = group_of(&q[i]);
      if (group && !strcmp(group, groups[g].title)) fg_strbuf_addf(&names, "%s%s", names.length ? ", " : "", q[i].name);
    }
    fg_cli_page_row(p, groups[g].title, names.text);
  }
}

static void write_parameters(fg_context *cx, fg_cli_page *p, bool is_long) {
  const fg_param_info *q = fg_param_table();
  fg_cli_page_text(p, "Parameters follow the semicolon of a plan: \"stockham(16,8,8; lanes=8)\".");
  fg_cli_page_head(p, "Parameters");
  for (int i = 0; i < FG_PARAM_COUNT; i++) {
    if (is_long)
      add_parameter(p, cx->arena, &q[i]);
    else if (!group_of(&q[i]))
      fg_cli_page_row(p, q[i].name, summary(cx->arena, q[i].help));
  }
  if (is_long) return;
  add_groups(p, cx->arena);
  fg_cli_page_text(p, "The values, and more about each: fftgen help parameters NAME...");
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
      return fg_refuse(
          cx, "help parameters %s: unknown%s; allowed: %s", fg_words_quote(cx->arena, *names, strlen(*names)),
          fg_words_near(cx->arena, *names, strlen(*names), param_name), fg_words_join(cx->arena, param_name));
    add_parameter(p, cx->arena, &fg_param_table()[i]);
  }
  fputs(fg_cli_page_print(p), stdout);
  return FG_OK;
}

/* ---- devices, machines, instruction sets ------------------------------------------------------------------ */

static const char *languages_alone(fg_arena *a) {
  const char *names = "";
  for (const fg_dialect *const *d = fg_dialect_table(); *d; d++)
    if (fg_dialect_is_offered(*d) && !fg_cli_has_device((*d)->name))
      names = fg_arena_printf(a, "%s%s%s", names, *names ? ", " : "", (*d)->name);
  return names;
}

static void write_streams(fg_context *cx, fg_cli_page *p, bool is_long) {
  (void)cx;
  fg_cli_page_text(p, "A stream is a filter in C for samples as they come: rconv (real) or conv (complex), f32 or f64, "
                      "taps=N, and any of these keys. emit --stream writes it, tune --stream times its blocks.");
  fg_cli_page_head(p, "Keys");
  fg_cli_page_row(p, "taps=N", "samples of the filter");
  fg_cli_page_row(p, "latency=L", "a bound, in samples; without it: what is fastest");
  fg_cli_page_row(p, "block=B", "one kernel that makes B samples at a time; auto");
  fg_cli_page_row(p, "partition=BxP,...", "blocks of B samples for the first P B taps, and so on; auto");
  fg_cli_page_row(p, "channels=C", "signals that pass at the same time (1)");
  fg_cli_page_row(p, "filter=", "shared, or channel: one for each");
  fg_cli_page_row(p, "method=", "overlap-save, overlap-add");
  fg_cli_page_row(p, "frames=", "interleaved, or planar: an array for each channel");
  if (is_long) fg_cli_page_text(p, "docs/stream.md says how the functions are called, and how blocks are chosen.");
  fg_cli_page_head(p, "Examples");
  fg_cli_page_code(p, "fftgen emit --stream room=\"rconv f32 taps=96000 latency=64\" -o out/");
  fg_cli_page_code(p, "fftgen tune --stream \"rconv f32 taps=96000 latency=64\"");
}

static void write_devices(fg_context *cx, fg_cli_page *p, bool is_long) {
  fg_cli_page_text(
      p, "A device builds and runs what is emitted: verify, bench and tune take --device NAME. fftgen devices says "
         "which devices are here, and why one is not.");
  fg_cli_page_head(p, "Devices");
  for (const fg_device *const *d = fg_device_table(); *d; d++) {
    const fg_dialect *language = fg_dialect_find((*d)->dialect);
    const char *target = language && fg_dialect_is_offered(language) ? language->name : NULL;
    const char *more = target ? fg_arena_printf(cx->arena, "; --target %s", target) : "";
    fg_cli_page_row(p, (*d)->name, fg_arena_printf(cx->arena, "%s%s", (*d)->help, more));
  }
  if (is_long) fg_cli_page_text(p, "emit needs no device: it writes sources for every target on every machine.");
  const char *alone = languages_alone(cx->arena);
  if (*alone) fg_cli_page_text(p, fg_arena_printf(cx->arena, "Targets that no device of fftgen runs: %s.", alone));
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
    char list[FG_DIALECT_LIST];
    const char *targets = is_long ? fg_arena_printf(a, "; targets: %s", fg_dialect_list(m, list)) : "";
    fg_cli_page_row(p, m->name, fg_arena_printf(a, "%s%s%s", m->title, also, targets));
  }
}

static void write_isas(fg_context *cx, fg_cli_page *p, bool is_long) {
  fg_arena *a = cx->arena;
  fg_cli_page_text(
      p, "C is written for one instruction set, or for several in a bundle (emit --bundle) or a pack. It need not "
         "be that of the CPU here.");
  fg_cli_page_head(p, "Instruction sets, by --isa");
  for (const fg_isa *isa = fg_isa_table(); isa->name; isa++) {
    const char *vectors =
        isa->vector_bytes ? fg_arena_printf(a, "vectors of %d bytes", isa->vector_bytes) : "no vectors";
    fg_cli_page_row(p, isa->name,
                    fg_arena_printf(a, "%s, %s%s%s", *isa->cpu ? isa->cpu : "any CPU", vectors,
                                    is_long && *isa->flags ? "; flags " : "", is_long ? isa->flags : ""));
  }
  fg_cli_page_row(p, "native", "the widest that this CPU has (the default)");
  fg_cli_page_head(p, "Examples");
  fg_cli_page_code(p, "fftgen emit \"c2c f32 n=1024\" --isa neon");
  fg_cli_page_code(p, "fftgen pack \"c2c f32 n=1024\" --isa scalar,avx2,avx512 -o kernels");
}

static void write_machines(fg_context *cx, fg_cli_page *p, bool is_long) {
  fg_cli_page_text(
      p,
      "Plans are chosen for a machine, which need not be here. fftgen devices --arch=NAME lists the figures of one.");
  add_machines(p, cx->arena, is_long);
  fg_cli_page_head(p, "Examples");
  fg_cli_page_code(p, "fftgen emit \"c2c f32 n=32768 batch=1000\" --arch sm_90");
}

/* ---- the table ----------------------------------------------------------------------------- */

const fg_topic fg_cli_topics[] = {
    {"problem", "the text of a problem: kind, precision, length, keys", write_problem},
    {"plan", "the text of a plan: steps and radices", write_plan},
    {"parameters", "tuning parameters of plans; help parameters NAME: in full", write_parameters},
    {"streams", "filters for samples as they come: emit --stream", write_streams},
    {"devices", "where programs are built and run", write_devices},
    {"machines", "the machines that plans are chosen for: --arch", write_machines},
    {"isas", "the instruction sets of C: --isa", write_isas},
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
