/* See testbed.h. The arrays of each side are in one block of words, which are poison where there is no element. */
#include "tuning/measure/testbed.h"
#include "targets/number.h"
#include "targets/pages.h"
#include "tuning/measure/arrays.h"
#include "tuning/measure/sweeps.h"
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { DEVICE_GUARD = 4096, MOST_PARAMS = 8 };

typedef struct block { /* the arrays of a side */
  void *base;
  int64_t words; /* of 8 bytes, all of it */
  size_t bytes;  /* of an array */
  void *slot[2];
  void *shape, *values[2]; /* on the device: fg_side's dim; inputs, or truths */
} block;

struct fg_testbed {
  const fg_device *d;
  const fg_drawn *drawn;
  bool resident;  /* the device keeps all of it */
  block in, out;  /* in place: the same arrays */
  block spectrum; /* of convolutions */
  void *scale, *sums, *poison;
  double *host_scale; /* [distinct][3] */
  uint64_t pattern, checksum;
  fg_module *sweep[FG_SWEEP_COUNT];
  enum { HOLDS_NOTHING, HOLDS_INPUT, HOLDS_ZEROS } holds; /* the input's arrays */
};

/* ---- memory -------------------------------------------------------------------------- */

static int take(fg_testbed *b, size_t bytes, void **out, char why[FG_WHY_SIZE]) {
  if (b->resident) return b->d->memory->take(bytes, out, why);
  *out = fg_pages_allocate(bytes, 64);
  return *out ? 0 : (snprintf(why, FG_WHY_SIZE, "no memory for arrays of %zu bytes", bytes), 1);
}

static void give(fg_testbed *b, void *memory) {
  if (!b->resident)
    free(memory);
  else if (memory)
    b->d->memory->release(memory);
}

static int put(fg_testbed *b, void *to, const void *from, size_t bytes, char why[FG_WHY_SIZE]) {
  if (b->resident) return b->d->memory->put(to, from, bytes, why);
  memcpy(to, from, bytes);
  return 0;
}

static int copy_of(fg_testbed *b, void **out, const void *from, size_t bytes, char why[FG_WHY_SIZE]) {
  return take(b, bytes, out, why) || put(b, *out, from, bytes, why);
}

/* ---- sweeps --------------------------------------------------------------------------- */

static int run_sweep(fg_testbed *b, fg_sweep which, void *const *slot, const int64_t *param, char why[FG_WHY_SIZE]) {
  fg_call call = {.slot = slot, .params = param, .resident = true};
  if (b->resident) return b->d->run(b->sweep[which], &call, why);
  fg_sweep_table[which].run(slot, param);
  return 0;
}

static int fill(fg_testbed *b, const block *k, uint64_t pattern, char why[FG_WHY_SIZE]) {
  return run_sweep(b, FG_SWEEP_FILL, (void *[]){k->base}, (int64_t[]){k->words, (int64_t)pattern}, why);
}

static int scatter(fg_testbed *b, const fg_side *s, const block *k, bool poison, char why[FG_WHY_SIZE]) {
  int64_t transforms = s == &b->drawn->spectrum ? b->drawn->spectra : b->drawn->transforms;
  int64_t bytes = fg_precision_bytes(s->type), numbers = transforms * s->count * s->per;
  const int64_t param[] = {numbers, s->count, s->per, bytes, b->drawn->distinct, s->ndim, s->nbatch, poison};
  for (int i = 0; i < s->nslot; i++)
    if (run_sweep(b, FG_SWEEP_SCATTER, (void *[]){k->shape, poison ? b->poison : k->values[i], k->slot[i]}, param, why))
      return 1;
  return 0;
}

static int compare(fg_testbed *b, char why[FG_WHY_SIZE]) {
  const fg_side *s = &b->drawn->out;
  int64_t numbers = b->drawn->transforms * s->count * s->per;
  const int64_t param[] = {numbers, s->count, s->per, s->type, b->drawn->distinct, s->ndim, s->nbatch};
  for (int i = 0; i < s->nslot; i++)
    if (run_sweep(b, FG_SWEEP_COMPARE, (void *[]){b->out.shape, b->out.values[i], b->scale, b->out.slot[i], b->sums},
                  param, why))
      return 1;
  return 0;
}

static int begin_sums(fg_testbed *b, char why[FG_WHY_SIZE]) {
  return put(b, b->sums, &(fg_sums){.first = UINT64_MAX}, sizeof(fg_sums), why);
}

static int read_sums(fg_testbed *b, fg_sums *out, char why[FG_WHY_SIZE]) {
  if (b->resident) return b->d->memory->fetch(out, b->sums, sizeof *out, why);
  memcpy(out, b->sums, sizeof *out);
  return 0;
}

static int watch(fg_testbed *b, const block *k, fg_sums *out, char why[FG_WHY_SIZE]) {
  return begin_sums(b, why) ||
         run_sweep(b, FG_SWEEP_WATCH, (void *[]){k->base, b->sums}, (int64_t[]){k->words, (int64_t)b->pattern}, why) ||
         read_sums(b, out, why);
}

/* ---- opening --------------------------------------------------------------------------- */

static int load_sweep(fg_testbed *b, fg_sweep which, const fg_code *code, char why[FG_WHY_SIZE]) {
  const fg_sweep_row *row = &fg_sweep_table[which];
  fg_launch launch = {.entry = row->name,
                      .threads = 256,
                      .cluster = 1,
                      .nblock_factor = 1,
                      .block_factor = {{1, 0, 256}},
                      .narg = row->nslot + row->nparam};
  fg_artifact a = {.dialect = b->d->dialect,
                   .name = row->name,
                   .source = "",
                   .flags = "",
                   .nbuffer = row->nslot,
                   .nparam = row->nparam,
                   .nlaunch = 1,
                   .launch = &launch};
  for (int i = 0; i < row->nslot; i++) {
    a.buffer[i] = (fg_arg_buffer){.name = "array", .kind = FG_ARG_IN};
    launch.arg[i] = (fg_launch_arg){false, i};
  }
  for (int i = 0; i < row->nparam; i++) launch.arg[row->nslot + i] = (fg_launch_arg){true, i};
  return b->d->load(&a, code, &b->sweep[which], why);
}

static int load_sweeps(fg_testbed *b, char why[FG_WHY_SIZE]) {
  fg_code code;
  if (!b->resident) return 0;
  if (b->d->compile(fg_sweep_text(b->d->dialect), "native", &code, why)) return 1;
  int bad = 0;
  for (int i = 0; i < FG_SWEEP_COUNT && !bad; i++) bad = load_sweep(b, (fg_sweep)i, &code, why);
  free(code.bytes);
  return bad;
}

/* Two arrays of a side never begin at the same offset of a page. */
static int make_arrays(fg_testbed *b, const fg_side *s, size_t least, block *k, char why[FG_WHY_SIZE]) {
  size_t guard = b->resident ? DEVICE_GUARD : FG_ARRAYS_GUARD, page = b->resident ? DEVICE_GUARD : 64;
  k->bytes = (size_t)s->extent * (size_t)s->per * (size_t)fg_precision_bytes(s->type);
  if (k->bytes < least) k->bytes = least;
  size_t apart = 2 * guard + (k->bytes + page - 1) / page * page;
  k->words = (int64_t)(apart * (size_t)s->nslot / 8);
  if (take(b, apart * (size_t)s->nslot, &k->base, why)) return 1;
  for (int i = 0; i < s->nslot; i++) k->slot[i] = (char *)k->base + guard + (size_t)i * apart;
  return 0;
}

static int make_values(fg_testbed *b, const fg_side *s, block *k, void *const *values, size_t each,
                       char why[FG_WHY_SIZE]) {
  size_t bytes = (size_t)b->drawn->distinct * (size_t)s->count * (size_t)s->per * each;
  if (copy_of(b, &k->shape, s->dim, sizeof s->dim, why)) return 1;
  for (int i = 0; i < s->nslot; i++)
    if (copy_of(b, &k->values[i], values[i], bytes, why)) return 1;
  return 0;
}

static size_t bytes_of(const fg_side *s) {
  return (size_t)s->extent * (size_t)s->per * (size_t)fg_precision_bytes(s->type);
}

static uint64_t pattern_of(fg_precision type) {
  uint64_t pattern = 0;
  for (size_t i = 0; i < sizeof pattern; i += (size_t)fg_precision_bytes(type))
    fg_arrays_poison(type, (char *)&pattern + i);
  return pattern;
}

/* In place, input and output have the same arrays, as large as either needs. */
static int make_sides(fg_testbed *b, char why[FG_WHY_SIZE]) {
  const fg_drawn *n = b->drawn;
  size_t least = n->in_place ? bytes_of(&n->out) : 0;
  if (make_arrays(b, &n->in, least, &b->in, why)) return 1;
  if (n->in_place)
    b->out = (block){.words = b->in.words, .bytes = b->in.bytes, .base = b->in.base};
  else if (make_arrays(b, &n->out, 0, &b->out, why))
    return 1;
  if (n->in_place) memcpy(b->out.slot, b->in.slot, sizeof b->in.slot);
  return make_values(b, &n->in, &b->in, n->input, (size_t)fg_precision_bytes(n->in.type), why) ||
         make_values(b, &n->out, &b->out, (void *const *)n->truth, sizeof(double), why);
}

/* No module writes there: they are laid out once. */
static int make_spectra(fg_testbed *b, char why[FG_WHY_SIZE]) {
  const fg_side *s = &b->drawn->spectrum;
  void *const values[] = {b->drawn->factors};
  if (!b->drawn->spectra) return 0;
  return make_arrays(b, s, 0, &b->spectrum, why) ||
         make_values(b, s, &b->spectrum, values, (size_t)fg_precision_bytes(s->type), why) ||
         fill(b, &b->spectrum, b->pattern, why) || scatter(b, s, &b->spectrum, false, why);
}

static int make_scale(fg_testbed *b, char why[FG_WHY_SIZE]) {
  const fg_drawn *n = b->drawn;
  double numbers = (double)(n->out.count * n->out.per * n->out.nslot);
  b->host_scale = calloc((size_t)n->distinct, 3 * sizeof *b->host_scale);
  if (!b->host_scale) return snprintf(why, FG_WHY_SIZE, "out of memory"), 1;
  bool real = n->out.per * n->out.nslot == 1;
  for (int i = 0; i < n->distinct; i++) {
    double *s = &b->host_scale[3 * i], elements = real ? numbers : numbers / 2;
    s[0] = n->norm[i] > 0 ? 1 / n->norm[i] : 1;
    s[1] = n->bound_max * sqrt(n->norm[i] / elements);
    s[2] = n->bound_unit;
    if (!(s[1] > 0)) s[1] = n->bound_max;
  }
  return copy_of(b, &b->scale, b->host_scale, (size_t)n->distinct * 3 * sizeof *b->host_scale, why) ||
         copy_of(b, &b->poison, &b->pattern, sizeof b->pattern, why) || take(b, sizeof(fg_sums), &b->sums, why);
}

/* Poison, and inputs in it. Out of place, their checksum is known from then on. */
static int make_input(fg_testbed *b, char why[FG_WHY_SIZE]) {
  fg_sums sums;
  if (b->holds == HOLDS_INPUT && !b->drawn->in_place) return 0;
  if (fill(b, &b->in, b->pattern, why) || scatter(b, &b->drawn->in, &b->in, false, why)) return 1;
  b->holds = HOLDS_INPUT;
  if (b->drawn->in_place || b->checksum) return 0;
  if (watch(b, &b->in, &sums, why)) return 1;
  b->checksum = sums.checksum;
  return 0;
}

int fg_testbed_open(const fg_device *d, const fg_drawn *drawn, fg_testbed **out, char why[FG_WHY_SIZE]) {
  fg_testbed *b = calloc(1, sizeof *b);
  if (!b) return snprintf(why, FG_WHY_SIZE, "out of memory"), 1;
  b->d = d, b->drawn = drawn;
  b->resident = d->memory && d->load && d->compile && fg_sweep_text(d->dialect);
  b->pattern = pattern_of(drawn->out.type);
  if (load_sweeps(b, why) || make_sides(b, why) || make_scale(b, why) || make_spectra(b, why) || make_input(b, why))
    return fg_testbed_close(b), 1;
  *out = b;
  return 0;
}

void fg_testbed_close(fg_testbed *b) {
  if (!b) return;
  for (int i = 0; i < FG_SWEEP_COUNT; i++)
    if (b->sweep[i]) b->d->destroy(b->sweep[i]);
  block *k[] = {&b->in, &b->out, &b->spectrum};
  for (int i = 0; i < 3; i++) {
    if (i != 1 || !b->drawn->in_place) give(b, k[i]->base);
    give(b, k[i]->shape);
    for (int n = 0; n < 2; n++) give(b, k[i]->values[n]);
  }
  give(b, b->scale), give(b, b->sums), give(b, b->poison);
  free(b->host_scale);
  free(b);
}

/* ---- checking ---------------------------------------------------------------------------- */

typedef struct slots {
  void *slot[4];
  size_t bytes[4];
} slots;

/* Arrays at the same offset of pages take a tenth more here and there: each round has a host's arrays elsewhere,
 * inside of the memory that guards them. */
static fg_call call_of(const fg_testbed *b, int turn, slots *at) {
  enum { STEP = 128, STEPS = 16, EACH = 7 };
  _Static_assert(STEP * STEPS <= FG_ARRAYS_GUARD, "inside of the guards");
  int ins = b->drawn->in.nslot, all = ins + b->drawn->out.nslot;
  for (int i = 0; i < all; i++) {
    const block *k = i < ins ? &b->in : &b->out;
    int distinct = b->drawn->in_place ? i % ins : i;
    int shift = b->d->on_host ? turn * (EACH + distinct) % STEPS * STEP : 0;
    at->slot[i] = (char *)k->slot[i < ins ? i : i - ins] + shift;
    at->bytes[i] = k->bytes;
  }
  return (fg_call){.slot = at->slot,
                   .bytes = at->bytes,
                   .params = b->drawn->params,
                   .given = b->drawn->spectra ? b->spectrum.slot : NULL,
                   .resident = b->resident};
}

static void say_wrong(const fg_testbed *b, const fg_sums *s, fg_verdict *out) {
  const fg_side *side = &b->drawn->out;
  int64_t numbers = side->count * side->per;
  fg_number_print(out->why, FG_WHY_SIZE, "%llu of %lld numbers are off by more than %.2g, the first in transform %lld",
                  (unsigned long long)s->bad, (long long)(numbers * b->drawn->transforms * side->nslot),
                  b->drawn->bound_max, (long long)((int64_t)s->first / numbers));
}

static int judge(fg_testbed *b, fg_verdict *out, char why[FG_WHY_SIZE]) {
  fg_sums s, around, input = {.checksum = b->checksum};
  if (begin_sums(b, why) || compare(b, why) || read_sums(b, &s, why)) return 1;
  out->l2 = sqrt(s.error / (double)b->drawn->transforms);
  out->max = s.most * b->drawn->bound_max;
  if (scatter(b, &b->drawn->out, &b->out, true, why)) return 1;
  if (b->drawn->in_place && scatter(b, &b->drawn->in, &b->in, true, why)) return 1;
  if (watch(b, &b->out, &around, why)) return 1;
  if (!b->drawn->in_place && watch(b, &b->in, &input, why)) return 1;
  if (s.bad)
    say_wrong(b, &s, out);
  else if (!(out->l2 <= b->drawn->bound_l2))
    fg_number_print(out->why, FG_WHY_SIZE, "relative error %.2g (%.2g allowed)", out->l2, b->drawn->bound_l2);
  else if (around.strange)
    snprintf(out->why, FG_WHY_SIZE, "it wrote %llu words that are no output", (unsigned long long)around.strange);
  else if (input.checksum != b->checksum)
    snprintf(out->why, FG_WHY_SIZE, "it changed its input");
  if (input.checksum != b->checksum) b->holds = HOLDS_NOTHING;
  out->ok = !*out->why;
  return 0;
}

int fg_testbed_check(fg_testbed *b, fg_module *m, fg_verdict *out, char why[FG_WHY_SIZE]) {
  slots at;
  *out = (fg_verdict){0};
  fg_call call = call_of(b, 0, &at);
  if (make_input(b, why) || (!b->drawn->in_place && fill(b, &b->out, b->pattern, why))) return 1;
  if (b->drawn->in_place) b->holds = HOLDS_NOTHING;
  return b->d->run(m, &call, why) || judge(b, out, why);
}

int fg_testbed_time(fg_testbed *b, fg_module *m, double seconds, int turn, double *ns, char why[FG_WHY_SIZE]) {
  slots at;
  fg_call call = call_of(b, turn, &at);
  if (b->drawn->in_place && b->holds != HOLDS_ZEROS) {
    if (fill(b, &b->in, 0, why)) return 1;
    b->holds = HOLDS_ZEROS;
  }
  if (!b->drawn->in_place && make_input(b, why)) return 1;
  return b->d->time(m, &call, seconds, ns, why);
}

/* In place from the first half to the second one. Where one side is smaller, as much of the other, and the time of the
 * rest. */
int fg_testbed_copy(fg_testbed *b, double seconds, double *ns, char why[FG_WHY_SIZE]) {
  bool in_place = b->drawn->in_place;
  int64_t words = b->in.words < b->out.words ? b->in.words : b->out.words;
  int64_t pairs = words / (in_place ? 4 : 2), bytes = (b->in.words + b->out.words) * 8;
  void *slot[] = {b->in.base, in_place ? (char *)b->in.base + 16 * pairs : b->out.base};
  fg_call call = {.slot = slot, .params = &pairs, .resident = true};
  b->holds = in_place ? HOLDS_NOTHING : b->holds;
  if (b->d->time(b->sweep[FG_SWEEP_COPY], &call, seconds, ns, why)) return 1;
  *ns *= (double)bytes / (double)(32 * pairs);
  return 0;
}
