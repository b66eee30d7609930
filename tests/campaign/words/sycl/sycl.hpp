/* SYCL 2020 on a CPU: what emitted kernels and launchers use of it, for g++. In: the engine of ../../blocks.h. A queue runs
 * what it is given at once. Whether a SYCL compiler takes the text, only one tells (tests/device/sycl.sh). */
#ifndef CAMPAIGN_WORDS_SYCL_H
#define CAMPAIGN_WORDS_SYCL_H
#include "blocks.h"
#include "blocks_half.h"
#include <cmath>
#include <tuple>
#include <type_traits>
#include <vector>

namespace sycl {

class half {
  unsigned short bits_;

public:
  half() = default;
  half(float x) : bits_(blocks_to_f16(x)) {}
  operator float() const { return blocks_from_f16(bits_); }
};
struct alignas(16) float4 {
  float s[4];
};

template <int D> struct range {
  size_t size;
  range(size_t n) : size(n) {}
};
template <int D> struct nd_range {
  size_t global, local;
  nd_range(range<D> g, range<D> l) : global(g.size), local(l.size) {}
};
template <int D> struct group {};
struct sub_group {};
template <int D> struct nd_item {
  size_t get_local_id(int) const { return threadIdx.x; }
  size_t get_group(int) const { return blockIdx.x; }
  group<D> get_group() const { return {}; }
  sub_group get_sub_group() const { return {}; }
};
/* Of sub-groups of 32. */
template <class T> T permute_group_by_xor(sub_group, T x, int bits) { return blocks_from_lane(x, bits); }
template <int D> void group_barrier(group<D>) { blocks_barrier(); }

template <class T, class U> T bit_cast(const U &x) {
  static_assert(sizeof(T) == sizeof(U), "as many bits");
  T y;
  memcpy(&y, &x, sizeof y);
  return y;
}
template <class T> T sqrt(T x) { return std::sqrt(x); }
template <class T> T log10(T x) { return std::log10(x); }
template <class T> T log(T x) { return std::log(x); }
template <class T> T exp(T x) { return std::exp(x); }
template <class T> T fabs(T x) { return std::fabs(x); }
template <class T> T fmin(T x, T y) { return std::fmin(x, y); }
template <class T> T fmax(T x, T y) { return std::fmax(x, y); }
template <class T> T rint(T x) { return std::rint(x); }

/* ---- what launchers use ---------------------------------------------------------------------------- */

struct event {
  void wait() {}
};
class handler {
public:
  size_t local_bytes = 0;
  void depends_on(const std::vector<event> &) {}
  template <class F> void parallel_for(nd_range<1> r, const F &kernel) {
    static const F *now;
    now = &kernel;
    if (!r.local || r.global % r.local) blocks_fail("a grid that is no multiple of its blocks");
    blocks_kernel = [](void **) { (*now)(nd_item<1>()); };
    blockDim.x = (unsigned)r.local, gridDim.x = (unsigned)(r.global / r.local);
    blocks_run(gridDim.x, 1, local_bytes);
  }
};
template <class T, int D> struct local_accessor {
  size_t at;
  local_accessor(range<D> n, handler &h) : at(h.local_bytes) { h.local_bytes += n.size * sizeof(T); }
  T &operator[](size_t i) const { return ((T *)(blocks_shared() + at))[i]; }
};
class queue {
public:
  template <class F> event submit(const F &f) {
    handler h;
    f(h);
    return {};
  }
  event memcpy(void *to, const void *from, size_t bytes) { return ::memcpy(to, from, bytes), event(); }
};
template <class T> T *malloc_device(size_t count, const queue &) { return (T *)aligned_alloc(64, (count * sizeof(T) + 63) / 64 * 64); }
template <class T> T *malloc_shared(size_t count, const queue &q) { return malloc_device<T>(count, q); }
inline void free(void *p, const queue &) { ::free(p); }

} // namespace sycl

/* The last two arguments of a kernel are its shared memory and its item. */
template <class... A, size_t... I> static void blocks_call(void (*k)(A...), void **a, std::index_sequence<I...>) {
  using all = std::tuple<A...>;
  k(*(std::remove_const_t<std::tuple_element_t<I, all>> *)a[I]...,
    (std::tuple_element_t<sizeof...(I), all>)blocks_shared(), sycl::nd_item<1>());
}
template <class... A> static void blocks_apply(void (*k)(A...), void **a) {
  blocks_call(k, a, std::make_index_sequence<sizeof...(A) - 2>());
}
#endif
