"""What the package shows: docstrings with examples that run, type stubs of every function, the doors of NumPy and SciPy."""

import ast
import doctest
import importlib
import inspect
import os
import pickle
import subprocess
import sys
import tempfile
import unittest

import fftgen
import fftgen._general as general
import fftgen.numpy_fft
import numpy as np

try:
    import scipy.fft
except ImportError:
    scipy = None


class Texts(unittest.TestCase):
    def test_examples(self):
        modules = ["fftgen", "fftgen.cache", "fftgen._workers", "fftgen.numpy_fft", "fftgen._plans", "fftgen.wisdom", "fftgen._helper"] + ["fftgen.scipy_fft"] * (scipy is not None)
        ran = 0
        for name in modules:
            module = importlib.import_module(name)
            runner = doctest.DocTestRunner()
            for test in doctest.DocTestFinder().find(module):
                if name != "fftgen.numpy_fft" or test.name.rpartition(".")[2] not in module.functions:  # whose texts are NumPy's
                    runner.run(test)
            self.assertEqual(runner.failures, 0, name)
            ran += runner.tries
        self.assertGreater(ran, 30)
        if scipy:
            scipy.fft.set_global_backend("scipy")

    def test_signatures(self):
        for row in general.ROWS:
            function = getattr(fftgen, row.name)
            self.assertEqual(str(inspect.signature(function)), str(general.signature(row, "fftgen")))
            self.assertIn("norm : ", function.__doc__)

    def test_pickled(self):
        for function in (fftgen.fft, fftgen.dctn, fftgen.numpy_fft.functions["rfft"]):
            self.assertIs(pickle.loads(pickle.dumps(function)), function)

    def test_stubs(self):
        path = os.path.join(os.path.dirname(fftgen.__file__), "__init__.pyi")
        with open(path, encoding="utf-8") as file:
            body = ast.parse(file.read()).body
        calls = {node.name: [f.args for f in node.body] for node in body if isinstance(node, ast.ClassDef)}
        stubs = {node.target.id: calls[node.annotation.id] for node in body if isinstance(node, ast.AnnAssign) and node.target.id != "__version__"}
        for row in general.ROWS:
            wanted = ["self", *general.signature(row, "fftgen").parameters]
            for a in stubs[row.name]:
                self.assertEqual([x.arg for x in a.args + a.kwonlyargs], wanted, row.name)


class Version(unittest.TestCase):
    def test_is_the_librarys(self):
        self.assertRegex(fftgen.__version__, r"^\d+\.\d+\.\d+$")


class Numpy(unittest.TestCase):
    def test_types_are_numpys(self):
        for name in ("fft", "ifft", "rfft", "irfft", "hfft", "ihfft", "fft2", "irfft2", "irfftn"):
            for dtype in "?bHfdeFD":
                if dtype in "FD" and name in ("rfft", "ihfft"):
                    continue
                x = np.ones((3, 4), dtype)
                wanted = getattr(np.fft, name)(x)
                for given in (x, x.T[::2]):
                    self.assertEqual(fftgen.numpy_fft.functions[name](given).dtype, wanted.dtype, (name, dtype))
                np.testing.assert_allclose(fftgen.numpy_fft.functions[name](x), wanted, atol=1e-3)

    def test_installed(self):
        before = np.fft.fft
        with fftgen.numpy_fft.installed():
            self.assertIsNot(np.fft.fft, before)
            made = fftgen.cache.info()["f64"]
            x = np.random.default_rng(1).standard_normal((3, 77))
            got = np.fft.rfft(x, norm="forward")
            now = fftgen.cache.info()["f64"]
            self.assertGreater(now.made + now.found, made.made + made.found)
        self.assertIs(np.fft.fft, before)
        np.testing.assert_allclose(got, np.fft.rfft(x, norm="forward"), atol=1e-15)

    @unittest.skipIf(np.__version__.startswith("1."), "which takes the last axes in silence")
    def test_no_axes(self):
        x = np.random.default_rng(1).standard_normal((4, 5, 6))
        with fftgen.numpy_fft.installed(), self.assertWarns(DeprecationWarning):
            y = np.fft.fft2(x, (3, 4), axes=None)
        np.testing.assert_allclose(y, np.fft.fft2(x, (3, 4)), atol=1e-12)
        np.testing.assert_allclose(fftgen.fft2(x, axes=None), fftgen.fftn(x), atol=1e-12)

    def test_longdouble_is_numpys(self):
        with fftgen.numpy_fft.installed():
            y = np.fft.fft(np.ones(4, np.longdouble))
        np.testing.assert_array_equal(y, [4, 0, 0, 0])

    def test_with_patch(self):
        with tempfile.TemporaryDirectory() as folder:
            program = os.path.join(folder, "program.py")
            with open(program, "w", encoding="utf-8") as file:
                file.write("import sys, numpy as np, fftgen\nnp.fft.fft(np.ones(123))\n"
                           "print(sys.argv[1:], fftgen.cache.info()['f64'].made, __name__)\n")
            run = [sys.executable, "-m", "fftgen", "with_patch", program, "a", "b"]
            self.assertEqual(subprocess.run(run, check=True, capture_output=True, text=True).stdout, "['a', 'b'] 1 __main__\n")
            for missing in (["-m", "no.such"], ["-m", "nosuch"], [program + "x"]):
                done = subprocess.run([*run[:4], *missing], capture_output=True, text=True)
                self.assertEqual((done.returncode, done.stderr.count("\n"), missing[-1] in done.stderr), (2, 1, True))
        wrong = subprocess.run(run[:3], capture_output=True, text=True)
        self.assertEqual((wrong.returncode, "usage" in wrong.stderr), (2, True))


@unittest.skipUnless(scipy, "no SciPy")
class Scipy(unittest.TestCase):
    def setUp(self):
        import fftgen.scipy_fft

        self.backend = fftgen.scipy_fft

    def test_all_functions(self):
        x = np.random.default_rng(1).standard_normal((6, 7))
        for row in general.ROWS:
            wanted = getattr(scipy.fft, row.name)(x)
            left = sum(self.backend.answered_by_scipy().values())
            with scipy.fft.set_backend(self.backend, only=True):
                got = getattr(scipy.fft, row.name)(x)
            np.testing.assert_allclose(got, wanted, atol=1e-12, err_msg=row.name)
            self.assertEqual(sum(self.backend.answered_by_scipy().values()), left)

    def test_errors_are_scipys(self):
        x = np.ones((3, 4))
        for name, args in (("fft", (x, 0)), ("fft", (x, None, 5)), ("fftn", (x, None, (0, 0))), ("fftn", (x, (1, 2, 3))), ("rfft", (x + 1j,)),
                           ("fftn", (x, (2,), (0, 1))), ("dct", (x, 7)), ("fft", (x, None, -1, "x")), ("rfftn", (x, None, ())), ("fftn", (x, None, (4,))),
                           ("fft2", (x, "a")), ("dct", (np.ones(1), 1)), ("irfft", (np.ones((2, 0)),))):
            with self.assertRaises(Exception) as theirs:
                getattr(scipy.fft, name)(*args)
            with scipy.fft.set_backend(self.backend, only=True), self.assertRaises(type(theirs.exception), msg=(name, args)):
                getattr(scipy.fft, name)(*args)

    def test_workers_are_scipys(self):
        x = np.random.default_rng(1).standard_normal((64, 1024))
        with scipy.fft.set_backend(self.backend, only=True), scipy.fft.set_workers(2):
            fftgen.cache.clear()
            scipy.fft.fft(x)
            self.assertEqual(fftgen.cache.info()["f64"].plans, 1)
            scipy.fft.fft(x, workers=1)
            self.assertEqual(fftgen.cache.info()["f64"].plans, 2)

    def test_what_is_left(self):
        before = self.backend.answered_by_scipy().get("fft " + str(np.dtype(np.longdouble)), 0)
        with scipy.fft.set_backend(self.backend, only=True):
            self.assertEqual(scipy.fft.fft(np.ones(4, np.longdouble))[0], 4)
        self.assertEqual(self.backend.answered_by_scipy()["fft " + str(np.dtype(np.longdouble))], before + 1)


if __name__ == "__main__":
    unittest.main()
