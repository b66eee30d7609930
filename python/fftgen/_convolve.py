"""Filters and convolutions: conv and rconv problems of libfftgen's (docs/problem.md), or transforms one after another."""

from __future__ import annotations

import math
from typing import Any, NamedTuple, Optional, Sequence

import numpy as np

from . import _general, _gpu, _helper, _place


class _Axes(NamedTuple):
    """Of the arrays of one call: axes that are transformed, in their order; the others, which are a batch."""

    axes: "tuple[int, ...]"
    batch: "tuple[int, ...]"


def _axes(axes: Any, dimensions: int) -> _Axes:
    if axes is None:
        axes = range(dimensions)
    all = [_general._axis("numpy", axis, dimensions) for axis in (axes if isinstance(axes, (tuple, list, range)) else (axes,))]
    if not all or len(set(all)) != len(all):
        raise ValueError("axes: one or more different ones")
    return _Axes(tuple(all), tuple(i for i in range(dimensions) if i not in all))


def _function(name: str) -> Any:
    import fftgen

    return getattr(fftgen, name)


def _is_complex(place: Any, *arrays: Any) -> bool:
    return any(place.arrays.number(a) in _gpu._REAL for a in arrays)


def _as_complex(place: Any, x: Any) -> Any:
    number = place.arrays.number(x)
    return x if number in _gpu._REAL else place.arrays.convert(x, _gpu.complex_of(number))


def _common(place: Any, x: Any, y: Any) -> "tuple[Any, Any]":
    """Both in the wider precision."""
    order = ["f16", "f32", "f64"]
    of = [order.index(_gpu._REAL.get(place.arrays.number(a), place.arrays.number(a))) for a in (x, y)]
    real = order[max(of)]
    if real == "f16":
        real = "f32"
    wanted = [_gpu._COMPLEX[real] if place.arrays.number(a) in _gpu._REAL else real for a in (x, y)]
    x, y = (a if place.arrays.number(a) == w else place.arrays.convert(a, w) for a, w in zip((x, y), wanted))
    return x, y


def _permuted(x: Any, order: Sequence[int]) -> Any:
    return x.permute(*order) if hasattr(x, "permute") else x.transpose(*order)


def _broadcast(x: Any, shape: "tuple[int, ...]") -> Any:
    if isinstance(x, np.ndarray):
        return np.broadcast_to(x, shape)
    if hasattr(x, "expand"):
        return x.expand(shape)
    import cupy

    return cupy.broadcast_to(x, shape)


class _Spectrum(NamedTuple):
    whose: str  # "shared", "channel", "each"
    array: Any  # dense: the batch, then the axes in their order


def _spectrum(place: Any, h: Any, at: _Axes, batch: "tuple[int, ...]") -> _Spectrum:
    """Of all transforms, of each index of the last batch dimension, or of each transform; h has x's number of dimensions."""
    varying = [i for i, axis in enumerate(at.batch) if h.shape[axis] > 1]
    h = _permuted(h, (*at.batch, *at.axes))
    lengths = tuple(h.shape[len(at.batch):])
    if not varying:
        whose, h = "shared", h.reshape(lengths)
    elif varying == [len(batch) - 1] and math.prod(batch[:-1]) > 1:
        whose, h = "channel", h.reshape((batch[-1], *lengths))
    else:
        whose, h = "each", _broadcast(h, (*batch, *lengths))
    return _Spectrum(whose, place.arrays.copy(h))


def _convolved(place: Any, x: Any, spectrum: _Spectrum, at: _Axes, n: Sequence[int], shape: "tuple[int, ...]", linear: str) -> Any:
    """One program: the transform, the product, the transform back."""
    side = place.arrays.side(x)
    if side is None or any(s < 1 for s, length in zip(side.facts.strides, side.facts.shape) if length > 1):
        x = place.arrays.copy(x)
        side = place.arrays.side(x)
    out = _gpu.dense(shape)
    strides = side.facts.strides

    def dim(axis: int, length: int) -> Any:
        return _gpu._Dim(length, max(1, strides[axis]), out[axis], length)

    lines = [dim(axis, length) for axis, length in zip(at.axes, n)]
    batch = [dim(axis, shape[axis]) for axis in at.batch if shape[axis] != 1]
    if spectrum.whose == "shared":
        batch = _gpu._merged(batch)
    number = place.arrays.number(x)
    real = _gpu._REAL.get(number, number)
    text = f"{'conv' if number in _gpu._REAL else 'rconv'} {real} n={_gpu._text(lines)}" + (f" batch={_gpu._text(batch)}" if batch else "")
    text += " scale=1/n" + ("" if spectrum.whose == "shared" else f" spectrum={spectrum.whose}") + linear
    plan = place.plan(text, x)
    result = place.arrays.empty(x, shape, number)
    place.arrays.launch(plan, x, result, (spectrum.array,))
    return result


def _wants_kernel(place: Any, kernel: Optional[bool]) -> bool:
    return place.arrays.name != "numpy" if kernel is None else bool(kernel)


@_place.threaded
def filter(x: Any, h: Any, axes: Any = -1, *, kernel: Optional[bool] = None, out: Any = None) -> Any:
    """x after a filter of which the spectrum is h: ifft(fft(x) * h), along `axes`.

    h : for real x the half of a spectrum that rfft makes, n//2 + 1 numbers along the last axis, for a real result; else n numbers.
        It has the axes alone, in their order, or as many dimensions as x, and is broadcast along those that are not transformed.
    kernel : whether one kernel is made for all of it (docs/python.md); by default on a GPU.
    out : an array into which the results are copied. workers : threads, at most, as the transforms' functions have it.

    >>> import numpy as np, fftgen
    >>> x = np.array([1., 0, 0, 0])
    >>> fftgen.filter(x, fftgen.rfft([0., 1, 0, 0]))
    array([0., 1., 0., 0.])
    """
    place, x = _place.of(x)
    h_place, h = _place.of(h)
    if h_place.arrays.name != place.arrays.name:
        raise TypeError("x and h are arrays of one library, on one device")
    at = _axes(axes, x.ndim)
    x, h = _common(place, x, _as_complex(place, h))
    n = [x.shape[axis] for axis in at.axes]
    if h.ndim == len(at.axes) < x.ndim:
        shape = [1] * x.ndim
        for axis, length in zip(at.axes, h.shape):
            shape[axis] = length
        order = sorted(range(len(at.axes)), key=lambda i: at.axes[i])
        h = _permuted(h, order).reshape(shape)
    if h.ndim != x.ndim:
        raise ValueError(f"h has {h.ndim} dimensions where the axes have {len(at.axes)} and x has {x.ndim}")
    half = [*n[:-1], n[-1] // 2 + 1]
    given = [h.shape[axis] for axis in at.axes]
    if any(h.shape[axis] not in (1, x.shape[axis]) for axis in at.batch) or given not in (n, half):
        wanted = f"{tuple(half)}, half of a spectrum of reals, or {tuple(n)}"
        raise ValueError(f"h has {tuple(given)} numbers along axes {tuple(at.axes)} of x, and {tuple(h.shape)} in all; {wanted} belong to x of shape {tuple(x.shape)}")
    if not _is_complex(place, x) and given != half:
        x = _as_complex(place, x)
    if _is_complex(place, x) and given != n:
        raise ValueError(f"h has {half[-1]} numbers along the last axis where complex x wants {n[-1]}")
    if 0 in x.shape:
        return place.results(place.arrays.copy(x), out)
    if _wants_kernel(place, kernel):
        return place.results(_convolved(place, x, _spectrum(place, h, at, tuple(x.shape[i] for i in at.batch)), at, n, tuple(x.shape), ""), out)
    there, again = ("fftn", "ifftn") if _is_complex(place, x) else ("rfftn", "irfftn")
    spectrum = _function(there)(x, axes=at.axes)
    spectrum *= h
    return place.results(_function(again)(spectrum, s=n, axes=at.axes), out)


class _Linear(NamedTuple):
    """Of one axis: samples of x and of the filter, points, the first result that is wanted, and how many."""

    x: int
    h: int
    n: int
    first: int
    count: int


def _linear(mode: str, x: int, h: int) -> _Linear:
    first, count, least = {"full": (0, x + h - 1, x + h - 1), "same": ((h - 1) // 2, x, x + h // 2), "valid": (h - 1, x - h + 1, x)}[mode]
    return _Linear(x, h, _helper.next_fast_len(max(least, x, h)), first, count)


@_place.threaded
def convolve(a: Any, b: Any, mode: str = "full", axes: Any = None, *, kernel: Optional[bool] = None,
             out: Any = None) -> Any:
    """The linear convolution of a and b along `axes` (all by default): sums over j of a[j] b[k - j].

    mode : "full", "same" (as long as a, from its middle), "valid" (what meets no zeros beyond an edge), as in scipy.signal.fftconvolve.
    b is broadcast along the dimensions that are no axes, and a is.
    kernel : whether one kernel is made for a's transform, the product and the transform back (docs/python.md); by default on a GPU.
    out, workers : as of fftgen.filter.

    >>> import fftgen
    >>> fftgen.convolve([1., 2, 3], [1., 1]).round(12)
    array([1., 3., 5., 3.])
    """
    if mode not in ("full", "same", "valid"):
        raise ValueError(f"mode: {mode!r} where 'full', 'same' or 'valid' belongs")
    place, a = _place.of(a)
    b_place, b = _place.of(b)
    if b_place.arrays.name != place.arrays.name:
        raise TypeError("a and b are arrays of one library, on one device")
    if a.ndim != b.ndim:
        raise ValueError(f"a has {a.ndim} dimensions, b {b.ndim}")
    at = _axes(axes, a.ndim)
    a, b = _common(place, a, b)
    if _is_complex(place, a, b):
        a, b = _as_complex(place, a), _as_complex(place, b)
    if any(a.shape[i] != b.shape[i] and 1 not in (a.shape[i], b.shape[i]) for i in at.batch):
        raise ValueError(f"shapes {tuple(a.shape)} and {tuple(b.shape)} do not broadcast beside axes {at.axes}")
    if mode == "valid" and any(b.shape[i] > a.shape[i] for i in at.axes):
        if any(b.shape[i] < a.shape[i] for i in at.axes):
            raise ValueError("mode 'valid': one array is at least as long as the other one along all axes")
        a, b = b, a
    if 0 in a.shape or 0 in b.shape:
        return place.results(place.arrays.empty(a, (0,), place.arrays.number(a)), out)
    parts = [_linear(mode, a.shape[i], b.shape[i]) for i in at.axes]
    batch = tuple(max(a.shape[i], b.shape[i]) for i in at.batch)
    shape = list(a.shape)
    for i, n in zip((*at.batch, *at.axes), (*batch, *(p.count for p in parts))):
        shape[i] = n
    n = [p.n for p in parts]
    whole = [0] * a.ndim
    for i, length in zip((*at.batch, *at.axes), (*batch, *(a.shape[i] for i in at.axes))):
        whole[i] = length
    there, again = ("fftn", "ifftn") if _is_complex(place, a) else ("rfftn", "irfftn")
    h = _function(there)(b, s=n, axes=at.axes)
    if _wants_kernel(place, kernel):
        if tuple(whole) != tuple(a.shape):
            a = place.arrays.copy(_broadcast(a, tuple(whole)))
        linear = f" linear={mode}({'x'.join(str(p.x) for p in parts)},{'x'.join(str(p.h) for p in parts)})"
        return place.results(_convolved(place, a, _spectrum(place, h, at, batch), at, n, tuple(shape), linear), out)
    spectrum = _function(there)(a, s=n, axes=at.axes)
    result = _function(again)(spectrum * h, s=n, axes=at.axes)
    part = [slice(None)] * a.ndim
    for i, p in zip(at.axes, parts):
        part[i] = slice(p.first, p.first + p.count)
    return place.results(place.arrays.copy(result[tuple(part)]), out)
