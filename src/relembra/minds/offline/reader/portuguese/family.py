"""People and animals: who somebody is to the speaker, marriages, children, pets, and how ties begin and end."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace

from relembra.minds.offline.flat import flattened
from relembra.minds.offline.reader.engine import Clause, Rule, Said, Who
from relembra.minds.offline.reader.portuguese.building import both, mine, say, theirs
from relembra.minds.offline.reader.portuguese.people import name_at
from relembra.minds.offline.reader.portuguese.values import each, is_new, past, place, span
from relembra.minds.offline.reader.portuguese.vocabulary import NUMBER, PET
from relembra.minds.offline.reader.portuguese.wording import feminine

__all__ = ["FAMILY"]


_GIVEN = re.compile(r"(?<![\w])(?:(?P<article>[oa])\s)?(?:(?:dra?\.?|dona|seu|tia|tio|prof\.?)\s)?$", re.IGNORECASE)


_STATUS = {
    "casei": "casad",
    "casamos": "casad",
    "divorciei": "divorciad",
    "divorciamos": "divorciad",
    "separei": "separad",
    "separamos": "separad",
    "noivei": "noiv",
    "noivamos": "noiv",
    "viuvei": "viuv",
    "enviuvei": "viuv",
}


def _status(match: re.Match[str], clause: Clause, who: Who | None) -> Iterator[Said]:
    value = span(clause, match)
    yield say(who, "marital_status", value, f"é {value}", changed=is_new(clause))


def _status_changed(match: re.Match[str], clause: Clause, who: Who | None) -> Iterator[Said]:
    flat = match[0]
    since = past(clause)
    if "divorc" in flat:
        stem, event = "divorciad", "divórcio"
    elif "separ" in flat or "termin" in flat or "largou" in flat or "nos largamos" in flat:
        stem, event = ("separad", "separação") if "separ" in flat else ("solteir", "término do namoro")
    elif "noiv" in flat or "em casamento" in flat:
        stem, event = "noiv", "noivado"
    elif "viuv" in flat:
        stem, event = "viuv", "viuvez"
    elif "namor" in flat:
        stem, event = "namorando", "começo de namoro"
    else:
        stem, event = "casad", "casamento"
    ending = "a" if re.search(r"(?:viuv|noiv)a(?![a-z])", flat) else _ending(clause, who)
    value = stem if stem == "namorando" else stem + ending
    partner = re.search(
        r"(?:\bcom|[Pp]edi|\bdo|\bda)\s(?:[oa]\s)?(?P<name>[A-ZÀ-Þ][\w-]+)", clause.raw[match.start() :]
    )
    told = f"{event} com {partner['name']}" if partner else event
    verb = {
        "casamento": "se casou (casamento)",
        "divórcio": "se divorciou (divórcio)",
        "separação": "se separou (separação)",
    }.get(event, f"teve: {event}")
    yield say(
        who,
        "marital_status",
        value,
        f"é {value}" if stem != "namorando" else "está namorando",
        changed=True,
        held_from=since,
    )
    yield say(who, "event", told, f"{verb} com {partner['name']}" if partner else verb, held_from=since)


def _ending(clause: Clause, who: Who | None) -> str:
    """The gender of the one it is about, where the words tell it."""
    if who is not None:
        female = feminine(who.relation) if who.relation else flattened(who.name).text.endswith("a")
        return "a" if female else "o"
    text = clause.message.lower()
    return (
        "a"
        if re.search(
            r"\b(?:sou|estou|tô|to|fiquei|me sinto) (?:\w+ )?\w+ada\b|\bobrigada\b|\bmeu marido\b|\bmeu "
            r"namorado\b|\bsou (?:casada|mãe)\b",
            text,
        )
        else "o"
    )


def _children(match: re.Match[str], clause: Clause, who: Who | None) -> Iterator[Said]:
    value = span(clause, match)
    yield say(who, "children", value, f"tem {value}", changed=is_new(clause))


def _childless(_match: re.Match[str], _clause: Clause, who: Who | None) -> Iterator[Said]:
    yield say(who, "children", "nenhum", "não tem filhos")


def _pets(match: re.Match[str], clause: Clause, who: Who | None) -> Iterator[Said]:
    value = span(clause, match)
    if name_at(clause.raw, clause.flat, match.end() + 1) and clause.raw[match.end() : match.end() + 1] in {" ", ","}:
        return
    if re.match(
        r"\s?[,:(]?\s(?:chamad|que\sse\scham|que\scham|o\s[A-Z]|a\s[A-Z]|[A-Z]|se\scham)|"
        r"(?:\s[a-zà-ÿ]+){1,3}\s?[,:(-]\s?(?:[oa]\s)?[A-ZÀ-Þ]",
        clause.raw[match.end() :],
    ):
        return
    yield say(who, "possession", value, f"tem {value}", tags=("pet",))


def _siblings(match: re.Match[str], clause: Clause, who: Who | None) -> Iterator[Said]:
    value = span(clause, match)
    if re.match(r"(?:um|uma|1)\s", match["v"]) and re.match(
        r",?\s(?:[oa]\s)?[A-ZÀ-Þ]|,?\s(?:chamad|que se chama)", clause.raw[match.end() :]
    ):
        return
    yield say(who, None, value, f"tem {value}")


def _expecting(match: re.Match[str], clause: Clause, who: Who | None) -> Iterator[Said]:
    value = re.sub(
        r"^(?:estou|tô|tou|to|estamos|fiquei|descobri que (?:tô|to|estou))\s",
        "",
        span(clause, match),
        flags=re.IGNORECASE,
    )
    said = say(who, "condition", value, f"está {value}")
    yield replace(said, held_from=past(clause))


def _splitting(_match: re.Match[str], clause: Clause, who: Who | None) -> Iterator[Said]:
    since = past(clause)
    yield say(who, "marital_status", "em separação", "está se separando", changed=True, held_from=since)
    yield say(who, "event", "separação", "se separou (separação, fim do casamento)", held_from=since)


def _will_be(match: re.Match[str], clause: Clause, who: Who | None) -> Iterator[Said]:
    value = f"vai ser {span(clause, match)}"
    yield say(who, "event", value, value, held_from=past(clause))


def _birth_order(match: re.Match[str], clause: Clause, who: Who | None) -> Iterator[Said]:
    value = span(clause, match).strip()
    yield say(who, None, value, f"é {value}" if not value.lower().startswith("somos") else f"são {value[6:]}")


def _plural_home(match: re.Match[str], clause: Clause, who: Who | None) -> Iterator[Said]:
    value = place(span(clause, match))
    if who is not None and value and value[0].isupper():
        yield say(who, "residence", value, f"moram {match['in']} {value}")


def _plural_taste(match: re.Match[str], clause: Clause, who: Who | None) -> Iterator[Said]:
    liked = not re.match(r"odeiam|detestam|nao", match[0])
    for value in each(span(clause, match)):
        phrase = f"gostam de {value}" if liked else f"não gostam de {value}"
        yield say(who, "likes" if liked else "dislikes", value, phrase)


def _plural_parted(match: re.Match[str], clause: Clause, who: Who | None) -> Iterator[Said]:
    yield say(who, "marital_status", "separados", "são separados (divorciados)", held_from=past(clause))


FAMILY: list[Rule] = [
    *both(
        "status",
        "sou estou to tou e esta ta fiquei somos solteira solteiro casada casado noiva noivo viuva "
        "viuvo divorciada divorciado separada separado",
        r"(?:{sou|estou|to|tou|fiquei|continuo|sigo|voltei a ser|ando/e|eh|esta|ta|ficou|continua}) "
        r"(?:(?:muito|bem|agora|hoje|oficialmente|ja|recem|recem-|feliz|felizmente|recentemente|de "
        r"novo) ?)?(?P<v>(?:casad[oa]|solteir[oa]|solteirona?|divorciad[oa]|viuv[oa]|separad[oa]|"
        r"noiv[oa]|desquitad[oa])(?!s)|namorando|em uniao estavel|amasiad[oa]|enrolad[oa]|em um "
        r"relacionamento)(?![a-z])",
        _status,
    ),
    *both(
        "status changed",
        "casei casou casamos divorciei divorciou separei separou separamos noivei noivos viuva viuvo "
        "viuvei terminei terminamos terminou namorando namorar casei-me separei-me",
        r"(?:{(?:me )?casei(?:-me)?(?! de)|(?:a gente |nos )?casamos|(?:me |nos )?divorci(?:ei|amos)"
        r"(?:-me)?|(?:me |nos )?separ(?:ei|amos)(?:-me)?(?! (?:as|os|o|a|um|uma|uns) )|noivei|ficamos "
        r"noivos|fiquei noiv[oa]|a gente ficou noivo|fiquei viuv[oa]|enviuvei|comecei a namorar|a "
        r"gente (?:se separou|casou)|terminei (?:o )?(?:namoro|noivado|"
        r"casamento|relacionamento)|me pediram em casamento|fui pedid[oa] em casamento|divorcio "
        r"assinado|saiu (?:o )?(?:meu |nosso )?divorcio|assinei o divorcio|enfim casad[oa]s|agora sou "
        r"casad[oa]|(?:a gente )?oficializ(?:ou|amos)(?: no cartorio)?/(?:se )?casou(?:-se)?|se "
        r"divorciou|divorciou-se|se separou|separou-se|noivou|ficou noiv[oa]|ficou viuv[oa]|enviuvou|"
        r"comecou a namorar})(?![a-z])",
        _status_changed,
    ),
    *both(
        "was married",
        "fui foi",
        r"(?:{ja fui/ja foi}) (?P<v>casad[oa]|noiv[oa])",
        lambda m, c, w: [say(w, "former_marital_status", span(c, m), f"já foi {span(c, m)}")],
    ),
    *both(
        "children",
        "filho filha filhos filhas criancas gemeos netos netas irmaos irmas sobrinhos enteados menino "
        "menina meninas meninos",
        rf"(?:{{tenho|temos|sou (?:mae|pai)(?: solo| solteir[oa])? de|crio|ja tenho|agora sao|sao|"
        rf"com(?= (?:dois|duas|tres|quatro|cinco|\d) filh\w+ (?:em casa|pequenos|pra criar|"
        rf"adolescentes))/tem|e (?:mae|pai) de|ja tem|cria}}) (?:(?:so|apenas|agora|ja) )"
        rf"?(?P<v>(?:{NUMBER}|varios|muitos) (?:filh[oa]s?(?: (?:homens?|adolescentes|pequen[oa]s?|"
        rf"adotiv[oa]s?|mulheres|adult[oa]s))?|criancas?|meninas?|meninos?|gemeos|gemeas|net[oa]s?|"
        rf"bebes?|guris|gurias|miudos))(?! autista)(?![a-z])",
        _children,
    ),
    *mine(
        "parent of twins", "gemeos gemeas", r"(?:sou (?:mae|pai) de|tenho) (?P<v>gemeos|gemeas|trigemeos)", _children
    ),
    *both(
        "childless",
        "filhos",
        r"{(?:nao|n) (?:tenho|temos)/(?:nao|n) tem} (?P<v>filhos)(?= *(?:$|[,.!]| e | nem | ainda))",
        _childless,
        denied=True,
    ),
    *both(
        "siblings",
        "irmaos irmas filho filha unica unico cacula",
        rf"{{tenho|somos em/tem}} (?P<v>{NUMBER} (?:irmaos?|irmas?)(?: mais (?:velh|nov)[oa]s?)?)" rf"(?![a-z])",
        _siblings,
    ),
    *both(
        "only child",
        "filha filho",
        r"{sou/e} (?P<v>filh[oa] unic[oa])",
        lambda m, c, w: [say(w, None, span(c, m), f"é {span(c, m)}")],
    ),
    *both(
        "pets",
        "tenho temos tem crio cria adotei adotou ganhei resgatei",
        rf"(?:{{tenho|temos|crio|adotei|adotamos|ganhei|resgatei/tem|cria|adotou|ganhou|resgatou}}) "
        rf"(?:(?:so|agora|aqui|em casa) )?(?P<v>(?:{NUMBER}|varios|muitos|umas|uns) {PET}(?: "
        rf"(?:vira-lata|idos[oa]|filhote|preto|preta|siames|persa|de rua|caramelo))?)(?![\w-])",
        _pets,
    ),
    *mine(
        "expecting",
        "gravida gravido esperando bebe",
        r"(?P<v>(?:estou|to|tou|estamos|fiquei|descobri que (?:to|estou)) (?:gravid[oa]s?|esperando "
        r"(?:um|uma|nosso|nossa|meu|minha|gemeos|o)[\w ]{0,24})(?: de (?:gemeos|gemeas|\d+ (?:semanas|"
        r"meses)|menina|menino|uma menina|um menino))?)",
        _expecting,
    ),
    *theirs(
        "expecting",
        "gravida esperando",
        r"{x/esta|ta|ficou|anda} (?P<v>gravida(?: de (?:gemeos|gemeas|\d+ (?:semanas|meses)))?|"
        r"esperando (?:um bebe|uma bebe|gemeos|nenem))",
        _expecting,
    ),
    *mine(
        "splitting",
        "separando separar casamento divorcio divorciando",
        r"(?:(?:estou|to|tou|estamos|tamos) (?:me|nos|se) (?:separando|divorciando)|(?:meu|nosso) "
        r"(?:casamento|noivado|relacionamento|namoro) (?:acabou|terminou|chegou ao fim)|(?:estou|to) "
        r"em processo de (?:divorcio|separacao))",
        _splitting,
    ),
    *both(
        "will be",
        "ser",
        r"(?:{vou/vai}) ser (?P<v>pai|mae|avo|vovo|tia|tio|madrinha|padrinho|papai|mamae|titia|titio|"
        r"pai de \w+|mae de \w+)(?![a-z])",
        _will_be,
    ),
    *both(
        "birth order",
        "cacula primogenito primogenita irmaos",
        r"(?P<v>{sou [oa] (?:cacula|mais velh[oa]|mais nov[oa]|do meio|primogenit[oa])(?: (?:de|dos|"
        r"entre) .{3,25})?|somos (?:em )?(?:\w+) irmaos/e [oa] (?:cacula|mais velh[oa]|mais nov[oa]|do "
        r"meio|primogenit[oa]) (?:de|dos) .{3,25}})",
        _birth_order,
    ),
    *theirs(
        "they live",
        "moram vivem",
        r"{x/moram|vivem|residem|foram morar|se mudaram para|se mudaram pra} (?P<in>em|no|na|) "
        r"?(?P<v>[a-z].{1,40})",
        _plural_home,
    ),
    *theirs(
        "they like",
        "gostam adoram amam odeiam detestam",
        r"{x/gostam d[eao]s?|adoram|amam|odeiam|detestam|nao gostam d[eao]s?} (?P<v>[a-z].{2,50})",
        _plural_taste,
    ),
    *theirs(
        "they parted",
        "separaram divorciaram separados divorciados",
        r"{x/se separaram|se divorciaram|sao separados|sao divorciados}(?![a-z])",
        _plural_parted,
    ),
]
