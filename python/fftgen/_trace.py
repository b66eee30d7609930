"""Python functions of one element, traced into expressions of load= and store= (docs/problem.md).

A function is called once by each transform, with objects in place of numbers, which note what is done with them. What depends on indices alone is
computed here, by NumPy in double precision, and becomes a table; what depends on the element becomes text.
"""

from __future__ import annotations

import inspect
import math
import re
import types
from typing import Any, Callable, NamedTuple, Optional, Sequence

import numpy as np

_MOST_LETTERS, _MOST_EXPRESSIONS = 191, 5
_BINDS = {"+": 1, "-": 1, "*": 2, "/": 2, "neg": 3}


class Node:
    """A number that is known later: of an element, an index, an array, or made of such ones."""

    __slots__ = ("op", "args", "is_complex", "on_element", "plain", "__weakref__")
    __array_priority__ = 1000
    __hash__ = object.__hash__

    def __init__(self, op: str, args: "tuple[Any, ...]" = (), is_complex: bool = False, on_element: bool = False, plain: bool = True) -> None:
        self.op, self.args, self.is_complex = op, args, is_complex
        self.on_element = on_element  # depends on the element's value
        self.plain = plain  # depends on indices and n alone: a table, or a constant

    # ---- arithmetic

    def __add__(self, other: Any) -> "Node": return _made("+", self, other)
    def __radd__(self, other: Any) -> "Node": return _made("+", other, self)
    def __sub__(self, other: Any) -> "Node": return _made("-", self, other)
    def __rsub__(self, other: Any) -> "Node": return _made("-", other, self)
    def __mul__(self, other: Any) -> "Node": return _made("*", self, other)
    def __rmul__(self, other: Any) -> "Node": return _made("*", other, self)
    def __truediv__(self, other: Any) -> "Node": return _made("/", self, other)
    def __rtruediv__(self, other: Any) -> "Node": return _made("/", other, self)
    def __neg__(self) -> "Node": return _made("neg", self)
    def __pos__(self) -> "Node": return self
    def __abs__(self) -> "Node": return absolute(self)

    def __pow__(self, power: Any) -> "Node":
        if self.plain and not (isinstance(power, Node) and not power.plain):
            return _function("power", np.power)(self, power)
        if power in (.5, -.5) and not self.is_complex:
            return sqrt(self) if power > 0 else 1 / sqrt(self)
        if isinstance(power, int) and 1 <= abs(power) <= 8:
            result = self
            for _ in range(abs(power) - 1):
                result = result * self
            return result if power > 0 else 1 / result
        raise TypeError(f"an element to the power {power!r}: whole numbers from -8 to 8 and 0.5 can be written; others as fftgen.exp(power * fftgen.log(v))")

    def __rpow__(self, base: Any) -> "Node":
        return _function("power", np.power)(base, self) if self.plain else exp(self * math.log(base))

    def __floordiv__(self, other: Any) -> "Node": return _indices("//", np.floor_divide, self, other)
    def __rfloordiv__(self, other: Any) -> "Node": return _indices("//", np.floor_divide, other, self)
    def __mod__(self, other: Any) -> "Node": return _indices("%", np.mod, self, other)
    def __rmod__(self, other: Any) -> "Node": return _indices("%", np.mod, other, self)
    def __lt__(self, other: Any) -> "Node": return _indices("<", np.less, self, other)
    def __le__(self, other: Any) -> "Node": return _indices("<=", np.less_equal, self, other)
    def __gt__(self, other: Any) -> "Node": return _indices(">", np.greater, self, other)
    def __ge__(self, other: Any) -> "Node": return _indices(">=", np.greater_equal, self, other)
    def __eq__(self, other: Any) -> "Node": return _indices("==", np.equal, self, other)  # type: ignore[override]
    def __ne__(self, other: Any) -> "Node": return _indices("!=", np.not_equal, self, other)  # type: ignore[override]
    def __and__(self, other: Any) -> "Node": return _indices("&", np.logical_and, self, other)
    def __rand__(self, other: Any) -> "Node": return _indices("&", np.logical_and, other, self)
    def __or__(self, other: Any) -> "Node": return _indices("|", np.logical_or, self, other)
    def __ror__(self, other: Any) -> "Node": return _indices("|", np.logical_or, other, self)
    def __invert__(self) -> "Node": return _indices("~", np.logical_not, self)

    # ---- what a trace cannot have

    def __bool__(self) -> bool:
        raise TypeError("a function of load= or store= is traced once, for all elements: `if`, `and`, `or`, `not` and `while` cannot depend on "
                        "an element or an index; write fftgen.where(condition, a, b) with a condition on indices, or fftgen.minimum and "
                        "fftgen.maximum of elements")

    def _no(self, what: str, instead: str) -> Any:
        raise TypeError(f"{what} of a traced number: it is known later; {instead}")

    def __float__(self) -> float: return self._no("float()", "leave it as it is")
    def __int__(self) -> int: return self._no("int()", "write k // 1 of an index")
    def __complex__(self) -> complex: return self._no("complex()", "write fftgen.complex(re, im)")
    def __index__(self) -> int: return self._no("an index of a list or an array", "write fftgen.operand(array)[k]")
    def __iter__(self) -> Any: return self._no("a loop", "it is one number")
    def __len__(self) -> int: return self._no("len()", "it is one number")
    def __getitem__(self, index: Any) -> Any: return self._no("[]", "it is one number")
    def __round__(self, digits: Any = None) -> Any: return self._no("round()", "expressions have no rounding")

    # ---- NumPy's functions and arrays

    def __array__(self, *rest: Any, **named: Any) -> Any:
        return self._no("a NumPy array", "arrays that are made inside the function are indexed as fftgen.operand(array)[k]; of an index, NumPy's "
                                         "functions that are ufuncs can be called")

    def __array_ufunc__(self, ufunc: Any, method: str, *inputs: Any, **named: Any) -> Any:
        if method != "__call__" or named:
            raise TypeError(f"numpy.{ufunc.__name__}.{method} cannot be traced; a function computes one element of its own")
        known = _UFUNCS.get(ufunc.__name__)
        return known(*inputs) if known else _indices("numpy." + ufunc.__name__, ufunc, *inputs)

    @property
    def real(self) -> "Node": return real(self)
    @property
    def imag(self) -> "Node": return imag(self)
    def conj(self) -> "Node": return conj(self)
    conjugate = conj


class Operand:
    """An array that a function uses: its elements are read when the transform runs. `operand(a)[k]` is its element k."""

    __array_priority__ = 1001

    def __init__(self, array: Any) -> None:
        self.array = array

    def __getattr__(self, name: str) -> Any:
        value = getattr(self.array, name)
        return Operand(value) if is_array(value) else value

    def __getitem__(self, index: Any) -> Any:
        if not any(isinstance(i, Node) for i in (index if isinstance(index, tuple) else (index,))):
            return Operand(self.array[index])
        index = index if isinstance(index, tuple) else (index,)
        if not all(isinstance(i, Node) and i.op in ("index", "batch", "channel") for i in index):
            raise TypeError("an array of load= or store= is indexed by the function's own indices, fftgen.batch and fftgen.channel: gain[k], "
                            "gain[k0, k1], gain[fftgen.batch, k]; for other orders, index the array before")
        return self._node(index)

    def _node(self, index: Any) -> Node:
        return Node("array", (self, index), is_complex=_is_complex_array(self.array), plain=False)

    def __array_ufunc__(self, ufunc: Any, method: str, *inputs: Any, **named: Any) -> Any:
        return _whole(self).__array_ufunc__(ufunc, method, *[_whole(i) if isinstance(i, Operand) else i for i in inputs], **named)


def _arithmetic(name: str) -> Callable[..., Any]:
    def method(self: Operand, *others: Any) -> Any:
        return getattr(_whole(self), name)(*others)

    return method


for _name in ("add", "radd", "sub", "rsub", "mul", "rmul", "truediv", "rtruediv", "neg", "abs", "pow"):
    setattr(Operand, f"__{_name}__", _arithmetic(f"__{_name}__"))


def _whole(operand: Operand) -> Node:
    """All of an array, as NumPy would broadcast it."""
    return operand._node(None)


def operand(array: Any) -> Operand:
    """An array to be used in a function of load= or store=: `fftgen.operand(gain)[k]`.

    Arrays that a function names itself need no such word.
    """
    return array if isinstance(array, Operand) else Operand(array)


def is_array(x: Any) -> bool:
    return not isinstance(x, (Node, Operand, np.generic)) and hasattr(x, "shape") and hasattr(x, "dtype") and hasattr(x, "ndim")


def _is_complex_array(a: Any) -> bool:
    return "complex" in str(a.dtype)


# ---- nodes of nodes ----------------------------------------------------------------------------------


def as_node(x: Any) -> Node:
    kind = type(x)
    if kind is float or kind is int:
        return Node("number", (x,))
    if kind is Node:
        return x
    if isinstance(x, Operand):
        return _whole(x)
    if is_array(x):
        return _whole(Operand(x))
    if isinstance(x, (bool, int, float, complex, np.generic)):
        value = x.item() if isinstance(x, np.generic) else x
        return Node("number", (value,), is_complex=isinstance(value, complex) and value.imag != 0)
    raise TypeError(f"{type(x).__name__} {x!r} in a function of load= or store=: numbers, arrays, the element and its indices can be there")


def _joined(op: str, args: "Sequence[Node]", is_complex: bool, *more: Any) -> Node:
    return Node(op, (*more, *args), is_complex, any(a.on_element for a in args), all(a.plain for a in args))


def _made(op: str, *operands: Any) -> Node:
    a = as_node(operands[0])
    if len(operands) == 1:
        return Node(op, (a,), a.is_complex, a.on_element, a.plain)
    b = as_node(operands[1])
    return Node(op, (a, b), a.is_complex or b.is_complex, a.on_element or b.on_element, a.plain and b.plain)


def _indices(name: str, ufunc: Any, *operands: Any) -> Node:
    """What tables alone have."""
    args = [as_node(a) for a in operands]
    if not all(a.plain for a in args):
        raise TypeError(f"{name} of an element's value, or of an array's: expressions have + - * / and fftgen.sqrt, log, log10, exp, abs, minimum, "
                        f"maximum, conj, real, imag, complex; of indices, {name} and any ufunc of NumPy's can be taken. Elements are chosen by "
                        "fftgen.minimum, maximum and clip, indices by fftgen.where; `if` has neither")
    return _joined("table", args, ufunc in (np.conjugate,) and args[0].is_complex, ufunc)


def _function(name: str, ufunc: Any) -> Callable[..., Node]:
    """Of indices alone."""
    def function(*operands: Any) -> Any:
        if not any(type(a) is Node or isinstance(a, Operand) or is_array(a) for a in operands):
            return ufunc(*operands)
        return _indices("fftgen." + name, ufunc, *operands)

    function.__name__ = function.__qualname__ = name
    function.__doc__ = f"{name} of an index or a number, in a function of load= or store=: a table."
    return function


cos, sin, tan = (_function(f.__name__, f) for f in (np.cos, np.sin, np.tan))
floor, ceil = (_function(f.__name__, f) for f in (np.floor, np.ceil))


def _turns(x: Any) -> Any:
    return np.remainder(np.asarray(x, np.float64), 2.0)


cospi = _function("cospi", lambda x: np.cos(np.pi * _turns(x)))
sinpi = _function("sinpi", lambda x: np.sin(np.pi * _turns(x)))
cospi.__doc__ = "cos(pi x) of an index or a number."
sinpi.__doc__ = "sin(pi x) of an index or a number."


def expi(x: Any) -> Any:
    """exp(i x) of an index: a table of complex numbers."""
    node = as_node(x)
    if not node.plain:
        raise TypeError("fftgen.expi of an element's value: expressions have no cosine of one")
    return _joined("table", [node], True, _unit)


def _unit(v: Any) -> Any:
    return np.exp(1j * np.asarray(v, np.float64))


def _of_both(name: str, ufunc: Any, count: int = 1, real_only: bool = True) -> Callable[..., Any]:
    """Of indices and of elements: the language has it."""
    def function(*operands: Any) -> Any:
        if not any(type(a) is Node or isinstance(a, Operand) or is_array(a) for a in operands):
            return ufunc(*operands)
        args = [as_node(a) for a in operands]
        if len(args) != count:
            raise TypeError(f"fftgen.{name} takes {count} number{'s' if count > 1 else ''}, not {len(args)}")
        if all(a.plain for a in args):
            return _indices("fftgen." + name, ufunc, *args)
        if real_only and any(a.is_complex for a in args):
            raise TypeError(f"fftgen.{name} of a complex number: take abs(v), v.real or v.imag before")
        return _joined("call", args, False, _WORDS[name])

    function.__name__ = function.__qualname__ = name
    function.__doc__ = f"{name} in a function of load= or store=."
    return function


_WORDS = {"sqrt": "sqrt", "log": "log", "log10": "log10", "exp": "exp", "minimum": "min", "maximum": "max", "abs": "abs"}
sqrt, log, log10, exp = (_of_both(f.__name__, f) for f in (np.sqrt, np.log, np.log10, np.exp))
minimum, maximum = (_of_both(f.__name__, f, 2) for f in (np.minimum, np.maximum))
absolute = _of_both("abs", np.abs, real_only=False)


def clip(v: Any, least: Any, most: Any) -> Any:
    """v, not below `least` and not above `most`."""
    return minimum(maximum(v, least), most)


def real(v: Any) -> Any:
    """The real part, in a function of load= or store=."""
    v = as_node(v)
    return _joined("call", [v], False, "re") if v.is_complex else v


def imag(v: Any) -> Any:
    """The imaginary part, in a function of load= or store=."""
    v = as_node(v)
    return _joined("call", [v], False, "im") if v.is_complex else as_node(0)


def conj(v: Any) -> Any:
    """The complex conjugate, in a function of load= or store=."""
    v = as_node(v)
    return _joined("call", [v], True, "conj") if v.is_complex else v


def complex_of(re: Any, im: Any) -> Any:
    """re + i im, in a function of load= or store=."""
    args = [as_node(re), as_node(im)]
    if any(a.is_complex for a in args):
        raise TypeError("fftgen.complex takes two real numbers")
    return _joined("call", args, True, "complex")


def where(condition: Any, a: Any, b: Any) -> Any:
    """a where a condition on indices holds, else b. Both are computed: b + (a - b) times 1 or 0 where they depend on elements."""
    condition, a, b = as_node(condition), as_node(a), as_node(b)
    if not condition.plain:
        raise TypeError("fftgen.where takes a condition on indices; of elements, fftgen.minimum, fftgen.maximum and fftgen.clip choose")
    if a.plain and b.plain:
        return _joined("table", [condition, a, b], a.is_complex or b.is_complex, np.where)
    yes, no = (_joined("table", [condition], False, f) for f in (_if, _unless))
    parts = [f * v for f, v in ((yes, a), (no, b)) if not (v.op == "number" and v.args[0] == 0)]
    return parts[0] if len(parts) == 1 else parts[0] + parts[1]


def _if(condition: Any) -> Any:
    return np.where(condition, 1.0, 0.0)


def _unless(condition: Any) -> Any:
    return np.where(condition, 0.0, 1.0)


_UFUNCS: "dict[str, Callable[..., Any]]" = {
    "add": lambda a, b: _made("+", a, b), "subtract": lambda a, b: _made("-", a, b), "multiply": lambda a, b: _made("*", a, b),
    "divide": lambda a, b: _made("/", a, b), "true_divide": lambda a, b: _made("/", a, b), "negative": lambda a: _made("neg", a),
    "positive": lambda a: a, "square": lambda a: as_node(a) * a, "power": lambda a, b: as_node(a) ** b, "sqrt": sqrt, "log": log,
    "log10": log10, "exp": exp, "minimum": minimum, "maximum": maximum, "fmin": minimum, "fmax": maximum, "absolute": absolute,
    "fabs": absolute, "conjugate": conj, "reciprocal": lambda a: 1 / as_node(a), "clip": clip}

n = Node("n")
"""The number of points of a transform, in functions of load= and store=."""
batch = Node("batch", plain=False)
"""The transform's number in the batch."""
channel = Node("channel", plain=False)
"""The index of the last dimension that is no axis of the transform."""


# ---- functions ---------------------------------------------------------------------------------------


def _with_operands(function: Any) -> Any:
    """The same function, whose arrays outside can be indexed by symbols."""
    if not isinstance(function, types.FunctionType):
        return function
    outside = {name: Operand(value) for name in function.__code__.co_names
               if is_array(value := function.__globals__.get(name))}
    cells = function.__closure__ or ()
    inside = []
    for cell in cells:
        try:
            value = cell.cell_contents
        except ValueError:  # not yet assigned
            value = None
        inside.append(types.CellType(Operand(value)) if is_array(value) else cell)
    if not outside and all(a is b for a, b in zip(inside, cells)):
        return function
    copy = types.FunctionType(function.__code__, {**function.__globals__, **outside}, function.__name__, function.__defaults__,
                              tuple(inside) if cells else None)
    copy.__kwdefaults__ = function.__kwdefaults__
    return copy


class Operation:
    """A function of one element, made by @fftgen.load or @fftgen.store."""

    def __init__(self, function: Callable[..., Any], output: bool) -> None:
        if not callable(function):
            raise TypeError(f"fftgen.{'store' if output else 'load'} takes a function, not {type(function).__name__}")
        self.function, self.output = function, output
        parameters = list(inspect.signature(function).parameters.values())
        if not parameters or any(p.kind not in (p.POSITIONAL_ONLY, p.POSITIONAL_OR_KEYWORD) for p in parameters):
            raise TypeError("a function of load= or store= takes the element and its indices: f(v), f(v, k), f(v, k0, k1)")
        self.indices = len([p for p in parameters if p.default is p.empty]) - 1
        from . import _reads

        self.names = _reads.names(function)
        self.kept: "dict[Any, Any]" = {}
        self.__name__, self.__doc__ = getattr(function, "__name__", "function"), function.__doc__

    def __call__(self, *args: Any) -> Any:
        return self.function(*args)

    def __repr__(self) -> str:
        return f"<fftgen.{'store' if self.output else 'load'} {self.__name__}>"

    def trace(self, is_complex: bool, rank: int) -> Node:
        if self.indices not in (0, 1, rank):
            raise TypeError(f"{self.__name__} takes {self.indices} indices where a transform has {rank} dimension{'s' if rank > 1 else ''}: "
                            f"none, one of all elements, or {rank}")
        dims: "list[Optional[int]]" = [None] if self.indices == 1 and rank > 1 else list(range(self.indices))
        result = as_node(_with_operands(self.function)(Node("element", (), is_complex, True, False), *[Node("index", (d,)) for d in dims]))
        if not result.on_element:
            raise ValueError(f"{self.__name__} does not use its element: the result would not depend on x")
        return result


def load(function: Callable[..., Any]) -> Operation:
    """A function of each element that a transform reads, computed while it is read: `fftgen.fft(x, load=f)` is fft(f(x)).

    It takes the element v, and its index k, or an index for each axis of the transform. A transform calls it once, with symbols in place of
    numbers: + - * / ** of them, NumPy's functions of indices, fftgen.sqrt, log, log10, exp, minimum, maximum, clip, real, imag, conj,
    complex, cospi, sinpi, where, abs; fftgen.n is the number of points. Arrays that it names are read when the transform runs.

    >>> import numpy as np, fftgen
    >>> @fftgen.load
    ... def hann(v, k):
    ...     return v * (0.5 - 0.5 * fftgen.cospi(2 * k / fftgen.n))
    >>> hann
    <fftgen.load hann>
    """
    return Operation(function, False)


def store(function: Callable[..., Any]) -> Operation:
    """A function of each result, computed while it is stored: `fftgen.fft(x, store=f)` is f(fft(x)). See fftgen.load.

    >>> import fftgen
    >>> @fftgen.store
    ... def decibels(v):
    ...     return 20 * fftgen.log10(abs(v) + 1e-6)
    """
    return Operation(function, True)


# ---- as text -----------------------------------------------------------------------------------------


class Taken(NamedTuple):
    """An operand of the text: a table's contents, or an array and how it is indexed; `of`: None, "all", or a position in the text;
    `whose`: "", "b", "c"."""

    name: str
    table: Optional[np.ndarray]
    array: Any
    of: Any
    whose: str
    is_complex: bool


class Layout(NamedTuple):
    """Elements of one side of a transform: lengths by axis, where each axis is in the text, n, what the batch has."""

    lengths: "tuple[int, ...]"
    position: "tuple[int, ...]"
    points: int
    batch: "tuple[int, ...]"
    digits: int

    def order(self) -> "list[int]":
        """Axes in the order of the text."""
        return sorted(range(len(self.lengths)), key=lambda d: self.position[d])


def _evaluated(node: Node, grid: "list[np.ndarray]", flat: Callable[[], np.ndarray], points: int) -> Any:
    if node.op == "number":
        return node.args[0]
    if node.op == "n":
        return points
    if node.op == "index":
        return flat() if node.args[0] is None else grid[node.args[0]]
    args = node.args
    f: Any
    if node.op == "table":
        f, args = args[0], args[1:]
    elif node.op == "call":
        f = {"re": np.real, "im": np.imag, "conj": np.conjugate, "complex": lambda a, b: np.asarray(a) + 1j * np.asarray(b)}[args[0]]
        args = args[1:]
    else:
        f = {"+": np.add, "-": np.subtract, "*": np.multiply, "/": np.true_divide, "neg": np.negative}[node.op]
    return f(*[_evaluated(a, grid, flat, points) for a in args])


def evaluated(node: Node, layout: Layout) -> np.ndarray:
    """A function of indices, for all of them, in double precision; as NumPy broadcasts it beside the lengths."""
    lengths = layout.lengths
    with np.errstate(all="ignore"):
        grid = list(np.ogrid[tuple(slice(0, length) for length in lengths)]) if lengths else []
        value = np.asarray(_evaluated(node, grid, lambda: np.arange(math.prod(lengths)).reshape(lengths), layout.points))
    if value.dtype.kind not in "biufc":
        raise TypeError(f"a function of indices gave {value.dtype}")
    value = value.astype(np.complex128 if value.dtype.kind == "c" else np.float64)
    if not np.isfinite(value).all():
        raise ValueError("a function of indices is not finite for all of them")
    return value.real if value.dtype.kind == "c" and not value.imag.any() else value


class Writer:
    """Text of expressions, and what it takes."""

    def __init__(self, layout: Layout, output: bool, is_complex: bool) -> None:
        self.layout, self.letter, self.prefix = layout, "k" if output else "j", "s" if output else "l"
        self.stays_complex = is_complex and not output  # a real result of load= has an imaginary part of zero behind it
        self.taken: "list[Taken]" = []
        self.numbers_apart = False  # long numbers are operands, too
        self._known: "dict[Any, str]" = {}

    def _take(self, key: Any, table: Any, array: Any, of: Any, whose: str, is_complex: bool) -> str:
        if key not in self._known:
            name = f"{self.prefix}{len(self.taken)}{'_c' if is_complex else ''}"
            self.taken.append(Taken(name, table, array, of, whose, is_complex))
            index = [whose] if whose else []
            if of is not None:
                index.append(self.letter if of == "all" else f"{self.letter}{of}")
            self._known[key] = name + (f"[{','.join(index)}]" if index else "")
        return self._known[key]

    # ---- tables and arrays

    def _table(self, node: Node) -> "tuple[str, int]":
        key = ("table", id(node))
        if key in self._known:
            return self._known[key], 9
        value = evaluated(node, self.layout)
        if value.size == 1 or (value == value.flat[0]).all():
            return self._number(value.flat[0].item())
        table, of = self._reduced(value)
        return self._take(key, table, None, of, "", value.dtype.kind == "c"), 9

    def _reduced(self, value: np.ndarray) -> "tuple[np.ndarray, Any]":
        """Values by elements, in the order of the text; of one axis where others do not matter."""
        lengths = self.layout.lengths
        value = value.reshape((1,) * (len(lengths) - value.ndim) + value.shape)
        varying = [d for d in range(len(lengths)) if value.shape[d] > 1]
        if len(varying) == 1 and len(lengths) > 1:
            return np.ascontiguousarray(value.ravel()), self.layout.position[varying[0]]
        return np.ascontiguousarray(np.broadcast_to(value, lengths).transpose(self.layout.order())), "all"

    def _number(self, value: Any) -> "tuple[str, int]":
        if isinstance(value, (bool, int)) and abs(int(value)) < 1 << 53:
            value = float(value)
        if isinstance(value, complex):
            if value.imag == 0:
                return self._number(value.real)
            return f"complex({self._number(value.real)[0]},{self._number(value.imag)[0]})", 9
        text = f"{abs(value):.{self.layout.digits}g}"
        if float(text) == round(float(text)) and float(text) < 1e6:
            text = str(int(float(text)))
        if self.numbers_apart and len(text) > 6:
            return self._take(("number", value), np.array([value]), None, None, "", False), 9
        return ("-" + text, _BINDS["neg"]) if value < 0 else (text, 9)

    def _array(self, node: Node) -> str:
        operand_, index = node.args
        of, whose = _pattern(operand_.array, index, self.layout)
        return self._take(("array", id(operand_.array), of if of is None or isinstance(of, (int, str)) else None, whose), None, operand_.array, of, whose,
                          node.is_complex)

    # ---- terms

    def text(self, node: Node, element: Optional[Node] = None) -> str:
        return self._term(node, element)[0]

    def _term(self, node: Node, element: Optional[Node]) -> "tuple[str, int]":
        if node is element or node.op == "element":
            return ("x" if node.is_complex or not self.stays_complex else "re(x)"), 9
        if node.plain:
            return self._number(node.args[0]) if node.op == "number" else self._table(node)
        if node.op == "array":
            return self._array(node), 9
        if node.op in ("batch", "channel"):
            if node.op == "channel":
                raise TypeError("fftgen.channel is an index of arrays: gain[fftgen.channel, k]")
            return "b", 9
        if node.op == "call":
            return f"{node.args[0]}({','.join(self.text(a, element) for a in node.args[1:])})", 9
        binds = _BINDS[node.op]
        if node.op == "neg":
            return "-" + self._operand(node.args[0], element, binds), binds
        left, right = node.args
        behind = binds + (node.op in "-/")
        return self._operand(left, element, binds) + node.op + self._operand(right, element, behind), binds

    def _operand(self, node: Node, element: Optional[Node], least: int) -> str:
        text, binds = self._term(node, element)
        return text if binds >= least and not text.startswith("-") else f"({text})"


def _pattern(array: Any, index: Any, layout: Layout) -> "tuple[Any, str]":
    """How the text indexes an array: of which axes, and whose."""
    lengths, before = layout.lengths, layout.batch
    shape = tuple(int(i) for i in array.shape)
    if index is not None:
        return _indexed(shape, index, layout)
    full = before + lengths
    if len(shape) > len(full) or any(a not in (1, b) for a, b in zip(reversed(shape), reversed(full))):
        raise ValueError(f"an array of shape {shape} beside elements of shape {lengths}" + (f" in a batch of {before}" if before else "")
                         + ": they do not broadcast")
    shape = (1,) * (len(full) - len(shape)) + shape
    varying = [d for d in range(len(lengths)) if shape[len(before) + d] > 1]
    batches = [i for i in range(len(before)) if shape[i] > 1]
    of = None if not varying else layout.position[varying[0]] if len(varying) == 1 and len(lengths) > 1 else "all"
    whose = "" if not batches else "c" if batches == [len(before) - 1] and len([i for i in before if i > 1]) > 1 else "b"
    return of, whose


def _indexed(shape: "tuple[int, ...]", index: "tuple[Node, ...]", layout: Layout) -> "tuple[Any, str]":
    wanted: "list[int]" = []
    whose, dims = "", []
    for i, node in enumerate(index):
        if node.op == "index":
            dims.append(node.args[0])
            wanted.append(math.prod(layout.lengths) if node.args[0] is None else layout.lengths[node.args[0]])
        elif i:
            raise TypeError("fftgen.batch or fftgen.channel is the first index of an array")
        else:
            whose = node.op[0]
            wanted.append(math.prod(layout.batch) if whose == "b" else layout.batch[-1] if layout.batch else 1)
    if shape != tuple(wanted):
        raise ValueError(f"an array of shape {shape} with indices up to {tuple(wanted)}")
    if len(dims) > 1 and dims != list(range(len(layout.lengths))):
        raise TypeError("an array has one of the element's indices, or all of them in their order")
    if whose == "c" and len([i for i in layout.batch if i > 1]) < 2:
        whose = "b" if whose and math.prod(layout.batch) > 1 else ""
    if whose == "b" and math.prod(layout.batch) == 1:
        whose = ""
    of: Any = None if not dims else "all" if len(dims) > 1 or dims[0] is None or len(layout.lengths) == 1 else layout.position[dims[0]]
    return of, whose


# ---- long expressions, one after another -------------------------------------------------------------


def _narrow(root: Node) -> "list[Node]":
    """Nodes that everything between the element and the root goes through, the innermost first; root is the last one."""
    seen: "list[Node]" = []

    def visit(node: Node) -> None:
        if node.on_element and not any(node is s for s in seen):
            for a in node.args:
                if isinstance(a, Node):
                    visit(a)
            seen.append(node)

    def reaches(node: Node, cut: Node, memo: "dict[int, bool]") -> bool:
        if node is cut:
            return False
        if node.op == "element":
            return True
        if id(node) not in memo:
            memo[id(node)] = any(reaches(a, cut, memo) for a in node.args if isinstance(a, Node) and a.on_element)
        return memo[id(node)]

    visit(root)
    return [s for s in seen if s is root or (s.op != "element" and not reaches(root, s, {}))]


def _letters(writer: Writer, node: Node, begin: Optional[Node], known: "dict[int, int]") -> int:
    """About as many as the text has; a value that is used twice is there twice."""
    if node is begin or node.op == "element" or not node.on_element:
        return 5 if node is begin or node.op == "element" else len(writer.text(node))
    if id(node) not in known:
        known[id(node)] = 3 + sum(_letters(writer, a, begin, known) for a in node.args if isinstance(a, Node)) + (len(str(node.args[0])) if node.op == "call" else 0)
    return known[id(node)]


def expressions(writer: Writer, root: Node, name: str) -> "list[str]":
    """The root as one expression, or as several of which each takes the one before as its x: the fewest letters in all."""
    texts = _divided(writer, root)
    if texts is None:
        writer.numbers_apart = True
        texts = _divided(writer, root)
    if texts is None:
        raise ValueError(f"{name} is too long: an expression has {_MOST_LETTERS} letters, and there are {_MOST_EXPRESSIONS} of them, each of the value "
                         "of the one before")
    names = re.findall(r"[a-z_0-9]+", " ".join(texts))
    writer.taken = sorted((t for t in writer.taken if t.name in names), key=lambda t: names.index(t.name))
    return texts


def _divided(writer: Writer, root: Node) -> "Optional[list[str]]":
    stops: "list[Optional[Node]]" = [None, *_narrow(root)]
    best: "dict[tuple[int, int], tuple[int, list[str]]]" = {(0, 0): (0, [])}  # by the stop, and how many expressions it took
    for at, begin in enumerate(stops[:-1]):
        steps: "list[tuple[int, str]]" = []
        for to in range(at + 1, len(stops)):
            node, known = stops[to], {}
            assert node is not None
            if _letters(writer, node, begin, known) <= 2 * _MOST_LETTERS and len(text := writer.text(node, begin)) <= _MOST_LETTERS:
                steps.append((to, text))
        for count in range(_MOST_EXPRESSIONS):
            if (at, count) not in best:
                continue
            total, texts = best[at, count]
            for to, text in steps:
                sum_ = total + len(text) + 20
                if sum_ < best.get((to, count + 1), (1 << 30, []))[0]:
                    best[to, count + 1] = sum_, [*texts, text]
    ends = [value for (at, _), value in best.items() if at == len(stops) - 1]
    return min(ends)[1] if ends else None
