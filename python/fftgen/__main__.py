"""python -m fftgen with_patch PROGRAM [ARGUMENT...]: runs a Python program whose numpy.fft and scipy.fft are fftgen's."""

from __future__ import annotations

import importlib.util
import os
import runpy
import sys


def _is_there(arguments: "list[str]") -> bool:
    if arguments[0] != "-m":
        return os.path.exists(arguments[0])
    try:
        return importlib.util.find_spec(arguments[1]) is not None
    except ImportError:  # of a package that is not there
        return False


def _with_patch(arguments: "list[str]") -> int:
    if not _is_there(arguments):
        print(f"python -m fftgen with_patch: there is no {'module' if arguments[0] == '-m' else 'file'} {arguments[arguments[0] == '-m']}", file=sys.stderr)
        return 2
    from . import numpy_fft

    numpy_fft.install()
    try:
        import scipy.fft

        from . import scipy_fft

        scipy.fft.set_global_backend(scipy_fft)
    except ImportError:  # a program without SciPy
        pass
    module = arguments[0] == "-m"
    sys.argv = arguments[1:] if module else arguments
    if module:
        runpy.run_module(arguments[1], run_name="__main__", alter_sys=True)
    else:
        sys.path.insert(0, arguments[0].rpartition("/")[0] or ".")
        runpy.run_path(arguments[0], run_name="__main__")
    return 0


def main(arguments: "list[str]") -> int:
    if len(arguments) > 1 and arguments[0] == "with_patch" and arguments[1:] != ["-m"]:
        return _with_patch(arguments[1:])
    print("usage: python -m fftgen with_patch PROGRAM [ARGUMENT...]\n"
          "       python -m fftgen with_patch -m MODULE [ARGUMENT...]\n"
          "Runs a program with numpy.fft's functions, and scipy.fft's, by fftgen.", file=sys.stderr)
    return 0 if arguments in (["--help"], ["-h"]) else 2


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
