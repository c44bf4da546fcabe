"""The paired word lists that fill template slots."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

HERE = Path(__file__).parent

MONTHS = tuple(
    zip(
        [
            "janeiro",
            "fevereiro",
            "março",
            "abril",
            "maio",
            "junho",
            "julho",
            "agosto",
            "setembro",
            "outubro",
            "novembro",
            "dezembro",
        ],
        [
            "January",
            "February",
            "March",
            "April",
            "May",
            "June",
            "July",
            "August",
            "September",
            "October",
            "November",
            "December",
        ],
        strict=True,
    )
)


@dataclass(frozen=True, slots=True)
class Entry:
    """One filler: Portuguese (masculine, feminine) and English."""

    masculine: str
    feminine: str
    english: str

    def portuguese(self, gender: str) -> str:
        return self.feminine if gender == "f" else self.masculine


def entry(line: str) -> Entry:
    parts = [part.strip() for part in line.split("|")]
    if len(parts) == 1:
        return Entry(parts[0], parts[0], parts[0])
    return Entry(parts[0], parts[0], parts[1]) if len(parts) == 2 else Entry(parts[0], parts[1], parts[2])


def read(path: Path) -> dict[str, list[Entry]]:
    """Sections `[name]`, then one entry a line or several parted by `;`."""
    lists: dict[str, list[Entry]] = {}
    current: list[Entry] = []
    for line in path.read_text(encoding="utf8").splitlines():
        if head := re.fullmatch(r"\[(\w+)\]", line.strip()):
            current = lists.setdefault(head[1], [])
        elif line.strip() and not line.startswith("#"):
            current.extend(entry(item) for item in line.split(";") if item.strip())
    return lists


def numbers() -> dict[str, list[Entry]]:
    """Ages, years, dates, hours, sums and telephone numbers, counted rather than listed."""
    same = lambda values: [Entry(v, v, v) for v in values]  # noqa: E731 - one use, one line
    return {
        "age": same(str(n) for n in range(2, 96)),
        "year": same(str(n) for n in range(1978, 2027)),
        "digits": same(f"{n * 7919 % 9000 + 1000}" for n in range(400)),
        "flat": same(str(n * 37 % 900 + 11) for n in range(150)),
        "kg": same(str(n) for n in range(48, 110)),
        "cm": same(str(n) for n in range(148, 199)),
        "size": same(str(n) for n in range(33, 46)),
        "date": [Entry(f"dia {d} de {p}", f"dia {d} de {p}", f"{e} {d}") for d in range(1, 29) for p, e in MONTHS],
        "month": [Entry(p, p, e) for p, e in MONTHS],
        "money": [
            Entry(f"{n} {p}", f"{n} {p}", f"{n} {e}")
            for n in (
                15,
                20,
                35,
                50,
                60,
                80,
                90,
                120,
                150,
                180,
                250,
                300,
                400,
                500,
                650,
                800,
                1200,
                1500,
                2000,
                3500,
                7000,
            )
            for p, e in (("reais", "reais"), ("euros", "euros"), ("dólares", "dollars"))
        ],
        "hour": [
            Entry(f"às {h} {p}", f"às {h} {p}", f"at {h} {e}")
            for h, p, e in [(h, "da manhã", "in the morning") for h in range(5, 12)]
            + [(h, "da tarde", "in the afternoon") for h in range(2, 6)]
            + [(h, "da noite", "at night") for h in range(7, 12)]
        ]
        + [
            Entry(p, p, e)
            for p, e in (
                ("ao meio-dia", "at noon"),
                ("à meia-noite", "at midnight"),
                ("às 14h30", "at 2:30 pm"),
                ("às 18h", "at 6 pm"),
                ("às sete e meia", "at half past seven"),
                ("às 9h15", "at 9:15"),
            )
        ],
    }


def load() -> Mapping[str, list[Entry]]:
    lists = numbers()
    for path in sorted((HERE / "lexicon").glob("*.txt")):
        if path.stem != "verb_phrases":
            for name, entries in read(path).items():
                lists.setdefault(name, []).extend(entries)
    return lists
