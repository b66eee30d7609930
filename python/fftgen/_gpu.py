"""Transforms of arrays on a GPU: the Python half of calls that the extension has no plan for yet, or whose arrays are not plain.

A library's row (_cupy.py, _torch.py, _foreign.py) says how its arrays are converted, copied and made. Whatever can be said in a
problem's text is no copy: strides, lengths that crop or pad, norms, orthogonal transforms, the output's strides.
"""

from __future__ import annotations

import math
from typing import Any, Callable, NamedTuple, Optional, Sequence

import numpy as np

from . import _core, _general, _pack
from ._arrays import Unsupported as Unsupported

NUMBERS = ("f16", "f32", "f64", "bf16", "c32", "c64", "c128", "bc32")  # of core/gpu_array.h; c32 is a pair of halves, bc32 one of bfloats
_COMPLEX = {"f16": "c32", "f32": "c64", "f64": "c128", "bf16": "bc32"}
_REAL = {c: r for r, c in _COMPLEX.items()}
_INVERSES = ("ifft", "irfft", "ihfft", "idct", "idst")
_RUN = {2: 3, 3: 2}  # the forward transform that inverts a cosine or sine transform


def complex_of(number: str) -> str:
    return _COMPLEX.get(number, number)


class Facts(NamedTuple):
    """What the extension reads of an array; strides in elements."""

    at: int
    number: str
    device: int
    shape: "tuple[int, ...]"
    strides: "tuple[int, ...]"


class Library:
    """Arrays of one library. `x` is one of them; `number` is one of NUMBERS."""

    name: str
    names: "dict[Any, str]" = {}  # of its types: which of NUMBERS each is

    def numbers(self, x: Any) -> Any:
        """x with numbers that a transform has; Unsupported, a TypeError, where there are none."""
        raise NotImplementedError

    def number(self, x: Any) -> str:
        name = self.names.get(x.dtype)
        if name is None:
            raise TypeError(f"no transform has results of {x.dtype}")
        return name

    def convert(self, x: Any, number: str) -> Any:
        raise NotImplementedError

    def wide(self, x: Any) -> Any:
        """bfloat16, and pairs of them, in single precision."""
        wider = {"bf16": "f32", "bc32": "c64"}.get(self.number(x))
        return x if wider is None else self.convert(x, wider)

    def copy(self, x: Any) -> Any:
        """A row-major copy."""
        raise NotImplementedError

    def pad(self, x: Any, shape: Sequence[int]) -> Any:
        """A row-major copy of this shape, zeros behind the elements."""
        raise NotImplementedError

    def recipe(self, x: Any, shape: "tuple[int, ...]", number: str) -> "tuple[Any, Any, Any]":
        """Whom to call for results beside x: a function, its arguments, those by name; or for x alone: a function and None twice."""
        raise NotImplementedError

    def workspace(self, x: Any) -> Callable[[int], Any]:
        """Whom to call for so many bytes beside x."""
        raise NotImplementedError

    def upload(self, a: np.ndarray, x: Any) -> "tuple[Any, int]":
        """A copy of `a` beside x: what owns it, its address."""
        raise NotImplementedError

    def takes(self, out: Any) -> bool:
        """Whether results may be stored there."""
        raise NotImplementedError

    def whole(self, x: Any) -> "Optional[tuple[str, Facts]]":
        """Of an array of 8-bit or signed 16-bit whole numbers "u8" or "i16", and its facts; None: of others."""
        return None

    def fill(self, out: Any, result: Any) -> Any:
        raise NotImplementedError

    def enter(self, x: Any) -> Any:
        """A context in which the array's device is the current one."""
        raise NotImplementedError

    def finish(self, result: Any) -> Any:
        return result

    def narrow(self, result: Any, x: Any) -> Any:
        """Reals of x: halves where x has halves, and NumPy would have them, too."""
        return result

    def with_functions(self, row: Any, style: str, call: Any) -> Any:
        """A call with load= or store=."""
        from . import _fused

        return _fused.transform(row, style, call, _fused.Device(self))

    def differentiates(self, x: Any) -> bool:
        return False

    def differentiate(self, row: Any, x: Any, s: Any, axes: Any, norm: int, call: Any) -> Any:
        raise NotImplementedError


# ---- a call as a problem's text ----------------------------------------------------------------------


class Copies(Exception):
    """Strides that a problem does not have: zero, or negative ones."""


class _Dim(NamedTuple):
    n: int
    i: int  # strides
    o: int
    given: int  # elements that the input has


def dense(shape: Sequence[int]) -> "tuple[int, ...]":
    strides, step = [], 1
    for n in reversed(shape):
        strides.append(step)
        step *= max(1, n)
    return tuple(reversed(strides))


def shape_out(row: Any, shape: Sequence[int], s: Sequence[int], axes: Sequence[int]) -> "tuple[int, ...]":
    out = list(shape)
    for n, axis in zip(s, axes):
        out[axis] = n
    if row.real_in:
        out[axes[-1]] = s[-1] // 2 + 1
    return tuple(out)


def number_out(row: Any, number: str) -> str:
    if row.half_in:
        return _REAL[number]
    return number if row.trigonometric else complex_of(number)


def _type_run(row: Any, type: int) -> int:
    return _RUN.get(type, type) if row.base in _INVERSES else type


def _kind(row: Any, type: int) -> "tuple[str, str]":
    if row.trigonometric:
        return row.base[-3:] + str(_type_run(row, type)), ""
    return {"fft": ("c2c", ""), "ifft": ("c2c", " sign=+1"), "rfft": ("r2c", ""), "ihfft": ("r2c", " sign=+1"),
            "irfft": ("c2r", ""), "hfft": ("c2r", " sign=-1")}[row.base]


def _factor(row: Any, s: Sequence[int], norm: int, type: int) -> str:
    norm = 2 - norm if row.base in _INVERSES else norm
    if norm == 0:
        return ""
    if not row.trigonometric:
        return " scale=1/n" if norm == 2 else " scale=1/sqrt(n)"
    more = 0 if type != 1 else -1 if row.base.endswith("ct") else 1
    points = math.prod(2 * (n + more) for n in s)
    return f" scale={1 / points if norm == 2 else 1 / math.sqrt(points):.17g}"


def _edges(row: Any, type: int) -> "tuple[dict[int, float], dict[int, float]]":
    """What an orthogonal transform multiplies before and behind it: of a line's elements 0 or -1."""
    up, down, run = math.sqrt(2), math.sqrt(.5), _type_run(row, type)
    at = 0 if row.base.endswith("ct") else -1
    if run == 1 and at == 0:
        return {0: up, -1: up}, {0: down, -1: down}
    return ({at: up} if run == 3 else {}), ({at: down} if run == 2 else {})


def _weights(edges: "dict[int, float]", lengths: Sequence[int], number: str) -> np.ndarray:
    all = np.ones(())
    for n in lengths:
        line = np.ones(n)
        for at, factor in edges.items():
            line[at] *= factor
        all = all[..., None] * line
    return np.ascontiguousarray(all, np.float64 if number == "f64" else np.float32)


def _merged(batch: "list[_Dim]") -> "list[_Dim]":
    merged: "list[_Dim]" = []
    for inner in batch:
        if merged and merged[-1].i == inner.n * inner.i and merged[-1].o == inner.n * inner.o:
            outer = merged.pop()
            inner = _Dim(outer.n * inner.n, inner.i, inner.o, 0)
        merged.append(inner)
    return merged


def _text(dims: "list[_Dim]") -> str:
    return "x".join(f"{d.n}:{d.i}:{d.o}" for d in dims)


def _dims(x: Facts, out: Sequence[int], s: Sequence[int], axes: Sequence[int], row: Any, parts: int) -> "tuple[list[_Dim], list[_Dim]]":
    def dim(axis: int, n: int, given: int) -> _Dim:
        i, o = (1, 1) if n == 1 else (parts * x.strides[axis], parts * out[axis])
        if i < 1 or o < 1:
            raise Copies
        return _Dim(n, i, o, given)

    lines = [dim(axis, n, min(x.shape[axis], n // 2 + 1 if row.half_in and axis == axes[-1] else n)) for axis, n in zip(axes, s)]
    half = [lines.pop()] if row.half_in or row.real_in else []
    lines = sorted(lines, key=lambda d: -d.o) + half
    batch = [dim(axis, n, n) for axis, n in enumerate(x.shape) if axis not in axes and n != 1]
    batch = _merged(sorted(batch, key=lambda d: -d.o))
    return lines, batch + ([_Dim(2, 1, 1, 2)] if parts == 2 else [])


class Problem(NamedTuple):
    text: str
    given: "list[np.ndarray]"  # what its operations take
    count: int  # of its outermost batch dimension; 0: there is none
    varied: str  # the same text for any count, which a plan takes as a parameter


def problem(row: Any, x: Facts, out: Optional[Facts], s: Sequence[int], axes: Sequence[int], norm: int, type: int,
            orthogonalize: int) -> Problem:
    """A call as a text, by the arrays' layouts."""
    pairs = row.trigonometric and x.number in _REAL
    strides = out.strides if out else dense(shape_out(row, x.shape, s, axes))
    lines, batch = _dims(x, strides, s, axes, row, 2 if pairs else 1)
    if len(lines) > 7 or len(batch) > 7 or len(lines) + len(batch) > 9:
        raise ValueError(f"{row.name}: a transform on a GPU has 9 dimensions at most, not {len(lines)} along axes and {len(batch)} beside them")
    kind, sign = _kind(row, type)
    real = _REAL.get(x.number, x.number)
    varies = bool(batch) and (not pairs or len(batch) > 1)
    text = sign
    if out and out.at == x.at:
        text += " place=in"
    load, store, arrays = [], [], []
    needed = [d.n // 2 + 1 if row.half_in and k == len(lines) - 1 else d.n for k, d in enumerate(lines)]
    if any(d.given < n for d, n in zip(lines, needed)):
        load.append("zeropad(" + "x".join(str(d.given) for d in lines) + ")")
    if row.trigonometric and (norm == 1 if orthogonalize < 0 else orthogonalize):
        for edges, side in zip(_edges(row, type), (load, store)):
            if edges:
                side.append("window")
                arrays.append(_weights(edges, [d.n for d in lines], real))
    text += _factor(row, s, norm, type)
    text += (" load=" + ",".join(load) if load else "") + (" store=" + ",".join(store) if store else "")
    head, all = f"{kind} {real} n={_text(lines)}", f" batch={_text(batch)}" if batch else ""
    varied = head + f" batch=count[1..{most_transforms(batch[0].n)}]" + all[len(f" batch={batch[0].n}"):] + text if varies else ""
    return Problem(head + all + text, arrays, batch[0].n if varies else 0, varied)


def most_transforms(count: int) -> int:
    return max(1 << 20, 1 << count.bit_length())


_OWN_KERNELS = 3  # for so many counts of transforms a problem has kernels of its own; then one for all of them
_counts: "dict[str, set[int]]" = {}


def comes_often(varied: str, count: int) -> bool:
    """Whether a problem came with so many counts of transforms that one kernel is to serve all others."""
    if not varied:
        return False
    seen = _counts.setdefault(varied, set())
    if count in seen:
        return False
    if len(seen) == _OWN_KERNELS:
        return True
    if len(_counts) > 4096:
        _counts.clear()
    seen.add(count)
    return False


# ---- calls -------------------------------------------------------------------------------------------


def facts(x: Any) -> Optional[Facts]:
    """None: x is not plain."""
    read = _core.gpu_describe(x)
    return None if read is None else Facts(*read)


class Work(NamedTuple):
    """A call whose lengths and axes are right."""

    row: Any
    library: Library
    s: "tuple[int, ...]"
    axes: "tuple[int, ...]"
    norm: int
    type: int
    orthogonalize: int
    exact: bool = False  # a plan for this count of transforms alone

    def recipe(self, x: Any, out: Any) -> Any:
        """What the extension makes a plan of (core/gpu_plan.c), or the plan."""
        here, there = facts(x), None if out is None else facts(out)
        assert here is not None
        p = problem(self.row, here, there, self.s, self.axes, self.norm, self.type, self.orthogonalize)
        uploaded = [self.library.upload(a, x) for a in p.given]
        shape = shape_out(self.row, here.shape, self.s, self.axes)
        make = self.library.recipe(x, shape, number_out(self.row, here.number))
        rest = (*make, self.library.workspace(x), tuple(at for _, at in uploaded), tuple(owner for owner, _ in uploaded))
        _pack.use()
        if not self.exact and (_pack.has(p.varied) or comes_often(p.varied, p.count)):
            try:
                plan = _core.gpu_plan(here.device, (p.varied, *rest, p.count))
                if not plan.facts["workspace_bytes"]:  # which would be that of the most transforms
                    return plan
            except NotImplementedError:
                pass
        return (p.text, *rest)

    def arguments(self, x: Any, out: Any) -> "tuple[Any, ...]":
        return (self.row.base, x, self.s, self.axes, self.norm, self.type, self.orthogonalize, out, lambda: self.recipe(x, out))

    def once(self, x: Any, out: Any, do: Callable[..., Any]) -> Any:
        find_compiler()
        with self.library.enter(x):
            return do(*self.arguments(x, out))

    def run(self, x: Any, out: Any, do: Callable[..., Any] = _core.gpu_run, copies: bool = True) -> Any:
        """NotImplemented: these arrays cannot be given to one plan."""
        try:
            return self.once(x, out, do)
        except (Copies, NotImplementedError) as refusal:
            refused = refusal
        if not copies:
            raise ValueError(f"{self.row.name}: a plan takes arrays without copies: {refused or 'strides that are zero or negative'}")
        if out is not None:
            return NotImplemented
        copied = self.library.copy(x)
        try:
            return self.once(copied, None, do)
        except (Copies, NotImplementedError):
            pass
        here = facts(x)
        if here is None or all(here.shape[axis] >= n for axis, n in zip(self.axes, self.needed())):
            raise RuntimeError(f"{self.row.name}: {refused}") from None
        return self.padded(x, do, refused)

    def needed(self) -> "list[int]":
        return [*self.s[:-1], self.s[-1] // 2 + 1] if self.row.half_in else list(self.s)

    def with_zeros(self, x: Any) -> Any:
        """x as long as the transform takes it."""
        shape = list(x.shape)
        for axis, n in zip(self.axes, self.needed()):
            shape[axis] = max(n, shape[axis])
        return self.library.pad(x, shape)

    def padded(self, x: Any, do: Callable[..., Any], refused: Exception) -> Any:
        try:
            return self.once(self.with_zeros(x), None, do)
        except NotImplementedError:
            raise RuntimeError(f"{self.row.name}: {refused}") from None


def _same_device(library: Library, x: Any, out: Any) -> None:
    here, there = facts(x), facts(out)
    if here and there and here.device != there.device:
        kind = RuntimeError if library.name == "torch" else ValueError
        raise kind(f"x is on device {here.device}, out on device {there.device}; both belong on one")


def _run(row: Any, style: str, x: Any, s: Sequence[int], axes: Sequence[int], call: Any, library: Library) -> Any:
    norm = _general._norm(style, call.norm)
    if row.base in ("fft", "ifft", "irfft", "hfft") and library.number(x) in _COMPLEX:
        x = library.convert(x, complex_of(library.number(x)))
    if row.trigonometric and call.type == 1 and row.base.endswith("ct") and min(s) < 2:
        raise RuntimeError("zero-length FFT requested")
    if library.differentiates(x) and call.prepare is None:
        result = library.differentiate(row, x, s, axes, norm, call)
        return result if call.out is None else library.fill(call.out, result)
    orthogonalize = -1 if call.orthogonalize is None else int(bool(call.orthogonalize))
    work = Work(row, library, tuple(s), tuple(axes), norm, call.type, orthogonalize)
    if call.prepare is not None:
        return call.prepare(row, x, s, axes, norm, work)
    shape = shape_out(row, tuple(x.shape), s, axes)
    if call.out is not None:
        if tuple(call.out.shape) != shape:
            raise ValueError("output array has wrong shape.")
        _same_device(library, x, call.out)
    if math.prod(shape) == 0:
        return _empty(work, x, shape) if call.out is None else call.out
    if math.prod(x.shape) == 0:
        x = work.with_zeros(x)
    if facts(x) is None:
        x = library.copy(x)
    if call.out is not None and _number(library, call.out) == number_out(row, library.number(x)) and facts(call.out):
        result = work.run(x, call.out)
        if result is not NotImplemented:
            return result
    result = work.run(x, None)
    return library.finish(result) if call.out is None else library.fill(call.out, result)


def _number(library: Library, out: Any) -> Optional[str]:
    try:
        return library.number(out)
    except TypeError:
        return None


def _empty(work: Work, x: Any, shape: "tuple[int, ...]") -> Any:
    with work.library.enter(x):
        make, arguments, named = work.library.recipe(x, shape, number_out(work.row, work.library.number(x)))
        return work.library.finish(make(x) if arguments is None else make(*arguments, **(named or {})))


def transform(row: Any, style: str, call: Any, library: Library) -> Any:
    """The results of one call."""
    if call.load is not None or call.store is not None:
        return library.with_functions(row, style, call)
    x = library.numbers(call.x)
    if library.number(x) == "bf16" and not row.trigonometric and (call.out is None or _number(library, call.out) != "bc32"):
        x = library.wide(x)  # pairs of bfloats are for those who ask for them: no library computes with them
    _general.resolve(call.workers)
    if row.real_in and library.number(x) in _REAL:
        raise TypeError("x must be a real sequence")
    s, axes = _general.dimensions(row, style, x, call)
    _general.check_plan(row, axes, call)
    if call.out is not None and not library.takes(call.out):
        raise TypeError("return arrays must be of ArrayType: x is an array of a GPU, and so must out be")
    if not axes:
        return _general.without_axes(row, style, call, call.x)
    if len(set(axes)) != len(axes):
        return _general.repeated(row, x, s, axes, call, lambda *rest: _run(*rest, library))
    result = _run(row, style, x, s, axes, call, library)
    return library.narrow(result, call.x) if _general.narrows(row, style, axes, call) else result


# ---- the compiler of CUDA's packages -----------------------------------------------------------------

_looked = False


def find_compiler() -> None:
    """NVRTC of NVIDIA's packages for Python, where the system has none: libfftgen finds what is loaded already."""
    global _looked
    if _looked:
        return
    _looked = True
    import ctypes
    import glob
    import importlib.util
    import os

    for name in ("libnvrtc.so.13", "libnvrtc.so.12"):
        try:
            ctypes.CDLL(name)
            return
        except OSError:
            pass
    spec = importlib.util.find_spec("nvidia")
    for folder in spec.submodule_search_locations or () if spec else ():
        for path in sorted(glob.glob(os.path.join(folder, "*", "lib", "libnvrtc.so.1[23]")), reverse=True):
            try:
                ctypes.CDLL(path, ctypes.RTLD_GLOBAL)
                return
            except OSError:
                pass
