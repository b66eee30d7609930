"""Arrays of a GPU, on one: results beside CuPy's, PyTorch's and NumPy's, streams, graphs, gradients, JAX, kernels by hand, errors by name.
usage: python test_gpu.py; what is not here is skipped, and said."""

import os
import random
import sys
import threading
import unittest
import warnings

import fftgen
import numpy as np

try:
    import cupy

    cupy.cuda.runtime.getDeviceCount()
except Exception as error:  # not installed, or no driver
    cupy = None
    print(f"SKIP: CuPy has no GPU here: {error}"[:200], file=sys.stderr)
try:
    import torch

    if not torch.cuda.is_available():
        raise ImportError("no GPU")
except ImportError as error:
    torch = None
    print(f"SKIP: PyTorch has no GPU here: {error}"[:200], file=sys.stderr)
try:
    os.environ.setdefault("XLA_PYTHON_CLIENT_PREALLOCATE", "false")  # the others want memory, too
    import jax

    jax.config.update("jax_enable_x64", True)
    if not any(d.platform == "gpu" for d in jax.devices()):
        raise ImportError("no GPU")
except Exception as error:
    jax = None
    print(f"SKIP: JAX has no GPU here: {error}"[:200], file=sys.stderr)

NAMES = ("fft", "ifft", "rfft", "irfft", "hfft", "ihfft", "dct", "dst", "idct", "idst")
TOLERANCE = {4: 3e-6, 8: 1e-13}


def numbers(name, *shape, dtype="f8", seed=3):
    rng = np.random.default_rng(seed)
    x = rng.standard_normal(shape)
    if name in ("fft", "ifft", "irfft", "hfft", "fftn", "ifftn"):
        x = x + 1j * rng.standard_normal(shape)
        dtype = "c" + str(2 * int(dtype[1]))
    return x.astype(dtype)


def near(got, wanted):
    got = got.get() if cupy and isinstance(got, cupy.ndarray) else got.detach().cpu().numpy() if torch and isinstance(got, torch.Tensor) else np.asarray(got)
    assert got.dtype == wanted.dtype and got.shape == wanted.shape, (got.dtype, wanted.dtype, got.shape, wanted.shape)
    real = got.real.dtype.itemsize
    scale = np.linalg.norm(wanted.ravel()) or 1
    error = np.linalg.norm((got - wanted).ravel()) / scale
    assert error <= 30 * TOLERANCE[real], error


@unittest.skipUnless(cupy, "no CuPy with a GPU")
class CuPy(unittest.TestCase):
    def there(self, x):
        return cupy.asarray(x)

    def back(self, x):
        return x.get()

    def test_filters_and_frames(self):
        rng = np.random.default_rng(6)
        x, h = rng.standard_normal((4, 6, 1000)), np.fft.rfft(rng.standard_normal((6, 1000)))
        near(self.back(fftgen.filter(self.there(x), self.there(h[None]))), np.fft.irfft(np.fft.rfft(x) * h, 1000))
        a, b = rng.standard_normal((3, 64, 80)), rng.standard_normal((1, 5, 7))
        for mode in ("full", "same", "valid"):
            near(self.back(fftgen.convolve(self.there(a), self.there(b), mode, axes=(1, 2))), fftgen.convolve(a, b, mode, axes=(1, 2)))
        s = rng.standard_normal((2, 20000))
        X = fftgen.stft(self.there(s), 512, 128)
        near(self.back(X), fftgen.stft(s, 512, 128))
        near(self.back(fftgen.istft(X, 512, 128, length=20000)), fftgen.istft(fftgen.stft(s, 512, 128), 512, 128, length=20000))

    def test_functions_in_loads_and_stores(self):
        hann = fftgen.load(lambda v, k: v * (0.5 - 0.5 * fftgen.cospi(2 * k / fftgen.n)))
        decibels = fftgen.store(lambda v: 20 * fftgen.log10(abs(v) + 1e-3))
        rng = np.random.default_rng(4)
        for n in (256, 1000, 4096, 65536):
            for x in (rng.integers(0, 255, (16, n)).astype("u1"), rng.integers(-999, 999, (16, n)).astype("i2"), rng.standard_normal((16, n)).astype("f4")):
                wanted = 20 * np.log10(np.abs(np.fft.rfft(x * (.5 - .5 * np.cos(2 * np.pi * np.arange(n) / n)))) + 1e-3)
                got = self.back(fftgen.rfft(self.there(x), load=hann, store=decibels))
                self.assertEqual(got.dtype, np.float32)
                np.testing.assert_allclose(got, wanted, atol=2e-2)
        x, out = rng.integers(0, 255, (8, 64)).astype("u1"), self.there(np.zeros((8, 33), "u1"))
        fftgen.rfft(self.there(x), store=fftgen.store(lambda v: abs(v) / 9), out=out)
        self.assertLessEqual(np.abs(self.back(out) - np.clip(np.abs(np.fft.rfft(x)) / 9, 0, 255)).max(), .51)
        gain, x = rng.standard_normal((64, 48)), rng.standard_normal((3, 64, 48)) + 0j
        there = self.there(gain)
        for array in (gain, there):
            near(fftgen.fft2(self.there(x), store=fftgen.store(lambda v, i, j: v * array[i, j] + i)), np.fft.fft2(x) * gain + np.arange(64)[:, None])

    def test_functions(self):
        for name in NAMES:
            for dtype in ("f4", "f8"):
                x = numbers(name, 6, 50, dtype=dtype)
                there = cupy.asarray(x)
                for arguments in ({}, {"axis": 0, "norm": "ortho"}, {"n": 70}, {"n": 33, "norm": "forward"}):
                    wanted = getattr(fftgen, name)(x, **arguments)
                    for _ in range(2):
                        got = getattr(fftgen, name)(there, **arguments)
                        self.assertIsInstance(got, cupy.ndarray)
                        near(got, wanted)

    def test_lengths(self):
        for n in (1, 2, 3, 17, 64, 100, 243, 1009, 1024, 4096, 10007, 65536, 100000, 1 << 20):
            x = numbers("fft", 3, n, dtype="f4")
            near(fftgen.fft(cupy.asarray(x)), fftgen.fft(x))
            near(fftgen.rfft(cupy.asarray(x.real.copy())), fftgen.rfft(x.real))

    def test_dimensions(self):
        x = numbers("fft", 12, 20, 18)
        there = cupy.asarray(x)
        for axes in ((0, 1), (1, 2), (2, 0), (0, 1, 2)):
            near(fftgen.fftn(there, axes=axes), fftgen.fftn(x, axes=axes))
            near(fftgen.rfftn(cupy.asarray(x.real.copy()), axes=axes), fftgen.rfftn(x.real, axes=axes))
            near(fftgen.irfftn(there, axes=axes), fftgen.irfftn(x, axes=axes))
        near(fftgen.dctn(cupy.asarray(x.real.copy()), norm="ortho"), fftgen.dctn(x.real, norm="ortho"))

    def test_layouts(self):
        x = numbers("fft", 12, 10, 18)
        there = cupy.asarray(x)
        for view in (lambda a: a.T, lambda a: a[:, ::2], lambda a: a[::-1], lambda a: a[1:, 2:, 3:], lambda a: a.transpose(1, 2, 0)):
            for axis in range(3):
                near(fftgen.fft(view(there), axis=axis), fftgen.fft(view(x), axis=axis))
        wide = cupy.broadcast_to(there[:1], there.shape)
        near(fftgen.fft(wide), fftgen.fft(np.broadcast_to(x[:1], x.shape)))

    def test_out(self):
        x = numbers("fft", 12, 64)
        there, out = cupy.asarray(x), cupy.zeros((64, 12), "c16").T
        for _ in range(2):
            self.assertIs(fftgen.fft(there, out=out), out)
            near(out, fftgen.fft(x))
        self.assertIs(fftgen.fft(there, out=there), there)
        near(there, fftgen.fft(x))
        self.assertRaises(TypeError, fftgen.fft, there, out=np.zeros((12, 64), complex))
        self.assertRaises(ValueError, fftgen.fft, there, out=cupy.zeros((12, 65), complex))

    def test_types(self):
        for dtype in ("f2", "i4", "?", "u1"):
            x = (np.arange(24) % 2).astype(dtype)
            near(fftgen.fft(cupy.asarray(x)), fftgen.fft(x))
        self.assertEqual([fftgen.irfft(cupy.asarray(x.astype("f2")), n=n).dtype for n in (None, 10)], [np.float16, np.float16])

    def test_streams(self):
        x = numbers("fft", 64, 4096, dtype="f4")
        wanted = fftgen.fft(x)
        there = cupy.asarray(x)
        streams = [cupy.cuda.Stream(non_blocking=True) for _ in range(3)]
        cupy.cuda.Device().synchronize()
        results = []
        for stream in streams * 3:
            with stream:
                results.append(fftgen.fft(there * 1))
        for stream in streams:
            stream.synchronize()
        for y in results:
            near(y, wanted)
        with cupy.cuda.Stream.ptds:
            near(fftgen.fft(there), wanted)

    def test_threads(self):
        wrong = []

        def work(seed):
            try:
                for i in range(20):
                    x = numbers("fft", 4, 32 + 8 * (i % 4), seed=seed)
                    near(fftgen.fft(cupy.asarray(x)), fftgen.fft(x))
            except Exception as error:
                wrong.append(error)

        threads = [threading.Thread(target=work, args=(i,)) for i in range(4)]
        [t.start() for t in threads], [t.join() for t in threads]
        self.assertEqual(wrong, [])

    def test_graph(self):
        x = cupy.asarray(numbers("fft", 8, 256))
        out = cupy.zeros_like(x)
        fftgen.fft(x, out=out)
        stream = cupy.cuda.Stream(non_blocking=True)
        with stream:
            stream.begin_capture()
            fftgen.fft(x, out=out)
            graph = stream.end_capture()
            fftgen.cache.clear()
            x[...] = cupy.asarray(numbers("fft", 8, 256, seed=9))
            out[...] = 0
            graph.launch(stream)
        stream.synchronize()
        near(out, fftgen.fft(numbers("fft", 8, 256, seed=9)))

    def test_plans(self):
        x = numbers("rfft", 7, 96)
        there = cupy.asarray(x)
        p = fftgen.plan(there, "rfft", norm="ortho")
        near(p(), fftgen.rfft(x, norm="ortho"))
        near(p.inverse(p()), x)
        self.assertEqual(p.problem, "r2c f64 n=96 batch=7 scale=1/sqrt(n)")
        self.assertIn("__global__", p.source())
        self.assertTrue(p.proof["ok"])
        tuned = fftgen.plan(there, "rfft", norm="ortho", tune=6)
        near(tuned(), fftgen.rfft(x, norm="ortho"))

    def test_raw_kernels(self):
        for n, batch in ((64, 100), (1000, 7), (100000, 2), (1 << 20, 1)):
            x = numbers("fft", batch, n, dtype="f4")
            k = fftgen.raw_kernel(f"c2c f32 n={n} batch={batch}")
            out = cupy.zeros(x.shape, "c8")
            near(k(cupy.asarray(x), out), fftgen.fft(x))
        k = fftgen.raw_kernel("c2c f32 n=256 batch=count[1..1000]")
        x = numbers("fft", 30, 256, dtype="f4")
        near(k(cupy.asarray(x), cupy.zeros(x.shape, "c8"), parameters=(30,)), fftgen.fft(x))

    def test_errors(self):
        x = cupy.asarray(numbers("fft", 4, 8))
        for error, call in ((np.exceptions.AxisError, lambda: fftgen.fft(x, axis=2)), (ValueError, lambda: fftgen.fft(x, 0)),
                            (TypeError, lambda: fftgen.rfft(x)), (ValueError, lambda: fftgen.fft(x, norm="no"))):
            with self.assertRaises(error):
                call()
        near(fftgen.fft(x), fftgen.fft(numbers("fft", 4, 8)))

    def test_drawn(self):
        rng = random.Random(34)
        for _ in range(150):
            name = rng.choice(NAMES)
            shape = tuple(rng.choice([1, 2, 3, 4, 6, 8]) for _ in range(rng.randint(1, 4)))
            x = numbers(name, *shape, dtype=rng.choice(["f4", "f8"]), seed=rng.randint(0, 9))
            order = rng.sample(range(x.ndim), x.ndim)
            axes = rng.sample(range(x.ndim), rng.randint(1, x.ndim))
            arguments = {"axes": axes, "norm": rng.choice([None, "ortho", "forward"])}
            if rng.random() < .5:
                arguments["s"] = [rng.randint(1, 9) for _ in axes]
            if name[-3:] in ("dct", "dst"):
                arguments["type"] = rng.randint(1, 4)
            function = getattr(fftgen, name + "n")
            try:
                wanted = function(x.transpose(order), **arguments)
            except Exception as error:
                with self.assertRaises(type(error)):
                    function(cupy.asarray(x).transpose(order), **arguments)
                continue
            with self.subTest(name=name, shape=shape, order=order, arguments=arguments):
                near(function(cupy.asarray(x).transpose(order), **arguments), wanted)

    def test_interface(self):
        class Only:
            def __init__(self, a):
                self.__cuda_array_interface__ = a.__cuda_array_interface__
                self.a = a

        x = numbers("fft", 6, 20)
        y = fftgen.fft(Only(cupy.asarray(x)))
        near(cupy.asarray(y), fftgen.fft(x))
        near(cupy.from_dlpack(y), fftgen.fft(x))
        host = np.zeros(8)

        class Liar:
            __cuda_array_interface__ = {"shape": (8,), "typestr": "<f8", "data": (host.ctypes.data, False), "strides": None, "version": 3}

        with self.assertRaises(ValueError):
            fftgen.fft(Liar())

    @unittest.skipUnless(cupy and cupy.cuda.runtime.getDeviceCount() > 1, "one GPU")
    def test_devices(self):
        x = numbers("fft", 6, 20)
        with cupy.cuda.Device(1):
            there = cupy.asarray(x)
        y = fftgen.fft(there)
        self.assertEqual(y.device.id, 1)
        near(y, fftgen.fft(x))
        self.assertRaises(ValueError, fftgen.fft, there, out=cupy.zeros((6, 20), complex))


@unittest.skipUnless(torch, "no PyTorch with a GPU")
class PyTorch(unittest.TestCase):
    def there(self, x):
        return torch.from_numpy(x).cuda()

    def back(self, x):
        return x.cpu().numpy()

    def test_filters_and_frames(self):
        rng = np.random.default_rng(6)
        x, h = rng.standard_normal((4, 6, 1000)), np.fft.rfft(rng.standard_normal((6, 1000)))
        near(self.back(fftgen.filter(self.there(x), self.there(h[None]))), np.fft.irfft(np.fft.rfft(x) * h, 1000))
        a, b = rng.standard_normal((3, 64, 80)), rng.standard_normal((1, 5, 7))
        for mode in ("full", "same", "valid"):
            near(self.back(fftgen.convolve(self.there(a), self.there(b), mode, axes=(1, 2))), fftgen.convolve(a, b, mode, axes=(1, 2)))
        s = rng.standard_normal((2, 20000))
        X = fftgen.stft(self.there(s), 512, 128)
        near(self.back(X), fftgen.stft(s, 512, 128))
        near(self.back(fftgen.istft(X, 512, 128, length=20000)), fftgen.istft(fftgen.stft(s, 512, 128), 512, 128, length=20000))

    def test_functions_in_loads_and_stores(self):
        hann = fftgen.load(lambda v, k: v * (0.5 - 0.5 * fftgen.cospi(2 * k / fftgen.n)))
        decibels = fftgen.store(lambda v: 20 * fftgen.log10(abs(v) + 1e-3))
        rng = np.random.default_rng(4)
        for n in (256, 1000, 4096, 65536):
            for x in (rng.integers(0, 255, (16, n)).astype("u1"), rng.integers(-999, 999, (16, n)).astype("i2"), rng.standard_normal((16, n)).astype("f4")):
                wanted = 20 * np.log10(np.abs(np.fft.rfft(x * (.5 - .5 * np.cos(2 * np.pi * np.arange(n) / n)))) + 1e-3)
                got = self.back(fftgen.rfft(self.there(x), load=hann, store=decibels))
                self.assertEqual(got.dtype, np.float32)
                np.testing.assert_allclose(got, wanted, atol=2e-2)
        gain, x = rng.standard_normal((64, 48)), rng.standard_normal((3, 64, 48)) + 0j
        there = self.there(gain)
        for array in (gain, there):
            near(fftgen.fft2(self.there(x), store=fftgen.store(lambda v, i, j: v * array[i, j] + i)), np.fft.fft2(x) * gain + np.arange(64)[:, None])

    def tensor(self, name, *shape, dtype="f8"):
        return torch.from_numpy(numbers(name, *shape, dtype=dtype)).cuda()

    def test_functions(self):
        for name in NAMES:
            for dtype in ("f4", "f8"):
                x = self.tensor(name, 6, 50, dtype=dtype)
                for arguments in ({}, {"axis": 0, "norm": "ortho"}, {"n": 70}, {"n": 33}):
                    for _ in range(2):
                        near(getattr(fftgen, name)(x, **arguments), getattr(fftgen, name)(x.cpu().numpy(), **arguments))

    def test_halves(self):
        warnings.simplefilter("ignore")
        x = torch.randn(16, 1024, device="cuda", dtype=torch.half)
        for n in (1024, 1000, 60):
            y = fftgen.rfft(x, n)
            self.assertIs(y.dtype, torch.complex32)
            wanted = torch.fft.rfft(x.float(), n)
            error = (y.to(torch.complex64) - wanted).norm() / wanted.norm()
            self.assertLess(float(error), 2e-3)
            self.assertLess(float((fftgen.irfft(y, n).float() - x[:, :n].float()).norm() / x[:, :n].float().norm()), 4e-3)
            z = fftgen.fft(y.contiguous())
            wanted = torch.fft.fft(y.to(torch.complex64))
            self.assertLess(float((z.to(torch.complex64) - wanted).norm() / wanted.norm()), 2e-3)

    def test_lazy(self):
        x = self.tensor("fft", 6, 20)
        torch.testing.assert_close(fftgen.fft(x.conj()), torch.fft.fft(x.conj()))
        torch.testing.assert_close(fftgen.fft(x.T, axis=0), torch.fft.fft(x.T, dim=0))

    def test_streams(self):
        x = self.tensor("fft", 64, 4096, dtype="f4")
        torch.cuda.synchronize()
        results = []
        for _ in range(4):
            stream = torch.cuda.Stream()
            with torch.cuda.stream(stream):
                results.append(fftgen.fft(x * 1))
        torch.cuda.synchronize()
        for y in results:
            torch.testing.assert_close(y, torch.fft.fft(x), rtol=1e-4, atol=1e-3)

    def test_gradients(self):
        for name in ("fft", "ifft", "rfft", "irfft", "hfft", "ihfft"):
            x = self.tensor(name, 2, 7).requires_grad_()
            self.assertTrue(torch.autograd.gradcheck(lambda x: getattr(fftgen, name)(x, 9, norm="ortho"), x), name)

    def test_compiled(self):
        import fftgen.torch_ops  # noqa: F401

        f = torch.compile(lambda x: torch.ops.fftgen.fft(x * 2, [20], [1], 0), fullgraph=True)
        x = self.tensor("fft", 6, 20)
        torch.testing.assert_close(f(x), torch.fft.fft(x * 2))

    def test_graph(self):
        x = self.tensor("fft", 8, 256)
        out = torch.empty_like(x)
        fftgen.fft(x, out=out), fftgen.fft(x)
        graph = torch.cuda.CUDAGraph()
        with torch.cuda.graph(graph):
            fftgen.fft(x, out=out)
            y = fftgen.fft(x)
        x.mul_(2)
        graph.replay()
        torch.cuda.synchronize()
        torch.testing.assert_close(out, torch.fft.fft(x))
        torch.testing.assert_close(y, torch.fft.fft(x))

    def test_errors(self):
        x = self.tensor("fft", 4, 8)
        self.assertRaises(TypeError, fftgen.rfft, x)
        self.assertRaises(TypeError, fftgen.fft, x, out=torch.zeros(4, 8, dtype=torch.complex128))
        self.assertRaises(TypeError, fftgen.fft, x.cpu(), out=x)
        self.assertIs(fftgen.fft(torch.zeros(4, device="cuda", dtype=torch.bfloat16)).dtype, torch.complex64)
        if torch.cuda.device_count() > 1:
            self.assertRaises(RuntimeError, fftgen.fft, x, out=torch.zeros(4, 8, dtype=torch.complex128, device="cuda:1"))


@unittest.skipUnless(jax, "no JAX with a GPU")
class JAX(unittest.TestCase):
    def test_inside_jit(self):
        import fftgen.jax_ops as ops

        for name in NAMES:
            for shape, axis in (((3, 8), -1), ((16, 100), 0), ((4, 1 << 15), 1)):
                x = numbers(name, *shape)
                close = lambda got, wanted: np.testing.assert_allclose(np.asarray(got), wanted, rtol=0, atol=1e-11 * (1 + np.abs(wanted).max()))
                close(jax.jit(lambda x: getattr(ops, name)(x, axis=axis, norm="ortho"))(x), np.asarray(
                    getattr(fftgen, name)(x, axis=axis, norm="ortho", **({"orthogonalize": False} if "t" in name[1:] and "f" not in name else {}))))
        x = numbers("rfft", 5, 64)
        wanted = np.asarray(jax.grad(lambda x: (abs(jax.numpy.fft.rfft(x)) ** 3).sum())(x))
        np.testing.assert_allclose(np.asarray(jax.jit(jax.grad(lambda x: (abs(ops.rfft(x)) ** 3).sum()))(x)), wanted, rtol=1e-9)
        np.testing.assert_allclose(np.asarray(jax.jit(jax.vmap(ops.irfft))(x.astype(complex))), np.fft.irfft(x), atol=1e-12)

    def test_functions(self):
        for name in NAMES:
            x = numbers(name, 6, 50)
            y = getattr(fftgen, name)(jax.numpy.asarray(x), norm="ortho")
            self.assertIsInstance(y, jax.Array)
            near(y, getattr(fftgen, name)(x, norm="ortho"))

    def test_many(self):
        x = jax.numpy.asarray(numbers("fft", 64, 1024, dtype="f4"))
        wanted = fftgen.fft(np.asarray(x))
        for _ in range(50):
            y = fftgen.fft(x * 1) * 2
            near(y, wanted * 2)
        fftgen.fft(jax.numpy.arange(8))


if __name__ == "__main__":
    unittest.main()
