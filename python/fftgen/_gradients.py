"""load= and store= of tensors that record gradients: the same expressions by PyTorch's own operations, around the operators of torch_ops.py.

Not one kernel, but the same numbers, and gradients of x and of the tensors that the functions name.
"""

from __future__ import annotations

import math
from typing import Any, Sequence

import torch

from . import _fused, _general, _sight, _trace, torch_ops

_CALLS = {"sqrt": torch.sqrt, "log": torch.log, "log10": torch.log10, "exp": torch.exp, "abs": torch.abs, "min": torch.fmin, "max": torch.fmax,
          "re": torch.real, "im": torch.imag, "conj": lambda v: v.conj().resolve_conj(), "complex": lambda re, im: re + 1j * im}
_ARITHMETIC = {"+": torch.add, "-": torch.sub, "*": torch.mul, "/": torch.true_divide, "neg": torch.neg}


class _Elements:
    """Of one side of a transform, whose axes come last: what a node is for all of them."""

    def __init__(self, x: torch.Tensor, rank: int, points: int) -> None:
        self.x, self.rank = x, rank
        self.batch, self.lengths = tuple(x.shape[:x.ndim - rank]), tuple(x.shape[x.ndim - rank:])
        self.layout = _trace.Layout(self.lengths, tuple(range(rank)), points, self.batch, 17)
        self.known: "dict[int, Any]" = {}

    def tensor(self, a: Any, is_complex: bool) -> torch.Tensor:
        real = self.x.dtype.to_real() if self.x.is_complex() else self.x.dtype
        return torch.as_tensor(a).to(device=self.x.device, dtype=real.to_complex() if is_complex else real)

    def value(self, node: Any) -> torch.Tensor:
        if id(node) not in self.known:
            self.known[id(node)] = self.x if node.op == "element" else self._made(node)
        return self.known[id(node)]

    def _made(self, node: Any) -> torch.Tensor:
        if node.plain:
            return self.tensor(_trace.evaluated(node, self.layout), node.is_complex)
        if node.op == "array":
            return self._array(*node.args, node.is_complex)
        if node.op == "batch":
            return self.tensor(torch.arange(math.prod(self.batch)).reshape(self.batch + (1,) * self.rank), False)
        if node.op == "channel":
            raise TypeError("fftgen.channel is an index of arrays: gain[fftgen.channel, k]")
        if node.op == "call":
            return _CALLS[node.args[0]](*[self.value(a) for a in node.args[1:]])
        return _ARITHMETIC[node.op](*[self.value(a) for a in node.args])

    def _array(self, operand: Any, index: Any, is_complex: bool) -> torch.Tensor:
        a = operand.array
        _trace._pattern(a, index, self.layout)  # its errors
        a = self.tensor(a.get() if hasattr(a, "get") else a, is_complex)
        if index is None:
            return a
        before, elements = [1] * len(self.batch), [1] * self.rank
        for node in index:
            if node.op == "batch":
                before = list(self.batch)
            elif node.op == "channel":
                before[-1:] = self.batch[-1:]
            elif node.args[0] is None:
                elements = list(self.lengths)
            else:
                elements[node.args[0]] = self.lengths[node.args[0]]
        return a.reshape(before + elements)


def _applied(operation: Any, row: Any, x: torch.Tensor, axes: Sequence[int], points: int) -> torch.Tensor:
    """A function of x's elements, of which the axes are the transform's."""
    order = [*[i for i in range(x.ndim) if i not in axes], *axes]
    root = _sight.of(operation, x.is_complex(), len(axes)).root
    _fused.check_result(operation, row, root, x.is_complex())
    result = _Elements(x.permute(order), len(axes), points).value(root)
    return result.permute([order.index(i) for i in range(x.ndim)])


def transform(row: Any, style: str, call: Any, x: torch.Tensor) -> torch.Tensor:
    """The results of a call, of x as numbers that the transform has."""
    s, axes = _general.dimensions(row, style, x, call)
    if not axes or len(set(axes)) != len(axes):
        raise ValueError(f"{row.name}: load= and store= take one or more different axes")
    shape, points = list(x.shape), math.prod(s)
    for n, axis in zip([*s[:-1], s[-1] // 2 + 1] if row.half_in else s, axes):
        shape[axis] = n
    x = torch_ops._fit(x, shape)
    if call.load is not None:
        pairs = not (row.real_in or row.trigonometric)
        x = _applied(call.load, row, x.to(x.dtype.to_complex()) if pairs else x, axes, points)
    y = torch_ops.differentiable(row.base, x, list(s), list(axes), _general._norm(style, call.norm), call.type, call.orthogonalize)
    return y if call.store is None else _applied(call.store, row, y, axes, points)
