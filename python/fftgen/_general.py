"""The Python half of each function: arguments that the extension does not take as they are.

Lists and whole numbers become arrays of floating-point numbers, arrays are padded with zeros or cropped, ``s`` and ``axes`` are
completed. What cannot be is the error that NumPy or SciPy raises, by the function's style: "fftgen" and "numpy" say what
numpy.fft says, "scipy" what scipy.fft says.
"""

from __future__ import annotations

import inspect
import operator
import warnings
from collections.abc import Iterable
from typing import Any, Callable, NamedTuple, Optional, Sequence

import numpy as np

from . import _core
from ._arrays import asarray, home, numbers
from ._workers import resolve

try:
    from numpy.exceptions import AxisError
except ImportError:  # NumPy before 1.25
    from numpy import AxisError  # type: ignore[attr-defined,no-redef]

_NORMS = {None: 0, "backward": 0, "ortho": 1, "forward": 2}


class Row(NamedTuple):
    """A function: its name, what it computes (a name without dimensions), its number of dimensions ("1", "2", "n")."""

    name: str
    base: str
    dimensions: str

    @property
    def trigonometric(self) -> bool:
        return self.base in ("dct", "idct", "dst", "idst")

    @property
    def half_in(self) -> bool:
        return self.base in ("irfft", "hfft")

    @property
    def real_in(self) -> bool:
        return self.base in ("rfft", "ihfft")


ROWS = [Row(base + d.strip("1"), base, d) for d in "12n" for base in ("fft", "ifft", "rfft", "irfft", "hfft", "ihfft")]
ROWS += [Row(base + d.strip("1"), base, d) for d in "1n" for base in ("dct", "idct", "dst", "idst")]


class Call(NamedTuple):
    """Arguments of one call, as the signatures name them."""

    x: Any
    lengths: Any = None
    axes: Any = None
    norm: Any = None
    out: Any = None
    overwrite: Any = False
    workers: Any = None
    type: Any = 2
    orthogonalize: Any = None
    load: Any = None
    store: Any = None
    prepare: Any = None  # what is done in place of the transform


# ---- what the styles say -----------------------------------------------------------------------------


def _no_points(style: str, n: Any, some: bool = False) -> ValueError:
    if style == "scipy":
        return ValueError(f"{'I' if some else 'i'}nvalid number of data points ({n}) specified")
    return ValueError(f"Invalid number of FFT data points ({n}) specified.")


def _norm(style: str, norm: Any) -> int:
    try:
        return _NORMS[norm]
    except (KeyError, TypeError):
        shown = repr(norm) if style == "scipy" else norm
        raise ValueError(f'Invalid norm value {shown}, should be "backward", "ortho" or "forward".') from None


def _axis(style: str, axis: Any, dimensions: int) -> int:
    axis = operator.index(axis)
    if -dimensions <= axis < dimensions:
        return axis % dimensions
    if style == "scipy":
        raise IndexError("tuple index out of range")
    raise AxisError(axis, dimensions)


# ---- lengths and axes --------------------------------------------------------------------------------


def _one_dimension(row: Row, style: str, a: np.ndarray, call: Call) -> tuple[list[int], list[int]]:
    axis = _axis(style, call.axes, a.ndim)
    if call.lengths is None:
        n = a.shape[axis]
        if row.half_in:
            n = 2 * (n - 1)
        if n < 1:
            raise _no_points(style, n, row.half_in)
    else:
        n = operator.index(call.lengths)
        if n < 1:
            raise _no_points(style, n)
    return [n], [axis]


def _whole_numbers(values: Any, name: str) -> list[int]:
    if not isinstance(values, Iterable):
        values = (values,)
    try:
        return [operator.index(v) for v in values]
    except TypeError as error:
        raise ValueError(f"{name} must be a scalar or iterable of integers") from error


def _scipy_dimensions(row: Row, a: np.ndarray, call: Call) -> tuple[list[int], list[int]]:
    axes = None
    if call.axes is not None:
        axes = [axis + a.ndim if axis < 0 else axis for axis in _whole_numbers(call.axes, "axes")]
        if any(not 0 <= axis < a.ndim for axis in axes):
            raise ValueError("axes exceeds dimensionality of input")
        if len(set(axes)) != len(axes):
            raise ValueError("all axes must be unique")
    if call.lengths is None:
        axes = list(range(a.ndim)) if axes is None else axes
        s = [a.shape[axis] for axis in axes]
    else:
        s = _whole_numbers(call.lengths, "shape")
        if axes is None:
            if len(s) > a.ndim:
                raise ValueError("shape requires more axes than are present")
            axes = list(range(a.ndim - len(s), a.ndim))
        elif axes and len(axes) != len(s):
            raise ValueError("when given, axes and shape arguments have to be of the same length")
        s = [a.shape[axis] if n == -1 else n for n, axis in zip(s, axes)]
    if any(n < 1 for n in s):
        raise ValueError(f"invalid number of data points ({s}) specified")
    if row.half_in and call.lengths is None and axes:
        s[-1] = max(1, 2 * (a.shape[axes[-1]] - 1))  # SciPy takes one number as the spectrum of one
    return s, axes


def _numpy_dimensions(row: Row, a: np.ndarray, call: Call) -> tuple[list[int], list[int]]:
    s = None if call.lengths is None else list(call.lengths)
    if call.axes is None:
        if s is not None:
            warnings.warn("`axes` should not be `None` if `s` is not `None` (deprecated in NumPy 2.0)",
                          DeprecationWarning, stacklevel=5)
        axes = list(range(-(a.ndim if s is None else len(s)), 0))
    else:
        axes = list(call.axes) if isinstance(call.axes, Iterable) else [call.axes]
    axes = [_axis("numpy", axis, a.ndim) for axis in axes]
    if s is None:
        s = [a.shape[axis] for axis in axes]
        if row.half_in and axes:
            s[-1] = 2 * (a.shape[axes[-1]] - 1)
    elif len(s) != len(axes):
        raise ValueError("Shape and axes have different lengths.")
    if None in s:
        warnings.warn("an array containing `None` values to `s` is deprecated in NumPy 2.0", DeprecationWarning, stacklevel=5)
    whole = [a.shape[axis] for axis in axes]
    s = [w if n == -1 or n is None else operator.index(n) for n, w in zip(s, whole)]
    for n in s:
        if n < 1:
            raise _no_points("numpy", n)
    return s, axes


# ---- transforms --------------------------------------------------------------------------------------


def _fit(a: np.ndarray, lengths: Sequence[int], axes: Sequence[int]) -> tuple[np.ndarray, bool]:
    """Cropped, which copies nothing, or padded with zeros."""
    shape, part = list(a.shape), [slice(None)] * a.ndim
    for n, axis in zip(lengths, axes):
        part[axis] = slice(0, n)
        shape[axis] = n
    cropped = a[tuple(part)]
    if list(cropped.shape) == shape:
        return cropped, False
    padded = np.zeros(shape, a.dtype)
    padded[tuple(slice(0, n) for n in cropped.shape)] = cropped
    return padded, True


def _fill(out: Any, result: np.ndarray) -> Any:
    if not isinstance(out, np.ndarray):
        raise TypeError("return arrays must be of ArrayType")
    if out.shape != result.shape:
        raise ValueError("output array has wrong shape.")
    if result.dtype.kind == "c" and out.dtype.name == "bfloat16":  # which would take the real parts
        raise TypeError(f"complex results do not fit into {out.dtype}")
    np.copyto(out, result, casting="same_kind")
    return out


def _run(row: Row, style: str, a: np.ndarray, s: list[int], axes: list[int], call: Call) -> Any:
    """The transform of an array of numbers, by lengths and different axes that are right."""
    if call.prepare is not None:
        return call.prepare(row, a, s, axes, _norm(style, call.norm), call)
    norm, kind = _norm(style, call.norm), row.base
    needed = s[:-1] + [s[-1] // 2 + 1] if row.half_in else s
    a, fresh = _fit(a, needed, axes)
    if kind == "hfft":  # conj x, backward, is x forward
        a, kind, norm = np.conjugate(a), "irfft", 2 - norm
    if kind == "irfft" and a.dtype.kind != "c":
        a = a.astype(np.complex64 if a.dtype == np.float32 else np.complex128)
    if row.trigonometric and call.type == 1 and kind.endswith("ct") and min(s) < 2:
        if a.size:
            raise RuntimeError("zero-length FFT requested")
        return np.empty_like(a) if call.out is None else _fill(call.out, np.empty_like(a))
    workers = 1 if a.size < 1 << 14 else resolve(call.workers)
    orthogonalize = -1 if call.orthogonalize is None else int(bool(call.orthogonalize))
    rest = (tuple(s), tuple(axes), norm, call.type, orthogonalize, workers)
    if call.out is not None:
        result = _core.run(kind, a, *rest, call.out)
        if result is not NotImplemented:
            return result
    reuse = fresh and kind in ("fft", "ifft") and a.dtype.kind == "c"  # what was padded is ours to overwrite
    result = _core.run(kind, a, *rest, a if reuse else None)
    if result is NotImplemented:
        raise ValueError(f"{row.name}: no transform of {a.dtype} {a.shape} by lengths {s} along {axes}")
    return result if call.out is None else _fill(call.out, result)


def repeated(row: Row, a: Any, s: list[int], axes: list[int], call: Call, run: Callable[..., Any]) -> Any:
    """As numpy.fft does where an axis is there twice: one after another, the last axis first, or last where half of it
    is given."""
    one = {"rfft": "fft", "irfft": "ifft"}.get(row.base, row.base)
    order = list(range(len(axes) - 1, -1, -1))
    if row.half_in:
        order = list(range(len(axes)))
    result = a
    for i in order:
        base = row.base if i == len(axes) - 1 else one
        last = call.out if i == order[-1] else None
        result = run(Row(base, base, "1"), "numpy", result, [s[i]], [axes[i]], call._replace(out=last))
    return result


def dimensions(row: Row, style: str, a: Any, call: Call) -> tuple[list[int], list[int]]:
    """Lengths and axes of a transform of `a`, whichever library's array it is."""
    if row.dimensions == "1":
        s, axes = _one_dimension(row, style, a, call)
    elif style == "scipy":
        s, axes = _scipy_dimensions(row, a, call)
    else:
        s, axes = _numpy_dimensions(row, a, call)
    if axes and row.trigonometric and call.type not in (1, 2, 3, 4):
        raise ValueError(f"invalid {row.base[-3:].upper()} type: {call.type!r}; it is 1, 2, 3 or 4")
    return s, axes


def without_axes(row: Row, style: str, call: Call, a: Any) -> Any:
    """What a transform along no axis gives: the array itself."""
    _norm(style, call.norm)
    if row.half_in or row.real_in:
        raise (ValueError if style == "scipy" else IndexError)("at least 1 axis must be transformed")
    return call.x if style == "scipy" else a


def check_plan(row: Row, axes: Sequence[int], call: Call) -> None:
    if call.prepare is not None and (not axes or len(set(axes)) != len(axes)):
        raise ValueError(f"a plan of {row.base} takes one or more different axes")


def narrows(row: Row, style: str, axes: Sequence[int], call: Call) -> bool:
    """Whether halves give halves: reals along one axis do, as in NumPy 2 and CuPy; along several, what comes before them is complex64."""
    return row.half_in and len(axes) == 1 and style != "scipy" and call.out is None and call.prepare is None


def transform(row: Row, style: str, call: Call) -> Any:
    """The results of one call."""
    elsewhere = home(call.x)
    if elsewhere is not None:
        return elsewhere(row, style, call)
    if call.load is not None or call.store is not None:
        from . import _fused

        return _fused.transform(row, style, call._replace(x=asarray(call.x)), _fused.host)
    given = asarray(call.x)
    a = numbers(given)
    resolve(call.workers)
    if row.real_in and a.dtype.kind == "c":
        raise TypeError("x must be a real sequence")
    s, axes = dimensions(row, style, a, call)
    check_plan(row, axes, call)
    if not axes:
        return without_axes(row, style, call, given)
    if len(set(axes)) != len(axes):
        return repeated(row, a, s, axes, call, _run)
    result = _run(row, style, a, s, axes, call)
    return result.astype(np.float16) if given.dtype == np.float16 and narrows(row, style, axes, call) else result


# ---- signatures --------------------------------------------------------------------------------------

_P = inspect.Parameter


def signature(row: Row, style: str) -> inspect.Signature:
    """What a function takes, in the words of its style."""
    one = row.dimensions == "1"
    positional = [("a" if style == "numpy" else "x", _P.empty)]
    if row.trigonometric:
        positional.append(("type", 2))
    positional += [("n" if one else "s", None),
                   ("axis" if one else "axes", -1 if one else (-2, -1) if row.dimensions == "2" else None), ("norm", None)]
    named: list[tuple[str, Any]] = []
    if style == "numpy":
        positional.append(("out", None))
    elif style == "scipy":
        positional += [("overwrite_x", False), ("workers", None)]
        if not row.trigonometric:
            named.append(("plan", None))
        elif one:
            positional.append(("orthogonalize", None))
        else:
            named.append(("orthogonalize", None))
    else:
        if row.trigonometric:
            named.append(("orthogonalize", None))
        named += [("out", None), ("workers", None), ("load", None), ("store", None)]
    return inspect.Signature([_P(name, _P.POSITIONAL_OR_KEYWORD, default=value) for name, value in positional] +
                             [_P(name, _P.KEYWORD_ONLY, default=value) for name, value in named])


_FIELDS = {"a": "x", "n": "lengths", "s": "lengths", "axis": "axes", "overwrite_x": "overwrite"}


def half(row: Row, style: str, then: Optional[Callable[..., Any]] = None) -> Callable[..., Any]:
    """A function's Python half. ``then(name, call, error)`` answers what fftgen has no transforms of."""
    takes = signature(row, style)
    names = tuple(takes.parameters)
    positional = sum(p.kind is _P.POSITIONAL_OR_KEYWORD for p in takes.parameters.values())
    defaults = {name: p.default for name, p in takes.parameters.items() if p.default is not _P.empty}
    fields = {name: _FIELDS.get(name, name) for name in names}

    def bind(args: Any, kwargs: Any) -> Any:
        if 0 < len(args) <= positional and all(name in defaults for name in kwargs):
            given = {**defaults, **dict(zip(names, args)), **kwargs}
            if not any(name in kwargs for name in names[:len(args)]):
                return given
        try:  # the same once more, for its message
            bound = takes.bind(*args, **kwargs)
        except TypeError as error:
            raise TypeError(f"{row.name}(): {error}") from None
        return {**defaults, **bound.arguments}

    def general(*args: Any, **kwargs: Any) -> Any:
        given = bind(args, kwargs)
        if given.pop("plan", None) is not None:
            raise NotImplementedError("Passing a precomputed plan is not yet supported by scipy.fft functions")
        call = Call(**{fields[name]: value for name, value in given.items()})
        return transform(row, style, call) if then is None else then(row, call, args, kwargs)

    general.__name__ = general.__qualname__ = row.name
    general.__module__ = "fftgen" if style == "fftgen" else f"fftgen.{style}_fft"
    return general
