"""Kernels for GPUs that were made before: a pack (`fftgen pack`, docs/shipping.md) that FFTGEN_PACK names, or kernels.tar beside the extension.

A pack has kernels for any number of transforms of adjacent rows. What it has is taken for each first call of such; anything else
is compiled where it is wanted.
"""

from __future__ import annotations

import functools
import json
import os
import re
import tarfile
from typing import Optional

from . import _core

_LAYOUT = re.compile(r"(c2c|r2c|c2r) (\S+) n=(\d+):1:1 batch=(count\[\S+?\]):(\d+):(\d+)(.*)")


def path() -> Optional[str]:
    named = os.environ.get("FFTGEN_PACK")
    beside = os.path.join(os.path.dirname(os.path.abspath(_core.__file__)), "kernels.tar")
    return named or (beside if os.path.exists(beside) else None)


@functools.lru_cache(None)
def problems() -> "frozenset[str]":
    """What the pack has for CUDA, as its index writes it; none where there is no pack, or a damaged one, which libfftgen reports."""
    pack = path()
    if pack is None:
        return frozenset()
    try:
        if os.path.isdir(pack):
            with open(os.path.join(pack, "pack.jsonl"), "rb") as file:
                index = file.read()
        else:
            with tarfile.open(pack) as archive:
                member = archive.extractfile("pack.jsonl")
                index = member.read() if member else b""
        rows = [json.loads(line) for line in index.splitlines()]
    except (OSError, ValueError, KeyError, tarfile.TarError):
        return frozenset()
    return frozenset(row["problem"] for row in rows if row.get("target") == "cuda")


def has(varied: str) -> bool:
    """Whether a problem for any number of transforms is there; in an index, strides of adjacent rows are left out."""
    found = _LAYOUT.fullmatch(varied) if varied and problems() else None
    if not found:
        return False
    kind, real, n, count, given, taken, rest = found.groups()
    half = int(n) // 2 + 1
    rows = {"c2c": (int(n), int(n)), "r2c": (int(n), half), "c2r": (half, int(n))}[kind]
    return rows == (int(given), int(taken)) and f"{kind} {real} n={n} batch={count}{rest}" in problems()


@functools.lru_cache(None)
def use() -> None:
    """From now on the extension's plans look there first."""
    pack = path()
    if pack is not None:
        _core.gpu_pack(pack)
