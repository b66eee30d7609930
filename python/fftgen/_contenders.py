"""FFT libraries beside fftgen, for `python -m fftgen.compare`: each is a row that prepares a call, on the host or on a GPU."""

from __future__ import annotations

import functools
import importlib
import importlib.metadata
import os
from typing import Any, Callable, NamedTuple, Optional

import numpy as np

from . import _core


class Case(NamedTuple):
    """One transform: of x, along axes."""

    name: str  # "fft", "rfft"
    x: np.ndarray
    axes: "tuple[int, ...]"
    half: bool = False  # x is complex64, for pairs of halves
    copies: bool = False  # on a GPU: each call takes x from the host, and its result there


def _nothing() -> None:
    pass


class Ready(NamedTuple):
    run: Callable[[], Any]
    wait: Callable[[], None]  # until what was started is done
    result: Callable[[], np.ndarray]
    release: Callable[[], None] = _nothing  # what is not released by itself


Prepare = Callable[[Case], Optional[Ready]]


class Contender(NamedTuple):
    name: str
    version: str
    device: str  # "host", "GPU"
    prepare: Prepare


def _version(module: Any) -> str:
    try:
        return str(getattr(module, "__version__", None) or importlib.metadata.version(module.__name__))
    except importlib.metadata.PackageNotFoundError:
        return "?"


def _plain(call: Callable[[], Any]) -> Ready:
    return Ready(call, _nothing, lambda: np.asarray(call()))


# ---- of the host -------------------------------------------------------------------------------------


def _of_module(module: Any, case: Case, more: "dict[str, Any]") -> Callable[[], Any]:
    """As a user calls it: the function of one axis, or of several."""
    x, axes = case.x, case.axes
    if len(axes) == 1:
        one, axis = getattr(module, case.name), axes[0]
        return lambda: one(x, None, axis, **more)
    f = getattr(module, case.name + "n")
    return lambda: f(x, axes=axes, **more)


def _fftgen(case: Case) -> Ready:
    import fftgen

    return _plain(_of_module(fftgen, case, {}))


def _fftgen_plan(seconds: float) -> Prepare:
    """Objects on arrays of their own."""
    def prepare(case: Case) -> Optional[Ready]:
        import fftgen

        return _plain(fftgen.plan(case.x, case.name, case.axes, tune=seconds))

    return prepare


def _numpy(case: Case) -> Optional[Ready]:
    if case.x.dtype not in (np.float64, np.complex128) and int(np.__version__.split(".")[0]) < 2:
        return None  # it computes in double
    return _plain(_of_module(np.fft, case, {}))


def _scipy(case: Case) -> Ready:
    import scipy.fft

    return _plain(_of_module(scipy.fft, case, {"workers": 1}))


def _pyfftw(case: Case) -> Ready:
    import pyfftw

    x = pyfftw.empty_aligned(case.x.shape, case.x.dtype)
    shape = list(x.shape)
    if case.name == "rfft":
        shape[case.axes[-1]] = shape[case.axes[-1]] // 2 + 1
    y = pyfftw.empty_aligned(shape, np.result_type(case.x.dtype, np.complex64))
    plan = pyfftw.FFTW(x, y, axes=case.axes, flags=("FFTW_MEASURE",), threads=1, planning_timelimit=.4)
    x[...] = case.x
    return Ready(plan, _nothing, lambda: np.array(plan()))


def _mkl(case: Case) -> Ready:
    import mkl_fft

    return _plain(_of_module(mkl_fft, case, {}))


def _ducc(case: Case) -> Ready:
    import ducc0.fft

    f = ducc0.fft.r2c if case.name == "rfft" else ducc0.fft.c2c
    return _plain(lambda: f(case.x, axes=case.axes, nthreads=1))


def _torch_host(case: Case) -> Ready:
    import torch

    x, f = torch.from_numpy(case.x), getattr(torch.fft, case.name + "n")
    return Ready(lambda: f(x, dim=case.axes), _nothing, lambda: f(x, dim=case.axes).numpy())


def _jax_on(platform: str) -> Prepare:
    def prepare(case: Case) -> Optional[Ready]:
        import jax

        if case.half or case.x.dtype in (np.float64, np.complex128) and not jax.config.jax_enable_x64:
            return None
        device = jax.devices(platform)[0]
        f = jax.jit(lambda x: getattr(jax.numpy.fft, case.name + "n")(x, axes=case.axes))
        if case.copies:
            def there() -> np.ndarray:
                return np.asarray(f(jax.device_put(case.x, device)))

            return Ready(there, _nothing, there)
        x = jax.device_put(case.x, device)
        last: "list[Any]" = [f(x)]

        def run() -> None:
            last[0] = f(x)

        return Ready(run, lambda: last[0].block_until_ready(), lambda: np.asarray(f(x)))

    return prepare


# ---- of a GPU ----------------------------------------------------------------------------------------


def _cupy_ready(case: Case, make: Callable[[Any], Any]) -> Optional[Ready]:
    """Of a function of CuPy's array; there are no pairs of halves."""
    import cupy

    if case.half:
        return None

    def wait() -> None:
        cupy.cuda.get_current_stream().synchronize()

    def there() -> np.ndarray:
        return cupy.asnumpy(make(cupy.asarray(case.x)))

    if case.copies:
        return Ready(there, _nothing, there)
    x = cupy.asarray(case.x)
    return Ready(lambda: make(x), wait, lambda: cupy.asnumpy(make(x)))


def _torch_ready(case: Case, make: Callable[[Any], Any]) -> Ready:
    import torch

    given = torch.from_numpy(case.x)

    def there() -> Any:
        return make(given.cuda()).cpu()

    if case.copies:
        return Ready(there, _nothing, lambda: there().numpy())
    x = given.cuda().to(torch.complex32) if case.half else given.cuda()

    def result() -> np.ndarray:
        y = make(x)
        return (y.to(torch.complex64) if y.dtype == torch.complex32 else y).cpu().numpy()

    return Ready(lambda: make(x), torch.cuda.synchronize, result)


def _of_arrays(module: Any, case: Case) -> Callable[[Any], Any]:
    if len(case.axes) == 1:
        one, axis = getattr(module, case.name), case.axes[0]
        return lambda x: one(x, None, axis)
    f = getattr(module, case.name + "n")
    return lambda x: f(x, axes=case.axes)


def _fftgen_torch(case: Case) -> Ready:
    import fftgen

    return _torch_ready(case, _of_arrays(fftgen, case))


def _fftgen_cupy(case: Case) -> Optional[Ready]:
    if case.half or case.x.dtype == np.float16:  # which PyTorch has transforms of
        torch = there("torch")
        return _fftgen_torch(case) if torch and _has_gpu(torch, "torch") else None
    import fftgen

    return _cupy_ready(case, _of_arrays(fftgen, case))


def _fftgen_cupy_plan(case: Case) -> Optional[Ready]:
    """A plan on arrays of its own, as pyvkfft's objects have them."""
    import cupy
    import fftgen

    if case.half or case.copies or case.x.dtype == np.float16:
        return None
    x = cupy.asarray(case.x)
    plan = fftgen.plan(x, case.name, case.axes, out=cupy.empty_like(getattr(fftgen, case.name + "n")(x, axes=case.axes)))
    return Ready(plan, cupy.cuda.get_current_stream().synchronize, lambda: cupy.asnumpy(plan()))


def _cupy(case: Case) -> Optional[Ready]:
    import cupy

    return _cupy_ready(case, _of_arrays(cupy.fft, case))


def _torch_gpu(case: Case) -> Ready:
    import torch

    f = getattr(torch.fft, case.name + "n")
    return _torch_ready(case, lambda x: f(x, dim=case.axes))


def _vkfft(case: Case) -> Optional[Ready]:
    import cupy
    from pyvkfft.cuda import VkFFTApp

    if case.name != "fft" or len(case.axes) > 3 or case.half:
        return None
    y = cupy.empty(case.x.shape, case.x.dtype)
    app = VkFFTApp(case.x.shape, case.x.dtype, axes=case.axes, inplace=False)
    return _cupy_ready(case, lambda x: app.fft(x, y))


def _nvmath(case: Case) -> Optional[Ready]:
    import cupy
    import nvmath

    if case.half:
        return None
    if case.copies:
        f = nvmath.fft.rfft if case.name == "rfft" else nvmath.fft.fft
        return Ready(lambda: f(case.x, axes=case.axes), _nothing, lambda: np.asarray(f(case.x, axes=case.axes)))
    x = cupy.asarray(case.x)
    fft = nvmath.fft.FFT(x, axes=case.axes)
    fft.plan()

    def release() -> None:
        fft.free()

    return Ready(fft.execute, lambda: cupy.cuda.get_current_stream().synchronize(), lambda: cupy.asnumpy(fft.execute()), release)


# ---- all ---------------------------------------------------------------------------------------------


@functools.lru_cache(None)
def there(name: str) -> Any:
    """A module; None where it is not there, or does not start here."""
    try:
        return importlib.import_module(name)
    except Exception:  # not there, or it does not start here
        return None


def _has_gpu(module: Any, name: str) -> bool:
    try:
        if name == "cupy":
            return bool(module.cuda.runtime.getDeviceCount() > 0)
        if name == "torch":
            return bool(module.cuda.is_available())
        return any(d.platform == "gpu" for d in module.devices())
    except Exception:
        return False


_HOST = [("NumPy", "numpy", _numpy), ("SciPy", "scipy", _scipy), ("pyFFTW", "pyfftw", _pyfftw), ("mkl_fft", "mkl_fft", _mkl), ("ducc0", "ducc0", _ducc),
         ("PyTorch", "torch", _torch_host), ("JAX", "jax", _jax_on("cpu"))]


def find(device: str, tune: float) -> "list[Contender]":
    """fftgen first, then those that are there. tune: seconds for each kernel of fftgen's on the host; 0: none."""
    os.environ.setdefault("MKL_NUM_THREADS", "1")
    os.environ.setdefault("XLA_PYTHON_CLIENT_PREALLOCATE", "false")
    os.environ.setdefault("XLA_FLAGS", "--xla_cpu_multi_thread_eigen=false intra_op_parallelism_threads=1")
    version = _core.version
    modules = {name: there(name) for name in ("numpy", "scipy", "pyfftw", "mkl_fft", "ducc0", "torch", "jax", "cupy", "pyvkfft", "nvmath")}
    if modules["jax"]:
        modules["jax"].config.update("jax_enable_x64", True)
    if modules["torch"]:
        modules["torch"].set_num_threads(1)
    if device == "host":
        all = [Contender("fftgen", version, "host", _fftgen), Contender("fftgen, plan", version, "host", _fftgen_plan(0))]
        if tune:
            all.append(Contender("fftgen, tuned plan", version, "host", _fftgen_plan(tune)))
        return all + [Contender(name, _version(modules[m]), "host", f) for name, m, f in _HOST if modules[m]]
    gpu = {name: modules[name] and _has_gpu(modules[name], name) for name in ("cupy", "torch", "jax")}
    all = []
    if gpu["cupy"]:
        all.append(Contender("fftgen", version, "GPU", _fftgen_cupy))
        all.append(Contender("fftgen, plan", version, "GPU", _fftgen_cupy_plan))
        all.append(Contender("CuPy", _version(modules["cupy"]), "GPU", _cupy))
    elif gpu["torch"]:
        all.append(Contender("fftgen", version, "GPU", _fftgen_torch))
    if gpu["torch"]:
        all.append(Contender("PyTorch", _version(modules["torch"]), "GPU", _torch_gpu))
    if gpu["jax"]:
        all.append(Contender("JAX", _version(modules["jax"]), "GPU", _jax_on("gpu")))
    if gpu["cupy"] and modules["pyvkfft"]:
        all.append(Contender("pyvkfft", _version(modules["pyvkfft"]), "GPU", _vkfft))
    if gpu["cupy"] and modules["nvmath"]:
        all.append(Contender("nvmath-python", _version(modules["nvmath"]), "GPU", _nvmath))
    return all
