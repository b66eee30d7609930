"""Drawn shapes: fftgen beside scipy.fft, mkl_fft and pyFFTW. usage: python python/bench/drawn.py [COUNT [SEED]]

Transforms of one to three dimensions and up to 2^20 elements, complex and real, both precisions, along the last axes or any.
Processor time of one thread, all of them in turn, medians of 9 rounds. fftgen's functions are compared with those of scipy.fft and mkl_fft, which
return arrays, too; plans of fftgen's, without and with tune=1, with pyFFTW's objects (FFTW_MEASURE), all executed into arrays of their own
and without a factor.
Prints a markdown table: microseconds of fftgen's function, and times of others over ours.
"""

import platform
import statistics
import sys
import time

import fftgen
import numpy as np
import scipy.fft

try:
    import mkl_fft.interfaces.scipy_fft as mkl
except ImportError:
    mkl = None
try:
    import pyfftw
except ImportError:
    pyfftw = None

ROUNDS, SAMPLE, LONG = 9, 2e-3, 1e-5


def smooth(rng, most):
    """A length: a power of 2, a product of 2, 3, 5, 7, or any."""
    n = int(2 ** rng.uniform(2, np.log2(most)))
    form = rng.integers(0, 3)
    if form == 0:
        return 1 << (n.bit_length() - 1)
    if form == 1:
        return scipy.fft.next_fast_len(n, real=True)
    return n


def draw(rng):
    name = str(rng.choice(["fft", "ifft", "rfft", "irfft"]))
    dimensions = int(rng.choice([1, 1, 1, 2, 3]))
    shape, left = [], 2 ** rng.uniform(4, 20)
    for i in range(dimensions):
        n = smooth(rng, max(5, left if i == dimensions - 1 and dimensions == 1 else left ** rng.uniform(.3, .7)))
        shape.append(n)
        left = max(1, left / n)
    axes = list(range(dimensions))
    if dimensions == 1 and rng.integers(0, 2):  # a batch, along the rows or the columns
        shape.insert(int(rng.integers(0, 2)), max(1, int(left ** rng.uniform(.5, 1)) if left > 1 else int(2 ** rng.uniform(1, 8))))
        axes = [int(np.argmax(shape))] if rng.integers(0, 2) else [1]
    return name, tuple(shape), tuple(axes), str(rng.choice(["f4", "f8"]))


def arrays(rng, name, shape, axes, real):
    last = axes[-1]
    half = tuple(n // 2 + 1 if i == last else n for i, n in enumerate(shape))
    x = rng.standard_normal(half if name == "irfft" else shape)
    if name != "rfft":
        x = x + 1j * rng.standard_normal(x.shape)
    return x.astype(real if name == "rfft" else "c" + str(2 * int(real[1])))


def fftw_object(name, x, out, axes):
    a, b = pyfftw.empty_aligned(x.shape, x.dtype), pyfftw.empty_aligned(out.shape, out.dtype)
    direction = "FFTW_BACKWARD" if name.startswith("i") else "FFTW_FORWARD"
    plan = pyfftw.FFTW(a, b, axes=axes, direction=direction, flags=("FFTW_MEASURE",), threads=1)
    a[:] = x
    return plan.execute


def sample(function, count):
    start = time.process_time()
    for _ in range(count):
        function()
    return (time.process_time() - start) / count


def compete(functions):
    """Seconds of each: medians of rounds in which all take turns."""
    counts = []
    for f in functions:
        f()
        count = 1
        while sample(f, count) * count < SAMPLE:
            count *= 2
        counts.append(count)
    rounds = [[sample(f, c) for f, c in zip(functions, counts)] for _ in range(ROUNDS)]
    return [statistics.median(r[i] for r in rounds) for i in range(len(functions))]


def measure(rng, name, shape, axes, real):
    x = arrays(rng, name, shape, axes, real)
    function = name if len(axes) == 1 else name + "n"
    last = {"n": shape[axes[0]], "axis": axes[0]} if len(axes) == 1 else {"s": [shape[a] for a in axes], "axes": axes}
    own, theirs = getattr(fftgen, function), getattr(scipy.fft, function)
    out = own(x, **last)
    assert np.abs(out - theirs(x, **last)).max() <= 1e-3 * (1 + np.abs(out).max())
    tries = {"fftgen": lambda: own(x, **last), "scipy": lambda: theirs(x, **last)}
    lengths = last.get("s", [last.get("n")])
    plans = [fftgen.plan(x, name, axes, s=lengths, norm="forward" if name.startswith("i") else None, out=out, tune=tune) for tune in (0, 1)]
    if name != "irfft":  # lengths that x says
        last.pop("n", None), last.pop("s", None)
    if mkl:
        other = getattr(mkl, function)
        tries["mkl"] = lambda: other(x, workers=1, **last)
    if pyfftw:
        tries.update({"plan": plans[0].execute, "tuned": plans[1].execute, "pyfftw": fftw_object(name, x, out, axes)})
    return dict(zip(tries, compete(list(tries.values()))))


def mean(ratios):
    return float(np.exp(np.mean(np.log(ratios))))


def main(count, seed):
    rng = np.random.default_rng(seed)
    rows, all_ratios = [], {"scipy": [], "mkl": [], "pyfftw": [], "pyfftw, tuned": [], "better": []}
    for _ in range(count):
        problem = draw(rng)
        t = measure(rng, *problem)
        ratio = {"scipy": t["scipy"] / t["fftgen"]}
        if "mkl" in t:
            ratio["mkl"] = t["mkl"] / t["fftgen"]
        if "pyfftw" in t:
            ratio["pyfftw"], ratio["pyfftw, tuned"] = t["pyfftw"] / t["plan"], t["pyfftw"] / t["tuned"]
        if len(ratio) > 1:
            ratio["better"] = min(ratio[k] for k in ("mkl", "pyfftw, tuned") if k in ratio)
        for k, v in ratio.items():
            all_ratios[k].append(v)
        rows.append((problem, t["fftgen"], ratio))
        name, shape, axes, real = problem
        print(f"| {name} {real} {'x'.join(map(str, shape))} along {','.join(map(str, axes))} | {t['fftgen'] * 1e6:.2f} | " +
              " | ".join(f"{ratio[k]:.2f}" if k in ratio else "" for k in ("scipy", "mkl", "pyfftw", "pyfftw, tuned")) + " |", flush=True)
    for k, v in all_ratios.items():
        long = [r for r, row in zip(v, rows) if row[1] > LONG]
        if long:
            print(f"{k}: {mean(v):.2f}, worst {min(v):.2f}, below .9: {sum(r < .9 for r in v)} of {len(v)}; "
                  f"the {len(long)} of more than {LONG * 1e6:.0f} us: {mean(long):.2f}")
    print(f"seed {seed}, {platform.machine()}, NumPy {np.__version__}, SciPy {scipy.__version__}")


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 40, int(sys.argv[2]) if len(sys.argv) > 2 else 34)
