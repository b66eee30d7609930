"""The pictures of examples/photo by OpenCV: its spectrum and its filter, one thread, beside the microseconds that photo prints.

usage: python opencv.py NAME [CUTOFF]     NAME: as photo -o NAME wrote it; NAME-grey.png is read, the others are compared
"""

import sys
import time

import cv2
import numpy as np

SIDE, CALLS = 1024, 20


def filter_of(cutoff):
    """Butterworth's low-pass filter, second order, of all 1024 x 1024 frequencies."""
    y = np.fft.fftfreq(SIDE, 1 / SIDE)
    r2 = (y[:, None] ** 2 + y[None, :] ** 2) / cutoff**2
    return (1 / np.sqrt(1 + r2 * r2)).astype(np.float32)


def packed(gain):
    """The filter as cv2.dft packs half a spectrum of reals (CCS), for cv2.mulSpectrums: made once."""
    impulse = np.fft.ifft2(gain).real.astype(np.float32)
    return cv2.dft(impulse)


def spectrum(grey, gain):
    half = cv2.dft(grey.astype(np.float32), flags=cv2.DFT_COMPLEX_OUTPUT)
    level = cv2.log(1 + cv2.magnitude(half[..., 0], half[..., 1]) * gain)
    return cv2.convertScaleAbs(np.fft.fftshift(level), alpha=13.1)


def filtered(grey, gain):
    product = cv2.mulSpectrums(cv2.dft(grey.astype(np.float32)), gain, 0)
    return cv2.convertScaleAbs(cv2.max(cv2.idft(product, flags=cv2.DFT_SCALE), 0))


def main():
    name, cutoff = sys.argv[1], float(sys.argv[2]) if len(sys.argv) > 2 else 80
    cv2.setNumThreads(1)
    grey, gain = cv2.imread(name + "-grey.png", cv2.IMREAD_GRAYSCALE), filter_of(cutoff)
    half, times = packed(gain), []
    for _ in range(CALLS):
        begin = time.perf_counter()
        levels, picture = spectrum(grey, gain), filtered(grey, half)
        times.append(time.perf_counter() - begin)
    print(f"OpenCV {cv2.__version__}, one thread: spectrum and filter in {min(times) * 1e6:.0f} us")
    for what, mine in (("spectrum", levels), ("filtered", picture)):
        other = cv2.imread(f"{name}-{what}.png", cv2.IMREAD_GRAYSCALE)
        apart = np.abs(other.astype(int) - mine.astype(int))
        print(f"{what}: {apart.mean():.3f} levels apart in the mean, {apart.max()} at most")


if __name__ == "__main__":
    main()
