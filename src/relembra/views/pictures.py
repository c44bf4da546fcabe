"""Small pictures of a person's days as SVG: moods, what was learnt, a measure over time.

Each stands alone, says in words what it shows, and follows the reader's light or dark colours.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from html import escape

from relembra.domain.knowledge import KnowledgeItem, LifeArea
from relembra.domain.text import shortened
from relembra.locale import Words
from relembra.views.period_report import Feeling, Material, Tone, areas_learnt, measured, tone_of
from relembra.views.phrases import area_name, day, full_day, number, short_weekday

__all__ = ["Picture", "areas", "course", "moods", "pictures_of"]

WIDTH = 480
_LEFT, _RIGHT, _TOP = 44, 16, 44
_LONGEST_LABEL = 24
_MOST_A_DAY = 12

_STYLE = (
    "text{font:12px system-ui,sans-serif;fill:#24292f}.head{font-size:14px;font-weight:600}.dim{fill:#57606a}"
    ".paper{fill:#fff}.line{stroke:#d0d7de;stroke-width:1}.glad,.bar{fill:#2f6feb}.hard{fill:#c2410c}.neither{fill:#8c959f}"
    ".course{fill:none;stroke:#2f6feb;stroke-width:2}"
    "@media (prefers-color-scheme:dark){text{fill:#e6edf3}.dim{fill:#9198a1}.paper{fill:#0d1117}.line{stroke:#3d444d}"
    ".glad,.bar{fill:#6ea8fe}.hard{fill:#fb923c}.neither{fill:#7d8590}.course{stroke:#6ea8fe}}"
)


@dataclass(frozen=True, slots=True)
class Picture:
    """A picture, and what it is called."""

    title: str
    svg: str


def moods(feelings: Sequence[Feeling], days: Sequence[date], language: str) -> Picture | None:
    """Each day's feelings: glad ones above the line, hard ones below, others on it. None: nothing to show."""
    words = Words(language, "pictures")
    tones = {when: [tone_of(one.item) for one in feelings if one.day == when][:_MOST_A_DAY] for when in days}
    if not any(tones.values()):
        return None
    wide = (WIDTH - _LEFT - _RIGHT) / len(days)
    size = min(wide * 0.7, 16.0)
    up = max(sum(tone is not Tone.HARD for tone in inside) for inside in tones.values())
    middle = _TOP + 8 + up * (size + 2)
    down = max(sum(tone is Tone.HARD for tone in inside) for inside in tones.values())
    bottom = middle + down * (size + 2) + 20
    parts = [_line(_LEFT, middle, WIDTH - _RIGHT, middle)]
    for place, (when, inside) in enumerate(tones.items()):
        left = _LEFT + wide * place + (wide - size) / 2
        above = sorted(tone for tone in inside if tone is not Tone.HARD)
        tops: list[tuple[float, Tone]] = [(middle - (step + 1) * (size + 2), tone) for step, tone in enumerate(above)]
        tops += [(middle + 2 + step * (size + 2), Tone.HARD) for step in range(inside.count(Tone.HARD))]
        for y, tone in tops:
            hint = f"{day(when, language)}: {words(tone.name.lower())}"
            parts.append(_square(left, y, size, tone.name.lower(), hint))
        if len(days) <= 7 or when.day % 5 == 0 or when.day == 1:
            label = short_weekday(when, language) if len(days) <= 7 else str(when.day)
            parts.append(_text(left + size / 2, bottom, label, "middle", "dim"))
    shown = [tone for tone in (Tone.GLAD, Tone.HARD, Tone.NEITHER) if any(tone in inside for inside in tones.values())]
    parts += _legend([(tone.name.lower(), words(tone.name.lower())) for tone in shown])
    told = []
    for when, inside in tones.items():
        numbers = [f"{words(tone.name.lower())} {inside.count(tone)}" for tone in shown if tone in inside]
        if numbers:
            told.append(f"{day(when, language)}: {', '.join(numbers)}")
    return _picture(words("moods"), "; ".join(told) or words("none"), parts, bottom + 14)


def areas(counts: Mapping[LifeArea | None, int], language: str) -> Picture | None:
    """How many things were learnt in each area, the most first. None: fewer than two areas."""
    if len(counts) < 2:
        return None
    words = Words(language, "pictures")
    names = {area: area_name(area, language) for area in counts}
    ordered = sorted(counts.items(), key=lambda pair: (-pair[1], names[pair[0]]))
    label, row = 150, 22
    room = WIDTH - label - _RIGHT - 36
    most = max(counts.values())
    parts = []
    for place, (area, count) in enumerate(ordered):
        y = _TOP + place * row
        wide = max(room * count / most, 2)
        parts.append(_text(label - 8, y + 13, shortened(names[area], _LONGEST_LABEL), "end"))
        parts.append(f'<rect class="bar" x="{label}" y="{y + 2}" width="{wide:.1f}" height="{row - 8}" rx="2"/>')
        parts.append(_text(label + wide + 6, y + 13, str(count), "start", "dim"))
    told = ", ".join(f"{names[area]} {count}" for area, count in ordered)
    return _picture(words("areas"), told, parts, _TOP + len(ordered) * row + 8)


def course(points: Sequence[tuple[date, float]], language: str, *, title: str, unit: str = "") -> Picture | None:
    """A measure from day to day. None: fewer than two days."""
    if len(points) < 2:
        return None
    high = 120
    low, top = min(value for _, value in points), max(value for _, value in points)
    spread = top - low or 1.0
    first, last = points[0][0], points[-1][0]
    length = (last - first).days or 1

    def at(when: date, value: float) -> tuple[float, float]:
        x = _LEFT + (WIDTH - _LEFT - _RIGHT - 12) * (when - first).days / length
        return x, _TOP + 8 + high * (1 - (value - low) / spread)

    parts = []
    for value in dict.fromkeys((low, top)):
        _, y = at(first, value)
        parts += [_line(_LEFT, y, WIDTH - _RIGHT, y), _text(_LEFT - 6, y + 4, number(value, language), "end", "dim")]
    places = [at(when, value) for when, value in points]
    drawn = " ".join(f"{x:.1f},{y:.1f}" for x, y in places)
    parts.append(f'<polyline class="course" points="{drawn}"/>')
    told = [f"{day(when, language)}: {number(value, language)} {unit}".strip() for when, value in points]
    for (x, y), hint in zip(places, told, strict=True):
        parts.append(f'<circle class="bar" cx="{x:.1f}" cy="{y:.1f}" r="3.5"><title>{escape(hint)}</title></circle>')
    bottom = _TOP + high + 30
    parts.append(_text(_LEFT, bottom, full_day(first, language), "start", "dim"))
    parts.append(_text(WIDTH - _RIGHT, bottom, full_day(last, language), "end", "dim"))
    shown = title if not unit else f"{title} ({unit})"
    return _picture(shown, "; ".join(told), parts, bottom + 12)


def pictures_of(material: Material | None, weights: Sequence[KnowledgeItem], language: str) -> dict[str, Picture]:
    """The pictures worth showing beside a report or an appointment note, by name: moods, areas, weight."""
    words = Words(language, "pictures")
    found: dict[str, Picture | None] = {}
    if material is not None:
        found["moods"] = moods(material.feelings, material.period.days, language)
        found["areas"] = areas(areas_learnt(material.items), language)
    found["weight"] = course(measured(weights), language, title=words("weight"), unit=_unit(weights))
    return {name: picture for name, picture in found.items() if picture is not None}


def _unit(weights: Sequence[KnowledgeItem]) -> str:
    """Kilograms or pounds, where all that was said agrees."""
    said = {
        "lb" if "lb" in text or "pound" in text else "kg" for text in ((w.value or w.content).lower() for w in weights)
    }
    return said.pop() if len(said) == 1 else ""


def _square(x: float, y: float, size: float, style: str, hint: str) -> str:
    return (
        f'<rect class="{style}" x="{x:.1f}" y="{y:.1f}" width="{size:.1f}" height="{size:.1f}" rx="3">'
        f"<title>{escape(hint)}</title></rect>"
    )


def _legend(entries: Sequence[tuple[str, str]]) -> list[str]:
    parts, x = [], float(WIDTH - _RIGHT)
    for style, name in reversed(entries):
        x -= 7 * len(name)
        parts.append(_text(x, 22, name, "start", "dim"))
        x -= 16
        parts.append(f'<rect class="{style}" x="{x:.1f}" y="12" width="11" height="11" rx="2"/>')
        x -= 12
    return parts


def _line(x1: float, y1: float, x2: float, y2: float) -> str:
    return f'<line class="line" x1="{x1:.1f}" y1="{y1:.1f}" x2="{x2:.1f}" y2="{y2:.1f}"/>'


def _text(x: float, y: float, text: str, anchor: str, style: str = "") -> str:
    named = f' class="{style}"' if style else ""
    return f'<text{named} x="{x:.1f}" y="{y:.1f}" text-anchor="{anchor}">{escape(text)}</text>'


def _picture(title: str, told: str, parts: Sequence[str], height: float) -> Picture:
    tall = math.ceil(height)
    inside = _text(16, 24, title, "start", "head") + "".join(parts)
    svg = (
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{WIDTH}" height="{tall}" viewBox="0 0 {WIDTH} {tall}" '
        f'role="img" aria-labelledby="title desc"><title id="title">{escape(title)}</title>'
        f'<desc id="desc">{escape(told)}</desc><style>{_STYLE}</style>'
        f'<rect class="paper" width="{WIDTH}" height="{tall}" rx="6"/>{inside}</svg>\n'
    )
    return Picture(title, svg)
