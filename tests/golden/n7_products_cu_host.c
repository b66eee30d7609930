/* SPDX-License-Identifier: 0BSD
 *
 * n7_products_cu_host: launches the kernels of n7_products.cu by the driver API.
 *
 * c2c f16 n=7 batch=count[1..65536]
 *
 *   void *n7_products_create(const void *image, CUresult *status);
 *     image: n7_products.cu as cubin, fatbin or PTX, for the context that is current.
 *     Fills the tables and allocates workspaces. NULL: *status is the error.
 *   CUresult n7_products_enqueue(const void *plan, const CUdeviceptr *in, const CUdeviceptr *out,
 *                            const long long *parameters, CUstream stream);
 *     Only enqueues: it may be captured into a graph. in, out: one pointer each, or two (re, im) where
 *     arrays are split. In place, out is ignored. Pointers are aligned to a complex number.
 *   void n7_products_destroy(void *plan);
 *
 * Build: cc -c n7_products_cu_host.c -I CUDA/include; link with -lcuda -lm
 * Test:  cc -DFFTGEN_MAIN n7_products_cu_host.c -o n7_products_cu_host -I CUDA/include -lcuda -lm; ./n7_products_cu_host IMAGE
 */
#include <cuda.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void *n7_products_create(const void *image, CUresult *status);
CUresult n7_products_enqueue(const void *plan, const CUdeviceptr *in, const CUdeviceptr *out, const long long *parameters,
                         CUstream stream);
void n7_products_destroy(void *plan);

/* Argument slots: arrays that kernels take, in the order of the manifest's "slots". */
enum kind { IN, OUT, WORK, TABLE };
static const struct slot {
  enum kind kind;
  int part;      /* of IN, OUT: which of the caller's pointers */
  size_t bytes;
  size_t offset; /* of TABLE: in the block of tables */
} slots[] = {
  {IN, 0, 1835008, 0}, /* in */
  {OUT, 0, 1835008, 0}, /* out */
  {TABLE, 0, 2048, 0}, /* tw0 */
};

/* Kernels in order; arguments: a slot, or -1 - i for run-time parameter i. */
static const struct launch {
  const char *kernel;
  unsigned threads, cluster, local_bytes;
  int count, argument[32];
  int carveout; /* percent of L1 that may be shared memory; 0: set_carveout chooses; -1: the driver does */
} launches[] = {
  {"n7_products_block", 64, 1, 896, 4, {0, 1, 2, -1}, 0},
};
enum { SLOTS = sizeof slots / sizeof *slots, LAUNCHES = sizeof launches / sizeof *launches, TABLE_BYTES = 2048 };

static CUdeviceptr offset(CUdeviceptr memory, size_t bytes) { return memory + bytes; }

static void count_blocks(const long long *parameters, size_t *blocks) {
  size_t *at = blocks;
  (void)parameters;
  *at++ = (size_t)((parameters[0] + 31) / 32);
}

typedef struct plan {
  CUmodule module;
  CUfunction kernel[LAUNCHES];
  CUdeviceptr memory[SLOTS], tables;
} plan;

/* Fills the tables; call it once, before the first transform. Entries are computed in
 * double precision. Their error is at most 0.6 units in the last place where long double
 * is longer than double, else 1.2.
 */
#include <math.h>

/* exp(2 pi i k / n) for 0 <= k < n: the angle is reduced below pi / 4 and split
 * into a high and a low double. */
static void n7_products_root(unsigned long long k, unsigned long long n, double *re, double *im) {
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

void n7_products_init(void *tables);
void n7_products_init(void *tables) {
  {
    float *const table = (float *)tables + 0;
    for (long long r = 0; r < 16; ++r)
      for (long long c = 0; c < 16; ++c) {
        double re, im;
        n7_products_root((unsigned long long)(r + 0) * (unsigned long long)c % 7ULL, 7ULL, &re, &im);
        const long long i = (c / 4 * 16 + r) * 4 + c % 4;
        const long long at = 2 * i;
        table[at] = (float)re;
        table[at + 1] = (float)im;
      }
  }
}

static CUresult make_tables(plan *p) {
  CUresult status = CUDA_SUCCESS;
  void *host = calloc(1, TABLE_BYTES);
  if (!host) return CUDA_ERROR_OUT_OF_MEMORY;
  n7_products_init(host);
  status = cuMemAlloc(&p->tables, TABLE_BYTES);
  if (status == CUDA_SUCCESS) status = cuMemcpyHtoD(p->tables, host, TABLE_BYTES);
  free(host);
  for (int i = 0; i < SLOTS; ++i)
    if (slots[i].kind == TABLE) p->memory[i] = offset(p->tables, slots[i].offset);
  return status;
}

/* Shared memory that would leave L1 almost nothing is limited, unless too few warps would run. */
static CUresult set_carveout(CUfunction kernel, const struct launch *l) {
  CUdevice device;
  int carveout = l->carveout, resident = 0, total = 0, block = 0;
  CUresult status = carveout ? CUDA_SUCCESS : cuCtxGetDevice(&device);
  if (!carveout && status == CUDA_SUCCESS)
    status = cuDeviceGetAttribute(&total, CU_DEVICE_ATTRIBUTE_MAX_SHARED_MEMORY_PER_MULTIPROCESSOR, device);
  if (!carveout && status == CUDA_SUCCESS)
    status = cuDeviceGetAttribute(&block, CU_DEVICE_ATTRIBUTE_RESERVED_SHARED_MEMORY_PER_BLOCK, device);
  if (!carveout && status == CUDA_SUCCESS)
    status = cuOccupancyMaxActiveBlocksPerMultiprocessor(&resident, kernel, (int)l->threads, l->local_bytes);
  block += (int)l->local_bytes;
  total /= 100;
  if (resident * block > 86 * total && 71 * total / block * (int)((l->threads + 31) / 32) >= 8) carveout = 71;
  if (status == CUDA_SUCCESS && carveout > 0)
    status = cuFuncSetAttribute(kernel, CU_FUNC_ATTRIBUTE_PREFERRED_SHARED_MEMORY_CARVEOUT, carveout);
  return status;
}

static CUresult make(plan *p, const void *image) {
  CUresult status = cuModuleLoadData(&p->module, image);
  for (int i = 0; i < LAUNCHES && status == CUDA_SUCCESS; ++i) {
    status = cuModuleGetFunction(&p->kernel[i], p->module, launches[i].kernel);
    if (status == CUDA_SUCCESS && launches[i].local_bytes > 48 * 1024)
      status = cuFuncSetAttribute(p->kernel[i], CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES, (int)launches[i].local_bytes);
    if (status == CUDA_SUCCESS && launches[i].cluster > 8)
      status = cuFuncSetAttribute(p->kernel[i], CU_FUNC_ATTRIBUTE_NON_PORTABLE_CLUSTER_SIZE_ALLOWED, 1);
    if (status == CUDA_SUCCESS) status = set_carveout(p->kernel[i], &launches[i]);
  }
  for (int i = 0; i < SLOTS && status == CUDA_SUCCESS; ++i)
    if (slots[i].kind == WORK) status = cuMemAlloc(&p->memory[i], slots[i].bytes);
  return status == CUDA_SUCCESS ? make_tables(p) : status;
}

void n7_products_destroy(void *of) {
  plan *p = of;
  if (!p) return;
  for (int i = 0; i < SLOTS; ++i)
    if (slots[i].kind == WORK && p->memory[i]) cuMemFree(p->memory[i]);
  if (p->tables) cuMemFree(p->tables);
  if (p->module) cuModuleUnload(p->module);
  free(p);
}

void *n7_products_create(const void *image, CUresult *status) {
  plan *p = calloc(1, sizeof *p);
  *status = p ? make(p, image) : CUDA_ERROR_OUT_OF_MEMORY;
  if (*status == CUDA_SUCCESS) return p;
  n7_products_destroy(p);
  return NULL;
}

CUresult n7_products_enqueue(const void *of, const CUdeviceptr *in, const CUdeviceptr *out, const long long *parameters,
                         CUstream stream) {
  const plan *p = of;
  CUdeviceptr memory[SLOTS];
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
    CUresult status = cuLaunchKernel(p->kernel[k], (unsigned)blocks[k], 1, 1, l->threads, 1, 1, l->local_bytes, stream,
                                     argument, NULL);
    if (status != CUDA_SUCCESS) return status;
  }
  return CUDA_SUCCESS;
}
#ifdef FFTGEN_MAIN

/* Run-time parameters: any values of these ranges. */
static const long long parameters[] = {
  5, /* count: 1 .. 65536 */
  0
};

static double n7_products_random(unsigned long long *state) {
  *state = *state * 6364136223846793005ULL + 1442695040888963407ULL;
  return (double)(*state >> 11) / 4503599627370496.0 - 1.0;
}

/* Relative error of the results: against the defining sum in long double, for some
 * outputs of every transform. */
static double n7_products_error(const float *in, const float *out) {
  enum { dims = 1 };
  const long long points = 7, in_stride = 1, out_stride = 1;
  const long long count[dims + 1] = {5, 1}, in_step[dims + 1] = {7, 0}, out_step[dims + 1] = {7, 0};
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

/* Arrays hold f16 in elements of type unsigned short. */
static float from_f16(unsigned short h) {
  union {
    float f;
    unsigned u;
  } x;
  x.u = (h & 0x7fffu) << 13;
  x.f *= 5.192296858534828e33f;
  if (x.f >= 65536.0f) x.u |= 0x7f800000u;
  x.u |= (h & 0x8000u) << 16;
  return (float)x.f;
}
static unsigned short to_f16(float value) {
  union {
    float f;
    unsigned u;
  } x;
  x.f = (float)value;
  const unsigned sign = x.u >> 16 & 0x8000u;
  x.u &= 0x7fffffffu;
  if (x.u >= 0x47800000u)
    x.u = x.u > 0x7f800000u ? 0x7e00u : 0x7c00u;
  else if (x.u < 0x38800000u)
    x.f += 0.5f, x.u -= 0x3f000000u;
  else
    x.u = (x.u + 0xc8000fffu + (x.u >> 13 & 1u)) >> 13;
  return (unsigned short)(x.u | sign);
}
/* Rounds the numbers to those that memory can hold. */
static void n7_products_to_memory(float *number, unsigned short *memory, size_t count) {
  for (size_t i = 0; i < count; ++i) {
    memory[i] = to_f16(number[i]);
    number[i] = from_f16(memory[i]);
  }
}

static void n7_products_from_memory(const unsigned short *memory, float *number, size_t count) {
  for (size_t i = 0; i < count; ++i) number[i] = from_f16(memory[i]);
}

static void check(const char *what, CUresult status) {
  if (status == CUDA_SUCCESS) return;
  fprintf(stderr, "n7_products_cu_host: %s (%d)\n", what, (int)status);
  exit(2);
}

static char *read_image(const char *path) {
  FILE *file = fopen(path, "rb");
  if (!file) check(path, CUDA_ERROR_FILE_NOT_FOUND);
  fseek(file, 0, SEEK_END);
  const long size = ftell(file);
  rewind(file);
  char *image = calloc(1, (size_t)size + 1);
  if (!image || fread(image, 1, (size_t)size, file) != (size_t)size) check(path, CUDA_ERROR_FILE_NOT_FOUND);
  fclose(file);
  return image;
}

/* Runs the transform on random numbers and compares with the definition. */
int main(int argc, char **argv) {
  const size_t in_count = 2 * (size_t)458752, out_count = 2 * (size_t)458752;
  const size_t in_bytes = sizeof(unsigned short) * in_count, out_bytes = sizeof(unsigned short) * out_count;
  float *in = calloc(in_count, sizeof *in), *out = calloc(out_count, sizeof *out);
  unsigned short *stored_in = calloc(1, in_bytes), *stored_out = calloc(1, out_bytes);
  CUdeviceptr from, to;
  CUresult status;
  unsigned long long state = 1;
  if (!in || !out) check("memory", CUDA_ERROR_OUT_OF_MEMORY);
  if (!stored_in || !stored_out) check("memory", CUDA_ERROR_OUT_OF_MEMORY);
  for (size_t i = 0; i < in_count; ++i) in[i] = (float)n7_products_random(&state);
  n7_products_to_memory(in, stored_in, in_count);
  CUdevice device;
  CUcontext context;
  check("cuInit", cuInit(0));
  check("cuDeviceGet", cuDeviceGet(&device, 0));
  check("cuDevicePrimaryCtxRetain", cuDevicePrimaryCtxRetain(&context, device));
  check("cuCtxSetCurrent", cuCtxSetCurrent(context));
  void *plan = n7_products_create(read_image(argc > 1 ? argv[1] : "n7_products.cubin"), &status);
  check("create", status);
  check("cuMemAlloc", cuMemAlloc(&from, in_bytes));
  check("cuMemAlloc", cuMemAlloc(&to, out_bytes));
  check("cuMemcpyHtoD", cuMemcpyHtoD(from, stored_in, in_bytes));
  const CUdeviceptr source[] = {from, offset(from, in_bytes / 2)}, result[] = {to, offset(to, out_bytes / 2)};
  check("enqueue", n7_products_enqueue(plan, source, result, parameters, NULL));
  check("cuMemcpyDtoH", cuMemcpyDtoH(stored_out, to, out_bytes));
  n7_products_from_memory(stored_out, out, out_count);
  const double relative = n7_products_error(in, out);
  n7_products_destroy(plan);
  printf("n7_products: relative error %.3g\n", relative);
  return relative < 1e-3 ? 0 : 1;
}
#endif
