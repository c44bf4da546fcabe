"""What somebody holds: opinions and values said as such ("na minha visão", "o que não negocio", "vem antes de")."""

from __future__ import annotations

from collections.abc import Iterator

from relembra.minds.offline.flat import flattened
from relembra.minds.offline.reader import patterns as re
from relembra.minds.offline.reader.engine import Clause, Rule, Said, Who
from relembra.minds.offline.reader.portuguese.building import mine, say
from relembra.minds.offline.reader.portuguese.frames import own
from relembra.minds.offline.reader.portuguese.values import brief, span

__all__ = ["CONVICTIONS"]

_FLEETING = re.compile(
    r"(?:isso|isto|ess[ea]s?|est[ea]s?|aquel[ea]s?|tudo|ele|ela|voce|vc|ta|tá|esta|foi|deu|ficou|ja|agora|hoje|aqui|"
    r"melhor|o\sproblema|"
    r"tanto\sfaz|nao\s(?:da|deu|precisa)|pode|da\spra|vale\sa\spena)(?![a-z])"
)
_MINE_TO_SAY = re.compile(
    r"(?<![a-z])(?:pra\smim|para\smim|comigo|cmg|minha\scasa|na\sminha|meu|minha|eu|nao\sabro|prezo)(?![a-z])"
)


def _holds(match: re.Match[str], clause: Clause, _who: Who | None) -> Iterator[Said]:
    raw = re.split(r"[;.!?…]|,\s(?:e|mas|falo|digo|ne)\s", clause.raw[match.start("v") :])[0].strip(" ,")
    if 3 <= len(raw.split()) <= _LONGEST and not _FLEETING.match(flattened(raw).text):
        yield say(None, "opinion", raw, f"acha que {raw}")


def _finds(match: re.Match[str], clause: Clause, _who: Who | None) -> Iterator[Said]:
    raw = span(clause, match).strip(" ,")
    if not _FLEETING.match(flattened(raw).text) and own(clause):
        yield say(None, "opinion", raw, f"acha {raw}")


_LONGEST = 18


def _dear(match: re.Match[str], clause: Clause, _who: Who | None) -> Iterator[Said]:
    value = brief(span(clause, match), longest=8)
    if value and not _FLEETING.match(flattened(value).text):
        yield say(None, "value", value, f"valoriza {value}")


def _worth_more(match: re.Match[str], clause: Clause, _who: Who | None) -> Iterator[Said]:
    if _MINE_TO_SAY.search(flattened(clause.sentence).text) and not _FLEETING.match(match["v"]):
        value = span(clause, match)
        yield say(None, "value", value, f"valoriza: {value}")


CONVICTIONS: list[Rule] = [
    *mine(
        "finds it the best",
        "acho considero",
        r"(?:acho|considero) (?P<v>(?!que|q |bom|melhor|ruim)[a-z][\w -]{2,30}? (?:a|o|uma|um) (?:melhor|pior|maior|mais) .{3,50})",
        _finds,
    ),
    *mine(
        "holds that",
        "visao opiniao conviccao cabeca concepcao leitura entender",
        r"(?:na|em) minha (?:humilde |modesta )?(?:visao|opiniao|cabeca|concepcao|leitura|"
        r"conviccao),? (?:(?:eu )?acho que )?(?P<v>[a-z].{6,120})",
        _holds,
    ),
    *mine(
        "thinks it should",
        "acho",
        r"acho que (?P<v>(?!eu |voce|vc |a gente|el[ea] |isso |vou |o erro|o problema|da |"
        r"ja )[a-z][^,;.!?]{3,50}? (?:devia|deviam|tinha que|tinham que|tem que|merece|merecem|nunca vai|nunca vao|"
        r"nao devia) .{3,60})",
        _holds,
    ),
    *mine(
        "finds it",
        "acho considero",
        r"(?:acho|considero) (?!que )(?:o |a |os |as )?(?P<v>[a-z]\w+(?: \w+){0,3}? (?:um|uma|muito|mto|mt|super|"
        r"pura|puro|coisa de) [a-z][^,;.!?]{3,50})",
        _finds,
    ),
    *mine(
        "dearest",
        "prezo valorizo estimo importa",
        r"^\W*(?:pra mim,? )?(?P<v>[a-z][\w ]{2,40}?) (?:e|eh|sao) (?:o que|o q|oq|aquilo que|"
        r"a coisa que) (?:eu )?mais (?:prezo|valorizo|importa|estimo|respeito|conta)(?![a-z])",
        _dear,
    ),
    *mine(
        "not for sale",
        "negocio abro tolero troco",
        r"(?:o que|o q|uma coisa que|coisa que) (?:eu )?nao (?:negocio|abro mao|tolero|troco)(?: \w+){0,3}? (?:e|"
        r"eh) (?:[oa] )?(?P<v>[a-z].{3,50})",
        _dear,
        denied=True,
    ),
    *mine(
        "comes first",
        "vem",
        r"^\W*(?:pra mim,? )?(?P<v>[a-z][\w ]{2,30}?) (?:sempre )?(?:vem|vêm|esta|ta) (?:sempre )?(?:antes|na frente|"
        r"acima|em primeiro)(?: d\w| lugar| qualquer| tudo| de)",
        _worth_more,
    ),
    *mine(
        "first of all",
        "lugar",
        r"^\W*(?!.* vem )(?P<v>[a-z][\w ]{2,20}?) (?:sempre )?em primeiro lugar(?=$|[,.!])",
        _dear,
    ),
    *mine("worth more", "vale", r"^\W*(?P<v>[a-z][\w ,]{2,40}? vale mais (?:que|q|do que) [\w ]{3,30})", _worth_more),
]
