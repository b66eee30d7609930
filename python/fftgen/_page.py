"""The page of `python -m fftgen.compare`: one HTML file with tables, plots and pictures inside it, and its data as JSON."""

from __future__ import annotations

import base64
import html
import io
import json
import math
import struct
import zlib
from typing import Any

import numpy as np

_STYLE = """body{font:16px/1.5 system-ui,sans-serif;max-width:62rem;margin:2rem auto;padding:0 1rem;color:#222;background:#fff}
table{border-collapse:collapse;font-size:.85rem;display:block;overflow-x:auto}td,th{padding:.15rem .6rem;text-align:right;border-bottom:1px solid #ddd}
th:first-child,td:first-child{text-align:left}.best{font-weight:600;background:#e7f3ea}h2{margin-top:2.5rem}figure{margin:1rem 0}
figcaption,.note{color:#555;font-size:.85rem}.pictures{display:flex;gap:1rem;flex-wrap:wrap}.pictures img{width:18rem}svg{max-width:100%;height:auto}
dl{display:grid;grid-template-columns:max-content 1fr;gap:.1rem 1rem}dt{color:#555}dd{margin:0}"""
_COLOURS = ["#0b6e4f", "#6a4c93", "#1f77b4", "#d1495b", "#edae49", "#66a182", "#8d96a3", "#b5651d", "#2e4057"]


def png(a: np.ndarray) -> bytes:
    """A picture of bytes, grey."""
    rows = b"".join(b"\0" + row.tobytes() for row in np.ascontiguousarray(a, np.uint8))

    def chunk(kind: bytes, data: bytes) -> bytes:
        return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))

    head = struct.pack(">IIBBBBB", a.shape[1], a.shape[0], 8, 0, 0, 0, 0)
    return b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", head) + chunk(b"IDAT", zlib.compress(rows, 9)) + chunk(b"IEND", b"")


def _picture(title: str, a: np.ndarray) -> str:
    data = base64.b64encode(png(a)).decode()
    return f'<figure><img alt="{html.escape(title)}" src="data:image/png;base64,{data}"><figcaption>{html.escape(title)}</figcaption></figure>'


def _time(seconds: float) -> str:
    for unit, size in (("s", 1.), ("ms", 1e-3), ("us", 1e-6)):
        if seconds >= size:
            return f"{seconds / size:.3g} {unit}"
    return f"{seconds * 1e9:.0f} ns"


def _plot(section: "dict[str, Any]") -> str:
    """Speed by size, as SVG; nothing without matplotlib."""
    try:
        import matplotlib

        matplotlib.use("svg")
        matplotlib.rcParams["svg.fonttype"] = "none"
        import matplotlib.pyplot as plt
    except ImportError:
        return '<p class="note">No matplotlib here: no plots.</p>'
    figure, axes = plt.subplots(figsize=(9, 4))
    for i, name in enumerate(section["contenders"]):
        points = [(r["at"], r["rate"] / np.median(r["times"][name]), r["rate"] / np.percentile(r["times"][name], 90), r["rate"] / np.percentile(r["times"][name], 10))
                  for r in section["rows"] if name in r["times"]]
        if not points:
            continue
        at, middle, low, high = zip(*points)
        axes.plot(at, middle, color=_COLOURS[i % len(_COLOURS)], marker=".", label=name, linewidth=2.2 if i == 0 else 1.2, zorder=3 if i == 0 else 2)
        axes.fill_between(at, low, high, color=_COLOURS[i % len(_COLOURS)], alpha=.15, linewidth=0)
    if section.get("log", True):
        axes.set_xscale("log", base=2)
    axes.set_xlabel(section["x"])
    axes.set_ylabel(section["y"])
    axes.set_ylim(bottom=0)
    axes.grid(alpha=.3)
    axes.legend(fontsize=8, ncol=2)
    out = io.StringIO()
    figure.savefig(out, format="svg", bbox_inches="tight")
    plt.close(figure)
    text = out.getvalue()
    return f'<figure>{text[text.index("<svg"):]}<figcaption>Medians; the shade is from the 10th to the 90th of 100 times.</figcaption></figure>'


def _table(section: "dict[str, Any]") -> str:
    names = section["contenders"]
    head = "".join(f"<th>{html.escape(n)}</th>" for n in [section["x"], *names, "best other / fftgen"])
    rows = []
    for r in section["rows"]:
        medians = {n: float(np.median(r["times"][n])) for n in names if n in r["times"]}
        best = min(medians.values(), default=0)
        cells = [f"<td>{html.escape(str(r['label']))}</td>"]
        for n in names:
            if n not in medians:
                cells.append("<td></td>")
                continue
            times = r["times"][n]
            hint = f"{len(times)} runs: {_time(min(times))} to {_time(max(times))}"
            cells.append(f'<td{" class=best" if medians[n] == best else ""} title="{hint}">{_time(medians[n])}</td>')
        others = [t for n, t in medians.items() if not n.startswith("fftgen")]
        ours = [t for n, t in medians.items() if n.startswith("fftgen")]
        cells.append(f"<td>{min(others) / min(ours):.2f}</td>" if others and ours else "<td></td>")
        rows.append(f"<tr>{''.join(cells)}</tr>")
    return f"<table><thead><tr>{head}</tr></thead><tbody>{''.join(rows)}</tbody></table>"


def _errors(section: "dict[str, Any]") -> str:
    rows = section["rows"]
    if not any("errors" in r for r in rows):
        return ""
    names = section["contenders"]
    head = "".join(f"<th>{html.escape(n)}</th>" for n in [section["x"], *names])
    body = "".join("<tr><td>" + html.escape(str(r["label"])) + "</td>" + "".join(f"<td>{r['errors'][n]:.2e}</td>" if n in r.get("errors", {}) else "<td></td>"
                                                                                 for n in names) + "</tr>" for r in rows if r.get("errors"))
    return (f'<p>Relative errors in the L2 norm, against {html.escape(section["reference"])}:</p>'
            f"<table><thead><tr>{head}</tr></thead><tbody>{body}</tbody></table>")


def mean_ratio(section: "dict[str, Any]") -> "tuple[float, int]":
    """Of the best other's median over fftgen's; of how many rows."""
    logs = []
    for r in section["rows"]:
        medians = {n: float(np.median(t)) for n, t in r["times"].items()}
        others = [t for n, t in medians.items() if not n.startswith("fftgen")]
        ours = [t for n, t in medians.items() if n.startswith("fftgen")]
        if others and ours:
            logs.append(math.log(min(others) / min(ours)))
    return (math.exp(sum(logs) / len(logs)) if logs else 0., len(logs))


def write(data: "dict[str, Any]", pictures: "list[tuple[str, np.ndarray]]") -> str:
    machine = "".join(f"<dt>{html.escape(k)}</dt><dd>{html.escape(str(v))}</dd>" for k, v in data["machine"].items())
    summary = []
    parts = []
    for s in data["sections"]:
        ratio, rows = mean_ratio(s)
        if rows:
            summary.append(f'<tr><td><a href="#{s["id"]}">{html.escape(s["title"])}</a></td><td>{ratio:.2f}</td><td>{rows}</td></tr>')
        left = f'<p class="note">{html.escape(s["left_out"])}</p>' if s.get("left_out") else ""
        plot = _plot(s) if s.get("plotted", True) and s["rows"] else ""
        body = _table(s) if s["rows"] else ""
        parts.append(f'<h2 id="{s["id"]}">{html.escape(s["title"])}</h2><p>{html.escape(s["text"])}</p>{plot}{body}{_errors(s)}{left}')
        if s.get("pictures"):
            parts.append('<div class="pictures">' + "".join(_picture(t, a) for t, a in pictures) + "</div>")
    note = ('<p class="note">Times are of calls that return their results, medians of up to 50 runs; the objects of pyFFTW and pyvkfft, and plans of '
            "fftgen's, store into arrays of their own. On the host every library has one thread. Ratios above 1: fftgen is faster than the best of the others.</p>")
    over = ("<table><thead><tr><th></th><th>best other / fftgen, geometric mean</th><th>rows</th></tr></thead><tbody>" + "".join(summary) + "</tbody></table>") if summary else ""
    text = json.dumps(data, separators=(",", ":")).replace("</", "<\\/")
    return ('<!DOCTYPE html><html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width">'
            f"<title>fftgen beside other FFTs</title><style>{_STYLE}</style></head><body><h1>fftgen beside other FFTs for Python</h1><dl>{machine}</dl>"
            f"{note}{over}{''.join(parts)}<script type=\"application/json\" id=\"data\">{text}</script></body></html>\n")
