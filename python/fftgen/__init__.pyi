"""Types of fftgen's functions."""

from typing import Any, ContextManager, Optional, Protocol, Sequence, overload

import numpy as np
import numpy.typing as npt

from . import cache as cache
from . import wisdom as wisdom
from ._cold import ColdError as ColdError, cold as cold
from ._helper import (fftfreq as fftfreq, fftshift as fftshift, ifftshift as ifftshift,
                      next_fast_len as next_fast_len, rfftfreq as rfftfreq)
from ._gpu_plans import GpuPlan as GpuPlan
from ._numba import NumbaDevice as NumbaDevice, numba_device as numba_device
from ._converted import ConvertedPlan as ConvertedPlan
from ._fused import FusedPlan as FusedPlan
from ._plans import Plan as Plan, plan as plan
from ._raw import RawKernel as RawKernel, raw_kernel as raw_kernel
from ._trace import Operation as Operation
from ._trace import (batch as batch, ceil as ceil, channel as channel, clip as clip, complex_of as complex, conj as conj,
                     cos as cos, cospi as cospi, exp as exp, expi as expi, floor as floor, imag as imag, load as load,
                     log as log, log10 as log10, maximum as maximum, minimum as minimum, n as n, operand as operand,
                     real as real, sin as sin, sinpi as sinpi, sqrt as sqrt, store as store, tan as tan, where as where)

__version__: str

_Array = npt.NDArray[Any]

# NumPy's arrays, and what becomes one, have NumPy's arrays as results; arrays of other libraries have theirs.
class _OneDimension(Protocol):
    @overload
    def __call__(self, x: npt.ArrayLike, n: Optional[int] = ..., axis: int = ..., norm: Optional[str] = ..., *, out: Optional[_Array] = ..., workers: Optional[int] = ..., load: Optional[Operation] = ..., store: Optional[Operation] = ...) -> _Array: ...
    @overload
    def __call__(self, x: Any, n: Optional[int] = ..., axis: int = ..., norm: Optional[str] = ..., *, out: Any = ..., workers: Optional[int] = ..., load: Optional[Operation] = ..., store: Optional[Operation] = ...) -> Any: ...

class _Dimensions(Protocol):
    @overload
    def __call__(self, x: npt.ArrayLike, s: Optional[Sequence[int]] = ..., axes: Optional[Sequence[int]] = ..., norm: Optional[str] = ..., *, out: Optional[_Array] = ..., workers: Optional[int] = ..., load: Optional[Operation] = ..., store: Optional[Operation] = ...) -> _Array: ...
    @overload
    def __call__(self, x: Any, s: Optional[Sequence[int]] = ..., axes: Optional[Sequence[int]] = ..., norm: Optional[str] = ..., *, out: Any = ..., workers: Optional[int] = ..., load: Optional[Operation] = ..., store: Optional[Operation] = ...) -> Any: ...

class _Trigonometric(Protocol):
    @overload
    def __call__(self, x: npt.ArrayLike, type: int = ..., n: Optional[int] = ..., axis: int = ..., norm: Optional[str] = ..., *, orthogonalize: Optional[bool] = ..., out: Optional[_Array] = ..., workers: Optional[int] = ..., load: Optional[Operation] = ..., store: Optional[Operation] = ...) -> _Array: ...
    @overload
    def __call__(self, x: Any, type: int = ..., n: Optional[int] = ..., axis: int = ..., norm: Optional[str] = ..., *, orthogonalize: Optional[bool] = ..., out: Any = ..., workers: Optional[int] = ..., load: Optional[Operation] = ..., store: Optional[Operation] = ...) -> Any: ...

class _TrigonometricDimensions(Protocol):
    @overload
    def __call__(self, x: npt.ArrayLike, type: int = ..., s: Optional[Sequence[int]] = ..., axes: Optional[Sequence[int]] = ..., norm: Optional[str] = ..., *, orthogonalize: Optional[bool] = ..., out: Optional[_Array] = ..., workers: Optional[int] = ..., load: Optional[Operation] = ..., store: Optional[Operation] = ...) -> _Array: ...
    @overload
    def __call__(self, x: Any, type: int = ..., s: Optional[Sequence[int]] = ..., axes: Optional[Sequence[int]] = ..., norm: Optional[str] = ..., *, orthogonalize: Optional[bool] = ..., out: Any = ..., workers: Optional[int] = ..., load: Optional[Operation] = ..., store: Optional[Operation] = ...) -> Any: ...

fft: _OneDimension
ifft: _OneDimension
rfft: _OneDimension
irfft: _OneDimension
hfft: _OneDimension
ihfft: _OneDimension
fft2: _Dimensions
ifft2: _Dimensions
rfft2: _Dimensions
irfft2: _Dimensions
hfft2: _Dimensions
ihfft2: _Dimensions
fftn: _Dimensions
ifftn: _Dimensions
rfftn: _Dimensions
irfftn: _Dimensions
hfftn: _Dimensions
ihfftn: _Dimensions
dct: _Trigonometric
idct: _Trigonometric
dst: _Trigonometric
idst: _Trigonometric
dctn: _TrigonometricDimensions
idctn: _TrigonometricDimensions
dstn: _TrigonometricDimensions
idstn: _TrigonometricDimensions

def filter(x: Any, h: Any, axes: Any = ..., *, kernel: Optional[bool] = ..., out: Any = ..., workers: Optional[int] = ...) -> Any: ...
def convolve(a: Any, b: Any, mode: str = ..., axes: Any = ..., *, kernel: Optional[bool] = ..., out: Any = ..., workers: Optional[int] = ...) -> Any: ...
def stft(x: Any, n: int, hop: Optional[int] = ..., window: Any = ..., *, center: bool = ..., pad: str = ..., norm: Optional[str] = ..., axis: int = ..., store: Optional[Operation] = ..., kernel: Optional[bool] = ..., out: Any = ..., workers: Optional[int] = ...) -> Any: ...
def istft(X: Any, n: int, hop: Optional[int] = ..., window: Any = ..., *, center: bool = ..., length: Optional[int] = ..., norm: Optional[str] = ..., real: bool = ..., kernel: Optional[bool] = ..., out: Any = ..., workers: Optional[int] = ...) -> Any: ...

def get_workers() -> int: ...
def set_workers(workers: int) -> ContextManager[None]: ...
