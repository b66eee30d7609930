/* A stream's text. In: "rconv f32 taps=4097 latency=64 channels=2". Out: what it says; printed, the same line with all
 * that was chosen.
 *
 * Levels are blocks of the filter: those of one length and their transforms (Gardner 1995, "Efficient convolution
 * without input-output delay"). */
#include "generator/base/strbuf.h"
#include "generator/base/text_match.h"
#include "generator/stream/parts.h"
#include "targets/ascii.h"
#include <string.h>

enum { FG_STREAM_TAPS = 1 << 22, FG_STREAM_BLOCK = 1 << 20 };

typedef struct reader {
  fg_context *cx;
  const char *text, *key, *at, *end; /* the line; key and rest of the word at hand */
  fg_stream *s;
  unsigned seen; /* keys, by row */
} reader;

static fg_status fail(reader *r, const char *at, const char *what, const char *allowed) {
  return fg_refuse(r->cx, "stream, column %d: %s%s%s; allowed: %s", (int)(at - r->text) + 1, r->key ? r->key : "",
                   r->key ? ": " : "", what, allowed);
}

static const char *quoted(const reader *r) { return fg_words_quote(r->cx->arena, r->at, (size_t)(r->end - r->at)); }

/* Digits that a number in lo..hi ends. */
static fg_status read_number(reader *r, int64_t lo, int64_t hi, int64_t *out) {
  int64_t value = 0;
  const char *at = r->at;
  while (at < r->end && fg_is_digit(*at) && value <= hi) value = 10 * value + (*at++ - '0');
  if (at == r->at || value < lo || value > hi)
    return fail(r, r->at, fg_arena_printf(r->cx->arena, "%s", quoted(r)),
                fg_arena_printf(r->cx->arena, "%lld .. %lld", (long long)lo, (long long)hi));
  r->at = at;
  *out = value;
  return FG_OK;
}

static fg_status whole_number(reader *r, int64_t lo, int64_t hi, int64_t *out) {
  const char *word = r->at;
  fg_status status = read_number(r, lo, hi, out);
  if (status != FG_OK || r->at == r->end) return status;
  r->at = word;
  return fail(r, word, quoted(r), fg_arena_printf(r->cx->arena, "%lld .. %lld", (long long)lo, (long long)hi));
}

static bool is_word(const reader *r, const char *word) {
  return (size_t)(r->end - r->at) == strlen(word) && !memcmp(r->at, word, strlen(word));
}

/* One of two words; true: the second. */
static fg_status either(reader *r, const char *no, const char *yes, bool *out) {
  *out = is_word(r, yes);
  if (*out || is_word(r, no)) return FG_OK;
  return fail(r, r->at, quoted(r), fg_arena_printf(r->cx->arena, "%s, %s", no, yes));
}

/* ---- keys ------------------------------------------------------------------------------- */

static fg_status read_taps(reader *r) { return whole_number(r, 1, FG_STREAM_TAPS, &r->s->taps); }
static fg_status read_latency(reader *r) { return whole_number(r, 0, FG_STREAM_BLOCK - 1, &r->s->latency); }
static fg_status read_method(reader *r) { return either(r, "overlap-save", "overlap-add", &r->s->overlap_add); }
static fg_status read_filter(reader *r) { return either(r, "shared", "channel", &r->s->own_filters); }
static fg_status read_frames(reader *r) { return either(r, "interleaved", "planar", &r->s->planar); }

static fg_status read_block(reader *r) {
  return is_word(r, "auto") ? FG_OK : whole_number(r, 1, FG_STREAM_BLOCK, &r->s->block);
}

static fg_status read_channels(reader *r) {
  int64_t channels = 0;
  fg_status status = whole_number(r, 1, FG_STREAM_CHANNELS, &channels);
  r->s->channels = (int)channels;
  return status;
}

/* "64x14,512x14,4096": the last count may be left out. */
static fg_status read_partition(reader *r) {
  static const char allowed[] = "auto, or BLOCKxPARTS,BLOCKxPARTS,... such as 64x14,512x14,4096";
  if (is_word(r, "auto")) return FG_OK;
  for (;;) {
    fg_stream_level *l = &r->s->level[r->s->nlevel];
    if (r->s->nlevel == FG_STREAM_LEVELS) return fail(r, r->at, "more than 12 lengths of blocks", allowed);
    if (r->at == r->end || !fg_is_digit(*r->at)) return fail(r, r->at, "no length of a block", allowed);
    fg_status status = read_number(r, 2, FG_STREAM_BLOCK, &l->block);
    if (status == FG_OK && r->at < r->end && *r->at == 'x')
      r->at++, status = read_number(r, 1, FG_STREAM_TAPS, &l->parts);
    if (status != FG_OK) return status;
    r->s->nlevel++;
    if (r->at == r->end) return FG_OK;
    if (*r->at++ != ',') return fail(r, r->at - 1, "no ',' between blocks", allowed);
  }
}

static const struct {
  const char *name;
  fg_status (*read)(reader *r);
} keys[] = {{"taps", read_taps},           {"block", read_block},       {"latency", read_latency},
            {"partition", read_partition}, {"channels", read_channels}, {"filter", read_filter},
            {"method", read_method},       {"frames", read_frames}};

static const char *key_at(int i) { return i < (int)(sizeof keys / sizeof *keys) ? keys[i].name : NULL; }

static fg_status read_key(reader *r) {
  const char *word = r->at, *equals = memchr(word, '=', (size_t)(r->end - word));
  size_t length = (size_t)((equals ? equals : r->end) - word);
  int found = fg_words_find(word, length, key_at);
  if (found < 0 || !equals)
    return fail(r, word,
                fg_arena_printf(r->cx->arena, "%s%s", quoted(r), fg_words_near(r->cx->arena, word, length, key_at)),
                fg_arena_printf(r->cx->arena, "KEY=VALUE with %s", fg_words_join(r->cx->arena, key_at)));
  r->key = keys[found].name;
  if (r->seen >> found & 1) return fail(r, word, "given twice", "once");
  r->seen |= 1u << found;
  r->at = equals + 1;
  return keys[found].read(r);
}

/* ---- the line ------------------------------------------------------------------------------ */

static fg_status read_kind(reader *r) {
  r->s->is_complex = is_word(r, "conv");
  return r->s->is_complex || is_word(r, "rconv") ? FG_OK
                                                 : fail(r, r->at, quoted(r), "rconv (real samples), conv (complex)");
}

static fg_status read_precision(reader *r) {
  r->s->precision = is_word(r, "f64") ? FG_F64 : FG_F32;
  return is_word(r, "f32") || is_word(r, "f64") ? FG_OK : fail(r, r->at, quoted(r), "f32, f64");
}

static fg_status check(reader *r) {
  const fg_stream *s = r->s;
  const char *why = NULL;
  fg_stream copy = *s;
  r->key = NULL;
  if (!s->taps) return fail(r, r->end, "no taps=", "taps=NUMBER, samples of the filter");
  if (s->block && s->latency >= 0 && s->block - 1 > s->latency)
    return fail(r, r->text, "block= and latency= disagree: blocks of B samples are B - 1 late", "one of them");
  if (s->block && s->nlevel) return fail(r, r->text, "block= and partition=", "one of them");
  if (!s->nlevel && !s->block) return FG_OK;
  return fg_stream_lay_out(r->cx, &copy, &why) ? FG_OK : fg_refuse(r->cx, "stream: %s", why);
}

fg_status fg_stream_parse(fg_context *cx, const char *text, fg_stream *out) {
  fg_stream s = {.channels = 1, .latency = -1};
  reader r = {.cx = cx, .text = text, .at = text, .end = text, .s = &s};
  fg_status status = FG_OK;
  for (int word = 0; status == FG_OK; word++) {
    r.key = NULL;
    r.at = r.end + strspn(r.end, " ");
    r.end = r.at + strcspn(r.at, " ");
    if (r.at == r.end && word > 1) break;
    status = word == 0 ? read_kind(&r) : word == 1 ? read_precision(&r) : read_key(&r);
  }
  if (status == FG_OK) status = check(&r);
  if (status == FG_OK) *out = s;
  return status;
}

const char *fg_stream_print(fg_context *cx, const fg_stream *s) {
  fg_strbuf t = fg_strbuf_new(cx->arena);
  fg_strbuf_addf(&t, "%s %s taps=%lld", s->is_complex ? "conv" : "rconv", fg_precision_name(s->precision),
                 (long long)s->taps);
  if (s->block) fg_strbuf_addf(&t, " block=%lld", (long long)s->block);
  if (s->latency >= 0) fg_strbuf_addf(&t, " latency=%lld", (long long)s->latency);
  for (int i = 0; i < s->nlevel && !s->block; i++)
    fg_strbuf_addf(&t, "%s%lldx%lld", i ? "," : " partition=", (long long)s->level[i].block,
                   (long long)s->level[i].parts);
  if (s->channels > 1) fg_strbuf_addf(&t, " channels=%d", s->channels);
  if (s->own_filters) fg_strbuf_add(&t, " filter=channel");
  if (s->overlap_add) fg_strbuf_add(&t, " method=overlap-add");
  if (s->planar) fg_strbuf_add(&t, " frames=planar");
  return t.text;
}

int64_t fg_stream_latency(const fg_stream *s) { return s->head ? 0 : s->level[0].block - 1; }

/* ---- levels ---------------------------------------------------------------------------------- */

/* The least n from `least` on that is 1, 3 or 5 times a power of two, and even. */
static int64_t good_length(int64_t least) {
  int64_t best = INT64_MAX;
  for (int odd = 1; odd <= 5; odd += 2) {
    int64_t n = 2 * odd;
    while (n < least) n *= 2;
    if (n < best) best = n;
  }
  return best;
}

int64_t fg_stream_padded(const fg_stream *s, int64_t numbers) {
  int64_t line = 64 / fg_precision_bytes(s->precision);
  return (numbers + line - 1) / line * line;
}

int64_t fg_stream_bins(const fg_stream *s, const fg_stream_level *l) {
  return fg_stream_padded(s, s->is_complex ? l->points : l->points / 2 + 1);
}

/* When a level's blocks are complete, and when their results are wanted. */
static bool lay_out_time(fg_context *cx, const fg_stream *s, fg_stream_level *l, const char **why) {
  int64_t tick = s->level[0].block, late = s->head ? 0 : 1;
  l->ticks = l->block / tick;
  l->wait = l->first / tick - l->ticks + late;
  l->window = l->wait + 1 < l->ticks ? l->wait + 1 : l->ticks;
  if (l->wait >= 0) return true;
  *why =
      fg_arena_printf(cx->arena, "partition: blocks of %lld from tap %lld on come too late; allowed: from tap %lld on",
                      (long long)l->block, (long long)l->first, (long long)((l->ticks - late) * tick));
  return false;
}

static bool lay_out_level(fg_context *cx, fg_stream *s, int i, int64_t first, const char **why) {
  fg_stream_level *l = &s->level[i];
  int64_t left = s->taps - first, most = (left + l->block - 1) / l->block, before = i ? l[-1].block : 0;
  bool last = i == s->nlevel - 1;
  if (last && !l->parts) l->parts = most;
  if (before && (l->block % before || l->block == before))
    *why = fg_arena_printf(cx->arena, "partition: %lld behind %lld; allowed: multiples of the block before",
                           (long long)l->block, (long long)before);
  else if (left <= 0 || l->parts > most || (last && l->parts < most) || !l->parts)
    *why = fg_arena_printf(cx->arena, "partition: %lldx%lld at tap %lld of %lld; allowed there: %sx%lld",
                           (long long)l->block, (long long)l->parts, (long long)first, (long long)s->taps,
                           last ? "" : "at most ", (long long)(most > 0 ? most : 0));
  if (*why) return false;
  l->first = first;
  l->fused = l->parts == 1;
  l->taps = left < l->block ? left : l->block;
  l->points = 2 * l->block;
  return lay_out_time(cx, s, l, why);
}

bool fg_stream_lay_out(fg_context *cx, fg_stream *s, const char **why) {
  *why = NULL;
  s->head = 0;
  if (s->block) {
    s->nlevel = 1;
    s->level[0] = (fg_stream_level){.block = s->block,
                                    .parts = 1,
                                    .taps = s->taps,
                                    .points = good_length(s->block + s->taps - 1),
                                    .fused = true,
                                    .ticks = 1,
                                    .window = 1};
    return true;
  }
  if (s->latency >= 0 && s->latency < s->level[0].block - 1) s->head = s->level[0].block;
  int64_t first = s->head;
  for (int i = 0; i < s->nlevel; i++) {
    if (!lay_out_level(cx, s, i, first, why)) return false;
    first += s->level[i].block * s->level[i].parts;
  }
  return true;
}

/* ---- kernels ----------------------------------------------------------------------------------- */

static const char *fused_problem(fg_context *cx, const fg_stream *s, const fg_stream_level *l) {
  const char *kind = s->is_complex ? "conv" : "rconv", *type = fg_precision_name(s->precision);
  const char *head = fg_arena_printf(cx->arena, "%s %s n=%lld filter=shared(%lld) scale=1/n", kind, type,
                                     (long long)l->points, (long long)l->taps);
  if (s->overlap_add) return fg_arena_printf(cx->arena, "%s load=zeropad(%lld)", head, (long long)l->block);
  return fg_arena_printf(cx->arena, "%s store=crop(%lld:%lld)", head, (long long)(l->points - l->block),
                         (long long)l->block);
}

const char *fg_stream_problem(fg_context *cx, const fg_stream *s, const fg_stream_level *l, fg_stream_op op) {
  const char *type = fg_precision_name(s->precision), *edge = "";
  bool back = op == FG_STREAM_BACKWARD;
  if (op == FG_STREAM_FUSED) return fused_problem(cx, s, l);
  if (back && !s->overlap_add)
    edge = fg_arena_printf(cx->arena, " store=crop(%lld:%lld)", (long long)(l->points - l->block), (long long)l->block);
  if (!back && s->overlap_add) edge = fg_arena_printf(cx->arena, " load=zeropad(%lld)", (long long)l->block);
  const char *form = !s->is_complex ? "layout=split"
                     : back         ? "sign=+1 layout=split>interleaved"
                                    : "layout=interleaved>split";
  return fg_arena_printf(cx->arena, "%s %s n=%lld %s%s",
                         s->is_complex ? "c2c"
                         : back        ? "c2r"
                                       : "r2c",
                         type, (long long)l->points, form, edge);
}
