"""How many threads a transform may take."""

from __future__ import annotations

import contextlib
import operator
import os
import threading
from typing import Iterator, Optional

from . import _core

_WORTH_THREADS = 1 << 14  # elements: smaller arrays are transformed sooner than threads start
_default = threading.local()


def resolve(workers: Optional[int], default: Optional[int] = None) -> int:
    """A number of threads: None is the default, -1 all processors, -2 all but one, and so on."""
    if workers is None:
        return get_workers() if default is None else default
    workers = operator.index(workers)
    processors = os.cpu_count() or 1
    if workers == 0:
        raise ValueError("workers must not be zero")
    if workers < -processors:
        raise ValueError(f"workers value out of range; got {workers}, must not be less than {-processors}")
    return workers + 1 + processors if workers < 0 else workers


def get_workers() -> int:
    """The number of threads that a call without ``workers`` may take, in this thread of Python.

    >>> import fftgen
    >>> fftgen.get_workers()
    1
    """
    return getattr(_default, "workers", 1)


@contextlib.contextmanager
def set_workers(workers: int) -> Iterator[None]:
    """Sets that number inside a ``with``; -1 is one for each processor.

    >>> import fftgen
    >>> with fftgen.set_workers(2):
    ...     fftgen.get_workers()
    2
    """
    old, new = get_workers(), resolve(operator.index(workers))
    _default.workers = new
    if new > 1:
        _core.set_threshold(_WORTH_THREADS)
    try:
        yield
    finally:
        _default.workers = old
