/* SPDX-License-Identifier: 0BSD
 *
 * n16_shuffles_metal_host: launches the kernels of n16_shuffles.metal by Metal, through metal-cpp.
 *
 * c2c f32 n=16 batch=64
 *
 *   void *n16_shuffles_create(MTL::Device *device, MTL::Library *library, NS::Error **error);
 *     library: n16_shuffles.metal, compiled without fast math.
 *     Fills the tables and allocates workspaces. NULL: *error says why.
 *   void n16_shuffles_encode(const void *plan, MTL::ComputeCommandEncoder *encoder, const n16_shuffles_array *in,
 *                       const n16_shuffles_array *out, const long long *parameters);
 *     Only encodes; the encoder is a serial one. in, out: one array each, or two (re, im) where arrays are
 *     split. In place, out is ignored. Offsets are aligned to a complex number.
 *   void n16_shuffles_destroy(void *plan);
 *
 * Build: c++ -std=c++17 -c n16_shuffles_metal_host.cpp -I METAL_CPP; link with -framework Metal -framework Foundation
 * Test:  c++ -std=c++17 -DFFTGEN_MAIN n16_shuffles_metal_host.cpp -o n16_shuffles_metal_host -I METAL_CPP \
 *          -framework Metal -framework Foundation; ./n16_shuffles_metal_host
 */
#ifdef FFTGEN_MAIN
#define NS_PRIVATE_IMPLEMENTATION
#define MTL_PRIVATE_IMPLEMENTATION
#endif
#include <Foundation/Foundation.hpp>
#include <Metal/Metal.hpp>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct n16_shuffles_array {
  MTL::Buffer *buffer;
  size_t offset; /* bytes */
};
void *n16_shuffles_create(MTL::Device *device, MTL::Library *library, NS::Error **error);
void n16_shuffles_encode(const void *plan, MTL::ComputeCommandEncoder *encoder, const n16_shuffles_array *in,
                    const n16_shuffles_array *out, const long long *parameters);
void n16_shuffles_destroy(void *plan);

/* Argument slots: arrays that kernels take, in the order of the manifest's "slots". */
enum kind { IN, OUT, WORK, TABLE };
static const struct slot {
  enum kind kind;
  int part;      /* of IN, OUT: which of the caller's arrays */
  size_t bytes;
  size_t offset; /* of TABLE: in the block of tables */
} slots[] = {
  {IN, 0, 8192, 0}, /* in */
  {OUT, 0, 8192, 0}, /* out */
  {TABLE, 0, 96, 0}, /* tw0 */
};

/* Kernels in order; arguments: a slot, or -1 - i for run-time parameter i. */
static const struct launch {
  const char *kernel;
  unsigned threads, cluster, local_bytes;
  int count, argument[32];
} launches[] = {
  {"n16_shuffles_block", 128, 1, 0, 3, {0, 1, 2}},
};
enum { SLOTS = sizeof slots / sizeof *slots, LAUNCHES = sizeof launches / sizeof *launches, TABLE_BYTES = 96 };

static void count_blocks(const long long *parameters, size_t *blocks) {
  size_t *at = blocks;
  (void)parameters;
  *at++ = 2;
}

struct plan {
  MTL::ComputePipelineState *kernel[LAUNCHES];
  n16_shuffles_array memory[SLOTS];
  MTL::Buffer *tables;
};

/* Fills the tables; call it once, before the first transform. Entries are computed in
 * double precision. Their error is at most 0.6 units in the last place where long double
 * is longer than double, else 1.2.
 */
#include <math.h>

/* exp(2 pi i k / n) for 0 <= k < n: the angle is reduced below pi / 4 and split
 * into a high and a low double. */
static void n16_shuffles_root(unsigned long long k, unsigned long long n, double *re, double *im) {
  const int lower = 2 * k > n;
  unsigned long long m = 4 * (lower ? n - k : k);
  const int left = m > n;
  if (left) m = 2 * n - m;
  const int steep = 2 * m > n;
  if (steep) m = n - m;
  const long double angle = 1.57079632679489661923132169163975144L * (long double)(long long)m / (long double)(long long)n;
  const double high = (double)angle, low = (double)(angle - (long double)high);
  const double c = cos(high), s = sin(high);
  const double x = c - low * s, y = s + low * c;
  *re = steep ? y : x;
  *im = steep ? x : y;
  if (left) *re = -*re;
  if (lower) *im = -*im;
}

void n16_shuffles_init(void *tables);
void n16_shuffles_init(void *tables) {
  {
    float *const table = (float *)tables + 0;
    for (long long r = 0; r < 3; ++r)
      for (long long c = 0; c < 4; ++c) {
        double re, im;
        n16_shuffles_root((unsigned long long)(r + 1) * (unsigned long long)c % 16ULL, 16ULL, &re, &im);
        const long long i = r * 4 + c;
        const long long at = 2 * i;
        table[at] = (float)re;
        table[at + 1] = (float)-im;
      }
  }
}

static bool make_kernels(plan *p, MTL::Device *device, MTL::Library *library, NS::Error **error) {
  for (int i = 0; i < LAUNCHES; ++i) {
    MTL::Function *function = library->newFunction(NS::String::string(launches[i].kernel, NS::UTF8StringEncoding));
    p->kernel[i] = function ? device->newComputePipelineState(function, error) : nullptr;
    if (function) function->release();
    if (!p->kernel[i] || p->kernel[i]->maxTotalThreadsPerThreadgroup() < launches[i].threads) return false;
  }
  return true;
}

static bool make_memory(plan *p, MTL::Device *device) {
  p->tables = device->newBuffer(TABLE_BYTES, MTL::ResourceStorageModeShared);
  if (!p->tables) return false;
  n16_shuffles_init(p->tables->contents());
  for (int i = 0; i < SLOTS; ++i) {
    if (slots[i].kind == TABLE) p->memory[i] = n16_shuffles_array{p->tables, slots[i].offset};
    if (slots[i].kind != WORK) continue;
    p->memory[i].buffer = device->newBuffer(slots[i].bytes, MTL::ResourceStorageModePrivate);
    if (!p->memory[i].buffer) return false;
  }
  return true;
}

void n16_shuffles_destroy(void *of) {
  plan *p = static_cast<plan *>(of);
  if (!p) return;
  for (int i = 0; i < LAUNCHES; ++i)
    if (p->kernel[i]) p->kernel[i]->release();
  for (int i = 0; i < SLOTS; ++i)
    if (slots[i].kind == WORK && p->memory[i].buffer) p->memory[i].buffer->release();
  if (p->tables) p->tables->release();
  delete p;
}

void *n16_shuffles_create(MTL::Device *device, MTL::Library *library, NS::Error **error) {
  plan *p = new plan();
  if (make_kernels(p, device, library, error) && make_memory(p, device)) return p;
  n16_shuffles_destroy(p);
  return nullptr;
}

void n16_shuffles_encode(const void *of, MTL::ComputeCommandEncoder *encoder, const n16_shuffles_array *in,
                    const n16_shuffles_array *out, const long long *parameters) {
  const plan *p = static_cast<const plan *>(of);
  size_t blocks[LAUNCHES];
  count_blocks(parameters, blocks);
  for (int k = 0; k < LAUNCHES; ++k) {
    const launch *l = &launches[k];
    encoder->setComputePipelineState(p->kernel[k]);
    for (int i = 0; i < l->count; ++i) {
      if (l->argument[i] < 0) {
        encoder->setBytes(&parameters[-1 - l->argument[i]], sizeof *parameters, (NS::UInteger)i);
        continue;
      }
      const slot *s = &slots[l->argument[i]];
      const n16_shuffles_array *a = s->kind == IN           ? &in[s->part]
                               : s->kind == OUT && out ? &out[s->part]
                                                       : &p->memory[l->argument[i]];
      encoder->setBuffer(a->buffer, a->offset, (NS::UInteger)i);
    }
    encoder->dispatchThreadgroups(MTL::Size(blocks[k], 1, 1), MTL::Size(l->threads, 1, 1));
  }
}
#ifdef FFTGEN_MAIN

static const long long parameters[] = {
  0
};

static double n16_shuffles_random(unsigned long long *state) {
  *state = *state * 6364136223846793005ULL + 1442695040888963407ULL;
  return (double)(*state >> 11) / 4503599627370496.0 - 1.0;
}

/* Relative error of the results: against the defining sum in long double, for some
 * outputs of every transform. */
static double n16_shuffles_error(const float *in, const float *out) {
  enum { dims = 1 };
  const long long points = 16, in_stride = 1, out_stride = 1;
  const long long count[dims + 1] = {64, 1}, in_step[dims + 1] = {16, 0}, out_step[dims + 1] = {16, 0};
  const long long spacing = points > 256 ? points / 61 : 1;
  long long index[dims + 1] = {0};
  double error = 0, size = 0;
  for (int more = 1; more;) {
    long long in_start = 0, out_start = 0;
    for (int d = 0; d < dims; ++d) {
      in_start += index[d] * in_step[d];
      out_start += index[d] * out_step[d];
    }
    for (long long k = 0; k < points; k += spacing) {
      long double re = 0, im = 0;
      for (long long j = 0; j < points; ++j) {
        const long double angle = -6.283185307179586476925286766559L * (long double)(j * k % points) / (long double)points;
        const long double c = cosl(angle), s = sinl(angle);
        const long long at = in_start + j * in_stride;
        const double x = in[2 * at], y = in[2 * at + 1];
        re += x * c - y * s;
        im += x * s + y * c;
      }
      const long long at = out_start + k * out_stride;
      const double dre = (double)(out[2 * at] - re), dim = (double)(out[2 * at + 1] - im);
      error += dre * dre + dim * dim;
      size += (double)(re * re + im * im);
    }
    more = 0;
    for (int d = dims - 1; d >= 0 && !more; --d) {
      more = ++index[d] < count[d];
      if (!more) index[d] = 0;
    }
  }
  return size > 0 ? sqrt(error / size) : sqrt(error);
}

static void check(const char *what, bool good, NS::Error *error) {
  if (good) return;
  fprintf(stderr, "n16_shuffles_metal_host: %s: %s\n", what,
          error ? error->localizedDescription()->utf8String() : "impossible");
  exit(2);
}

static char *read_source(const char *path) {
  FILE *file = fopen(path, "rb");
  check(path, file != nullptr, nullptr);
  fseek(file, 0, SEEK_END);
  const size_t size = (size_t)ftell(file);
  rewind(file);
  char *text = static_cast<char *>(calloc(1, size + 1));
  check(path, text && fread(text, 1, size, file) == size, nullptr);
  fclose(file);
  return text;
}

static MTL::Library *compile(MTL::Device *device, const char *path) {
  NS::Error *error = nullptr;
  MTL::CompileOptions *options = MTL::CompileOptions::alloc()->init();
  options->setFastMathEnabled(false);
  MTL::Library *library =
      device->newLibrary(NS::String::string(read_source(path), NS::UTF8StringEncoding), options, &error);
  check(path, library != nullptr, error);
  return library;
}

/* Runs the transform on random numbers and compares with the definition. */
int main(int argc, char **argv) {
  const size_t in_count = 2 * (size_t)1024, out_count = 2 * (size_t)1024;
  const size_t in_bytes = sizeof(float) * in_count, out_bytes = sizeof(float) * out_count;
  float *in = static_cast<float *>(calloc(in_count, sizeof *in)), *out = static_cast<float *>(calloc(out_count, sizeof *out));
  unsigned long long state = 1;
  NS::Error *error = nullptr;
  NS::AutoreleasePool *pool = NS::AutoreleasePool::alloc()->init();
  MTL::Device *device = MTL::CreateSystemDefaultDevice();
  check("memory", in && out, nullptr);
  check("device", device != nullptr, nullptr);
  MTL::Buffer *from = device->newBuffer(in_bytes, MTL::ResourceStorageModeShared);
  MTL::Buffer *to = device->newBuffer(out_bytes, MTL::ResourceStorageModeShared);
  check("memory", from && to, nullptr);
  for (size_t i = 0; i < in_count; ++i) in[i] = (float)n16_shuffles_random(&state);
  memcpy(from->contents(), in, in_bytes);
  MTL::Library *library = compile(device, argc > 1 ? argv[1] : "n16_shuffles.metal");
  void *plan = n16_shuffles_create(device, library, &error);
  check("create", plan != nullptr, error);
  const n16_shuffles_array source[] = {{from, 0}, {from, in_bytes / 2}}, result[] = {{to, 0}, {to, out_bytes / 2}};
  MTL::CommandBuffer *commands = device->newCommandQueue()->commandBuffer();
  MTL::ComputeCommandEncoder *encoder = commands->computeCommandEncoder();
  n16_shuffles_encode(plan, encoder, source, result, parameters);
  encoder->endEncoding();
  commands->commit();
  commands->waitUntilCompleted();
  memcpy(out, to->contents(), out_bytes);
  const double relative = n16_shuffles_error(in, out);
  n16_shuffles_destroy(plan);
  pool->release();
  printf("n16_shuffles: relative error %.3g\n", relative);
  return relative < 1e-5 ? 0 : 1;
}
#endif
