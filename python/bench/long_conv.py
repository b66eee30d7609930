"""Long convolutions of neural networks on a GPU: fftgen beside PyTorch's FFT and FlashFFTConv, where it is installed.
usage: python python/bench/long_conv.py [MOST [SEED]]

Of 16 sequences with 768 channels: y = the first L numbers of u * h, a filter h of L numbers for each channel, by transforms of n = 2 L points, n from
1024 to MOST. u is in half precision, in bfloat16 or in float; the filter is in float. A call makes the filter's spectrum and convolves, as FlashFFTConv's
does; "alone" is what convolves, without what makes the spectrum. Times are medians of CUDA graphs of several calls on inputs that together are larger
than L2 (FlashFFTConv alone: its kernels in PyTorch's profiler). Errors are those of the last call's result in the L2 norm, against doubles, of some rows.
Prints a markdown table: microseconds, and how often fftgen's call goes into PyTorch's and FlashFFTConv's.
"""

import sys

import cupy
import fftgen
import torch

import gpu  # beside this file

try:
    from flashfftconv import FlashFFTConv
except ImportError:
    FlashFFTConv = None

BATCH, CHANNELS, SETS, INPUTS, ROWS = 16, 768, 8, 256 << 20, 4  # ROWS: of sequences and of channels that are compared
NAMES = {torch.float16: "f16", torch.bfloat16: "bf16", torch.float32: "f32"}


def of_cupy(x):
    return cupy.from_dlpack(x.view(torch.int16) if x.dtype == torch.bfloat16 else x)


class Ours:
    """fftgen: one program for the filter's spectrum, one that convolves."""

    def __init__(self, n, u, h):
        length = n // 2
        self.prepare = fftgen.raw_kernel(f"r2c f32 n={n} batch={CHANNELS} load=zeropad({length})")
        self.convolve = fftgen.raw_kernel(f"rconv {NAMES[u.dtype]} n={n} batch={BATCH}x{CHANNELS} scale=1/n spectrum=channel load=zeropad({length}) "
                                          f"store=crop({length})")
        self.spectrum, self.filter, self.out = cupy.empty((CHANNELS, n // 2 + 1), "c8"), of_cupy(h), torch.empty_like(u)
        self.prepare(self.filter, self.spectrum)

    def alone(self, u):
        self.convolve(of_cupy(u), of_cupy(self.out), self.spectrum)
        return self.out

    def __call__(self, u):
        self.prepare(self.filter, self.spectrum)
        return self.alone(u)


def by_torch(n, h, compute):
    """As users of PyTorch write it: zeros are appended by n=."""

    def alone(u, spectrum):
        return torch.fft.irfft(torch.fft.rfft(u.to(compute), n=n) * spectrum, n=n)[..., : n // 2].to(u.dtype)

    spectrum = torch.fft.rfft(h.to(compute), n=n)
    return (lambda u: alone(u, torch.fft.rfft(h.to(compute), n=n))), (lambda u: alone(u, spectrum))


def by_flash(n, h, dtype):
    convolution = FlashFFTConv(n, dtype=dtype).to("cuda").eval()
    return lambda u: convolution(u, h)


def kernels_alone(call, u):
    """Seconds that FlashFFTConv's own kernels take of a call."""
    call(u)
    with torch.profiler.profile(activities=[torch.profiler.ProfilerActivity.CUDA]) as profile:
        for _ in range(5):
            call(u)
        torch.cuda.synchronize()
    own = [e.device_time_total for e in profile.key_averages() if "monarch" in e.key or "butterfly" in e.key]
    return sum(own) / 5e6 or None


def expected(n, u, h):
    x, f = u[:ROWS, :ROWS].double(), h[:ROWS].double()
    return torch.fft.irfft(torch.fft.rfft(x, n=n) * torch.fft.rfft(f, n=n), n=n)[..., : n // 2]


def error(call, u, wanted):
    got = call(u)[:ROWS, :ROWS].double()
    return float((got - wanted).norm() / wanted.norm())


def measure(n, dtype):
    u = torch.randn(BATCH, CHANNELS, n // 2, device="cuda").to(dtype)
    h = torch.randn(CHANNELS, n // 2, device="cuda") / (n // 2) ** .5
    inputs = [u] + [u.clone() for _ in range(min(SETS, INPUTS // (u.numel() * u.element_size())) - 1)]
    ours = Ours(n, u, h)
    calls = {"ours": ours, "ours alone": ours.alone}
    calls["torch"], calls["torch alone"] = by_torch(n, h, torch.float32)
    if dtype == torch.float16:
        calls["torch f16"] = by_torch(n, h, torch.float16)[0]
    if FlashFFTConv and dtype != torch.float32:
        calls["flash"] = by_flash(n, h, dtype)
    times, errors, wanted = {}, {}, expected(n, u, h)
    with torch.no_grad():
        for name, call in calls.items():
            times[name] = gpu.attempt(gpu.of_torch, call, inputs)
            if times[name]:
                errors[name] = error(call, u, wanted)
        if times.get("flash"):
            times["flash alone"] = kernels_alone(calls["flash"], u)
    return times, errors


COLUMNS = ["torch", "torch alone", "torch f16", "flash", "flash alone", "ours", "ours alone"]


def row(n, dtype, times, errors):
    def over(other, mine="ours"):
        return f"{times[other] / times[mine]:.2f}" if times.get(other) and times.get(mine) else ""

    cells = [f"{times[c] * 1e6:.0f}" if times.get(c) else "" for c in COLUMNS]
    cells += [over("torch"), over("torch alone", "ours alone"), over("flash"), over("flash alone", "ours alone")]
    cells += [f"{errors[c]:.1e}" if c in errors else "" for c in ("torch", "torch f16", "flash", "ours")]
    return f"| {n} | {NAMES[dtype]} | " + " | ".join(cells) + " |"


def main(most, seed):
    torch.manual_seed(seed)
    print(f"{torch.cuda.get_device_name()}, PyTorch {torch.__version__}, seed {seed}")
    over = ["torch / ours", "alone", "flash / ours", "alone", "error: torch", "torch f16", "flash", "ours"]
    print("| n | of | " + " | ".join(COLUMNS + over) + " |\n|" + "---|" * (2 + len(COLUMNS) + len(over)))
    n = 1024
    while n <= most:
        for dtype in NAMES:
            print(row(n, dtype, *measure(n, dtype)), flush=True)
            cupy.get_default_memory_pool().free_all_blocks()
            torch.cuda.empty_cache()
        n *= 2


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 65536, int(sys.argv[2]) if len(sys.argv) > 2 else 36)
