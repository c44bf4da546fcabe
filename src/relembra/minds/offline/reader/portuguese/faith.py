"""What somebody believes in and where they pray; and the faith they left."""

from __future__ import annotations

from collections.abc import Iterator

from relembra.minds.offline.flat import flattened
from relembra.minds.offline.reader import patterns as re
from relembra.minds.offline.reader.engine import Clause, Rule, Said, Who
from relembra.minds.offline.reader.portuguese.building import both, mine, say
from relembra.minds.offline.reader.portuguese.frames import own
from relembra.minds.offline.reader.portuguese.values import brief, clean, is_new, past, span
from relembra.minds.offline.reader.portuguese.vocabulary import CREED, VERY

__all__ = ["FAITH"]


def _no_god(_match: re.Match[str], _clause: Clause, who: Who | None) -> Iterator[Said]:
    yield say(who, "religion", "não acredita em Deus", "não acredita em Deus")


def _left_faith(match: re.Match[str], clause: Clause, who: Who | None) -> Iterator[Said]:
    """ "Cresci testemunha de Jeová mas saí da religião aos 25"."""
    if _LEFT_FAITH.search(flattened(clause.sentence).text):
        value = span(clause, match)
        yield say(who, "former_religion", value, f"já foi {value}")


def _church(match: re.Match[str], clause: Clause, who: Who | None) -> Iterator[Said]:
    value = clean(span(clause, match), longest=6)
    if value:
        yield say(who, "religion", value, f"frequenta {value}")


def _creed_leading(match: re.Match[str], clause: Clause, _who: Who | None) -> Iterator[Said]:
    if own(clause):
        value = span(clause, match)
        yield say(None, "religion", value, f"é {value}", changed=is_new(clause))


def _faith(match: re.Match[str], clause: Clause, _who: Who | None) -> Iterator[Said]:
    value = brief(span(clause, match), longest=4)
    if value:
        yield say(None, "religion", value, f"religião: {value}")


def _house(match: re.Match[str], clause: Clause, _who: Who | None) -> Iterator[Said]:
    value = span(clause, match)
    yield say(None, "religion", value, f"é {value}")


_LEFT_FAITH = re.compile(
    r"(?<![a-z])(?:sai|larguei|deixei|abandonei|me\safastei|afastei-me|rompi)(?:\s\w+)?\s?(?:d?[ao]|com\sa)\s(?:religiao|igreja|fe)"
    r"|(?<![a-z])hoje\s(?:sou\sateu|nao\s(?:sigo|pratico|acredito))"
)


def _creed(match: re.Match[str], clause: Clause, who: Who | None) -> Iterator[Said]:
    value = span(clause, match)
    yield say(who, "religion", value, f"é {value}", changed=is_new(clause))


def _converted(match: re.Match[str], clause: Clause, who: Who | None) -> Iterator[Said]:
    value = clean(span(clause, match))
    if value:
        yield say(who, "religion", value, f"converteu-se a {value}", changed=True, held_from=past(clause))


def _creed_left(match: re.Match[str], clause: Clause, who: Who | None) -> Iterator[Said]:
    value = span(clause, match)
    yield say(who, "former_religion", value, f"não é mais {value}")


FAITH: list[Rule] = [
    *both(
        "converted",
        "converti converteu batizei",
        r"{me converti|converti-me|me batizei/se converteu|converteu-se} (?:ao|a|na|no) (?P<v>.{3,30})",
        _converted,
    ),
    *both(
        "left creed",
        "sou era fui deixei deixou foi",
        rf"(?:{{(?:nao|n) sou mais|deixei de ser|(?:ja )?fui|eu era|era/(?:nao|n) e mais|deixou de ser|(?:ja )"
        rf"?foi|era}}) (?P<v>{CREED})(?![a-z-])",
        _creed_left,
        denied=True,
    ),
    *both(
        "creed",
        "sou e eh somos virei",
        rf"{{sou|virei|me tornei|me considero|fui criad[oa]|somos/e|eh|virou|se tornou}} {VERY}(?:um |"
        rf"uma )?(?P<v>{CREED})s?(?![a-z-])",
        _creed,
    ),
    *mine("no god", "acredito", r"(?P<v>(?:nao|n) (?:acredito|creio) em deus)", _no_god, denied=True),
    *mine(
        "left a faith",
        "cresci criada criado",
        rf"(?:cresci|fui criad[oa])(?: (?:na|no|como|em))? (?P<v>{CREED}|testemunha de jeova|igreja \w+)(?![a-z])(?=.*)",
        _left_faith,
    ),
    *mine(
        "goes to church",
        "frequento",
        r"frequento (?:o |a |um |uma )?(?P<v>(?:terreiro|igreja|centro espirita|centro de umbanda|"
        r"culto|missa|templo|sinagoga|mesquita|congregacao|assembleia de deus|universal|batista|adventista|metodista|"
        r"presbiteriana|quadrangular|salao do reino)(?![a-z]).{0,30})",
        _church,
    ),
    *mine(
        "creed, leading",
        "convicto convicta berco praticante fervorosa fervoroso desde",
        rf"(?:^\W*|(?<=, ))(?P<v>{CREED})(?= (?:convict[oa]|de berco|(?:nao )?praticante|fervoros[oa]|desde))",
        _creed_leading,
    ),
    *mine(
        "faith",
        "fe religiao crenca doutrina",
        r"minha (?:fe|religiao|crenca|doutrina) (?:e|eh) (?:[oa] |n[oa] )?(?P<v>[a-z].{2,30})",
        _faith,
    ),
    *mine(
        "house of faith",
        "terreiro axe santo oxum iemanja ogum xango oxossi iansa oxala",
        r"sou (?P<v>(?:d[eoa] (?:terreiro|axe|santo|umbanda|candomble|santo daime)|filh[oa] de (?:oxum|iemanja|ogum|"
        r"xango|oxossi|iansa|oxala|nana|"
        r"exu|omolu|obaluae|logun))(?:,? filh[oa] de \w+)?)(?![a-z])",
        _house,
    ),
    *both(
        "goes by faith",
        "congregacao culto",
        r"(?:{congrego|sirvo/congrega|serve}) (?:na|no|em) (?P<v>[a-z].{2,30})",
        _faith,
    ),
]
