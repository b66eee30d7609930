"""What functions in loads and stores cost: a changed one, until its results are there; a windowed transform of bytes to decibels, over a plain one, of
arrays that caches hold, and of such that they do not.

usage: python bench/fused.py [--gpu] [CHANGES [SEED]]; without a cache of kernels. --gpu: CuPy's arrays, transforms timed in CUDA graphs."""

import os
import sys
import tempfile
import time

os.environ.setdefault("FFTGEN_CACHE", tempfile.mkdtemp())

import fftgen  # noqa: E402
import numpy as np  # noqa: E402


def best(function, seconds=1.0):
    times, end = [], time.perf_counter() + seconds
    while time.perf_counter() < end or len(times) < 5:
        begin = time.perf_counter()
        function()
        times.append(time.perf_counter() - begin)
    return min(times)


def changes(count, seed, here=lambda x: x, wait=lambda: None):
    rng = np.random.default_rng(seed)
    elapsed, processor = [], []
    for i in range(count + 1):
        n, a, b = int(2 ** rng.integers(6, 13)), rng.uniform(.1, 1), rng.uniform(.1, 1)
        x = here(rng.integers(0, 255, (100, n)).astype(np.uint8))
        window = fftgen.load(lambda v, k: v * (a - b * fftgen.cospi(2 * k / fftgen.n)))
        decibels = fftgen.store(lambda v: 20 * b * fftgen.log10(abs(v) + a))
        wall, cpu = time.perf_counter(), time.process_time()
        fftgen.rfft(x, load=window, store=decibels)
        wait()
        if i:  # the first one loads LLVM
            elapsed.append(1e3 * (time.perf_counter() - wall))
            processor.append(1e3 * (time.process_time() - cpu))
    for name, ms in (("elapsed", elapsed), ("of the processors", processor)):
        print(f"a changed function, {name}: median {np.median(ms):.0f} ms, most {max(ms):.0f}")


def transforms():
    hann = fftgen.load(lambda v, k: v * (0.5 - 0.5 * fftgen.cospi(2 * k / fftgen.n)))
    decibels = fftgen.store(lambda v: 20 * fftgen.log10(abs(v) + 1e-3))
    for n, points in ((n, points) for points in (1 << 20, 1 << 25) for n in (256, 1024, 4096)):
        x = np.random.default_rng(3).integers(0, 255, points // n * n).astype(np.uint8).reshape(-1, n)
        y = x.astype(np.float32)
        window = (0.5 - 0.5 * np.cos(2 * np.pi * np.arange(n) / n)).astype(np.float32)
        plain, fused = fftgen.plan(y, "rfft"), fftgen.plan(x, "rfft", load=hann, store=decibels)
        out = np.empty((len(x), n // 2 + 1), np.float32)
        separate = lambda: 20 * np.log10(np.abs(fftgen.rfft(x.astype(np.float32) * window)) + np.float32(1e-3))
        one, all, apart = best(plain), best(lambda: fused(x, out)), best(separate, .5)
        print(f"n = {n}, {points >> 20} Mi elements: {1e3 * all:.2f} ms fused, {all / one:.2f} of the plain transform, {apart / all:.1f} times as fast as separate steps")


def transforms_on_gpu(cupy):
    import gpu  # beside this file

    def seconds(plan, x, out):
        return gpu.of_cupy(lambda call: call(), [lambda: plan(x, out)] * 2)

    hann = fftgen.load(lambda v, k: v * (0.5 - 0.5 * fftgen.cospi(2 * k / fftgen.n)))
    decibels = fftgen.store(lambda v: 20 * fftgen.log10(abs(v) + 1e-3))
    for n in (256, 1024, 4096, 16384):
        x = cupy.random.randint(0, 255, ((1 << 26) // n, n)).astype(np.uint8)
        y, shape = x.astype(np.float32), (len(x), n // 2 + 1)
        spectrum, levels = cupy.empty(shape, np.complex64), cupy.empty(shape, np.float32)
        plain = seconds(fftgen.plan(y, "rfft"), y, spectrum)
        all = seconds(fftgen.plan(x, "rfft", load=hann, store=decibels), x, levels)
        print(f"n = {n}, 64 Mi elements: {1e6 * all:.1f} us fused, {all / plain:.2f} of the plain transform")


def main(arguments):
    if "--gpu" in arguments:
        import cupy

        arguments = [word for word in arguments if word != "--gpu"]
        place, run = (cupy.asarray, cupy.cuda.get_current_stream().synchronize), lambda: transforms_on_gpu(cupy)
    else:
        place, run = (), transforms
    changes(int(arguments[0]) if arguments else 20, int(arguments[1]) if len(arguments) > 1 else 35, *place)
    run()


if __name__ == "__main__":
    main(sys.argv[1:])
