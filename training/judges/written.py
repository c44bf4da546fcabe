"""Training text written by hand rather than by template: labelled messages, and the statements of the encoder's groups.

`corpus/authored.*.tsv` holds one message a line: worth, kind, area, act, valence, emotion, text, parted by tabs. The
groups in `training/generate/authored` were written for the encoder; their statements are things worth remembering and
their questions are not, so they teach those two heads and no other.
"""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import replace

from training.generate.authored import load_groups
from training.judges.grammar import VALENCES, Labels
from training.judges.messages import CORPUS, LANGUAGES, OPENINGS, Message, joined_labels, roughened

__all__ = ["authored_messages", "group_messages", "with_variants"]

_ACTS = "sqrt"
_STOPS = (". ", ". ", "! ", ", ", "\n", " ", "... ")


def authored_messages() -> list[Message]:
    """Every labelled message, as written; a malformed line is an error that names it."""
    found: dict[str, Message] = {}
    for language in LANGUAGES:
        for path in sorted(CORPUS.glob(f"authored*.{language}.tsv")):
            for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1):
                fields = line.split("\t")
                if len(fields) != 7 or fields[0] not in "01" or fields[3] not in _ACTS or fields[4] not in VALENCES:
                    raise ValueError(f"{path.name}:{number}: not seven fields of a labelled message: {line[:80]}")
                worth, kind, area, act, valence, emotion, text = fields
                labels = Labels(
                    worth=worth == "1", kind=kind, area=area, acts=act, valence=VALENCES[valence], emotion=emotion
                )
                text = text.strip().replace("\\n", "\n")
                found[text] = Message(text=text, labels=labels, group=f"{path.name}:{number}", language=language)
    return list(found.values())


def group_messages(each: int, *, seed: int = 5) -> list[Message]:
    """Statements and questions of the groups, `each` of both a language; labelled for worth and act alone."""
    rng = random.Random(seed)
    told: dict[str, list[Message]] = {language: [] for language in LANGUAGES}
    asked: dict[str, list[Message]] = {language: [] for language in LANGUAGES}
    for group in load_groups():
        if not group.name.startswith("told"):
            continue
        for texts, worth, act, into in ((group.told + group.misses, True, "s", told), (group.asked, False, "q", asked)):
            kind = None if worth else "none"
            labels = Labels(worth=worth, kind=kind, area=None, acts=act, valence=None, emotion=None)
            for pair in texts:
                for language, text in zip(LANGUAGES, pair, strict=True):
                    shown = labels if worth or text.rstrip().endswith("?") else replace(labels, acts="")
                    into[language].append(Message(text=text, labels=shown, group=group.name, language=language))
    found: list[Message] = []
    for language in LANGUAGES:
        for listed in (told[language], asked[language]):
            rng.shuffle(listed)
            found += listed[:each]
    return found


def with_variants(messages: Sequence[Message], copies: int, *, seed: int = 3) -> list[Message]:
    """The messages, then `copies` of each: typed carelessly, opened with a word or two, or joined with another."""
    rng = random.Random(seed)
    sides = {language: [message for message in messages if message.language == language] for language in LANGUAGES}
    made = list(messages)
    for _ in range(copies):
        for message in messages:
            text, labels, shape = message.text, message.labels, rng.random()
            if shape < 0.25 and len(text) < 300:
                other = rng.choice(sides[message.language])
                pair = [message, other] if rng.random() < 0.5 else [other, message]
                text = rng.choice(_STOPS).join(one.text for one in pair)
                labels = joined_labels(pair[0].labels, pair[1].labels)
            elif shape < 0.40:
                text = rng.choice(OPENINGS[message.language]) + text
            made.append(replace(message, text=roughened(text, message.language, rng), labels=labels))
    return made
