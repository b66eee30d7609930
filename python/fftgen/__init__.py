"""Fast Fourier transforms of arrays, by kernels that fftgen generates and proves.

    >>> import numpy as np, fftgen
    >>> x = np.random.default_rng(1).standard_normal((3, 1000))
    >>> np.allclose(fftgen.irfft(fftgen.rfft(x)), x)
    True

Functions are named, and behave, as those of numpy.fft and scipy.fft. `fftgen.scipy_fft` is a backend of scipy.fft,
`python -m fftgen with_patch PROGRAM` runs a program with numpy.fft's functions by fftgen.
"""

from __future__ import annotations

from . import _core, _docs, _general
from . import cache as cache
from . import wisdom as wisdom
from ._cold import ColdError as ColdError, cold as cold
from ._convolve import convolve as convolve, filter as filter
from ._frames import istft as istft, stft as stft
from ._converted import ConvertedPlan as ConvertedPlan
from ._fused import FusedPlan as FusedPlan
from ._helper import (fftfreq as fftfreq, fftshift as fftshift, ifftshift as ifftshift,
                      next_fast_len as next_fast_len, rfftfreq as rfftfreq)
from ._gpu_plans import GpuPlan as GpuPlan
from ._numba import NumbaDevice as NumbaDevice, numba_device as numba_device
from ._plans import Plan as Plan, plan as plan
from ._raw import RawKernel as RawKernel, raw_kernel as raw_kernel
from ._trace import (batch as batch, ceil as ceil, channel as channel, clip as clip, complex_of as complex, conj as conj,
                     cos as cos, cospi as cospi, exp as exp, expi as expi, floor as floor, imag as imag, load as load,
                     log as log, log10 as log10, maximum as maximum, minimum as minimum, n as n, operand as operand,
                     real as real, sin as sin, sinpi as sinpi, sqrt as sqrt, store as store, tan as tan, where as where)
from ._workers import get_workers as get_workers, set_workers as set_workers

__version__: str = _core.version
_functions = {row.name: _core.function(row.name, "fftgen", _docs.text(row), _general.half(row, "fftgen"))
              for row in _general.ROWS}
globals().update(_functions)
__all__ = [*_functions, "ColdError", "ConvertedPlan", "FusedPlan", "GpuPlan", "NumbaDevice", "Plan", "RawKernel", "cache", "cold", "convolve", "fftfreq", "fftshift", "filter", "get_workers", "ifftshift", "istft", "load", "next_fast_len", "numba_device", "operand", "plan",
           "raw_kernel", "rfftfreq", "set_workers", "stft", "store", "wisdom"]
