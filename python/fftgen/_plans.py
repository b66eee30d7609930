"""Plans as objects: a call that is prepared for arrays with the layout of the first one, and what fftgen knows of it."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
import tempfile
from typing import Any, Optional, Sequence

import numpy as np

from . import _arrays, _core, _general

_INVERSE = {"fft": "ifft", "ifft": "fft", "rfft": "irfft", "irfft": "rfft", "hfft": "ihfft", "ihfft": "hfft",
            "dct": "idct", "idct": "dct", "dst": "idst", "idst": "dst"}
_SWAPPED = {2: 3, 3: 2}


class Known:
    """What the program fftgen knows of a plan's problem."""

    problem: str

    @property
    def proof(self) -> "dict[str, Any]":
        """What `fftgen verify` says of the problem: the program and its text run over prime fields."""
        return json.loads(_run(["verify", self.problem, "--json"]))

    def source(self, target: str = "c", **options: str) -> str:
        """The source of a kernel of this problem: `target` is "c", "cuda", "opencl", "hip", "metal" or "sycl", options are those of
        `fftgen emit` (isa="avx2", arch="sm_90")."""
        with tempfile.TemporaryDirectory() as folder:
            arguments = ["emit", self.problem, "--target", target, "--json", "-o", folder, *self._emitted(target)]
            for name, value in options.items():
                arguments += ["--" + name.replace("_", "-"), value]
            written = json.loads(_run(arguments))
            with open(written["files"][0], encoding="utf-8") as file:
                return file.read()

    def _emitted(self, target: str) -> "list[str]":
        """Further arguments of `fftgen emit`."""
        return []


class Plan(_core.Plan, Known):
    """A call of one function, prepared: `p()` runs it on the arrays that it was made for, `p(x)` and `p(x, out)` on others.

    `fftgen.plan` makes plans. A call with arrays of the same shape, strides and type looks nothing up.
    """

    kind: str
    axes: "tuple[int, ...]"
    lengths: "tuple[int, ...]"
    norm: str
    type: int

    def __repr__(self) -> str:
        return f"<fftgen.Plan of {self.kind}, {self.x.dtype} {self.x.shape} along {self.axes}: {self.plan}>"

    @property
    def plan(self) -> str:
        """The transform's steps: codelets and their radices, or the kernel of libfftgen's that runs in their place."""
        return self.text

    @property
    def origin(self) -> str:
        """"codelets", which the package holds, or "kernel": libfftgen made one of this very problem."""
        return "kernel" if self.compiled else "codelets"

    @property
    def problem(self) -> str:
        """The transform as a problem's text, without its factor; ValueError where the language of problems has no word."""
        return _problem(self)

    @property
    def inverse(self) -> "Plan":
        """The inverse plan, from arrays with the layout of this one's results to such as its inputs."""
        base = _INVERSE[self.kind]
        if base in ("rfft", "ihfft") and self.out.dtype.kind == "c":
            raise ValueError(f"{self.kind} has no inverse of these types")
        out = np.empty_like(self.x) if self.x.dtype.kind == "c" or self.kind not in ("fft", "ifft") else None
        if out is not None and out.strides != self.x.strides:
            out = None
        return _make(base, self.out, self.lengths, self.axes, self.norm, out, self._arguments)


def refuse_gradients(x: Any) -> None:
    if getattr(x, "requires_grad", False) and sys.modules["torch"].is_grad_enabled():
        raise TypeError("a plan records no gradients: it takes x.detach(), or is called in torch.no_grad()")


def _program() -> str:
    """The program fftgen: named by FFTGEN_PROGRAM, beside the package, in its build folder, or on PATH."""
    here = os.path.dirname(os.path.abspath(_core.__file__))
    for path in (os.environ.get("FFTGEN_PROGRAM"), os.path.join(here, "bin", "fftgen"), os.path.join(here, "..", "..", "fftgen"),
                 shutil.which("fftgen")):
        if path and os.path.isfile(path) and os.access(path, os.X_OK):
            return path
    raise RuntimeError("there is no program fftgen beside the package or on PATH; FFTGEN_PROGRAM may name one")


def _run(arguments: Sequence[str], environment: "Optional[dict[str, str]]" = None) -> str:
    done = subprocess.run([_program(), *arguments], capture_output=True, text=True, env={**os.environ, **(environment or {})})
    if done.returncode:
        raise RuntimeError(done.stderr.strip() or f"fftgen {arguments[0]}: exit code {done.returncode}")
    return done.stdout


# ---- a plan's problem as text ------------------------------------------------------------------------


def _kind(p: Plan) -> "tuple[str, str]":
    """The word, and the sign where it is not the word's own."""
    if p.kind in ("rfft", "ihfft") or (p.kind in ("fft", "ifft") and p.x.dtype.kind != "c"):
        return "r2c", ""
    if p.kind in ("irfft", "hfft"):
        return "c2r", ""
    if p.kind in ("fft", "ifft"):
        return "c2c", " sign=+1" if p.kind == "ifft" else ""
    type = _SWAPPED.get(p.type, p.type) if p.kind.startswith("i") else p.type
    return p.kind[-3:] + str(type), ""


def _dims(p: Plan, axes: Sequence[int], lengths: Sequence[int]) -> str:
    parts = []
    for axis, n in zip(axes, lengths):
        strides = [a.strides[axis] // a.itemsize for a in (p.x, p.out)]
        if any(a.strides[axis] <= 0 or a.strides[axis] % a.itemsize for a in (p.x, p.out)):
            raise ValueError(f"axis {axis}: a problem's strides are positive and whole numbers of elements")
        parts.append(f"{n}:{strides[0]}:{strides[1]}")
    return "x".join(parts)


def _problem(p: Plan) -> str:
    kind, sign = _kind(p)
    if kind[:3] in ("dct", "dst") and p.x.dtype.kind == "c":
        raise ValueError("a problem has no cosine or sine transform of complex numbers")
    batch = [axis for axis in range(p.x.ndim) if axis not in p.axes and p.x.shape[axis] != 1]
    if p.x.size == 0 or len(batch) > 7 or len(p.axes) > 7:
        raise ValueError("a problem has elements, up to 7 dimensions and 7 of its batch")
    batch.sort(key=lambda axis: -p.out.strides[axis])
    text = f"{kind} {'f32' if p.x.real.dtype.itemsize == 4 else 'f64'} n={_dims(p, p.axes, p.lengths)}"
    if batch:
        text += f" batch={_dims(p, batch, [p.x.shape[axis] for axis in batch])}"
    return text + sign + (" place=in" if p.x.ctypes.data == p.out.ctypes.data else "")


# ---- making ------------------------------------------------------------------------------------------


def _make(kind: str, x: np.ndarray, lengths: Sequence[int], axes: Sequence[int], norm: str, out: Optional[np.ndarray],
          arguments: "dict[str, Any]") -> Plan:
    words = {"backward": 0, "ortho": 1, "forward": 2}
    a = arguments
    p = _core.plan(Plan, kind, x, tuple(lengths), tuple(axes), words[norm], a["type"], a["orthogonalize"], a["workers"], out, a["search"])
    if p is NotImplemented:
        raise ValueError(f"a plan of {kind} takes arrays without copies: x {x.dtype} {x.shape} with strides {x.strides}"
                         + ("" if out is None else f", out {out.dtype} {out.shape}") + f" does not fit lengths {tuple(lengths)}")
    p.kind, p.axes, p.lengths, p.norm, p.type, p._arguments = kind, tuple(axes), tuple(lengths), norm, a["type"], a
    return p


def _is_gpu(x: Any) -> bool:
    return type(x).__module__.partition(".")[0] in ("cupy", "torch") and _arrays.home(x) is not None and not getattr(x, "is_cpu", False)


def plan(x: Any, kind: str = "fft", axes: Any = None, *, s: Any = None, norm: Optional[str] = None, type: int = 2,
         orthogonalize: Optional[bool] = None, out: Optional[np.ndarray] = None, workers: Optional[int] = None,
         tune: float = 0, load: Any = None, store: Any = None) -> Any:
    """Prepares a call of `kind` ("fft", "rfft", "irfft", "ifft", "ihfft", "dct", ...) for arrays with x's layout: a Plan, or where x is an
    array of a GPU a GpuPlan.

    axes : an axis or several; the last one by default. s : lengths along them; no longer than x.
    tune : seconds that may be spent on a kernel of this very problem, which libfftgen makes and measures against the codelets.
    The other arguments are those of the functions. With load or store it is a FusedPlan.

    >>> import numpy as np, fftgen
    >>> x = np.ones(8)
    >>> p = fftgen.plan(x, "rfft")
    >>> p().real
    array([8., 0., 0., 0., 0.])
    >>> p.inverse(p(x))
    array([1., 1., 1., 1., 1., 1., 1., 1.])
    >>> p.problem
    'r2c f64 n=8:1:1'
    """
    names = {row.name for row in _general.ROWS if row.dimensions == "1"} - {"hfft"}
    if kind not in names:
        raise ValueError(f"kind: {kind!r} where one of {', '.join(sorted(names))} belongs")
    if not isinstance(x, np.ndarray) and not _is_gpu(x):
        raise TypeError("a plan takes an array of NumPy's, CuPy's, or PyTorch's on a GPU")
    if tune < 0:
        raise ValueError(f"tune: {tune} seconds; allowed: 0 and more")
    if axes is None or isinstance(axes, (int, np.integer)):
        axes = (-1 if axes is None else axes,)
    if s is not None and not isinstance(s, Sequence):
        s = (s,)

    def prepare(row: Any, a: Any, lengths: Any, at: Any, norm_number: int, call: Any) -> Any:
        if not isinstance(x, np.ndarray):
            from . import _gpu_plans

            if a is not x:
                raise ValueError(f"a plan of {kind} takes arrays without copies, and x {x.dtype} becomes {a.dtype}")
            return _gpu_plans.make(call, a, out, tune)
        given = {"type": call.type, "orthogonalize": -1 if orthogonalize is None else int(bool(orthogonalize)),
                 "workers": _general.resolve(workers), "search": min(int(tune * 1000), 2**31 - 1)}
        return _make(kind, x, lengths, at, ("backward", "ortho", "forward")[norm_number], out, given)

    row = _general.Row(kind + "n", kind, "n")
    return _general.transform(row, "fftgen", _general.Call(x, lengths=s, axes=tuple(axes), norm=norm, out=out, workers=workers, type=type,
                                                           orthogonalize=orthogonalize, prepare=prepare, load=load, store=store))
