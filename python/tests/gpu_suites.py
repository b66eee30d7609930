"""A plugin of pytest: CuPy's and nvmath-python's own tests of their transforms, with fftgen's functions in place of theirs.

    PYTHONPATH=build/python:python/tests python -m pytest -p gpu_suites tests/cupy_tests/fft_tests/test_fft.py

Each of their functions asks fftgen where it is called with what fftgen has, too: arrays of a GPU, norm, lengths, axes; nvmath's also with
last_axis_parity and the result's layout. Calls with plans, callbacks or transforms in place, and what fftgen refuses by its type, stay theirs. The
plugin says at the end how many calls and tests fftgen answered. SHARE=K/N in the environment: every Nth test alone, from the Kth on.
"""

import collections
import functools
import inspect
import os

import fftgen
import fftgen.scipy_fft
import pytest
from fftgen._arrays import Unsupported

_answered, _left = collections.Counter(), collections.Counter()
_reached, _test = set(), [None]
_NAMES = ("fft", "ifft", "rfft", "irfft", "hfft", "ihfft", "fft2", "ifft2", "rfft2", "irfft2", "fftn", "ifftn", "rfftn", "irfftn")
_COSINES = ("dct", "idct", "dst", "idst", "dctn", "idctn", "dstn", "idstn")


class _Theirs(Exception):
    """A call that stays with the library."""


def _counted(label, theirs, ours):
    """A function in place of `theirs`: `ours` answers, or raises _Theirs."""

    @functools.wraps(theirs)
    def function(*args, **kwargs):
        try:
            result = ours(*args, **kwargs)
        except _Theirs as error:
            _left[f"{label} ({error})"] += 1
            return theirs(*args, **kwargs)
        except Unsupported as error:
            _left[f"{label} ({str(error)[:60]})"] += 1
            return theirs(*args, **kwargs)
        _answered[label] += 1
        _reached.add(_test[0])
        return result

    return function


def _like_cupy(ours, theirs):
    signature = inspect.signature(theirs)

    def call(*args, **kwargs):
        bound = signature.bind(*args, **kwargs)
        given = dict(bound.arguments)
        if given.pop("plan", None) is not None:
            raise _Theirs("plan=")
        x = given.pop("a", None) if "a" in given else given.pop("x")
        return ours(x, **given)

    return call


def _cupy():
    import cupy.fft
    import cupyx.scipy.fft

    for module, names, home in ((cupy.fft, _NAMES, fftgen), (cupyx.scipy.fft, _NAMES + _COSINES, fftgen.scipy_fft)):
        for name in names:
            theirs = getattr(module, name, None)
            if theirs is not None:
                setattr(module, name, _counted(f"{module.__name__}.{name}", theirs, _like_cupy(getattr(home, name), theirs)))


_KNOWN = {"last_axis_parity", "result_layout", "fft_type"}  # of nvmath's options
_TYPES = {"fft": ("C2C", None), "ifft": ("C2C", None), "rfft": ("R2C", None), "irfft": ("C2R", None)}


def _is_of_gpu(x):
    return getattr(x, "is_cuda", False) or type(x).__module__.startswith("cupy")


def _like_nvmath(name):
    """nvmath's functions transform all axes without `axes`, and scale nothing; c2r is of even length unless said otherwise."""
    ours = {"fft": fftgen.fftn, "ifft": fftgen.ifftn, "rfft": fftgen.rfftn, "irfft": fftgen.irfftn}[name]

    def call(operand, *, axes=None, options=None, execution=None, stream=None, prolog=None, epilog=None, direction=None):
        if prolog is not None or epilog is not None or stream is not None or direction is not None:
            raise _Theirs("prolog=, epilog=, stream= or direction=")
        if not isinstance(options or {}, dict) or set(options or {}) - _KNOWN:
            raise _Theirs("options")
        options = options or {}
        if not _is_of_gpu(operand) or (execution not in (None, "cuda")):
            raise _Theirs("not of a GPU")
        kind = options.get("fft_type")
        complex_input = "complex" in str(operand.dtype)
        if kind not in _TYPES[name] or complex_input == (name == "rfft") or options.get("result_layout", "optimized") not in ("optimized", "natural"):
            raise _Theirs("options")
        if options.get("last_axis_parity", "even") not in ("even", "odd"):
            raise _Theirs("options")
        chosen = tuple(range(operand.ndim)) if axes is None else tuple(axes)
        if len(chosen) > 3 or len(set(chosen)) < len(chosen) or not chosen or not all(-operand.ndim <= a < operand.ndim for a in chosen):
            raise _Theirs("axes")
        lengths = [operand.shape[a] for a in chosen]
        if name == "irfft":
            lengths[-1] = 2 * (lengths[-1] - 1) + (options.get("last_axis_parity") == "odd")
        if 0 in operand.shape or min(lengths) < 1:
            raise _Theirs("empty")
        return ours(operand, s=lengths, axes=chosen, norm="forward" if name in ("ifft", "irfft") else "backward")

    return call


def _nvmath():
    import nvmath.fft

    for name in ("fft", "ifft", "rfft", "irfft"):
        theirs = getattr(nvmath.fft, name)
        setattr(nvmath.fft, name, _counted(f"nvmath.fft.{name}", theirs, _like_nvmath(name)))


def pytest_configure(config):
    for put_behind in (_cupy, _nvmath):
        try:
            put_behind()
        except ImportError as error:
            print(f"gpu_suites: {error}")
    config.pluginmanager.register(_Sum())


def pytest_collection_modifyitems(config, items):
    first, step = (int(word) for word in os.environ.get("SHARE", "0/1").split("/"))
    taken = items[first::step]
    if len(taken) < len(items):
        config.hook.pytest_deselected(items=[item for i, item in enumerate(items) if i % step != first])
        items[:] = taken


@pytest.hookimpl(tryfirst=True)
def pytest_runtest_setup(item):
    _test[0] = item.nodeid


def pytest_sessionfinish(session):
    if hasattr(session.config, "workeroutput"):  # of pytest-xdist: the first process adds up
        session.config.workeroutput["fftgen"] = [dict(_answered), dict(_left), len(_reached)]


class _Sum:
    def __init__(self):
        self.answered, self.left, self.tests = collections.Counter(), collections.Counter(), 0

    @pytest.hookimpl(optionalhook=True)
    def pytest_testnodedown(self, node):
        self.add(*getattr(node, "workeroutput", {}).get("fftgen", ({}, {}, 0)))

    def add(self, answered, left, tests):
        self.answered.update(answered)
        self.left.update(left)
        self.tests += tests

    def pytest_terminal_summary(self, terminalreporter):
        self.add(_answered, _left, len(_reached))
        terminalreporter.write_line(f"fftgen answered {sum(self.answered.values())} calls in {self.tests} tests: {dict(self.answered)}")
        terminalreporter.write_line(f"the library answered {sum(self.left.values())}: {dict(self.left.most_common(12))}")
