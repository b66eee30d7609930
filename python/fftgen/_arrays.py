"""Kinds of arrays, by the library that they come from, and how they become arrays that the engine reads.

NumPy's arrays, and what numpy.asarray takes, are transformed here. Arrays of a GPU have a transform of their own (_gpu.py); tensors of
the host are NumPy's arrays without a copy, and so are their results.
"""

from __future__ import annotations

from typing import Any, Callable, Optional

import numpy as np


class Unsupported(TypeError):
    """Numbers that fftgen has no transforms of: longdouble, and what is no number."""


Home = Callable[[Any, str, Any], Any]  # (row, style, call): the call's results


def _cupy(x: Any) -> Optional[Home]:
    from . import _cupy, _gpu

    return (lambda row, style, call: _gpu.transform(row, style, call, _cupy.library)) if isinstance(x, _cupy.cupy.ndarray) else None


def _torch(x: Any) -> Optional[Home]:
    from . import _gpu, _torch

    if not isinstance(x, _torch.torch.Tensor):
        return None
    if x.is_cuda:
        return lambda row, style, call: _gpu.transform(row, style, call, _torch.library)
    if not _torch.is_here(x):
        raise TypeError(f"fftgen has no transforms of tensors of device {x.device}")
    return _torch.transform_here


def _jax(x: Any) -> Optional[Home]:
    from . import _foreign

    if _foreign.is_gpu(x):
        return _foreign.transform

    def on_host(row: Any, style: str, call: Any) -> Any:
        from . import _general

        if isinstance(call.out, np.ndarray):
            raise TypeError("return arrays must be of ArrayType: x is an array of JAX's, which cannot be written, and out is one of NumPy's; "
                            "fftgen's functions of numpy.asarray(x) take it")
        if call.out is not None:
            raise ValueError("output array is read-only")
        return call.x.__array_namespace__().asarray(_general.transform(row, style, call._replace(x=of_jax(call.x))))

    return on_host


_HOMES = {"cupy": _cupy, "torch": _torch, "jax": _jax, "jaxlib": _jax}


def home(x: Any) -> Optional[Home]:
    """Who transforms x; None: it becomes an array of NumPy's."""
    if isinstance(x, (np.ndarray, np.generic, list, tuple, int, float, complex)):
        return None
    for base in type(x).__mro__:
        of = _HOMES.get(base.__module__.partition(".")[0])
        if of is not None:
            return of(x)
    from . import _foreign

    return _foreign.transform if _foreign.is_gpu(x) else None


def asarray(x: Any) -> np.ndarray:
    """numpy.asarray, which does not know of arrays that have __dlpack__ alone."""
    if hasattr(type(x), "__dlpack__") and not hasattr(x, "__array__") and not hasattr(x, "__array_interface__"):
        return np.from_dlpack(x)
    return np.asarray(x)


def of_jax(x: Any) -> np.ndarray:
    """An array of JAX's on the host as one of NumPy's, halves in single precision, as JAX computes them."""
    a = np.asarray(x)
    return a.astype(np.float32) if a.dtype == np.float16 else a


def numbers(x: Any) -> np.ndarray:
    """An array of the numbers that the engine has: float16 and ml_dtypes' bfloat16 become float32, whole numbers and bool become float64;
    foreign byte order and addresses that are not aligned cost a copy."""
    a = asarray(x)
    kind = a.dtype.kind
    if a.dtype == np.float16 or a.dtype.name == "bfloat16":
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
