"""numpy.fft's functions by fftgen, and what puts them into numpy.fft."""

from __future__ import annotations

import contextlib
import sys
from typing import Any, Iterator

import numpy as np
import numpy.fft as _numpy_fft

from . import _core, _general, _helper
from ._arrays import Unsupported

NAMES = ("fft", "ifft", "rfft", "irfft", "hfft", "ihfft", "fft2", "ifft2", "rfft2", "irfft2", "fftn", "ifftn", "rfftn", "irfftn",
         "fftfreq", "rfftfreq")
_originals = {name: getattr(_numpy_fft, name) for name in NAMES}
_DOUBLE_ALONE = int(np.__version__.split(".")[0]) < 2  # NumPy 1 computes in double


def _gives_doubles(row: _general.Row, call: _general.Call) -> bool:
    """bfloat16, of which NumPy's reals along one axis are float64; along several axes its first results are complex64."""
    if not row.half_in or call.out is not None or _DOUBLE_ALONE:
        return False
    x = np.asarray(call.x)
    axes = 1 if row.dimensions == "1" else x.ndim if call.axes is None else np.size(call.axes)
    return axes == 1 and x.dtype.name == "bfloat16"


def _answer(row: _general.Row, call: _general.Call, args: Any, kwargs: Any) -> Any:
    x = call.x
    if not isinstance(x, np.ndarray) and hasattr(type(x), "__array_function__"):
        return _originals[row.name](*args, **kwargs)
    if _DOUBLE_ALONE:
        x = np.asarray(x)
        if x.dtype in (np.float16, np.float32, np.complex64) or x.dtype.name == "bfloat16":
            call = call._replace(x=x.astype(np.complex128 if x.dtype.kind == "c" else np.float64))
    if _gives_doubles(row, call):
        call = call._replace(x=np.asarray(x).astype(np.float64))
    try:
        return _general.transform(row, "numpy", call)
    except Unsupported:
        return _originals[row.name](*args, **kwargs)


def _function(row: _general.Row) -> Any:
    half = _general.half(row, "numpy", _answer)
    return half if _DOUBLE_ALONE else _core.function(row.name, "numpy", _originals[row.name].__doc__, half)


functions = {row.name: _function(row) for row in _general.ROWS if row.name in NAMES}
functions.update(fftfreq=_helper.fftfreq, rfftfreq=_helper.rfftfreq)
globals().update(functions)


def _modules() -> Any:
    """Modules that have one of numpy.fft's functions under its own name."""
    return [m for m in list(sys.modules.values()) if getattr(m, "__name__", "").startswith("numpy.fft")]


def install() -> None:
    """numpy.fft's functions become fftgen's, for modules that look them up there from now on."""
    for module in _modules():
        for name, function in functions.items():
            if getattr(module, name, None) is _originals[name]:
                setattr(module, name, function)


def uninstall() -> None:
    for module in _modules():
        for name, function in functions.items():
            if getattr(module, name, None) is function:
                setattr(module, name, _originals[name])


@contextlib.contextmanager
def installed() -> Iterator[None]:
    """numpy.fft's functions are fftgen's inside of a ``with``.

    >>> import numpy as np, fftgen.numpy_fft
    >>> with fftgen.numpy_fft.installed():
    ...     np.fft.fft(np.ones(4, np.float32)).dtype.kind
    'c'
    """
    install()
    try:
        yield
    finally:
        uninstall()
