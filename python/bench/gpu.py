"""Drawn shapes on a GPU: fftgen beside CuPy, PyTorch, JAX and pyvkfft, and what a call costs beyond the launch.
usage: python python/bench/gpu.py [COUNT [SEED [FILE]]]

Transforms of one to three dimensions, 2^10 to 2^26 elements, complex and real, both precisions, along the last axes or any. Each function
returns an array; its time is that of a CUDA graph of several calls on inputs that together are larger than L2, medians of replays, so
that what Python takes is left out (JAX: of calls that are waited for together). Errors are compared with CuPy's in double.
Prints a markdown table: microseconds of fftgen's function, times of others over ours. Then what one call of a small transform takes the host, in bursts
that the queue holds, beside a launch of an empty kernel by the driver. FILE gets all of it as JSON.
"""

import ctypes
import json
import os
import platform
import statistics
import subprocess
import sys
import tempfile
import time

import cupy
import fftgen
import numpy as np

try:
    import torch
except ImportError:
    torch = None
try:
    os.environ.setdefault("XLA_PYTHON_CLIENT_PREALLOCATE", "false")  # the others want memory, too
    import jax

    jax.config.update("jax_enable_x64", True)
except ImportError:
    jax = None
try:
    import pyvkfft.fft as vkfft
except ImportError:
    vkfft = None

SETS, INPUTS, REPLAYS, CALLS = 8, 256 << 20, 15, 16  # input sets at most; bytes of them, replays, calls of a graph
BURST, BURSTS = 300, 30


# ---- shapes ------------------------------------------------------------------------------------------


def smooth(rng, most):
    """A length: a power of 2, a product of 2, 3, 5, 7, or any."""
    n = int(2 ** rng.uniform(3, np.log2(max(9, most))))
    form = rng.integers(0, 4)
    if form < 2:
        return 1 << (n.bit_length() - 1)
    if form == 2:
        while largest_factor(n) > 7:
            n -= 1
    return n


def largest_factor(n):
    p, most = 2, 1
    while p * p <= n:
        while n % p == 0:
            n, most = n // p, p
        p += 1
    return max(most, n) if n > 1 else most


def draw(rng):
    name = str(rng.choice(["fft", "ifft", "rfft", "irfft"]))
    total, dimensions = 2 ** rng.uniform(10, 26), int(rng.choice([1, 1, 1, 2, 3]))
    shape, left = [], total
    for i in range(dimensions):
        share = left ** rng.uniform(.2, .9) if dimensions == 1 else left ** (1 / (dimensions - i))
        shape.append(smooth(rng, min(share, 1 << 22)))
        left = max(1, left / shape[-1])
    axes = list(range(dimensions))
    if left >= 2:  # a batch, before or behind
        where = int(rng.integers(0, 4) == 0) * dimensions
        shape.insert(where, int(left))
        axes = [a + (where == 0) for a in axes]
    return name, tuple(shape), tuple(axes), str(rng.choice(["f4", "f4", "f8"]))


def array(rng, name, shape, axes, real):
    half = tuple(n // 2 + 1 if i == axes[-1] else n for i, n in enumerate(shape))
    x = cupy.random.default_rng(int(rng.integers(1 << 30))).standard_normal(half if name == "irfft" else shape, dtype=real)
    return x if name == "rfft" else (x + 1j * x[..., ::-1]).astype("c" + str(2 * int(real[1])))


# ---- times -------------------------------------------------------------------------------------------


def replay_time(capture, launch, event):
    """Seconds of a call, of graphs that `capture` makes of CALLS of them."""
    capture()
    times = []
    for i in range(REPLAYS + 2):
        first, last = event(), event()
        first.record()
        launch()
        last.record()
        last.synchronize()
        times.append(cupy.cuda.get_elapsed_time(first, last) / CALLS / 1e3)
    return statistics.median(times[2:])


def of_cupy(function, inputs):
    stream = cupy.cuda.Stream(non_blocking=True)
    with stream:
        for _ in range(2):
            results = [function(x) for x in inputs]
        stream.synchronize()
        graph = None

        def capture():
            nonlocal graph
            stream.begin_capture()
            try:
                for i in range(CALLS):
                    results[i % len(inputs)] = function(inputs[i % len(inputs)])
            finally:
                graph = stream.end_capture()

        return replay_time(capture, lambda: graph.launch(stream), cupy.cuda.Event)


def of_torch(function, inputs):
    stream = torch.cuda.Stream()
    with torch.cuda.stream(stream), cupy.cuda.ExternalStream(stream.cuda_stream):
        for x in inputs:
            function(x)
        graph = torch.cuda.CUDAGraph()

        def capture():
            torch.cuda.synchronize()
            with torch.cuda.graph(graph, stream=stream):
                for i in range(CALLS):
                    function(inputs[i % len(inputs)])

        return replay_time(capture, graph.replay, cupy.cuda.Event)


def of_jax(function, inputs):
    compiled = jax.jit(function)
    jax.block_until_ready([compiled(x) for x in inputs])
    times = []
    for _ in range(5):
        start = time.perf_counter()
        jax.block_until_ready([compiled(inputs[i % len(inputs)]) for i in range(CALLS)])
        times.append((time.perf_counter() - start) / CALLS)
    return min(times)


def attempt(kind, function, inputs):
    try:
        return kind(function, inputs)
    except Exception as error:
        print(f"  {kind.__name__}: {type(error).__name__}: {error}"[:150], file=sys.stderr, flush=True)
        cupy.cuda.Device().synchronize()
        return None


def functions(name, shape, axes):
    """By library: a function of an array, of its arrays."""
    many = name + "n"
    s = [shape[a] for a in axes]
    more = {"s": s, "axes": axes}
    all = {"fftgen": (of_cupy, lambda x: getattr(fftgen, many)(x, **more)), "cupy": (of_cupy, lambda x: getattr(cupy.fft, many)(x, **more))}
    if torch:
        all["torch"] = (of_torch, lambda x: getattr(torch.fft, many)(x, s=s, dim=axes))
    if jax and len(axes) <= 3:
        all["jax"] = (of_jax, lambda x: getattr(jax.numpy.fft, many)(x, **more))
    if vkfft and name in ("fft", "ifft"):
        all["vkfft"] = (of_cupy, lambda x: getattr(vkfft, many)(x, axes=axes))
    return all


def measure(rng, name, shape, axes, real):
    x = array(rng, name, shape, axes, real)
    inputs = [x] + [x + 0 for _ in range(min(SETS, INPUTS // max(1, x.nbytes)) - 1)]
    got = getattr(fftgen, name + "n")(x, s=[shape[a] for a in axes], axes=axes)
    wanted = getattr(cupy.fft, name + "n")(x.astype("c16" if x.dtype.kind == "c" else "f8"), s=[shape[a] for a in axes], axes=axes)
    error = float(cupy.linalg.norm((got - wanted).ravel()) / cupy.linalg.norm(wanted.ravel()))
    assert error < (2e-6 if real == "f4" else 1e-13), error
    del got, wanted
    times = {}
    for library, (kind, function) in functions(name, shape, axes).items():
        own = inputs
        if library == "torch":
            own = [torch.from_dlpack(v) for v in inputs]
        elif library == "jax":
            own = [jax.dlpack.from_dlpack(v) for v in inputs]
        times[library] = attempt(kind, function, own)
    return times


# ---- calls -------------------------------------------------------------------------------------------

LAUNCHES = r"""
#include <time.h>
int cuLaunchKernel(void *, unsigned, unsigned, unsigned, unsigned, unsigned, unsigned, unsigned, void *, void **, void **);
double launches(void *f, int count) {
  struct timespec a, b;
  unsigned long long in = 0, out = 0;
  void *arguments[] = {&in, &out};
  clock_gettime(CLOCK_MONOTONIC, &a);
  for (int i = 0; i < count; i++) cuLaunchKernel(f, 16, 1, 1, 32, 1, 1, 0, 0, arguments, 0);
  clock_gettime(CLOCK_MONOTONIC, &b);
  return ((b.tv_sec - a.tv_sec) + (b.tv_nsec - a.tv_nsec) * 1e-9) / count;
}
"""


def bursts(burst):
    times = []
    for _ in range(BURSTS):
        cupy.cuda.Device().synchronize()
        times.append(burst())
    return statistics.median(times)


def calls(function):
    def burst():
        start = time.perf_counter()
        for _ in range(BURST):
            function()
        return (time.perf_counter() - start) / BURST

    function()
    return bursts(burst)


def bare_launch():
    with tempfile.NamedTemporaryFile("w", suffix=".c") as source, tempfile.NamedTemporaryFile(suffix=".so") as library:
        source.write(LAUNCHES)
        source.flush()
        subprocess.run(["gcc", "-O2", "-shared", "-fPIC", source.name, "-o", library.name], check=True)
        ctypes.CDLL("libcuda.so.1", ctypes.RTLD_GLOBAL)
        launches = ctypes.CDLL(library.name).launches
    launches.restype, launches.argtypes = ctypes.c_double, [ctypes.c_void_p, ctypes.c_int]
    kernel = cupy.RawKernel('extern "C" __global__ void empty(const float *in, float *out) {}', "empty")
    return bursts(lambda: launches(kernel.kernel.ptr, BURST))


def call_costs():
    x = cupy.zeros((16, 8), "c8")
    out = cupy.empty_like(x)
    all = {"a launch by the driver": bare_launch, "fftgen, CuPy, out=": lambda: calls(lambda: fftgen.fft(x, out=out)),
           "fftgen, CuPy": lambda: calls(lambda: fftgen.fft(x)), "cupy.ndarray(shape, dtype)": lambda: calls(lambda: cupy.ndarray((16, 8), np.complex64)),
           "cupy.fft.fft": lambda: calls(lambda: cupy.fft.fft(x))}
    if torch:
        t = torch.zeros((16, 8), dtype=torch.complex64, device="cuda")
        to = torch.empty_like(t)
        all.update({"fftgen, PyTorch, out=": lambda: calls(lambda: fftgen.fft(t, out=to)), "fftgen, PyTorch": lambda: calls(lambda: fftgen.fft(t)),
                    "torch.empty_like": lambda: calls(lambda: torch.empty_like(t)), "torch.fft.fft": lambda: calls(lambda: torch.fft.fft(t))})
    return {what: attempt_cost(what, measure) for what, measure in all.items()}


def attempt_cost(what, measure):
    try:
        return measure()
    except Exception as error:
        print(f"  {what}: {type(error).__name__}: {error}"[:150], file=sys.stderr, flush=True)
        return None


# ---- all ---------------------------------------------------------------------------------------------


def mean(ratios):
    return float(np.exp(np.mean(np.log(ratios))))


def main(count, seed, file=None):
    rng = np.random.default_rng(seed)
    card = cupy.cuda.runtime.getDeviceProperties(0)["name"].decode()
    others = ["cupy"] + ["torch"] * bool(torch) + ["jax"] * bool(jax) + ["vkfft"] * bool(vkfft)
    costs = call_costs()
    base = costs["a launch by the driver"] or 0
    for what, seconds in costs.items():
        if seconds is not None:
            print(f"{what}: {seconds * 1e6:.2f} us" + (f", over the launch {(seconds - base) * 1e6:.2f}" if what.startswith("fftgen") else ""), flush=True)
    rows = []
    for _ in range(count):
        problem = draw(rng)
        times = measure(rng, *problem)
        cupy.get_default_memory_pool().free_all_blocks()
        if torch:
            torch.cuda.empty_cache()
        rows.append((problem, times))
        name, shape, axes, real = problem
        print(f"| {name} {real} {'x'.join(map(str, shape))} along {','.join(map(str, axes))} | {(times['fftgen'] or 0) * 1e6:.2f} | " +
              " | ".join(f"{times[k] / times['fftgen']:.2f}" if times.get(k) and times["fftgen"] else "" for k in others) + " |", flush=True)
    for k in others + ["best"]:
        pairs = []
        for problem, t in rows:
            theirs = [t[o] for o in (others if k == "best" else [k]) if t.get(o)]
            if theirs and t["fftgen"]:
                pairs.append((min(theirs) / t["fftgen"], problem))
        if pairs:
            worst = min(pairs)
            print(f"{'the best of them' if k == 'best' else k}: {mean([p[0] for p in pairs]):.2f}, worst {worst[0]:.2f} ({worst[1]}), of {len(pairs)}")
    versions = f"CuPy {cupy.__version__}" + (f", PyTorch {torch.__version__}" if torch else "") + (f", JAX {jax.__version__}" if jax else "")
    print(f"seed {seed}, {card}, driver for CUDA {cupy.cuda.runtime.driverGetVersion()}, Python {platform.python_version()}, {versions}")
    if file:
        with open(file, "w", encoding="utf-8") as to:
            json.dump({"card": card, "seed": seed, "versions": versions, "costs": costs, "rows": rows}, to)


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 40, int(sys.argv[2]) if len(sys.argv) > 2 else 34, sys.argv[3] if len(sys.argv) > 3 else None)
