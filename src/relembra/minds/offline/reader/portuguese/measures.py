"""The body in numbers, said in passing: height, weight, sizes of shoe and shirt, blood beside another's."""

from __future__ import annotations

from collections.abc import Iterator

from relembra.minds.offline.flat import flattened
from relembra.minds.offline.reader import patterns as re
from relembra.minds.offline.reader.engine import Clause, Rule, Said, Who
from relembra.minds.offline.reader.portuguese.building import mine, say, theirs
from relembra.minds.offline.reader.portuguese.frames import own, presupposed, real
from relembra.minds.offline.reader.portuguese.values import is_new, span

__all__ = ["MEASURES", "in_figures"]

_UNITS = {
    word: number
    for number, word in enumerate(
        [
            "zero",
            "um",
            "dois",
            "tres",
            "quatro",
            "cinco",
            "seis",
            "sete",
            "oito",
            "nove",
            "dez",
            "onze",
            "doze",
            "treze",
            "quatorze",
            "quinze",
            "dezesseis",
            "dezessete",
            "dezoito",
            "dezenove",
        ]
    )
}
_TENS = {"vinte": 20, "trinta": 30, "quarenta": 40, "cinquenta": 50, "sessenta": 60, "setenta": 70, "oitenta": 80}
_TENS |= {"noventa": 90, "catorze": 14, "dezasseis": 16, "dezassete": 17, "dezanove": 19}
_METRES = re.compile(r"(?P<metres>um|dois|1|2) metros? e (?P<rest>[a-z]+)(?: e (?P<unit>[a-z]+))?")


def in_figures(said: str) -> str:
    """A height said in words, with its figures: "um metro e noventa e um (1,91 m)"."""
    match = _METRES.match(flattened(said).text)
    if match is None:
        return said
    rest = {"meio": 50, **_UNITS, **_TENS}.get(match["rest"])
    if rest is None:
        return said
    rest += _UNITS.get(match["unit"] or "zero", 0)
    metres = {"um": "1", "dois": "2"}.get(match["metres"], match["metres"])
    return f"{said} ({metres},{rest:02d} m)"


def _tall(match: re.Match[str], clause: Clause, who: Who | None) -> Iterator[Said]:
    if who is not None or (own(clause, match.start()) and real(clause)):
        value = in_figures(span(clause, match).strip())
        yield say(who, "height", value, f"mede {value}", changed=is_new(clause))


def _heavy(match: re.Match[str], clause: Clause, who: Who | None) -> Iterator[Said]:
    if who is not None or (own(clause, match.start()) and real(clause)):
        value = span(clause, match).strip()
        yield say(who, "weight", value, f"pesa {value}", changed=is_new(clause))


def _heavy_now(match: re.Match[str], clause: Clause, who: Who | None) -> Iterator[Said]:
    """ "Perdi 11 quilos e agora estou com 79": the number alone, where the sentence is about weight."""
    if _OF_WEIGHT.search(flattened(clause.sentence).text):
        value = f"{span(clause, match).strip()} kg"
        yield say(who, "weight", value, f"pesa {value}", changed=True)


_OF_WEIGHT = re.compile(r"(?<![a-z])(?:quilos?|kg|kilos?|emagreci|engordei|balanca|dieta|pesava|peso)(?![a-z])")


def _size(match: re.Match[str], clause: Clause, who: Who | None) -> Iterator[Said]:
    if own(clause, match.start()) and real(clause):
        worn = _WORN.get(match["verb"].split()[0], "usa")
        value = f"{worn} {(span(clause, match) or span(clause, match, 'shoe')).strip()}"
        yield say(who, None, value, value)


_WORN = {"calco": "calça", "visto": "veste", "manequim": "usa manequim", "meu": "calça"}


def _blood_too(match: re.Match[str], clause: Clause, who: Who | None) -> Iterator[Said]:
    """ "Meu marido é A positivo e eu B negativo"."""
    if re.search(
        r"(?<![a-z])(?:positivo|negativo|[abo][+-]|sangue|tipo)(?![a-z])", clause.earlier + clause.flat[: match.start()]
    ):
        value = span(clause, match)
        yield say(who, "blood_type", value, f"tem sangue tipo {value}")


_TALL = r"(?P<v>[12][.,]\d\d(?: ?m(?:etros?)?(?![a-z]))?|1\d\d ?cm)(?!\d)"
_KG = r"(?P<v>\d{2,3}(?:[.,]\d)? ?(?:kg|kgs|quilos|kilos)(?![a-z]))"

_GARMENT = r"(?:camisas?|camisetas?|blusas?|calcas?|jeans|sapatos?|tenis|roupas?|sutia|vestidos?|terno|bota)"
_LETTERS = r"(?:pp|gg|xgg|xg|eg|xl|xxl|\dg|plus size)"

MEASURES: list[Rule] = [
    *presupposed(
        mine("height, with", "altura", rf"(?:com |tendo |de )?{_TALL} de altura(?![a-z])", _tall),
    ),
    *presupposed(
        mine(
            "weight, beside height",
            "altura kg quilos",
            rf"(?:[12][.,]\d\d(?: ?m)?|1\d\d ?cm)(?: de altura)?(?: e|,|, peso| e peso| com) {_KG}",
            _heavy,
        ),
    ),
    *theirs("height, reached", "ta esta mede", rf"{{x/(?:ja )?(?:ta|esta) com|chegou a|bateu|mede}} {_TALL}", _tall),
    *theirs(
        "weight, of one small",
        "ta esta pesa pesando",
        r"{x/(?:ja )?(?:ta|esta) (?:com|pesando)|pesa|chegou a} (?P<v>\d(?:[.,]\d{1,3})? ?(?:kg|quilos)(?![a-z]))"
        r"(?! a (?:mais|menos)| acima)",
        _heavy,
    ),
    *mine(
        "weight, by now",
        "agora hoje ja",
        r"(?:agora|hoje|ja|atualmente) (?:eu )?(?:estou|to|tou|peso|cheguei)(?: com| n?os| a| em)? (?P<v>\d{2,3}"
        r"(?:[.,]\d)?)(?=$|[.,;!](?!\d)| e )",
        _heavy_now,
    ),
    *presupposed(
        mine(
            "size",
            "calco visto manequim uso numero camisa calca sapato",
            rf"(?P<verb>calco|visto|uso|manequim|meu numero de (?:sapato|calcado|tenis|roupa) (?:e|eh)) (?:(?<=calco )(?:numero )?"
            rf"(?P<shoe>[3-4]\d)(?=$|[,.;!?]| e | no | na | de sapato)|(?P<v>(?:(?:{_GARMENT}|tamanho|numero|manequim) )+(?:[3-5]\d|"
            rf"{_LETTERS})|{_LETTERS}|(?<= e )[3-5]\d|(?<= eh )[3-5]\d))(?![\d/%a-z])",
            _size,
        ),
    ),
    *mine(
        "blood, beside",
        "eu sou",
        r"(?:^\W*|(?<= e ))eu(?: sou)?,? (?P<v>(?:ab|a|b|o) ?(?:\+|-(?!\w)|positivo|negativo))",
        _blood_too,
    ),
]
