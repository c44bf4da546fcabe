"""Where somebody lives, moved to, will move to, or no longer lives."""

from __future__ import annotations

from collections.abc import Iterator

from relembra.minds.offline.flat import flattened
from relembra.minds.offline.reader import patterns as re
from relembra.minds.offline.reader.engine import Clause, Rule, Said, Who
from relembra.minds.offline.reader.portuguese.building import both, mine, say
from relembra.minds.offline.reader.portuguese.values import clean, coming, is_new, past, place, span
from relembra.minds.offline.reader.portuguese.vocabulary import (
    ADVERBS,
    IN,
)

__all__ = ["HOME"]

_NO_HOME = re.compile(
    r"(?:fronteira$|casa$|cas[ae]\s(?:d[oae]|propria|com)|mesm[oa]|rua$|predio$|lugar|paz|perigo|funcao|mundo|"
    r"contato|dia|passado|luto|cidade\s(?:grande|pequena)$|"
    r"minha|meu|ritmo|estado|relacao|briga|guerra|hotel$|aeroporto|onibus|fila|transito|academia$|"
    r"trabalho$|escritorio$|reuniao|"
    r"shopping|praia$|uniao|familia|lar\s|meio\s|ambiente|comunhao|harmonia|concubinato|pe\sde|mercado|media|medo|pecado|constante|funcao|torno|internet|redes|celular|\d)"
)


def _home(match: re.Match[str], clause: Clause, who: Who | None) -> Iterator[Said]:
    value = place(span(clause, match))
    if value is None or _NO_HOME.match(flattened(value).text):
        return
    yield say(who, "residence", value, f"mora {match['in']} {value}", changed=is_new(clause))


def _moved(match: re.Match[str], clause: Clause, who: Who | None) -> Iterator[Said]:
    value = place(span(clause, match))
    if value is None or _NO_HOME.match(flattened(value).text):
        return
    if re.match(
        r"(?:um|uma|ca|apartamento|ape|casa|outr[oa]|area|equipe|empresa|curso|banco|android|iphone|"
        r"linux|mac)(?![a-z])",
        flattened(value).text,
    ):
        return
    if match[0].startswith("voltei") and not value[0].isupper():
        return
    since = past(clause)
    yield say(who, "residence", value, f"mora em {value}", changed=True, held_from=since)
    yield say(who, "event", f"mudança para {value}", f"mudou-se para {value}", held_from=since)
    left = match.groupdict().get("from")
    if left and (old := place(span(clause, match, "from"))):
        yield say(who, "former_residence", old, f"morava em {old}")


def _left_home(match: re.Match[str], clause: Clause, who: Who | None) -> Iterator[Said]:
    if _PLAINLY_NOT.match(match[0]) and not _ANYMORE.search(clause.flat, match.start()):
        return  # "não moro em Recife" does not say that one ever did
    value = place(span(clause, match))
    if value and not _NO_HOME.match(flattened(value).text):
        yield say(who, "former_residence", value, f"morava {match['in'] or 'em'} {value}")


_PLAINLY_NOT = re.compile(r"(?:nao|n)\s(?:moro|vivo|mora|vive)(?![a-z])")
_ANYMORE = re.compile(r"(?<![a-z])(?:mais|desde|ha|faz)(?![a-z])")


def _lives_with(match: re.Match[str], clause: Clause, who: Who | None) -> Iterator[Said]:
    value = clean(span(clause, match))
    if value is None:
        rest = re.sub(r"^(?:com\s)", "", span(clause, match), flags=re.IGNORECASE)
        rest = re.split(r"[,.;!?]|\s(?:mas|desde|ha|em|no|na|que|e\s(?:eu|tenho|sou))\b", rest)[0].strip()
        rest = re.sub(r"^(?:os |as |o |a )?(?:meus|minhas|meu|minha)\s", "", rest, flags=re.IGNORECASE)
        value = f"com {rest}" if rest and len(rest.split()) <= 5 else None
    if value:
        yield say(who, None, f"mora {value}", f"mora {value}")


def _town(match: re.Match[str], clause: Clause, _who: Who | None) -> Iterator[Said]:
    value = place(span(clause, match))
    if value and value[0].isupper():
        yield say(None, "residence", value, f"mora em {value}")


def _zone(match: re.Match[str], clause: Clause, _who: Who | None) -> Iterator[Said]:
    value = clean(span(clause, match), longest=7)
    if value:
        yield say(None, "timezone", value, f"está no fuso {value}")


def _will_move(match: re.Match[str], clause: Clause, who: Who | None) -> Iterator[Said]:
    value = place(span(clause, match))
    if value and value[0].isupper():
        begins, _ = coming(clause)
        yield say(who, "event", f"mudança para {value}", f"vai se mudar para {value}", held_from=begins)


HOME: list[Rule] = [
    *both(
        "home",
        "divido sigo continuo segue continua fixei estabeleci instalei instalando moro mora vivo vive "
        "moramos vivemos morando resido reside estou to tou residente instalada instalado morar",
        rf"(?:{{moro|vivo|moramos|vivemos|resido|estou morando|to morando|tou morando|tamo morando|"
        rf"ando morando|estamos morando|vim morar|fui morar|voltei a morar|estou a viver|estou a morar|"
        rf"estou vivendo|to vivendo|sou residente|passei a morar|sigo|(?:acabei )?me instala(?:ndo|r)|"
        rf"me instalei|me fixei|continuo(?= em)|(?:aqui )?firme(?: e forte)?|minha casa (?:e|eh|fica)|"
        rf"meu endereco (?:agora )?(?:e|eh|fica)|moro e|(?:meu|minha) (?:ape|apartamento|casinha|"
        rf"bairro|kitnet|quitinete) (?:e|eh|fica)|continuo morando|sigo morando|(?:estou|to|tou) "
        rf"instalad[oa]|divido (?:um )?(?:apartamento|ape|casa|quarto)(?: com [a-z ]{{3,30}}?)?/mora|"
        rf"vive|reside|esta morando|ta morando|foi morar|voltou a morar|esta a viver|ta vivendo|passou "
        rf"a morar|veio morar}}) "
        rf"(?:{ADVERBS}|(?:com|c) [a-z ]{{3,24}}? |sozinh[oa] )?(?:(?:ha|faz) [a-z0-9 ]{{3,18}}? )"
        rf"?(?P<in>{IN}) (?P<v>[a-z0-9].{{1,50}})",
        _home,
    ),
    *mine(
        "home, told",
        "cidade",
        r"(?:a )?minha cidade (?:atual )?(?:e|eh|se chama) (?:a |o )?(?P<in>)(?P<v>[a-z].{2,40})",
        _town,
    ),
    *both(
        "moved",
        "mudamo-nos mudei mudou mudamos mudei-me mudou-se mudar mudando vim foi fui",
        r"(?:{(?:me )?mudei(?:-me)?|(?:nos )?mudamos|mudamo-nos|acabei de (?:me )?mudar(?:-me)?|acabamos de "
        r"(?:nos )?mudar|vim de mudanca|fui de mudanca|voltei(?: de vez)?|mudei de [\w ]{2,25}?/(?:se )"
        r"?mudou(?:-se)?|acabou de se mudar|foi embora|foi de mudanca}) "
        r"(?:(?:(?:ontem|hoje|agora|semana passada|mes passado|ano passado|faz pouco|recentemente|de "
        r"vez|sozinh[oa]|em \w+(?: de \d+)?|ha [\w ]{3,14}?|faz [\w ]{3,14}?) )?)(?:d[eo]a? "
        r"(?P<from>[\w ]{2,30}?) )?(?:pra|para|pro|pras|pros|p|ao?) (?:o |a |os |as |ca em )"
        r"?(?P<v>[a-z].{1,40})",
        _moved,
    ),
    *both(
        "left home",
        "cresci cresceu criei criada criado fiquei moro mora morei morou morava vivi viveu vivia vivo morando",
        r"(?:{(?:nao|n|ja nao|nunca mais) (?:moro|vivo)(?: mais)?|(?:ja )?(?:morei|vivi)|(?:antes )"
        r"?(?:eu )?(?:morava|vivia)|deixei de morar|parei de morar|cresci|me criei|fui criad[oa]|"
        r"fiquei(?= (?:\w+ )?anos )/(?:nao|n|ja nao) (?:mora|vive)(?: mais)?|(?:ja )?(?:morou|viveu)|"
        r"morava|vivia}) "
        r"(?:mais |antes |la |[\w ]{1,14}? (?:anos?|meses|mes) |(?:muito|um) tempo |minha infancia |por [\w ]{2,14} |"
        r"durante [\w ]{2,14} )?(?P<in>em|no|na|num|numa|nos|nas) (?P<v>[a-z].{1,40})",
        _left_home,
        denied=True,
    ),
    *both(
        "lives with",
        "moro mora vivo vive divido",
        r"{moro|vivo|to morando|estou morando/mora|vive} (?:so )?(?P<v>(?:sozinh[oa]|com (?:[oa]s? )"
        r"?(?:meus?|minhas?|um|uma|dois|duas|tres|[oa]) .{2,40}))",
        _lives_with,
    ),
    *mine(
        "time zone",
        "fuso",
        r"(?:(?:estou|to|tou|fico|moro|trabalho)(?: sempre)? no|(?:o )?meu) fuso(?: horario)?(?: (?:e|"
        r"eh))?(?: (?:o|a))?(?: d[eoa]s?)? (?P<v>[a-z].{1,40})",
        _zone,
    ),
    *both(
        "shares a home",
        "dividimos divide dividem",
        rf"(?:{{dividimos/divide}}) (?:um |uma |o |a )?(?:ape|apartamento|casa|quitinete|kitnet|quarto|"
        rf"republica)(?: com [a-z ]{{3,30}}?)? (?P<in>{IN}) (?P<v>[a-z].{{1,40}})",
        _home,
    ),
    *both(
        "will move",
        "mudanca mudar mudo",
        r"(?:{(?:estou|to|tou|estamos) de mudanca|(?:vou|vamos|irei|iremos) (?:me |nos )?mudar|me mudo|"
        r"nos mudamos em \w+/(?:esta|ta) de mudanca|vai se mudar|vai mudar}) (?:(?:em \w+|dia \d+|mes "
        r"que vem|ano que vem|semana que vem|de vez) )?(?:pra|para|pro|p) (?:o |a )?(?P<v>[a-z].{1,40})",
        _will_move,
    ),
    *both(
        "spent years",
        "passei passou",
        r"(?:{passei/passou}) (?:quase |mais de |uns )?\w+ (?:anos|meses|decadas) (?:morando |vivendo )"
        r"?(?P<in>em|no|na) (?P<v>[a-z].{1,40})",
        _left_home,
    ),
    *mine(
        "came to stay",
        "vim viemos",
        r"(?:vim|viemos) (?:de mala e cuia|embora|de vez|de mudanca|morar) (?:pra|para|pro) (?:o |a )"
        r"?(?P<v>[a-z].{1,40})",
        _moved,
    ),
]
