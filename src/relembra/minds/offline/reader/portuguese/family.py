"""People and animals: who somebody is to the speaker, marriages, children, pets, and how ties begin and end."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from relembra.minds.offline.reader import patterns as re
from relembra.minds.offline.reader.engine import Clause, Rule, Said, Who
from relembra.minds.offline.reader.portuguese.building import bare, both, mine, say, theirs
from relembra.minds.offline.reader.portuguese.people import name_at
from relembra.minds.offline.reader.portuguese.values import each, is_new, past, place, since, span
from relembra.minds.offline.reader.portuguese.vocabulary import NUMBER, PET

__all__ = ["FAMILY"]


_AGAIN = re.compile(r"(?<![a-z])(?:de\snovo|novamente|outra\svez|voltei\sa\sser|fiquei|ficou|oficialmente)(?![a-z])")


def _status(match: re.Match[str], clause: Clause, who: Who | None) -> Iterator[Said]:
    value = span(clause, match)
    yield say(
        who,
        "marital_status",
        value,
        f"é {value}",
        changed=is_new(clause) or bool(_AGAIN.search(match[0] + clause.flat[match.end() : match.end() + 12])),
        held_from=since(clause),
    )


def _children(match: re.Match[str], clause: Clause, who: Who | None) -> Iterator[Said]:
    value = span(clause, match)
    yield say(who, "children", value, f"tem {value}", changed=is_new(clause))


def _parent(match: re.Match[str], clause: Clause, who: Who | None) -> Iterator[Said]:
    if not re.search(r"cachorr|gat[oa]|pet", match["v"]):
        value = span(clause, match)
        yield say(who, "children", value, f"é {span(clause, match, 'role').lower()} de {value}")


def _childless(_match: re.Match[str], _clause: Clause, who: Who | None) -> Iterator[Said]:
    yield say(who, "children", "nenhum", "não tem filhos")


def _pets(match: re.Match[str], clause: Clause, who: Who | None) -> Iterator[Said]:
    value = span(clause, match)
    if re.search(r"(?<![a-z])(?:batiz|cham|apelid)\w+", clause.flat[match.end() :]):
        return  # it is known by its name
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


def _will_be(match: re.Match[str], clause: Clause, who: Who | None) -> Iterator[Said]:
    value = f"vai ser {span(clause, match)}"
    yield say(who, "event", value, value, held_from=past(clause))


def _birth_order(match: re.Match[str], clause: Clause, who: Who | None) -> Iterator[Said]:
    value = re.sub(r"^(?:sou|é|e)\s", "", span(clause, match).strip(), flags=re.IGNORECASE)
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
        "homem sou estou to tou e esta ta fiquei somos solteira solteiro casada casado noiva noivo viuva "
        "viuvo divorciada divorciado separada separado",
        r"(?:{sou|estou|to|tou|fiquei|continuo|sigo|voltei a ser|ando/e|eh|esta|ta|ficou|continua}) "
        r"(?:(?:muito|bem|agora|hoje|oficialmente|ja|recem|recem-|feliz|felizmente|recentemente|de "
        r"novo|um|uma|homem|mulher|pessoa|moca|rapaz|legalmente|novamente) ?){0,2}(?P<v>(?:casad[oa]|"
        r"solteirissim[oa]|solteir[oa]|solteirona?|divorciad[oa]|viuv[oa]|separad[oa]|"
        r"noiv[oa]|desquitad[oa])(?!s)|namorando|em uniao estavel|amasiad[oa]|enrolad[oa]|em um "
        r"relacionamento)(?![a-z])",
        _status,
    ),
    *bare(
        "status, alone",
        "solteira solteiro solteirona solteirissima casada casado divorciada divorciado viuva viuvo separada "
        "separado noiva noivo",
        r"(?:encalhad[oa],? )?(?P<v>solteir(?:[oa]|ona|ao|issim[oa])|casad[oa]|divorciad[oa]|viuv[oa]|"
        r"separad[oa]|noiv[oa]|amasiad[oa])(?= (?:desde|ha|faz|convict[oa]|assumid[oa]|"
        r"aqui|de novo|novamente|com|sem|e|por opcao|recente|aos|a \d)(?![a-z])|,|$|\.)",
        _status,
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
    *bare(
        "parent of",
        "mae pai avo mamae papai vovo",
        rf"(?P<role>mae|pai|mamae|papai|vovo|avo)(?: (?:solo|solteir[oa]|coruja|babao|babona|orgulhos[oa]|de "
        rf"primeira viagem))? de (?P<v>(?:{NUMBER}|gemeos|gemeas|trigemeos)"
        rf"(?: (?:so|filh[oa]s?|meninas?|meninos?|criancas?|pirralh[oa]s?|guris?|gurias?|pequen[oa]s?|"
        rf"adolescentes?|cachorr[oa]s?|gat[oa]s?|crias?|bacuris?|moleques?|anjos|lindos|lindas))*)(?![a-z])",
        _parent,
    ),
    *mine(
        "children, by other words",
        "tenho temos cria crias pirralho pirralha bacuri guri guria moleque herdeiro herdeira rapaz rapariga "
        "gemeas gemeos",
        rf"(?:tenho|temos|sou (?:mae|pai) de|crio|criei) (?:(?:so|apenas|ja) )?(?P<v>(?:{NUMBER} "
        rf")?(?:filh[oa]s?|pirralh[oa]s?|bacuris?|guris?|gurias?|moleques?|crias?|herdeir[oa]s?|rebentos?|"
        rf"miud[oa]s?|catraios?|gemeos|gemeas|rapaz(?:es)?(?= de)|raparigas?(?= de)|criancas?)"
        rf"(?: de [\w]+ anos)?(?: e (?:um|uma|dois|duas) (?:rapaz|rapariga|menino|menina|filh[oa]|guri|"
        rf"guria)(?: de \w+)?)?)(?= so|,|$|\.| e |!)",
        _children,
    ),
    *mine(
        "no children",
        "filhos filho nenhum",
        r"(?:zero|nenhum|sem) filhos?(?=\W|$)|(?:nao|n|nunca) tive(?:mos)? filhos(?! d[oe] sangue)|(?:optei|"
        r"optamos|decidi|decidimos|escolhi) (?:por )?nao ter filhos|filhos? (?:eu )?(?:nao|n) (?:tenho|tive|quis)",
        _childless,
        denied=True,
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
        r"(?:esperando|a espera de) (?:um bebe|uma bebe|gemeos|gemeas|nenem|bebe|um menino|uma menina|o "
        r"segundo|o primeiro))",
        _expecting,
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
