"""Plans as objects: a call that is prepared for arrays with the layout of the first one, and what fftgen knows of it."""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
from typing import Any, Optional, Sequence

import numpy as np

from . import _arrays, _core, _general

_INVERSE = {"fft": "ifft", "ifft": "fft", "rfft": "irfft", "irfft": "rfft", "hfft": "ihfft", "ihfft": "hfft",
            "dct": "idct", "idct": "dct", "dst": "idst", "idst": "dst"}
_NORMS = ("backward", "ortho", "forward")


class Known:
    """What the program fftgen knows of a plan's problem, and of the kernel that runs, where one does."""

    problem: str

    @property
    def proof(self) -> "dict[str, Any]":
        """What `fftgen verify` says: the program and its text run over prime fields; of the kernel that runs, and where codelets run of the
        problem's own first choice."""
        return json.loads(_run(["verify", self.problem, "--json", *self._chosen("c", {})]))

    def source(self, target: str = "c", **options: Any) -> str:
        """The source of a kernel of this problem: `target` is "c", "cuda", "opencl", "hip", "metal" or "sycl", options are those of
        `fftgen emit` (isa="avx2", arch="sm_90"). It is the kernel that runs where the target is; where codelets run, a comment says so."""
        with tempfile.TemporaryDirectory() as folder:
            arguments = ["emit", self.problem, "--target", target, "--json", "-o", folder, *self._chosen(target, options)]
            for name, value in options.items():
                word = "--" + name.replace("_", "-")
                arguments += [word, str(value)] if not isinstance(value, bool) else [word] * value
            written = json.loads(_run(arguments))
            with open(written["files"][0], encoding="utf-8") as file:
                return self._comment() + file.read()

    def _chosen(self, target: str, options: "dict[str, Any]") -> "list[str]":
        """Which kernel, in the words of `fftgen emit` and `fftgen verify`."""
        return []

    def _comment(self) -> str:
        return ""

    def _contents(self) -> "list[Optional[np.ndarray]]":
        """Of the arrays that the problem's operations take: those that the call decides. None: one that its caller has."""
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
    _given: np.ndarray  # before zeros are behind it

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
        """The transform as a problem's text, with its factor and an orthogonal transform's windows; of fft of real numbers the half that is
        computed (the rest is its mirror image). ValueError where the language of problems has no word."""
        return _problem(self).text

    def _contents(self) -> "list[Optional[np.ndarray]]":
        return list(_problem(self).given)

    def _chosen(self, target: str, options: "dict[str, Any]") -> "list[str]":
        parts = re.match(r'\(kernel "[^"]*" "([^"]*)" (\S+)\)', self.plan)
        if parts is None or target != "c" or {"plan", "isa", "arch"} & set(options):
            return []
        return ["--plan", parts[1], "--isa", parts[2]]

    def _comment(self) -> str:
        return "" if self.origin == "kernel" else f"/* Of the same problem: fftgen.Plan runs the codelets {self.plan} of the package. */\n"

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


def _problem(p: Plan) -> Any:
    from . import _fused, _gpu

    base, given = p.kind, p._given
    if base in ("fft", "ifft") and p.x.dtype.kind != "c":
        base = "rfft" if base == "fft" else "ihfft"
    if given.size == 0:
        raise ValueError("a problem has elements")
    if base[-3:] in ("dct", "dst") and given.dtype.kind == "c":
        raise ValueError("a problem has no cosine or sine transform of complex numbers")
    sides = [_fused.host.side(a) for a in (given, p.out)]
    if None in sides:
        raise ValueError("a problem's strides are whole numbers of elements")
    x, out = (side.facts for side in sides)  # type: ignore[union-attr]
    a = p._arguments
    try:
        return _gpu.problem(_general.Row(base + "n", base, "n"), x, out, p.lengths, p.axes, _NORMS.index(p.norm), a["type"], a["orthogonalize"])
    except _gpu.Copies:
        raise ValueError("a problem's strides are positive") from None


# ---- making ------------------------------------------------------------------------------------------


def _try(kind: str, x: np.ndarray, lengths: Sequence[int], axes: Sequence[int], norm: str, out: Optional[np.ndarray],
         arguments: "dict[str, Any]") -> Any:
    """NotImplemented: these arrays become others before."""
    a, base, number = arguments, kind, _NORMS.index(norm)
    if kind == "hfft":  # conj x, backward, is x forward
        base, number = "irfft", 2 - number
    p = _core.plan(Plan, base, x, tuple(lengths), tuple(axes), number, a["type"], a["orthogonalize"], a["workers"], out, a["search"])
    if p is not NotImplemented:
        p.kind, p.axes, p.lengths, p.norm, p.type, p._arguments, p._given = kind, tuple(axes), tuple(lengths), norm, a["type"], a, x
    return p


def _make(kind: str, x: np.ndarray, lengths: Sequence[int], axes: Sequence[int], norm: str, out: Optional[np.ndarray],
          arguments: "dict[str, Any]") -> Any:
    from . import _converted

    p = NotImplemented if kind == "hfft" else _try(kind, x, lengths, axes, norm, out, arguments)
    if p is not NotImplemented:
        return p
    row = _general.Row(kind + "n", kind, "n")
    fit = _converted.fitting(row, lengths, axes)
    p = _try(kind, fit(x), lengths, axes, norm, out, arguments)
    if p is NotImplemented:
        raise ValueError(f"no plan of {kind}: x {x.dtype} {x.shape} with strides {x.strides}"
                         + ("" if out is None else f", out {out.dtype} {out.shape}") + f" does not fit lengths {tuple(lengths)}")
    number = _arrays.numbers(x)
    p._given = number.astype(p.x.dtype) if number.dtype != p.x.dtype else number
    return _converted.ConvertedPlan(p, x, out, _converted.narrowing(row, x, axes), fit)


def _is_gpu(x: Any) -> bool:
    return type(x).__module__.partition(".")[0] in ("cupy", "torch") and _arrays.home(x) is not None and not getattr(x, "is_cpu", False)


def _named(kind: Any, axes: Any, s: Any, dimensions: int) -> "tuple[str, Any]":
    """What it computes, and its axes, as the functions complete them."""
    row = next((row for row in _general.ROWS if row.name == kind), None)
    if row is None:
        raise ValueError(f"kind: {kind!r} where one of {', '.join(sorted(row.name for row in _general.ROWS))} belongs")
    if axes is None:
        axes = -1 if row.dimensions == "1" else (-2, -1) if row.dimensions == "2" else range(-(dimensions if s is None else len(s)), 0)
    return row.base, (axes,) if isinstance(axes, (int, np.integer)) else tuple(axes)


def plan(x: Any, kind: str = "fft", axes: Any = None, *, s: Any = None, norm: Optional[str] = None, type: int = 2,
         orthogonalize: Optional[bool] = None, out: Any = None, workers: Optional[int] = None,
         tune: float = 0, load: Any = None, store: Any = None) -> Any:
    """Prepares a call of `kind`, a function's name ("fft", "rfft2", "dctn", ...), for arrays with x's layout: a Plan, or where x is an array of a
    GPU a GpuPlan. Where arrays become others before, as tensors and JAX's arrays do, whole numbers, or with zeros behind them, it is
    a ConvertedPlan.

    axes : an axis or several; those of the function by default. s : lengths along them.
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
    if not tune >= 0:
        raise ValueError(f"tune: {tune} seconds; allowed: 0 and more")
    if s is not None and not isinstance(s, Sequence):
        s = (s,)
    refuse_gradients(x)
    there = _is_gpu(x)
    kind, axes = _named(kind, axes, s, x.ndim if there else np.ndim(x))
    row = _general.Row(kind + "n", kind, "n")
    call = _general.Call(x, lengths=s, axes=axes, norm=norm, out=out, workers=workers, type=type, orthogonalize=orthogonalize, load=load, store=store)
    if there:
        return _general.transform(row, "fftgen", call._replace(prepare=_for_gpu(x, out, tune)))
    return _for_host(row, call, tune)


def _for_gpu(x: Any, out: Any, tune: float) -> Any:
    def prepare(row: Any, a: Any, lengths: Any, at: Any, norm: int, work: Any) -> Any:
        from . import _gpu_plans

        if a is not x:
            raise ValueError(f"a plan of {row.base} takes arrays without copies, and x {x.dtype} becomes {a.dtype}")
        return _gpu_plans.make(work, a, out, tune)

    return prepare


def _for_host(row: Any, call: Any, tune: float) -> Any:
    """Of arrays of the host, whichever library's."""
    from . import _converted

    of = _converted.library(call.x)
    x, out = of.enter(call.x), None if call.out is None else of.output(call.out)
    given = {"type": call.type, "orthogonalize": -1 if call.orthogonalize is None else int(bool(call.orthogonalize)),
             "workers": _general.resolve(call.workers), "search": int(min(tune * 1000, 2**31 - 1))}

    def prepare(row: Any, a: Any, lengths: Any, at: Any, norm: int, call: Any) -> Any:
        return _make(row.base, x, lengths, at, _NORMS[norm], out, given)

    p = _general.transform(row, "fftgen", call._replace(x=x, out=out, prepare=prepare))
    return p if isinstance(call.x, np.ndarray) else _converted.ConvertedPlan(p, call.x, call.out, of)
