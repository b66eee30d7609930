"""Kernels for GPUs that were made before: a pack (`fftgen pack`, docs/shipping.md) that FFTGEN_PACK names, or kernels.tar beside the extension.

A pack has kernels for any number of transforms of adjacent rows. What it has is taken for each first call of such; anything else
is compiled where it is wanted. A wheel brings it compressed: kernels.tar.xz, a third of what a wheel makes of kernels.tar.
"""

from __future__ import annotations

import functools
import hashlib
import json
import lzma
import os
import re
import tarfile
import tempfile
from typing import Optional

from . import _core

_LAYOUT = re.compile(r"(c2c|r2c|c2r) (\S+) n=(\d+):1:1 batch=(count\[\S+?\]):(\d+):(\d+)(.*)")


@functools.lru_cache(None)
def path() -> Optional[str]:
    folder = os.path.dirname(os.path.abspath(_core.__file__))
    beside = (os.path.join(folder, name) for name in ("kernels.tar", "kernels.tar.xz"))
    pack = os.environ.get("FFTGEN_PACK") or next((file for file in beside if os.path.exists(file)), None)
    return _unpacked(pack) if pack and pack.endswith(".xz") else pack


def _unpacked(pack: str) -> Optional[str]:
    """In the user's cache, under a name by what it holds; in memory, where there is no cache that this user alone may write to. None: damaged."""
    try:
        with open(pack, "rb") as file:
            packed = file.read()
        name = f"pack-{hashlib.sha256(packed).hexdigest()[:32]}.tar"
        folder = _cache()
        at = folder and os.path.join(folder, name)
        return at if at and os.path.exists(at) else _written(lzma.decompress(packed), folder, at)
    except (OSError, lzma.LZMAError):
        return None


def _cache() -> Optional[str]:
    """libfftgen's (docs/runtime.md)."""
    home = os.environ.get("XDG_CACHE_HOME") or os.path.expanduser("~/.cache")
    folder = os.environ.get("FFTGEN_CACHE") or os.path.join(home, "fftgen")
    try:
        os.makedirs(folder, 0o700, exist_ok=True)
        about = os.stat(folder)
        return folder if about.st_uid == os.geteuid() and not about.st_mode & 0o022 else None
    except OSError:
        return None


def _written(pack: bytes, folder: Optional[str], at: Optional[str]) -> str:
    """The file appears whole, by renaming."""
    if folder and at:
        try:
            with tempfile.NamedTemporaryFile(dir=folder, prefix="pack-", delete=False) as file:
                try:
                    file.write(pack)
                    file.close()
                    os.replace(file.name, at)
                    return at
                except OSError:  # a full disk
                    os.unlink(file.name)
        except OSError:
            pass
    memory = os.memfd_create("fftgen-pack")
    with open(memory, "wb", closefd=False) as file:
        file.write(pack)
    return f"/proc/self/fd/{memory}"


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
