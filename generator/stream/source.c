/* A stream's text. In: levels. Out: NAME.c and NAME.h. The kernels are a bundle of static functions, each proved as all
 * kernels are; behind them stands what keeps samples, and calls them in the order of schedule.c.
 *
 * A level's block k is complete at tick (k + 1) ticks and its result is wanted `wait` ticks later. Results are kept in
 * as many blocks as are computed or handed out at a time. */
#include "generator/base/strbuf.h"
#include "generator/base/template.h"
#include "generator/base/text_match.h"
#include "generator/stream/parts.h"
#include <stdlib.h>
#include <string.h>

typedef struct writer {
  fg_context *cx;
  const fg_stream_request *r;
  const fg_stream *s;
  const char *upper, *real;
  fg_stream_schedule schedule;
  fg_bundle kernels;
  fg_bundle_request bundle;
  int64_t z, bytes, longest, past, ring; /* numbers of a sample, so far; samples */
  fg_template_values *v;
} writer;

/* ---- kernels ------------------------------------------------------------------------------- */

static const char *kernel_name(const writer *w, const fg_stream_level *l, fg_stream_op op) {
  const char *what = op == FG_STREAM_FORWARD ? "forward" : op == FG_STREAM_BACKWARD ? "backward" : "convolve";
  return fg_arena_printf(w->cx->arena, "%s_%s_%lld", w->r->name, what, (long long)l->points);
}

static fg_status make_kernels(writer *w) {
  const char **problem = fg_arena_new(w->cx->arena, const char *, 2 * FG_STREAM_LEVELS);
  const char **function = fg_arena_new(w->cx->arena, const char *, 2 * FG_STREAM_LEVELS);
  w->bundle = (fg_bundle_request){.name = w->r->name,
                                  .problem = problem,
                                  .function = function,
                                  .nisa = w->r->nisa,
                                  .machine = w->r->machine,
                                  .work = true,
                                  .inside = true,
                                  .command = w->r->command};
  for (int i = 0; i < w->r->nisa; i++) w->bundle.isa[i] = w->r->isa[i];
  for (int i = 0; i < w->s->nlevel; i++) {
    const fg_stream_level *l = &w->s->level[i];
    const fg_stream_op ops[] = {l->fused ? FG_STREAM_FUSED : FG_STREAM_FORWARD, FG_STREAM_BACKWARD};
    for (int k = 0; k < (l->fused ? 1 : 2); k++) {
      problem[w->bundle.nproblem] = fg_stream_problem(w->cx, w->s, l, ops[k]);
      function[w->bundle.nproblem++] = kernel_name(w, l, ops[k]);
    }
  }
  return fg_bundle_create(w->cx, &w->bundle, &w->kernels);
}

/* "#define NAME_WORK_BYTES 1344" of the bundle's header. */
static int64_t work_bytes(const writer *w, const char *kernel) {
  const char *line = fg_arena_printf(w->cx->arena, "#define %s_WORK_BYTES ", fg_words_upper(w->cx->arena, kernel));
  const char *at = strstr(w->kernels.file[1].text, line);
  return at ? strtoll(at + strlen(line), NULL, 10) : 0;
}

/* ---- numbers ---------------------------------------------------------------------------------- */

static void number(fg_template_values *v, const char *name, int64_t value) {
  fg_template_setf(v, name, "%lld", (long long)value);
}

/* An array of so many numbers, in whole cache lines; `times` of them in all. */
static int64_t array(writer *w, fg_template_values *v, const char *name, int64_t numbers, int64_t times) {
  int64_t padded = fg_stream_padded(w->s, numbers);
  number(v, name, padded);
  w->bytes += padded * times * fg_precision_bytes(w->s->precision);
  return padded;
}

static void flag(fg_template_values *v, const char *name, bool value) { fg_template_set(v, name, value ? "1" : ""); }

/* Blocks of results: those that are computed, wait, and are handed out at a time. */
static int64_t results_of(const fg_stream_level *l) { return (l->wait + l->ticks - 1) / l->ticks + 1; }

/* So that block 0's results are read first when they are wanted. */
static int64_t first_read(const fg_stream_level *l) {
  int64_t count = results_of(l), steps = l->wait / l->ticks + (l->wait % l->ticks ? 2 : 1);
  return (count - steps % count) % count;
}

static int64_t filters_of(const writer *w) { return w->s->own_filters ? w->s->channels : 1; }

static void set_times(const fg_stream_level *l, fg_template_values *row) {
  int64_t results = results_of(l), phase = l->wait % l->ticks;
  number(row, "ticks", l->ticks);
  number(row, "results", results);
  number(row, "wanted", phase);
  number(row, "back_ticks", (l->ticks - phase) % l->ticks);
  number(row, "slot_first", l->parts - 1);
  number(row, "write_first", results - 1);
  number(row, "read_first", first_read(l));
}

static void set_kernels(const writer *w, const fg_stream_level *l, fg_template_values *row) {
  const fg_stream *s = w->s;
  fg_template_set(row, "forward", kernel_name(w, l, FG_STREAM_FORWARD));
  fg_template_set(row, "backward", kernel_name(w, l, FG_STREAM_BACKWARD));
  fg_template_set(row, "both", kernel_name(w, l, FG_STREAM_FUSED));
  int64_t bins = fg_stream_bins(s, l);
  fg_template_setf(row, "forward_out", "spectrum, spectrum + %lld", (long long)bins);
  for (int i = 0; i < s->nlevel; i++)
    if (l == &s->level[i]) fg_template_setf(row, "backward_in", "c->sum_%d, c->sum_%d + %lld", i, i, (long long)bins);
}

/* Sizes and offsets of a level's arrays, in numbers. */
static void set_arrays(writer *w, const fg_stream_level *l, fg_template_values *row) {
  const fg_stream *s = w->s;
  int64_t bins = fg_stream_bins(s, l), z = w->z, channels = s->channels, over = (l->points - l->block) * z;
  int64_t spectrum = l->fused ? fg_stream_padded(s, s->is_complex ? 2 * l->points : l->points + 2) : 2 * bins;
  if (s->block) over = (s->taps - 1) * z;
  number(row, "bins", bins);
  number(row, "spectrum_stride", 2 * bins);
  if (!l->fused) array(w, row, "spectra_numbers", l->parts * 2 * bins, channels);
  if (!l->fused) array(w, row, "sum_numbers", 2 * bins, channels);
  int64_t stride = fg_stream_padded(s, l->block * z);
  number(row, "result_stride", stride);
  array(w, row, "result_numbers", results_of(l) * stride, channels);
  if (s->overlap_add && over) array(w, row, "tail_numbers", over, channels);
  number(row, "over_numbers", over);
  number(row, "filter_stride", l->parts * spectrum);
  array(w, row, "filter_numbers", filters_of(w) * l->parts * spectrum, 1);
  fg_template_set(row, "own",
                  s->own_filters ? fg_arena_printf(w->cx->arena, " + task->channel * (size_t)%lld",
                                                   (long long)(l->parts * spectrum))
                                 : "");
  number(row, "window_from", (w->past - (s->overlap_add ? l->block : l->points)) * z);
  number(row, "piece_numbers", (l->fused ? l->taps : s->overlap_add ? l->block : l->points) * z);
  number(row, "first_numbers", l->first * z);
  number(row, "block_numbers", l->block * z);
  flag(row, "tail", s->overlap_add && over);
  flag(row, "save", !s->overlap_add || !over);
}

/* ---- the order of work --------------------------------------------------------------------------- */

static void set_tasks(writer *w, int level, fg_template_values *row) {
  static const char *const names[] = {"TRANSFORM", "SUM", "BACK", "BOTH"};
  const fg_stream_task *task = w->schedule.task[level];
  int count = w->schedule.ntask[level], at = 0;
  fg_strbuf firsts = fg_strbuf_new(w->cx->arena);
  for (int64_t phase = 0; phase <= w->s->level[level].ticks; phase++) {
    while (at < count && task[at].phase < phase) at++;
    const char *before = !phase ? "" : phase % 20 ? ", " : ",\n    ";
    fg_strbuf_addf(&firsts, "%s%d", before, at);
  }
  fg_template_set(row, "firsts", firsts.text);
  for (int i = 0; i < count; i++) {
    fg_template_values *t = fg_template_add_row(row, "task");
    fg_template_setf(t, "op", "%s_%s", w->upper, names[task[i].op]);
    number(t, "channel", task[i].channel);
    number(t, "phase", task[i].phase);
    number(t, "from", task[i].from);
    number(t, "count", task[i].count);
    number(t, "part", task[i].part);
    number(t, "parts", task[i].parts);
  }
}

static void add_level(writer *w, int i) {
  const fg_stream_level *l = &w->s->level[i];
  fg_template_values *row = fg_template_add_row(w->v, "level");
  number(row, "k", i);
  number(row, "block", l->block);
  number(row, "points", l->points);
  number(row, "parts", l->parts);
  number(row, "first", l->first);
  flag(row, "spectral", !l->fused);
  flag(row, "fused", l->fused);
  fg_template_setf(row, "parts_text", l->parts == 1 ? "forward and back in one kernel" : "%lld pieces",
                   (long long)l->parts);
  set_times(l, row);
  set_kernels(w, l, row);
  set_arrays(w, l, row);
  set_tasks(w, i, row);
}

/* ---- instruction sets ------------------------------------------------------------------------------ */

static void add_isas(writer *w) {
  bool dispatch = w->r->nisa > 1;
  for (int l = 0; l < w->r->nisa; l++) {
    const fg_isa *isa = w->r->isa[l];
    const char *name = fg_words_upper(w->cx->arena, isa->name), *guard = "";
    bool apart = !strcmp(isa->cpu, "aarch64");
    if (l && apart) guard = fg_arena_printf(w->cx->arena, "%s_HAS_%s", w->upper, name);
    if (l && !apart) guard = fg_arena_printf(w->cx->arena, "%s_WIDEST >= %d", w->upper, l + 1);
    fg_template_values *row = fg_template_add_row(w->v, "isa");
    fg_template_set(row, "name", isa->name);
    fg_template_set(row, "guard", guard);
    fg_template_set(row, "attribute", isa->vector_bytes ? fg_arena_printf(w->cx->arena, "%s_%s ", w->upper, name) : "");
  }
  for (int l = w->r->nisa - 1; l > 0; l--) {
    const fg_isa *isa = w->r->isa[l];
    bool apart = !strcmp(isa->cpu, "aarch64");
    fg_template_values *row = fg_template_add_row(w->v, "wider");
    fg_template_set(row, "name", isa->name);
    fg_template_setf(row, "number", "%d", l + 1);
    fg_template_setf(row, "guard", apart ? "%s_HAS_%s" : "%s_WIDEST >= %s", w->upper,
                     apart ? fg_words_upper(w->cx->arena, isa->name) : fg_arena_printf(w->cx->arena, "%d", l + 1));
  }
  fg_template_set(w->v, "narrow", w->r->isa[0]->name);
  flag(w->v, "dispatch", dispatch);
}

/* ---- the whole ------------------------------------------------------------------------------------------ */

/* How push finds samples: frames of all channels, or an array for each. */
static void set_frames(writer *w) {
  fg_template_values *v = w->v;
  bool planar = w->s->planar;
  long long z = (long long)w->z, channels = w->s->channels, step = planar ? z : z * channels;
  const char *to = planar ? "[c] + " : " + ", *own = planar ? "" : " + c";
  if (!planar && z == 2) own = " + 2 * c";
  fg_template_setf(v, "push_in", planar ? "const %s *const *in" : "const %s *in", w->real);
  fg_template_setf(v, "push_out", planar ? "%s *const *out" : "%s *out", w->real);
  fg_template_setf(v, "in_at", "in%sdone * %lld%s", to, step, own);
  fg_template_setf(v, "out_at", "out%sdone * %lld%s", to, step, own);
  fg_template_setf(v, "out_last", "out%s(done + old) * %lld%s", to, step, own);
  number(v, "stride", planar ? 1 : channels);
  const char *what = w->s->is_complex ? "complex numbers, re, im, ..." : "numbers";
  if (planar)
    fg_template_setf(v, "push_about", "n samples of each channel: in and out are arrays of %lld pointers, each to n %s",
                     channels, what);
  else
    fg_template_setf(v, "push_about", "n samples%s: in and out are n * %lld %s",
                     channels > 1 ? " of each channel, a frame of all after another" : "", channels, what);
}

static const char *ready_sum(const writer *w) {
  fg_strbuf s = fg_strbuf_new(w->cx->arena);
  for (int i = 0; i < w->s->nlevel; i++) fg_strbuf_addf(&s, "%sr%d[i]", i ? " + " : "", i);
  return s.text;
}

static void set_samples(writer *w) {
  const fg_stream *s = w->s;
  const fg_stream_level *last = &s->level[s->nlevel - 1];
  fg_template_values *v = w->v;
  for (int i = 0; i < s->nlevel; i++)
    if (s->level[i].points > w->longest) w->longest = s->level[i].points;
  w->past = fg_stream_padded(s, w->longest);
  int64_t least =
      w->longest + last->block > w->past ? w->longest + last->block : w->past; /* its end moves in one copy */
  w->ring = (least + last->block - 1) / last->block * last->block;
  number(v, "past", w->past);
  number(v, "ring", w->ring);
  number(v, "past_only", w->past * w->z);
  number(v, "ring_numbers", w->ring * w->z);
  number(v, "period", last->ticks);
  number(v, "levels", s->nlevel);
  number(v, "block", s->level[0].block);
  number(v, "tick_numbers", s->level[0].block * w->z);
  array(w, v, "past_numbers", (w->past + w->ring) * w->z, s->channels);
  array(w, v, "ready_numbers", s->level[0].block * w->z, s->channels);
  array(w, v, "window_numbers", w->longest * w->z, 1);
  /* counters, at most 8 bytes each */
  array(w, v, "now_numbers", 8 * (3 + 4 * s->nlevel) / fg_precision_bytes(s->precision), 1);
}

static void set_head(writer *w) {
  int64_t stride = fg_stream_padded(w->s, w->s->head * w->z);
  flag(w->v, "head", w->s->head);
  flag(w->v, "no_head", !w->s->head);
  if (!w->s->head) return;
  number(w->v, "head", w->s->head);
  number(w->v, "head_count", w->s->head * w->z);
  number(w->v, "head_stride", stride);
  fg_template_set(w->v, "head_own", "");
  if (w->s->own_filters) fg_template_setf(w->v, "head_own", " + c * (size_t)%lld", (long long)stride);
  array(w, w->v, "head_numbers", filters_of(w) * stride, 1);
}

static void add_work(writer *w) {
  for (int p = 0; p < w->bundle.nproblem; p++) {
    bool filtered = strstr(w->bundle.problem[p], "filter=") != NULL;
    for (int prepare = 0; prepare <= filtered; prepare++) {
      const char *kernel = fg_arena_printf(w->cx->arena, "%s%s", w->bundle.function[p], prepare ? "_prepare" : "");
      fg_template_values *row = fg_template_add_row(w->v, "work");
      fg_template_set(row, "kernel", kernel);
      array(w, row, "numbers", (work_bytes(w, kernel) + 64) / fg_precision_bytes(w->s->precision), 1);
    }
  }
}

static void set_values(writer *w) {
  const fg_stream *s = w->s;
  fg_template_values *v = w->v;
  bool sums = false;
  for (int i = 0; i < s->nlevel; i++) sums = sums || !s->level[i].fused;
  fg_template_set(v, "name", w->r->name);
  fg_template_set(v, "upper", w->upper);
  fg_template_set(v, "real", w->real);
  fg_template_set(v, "stream", fg_stream_print(w->cx, s));
  number(v, "z", w->z);
  number(v, "taps", s->taps);
  number(v, "tap_numbers", s->taps * w->z);
  number(v, "channels", s->channels);
  number(v, "filters", filters_of(w));
  number(v, "latency", fg_stream_latency(s));
  flag(v, "sums", sums);
  flag(v, "tails", s->overlap_add);
  flag(v, "is_complex", s->is_complex);
  flag(v, "is_real", !s->is_complex);
  fg_template_set(v, "ready_sum", ready_sum(w));
  set_samples(w);
  set_head(w);
  for (int i = 0; i < s->nlevel; i++) add_level(w, i);
  add_isas(w);
  add_work(w);
  set_frames(w);
}

static void fact(const writer *w, const char *text) {
  fg_template_set(fg_template_add_row(w->v, "fact"), "text", text);
}

static void add_facts(const writer *w) {
  const fg_stream *s = w->s;
  fg_arena *a = w->cx->arena;
  fg_template_list(w->v, "fact");
  if (w->r->command) fact(w, fg_arena_printf(a, "Made by: %s", w->r->command));
  if (s->head) fact(w, fg_arena_printf(a, "taps 0 .. %lld: directly", (long long)s->head - 1));
  int64_t ahead = 0;
  for (int i = 0; i < s->nlevel; i++) {
    const fg_stream_level *l = &s->level[i];
    int64_t late = (l->wait + l->ticks) * s->level[0].block, end = l->first + l->parts * l->block;
    if (late > ahead) ahead = late;
    fact(w, fg_arena_printf(a, "taps %lld .. %lld: blocks of %lld, transforms of %lld points%s", (long long)l->first,
                            (long long)(end < s->taps ? end : s->taps) - 1, (long long)l->block, (long long)l->points,
                            l->fused ? ", forward and back in one kernel" : ""));
  }
  fact(w, "The kernels are proved; what is around them is tested against the sum that defines a filter.");
  number(w->v, "ahead", ahead);
  number(w->v, "bytes", w->bytes + 64);
  fg_template_set(w->v, "each_filter", s->own_filters ? ", of each channel" : "");
  const char *what = s->is_complex ? "complex numbers, re, im, ..." : "numbers";
  fg_template_setf(w->v, "taps_about", "taps: %lld %s%s.", (long long)s->taps, what,
                   s->own_filters ? " for each channel, one channel behind another" : ", for all channels");
}

/* The kernels' header and source, then what is around them. */
static fg_status join(const writer *w, fg_file out[2]) {
  fg_strbuf source = fg_strbuf_new(w->cx->arena);
  fg_strbuf header = fg_strbuf_new(w->cx->arena);
  const char *guard = fg_arena_printf(w->cx->arena, "%s_H\n", w->upper);
  for (const char *at = w->kernels.file[1].text, *next; *at; at = next) { /* its guard is that of the stream's header */
    next = at + strcspn(at, "\n") + 1;
    const char *found = strstr(at, guard);
    bool own = found && found < next && *at == '#';
    if (own) fg_strbuf_addn(&source, at, (size_t)(found - at)), fg_strbuf_addf(&source, "%s_KERNELS_H\n", w->upper);
    if (!own) fg_strbuf_addn(&source, at, (size_t)(next - at));
  }
  fg_strbuf_add(&source, "\n");
  fg_strbuf_add(&source, w->kernels.file[0].text);
  fg_status status = fg_template_expand(w->cx, "stream_source.tmpl", w->v, &source);
  if (status == FG_OK) status = fg_template_expand(w->cx, "stream_header.tmpl", w->v, &header);
  while (source.length > 1 && source.text[source.length - 2] == '\n') fg_strbuf_cut(&source, source.length - 1);
  out[0] = (fg_file){fg_arena_printf(w->cx->arena, "%s.c", w->r->name), source.text, source.length};
  out[1] = (fg_file){fg_arena_printf(w->cx->arena, "%s.h", w->r->name), header.text, header.length};
  return status;
}

fg_status fg_stream_create(fg_context *cx, const fg_stream_request *r, fg_file out[2]) {
  writer *w = fg_arena_new(cx->arena, writer, 1);
  fg_stream_costs costs;
  *w = (writer){.cx = cx,
                .r = r,
                .s = &r->stream,
                .upper = fg_words_upper(cx->arena, r->name),
                .real = r->stream.precision == FG_F64 ? "double" : "float",
                .z = r->stream.is_complex ? 2 : 1,
                .v = fg_template_create(cx)};
  static const char *const lists[] = {"level", "isa", "wider", "work"};
  for (int i = 0; i < 4; i++) fg_template_list(w->v, lists[i]);
  fg_status status = fg_stream_costs_of(cx, r, w->s, &costs);
  if (status == FG_OK) status = fg_stream_plan_work(cx, w->s, &costs, &w->schedule);
  if (status == FG_OK) status = make_kernels(w);
  if (status != FG_OK) return status;
  set_values(w);
  add_facts(w);
  return join(w, out);
}
