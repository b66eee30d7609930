/* SPDX-License-Identifier: 0BSD
 *
 * n64_pairs_cu_host: launches the kernels of n64_pairs.cu by the driver API.
 *
 * r2c f32 n=64 batch=count[1..65536]
 *
 *   void *n64_pairs_create(const void *image, CUresult *status);
 *     image: n64_pairs.cu as cubin, fatbin or PTX, for the context that is current.
 *     Fills the tables and allocates workspaces. NULL: *status is the error.
 *   CUresult n64_pairs_enqueue(const void *plan, const CUdeviceptr *in, const CUdeviceptr *out,
 *                            const long long *parameters, CUstream stream);
 *     Only enqueues: it may be captured into a graph. in, out: one pointer each, or two (re, im) where
 *     arrays are split. In place, out is ignored. Pointers are aligned to a complex number.
 *   void n64_pairs_destroy(void *plan);
 *
 * Build: cc -c n64_pairs_cu_host.c -I CUDA/include; link with -lcuda -lm
 * Test:  cc -DFFTGEN_MAIN n64_pairs_cu_host.c -o n64_pairs_cu_host -I CUDA/include -lcuda -lm; ./n64_pairs_cu_host IMAGE
 */
#include <cuda.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void *n64_pairs_create(const void *image, CUresult *status);
CUresult n64_pairs_enqueue(const void *plan, const CUdeviceptr *in, const CUdeviceptr *out, const long long *parameters,
                         CUstream stream);
void n64_pairs_destroy(void *plan);

/* Argument slots: arrays that kernels take, in the order of the manifest's "slots". */
enum kind { IN, OUT, WORK, TABLE };
static const struct slot {
  enum kind kind;
  int part;      /* of IN, OUT: which of the caller's pointers */
  size_t bytes;
  size_t offset; /* of TABLE: in the block of tables */
} slots[] = {
  {IN, 0, 16777216, 0}, /* in */
  {OUT, 0, 17301504, 0}, /* out */
  {TABLE, 0, 32, 0}, /* tw0 */
  {TABLE, 0, 128, 64}, /* tw1 */
  {TABLE, 0, 64, 192}, /* tw2 */
  {TABLE, 0, 256, 256}, /* tw3 */
};

/* Kernels in order; arguments: a slot, or -1 - i for run-time parameter i. */
static const struct launch {
  const char *kernel;
  unsigned threads, cluster, local_bytes;
  int count, argument[32];
  int carveout; /* percent of L1 that may be shared memory; 0: set_carveout chooses; -1: the driver does */
} launches[] = {
  {"n64_pairs_block", 1, 2, 160, 6, {0, 1, 2, 3, 4, 5}, -1},
};
enum { SLOTS = sizeof slots / sizeof *slots, LAUNCHES = sizeof launches / sizeof *launches, TABLE_BYTES = 512 };

static CUdeviceptr offset(CUdeviceptr memory, size_t bytes) { return memory + bytes; }

static void count_blocks(const long long *parameters, size_t *blocks) {
  size_t *at = blocks;
  (void)parameters;
  *at++ = 2 * (size_t)parameters[0];
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
static void n64_pairs_root(unsigned long long k, unsigned long long n, double *re, double *im) {
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

void n64_pairs_init(void *tables);
void n64_pairs_init(void *tables) {
  {
    float *const table = (float *)tables + 0;
    for (long long r = 0; r < 1; ++r)
      for (long long c = 0; c < 4; ++c) {
        double re, im;
        n64_pairs_root((unsigned long long)(r + 1) * (unsigned long long)c % 8ULL, 8ULL, &re, &im);
        const long long i = r * 4 + c;
        const long long at = 2 * i;
        table[at] = (float)re;
        table[at + 1] = (float)-im;
      }
  }
  {
    float *const table = (float *)tables + 16;
    for (long long r = 0; r < 2; ++r)
      for (long long c = 0; c < 8; ++c) {
        double re, im;
        n64_pairs_root((unsigned long long)(1ULL << r) * (unsigned long long)(c > 4 ? 12 - c : c) % 32ULL, 32ULL, &re, &im);
        const long long i = r * 8 + c;
        const long long at = 2 * i;
        table[at] = (float)re;
        table[at + 1] = (float)-im;
      }
  }
  {
    float *const table = (float *)tables + 48;
    for (long long r = 0; r < 1; ++r)
      for (long long c = 0; c < 8; ++c) {
        double re, im;
        n64_pairs_root((unsigned long long)(r + 0) * (unsigned long long)(c > 4 ? 12 - c : c) % 32ULL, 32ULL, &re, &im);
        const long long i = r * 8 + c;
        const long long at = 2 * i;
        table[at] = (float)re;
        table[at + 1] = (float)-im;
      }
  }
  {
    float *const table = (float *)tables + 64;
    for (long long r = 0; r < 1; ++r)
      for (long long c = 0; c < 32; ++c) {
        double re, im;
        n64_pairs_root((unsigned long long)(r + 1) * (unsigned long long)c % 64ULL, 64ULL, &re, &im);
        const long long i = r * 32 + c;
        const long long at = 2 * i;
        table[at] = (float)(0.5 * re);
        table[at + 1] = (float)(0.5 * -im);
      }
  }
}

static CUresult make_tables(plan *p) {
  CUresult status = CUDA_SUCCESS;
  void *host = calloc(1, TABLE_BYTES);
  if (!host) return CUDA_ERROR_OUT_OF_MEMORY;
  n64_pairs_init(host);
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

void n64_pairs_destroy(void *of) {
  plan *p = of;
  if (!p) return;
  for (int i = 0; i < SLOTS; ++i)
    if (slots[i].kind == WORK && p->memory[i]) cuMemFree(p->memory[i]);
  if (p->tables) cuMemFree(p->tables);
  if (p->module) cuModuleUnload(p->module);
  free(p);
}

void *n64_pairs_create(const void *image, CUresult *status) {
  plan *p = calloc(1, sizeof *p);
  *status = p ? make(p, image) : CUDA_ERROR_OUT_OF_MEMORY;
  if (*status == CUDA_SUCCESS) return p;
  n64_pairs_destroy(p);
  return NULL;
}

CUresult n64_pairs_enqueue(const void *of, const CUdeviceptr *in, const CUdeviceptr *out, const long long *parameters,
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

static double n64_pairs_random(unsigned long long *state) {
  *state = *state * 6364136223846793005ULL + 1442695040888963407ULL;
  return (double)(*state >> 11) / 4503599627370496.0 - 1.0;
}

/* Relative error of the results: against the defining sum in long double, for some
 * outputs of every transform. */
static double n64_pairs_error(const float *in, const float *out) {
  enum { rank = 1, dims = 1 };
  const long long in_points = 64, out_points = 33;
  const long long length[rank] = {64}, in_length[rank] = {64}, out_length[rank] = {33};
  const long long in_stride[rank] = {1}, out_stride[rank] = {1};
  const long long count[dims + 1] = {5, 1}, in_step[dims + 1] = {64, 0}, out_step[dims + 1] = {33, 0};
  const long long spacing = out_points > 256 ? out_points / 61 : 1;
  long long index[dims + 1] = {0};
  double error = 0, size = 0;
  for (int more = 1; more;) {
    long long in_start = 0, out_start = 0;
    for (int d = 0; d < dims; ++d) {
      in_start += index[d] * in_step[d];
      out_start += index[d] * out_step[d];
    }
    for (long long to = 0; to < out_points; to += spacing) {
      long double re = 0, im = 0;
      long long at = out_start;
      for (long long d = rank - 1, rest = to; d >= 0; rest /= out_length[d--]) at += rest % out_length[d] * out_stride[d];
      const double out_re = out[2 * at], out_im = out[2 * at + 1];
      for (long long from = 0; from < in_points; ++from) {
        long double revolutions = 0;
        long long j = 0, k = 0, n = 0, j_rest = from, k_rest = to;
        at = in_start;
        for (int d = rank - 1; d >= 0; --d) {
          n = length[d];
          j = j_rest % in_length[d];
          k = k_rest % out_length[d];
          j_rest /= in_length[d];
          k_rest /= out_length[d];
          at += j * in_stride[d];
          revolutions += (long double)(j * k % (n)) / (long double)(n);
        }
        j = from % in_length[rank - 1], n = length[rank - 1];
        const long double angle = -6.283185307179586476925286766559L * revolutions;
        const long double c = cosl(angle), s = sinl(angle);
        const double x = in[at], y = 0;
        re += x * c, im += x * s;
        (void)c, (void)s, (void)y;
      }
      error += (double)((out_re - re) * (out_re - re) + (out_im - im) * (out_im - im));
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

static void check(const char *what, CUresult status) {
  if (status == CUDA_SUCCESS) return;
  fprintf(stderr, "n64_pairs_cu_host: %s (%d)\n", what, (int)status);
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
  const size_t in_count = 2 * (size_t)4194304, out_count = 2 * (size_t)2162688;
  const size_t in_bytes = sizeof(float) * in_count, out_bytes = sizeof(float) * out_count;
  float *in = calloc(in_count, sizeof *in), *out = calloc(out_count, sizeof *out);
  CUdeviceptr from, to;
  CUresult status;
  unsigned long long state = 1;
  if (!in || !out) check("memory", CUDA_ERROR_OUT_OF_MEMORY);
  for (size_t i = 0; i < in_count; ++i) in[i] = (float)n64_pairs_random(&state);
  CUdevice device;
  CUcontext context;
  check("cuInit", cuInit(0));
  check("cuDeviceGet", cuDeviceGet(&device, 0));
  check("cuDevicePrimaryCtxRetain", cuDevicePrimaryCtxRetain(&context, device));
  check("cuCtxSetCurrent", cuCtxSetCurrent(context));
  void *plan = n64_pairs_create(read_image(argc > 1 ? argv[1] : "n64_pairs.cubin"), &status);
  check("create", status);
  check("cuMemAlloc", cuMemAlloc(&from, in_bytes));
  check("cuMemAlloc", cuMemAlloc(&to, out_bytes));
  check("cuMemcpyHtoD", cuMemcpyHtoD(from, in, in_bytes));
  const CUdeviceptr source[] = {from, offset(from, in_bytes / 2)}, result[] = {to, offset(to, out_bytes / 2)};
  check("enqueue", n64_pairs_enqueue(plan, source, result, parameters, NULL));
  check("cuMemcpyDtoH", cuMemcpyDtoH(out, to, out_bytes));
  const double relative = n64_pairs_error(in, out);
  n64_pairs_destroy(plan);
  printf("n64_pairs: relative error %.3g\n", relative);
  return relative < 1e-5 ? 0 : 1;
}
#endif
