"""python -m fftgen.compare [--quick] [-o PAGE.html]: fftgen beside the FFT libraries that are installed here, as one HTML page.

    --quick          fewer sizes and runs: some 3 minutes in place of some 9
    --seconds S      the time that it may take
    --device WHICH   host, gpu, or both (by default: what there is)
    --tune S         also kernels of fftgen's on the host that S seconds each were spent on
    --json FILE      the data beside the page

Libraries run with one thread on the host. Each time is of a call that returns its result, the median of up to 50 runs; pyFFTW's and pyvkfft's objects,
and fftgen's plans, store into arrays of their own.
"""

from __future__ import annotations

import argparse
import datetime
import json
import math
import os
import platform
import sys
import time
import zlib
from typing import Any, Callable, NamedTuple, Optional

import numpy as np

from . import _contenders, _page

_LONG = np.finfo(np.longdouble).nmant > 60


class Clock:
    """What is left of the time, and how much a measurement may take."""

    def __init__(self, seconds: float) -> None:
        self.end, self.total = time.perf_counter() + seconds, seconds

    def left(self) -> float:
        return self.end - time.perf_counter()


def measure(ready: "_contenders.Ready", seconds: float, least: float, runs: int = 50) -> "list[float]":
    """Seconds of a call: of so many calls one after another that a run takes `least` seconds."""
    ready.run()
    ready.wait()
    begin = time.perf_counter()
    ready.run()
    ready.wait()
    one = max(time.perf_counter() - begin, 1e-8)
    calls, times, end = max(1, math.ceil(least / one)), [], time.perf_counter() + seconds
    if one > seconds:
        return [one]
    while len(times) < runs and (len(times) < 3 or time.perf_counter() < end):
        begin = time.perf_counter()
        for _ in range(calls):
            ready.run()
        ready.wait()
        times.append((time.perf_counter() - begin) / calls)
    return times


# ---- what is measured --------------------------------------------------------------------------------


class Point(NamedTuple):
    at: float
    label: str
    shape: "tuple[int, ...]"
    axes: "tuple[int, ...]"
    name: str = "fft"
    dtype: str = "c8"


class Plan(NamedTuple):
    id: str
    title: str
    text: str
    x: str
    points: "list[Point]"
    share: float  # of the time
    errors: bool = False
    log: bool = True


def _powers(first: int, last: int, step: int) -> "list[int]":
    return [1 << k for k in range(first, last + 1, step)]


def _name(n: int) -> str:
    return f"2^{n.bit_length() - 1}" if n & (n - 1) == 0 and n > 8 else str(n)


def _awkward(quick: bool) -> "list[int]":
    drawn = np.random.default_rng(2024).integers(1024, 4096, 12 if quick else 40)
    return sorted({1024, 1025, 1031, 1331, 2000, 2187, 2310, 3000, 3125, 4093, 4095, *map(int, drawn)})


def plans(quick: bool, gpu: bool) -> "list[Plan]":
    largest, square = (24 if quick else 25, 12 if quick else 13) if gpu else (20 if quick else 25, 10 if quick else 13)
    whole = 1 << (22 if gpu else 20)
    step = 2 if quick else 1
    one = [Point(n, _name(n), (n,), (0,)) for n in _powers(2, largest, step)]
    constant = [Point(n, f"{_name(n)} x {_name(whole // n)}", (whole // n, n), (1,)) for n in _powers(2, 18, 2 * step)]
    batches = [Point(b, _name(b), (b, 4096), (1,)) for b in _powers(0, 12 if gpu else 8, step)]
    count = max(1, whole >> 13)
    awkward = [Point(n, str(n), (count, n), (1,)) for n in _awkward(quick)]
    planes = [Point(n, f"{_name(n)} x {_name(n)}", (n, n), (0, 1)) for n in _powers(2, square, step)]
    kinds = [Point(i, f"{title}, {_name(n)}", (max(1, whole // 4 // n), n), (1,), name, dtype) for i, (title, name, dtype, n) in enumerate(
        (title, name, dtype, n) for title, name, dtype in (("complex64", "fft", "c8"), ("complex128", "fft", "c16"), ("float32", "rfft", "f4"), ("float64", "rfft", "f8"))
        for n in ((256, 4096) if quick else (256, 4096, 65536)))]
    return [
        Plan("one", "One transform", "Complex numbers in single precision, of 2^2 points and more.", "points", one, .24, errors=True),
        Plan("constant", "Batches of constant size", f"{_name(whole)} complex numbers of single precision, divided into transforms of n points.", "points", constant, .12),
        Plan("batches", "Batches of a constant length", "b transforms of 4096 points, complex numbers in single precision.", "transforms", batches, .1),
        Plan("awkward", "Awkward lengths", f"{count} transforms of lengths between 1024 and 4096, among them primes; complex numbers in single precision.", "points", awkward, .18, log=False),
        Plan("planes", "Two dimensions", "n x n complex numbers in single precision.", "points of a side", planes, .14),
        Plan("kinds", "Precisions and real numbers", "The same numbers of elements in single and double precision, complex and real; with errors.", "type, points", kinds, .12, errors=True, log=False),
    ]


def _numbers(p: Point) -> np.ndarray:
    rng = np.random.default_rng(zlib.crc32(repr(p).encode()))
    x = rng.standard_normal(p.shape, np.float32)
    return (x + 1j * rng.standard_normal(p.shape, np.float32) if p.dtype[0] == "c" else x).astype(p.dtype)


def _reference(p: Point, x: np.ndarray) -> Optional[np.ndarray]:
    """In extended precision, of the first transforms."""
    if not _LONG or math.prod(p.shape) > 1 << 23:
        return None
    try:
        import scipy.fft
    except ImportError:
        return None
    part = x[:8] if len(p.shape) > len(p.axes) else x
    f = getattr(scipy.fft, p.name + "n")
    return f(part.astype(np.clongdouble if p.dtype[0] == "c" else np.longdouble), axes=p.axes)


def _error(result: np.ndarray, wanted: np.ndarray) -> float:
    wanted = wanted.astype(np.clongdouble)
    difference = result[:len(wanted)].reshape(wanted.shape) - wanted
    return float(np.sqrt((np.abs(difference) ** 2).sum() / (np.abs(wanted) ** 2).sum()))


def _flops(p: Point) -> float:
    points = math.prod(p.shape[a] for a in p.axes)
    return (2.5 if p.name == "rfft" else 5) * math.prod(p.shape) * math.log2(max(points, 2)) / 1e9


def section(plan: Plan, contenders: "list[Any]", clock: Clock, share: float, gpu: bool, say: Callable[[str], None]) -> "dict[str, Any]":
    """Rows of one plan; points that the time does not suffice for are left out, and counted."""
    end = time.perf_counter() + min(share, max(0., clock.left()))
    rows: "list[dict[str, Any]]" = []
    skipped, failed = 0, set()
    spread = [*plan.points[::4], *plan.points[2::4], *plan.points[1::2]]  # what time leaves out is everywhere, not at one end
    for i, p in enumerate(spread):
        left = end - time.perf_counter()
        if left < .02 * share and i:
            skipped = len(plan.points) - i
            break
        each = max(.01, min(1., left / (len(plan.points) - i) / len(contenders) * .6))
        x = _numbers(p)
        row: "dict[str, Any]" = {"at": p.at, "label": p.label, "rate": _flops(p), "times": {}, "shape": p.shape, "dtype": p.dtype}
        wanted = _reference(p, x) if plan.errors else None
        for c in contenders:
            try:
                ready = c.prepare(_contenders.Case(p.name, x, p.axes))
                if ready is None:
                    continue
                row["times"][c.name] = [float(f"{t:.4g}") for t in measure(ready, each, 1e-3 if gpu else 5e-5)]
                if wanted is not None:
                    row.setdefault("errors", {})[c.name] = _error(ready.result(), wanted)
            except Exception as error:  # a library that refuses a size, or has no memory
                failed.add(f"{c.name}: {type(error).__name__}")
        rows.append(row)
    rows.sort(key=lambda row: row["at"])
    say(f"{plan.title}: {len(rows)} of {len(plan.points)} rows")
    left_out = [f"{skipped} rows are left out for time."] if skipped else []
    left_out += [f"Refused some: {', '.join(sorted(failed))}."] if failed else []
    return {"id": plan.id + ("-gpu" if gpu else ""), "title": plan.title + (", GPU" if gpu else ", host"), "text": plan.text, "x": plan.x, "y": "5 n log2 n / time, GFLOP/s",
            "log": plan.log, "contenders": [c.name for c in contenders], "rows": rows, "left_out": " ".join(left_out),
            "reference": "a transform in extended precision (64 bits)" if plan.errors else "", "plotted": plan.id != "kinds"}


# ---- windowed transforms, and an image ---------------------------------------------------------------


def _windowed(xp: Any, x: Any, n: int, f: Callable[[Any], Any], window: Any) -> Callable[[], Any]:
    def run() -> Any:
        w = window if window is not None else (0.5 - 0.5 * xp.cos(2 * np.pi * xp.arange(n) / n)).astype(np.float32)
        return 20 * xp.log10(xp.abs(f(x.astype(np.float32) * w)) + np.float32(1e-3))

    return run


def _here(gpu: bool) -> "tuple[Any, Callable[[], None]]":
    """The module of arrays, and how to wait."""
    if not gpu:
        return np, lambda: None
    import cupy

    return cupy, lambda: cupy.cuda.get_current_stream().synchronize()


def windows(clock: Clock, share: float, gpu: bool, quick: bool) -> "dict[str, Any]":
    import fftgen

    xp, wait = _here(gpu)
    hann = fftgen.load(lambda v, k: v * (0.5 - 0.5 * fftgen.cospi(2 * k / fftgen.n)))
    decibels = fftgen.store(lambda v: 20 * fftgen.log10(abs(v) + 1e-3))
    rows, names = [], ["fftgen, one kernel", "window kept", "window rebuilt", "plain transform"]
    sizes = [256, 1024, 4096, 16384][:: 2 if quick else 1]
    other = getattr(xp.fft, "rfft")
    for n in sizes:
        whole = 1 << (24 if gpu else 20)
        x = xp.asarray(np.random.default_rng(n).integers(0, 255, (whole // n, n)).astype(np.uint8))
        y, w = x.astype(np.float32), xp.asarray((.5 - .5 * np.cos(2 * np.pi * np.arange(n) / n)).astype(np.float32))
        calls = {"plain transform": lambda: fftgen.rfft(y), "window kept": _windowed(xp, x, n, other, w), "window rebuilt": _windowed(xp, x, n, other, None),
                 "fftgen, one kernel": lambda: fftgen.rfft(x, load=hann, store=decibels)}
        row: "dict[str, Any]" = {"at": n, "label": f"{n} x {whole // n}", "rate": 2.5 * whole * math.log2(n) / 1e9, "times": {}}
        for name, call in calls.items():
            try:
                row["times"][name] = measure(_contenders.Ready(call, wait, call), share / len(sizes) / len(calls) * .8, 1e-3 if gpu else 1e-4)
            except NotImplementedError:  # no kernels here
                continue
        rows.append(row)
    library = "CuPy" if gpu else "NumPy"
    return {"id": "windows" + ("-gpu" if gpu else ""), "title": "Windowed transforms" + (", GPU" if gpu else ", host"), "x": "points x transforms", "y": "GFLOP/s",
            "text": f"Bytes, times a Hann window, to decibels: by fftgen's load= and store= in one kernel, and by {library}'s functions one after another, with the window "
                    "kept or rebuilt. The plain transform is fftgen's, of floats, without window and decibels.",
            "contenders": names, "rows": rows, "plotted": False}


def _scene(n: int = 1024) -> np.ndarray:
    """A test picture: stripes of many widths, discs, noise."""
    y, x = np.mgrid[0:n, 0:n] / n
    a = 90 + 60 * np.sin(2 * np.pi * 40 * x * x) * (y < .5) + 50 * np.sin(2 * np.pi * (20 * y + 4 * np.sin(6 * x))) * (y >= .5)
    for cx, cy, r, v in ((.25, .3, .12, 60), (.7, .65, .18, -70), (.55, .2, .07, 80)):
        a += v * (((x - cx) ** 2 + (y - cy) ** 2) < r * r)
    return np.clip(a + np.random.default_rng(8).normal(0, 12, a.shape), 0, 255).astype(np.uint8)


def image(clock: Clock, share: float, gpu: bool) -> "tuple[dict[str, Any], list[tuple[str, np.ndarray]]]":
    """Bytes to a spectrum's picture, and through a low-pass filter to bytes."""
    import fftgen

    xp, wait = _here(gpu)
    n = 1024
    scene = _scene(n)
    fy, fx = np.fft.fftfreq(n)[:, None], np.fft.rfftfreq(n)
    low = np.exp(-((fx ** 2 + fy ** 2) / (2 * .03 ** 2))).astype(np.float32)
    x, h = xp.asarray(scene), xp.asarray(low)
    level = fftgen.store(lambda v: 30 * fftgen.log10(abs(v) + 1))
    smooth, whole = fftgen.store(lambda v, i, j: v * h[i, j]), fftgen.store(lambda v: fftgen.clip(v, 0, 255))
    out = xp.empty((n, n), np.uint8)

    def ours() -> Any:
        picture = fftgen.rfft2(x, store=level)
        try:
            return picture, fftgen.irfft2(fftgen.rfft2(x, store=smooth), out=out)
        except (TypeError, ValueError):
            return picture, fftgen.irfft2(fftgen.rfft2(x, store=smooth), store=whole)

    def theirs() -> Any:
        spectrum = xp.fft.rfft2(x.astype(np.float32))
        return 30 * xp.log10(xp.abs(spectrum) + 1), xp.clip(xp.rint(xp.fft.irfft2(spectrum * h, (n, n))), 0, 255).astype(np.uint8)

    times: "dict[str, list[float]]" = {}
    library = "CuPy" if gpu else "NumPy"
    for name, call in (("fftgen", ours), (library, theirs)):
        try:
            times[name] = measure(_contenders.Ready(call, wait, call), share * .4, 1e-3)
        except NotImplementedError:
            continue
    half, smoothed = (np.asarray(a.get() if gpu else a) for a in theirs())
    full = np.concatenate([half, np.roll(half[::-1, ::-1], 1, axis=0)[:, 1:-1]], axis=1)
    shown = np.clip(np.fft.fftshift(full), 0, 255).astype(np.uint8)
    row = {"at": n, "label": "1024 x 1024 bytes", "rate": 1., "times": times}
    return ({"id": "image" + ("-gpu" if gpu else ""), "title": "An image pipeline" + (", GPU" if gpu else ", host"), "x": "picture", "y": "", "plotted": False,
             "text": "A picture of bytes becomes the logarithm of its spectrum, and, through a Gaussian low-pass filter, a picture of bytes again. fftgen's kernels read bytes, "
                     f"multiply by the filter, take logarithms and clamp where they load and store; {library} does each step by itself.",
             "contenders": list(times), "rows": [row], "pictures": not gpu or True}, [("the picture", scene[::2, ::2]), ("its spectrum", shown[::2, ::2]), ("smoothed", smoothed.astype(np.uint8)[::2, ::2])])


# ---- the program -------------------------------------------------------------------------------------


def _processor() -> str:
    try:
        with open("/proc/cpuinfo", encoding="utf-8") as file:
            for line in file:
                if line.startswith("model name"):
                    return line.partition(":")[2].strip()
    except OSError:
        pass
    return platform.processor() or platform.machine()


def _gpu_name() -> Optional[str]:
    try:
        import cupy

        name = cupy.cuda.runtime.getDeviceProperties(0)["name"].decode()
        driver = cupy.cuda.runtime.driverGetVersion()
        return f"{name}, driver for CUDA {driver // 1000}.{driver % 1000 // 10}"
    except Exception:
        try:
            import torch

            return torch.cuda.get_device_name(0) if torch.cuda.is_available() else None
        except Exception:
            return None


def _arguments(arguments: "Optional[list[str]]") -> Any:
    parser = argparse.ArgumentParser("python -m fftgen.compare", description=__doc__.partition("\n")[0])
    parser.add_argument("--quick", action="store_true")
    parser.add_argument("-o", "--output", default="compare.html")
    parser.add_argument("--seconds", type=float)
    parser.add_argument("--device", choices=["host", "gpu", "both"])
    parser.add_argument("--tune", type=float, default=0)
    parser.add_argument("--json")
    return parser.parse_args(arguments)


def compare(quick: bool, seconds: float, device: "Optional[str]", tune: float, say: Callable[[str], None]) -> "tuple[dict[str, Any], list[Any]]":
    clock = Clock(seconds)
    gpu_name = _gpu_name()
    sides = {"host": ["host"], "gpu": ["GPU"], "both": ["host", "GPU"], None: ["host", "GPU"] if gpu_name else ["host"]}[device]
    contenders = {side: _contenders.find(side, tune) for side in sides}
    sides = [side for side in sides if contenders[side]]
    data: "dict[str, Any]" = {"machine": {"processor": f"{_processor()}, {os.cpu_count()} processors, one thread used"}, "sections": []}
    if gpu_name:
        data["machine"]["GPU"] = gpu_name
    data["machine"]["Python"] = f"{platform.python_version()}, NumPy {np.__version__}, {platform.system()} {platform.release()}"
    data["machine"]["libraries"] = ", ".join(sorted({f"{c.name} {c.version}" for side in sides for c in contenders[side]}))
    data["machine"]["date"] = datetime.datetime.now(datetime.timezone.utc).strftime("%Y-%m-%d %H:%M UTC")
    pictures: "list[Any]" = []
    weights = {"host": .5 if "GPU" in sides else 1., "GPU": .5 if "host" in sides else 1.}
    for side in sides:
        gpu, whole = side == "GPU", clock.total * weights[side] * .95
        for plan in plans(quick, gpu):
            data["sections"].append(section(plan, contenders[side], clock, plan.share * whole, gpu, say))
        if gpu and not any(c.name == "CuPy" for c in contenders[side]):
            continue  # what follows is by its arrays
        for name, make in (("Windowed transforms", lambda: (windows(clock, .06 * whole, gpu, quick), None)), ("An image pipeline", lambda: image(clock, .04 * whole, gpu))):
            try:
                part, drawn = make()
                data["sections"].append(part)
                pictures = drawn or pictures
            except Exception as error:  # the page is written all the same
                say(f"{name}: {type(error).__name__}: {error}")
                data["sections"].append({"id": name.split()[0].lower() + ("-gpu" if gpu else ""), "title": name, "text": "", "x": "", "y": "", "contenders": [], "rows": [],
                                         "left_out": f"It failed: {type(error).__name__}: {error}"})
    data["machine"]["took"] = f"{seconds - clock.left():.0f} s"
    return data, pictures


def main(arguments: "Optional[list[str]]" = None) -> int:
    given = _arguments(arguments)
    seconds = given.seconds or (180 if given.quick else 500)

    def say(text: str) -> None:
        print(text, file=sys.stderr, flush=True)

    data, pictures = compare(given.quick, seconds, given.device, given.tune, say)
    with open(given.output, "w", encoding="utf-8") as file:
        file.write(_page.write(data, pictures))
    if given.json:
        with open(given.json, "w", encoding="utf-8") as file:
            json.dump(data, file)
    say(f"{given.output}: {os.path.getsize(given.output) / 1024:.0f} KiB, {data['machine']['took']}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
