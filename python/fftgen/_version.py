"""Which fftgen this is."""

from __future__ import annotations


def version() -> str:
    """Of the installed package; in a build folder "build"."""
    import importlib.metadata

    try:
        return importlib.metadata.version("fftgen")
    except importlib.metadata.PackageNotFoundError:
        return "build"
