"""Calls that must not stall: with cold("raise") what would be planned or compiled is an error."""

from __future__ import annotations

import contextlib
from typing import Iterator

from . import _core

ColdError = _core.ColdError


@contextlib.contextmanager
def cold(action: str) -> Iterator[None]:
    """What a call does inside a ``with``, in this thread of Python, that has no plan yet: "raise" a ColdError, or "make" one, as outside.

    A plan that is there is one of an earlier call with the same function, shape, strides and type, or of an equal expression in load= or
    store=; a plan as an object has its own. To make it, call once before.

    >>> import numpy as np, fftgen
    >>> x = np.ones((3, 70))
    >>> _ = fftgen.fft(x)
    >>> with fftgen.cold("raise"):
    ...     y = fftgen.fft(x)
    ...     try:
    ...         fftgen.fft(x[:, :69])
    ...     except fftgen.ColdError:
    ...         print("not planned")
    not planned
    """
    if action not in ("raise", "make"):
        raise ValueError(f"cold: {action!r} where 'raise' or 'make' belongs")
    before = _core.set_cold(action == "raise")
    try:
        yield
    finally:
        _core.set_cold(before)
