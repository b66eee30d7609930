"""Where an array is: whose functions copy it, make results beside it, and run plans on it (_fused.Host, _fused.Device)."""

from __future__ import annotations

import collections
import functools
import inspect
from typing import Any, Callable, NamedTuple, Optional

import numpy as np

from . import _fused, _workers

_KEPT = 256


class Place(NamedTuple):
    arrays: Any
    back: Callable[[Any], Any]  # results as arrays of the library that the input is of
    fill: Optional[Callable[[Any, Any], Any]]  # (out, results); None: such arrays cannot be written

    def plan(self, text: str, x: Any) -> Any:
        """A plan of libfftgen's for a problem's text, which is kept."""
        side = self.arrays.side(x)
        workers = _workers.get_workers()
        key = (self.arrays.name, side.facts.device, text, workers)
        if key not in _plans:
            _plans[key] = self.arrays.plan(text, x, workers)
            while len(_plans) > _KEPT:
                _plans.popitem(last=False)
        _plans.move_to_end(key)
        return _plans[key]

    def results(self, result: Any, out: Any) -> Any:
        """Results of the call, or `out`, into which they are copied."""
        if out is None:
            return self.back(result)
        if self.fill is None:
            raise ValueError("output array is read-only")
        return self.fill(out, self.back(result))

    def zeros(self, x: Any, shape: "tuple[int, ...]", number: str) -> Any:
        out = self.arrays.empty(x, shape, number)
        out[...] = 0
        return out

    def here(self, a: np.ndarray, x: Any) -> Any:
        """An array of the host's beside x."""
        if self.arrays is _fused.host:
            return a
        with self.arrays.enter(x):
            return self.arrays.upload(np.ascontiguousarray(a), x)[0]


_plans: "collections.OrderedDict[Any, Any]" = collections.OrderedDict()


def _same(x: Any) -> Any:
    return x


def _filler(library: Any, takes: Callable[[Any], bool]) -> Callable[[Any, Any], Any]:
    def fill(out: Any, result: Any) -> Any:
        if not takes(out):
            raise TypeError("return arrays must be of ArrayType: out is an array of x's library, on its device")
        if tuple(out.shape) != tuple(result.shape):
            raise ValueError("output array has wrong shape.")
        return library.fill(out, result)

    return fill


def _filled(library: Any) -> Callable[[Any, Any], Any]:
    return _filler(library, library.takes)


def threaded(function: Callable[..., Any]) -> Callable[..., Any]:
    """With workers=, which set_workers has for what the function calls."""
    @functools.wraps(function)
    def call(*args: Any, workers: Optional[int] = None, **named: Any) -> Any:
        if workers is None:
            return function(*args, **named)
        with _workers.set_workers(workers):
            return function(*args, **named)

    takes = inspect.signature(function)
    of = inspect.Parameter("workers", inspect.Parameter.KEYWORD_ONLY, default=None, annotation="Optional[int]")
    call.__signature__ = takes.replace(parameters=[*takes.parameters.values(), of])  # type: ignore[attr-defined]
    return call


def of(x: Any) -> "tuple[Place, Any]":
    """The place, and x as an array that it knows, of numbers that transforms have."""
    kind = type(x).__module__.partition(".")[0]
    if kind == "cupy":
        from . import _cupy

        there = _fused.Device(_cupy.library)
        return Place(there, _same, _filled(_cupy.library)), there.numbers(x)
    if kind == "torch":
        import torch

        from . import _torch

        if x.requires_grad and torch.is_grad_enabled():
            raise TypeError("no gradients are recorded here; x.detach(), or torch.ops.fftgen")
        if x.is_cuda:
            there = _fused.Device(_torch.library)
            return Place(there, _same, _filled(_torch.library)), there.numbers(x)
        fill = _filler(_torch.library, lambda out: isinstance(out, torch.Tensor) and _torch.is_here(out))
        return Place(_fused.host, torch.from_numpy, fill), _fused.host.numbers(_torch.to_numpy(x))
    if kind in ("jax", "jaxlib"):
        if any(d.platform != "cpu" for d in x.devices()):
            raise TypeError("arrays of JAX on a GPU are transformed by fftgen.jax_ops")
        return Place(_fused.host, x.__array_namespace__().asarray, None), _fused.host.numbers(np.asarray(x))
    return Place(_fused.host, _same, _filled(_fused.host)), _fused.host.numbers(x)
