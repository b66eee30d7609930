/* See sweeps.h. */
#include "tuning/measure/sweeps.h"
#include "tuning/measure/drawn.h"
#include "tuning/measure/numbers.h"
#include <math.h>
#include <string.h>

/* ---- on the host -------------------------------------------------------------------- */

static void fill(void *const *slot, const int64_t *p) {
  uint64_t *word = slot[0];
  for (int64_t i = 0; i < p[0]; i++) word[i] = (uint64_t)p[1];
}

typedef struct walk { /* all numbers of a side, transform by transform */
  int64_t transforms, count, per, distinct;
  const int64_t *shape;
  int ndim, nbatch;
} walk;

static walk walk_of(const void *shape, const int64_t *p) {
  return (walk){p[0] / (p[1] * p[2]), p[1], p[2], p[4], shape, (int)p[5], (int)p[6]};
}

static int64_t start_of(const walk *w, int64_t t) {
  return fg_drawn_offset(w->shape + 2 * w->ndim, w->nbatch, t) * w->per;
}

/* Of number i of a transform; most transforms' numbers follow each other. */
static int64_t place_of(const walk *w, int64_t i) {
  if (w->ndim <= 1) return i / w->per * (w->ndim ? w->shape[1] : 0) * w->per + i % w->per;
  return fg_drawn_offset(w->shape, w->ndim, i / w->per) * w->per + i % w->per;
}

static bool is_dense(const walk *w) { return w->ndim == 0 || (w->ndim == 1 && w->shape[1] == 1); }

static void scatter(void *const *slot, const int64_t *p) {
  const walk w = walk_of(slot[0], p);
  const char *source = slot[1];
  size_t bytes = (size_t)p[3];
  int64_t n = w.count * w.per;
  for (int64_t t = 0; t < w.transforms; t++) {
    const char *from = source + (p[7] ? 0 : fg_drawn_pick(t, w.distinct) * n * (int64_t)bytes);
    char *to = (char *)slot[2] + start_of(&w, t) * (int64_t)bytes;
    if (is_dense(&w) && !p[7]) {
      memcpy(to, from, (size_t)n * bytes);
      continue;
    }
    for (int64_t i = 0; i < n; i++)
      memcpy(to + place_of(&w, i) * (int64_t)bytes, from + (p[7] ? 0 : i * (int64_t)bytes), bytes);
  }
}

static void compare(void *const *slot, const int64_t *p) {
  const walk w = walk_of(slot[0], p);
  const double *truth = slot[1], *scale = slot[2];
  fg_sums *sums = slot[4];
  int64_t n = w.count * w.per;
  for (int64_t t = 0; t < w.transforms; t++) {
    int which = fg_drawn_pick(t, w.distinct);
    const double *want = truth + which * n, *s = scale + 3 * which;
    int64_t start = start_of(&w, t);
    double error = 0;
    for (int64_t i = 0; i < n; i++) {
      double d = fg_numbers_get((fg_precision)p[3], slot[3], start + place_of(&w, i)) - want[i];
      double allowed = s[1] + s[2] * fabs(want[i]), part = fabs(d) / allowed;
      error += d * d;
      if (part <= 1) {
        if (part > sums->most) sums->most = part;
        continue;
      }
      sums->bad++;
      if ((uint64_t)(t * n + i) < sums->first) sums->first = (uint64_t)(t * n + i);
    }
    sums->error += error * s[0];
  }
}

static uint64_t mixed(uint64_t i, uint64_t word) {
  uint64_t z = (word ^ i * 0x9e3779b97f4a7c15u) * 0xbf58476d1ce4e5b9u;
  return z ^ z >> 29;
}

static void watch(void *const *slot, const int64_t *p) {
  const uint64_t *word = slot[0];
  fg_sums *sums = slot[1];
  for (int64_t i = 0; i < p[0]; i++) {
    sums->strange += word[i] != (uint64_t)p[1];
    sums->checksum += mixed((uint64_t)i, word[i]);
  }
}

static void copy(void *const *slot, const int64_t *p) { memcpy(slot[1], slot[0], 16 * (size_t)p[0]); }

const fg_sweep_row fg_sweep_table[FG_SWEEP_COUNT] = {
    [FG_SWEEP_FILL] = {"fill", 1, 2, fill},          [FG_SWEEP_SCATTER] = {"scatter", 3, 8, scatter},
    [FG_SWEEP_COMPARE] = {"compare", 5, 7, compare}, [FG_SWEEP_WATCH] = {"watch", 2, 2, watch},
    [FG_SWEEP_COPY] = {"copy", 2, 1, copy},
};

/* ---- on devices ----------------------------------------------------------------------- */

/* 256 threads a block, a number or word each. Sums are added up in a block first. Types as fg_precision has them:
 * halves without the header of any toolkit. */
#define KERNEL "extern \"C\" __global__ void __launch_bounds__(256) "

static const char cuda_text[] =
    "enum { BF16 = 1, F32 = 2, F64 = 3 };\n"
    "typedef long long i64;\n"
    "typedef unsigned long long u64;\n"
    "#define INDEX ((i64)blockIdx.x * 256 + threadIdx.x)\n"
    "static __device__ i64 offset(const i64 *dim, i64 n, i64 i) {\n"
    "  i64 at = 0;\n"
    "  for (i64 d = n - 1; d > 0; d--) at += i % dim[2 * d] * dim[2 * d + 1], i /= dim[2 * d];\n"
    "  return n ? at + i * dim[1] : 0;\n"
    "}\n"
    "static __device__ i64 pick(i64 t, i64 distinct) {\n"
    "  u64 z = (u64)t * 0x9e3779b97f4a7c15ull;\n"
    "  z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9ull;\n"
    "  return t < distinct ? t : (i64)((z ^ z >> 31) % (u64)distinct);\n"
    "}\n"
    "static __device__ double number(i64 type, const void *array, i64 at) {\n"
    "  if (type == F64) return ((const double *)array)[at];\n"
    "  if (type == F32) return (double)((const float *)array)[at];\n"
    "  unsigned short h = ((const unsigned short *)array)[at];\n"
    "  float f;\n"
    "  if (type == BF16) return (double)__uint_as_float((unsigned)h << 16);\n"
    "  asm(\"cvt.f32.f16 %0, %1;\" : \"=f\"(f) : \"h\"(h));\n"
    "  return (double)f;\n"
    "}\n" KERNEL "fill(u64 *array, i64 words, u64 pattern) {\n"
    "  if (INDEX < words) array[INDEX] = pattern;\n"
    "}\n" KERNEL "copy(const ulonglong2 *from, ulonglong2 *to, i64 pairs) {\n"
    "  if (INDEX < pairs) to[INDEX] = from[INDEX];\n"
    "}\n" KERNEL
    "scatter(const i64 *shape, const unsigned char *source, unsigned char *array, i64 numbers, i64 count, i64 per,\n"
    "               i64 bytes, i64 distinct, i64 ndim, i64 nbatch, i64 constant) {\n"
    "  i64 i = INDEX, n = count * per;\n"
    "  if (i >= numbers) return;\n"
    "  i64 t = i / n, k = i % n;\n"
    "  i64 to = (offset(shape + 2 * ndim, nbatch, t) + offset(shape, ndim, k / per)) * per + k % per;\n"
    "  i64 from = constant ? 0 : pick(t, distinct) * n + k;\n"
    "  if (bytes == 8) ((u64 *)array)[to] = ((const u64 *)source)[from];\n"
    "  if (bytes == 4) ((unsigned *)array)[to] = ((const unsigned *)source)[from];\n"
    "  if (bytes == 2) ((unsigned short *)array)[to] = ((const unsigned short *)source)[from];\n"
    "  if (bytes == 1) array[to] = source[from];\n"
    "}\n"
    "struct sums { double error; u64 most, bad, first, strange, checksum; };\n" KERNEL
    "compare(const i64 *shape, const double *truth, const double *scale, const void *array, sums *out,\n"
    "               i64 numbers, i64 count, i64 per, i64 type, i64 distinct, i64 ndim, i64 nbatch) {\n"
    "  __shared__ double error[256], most[256];\n"
    "  i64 i = INDEX, n = count * per;\n"
    "  double mine = 0, part = 0;\n"
    "  if (i < numbers) {\n"
    "    i64 t = i / n, k = i % n, p = pick(t, distinct);\n"
    "    i64 at = (offset(shape + 2 * ndim, nbatch, t) + offset(shape, ndim, k / per)) * per + k % per;\n"
    "    double want = truth[p * n + k], d = number(type, array, at) - want;\n"
    "    mine = d * d * scale[3 * p];\n"
    "    part = fabs(d) / (scale[3 * p + 1] + scale[3 * p + 2] * fabs(want));\n"
    "    if (!(part <= 1)) atomicAdd(&out->bad, 1ull), atomicMin(&out->first, (u64)i), part = 0;\n"
    "  }\n"
    "  error[threadIdx.x] = mine, most[threadIdx.x] = part;\n"
    "  __syncthreads();\n"
    "  for (int half = 128; half; half /= 2) {\n"
    "    if (threadIdx.x < half) {\n"
    "      error[threadIdx.x] += error[threadIdx.x + half];\n"
    "      most[threadIdx.x] = fmax(most[threadIdx.x], most[threadIdx.x + half]);\n"
    "    }\n"
    "    __syncthreads();\n"
    "  }\n"
    "  if (threadIdx.x) return;\n"
    "  atomicAdd(&out->error, error[0]);\n"
    "  atomicMax(&out->most, (u64)__double_as_longlong(most[0]));\n"
    "}\n" KERNEL "watch(const u64 *array, sums *out, i64 words, u64 pattern) {\n"
    "  __shared__ u64 strange[256], checksum[256];\n"
    "  i64 i = INDEX;\n"
    "  u64 word = i < words ? array[i] : pattern, z = (word ^ (u64)i * 0x9e3779b97f4a7c15ull) * "
    "0xbf58476d1ce4e5b9ull;\n"
    "  strange[threadIdx.x] = word != pattern;\n"
    "  checksum[threadIdx.x] = i < words ? z ^ z >> 29 : 0;\n"
    "  __syncthreads();\n"
    "  for (int half = 128; half; half /= 2) {\n"
    "    if (threadIdx.x < half) {\n"
    "      strange[threadIdx.x] += strange[threadIdx.x + half];\n"
    "      checksum[threadIdx.x] += checksum[threadIdx.x + half];\n"
    "    }\n"
    "    __syncthreads();\n"
    "  }\n"
    "  if (threadIdx.x) return;\n"
    "  atomicAdd(&out->strange, strange[0]);\n"
    "  atomicAdd(&out->checksum, checksum[0]);\n"
    "}\n";

_Static_assert(FG_BF16 == 1 && FG_F32 == 2 && FG_F64 == 3, "as the text has them");

const char *fg_sweep_text(const char *dialect) { return strcmp(dialect, "cuda") ? NULL : cuda_text; }
