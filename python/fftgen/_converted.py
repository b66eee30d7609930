"""Plans as objects for arrays that become others before a transform: of other libraries, of other numbers, padded with zeros, conjugates."""

from __future__ import annotations

from typing import Any, Callable, NamedTuple, Sequence

import numpy as np

from . import _arrays, _foreign, _general, _plans


class Library(NamedTuple):
    """Whose arrays a plan takes."""

    enter: Callable[[Any], Any]  # as an array of NumPy's, without a copy
    back: Callable[[Any], Any]
    output: Callable[[Any], Any]  # an array for results as one of NumPy's, of the same memory


def _same(x: Any) -> Any:
    return x


def library(x: Any) -> Library:
    """Of an array of the host."""
    _arrays.home(x)  # refuses tensors of other devices
    if _foreign.is_gpu(x):
        raise TypeError("a plan takes arrays of NumPy's, CuPy's, PyTorch's, and JAX's of the host")
    kind = type(x).__module__.partition(".")[0]
    if kind == "torch":
        import torch

        from . import _torch

        def output(out: Any) -> Any:
            if not (isinstance(out, torch.Tensor) and _torch.is_here(out)):
                raise TypeError("return arrays must be of ArrayType: x is a tensor of the host, and so must out be")
            return out.detach().numpy()

        return Library(_torch.to_numpy, torch.from_numpy, output)
    if kind in ("jax", "jaxlib"):
        def refuse(out: Any) -> Any:
            raise ValueError("output array is read-only" if not isinstance(out, np.ndarray) else "out is an array of NumPy's where x is one of JAX's")

        return Library(_arrays.of_jax, x.__array_namespace__().asarray, refuse)
    return Library(_arrays.asarray, _same, _same)


def narrowing(row: Any, x: np.ndarray, axes: Sequence[int]) -> Library:
    """Of NumPy's arrays: reals of halves are halves, where those of the function are."""
    of = library(x)
    halves = x.dtype == np.float16 and _general.narrows(row, "fftgen", axes, _general.Call(x))
    return of._replace(back=_halves) if halves else of


def _halves(result: np.ndarray) -> np.ndarray:
    return result.astype(np.float16) if result.dtype.kind == "f" else result


class ConvertedPlan:
    """A call of one function, prepared, for arrays that are converted before: as fftgen.Plan, or fftgen.FusedPlan, whose members it has.

    `fftgen.plan` makes plans.
    """

    def __init__(self, inner: Any, x: Any, out: Any, of: Library, fit: Callable[[Any], Any] = _same) -> None:
        self._inner, self.x, self._out, self._library, self._fit = inner, x, out, of, fit
        a = of.enter(x)
        self._layout = a.shape, a.dtype

    def __repr__(self) -> str:
        shape, dtype = self._layout
        return f"<fftgen.ConvertedPlan of {self.kind}, {type(self.x).__name__} {dtype} {shape} along {self.axes}: {self.plan}>"

    def __call__(self, x: Any = None, out: Any = None) -> Any:
        if x is None:
            x, out = self.x, self._out if out is None else out
        _plans.refuse_gradients(x)
        a = self._library.enter(x)
        if (a.shape, a.dtype) != self._layout:
            shape, dtype = self._layout
            raise ValueError(f"a plan takes arrays of the shape and type that it was made for, {dtype} {tuple(shape)}, not {a.dtype} {tuple(a.shape)}")
        result = self._inner(self._fit(a), None if out is None else self._library.output(out))
        return self._library.back(result) if out is None else out

    execute = __call__

    @property
    def inverse(self) -> Any:
        """The inverse plan, from arrays of this one's results to such as its inputs, with the zeros that padded them."""
        inverse = self._inner.inverse
        return inverse if self._library.back is _same else ConvertedPlan(inverse, self._library.back(inverse.x), None, self._library, _arrays.numbers)

    def __getattr__(self, name: str) -> Any:
        if name.startswith("__") or name == "_inner":
            raise AttributeError(name)
        return getattr(self._inner, name)


def fitting(row: Any, lengths: Sequence[int], axes: Sequence[int]) -> Callable[[Any], Any]:
    """As a function converts its input: numbers that the engine has, cropped and padded; conjugates for hfft."""
    needed = [*lengths[:-1], lengths[-1] // 2 + 1] if row.half_in else list(lengths)

    def fit(x: Any) -> Any:
        a, _ = _general._fit(_arrays.numbers(x), needed, axes)
        if row.half_in and a.dtype.kind != "c":
            a = a.astype(np.complex64 if a.dtype == np.float32 else np.complex128)
        return np.conjugate(a) if row.base == "hfft" else a

    return fit
