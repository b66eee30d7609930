// A picture's spectrum and the picture through a filter, by emitted kernels and by cuFFT with kernels of its own for what
// is not a transform, as a user of cuFFT has them. Out: microseconds of either as a CUDA graph, launches, and the largest
// difference of their bytes. usage: photo FOLDER, which has the .cubin of the four kernels
//
// Two programs of two kernels: the spectrum's has the rows' transforms, then the columns' with the logarithm; the filter's
// begins with the columns of what the rows left, there and back, and ends with the rows.
#include <cuda.h>
#include <cuda_runtime.h>
#include <cufft.h>
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <iterator>
#include <string>
#include <vector>

#define KERNEL(NAME) \
  void *NAME##_create(const void *image, CUresult *status); \
  CUresult NAME##_enqueue(const void *plan, const CUdeviceptr *in, const CUdeviceptr *out, const long long *parameters, CUstream stream);
extern "C" {
KERNEL(photo_rows)
KERNEL(photo_levels)
KERNEL(photo_columns)
KERNEL(photo_back)
}

constexpr int N = 1024, HALF = N / 2 + 1, RUNS = 200, BLOCK = 256;
#define CHECK(call) do { int got = (int)(call); if (got) { std::printf("%s: %d\n", #call, got); std::exit(2); } } while (0)

__global__ void widen(const unsigned char *from, float *to) {
  int i = blockIdx.x * BLOCK + threadIdx.x;
  to[i] = from[i];
}
__global__ void multiply(float2 *x, const float *gain) {
  int i = blockIdx.x * BLOCK + threadIdx.x;
  if (i < N * HALF) x[i].x *= gain[i], x[i].y *= gain[i];
}
__global__ void levels(const float2 *x, unsigned char *to) {
  int i = blockIdx.x * BLOCK + threadIdx.x;
  if (i < N * HALF) to[i] = (unsigned char)rintf(fminf(fmaxf(logf(1 + hypotf(x[i].x, x[i].y)) * 13.1f, 0), 255));
}
__global__ void narrow(const float *from, unsigned char *to) {
  int i = blockIdx.x * BLOCK + threadIdx.x;
  to[i] = (unsigned char)rintf(fminf(fmaxf(from[i] / (N * N), 0), 255));
}

template <class F> static double graph_us(cudaStream_t stream, F enqueue, size_t *launches) {
  cudaGraph_t graph;
  cudaGraphExec_t run;
  cudaEvent_t begin, end;
  std::vector<float> ms(RUNS);
  CHECK(cudaStreamBeginCapture(stream, cudaStreamCaptureModeThreadLocal));
  enqueue();
  CHECK(cudaStreamEndCapture(stream, &graph));
  CHECK(cudaGraphGetNodes(graph, nullptr, launches));
  CHECK(cudaGraphInstantiate(&run, graph, 0));
  CHECK(cudaEventCreate(&begin));
  CHECK(cudaEventCreate(&end));
  for (float &t : ms) {
    CHECK(cudaEventRecord(begin, stream));
    CHECK(cudaGraphLaunch(run, stream));
    CHECK(cudaEventRecord(end, stream));
    CHECK(cudaEventSynchronize(end));
    CHECK(cudaEventElapsedTime(&t, begin, end));
  }
  std::sort(ms.begin(), ms.end());
  return 1e3 * ms[RUNS / 2];
}

static std::vector<char> read(const char *path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

template <class T> static T *device(const std::vector<T> &from) {
  T *to;
  CHECK(cudaMalloc(&to, from.size() * sizeof(T)));
  CHECK(cudaMemcpy(to, from.data(), from.size() * sizeof(T), cudaMemcpyHostToDevice));
  return to;
}

static int difference(const unsigned char *a, const unsigned char *b, size_t n) {
  std::vector<unsigned char> x(n), y(n);
  int most = 0;
  CHECK(cudaMemcpy(x.data(), a, n, cudaMemcpyDeviceToHost));
  CHECK(cudaMemcpy(y.data(), b, n, cudaMemcpyDeviceToHost));
  for (size_t i = 0; i < n; i++) most = std::max(most, std::abs(x[i] - y[i]));
  return most;
}

int main(int, char **argv) {
  std::vector<unsigned char> picture(N * N);
  std::vector<float> gain(N * HALF), by_column(N * HALF), filter(2 * N * HALF);
  for (int i = 0; i < N * N; i++) picture[i] = (unsigned char)(127.5 + 100 * std::sin(i % N * .05) * std::cos(i / N * .03) + (i * 2654435761u >> 28));
  for (int i = 0; i < N * HALF; i++) {
    double y = i / HALF <= N / 2 ? i / HALF : i / HALF - N, x = i % HALF, r2 = (x * x + y * y) / 6400;
    int turned = i % HALF * N + i / HALF;
    gain[i] = by_column[turned] = filter[2 * turned] = (float)(1 / std::sqrt(1 + r2 * r2));
  }
  unsigned char *in = device(picture), *mine[2], *theirs[2];
  float *reals = device(std::vector<float>(N * N)), *at_gain = device(gain), *at_column = device(by_column), *at_filter = device(filter);
  float2 *spectrum = (float2 *)device(filter), *rows = (float2 *)device(filter), *smooth = (float2 *)device(filter);
  for (int i = 0; i < 2; i++) mine[i] = device(picture), theirs[i] = device(picture);
  cufftHandle there, back;
  cudaStream_t stream;
  CUresult status;
  CHECK(cudaStreamCreate(&stream));
  CHECK(cufftPlan2d(&there, N, N, CUFFT_R2C));
  CHECK(cufftPlan2d(&back, N, N, CUFFT_C2R));
  CHECK(cufftSetStream(there, stream));
  CHECK(cufftSetStream(back, stream));
  std::string folder = argv[1];
  auto create = [&](void *(*make)(const void *, CUresult *), const char *name) {
    void *plan = make(read((folder + "/" + name + ".cubin").c_str()).data(), &status);
    CHECK(status);
    return plan;
  };
  void *to_rows = create(photo_rows_create, "photo_rows"), *to_levels = create(photo_levels_create, "photo_levels");
  void *columns = create(photo_columns_create, "photo_columns"), *back_rows = create(photo_back_create, "photo_back");
  CUdeviceptr bytes[] = {(CUdeviceptr)in}, half_done[] = {(CUdeviceptr)rows}, shown[] = {(CUdeviceptr)mine[1]};
  CUdeviceptr with_gain[] = {(CUdeviceptr)rows, (CUdeviceptr)at_column}, with_filter[] = {(CUdeviceptr)rows, (CUdeviceptr)at_filter};
  CUdeviceptr smoothed[] = {(CUdeviceptr)smooth}, filtered[] = {(CUdeviceptr)mine[0]};
  size_t ours = 0, others = 0;
  double us = graph_us(stream, [&] {
    CHECK(photo_rows_enqueue(to_rows, bytes, half_done, nullptr, stream));
    CHECK(photo_levels_enqueue(to_levels, with_gain, shown, nullptr, stream));
    CHECK(photo_columns_enqueue(columns, with_filter, smoothed, nullptr, stream));
    CHECK(photo_back_enqueue(back_rows, smoothed, filtered, nullptr, stream));
  }, &ours);
  double cufft = graph_us(stream, [&] {
    const int half = (N * HALF + BLOCK - 1) / BLOCK;
    widen<<<N * N / BLOCK, BLOCK, 0, stream>>>(in, reals);
    CHECK(cufftExecR2C(there, reals, (cufftComplex *)spectrum));
    multiply<<<half, BLOCK, 0, stream>>>(spectrum, at_gain);
    levels<<<half, BLOCK, 0, stream>>>(spectrum, theirs[1]);
    CHECK(cufftExecC2R(back, (cufftComplex *)spectrum, reals));
    narrow<<<N * N / BLOCK, BLOCK, 0, stream>>>(reals, theirs[0]);
  }, &others);
  int most = std::max(difference(mine[0], theirs[0], N * N), difference(mine[1], theirs[1], N * HALF));
  std::printf("spectrum and filter of a picture: %.1f us in %zu launches; by cuFFT %.1f us in %zu; bytes differ by %d at most\n", us, ours, cufft, others, most);
  return most > 1 || ours != 4;
}
