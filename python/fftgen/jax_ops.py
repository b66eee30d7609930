"""fftgen's functions inside jax.jit, by XLA's foreign function interface: fftgen.jax_ops.fft, rfft, ..., with derivatives and vmap.

    >>> import jax, fftgen.jax_ops
    >>> step = jax.jit(lambda x: fftgen.jax_ops.irfft(2 * fftgen.jax_ops.rfft(x)))

Arguments are those of jax.numpy.fft, and `dct`, `idct`, `dst`, `idst` and with `n` those of scipy.fft. Arrays stay where XLA has them, on the
host or on an NVIDIA GPU; transforms are linear, so jvp, vjp and their compositions are transforms again.
"""

from __future__ import annotations

import functools
import math
from typing import Any, Callable, Sequence

import jax
import jax.numpy as jnp
import numpy as np
from jax.extend.core import Primitive
from jax.interpreters import ad, batching, mlir

from . import _core, _general, _gpu

_KINDS = {"c2c-": 0, "c2c+": 1, "r2c": 2, "c2r": 3, **{f"dct{t}": 3 + t for t in (1, 2, 3, 4)}, **{f"dst{t}": 7 + t for t in (1, 2, 3, 4)}}
_NAME = "fftgen_transform"


def _shape(kind: str, shape: Sequence[int], n: int, axes: Sequence[int]) -> "tuple[int, ...]":
    out = list(shape)
    if kind in ("r2c", "c2r"):
        out[axes[-1]] = n // 2 + 1 if kind == "r2c" else n
    return tuple(out)


def _dtype(kind: str, dtype: Any) -> Any:
    if kind == "r2c":
        return np.result_type(dtype, np.complex64)
    return np.finfo(dtype).dtype if kind == "c2r" else np.dtype(dtype)


def _text(kind: str, shape: "tuple[int, ...]", dtype: Any, n: int, axes: "tuple[int, ...]", scale: float) -> str:
    """The problem for a GPU: row-major arrays."""
    to = _shape(kind, shape, n, axes)
    strides, out = _gpu.dense(shape), _gpu.dense(to)
    lines = [_gpu._Dim(n if axis == axes[-1] and kind == "c2r" else shape[axis], strides[axis], out[axis], 0) for axis in axes]
    half = [lines.pop()] if kind in ("r2c", "c2r") else []
    lines = sorted(lines, key=lambda d: -d.o) + half
    batch = _gpu._merged([_gpu._Dim(length, strides[i], out[i], 0) for i, length in enumerate(shape) if i not in axes and length != 1])
    if len(lines) > 7 or len(batch) > 7 or len(lines) + len(batch) > 9:
        raise ValueError("a transform on a GPU has 9 dimensions at most")
    real = "f32" if np.finfo(dtype).bits == 32 else "f64"
    word = kind[:3] if kind[:3] == "c2c" else kind
    return (f"{word} {real} n={_gpu._text(lines)}" + (f" batch={_gpu._text(batch)}" if batch else "") + (" sign=+1" if kind == "c2c+" else "")
            + (f" scale={scale:.17g}" if scale != 1 else ""))


# ---- the primitive -----------------------------------------------------------------------------------

_transform = Primitive(_NAME)


@functools.lru_cache(None)
def _register(platform: str) -> None:
    if platform == "CUDA":
        _gpu.find_compiler()
    jax.ffi.register_ffi_target(_NAME, _core.xla_handler(platform), platform=platform)


def _lower(ctx: Any, x: Any, platform: str, *, kind: str, n: int, axes: "tuple[int, ...]", scale: float) -> Any:
    _register(platform)
    of = ctx.avals_in[0]
    text = _text(kind, of.shape, of.dtype, n, axes, scale) if platform == "CUDA" and 0 not in of.shape else ""
    return jax.ffi.ffi_lowering(_NAME)(ctx, x, words=np.array([_KINDS[kind], *axes], np.int64), scale=np.float64(scale), problem=text)


def _abstract(x: Any, *, kind: str, n: int, axes: "tuple[int, ...]", scale: float) -> Any:
    return jax.core.ShapedArray(_shape(kind, x.shape, n, axes), _dtype(kind, x.dtype))


def _batched(args: Any, dims: Any, *, axes: "tuple[int, ...]", **rest: Any) -> Any:
    (x,), (at,) = args, dims
    return _transform.bind(jnp.moveaxis(x, at, 0), axes=tuple(axis + 1 for axis in axes), **rest), 0


def _run(kind: str, x: Any, axes: "tuple[int, ...]", scale: float, n: int = 0) -> Any:
    return _transform.bind(x, kind=kind, n=n or x.shape[axes[-1]], axes=axes, scale=scale)


def _weighted(x: Any, n: int, axis: int, inner: float) -> Any:
    """The half of a spectrum, times `inner` where an element stands for two."""
    weights = np.full(n // 2 + 1, inner)
    weights[0] = 1
    if n % 2 == 0:
        weights[-1] = 1
    return x * weights.astype(np.finfo(x.dtype).dtype).reshape([-1 if i == axis else 1 for i in range(x.ndim)])


def _edge(x: Any, axes: Sequence[int], at: "tuple[int, ...]", factor: float) -> Any:
    for axis in axes:
        weights = np.ones(x.shape[axis])
        weights[list(at)] *= factor
        x = x * weights.astype(x.dtype).reshape([-1 if i == axis else 1 for i in range(x.ndim)])
    return x


def _transposed(g: Any, x: Any, *, kind: str, n: int, axes: "tuple[int, ...]", scale: float) -> Any:
    """Products are without conjugates here: the matrix of a Fourier transform is its own transpose."""
    if type(g) is ad.Zero:
        return [ad.Zero(x.aval)]
    if kind.startswith("c2c"):
        return [_run(kind, g, axes, scale)]
    if kind == "r2c":
        return [_run("c2r", jnp.conj(_weighted(g, n, axes[-1], .5)), axes, scale, n)]
    if kind == "c2r":
        return [_weighted(jnp.conj(_run("r2c", g, axes, scale, n)), n, axes[-1], 2)]
    number = int(kind[3])
    at = (0,) if kind.startswith("dct") else (-1,)
    if kind == "dct1":
        return [_edge(_run(kind, _edge(g, axes, (0, -1), 2), axes, scale), axes, (0, -1), .5)]
    if number == 2:
        return [_run(kind[:3] + "3", _edge(g, axes, at, 2), axes, scale)]
    if number == 3:
        return [_edge(_run(kind[:3] + "2", g, axes, scale), axes, at, .5)]
    return [_run(kind, g, axes, scale)]


_transform.def_impl(functools.partial(jax.jit(lambda x, **p: _transform.bind(x, **p), static_argnames=("kind", "n", "axes", "scale"))))
_transform.def_abstract_eval(_abstract)
for _name in ("cpu", "cuda"):
    mlir.register_lowering(_transform, functools.partial(_lower, platform="CUDA" if _name == "cuda" else "cpu"), platform=_name)
batching.primitive_batchers[_transform] = _batched
ad.deflinear2(_transform, _transposed)


# ---- functions ---------------------------------------------------------------------------------------


def _fit(x: Any, lengths: Sequence[int], axes: Sequence[int]) -> Any:
    for n, axis in zip(lengths, axes):
        x = jax.lax.slice_in_dim(x, 0, min(n, x.shape[axis]), axis=axis)
    pads = [(0, 0)] * x.ndim
    for n, axis in zip(lengths, axes):
        pads[axis] = (0, n - x.shape[axis])
    return jnp.pad(x, pads) if any(p != (0, 0) for p in pads) else x


def _factor(row: Any, s: Sequence[int], norm: int, type: int) -> float:
    norm = 2 - norm if row.base in _gpu._INVERSES else norm
    more = 0 if not row.trigonometric or type != 1 else -1 if row.base.endswith("ct") else 1
    points = math.prod(2 * (n + more) for n in s) if row.trigonometric else math.prod(s)
    return (1.0, 1 / math.sqrt(points), 1 / points)[norm] if points else 1.0


def _edged(x: Any, edges: "dict[int, float]", axes: Sequence[int]) -> Any:
    for at, factor in edges.items():
        x = _edge(x, axes, (at,), factor)
    return x


def _trigonometric(row: Any, x: Any, s: Sequence[int], at: "tuple[int, ...]", scale: float, orthogonal: bool, type: int) -> Any:
    """Of real numbers."""
    before, behind = _gpu._edges(row, type) if orthogonal else ({}, {})
    x = _edged(_fit(x, s, at), before, at)
    return _edged(_run(row.base[-3:] + str(_gpu._type_run(row, type)), x, at, scale), behind, at)


def _numbers(row: Any, x: Any) -> Any:
    x = jnp.asarray(x)
    if x.dtype in (jnp.float16, jnp.bfloat16):
        x = x.astype(jnp.float32)
    if not jnp.issubdtype(x.dtype, jnp.inexact):
        x = x.astype(jnp.result_type(float))
    pairs = jnp.issubdtype(x.dtype, jnp.complexfloating)
    if pairs and row.real_in:
        raise TypeError("x must be a real sequence")
    if row.base in ("fft", "ifft", "irfft", "hfft") and not pairs:
        x = x.astype(np.result_type(x.dtype, np.complex64))
    return x


def _apply(row: Any, x: Any, call: Any) -> Any:
    x = _numbers(row, x)
    s, axes = _general.dimensions(row, "numpy", x, call)
    if not axes or len(set(axes)) != len(axes):
        raise ValueError(f"{row.name}: one or more different axes")
    norm = _general._norm("numpy", call.norm)
    scale, at, n = _factor(row, s, norm, call.type), tuple(axes), s[-1]
    needed = [*s[:-1], n // 2 + 1] if row.half_in else s
    if row.trigonometric:
        if call.type == 1 and row.base.endswith("ct") and min(s) < 2:
            raise ValueError(f"{row.name}: type 1 has two points or more")
        rest = (s, at, scale, norm == 1 if call.orthogonalize is None else bool(call.orthogonalize), call.type)
        if jnp.issubdtype(x.dtype, jnp.complexfloating):
            return jax.lax.complex(*(_trigonometric(row, part, *rest) for part in (x.real, x.imag)))
        return _trigonometric(row, x, *rest)
    x = _fit(x, needed, at)
    if row.base in ("fft", "ifft"):
        return _run("c2c-" if row.base == "fft" else "c2c+", x, at, scale)
    if row.base in ("rfft", "ihfft"):
        y = _run("r2c", x, at, scale, n)
        return y if row.base == "rfft" else jnp.conj(y)
    return _run("c2r", x if row.base == "irfft" else jnp.conj(x), at, scale, n)


def _function(row: Any) -> Callable[..., Any]:
    takes = _general.signature(row, "fftgen")
    takes = takes.replace(parameters=[p for name, p in takes.parameters.items() if name not in ("out", "workers", "load", "store")])

    def function(*args: Any, **kwargs: Any) -> Any:
        bound = takes.bind(*args, **kwargs)
        bound.apply_defaults()
        given = {_general._FIELDS.get(name, name): value for name, value in bound.arguments.items()}
        x = given.pop("x")
        return _apply(row, x, _general.Call(x, **given))

    function.__name__ = function.__qualname__ = row.name
    function.__signature__ = takes  # type: ignore[attr-defined]
    function.__doc__ = f"fftgen.{row.name} for jax.jit, jax.grad and jax.vmap."
    return function


globals().update({row.name: _function(row) for row in _general.ROWS})
__all__ = [row.name for row in _general.ROWS]
