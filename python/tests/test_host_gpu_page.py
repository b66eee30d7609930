"""The page of comparisons for a GPU, on that of host_gpu.c: all its sections, within its time. usage: as test_host_gpu.py."""

import contextlib
import io
import json
import os
import sys
import tempfile
import time
import types
import unittest
import unittest.mock

import cupy
import numpy as np
from fftgen import _contenders, _counts, _pipelines, compare

cupy.host.host_set_device(0)


class Page(unittest.TestCase):
    def test_page(self):
        begin = time.perf_counter()
        with tempfile.TemporaryDirectory() as folder, contextlib.redirect_stderr(io.StringIO()):
            page, data = os.path.join(folder, "page.html"), os.path.join(folder, "data.json")
            self.assertEqual(compare.main(["--quick", "--seconds", "20", "--device", "cuda", "--out", page, "--json", data]), 0)
            with open(page, encoding="utf-8") as file:
                text = file.read()
            with open(data, encoding="utf-8") as file:
                sections = {s["id"]: s for s in json.load(file)["sections"]}
        self.assertLess(time.perf_counter() - begin, 75, "three times what it may take, on a busy machine")
        self.assertEqual(list(sections), [name + "-gpu" for name in ("runs", "windows", "image", "counts", "one", "constant", "batches", "awkward", "planes", "kinds", "copies")])
        self.assertIn("an imitated GPU", text)
        self.assertIn("not counted" if not _counts.counter() else "CUPTI", text)
        for name in ("windows-gpu", "image-gpu", "runs-gpu", "one-gpu", "kinds-gpu", "copies-gpu"):
            self.assertNotIn("failed", sections[name].get("left_out", ""))
            for row in sections[name]["rows"]:
                self.assertTrue(any(c.startswith("fftgen") for c in row["times"]) or row.get("dtype") in ("c4", "f2"), (name, row["label"], sections[name].get("left_out")))
        for row in sections["one-gpu"]["rows"]:
            self.assertEqual(set(row["errors"]), {"fftgen", "CuPy"} & set(row["times"]))
            for error in row["errors"].values():
                self.assertLess(error, 1e-6)
        self.assertTrue(all(3 <= len(times) <= 50 for times in sections["runs-gpu"]["rows"][0]["times"].values()))

    def test_copies(self):
        """The result of a call with copies is the host's."""
        x = (np.arange(12).reshape(3, 4) + 1j).astype(np.complex64)
        for contender in _contenders.find("GPU", 0):
            ready = contender.prepare(_contenders.Case("fft", x, (1,), copies=True))
            if ready is None:  # plans have their arrays on the GPU
                self.assertEqual(contender.name, "fftgen, plan")
                continue
            self.assertIsInstance(ready.run(), np.ndarray, contender.name)
            np.testing.assert_allclose(ready.result(), np.fft.fft(x), atol=1e-5, err_msg=contender.name)

    def test_halves_want_a_library_of_them(self):
        x = np.ones((2, 4), np.complex64)
        by_name = {c.name: c for c in _contenders.find("GPU", 0)}
        if "PyTorch" not in by_name:
            self.assertIsNone(by_name["fftgen"].prepare(_contenders.Case("fft", x, (1,), half=True)))
        self.assertIsNone(by_name["CuPy"].prepare(_contenders.Case("fft", x, (1,), half=True)))

    def test_callbacks(self):
        """Through an nvmath whose numba-cuda names what NumPy dropped."""
        given = []

        def compiled(function, *types):
            given.append((np.row_stack, function))  # as numba-cuda does
            return function

        class FFT:
            def __init__(self, x, axes):
                self.x = x

            def plan(self, prolog, epilog):
                self.prolog, self.epilog = prolog["ltoir"], epilog["ltoir"]

            def reset_operand(self, x):
                self.x = x

            def execute(self):
                window = _pipelines._hann(np, 16)
                rows = np.array([[self.prolog(row, k, window, None) for k in range(16)] for row in self.x.get()])
                spectrum = np.fft.rfft(rows)
                out = np.empty(spectrum.size, complex)
                for k, value in enumerate(spectrum.ravel()):
                    self.epilog(out, k, value, window, None)
                return cupy.asarray(out.reshape(spectrum.shape))

        nvmath = types.ModuleType("nvmath")
        nvmath.fft = types.SimpleNamespace(compile_prolog=compiled, compile_epilog=compiled, FFT=FFT)
        x = np.arange(32, dtype="u1").reshape(2, 16)
        kept = np.row_stack if hasattr(np, "row_stack") else None
        with unittest.mock.patch.dict(sys.modules, {"nvmath": nvmath}):
            if kept:
                del np.row_stack
            try:
                got = _pipelines._callback(cupy, cupy.asarray(x), cupy.asarray(_pipelines._hann(np, 16)), 1e-3)()
            finally:
                np.row_stack = kept or np.vstack
        self.assertEqual(len(given), 2)
        np.testing.assert_allclose(got.get(), _pipelines._apart(np, x, 16, None, 1e-3)(), atol=1e-2)

    def test_memory(self):
        free = [100, 60]
        runtime = types.SimpleNamespace(memGetInfo=lambda: (free.pop(0), 1000))
        kept, cupy.cuda.runtime = cupy.cuda.runtime, runtime
        try:
            meter = _counts.DeviceMemory()
            meter.begin()
            self.assertEqual(meter.taken(), 40)
        finally:
            cupy.cuda.runtime = kept
        peaks = [(10, 4), (10, 4), (30, 20)]  # JAX's pool: the peak, what is in use

        def stats():
            peak, used = peaks.pop(0)
            return {"peak_bytes_in_use": peak, "bytes_in_use": used}

        meter = _counts.DeviceMemory(types.SimpleNamespace(memory_stats=stats))
        runtime.memGetInfo = lambda: (1, 1)
        meter.begin()
        self.assertIsNone(meter.taken())  # no new peak
        self.assertEqual(meter.taken(), 26)


class Profiler(unittest.TestCase):
    def test_counts(self):
        """Of PyTorch's profiler, imitated: what the GPU did, without copies and fills."""
        device = types.SimpleNamespace(CUDA="cuda", CPU="cpu")
        events = [types.SimpleNamespace(name=n, device_type=d) for n, d in
                  (("cudaLaunchKernel", "cpu"), ("fft_stage", "cuda"), ("Memcpy DtoD", "cuda"), ("fft_last", "cuda"), ("Memset (Device)", "cuda"))]

        class Profile:
            def __init__(self, activities):
                assert activities == ["of CUDA"]

            def __enter__(self):
                return self

            def __exit__(self, *error):
                pass

            def events(self):
                return events

        profiler = types.ModuleType("torch.profiler")
        profiler.profile, profiler.ProfilerActivity = Profile, types.SimpleNamespace(CUDA="of CUDA")
        torch = types.ModuleType("torch")
        torch.profiler, torch.autograd = profiler, types.SimpleNamespace(DeviceType=device)
        torch.cuda = types.SimpleNamespace(is_available=lambda: True, synchronize=lambda: None)
        torch.zeros = lambda count, device: np.zeros(count)
        with unittest.mock.patch.dict("sys.modules", {"torch": torch, "torch.profiler": profiler}):
            count = _counts.counter()
            self.assertEqual(count(_contenders.Ready(lambda: None, lambda: None, lambda: None)), (2, 2))
            events.clear()
            self.assertIsNone(_counts.counter())


if __name__ == "__main__":
    unittest.main()
