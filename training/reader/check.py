"""Checks files of labelled messages against GUIDE.md and prints what is in them: `python check.py messages/*.jsonl`."""

from __future__ import annotations

import json
import sys
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

ATTRIBUTES = frozenset(
    """name nickname pronouns age birthday birthplace nationality timezone residence possession employment occupation
    study project client contract meeting deadline salary debt marital_status relation children condition allergy
    intolerance medication diet weight height blood_type language skill likes dislikes habit wake_time bedtime schedule
    communication goal achieved dropped_goal event emotion religion opinion value contact""".split()  # noqa: SIM905
)
KINDS = ("plain", "request", "change", "nothing")
STATUSES = ("current", "former", "planned", "denied")
EFFECTS = ("replaces", "ends", "repeats", "details", "asks", "nothing")


def problems(line: dict[str, Any]) -> Iterator[str]:
    """What is wrong with one labelled message."""
    said = "\n".join([line["text"], *(turn["text"] for turn in line.get("before", []))])
    if line["kind"] not in KINDS:
        yield f"kind {line['kind']}"
    if (line["kind"] == "nothing") != all(item.get("optional") for item in line["items"]):
        yield f"kind {line['kind']} with {len(line['items'])} items"
    for item in line["items"]:
        for name in (item["attribute"], *item.get("or", [])):
            if name is not None and name not in ATTRIBUTES and not name.startswith("favorite_"):
                yield f"attribute {name}"
        if item["status"] not in STATUSES:
            yield f"status {item['status']}"
        if not item.get("value"):
            yield "no value"
        for field in ("value", "when", "subject"):
            words = item.get(field)
            if words and words not in said and (field, words) != ("subject", "self"):
                yield f"{field} {words!r} is not in the text"
    for held in line.get("held", []):
        if held["does"] not in EFFECTS:
            yield f"does {held['does']}"


def main() -> None:
    counts = {name: Counter[str]() for name in ("kinds", "languages", "items", "held")}
    seen: dict[str, str] = {}
    bad = total = 0
    for path in map(Path, sys.argv[1:]):
        for number, raw in enumerate(path.read_text("utf-8").splitlines(), 1):
            try:
                line = json.loads(raw)
                found = list(problems(line))
            except (ValueError, KeyError, TypeError) as error:
                line, found = {}, [f"{type(error).__name__}: {error}"]
            key = " ".join([line.get("text", raw), *(turn["text"] for turn in line.get("before", []))]).lower()
            if key in seen and len(key) > 15:
                found.append(f"same text as {seen[key]}")
            seen[key] = f"{path}:{number}"
            total, bad = total + 1, bad + bool(found)
            if found:
                print(f"{path}:{number}: {'; '.join(found)}")
            counts["kinds"][line.get("kind", "none")] += 1
            counts["languages"][line.get("lang", "none")] += 1
            counts["items"].update(item["attribute"] or "null" for item in line.get("items", []))
            counts["held"].update(held["does"] for held in line.get("held", []))
    print(f"{total} messages, {bad} with problems")
    for name, each in counts.items():
        print(name, dict(each.most_common()))
    sys.exit(bool(bad))


if __name__ == "__main__":
    main()
