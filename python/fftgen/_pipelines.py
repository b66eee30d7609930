"""Transforms between other steps, for `python -m fftgen.compare`: windowed ones to decibels, four ways; a picture's filter."""

from __future__ import annotations

import math
import time
from typing import Any, Callable, NamedTuple

import numpy as np

from . import _contenders, _counts, _numba


class Side(NamedTuple):
    """Where arrays are."""

    xp: Any  # NumPy or CuPy
    name: str
    wait: Callable[[], None]
    gpu: bool


def side(gpu: bool) -> Side:
    if not gpu:
        return Side(np, "NumPy", lambda: None, False)
    import cupy

    return Side(cupy, "CuPy", lambda: cupy.cuda.get_current_stream().synchronize(), True)


# ---- windowed transforms -----------------------------------------------------------------------------


def _hann(xp: Any, n: int) -> Any:
    return (0.5 - 0.5 * xp.cos(2 * np.pi * xp.arange(n) / n)).astype(np.float32)


def _apart(xp: Any, x: Any, n: int, kept: Any, floor: float) -> Callable[[], Any]:
    """One function of the library's after another; without a window that is kept, it is built in each call."""
    def run() -> Any:
        w = _hann(xp, n) if kept is None else kept
        return 20 * xp.log10(xp.abs(xp.fft.rfft(x.astype(np.float32) * w)) + np.float32(floor))

    return run


def _callback(xp: Any, x: Any, window: Any, floor: float) -> Callable[[], Any]:
    """cuFFT's callbacks through nvmath-python: a prolog multiplies by the window, an epilog stores decibels as real parts."""
    _numba.lend_names()
    import nvmath

    lengths = len(window)

    def windowed(data: Any, offset: Any, window: Any, unused: Any) -> Any:
        return data[offset] * window[offset % lengths]

    def decibels(out: Any, offset: Any, value: Any, window: Any, unused: Any) -> None:
        out[offset] = complex(20 * math.log10(math.sqrt(value.real * value.real + value.imag * value.imag) + floor), 0)

    prolog = nvmath.fft.compile_prolog(windowed, "float32", "float32")
    epilog = nvmath.fft.compile_epilog(decibels, "complex64", "float32")
    fft = nvmath.fft.FFT(x.astype(np.float32), axes=(1,))
    fft.plan(prolog={"ltoir": prolog, "data": window.data.ptr}, epilog={"ltoir": epilog, "data": window.data.ptr})

    def run() -> Any:
        fft.reset_operand(x.astype(np.float32))
        return fft.execute().real

    return run


def windows(clock: Any, share: float, gpu: bool, quick: bool, measure: Any) -> "dict[str, Any]":
    """A first call's seconds count what has to be made for it: the numbers in the functions are new ones."""
    import fftgen

    here = side(gpu)
    xp = here.xp
    rows: "list[dict[str, Any]]" = []
    names, failed = ["fftgen, one kernel", "window cached", "window rebuilt", "callback", "plain transform"], set()
    sizes = [256, 1024, 4096, 16384][:: 2 if quick else 1]
    for n in sizes:
        whole = 1 << (24 if gpu else 20)
        floor = float(f"{1e-3 * (1 + np.random.default_rng().random()):.12g}")
        hann = fftgen.load(lambda v, k: v * (0.5 - 0.5 * fftgen.cospi(2 * k / fftgen.n)))
        decibels = fftgen.store(lambda v: 20 * fftgen.log10(abs(v) + floor))
        x = xp.asarray(np.random.default_rng(n).integers(0, 255, (whole // n, n)).astype(np.uint8))
        y, w = x.astype(np.float32), _hann(xp, n)
        plan = fftgen.plan(y, "rfft")
        makers: "dict[str, Callable[[], Callable[[], Any]]]" = {
            "fftgen, one kernel": lambda: (lambda: fftgen.rfft(x, load=hann, store=decibels)), "plain transform": lambda: plan,
            "window cached": lambda: _apart(xp, x, n, w, floor), "window rebuilt": lambda: _apart(xp, x, n, None, floor)}
        if gpu and _contenders.there("nvmath"):
            makers["callback"] = lambda: _callback(xp, x, w, floor)
        row: "dict[str, Any]" = {"at": n, "label": f"{n} x {whole // n}", "rate": 2.5 * whole * math.log2(n) / 1e9, "times": {}, "first": {}, "errors": {}}
        wanted = _apart(np, x.get() if gpu else x, n, None, floor)()
        for name, make in makers.items():
            if clock.left() < 0 and row["times"]:
                break
            try:
                begin = time.perf_counter()
                call = make()
                got = call()
                here.wait()
                row["first"][name] = time.perf_counter() - begin
                if name != "plain transform":
                    row["errors"][name] = float(np.abs((got.get() if gpu else got) - wanted).max())
                row["times"][name] = measure(_contenders.Ready(call, here.wait, call), share / len(sizes) / len(makers) * .8, 1e-3 if gpu else 1e-4)
            except Exception as error:  # no kernels here, or no callbacks
                failed.add(f"{name}: {type(error).__name__}: {error}"[:160])
        rows.append(row)
    names = [name for name in names if any(name in row["times"] for row in rows)]
    callbacks = "by cuFFT's callbacks through nvmath-python" if "callback" in names else "no library that is here has callbacks" + ("" if gpu else " on the host")
    table = [[row["label"], *(row["first"].get(name) for name in names)] for row in rows]
    furthest = [[row["label"], *(row["errors"].get(name) for name in names)] for row in rows]
    return {"id": "windows" + ("-gpu" if gpu else ""), "title": "Windowed transforms" + (", GPU" if gpu else ", host"), "x": "points x transforms", "y": "GFLOP/s",
            "text": f"Bytes, times a Hann window, to decibels. Four ways: by {here.name}'s functions one after another, with the window rebuilt in each call or cached; by a "
                    f"callback ({callbacks}); by fftgen's load= and store= in one kernel. The plain transform is fftgen's, of floats, without window and decibels.",
            "contenders": names, "rows": rows, "plotted": False, "plain": ["plain transform"],
            "tables": [{"title": "First calls, with what is compiled for them:", "unit": "s", "names": names, "rows": table},
                       {"title": "Largest difference from NumPy's result, in decibels:", "unit": "", "names": names, "rows": furthest}],
            "left_out": " ".join(sorted(failed))}


# ---- a picture ---------------------------------------------------------------------------------------


def _scene(n: int) -> np.ndarray:
    """A test picture: stripes of many widths, discs, noise."""
    y, x = np.mgrid[0:n, 0:n] / n
    a = 90 + 60 * np.sin(2 * np.pi * 40 * x * x) * (y < .5) + 50 * np.sin(2 * np.pi * (20 * y + 4 * np.sin(6 * x))) * (y >= .5)
    for cx, cy, r, v in ((.25, .3, .12, 60), (.7, .65, .18, -70), (.55, .2, .07, 80)):
        a += v * (((x - cx) ** 2 + (y - cy) ** 2) < r * r)
    return np.clip(a + np.random.default_rng(8).normal(0, 12, a.shape), 0, 255).astype(np.uint8)


def _shrunk(a: np.ndarray, by: int = 4) -> np.ndarray:
    return a.reshape(a.shape[0] // by, by, a.shape[1] // by, by).mean((1, 3)).astype(np.uint8)


def image(clock: Any, share: float, gpu: bool, measure: Any) -> "tuple[dict[str, Any], list[tuple[str, np.ndarray]]]":
    """Bytes to a spectrum's picture, and through a low-pass filter to bytes. The pictures are fftgen's where it makes kernels here."""
    import fftgen

    here = side(gpu)
    xp, n = here.xp, 1024
    scene = _scene(n)
    fy, fx = np.fft.fftfreq(n)[:, None], np.fft.rfftfreq(n)
    low = np.exp(-((fx ** 2 + fy ** 2) / (2 * .03 ** 2))).astype(np.float32)
    x, h = xp.asarray(scene), xp.asarray(low)
    level = fftgen.store(lambda v: 30 * fftgen.log10(abs(v) + 1))
    smooth, whole = fftgen.store(lambda v, i, j: v * h[i, j]), fftgen.store(lambda v: fftgen.clip(v, 0, 255))
    out = xp.empty((n, n), np.uint8)

    def ours() -> Any:
        return fftgen.rfft2(x, store=level), fftgen.irfft2(fftgen.rfft2(x, store=smooth), out=out, store=whole)

    def theirs() -> Any:
        spectrum = xp.fft.rfft2(x.astype(np.float32))
        return 30 * xp.log10(xp.abs(spectrum) + 1), xp.clip(xp.rint(xp.fft.irfft2(spectrum * h, (n, n))), 0, 255).astype(np.uint8)

    times: "dict[str, list[float]]" = {}
    launched, left_out = "", ""
    count = _counts.counter() if gpu else None
    pictures: "dict[str, Any]" = {}
    for name, call in (("fftgen", ours), (here.name, theirs)):
        try:
            ready = _contenders.Ready(call, here.wait, call)
            pictures[name] = [np.asarray(a.get() if gpu else a) for a in call()]
            times[name] = measure(ready, share * .4, 1e-3)
            if count:
                launched += f" {name} launches {count(ready)[0]} kernels."
        except Exception as error:
            left_out += f"{name}: {type(error).__name__}: {error}. "
    half, smoothed = pictures["fftgen" if "fftgen" in pictures else here.name]
    if len(pictures) == 2:
        furthest = int(np.abs(pictures["fftgen"][1].astype(int) - pictures[here.name][1]).max())
        launched += f" The two smoothed pictures differ by {furthest} of 255 at most."
    full = np.concatenate([half, np.roll(half[::-1, ::-1], 1, axis=0)[:, 1:-1]], axis=1)
    shown = np.clip(np.fft.fftshift(full), 0, 255).astype(np.uint8)
    row = {"at": n, "label": "1024 x 1024 bytes", "rate": 1., "times": times}
    return ({"id": "image" + ("-gpu" if gpu else ""), "title": "An image pipeline" + (", GPU" if gpu else ", host"), "x": "picture", "y": "", "plotted": False,
             "text": "A picture of bytes becomes the logarithm of its spectrum, and, through a Gaussian low-pass filter, a picture of bytes again. fftgen's kernels read bytes, "
                     f"multiply by the filter, take logarithms and clamp where they load and store; {here.name} does each step by itself.{launched}",
             "contenders": list(times), "rows": [row], "pictures": True, "left_out": left_out},
            [("the picture", _shrunk(scene)), ("its spectrum", _shrunk(shown)), ("smoothed", _shrunk(smoothed))])
