"""Plans that are kept for later calls with the same shapes, strides and types."""

from __future__ import annotations

from typing import NamedTuple

from . import _core


class Info(NamedTuple):
    """Of one precision, or of GPUs: plans that are kept, at most; calls that found one; plans made and dropped since the start;
    bytes of memory that they hold for executions."""

    plans: int
    limit: int
    found: int
    made: int
    dropped: int
    bytes: int


def info() -> "dict[str, Info]":
    """What is kept, by precision, and under "cuda" of arrays of a GPU.

    >>> import numpy as np, fftgen
    >>> before = fftgen.cache.info()["f64"]
    >>> for _ in range(3): _ = fftgen.fft(np.ones(77))
    >>> after = fftgen.cache.info()["f64"]
    >>> after.made - before.made, after.found - before.found
    (1, 2)
    """
    return {precision: Info(**counts) for precision, counts in _core.counts().items()}


def clear() -> None:
    """Drops all plans, and the tables that they share."""
    _core.set_limit(0)


def set_limit(plans: int) -> None:
    """Keeps so many plans of each precision, and so many for GPUs, at most; those beyond are freed, the longest unused ones first."""
    if plans < 1:
        raise ValueError(f"at least 1 plan is kept, not {plans}")
    _core.set_limit(plans)
