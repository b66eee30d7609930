"""Long convolutions and their gradients, by programs and without, against sums."""

import unittest

import numpy as np
from fftgen import _long
from test_convolve import close, numbers, ways


def convolved(x, h):
    y = np.zeros(x.shape)
    for s in range(min(h.shape[-1], x.shape[-1])):
        y[..., s:] += h[:, s, None] * x[..., : x.shape[-1] - s]
    return y


def by_filter(x, y, samples):
    h = np.zeros((x.shape[-2], samples))
    for s in range(min(samples, x.shape[-1])):
        h[:, s] = (x[..., : x.shape[-1] - s] * y[..., s:]).sum(-1).reshape(-1, x.shape[-2]).sum(0)
    return h


class Long(unittest.TestCase):
    def test_against_sums(self):
        for kernel in ways():
            for dtype in ("f4", "f8"):
                for shape, samples in (((3, 4, 50), 50), ((2, 3, 2, 33), 7), ((5, 20), 31), ((1, 3, 16), 1)):
                    x, y, h = numbers(*shape, dtype=dtype), numbers(*shape, dtype=dtype), numbers(shape[-2], samples, dtype=dtype)
                    close(_long.convolved(x, h, kernel), convolved(x, h))
                    close(_long.by_filter(x, y, samples, kernel), by_filter(x, y, samples))
                    back = _long.by_signal(y, h, kernel)
                    close(back, convolved(y[..., ::-1], h)[..., ::-1])
                    assert back.dtype == np.dtype(dtype)
                    np.testing.assert_allclose((back * x).sum(), (y * convolved(x, h)).sum(), rtol=1e-3)  # transposed

    def test_nothing_and_errors(self):
        for kernel in ways():
            self.assertEqual(_long.convolved(np.zeros((0, 3, 8)), np.zeros((3, 4)), kernel).shape, (0, 3, 8))
            np.testing.assert_array_equal(_long.by_filter(np.zeros((0, 3, 8)), np.zeros((0, 3, 8)), 4, kernel), np.zeros((3, 4)))
            for x, h in ((np.zeros(8), np.zeros((1, 4))), (np.zeros((3, 8)), np.zeros((2, 4))), (np.zeros((3, 8)), np.zeros(4))):
                with self.assertRaises(ValueError):
                    _long.convolved(x, h, kernel)
            with self.assertRaises(TypeError):
                _long.convolved(np.zeros((3, 8), complex), np.zeros((3, 4)), kernel)


if __name__ == "__main__":
    unittest.main()
