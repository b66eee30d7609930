"""python -m fftgen.compare [--quick] [-o PAGE.html]: fftgen beside the FFT libraries that are installed here, as one HTML page.

    --quick          fewer sizes: a minute and a half for the host, as much for a GPU, in place of 5 minutes and 3 minutes and a half
    --seconds S      the time that it may take
    --device WHICH   host, cuda, or both (by default: what there is)
    --tune S         also kernels of fftgen's on the host that S seconds each were spent on
    --json FILE      the data beside the page

Libraries run on one processor of the host, also what serves a GPU where both are compared. Each time is of a call that returns its result, the median of up to 50 runs; pyFFTW's and pyvkfft's objects,
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

from . import _contenders, _counts, _page, _pipelines, _quad

RUNS = 50
SECONDS = {"host": (90, 300), "GPU": (90, 210)}  # quick, and all of it


class Clock:
    """What is left of the time."""

    def __init__(self, seconds: float) -> None:
        self.end, self.total = time.perf_counter() + seconds, seconds

    def left(self) -> float:
        return self.end - time.perf_counter()


def measure(ready: "_contenders.Ready", seconds: float, least: float, runs: int = RUNS) -> "list[float]":
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
    dtype: str = "c8"  # c4: pairs of halves


class Plan(NamedTuple):
    id: str
    title: str
    text: str
    x: str
    points: "list[Point]"
    share: float  # of what it and the plans behind it have of the time
    errors: bool = False
    log: bool = True
    copies: bool = False


def _powers(first: int, last: int, step: int) -> "list[int]":
    return [1 << k for k in range(first, last + 1, step)]


def _name(n: int) -> str:
    return f"2^{n.bit_length() - 1}" if n & (n - 1) == 0 and n > 8 else str(n)


def _awkward(quick: bool) -> "list[int]":
    drawn = np.random.default_rng(2024).integers(1024, 4096, 12 if quick else 40)
    return sorted({1024, 1025, 1031, 1331, 2000, 2187, 2310, 3000, 3125, 4093, 4095, *map(int, drawn)})


def _kinds(quick: bool, gpu: bool, whole: int) -> "list[Point]":
    half = [("halves, complex", "fft", "c4"), ("float16", "rfft", "f2")] if gpu else [("float16", "rfft", "f2")]
    kinds = [*half, ("complex64", "fft", "c8"), ("complex128", "fft", "c16"), ("float32", "rfft", "f4"), ("float64", "rfft", "f8")]
    lengths = (256, 4096) if quick else (256, 4096, 65536)
    each = [(title, name, dtype, n) for title, name, dtype in kinds for n in lengths]
    return [Point(i, f"{title}, {_name(n)}", (max(1, whole // 4 // n), n), (1,), name, dtype) for i, (title, name, dtype, n) in enumerate(each)]


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
    text = "The same numbers of elements in single and double precision, complex and real; with errors. " + (
        "Pairs of halves are PyTorch's arrays." if gpu else "Of float16, libraries compute in single or in double precision; none that is here keeps halves on the host.")
    all = [
        Plan("one", "One transform", "Complex numbers in single precision, of 2^2 points and more.", "points", one, .22, errors=True),
        Plan("constant", "Batches of constant size", f"{_name(whole)} complex numbers of single precision, divided into transforms of n points.", "points", constant, .08),
        Plan("batches", "Batches of a constant length", "b transforms of 4096 points, complex numbers in single precision.", "transforms", batches, .08),
        Plan("awkward", "Awkward lengths", f"{count} transforms of lengths between 1024 and 4096, among them primes; complex numbers in single precision.", "points", awkward, .3, log=False),
        Plan("planes", "Two dimensions", "n x n complex numbers in single precision.", "points of a side", planes, .14),
        Plan("kinds", "Precisions and real numbers", text, "type, points", _kinds(quick, gpu, whole), .12, errors=True, log=False),
    ]
    if gpu:
        ways = [Point(n, _name(n), (n,), (0,)) for n in _powers(10, 24, 2 * step)]
        all.append(Plan("copies", "With copies in and out", "One transform of complex numbers in single precision: from the host's memory to the device, and its result back, in each call. "
                        "nvmath-python takes arrays of the host itself.", "points", ways, .06, copies=True))
    return all


def _numbers(p: Point) -> np.ndarray:
    rng = np.random.default_rng(zlib.crc32(repr(p).encode()))
    x = rng.standard_normal(p.shape, np.float32)
    if p.dtype[0] == "f":
        return x.astype(p.dtype)
    x = x + 1j * rng.standard_normal(p.shape, np.float32)
    if p.dtype == "c4":  # numbers that halves hold
        return (x.real.astype(np.float16) + 1j * x.imag.astype(np.float16)).astype(np.complex64)
    return x.astype(p.dtype)


def _case(p: Point, x: np.ndarray, copies: bool = False) -> "_contenders.Case":
    return _contenders.Case(p.name, x, p.axes, p.dtype == "c4", copies)


def _flops(p: Point) -> float:
    points = math.prod(p.shape[a] for a in p.axes)
    return (2.5 if p.name == "rfft" else 5) * math.prod(p.shape) * math.log2(max(points, 2)) / 1e9


class Pace:
    """What a library and a row take beside what is measured: arrays, plans, kernels that are compiled, references."""

    def __init__(self) -> None:
        self.seconds, self.count = 0., 0

    def add(self, seconds: float, count: int) -> None:
        self.seconds, self.count = self.seconds + seconds, self.count + count

    def beside(self) -> float:
        return self.seconds / self.count if self.count else 0.


def _row(plan: Plan, p: Point, contenders: "list[Any]", end: float, points_left: int, gpu: bool, quad_most: int, failed: "set[str]", pace: Pace) -> "dict[str, Any]":
    x = _numbers(p)
    row: "dict[str, Any]" = {"at": p.at, "label": p.label, "rate": _flops(p), "times": {}, "shape": p.shape, "dtype": p.dtype}
    begun, measured = time.perf_counter(), 0.
    part = x[:8] if len(p.shape) > len(p.axes) else x
    wanted = _quad.transform(p.name, part, p.axes, quad_most) if plan.errors else None
    if wanted:
        row["reference"], row["errors"] = wanted.precision, {}
    for i, c in enumerate(contenders):
        left = end - time.perf_counter()
        if left < 0 and i:
            failed.add("some rows are not whole, for time")
            break
        each = max(.01, min(1., .8 * (left / points_left / (len(contenders) - i) - pace.beside())))
        try:
            ready = c.prepare(_case(p, x, plan.copies))
            if ready is None:
                continue
            try:
                begin = time.perf_counter()
                times = measure(ready, each, 5e-4 if gpu else 5e-5)
                measured += time.perf_counter() - begin
                if wanted:
                    result = ready.result()
                    row["errors"][c.name] = _quad.error(result[:len(wanted.high)].reshape(wanted.high.shape), wanted)
                row["times"][c.name] = times
            finally:
                ready.release()
        except Exception as error:  # a library that refuses a size, or has no memory
            failed.add(f"{c.name} refused some: {type(error).__name__}")
    pace.add(time.perf_counter() - begun - measured, len(contenders))
    return row


def section(plan: Plan, contenders: "list[Any]", clock: Clock, share: float, gpu: bool, say: Callable[[str], None], quick: bool = False) -> "dict[str, Any]":
    """Rows of one plan; points that the time does not suffice for are left out, and counted."""
    end = time.perf_counter() + min(share, max(0., clock.left()))
    rows: "list[dict[str, Any]]" = []
    pace = Pace()
    skipped, failed = 0, set()  # type: ignore[var-annotated]
    spread = [*plan.points[::4], *plan.points[2::4], *plan.points[1::2]]  # what time leaves out is everywhere, not at one end
    for i, p in enumerate(spread):
        if end - time.perf_counter() < .02 * share and (i or clock.left() < 0):
            skipped = len(plan.points) - i
            break
        rows.append(_row(plan, p, contenders, end, len(plan.points) - i, gpu, 1 << 16 if quick else _quad.QUAD_MOST, failed, pace))
    rows.sort(key=lambda row: row["at"])
    say(f"{plan.title}: {len(rows)} of {len(plan.points)} rows")
    left_out = ([f"{skipped} rows are left out for time"] if skipped else []) + sorted(failed)
    return {"id": plan.id + ("-gpu" if gpu else ""), "title": plan.title + (", GPU" if gpu else ", host"), "text": plan.text, "x": plan.x, "y": "5 n log2 n / time, GFLOP/s",
            "log": plan.log, "contenders": [c.name for c in contenders], "rows": rows, "left_out": "; ".join(left_out), "plotted": plan.id != "kinds"}


def runs(contenders: "list[Any]", clock: Clock, share: float, gpu: bool) -> "dict[str, Any]":
    """All runs of one transform."""
    p = Point(4096, "4096 x 256", (256, 4096), (1,))
    x, times = _numbers(p), {}
    for c in contenders:
        if clock.left() < 0:
            break
        try:
            ready = c.prepare(_case(p, x))
            if ready:
                times[c.name] = measure(ready, share / len(contenders) * .8, 1e-3 if gpu else 1e-4)
                ready.release()
        except Exception:  # said where it was refused first
            continue
    return {"id": "runs" + ("-gpu" if gpu else ""), "title": "Single runs" + (", GPU" if gpu else ", host"), "contenders": [c.name for c in contenders], "x": "points x transforms",
            "text": f"256 transforms of 4096 points, complex numbers in single precision: up to {RUNS} runs of each library, one after another; the marks are medians.",
            "rows": [{"at": 4096, "label": p.label, "rate": _flops(p), "times": times, "shape": p.shape, "dtype": p.dtype}], "plotted": False, "dots": True}


def counts(contenders: "list[Any]", clock: Clock, share: float, gpu: bool, quick: bool) -> "dict[str, Any]":
    """Kernels, and memory, of large transforms; smaller ones first."""
    scale = 2 if gpu and not quick else 1
    points = [Point(0, f"4096 x {1024 * scale}", (1024 * scale, 4096), (1,)), Point(1, f"4093 x {2048 * scale}", (2048 * scale, 4093), (1,)),
              Point(2, "real, 4096 x 4096 in two dimensions", (4096, 4096), (0, 1), "rfft", "f4"), Point(3, f"2^{23 + (scale > 1)}", (1 << (23 + (scale > 1)),), (0,)),
              Point(4, "4096 x 8192 in two dimensions", (4096, 8192), (0, 1))]
    names, end = [c.name for c in contenders], time.perf_counter() + share
    count = _counts.counter() if gpu else None

    def late() -> bool:
        return min(clock.left(), end - time.perf_counter()) < 0

    kernels, memory, what = [], [], ""  # type: ignore[var-annotated]
    for p in points[: None if gpu or not quick else 2]:
        if late():
            break
        x = _numbers(p)
        launched, taken = [p.label], [p.label]  # type: ignore[var-annotated]
        for c in contenders:
            try:
                meter = _counts.memory(c)
                what = meter.text
                meter.begin()
                ready = None if late() else c.prepare(_case(p, x))
                if ready is None:
                    raise LookupError("not one of its transforms, or no time for it")
                ready.run()
                ready.wait()
                more = meter.taken()
                taken.append(None if more is None else max(0., (more - (x.nbytes if gpu else 0)) / x.nbytes))
                launched.append("{} + {}".format(*count(ready)) if count else None)
                ready.release()
                del ready
            except Exception:
                taken += [None] * (len(launched) - len(taken) + 1)
                launched.append(None)
        kernels.append(launched)
        memory.append(taken)
    tables = [{"title": f"Memory beyond the input, the result included, over the input's: {what}. pyFFTW's object has an input of its own, too.", "unit": "x", "names": names, "rows": memory}]
    if gpu:
        title = "Kernels + copies and fills of one call, as PyTorch's profiler (CUPTI) counts them:" if count else "Kernels of a call are not counted: there is no PyTorch with CUPTI here."
        tables.insert(0, {"title": title, "unit": "", "names": names, "rows": kernels if count else []})
    return {"id": "counts" + ("-gpu" if gpu else ""), "title": ("Kernels and memory, GPU" if gpu else "Memory, host"), "text": "Of a first call with large arrays, in single precision.", "x": "",
            "contenders": names, "rows": [], "plotted": False, "tables": tables}


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
    parser.add_argument("-o", "--output", "--out", default="compare.html")
    parser.add_argument("--seconds", type=float)
    parser.add_argument("--device", choices=["host", "cuda", "both"])
    parser.add_argument("--tune", type=float, default=0)
    parser.add_argument("--json")
    return parser.parse_args(arguments)


def _rounded(value: Any) -> Any:
    """Four digits of what was measured."""
    if isinstance(value, float):
        return float(f"{value:.4g}")
    if isinstance(value, dict):
        return {k: _rounded(v) for k, v in value.items()}
    return [_rounded(v) for v in value] if isinstance(value, (list, tuple)) else value


def _machine(sides: "list[str]", contenders: "dict[str, list[Any]]", gpu_name: Optional[str]) -> "dict[str, str]":
    machine = {"processor": f"{_processor()}, {os.cpu_count()} processors, of which one is used"}
    if gpu_name and "GPU" in sides:
        machine["GPU"] = gpu_name
    machine["Python"] = f"{platform.python_version()}, NumPy {np.__version__}, {platform.system()} {platform.release()}"
    machine["libraries"] = ", ".join(sorted({f"{c.name.partition(',')[0]} {c.version}" for side in sides for c in contenders[side]}))
    machine["date"] = datetime.datetime.now(datetime.timezone.utc).strftime("%Y-%m-%d %H:%M UTC")
    return machine


def compare(quick: bool, seconds: float, device: "Optional[str]", tune: float, say: Callable[[str], None]) -> "tuple[dict[str, Any], list[Any]]":
    clock = Clock(seconds)
    gpu_name = _gpu_name() if device != "host" else None
    sides = {"host": ["host"], "cuda": ["GPU"], "both": ["host", "GPU"], None: ["host", "GPU"] if gpu_name else ["host"]}[device]
    contenders = {side: _contenders.find(side, tune) for side in sides}
    sides = [side for side in sides if contenders[side]]
    data: "dict[str, Any]" = {"machine": _machine(sides, contenders, gpu_name), "sections": []}
    pictures: "list[Any]" = []
    if "host" in sides and hasattr(os, "sched_setaffinity"):  # some libraries take threads whatever they are told
        os.sched_setaffinity(0, [min(os.sched_getaffinity(0))])
    for number, side in enumerate(sides):
        gpu, whole = side == "GPU", clock.left() / (len(sides) - number) * .94
        there = contenders[side]

        def other(name: str, make: "Callable[[], dict[str, Any]]") -> None:
            try:
                data["sections"].append(make())
            except Exception as error:  # the page is written all the same
                say(f"{name}: {type(error).__name__}: {error}")
                data["sections"].append({"id": name.split()[0].lower() + ("-gpu" if gpu else ""), "title": name, "text": "", "x": "", "y": "", "contenders": [], "rows": [],
                                         "left_out": f"It failed: {type(error).__name__}: {error}"})

        def drawn() -> "dict[str, Any]":
            part, new = _pipelines.image(clock, .03 * whole, gpu, measure)
            pictures[:] = new
            return part

        other("Runs", lambda: runs(there, clock, .03 * whole, gpu))
        if not gpu or any(c.name == "CuPy" for c in there):  # by its arrays
            other("Windowed transforms", lambda: _pipelines.windows(clock, .06 * whole, gpu, quick, measure))
            other("Image pipeline", drawn)
            other("Counts", lambda: counts(there, clock, .06 * whole, gpu, quick))
        behind, all = clock.end - (len(sides) - 1 - number) * whole / .94, plans(quick, gpu)
        for i, plan in enumerate(all):  # what one does not need is for those behind it
            share = (behind - time.perf_counter()) * .97 * plan.share / sum(p.share for p in all[i:])
            data["sections"].append(section(plan, there, clock, max(0., share), gpu, say, quick))
    data["machine"]["took"] = f"{seconds - clock.left():.0f} s"
    return _rounded(data), pictures


def main(arguments: "Optional[list[str]]" = None) -> int:
    given = _arguments(arguments)
    gpu = given.device != "host" and _gpu_name() is not None
    sides = [side for side, there in (("host", given.device != "cuda"), ("GPU", gpu)) if there]
    seconds = given.seconds or sum(SECONDS[side][not given.quick] for side in sides)

    def say(text: str) -> None:
        print(text, file=sys.stderr, flush=True)

    data, pictures = compare(given.quick, seconds, given.device, given.tune, say)
    if not data["sections"]:
        say("fftgen.compare: no library of arrays for that device is here")
        return 1
    with open(given.output, "w", encoding="utf-8") as file:
        file.write(_page.write(data, pictures))
    if given.json:
        with open(given.json, "w", encoding="utf-8") as file:
            json.dump(data, file)
    say(f"{given.output}: {os.path.getsize(given.output) / 1024:.0f} KiB, {data['machine']['took']}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
