"""Arrays of all layouts and types, outputs, lengths, and errors by name."""

import gc
import threading
import unittest
import weakref

import fftgen
import numpy as np


def random(*shape):
    rng = np.random.default_rng(7)
    return rng.standard_normal(shape) + 1j * rng.standard_normal(shape)


class Layouts(unittest.TestCase):
    def test_strides(self):
        x = random(12, 10, 9)
        for view in (x[::-1], x[:, ::2], x[..., ::-3], x.T, x.transpose(1, 2, 0), np.asfortranarray(x), x[3:4], x.real, x.imag,
                     np.broadcast_to(x[:1], x.shape), np.broadcast_to(x[..., :1], x.shape)):
            for axis in range(3):
                np.testing.assert_allclose(fftgen.fft(view, axis=axis), fftgen.fft(view.copy(order="C"), axis=axis), atol=1e-12)

    def test_broadcast_input_costs_no_copy(self):
        one = np.ones((1, 8))
        wide = np.broadcast_to(one, (1000, 8))
        self.assertEqual(wide.strides[0], 0)
        np.testing.assert_array_equal(fftgen.rfft(wide), np.broadcast_to(fftgen.rfft(one), (1000, 5)))

    def test_types(self):
        for given, wanted in (("f2", "c8"), ("f4", "c8"), ("f8", "c16"), ("c8", "c8"), ("c16", "c16"), ("i1", "c16"), ("u8", "c16"),
                              ("?", "c16"), (">f4", "c8"), (">c16", "c16"), ("O", "c16")):
            x = (np.arange(12) % 2).astype(given)
            y = fftgen.fft(x)
            self.assertEqual(y.dtype, np.dtype(wanted), given)
            np.testing.assert_allclose(y, fftgen.fft((np.arange(12) % 2).astype("c16")), atol=1e-6)
        self.assertEqual(fftgen.dct(np.ones(4, "f2")).dtype, np.float32)
        self.assertEqual(fftgen.irfft(np.ones(4, "c8")).dtype, np.float32)

    def test_not_aligned(self):
        raw = np.zeros(16 * 8 + 1, "u1")[1:].view("c16")
        raw[:] = random(8)
        self.assertFalse(raw.flags.aligned)
        np.testing.assert_allclose(fftgen.fft(raw), fftgen.fft(random(8)))

    def test_lengths(self):
        x = random(5, 6)
        np.testing.assert_allclose(fftgen.fft(x, 4), fftgen.fft(x[:, :4].copy()))
        np.testing.assert_allclose(fftgen.fft(x, 9), fftgen.fft(np.pad(x, ((0, 0), (0, 3)))))
        np.testing.assert_allclose(fftgen.fft2(x, (3, 8)), fftgen.fft2(np.pad(x[:3], ((0, 0), (0, 2)))), atol=1e-12)
        np.testing.assert_allclose(fftgen.fftn(x, s=(-1, 2), axes=(0, 1)), fftgen.fftn(x[:, :2]), atol=1e-12)
        np.testing.assert_allclose(fftgen.dct(x.real, 2, 9), fftgen.dct(np.pad(x.real, ((0, 0), (0, 3)))), atol=1e-12)

    def test_empty(self):
        self.assertEqual(fftgen.fft(np.empty((0, 8))).shape, (0, 8))
        self.assertEqual(fftgen.rfft(np.empty((3, 0, 8))).shape, (3, 0, 5))
        self.assertEqual(fftgen.dctn(np.empty((0, 8)), axes=(1,), norm="ortho").shape, (0, 8))
        self.assertEqual(fftgen.fftn(np.float64(3)), 3)

    def test_many_dimensions(self):
        x = random(*[1] * 28, 4, 2, 3, 2)
        np.testing.assert_allclose(fftgen.fftn(x).ravel(), fftgen.fftn(x.reshape(4, 2, 3, 2)).ravel(), atol=1e-12)


class Outputs(unittest.TestCase):
    def test_out(self):
        x = random(6, 8)
        wanted = fftgen.fft(x)
        wide = np.zeros((6, 16), complex)
        for out in (np.empty_like(x), np.empty((8, 6), complex).T, wide[:, ::2], np.empty((6, 8), complex)[::-1]):
            self.assertIs(fftgen.fft(x, out=out), out)
            np.testing.assert_allclose(out, wanted, atol=1e-12)
        self.assertTrue((wide[:, 1::2] == 0).all())

    def test_in_place(self):
        for axis in (0, 1):
            x = random(6, 8)
            wanted = fftgen.ifft(x, axis=axis)
            self.assertIs(fftgen.ifft(x, axis=axis, out=x), x)
            np.testing.assert_allclose(x, wanted, atol=1e-14)
        x = random(5, 7).real.copy()
        wanted = fftgen.dctn(x, 3, norm="ortho")
        np.testing.assert_allclose(fftgen.dctn(x, 3, norm="ortho", out=x), wanted, atol=1e-14)

    def test_overlap(self):
        for shift in (1, 4):
            whole = random(40)
            x, out = whole[:32], whole[shift:32 + shift]
            wanted = fftgen.fft(x.copy())
            fftgen.fft(x, out=out)
            np.testing.assert_allclose(out, wanted, atol=1e-12)

    def test_other_precision(self):
        out = np.empty(8, "c8")
        np.testing.assert_allclose(fftgen.fft(random(8), out=out), fftgen.fft(random(8)), rtol=1e-6)

    def test_input_stays(self):
        x = random(6, 7)
        before = x.copy()
        for name in ("fft", "ifftn", "irfft2", "irfft", "dctn", "idst"):
            getattr(fftgen, name)(x)
            np.testing.assert_array_equal(x, before)
        y = x.real.copy()
        before = y.copy()
        fftgen.idct(y, norm="ortho"), fftgen.dct(y, 1, norm="ortho"), fftgen.rfftn(y)
        np.testing.assert_array_equal(y, before)

    def test_references(self):
        x, out = random(16), np.empty(16, complex)
        kept = weakref.ref(x), weakref.ref(out)
        for _ in range(100):
            fftgen.fft(x, out=out), fftgen.fft(x, 20), fftgen.fftn(x, norm="ortho")
            self.assertRaises(ValueError, fftgen.fft, x, 0)
        del x, out
        gc.collect()
        self.assertEqual([k() for k in kept], [None, None])


class Errors(unittest.TestCase):
    def test_names(self):
        x = random(3, 4)
        for error, call in ((ValueError, lambda: fftgen.fft(x, 0)), (ValueError, lambda: fftgen.fft(x, -3)), (TypeError, lambda: fftgen.fft(x, 2.5)),
                            (IndexError, lambda: fftgen.fft(x, axis=2)), (IndexError, lambda: fftgen.fft(x, axis=-3)), (TypeError, lambda: fftgen.fft()),
                            (ValueError, lambda: fftgen.fft(x, norm="none")), (TypeError, lambda: fftgen.rfft(x)), (TypeError, lambda: fftgen.fft(x, z=1)),
                            (TypeError, lambda: fftgen.fft(x, n=4, axis=0, norm=None, x=x)), (ValueError, lambda: fftgen.dct(x, 5)),
                            (ValueError, lambda: fftgen.fftn(x, (2, 2, 2), (0, 1))), (ValueError, lambda: fftgen.fft(x, out=np.empty(3, complex))),
                            (TypeError, lambda: fftgen.fft(x, out=np.empty((3, 4)))), (TypeError, lambda: fftgen.fft(x, out=[1])),
                            (ValueError, lambda: fftgen.fft(np.empty((2, 0)))), (IndexError, lambda: fftgen.fft(np.float64(1))),
                            (TypeError, lambda: fftgen.fft(np.array(["a"]))), (TypeError, lambda: fftgen.fft(np.ones(4, np.longdouble))),
                            (ValueError, lambda: fftgen.fft(x, workers=0)), (ValueError, lambda: fftgen.irfft(np.ones(1))),
                            (TypeError, lambda: fftgen.fft(np.zeros(3, "M8[s]"))),
                            (TypeError, lambda: fftgen.fft(x, axis=None)), (ValueError, lambda: fftgen.dct(x.real, None))):
            self.assertRaises(error, call)

    def test_read_only_output(self):
        out = np.empty(8, complex)
        out.flags.writeable = False
        self.assertRaises(ValueError, fftgen.fft, random(8), out=out)

    def test_says_what_is_allowed(self):
        with self.assertRaisesRegex(ValueError, '"backward", "ortho" or "forward"'):
            fftgen.fft(random(4), norm=3)
        with self.assertRaisesRegex(ValueError, r"data points \(0\)"):
            fftgen.fft(random(4), 0)


class Helpers(unittest.TestCase):
    def test_frequencies(self):
        for n in range(1, 20):
            for d in (1, .25):
                np.testing.assert_array_equal(fftgen.fftfreq(n, d), np.fft.fftfreq(n, d))
                np.testing.assert_array_equal(fftgen.rfftfreq(n, d), np.fft.rfftfreq(n, d))
        self.assertEqual(fftgen.rfftfreq(6, dtype=np.float32).dtype, np.float32)
        self.assertRaises(ValueError, fftgen.fftfreq, 0)
        self.assertRaises(ValueError, fftgen.fftfreq, 4, device="cuda")

    def test_fast_lengths(self):
        def smooth(n):
            for p in (2, 3, 5, 7):
                while n % p == 0:
                    n //= p
            return n == 1

        for real in (False, True):
            for target in [*range(1, 400), 1009, 65537, 1000003]:
                n = target
                while not smooth(n) or (real and n % 2 and n > 1):
                    n += 1
                self.assertEqual(fftgen.next_fast_len(target, real), n, (target, real))


class Threads(unittest.TestCase):
    def test_workers(self):
        x = random(64, 1024)
        wanted = fftgen.fft(x)
        np.testing.assert_array_equal(fftgen.fft(x, workers=4), wanted)
        with fftgen.set_workers(3):
            self.assertEqual(fftgen.get_workers(), 3)
            np.testing.assert_array_equal(fftgen.fft(x), wanted)
        self.assertEqual(fftgen.get_workers(), 1)

    def test_many_callers(self):
        wanted = {n: fftgen.fft(random(n)) for n in range(500, 540)}
        wrong = []

        def call():
            for _ in range(20):
                for n, y in wanted.items():
                    if not np.array_equal(fftgen.fft(random(n)), y):
                        wrong.append(n)

        fftgen.cache.clear()
        threads = [threading.Thread(target=call) for _ in range(4)]
        for t in threads:
            t.start()
        for t in threads:
            t.join()
        self.assertEqual(wrong, [])

    def test_dlpack_alone(self):
        class Only:
            def __init__(self, a):
                self.a = a

            def __dlpack__(self, **rest):
                return self.a.__dlpack__(**rest)

            def __dlpack_device__(self):
                return self.a.__dlpack_device__()

        x = np.arange(12.).reshape(3, 4)
        for a in (x, x[:, ::2], x.astype("c8"), x.astype("i4")):
            np.testing.assert_array_equal(fftgen.fft(Only(a)), fftgen.fft(a))
            np.testing.assert_array_equal(fftgen.plan(Only(a))(), fftgen.fft(a))

    def test_cold(self):
        x = np.random.default_rng(3).standard_normal((5, 1013))
        names = ("fft", "rfft", "dct", "fft2", "ihfft")
        with fftgen.cold("raise"):
            for name in names:
                with self.assertRaisesRegex(fftgen.ColdError, r"\(5, 1013\)"):
                    getattr(fftgen, name)(x)
            with self.assertRaises(RuntimeError):
                fftgen.plan(x, "rfft")
            fftgen.fft(x[:0])  # nothing to plan
            with fftgen.cold("make"):
                fftgen.irfft(x, 1013)
            fftgen.irfft(x, 1013)
            seen = []
            thread = threading.Thread(target=lambda: seen.append(fftgen.ifft(x)))
            thread.start(), thread.join()
            np.testing.assert_allclose(seen[0], np.fft.ifft(x), atol=1e-12)
        wanted = {name: getattr(fftgen, name)(x) for name in names}
        p, made = fftgen.plan(x, "ifft", norm="ortho"), fftgen.cache.info()["f64"].made
        with fftgen.cold("raise"):
            for name in names:
                np.testing.assert_array_equal(getattr(fftgen, name)(x + 0), wanted[name])
                np.testing.assert_array_equal(getattr(fftgen, name)(x, norm="forward", out=np.empty_like(wanted[name])).shape, wanted[name].shape)
            fftgen.cache.clear()
            p(), p(x)
            with self.assertRaises(fftgen.ColdError):
                fftgen.fft(x)
        self.assertEqual(fftgen.cache.info()["f64"].made, made)
        with self.assertRaises(ValueError):
            with fftgen.cold("wait"):
                pass
        fftgen.fft(x)  # as before

    def test_cache_is_bounded(self):
        fftgen.cache.clear()
        fftgen.cache.set_limit(10)
        try:
            for n in range(1, 40):
                fftgen.fft(random(n))
            self.assertEqual(fftgen.cache.info()["f64"].plans, 10)
            found = fftgen.cache.info()["f64"].found
            fftgen.fft(random(39))
            self.assertEqual(fftgen.cache.info()["f64"].found, found + 1)
        finally:
            fftgen.cache.set_limit(1024)


if __name__ == "__main__":
    unittest.main()
