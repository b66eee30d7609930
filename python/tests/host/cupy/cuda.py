"""Devices and streams of host_gpu.c."""

import ctypes

host = ctypes.CDLL(None)
host.host_stream_of.restype = ctypes.c_size_t
host.host_note.argtypes = [ctypes.c_size_t, ctypes.c_size_t, ctypes.c_int]
stream = 0  # the current one


class Device:
    def __init__(self, id):
        self.id = id

    def __enter__(self):
        self.before = host.host_device()
        assert host.host_set_device(self.id) == 0
        return self

    def __exit__(self, *error):
        if self.before >= 0:
            host.host_set_device(self.before)


class Stream:
    def __init__(self, ptr):
        self.ptr = ptr

    def synchronize(self):
        pass


def get_current_stream():
    return Stream(stream)


class runtime:
    getDeviceCount = staticmethod(lambda: 2)
    getDeviceProperties = staticmethod(lambda device: {"name": b"an imitated GPU"})
    driverGetVersion = staticmethod(lambda: 13000)
    memGetInfo = staticmethod(lambda: (1 << 34, 1 << 35))
