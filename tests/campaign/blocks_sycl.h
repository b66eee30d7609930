/* Emitted SYCL by a SYCL implementation whose queues run on this CPU: what blocks_launch.h needs of blocks.h, by
 * nd_ranges. Kernels are called through pointers, which only implementations without a device compiler take. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sycl/sycl.hpp>
#include <tuple>
#include <utility>

static struct { unsigned x; } gridDim, blockDim;
static unsigned blocks_cluster;
static size_t blocks_bytes;
static void (*blocks_kernel)(void **);
static void **blocks_arguments;

static void blocks_run(unsigned, unsigned, size_t local_bytes) {
  blocks_bytes = local_bytes;
  blocks_kernel(blocks_arguments);
}

template <class... A, size_t... I> static void blocks_call(void (*k)(A...), void **a, std::index_sequence<I...>) {
  using all = std::tuple<A...>;
  const auto given = std::make_tuple(*(std::remove_const_t<std::tuple_element_t<I, all>> *)a[I]...);
  sycl::queue queue;
  queue
      .submit([&](sycl::handler &handler) {
        const sycl::local_accessor<sycl::float4, 1> local(sycl::range<1>(blocks_bytes / 16 + 1), handler);
        const sycl::nd_range<1> range(sycl::range<1>((size_t)gridDim.x * blockDim.x), sycl::range<1>(blockDim.x));
        handler.parallel_for(range, [=](sycl::nd_item<1> item) {
          k(std::get<I>(given)..., (std::tuple_element_t<sizeof...(I), all>)&local[0], item);
        });
      })
      .wait_and_throw();
}
template <class... A> static void blocks_apply(void (*k)(A...), void **a) {
  blocks_call(k, a, std::make_index_sequence<sizeof...(A) - 2>());
}
