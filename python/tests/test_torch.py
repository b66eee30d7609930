"""PyTorch's tensors: of the host without a copy, gradients, torch.compile; and, with the GPUs of host_gpu.c, as arrays of a GPU."""

import ctypes
import unittest

import fftgen
import numpy as np

try:
    import torch
except ImportError:
    torch = None

NAMES = ("fft", "ifft", "rfft", "irfft", "hfft", "ihfft", "dct", "dst", "idct", "idst")


def numbers(name, *shape, dtype=None):
    torch.manual_seed(3)
    dtype = dtype or torch.float64
    pairs = name in ("fft", "ifft", "irfft", "hfft")
    return torch.randn(*shape, dtype=dtype.to_complex() if pairs else dtype)


@unittest.skipUnless(torch, "no PyTorch")
class Host(unittest.TestCase):
    def test_results(self):
        for name in NAMES:
            x = numbers(name, 4, 10)
            y = getattr(fftgen, name)(x, axis=0, norm="ortho")
            self.assertIsInstance(y, torch.Tensor)
            np.testing.assert_array_equal(y.numpy(), getattr(fftgen, name)(x.numpy(), axis=0, norm="ortho"))
        torch.testing.assert_close(fftgen.fft2(numbers("fft", 3, 4, 5)), torch.fft.fft2(numbers("fft", 3, 4, 5)))

    def test_out_is_the_tensors_memory(self):
        x = numbers("fft", 4, 10)
        self.assertIs(fftgen.fft(x, out=x), x)
        torch.testing.assert_close(x, torch.fft.fft(numbers("fft", 4, 10)))
        with self.assertRaises(TypeError):
            fftgen.fft(x, out=np.zeros((4, 10), complex))
        with self.assertRaises(TypeError):
            fftgen.fft(x.numpy(), out=x)

    def test_lazy_tensors(self):
        x = numbers("fft", 8)
        torch.testing.assert_close(fftgen.fft(x.conj()), torch.fft.fft(x.conj()))
        torch.testing.assert_close(fftgen.fft(x.conj().imag), torch.fft.fft(x.conj().imag))

    def test_errors(self):
        for x in (torch.zeros(4, device="meta"), torch.zeros(4).to_sparse()):
            with self.assertRaises(TypeError):
                fftgen.fft(x)

    def test_halves_become_single(self):
        for dtype in (torch.float16, torch.bfloat16):
            for name in NAMES:
                x = torch.randn(4, 9).to(dtype)
                y = getattr(fftgen, name)(x)
                self.assertIs(y.dtype, torch.complex64 if name in ("fft", "ifft", "rfft", "ihfft") else torch.float32)
                torch.testing.assert_close(y, getattr(fftgen, name)(x.float()))
                recorded = getattr(fftgen, name)(x.requires_grad_())
                torch.testing.assert_close(recorded, y)
                recorded.abs().sum().backward()
                self.assertIs(x.grad.dtype, dtype)
            out = torch.empty(4, 9, dtype=dtype)
            self.assertIs(fftgen.dct(x.detach(), out=out), out)
            torch.testing.assert_close(out, fftgen.dct(x.detach().float()).to(dtype))
            with self.assertRaises(ValueError):
                fftgen.dct(x.detach(), out=out[:2])
            with self.assertRaises(TypeError):
                fftgen.fft(x.detach(), out=out)
            self.assertIs(fftgen.filter(x.detach(), torch.ones(5, dtype=torch.complex64)).dtype, torch.float32)

    def test_long_convolutions(self):
        import fftgen.torch_ops
        from test_fused import KERNELS

        x, h = torch.randn(2, 3, 10, dtype=torch.float64), torch.randn(3, 7, dtype=torch.float64)

        def wanted(x, h):
            n = x.shape[-1] + h.shape[-1]
            return torch.fft.irfft(torch.fft.rfft(x, n) * torch.fft.rfft(h, n), n)[..., : x.shape[-1]]

        for kernel in (False,) if KERNELS else (False, True):
            a, b = x.clone().requires_grad_(), h.clone().requires_grad_()
            convolved = lambda x, h: torch.ops.fftgen.long_convolution(x, h, kernel)  # noqa: E731
            torch.testing.assert_close(convolved(a, b), wanted(x, h))
            self.assertTrue(torch.autograd.gradcheck(convolved, (a, b)))
            self.assertTrue(torch.autograd.gradgradcheck(convolved, (a, b)))
            for dtype in (torch.float32, torch.float16, torch.bfloat16):
                c, d = x.to(dtype).requires_grad_(), h.float().requires_grad_()
                y, g = convolved(c, d), torch.randn(2, 3, 10)
                self.assertIs(y.dtype, torch.float32)  # halves of the host become single
                y.backward(g)
                c64, d64 = c.detach().double().requires_grad_(), d.detach().double().requires_grad_()
                wanted(c64, d64).backward(g.double())
                self.assertIs(c.grad.dtype, dtype)
                torch.testing.assert_close(d.grad, d64.grad.float(), atol=1e-4, rtol=1e-4)
                torch.testing.assert_close(c.grad.double(), c64.grad, atol=.05, rtol=.05) if dtype != torch.float32 else \
                    torch.testing.assert_close(c.grad, c64.grad.float(), atol=1e-4, rtol=1e-4)
        torch.library.opcheck(torch.ops.fftgen.long_convolution.default, (x.requires_grad_(), h.requires_grad_()),
                              test_utils=("test_schema", "test_faketensor"))

    def test_gradients(self):
        for name in ("fft", "ifft", "rfft", "irfft", "hfft", "ihfft"):
            for norm in (None, "ortho", "forward"):
                for n in (5, 6, 8, 12):
                    x = numbers(name, 2, 7).requires_grad_()
                    self.assertTrue(torch.autograd.gradcheck(lambda x: getattr(fftgen, name)(x, n, norm=norm), x), (name, norm, n))
        for name in ("fftn", "rfftn", "irfftn"):
            x = numbers(name[:-1], 3, 4, 5).requires_grad_()
            self.assertTrue(torch.autograd.gradcheck(lambda x: getattr(fftgen, name)(x, axes=(2, 0)), x), name)
        x = torch.randn(6, dtype=torch.float64, requires_grad=True)  # reals to a full spectrum
        self.assertTrue(torch.autograd.gradcheck(fftgen.fft, x))
        self.assertTrue(torch.autograd.gradgradcheck(fftgen.rfft, x))
        for name in ("dct", "idct", "dst", "idst"):
            for type in (1, 2, 3, 4):
                for arguments in ({}, {"norm": "ortho"}, {"norm": "forward"}, {"norm": "ortho", "orthogonalize": False}, {"orthogonalize": True}):
                    for n in (5, 7, 9):
                        f = lambda x: getattr(fftgen, name)(x, type, n, **arguments)  # noqa: E731
                        y = torch.randn(2, 7, dtype=torch.float64, requires_grad=True)
                        self.assertTrue(torch.autograd.gradcheck(f, y), (name, type, n, arguments))
        y = torch.randn(3, 4, 5, dtype=torch.float64, requires_grad=True)
        self.assertTrue(torch.autograd.gradcheck(lambda x: fftgen.dctn(x, 3, axes=(0, 2)), y))
        self.assertTrue(torch.autograd.gradcheck(lambda x: fftgen.dstn(x, 2, axes=(2, 1)), y))
        with torch.no_grad():
            self.assertFalse(fftgen.dct(x).requires_grad)

    def test_plans(self):
        x = numbers("rfft", 3, 8)
        p, out = fftgen.plan(x, "rfft", norm="ortho"), torch.zeros(3, 5, dtype=torch.complex128)
        wanted = torch.fft.rfft(x, norm="ortho")
        for got in (p(), p(x), p(x, out), out, fftgen.plan(x, "rfft", norm="ortho", out=out)()):
            self.assertIsInstance(got, torch.Tensor)
            torch.testing.assert_close(got, wanted)
        torch.testing.assert_close(p.inverse(p()), x)
        torch.testing.assert_close(fftgen.plan(x, "fft", s=11)(), torch.fft.fft(x, 11))
        torch.testing.assert_close(fftgen.plan(x.to(torch.complex64).conj(), "ifft2")(), torch.fft.ifft2(x.to(torch.complex64)))
        self.assertEqual(p.problem, "r2c f64 n=8:1:1 batch=3:8:5 scale=1/sqrt(n)")
        for error, bad in ((TypeError, lambda: p(x, np.zeros((3, 5), complex))), (ValueError, lambda: p(x.float())), (TypeError, lambda: p(x.clone().requires_grad_())),
                           (TypeError, lambda: fftgen.plan(x.clone().requires_grad_())), (TypeError, lambda: fftgen.plan(x.to("meta")))):
            self.assertRaises(error, bad)

    def test_gradients_of_reals_to_hermitian(self):
        for name in ("fft", "ifft", "irfft", "hfft"):
            x = torch.randn(2, 7, dtype=torch.float64, requires_grad=True)
            self.assertTrue(torch.autograd.gradcheck(lambda x: getattr(fftgen, name)(x), x), name)

    def test_operators(self):
        import fftgen.torch_ops  # noqa: F401

        for norm in (-1, 3, 7):
            with self.assertRaisesRegex(ValueError, "norm"):
                torch.ops.fftgen.fft(torch.ones(4, dtype=torch.complex64), [4], [0], norm)

        x = numbers("fft", 4, 10)
        torch.testing.assert_close(torch.ops.fftgen.fft(x, [10], [1], 0), torch.fft.fft(x))
        for name in ("fft", "ifft", "rfft", "irfft"):
            torch.library.opcheck(getattr(torch.ops.fftgen, name).default, (numbers(name, 4, 10).requires_grad_(), [10, 4], [1, 0], 1))
        torch.library.opcheck(torch.ops.fftgen.dct.default, (numbers("dct", 4, 10).requires_grad_(), 2, [10], [1], 0, False))


class Named:
    """What functions read."""

    if torch:
        gain, rows, image = torch.linspace(.5, 1, 12, dtype=torch.float64), torch.arange(1., 5, dtype=torch.float64), np.arange(60.).reshape(5, 12)


def functions():
    """Names, loads, stores, of rfft, dct and others of arrays (4, 5, 12)."""
    hann = fftgen.load(lambda v, k: v * (0.5 - 0.5 * fftgen.cospi(2 * k / fftgen.n)))
    named = fftgen.load(lambda v, k: v * fftgen.operand(Named.gain)[k] + .25)
    channels = fftgen.load(lambda v, k: v * fftgen.operand(Named.image)[fftgen.channel, k] + fftgen.batch)
    decibels = fftgen.store(lambda v: 20 * fftgen.log10(abs(v) + 1e-3))
    half = fftgen.store(lambda v, k: fftgen.maximum(fftgen.real(v), .5 * fftgen.imag(v)) / (k + 1))
    turned = fftgen.store(lambda v, k: v.conj() * fftgen.expi(k) - fftgen.complex(abs(v), 1))
    twice = fftgen.store(lambda v: 2 * v + fftgen.sqrt(abs(v)))
    halves = fftgen.store(lambda v, j, k: v * (j + 1) / (k + 2) + fftgen.where(j > k, v, 0))
    return (("rfft", {}, hann, decibels), ("rfft", {"n": 15, "norm": "ortho"}, hann, half), ("fft", {}, named, turned), ("ifft", {"n": 10}, None, turned),
            ("dct", {"norm": "ortho"}, named, twice), ("irfft", {}, channels, twice), ("rfft2", {}, None, halves), ("dst", {"axis": 1}, hann, None))


def from_functions(test, tolerance=1e-10, **arguments):
    """Results and gradients with load= and store= are those of tensors without gradients, and of differences."""
    for name, more, load, store in functions():
        torch.manual_seed(4)
        x = numbers(name, 4, 5, 12)
        if load is not None and name not in ("irfft",) and "n" in more:
            x = x[..., :11]

        def call(x):
            return getattr(fftgen, name)(x, **more, load=load, store=store)

        with test.subTest(name=name, **more):
            y = call(x.clone().requires_grad_())
            test.assertTrue(y.requires_grad)
            torch.testing.assert_close(y.detach(), call(x), atol=tolerance, rtol=tolerance)
            if arguments.get("check", True):
                few = x[:1, :2].clone() if name not in ("rfft2", "dst", "irfft") else x[:1].clone()
                test.assertTrue(torch.autograd.gradcheck(call, few.requires_grad_(), fast_mode=True))


try:
    fftgen._core.host_plan("c2c f32 n=8")
    KERNELS = True
except NotImplementedError:
    KERNELS = False


@unittest.skipUnless(torch and KERNELS, "no PyTorch, or no kernels")
class Functions(unittest.TestCase):
    def test_gradients(self):
        from_functions(self)

    def test_gradients_of_named_tensors(self):
        gain = torch.linspace(1, 2, 12, dtype=torch.float64, requires_grad=True)
        load = fftgen.load(lambda v, k: v * fftgen.operand(gain)[k])
        x = numbers("rfft", 3, 12)
        y = fftgen.rfft(x, load=load)
        wanted = torch.fft.rfft(x * gain)
        torch.testing.assert_close(y, wanted)
        got, of = (torch.autograd.grad(r.abs().sum(), gain)[0] for r in (y, wanted))
        torch.testing.assert_close(got, of)
        self.assertTrue(fftgen.rfft(torch.arange(12).to(torch.uint8), load=load).requires_grad)
        with torch.no_grad():
            self.assertFalse(fftgen.rfft(x, load=load).requires_grad)
        for call in (lambda: fftgen.rfft(x.numpy(), load=load), lambda: fftgen.plan(x.numpy(), "rfft", load=load)):
            with self.assertRaisesRegex(TypeError, "gradients"):
                call()

    def test_refused(self):
        x = numbers("rfft", 3, 12).requires_grad_()
        complex_ = fftgen.load(lambda v: v * 1j)
        for error, call in ((TypeError, lambda: fftgen.rfft(x, load=complex_)), (TypeError, lambda: fftgen.rfft(x, load=lambda v: v)),
                            (ValueError, lambda: fftgen.rfft(x, load=functions()[0][2], out=torch.zeros(7, dtype=torch.complex128))),
                            (TypeError, lambda: fftgen.rfft(x, store=functions()[0][3], out=torch.zeros(3, 7, dtype=torch.uint8))),
                            (TypeError, lambda: fftgen.rfft((x + 1j), load=functions()[0][2]))):
            self.assertRaises(error, call)


def on_host_gpu(exchange=True):
    """Tensors of the host count as a GPU's: everything but PyTorch's own streams."""
    from fftgen import _arrays, _gpu, _torch

    class HostGPU(_torch.Torch):
        def takes(self, out):
            return isinstance(out, torch.Tensor)

    library = HostGPU()
    tensor = torch.Tensor
    fftgen._core.gpu_library("torch", (tensor, torch.nn.Parameter), tuple(_torch._TYPES.get(n) for n in _gpu.NUMBERS), {
        "stream": lambda device: 0, "data_ptr": tensor.data_ptr, "get_device": lambda x: 0, "stride": tensor.stride, "is_conj": tensor.is_conj,
        "is_neg": tensor.is_neg, "is_grad_enabled": torch.is_grad_enabled, "device_type": 1,
        "exchange": getattr(tensor, "__dlpack_c_exchange_api__", None) if exchange else None})
    before = _arrays._HOMES["torch"]
    _arrays._HOMES["torch"] = lambda x: lambda row, style, call: _gpu.transform(row, style, call, library)
    return lambda: _arrays._HOMES.update(torch=before)


@unittest.skipUnless(torch and hasattr(ctypes.CDLL(None), "host_set_device"), "host_gpu.c is not preloaded")
class GPU(unittest.TestCase):
    exchange = False

    def setUp(self):
        self.addCleanup(on_host_gpu(self.exchange))
        self.launches = ctypes.c_int.in_dll(ctypes.CDLL(None), "host_launches")

    def test_results(self):
        for name in NAMES:
            for dtype in (torch.float32, torch.float64):
                x = numbers(name, 4, 5, 12, dtype=dtype).transpose(0, 2)
                for arguments in ({"axis": 0}, {"axis": 1, "norm": "ortho"}, {"n": 9, "norm": "forward"}, {"n": 3}):
                    wanted = torch.from_numpy(getattr(fftgen, name)(x.numpy(), **arguments))
                    for _ in range(2):
                        launches = self.launches.value
                        got = getattr(fftgen, name)(x, **arguments)
                        self.assertEqual(self.launches.value, launches + 1)
                        torch.testing.assert_close(got, wanted, atol=1e-4 if dtype is torch.float32 else 1e-10, rtol=1e-5)

    def test_halves(self):
        x = torch.randn(4, 12).to(torch.float16)
        for name in ("rfft", "dct", "fft"):
            y = getattr(fftgen, name)(x)
            self.assertIs(y.dtype, torch.float16 if name == "dct" else torch.complex32)
            wanted = getattr(fftgen, name)(x.float().numpy())
            np.testing.assert_allclose((y.float() if name == "dct" else y.to(torch.complex64)).numpy(), wanted, atol=.05)
        z = fftgen.irfft(fftgen.rfft(x), 12)
        torch.testing.assert_close(z, x, atol=.02, rtol=.02)

    def test_bfloats(self):
        x = torch.randn(4, 12).to(torch.bfloat16)
        for name in NAMES:
            y = getattr(fftgen, name)(x)
            wanted = getattr(fftgen, name)(x.float())
            self.assertIs(y.dtype, torch.bfloat16 if name[-3:] in ("dct", "dst") else wanted.dtype, name)
            torch.testing.assert_close(y.to(wanted.dtype), wanted, atol=.1, rtol=.01)
        double = fftgen.store(lambda v: 2 * v)
        torch.testing.assert_close(fftgen.rfft(x, store=double), 2 * fftgen.rfft(x))
        self.assertIs(fftgen.stft(x, 4, 2).dtype, torch.complex64)

    @unittest.skipUnless(torch and hasattr(torch, "bcomplex32"), "this PyTorch has no pairs of bfloats")
    def test_pairs_of_bfloats(self):
        x, out = torch.randn(4, 12).to(torch.bfloat16), torch.empty(4, 7, dtype=torch.bcomplex32)
        for _ in range(2):
            launches = self.launches.value
            self.assertIs(fftgen.rfft(x, out=out), out)
            self.assertEqual(self.launches.value, launches + 1)
            torch.testing.assert_close(out.to(torch.complex64), fftgen.rfft(x.float()), atol=.05, rtol=.01)
        z = fftgen.irfft(out, 12)
        self.assertIs(z.dtype, torch.bfloat16)
        torch.testing.assert_close(z, x, atol=.05, rtol=.05)
        y = fftgen.fft(out)
        self.assertIs(y.dtype, torch.bcomplex32)
        torch.testing.assert_close(y.to(torch.complex64), fftgen.fft(out.to(torch.complex64)), atol=.1, rtol=.01)

    def test_lazy_tensors(self):
        x = numbers("fft", 8)
        torch.testing.assert_close(fftgen.fft(x.conj()), torch.fft.fft(x.conj()))
        torch.testing.assert_close(fftgen.fft(x.conj().imag), torch.fft.fft(x.conj().imag))
        torch.testing.assert_close(fftgen.fft(x[:1].expand(6)), torch.fft.fft(x[:1].expand(6)))

    def test_out(self):
        x = numbers("fft", 4, 8)
        out = torch.zeros(8, 4, dtype=torch.complex128).T
        for _ in range(2):
            self.assertIs(fftgen.fft(x, out=out), out)
            torch.testing.assert_close(out, torch.fft.fft(x))
        self.assertIs(fftgen.fft(x, out=x), x)
        torch.testing.assert_close(x, out)
        for error, bad in ((TypeError, torch.zeros(4, 8)), (ValueError, torch.zeros(4, 9, dtype=torch.complex128)), (TypeError, np.zeros((4, 8), complex))):
            with self.assertRaises(error):
                fftgen.fft(x, out=bad)

    def test_gradients(self):
        for name in ("fft", "ifft", "rfft", "irfft", "hfft", "ihfft"):
            x = numbers(name, 2, 7).requires_grad_()
            self.assertTrue(torch.autograd.gradcheck(lambda x: getattr(fftgen, name)(x, 9, norm="ortho"), x), name)
        weight = torch.nn.Parameter(numbers("rfft", 8))
        fftgen.rfft(weight).abs().sum().backward()
        self.assertEqual(weight.grad.shape, weight.shape)
        launches = self.launches.value
        with torch.no_grad():
            self.assertFalse(fftgen.rfft(weight).requires_grad)
        self.assertEqual(self.launches.value, launches + 1)

    def test_functions_have_gradients(self):
        from_functions(self)

    def test_halves_in_functions(self):
        x, gain = torch.randn(4, 12).to(torch.float16), np.linspace(1, 2, 12)
        load = fftgen.load(lambda v, k: v * fftgen.operand(gain)[k] * (0.5 - 0.5 * fftgen.cospi(2 * k / fftgen.n)))
        for name in ("rfft", "dct"):
            y = getattr(fftgen, name)(x, load=load, norm="ortho")
            wanted = getattr(fftgen, name)(x.float().numpy() * gain * (.5 - .5 * np.cos(np.pi * np.arange(12) / 6)), norm="ortho")
            np.testing.assert_allclose((y.float() if name == "dct" else y.to(torch.complex64)).numpy(), wanted, atol=.02)

    def test_results_are_row_major(self):
        for shape in ((3, 1, 5), (1, 1), (4, 0, 6), (2, 3, 4)):
            y = fftgen.rfft(torch.zeros(shape), 8)
            self.assertTrue(y.is_contiguous() and y.stride() == torch.empty(y.shape).stride(), (shape, y.stride()))

    def test_types(self):
        self.assertIs(fftgen.fft(torch.arange(8)).dtype, torch.complex64)
        with self.assertRaises(TypeError):
            fftgen.rfft(torch.zeros(4, dtype=torch.complex64))


class GPUByExchange(GPU):
    """The same through DLPack's table of functions, where PyTorch has it."""

    exchange = True


if __name__ == "__main__":
    unittest.main()
