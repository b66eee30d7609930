"""Short-time Fourier transforms, and back."""

from __future__ import annotations

import functools
from typing import Any, Optional

import numpy as np

from . import _fused, _general, _gpu, _place, _trace

_BLOCK = 1 << 15  # elements of frames that are windowed at a time, within a cache


@functools.lru_cache(None)
def _named(name: str, n: int) -> np.ndarray:
    """Of period n, as scipy.signal.get_window's."""
    angle = 2 * np.pi * np.arange(n) / n
    terms = {"hann": (.5, .5), "hamming": (.54, .46), "blackman": (.42, .5, .08), "boxcar": (1,),
             "blackmanharris": (.35875, .48829, .14128, .01168), "nuttall": (.3635819, .4891775, .1365995, .0106411)}
    if name == "sine":
        return np.sin(np.pi * (np.arange(n) + .5) / n)
    if name not in terms:
        raise ValueError(f"window: {name!r} where one of {', '.join(sorted([*terms, 'sine']))}, or an array of n numbers, belongs")
    return sum((c * (-1) ** k * np.cos(k * angle) for k, c in enumerate(terms[name])), np.zeros(n))


def _window(window: Any, n: int) -> np.ndarray:
    if isinstance(window, str):
        return _named(window, n)
    window = window.get() if hasattr(window, "get") else np.asarray(window.detach().cpu() if hasattr(window, "detach") else window)
    if window.ndim != 1 or len(window) > n or window.dtype.kind not in "fiu":
        raise ValueError(f"window: real numbers, {n} of them at most, not {window.dtype} {window.shape}")
    before = (n - len(window)) // 2
    return np.pad(window.astype(np.float64), (before, n - len(window) - before))


@functools.lru_cache(64)
def _operation(kind: str, content: bytes) -> _trace.Operation:
    """Times a window, while frames are read or stored."""
    window = np.frombuffer(content)
    table = _trace.Node("table", (lambda: window,))
    return _trace.Operation(lambda v, k: v * table, kind == "store")


def _checked(n: int, hop: Optional[int]) -> int:
    hop = n // 4 if hop is None else hop
    if n < 1 or hop < 1:
        raise ValueError(f"n and hop are 1 or more, not {n} and {hop}")
    return hop


def _moved(x: Any, at: int, to: int) -> Any:
    order = [i for i in range(x.ndim) if i != at % x.ndim]
    order.insert(to % x.ndim, at % x.ndim)
    return x.permute(*order) if hasattr(x, "permute") else x.transpose(*order)


def _padded(place: Any, x: Any, by: int, mode: str) -> Any:
    """The last axis with `by` samples more on both sides."""
    length = x.shape[-1]
    if mode == "reflect" and by >= length:
        raise ValueError(f"reflected edges of {by} samples want more than as many, not {length}; pad='constant' has zeros there")
    out = place.zeros(x, (*x.shape[:-1], length + 2 * by), place.arrays.number(x))
    out[..., by:by + length] = x
    if mode == "reflect" and by:
        for i in range(by):
            out[..., by - 1 - i], out[..., by + length + i] = x[..., 1 + i], x[..., length - 2 - i]
    return out


def _views(x: Any, n: int, hop: int, count: int) -> Any:
    """Frames as a view: (..., count, n)."""
    if isinstance(x, np.ndarray):
        return np.lib.stride_tricks.as_strided(x, (*x.shape[:-1], count, n), (*x.strides[:-1], hop * x.strides[-1], x.strides[-1]), writeable=False)
    if hasattr(x, "unfold"):
        return x.unfold(-1, n, hop)[..., :count, :]
    import cupy

    return cupy.lib.stride_tricks.as_strided(x, (*x.shape[:-1], count, n), (*x.strides[:-1], hop * x.strides[-1], x.strides[-1]))


def _function(name: str) -> Any:
    import fftgen

    return getattr(fftgen, name)


def _in_blocks(frames: np.ndarray, window: np.ndarray, name: str, out: np.ndarray, norm: Optional[str]) -> np.ndarray:
    """Of the host: as many frames at a time as a cache holds."""
    count, n = frames.shape[-2:]
    step = max(1, _BLOCK // n)
    transform = _function(name)
    for index in np.ndindex(frames.shape[:-2]):
        for begin in range(0, count, step):
            part = frames[index][begin:begin + step] * window
            transform(part, norm=norm, out=out[index][begin:begin + step])
    return out


@_place.threaded
def stft(x: Any, n: int, hop: Optional[int] = None, window: Any = "hann", *, center: bool = True, pad: str = "reflect", norm: Optional[str] = None,
         axis: int = -1, store: Any = None, kernel: Optional[bool] = None, out: Any = None) -> Any:
    """The short-time Fourier transform along `axis`, as torch.stft: X[..., f, t] = sum over j of w[j] x[t hop + j] exp(-2 pi i j f / n).

    n : points of a frame. hop : samples from a frame to the next one; n // 4 by default.
    window : "hann", "hamming", "blackman", "blackmanharris", "nuttall", "sine", "boxcar" of period n, or an array; shorter ones in a frame's middle.
    center : frame t is around sample t hop: x is padded by n // 2 at both ends, as `pad` says ("reflect", or "constant": zeros).
    store : a function of each result, made by @fftgen.store.
    kernel : whether a kernel is made for it (docs/python.md); by default on a GPU, and with `store`.
    out : an array into which the results are copied. workers : threads, at most, as the transforms' functions have it.
    The result has n//2 + 1 frequencies of real x, n of complex x, in a new array whose memory has frame behind frame.

    >>> import numpy as np, fftgen
    >>> fftgen.stft(np.zeros(1000), 256, 64).shape
    (129, 16)
    """
    place, x = _place.of(x)
    hop, axis = _checked(n, hop), _general._axis("numpy", axis, x.ndim)
    if pad not in ("reflect", "constant"):
        raise ValueError(f"pad: {pad!r} where 'reflect' or 'constant' belongs")
    x = _moved(x, axis, -1)
    number = place.arrays.number(x)
    if number == "f16":
        x, number = place.arrays.convert(x, "f32"), "f32"
    if center:
        x = _padded(place, x, n // 2, pad)
    count = (x.shape[-1] - n) // hop + 1
    if count < 1:
        raise ValueError(f"{x.shape[-1]} samples where a frame has {n}")
    weights = _window(window, n)
    frames = _views(x, n, hop, count)
    name = "fft" if number in _gpu._REAL else "rfft"
    if place.arrays is _fused.host and not (store is not None or kernel):
        bins = n if name == "fft" else n // 2 + 1
        room = np.empty((*frames.shape[:-1], bins), _fused._NUMPY[_gpu.complex_of(number)])
        real = weights.astype(np.float32 if number in ("f32", "c64") else np.float64)
        result = _in_blocks(frames, real, name, room, norm)
    elif kernel is False and store is None:
        result = _function(name)(frames * place.here(weights.astype(np.float64 if number in ("f64", "c128") else np.float32), x), norm=norm)
    else:
        result = _function(name)(frames, norm=norm, load=_operation("load", weights.tobytes()), store=store)
    return place.results(_swapped(result), out)


def _swapped(x: Any) -> Any:
    return _moved(x, -1, -2)


@functools.lru_cache(64)
def _envelope(content: bytes, hop: int, count: int) -> np.ndarray:
    """Sums of squared windows, by sample."""
    squares = np.frombuffer(content) ** 2
    n = len(squares)
    total = np.zeros(((count - 1) * hop + n + hop - 1) // hop * hop)
    rows = total.reshape(-1, hop)
    for r in range(-(-n // hop)):
        part = squares[r * hop:(r + 1) * hop]
        rows[r:r + count, :len(part)] += part
    return total[:(count - 1) * hop + n]


@_place.threaded
def istft(X: Any, n: int, hop: Optional[int] = None, window: Any = "hann", *, center: bool = True, length: Optional[int] = None,
          norm: Optional[str] = None, real: bool = True, kernel: Optional[bool] = None, out: Any = None) -> Any:
    """The inverse of stft: of all signals, the one whose transform is nearest to X[..., f, t] (frames times the window, added, over the
    sum of squared windows), as torch.istft. Time is the last axis of the result.

    real : X has n//2 + 1 frequencies of a real signal; else n of a complex one. length : samples of the result; by default as many as
    the frames have. The other arguments are those of stft.

    >>> import numpy as np, fftgen
    >>> x = np.random.default_rng(1).standard_normal(1000)
    >>> np.allclose(fftgen.istft(fftgen.stft(x, 256, 64), 256, 64, length=1000), x)
    True
    """
    if length is not None and length < 0:
        raise ValueError(f"length: {length} samples; allowed: 0 and more")
    place, X = _place.of(X)
    hop = _checked(n, hop)
    if X.ndim < 2 or X.shape[-2] != (n // 2 + 1 if real else n):
        raise ValueError(f"X has frequencies and frames: {n // 2 + 1 if real else n} x as many as there are, not {tuple(X.shape[-2:])}")
    weights, frames = _window(window, n), _swapped(X)
    count = frames.shape[-2]
    envelope, total = _envelope(weights.tobytes(), hop, count), (count - 1) * hop + n
    first = n // 2 if center else 0
    last = min(total, first + length) if length is not None else total - first
    if (envelope[first:last] < 1e-11).any():
        raise ValueError("window and hop leave samples that no frame says anything of")
    name = "irfft" if real else "ifft"
    host = place.arrays is _fused.host and not kernel
    number = place.arrays.number(frames)
    single = number in ("f32", "c64", "c32", "f16")
    inside = np.float32 if single else np.float64
    if kernel is False or host:
        parts = _function(name)(frames, n, norm=norm)
        parts *= place.here(weights.astype(inside), X)
    else:
        parts = _function(name)(frames, n, norm=norm, store=_operation("store", weights.tobytes()))
    result = place.zeros(X, (*parts.shape[:-2], (total + hop - 1) // hop * hop), place.arrays.number(parts))
    rows = result.reshape((*parts.shape[:-2], -1, hop))
    for r in range(-(-n // hop)):
        part = parts[..., r * hop:(r + 1) * hop]
        rows[..., r:r + count, :part.shape[-1]] += part
    result = result[..., first:last]
    result *= place.here((1 / envelope[first:last]).astype(inside), X)
    if length is not None and last - first < length:
        longer = place.zeros(X, (*result.shape[:-1], length), place.arrays.number(result))
        longer[..., :last - first] = result
        result = longer
    return place.results(place.arrays.copy(result), out)
