"""What a call takes beside time: kernels that it launches, memory beyond its input."""

from __future__ import annotations

import gc
from typing import Any, Callable, Optional

from . import _contenders

# ---- launches ----------------------------------------------------------------------------------------


def _profiled(torch: Any, run: Callable[[], Any]) -> "list[str]":
    """Names of what the GPU did, whoever asked for it."""
    with torch.profiler.profile(activities=[torch.profiler.ProfilerActivity.CUDA]) as profile:
        run()
        torch.cuda.synchronize()
    return [event.name for event in profile.events() if event.device_type == torch.autograd.DeviceType.CUDA]


def counter() -> "Optional[Callable[[_contenders.Ready], tuple[int, int]]]":
    """Kernels, and copies, of a call, by PyTorch's profiler (CUPTI), which sees all of a process; None where it sees nothing."""
    try:
        import torch
        import torch.profiler

        if not torch.cuda.is_available():
            return None
        x = torch.zeros(64, device="cuda")
        if not _profiled(torch, lambda: x + 1):
            return None
    except Exception:  # no CUPTI, or no right to use it
        return None

    def count(ready: "_contenders.Ready") -> "tuple[int, int]":
        ready.run()  # plans are made before
        ready.wait()

        def once() -> None:
            ready.run()
            ready.wait()

        names = _profiled(torch, once)
        copies = sum(name.startswith(("Memcpy", "Memset")) for name in names)
        return len(names) - copies, copies

    return count


# ---- memory ------------------------------------------------------------------------------------------


class HostMemory:
    """Peaks of resident memory, as Linux counts them."""

    text = "the peak of resident memory"

    def begin(self) -> None:
        gc.collect()
        with open("/proc/self/clear_refs", "w", encoding="ascii") as file:
            file.write("5")
        self.before = self._status("VmRSS")

    def _status(self, what: str) -> int:
        with open("/proc/self/status", encoding="ascii") as file:
            return next(int(line.split()[1]) * 1024 for line in file if line.startswith(what))

    def taken(self) -> int:
        return self._status("VmHWM") - self.before


class DeviceMemory:
    """What the driver gave while pools had nothing left over. JAX's pool returns nothing: its peak counts, where it is a new one."""

    text = "memory of the device that the driver gave, to JAX the peak of its pool"

    def __init__(self, jax_device: Any = None) -> None:
        self.jax = jax_device

    def _free(self) -> int:
        import cupy

        cupy.get_default_memory_pool().free_all_blocks()
        torch = _contenders.there("torch")
        if torch:
            torch.cuda.empty_cache()
        return int(cupy.cuda.runtime.memGetInfo()[0])

    def begin(self) -> None:
        gc.collect()
        self.before = self._free()
        stats = self.jax.memory_stats() if self.jax else None
        self.peak, self.used = (stats["peak_bytes_in_use"], stats["bytes_in_use"]) if stats else (0, 0)

    def taken(self) -> Optional[int]:
        if self.jax:
            peak = self.jax.memory_stats()["peak_bytes_in_use"]
            return peak - self.used if peak > self.peak else None
        import cupy

        return self.before - int(cupy.cuda.runtime.memGetInfo()[0])


def memory(contender: "_contenders.Contender") -> Any:
    if contender.device != "GPU":
        return HostMemory()
    if contender.name != "JAX":
        return DeviceMemory()
    import jax

    device = jax.devices("gpu")[0]
    return DeviceMemory(device if device.memory_stats() else None)
