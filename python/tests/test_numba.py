"""fftgen.numba_device: the device function's text, compiled by nvcc where that is; a kernel of numba.cuda's that calls it, compiled and linked without a GPU, and
run where there is one."""

import os
import shutil
import subprocess
import tempfile
import types
import unittest

import fftgen
import numpy as np

try:
    fftgen._plans._program()
    PROGRAM = True
except RuntimeError:
    PROGRAM = False
try:
    import numba.cuda.dispatcher
    from numba import cuda
    from numba.types import complex64, float32, uint8, void
    import numba.cuda.cudaimpl  # asks NumPy for what its later versions have not
    import fftgen._numba
    fftgen._numba._numba()
except (ImportError, AttributeError):
    cuda = None

NVCC = shutil.which("nvcc")
PROBLEMS = ("c2c f32 n=256", "r2c f64 n=1000", "c2c f32 n=16 batch=16", "c2c f32 n=1009", "c2c f32 n=8", "r2c f32 n=512 load=u8,x*w[j] store=log(abs(x))",
            "c2c f32 n=32x32", "c2c f32 n=64 place=in", "c2c f16 n=128")


def compiled(folder, name, code):
    path = os.path.join(folder, name + ".cu")
    with open(path, "w", encoding="utf-8") as file:
        file.write(code)
    done = subprocess.run([NVCC, "-arch=sm_90", "-rdc=true", "-cubin", path, "-o", path + "bin"], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    return path + "bin"


@unittest.skipUnless(PROGRAM, "no program fftgen")
class Text(unittest.TestCase):
    def test_functions(self):
        names = set()
        with tempfile.TemporaryDirectory() as folder:
            for text in PROBLEMS:
                d = fftgen.numba_device(text)
                names.add(d.name)
                self.assertNotIn("__global__", d.code)
                self.assertEqual(len(d.arrays), {"r2c f32 n=512 load=u8,x*w[j] store=log(abs(x))": 3, "c2c f32 n=64 place=in": 1}.get(text, 2))
                if NVCC:
                    compiled(folder, d.name, d.code)
        self.assertEqual(len(names), len(PROBLEMS))

    def test_without_numba_cuda(self):
        from unittest import mock

        with mock.patch.dict("sys.modules", {"numba": None}), self.assertRaisesRegex(ImportError, "numba-cuda"):
            fftgen.numba_device("c2c f32 n=256").device

    def test_of_calls(self):
        """The factor is a part of it, and an orthogonal transform's window."""
        x = np.ones(64)
        self.assertTrue(fftgen.numba_device(x + 0j, "ifft").problem.endswith("sign=+1 scale=1/n"))
        d = fftgen.numba_device(x, "dct", norm="ortho")
        self.assertEqual((d.arrays, d.problem.split()[-1]), (["in", "out"], "store=window"))
        if NVCC:
            with tempfile.TemporaryDirectory() as folder:
                compiled(folder, d.name, d.code)

    def test_errors(self):
        with self.assertRaisesRegex(ValueError, "rfft"):
            fftgen.numba_device(np.ones(64))
        with self.assertRaisesRegex(TypeError, "typo"):
            fftgen.numba_device("c2c f32 n=256", typo=3)
        for error, call in ((ValueError, lambda: fftgen.numba_device("c2c f32 n=100000")), (RuntimeError, lambda: fftgen.numba_device("c2c f32")),
                            (ValueError, lambda: fftgen.numba_device("c2c f32 n=65536", plan="four-step(stockham(16,16), stockham(16,16))"))):
            with self.assertRaises(error):
                call()


@unittest.skipUnless(PROGRAM and cuda, "no program fftgen, or no numba.cuda")
class Kernels(unittest.TestCase):
    def text_of(self, kernel, signature):
        """PTX, for a machine that is not here."""
        before = numba.cuda.dispatcher.get_current_device
        numba.cuda.dispatcher.get_current_device = lambda: types.SimpleNamespace(compute_capability=(9, 0))
        try:
            return cuda.compile_ptx(kernel, signature, cc=(9, 0))[0]
        except Exception as error:  # libNVVM is the toolkit's
            if "NVVM" in str(error) or "libdevice" in str(error) or "nvvm" in str(error):
                self.skipTest(str(error)[:100])
            raise
        finally:
            numba.cuda.dispatcher.get_current_device = before

    def test_linked(self):
        d = fftgen.numba_device("c2c f32 n=256")
        transform = d.device

        def kernel(x, y):
            row = cuda.blockIdx.x
            transform(x[row], y[row])

        text = self.text_of(kernel, void(complex64[:, ::1], complex64[:, ::1]))
        self.assertIn(f".extern .func  (.param .b32 func_retval0) {d.name}", text)
        if not NVCC:
            self.skipTest("no nvcc")
        with tempfile.TemporaryDirectory() as folder:
            function, path = compiled(folder, d.name, d.code), os.path.join(folder, "kernel.ptx")
            with open(path, "w", encoding="utf-8") as file:
                file.write(text)
            near = os.path.dirname(os.path.realpath(NVCC))
            for command in ([os.path.join(near, "ptxas"), "-arch=sm_90", "-c", path, "-o", path + ".cubin"],
                            [os.path.join(near, "nvlink"), "-arch=sm_90", path + ".cubin", function, "-o", os.path.join(folder, "all.cubin")]):
                done = subprocess.run(command, capture_output=True, text=True)
                self.assertEqual(done.returncode, 0, done.stderr)

    def test_arrays_of_operations(self):
        d = fftgen.numba_device("r2c f32 n=512 load=u8,x*w[j] store=log(1+abs(x))")
        transform = d.device

        def kernel(x, y, w):
            transform(x[cuda.blockIdx.x], y[cuda.blockIdx.x], w)

        self.assertIn(d.name, self.text_of(kernel, void(uint8[:, ::1], float32[:, ::1], float32[::1])))

    @unittest.skipUnless(cuda and cuda.is_available(), "no GPU")
    def test_results(self):
        rng = np.random.default_rng(1)
        for text, n in (("c2c f32 n=256", 256), ("c2c f32 n=1009", 1009), ("c2c f32 n=4096", 4096)):
            d = fftgen.numba_device(text)
            transform = d.device

            @cuda.jit
            def smoothed(x, y):  # forward, times a decay, in shared memory or in y's
                row = cuda.blockIdx.x
                transform(x[row], y[row])
                for k in range(cuda.threadIdx.x, y.shape[1], cuda.blockDim.x):
                    y[row, k] *= 2

            x = (rng.standard_normal((40, n)) + 1j * rng.standard_normal((40, n))).astype("c8")
            y = np.zeros_like(x)
            smoothed[40, d.threads](x, y)
            np.testing.assert_allclose(y, 2 * np.fft.fft(x), atol=1e-3 * np.sqrt(n))


if __name__ == "__main__":
    unittest.main()
