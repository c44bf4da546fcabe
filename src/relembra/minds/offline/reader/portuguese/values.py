"""Values cut from what was said: where they end, what small words they lose, and lists taken apart."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import datetime, timedelta

from relembra.minds.offline.dates import find_dates
from relembra.minds.offline.dates.mention import DateMention, Kind, Precision
from relembra.minds.offline.flat import flattened
from relembra.minds.offline.reader import patterns as re
from relembra.minds.offline.reader.engine import Clause

__all__ = ["brief", "clean", "coming", "each", "is_new", "lowered", "past", "place", "since", "span"]

LONGEST_VALUE = 9  # words

_CUT = re.compile(
    r"\s*(?:[,;:!?()\n…]|\.(?!\d)|\s-\s|\s(?:mas|porem|porque|pq|pois|desde|ha(?!\w)|faz(?!er|\sde)"
    r"|quando|qdo|enquanto|embora|entao|"
    r"so\sque|que|q|se|por\scausa|por\sconta|como\s(?:se|eu)|agora|hoje|hj|atualmente|ainda|tambem|"
    r"tb|tbm|ne|viu|sabe|tipo(?!\s[12i])|"
    r"k{2,}\w*|rs+|hah\w+|hehe\w*|depois|antes|toda\svez|apesar|inclusive|de\sjeito\snenhum|"
    r"(?:esse|este|essa|esta|nesse|neste|nessa|nesta)\s(?:semestre|ano|mes|semana)|ja(?!\s?z)|to|"
    r"tou|estou|eu|ela|ele|alias|onde|"
    r"ontem|no\s(?:verao|inverno|outono)|na\sprimavera|anteontem|aos\s\d+|(?:na\s|no\s|a\s)?(?:semana|mes|"
    r"ano)\s(?:passad[oa]|que\svem|retrasad[oa])|"
    r"(?:em|no|na|desde|ate)\s(?:\d{4}|\d{1,2}\s?(?:de|/)|(?:janeiro|fevereiro|marco|abril|maio|"
    r"junho|julho|agosto|setembro|outubro|novembro|"
    r"dezembro)|dia\s\d|(?:comeco|inicio|fim|final|meio)\sd[eoa])|dia\s\d+|derretendo|coitad[oa]|"
    r"vai|vou|senao|nao|ultimamente|ou\sseja|afinal|infelizmente|felizmente|graças|gracas\sa|"
    r"obrigad[oa]|pfv|"
    r"por\sfavor|mesmo\sassim|por\sisso|logo|pra\sque|com\smeus?|com\sminhas?|"
    r"com\stod[oa]s?\s(?:[oa]s?\s)?(?:minhas?\s)?forcas?|do\sfundo\sd[ao]|sem\sfalar|principalmente|"
    r"especialmente|sobretudo|exceto|menos\sa|(?:meu|minha)\s(?:filh|mae|pai|irm|marid|espos)\w*)"
    r"(?![a-z-]).*|"
    r"\s+(?:\d+|um|uma|dois|duas|tres|quatro|cinco|seis|dez)\s(?:anos|meses|dias|semanas)"
    r"(?:\s(?:atras|ja))?$)",
    re.DOTALL,
)
_TAIL = re.compile(
    r"(?:[\s,;:.!?…\"'()\[\]*~]|[\U0001f000-\U0001faff\u2600-\u27bf\u200d\ufe0f]|(?<![a-z])(?:de|"
    r"da|do|das|dos|com|sem|pra|para|e|ou|o|a|os|as|em|no|na|"
    r"por|muito|mto|mt|demais|tambem|tb|mesmo|sempre|ai|la|aqui|um|uma|ate|so|ne|la|que|ao|nem|d\+|"
    r"pelo|pela|viu|hein|quem|e\spronto|e\sponto|"
    r"mano|cara|gente|bem|ja|hoje|graças|minha|meu|mais|tanto|assim|kk+|ok|ta|"
    r"de\spaixao|de\sverdade|de\smais|pra\scaramba|pra\scaralho|pacas|a\sbeca|bastante|de\smontao|"
    r"para\ssempre|"
    r"com\scerteza|na\sverdade|pra\svaler|no\smomento|hoje\sem\sdia|por\senquanto|nessa\svida|"
    r"na\svida|la\sem\scasa))$"
)
_HEAD = re.compile(
    r"(?:[\s,;:\"'()*~]|(?:o|a|os|as|um|uma|uns|umas|de|do|da|dos|das|ao|aos|esse|essa|tipo|"
    r"tal\sde|ate|so|e|tambem|tb|tbm|muito|mto|"
    r"bastante|demais|qualquer|tudo\squanto\se|tudo\sque\se)\s)+"
)
_EMPTY = re.compile(
    r"(?:isso|isto|aquilo|tudo|nada|algo|alguem|ninguem|aqui|la|ai|ali|voce|voces|vc|vcs|te|mim|"
    r"ele|ela|eles|elas|coisas?|"
    r"assim|muit[oa]|demais|sim|nao|eu|nos|a\sgente|si|mesmo|outr[oa]s?|cada|qual|quem|onde|ser|"
    r"ter|fazer|dele|dela|"
    r"disso|nisso|bem|mal|melhor|pior|bom|boa|cas[oa]|vez(?:es)?|dia|noite|manha|tarde|poucos?|"
    r"lugar|gente|mais|menos|"
    r"verdade|jeito|forma|tempo|todos?|todas?|volta|frente|fora|dentro|dela|deles|tanto|tal|ideia|so|ti)$"
)
_BEGINS_BADLY = re.compile(
    r"(?:eu|ele|ela|voce|vc|nos|a\sgente|me|nao|ja|to|tou|tenho|sou|tem|esta|ta|meus?|minhas?|"
    r"seus?|suas?|isso|quando|como|"
    r"pra\smim|ainda|agora|hoje|ontem|amanha|vou|vai|fui|foi|estou|por\s|tambem|nossos?|nossas?|"
    r"acho|principalmente|at[ae]\s|"
    r"so\s|nem\s|pelo\smenos|muito\smenos|tudo\s|quem|onde|te|lhe|mesmo|apesar|cad[ae])(?![a-z-])"
)
_JOIN = re.compile(r"\s*,\s*(?:e\s|ou\s|nem\s)?|\s+(?:e|ou|nem|&|\+|mais|alem\sde)\s+|\s*/\s*")
_PLACE_CUT = re.compile(
    r"\s(?:com|visitar|ver|passear|conhecer|trabalhar|estudar|cuidar|de\sferias|nas\sferias|"
    r"a\spasseio|de\svez|sozinh[oa]|derretendo|junto|perto|pert[oa]|numa|num|mesmo|e|ou|la|aqui|"
    r"a\strabalho|"
    r"de\svolta|por|p|pra|para|tem|"
    r"todo|toda|sem|entre|dividindo|de\saluguel|de\sfavor|pagando|num|e\sestou)(?![a-z-]).*",
    re.DOTALL,
)
_NEW = re.compile(
    r"(?<![a-z])(?:agora|virei|virou|passei\sa|passou\sa|comecei|comecou|mudei|mudou|me\smudei|"
    r"na\sverdade|corrigindo|correcao|"
    r"acabei\sde|acabou\sde|nao\s.{1,40}\smais|troquei|trocou|voltei\sa|me\sconfundi|errei|"
    r"me\senganei|desde\sontem|"
    r"a\spartir\sde|me\stornei|tornou-se|se\stornou|nov[oa]\s(?:emprego|trabalho|casa|cargo|cidade|"
    r"empresa|trampo)|"
    r"fui\s(?:promovid|contratad)|finalmente|enfim|atualizando|retificando)(?![a-z])"
)


def span(clause: Clause, match: re.Match[str], group: str | int = "v") -> str:
    """What a group matched, as written; empty where it matched nothing."""
    start, end = match.span(group)
    return clause.raw[start:end] if start >= 0 else ""


def clean(raw: str, *, longest: int = LONGEST_VALUE) -> str | None:
    """The value alone: cut where the thought goes on, without articles and trailing small words; None: nothing left."""
    flat = flattened(raw).text
    if len(flat) != len(raw):
        return None
    head = _HEAD.match(flat)
    start = head.end() if head else 0
    cut = _CUT.search(flat, start)
    end = cut.start() if cut else len(flat)
    while tail := _TAIL.search(flat, start, end):
        if tail.start() <= start:
            return None
        if tail.end() - tail.start() > 2 and raw[tail.start()].isupper():
            break  # a name: "Belém do Pará"
        end = tail.start()
    text = flat[start:end]
    if not text or _EMPTY.match(text) or _BEGINS_BADLY.match(text) or len(text.split()) > longest:
        return None
    return raw[start:end]


def brief(raw: str, *, longest: int = 6) -> str | None:
    """The value alone, and of a long one its beginning, up to where a further phrase is joined on."""
    value = clean(raw, longest=_UNBOUND)
    if value is None or len(value.split()) <= longest:
        return value
    joints = [joint.start() for joint in _JOINT.finditer(flattened(value).text)]
    ends = [end for end in joints if 0 < len(value[:end].split()) <= longest]
    return clean(value[: ends[-1]], longest=longest) if ends else None


_UNBOUND = 60
_JOINT = re.compile(r"\s(?:em|no|na|nos|nas|num|numa|com|pra|para|por|de|do|da|dos|das|e|a|ao|sem|ate|como|faz|vai)\s")


def each(raw: str, *, longest: int = 6) -> Iterator[str]:
    """The values of a list, in order: "camarão, amendoim e dipirona". One that is no value ends it."""
    flat = flattened(raw).text
    cut = _CUT_LIST.search(flat)
    raw = raw[: cut.start()] if cut else raw
    pieces = list(_pieces(raw))
    closed = len(pieces) > 1 and bool(_AND.search(flattened(raw).text))
    for number, piece in enumerate(pieces):
        if (
            number
            and not closed
            and (len(pieces) == _PAIR or len(piece.split()) > 2 or _LOOSE.match(flattened(piece).text))
        ):
            return  # what follows a comma alone is more often another thought
        if number and _LOOSE.match(flattened(piece).text):
            return
        value = clean(piece, longest=longest)
        if value is None:
            if number and not flattened(piece).text.strip():
                continue
            return
        yield value


_PAIR = 2  # "penicilina, anota aí": two of them without "e" are no list
_CUT_LIST = re.compile(_CUT.pattern.replace("[,;:!?()", "[;:!?()", 1), re.DOTALL)


_AND = re.compile(r"\s(?:e|ou|nem|&)\s")
_LOOSE = re.compile(
    r"\s*(?:so|mas|daquel|tudo|nada|cozid|nem\sque|ate|sempre|nunca|pelo|muito|ja|tipo|principal|"
    r"bem|meio|tem|na\s|no\s|nas\s|nos\s|em\s|"
    r"com\s|pra\s|para\s|por\s|viu|ne|ok|ta|sabe|gente|mano|cara|serio|socorro|credo|k{2,}|rs|haha|"
    r"obrigad|me\s|se\s|quase)"
)


def _pieces(raw: str) -> Iterator[str]:
    at = 0
    for match in _JOIN.finditer(flattened(raw).text):
        yield raw[at : match.start()]
        at = match.end()
    yield raw[at:]


def place(raw: str) -> str | None:
    """Where somebody lives, was born or went."""
    value = clean(raw, longest=14)
    if value is None:
        return None
    cut = _PLACE_CUT.search(flattened(value).text)
    if cut and value[cut.start() + 1].isupper():
        cut = None  # "Belém do Pará"
    value = clean(value[: cut.start()] if cut else value, longest=6)
    return value if value and any(char.isalpha() for char in value) and not value[0].isdigit() else None


def lowered(value: str) -> str:
    """A value in the middle of a sentence: small first letter unless the word is a name or shouted."""
    first = value.split()[0] if value.split() else ""
    return value[0].lower() + value[1:] if first[1:].islower() and first[0].isupper() else value


def is_new(clause: Clause) -> bool:
    """Whether the words say that this was otherwise before."""
    return bool(_NEW.search(clause.flat) or _NEW.search(clause.earlier[-40:]))


_FINE = {Precision.MINUTE, Precision.HOUR, Precision.PART_OF_DAY, Precision.DAY}


def past(clause: Clause) -> datetime | None:
    """When something told in the past happened, by the dates of its sentence."""
    for one in _ordered(clause):
        if one.kind is Kind.RECURRING or one.begins.year <= _EARLIEST:
            continue
        if one.begins <= clause.said_at:
            return one.begins
        if one.precision in _YEARLESS and not re.search(r"\d{4}", one.text):
            before = one.begins - timedelta(days=365)  # the year was guessed, and what was told lies behind
            return before.replace(day=one.begins.day) if before <= clause.said_at else None
    return None


def since(clause: Clause) -> datetime | None:
    """From when something that still holds has held: "desde 2019", "há dois anos"."""
    if year := _SINCE_YEAR.search(clause.flat):
        return clause.said_at.replace(year=int(year[1]), month=1, day=1, hour=0, minute=0, second=0, microsecond=0)
    return past(clause) if _SINCE.search(clause.flat) else None


_SINCE = re.compile(r"(?<![a-z])(?:desde|ha\s|faz\s|tem\s\w+\sanos)")
_SINCE_YEAR = re.compile(r"(?<![a-z])desde\s(?:(?:o\s)?(?:ano|comeco|inicio|fim)\sde\s)?((?:19|20)\d\d)(?!\d)")

_EARLIEST = 1900
_YEARLESS = {Precision.DAY, Precision.MONTH}


def coming(clause: Clause) -> tuple[datetime | None, datetime | None]:
    """From when something ahead holds and until when, by the dates of its sentence."""
    for one in _ordered(clause):
        if one.ends > clause.said_at - timedelta(days=1) and one.kind is not Kind.RECURRING:
            return one.begins, one.ends
    if _GONE.search(clause.flat):
        return None, None
    for one in find_dates(clause.raw, said_at=clause.said_at, language=clause.language):
        if one.ends > clause.said_at and one.kind is not Kind.RECURRING:
            return one.begins, one.ends  # the past was told elsewhere: "me confundi, a consulta é dia 29"
    return _next_year(clause)


_GONE = re.compile(
    r"(?<![a-z])(?:foi|fui|teve|tive|era|ontem|passad[oa]|ano\spassado|aconteceu|atrasou|cancel\w+)(?![a-z])"
)
_BARE_DAY = re.compile(r"(?<![\d/])(?P<day>[0-3]?\d)/(?P<month>[01]?\d)(?![\d/])")


def _next_year(clause: Clause) -> tuple[datetime | None, datetime | None]:
    """The coming turn of a day said without its year."""
    for one in _ordered(clause):
        dayed = one.precision is Precision.DAY and one.kind is not Kind.RECURRING and one.begins.day <= _SAFE_DAY
        if dayed and re.search(r"\d", one.text) and not re.search(r"\d{4}", one.text):
            begins = one.begins.replace(year=one.begins.year + 1)
            return begins, begins + timedelta(days=1)
    said = _BARE_DAY.search(clause.flat)
    if said and 1 <= int(said["day"]) <= _SAFE_DAY and 1 <= int(said["month"]) <= _MONTHS:
        begins = clause.said_at.replace(
            month=int(said["month"]), day=int(said["day"]), hour=0, minute=0, second=0, microsecond=0
        )
        if begins < clause.said_at - timedelta(days=1):
            begins = begins.replace(year=begins.year + 1)
        return begins, begins + timedelta(days=1)
    return None, None


_SAFE_DAY = 28  # in every month of every year
_MONTHS = 12


def _ordered(clause: Clause) -> list[DateMention]:
    """The dates of the clause before those of the rest of the sentence, days before vaguer ones."""
    start = clause.sentence.find(clause.raw)
    end = start + len(clause.raw)
    return sorted(clause.dates, key=lambda one: (not start <= one.start < end, one.precision not in _FINE, one.start))
