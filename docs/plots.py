#!/usr/bin/env python3
"""Draws every plot of the documents from the raw data in docs/lab/data.

In: CSV files, most of them compressed. Out: docs/plots/NAME.svg. Each plot says below its
title on which machine and day it was measured, and from which file it is drawn.

usage: docs/plots.py            writes all plots (./dev plots installs what this needs)
       docs/plots.py --check    says which committed plots differ from what this would write
       docs/plots.py --figures  prints the geometric means that the pages quote
"""
import collections
import csv
import gzip
import io
import math
import os
import sys
import textwrap

import matplotlib

matplotlib.use("svg")
import matplotlib.pyplot as plt  # noqa: E402

HERE = os.path.dirname(os.path.abspath(__file__))
DATA = os.path.join(HERE, "lab", "data")
PLOTS = os.path.join(HERE, "plots")

# One colour and mark for each program in all plots; they differ without colour, too.
STYLE = {
    "fftgen": ("#b3261e", "o", "-"),
    "FFTW": ("#1f5fa8", "s", "--"),
    "KFR": ("#2e7d32", "^", "-."),
    "MKL": ("#7b4fa3", "D", ":"),
    "muFFT": ("#8a6d1b", "v", ":"),
    "cuFFT": ("#1f5fa8", "s", "--"),
    "VkFFT": ("#2e7d32", "^", "-."),
}
PEER_NAMES = {"fftw-measure": "FFTW", "kfr": "KFR", "mufft": "muFFT", "mkl": "MKL", "fftgen": "fftgen"}


# ---- raw data ---------------------------------------------------------------------------


def rows(name):
    """All rows of a file of docs/lab/data, as dictionaries."""
    with gzip.open(os.path.join(DATA, name), "rt") as f:
        yield from csv.DictReader(f)


def cpu_times(name, keep=lambda row: True):
    """problem -> program -> least seconds, from a CPU list of the harness."""
    least = collections.defaultdict(dict)
    for row in rows(name):
        program = PEER_NAMES.get(row["contender"])
        if program is None or not keep(row):
            continue
        seconds = float(row["t_min_s"])
        of = least[row["problem"]]
        of[program] = min(seconds, of.get(program, math.inf))
    return least


def gpu_fractions(name, ours, keep=lambda row: True):
    """(kind, precision, dims) -> program -> best fraction of a copy's speed."""
    best = collections.defaultdict(dict)
    for row in rows(name):
        program = "cuFFT" if row["contender"] == "cufft" else "fftgen" if row["contender"] == ours else None
        if program is None or not keep(row):
            continue
        of = best[row["kind"], row["prec"], row["dims"]]
        of[program] = max(float(row["frac_copy"]), of.get(program, 0))
    return best


def vkfft_fractions():
    """The best of VkFFT's three settings, batched and out of place."""
    best = collections.defaultdict(float)
    for row in rows("h200-vkfft.csv.gz"):
        if row["contender"].startswith("vkfft") and row["inplace"] == "0" and row["kind"] != "conv":
            key = row["kind"], row["prec"], row["dims"]
            best[key] = max(best[key], float(row["frac_copy"]))
    return best


def geomean(values):
    values = list(values)
    return math.exp(sum(math.log(v) for v in values) / len(values)) if values else math.nan


# ---- problems -----------------------------------------------------------------------------


def parse(problem):
    """c2c:f32:1024*1000@2! -> kind, precision, dims, whether it is one transform, alone, out of place."""
    kind, precision, dims = problem.split(":")
    plain = not any(c in dims for c in "*@!x")
    return kind, precision, dims, plain


def is_power(n, base):
    while n % base == 0:
        n //= base
    return n == 1


def largest_prime(n):
    p, most = 2, 1
    while p * p <= n:
        if n % p:
            p += 1
        else:
            n //= p
            most = p
    return max(most, n)


def family(problem):
    """The group of a CPU problem in the tables of ratios; None: it is in no group."""
    kind, _, dims, plain = parse(problem)
    if "@" in dims:
        return "2 threads"
    if "x" in dims:
        return "2-D and 3-D"
    if "*" in dims:
        return "batches of 1000"
    if "!" in dims:
        return "in place"
    n = int(dims)
    if kind == "r2c":
        return "real input"
    if n <= 64:
        return "2 to 64"
    if largest_prime(n) > 13:
        return "primes and their products"
    if any(is_power(n, b) for b in (3, 5, 7)):
        return "powers of 3, 5, 7"
    if not is_power(n, 2):
        return "other composites"
    return "2^7 to 2^15" if n <= 32768 else "2^16 and more"


FAMILIES = ["2 to 64", "2^7 to 2^15", "2^16 and more", "other composites", "powers of 3, 5, 7",
            "primes and their products", "real input", "batches of 1000", "in place", "2-D and 3-D", "2 threads"]


# ---- drawing ------------------------------------------------------------------------------


def panel(ax, title, ylabel=None, xlabel="length n"):
    ax.set_title(title, fontsize=10, loc="left")
    if ylabel:
        ax.set_ylabel(ylabel)
    ax.set_xlabel(xlabel)
    ax.grid(True, which="major", color="#dddddd", linewidth=0.6)
    for side in ("top", "right"):
        ax.spines[side].set_visible(False)


def powers_axis(ax, least, most, step):
    ax.set_xscale("log", base=2)
    ticks = [2**k for k in range(least, most + 1, step)]
    ax.set_xticks(ticks)
    ax.set_xticklabels([str(t) if t < 10000 else f"$2^{{{int(math.log2(t))}}}$" for t in ticks])
    ax.minorticks_off()


def ratio_axis(ax, least, most):
    ax.set_yscale("log", base=2)
    ticks = [t for t in (0.5, 0.7, 1, 1.5, 2, 3, 4, 6, 8, 12) if least <= t <= most]
    ax.set_yticks(ticks)
    ax.set_yticklabels([f"{t:g} x" for t in ticks])
    ax.set_ylim(least, most)
    ax.axhline(1, color="#222222", linewidth=1.2)
    ax.minorticks_off()


def line(ax, program, points, **more):
    colour, mark, dash = STYLE[program]
    points = sorted(points)
    if points:
        ax.plot([p[0] for p in points], [p[1] for p in points], color=colour, marker=mark, linestyle=dash,
                markersize=4, linewidth=1.5, label=program, **more)


def legend(ax, columns, of_panel=False, **more):
    """Above the panels, or on the line of one panel's title, where no point is."""
    style = dict(frameon=False, fontsize=8, ncol=columns, borderpad=0.2, columnspacing=1, handlelength=1.8,
                 handletextpad=0.4, **more)
    if of_panel:
        ax.legend(loc="lower right", bbox_to_anchor=(1.01, 0.985), **style)
    else:
        ax.figure.legend(*ax.get_legend_handles_labels(), loc="upper right", bbox_to_anchor=(0.985, 1.0), **style)


WIDTH = 5.4  # inches; small enough that a telephone shows the letters as they are
TOP, BETWEEN, LABELS, CAPTION_LINE = 0.5, 0.8, 0.55, 0.125


def finish(fig, name, caption):
    """The caption's lines are under the plot; the file has no date, so that equal data are equal bytes."""
    lines = [line for part in caption.split("\n") for line in textwrap.wrap(part, 92)]
    panels, height, left = fig.panels
    bottom = LABELS + CAPTION_LINE * (len(lines) + 1)
    total = TOP + panels * height + (panels - 1) * BETWEEN + bottom
    fig.set_size_inches(WIDTH, total)
    fig.subplots_adjust(left=left / WIDTH, right=0.98, top=1 - TOP / total, bottom=bottom / total, hspace=BETWEEN / height)
    fig.text(0.01, 0.06 / total, "\n".join(lines), fontsize=7, color="#444444", va="bottom", ha="left")
    text = io.StringIO()
    fig.savefig(text, format="svg", metadata={"Date": None})
    plt.close(fig)
    return name, text.getvalue()


def figure(panels, height=2.3, left=0.62):
    """Panels one below the other; sizes in inches."""
    fig, axes = plt.subplots(panels, 1)
    fig.panels = panels, height, left
    return fig, (axes if panels > 1 else [axes])


# ---- the plots ----------------------------------------------------------------------------

XEON = "Intel Xeon (Emerald Rapids), one core, gcc 12, 2026-11-25"
H200 = "NVIDIA H200, CUDA 13.0, batches of about 1 GiB, out of place, 2026-11-23"
VKFFT = "VkFFT 1.3.4 in a run of 2026-11-20 on such a card, as a fraction of that run's copy"


def h200():
    return gpu_fractions("h200-rows.csv.gz", "rows", lambda row: row["run"] in ("last1", "last2"))


def plot_front():
    """Speed over each library, by length."""
    fig, (upper, lower) = figure(2)
    cpu = cpu_times("cpu-peers.csv.gz")
    for program in ("FFTW", "KFR", "MKL"):
        line(upper, program, [(int(parse(p)[2]), t[program] / t["fftgen"]) for p, t in cpu.items()
                             if p.startswith("c2c:f32:") and parse(p)[3] and is_power(int(parse(p)[2]), 2)
                             and program in t and "fftgen" in t])
    panel(upper, "CPU, c2c, float", "fftgen's speed over each library's")
    powers_axis(upper, 3, 21, 3)
    ratio_axis(upper, 0.7, 8)
    legend(upper, 3, True)
    vkfft = vkfft_fractions()
    points = collections.defaultdict(list)
    for key, of in h200().items():
        kind, precision, dims = key
        if kind == "c2c" and precision == "float" and "x" not in dims and is_power(int(dims), 2) and "fftgen" in of:
            points["cuFFT"].append((int(dims), of["fftgen"] / of["cuFFT"]))
            if key in vkfft:
                points["VkFFT"].append((int(dims), of["fftgen"] / vkfft[key]))
    for program in ("cuFFT", "VkFFT"):
        line(lower, program, points[program])
    panel(lower, "GPU, c2c, float", "fftgen's speed over each library's")
    powers_axis(lower, 3, 24, 3)
    ratio_axis(lower, 0.7, 3)
    legend(lower, 2, True)
    return finish(fig, "front", f"Above 1 x fftgen is faster. CPU: {XEON}; FFTW 3.3.10 (MEASURE), KFR 7, MKL 2026.2, all "
                  f"with AVX-512, same run;\ndocs/lab/data/cpu-peers.csv.gz. GPU: {H200}; docs/lab/data/h200-rows.csv.gz\n"
                  f"{VKFFT}; docs/lab/data/h200-vkfft.csv.gz")


def plot_cpu_peers():
    """What each library reaches on one core."""
    fig, axes = figure(2)
    cpu = cpu_times("cpu-peers.csv.gz")
    for ax, precision, name in zip(axes, ("f32", "f64"), ("float", "double")):
        for program in ("fftgen", "FFTW", "KFR", "MKL"):
            points = []
            for p, t in cpu.items():
                kind, of, dims, plain = parse(p)
                if kind == "c2c" and of == precision and plain and is_power(int(dims), 2) and program in t:
                    n = int(dims)
                    points.append((n, 5e-9 * n * math.log2(n) / t[program]))
            line(ax, program, points)
        panel(ax, f"complex, {name}", "GFLOP/s (5 n log2 n / time)")
        powers_axis(ax, 3, 21, 3)
        ax.set_ylim(bottom=0)
    legend(axes[1], 4)
    return finish(fig, "cpu-peers", f"{XEON}\nFFTW 3.3.10 (AVX-512, MEASURE), KFR 7 (AVX-512), MKL 2026.2, all in one "
                  "run in turns, least times; docs/lab/data/cpu-peers.csv.gz")


CPUS = [
    ("Zen 3, AVX2", "cpu-zen3-fourth.csv.gz", lambda row: row["code"] == "now"),
    ("Zen 4, AVX-512", "cpu-zen4-tiles-lists.csv.gz", lambda row: row["run"] in ("1", "2")),
    ("Emerald Rapids, AVX-512", "cpu-emerald.csv.gz", lambda row: not row["run"].startswith("cores")),
]


def family_ratios(precision):
    """CPU -> family -> ratios over FFTW."""
    out = {}
    for cpu, name, keep in CPUS:
        of = collections.defaultdict(list)
        for problem, t in cpu_times(name, keep).items():
            if "fftgen" in t and "FFTW" in t and parse(problem)[1] == precision:
                of[family(problem)].append(t["FFTW"] / t["fftgen"])
        out[cpu] = of
    return out


def plot_cpu_families():
    """Ratios over FFTW by kind of problem, on three CPUs: geometric mean, least and greatest."""
    fig, axes = figure(2, 3.4, 1.75)
    for ax, precision, name in zip(axes, ("f32", "f64"), ("float", "double")):
        ratios = family_ratios(precision)
        for i, (cpu, of) in enumerate(ratios.items()):
            for y, group in enumerate(FAMILIES):
                values = of.get(group, [])
                if not values:
                    continue
                at = y + 0.22 * (i - 1)
                colour = ("#8a6d1b", "#b3261e", "#1f5fa8")[i]
                ax.plot([min(values), max(values)], [at, at], color=colour, linewidth=1)
                ax.plot([geomean(values)], [at], color=colour, marker="so^"[i], markersize=5, linestyle="none",
                        label=cpu if y == 0 else None)
        panel(ax, name, xlabel="fftgen's speed over FFTW's")
        ax.set_xscale("log", base=2)
        ticks = [1, 1.5, 2, 3, 4, 6, 8, 12, 18]
        ax.set_xticks(ticks)
        ax.set_xticklabels([f"{t:g}" for t in ticks])
        ax.minorticks_off()
        ax.set_xlim(0.8, 20)
        ax.axvline(1, color="#222222", linewidth=1.2)
        ax.set_yticks(range(len(FAMILIES)))
        ax.set_yticklabels(FAMILIES)
        ax.invert_yaxis()
    legend(axes[1], 3)
    return finish(fig, "cpu-families", "Marks: geometric mean of a group; lines: its least and greatest ratio. FFTW 3.3.10 "
                  "built for the CPU, MEASURE, same run; plans by the shipped model, not tuned\nZen 3: AMD EPYC, gcc 12, "
                  "2026-11-23. Zen 4: AMD EPYC, gcc 12, 2026-11-24. Emerald Rapids: Intel Xeon, gcc 13.3, 2026-11-23\n"
                  "docs/lab/data/: " + ", ".join(c[1] for c in CPUS))


def plot_gpu():
    """The share of a copy's speed that each library reaches."""
    fig, axes = figure(2)
    best, vkfft = h200(), vkfft_fractions()
    for ax, precision, name in zip(axes, ("float", "double"), ("float", "double")):
        for program in ("fftgen", "cuFFT"):
            line(ax, program, [(int(k[2]), of[program]) for k, of in best.items() if k[:2] == ("c2c", precision)
                               and "x" not in k[2] and is_power(int(k[2]), 2) and program in of])
        line(ax, "VkFFT", [(int(k[2]), f) for k, f in vkfft.items() if k[:2] == ("c2c", precision)
                           and "x" not in k[2] and is_power(int(k[2]), 2) and int(k[2]) <= (2**24 if precision == "float" else 2**21)])
        panel(ax, f"complex, {name}", "part of a device copy's speed")
        powers_axis(ax, 3, 24, 3)
        ax.set_ylim(0, 1.1)
    legend(axes[0], 3)
    return finish(fig, "gpu-h200", f"{H200}; docs/lab/data/h200-rows.csv.gz\n{VKFFT}; docs/lab/data/h200-vkfft.csv.gz")


def plot_gpu_all():
    """Every row of the wisdom over cuFFT, on two GPUs."""
    fig, axes = figure(2)
    for ax, (title, name, ours, keep) in zip(axes, (
            ("H200", "h200-rows.csv.gz", "rows", lambda row: row["run"] in ("last1", "last2")),
            ("H100, by the H200's plans", "h100-rows.csv.gz", "rows", lambda row: True))):
        groups = [("c2c, float", "c2c", "float", "#b3261e", "o"), ("c2c, double", "c2c", "double", "#1f5fa8", "s"),
                  ("c2c, half", "c2c", "half", "#8a6d1b", "D"), ("r2c and c2r", None, None, "#2e7d32", "^")]
        best = gpu_fractions(name, ours, keep)
        for label, kind, precision, colour, mark in groups:
            points = [(math.prod(int(d) for d in k[2].split("x")), of["fftgen"] / of["cuFFT"]) for k, of in best.items()
                      if "fftgen" in of and "cuFFT" in of
                      and ((kind is None and k[0] != "c2c") or (k[0] == kind and k[1] == precision))]
            ax.plot([p[0] for p in points], [p[1] for p in points], color=colour, marker=mark, markersize=3,
                    linestyle="none", label=label)
        panel(ax, title, "fftgen's speed over cuFFT's", xlabel="points")
        powers_axis(ax, 3, 27, 4)
        ratio_axis(ax, 0.7, 14)
    legend(axes[1], 4)
    return finish(fig, "gpu-cufft", f"Every length, precision and shape of the shipped wisdom. {H200}; "
                  "docs/lab/data/h200-rows.csv.gz\nNVIDIA H100 80GB, CUDA 13.0, 2026-11-23; docs/lab/data/h100-rows.csv.gz")


def plot_gpu_real():
    """Real input."""
    fig, axes = figure(2)
    best, vkfft = h200(), vkfft_fractions()
    for ax, kind in zip(axes, ("r2c", "c2r")):
        for program in ("fftgen", "cuFFT"):
            line(ax, program, [(int(k[2]), of[program]) for k, of in best.items() if k[:2] == (kind, "float")
                               and "x" not in k[2] and is_power(int(k[2]), 2) and program in of])
        if kind == "r2c":
            line(ax, "VkFFT", [(int(k[2]), f) for k, f in vkfft.items()
                               if k[:2] == (kind, "float") and "x" not in k[2] and is_power(int(k[2]), 2)
                               and int(k[2]) <= 2**22])
        panel(ax, f"{kind}, float", "part of a device copy's speed")
        powers_axis(ax, 3, 22, 3)
        ax.set_ylim(0, 1.1)
    legend(axes[0], 3)
    return finish(fig, "gpu-real", f"{H200}; docs/lab/data/h200-rows.csv.gz\n{VKFFT}; docs/lab/data/h200-vkfft.csv.gz")


def plot_latency():
    """One transform at a time, as a node of a CUDA graph."""
    fig, (ax,) = figure(1)
    least = collections.defaultdict(dict)
    for row in rows("h200-latency-2.csv.gz"):
        if row["prec"] != "float":
            continue
        program = "cuFFT" if row["contender"] == "cufft" else "fftgen"
        of = least[int(row["n"])]
        of[program] = min(float(row["graph_node_us"]), of.get(program, math.inf))
    for program in ("fftgen", "cuFFT"):
        line(ax, program, [(n, of[program]) for n, of in least.items() if program in of and len(of) == 2])
    panel(ax, "one complex transform, float, in a CUDA graph", "microseconds")
    powers_axis(ax, 10, 20, 2)
    ax.set_ylim(bottom=0)
    legend(ax, 2)
    return finish(fig, "gpu-latency", "NVIDIA H200, CUDA 13.0, 2026-11-22; the best plan of each length; "
                  "docs/lab/data/h200-latency-2.csv.gz")


def plot_accuracy():
    """The error of every length to 4096."""
    fig, axes = figure(2)
    ours = {"f32": [], "f64": []}
    for row in rows("accuracy-tcc.csv.gz"):
        if row["sign"] == "-1" and float(row["l2_fftw"]) > 0 and float(row["l2"]) > 0:
            ours[row["precision"]].append((int(row["n"]), float(row["l2"]), float(row["l2_fftw"])))
    for ax, precision, name in zip(axes, ("f32", "f64"), ("float", "double")):
        for program, at in (("FFTW", 2), ("fftgen", 1)):
            colour, mark, _ = STYLE[program]
            ax.plot([p[0] for p in ours[precision]], [p[at] for p in ours[precision]], color=colour, marker=mark,
                    markersize=1.2, markeredgewidth=0, linestyle="none", label=program, rasterized=True)
        panel(ax, name, "relative L2 error")
        powers_axis(ax, 2, 12, 2)
        ax.set_ylim(bottom=0)
    legend(axes[0], 2, markerscale=4)
    return finish(fig, "accuracy", "Every length of 2 to 4096, 20 random inputs each, against FFTW in quadruple precision. C by "
                  "tcc (scalar code, nothing fused), x86-64, 2026-11-25; FFTW 3.3.10 of the same precision\n"
                  "docs/lab/data/accuracy-tcc.csv.gz")


def all_plots():
    plt.rcParams.update({"svg.fonttype": "none", "svg.hashsalt": "fftgen", "font.family": "sans-serif",
                         "font.size": 9, "figure.dpi": 100})
    return [draw() for draw in (plot_front, plot_cpu_peers, plot_cpu_families, plot_gpu, plot_gpu_real, plot_gpu_all,
                                plot_latency, plot_accuracy)]


# ---- figures that pages quote ---------------------------------------------------------------


def figures():
    for precision in ("f32", "f64"):
        for cpu, of in family_ratios(precision).items():
            both = [v for group in of.values() for v in group]
            print(f"{cpu}, {precision}: {geomean(both):.2f} over FFTW in {len(both)} problems, least {min(both):.2f}")
    for name, data, keep in (("H200", "h200-rows.csv.gz", lambda row: row["run"] in ("last1", "last2")),
                             ("H100", "h100-rows.csv.gz", lambda row: True)):
        ratios = {k: of["fftgen"] / of["cuFFT"] for k, of in gpu_fractions(data, "rows", keep).items()
                  if "fftgen" in of and "cuFFT" in of}
        print(f"{name}: {geomean(ratios.values()):.2f} over cuFFT in {len(ratios)} problems, "
              f"{sum(r < 0.98 for r in ratios.values())} below .98, least {min(ratios.values()):.2f}")
    vkfft = vkfft_fractions()
    ratios = {k: of["fftgen"] / vkfft[k] for k, of in h200().items() if "fftgen" in of and k in vkfft}
    print(f"H200: {geomean(ratios.values()):.2f} over VkFFT 1.3.4 in {len(ratios)} problems, "
          f"{sum(r < 0.98 for r in ratios.values())} below .98, least {min(ratios.values()):.2f}")
    cpu = cpu_times("cpu-peers.csv.gz")
    for precision in ("f32", "f64"):
        for program in ("FFTW", "KFR", "MKL"):
            r = {p: t[program] / t["fftgen"] for p, t in cpu.items()
                 if parse(p)[1] == precision and program in t and "fftgen" in t}
            if r:
                print(f"Xeon, {precision}: {geomean(r.values()):.2f} over {program} in {len(r)} problems, "
                      f"{sum(v < 1 for v in r.values())} slower, least {min(r.values()):.2f} at {min(r, key=r.get)}")
    for precision in ("f32", "f64"):
        r = [float(row["l2"]) / float(row["l2_fftw"]) for row in rows("accuracy-tcc.csv.gz")
             if row["precision"] == precision and float(row["l2_fftw"]) > 0 and float(row["l2"]) > 0]
        print(f"accuracy, {precision}: {geomean(r):.2f} of FFTW's error in {len(r)} problems, greatest {max(r):.2f}")


def main():
    if "--figures" in sys.argv:
        return figures()
    bad = 0
    os.makedirs(PLOTS, exist_ok=True)
    for name, text in all_plots():
        path = os.path.join(PLOTS, name + ".svg")
        old = open(path).read() if os.path.exists(path) else ""
        if "--check" not in sys.argv:
            with open(path, "w") as f:
                f.write(text)
        elif old != text:
            bad += 1
            print(f"{path}: differs from what docs/plots.py draws")
    if bad:
        sys.exit(1)


if __name__ == "__main__":
    main()
