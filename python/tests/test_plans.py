"""Plans as objects: the same results as functions, on arrays of equal layout and on others; what they say of themselves."""

import gc
import os
import tempfile
import unittest

import fftgen
import fftgen._plans
import numpy as np

try:
    PROGRAM = fftgen._plans._program()
except RuntimeError:
    PROGRAM = None


def numbers(*shape, complex=True):
    rng = np.random.default_rng(3)
    x = rng.standard_normal(shape)
    return x + 1j * rng.standard_normal(shape) if complex else x


class Plans(unittest.TestCase):
    def test_results(self):
        for kind in ("fft", "ifft", "rfft", "ihfft", "irfft", "dct", "idct", "dst", "idst"):
            for norm in (None, "ortho", "forward"):
                for complex in (True, False):
                    if (kind in ("rfft", "ihfft") and complex) or (kind == "irfft" and not complex):
                        continue
                    x = numbers(5, 6, 7, complex=complex)
                    for axes in (1, (0, 2), (2, 1, 0)):
                        name = kind + "n"
                        at = (axes,) if isinstance(axes, int) else axes
                        wanted = getattr(fftgen, name)(x, axes=at, norm=norm)
                        p = fftgen.plan(x, kind, axes, norm=norm)
                        for got in (p(), p(x), p(x.copy()), p(x[::-1])[::-1] if 0 not in at else wanted):
                            np.testing.assert_allclose(got, wanted, atol=1e-12, err_msg=str((kind, norm, axes)))

    def test_outputs(self):
        x, out = numbers(4, 8), np.empty((4, 8), complex)
        p = fftgen.plan(x, out=out)
        self.assertIs(p(), out)
        np.testing.assert_allclose(out, fftgen.fft(x), atol=1e-13)
        y = np.empty_like(out)
        self.assertIs(p(x, y), y)
        self.assertIs(p.execute(x, y), y)
        np.testing.assert_array_equal(y, out)
        turned = np.empty((8, 4), complex).T
        self.assertIs(p(x, turned), turned)
        np.testing.assert_allclose(turned, out, atol=1e-13)

    def test_in_place(self):
        x = numbers(4, 8)
        wanted = fftgen.fft(x)
        p = fftgen.plan(x, out=x)
        self.assertIs(p(), x)
        np.testing.assert_allclose(x, wanted, atol=1e-13)
        y = numbers(4, 8)
        self.assertIs(p(y), y)
        np.testing.assert_array_equal(y, x)

    def test_inverse(self):
        for kind, complex in (("fft", True), ("rfft", False), ("dct", False), ("dst", True), ("irfft", True)):
            x = numbers(5, 9, complex=complex)
            if kind == "irfft":
                x = fftgen.rfft(numbers(5, 16, complex=False))
            p = fftgen.plan(x, kind, type=3) if kind in ("dct", "dst") else fftgen.plan(x, kind)
            np.testing.assert_allclose(p.inverse(p(x)), x, atol=1e-12, err_msg=kind)

    def test_refused(self):
        x = numbers(4, 8)
        p = fftgen.plan(x)
        for error, call in ((ValueError, lambda: p(x[:2])), (ValueError, lambda: p(x.real)), (TypeError, lambda: p([1, 2])),
                            (ValueError, lambda: p(x, np.empty(3))), (TypeError, lambda: p(x, "a")), (TypeError, lambda: p(1, 2, 3)),
                            (ValueError, lambda: p(x, x[:, ::-1])), (TypeError, lambda: p(y=x)), (TypeError, fftgen.Plan),
                            (ValueError, lambda: fftgen.plan(x, "conv")), (ValueError, lambda: fftgen.plan(x, axes=())), (ValueError, lambda: fftgen.plan(x, axes=(0, 0))),
                            (TypeError, lambda: fftgen.plan("a")), (IndexError, lambda: fftgen.plan(x, axes=3)),
                            (ValueError, lambda: fftgen.plan(x, s=0)), (ValueError, lambda: fftgen.plan(x, tune=float("nan"))), (ValueError, lambda: fftgen.plan(x, tune=-1)), (TypeError, lambda: fftgen.plan(x, "rfft")),
                            (ValueError, lambda: fftgen.plan(x[:, ::-1]).problem)):
            self.assertRaises(error, call)
        for plan in (p, fftgen.plan(x, s=9)):
            with self.assertRaisesRegex(ValueError, r"complex128 \(4, 8\), not complex64 \(2, 8\)"):
                plan(x[:2].astype("c8"))

    def test_functions_names(self):
        x = numbers(4, 5, 6)
        for kind in ("fft2", "ifftn", "rfft2", "irfftn", "hfft", "hfft2", "ihfftn", "dctn", "idstn", "hfftn"):
            a = x.real.copy() if kind[:5] in ("rfft2", "ihfft", "dctn", "idstn") else x
            for arguments in ({}, {"norm": "ortho"}):
                p, wanted = fftgen.plan(a, kind, **arguments), getattr(fftgen, kind)(a, **arguments)
                for got in (p(), p(a), p(a.copy(), np.empty_like(wanted)), p(a[::-1])[::-1] if kind[-1] != "n" else wanted):
                    np.testing.assert_allclose(got, wanted, atol=1e-11, err_msg=kind)
        p = fftgen.plan(x, "hfft", norm="ortho")
        np.testing.assert_allclose(p.inverse(p()), fftgen.ihfft(fftgen.hfft(x, norm="ortho"), norm="ortho"), atol=1e-12)
        self.assertEqual(p.problem, "c2r f64 n=10:1:1 batch=20:6:10 sign=-1 scale=1/sqrt(n)")
        q = fftgen.plan(x.real.copy(), "ihfft")
        np.testing.assert_allclose(q.inverse(q()), fftgen.hfft(q(), 6), atol=1e-12)
        self.assertEqual(fftgen.plan(x, "fftn", s=(3, 4)).axes, (1, 2))

    def test_conversions(self):
        x = numbers(4, 6)
        for a, kind, arguments in ((x, "fft", {"s": 9}), (x.real.copy(), "rfft", {"s": (5, 9), "axes": (0, 1)}), (x, "irfft", {"s": 16}), (x.real.copy(), "irfft", {}),
                                   (x.real.astype("f2"), "rfft", {}), (x.real.astype("i4"), "dct", {"s": 7}), (x.real.astype(">f8"), "fft", {}),
                                   (x.real.copy(), "dct", {"s": 4, "norm": "ortho"}), (x.tolist(), "fft", {})):
            axes = arguments.get("axes", (-1,))
            lengths = arguments.get("s") if isinstance(arguments.get("s"), tuple) or "s" not in arguments else (arguments["s"],)
            wanted = getattr(fftgen, kind + "n")(a, s=lengths, axes=axes, norm=arguments.get("norm"))
            p, out = fftgen.plan(a, kind, **arguments), np.empty_like(wanted)
            for got in (p(), p(a), p(a, out), out, p.execute()):
                np.testing.assert_allclose(got, wanted, atol=1e-6 if wanted.dtype == "c8" else 1e-12, err_msg=str((kind, arguments)))
            self.assertEqual((p.kind, got.dtype), (kind, wanted.dtype))
            self.assertIn(kind, repr(p))
            self.assertEqual(p.origin, "codelets")
        p = fftgen.plan(x, "fft", s=9)
        self.assertEqual(p.problem, "c2c f64 n=9:1:1 batch=4:6:9 load=zeropad(6)")
        np.testing.assert_allclose(p.inverse(p()), np.pad(x, ((0, 0), (0, 3))), atol=1e-12)
        for error, bad in ((ValueError, x[:2]), (ValueError, x.astype("c8")), (ValueError, x[:, :5])):
            self.assertRaises(error, p, bad)
        x[0] = 0  # of what the array has at the call
        np.testing.assert_allclose(p(), np.fft.fft(x, 9), atol=1e-12)

    def test_tuned(self):
        """A kernel of libfftgen's where that is there and is faster; the same results, times the factor, either way."""
        for kind, x in (("ifft", numbers(16, 480)), ("rfft", numbers(16, 300, complex=False)), ("fft", numbers(8, 96, complex=False))):
            p, q = fftgen.plan(x, kind, tune=.3), fftgen.plan(x, kind)
            self.assertIn(p.origin, ("codelets", "kernel"))
            np.testing.assert_allclose(p(), q(), atol=1e-12)
            self.assertEqual(p.origin == "kernel", p.plan.startswith("(kernel"))

    def test_lives(self):
        x = numbers(16)
        for _ in range(50):
            p = fftgen.plan(x)
            fftgen.cache.clear()
            np.testing.assert_allclose(p(), fftgen.fft(x), atol=1e-13)
            del p
            gc.collect()

    def test_texts(self):
        p = fftgen.plan(numbers(3, 60, complex=False)[:, :30], "rfft")
        self.assertEqual(p.problem, "r2c f64 n=30:1:1 batch=3:60:16")
        self.assertEqual(p.origin, "codelets")
        self.assertIn("30", p.plan)
        self.assertIn("rfft", repr(p))
        self.assertEqual(fftgen.plan(numbers(7, 8).astype("c8"), "ifft", (1, 0)).problem, "c2c f32 n=7:8:8x8:1:1 sign=+1 scale=1/n")
        self.assertEqual(fftgen.plan(numbers(6, complex=False), "idct", type=2).problem, "dct3 f64 n=6:1:1 scale=0.083333333333333329")
        for kind, norm, factor in (("fft", None, ""), ("fft", "ortho", " scale=1/sqrt(n)"), ("fft", "forward", " scale=1/n"), ("ifft", "forward", " sign=+1")):
            self.assertEqual(fftgen.plan(numbers(8), kind, norm=norm).problem, "c2c f64 n=8:1:1" + factor)
        self.assertEqual(fftgen.plan(numbers(8, complex=False), "dct", norm="ortho").problem, "dct2 f64 n=8:1:1 scale=0.25 store=window")
        self.assertEqual(fftgen.plan(numbers(8, complex=False), "ihfft").problem, "r2c f64 n=8:1:1 sign=+1 scale=1/n")
        self.assertEqual(fftgen.plan(numbers(8, complex=False), "fft", norm="ortho").problem, "r2c f64 n=8:1:1 scale=1/sqrt(n)")


@unittest.skipUnless(PROGRAM, "no program fftgen")
class Program(unittest.TestCase):
    def test_source_and_proof(self):
        p = fftgen.plan(numbers(16, 64))
        self.assertTrue("__global__" in p.source("cuda"))
        self.assertTrue("vector_size(32)" in p.source("c", isa="avx2"))
        self.assertTrue(fftgen.plan(numbers(16)).proof["proved"])
        self.assertTrue(fftgen.plan(numbers(16, complex=False), "dct", norm="ortho").proof["proved"])
        self.assertEqual(p.source(self_test=True).count("int main("), 1)
        with self.assertRaisesRegex(RuntimeError, "threads"):
            p.source(threads=2)

    def test_source_is_what_runs(self):
        p = fftgen.plan(numbers(16, 64))
        self.assertTrue(p.source().startswith(f"/* Of the same problem: fftgen.Plan runs the codelets {p.plan}"))
        p = fftgen.plan(numbers(64, 480), "ifft", tune=1)
        if p.origin == "kernel":
            self.assertIn(f"Plan: {p.plan.split(chr(34))[3]}\n", p.source())
            self.assertIn("sign=+1 scale=1/n\n", p.source())
            self.assertTrue(p.proof["proved"])
        try:
            q = fftgen.plan(numbers(4, 64, complex=False), "rfft", load=fftgen.load(lambda v, k: v * k))
        except NotImplementedError as no_kernels:
            self.skipTest(str(no_kernels))
        self.assertIn(f"Plan: {q.plan}\n", q.source())

    def test_wisdom(self):
        with tempfile.TemporaryDirectory() as folder:
            old, os.environ["FFTGEN_WISDOM"] = os.environ.get("FFTGEN_WISDOM"), os.path.join(folder, "w.jsonl")
            try:
                self.assertEqual(fftgen.wisdom.path(), os.path.join(folder, "w.jsonl"))
                self.assertEqual(fftgen.wisdom.show(), "")
                self.assertEqual(fftgen.wisdom.explain(fftgen.plan(numbers(16))), "")
            finally:
                os.environ.pop("FFTGEN_WISDOM")
                if old:
                    os.environ["FFTGEN_WISDOM"] = old

    def test_errors_are_the_programs(self):
        with self.assertRaisesRegex(RuntimeError, "isa"):
            fftgen.plan(numbers(16)).source("c", isa="nothing")


@unittest.skipUnless(PROGRAM, "no program fftgen")
class RawKernels(unittest.TestCase):
    def test_launches(self):
        k = fftgen.raw_kernel("c2c f32 n=100000 load=window")
        self.assertEqual([s.kind for s in k.slots[:3]], ["in", "out", "given"])
        self.assertEqual((k.slots[0].bytes, k.slots[2].bytes), (800000, 400000))
        self.assertEqual(k.problem, "c2c f32 n=100000 load=window")
        for launch in k.launches:
            self.assertIn(f"{launch.name}(", k.source)
            self.assertGreater(launch.grid(), 0)
            self.assertLess(max(int(a[1:]) for a in launch.arguments), len(k.slots))

    def test_of_calls(self):
        x = numbers(4, 64)
        for kind, norm, words in (("ifft", None, "sign=+1 scale=1/n"), ("fft", "ortho", "scale=1/sqrt(n)"), ("irfft", None, "scale=1/n")):
            self.assertTrue(fftgen.raw_kernel(x, kind, norm=norm).problem.endswith(words))
        k = fftgen.raw_kernel(x.real.copy(), "dct", norm="ortho")
        (window,) = (s for s in k.slots if s.kind == "given")
        np.testing.assert_allclose(np.frombuffer(window.content), [.5 ** .5, *[1.] * 63])
        for a, kind, words in ((x.real.copy(), "fft", "rfft"), (x.real.copy(), "ifftn", "ihfft"), (x.real.tolist(), "fft2", "rfft"), (x.real.copy(), "irfft", "complex128"),
                               (x.real.astype("i4"), "rfft", "float64"), (x.astype(">c16"), "fft", "complex128")):
            with self.assertRaisesRegex(ValueError, words):
                fftgen.raw_kernel(a, kind)
        self.assertTrue(fftgen.raw_kernel(x, "fft", s=90).problem.endswith("load=zeropad(64)"))

    def test_arguments(self):
        self.assertEqual(fftgen.raw_kernel("c2c f32 n=1024", plan="stockham(32,32)").plan, "stockham(32,32)")
        for arguments in ({"typo": 3}, {"norm": "ortho"}, {"axes": 1}, {"kind": "ifft"}):
            with self.assertRaisesRegex(TypeError, next(iter(arguments))):
                fftgen.raw_kernel("c2c f32 n=1024", **arguments)
        with self.assertRaisesRegex(TypeError, "typo"):
            fftgen.raw_kernel(numbers(64), typo=3)
        with self.assertRaisesRegex(RuntimeError, "foo"):
            fftgen.raw_kernel("c2c f32 n=64", plan="foo")

    def test_tables(self):
        k = fftgen.raw_kernel("c2c f64 n=100000")
        for slot in k.slots:
            self.assertEqual(slot.content is not None and len(slot.content) == slot.bytes, slot.kind == "table")
            if slot.kind == "table":
                pairs = np.frombuffer(slot.content, "c16")  # factors on the unit circle
                np.testing.assert_allclose(abs(pairs), 1, atol=1e-14)

    def test_parameters(self):
        k = fftgen.raw_kernel("c2c f32 n=1024 batch=count[1..1000]")
        self.assertEqual(k.parameters, 1)
        self.assertGreater(k.launches[0].grid((1000,)), k.launches[0].grid((10,)))

    def test_machines(self):
        here = fftgen.raw_kernel("conv bf16 n=256 batch=100", arch="h200").source
        self.assertIn("cvt.rn.bf16", here)  # which older GPUs lack
        self.assertNotIn("cvt.rn.bf16", fftgen.raw_kernel("conv bf16 n=256 batch=100", arch="sm_70").source)
        with self.assertRaisesRegex(RuntimeError, "nothing"):
            fftgen.raw_kernel("c2c f32 n=64", arch="nothing")

    def test_errors(self):
        with self.assertRaisesRegex(RuntimeError, "column"):
            fftgen.raw_kernel("c2c f32 n=0")


if __name__ == "__main__":
    unittest.main()
