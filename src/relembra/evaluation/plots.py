"""Small plots as SVG text: bars, curves and a histogram, coloured by the page's own style."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from html import escape
from math import ceil, floor, log10

from relembra.domain.text import shortened

WIDTH, HEIGHT = 460, 250
LEFT, RIGHT, TOP, BOTTOM = 40, 20, 12, 34
GRID = (0.0, 0.25, 0.5, 0.75, 1.0)
BINS = 24
LONGEST_LABEL, LETTER = 26, 6.4


def bars(groups: Mapping[str, Mapping[str, float]], *, title: str, percent: str = "{:.0f} %") -> str:
    """Shares from 0 to 1: a row for each group, in it a bar for each method."""
    row, gap = 15, 14
    label = min(LONGEST_LABEL, max((len(name) for name in groups), default=0)) * LETTER + 14
    methods = list(next(iter(groups.values()))) if groups else []
    height = sum(len(inside) * row + gap for inside in groups.values()) + 8
    room = WIDTH - label - 48
    parts, y = [], 4.0
    for name, inside in groups.items():
        parts.append(_text(label - 8, y + len(inside) * row / 2 + 2, shortened(name, LONGEST_LABEL), "end", "name"))
        for place, (method, share) in enumerate(inside.items()):
            top = y + place * row
            said = percent.format(share * 100)
            hint = escape(f"{name} · {method}: {said}")
            parts.append(
                f'<rect class="m{methods.index(method)}" x="{label:.1f}" y="{top:.1f}" '
                f'width="{max(room * share, 1):.1f}" height="{row - 3}" rx="2"><title>{hint}</title></rect>'
            )
            parts.append(_text(label + room * share + 6, top + row - 5, said, "start", "value"))
        y += len(inside) * row + gap
    return _svg(parts, height, title)


def curves(lines: Mapping[str, Mapping[int, float]], *, title: str) -> str:
    """Shares by how many are looked at: a line for each method."""
    cuts = sorted({cut for line in lines.values() for cut in line})
    wide, high = WIDTH - LEFT - RIGHT, HEIGHT - TOP - BOTTOM

    def x(cut: int) -> float:
        return LEFT + wide * cuts.index(cut) / max(len(cuts) - 1, 1)

    def y(share: float) -> float:
        return TOP + high * (1 - share)

    parts = [f'<line class="grid" x1="{LEFT}" x2="{WIDTH - RIGHT}" y1="{y(s):.1f}" y2="{y(s):.1f}"/>' for s in GRID]
    parts += [_text(LEFT - 8, y(share) + 4, f"{share:.0%}".replace("%", ""), "end", "value") for share in GRID]
    parts += [_text(x(cut), HEIGHT - 12, f"@{cut}", "middle", "value") for cut in cuts]
    for place, (method, line) in enumerate(lines.items()):
        points = " ".join(f"{x(cut):.1f},{y(line[cut]):.1f}" for cut in cuts)
        parts.append(f'<polyline class="l{place}" points="{points}"/>')
        parts += [
            f'<circle class="m{place}" cx="{x(cut):.1f}" cy="{y(line[cut]):.1f}" r="3.5">'
            f"<title>{escape(f'{method} @{cut}: {line[cut]:.3f}')}</title></circle>"
            for cut in cuts
        ]
    return _svg(parts, HEIGHT, title)


def histogram(series: Mapping[str, Sequence[float]], *, title: str, unit: str) -> str:
    """How often each length of time came, on a logarithmic scale; a row of bars for each series."""
    values = [max(value, 0.001) for each in series.values() for value in each]
    if not values:
        return ""
    low, high = floor(log10(min(values)) * 2) / 2, ceil(log10(max(values)) * 2 + 1e-9) / 2
    spread = max(high - low, 0.5)
    label, row = 70, 56
    wide = WIDTH - label - RIGHT
    parts = []
    for place, (name, each) in enumerate(series.items()):
        counts = [0] * BINS
        for value in each:
            counts[min(BINS - 1, max(0, int((log10(max(value, 0.001)) - low) / spread * BINS)))] += 1
        base = (place + 1) * row
        parts.append(_text(label - 10, base - 14, name, "end", "name"))
        parts.append(f'<line class="grid" x1="{label}" x2="{WIDTH - RIGHT}" y1="{base}" y2="{base}"/>')
        for bin, count in enumerate(counts):
            if count:
                tall = max((row - 12) * count / max(counts), 1.5)
                left = label + wide * bin / BINS
                parts.append(
                    f'<rect class="m0" x="{left + 1:.1f}" y="{base - tall:.1f}" width="{wide / BINS - 2:.1f}" '
                    f'height="{tall:.1f}" rx="1.5"><title>{escape(f"{name}: {count}")}</title></rect>'
                )
    bottom = len(series) * row
    steps = [low + half / 2 for half in range(int(spread * 2) + 1)]
    for exponent in steps if len(steps) <= 6 else [step for step in steps if step == int(step)]:
        at = label + wide * (exponent - low) / spread
        shown = f"{10**exponent:.3g}"
        parts.append(_text(min(at, WIDTH - 18), bottom + 18, shown, "middle", "value"))
    parts.append(_text(4, bottom + 18, unit, "start", "value"))
    return _svg(parts, bottom + 26, title)


def _text(x: float, y: float, text: str, anchor: str, style: str) -> str:
    return f'<text class="{style}" x="{x:.1f}" y="{y:.1f}" text-anchor="{anchor}">{escape(text)}</text>'


def _svg(parts: Sequence[str], height: float, title: str) -> str:
    inside = "".join(parts)
    return f'<svg viewBox="0 0 {WIDTH} {height:.0f}" role="img" aria-label="{escape(title, quote=True)}">{inside}</svg>'
