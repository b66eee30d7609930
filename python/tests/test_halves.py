"""float16, and bfloat16 of ml_dtypes, in NumPy's arrays and in JAX's: which types results have."""

import unittest

import fftgen
import numpy as np

try:
    import ml_dtypes
except ImportError:
    ml_dtypes = None
try:
    import scipy.fft
except ImportError:
    scipy = None
try:
    import jax
except ImportError:
    jax = None

NAMES = ("fft", "ifft", "rfft", "irfft", "hfft", "ihfft", "dct", "dst", "idct", "idst")
TYPES = [np.dtype("f2")] + ([np.dtype(ml_dtypes.bfloat16)] if ml_dtypes else [])


def computed(name):
    return np.complex64 if name in ("fft", "ifft", "rfft", "ihfft") else np.float32


class Halves(unittest.TestCase):
    def test_become_single(self):
        for dtype in TYPES:
            x = np.random.default_rng(3).standard_normal((4, 9)).astype(dtype)
            for name in NAMES:
                for arguments in ({}, {"axis": 0, "norm": "ortho"}, {"n": 6}, {"n": 12}):
                    y = getattr(fftgen, name)(x, **arguments)
                    self.assertEqual(y.dtype, computed(name), name)
                    np.testing.assert_array_equal(y, getattr(fftgen, name)(x.astype("f4"), **arguments))
            np.testing.assert_array_equal(fftgen.rfft2(x[:, ::-2]), fftgen.rfft2(x[:, ::-2].astype("f4")))
            out = np.empty((4, 9), dtype)
            self.assertIs(fftgen.dct(x, out=out), out)
            np.testing.assert_array_equal(out, fftgen.dct(x.astype("f4")).astype(dtype))
            self.assertEqual(fftgen.rfft(x, store=fftgen.store(lambda v: abs(v))).dtype, np.float32)
            self.assertEqual(fftgen.filter(x, np.ones(5, "c8")).dtype, np.float32)
            self.assertEqual(fftgen.stft(x[0], 4, 2).dtype, np.complex64)
            with self.assertRaises(TypeError):
                fftgen.fft(x, out=out)

    @unittest.skipUnless(scipy, "no SciPy")
    def test_in_place_of_others(self):
        """Types are those of NumPy's and SciPy's own results."""
        import fftgen.numpy_fft
        import fftgen.scipy_fft

        for dtype in TYPES:
            x = np.random.default_rng(3).standard_normal((4, 9)).astype(dtype)
            for name in ("fft", "rfft", "irfft", "hfft", "rfft2", "irfft2"):
                for ours, theirs in ((fftgen.numpy_fft.functions, np.fft), (vars(fftgen.scipy_fft), scipy.fft)):
                    if hasattr(theirs, name):
                        wanted = getattr(theirs, name)(x)
                        got = ours[name](x)
                        self.assertEqual(got.dtype, wanted.dtype, (theirs, name))
                        np.testing.assert_allclose(got, wanted, atol=.05 if got.dtype == np.float16 else 1e-4)

    @unittest.skipUnless(ml_dtypes, "no ml_dtypes")
    def test_other_small_types_are_refused(self):
        for name in ("float8_e4m3fn", "int4"):
            with self.assertRaises(TypeError):
                fftgen.fft(np.ones(8, getattr(ml_dtypes, name)))

    @unittest.skipUnless(jax, "no JAX")
    def test_of_jax(self):
        import fftgen.jax_ops as ops

        for dtype in (jax.numpy.float16, jax.numpy.bfloat16):
            x = jax.random.normal(jax.random.key(3), (4, 9)).astype(dtype)
            for name in NAMES:
                for function in (getattr(fftgen, name), jax.jit(getattr(ops, name))):
                    y = function(x)
                    self.assertIsInstance(y, jax.Array)
                    self.assertEqual(y.dtype, computed(name), name)
                    np.testing.assert_allclose(y, getattr(fftgen, name)(np.asarray(x, "f4")), atol=1e-5)


if __name__ == "__main__":
    unittest.main()
