"""What was measured on this machine (docs/tuning.md): lines of the file that `fftgen tune` and `fftgen.plan(..., tune=)` write."""

from __future__ import annotations

import os
from typing import Any, List

from ._plans import _run


def path() -> str:
    """The user's file: $FFTGEN_WISDOM, or wisdom.jsonl of the user's data.

    >>> import fftgen.wisdom
    >>> fftgen.wisdom.path().endswith("jsonl") or "FFTGEN_WISDOM" in __import__("os").environ
    True
    """
    data = os.environ.get("XDG_DATA_HOME") or os.path.join(os.path.expanduser("~"), ".local", "share")
    return os.environ.get("FFTGEN_WISDOM") or os.path.join(data, "fftgen", "wisdom.jsonl")


def show() -> str:
    """One row for each line, as `fftgen wisdom show` prints them; nothing where there is no file yet."""
    return _run(["wisdom", "show", path()]) if os.path.exists(path()) else ""


def explain(plan: Any) -> str:
    """The lines about a plan's problem, or a problem's text, and which one is taken; nothing where there is no file yet."""
    problem = plan if isinstance(plan, str) else plan.problem
    return _run(["wisdom", "explain", problem, path()]) if os.path.exists(path()) else ""


def merge(files: "List[str]", output: str) -> None:
    """Writes the best lines of several files into one."""
    _run(["wisdom", "merge", *files, "-o", output])
