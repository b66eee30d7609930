"""Transforms with functions in their loads and stores (_trace.py): kernels of libfftgen's, which are made when they are first wanted."""

from __future__ import annotations

import collections
import math
import sys
from typing import Any, Callable, NamedTuple, Optional, Sequence

import numpy as np

from . import _core, _general, _gpu, _plans, _sight, _trace, _workers

_WHOLE = {"uint8": "u8", "int16": "i16"}
_KEPT = 256
_NUMPY = {"f32": np.dtype("f4"), "f64": np.dtype("f8"), "c64": np.dtype("c8"), "c128": np.dtype("c16")}
_NAMES = {dtype: name for name, dtype in _NUMPY.items()}
_WHOLE_HERE = {np.dtype(name): word for name, word in _WHOLE.items()}


class Side(NamedTuple):
    """An array as a problem sees it."""

    facts: "_gpu.Facts"
    whole: str  # "u8", "i16": integers; "": numbers that are computed with


# ---- arrays of the host ------------------------------------------------------------------------------


class Host:
    """NumPy's arrays, in the words of _gpu.Library."""

    name = "numpy"

    def numbers(self, x: Any) -> Any:
        return _general.numbers(x)

    def number(self, x: Any) -> str:
        return _NAMES[x.dtype]

    def convert(self, x: Any, number: str) -> Any:
        return x.astype(_NUMPY[number])

    def copy(self, x: Any) -> Any:
        return np.ascontiguousarray(x)

    def side(self, x: Any) -> Optional[Side]:
        whole = _WHOLE_HERE.get(x.dtype, "")
        name = whole or _NAMES.get(x.dtype)
        if name is None or not (x.flags.aligned and x.dtype.isnative) or any(s % x.itemsize for s in x.strides):
            return None
        return Side(_gpu.Facts(x.ctypes.data, "f32" if whole else name, -1, x.shape, tuple(s // x.itemsize for s in x.strides)), whole)

    def empty(self, x: Any, shape: "tuple[int, ...]", number: str) -> Any:
        return np.empty(shape, _NUMPY[number])

    def extent(self, x: Any) -> "tuple[int, int]":
        begin = end = x.ctypes.data
        if x.flags.c_contiguous:
            return begin, end + x.nbytes
        for n, stride in zip(x.shape, x.strides):
            begin, end = begin + min(0, (n - 1) * stride), end + max(0, (n - 1) * stride)
        return begin, end + x.itemsize

    def takes(self, out: Any) -> bool:
        return isinstance(out, np.ndarray)

    def fill(self, out: Any, result: Any) -> Any:
        return _general._fill(out, result)

    def plan(self, text: str, x: Any, workers: int = 1) -> Any:
        return _core.host_plan(text, workers if x.size >= _workers._WORTH_THREADS else 1)

    def launch(self, plan: Any, x: Any, out: Any, given: "tuple[Any, ...]", side: Optional[Side] = None) -> None:
        bounds, end = self.extent(x), self.extent(out)
        plan.launch(x.ctypes.data, bounds[1] - x.ctypes.data, out.ctypes.data, end[1] - out.ctypes.data,
                    tuple(a.ctypes.data for a in given))

    def bring(self, a: Any, number: str, x: Any) -> Any:
        """An operand as the kernel reads it: dense, of its numbers."""
        if not isinstance(a, np.ndarray):
            a = a.get() if hasattr(a, "get") else np.asarray(a.detach().cpu() if hasattr(a, "detach") else a)
        return np.ascontiguousarray(a, _NUMPY[number])

    def finish(self, result: Any) -> Any:
        return result


class Device:
    """Arrays of a GPU's library."""

    def __init__(self, library: Any) -> None:
        self.library, self.name = library, library.name

    def __getattr__(self, name: str) -> Any:
        return getattr(self.library, name)

    def numbers(self, x: Any) -> Any:
        return self.library.wide(self.library.numbers(x))

    def side(self, x: Any) -> Optional[Side]:
        whole = self.library.whole(x)
        if whole is not None:
            return Side(whole[1], whole[0])
        facts = _gpu.facts(x)
        return None if facts is None else Side(facts, "")

    def empty(self, x: Any, shape: "tuple[int, ...]", number: str) -> Any:
        with self.library.enter(x):
            make, arguments, named = self.library.recipe(x, shape, number)
            return make(x) if arguments is None else make(*arguments, **(named or {}))

    def extent(self, x: Any) -> "tuple[int, int]":
        side = self.side(x)
        if side is None:
            return 0, 1 << 63
        bytes = {"u8": 1, "i16": 2, "f16": 2, "bf16": 2, "f32": 4, "f64": 8, "c32": 4, "c64": 8, "c128": 16}[side.whole or side.facts.number]
        spans = [(n - 1) * s * bytes for n, s in zip(side.facts.shape, side.facts.strides)]
        return side.facts.at + sum(s for s in spans if s < 0), side.facts.at + sum(s for s in spans if s > 0) + bytes

    def plan(self, text: str, x: Any, workers: int = 1) -> Any:
        _gpu.find_compiler()
        side = self.side(x)
        assert side is not None
        with self.library.enter(x):
            return _core.gpu_plan(side.facts.device, (text, None, None, None, self.library.workspace(x), (), None))

    def launch(self, plan: Any, x: Any, out: Any, given: "tuple[Any, ...]", side: Optional[Side] = None) -> None:
        side = side or self.side(x)
        assert side is not None
        addresses = tuple(self._address(a) for a in given)
        with self.library.enter(x):
            if _core.gpu_describe(out) is not None:
                plan.launch(out, side.facts.at, addresses)
                return
            to = self.side(out)  # of whole numbers, of which the extension reads no arrays
            assert to is not None
            owner = x if _core.gpu_describe(x) is not None else self.empty(x, (1,), "f32")
            plan.launch(owner, side.facts.at, addresses, to.facts.at)

    def _address(self, a: Any) -> int:
        return a[1] if isinstance(a, tuple) else _gpu.facts(a).at  # type: ignore[union-attr]

    def bring(self, a: Any, number: str, x: Any) -> Any:
        host = _trace.is_array(a) and not self.library.takes(a)
        with self.library.enter(x):
            if host:  # from now on there
                return self.library.upload(np.ascontiguousarray(a, _NUMPY[number]), x)
            a = a if self.library.number(a) == number else self.library.convert(a, number)
            facts = _gpu.facts(a)
            return a if facts is not None and facts.strides == _gpu.dense(facts.shape) else self.library.copy(a)


host = Host()


# ---- a call as a problem -----------------------------------------------------------------------------


class Work(NamedTuple):
    row: Any
    arrays: Any  # Host or Device
    s: "tuple[int, ...]"
    axes: "tuple[int, ...]"
    norm: int
    type: int
    orthogonalize: int
    load: Any
    store: Any
    workers: int


class Bound(NamedTuple):
    """What a call's arguments were made of: the text, its operands in their order, whose are results, an operand's uploads."""

    text: str
    operands: "tuple[Any, ...]"
    shape: "tuple[int, ...]"
    number: str
    plan: Any
    uploads: "dict[int, Any]"  # arrays of the host, and where they are on the device
    contents: "list[Optional[np.ndarray]]"  # of the operands that are no arrays of the functions'


def _digits(real: str) -> int:
    return 17 if real == "f64" else 9


def _sorted_lines(work: Work, x: "_gpu.Facts", out: Sequence[int]) -> "tuple[list[Any], tuple[int, ...]]":
    """Dimensions of the transform in the text's order, and where each axis is in it."""
    half = work.row.half_in or work.row.real_in
    lines = []
    for axis, n in zip(work.axes, work.s):
        i, o = (1, 1) if n == 1 else (x.strides[axis], out[axis])
        if i < 1 or o < 1:
            raise _gpu.Copies
        lines.append(_gpu._Dim(n, i, o, min(x.shape[axis], n // 2 + 1 if work.row.half_in and axis == work.axes[-1] else n)))
    free = list(range(len(lines) - (1 if half else 0)))
    order = sorted(free, key=lambda d: -lines[d].o) + ([len(lines) - 1] if half else [])
    position = [0] * len(lines)
    for at, d in enumerate(order):
        position[d] = at
    return [lines[d] for d in order], tuple(position)


def _batch(work: Work, x: "_gpu.Facts", out: Sequence[int], merge: bool) -> "list[Any]":
    batch = []
    for axis, n in enumerate(x.shape):
        if axis in work.axes or n == 1:
            continue
        if x.strides[axis] < 1 or out[axis] < 1:
            raise _gpu.Copies
        batch.append(_gpu._Dim(n, x.strides[axis], out[axis], n))
    return _gpu._merged(sorted(batch, key=lambda d: -d.o)) if merge else batch


class Sights(NamedTuple):
    """What the functions of one call saw; None: there is no such function."""

    load: Optional["_sight.Sight"]
    store: Optional["_sight.Sight"]

    @property
    def keys(self) -> "tuple[Any, ...]":
        return tuple([sight and sight.key for sight in self])


class Records(TypeError):
    """An array that a function names records gradients."""


def sights(work: Work) -> Sights:
    row, rank = work.row, len(work.axes)
    pairs = not (row.real_in or row.trigonometric), not (row.half_in or row.trigonometric)
    seen = Sights(*[operation and _sight.of(operation, is_complex, rank) for operation, is_complex in zip((work.load, work.store), pairs)])
    for sight in seen:
        for array in sight.arrays if sight else ():
            if getattr(array, "requires_grad", False) and sys.modules["torch"].is_grad_enabled():
                raise Records("a tensor that a function of load= or store= names records gradients: functions of a tensor x have them, others and "
                              "plans take tensor.detach(), or torch.no_grad()")
    return seen


class _Side(NamedTuple):
    texts: "list[str]"
    taken: "list[Any]"
    is_complex: bool  # behind the operations


def check_result(operation: Any, row: Any, root: Any, is_complex: bool) -> None:
    if root.is_complex and not is_complex:
        raise TypeError(f"{operation.__name__} makes complex numbers of real ones: {row.name} has real numbers there")


def _written(work: Work, operation: Any, sight: Optional["_sight.Sight"], is_complex: bool, layout: Any) -> _Side:
    if sight is None:
        return _Side([], [], is_complex)
    root = sight.root
    writer = _trace.Writer(layout, operation.output, is_complex)
    check_result(operation, work.row, root, is_complex)
    texts = _trace.expressions(writer, root, operation.__name__)
    return _Side([] if texts == ["x"] else texts, writer.taken, root.is_complex)


def _out_number(work: Work, number: str, stores_complex: bool) -> str:
    of = _gpu.number_out(work.row, number)
    return of if stores_complex else _gpu._REAL.get(of, of)


def bind(work: Work, x: Any, out: Any, seen: Sights) -> Bound:
    here = work.arrays.side(x)
    there = None if out is None else work.arrays.side(out)
    facts, real = here.facts, _gpu._REAL.get(here.facts.number, here.facts.number)
    row = work.row
    if row.trigonometric and facts.number in _gpu._REAL:
        raise TypeError(f"{row.name} with load= or store= takes real numbers")
    shape = _gpu.shape_out(row, facts.shape, work.s, work.axes)
    strides = _gpu.dense(shape) if there is None else there.facts.strides
    lines, position = _sorted_lines(work, facts, strides)
    batch_axes = [axis for axis in range(len(facts.shape)) if axis not in work.axes]
    points = math.prod(work.s)

    def layout(half: bool) -> Any:
        lengths = (*work.s[:-1], work.s[-1] // 2 + 1) if half else work.s
        return _trace.Layout(lengths, position, points, tuple(facts.shape[a] for a in batch_axes), _digits(real))

    kind, sign = _gpu._kind(row, work.type)
    loads = _written(work, work.load, seen.load, not (row.real_in or row.trigonometric), layout(row.half_in))
    stores = _written(work, work.store, seen.store, not (row.half_in or row.trigonometric), layout(row.real_in))
    own = any(t.whose for t in (*loads.taken, *stores.taken)) or any("b" in t.replace("abs(", "") for t in (*loads.texts, *stores.texts))
    batch = _batch(work, facts, strides, not own)
    if len(lines) > 7 or len(batch) > 7 or len(lines) + len(batch) > 9:
        raise ValueError(f"{row.name}: a transform with load= or store= has 9 dimensions at most, not {len(lines)} along axes and {len(batch)} beside them")
    inside = "f32" if real == "f16" else real  # what operations take
    before, behind = _edges(work, lines, inside)
    text = f"{kind} {real} n={_gpu._text(lines)}" + (f" batch={_gpu._text(batch)}" if batch else "") + sign
    text += _gpu._factor(row, work.s, work.norm, work.type)
    load = [here.whole] * bool(here.whole) + _padding(work, lines) + loads.texts + (["window"] if before is not None else [])
    store = (["window"] if behind is not None else []) + stores.texts
    if there is not None and there.whole:
        store.append(there.whole)
    text += (" load=" + ",".join(load) if load else "") + (" store=" + ",".join(store) if store else "")
    operands = [_operand(work, t, inside, layout(row.half_in), x, seen, 0) for t in loads.taken]
    operands += [work.arrays.bring(t, inside, x) for t in (before, behind) if t is not None]
    operands += [_operand(work, t, inside, layout(row.real_in), x, seen, 1) for t in stores.taken]
    contents = [t.table for t in loads.taken] + [t for t in (before, behind) if t is not None] + [t.table for t in stores.taken]
    number = _out_number(work, facts.number, stores.is_complex)
    return Bound(text, tuple(operands), shape, number, work.arrays.plan(text, x, work.workers), {}, contents)


def _padding(work: Work, lines: "list[Any]") -> "list[str]":
    needed = [d.n // 2 + 1 if work.row.half_in and k == len(lines) - 1 else d.n for k, d in enumerate(lines)]
    return ["zeropad(" + "x".join(str(d.given) for d in lines) + ")"] if any(d.given < n for d, n in zip(lines, needed)) else []


def _edges(work: Work, lines: "list[Any]", real: str) -> "tuple[Optional[np.ndarray], Optional[np.ndarray]]":
    if not work.row.trigonometric or not (work.norm == 1 if work.orthogonalize < 0 else work.orthogonalize):
        return None, None
    before, behind = (_gpu._weights(e, [d.n for d in lines], real) if e else None for e in _gpu._edges(work.row, work.type))
    return before, behind


class Later(NamedTuple):
    """An array that the functions name: it is read at each call."""

    taken: Any  # without the array
    number: str
    layout: Any
    side: int  # 0: load's; 1: store's
    at: int  # of the trace's arrays


def _operand(work: Work, taken: Any, real: str, layout: Any, x: Any, seen: Sights, side: int) -> Any:
    number = _gpu._COMPLEX[real] if taken.is_complex else real
    if taken.table is not None:
        return work.arrays.bring(taken.table, number, x)
    at = next(i for i, array in enumerate(seen[side].arrays) if array is taken.array)  # type: ignore[union-attr]
    return Later(taken._replace(array=None), number, layout, side, at)


def _arranged(later: Later, array: Any) -> Any:
    """Its numbers in the text's order: by the batch, then by the text's dimensions. No copy where they are so already."""
    taken, layout = later.taken, later.layout
    rank = len(layout.lengths)
    elements = () if taken.of is None else layout.lengths if taken.of == "all" else (layout.lengths[layout.position.index(taken.of)],)
    batch = {"": (), "c": layout.batch[-1:], "b": layout.batch}[taken.whose]
    wanted = (*batch, *elements)
    if math.prod(array.shape) == math.prod(wanted):
        array = array.reshape(wanted)
    else:  # fewer, as NumPy broadcasts them
        shape = (1,) * (len(layout.batch) + rank - array.ndim) + tuple(array.shape)
        array = array.reshape(shape[len(layout.batch) - len(batch):] if batch else shape[len(layout.batch):])
        array = array.expand(wanted) if hasattr(array, "expand") else _broadcast(array, wanted)
    order = layout.order()
    if taken.of != "all" or order == list(range(rank)):
        return array
    axes = [*range(len(batch)), *[len(batch) + d for d in order]]
    return array.permute(*axes) if hasattr(array, "permute") else array.transpose(axes)


def _broadcast(array: Any, shape: "tuple[int, ...]") -> Any:
    if isinstance(array, np.ndarray):
        return np.broadcast_to(array, shape)
    import cupy

    return cupy.broadcast_to(array, shape)


def _given(work: Work, bound: Bound, x: Any, seen: Sights) -> "tuple[Any, ...]":
    all = []
    for i, operand in enumerate(bound.operands):
        if isinstance(operand, Later):
            array = seen[operand.side].arrays[operand.at]  # type: ignore[union-attr]
            there = bound.uploads.get(i)
            if there is not None and _sight.same(array, there[0]):
                operand = there[1]
            else:
                operand = work.arrays.bring(_arranged(operand, array), operand.number, x)
                if isinstance(operand, tuple):  # of the host, for a GPU: there from now on
                    bound.uploads[i] = array, operand
        all.append(operand)
    return tuple(all)


# ---- calls -------------------------------------------------------------------------------------------

_bound: "collections.OrderedDict[Any, Bound]" = collections.OrderedDict()


def _layout_key(arrays: Any, a: Any) -> Any:
    if a is None:
        return None
    side = arrays.side(a)
    return None if side is None else (side.facts._replace(at=0), side.whole)


def _find(work: Work, x: Any, out: Any, seen: Sights) -> Bound:
    side = None if out is None else work.arrays.side(out)
    if side is not None and not side.whole and side.facts.strides == _gpu.dense(side.facts.shape):
        out = None  # as a new array
    key = (work.row, work.arrays.name, work.s, work.axes, work.norm, work.type, work.orthogonalize, work.workers, seen.keys,
           _layout_key(work.arrays, x), _layout_key(work.arrays, out))
    found = _bound.get(key)
    if found is None:
        found = bind(work, x, out, seen)
        _bound[key] = found
        while len(_bound) > _KEPT:
            _bound.popitem(last=False)
    else:
        _bound.move_to_end(key)
    return found


def _stored_apart(work: Work, x: Any, out: Any) -> bool:
    """Whether results can go where out is."""
    if work.arrays.side(out) is None:
        return False
    a, b = work.arrays.extent(x), work.arrays.extent(out)
    return a[1] <= b[0] or b[1] <= a[0]


def _run(work: Work, x: Any, out: Any, seen: Sights) -> Any:
    if out is not None:
        return _run_into(work, x, out, seen)
    bound = _find(work, x, None, seen)
    result = work.arrays.empty(x, bound.shape, bound.number)
    work.arrays.launch(bound.plan, x, result, _given(work, bound, x, seen))
    return result


def _goes_into(side: Side, bound: Bound) -> bool:
    """Whether the kernel's results are of the array's numbers."""
    return bound.number in _gpu._COMPLEX if side.whole else side.facts.number == bound.number


def _run_into(work: Work, x: Any, out: Any, seen: Sights) -> Any:
    side = work.arrays.side(out)
    shape = _gpu.shape_out(work.row, tuple(x.shape), work.s, work.axes)
    if tuple(out.shape) != shape:
        raise ValueError("output array has wrong shape.")
    if side is not None and _stored_apart(work, x, out):
        try:
            bound = _find(work, x, out, seen)
        except _gpu.Copies:
            bound = None
        if bound is not None and _goes_into(side, bound):
            work.arrays.launch(bound.plan, x, out, _given(work, bound, x, seen))
            return out
    if side is not None and side.whole:
        raise ValueError("out of whole numbers takes real results, and does not overlap x")
    return work.arrays.fill(out, _run(work, x, None, seen))


def _converted(row: Any, arrays: Any, x: Any) -> Any:
    """x with numbers that the kernel reads: whole ones of 8 and 16 bits where the transform is of reals."""
    reads_reals = row.real_in or row.trigonometric
    side = arrays.side(x) if reads_reals and hasattr(x, "dtype") and x.dtype not in _NAMES and str(x.dtype).rpartition(".")[2] in _WHOLE else None
    if side is not None and side.whole:
        return x
    x = arrays.numbers(x)
    if row.base in ("fft", "ifft", "irfft", "hfft") and arrays.number(x) in _gpu._COMPLEX:
        x = arrays.convert(x, _gpu.complex_of(arrays.number(x)))
    if row.real_in and arrays.number(x) in _gpu._REAL:
        raise TypeError("x must be a real sequence")
    return x


def check(call: Any) -> None:
    for name in ("load", "store"):
        given = getattr(call, name)
        if given is not None and not (isinstance(given, _trace.Operation) and given.output == (name == "store")):
            raise TypeError(f"{name}= takes a function that @fftgen.{name} made, not {given!r}")


class Again(NamedTuple):
    """A call that was made before."""

    work: Work
    bound: Bound
    keys: "tuple[Any, ...]"


_again: "collections.OrderedDict[Any, Again]" = collections.OrderedDict()


def _words(row: Any, style: str, call: Any, arrays: Any, side: Optional[Side], workers: int) -> Any:
    """All that decides a call's plan, but what its functions see. None: it is to be looked at each time."""
    if side is None or call.prepare is not None or (call.out is not None and not arrays.takes(call.out)):
        return None
    facts, there = side.facts, None if call.out is None else arrays.side(call.out)
    if call.out is not None and there is None:
        return None
    words = (row, style, arrays.name, side.whole, facts.number, facts.device, facts.shape, facts.strides, workers, call.load, call.store,
             repr((call.lengths, call.axes, call.type)), call.norm, call.orthogonalize, there and (there.facts._replace(at=0), there.whole))
    try:
        hash(words)
    except TypeError:  # no word for norm
        return None
    return words


def _repeated(words: Any, x: Any, side: Side, out: Any) -> Any:
    """The results of a call that was made before; None: it was not, or its functions see something else now."""
    again = _again.get(words)
    if again is None:
        return None
    work, bound = again.work, again.bound
    seen = sights(work)
    if again.keys != seen.keys:
        return None
    if out is not None and not _stored_apart(work, x, out):
        return None
    result = out if out is not None else work.arrays.empty(x, bound.shape, bound.number)
    work.arrays.launch(bound.plan, x, result, _given(work, bound, x, seen) if bound.operands else (), side)
    return work.arrays.finish(result) if out is None else out


def _remember(words: Any, work: Work, x: Any, out: Any) -> None:
    if out is not None and not _stored_apart(work, x, out):
        return
    seen = sights(work)
    try:
        bound = _find(work, x, out, seen)
    except _gpu.Copies:  # strides that the kernel does not have
        return
    if out is not None and not _goes_into(work.arrays.side(out), bound):
        return
    _again[words] = Again(work, bound, seen.keys)
    while len(_again) > _KEPT:
        _again.popitem(last=False)


def transform(row: Any, style: str, call: Any, arrays: Any) -> Any:
    """The results of one call with load= or store=."""
    check(call)
    workers = _workers.resolve(call.workers)
    side = arrays.side(call.x)
    words = _words(row, style, call, arrays, side, workers)
    if words is not None:
        result = _repeated(words, call.x, side, call.out)
        if result is not None:
            return result
    result, work, x = _transform(row, style, call, arrays, workers)
    if words is not None and work is not None and x is call.x:
        _remember(words, work, x, call.out)
    return result


def _transform(row: Any, style: str, call: Any, arrays: Any, workers: int) -> "tuple[Any, Optional[Work], Any]":
    """Results, and what they were made of, where there are any."""
    x = _converted(row, arrays, call.x)
    s, axes = _general.dimensions(row, style, x, call)
    if not axes or len(set(axes)) != len(axes):
        raise ValueError(f"{row.name}: load= and store= take one or more different axes")
    if call.out is not None and not arrays.takes(call.out):
        raise TypeError("return arrays must be of ArrayType")
    orthogonalize = -1 if call.orthogonalize is None else int(bool(call.orthogonalize))
    work = Work(row, arrays, tuple(s), tuple(axes), _general._norm(style, call.norm), call.type, orthogonalize, call.load, call.store, workers)
    shape = _gpu.shape_out(row, tuple(x.shape), s, axes)
    if call.prepare is not None:
        return FusedPlan(work, x, call.out), None, x
    if 0 in shape:
        out = call.out if call.out is not None else arrays.empty(x, shape, _gpu.number_out(row, arrays.number(arrays.numbers(x))))
        return out, None, x
    if 0 in tuple(x.shape):
        raise ValueError(f"{row.name}: load= and store= take arrays with elements, and x has the shape {tuple(x.shape)}")
    return run(work, x, call.out), work, x


def run(work: Work, x: Any, out: Any) -> Any:
    if work.arrays.side(x) is None:
        x = work.arrays.copy(x)
    seen = sights(work)
    try:
        result = _run(work, x, out, seen)
    except _gpu.Copies:
        result = _run(work, work.arrays.copy(x), out, seen)
    return work.arrays.finish(result) if out is None else out


class FusedPlan(_plans.Known):
    """A call with load= or store=, prepared for arrays with the layout of the first one: `p()`, `p(x)`, `p(x, out)`."""

    def __init__(self, work: Work, x: Any, out: Any) -> None:
        self._work, self.x, self._out = work, x, out
        self.kind, self.axes, self.lengths = work.row.base, work.axes, work.s
        self._key = _layout_key(work.arrays, x)
        if self._key is None:
            raise ValueError(f"a plan of {self.kind} takes arrays without copies")
        try:
            self._bound()
        except _gpu.Copies:
            raise ValueError(f"a plan of {self.kind} takes arrays without copies: strides that are zero or negative") from None

    def _bound(self) -> Bound:
        """As a call with no arguments would find it: what the functions read may have changed."""
        return _find(self._work, self.x, self._out, sights(self._work))

    def __repr__(self) -> str:
        return f"<fftgen.FusedPlan of {self.kind}, {self.x.dtype} {tuple(self.x.shape)} along {self.axes}: {self.plan}>"

    def __call__(self, x: Any = None, out: Any = None) -> Any:
        if x is None:
            x, out = self.x, self._out if out is None else out
        _plans.refuse_gradients(x)
        if _layout_key(self._work.arrays, x) != self._key:
            raise ValueError("a plan takes arrays of the shape, strides and type that it was made for")
        return run(self._work, x, out)

    execute = __call__

    @property
    def plan(self) -> str:
        """The plan of its kernels (docs/plan.md)."""
        return self._bound().plan.facts["plan"]

    @property
    def origin(self) -> str:
        """Where the kernels come from: "jit", "cache", "pack" or "linked" (docs/runtime.md)."""
        return self._bound().plan.facts["origin"]

    @property
    def problem(self) -> str:
        """The transform and its operations as a problem's text."""
        return self._bound().plan.facts["problem"]

    def _chosen(self, target: str, options: "dict[str, Any]") -> "list[str]":
        facts = self._bound().plan.facts
        if self._work.arrays is not host:
            return ["--plan", facts["plan"]] if target == "cuda" and "plan" not in options else []
        return ["--plan", facts["plan"], "--isa", facts["arch"]] if target == "c" and not {"plan", "isa", "arch"} & set(options) else []

    def _contents(self) -> "list[Optional[np.ndarray]]":
        single = " f64 " not in self.problem
        types = {"f": np.float32 if single else np.float64, "c": np.complex64 if single else np.complex128}
        return [a if a is None else a.astype(types[a.dtype.kind]) for a in self._bound().contents]

    @property
    def workspace_bytes(self) -> int:
        return self._bound().plan.facts["workspace_bytes"]
