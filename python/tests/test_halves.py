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


def computed(name, halves=False):
    """The type of results; of halves where what is real of float16 along one axis stays that."""
    if halves and name in ("irfft", "hfft"):
        return np.float16
    return np.complex64 if name in ("fft", "ifft", "rfft", "ihfft") else np.float32


class Halves(unittest.TestCase):
    def test_become_single(self):
        for dtype in TYPES:
            x = np.random.default_rng(3).standard_normal((4, 9)).astype(dtype)
            for name in NAMES:
                for arguments in ({}, {"axis": 0, "norm": "ortho"}, {"n": 6}, {"n": 12}):
                    y = getattr(fftgen, name)(x, **arguments)
                    self.assertEqual(y.dtype, computed(name, dtype == np.float16), name)
                    np.testing.assert_array_equal(y, getattr(fftgen, name)(x.astype("f4"), **arguments).astype(y.dtype))
            np.testing.assert_array_equal(fftgen.rfft2(x[:, ::-2]), fftgen.rfft2(x[:, ::-2].astype("f4")))
            out = np.empty((4, 9), dtype)
            self.assertIs(fftgen.dct(x, out=out), out)
            np.testing.assert_array_equal(out, fftgen.dct(x.astype("f4")).astype(dtype))
            self.assertEqual(fftgen.rfft(x, store=fftgen.store(lambda v: abs(v))).dtype, np.float32)
            self.assertEqual(fftgen.filter(x, np.ones(5, "c8")).dtype, np.float32)
            self.assertEqual(fftgen.stft(x[0], 4, 2).dtype, np.complex64)
            with self.assertRaises(TypeError):
                fftgen.fft(x, out=out)

    def test_reals_along_one_axis_stay_halves(self):
        x = np.random.default_rng(5).standard_normal((4, 6, 9)).astype("f2")
        for name, arguments, wanted in (("irfft2", {"axes": (1,)}, "f2"), ("irfftn", {"axes": (0,), "norm": "forward"}, "f2"), ("hfftn", {"axes": (-1,), "s": (7,)}, "f2"),
                                        ("irfft2", {}, "f4"), ("irfftn", {"axes": (0, 1)}, "f4"), ("irfftn", {"axes": (1, 1)}, "f4")):
            y = getattr(fftgen, name)(x, **arguments)
            self.assertEqual(y.dtype, wanted, (name, arguments))
            np.testing.assert_array_equal(y, getattr(fftgen, name)(x.astype("f4"), **arguments).astype(wanted))
        for out in (np.empty((4, 6, 16), "f2"), np.empty((4, 6, 16), "f4"), np.empty((4, 6, 16), "f8")):
            self.assertIs(fftgen.irfft(x, out=out), out)
            np.testing.assert_allclose(out, fftgen.irfft(x.astype("f4")), atol=2e-3)
        self.assertEqual(fftgen.irfft(x, store=fftgen.store(lambda v: v)).dtype, np.float32)
        for kind in ("irfft", "hfft"):
            p = fftgen.plan(x, kind)
            np.testing.assert_array_equal(p(), getattr(fftgen, kind)(x))
            self.assertEqual(p().dtype, np.float16)
            np.testing.assert_allclose(p.inverse(p()), getattr(fftgen, "rfft" if kind == "irfft" else "ihfft")(p()), atol=1e-5)
        self.assertEqual(fftgen.plan(x, "irfft", axes=(0, 1))().dtype, np.float32)

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
            self.assertEqual(fftgen.plan(x, "irfft")().dtype, np.float32)


if __name__ == "__main__":
    unittest.main()
