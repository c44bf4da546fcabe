"""Introductions in note form: "34, software tester, two cats (Pixel and Dorito), based in Leeds"."""

from __future__ import annotations

from collections.abc import Iterator

from relembra.minds.offline.reader import patterns as re
from relembra.minds.offline.reader.engine import Clause, Rule, Said
from relembra.minds.offline.reader.english.heads import OTHER, Head
from relembra.minds.offline.reader.english.identity import NOT_NAME
from relembra.minds.offline.reader.english.jobs import STOP_JOB, job_of
from relembra.minds.offline.reader.english.passing import place_at
from relembra.minds.offline.reader.english.saying import anywhere
from relembra.minds.offline.reader.english.words import MANY, NUMBER, PETS, clean, name_at, one_tie

__all__ = ["RULES"]

_AGE = re.compile(
    r"(?:i'?m |aged? )?(?:[fm]\s?)?(?P<n>[1-9]\d)\s?(?:[fm]\b|yo|y/o|years old)?(?:"
    r" year old)?(?P<more> [a-z].*)?$"
)
_HOME = re.compile(
    r"(?:from|based in|living in|live in|in|near|out of|currently in|now in|based near|out past|just outside|outside|up in"
    r"|down in|over in|out in)\s(?P<v>[\w"
    r"' .-]{2,40})$"
)
_STATUS = re.compile(
    r"(?:happily |recently |newly )?(?P<v>married|single|divorced|widowed|engaged)(?:"
    r" to .*| with .*)?$"
)
_DIET = re.compile(r"(?:lifelong |strict )?(?P<v>vegan|vegetarian|pescatarian)(?: since.*)?$")
_COUNT = re.compile(
    rf"(?:and |with |have |got )?(?P<n>{NUMBER}|an?)\s(?:[\w-]+\s)?(?:(?P<kids>kids?"
    rf"|children|sons?|daughters?|boys|girls)|(?P<pets>{MANY}|{PETS}))\b"
)

_AFTER_JOB = re.compile(r"\s(?:in|from|near|based in|out past|just outside|outside|out of) (?!it\b)")


_DATED = re.compile(r"\W*\d{1,2}[/.-]\d{1,2}[/.-]\d{2,4}")


def _intro(match: re.Match[str], clause: Clause, head: Head) -> Iterator[Said]:
    if head.person == OTHER or head.negated or head.thought or clause.sentence.rstrip().endswith("?"):
        return
    if clause.message[: clause.offset].rstrip().endswith("?") and head.others:  # "Uncle Desmond? Retired driver, 80"
        return
    start = match.start("all")
    if _DATED.match(clause.flat):
        return
    segments: list[tuple[int, str]] = []
    for piece in re.finditer(r"[^,/|•·]+", clause.flat[start:]):
        text = piece[0].strip(" .!;")
        if text:
            at = start + piece.start() + (len(piece[0]) - len(piece[0].lstrip()))
            segments.append((at, text))
    if len(segments) < 2:
        return
    first = segments[0]
    opens = bool(_AGE.match(first[1])) or bool(job_of(first[1])) or name_at(clause.raw, first[0]) is not None
    if not opens:
        return
    found = [said for at, text in segments for said in _segment(at, text, clause)]
    if found and not any(said.attribute == "residence" for said in found):
        found += _bare_places(segments[1:], clause)
    if len(found) >= 1 and (_AGE.match(first[1]) or len(segments) > 1):
        yield from found


_NO_PLACE = re.compile(
    r"(?:[A-Z]{3,4}|Aries|Taurus|Gemini|Cancer|Leo|Virgo|Libra|Scorpio|Sagittarius|Capricorn|Aquarius|Pisces|Christian|Muslim"
    r"|Jewish|Catholic|Hindu|Buddhist|Thanks|Please|Help|Looking|Single|Married|He|She|They|I|It|Any|What|How|Need)\b"
)


def _bare_places(segments: list[tuple[int, str]], clause: Clause) -> list[Said]:
    """ "34F, Toronto, graphic designer": a capitalised piece that is nothing else is where they live."""
    for at, text in segments:
        raw = clause.raw[at : at + len(text)]
        if place_at(clause, at) == raw and not _NO_PLACE.match(raw) and not job_of(raw) and not NOT_NAME.match(text):
            return [Said(attribute="residence", value=raw)]
    return []


def _segment(at: int, text: str, clause: Clause) -> Iterator[Said]:
    raw = clause.raw[at : at + len(text)]
    if age := _AGE.fullmatch(text):
        more = list(_segment(at + age.start("more") + 1, age["more"][1:], clause)) if age["more"] else []
        if more or not age["more"]:  # "75 micrograms" is nobody's age
            yield Said(attribute="age", value=age["n"])
        yield from more
        return
    if home := _HOME.fullmatch(text):
        value = clean(raw[home.start("v") : home.end("v")], stop="with|and|originally", most=3)
        if value:
            yield Said(attribute="residence", value=value)
        return
    if status := _STATUS.fullmatch(text):
        yield Said(attribute="marital_status", value=status["v"])
        return
    if diet := _DIET.fullmatch(text):
        yield Said(attribute="diet", value=diet["v"])
        return
    if count := _COUNT.match(text):
        if count["kids"]:
            yield Said(attribute="children", value=f"{count['n']} {count['kids']}")
        else:
            tie = one_tie(count["pets"])
            names = re.search(re.escape(count["pets"]) + r"\s?[(:]\s?(?P<n>[^)]{2,60})", clause.sentence)
            for name in re.split(r",\s*|\s+and\s+|\s*&\s*", names["n"]) if names else []:
                if name[:1].isupper():
                    yield Said(
                        attribute="relation",
                        value=tie,
                        subject=name,
                        relation=tie,
                        person={"name": name, "relation": tie},
                    )
            if not names:
                yield Said(
                    attribute="relation",
                    value=tie,
                    subject=tie,
                    relation=tie,
                    content=f"Has {count['n']} {count['pets']}",
                )
        return
    job = job_of(raw)
    if (
        job
        and len(text.split()) <= 6
        and clean(raw, stop=STOP_JOB, most=6).lower().endswith(job.lower())
        and re.match(r"(?:an? |the |former |retired |freelance |senior |junior |lead )?[a-z]", text)
    ):
        gone = re.match(r"(?:an? )?(?:retired|former|ex)[- ]", text)
        yield Said(attribute="former_occupation" if gone else "occupation", value=job)
        if text.startswith("retired"):
            yield Said(attribute="employment", value="retired")
        where = _AFTER_JOB.search(text)
        place = place_at(clause, at + where.end()) if where else ""
        if place:
            yield Said(attribute="residence", value=place)


RULES: tuple[Rule, ...] = (
    anywhere(
        "introduction", " ".join(str(n) for n in range(14, 100)) + " i'm im i here hi hey hello",
        r"^\W*(?:(?:hi|hey|hello|hiya|about me|me|bio|intro|quick intro|context|for"
        r" context|background)[\s,:!.-]+)*(?:i'?m |i am |my name is |name's )?(?P<all>[^?\n]{2,40}?"
        r"\s?[,/|•·].{2,200})$", _intro,
    ),
)  # fmt: skip
