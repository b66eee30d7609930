"""torch.ops.fftgen.*: the functions as operators of PyTorch, which record gradients and stay whole in torch.compile.

    >>> import torch, fftgen.torch_ops
    >>> x = torch.ones(4, dtype=torch.complex128, requires_grad=True)
    >>> torch.ops.fftgen.fft(x, [4], [0], 0).abs().sum().backward()

Each takes a tensor, lengths, axes, and the norm as a number (0 "backward", 1 "ortho", 2 "forward"): `fft` and `ifft` complex tensors, `rfft`
real ones, `irfft` the half of a spectrum. `dct` and `dst` take a type behind the tensor, and last whether they are orthogonal. fftgen's functions
use them where a tensor records gradients.

`long_convolution(x, h)` convolves sequences by channels with a filter for each channel, as long as the sequences: y[..., c, t] = sum over s of
h[c, s] x[..., c, t - s].
"""

from __future__ import annotations

from typing import Any, Dict, List, Optional, Sequence

import torch

from . import _general, _long

_NORMS = ("backward", "ortho", "forward")
_FOURIER, _REAL = ("fft", "ifft", "rfft", "irfft"), ("dct", "dst")
_ROWS = {name: _general.Row(name + "n", name, "n") for name in (*_FOURIER, *_REAL)}


def _norm(norm: int) -> str:
    if not 0 <= norm < len(_NORMS):
        raise ValueError(f"norm: {norm} where 0 (backward), 1 (ortho) or 2 (forward) belongs")
    return _NORMS[norm]


def _apply(name: str, x: torch.Tensor, s: Sequence[int], axes: Sequence[int], norm: int) -> torch.Tensor:
    call = _general.Call(x.detach(), lengths=list(s), axes=list(axes), norm=_norm(norm))
    return _general.transform(_ROWS[name], "fftgen", call)


def _computed(name: str, x: torch.Tensor) -> torch.dtype:
    """The type that x is transformed in: on the host, halves become single; on a GPU bfloat16 does, but in cosine and sine transforms."""
    here = x.device.type == "cpu"
    if x.dtype is torch.float16 and here or x.dtype is torch.bfloat16 and (here or name not in _REAL):
        return torch.float32
    return torch.complex64 if str(x.dtype) == "torch.bcomplex32" or x.dtype is torch.complex32 and here else x.dtype


def _shape(name: str, x: torch.Tensor, s: Sequence[int], axes: Sequence[int]) -> torch.Tensor:
    shape = list(x.shape)
    for n, axis in zip(s, axes):
        shape[axis] = n
    if name == "rfft":
        shape[axes[-1]] = s[-1] // 2 + 1
    dtype = _computed(name, x)
    if name == "irfft":
        dtype = dtype.to_real()
    elif name == "rfft":
        dtype = dtype.to_complex()
    return x.new_empty(shape, dtype=dtype)


# ---- gradients: the transposed transforms ------------------------------------------------------------


def _fit(x: torch.Tensor, shape: Sequence[int]) -> torch.Tensor:
    """The transpose of cropping and padding: padding and cropping."""
    for axis, n in enumerate(shape):
        if x.shape[axis] > n:
            x = x.narrow(axis, 0, n)
    if list(x.shape) == list(shape):
        return x
    pads = [amount for n, m in zip(reversed(shape), reversed(x.shape)) for amount in (0, n - m)]
    return torch.nn.functional.pad(x, pads)


def _weighted(x: torch.Tensor, n: int, axis: int, inner: float) -> torch.Tensor:
    """The half of a spectrum, times `inner` where an element stands for two."""
    half = n // 2 + 1
    weights = torch.full((half,), inner, dtype=x.real.dtype, device=x.device)
    weights[0] = 1
    if n % 2 == 0:
        weights[-1] = 1
    shape = [1] * x.ndim
    shape[axis] = half
    return x * weights.reshape(shape)


def _transposed(name: str, g: torch.Tensor, s: List[int], axes: List[int], norm: int) -> torch.Tensor:
    back = 2 - norm  # the factor of the transform itself
    if name in ("fft", "ifft"):
        return getattr(torch.ops.fftgen, "ifft" if name == "fft" else "fft")(g, s, axes, back)
    if name == "rfft":
        return torch.ops.fftgen.irfft(_weighted(g, s[-1], axes[-1], .5), s, axes, back)
    return _weighted(torch.ops.fftgen.rfft(g, s, axes, back), s[-1], axes[-1], 2)


def _edge(x: torch.Tensor, name: str, axes: Sequence[int], factor: float) -> torch.Tensor:
    """x times a factor where j is 0 along an axis, of sine transforms where it is the last one."""
    at = 0 if name == "dct" else -1
    for axis in axes:
        weights = torch.ones(x.shape[axis], dtype=x.real.dtype, device=x.device)
        weights[at] = factor
        x = x * weights.reshape([-1 if i == axis % x.ndim else 1 for i in range(x.ndim)])
    return x


def _ends(x: torch.Tensor, axes: Sequence[int], factor: float) -> torch.Tensor:
    return _edge(_edge(x, "dct", axes, factor), "dst", axes, factor)


def _transposed_real(name: str, g: torch.Tensor, type: int, s: List[int], axes: List[int], norm: int, orthogonal: bool) -> torch.Tensor:
    """Matrices of types I (sine) and IV are symmetric, as are orthogonal ones of type I; II and III are each other's transposes but for an edge."""
    op = getattr(torch.ops.fftgen, name)
    if type == 1 and name == "dct" and not orthogonal:
        return _ends(op(_ends(g, axes, 2), 1, s, axes, norm, False), axes, .5)
    if type == 2:
        return op(g if orthogonal else _edge(g, name, axes, 2), 3, s, axes, norm, orthogonal)
    if type == 3:
        back = op(g, 2, s, axes, norm, orthogonal)
        return back if orthogonal else _edge(back, name, axes, .5)
    return op(g, type, s, axes, norm, orthogonal)


def _define_real(name: str) -> Any:
    def compute(x: torch.Tensor, type: int, s: List[int], axes: List[int], norm: int, orthogonal: bool) -> torch.Tensor:
        call = _general.Call(x.detach(), lengths=list(s), axes=list(axes), norm=_norm(norm), type=type, orthogonalize=orthogonal)
        return _general.transform(_ROWS[name], "fftgen", call)

    def keep(ctx: Any, inputs: Any, output: Any) -> None:
        x, *ctx.rest = inputs
        ctx.shape = list(x.shape)

    def backward(ctx: Any, g: torch.Tensor) -> Any:
        return (_fit(_transposed_real(name, g, *ctx.rest), ctx.shape), *[None] * 5)

    op = torch.library.custom_op(f"fftgen::{name}", compute, mutates_args=())
    op.register_fake(lambda x, type, s, axes, norm, orthogonal: _shape(name, x, s, axes))
    op.register_autograd(backward, setup_context=keep)
    return op


def _define(name: str) -> Any:
    def compute(x: torch.Tensor, s: List[int], axes: List[int], norm: int) -> torch.Tensor:
        return _apply(name, x, s, axes, norm)

    def keep(ctx: Any, inputs: Any, output: Any) -> None:
        x, ctx.s, ctx.axes, ctx.norm = inputs
        ctx.shape = list(x.shape)

    def backward(ctx: Any, g: torch.Tensor) -> Any:
        return _fit(_transposed(name, g, ctx.s, ctx.axes, ctx.norm), ctx.shape), None, None, None

    op = torch.library.custom_op(f"fftgen::{name}", compute, mutates_args=())
    op.register_fake(lambda x, s, axes, norm: _shape(name, x, s, axes))
    op.register_autograd(backward, setup_context=keep)
    return op


_ops: Dict[str, Any] = {name: _define(name) for name in _FOURIER}
_ops.update({name: _define_real(name) for name in _REAL})


# ---- long convolutions ------------------------------------------------------------------------------


def _define_long(name: str, compute: Any, shape: Any, backward: Any) -> Any:
    def keep(ctx: Any, inputs: Any, output: Any) -> None:
        ctx.save_for_backward(*inputs[:2])
        ctx.rest = inputs[2:]

    def back(ctx: Any, g: torch.Tensor) -> Any:
        a, b = ctx.saved_tensors
        da, db = backward(a, b, g, *ctx.rest)
        return da.to(a.dtype), db.to(b.dtype), *[None] * len(ctx.rest)

    op = torch.library.custom_op(f"fftgen::{name}", compute, mutates_args=())
    op.register_fake(shape)
    op.register_autograd(back, setup_context=keep)
    return op


def _convolved(x: torch.Tensor, h: torch.Tensor, kernel: Optional[bool] = None) -> torch.Tensor:
    return _long.convolved(x.detach(), h.detach(), kernel)


def _by_signal(y: torch.Tensor, h: torch.Tensor, kernel: Optional[bool] = None) -> torch.Tensor:
    return _long.by_signal(y.detach(), h.detach(), kernel)


def _by_filter(x: torch.Tensor, y: torch.Tensor, samples: int, kernel: Optional[bool] = None) -> torch.Tensor:
    return _long.by_filter(x.detach(), y.detach(), samples, kernel)


def _like_filter(x: torch.Tensor, y: torch.Tensor, samples: int, kernel: Optional[bool] = None) -> torch.Tensor:
    return y.new_empty((y.shape[-2], samples), dtype=torch.float64 if y.dtype is torch.float64 else torch.float32)


def _like_rows(x: torch.Tensor, h: torch.Tensor, kernel: Optional[bool] = None) -> torch.Tensor:
    return x.new_empty(x.shape, dtype=_computed("rfft", x))


_ops["long_convolution"] = _define_long(
    "long_convolution", _convolved, _like_rows,
    lambda x, h, g, kernel: (torch.ops.fftgen.long_convolution_by_signal(g, h, kernel),
                             torch.ops.fftgen.long_convolution_by_filter(x, g, h.shape[-1], kernel)))
_ops["long_convolution_by_signal"] = _define_long(
    "long_convolution_by_signal", _by_signal, _like_rows,
    lambda y, h, g, kernel: (torch.ops.fftgen.long_convolution(g, h, kernel),
                             torch.ops.fftgen.long_convolution_by_filter(g, y, h.shape[-1], kernel)))
_ops["long_convolution_by_filter"] = _define_long(
    "long_convolution_by_filter", _by_filter, _like_filter,
    lambda x, y, g, samples, kernel: (torch.ops.fftgen.long_convolution_by_signal(y, g, kernel),
                                      torch.ops.fftgen.long_convolution(x, g, kernel)))


def differentiable(name: str, x: torch.Tensor, s: List[int], axes: List[int], norm: int, type: int = 2, orthogonalize: Any = None) -> torch.Tensor:
    """A function of fftgen's by these operators."""
    x = x.to(_computed(name.lstrip("i") if name in ("idct", "idst") else name, x))
    if name in ("dct", "idct", "dst", "idst"):
        orthogonal = norm == 1 if orthogonalize is None else bool(orthogonalize)
        if name[0] == "i":
            type, norm = {2: 3, 3: 2}.get(type, type), 2 - norm
        return getattr(torch.ops.fftgen, name[-3:])(x, type, s, axes, norm, orthogonal)
    if name in ("fft", "ifft", "irfft", "hfft") and not x.is_complex():
        x = x.to(x.dtype.to_complex())
    if name == "hfft":
        return torch.ops.fftgen.irfft(x.conj().resolve_conj(), s, axes, 2 - norm)
    if name == "ihfft":
        return torch.ops.fftgen.rfft(x, s, axes, 2 - norm).conj().resolve_conj()
    return getattr(torch.ops.fftgen, name)(x, s, axes, norm)
