"""Kinds of arrays: one row each, which says whose arrays it takes and how they become arrays that the engine reads.

A kind that computes elsewhere (on a GPU) has functions of its own for the transform; none is there yet.
"""

from __future__ import annotations

from typing import Any, Callable, NamedTuple

import numpy as np


class Unsupported(TypeError):
    """Numbers that fftgen has no transforms of: longdouble, and what is no number."""


class Kind(NamedTuple):
    name: str
    takes: Callable[[Any], bool]
    to_numpy: Callable[[Any], np.ndarray]


def _is_numpy(x: Any) -> bool:
    return isinstance(x, np.ndarray)


def _is_plain(x: Any) -> bool:
    """Lists, tuples, numbers, and objects that say how they become arrays of the host."""
    return not hasattr(x, "__cuda_array_interface__")


KINDS = (
    Kind("numpy", _is_numpy, np.asarray),
    Kind("other", _is_plain, np.asarray),
)


def kind_of(x: Any) -> Kind:
    for kind in KINDS:
        if kind.takes(x):
            return kind
    raise TypeError(f"fftgen has no transforms of arrays of type {type(x).__module__}.{type(x).__name__} yet")


def numbers(x: Any) -> np.ndarray:
    """An array of the numbers that the engine has: float16 becomes float32, whole numbers and bool become float64;
    foreign byte order and addresses that are not aligned cost a copy."""
    a = kind_of(x).to_numpy(x)
    kind = a.dtype.kind
    if a.dtype == np.float16:
        a = a.astype(np.float32)
    elif kind in "biu":
        a = a.astype(np.float64)
    elif kind not in "fc":
        if kind != "O":
            raise Unsupported(f"fftgen has transforms of numbers, not of {a.dtype}")
        a = a.astype(np.complex128 if any(isinstance(v, complex) for v in a.flat) else np.float64)
    if a.dtype.itemsize > (16 if a.dtype.kind == "c" else 8):
        raise Unsupported(f"fftgen has float16, float32, float64 and complex numbers of them, not {a.dtype}")
    real = a.dtype.itemsize // (2 if a.dtype.kind == "c" else 1)
    behaved = a.flags.aligned and a.dtype.isnative and all(s % real == 0 for s in a.strides)
    return a if behaved else np.array(a, dtype=a.dtype.newbyteorder("="), order="C", copy=True)
