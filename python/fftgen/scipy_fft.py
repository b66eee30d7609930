"""A backend of scipy.fft:

    >>> import fftgen.scipy_fft, scipy.fft
    >>> scipy.fft.set_global_backend(fftgen.scipy_fft)
    >>> scipy.fft.fft([1., 0, 0, 0]).real
    array([1., 1., 1., 1.])

Arrays of a GPU are transformed there. longdouble, other arrays that are not NumPy's, and fht and ifht, which call other transforms, are SciPy's to
answer;
`fftgen.scipy_fft.answered_by_scipy()` counts them.
"""

from __future__ import annotations

import collections
from typing import Any

import numpy as np
import scipy.fft as _scipy_fft

from . import _core, _general
from ._arrays import Unsupported
from ._workers import resolve

__ua_domain__ = "numpy.scipy.fft"
_left: "collections.Counter[str]" = collections.Counter()


def answered_by_scipy() -> "dict[str, int]":
    """How many calls SciPy answered itself, by function and type of numbers."""
    return dict(_left)


def _leave(name: str, why: str, args: Any, kwargs: Any) -> Any:
    """SciPy's own answer: as a global backend, nobody else would be asked."""
    _left[f"{name} {why}".rstrip()] += 1
    with _scipy_fft.set_backend("scipy", only=True):
        return getattr(_scipy_fft, name)(*args, **kwargs)


def _is_foreign(x: Any) -> bool:
    if isinstance(x, (np.ndarray, np.generic)) or hasattr(x, "__cuda_array_interface__"):
        return False
    return hasattr(x, "__array_namespace__")


def _answer(row: _general.Row, call: _general.Call, args: Any, kwargs: Any) -> Any:
    if _is_foreign(call.x):
        return _leave(row.name, type(call.x).__name__, args, kwargs)
    workers = resolve(call.workers, _scipy_fft.get_workers())
    if getattr(getattr(call.x, "dtype", None), "name", "") == "bfloat16":  # of which SciPy computes in double
        call = call._replace(x=np.asarray(call.x).astype(np.float64))
    try:
        return _general.transform(row, "scipy", call._replace(workers=workers))
    except Unsupported:
        return _leave(row.name, str(np.asarray(call.x).dtype), args, kwargs)


def _leaves(name: str) -> Any:
    def left(*args: Any, **kwargs: Any) -> Any:
        return _leave(name, "", args, kwargs)

    return left


_functions = {row.name: _core.function(row.name, "scipy", "scipy.fft." + row.name, _general.half(row, "scipy", _answer))
              for row in _general.ROWS}
globals().update(_functions)
_table = {getattr(_scipy_fft, name): function for name, function in _functions.items() if hasattr(_scipy_fft, name)}
_table.update({getattr(_scipy_fft, name): _leaves(name) for name in ("fht", "ifht") if hasattr(_scipy_fft, name)})
__ua_function__ = _core.backend(_table)
