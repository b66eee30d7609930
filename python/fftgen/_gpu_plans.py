"""Plans as objects for arrays of a GPU."""

from __future__ import annotations

import json
import os
from typing import Any, Optional, Sequence

from . import _core, _general, _gpu, _plans

_NORMS = ("backward", "ortho", "forward")


class GpuPlan(_plans.Known):
    """A call of one function for arrays of a GPU, prepared: `p()` runs it on the array that it was made for, `p(x)` and `p(x, out)` on others
    of its shape and type. It keeps its kernels, and tells what libfftgen knows of them.

    `fftgen.plan` makes plans.
    """

    def __init__(self, work: "_gpu.Work", x: Any, out: Any) -> None:
        self._work, self.x, self._out = work._replace(exact=True), x, out
        self.kind, self.axes, self.lengths = work.row.base, work.axes, work.s
        self.norm, self.type = _NORMS[work.norm], work.type
        layout = _gpu.facts(x)
        if layout is None:
            raise ValueError(f"a plan of {self.kind} takes arrays without copies: x {x.dtype} {tuple(x.shape)} is not aligned, or conjugated later")
        self._layout, self._at = layout._replace(at=0), layout.at
        made = self._work.run(x, out, _core.gpu_prepare, copies=False)
        if made is NotImplemented:
            raise ValueError(f"a plan of {self.kind} takes arrays without copies: out {out.dtype} {tuple(out.shape)} does not fit")
        self._core = made

    def __repr__(self) -> str:
        return f"<fftgen.GpuPlan of {self.kind}, {self.x.dtype} {tuple(self.x.shape)} along {self.axes}: {self.plan}>"

    def __call__(self, x: Any = None, out: Any = None) -> Any:
        if x is None:
            if out is None and self._out is not None:
                self._core.launch(self._out, self._at, ())
                return self._out
            x, out = self.x, self._out if out is None else out
        _plans.refuse_gradients(x)
        work = self._work

        def make() -> Any:
            read = _gpu.facts(x)
            same = read is not None and read._replace(at=0) == self._layout and out is self._out
            return self._core if same else work.recipe(x, out)

        result = _core.gpu_run(work.row.base, x, work.s, work.axes, work.norm, work.type, work.orthogonalize, out, make)
        if result is NotImplemented or tuple(x.shape) != self._layout.shape:
            raise ValueError("a plan takes arrays of the shape and type that it was made for, and out that does not overlap x in part")
        return result

    execute = __call__

    def _facts(self) -> "dict[str, Any]":
        return self._core.facts

    @property
    def plan(self) -> str:
        """The plan of its kernels (docs/plan.md)."""
        return self._facts()["plan"]

    @property
    def origin(self) -> str:
        """Where the kernels come from: "jit", "cache", "pack" or "linked" (docs/runtime.md)."""
        return self._facts()["origin"]

    @property
    def reasons(self) -> str:
        """Why earlier sources had no kernel, and what wisdom said."""
        return self._facts()["reasons"]

    @property
    def problem(self) -> str:
        """The transform as a problem's text."""
        return self._facts()["problem"]

    @property
    def workspace_bytes(self) -> int:
        return self._facts()["workspace_bytes"]

    @property
    def inverse(self) -> "GpuPlan":
        """The inverse plan, from arrays of this one's results to such as its inputs."""
        base = _plans._INVERSE[self.kind]
        if base in ("rfft", "ihfft") and _gpu.number_out(self._work.row, self._layout.number).startswith("c"):
            raise ValueError(f"{self.kind} has no inverse of these types")
        results = self() if self._out is None else self._out
        row = _general.Row(base + "n", base, "n")
        return GpuPlan(self._work._replace(row=row), results, None)

    def _contents(self) -> "list[Any]":
        w = self._work
        here, there = _gpu.facts(self.x), None if self._out is None else _gpu.facts(self._out)
        assert here is not None
        return list(_gpu.problem(w.row, here, there, w.s, w.axes, w.norm, w.type, w.orthogonalize).given)

    def _chosen(self, target: str, options: "dict[str, Any]") -> "list[str]":
        return ["--plan", self.plan] if target == "cuda" and "plan" not in options else []

    def source(self, target: str = "cuda", **options: Any) -> str:
        return super().source(target, **options)

    @property
    def proof(self) -> "dict[str, Any]":
        """What `fftgen verify` says of the problem and this plan, on the GPU."""
        return json.loads(_plans._run(["verify", self.problem, "--device", "cuda", "--plan", self.plan, "--json"]))


def _tune(text: str, device: int, seconds: float) -> None:
    """`fftgen tune` writes the best of its candidates into wisdom, where a new plan finds it."""
    visible = os.environ.get("CUDA_VISIBLE_DEVICES", "")
    number = visible.split(",")[device] if visible else str(device)
    _plans._run(["tune", text, "--device", "cuda", "--budget", f"{seconds:g}s"], {"CUDA_VISIBLE_DEVICES": number})


def make(work: "_gpu.Work", x: Any, out: Any, seconds: float) -> GpuPlan:
    if out is not None and tuple(out.shape) != _gpu.shape_out(work.row, tuple(x.shape), work.s, work.axes):
        raise ValueError("output array has wrong shape.")
    p = GpuPlan(work, x, out)
    if seconds > 0:
        _tune(p.problem, p._layout.device, seconds)
        p = GpuPlan(work, x, out)
    return p
