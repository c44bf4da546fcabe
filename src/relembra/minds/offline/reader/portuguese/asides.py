"""What a request takes for granted of the one who asks: "como vegetariana, …", "com artrose nos joelhos, …"."""

from __future__ import annotations

from collections.abc import Iterator

from relembra.minds.offline.flat import flattened
from relembra.minds.offline.reader import patterns as re
from relembra.minds.offline.reader.engine import Clause, Rule, Said, Who
from relembra.minds.offline.reader.portuguese.ailments import IS_ILL
from relembra.minds.offline.reader.portuguese.building import mine, say
from relembra.minds.offline.reader.portuguese.frames import YEARS, own, presupposed, real
from relembra.minds.offline.reader.portuguese.values import brief, clean, span
from relembra.minds.offline.reader.portuguese.vocabulary import CONDITION, CREED, DIET, RELATION, TRADE
from relembra.minds.offline.reader.portuguese.work import trade

__all__ = ["ASIDES"]

_I = re.compile(
    r"(?<![a-z])(?:eu|me|mim|comigo|meus?|minhas?|sou|tenho|preciso|posso|consigo|devo|faco|levo|quero|tomo|uso|"
    r"vou|estou|to|gosto|moro|trabalho|recebo|ganho|sinto|fico|sei|corro|durmo|vivo|aguento|dispenso|prefiro|"
    r"[a-z]{3,}o-me|indica|recomenda|sugere|ajuda|ajude)(?![a-z])"
)
_OTHERS = re.compile(
    rf"(?<![a-z])(?:(?:meu|minha)\s{RELATION}|el[ea]s?|alguem|uma?\spessoa|pessoas|meu\s\w+\se|minha\s\w+\se|quem)(?![a-z])"
)


def _speaks_for_self(clause: Clause) -> bool:
    """Whether the sentence a frame opens is about the one who asks."""
    flat = flattened(clause.sentence).text
    return real(clause) and own(clause) and bool(_I.search(flat)) and not _OTHERS.search(flat)


def _being(match: re.Match[str], clause: Clause, _who: Who | None) -> Iterator[Said]:
    """ "Como vegetariana numa família de churrasqueiros, …"."""
    if _speaks_for_self(clause):
        attribute = next(name for name in ("diet", "condition", "religion") if match[name])
        value = span(clause, match, attribute)
        yield say(None, attribute, value, f"é {value}")


def _as_a(match: re.Match[str], clause: Clause, _who: Who | None) -> Iterator[Said]:
    """ "Como técnica de enfermagem recebo R$ 3.150, consigo guardar quanto?"."""
    value = trade(clause.raw[match.start("v") :].split(",")[0])
    if value and _speaks_for_self(clause):
        yield say(None, "occupation", value, f"é {value}")


def _as_fan(match: re.Match[str], clause: Clause, _who: Who | None) -> Iterator[Said]:
    value = brief(span(clause, match), longest=5)
    if value and _speaks_for_self(clause):
        yield say(None, "likes", value, f"gosta de {value}")


def _with_ailment(match: re.Match[str], clause: Clause, _who: Who | None) -> Iterator[Said]:
    value = clean(span(clause, match), longest=6)
    if value and _speaks_for_self(clause):
        yield say(None, "condition", value, f"tem {value}")


def _at_age(match: re.Match[str], clause: Clause, _who: Who | None) -> Iterator[Said]:
    if _speaks_for_self(clause):
        value = f"{match['v']} anos"
        yield say(None, "age", value, f"tem {value}")


def _listed(match: re.Match[str], clause: Clause, _who: Who | None) -> Iterator[Said]:
    """ "Eu, barbeiro, 29 anos, asmático, …"."""
    value = span(clause, match)
    yield say(None, "condition", value, f"é {value}")


def _much_like(match: re.Match[str], clause: Clause, _who: Who | None) -> Iterator[Said]:
    """ "… quem tem artroses nos joelhos, como eu"."""
    value = clean(span(clause, match), longest=6)
    if value:
        yield say(None, "condition", value, f"tem {value}")


def _of_myself(match: re.Match[str], clause: Clause, _who: Who | None) -> Iterator[Said]:
    """ "Seu conselho pra uma viúva de 66": whom the advice is for."""
    if _OTHERS.search(flattened(clause.sentence).text):
        return
    status = span(clause, match)
    yield say(None, "marital_status", status, f"é {status}")
    yield say(None, "age", f"{match['age']} anos", f"tem {match['age']} anos")


_OPENING = r"^\W*(?:(?:oi|ola|bom dia|boa tarde|boa noite|bem|entao|olha|gente)\W+)?"

ASIDES: list[Rule] = [
    *presupposed(
        mine(
            "as one who",
            "como sendo enquanto",
            rf"{_OPENING}(?:como|sendo|enquanto|por ser)(?: eu)? (?:um |uma )?(?:bo[ma] |velh[oa] )?(?:(?P<diet>{DIET})|"
            rf"(?P<condition>{IS_ILL})|(?P<religion>{CREED}))(?![a-z-])",
            _being,
        )
    ),
    *presupposed(
        mine(
            "in a trade",
            "como sendo enquanto",
            rf"{_OPENING}(?:sendo|enquanto|como)(?: eu)? (?:um |uma )?(?P<v>{TRADE})(?![a-z])"
            rf"(?=[^,?]*,| [^,?]*(?:recebo|ganho|faco|preciso|tenho|posso|consigo|trabalho))",
            _as_a,
        )
    ),
    *presupposed(
        mine(
            "as a fan",
            "fa fas",
            rf"{_OPENING}(?:como|sendo) (?:um |uma )?(?:bo[ma] |grande |velh[oa] )?(?:fa|fanatic[oa]|apaixonad[oa]|"
            rf"amante|viciad[oa]|admiradora?|leitora?)(?: assumid[oa])? (?:de|do|da|por|em) (?P<v>[a-z][^,?!.;]{{2,40}})(?:,|\s*$)",
            _as_fan,
        )
    ),
    *presupposed(
        mine(
            "with an ailment",
            "com tendo",
            rf"{_OPENING}(?:com|tendo) (?:uma? |minha |meu |essa |esse )?(?P<v>{CONDITION}(?![a-z])[^,?!.;]{{0,30}})"
            rf"(?=$|,|\?| (?:posso|consigo|devo|da pra|qual|que))",
            _with_ailment,
        )
    ),
    *presupposed(
        mine(
            "asked at an age",
            "aos",
            rf"(?:posso|consigo|devo|vale a pena|da (?:pra|para)|ainda|recomeco|aprendo|comeco)[^,.;!]{{0,40}} aos "
            rf"(?P<v>{YEARS})(?: anos)?\W*$",
            _at_age,
        )
    ),
    *mine(
        "listed of oneself",
        "eu",
        rf"^\W*eu, [^?.;]{{2,60}}, (?P<v>{IS_ILL})(?=,|\.|:|$)",
        _listed,
    ),
    *presupposed(
        mine(
            "like me",
            "como nem",
            rf"quem (?:tem|sofre de|vive com|convive com) (?P<v>{CONDITION}(?![a-z])[^,?!.;]{{0,30}}?),? (?:como|que nem|"
            rf"igual a?) (?:eu|mim)(?![a-z])",
            _much_like,
        )
    ),
    *presupposed(
        mine(
            "advice for one",
            "pra para",
            rf"(?:conselho|dica|dicas|sugestao|sugestoes|ideia|ideias|roteiro|treino|cardapio)s? (?:pra|para) (?:um |"
            rf"uma )(?P<v>viuv[oa]|divorciad[oa]|solteir[oa]|casad[oa]) de (?P<age>{YEARS})(?! mil)(?![a-z])",
            _of_myself,
        )
    ),
]
