"""filter, convolve, stft and istft, by kernels and without, against SciPy and definitions."""

import inspect
import unittest

import fftgen
import numpy as np
from test_fused import KERNELS

try:
    import scipy.signal
except ImportError:
    scipy = None

rng = np.random.default_rng(11)


def numbers(*shape, dtype="f8"):
    x = rng.standard_normal(shape)
    return (x + 1j * rng.standard_normal(shape) if np.dtype(dtype).kind == "c" else x).astype(dtype)


def close(got, wanted):
    wanted = np.asarray(wanted)
    assert got.shape == wanted.shape, (got.shape, wanted.shape)
    assert got.dtype.kind == wanted.dtype.kind, (got.dtype, wanted.dtype)
    single = got.dtype in (np.float32, np.complex64)
    np.testing.assert_allclose(got, wanted, rtol=0, atol=(3e-5 if single else 1e-11) * (1 + np.abs(wanted).max(initial=0)))


def ways():
    return (False,) if KERNELS else (False, True)


class Filters(unittest.TestCase):
    def test_real_and_complex(self):
        for kernel in ways():
            for dtype in ("f4", "f8", "c8", "c16"):
                for n in (16, 60, 101):
                    x, h = numbers(3, n, dtype=dtype), numbers(3, n, dtype=dtype)
                    one, back = (np.fft.fft, np.fft.ifft) if np.dtype(dtype).kind == "c" else (np.fft.rfft, np.fft.irfft)
                    args = () if np.dtype(dtype).kind == "c" else (n,)
                    for spectrum in (one(h), one(h[:1]), one(h[0])):
                        close(fftgen.filter(x, spectrum.astype("c8" if dtype in ("f4", "c8") else "c16"), kernel=kernel),
                              back(one(x) * spectrum, *args).astype(dtype))

    def test_batches_and_axes(self):
        for kernel in ways():
            x = numbers(4, 5, 12)
            channels, each = np.fft.rfft(numbers(5, 12)), np.fft.rfft(numbers(4, 5, 12))
            close(fftgen.filter(x, channels[None], kernel=kernel), np.fft.irfft(np.fft.rfft(x) * channels, 12))
            close(fftgen.filter(x, each, kernel=kernel), np.fft.irfft(np.fft.rfft(x) * each, 12))
            close(fftgen.filter(x, each[:, :1], kernel=kernel), np.fft.irfft(np.fft.rfft(x) * each[:, :1], 12))
            h = np.fft.rfft(numbers(4))
            close(fftgen.filter(x, h, axes=0, kernel=kernel), np.fft.irfft(np.fft.rfft(x, axis=0) * h[:, None, None], 4, axis=0))
            plane = np.fft.rfft2(numbers(5, 12))
            close(fftgen.filter(x, plane, axes=(1, 2), kernel=kernel), np.fft.irfft2(np.fft.rfft2(x) * plane, (5, 12)))
            close(fftgen.filter(x[::-1, ::2, ::-1], plane[::2][:3] * 0 + np.fft.rfft2(np.eye(3, 12)), axes=(1, 2), kernel=kernel),
                  np.fft.irfft2(np.fft.rfft2(x[::-1, ::2, ::-1]) * np.fft.rfft2(np.eye(3, 12)), (3, 12)))
            close(fftgen.filter(x, np.fft.fft(numbers(12)) * 0 + 1j, kernel=kernel), 1j * x)  # a full spectrum: complex results

    def test_errors(self):
        x = numbers(3, 12)
        for error, call in ((ValueError, lambda: fftgen.filter(x, np.ones(6))), (ValueError, lambda: fftgen.filter(x, np.ones((2, 7)))),
                            (ValueError, lambda: fftgen.filter(x + 0j, np.ones(7))), (IndexError, lambda: fftgen.filter(x, np.ones(7), axes=2)),
                            (ValueError, lambda: fftgen.filter(x, np.ones(7), axes=(1, 1))), (TypeError, lambda: fftgen.filter("x", np.ones(7))),
                            (ValueError, lambda: fftgen.convolve(x, np.ones(3))), (ValueError, lambda: fftgen.convolve(x, x, "most")),
                            (ValueError, lambda: fftgen.convolve(x, np.ones((2, 3)), axes=1)),
                            (ValueError, lambda: fftgen.convolve(np.ones((3, 9)), np.ones((4, 2)), "valid"))):
            with self.assertRaises(error):
                call()
        with self.assertRaisesRegex(ValueError, r"\(6,\) numbers along axes \(1,\).*\(7,\), half.* or \(12,\)"):
            fftgen.filter(x, np.ones(6))


@unittest.skipUnless(scipy, "no SciPy")
class Convolutions(unittest.TestCase):
    def test_modes(self):
        for kernel in ways():
            for mode in ("full", "same", "valid"):
                for lengths in ((20, 7), (20, 8), (7, 20), (33, 1), (5, 5), (100, 64)):
                    for dtype in ("f8", "c16"):
                        a, b = numbers(lengths[0], dtype=dtype), numbers(lengths[1], dtype=dtype)
                        close(fftgen.convolve(a, b, mode, kernel=kernel), scipy.signal.fftconvolve(a, b, mode))
                a, b = numbers(3, 12, 20, dtype="f4"), numbers(1, 5, 4, dtype="f4")
                close(fftgen.convolve(a, b, mode, axes=(1, 2), kernel=kernel), scipy.signal.fftconvolve(a, b, mode, axes=(1, 2)).astype("f4"))
                a, b = numbers(12, 20), numbers(5, 4, dtype="c16")
                close(fftgen.convolve(a, b, mode, kernel=kernel), scipy.signal.fftconvolve(a, b, mode))
                for left, right in (((2, 3, 20), (1, 3, 6)), ((2, 3, 20), (2, 3, 6)), ((2, 3, 20), (2, 1, 6)), ((1, 1, 20), (2, 3, 6))):
                    a, b = numbers(*left), numbers(*right)
                    whole = np.broadcast_to(a, (2, 3, 20))  # SciPy's "same" has fewer results than there are filters
                    close(fftgen.convolve(a, b, mode, axes=-1, kernel=kernel), scipy.signal.fftconvolve(whole, b, mode, axes=-1))

    def test_types(self):
        self.assertEqual(fftgen.convolve(numbers(9, dtype="f4"), numbers(3, dtype="f4")).dtype, np.float32)
        self.assertEqual(fftgen.convolve(numbers(9, dtype="f4"), numbers(3)).dtype, np.float64)
        close(fftgen.convolve([1, 2, 3], [1, 1]), np.array([1., 3, 5, 3]))
        self.assertEqual(fftgen.convolve(np.ones(0), np.ones(3)).shape, (0,))


class Outputs(unittest.TestCase):
    def test_out_and_workers(self):
        x, h = numbers(64, 600), np.fft.rfft(numbers(600))
        X = fftgen.stft(x, 64, 16)
        for kernel in ways():
            for call in (lambda **more: fftgen.filter(x, h, kernel=kernel, **more), lambda **more: fftgen.convolve(x, x[:1, :9], "same", axes=-1, kernel=kernel, **more),
                         lambda **more: fftgen.stft(x, 64, 16, kernel=kernel, **more), lambda **more: fftgen.istft(X, 64, 16, kernel=kernel, **more)):
                wanted = call()
                out = np.zeros(wanted.shape[::-1], wanted.dtype).T
                self.assertIs(call(out=out), out)
                close(out, wanted)
                close(call(workers=2), wanted)
                for error, more in ((ValueError, {"out": out[:1]}), (TypeError, {"out": [1]}), (TypeError, {"out": np.zeros(wanted.shape, "u1")}),
                                    (ValueError, {"workers": 0})):
                    with self.assertRaises(error):
                        call(**more)
        self.assertEqual(fftgen.get_workers(), 1)
        self.assertIn("workers", str(inspect.signature(fftgen.filter)))


class Frames(unittest.TestCase):
    def by_definition(self, x, n, hop, window, norm=1):
        starts = range(0, x.shape[-1] - n + 1, hop)
        one = np.fft.fft if x.dtype.kind == "c" else np.fft.rfft
        return np.stack([one(x[..., s:s + n] * window) for s in starts], axis=-1) * norm

    def test_definition(self):
        for kernel in ways():
            for dtype in ("f4", "f8", "c16"):
                for n, hop, name in ((16, 4, "hann"), (30, 7, "hamming"), (64, 64, "boxcar"), (8, 20, "sine")):
                    x = numbers(2, 200, dtype=dtype)
                    window = scipy.signal.get_window(name, n) if scipy and name not in ("sine",) else np.sin(np.pi * (np.arange(n) + .5) / n)
                    got = fftgen.stft(x, n, hop, name, center=False, kernel=kernel)
                    close(got, self.by_definition(x, n, hop, window).astype("c8" if dtype == "f4" else "c16"))
                    for pad in ("reflect", "constant"):
                        edges = np.pad(x, ((0, 0), (n // 2, n // 2)), mode=pad)
                        close(fftgen.stft(x, n, hop, name, pad=pad, kernel=kernel), self.by_definition(edges, n, hop, window).astype(got.dtype))

    def test_windows_and_axes(self):
        x = numbers(300, 3)
        w = np.hanning(20)
        close(fftgen.stft(x, 32, 8, w, axis=0, center=False), self.by_definition(x.T, 32, 8, np.pad(w, 6)))
        close(fftgen.stft(x[::2].T, 32, 8, center=False, norm="ortho"), fftgen.stft(x[::2], 32, 8, axis=0, center=False) / np.sqrt(32))
        if scipy:
            for name in ("hann", "hamming", "blackman", "blackmanharris", "nuttall"):
                close(fftgen.stft(x.T, 40, 10, name, center=False), self.by_definition(x.T, 40, 10, scipy.signal.get_window(name, 40)))

    @unittest.skipUnless(scipy and hasattr(scipy.signal, "ShortTimeFFT"), "no ShortTimeFFT")
    def test_as_scipy(self):
        x, n, hop = numbers(1000), 64, 16
        t = scipy.signal.ShortTimeFFT(scipy.signal.get_window("hann", n), hop, 1, phase_shift=None)
        close(fftgen.stft(x, n, hop, pad="constant"), t.stft(x, p0=0, p1=1 + 1000 // hop))

    def test_back(self):
        for kernel in ways():
            for dtype in ("f4", "f8", "c16"):
                for n, hop in ((16, 4), (30, 7), (64, 32), (33, 8)):
                    x, real = numbers(2, 400, dtype=dtype), dtype != "c16"
                    for norm in (None, "ortho"):
                        X = fftgen.stft(x, n, hop, norm=norm)
                        close(fftgen.istft(X, n, hop, norm=norm, length=400, real=real, kernel=kernel)[..., :380], x[..., :380])
        y = fftgen.istft(fftgen.stft(numbers(400), 32, 8), 32, 8, length=500)
        self.assertEqual(y.shape, (500,))
        self.assertTrue((y[420:] == 0).all())

    @unittest.skipIf(KERNELS, "no kernels")
    def test_functions_of_results(self):
        x = numbers(3, 500, dtype="f4")
        power = fftgen.store(lambda v: fftgen.log10(v.real ** 2 + v.imag ** 2 + 1e-3))
        close(fftgen.stft(x, 64, 16, store=power), np.log10(np.abs(fftgen.stft(x, 64, 16)) ** 2 + 1e-3))

    def test_errors(self):
        x = numbers(100)
        with self.assertRaisesRegex(ValueError, "-4"):
            fftgen.istft(fftgen.stft(x, 32, 8), 32, 8, length=-4)
        for call in (lambda: fftgen.stft(x, 0), lambda: fftgen.stft(x, 16, 0), lambda: fftgen.stft(x, 16, window="round"), lambda: fftgen.stft(x, 300),
                     lambda: fftgen.stft(x, 16, window=np.ones(17)), lambda: fftgen.stft(x, 128, center=False), lambda: fftgen.stft(x, 16, pad="wrap"),
                     lambda: fftgen.istft(np.zeros((8, 3)), 16), lambda: fftgen.istft(np.zeros((9, 3), complex), 16, 16, center=False)):
            with self.assertRaises(ValueError):
                call()


if __name__ == "__main__":
    unittest.main()
