"""What to tell a doctor, dentist, therapist or nutritionist: gathered from what was said, each line with its day.

The words people have for their health, in both languages, are in `health.toml`.
"""

from __future__ import annotations

import re
import tomllib
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import date, datetime, timedelta
from functools import cache
from pathlib import Path
from typing import Any

from relembra.domain.knowledge import FORMER, SELF, KnowledgeItem, KnowledgeType, LifeArea
from relembra.domain.message import Message
from relembra.domain.text import collapsed, fold, shortened
from relembra.locale import Words
from relembra.views.period_report import Feeling
from relembra.views.profile import Closeness, tie_of
from relembra.views.timeline import bare, capped, day_of, full_day, is_claim, item_line, quoted, said, short_weekday

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

    words: Mapping[str, Any]  # lists, names and numbers, as they stand in the file
    labels: Mapping[str, Mapping[str, str]]  # what a complaint is called, by language
    professions: tuple[tuple[Profession, Pattern], ...]  # the most exact first
    complaints: tuple[Pattern, ...]  # whose groups are named after complaints
    measures: Mapping[str, Pattern]
    patterns: Mapping[str, Pattern]


@cache
def lexicon() -> Lexicon:
    """Read on first use: the file holds a few dozen long patterns."""
    data = tomllib.loads(Path(__file__).with_name("health.toml").read_text(encoding="utf-8"))
    parts, complaints = data["parts"], data["complaints"]
    data["numbers"] = {word: count for count, words in enumerate(data["numbers"], start=1) for word in words.split()}
    data["no_names"] = {*data["no_names"].split(), *data["no_owners"].split()}
    stands_for = {
        "PARTS_PT": "|".join(f"(?P<pt_{key}>{words})" for key, (_, _, words, _) in parts.items()),
        "PARTS_EN": "|".join(f"(?P<en_{key}>{words})" for key, (_, _, _, words) in parts.items()),
        "NUMBERS": "|".join(sorted(data["numbers"], key=len, reverse=True)),
        "DAYS": "|".join([*data["back"], *data["weekdays"]]),
    }
    patterns = {"body": re.compile("|".join(f"{pt}|{en}" for _, _, pt, en in parts.values()))}
    for name, pieces in data["patterns"].items():
        pattern = "".join(pieces)
        for word, meant in stands_for.items():
            pattern = pattern.replace(word, meant)
        patterns[name] = re.compile(pattern)
    named = "|".join(rf"(?P<{key}>\b(?:{words})\b)" for key, (_, _, words) in complaints.items())
    pains = [patterns[name] for name in ("pain_pt", "hurting_pt", "pain_en", "hurting_en")]
    return Lexicon(
        words=data,
        labels={key: {"pt": pt, "en": en} for key, (pt, en, *_) in (*parts.items(), *complaints.items())},
        professions=tuple(
            (
                Profession(key, {"pt": pt, "en": en}, "doctor" in marks, "feelings" in marks),
                re.compile(rf"\b(?:{words})(?!\w)"),
            )
            for key, (pt, en, words, *marks) in data["professions"].items()
        ),
        complaints=(*pains, re.compile(named)),
        measures={name: re.compile(pattern) for name, pattern in data["measures"].items()},
        patterns=patterns,
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


def fits(item: KnowledgeItem, profession: Profession | None = None) -> bool:
    """Whether it is an appointment about the owner's health, with that kind of professional where one is named."""
    found = profession_of(item)
    return found is not None and (profession is None or profession.covers(found) or found.covers(profession))


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
class Heard:
    """All that was found in someone's messages for one kind of professional, oldest first."""

    symptoms: Mapping[str, Sequence[Mention]] = field(default_factory=dict)  # by complaint, the most often told first
    sleep: Sequence[Mention] = ()
    measures: Mapping[str, Sequence[Mention]] = field(default_factory=dict)  # numbers of the body, by kind
    questions: Sequence[Mention] = ()  # to be asked of such a professional, each once

    @property
    def mentions(self) -> list[Mention]:
        """Everything quoted, in no particular order."""
        told = [mention for found in (self.symptoms, self.measures) for rows in found.values() for mention in rows]
        return [*told, *self.sleep, *self.questions]


def heard(messages: Iterable[Message], profession: Profession) -> Heard:
    """Read the messages once for all there is to tell, without what is only asked, denied, or what others have."""
    symptoms, measures = defaultdict[str, list[Mention]](list), defaultdict[str, list[Mention]](list)
    slept: list[Mention] = []
    questions: dict[str, Mention] = {}
    for message in sorted(messages, key=lambda message: (message.sent_at, message.id)):
        day = day_of(message.sent_at, message.zone).date()
        last: set[str] = set()  # what the sentence before complained of
        for found in _pattern("sentence").finditer(collapsed(message.text[:_LOOKED_AT])):
            sentence = found[0].strip()
            small = fold(sentence)
            mention = Mention(day, shortened(sentence, LONGEST_QUOTE), message.id)
            if _asks(small, profession):
                questions.setdefault(small, mention)
            if small.endswith("?"):
                last = set()
                continue
            if _pattern("over_now").fullmatch(small):
                for key in last:
                    symptoms[key][-1] = replace(symptoms[key][-1], is_over=True)
            is_over = _pattern("over").search(small) is not None
            last = set(_complaints(sentence, small, is_over))
            for key in last:
                symptoms[key].append(replace(mention, since=since_in(small, day), is_over=is_over))
            if _tells_of_sleep(sentence, small):
                slept.append(mention)
            for kind, pattern in lexicon().measures.items():
                told = pattern.search(small)
                if told is not None and not _is_of_another(sentence[: told.start()]):
                    ends = (told.start() + word.end() for word in re.finditer(r"\w+", told[0]))
                    if not any(_is_owned(sentence[end:]) for end in ends):
                        measures[kind].append(mention)
    often = sorted(symptoms.items(), key=lambda row: (-len(row[1]), began(row[1]), row[0]))
    return Heard(dict(often), slept, measures, list(questions.values()))


def began(mentions: Sequence[Mention]) -> date:
    """The earliest day anything said puts a complaint at."""
    return min(mention.since or mention.day for mention in mentions)


def since_in(small: str, said_on: date) -> date | None:
    """The day something began by its folded words ("há três dias", "since Monday"); None where they do not tell."""
    words = lexicon().words
    if found := _pattern("for").search(small):
        number = found["number"]
        count = int(number) if number.isdigit() else words["numbers"][number]
        return said_on - timedelta(days=min(count * words["units"][found["unit"]], 36_500))
    if found := _pattern("since").search(small):
        back = words["back"].get(found["day"])
        if back is None:
            back = (said_on.weekday() - words["weekdays"][found["day"]]) % 7 or 7
        return said_on - timedelta(days=back)
    return None


def _asks(small: str, profession: Profession) -> bool:
    """Whether the person wants to ask or tell such a professional something."""
    asks = _pattern("ask").search(small)
    if asks is None or not (_pattern("wish").search(small[: asks.start()]) or asks.start() == 0):
        return False
    named = profession_named(" ".join(small[asks.end() :].split()[:4]))
    return named is not None and profession.covers(named)


def _complaints(sentence: str, small: str, is_over: bool) -> Iterator[str]:
    """The complaints of the person's own that a sentence names."""
    if not any(stem in small for stem in lexicon().words["stems"]):
        return
    for pattern in lexicon().complaints:
        for found in pattern.finditer(small):
            key = next(name for name, part in found.groupdict().items() if part is not None)
            denied = _pattern("not").search(small[: found.start()]) is not None
            if _is_real(sentence, found.start(), found.end()) and (is_over or not denied):
                yield key.removeprefix("pt_").removeprefix("en_")


def _tells_of_sleep(sentence: str, small: str) -> bool:
    found = _pattern("sleep").search(small)
    if found is None or _is_of_another(opening := sentence[: found.start()]):
        return False
    if re.match(r"dorm(?:iu|e|em|iram)\b", found[0]):  # someone else, by its form
        return fold(opening).strip().endswith("a gente")
    name = opening.strip()
    is_name = name.istitle() and name.isalpha() and not name.endswith("ly")
    return not (found[0].startswith("sle") and is_name and fold(name) not in lexicon().words["no_names"])


def _is_real(sentence: str, start: int, end: int) -> bool:
    """Whether the person has it: not someone else, not supposed, and no figure of speech."""
    opening, rest = sentence[:start], sentence[end:]
    if _is_of_another(opening) or _is_owned(rest) or _pattern("unreal").search(fold(opening)):
        return False
    if _pattern("figure").fullmatch(fold(sentence[start:end])) is None:
        return True
    return not (_pattern("figured_before").search(opening.lower()) or _pattern("figured_after").match(fold(rest)))


def _is_of_another(opening: str) -> bool:
    """Whether the words before it make someone else the one who has it."""
    if _pattern("others").search(fold(opening)):
        return True
    if (found := _pattern("somebody").match(opening.strip())) is not None:
        name = fold(found["name"] or "")
        if name not in lexicon().words["no_names"] and _pattern("body").fullmatch(name) is None:
            return True
    ties = (tie_of(word) for word in re.findall(r"\w+", opening))
    return any(tie is not None and tie.closeness in _NEAR for tie in ties)


def _is_owned(rest: str) -> bool:
    """Whether the words after it say that it is someone else's: "(a febre) da minha mãe", "do Tom"."""
    found = _pattern("of_somebody").match(rest)
    if found is None or found["whose"] is None:
        return found is not None
    tie = tie_of(found["whose"])
    is_name = found["whose"].istitle() and fold(found["whose"]) not in lexicon().words["no_names"]
    return is_name or (tie is not None and tie.closeness in (*_NEAR, Closeness.WORK))


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
    mine = sorted(
        (item for item in visit.items if item.subject == SELF and not is_claim(item)),
        key=lambda item: (item.created_at, item.id),
    )
    held = {item.id: item for item in mine if item.is_current(visit.now)}

    def of(*attributes: str) -> list[str]:
        return [_line(item, visit) for item in held.values() if item.attribute in attributes]

    stopped = [item for item in mine if item.attribute == f"{FORMER}medication" and item.created_at >= visit.since]
    parts = {
        "appointment": _about(visit),
        "symptoms": _symptoms(visit),
        "questions": [_said(mention, visit) for mention in visit.heard.questions],
        "medication": [*of("medication"), *(words("stopped", text=_line(item, visit)) for item in stopped)],
        "allergies": of(*_ALLERGIES),
        "conditions": of("condition"),
        "changes": _changes(mine, held, visit),
        "measures": _measures(mine, visit),
        "diet": of("diet"),
        "sleep": [*of(*_SLEEP), *(_said(mention, visit) for mention in visit.heard.sleep[-_MOST_VALUES:])],
        "moods": _moods(visit),
        "other": _others(mine, visit),
    }
    since = full_day(visit.last or visit.day(visit.since), visit.language)
    first = _FEELINGS_FIRST if visit.profession.feelings_first else ()
    blocks = [f"*{words('made_of', day=full_day(visit.day(visit.now), visit.language))}*"]
    blocks += [
        f"## {words(name, day=since)}\n\n" + "\n".join(capped(parts[name], lines, visit.language))
        for name in dict.fromkeys(("appointment", *first, *parts))
        if parts[name]
    ]
    if len(blocks) == 2:
        blocks.append(words("nothing"))
    return "\n\n".join(blocks) + "\n"


def _about(visit: Visit) -> list[str]:
    """When it is, what was said of it, and when the last one was."""
    words, rows = Words(visit.language, "appointment"), []
    if visit.at is not None:
        here = day_of(visit.at, visit.zone)
        when = f"{short_weekday(here, visit.language)}, {full_day(here.date(), visit.language)}"
        rows.append(words("when", when=when if visit.is_whole_day else f"{when}, {here:%H:%M}"))
    if visit.item is not None:
        rows.append(_line(visit.item, visit))
    reaches = full_day(visit.last or visit.day(visit.since), visit.language)
    return [*rows, words("last" if visit.last else "no_last", day=reaches)]


def _symptoms(visit: Visit) -> list[str]:
    """Each complaint in its fullest words, since when, how often it was told, and whether it is over."""
    words, rows = Words(visit.language, "appointment"), []
    for key, mentions in visit.heard.symptoms.items():
        day = full_day(mentions[-1].day, visit.language)
        shown = max(mentions, key=lambda mention: (not mention.is_over, len(mention.text), mention.day))
        since = began(mentions)
        marks = [words("since", day=full_day(since, visit.language))] if since != shown.day else []
        if len(mentions) > 1:
            marks.append(words("told", count=len(mentions), day=day))
        if mentions[-1].is_over:
            marks.append(words("over", day=day))
        rest = f" ({'; '.join(marks)})" if marks else ""
        rows.append(f"**{lexicon().labels[key][visit.language]}**: {_said(shown, visit)}{rest}")
    return rows


def _changes(mine: Sequence[KnowledgeItem], held: Mapping[str, KnowledgeItem], visit: Visit) -> list[str]:
    """What took the place of something else since the last time, and what is new; measures are told apart."""
    words = Words(visit.language, "appointment")
    by_id = {item.id: item for item in mine}
    rows: list[tuple[datetime, str]] = []
    replacing: set[str] = set()
    for old in mine:
        new = by_id.get(old.superseded_by or "")
        if new is None or old.attribute in MEASURED or old.superseded_at is None or old.superseded_at < visit.since:
            continue
        replacing.add(new.id)
        when = full_day(visit.day(old.superseded_at), visit.language)
        rows.append((old.superseded_at, f"{quoted(old.content)} → {quoted(new.content)} [{when}]"))
    shown = ("medication", "condition", *_ALLERGIES, "diet")
    rows += [
        (item.created_at, words("new", text=_line(item, visit)))
        for item in held.values()
        if item.attribute in shown and item.created_at >= visit.since and item.id not in replacing and visit.last
    ]
    return [row for _, row in sorted(rows)]


def _measures(mine: Sequence[KnowledgeItem], visit: Visit) -> list[str]:
    """Each measure over time, as known or as told in passing."""
    words, rows = Words(visit.language, "appointment"), []
    for name in MEASURED:
        known = sorted((item for item in mine if item.attribute == name), key=lambda item: (item.held_from, item.id))
        course = [
            f"{quoted(said(item))} [{full_day(day_of(item.held_from, item.zone).date(), visit.language)}]"
            for item in known[-_MOST_VALUES:]
        ]
        if course:
            rows.append(f"{words(name)}: {' → '.join(course)}")
    for name, mentions in visit.heard.measures.items():
        told = [_said(mention, visit) for mention in mentions[-_MOST_VALUES:]]
        rows.append(f"{words(f'measure.{name}')}: {'; '.join(told)}")
    return rows


def _moods(visit: Visit) -> list[str]:
    """The feelings, the newest first."""
    newest: dict[str, date] = {}
    for feeling in visit.feelings:
        text = said(feeling.item)
        newest[text] = max(feeling.day, newest.get(text, feeling.day))
    ordered = sorted(newest.items(), key=lambda pair: (-pair[1].toordinal(), pair[0]))
    return [f"{quoted(text)} [{full_day(day, visit.language)}]" for text, day in ordered]


def _others(mine: Sequence[KnowledgeItem], visit: Visit) -> list[str]:
    """What was learnt about health since the last time that no other part tells; complaints are told as symptoms."""
    told = {mention.of for mention in visit.heard.mentions}
    return [
        _line(item, visit)
        for item in mine
        if item.area in (LifeArea.HEALTH, LifeArea.MENTAL_HEALTH)
        and item.type not in (KnowledgeType.EMOTION, KnowledgeType.INSIGHT)
        and (item.attribute or "").removeprefix(FORMER) not in _KNOWN
        and item.created_at >= visit.since
        and item.superseded_at is None
        and not (item.attribute is None and told & set(item.message_ids))
    ]


def _line(item: KnowledgeItem, visit: Visit) -> str:
    return item_line(item, full_day(visit.day(min(item.held_from, item.created_at)), visit.language), visit.language)


def _said(mention: Mention, visit: Visit) -> str:
    return f"{quoted(mention.text)} [{full_day(mention.day, visit.language)}]"
