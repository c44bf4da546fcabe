"""What to tell a doctor, dentist, therapist or nutritionist: gathered from what was said, each line with its day.

The words people have for their health, in both languages, are in `health.toml`.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import date, datetime, timedelta
from functools import cache
from pathlib import Path

from relembra.domain.attributes import FORMER
from relembra.domain.knowledge import SELF, KnowledgeItem, KnowledgeType, LifeArea
from relembra.domain.message import Message
from relembra.domain.text import collapsed, fold, shortened
from relembra.locale import Words
from relembra.views.people import Closeness, tie_of
from relembra.views.period_report import Feeling, Tone, tone_of
from relembra.views.phrases import bare, capped, full_day, item_line, quoted, short_weekday
from relembra.views.timeline import day_of, is_claim, said

LONGEST_QUOTE = 200
MEASURED = ("weight", "height", "blood_type")
_LOOKED_AT = 20_000  # characters of a message that may be a megabyte long
_NEAR = (Closeness.FAMILY, Closeness.PARTNER, Closeness.FRIENDS, Closeness.PETS)
_PLANNED = ("meeting", "event", "appointment")
_MOST_VALUES = 6  # of one measure
_ALLERGIES = ("allergy", "intolerance")
_SLEEP = ("bedtime", "wake_time")
_KNOWN = frozenset({*MEASURED, *_ALLERGIES, *_SLEEP, "medication", "condition", "diet", "emotion"})
_FEELINGS_FIRST = ("moods", "sleep", "questions", "symptoms", "changes", "medication", "conditions")

Pattern = re.Pattern[str]


@dataclass(frozen=True, slots=True)
class Profession:
    """One kind of professional; a specialist is a doctor too."""

    key: str
    called: Mapping[str, str]  # as in "the appointment with …", by language
    is_doctor: bool = False
    feelings_first: bool = False

    def covers(self, other: Profession) -> bool:
        """Whether what is meant for the other may be meant for this one: "the doctor" is any doctor."""
        return self.key == other.key or (self.is_doctor and other.key == "doctor")


@dataclass(frozen=True, slots=True, kw_only=True)
class Lexicon:
    """The words people have for their health, in both languages; patterns are matched on folded text."""

    professions: tuple[tuple[Profession, Pattern], ...]  # the most exact first
    labels: Mapping[str, Mapping[str, str]]  # what a complaint is called, by language
    complaints: tuple[Pattern, ...]  # whose groups are named after complaints
    body_parts: Pattern
    measures: Mapping[str, Pattern]
    patterns: Mapping[str, Pattern]
    stems: tuple[str, ...]
    no_names: frozenset[str]  # words that open a sentence with a capital and are nobody
    no_owners: frozenset[str]
    numbers: Mapping[str, int]
    units: Mapping[str, int]  # in days
    back: Mapping[str, int]  # days before today
    weekdays: Mapping[str, int]


@cache
def lexicon() -> Lexicon:
    """Read on first use: the file holds a few dozen long patterns."""
    data = tomllib.loads(Path(__file__).with_name("health.toml").read_text(encoding="utf-8"))
    parts, complaints = data["parts"], data["complaints"]
    numbers = {word: count for count, words in enumerate(data["numbers"], start=1) for word in words.split()}
    stands_for = {
        "PARTS_PT": "|".join(f"(?P<pt_{key}>{words})" for key, (_, _, words, _) in parts.items()),
        "PARTS_EN": "|".join(f"(?P<en_{key}>{words})" for key, (_, _, _, words) in parts.items()),
        "NUMBERS": "|".join(sorted(numbers, key=len, reverse=True)),
        "DAYS": "|".join([*data["back"], *data["weekdays"]]),
    }
    patterns = {}
    for name, pieces in data["patterns"].items():
        pattern = "".join(pieces)
        for word, meant in stands_for.items():
            pattern = pattern.replace(word, meant)
        patterns[name] = re.compile(pattern)
    named = "|".join(rf"(?P<{key}>\b(?:{words})\b)" for key, (_, _, words) in complaints.items())
    return Lexicon(
        professions=tuple(
            (
                Profession(key, {"pt": pt, "en": en}, "doctor" in marks, "feelings" in marks),
                re.compile(rf"\b(?:{words})(?!\w)"),
            )
            for key, (pt, en, words, *marks) in data["professions"].items()
        ),
        labels={key: {"pt": pt, "en": en} for key, (pt, en, *_) in (*parts.items(), *complaints.items())},
        complaints=(
            *(patterns[name] for name in ("pain_pt", "hurting_pt", "pain_en", "hurting_en")),
            re.compile(named),
        ),
        body_parts=re.compile(rf"(?:{'|'.join(f'{pt}|{en}' for _, _, pt, en in parts.values())})"),
        measures={name: re.compile(pattern) for name, pattern in data["measures"].items()},
        patterns=patterns,
        stems=tuple(data["stems"]),
        no_names=frozenset(data["no_names"].split()),
        no_owners=frozenset(data["no_owners"].split()),
        numbers=numbers,
        units=data["units"],
        back=data["back"],
        weekdays=data["weekdays"],
    )


def _pattern(name: str) -> Pattern:
    return lexicon().patterns[name]


def doctor() -> Profession:
    """Any doctor."""
    return lexicon().professions[-1][0]


def profession_named(text: str) -> Profession | None:
    """The professional some words name, the most exact one; None where they name none."""
    small = fold(text)
    return next((profession for profession, pattern in lexicon().professions if pattern.search(small)), None)


def profession_of(item: KnowledgeItem) -> Profession | None:
    """Whom an appointment of the owner is with; None for anything that is no appointment about their health."""
    if item.attribute not in _PLANNED or item.subject != SELF or is_claim(item):
        return None
    small = fold(said(item))
    if _pattern("pleasure").search(small):
        return None
    return profession_named(small) or (doctor() if _pattern("consultation").search(small) else None)


def is_appointment(item: KnowledgeItem, profession: Profession | None = None) -> bool:
    """Whether it is an appointment about the owner's health, with that kind of professional where one is named."""
    found = None if (item.attribute or "").startswith(FORMER) else profession_of(item)
    return found is not None and (profession is None or profession.covers(found) or found.covers(profession))


def visited(text: str, said_on: date, profession: Profession) -> date | None:
    """The day somebody says they were there, where a message tells of that day or the one before."""
    for sentence in re.findall(r"[^.!?;\n]*[.!?;\n]?", fold(text)):
        went = _pattern("went").search(sentence)
        named = profession_named(sentence[went.end() :]) if went else None
        if named is not None and (profession.covers(named) or named.covers(profession)):
            yesterday = re.search(r"\b(?:ontem|yesterday)\b", sentence)
            return date.fromordinal(said_on.toordinal() - 1) if yesterday else said_on
    return None


# ── what was said in passing ──────────────────────────────────────────────────────────────────────────────────────


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
        return lexicon().labels[self.key][language]

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
            if last and _pattern("over_now").fullmatch(small):
                _end(found, last, _mention(message, sentence).day)
            last = []
            if small.endswith("?") or not any(stem in small for stem in lexicon().stems):
                continue
            for key, start, end in _keys(small):
                is_over = _pattern("over").search(small) is not None
                if not _is_real(sentence, start, end) or (_pattern("not").search(small[:start]) and not is_over):
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
        if (found := _pattern("sleep").search(small := fold(sentence)))
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
            for kind, pattern in lexicon().measures.items():
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
            asks = _pattern("ask").search(small)
            if asks is None or not (_pattern("wish").search(small[: asks.start()]) or asks.start() == 0):
                continue
            named = profession_named(" ".join(small[asks.end() :].split()[:4]))
            if named is not None and profession.covers(named):
                found.setdefault(small.strip(), _mention(message, sentence))
    return list(found.values())


def since_in(text: str, said_on: date) -> date | None:
    """The day something began by its words ("há três dias", "since Monday"); None where they do not tell."""
    small = fold(text)
    if found := _pattern("for").search(small):
        number = found["number"]
        count = int(number) if number.isdigit() else lexicon().numbers[number]
        return said_on - timedelta(days=min(count * lexicon().units[found["unit"]], 36_500))
    if found := _pattern("since").search(small):
        name = found["day"]
        back = lexicon().back.get(name)
        if back is None:
            back = (said_on.weekday() - lexicon().weekdays[name]) % 7 or 7
        return said_on - timedelta(days=back)
    return None


def _ordered(messages: Iterable[Message]) -> list[Message]:
    return sorted(messages, key=lambda message: (message.sent_at, message.id))


def _sentences(text: str) -> Iterator[str]:
    for found in _pattern("sentence").finditer(collapsed(text[:_LOOKED_AT])):
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
    for pattern in lexicon().complaints:
        for found in pattern.finditer(small):
            key = next(name for name, part in found.groupdict().items() if part is not None)
            key = key.removeprefix("pt_").removeprefix("en_")
            if key not in seen:
                seen.add(key)
                yield key, found.start(), found.end()


def _is_real(sentence: str, start: int, end: int) -> bool:
    """Whether the person has it: not somebody else, not supposed, and no figure of speech."""
    opening, rest = sentence[:start], sentence[end:]
    if _is_of_another(opening) or _is_owned(rest) or _pattern("unreal").search(fold(opening)):
        return False
    if _pattern("figure").fullmatch(fold(sentence[start:end])) is None:
        return True
    return not (_pattern("figured_before").search(opening.lower()) or _pattern("figured_after").match(fold(rest)))


def _is_of_another(opening: str) -> bool:
    """Whether the words before it make somebody else the one who has it."""
    if _pattern("others").search(fold(opening)) or _is_somebody(opening.strip()):
        return True
    ties = (tie_of(word) for word in re.findall(r"\w+", opening))
    return any(tie is not None and tie.closeness in _NEAR for tie in ties)


def _is_somebody(opening: str) -> bool:
    found = _pattern("somebody").match(opening)
    if found is None or found["name"] is None:
        return found is not None
    name = fold(found["name"])
    return name not in lexicon().no_names and lexicon().body_parts.fullmatch(name) is None


def _is_sleeper(opening: str, told: str) -> bool:
    """Whether somebody else slept so: "(Tom) slept badly", and "dormiu" by its form."""
    if re.match(r"dorm(?:iu|e|em|iram)\b", told):
        return not fold(opening).endswith("a gente")
    is_name = opening.istitle() and opening.isalpha() and not opening.endswith("ly")
    return told.startswith("sle") and is_name and fold(opening) not in lexicon().no_names


def _is_owned(rest: str) -> bool:
    """Whether the words after it say that it is somebody else's: "(a febre) da minha mãe", "do Tom"."""
    found = _pattern("of_somebody").match(rest)
    if found is None or found["whose"] is None:
        return found is not None
    tie = tie_of(found["whose"])
    is_name = found["whose"].istitle() and fold(found["whose"]) not in lexicon().no_owners
    return is_name or (tie is not None and tie.closeness in (*_NEAR, Closeness.WORK))


def _mention(message: Message, sentence: str, *, is_over: bool = False) -> Mention:
    said_on = day_of(message.sent_at, message.zone).date()
    return Mention(
        said_on, shortened(sentence, LONGEST_QUOTE), message.id, since=since_in(sentence, said_on), is_over=is_over
    )


# ── the note ──────────────────────────────────────────────────────────────────────────────────────────────────────


@dataclass(frozen=True, slots=True, kw_only=True)
class Visit:
    """What an appointment note is made of. Items: the owner's about health, ended ones too; nothing deleted."""

    profession: Profession
    language: str
    zone: str
    now: datetime
    called: str | None = None  # the professional in the person's own words, where no profession of ours fits
    at: datetime | None = None  # when the appointment is
    is_whole_day: bool = True  # the hour is not known
    item: KnowledgeItem | None = None  # what was said of it
    last: date | None = None  # the one before
    since: datetime  # what is read reaches back to here
    items: tuple[KnowledgeItem, ...] = ()
    feelings: tuple[Feeling, ...] = ()
    heard: Heard = field(default_factory=Heard)  # in what they said since then

    def day(self, moment: datetime) -> date:
        return day_of(moment, self.zone).date()

    @property
    def told(self) -> tuple[KnowledgeItem, ...]:
        """All items the note may quote, each once."""
        further = [feeling.item for feeling in self.feelings] + ([] if self.item is None else [self.item])
        return tuple({item.id: item for item in (*self.items, *further)}.values())

    @property
    def sources(self) -> tuple[str, ...]:
        """The messages it quotes, and those behind what is known, so that forgetting them finds the note."""
        return tuple(dict.fromkeys([*self.quotes, *(id for item in self.told for id in item.message_ids)]))

    @property
    def quotes(self) -> tuple[str, ...]:
        """The messages whose words it may give."""
        return tuple(dict.fromkeys(mention.of for mention in self.heard.mentions))


def appointment_title(visit: Visit) -> str:
    words = Words(visit.language, "appointment")
    name = visit.profession.called[visit.language] if visit.called is None else bare(visit.called)
    if visit.at is None:
        return words("title", name=name)
    return words("title_on", name=name, day=full_day(visit.day(visit.at), visit.language))


def appointment(visit: Visit, *, lines: int) -> str:
    """The note in Markdown; `lines`: the most each part shows."""
    words = Words(visit.language, "appointment")
    mine = [item for item in visit.items if item.subject == SELF and not is_claim(item)]
    parts = {
        "symptoms": _symptoms(visit),
        "questions": [_said(mention, visit) for mention in visit.heard.questions],
        "medication": _medication(mine, visit),
        "allergies": _held(mine, _ALLERGIES, visit),
        "conditions": _held(mine, ("condition",), visit),
        "changes": _changes(mine, visit),
        "measures": _measures(mine, visit),
        "diet": _held(mine, ("diet",), visit),
        "sleep": [
            *_held(mine, _SLEEP, visit),
            *(_said(mention, visit) for mention in visit.heard.sleep[-_MOST_VALUES:]),
        ],
        "moods": _moods(visit),
        "other": _others(mine, visit),
    }
    since = full_day(visit.last or visit.day(visit.since), visit.language)
    blocks = [f"*{words('made_of', day=full_day(visit.day(visit.now), visit.language))}*", _about(visit)]
    first = _FEELINGS_FIRST if visit.profession.feelings_first else ()
    blocks += [
        f"## {words(name, day=since)}\n\n" + "\n".join(capped(parts[name], lines, visit.language))
        for name in dict.fromkeys((*first, *parts))
        if parts[name]
    ]
    if not any(parts.values()):
        blocks.append(words("nothing"))
    return "\n\n".join(blocks) + "\n"


def _about(visit: Visit) -> str:
    """When it is, what was said of it, and when the last one was."""
    words, rows = Words(visit.language, "appointment"), []
    if visit.at is not None:
        here = day_of(visit.at, visit.zone)
        when = f"{short_weekday(here, visit.language)}, {full_day(here.date(), visit.language)}"
        rows.append(f"- {words('when', when=when if visit.is_whole_day else f'{when}, {here:%H:%M}')}")
    if visit.item is not None:
        rows.append(_line(visit.item, visit))
    reaches = full_day(visit.last or visit.day(visit.since), visit.language)
    rows.append(f"- {words('last' if visit.last else 'no_last', day=reaches)}")
    return f"## {words('appointment')}\n\n" + "\n".join(rows)


def _symptoms(visit: Visit) -> list[str]:
    """Each complaint in its fullest words, since when, how often it was told, and whether it is over."""
    words, rows = Words(visit.language, "appointment"), []
    for one in visit.heard.symptoms:
        last = one.mentions[-1]
        day = full_day(last.day, visit.language)
        shown = max(one.mentions, key=lambda mention: (not mention.is_over, len(mention.text), mention.day))
        marks = [words("since", day=full_day(one.since, visit.language))] if one.since != shown.day else []
        if len(one.mentions) > 1:
            marks.append(words("told", count=len(one.mentions), day=day))
        if last.is_over:
            marks.append(words("over", day=day))
        rest = f" ({'; '.join(marks)})" if marks else ""
        rows.append(f"- **{one.called(visit.language)}**: {_said(shown, visit)[2:]}{rest}")
    return rows


def _medication(mine: Sequence[KnowledgeItem], visit: Visit) -> list[str]:
    """What is taken with its dose, each with the doses before it; then what was stopped since the last time."""
    words, rows = Words(visit.language, "appointment"), []
    for item in _current(mine, ("medication",), visit):
        before = [old for old in mine if old.superseded_by == item.id and old.attribute == "medication"]
        doses = [f"{quoted(said(old))} [{_day(old, visit)}]" for old in sorted(before, key=_age)]
        rows.append(" → ".join([*doses, _line(item, visit)[2:]]))
    rows = [f"- {row}" for row in rows]
    ended = [item for item in mine if item.attribute == f"{FORMER}medication" and item.created_at >= visit.since]
    rows += [f"- {words('stopped', text=_line(item, visit)[2:])}" for item in sorted(ended, key=_age)]
    return rows


def _changes(mine: Sequence[KnowledgeItem], visit: Visit) -> list[str]:
    """What took the place of something else since the last time, and what is new; measures are told apart."""
    words = Words(visit.language, "appointment")
    by_id = {item.id: item for item in mine}
    rows: list[tuple[datetime, str]] = []
    replacing: set[str] = set()
    for old in mine:
        new = by_id.get(old.superseded_by or "")
        if old.attribute in MEASURED:
            continue
        if new is not None and old.superseded_at is not None and old.superseded_at >= visit.since:
            replacing.add(new.id)
            when = full_day(visit.day(old.superseded_at), visit.language)
            rows.append((old.superseded_at, f"- {quoted(old.content)} → {quoted(new.content)} [{when}]"))
    shown = ("medication", "condition", *_ALLERGIES, "diet")
    rows += [
        (item.created_at, f"- {words('new', text=_line(item, visit)[2:])}")
        for item in _current(mine, shown, visit)
        if item.created_at >= visit.since and item.id not in replacing and visit.last is not None
    ]
    return [row for _, row in sorted(rows)]


def _measures(mine: Sequence[KnowledgeItem], visit: Visit) -> list[str]:
    """Each measure over time, as known or as told in passing."""
    words, rows = Words(visit.language, "appointment"), []
    for name in MEASURED:
        known = sorted((item for item in mine if item.attribute == name), key=lambda item: (item.held_from, item.id))
        if known:
            days = [full_day(day_of(item.held_from, item.zone).date(), visit.language) for item in known]
            shown = list(zip(known, days, strict=True))[-_MOST_VALUES:]
            course = [f"{quoted(said(item))} [{when}]" for item, when in shown]
            rows.append(f"- {words(name)}: {' → '.join(course)}")
    for name, mentions in visit.heard.measures.items():
        told = [_said(mention, visit)[2:] for mention in mentions[-_MOST_VALUES:]]
        rows.append(f"- {words(f'measure.{name}')}: {'; '.join(told)}")
    return rows


def _moods(visit: Visit) -> list[str]:
    """On how many days hard and glad feelings were told, then the feelings themselves, the newest first."""
    words = Words(visit.language, "appointment")
    counts = []
    for name, tone in (("hard", Tone.HARD), ("glad", Tone.GLAD)):
        days = {feeling.day for feeling in visit.feelings if tone_of(feeling.item) is tone}
        if days:
            counts.append(words(name if len(days) > 1 else f"{name}_one", count=len(days)))
    newest: dict[str, date] = {}
    for feeling in visit.feelings:
        text = said(feeling.item)
        newest[text] = max(feeling.day, newest.get(text, feeling.day))
    ordered = sorted(newest.items(), key=lambda pair: (-pair[1].toordinal(), pair[0]))
    rows = [f"- {quoted(text)} [{full_day(day, visit.language)}]" for text, day in ordered]
    return [f"- {'; '.join(counts)}", *rows] if counts else rows


def _others(mine: Sequence[KnowledgeItem], visit: Visit) -> list[str]:
    """What was learnt about health since the last time that no other part tells; complaints are told as symptoms."""
    told = {mention.of for mention in visit.heard.mentions}
    rest = [
        item
        for item in mine
        if item.area in (LifeArea.HEALTH, LifeArea.MENTAL_HEALTH)
        and item.type not in (KnowledgeType.EMOTION, KnowledgeType.INSIGHT)
        and (item.attribute or "").removeprefix(FORMER) not in _KNOWN
        and item.created_at >= visit.since
        and item.superseded_at is None
        and not (item.attribute is None and told & set(item.message_ids))
    ]
    return [_line(item, visit) for item in sorted(rest, key=_age)]


def _held(mine: Sequence[KnowledgeItem], attributes: Sequence[str], visit: Visit) -> list[str]:
    return [_line(item, visit) for item in _current(mine, attributes, visit)]


def _current(mine: Sequence[KnowledgeItem], attributes: Sequence[str], visit: Visit) -> list[KnowledgeItem]:
    return sorted((item for item in mine if item.attribute in attributes and item.is_current(visit.now)), key=_age)


def _age(item: KnowledgeItem) -> tuple[datetime, str]:
    return (item.created_at, item.id)


def _line(item: KnowledgeItem, visit: Visit) -> str:
    return item_line(item, _day(item, visit), visit.language)


def _day(item: KnowledgeItem, visit: Visit) -> str:
    return full_day(visit.day(min(item.held_from, item.created_at)), visit.language)


def _said(mention: Mention, visit: Visit) -> str:
    return f"- {quoted(mention.text)} [{full_day(mention.day, visit.language)}]"
