"""CuPy's arrays, as far as the package uses them, on the GPUs of host_gpu.c: memory is NumPy's, and asked for by device.
For compare.py also functions of arrays, which NumPy computes."""

import ctypes
import threading

import numpy as np

from . import cuda

host = cuda.host


class MemoryPointer:
    def __init__(self, at, device):
        self.ptr, self.device_id = at, device


class ndarray:
    def __init__(self, shape, dtype=float, own=None, device=None):
        self._a = np.empty(shape, dtype) if own is None else own
        self._device = max(0, host.host_device()) if device is None else device
        self.data = MemoryPointer(self._a.ctypes.data, self._device)
        if own is None:
            self._a[...] = 77
            host.host_note(self._a.ctypes.data, self._a.nbytes, self._device)
            if host.host_device() != self._device:
                raise RuntimeError("the array would be on another device than the current one")

    shape = property(lambda self: self._a.shape)
    strides = property(lambda self: self._a.strides)
    dtype_object = None  # for those that are equal to NumPy's
    dtype = property(lambda self: self.dtype_object or self._a.dtype)
    itemsize = property(lambda self: self._a.itemsize)
    ndim = property(lambda self: self._a.ndim)
    size = property(lambda self: self._a.size)
    device = property(lambda self: cuda.Device(self._device))
    T = property(lambda self: self._view(self._a.T))
    real = property(lambda self: self._view(self._a.real))

    def _view(self, a):
        return ndarray(None, own=a, device=self._device)

    def _new(self, a):
        return asarray(a, device=self._device)

    def get(self):
        return self._a.copy()

    def astype(self, dtype, order="C"):
        return self._new(self._a.astype(dtype, order=order))

    def copy(self, order="C"):
        return self._new(self._a.copy(order=order))

    def __getitem__(self, index):
        return self._view(self._a[index])

    def __setitem__(self, index, value):
        self._a[index] = value._a if isinstance(value, ndarray) else value

    def __iadd__(self, other):
        self._a += other._a
        return self

    def __imul__(self, other):
        self._a *= other._a
        return self

    def __mul__(self, other):
        return self._new(self._a * (other._a if isinstance(other, ndarray) else other))

    __rmul__ = __mul__

    def __add__(self, other):
        return self._new(self._a + other)

    def __rsub__(self, other):
        return self._new(other - self._a)

    def __truediv__(self, other):
        return self._new(self._a / other)

    def __len__(self):
        return len(self._a)

    def reshape(self, shape):
        return self._view(self._a.reshape(shape))

    def transpose(self, *axes):
        return self._view(self._a.transpose(*axes))


def asarray(a, device=None):
    with cuda.Device(max(0, host.host_device()) if device is None else device):
        made = ndarray(a.shape, a.dtype)
    made._a[...] = a
    return made


def zeros(shape, dtype):
    made = ndarray(shape, dtype)
    made._a[...] = 0
    return made


def copyto(to, value, casting="same_kind"):
    np.copyto(to._a, value._a, casting=casting)


def broadcast_to(a, shape):
    return a._view(np.broadcast_to(a._a, shape))


def asnumpy(a):
    return a._a.copy()


def empty(shape, dtype=float):
    return ndarray(shape, dtype)


def _applied(function):
    return lambda *arrays, **more: asarray(function(*(a._a if isinstance(a, ndarray) else a for a in arrays), **more))


abs, arange, clip, cos, log10, rint = (_applied(getattr(np, name)) for name in ("abs", "arange", "clip", "cos", "log10", "rint"))


class fft:
    fft, fftn, rfft, rfftn, rfft2, irfft2 = (_applied(getattr(np.fft, name)) for name in ("fft", "fftn", "rfft", "rfftn", "rfft2", "irfft2"))


class _Pool:
    def free_all_blocks(self):
        pass


def get_default_memory_pool():
    return _Pool()


class lib:
    class stride_tricks:
        @staticmethod
        def as_strided(a, shape, strides):
            return a._view(np.lib.stride_tricks.as_strided(a._a, shape, strides))
