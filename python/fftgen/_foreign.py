"""Arrays of a GPU of any other library: those with __cuda_array_interface__ (Numba, PyCUDA), or with __dlpack__ (JAX).

Their memory is used where it is. Results are arrays of the same library, by its from_dlpack or its counterpart, or an `Array`,
which has both interfaces. x is kept until the GPU has read it.
"""

from __future__ import annotations

import collections
import contextlib
import math
from typing import Any, Callable, Deque, NamedTuple, Tuple

import numpy as np

from . import _core, _gpu

_DTYPES = {"f16": np.dtype("f2"), "f32": np.dtype("f4"), "f64": np.dtype("f8"), "c64": np.dtype("c8"), "c128": np.dtype("c16")}
_NAMES = {dtype: name for name, dtype in _DTYPES.items()}
_CODES = {(2, 16): "f16", (2, 32): "f32", (2, 64): "f64", (4, 16): "bf16", (5, 32): "c32", (5, 64): "c64", (5, 128): "c128"}  # of DLPack
_LEGACY = 1  # the default stream, in both interfaces and for the driver
_CUDA = (2, 13)  # DLPack's devices: memory of a GPU, and memory that moves


class View(NamedTuple):
    """Fields as core/gpu_array.c reads them, and what keeps the memory."""

    at: int
    index: int  # of _gpu.NUMBERS
    device: int
    shape: "tuple[int, ...]"
    strides: "tuple[int, ...]"  # in elements
    stream: int
    owner: Any

    @property
    def ndim(self) -> int:
        return len(self.shape)


class Array:
    """An array on a GPU, for libraries that take one by __cuda_array_interface__ or __dlpack__."""

    def __init__(self, view: View) -> None:
        self._view = view
        self.shape, self.ndim, self.dtype = view.shape, view.ndim, _DTYPES.get(_gpu.NUMBERS[view.index])

    def __repr__(self) -> str:
        return f"<fftgen.Array of {_gpu.NUMBERS[self._view.index]} {self.shape} on GPU {self._view.device}>"

    @property
    def __cuda_array_interface__(self) -> "dict[str, Any]":
        if self.dtype is None:
            raise AttributeError("__cuda_array_interface__ has neither pairs of halves nor bfloat16")
        strides = tuple(s * self.dtype.itemsize for s in self._view.strides)
        return {"shape": self.shape, "typestr": self.dtype.str, "data": (self._view.at, False), "strides": strides, "version": 3,
                "stream": self._view.stream or _LEGACY}

    def __dlpack_device__(self) -> "tuple[int, int]":
        return (_CUDA[0], self._view.device)

    def __dlpack__(self, *, stream: Any = None, **rest: Any) -> Any:
        if stream != -1:  # -1: the caller has ordered the work
            _core.gpu_order(self._view.device, self._view.stream, _LEGACY if stream is None else stream)
        return _core.gpu_to_dlpack(self._view, self)


# ---- from objects, and back --------------------------------------------------------------------------


def _has_dlpack(x: Any) -> bool:
    return hasattr(type(x), "__dlpack__") and hasattr(type(x), "__dlpack_device__")


def is_gpu(x: Any) -> bool:
    if hasattr(x, "__cuda_array_interface__"):
        return True
    try:
        return _has_dlpack(x) and int(x.__dlpack_device__()[0]) in _CUDA
    except Exception:  # of a library's own: no array that is anywhere
        return False


def _by_interface(x: Any) -> View:
    d = x.__cuda_array_interface__
    if d.get("mask") is not None:
        raise TypeError("fftgen has no transforms of masked arrays")
    name = _NAMES.get(np.dtype(d["typestr"]))
    if name is None:
        raise _gpu.Unsupported(f"fftgen has float16, float32, float64 and complex numbers, not {np.dtype(d['typestr'])}")
    shape, size = tuple(d["shape"]), _DTYPES[name].itemsize
    bytes = d.get("strides")
    strides = _gpu.dense(shape) if bytes is None else tuple(b // size for b in bytes)
    if bytes is not None and any(b % size for b in bytes):
        raise ValueError(f"strides {bytes} are no whole elements of {_DTYPES[name]}")
    at = d["data"][0] if math.prod(shape) else 0
    return View(at, _gpu.NUMBERS.index(name), _core.gpu_owner(at) if at else 0, shape, strides, d.get("stream") or _LEGACY, x)


def _by_dlpack(x: Any) -> View:
    at, code, bits, device, shape, strides, owner = _core.gpu_from_dlpack(x.__dlpack__(stream=_LEGACY))
    name = _CODES.get((code, bits))
    if name is None:
        raise _gpu.Unsupported(f"fftgen has float16, bfloat16, float32, float64 and complex numbers, not DLPack's type {code} of {bits} bits")
    return View(at, _gpu.NUMBERS.index(name), device, tuple(shape), tuple(strides), _LEGACY, owner)


def view_of(x: Any) -> View:
    if hasattr(x, "__array_namespace__") and _has_dlpack(x) or not hasattr(x, "__cuda_array_interface__"):
        return _by_dlpack(x)
    return _by_interface(x)


def _of_library(result: View, like: Any) -> Any:
    array = Array(result)
    if hasattr(like, "__array_namespace__"):
        return like.__array_namespace__().from_dlpack(array)
    if type(like).__module__.startswith("numba."):
        from numba import cuda

        return cuda.as_cuda_array(array)
    return array


# ---- the library -------------------------------------------------------------------------------------


def _new(shape: "tuple[int, ...]", number: str, device: int, stream: int) -> View:
    bytes = {"f16": 2, "bf16": 2, "f32": 4, "f64": 8, "c32": 4, "c64": 8, "c128": 16}[number] * math.prod(shape)
    at, owner = _core.gpu_allocate(device, bytes)
    return View(at, _gpu.NUMBERS.index(number), device, shape, _gpu.dense(shape), stream, owner)


class Foreign(_gpu.Library):
    name = "view"

    def __init__(self) -> None:
        _core.gpu_library("view", (View,), (None,) * len(_gpu.NUMBERS), {})

    def numbers(self, x: View) -> View:
        return x

    def number(self, x: View) -> str:
        return _gpu.NUMBERS[x.index]

    def convert(self, x: View, number: str) -> View:
        raise TypeError(f"an array of {self.number(x)} where one of {number} belongs, and its library has no astype")

    def copy(self, x: View) -> View:
        raise ValueError(f"strides {x.strides}, and an address of {x.at:#x}: a transform on a GPU takes positive strides and aligned "
                         "addresses; copy the array by its own library")

    def pad(self, x: View, shape: Any) -> View:
        raise ValueError(f"x is shorter than the transform, {x.shape} where {tuple(shape)} belongs; pad it by its own library")

    def recipe(self, x: View, shape: "tuple[int, ...]", number: str) -> "tuple[Any, Any, Any]":
        return _new, (shape, number, x.device, x.stream), None

    def workspace(self, x: View) -> Callable[[int], Any]:
        return lambda count: _new((count // 4 + 1,), "f32", x.device, x.stream)

    def upload(self, a: np.ndarray, x: View) -> "tuple[Any, int]":
        at, owner = _core.gpu_allocate(x.device, a)
        return owner, at

    def takes(self, out: Any) -> bool:
        return isinstance(out, View)

    def fill(self, out: View, result: View) -> View:
        raise ValueError("out overlaps x in part, or has another type than the results: "
                         f"{self.number(out)} {out.shape} for {self.number(result)} {result.shape}")

    def enter(self, x: View) -> Any:
        return contextlib.nullcontext()


library = Foreign()
_kept: "Deque[Tuple[int, Any]]" = collections.deque()  # until an event has passed


def _keep(view: View, *objects: Any) -> None:
    while _kept and _core.gpu_event_done(_kept[0][0]):
        _kept.popleft()
    _kept.append((_core.gpu_event(view.device, view.stream), objects))


def _converted(row: Any, x: Any) -> Any:
    """As CuPy's would be: by the array's own library."""
    dtype = getattr(x, "dtype", None)
    if not isinstance(dtype, np.dtype) or not hasattr(x, "astype"):
        return x
    wanted = np.dtype("f8") if dtype.kind in "biu" else dtype
    if (dtype == np.float16 or dtype.name == "bfloat16") and not row.trigonometric:
        wanted = np.dtype("f4")
    if row.base in ("fft", "ifft", "irfft", "hfft") and wanted.kind == "f":
        wanted = np.result_type(wanted, np.complex64)
    return x if wanted == dtype else x.astype(wanted)


def _output(out: Any) -> Any:
    if out is None or not is_gpu(out):
        return out
    interface = getattr(out, "__cuda_array_interface__", None)
    if interface is None or hasattr(out, "__array_namespace__") or interface["data"][1]:
        raise ValueError("output array is read-only")
    return view_of(out)


def transform(row: Any, style: str, call: Any) -> Any:
    x = _converted(row, call.x)
    view, out = view_of(x), _output(call.out)
    result = _gpu.transform(row, style, call._replace(x=view, out=out), library)
    if not isinstance(result, View):
        return result
    if result.at and view.at:
        _keep(view, view.owner, x, result)
    return call.x if result is view else call.out if call.out is not None else _of_library(result, call.x)
