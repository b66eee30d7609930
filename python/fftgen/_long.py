"""Long convolutions of neural networks: rows of sequences, a filter for each channel; and their gradients, which are a convolution of the same kind and
a sum over the sequences (sum=channel of docs/problem.md).

With T = sum over b, c, t, s of y[b, c, t] h[c, s] x[b, c, t - s], t below the length of x: each function is T's derivative by one of the three, so that
gradients of any order are these functions again.
"""

from __future__ import annotations

import math
from typing import Any, Optional

from . import _convolve, _helper, _place

_SUMMANDS = 4096  # sequences of one sum


class _Rows:
    """An array of sequences by channels, dense, in a precision that transforms have on both sides."""

    def __init__(self, x: Any, wide: bool = False) -> None:
        self.place, x = _place.of(x)
        self.shape = tuple(x.shape)
        if len(self.shape) < 2:
            raise ValueError(f"x of shape {self.shape}: sequences by channels, along the last two axes")
        if _convolve._is_complex(self.place, x):
            raise TypeError("long convolutions are of real numbers")
        self.number = self.place.arrays.number(x)
        if wide and self.number == "f16":
            self.number, x = "f32", self.place.arrays.convert(x, "f32")
        self.channels, self.length = self.shape[-2:]
        self.batch = math.prod(self.shape[:-2])
        self.x = self.place.arrays.copy(x).reshape((self.batch, self.channels, self.length))

    def filter(self, h: Any) -> Any:
        place, h = _place.of(h)
        if place.arrays.name != self.place.arrays.name:
            raise TypeError("x and h are arrays of one library, on one device")
        if h.ndim != 2 or h.shape[0] != self.channels or _convolve._is_complex(place, h):
            raise ValueError(f"h of shape {tuple(h.shape)} where real filters of {self.channels} channels belong")
        return self.wide(h)[:, : self.length]

    def wide(self, h: Any) -> Any:
        """In the precision of the arithmetic, which spectra have."""
        wanted = "f64" if self.number == "f64" else "f32"
        return h if self.place.arrays.number(h) == wanted else self.place.arrays.convert(h, wanted)

    def points(self, samples: int) -> int:
        return int(_helper.next_fast_len(max(self.length + samples - 1, 2)))

    def program(self, n: int, spectrum: Any, rest: str, kept: int, summed: bool) -> Any:
        """One program: zeros behind the rows, transforms, products, perhaps their sum, the transform back, `kept` results."""
        text = f"rconv {self.number} n={n} batch={self.batch}x{self.channels} scale=1/n spectrum={rest}{' sum=channel' if summed else ''}"
        text += f" load=zeropad({self.length}) store=crop({kept})"
        result = self.place.arrays.empty(self.x, (*([] if summed else [self.batch]), self.channels, kept), self.number)
        self.place.arrays.launch(self.place.plan(text, self.x), self.x, result, (self.place.arrays.copy(spectrum),))
        return result

    def transformed(self, n: int) -> Any:
        return _convolve._function("rfft")(self.wide(self.x), n=n, axis=-1)

    def back(self, spectrum: Any, n: int, kept: int) -> Any:
        result = _convolve._function("irfft")(spectrum, n=n, axis=-1)[..., :kept]
        copied = self.place.arrays.copy(result)
        return copied if self.place.arrays.number(copied) == self.number else self.place.arrays.convert(copied, self.number)


def _by_filter(rows: _Rows, h: Any, conj: bool, kernel: Optional[bool]) -> Any:
    h = rows.filter(h)
    if 0 in (*rows.shape, h.shape[-1]):
        return rows.place.back(rows.place.zeros(rows.x, rows.shape, rows.number))
    n = rows.points(h.shape[-1])
    spectrum = _convolve._function("rfft")(rows.place.arrays.copy(h), n=n, axis=-1)
    if _convolve._wants_kernel(rows.place, kernel):
        result = rows.program(n, spectrum, "channel,conj" if conj else "channel", rows.length, False)
    else:
        result = rows.back(rows.transformed(n) * (spectrum.conj() if conj else spectrum), n, rows.length)
    return rows.place.back(result.reshape(rows.shape))


def convolved(x: Any, h: Any, kernel: Optional[bool] = None) -> Any:
    """y[..., c, t] = sum over s of h[c, s] x[..., c, t - s]: as long as x."""
    return _by_filter(_Rows(x), h, False, kernel)


def by_signal(y: Any, h: Any, kernel: Optional[bool] = None) -> Any:
    """T's derivative by x: sums over s of h[c, s] y[..., c, t + s]."""
    return _by_filter(_Rows(y), h, True, kernel)


def by_filter(x: Any, y: Any, samples: int, kernel: Optional[bool] = None) -> Any:
    """T's derivative by h: for each channel the sum over all sequences, and t, of x[..., c, t] y[..., c, t + s], s below `samples`."""
    signal, rows = _Rows(x, True), _Rows(y, True)
    if signal.shape != rows.shape or signal.place.arrays.name != rows.place.arrays.name:
        raise ValueError(f"x of shape {signal.shape} and y of shape {rows.shape}")
    kept = min(samples, rows.length)
    if 0 in (*rows.shape, samples):
        return rows.place.back(rows.place.zeros(rows.x, (rows.channels, samples), rows.number))
    n = rows.points(kept)
    spectra = signal.transformed(n)
    if _convolve._wants_kernel(rows.place, kernel) and rows.batch <= _SUMMANDS:
        result = rows.program(n, spectra, "each,conj", kept, True)
    else:
        result = rows.back((rows.transformed(n) * spectra.conj()).sum(0), n, kept)
    if kept < samples:
        whole = rows.place.zeros(rows.x, (rows.channels, samples), rows.number)
        whole[:, :kept] = result
        result = whole
    return rows.place.back(result)
