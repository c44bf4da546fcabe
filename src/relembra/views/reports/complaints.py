"""What somebody said of their body, sleep and measures in passing, and what they wanted to ask: read from messages."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import date, timedelta

from relembra.domain.message import Message
from relembra.domain.text import collapsed, fold, shortened
from relembra.views.calendar import day_of
from relembra.views.reports import complaint_words as words
from relembra.views.reports.professions import Profession, profession_named
from relembra.views.ties import Closeness, tie_of

__all__ = ["Heard", "Mention", "Symptom", "heard", "measures", "questions", "since_in", "sleep", "symptoms"]

LONGEST_QUOTE = 200
_LOOKED_AT = 20_000  # characters of a message that may be a megabyte long

_NEAR = (Closeness.FAMILY, Closeness.PARTNER, Closeness.FRIENDS, Closeness.PETS)


@dataclass(frozen=True, slots=True)
class Mention:
    """Something said on a day, in the person's own words; `of`: the message."""

    day: date
    text: str
    of: str
    since: date | None = None
    is_over: bool = False


@dataclass(frozen=True, slots=True)
class Symptom:
    """A complaint, and each time it was told, oldest first."""

    key: str
    mentions: tuple[Mention, ...]

    def called(self, language: str) -> str:
        return words.LABELS[self.key][0 if language == "pt" else 1]

    @property
    def since(self) -> date:
        """The earliest day anything said puts it at."""
        return min(mention.since or mention.day for mention in self.mentions)


@dataclass(frozen=True, slots=True)
class Heard:
    """All that was found in somebody's messages for one kind of professional."""

    symptoms: tuple[Symptom, ...] = ()
    sleep: tuple[Mention, ...] = ()
    measures: Mapping[str, Sequence[Mention]] = field(default_factory=dict)
    questions: tuple[Mention, ...] = ()

    @property
    def mentions(self) -> list[Mention]:
        """Everything quoted, in no particular order."""
        told = [mention for one in self.symptoms for mention in one.mentions]
        measured = [mention for mentions in self.measures.values() for mention in mentions]
        return [*told, *self.sleep, *measured, *self.questions]


def heard(messages: Iterable[Message], profession: Profession) -> Heard:
    """Read the messages once for all there is to tell."""
    ordered = _ordered(messages)
    return Heard(
        tuple(symptoms(ordered)), tuple(sleep(ordered)), measures(ordered), tuple(questions(ordered, profession))
    )  # fmt: skip


def symptoms(messages: Iterable[Message]) -> list[Symptom]:
    """What the person complained of, the most often told first, without questions, denials and what others have."""
    found: dict[str, list[Mention]] = {}
    last: list[str] = []  # what the sentence before complained of
    for message in _ordered(messages):
        for sentence in _sentences(message.text):
            small = fold(sentence)
            if last and words.OVER_NOW.fullmatch(small):
                _end(found, last, _mention(message, sentence).day)
            last = []
            if small.endswith("?") or not any(stem in small for stem in words.STEMS):
                continue
            for key, start, end in _keys(small):
                is_over = words.OVER.search(small) is not None
                if not _is_real(sentence, start, end) or (words.NOT.search(small[:start]) and not is_over):
                    continue
                mention = _mention(message, sentence, is_over=is_over)
                last.append(key)
                if mention.text not in (other.text for other in found.setdefault(key, []) if other.of == message.id):
                    found[key].append(mention)
    made = [Symptom(key, tuple(mentions)) for key, mentions in found.items()]
    return sorted(made, key=lambda one: (-len(one.mentions), one.since, one.key))


def sleep(messages: Iterable[Message]) -> list[Mention]:
    """What the person said of how they slept, oldest first."""
    return [
        _mention(message, sentence)
        for message in _ordered(messages)
        for sentence in _sentences(message.text)
        if (found := words.SLEEP.search(small := fold(sentence)))
        and not small.endswith("?")
        and not _is_of_another(sentence[: found.start()])
        and not _is_sleeper(sentence[: found.start()].strip(), found[0])
    ]


def measures(messages: Iterable[Message]) -> dict[str, list[Mention]]:
    """Numbers of the body the person told, by kind and oldest first, each as it was said."""
    found: dict[str, list[Mention]] = {}
    for message in _ordered(messages):
        for sentence in _sentences(message.text):
            small = fold(sentence)
            for kind, pattern in words.MEASURES.items():
                told = pattern.search(small)
                if told is None or small.endswith("?") or _is_of_another(sentence[: told.start()]):
                    continue
                ends = (told.start() + word.end() for word in re.finditer(r"\w+", told[0]))
                if not any(_is_owned(sentence[end:]) for end in ends):
                    found.setdefault(kind, []).append(_mention(message, sentence))
    return found


def questions(messages: Iterable[Message], profession: Profession) -> list[Mention]:
    """What the person wanted to ask or tell such a professional, oldest first and each once."""
    found: dict[str, Mention] = {}
    for message in _ordered(messages):
        for sentence in _sentences(message.text):
            small = fold(sentence)
            asks = words.ASK.search(small)
            if asks is None or not (words.WISH.search(small[: asks.start()]) or asks.start() == 0):
                continue
            named = profession_named(" ".join(small[asks.end() :].split()[:4]))
            if named is not None and profession.covers(named):
                found.setdefault(small.strip(), _mention(message, sentence))
    return list(found.values())


def since_in(text: str, said_on: date) -> date | None:
    """The day something began by its words ("há três dias", "since Monday"); None where they do not tell."""
    small = fold(text)
    if found := words.FOR.search(small):
        number = found["number"]
        count = int(number) if number.isdigit() else words.NUMBERS[number]
        return said_on - timedelta(days=min(count * words.UNITS[found["unit"]], 36_500))
    if found := words.SINCE.search(small):
        name = found["day"]
        back = words.BACK[name] if name in words.BACK else (said_on.weekday() - words.WEEKDAYS[name]) % 7 or 7
        return said_on - timedelta(days=back)
    return None


def _ordered(messages: Iterable[Message]) -> list[Message]:
    return sorted(messages, key=lambda message: (message.sent_at, message.id))


def _sentences(text: str) -> Iterator[str]:
    for found in words.SENTENCE.finditer(collapsed(text[:_LOOKED_AT])):
        if sentence := found[0].strip():
            yield sentence


def _end(found: dict[str, list[Mention]], keys: Iterable[str], day: date) -> None:
    """Mark what was complained of last as over, where that was said on the same day."""
    for key in keys:
        if found[key][-1].day == day:
            found[key][-1] = replace(found[key][-1], is_over=True)


def _keys(small: str) -> Iterator[tuple[str, int, int]]:
    """The complaints a folded sentence names, each once, and from where to where."""
    seen: set[str] = set()
    for pattern in (words.PAIN_PT, words.HURTING_PT, words.PAIN_EN, words.HURTING_EN, words.NAMED):
        for found in pattern.finditer(small):
            key = next(name for name, part in found.groupdict().items() if part is not None)
            key = key.removeprefix("pt_").removeprefix("en_")
            if key not in seen:
                seen.add(key)
                yield key, found.start(), found.end()


def _is_real(sentence: str, start: int, end: int) -> bool:
    """Whether the person has it: not somebody else, not supposed, and no figure of speech."""
    opening, rest = sentence[:start], sentence[end:]
    if _is_of_another(opening) or _is_owned(rest) or words.UNREAL.search(fold(opening)):
        return False
    if words.FIGURE.fullmatch(fold(sentence[start:end])) is None:
        return True
    return not (words.FIGURED_BEFORE.search(opening.lower()) or words.FIGURED_AFTER.match(fold(rest)))


def _is_of_another(opening: str) -> bool:
    """Whether the words before it make somebody else the one who has it."""
    if words.OTHERS.search(fold(opening)) or _is_somebody(opening.strip()):
        return True
    ties = (tie_of(word) for word in re.findall(r"\w+", opening))
    return any(tie is not None and tie.closeness in _NEAR for tie in ties)


def _is_somebody(opening: str) -> bool:
    found = words.SOMEBODY.match(opening)
    if found is None or found["name"] is None:
        return found is not None
    name = fold(found["name"])
    return name not in words.NO_NAMES and words.PARTS.fullmatch(name) is None


def _is_sleeper(opening: str, told: str) -> bool:
    """Whether somebody else slept so: "(Tom) slept badly", and "dormiu" by its form."""
    if re.match(r"dorm(?:iu|e|em|iram)\b", told):
        return not fold(opening).endswith("a gente")
    is_name = opening.istitle() and opening.isalpha() and not opening.endswith("ly")
    return told.startswith("sle") and is_name and fold(opening) not in words.NO_NAMES


def _is_owned(rest: str) -> bool:
    """Whether the words after it say that it is somebody else's: "(a febre) da minha mãe", "do Tom"."""
    found = words.OF_SOMEBODY.match(rest)
    if found is None or found["whose"] is None:
        return found is not None
    tie = tie_of(found["whose"])
    is_name = found["whose"].istitle() and fold(found["whose"]) not in words.NO_OWNERS
    return is_name or (tie is not None and tie.closeness in (*_NEAR, Closeness.WORK))


def _mention(message: Message, sentence: str, *, is_over: bool = False) -> Mention:
    said_on = day_of(message.sent_at, message.zone).date()
    return Mention(
        said_on, shortened(sentence, LONGEST_QUOTE), message.id, since=since_in(sentence, said_on), is_over=is_over
    )
