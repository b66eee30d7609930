"""load= and store=: functions of an element in transforms, against NumPy's of the same."""

import os
import unittest
import unittest.mock

import fftgen
import numpy as np

try:
    fftgen._core.host_plan("c2c f32 n=8")
    KERNELS = None
except NotImplementedError as reason:
    KERNELS = str(reason)

rng = np.random.default_rng(7)
gains = rng.standard_normal(513) + 1j * rng.standard_normal(513)
image_gain = rng.standard_normal((12, 20))
by_image, by_channel = rng.standard_normal((5, 7)), rng.standard_normal((7, 240))
factor = 2.0


def numbers(*shape, dtype="f8"):
    x = rng.standard_normal(shape)
    return (x + 1j * rng.standard_normal(shape) if np.dtype(dtype).kind == "c" else x).astype(dtype)


def close(got, wanted):
    wanted = np.asarray(wanted)
    assert got.shape == wanted.shape, (got.shape, wanted.shape)
    assert got.dtype.kind == wanted.dtype.kind, (got.dtype, wanted.dtype)
    single = got.dtype in (np.float32, np.complex64)
    np.testing.assert_allclose(got, wanted, rtol=0, atol=(2e-5 if single else 1e-12) * (1 + np.abs(wanted).max(initial=0)))


@fftgen.load
def hann(v, k):
    return v * (0.5 - 0.5 * fftgen.cospi(2 * k / fftgen.n))


@fftgen.store
def decibels(v):
    return 20 * fftgen.log10(abs(v) + 1e-3)


def hann_of(n):
    return .5 - .5 * np.cos(2 * np.pi * np.arange(n) / n)


@unittest.skipIf(KERNELS, f"no kernels: {KERNELS}")
class Transforms(unittest.TestCase):
    def test_window_and_decibels(self):
        for dtype in ("f4", "f8"):
            for n in (64, 1000, 1024):
                x = numbers(3, n, dtype=dtype)
                spectrum = np.fft.rfft(x * hann_of(n))
                close(fftgen.rfft(x, load=hann), spectrum.astype("c8" if dtype == "f4" else "c16"))
                close(fftgen.rfft(x, load=hann, store=decibels), (20 * np.log10(np.abs(spectrum) + 1e-3)).astype(dtype))

    def test_the_same_call_again(self):
        factor, x = 2.0, numbers(5, 48, dtype="f8")

        @fftgen.load
        def times(v):
            return v * factor

        def call(a, **arguments):
            return fftgen.rfft(a, load=times, **arguments)

        for a in (x, x[:3], x[:, ::2], x.astype("f4"), x):  # the second call of each knows the first
            for _ in range(2):
                close(call(a), (2 * np.fft.rfft(a)).astype("c8" if a.dtype == "f4" else "c16"))
        factor = 3.0
        close(call(x), 3 * np.fft.rfft(x))
        for n in (48, 40, 64):
            close(call(x, n=n), 3 * np.fft.rfft(x, n))
        close(call(x, norm="ortho"), 3 * np.fft.rfft(x, norm="ortho"))
        close(fftgen.rfftn(x, [48], axes=[1], load=times), 3 * np.fft.rfft(x))
        close(call(np.asfortranarray(x)), 3 * np.fft.rfft(x))
        close(fftgen.fft(x[:, :47], load=times), 3 * np.fft.fft(x[:, :47]))
        close(fftgen.rfft(x[:, 0], load=times), 3 * np.fft.rfft(x[:, 0]))
        for out in (np.empty((5, 25), "c16"), np.empty((25, 5), "c16").T, np.empty((5, 25), "c8"), np.empty((5, 50), "c16")[:, ::2]):
            for _ in range(2):
                out[...] = 0
                self.assertIs(call(x, out=out), out)
                close(out, (3 * np.fft.rfft(x)).astype(out.dtype))
        room = np.zeros((5, 50), "f8")
        for _ in range(2):  # in place, and into a part of the input's memory
            room[:, :48] = x
            call(room[:, :48], out=room.view("c16"))
            close(room.view("c16"), 3 * np.fft.rfft(x))
        with self.assertRaises(ValueError):
            call(x, out=np.empty((5, 24), "c16"))
        with self.assertRaises(TypeError):  # 48 is known
            call(x, n=48.0)

    def test_functions(self):
        x, h = numbers(4, 24, dtype="c16"), numbers(4, 13, dtype="c16")
        more = fftgen.load(lambda v, k: 2 * v + k)
        half = fftgen.store(lambda v: v / 2)
        for norm in (None, "ortho", "forward"):
            for name in ("fft", "ifft"):
                close(getattr(fftgen, name)(x, norm=norm, load=more, store=half), getattr(np.fft, name)(2 * x + np.arange(24), norm=norm) / 2)
            for name in ("irfft", "hfft"):
                close(getattr(fftgen, name)(h, norm=norm, load=more, store=half), getattr(np.fft, name)(2 * h + np.arange(13), norm=norm) / 2)
            for name in ("rfft", "ihfft"):
                close(getattr(fftgen, name)(x.real, norm=norm, load=more, store=half), getattr(np.fft, name)(2 * x.real + np.arange(24), norm=norm) / 2)
            for name in ("dct", "idct", "dst"):
                for orthogonalize in (None, True, False):
                    got = getattr(fftgen, name)(x.real, norm=norm, orthogonalize=orthogonalize, load=more, store=half)
                    close(got, getattr(fftgen, name)(2 * x.real + np.arange(24), norm=norm, orthogonalize=orthogonalize) / 2)

    def test_reals_become_complex(self):
        x = numbers(3, 8)
        close(fftgen.fft(x, load=fftgen.load(lambda v: abs(v))), np.fft.fft(abs(x)))
        close(fftgen.fft(x, load=fftgen.load(lambda v, k: v * fftgen.expi(k))), np.fft.fft(x * np.exp(1j * np.arange(8))))

    def test_logarithms(self):
        """Within 2 units in the last place, of subnormal numbers, too; edges; numbers that are seen to be above 0."""
        for dtype, bits in (("f4", np.uint32), ("f8", np.uint64)):
            inf = int(np.array(np.inf, dtype).view(bits))
            near_one = int(np.array(1, dtype).view(bits)) + np.arange(-500, 500)
            x = np.concatenate([rng.integers(0, inf, 20000, np.int64), near_one, np.arange(50)]).astype(bits).view(dtype)
            x = np.concatenate([x, np.array([0, -0., -1, np.inf, -np.inf, np.nan], dtype)])[:, None]
            least = x.dtype.type(1e-10)
            for function, of in ((lambda v: fftgen.real(v), x), (lambda v: fftgen.maximum(fftgen.real(v), 1e-10), np.fmax(x, least)),
                                 (lambda v: abs(fftgen.real(v)) + 1e-10, np.abs(x) + least)):
                for name in ("log", "log10"):
                    got = fftgen.rfft(x, store=fftgen.store(lambda v: getattr(fftgen, name)(function(v))))
                    with np.errstate(all="ignore"):
                        wanted = getattr(np, name)(of.astype(np.longdouble))
                        regular = np.isfinite(wanted) & (wanted != 0)
                        error = np.abs(got - wanted)[regular] / np.spacing(np.abs(wanted[regular]).astype(dtype))
                        np.testing.assert_array_equal(got[~regular], wanted[~regular].astype(dtype))
                    self.assertLess(error.max(), 2, (name, dtype))

    def test_threads(self):
        """A batch in parts, fewer transforms than threads, one long transform; operands of each part's own."""
        gains = rng.standard_normal((257, 1))
        for shape, store in (((257, 128), lambda v, k: v * gains), ((2, 40000), lambda v: 2 * v), ((1 << 18,), lambda v: v + 1)):
            x = numbers(*shape, dtype="f4")
            double = fftgen.store(store)
            alone = fftgen.rfft(x, load=hann, store=double)
            for workers in (2, 3):
                close(fftgen.rfft(x, load=hann, store=double, workers=workers), alone)
                with fftgen.set_workers(workers):
                    plan = fftgen.plan(x, "rfft", load=hann, store=double)
                    close(plan(x), alone)
                    close(plan(x, np.empty_like(alone)), alone)

    def test_whole_numbers(self):
        for dtype, least, most in (("u1", 0, 256), ("i2", -30000, 30000)):
            x = rng.integers(least, most, (5, 64)).astype(dtype)
            got = fftgen.rfft(x, load=hann)
            self.assertEqual(got.dtype, np.complex64)
            close(got, np.fft.rfft(x * hann_of(64)).astype("c8"))
            close(fftgen.rfft(x[:, ::2], load=fftgen.load(lambda v: v + 1)), np.fft.rfft(x[:, ::2] + 1.).astype("c8"))
        out = np.empty((5, 33), np.uint8)
        fftgen.rfft(numbers(5, 64, dtype="f4"), store=fftgen.store(lambda v: fftgen.maximum(abs(v), 400)), out=out)
        self.assertTrue((out == 255).all())
        x = numbers(5, 64, dtype="f4")
        fftgen.rfft(x, store=fftgen.store(lambda v: 3 * abs(v)), out=out)
        self.assertLessEqual(np.abs(out - np.clip(3 * np.abs(np.fft.rfft(x)), 0, 255)).max(), .51)

    def test_arrays(self):
        global gains, factor
        x = numbers(3, 1024, dtype="f4")
        indexed, bare = fftgen.store(lambda v, k: v * gains[k]), fftgen.store(lambda v: v * gains + factor)
        close(fftgen.rfft(x, store=indexed), (np.fft.rfft(x) * gains).astype("c8"))
        close(fftgen.rfft(x, store=bare), (np.fft.rfft(x) * gains + 2).astype("c8"))
        gains *= 2  # read at each call
        close(fftgen.rfft(x, store=indexed), (np.fft.rfft(x) * gains).astype("c8"))
        gains, factor = gains[::-1] / 3, 3.0  # another array, another number: traced again
        close(fftgen.rfft(x, store=indexed), (np.fft.rfft(x) * gains).astype("c8"))
        close(fftgen.rfft(x, store=bare), (np.fft.rfft(x) * gains + 3).astype("c8"))

    def test_modules_around_a_function(self):
        """Named where a function is made: its trace is kept, and is another one where what it reads is."""
        import numpy as around
        from fftgen import _reads

        gain = 2.0

        def scaled(v):
            return around.abs(v) * gain

        self.assertIsNotNone(_reads.marks(_reads.values(scaled, _reads.names(scaled))))
        whole = lambda v: helper(around, v)  # noqa: E731
        helper = lambda module, v: module.abs(v)  # noqa: E731
        self.assertIsNone(_reads.marks(_reads.values(whole, _reads.names(whole))))
        store, x = fftgen.store(scaled), numbers(3, 8, dtype="c16")
        close(fftgen.fft(x, store=store), np.abs(np.fft.fft(x)) * 2)
        gain = 3.0
        close(fftgen.fft(x, store=store), np.abs(np.fft.fft(x)) * 3)

    def test_what_is_read_indirectly(self):
        """Attributes, entries, what a helper or a method reads: results are of what it is at the call."""
        class Settings:
            gain, array = 2.0, np.arange(8.)

            def times(self, v, k):
                return v * fftgen.operand(self.array)[k]

        def helper(v):
            return v * factor * settings.gain * table["gain"] + offsets[0]

        global factor
        factor = 2.0
        settings, table, offsets, x = Settings(), {"gain": 3.0}, [0], numbers(3, 8, dtype="c16")
        load, method = fftgen.load(lambda v: helper(v)), fftgen.store(settings.times)
        signed = fftgen.load(lambda v: v + 1 / (1 / factor if factor else -np.inf))
        p = fftgen.plan(x, load=load)

        def check():
            for _ in range(2):
                wanted = np.fft.fft(x * factor * settings.gain * table["gain"] + offsets[0])
                close(fftgen.fft(x, load=load), wanted)
                close(p(), wanted)
                close(fftgen.fft(x, store=method), np.fft.fft(x) * settings.array)
            self.assertIn(f"x*{factor:g}*{settings.gain:g}*{table['gain']:g}", p.problem)

        check()
        settings.gain = 5.0
        check()
        table["gain"], factor = 7.0, 3.0
        check()
        offsets[0] = 1
        check()
        settings.array = np.full(8, 3.)
        check()
        settings.array *= 2
        check()
        settings.array = np.arange(16.)[::2]
        check()
        factor = 2.0
        check()
        close(fftgen.fft(x, load=signed), np.fft.fft(x + 2))

    def test_traces_that_are_kept(self):
        """Of functions whose code shows what they read: no call of them, and results of what it is."""
        global factor
        factor, gain, x = 2.0, np.arange(8.), numbers(3, 8, dtype="c16")
        plain = fftgen.load(lambda v, k: v * gain[k] * np.sqrt(factor) + fftgen.sinpi(k / fftgen.n) - abs(v.real))
        unknown = [fftgen.load(f) for f in (lambda v: v * gain.max(), lambda v: v * gain[0], lambda v: hann(v, 1), lambda v, k: v * operand[k])]
        operand = fftgen.operand(gain)
        traces = []
        trace = fftgen._trace.Operation.trace
        with unittest.mock.patch.object(fftgen._trace.Operation, "trace", lambda self, *rest: traces.append(self) or trace(self, *rest)):
            def check(wanted):
                traces.clear()
                for _ in range(3):
                    root = np.sqrt(factor)
                    close(fftgen.fft(x, load=plain), np.fft.fft(x * gain * root + np.sin(np.pi * np.arange(8) / 8) - abs(x.real)))
                self.assertEqual(len(traces), wanted)

            check(1)
            gain *= 3
            check(0)
            gain = gain + 1
            check(1)
            factor = 3.0
            check(1)
            for load in unknown:
                traces.clear()
                fftgen.fft(x, load=load), fftgen.fft(x, load=load)
                self.assertGreaterEqual(len(traces), 2)
            gain[0] = 5
            close(fftgen.fft(x, load=unknown[1]), np.fft.fft(x * 5))
            operand.array = np.ones(8)
            close(fftgen.fft(x, load=unknown[3]), np.fft.fft(x))
        factor = 2.0

    def test_parts_of_arrays(self):
        rows, x = np.arange(16.).reshape(2, 8), numbers(3, 8, dtype="c16")
        part = fftgen.load(lambda v, k: v * fftgen.operand(rows[1])[k] + rows[0, 1] + rows.T[2, 1])
        for _ in range(3):
            close(fftgen.fft(x, load=part), np.fft.fft(x * rows[1] + rows[0, 1] + rows[1, 2]))
            rows += 1

    def test_several_dimensions(self):
        x = numbers(5, 7, 12, 20)
        spectrum = np.fft.fft2(x)
        close(fftgen.fft2(x, store=fftgen.store(lambda v, k0, k1: v * image_gain[k0, k1] + 100 * k0)),
              spectrum * image_gain + 100 * np.arange(12)[:, None])
        close(fftgen.fftn(x, axes=(3, 2), store=fftgen.store(lambda v, k0, k1: v * image_gain.T[k0, k1] + 100 * k0 + k1)),
              np.fft.fftn(x, axes=(3, 2)) * image_gain + 100 * np.arange(20) + np.arange(12)[:, None])
        close(fftgen.fft2(x, store=fftgen.store(lambda v, k: v + k)), spectrum + np.arange(240).reshape(12, 20))
        close(fftgen.fft2(x, store=fftgen.store(lambda v, k: v * by_image[:, :, None, None])), spectrum * by_image[..., None, None])
        close(fftgen.fft2(x, store=fftgen.store(lambda v, k: v * by_channel[fftgen.channel, k])), spectrum * by_channel.reshape(7, 12, 20))
        close(fftgen.fft2(x, store=fftgen.store(lambda v, k: v + fftgen.batch)), spectrum + np.arange(35).reshape(5, 7, 1, 1))
        close(fftgen.rfft2(x, axes=(1, 3), load=fftgen.load(lambda v, i, j: v * i - j)),
              np.fft.rfft2(x * np.arange(7)[:, None, None] - np.arange(20), axes=(1, 3)))
        close(fftgen.irfftn(spectrum[..., :11], axes=(2, 3), load=fftgen.load(lambda v, i, j: v * fftgen.where(i > j, 1, 0))),
              np.fft.irfftn(spectrum[..., :11] * (np.arange(12)[:, None] > np.arange(11)), axes=(2, 3)))

    def test_lengths_and_strides(self):
        x = numbers(6, 30, dtype="c16")
        add = fftgen.load(lambda v, k: v + (k < 100))
        close(fftgen.fft(x, 20, load=add), np.fft.fft(x[:, :20] + 1))
        close(fftgen.fft(x, 40, load=add), np.fft.fft(np.pad(x, ((0, 0), (0, 10))) + 1))  # the zeros are elements
        close(fftgen.fft(x[::-1, ::-1], load=add), np.fft.fft(x[::-1, ::-1] + 1))
        close(fftgen.fft(np.broadcast_to(x[0], (3, 30)), load=add), np.fft.fft(np.broadcast_to(x[0], (3, 30)) + 1))
        out = np.zeros((30, 6), "c16")
        fftgen.fft(x, load=add, out=out.T)
        close(out.T, np.fft.fft(x + 1))
        y = x.copy()
        fftgen.fft(y, load=add, out=y)
        close(y, np.fft.fft(x + 1))
        close(fftgen.fft(np.zeros((0, 8), "c16"), load=add), np.zeros((0, 8), "c16"))

    def test_long_ones(self):
        def soft(v, root=np.sqrt):
            m = abs(v)
            for _ in range(6):
                m = m * m / (1 + m) + root(m) * .123456789
            return m

        x = numbers(3, 64)
        close(fftgen.fft(x, store=fftgen.store(lambda v: soft(v, fftgen.sqrt))), soft(np.fft.fft(x)))
        close(fftgen.rfft(x, load=fftgen.load(lambda v: np.exp(-abs(v)) * np.maximum(v, .1) ** 3)), np.fft.rfft(np.exp(-abs(x)) * np.maximum(x, .1) ** 3))

    def test_logarithms_and_powers(self):
        for dtype in (np.float32, np.float64):
            most, tiny = np.finfo(dtype).max, np.finfo(dtype).tiny
            edges = np.array([0, -0.0, -1, np.inf, -np.inf, np.nan, 1, most, tiny, tiny / 8, np.nextafter(dtype(0), dtype(1))], dtype)
            drawn = np.exp(rng.uniform(np.log(tiny) / 1.01, np.log(most) / 1.01, 500)).astype(dtype)
            for name, x in (("log", np.r_[edges, drawn, 1 + drawn * 0 + rng.uniform(-.3, .4, 500).astype(dtype)]), ("log10", np.r_[edges, drawn]),
                            ("exp", np.r_[edges[:7], rng.uniform(np.log(tiny) - 9, np.log(most) + 9, 500).astype(dtype)])):
                function = fftgen.load(lambda v: getattr(fftgen, name)(v))
                got = fftgen.rfft(x[:, None], load=function)[:, 0].real  # of one point
                with np.errstate(all="ignore"):
                    wanted = getattr(np, name)(x.astype(np.longdouble)).astype(dtype)
                np.testing.assert_allclose(got, wanted, rtol=3 * np.finfo(dtype).eps, atol=np.finfo(dtype).tiny * np.finfo(dtype).eps * 2)

    def test_cold(self):
        x = numbers(4, 66)
        with fftgen.cold("raise"), self.assertRaises(fftgen.ColdError):
            fftgen.rfft(x, load=hann, store=decibels)
        wanted = fftgen.rfft(x, load=hann, store=decibels)
        with fftgen.cold("raise"):
            close(fftgen.rfft(x, load=fftgen.load(lambda v, k: v * (0.5 - 0.5 * fftgen.cospi(2 * k / fftgen.n))), store=decibels), wanted)
            with self.assertRaises(fftgen.ColdError):
                fftgen.rfft(x, load=hann)

    def test_plans(self):
        x = numbers(4, 64)
        p = fftgen.plan(x, "rfft", load=hann, store=decibels)
        close(p(), fftgen.rfft(x, load=hann, store=decibels))
        close(p(2 * x), fftgen.rfft(2 * x, load=hann, store=decibels))
        self.assertIn("store=20*log10(abs(x)+0.001)", p.problem)
        with self.assertRaises(ValueError):
            p(x[:, :32])


@unittest.skipIf(KERNELS, f"no kernels: {KERNELS}")
class Errors(unittest.TestCase):
    def refused(self, kind, words, function, name="fft"):
        with self.assertRaises(kind) as caught:
            getattr(fftgen, name)(np.ones((2, 8)), load=fftgen.load(function))
        self.assertIn(words, str(caught.exception))

    def test_what_a_trace_cannot_have(self):
        self.refused(TypeError, "fftgen.where", lambda v, k: v if k else -v)
        self.refused(TypeError, "minimum", lambda v: v if abs(v) > 1 else -v)
        self.refused(TypeError, "fftgen.cos ", lambda v: fftgen.cos(v))
        self.refused(TypeError, "numpy.floor", lambda v: np.floor(v))
        self.refused(TypeError, "fftgen.sqrt of a complex number", lambda v: fftgen.sqrt(v))
        self.refused(TypeError, "power 2.5", lambda v: v ** 2.5)
        self.refused(TypeError, "float()", lambda v: float(v))
        self.refused(TypeError, "fftgen.operand", lambda v, k: v * np.arange(8)[k])
        self.refused(TypeError, "numpy.add.reduce", lambda v: np.add.reduce(v))
        self.refused(TypeError, "'word'", lambda v: v * "word")
        self.refused(ValueError, "does not use its element", lambda v: 3)
        self.refused(ValueError, "broadcast", lambda v: v * np.zeros(7))
        self.refused(ValueError, "not finite", lambda v, k: v * (1 / k))
        self.refused(TypeError, "2 indices", lambda v, k0, k1: v)
        self.refused(TypeError, "complex numbers of real ones", lambda v: v * 1j, "rfft")
        self.refused(ZeroDivisionError, "", lambda v: v * (1 / 0))

    def test_arguments(self):
        with self.assertRaises(TypeError):
            fftgen.fft(np.ones(8), load=lambda v: v)
        with self.assertRaises(TypeError):
            fftgen.fft(np.ones(8), load=decibels)
        with self.assertRaises(TypeError):
            fftgen.load(3)
        with self.assertRaises(ValueError):
            fftgen.fft(np.ones(8), load=hann, out=np.ones(9, "c16"))
        with self.assertRaises(TypeError):
            fftgen.rfft(np.ones(8, "c16"), load=hann)


def drawn(random, depth, pairs):
    """A function of (v, indices, module), and whether it makes complex numbers of complex ones."""
    kind = random.randrange(10) if depth else random.randrange(3)
    if kind == 0:
        return lambda v, i, m: v, pairs
    if kind == 1:
        d, a = random.randrange(2), random.uniform(.1, 2)
        return lambda v, i, m: v * (a + m.cos(i[d % len(i)] * a)), pairs
    if kind == 2:
        a = random.uniform(-2, 2)
        return lambda v, i, m: v + a, pairs
    f, f_pairs = drawn(random, depth - 1, pairs)
    g, g_pairs = drawn(random, depth - 1, pairs)
    if kind == 3:
        return lambda v, i, m: f(v, i, m) + g(v, i, m), f_pairs or g_pairs
    if kind == 4:
        return lambda v, i, m: f(v, i, m) * g(v, i, m) * .25, f_pairs or g_pairs
    if kind == 5:
        return lambda v, i, m: f(v, i, m) / (2 + abs(g(v, i, m))), f_pairs
    if kind == 6:
        return lambda v, i, m: m.log(1 + abs(f(v, i, m))) - m.exp(-abs(g(v, i, m))), False
    if kind == 7:
        return lambda v, i, m: m.minimum(abs(f(v, i, m)), m.sqrt(abs(g(v, i, m))) + .5), False
    if kind == 8:
        return lambda v, i, m: f(v, i, m) - abs(g(v, i, m)) ** 2 * .1, f_pairs
    return lambda v, i, m: f(v, i, m).conj() + m.maximum(abs(g(v, i, m)), 1.) * i[0] * .01, f_pairs or g_pairs


@unittest.skipIf(KERNELS, f"no kernels: {KERNELS}")
class Drawn(unittest.TestCase):
    def test_functions(self):
        import random

        r = random.Random(int(os.environ.get("FUSED_SEED", "34")))
        too_long, calls = 0, int(os.environ.get("FUSED_CALLS", "40"))
        for _ in range(calls):
            name = r.choice(["fft", "ifft", "rfft", "irfft", "ihfft", "dct", "dst"])
            rank = r.choice([1, 1, 2])
            shape = [r.choice([1, 2, 3, 5]) for _ in range(r.randint(0, 2))] + [r.choice([2, 3, 8, 12, 15]) for _ in range(rank)]
            order = r.sample(range(len(shape)), len(shape))
            axes = [order.index(len(shape) - rank + d) for d in range(rank)]
            pairs = name in ("fft", "ifft", "irfft")
            x = numbers(*shape, dtype=("c16" if pairs else "f8")).transpose(order)
            store_pairs = name not in ("irfft", "dct", "dst")
            (load, _), (store, _) = drawn(r, r.randint(0, 2), pairs), drawn(r, r.randint(0, 2), store_pairs)

            def grid(lengths):
                return [np.arange(n).reshape([-1 if i == axis else 1 for i in range(len(shape))]) for n, axis in zip(lengths, axes)]

            def traced(f):
                return (lambda v, k: f(v, [k], fftgen)) if rank == 1 else (lambda v, j, k: f(v, [j, k], fftgen))

            loaded = load(x, grid([x.shape[a] for a in axes]), np)
            plain = getattr(fftgen, name + "n")(loaded, axes=axes)
            wanted = store(plain, grid([plain.shape[a] for a in axes]), np)
            try:
                got = getattr(fftgen, name + "n")(x, axes=axes, load=fftgen.load(traced(load)), store=fftgen.store(traced(store)))
            except (ValueError, NotImplementedError) as refused:  # the limits of expressions
                self.assertRegex(str(refused), "is too long|more than 8 arrays|more than 96 operations")
                too_long += 1
                continue
            with self.subTest(name=name, shape=x.shape, axes=axes):
                close(got, wanted)
        self.assertLess(too_long, calls / 5)


class Words(unittest.TestCase):
    def test_of_numbers(self):
        self.assertEqual(fftgen.cospi(1), -1)
        self.assertEqual(fftgen.sinpi(2.5), 1)
        self.assertEqual(fftgen.maximum(2, 3), 3)
        self.assertEqual(decibels(0.999), 20 * np.log10(1.0))


if __name__ == "__main__":
    unittest.main()
