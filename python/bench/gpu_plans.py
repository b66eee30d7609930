"""Given plans on a GPU, as nodes of a graph, on inputs that together are larger than L2: what gpu.py measures, plan by plan.
usage: python python/bench/gpu_plans.py <PLANS

PLANS: lines "PROBLEM|PLAN" of transforms with a plain layout, as in docs/lab/data/h200-few.csv.gz. Kernels are packed by the program
fftgen ($FFTGEN_PROGRAM) and compiled by nvcc, some at a time; results are compared with CuPy's. Prints "PROBLEM|PLAN|microseconds", and for
each problem what cuFFT takes, and VkFFT where pyvkfft is installed.
"""

import os
import subprocess
import sys
import tempfile
from concurrent.futures import ThreadPoolExecutor

import cupy
from fftgen import _raw

import gpu  # beside this file

ARCH = "sm_" + cupy.cuda.Device().compute_capability
REALS, NAMES = {"f32": "f4", "f64": "f8"}, {"c2c": "fftn", "r2c": "rfftn", "c2r": "irfftn"}


def compiled(line):
    """A problem's kernels by a plan, and nvcc's binary of them; None: the reason is printed."""
    problem, plan = line[:2]
    try:
        kernels = _raw.packed(problem, arch="native", plan=plan)
        with tempfile.TemporaryDirectory() as folder:
            source, binary = os.path.join(folder, "k.cu"), os.path.join(folder, "k.cubin")
            with open(source, "w") as file:
                file.write(kernels.source)
            subprocess.run(["nvcc", "-std=c++14", "-arch=" + ARCH, "-cubin", source, "-o", binary], check=True, capture_output=True)
            with open(binary, "rb") as file:
                return kernels, file.read()
    except Exception as error:
        print(f"{problem}|{plan}: {error}"[:200], file=sys.stderr)
        return None


class Problem:
    """Arrays of a problem, its result by CuPy, and what others take."""

    def __init__(self, text):
        kind, precision, lengths, *batch = text.split()
        dims = [int(n) for n in lengths[2:].split("x")]
        shape = [int(batch[0][6:]) if batch else 1, *dims]
        axes = tuple(range(1, len(shape)))
        name = {"c2c": "fft", "r2c": "rfft", "c2r": "irfft"}[kind]
        x = gpu.array(gpu.np.random.default_rng(1), name, tuple(shape), axes, REALS[precision])
        self.inputs = [x] + [x + 0 for _ in range(min(gpu.SETS, gpu.INPUTS // x.nbytes) - 1)]
        plain = {"norm": "forward"} if kind == "c2r" else {}  # no factor
        others = {"cufft": lambda v: getattr(cupy.fft, NAMES[kind])(v, s=dims, axes=axes, **plain)}
        if gpu.vkfft and kind == "c2c":
            others["vkfft"] = lambda v: gpu.vkfft.fftn(v, axes=axes)
        self.wanted = others["cufft"](x)
        self.outputs = [cupy.empty_like(self.wanted) for _ in self.inputs]
        for other, function in others.items():
            show(text, other, gpu.attempt(gpu.of_cupy, function, self.inputs))

    def time(self, kernels):
        calls = iter(range(1 << 30))

        def call(_):
            i = next(calls) % len(self.inputs)
            return kernels(self.inputs[i], self.outputs[i])

        call(None)
        error = float(cupy.linalg.norm((self.outputs[0] - self.wanted).ravel()) / cupy.linalg.norm(self.wanted.ravel()))
        assert error < (2e-6 if self.wanted.dtype.itemsize <= 8 else 1e-13), error
        return gpu.of_cupy(call, self.inputs)


def show(problem, plan, seconds):
    print(f"{problem}|{plan}|" + (f"{seconds * 1e6:.2f}" if seconds else "-"), flush=True)


def main():
    lines = [line.rstrip("\n").split("|") for line in sys.stdin if "=" in line]
    with ThreadPoolExecutor(os.cpu_count()) as many:
        binaries = list(many.map(compiled, lines))
    problem, module = None, cupy.RawModule
    for line, found in zip(lines, binaries):
        if line[0] != problem:
            problem, arrays = line[0], Problem(line[0])
        if found:
            kernels, binary = found
            with tempfile.NamedTemporaryFile(suffix=".cubin") as file:
                file.write(binary)
                file.flush()
                kernels.load(module(path=file.name))
                show(problem, line[1], arrays.time(kernels))


if __name__ == "__main__":
    main()
