/* SPDX-License-Identifier: 0BSD
 *
 * n64_sycl_hpp_host: launches the kernels of n64_sycl.hpp by SYCL 2020, on unified shared memory.
 *
 * c2c f32 n=64 batch=count[1..1000]
 *
 *   void *n64_sycl_create(sycl::queue &queue);
 *     Fills the tables and allocates workspaces on the queue's device. NULL: no memory.
 *   sycl::event n64_sycl_enqueue(const void *plan, sycl::queue &queue, void *const *in, void *const *out,
 *                               const long long *parameters, const std::vector<sycl::event> &after);
 *     Only enqueues, behind the events `after`. in, out: one pointer each, to memory that the device reaches, or two
 *     (re, im) where arrays are split. In place, out is ignored. Pointers are aligned to a complex number.
 *   void n64_sycl_destroy(void *plan);
 *
 * Build: icpx -fsycl -fno-fast-math -std=c++17 -c n64_sycl_hpp_host.cpp, or acpp -std=c++17 -c
 * Test:  acpp -O2 -std=c++17 -DFFTGEN_MAIN n64_sycl_hpp_host.cpp -o n64_sycl_hpp_host; ./n64_sycl_hpp_host
 */
#include "n64_sycl.hpp"
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <tuple>
#include <type_traits>
#include <utility>
#include <vector>

void *n64_sycl_create(sycl::queue &queue);
sycl::event n64_sycl_enqueue(const void *plan, sycl::queue &queue, void *const *in, void *const *out,
                            const long long *parameters, const std::vector<sycl::event> &after);
void n64_sycl_destroy(void *plan);

/* Fills the tables; call it once, before the first transform. Entries are computed in
 * double precision. Their error is at most 0.6 units in the last place where long double
 * is longer than double, else 1.2.
 */
#include <math.h>

/* exp(2 pi i k / n) for 0 <= k < n: the angle is reduced below pi / 4 and split
 * into a high and a low double. */
static void n64_sycl_root(unsigned long long k, unsigned long long n, double *re, double *im) {
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

void n64_sycl_init(void *tables);
void n64_sycl_init(void *tables) {
  {
    float *const table = (float *)tables + 0;
    for (long long r = 0; r < 7; ++r)
      for (long long c = 0; c < 8; ++c) {
        double re, im;
        n64_sycl_root((unsigned long long)(r + 1) * (unsigned long long)c % 64ULL, 64ULL, &re, &im);
        const long long i = r * 8 + c;
        const long long at = 2 * i;
        table[at] = (float)re;
        table[at + 1] = (float)-im;
      }
  }
}

namespace {

/* Argument slots: arrays that kernels take, in the order of the manifest's "slots". */
enum kind { IN, OUT, WORK, TABLE };
const struct slot {
  enum kind kind;
  int part;      /* of IN, OUT: which of the caller's pointers */
  size_t bytes;
  size_t offset; /* of TABLE: in the block of tables */
} slots[] = {
  {IN, 0, 512000, 0}, /* in */
  {OUT, 0, 512000, 0}, /* out */
  {TABLE, 0, 448, 0}, /* tw0 */
};

/* A launch's arrays and run-time parameters, and what it waits for. */
struct given {
  size_t blocks;
  void *const *memory;
  const long long *parameters;
  std::vector<sycl::event> after;
};
struct launch;
typedef sycl::event submit_function(sycl::queue &queue, const launch &l, const given &g);
template <auto Kernel> sycl::event launch_of(sycl::queue &queue, const launch &l, const given &g);

/* Kernels in order; arguments: a slot, or -1 - i for run-time parameter i. */
const struct launch {
  submit_function *submit;
  unsigned threads, cluster, local_bytes;
  int count, argument[32];
} launches[] = {
  {launch_of<n64_sycl_block>, 128, 1, 9216, 4, {0, 1, 2, -1}},
};
enum { SLOTS = sizeof slots / sizeof *slots, LAUNCHES = sizeof launches / sizeof *launches, TABLE_BYTES = 448 };

void count_blocks(const long long *parameters, size_t *blocks) {
  size_t *at = blocks;
  (void)parameters;
  *at++ = (size_t)((parameters[0] + 15) / 16);
}

template <class T> T argument_of(int argument, const given &g) {
  if constexpr (std::is_pointer_v<T>)
    return static_cast<T>(g.memory[argument]);
  else
    return g.parameters[-1 - argument];
}

/* A kernel takes its arguments, its local memory and its nd_item. */
template <auto Kernel, class... P, size_t... I>
sycl::event submit(void (*)(P...), std::index_sequence<I...>, sycl::queue &queue, const launch &l, const given &g) {
  using all = std::tuple<P...>;
  using memory = std::tuple_element_t<sizeof...(I), all>;
  const std::tuple<std::decay_t<std::tuple_element_t<I, all>>...> argument{
      argument_of<std::decay_t<std::tuple_element_t<I, all>>>(l.argument[I], g)...};
  return queue.submit([&](sycl::handler &handler) {
    handler.depends_on(g.after);
    const sycl::local_accessor<sycl::float4, 1> local(sycl::range<1>(l.local_bytes / sizeof(sycl::float4) + 1), handler);
    handler.parallel_for(sycl::nd_range<1>(g.blocks * l.threads, l.threads), [=](sycl::nd_item<1> item) {
      Kernel(std::get<I>(argument)..., reinterpret_cast<memory>(&local[0]), item);
    });
  });
}

template <class... P> constexpr size_t parameters_of(void (*)(P...)) { return sizeof...(P); }

template <auto Kernel> sycl::event launch_of(sycl::queue &queue, const launch &l, const given &g) {
  return submit<Kernel>(Kernel, std::make_index_sequence<parameters_of(Kernel) - 2>(), queue, l, g);
}

struct plan {
  sycl::queue queue;
  char *memory[SLOTS], *tables;
};

bool make_memory(plan *p) {
  std::vector<char> host(TABLE_BYTES);
  n64_sycl_init(host.data());
  p->tables = sycl::malloc_device<char>(TABLE_BYTES, p->queue);
  if (!p->tables) return false;
  p->queue.memcpy(p->tables, host.data(), TABLE_BYTES).wait();
  for (int i = 0; i < SLOTS; ++i) {
    if (slots[i].kind == TABLE) p->memory[i] = p->tables + slots[i].offset;
    if (slots[i].kind != WORK) continue;
    p->memory[i] = sycl::malloc_device<char>(slots[i].bytes, p->queue);
    if (!p->memory[i]) return false;
  }
  return true;
}

} // namespace

void n64_sycl_destroy(void *of) {
  plan *p = static_cast<plan *>(of);
  if (!p) return;
  for (int i = 0; i < SLOTS; ++i)
    if (slots[i].kind == WORK && p->memory[i]) sycl::free(p->memory[i], p->queue);
  if (p->tables) sycl::free(p->tables, p->queue);
  delete p;
}

void *n64_sycl_create(sycl::queue &queue) {
  plan *p = new plan{queue, {}, nullptr};
  if (make_memory(p)) return p;
  n64_sycl_destroy(p);
  return nullptr;
}

sycl::event n64_sycl_enqueue(const void *of, sycl::queue &queue, void *const *in, void *const *out,
                            const long long *parameters, const std::vector<sycl::event> &after) {
  const plan *p = static_cast<const plan *>(of);
  void *memory[SLOTS];
  size_t blocks[LAUNCHES];
  given g = {0, memory, parameters, after};
  sycl::event last;
  count_blocks(parameters, blocks);
  for (int i = 0; i < SLOTS; ++i)
    memory[i] = slots[i].kind == IN ? in[slots[i].part] : slots[i].kind == OUT && out ? out[slots[i].part] : p->memory[i];
  for (int k = 0; k < LAUNCHES; ++k) {
    g.blocks = blocks[k];
    last = launches[k].submit(queue, launches[k], g);
    g.after = {last};
  }
  return last;
}
#ifdef FFTGEN_MAIN

/* Run-time parameters: any values of these ranges. */
static const long long parameters[] = {
  5, /* count: 1 .. 1000 */
  0
};

static double n64_sycl_random(unsigned long long *state) {
  *state = *state * 6364136223846793005ULL + 1442695040888963407ULL;
  return (double)(*state >> 11) / 4503599627370496.0 - 1.0;
}

/* Relative error of the results: against the defining sum in long double, for some
 * outputs of every transform. */
static double n64_sycl_error(const float *in, const float *out) {
  enum { dims = 1 };
  const long long points = 64, in_stride = 1, out_stride = 1;
  const long long count[dims + 1] = {5, 1}, in_step[dims + 1] = {64, 0}, out_step[dims + 1] = {64, 0};
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

/* Runs the transform on random numbers and compares with the definition. */
int main() {
  const size_t in_count = 2 * (size_t)64000, out_count = 2 * (size_t)64000;
  std::vector<float> in(in_count), out(out_count);
  sycl::queue queue;
  float *from = sycl::malloc_shared<float>(in_count, queue), *to = sycl::malloc_shared<float>(out_count, queue);
  unsigned long long state = 1;
  for (size_t i = 0; i < in_count; ++i) in[i] = (float)n64_sycl_random(&state);
  memcpy(from, in.data(), sizeof *from * in_count);
  void *plan = n64_sycl_create(queue);
  if (!from || !to || !plan) {
    fprintf(stderr, "n64_sycl_hpp_host: no memory\n");
    return 2;
  }
  void *const source[] = {from, from + in_count / 2}, *const result[] = {to, to + out_count / 2};
  n64_sycl_enqueue(plan, queue, source, result, parameters, {}).wait();
  memcpy(out.data(), to, sizeof *to * out_count);
  const double relative = n64_sycl_error(in.data(), out.data());
  n64_sycl_destroy(plan);
  sycl::free(from, queue);
  sycl::free(to, queue);
  printf("n64_sycl: relative error %.3g\n", relative);
  return relative < 1e-5 ? 0 : 1;
}
#endif
