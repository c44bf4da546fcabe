"""Who somebody is and where they live: name, pronouns, age, birthday, origin, home."""

from __future__ import annotations

from collections.abc import Iterator

from relembra.minds.offline.reader import patterns as re
from relembra.minds.offline.reader.engine import Clause, Rule, Said
from relembra.minds.offline.reader.english.heads import ELIDED, OTHER, Head
from relembra.minds.offline.reader.english.saying import predicate, said, states, told
from relembra.minds.offline.reader.english.words import clean

__all__ = ["BIRTH_DATE", "NATIONS", "NOT_NAME", "RULES"]


NOT_NAME = re.compile(
    r"(?:(?:half|part|very|so|totally) )?(?:american|british|english|scottish|welsh"
    r"|irish|canadian|australian|\w+(?:ese|ian|ish|can|nch|tch|man)\b|swiss|greek|dutch"
    r"|thai|czech|iraqi|israeli|pakistani|filipino|filipina|kiwi"
    r"|catholic|christian|muslim|jewish|hindu|buddhist|sikh|atheist|quaker|mormon|vegan"
    r"|vegetarian|celiac|coeliac|diabetic|autistic|dyslexic|bipolar|adhd|ocd|sick|single"
    r"|married|english|o |ab |gen |here|batman|santa|god)"
)


_YEARS = (
    r"(?P<n>\d{1,3}|(?:twenty|thirty|forty|fifty|sixty|seventy|eighty|ninety)(?:[-"
    r" ](?:one|two|three|four|five|six|seven|eight|nine))?|eighteen|nineteen|thirteen"
    r"|fourteen|fifteen|sixteen|seventeen|ten|eleven|twelve|one|two|three|four|five"
    r"|six|seven|eight|nine)"
)
_NOT_AGE = re.compile(
    r"\s*(?:-\d|for \d|grand|thousand|hundred|bucks|dollars|quid|euros|million|lakhs?|reps|hp|mg|%|percent|minutes?|mins?|hours?|hrs?|days?|miles?|km|kg|lbs?|pounds?|cm"
    r"|feet|ft|foot|inch\w*|'|\"|weeks?|months?|am\b|pm\b|o'clock|degrees|/|:|\.\d"
    r"|,\d|k\b|"
    r"people|of (?!age)|in (?:line|the queue|total)|and a half feet|st\b|nd\b|rd\b"
    r"|th\b|stone|steps|pages|chapters|points?|years? (?!old|young|of age)|yrs? (?!old)"
    r"|out of|episodes?|songs?)"
)


_NOT_YET = re.compile(
    r"\s*(?:next\b|tomorrow|soon\b|on (?:\w+day|the \d)|in (?:january|february|march|april|may|june|july|august|september|october"
    r"|november|december|two|three|a (?:few|couple)|\d+ (?:days|weeks|months)))"
)
_JUST_WAS = re.compile(
    r"\s(?:in (?:january|february|march|april|may|june|july|august|september|october|november|december)(?! \d)|last (?:week|month"
    r"|\w+day)|yesterday|on (?:\w+day|the \d))"
)


def _age(match: re.Match[str], clause: Clause, head: Head) -> Iterator[Said]:
    if head.negated or head.thought or head.used:
        return
    number = match["n"]
    if head.past and not match[0].startswith("turn"):
        if _JUST_WAS.match(clause.flat, match.end()) and not re.match(r"\W*when\b", clause.flat):
            yield said("age", number, head, changed=True)  # "I was 70 in April"
        return
    unit = match.groupdict().get("u") or ""
    if not unit and _NOT_AGE.match(clause.flat, match.end("n")):
        return
    if not head.past and _NOT_YET.match(clause.flat, match.end()):  # "I'm 30 in May" is said at 29
        return
    if unit in ("years", "year", "months", "weeks", "month", "yrs") and not re.search(
        r"(?:old|young|of age)$", match[0]
    ):
        return
    if head.future or (number.isdigit() and int(number) > 110):
        return
    if not unit and head.person == OTHER and re.fullmatch(r"one", number):
        return
    if not unit and number in ("one", "two", "ten", "eleven") and head.person != OTHER:
        return
    if unit.startswith(("m", "w")):
        yield said("age", f"{number} {'months' if unit.startswith('m') else 'weeks'}", head)
        return
    yield said("age", number, head, changed=head.changed or match[0].startswith("turn"))


def _turned(match: re.Match[str], clause: Clause, head: Head) -> Iterator[Said]:
    """ "I turned 40" is an age; "I turn 40 in May" is not one yet."""
    if head.negated or head.thought or not match[0].startswith(("turned", "hit", "celebrated")):
        return
    if re.match(r"\s*(?:%|percent|degrees|the|down|up|in(?:to)? \d{4})", clause.flat[match.end() :]) or _NOT_AGE.match(
        clause.flat, match.end("n")
    ):
        return
    round_ = re.fullmatch(r"[2-9]0|thirty|forty|fifty|sixty|seventy|eighty", match["n"])
    if match[0].startswith(("hit", "celebrated")) and not re.match(
        r"\s*(?:years old|today|last|this|in\b" + (r"|and\b|but\b|,|$)" if round_ else ")"), clause.flat[match.end() :]
    ):
        return
    if re.search(r"\bwhen\b", clause.flat[: match.start()]):
        return
    yield said("age", match["n"], head, changed=True)
    day = re.match(r"\s*(?:years old )?(today|yesterday)\b", clause.flat[match.end() :])
    if day and clause.dates:
        yield said("birthday", f"{clause.dates[0].begins:%B} {clause.dates[0].begins.day}", head)


def _turns(match: re.Match[str], clause: Clause, head: Head) -> Iterator[Said]:
    """ "She turns 35 on May 22"."""
    if head.negated or head.thought:
        return
    date = BIRTH_DATE.search(clause.flat, match.end())
    if date is None and clause.dates and clause.dates[0].precision.value == "day":
        yield said("birthday", f"{clause.dates[0].begins:%B} {clause.dates[0].begins.day}", head)
    if date:
        yield said("birthday", re.sub(r"^(?:on|in|the) ", "", clause.raw[slice(*date.span("d"))]), head)


_AGE_HEADS = "|".join(
    [
        *(str(n) for n in range(1, 111)),
        "ten",
        "eleven",
        "twelve",
        "one",
        "two",
        "three",
        "four",
        "five",
        "six",
        "seven",
        "eight",
        "nine",
        "thirteen",
        "fourteen",
        "fifteen",
        "sixteen",
        "seventeen",
        "eighteen",
        "nineteen",
        "twenty",
        "thirty",
        "forty",
        "fifty",
        "sixty",
        "seventy",
        "eighty",
        "ninety",
        *(
            f"{a}-{b}"
            for a in ("twenty", "thirty", "forty", "fifty", "sixty", "seventy", "eighty", "ninety")
            for b in ("one", "two", "three", "four", "five", "six", "seven", "eight", "nine")
        ),
    ]
)


def _any(head: Head) -> bool:
    return not (head.negated or head.thought or head.ended or head.used)


BIRTH_DATE = re.compile(
    r"(?:(?:on )?(?:the )?(?P<d>(?:january|february|march|april|may|june|july|august"
    r"|september|october|november|december|jan|feb|mar|apr|jun|jul|aug|sept?|oct|nov"
    r"|dec)\.?"
    r"(?: the)? \d{1,2}(?:st|nd|rd|th)?(?:,? ?\d{4})?|(?:the )?\d{1,2}(?:st|nd|rd|th)?(?:"
    r" of)? (?:january|february|march|april|may|june|july|august|september|october"
    r"|november|december"
    r"|jan|feb|mar|apr|jun|jul|aug|sept?|oct|nov|dec)\b(?:,? \d{4})?|\d{1,2}[/.-]\d{1,2}(?:[/.-]\d"
    r"{2,4})?|\d{4}-\d\d-\d\d"
    r"|(?:christmas|halloween|new year's|valentine's|leap|boxing|canada|st\.? patrick's"
    r"|independence)(?: day| eve)*|(?:in )?(?:january|february|march|april|may|june"
    r"|july|august|september|october|november|december)\b))"
)
_YEAR_ONLY = re.compile(r"in (?:the year )?(?P<y>(?:19|20)\d\d|'\d\d)\b|(?P<y2>(?:19|20)\d\d)\b")


def _birthday(match: re.Match[str], clause: Clause, head: Head) -> Iterator[Said]:
    if head.negated or head.thought:
        return
    date = BIRTH_DATE.search(clause.flat, match.end())
    if date is None or date.start() - match.end() > 30:
        year = _YEAR_ONLY.search(clause.flat, match.start()) if "born" in match[0] else None
        if year:
            yield said("birthday", year["y"] or year["y2"], head)
            return
        begins, _ = (clause.dates[0].begins, None) if clause.dates and "birthday" in match[0] else (None, None)
        if begins is not None and re.match(
            r"(?:is|'s|was)?\s*(?:today|tomorrow|yesterday|next|this|on|coming|in)", clause.flat[match.end() :].strip()
        ):
            yield said("birthday", f"{begins:%B} {begins.day}", head)
        return
    yield said("birthday", re.sub(r"^(?:on|in|the) ", "", clause.raw[slice(*date.span("d"))]), head)


NATIONS = (
    "american|british|english|scottish|welsh|irish|canadian|australian|brazilian|portuguese"
    "|spanish|french|german|italian|dutch|belgian|swiss|austrian|polish|czech|slovak"
    "|hungarian|romanian"
    "|bulgarian|greek|turkish|russian|ukrainian|swedish|norwegian|danish|finnish|icelandic"
    "|estonian|latvian|lithuanian|indian|pakistani|bangladeshi|nepali|nepalese|sri"
    " lankan|chinese|japanese|korean"
    "|south korean|vietnamese|thai|filipino|filipina|indonesian|malaysian|singaporean"
    "|mexican|colombian|argentinian|argentine|chilean|peruvian|venezuelan|ecuadorian"
    "|bolivian|uruguayan|paraguayan|cuban"
    "|dominican|jamaican|haitian|puerto rican|guatemalan|honduran|salvadoran|costa"
    " rican|panamanian|nigerian|ghanaian|kenyan|ethiopian|south african|ugandan|tanzanian"
    "|zimbabwean|egyptian|moroccan"
    "|algerian|tunisian|lebanese|syrian|jordanian|palestinian|israeli|iraqi|iranian"
    "|persian|saudi|emirati|afghan|kazakh|georgian|armenian|serbian|croatian|slovenian"
    "|bosnian|albanian|macedonian"
    "|maltese|cypriot|kiwi|finn|brit|dane|swede|pole|turk|spaniard|scot|dutchman|dutchwoman"
    "|frenchman|frenchwoman|englishman|irishman|irishwoman|welshman|scotsman|serb"
    "|croat|czech|slovene|aussie|new zealander|aussie|taiwanese|hong konger|cape verdean"
    "|angolan|mozambican|senegalese|cameroonian|congolese|rwandan|sudanese|somali"
    "|scouse|texan|uzbek|mongolian|cambodian|burmese|samoan|fijian|tongan|maori"
)
_NATION = re.compile(rf"(?:{NATIONS})(?:[- /](?:{NATIONS}))?")


def _nation(match: re.Match[str], clause: Clause, head: Head) -> Iterator[Said]:
    yield said("nationality", clause.cut(match, "v"), head, changed=head.changed)


RULES: tuple[Rule, ...] = (
    predicate(
        "age: be", _AGE_HEADS + "|about|almost|around|nearly|only|roughly|just", "", _age, be=True, whole=
        r"(?:about |almost |around |nearly |only |roughly |just |already |now )*" + _YEARS +
        r"(?:[\s-]*(?P<u>years?|yrs?|yo|y/o|months?|mos?|weeks?)(?:[\s-]*(?:old|young" r"|of age))?)?(?![a-z])(?! on (?:the )?(?:\d|[a-z]+ \d))",
        when=_any,
    ),
    predicate(
        "age: left out", _AGE_HEADS, "", _age, bare=True, whole=_YEARS +
        r"[\s-]*(?P<u>years? old|yrs? old|yo|y/o|years? young|years? of age)(?![a-z])", when=lambda h: h.person
        == ELIDED and not h.be,
    ),
    predicate(
        "age: turned", "turned|turning|turn|turns|hit|celebrated", r"\s(?:the big )?" + _YEARS + r"(?![a-z0-9])",
        _turned, bare=frozenset(["turned", "turning"]), when=_any,
    ),
    predicate(
        "birthday: turns", "turns|turn|turning", r"\s(?:the big )?" + _YEARS + r"(?![a-z0-9])", _turns, when=
        _any,
    ),
    predicate(
        "birthday: will be", _AGE_HEADS, "", _turns, be=True, when=lambda h: h.future and not h.thought, whole=_YEARS +
        r"(?= (?:on|this|next)\b)(?! on (?:the (?:list|bus|team)))",
    ),
    predicate(
        "age: decade", "in my|in his|in her|in their",
        r"\s(?P<v>(?:early |mid |late |mid-|late-|early-)?(?:twenties|thirties|forties"
        r"|fifties|sixties|seventies|eighties|nineties|20s|30s|40s|50s|60s|70s|80s))", lambda m, c, h: [told(h,
        attribute="age", value=c.cut(m, "v"), content=None)], be=True,
    ),
    states(
        "age", "age", r"\s?(?:is|'s)\s(?P<v>\d{1,3})", owned=True,
    ),
    predicate(
        "birthday: mine", "birthday|bday|b-day|birth date|birthdate|date of birth|dob", r"", _birthday, owned=
        True,
    ),
    predicate(
        "birthday: born", "born",
        r"(?=\s(?:on|in|\d|the|january|february|march|april|may|june|july|august|september"
        r"|october|november|december))", _birthday, be=True, bare=True, when=lambda h: not (h.negated or h.
        thought),
    ),
    predicate(
        "nationality", "a|an|half|part|dual|proud|originally|officially|" + "|".join(sorted({w.split()[0] for w
        in NATIONS.split("|")})), "", _nation, be=True, when=_any, whole=
        rf"(?:an? |half |part |originally |proud |dual |officially |born )*(?P<v>{_NATION.pattern}("
        rf"?:(?: and|,)? (?:half|part)[ -](?:{NATIONS}))?)(?: (?:citizen|national|guy"
        rf"|girl|woman|man|dude|lady|expat|immigrant|by birth))?(?=\s*(?:$|[,.!()]|(?:and"
        rf"|but|by|living|from|so|who|with|on|though|now|too|as|originally|btw|lol|citizenship)\b))",
    ),
    predicate(
        "nationality: citizen", "a citizen of|citizen of", r"\s{V}", lambda m, c, h: [said("nationality", v, h)]
        if (v := clean(c.cut(m, "v"), most=3)) else [], be=True,
    ),
    predicate(
        "nationality: have", "have|hold|has|holds|got",
        rf"\s(?:got )?(?:an? |dual |both )*(?P<v>{_NATION.pattern}(?: and (?:{NATIONS}))?)"
        rf" (?:citizenship|passports?|nationality)", lambda m, c, h: [said("nationality", c.cut(m, "v"), h)],
    ),
    states(
        "nationality", "nationality|citizenship", r"\s?(?:is|'s)\s{V}", owned=True, most=3,
    ),
)  # fmt: skip
