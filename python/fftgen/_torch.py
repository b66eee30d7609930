"""PyTorch's tensors: those of a GPU (see _gpu.Library), and those of the host, which are NumPy's arrays without a copy."""

from __future__ import annotations

import contextlib
from typing import Any, Callable, Sequence

import numpy as np
import torch

from . import _core, _general, _gpu

_TYPES = {"f16": torch.float16, "f32": torch.float32, "f64": torch.float64, "c32": torch.complex32, "c64": torch.complex64,
          "c128": torch.complex128, "bf16": torch.bfloat16}
if hasattr(torch, "bcomplex32"):  # since 2.15
    _TYPES["bc32"] = torch.bcomplex32
_NAMES = {dtype: name for name, dtype in _TYPES.items()}
_WIDER = {_TYPES[n]: _TYPES[w] for n, w in (("c32", "c64"), ("bf16", "f32"), ("bc32", "c64")) if n in _TYPES}  # which NumPy has
_HERE = {**_WIDER, torch.float16: torch.float32}  # of the host
_WHOLE = {torch.uint8: "u8", torch.int16: "i16"}


def _strip(x: Any) -> Any:
    """x without what is done when it is read."""
    return x.resolve_conj().resolve_neg()


class Torch(_gpu.Library):
    name = "torch"
    names = _NAMES

    def __init__(self) -> None:
        tensor = torch.Tensor
        _core.gpu_library("torch", (tensor, torch.nn.Parameter), tuple(_TYPES.get(n) for n in _gpu.NUMBERS), {
            "stream": getattr(torch._C, "_cuda_getCurrentRawStream", _no_stream), "data_ptr": tensor.data_ptr, "get_device": tensor.get_device, "stride": tensor.stride,
            "is_conj": tensor.is_conj, "is_neg": tensor.is_neg, "is_grad_enabled": torch.is_grad_enabled,
            "exchange": getattr(tensor, "__dlpack_c_exchange_api__", None)})

    def numbers(self, x: Any) -> Any:
        x = _strip(x)
        if x.dtype in _NAMES:
            return x
        if x.is_floating_point() or x.is_complex():
            raise _gpu.Unsupported(f"fftgen has transforms of float16, bfloat16, float32, float64 and complex numbers, not of {x.dtype}")
        return x.to(torch.get_default_dtype())  # as torch.fft does

    def convert(self, x: Any, number: str) -> Any:
        return x.to(_TYPES[number])

    def copy(self, x: Any) -> Any:
        return x.clone(memory_format=torch.contiguous_format)

    def pad(self, x: Any, shape: Sequence[int]) -> Any:
        padded = torch.zeros(shape, dtype=x.dtype, device=x.device)
        padded[tuple(slice(0, n) for n in x.shape)] = x
        return padded

    def recipe(self, x: Any, shape: "tuple[int, ...]", number: str) -> "tuple[Any, Any, Any]":
        if type(x) is torch.Tensor and x.shape == shape and x.dtype == _TYPES[number] and x.is_contiguous():
            return torch.empty_like, None, None
        if 0 in shape:
            return torch.empty, (shape,), {"dtype": _TYPES[number], "device": x.device}
        template = torch.empty((1,) * len(shape), dtype=_TYPES[number], device=x.device).expand(shape)  # whose copies are row-major
        return torch.empty_like, (template,), None

    def workspace(self, x: Any) -> Callable[[int], Any]:
        device = x.device
        return lambda count: torch.empty((count,), dtype=torch.uint8, device=device)

    def upload(self, a: np.ndarray, x: Any) -> "tuple[Any, int]":
        there = torch.from_numpy(a).to(x.device)  # from memory that is not pinned: done when it returns
        return there, there.data_ptr()

    def takes(self, out: Any) -> bool:
        return isinstance(out, torch.Tensor) and out.is_cuda

    def whole(self, x: Any) -> Any:
        name = _WHOLE.get(x.dtype)
        if name is None:
            return None
        return name, _gpu.Facts(x.data_ptr(), "f32", x.device.index, tuple(x.shape), x.stride())

    def fill(self, out: Any, result: Any) -> Any:
        if out.shape != result.shape:
            raise ValueError("output array has wrong shape.")
        if not (out.is_complex() or out.is_floating_point() and not result.is_complex()):
            raise TypeError(f"results of {result.dtype} do not fit into {out.dtype}")
        return out.copy_(result)

    def enter(self, x: Any) -> Any:
        return torch.cuda.device(x.device) if x.is_cuda else contextlib.nullcontext()

    def with_functions(self, row: Any, style: str, call: Any) -> Any:
        return _with_functions(row, style, call, super().with_functions, lambda x: self.wide(self.numbers(x)))

    def differentiates(self, x: Any) -> bool:
        return x.requires_grad and torch.is_grad_enabled()

    def differentiate(self, row: Any, x: Any, s: Any, axes: Any, norm: int, call: Any) -> Any:
        from . import torch_ops

        return torch_ops.differentiable(row.base, x, list(s), list(axes), norm, call.type, call.orthogonalize)


def _no_stream(device: int) -> int:
    raise RuntimeError("PyTorch was built without CUDA")


def is_here(x: Any) -> bool:
    """Whether NumPy can have it."""
    return x.device.type == "cpu"


def transform_here(row: Any, style: str, call: Any) -> Any:
    """Tensors of the host: NumPy's arrays, without a copy."""
    if call.out is not None and not (isinstance(call.out, torch.Tensor) and is_here(call.out)):
        raise TypeError("return arrays must be of ArrayType: x is a tensor of the host, and so must out be")
    if call.load is not None or call.store is not None:
        return _with_functions(row, style, call, _run_here, _numbers_here)
    if library.differentiates(call.x) and call.prepare is None:
        return _differentiated(row, style, call)
    return _run_here(row, style, call)


def _run_here(row: Any, style: str, call: Any) -> Any:
    out = None if call.out is None or call.out.dtype in _WIDER else call.out.detach().numpy()
    result = _general.transform(row, style, call._replace(x=to_numpy(call.x), out=out))
    if call.prepare is not None:
        return result
    if call.out is None:
        return torch.from_numpy(result)
    if out is not None:
        return call.out
    if call.out.shape != result.shape:
        raise ValueError("output array has wrong shape.")
    return library.fill(call.out, torch.from_numpy(result))


def _with_functions(row: Any, style: str, call: Any, run: Any, numbers: Any) -> Any:
    """One kernel; where x records gradients, or a tensor that load= or store= names, PyTorch's operations."""
    from . import _fused, _gradients

    _fused.check(call)
    if not (library.differentiates(call.x) and call.prepare is None):
        try:
            return run(row, style, call)
        except _fused.Records:
            if call.prepare is not None:
                raise
    whole = call.x.dtype in _WHOLE and (row.real_in or row.trigonometric)
    x = call.x.to(torch.float32) if whole else numbers(call.x)
    if row.real_in and x.is_complex():
        raise TypeError("x must be a real sequence")
    result = _gradients.transform(row, style, call, x)
    return result if call.out is None else library.fill(call.out, result)


def _numbers_here(x: Any) -> Any:
    """As the engine of the host has them."""
    if x.dtype in _HERE:
        return x.to(_HERE[x.dtype])
    return x if x.is_floating_point() or x.is_complex() else x.to(torch.float64)


def _differentiated(row: Any, style: str, call: Any) -> Any:
    s, axes = _general.dimensions(row, style, call.x, call)
    result = library.differentiate(row, call.x, s, axes, _general._norm(style, call.norm), call)
    return result if call.out is None else library.fill(call.out, result)


def to_numpy(x: Any) -> np.ndarray:
    if x.layout is not torch.strided:
        raise _gpu.Unsupported(f"fftgen has no transforms of tensors of {x.dtype}, {x.layout}")
    x = x.detach()
    return _strip(x.to(_HERE.get(x.dtype, x.dtype))).numpy()


library = Torch()
