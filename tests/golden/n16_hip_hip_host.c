/* SPDX-License-Identifier: 0BSD
 *
 * n16_hip_hip_host: launches the kernels of n16_hip.hip by the HIP runtime API.
 *
 * c2c f32 n=16 batch=count[1..65536]
 *
 *   void *n16_hip_create(const void *image, hipError_t *status);
 *     image: n16_hip.hip as code object, for the device that is current.
 *     Fills the tables and allocates workspaces. NULL: *status is the error.
 *   hipError_t n16_hip_enqueue(const void *plan, const hipDeviceptr_t *in, const hipDeviceptr_t *out,
 *                            const long long *parameters, hipStream_t stream);
 *     Only enqueues: it may be captured into a graph. in, out: one pointer each, or two (re, im) where
 *     arrays are split. In place, out is ignored. Pointers are aligned to a complex number.
 *   void n16_hip_destroy(void *plan);
 *
 * Build: cc -c n16_hip_hip_host.c -D__HIP_PLATFORM_AMD__ -I ROCM/include; link with -lamdhip64 -lm
 * Test:  cc -DFFTGEN_MAIN n16_hip_hip_host.c -o n16_hip_hip_host -D__HIP_PLATFORM_AMD__ -I ROCM/include -lamdhip64 -lm; ./n16_hip_hip_host IMAGE
 */
#include <hip/hip_runtime_api.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void *n16_hip_create(const void *image, hipError_t *status);
hipError_t n16_hip_enqueue(const void *plan, const hipDeviceptr_t *in, const hipDeviceptr_t *out, const long long *parameters,
                         hipStream_t stream);
void n16_hip_destroy(void *plan);

/* Argument slots: arrays that kernels take, in the order of the manifest's "slots". */
enum kind { IN, OUT, WORK, TABLE };
static const struct slot {
  enum kind kind;
  int part;      /* of IN, OUT: which of the caller's pointers */
  size_t bytes;
  size_t offset; /* of TABLE: in the block of tables */
} slots[] = {
  {IN, 0, 8388608, 0}, /* in */
  {OUT, 0, 8388608, 0}, /* out */
  {TABLE, 0, 96, 0}, /* tw0 */
};

/* Kernels in order; arguments: a slot, or -1 - i for run-time parameter i. */
static const struct launch {
  const char *kernel;
  unsigned threads, cluster, local_bytes;
  int count, argument[32];
} launches[] = {
  {"n16_hip_block", 128, 1, 4608, 4, {0, 1, 2, -1}},
};
enum { SLOTS = sizeof slots / sizeof *slots, LAUNCHES = sizeof launches / sizeof *launches, TABLE_BYTES = 96 };

static hipDeviceptr_t offset(hipDeviceptr_t memory, size_t bytes) { return (char *)memory + bytes; }

static void count_blocks(const long long *parameters, size_t *blocks) {
  size_t *at = blocks;
  (void)parameters;
  *at++ = (size_t)((parameters[0] + 31) / 32);
}

typedef struct plan {
  hipModule_t module;
  hipFunction_t kernel[LAUNCHES];
  hipDeviceptr_t memory[SLOTS], tables;
} plan;

/* Fills the tables; call it once, before the first transform. Entries are computed in
 * double precision. Their error is at most 0.6 units in the last place where long double
 * is longer than double, else 1.2.
 */
#include <math.h>

/* exp(2 pi i k / n) for 0 <= k < n: the angle is reduced below pi / 4 and split
 * into a high and a low double. */
static void n16_hip_root(unsigned long long k, unsigned long long n, double *re, double *im) {
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

void n16_hip_init(void *tables);
void n16_hip_init(void *tables) {
  {
    float *const table = (float *)tables + 0;
    for (long long r = 0; r < 3; ++r)
      for (long long c = 0; c < 4; ++c) {
        double re, im;
        n16_hip_root((unsigned long long)(r + 1) * (unsigned long long)c % 16ULL, 16ULL, &re, &im);
        const long long i = r * 4 + c;
        const long long at = 2 * i;
        table[at] = (float)re;
        table[at + 1] = (float)-im;
      }
  }
}

static hipError_t make_tables(plan *p) {
  hipError_t status = hipSuccess;
  void *host = calloc(1, TABLE_BYTES);
  if (!host) return hipErrorOutOfMemory;
  n16_hip_init(host);
  status = hipMalloc(&p->tables, TABLE_BYTES);
  if (status == hipSuccess) status = hipMemcpyHtoD(p->tables, host, TABLE_BYTES);
  free(host);
  for (int i = 0; i < SLOTS; ++i)
    if (slots[i].kind == TABLE) p->memory[i] = offset(p->tables, slots[i].offset);
  return status;
}

static hipError_t make(plan *p, const void *image) {
  hipError_t status = hipModuleLoadData(&p->module, image);
  for (int i = 0; i < LAUNCHES && status == hipSuccess; ++i) {
    status = hipModuleGetFunction(&p->kernel[i], p->module, launches[i].kernel);
  }
  for (int i = 0; i < SLOTS && status == hipSuccess; ++i)
    if (slots[i].kind == WORK) status = hipMalloc(&p->memory[i], slots[i].bytes);
  return status == hipSuccess ? make_tables(p) : status;
}

void n16_hip_destroy(void *of) {
  plan *p = of;
  if (!p) return;
  for (int i = 0; i < SLOTS; ++i)
    if (slots[i].kind == WORK && p->memory[i]) hipFree(p->memory[i]);
  if (p->tables) hipFree(p->tables);
  if (p->module) hipModuleUnload(p->module);
  free(p);
}

void *n16_hip_create(const void *image, hipError_t *status) {
  plan *p = calloc(1, sizeof *p);
  *status = p ? make(p, image) : hipErrorOutOfMemory;
  if (*status == hipSuccess) return p;
  n16_hip_destroy(p);
  return NULL;
}

hipError_t n16_hip_enqueue(const void *of, const hipDeviceptr_t *in, const hipDeviceptr_t *out, const long long *parameters,
                         hipStream_t stream) {
  const plan *p = of;
  hipDeviceptr_t memory[SLOTS];
  size_t blocks[LAUNCHES];
  count_blocks(parameters, blocks);
  for (int i = 0; i < SLOTS; ++i)
    memory[i] = slots[i].kind == IN ? in[slots[i].part] : slots[i].kind == OUT && out ? out[slots[i].part] : p->memory[i];
  for (int k = 0; k < LAUNCHES; ++k) {
    const struct launch *l = &launches[k];
    void *argument[32];
    long long value[32];
    for (int i = 0; i < l->count; ++i) {
      if (l->argument[i] < 0) value[i] = parameters[-1 - l->argument[i]];
      argument[i] = l->argument[i] < 0 ? (void *)&value[i] : (void *)&memory[l->argument[i]];
    }
    hipError_t status = hipModuleLaunchKernel(p->kernel[k], (unsigned)blocks[k], 1, 1, l->threads, 1, 1, l->local_bytes, stream,
                                     argument, NULL);
    if (status != hipSuccess) return status;
  }
  return hipSuccess;
}
#ifdef FFTGEN_MAIN

/* Run-time parameters: any values of these ranges. */
static const long long parameters[] = {
  5, /* count: 1 .. 65536 */
  0
};

static double n16_hip_random(unsigned long long *state) {
  *state = *state * 6364136223846793005ULL + 1442695040888963407ULL;
  return (double)(*state >> 11) / 4503599627370496.0 - 1.0;
}

/* Relative error of the results: against the defining sum in long double, for some
 * outputs of every transform. */
static double n16_hip_error(const float *in, const float *out) {
  enum { dims = 1 };
  const long long points = 16, in_stride = 1, out_stride = 1;
  const long long count[dims + 1] = {5, 1}, in_step[dims + 1] = {16, 0}, out_step[dims + 1] = {16, 0};
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

static void check(const char *what, hipError_t status) {
  if (status == hipSuccess) return;
  fprintf(stderr, "n16_hip_hip_host: %s (%d)\n", what, (int)status);
  exit(2);
}

static char *read_image(const char *path) {
  FILE *file = fopen(path, "rb");
  if (!file) check(path, hipErrorFileNotFound);
  fseek(file, 0, SEEK_END);
  const long size = ftell(file);
  rewind(file);
  char *image = calloc(1, (size_t)size + 1);
  if (!image || fread(image, 1, (size_t)size, file) != (size_t)size) check(path, hipErrorFileNotFound);
  fclose(file);
  return image;
}

/* Runs the transform on random numbers and compares with the definition. */
int main(int argc, char **argv) {
  const size_t in_count = 2 * (size_t)1048576, out_count = 2 * (size_t)1048576;
  const size_t in_bytes = sizeof(float) * in_count, out_bytes = sizeof(float) * out_count;
  float *in = calloc(in_count, sizeof *in), *out = calloc(out_count, sizeof *out);
  hipDeviceptr_t from, to;
  hipError_t status;
  unsigned long long state = 1;
  if (!in || !out) check("memory", hipErrorOutOfMemory);
  for (size_t i = 0; i < in_count; ++i) in[i] = (float)n16_hip_random(&state);
  check("hipSetDevice", hipSetDevice(0));
  void *plan = n16_hip_create(read_image(argc > 1 ? argv[1] : "n16_hip.co"), &status);
  check("create", status);
  check("hipMalloc", hipMalloc(&from, in_bytes));
  check("hipMalloc", hipMalloc(&to, out_bytes));
  check("hipMemcpyHtoD", hipMemcpyHtoD(from, in, in_bytes));
  const hipDeviceptr_t source[] = {from, offset(from, in_bytes / 2)}, result[] = {to, offset(to, out_bytes / 2)};
  check("enqueue", n16_hip_enqueue(plan, source, result, parameters, NULL));
  check("hipMemcpyDtoH", hipMemcpyDtoH(out, to, out_bytes));
  const double relative = n16_hip_error(in, out);
  n16_hip_destroy(plan);
  printf("n16_hip: relative error %.3g\n", relative);
  return relative < 1e-5 ? 0 : 1;
}
#endif
