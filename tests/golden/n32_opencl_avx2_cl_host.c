/* SPDX-License-Identifier: 0BSD
 *
 * n32_opencl_avx2_cl_host: runs n32_opencl_avx2.cl on random numbers and compares with the definition.
 * A test, and an example of how the kernels are called.
 *
 * c2c f32 n=32 batch=1003
 *
 * Build: cc n32_opencl_avx2_cl_host.c -o n32_opencl_avx2_cl_host -lOpenCL -lm
 * Run:   ./n32_opencl_avx2_cl_host [SOURCE [PLATFORM [DEVICE]]]
 * SOURCE is n32_opencl_avx2.cl if not given, PLATFORM and DEVICE are numbers, 0 if not given.
 * Exit codes: 0 right, 1 wrong, 2 could not run.
 */
#define CL_TARGET_OPENCL_VERSION 120
#include <CL/cl.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

/* Argument slots: arrays that kernels take, in the order of the manifest's "slots". */
enum kind { IN, OUT, WORK, TABLE };
static const struct slot {
  enum kind kind;
  size_t bytes;
  size_t offset; /* bytes: in the host's input, output or block of tables */
  int memory;    /* the slot whose memory this one uses */
} slots[] = {
  {IN, 256768, 0, 0}, /* in */
  {OUT, 256768, 0, 1}, /* out */
  {TABLE, 384, 0, 2}, /* tw0 */
};
enum { SLOTS = sizeof slots / sizeof *slots };

static const cl_long parameters[] = {
  0
};

static void stop(const char *what, cl_int status) {
  fprintf(stderr, "n32_opencl_avx2_cl_host: %s (%d)\n", what, (int)status);
  exit(2);
}

static void check(const char *what, cl_int status) {
  if (status != CL_SUCCESS) stop(what, status);
}

static void *allocate(size_t bytes) {
  void *memory = calloc(1, bytes ? bytes : 1);
  if (!memory) stop("out of memory", 0);
  return memory;
}

/* Fills the tables; call it once, before the first transform. Entries are computed in
 * double precision. Their error is at most 0.6 units in the last place where long double
 * is longer than double, else 1.2.
 */
#include <math.h>

/* exp(2 pi i k / n) for 0 <= k < n: the angle is reduced below pi / 4 and split
 * into a high and a low double. */
static void n32_opencl_avx2_root(unsigned long long k, unsigned long long n, double *re, double *im) {
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

void n32_opencl_avx2_init(void *tables);
void n32_opencl_avx2_init(void *tables) {
  {
    float *const table = (float *)tables + 0;
    for (long long r = 0; r < 3; ++r)
      for (long long c = 0; c < 8; ++c) {
        double re, im;
        n32_opencl_avx2_root((unsigned long long)(r + 1) * (unsigned long long)c % 32ULL, 32ULL, &re, &im);
        const long long i = (c / 4 * 3 + r) * 4 + c % 4;
        const long long at = 2 * i;
        table[at] = (float)re;
        table[at + 48] = (float)-im;
        table[at + 1] = table[at];
        table[at + 48 + 1] = -table[at + 48];
      }
  }
}

static double n32_opencl_avx2_random(unsigned long long *state) {
  *state = *state * 6364136223846793005ULL + 1442695040888963407ULL;
  return (double)(*state >> 11) / 4503599627370496.0 - 1.0;
}

/* Relative error of the results: against the defining sum in long double, for some
 * outputs of every transform. */
static double n32_opencl_avx2_error(const float *in, const float *out) {
  enum { dims = 1 };
  const long long points = 32, in_stride = 1, out_stride = 1;
  const long long count[dims + 1] = {1003, 1}, in_step[dims + 1] = {32, 0}, out_step[dims + 1] = {32, 0};
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

/* ---- the device ------------------------------------------------------------- */

typedef struct device {
  cl_device_id id;
  cl_context context;
  cl_command_queue queue;
  cl_program program;
} device;

static char *read_source(const char *path, size_t *length) {
  FILE *file = fopen(path, "rb");
  if (!file) stop(path, 0);
  size_t room = 1 << 16;
  char *text = allocate(room);
  for (size_t n; (n = fread(text + *length, 1, room - *length, file)) > 0;) {
    *length += n;
    if (*length < room) continue;
    text = realloc(text, room *= 2);
    if (!text) stop("out of memory", 0);
  }
  fclose(file);
  return text;
}

static void open_device(device *d, const char *path, int platform, int number) {
  cl_platform_id platforms[16];
  cl_device_id ids[16];
  cl_uint found = 0;
  cl_int status;
  check("no platform", clGetPlatformIDs(16, platforms, &found));
  if (platform < 0 || (cl_uint)platform >= found || platform >= 16) stop("no such platform", 0);
  check("no device", clGetDeviceIDs(platforms[platform], CL_DEVICE_TYPE_ALL, 16, ids, &found));
  if (number < 0 || (cl_uint)number >= found || number >= 16) stop("no such device", 0);
  d->id = ids[number];
  d->context = clCreateContext(NULL, 1, &d->id, NULL, NULL, &status);
  check("clCreateContext", status);
  d->queue = clCreateCommandQueue(d->context, d->id, 0, &status);
  check("clCreateCommandQueue", status);
  size_t length = 0;
  char *text = read_source(path, &length);
  d->program = clCreateProgramWithSource(d->context, 1, (const char **)&text, &length, &status);
  check("clCreateProgramWithSource", status);
  free(text);
  status = clBuildProgram(d->program, 1, &d->id, "", NULL, NULL);
  if (status == CL_SUCCESS) return;
  size_t size = 0;
  clGetProgramBuildInfo(d->program, d->id, CL_PROGRAM_BUILD_LOG, 0, NULL, &size);
  char *log = allocate(size + 1);
  clGetProgramBuildInfo(d->program, d->id, CL_PROGRAM_BUILD_LOG, size, log, NULL);
  fprintf(stderr, "%s\n", log);
  stop("clBuildProgram", status);
}

/* Runs a kernel once. Arguments: a slot, or -1 - i for run-time parameter i. */
static void launch(const device *d, const cl_mem *memory, const char *name, size_t blocks, size_t threads,
                   const int *argument, int count) {
  cl_int status;
  cl_kernel kernel = clCreateKernel(d->program, name, &status);
  check(name, status);
  for (cl_uint i = 0; i < (cl_uint)count; ++i) {
    if (argument[i] < 0)
      status = clSetKernelArg(kernel, i, sizeof(cl_long), &parameters[-1 - argument[i]]);
    else
      status = clSetKernelArg(kernel, i, sizeof(cl_mem), &memory[argument[i]]);
    check(name, status);
  }
  const size_t all = blocks * threads;
  check(name, clEnqueueNDRangeKernel(d->queue, kernel, 1, NULL, &all, &threads, 0, NULL, NULL));
  clReleaseKernel(kernel);
}

static void run_kernels(const device *d, const cl_mem *memory) {
  launch(d, memory, "n32_opencl_avx2_run", 8, 1, (const int[]){0, 1, 2}, 3);
  check("clFinish", clFinish(d->queue));
}

/* Memory on the device. Inputs and tables are copied; workspaces stay uninitialised. */
static void create_memory(const device *d, cl_mem *memory, char *const *host) {
  for (int i = 0; i < SLOTS; ++i) {
    const struct slot *p = &slots[i];
    cl_int status = CL_SUCCESS;
    cl_mem_flags flags = CL_MEM_READ_WRITE | (p->kind == WORK ? 0 : CL_MEM_COPY_HOST_PTR);
    memory[i] = NULL;
    if (p->memory == i)
      memory[i] = clCreateBuffer(d->context, flags, p->bytes, p->kind == WORK ? NULL : host[p->kind] + p->offset, &status);
    check("clCreateBuffer", status);
  }
}

static void fetch_results(const device *d, const cl_mem *memory, char *out) {
  for (int i = 0; i < SLOTS; ++i) {
    const struct slot *p = &slots[i];
    if (p->kind != OUT) continue;
    check("clEnqueueReadBuffer", clEnqueueReadBuffer(d->queue, memory[p->memory], CL_TRUE, 0, p->bytes, out + p->offset,
                                                     0, NULL, NULL));
  }
}

int main(int argc, char **argv) {
  const size_t in_reals = 2 * (size_t)32096, out_reals = 2 * (size_t)32096;
  float *in = allocate(sizeof(float) * in_reals), *out = allocate(sizeof(float) * out_reals);
  char *tables = allocate(384);
  char *host[] = {(char *)in, (char *)out, NULL, tables};
  cl_mem memory[SLOTS];
  device d;
  unsigned long long state = 1;
  for (size_t i = 0; i < in_reals; ++i) in[i] = (float)n32_opencl_avx2_random(&state);
  n32_opencl_avx2_init(tables);
  open_device(&d, argc > 1 ? argv[1] : "n32_opencl_avx2.cl", argc > 2 ? atoi(argv[2]) : 0, argc > 3 ? atoi(argv[3]) : 0);
  create_memory(&d, memory, host);
  run_kernels(&d, memory);
  fetch_results(&d, memory, (char *)out);
  const double relative = n32_opencl_avx2_error(in, out);
  for (int i = 0; i < SLOTS; ++i)
    if (memory[i]) clReleaseMemObject(memory[i]);
  clReleaseProgram(d.program);
  clReleaseCommandQueue(d.queue);
  clReleaseContext(d.context);
  free(in);
  free(out);
  free(tables);
  printf("n32_opencl_avx2: relative error %.3g\n", relative);
  return relative < 1e-5 ? 0 : 1;
}
