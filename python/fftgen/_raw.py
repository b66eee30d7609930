"""A transform's kernels for programs of one's own: source, launches, tables, and CuPy's kernels of them.

What is read is a package, which `fftgen pack` writes (docs/formats.md).
"""

from __future__ import annotations

import glob
import json
import math
import os
import tempfile
from typing import Any, NamedTuple, Optional, Sequence

import numpy as np

from . import _plans

_ALIGNED = 64  # of pieces of a package
_PLAIN_SHARED, _PORTABLE_CLUSTER = 48 << 10, 8
_LARGE_CLUSTERS = 14  # CU_FUNC_ATTRIBUTE_NON_PORTABLE_CLUSTER_SIZE_ALLOWED


class Slot(NamedTuple):
    """An array of a program's: "in" and "out", arrays that are "given" to operations, "work" that kernels share, "table" of constants."""

    name: str
    kind: str
    bytes: int
    content: Optional[bytes]  # of a table, and of a given array that the call decided, as a window


class Launch(NamedTuple):
    """One kernel of a program; they follow one another."""

    name: str
    block: int  # threads
    shared_bytes: int  # of dynamic shared memory
    cluster: int
    persistent: bool
    factors: "tuple[tuple[int, int, int], ...]"
    arguments: "tuple[str, ...]"  # b0: slot 0, p0: run-time parameter 0

    def grid(self, parameters: Sequence[int] = ()) -> int:
        """Blocks; of a persistent launch at most, it runs with as many as the device holds at once."""
        return math.prod(-(-n * (parameters[p] if p >= 0 else 1) // d) for n, p, d in self.factors)


def _split(slots: "list[Slot]", line: "dict[str, Any]") -> None:
    for part in ("re", "im") if line["split"] else ("",):
        slots.append(Slot(line["buffer"] + part, line["kind"], line["bytes"] // (2 if line["split"] else 1), None))


def _launch(line: "dict[str, Any]") -> Launch:
    factors = tuple(tuple(int(v) for v in factor.split(",")) for factor in line["blocks"].split())
    return Launch(line["launch"], line["threads"], line["local_bytes"], line.get("cluster", 1), bool(line.get("persistent", False)),
                  factors, tuple(line["arguments"].split()))  # type: ignore[arg-type]


class RawKernel:
    """A problem's kernels: `source`, `launches`, `slots`; a call runs them on CuPy's arrays.

    `fftgen.raw_kernel` makes them. In a program of your own: compile `source` with NVRTC or nvcc, launch `launches` in their order.
    """

    def __init__(self, content: bytes) -> None:
        head, at = content.index(b"\n\n"), 0
        self.slots: "list[Slot]" = []
        self.launches: "list[Launch]" = []
        self.source = ""
        self._modules: "dict[int, Any]" = {}
        self._work: "dict[tuple[int, int], dict[int, Any]]" = {}
        at = head + 2

        def piece(size: int) -> bytes:
            nonlocal at
            begin = -(-at // _ALIGNED) * _ALIGNED
            at = begin + size + 1
            return content[begin:begin + size]

        for line in map(json.loads, content[:head].decode().splitlines()):
            if "fftgen_package" in line:
                self.problem, self.plan, self.parameters = line["problem"], line["plan"], line["params"]
            elif "buffer" in line:
                _split(self.slots, line)
            elif "launch" in line:
                self.launches.append(_launch(line))
            elif line["code"] == "source":
                self._source_bytes = line["bytes"]
        self.slots = [slot._replace(content=piece(slot.bytes)) if slot.kind == "table" and slot.bytes else slot for slot in self.slots]
        self.source = piece(self._source_bytes).rstrip(b"\0").decode()

    def __repr__(self) -> str:
        return f"<fftgen.RawKernel of {self.problem}: {self.plan}, {len(self.launches)} launches>"

    def kernels(self) -> "list[Any]":
        """A cupy.RawKernel for each launch, for CuPy's current device."""
        return self._here()[0]

    def _here(self) -> Any:
        import cupy

        device = cupy.cuda.Device().id
        if device not in self._modules:
            self.load(cupy.RawModule(code=self.source, options=("-std=c++14",)))
        return self._modules[device]

    def load(self, module: Any) -> None:
        """Takes the kernels of a cupy.RawModule of `source`, for CuPy's current device, in place of compiling it."""
        import cupy

        kernels = [module.get_function(launch.name) for launch in self.launches]
        for kernel, launch in zip(kernels, self.launches):
            if launch.cluster > _PORTABLE_CLUSTER:
                cupy.cuda.driver.funcSetAttribute(kernel.kernel.ptr, _LARGE_CLUSTERS, 1)
            if launch.shared_bytes > _PLAIN_SHARED:
                kernel.max_dynamic_shared_size_bytes = launch.shared_bytes
        tables = [cupy.asarray(np.frombuffer(s.content, np.uint8)) if s.content else None for s in self.slots]
        cupy.cuda.get_current_stream().synchronize()
        self._modules[cupy.cuda.Device().id] = kernels, tables

    def _workspaces(self) -> "dict[int, Any]":
        """The arrays that kernels share, of each stream its own: kept, so that a graph may be captured after a first call on its stream."""
        import cupy

        where = cupy.cuda.Device().id, cupy.cuda.get_current_stream().ptr
        if where not in self._work:
            self._work[where] = {i: cupy.empty(max(1, s.bytes), np.uint8) for i, s in enumerate(self.slots) if s.kind == "work"}
        return self._work[where]

    def _blocks(self, kernel: Any, launch: Launch, parameters: Sequence[int]) -> int:
        import cupy

        blocks = launch.grid(parameters)
        if not launch.persistent:
            return blocks
        each = cupy.cuda.driver.occupancyMaxActiveBlocksPerMultiprocessor(kernel.kernel.ptr, launch.block, launch.shared_bytes)
        return min(blocks, max(1, each * cupy.cuda.Device().attributes["MultiProcessorCount"]))

    def __call__(self, x: Any, out: Any, *given: Any, parameters: Sequence[int] = ()) -> Any:
        """Runs them on CuPy's current stream, from x to out, which have the problem's layout: nothing is checked but what is there."""
        import cupy

        if len(parameters) != self.parameters:
            raise ValueError(f"{len(parameters)} run-time parameters where {self.parameters} belong")
        kernels, tables = self._here()
        arrays, rest, work = list(tables), list(given), self._workspaces()
        for i, slot in enumerate(self.slots):
            if slot.kind == "work":
                arrays[i] = work[i]
            elif slot.kind == "given" and arrays[i] is None:
                arrays[i] = rest.pop(0) if rest else None
            elif slot.kind in ("in", "out"):
                arrays[i] = x if slot.kind == "in" else out
            if arrays[i] is None:
                raise ValueError(f"{slot.name} is missing: an array of {slot.bytes} bytes")
        for kernel, launch in zip(kernels, self.launches):
            values = tuple(arrays[int(a[1:])] if a[0] == "b" else np.int64(parameters[int(a[1:])]) for a in launch.arguments)
            kernel((self._blocks(kernel, launch, parameters),), (launch.block,), values, shared_mem=launch.shared_bytes)
        return out


def _present() -> Optional[str]:
    """What `--arch` calls CuPy's current device; None: there is none."""
    try:
        import cupy

        return "native" if cupy.cuda.runtime.getDeviceCount() else None
    except Exception:  # no CuPy, no driver, no device
        return None


Contents = Sequence[Optional[np.ndarray]]  # of given arrays, in their order


def described(problem: Any, kind: str, axes: Any, arguments: "dict[str, Any]") -> "tuple[str, Contents]":
    """A problem's text, or that of a call that fftgen.plan would take; what its given arrays have."""
    if isinstance(problem, str):
        named = [*arguments, *(["kind"] if kind != "fft" else []), *(["axes"] if axes is not None else [])]
        if named:
            raise TypeError(f"{', '.join(named)}: arguments of a call for an array; a problem's text says all of it")
        return problem, []
    p = _plans.plan(problem, kind, axes, **arguments)
    text = p.problem
    _check_numbers(kind, getattr(problem, "dtype", None) or np.asarray(problem).dtype, text)
    return text, p._contents()


def _check_numbers(kind: str, given: Any, text: str) -> None:
    """Refuses arrays that a call converts before: a kernel would take them for others."""
    word, real = text.split()[:2]
    numbers = {"f16": ("float16", "complex32"), "f32": ("float32", "complex64"), "f64": ("float64", "complex128"), "bf16": ("bfloat16", "")}[real][word[:2] == "c2"]
    whole = {"load=u8": "uint8", "load=i16": "int16"}
    for part in text.split():
        numbers = whole.get(part.partition(",")[0], numbers)
    name = str(given).rpartition(".")[2]
    if word == "r2c" and kind.rstrip("2n") in ("fft", "ifft"):
        half = "rfft" if kind[0] == "f" else "ihfft"
        raise ValueError(f"{kind} of real numbers is no problem: it is the half of a spectrum, {half}, and its mirror image; give complex numbers, or that kind")
    if name != numbers:
        raise ValueError(f"{kind} of {name} converts them: its kernel takes {numbers}; give an array of these")


def raw_kernel(problem: Any, kind: str = "fft", axes: Any = None, *, plan: Optional[str] = None, arch: Optional[str] = None, wisdom: Optional[str] = None,
               **arguments: Any) -> RawKernel:
    """The kernels of a problem's text, or of a call of `kind` for an array (as fftgen.plan takes them: s, norm, type, orthogonalize, out, load,
    store), whose factor, windows and tables are a part of them; arrays that load and store name are given in a call.

    They are those of `plan` (docs/plan.md), of wisdom, or of the model, for the machine `arch` ("h200", "sm_90": `fftgen help machines`), else for the
    GPU that CuPy finds, else for any. This calls the program fftgen, and takes no GPU where a text is given:

    >>> import fftgen
    >>> k = fftgen.raw_kernel("c2c f32 n=1024 batch=100")
    >>> len(k.launches), k.launches[0].arguments[:2], "__global__" in k.source
    (1, ('b0', 'b1'), True)
    """
    text, contents = described(problem, kind, axes, arguments)
    return packed(text, contents, plan=plan, wisdom=wisdom, arch=arch or _present())


def packed(text: str, contents: Contents = (), **options: Optional[str]) -> RawKernel:
    """What `fftgen pack` writes, with these options."""
    with tempfile.TemporaryDirectory() as folder:
        command = ["pack", text, "--target", "cuda", "--no-code", "-o", folder]
        for name, value in options.items():
            command += [] if value is None else ["--" + name, value]
        _plans._run(command)
        (path,) = glob.glob(os.path.join(folder, "*.fgk"))
        with open(path, "rb") as file:
            k = RawKernel(file.read())
    given = iter(contents)
    k.slots = [slot._replace(content=None if (a := next(given, None)) is None else a.tobytes()) if slot.kind == "given" else slot for slot in k.slots]
    return k
