"""Arrays of a GPU, on GPUs whose memory is the host's (host_gpu.c): results, types, layouts, streams, devices, plans that are kept, errors by
name. usage: LD_PRELOAD=host_gpu.so python test_host_gpu.py, with host/ on PYTHONPATH and the library beside the extension as libfftgen."""

import ctypes
import gc
import json
import lzma
import os
import random
import tarfile
import tempfile
import unittest
import unittest.mock

import cupy
import fftgen
import fftgen._foreign
import numpy as np

try:
    import fftgen.scipy_fft
    import scipy
except ImportError:
    scipy = None

host = cupy.host
host.host_set_device(0)
problem = ctypes.c_char * 4096
try:
    PROGRAM = fftgen._plans._program()
except RuntimeError:
    PROGRAM = None


def count(name):
    return ctypes.c_int.in_dll(host, "host_" + name).value


def workspaces():
    return sum(type(o) is cupy.ndarray and o.dtype == np.uint8 and o.shape == (1024,) for o in gc.get_objects())


def last_problem():
    return problem.in_dll(host, "host_problem").value.decode()


def numbers(*shape, dtype="c16", seed=3):
    rng = np.random.default_rng(seed)
    x = rng.standard_normal(shape)
    return (x + 1j * rng.standard_normal(shape) if np.dtype(dtype).kind == "c" else x).astype(dtype)


def close(got, wanted, dtype=None):
    wanted = np.asarray(wanted)
    got = got.get() if isinstance(got, cupy.ndarray) else got
    np.testing.assert_equal(got.dtype, wanted.dtype if dtype is None else np.dtype(dtype))
    single = got.dtype.itemsize == (8 if got.dtype.kind == "c" else 4)
    np.testing.assert_allclose(got, wanted, atol=(2e-5 if single else 1e-12) * (1 + np.abs(wanted).max(initial=0)))


def both(name, x, **arguments):
    """On the GPU, twice (the second call finds the plan), and on the host."""
    wanted = getattr(fftgen, name)(x, **arguments)
    there = cupy.asarray(x)
    for _ in range(2):
        got = getattr(fftgen, name)(there, **arguments)
        assert isinstance(got, cupy.ndarray), type(got)
        close(got, wanted)
    close(there, x)  # which nothing wrote to


class Packs(unittest.TestCase):
    def test_kernels_of_a_pack_serve_first_calls(self):
        rows = [{"fftgen": 1, "target": "cuda", "problem": f"{p} batch=count[1..1048576]{rest}"} for p, rest in
                (("c2c f64 n=21", ""), ("r2c f32 n=22", ""), ("c2r f64 n=23", " scale=1/n"), ("c2c f64 n=24", " sign=+1 scale=1/n"))]
        cases = (("fft", numbers(9, 21), True), ("rfft", numbers(9, 22, dtype="f4"), True), ("irfft", numbers(9, 12), True), ("ifft", numbers(9, 24), True),
                 ("fft", numbers(9, 24), False), ("rfft", numbers(9, 22, dtype="f8"), False), ("fft", numbers(9, 22)[:, :21], False))
        with tempfile.TemporaryDirectory() as folder:
            with open(os.path.join(folder, "pack.jsonl"), "w", encoding="utf-8") as file:
                file.write("".join(json.dumps(row) + "\n" for row in rows) + '{"fftgen_pack":1,"check":""}\n')
            archive = os.path.join(folder, "kernels.tar")
            with tarfile.open(archive, "w") as tar:
                tar.add(os.path.join(folder, "pack.jsonl"), "pack.jsonl")
            with open(archive, "rb") as file, lzma.open(archive + ".xz", "wb") as packed:
                packed.write(file.read())
            unsafe = os.path.join(folder, "unsafe")
            os.mkdir(unsafe)
            os.chmod(unsafe, 0o777)
            for pack, cache in ((folder, ""), (archive, ""), (archive + ".xz", os.path.join(folder, "cache")), (archive + ".xz", unsafe)):
                with unittest.mock.patch.dict(os.environ, {"FFTGEN_PACK": pack, "FFTGEN_CACHE": cache or os.environ.get("FFTGEN_CACHE", "")}):
                    self.forget()
                    for name, x, there in cases:
                        x = cupy.asarray(x) if x.flags.c_contiguous else cupy.asarray(x.base)[:, :21]
                        got = getattr(fftgen, name)(x, **({"n": 23} if name == "irfft" else {}))
                        self.assertEqual("count[" in last_problem(), there, (name, last_problem()))
                        close(got, getattr(fftgen, name)(x.get(), **({"n": 23} if name == "irfft" else {})))
                    used = problem.in_dll(host, "host_pack").value.decode()
                    where = os.path.dirname(used) if cache else used
                    self.assertEqual(where, pack if not cache else "/proc/self/fd" if cache == unsafe else cache)
            with open(archive + ".xz", "r+b") as file:
                file.truncate(100)
            with unittest.mock.patch.dict(os.environ, {"FFTGEN_PACK": archive + ".xz"}):
                self.forget()
                self.assertEqual((fftgen._pack.path(), fftgen._pack.problems()), (None, frozenset()))
        self.forget()
        self.assertEqual(fftgen._pack.problems(), frozenset())

    def forget(self):
        fftgen.cache.clear()
        fftgen._gpu._counts.clear()
        fftgen._pack.path.cache_clear(), fftgen._pack.problems.cache_clear(), fftgen._pack.use.cache_clear()


class Transforms(unittest.TestCase):
    def test_complex(self):
        for name in ("fft", "ifft"):
            for dtype in ("c8", "c16"):
                for norm in (None, "ortho", "forward"):
                    both(name, numbers(5, 12, dtype=dtype), norm=norm)
                    both(name, numbers(5, 12, dtype=dtype), axis=0, norm=norm)

    def test_real_sides(self):
        for norm in (None, "ortho", "forward"):
            for name in ("rfft", "ihfft"):
                both(name, numbers(5, 12, dtype="f8"), norm=norm)
                both(name, numbers(5, 11, dtype="f4"), norm=norm, axis=0)
            for name in ("irfft", "hfft"):
                both(name, numbers(5, 7), norm=norm)
                both(name, numbers(5, 7, dtype="c8"), norm=norm, n=11)
                both(name, numbers(6, 7, dtype="f8"), norm=norm, axis=0)  # reals become complex

    def test_full_spectrum_of_reals(self):
        both("fft", numbers(3, 10, dtype="f8"))
        both("ifft", numbers(3, 10, dtype="f4"), axis=0)
        both("fftn", numbers(3, 4, 5, dtype="f8"))

    def test_several_dimensions(self):
        for axes in ((0, 1), (1, 2), (0, 2), (2, 0), (0, 1, 2)):
            both("fftn", numbers(4, 5, 6), axes=axes)
            both("ifftn", numbers(4, 5, 6), axes=axes, norm="ortho")
            both("rfftn", numbers(4, 5, 6, dtype="f8"), axes=axes)
            both("irfftn", numbers(4, 5, 6), axes=axes, norm="forward")
            both("hfftn", numbers(4, 5, 6), axes=axes)
            both("ihfftn", numbers(4, 5, 6, dtype="f8"), axes=axes)
        both("fft2", numbers(3, 4, 5))
        both("rfft2", numbers(3, 4, 5, dtype="f4"), s=(3, 5))
        both("fftn", numbers(4, 5), axes=(0, 0, 1))  # one after another

    def test_cosines_and_sines(self):
        for name in ("dct", "idct", "dst", "idst"):
            for type in (1, 2, 3, 4):
                for norm in (None, "ortho", "forward"):
                    both(name, numbers(3, 8, dtype="f8"), type=type, norm=norm)
                both(name, numbers(3, 8, dtype="f8"), type=type, orthogonalize=True)
                both(name, numbers(3, 8, dtype="f4"), type=type, norm="ortho", orthogonalize=False, axis=0)
                both(name, numbers(3, 8), type=type, norm="ortho")  # part by part
                both(name + "n", numbers(3, 4, 5, dtype="f8"), type=type, norm="ortho", axes=(0, 2))

    def test_lengths(self):
        for n in (1, 4, 6, 9):
            both("fft", numbers(5, 6), n=n)
            both("rfft", numbers(5, 6, dtype="f8"), n=n)
            both("irfft", numbers(5, 6), n=n)
            both("hfft", numbers(5, 6), n=2 * n + 6)
            both("dct", numbers(5, 6, dtype="f8"), n=n)
            both("dst", numbers(5, 6, dtype="f8"), n=n, norm="ortho", type=3)
        both("fft2", numbers(5, 6), s=(3, 8))
        both("rfftn", numbers(5, 6, 7, dtype="f8"), s=(8, 3), axes=(0, 2))
        both("irfftn", numbers(5, 6, 7), s=(3, 20), axes=(0, 2))
        self.assertIn("zeropad", last_problem())

    def test_types(self):
        for given, wanted in (("f2", "c8"), ("f4", "c8"), ("f8", "c16"), ("c8", "c8"), ("i4", "c16"), ("?", "c16"), ("u1", "c16")):
            x = (np.arange(12) % 2).astype(given)
            close(fftgen.fft(cupy.asarray(x)), np.fft.fft(x), wanted)
        self.assertEqual(fftgen.dct(cupy.asarray(np.ones(4, "f2"))).dtype, np.float32)
        halves = numbers(3, 4, 9, dtype="f2")
        for name, arguments in (("irfft", {}), ("hfft", {"n": 10}), ("irfft2", {"axes": (1,)}), ("irfftn", {"axes": (2,)}), ("irfft2", {}), ("hfftn", {"axes": (0, 1)})):
            wanted = getattr(fftgen, name)(halves, **arguments)
            got = getattr(fftgen, name)(cupy.asarray(halves), **arguments)
            self.assertEqual((got.dtype, got.shape), (wanted.dtype, wanted.shape), (name, arguments))
            np.testing.assert_allclose(got.get(), wanted, atol=.01)
        out = cupy.zeros((3, 4, 16), "f4")
        self.assertIs(fftgen.irfft(cupy.asarray(halves), out=out), out)
        self.assertEqual(fftgen.scipy_fft.irfft(cupy.asarray(halves)).dtype if scipy else np.float32, np.float32)

    def test_empty(self):
        self.assertEqual(fftgen.fft(cupy.asarray(np.empty((0, 8)))).shape, (0, 8))
        self.assertEqual(fftgen.rfft(cupy.asarray(np.empty((3, 0, 8)))).shape, (3, 0, 5))

    def test_second_calls_stay_in_c(self):
        complex_numbers, real = cupy.asarray(numbers(4, 6, 5)), cupy.asarray(numbers(4, 6, 5, dtype="f8"))
        for name in ("fft", "ifft", "irfft", "hfft", "fft2", "ifft2", "irfft2", "hfft2", "fftn", "ifftn", "irfftn", "rfft", "rfft2", "rfftn",
                     "dct", "dstn"):
            x = real if name in ("rfft", "rfft2", "rfftn", "dct", "dstn") else complex_numbers
            first = getattr(fftgen, name)(x)
            wanted = first.get()
            getattr(fftgen, name)(x, out=first)
            with unittest.mock.patch("fftgen._gpu.transform", side_effect=AssertionError(f"{name}: the Python half")):
                close(getattr(fftgen, name)(x), wanted)
                close(getattr(fftgen, name)(x, out=first), wanted)

    def test_lengths_that_are_left_out(self):
        """After calls that have said n of as many points as x has numbers."""
        x = numbers(4, 6)
        for name in ("hfft", "irfft", "hfft2", "irfft2", "fft"):
            n = {"s": x.shape} if name[-1] == "2" else {"n": 6}
            both(name, x, **n)
            both(name, x)
            both(name, x, axis=0) if "n" in n else both(name, x, axes=(1, 0))

    def test_no_elements_and_a_length(self):
        for name, shape, options in (("fft", (0,), {"n": 5}), ("rfft", (10, 0), {"n": 6}), ("irfft", (3, 0), {"n": 7}), ("dct", (0,), {"n": 4}),
                                     ("fft2", (0, 4), {"s": (3, 5)})):
            x = np.empty(shape)
            wanted = getattr(fftgen, name)(x, **options)
            self.assertTrue((wanted == 0).all() and wanted.size)
            out = cupy.asarray(np.ones_like(wanted))
            close(getattr(fftgen, name)(cupy.asarray(x), **options), wanted)
            getattr(fftgen, name)(cupy.asarray(x), out=out, **options)
            close(out, wanted)

    def test_large(self):  # with a workspace
        both("fft", numbers(20, 4096, dtype="c8"))
        both("rfft", numbers(1 << 15, dtype="f8"))


class Layouts(unittest.TestCase):
    def test_strides_cost_no_copy(self):
        x = numbers(12, 10, 9)
        there = cupy.asarray(x)
        for view in (lambda a: a[:, ::2], lambda a: a.T, lambda a: a.transpose(1, 2, 0), lambda a: a[3:4], lambda a: a[1:, 2:, 3:],
                     lambda a: a[..., ::3]):
            for axis in range(3):
                got = fftgen.fft(view(there), axis=axis)
                alive = len(gc.get_objects())
                close(got, fftgen.fft(view(x), axis=axis))
                self.assertLessEqual(len(gc.get_objects()), alive + 50)

    def test_strides_that_a_problem_has_not(self):
        x = numbers(6, 8)
        there = cupy.asarray(x)
        close(fftgen.fft(there[::-1]), fftgen.fft(x[::-1]))
        close(fftgen.fft(there[:, ::-2], axis=0), fftgen.fft(x[:, ::-2], axis=0))
        wide = cupy.ndarray(None, own=np.broadcast_to(x[:1], x.shape), device=0)
        close(fftgen.fft(wide), fftgen.fft(np.broadcast_to(x[:1], x.shape)))

    def test_types_by_another_object(self):
        x = cupy.asarray(numbers(8))
        x.dtype_object = np.dtype("c16", metadata={"a": 1})
        self.assertIsNot(x.dtype, np.dtype("c16"))
        launches = count("launches")
        for _ in range(2):
            close(fftgen.fft(x), fftgen.fft(numbers(8)))
        self.assertEqual(count("launches"), launches + 2)

    def test_not_aligned(self):
        raw = np.zeros(16 * 8 + 8, "u1")
        at = raw[(8 - raw.ctypes.data) % 16:][:128].view("c16")  # by 8 of 16 bytes
        at[:] = numbers(8)
        self.assertEqual(at.ctypes.data % 16, 8)
        close(fftgen.fft(cupy.ndarray(None, own=at, device=0)), fftgen.fft(numbers(8)))

    def test_out(self):
        x = numbers(4, 8)
        there, out = cupy.asarray(x), cupy.zeros((4, 8), "c16")
        self.assertIs(fftgen.fft(there, out=out), out)
        close(out, fftgen.fft(x))
        self.assertIs(fftgen.ifft(out, out=out), out)
        close(out, x)
        turned = cupy.zeros((8, 4), "c16").T
        for _ in range(2):
            self.assertIs(fftgen.fft(there, out=turned), turned)
            close(turned, fftgen.fft(x))
        other = cupy.zeros((4, 8), "c8")  # another type: copied into it
        close(fftgen.fft(there, out=other), fftgen.fft(x), "c8")
        both_sides = cupy.zeros((5, 8), "c16")  # overlaps in part
        both_sides[:4] = there
        close(fftgen.fft(both_sides[:4], out=both_sides[1:]), fftgen.fft(x))
        for name, arguments in (("dct", {}), ("rfft", {"n": 8})):
            real = cupy.asarray(x.real.copy())
            out = cupy.zeros(getattr(fftgen, name)(x.real, **arguments).shape, "f8" if name == "dct" else "c16")
            self.assertIs(getattr(fftgen, name)(real, out=out, **arguments), out)
            close(out, getattr(fftgen, name)(x.real, **arguments))

    def test_in_place(self):
        for name in ("fft", "ifft", "dct", "dst"):
            x = numbers(3, 16, dtype="c16" if "fft" in name else "f8")
            there = cupy.asarray(x)
            for _ in range(2):
                there[...] = x
                self.assertIs(getattr(fftgen, name)(there, out=there), there)
                close(there, getattr(fftgen, name)(x))
            self.assertIn("place=in", last_problem())


class Streams(unittest.TestCase):
    def tearDown(self):
        cupy.cuda.stream = 0
        host.host_set_device(0)

    def test_current_stream(self):
        x = cupy.asarray(numbers(8))
        for i in (1, 2):
            cupy.cuda.stream = host.host_stream_of(0, i)
            fftgen.fft(x)
            self.assertEqual(ctypes.c_size_t.in_dll(host, "host_stream").value, host.host_stream_of(0, i))

    def test_stream_of_another_context(self):
        cupy.cuda.stream = host.host_stream_of(1, 0)
        with self.assertRaisesRegex(RuntimeError, "INVALID_HANDLE"):
            fftgen.fft(cupy.asarray(numbers(8)))

    def test_devices(self):
        x = numbers(5, 8)
        with cupy.cuda.Device(1):
            there = cupy.asarray(x)
        host.host_set_device(0)
        for _ in range(2):  # the array's device, whatever the current one is
            y = fftgen.fft(there)
            self.assertEqual(y.device.id, 1)
            close(y, fftgen.fft(x))
        self.assertEqual(host.host_device(), 0)
        with self.assertRaisesRegex(ValueError, "device 0.*device 1|device 1.*device 0"):
            fftgen.fft(there, out=cupy.zeros((5, 8), "c16"))


class Named(unittest.TestCase):
    def test_plans_by_functions_names(self):
        x = numbers(3, 4, 6)
        there = cupy.asarray(x)
        for kind in ("hfft", "irfft", "fft2", "ifftn", "irfft2", "hfftn"):
            p = fftgen.plan(there, kind)
            close(p(), getattr(fftgen, kind)(x))
            back = {"hfft": "ihfft", "irfft": "rfft"}.get(kind)
            if back:
                close(p.inverse(p()), getattr(fftgen, back)(getattr(fftgen, kind)(x)))


class Kept(unittest.TestCase):
    def test_cold(self):
        x = cupy.asarray(numbers(3, 37))
        twice = fftgen.load(lambda v: 2 * v)
        with fftgen.cold("raise"):
            for call in (lambda: fftgen.fft(x), lambda: fftgen.fft(x, load=twice), lambda: fftgen.plan(x), lambda: fftgen.filter(x, x)):
                with self.assertRaisesRegex(fftgen.ColdError, "c2c f64 n=37|conv f64 n=37"):
                    call()
        p = fftgen.plan(x, norm="ortho")
        fftgen.fft(x), fftgen.fft(x, load=twice)
        with fftgen.cold("raise"):
            p(), p(x)
            close(fftgen.fft(x), np.fft.fft(x.get()))
            close(fftgen.fft(x, load=twice), 2 * np.fft.fft(x.get()))

    def test_counts(self):
        x = cupy.asarray(numbers(7, 77))
        before, plans = fftgen.cache.info()["cuda"], count("plans")
        for _ in range(3):
            fftgen.fft(x)
        after = fftgen.cache.info()["cuda"]
        self.assertEqual((after.made - before.made, after.found - before.found, count("plans") - plans), (1, 2, 1))
        fftgen.fft(x, norm="ortho")
        fftgen.fft(x[:, ::7])
        self.assertEqual(fftgen.cache.info()["cuda"].made - after.made, 2)

    def test_limit(self):
        x = cupy.asarray(numbers(300))
        alive = count("alive")
        fftgen.cache.set_limit(4)
        try:
            waits = count("waits")
            for n in range(200, 220):
                fftgen.fft(x, n)
            self.assertEqual(fftgen.cache.info()["cuda"].plans, 4)
            self.assertLessEqual(count("alive"), alive + 4)
            self.assertGreater(count("waits"), waits)  # what was enqueued ended before
        finally:
            fftgen.cache.set_limit(1024)
        fftgen.cache.clear()
        self.assertEqual(fftgen.cache.info()["cuda"].plans, 0)
        close(fftgen.fft(x), fftgen.fft(numbers(300)))

    def test_graphs_keep_their_plans(self):
        x = cupy.asarray(numbers(20, 4097, dtype="c8"))
        fftgen.fft(x)
        capturing = ctypes.c_int.in_dll(host, "host_capturing")
        capturing.value = 1
        fftgen.fft(x)
        capturing.value = 0
        alive = count("alive")
        fftgen.cache.clear()
        gc.collect()
        self.assertGreater(count("alive"), 0)
        self.assertGreaterEqual(alive, count("alive"))
        self.assertEqual(workspaces(), 1)  # which the graph uses
        fftgen.fft(x)
        self.assertEqual(workspaces(), 1)


class Plans(unittest.TestCase):
    def test_results(self):
        for name in ("fft", "ifft", "rfft", "ihfft", "irfft", "dct", "idst"):
            x = numbers(5, 6, 7, dtype="f8" if name in ("rfft", "ihfft", "dct", "idst") else "c16")
            for axes in (1, (0, 2)):
                for norm in (None, "ortho"):
                    wanted = getattr(fftgen, name + "n")(x, axes=(axes,) if axes == 1 else axes, norm=norm)
                    there = cupy.asarray(x)
                    p = fftgen.plan(there, name, axes, norm=norm)
                    for got in (p(), p(there), p(cupy.asarray(x)), p.execute(there)):
                        close(got, wanted)

    def test_outputs(self):
        x, out = cupy.asarray(numbers(4, 8)), cupy.zeros((4, 8), "c16")
        p = fftgen.plan(x, out=out)
        self.assertIs(p(), out)
        close(out, fftgen.fft(numbers(4, 8)))
        y = cupy.zeros((4, 8), "c16")
        self.assertIs(p(x, y), y)
        close(y, out.get())
        close(p(cupy.asarray(numbers(8, 4)).T), fftgen.fft(numbers(8, 4).T))  # other strides: another plan

    def test_keeps_its_kernels(self):
        x = cupy.asarray(numbers(313))
        p = fftgen.plan(x)
        plans = count("plans")
        fftgen.cache.clear()
        p()
        self.assertEqual(count("plans"), plans)

    def test_inverse(self):
        for name in ("fft", "rfft", "dct"):
            x = numbers(4, 9, dtype="c16" if name == "fft" else "f8")
            p = fftgen.plan(cupy.asarray(x), name, norm="ortho")
            close(p.inverse(p()), x)
            wanted, out = p().get(), cupy.asarray(np.zeros(p().shape, p().dtype))
            q = fftgen.plan(p.x, name, norm="ortho", out=out)  # with operands of its own: weights
            self.assertIs(q(), out)
            close(out, wanted)

    def test_what_it_says(self):
        p = fftgen.plan(cupy.asarray(numbers(4, 8)), norm="ortho")
        self.assertEqual(p.problem, "c2c f64 n=8 batch=4 scale=1/sqrt(n)")
        self.assertIn(p.origin, ("jit", "cache"))
        self.assertIn("GpuPlan of fft", repr(p))
        self.assertTrue(p.plan and p.reasons is not None)
        if PROGRAM:
            self.assertIn("__global__", p.source(plan="direct(8)"))

    def test_errors(self):
        x = cupy.asarray(numbers(4, 8))
        for call in (lambda: fftgen.plan(x, "nothing"), lambda: fftgen.plan(x.real), lambda: fftgen.plan(x[::-1]), lambda: fftgen.plan(x)(x[:2]),
                     lambda: fftgen.plan(x, out=cupy.zeros((4, 9), "c16")), lambda: fftgen.plan(x)(x, x[1:])):
            with self.assertRaises(ValueError):
                call()
        with self.assertRaises(TypeError):
            fftgen.plan(Interface(x))


class SciPy(unittest.TestCase):
    def test_backend(self):
        try:
            import scipy.fft

            import fftgen.scipy_fft
        except ImportError:
            self.skipTest("no SciPy")
        x = numbers(4, 12)
        with scipy.fft.set_backend(fftgen.scipy_fft, only=True):
            for _ in range(2):
                launches = count("launches")
                close(scipy.fft.fft(cupy.asarray(x), norm="ortho"), fftgen.fft(x, norm="ortho"))
                self.assertEqual(count("launches"), launches + 1)
            with self.assertRaises(ValueError):
                scipy.fft.fft(cupy.asarray(x), 0)


class Errors(unittest.TestCase):
    def test_by_name(self):
        x, real = cupy.asarray(numbers(4, 8)), cupy.asarray(numbers(4, 8, dtype="f8"))
        for error, call in ((np.exceptions.AxisError if hasattr(np, "exceptions") else np.AxisError, lambda: fftgen.fft(x, axis=2)),
                            (ValueError, lambda: fftgen.fft(x, 0)), (ValueError, lambda: fftgen.fft(x, norm="no")),
                            (TypeError, lambda: fftgen.rfft(x)), (TypeError, lambda: fftgen.fft(x, out=np.zeros((4, 8), complex))),
                            (TypeError, lambda: fftgen.fft(np.zeros((4, 8)), out=x)), (TypeError, lambda: fftgen.fft(x, out=3)),
                            (ValueError, lambda: fftgen.fft(x, out=cupy.zeros((4, 9), "c16"))),
                            (TypeError, lambda: fftgen.fft(x, out=cupy.zeros((4, 8), "f8"))),
                            (ValueError, lambda: fftgen.fft2(x, s=(4,), axes=(0, 1))), (ValueError, lambda: fftgen.dct(real, 5)),
                            (TypeError, lambda: fftgen.fft(x, workers="a")), (ValueError, lambda: fftgen.fft(x, workers=0)),
                            (TypeError, lambda: fftgen.fft(cupy.asarray(np.zeros(4, "g")))),
                            (TypeError, lambda: fftgen.fft(cupy.asarray(np.zeros(4, "M8[s]"))))):
            with self.assertRaises(error):
                call()

    def test_one_dimension_only_array(self):
        with self.assertRaises((IndexError, ValueError)):
            fftgen.fft(cupy.asarray(np.float64(3).reshape(())))


class Garbage(unittest.TestCase):
    def test_extension(self):
        """Whatever its functions are given is results or an exception."""
        rng = random.Random(5)
        view, array = fftgen._foreign.View, cupy.zeros((4, 4), "c16")
        recipes = [lambda: 3, lambda: ("c2c f32 n=4", None, None, None, None, (), None), lambda: ("c2c f64 n=4 batch=4", 3, (), None, None, (), None),
                   lambda: ("c2c f64 n=4 batch=4", cupy.ndarray, ((4, 4), "c16"), None, None, (1, 2, 3), None), lambda: 1 / 0, ("c2c f32 n=4",)]
        arrays = [array, array.T, view(0, 5, 0, (4,), (1,), 1, None), view(1, 99, 0, (4,), (1,), 1, None), view("a", 1, 0, (4,), (1,), 1, None),
                  view(64, 5, 99, (4,), (1,), 1, None)]
        values = [None, 0, 1, -1, 2**70, "fft", 3.5, (), (1,), [1], b"z", object(), np.zeros(4), {}, (1,) * 70, True, *arrays, *recipes]
        names = [n for n in dir(fftgen._core) if n.startswith("gpu_") and n not in ("gpu_library", "gpu_event_done")]
        refused = 0
        for _ in range(20000):
            name = rng.choice(names)
            arguments = [rng.choice(values) for _ in range(rng.choice([1, 2, 3, 9, 9]))]
            if name in ("gpu_run", "gpu_prepare") and rng.random() < .8:
                arguments = [rng.choice(["fft", "rfft", "dct"]), rng.choice(arrays), rng.choice([(4,), (4, 4), (0,), (-1,), ("a",)]),
                             rng.choice([(0,), (1,), (0, 1), (7,), (-1,)]), rng.randint(-1, 3), rng.choice([1, 2, 9]), rng.randint(-1, 1),
                             rng.choice([None, None, *values]), rng.choice(values)]
            try:
                getattr(fftgen._core, name)(*arguments)
            except Exception:
                refused += 1
        self.assertGreater(refused, 5000)
        fftgen.cache.clear()  # of plans that random recipes made
        close(fftgen.fft(array), np.zeros((4, 4), complex))


class Interface:
    """An array that has __cuda_array_interface__ alone."""

    def __init__(self, a, **more):
        self.a = a
        self.__cuda_array_interface__ = {"shape": a._a.shape, "typestr": a._a.dtype.str, "data": (a._a.ctypes.data, False), "strides": a._a.strides,
                                         "version": 3, **more}


class Foreign(unittest.TestCase):
    def numpy(self, array):
        d = array.__cuda_array_interface__
        dtype = np.dtype(d["typestr"])
        size = dtype.itemsize * int(np.prod(d["shape"]))
        return np.frombuffer((ctypes.c_char * size).from_address(d["data"][0]), dtype).reshape(d["shape"]).copy()

    def test_cuda_array_interface(self):
        x = numbers(5, 12)
        for name, values in (("fft", x), ("irfft", x), ("rfft", x.real.copy()), ("dct", x.real.copy())):
            y = getattr(fftgen, name)(Interface(cupy.asarray(values)), norm="ortho")
            close(self.numpy(y), getattr(fftgen, name)(values, norm="ortho"))
        y = fftgen.fft(Interface(cupy.asarray(x).T), axis=0)
        close(self.numpy(y), fftgen.fft(x.T, axis=0))

    def test_memory_is_released(self):
        x = Interface(cupy.asarray(numbers(500)))
        fftgen.fft(x)
        alive = count("alive")
        for _ in range(20):
            fftgen.fft(x)
        gc.collect()
        self.assertLessEqual(count("alive"), alive + 2)

    def test_stream(self):
        stream = host.host_stream_of(0, 3)
        fftgen.fft(Interface(cupy.asarray(numbers(8)), stream=stream))
        self.assertEqual(ctypes.c_size_t.in_dll(host, "host_stream").value, stream)

    def test_out(self):
        x, out = cupy.asarray(numbers(8)), cupy.zeros((8,), "c16")
        to = Interface(out)
        self.assertIs(fftgen.fft(Interface(x), out=to), to)
        close(out, fftgen.fft(numbers(8)))
        with self.assertRaisesRegex(ValueError, "read-only"):
            fftgen.fft(Interface(x), out=Interface(out, data=(out.data.ptr, True)))

    def test_dlpack(self):
        x = numbers(6, 10, dtype="c8")
        y = fftgen.fft(Interface(cupy.asarray(x)))  # has both interfaces
        self.assertEqual(y.__dlpack_device__(), (2, 0))
        z = fftgen.ifft(OnlyDLPack(y))
        close(self.numpy(z), x)
        gc.collect()

    def test_capsules_that_nobody_takes(self):
        y = fftgen.fft(Interface(cupy.asarray(numbers(8))))
        alive = count("alive")
        for _ in range(5):
            y.__dlpack__()
        with self.assertRaises(ValueError):
            fftgen._core.gpu_from_dlpack(object())
        self.assertEqual(count("alive"), alive)

    def test_errors(self):
        a = cupy.asarray(numbers(8))
        with self.assertRaisesRegex(ValueError, "0x40 is no address"):
            fftgen.fft(Interface(a, data=(64, False)))
        for error, made in ((TypeError, Interface(a, mask=1)), (TypeError, Interface(a, typestr="<i4")), (ValueError, Interface(a, data=(64, False))),
                            (ValueError, Interface(a, strides=(-16,))), (TypeError, Interface(a, typestr="<f8"))):
            with self.assertRaises(error):
                fftgen.fft(made)


gain_here, gain_there = numbers(7), cupy.asarray(numbers(7))


class Fused(unittest.TestCase):
    """load= and store=."""

    hann = fftgen.load(lambda v, k: v * (0.5 - 0.5 * fftgen.cospi(2 * k / fftgen.n)))
    power = fftgen.store(lambda v: fftgen.log(1 + abs(v)))

    def test_functions(self):
        for name, dtype in (("fft", "c16"), ("rfft", "f4"), ("irfft", "c8"), ("dct", "f8"), ("ihfft", "f8")):
            for arguments in ({}, {"norm": "ortho"}, {"n": 9}, {"n": 20}):
                both(name, numbers(5, 12, dtype=dtype), load=self.hann, store=self.power, **arguments)
        both("rfft2", numbers(3, 4, 6, dtype="f8"), load=fftgen.load(lambda v, i, j: v * (i + 2 * j)))
        self.assertIn("load=x*l0[j]", last_problem())

    def test_whole_numbers(self):
        for dtype in ("u1", "i2"):
            both("rfft", (np.arange(60) % 100).reshape(5, 12).astype(dtype), load=self.hann)
        self.assertIn("load=i16,", last_problem())
        out, loud = cupy.asarray(np.zeros((5, 7), "u1")), fftgen.store(lambda v: 9 * abs(v))
        for x in (numbers(5, 12, dtype="f4"), (np.arange(60) % 50).reshape(5, 12).astype("i2"), (np.arange(60) % 9).reshape(5, 12).astype("u1")):
            self.assertIs(fftgen.rfft(cupy.asarray(x), store=loud, out=out), out)
            self.assertLessEqual(np.abs(out.get() - np.clip(9 * np.abs(np.fft.rfft(x)), 0, 255)).max(), .51)
        self.assertIn("store=9*abs(x),u8", last_problem())
        self.assertRaises((TypeError, ValueError), fftgen.rfft, cupy.asarray(numbers(5, 12, dtype="f4")), out=out)

    def test_arrays(self):
        x = numbers(5, 12, dtype="f8")
        for gain, function in ((gain_here, lambda v, k: v * gain_here[k]), (gain_there, lambda v, k: v * gain_there[k])):
            for _ in range(2):
                close(fftgen.rfft(cupy.asarray(x), store=fftgen.store(function)), np.fft.rfft(x) * gain_here)
        other = cupy.asarray(numbers(7, dtype="c8"))  # becomes what the kernel reads
        close(fftgen.rfft(cupy.asarray(x), store=fftgen.store(lambda v, k: v * other[k])), np.fft.rfft(x) * other.get())

    def test_out_and_layouts(self):
        x = numbers(6, 12)
        add = fftgen.load(lambda v, k: v + k)
        wanted = np.fft.fft(x + np.arange(12))
        for out in (np.zeros((6, 12), "c16"), np.zeros((12, 6), "c16").T, np.zeros((6, 24), "c16")[:, ::2]):
            there = cupy.asarray(np.zeros(out.shape, "c16"))
            self.assertIs(fftgen.fft(cupy.asarray(x), load=add, out=there), there)
            close(there, wanted)
        there = cupy.asarray(x)
        fftgen.fft(there, load=add, out=there)
        close(there, wanted)
        close(fftgen.fft(cupy.asarray(x)[::-1], load=add), wanted[::-1])
        with cupy.cuda.Device(1):
            y = cupy.asarray(x)
        got = fftgen.fft(y, load=add)
        self.assertEqual(got.device.id, 1)
        close(got, wanted)

    def test_streams_and_plans(self):
        x = cupy.asarray(numbers(6, 12))
        before, cupy.cuda.stream = cupy.cuda.stream, host.host_stream_of(0, 3)
        fftgen.fft(x, load=self.hann)
        cupy.cuda.stream = before
        self.assertEqual(ctypes.c_size_t.in_dll(host, "host_stream").value, host.host_stream_of(0, 3))
        p, plans = fftgen.plan(x, "fft", load=self.hann), count("plans")
        close(p(), fftgen.fft(x, load=self.hann).get())
        p(x, p())
        fftgen.fft(x, load=self.hann)
        self.assertEqual(count("plans"), plans)
        self.assertIn("c2c f64", p.problem)
        large = numbers(64, 256)  # which takes a workspace
        both("fft", large, load=self.hann)


class Counts(unittest.TestCase):
    """Many counts of transforms share a kernel."""

    def test_batches(self):
        fftgen._gpu._counts.clear()
        for b in range(2, 9):
            both("fft", numbers(b, 24))
            self.assertEqual("count[1..1048576]:24:24" in last_problem(), b > 4, (b, last_problem()))
        text = last_problem()
        for b in (300, 2, 1000):
            both("fft", numbers(b, 24))
        both("fft", numbers(2, 50, 24))  # joined: 100
        self.assertEqual(last_problem(), text)
        for b in range(3, 9):
            both("dct", numbers(b, 10, dtype="f8"), norm="ortho")
            both("rfft", numbers(b, 3, 10, dtype="f8"), axis=1)  # the strides of which stay
            both("fft", numbers(10, b), axis=0)  # whose strides vary, too
            y = cupy.asarray(numbers(b, 12))
            close(fftgen.fft(y, out=y), np.fft.fft(numbers(b, 12)))
            both("dst", numbers(b, 8))  # part by part

    def test_plans_are_exact(self):
        for b in range(3, 9):
            p = fftgen.plan(cupy.asarray(numbers(b, 36)), "fft")
            self.assertIn(f"batch={b}", p.problem)
            close(p(), np.fft.fft(numbers(b, 36)))

    def test_workspaces_are_of_one_count(self):
        for b in range(17, 23):  # which take one here
            both("fft", numbers(b, 512))
        self.assertIn("batch=22", last_problem())


class Convolve(unittest.TestCase):
    """filter, convolve, stft and istft: kernels by default."""

    def test_filter_and_convolve(self):
        x, h = numbers(4, 5, 12, dtype="f8"), np.fft.rfft(numbers(5, 12, dtype="f8", seed=4))
        launches = count("launches")
        close(fftgen.filter(cupy.asarray(x), cupy.asarray(h[None])), np.fft.irfft(np.fft.rfft(x) * h, 12))
        self.assertEqual(count("launches"), launches + 1)
        self.assertIn("spectrum=channel", last_problem())
        for a, b in (((2, 3, 20), (1, 1, 6)), ((2, 3, 20), (2, 3, 6)), ((1, 1, 20), (2, 3, 6))):
            a, b = numbers(*a, dtype="f4"), numbers(*b, dtype="f4", seed=5)
            for mode in ("full", "same", "valid"):
                close(fftgen.convolve(cupy.asarray(a), cupy.asarray(b), mode, axes=-1), fftgen.convolve(a, b, mode, axes=-1))
        with self.assertRaises(TypeError):
            fftgen.filter(cupy.asarray(x), h)

    def test_frames(self):
        x = numbers(2, 300, dtype="f4")
        for arguments in ({"center": False}, {"pad": "constant"}, {}):
            X = fftgen.stft(cupy.asarray(x), 32, 8, **arguments)
            close(X, fftgen.stft(x, 32, 8, **arguments))
        close(fftgen.istft(X, 32, 8, length=300), x)
        self.assertIn("store=x*s0[k]", last_problem())
        close(fftgen.stft(cupy.asarray(x), 32, 8, store=fftgen.store(lambda v: abs(v))), abs(fftgen.stft(x, 32, 8)))


class XlaFrame:
    """A call of XLA's, as far as a handler for GPUs reads one: versions, an array in, one out, a problem's text, memory, a stream."""

    def __init__(self, problem, x, out, stream=0):
        word, at, whole = ctypes.c_size_t, ctypes.c_void_p, ctypes.c_int64

        def struct(*fields):
            return type("S", (ctypes.Structure,), {"_fields_": [(f"f{i}", t) for i, t in enumerate(fields)]})

        head = struct(word, at)
        version, buffer = struct(head, ctypes.c_int, ctypes.c_int), struct(head, ctypes.c_int, at, whole, at)
        span, list_, attributes = struct(ctypes.c_char_p, word), struct(head, whole, at, at), struct(head, whole, at, at, at)
        asked = ctypes.CFUNCTYPE(at, ctypes.POINTER(struct(head, at, at)))
        memory = ctypes.CFUNCTYPE(at, ctypes.POINTER(struct(head, at, word, word, at)))
        message = ctypes.CFUNCTYPE(at, ctypes.POINTER(struct(head, ctypes.c_char_p, ctypes.c_int)))
        self.message, self.kept = None, [x, out]

        def error(a):
            self.message = a.contents.f1.decode()
            return 1

        def give_stream(a):
            a.contents.f2 = stream
            return None

        def allocate(a):
            self.kept.append(cupy.ndarray((a.contents.f2,), np.uint8))
            a.contents.f4 = self.kept[-1].data.ptr
            return None

        functions = [message(error), None, None, None, asked(give_stream), None, None, None, None, memory(allocate)]
        pointers = [ctypes.cast(f, at).value if f else None for f in functions]
        types = {"f4": 11, "f8": 12, "c8": 15, "c16": 18}
        api = struct(head, version, at, *[at] * 10)((0, None), ((0, None), 0, 3), None, *pointers)

        def array(a):
            dims = (whole * a.ndim)(*a.shape)
            b = buffer((0, None), types[a.dtype.str[1:]], a.data.ptr, a.ndim, ctypes.addressof(dims))
            slot = (at * 1)(ctypes.addressof(b))
            self.kept += [dims, b, slot]
            return list_((0, None), 1, None, ctypes.addressof(slot))

        name, text, kinds = span(b"problem", 7), span(problem, len(problem)), (ctypes.c_int * 1)(4)
        names, values = (at * 1)(ctypes.addressof(name)), (at * 1)(ctypes.addressof(text))
        of = attributes((0, None), 1, ctypes.addressof(kinds), ctypes.addressof(names), ctypes.addressof(values))
        self.frame = struct(head, at, at, ctypes.c_int, list_, list_, attributes)((0, None), ctypes.addressof(api), None, 3, array(x), array(out), of)
        self.kept += [functions, api, name, text, kinds, names, values]

    def call(self):
        get = ctypes.pythonapi.PyCapsule_GetPointer
        get.restype, get.argtypes = ctypes.c_void_p, [ctypes.py_object, ctypes.c_char_p]
        handler = ctypes.CFUNCTYPE(ctypes.c_void_p, ctypes.c_void_p)(get(fftgen._core.xla_handler("CUDA"), None))
        return handler(ctypes.addressof(self.frame))


class Xla(unittest.TestCase):
    """The handler that jax.jit's programs call on a GPU."""

    def test_results(self):
        for n in (8, 16, 16384):  # the last one takes a workspace
            x = numbers(3, n)
            out = cupy.asarray(np.zeros((3, n), "c16"))
            for _ in range(2):
                frame = XlaFrame(b"c2c f64 n=%d batch=3" % n, cupy.asarray(x), out, host.host_stream_of(0, 2))
                self.assertIsNone(frame.call(), frame.message)
                close(out, np.fft.fft(x))
            self.assertEqual(ctypes.c_size_t.in_dll(host, "host_stream").value, host.host_stream_of(0, 2))

    def test_errors(self):
        x, out = cupy.asarray(numbers(3, 8)), cupy.asarray(numbers(3, 8))
        for text, there, words in ((b"c2c f64 n=8 batch=4", out, "shorter"), (b"c2c", out, "problem"), (b"c2c f64 n=8", cupy.asarray(numbers(8)), "shapes"),
                                   (b"c2c f64 n=8 batch=3", cupy.asarray(numbers(3, 2)), "shorter")):
            frame = XlaFrame(text, x, there)
            self.assertEqual(frame.call(), 1)
            self.assertIn(words, frame.message)


class OnlyDLPack:
    def __init__(self, x):
        self.x, self.ndim, self.shape = x, x.ndim, x.shape

    def __dlpack_device__(self):
        return self.x.__dlpack_device__()

    def __dlpack__(self, **named):
        return self.x.__dlpack__(**named)


class Drawn(unittest.TestCase):
    def test_random_calls(self):
        rng = random.Random(34)
        for _ in range(300):
            name = rng.choice(["fft", "ifft", "rfft", "irfft", "hfft", "ihfft", "dct", "dst", "idct", "idst"])
            shape = tuple(rng.choice([1, 2, 3, 4, 6]) for _ in range(rng.randint(1, 4)))
            x = numbers(*shape, dtype=rng.choice(["f4", "f8"] if name in ("rfft", "ihfft") else ["f4", "f8", "c8", "c16"]), seed=rng.randint(0, 9))
            order = rng.sample(range(x.ndim), x.ndim)
            at = tuple(slice(None, None, rng.choice([1, 1, 2])) for _ in shape)
            axes = rng.sample(range(x.ndim), rng.randint(1, x.ndim))
            arguments = {"axes": axes, "norm": rng.choice([None, "ortho", "forward", "backward"])}
            if rng.random() < .5:
                arguments["s"] = [rng.randint(1, 7) for _ in axes]
            if name[-3:] in ("dct", "dst"):
                arguments["type"] = rng.randint(1, 4)
            try:
                wanted = getattr(fftgen, name + "n")(x.transpose(order)[at], **arguments)
            except Exception as error:
                with self.assertRaises(type(error)):
                    getattr(fftgen, name + "n")(cupy.asarray(x).transpose(*order)[at], **arguments)
                continue
            got = getattr(fftgen, name + "n")(cupy.asarray(x).transpose(*order)[at], **arguments)
            with self.subTest(name=name, shape=shape, order=order, arguments=arguments, problem=last_problem()):
                close(got, wanted)


if __name__ == "__main__":
    unittest.main()
