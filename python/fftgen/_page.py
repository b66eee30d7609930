"""The page of `python -m fftgen.compare`: one HTML file with tables, plots (_svg.py) and pictures inside it, and its data as JSON."""

from __future__ import annotations

import base64
import html
import json
import math
import struct
import zlib
from typing import Any

import numpy as np

from . import _svg

_STYLE = """body{font:16px/1.5 system-ui,sans-serif;max-width:62rem;margin:2rem auto;padding:0 1rem;color:#222;background:#fff}
table{border-collapse:collapse;font-size:.85rem;display:block;overflow-x:auto}td,th{padding:.15rem .6rem;text-align:right;border-bottom:1px solid #ddd}
th:first-child,td:first-child{text-align:left}.best{font-weight:600;background:#e7f3ea}h2{margin-top:2.5rem}figure{margin:1rem 0}
figcaption,.note{color:#555;font-size:.85rem}.pictures{display:flex;gap:1rem;flex-wrap:wrap}.pictures img{width:18rem}svg{width:100%;height:auto;font:12px system-ui,sans-serif}svg .g{stroke:#ddd;fill:none}
dl{display:grid;grid-template-columns:max-content 1fr;gap:.1rem 1rem}dt{color:#555}dd{margin:0}"""


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


def _plots(section: "dict[str, Any]") -> str:
    """Speed by size, and errors where there are some."""
    parts = []
    log = section.get("log", True)
    speed = _svg.lines(_svg.of_sections(section, "times"), section["title"], section["x"], section["y"], log)
    parts.append(f"<figure>{speed}<figcaption>Medians; the shade is from the 10th to the 90th of 100 times.</figcaption></figure>")
    errors = _svg.of_sections(section, "errors")
    if any(line.at for line in errors):
        plot = _svg.lines(errors, section["title"] + ": errors", section["x"], "relative error, L2", log, log_y=True)
        parts.append(f"<figure>{plot}<figcaption>{html.escape(_references(section))}</figcaption></figure>")
    return "".join(parts)


def _dots(section: "dict[str, Any]") -> str:
    times = {n: section["rows"][0]["times"][n] for n in section["contenders"] if n in section["rows"][0]["times"]}
    colours = {n: _svg.COLOURS[i % len(_svg.COLOURS)] for i, n in enumerate(section["contenders"])}
    return f'<figure>{_svg.runs(times, colours, section["title"], 1e-3, "ms")}<figcaption>Runs of more than 2.2 times the slowest median are counted at the edge.</figcaption></figure>' if times else ""


def _sides(section: "dict[str, Any]", medians: "dict[str, float]") -> "tuple[list[float], list[float]]":
    """Of others, and of fftgen; what is only there to be seen beside them counts to neither."""
    plain = section.get("plain", [])
    return ([t for n, t in medians.items() if not n.startswith("fftgen") and n not in plain], [t for n, t in medians.items() if n.startswith("fftgen")])


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
        others, ours = _sides(section, medians)
        cells.append(f"<td>{min(others) / min(ours):.2f}</td>" if others and ours else "<td></td>")
        rows.append(f"<tr>{''.join(cells)}</tr>")
    return f"<table><thead><tr>{head}</tr></thead><tbody>{''.join(rows)}</tbody></table>"


def _references(section: "dict[str, Any]") -> str:
    which = sorted({r["reference"] for r in section["rows"] if r.get("errors")})
    return f"Relative errors in the L2 norm, against a transform in {', or for long ones '.join(reversed(which))}."


def _grid(title: str, head: "list[str]", rows: "list[list[str]]") -> str:
    if not rows:
        return f"<p>{html.escape(title)}</p>"
    body = "".join("<tr>" + "".join(f"<td>{html.escape(cell)}</td>" for cell in row) + "</tr>" for row in rows)
    return f'<p>{html.escape(title)}</p><table><thead><tr>{"".join(f"<th>{html.escape(n)}</th>" for n in head)}</tr></thead><tbody>{body}</tbody></table>'


def _errors(section: "dict[str, Any]") -> str:
    rows = [r for r in section["rows"] if r.get("errors") and r.get("reference")]
    if not rows:
        return ""
    names = section["contenders"]
    cells = [[str(r["label"]), *(f"{r['errors'][n]:.1e}" if n in r["errors"] else "" for n in names)] for r in rows]
    return _grid(_references(section), [section["x"], *names], cells)


def _cell(value: Any, unit: str) -> str:
    if value is None or isinstance(value, str):
        return value or ""
    return _time(value) if unit == "s" else f"{value:.2f}" if unit == "x" else f"{value:.2g}"


def _tables(section: "dict[str, Any]") -> str:
    """Those that a section brings."""
    return "".join(_grid(t["title"], [section["x"], *t["names"]], [[row[0], *(_cell(v, t["unit"]) for v in row[1:])] for row in t["rows"]]) for t in section.get("tables", []))


def mean_ratio(section: "dict[str, Any]") -> "tuple[float, int]":
    """Of the best other's median over fftgen's; of how many rows."""
    logs = []
    for r in section["rows"]:
        medians = {n: float(np.median(t)) for n, t in r["times"].items()}
        others, ours = _sides(section, medians)
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
        plot = _dots(s) if s.get("dots") else _plots(s) if s.get("plotted", True) and s["rows"] else ""
        body = _table(s) if s["rows"] else ""
        parts.append(f'<h2 id="{s["id"]}">{html.escape(s["title"])}</h2><p>{html.escape(s["text"])}</p>{plot}{body}{_errors(s)}{_tables(s)}{left}')
        if s.get("pictures"):
            parts.append('<div class="pictures">' + "".join(_picture(t, a) for t, a in pictures) + "</div>")
    note = ('<p class="note">Times are of calls that return their results, medians of up to 50 runs; the objects of pyFFTW and pyvkfft, and plans of '
            "fftgen's, store into arrays of their own. On the host every library has one processor. Ratios above 1: fftgen is faster than the best of the others.</p>")
    over = ("<table><thead><tr><th></th><th>best other / fftgen, geometric mean</th><th>rows</th></tr></thead><tbody>" + "".join(summary) + "</tbody></table>") if summary else ""
    text = json.dumps(data, separators=(",", ":")).replace("</", "<\\/")
    return ('<!DOCTYPE html><html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width">'
            f"<title>fftgen beside other FFTs</title><style>{_STYLE}</style></head><body><h1>fftgen beside other FFTs for Python</h1><dl>{machine}</dl>"
            f"{note}{over}{''.join(parts)}<script type=\"application/json\" id=\"data\">{text}</script></body></html>\n")
