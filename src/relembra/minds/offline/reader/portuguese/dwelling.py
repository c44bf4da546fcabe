"""Where somebody lives, by its frames: "aqui em Sobral", "divido um apê em Floripa", and the clock they go by."""

from __future__ import annotations

from collections.abc import Iterator

from relembra.minds.offline.flat import flattened
from relembra.minds.offline.reader import patterns as re
from relembra.minds.offline.reader.engine import Clause, Rule, Said, Who
from relembra.minds.offline.reader.portuguese.building import mine, say
from relembra.minds.offline.reader.portuguese.frames import known_place, own, presupposed, real
from relembra.minds.offline.reader.portuguese.values import brief, is_new, place, span
from relembra.minds.offline.reader.portuguese.vocabulary import TRADE

__all__ = ["DWELLING"]


def _lives(match: re.Match[str], clause: Clause, _who: Who | None) -> Iterator[Said]:
    value = known_place(span(clause, match), "em" if "casa" in match[0] else match["in"])
    bound = match["in"] == "de" and _ON_THE_WAY.search(clause.flat, match.end("in"))
    if value and own(clause, match.start()) and not bound and not _PASSING.search(clause.flat):
        where = "em" if match["in"] == "de" else match["in"]
        yield say(None, "residence", value, f"mora {where} {value}", changed=is_new(clause))


_ON_THE_WAY = re.compile(r"(?<![a-z])(?:pra|para|ate|a)(?![a-z])")  # "aqui de São Paulo pra Curitiba"


def _lives_now(match: re.Match[str], clause: Clause, who: Who | None) -> Iterator[Said]:
    """ "Saí de Belém e agora tô em Goiânia": only where a move is told."""
    if re.search(
        r"(?<![a-z])(?:sai|saimos|deixei|mudei|mudamos|vim|viemos|larguei|troquei|moro|morava)(?![a-z])",
        flattened(clause.message).text,
    ):
        yield from _lives(match, clause, who)


def _came(match: re.Match[str], clause: Clause, _who: Who | None) -> Iterator[Said]:
    """ "Saímos do Rio e viemos pra Juiz de Fora"."""
    value = known_place(span(clause, match), "em")
    moved = re.search(
        r"(?<![a-z])(?:sai|saimos|deixei|deixamos|mudamos|larguei|largamos|morar)(?![a-z])",
        flattened(clause.sentence).text,
    )
    if value and moved and not _PASSING.search(clause.flat):
        yield say(None, "residence", value, f"mora em {value}", changed=True)


def _lives_here(match: re.Match[str], clause: Clause, who: Who | None) -> Iterator[Said]:
    if real(clause):
        yield from _lives(match, clause, who)


def _moved_in(match: re.Match[str], clause: Clause, _who: Who | None) -> Iterator[Said]:
    value = known_place(span(clause, match), match["in"])
    if value and own(clause, match.start()) and not re.search(r"praia|veraneio|temporada|ferias", clause.flat):
        yield say(None, "residence", value, f"mora {match['in']} {value}", changed=True)


_PASSING = re.compile(
    r"(?<![a-z])(?:viagem|viajando|ferias|passeio|passeando|visita\w*|congresso|aeroporto|rodoviaria|hotel|pousada|"
    r"turis\w+|passando|cheguei|chegamos|chegar|pousei|conexao|escala|a\strabalho|evento|fim\sde\ssemana|feriado|"
    r"por\sum\smes|ate\s(?:sexta|domingo|segunda|amanha|dia)|hospedad\w+|carnaval|lua\sde\smel)(?![a-z])"
)


def _quarter(match: re.Match[str], clause: Clause, _who: Who | None) -> Iterator[Said]:
    value = place(span(clause, match))
    if value and own(clause, match.start()):
        yield say(None, "residence", value, f"mora {match['in']} {value}")


def _building(match: re.Match[str], clause: Clause, _who: Who | None) -> Iterator[Said]:
    value = brief(span(clause, match), longest=6)
    if value:
        yield say(None, "residence", value, f"mora em {value}")


def _zone(match: re.Match[str], clause: Clause, _who: Who | None) -> Iterator[Said]:
    if own(clause) and _MY_CLOCK.search(clause.flat) and not clause.flat[: match.start()].count("fuso d"):
        value = span(clause, match)
        yield say(None, "timezone", value, f"está no fuso {value}")


_MY_CLOCK = re.compile(
    r"(?<![a-z])(?:aqui|ca|moro|fico|vivo|estou|to|tou|andamos|estamos|meu|minha|trabalho|uso|sigo|sou|fuso)(?![a-z])"
)


_IN = r"(?P<in>em|no|na|nos|nas)"


_HOME = r"(?:ap|ape|apto|apartamento|casa|casinha|quarto|kit|kitnet|kitinete|quitinete|republica|studio|t[0-4]|sobrado|chacara|sitio)"


DWELLING: list[Rule] = [
    *presupposed(
        mine(
            "lives, here",
            "aqui ca",
            r"(?:aqui|ca|por aqui)(?: n[oa] [a-z]+)? (?P<in>em|no|na|nos|nas|de) (?P<v>[a-z].{2,30})",
            _lives_here,
        )
    ),
    *mine(
        "lives, settled",
        "radicada radicado instalada instalado sediada sediado baseada baseado estabelecida estabelecido domiciliada domiciliado "
        "residente enraizada enraizado fico",
        rf"(?:(?:radicad|instalad|sediad|basead|estabelecid|domiciliad|enraizad)[oa]|residente|(?:^|porque |pois |"
        rf"eu |que )fico) "
        rf"(?:(?:ha|faz) [\w ]{{3,14}}? )?{_IN} (?P<v>[a-z].{{2,30}})",
        _lives,
    ),
    *mine(
        "lives, further on",
        "moro morando vivo vivendo moramos vivemos",
        r"(?:moro|morando|vivo|vivendo|moramos|vivemos) (?!em |"
        r"n[oa]s? [A-Z])[^,;.!?]{3,45}? (?P<in>em) (?P<v>[a-z].{2,30})",
        _lives,
    ),
    *mine(
        "lives, by now",
        "agora hoje atualmente",
        r"(?:agora|hoje|atualmente) (?:to|tou|estou|estamos|fico) (?:la |morando |vivendo )?(?P<in>em|no|"
        r"na) (?P<v>[a-z].{2,30})",
        _lives_now,
    ),
    *mine(
        "lives, part of town",
        "centro bairro zona periferia interior litoral regiao suburbio",
        r"(?:moro|morando|vivo|vivendo|moramos|vivemos) [^,;.!?]{3,45}? (?P<in>no|na) (?P<v>(?:centro|bairro|"
        r"periferia|interior|litoral|regiao|suburbio|arredores|zona \w+) d[eoa] [a-z].{2,24})",
        _quarter,
    ),
    *mine(
        "address",
        "endereco",
        r"meu endereco(?: (?:e|eh|fica|agora e))?:? (?:n[oa] )?(?P<v>(?:rua|r\.|av\.?|avenida|travessa|alameda|praca|"
        r"estrada|rodovia|quadra|sqs|sqn|largo) .{3,50})",
        _building,
    ),
    *mine(
        "back home",
        "voltei voltamos",
        r"(?:voltei|voltamos) (?:a morar )?(?:pra|para|na) (?:a )?casa [^,;.]{3,30}? (?P<in>em) (?P<v>[a-z].{2,24})",
        _lives,
    ),
    *presupposed(
        mine(
            "lives, like me",
            "quem",
            r"quem (?:mora|vive|ta|esta) (?P<in>em|no|na) (?P<v>[a-z][\w ]{2,24}?),? (?:como|que nem|igual) (?:eu|"
            r"mim)(?![a-z])",
            _lives,
        )
    ),
    *mine(
        "lives, so long",
        "to tou estou estamos",
        r"(?:to|tou|estou|estamos) (?:aqui |ja )?(?P<in>em|no|na) (?P<v>[a-z][\w ]{2,24}?) (?:ha|faz|"
        r"desde) (?:\w+ )?(?:anos?|meses|\d{4}|[a-z]+ anos|[a-z]+ meses)",
        _lives,
    ),
    *mine(
        "came here",
        "vim viemos",
        r"(?:vim|viemos)(?: (?:embora|de vez|de mudanca|morar|de [\w ]{2,20}?))? (?P<in>pra|para|"
        r"pro) (?P<v>[a-z].{2,24})",
        _came,
    ),
    *mine(
        "lives, by trade",
        "anos",
        rf"sou {TRADE}[^,;.!?]{{0,24}}? (?:ha|faz) (?:\w+ ){{1,2}}anos (?P<in>em) (?P<v>[a-z].{{2,24}})",
        _lives,
    ),
    *mine("lives, at home", "casa", rf"(?:la |aqui )?em casa,? {_IN} (?P<v>[a-z].{{2,30}})", _lives),
    *mine(
        "moved in",
        "aluguei aluguel comprei compramos trocamos troquei alugamos",
        rf"(?:aluguei|alugamos|fechei o aluguel|fechamos o aluguel|comprei|compramos|financiei|financiamos|troquei|"
        rf"trocamos)"
        rf"(?: \w+){{0,6}}? (?:uma?|[ao]|d[ao]|meu|minha|nossa|"
        rf"nosso) (?:\w+ )?{_HOME}(?: \w+){{0,3}}? {_IN} (?P<v>[a-z].{{2,30}})",
        _moved_in,
    ),
    *mine(
        "shares a roof",
        "divido dividimos dividindo",
        rf"divid(?:o|imos|indo) (?:um |uma |o |a )?{_HOME}.{{0,40}}? {_IN} (?P<v>[a-z].{{2,30}})",
        _lives,
    ),
    *mine(
        "lives in a building",
        "moro vivo",
        r"(?:moro|vivo) no (?:ap |apto |numero )?\d+[a-z]? (?:d[oa]|,) (?P<v>(?:edificio|predio|residencial|"
        r"condominio|bloco|rua|avenida|conjunto) .{2,30})",
        _building,
    ),
    *mine(
        "time zone, by the clock",
        "utc gmt",
        r"(?P<v>(?:utc|gmt) ?[+-]?\d{1,2}(?::\d\d)?)(?![\d])",
        _zone,
    ),
    *mine(
        "time zone, by another",
        "menos mais atras frente",
        r"(?P<v>(?:\d|uma|duas|tres|quatro|cinco|seis) ?(?:h|hs|hrs|horas?) (?:a menos|a mais|atras|a frente|"
        r"de diferenca)(?: (?:que|q|do que|"
        r"d[eoa]|em relacao a|pra))? (?:[oa] )?[a-z]+(?: [a-z]+)?)",
        _zone,
    ),
    *mine(
        "time zone, here",
        "aqui ca",
        r"(?:aqui|ca) (?:e|eh|sao|tem|temos) (?P<v>(?:\d|uma|duas|tres|quatro|cinco) ?(?:h|horas?) (?:a menos|a mais|atras|a frente|"
        r"de diferenca))(?![a-z])",
        _zone,
    ),
    *mine(
        "time zone, of a town",
        "horario relogio fuso",
        r"(?:uso(?: o)?|sigo(?: o)?|meu) (?:fuso|horario|relogio)(?: horario)?(?: (?:e|eh|segue|ta|esta)(?: o|"
        r" no)?)? d[eoa] (?P<v>[a-z][\w ]{2,20})(?=$|[,.;!])",
        _zone,
    ),
]
