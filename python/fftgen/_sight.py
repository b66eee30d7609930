"""What a function of load= or store= saw when it was traced: its expression as a key, and the arrays that it names.

A function may read anything: attributes, entries of dicts, what its helpers read. So it is traced at each call, but where its code
shows that it reads nothing else than before; calls whose expressions are alike share a kernel; arrays are those of the latest trace.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from . import _reads
from ._trace import Node


class Sight(NamedTuple):
    """One trace."""

    root: Any  # a node
    key: "tuple[Any, ...]"  # equal where the text and the tables are
    arrays: "list[Any]"  # in the key's order


def of(operation: Any, is_complex: bool, rank: int) -> Sight:
    """A new trace, or the last one where all that it read is what it was (_reads.py)."""
    if operation.names is None:
        return _traced(operation, is_complex, rank)
    read = _reads.values(operation.function, operation.names)
    marks, kept = _reads.marks(read), operation.kept.get((is_complex, rank))
    if marks is not None and kept is not None and kept.marks == marks:
        return kept.sight
    sight = _traced(operation, is_complex, rank)
    if marks is not None and all(any(a is b for b in read) for a in sight.arrays):  # type: ignore[union-attr]
        operation.kept[is_complex, rank] = _reads.Kept(marks, read, sight)
    return sight


def _traced(operation: Any, is_complex: bool, rank: int) -> Sight:
    root = operation.trace(is_complex, rank)
    nodes: "dict[int, int]" = {}
    numbers: "dict[int, int]" = {}
    arrays: "list[Any]" = []
    entries: "list[Any]" = []

    def array(a: Any) -> int:
        if id(a) not in numbers:
            numbers[id(a)] = len(arrays)
            arrays.append(a)
        return numbers[id(a)]

    def visit(node: Any) -> int:
        at = nodes.get(id(node))
        if at is not None:
            return at
        op, args = node.op, node.args
        entry = [op, node.is_complex]
        if op == "number":  # -0.0 and 0.0 are equal, and differ
            entry += type(args[0]), repr(args[0])
        elif op == "array":
            entry += array(args[0].array), args[1] and tuple([visit(i) for i in args[1]])
        else:
            for a in args:
                entry.append(visit(a) if type(a) is Node else a)
        nodes[id(node)] = at = len(entries)
        entries.append(tuple(entry))
        return at

    visit(root)
    return Sight(root, (tuple(entries), tuple([(tuple(a.shape), str(a.dtype)) for a in arrays])), arrays)


def same(a: Any, b: Any) -> bool:
    """Whether two arrays are one, or views of the same memory; b is still there."""
    if a is b:
        return True
    if not (isinstance(a, np.ndarray) and isinstance(b, np.ndarray)):
        return False
    return a.ctypes.data == b.ctypes.data and a.strides == b.strides and a.shape == b.shape and a.dtype == b.dtype and a.base is not None
