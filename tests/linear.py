"""linear= beside NumPy: emitted C, built as a shared library, called by ctypes. usage: linear.py FFTGEN FOLDER"""

import ctypes
import subprocess
import sys

import numpy as np

fftgen, folder = sys.argv[1:]
random = np.random.default_rng(1)
bad = count = 0


def numbers(kind: str, *shape: int) -> np.ndarray:
    x = random.standard_normal(shape)
    return x + 1j * random.standard_normal(shape) if kind == "conv" else x


def run(text: str, *arrays: np.ndarray, out: np.ndarray) -> None:
    subprocess.run([fftgen, "emit", text, "--isa", "scalar", "--prefix", "f", "-o", folder], check=True, capture_output=True)
    subprocess.run(["gcc", "-O1", "-shared", "-fPIC", "-o", f"{folder}/f.so", f"{folder}/f.c", "-lm"], check=True)
    work = np.empty(1 << 16)
    pointers = [a.ctypes.data_as(ctypes.c_void_p) for a in (arrays[0], out, *arrays[1:], work)]
    library = ctypes.CDLL(f"{folder}/f.so")
    library.f(*pointers)
    ctypes.CDLL(None).dlclose(ctypes.c_void_p(library._handle))


def check(kind: str, part: str, conj: bool, signal: int, samples: int, gates: bool) -> None:
    global bad, count
    n = signal + samples + 3
    x, h = numbers(kind, signal), numbers(kind, samples)
    right = np.correlate(x, h, part) if conj else np.convolve(x, h, part)
    before, behind = numbers(kind, signal), numbers(kind, len(right))
    if gates:
        right = behind * (np.correlate(x * before, h, part) if conj else np.convolve(x * before, h, part))
    spectrum = np.ascontiguousarray(np.fft.fft(h, n) if kind == "conv" else np.fft.rfft(h, n))
    text = f"{kind} f64 n={n} scale=1/n{' spectrum=conj' if conj else ''} linear={part}({signal},{samples})"
    out = np.zeros_like(right)
    run(text + (" load=mul store=mul" if gates else ""), x, spectrum, *([before, behind] if gates else []), out=out)
    count += 1
    if not np.allclose(out, right, atol=1e-10):
        bad += 1
        print(f"FAIL: {text}, gates {gates}: off by {np.max(np.abs(out - right))}")


for part in ("full", "same", "valid"):
    for conj in (False, True):
        check("conv", part, conj, 29, 6, False)
        check("rconv", part, conj, 60, 9, True)
        check("rconv", part, conj, 41, 8, False)
print(f"{count} linear convolutions and correlations, {bad} wrong")
sys.exit(bad != 0)
