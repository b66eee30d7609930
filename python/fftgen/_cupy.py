"""CuPy's arrays (see _gpu.Library)."""

from __future__ import annotations

from typing import Any, Callable, Sequence

import cupy
import numpy as np

from . import _core, _gpu

_TYPES = {"f32": np.dtype("f4"), "f64": np.dtype("f8"), "c64": np.dtype("c8"), "c128": np.dtype("c16")}
_NAMES = {dtype: name for name, dtype in _TYPES.items()}
_WHOLE = {np.dtype("u1"): "u8", np.dtype("i2"): "i16"}


class CuPy(_gpu.Library):
    name = "cupy"
    names = _NAMES

    def __init__(self) -> None:
        _core.gpu_library("cupy", (cupy.ndarray,), tuple(_TYPES.get(n) for n in _gpu.NUMBERS), {"stream": cupy.cuda.get_current_stream})

    def numbers(self, x: Any) -> Any:
        if x.dtype in _NAMES:
            return x
        if x.dtype.kind in "biu":
            return self.convert(x, "f64")
        if x.dtype == np.float16 or x.dtype.name == "bfloat16":  # CuPy has no pairs of halves
            return self.convert(x, "f32")
        raise _gpu.Unsupported(f"fftgen has transforms of float16, bfloat16, float32, float64 and complex numbers, not of {x.dtype}")

    def convert(self, x: Any, number: str) -> Any:
        with x.device:
            return x.astype(_TYPES[number], order="C")

    def copy(self, x: Any) -> Any:
        with x.device:
            return x.copy(order="C")

    def pad(self, x: Any, shape: Sequence[int]) -> Any:
        with x.device:
            padded = cupy.zeros(shape, x.dtype)
            padded[tuple(slice(0, n) for n in x.shape)] = x
            return padded

    def recipe(self, x: Any, shape: "tuple[int, ...]", number: str) -> "tuple[Any, Any, Any]":
        return cupy.ndarray, (shape, _TYPES[number]), None

    def workspace(self, x: Any) -> Callable[[int], Any]:
        return _bytes

    def upload(self, a: np.ndarray, x: Any) -> "tuple[Any, int]":
        there = cupy.asarray(a)
        cupy.cuda.get_current_stream().synchronize()  # other streams read it, too
        return there, there.data.ptr

    def takes(self, out: Any) -> bool:
        return isinstance(out, cupy.ndarray)

    def whole(self, x: Any) -> Any:
        name = _WHOLE.get(x.dtype)
        if name is None:
            return None
        return name, _gpu.Facts(x.data.ptr, "f32", x.device.id, x.shape, tuple([s // x.itemsize for s in x.strides]))

    def fill(self, out: Any, result: Any) -> Any:
        with result.device:
            cupy.copyto(out, result, casting="same_kind")
        return out

    def enter(self, x: Any) -> Any:
        return x.device

    def narrow(self, result: Any, x: Any) -> Any:
        if x.dtype != np.float16:
            return result
        with result.device:
            return result.astype(np.float16)


def _bytes(count: int) -> Any:
    return cupy.ndarray((count,), np.uint8)


library = CuPy()
