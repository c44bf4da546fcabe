"""How often a text is read as expected: dates, names, sentences, its language, its mood, and pairs."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from datetime import datetime

from bench.minds.asking import EVALSETS, ROOT, Asked, Example, Split, examples, of
from bench.table import Row
from relembra.domain.candidate import Comparison
from relembra.domain.policy import LIFE
from relembra.minds.offline.dates import find_dates
from relembra.minds.offline.language import language_of
from relembra.minds.offline.names import find_names
from relembra.minds.offline.text import split_sentences
from relembra.minds.offline.wordpiece import OfflineTokens
from relembra.minds.reader.networks import shipped_networks
from relembra.minds.reader.reader import OfflineReader

MOODS = ("negative", "neutral", "positive")
DATA = ROOT / "tests" / "data"
READ_GOAL = 0.95
LENGTHS = (("1 word", 1, 1), ("2–4 words", 2, 4), ("5+ words", 5, 10**6))

FINDERS: dict[str, Callable[[Example], Sequence[object]]] = {
    "dates": lambda one: find_dates(
        one["text"], said_at=datetime.fromisoformat(one["said_at"]), language=one["language"]
    ),
    "names": lambda one: find_names(one["text"], one["language"]),
    "sentences": lambda one: [one["text"][start:end] for start, end in split_sentences(one["text"])],
}


def readings(split: Split) -> Iterator[Row]:
    """The half that rules were not tuned on, or with `dev` the other; exact to every expected field."""
    half = "tune" if split == "dev" else "test"
    for name, find in FINDERS.items():
        chosen = examples(DATA / f"{name}.jsonl", split=half)
        for language in dict.fromkeys(one.get("language", "") for one in chosen):
            among = [one for one in chosen if one.get("language", "") == language]
            right = sum(as_expected(find(one), one["expected"]) for one in among)
            title = f"{name} {language}".strip()
            yield Row(f"{title}, read right", of(right, len(among)), "", right / len(among), READ_GOAL, at_least=True)


def as_expected(found: Sequence[object], expected: Sequence[object]) -> bool:
    """Whether as many were found as expected, each with every expected field."""
    return len(found) == len(expected) and all(
        all(_same(getattr(one, field), value) for field, value in wanted.items())
        if isinstance(wanted, dict)
        else one == wanted
        for one, wanted in zip(found, expected, strict=True)
    )


def _same(found: object, written: object) -> bool:
    """Equal to what stands in a JSON file, where moments are text."""
    return (found.isoformat() if isinstance(found, datetime) else found) == written


def languages(split: Split) -> Iterator[Row]:
    """Messages whose language is known, by length: taken for the other language, or left open."""
    for language in ("pt", "en"):
        texts = [row["text"] for row in examples(EVALSETS / f"gate_{language}.jsonl", split=split)]
        for name, least, most in LENGTHS:
            found = [language_of(text) for text in texts if least <= len(text.split()) <= most]
            unsure = found.count(None)
            wrong = len(found) - unsure - sum(one == language for one in found)
            for title, count in (("wrong", wrong), ("unsure", unsure)):
                yield Row(f"language {language}, {name}, {title}", of(count, len(found)), "", count / len(found), None)


def moods(split: Split) -> Iterator[Row]:
    """The likeliest mood by the reader's networks."""
    networks = shipped_networks()
    for language in ("pt", "en"):
        rows = examples(EVALSETS / f"gate_{language}.jsonl", split=split)
        found = [networks.mood(row["text"]) for row in rows]
        right = sum(MOODS[one.index(max(one))] == row["mood"] for one, row in zip(found, rows, strict=True))
        yield Row(f"mood {language}, right", of(right, len(rows)), "", right / len(rows), None)


def pairs(asked: Asked, split: Split) -> Iterator[Row]:
    """How a later statement stands to an earlier one: the likeliest of same, contradicts, neither."""
    reader = OfflineReader(shipped_networks(), OfflineTokens(), policy=LIFE.learn, summary_tokens=80)
    for language in ("pt", "en"):
        rows = examples(EVALSETS / "nli_pairs.jsonl", split=split, lang=language)
        found = asked.run(reader.compare([(row["a"], row["b"]) for row in rows]))
        right = sum(label_of(one) == row["label"] for one, row in zip(found, rows, strict=True))
        yield Row(f"pairs {language}, right", of(right, len(rows)), "", right / len(rows), None)


def label_of(found: Comparison) -> str:
    likely = {"same": found.same, "contradicts": found.contradicts, "neither": 1 - found.same - found.contradicts}
    return max(likely, key=lambda label: likely[label])
