"""A transform as a device function inside kernels of numba.cuda's: the kernel of a problem that one block computes."""

from __future__ import annotations

import os
import re
import tempfile
import zlib
from typing import Any, Optional

import numpy as np

from . import _plans, _raw

def _is_one_block(k: "_raw.RawKernel") -> bool:
    plain = len(k.launches) == 1 and k.launches[0].cluster == 1 and not k.launches[0].persistent
    return plain and k.launches[0].grid() == 1 and not any(slot.kind == "work" for slot in k.slots)


def _candidates(text: str, arch: Optional[str]) -> "list[str]":
    lines = _plans._run(["plan", text, "--target", "cuda", *([] if arch is None else ["--arch", arch])]).splitlines()
    at = lines[0].index("plan") if lines else 0
    return [line[at:].rpartition("  ")[0].strip() for line in lines[1:]]


def _kernel(text: str, contents: "_raw.Contents", plan: Optional[str], arch: Optional[str]) -> "_raw.RawKernel":
    for one in [plan] if plan else _candidates(text, arch)[:24]:
        k = _raw.packed(text, contents, plan=one)
        if _is_one_block(k):
            return k
    raise ValueError(f"{plan or 'no plan'} of {text!r} computes it by one block alone: a device function has one transform, or as many as a block holds")


def _table(name: str, content: bytes) -> str:
    words = np.frombuffer(content + b"\0" * (-len(content) % 4), np.uint32)
    return f"static __device__ __align__(16) const unsigned {name}[] = {{{','.join(f'{w}u' for w in words)}}};\n"


class NumbaDevice:
    """`fft.device(x, y)` inside a kernel of numba.cuda's: y becomes the transform of x.

    All `threads` threads of a block call it, with the same x and y: arrays of the block's own, in global or shared memory, of the problem's layout. It takes
    `shared_bytes` of shared memory of its own. Before and behind it threads wait for each other. `fftgen.numba_device` makes it.
    """

    def __init__(self, k: "_raw.RawKernel") -> None:
        launch = k.launches[0]
        self.problem, self.plan, self.threads, self.shared_bytes = k.problem, k.plan, launch.block, launch.shared_bytes
        self.name = f"fftgen_{zlib.crc32((k.problem + k.plan).encode()):08x}"
        self.code = self._source(k, launch)
        self._device: Any = None

    def __repr__(self) -> str:
        return f"<fftgen.NumbaDevice of {self.problem}: {self.plan}, {self.threads} threads>"

    def _source(self, k: "_raw.RawKernel", launch: Any) -> str:
        """The kernel's device function, its tables, and a function with C's conventions."""
        with tempfile.TemporaryDirectory() as folder:
            _plans._run(["emit", k.problem, "--target", "cuda", "--plan", k.plan, "--prefix", self.name + "k", "-o", folder])
            with open(os.path.join(folder, self.name + "k.cu"), encoding="utf-8") as file:
                source = file.read()
        cut = source.rfind('extern "C" __global__')
        heads = re.findall(r"void (\w+_device)\(([^)]*)\)", source[:cut])
        if cut < 0 or not heads:
            raise ValueError(f"a kernel without a device function: {k.problem}, {k.plan}")
        inner, parameters = heads[-1][0], [p.strip() for p in heads[-1][1].split(",")]
        slots, tables, arguments, outside = {slot.name: slot for slot in k.slots}, "", [], []
        for parameter in parameters[:len(launch.arguments)]:
            kind, _, name = (part.replace("__restrict__", "").strip() for part in parameter.rpartition("*"))
            slot = slots[name]
            if slot.kind == "table" or slot.content is not None:
                tables += _table(f"{self.name}_{name}", slot.content or b"\0\0\0\0")
                arguments.append(f"({kind} *){self.name}_{name}")
            else:
                outside.append((name, slot.kind))
                arguments.append(f"({kind} *){name}")
        self.arrays = [name for name, _ in outside]
        pointers = ", ".join(f"{'void' if kind == 'out' else 'const void'} *{name}" for name, kind in outside)
        for parameter in parameters[len(launch.arguments):]:
            arguments.append(f"({parameter.rpartition('*')[0].strip()} *)fftgen_shared" if "*" in parameter else "0")
        return (source[:cut] + tables + f'extern "C" __device__ int {self.name}({pointers}, void *fftgen_shared) {{\n'
                f"  __syncthreads();\n  {inner}({', '.join(arguments)});\n  __syncthreads();\n  return 0;\n}}\n")

    @property
    def device(self) -> Any:
        """The function that a kernel calls, with the problem's arrays in their order: x, y, and those that operations take."""
        if self._device is None:
            self._device = _declared(self)
        return self._device


def lend_names() -> None:
    """numba-cuda to 0.30 names np.row_stack when it is imported, which NumPy dropped in 2.5; it was np.vstack."""
    if not hasattr(np, "row_stack"):
        np.row_stack = np.vstack  # type: ignore[attr-defined]


def _numba() -> "tuple[Any, Any, Any]":
    lend_names()
    try:
        from numba import cuda, types
        from numba.cuda.extending import intrinsic

        cuda.CUSource, cuda.declare_device
    except (ImportError, AttributeError) as missing:
        raise ImportError(f"fft.device takes the packages numba and numba-cuda: {missing}") from None
    return cuda, types, intrinsic


def _declared(d: NumbaDevice) -> Any:
    cuda, types, intrinsic = _numba()

    def pointer_of(context: Any, array: Any) -> Any:
        """Of an array of a kernel's."""
        if not isinstance(array, types.Array):
            raise TypeError(f"{d.name} takes arrays, not {array}")

        def generate(context: Any, builder: Any, signature: Any, args: Any) -> Any:
            data = context.make_array(signature.args[0])(context, builder, args[0]).data
            return builder.bitcast(data, context.get_value_type(types.voidptr))

        return types.voidptr(array), generate

    outside = cuda.declare_device(d.name, types.int32(*[types.voidptr] * (len(d.arrays) + 1)), link=cuda.CUSource(d.code.encode(), name=d.name + ".cu"), abi="c")
    names = {"outside": outside, "pointer_of": intrinsic(pointer_of), "cuda": cuda, "number": types.float64}
    arrays = [f"a{i}" for i in range(len(d.arrays))]
    given = ", ".join(f"pointer_of({a})" for a in [*arrays, "shared"])
    exec(f"def transform({', '.join(arrays)}):\n    shared = cuda.shared.array({max(2, (d.shared_bytes + 7) // 8)}, number, alignment=16)\n    outside({given})\n", names)
    return cuda.jit(device=True)(names["transform"])


def numba_device(problem: Any, kind: str = "fft", axes: Any = None, *, plan: Optional[str] = None, arch: Optional[str] = None, **arguments: Any) -> NumbaDevice:
    """A device function for kernels of numba.cuda's, of a problem's text or of a call of `kind` for a GPU's array.

    plan : the plan of its kernel (docs/plan.md); by default the first one that a block alone computes. arch : "sm_90", for the choice of a plan.
    It takes numba-cuda, and calls the program fftgen.

    >>> import fftgen
    >>> d = fftgen.numba_device("c2c f32 n=256")
    >>> d.threads, d.arrays, "__device__" in d.code, "__global__" in d.code
    (32, ['in', 'out'], True, False)
    """
    text, contents = _raw.described(problem, kind, axes, arguments)
    return NumbaDevice(_kernel(text, contents, plan, arch))
