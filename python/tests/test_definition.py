"""Each function against its sum, all lengths to 20 and some that need longer methods."""

import itertools
import unittest

import fftgen
import numpy as np

LENGTHS = [*range(1, 21), 31, 60, 97, 134]
NORMS = ("backward", "ortho", "forward")


def dft(n, sign):
    k = np.arange(n)
    return np.exp(sign * 2j * np.pi * np.outer(k, k) / n)


def cosine(n, type):
    k, j = np.arange(n)[:, None], np.arange(n)[None, :]
    if type == 1:
        m = 2 * np.cos(np.pi * j * k / (n - 1))
        m[:, 0] /= 2
        m[:, -1] /= 2
        return m
    if type == 3:
        m = 2 * np.cos(np.pi * j * (2 * k + 1) / (2 * n))
        m[:, 0] /= 2
        return m
    return 2 * np.cos(np.pi * (2 * j + 1) * (k / (2 * n) if type == 2 else (2 * k + 1) / (4 * n)))


def sine(n, type):
    k, j = np.arange(n)[:, None], np.arange(n)[None, :]
    if type == 1:
        return 2 * np.sin(np.pi * (j + 1) * (k + 1) / (n + 1))
    if type == 3:
        m = 2 * np.sin(np.pi * (j + 1) * (2 * k + 1) / (2 * n))
        m[:, -1] /= 2
        return m
    return 2 * np.sin(np.pi * (2 * j + 1) * ((k + 1) / (2 * n) if type == 2 else (2 * k + 1) / (4 * n)))


class Definition(unittest.TestCase):
    def setUp(self):
        self.rng = np.random.default_rng(34)

    def numbers(self, n, dtype):
        x = self.rng.standard_normal((3, n)) + 1j * self.rng.standard_normal((3, n))
        return (x if np.dtype(dtype).kind == "c" else x.real).astype(dtype)

    def near(self, got, wanted, dtype, what):
        single = np.dtype(dtype).itemsize // (2 if np.dtype(dtype).kind == "c" else 1) == 4
        self.assertEqual(got.shape, wanted.shape, what)
        self.assertLess(np.abs(got - wanted).max(), (3e-6 if single else 5e-15) * (1 + np.abs(wanted).max()) * 20, what)
        self.assertEqual(got.dtype.itemsize // (2 if got.dtype.kind == "c" else 1), 4 if single else 8)

    def test_dft(self):
        for n, dtype, norm in itertools.product(LENGTHS, ("f4", "f8", "c8", "c16"), NORMS):
            x = self.numbers(n, dtype)
            forward = {"backward": 1, "ortho": n ** -.5, "forward": 1 / n}[norm]
            wanted = x @ dft(n, -1) * forward
            self.near(fftgen.fft(x, norm=norm), wanted, dtype, (n, dtype, norm))
            self.near(fftgen.ifft(x, norm=norm), x @ dft(n, 1) / n / forward, dtype, (n, dtype, norm))
            if np.dtype(dtype).kind == "f":
                self.near(fftgen.rfft(x, norm=norm), wanted[:, :n // 2 + 1], dtype, (n, norm))
                self.near(fftgen.ihfft(x, norm=norm), (x @ dft(n, 1) / n / forward)[:, :n // 2 + 1], dtype, (n, norm))
                self.near(fftgen.irfft(fftgen.rfft(x, norm=norm), n, norm=norm), x, dtype, (n, norm))
                self.near(fftgen.hfft(fftgen.ihfft(x, norm=norm), n, norm=norm), x, dtype, (n, norm))

    def test_trigonometric(self):
        for n, type, dtype in itertools.product(LENGTHS, (1, 2, 3, 4), ("f4", "f8", "c16")):
            x = self.numbers(n, dtype)
            for forth, back, matrix in ((fftgen.dct, fftgen.idct, cosine), (fftgen.dst, fftgen.idst, sine)):
                if matrix is cosine and type == 1 and n < 2:
                    continue
                self.near(forth(x, type), x @ matrix(n, type).T, dtype, (n, type, dtype))
                for norm in NORMS:
                    self.near(back(forth(x, type, norm=norm), type, norm=norm), x, dtype, (n, type, norm))

    def test_orthogonal(self):
        for n, type in itertools.product(range(2, 12), (1, 2, 3, 4)):
            for f in (fftgen.dct, fftgen.dst):
                m = f(np.eye(n), type, norm="ortho")
                np.testing.assert_allclose(m @ m.T, np.eye(n), atol=1e-14)
                plain = f(np.eye(n), type, norm="ortho", orthogonalize=False)
                scaled = f(np.eye(n), type, orthogonalize=True)
                self.assertAlmostEqual(np.abs(np.linalg.det(scaled)) ** (1 / n) / np.sqrt(
                    2 * (n + (0 if type > 1 else -1 if f is fftgen.dct else 1))), 1)
                if n > 2 and (type in (2, 3) or (type == 1 and f is fftgen.dct)):
                    self.assertGreater(np.abs(plain @ plain.T - np.eye(n)).max(), .01)

    def test_dimensions(self):
        x = self.rng.standard_normal((4, 6, 5)) + 1j * self.rng.standard_normal((4, 6, 5))
        wanted = x
        for axis, n in ((0, 4), (2, 5)):
            wanted = np.moveaxis(np.moveaxis(wanted, axis, -1) @ dft(n, -1), -1, axis)
        for axes in ((0, 2), (2, 0), (-3, -1)):
            np.testing.assert_allclose(fftgen.fftn(x, axes=axes), wanted, atol=1e-12)
            np.testing.assert_allclose(fftgen.ifftn(wanted, axes=axes), x, atol=1e-12)
        np.testing.assert_allclose(fftgen.irfftn(fftgen.rfftn(x.real, axes=(2, 1)), (5, 6), axes=(2, 1)), x.real, atol=1e-12)
        np.testing.assert_allclose(fftgen.fftn(x.real), fftgen.fftn(x.real + 0j), atol=1e-12)
        np.testing.assert_allclose(fftgen.ifft2(x.real), fftgen.ifft2(x.real + 0j), atol=1e-12)


if __name__ == "__main__":
    unittest.main()
