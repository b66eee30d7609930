"""Functions of load= and store= whose code shows all that they read: numbers and arrays by name, fftgen's and NumPy's functions.

Their traces are kept as long as these are what they were. Others are traced at each call, since what they read is not known.
"""

from __future__ import annotations

import builtins
import dis
import types
from typing import Any, NamedTuple, Optional

import numpy as np

from . import _trace

_PASSING = {"RESUME", "CACHE", "NOP", "EXTENDED_ARG", "COPY_FREE_VARS", "PUSH_NULL", "PRECALL", "CALL", "KW_NAMES", "CALL_FUNCTION", "CALL_METHOD", "BINARY_OP",
            "BINARY_ADD", "BINARY_SUBTRACT", "BINARY_MULTIPLY", "BINARY_TRUE_DIVIDE", "BINARY_POWER", "BINARY_FLOOR_DIVIDE", "BINARY_MODULO", "BINARY_SUBSCR",
            "UNARY_NEGATIVE", "UNARY_POSITIVE", "BUILD_TUPLE", "COMPARE_OP", "POP_TOP", "LOAD_CONST", "LOAD_SMALL_INT", "STORE_FAST", "LOAD_FAST",
            "LOAD_FAST_BORROW", "RETURN_VALUE", "RETURN_CONST"}
_OF_ELEMENTS = {"real", "imag", "conj", "conjugate"}  # attributes of an element or an index


class Names(NamedTuple):
    code: Any
    globals: "tuple[tuple[str, Optional[str]], ...]"  # a name, or a module's and what is taken of it
    outer: "tuple[tuple[str, Optional[str]], ...]"  # the same of names of functions around it


def names(function: Any) -> Optional[Names]:
    """None: it may read something else."""
    if not isinstance(function, types.FunctionType) or function.__defaults__ or function.__kwdefaults__:
        return None
    code, found, outer = function.__code__, [], []
    given, before = code.co_varnames[:code.co_argcount], None
    instructions = [i for i in dis.get_instructions(code) if i.opname not in ("CACHE", "EXTENDED_ARG")]
    if any(i.opname == "STORE_FAST" and i.argval in given for i in instructions):
        return None
    for i in instructions:
        if i.opname in ("LOAD_ATTR", "LOAD_METHOD"):
            if before.opname in ("LOAD_GLOBAL", "LOAD_DEREF"):
                (found if before.opname == "LOAD_GLOBAL" else outer)[-1] = before.argval, i.argval
            elif before.opname not in ("LOAD_FAST", "LOAD_FAST_BORROW") or before.argval not in given or i.argval not in _OF_ELEMENTS:
                return None
        elif i.opname == "LOAD_GLOBAL":
            found.append((i.argval, None))
        elif i.opname == "LOAD_DEREF":
            outer.append((i.argval, None))
        elif i.opname not in _PASSING:
            return None
        before = i
    return Names(code, tuple(found), tuple(outer))


def _is_known(value: Any) -> bool:
    """A function whose results are those of its arguments."""
    of_fftgen = type(value) is types.FunctionType and value.__module__ == _trace.__name__
    return value is builtins.abs or isinstance(value, (np.ufunc, _trace.Node)) or of_fftgen


def _mark(value: Any) -> Any:
    """Equal where the trace is the same; None: not known."""
    if type(value) in (int, float, complex, bool) or isinstance(value, np.generic):
        return type(value), repr(value)
    if isinstance(value, types.ModuleType):  # NumPy has a shape, too
        return None
    if _trace.is_array(value):
        return id(value), tuple(value.shape), str(value.dtype)
    return id(value) if _is_known(value) else None


def values(function: Any, of: Names) -> "Optional[list[Any]]":
    """What it reads now."""
    if function.__code__ is not of.code:
        return None
    cells = dict(zip(function.__code__.co_freevars, function.__closure__ or ()))
    all = []
    for name, attribute in of.globals + of.outer:
        try:
            value = cells[name].cell_contents if name in cells else function.__globals__.get(name, of)
        except ValueError:
            return None
        if value is of:
            value = getattr(builtins, name, None)
        if attribute is not None:
            if not isinstance(value, types.ModuleType):
                return None
            value = getattr(value, attribute, None)
        all.append(value)
    return all


class Kept(NamedTuple):
    """A trace, and what was read for it, which is kept for its addresses."""

    marks: "list[Any]"
    read: "list[Any]"
    sight: Any


def marks(read: "Optional[list[Any]]") -> "Optional[list[Any]]":
    if read is None:
        return None
    all = [_mark(value) for value in read]
    return None if None in all else all
