"""Transforms in more than double precision, which errors are measured by: in quadruple precision (113 bits) by FFTW's libfftw3q, where it is
installed and the transform is not too long, else in extended precision (64 bits) by SciPy."""

from __future__ import annotations

import ctypes
import functools
import math
from typing import Any, NamedTuple, Optional

import numpy as np

QUAD_MOST, EXTENDED_MOST = 1 << 18, 1 << 23  # points in all
QUAD, EXTENDED = "quadruple precision (113 bits)", "extended precision (64 bits)"


class Wanted(NamedTuple):
    """high + low; complex128 both."""

    high: np.ndarray
    low: np.ndarray
    precision: str


@functools.lru_cache(None)
def _library() -> Optional[Any]:
    try:
        library = ctypes.CDLL("libfftw3q.so.3")
    except OSError:
        return None
    library.fftwq_plan_many_dft.restype = ctypes.c_void_p
    for name in ("fftwq_execute", "fftwq_destroy_plan"):
        getattr(library, name).argtypes = [ctypes.c_void_p]
    return library


def widen(x: np.ndarray) -> np.ndarray:
    """float64 as IEEE's binary128: pairs of words, the low one first. Subnormal numbers become 0."""
    bits = np.ascontiguousarray(x, np.float64).view(np.uint64)
    exponent, fraction = (bits >> np.uint64(52)) & np.uint64(0x7ff), bits & np.uint64((1 << 52) - 1)
    words = np.empty((*x.shape, 2), np.uint64)
    words[..., 0] = fraction << np.uint64(60)
    words[..., 1] = (bits >> np.uint64(63) << np.uint64(63)) | ((exponent + np.uint64(16383 - 1023)) << np.uint64(48)) | (fraction >> np.uint64(4))
    words[exponent == 0] = 0
    return words


def split(words: np.ndarray) -> "tuple[np.ndarray, np.ndarray]":
    """binary128 as a sum of two float64, of which the first has its leading 53 bits."""
    low, high = words[..., 0], words[..., 1]
    exponent = ((high >> np.uint64(48)) & np.uint64(0x7fff)).astype(np.int64) - 16383
    sign = np.where(high >> np.uint64(63), -1., 1.)
    leading = (np.uint64(1) << np.uint64(52)) | ((high & np.uint64((1 << 48) - 1)) << np.uint64(4)) | (low >> np.uint64(60))
    rest = low & np.uint64((1 << 60) - 1)
    zero = exponent == -16383
    a = np.where(zero, 0., sign * np.ldexp(leading.astype(np.float64), np.where(zero, 0, exponent - 52)))
    b = np.where(zero, 0., sign * np.ldexp(rest.astype(np.float64), np.where(zero, 0, exponent - 112)))
    return a, b


def _quad(library: Any, x: np.ndarray, rank: int) -> "tuple[np.ndarray, np.ndarray]":
    """Forward, along the last axes, of complex128."""
    lengths = x.shape[x.ndim - rank:]
    points, count = math.prod(lengths), math.prod(x.shape[:x.ndim - rank])
    words = widen(np.ascontiguousarray(x).view(np.float64))
    n = (ctypes.c_int * rank)(*lengths)
    at = ctypes.c_void_p(words.ctypes.data)
    estimate = 1 << 6
    plan = library.fftwq_plan_many_dft(rank, n, count, at, None, 1, points, at, None, 1, points, -1, estimate)
    if not plan:
        raise MemoryError("libfftw3q makes no plan")
    library.fftwq_execute(plan)
    library.fftwq_destroy_plan(plan)
    high, low = split(words)
    return high.view(np.complex128), low.view(np.complex128)


def transform(name: str, x: np.ndarray, axes: "tuple[int, ...]", quad_most: int = QUAD_MOST) -> Optional[Wanted]:
    """fft or rfft of x along axes; None where nothing here computes it."""
    library = _library()
    if library and x.size <= quad_most:
        behind = tuple(range(x.ndim - len(axes), x.ndim))
        high, low = (np.moveaxis(a, behind, axes) for a in _quad(library, np.moveaxis(x, axes, behind).astype(np.complex128), len(axes)))
        if name == "rfft":
            half = [slice(None)] * x.ndim
            half[axes[-1]] = slice(x.shape[axes[-1]] // 2 + 1)
            high, low = high[tuple(half)], low[tuple(half)]
        return Wanted(high, low, QUAD)
    if np.finfo(np.longdouble).nmant < 63 or x.size > EXTENDED_MOST:
        return None
    try:
        import scipy.fft
    except ImportError:
        return None
    long = getattr(scipy.fft, name + "n")(x.astype(np.clongdouble if x.dtype.kind == "c" else np.longdouble), axes=axes)
    high = long.astype(np.complex128)
    return Wanted(high, (long - high).astype(np.complex128), EXTENDED)


def error(result: np.ndarray, wanted: Wanted) -> float:
    """In the L2 norm, over that of what is wanted."""
    difference = (result.astype(np.complex128) - wanted.high) - wanted.low
    return float(np.linalg.norm(difference.ravel()) / np.linalg.norm(wanted.high.ravel()))
