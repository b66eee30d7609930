"""Frequencies, shifts, and lengths that are fast."""

from __future__ import annotations

import operator
from typing import Any

import numpy as np
from numpy.fft import fftshift as fftshift, ifftshift as ifftshift

_FACTORS = (2, 3, 5, 7)  # of which codelets and passes are made; 11 and 13 have codelets, too, and are slower by point


def _frequencies(first: int, end: int, n: Any, d: Any, dtype: Any, device: Any) -> np.ndarray:
    if device not in (None, "cpu"):
        raise ValueError(f'device: {device!r} where "cpu" or None belongs')
    n = operator.index(n)
    if n < 1:
        raise ValueError(f"Invalid number of FFT data points ({n}) specified.")
    k = np.arange(first, end, dtype=np.float64) * (1 / (n * d))  # as NumPy rounds them
    return np.asarray(ifftshift(k) if first < 0 else k, dtype=dtype)


def fftfreq(n: int, d: float = 1.0, dtype: Any = None, device: Any = None) -> np.ndarray:
    """Frequencies of fft's n results, in cycles per unit of the distance d of samples.

    >>> import fftgen
    >>> fftgen.fftfreq(5, .1)
    array([ 0.,  2.,  4., -4., -2.])
    """
    return _frequencies(-(operator.index(n) // 2), (operator.index(n) + 1) // 2, n, d, dtype, device)


def rfftfreq(n: int, d: float = 1.0, dtype: Any = None, device: Any = None) -> np.ndarray:
    """Frequencies of rfft's n//2 + 1 results.

    >>> import fftgen
    >>> fftgen.rfftfreq(5, .1)
    array([0., 2., 4.])
    """
    return _frequencies(0, operator.index(n) // 2 + 1, n, d, dtype, device)


def _next_smooth(target: int, factors: "tuple[int, ...]") -> int:
    """The least product of factors that is not below target."""
    best = 1 << (target - 1).bit_length()
    products = [1]
    for factor in factors[1:]:
        for p in list(products):
            while (p := p * factor) < best:
                products.append(p)
    for p in products:  # times the power of 2 that it needs
        best = min(best, p << max(0, (-(-target // p) - 1).bit_length()))
    return best


def next_fast_len(target: int, real: bool = False) -> int:
    """The least length from `target` on that has no other prime factors than 2, 3, 5 and 7, and is even where `real`.

    >>> import fftgen
    >>> fftgen.next_fast_len(997), fftgen.next_fast_len(971, real=True)
    (1000, 972)
    """
    target = operator.index(target)
    if target < 1:
        raise ValueError(f"a length is 1 or more, not {target}")
    return 2 * _next_smooth((target + 1) // 2, _FACTORS) if real and target > 1 else _next_smooth(target, _FACTORS)
