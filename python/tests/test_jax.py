"""fftgen.jax_ops: inside jax.jit, with derivatives and vmap, against NumPy, SciPy and JAX itself."""

import unittest

import fftgen
import numpy as np

try:
    import jax
except ImportError:
    jax = None

if jax:
    jax.config.update("jax_enable_x64", True)
    import fftgen.jax_ops as ops
    import jax.numpy as jnp
    from jax.test_util import check_grads

rng = np.random.default_rng(5)


def numbers(*shape, dtype="f8"):
    x = rng.standard_normal(shape)
    return (x + 1j * rng.standard_normal(shape) if np.dtype(dtype).kind == "c" else x).astype(dtype)


def close(got, wanted):
    got = np.asarray(got)
    assert got.dtype == wanted.dtype, (got.dtype, wanted.dtype)
    single = got.dtype in (np.float32, np.complex64)
    np.testing.assert_allclose(got, wanted, rtol=0, atol=(2e-5 if single else 1e-12) * (1 + np.abs(wanted).max(initial=0)))


def inputs(name, *shape):
    return numbers(*shape, dtype="c16" if name.rstrip("2n") in ("fft", "ifft", "irfft", "hfft") else "f8")


@unittest.skipUnless(jax, "no JAX")
class Ops(unittest.TestCase):
    def test_functions(self):
        for name in ("fft", "ifft", "rfft", "irfft", "hfft", "ihfft", "dct", "idct", "dst", "idst"):
            x = inputs(name, 3, 10, 4)
            for arguments in ({}, {"norm": "ortho"}, {"norm": "forward", "axis": 1}, {"n": 7}, {"n": 24, "axis": 0}):
                close(jax.jit(lambda x: getattr(ops, name)(x, **arguments))(x), getattr(fftgen, name)(x, **arguments))
                close(getattr(ops, name)(x, **arguments), getattr(fftgen, name)(x, **arguments))
        for name in ("fftn", "ifftn", "rfftn", "irfftn", "hfftn", "ihfftn", "fft2", "rfft2", "dctn", "dstn"):
            x = inputs(name, 3, 4, 5, 6)
            for arguments in ({}, {"axes": (1, 3)}, {"axes": (2, 0), "s": (4, 6)}):
                close(jax.jit(lambda x: getattr(ops, name)(x, **arguments))(x), getattr(fftgen, name)(x, **arguments))

    def test_orthogonal_ones(self):
        x = numbers(3, 6, 5)
        for name in ("dct", "idct", "dst", "idst"):
            for type in (1, 2, 3, 4):
                for norm in (None, "ortho", "forward"):
                    for orthogonalize in (None, True, False):
                        arguments = {"type": type, "norm": norm, "orthogonalize": orthogonalize}
                        close(getattr(ops, name)(x, **arguments), getattr(fftgen, name)(x, **arguments))
                        close(getattr(ops, name + "n")(x, axes=(0, 2), **arguments), getattr(fftgen, name + "n")(x, axes=(0, 2), **arguments))
        np.testing.assert_allclose((np.asarray(ops.dct(x, norm="ortho")) ** 2).sum(), (x ** 2).sum())

    def test_of_the_host(self):
        x = jnp.asarray(numbers(3, 8))
        p = fftgen.plan(x, "rfft")
        self.assertIsInstance(p(), jax.Array)
        close(p(2 * x), 2 * np.fft.rfft(np.asarray(x)))
        close(p.inverse(p(x)), np.asarray(x))
        with self.assertRaisesRegex(TypeError, "NumPy"):
            fftgen.fft(x, out=np.zeros((3, 8), complex))
        with self.assertRaisesRegex(ValueError, "read-only"):
            fftgen.fft(x, out=x)

    def test_types(self):
        for given, wanted in (("f4", "c8"), ("f8", "c16"), ("c8", "c8"), ("i4", "c16"), ("f2", "c8")):
            self.assertEqual(ops.fft(jnp.ones(8, given)).dtype, np.dtype(wanted))
        self.assertEqual(ops.irfft(jnp.ones(5, "c8")).dtype, np.float32)
        close(ops.dct(numbers(3, 8, dtype="c16") * 0 + 1j), fftgen.dct(numbers(3, 8, dtype="c16") * 0 + 1j))
        self.assertEqual(ops.fft(jnp.ones((0, 8))).shape, (0, 8))

    def test_as_jax(self):
        for name in ("fft", "ifft", "rfft", "irfft", "hfft", "ihfft"):
            for n in (7, 8, 12):
                x = inputs(name, 3, 8)
                close(getattr(ops, name)(x, n), np.asarray(getattr(jnp.fft, name)(x, n)))
                weights = numbers(*getattr(ops, name)(x, n).shape, dtype="c16")
                loss = lambda f, x: (weights * getattr(f, name)(x, n)).real.sum() + (jnp.abs(getattr(f, name)(x, n)) ** 3).sum()
                close(jax.jit(jax.grad(lambda x: loss(ops, x)))(x), np.asarray(jax.grad(lambda x: loss(jnp.fft, x))(x)))
        for name, axes in (("rfftn", (0, 2)), ("irfftn", (1, 2)), ("fftn", (0, 1, 2)), ("hfft2" if hasattr(jnp.fft, "hfft2") else "rfft2", (0, 1))):
            x = inputs(name, 4, 5, 6)
            wanted = np.asarray(jax.grad(lambda x: (jnp.abs(getattr(jnp.fft, name)(x, axes=axes)) ** 3).sum())(x))
            close(jax.grad(lambda x: (jnp.abs(getattr(ops, name)(x, axes=axes)) ** 3).sum())(x), wanted)

    def test_derivatives(self):
        for name in ("dct", "dst", "idct", "idst"):
            for type in (1, 2, 3, 4):
                for norm in (None, "ortho"):
                    x = numbers(2, 6)
                    check_grads(lambda x: getattr(ops, name)(x, type, norm=norm) ** 2, (x,), order=2, modes=("fwd", "rev"))
        for name in ("fft", "rfft", "irfft"):
            check_grads(lambda x: jnp.abs(getattr(ops, name)(x, 9)) ** 2, (inputs(name, 2, 6),), order=2, modes=("fwd", "rev"))

    def test_vmap(self):
        x = numbers(5, 3, 8)
        close(jax.vmap(lambda x: ops.rfft(x, axis=0), in_axes=2, out_axes=1)(x), np.moveaxis(fftgen.rfft(np.moveaxis(x, 2, 0), axis=1), 0, 1))
        close(jax.jit(jax.vmap(jax.vmap(ops.fft)))(x), fftgen.fft(x))
        close(jax.vmap(jax.grad(lambda x: (ops.dct(x) ** 2).sum()))(x[0]), np.asarray([jax.grad(lambda x: (ops.dct(x) ** 2).sum())(v) for v in x[0]]))

    def test_inside_a_program(self):
        @jax.jit
        def step(x):
            def body(i, x):
                return ops.irfft(ops.rfft(x) * 0.5, x.shape[-1]) + i

            return jax.lax.fori_loop(0, 4, body, x)

        wanted = x = numbers(4, 30)
        for i in range(4):
            wanted = wanted / 2 + i
        close(step(x), wanted)

    def test_errors(self):
        for error, call in ((ValueError, lambda: ops.fft(jnp.ones(8), 0)), (TypeError, lambda: ops.rfft(jnp.ones(8, "c8"))),
                            (IndexError, lambda: ops.fft(jnp.ones(8), axis=3)), (ValueError, lambda: ops.fft(jnp.ones(8), norm="x")),
                            (ValueError, lambda: ops.dct(jnp.ones(1), 1)), (TypeError, lambda: ops.fft())):
            with self.assertRaises(error):
                call()

    def test_frames_that_are_wrong(self):
        """The handler checks what it is given."""
        def call(x, shape, words, scale=np.float64(1)):
            ops._register("cpu")
            out = jax.ShapeDtypeStruct(shape, np.complex128)
            return jax.jit(lambda x: jax.ffi.ffi_call(ops._NAME, out)(x, words=np.array(words, np.int64), scale=scale, problem=""))(x)

        self.enterContext(jax.default_device(jax.devices("cpu")[0]))  # a GPU's handler wants the problem's text
        x = numbers(3, 8, dtype="c16")
        close(call(x, (3, 8), [0, 1]), np.fft.fft(x))
        for shape, words in (((3, 9), [0, 1]), ((3, 8), [0, 2]), ((3, 8), [0, -1]), ((3, 8), [99, 1]), ((3, 8), [2, 1]), ((3, 8), [0, 1, 1]),
                             ((4, 8), [0, 1]), ((3, 8), [0]), ((8,), [0, 0]), ((3, 8), [4, 1])):
            with self.assertRaises(Exception, msg=str((shape, words))):
                call(x, shape, words).block_until_ready()


if __name__ == "__main__":
    unittest.main()
