"""Plots as SVG, for the page of `python -m fftgen.compare`: lines over sizes, runs as dots; without another library."""

from __future__ import annotations

import html
import math
from typing import Any, Iterable, NamedTuple

import numpy as np

COLOURS = ["#0b6e4f", "#6a4c93", "#1f77b4", "#d1495b", "#edae49", "#66a182", "#8d96a3", "#b5651d", "#2e4057"]
WIDTH, HEIGHT, LEFT, RIGHT, TOP, BOTTOM = 860, 360, 64, 190, 10, 44


class Line(NamedTuple):
    name: str
    colour: str
    at: "list[float]"
    middle: "list[float]"
    low: "list[float]"
    high: "list[float]"


class Scale:
    """Numbers to places of the picture; its marks."""

    def __init__(self, values: "Iterable[float]", begin: float, end: float, base: int = 0, zero: bool = False) -> None:
        values = [v for v in values if math.isfinite(v)]
        self.base, self.begin, self.end = base, begin, end
        low, high = min(values), max(values)
        low, high = (math.log(low, base), math.log(high, base)) if base else (0. if zero else low, high)
        margin = .02 * (high - low) or .5
        self.low, self.high = low if zero else low - margin, high + margin

    def __call__(self, value: float) -> float:
        value = math.log(value, self.base) if self.base else value
        return self.begin + (value - self.low) / (self.high - self.low) * (self.end - self.begin)

    def marks(self) -> "list[tuple[float, str]]":
        if self.base:
            step = max(1, math.ceil((self.high - self.low) / 12))
            first = math.ceil(self.low - 1e-9)
            first += -first % step
            up = '<tspan dy="-5" font-size="9">%d</tspan>'
            return [(float(self.base) ** k, str(self.base) + up % k) for k in range(first, math.floor(self.high + 1e-9) + 1, step)]
        step = 10. ** math.floor(math.log10(self.high - self.low))
        step *= next(f for f in (.1, .2, .5, 1, 2) if (self.high - self.low) / (f * step) <= 10)
        return [(k * step, f"{k * step:.6g}") for k in range(math.ceil(self.low / step), math.floor(self.high / step) + 1)]


def _text(x: float, y: float, text: str, more: str = "") -> str:
    return f'<text x="{x:.1f}" y="{y:.1f}"{more}>{text}</text>'


def _frame(x: Scale, y: Scale, across: str, up: str) -> str:
    parts = []
    for value, label in x.marks():
        at = x(value)
        parts.append(f'<path class="g" d="M{at:.1f} {TOP}V{HEIGHT - BOTTOM}"/>' + _text(at, HEIGHT - BOTTOM + 17, label, ' text-anchor="middle"'))
    for value, label in y.marks():
        at = y(value)
        parts.append(f'<path class="g" d="M{LEFT} {at:.1f}H{WIDTH - RIGHT}"/>' + _text(LEFT - 7, at + 4, label, ' text-anchor="end"'))
    parts.append(_text((LEFT + WIDTH - RIGHT) / 2, HEIGHT - 6, html.escape(across), ' text-anchor="middle"'))
    middle = (TOP + HEIGHT - BOTTOM) / 2
    parts.append(_text(14, middle, html.escape(up), f' text-anchor="middle" transform="rotate(-90 14 {middle:.0f})"'))
    return "".join(parts)


def _picture(height: float, body: str, title: str) -> str:
    return f'<svg viewBox="0 0 {WIDTH} {height:.0f}" role="img" aria-label="{html.escape(title)}">{body}</svg>'


def _points(x: Scale, y: Scale, line: Line, values: "list[float]") -> "list[str]":
    return [f"{x(a):.1f} {y(v):.1f}" for a, v in zip(line.at, values)]


def lines(data: "list[Line]", title: str, across: str, up: str, log_x: bool = True, log_y: bool = False) -> str:
    """Curves with bands."""
    data = [line for line in data if line.at]
    if not data:
        return ""
    x = Scale([a for line in data for a in line.at], LEFT, WIDTH - RIGHT, 2 if log_x else 0)
    y = Scale([v for line in data for v in line.middle], HEIGHT - BOTTOM, TOP, 10 if log_y else 0, zero=not log_y)
    body = [_frame(x, y, across, up)]
    for line in reversed(data):  # the first one on top
        band = _points(x, y, line, line.low) + _points(x, y, line, line.high)[::-1]
        if line.low != line.high:
            body.append(f'<path d="M{"L".join(band)}Z" fill="{line.colour}" opacity=".15"/>')
        width = 2.4 if line is data[0] else 1.3
        body.append(f'<path d="M{"L".join(_points(x, y, line, line.middle))}" fill="none" stroke="{line.colour}" stroke-width="{width}"/>')
        body += [f'<circle cx="{p.split()[0]}" cy="{p.split()[1]}" r="2" fill="{line.colour}"/>' for p in _points(x, y, line, line.middle)]
    for i, line in enumerate(data):
        at = TOP + 14 + 18 * i
        body.append(f'<path d="M{WIDTH - RIGHT + 14} {at - 4}h22" stroke="{line.colour}" stroke-width="3"/>' + _text(WIDTH - RIGHT + 42, at, html.escape(line.name)))
    return _picture(HEIGHT, f'<clipPath id="c"><path d="M{LEFT} {TOP}H{WIDTH - RIGHT}V{HEIGHT - BOTTOM}H{LEFT}Z"/></clipPath>' + "".join(body), title)


def runs(times: "dict[str, list[float]]", colours: "dict[str, str]", title: str, unit: float, across: str) -> str:
    """Each run of each library as a dot; medians as marks. Runs far beyond all medians are counted at the edge."""
    most = 2.2 * max(float(np.median(t)) for t in times.values())
    shown = [v for t in times.values() for v in t if v <= most]
    x = Scale([v / unit for v in shown], LEFT + 90, WIDTH - 60, 10)
    height = TOP + BOTTOM + 30 * len(times)
    body = []
    for value in sorted({m for m, _ in x.marks()} | {f * 10. ** k for k in range(-4, 8) for f in (1, 2, 5)}):
        at = x(value)
        if LEFT + 90 <= at <= WIDTH - 60:
            body.append(f'<path class="g" d="M{at:.1f} {TOP}V{height - BOTTOM}"/>' + _text(at, height - BOTTOM + 17, f"{value:.4g}", ' text-anchor="middle"'))
    for i, (name, t) in enumerate(times.items()):
        y = TOP + 15 + 30 * i
        body.append(_text(LEFT + 76, y + 4, html.escape(name), ' text-anchor="end"'))
        inside = [v for v in t if v <= most]
        body += [f'<circle cx="{x(v / unit):.1f}" cy="{y + (k * 7 % 13) - 6}" r="2" fill="{colours[name]}" opacity=".5"/>' for k, v in enumerate(inside)]
        middle = x(float(np.median(t)) / unit)
        body.append(f'<path d="M{middle:.1f} {y - 12}V{y + 12}" stroke="#000" stroke-width="2"/>')
        if len(inside) < len(t):
            body.append(_text(WIDTH - 55, y + 4, f"+{len(t) - len(inside)}"))
    body.append(_text((LEFT + WIDTH) / 2, height - 6, html.escape(across), ' text-anchor="middle"'))
    return _picture(height, "".join(body), title)


def of_sections(section: "dict[str, Any]", what: str) -> "list[Line]":
    """Speeds or errors of a section's libraries."""
    out = []
    for i, name in enumerate(section["contenders"]):
        at, middle, low, high = [], [], [], []
        for r in section["rows"]:
            if what == "errors" and r.get("errors", {}).get(name):
                values = [r["errors"][name]] * 3
            elif what == "times" and r["times"].get(name):
                t = r["times"][name]
                values = [r["rate"] / float(v) for v in (np.median(t), np.percentile(t, 90), np.percentile(t, 10))]
            else:
                continue
            for to, value in zip((middle, low, high), values):
                to.append(value)
            at.append(r["at"])
        out.append(Line(name, COLOURS[i % len(COLOURS)], at, middle, low, high))
    return out
