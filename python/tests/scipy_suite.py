"""A plugin of pytest: SciPy's and NumPy's own tests with fftgen behind scipy.fft and numpy.fft.

    PYTHONPATH=python/tests:python/tests/everywhere python -m pytest -p scipy_suite --pyargs scipy.fft numpy.fft

everywhere/sitecustomize.py puts fftgen there, for the processes that tests start, too. This plugin says at the end how many tests reached fftgen, and which calls SciPy answered itself.
"""

import fftgen.numpy_fft
import fftgen.scipy_fft
import pytest
import scipy.fft

_reached = set()
_test = [None]


def _watch(function):
    def watched(method, args, kwargs):
        _reached.add(_test[0])
        return function(method, args, kwargs)

    return watched


def pytest_configure(config):
    fftgen.scipy_fft.__ua_function__ = _watch(fftgen.scipy_fft.__ua_function__)
    scipy.fft.set_global_backend(fftgen.scipy_fft)


@pytest.hookimpl(tryfirst=True)
def pytest_runtest_setup(item):
    _test[0] = item.nodeid


def pytest_terminal_summary(terminalreporter):
    terminalreporter.write_line(f"fftgen: {len(_reached)} tests reached the backend of scipy.fft; "
                                f"SciPy answered {fftgen.scipy_fft.answered_by_scipy()}; plans {fftgen.cache.info()}")
